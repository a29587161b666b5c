"""Short lines that an office sends besides mails, by a command or a webhook. They tell a reader that orders are
awaited, that sealed orders must be opened, or that something waits for a person."""

from __future__ import annotations

import json
import secrets
import shlex
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta, tzinfo
from hashlib import sha256
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Thread
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import asdict

from pbem.campaign.clock.clock import parse_moment, stamp, zone_named
from pbem.campaign.clock.timing import CampaignTime
from pbem.campaign.ledger.entry_checks import bot_in
from pbem.campaign.ledger.public_state import PublicState
from pbem.faults.wrong import Words, words, wrong
from pbem.moderator.daily import requests
from pbem.office.doubts import NOTICE, Doubts
from pbem.office.settings import NotifySettings
from pbem.office.store import Store

LONGEST = 10
"""Seconds that a command or a server may take to accept one line."""

LONGEST_ROUND = 60
"""Seconds of sending after which a round sends no more lines."""

MOST_TRIES = 5
"""Largest number of attempts to send one line."""

FIRST_WAIT = timedelta(minutes=5)
"""Time between the first and the second attempt. After each further attempt the time is doubled."""

NOT_TAKEN = "W-OFFICE-NOTIFY"
"""Code of the notice that a line could not be sent and is tried again. The doubt that it was given up has the same
code."""

NO_SEAT = "W-OFFICE-NOTIFY-SEAT"
"""Code of the doubt about a target whose seat does not exist, or whose player has left the seat."""

TESTS = {"": "notify-standing.never", "sent": "notify-standing.sent", "heard": "notify-standing.heard"}
"""Dict from the state of a target's last test to the wording of the line about the target. The state is the first word
of the stored note."""

JSON = "application/json"

BODIES: dict[str, tuple[str, Callable[[str], str]]] = {
    "ntfy": ("text/plain; charset=utf-8", lambda line: line),
    "discord": (JSON, lambda line: json.dumps({"content": line, "allowed_mentions": {"parse": []}})),
    "matrix": (JSON, lambda line: json.dumps({"text": line, "username": "pbem"})),
    "json": (JSON, lambda line: json.dumps({"text": line})),
}
"""Media type and body of the request for each kind of webhook. A webhook of the kind `matrix` belongs to
matrix-hookshot."""


class NotTold(Exception):
    """Raised if a line could not be sent. The text is an HTTP status, an exit code, or the name of an error."""


class DueLine(Struct, frozen=True):
    """Short line that must be sent now."""

    who: str
    """Reader of the line, as a key in the settings: `me`, or a campaign and a seat."""
    campaign: str
    """Campaign that the line is about; empty if it is about the office itself."""
    occasion: str
    """Text by which the occasion is recognized. Only one line is sent for each occasion."""
    said: str

    @property
    def name(self) -> str:
        return sha256("\0".join((self.who, self.campaign, self.occasion)).encode()).hexdigest()


class OwedLetter(Struct, frozen=True):
    """Letter that a player owes. The deadline is written as in the ledger."""

    campaign: str
    request: str
    """Request to the player: `reveal` if sealed orders must be revealed. Any other text stands for orders."""
    deadline: str

    def line(self, now: datetime, zone: tzinfo | None, language: str) -> str:
        """Return the short line about this letter. It tells no more than the subject of the mail about it."""
        is_reveal = self.request == "reveal"
        if not self.deadline:
            return words("notify-reveal" if is_reveal else "notify-orders", campaign=self.campaign).text(language)
        key = "notify-reveal.until" if is_reveal else "notify-orders.until"
        key = "notify-late.until" if stamp(now) >= self.deadline else key
        moment = parse_moment(self.deadline).astimezone(zone)
        day = words("notify-weekdays").text(language).split()[moment.weekday()]
        until = f"{day} {moment:%Y-%m-%d %H:%M %Z}"
        return words(key, campaign=self.campaign, until=until).text(language)


def seat_lines(public: PublicState, now: datetime) -> list[DueLine]:
    """Return a line for each player who must now send orders or reveal sealed orders."""
    found, name, zone = [], public.settings.campaign, zone_named(public.settings.clock.zone)
    asked = requests(CampaignTime(public, now)) if public.phase == "running" else {}
    for seat, request in asked.items():
        if request not in ("orders", "reveal") or bot_in(public, seat):
            continue
        language = public.players[seat].language or public.settings.seats[seat].language
        said = OwedLetter(name, request, public.deadline).line(now, zone, language)
        reminded = len([player for _, _, player in public.reminded if player == seat])
        since = public.players[seat].since
        occasion = (
            f"{since} {public.since} {public.locked} {public.deadline} {reminded} {stamp(now) >= public.deadline}"
        )
        found.append(DueLine(f"{name}/{seat}", name, occasion, said))
    return found


class Notifier:
    """Sender of an office's short lines. A line is sent as long as its occasion lasts."""

    def __init__(
        self, store: Store, doubts: Doubts, targets: Mapping[str, NotifySettings], now: Callable[[], datetime]
    ) -> None:
        self.store = store
        self.doubts = doubts
        self.targets = targets
        self.now = now

    def tell(self, due: Collection[DueLine]) -> None:
        """Send the lines that are due. A line is skipped if its reader has no target, or must wait before the next
        attempt. After a failure the reader gets no more lines in this round. After `LONGEST_ROUND` seconds no more
        lines are sent."""
        begun, hanging = time.monotonic(), set[str]()
        for line in due:
            if line.who not in self.targets or line.who in hanging or time.monotonic() - begun > LONGEST_ROUND:
                continue
            rows = self.store.rows("SELECT * FROM lines WHERE name = ?", line.name)
            tries = int(rows[0]["tries"]) if rows else 0
            if rows and (rows[0]["state"] != "queued" or rows[0]["after"] > stamp(self.now())):
                continue
            # The attempt is stored first. If the program is killed before the line is stored as sent, the line is sent
            # once more, but never more than `MOST_TRIES` times.
            after = stamp(self.now() + FIRST_WAIT * 2**tries)
            state = "queued" if tries + 1 < MOST_TRIES else "failed"
            self.note(line, state, tries + 1, after)
            try:
                send(self.targets[line.who], line.campaign, line.said)
            except NotTold as error:
                hanging.add(line.who)
                self.tell_failure(line, str(error), is_given_up=state == "failed")
                continue
            self.note(line, "sent", tries + 1, stamp(self.now()))
            self.doubts.settle_one("", NOT_TAKEN, line.who)

    def note(self, line: DueLine, state: str, tries: int, after: str) -> None:
        with self.store.step():
            self.store.do(
                "INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?, ?)", *(line.name, line.who, state, tries, after)
            )

    def tell_failure(self, line: DueLine, why: str, *, is_given_up: bool) -> None:
        """Note that a line could not be sent. This is a doubt if the line was given up, and a notice if it will be
        tried again."""
        fault = wrong("W-OFFICE-NOTIFY.given-up" if is_given_up else NOT_TAKEN, who=line.who, why=why)
        if is_given_up:
            query = "SELECT 1 FROM doubts WHERE code = ? AND about = ? AND told = ?"
            if self.store.rows(query, NOT_TAKEN, line.who, NOTICE):
                self.doubts.settle_one("", NOT_TAKEN, line.who)
            self.doubts.note("", fault, line.who)
        else:
            # If an earlier line to this reader was given up, its doubt stays, so that a mail tells of it.
            self.doubts.note("", fault, line.who, NOTICE)

    def ping(self, who: str, language: str) -> Words:
        """Send a test to a reader, and return the result in words. The test has a number, which the reader is asked to
        report."""
        code = f"{1000 + secrets.randbelow(9000)}"
        with self.store.step():
            self.store.note(f"ping {who}", f"sent {code} {stamp(self.now())}")
        try:
            send(self.targets[who], "", words("notify-ping", code=code).text(language))
        except NotTold as error:
            with self.store.step():
                self.store.note(f"ping {who}", "")
            return words("notify-ping-failed", who=who, why=str(error))
        return words("notify-pinged", who=who)

    def hear(self, code: str) -> str:
        """Store that the number of a test was reported. Return the reader of this test, or an empty text if no test has
        the number."""
        for who in self.targets:
            if self.store.fact(f"ping {who}").split()[1:2] == [code]:
                with self.store.step():
                    self.store.note(f"ping {who}", f"heard {code} {stamp(self.now())}")
                return who
        return ""

    def last_test(self, who: str) -> Words:
        """Return a line about a target and the result of its last test."""
        state, _, moment = (*self.store.fact(f"ping {who}").split(), "", "", "")[:3]
        return words(TESTS[state], who=who, moment=moment)

    def forget_removed(self) -> None:
        """End the doubts and notices about targets that have been removed from the settings."""
        rows = self.store.rows("SELECT * FROM doubts WHERE code IN (?, ?)", NOT_TAKEN, NO_SEAT)
        for row in rows:
            if row["about"].removeprefix("notify ") not in self.targets:
                self.doubts.settle_one(row["campaign"], row["code"], row["about"])


def kept_targets(
    store: Store, doubts: Doubts, targets: Mapping[str, NotifySettings], public: PublicState
) -> dict[str, NotifySettings]:
    """Return the targets of those seats of a campaign that have a player. If a target is new, store the present player
    with it. Leave out a target, and note a doubt, if its seat is unknown, or if the seat has another player than the
    stored one."""
    kept, name = {}, public.settings.campaign
    for who, target in targets.items():
        campaign, _, seat = who.partition("/")
        if campaign != name:
            continue
        fault, player = None, public.players.get(seat)
        fact, mark = f"notify {who}", sha256(repr(asdict(target)).encode()).hexdigest()
        since, _, known = store.fact(fact).partition(" ")
        if seat not in public.settings.seats:
            fault = wrong(NO_SEAT, who=who)
        elif player and known == mark and since != str(player.since):
            fault = wrong("W-OFFICE-NOTIFY-SEAT.player", who=who)
        elif player:
            if known != mark:
                with store.step():
                    store.note(fact, f"{player.since} {mark}")
            kept[who] = target
        doubts.settle(name, {fault.code} if fault else (), fact)
        if fault:
            doubts.note(name, fault, fact)
    return kept


def send(target: NotifySettings, campaign: str, line: str) -> None:
    """Send a line by a command or a webhook. Raises `NotTold` if this fails; the error's text tells nothing of the
    target, which is secret."""
    if target.command:
        run(shlex.split(target.command), line)
        return
    for kind, (content, body) in BODIES.items():
        if address := getattr(target, kind):
            status = post(address, content, body(line).encode())
            if not 200 <= status < 300:
                raise NotTold(str(status))


def run(command: Sequence[str], line: str) -> None:
    """Run a program with the line as its input. Raises `NotTold` if the program cannot start, fails, or takes too
    long."""
    try:
        done = subprocess.run(  # noqa: S603
            command,
            input=f"{line}\n".encode(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise NotTold(type(error).__name__) from None
    if done.returncode:
        raise NotTold(str(done.returncode))


def post(address: str, content: str, body: bytes) -> int:
    """Send a POST request, and return the status code of the answer. Redirects are not followed. Raises `NotTold` if no
    answer comes in time."""
    parts = urlsplit(address)
    assert parts.hostname
    connection = (
        HTTPSConnection(parts.hostname, parts.port, timeout=LONGEST, context=ssl.create_default_context())
        if parts.scheme == "https"
        else HTTPConnection(parts.hostname, parts.port, timeout=LONGEST)
    )
    found: list[int | str] = []

    def ask() -> None:
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path, body, {"Content-Type": content, "User-Agent": "pbem"})
            found.append(connection.getresponse().status)
        except (OSError, HTTPException, ValueError) as error:
            found.append(type(error).__name__)

    # The timeout of a socket holds for each single read. A server that sends byte by byte, or a slow name server, could
    # take for ever.
    thread = Thread(target=ask, daemon=True)
    thread.start()
    thread.join(LONGEST)
    with suppress(OSError):
        if thread.is_alive() and connection.sock:
            connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()
    if not found or isinstance(found[0], str):
        raise NotTold(str(found[0]) if found else "TimeoutError")
    return found[0]
