"""Office of a moderator: a mailbox and a folder of campaigns, served in rounds that may be killed at any step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from pathlib import Path
from sqlite3 import Row

from msgspec import Struct, field, json, structs

from pbem.campaign import campaign as campaigns
from pbem.campaign.clock.clock import stamp
from pbem.campaign.clock.timing import CampaignTime
from pbem.campaign.disk.atomic import short_path
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.chain import Head, Ledger
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.replaying import first_of
from pbem.faults.wrong import Wrong, unforeseen_fault, words, wrong
from pbem.moderator.evening import Agreement, Evening, LetterFailed, WaitingLetter, evening_of, has_work, reason_to_wait
from pbem.moderator.public_view import public_state_of
from pbem.office.carriers import NotNow, QueuedMail
from pbem.office.clock_checks import ClockChecks
from pbem.office.counter import Counter, Round
from pbem.office.doubts import BROKEN, NOTICE, UNTOLD, forward, mail_names
from pbem.office.fetching import (
    ANSWER,
    LONGEST_PAUSE,
    SEEN,
    WORDS,
    FetchCounts,
    correspondents,
)
from pbem.office.incoming import KEY_CHANGE, IncomingMail, brings_key, incoming_of, may_be_genuine
from pbem.office.ledger_memory import LedgerMemory
from pbem.office.notifying import NOT_TAKEN, DueLine, kept_targets, seat_lines
from pbem.office.settings import ME, OfficeSettings, user_path
from pbem.office.shared_folder import Reader, ReaderOf, reader_of_mail
from pbem.office.store import JOINED, REFUSED, Store
from pbem.office.strays import IncomingNotices
from pbem.paper.documents.faults import Refused
from pbem.paper.found import FoundLetter
from pbem.post.extract import extract
from pbem.post.mailbox import RawMessage
from pbem.post.outbox import OFFICE
from pbem.post.sheets import SentSheets

SETTINGS = "campaign.yaml"

FOLDERS, CLOCK, POLICY, WAITS = "folders", "clock", "policies", "waits"
"""Subjects of doubts that the office ends by itself when their cause is gone, even in a campaign without an evening."""

FOLDER_AWAY = "E-OFFICE-FOLDER.away"
"""Wording of the doubt that the folder of all campaigns is missing."""

FAULTS = "SELECT 1 FROM doubts WHERE campaign = ? AND about = '' AND (code GLOB 'E-*' OR code = 'W-LEDGER-CHANGED')"
"""Doubts whose cause is looked for again in each round, although nobody has changed the campaign."""

MOST_REFUSED = 2
"""Number of different refused letters of a player, one after the other, at which a doubt is noted."""


NEXT_MAIL = "next mail"
"""First word of the names under which the store keeps `Evening.next_mail`."""

CORRECTION = "W-OFFICE-CORRECTION"
"""Code of the notice that the office waits for a letter that replaces a refused one."""


class ServedCampaign(Struct, frozen=True):
    """Campaign that the office serves: its folder, its public state, and the head of its ledger."""

    path: Path
    public: PublicState
    head: Head


class OfficeRound(Round):
    """Result of one round of a moderator's office, with the result of each campaign's evening."""

    evenings: dict[str, Evening] = field(default_factory=dict)

    @property
    def is_worth_telling(self) -> bool:
        return bool(self.evenings) or super().is_worth_telling


class Office(Counter):
    """Office of a moderator, for one campaign, or for all campaigns in a folder."""

    def __init__(self, settings: OfficeSettings, store: Store, now: Callable[[], datetime]) -> None:
        super().__init__(settings, store, now)
        self.notices = IncomingNotices(store, self.doubts)
        self.clock = ClockChecks(store, now, lambda: self.clock_is_right)
        self.ledgers = LedgerMemory(store)

    ledger_is_right = False
    """True if a person vouches for the ledgers as they lie, although the office knows later entries."""

    def names(self) -> list[str]:
        return list(self.served_campaigns())

    def served_campaigns(self) -> dict[str, ServedCampaign]:
        """Return the campaigns by name. Two folders with the same campaign are left out, and a doubt is noted. Raises
        `Refused` if the office's folder is missing."""
        root = user_path(self.settings.campaigns)
        if not root.is_dir():
            self.doubts.note("", wrong(FOLDER_AWAY, folder=str(root)), FOLDERS)
            raise Refused(str(root), [wrong("E-OFFICE-FOLDER")])
        self.doubts.settle("", about=FOLDERS)
        paths = [root] if (root / SETTINGS).exists() else sorted(path.parent for path in root.glob(f"*/{SETTINGS}"))
        found: dict[str, list[ServedCampaign]] = {}
        for path in paths:
            if campaign := self.served_in(path):
                found.setdefault(campaign.public.settings.campaign, []).append(campaign)
        for name, several in found.items():
            if several[1:]:
                folders = tuple(each.path.name for each in several)
                self.doubts.note(name, wrong("W-OFFICE-TWICE", folders=folders), FOLDERS)
            else:
                self.doubts.settle(name, about=FOLDERS)
        return {name: several[0] for name, several in found.items() if not several[1:]}

    def served_in(self, path: Path) -> ServedCampaign | None:
        """Return the campaign in a folder. If the folder cannot be read, note a doubt, and return None."""
        with self.doubting(path.name, FOLDERS):
            public, head = public_state_of(open_folder(path), self.now())
            self.doubts.settle(path.name, ["W-OFFICE-TWICE"], FOLDERS)
            return ServedCampaign(path, public, head)
        if path.name not in self.doubts.busy:
            self.doubts.stopped.add(path.name)
        return None

    def doubt_policies(self, names: Collection[str]) -> None:
        """Note a doubt for each policy in the settings whose campaign has no folder, and end the doubts about other
        policies."""
        for name in self.settings.policies.keys() - names:
            self.doubts.note(name, wrong("W-OFFICE-POLICY", campaign=name), POLICY)
        for row in self.store.rows("SELECT campaign FROM doubts WHERE about = ?", POLICY):
            if row["campaign"] in names or row["campaign"] not in self.settings.policies:
                self.doubts.settle(row["campaign"], about=POLICY)

    def look(self) -> FetchCounts:
        return self.fetch(self.served_campaigns())

    def fetch(self, names: Mapping[str, ServedCampaign]) -> FetchCounts:
        """Fetch new mails for these campaigns, and note what a person should know about them. Release waiting letters
        whose campaign's folder is there again, and letters with a new key that cannot be genuine."""
        people = correspondents(self.store)
        known = {*names, *(str(row["name"]) for row in self.store.rows("SELECT name FROM campaigns"))}

        sheets = {name: SentSheets(served.path / "outbox") for name, served in names.items()}

        def is_sheet(found: FoundLetter) -> bool:
            sent = sheets.get(found.claim.campaign)
            return sent is not None and sent.has(found)

        def look(message: RawMessage) -> IncomingMail:
            incoming = incoming_of(message, known, people, is_sheet)
            if self.is_own(incoming):
                return structs.replace(incoming, verdict="own", campaigns=())
            self.notices.notice_strays(incoming, known)
            self.notices.notice_attachments(incoming, known, people)
            self.notices.notice_unreadable(incoming, people)
            if incoming.verdict == WORDS:
                is_answered = self.is_to_be_answered(incoming, names)
                verdict = WORDS if self.is_to_be_forwarded(incoming) else "left"
                return structs.replace(incoming, verdict=verdict, is_answered=is_answered)
            return structs.replace(incoming, away=tuple(each for each in incoming.campaigns if each not in names))

        self.come_home(names)
        found = self.look_into(look)
        if not self.settings.outbox.folder:
            # Before the evenings: what is forwarded is answered in the same round.
            forward(self.store, self.doubts, self.now, self.is_rivals)
        self.release_forged(names)
        self.notices.doubt_letters()
        return found

    def readers(self) -> ReaderOf:
        served = self.served_campaigns()

        def reader_of(mail: QueuedMail) -> Reader | None:
            if not mail.campaign:
                return None
            if not (found := served.get(mail.campaign)):
                raise NotNow(f"{mail.campaign} is away")
            return reader_of_mail(found.path, found.public, mail, self.now())

        return reader_of

    def is_own(self, incoming: IncomingMail) -> bool:
        """Return whether the office itself has sent this mail. The moderator may use the same mailbox. A mail that was
        judged to be a letter, large or returned is never the office's own."""
        name = incoming.found.envelope.message_id
        is_letter = incoming.verdict in ("letter", "returned", "large")
        return not is_letter and bool(self.store.rows("SELECT 1 FROM mails WHERE id = ?", name))

    def is_to_be_forwarded(self, incoming: IncomingMail) -> bool:
        """Return whether a mail without a letter is to be forwarded to the moderator: the addresses of its sender and
        of the moderator are both known, they differ, and mails do not go by a shared folder."""
        sender, address = incoming.found.envelope.sender, self.settings.address
        # A shared folder brings no mails to the moderator.
        return bool(sender and address and not self.settings.outbox.folder) and sender.casefold() != address.casefold()

    def is_to_be_answered(self, incoming: IncomingMail, names: Mapping[str, ServedCampaign]) -> bool:
        """Return whether the writer of a mail without a letter may get an answer: the mail came from the writer's own
        address, its campaign is not closed, and it answers no answer of this kind, so that two programs do not go on
        for ever. The campaign answers only those who play in it."""
        envelope, campaign = incoming.found.envelope, names.get(incoming.campaigns[0])
        if not campaign or campaign.public.phase == "closed" or not envelope.own_address:
            return False
        query = "SELECT 1 FROM mails WHERE id = ? AND rank = ?"
        return not any(self.store.rows(query, each, REFUSED) for each in envelope.answers[:1])

    def is_rivals(self, campaign: str, text: str) -> bool:
        """Return whether the moderator plays in the campaign, in one that the text names, or perhaps in one whose
        folder is missing."""
        served = self.served_campaigns()
        played = [name for name, each in served.items() if each.public.settings.moderator.seat]
        return campaign not in served or campaign in played or any(name in text for name in played)

    def come_home(self, names: Collection[str]) -> None:
        """Release the letters that wait because their campaign's folder was missing, if it is there again."""
        for row in self.store.rows("SELECT * FROM letters WHERE state = 'away' ORDER BY number"):
            if row["campaign"] in names:
                self.set_state([row], "waiting")
                self.doubts.settle(row["campaign"], about=str(row["number"]))

    def release_forged(self, names: Mapping[str, ServedCampaign]) -> None:
        """Release those letters with a new key that cannot be genuine, so that they are refused. Neither the seat's key
        nor a key in another waiting letter has signed them."""
        for name, served in names.items():
            if not self.store.rows("SELECT 1 FROM letters WHERE campaign = ? AND state = 'doubtful'", name):
                continue
            query = "SELECT * FROM letters WHERE campaign = ? AND state IN ('waiting', 'doubtful') ORDER BY number"
            texts = [
                (row, self.texts.get(row["mark"]) or extract(row["data"], row["place"]))
                for row in self.store.rows(query, name)
            ]
            letters = [(row, [each.letter for each in found.letters if each.letter]) for row, found in texts]
            # A key that a letter brings which waits here may be the seat's by the time that the next one is taken.
            coming = [letter for _, found in letters for letter in found if brings_key(letter)]
            for row, found in letters:
                if row["state"] == "doubtful" and not any(
                    letter.kind == KEY_CHANGE and may_be_genuine(letter, served.public, coming) for letter in found
                ):
                    self.set_state([row], "waiting")
                    self.doubts.settle(name, about=str(row["number"]))

    def evenings(self, served: Mapping[str, ServedCampaign]) -> dict[str, Evening]:
        """Hold the evening of every campaign that needs one, and return the results by campaign. No evening is held
        while the clock is in doubt."""
        done: dict[str, Evening] = {}
        self.doubts.fade()
        # A clock that was behind the mails of a campaign, and is set now, is as late as they are.
        heard = [seen for name in served if (seen := self.store.fact(f"{SEEN}/{name}")) <= stamp(self.now())]
        if doubt := self.clock.time_doubt(LONGEST_PAUSE, self.store.fact("last"), *heard):
            self.doubts.note("", doubt)
            for name in served:
                self.tell_wait(name, None)
            return done
        self.doubts.settle("")
        for name, campaign in served.items():
            with self.doubting(name):
                self.check_ledger(name, campaign)
                self.meet(name, campaign)
                if evening := self.evening(name, campaign):
                    done[name] = evening
                self.queue.take_outbox(name, campaign.path / "outbox", "queued")
                self.doubts.settle_one(name, BROKEN, "")
                if self.clock_is_right:
                    with self.store.step():
                        self.store.note(f"{SEEN}/{name}", "")
        with self.store.step():
            self.store.note("last", stamp(self.now()))
            if self.clock_is_right:
                self.store.note(SEEN, stamp(self.now()))
        self.texts.clear()
        return done

    def collect(self) -> None:
        for name, campaign in self.served_campaigns().items():
            with self.doubting(name):
                self.check_ledger(name, campaign)
                self.meet(name, campaign)
                self.queue.take_outbox(name, campaign.path / "outbox", "queued")

    def check_ledger(self, name: str, served: ServedCampaign) -> None:
        """Compare a campaign's ledger with the last entry that the office knows. Raises `Refused` unless the ledger has
        that entry, or a person vouches for the ledger. Then lost letters are taken again if their mails come again."""
        fault = self.ledgers.contradiction(name, open_folder(served.path), served.head)
        if fault and not self.ledger_is_right:
            raise Refused("ledger", [fault])
        if fault:
            self.forget_mails(name)
            self.ledgers.learn(name, served.path, served.head)

    def meet(self, name: str, served: ServedCampaign) -> None:
        """Note a campaign that is new to this office, and queue the mails in its outbox. Mails of a campaign that is
        older than the office wait for a person. If a campaign is known, but the office has a forum only now, queue its
        posts."""
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
        """Hold the evening of one campaign, and return its result. Return None if it needs none, or if the clock
        contradicts its mails."""
        rows = self.letters_to_take(name, served)
        doubt = self.clock.campaign_doubt(name, served.public.time)
        if not doubt:
            self.doubts.settle(name, about=CLOCK)
        # What has been silent for long, and needs nobody, is no reason to doubt the clock.
        time, agreed = CampaignTime(served.public, self.now()), self.agreement(name)
        needs_nobody = not rows and (doubt or self.is_unchanged(name, served)) and not has_work(time, agreed)
        if needs_nobody and not self.clock.is_behind_mails(name):
            self.tell_wait(name, reason_to_wait(time, agreed))
            return None
        if doubt:
            self.doubts.note(name, doubt, CLOCK)
            # By a wrong clock nobody knows for what it waits.
            self.tell_wait(name, None)
            return None
        evening, entry = self.hold_with_sound_letters(name, served, rows)
        self.doubts.mend(name, "letter")
        self.tell_wait(name, evening.waits)
        self.conclude(name, served, evening, entry)
        return evening

    def letters_to_take(self, name: str, served: ServedCampaign) -> list[Row]:
        """Return the rows of the letters that wait for a campaign. Letters for a closed campaign are dropped, and noted
        as a doubt."""
        rows = self.waiting_for(name)
        if served.public.phase != "closed" or not rows:
            return rows
        if letters := [row for row in rows if row["state"] != ANSWER]:
            self.doubts.note(name, wrong("W-OFFICE-CLOSED", number=len(letters)), "closed")
        self.set_state(rows, "taken")
        return []

    def is_unchanged(self, name: str, served: ServedCampaign) -> bool:
        """Return whether nobody has changed a campaign since its last evening, and that evening met no fault."""
        known = self.store.rows("SELECT entry FROM campaigns WHERE name = ?", name)
        is_known = bool(known) and known[0]["entry"] == served.head.number and not self.was_changed(name, served)
        # A fault that was met is met again, or is over.
        return is_known and not self.store.rows(FAULTS, name)

    def hold_with_sound_letters(self, name: str, served: ServedCampaign, rows: list[Row]) -> tuple[Evening, int]:
        """Hold the evening of a campaign; return its result and the last entry. A letter at which the evening fails is
        noted as a doubt, and the evening is held without it."""
        while True:
            try:
                return self.hold_evening(name, served, rows)
            except LetterFailed as failed:
                # What it has left half done is finished by whoever opens the campaign next, as behind a kill.
                row = rows.pop(failed.number)
                people = self.store.rows("SELECT sender, subject FROM messages WHERE mark = ?", row["mark"])
                sender, subject = mail_names(*(people[0] if people else ("", "")))
                fault = unforeseen_fault(
                    failed.error, "E-OFFICE-BROKEN.letter", sender=sender, subject=subject, number=row["number"]
                )
                self.doubts.fail(name, fault, f"letter {row['number']}")

    def tell_wait(self, name: str, why: Wrong | None) -> None:
        """Note the reason why a campaign does not go on. None means that there is no reason, or none that can be told.
        If a player must act, the reason is noted as a notice, else as a doubt."""
        self.doubts.settle(name, {why.code} if why else (), WAITS)
        if why:
            self.doubts.note(name, why, WAITS, NOTICE if why.code == CORRECTION else UNTOLD)

    def agreement(self, name: str) -> Agreement:
        """Return the permissions of the office in a campaign, and its memory of the last evening."""
        numbers, awaited = (
            json.decode(self.store.fact(f"{fact} {name}") or "{}", type=dict[str, int])
            for fact in ("numbers", "awaited")
        )
        next_mail = self.store.fact(f"{NEXT_MAIL} {name}")
        return Agreement(self.settings.policy(name), self.settings.pictures, numbers, awaited, next_mail)

    def hold_evening(self, name: str, served: ServedCampaign, rows: list[Row]) -> tuple[Evening, int]:
        """Hold an evening with these letters. Return its result, and the number of the campaign's last entry. Raises
        `LetterFailed` if a letter causes an unforeseen error."""
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
            return evening, campaign.vault.entry

    def note_taken(self, served: ServedCampaign, rows: list[Row], done: Evening) -> None:
        """Note that letters were taken, and queue the answers. Joint answers, and answers that anybody can cause, get a
        rank of their own."""
        folder, name = served.path / "outbox", served.public.settings.campaign
        with self.store.step():
            # First, for what is known stays as it is.
            for path in done.replaced:
                self.queue.enter(name, folder / path.parent.name / path.name, "dropped", JOINED)
            for path in done.unsigned:
                mail = folder / path.parent.name / path.name
                if path in done.copies:
                    self.queue.enter_copy(name, mail)
                elif path in done.strangers:
                    self.queue.enter_once(name, mail)
                else:
                    self.queue.enter(name, mail, "queued", REFUSED)
            for path in done.joint:
                self.queue.enter(name, folder / path.parent.name / path.name, "queued")
            self.store.note(f"awaited {name}", json.encode(done.awaited).decode())
        self.set_state(rows, "taken")

    def conclude(self, name: str, served: ServedCampaign, evening: Evening, entry: int) -> None:
        """Note the doubts and notices of an evening, among them a doubt about a player of whom several letters were
        refused, and what the office must remember until the next."""
        for fault in evening.doubts:
            self.doubts.note(name, fault)
        codes = {fault.code for fault in evening.doubts}
        for player, refused in evening.turned.items():
            fact = f"refused letters {name} {player}"
            # One letter may come in several mails: by hand, and from the player's office.
            found = refused.union((self.store.fact(fact) or "").split()) if refused else set()
            with self.store.step():
                self.store.note(fact, " ".join(sorted(found)))
            if len(found) >= MOST_REFUSED:
                self.doubts.note(name, wrong("W-OFFICE-REFUSED", player=player), player)
            elif not refused:
                self.doubts.settle(name, about=player)
        for player, unproved in evening.unproved.items():
            fact = f"unproved {name} {player}"
            before = int(self.store.fact(fact) or 0)
            with self.store.step():
                self.store.note(fact, str(before + unproved))
            # Once, for whoever writes in another's name can do so every day.
            if before < MOST_REFUSED <= before + unproved:
                self.doubts.note(name, wrong("W-OFFICE-REFUSED.unproved", player=player), player)
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

    def was_changed(self, name: str, served: ServedCampaign) -> bool:
        """Return whether the secret file of a campaign has changed since the last evening. Such a change is the only
        sign of a new address."""
        return self.store.fact(f"vault {name}") != changed_at(served)

    def claim_outbox(self, served: ServedCampaign) -> None:
        """Note in the campaign that this office sends its mails. Raises `Refused` if another office does so already,
        because every mail would be sent twice."""
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

    def round(self, hurry: bool = True) -> OfficeRound:
        done = OfficeRound()
        self.doubts.begin_round()
        served = self.served_campaigns()
        self.doubt_policies(served)
        done.fetched = self.fetch(served)
        done.evenings = self.evenings(served)
        self.send_last(done, hurry)
        self.notify()
        return done

    def due_lines(self) -> list[DueLine]:
        """Return the lines for seats that owe something, and one for the moderator on what waits for a person."""
        found = []
        for served in self.served_campaigns().values():
            kept = kept_targets(self.store, self.doubts, self.settings.notify, served.public)
            found += [line for line in seat_lines(served.public, self.now()) if line.who in kept]
        # A line that cannot be sent is no reason for another line.
        query = "SELECT count(*), max(since) FROM doubts WHERE told != ? AND code != ?"
        (waits,) = self.store.rows(query, NOTICE, NOT_TAKEN)
        if waits[0]:
            said = words("office-subject", number=int(waits[0])).text(self.settings.language)
            found.append(DueLine(ME, "", str(waits[1]), said))
        return found


def changed_at(served: ServedCampaign) -> str:
    """Return the time of the last change to a campaign's secret file, in nanoseconds, as text."""
    return str(open_folder(served.path).secret.stat().st_mtime_ns)
