"""A folder that all share as a carrier: sealed mails in it, whole ones alone, each once, and nothing lost."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import sqlite3
import traceback
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.disk.atomic import TEMPORARY
from pbem.campaign.players.finding_notes import find_notes
from pbem.campaign.proof.verifying import verify
from pbem.cli import main
from pbem.console.surroundings import Surroundings
from pbem.office import running, shared_folder
from pbem.paper.letters import sign_letter
from pbem.seal.box import unpad, unseal
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME, SEATS
from tests.office.post import ADDRESSES, PostalTable, copied

SETTINGS = """\
campaigns: {campaigns}
in: {{folder: shared}}
out: {{folder: shared}}
key: {who}/key
state: {who}/state
address: {who}@example.org
pictures: no
"""


class SharedTable(PostalTable):
    """A table where everybody has an office, and one folder is all that goes between them."""

    def open_folder(self, *options: str) -> None:
        """Begin a campaign; invitations go from hand to hand."""
        self.shared.mkdir()
        for who in ("moderator", *SEATS):
            where = "." if who == "moderator" else f"{who}/files"
            (self.root / f"{who}.yaml").write_text(SETTINGS.format(campaigns=where, who=who))
        (self.root / "moderator.yaml").rename(self.root / "mail.yaml")
        self.mail("status")
        sitting = [word for seat in SEATS for word in ("--seat", f"{seat}={seat} <{ADDRESSES[seat]}>")]
        host = ("--moderator", "Max <moderator@example.org>")
        self.run("new", NAME, "--delay", "0m", *host, *sitting, *options, as_="moderator")
        self.moderate("invite")

    @property
    def shared(self) -> Path:
        return self.root / "shared"

    def box(self, reader: str) -> list[Path]:
        """The sealed files for a reader."""
        return sorted(self.shared.glob(f"pbem-*.{reader}.*.age"))

    def opened(self, path: Path, who: str) -> bytes:
        """The mail in a sealed file."""
        key = load_private((self.root / who / "key").read_bytes(), None)
        return unpad(unseal(key, path.read_text() + "\n"))

    def filed(self, seat: str) -> Path:
        """The folder of the newest report that a player's office has filed."""
        return max((self.root / seat / "files" / NAME).glob("*/report.yaml")).parent

    def join_by_folder(self) -> None:
        """Everybody joins by the invitation that was brought, and lays the letter into the folder."""
        for seat in SEATS:
            files = self.root / seat / "files" / NAME
            files.mkdir(parents=True)
            self.desk(seat)
            self.run("join", self.sent(f"{seat}-invitation.invitation.yaml"), "-o", str(files / "join.yaml"), as_=seat)
            assert "mails sent: 1" in self.desk(seat)

    def sign_orders(self, seat: str) -> Path:
        """A player signs the sheet that the office has filed."""
        sheet = self.filed(seat) / "orders.yaml"
        self.run("sign", str(sheet), as_=seat)
        return sheet

    def entries(self, kind: str) -> int:
        """Number of entries of a kind."""
        return sum(f"kind: {kind}\n" in path.read_text() for path in (self.folder / "ledger").glob("*.yaml"))


def copied_folder(table: SharedTable, root: Path) -> SharedTable:
    found = copied(table, root)
    assert isinstance(found, SharedTable)
    return found


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> SharedTable:
    """Everybody has joined by the folder, and reports lie in it that nobody has fetched."""
    table = SharedTable(tmp_path_factory.mktemp("shared"))
    table.open_folder()
    told = table.evening()
    assert told.count("W-OFFICE-HAND an invitation does not go into the shared folder") == 3
    assert not [*table.shared.iterdir()], "whoever reads an invitation can take the seat"
    table.join_by_folder()
    told = table.evening()
    assert "letters taken: 3, on to turn 1 (set-up), reports: 4" in told
    assert "W-" not in told, "who has joined needs no invitation"
    return table


@pytest.fixture
def table(dealt: SharedTable, tmp_path: Path) -> SharedTable:
    """The same in a folder of its own."""
    return copied_folder(dealt, tmp_path / "table")


def test_a_turn_by_the_folder_alone(table: SharedTable) -> None:
    for seat in SEATS:
        told = table.desk(seat)
        assert f"{NAME}: orders are owed for turn 1 (set-up)" in told
        assert "left alone: 0" in told
        table.sign_orders(seat)
        assert "mails sent: 1; waiting: 0" in table.desk(seat)
    told = table.evening()
    assert "mails read: 3; with letters: 3" in told
    assert "letters taken: 3, on to turn 1 (hussars), reports: 4" in told
    for seat in SEATS:
        assert "W-" not in table.desk(seat)
        assert "mails read: 0" in table.desk(seat), "once"
    assert "nothing to do" in table.evening()
    assert verify(table.folder).is_good


def test_a_player_without_an_office_opens_and_lays_letters_by_hand(table: SharedTable) -> None:
    for number, path in enumerate(table.box("louis")):
        table.run("open", str(path), "--into", f"louis/mail-{number}", as_="louis")
    (report,) = [
        path for path in (table.root / "louis").glob("mail-*/opened-1.eml") if b"report.yaml" in path.read_bytes()
    ]
    assert "orders" in table.run(str(report), as_="louis").output
    sheet = table.sheet("louis")
    table.run("seal", sheet, "-o", "louis/sealed.yaml", "--report", str(report), as_="louis")
    table.run("sign", "louis/sealed.yaml", as_="louis")
    shutil.copy(table.root / "louis" / "sealed.yaml", table.shared / "Louis, my orders.yaml")
    assert "letters taken: 1" in table.evening()
    assert len(table.box("louis")) == 3, "the receipt"


def test_all_that_lies_in_the_folder_is_sealed_to_its_reader(table: SharedTable) -> None:
    table.desk("louis")
    table.sign_orders("louis")
    table.desk("louis")
    assert len(table.box("louis")) == 2, "a receipt and a report"
    for path in table.shared.iterdir():
        assert path.read_text().startswith("-----BEGIN AGE ENCRYPTED FILE-----"), path.name
        for other in {"moderator", *SEATS} - {path.name.split(".")[1]}:
            with pytest.raises(Exception, match="E-SEAL-KEY"):
                table.opened(path, other)
        # What is seen: who, how often, and steps of size.
        assert re.fullmatch(r"pbem-vienna-1741\.[a-z-]+\.[0-9a-f]{24}\.age", path.name)
        assert not any(address.encode() in path.read_bytes() for address in ADDRESSES.values())
    assert b"report.yaml" in table.opened(table.box("louis")[1], "louis") + table.opened(table.box("louis")[0], "louis")
    assert not [path for path in table.shared.iterdir() if ".moderator." in path.name and path in table.box("louis")]


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def without_end(path: Path) -> None:
    path.write_bytes(path.read_bytes().rpartition(b"\n-----END")[0])


def in_the_making(path: Path) -> None:
    """As Syncthing, rsync and browsers name what is not whole."""
    for name in (f".syncthing.{path.name}.tmp", f".{path.name}.Ab3dE", f"{path.name}.part", f"~{path.name}.tmp"):
        (path.parent / name).write_bytes(path.read_bytes()[:300])
    path.unlink()


def of_zeros(path: Path) -> None:
    """Of the right size, as some services make room for a file."""
    path.write_bytes(b"\0" * path.stat().st_size)


@pytest.mark.parametrize("harm", [half, empty, without_end, in_the_making, of_zeros])
def test_a_file_that_is_not_whole_is_waited_for_and_never_refused(table: SharedTable, harm: object) -> None:
    assert callable(harm)
    before = {path.name: path.read_bytes() for path in table.shared.iterdir()}
    for seat in SEATS:
        table.desk(seat)
        table.sign_orders(seat)
        table.desk(seat)
    (letter,) = [path for path in table.box("moderator") if path.name not in before][2:] or [None]
    assert letter
    whole = letter.read_bytes()
    harm(letter)
    for _ in range(2):
        told = table.evening()
        assert "refused" not in told
        assert ("W-OFFICE-HALF" in told) == letter.exists()
    assert table.entries("letter") == 2, "one bad file stops no other"
    letter.write_bytes(whole)
    told = table.evening()
    assert "letters taken: 1, on to turn 1 (hussars)" in told
    assert "W-OFFICE-HALF" not in told


def test_a_report_that_comes_in_pieces_is_filed_when_it_is_whole(table: SharedTable) -> None:
    for path in table.box("louis"):
        half(path)
    told = table.desk("louis")
    assert "mails read: 0" in told
    assert "W-OFFICE-HALF" in told
    assert "W-OFFICE-CUT" not in told
    told = table.evening()
    assert "mails sent: 2; waiting: 0" in told, "who has sent them lays them anew"
    assert "W-OFFICE-CHANGED" not in told, "a service is only late"
    assert f"{NAME}: orders are owed for turn 1 (set-up)" in table.desk("louis")


def of_the_same_reader(path: Path) -> None:
    """An older file of the same reader: who puts it there needs no key."""
    reader = path.name.split(".")[1]
    path.write_bytes(min(each for each in path.parent.glob(f"*.{reader}.*") if each != path).read_bytes())


def of_another(path: Path) -> None:
    reader = path.name.split(".")[1]
    path.write_bytes(next(each for each in path.parent.iterdir() if each.name.split(".")[1] != reader).read_bytes())


def a_link(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere.age")
    path.symlink_to(path.parent.parent / "elsewhere.age")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


IN_PLACE = [of_the_same_reader, of_another, a_link, a_folder, a_pipe]


@pytest.mark.parametrize("swap", IN_PLACE)
def test_what_lies_in_place_of_a_report_is_told_and_the_report_laid_again(
    table: SharedTable, swap: Callable[[Path], None]
) -> None:
    for seat in SEATS:
        table.desk(seat)
        table.sign_orders(seat)
        table.desk(seat)
    before = table.box("louis")
    assert "reports: 4" in table.evening()
    (report,) = [
        path for path in table.box("louis") if path not in before and b"report.yaml" in table.opened(path, "louis")
    ]
    swap(report)
    told = table.desk("louis")
    assert f"{NAME}: W-OFFICE-SWAPPED these files in the shared folder bear the name of a mail for this office" in told
    assert report.name in told
    assert "are signed, but what came later is damaged" in table.desk("louis", "mail", "status")
    assert "something came later that cannot be read" in table.run("status", as_="louis").output
    told = table.evening()
    assert f"{NAME}: W-OFFICE-CHANGED somebody has changed files that this office has laid" in told
    assert "mails sent: 1; waiting: 0" in told
    assert "[vienna-1741]" in table.desk("louis")
    assert "nothing is owed for turn 1 (hussars)" in table.desk("louis", "mail", "status")
    assert "something came later" not in table.run("status", as_="louis").output
    assert "mails sent: 0" in table.evening(), "once"


@pytest.mark.parametrize("swap", [of_the_same_reader, a_folder])
def test_orders_in_whose_place_something_lies_are_laid_again_and_not_called_signed(
    table: SharedTable, swap: Callable[[Path], None]
) -> None:
    table.desk("louis")
    before = table.box("moderator")
    table.sign_orders("louis")
    assert "do not lie whole in the shared folder" in table.desk("louis", "mail", "status"), "nor yet"
    assert "do not lie whole in the shared folder" not in table.desk("louis")
    assert "the orders for turn 1 (set-up) are signed" in table.desk("louis", "mail", "status")
    (letter,) = [path for path in table.box("moderator") if path not in before]
    swap(letter)
    told = table.evening()
    assert "W-OFFICE-SWAPPED these files in the shared folder bear the name of a mail for this office" in told
    assert letter.name in told
    assert "letters taken" not in told
    assert "do not lie whole in the shared folder" in table.desk("louis", "mail", "status")
    told = table.desk("louis")
    assert f"{NAME}: W-OFFICE-CHANGED" in told
    assert "mails sent: 1; waiting: 0" in told
    assert "letters taken: 1" in table.evening()


def test_a_fight_for_a_place_is_told_bounded_and_lost_by_who_stops_first(table: SharedTable) -> None:
    table.desk("louis")
    before = table.box("moderator")
    table.sign_orders("louis")
    table.desk("louis")
    for number in range(12):
        for path in set(table.box("moderator")).difference(before):
            path.write_bytes(before[number % 3].read_bytes())
        told = table.desk("louis")
        assert "W-OFFICE-CHANGED" in told
        assert "mails sent: 1; waiting: 0" in told
    assert len(set(table.box("moderator")).difference(before)) == shared_folder.MOST_NAMES
    told = table.evening()
    assert "letters taken: 1" in told
    assert "W-OFFICE-SWAPPED" not in told, "the mail has come whole, beside them"
    assert "mails sent: 0" in table.desk("louis")


def test_files_that_an_earlier_version_has_laid_are_laid_once_more_without_a_word(table: SharedTable) -> None:
    base = sqlite3.connect(table.root / "moderator" / "state" / "office.sqlite")
    base.execute("DROP TABLE laid")
    base.commit()
    base.close()
    told = table.evening()
    assert "mails sent: 6; waiting: 0" in told
    assert "W-OFFICE-CHANGED" not in told
    assert "mails sent: 0" in table.evening()
    assert "orders are owed" in table.desk("louis")


COPIES = (
    "{stem} (conflicted copy 2026-11-26).{end}",
    "{stem} (Anna's conflicted copy 2026-11-26 2).{end}",
    "{stem}.sync-conflict-20261126-120000-ABCDEFG.{end}",
    "{stem} (1).{end}",
    "{stem}-DESKTOP-7.{end}",
    "{stem}.{END}",
)


@pytest.mark.parametrize("pattern", COPIES)
def test_copies_by_conflict_are_the_same_mails(table: SharedTable, pattern: str) -> None:
    def conflict(path: Path, is_alone: bool) -> None:
        name = pattern.format(stem=path.stem, end="age", END="AGE")
        shutil.copy(path, path.with_name(name))
        if is_alone:
            path.unlink()

    for path in table.box("louis"):
        conflict(path, is_alone=True)
    assert "orders are owed" in table.desk("louis"), "the copy may be all that came"
    table.sign_orders("louis")
    table.desk("louis")
    (letter,) = [path for path in table.box("moderator") if b"orders 1/setup" in table.opened(path, "moderator")]
    conflict(letter, is_alone=False)
    told = table.evening()
    assert "letters taken: 1" in told
    assert "copies" not in told
    assert table.entries("letter") == 1
    assert "W-" not in table.desk("louis")


def test_two_versions_of_a_letter_in_the_open_both_come(table: SharedTable) -> None:
    """By hand, from two computers: the higher number counts, as by mail."""
    table.desk("louis")
    sheet = table.filed("louis") / "orders.yaml"
    plain = sheet.read_bytes()
    table.run("seal", str(sheet), "-o", "one.yaml", as_="louis", code=None)
    for name in ("orders.yaml", "orders.sync-conflict-20261126-120000-ABCDEFG.yaml"):
        (table.shared / name).write_bytes(plain)
        table.run("sign", f"shared/{name}", *(("--renumber",) if "sync" in name else ()), as_="louis")
    told = table.evening()
    assert "letters taken: 2" in told
    assert "refused" not in told


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9, 0.995])
def test_a_truncated_letter_in_the_open_is_waited_for(table: SharedTable, keep: float) -> None:
    table.desk("louis")
    sheet = table.sign_orders("louis")
    whole = sheet.read_bytes()
    path = table.shared / "orders (conflicted copy 2026-11-26).yaml"
    path.write_bytes(whole[: int(len(whole) * keep)])
    told = table.evening()
    assert "refused" not in told
    assert "taken" not in told
    assert "W-OFFICE-HALF" in told
    assert path.name in told
    path.write_bytes(whole)
    assert "letters taken: 1" in table.evening()
    path.write_bytes(whole.replace(b"\n", b"\r\n"))
    assert "letters taken" not in table.evening(), "the same letter with other ends of lines"


def test_what_is_unsigned_or_no_letter_stops_nothing(table: SharedTable) -> None:
    table.desk("louis")
    sheet = table.filed("louis") / "orders.yaml"
    (table.shared / "unsigned.yaml").write_bytes(sheet.read_bytes())
    (table.shared / "holiday.jpg").write_bytes(os.urandom(2000))
    (table.shared / "notes.txt").write_text("Dinner at eight?\n")
    (table.shared / "CON.yaml").write_text("a: 1\n")
    (table.shared / os.fsdecode(b"\xff\xfe.yaml")).write_bytes(b"\x80\x81 pbem: 1")
    (table.shared / "deep").mkdir()
    (table.shared / "folder.yaml").mkdir()
    (table.shared / "link.yaml").symlink_to(table.root / "moderator" / "key")
    name = table.box("moderator")[0].name
    other = name[:-6] + ("00" if name.endswith("ff.age") else "ff") + ".age"
    (table.shared / other).write_bytes(b"-----BEGIN AGE ENCRYPTED FILE-----\nAAAA\n")
    table.sign_orders("louis")
    table.desk("louis")
    told = table.evening()
    assert "letters taken: 1" in told
    assert "W-OFFICE-HALF" in told
    assert "notes.txt" not in told
    for _ in range(3):
        assert "refused" not in table.evening()


def test_a_join_is_laid_in_the_first_round_of_an_office(table: SharedTable) -> None:
    """No other command is needed where the office is set up behind `pbem join`."""
    shutil.rmtree(table.root / "louis" / "state")
    told = table.desk("louis")
    assert "mails sent: 1" in told
    assert "held" not in told
    assert "letter" not in table.evening().partition("with letters: 0")[2], "it was taken before"


def test_letters_for_the_campaigns_of_another_moderator_are_left_to_them(table: SharedTable) -> None:
    table.desk("louis")
    text = (table.filed("louis") / "orders.yaml").read_text().replace(f"campaign: {NAME}", "campaign: elsewhere")
    key = load_private((table.root / "louis" / "key").read_bytes(), None)
    (table.shared / "mine.yaml").write_text(sign_letter(text, key))
    told = table.evening()
    assert "left alone: 1" in told
    assert "W-" not in told


def test_an_unsigned_letter_in_the_open_is_told_in_whatever_file(table: SharedTable) -> None:
    table.sheet("louis")
    (table.shared / "my orders.eml").write_bytes(table.write_mail("louis", "louis/orders.yaml"))
    told = table.evening()
    assert "W-OFFICE-HALF these files in the shared folder are not whole or not signed" in told
    assert "my orders.eml" in told


def test_reports_that_come_late_and_in_another_order(table: SharedTable) -> None:
    """The older report comes behind the newer one."""
    late = {path: path.read_bytes() for path in table.box("louis")}
    for seat in SEATS[:2]:
        table.desk(seat)
        table.sign_orders(seat)
        table.desk(seat)
    shutil.copy(table.run("sign", table.sheet("louis"), as_="louis") and table.root / "louis/orders.yaml", table.shared)
    assert "letters taken: 3, on to turn 1 (hussars)" in table.evening()
    for path in late:
        path.unlink()
    told = table.desk("louis")
    assert "mails read: 2" in told, "a receipt and the newer report"
    for path, data in reversed(late.items()):
        path.write_bytes(data)
    assert "mails read: 2" in table.desk("louis")
    assert len([*(table.root / "louis" / "files" / NAME).glob("*/report.yaml")]) == 2
    status = table.desk("louis", "mail", "status")
    assert "waits for the next report; nothing is owed for turn 1 (hussars)" in status


def test_what_others_delete_is_laid_again_and_read_once(table: SharedTable) -> None:
    for path in table.shared.iterdir():
        path.unlink()
    told = table.evening()
    assert "mails sent: 6; waiting: 0" in told, "three receipts, three reports"
    assert "letters taken" not in told
    assert "orders are owed" in table.desk("louis")
    table.sign_orders("louis")
    table.desk("louis")
    for path in table.box("moderator"):
        path.unlink()
    assert "letters taken" not in table.evening()
    assert "mails sent: 2" in table.desk("louis"), "the join and the orders"
    assert "letters taken: 1" in table.evening()
    for path in table.shared.iterdir():
        path.unlink()
    table.evening()
    told = table.desk("louis")
    assert "0002" not in told
    assert len([*(table.root / "louis" / "files" / NAME).rglob("report.yaml")]) == 1
    assert not [*(table.root / "louis" / "files" / NAME).rglob("new-*")]


def test_what_was_pruned_goes_out_of_the_folder(table: SharedTable) -> None:
    for round_ in range(3):
        for seat in table.owing():
            table.desk(seat)
            table.sign_orders(seat)
            table.desk(seat)
        table.now += timedelta(hours=1)
        assert "reports: 4" in table.evening(), round_
    before = len(table.box("louis"))
    table.now += timedelta(days=9)
    assert "thrown away: 0" not in table.mail("prune", "--days", "7")
    (table.shared / ".pbem-0123456789abcdef.tmp").write_text("of a killed office")
    os.utime(table.shared / ".pbem-0123456789abcdef.tmp", (0, 0))
    table.evening()
    assert 0 < len(table.box("louis")) < before
    assert not [path for path in table.shared.iterdir() if TEMPORARY.fullmatch(path.name)]
    assert "mails sent: 0" in table.evening()


@pytest.mark.parametrize("shift", [timedelta(hours=-30), timedelta(hours=20), timedelta(days=3)])
def test_clocks_that_differ(table: SharedTable, shift: timedelta) -> None:
    """A player's clock is wrong: the letter counts when the moderator's office reads it."""
    right = table.now + timedelta(minutes=1)
    table.now = right + shift
    table.desk("louis")
    table.sign_orders("louis")
    table.desk("louis")
    for path in table.shared.iterdir():
        os.utime(path, (table.now.timestamp(), table.now.timestamp()))
    table.now = right
    told = table.evening()
    assert "letters taken: 1" in told
    assert "W-OFFICE-CLOCK" not in told


def test_a_folder_that_is_gone_or_can_only_be_read(
    table: SharedTable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table.desk("louis")
    table.sign_orders("louis")
    away = table.shared.rename(tmp_path / "away")
    for who in ("mail.yaml", "louis.yaml"):
        seat = ("--as", "louis") if who == "louis.yaml" else ()
        told = table.run("evening", "--settings", who, *seat, code=1).output
        assert "E-OFFICE-INBOX the shared folder is not here" in told
    assert not table.shared.exists(), "an office never makes it: it may be a disk that is not connected"
    rests = []

    def rest(office: object, stop: running.Stop, seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 2:
            away.rename(table.shared)
        if len(rests) == 3:
            stop.told.set()

    monkeypatch.setattr(running, "rest", rest)
    table.mail("run")
    assert len(rests) == 3

    def no_write(*values: object, **named: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patched:
        patched.setattr(shared_folder, "write_whole", no_write)
        told = table.desk("louis")
    assert "W-OFFICE-CARRIER nothing can be sent" in told
    assert "waiting: 1" in told
    told = table.desk("louis")
    assert "mails sent: 1; waiting: 0" in told
    assert "W-OFFICE-CARRIER" not in told
    assert "letters taken: 1" in table.evening()


def test_a_mail_that_is_too_large_for_a_box_holds_up_no_other(
    table: SharedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seat in SEATS:
        table.desk(seat)
        table.sign_orders(seat)
        table.desk(seat)
    before = len(table.box("louis"))
    monkeypatch.setattr(shared_folder, "as_sent", lambda data: data * (3000 if b"To: maria" in data else 1))
    told = table.evening()
    assert "W-OFFICE-FAILED mails to maria-theresa@example.org were refused for good (2): E-SEAL-SIZE" in told
    assert "W-OFFICE-CARRIER" not in told
    assert len(table.box("louis")) == before + 2


def test_an_empty_folder_in_place_of_the_disk(table: SharedTable) -> None:
    """Mails that were laid there meanwhile are laid again when the disk is back."""
    for path in table.box("louis"):
        path.unlink()
    table.shared.rename(table.root / "disk")
    table.shared.mkdir()
    table.evening()
    shutil.rmtree(table.shared)
    (table.root / "disk").rename(table.shared)
    assert not table.box("louis")
    table.evening()
    assert "orders are owed" in table.desk("louis")


def test_several_campaigns_in_one_folder(table: SharedTable) -> None:
    seats = table.begin_club()
    for seat, who in seats.items():
        table.desk(who)
        files = table.root / who / "files" / "club"
        files.mkdir()
        (invitation,) = table.root.glob(f"club/outbox/*/{seat}-invitation.invitation.yaml")
        table.run("join", str(invitation), "-o", str(files / "join.yaml"), as_=who)
        table.desk(who)
    told = table.evening()
    assert "club: letters taken: 3, on to turn 1 (set-up)" in told
    told = table.desk("louis")
    assert "club: orders are owed for turn 1 (set-up)" in table.desk("louis", "mail", "status")
    assert f"{NAME}: orders are owed for turn 1 (set-up)" in table.desk("louis", "mail", "status")


def test_a_substitute_reads_nothing_of_the_former_player(table: SharedTable) -> None:
    table.run("key", "new", "--no-passphrase", as_="gus")
    ADDRESSES["gus"] = "gus@example.org"
    (table.root / "gus.yaml").write_text(SETTINGS.format(campaigns="gus/files", who="gus"))
    table.desk("louis")
    table.now += timedelta(hours=1)
    words = ("--new-key", "gus/key.pub", "--name", "Gus", "--address", "gus@example.org", "--why", "gone")
    table.moderate("substitute", "louis", *words)
    for path in table.box("louis"):
        path.unlink()
    table.evening()
    assert "somebody else" in table.desk("louis"), "the farewell is sealed to the key of before"
    told = table.run("evening", "--as", "gus", "--settings", "gus.yaml").output
    assert "if you take this seat over, compare the key with what the moderator tells you: `pbem join gus/files" in told
    assert "mails read: 1;" in told
    (report,) = (table.root / "gus" / "files" / NAME).glob("join-*/report.yaml")
    table.run("join", str(report), as_="gus")
    told = table.run("evening", "--as", "gus", "--settings", "gus.yaml").output
    sheet = max((table.root / "gus" / "files" / NAME).glob("*/orders.yaml"))
    table.run("sign", str(sheet), as_="gus")
    assert "mails sent: 1" in table.run("evening", "--as", "gus", "--settings", "gus.yaml").output
    assert "letters taken: 1" in table.evening()


def test_a_new_key_gets_what_is_not_read_yet(table: SharedTable) -> None:
    table.run("key", "new", "--no-passphrase", as_="new")
    table.moderate("rekey", "louis", "new/key.pub", "--why", "lost")
    before = table.box("louis")
    table.evening()
    mails = [table.opened(path, "new") for path in table.box("louis") if path not in before]
    assert any(b"report.yaml" in each for each in mails)


def switch(table: PostalTable, who: str, inbox: str, outbox: str) -> None:
    """Somebody's settings get another mailbox and another carrier."""
    path = table.root / ("mail.yaml" if who == "moderator" else f"{who}.yaml")
    text = re.sub(r"(?m)^in: .*$", f"in: {{{inbox}}}", path.read_text())
    path.write_text(re.sub(r"(?m)^out: .*$", f"out: {{{outbox}}}", text))


def test_a_campaign_goes_from_mail_to_a_folder_seat_by_seat(owing: PostalTable, tmp_path: Path) -> None:
    """Reports lie in the folder, letters come by mail or by the folder; then all of it is there."""
    table = copied(owing, tmp_path / "table")
    shared = table.root / "shared"
    shared.mkdir()

    def sign() -> None:
        sheet = max((table.root / "louis" / "files" / NAME).glob("*/orders.yaml"))
        table.run("sign", str(sheet), "--renumber", as_="louis")

    table.now += timedelta(hours=1)
    switch(table, "moderator", "maildir: inbox", "folder: shared")
    switch(table, "louis", "folder: shared", "files: louis/sent")
    table.evening()
    assert not [*shared.iterdir()], "what came by mail does not come again"
    sign()
    assert "mails sent: 1" in table.desk("louis")
    (letter,) = (table.root / "louis" / "sent").glob("*.eml")
    table.drop(letter.read_bytes(), "orders")
    assert "letters taken: 1" in table.evening()
    assert len([*shared.iterdir()]) == 1
    assert "letter taken" in table.desk("louis"), "a receipt by the folder for a letter by mail"
    table.now += timedelta(hours=1)
    switch(table, "louis", "folder: shared", "folder: shared")
    assert "mails sent: 0" in table.desk("louis"), "what went by mail does not go again"
    assert "the orders for turn 1 (set-up) are signed" in table.desk("louis", "mail", "status")
    sign()
    assert "mails sent: 1" in table.desk("louis")
    assert "letters taken" not in table.evening(), "it lies in the folder, and the moderator reads mail"
    switch(table, "moderator", "folder: shared", "folder: shared")
    assert "letters taken: 1" in table.evening()
    told = table.desk("louis")
    assert "letter taken" in told
    assert "W-" not in told
    switch(table, "louis", "maildir: louis/box", "files: louis/sent")
    for path in shared.iterdir():
        path.unlink()
    told = table.desk("louis")
    assert "mails sent: 0" in told
    assert "the orders for turn 1 (set-up) are signed" in table.desk("louis", "mail", "status")


@pytest.mark.parametrize("is_fetched", [True, False], ids=["its receipt lies in the mailbox", "nobody has fetched it"])
def test_orders_that_went_by_mail_before_the_folder_are_laid_until_a_receipt_is_read(
    owing: PostalTable, tmp_path: Path, *, is_fetched: bool
) -> None:
    table = copied(owing, tmp_path / "table")
    (table.root / "shared").mkdir()
    sheet = max((table.root / "louis" / "files" / NAME).glob("*/orders.yaml"))
    table.run("sign", str(sheet), as_="louis")
    assert "mails sent: 1" in table.desk("louis")
    (letter,) = (table.root / "louis" / "sent").glob("*.eml")
    if is_fetched:
        table.drop(letter.read_bytes(), "orders")
        assert "letters taken: 1" in table.evening()
    table.now += timedelta(hours=1)
    for who in ("moderator", "louis"):
        switch(table, who, "folder: shared", "folder: shared")
    table.evening()
    assert "do not lie whole in the shared folder" in table.desk("louis", "mail", "status")
    told = table.desk("louis")
    assert "mails sent: 1; waiting: 0" in told
    assert "W-" not in told
    assert "the orders for turn 1 (set-up) are signed" in table.desk("louis", "mail", "status")
    assert "do not lie" not in table.desk("louis", "mail", "status")
    told = table.evening()
    assert ("letters taken: 1" in told) != is_fetched, "once"
    assert "W-" not in told
    for _ in range(2):
        told = table.desk("louis")
        assert "mails sent: 0" in told
        assert "do not lie" not in table.desk("louis", "mail", "status")


def new_key(table: SharedTable) -> None:
    """Louis changes to a new key by a letter."""
    table.run("key", "new", "--no-passphrase", as_="second")
    change = table.root / "louis" / "files" / NAME / "change.yaml"
    told = table.run("key", "change", "second/key", "--campaign", NAME, "-o", str(change), as_="louis").output
    assert "An office goes on with it by itself" in told


def release(table: SharedTable) -> None:
    """The moderator lets the letter with the new key through."""
    table.evening()
    number = re.search(r"under number (\d+)", table.mail("status"))
    assert number
    table.mail("release", number[1])
    assert "letters taken: 1" in table.evening()


@pytest.mark.parametrize("settings", ["louis/key", "second/key"])
def test_who_changes_the_key_in_one_campaign_is_deaf_in_none(table: SharedTable, settings: str) -> None:
    """The office goes on with both keys, whichever of them its settings name."""
    table.desk("louis")
    new_key(table)
    assert "mails sent: 1" in table.desk("louis")
    release(table)
    changed = (table.root / "louis.yaml").read_text().replace("key: louis/key", f"key: {settings}")
    (table.root / "louis.yaml").write_text(changed)
    told = table.desk("louis")
    assert "W-" not in told
    assert told.count("letter taken") == 1, "the receipt of the change is sealed to the new key"
    table.moderate("rollback", "--to", "5", "--why", "a mistake")
    assert "reports: 4" in table.evening()
    assert f"{NAME}: orders are owed for turn 1 (set-up)" in table.desk("louis")
    assert "your orders are awaited" in table.run("status", as_="louis").output, "told alike by the notes of before"
    assert "your orders are awaited" in table.run("status", as_="second").output
    sheet = table.filed("louis") / "orders.yaml"
    table.run("sign", str(sheet), as_="louis")
    told = table.desk("louis")
    assert f"W-OFFICE-FOREIGN {sheet.relative_to(table.root)} is signed with a key that is not yours" in told
    advice = f"pbem sign --renumber --key {table.root}/second/key {sheet.relative_to(table.root)}"
    assert advice in told
    assert "orders are owed" in table.desk("louis", "mail", "status")
    table.run(*advice.split()[1:])
    told = table.desk("louis")
    assert "W-" not in told
    assert "mails sent: 1" in told
    assert "letters taken: 1" in table.evening()
    assert "W-" not in table.desk("louis")
    assert "your answer is signed" in table.run("status", as_="louis").output


def test_a_new_key_that_cannot_be_opened_is_told(table: SharedTable) -> None:
    table.desk("louis")
    new_key(table)
    (table.root / "second" / "key").chmod(0o644)
    told = table.desk("louis")
    assert "W-OFFICE-NEXT-KEY the key to which you have changed, or that you had before, cannot be opened here" in told
    release(table)
    table.moderate("remind")
    told = table.desk("louis")
    assert "W-OFFICE-SEALED files for your seat louis lie in the shared folder that are sealed to a key" in told
    (table.root / "second" / "key").chmod(0o600)
    assert "W-" not in table.desk("louis")


def test_orders_sealed_by_the_key_of_before_can_be_revealed_by_the_new_one(table: SharedTable) -> None:
    """Notes beside the key before, of letters written while the change waits, are known beside the new one."""
    table.desk("louis")
    new_key(table)
    sheet = table.filed("louis") / "orders.yaml"
    table.run(
        "seal", str(sheet), "-o", "louis/sealed.yaml", "--report", str(sheet.with_name("report.yaml")), as_="louis"
    )
    table.run("sign", "louis/sealed.yaml", as_="louis")
    before = find_notes(table.root / "louis" / "key", NAME)
    after = find_notes(table.root / "second" / "key", NAME)
    assert before.sealed
    assert (after.sealed, after.seq, after.signed) == (before.sealed, before.seq, before.signed)


def test_a_seat_that_was_given_another_key_is_told_to_the_office_of_the_key_before(table: SharedTable) -> None:
    table.desk("louis")
    table.run("key", "new", "--no-passphrase", as_="new")
    table.moderate("rekey", "louis", "new/key.pub", "--why", "lost")
    table.evening()
    told = table.desk("louis")
    assert f"{NAME}: W-OFFICE-SEALED files for your seat louis lie in the shared folder" in told
    settings = table.root / "louis.yaml"
    settings.write_text(settings.read_text().replace("key: louis/key", "key: new/key"))
    assert "W-OFFICE-SEALED" not in table.desk("louis")
    table.run("join", str(table.filed("louis") / "report.yaml"), as_="new")
    told = table.desk("louis")
    assert "W-" not in told
    assert "orders are owed for turn 1 (set-up)" in table.desk("louis", "mail", "status")
    table.run("sign", str(table.filed("louis") / "orders.yaml"), as_="new")
    assert "mails sent: 1" in table.desk("louis")
    assert "letters taken: 1" in table.evening()


def test_setup_writes_the_settings_and_says_what_the_folder_is_worth(tmp_path: Path) -> None:
    table = SharedTable(tmp_path)
    table.shared.mkdir()
    (tmp_path / "games").mkdir()
    words = ("mail", "setup", "--folder", "shared", "--campaigns", "games", "--address", "max@example.org")
    told = table.run(*words, "--settings", "new.yaml", "--key", "moderator/key").output
    assert "everything in this folder is sealed to the key of its reader" in told
    for language, said in {"de": "versiegelt", "es": "sellado", "it": "sigillato"}.items():
        (tmp_path / "new.yaml").unlink()
        assert (
            said in table.run(*words, "--settings", "new.yaml", "--key", "moderator/key", "--language", language).output
        )
    for private in ("shared", "shared/games"):
        (tmp_path / private).mkdir(exist_ok=True)
        told = table.run(
            "mail", "setup", "--folder", "shared", "--campaigns", private, "--settings", "x.yaml", code=1
        ).output
        assert "E-OFFICE-SHARED everybody in the shared folder would read" in told
        assert not (tmp_path / "x.yaml").exists()
    words = ("mail", "setup", "--folder", "none", "--campaigns", "games", "--settings", "y.yaml")
    told = table.run(*words, "--key", "moderator/key", code=1).output
    assert "E-OFFICE-INBOX the shared folder is not here" in told


def killed(table: SharedTable, at: int, *words: str) -> bool:
    """Run a command in a process of its own that is killed behind so many writes; return whether it came so far."""
    said = table.root / "said.txt"
    process = os.fork()
    if not process:
        for stream in (1, 2):
            os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), stream)
        os._exit(run_until(at, table, *words))
    ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert ended in (0, -signal.SIGKILL), said.read_text("utf-8")
    said.unlink()
    return ended != 0


def run_until(at: int, table: SharedTable, *words: str) -> int:
    """Run a command as a process does that is killed behind so many writes; return its exit code if it ends before."""
    left = itertools.count(at, -1)

    def struck(whole: Callable[..., Any]) -> Callable[..., Any]:
        def act(*values: Any, **named: Any) -> Any:
            if not next(left):
                os.kill(os.getpid(), signal.SIGKILL)
            return whole(*values, **named)

        return act

    os.replace, os.fsync = struck(os.replace), struck(os.fsync)  # type: ignore[assignment]
    try:
        os.chdir(table.root)
        main([*words], obj=Surroundings(lambda: table.now))
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def places() -> Iterator[int]:
    yield from range(0, 40, int(os.environ.get("PBEM_STRIDE", "17")))


def test_killed_at_any_write_nothing_is_lost_and_nothing_comes_twice(table: SharedTable, tmp_path: Path) -> None:
    table.now += timedelta(hours=1)
    for seat in SEATS:
        table.desk(seat)
        table.sign_orders(seat)
    for seat in SEATS[1:]:
        table.desk(seat)
    for at in places():
        struck = copied_folder(table, tmp_path / f"{at}")
        killed(struck, at % 8, "evening", "--as", SEATS[0], "--settings", f"{SEATS[0]}.yaml")
        assert killed(struck, at, "evening", "--settings", "mail.yaml")
        struck.desk(SEATS[0])
        for _ in range(2):
            struck.evening()
        assert struck.entries("letter") == 3, at
        assert struck.entries("adjudication") == 2, at
        assert len(struck.box("moderator")) == 6, at
        for seat in SEATS:
            mails = [struck.opened(path, seat) for path in struck.box(seat)]
            names = [re.search(rb"(?m)^Message-ID: (\S+)", mail) for mail in mails]
            assert len({name[1] for name in names if name}) == len(mails) == 4, (at, seat)
            if seat == "louis":
                killed(struck, at % 5, "evening", "--as", seat, "--settings", f"{seat}.yaml")
            struck.desk(seat)
            files = struck.root / seat / "files" / NAME
            assert len([*files.glob("*/report.yaml")]) == 2, (at, seat)
            assert len([*files.rglob("*receipt.yaml")]) == 2, (at, seat)
        assert verify(struck.folder).is_good
        shutil.rmtree(struck.root)
