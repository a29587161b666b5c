"""Versions of Cards of Fate that hold in the next turn: what they do, and that they end."""

from __future__ import annotations

import pytest

from pbem.engine.decisions import ChooseBattle, March, Move, Pairing, Play, PlayCard, Stop
from pbem.engine.march import destinations
from pbem.games.friedrich.rules import game, movement, recruiting
from pbem.games.friedrich.rules.decisions import Levy, Shift, ShiftPieces
from pbem.games.friedrich.rules.state import Phase, Table
from tests.friedrich.fate_table import at, bare, begin, card, city, deal, general, hold, neighbours, place
from tests.friedrich.refusals import code_of


def over(table: Table) -> Table:
    """The same table a turn later, when nothing holds any more."""
    table.state.turn += 1
    return table


def combat_of(table: Table, power: str) -> PlayCard | ChooseBattle | ShiftPieces | None:
    """Go to a power's combat phase; the question that is open then, if its combats are not over."""
    begin(table, power, "combat")
    if (table.state.stage, table.state.phase) != (power, "combat"):
        return None
    (asked,) = game.decisions(table)
    assert isinstance(asked, PlayCard | ChooseBattle | ShiftPieces)
    return asked


def card_asked(table: Table) -> PlayCard:
    """The question for a card that is open."""
    (asked,) = game.decisions(table)
    assert isinstance(asked, PlayCard)
    return asked


def score(table: Table) -> int:
    """The score of the combat, as the attacker counts it."""
    assert table.state.duel is not None
    return table.state.duel.score


def ends(table: Table, *names: str) -> set[int]:
    """Ends of a march of these generals together."""
    return set(destinations(movement.column_of(table, [general(table, name) for name in names])))


def may_end(table: Table, name: str, where: str) -> bool:
    """True if a general may march to a city."""
    return city(table, where) in ends(table, name)


# 2 diamonds, 5 hearts, 9 clubs, 12 spades: another range

RANGES = [
    (2, "diamonds", "Saltikov", "Fermor", (2, 3)),
    (5, "hearts", "Richelieu", "Soubise", (2, 3)),
    (9, "clubs", "Friedrich", "Keith", (4, 5)),
    (12, "spades", "Daun", "Lacy", (2, 3)),
]


@pytest.mark.parametrize(("number", "suit", "name", "mate", "reach"), RANGES)
def test_a_general_marches_less_far_or_farther_with_his_stack(
    number: int, suit: str, name: str, mate: str, reach: tuple[int, int]
) -> None:
    table = bare()
    pieces = [place(table, name, "Prag", 2), place(table, mate, "Prag", 2)]
    hold(table, number, suit)
    assert movement.column_of(table, pieces).ranges[:2] == reach
    assert movement.column_of(table, pieces[:1]).ranges[:2] == reach
    assert movement.column_of(table, pieces[1:]).ranges[:2] == (3, 4)
    assert movement.column_of(over(table), pieces).ranges[:2] == (3, 4)


def test_a_march_beyond_the_shorter_range_is_refused() -> None:
    table = bare()
    daun = place(table, "Daun", "Leipzig", 2)
    hold(table, 12, "spades")
    begin(table, "austria", "movement")
    road = next(way for way in sorted(destinations(movement.column_of(over(table), [daun])).values()) if len(way) == 3)
    table.state.turn -= 1
    assert code_of(table, "austria", Move((daun,), road)) == "E-MARCH-LENGTH"
    table.state.turn += 1
    game.apply(table, "austria", Move((daun,), road))


# 2 clubs: Fermor at Küstrin


@pytest.mark.parametrize(
    ("where", "may"), [("Küstrin", False), ("Neudamm", False), ("Landsberg", False), ("Berlin", True)]
)
def test_fermor_may_not_leave_kustrin_or_its_neighbourhood(where: str, may: bool) -> None:
    table = bare()
    fermor = place(table, "Fermor", where, 2)
    tottleben = place(table, "Tottleben", where, 2)
    hold(table, 2, "clubs")
    begin(table, "russia", "movement")
    (asked,) = game.decisions(table)
    assert isinstance(asked, March)
    assert (fermor in asked.pieces) is may
    assert tottleben in asked.pieces
    road = (next(c for c in neighbours(table, where)),)
    if may:
        game.apply(table, "russia", Move((fermor,), road))
    else:
        assert code_of(table, "russia", Move((fermor,), road)) == "E-MARCH-HELD"
        assert fermor in movement.movable_pieces(over(table), "russia")


# 3 hearts: Soubise and Hildburghausen attack in different suits


def test_soubise_may_not_move_to_attack_in_the_suit_of_hildburghausen() -> None:
    table = bare()
    place(table, "Hildburghausen", "Halle", 2)  # hearts
    place(table, "Keith", "Leipzig", 2)  # clubs
    hold(table, 3, "hearts")
    begin(table, "imperial", "combat")
    place(table, "Hildburghausen", "Hildburghausen", 2)
    place(table, "Soubise", "Köthen", 3)
    assert not may_end(table, "Soubise", "Halle")  # hearts, beside Keith
    assert may_end(table, "Soubise", "Merseburg")  # clubs, beside Keith
    assert may_end(table, "Soubise", "Bitterfeld")  # hearts, beside nobody
    assert may_end(over(table), "Soubise", "Halle")


def test_soubise_is_free_if_hildburghausen_has_not_attacked() -> None:
    table = bare()
    place(table, "Hildburghausen", "Halle", 2)
    hold(table, 3, "hearts")
    begin(table, "imperial", "combat")
    place(table, "Hildburghausen", "Hildburghausen", 2)
    place(table, "Keith", "Leipzig", 2)
    place(table, "Soubise", "Köthen", 3)
    assert may_end(table, "Soubise", "Halle")


def test_other_generals_attack_in_any_suit() -> None:
    table = bare()
    place(table, "Hildburghausen", "Bitterfeld", 2)
    place(table, "Keith", "Halle", 2)
    hold(table, 3, "hearts")
    begin(table, "imperial", "combat")
    place(table, "Chevert", "Eisleben", 3)
    place(table, "Hildburghausen", "Hildburghausen", 2)
    assert may_end(table, "Chevert", "Köthen")


# 3 diamonds: a truce in Halle


def test_nobody_attacks_from_or_to_halle() -> None:
    table = bare()
    place(table, "Keith", "Halle", 2)
    place(table, "Daun", "Leipzig", 4)
    hold(table, 3, "diamonds")
    assert combat_of(table, "austria") is None
    assert combat_of(table, "prussia") is None
    assert isinstance(combat_of(over(table), "austria"), PlayCard)


def test_nobody_moves_beside_an_enemy_in_halle_or_into_halle_beside_an_enemy() -> None:
    table = bare()
    place(table, "Keith", "Halle", 2)
    place(table, "Daun", "Wurzen", 4)
    hold(table, 3, "diamonds")
    assert not may_end(table, "Daun", "Leipzig")
    assert may_end(over(table), "Daun", "Leipzig")
    table = bare()
    place(table, "Keith", "Eisleben", 2)
    place(table, "Daun", "Leipzig", 4)
    hold(table, 3, "diamonds")
    assert not may_end(table, "Daun", "Halle")
    assert may_end(over(table), "Daun", "Halle")


def test_no_train_is_taken_in_halle() -> None:
    table = bare()
    train = place(table, "prussia train 1", "Halle")
    daun = place(table, "Daun", "Leipzig", 4)
    hold(table, 3, "diamonds")
    assert not may_end(table, "Daun", "Halle")
    begin(table, "austria", "movement")
    assert code_of(table, "austria", Move((daun,), (city(table, "Halle"),))) == "E-FATE-TRAIN"
    game.apply(over(table), "austria", Move((daun,), (city(table, "Halle"),)))
    assert table.state.field.pieces[train].city < 0


def test_attacks_elsewhere_go_on_during_the_truce() -> None:
    table = bare()
    place(table, "Keith", "Halle", 2)
    place(table, "Daun", "Leipzig", 4)
    place(table, "Dohna", "Wurzen", 4)
    hold(table, 3, "diamonds")
    asked = combat_of(table, "austria")
    assert isinstance(asked, PlayCard)
    assert table.state.duel is not None
    assert table.state.duel.defending_city == city(table, "Wurzen")


# 3 clubs: no card of ten or more between Prussia and France


def french_attack(defender: str = "Keith") -> Table:
    """Soubise in hearts attacks somebody weaker in clubs."""
    table = bare()
    place(table, "Soubise", "Halle", 4)
    place(table, defender, "Leipzig", 2)
    deal(table, "france", "2h", "12h", "R")
    deal(table, "prussia", "9c", "10c", "R")
    deal(table, "hanover", "10c")
    return table


def test_high_cards_stay_in_hand_between_prussia_and_france() -> None:
    table = french_attack()
    hold(table, 3, "clubs")
    asked = combat_of(table, "france")
    assert isinstance(asked, PlayCard)
    assert asked.cards == (card("9c"), card("R"))
    assert code_of(table, "prussia", Play(card("10c"))) == "E-FATE-CEILING"
    assert code_of(table, "prussia", Play(card("R"), 10)) == "E-FATE-CEILING"
    game.apply(table, "prussia", Play(card("R"), 9))
    assert card_asked(table).cards == (card("2h"), card("R"))


def test_a_high_card_does_not_have_to_be_played_at_zero() -> None:
    table = french_attack()
    table.state.cards.hands["prussia"] = [card("10c")]
    place(table, "Keith", "Leipzig", 4)
    table.state.cards.hands["france"] = [card("12h")]
    hold(table, 3, "clubs")
    asked = combat_of(table, "france")
    assert isinstance(asked, PlayCard)
    assert (asked.score, asked.cards, asked.must) == (0, (), False)


@pytest.mark.parametrize("what", ["hanover", "later"])
def test_the_ceiling_is_for_prussia_and_france_and_one_turn(what: str) -> None:
    table = french_attack("Ferdinand" if what == "hanover" else "Keith")
    hold(table, 3, "clubs")
    asked = combat_of(table if what == "hanover" else over(table), "france")
    assert isinstance(asked, PlayCard)
    assert card("10c") in asked.cards


# 4 spades: France's first card counts one more


def test_the_first_french_card_of_the_turn_counts_one_more() -> None:
    table = bare()
    place(table, "Soubise", "Halle", 1)
    place(table, "Keith", "Leipzig", 8)
    deal(table, "france", "2h", "3h", "R")
    hold(table, 4, "spades")
    combat_of(table, "france")
    game.apply(table, "france", Play(card("R"), 2))
    assert score(table) == -7 + 3
    game.apply(table, "france", Play(card("3h")))
    assert score(table) == -4 + 3
    assert table.state.fate.in_force[0].used


def test_others_get_no_bonus_and_it_is_gone_after_the_turn() -> None:
    table = bare()
    place(table, "Soubise", "Halle", 8)
    place(table, "Keith", "Leipzig", 1)
    deal(table, "prussia", "3c")
    hold(table, 4, "spades")
    combat_of(table, "france")
    game.apply(table, "prussia", Play(card("3c")))
    assert score(table) == 7 - 3
    assert not table.state.fate.in_force[0].used
    table = over(bare())
    place(table, "Soubise", "Halle", 1)
    place(table, "Keith", "Leipzig", 8)
    deal(table, "france", "2h")
    hold(table, 4, "spades")
    combat_of(over(table), "france")
    game.apply(table, "france", Play(card("2h")))
    assert score(table) == -7 + 2


# 4 diamonds, 5 spades, 7 spades: who may not attack

RESTRAINED = [
    (4, "diamonds", "Cumberland", "Ferdinand", "Soubise", "france train 1"),
    (5, "spades", "Soubise", "Chevert", "Keith", "prussia train 1"),
    (7, "spades", "Friedrich", "Keith", "Daun", "austria train 1"),
]


@pytest.mark.parametrize(("number", "suit", "name", "mate", "enemy", "train"), RESTRAINED)
def test_a_restrained_general_moves_beside_no_enemy_and_takes_no_train(
    number: int, suit: str, name: str, mate: str, enemy: str, train: str
) -> None:
    table = bare()
    place(table, name, "Wurzen", 3)
    place(table, mate, "Wurzen", 3)
    place(table, enemy, "Halle", 3)
    place(table, train, "Grimma")
    hold(table, number, suit)
    assert not may_end(table, name, "Leipzig")
    assert not may_end(table, name, "Grimma")
    assert city(table, "Leipzig") not in ends(table, name, mate)
    assert may_end(table, mate, "Leipzig")
    assert may_end(table, mate, "Grimma")
    assert may_end(table, name, "Eilenburg")
    assert may_end(over(table), name, "Leipzig")
    assert may_end(table, name, "Grimma")


def test_he_may_pass_an_enemy() -> None:
    table = bare()
    place(table, "Friedrich", "Wurzen", 3)
    place(table, "Daun", "Halle", 3)
    hold(table, 7, "spades")
    column = movement.column_of(table, [general(table, "Friedrich")])
    assert any(city(table, "Leipzig") in way[:-1] for way in destinations(column).values())


def test_who_stands_beside_an_enemy_already_has_to_attack() -> None:
    table = bare()
    place(table, "Friedrich", "Leipzig", 3)
    place(table, "Daun", "Halle", 2)
    hold(table, 7, "spades")
    assert isinstance(combat_of(table, "prussia"), PlayCard)


def test_he_does_not_come_back_in_a_depot_beside_an_enemy() -> None:
    table = bare()
    place(table, "Daun", neighbours(table, "Berlin")[0], 3)
    deal(table, "prussia", "6h")
    friedrich, keith = general(table, "Friedrich"), general(table, "Keith")
    hold(table, 7, "spades")
    begin(table, "prussia", "recruiting")
    (asked,) = game.decisions(table)
    assert isinstance(asked, Levy)
    assert friedrich not in asked.entries
    assert keith in asked.entries
    assert friedrich in recruiting.decision(over(table), "prussia").entries


# 5 diamonds: Chevert stays in company


def test_chevert_does_not_part_from_his_stack() -> None:
    table = bare()
    numbers = {name: place(table, name, "Kassel", 2) for name in ("Richelieu", "Soubise", "Chevert")}
    hold(table, 5, "diamonds")
    begin(table, "france", "movement")
    road = (city(table, "Fritzlar"),)
    together = (numbers["Richelieu"], numbers["Soubise"])
    assert code_of(table, "france", Move((numbers["Chevert"],), road)) == "E-MARCH-PARTING"
    assert code_of(table, "france", Move(together, road)) == "E-MARCH-PARTING"
    game.apply(table, "france", Move((numbers["Soubise"], numbers["Chevert"]), road))
    assert at(table, "Richelieu") == city(table, "Kassel")


def test_two_stay_together_and_alone_or_later_chevert_is_free() -> None:
    table = bare()
    soubise, chevert = place(table, "Soubise", "Kassel", 2), place(table, "Chevert", "Kassel", 2)
    hold(table, 5, "diamonds")
    begin(table, "france", "movement")
    road = (city(table, "Fritzlar"),)
    assert code_of(table, "france", Move((soubise,), road)) == "E-MARCH-PARTING"
    game.apply(over(table), "france", Move((chevert,), road))
    table = bare()
    chevert = place(table, "Chevert", "Kassel", 2)
    hold(table, 5, "diamonds")
    begin(table, "france", "movement")
    game.apply(table, "france", Move((chevert,), (city(table, "Fritzlar"),)))


# 7 hearts, 10 spades: who gets no new troops


def room(table: Table) -> set[str]:
    """The Prussians who may get new troops."""
    return {table.rules.common.pieces[g].name for g in recruiting.decision(table, "prussia").room}


@pytest.mark.parametrize(("reading", "barred"), [("general", {"Friedrich"}), ("stack", {"Friedrich", "Keith"})])
def test_friedrich_gets_no_new_troops_nor_his_stack_where_a_table_rules_so(reading: str, barred: set[str]) -> None:
    table = bare(no_new_troops=reading)
    place(table, "Friedrich", "Leipzig", 3)
    place(table, "Keith", "Leipzig", 3)
    place(table, "Dohna", "Küstrin", 3)
    deal(table, "prussia", "6h")
    hold(table, 7, "hearts")
    assert {"Friedrich", "Keith"} - room(table) == barred
    assert {"Dohna", "Heinrich"} <= room(table)
    assert "Friedrich" in room(over(table))


@pytest.mark.parametrize("reading", ["general", "stack"])
def test_friedrich_does_not_come_back_and_to_him_nobody_where_a_table_rules_so(reading: str) -> None:
    table = bare(no_new_troops=reading)
    deal(table, "prussia", "6h")
    hold(table, 7, "hearts")
    assert "Friedrich" not in room(table)
    assert general(table, "Keith") in recruiting.decision(table, "prussia").entries
    place(table, "Friedrich", "Berlin", 3)
    assert (general(table, "Keith") in recruiting.decision(table, "prussia").entries) is (reading == "general")


def test_prussians_beside_an_enemy_get_no_troops_for_recruits_may_not_attack() -> None:
    table = bare()
    place(table, "Keith", "Leipzig", 3)
    place(table, "Daun", "Halle", 3)
    place(table, "Dohna", "Küstrin", 3)
    deal(table, "prussia", "6h")
    hold(table, 10, "spades")
    assert "Keith" not in room(table)
    assert "Dohna" in room(table)
    place(table, "Fermor", neighbours(table, "Berlin")[0], 3)
    assert recruiting.decision(table, "prussia").entries.get(general(table, "Heinrich"), ()) == ()
    assert "Keith" in room(over(table))
    assert recruiting.decision(table, "prussia").entries[general(table, "Heinrich")]


def test_only_prussian_recruits_are_raw() -> None:
    table = bare()
    place(table, "Ferdinand", "Leipzig", 3)
    place(table, "Daun", "Halle", 3)
    deal(table, "hanover", "6h")
    hold(table, 10, "spades")
    assert general(table, "Ferdinand") in recruiting.decision(table, "hanover").room


# 7 diamonds: Prussia's first cards have to come out above zero


def friedrich_fights(*hand: str, ours: int = 2, theirs: int = 6) -> Table:
    """Friedrich, in clubs, attacks Daun."""
    table = bare()
    place(table, "Friedrich", "Leipzig", ours)
    place(table, "Daun", "Halle", theirs)
    deal(table, "prussia", *hand)
    deal(table, "austria", "2h", "13h")
    hold(table, 7, "diamonds")
    combat_of(table, "prussia")
    return table


def test_friedrich_must_play_until_he_is_above_zero() -> None:
    table = friedrich_fights("2c", "3c", "12h")
    assert card_asked(table).must
    assert code_of(table, "prussia", Stop()) == "E-FATE-ABOVE"
    game.apply(table, "prussia", Play(card("2c")))
    assert code_of(table, "prussia", Stop()) == "E-FATE-ABOVE"
    game.apply(table, "prussia", Play(card("3c")))
    assert score(table) == 1
    assert card_asked(table).power == "austria"


def test_exactly_zero_is_not_above_it() -> None:
    table = friedrich_fights("4c", "3c")
    assert card_asked(table).cards == (card("3c"),)
    assert code_of(table, "prussia", Play(card("4c"))) == "E-FATE-ABOVE"
    game.apply(table, "prussia", Play(card("3c")))
    assert card_asked(table).cards == (card("4c"),)


def test_a_reserve_is_declared_high_enough() -> None:
    table = friedrich_fights("R")
    assert code_of(table, "prussia", Play(card("R"), 4)) == "E-FATE-ABOVE"
    game.apply(table, "prussia", Play(card("R"), 5))
    assert score(table) == 1


@pytest.mark.parametrize("hand", [("3c",), ("4c",), ("13h",), ()])
def test_what_cannot_be_reached_need_not_be_tried(hand: tuple[str, ...]) -> None:
    table = friedrich_fights(*hand)
    assert not card_asked(table).must
    game.apply(table, "prussia", Stop())
    assert table.state.duel is None


def test_at_zero_even_a_reserve_has_to_be_played() -> None:
    table = friedrich_fights("R", ours=4, theirs=4)
    assert code_of(table, "prussia", Stop()) == "E-FATE-ABOVE"


def test_only_the_first_cards_of_a_combat_are_bound() -> None:
    table = friedrich_fights("5c", "9c")
    game.apply(table, "prussia", Play(card("5c")))
    game.apply(table, "austria", Play(card("13h")))
    assert not card_asked(table).must
    game.apply(table, "prussia", Stop())
    assert table.state.duel is None


def test_the_defender_is_bound_too_but_not_without_friedrich_and_not_later() -> None:
    table = bare()
    place(table, "Daun", "Halle", 6)
    place(table, "Friedrich", "Leipzig", 2)
    deal(table, "prussia", "9c")
    hold(table, 7, "diamonds")
    combat_of(table, "austria")
    assert code_of(table, "prussia", Stop()) == "E-FATE-ABOVE"
    game.apply(over(table), "prussia", Stop())
    table = bare()
    place(table, "Daun", "Halle", 6)
    place(table, "Keith", "Leipzig", 2)
    deal(table, "prussia", "9c")
    hold(table, 7, "diamonds")
    combat_of(table, "austria")
    game.apply(table, "prussia", Stop())


@pytest.mark.parametrize(("reading", "code"), [("each combat", "E-FATE-ABOVE"), ("each pair", None)])
def test_a_second_combat_between_the_same_two_cities_binds_the_first_cards_again(
    reading: str, code: str | None
) -> None:
    table = bare(first_cards=reading)
    place(table, "Friedrich", "Leipzig", 2)
    place(table, "Daun", "Halle", 4)
    deal(table, "prussia", "3c", "9c")
    deal(table, "austria", "9h")
    hold(table, 7, "diamonds")
    combat_of(table, "austria")
    game.apply(table, "prussia", Play(card("3c")))
    game.apply(table, "austria", Stop())
    assert table.state.fate.in_force[0].settled
    place(table, "Daun", "Prag", 4)
    place(table, "Hildburghausen", "Halle", 6)
    combat_of(table, "imperial")
    assert card_asked(table).power == "prussia"
    if code:
        assert code_of(table, "prussia", Stop()) == code
    else:
        game.apply(table, "prussia", Stop())


# 8 clubs: Prussians step aside before Daun


def daun_attacks(number: int = 8, attacker: str = "Daun") -> Table:
    table = bare()
    place(table, attacker, "Halle", 6)
    place(table, "Keith", "Leipzig", 2)
    place(table, "Dohna", "Leipzig", 2)
    hold(table, number, "clubs")
    return table


def test_a_stack_steps_aside_before_daun_and_fights_nobody() -> None:
    table = daun_attacks()
    place(table, "Lacy", "Wurzen", 3)
    asked = combat_of(table, "austria")
    assert isinstance(asked, ShiftPieces)
    assert (asked.power, asked.reason, asked.start) == ("prussia", "sidestep", city(table, "Leipzig"))
    assert asked.pieces == (general(table, "Keith"), general(table, "Dohna"))
    assert set(asked.cities) == set(neighbours(table, "Leipzig")) - {city(table, "Halle"), city(table, "Wurzen")}
    game.apply(table, "prussia", Shift(city(table, "Borna")))
    assert at(table, "Keith") == at(table, "Dohna") == city(table, "Borna")
    assert [troop.troops for troop in table.state.field.pieces if troop.city == city(table, "Borna")] == [2, 2]
    assert (table.state.duel, table.state.battles) == (None, [])


def test_a_stack_that_stays_is_attacked() -> None:
    table = daun_attacks()
    combat_of(table, "austria")
    game.apply(table, "prussia", Shift())
    assert table.state.duel is not None


@pytest.mark.parametrize("attacker", ["Lacy", "Soubise"])
def test_nobody_steps_aside_before_others(attacker: str) -> None:
    table = daun_attacks(attacker=attacker)
    assert isinstance(combat_of(table, "austria" if attacker == "Lacy" else "france"), PlayCard)


def test_hanover_does_not_step_aside_and_nobody_does_later() -> None:
    table = bare()
    place(table, "Daun", "Halle", 6)
    place(table, "Ferdinand", "Leipzig", 2)
    hold(table, 8, "clubs")
    assert isinstance(combat_of(table, "austria"), PlayCard)
    assert isinstance(combat_of(over(daun_attacks()), "austria"), PlayCard)


def test_a_stack_without_a_free_city_is_not_asked() -> None:
    table = daun_attacks()
    names = ("prussia train 1", "prussia train 2", "hanover train 1", "imperial train 1", "austria train 1")
    free = [c for c in neighbours(table, "Leipzig") if c != city(table, "Halle")]
    for name, where in zip(names, free, strict=True):
        place(table, name, where, 1)
    assert not isinstance(combat_of(table, "austria"), ShiftPieces)


def test_two_stacks_step_aside_one_after_the_other() -> None:
    table = bare()
    place(table, "Daun", "Sonneberg", 6)
    place(table, "Keith", "Hildburghausen", 2)
    around = [c for c in neighbours(table, "Sonneberg") if c != city(table, "Hildburghausen")]
    place(table, "Dohna", around[0], 2)
    hold(table, 8, "clubs")
    first = combat_of(table, "austria")
    assert isinstance(first, ShiftPieces)
    game.apply(table, "prussia", Shift(first.cities[0]))
    (second,) = game.decisions(table)
    assert isinstance(second, ShiftPieces)
    assert second.start != first.start
    assert first.cities[0] not in second.cities


# 10 hearts: the first card in Friedrich's defence counts nothing


def test_the_first_card_in_defence_of_friedrich_counts_nothing() -> None:
    table = bare()
    place(table, "Daun", "Halle", 6)
    place(table, "Friedrich", "Leipzig", 2)
    deal(table, "prussia", "9c", "8c")
    hold(table, 10, "hearts")
    combat_of(table, "austria")
    game.apply(table, "prussia", Play(card("9c")))
    assert score(table) == 4
    game.apply(table, "prussia", Play(card("8c")))
    assert score(table) == -4
    assert table.state.fate.in_force[0].used


@pytest.mark.parametrize("case", ["attack", "other", "later"])
def test_his_cards_count_in_his_attack_in_defence_of_others_and_later(case: str) -> None:
    table = bare()
    place(table, "Daun", "Halle", 6)
    place(table, "Keith" if case == "other" else "Friedrich", "Leipzig", 2)
    deal(table, "prussia", "9c")
    hold(table, 10, "hearts")
    combat_of(over(table) if case == "later" else table, "prussia" if case == "attack" else "austria")
    game.apply(table, "prussia", Play(card("9c")))
    assert abs(score(table)) == 5


# 11 spades: the eleven of spades for twice its value


OTHER_ELEVEN = card("11s", deck=1)
"""The eleven of spades of another deck."""


def charge() -> Table:
    """Keith, in spades, attacks Daun."""
    table = bare()
    place(table, "Daun", "Ohlau", 8)
    place(table, "Keith", "Breslau", 1)
    deal(table, "prussia", "11s", "10s")
    table.state.cards.hands["prussia"].append(OTHER_ELEVEN)
    deal(table, "austria", "2s", "13s")
    hold(table, 11, "spades")
    combat_of(table, "prussia")
    return table


def test_the_eleven_of_spades_may_count_twice_but_once_only() -> None:
    table = charge()
    assert code_of(table, "prussia", Play(card("10s"), 20)) == "E-CARD-VALUE"
    game.apply(table, "prussia", Play(card("11s"), 22))
    assert score(table) == -7 + 22
    game.apply(table, "austria", Play(card("2s")))
    game.apply(table, "austria", Play(card("13s")))
    assert score(table) == 0
    assert code_of(table, "prussia", Play(OTHER_ELEVEN, 22)) == "E-CARD-VALUE"
    game.apply(table, "prussia", Play(OTHER_ELEVEN, 11))
    assert score(table) == 11


def test_it_need_not_be_doubled_and_not_by_others_or_later() -> None:
    table = charge()
    game.apply(table, "prussia", Play(card("11s")))
    assert score(table) == -7 + 11
    assert not table.state.fate.in_force[0].used
    table = bare()
    place(table, "Daun", "Ohlau", 1)
    place(table, "Keith", "Breslau", 8)
    deal(table, "austria", "11s")
    hold(table, 11, "spades")
    combat_of(table, "austria")
    assert code_of(table, "austria", Play(card("11s"), 22)) == "E-CARD-VALUE"
    assert code_of(over(charge()), "prussia", Play(card("11s"), 22)) == "E-CARD-VALUE"


# 11 hearts: Heinrich protects farther


@pytest.mark.parametrize(("holds", "name", "falls"), [(True, "Heinrich", False), (False, "Heinrich", True),
                                                      (True, "Keith", True)])  # fmt: skip
def test_heinrich_protects_objectives_four_cities_away(holds: bool, name: str, falls: bool) -> None:
    table = bare()
    breslau = city(table, "Breslau")
    far = table.rules.common.board.distance(breslau)
    place(table, name, next(c for c in range(len(far)) if far[c] == 4), 2)
    daun = place(table, "Daun", "Breslau", 4)
    if holds:
        hold(table, 11, "hearts")
    begin(table, "austria", "movement")
    game.apply(table, "austria", Move((daun,), (neighbours(table, "Breslau")[0],)))
    assert (table.state.field.markers.get(breslau) == "austria") is falls


def test_retroactive_conquest_reckons_with_heinrich_too() -> None:
    for phase, kept in (("holds", True), ("later", False)):
        table = bare()
        breslau = city(table, "Breslau")
        far = table.rules.common.board.distance(breslau)
        place(table, "Heinrich", next(c for c in range(len(far)) if far[c] == 4), 2)
        table.state.field.questions[breslau] = "austria"
        hold(table, 11, "hearts")
        begin(table if phase == "holds" else over(table), "austria", "retroactive")
        assert (breslau not in table.state.field.markers) is kept


def test_a_choice_of_battles_knows_the_truce() -> None:
    table = bare()
    place(table, "Keith", "Halle", 2)
    place(table, "Daun", "Leipzig", 4)
    place(table, "Dohna", "Wurzen", 4)
    place(table, "Heinrich", "Borna", 4)
    hold(table, 3, "diamonds")
    asked = combat_of(table, "austria")
    assert isinstance(asked, ChooseBattle)
    leipzig = city(table, "Leipzig")
    pairs = {Pairing(leipzig, city(table, "Wurzen")), Pairing(leipzig, city(table, "Borna"))}
    assert set(asked.battles) == pairs


PHASES: tuple[Phase, ...] = ("movement", "recruiting", "combat", "retroactive", "supply")


@pytest.mark.parametrize("suit", ["spades", "hearts", "diamonds", "clubs"])
@pytest.mark.parametrize("number", range(1, 13))
def test_every_version_may_hold_in_a_game_of_which_its_generals_take_no_part(number: int, suit: str) -> None:
    table = bare("west", expert=False)
    place(table, "Seydlitz", "Leipzig", 3)
    place(table, "Soubise", "Grimma", 3)
    hold(table, number, suit)
    for phase in PHASES:
        begin(table, "prussia", phase)
        assert game.decisions(table)
