"""Every view of the page, by day and by night, wide and narrow, as axe-core judges it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.paper.documents.faults import Refused
from tests.cli.correspondence import Correspondence
from tests.desk.axe import found_by_axe, source
from tests.desk.fields import battlefield, politics
from tests.desk.sitting import Sitter
from tests.desk.test_archive import CLOSED, files_of, zipped
from tests.desk.test_desk import POSITION
from tests.desk.test_moderators import STRANGER, signed_by


def welcome(sitter: Sitter, _: Path) -> None:
    sitter.reader.run("safe = true; sitting = null; welcome();")


def marched(sitter: Sitter, _: Path) -> None:
    sitter.open(str(POSITION))
    sitter.march()


def practice(sitter: Sitter, _: Path) -> None:
    welcome(sitter, _)
    sitter.find(".practice summary").click()
    sitter.find("#practise").click()
    sitter.until("return Boolean(sitting)")


def archive(sitter: Sitter, folder: Path) -> None:
    (folder / "closed.zip").write_bytes(zipped(files_of(CLOSED)))
    sitter.open(str(folder / "closed.zip"), "return page.className === 'laid archive'")
    sitter.find("#seen-by option[value=frederick]").click()


def unsound(sitter: Sitter, folder: Path) -> None:
    (folder / "unsound.zip").write_bytes(zipped({**files_of(CLOSED), "ledger/more.txt": b""}))
    sitter.open(str(folder / "unsound.zip"), "return Boolean(document.querySelector('.unproved'))")


def battle(sitter: Sitter, folder: Path) -> None:
    (folder / "battle.yaml").write_bytes(battlefield("maria"))
    sitter.open(str(folder / "battle.yaml"))
    sitter.find(".pick.card[aria-expanded]").click()
    sitter.find("#prompt .section").click()


def political(sitter: Sitter, folder: Path) -> None:
    (folder / "politics.yaml").write_bytes(politics())
    sitter.open(str(folder / "politics.yaml"))


def planned(sitter: Sitter, _: Path) -> None:
    welcome(sitter, _)
    sitter.reader.run("opened(ask('pose', 'rearguard'), {game: 'maria', name: 'rearguard'})")
    sitter.find("[data-answer=solution]").click()
    sitter.reader.run("document.querySelectorAll('#asked details').forEach((each) => { each.open = true; })")


def compared(sitter: Sitter, _: Path) -> None:
    marched(sitter, _)
    sitter.find("#draft-second").click()
    sitter.find("#compare").click()


def learning(sitter: Sitter, _: Path) -> None:
    welcome(sitter, _)
    sitter.reader.run("document.querySelector('.puzzles').open = true")
    sitter.find(".learn").click()
    sitter.until("return Boolean(document.getElementById('coach'))")


def asked_whose(sitter: Sitter, folder: Path) -> None:
    table = Correspondence(folder)
    table.begin()
    table.join()
    report = table.sent("louis.report.yaml")
    (folder / "foreign.yaml").write_bytes(signed_by(report, STRANGER))
    sitter.open(report)
    sitter.reader.run("safe = true; sitting = null; welcome();")
    sitter.find("#file").send_keys(str(folder / "foreign.yaml"))
    sitter.until("return Boolean(document.querySelector('#signer'))")


@pytest.fixture
def looking(sitter: Sitter) -> Iterator[Sitter]:
    """Somebody whose window is afterwards as it was."""
    try:
        source()
    except Refused as refused:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"axe-core cannot be had here: {refused}")
    yield sitter
    sitter.reader.look()


@pytest.mark.parametrize(
    "view", [welcome, marched, practice, archive, unsound, battle, political, planned, compared, learning, asked_whose]
)
def test_axe_finds_nothing(looking: Sitter, view: Callable[[Sitter, Path], None], tmp_path: Path) -> None:
    view(looking, tmp_path)
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            looking.reader.look(width, 844, scheme)
            looking.raise_sheet()
            assert found_by_axe(looking.reader) == [], (width, scheme)
