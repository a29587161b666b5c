"""Where the data of the program lies: beside the package in a checkout, inside it once installed."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Literal

Kind = Literal["rules", "templates"]


def resource(kind: Kind) -> Path:
    """The folder of the rules or of the templates."""
    package = Path(str(files("pbem")))
    for folder in (package / "data" / kind, package.parent / kind):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the {kind} of pbem are neither in {package / 'data'} nor in {package.parent}")
