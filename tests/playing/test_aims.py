"""Aims of bots, told afterwards: true to what was computed, and not before the stage is over."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pbem.bots.plain import game_bots
from pbem.bots.table import best_policy
from pbem.desk.practice import Practice
from pbem.desk.steps import Walk
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Move
from pbem.engine.events import StageBegan
from pbem.kit import game_of
from pbem.player.names import new_table
from pbem.playing.aims import aim_sentences
from pbem.playing.game import PlayedGame
from pbem.playing.page import Page
from pbem.playing.saved import Setup
from pbem.report.language.templates import languages
from tests.twins import with_other_secrets

SEATS = {"maria": "louis", "friedrich": "frederick"}


def played(game: str, level: str, answers: int = 40) -> PlayedGame:
    """A game in which a person has answered as the best bot would."""
    rules = new_table({"game": game}).rules
    bots = {seat: level for seat in rules.seats if seat != SEATS[game]}
    found, policy = PlayedGame(rules, Setup({"game": game}, "aims", SEATS[game], bots)), best_policy(game)
    for number in range(answers):
        decision = found.question()
        assert decision
        found.take(decision.power, policy(found.table, decision, Random(number)))
    return found


@pytest.mark.parametrize("game", SEATS)
def test_bots_say_in_every_language_what_they_were_after(game: str) -> None:
    found = played(game, "strong")
    told = found.aims.told
    assert {each.power for each in told} >= {power for power in found.rules.powers if not found.is_own(power)} - {
        "saxony"
    }
    for language in languages():
        lines = [*aim_sentences(found.rules, told, language)]
        assert len(lines) == len(told)
        assert all(line.endswith(".") and "{" not in line and line[0].isupper() for line in lines)


@pytest.mark.parametrize("level", ["random", "beginner"])
def test_who_answers_by_chance_was_after_nothing(level: str) -> None:
    assert played("maria", level, 12).aims.told == []


def test_nothing_is_told_before_the_stage_is_over() -> None:
    """Every aim stands at the beginning of the next stage, and is of a power that marched in the one before."""
    found = played("friedrich", "strong")
    starts = [place for place, event in enumerate(found.heard) if isinstance(event, StageBegan)]
    assert found.aims.told
    for each in found.aims.told:
        assert each.after in starts
        begun = max(start for start in starts if start < each.after)
        assert any(each.power in told_powers(found, event) for event in found.heard[begun : each.after])


def told_powers(found: PlayedGame, event: Any) -> set[str]:
    """Powers whose pieces an event names."""
    return {found.rules.common.pieces[piece].power for piece in getattr(event, "pieces", ())}


def test_aims_are_those_that_decided_and_tell_no_secret_of_others() -> None:
    """Held against the march itself, and in a world in which all that the bot may not know is otherwise."""
    policy, chance, bots = best_policy("friedrich"), Random(3), game_bots("friedrich")
    table = new_table({"game": "friedrich"})
    game, seen = game_of(table), set()
    table, _ = game.start(table.rules, SeededDealer("aims"))
    far = table.rules.common.board.distance
    for _ in range(160):
        decision = game.decisions(table)[0]
        answer = policy(table, decision, chance)
        if isinstance(answer, Move) and (aim := bots.aims["strong"](table, decision.power, answer)):
            own = tuple(p for p in table.rules.powers if player(table, p) == player(table, decision.power))
            assert bots.aims["strong"](with_other_secrets(table, own, chance), decision.power, answer) == aim
            start, end = table.state.field.pieces[answer.pieces[0]].city, answer.path[-1]
            if aim.key == "aim-take":
                assert set(aim.cities) <= {start, *answer.path}
            if aim.key == "aim-reach":
                assert far(end)[aim.cities[0]] <= far(start)[aim.cities[0]]
            if aim.key == "aim-guard":
                assert all(far(end)[city] <= table.rules.common.limits.protection for city in aim.cities)
            seen.add(aim.key)
        game.apply(table, decision.power, answer)
    assert len(seen) > 2, seen


def player(table: Any, power: str) -> str:
    found: str = table.state.field.alliances.player[power]
    return found


def test_a_game_in_the_terminal_and_the_log_of_the_desk_tell_aims_once(capsys: pytest.CaptureFixture[str]) -> None:
    found = played("maria", "strong")
    found.question()
    sentences = [*aim_sentences(found.rules, found.new_aims, "en")]
    assert len(sentences) > 2
    Page(found, "en").tell_news()
    said = " ".join(capsys.readouterr().out.replace("\xa0", " ").split())
    assert [each for each in sentences if each.replace("\xa0", " ") not in said] == []
    assert found.new_aims == []
    walk = Walk(found.rules, Practice(found).course, "en")
    assert [aim for step in walk.steps for aim in step.aims] == sentences
    assert all(aim not in repr(step.told) for step in walk.steps for aim in step.aims)


def test_aims_are_found_again_when_a_saved_game_goes_on() -> None:
    found = played("maria", "strong", 10)
    again = PlayedGame(found.rules, found.setup, found.entries)
    assert again.aims.told == found.aims.told
