"""Everything is accounted for: every mail, every letter, every event that was to be told; and both verifiers agree."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256

from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.atomic import TEMPORARY
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import as_texts, record_in
from pbem.campaign.ledger.records import (
    AdjudicationRecord,
    JoinRecord,
    KeyChangeRecord,
    LetterRecord,
    Record,
    RefusedRecord,
    ReminderRecord,
    RollbackRecord,
)
from pbem.campaign.news import draws_counted
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import bare
from pbem.paper.letters import letter_id, read_letter
from tests.campaign.simulated import NAME
from tests.endurance.counting import fifths, typical
from tests.endurance.mail import Mail
from tests.endurance.year import Year
from tests.protocol import second


def check_all(year: Year) -> None:
    """Nothing is lost, and nothing is there that nobody sent."""
    assert verify(year.table.root).findings == []
    assert second.verify(year.table.root) == []
    with year.table.open() as campaign:
        check_mails(year, campaign)
        check_letters(year, campaign)
        assert campaign.state.draws == draws_counted(campaign), "the draws that were kept are not those of the ledger"
    check_events(year)
    check_messages(year)
    check_files(year)
    check_reminders(year)


def records(year: Year) -> list[tuple[int, Record]]:
    """Records of the ledger."""
    return [(entry.number, record_in(entry)) for entry in Ledger(year.table.root / "ledger", NAME).entries()]


def check_mails(year: Year, campaign: Campaign) -> None:
    """Of every mail with a letter the bytes are kept, and it is taken or refused by an entry, and answered."""
    letters = [mail for mail in year.postman.delivered if mail.manner != "no_letter"]
    digests = {sha256(mail.data).hexdigest() for mail in letters}
    kept = {campaign.state.keyed_fingerprint(digest.encode()) for digest in digests}
    assert {path.stem for path in (year.table.root / "raw").iterdir()} == kept
    for mail in letters:
        entry = entry_of(mail, campaign)
        assert entry, f"{mail.manner} of {mail.player} was neither taken nor refused"
        names = {path.name for path in (year.table.root / "outbox" / f"{entry:04d}").iterdir()}
        wanted = {f"{who}-receipt-{entry:04d}.{kind}" for who in (mail.player, "unknown") for kind in ("txt", "eml")}
        assert len(names & wanted) == 2, f"{mail.manner} of {mail.player} (entry {entry}) was not answered"
    marks = [record.mark for _, record in records(year) if isinstance(record, RefusedRecord)]
    assert len(marks) == len(set(marks))
    assert set(marks) <= kept | {mark for mail in letters for mark in refusal_marks(mail, campaign)}


def entry_of(mail: Mail, campaign: Campaign) -> int:
    """The entry that tells what became of a mail."""
    turned = campaign.public.turned
    return mail.entry_in(campaign) or max(turned.get(mark, 0) for mark in refusal_marks(mail, campaign))


def refusal_marks(mail: Mail, campaign: Campaign) -> set[str]:
    """Marks by which a refusal names a mail, or the letter in it where somebody else has signed it."""
    contents = {sha256(mail.data).hexdigest()}
    with suppress(Refused):
        contents.add(letter_id(read_letter(mail.text.encode(), "letter")))
    return {campaign.state.keyed_fingerprint(content.encode()) for content in contents}


def check_letters(year: Year, campaign: Campaign) -> None:
    """Every entry of a letter is of one that was sent, once; and all but messages are published at the close."""
    said = [record for _, record in records(year)]
    marks = Counter(
        record.mark
        for record in said
        if isinstance(record, LetterRecord | JoinRecord | KeyChangeRecord) and record.mark
    )
    sent = {mark_of(text, campaign) for text in [*year.acted, *taken_texts(year, campaign)]}
    assert set(marks.values()) == {1}
    assert set(marks) == sent
    opened = json.loads((year.table.root / "opened.json").read_bytes())["letters"]
    wanted = {str(n): r for n, r in records(year) if isinstance(r, LetterRecord) and r.kind != "message"}
    assert set(opened) == set(wanted)
    for number, record in wanted.items():
        assert mark_of(opened[number]["text"], campaign) == record.mark


def mark_of(text: str, campaign: Campaign) -> str:
    """Mark of a letter in the ledger."""
    return campaign.state.keyed_fingerprint(letter_id(read_letter(text.encode(), "letter")).encode())


def taken_texts(year: Year, campaign: Campaign) -> Iterator[str]:
    """The letters that were taken."""
    return (mail.text for mail in year.postman.delivered if mail.entry_in(campaign))


def check_events(year: Year) -> None:
    """Observers are told everything that everybody may know, in order and once, but for what was turned back first."""
    expected: list[object] = []
    fresh: list[tuple[int, object]] = []
    for number, record in records(year):
        if isinstance(record, AdjudicationRecord):
            fresh += [(number, event) for event in record.events]
        elif isinstance(record, RollbackRecord):
            fresh = [(entry, event) for entry, event in fresh if entry <= record.to]
        if number in year.told:
            expected += [event for _, event in fresh]
            fresh = []
    assert not fresh
    assert [as_texts(event) for each in year.told.values() for event in each[OBSERVER].news.events] == expected


def check_messages(year: Year) -> None:
    """Every message is told to those it is for, once, and to nobody else."""
    expected: Counter[tuple[str, str]] = Counter()
    for mail in year.postman.sent:
        if mail.manner == "message":
            body = bare(read_letter(mail.text.encode(), "letter").body)
            assert isinstance(body, dict)
            to, text = str(body["to"]), str(body["text"])
            readers = [*year.table.players, MODERATOR] if to == "all" else [to]
            expected.update((reader, text) for reader in readers if reader != mail.player)
    found = Counter(
        (reader, message.text)
        for told_then in year.told.values()
        for reader, briefings in told_then.items()
        for message in briefings.news.messages
        if (message.to != "all" or reader != OBSERVER)
    )
    assert found == expected


def check_files(year: Year) -> None:
    """Every report lies in the outbox, and no killed command has left anything behind."""
    for number, readers in year.told.items():
        names = {path.name for path in (year.table.root / "outbox" / f"{number:04d}").iterdir()}
        assert {f"{reader}.txt" for reader in readers} <= names
        assert {f"{seat}.eml" for seat in year.table.players} <= names
    assert [path for path in year.table.root.rglob("*") if TEMPORARY.fullmatch(path.name)] == []


def check_reminders(year: Year) -> None:
    """Check that everybody reminded by an entry was written to before: under one of the last entries before it."""
    for number, record in records(year):
        if isinstance(record, ReminderRecord):
            folders = [year.table.root / "outbox" / f"{number - back:04d}" for back in (1, 2, 3)]
            for player in record.players:
                assert any((folder / f"{player}-reminder.eml").exists() for folder in folders), (number, player)


def check_cost(year: Year) -> None:
    """A command does no more work late in a year than early; `secret.age` grows by some bytes with each letter."""
    for command in ("accept", "adjudicate", "post"):
        first, last = fifths([work for work in year.runner.works if work.command == command])
        assert typical(last, "opened") <= 2 * typical(first, "opened") + 10, command
        assert typical(last, "read") <= 4 * typical(first, "read") + 100_000, command
        assert typical(last, "listed") <= 2 * typical(first, "listed") + 10, command


def history(year: Year) -> list[tuple[str, str, object]]:
    """Events of a run, without values that are new in every run: keys, salts, and their hashes."""
    ledger = Ledger(year.table.root / "ledger", NAME)
    return [(entry.kind, entry.time.isoformat(), settled(entry.body)) for entry in ledger.entries()]


CHANCE = ("key", "moderator", "mark", "letter", "opened")


def settled(body: object) -> object:
    """The body of an entry without what is new in every run."""
    if isinstance(body, dict):
        return {
            key: sorted(value) if key == "slots" else settled(value) for key, value in body.items() if key not in CHANCE
        }
    return [settled(item) for item in body] if isinstance(body, list) else body
