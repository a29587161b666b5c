"""Older entry of the ledger that is damaged: the moderator is told by the next command, which does its work if the
reports do not need what cannot be read any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.correspondence import NAME, Correspondence
from tests.office.post import PLAIN, PostalTable, copied

CODE, LOST = "W-LEDGER-CHANGED", "E-LEDGER-DAMAGED"


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


def shortened(folder: Path, kind: str, size: int) -> tuple[Path, bytes]:
    """Cut the oldest entry of a kind after so many bytes; give its file, and the bytes before."""
    file = min((folder / "ledger").glob(f"*-{kind}.yaml"))
    data = file.read_bytes()
    file.write_bytes(data[:size])
    return file, data


def entries(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "ledger").iterdir())


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


@pytest.mark.parametrize("size", [0, -200])
def test_nothing_is_entered_that_no_report_could_tell(begun: Correspondence, tmp_path: Path, size: int) -> None:
    table = begun.copied(tmp_path / "table")
    table.moderate("rule", "Be brief.")
    file, data = shortened(table.folder, "adjudication", size)
    before = entries(table.folder)
    for words in (("rule", "Be kind."), ("adjudicate", "--force"), ("post",)):
        told = table.moderate(*words, code=1).output
        assert f"{LOST} ledger/{file.name}" in told
        assert "from a copy of the archive" in told
    assert entries(table.folder) == before
    file.write_bytes(data)
    assert LOST not in table.moderate("rule", "Be kind.").output
    table.moderate("post")


def test_what_was_told_and_no_report_needs_stops_nothing(begun: Correspondence, tmp_path: Path) -> None:
    table = begun.copied(tmp_path / "table")
    file, _ = shortened(table.folder, "join", 0)
    assert f"{CODE} ledger/{file.name}" in table.moderate("rule", "Be kind.").output
    table.moderate("post")


def test_of_a_last_entry_that_is_cut_and_of_one_that_is_gone_the_remedy_is_told(
    begun: Correspondence, tmp_path: Path
) -> None:
    table = begun.copied(tmp_path / "table")
    last = table.folder / "ledger" / entries(table.folder)[-1]
    data = last.read_bytes()
    last.write_bytes(data[:-200])
    told = table.moderate("post", code=1).output
    assert f"{LOST} ledger/{last.name}" in told
    assert "from a copy of the archive" in told
    last.write_bytes(data)
    min((table.folder / "ledger").glob("0003-*")).unlink()
    told = table.moderate("post", code=1).output
    assert "E-LEDGER-GAP entry 3 is missing" in told
    assert "from a copy of the archive" in told


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """An office that has sent the first reports."""
    table = PostalTable(tmp_path_factory.mktemp("office"))
    table.open_office(PLAIN, "--scenario", "introductory")
    table.join_all()
    return table


def test_an_office_notes_it_as_a_doubt_until_it_is_put_back(office: PostalTable, tmp_path: Path) -> None:
    table = copied(office, tmp_path / "table")
    table.order_by_mail(table.owing()[0])
    file, data = damaged(table.folder, 2)
    table.evening()
    assert table.mail("status").count(CODE) == 1
    table.evening()
    assert table.mail("status").count(CODE) == 1
    file.write_bytes(data)
    table.evening()
    assert CODE not in table.mail("status")


def test_an_office_takes_no_letter_while_an_adjudication_cannot_be_read(office: PostalTable, tmp_path: Path) -> None:
    table = copied(office, tmp_path / "table")
    table.moderate("rule", "Be brief.")
    table.evening()
    for seat in table.owing():
        table.order_by_mail(seat)
    file, data = shortened(table.folder, "adjudication", 0)
    before, mails = entries(table.folder), len(table.sent_mails())
    for _ in range(2):
        assert f"{LOST} ledger/{file.name}" in table.evening(code=1)
    assert entries(table.folder) == before
    file.write_bytes(data)
    assert LOST not in table.evening()
    assert len(entries(table.folder)) > len(before)
    assert len(table.sent_mails()) > mails + len(table.seats), "the reports of the next stage"
