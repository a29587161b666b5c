"""Comparing texts with files that a person has read and found good.

After a wanted change write them anew with `PBEM_UPDATE_GOLDEN=1 pytest tests/report`, and read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def check_golden(name: str, text: str) -> None:
    """Compare a text with its golden file, or write the file where that was asked for."""
    check_file(FOLDER / name, text)


def check_file(path: Path, text: str) -> None:
    """Compare a text with any file, or write the file where that was asked for."""
    if os.environ.get("PBEM_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]
    assert text == path.read_text(encoding="utf-8"), (
        f"{path.name} is not what {test} makes: PBEM_UPDATE_GOLDEN=1 pytest {test} writes it anew"
    )
