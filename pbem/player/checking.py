"""Check of a letter before it is sent. It finds those faults for which the moderator would refuse the letter, as far as
the player's files show them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.letters.heads import ExpectedHead, head_faults, lock_fault
from pbem.campaign.letters.joining import LetterVerdict, refuse_unknown_keys
from pbem.campaign.letters.judging import terms_in
from pbem.campaign.letters.judging_orders import final_and_wait
from pbem.campaign.letters.letterbox import (
    AheadSummary,
    OpenedPart,
    ahead_summaries,
    commitment_of,
    entry_of,
    orders_of,
    parts_of,
)
from pbem.campaign.letters.misplaced_orders import (
    foreign_faults,
    misplaced_faults,
    not_plan_faults,
    standing_warnings,
)
from pbem.campaign.letters.proposing import READERS
from pbem.campaign.letters.reminding import RemindedPlayer, faults_foreseen, reminders, reminders_ahead, run_through
from pbem.campaign.letters.replaced_orders import counting_warnings, replaced_warnings
from pbem.campaign.letters.trying_out import StandingOrders, faults_beside, orders_tried_alone
from pbem.campaign.players.campaign_notes import CampaignNotes, last_number
from pbem.campaign.players.finding_notes import find_known_notes
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.players.known_position import known_memory, known_table, rules_of
from pbem.campaign.players.motions import consequence_key, motion_faults
from pbem.engine.memory import Memory
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table, powers_of_player
from pbem.faults.wrong import Wrong, wrong
from pbem.kit import copy_of
from pbem.paper.documents.faults import Refused, by_place
from pbem.paper.letters import Letter, check_signature, completed_letter, read_letter
from pbem.paper.orders.files import Orders, read_orders
from pbem.player.files import GivenFile
from pbem.player.keyring import public_half
from pbem.player.letters import guide, letter_at
from pbem.player.tables import Outcome, table_in
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey


class CheckedLetter(Struct, frozen=True):
    """Faults of a letter, the powers whose orders are missing, and the outcome if the orders are carried out."""

    letter: Letter
    faults: tuple[Wrong, ...]
    missing: Sequence[Power]
    ahead: list[AheadSummary]
    """Orders for later stages, as far as they can be read without the moderator's key."""
    outcome: Outcome | None
    game: str
    """Name of the game to which the orders belong. It is empty if the game is unknown or the letter has no orders."""
    follows: str = ""
    """Key of the sentence that tells the effect of a letter such as a resignation, which takes effect without a vote.
    Empty for most letters."""


def check(
    file: GivenFile, place: Path, language: str, report: GivenFile | None, position: GivenFile | None
) -> CheckedLetter:
    """Check a letter. The caller may give the report that the letter answers, and a position. The notes beside the key
    at `place` are used if there are any. Raises `Refused` for unreadable files."""
    letter = letter_at(file.data, file.source, may_lack=True)
    notes = find_known_notes(place, letter.campaign, letter.sender)
    seen = guide(report) if report else None
    if seen and seen.signing == "off":
        letter = completed_letter(letter, seen.next_seq, seen.basis)
    found = Check(letter, notes, seen, language)
    found.check_head()
    found.check_signature(place)
    found.check_motion()
    found.check_orders(found.table(position, report))
    verdict = found.verdict
    follows = consequence_key(seen, letter) if seen else ""
    faults = by_place(verdict.faults)
    return CheckedLetter(letter, faults, verdict.missing, found.ahead, found.outcome, found.game, follows)


class Check:
    """Check of one letter against the player's report and notes. Each method checks one part of the letter, and notes
    its faults."""

    def __init__(self, letter: Letter, notes: CampaignNotes | None, seen: Guidance | None, language: str) -> None:
        """Begin with no faults noted. `seen` is the content of the report for the player's program."""
        self.letter = letter
        self.notes = notes
        self.seen = seen
        self.language = language
        self.verdict: LetterVerdict = LetterVerdict()
        self.game = ""
        self.ahead: list[AheadSummary] = []
        """Orders for later stages, as far as they can be read without the moderator's key."""
        self.memory: Memory | None = None
        """Public facts of the game so far; None if they are not known."""
        self.outcome: Outcome | None = None
        """Outcome of the orders; None if the orders are faulty or cannot be tried."""

    def warn(self, fault: Wrong) -> None:
        self.verdict.faults.append(fault)

    def check_head(self) -> None:
        """Note the faults of the letter's head. Also note a fault if the notes name another moderator, if the campaign
        is closed, or if the letter would change sealed orders while they are being revealed."""
        letter, seen = self.letter, self.seen
        expected = ExpectedHead(highest=self.last_number())
        if seen:
            if self.notes and self.notes.moderator and not self.has_same_moderator():
                self.verdict.refuse(wrong("E-GUIDE-MODERATOR"))
            expected = replace(expected, campaign=seen.campaign, stage=seen.stage, basis=seen.basis or None)
            expected = replace(expected, phase="campaign-over" if seen.position else "campaign-joining")
            if seen.phase == "closed":
                self.verdict.refuse(wrong("E-CAMPAIGN-PHASE"))
            elif seen.locked and (fault := lock_fault(letter.kind)):
                self.verdict.refuse(fault)
        if seen and seen.seat:
            expected = replace(expected, seats=(seen.seat,), last=seen.next_seq - 1)
        for fault in head_faults(letter, expected):
            self.verdict.refuse(fault)

    def check_motion(self) -> None:
        """Note the faults of a proposal or a vote, as far as the report shows them."""
        if self.seen and self.letter.kind in READERS:
            self.verdict.faults += motion_faults(self.seen, self.letter)

    def last_number(self) -> int | None:
        """Return the highest number that a letter of the seat is known to have. It is taken from the report, or else
        from the notes. Return None if neither has it, and 0 for a letter that joins the campaign."""
        if self.letter.kind == "join":
            return 0
        if self.seen and self.seen.seat == self.letter.sender:
            return self.seen.next_seq - 1
        return last_number(self.notes, self.letter.seq) if self.notes else None

    def has_same_moderator(self) -> bool:
        """Return whether the notes and the report name the same moderator. The caller must have checked that both
        exist."""
        assert self.notes is not None
        assert self.seen is not None
        return PublicKey.parse(self.notes.moderator) == self.seen.moderator

    def check_signature(self, place: Path) -> None:
        """Check the letter's signature with the public key beside the private key at `place`. Warn if there is no
        public key, or if the letter must be signed and is not."""
        if not self.letter.signature:
            if self.seen is None or self.seen.signing == "on":
                self.warn(wrong("W-LETTER-UNSIGNED"))
            return
        key = public_half(place)
        if key is None:
            self.warn(wrong("W-LETTER-SIGNATURE"))
            return
        try:
            check_signature(self.letter, key)
        except SealFault as fault:
            self.verdict.refuse(fault.wrong)

    def table(self, position: GivenFile | None, report: GivenFile | None) -> Table | None:
        """Return the table on which the letter's orders are checked, and store the public facts of the game so far.
        Both are taken from the position if it is given, else from the report. Return None if the report is missing,
        faulty or for another stage. Also warn if it is faulty. Raises `Refused` for a faulty position file."""
        if position:
            found = table_in(position)
            self.memory = found.memory
            return found.table
        if self.seen is None or report is None or not self.seen.position or self.letter.stage != self.seen.stage:
            return None
        try:
            table = known_table(self.seen, report.source, report.folder)
            self.memory = known_memory(self.seen, table, report.source)
            return table
        except Refused as refused:
            self.warn(wrong("W-CHECK-POSITION", why=refused.faults[0].message))
            return None

    def check_orders(self, table: Table | None) -> None:
        """Check that orders, plans and agreed terms can be read, even if the head is faulty. If a table is given, also
        check that the orders are legal, and note their outcome."""
        head, self.verdict = self.verdict, LetterVerdict()
        self.judge_orders(table)
        head.faults += self.verdict.faults
        head.missing, self.verdict = self.verdict.missing, head

    def judge_orders(self, table: Table | None) -> None:
        """Note the faults of the orders or plans in the letter, or of the terms of an agreement."""
        if self.letter.kind == "agreement" and table:
            terms_in(table, self.letter, self.verdict)
        if self.letter.kind not in ("orders", "plan"):
            return
        keys = LetterVerdict()
        if self.letter.kind == "orders":
            final_and_wait(self.letter, keys)
        else:
            refuse_unknown_keys(keys, self.letter.body, ("orders", "sealed"))
        self.judge_written(table)
        self.verdict.faults = [*keys.faults, *self.verdict.faults]

    def judge_written(self, table: Table | None) -> None:
        """Note the faults of the letter's orders and plans. If there are none, also note the powers whose orders are
        missing, and the outcome of the orders."""
        rules = table.rules if table else self.rules()
        if rules is None:
            return
        self.game = rules.terms.game
        opened = self.opened_parts(self.letter)
        written = orders_of(self.letter, opened)
        try:
            found = read_orders(written, "letter", rules)
        except Refused as refused:
            on_table = copy_of(table) if table and self.letter.kind == "orders" else None
            beside = faults_beside(on_table, self.letter, opened, refused) if on_table else refused.faults
            self.verdict.faults += beside
            return
        self.ahead = ahead_summaries(entry_of(written, "orders"))
        is_plan = self.letter.kind == "plan"
        self.verdict.faults += not_plan_faults(found) if is_plan else standing_warnings(found)
        self.verdict.faults += misplaced_faults(found, rules, self.letter.stage, table)
        if self.seen:
            self.verdict.faults += replaced_warnings(self.letter.kind, self.letter.stage, found, self.seen.ahead)
        if self.seen and table:
            self.verdict.faults += counting_warnings(self.letter.kind, self.letter.stage, found, self.seen.ahead, table)
        if table is None or self.verdict.is_refused:
            return
        self.verdict.faults += foreign_faults(table, self.letter.sender, found)
        who = RemindedPlayer(
            self.letter.sender, self.letter.stage, self.seen.agreements if self.seen else (), self.language
        )
        self.verdict.faults += reminders_ahead(table, who, found)
        self.verdict.faults += faults_foreseen(table, self.letter.sender, found)
        if not self.verdict.is_refused and not is_plan:
            # The trial gets a copy of the table, and orders that are read again, because it changes its table and uses
            # up its orders.
            alone = copy_of(table)
            carried = orders_tried_alone(alone, self.letter.sender, found, self.verdict, self.plans(table.rules))
            self.verdict.faults += reminders(table, who, carried)
            self.outcome = self.outcome_of(table, read_orders(written, "letter", rules).in_order_of_play(rules))

    def outcome_of(self, table: Table, found: Orders) -> Outcome:
        """Return the outcome of the orders, as far as the player can know it."""
        readers = powers_of_player(table, self.letter.sender)
        outcome = Outcome(table, table, [], readers, memory=self.memory)
        outcome.add(run_through(table, found, is_whole=False), tuple(found.powers))
        return outcome

    def plans(self, rules: GameRules) -> StandingOrders | None:
        """Return the player's standing plans. The report names the letter with the plans that are in force, and the
        notes have this letter's text. If the notes do not have it, warn and return None. Also return None if the report
        names no plans, if it says that the plans are hidden, or if the text cannot be read."""
        said = self.seen.plans if self.seen else None
        if said is None or said.hidden == "yes":
            return None
        written = self.notes.plans.get(said.letter) if self.notes else None
        if written is None:
            self.warn(wrong("W-CHECK-PLANS", seq=said.seq))
            return None
        letter = read_letter(written.encode(), "plans")
        try:
            return StandingOrders(read_orders(orders_of(letter, self.opened_parts(letter)), "plans", rules), said.stage)
        except Refused:
            return None

    def rules(self) -> GameRules | None:
        """Return the rules of the campaign's game. If the game is unknown, warn and return None."""
        terms = self.seen.terms if self.seen else self.notes.terms if self.notes else None
        if terms is None:
            self.warn(wrong("W-CHECK-RULES"))
            return None
        try:
            return rules_of(terms)
        except Refused as refused:
            self.warn(wrong("W-CHECK-RULES.why", why=refused.faults[0].message))
            return None

    def opened_parts(self, letter: Letter) -> dict[str, OpenedPart]:
        """Return the content of each sealed part of the letter, by the part's name. The contents are in the notes. If
        one is missing there, warn and leave it out."""
        found: dict[str, OpenedPart] = {}
        for slot, part in parts_of(letter).items():
            noted = self.notes.sealed.get(commitment_of(part)) if self.notes else None
            if noted:
                found[slot] = OpenedPart(noted.salt, noted.body)
            else:
                self.warn(wrong("W-CHECK-SEALED", slot=slot))
        return found
