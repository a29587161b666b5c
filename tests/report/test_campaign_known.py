"""A signed report lets its reader check orders with the same result as the moderator's receipt, without any secret."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from pbem.bots.plain import choose
from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.letters.letterbox import orders_of
from pbem.campaign.letters.trying_out import orders_tried_alone
from pbem.campaign.players.guidance import guidance_of
from pbem.campaign.players.known_position import known_table
from pbem.campaign.settings import OBSERVER
from pbem.engine.cards import SeededDealer
from pbem.engine.table import Table
from pbem.games.friedrich.rules.data import Terms
from pbem.kit import copy_of, game_of
from pbem.lab.bot_campaign import BotPlayer
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.paper.orders.files import read_orders
from pbem.paper.positions.files import load_position
from pbem.report.language.templates import WIDTH
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_text
from pbem.report.letters.signed import report_letter
from pbem.seal.canonical import Tree
from pbem.seal.keys import new_key
from tests.trying import IS_LONG
from tests.twins import players, with_other_secrets

from .campaign_moments import askers, fated, moments, pattern, told_at, with_an_older_edition
from .campaign_table import OpenTable

KEY = new_key("moderator")

FATE = {"gain", "loss", "swap", "plunder", "redraw", "advance", "blockade"}
"""The sections that Cards of Fate ask for at once, wherever pieces stand."""

RARE = {
    r"sidestep: {Breslau: stay}": """
stage: austria
phase: combat
pieces: {Daun: "Ohlau, 8", Keith: "Breslau, 2", Schwerin: "Berlin, 1"}
fate: {in force: [{card: "8", suit: clubs, until: 8}]}
""",
    "rout: stay": """
stage: fate
pieces: {Ferdinand: "Minden, 2", Hildburghausen: "Jena, 3"}
fate: {deck: ["12"], victor: Ferdinand, beaten: [Hildburghausen]}
""",
}
"""Positions of the eighth turn where something rare is asked for, and what stands in the sheet."""


@pytest.fixture(scope="module")
def like(tmp_path_factory: pytest.TempPathFactory) -> Briefing:
    """Briefing of somebody in some campaign."""
    table = OpenTable(tmp_path_factory.mktemp("like"))
    table.join()
    table.play(1)
    return pattern(table)


def data_of(briefing: Briefing) -> dict[str, Any]:
    """The data of the report of a reader."""
    return report_data(replace(briefing, moderator=KEY.public.text))


def letter_of(briefing: Briefing) -> str:
    """The signed report of a reader."""
    return report_letter(data_of(briefing), KEY)


def written(briefing: Briefing) -> bytes:
    """All that reports are made of, and the signed letter of nothing else, in the order in which it stands there."""
    return msgspec.json.encode(report_data(briefing))


def table_told(text: str) -> Any:
    """The table that a reader has in a report."""
    return known_table(guidance_of(read_letter(text.encode(), "report"), "report"), "report")


def judged(table: Table, player: str, letter: str) -> tuple[list[Any], list[str]]:
    """Faults of a letter on a table, and the powers whose orders do not answer everything."""
    verdict = LetterVerdict()
    table = copy_of(table, SeededDealer("nothing is dealt in a trial"))
    try:
        found = read_orders(orders_of(read_letter(letter.encode(), "letter"), {}), "letter", table.rules)
        orders_tried_alone(table, player, found, verdict)
        missing = verdict.missing
    except Refused as refused:
        return list(refused.faults), []
    return verdict.faults, missing


def letters(table: Table, player: str, chance: Random, before: list[dict[str, Tree]]) -> list[str]:
    """Orders of this moment, as far as they can be seen ahead; the same with a leap; and those of an earlier one."""
    now = BotPlayer(player, choose, chance, KEY).decide(cast(Any, SimpleNamespace(table=table)))
    before.append(now)
    head: dict[str, str | int] = {"kind": "orders", "campaign": "x", "from": player, "seq": 1}
    head |= {"stage": "1/setup", "basis": "0123456789ab"}
    leaping = {power: leap(table, power, dict(cast(Any, sections))) for power, sections in now.items()}
    chosen: list[Any] = [now, leaping, chance.choice(before)]
    return [write_letter(head, {"orders": orders} if orders else {}) for orders in chosen]


def leap(table: Table, power: str, sections: dict[str, Tree]) -> dict[str, Tree]:
    """Orders in which a general or train of the power moves to a city far away."""
    pieces, cities = table.rules.common.pieces, table.rules.common.board.cities
    mover = next(piece for piece in pieces if piece.power == power)
    return {**sections, "move": [{mover.name: [cities[0].name, cities[-1].name]}]} if "move" in sections else sections


@pytest.mark.parametrize(("games", "player", "terms"), with_an_older_edition())
def test_reports_judge_orders_as_receipts_do(like: Briefing, games: Any, player: Any, terms: Any) -> None:
    """Right orders and wrong ones, on the report's table and on the moderator's: the same faults, the same gaps."""
    before: dict[str, list[dict[str, Tree]]] = {}
    wrong = 0
    for table, chance in moments(games, player, terms, "judged"):
        for seat, powers in askers(table):
            told = told_at(like, table, powers, seat)
            data = data_of(told)
            known = table_told(report_letter(data, KEY))
            check_sheet(told, known, data)
            for letter in letters(table, seat, chance, before.setdefault(seat, [])):
                found = judged(table, seat, letter)
                assert judged(known, seat, letter) == found, letter
                wrong += bool(found[0])
    assert wrong


def check_sheet(briefing: Briefing, known: Table, data: dict[str, Any]) -> set[str]:
    """The untouched sheet is right on both tables, and answers everything that is asked; the sections of it."""
    sheet = sheet_text(briefing)
    assert sheet
    assert all(len(line) <= WIDTH for line in sheet.splitlines()), sheet
    for table in (briefing.table, known):
        assert judged(table, briefing.reader, sheet) == ([], []), sheet
    asked = data["asked"]
    assert all(f"      {each['section']}:" in sheet for each in asked)
    return {each["section"] for each in asked}


@pytest.mark.parametrize("scenario", ["four", "west"])
def test_every_choice_that_fate_brings_has_its_sheet(like: Briefing, scenario: str) -> None:
    found: set[str] = set()
    for table in fated(Terms(scenario, expert=scenario == "four")):
        for seat, powers in askers(table):
            told = told_at(like, table, powers, seat)
            data = data_of(told)
            found |= check_sheet(told, table_told(report_letter(data, KEY)), data)
    assert found == (FATE if scenario == "four" else {"gain", "redraw"})


@pytest.mark.parametrize(("written", "position"), RARE.items(), ids=["sidestep", "rout"])
def test_the_sheet_of_what_is_rarely_asked(like: Briefing, written: str, position: str) -> None:
    table = load_position(f"game: friedrich\nexpert: yes\nturn: 8{position}".encode(), "position")
    game_of(table).advance(table)
    ((seat, powers),) = askers(table)
    told = told_at(like, table, powers, seat)
    check_sheet(told, table_told(letter_of(told)), data_of(told))
    assert re.search(written, sheet_text(told))


def in_turn(readers: list[tuple[str, ...]], chance: Random) -> list[tuple[str, ...]]:
    """At every moment some of the players, or whoever plays nothing; all of them in the long run."""
    return readers if IS_LONG else chance.sample(readers, 2)


@pytest.mark.parametrize(("games", "player", "terms"), with_an_older_edition())
def test_the_bytes_of_a_letter_are_the_same_whatever_others_hide(
    like: Briefing, games: Any, player: Any, terms: Any
) -> None:
    different = 0
    for table, chance in moments(games, player, terms, "twins"):
        for powers in in_turn([*players(table)], chance):
            other = with_other_secrets(table, powers, chance)
            different += other.state != table.state
            told = told_at(like, table, powers, "somebody" if powers else OBSERVER)
            twin = told_at(like, other, powers, "somebody" if powers else OBSERVER)
            assert written(told) == written(twin)
        assert letter_of(told) == letter_of(twin)
    assert different > 5


def test_the_observers_report_has_a_position_and_nobodys_secrets(tmp_path: Path) -> None:
    table = OpenTable(tmp_path)
    table.join()
    table.play(1)
    with table.open() as campaign:
        told = briefings(campaign)[OBSERVER]
    found = guidance_of(read_letter(letter_of(told).encode(), "report"), "report")
    assert found.powers == ()
    assert not {"hands", "draw", "set aside", "seed"} & set(found.position)
    known = known_table(found, "report")
    assert game_of(known).view(known, ()).pieces == told.view.pieces


def test_a_report_without_a_position_says_so() -> None:
    letter = write_letter(
        {"kind": "report", "campaign": "x", "from": "moderator", "stage": "1/setup", "basis": "01234567", "seq": 1},
        {"moderator": KEY.public.text, "signing": "on", "sealing": "moderator", "terms": {}, "to": "louis",
         "next-seq": 1, "head": {"entry": 1, "hash": "0"}, "owing": {}, "proofs": []},
    )  # fmt: skip
    found = guidance_of(read_letter(sign_letter(letter, KEY).encode(), "report"), "report")
    assert found.powers == ()
    with pytest.raises(Refused, match="tells no position"):
        known_table(found, "report")
