"""Short lines that an office sends by a command or a webhook, besides mails. They tell readers that orders or the
opening of sealed orders are awaited from them, or that something waits for a person."""

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
"""Seconds that a command or a server may take for one line."""

LONGEST_ROUND = 60
"""Seconds after which a round sends no more lines."""

MOST_TRIES = 5
"""Largest number of tries for one line."""

FIRST_WAIT = timedelta(minutes=5)
"""Time from the first try to the second. Each later wait is twice as long as the previous wait."""

NOT_TAKEN = "W-OFFICE-NOTIFY"
"""Code of the notice that a line was not taken and is tried again, and of the doubt that it was given up."""

NO_SEAT = "W-OFFICE-NOTIFY-SEAT"
"""Code of the doubt about a target for a seat that does not exist, or of a former player."""

TESTS = {"": "notify-standing.never", "sent": "notify-standing.sent", "heard": "notify-standing.heard"}
"""Wordings of the line on a target, each under the first word of the note on the target's last test."""

JSON = "application/json"

BODIES: dict[str, tuple[str, Callable[[str], str]]] = {
    "ntfy": ("text/plain; charset=utf-8", lambda line: line),
    "discord": (JSON, lambda line: json.dumps({"content": line, "allowed_mentions": {"parse": []}})),
    "matrix": (JSON, lambda line: json.dumps({"text": line, "username": "pbem"})),
    "json": (JSON, lambda line: json.dumps({"text": line})),
}
"""Media type and body of the request, for each kind of webhook. A webhook of the kind `matrix` is one of
matrix-hookshot."""


class NotTold(Exception):
    """Exception for a line that was not taken. Its text is an HTTP status, an exit code, or the name of an error."""


class DueLine(Struct, frozen=True):
    """A line that somebody must get now."""

    who: str
    """Key of the settings: `me`, or campaign and seat."""
    campaign: str
    """Campaign of the line; empty if it is about the office."""
    occasion: str
    """Text that identifies the occasion of the line. Only one line is sent for each occasion."""
    said: str

    @property
    def name(self) -> str:
        return sha256("\0".join((self.who, self.campaign, self.occasion)).encode()).hexdigest()


class OwedLetter(Struct, frozen=True):
    """Letter that somebody owes. The deadline is written as in the ledger."""

    campaign: str
    request: str
    """`reveal` if sealed orders are to be revealed; any other text stands for orders."""
    deadline: str

    def line(self, now: datetime, zone: tzinfo | None, language: str) -> str:
        """Return the line about the letter, which tells no more than the mail's subject."""
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
    """Return a line for each person from whom orders, or the opening of sealed orders, are awaited now."""
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
    """Sender of an office's short lines, each for as long as it is due."""

    def __init__(
        self, store: Store, doubts: Doubts, targets: Mapping[str, NotifySettings], now: Callable[[], datetime]
    ) -> None:
        self.store = store
        self.doubts = doubts
        self.targets = targets
        self.now = now

    def tell(self, due: Collection[DueLine]) -> None:
        """Send the due lines. Leave out readers for whom no target is set or whose pause is not over. Stop after
        `LONGEST_ROUND` seconds. After a failure the reader gets no more lines in this round."""
        begun, hanging = time.monotonic(), set[str]()
        for line in due:
            if line.who not in self.targets or line.who in hanging or time.monotonic() - begun > LONGEST_ROUND:
                continue
            rows = self.store.rows("SELECT * FROM lines WHERE name = ?", line.name)
            tries = int(rows[0]["tries"]) if rows else 0
            if rows and (rows[0]["state"] != "queued" or rows[0]["after"] > stamp(self.now())):
                continue
            # The try is noted first: if the program is killed in between, the line is sent once more, but never more
            # than `MOST_TRIES` times.
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
        """Note that a line was not taken: a notice if it will be tried again, a doubt if `is_given_up`."""
        fault = wrong("W-OFFICE-NOTIFY.given-up" if is_given_up else NOT_TAKEN, who=line.who, why=why)
        if is_given_up:
            query = "SELECT 1 FROM doubts WHERE code = ? AND about = ? AND told = ?"
            if self.store.rows(query, NOT_TAKEN, line.who, NOTICE):
                self.doubts.settle_one("", NOT_TAKEN, line.who)
            self.doubts.note("", fault, line.who)
        else:
            # If the line was given up before, the doubt stays, so that one mail tells of it.
            self.doubts.note("", fault, line.who, NOTICE)

    def ping(self, who: str, language: str) -> Words:
        """Send a test with a number that the reader is asked to report, and return the result in words."""
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
        """Note that a test's number was reported. Return the reader; empty if no test has this number."""
        for who in self.targets:
            if self.store.fact(f"ping {who}").split()[1:2] == [code]:
                with self.store.step():
                    self.store.note(f"ping {who}", f"heard {code} {stamp(self.now())}")
                return who
        return ""

    def last_test(self, who: str) -> Words:
        """Return a line on a target and its last test."""
        state, _, moment = (*self.store.fact(f"ping {who}").split(), "", "", "")[:3]
        return words(TESTS[state], who=who, moment=moment)

    def forget_removed(self) -> None:
        """End the doubts and notices about targets that are no longer in the settings."""
        rows = self.store.rows("SELECT * FROM doubts WHERE code IN (?, ?)", NOT_TAKEN, NO_SEAT)
        for row in rows:
            if row["about"].removeprefix("notify ") not in self.targets:
                self.doubts.settle_one(row["campaign"], row["code"], row["about"])


def kept_targets(
    store: Store, doubts: Doubts, targets: Mapping[str, NotifySettings], public: PublicState
) -> dict[str, NotifySettings]:
    """Return the targets of those seats of a campaign that have players. Note a doubt about a target for an unknown
    seat, or for a seat whose player has changed since the target was noted, and leave it out. A new target is noted for
    the present player."""
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
    """Hand a line to a command or a webhook. Raises `NotTold`, whose text shows nothing of the secret target."""
    if target.command:
        run(shlex.split(target.command), line)
        return
    for kind, (content, body) in BODIES.items():
        if address := getattr(target, kind):
            status = post(address, content, body(line).encode())
            if not 200 <= status < 300:
                raise NotTold(str(status))


def run(command: Sequence[str], line: str) -> None:
    """Run a program with the line as input. Raises `NotTold` if it cannot start, fails, or takes too long."""
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
    """Send one POST request, and return the status code of the answer. Redirects are not followed. Raises `NotTold` if
    no answer comes in time."""
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

    # A socket's timeout is for each read alone: a server that sends byte by byte, or a slow name server, could take for
    # ever.
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
