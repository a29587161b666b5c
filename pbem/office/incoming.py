"""Meaning of a message for an office: a letter of its campaigns, a returned mail of its own, or nothing."""

from __future__ import annotations

import email
import hashlib
import hmac
import re
from collections.abc import Callable, Collection, Mapping
from email.errors import MessageError
from pathlib import Path

from msgspec import Struct

from pbem.paper.found import FoundLetter
from pbem.paper.letters import MODERATORS
from pbem.post.boxes import answers
from pbem.post.extract import Extraction, extract
from pbem.post.mailbox import RawMessage
from pbem.post.mime import Envelope, head_of
from pbem.post.outgoing import campaign_of_id

MOST_OF_BOUNCE = 256 * 1024
"""In so much of a report of delivery it is looked for what came back."""

NOT_TAKEN_APART = ("-SIZE", "-PARTS", "-HEADER", "-BROKEN")
"""Endings of codes of mails that are not read, because they are too large or would take too long."""

SHEETS = ("orders.yaml", "plan.yaml")
"""Names of files in an outbox that players fill in."""

LAST = 3
"""With so many of them a quoted one is compared."""

NO_LETTER = ("E-TEXT-NONE", "E-TEXT-EMPTY")
"""The codes that tell that there is no letter, and nothing else."""

_CAMPAIGN = re.compile(rb"(?m)^campaign:[ \t]*([a-z0-9-]{1,80})\s*$")

_OUR_ID = re.compile(r"<pbem\.[A-Za-z0-9._+=/$-]{1,140}@[A-Za-z0-9.-]{1,90}>")


class Incoming(Struct, frozen=True):
    """A message, and what it is to the office."""

    verdict: str
    """`letter`, `words` (it answers a mail of ours, and there is no letter in it), `returned`, `automatic` (it answers
    a mail of ours, by a program), `large`, `own` (a mail of ours), `left`."""
    found: Extraction
    campaigns: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    """Those of them whose folders are not there now."""
    ids: tuple[str, ...] = ()
    """The mails of ours that came back."""
    why: str = ""
    unknown: str = ""
    """The campaign for which a player has signed a letter, if it is none of this office."""

    @property
    def brings_key(self) -> bool:
        """Return whether a letter names a new key, which a person has to decide on."""
        return any(each.letter and each.letter.kind == "key-change" for each in self.found.letters)


def mark_of(data: bytes, key: str) -> str:
    """Return the mark by which a message is known again, also if it comes on another way or with other postmarks."""
    whole = data.replace(b"\r\n", b"\n")
    head, _, body = whole.partition(b"\n\n")
    names = re.findall(rb"(?im)^(?:message-id|from|date)[ \t]*:.*(?:\n[ \t].*)*", head)
    has_name = any(name.lower().startswith(b"message-id") for name in names)
    content = b"\n".join([*sorted(names), b"", body]) if has_name else whole
    return hmac.new(bytes.fromhex(key), content, hashlib.sha256).hexdigest()


def incoming_of(
    message: RawMessage,
    names: Collection[str],
    correspondents: Mapping[str, Collection[str]],
    is_ours: Callable[[FoundLetter], bool] = lambda found: False,
) -> Incoming:
    """Judgement of a message; `correspondents` has the campaigns of people by address."""
    found = extract(message.data, message.where)
    if found.envelope == Envelope() and any(fault.code.endswith(NOT_TAKEN_APART) for fault in found.faults):
        return too_large(message.data, names, correspondents)
    if found.envelope.is_automatic and not is_signed_by_player(found, names):
        return automatic(message.data, found)
    campaigns = campaigns_of(found, names, correspondents)
    if not campaigns:
        return Incoming("left", found, unknown=unknown_in(found))
    return Incoming("words" if is_mere_words(found, is_ours) else "letter", found, campaigns)


def is_unreadable(found: Extraction) -> bool:
    """Return whether no letter was found in a message, because something in it cannot be read."""
    return not found.letters and any(not each.is_warning and each.code not in NO_LETTER for each in found.faults)


def is_mere_words(found: Extraction, is_ours: Callable[[FoundLetter], bool]) -> bool:
    """Return whether a message holds only letters of ours, and nothing unreadable."""
    mine = all(each.letter and (each.letter.kind in MODERATORS or is_ours(each)) for each in found.letters)
    return mine and not found.unread and all(fault.code in NO_LETTER for fault in found.faults)


def is_sheet(found: FoundLetter, outbox: Path) -> bool:
    """Return whether a quoted or forwarded letter is an unchanged sheet, as answers bring them back."""
    if not (found.is_quoted or found.is_forwarded) or not found.letter:
        return False
    sheets = [path for name in SHEETS for path in sorted(outbox.glob(f"*/{found.claim.sender}.{name}"))[-LAST:]]
    sent = (each for path in sheets for each in extract(path.read_bytes(), path.name).letters)
    return any(found.identity == each.identity for each in sent)


def unknown_in(found: Extraction) -> str:
    """The campaign for which a player has signed a letter, as the letter names it."""
    signed = [each for each in found.letters if each.is_signed and each.letter]
    return next((each.claim.campaign for each in signed if each.letter and each.letter.kind not in MODERATORS), "")


def too_large(data: bytes, names: Collection[str], correspondents: Mapping[str, Collection[str]]) -> Incoming:
    """Judgement of a mail of which only the head is read; if it may be a letter, a person decides."""
    found = Extraction(head_of(data))
    ours = [*correspondents.get(found.envelope.sender.casefold(), ())]
    ours += [name for name in names if answers(found, name)]
    ours += [name for each in _CAMPAIGN.findall(data) if (name := each.decode()) in names]
    is_letter = bool(ours) and not found.envelope.is_automatic
    return Incoming("large" if is_letter else "left", found, tuple(dict.fromkeys(ours)))


def is_signed_by_player(found: Extraction, names: Collection[str]) -> bool:
    """Return whether there is a signed letter of a player; programs that answer by themselves send none."""
    return any(
        each.is_signed and each.letter and each.letter.kind not in MODERATORS and each.claim.campaign in names
        for each in found.letters
    )


def campaigns_of(
    found: Extraction, names: Collection[str], correspondents: Mapping[str, Collection[str]]
) -> tuple[str, ...]:
    """The campaigns that a message is for: what its letters claim, what it answers, or where its sender plays."""
    theirs = correspondents.get(found.envelope.sender.casefold(), ())
    # What a letter says of itself counts more than the thread in which it stands.
    if players := claimed_campaigns(found, names, MODERATORS):
        return players
    ours = [*named_campaigns(found, names)]
    if not ours:
        ours += [name for name in theirs if answers(found, name)]
    looks_like_one = found.unread or any(each.letter and not each.claim.campaign for each in found.letters)
    # Where nothing can be read, nothing tells of which campaign it is.
    if not ours and (looks_like_one or (is_unreadable(found) and len(theirs) == 1)):
        ours += theirs
    return tuple(dict.fromkeys(ours))


def named_campaigns(found: Extraction, names: Collection[str]) -> tuple[str, ...]:
    """The campaigns that a message names: in its letters, or by the mails that it answers."""
    return tuple(
        dict.fromkeys(
            [*claimed_campaigns(found, names, MODERATORS), *claimed_campaigns(found, names), *threads_of(found, names)]
        )
    )


def claimed_campaigns(found: Extraction, names: Collection[str], but: Collection[str] = ()) -> tuple[str, ...]:
    """Return the campaigns, out of `names`, that a message's letters claim to be for; letters of the kinds in `but`
    do not count."""
    said = [each for each in (*found.letters, *found.unread) if not (each.letter and each.letter.kind in but)]
    return tuple(dict.fromkeys(name for each in said if (name := each.claim.campaign) in names))


def threads_of(found: Extraction, names: Collection[str]) -> tuple[str, ...]:
    """The campaigns whose mails a message answers."""
    named = (campaign_of_id(each, names) for each in found.envelope.answers)
    return tuple(dict.fromkeys(filter(None, named)))


def automatic(data: bytes, found: Extraction) -> Incoming:
    """Mail that a program wrote: of ours that came back, an answer to one of ours, or nothing to us."""
    ids = tuple(dict.fromkeys(_OUR_ID.findall(data[:MOST_OF_BOUNCE].decode("ascii", "replace"))))
    if not ids or found.envelope.message_id in ids:
        return Incoming("left", found)
    failed = failures(data)
    return Incoming("returned" if failed else "automatic", found, ids=ids, why=", ".join(sorted(failed)))


def failures(data: bytes) -> set[str]:
    """The addresses that a report of delivery says cannot be reached."""
    from flufl.bounce import scan_message  # loads all its detectors

    try:
        found = scan_message(email.message_from_bytes(data[:MOST_OF_BOUNCE]))
    except (MessageError, ValueError, LookupError, TypeError, AttributeError):
        return set()
    return {each.decode("ascii", "replace").casefold() for each in found}
