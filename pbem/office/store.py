"""Memory of an office: mails that it has seen, letters that wait, mails that it will send, and mails that it has sent.

Each change is one transaction. Everything that counts about a campaign is in the campaign's folder, so the file with
this memory may be lost without harm."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.campaign.disk.atomic import PRIVATE, fault_of
from pbem.faults.wrong import PbemError, wrong
from pbem.paper.documents.faults import Refused

NAME = "office.sqlite"

FORMAT = 1

SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE places (source TEXT, hint TEXT, mark TEXT NOT NULL, settled INTEGER NOT NULL, PRIMARY KEY (source, hint))
  WITHOUT ROWID;
CREATE TABLE messages (mark TEXT PRIMARY KEY, verdict TEXT NOT NULL, sender TEXT NOT NULL, subject TEXT NOT NULL,
  came TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE letters (number INTEGER PRIMARY KEY, mark TEXT NOT NULL, campaign TEXT NOT NULL, data BLOB,
  state TEXT NOT NULL, place TEXT NOT NULL, UNIQUE (mark, campaign));
CREATE TABLE mails (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, campaign TEXT NOT NULL, path TEXT NOT NULL,
  address TEXT NOT NULL, state TEXT NOT NULL, since TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
  after TEXT NOT NULL DEFAULT '', why TEXT NOT NULL DEFAULT '', rank INTEGER NOT NULL DEFAULT 0,
  share TEXT NOT NULL DEFAULT '', asked TEXT NOT NULL DEFAULT '', entry TEXT NOT NULL DEFAULT '');
CREATE INDEX mails_by_state ON mails (state);
CREATE INDEX mails_by_address ON mails (address, since);
CREATE TABLE outboxes (path TEXT PRIMARY KEY, changed INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE campaigns (name TEXT PRIMARY KEY, path TEXT NOT NULL, entry INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE doubts (campaign TEXT, code TEXT, about TEXT, said TEXT NOT NULL, since TEXT NOT NULL,
  told INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (campaign, code, about)) WITHOUT ROWID;
"""
"""Tables of the memory.

`messages.verdict` is letter, words, large, own, left, returned or automatic. `letters.state` is waiting, away,
doubtful, words, words to answer, answer or taken. `mails.state` is held, queued, sent, failed, returned or dropped;
`mails.since` is the time when it became so. `mails.rank` is 0 for mails that only the players and the moderator of a
campaign can cause. `mails.share` tells whose words a mail forwards (`forwarding.Share`), or who offers an agreement.
`mails.asked` has the deadline and the stage that an answer names, if anybody can cause the answer; for an offer it has
only the stage. `mails.entry` has the hash of the entry that a mail is about, if it is known, or `lost` if the ledger
has lost this entry."""

LAID = (
    "CREATE TABLE laid (number INTEGER PRIMARY KEY, file TEXT NOT NULL, digest TEXT NOT NULL)",
    "CREATE INDEX laid_by_file ON laid (file)",
)
"""Table of the files that the office has written into a shared folder. Memories of earlier versions do not have this
table."""

LINES = """CREATE TABLE lines (name TEXT PRIMARY KEY, who TEXT NOT NULL, state TEXT NOT NULL,
  tries INTEGER NOT NULL, after TEXT NOT NULL) WITHOUT ROWID"""
"""Table of the short lines that were sent (see `notifying`). The column `state` is queued, sent or failed. Memories of
earlier versions do not have this table."""

REFUSED, SAID, COPIED, STRANGE, JOINED, MOVED, REPLIED, WORDLESS, OFFERED = 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Ranks of mails other than 0, in this sequence: a refusal; words in a player's name for the moderator; an answer to a
copy of a letter; words of a stranger; a receipt that a joint mail has replaced; a note to a former address; words from
a player's address that answer a mail sent there; an answer to a mail without a letter; an offer of an agreement."""

_TROUBLE = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_BUSY: errno.EBUSY,
}
"""Dict from SQLite's codes for trouble with the disk to the error numbers of the operating system. Any other code means
that the file is damaged."""


class Store:
    """Memory of an office. It is a file that only one office at a time may have open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / NAME
        self.base = self.connection()
        with self.as_refusals():
            self.base.execute("PRAGMA secure_delete = ON")
            self.base.execute("PRAGMA synchronous = FULL")
        self.prepare()

    def connection(self) -> sqlite3.Connection:
        """Connection to the file. If the file is missing, it is made so that only its owner can read it. Raises
        `StorageFault` if the file cannot be made, and the exceptions of `as_refusals`."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, PRIVATE))
        except OSError as error:
            raise fault_of(error, self.path, "create") from None
        with self.as_refusals():
            base = sqlite3.connect(self.path, isolation_level=None)
        base.row_factory = sqlite3.Row
        return base

    @contextmanager
    def as_refusals(self) -> Iterator[None]:
        """Return a context in which errors of SQLite are raised as other exceptions: as `StorageFault` if the disk or
        the file is the cause, else as `Refused`."""
        try:
            yield
        except sqlite3.Error as error:
            # The first byte of the code is the kind of the error. Higher bytes only add details.
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if found := _TROUBLE.get(code):
                raise fault_of(OSError(found, str(error)), self.path, "write") from None
            raise Refused(str(self.path), [wrong("E-OFFICE-STATE", why=str(error))]) from None

    def prepare(self) -> None:
        """Create the tables in a new file, or add to an older file what it lacks. Raises `Refused` for an unknown
        format."""
        found = self.count("PRAGMA user_version")
        if found not in (0, FORMAT):
            raise Refused(str(self.path), [wrong("E-OFFICE-STATE.format", format=found)])
        if found == FORMAT:
            self.migrate()
            return
        with self.step():
            for command in (*SCHEMA.split(";"), *LAID, LINES):
                self.do(command)
            self.note("key", secrets.token_hex(32))
            # The value is made from the computer's name and the folder, so that it is the same after the file was lost.
            place = f"{socket.gethostname()}\0{self.folder.absolute()}"
            self.note("office", hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:16])
            self.do(f"PRAGMA user_version = {FORMAT}")

    def migrate(self) -> None:
        """Add the tables and columns that an older file lacks. Delete doubts about single mails, because `pbem mail
        status` now counts such mails instead."""
        if not self.rows("SELECT 1 FROM sqlite_master WHERE name = 'lines'"):
            self.do(LINES)
        if not self.rows("SELECT 1 FROM sqlite_master WHERE name = 'laid'"):
            with self.step():
                for command in LAID:
                    self.do(command)
        # These mails are now counted by `pbem mail status`.
        if self.rows("SELECT 1 FROM doubts WHERE code = 'W-OFFICE-FAILED' AND about GLOB '<*'"):
            with self.step():
                self.do("DELETE FROM doubts WHERE code = 'W-OFFICE-FAILED' AND about GLOB '<*'")
        for column in ("share", "asked", "entry"):
            if not self.rows("SELECT 1 FROM pragma_table_info('mails') WHERE name = ?", column):
                self.do(f"ALTER TABLE mails ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")
        if self.rows("SELECT 1 FROM pragma_table_info('mails') WHERE name = 'rank'"):
            return
        with self.step():
            self.do("ALTER TABLE mails ADD COLUMN rank INTEGER NOT NULL DEFAULT 0")
            if self.rows("SELECT 1 FROM sqlite_master WHERE name = 'refusals'"):
                self.do("UPDATE mails SET rank = ? WHERE path IN (SELECT path FROM refusals)", REFUSED)

    @contextmanager
    def step(self) -> Iterator[None]:
        """Return a context that is one transaction: either all changes in it are made, or none."""
        self.do("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.undo()
            raise
        try:
            self.commit()
        except PbemError:
            self.undo()
            raise

    def undo(self) -> None:
        """Undo a transaction. Do nothing if SQLite has done so itself after an error of the disk."""
        if self.base.in_transaction:
            with suppress(sqlite3.Error):
                self.base.execute("ROLLBACK")

    def commit(self) -> None:
        self.do("COMMIT")

    def note(self, name: str, value: str) -> None:
        self.do("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, value)

    def fact(self, name: str) -> str:
        """Return the text that is stored under a name. Return an empty text if there is none."""
        found = self.rows("SELECT value FROM facts WHERE name = ?", name)
        return str(found[0][0]) if found else ""

    def do(self, command: str, *values: object) -> None:
        """Run an SQL command that changes the file."""
        with self.as_refusals():
            self.base.execute(command, values)

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with self.as_refusals():
            return self.base.execute(query, values).fetchall()

    def count(self, query: str, *values: object) -> int:
        """Return the first number in the result of a query. The result must have a row."""
        return int(self.rows(query, *values)[0][0])

    def close(self) -> None:
        self.base.close()
