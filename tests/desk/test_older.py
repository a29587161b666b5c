"""An older report at the desk: the page names the newer one that was opened there, and leads to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.player.files import GivenFile
from pbem.player.report_files import entry_of
from pbem.player.tables import trusted_guide
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask
from tests.desk.test_notebook import reports_to_frederick, sat_down

WHO, NEWER, MOVE = ".who", "#newer-report", "It is your move."


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return reports_to_frederick(tmp_path_factory.mktemp("older"), 5)


def number(report: Path) -> int:
    """The number of the entry up to which a report tells."""
    return entry_of(trusted_guide(GivenFile("report", report.read_bytes())))


def open_also(sitter: Sitter, report: Path) -> None:
    """Open one more report from the first page."""
    sitter.find("#another").click()
    sitter.find("#file").send_keys(str(report))
    sitter.until(f"return Boolean(sitting) && ask('report_name').name.endsWith('.{number(report)}')")


def lines(sitter: Sitter) -> list[list[str]]:
    """The texts of the buttons on the first page that go on with something: each game, and behind it its older
    reports."""
    found: list[list[str]] = sitter.reader.run(
        "return [...document.querySelectorAll('.kept > ul > li:has(.go-on-with)')].map((line) =>"
        " [...line.querySelectorAll('.go-on-with')].map((each) => each.textContent));"
    )
    return found


def test_the_browser_keeps_the_number_and_the_moderator_of_a_report(reports: list[Path]) -> None:
    bridge = sat_down(reports[-1])
    kept = ask(bridge, "kept")
    guide = trusted_guide(GivenFile("report", reports[-1].read_bytes()))
    assert (kept["seat"], kept["entry"]) == ("vienna-1741.frederick", number(reports[-1]))
    assert kept["moderator"] == guide.moderator.fingerprint
    game = ask(bridge, "play_now", "maria") and ask(bridge, "kept")
    assert (game["seat"], game["entry"], game["moderator"]) == ("", 0, "")


def test_an_older_report_names_the_newer_one_and_leads_to_it(sitter: Sitter, reports: list[Path]) -> None:
    oldest, newest = reports[0], reports[-1]
    sitter.open(str(newest))
    assert MOVE in sitter.find(WHO).text
    assert not sitter.reader.driver.find_elements("css selector", NEWER)
    open_also(sitter, oldest)
    assert f"newer report of this game here (number {number(newest)})" in sitter.find(NEWER).text
    assert sitter.find(NEWER).is_displayed()
    assert MOVE not in sitter.find(WHO).text
    assert f"number {number(oldest)}" in sitter.find(WHO).text
    # It stands there after a reload, and in another language.
    sitter.reader.driver.refresh()
    sitter.until("return Boolean(window.desk && window.desk.ready && sitting)")
    sitter.choose(".languages", "de")
    assert f"(Nummer {number(newest)})" in sitter.find(NEWER).text
    sitter.choose(".languages", "en")
    sitter.find("#newer-open").click()
    sitter.until(f"return ask('report_name').name.endsWith('.{number(newest)}')")
    assert MOVE in sitter.find(WHO).text
    assert not sitter.reader.driver.find_elements("css selector", NEWER)
    assert sitter.reader.complaints() == []


def test_the_first_page_lists_a_game_once_and_older_reports_behind_it(sitter: Sitter, reports: list[Path]) -> None:
    sitter.open(str(reports[-1]))
    sitter.reader.run("change('write', state.text + '# mine\\n')")
    # However many older ones are opened, the newest report stays with its letter.
    for older in reports[:-1]:
        open_also(sitter, older)
    sitter.find("#another").click()
    (line,) = lines(sitter)
    assert line[0] == "vienna-1741: Frederick"
    assert len(line) > 1
    for text, older in zip(line[1:], reversed(reports[:-1]), strict=False):
        assert text == f"Older report, number {number(older)}"
    sitter.find(".go-on-with").click()
    sitter.until("return Boolean(sitting)")
    assert sitter.text().endswith("# mine\n")
    assert sitter.reader.run("return ask('report_name').name").endswith(f".{number(reports[-1])}")


def test_a_game_of_that_name_with_another_moderator_is_another_game(sitter: Sitter, reports: list[Path]) -> None:
    sitter.open(str(reports[-1]))
    sitter.reader.run(
        "for (const name of storedBelow(KEPT)) {"
        " const note = JSON.parse(stored(name)), id = `${note.id}-of-another`;"
        " discard(name); store(KEPT + id, JSON.stringify({...note, id, moderator: 'SHA256:another'})); }"
        "for (const name of storedBelow(REPORTS)) discard(name);"
    )
    open_also(sitter, reports[0])
    assert MOVE in sitter.find(WHO).text
    assert not sitter.reader.driver.find_elements("css selector", NEWER)
    sitter.find("#another").click()
    assert len(lines(sitter)) == 2


def test_a_newer_report_that_was_thrown_away_is_named_without_a_way_to_it(sitter: Sitter, reports: list[Path]) -> None:
    sitter.open(str(reports[-1]))
    sitter.reader.run("for (const name of storedBelow(KEPT)) discard(name)")
    open_also(sitter, reports[0])
    assert f"number {number(reports[-1])}" in sitter.find(NEWER).text
    assert not sitter.reader.driver.find_elements("css selector", "#newer-open")
    assert MOVE not in sitter.find(WHO).text
