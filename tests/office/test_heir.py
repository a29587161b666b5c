"""Offices of players and of an heir, when the moderator has fallen silent: by mail, and by a shared folder."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

from tests.cli.correspondence import NAME
from tests.office.post import ADDRESSES, PLAIN, PostalTable
from tests.office.test_shared_folder import SETTINGS, SharedTable

ADDRESSES["heir"] = "heir@example.org"
AGREED = ("--succession", "2 after 14d")


def by_mail(root: Path) -> PostalTable:
    """A campaign by mail, in which louis has an office and has sent orders that the moderator never reads."""
    table = PostalTable(root)
    table.open_office(PLAIN, *AGREED)
    table.join_all()
    table.open_desk("louis")
    table.bring("louis", *table.mails_to("louis"))
    table.desk("louis")
    sheet = min((table.root / "louis/files" / NAME).glob("*/orders.yaml"))
    table.run("sign", str(sheet), as_="louis")
    assert "mails sent: 1" in table.desk("louis")
    # Of what comes now no bundle knows: an heir goes on with the same numbers, and lower ones.
    for words in (("One.", "Two."), ("Three.",)):
        for each in words:
            table.moderate("rule", each)
        table.evening()
    table.bring("louis", *table.mails_to("louis"))
    table.desk("louis")
    assert len([*(table.root / "louis/files" / NAME).glob("*/report.yaml")]) == 3
    return table


def given(table: PostalTable) -> list[str]:
    """All that an heir needs, fifteen days later; the former moderator's folder lies in `gone`."""
    table.run("key", "new", "--no-passphrase", as_="heir")
    table.folder = table.folder.rename(table.root / "gone")
    shutil.move(table.root / "moderator", table.root / "lost")
    table.now += timedelta(days=15)
    (bundle,) = sorted((table.folder / "outbox").glob("*/frederick.succession-*.zip"))
    files = [str(bundle)]
    for seat in ("frederick", "maria-theresa"):
        report = str(max((table.folder / "outbox").glob(f"*/{seat}.report.yaml")))
        files.append(str(table.root / f"{seat}.succession.yaml"))
        table.run("entrust", str(bundle), "--report", report, "--to", "heir/key.pub", "-o", files[-1], as_=seat)
    return files


def succeeded(table: PostalTable, settings: str) -> str:
    """The heir carries on with an office of these settings, and holds an evening."""
    (table.root / "hers").mkdir()
    (table.root / "heir.yaml").write_text(settings)
    office = ("evening", "--settings", "heir.yaml")
    files = given(table)
    table.run("mail", "status", "--settings", "heir.yaml")
    words = ("--name", "Wilhelmine", "--address", ADDRESSES["heir"])
    table.run("succeed", f"hers/{NAME}", *files, *words, as_="heir")
    told: str = table.run(*office).output
    return told


def test_by_mail(tmp_path: Path) -> None:
    table = by_mail(tmp_path)
    filed = table.root / "louis/files" / NAME
    assert [*filed.glob("*/succession-0001-*.zip")], "bundles are kept"
    (table.root / "box/new").mkdir(parents=True)
    ways = "in: {maildir: box}\nout: {files: hersent}\n"
    told = succeeded(
        table, f"campaigns: hers\n{ways}key: heir/key\nstate: heir/state\naddress: heir@example.org\npictures: no\n"
    )
    assert "reports: 4" in told
    mails = [path.read_bytes() for path in sorted((table.root / "hersent").glob("*.eml"))]
    table.bring("louis", *(mail for mail in mails if b"louis@example.org" in mail.partition(b"\n\n")[0]))
    before = {*filed.glob("*/report.yaml")}
    # What the heir writes waits, until louis has noted the key; nothing is answered to it before.
    for notices in (1, 0):
        told = table.desk("louis")
        assert "W-OFFICE-HEIR" in told
        assert {*filed.glob("*/report.yaml")} == before
        assert f"mails sent: {notices}" in told
    (bundle,) = (filed / "heir").glob("*.zip")
    # A letter for an heir is for no moderator's office.
    report, kept = str(max(filed.glob("*/report.yaml"))), str(max(filed.glob("[0-9]*/*.zip")))
    words = ("--to", "heir/key.pub", "-o", str(filed / "for-her.yaml"))
    table.run("entrust", kept, "--report", report, *words, as_="louis")
    table.run("key", "moderator", str(bundle), as_="louis")
    told = table.desk("louis")
    assert "W-OFFICE" not in told
    (new,) = {*filed.glob("*/report.yaml")} - before
    assert new.parent.name.endswith("-heir1"), "a report of the former moderator has the number"
    assert "the newest report read: entry 8" in table.run("status", as_="louis").output
    # The orders that the former moderator never read go to the heir, once.
    assert "mails sent: 1" in told
    assert "mails sent: 0" in table.desk("louis")
    letter = max((table.root / "louis/sent").glob("*.eml"), key=lambda path: path.stat().st_mtime_ns).read_bytes()
    assert b"heir@example.org" in letter
    (table.root / "box/new/letter").write_bytes(letter)
    assert "letters taken: 1" in table.run("evening", "--settings", "heir.yaml").output


def test_by_a_shared_folder(tmp_path: Path) -> None:
    table = SharedTable(tmp_path)
    table.open_folder(*AGREED)
    table.evening()
    table.join_by_folder()
    table.evening()
    for seat in table.seats:
        table.desk(seat)
    assert [*(table.root / "louis/files" / NAME).glob("*/succession-0001-*.zip")], "bundles are kept"
    told = succeeded(table, SETTINGS.format(campaigns="hers", who="heir"))
    assert "reports: 4" in told
    told = table.desk("louis")
    assert "W-OFFICE-HEIR" in told
    (bundle,) = (table.root / "louis/files" / NAME / "heir").glob("*.zip")
    table.run("key", "moderator", str(bundle), as_="louis")
    assert "W-OFFICE" not in table.desk("louis")
    report = table.filed("louis")
    table.run("sign", str(report / "orders.yaml"), as_="louis")
    assert "mails sent: 1" in table.desk("louis")
    assert "letters taken: 1" in table.run("evening", "--settings", "heir.yaml").output
