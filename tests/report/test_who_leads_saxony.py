"""Saxony changes sides: the account tells which player leads it from now on, by the edition of the game."""

from __future__ import annotations

import pytest

from pbem.desk.practice import rules_of
from pbem.engine.field import Alliances
from pbem.games.maria.rules.defection import defector_alliances, facts
from pbem.games.maria.rules.events import StatusChanged
from pbem.games.maria.rules.state import affairs_of
from pbem.player.names import new_table
from pbem.report.account import Voice, account_blocks, chapters
from pbem.report.blocks import blocks_data

TERMS = {"game": "maria", "scenario": "advanced"}


def told(terms: dict[str, str], status: str, language: str = "en") -> str:
    """The account of Saxony's new status."""
    event = StatusChanged("saxony", status)
    blocks = blocks_data(account_blocks(chapters(Voice(rules_of(terms), language), [event])))
    return " ".join(span["text"] for block in blocks for line in block["lines"] for span in line)


@pytest.mark.parametrize(
    ("edition", "status", "leader"),
    [
        ("2.1", "neutral", "Maria Theresa (Austria)"),
        ("2.0", "neutral", "Frederick (Prussia)"),
        ("2.0", "austrian ally", "Maria Theresa (Austria)"),
    ],
)
def test_the_account_tells_who_leads_saxony_from_now_on(edition: str, status: str, leader: str) -> None:
    assert f"From now on {leader} leads it." in told({**TERMS, "edition": edition}, status)


@pytest.mark.parametrize("language", ["de", "es", "it"])
def test_every_language_names_the_player(language: str) -> None:
    assert "Ther" in told(TERMS, "neutral", language) or "Teresa" in told(TERMS, "neutral", language)


@pytest.mark.parametrize("edition", ["2.1", "2.0"])
def test_the_player_who_is_told_is_the_one_who_plays(edition: str) -> None:
    table = new_table({**TERMS, "edition": edition})
    tracks = table.rules.politics.tracks["saxony"]
    box = next(number for number, each in enumerate(tracks.boxes) if each.status == "neutral")
    affairs_of(table).tracks[facts(table).track] = box
    now: Alliances = defector_alliances(table, table.state.field.alliances)
    who = {"maria-theresa": "Maria Theresa", "frederick": "Frederick"}[now.player["saxony"]]
    assert f"now on {who} " in told({**TERMS, "edition": edition}, "neutral")
