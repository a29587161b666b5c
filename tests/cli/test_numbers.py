"""Numbers of letters: none is taken, checked or signed that would leave its seat none for the letters to come."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.campaign.letters import heads
from tests.cli.correspondence import NAME, SEATS, Correspondence
from tests.protocol import second

FAR = "1000000000"


def numbered(path: str, seq: str) -> str:
    """Give a letter another number."""
    file = Path(path)
    file.write_text(re.sub(r"(?m)^seq: .*$", f"seq: {seq}", file.read_text()))
    return path


def notes(table: Correspondence) -> Path:
    """Return the file of the notes of Louis."""
    return table.root / "louis" / "key.campaigns" / f"{NAME}.louis.json"


@pytest.mark.parametrize("seq", [FAR, "1002"])
def test_a_number_too_far_above_the_last_is_refused_before_it_does_harm(begun: Correspondence, seq: str) -> None:
    sheet = numbered(begun.sheet("louis"), seq)
    report, before = begun.sent("louis.report.yaml"), notes(begun).read_bytes()
    for words in (("check", sheet), ("check", sheet, "--report", report), ("sign", sheet)):
        told = begun.run(*words, as_="louis", code=1).output
        assert f"E-LETTER-SEQ after seq 1, {seq} is too large a step" in told
    assert notes(begun).read_bytes() == before
    begun.run("sign", sheet, "--renumber", as_="louis")
    assert "seq: 2\n" in Path(sheet).read_text()
    begun.run("message", "all", "Hello", "-o", "hello.yaml", as_="louis")
    assert [each["status"] for each in begun.accept(sheet, "hello.yaml")] == ["final", "final"]


def test_a_number_within_reach_is_taken(begun: Correspondence) -> None:
    sheet = numbered(begun.sheet("louis"), "1001")
    begun.run("check", sheet, "--report", begun.sent("louis.report.yaml"), as_="louis")
    begun.run("sign", sheet, as_="louis")
    assert begun.accept(sheet)[0]["status"] == "final"


def sent_join(table: Correspondence, seq: str) -> str:
    """Write the letter by which Louis takes the seat, with another number, and sign it as 0.2 did."""
    table.run("join", table.sent("louis-invitation.invitation.yaml"), as_="louis")
    path = numbered(str(table.root / f"join-{NAME}-louis.yaml"), seq)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heads, "LONGEST_JUMP", 10**10)
        table.run("sign", path, as_="louis")
    return path


def test_no_seat_is_taken_with_a_number_that_leaves_it_none(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    path = sent_join(table, FAR)
    assert "E-LETTER-SEQ" in table.run("sign", path, as_="louis", code=1).output
    (answer,) = table.accept(path)
    assert answer["status"] == "refused"
    assert "E-LETTER-SEQ" in str(answer)


def test_a_seat_that_was_taken_so_by_an_older_version_goes_on_and_is_verified(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    for seat in SEATS[:2]:
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heads, "LONGEST_JUMP", 10**10)
        table.accept(sent_join(table, FAR), *(f"join-{NAME}-{seat}.yaml" for seat in SEATS[:2]))
    table.moderate("adjudicate")
    table.post()
    sheet = table.order("louis")
    assert "seq: 1000000001\n" in Path(sheet).read_text()
    table.moderate("close", "--why", "enough")
    assert table.json("verify", NAME)["good"]
    assert second.verify(table.folder) == []


@pytest.mark.parametrize("by", ["a sheet", "a report"])
def test_notes_of_a_number_that_was_never_taken_are_mended(begun: Correspondence, by: str) -> None:
    """As 0.2 wrote them when it had signed one."""
    found = json.loads(notes(begun).read_bytes())
    found |= {"seq": int(FAR), "newest": {"louis": {"seq": int(FAR), "letter": ""}}}
    notes(begun).write_text(json.dumps(found))
    if by == "a sheet":
        sheet = begun.sheet("louis")
        assert "W-LETTER-SEQ" not in begun.run("sign", sheet, as_="louis").output
        assert begun.accept(sheet)[0]["status"] == "final"
    words = () if by == "a sheet" else ("--report", begun.sent("louis.report.yaml"))
    begun.run("message", "all", "Hello", "-o", "hello.yaml", *words, as_="louis")
    assert begun.accept("hello.yaml")[0]["status"] == "final"


def test_messages_take_no_number_from_plans(begun: Correspondence) -> None:
    for number in range(3):
        begun.run("message", "all", "Hello", "-o", f"{number}.yaml", as_="louis")
    plan = begun.root / "plan.yaml"
    plan.write_bytes(Path(begun.sent("louis.plan.yaml")).read_bytes())
    begun.run("sign", "--renumber", "plan.yaml", as_="louis")
    assert "seq: 2\n" in plan.read_text()
    assert begun.accept("plan.yaml")[0]["status"] in ("final", "partial")
