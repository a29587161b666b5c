"""Seats and people by their names: nobody gets what is meant for another by being called like a seat."""

from __future__ import annotations

import pytest

from pbem.campaign.players.campaign_notes import seat_called
from pbem.paper.documents.faults import Refused

PLAYERS = {"frederick": "Louis", "louis": "Bernd Müller", "maria-theresa": "All", "pompadour": "Österreich Austria"}
POWERS = ("austria", "prussia")


@pytest.mark.parametrize(
    ("written", "seat"),
    [
        ("louis", "louis"),
        ("Bernd", "louis"),
        ("bernd mueller", "louis"),
        ("MARIA-THERESA", "maria-theresa"),
        ("maria", "maria-theresa"),
        ("pomp", "pompadour"),
        ("All", "maria-theresa"),
    ],
)
def test_whom_a_name_means(written: str, seat: str) -> None:
    assert seat_called(written, PLAYERS, POWERS) == seat


@pytest.mark.parametrize("written", ["Louis", "LOUIS", "lou", "Lóuis"])
def test_who_is_called_like_another_seat_gets_nothing_that_is_meant_for_it(written: str) -> None:
    with pytest.raises(Refused) as refusal:
        seat_called(written, PLAYERS, POWERS)
    (fault,) = refusal.value.faults
    assert fault.code == "E-PLAYER-UNKNOWN"
    assert "frederick or louis" in str(fault.hint)


def test_everybody_is_meant_only_by_the_word_itself() -> None:
    assert seat_called("all", PLAYERS | {"all": ""}, POWERS) == "all"
    with pytest.raises(Refused):
        seat_called("All", PLAYERS | {"all": ""}, POWERS)


def test_nobody_has_joined() -> None:
    with pytest.raises(Refused, match="E-PLAYER-UNKNOWN"):
        seat_called("louis", {}, ())


@pytest.mark.parametrize("written", ["Austria", "austria", "prus"])
def test_a_power_is_nobody(written: str) -> None:
    with pytest.raises(Refused, match="E-PLAYER-UNKNOWN"):
        seat_called(written, PLAYERS, POWERS)
