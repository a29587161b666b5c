"""File of opened letters, which is published at the close."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from pbem.campaign.disk.atomic import read_whole
from pbem.campaign.disk.folder import Folder
from pbem.campaign.disk.vault import json_value
from pbem.campaign.ledger.beside import LARGEST_OPENED
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import LAST_NUMBER, record_in
from pbem.campaign.ledger.records import LetterRecord, Record, keeps_letter
from pbem.campaign.letters.joining import entry_text
from pbem.campaign.letters.letterbox import HeldLetter, LetterOf, OpenedPart
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letter_kinds import PRIVATE_KINDS
from pbem.paper.letters import LETTER

OPENED, DAMAGED, KEYS = "opened.json", "E-VERIFY-OPENED.damaged", "E-VERIFY-OPENED.keys"

NOTHING = b"{}"
"""JSON of the sealed content of a letter without sealed parts."""


LARGEST_LETTER = 2 * 1024 * 1024
"""Most bytes of one opened letter in the file."""


MOST_VALUES = 5 * LETTER.nodes
"""Most values in the sealed content of one letter, which can have several parts."""


MOST_OPENED = 4_000_000
"""Most values in the sealed contents of all letters."""


_TEXT = re.compile(rb'"[^"]*"')


class OpenedFile(Struct, frozen=True):
    campaign: str
    letters: dict[int, HeldLetter]
    """Dict from the number of each entry that accepts a letter to this letter."""


class OpenedLetters(Mapping[int, HeldLetter]):
    """Mapping from entries to the opened letters. Each letter is decoded only when it is asked for."""

    def __init__(self, content: bytes) -> None:
        """Find the letters without decoding them. Raises `Refused` for a damaged file, too many or too large letters,
        and a key that occurs twice."""
        self._data = content
        found = json_value(content, outline(), OPENED, DAMAGED)
        self.campaign: str = found.campaign
        self._raw = found.letters
        values = 0
        for number, letter in self._raw.items():
            if len(letter.opened) > LARGEST_LETTER or len(letter.text) > LARGEST_LETTER:
                raise Refused(OPENED, [wrong("E-VERIFY-OPENED.large", letter=number, most=LARGEST_LETTER)])
            count = values_in(bytes(letter.opened))
            values += count
            if count > MOST_VALUES or values > MOST_OPENED:
                many = wrong("E-VERIFY-OPENED.values", letter=number, most=MOST_VALUES, all=MOST_OPENED)
                raise Refused(OPENED, [many])
            check_keys(bytes(letter.opened) or NOTHING)
        if frame(content, self._raw) != frame_wanted(self.campaign, self._raw):
            raise Refused(OPENED, [wrong(KEYS)])

    def __getitem__(self, number: int) -> HeldLetter:
        letter = self._raw[number]
        text = json_value(bytes(letter.text), str, OPENED, DAMAGED)
        return HeldLetter(text, json_value(bytes(letter.opened) or NOTHING, dict[str, OpenedPart], OPENED, DAMAGED))

    def __reduce__(self) -> tuple[type[OpenedLetters], tuple[bytes]]:
        return OpenedLetters, (self._data,)

    def __iter__(self) -> Iterator[int]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)


def outline() -> Any:
    """Return a type that decodes the file of opened letters, but not the texts and contents of the letters. Decoding
    fails for more letters than a ledger can have."""
    count = iter(range(LAST_NUMBER))

    def counted(_: Struct) -> None:
        if next(count, None) is None:
            raise ValueError(f"a ledger has at most {LAST_NUMBER} entries")

    raw, none = msgspec.Raw, msgspec.Raw(b"")
    letter = msgspec.defstruct("Letter", [("text", raw), ("opened", raw, none)], namespace={"__post_init__": counted})
    return msgspec.defstruct("Outline", [("campaign", str), ("letters", dict[int, letter])])  # type: ignore[valid-type]


def frame(content: bytes, letters: Mapping[int, Any]) -> bytes:
    """Return the file of opened letters without white space, and without the texts and opened contents of letters.
    Return no bytes if a text or content is missing or in the wrong place."""
    around, at = [], 0
    for letter in letters.values():
        for raw in filter(None, (bytes(letter.text), bytes(letter.opened))):
            begins = content.find(raw, at)
            if begins < 0:
                return b""
            around.append(content[at:begins])
            at = begins + len(raw)
    return b"".join(b"".join([*around, content[at:]]).split())


def frame_wanted(campaign: str, letters: Mapping[int, Any]) -> bytes:
    """Return the `frame` of a correct file with these letters."""
    each = (
        b'"%d":{"text":%s}' % (number, b',"opened":' if letter.opened else b"") for number, letter in letters.items()
    )
    return b'{"campaign":%s,"letters":{%s}}' % (msgspec.json.encode(campaign), b",".join(each))


def check_keys(sealed: bytes) -> None:
    """Raise `Refused` for JSON in which a key occurs twice."""

    def once(pairs: list[tuple[str, object]]) -> None:
        if len({key for key, _ in pairs}) < len(pairs):
            raise Refused(OPENED, [wrong(KEYS)])

    # If a key occurs twice, some readers take its first value, others its last.
    try:
        json.loads(sealed, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Refused(OPENED, [wrong(DAMAGED, why=str(error))]) from None


def values_in(content: bytes) -> int:
    """Return an upper bound for the number of values in JSON, counted without decoding."""
    # Without escapes every quotation mark begins or ends a text.
    marks = _TEXT.sub(b"", content.replace(rb"\\", b"").replace(rb"\"", b""))
    return marks.count(b",") + marks.count(b"[") + marks.count(b"{")


def letters_opened(folder: Folder) -> OpenedLetters:
    """Return the letters that were published at the close."""
    return OpenedLetters(read_whole(folder.opened, LARGEST_OPENED))


def opened_data(ledger: Ledger, held: LetterOf) -> bytes:
    """Return the file of opened letters as bytes. The same letters always give the same bytes."""
    return msgspec.json.format(msgspec.json.encode(opened_file(ledger, held)), indent=1)


def opened_file(ledger: Ledger, held: LetterOf) -> OpenedFile:
    """Return all letters of the ledger for the file of opened letters, without those of `PRIVATE_KINDS`."""
    letters: dict[int, HeldLetter] = {}
    for entry in ledger.entries():
        if is_opened(record_in(entry)):
            letter = held(entry.number)
            letters[entry.number] = HeldLetter(entry_text(letter.letter), letter.opened)
    return OpenedFile(ledger.campaign, letters)


def is_opened(record: Record) -> bool:
    """True if an entry accepts a letter that the close opens."""
    return keeps_letter(record) and not (isinstance(record, LetterRecord) and record.kind in PRIVATE_KINDS)
