"""Battles of the present stage, the reader's generals out of supply, and dangers: own pieces that enemies could attack
or take, and own cities that they could conquer, if nothing changes.

All of this is computed from the positions of pieces and the control of cities, which everybody can see.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.decisions import ChooseRetreat
from pbem.engine.field import Field, stack_at
from pbem.engine.memory import MapState
from pbem.engine.nouns import City, Piece
from pbem.engine.supply import assess
from pbem.engine.table import GameRules, Table
from pbem.kit import game_of
from pbem.report import blocks
from pbem.report.consequences import Prospects, Threat
from pbem.report.language.templates import macros_of, squeeze, wrap_paragraph
from pbem.report.telling import fields_data

TEMPLATE = "dangers.txt.j2"

THREATS = ("pieces", "open")
"""Kinds of threats, in the order in which they are told. Threats to pieces also get the lines that threats to cities
leave free."""

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
    declared = briefing.memory.declared if briefing.memory else ()
    prospects = Prospects(table, briefing.powers, briefing.powers, declared)
    majors = prospects.rules.board.major_fortresses
    pieces, cities = prospects.attackable_pieces(), prospects.open_cities()
    return Dangers(
        tuple(sorted(pieces, key=lambda each: (not prospects.rules.is_general(each.pieces[0]), -len(each.comers)))),
        tuple(sorted(cities, key=lambda each: (each.city not in majors, -len(each.comers)))),
    )


def danger_lines(found: Dangers, rules: GameRules, language: str) -> list[str]:
    """Tell dangers in at most three lines, pieces before cities. If there is no room, the text is made shorter step by
    step: first it has no suits, then it names all enemies together, then it has no enemies, and at last some of the
    threatened pieces or cities are missing."""
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


def fights_data(briefing: Briefing, language: str) -> dict[str, object]:
    """Return the battle that is being fought, and the battles that are still to come in the stage. `is_retreat` is true
    if only a retreat is awaited. Before and after the game there are no battles."""
    table = briefing.table
    if table is None or briefing.phase != "running":
        return {"now": None, "next": [], "is_retreat": False}
    named, field = blocks.common_in_words(table.rules.common, language), table.state.field

    def fight(attacker: City, defender: City) -> dict[str, object]:
        stacks = (blocks.pieces(named, stack_at(named, field, city)) for city in (attacker, defender))
        return dict(zip(("attackers", "defenders"), stacks, strict=True)) | {"city": blocks.city(named, defender)}

    duel, decisions = table.state.duel, game_of(table).decisions(table)
    return {
        "now": fight(duel.attacking_city, duel.defending_city) if duel else None,
        "next": [fight(battle.attacker, battle.defender) for battle in table.state.battles],
        "is_retreat": bool(decisions) and all(isinstance(each, ChooseRetreat) for each in decisions),
    }


class Shortage(Struct, frozen=True):
    """A general out of supply, by name."""

    piece: str
    is_down: bool
    """True if he is face-down already."""
    is_now: bool
    """True if supply is still to be tested in the present stage of his power, else in its next stage."""
    is_new: bool
    """True if he was in supply when the reader's last report was written."""


def shortages(briefing: Briefing, language: str) -> list[Shortage]:
    """Return the reader's generals who are out of supply in the present position. There are none for observers, for the
    moderator, before or after the game, and in a game without a supply phase."""
    table = briefing.table
    if table is None or briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return []
    game, rules = game_of(table), table.rules
    if not any("supply" in game.phases_of(rules, stage) for stage in game.stages(rules, table.state.turn)):
        return []
    now, before = table.state.field, briefing.news.before
    known = set(cut_off(briefing, field_on(now, before))) if before else set()
    named = blocks.common_in_words(rules.common, language)
    return [
        Shortage(blocks.piece(named, each), now.pieces[each].down, is_due(table, each), each not in known)
        for each in cut_off(briefing, now)
    ]


def is_due(table: Table, general: Piece) -> bool:
    """True if the present stage is that of the general's power, and its supply phase is not over yet."""
    state, rules = table.state, table.rules
    phases = list(game_of(table).phases_of(rules, state.stage))
    if state.field.alliances.stage.get(rules.common.pieces[general].power) != state.stage:
        return False
    return state.phase in phases and phases.index(state.phase) <= phases.index("supply")


def cut_off(briefing: Briefing, field: Field) -> Iterator[Piece]:
    """Yield the generals of the reader's powers who are out of supply on a field."""
    for power in briefing.powers:
        _, _, lacking = assess(briefing.table_in_play.rules.common, field, power)
        yield from lacking


def field_on(field: Field, on_map: MapState) -> Field:
    """Return a copy of a field, with the places of its pieces, markers and hussars taken from a public map."""
    pieces = [replace(piece, city=city) for piece, city in zip(field.pieces, on_map.places, strict=True)]
    return replace(field, pieces=pieces, markers=on_map.markers, hussars=on_map.hussars)
