"""The notebook at the desk: reports are kept and counted in a worker, and own notes go into no letter."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.bots.imagining import facts_in
from pbem.desk.bridge import Bridge
from pbem.desk.long_acts import LongAct
from pbem.desk.opening import accept, open_file
from pbem.player.files import GivenFile
from pbem.player.keyring import place_of
from pbem.player.report_files import with_facts
from pbem.player.tables import reported_table, trusted_guide
from tests.cli.correspondence import SEATS, Correspondence
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask


def reports_to_frederick(folder: Path, count: int) -> list[Path]:
    """Reports of one campaign, the oldest first; the first and the last one ask him something."""
    (folder / "table").mkdir()
    table = Correspondence(folder / "table", SEATS)
    table.begin()
    table.join()
    while "frederick" not in table.owing():
        table.round()
    found: list[Path] = []
    while len(found) < count or "frederick" not in table.owing():
        if found:
            table.round()
        report = Path(table.sent("frederick.report.yaml")).read_bytes()
        if not found or report != found[-1].read_bytes():
            found.append(folder / str(len(found)) / "frederick.report.yaml")
            found[-1].parent.mkdir()
            found[-1].write_bytes(report)
    return found


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return reports_to_frederick(tmp_path_factory.mktemp("notebook"), 3)


def sat_down(path: Path) -> Bridge:
    """A desk with this report."""
    bridge = Bridge("en")
    open_file(bridge.desk, path.read_bytes(), path.name)
    accept(bridge.desk)
    return bridge


def kept(bridge: Bridge, path: Path) -> dict[str, str]:
    """A report as the browser keeps it."""
    data = base64.b64encode(path.read_bytes()).decode()
    return {"name": path.parent.name, "packed": ask(bridge, "pack", data)}


def counted_by(bridge: Bridge, newest: Path, others: list[Path]) -> Any:
    """The end of the long act that counts reports."""
    asked = ask(bridge, "reports", kept(bridge, newest), [kept(bridge, each) for each in others])
    assert not asked["closed"]
    act, answers = LongAct("notebook", json.dumps([asked["question"]])), [{}]
    while "done" not in answers[-1]:
        answers.append(json.loads(act.go_on()))
        assert "refused" not in answers[-1]
    return answers[-1]["done"]


def test_the_notebook_is_that_of_the_command(reports: list[Path], tmp_path: Path) -> None:
    from click.testing import CliRunner

    from pbem.cli import main

    bridge = sat_down(reports[-1])
    found = counted_by(bridge, reports[-1], reports[:-1][::-1])
    told = "".join(span["text"] for block in found["told"] for line in lines_of(block) for span in line)
    files = [str(path) for path in reports]
    shown = CliRunner().invoke(main, ["notebook", *files, "--language", "en"], catch_exceptions=False)
    plain = " ".join(shown.output.replace("`", "").split())
    assert len(reports) == found["of"]
    for block in found["told"]:
        for line in lines_of(block):
            assert " ".join("".join(span["text"] for span in line).split()) in plain
    assert "reports" in told


def lines_of(block: dict[str, Any]) -> list[Any]:
    return block.get("items") or block.get("lines") or ([block["line"]] if "line" in block else [])


def test_worlds_and_branches_take_the_facts_of_earlier_reports(reports: list[Path]) -> None:
    bridge = sat_down(reports[-1])
    found = counted_by(bridge, reports[-1], reports[:-1])
    ask(bridge, "take_facts", found["facts"])
    assert ask(bridge, "question")["facts"] == found["facts"]
    path = reports[-1]
    file = GivenFile(path.name, path.read_bytes(), path.parent)
    seen = trusted_guide(file)
    by_command = with_facts(reported_table(seen, path.name), file, [str(each) for each in reports[:-1]], place_of(None))
    assert bridge.desk.opened.known_facts() == by_command.facts
    # These reports tell of no battle yet: that all facts are used is seen by others.
    more = {**json.loads(found["facts"]), "held": {"3": "austria"}}
    ask(bridge, "take_facts", json.dumps(more))
    assert json.loads(ask(bridge, "question")["facts"]) == more
    ask(bridge, "play_on", "sensible")
    practice = bridge.desk.opened.practice
    assert practice
    assert practice.game.setup.world
    assert facts_in(practice.game.setup.world.facts).held == {3: "austria"}


def test_newer_and_strange_reports_are_left_out(reports: list[Path]) -> None:
    bridge = sat_down(reports[0])
    assert counted_by(bridge, reports[0], reports[1:])["facts"] == counted_by(bridge, reports[0], [])["facts"]
    asked = ask(bridge, "reports", kept(bridge, reports[0]), [{"name": "broken", "packed": "AAAA"}])
    assert asked["closed"] == ["broken"]


def test_a_report_that_somebody_has_changed_is_named_and_left_out(reports: list[Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad" / "report.yaml"
    bad.parent.mkdir()
    bad.write_bytes(reports[0].read_bytes().replace(b"stage", b"stagf", 1))
    bridge = sat_down(reports[-1])
    found = counted_by(bridge, reports[-1], [bad])
    assert [each["name"] for each in found["unread"]] == ["bad"]


def test_notes_are_the_file_of_the_command_and_in_no_letter(reports: list[Path], tmp_path: Path) -> None:
    bridge, other = sat_down(reports[-1]), sat_down(reports[-1])
    subject = ask(bridge, "note_subject", "dresden")
    text = ask(bridge, "notes_file", {subject: "weak, I think", "turn 3": "pay"})
    assert ask(bridge, "notes_in", base64.b64encode(text.encode()).decode(), "notes.yaml") == {
        "Dresden": "weak, I think",
        "turn 3": "pay",
    }
    refused = json.loads(bridge.call("note_subject", json.dumps(["Atlantis"])))["refused"]
    assert refused[0]["code"] == "E-NOTEBOOK-ABOUT"
    assert bridge.desk.draft.text.encode() == other.desk.draft.text.encode()


def test_worlds_go_on_to_the_end_of_the_turn(reports: list[Path]) -> None:
    bridge = sat_down(reports[-1])
    told = {}
    for far in ("stage", "turn"):
        act, answer = LongAct("chances", json.dumps([ask(bridge, "question"), 3, far])), {"far": None}
        while "far" in answer:
            answer = json.loads(act.go_on())
        told[far] = json.dumps(answer["done"]["told"])
    assert "to the end of the turn" in told["turn"]
    assert "to the end of the stage" in told["stage"]


COUNTED = "return Boolean(document.querySelector('#notes-written') && notebook.sitting === sitting && notebook.told)"
"""Tells if the notebook of the report that lies open has been counted."""


def lie_open(sitter: Sitter, path: Path) -> None:
    """Open a report beside those that were opened before."""
    sitter.reader.run("home()")
    sitter.find("#file").send_keys(str(path))
    sitter.until("document.getElementById('accept')?.click(); return Boolean(sitting)")


def test_a_notebook_fills_itself_and_notes_stay_out_of_the_letter(sitter: Sitter, reports: list[Path]) -> None:
    sitter.open(str(reports[0]))
    lie_open(sitter, reports[-1])
    letter = sitter.text()
    sitter.find("#notebook summary").click()
    sitter.until(COUNTED)
    assert "2 reports" in sitter.find("#notebook-told").text
    sitter.find("#note-about").send_keys("dresden")
    sitter.find("#note-text").send_keys("weak, I think")
    sitter.find("#note-write").click()
    assert "weak, I think" in sitter.find("#notes-written").text
    assert sitter.text() == letter
    sitter.reader.run("hoverCity('Dresden')")
    assert "weak, I think" in sitter.find(".tip").text
    lie_open(sitter, reports[-1])
    assert sitter.text() == letter
    sitter.find("#notebook summary").click()
    sitter.until("return document.querySelector('#notes-written')?.textContent.includes('weak, I think')")
    sitter.home()


FULL = """
window.setItem = Storage.prototype.setItem;
Storage.prototype.setItem = function (name, text) {
  if (storedBelow(REPORTS).length) throw new DOMException("full", "QuotaExceededError");
  window.setItem.call(this, name, text);
};
"""
"""Makes the storage full for as long as it has a report for notebooks."""


def test_reports_for_notebooks_give_way_where_room_runs_short(sitter: Sitter, reports: list[Path]) -> None:
    sitter.open(str(reports[0]))
    assert sitter.reader.run("return keptReports().length") == 1
    sitter.reader.run(FULL)
    try:
        assert sitter.reader.run("return store('pbem-kept x', 'y')")
        assert sitter.reader.run("return keptReports().length") == 0
    finally:
        sitter.reader.run("Storage.prototype.setItem = window.setItem")
        sitter.home()


def test_notebooks_go_with_everything_into_another_browser_and_damaged_ones_harm_nothing(
    sitter: Sitter, reports: list[Path]
) -> None:
    sitter.open(str(reports[0]))
    sitter.reader.run("keepOwnNotes(ask('report_name').seat, {Dresden: 'weak'})")
    everything = sitter.reader.run("return JSON.stringify({...allNotebooks(), pbem: DESK_FILE, games: []})")
    sitter.home()
    assert sitter.reader.run("return keptReports().length") == 0
    sitter.reader.run("importing(JSON.parse(arguments[0])); document.querySelector('#import-take').click()", everything)
    assert sitter.reader.run("return keptReports().length") == 1
    sitter.reader.run("document.querySelector('#keeping').open = true")
    assert "vienna-1741.frederick: 1" in sitter.find("#keeping").text
    for damaged in ("{", "[]", '{"name": "x"}'):
        sitter.reader.run(
            "localStorage.setItem(REPORTS + 'x', arguments[0]); localStorage.setItem(OWN_NOTES + 'x', '[1');", damaged
        )
        sitter.reader.run("welcome()")
    sitter.find("#file").send_keys(str(reports[0]))
    sitter.until("document.getElementById('accept')?.click(); return Boolean(sitting)")
    sitter.find("#notebook summary").click()
    sitter.until(COUNTED)
    assert "weak" in sitter.find("#notes-written").text
    sitter.home()
