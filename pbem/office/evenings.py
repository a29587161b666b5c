"""Evenings of a moderator's office: in each round, one for each campaign. Here ledger and clock are checked before the
evening, and answers are queued after it. The evening itself is held by `moderator/evening.py`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from sqlite3 import Row
from typing import NamedTuple

from msgspec import Struct, json, structs

from pbem.campaign import campaign as campaigns
from pbem.campaign.clock.clock import stamp
from pbem.campaign.clock.timing import CampaignTime
from pbem.campaign.disk.atomic import short_path
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.chain import Head, Ledger
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.replaying import first_of
from pbem.faults.unforeseen import unforeseen_fault
from pbem.faults.wrong import Wrong, wrong
from pbem.moderator.evening import (
    Agreement,
    Evening,
    LetterFailed,
    WaitingLetter,
    evening_of,
    has_work,
    lets_defaults_answer,
    reason_to_wait,
)
from pbem.office.checks import ClockChecks, LedgerMemory
from pbem.office.counter import Counter
from pbem.office.doubts import NOTICE, UNTOLD, mail_names
from pbem.office.fetching import ANSWER
from pbem.office.forwarding import is_played_at, rows_to_answer
from pbem.office.obsolete import drop_lost
from pbem.office.queue import LOST
from pbem.office.settings import OfficeSettings
from pbem.office.store import JOINED, REFUSED, WORDLESS, Store
from pbem.paper.documents.faults import Refused
from pbem.post.mailbox import RawMessage
from pbem.post.outbox import OFFICE

CLOCK, WAITS = "clock", "waits"
"""Subjects of doubts that end without a person as soon as their cause is gone, even if the campaign needs no
evening."""

FAULTS = "SELECT 1 FROM doubts WHERE campaign = ? AND about = '' AND (code GLOB 'E-*' OR code = 'W-LEDGER-CHANGED')"
"""SQL query for those doubts about a campaign that are checked again in each round, even if nobody has changed the
campaign."""

MOST_REFUSED = 2
"""Number of different letters of a player, refused one after the other, that leads to a doubt."""

NEXT_MAIL = "next mail"
"""Beginning of the key under which the store keeps `Evening.next_mail`. The campaign's name follows."""

AGAIN = "words again"
"""Subject of the notice about mails without a letter that were not answered."""

CORRECTION = "W-OFFICE-CORRECTION"
"""Code of the notice that the office waits for a corrected letter."""


class HeldEvening(NamedTuple):
    """Result of a campaign's evening, with the number of its last entry."""

    evening: Evening
    last_entry: int
    """Number of the campaign's last entry."""


class ServedCampaign(Struct, frozen=True):
    """Campaign that the office serves."""

    path: Path
    public: PublicState
    head: Head

    @property
    def asked(self) -> str:
        """Deadline and stage of the campaign, with a blank between them. The text is empty if there is no deadline."""
        stage = self.public.next.stage if self.public.next else ""
        return f"{self.public.deadline} {stage}" if self.public.deadline else ""


class EveningOffice(Counter):
    """Part of a moderator's office that holds evenings."""

    def __init__(self, settings: OfficeSettings, store: Store, now: Callable[[], datetime]) -> None:
        super().__init__(settings, store, now)
        self.clock = ClockChecks(store, now, lambda: self.clock_is_right)
        self.ledgers = LedgerMemory(store)

    is_time_shown = True
    """False if this round cannot show the time, because the clock was doubted at a deadline (`pause_doubt`)."""

    vouched_for = ""
    """Campaign whose ledger lacks entries that the office knows, although a person says that the ledger is right."""

    def check_ledger(self, name: str, served: ServedCampaign) -> None:
        """Raise `Refused` if a campaign's ledger lacks the last entry that the office knows. If a person says that the
        ledger is right, accept the loss instead. Then letters may be taken again, and mails about the lost entries are
        dropped."""
        fault = self.ledgers.contradiction(name, open_folder(served.path), served.head)
        if fault and name != self.vouched_for:
            self.queue.unsound.add(name)
            raise Refused("ledger", [fault])
        self.queue.unsound.discard(name)
        if fault:
            self.forget_mails(name)
            if number := drop_lost(self.queue, name, served.path, served.head):
                self.doubts.notice(name, wrong("W-OFFICE-LOST", number=number), LOST)
            with self.store.step():
                # Corrections of letters that were lost are not awaited any more.
                self.store.note(f"awaited {name}", "{}")
            self.ledgers.learn(name, served.path, served.head)

    def meet(self, name: str, served: ServedCampaign) -> None:
        """If a campaign is new to this office, store it and queue the mails in its outbox. If it was founded before the
        office began, these mails must first be released by a person. If the campaign is known and a forum is new in the
        settings, queue the posts for the forum."""
        if self.store.rows("SELECT 1 FROM campaigns WHERE name = ?", name):
            if self.queue.is_new_forum(name):
                self.queue.take_outbox(name, served.path / "outbox", "queued")
            return
        self.claim_outbox(served)
        first, _ = first_of(open_folder(served.path))
        is_young = stamp(first.time) >= self.store.fact("begun")
        self.queue.take_outbox(name, served.path / "outbox", "queued" if is_young else "held")
        with self.store.step():
            self.store.do("INSERT INTO campaigns VALUES (?, ?, 0)", name, str(served.path))

    def evening(self, name: str, served: ServedCampaign) -> Evening | None:
        """Hold the evening of a campaign in this round: take letters, carry out orders, write mails. Return the result.
        Return None if there is nothing to do, or if the clock is in doubt."""
        rows = self.letters_to_take(name, served)
        time, agreed = CampaignTime(served.public, self.now()), self.agreement(name)
        doubt = self.clock.campaign_doubt(name, served.public.time)
        is_asked = lets_defaults_answer(time, agreed) or self.clock.is_silent(name)
        if not doubt and is_asked and (doubt := self.clock.pause_doubt(served.public)):
            self.is_time_shown = False
        if not doubt:
            self.doubts.settle(name, about=CLOCK)
        # If a campaign was silent for long and nobody needs anything, this is no reason to doubt the clock.
        needs_nobody = not rows and (doubt or self.is_unchanged(name, served)) and not has_work(time, agreed)
        if needs_nobody and not self.clock.is_behind(name, served.public.time):
            self.tell_wait(name, reason_to_wait(time, agreed))
            return None
        if doubt:
            self.doubts.note(name, doubt, CLOCK)
            # With a wrong clock it is unknown what the campaign waits for.
            self.tell_wait(name, None)
            return None
        evening, entry = self.hold_with_sound_letters(name, served, rows)
        self.doubts.mend(name, "letter")
        self.tell_wait(name, evening.waits)
        self.conclude(name, served, evening, entry)
        return evening

    def letters_to_take(self, name: str, served: ServedCampaign) -> list[Row]:
        """Return the rows of waiting letters, and of those mails without a letter that get an answer. Other mails
        without a letter are dropped. In a closed campaign all letters and mails are dropped, and a doubt gives the
        number of letters."""
        rows = self.waiting_for(name)
        if served.public.phase != "closed" or not rows:
            words_only = [row for row in rows if row["state"] == ANSWER]
            answered = {row["number"] for row in rows_to_answer(self.store, name, words_only, self.now())}
            unanswered = [row for row in words_only if row["number"] not in answered]
            if again := sum(is_played_at(self.store, row["place"]) for row in unanswered):
                self.doubts.notice(name, wrong("W-OFFICE-AGAIN", count=again), AGAIN)
            self.set_state(unanswered, "taken")
            return [row for row in rows if row["state"] != ANSWER or row["number"] in answered]
        if letters := [row for row in rows if row["state"] != ANSWER]:
            self.doubts.note(name, wrong("W-OFFICE-CLOSED", number=len(letters)), "closed")
        self.set_state(rows, "taken")
        return []

    def is_unchanged(self, name: str, served: ServedCampaign) -> bool:
        """True if nobody has changed a campaign since its last evening, and none of its doubts must be checked in each
        round (`FAULTS`)."""
        known = self.store.rows("SELECT entry FROM campaigns WHERE name = ?", name)
        is_known = bool(known) and known[0]["entry"] == served.head.number and not self.was_changed(name, served)
        # Only an evening can find out whether the cause of such a doubt is still there.
        return is_known and not self.store.rows(FAULTS, name)

    def hold_with_sound_letters(self, name: str, served: ServedCampaign, rows: list[Row]) -> HeldEvening:
        """Hold the evening of a campaign, and return its result. If a letter causes an unforeseen error, note a doubt,
        and hold the evening again without this letter."""
        while True:
            try:
                return self.hold_evening(name, served, rows)
            except LetterFailed as failed:
                # The failed evening may have left some work half done. As after a kill, the next command that opens the
                # campaign finishes it.
                row = rows.pop(failed.number)
                people = self.store.rows("SELECT sender, subject FROM messages WHERE mark = ?", row["mark"])
                sender, subject = mail_names(*(people[0] if people else ("", "")))
                fault = unforeseen_fault(
                    failed.error, "E-OFFICE-BROKEN.letter", sender=sender, subject=subject, number=row["number"]
                )
                self.doubts.fail(name, fault, f"letter {row['number']}")

    def tell_wait(self, name: str, why: Wrong | None) -> None:
        """Note the reason why a campaign waits. It replaces the earlier reason. If `why` is None, the earlier reason is
        only forgotten. If the campaign waits for a corrected letter, a notice is noted, and for any other reason a
        doubt."""
        self.doubts.settle(name, {why.code} if why else (), WAITS)
        if why:
            self.doubts.note(name, why, WAITS, NOTICE if why.code == CORRECTION else UNTOLD)

    def agreement(self, name: str) -> Agreement:
        """Return the permissions that the office has in a campaign, and what it stored at the campaign's last
        evening."""
        numbers, awaited = (
            json.decode(self.store.fact(f"{fact} {name}") or "{}", type=dict[str, int])
            for fact in ("numbers", "awaited")
        )
        next_mail = self.store.fact(f"{NEXT_MAIL} {name}")
        return Agreement(self.settings.policy(name), self.settings.pictures, numbers, awaited, next_mail)

    def hold_evening(self, name: str, served: ServedCampaign, rows: list[Row]) -> HeldEvening:
        """Hold an evening with these letters, and return its result. Raises `LetterFailed` if a letter causes an
        unforeseen error."""
        letters = [
            WaitingLetter(
                RawMessage(row["data"], row["place"]), self.texts.get(row["mark"]), is_words=row["state"] == ANSWER
            )
            for row in rows
        ]
        agreed = structs.replace(self.agreement(name), was_changed=self.was_changed(name, served))
        with campaigns.opened_by_moderator(served.path, self.key, "pbem mail", self.now()) as campaign:
            campaign.clock_is_right = self.clock_is_right
            campaign.language = self.settings.language
            evening = evening_of(campaign, letters, agreed, lambda done: self.note_taken(served, rows, done))
            return HeldEvening(evening, campaign.vault.entry)

    def note_taken(self, served: ServedCampaign, rows: list[Row], done: Evening) -> None:
        """Store that letters were taken, and queue the answers to them. Receipts that a joint mail replaces are
        dropped."""
        folder, name = served.path / "outbox", served.public.settings.campaign
        with self.store.step():
            # The receipts that are replaced must come first, because a mail that the queue knows is not queued again.
            for path in done.replaced:
                self.queue.enter(name, folder / path.parent.name / path.name, "dropped", JOINED)
            for path in done.unsigned:
                mail = folder / path.parent.name / path.name
                if path in done.copies:
                    self.queue.enter_copy(name, mail)
                elif path in done.strangers:
                    self.queue.enter_once(name, mail)
                else:
                    self.queue.enter(name, mail, "queued", WORDLESS if path in done.wordless else REFUSED)
                self.queue.note_asked(mail, served.asked)
            for path in done.joint:
                self.queue.enter(name, folder / path.parent.name / path.name, "queued")
            self.store.note(f"awaited {name}", json.encode(done.awaited).decode())
        self.set_state(rows, "taken")

    def conclude(self, name: str, served: ServedCampaign, evening: Evening, entry: int) -> None:
        """Note the doubts and notices of an evening, and store everything that the next evening needs. `entry` is the
        last entry of the ledger after the evening."""
        for fault in evening.doubts:
            self.doubts.note(name, fault)
        codes = {fault.code for fault in evening.doubts}
        self.note_refused(name, evening)
        self.note_unproved(name, evening, is_signed=served.public.settings.conduct.signing != "off")
        for player, notices in evening.notices.items():
            for notice in notices:
                self.doubts.notice(name, notice, player)
        self.doubts.settle(name, codes)
        self.queue.forget_former(name, evening.addresses)
        with self.store.step():
            self.store.note(f"numbers {name}", json.encode(evening.numbers).decode())
            self.store.note(f"vault {name}", changed_at(served))
            self.store.note(f"{NEXT_MAIL} {name}", evening.next_mail)
        self.ledgers.learn(
            name, served.path, Head(entry, Ledger(open_folder(served.path).ledger, name).read(entry).hash)
        )

    def note_refused(self, name: str, evening: Evening) -> None:
        """Note a doubt about each player who has at least `MOST_REFUSED` refused letters since his last taken letter.
        If no letter of a player was refused in this evening, end the doubt about him."""
        for player, refused in evening.turned.items():
            fact = f"refused letters {name} {player}"
            # The same letter may come in two mails, one sent by hand and one by the player's office.
            is_taken = player in {seat for seat, _ in evening.taken}
            earlier = set() if is_taken else {*(self.store.fact(fact) or "").split()}
            found = refused | earlier if refused else set()
            with self.store.step():
                self.store.note(fact, " ".join(sorted(found)))
            if len(found) >= MOST_REFUSED:
                self.doubts.note(name, wrong("W-OFFICE-REFUSED", player=player), player)
            elif not refused:
                self.doubts.settle(name, about=player)

    def note_unproved(self, name: str, evening: Evening, *, is_signed: bool) -> None:
        """Count the refused letters in each player's name that anybody may have written. When their number reaches
        `MOST_REFUSED`, note a doubt about the player. `is_signed` is true if the players of the campaign sign their
        letters."""
        for player, unproved in evening.unproved.items():
            fact = f"unproved {name} {player}"
            before = int(self.store.fact(fact) or 0)
            with self.store.step():
                self.store.note(fact, str(before + unproved))
            # The doubt is noted only once, because anybody can write such letters every day.
            if before < MOST_REFUSED <= before + unproved:
                key = "W-OFFICE-REFUSED.unproved" if is_signed else "W-OFFICE-REFUSED.unsigned"
                self.doubts.note(name, wrong(key, player=player), player)

    def was_changed(self, name: str, served: ServedCampaign) -> bool:
        """Return True if a campaign's secret file has been changed since the last evening."""
        # Addresses are stored in this file, so only its change can show a new address.
        return self.store.fact(f"vault {name}") != changed_at(served)

    def claim_outbox(self, served: ServedCampaign) -> None:
        """Store in the campaign's folder that this office sends its mails. Raises `Refused` if another office has done
        so before."""
        path, name = served.path / "outbox" / OFFICE, self.store.fact("office")
        try:
            with path.open("x") as file:
                file.write(name)
        except FileNotFoundError:
            path.parent.mkdir()
            self.claim_outbox(served)
        except FileExistsError:
            if path.read_text() != name:
                raise Refused(
                    str(path), [wrong("E-OFFICE-OTHER", file=f"{served.path.name}/{short_path(path)}")]
                ) from None


def changed_at(served: ServedCampaign) -> str:
    """Return the time when a campaign's secret file was last changed, in nanoseconds, as text."""
    return str(open_folder(served.path).secret.stat().st_mtime_ns)
