"""Generals of the reader who are out of supply, or in supply only because a toll is paid.

All this is computed from public facts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.combat import own_city, own_score, player
from pbem.engine.decisions import ChooseRetreat
from pbem.engine.field import OFF, Field, stack_at
from pbem.engine.memory import MapState
from pbem.engine.nouns import Piece, Power, each_piece
from pbem.engine.supply import assess
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.letters.supply_ahead import is_test_to_come, lost_at_next_test
from pbem.report.victory import progress


class Shortage(Struct, frozen=True):
    """General who is out of supply. He is given by name."""

    piece: str
    is_down: bool
    """True if the general is already face-down."""
    is_now: bool
    """True if the general's supply will still be tested in the present stage. False if it will be tested in a later
    stage."""
    is_new: bool
    """True if this is news for the reader: at the last report the general was in supply, or he has been moved or turned
    over since then."""
    stage: Power
    """Power that gives its name to the stage in which the general's supply is tested next."""
    is_last: bool
    """True if the general will leave the map if he is still out of supply at that test."""
    sets_back: bool = False
    """True if his removal also takes a victory marker back from his power."""


def shortages(briefing: Briefing, language: str) -> list[Shortage]:
    """Return the reader's generals who are out of supply in a running game. Return none for observers and the
    moderator, and none if the game has no supply phase."""
    table = briefing.table
    if table is None or briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return []
    game, rules = game_of(table), table.rules
    if not any("supply" in game.phases_of(rules, stage) for stage in game.stages(rules, table.state.turn)):
        return []
    now, before = field_ahead(table, briefing.powers), briefing.news.before
    was_cut_off = cut_off(briefing, field_on(now, before)) if before else ()
    known = {
        each
        for each in was_cut_off
        if before and (now.pieces[each].city, now.pieces[each].down) == (before.places[each], before.down[each])
    }
    named, hungry = blocks.common_in_words(rules.common, language), list(cut_off(briefing, now))
    lost = {*lost_of(table, hungry)}

    def shortage(general: Piece) -> Shortage:
        piece, power = now.pieces[general], rules.common.pieces[general].power
        return Shortage(
            blocks.piece(named, general),
            piece.down,
            is_test_to_come(table, power),
            general not in known,
            Power(now.alliances.stage[power]),
            general in lost,
            general in lost and sets_back(table, general),
        )

    return [shortage(each) for each in hungry]


def lost_in_stage(briefing: Briefing) -> Iterator[Piece]:
    """Yield the reader's generals who are removed at the test of supply in the present stage. Yield none if pieces can
    still march or come back before this test."""
    table = briefing.table_in_play
    state = table.state
    phases = list(game_of(table).phases_of(table.rules, state.stage))
    pieces = table.rules.common.pieces
    due = [each for each in cut_off(briefing, field_ahead(table)) if is_test_to_come(table, pieces[each].power)]
    if not due or {"movement", "recruiting"} & {*phases[phases.index(state.phase) : phases.index("supply")]}:
        return
    yield from lost_of(table, due)


def lost_of(table: Table, generals: Collection[Piece]) -> Iterator[Piece]:
    """Yield those of these generals who leave the map if they are out of supply at the next test."""
    rules, field = table.rules.common, table.state.field
    for city, power in dict.fromkeys((field.pieces[each].city, rules.pieces[each].power) for each in generals):
        own = [each for each in generals if (field.pieces[each].city, rules.pieces[each].power) == (city, power)]
        yield from lost_at_next_test(table, own, city)


def sets_back(table: Table, general: Piece) -> bool:
    """True if the removal of a general at the next test of supply brings his great power farther from victory."""
    power, tried = table.rules.common.pieces[general].power, copy_of(table)
    game_of(table).shortage(tried, power, [general])
    patron = table.state.field.alliances.principal[power]
    now, after = (progress(each, [power]).get(patron, (0, 0)) for each in (table, tried))
    return after < now


class TollPayer(Struct, frozen=True):
    """General who is in supply only because a toll is paid. He is given by name."""

    piece: str
    is_new: bool
    """True if this is news for the reader: at the last report the general was in supply without a toll, or out of
    supply."""


def toll_payers(briefing: Briefing, language: str) -> list[TollPayer]:
    """Return the reader's generals who are in supply only because a toll is paid, in a running game. Return none for
    observers and the moderator."""
    table = briefing.table
    if table is None or briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return []
    now, before = field_ahead(table, briefing.powers), briefing.news.before
    known = set(tolled_on(briefing, field_on(now, before))) if before else set()
    named = blocks.common_in_words(table.rules.common, language)
    return [TollPayer(blocks.piece(named, each), each not in known) for each in tolled_on(briefing, now)]


def tolled_on(briefing: Briefing, field: Field) -> Iterator[Piece]:
    """Yield the reader's generals who must pay a toll to be in supply. `field` is the map with the positions of the
    pieces."""
    for power in briefing.powers:
        supply = assess(briefing.table_in_play.rules.common, field, power)
        yield from (claim.piece for claim in supply.tolled)


def cut_off(briefing: Briefing, field: Field) -> Iterator[Piece]:
    """Yield the reader's generals who are out of supply on the map `field`."""
    for power in briefing.powers:
        yield from assess(briefing.table_in_play.rules.common, field, power).cut_off


def field_ahead(table: Table, powers: Collection[Power] = ()) -> Field:
    """Return the map of a table without the beaten generals who must still retreat: they leave the city where they
    are. The generals who are beaten if one of `powers` stops now are left out, too: they are destroyed or retreat."""
    field, duel = table.state.field, table.state.duel
    leaving = {
        each for asked in game_of(table).decisions(table) if isinstance(asked, ChooseRetreat) for each in asked.pieces
    }
    if duel and player(duel) in powers and own_score(duel) < 0:
        leaving.update(stack_at(table.rules.common, field, own_city(duel)))
    if not leaving:
        return field
    return replace(
        field, pieces=[replace(each, city=OFF) if at in leaving else each for at, each in each_piece(field.pieces)]
    )


def field_on(field: Field, on_map: MapState) -> Field:
    """Return a copy of a map in which pieces, markers and hussars are where they are on the public map `on_map`."""
    pieces = [replace(piece, city=city) for piece, city in zip(field.pieces, on_map.places, strict=True)]
    return replace(field, pieces=pieces, markers=on_map.markers, hussars=on_map.hussars)
