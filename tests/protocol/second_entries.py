"""The entries of a ledger as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tests.protocol import second_text
from tests.protocol.second_text import Unreadable, ordered, read, write
from tests.seal.second import canonical

KEYS = ("pbem", "entry", "kind", "campaign", "time", "before", "body", "signature")
NAME = re.compile("[a-z0-9][a-z0-9-]{0,39}")
HASH = re.compile("[0-9a-f]{64}")
NUMBER = re.compile("0|[1-9][0-9]{0,9}")
MOMENT = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
EVENTS = (Path(__file__).parents[2] / "docs/events.md").read_text("utf-8").partition("## Decisions")[0]
EVENT_TYPES = {
    name: {"type": True, **{field: not null for field, null in re.findall(r"(?<!\*)`(\w+)`(\?)?", fields)}}
    for name, fields in re.findall(r"^\| `(\w+)`([^|]*)\|(?!.*do not see this event)", EVENTS, re.MULTILINE)
}
"""Types of events that everybody sees, as their page names them, with the fields that a ledger has: true for those that
are never missing."""

Shape = Callable[[Any], bool]


class Finding(NamedTuple):
    """A file, and what is wrong with it."""

    file: str
    what: str


class Wrong(Exception):
    """Something is not as it should be."""

    def finding(self, file: str) -> Finding:
        """The fault of a file."""
        return Finding(file, str(self))


class Entry(NamedTuple):
    """An entry."""

    file: str
    number: int
    kind: str
    campaign: str
    body: Any
    signature: str
    tree: Any
    hash: str


def need(holds: bool, otherwise: str) -> None:
    """Refuse what does not hold."""
    if not holds:
        raise Wrong(otherwise)


def text(value: Any) -> bool:
    """Any text."""
    return isinstance(value, str)


def like(pattern: re.Pattern[str]) -> Shape:
    """A text of this form."""
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value))


def row(of: Shape) -> Shape:
    """A list."""
    return lambda value: isinstance(value, list) and all(map(of, value))


def mapping(of: Shape) -> Shape:
    """A mapping from any texts."""
    return lambda value: isinstance(value, dict) and all(map(of, value.values()))


def struct(**keys: Shape) -> Shape:
    """A mapping with these keys; those that end with an underscore may be missing."""
    shapes = {key.rstrip("_"): shape for key, shape in keys.items()}
    must = {key for key in keys if not key.endswith("_")}

    def fits(value: Any) -> bool:
        if not isinstance(value, dict) or not must <= set(value) <= set(shapes):
            return False
        return all(shapes[key](item) for key, item in value.items())

    return fits


def filled(**keys: Shape) -> Shape:
    """A mapping with these keys, in which those that may be missing are missing where they are as usual."""
    fits, usual = struct(**keys), ("", [], {})
    may = [key.rstrip("_") for key in keys if key.endswith("_")]
    return lambda value: fits(value) and not any(value.get(key) in usual for key in may if key in value)


def anything(value: Any) -> bool:
    """Any tree."""
    return True


def moment(written: Any) -> bool:
    """A moment that there is, of the years in which there are any."""
    try:
        found = isinstance(written, str) and MOMENT.fullmatch(written)
        return bool(found) and 1000 <= datetime.strptime(written, "%Y-%m-%dT%H:%M:%SZ").year <= 9000
    except ValueError:
        return False


def event(value: Any) -> bool:
    """An event of a type that there is, with its fields and nothing secret, in which no number is of more than ten
    digits."""
    fields = EVENT_TYPES.get(value["type"], {}) if isinstance(value, dict) and text(value.get("type")) else {}
    known = bool(fields) and {field for field, must in fields.items() if must} <= set(value) <= set(fields)
    return known and not re.search('"-?[0-9]{11,}"', canonical(value))


name, sha256, number = like(NAME), like(HASH), like(NUMBER)
truth = like(re.compile("true"))
"""Check of a field that is left out if it is false."""

CONDUCT = struct(
    signing=like(re.compile("on|off")),
    sealing=like(re.compile("moderator|reveal")),
    misorders=like(re.compile("hold|return")),
    proofs=like(re.compile("at once|at the close")),
    seats_=like(re.compile("chosen|drawn")),
    stand_in_=text,
    succession_=like(re.compile("([2-9] after [1-9][0-9]{0,2}d)?")),
    votes_=like(re.compile("none|majority|two thirds|all")),
    resigned_=like(re.compile("substitute|bot|hold")),
    messages_=like(re.compile("deniable|at the close")),
    masks_=like(re.compile("none|until the close")),
)


def zone(value: Any) -> bool:
    """A time zone that there is."""
    try:
        return isinstance(value, str) and bool(ZoneInfo(value))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False


def days(value: Any) -> bool:
    """Some days of the week."""
    return bool(value) and row(like(re.compile("mon|tue|wed|thu|fri|sat|sun")))(value)


SPAN = like(re.compile("[0-9]{1,4}[mhdw]"))
CLOCK = struct(
    next=SPAN,
    at=like(re.compile("([01]?[0-9]|2[0-3]):[0-5][0-9]")),
    zone=zone,
    days=days,
    grace=SPAN,
    delay=SPAN,
    remind=row(SPAN),
    at_deadline=like(re.compile("wait|standing|hold")),
    absences=number,
    bank_=struct(start=SPAN, add=SPAN, most=SPAN),
)
SETTINGS = struct(
    campaign=name,
    terms=anything,
    seats=mapping(anything),
    moderator=anything,
    conduct=CONDUCT,
    clock=CLOCK,
    position=text,
)
NEXT = filled(
    stage=text,
    phase=text,
    digest=sha256,
    owing_=mapping(row(text)),
    answered_=row(text),
    deadline_=moment,
    over_=truth,
)
DEALT = struct(number=number, hashes=row(sha256))
OPENING = struct(shuffle=number, position=number, card=number, salt=sha256)


def protocol(value: Any) -> bool:
    """A protocol that is not the first one."""
    return value in ("2", "3", "4", "5", "6", "7")


BODIES: dict[str, Shape] = {
    "new": filled(
        settings=SETTINGS, moderator=text, secret=sha256, program=text, files_=mapping(sha256), protocol_=protocol
    ),
    "join": filled(
        player=name, key=text, entropy=sha256, seq=number, mark=sha256, letter_=text, name_=text, language_=text
    ),
    "letter": filled(
        player=name,
        kind=text,
        mark=sha256,
        stage=text,
        seq=number,
        status_=like(re.compile("draft|partial")),
        wait_=truth,
        slots_=mapping(sha256),
        acted_=text,
        bot_=text,
    ),
    "refused": filled(mark=sha256, player_=name),
    "lock": filled(stage=text, letters=row(number), deadline_=moment, forced_=truth),
    "adjudication": filled(
        version=number,
        stage=text,
        used=row(number),
        events=row(event),
        record=sha256,
        state=sha256,
        next=NEXT,
        dealt_=row(DEALT),
        openings_=row(OPENING),
        absent_=mapping(text),
        forced_=truth,
        returned_=row(text),
        forfeited_=mapping(row(text)),
        drawn_=mapping(name),
    ),
    "ruling": filled(words=like(re.compile(r"(?s).*\S.*")), rule_=text),
    "extension": filled(until=moment, why=text, proposal_=number),
    "absence": filled(player=text, first=text, last=text, why_=text, bot_=text, key_=text),
    "reminder": filled(players=row(text), kind=like(re.compile("before|deadline|late"))),
    "rollback": filled(to=number, why=text, next=NEXT),
    "clock": filled(to=number, why=text, next_=NEXT, deadline_=moment),
    "substitute": filled(player=text, key=text, why=text, name_=text, language_=text, bot_=text, proposal_=number),
    "key-change": filled(
        player=text, key=text, seq_=like(re.compile("[1-9][0-9]{0,9}")), mark_=sha256, letter_=text, why_=text
    ),
    "agreement": filled(powers=row(text), words=text, letters=row(number), binds_=mapping(row(text)), until_=text),
    "heirloom": filled(points=row(sha256), parts=mapping(like(re.compile("[1-9]")))),
    "succession": filled(key=text, letters=mapping(text), name_=text, seat_=text, deadline_=moment),
    "proposal": filled(
        player=name,
        subject=like(re.compile("draw|standing|concede|resign|time|replace|clock")),
        seq=number,
        mark=sha256,
        letter=text,
        about_=text,
        days_=like(re.compile("[1-6]|[89]|[1-5][0-9]|60")),
    ),
    "vote": filled(player=name, proposal=number, says=like(re.compile("yes|no")), seq=number, mark=sha256, letter=text),
    "end": filled(proposal=number, how=like(re.compile("draw|standing|concede")), winners_=row(name)),
    "resolution": filled(proposal=number, subject=like(re.compile("replace|clock")), about=text),
    "close": filled(secret=sha256, opened=sha256, why_=text, people_=mapping(like(re.compile("(?s).+")))),
}


def entries_of(folder: Path) -> tuple[list[Entry], list[Finding]]:
    """The entries that can be read, in their order, and everything that is wrong with the row of them."""
    entries: list[Entry] = []
    found: list[Finding] = []
    before, time, place = "0" * 64, "", 1
    for path in sorted(folder.iterdir()):
        if path.name[:4].isdigit() and int(path.name[:4]) > place:
            found.append(Finding(f"ledger/{place:04d}-", "this entry is missing"))
            place = int(path.name[:4])
        try:
            entry = entry_of(path)
            entries.append(entry)
            need(path.name == f"{place:04d}-{entry.kind}.yaml" and entry.number == place, "this is another entry")
            need(entry.tree["before"] == before, "this does not follow from the entry before")
            need(entry.tree["time"] >= time or entry.kind == "clock", "this is older than the entry before")
            need((entry.kind == "new") == (place == 1), "a ledger begins with the settings, and only once")
            need(entry.campaign == entries[0].campaign, "this is of another campaign")
            need(place > 1 or entry.campaign == entry.body["settings"]["campaign"], "the settings name another")
            time = entry.tree["time"]
        except Wrong as wrong:
            found.append(wrong.finding(f"ledger/{path.name}"))
        place += 1
        before = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    if not entries or entries[0].kind != "new":
        found.append(Finding("ledger/0001-new.yaml", "this entry is missing"))
    return entries, found


def entry_of(path: Path) -> Entry:
    """One entry, written in the one way."""
    need(path.is_file() and not path.is_symlink(), "this is no file")
    return entry_in(path.name, path.read_bytes(), second_text.PARSER)


@lru_cache(maxsize=1024)
def entry_in(name: str, data: bytes, parser: object) -> Entry:
    """The entry in a file, by this parser. Many archives of tests have the same ones; nobody changes them."""
    try:
        tree = read(data)
    except Unreadable as fault:
        raise Wrong(str(fault)) from None
    need(isinstance(tree, dict) and list(tree) == list(KEYS), "these are not the keys of an entry")
    need(all(isinstance(tree[key], str) for key in KEYS if key != "body"), "a head is of texts")
    need(tree["pbem"] == "1" and number(tree["entry"]) and moment(tree["time"]), "the head is malformed")
    kind, body = tree["kind"], tree["body"]
    need(kind in BODIES and BODIES[kind](body), "the body is not that of its kind")
    need(write({key: ordered(tree[key]) for key in KEYS}, 100) == data, "this is not written in the one way")
    signed = {key: tree[key] for key in KEYS if key != "signature"}
    hashed = hashlib.sha256(data).hexdigest()
    return Entry(name, int(tree["entry"]), kind, tree["campaign"], body, tree["signature"], signed, hashed)
