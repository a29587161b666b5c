"""Boards from other programs' files. Only plain facts are imported; people add the rest in the board file."""

from pbem.paper.boards.imports.rtt import import_rtt
from pbem.paper.boards.imports.vassal import import_vassal

__all__ = ["import_rtt", "import_vassal"]
