"""First lessons, and the outlook of a seat: what somebody is told who has never seen the game."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.desk.bridge import Bridge
from pbem.desk.lessons import lessons
from pbem.desk.outlook import aim_of
from pbem.desk.page import words
from pbem.desk.practice import rules_of, scenarios, terms_of
from pbem.engine.cards import SeededDealer
from pbem.engine.table import player_of
from pbem.games.maria.report.position import standing
from pbem.games.maria.rules.sequence import nearness
from pbem.games.maria.rules.state import affairs_of
from pbem.kit import game_named
from pbem.report.blocks import table_in_words
from pbem.resources import games
from tests.desk.test_desk import ask

BEYOND = {"maria": "Breslau", "friedrich": "Reichenbach"}
NEARER = {"maria": "Neusalz", "friedrich": "Rumburg"}


def begun(game: str, name: str) -> tuple[Bridge, dict[str, Any]]:
    bridge = Bridge("en")
    return bridge, ask(bridge, "learn", game, name)


def march(bridge: Bridge, lesson: dict[str, Any], piece: str, city: str) -> None:
    asked = next(each for each in lesson["laid"]["state"]["asked"] if each["data"].get("marches"))
    state = ask(bridge, "put", asked["power"], {asked["form"]["section"]: [{piece: city}]})
    assert [fault for fault in state["faults"] if fault["code"].startswith("E-")] == []


@pytest.mark.parametrize("game", games())
def test_a_march_is_learnt_with_the_train_that_feeds_it(game: str) -> None:
    bridge, lesson = begun(game, "march")
    names = lesson["names"]
    # The first question is a march, the only one, and few pieces stand there.
    assert len(lesson["laid"]["state"]["asked"]) == 1
    assert len(lesson["laid"]["state"]["pieces"]) <= 4
    assert ask(bridge, "learnt") == [False] * 5
    march(bridge, lesson, names["general"], names["goal"])
    assert ask(bridge, "learnt") == [True, True, False, False, False]
    march(bridge, lesson, names["train"], NEARER[game])
    assert ask(bridge, "learnt") == [True, True, True, False, False]
    ask(bridge, "go_on")
    assert ask(bridge, "learnt") == [True] * 5
    # A lesson is not a game with which one goes on.
    assert ask(bridge, "kept") is None


@pytest.mark.parametrize("game", games())
def test_whoever_leaves_the_train_behind_has_not_done_it(game: str) -> None:
    bridge, lesson = begun(game, "march")
    march(bridge, lesson, lesson["names"]["general"], lesson["names"]["goal"])
    ask(bridge, "go_on")
    assert ask(bridge, "learnt") == [True, True, False, True, True]


@pytest.mark.parametrize("game", games())
def test_a_fortress_is_taken_by_marching_through(game: str) -> None:
    bridge, lesson = begun(game, "fortress")
    general, fortress = lesson["names"]["general"], lesson["names"]["fortress"]
    march(bridge, lesson, general, fortress)
    assert ask(bridge, "learnt") == [True, False, False, False]
    ask(bridge, "undo")
    for city in behind(lesson, general):
        bridge, lesson = begun(game, "fortress")
        march(bridge, lesson, general, city)
        assert ask(bridge, "learnt") == [True, True, False, False]
        laid = ask(bridge, "go_on")
        assert ask(bridge, "learnt") == [True] * 4
        # Nobody has to learn to fight before the lesson about it.
        assert not any(each.get("fight") for each in laid["state"]["asked"]), city


def behind(lesson: dict[str, Any], general: str) -> list[str]:
    """All cities to which the general can march so that the fortress falls."""
    marches = [way for each in lesson["laid"]["state"]["asked"] for way in each["data"].get("marches", ())]
    found = [end["city"] for way in marches if way["pieces"] == [general] for end in way["to"] if end["conquers"]]
    assert found
    return found


@pytest.mark.parametrize("game", games())
def test_a_battle_can_be_won_with_the_cards_at_hand(game: str) -> None:
    bridge, lesson = begun(game, "battle")
    laid = lesson["laid"]
    assert laid["state"]["asked"][0]["fight"]["score"] < 0
    while fights := [each for each in laid["state"]["asked"] if each["fight"]]:
        asked = fights[0]
        leads = {card: after for card, after in asked["fight"]["after"].items() if after > 0}
        ask(bridge, "put", asked["power"], {asked["form"]["section"]: [min(leads, key=lambda card: leads[card])]})
        laid = ask(bridge, "go_on")
    # Whoever is beaten has still to go back, to where the winner chooses.
    assert ask(bridge, "learnt") == [True, True, False, False]
    [asked] = laid["state"]["asked"]
    way = asked["form"]["input"]["of"]["ways"][0]["write"]
    ask(bridge, "put", asked["power"], {asked["form"]["section"]: [way]})
    names, before = lesson["names"], places(lesson["laid"])
    found = ask(bridge, "go_on")
    assert ask(bridge, "learnt") == [True, True, True, True]
    # The board is as the lesson tells: nobody plays on, in whose stage the enemy might come back.
    assert places(found)[names["general"]] == before[names["general"]]
    assert places(found)[names["enemy"]] == way[-1] != before[names["enemy"]]


@pytest.mark.parametrize("game", games())
def test_whoever_stops_while_behind_is_told_that_the_battle_is_lost(game: str) -> None:
    bridge, lesson = begun(game, "battle")
    asked = lesson["laid"]["state"]["asked"][0]
    assert ask(bridge, "learnt") == [False, False, False, False]
    ask(bridge, "put", asked["power"], {asked["form"]["section"]: ["stop"]})
    found, enemy = ask(bridge, "go_on"), lesson["names"]["enemy"]
    assert ask(bridge, "learnt") == [False, False, False, True]
    assert places(found)[enemy] == places(lesson["laid"])[enemy]


def places(laid: dict[str, Any]) -> dict[str, str]:
    return {each["name"]: each["city"] for each in laid["state"]["pieces"]}


def influence(card: str) -> tuple[Bridge, list[dict[str, Any]]]:
    """Offer a card in the lesson on politics, and go on; return also what is asked then."""
    bridge, lesson = begun("maria", "politics")
    assert [each["form"]["section"] for each in lesson["laid"]["state"]["asked"]] == ["influence"]
    assert ask(bridge, "learnt") == [False] * 4
    ask(bridge, "put", "france", {"influence": card})
    assert ask(bridge, "learnt") == [True, False, False, False]
    return bridge, ask(bridge, "go_on")["state"]["asked"]


def test_whoever_has_most_influence_chooses_first() -> None:
    bridge, asked = influence("♠10")
    assert [each["data"]["cards"] for each in asked] == [[3, 5]]
    assert ask(bridge, "learnt") == [True, True, False, False]
    ask(bridge, "put", "france", {"politics": {"card": "3", "shifts": {"italy": "-1"}}})
    ask(bridge, "go_on")
    assert ask(bridge, "learnt") == [True] * 4


def test_a_low_trump_leaves_what_others_do_not_want() -> None:
    bridge, asked = influence("♠3")
    assert [each["data"]["cards"] for each in asked] == [[5]]
    assert ask(bridge, "learnt") == [True, True, False, False]


def test_without_a_trump_there_is_nothing_to_choose() -> None:
    bridge, asked = influence("♥9")
    assert not [each for each in asked if each["form"]["section"] == "politics"]
    assert ask(bridge, "learnt") == [True, True, False, True]


@pytest.mark.parametrize("game", games())
def test_what_is_played_after_a_lesson_is_what_it_has_taught(game: str) -> None:
    for name, lesson in lessons(game).items():
        bridge, taught = begun(game, name)
        start = taught["start"]
        assert start["title"] == ask(bridge, "scenarios")[game][start["scenario"]]
        ask(bridge, "play_now", game, start["seat"], start["scenario"])
        assert bridge.desk.table.rules.terms.scenario == start["scenario"]
        # A lesson on politics leads to the game that has any.
        assert bool(ask(bridge, "outlook")["display"]["tracks"]) == ("select" in lesson.steps)


def test_every_step_of_a_lesson_has_its_words() -> None:
    for known in words().values():
        for game in games():
            for name, lesson in lessons(game).items():
                wanted = [f"lesson-{name}", f"lesson-{name}-end", f"lesson-{name}-missed"]
                wanted += [f"lesson-{name}-{number}" for number, _ in enumerate(lesson.steps, 1)]
                assert [word for word in wanted if word not in known] == []


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_a_retreat_is_asked_for_before_the_victory_is_told(language: str) -> None:
    asked, *_ = words()[language]["lesson-battle-3"].split(". ")
    assert "{enemy}" in asked
    assert "|" in asked


def test_the_outlook_names_goal_friends_and_enemies() -> None:
    bridge = Bridge("en")
    ask(bridge, "practise", "maria", "introductory", "frederick", "random")
    found = ask(bridge, "outlook")
    assert "12 fortresses in Austria and Silesia" in found["aim"]
    [camp] = found["camps"]
    assert [each["name"] for each in camp["own"]] == ["Prussia", "Saxony"]
    assert [(each["name"], each["player"]) for each in camp["allies"]] == [("France", "Louis"), ("Bavaria", "Louis")]
    assert [each["name"] for each in camp["enemies"]] == ["Austria"]
    # Who plays on both sides has two camps.
    ask(bridge, "practise", "maria", "advanced", "frederick", "random")
    assert len(ask(bridge, "outlook")["camps"]) == 2
    ask(bridge, "practise", "friedrich", "four", "frederick", "random")
    assert "Russia, Sweden and France have left" in ask(bridge, "outlook")["aim"]
    assert not ask(bridge, "outlook")["camps"][0]["allies"]


def test_the_outlook_of_the_advanced_game_counts_the_markers_that_are_laid_out() -> None:
    """By the numbers with which bots count how near a player is to victory."""
    bridge = Bridge("en")
    ask(bridge, "practise", "maria", "advanced", "frederick", "random")
    table = bridge.desk.table
    table.state.field.markers, affairs_of(table).battle["prussia"] = {}, 7
    camps = ask(bridge, "outlook")["camps"]
    found = {each["power"]: each["progress"] for camp in camps for part in camp.values() for each in part}
    laid = {power: progress.split("/") for power, progress in found.items() if progress}
    assert set(laid) == {"prussia", "france", "pragmatic", "austria"}
    assert laid["prussia"] == ["7", str(table.rules.game.advanced.markers["prussia"])]
    for player, near in nearness(table).items():
        own = [int(held) / int(most) for power, (held, most) in laid.items() if player_of(table, power) == player]
        assert max(own) == pytest.approx(near)


def test_a_power_of_the_reader_is_no_other_players_though_it_fights_on_the_other_side() -> None:
    bridge = Bridge("en")
    ask(bridge, "practise", "maria", "advanced", "frederick", "random")
    camps = ask(bridge, "outlook")["camps"]
    against = {each["power"]: each["player"] for camp in camps for each in camp["enemies"]}
    assert against["pragmatic"] == against["prussia"] == ""
    assert against["austria"] == "Maria Theresa"
    assert all(known["goal-also-own"] for known in words().values())


@pytest.mark.parametrize(("language", "markers"), [("en", "markers left"), ("de", "Markern übrig")])
def test_the_outlook_of_the_advanced_game_has_markers_and_tracks(language: str, markers: str) -> None:
    table, _ = game_named("maria").start(rules_of(terms_of("maria", "advanced")), SeededDealer("tracks"))
    told = "\n".join(standing(table_in_words(table, language), language))
    assert told.count(markers) == 4
    assert told.count("■") == 3
    table, _ = game_named("maria").start(rules_of(terms_of("maria", "introductory")), SeededDealer("tracks"))
    assert standing(table, language) == ()


@pytest.mark.parametrize("game", games())
def test_every_seat_has_a_goal_in_every_language(game: str) -> None:
    known = words()
    for scenario in scenarios("en")[game]:
        rules = rules_of(terms_of(game, scenario))
        table, _ = game_named(game).start(rules, SeededDealer("goal"))
        aims = {(seat, each): aim_of(table, own, each, True) for seat, own in rules.seats.items() for each in known}
        assert all(aim.endswith(".") for aim in aims.values())
        # In the advanced game all play for the same; whoever leads the Pragmatic Army is told what that is.
        assert len(set(aims.values())) == len(known) * (2 if scenario == "advanced" else len(rules.seats))
