"""Boards from other programs' files. An imported board has only plain facts. People complete it by hand, as a board
file."""

from pbem.paper.boards.imports.rtt import import_rtt
from pbem.paper.boards.imports.vassal import import_vassal

__all__ = ["import_rtt", "import_vassal"]
