"""Judgement of an incoming mail. It has letters, or only words; it says that a mail of the office could not be
delivered; it is too large; or nothing is done with it."""

from __future__ import annotations

import email
import hashlib
import hmac
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from email.errors import MessageError

from msgspec import Struct

from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.letters.arrived import NO_LETTER, is_signed_with
from pbem.campaign.letters.letterbox import entry_of
from pbem.paper.documents.strict import Text
from pbem.paper.found import FoundLetter
from pbem.paper.letter_kinds import MODERATORS
from pbem.paper.letters import Letter
from pbem.post.boxes import is_answer_to
from pbem.post.envelope import Envelope, head_of
from pbem.post.extract import Extraction, extract
from pbem.post.mailbox import RawMessage
from pbem.post.outgoing import campaign_of_id

MOST_OF_BOUNCE = 256 * 1024
"""Number of bytes of a delivery report that are searched for the message-ids of mails that came back."""

NOT_TAKEN_APART = ("-SIZE", "-PARTS", "-HEADER", "-BROKEN")
"""Endings of the codes of faults with which a mail is not read, because it is too large or reading it would take too
long."""

KEY_CHANGE = "key-change"
"""Kind of letters that are taken only after a person has released them."""

_CAMPAIGN = re.compile(rb"(?m)^campaign:[ \t]*([a-z0-9-]{1,80})\s*$")

_MENTION = re.compile(r"campaign:[ \t]*([a-z0-9-]{1,80})")

_OUR_ID = re.compile(r"<pbem\.[A-Za-z0-9._+=/$-]{1,140}@[A-Za-z0-9.-]{1,90}>")


class IncomingMail(Struct, frozen=True):
    """Mail together with its judgement."""

    verdict: str
    """Judgement of the mail: `letter`; `words` if it has no letter and answers a mail of the office; `returned` if a
    mail of the office came back with it; `automatic` if a program has answered; `large`; `own` if the office itself has
    sent it; or `left` if nothing is done with it."""
    found: Extraction
    """Letters, text and files that were found in the mail."""
    campaigns: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    """Campaigns to which the mail belongs and whose folders are missing now."""
    ids: tuple[str, ...] = ()
    """Message-ids of the mails of the office that came back."""
    why: str = ""
    """Addresses that cannot be reached, separated by commas, if mails of the office came back."""
    is_answered: bool = False
    """True if the writer of a mail without a letter is told that nothing was entered."""
    unknown: str = ""
    """Campaign that a player's letter names and that this office does not serve; empty if there is none."""

    @property
    def changes_key(self) -> bool:
        """True if a letter in the mail changes the key of a seat. A person must release such a mail."""
        return any(each.letter and each.letter.kind == "key-change" for each in self.found.letters)


def mark_of(mail: bytes, key: str) -> str:
    """Return a digest by which the office recognizes a mail, even if the mail comes a second time another way. It is
    computed with the secret `key` from Message-ID, sender, date and body. If there is no Message-ID, it is computed
    from the whole mail. Different line endings make no difference."""
    whole = mail.replace(b"\r\n", b"\n")
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
) -> IncomingMail:
    """Judge a mail that came to an office with the campaigns `names`. `correspondents` has for each address the
    campaigns in which the office has written to it. `is_ours` is a function that returns true for a copy of a letter
    that the office itself has written."""
    found = extract(message.data, message.where)
    if found.envelope == Envelope() and any(fault.code.endswith(NOT_TAKEN_APART) for fault in found.faults):
        return large_judgement(message.data, names, correspondents)
    if found.envelope.is_automatic and not is_signed_by_player(found, names):
        return automatic_judgement(message.data, found)
    campaigns = campaigns_of(found, names, correspondents)
    if not campaigns:
        is_known = found.envelope.sender.casefold() in correspondents
        return IncomingMail("left", found, unknown=unknown_in(found, is_known=is_known))
    return IncomingMail("words" if is_mere_words(found, is_ours) else "letter", found, campaigns)


def is_unreadable(found: Extraction) -> bool:
    """True if no letter could be read in a mail, and the mail has something that could not be read."""
    has_fault = any(not each.is_warning and each.code not in NO_LETTER for each in found.faults)
    return not any(each.letter for each in found.letters) and (has_fault or bool(found.unread))


def is_mere_words(found: Extraction, is_ours: Callable[[FoundLetter], bool]) -> bool:
    """Return True if a mail has nothing but words. Letters of moderators, and copies of the office's own letters, count
    as words. If a part could not be read, the result is false."""
    mine = all(each.letter and (each.letter.kind in MODERATORS or is_ours(each)) for each in found.letters)
    return mine and not found.unread and all(fault.code in NO_LETTER for fault in found.faults)


def unknown_in(found: Extraction, *, is_known: bool) -> str:
    """Return the campaign that the first letter of a player in a mail names, or an empty text. If the office has never
    written to the sender (`is_known` is false), letters without signature are ignored. Signatures are not verified. The
    caller must have found that the mail belongs to no campaign of the office."""
    letters = [each.letter for each in found.letters if is_known or each.is_signed]
    return next((each.campaign for each in letters if each and each.kind not in MODERATORS), "")


def large_judgement(mail: bytes, names: Collection[str], correspondents: Mapping[str, Collection[str]]) -> IncomingMail:
    """Judge a mail that is too large to be read, by its head and by the campaigns that its lines name. The judgement is
    `large` if the mail may have a letter, so that a person looks at it. Otherwise it is `left`."""
    found = Extraction(head_of(mail))
    ours = [*correspondents.get(found.envelope.sender.casefold(), ())]
    ours += [name for name in names if is_answer_to(found, name)]
    ours += [name for each in _CAMPAIGN.findall(mail) if (name := each.decode()) in names]
    is_letter = bool(ours) and not found.envelope.is_automatic
    return IncomingMail("large" if is_letter else "left", found, tuple(dict.fromkeys(ours)))


def is_signed_by_player(found: Extraction, names: Collection[str]) -> bool:
    """Return True if a mail has a letter of a player for one of these campaigns, and the letter has a signature. The
    signature is not verified."""
    return any(
        each.is_signed and each.letter and each.letter.kind not in MODERATORS and each.claim.campaign in names
        for each in found.letters
    )


def campaigns_of(
    found: Extraction, names: Collection[str], correspondents: Mapping[str, Collection[str]]
) -> tuple[str, ...]:
    """Return the campaigns to which a mail belongs.

    If players' letters in the mail name campaigns, these are returned and no others. Otherwise return the campaigns
    that moderators' letters name, and the campaigns whose mails this mail answers. If there are none, but the mail may
    have orders, return campaigns in which the office has written to the sender."""
    theirs = correspondents.get(found.envelope.sender.casefold(), ())
    # A letter in a mail may name another campaign than that whose mail is answered. Then the letter counts.
    if players := claimed_campaigns(found, names, MODERATORS):
        return players
    ours = [*named_campaigns(found, names)]
    if not ours:
        ours += [name for name in theirs if is_answer_to(found, name)]
    if not ours and is_unreadable(found):
        # A mail that cannot be read often names no campaign at all.
        ours += mentioned_campaigns(found, theirs) or (theirs if len(theirs) == 1 else ())
    elif not ours and (found.unread or any(each.letter and not each.claim.campaign for each in found.letters)):
        ours += theirs
    return tuple(dict.fromkeys(ours))


def named_campaigns(found: Extraction, names: Collection[str]) -> tuple[str, ...]:
    """Return the campaigns that the letters in a mail name, and the campaigns whose mails it answers."""
    return tuple(
        dict.fromkeys(
            [*claimed_campaigns(found, names, MODERATORS), *claimed_campaigns(found, names), *threads_of(found, names)]
        )
    )


def mentioned_campaigns(found: Extraction, names: Collection[str]) -> list[str]:
    """Return those campaigns in `names` that the text of a mail mentions in the form `campaign: NAME`, as the head of a
    letter does."""
    # A calendar has its text in one long line, which is broken after 75 bytes.
    text = "\n".join([found.text, *(each.text for each in found.unread)]).replace("\n ", "").casefold()
    return [name for name in dict.fromkeys(_MENTION.findall(text)) if name in names]


def claimed_campaigns(found: Extraction, names: Collection[str], but: Collection[str] = ()) -> tuple[str, ...]:
    """Return those campaigns in `names` that the letters in a mail name. Letters of the kinds in `but` are ignored."""
    said = [each for each in (*found.letters, *found.unread) if not (each.letter and each.letter.kind in but)]
    return tuple(dict.fromkeys(name for each in said if (name := each.claim.campaign) in names))


def threads_of(found: Extraction, names: Collection[str]) -> tuple[str, ...]:
    """Return those campaigns in `names` whose mails are answered by this mail."""
    named = (campaign_of_id(each, names) for each in found.envelope.answers)
    return tuple(dict.fromkeys(filter(None, named)))


def automatic_judgement(mail: bytes, found: Extraction) -> IncomingMail:
    """Judge a mail that was sent by a program: `returned` if mails of the office came back with it, `automatic` if it
    only answers one, else `left`."""
    ids = tuple(dict.fromkeys(_OUR_ID.findall(mail[:MOST_OF_BOUNCE].decode("ascii", "replace"))))
    if not ids or found.envelope.message_id in ids:
        return IncomingMail("left", found)
    failed = failed_addresses(mail)
    return IncomingMail("returned" if failed else "automatic", found, ids=ids, why=", ".join(sorted(failed)))


def failed_addresses(delivery_report: bytes) -> set[str]:
    """Return the addresses that cannot be reached according to a delivery report, in small letters. For any other mail,
    return an empty set."""
    from flufl.bounce import scan_message  # This import loads all detectors of the library.

    try:
        found = scan_message(email.message_from_bytes(delivery_report[:MOST_OF_BOUNCE]))
    except (MessageError, ValueError, LookupError, TypeError, AttributeError):
        return set()
    return {each.decode("ascii", "replace").casefold() for each in found}


def may_be_genuine(letter: Letter, public: PublicState, coming: Iterable[Letter]) -> bool:
    """Return True if a letter may be from the seat that it names. It must be signed with the seat's key, or with a new
    key that another letter of the seat announces. The other letter is looked for in `coming`, and its signature is not
    checked. In a campaign in which players do not sign, every unsigned letter may be from its seat."""
    if not letter.signature:
        return public.settings.conduct.signing == "off"
    player = public.players.get(letter.sender)
    keys = {player.key} if player else set()
    for each in coming:
        key = entry_of(each.body, "key") if each.sender == letter.sender and each is not letter else None
        keys |= {key.value} if isinstance(key, Text) else set()
    return any(is_signed_with(letter, key) for key in keys)
