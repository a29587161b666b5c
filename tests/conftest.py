"""Settings of all tests, and what makes them quick.

Hypothesis tries the same examples in every run, unless the long profile is asked for.
"""

from __future__ import annotations

import os
import sys

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", parent=settings.get_profile("default"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("PBEM_TESTS", "default"))

# Tests start the program some two hundred times; without its bytecode each start would compile the whole of it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Nobody pulls the plug on the computer during the tests: what a command forces to the disk may as well go there later.
os.fsync = lambda handle: None
