"""All attacks, of which the suite takes a part: `python -m tests.attacks copied join` those with these words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

words = " and ".join(sys.argv[1:])
sys.exit(pytest.main([str(Path(__file__).with_name("test_attacks.py")), *(["-k", words] if words else [])]))
