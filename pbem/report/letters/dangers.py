"""Dangers of a reader: own pieces that enemies could attack or take, and own cities that they could conquer, if nothing
changes.

Everything follows from the positions of pieces and the control of cities, which everybody can see.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.campaign.briefing import Briefing
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.nouns import City
from pbem.engine.table import GameRules
from pbem.report import blocks
from pbem.report.consequences import Prospects, Threat
from pbem.report.language.templates import macros_of, squeeze, wrap_paragraph
from pbem.report.telling import fields_data

TEMPLATE = "dangers.txt.j2"

THREATS = ("pieces", "open")
"""Kinds of threats, in the order in which they are told. Threats to pieces also get the lines that threats to cities do
not need."""

FORMS = ("suits", "enemies", "bare")
"""Ways to word a threat, the longest first: with enemies and suits, with enemies alone, or with neither."""

MOST_LINES = 3
"""Greatest number of lines for all dangers together."""


class Dangers(Struct, frozen=True):
    """Threats to a reader's pieces and cities."""

    pieces: tuple[Threat, ...] = ()
    """Stacks that enemies could attack, then trains that they could take. In each group the threat from the most enemy
    stacks comes first."""
    open: tuple[Threat, ...] = ()
    """Cities that enemies could conquer, since nobody protects them. Major fortresses come first, then the cities that
    most enemy stacks threaten."""

    @property
    def cities(self) -> frozenset[City]:
        """Cities where the enemies stand who threaten the reader."""
        all_threats = (*self.pieces, *self.open)
        return frozenset(comer.stack.city for each in all_threats for comer in each.comers)


def dangers_of(briefing: Briefing) -> Dangers:
    """Return the dangers of a player whose game goes on. There are none for observers, for the moderator, and before or
    after the game."""
    table = briefing.table
    if table is None or briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return Dangers()
    prospects = Prospects(table, briefing.powers, briefing.powers)
    majors = prospects.rules.board.major_fortresses
    pieces, cities = prospects.attackable_pieces(), prospects.open_cities()
    return Dangers(
        tuple(sorted(pieces, key=lambda each: (not prospects.rules.is_general(each.pieces[0]), -len(each.comers)))),
        tuple(sorted(cities, key=lambda each: (each.city not in majors, -len(each.comers)))),
    )


def danger_lines(found: Dangers, rules: GameRules, language: str) -> list[str]:
    """Tell dangers in at most three lines, pieces before cities. Without room for all, leave out first the suits, then
    tell the enemies together, then leave them out, and at last some of the threatened pieces or cities."""
    present = {kind: threats for kind in THREATS if (threats := getattr(found, kind))}
    say, common = macros_of(language, rules.terms.game, TEMPLATE), blocks.common_in_words(rules.common, language)
    lines: list[str] = []
    for kind, threats in present.items():
        data = [fields_data(common, each) for each in threats]
        full, plain, bare = ([squeeze(str(say.one(each, form))) for each in data] for form in FORMS)
        most = 1 + MOST_LINES - len(present) if kind == THREATS[0] else 1
        comers = (" + ".join(blocks.pieces(common, comer.stack.generals)) for each in threats for comer in each.comers)
        together = tuple(dict.fromkeys(comers))
        told = ((full, ()), (plain, ()), (bare, together), *((bare[:some], ()) for some in range(len(data), 0, -1)))
        shorter = [squeeze(str(say.line(kind, some, len(data) - len(some), by))) for some, by in told]
        lines.append(next((line for line in shorter if wrap_paragraph(line).count("\n") < most), shorter[-1]))
    return lines
