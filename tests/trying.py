"""How many examples a test tries: few in every run, many in the long one (`python -m tests.long examples`)."""

from __future__ import annotations

import os

from hypothesis import settings

LONGER = 50


def tries(count: int) -> settings:
    """So many examples, whatever time they take; fifty times as many in the long run."""
    return settings(max_examples=count * (LONGER if os.environ.get("PBEM_TESTS") == "long" else 1), deadline=None)
