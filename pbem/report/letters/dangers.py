"""Dangers of a reader: own pieces that enemies could attack or take, and own cities that they could enter, as things
stand.

Everything follows from the places of pieces and the control of cities, which everybody can see.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.campaign.briefing import MODERATOR, OBSERVER, Briefing
from pbem.engine.nouns import City
from pbem.engine.table import GameRules
from pbem.report import blocks
from pbem.report.consequences import Outlook, Threat
from pbem.report.language.templates import macros_of, squeeze, wrap_paragraph
from pbem.report.telling import fields_data

TEMPLATE = "dangers.txt.j2"

KINDS = ("pieces", "open")
"""Kinds of threats, in the order in which they are told; threats to pieces get the lines that cities leave."""

FORMS = ("suits", "enemies", "bare")
"""Forms of a threat, the longest first: with enemies and suits, with enemies alone, without both."""

MOST_LINES = 3
"""Most lines of all dangers together."""


class Dangers(Struct, frozen=True):
    """Threats to a reader, those by most enemy stacks first."""

    pieces: tuple[Threat, ...] = ()
    """Stacks that enemies could attack, then trains that they could take."""
    open: tuple[Threat, ...] = ()
    """Unprotected cities that enemies could enter."""

    @property
    def cities(self) -> frozenset[City]:
        """Cities of the enemies who threaten anything of the reader's."""
        all_threats = (*self.pieces, *self.open)
        return frozenset(comer.stack.city for each in all_threats for comer in each.comers)


def dangers_of(briefing: Briefing) -> Dangers:
    """Dangers of a player in a game that goes on; nothing for other readers."""
    table = briefing.table
    if table is None or briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return Dangers()
    outlook = Outlook(table, briefing.powers, briefing.powers)
    majors = outlook.rules.board.major_fortresses
    pieces, cities = outlook.attackable_pieces(), outlook.open_cities()
    return Dangers(
        tuple(sorted(pieces, key=lambda each: (not outlook.rules.is_general(each.pieces[0]), -len(each.comers)))),
        tuple(sorted(cities, key=lambda each: (each.city not in majors, -len(each.comers)))),
    )


def danger_lines(found: Dangers, rules: GameRules, language: str) -> list[str]:
    """Dangers in words, three lines at most: pieces, then cities. Without room, first the suits are left out, then
    the enemies, at last some of the threatened."""
    present = {kind: threats for kind in KINDS if (threats := getattr(found, kind))}
    say, common = macros_of(language, rules.terms.game, TEMPLATE), blocks.common_in_words(rules.common, language)
    lines: list[str] = []
    for kind, threats in present.items():
        data = [fields_data(common, each) for each in threats]
        full, plain, bare = ([squeeze(str(say.one(each, form))) for each in data] for form in FORMS)
        most = 1 + MOST_LINES - len(present) if kind == KINDS[0] else 1
        told = (full, plain, *(bare[:some] for some in range(len(data), 0, -1)))
        shorter = [squeeze(str(say.line(kind, some, len(data) - len(some)))) for some in told]
        lines.append(next((line for line in shorter if wrap_paragraph(line).count("\n") < most), shorter[-1]))
    return lines
