"""Sealing at the desk: the letter that `pbem seal` writes, and two drafts of orders."""

from __future__ import annotations

import base64
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from pbem.campaign.players import campaign_notes
from pbem.desk.bridge import Bridge
from pbem.desk.draft import LETTER
from pbem.desk.opening import accept, open_file
from pbem.player.sealing import sealed_copy
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME, SEATS, Correspondence
from tests.desk.lent import in_the_page
from tests.desk.test_desk import ask, with_ends
from tests.desk.test_plans import deal_out


def begun(root: Path, *options: str) -> Correspondence:
    table = Correspondence(root)
    table.begin(*options)
    table.join()
    return table


def begun_with_sealed_reports(root: Path) -> Correspondence:
    """Those of Louis are sealed to him, and come by mail."""
    seats = "{louis: {reports: sealed, address: louis@example.org}}"
    moderator = "{name: Max, address: max@example.org}"
    (root / "plan.yaml").write_text(f"campaign: {NAME}\nseats: {seats}\nmoderator: {moderator}\n")
    return begun(root, "--from", "plan.yaml")


def ordered(table: Correspondence, seat: str) -> tuple[Bridge, Any]:
    """A desk on which a seat's troops are dealt out, and what is shown there."""
    bridge = Bridge("en")
    open_file(bridge.desk, Path(table.sent(f"{seat}.report.yaml")).read_bytes(), "report")
    accept(bridge.desk)
    bridge.desk.key = load_private((table.root / seat / "key").read_bytes(), None)
    return bridge, deal_out(bridge)


def test_a_letter_is_sealed_for_the_moderator_in_the_page_and_taken(tmp_path: Path) -> None:
    table = begun(tmp_path, "--sealing", "moderator")
    bridge, before = ordered(table, "louis")
    with in_the_page():
        after = ask(bridge, "seal")["state"]
    assert "AGE ENCRYPTED" in after["text"]
    assert "allot" not in after["text"]
    assert after["faults"] == [] == after["asked"]
    assert after["over"] == before["over"]
    assert ask(bridge, "sign")["signed"]
    (tmp_path / "sealed.yaml").write_text(bridge.desk.draft.text, "utf-8")
    (answer,) = table.accept("sealed.yaml")
    assert answer["status"] == "final", answer
    assert ask(bridge, "undo")["text"] == before["text"]


@pytest.mark.parametrize("kind", ["key-change", "join", "message", "plan"])
def test_a_text_that_became_another_kind_of_letter_is_told(tmp_path: Path, kind: str) -> None:
    bridge, state = ordered(begun(tmp_path), "louis")
    assert state["kind"] == "orders"
    assert ask(bridge, "write", state["text"].replace("kind: orders", f"kind: {kind}"))["kind"] == kind
    assert ask(bridge, "write", "kind: [")["kind"] == ""


def test_what_was_sealed_for_nobody_is_shown_with_the_notes_that_were_kept(tmp_path: Path) -> None:
    table = begun(tmp_path, "--sealing", "reveal")
    kept = {}
    for seat in SEATS:
        bridge, _ = ordered(table, seat)
        letter, notes = bridge.desk.draft.letter(), bridge.desk.drafts.notes
        assert notes
        made = ask(bridge, "seal")
        kept[seat] = made["notes"].encode()
        # The same salt, the same bytes as those of `pbem seal`.
        (noted,) = campaign_notes.read(kept[seat], "notes").sealed.values()
        assert sealed_copy(letter, notes, None, LETTER, bytes.fromhex(noted.salt)).text == made["state"]["text"]
        assert "box" not in made["state"]["text"]
        ask(bridge, "sign")
        (tmp_path / "sealed.yaml").write_text(bridge.desk.draft.text, "utf-8")
        (answer,) = table.accept("sealed.yaml")
        assert answer["status"] == "final", answer
    table.now += timedelta(hours=1)
    assert table.json("adjudicate", "-C", NAME, as_="moderator")["kind"] == "lock"
    table.post()
    for seat in SEATS:
        bridge, _ = ordered(table, seat)
        assert bridge.desk.sitting().locked
        ask(bridge, "notes", base64.b64encode(kept[seat]).decode(), "notes")
        assert ask(bridge, "sign")["signed"]
        (tmp_path / "reveal.yaml").write_text(bridge.desk.draft.text, "utf-8")
        (answer,) = table.accept("reveal.yaml")
        assert answer["status"] == "final", answer


@pytest.fixture
def bridge() -> Bridge:
    """A desk with a position on it, and a march in its orders."""
    bridge = Bridge("en")
    open_file(bridge.desk, (Path(__file__).parents[2] / "examples/first-march.yaml").read_bytes(), "position")
    march(bridge, 0)
    return bridge


def march(bridge: Bridge, which: int) -> Any:
    """Order a march."""
    state: Any = with_ends(bridge, bridge.desk.state())
    asked = next(each for each in state["asked"] if each["data"].get("marches"))
    found = [one for one in asked["data"]["marches"] if one["to"]][which]
    return ask(bridge, "put", asked["power"], {"move": [{" + ".join(found["pieces"]): found["to"][-1]["city"]}]})


def test_two_drafts_lie_side_by_side_and_one_is_kept(bridge: Bridge) -> None:
    first: Any = msgspec.json.decode(msgspec.json.encode(bridge.desk.state()))
    second = ask(bridge, "take_up", "second")
    assert second["text"] == first["text"]
    second = march(bridge, 0)
    other = ask(bridge, "other")
    assert (other["draft"], other["over"]) == ("orders", first["over"])
    assert bridge.desk.drafts.chosen == "second"
    assert ask(bridge, "take_up", "orders")["text"] == first["text"]
    ask(bridge, "take_up", "second")
    kept = ask(bridge, "keep")
    assert kept["text"] == second["text"] != first["text"]
    assert kept["drafts"] == ["orders"]
    assert len(*yaml.safe_load(kept["text"])["orders"].values()) == 1


@pytest.mark.parametrize("name", ["louis.report.yaml.age", "louis.eml"])
def test_a_sealed_report_is_opened_with_its_key_alone(tmp_path: Path, name: str) -> None:
    report = Path(begun_with_sealed_reports(tmp_path).sent(name)).read_bytes()
    given = base64.b64encode(report).decode()
    bridge = Bridge("en")
    assert ask(bridge, "open", given, name) == {"closed": []}
    for seat in ("frederick", "louis"):
        bridge.desk.key = load_private((tmp_path / seat / "key").read_bytes(), None)
        with in_the_page():
            found = ask(bridge, "open", given, name)
            if "stranger" in found:
                found = ask(bridge, "accept")["opened"]
        if seat == "frederick":
            assert [each["code"] for each in found["closed"]] == ["E-SEAL-KEY"]
    assert found["sitting"]["seat"] == "louis"
    assert found["state"]["hands"]["hands"]["france"]


def test_of_a_box_that_was_quoted_or_cut_that_is_told(tmp_path: Path) -> None:
    box = Path(begun_with_sealed_reports(tmp_path).sent("louis.report.yaml.age")).read_text()
    bridge = Bridge("en")
    bridge.desk.key = load_private((tmp_path / "louis/key").read_bytes(), None)

    def opened(text: str) -> Any:
        return ask(bridge, "open", base64.b64encode(text.encode()).decode(), "report")

    assert opened("".join(f"> {line}\n" for line in box.splitlines()))["stranger"]
    assert ask(bridge, "accept")["opened"]["sitting"]["seat"] == "louis"
    assert [each["code"] for each in opened(box[: len(box) // 2])["closed"]] == ["E-SEAL-ARMOR"]
