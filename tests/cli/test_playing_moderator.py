"""A moderator who plays runs the campaign by commands, and reads nothing of the rivals' that is secret."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.seal.box import unpad, unseal
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME, Correspondence

RIVALS = ("maria-theresa", "frederick")


class Rivals(Correspondence):
    """Players whose reports are sealed to them."""

    def opened(self, seat: str, name: str) -> str:
        """The newest file of this name that a player was sent sealed."""
        target = f"{seat}/{name}"
        self.run("open", self.sent(f"{seat}.{name}.age"), "-o", target, as_=seat)
        return target


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Rivals:
    """Louis moderates; the set-up is asked of all."""
    table = Rivals(tmp_path_factory.mktemp("playing"))
    address = ("--moderator", "Max <max@example.org>", "--seat", "frederick=Fritz <fritz@example.org>")
    table.begin("--moderator-seat", "louis", *address)
    table.join()
    return table


def secrets_of(table: Rivals, seat: str) -> list[str]:
    """Secrets of a player in a report: the line of every hand, and of troops."""
    text = (table.root / table.opened(seat, "report.txt")).read_text()
    lines = text.partition("You have:")[2].partition("How the campaign")[0].splitlines()
    return [line for line in lines if " · " in line]


def test_nothing_of_a_rivals_report_lies_open_in_the_folder(table: Rivals) -> None:
    files = table.files()
    for seat in RIVALS:
        own = {name.rpartition("/")[2] for name in files if f"/{seat}.report" in name or f"/{seat}.orders" in name}
        assert own == {f"{seat}.{kind}.age" for kind in ("report.txt", "report.yaml", "report.html", "orders.yaml")}
        found = secrets_of(table, seat)
        assert found
        for line in found:
            assert not [name for name, data in files.items() if line.encode() in data]
    assert any(name.endswith("/louis.report.yaml") for name in files)
    assert any(name.endswith("/frederick.eml") for name in files)


def test_receipts_of_rivals_are_sealed_too(table: Rivals) -> None:
    receipts = [name for name in table.files() if "-receipt-" in name and name.split("/")[-1].startswith(RIVALS)]
    assert receipts
    assert {Path(name).suffix for name in receipts} <= {".age", ".txt", ".eml"}
    for name in receipts:
        if name.endswith(".txt"):
            assert "sealed to your key" in (table.folder / name).read_text()
    boxes = [name for name in receipts if name.startswith("outbox") and name.endswith("receipt.yaml.age")]
    key = load_private((table.root / "frederick" / "key").read_bytes(), None)
    mine = next(name for name in boxes if "frederick" in name)
    assert b"kind: receipt" in unpad(unseal(key, (table.folder / mine).read_text()))


def wrong(table: Rivals, seat: str) -> str:
    """Sealed orders of which something is wrong that only their writer may know."""
    sheet = table.root / table.opened(seat, "orders.yaml")
    lines = sheet.read_text().splitlines(keepends=True)
    place = next(at for at, line in enumerate(lines) if line.strip() == "allot:")
    lines[place + 1] = lines[place + 1].partition(":")[0] + ": 29\n"
    sheet.write_text("".join(lines))
    sealed = f"{seat}/orders.sealed.yaml"
    table.run("seal", str(sheet), "-o", sealed, as_=seat)
    table.run("sign", sealed, as_=seat)
    return sealed


@pytest.mark.parametrize("is_json", [False, True])
def test_what_is_wrong_with_a_rivals_orders_is_told_to_the_rival_alone(table: Rivals, is_json: bool) -> None:
    seat = RIVALS[is_json]
    sealed = wrong(table, seat)
    answer = table.moderate("accept", sealed, *(["--json"] if is_json else []), code=1).output
    assert "E-" in answer
    assert "troops" not in answer
    assert not re.search(r"\b29\b", answer)
    stem = Path(table.sent(f"{seat}-receipt-*.receipt.txt.age"))
    table.run("open", str(stem), "-o", f"{seat}/receipt.txt", as_=seat)
    assert "29" in (table.root / seat / "receipt.txt").read_text()


def test_what_is_wrong_with_the_moderators_own_orders_is_shown(table: Rivals) -> None:
    sheet = Path(table.sheet("louis", "wrong.yaml"))
    sheet.write_text(sheet.read_text().replace("allot:", "alot:"))
    table.run("sign", str(sheet), as_="louis")
    assert "alot" in table.moderate("accept", str(sheet), "--show", code=1).output


def test_acting_for_a_rival_tells_no_more(table: Rivals) -> None:
    orders = table.root / "act.yaml"
    orders.write_text("orders:\n  prussia:\n    allot: {Friedrich: 29}\n")
    answer = table.moderate("act", "frederick", str(orders), "--why", "by telephone", code=1).output
    assert "E-" in answer
    assert "troops" not in answer


def test_a_message_to_the_moderator_reaches_the_moderator_who_plays(table: Rivals) -> None:
    table.run("message", "moderator", "Is this legal?", "-o", "words.yaml", as_="frederick")
    table.accept("words.yaml")
    assert "Is this legal?" in table.moderate("report", "louis").output


def seats(table: Correspondence, folder: str) -> Any:
    """The lines of a campaign's settings on its seats."""
    return (table.root / folder / "campaign.yaml").read_text().partition("seats:")[2]


def test_a_plan_may_say_otherwise_and_new_says_so(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    (tmp_path / "plan.yaml").write_text(
        "scenario: introductory\nmoderator: {seat: louis}\nseats: {frederick: {reports: plain}, louis: {}}\n"
    )
    told = table.run("new", "open", "--from", "plan.yaml", "--name", "open", as_="moderator").output
    assert "reports to frederick are NOT sealed" in " ".join(told.split())
    assert seats(table, "open").count("reports: sealed") == 1
    told = table.run("new", "closed", "--moderator-seat", "louis", as_="moderator").output
    assert "reports: sealed" in told
    assert seats(table, "closed").count("reports: sealed") == 2
    table.run("new", "apart", as_="moderator")
    assert "sealed" not in seats(table, "apart")


def test_a_seat_whose_reports_are_sealed_is_not_taken_without_a_key(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--moderator-seat", "louis", "--signing", "off")
    sheet = Path(table.sent("frederick-invitation.join.yaml")).read_text()
    assert "key:" in sheet
    plain = "\n".join(line for line in sheet.splitlines() if not line.strip().startswith("key:"))
    (tmp_path / "join.yaml").write_text(plain.replace("entropy:", "entropy: a long line of my own"))
    (answer,) = table.accept("join.yaml")
    assert [fault["code"] for fault in answer["faults"]] == ["E-JOIN-KEY"]
    own = Path(table.sent("louis-invitation.join.yaml")).read_text()
    assert "key:" not in own
    (tmp_path / "own.yaml").write_text(own.replace("entropy:", "entropy: another long line"))
    (answer,) = table.accept("own.yaml")
    assert answer["status"] == "final", answer
    table.run("join", table.sent("frederick-invitation.invitation.yaml"), as_="frederick")
    table.accept(f"join-{NAME}-frederick.yaml")
    refused = table.moderate("substitute", "frederick", "--why", "ill", code=1).output
    assert "E-KEY-MISSING" in refused
