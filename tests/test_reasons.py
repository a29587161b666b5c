"""Reasons of the strong bot's answers can be told in every language, and tell no secret."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import count, islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.bots.plain import game_bots
from pbem.bots.sensible.fighting import chance_to_win, least_chance, own_troops
from pbem.bots.sensible.marching import upkeep
from pbem.bots.sensible.reasons import points_held
from pbem.bots.sensible.sight import Sight
from pbem.bots.table import advised_answer, bot_named
from pbem.engine.board import SUITS
from pbem.engine.cards import is_reserve, suit_of, value_of
from pbem.engine.combat import falling_behind
from pbem.engine.conquest import is_held_by_enemy, is_protected, protectors
from pbem.engine.decisions import ChooseRetreat, Done, March, Move, Play, PlayCard, RetreatAlong
from pbem.engine.field import OFF, alter, are_enemies
from pbem.engine.nouns import City, Power, each_piece
from pbem.faults.nouns import SIGN_OF_SUIT
from pbem.faults.wrong import Words
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.bots import strong as strong_of_maria
from pbem.games.maria.bots.sensible.politics import stake
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import Influence, PlaceInfluence
from pbem.kit import copy_of, game_of
from pbem.paper.documents.writing import write
from pbem.player.files import GivenFile
from pbem.player.tables import table_in
from pbem.report.language.templates import languages

from .desk.fields import game_until, starving
from .friedrich import random_play
from .play import start
from .twins import with_other_secrets

OF_MARCHES = {"why-falls", "why-goal", "why-guard", "why-fight", "why-safe", "why-supply", "why-stay", "why-haul"}
OF_CARDS = {"why-card.ahead", "why-card.small", "why-cards", "why-give-up", "why-imagined", "why-spend"}
OF_POLITICS = {"why-influence", "why-influence-little", "why-politics"}


MOST_GAMES = 6
"""In so many games everything must have happened that is looked for, whatever the strong bot weighs by."""


def decided(game: str, scenario: str, seed: str) -> Iterator[tuple[Any, Any, Any, Random]]:
    """Every decision of strong bots in the first nine turns of games, one after the other, with its answer."""
    policy, chance = bot_named("strong", game), Random(seed)
    for number in range(MOST_GAMES):
        table = (
            start(Terms(scenario), f"{seed} {number}")
            if game == "maria"
            else random_play.start(FriedrichTerms(scenario), f"{seed} {number}")
        )[0]
        while table.state.phase != "over" and table.state.turn < 9:
            decision = game_of(table).decisions(table)[0]
            answer = policy(table, decision, chance)
            yield table, decision, answer, chance
            game_of(table).apply(table, decision.power, answer)


@cache
def game_going_on(game: str, scenario: str) -> tuple[list[Any], Iterator[Any]]:
    """Decisions made so far in the games that the tests share, and all that are still to be made in them."""
    return [], ((copy_of(table), decision, answer) for table, decision, answer, _ in decided(game, scenario, "why"))


def shared(game: str, scenario: str) -> Iterator[tuple[Any, Any, Any]]:
    """Decisions and answers as above, of games that are played once for all tests; nobody plays on at these tables."""
    before, going = game_going_on(game, scenario)
    for number in count():
        if number == len(before):
            before.extend(islice(going, 1))
        if number == len(before):
            return
        yield before[number]


@pytest.mark.parametrize(
    ("game", "scenario", "expected"),
    [("maria", "advanced", OF_MARCHES | OF_CARDS | OF_POLITICS), ("friedrich", "four", OF_MARCHES | OF_CARDS)],
    ids=["maria", "friedrich"],
)
def test_every_kind_of_answer_has_its_reasons(game: str, scenario: str, expected: set[str]) -> None:
    why, told = game_bots(game).why, set[str]()
    for table, decision, answer in shared(game, scenario):
        reasons = why(table, decision, answer)
        assert reasons or not isinstance(decision, March) or not isinstance(answer, Done), answer
        told.update(reason.key for reason in reasons)
        assert all(reason.text(language) for reason in reasons for language in languages())
        if expected <= told:
            return
    raise AssertionError(expected - told)


@pytest.mark.parametrize(("game", "scenario"), [("maria", "advanced"), ("friedrich", "four")])
def test_reasons_are_those_of_the_answer(game: str, scenario: str) -> None:
    """Every reason is held against what follows from the answer that is told, found a second time."""
    why, asked, others = game_bots(game).why, Counter[str](), []
    for table, decision, answer in islice(shared(game, scenario), 350):
        reasons = why(table, decision, answer)
        if isinstance(decision, PlayCard):
            asked[type(answer).__name__] += 1
            keys = [reason.key for reason in reasons]
            if [key for key in keys if not key.startswith("why-card.")] != card_reasons(
                copy_of(table), decision, answer
            ):
                others.append((answer, reasons))
            troops = own_troops(sight_of(copy_of(table), decision.power))
            others += [(answer, reasons)] * (
                not all(is_true_of_card(decision, answer, each, troops) for each in reasons)
            )
        elif isinstance(answer, Move):
            asked["reasoned marches"] += bool(reasons)
            others += [(answer, reason) for reason in reasons if not is_true_of(table, answer, reason)]
            if begins_battle(table, answer):
                asked["battles"] += 1
                others += [(answer, reasons)] * (reasons[0].key not in ("why-fight", "why-fight.lost"))
    assert min(asked["Play"], asked["Stop"], asked["reasoned marches"], asked["battles"]) > 12, asked
    assert not others, (len(others), asked, others[:5])


def test_reasons_in_politics_are_those_of_the_computation() -> None:
    """Each reason is held against worth and cost, counted a second time from the cards."""
    why, told = game_bots("maria").why, Counter[str]()
    for table, decision, answer in shared("maria", "advanced"):
        if not isinstance(decision, PlaceInfluence):
            continue
        reasons = why(table, decision, answer)
        assert reasons
        for reason in reasons:
            told[reason.key] += 1
            assert is_true_of_influence(table, decision, answer, reason), (answer, reason)
            assert not re.search("[0-9][.,][0-9]", " ".join(reason.text(language) for language in languages()))
        if len(told) > 3 and sum(told.values()) > 60:
            return
    raise AssertionError(told)


def is_true_of_influence(table: Any, decision: PlaceInfluence, answer: Influence, reason: Words) -> bool:
    gaps, seen = dict(reason.gaps), strong_of_maria.sight_of(table, decision.power)
    affairs = table.state.affairs
    points = {card: 16 if is_reserve(card) else value_of(card) for card in decision.hand}
    counting = [card for card in points if is_reserve(card) or suit_of(card) == affairs.trump]
    if "number" in gaps and gaps["title"] != table.rules.politics.card_by_number[gaps["number"]].title:
        return False
    worth = stake(seen, decision.power, gaps["number"]) if "number" in gaps else 0.0
    worth_told = halves(gaps["worth"]) / 2 if "worth" in gaps else worth
    if not 0 <= worth - worth_told < 0.5:
        return False
    match reason.key:
        case "why-influence":
            return answer.card in counting and points[answer.card] * seen.weights.price <= worth
        case "why-influence-bluff":
            return answer.card not in counting
        case "why-influence-barred":
            return all(stake(seen, decision.power, number) == 0 for number in affairs.open)
        case "why-influence-little":
            return answer.card is None and worth < seen.weights.worth_a_card
        case "why-influence-none":
            return not counting
        case "why-influence-dear":
            costs = [
                points[card] * seen.weights.price for card in counting if points[card] * seen.weights.price > worth
            ]
            return any(0 <= halves(gaps["cost"]) / 2 - cost < 0.5 for cost in costs)
    return answer.card is None and reason.key in ("why-influence-outbid", "why-influence-enough")


def halves(told: Words) -> int:
    """Number of half cards that words tell."""
    if (number := dict(told.gaps).get("number")) is not None:
        return 2 * int(str(number).removesuffix("½") or 0) + str(number).endswith("½")
    return ("worth-little", "worth-half", "worth-one").index(told.key)


def begins_battle(table: Any, march: Move) -> bool:
    """True if generals march up to an enemy's."""
    rules, field = table.rules.common, table.state.field
    if not rules.is_general(march.pieces[0]):
        return False
    power, beside = rules.pieces[march.pieces[0]].power, rules.board.adjacent[march.path[-1]]
    return any(
        piece.city in beside and rules.is_general(index) and are_enemies(field, power, rules.pieces[index].power)
        for index, piece in each_piece(field.pieces)
    )


def card_reasons(table: Any, decision: PlayCard, answer: Any) -> list[str]:
    """The odds are the reason of the card that comes to mind first alone, and of nothing that had to be."""
    bots = game_bots(table.rules.terms.game)
    assert bots.strong is not None
    if answer != bots.strong(table, decision, Random("another")):
        return ["why-suit", "why-imagined"]
    sight = sight_of(table, decision.power)
    held = points_held(sight, decision.power, decision.suit) + decision.score
    facts = "why-cards" if held > 0 else "why-no-win" if held else "why-tie"
    if chance_to_win(sight, decision) >= least_chance(sight, decision.power):
        return [facts, "why-suit"] if isinstance(answer, Play) else []
    # A card that ends the lead of the enemy is not played to lose little.
    is_suited = isinstance(answer, Play) and not is_reserve(answer.card)
    is_level = is_suited and decision.score < 0 <= value_of(answer.card) + decision.score
    return [facts, "why-give-up.level" if is_level else "why-give-up", "why-suit"] if decision.cards else []


def is_true_of_card(decision: PlayCard, answer: Any, reason: Words, troops: int) -> bool:
    """True if what the reason says of the suit, the cards or the reader's troops in the battle is so."""
    key = reason.key
    if key == "why-suit":
        return dict(reason.gaps) == {"suit": SIGN_OF_SUIT[SUITS[decision.suit]]}
    suited = [value_of(card) for card in decision.cards if not is_reserve(card)]
    ahead = [value for value in suited if value + decision.score > 0]
    if key in ("why-card.ahead", "why-card.level"):
        return value_of(answer.card) == min(value for value in suited if value + decision.score >= (key[-1] != "l"))
    if key in ("why-card.small", "why-card.small-all"):
        is_all = troops <= -decision.score
        told = dict(reason.gaps) == ({"troops": troops} if is_all else {})
        return told and is_all == (key == "why-card.small-all") and not isinstance(answer, Play)
    if key in ("why-card.at-zero", "why-card.dear"):
        return not isinstance(answer, Play)
    if key == "why-card.highest":
        return not ahead and value_of(answer.card) == max(suited)
    if key == "why-card.must":
        return decision.must and value_of(answer.card) == min(suited)
    if key in ("why-card.reserve", "why-card.reserve-alone"):
        return not ahead and is_reserve(answer.card)
    if key in ("why-no-win", "why-tie"):
        best = decision.score + sum(suited) + 10 * (len(decision.cards) - len(suited))
        return best == 0 if key == "why-tie" else best < 0
    return key in ("why-card.spares", "why-imagined", "why-cards", "why-give-up", "why-give-up.level")


def sight_of(table: Any, power: Power) -> Sight:
    """View of the strong bot of this power."""
    strong = import_module(f"pbem.games.{table.rules.terms.game}.bots.strong")
    seen: Sight = strong.sight_of(table, power).sight
    return seen


def test_a_fortress_that_is_reached_beyond_supply_falls_only_to_who_is_supplied_again() -> None:
    """In MARIA, where pieces out of supply conquer nothing."""
    table = table_in(GivenFile("position", starving())).table
    rules, index = table.rules.common, table.rules.common.board.index
    mover = next(number for number, piece in enumerate(rules.pieces) if piece.name == "Belle-Isle")
    (decision,) = (each for each in game_of(table).decisions(table) if each.power == "france")
    way = tuple(index[city] for city in ("Eger", "Mies", "Pilsen"))
    train = next(number for number, piece in enumerate(rules.pieces) if piece.name == "france train 2")
    places = (OFF, index["Pfraumberg"], index["Pfraumberg"])
    keys = ("why-at-goal-hungry", "why-at-goal", "why-at-goal.guarded")
    for place, guarded, expected in zip(places, (OFF, OFF, index["Taus"]), keys, strict=True):
        alter(table.state.field, train, city=place)
        alter(table.state.field, piece_named(table, "Khevenhüller"), city=guarded, troops=3)
        told = game_bots("maria").why(table, decision, Move((mover,), way))
        assert expected in [reason.key for reason in told], told


BEFORE_BRUSSELS = {
    "Moritz von Sachsen": "Brüssel, 8",
    "George II": "Malmedy, 2",
    "Earl of Stair": "off",
    "Arenberg": "off",
    "Maillebois": "off",
}


@pytest.mark.parametrize(
    ("others", "falls"),
    [
        ({}, {"Brüssel", "Namur"}),
        ({"Earl of Stair": "Lille, 2"}, {"Namur"}),
        ({"Earl of Stair": "Lille, 2", "Maillebois": "Tournai, 3"}, {"Brüssel", "Namur"}),
    ],
    ids=["alone", "with a protector who is not attacked", "with one who is attacked by others"],
)
def test_only_a_fortress_whose_every_protector_is_attacked_can_fall_on_the_way(
    others: dict[str, str], falls: set[str]
) -> None:
    table = table_with("maria", "france", 4, BEFORE_BRUSSELS | others, scenario="advanced")
    rules, mover = table.rules.common, piece_named(table, "Moritz von Sachsen")
    (decision,) = (each for each in game_of(table).decisions(table) if each.power == "france")
    way = tuple(rules.board.index[city] for city in ("Charleroi", "Namur", "Huy", "Lüttich"))
    told = game_bots("maria").why(table, decision, Move((mover,), way))
    assert {city for each in told if each.key == "why-falls" for city in dict(each.gaps)["cities"]} == falls


@pytest.mark.parametrize(
    ("place", "is_safer"),
    [("off", True), ("Tirschenreuth, 8", False), ("Bamberg, 8", False)],
    ids=["nobody near", "a battle", "a stronger enemy in reach"],
)
def test_a_place_with_a_battle_or_a_stronger_enemy_in_reach_is_not_called_safer(place: str, is_safer: bool) -> None:
    off = dict.fromkeys(("Broglie", "Törring", "Khevenhüller", "Batthyány"), "off")
    camp = dict.fromkeys(("Karl von Lothringen", "Traun"), "Tabor, 6")
    table = table_with(
        "maria", "france", 4, {"Belle-Isle": "Prag, 3", "Neipperg": place, **off, **camp}, scenario="advanced"
    )
    (decision,) = (each for each in game_of(table).decisions(table) if each.power == "france")
    way = tuple(table.rules.common.board.index[city] for city in ("Rakonitz", "Luditz", "Karlsbad", "Eger"))
    told = game_bots("maria").why(table, decision, Move((piece_named(table, "Belle-Isle"),), way))
    assert ("why-safe" in [each.key for each in told]) == is_safer


def test_of_marches_that_are_worth_the_same_the_one_with_the_best_supply_is_advised() -> None:
    """In Friedland, which comes first, Lehwaldt would be as well placed, but out of supply."""
    pieces = {
        "Lehwaldt": "Neubrandenburg, 4",
        "prussia train 2": "Spandau",
        "hanover train 1": "Dömitz",
        "Ehrensvärd": "Anklam, 4",
        "Daun": "Löbau, 6, face-down",
        "Laudon": "Ziegenhals, 6",
    }
    table = table_with("friedrich", "prussia", 8, pieces, hands={"prussia": ["♥8/2", "R/3"]})
    rules, general = table.rules.common, piece_named(table, "Lehwaldt")
    (decision,) = (each for each in game_of(table).decisions(table) if each.power == "prussia")
    assert isinstance(decision, March)
    answer = advised_answer(table, replace(decision, pieces=(general,), trains={}), Random(0))
    assert isinstance(answer, Move)
    assert rules.board.cities[answer.path[-1]].name == "Ueckermünde"
    worse, sight = (rules.board.index["Friedland (Mecklenburg)"],), sight_of(table, "prussia")
    assert upkeep(sight, (general,), answer.path) < upkeep(sight, (general,), worse)


def test_the_supply_after_a_march_costs_the_toll_of_hussars() -> None:
    pieces = {"Belle-Isle": "Prag, 8", "france train 2": "Amberg", "Broglie": "off"}
    table = table_with("maria", "france", 2, pieces, hussars=["Mies", "Cham"])
    here, mover = (table.rules.common.board.index["Prag"],), (piece_named(table, "Belle-Isle"),)
    assert upkeep(sight_of(table, "france"), mover, here) == (0, 6)
    assert table.state.field.pieces[mover[0]].city == here[0]


def table_with(game: str, power: Power, turn: int, pieces: dict[str, str], **more: Any) -> Any:
    """Table at which a power marches, with some pieces on the map."""
    place = {"game": game, "turn": turn, "stage": power, "phase": "movement", "pieces": pieces, **more}
    return table_in(GivenFile("position", write(place).encode())).table


def piece_named(table: Any, name: str) -> int:
    return next(number for number, piece in enumerate(table.rules.common.pieces) if piece.name == name)


def is_true_of(table: Any, march: Move, reason: Words) -> bool:
    """True if everything in the reason that can be read off the board is so."""
    rules, gaps = table.rules.common, dict(reason.gaps)
    start, end = table.state.field.pieces[march.pieces[0]].city, march.path[-1]
    far, index = rules.board.distance(end), rules.board.index
    if reason.key == "why-goal":
        (goal,) = gaps["city"]
        return far[index[goal]] == gaps["roads"] < rules.board.distance(start)[index[goal]]
    if reason.key == "why-at-goal-hungry":
        assert not rules.down_conquer
        return gaps["city"] == (rules.board.cities[end].name,)
    if reason.key == "why-at-goal":
        return gaps["city"] == (rules.board.cities[end].name,)
    if reason.key == "why-at-goal.guarded":
        guards = {name for each in protectors(rules, table.state.field, end) for name in rules.names([each])}
        return gaps["city"] == (rules.board.cities[end].name,) and set(gaps["pieces"]) <= guards
    if reason.key == "why-falls":
        return {index[city] for city in gaps["cities"]} <= {start, *march.path[:-1]}
    if reason.key == "why-safe":
        return not begins_battle(table, march)
    if reason.key in ("why-fight", "why-fight.lost"):
        pieces = table.state.field.pieces
        there = {each for each, piece in each_piece(pieces) if rules.is_general(each) and piece.city == end}
        return gaps["troops"] == sum(pieces[each].troops for each in there | set(march.pieces))
    if reason.key == "why-hungry":
        return not all(sight_of(table, rules.pieces[each].power).is_fed_in(each, end) for each in march.pieces)
    if reason.key == "why-guard":
        return all(far[index[city]] <= rules.limits.protection for city in gaps["cities"])
    return True


def test_reasons_tell_no_secret() -> None:
    """They are the same when all that the player may not know is different."""
    why, looks = game_bots("maria").why, 0
    for table, decision, answer, chance in decided("maria", "advanced", "secrets of reasons"):
        if chance.random() < 0.15:
            player = table.state.field.alliances.player
            own = tuple(power for power in table.rules.powers if player[power] == player[decision.power])
            assert why(with_other_secrets(table, own, chance), decision, answer) == why(table, decision, answer)
            looks += 1
        if looks == 20:
            return
    raise AssertionError(looks)


def test_a_retreat_is_told_with_the_fortresses_that_fall_at_its_end_and_those_that_another_end_would_cost() -> None:
    table = game_until(
        lambda _, asked: isinstance(asked, ChooseRetreat) and len(asked.ends) > 1, "advanced", "a2"
    ).table
    (decision,) = game_of(table).decisions(table)
    assert isinstance(decision, ChooseRetreat)
    rules, field, winner = table.rules.common, table.state.field, decision.power
    held = [city for city in rules.board.fortresses if is_held_by_enemy(rules, field, city, winner)]
    falling: dict[City, list[City]] = {}
    for city in held:
        field.questions = {city: winner}
        falling |= falling_behind(rules, field, decision.pieces, decision.ends)
    city, there = next((city, ends) for city, ends in falling.items() if len(ends) < len(decision.ends))
    field.questions = {city: winner}
    for end in decision.ends:
        told = {each.key: dict(each.gaps) for each in game_bots("maria").why(table, decision, RetreatAlong((end,)))}
        key, other = ("why-retreat-falls", "why-retreat-holds")[:: 1 if end in there else -1]
        assert told[key]["cities"] == (rules.board.cities[city].name,)
        assert other not in told
        entered = [
            each
            for each in rules.board.fortresses
            if rules.board.distance(end)[each] <= rules.limits.general_march
            and is_held_by_enemy(rules, field, each, rules.pieces[decision.pieces[0]].power)
            and not is_protected(rules, field, each)
        ]
        assert {*told["why-retreat-open"]["cities"]} == {*rules.board.names(entered)}
