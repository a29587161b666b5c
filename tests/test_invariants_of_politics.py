"""Impossible positions of the advanced game and the Silesia Gambit: sound ones, each spoiled in one way."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from pbem.engine.field import alliances_with, alter
from pbem.games.maria.rules.invariants import problems
from pbem.games.maria.rules.invariants_of_politics import political_problems
from pbem.games.maria.rules.state import (
    Affairs,
    ArriveTask,
    Contract,
    CorpsTask,
    Gambit,
    RelocateTask,
    Table,
    affairs_of,
)
from pbem.paper.positions.files import load_position
from tests.play import twin

Spoil = Callable[[Table], object]


@cache
def sound(scenario: str) -> Table:
    """A sound position; it is copied before it is spoiled."""
    found = load_position(f"scenario: {scenario}\nturn: 3\nstage: prussia\nphase: movement\n".encode(), "position")
    assert isinstance(found, Table)
    return found


def affairs(spoil: Callable[[Affairs], object]) -> Spoil:
    """Spoil the affairs."""
    return lambda table: spoil(affairs_of(table))


def set_to(**parts: object) -> Spoil:
    """Set parts of the affairs."""
    return affairs(lambda found: [setattr(found, name, value) for name, value in parts.items()])


def gambit(**parts: object) -> Spoil:
    """Set parts of the Silesia Gambit."""

    def spoil(table: Table) -> None:
        assert isinstance(table.state.gambit, Gambit)
        for name, value in parts.items():
            setattr(table.state.gambit, name, value)

    return spoil


def tasks(*found: object) -> Spoil:
    """Give the game something to settle."""
    return lambda table: setattr(table.state, "tasks", list(found))


def neutral_saxony(abroad: bool) -> Spoil:
    """Saxony is neutral, and its first general stands in Wien, or Austria's in Dresden."""

    def spoil(table: Table) -> None:
        rules, field = table.rules.common, table.state.field
        field.alliances = alliances_with(field.alliances, side={"saxony": ""})
        general = rules.generals("saxony" if abroad else "austria")[0]
        alter(field, general, city=rules.board.index["Wien" if abroad else "Dresden"])
        alter(field, general, troops=1)

    return spoil


def general(table: Table) -> int:
    """A general on the map."""
    return next(g for g in table.rules.common.generals("prussia") if table.state.field.pieces[g].city >= 0)


SPOILED: list[tuple[str, str, Spoil]] = [
    ("advanced", "E-POSITION.tracks", affairs(lambda found: found.tracks.pop("saxony"))),
    ("advanced", "E-POSITION.track-box", affairs(lambda found: found.tracks.update(saxony=99))),
    ("advanced", "E-POSITION.political-cards", affairs(lambda found: found.deck.append(found.deck[0]))),
    ("advanced", "E-POSITION.political-cards", affairs(lambda found: found.open.append(found.deck[0]))),
    ("advanced", "E-POSITION.political-years", affairs(lambda found: found.deck.reverse())),
    ("advanced", "E-POSITION.battle-powers", affairs(lambda found: found.battle.pop("prussia"))),
    ("advanced", "E-POSITION.battle-boxes", affairs(lambda found: found.battle.update(prussia=99))),
    ("advanced", "E-POSITION.victory-box", affairs(lambda found: found.special.update(silesia="austria"))),
    ("advanced", "E-POSITION.electors", affairs(lambda found: found.special.update(electors="france"))),
    ("advanced", "E-POSITION.set-aside", set_to(set_aside={"prussia": 1})),
    ("advanced", "E-POSITION.peace", set_to(annexed=9)),
    ("advanced", "E-POSITION.squares", set_to(display={"saxony": []})),
    ("advanced", "E-POSITION.covered", set_to(covered={"prussia": [1]})),
    ("advanced", "E-POSITION.selecting", set_to(order=["prussia"])),
    ("advanced", "E-POSITION.open", affairs(lambda found: found.open.append(found.deck.pop()))),
    ("advanced", "E-POSITION.votes", set_to(votes={"austria": 1})),
    ("advanced", "E-POSITION.abroad", neutral_saxony(abroad=True)),
    ("advanced", "E-POSITION.foreign", neutral_saxony(abroad=False)),
    ("advanced", "E-POSITION.corps", lambda table: affairs_of(table).corps.update(saxony=[0])),
    ("advanced", "E-POSITION.corps-box", lambda table: affairs_of(table).corps.update(prussia=[general(table)])),
    ("advanced", "E-POSITION.contracts", affairs(lambda found: found.contracts.extend(
        [Contract("france", "prussia", 1), Contract("prussia", "france", 1)]))),
    ("advanced", "E-POSITION.contract", set_to(offers=[Contract("france", "france", 1)])),
    ("advanced", "E-POSITION.contract-turns", set_to(offers=[Contract("saxony", "france", 1)])),
    ("advanced", "E-POSITION.cancelling", set_to(cancelling=["france"])),
    ("advanced", "E-POSITION.scores", set_to(scores=[{}, {}])),
    ("advanced", "E-POSITION.score", set_to(scores=[{}, {}])),
    ("advanced", "E-POSITION.task-power", tasks(CorpsTask("russia"))),
    ("advanced", "E-POSITION.task-piece", tasks(RelocateTask("prussia", 999))),
    ("advanced", "E-POSITION.arrived", lambda table: tasks(ArriveTask("prussia", general(table), 0))(table)),
    ("introductory", "E-POSITION.corps-game", tasks(CorpsTask("prussia"))),
    ("silesia-gambit", "E-POSITION.half-active", gambit(ceded=True)),
    ("silesia-gambit", "E-POSITION.laid-aside", gambit(ceded=True, laid_aside={"prussia": [1]})),
    ("silesia-gambit", "E-POSITION.laid-aside-by", gambit(laid_aside={"bavaria": [1]})),
    ("silesia-gambit", "E-POSITION.lacking", gambit(lacking={"france": 1})),
    ("silesia-gambit", "E-POSITION.left-cards", gambit(ceded=True)),
]  # fmt: skip
"""The scenario, the wording, and what spoils the position."""


@pytest.mark.parametrize(("scenario", "key", "spoil"), SPOILED, ids=[row[1] for row in SPOILED])
def test_a_spoiled_position_is_found_out(scenario: str, key: str, spoil: Spoil) -> None:
    table = twin(sound(scenario))
    assert problems(table) == []
    spoil(table)
    found = political_problems(table)
    assert key in {problem.wrong.message.key for problem in found}, found
