"""Recruiting and re-entry (§10)."""

from __future__ import annotations

import pytest

from pbem.engine.cards import RESERVE, card_of
from pbem.engine.decisions import Recruitment
from pbem.engine.events import GeneralEntered, Recruited, TrainReentered
from pbem.engine.field import OFF
from pbem.engine.rules import IllegalOrder
from pbem.faults.wrong import in_a_row
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.decisions import Levy
from pbem.games.friedrich.rules.events import Starved
from pbem.games.friedrich.rules.recruiting import bill
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.fate_table import at, bare, begin, card, city, deal, general, place, troops
from tests.friedrich.refusals import code_of


def levy(table: Table, power: str) -> Levy:
    """Decision of a power."""
    decision = game.decision_of(table, power)
    assert isinstance(decision, Levy)
    return decision


def russia() -> tuple[Table, int, int, int]:
    """The example of §10: two generals and a train off the map."""
    table = bare(expert=False)
    deal(table, "russia", "13c", "12c", "2d")
    place(table, "Fermor", "Toruń", 2)
    begin(table, "russia", "recruiting")
    return table, general(table, "Saltikov"), general(table, "Apraxin"), general(table, "russia train 1")


def test_the_example_of_the_rule_book() -> None:
    table, saltikov, apraxin, train = russia()
    sierpc, warszawa = city(table, "Sierpc"), city(table, "Warszawa")
    cards = (card("12c"), card("13c"))
    here = {saltikov: sierpc, apraxin: sierpc}
    crowded = Recruitment(cards, {saltikov: 1, apraxin: 2}, {**here, train: sierpc})
    assert code_of(table, "russia", crowded) == "E-STACK-FULL"
    answer = Recruitment(cards, {saltikov: 1, apraxin: 2}, {**here, train: warszawa})
    events = game.apply(table, "russia", answer)
    assert Recruited("russia", 3, cards, {saltikov: 1, apraxin: 2}) in events
    assert GeneralEntered(saltikov, sierpc) in events
    assert TrainReentered(train, warszawa, OFF, ()) in events
    assert (troops(table, "Saltikov"), troops(table, "Apraxin")) == (1, 2)
    assert table.state.cards.hands["russia"] == [card("2d")]


def test_prices() -> None:
    table, saltikov, _, _ = russia()
    sierpc = city(table, "Sierpc")
    assert levy(table, "russia").price == 6
    short = Recruitment((card("13c"),), {saltikov: 3}, {saltikov: sierpc})
    assert code_of(table, "russia", short) == "E-RECRUIT-PRICE"
    assert in_a_row(bill(3, 0), "and") == "3 troops"
    assert in_a_row(bill(1, 0), "and") == "1 troop"
    assert in_a_row(bill(1, 1), "and") == "1 troop and 1 train"
    assert in_a_row(bill(0, 2), "and") == "2 trains"
    assert code_of(table, "russia", Recruitment((card("13c"),))) == "E-RECRUIT-NOTHING"
    assert code_of(table, "russia", Recruitment((), {}, {saltikov: sierpc})) == "E-RECRUIT-FIRST"
    assert code_of(table, "russia", Recruitment((card("13c"),), {saltikov: 2})) == "E-RECRUIT-PLACE"


def test_a_refused_recruitment_is_told_the_right_line() -> None:
    table, saltikov, _, _ = russia()
    paid, sierpc = (card("13c"),), city(table, "Sierpc")
    wanted = {
        "under `troops` a line such as `GENERAL: 1`": Recruitment(paid),
        "under `troops` a line `Saltikov: 1`": Recruitment((), {}, {saltikov: sierpc}),
        "under `enter` a line `Saltikov: CITY`; open: ": Recruitment(paid, {saltikov: 2}),
    }
    for told, answer in wanted.items():
        with pytest.raises(IllegalOrder) as refusal:
            game.apply(table, "russia", answer)
        assert str(refusal.value.wrong.data("en")["hint"]).startswith(told)


def test_a_reserve_pays_ten() -> None:
    table = bare(expert=False)
    deal(table, "sweden", "R")
    place(table, "Ehrensvärd", "Stralsund", 1)
    begin(table, "sweden", "recruiting")
    ehrensvard = general(table, "Ehrensvärd")
    reserve = (card_of(RESERVE, 1, 0),)
    assert code_of(table, "sweden", Recruitment(reserve, {ehrensvard: 2})) == "E-RECRUIT-PRICE"
    game.apply(table, "sweden", Recruitment(reserve, {ehrensvard: 1}))
    assert troops(table, "Ehrensvärd") == 2


def test_no_power_gets_more_troops_than_it_began_with_nor_a_general_more_than_eight() -> None:
    table = bare(expert=False)
    deal(table, "sweden", "13c", "13d")
    place(table, "Ehrensvärd", "Stralsund", 3)
    begin(table, "sweden", "recruiting")
    ehrensvard = general(table, "Ehrensvärd")
    assert levy(table, "sweden").most == 1
    too_many = Recruitment(tuple(levy(table, "sweden").hand), {ehrensvard: 2})
    assert code_of(table, "sweden", too_many) == "E-RECRUIT-MOST"
    table = bare(expert=False)
    keith = place(table, "Keith", "Breslau", 7)
    deal(table, "prussia", "13c", "13d")
    begin(table, "prussia", "recruiting")
    assert code_of(table, "prussia", Recruitment(tuple(levy(table, "prussia").hand), {keith: 2})) == "E-TROOPS-RANGE"


def test_recruits_go_to_any_general_even_face_down() -> None:
    table = bare(expert=False)
    keith = place(table, "Keith", "Prag", 1, down=True)
    deal(table, "prussia", "13c")
    begin(table, "prussia", "recruiting")
    events = game.apply(table, "prussia", Recruitment((card("13c"),), {keith: 2}))
    assert Starved((keith,), city(table, "Prag"), 3) in events


def test_where_a_depot_is_closed() -> None:
    """Enemies, allies and trains close it to generals; any piece closes it to a train."""
    for name in ("Ferdinand", "prussia train 2", "Seydlitz"):
        table = bare(expert=False)
        place(table, name, "Berlin", 2)
        deal(table, "prussia", "13c")
        begin(table, "prussia", "recruiting")
        entries = levy(table, "prussia").entries
        assert levy(table, "prussia").price == 6
        assert (general(table, "Keith") in entries) == (name == "Seydlitz")
        assert general(table, "prussia train 1") not in entries


def test_with_the_enemy_in_every_depot_one_substitute_city_serves_and_all_is_dearer() -> None:
    table = bare(expert=False)
    place(table, "Laudon", "Berlin", 2)
    place(table, "Seydlitz", "Breslau", 2)
    deal(table, "prussia", "13c", "13d", "13h")
    begin(table, "prussia", "recruiting")
    asked = levy(table, "prussia")
    keith, dohna = general(table, "Keith"), general(table, "Dohna")
    assert (asked.price, asked.one_city) == (8, True)
    assert set(asked.entries[keith]) == set(table.rules.areas["prussia"]) - {city(table, "Berlin")}
    spandau, potsdam = city(table, "Spandau"), city(table, "Potsdam")
    apart = Recruitment(asked.hand, {keith: 1, dohna: 1}, {keith: spandau, dohna: potsdam})
    assert code_of(table, "prussia", apart) == "E-RECRUIT-CITIES"
    cheap = Recruitment((asked.hand[0],), {general(table, "Seydlitz"): 2})
    assert code_of(table, "prussia", cheap) == "E-RECRUIT-PRICE"
    game.apply(table, "prussia", Recruitment(asked.hand[:2], {keith: 1, dohna: 1}, {keith: spandau, dohna: spandau}))
    assert at(table, "Keith") == at(table, "Dohna") == spandau


def test_one_free_depot_is_enough() -> None:
    table = bare(expert=False)
    place(table, "Keith", "Sierpc", 2)
    deal(table, "russia", "13c")
    begin(table, "russia", "recruiting")
    assert levy(table, "russia").price == 6
    assert levy(table, "russia").entries[general(table, "Fermor")] == (city(table, "Warszawa"),)


def test_nobody_is_asked_who_can_recruit_nothing() -> None:
    table = bare(expert=False)
    place(table, "Ehrensvärd", "Stralsund", 4)
    place(table, "sweden train 1", "Wismar")
    deal(table, "sweden", "13c")
    begin(table, "sweden", "recruiting")
    assert table.state.stage != "sweden"
