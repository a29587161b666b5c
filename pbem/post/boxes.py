"""Boxes, which are texts sealed to a key. The module finds boxes in files and mails, and opens them. It also turns a
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
"""Pattern of a box. It also fits a box whose end is cut off, so that the damage is reported when the box is opened."""

_QUOTED = re.compile(r"^[> ]+", re.MULTILINE)


def boxes_in(content: bytes, source: str) -> list[tuple[str, str]]:
    """Return the boxes in a file or mail. Each box comes behind its name, which is the name of the sealed file, or
    empty if this is unknown."""
    if not source.endswith(".eml") and (content.startswith(b"-----BEGIN") or not is_mail(content)):
        return [("", box) for box in boxes_in_text(content.decode("utf-8", "replace"))]
    return sealed_files(content) or [
        ("", box) for part in take_apart(content).parts for box in boxes_in_text(part.text)
    ]


def boxes_in_text(text: str) -> list[str]:
    return _BOX.findall(_QUOTED.sub("", text))


def sealed_files(mail: bytes) -> list[tuple[str, str]]:
    """Return the boxes in the sealed files of a mail. Each box comes behind its name: the name of the sealed file,
    without `.age` and without unsafe characters."""
    found: list[tuple[str, str]] = []
    for name, content in files_in(mail, SEALED):
        bare = _UNSAFE.sub("-", name[: -len(SEALED)]).strip("-.")
        found += [(bare, box) for box in boxes_in_text(content.decode("ascii", "replace"))]
    return found


def only_boxes(content: bytes) -> list[str]:
    """Return the boxes in the sealed YAML files of a mail. If `content` is not a mail but begins with a box, return all
    its boxes. In all other cases, return an empty list."""
    if is_mail(content):
        return [box for name, box in sealed_files(content) if name.endswith(".yaml")]
    return [box for _, box in boxes_in(content, "")] if content.lstrip(b"> \r\n").startswith(_BEGIN.encode()) else []


def unsealed_content(box: str, key: PrivateKey) -> bytes:
    """Open a box, and return its content. If the content was padded, the padding is removed. Raises `BoxFault` if the
    key does not open the box."""
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
"""Pattern of the words with which a mail program introduces the lines that it quotes. They stand on one or two
lines."""


_FOOTER = re.compile(
    r"(?ms)^_{5,}[ \t]*\n.*|^(?:Sent (?:from|with|using) |Get Outlook |Von meinem |Gesendet (?:von|mit) "
    r"|Diese Nachricht wurde von |Enviado (?:desde|con) |Obt[e\u00e9]n Outlook |Inviato (?:da|con)|Ottieni Outlook )"
    r"[^\n]{0,120}$"
)
"""Pattern of texts that programs add at the end of a mail: advertisements of mail programs, and the end that a mailing
list adds."""

_MOST_OF_GREETING = 3
"""Largest number of words in a greeting, such as `Hi Max,`. A line with more words counts as a remark of the writer."""

_MOST_LINES_BESIDE = 200
"""Largest number of lines beside a letter that are searched for remarks of the writer."""


def own_words(text: str) -> str:
    """Return the text of a mail that the writer has written. Quoted and forwarded lines, the signature, and the ends
    that programs add are removed."""
    lines = plain_lines(text).split("\n")
    plain = "\n".join(lines[: next((at for at in range(len(lines)) if is_answered(lines, at)), len(lines))])
    for pattern in (_FORWARDED, _INTRODUCTION, _QUOTED_LINE, _SIGNATURE, _FOOTER):
        plain = pattern.sub("", plain)
    return plain.strip()


def has_words_beside(text: str, letters: Iterable[FoundLetter]) -> bool:
    """True if the writer of a mail has written something beside these letters. A greeting and the name of an attached
    file do not count."""
    lines_in_letters = [[" ".join(line.split()) for line in each.text.split("\n")] for each in letters]
    known = {line for lines in lines_in_letters for line in lines}
    lines = (" ".join(line.split()) for line in own_words(text).split("\n"))
    beside = [line for line in lines if line not in known and not line.startswith("#") and ".yaml" not in line]
    # All lines of a letter are joined for the comparison, because mail programs break lines in other places.
    whole = " ".join(" ".join(lines) for lines in lines_in_letters)
    return any(
        line not in whole and (line.endswith("?") or line.count(" ") >= _MOST_OF_GREETING)
        for line in beside[:_MOST_LINES_BESIDE]
    )


def arrival_of(message: RawMessage, campaign: str, sheets: SentSheets, found: Extraction | None = None) -> Arrival:
    """Return a mail as an `Arrival`, the form in which a campaign takes it. A letter is left out if it only quotes a
    sheet in `sheets`, and nothing is filled in. `found` is the content of the mail; if it is None, it is read from the
    mail."""
    found = found or extract(message.data, message.where)
    envelope, letters = found.envelope, tuple(each for each in found.letters if not sheets.has(each))
    has_nothing = not letters and not found.unread and all(each.message.key == "E-TEXT-NONE" for each in found.faults)
    is_quotation = has_nothing and not own_words(found.text)
    # Words beside a letter are only looked for in a mail that a person has written. A forum page also has the posts of
    # others, and a program adds words of its own.
    own = [each for each in letters if each.letter and not each.is_forwarded]
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
    """True if a mail answers a mail of the campaign, as its thread, its subject or a quoted line shows."""
    named = re.compile(rf"(?<![a-z0-9-]){re.escape(campaign)}(?![a-z0-9-])", re.IGNORECASE)
    envelope = found.envelope
    if any(is_of(campaign, each) for each in envelope.answers) or named.search(envelope.subject):
        return True
    return any(named.search(line) for line in _QUOTED_LINE.findall(found.text))
