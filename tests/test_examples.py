"""Every example file is used: positions load, orders run as their comments say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.paper import trial
from pbem.paper.orders import load_orders
from pbem.paper.positions import load_position

EXAMPLES = Path(__file__).parents[1] / "examples"
TRIALS = {
    "neipperg.yaml": ["neipperg-orders.yaml", "neipperg-retreat.yaml"],
    "first-march.yaml": ["first-march-orders.yaml"],
}
REFUSED = {("first-march.yaml", "mistakes.yaml"): ["E-MARCH-ROAD", "E-MARCH-POWER"]}


@pytest.mark.parametrize("position", TRIALS)
def test_trials_run(position: str) -> None:
    table = load_position((EXAMPLES / position).read_bytes(), position)
    trial.begin(table)
    for name in TRIALS[position]:
        result = trial.run(table, load_orders((EXAMPLES / name).read_bytes(), name, table.rules))
        assert result.faults == []
        assert result.events
        table = result.table


@pytest.mark.parametrize(("position", "orders"), REFUSED)
def test_mistakes_are_refused(position: str, orders: str) -> None:
    table = load_position((EXAMPLES / position).read_bytes(), position)
    trial.begin(table)
    result = trial.run(table, load_orders((EXAMPLES / orders).read_bytes(), orders, table.rules))
    assert [fault.code for fault in result.faults] == REFUSED[position, orders]


def test_no_example_is_left_out() -> None:
    used = set(TRIALS) | {name for names in TRIALS.values() for name in names} | {name for _, name in REFUSED}
    assert {path.name for path in EXAMPLES.glob("*.yaml")} == used
