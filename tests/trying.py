"""Number of examples that a test tries: few in every run, many in the long one (`python -m tests.long examples`)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

LONGER = 50
IS_LONG = os.environ.get("PBEM_TESTS") == "long"


def tries(count: int) -> settings:
    """So many examples, whatever time they take; fifty times as many in the long run."""
    # Texts are filtered for characters that no file holds; among few examples that is many, and no fault of a test.
    few = count * (LONGER if IS_LONG else 1)
    return settings(max_examples=few, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
