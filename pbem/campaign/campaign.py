"""A campaign in its folder: opened, changed by one entry at a time, and written so that a crash loses nothing.

Every change is first an entry of the ledger. The moderator's vault and the public state follow from the ledger. If a
command is killed before it has written them, the next command writes them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import msgspec

from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.disk.atomic import DISK, PRIVATE, Disk, read_whole, write_whole
from pbem.campaign.disk.folder import LARGEST_FILE, Folder, hold_folder, open_folder, outbox_ahead, store_raw
from pbem.campaign.disk.vault import FormerAddress, Intent, json_value, lock_up, unlock
from pbem.campaign.founding import check_files, opener_of, rules_of, unagreed_files
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.chain import Head, Ledger, note_register, state_text
from pbem.campaign.ledger.entries import Entry, as_texts, check_entry, record_in
from pbem.campaign.ledger.proposals import bot_for_resigned, outcome_of, proposal_due, seat_given
from pbem.campaign.ledger.public_state import PublicState, newest_promise
from pbem.campaign.ledger.replaying import replay
from pbem.campaign.ledger.seats import by_seats_drawn, common_language, newcomer_in, person_in
from pbem.campaign.letters.judging import completed_agreement
from pbem.campaign.letters.letterbox import HeldLetter, false_parts
from pbem.campaign.play.bot_keys import bot_key
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import Snapshot
from pbem.campaign.proof.opened_letters import opened_data
from pbem.campaign.settings import MODERATOR, NOBODY, OBSERVER, Newcomer, Settings
from pbem.faults.wrong import ENGLISH, PbemError, Wrong, wrong
from pbem.paper.documents.faults import Refused
from pbem.seal.box import pad, seal, unpad, unseal
from pbem.seal.faults import SealFault
from pbem.seal.keys import PrivateKey, PublicKey

LONGEST_SILENCE = timedelta(days=40)
"""Longest time between two entries. If more time has passed, the moderator must confirm the clock."""

LETTER_OF_MASKED = 3000
"""Smallest number of bytes to which stored letters are padded, if players are masked."""

MESSAGE_OF_MASKED = 16_000
"""Smallest number of bytes to which received messages are padded, if players are masked. Their heads are longer with
some providers and mail programs than with others."""


class Campaign:
    """A campaign, opened by its moderator for one command."""

    def __init__(self, folder: Folder, key: PrivateKey, now: datetime, disk: Disk = DISK) -> None:
        """Open the folder, and complete the work of a killed command. The caller must hold the folder's lock. Raises
        `SealFault` if `key` is not the moderator's key, and `Refused` if a file of rules has changed or was not agreed
        on."""
        self.folder = folder
        self.key = key
        self.now = now.replace(microsecond=0)
        self.disk = disk
        self.vault = unlock(read_whole(folder.secret, LARGEST_FILE), key)
        self.ledger = Ledger(folder.ledger, self.vault.kept.public.settings.campaign)
        settings = self.vault.kept.public.settings
        # The files are checked before the rules are read from them.
        check_files(folder, self.vault.kept.public.files)
        if faults := list(unagreed_files(folder, settings, self.vault.kept.public.files)):
            raise Refused("ledger", faults)
        self.rules = rules_of(folder, settings, self.vault.kept.public.protocol)
        self.state = self.state_from(self.vault.kept)
        self.language = ""
        """Language of the moderator's own reports; empty if the command knows none."""
        self.clock_is_right = False
        """True if the moderator vouches for the time of this computer."""
        self.command = ""
        """Fingerprint of the command line; empty for a command that may be carried out twice."""
        self.found: list[Entry] = []
        """Entries that an earlier run of the same command wrote before it was killed."""
        self.left_out: list[Wrong] = []
        """Faults of files that could not be written for one reader, while the files of the others were written."""
        self.warnings: list[tuple[str, Wrong]] = []
        """Warnings to the moderator, each with the name of a file or an empty name."""
        check_moderator(self.state.public, key)
        self.catch_up()

    @property
    def public(self) -> PublicState:
        return self.state.public

    @property
    def settings(self) -> Settings:
        return self.state.public.settings

    def state_from(self, snapshot: Snapshot) -> SecretState:
        state = SecretState(snapshot, self.rules, self.held_letter, opener_of(self.folder, snapshot.public.settings))
        state.people = self.vault.people
        return state

    def person(self, seat: str) -> Newcomer:
        """Return name and language of the person who has a seat or is invited to it."""
        return person_in(self.public, self.vault.people, seat)

    def language_of(self, reader: str) -> str:
        """Return the language of the reports to a seat or the moderator. Reports for everybody (`OBSERVER`, or an empty
        text) are in the language that all people share, or else in English."""
        if reader == MODERATOR:
            return self.language or ENGLISH
        return common_language(self.public) if reader in ("", OBSERVER) else self.person(reader).language or ENGLISH

    def seat_at(self, address: str) -> str:
        """Return the seat with this mail address, or an empty text for an unknown address."""
        known = {at.casefold(): seat for seat, at in self.vault.addresses.items() if seat in self.settings.seats}
        return known.get(address.casefold(), "")

    def held_letter(self, entry: int) -> HeldLetter:
        """Return the letter that this entry accepted. Raises `StorageFault` or `BoxFault` for a damaged file. Raises
        `Refused` if the file holds another letter, or if its opened parts do not fit the letter's commitments."""
        data = read_whole(self.folder.letter(entry), LARGEST_FILE)
        plain = unpad(unseal(self.key, data.decode("ascii", "replace")))
        held = json_value(plain, HeldLetter, f"letters/{self.folder.letter(entry).name}", "E-LETTER-OTHER.damaged")
        # The program trusts none of its own files (docs/protocol.md, Archive).
        if self.public.letters.get(self.state.mark(held.letter)) != entry or list(
            false_parts(held, self.ledger.campaign)
        ):
            name = self.folder.letter(entry).name
            raise Refused(f"letters/{name}", [wrong("E-LETTER-OTHER")])
        return held

    def open_box(self, box: str) -> bytes:
        """Return the content of a box sealed to the moderator. Raises `SealFault` if the moderator's key does not open
        the box."""
        return unpad(unseal(self.key, box))

    def catch_up(self) -> None:
        """Complete the work of a killed command: carry out the entries that the vault lacks, and write the other files.
        Raises `Refused` if the ledger does not continue from the vault's last entry, and `SealFault` for an entry not
        signed by the moderator."""
        found = self.ledger.entries(max(self.vault.entry, 1))
        known = next(found, None) if self.vault.entry else None
        if self.vault.entry and not known:
            raise Refused("ledger", [wrong("E-LEDGER-SHORT", entry=self.ledger.head.number)])
        if known and known.hash != self.vault.hash:
            raise Refused("ledger", [wrong("E-LEDGER-OTHER", entry=self.vault.entry)])
        behind = list(found)
        before = self.vault.hash
        for entry in behind:
            check_entry(entry, self.key.public)
            if entry.before != before:
                raise Refused("ledger", [wrong("E-LEDGER-CHAIN.elsewhere", entry=entry.number)])
            self.carry_out(entry)
            before = entry.hash
        self.ledger.newest = behind[-1] if behind else known
        if self.finish_agreement() or self.carry_out_proposals() or behind or not self.folder.state.exists():
            self.write()
        # The close was entered, but its command was killed before it wrote the file that the entry announces.
        if self.public.phase == "closed" and not self.folder.opened.exists():
            self.publish()

    def finish_agreement(self) -> bool:
        """Enter an agreement that all parties have signed, if it has no entry because a command was killed. Return True
        if an agreement was entered."""
        if done := self.agreement_due():
            self.append(done)
        return done is not None

    def carry_out_proposals(self) -> bool:
        """Enter the outcome of a carried proposal, and return True. Return False if there is none, if the game does not
        run, or if the clock is behind the last entry."""
        due = proposal_due(self.public)
        if due is None or self.public.phase != "running" or stamp(self.now) < self.public.time:
            return False
        bot = bot_for_resigned(self.settings)
        seat = seat_given(due)
        key = bot_key(self.state, seat, bot).public.text if bot and seat else ""
        self.append(outcome_of(self.public, due, key))
        return True

    def agreement_due(self) -> r.AgreementRecord | None:
        """Return the agreement that all parties have signed and that has no entry yet. Return None if there is no such
        agreement, or if its newest letter cannot be read. Also return None if `check_clock` refuses the time, or if the
        campaign is closed."""
        number = newest_promise(self.public)
        if not number or self.public.phase == "closed":
            return None
        try:
            letter, held = record_in(self.ledger.read(number)), self.held_letter(number)
            assert isinstance(letter, r.LetterRecord)
            self.check_clock()
        except PbemError:
            # An unreadable letter is reported where it is needed. A refused time may be right in the next command.
            return None
        return completed_agreement(self.state, letter, held)

    def intend(self, command: str) -> None:
        """Note that the command with this command line runs. Call this before the command changes anything. First enter
        an agreement that has no entry because a command was killed. If an earlier run of the same command was killed,
        put the entries that it wrote into `found`."""
        if self.finish_agreement():
            self.write()
        self.command = self.state.keyed_fingerprint(command.encode())
        intent = self.vault.intent
        if intent and intent.command == self.command:
            self.found = list(self.ledger.entries(intent.entry + 1))

    def entry_done(self, kind: str) -> int:
        """Return the number of the entry of this kind that this command wrote in an earlier run, before it was killed.
        Return 0 if there is none."""
        return next((entry.number for entry in self.found if entry.kind == kind), 0)

    def publish(self) -> None:
        """Write the file of opened letters. The entry of the close has the hash of this file."""
        write_whole(self.folder.opened, opened_data(self.ledger, self.held_letter), self.disk)

    def carry_out(self, entry: Entry) -> None:
        """Carry out an entry on the secret state and the vault. Entries that give seats also change the offers,
        addresses and names in the vault."""
        record = record_in(entry)
        time = stamp(entry.time)
        if isinstance(record, r.JoinRecord | r.SubstituteRecord):
            # The offer is removed together with the entry, so that no killed command can give the seat twice. Those who
            # asked for the seat must still be answered.
            offer = self.vault.offers.pop(record.player, None)
            self.vault.answers += offer.ended(record.key, entry.number) if offer else []
        if isinstance(record, r.SubstituteRecord):
            self.give_seat(record, entry.number)
        if r.goes_back(record):
            self.state.turn_back(entry.number, time, record, self.snapshot_at(record.to), entry.hash)
        else:
            self.state.take(entry.number, time, record, entry.hash)
        if isinstance(record, r.JoinRecord) and self.settings.is_masked and not self.settings.seats[record.player].bot:
            invited, letter = self.vault.people.get(record.player, NOBODY), self.held_letter(entry.number).letter
            self.vault.people[record.player] = newcomer_in(letter, invited)
        if isinstance(record, r.AdjudicationRecord):
            self.vault.addresses = by_seats_drawn(self.vault.addresses, record.drawn)
            self.vault.people = self.state.people = by_seats_drawn(self.vault.people, record.drawn)
        self.vault.entry, self.vault.hash = entry.number, entry.hash

    def give_seat(self, record: r.SubstituteRecord, entry: int) -> None:
        """Store the address of a seat's new player. The running command has noted this address in `vault.intent`. If
        the former player knew of the seat, the old address is kept, so that a mail can tell the former player of the
        change. Call this only once for an entry."""
        # For a bot the intent does not count: a vote may give it a seat while a command gives another seat to a person.
        seat, intent = record.player, (self.vault.intent if not record.bot else None) or Intent("", 0)
        before, held = self.vault.addresses.get(seat, ""), self.public.players.get(seat)
        # In a second call for the same entry, `before` would be the new address.
        if before and held and self.knows_of_seat(seat, held.since):
            language = self.person(seat).language
            self.vault.former.append(FormerAddress(seat, before, intent.address, entry, True, held.key, language))
        self.vault.addresses[seat] = intent.address
        if self.settings.is_masked and not record.bot:
            # Not the former player's language: it would tell the new player something about the former.
            language = intent.language or self.settings.seats[seat].language
            self.vault.people[seat] = Newcomer(intent.name, language)
        elif record.bot:
            self.vault.people.pop(seat, None)

    def knows_of_seat(self, seat: str, since: int) -> bool:
        """True if the player who got a seat by the entry `since` knows of it: the player has joined by letter, or has
        got a report since then."""
        return self.vault.told_to(seat).public.entry >= since or self.ledger.read(since).kind == "join"

    def snapshot_at(self, number: int) -> Snapshot:
        """Return the state after the last adjudication or rollback up to this entry, by playing the campaign again.
        Raises `Refused` if there was no adjudication yet."""
        if not 1 <= number <= self.vault.entry:
            raise Refused("rollback", [wrong("E-ROLLBACK-ENTRY", entry=number, last=self.vault.entry)])
        entries = islice(self.ledger.entries(), number)
        moments = [
            played.state.snapshot()
            for played in replay(entries, self.state_from, self.state.secret)
            if isinstance(played.record, r.AdjudicationRecord) or r.goes_back(played.record)
        ]
        if not moments:
            raise Refused("rollback", [wrong("E-ROLLBACK-START", entry=number)])
        return moments[-1]

    def add(self, record: r.Record, held: HeldLetter | None = None, who: Newcomer = NOBODY) -> Entry:
        """Add an entry to the ledger, carry it out, and return it. First check the clock and enter carried proposals,
        unless the entry corrects the clock. `held` is the letter that the entry accepts. `who` is the person to whom
        the entry gives a seat."""
        if not isinstance(record, r.ClockRecord):
            self.check_clock()
            self.carry_out_proposals()
        self.note_intent(who)
        if held is not None:
            number = self.vault.entry + 1
            data = msgspec.json.encode(held)
            if self.settings.is_masked:
                # A letter that takes a seat is short: its length would tell something about the name in it.
                data = data.ljust(LETTER_OF_MASKED)
            sealed = seal([self.key.public], pad(data)).encode()
            # Not `write_new`: a command that was killed before its entry may have left a letter under this number.
            write_whole(self.folder.letter(number), sealed, self.disk)
        return self.append(record)

    def append(self, record: r.Record) -> Entry:
        """Sign an entry, add it to the ledger, carry it out, and return it, without a check of the clock. Then enter
        carried proposals. Raises `Refused` if the campaign was handed over, or if a text in the entry has a character
        that cannot be written."""
        if self.vault.handed:
            raise Refused(self.settings.campaign, [handed_over(self)])
        try:
            entry = self.ledger.append(r.NAMES[type(record)], as_texts(record), self.now, self.key, self.disk)
        except ValueError as error:
            kind = r.NAMES[type(record)]
            raise Refused(kind, [wrong("E-TEXT-CHARACTER", why=str(error))]) from None
        self.carry_out(entry)
        self.carry_out_proposals()
        return entry

    def check_clock(self) -> None:
        """Raise `Refused` if the present time is before the last entry. Also raise it if more than `LONGEST_SILENCE`
        has passed since that entry, unless the moderator has confirmed the clock (`clock_is_right`)."""
        last = parse_moment(self.public.time)
        now, then = (f"{each:%Y-%m-%d %H:%M}" for each in (self.now.astimezone(UTC), last))
        source = f"entry {self.public.entry + 1}"
        if self.now < last:
            raise Refused(source, [wrong("E-LEDGER-TIME.repair", now=now, then=then)])
        if self.now - last > LONGEST_SILENCE and not self.clock_is_right:
            raise Refused(source, [wrong("E-CLOCK-AHEAD", now=now, days=(self.now - last).days, then=then)])

    def note_intent(self, who: Newcomer) -> None:
        """Write into the vault which command runs (`intend`), and `who`, the person to whom it gives a seat. If an
        earlier run of the same command has left a note, that note stays unchanged. If there is neither a command nor a
        person, remove the old note."""
        noted = self.vault.intent
        if not (self.command and noted and noted.command == self.command):
            noting = bool(self.command) or who != NOBODY
            intent = Intent(self.command, self.vault.entry, who.address, who.name, who.language)
            self.vault.intent = intent if noting else None
        if self.vault.intent != noted:
            self.write_vault()

    def keep_raw(self, received: bytes) -> str:
        """Seal received bytes, store them, and return the SHA-256 of the plain bytes."""
        digest = hashlib.sha256(received).hexdigest()
        if self.settings.is_masked:
            received = received.ljust(MESSAGE_OF_MASKED)
        sealed = seal([self.key.public], pad(received)).encode()
        # Not named by the plain SHA-256, from which the content of short letters could be guessed.
        store_raw(self.folder, sealed, self.state.keyed_fingerprint(digest.encode()), self.disk)
        return digest

    def save(self) -> None:
        """End a command: write all files, and clear the vault's note of the running command."""
        self.vault.intent = None
        self.write()

    def write(self) -> None:
        """Write the public state, the register and the vault as they follow from the ledger."""
        head = Head(self.vault.entry, self.vault.hash)
        write_whole(self.folder.state, state_text(self.public, head).encode(), self.disk)
        note_register(self.folder, self.public, head)
        # The vault comes last: while it lacks an entry, the next command writes all three files again.
        self.write_vault()

    def write_vault(self) -> None:
        self.vault.kept = self.state.snapshot()
        write_whole(self.folder.secret, lock_up(self.vault, self.key), self.disk, PRIVATE)


def check_moderator(public: PublicState, key: PrivateKey) -> None:
    if PublicKey.parse(public.moderator).blob != key.public.blob:
        theirs = PublicKey.parse(public.moderator).fingerprint
        raise SealFault(wrong("E-KEY-OTHER.campaign", theirs=theirs, ours=key.public.fingerprint))


def handed_over(campaign: Campaign) -> Wrong:
    """Return the fault for a command that adds an entry to a campaign that was handed over."""
    return wrong("E-HAND-OVER.done", key=PublicKey.parse(campaign.vault.handed).fingerprint)


@contextmanager
def opened_by_moderator(
    root: Path, key: PrivateKey, command: str, now: datetime, disk: Disk = DISK
) -> Iterator[Campaign]:
    """Open a campaign for one command, and hold its lock until the command ends. Raises `Refused` if the outbox has
    letters of entries that the ledger lacks."""
    folder = open_folder(root)
    with hold_folder(folder, command, now, disk):
        campaign = Campaign(folder, key, now, disk)
        # Refused, not only warned of: a second history that has gone out to the players cannot be taken back.
        if ahead := outbox_ahead(folder, campaign.vault.entry):
            raise Refused("outbox", [ahead])
        yield campaign
