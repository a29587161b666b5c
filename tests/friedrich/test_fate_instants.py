"""Versions of Cards of Fate that are carried out at once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.engine.board import SUITS
from pbem.engine.decisions import Answer
from pbem.engine.events import Event, TrainTaken, all_seen_by
from pbem.engine.field import OFF, alter
from pbem.games.friedrich.rules import fate, game
from pbem.games.friedrich.rules.decisions import (
    ChooseCities,
    ChooseGeneral,
    GiveCard,
    GivenCard,
    NamedCities,
    NamedGeneral,
    Shift,
    ShiftPieces,
)
from pbem.games.friedrich.rules.events import CardGiven, CardReceived, NothingCame, StackCutOff, TroopGained, TroopLost
from pbem.games.friedrich.rules.instants import leads_west
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.fate_table import at, bare, card, city, deal, general, neighbours, place, read, strike, troops
from tests.friedrich.refusals import code_of

BLANK = [(number, suit) for suit, numbers in (
    ("spades", (1, 2, 3)), ("hearts", (6, 8, 9)), ("diamonds", (10, 11, 12)), ("clubs", (4, 5, 7)),
) for number in numbers]  # fmt: skip


def nothing(number: int, suit: str) -> list[NothingCame]:
    """Events of a version that finds nobody to take effect on."""
    return [NothingCame(number, SUITS.index(suit))]


def asked(table: Table) -> ChooseGeneral | ChooseCities | GiveCard | ShiftPieces:
    """The one question that is open."""
    (decision,) = game.decisions(table)
    assert isinstance(decision, ChooseGeneral | ChooseCities | GiveCard | ShiftPieces)
    return decision


def answered(table: Table, answer: Answer) -> list[Event]:
    """Events of an answer to the open decision, before the next turn begins."""
    return fate.answer(table, asked(table), answer)


@pytest.mark.parametrize(("number", "suit"), BLANK)
def test_a_version_that_only_tells_a_story_does_nothing(number: int, suit: str) -> None:
    table = bare()
    place(table, "Friedrich", "Leipzig", 3)
    assert read(table, number, suit) == []
    assert (table.state.tasks, table.state.fate.in_force) == ([], [])


# 1 hearts: Austria and Russia may exchange a card


def exchange() -> Table:
    table = bare()
    deal(table, "austria", "2c", "13h")
    deal(table, "russia", "7d", "R")
    read(table, 1, "hearts")
    return table


def test_austria_and_russia_exchange_cards_unseen() -> None:
    table = exchange()
    assert asked(table) == GiveCard("austria", "swap", "russia", (card("2c"), card("13h")), may_decline=True)
    first = game.apply(table, "austria", GivenCard(card("2c")))
    assert card("2c") not in [getattr(event, "card", None) for event in all_seen_by(first, ["russia"])]
    assert asked(table).power == "russia"
    second = game.apply(table, "russia", GivenCard(card("R")))
    assert table.state.cards.hands["austria"] == [card("13h"), card("R")]
    assert table.state.cards.hands["russia"] == [card("2c"), card("7d")]
    seen = all_seen_by(second, ["france"])
    assert all(getattr(event, "card", None) is None for event in seen)
    assert CardReceived("austria", "russia", card("R")) in second


@pytest.mark.parametrize("refuser", ["austria", "russia"])
def test_either_may_decline_the_exchange(refuser: str) -> None:
    table = exchange()
    for power in ("austria", "russia"):
        if not table.state.tasks:
            break
        game.apply(table, power, GivenCard(None if power == refuser else table.state.cards.hands[power][0]))
    assert table.state.cards.hands["austria"] == [card("2c"), card("13h")]
    assert table.state.cards.hands["russia"] == [card("7d"), card("R")]


def test_no_exchange_without_russia_or_without_cards() -> None:
    table = bare()
    deal(table, "austria", "2c")
    assert read(table, 1, "hearts") == nothing(1, "hearts")
    deal(table, "russia", "2d")
    strike(table, 15)
    assert read(table, 1, "hearts") == nothing(1, "hearts")


def test_only_a_card_in_hand_can_be_exchanged() -> None:
    assert code_of(exchange(), "austria", GivenCard(card("12h"))) == "E-FATE-CARD"


# 1 diamonds, 6 clubs: a named general gets a troop; 1 clubs, 8 spades, 11 clubs: any of the power


@pytest.mark.parametrize(("number", "suit", "name"), [(1, "diamonds", "Tottleben"), (6, "clubs", "Daun")])
def test_a_named_general_gets_a_troop(number: int, suit: str, name: str) -> None:
    table = bare()
    place(table, name, "Prag", 4)
    events = read(table, number, suit)
    assert [type(event) for event in events] == [TroopGained]
    assert troops(table, name) == 5


@pytest.mark.parametrize(("number", "suit"), [(1, "diamonds"), (6, "clubs")])
def test_no_troop_for_a_general_off_the_map(number: int, suit: str) -> None:
    assert read(bare(), number, suit) == nothing(number, suit)


def test_a_full_general_gains_through_his_stack_and_alone_not_at_all() -> None:
    table = bare()
    place(table, "Daun", "Prag", 8)
    assert read(table, 6, "clubs") == nothing(6, "clubs")
    place(table, "Lacy", "Prag", 3)
    read(table, 6, "clubs")
    assert (troops(table, "Daun"), troops(table, "Lacy")) == (8, 4)


def test_no_power_gets_more_troops_than_it_began_with() -> None:
    table = bare()
    for name, count in (("Saltikov", 8), ("Fermor", 7), ("Tottleben", 1)):
        place(table, name, "Warszawa" if name != "Tottleben" else "Sierpc", count)
    assert read(table, 1, "diamonds") == nothing(1, "diamonds")
    assert read(table, 1, "clubs") == nothing(1, "clubs")


ANY_GAIN = [
    (1, "clubs", "russia", ("Fermor", "Apraxin")),
    (8, "spades", "prussia", ("Keith", "Dohna")),
    (11, "clubs", "hanover", ("Ferdinand", "Cumberland")),
]


@pytest.mark.parametrize(("number", "suit", "power", "names"), ANY_GAIN)
def test_a_power_chooses_in_secret_who_gets_a_troop(number: int, suit: str, power: str, names: tuple[str, str]) -> None:
    table = bare()
    place(table, names[0], "Prag", 8)
    place(table, names[1], "Breslau", 2)
    assert read(table, number, suit) == []
    assert asked(table) == ChooseGeneral(power, "gain", (general(table, names[1]),))
    assert code_of(table, power, NamedGeneral(general(table, names[0]))) == "E-FATE-GENERAL"
    events = game.apply(table, power, NamedGeneral(general(table, names[1])))
    assert troops(table, names[1]) == 3
    assert TroopGained(power, None) in all_seen_by(events, ["austria"])


@pytest.mark.parametrize(("number", "suit", "power", "names"), ANY_GAIN)
def test_a_power_with_one_general_is_not_asked(number: int, suit: str, power: str, names: tuple[str, str]) -> None:
    table = bare()
    place(table, names[0], "Prag", 2)
    read(table, number, suit)
    assert table.state.tasks == []
    assert troops(table, names[0]) == 3
    alter(table.state.field, general(table, names[0]), city=OFF)
    assert read(table, number, suit) == nothing(number, suit)


# 2 hearts, 8 diamonds: a named general loses a troop; 10 clubs: any Prussian


@pytest.mark.parametrize(("number", "suit", "name"), [(2, "hearts", "Apraxin"), (8, "diamonds", "Karl")])
def test_a_named_general_loses_a_troop_but_never_the_last(number: int, suit: str, name: str) -> None:
    table = bare()
    place(table, name, "Prag", 2)
    assert [type(event) for event in read(table, number, suit)] == [TroopLost]
    assert troops(table, name) == 1
    assert read(table, number, suit) == nothing(number, suit)
    assert at(table, name) == city(table, "Prag")
    alter(table.state.field, general(table, name), city=OFF)
    assert read(table, number, suit) == nothing(number, suit)


def test_the_lowest_mate_who_can_bears_the_loss_of_a_general_with_one_troop() -> None:
    table = bare()
    place(table, "Daun", "Prag", 5)
    place(table, "Karl", "Prag", 1)
    place(table, "Laudon", "Prag", 3)
    read(table, 8, "diamonds")
    assert [troops(table, name) for name in ("Daun", "Karl", "Laudon")] == [5, 1, 2]


def test_prussia_chooses_who_loses_a_troop() -> None:
    table = bare()
    place(table, "Keith", "Breslau", 1)
    place(table, "Dohna", "Küstrin", 4)
    place(table, "Friedrich", "Leipzig", 2)
    assert read(table, 10, "clubs") == []
    assert asked(table).generals == (general(table, "Friedrich"), general(table, "Dohna"))  # type: ignore[union-attr]
    assert code_of(table, "prussia", NamedGeneral(general(table, "Keith"))) == "E-FATE-GENERAL"
    events = game.apply(table, "prussia", NamedGeneral(general(table, "Dohna")))
    assert troops(table, "Dohna") == 3
    assert TroopLost("prussia", None) in all_seen_by(events, ["russia"])


def test_prussia_loses_nothing_if_nobody_can_spare_a_troop() -> None:
    table = bare()
    place(table, "Keith", "Breslau", 1)
    place(table, "Dohna", "Küstrin", 1)
    assert read(table, 10, "clubs") == nothing(10, "clubs")


# 4 hearts: France replaces a card


def test_france_must_replace_a_card() -> None:
    table = bare()
    deal(table, "france", "2c", "5d")
    read(table, 4, "hearts")
    assert asked(table) == GiveCard("france", "redraw", "", (card("2c"), card("5d")), may_decline=False)
    assert code_of(table, "france", GivenCard()) == "E-FATE-CARD"
    events = game.apply(table, "france", GivenCard(card("2c")))
    assert len(table.state.cards.hands["france"]) == 2
    assert card("2c") in table.state.cards.discards[0]
    assert all(getattr(event, "card", None) is None for event in all_seen_by(events, ["prussia"]))


def test_france_without_cards_replaces_none() -> None:
    assert read(bare(), 4, "hearts") == nothing(4, "hearts")


# 6 spades: Laudon's free step


def test_laudon_may_step_out_of_a_stack() -> None:
    table = bare()
    place(table, "Laudon", "Prag", 2)
    place(table, "Lacy", "Prag", 2)
    read(table, 6, "spades")
    decision = asked(table)
    assert isinstance(decision, ShiftPieces)
    assert set(decision.cities) == set(neighbours(table, "Prag"))
    game.apply(table, "austria", Shift(city(table, "Kolin")))
    assert (at(table, "Laudon"), at(table, "Lacy")) == (city(table, "Kolin"), city(table, "Prag"))


def test_laudon_may_stay() -> None:
    table = bare()
    place(table, "Laudon", "Prag", 2)
    read(table, 6, "spades")
    events = game.apply(table, "austria", Shift())
    assert NothingCame(6, SUITS.index("spades")) in events
    assert at(table, "Laudon") == city(table, "Prag")


def test_laudon_takes_a_train_and_joins_a_stack_but_enters_no_other_piece() -> None:
    table = bare()
    place(table, "Laudon", "Prag", 2)
    place(table, "Keith", "Kolin", 2)
    train = place(table, "prussia train 1", "Melnik")
    place(table, "Daun", "Beraun", 1, down=True)
    place(table, "austria train 1", "Kladno")
    read(table, 6, "spades")
    assert code_of(table, "austria", Shift(city(table, "Kolin"))) == "E-FATE-CITY"
    assert code_of(table, "austria", Shift(city(table, "Kladno"))) == "E-FATE-CITY"
    events = game.apply(table, "austria", Shift(city(table, "Melnik")))
    assert TrainTaken(train, city(table, "Melnik"), general(table, "Laudon")) in events
    place(table, "Laudon", "Prag", 2)
    table.state.stage, table.state.phase = "fate", "clock"
    read(table, 6, "spades")
    game.apply(table, "austria", Shift(city(table, "Beraun")))
    assert table.state.field.pieces[general(table, "Laudon")].down


def test_laudon_conquers_nothing_by_his_step() -> None:
    table = bare()
    place(table, "Laudon", "Breslau", 2)
    read(table, 6, "spades")
    game.apply(table, "austria", Shift(neighbours(table, "Breslau")[0]))
    assert table.state.field.markers == {}


def test_no_step_off_the_map_or_without_a_free_neighbour() -> None:
    table = bare()
    assert read(table, 6, "spades") == nothing(6, "spades")
    place(table, "Laudon", "Hildburghausen", 2)
    place(table, "Keith", "Meiningen", 1)
    place(table, "Richelieu", "Sonneberg", 1)
    assert read(table, 6, "spades") == nothing(6, "spades")


# 6 diamonds: Austria puts a Prussian stack in Austria or Saxony out of supply


def test_austria_chooses_a_prussian_stack_in_austria_or_saxony() -> None:
    table = bare()
    place(table, "Keith", "Prag", 2)
    place(table, "Heinrich", "Dresden", 2)
    place(table, "Winterfeldt", "Dresden", 2)
    place(table, "Schwerin", "Breslau", 2)
    place(table, "Dohna", "Leipzig", 2, down=True)
    read(table, 6, "diamonds")
    assert asked(table) == ChooseCities(
        "austria", "blockade", tuple(sorted((city(table, "Prag"), city(table, "Dresden")))), 1
    )
    assert code_of(table, "austria", NamedCities((city(table, "Breslau"),))) == "E-FATE-CITY"
    assert code_of(table, "austria", NamedCities(())) == "E-FATE-CITIES"
    game.apply(table, "austria", NamedCities((city(table, "Dresden"),)))
    down = [name for name in ("Keith", "Heinrich", "Winterfeldt", "Schwerin") if is_down(table, name)]
    assert down == ["Heinrich", "Winterfeldt"]


def is_down(table: Table, name: str) -> bool:
    return table.state.field.pieces[general(table, name)].down


def test_the_only_stack_is_put_out_of_supply_unasked_and_none_if_there_is_none() -> None:
    table = bare()
    assert read(table, 6, "diamonds") == nothing(6, "diamonds")
    keith = place(table, "Keith", "Prag", 2)
    assert read(table, 6, "diamonds") == [StackCutOff((keith,), city(table, "Prag"))]
    assert read(table, 6, "diamonds") == nothing(6, "diamonds")


# 9 spades, 12 clubs: generals five or six cities from their train


def at_distance(table: Table, start: str, steps: int, land: str) -> int:
    """A city of a land so many cities away."""
    board = table.rules.common.board
    far = board.distance(city(table, start))
    return next(c for c in range(len(far)) if far[c] == steps and board.land[c] == land)


@pytest.mark.parametrize(("steps", "down"), [(4, False), (5, True), (6, True), (7, False)])
def test_russians_five_or_six_cities_from_a_train_go_short(steps: int, down: bool) -> None:
    table = bare()
    place(table, "russia train 1", "Küstrin")
    place(table, "Fermor", at_distance(table, "Küstrin", steps, "prussia"), 3)
    read(table, 9, "spades")
    assert is_down(table, "Fermor") is down


def test_a_nearer_train_makes_the_difference() -> None:
    table = bare()
    far = at_distance(table, "Küstrin", 5, "prussia")
    place(table, "russia train 1", "Küstrin")
    place(table, "Fermor", far, 3)
    place(table, "russia train 2", neighbours(table, far)[0])
    read(table, 9, "spades")
    assert not is_down(table, "Fermor")


@pytest.mark.parametrize(("reading", "down"), [("everywhere", True), ("away from home", False)])
def test_in_a_depot_too_the_distance_counts_unless_a_table_spares_who_needs_no_train(reading: str, down: bool) -> None:
    table = bare(short_supply=reading)
    place(table, "Apraxin", "Warszawa", 2)
    place(table, "russia train 1", at_distance(table, "Warszawa", 5, "poland"))
    place(table, "russia train 2", at_distance(table, "Warszawa", 6, "poland"))
    read(table, 9, "spades")
    assert is_down(table, "Apraxin") is down


def test_nobody_goes_short_of_a_train_that_is_lost() -> None:
    table = bare()
    place(table, "Fermor", "Küstrin", 3)
    assert read(table, 9, "spades") == nothing(9, "spades")


@pytest.mark.parametrize(
    ("reading", "land", "down"),
    [
        ("everywhere", "prussia", True),
        ("everywhere", "sweden", True),
        ("away from home", "prussia", True),
        ("away from home", "sweden", False),
    ],
)
def test_ehrensvard_goes_short_in_sweden_too_unless_a_table_spares_him(reading: str, land: str, down: bool) -> None:
    table = bare(short_supply=reading)
    start = "Berlin" if land == "prussia" else "Wismar"
    place(table, "sweden train 1", start)
    place(table, "Ehrensvärd", at_distance(table, start, 5, land), 3)
    read(table, 12, "clubs")
    assert is_down(table, "Ehrensvärd") is down


def test_only_ehrensvard_is_meant() -> None:
    table = bare()
    place(table, "russia train 1", "Küstrin")
    place(table, "Fermor", at_distance(table, "Küstrin", 5, "prussia"), 3)
    assert read(table, 12, "clubs") == nothing(12, "clubs")


# 9 diamonds: Prussia gives Austria a card and takes one at random


def test_prussia_gives_a_card_and_takes_one_at_random() -> None:
    table = bare()
    deal(table, "prussia", "2c")
    deal(table, "austria", "13h", "12h", "11h")
    before = table.state.cards.shuffles
    read(table, 9, "diamonds")
    events = answered(table, GivenCard(card("2c")))
    assert table.state.cards.shuffles == before + 1
    held = table.state.cards.hands
    assert (len(held["prussia"]), len(held["austria"])) == (1, 3)
    assert sorted(held["prussia"] + held["austria"]) == sorted(map(card, ("2c", "13h", "12h", "11h")))
    assert CardGiven("prussia", "austria", card("2c")) in events
    assert all(getattr(event, "card", None) is None for event in all_seen_by(events, ["russia"]))


def test_every_card_of_the_hand_can_be_taken_the_given_one_too() -> None:
    taken = set()
    for shuffles in range(40):
        table = bare()
        table.state.cards.shuffles = shuffles
        deal(table, "prussia", "2c")
        deal(table, "austria", "13h", "12h")
        read(table, 9, "diamonds")
        answered(table, GivenCard(card("2c")))
        taken.update(table.state.cards.hands["prussia"])
    assert taken == {card("2c"), card("13h"), card("12h")}


def test_prussia_may_decline_and_is_not_asked_without_cards() -> None:
    table = bare()
    deal(table, "prussia", "2c")
    assert read(table, 9, "diamonds") == nothing(9, "diamonds")
    deal(table, "austria", "3c")
    read(table, 9, "diamonds")
    assert NothingCame(9, SUITS.index("diamonds")) in answered(table, GivenCard())
    assert table.state.cards.hands["prussia"] == [card("2c")]


# 12 hearts: a beaten Hildburghausen runs two cities west


def test_a_beaten_hildburghausen_may_be_pushed_two_cities_west() -> None:
    table = bare()
    beaten = place(table, "Hildburghausen", "Leipzig", 3)
    table.state.fate.beaten = [beaten]
    read(table, 12, "hearts")
    decision = asked(table)
    assert isinstance(decision, ShiftPieces)
    assert decision.power == "prussia"
    cities = table.rules.common.board.cities
    start = cities[city(table, "Leipzig")]
    far = table.rules.common.board.distance(start.index)
    for end in decision.cities:
        assert far[end] <= 2
        assert start.x - cities[end].x >= abs(start.y - cities[end].y)
    game.apply(table, "prussia", Shift(decision.cities[0]))
    assert at(table, "Hildburghausen") == decision.cities[0]


def pushed(reading: str, start: str) -> set[tuple[int, int]]:
    """Distances west and aside that he may be pushed from a city, as a table reads the card."""
    table = bare(push=reading)
    table.state.fate.beaten = [place(table, "Hildburghausen", start, 3)]
    read(table, 12, "hearts")
    decision = asked(table)
    assert isinstance(decision, ShiftPieces)
    cities = table.rules.common.board.cities
    here = cities[city(table, start)]
    return {(here.x - cities[end].x, abs(here.y - cities[end].y)) for end in decision.cities}


def test_a_table_may_read_west_otherwise() -> None:
    rather, west, steps = (pushed(reading, "Leipzig") for reading in ("rather west", "west", "step by step"))
    assert rather == {(dx, dy) for dx, dy in west if dx >= dy}
    assert rather < west
    assert all(dx > 0 for dx, _ in west | steps)
    assert steps < west
    assert steps != rather


@pytest.mark.parametrize(("west", "aside", "wanted"), [(1, 0, True), (1, 1, True), (1, 2, False), (0, 0, False)])
def test_rather_west_is_at_least_as_far_west_as_aside(west: int, aside: int, wanted: bool) -> None:
    start = bare().rules.common.board.cities[0]
    assert leads_west([start, replace(start, x=start.x - west, y=start.y + aside)], "rather west") is wanted


def test_he_runs_through_empty_cities_only() -> None:
    table = bare()
    table.state.fate.beaten = [place(table, "Hildburghausen", "Leipzig", 3)]
    around = neighbours(table, "Leipzig")
    for place_in_line, name in enumerate(("Soubise", "Karl", "Keith", "Dohna", "Lacy", "Fermor")):
        place(table, name, around[place_in_line])
    assert read(table, 12, "hearts") == nothing(12, "hearts")


def test_only_if_he_was_beaten_in_this_turn_and_is_on_the_map() -> None:
    table = bare()
    hildburghausen = place(table, "Hildburghausen", "Leipzig", 3)
    assert read(table, 12, "hearts") == nothing(12, "hearts")
    table.state.fate.beaten = [hildburghausen]
    alter(table.state.field, hildburghausen, city=OFF)
    assert read(table, 12, "hearts") == nothing(12, "hearts")


def test_the_next_clock_forgets_who_was_beaten() -> None:
    table = bare(expert=False)
    table.state.fate.beaten = [place(table, "Hildburghausen", "Leipzig", 3)]
    strike(table, 1)
    assert table.state.fate.beaten == []
