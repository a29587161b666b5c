"""Files that are dropped on the desk: what can be opened opens, for all else one line says what to give instead."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.bridge import Bridge
from pbem.desk.opening import accept, open_file
from pbem.faults.wrong import wrong
from tests.cli.correspondence import Correspondence
from tests.desk.test_desk import ask
from tests.setups import with_more

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def given(bridge: Bridge, data: bytes) -> Any:
    """The page's answer to a file."""
    return json.loads(bridge.call("open", json.dumps([base64.b64encode(data).decode(), "file"])))


def file_of(table: Correspondence, name: str) -> bytes:
    """The newest file of a name that the moderator or a player has."""
    return max(table.root.rglob(name)).read_bytes()


MISTAKES = {
    "frederick/key": "key",
    "frederick/key.pub": "public",
    "frederick/key.campaigns/*.json": "notes",
    "frederick.html": "page",
    "frederick.txt": "text",
    "frederick-invitation.txt": "text",
    "frederick-receipt-*.txt": "text",
    "forum.md": "text",
    "frederick-receipt-*.receipt.yaml": "receipt",
    "frederick.orders.yaml": "orders",
    "frederick.plan.yaml": "orders",
    "frederick-invitation.join.yaml": "letter",
    "campaign.yaml": "archive",
    "state.yaml": "archive",
    "ledger/*0002*": "archive",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_file_that_cannot_be_opened_says_what_to_give_instead(table: Correspondence, name: str) -> None:
    told = set()
    for language in ("en", "de", "es", "it"):
        bridge = Bridge(language)
        (fault,) = given(bridge, file_of(table, name))["refused"]
        assert fault["code"] == "E-DESK-FILE"
        assert fault["message"] == wrong(f"E-DESK-FILE.{MISTAKES[name]}").data(language)["message"]
        assert fault["hint"]
        told.add(fault["message"])
        assert bridge.desk.laid is None
        assert bridge.desk.key is None
    assert len(told) == 4


def test_of_a_private_key_nothing_is_said_or_kept(table: Correspondence) -> None:
    data = file_of(table, "frederick/key")
    answer = json.dumps(given(Bridge("en"), data))
    assert all(line not in answer for line in data.decode().splitlines() if len(line) > 5)


@pytest.mark.parametrize("data", [PNG, b"%PDF-1.7\n", b"<svg xmlns='x'/>"])
def test_a_picture_is_told_from_a_game(data: bytes) -> None:
    assert "picture" in given(Bridge("en"), data)["refused"][0]["message"]


def test_a_position_with_a_slip_still_says_where_it_is() -> None:
    (fault, *_) = given(Bridge("en"), b"game: maria\nturn: many\n")["refused"]
    assert fault["code"] != "E-DESK-FILE"
    assert fault["line"] == 2


def test_a_saved_game_is_gone_on_with() -> None:
    bridge = Bridge("en")
    ask(bridge, "play_now", "friedrich")
    saved = ask(bridge, "kept")["saved"]
    found = given(Bridge("en"), saved.encode())["done"]
    assert found["sitting"]["kind"] == "practice"
    assert found["sitting"]["name"]


def test_orders_become_the_letter_to_the_report_that_they_answer(table: Correspondence) -> None:
    bridge = Bridge("en")
    open_file(bridge.desk, file_of(table, "louis.report.yaml"), "report")
    accept(bridge.desk)
    sheet = with_more(file_of(table, "louis.orders.yaml").decode(), Maillebois=-1).encode()
    state = given(bridge, sheet)["done"]["written"]
    assert state["text"] == sheet.decode()
    assert state["draft"] == "orders"
    plan = file_of(table, "louis.plan.yaml")
    assert given(bridge, plan)["done"]["written"]["draft"] == "plans"
    assert ask(bridge, "take_up", "orders")["text"] == sheet.decode()
    # Another's letter does not.
    assert given(bridge, file_of(table, "frederick.orders.yaml"))["refused"]
    assert ask(bridge, "undo")["text"] != sheet.decode()


def test_a_report_opens_in_each_form_that_it_comes_in(table: Correspondence, tmp_path: Path) -> None:
    for name in ("frederick.report.yaml", "observer.report.yaml", "frederick-invitation.invitation.yaml"):
        found = given(Bridge("en"), file_of(table, name))
        assert "done" in found, found
