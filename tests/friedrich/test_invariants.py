"""Positions that cannot be, each found; and the sections that refusals and problems name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from pbem.bots.plain import choose
from pbem.engine.decisions import Move, Pairing
from pbem.engine.field import mark
from pbem.engine.rules import IllegalOrder
from pbem.engine.troops import Retreat
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.invariants import problems
from pbem.games.friedrich.rules.state import Result, Table
from tests.friedrich.fate_table import city, place
from tests.friedrich.random_play import EVERY, answers, chance_of, start, twin


@cache
def position_in_play() -> Table:
    """A game in the middle of Prussia's movement in the third turn."""
    table, _ = start(EVERY[0], 7)
    for power, answer in answers(table, chance_of(EVERY[0], 7), choose, transfers=0):
        if (table.state.turn, table.state.stage, table.state.phase) == (3, "prussia", "movement"):
            return table
        game.apply(table, power, answer)
    raise AssertionError("no third turn")


def position() -> Table:
    """The same once more."""
    return twin(position_in_play())


def crowd(table: Table) -> None:
    """Four generals in a city."""
    for name in ("Keith", "Schwerin", "Heinrich", "Dohna"):
        place(table, name, "Rendsburg", 1)


def faces(table: Table) -> None:
    """Two facings in a stack."""
    place(table, "Keith", "Rendsburg", 1)
    place(table, "Schwerin", "Rendsburg", 1, down=True)


def strangers(table: Table) -> None:
    """Allies in a stack."""
    place(table, "Keith", "Rendsburg", 1)
    place(table, "Ferdinand", "Rendsburg", 1)


def marker(table: Table) -> None:
    """A marker on another's objective."""
    mark(table.state.field, city(table, "Leipzig"), "russia")


def question(table: Table) -> None:
    """A question mark of a power that is not active."""
    table.state.field.questions[city(table, "Leipzig")] = "imperial"


def troops(table: Table) -> None:
    """More troops than the power began with."""
    place(table, "Ehrensvärd", "Stralsund", 5)


def lost_card(table: Table) -> None:
    """A card that is nowhere."""
    table.state.cards.hands["prussia"].pop()


def lost_fate(table: Table) -> None:
    """A Card of Fate that is nowhere."""
    table.state.fate.deck.pop()


def left(table: Table) -> None:
    """A power that has left and is still there."""
    table.state.fate.quit.append("sweden")


def owing(table: Table) -> None:
    """Another than the active power owes an answer."""
    table.state.owing = ["russia"]


def moved(table: Table) -> None:
    """A piece of another power has moved."""
    table.state.moved = [place(table, "Daun", "Brünn", 1)]


def attack(table: Table) -> None:
    """An attack in the movement phase, from nowhere on nobody."""
    table.state.battles = [Pairing(0, 1)]


def retreat(table: Table) -> None:
    """A retreat of nobody."""
    table.state.retreat = Retreat(0, 3, "austria", 1)


def drawn(table: Table) -> None:
    """Cards to set aside after the cards phase."""
    table.state.drawn = table.state.cards.hands["prussia"][:1]


def over(table: Table) -> None:
    """A result in a game that goes on."""
    table.state.result = Result("frederick", "survival", {})


def stage(table: Table) -> None:
    """A stage of nobody."""
    table.state.stage = "poland"


def change(**parts: object) -> Callable[[Table], None]:
    """Set parts of the state."""

    def spoil(table: Table) -> None:
        for name, value in parts.items():
            setattr(table.state, name, value)

    return spoil


def russian_cards(table: Table) -> None:
    """Cards to set aside of a power that keeps all."""
    change(phase="cards", stage="russia", owing=["russia"], drawn=table.state.cards.hands["russia"][:1])(table)


def vain_question(table: Table) -> None:
    """A question mark of the active power where it has nothing to conquer."""
    table.state.field.questions[city(table, "Berlin")] = "prussia"


def out_with_cards(table: Table) -> None:
    """The active power has left and still has its cards."""
    table.state.fate.quit.append("prussia")


@pytest.mark.parametrize(("spoil", "rule", "key"), [
    (crowd, "§6", "E-POSITION.stack"),
    (faces, "§9", "E-POSITION.facing"),
    (strangers, "§6", "E-POSITION.strangers"),
    (marker, "§5", "E-POSITION.objective"),
    (question, "§5", "E-POSITION.question-stage"),
    (troops, "§6", "E-POSITION.began-with"),
    (lost_card, "§3", "E-POSITION.cards-missing"),
    (lost_fate, "§11", "E-POSITION.fate"),
    (left, "§11", "E-POSITION.out"),
    (owing, "§2", "E-POSITION.owing-active"),
    (moved, "§4", "E-POSITION.moved-active"),
    (attack, "§7", "E-POSITION.attack-phase"),
    (retreat, "§8", "E-POSITION.retreat-nobody"),
    (drawn, "§3", "E-POSITION.drawn"),
    (over, "§12", "E-POSITION.result"),
    (stage, "§2", "E-POSITION.stage"),
    (change(turn=0), "§2", "E-POSITION.no-turn"),
    (change(phase="clock"), "§2", "E-POSITION.phase"),
    (change(owing=["prussia", "prussia"]), "§2", "E-POSITION.owing-nobody"),
    (change(phase="combat"), "§2", "E-POSITION.owing-phase"),
    (change(begun=False), "§2", "E-POSITION.not-begun"),
    (change(phase="cards", drawn=[]), "§3", "E-POSITION.drawn"),
    (change(phase="cards", drawn=[9999]), "§3", "E-POSITION.drawn-hand"),
    (russian_cards, "§3", "E-POSITION.drawn-all"),
    (change(phase="cards", moved=[0]), "§4", "E-POSITION.moved-outside"),
    (change(moved=[9999]), "§4", "E-POSITION.moved-unknown"),
    (change(moved=[1, 0]), "§4", "E-POSITION.moved-order"),
    (change(reinforced=[9999]), "§10", "E-POSITION.reinforced"),
    (change(substitute=9999), "§10", "E-POSITION.substitute"),
    (change(battles=[Pairing(0, 1)] * 2), "§7", "E-POSITION.attack-twice"),
    (change(result=Result("nobody", "survival", {})), "§12", "E-POSITION.winners"),
    (vain_question, "§5", "E-POSITION.question-objective"),
    (out_with_cards, "§11", "E-POSITION.out-cards"),
    (out_with_cards, "§11", "E-POSITION.out-acting"),
])  # fmt: skip
def test_what_cannot_be_is_found(spoil: Callable[[Table], None], rule: str, key: str) -> None:
    table = position()
    assert problems(table) == []
    spoil(table)
    found = problems(table)
    assert (rule, key) in {(problem.rule, problem.wrong.message.key) for problem in found}, found


def test_refusals_name_the_sections_of_this_rule_book() -> None:
    table = position()
    keith = place(table, "Keith", "Rendsburg", 1)
    with pytest.raises(IllegalOrder) as refusal:
        game.apply(table, "prussia", Move((keith,), (city(table, "Berlin"),)))
    assert (refusal.value.rule, refusal.value.code) == ("§4", "E-MARCH-ROAD")
    assert "(§4)" in str(refusal.value)
