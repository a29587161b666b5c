"""Boards from other programs' files. They have only plain facts, and are completed by hand in our own form."""

from pbem.paper.boards.imports.rtt import import_rtt
from pbem.paper.boards.imports.vassal import import_vassal

__all__ = ["import_rtt", "import_vassal"]
