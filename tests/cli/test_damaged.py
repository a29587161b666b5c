"""Older entry of the ledger that is damaged: the moderator is told by the next command, which does its work."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.correspondence import NAME, Correspondence
from tests.office.post import PLAIN, PostalTable

CODE = "W-LEDGER-CHANGED"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    table = Correspondence(tmp_path_factory.mktemp("damaged"))
    table.begin("--scenario", "introductory")
    table.join()
    return table


def damaged(folder: Path, number: int) -> tuple[Path, bytes]:
    """Change one letter of an entry; give its file, and the bytes before."""
    (file,) = (folder / "ledger").glob(f"{number:04d}-*.yaml")
    data = file.read_bytes()
    changed = data.replace(b"2026-", b"2025-", 1)
    assert changed != data
    file.write_bytes(changed)
    return file, data


def test_who_takes_letters_is_told_once_which_entry_is_damaged(begun: Correspondence, tmp_path: Path) -> None:
    table = begun.copied(tmp_path / "table")
    seats = table.owing()
    newest, _ = damaged(table.folder, 3)
    damaged(table.folder, 2)
    for seat in seats:
        table.run("sign", table.sheet(seat), as_=seat)
    letters = [f"{seat}/orders.yaml" for seat in seats]
    told = table.run("accept", *letters, "-C", NAME, as_="moderator").stderr
    assert told.count(CODE) == 1, "the newest of the damaged entries, for all letters"
    assert f"ledger/{newest.name}" in told
    assert len([*(table.folder / "ledger").glob("*-letter.yaml")]) == len(seats), "the letters are taken"


def test_the_first_entry_is_looked_at_too(begun: Correspondence, tmp_path: Path) -> None:
    table = begun.copied(tmp_path / "table")
    damaged(table.folder, 1)
    assert "ledger/0001-new.yaml" in table.moderate("remind").stderr


def test_what_was_put_back_is_told_no_more(begun: Correspondence, tmp_path: Path) -> None:
    table = begun.copied(tmp_path / "table")
    file, data = damaged(table.folder, 2)
    assert CODE in table.moderate("rule", "Be kind.").stderr
    file.write_bytes(data)
    assert CODE not in table.moderate("rule", "Be kinder.").stderr
    assert table.json("verify", NAME)["good"]


def test_an_office_notes_it_as_a_doubt(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN, "--scenario", "introductory")
    table.moderate("invite")
    table.evening()
    table.join_by_mail()
    table.evening()
    damaged(table.folder, 2)
    table.order_by_mail(table.owing()[0])
    table.evening()
    assert table.mail("status").count(CODE) == 1
