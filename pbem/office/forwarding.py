"""Mails without a letter. Their words are forwarded to the moderator, and their writers are told that nothing was
entered. There are limits for both in a day."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from sqlite3 import Row

from msgspec import Struct

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.faults.unforeseen import is_unforeseen, unforeseen_fault
from pbem.faults.wrong import words, wrong
from pbem.office.daily_limits import MOST_OF_SHARE
from pbem.office.doubts import NOTES, OFFICE, Doubts, mail_names
from pbem.office.fetching import ANSWER, ANSWERED_WORDS, WORDS
from pbem.office.queue import DAY
from pbem.office.store import OFFERED, REPLIED, SAID, STRANGE, WORDLESS, Store
from pbem.post.envelope import head_of
from pbem.post.extract import Extraction, extract
from pbem.post.outgoing import Correspondent, OutgoingMail, eml, message_id

MOST_ANSWERED = 3
"""Largest number of answers in a day to mails without a letter from one address. If more mails come, they are forged,
or nobody reads the answers."""

MANY = "W-OFFICE-MANY"
"""Code of the doubt that more words came in a day than may be forwarded."""

MOST_LINES = 200
"""Largest number of lines of one mail that are forwarded. The complete mail stays in the mailbox."""


LETTER_LIKE = re.compile(
    r"(?mi)^[\W_]*(?:pbem\b|(?:body|orders)\W*:|begin [a-z ]*(?:encrypted|message)|age-encryption)"
)
"""Pattern for a line that a letter, a sheet or a sealed text has, quoted or not."""


class Share(Struct, frozen=True):
    """Share of the mails that are forwarded in a day. Each seat and each stranger has a share of its own, so that
    nobody can use up the share of others."""

    rank: int
    """Rank of the mails in the queue: `REPLIED`, `SAID` or `STRANGE`."""
    of: str
    """Owner of the share: campaign and address of a seat, or the address of a stranger."""


def seat_share(campaign: str, address: str) -> str:
    return f"{campaign} {address}"


def share_of(store: Store, campaign: str, sender: str, answers: Iterable[str]) -> Share:
    """Return the share to which a mail without a letter belongs. It depends on the sender, and on the mails that it
    `answers`."""
    sender = sender.casefold()
    # A forged answer in a player's name must not use up the share for real answers of this player.
    query = "SELECT lower(address) AS address FROM mails WHERE id = ? AND campaign = ? AND rank IN (0, ?)"
    seats = [each["address"] for answered in answers for each in store.rows(query, answered, campaign, OFFERED)]
    if sender in seats:
        return Share(REPLIED, seat_share(campaign, sender))
    if is_played_at(store, sender):
        return Share(SAID, seat_share(campaign, sender))
    # The writer may be a player who uses another address, or somebody who has seen the player's mail.
    return Share(SAID, seat_share(campaign, seats[0])) if seats else Share(STRANGE, sender)


def forward(store: Store, doubts: Doubts, now: Callable[[], datetime], is_rivals: Callable[[str, str], bool]) -> None:
    """Queue a mail to the moderator for each mail without a letter, to forward its words. If the moderator plays
    against the writer, words that may be orders are hidden. The function `is_rivals` says whether this is so. If
    forwarding a mail fails, note a doubt, and try again in the next round."""
    query = "SELECT * FROM letters JOIN messages USING (mark) WHERE state IN (?, ?) ORDER BY number"
    rows = store.rows(query, WORDS, ANSWERED_WORDS)
    folder, settings = store.folder / NOTES, doubts.settings
    for row in rows:
        try:
            found = extract(row["data"], row["place"])
            share = share_of(store, row["campaign"], row["sender"], found.envelope.answers)
            name = message_id(settings.address.partition("@")[2], OFFICE, row["mark"])
            mail = mail_of(row, found, doubts, is_rivals, name)
        except Exception as error:
            if not is_unforeseen(error):
                raise
            sender, subject = mail_names(row["sender"], row["subject"])
            fault = unforeseen_fault(error, "E-OFFICE-BROKEN.mail", sender=sender, subject=subject)
            doubts.fail("", fault, f"words {row['mark']}")
            continue
        folder.mkdir(exist_ok=True, mode=0o700)
        path = folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.eml"
        write_whole(path, mail, mode=PRIVATE)
        with store.step():
            store.do(
                "INSERT OR IGNORE INTO mails (id, campaign, path, address, state, since, rank, share)"
                " VALUES (?, '', ?, ?, 'queued', ?, ?, ?)",
                *(name, str(path), settings.address, stamp(now()), share.rank, share.of),
            )
            if row["state"] == ANSWERED_WORDS:
                store.do("UPDATE letters SET state = ? WHERE number = ?", ANSWER, row["number"])
            else:
                store.do("UPDATE letters SET state = 'taken', data = NULL WHERE number = ?", row["number"])
    doubts.mend("", "words")
    doubt_many(store, doubts, now())


def doubt_many(store: Store, doubts: Doubts, now: datetime) -> None:
    """Note a doubt for each seat for which more words wait than may be forwarded in a day. End the earlier doubts of
    this kind about all other seats."""
    found: Counter[tuple[str, str]] = Counter()
    query = (
        "SELECT rank, share, count(*) AS number FROM mails WHERE state = 'queued' AND rank IN (?, ?) AND share != ''"
    )
    for row in store.rows(f"{query} GROUP BY rank, share", REPLIED, SAID):
        sent = "SELECT count(*) FROM mails WHERE share = ? AND rank = ? AND state = 'sent' AND since > ?"
        left = MOST_OF_SHARE[row["rank"]] - store.count(sent, row["share"], row["rank"], stamp(now - DAY))
        if (later := row["number"] - max(left, 0)) > 0:
            campaign, _, address = row["share"].partition(" ")
            found[campaign, address] += later
    for row in store.rows("SELECT campaign, about FROM doubts WHERE code = ?", MANY):
        if (row["campaign"], row["about"]) not in found:
            doubts.settle_one(row["campaign"], MANY, row["about"])
    for (campaign, address), number in found.items():
        doubts.note(campaign, wrong(MANY, address=address, number=number), address)


def rows_to_answer(store: Store, campaign: str, rows: Iterable[Row], now: datetime) -> list[Row]:
    """Return those of the `rows` whose mails without a letter get an answer: at most one for each address, and only for
    addresses of seats.

    A reply to a mail of the office gets an answer if its address has got fewer than `MOST_ANSWERED` answers within a
    day. Any other mail gets one only if its address has got none within a day. If more than `MOST_ANSWERED` replies
    came from an address within a day, no reply gets an answer. The same holds for its other mails."""
    kinds: dict[str, dict[int, list[Row]]] = {}
    for row in rows:
        sender = row["place"].casefold()
        share = share_of(store, campaign, sender, head_of(row["data"]).answers)
        if share.of == seat_share(campaign, sender):
            kinds.setdefault(sender, {}).setdefault(share.rank, []).append(row)
    found = []
    since = stamp(now - DAY)
    for sender, of_kind in kinds.items():
        told = """SELECT count(*) FROM mails WHERE campaign = ? AND lower(address) = ? AND rank = ?
          AND (state = 'queued' OR state IN ('sent', 'returned') AND since > ?)"""
        answered = store.count(told, campaign, sender, WORDLESS, since)
        said = "SELECT count(*) FROM mails WHERE share = ? AND rank = ? AND since > ?"
        for rank, most in ((REPLIED, MOST_ANSWERED), (SAID, 1)):
            mine = of_kind.get(rank, [])
            if (
                mine
                and answered < most
                and max(len(mine), store.count(said, seat_share(campaign, sender), rank, since)) <= MOST_ANSWERED
            ):
                found.append(mine[0])
                break
    return found


def may_have_orders(found: Extraction) -> bool:
    """Return True if a mail without a letter may have orders. It may if a line looks like one of a letter, or if a file
    could not be read."""
    has_file = any(fault.code == "W-MAIL-ATTACHMENT" for fault in found.faults)
    return bool(found.letters or found.unread or has_file or LETTER_LIKE.search(found.text))


def is_played_at(store: Store, address: str) -> bool:
    """Return True if the office has sent mails of a campaign to this address. Answers that anybody can cause do not
    count."""
    query = "SELECT 1 FROM mails WHERE lower(address) = ? AND campaign != '' AND rank = 0"
    return bool(store.rows(query, address.casefold()))


def mail_of(row: Row, found: Extraction, doubts: Doubts, is_rivals: Callable[[str, str], bool], name: str) -> bytes:
    """Return the mail that forwards a person's mail to the moderator. If the moderator replies, the reply goes to the
    person. `found` is the content of the person's mail, and `name` is the message-id of the new mail."""
    language, address = doubts.settings.language, doubts.settings.address
    sender, subject = mail_names(row["sender"], row["subject"])
    title = words("office-words", campaign=row["campaign"], sender=sender, subject=subject).text(language)
    lines = found.text.splitlines()[:MOST_LINES]
    is_answered = row["state"] == ANSWERED_WORDS and is_played_at(doubts.store, row["sender"])
    end = words("office-words-end.answered" if is_answered else "office-words-end").text(language)
    quoted = [f"> {line}" for line in lines]
    if may_have_orders(found) and is_rivals(row["campaign"], found.text):
        quoted = [words("office-words-hidden").text(language)]
    mail = OutgoingMail(
        sender=Correspondent(address, words("office-name").text(language)),
        to=Correspondent(address),
        reply_to=found.envelope.own_address,
        subject=title,
        date=doubts.now(),
        message_id=name,
        text="\n".join([title, "", *quoted, "", end]),
        answers=found.envelope.message_id,
        is_draft=True,
    )
    return eml(mail)
