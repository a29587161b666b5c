"""The bots: whole games without a refusal, nothing used that a player may not know, and play better than chance."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.bots import plain
from pbem.bots.plain import Policy
from pbem.bots.sensible.fighting import play_card
from pbem.bots.sensible.marching import best_march, best_of_stack
from pbem.bots.sensible.valuing import MarchValues, PlaceValues, hunger, train_worth
from pbem.bots.table import BOTS, bot_named, imagine_world, policy_by_player, sensible_policy, winners_of
from pbem.bots.table import play as play_at_table
from pbem.cli import main
from pbem.engine.cards import RESERVE, card_of, value_of
from pbem.engine.combat import falling_behind
from pbem.engine.conquest import is_held_by_enemy, is_protected
from pbem.engine.decisions import Answer, ChooseRetreat, Decision, Play, PlayCard, Recruitment, RetreatAlong, Stop
from pbem.engine.field import OFF, alter
from pbem.engine.march import destinations
from pbem.engine.nouns import City
from pbem.engine.table import digest
from pbem.games.friedrich.bots.sensible import choose as choose_in_friedrich
from pbem.games.friedrich.bots.sensible.answers import FriedrichWeights, aims_of, recruit
from pbem.games.friedrich.bots.sensible.answers import see as see_friedrich
from pbem.games.friedrich.paper.library import load_friedrich
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.friedrich.rules.movement import column_of
from pbem.games.friedrich.rules.recruiting import check as check_recruits
from pbem.games.friedrich.rules.recruiting import decision as levy_of
from pbem.games.maria.bots.sensible import choose as choose_in_maria
from pbem.games.maria.bots.sensible.sight import see as see_maria
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.state import Table
from pbem.kit import game_of
from pbem.lab.tables import line_up
from pbem.paper.documents.writing import write
from pbem.paper.library import load_rules
from pbem.paper.positions.files import load_position

from . import peeking
from .desk.fields import game_until
from .friedrich import random_play
from .play import EVERY, chance_of, name_of, play, start, twin

ROOT = Path(__file__).parents[1]

SECRETS = [Terms(), Terms("advanced", bluffing=True), Terms("advanced", 2), Terms("silesia-gambit")]
"""Variants of MARIA with all that it hides."""

OPEN_SECRETS = [FriedrichTerms("four", expert=True), FriedrichTerms("austria")]
"""The same of FRIEDRICH."""

LOOKS = {"random": 5, "beginner": 5, "sensible": 10, "strong": 25}
"""Positions of each game in which a level is asked in twin worlds."""


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_sensible_games_of_maria_come_to_an_end(terms: Terms) -> None:
    """No answer is refused, open decisions answered in any order and troops passing within stacks."""
    table, _ = play(terms, 1, choose_in_maria)
    assert table.state.result is not None


@pytest.mark.parametrize("terms", random_play.EVERY, ids=random_play.name_of)
def test_sensible_games_of_friedrich_come_to_an_end(terms: FriedrichTerms) -> None:
    """No answer is refused here, either."""
    table, _ = random_play.play(terms, 1, choose_in_friedrich)
    assert table.state.result is not None


@pytest.mark.parametrize("terms", [Terms("advanced", edition="1.0"), Terms("silesia-gambit")], ids=name_of)
def test_sensible_answers_fit_positions_that_nobody_sensible_comes_to(terms: Terms) -> None:
    """Every other answer is given at random."""
    table, _ = play(terms, 2, now_and_then(choose_in_maria))
    assert table.state.result is not None


@pytest.mark.parametrize("terms", [FriedrichTerms("four", expert=True), FriedrichTerms("austria")], ids=str)
def test_sensible_answers_fit_such_positions_of_friedrich(terms: FriedrichTerms) -> None:
    """The same in the other game."""
    table, _ = random_play.play(terms, 2, now_and_then(choose_in_friedrich))
    assert table.state.result is not None


def now_and_then(policy: Policy) -> Policy:
    """A policy that leaves every other answer to chance."""

    def choose(table: Any, decision: Decision, chance: Random) -> Answer:
        return (policy if chance.random() < 0.5 else plain.choose)(table, decision, chance)

    return choose


@pytest.mark.parametrize("terms", SECRETS, ids=name_of)
def test_sensible_uses_no_secrets_of_maria(terms: Terms) -> None:
    """The answer stays the same when everything that its player may not know is different."""
    assert looked_at(start(terms, "secrets")[0], choose_in_maria) > 20


@pytest.mark.parametrize("terms", OPEN_SECRETS, ids=random_play.name_of)
def test_sensible_uses_no_secrets_of_friedrich(terms: FriedrichTerms) -> None:
    """The same in the other game."""
    assert looked_at(random_play.start(terms, "secrets")[0], choose_in_friedrich) > 20


@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize("game", peeking.GAMES)
def test_no_level_uses_secrets(level: str, game: str) -> None:
    """A short run of `python -m tests.peeking`, which asks each level in 1,000 positions of every game."""
    found = list(islice(peeking.looks(peeking.GAMES[game], level), LOOKS[level]))
    assert [look for look in found if look.is_peek] == []


def test_who_peeks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose answer hangs on the draw deck."""

    def peek(table: Any, decision: Decision, chance: Random) -> Answer:
        seen = Random(repr(table.state.cards.draw))
        return plain.choose(table, decision, seen)

    monkeypatch.setattr(peeking, "bot_named", lambda level, game: peek)
    assert any(look.is_peek for look in islice(peeking.looks(peeking.GAMES["maria"], "strong"), 40))


def test_strong_games_come_to_an_end_where_it_has_never_played() -> None:
    assert play(Terms("silesia-gambit"), 1, bot_named("strong", "maria"))[0].state.result is not None


def test_strong_plays_the_same_game_in_another_process() -> None:
    asked = "from tests.test_bots import after_strong; print(after_strong())"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [after_strong()]


def after_strong() -> str:
    """The fingerprint of a game of strong bots behind its second turn."""
    (table, _), policy, chance = start(Terms("advanced"), "elsewhere"), bot_named("strong", "maria"), Random(2)
    while table.state.phase != "over" and table.state.turn < 3:
        decision = game.decisions(table)[0]
        game.apply(table, decision.power, policy(table, decision, chance))
    return digest(table.state)


def looked_at(table: Any, policy: Policy, most: int = 1000) -> int:
    """Play a game, and see now and then that other secrets lead to the same answer: how often that was done."""
    looks = list(islice(peeking.looks_in(table, policy, Random("looks"), Random(1)), most))
    assert not [look for look in looks if look.is_peek]
    return len(looks)


def in_other_hands(table: Table, power: str, chance: Random) -> Table:
    """The same position for the player of this power, with everything hidden from that player different."""
    other = twin(table)
    rules = other.rules
    strangers = [p for p in rules.powers if rules.player_of(p) != rules.player_of(power)]
    deal_again(other, strangers, chance)
    for stranger in strangers:
        share_again(other, rules.common.generals(stranger), chance)
    return other


def deal_again(table: Table, powers: list[str], chance: Random) -> None:
    """Shuffle other players' hands and the draw deck together."""
    cards = table.state.cards
    pool = [card for power in powers for card in cards.hands[power]] + cards.draw
    chance.shuffle(pool)
    for power in powers:
        cards.hands[power] = sorted(pool.pop() for _ in cards.hands[power])
    cards.draw = pool


def share_again(table: Table, generals: Sequence[int], chance: Random) -> None:
    """Deal a power's troops on the map to its generals anew; of those who take no part nothing is known at all."""
    field, most = table.state.field, table.rules.common.limits.troops
    having = [general for general in generals if field.pieces[general].troops]
    troops = dict.fromkeys([general for general in having if field.pieces[general].city >= 0], 1)
    spare = sum(field.pieces[general].troops for general in troops) - len(troops)
    for _ in range(spare):
        troops[chance.choice([general for general, count in troops.items() if count < most])] += 1
    for general in having:
        alter(field, general, troops=troops.get(general) or chance.randint(1, most))


def wins(rules: Any, policy: Policy, games: int, player: str, enough: int = 0) -> int:
    """Number of so many games that a player wins, alone or with others; no more are played once it is enough."""
    won = 0
    for number in range(games):
        if enough and won == enough:
            break
        *_, (table, _) = play_at_table(rules, f"match {number}", policy)
        won += player in winners_of(table)
    return won


@pytest.mark.parametrize(("attacker", "least"), [("louis", 4), ("frederick", 7)])
def test_sensible_attackers_beat_a_random_austria(attacker: str, least: int) -> None:
    """Among random players, who never reach a goal, the attacker's goal is reached in most games."""
    policy = policy_by_player({attacker: choose_in_maria}, plain.choose)
    assert wins(load_rules(Terms()), policy, 8, attacker, least) == least


def test_sensible_austria_survives_random_attackers() -> None:
    """Nobody reaches a goal against it by chance."""
    policy = policy_by_player({"maria-theresa": choose_in_maria}, plain.choose)
    assert wins(load_rules(Terms()), policy, 4, "maria-theresa") == 4


@pytest.mark.parametrize("player", ["maria-theresa", "frederick", "louis"])
def test_sensible_players_win_the_advanced_game_against_random_ones(player: str) -> None:
    """Among random players every seat would win about one game in three."""
    policy = policy_by_player({player: choose_in_maria}, plain.choose)
    assert wins(load_rules(Terms("advanced")), policy, 6, player, 5) == 5


@pytest.mark.parametrize(
    ("attacker", "games", "least"), [("elisabeth", 6, 3), ("maria-theresa", 12, 10), ("pompadour", 6, 4)]
)
def test_sensible_attackers_beat_a_random_prussia(attacker: str, games: int, least: int) -> None:
    """Among random players none of them ever wins: Frederick outlasts them."""
    policy = policy_by_player({attacker: choose_in_friedrich}, plain.choose)
    assert wins(load_friedrich(FriedrichTerms()), policy, games, attacker, least) == least


def test_a_sensible_prussia_holds_out_where_a_random_one_falls() -> None:
    """Against a sensible attacker Frederick's own play decides."""
    rules = load_friedrich(FriedrichTerms("austria"))
    by_chance = policy_by_player({"frederick": plain.choose}, choose_in_friedrich)
    assert wins(rules, by_chance, 2, "frederick") == 0
    assert wins(rules, choose_in_friedrich, 5, "frederick", 2) == 2


def test_every_level_has_its_bot() -> None:
    assert sensible_policy("maria") is choose_in_maria
    assert sensible_policy("friedrich") is choose_in_friedrich
    assert bot_named("strong", "maria") is not choose_in_maria
    assert bot_named("random", "maria") is plain.choose
    for bot in BOTS:
        assert callable(bot_named(bot, "friedrich"))


@pytest.mark.parametrize(("bot", "worlds"), [("strong", 4), ("strong:1", 1), ("strong:64", 64)])
def test_as_many_worlds_are_imagined_as_a_bot_is_told(bot: str, worlds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    values = (2, 5, 9)
    table, decision = duel_of_maria([card_of(HEARTS, value, 0) for value in values], -1)
    seen: list[str] = []

    def noted(table: Table, own: Collection[str], seed: str) -> Table:
        seen.append(seed)
        return imagine_world(table, own, seed)

    monkeypatch.setattr("pbem.bots.table.imagine_world", noted)
    bot_named(bot, "maria")(table, decision, Random(1))
    assert len(set(seen)) == worlds


HEARTS = 2


@pytest.mark.parametrize(
    ("values", "score", "expected"),
    [
        pytest.param((3, 9), -2, 3, id="the smallest card that turns the score"),
        pytest.param((2, 10), -3, 10, id="a greater one where the smallest does not do it"),
        pytest.param((), -2, None, id="nothing to play"),
    ],
)
def test_cards_are_played_sparingly(values: tuple[int, ...], score: int, expected: int | None) -> None:
    table, decision = duel_of_maria([card_of(HEARTS, value, 0) for value in values], score)
    answer = play_card(see_maria(table, decision.power).sight, decision, Random(1))
    assert answer == (Stop() if expected is None else Play(card_of(HEARTS, expected, 0)))


def test_a_reserve_is_kept_while_another_card_does_it() -> None:
    reserve = card_of(RESERVE, 1, 0)
    table, decision = duel_of_maria([card_of(HEARTS, 4, 0), reserve], -3)
    answer = play_card(see_maria(table, decision.power).sight, decision, Random(1))
    assert isinstance(answer, Play)
    assert value_of(answer.card) == 4


def duel_of_maria(hand: list[int], score: int) -> tuple[Table, PlayCard]:
    """A combat in which the enemy holds no cards."""
    for seed in range(50):
        table, _ = start(Terms(), seed)
        chance = chance_of(Terms(), seed)
        while table.state.phase != "over":
            decision = game.decisions(table)[0]
            if isinstance(decision, PlayCard) and decision.suit == HEARTS and not decision.must:
                for power in table.rules.powers:
                    table.state.cards.hands[power] = hand if power == decision.power else []
                return table, PlayCard(decision.power, score, HEARTS, tuple(hand), must=False)
            game.apply(table, decision.power, choose_in_maria(table, decision, chance))
    raise AssertionError("nobody fights")


def test_hunger_grows_with_the_distance_and_is_worse_for_who_is_down() -> None:
    table, _ = random_play.start(FriedrichTerms(), 1)
    sight = see_friedrich(table, "russia").sight
    general = sight.common.generals("russia")[0]
    supply = sight.common.limits.supply
    assert hunger(sight, general, supply) == 0
    assert 0 < hunger(sight, general, supply + 1) < hunger(sight, general, supply + 3)
    standing = hunger(sight, general, supply + 1)
    alter(sight.field, general, down=True)
    assert hunger(sight, general, supply + 1) > standing


def test_a_train_is_worth_more_beside_its_generals_than_far_behind() -> None:
    table, _ = random_play.start(FriedrichTerms(), 1)
    outlook = see_friedrich(table, "russia")
    judge, sight = PlaceValues(outlook.sight, aims_of(outlook)), outlook.sight
    train = sight.common.trains("russia")[0]
    far = sight.common.board.distance(sight.place(sight.common.generals("russia")[0]))
    cities = range(len(sight.common.board.cities))
    assert train_worth(judge, train, min(cities, key=lambda city: far[city])) > train_worth(
        judge, train, max((city for city in cities if far[city] < 255), key=lambda city: far[city])
    )


@pytest.mark.parametrize("apart", [0.0, 1.0, 1e6])
def test_a_general_leaves_his_stack_as_far_as_his_own_march_counts(apart: float) -> None:
    """The sensible bot keeps stacks together while they have anywhere to go."""
    table, _ = random_play.start(FriedrichTerms(), 1)
    outlook = see_friedrich(table, "russia", FriedrichWeights(apart=apart, whim=0.0))
    judge, stack = PlaceValues(outlook.sight, aims_of(outlook)), table.rules.common.generals("russia")[:2]
    assert len({outlook.sight.place(general) for general in stack}) == 1
    together = best_march(judge, stack, Random(1))
    alone = [best_march(judge, (general,), Random(1)) for general in stack]
    best = max((march for march in alone if march), key=lambda march: march.gain)
    assert together
    expected = best if apart * best.gain > together.gain else together
    assert best_of_stack(judge, stack, Random(1)) == expected
    assert (expected is best) == (apart > 1)


def test_a_train_shuns_places_where_it_would_be_taken_as_far_as_that_counts() -> None:
    table, _ = random_play.start(FriedrichTerms(), 1)
    train = table.rules.common.trains("russia")[0]
    usual, wary = (see_friedrich(table, "russia", FriedrichWeights(seized=each)) for each in (0.0, 9.0))
    common, found = usual.sight.common, set()
    hostile = [usual.sight.place(general) for general in (*common.generals("prussia"), *common.generals("hanover"))]
    for city in range(len(common.board.cities)):
        here, there = (train_worth(PlaceValues(each.sight, aims_of(each)), train, city) for each in (usual, wary))
        near = min(common.board.distance(city)[enemy] for enemy in hostile) <= common.limits.general_march
        assert here - there == pytest.approx(9.0 if near else 0.0)
        found.add(near)
    assert found == {True, False}


def test_a_train_shuns_cities_that_an_enemy_can_enter_with_all_pieces_where_they_stand() -> None:
    table, _ = random_play.start(FriedrichTerms(), 1)
    train = table.rules.common.trains("russia")[0]
    usual, wary = (see_friedrich(table, "russia", FriedrichWeights(captured=each)) for each in (0.0, 40.0))
    common, judge = usual.sight.common, PlaceValues(usual.sight, aims_of(usual))
    enemies = [
        each for power in ("prussia", "hanover") for each in common.generals(power) if usual.sight.place(each) >= 0
    ]
    entered = {city for each in enemies for city in destinations(column_of(table, (each,)))}
    assert judge.open_to_enemies == entered
    for city in range(len(common.board.cities)):
        here, there = (train_worth(PlaceValues(each.sight, aims_of(each)), train, city) for each in (usual, wary))
        assert here - there == pytest.approx(40.0 if city in entered else 0.0)


def test_no_general_counts_on_a_train_in_a_city_that_it_shuns() -> None:
    table, _ = random_play.start(FriedrichTerms(), 1)
    common, found = table.rules.common, set()
    for power in ("prussia", "russia", "austria", "france"):
        for train in common.trains(power):
            for captured in (0.0, 40.0):
                seen = see_friedrich(table, power, FriedrichWeights(captured=captured))
                general = next(each for each in common.generals(power) if seen.sight.place(each) >= 0)
                judge = PlaceValues(seen.sight, aims_of(seen))
                posts = MarchValues(judge, (general,)).posts_of(train)
                is_counted = not judge.open_to_enemies.isdisjoint(set(posts) - {seen.sight.place(train)})
                assert not (captured and is_counted)
                found.add((captured, is_counted))
    assert found == {(0.0, True), (0.0, False), (40.0, False)}


def asked_to_lead_a_retreat(scenario: str, seed: str) -> tuple[Table, ChooseRetreat]:
    """A table of MARIA at which France's player chooses between several ends of a retreat."""
    table = game_until(lambda _, asked: isinstance(asked, ChooseRetreat) and len(asked.ends) > 1, scenario, seed).table
    (decision,) = game_of(table).decisions(table)
    assert isinstance(table, Table)
    assert isinstance(decision, ChooseRetreat)
    return table, decision


def end_chosen(table: Table, decision: ChooseRetreat) -> City:
    answer = sensible_policy("maria")(table, decision, Random(1))
    assert isinstance(answer, RetreatAlong)
    return answer.path[-1]


@pytest.mark.parametrize(
    ("scenario", "seed"), [("introductory", "a8"), ("introductory", "a11"), ("advanced", "a3")], ids=lambda each: each
)
def test_beaten_enemies_are_led_where_they_can_enter_few_unprotected_fortresses(scenario: str, seed: str) -> None:
    table, decision = asked_to_lead_a_retreat(scenario, seed)
    rules, field = table.rules.common, table.state.field
    beaten = rules.pieces[decision.pieces[0]].power
    prey = [
        city
        for city in rules.board.fortresses
        if is_held_by_enemy(rules, field, city, beaten) and not is_protected(rules, field, city)
    ]
    reach = rules.limits.general_march
    entered = {end: sum(rules.board.distance(end)[city] <= reach for city in prey) for end in decision.ends}
    assert len({*entered.values()}) > 1
    assert entered[end_chosen(table, decision)] == min(entered.values())


@pytest.mark.parametrize("seed", ["a14", "a20", "a49"])
def test_beaten_enemies_are_led_where_a_fortress_falls_that_they_leave(seed: str) -> None:
    table, decision = asked_to_lead_a_retreat("advanced", seed)
    rules, field, found = table.rules.common, table.state.field, 0
    for city in rules.board.fortresses:
        field.questions = {city: decision.power}
        ends = falling_behind(rules, field, decision.pieces, decision.ends).get(city, [])
        if 0 < len(ends) < len(decision.ends):
            assert end_chosen(table, decision) in ends
            found += 1
    assert found


@pytest.mark.parametrize(
    ("wanted", "lost", "back"), [(1, 1, 0), (1, 2, 1), (2, 1, 1), (2, 2, 2)], ids=lambda count: str(count)
)
def test_as_many_lost_trains_come_back_as_are_wanted(wanted: int, lost: int, back: int) -> None:
    table, _ = random_play.start(FriedrichTerms(), 1)
    trains = table.rules.common.trains("france")
    for train in trains[:lost]:
        alter(table.state.field, train, city=OFF)
    table.state.cards.hands["france"] = [card_of(HEARTS, 13, deck) for deck in range(4)]
    answer = recruit(
        see_friedrich(table, "france", FriedrichWeights(trains=wanted)), levy_of(table, "france"), Random(1)
    )
    assert isinstance(answer, Recruitment)
    assert len(set(answer.entries.values())) == len(answer.entries) == back
    check_recruits(table, levy_of(table, "france"), answer)


@pytest.mark.parametrize(
    ("others", "is_lost"),
    [({}, True), ({"Daun": "Kuttenberg, 3"}, False), ({"prussia train 1": "Kuttenberg"}, False)],
    ids=["starving", "with a battle ahead", "supplied"],
)
def test_no_troops_are_bought_for_a_general_whom_this_supply_phase_removes(
    others: dict[str, str], *, is_lost: bool
) -> None:
    pieces = dict.fromkeys(("prussia train 1", "prussia train 2"), "off")
    place: dict[str, object] = {"game": "friedrich", "turn": 3, "stage": "prussia", "phase": "recruiting"}
    place["pieces"] = {"Schwerin": "Kolin, 1, face-down", **pieces, **others}
    place["hands"] = {"prussia": ["♥13", "♥12", "♥11", "♥10"]}
    table = load_position(write(place).encode(), "starving.yaml")
    answer = recruit(see_friedrich(table, "prussia", FriedrichWeights(trains=0)), levy_of(table, "prussia"), Random(1))
    assert isinstance(answer, Recruitment)
    given = {table.rules.common.pieces[general].name for general in answer.troops}
    assert given - {"Schwerin"}
    assert ("Schwerin" in given) is not is_lost


@pytest.mark.parametrize(
    ("bots", "wrong"),
    [
        ("louis=clever", "clever"),
        ("pompadour=random", "pompadour"),
        ("clever", "clever"),
        ("louis=random,louis=sensible", "louis is named twice"),
        ("strong:0", "from 1 to 64"),
        ("louis=strong:65", "from 1 to 64"),
        ("strong:04", "from 1 to 64"),
        ("strong:", "from 1 to 64"),
        ("sensible:8", "from 1 to 64"),
    ],
)
def test_unknown_bots_and_seats_are_named(bots: str, wrong: str) -> None:
    found = CliRunner().invoke(main, ["simulate", "--games", "1", "--bots", bots])
    assert found.exit_code == 2
    assert wrong in found.output


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("Games: 1", "decisions a game", "bot: player-a", "won: ", "last turn: 9")),
        ("de", ("Partien: 1", "Entscheidungen je Partie", "Bot: player-a", "Siege: ", "letzte Runde: 9")),
        ("es", ("Partidas: 1", "decisiones por partida", "bot: player-a", "victorias: ", "último turno: 9")),
        ("it", ("Partite: 1", "decisioni per partita", "bot: player-a", "vittorie: ", "ultimo turno: 9")),
    ],
)
def test_what_was_counted_is_told_in_the_language_of_its_reader(language: str, told: tuple[str, ...]) -> None:
    found = CliRunner().invoke(main, ["simulate", "--players", "2", "--games", "1", "--language", language])
    assert [each for each in told if each not in found.stdout] == []


def test_a_beginner_gives_most_of_the_sensible_answers_and_always_the_same() -> None:
    table, _ = start(Terms("advanced"), 1)
    beginner, sensible = bot_named("beginner", "maria"), bot_named("sensible", "maria")
    same = asked = 0
    chance = Random(1)
    while table.state.phase != "over" and asked < 200:
        decision = game.decisions(table)[0]
        seed = chance.random()
        answer, again = (beginner(table, decision, Random(seed)) for _ in range(2))
        assert answer == again
        same += answer == sensible(table, decision, Random(seed))
        asked += 1
        game.apply(table, decision.power, answer)
    assert 0.6 * asked < same < asked


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (None, "sensible"),
        ("beginner", "beginner"),
        ("b=random", "sensible"),
        ("Strong: 9", "strong:9"),
        ("a=strong:9", "strong:9"),
    ],
)
def test_seats_that_are_not_named_have_another_bot(written: str | None, expected: str) -> None:
    assert line_up(("a", "b"), written, "sensible")["a"] == expected


def test_seated_players_answer_each_for_themselves() -> None:
    """A player's decisions go to its own policy, everybody else's to the other."""
    table, _ = start(Terms(), 1)
    asked: list[str] = []

    def noting(table: Table, decision: Decision, chance: Random) -> Answer:
        asked.append(decision.power)
        return plain.choose(table, decision, chance)

    policy = policy_by_player({"frederick": noting}, plain.choose)
    for decision in game.decisions(table):
        policy(table, decision, Random(1))
    assert asked == ["prussia", "saxony"]
