"""Every choice that has a number is taken, and what a bot advises can be typed: in whole games of all kinds."""

from __future__ import annotations

from random import Random

import pytest

from pbem.engine.decisions import Recruitment
from pbem.games.friedrich.rules.decisions import Levy
from pbem.kit import game_of
from pbem.paper.positions.files import load_position
from pbem.player.names import new_table
from pbem.playing.game import PlayedGame, choices, only_choice, reply_to, typed_form
from pbem.playing.saved import Entry, Setup

GAMES = [
    ("maria", "advanced", "frederick", "de"),
    ("maria", "silesia-gambit", "maria-theresa", "it"),
    ("friedrich", "four", "elisabeth", "es"),
    ("friedrich", "four", "frederick", "en"),
]


def begun(game: str, scenario: str, seat: str, seed: str = "choices") -> PlayedGame:
    """A game against bots."""
    terms = {"game": game, "scenario": scenario}
    rules = new_table(terms).rules
    return PlayedGame(rules, Setup(terms, seed, seat, dict.fromkeys(set(rules.seats) - {seat}, "sensible")))


def nothing_more() -> str:
    """No further line."""
    return ""


@pytest.mark.parametrize(("game", "scenario", "seat", "language"), GAMES)
def test_every_choice_is_taken(game: str, scenario: str, seat: str, language: str) -> None:
    played, chance, asked = begun(game, scenario, seat), Random(seat), 0
    while asked < 30 and (decision := played.question()):
        asked += 1
        table, entries = played.table, list[Entry]()
        texts = [choice.text for choice in choices(table, decision, language)]
        texts += [only] if (only := only_choice(table, decision)) else []
        for text in texts:
            (entry,) = reply_to(table, decision, played.powers, text, nothing_more).entries
            entries.append(entry)
        advice = played.advice(decision)
        text = typed_form(table, decision.power, advice.answer, language)
        (entry,) = reply_to(table, decision, played.powers, text, nothing_more).entries
        assert entry.answer == advice.answer
        entry = chance.choice(entries)
        played.take(entry.power, entry.answer)
    assert asked > 20


def test_a_game_follows_from_its_answers() -> None:
    played = begun("maria", "advanced", "louis")
    for _ in range(20):
        decision = played.question()
        assert decision
        played.take(decision.power, played.advice(decision).answer)
    again = PlayedGame(played.rules, played.setup, played.entries)
    assert again.table.state == played.table.state
    assert again.firm == played.firm
    assert again.question() == played.question()
    assert again.entries == played.entries


def test_recruits_have_choices_and_may_be_left() -> None:
    played = begun("friedrich", "four", "frederick")
    while (decision := played.question()) and not isinstance(decision, Levy):
        played.take(decision.power, played.advice(decision).answer)
    assert isinstance(decision, Levy)
    texts = [choice.text for choice in choices(played.table, decision, "en")]
    assert texts[0] == "none"
    assert any(text.startswith("troops: ") for text in texts)
    (entry,) = reply_to(played.table, decision, played.powers, "done", nothing_more).entries
    assert entry.answer == Recruitment()


def test_a_city_whose_name_must_be_quoted_can_be_chosen_and_advised() -> None:
    stage = "turn: 1\nscenario: advanced\nstage: france\nphase: movement\nbegun: yes\nowing: [france]\n"
    position = f"{stage}pieces: {{france train 1: Gorinchem, Moritz: Eindhoven}}\n"
    table = load_position(position.encode(), "position")
    (decision,) = game_of(table).decisions(table)
    texts = [choice.text for choice in choices(table, decision, "en") if choice.text.startswith("train 1")]
    assert texts == ['train 1: "\'s-Hertogenbosch"']
    (entry,) = reply_to(table, decision, (decision.power,), texts[0], nothing_more).entries
    assert typed_form(table, decision.power, entry.answer, "en") == f"france {texts[0]}"
