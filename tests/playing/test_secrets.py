"""Nothing that is shown depends on secrets: positions dealt anew show the same."""

from __future__ import annotations

from random import Random

import pytest

from pbem.engine.decisions import Decision
from pbem.engine.nouns import each_piece
from pbem.engine.table import Table
from pbem.playing.game import PlayedGame, choices
from pbem.playing.page import Page
from tests.twins import with_other_secrets

from .test_choices import GAMES, begun


def shown(played: PlayedGame, decision: Decision, language: str, capsys: pytest.CaptureFixture[str]) -> str:
    """All that can be asked for, at one question."""
    page = Page(played, language)
    page.ask(decision, dict(enumerate(choices(played.table, decision, language))), is_new=True)
    page.hint(())
    pieces = [piece for piece, at in each_piece(played.table.state.field.pieces) if at.city >= 0]
    page.hint((played.rules.common.pieces[pieces[-1]].name,))
    page.show("")
    page.tell_outcome(played.advice(decision))
    page.tell_change(begun_alike(played), played.table, played.powers)
    return capsys.readouterr().out


def begun_alike(played: PlayedGame) -> Table:
    """The same game at its beginning."""
    return PlayedGame(played.rules, played.setup).table


@pytest.mark.parametrize(("game", "scenario", "seat", "language"), GAMES)
def test_the_same_is_shown_whatever_others_hold(
    game: str, scenario: str, seat: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    played, chance = begun(game, scenario, seat), Random(seat)
    for number in range(24):
        decision = played.question()
        if decision is None:
            break
        if number % 3 == 0:
            table, here = played.table, shown(played, decision, language, capsys)
            played.table = with_other_secrets(table, played.powers, chance)
            assert shown(played, decision, language, capsys) == here
            played.table = table
        played.take(decision.power, played.advice(decision).answer)
