"""Troops that are dealt out at the desk: what was given by hand stays, and the others share the rest."""

from __future__ import annotations

import pytest

from pbem.desk.bridge import Bridge
from tests.desk.test_desk import ask


@pytest.fixture
def bridge() -> Bridge:
    """A page in English, on which Prussia is to deal out its troops."""
    bridge = Bridge("en")
    ask(bridge, "practise", "friedrich", "", "frederick", "sensible")
    return bridge


@pytest.mark.parametrize("given", [{"Keith": 8, "Dohna": 7}, {"Keith": 1, "Dohna": 1}, {}])
def test_the_others_share_what_the_hand_has_left(bridge: Bridge, given: dict[str, int]) -> None:
    state = ask(bridge, "deal", {"prussia": given})
    dealt = {name: int(number) for name, number in state["orders"]["prussia"]["allot"].items()}
    assert {name: dealt[name] for name in given} == given
    assert sum(dealt.values()) == 32
    assert all(1 <= number <= 8 for number in dealt.values())
    assert state["faults"] == []


def test_troops_that_the_others_cannot_take_are_refused(bridge: Bridge) -> None:
    names = ["Friedrich", "Winterfeldt", "Heinrich", "Schwerin"]
    refused = bridge.call("deal", f'[{{"prussia": {{{", ".join(f"{chr(34)}{name}{chr(34)}: 8" for name in names)}}}}}]')
    assert "E-DESK-DEAL" in refused
