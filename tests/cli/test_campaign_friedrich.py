"""FRIEDRICH by letter with nothing but commands, from the invitation to the verified archive."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .correspondence import NAME, Correspondence

SEATS = {
    "four": ("frederick", "elisabeth", "maria-theresa", "pompadour"),
    "west": ("frederick", "pompadour"),
}


def begun(root: Path, scenario: str, *options: str) -> Correspondence:
    """A campaign of FRIEDRICH, dealt and posted."""
    table = Correspondence(root, SEATS[scenario])
    table.begin("--game", "friedrich", "--scenario", scenario, *options)
    table.join()
    return table


def test_from_the_invitation_to_the_archive(tmp_path: Path) -> None:
    table = begun(tmp_path, "four", "--expert", "yes", "--fate-order", "strokes later", "--proofs", "at the close")
    settings = (table.folder / "campaign.yaml").read_text("utf-8")
    assert all(told in settings for told in ("game: friedrich", "expert: yes", "fate order: strokes later"))
    assert "proved when the campaign closes" in Path(table.sent("observer.html")).read_text("utf-8")
    for _ in range(5):
        for seat in table.owing():
            report = table.sent(f"{seat}.report.yaml")
            checked = table.run("check", table.sheet(seat), "--report", report, as_=seat)
            assert "nothing is wrong with it" in checked.output
            assert "Still to answer" not in checked.output
        assert table.round()["kind"] == "adjudication"
    assert table.json("verify", NAME)["good"]
    table.moderate("close", "--why", "enough")
    table.moderate("post")
    found = table.json("verify", NAME)
    assert found["good"], found
    assert found["figures"]["adjudications"] >= 5


def test_orders_from_the_report_alone(tmp_path: Path) -> None:
    """A player judges, tries and sees with what the moderator has sent, and with nothing else."""
    table = begun(tmp_path, "four")
    while "frederick" not in table.owing() or not table.json("status", NAME)["stage"].endswith("prussia"):
        table.round()
    report = table.sent("frederick.report.yaml")
    assert table.json("legal", report)[0]["power"] == "prussia"
    sheet = Path(table.sheet("frederick"))
    text = sheet.read_text("utf-8")
    (line,) = [line for line in text.splitlines() if "# - Dohna: " in line]
    sheet.write_text(text.replace(line, line.replace("# ", "", 1)), "utf-8")
    assert "nothing is wrong" in table.run("check", str(sheet), "--report", report, as_="frederick").output
    sheet.write_text(text.replace(line, "        - Dohna: Breslau"), "utf-8")
    told = table.json("check", str(sheet), "--report", report, as_="frederick", code=1)
    (fault,) = [fault for fault in told["refused"] if fault["code"].startswith("E")]
    assert (fault["code"], fault["rule"]) == ("E-MARCH-LENGTH", "§4")
    (answer,) = table.accept(signed(table, "frederick", sheet))
    assert [each["code"] for each in answer["faults"]] == [fault["code"]]


def signed(table: Correspondence, seat: str, sheet: Path) -> str:
    """The letter, signed."""
    table.run("sign", str(sheet), as_=seat)
    return str(sheet)


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A two-player campaign at a movement phase."""
    table = begun(tmp_path_factory.mktemp("west"), "west")
    while "\n      move:" not in Path(table.sheet(table.owing()[0])).read_text("utf-8"):
        table.round()
    return table


def test_a_report_is_shown_drawn_and_kept(moving: Correspondence) -> None:
    (seat,) = moving.owing()
    report = moving.sent(f"{seat}.report.yaml")
    told = moving.run("show", report).output
    whole = moving.moderate("report", seat, "--whole").output
    assert told[told.index("Forces") :].strip() in whole
    where = moving.json("position", "load", report)
    assert f"{where['turn']}/{where['stage']}" == moving.json("status", NAME)["stage"]
    assert where["digest"] == ""
    moving.run("map", report, "-o", "seen.svg")
    assert "<svg" in (moving.root / "seen.svg").read_text("utf-8")
    moving.run("position", "save", "known.yaml", "--from", report)
    assert moving.run("show", "known.yaml").output == told
    assert not re.search("(?m)^(draw|seed|set aside):", (moving.root / "known.yaml").read_text("utf-8"))


def test_a_report_tells_nobody_elses_secrets(moving: Correspondence) -> None:
    (seat,) = moving.owing()
    report, other = moving.sent(f"{seat}.report.yaml"), next(each for each in SEATS["west"] if each != seat)
    for command in ("show", "legal"):
        assert "it tells the secrets of" in moving.run(command, report, "--as", other, code=2).output
    everybodys = moving.run("show", moving.sent("observer.report.yaml")).output
    assert moving.run("show", report, "--as", "observer").output == everybodys
    foreign = "france" if seat == "frederick" else "prussia"
    (moving.root / "foreign.yaml").write_text(f"orders: {{{foreign}: {{move: []}}}}\n")
    assert "E-ORDER-FOREIGN" in moving.run("try", report, "foreign.yaml", code=1).output


def test_orders_are_tried_as_far_as_can_be_known(moving: Correspondence) -> None:
    (seat,) = moving.owing()
    report = moving.sent(f"{seat}.report.yaml")
    (option, *_) = moving.json("legal", report)
    march = option["marches"][0]
    goal = next(way for way in march["to"] if len(way["path"]) == 1)
    orders = f"orders:\n  {option['power']}:\n    move:\n      - {march['pieces'][0]}: [{', '.join(goal['path'])}]\n"
    (moving.root / "orders.yaml").write_text(orders, "utf-8")
    tried = moving.json("try", report, "orders.yaml", "--position")
    assert [event["type"] for event in tried["events"]].count("Marched") == 1
    assert tried["position"]["kind"] == "knowledge"
    assert not [event for event in tried["events"] if event["type"] in ("CardsDrawn", "DeckShuffled", "BattleJoined")]


def test_what_is_not_a_report_of_a_game_is_refused(moving: Correspondence) -> None:
    report = Path(moving.sent("observer.report.yaml")).read_text("utf-8")
    (moving.root / "forged.yaml").write_text(report.replace("turn: ", "turn:  1"), "utf-8")
    assert "E-SIGNATURE" in moving.run("show", "forged.yaml", code=1).output
    (moving.root / "nobody.yaml").write_text("kind: knowledge\ngame: friedrich\npowers: [spain]\n", "utf-8")
    assert "E-POSITION" in moving.run("show", "nobody.yaml", code=1).output
