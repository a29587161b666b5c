"""Own generals who are out of supply as things stand, before the rules test it: the reader may still help them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.field import Field
from pbem.engine.memory import MapState
from pbem.engine.nouns import Piece
from pbem.engine.supply import assess
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.report import blocks


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
    """Return the reader's generals who are out of supply as things stand. There are none for observers, for the
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
    """Return a field with its pieces, markers and hussars as they were on another map."""
    pieces = [replace(piece, city=city) for piece, city in zip(field.pieces, on_map.places, strict=True)]
    return replace(field, pieces=pieces, markers=on_map.markers, hussars=on_map.hussars)
