"""Boards from other programs' files. An imported board has only plain facts, and people add the rest by hand in the
board file."""

from pbem.paper.boards.imports.rtt import import_rtt
from pbem.paper.boards.imports.vassal import import_vassal

__all__ = ["import_rtt", "import_vassal"]
