"""From the raw bytes of a message to the letters in it.

What comes out are texts for `pbem.paper.letters.read_letter`, each once, and faults for what must not be read. Whether
a letter is in order, whose it is and whether it is the newest is decided by those who know the campaign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, structs

from pbem.paper.faults import MOST_FAULTS, Fault, Refused
from pbem.paper.letters import MODERATORS, Letter, letter_id, read_letter

from .charsets import decoded
from .finding import Candidate, candidates, near_misses, plain_lines
from .flowed import unflowed
from .mailbox import MOST_BYTES
from .mime import MOST_LINES, Envelope, Part, Taken, is_mail, take_apart
from .web import is_marked_up, text_of

MOST_LETTERS = 60
"""More letters than this are not taken from one message."""

MOST_OF_LETTERS = 1024 * 1024
"""Nor are letters that are longer than this together."""

MOST_OF_PAGE = 512 * 1024
"""What stands behind so many letters of a page is not looked at."""

_PAGE = (b"<!doctype html", b"<html")


class FoundLetter(Struct, frozen=True):
    """The text of one letter, freed from its surroundings."""

    text: str
    part: str
    """Which part of the message held it; nothing where there is only one."""
    line: int
    """The line of that part on which the letter begins."""
    is_quoted: bool = False
    """Whether it stands in a quotation: perhaps only repeated, perhaps filled in there."""
    is_signed: bool = False
    notes: tuple[str, ...] = ()
    """What was done to the copy on the way to this text."""


class Extraction(Struct, frozen=True):
    """What a message holds."""

    envelope: Envelope
    letters: tuple[FoundLetter, ...] = ()
    older: tuple[FoundLetter, ...] = ()
    """Letters that are only quoted below the one that is meant: an earlier one, or the sheet it was written on."""
    faults: tuple[Fault, ...] = ()
    """What must not be read and why; lines are counted in the part of the message, as its reader sees it."""
    is_preview_only: bool = False
    """Whether the letters come out of a page (HTML), where nobody can know what was lost; such are never final."""


class _Found(Struct, frozen=True):
    """A letter on trial: where it was found, and what it says, if it can be read."""

    letter: FoundLetter
    faults: tuple[Fault, ...]
    says: Letter | None

    @property
    def identity(self) -> str:
        """The same for all copies of a letter."""
        return letter_id(self.says) if self.says else self.letter.text


def extract(raw: bytes, hint: str = "") -> Extraction:
    """The letters in a mail, a page, or a text; `hint` is the name it came under, and may be left out."""
    taken = _taken(raw, hint.casefold())
    faults = list(taken.faults)
    plain = [part for part in taken.parts if part.form == "plain"]
    found, more = _search(plain, is_page=False)
    is_page = not found
    if is_page:
        found, more = _search([*taken.parts], is_page=True)
    faults += more
    if not found and not any(not fault.is_warning for fault in faults):
        faults += _nothing(taken.parts)
    elif any(not each.faults for each in found):
        faults = [fault for fault in faults if not fault.is_warning]
    kept, damaged = _once(found), [each for each in found if each.faults]
    for each in damaged:
        if not _is_made_good(each, kept):
            faults += each.faults
    letters, older = _told_apart(kept)
    return Extraction(
        envelope=taken.envelope,
        letters=tuple(each.letter for each in letters),
        older=tuple(each.letter for each in older),
        faults=tuple(faults[:MOST_FAULTS]),
        is_preview_only=is_page and bool(found),
    )


def _taken(raw: bytes, hint: str) -> Taken:
    """The texts of a message of any kind."""
    if hint.endswith(".eml") or (not hint.endswith((".yaml", ".yml")) and is_mail(raw)):
        return take_apart(raw)
    if len(raw) > MOST_BYTES:
        message = f"the text has more than {MOST_BYTES} bytes"
        return Taken(Envelope(), faults=(Fault("E-MAIL-SIZE", message, 1, 1, hint="send the letter alone"),))
    text, note = decoded(raw)
    if plain_lines(text).count("\n") > MOST_LINES:
        message = f"the text has more than {MOST_LINES} lines"
        return Taken(Envelope(), faults=(Fault("E-MAIL-SIZE", message, 1, 1, hint="send the letter alone"),))
    is_page = hint.endswith((".html", ".htm")) or raw[:200].lstrip(b"\xef\xbb\xbf \r\n\t").lower().startswith(_PAGE)
    part = Part("", text, "html" if is_page else "plain", notes=(note,) if note else ())
    return Taken(Envelope(), (part,))


def _search(parts: list[Part], *, is_page: bool) -> tuple[list[_Found], list[Fault]]:
    """Everything in these parts that looks like a letter; in pages, and in texts that hold the tags of one."""
    found: list[_Found] = []
    size = 0
    for part in parts:
        if is_page and part.form == "plain" and not is_marked_up(part.text):
            continue
        name = part.name if len(parts) > 1 else ""
        for each in _best_reading(part, name, is_page=is_page):
            size += len(each.letter.text)
            if len(found) == MOST_LETTERS or size > MOST_OF_LETTERS:
                message = f"the message holds more than the {MOST_LETTERS} letters that are read at once, or long ones"
                return found, [Fault("E-TEXT-MANY", message, each.letter.line, 1, hint="send them in several messages")]
            found.append(each)
    return found, []


def _best_reading(part: Part, name: str, *, is_page: bool) -> list[_Found]:
    """The letters of a part; of flowed text as it was before it flowed, or as it stands if only that can be read."""
    if is_page:
        return list(_read(_seen(structs.replace(part, form="html")), part, name, "read out of a page (HTML)"))
    text = plain_lines(part.text)
    if not part.is_flowed:
        return list(_read(text, part, name))
    joined = list(_read(unflowed(text, part.is_blank_added), part, name))
    if all(each.says for each in joined) and joined:
        return joined
    standing = list(_read(text, part, name))
    return standing if standing and all(each.says for each in standing) else joined


def _read(text: str, part: Part, name: str, *notes: str) -> Iterator[_Found]:
    """Every letter of a text, with its faults or what it says."""
    size = 0
    for number, each in enumerate(candidates(text)):
        size += len(each.text)
        is_too_much = number > MOST_LETTERS or size > MOST_OF_LETTERS
        yield _tried(each, part, name, notes, is_read=not is_too_much)
        if is_too_much:
            return


def _tried(each: Candidate, part: Part, name: str, notes: tuple[str, ...], *, is_read: bool) -> _Found:
    """A letter with what it says, unless it must not be read."""
    said = (*part.notes, *notes, *each.notes)
    letter = FoundLetter(each.text, name, each.line, each.is_quoted, each.is_signed, said)
    faults = each.faults
    if part.is_damaged and not each.is_signed:
        message = "this text was damaged on its way, so nobody can tell whether the letter is whole"
        hint = "sign the letter, or send it again"
        faults = (*faults, Fault("E-MAIL-BASE64", message, each.line, 1, hint=hint))
    if name:
        faults = tuple(structs.replace(fault, message=f"{name}: {fault.message}") for fault in faults)
    says = None
    if is_read and not faults:
        try:
            says = read_letter(each.text.encode("utf-8"), "letter")
        except Refused:
            says = None
    return _Found(letter, faults, says)


def _nothing(parts: Iterable[Part]) -> Iterator[Fault]:
    """Why there is no letter."""
    texts = [part for part in parts if part.text.strip()]
    if not texts:
        yield Fault("E-TEXT-EMPTY", "the message is empty", 1, 1, hint="a letter begins with the line `pbem: 1`")
        return
    near = next((fault for part in texts for fault in near_misses(_seen(part))), None)
    if near:
        yield near
    else:
        hint = "a letter begins with the line `pbem: 1`; copy the sheet at the end of the last report"
        yield Fault("E-TEXT-NONE", "there is no letter in the message", 1, 1, hint=hint)


def _seen(part: Part) -> str:
    """The text of a part as its reader sees it."""
    return plain_lines(text_of(part.text[:MOST_OF_PAGE]) if part.form == "html" else part.text)


def _once(found: list[_Found]) -> list[_Found]:
    """The undamaged letters, each once: the copy that is not quoted before one that is, else the first."""
    kept: dict[str, _Found] = {}
    for each in found:
        identity = each.identity
        if not each.faults and (identity not in kept or (kept[identity].letter.is_quoted > each.letter.is_quoted)):
            kept[identity] = each
    return sorted(kept.values(), key=found.index)


def _is_made_good(damaged: _Found, kept: list[_Found]) -> bool:
    """Whether a damaged copy does not matter: it is quoted below a whole letter, or that letter came whole as well."""
    if damaged.letter.is_quoted and any(not each.letter.is_quoted for each in kept):
        return True
    head = _head(damaged.letter.text)
    return any(each.letter.is_signed and _head(each.letter.text) == head for each in kept)


def _head(text: str) -> dict[str, str]:
    """The written head of a letter, however damaged what follows it."""
    pairs = (line.partition(":") for line in text.split("\nbody:")[0].split("\n")[:20])
    return {key.strip(): value.strip() for key, _, value in pairs if value.strip()}


def _told_apart(kept: list[_Found]) -> tuple[list[_Found], list[_Found]]:
    """The letters that are meant, and those that are only quoted below them."""
    newest: dict[tuple[str, str], int] = {}
    for each in kept:
        if each.says and not each.letter.is_quoted:
            key = (each.says.campaign, each.says.sender)
            newest[key] = max(newest.get(key, 0), each.says.seq)
    older = [each for each in kept if each.letter.is_quoted and newest and _is_only_quoted(each, newest)]
    return [each for each in kept if each not in older], older


def _is_only_quoted(each: _Found, newest: dict[tuple[str, str], int]) -> bool:
    """Whether a quoted letter is the moderator's, an earlier one, or the empty sheet of one in the same message."""
    if not each.says:
        return True
    if each.says.kind in MODERATORS:
        return True
    seq = newest.get((each.says.campaign, each.says.sender), 0)
    return each.says.seq < seq or (each.says.seq == seq and not each.letter.is_signed)
