"""Boards from the files of other programs. Only plain facts are imported; people add the rest to the board file."""

from pbem.paper.boards.imports.rtt import import_rtt
from pbem.paper.boards.imports.vassal import import_vassal

__all__ = ["import_rtt", "import_vassal"]
