"""Office of a moderator: a mailbox and a folder of campaigns. Its work is done in rounds, and may be killed at any
moment without harm."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec import field, structs

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.folder import open_folder
from pbem.faults.wrong import words, wrong
from pbem.moderator.evening import Evening
from pbem.moderator.public_view import public_state_of
from pbem.office.carriers import NotNow, QueuedMail
from pbem.office.counter import Round
from pbem.office.doubts import BROKEN, NOTICE
from pbem.office.evenings import EveningOffice, ServedCampaign
from pbem.office.fetching import LONGEST_PAUSE, SEEN, WORDS, FetchCounts, correspondents
from pbem.office.forwarding import forward
from pbem.office.incoming import KEY_CHANGE, IncomingMail, incoming_of, may_be_genuine
from pbem.office.notifying import NOT_TAKEN, DueLine, kept_targets, seat_lines
from pbem.office.obsolete import drop_offers, drop_outdated
from pbem.office.sending import SendCounts
from pbem.office.settings import ME, OfficeSettings, user_path
from pbem.office.shared_folder import MailReader, ReaderOf, reader_of_mail
from pbem.office.store import REFUSED, WORDLESS, Store
from pbem.office.strays import IncomingNotices
from pbem.paper.documents.faults import Refused
from pbem.paper.found import FoundLetter
from pbem.post.extract import extract
from pbem.post.mailbox import RawMessage
from pbem.post.sheets import SentSheets

SETTINGS = "campaign.yaml"

FOLDERS, POLICY = "folders", "policies"
"""Subjects of doubts that end without a person as soon as their cause is gone, even if the campaign needs no
evening."""

FOLDER_AWAY = "E-OFFICE-FOLDER.away"
"""Code of the doubt that the folder of all campaigns is missing."""


class OfficeRound(Round):
    """Result of a round of a moderator's office."""

    evenings: dict[str, Evening] = field(default_factory=dict)

    @property
    def is_worth_telling(self) -> bool:
        return bool(self.evenings) or super().is_worth_telling


class Office(EveningOffice):
    """Office of a moderator. It serves one campaign, or all campaigns in a folder."""

    def __init__(self, settings: OfficeSettings, store: Store, now: Callable[[], datetime]) -> None:
        super().__init__(settings, store, now)
        self.notices = IncomingNotices(store, self.doubts)

    def names(self) -> list[str]:
        return list(self.served_campaigns())

    def served_campaigns(self) -> dict[str, ServedCampaign]:
        """Return a dict from the name of each campaign that the office serves to the campaign. If two folders have the
        same campaign, or a folder has no settings, note a doubt and leave them out."""
        root = user_path(self.settings.campaigns)
        if not root.is_dir():
            self.doubts.note("", wrong(FOLDER_AWAY, folder=str(root)), FOLDERS)
            raise Refused(str(root), [wrong("E-OFFICE-FOLDER")])
        self.doubts.settle("", about=FOLDERS)
        paths = [root] if (root / SETTINGS).exists() else sorted(path.parent for path in root.glob(f"*/{SETTINGS}"))
        self.doubt_settings(root)
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

    def doubt_settings(self, root: Path) -> None:
        """Note a doubt for each known campaign whose folder does not have settings any more. The campaign's folder is
        `root` itself or a folder in it."""
        names = {Path(row["path"]).resolve(): row["name"] for row in self.store.rows("SELECT * FROM campaigns")}
        for path in (root, *(each.parent for each in sorted(root.glob("*/ledger")))):
            if (name := names.get(path.resolve())) and not (path / SETTINGS).exists():
                self.doubts.note(name, wrong("E-OFFICE-SETTINGS", folder=str(path), file=SETTINGS), FOLDERS)
                self.doubts.stopped.add(name)

    def vouch_for(self, folder: Path) -> None:
        """Accept the ledger in this folder, because a person says that it is right. Raises `Refused` if the office
        serves no campaign in this folder."""
        found = [name for name, each in self.served_campaigns().items() if each.path.resolve() == folder.resolve()]
        if not found:
            raise Refused("--ledger-is-right", [wrong("E-OFFICE-LEDGER", folder=str(folder))])
        self.vouched_for = found[0]

    def served_in(self, path: Path) -> ServedCampaign | None:
        """Return the campaign in a folder. If its files cannot be read, note a doubt and return None."""
        with self.doubting(path.name, FOLDERS):
            public, head = public_state_of(open_folder(path), self.now())
            self.doubts.settle(path.name, ["W-OFFICE-TWICE"], FOLDERS)
            return ServedCampaign(path, public, head)
        if path.name not in self.doubts.busy:
            self.doubts.stopped.add(path.name)
        return None

    def doubt_policies(self, names: Collection[str]) -> None:
        """Note a doubt for each policy in the settings that is for a campaign without a folder. End all other doubts
        about policies."""
        for name in self.settings.policies.keys() - names:
            self.doubts.note(name, wrong("W-OFFICE-POLICY", campaign=name), POLICY)
        for row in self.store.rows("SELECT campaign FROM doubts WHERE about = ?", POLICY):
            if row["campaign"] in names or row["campaign"] not in self.settings.policies:
                self.doubts.settle(row["campaign"], about=POLICY)

    def look(self) -> FetchCounts:
        return self.fetch(self.served_campaigns())

    def fetch(self, names: Mapping[str, ServedCampaign]) -> FetchCounts:
        """Fetch new mails for these campaigns, and note doubts and notices about them. Also release two kinds of
        waiting letters: letters whose campaign's folder was missing and is there again, and forged letters that
        announce a new key, so that the evening refuses them."""
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
            self.notices.notice_words(incoming)
            if self.notices.is_stray(incoming):
                # People also write to each other: an answer to a person's mail gets none from a program.
                if incoming.found.envelope.answers:
                    return incoming
                played = people.get(incoming.found.envelope.sender.casefold(), ())
                said_in = (structs.replace(incoming, campaigns=(name,), is_answered=True) for name in played)
                return next((each for each in said_in if self.is_to_be_answered(each, names)), incoming)
            if incoming.verdict == WORDS:
                is_answered = self.is_to_be_answered(incoming, names)
                verdict = WORDS if self.is_to_be_forwarded(incoming) else "left"
                return structs.replace(incoming, verdict=verdict, is_answered=is_answered)
            return structs.replace(incoming, away=tuple(each for each in incoming.campaigns if each not in names))

        self.release_returned(names)
        found = self.look_into(look)
        if not self.settings.outbox.folder:
            # Words are forwarded before the evenings are held, so that their writers get the answers in the same round.
            forward(self.store, self.doubts, self.now, self.is_rivals)
        self.release_forged(names)
        self.notices.doubt_letters()
        return found

    def readers(self) -> ReaderOf:
        served = self.served_campaigns()

        def reader_of(mail: QueuedMail) -> MailReader | None:
            if not mail.campaign:
                return None
            if not (found := served.get(mail.campaign)):
                raise NotNow(f"{mail.campaign} is away")
            return reader_of_mail(found.path, found.public, mail, self.now())

        return reader_of

    def is_own(self, incoming: IncomingMail) -> bool:
        """True if the office itself has sent this mail. This happens if the moderator uses the same mailbox. A letter,
        a large mail, or a mail that came back is never taken for one that the office has sent."""
        name = incoming.found.envelope.message_id
        is_letter = incoming.verdict in ("letter", "returned", "large")
        return not is_letter and bool(self.store.rows("SELECT 1 FROM mails WHERE id = ?", name))

    def is_to_be_forwarded(self, incoming: IncomingMail) -> bool:
        """Return True if a mail without a letter should be forwarded to the moderator. The address of the sender and
        that of the office must be known and must differ. If the office writes its mails into a shared folder, nothing
        is forwarded."""
        sender, address = incoming.found.envelope.sender, self.settings.address
        # A mail in a shared folder would not reach the moderator.
        return bool(sender and address and not self.settings.outbox.folder) and sender.casefold() != address.casefold()

    def is_to_be_answered(self, incoming: IncomingMail, names: Mapping[str, ServedCampaign]) -> bool:
        """True if a mail without a letter may get an answer. It must come from its writer's own address, belong to a
        campaign that is not closed, and not reply to such an answer."""
        envelope, campaign = incoming.found.envelope, names.get(incoming.campaigns[0])
        if not campaign or campaign.public.phase == "closed" or not envelope.own_address:
            return False
        # In memories of earlier versions, such answers have the rank of refusals.
        query = "SELECT 1 FROM mails WHERE id = ? AND rank IN (?, ?)"
        return not any(self.store.rows(query, each, REFUSED, WORDLESS) for each in envelope.answers[:1])

    def is_rivals(self, campaign: str, text: str) -> bool:
        """Return True if the moderator plays in the campaign, or in another that the text names. Return True also if
        the campaign's folder is missing, because the moderator may be playing there."""
        served = self.served_campaigns()
        played = [name for name, each in served.items() if each.public.settings.moderator.seat]
        return campaign not in served or campaign in played or any(name in text for name in played)

    def release_returned(self, names: Collection[str]) -> None:
        """Release the letters of campaigns whose folder was missing and is there again."""
        for row in self.store.rows("SELECT * FROM letters WHERE state = 'away' ORDER BY number"):
            if row["campaign"] in names:
                self.set_state([row], "waiting")
                self.doubts.settle(row["campaign"], about=str(row["number"]))

    def release_forged(self, names: Mapping[str, ServedCampaign]) -> None:
        """Release forged letters that would change the key of a seat, so that the evening refuses them. A letter is
        forged if it is not signed with the seat's key, nor with a key that another waiting letter announces."""
        for name, served in names.items():
            if not self.store.rows("SELECT 1 FROM letters WHERE campaign = ? AND state = 'doubtful'", name):
                continue
            query = "SELECT * FROM letters WHERE campaign = ? AND state IN ('waiting', 'doubtful') ORDER BY number"
            texts = [
                (row, self.texts.get(row["mark"]) or extract(row["data"], row["place"]))
                for row in self.store.rows(query, name)
            ]
            letters = [(row, [each.letter for each in found.letters if each.letter]) for row, found in texts]
            # Another waiting letter may announce the key that signed this letter. It is the seat's key as soon as the
            # other letter is taken.
            coming = [letter for _, found in letters for letter in found if letter.kind in ("join", KEY_CHANGE)]
            for row, found in letters:
                if row["state"] == "doubtful" and not any(
                    letter.kind == KEY_CHANGE and may_be_genuine(letter, served.public, coming) for letter in found
                ):
                    self.set_state([row], "waiting")
                    self.doubts.settle(name, about=str(row["number"]))

    def evenings(self, served: Mapping[str, ServedCampaign]) -> dict[str, Evening]:
        """Hold the evening of every campaign that needs one, and return a dict from the campaigns to the results. If
        the clock is in doubt, hold no evening."""
        done: dict[str, Evening] = {}
        self.is_time_shown = True
        self.doubts.fade()
        # The times of mails count as well as the last round. If a slow clock was set right, the last round seems to be
        # long ago, but the last mails do not.
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
            if self.is_time_shown:
                self.store.note("last", stamp(self.now()))
            if self.clock_is_right:
                self.store.note(SEEN, stamp(self.now()))
        self.texts.clear()
        return done

    def send(self, hurry: bool = True) -> SendCounts:
        # Even if the folder of all campaigns is missing, the owner must be told by mail.
        with suppress(Refused):
            for name, served in self.served_campaigns().items():
                drop_outdated(self.queue, name, served.asked)
                drop_offers(self.queue, name, served.public)
        return super().send(hurry)

    def collect(self) -> None:
        for name, campaign in self.served_campaigns().items():
            with self.doubting(name):
                self.check_ledger(name, campaign)
                self.meet(name, campaign)
                self.queue.take_outbox(name, campaign.path / "outbox", "queued")

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
        """Return the short lines that must be sent now: one for each seat that owes something, and one for the
        moderator if something waits for a person."""
        found = []
        for served in self.served_campaigns().values():
            kept = kept_targets(self.store, self.doubts, self.settings.notify, served.public)
            found += [line for line in seat_lines(served.public, self.now()) if line.who in kept]
        # The doubt that a line could not be sent must not cause another line.
        query = "SELECT count(*), max(since) FROM doubts WHERE told != ? AND code != ?"
        (waits,) = self.store.rows(query, NOTICE, NOT_TAKEN)
        if waits[0]:
            said = words("office-subject", number=int(waits[0])).text(self.settings.language)
            found.append(DueLine(ME, "", str(waits[1]), said))
        return found
