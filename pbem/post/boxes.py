"""Boxes, which are texts sealed to a key: finding them in files and mails, and opening them. The module also turns a
mail into an `Arrival`, the form in which a campaign takes it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.campaign.letters.arrived import Arrival
from pbem.faults.wrong import wrong
from pbem.paper.found import FoundLetter
from pbem.post.extract import Extraction, extract
from pbem.post.finding import is_answered, plain_lines
from pbem.post.mailbox import RawMessage
from pbem.post.mime import files_in, is_mail, take_apart
from pbem.post.outgoing import is_of
from pbem.post.sheets import SentSheets
from pbem.seal.box import unpad, unseal
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey

SEALED = ".age"
"""Suffix of the names of sealed files."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_BEGIN = "-----BEGIN AGE ENCRYPTED FILE-----"
_BOX = re.compile(_BEGIN + r"\s[^-]+(?:-----END AGE ENCRYPTED FILE-----)?")
"""Pattern of a box. A box that was cut off matches, too, so that the damage is reported on opening."""

_QUOTED = re.compile(r"^[> ]+", re.MULTILINE)


def boxes_in(content: bytes, source: str) -> list[tuple[str, str]]:
    """Return the boxes in a file or mail as pairs of a name and a box. The name is that of the sealed file; it is empty
    if unknown."""
    if not source.endswith(".eml") and (content.startswith(b"-----BEGIN") or not is_mail(content)):
        return [("", box) for box in boxes_in_text(content.decode("utf-8", "replace"))]
    return sealed_files(content) or [
        ("", box) for part in take_apart(content).parts for box in boxes_in_text(part.text)
    ]


def boxes_in_text(text: str) -> list[str]:
    return _BOX.findall(_QUOTED.sub("", text))


def sealed_files(mail: bytes) -> list[tuple[str, str]]:
    """Return the boxes in the sealed files of a mail as pairs of a name and a box. The name is that of the sealed file,
    without `.age` and unsafe characters."""
    found: list[tuple[str, str]] = []
    for name, content in files_in(mail, SEALED):
        bare = _UNSAFE.sub("-", name[: -len(SEALED)]).strip("-.")
        found += [(bare, box) for box in boxes_in_text(content.decode("ascii", "replace"))]
    return found


def only_boxes(content: bytes) -> list[str]:
    """Return the boxes in the sealed YAML files of a mail. If `content` is no mail but begins with a box, return all
    its boxes. Return none from any other content."""
    if is_mail(content):
        return [box for name, box in sealed_files(content) if name.endswith(".yaml")]
    return [box for _, box in boxes_in(content, "")] if content.lstrip(b"> \r\n").startswith(_BEGIN.encode()) else []


def unsealed_content(box: str, key: PrivateKey) -> bytes:
    """Open a box, and return its content without padding, if any. Raises `BoxFault` if the key does not open the
    box."""
    plain = unseal(key, box + "\n")
    try:
        return unpad(plain)
    except BoxFault:
        return plain


_QUOTED_LINE = re.compile(r"(?m)^[ \t]*[>|].*$")
_FORWARDED = re.compile(
    r"(?ms)^[ \t]*(?:-{3,12} ?\w[^\n-]{0,60}-{3,12}|Begin forwarded message:|Anfang der weitergeleiteten Nachricht:"
    r"|Inizio messaggio inoltrato:|Inicio del mensaje reenviado:)[ \t]*$.*"
)
_SIGNATURE = re.compile(r"(?ms)^-- ?$.*")
_INTRODUCTION = re.compile(
    r"(?m)^(?:(?:On|Am|Il|El)\b[^\n]{0,200}\n)?"
    r"[^\n]{0,200}\b(?:wrote|schrieb[^\n:]{0,100}|ha scritto|escribi\u00f3) ?:[ \t]*$"
)
"""Pattern of the words, on one or two lines, by which a mail program introduces the lines that it quotes."""


_FOOTER = re.compile(
    r"(?ms)^_{5,}[ \t]*\n.*|^(?:Sent (?:from|with|using) |Get Outlook |Von meinem |Gesendet (?:von|mit) "
    r"|Diese Nachricht wurde von |Enviado (?:desde|con) |Obt[e\u00e9]n Outlook |Inviato (?:da|con)|Ottieni Outlook )"
    r"[^\n]{0,120}$"
)
"""Pattern of what programs add below a mail: their advertisement, and the end of a mailing list's mail."""

_MOST_OF_GREETING = 3
"""Largest number of words on a line that counts as a greeting beside a letter, such as `Hi Max,`."""

_MOST_LINES_BESIDE = 200
"""Largest number of lines beside a letter that are looked at."""


def own_words(text: str) -> str:
    """Return a mail's text without quoted or forwarded lines, the signature, and the footers of programs."""
    lines = plain_lines(text).split("\n")
    plain = "\n".join(lines[: next((at for at in range(len(lines)) if is_answered(lines, at)), len(lines))])
    for pattern in (_FORWARDED, _INTRODUCTION, _QUOTED_LINE, _SIGNATURE, _FOOTER):
        plain = pattern.sub("", plain)
    return plain.strip()


def has_words_beside(text: str, letters: Iterable[FoundLetter]) -> bool:
    """True if a mail's text has words of its writer beside these letters, other than a greeting and the name of an
    attached file."""
    lines_in_letters = [[" ".join(line.split()) for line in each.text.split("\n")] for each in letters]
    known = {line for lines in lines_in_letters for line in lines}
    lines = (" ".join(line.split()) for line in own_words(text).split("\n"))
    beside = [line for line in lines if line not in known and not line.startswith("#") and ".yaml" not in line]
    # Mail programs break the lines of a letter.
    whole = " ".join(" ".join(lines) for lines in lines_in_letters)
    return any(
        line not in whole and (line.endswith("?") or line.count(" ") >= _MOST_OF_GREETING)
        for line in beside[:_MOST_LINES_BESIDE]
    )


def arrival_of(message: RawMessage, campaign: str, sheets: SentSheets, found: Extraction | None = None) -> Arrival:
    """Return a mail as an `Arrival`, the form in which a campaign takes it. If a letter is only a quoted sheet of
    `sheets` with nothing filled in, it is left out. `found` is the content of the mail, if the caller has read it
    already."""
    found = found or extract(message.data, message.where)
    envelope, letters = found.envelope, tuple(each for each in found.letters if not sheets.has(each))
    has_nothing = not letters and not found.unread and all(each.message.key == "E-TEXT-NONE" for each in found.faults)
    is_quotation = has_nothing and not own_words(found.text)
    # A page has other posts beside a letter, and a program's mail its own words.
    own = [each for each in letters if each.letter and not (each.is_quoted or each.is_forwarded)]
    is_written = bool(own and envelope.message_id) and not envelope.is_automatic
    beside = [wrong("W-MAIL-WORDS")] if is_written and has_words_beside(found.text, found.letters) else []
    return Arrival(
        where=message.where,
        data=message.data,
        letters=letters,
        has_sheet=len(letters) < len(found.letters),
        unread=found.unread,
        faults=(wrong("E-TEXT-NONE.quoted"),) if is_quotation else (*found.faults, *beside),
        sender=envelope.own_address,
        message_id=envelope.message_id,
        answers=is_answer_to(found, campaign),
        is_automatic=envelope.is_automatic,
    )


def is_answer_to(found: Extraction, campaign: str) -> bool:
    """True if a mail answers a mail of the campaign, by its thread, its subject or a quoted line."""
    named = re.compile(rf"(?<![a-z0-9-]){re.escape(campaign)}(?![a-z0-9-])", re.IGNORECASE)
    envelope = found.envelope
    if any(is_of(campaign, each) for each in envelope.answers) or named.search(envelope.subject):
        return True
    return any(named.search(line) for line in _QUOTED_LINE.findall(found.text))
