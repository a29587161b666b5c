"""Losses by a stop, told to a reader who is asked for a card and may stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.engine.decisions import PlayCard
from pbem.engine.field import alter
from pbem.engine.table import Table, powers_of_player
from pbem.kit import copy_of, game_of
from pbem.player.files import GivenFile
from pbem.player.tables import table_in
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.report.retreats import told_stop
from tests.campaign.simulated import SimulatedTable
from tests.desk.fields import at_pirna, battlefield
from tests.desk.test_battles import DESTROYED, FALLS, LOST, MAY_FALL
from tests.report.plain import body_text


def told(folder: Path, position: bytes, reader: str) -> Briefing:
    terms = {"game": "friedrich", "position": position.decode()}
    with SimulatedTable(folder / "campaign", **terms).begun().open() as campaign:
        return briefings(campaign)[reader]


def body(briefing: Briefing, language: str) -> str:
    text = body_text(report_data(in_language(briefing, language)))
    return " ".join(text.replace("#", " ").split())


STOPPED = {
    "en": "After a stop: ",
    "de": "Nach dem Aufgeben: ",
    "es": "Tras abandonar: ",
    "it": "Dopo l'abbandono: ",
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("behind", "sentence", "other"), [(1, FALLS, MAY_FALL), (3, MAY_FALL, FALLS), (8, DESTROYED, MAY_FALL)]
)
def test_a_letter_that_asks_for_a_card_tells_the_fortresses_that_fall_by_a_stop(
    tmp_path: Path, language: str, behind: int, sentence: dict[str, str], other: dict[str, str]
) -> None:
    asked = told(tmp_path, at_pirna(behind), "frederick")
    assert [type(each) for each in asked.orders.asked] == [PlayCard]
    text = body(asked, language)
    assert text.count(STOPPED[language] + sentence[language]) == 1, text
    assert other[language] not in text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("troops", "number"), [("8, face-down", 1), ("8", 0)])
def test_a_letter_that_asks_for_a_card_tells_the_generals_who_are_lost_by_a_retreat(
    tmp_path: Path, language: str, troops: str, number: int
) -> None:
    field = battlefield("friedrich").decode().replace("Dresden, 8", f"Kolin, {troops}").replace("Pirna", "Kuttenberg")
    text = body(told(tmp_path, field.encode(), "frederick"), language)
    assert text.count(STOPPED[language] + LOST[language]) == number, text


REMOVED = {
    "en": "After a stop: Lost: Winterfeldt.",
    "de": "Nach dem Aufgeben: Verloren: Winterfeldt.",
    "es": "Tras abandonar: Perdidos: Winterfeldt.",
    "it": "Dopo l'abbandono: Perduti: Winterfeldt.",
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("behind", "number"), [(6, 0), (7, 1), (8, 0)])
def test_a_letter_that_asks_for_a_card_tells_the_generals_who_are_lost_though_troops_of_their_stack_are_left(
    tmp_path: Path, language: str, behind: int, number: int
) -> None:
    field = at_pirna(behind).decode().replace("Friedrich: Pirna, 8", "Friedrich: Pirna, 6")
    field = field.replace("Winterfeldt: off", "Winterfeldt: Pirna, 2")
    text = body(told(tmp_path, field.encode(), "frederick"), language)
    assert text.count(REMOVED[language]) == number, text


def asked_at(position: bytes) -> tuple[Table, PlayCard]:
    table = table_in(GivenFile("battle.yaml", position)).table
    (asked,) = (each for each in game_of(table).decisions(table) if isinstance(each, PlayCard))
    return table, asked


@pytest.mark.parametrize("behind", [1, 8])
def test_losses_by_a_stop_follow_from_nothing_that_is_secret(behind: int) -> None:
    table, asked = asked_at(at_pirna(behind))
    own, other = powers_of_player(table, "frederick"), copy_of(table)
    for piece, each in enumerate(other.state.field.pieces):
        if other.rules.common.pieces[piece].power not in own and each.troops > 1:
            alter(other.state.field, piece, troops=each.troops - 1)
    for power in other.state.cards.hands:
        if power not in own:
            other.state.cards.hands[power].clear()
    assert told_stop(other, asked, "en") == told_stop(table, asked, "en") != ""


def test_of_a_stack_with_generals_of_another_player_no_losses_are_told() -> None:
    table, asked = asked_at(at_pirna(1))
    assert told_stop(table, asked, "en")
    table.state.field.alliances.player[asked.power] = "pompadour"
    assert told_stop(table, asked, "en")
    rules, field = table.rules.common, table.state.field
    hanover = rules.generals("hanover")[0]
    duel = table.state.duel
    assert duel
    alter(field, hanover, city=duel.defending_city if duel.turn == "defender" else duel.attacking_city, troops=1)
    assert told_stop(table, asked, "en") == ""


def test_of_a_lost_stack_that_protects_nothing_no_losses_are_told() -> None:
    table, asked = asked_at(battlefield("maria", -9, ("♦5",)))
    assert told_stop(table, asked, "en") == ""
