"""Functions that find letters in a text: between the words of a mail, in quotations, and in code blocks of a forum
page.

A letter has a line `pbem: 1`. The letter begins at the first key of its head, which may be above this line, or at the
bracket `{` if it is written in brackets. A letter in brackets ends with its closing bracket. A signed letter ends with
its armored signature. If the signature is not indented, remarks directly above the letter belong to the letter, too.
Every other letter ends at a line `...` or `---`, at the end of its code block, quotation or text, or above the mail
that it answers.

If there are characters before `pbem:` on its line (marks of quotation, indentation), every line of the letter must have
them, and they are removed. Nothing else is mended. A damaged letter is refused, and the fault names the place of the
damage. So no order is lost or changed without notice.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import pairwise, takewhile

from msgspec import Struct

from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.names import as_quoted
from pbem.post.hand_votes import DRESSED_HEAD, with_plain_votes, without_farewell

_MARKS = " \t\u00a0>|"
# Possessive and bounded (`*+`, {0,6}): otherwise an attacker's line could be split in very many ways. Invisible
# characters before `pbem` are allowed, so that the letter is found. The strict reader then refuses it.
_HEAD = re.compile(
    r"(?P<prefix>[ \t\u00a0>|]*+)(?P<tags>(?:\[[a-z]{1,10}[^\]\n]{0,200}\][ ]?){0,6})\ufeff?"
    r"(?P<head>[\u00ad\u200b-\u200f\u2060-\u2069]{0,9}[\"']?pbem[\"']?[ \u00a0]?:[ \t\u00a0]*[\"']?[0-9]{1,4}[\"']?)"
    r"[ \t\u00a0]*(?P<remark>#.*)?",
    re.IGNORECASE,
)
_TAGS = r"(?P<tags>(?:\[[a-z]{1,10}[^\]\n]{0,200}\][ ]?){0,6})"
_KEY = (
    r"(?P<quote>[\"']?)(?P<name>pbem|kind|campaign|from|stage|basis|seq|body)(?P=quote)[ \u00a0]?:(?:[ \t\u00a0].*)?\Z"
)
_KEY_LINE = re.compile(_TAGS + _KEY, re.IGNORECASE)
_FIRST_LINE = re.compile(rf"(?P<prefix>[ \t\u00a0>|]*+){_TAGS}(?P<head>{_KEY})", re.IGNORECASE)
_BRACE = re.compile(rf"(?P<prefix>[ \t\u00a0>|]*+){_TAGS}(?P<head>\{{)", re.IGNORECASE)
_IN_BRACES = re.compile(r"[{,\s][\"']?pbem[\"']?\s*:\s*[\"']?1\b", re.IGNORECASE)
_STEP = re.compile(r"\\.|(?<![\w.])'|[\"{}]|'")
_MOST_IN_BRACES = 256 * 1024
_MOST_OF_BRACES = 4 * 1024 * 1024
"""Number of characters of a text in which letters in brackets are searched for. Source code has very many brackets."""
_NEAR = re.compile(r"\bpbem[\"']?[ \u00a0]?:[ \t\u00a0]?[\"']?1\b", re.IGNORECASE)
_HINT = re.compile(r"[ \t\u00a0]*[>|].*`pbem: 1`")  # quoted sentence of an earlier version
_ANSWERED = re.compile(r"[ \u00a0>*]*(?:From|Von|De|Da)[*]?[ \u00a0]?:[* \u00a0]", re.IGNORECASE)
_SENT = re.compile(
    r"(?i)[ \u00a0>*]*(?:Sent|Date|Gesendet|Datum|Enviado(?: el)?|Fecha|Inviato|Data|Envoy\u00e9)[*]?[ \u00a0]?:"
)
_LINES_OF_HEAD = 3
"""Number of lines below the sender where the date is searched for, in the head that Outlook gives an answered mail."""
TAGS = "quote|code|pre|codebox|icode|syntax|spoiler"
"""Names of tags that open and close blocks in a forum. Within a letter, such a tag would close the letter's block."""
_TAG = re.compile(rf"\[(/?)({TAGS})\b[^\]\n]{{0,200}}\]", re.IGNORECASE)
_BEGUN = re.compile(r"[-‐‑‒–—―−]{1,6}BEGIN SSH SIGNATURE[-‐‑‒–—―−]{1,6}")
_ENDED = re.compile(r"[-‐‑‒–—―−]{1,6}END SSH SIGNATURE[-‐‑‒–—―−]{1,6}(?:(?:\\n)?[\"'])?")
_TRUE_END = "-----END SSH SIGNATURE-----"
_STOP = re.compile(r"(?:\.\.\.|---)[ \t]*(?:#.*)?\Z|--[ \u00a0]?\Z|_{5,}\s*\Z|-{5,}(?!BEGIN SSH)|(?:`{3,}|~{3,})\s*\Z")
_AT_MARGIN = re.compile(r"\s*\Z|#|- |-\Z|[\]}]|[\w-]{1,40}[ ]?:(?:[ \u00a0]|\Z)|[\"'][^\"']{1,40}[\"'][ ]?:(?:[ ]|\Z)")
_KEYS = ("pbem:", "kind:", "campaign:", "from:", "stage:", "basis:", "seq:", "body:", "signature:")
_LONG = 55
"""Length from which a line may have been broken by a mail program, in characters."""


class Candidate(Struct, frozen=True):
    """Text that looks like a letter. If it has `faults`, it must not be read as a letter."""

    text: str
    line: int
    column: int
    """Column in which each line of the letter begins."""
    is_quoted: bool
    is_signed: bool
    notes: tuple[str, ...] = ()
    faults: tuple[Wrong, ...] = ()


class _Block(Struct):
    """Lines of a letter without their prefix, while they are collected."""

    prefix: str
    lines: list[str]
    is_in_signature: bool = False
    is_signed: bool = False
    below: int = 0
    """Index in `lines` of the signature's first line; 0 if the signature is under the letter's key `signature`."""
    is_in_braces: bool = False
    next: int = 0
    """Index in the text of the first line after the letter."""
    stray: int = -1
    """Index in the text of a line that interrupts the letter and does not belong to it. -1 if there is none."""
    is_above_quotation: bool = False
    """True if the letter ends where a quotation of an answered mail begins."""


def plain_lines(text: str) -> str:
    """Return the text with a line feed at the end of every line."""
    text = text.replace("\r\r\n", "\n").replace("\r\n", "\n")
    return text if "\n" in text else text.replace("\r", "\n")


def candidates(text: str) -> Iterator[Candidate]:
    """Yield the texts that look like letters, in their order. The caller must end each line of `text` with a line
    feed."""
    lines = with_plain_votes(text.split("\n"))
    starts = _starts(lines)
    tags = list(_tags(lines, starts))
    below = next((at for at in range(len(lines)) if is_answered(lines, at)), len(lines))
    left = _MOST_OF_BRACES if _IN_BRACES.search(text) else 0
    at = 0
    while at < len(lines):
        block: _Block | None = None
        if head := (_BRACE.match(lines[at]) if left > 0 else None):
            block, looked = _bracketed_letter(lines, at, head)
            left -= looked
        if not block and (head := starts.get(at)):
            block = _gather(lines, at, starts, in_code=any(tags[at]))
        if block and head:
            remarks = _remarks(lines, at, block)
            yield _candidate_of(block, at - remarks, head, in_quote="quote" in tags[at] or at > below)
            at = block.next
        else:
            at += 1


def _starts(lines: list[str]) -> dict[int, re.Match[str]]:
    """Return a match for each line on which a letter begins, keyed by the number of the line. A match has two groups:
    `prefix` is the beginning of the line, and `head` is what follows."""
    found: dict[int, re.Match[str]] = {}
    floor = 0
    for at, line in enumerate(lines):
        if head := _HEAD.fullmatch(line):
            first = at if head["tags"] or at == floor else _first_key(lines, at, floor, head["prefix"])
            found[first] = _FIRST_LINE.match(lines[first]) or head
            floor = at + 1
    return found


def _first_key(lines: list[str], number: int, floor: int, prefix: str) -> int:
    """Return the number of the line on which a letter begins. `number` is the line with `pbem: 1`. Other keys and even
    the body may be above it, but not above the line `floor`."""
    seen = {"pbem"}
    for line in lines[number + 1 : number + 9]:
        key = _KEY_LINE.match(_without_prefix(line, prefix) or "")
        if key is None:
            break
        seen.add(key["name"].casefold())
    first = number
    for above in range(number - 1, floor - 1, -1):
        rest = _without_prefix(lines[above], prefix)
        if rest is None or (not rest and above + 1 == first):
            break
        key = _KEY_LINE.match(rest)
        if key and key["name"].casefold() not in seen:
            seen.add(key["name"].casefold())
            first = above
            if key["tags"]:
                break
        elif key or (rest and not rest.startswith((" ", "\u00a0", "- "))):
            break
    return first


def is_answered(lines: list[str], number: int) -> bool:
    """True if the head of an answered mail begins on the line `number`: a line with the sender, and a line with the
    date soon below. Outlook writes such heads."""
    return bool(_ANSWERED.match(lines[number])) and any(
        _SENT.match(line) for line in lines[number + 1 : number + 1 + _LINES_OF_HEAD]
    )


def _bracketed_letter(lines: list[str], start: int, head: re.Match[str]) -> tuple[_Block | None, int]:
    """Read the text in brackets that begins on the line `start`. Return its lines, or None if it is no letter. Also
    return the number of characters that were read."""
    block = _Block(head["prefix"], [], is_in_braces=True)
    size, depth, quote = 0, 0, ""
    for at in range(start, len(lines)):
        rest = lines[at][head.start("head") :] if at == start else _without_prefix(lines[at], block.prefix)
        size += len(lines[at]) + 1
        if rest is None or size > _MOST_IN_BRACES:
            break
        for step in _STEP.finditer(rest):
            sign = step.group()
            if quote or sign in "\"'":
                quote = "" if sign == quote else quote or (sign if _is_opening(step) else "")
                continue
            depth += {"{": 1, "}": -1}.get(sign, 0)
            if not depth:
                block.lines.append(rest[: step.end()])
                block.next = at + 1
                text = "\n".join(block.lines)
                block.is_signed = "BEGIN SSH SIGNATURE" in text
                return (block if _IN_BRACES.search(text) else None), size
        block.lines.append(rest)
    return None, size


def _is_opening(mark: re.Match[str]) -> bool:
    """True if the matched quotation mark opens a quotation. An apostrophe opens none."""
    return mark.group() == '"' or mark.string[: mark.start()].rstrip()[-1:] in ("", "{", "[", ",", ":")


def near_misses(text: str) -> Iterator[Fault]:
    """Yield a fault for each place where a letter seems to begin in the middle of a line. Sentences of earlier versions
    of the program, which an answer may quote, are left out."""
    for number, line in enumerate(text.split("\n"), 1):
        if (found := _NEAR.search(line)) and not _HEAD.fullmatch(line) and not _HINT.match(line):
            fault = wrong("E-TEXT-HEAD.dashes" if DRESSED_HEAD.fullmatch(line) else "E-TEXT-HEAD")
            yield Fault.at(number, found.start() + 1, fault)


def _tags(lines: list[str], starts: Container[int]) -> Iterator[tuple[str, ...]]:
    """Yield for each line the names of the forum tags that are open at the beginning of the line's text."""
    opened: list[str] = []
    for at, line in enumerate(lines):
        found = list(_TAG.finditer(line)) if "[" in line else []
        is_head = bool(found) and at in starts
        if not is_head:
            yield tuple(opened)
        for tag in found:
            name = tag[2].casefold()
            if not tag[1]:
                opened = [*opened, name][-20:]
            elif name in opened:
                del opened[len(opened) - 1 - opened[::-1].index(name) :]
        if is_head:
            yield tuple(opened)


def _gather(lines: list[str], start: int, starts: dict[int, re.Match[str]], *, in_code: bool) -> _Block:
    """Return the lines of the letter that begins on the line `start`. `starts` has all lines on which letters begin.
    `in_code` tells if the letter is in a block between tags of a forum, such as those for code."""
    head = starts[start]
    block = _Block(head["prefix"], [lines[start][head.start("head") :].rstrip(_MARKS)], next=start + 1)
    depth = 0
    for at in range(start + 1, len(lines)):
        block.next = at
        rest = _without_prefix(lines[at], block.prefix)
        if rest is None:
            if lines[at - 1].strip(_MARKS) or _seems_to_go_on(lines, at, block.prefix):
                block.stray = at
            return block
        is_stop = _STOP.match(rest) and not (block.below and _ENDED.match(rest))
        if is_stop or (at in starts and starts[at]["prefix"] == block.prefix):
            return block
        if not block.prefix and (_quotation_begins(lines, at) or (rest[:1].isalpha() and is_answered(lines, at))):
            block.is_above_quotation = True
            return block
        block.below = block.below or (at - start if not block.is_in_signature and _BEGUN.match(rest) else 0)
        block.is_in_signature |= rest.startswith("signature") or bool(block.below)
        end = _ENDED.search(rest) if block.is_in_signature else None
        closing, depth = _place_of_close(rest, depth) if in_code and not end else (-1, depth)
        block.next = at + 1
        if end or closing >= 0:
            block.is_signed = bool(end)
            block.lines.append(_blank_as_empty(rest[: end.end() if end else closing]))
            return block
        block.lines.append(rest)
    return block


def _remarks(lines: list[str], start: int, block: _Block) -> int:
    """Add the remarks directly above a letter to its block: the signature covers them too. Return the number of their
    lines."""
    above = 0
    while (
        block.below
        and start > above
        and (_without_prefix(lines[start - above - 1], block.prefix) or "").startswith("#")
    ):
        above += 1
        block.lines.insert(0, lines[start - above][len(block.prefix) :])
    block.below += above if block.below else 0
    return above


def _quotation_begins(lines: list[str], number: int) -> bool:
    """True if a quoted mail begins on line `number`, below an empty line. Words like `On … wrote:` may introduce it."""
    if lines[number - 1].strip() or not lines[number].strip():
        return False
    for above, line in enumerate(lines[number : number + 3]):
        if line.startswith(">"):
            return True
        if above == 2 or _AT_MARGIN.match(line):
            return False
        if line.rstrip().endswith(":"):
            behind = next((each for each in lines[number + above + 1 : number + above + 3] if each.strip()), "")
            return behind.startswith(">")
    return False


def _place_of_close(rest: str, depth: int) -> tuple[int, int]:
    """Find in `rest` the tag that closes the code block in which a letter is. `depth` is the number of blocks that the
    letter itself has opened so far. Return the column of the tag, and -1. If there is no such tag, return -1, and the
    number of blocks that the letter has open at the end of `rest`."""
    for tag in _TAG.finditer(rest):
        depth += -1 if tag[1] else 1
        if depth < 0:
            return tag.start(), depth
    return -1, depth


def _without_prefix(line: str, prefix: str) -> str | None:
    """Return a line without the prefix that all lines of its letter have. Return None if the prefix is missing. Return
    an empty text for a line of blanks, and in a quoted letter for a line of quotation marks."""
    if line.startswith(prefix):
        return _blank_as_empty(line[len(prefix) :])
    return None if line.strip(_MARKS if prefix else " \t\u00a0") else ""


def _blank_as_empty(line: str) -> str:
    return line if line.strip(" \t\u00a0") else ""


def _seems_to_go_on(lines: list[str], start: int, prefix: str) -> bool:
    """True if the interrupted letter seems to go on at the line `start` or below."""
    same = takewhile(lambda line: not _HEAD.fullmatch(line), lines[start:])
    return any(line.startswith(prefix) and line.strip(_MARKS) for line in same)


def _candidate_of(block: _Block, start: int, head: re.Match[str], *, in_quote: bool) -> Candidate:
    """Return a block of lines as a candidate, with its place, a fault for each damage, and notes on removed characters.
    `start` is the line on which the block begins, `head` the match of its first line."""
    block.lines = block.lines if block.prefix or block.is_signed else without_farewell(block.lines)
    while block.lines and not block.lines[-1]:
        block.lines.pop()
    text = "\n".join(block.lines) + "\n"
    faults = [] if block.is_in_braces else list(_damage(block, start))
    shift = 0 if block.stray >= 0 else len(block.prefix)
    return Candidate(
        text=text,
        line=start + 1,
        column=len(block.prefix) + 1,
        is_quoted=in_quote or ">" in block.prefix or "|" in block.prefix,
        is_signed=block.is_signed,
        notes=tuple(_notes(block)),
        faults=tuple(fault.with_offset(start, head.start("head") if fault.line == 1 else shift) for fault in faults),
    )


def _notes(block: _Block) -> Iterator[str]:
    if block.prefix.strip(" \t\u00a0"):
        yield f"the marks of quotation {block.prefix!r} before its lines were taken away"
    elif block.prefix:
        yield "the indentation of its lines was taken away"
    if block.is_above_quotation:
        yield f"it ends above the quotation on line {block.next + 1}"


def _damage(block: _Block, start: int) -> Iterator[Fault]:
    """Yield the faults of a damaged letter. Their line numbers are counted from the first line of the letter. If the
    whole indentation is lost, or a line does not have the letter's prefix, only this fault is yielded."""
    lines = block.lines
    if at := _unindented_line(lines):
        yield Fault.at(at + 1, 1, wrong("E-TEXT-INDENT", line=as_quoted(lines[at])))
        return
    if block.stray >= 0:
        hint = words("attach") if block.prefix.strip(_MARKS) else None
        told = wrong("E-TEXT-MIXED", hint=hint, prefix=repr(block.prefix), end=repr(f"{block.prefix}..."))
        yield Fault.at(block.stray - start + 1, 1, told)
        return
    yield from _stray_faults(lines[: block.below or len(lines)])
    if block.is_signed and not any(_TRUE_END in line for line in lines[-1:]):
        yield Fault.at(len(lines), 1, wrong("E-TEXT-ARMOR", end=_TRUE_END))
    elif block.is_in_signature and not block.is_signed and any(_BEGUN.search(line) for line in lines):
        yield Fault.at(len(lines), len(lines[-1]) + 1, wrong("E-TEXT-CUT"))


def _unindented_line(lines: list[str]) -> int:
    """Return the index of the first line that should be indented, if no line is indented any more. Else return 0."""
    if any(line.startswith((" ", "\u00a0", "\t")) for line in lines):
        return 0
    for at, (line, following) in enumerate(pairwise(lines), 1):
        if line.startswith("signature") and _BEGUN.match(following):
            return at
        if line.rstrip().casefold() == "body:" and following and not following.startswith((*_KEYS, "- ", "#")):
            return at
    return 0


def _stray_faults(lines: list[str]) -> Iterator[Fault]:
    """Yield a fault if there are lines that begin at the margin, but are neither keys nor items of a list. They may be
    the ends of lines that were broken. One fault stands for all of them, at the first of these lines."""
    strays = [
        number
        for number, line in enumerate(lines)
        if number and line and line[0] not in " \t\u00a0" and not _AT_MARGIN.match(line)
    ]
    if not strays:
        return
    first = strays[0]
    more = words("more-lines", count=len(strays) - 1) if len(strays) > 1 else ""
    code = "E-TEXT-WRAPPED" if len(lines[first - 1]) >= _LONG else "E-TEXT-STRAY"
    yield Fault.at(first + 1, 1, wrong(code, more=more))
