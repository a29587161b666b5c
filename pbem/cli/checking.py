"""`pbem check`: everything that is wrong with a letter, told before it is sent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from pbem.cli.letters import guide, letter_at
from pbem.cli.tables import find_table
from pbem.console.options import Telling, telling_options
from pbem.console.printing import print_json, say
from pbem.console.refusals import fault_data, refuse, refusing_in_words
from pbem.console.surroundings import key_option, read_bytes
from pbem.engine.table import GameRules, Table, powers_of_player
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.faults import Refused, by_place
from pbem.player.files import folder_of
from pbem.player.keyring import place_of, public_half

if TYPE_CHECKING:
    from pbem.campaign.letters.joining import LetterVerdict
    from pbem.campaign.letters.letterbox import AheadTold, OpenedPart
    from pbem.campaign.letters.trying_out import StandingOrders
    from pbem.campaign.players.guidance import Guidance
    from pbem.campaign.players.notebook import Notebook
    from pbem.cli.outcome import Outcome
    from pbem.paper.letters import Letter
    from pbem.paper.orders.files import Orders


@click.command("check")
@click.argument("letter")
@click.option(
    "--report", metavar="FILE", help="The report.yaml that it answers: is it for this stage, new, legal and whole?"
)
@click.option("--position", metavar="FILE", help="A position file: are the orders legal there, and whole?")
@key_option
@telling_options
def check_command(
    letter: str, report: str | None, position: str | None, key_path: Path | None, telling: Telling
) -> None:
    """Tell every fault of a LETTER at once, as the moderator's receipt would.

    Its head and signature are checked; the grammar of its orders if your notes of the campaign tell the rules; and with
    --report or --position whether they are legal and whole. By a report that is judged as far as its reader can know
    it, and told with what comes of it, as `pbem try` does. What is sealed is looked into if your notes have it.
    """
    from pbem.campaign.players import notebook
    from pbem.cli.outcome import outcome_data, tell_outcome
    from pbem.paper.letters import completed

    with refusing_in_words(telling.json_wanted):
        found = letter_at(read_bytes(letter), letter, may_lack=True)
        place = place_of(key_path)
        notes = notebook.find_known(place, found.campaign, found.sender)
        seen = guide(report) if report else None
        if seen and seen.signing == "off":
            found = completed(found, seen.next_seq, seen.basis)
        check = Check(found, notes, seen, telling.language)
        check.head()
        check.signature(place)
        check.orders(check.table(position, report))
        faults = by_place(check.verdict.faults)
        refuse(letter, faults, telling.json_wanted)
        missing, ahead = check.verdict.missing, check.ahead
        if telling.json_wanted:
            warnings = [fault_data(letter, fault) for fault in faults]
            outcome = outcome_data(check.outcome) if check.outcome else {}
            outcome |= {"ahead": [asdict(block) for block in ahead]} if ahead else {}
            print_json({"kind": found.kind, "seq": found.seq, "missing": missing, "warnings": warnings, **outcome})
            return
        say(f"{letter}: {found.kind} of {found.sender}, seq {found.seq}: nothing is wrong with it.")
        if missing:
            say(f"Still to answer: {', '.join(missing)}")
        for block in ahead:
            many = f"; {block.blocks} blocks" if block.blocks > 1 else ""
            said = ", ".join(block.sections) or ("hold" if block.holds else "withdrawn")
            say(f"Ahead, for {block.stage}: {block.power} ({said}{many})")
        if check.outcome:
            tell_outcome(check.outcome, telling.language)


class Check:
    """One check of one letter, by what its writer has at hand."""

    def __init__(self, letter: Letter, notes: Notebook | None, seen: Guidance | None, language: str) -> None:
        """Take the letter, and what there is to compare it with."""
        from pbem.campaign.letters.joining import LetterVerdict

        self.letter = letter
        self.notes = notes
        self.seen = seen
        self.language = language
        self.verdict: LetterVerdict = LetterVerdict()
        self.ahead: list[AheadTold] = []
        """What the letter orders for later stages, as far as it can be read here."""
        self.outcome: Outcome | None = None
        """What comes of orders that are in order."""

    def warn(self, what: Wrong) -> None:
        """Note what may be in order."""
        self.verdict.faults.append(what)

    def head(self) -> None:
        """Whether the letter is one for players to send, for the stage of the report, and new."""
        from pbem.campaign.letters.judging import JUDGES
        from pbem.campaign.letters.numbering import too_far
        from pbem.paper.letters import STAGED

        letter, seen, verdict = self.letter, self.seen, self.verdict
        if letter.kind not in JUDGES and letter.kind != "join":
            verdict.refuse(wrong("E-LETTER-KIND.check", kind=letter.kind))
        for key in letter.lacking:
            verdict.refuse(wrong("E-LETTER-MISSING.check", key=key))
        last = self.last_number()
        for far in too_far(letter.seq, last) if last is not None else ():
            verdict.refuse(far)
        if seen is None:
            return
        if self.notes and self.notes.moderator and not self.same_moderator():
            verdict.refuse(wrong("E-GUIDE-MODERATOR"))
        if letter.campaign != seen.campaign:
            verdict.refuse(wrong("E-LETTER-CAMPAIGN.check", campaign=letter.campaign, seen=seen.campaign))
        if seen.seat not in ("", letter.sender):
            verdict.refuse(wrong("E-LETTER-FROM.check", sender=letter.sender, seat=seen.seat))
        elif seen.seat and 0 < letter.seq < seen.next_seq:
            verdict.refuse(wrong("E-LETTER-OLD.check", last=seen.next_seq - 1, least=seen.next_seq))
        if letter.kind in STAGED and letter.stage != seen.stage:
            verdict.refuse(wrong("E-LETTER-STAGE.check", stage=letter.stage, seen=seen.stage))
        elif (
            "basis" not in letter.lacking
            and letter.kind in STAGED
            and not (letter.basis.startswith(seen.basis) or seen.basis.startswith(letter.basis))
        ):
            verdict.refuse(wrong("E-LETTER-BASIS.check", basis=letter.basis, seen=seen.basis))

    def last_number(self) -> int | None:
        """Return the highest number of this seat that is known here, if any is: a report goes before notes."""
        from pbem.campaign.players.notebook import last_number

        if self.letter.kind == "join":
            return 0
        if self.seen and self.seen.seat == self.letter.sender:
            return self.seen.next_seq - 1
        return last_number(self.notes, self.letter.seq) if self.notes else None

    def same_moderator(self) -> bool:
        """Whether notes and report name one moderator."""
        from pbem.seal.keys import PublicKey

        assert self.notes is not None
        assert self.seen is not None
        return PublicKey.parse(self.notes.moderator) == self.seen.moderator

    def signature(self, place: Path) -> None:
        """Whether the letter is signed with the key at hand."""
        from pbem.paper.letters import check_signature
        from pbem.seal.faults import SealFault

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

    def table(self, position: str | None, report: str | None) -> Table | None:
        """The position that the orders are for, as far as it is known here; nothing if it is not."""
        from pbem.campaign.players.guidance import known_table

        if position:
            return find_table(position).table
        if self.seen is None or report is None or not self.seen.position or self.letter.stage != self.seen.stage:
            return None
        try:
            return known_table(self.seen, report, folder_of(report))
        except Refused as refused:
            self.warn(wrong("W-CHECK-POSITION", why=refused.faults[0].message))
            return None

    def orders(self, table: Table | None) -> None:
        """Whether orders, plans and what is bound can be read, and if there is a position, whether orders are legal."""
        from pbem.campaign.letters.foreseeing import foreseen
        from pbem.campaign.letters.judging import bound_by
        from pbem.campaign.letters.letterbox import ahead_told, entry_of, orders_of
        from pbem.campaign.letters.reminding import Reminded, reminders, reminders_ahead
        from pbem.campaign.letters.trying_out import misplaced, not_plans, replaced, standing_in_vain, tried_alone
        from pbem.engine.table import player_of
        from pbem.kit import copy_of
        from pbem.paper.orders.files import read_orders

        if self.letter.kind == "agreement" and table:
            bound_by(table, self.letter, self.verdict)
        if self.letter.kind not in ("orders", "plan"):
            return
        rules = table.rules if table else self.rules()
        if rules is None:
            return
        written = orders_of(self.letter, self.opened(self.letter))
        try:
            found = read_orders(written, "letter", rules)
        except Refused as refused:
            self.verdict.faults += refused.faults
            return
        self.ahead = ahead_told(entry_of(written, "orders"))
        is_plan = self.letter.kind == "plan"
        self.verdict.faults += not_plans(found) if is_plan else standing_in_vain(found)
        self.verdict.faults += misplaced(found, rules, self.letter.stage, table)
        if self.seen:
            self.verdict.faults += replaced(self.letter.kind, self.letter.stage, found, self.seen.ahead)
        if table is None or self.verdict.is_refused:
            return
        for power, sections in found.powers.items():
            if (player := player_of(table, power)) != self.letter.sender:
                what = wrong("E-ORDER-FOREIGN.check", power=power, player=player, sender=self.letter.sender)
                self.verdict.refuse(what, node=sections.node)
        who = Reminded(self.letter.sender, self.letter.stage, self.seen.agreements if self.seen else (), self.language)
        self.verdict.faults += reminders_ahead(table, who, found)
        self.verdict.faults += foreseen(table, self.letter.sender, found)
        if not self.verdict.is_refused and not is_plan:
            # On a copy, by orders read anew: both are used up by what is tried with them.
            alone = copy_of(table)
            carried = tried_alone(alone, self.letter.sender, found, self.verdict, self.plans(table.rules))
            self.verdict.faults += reminders(table, who, carried)
            self.outcome = self.outcome_of(table, read_orders(written, "letter", rules).in_order_of_play(rules))

    def outcome_of(self, table: Table, found: Orders) -> Outcome:
        """What comes of orders as far as their writer can know it."""
        from pbem.campaign.letters.foreseeing import run_through
        from pbem.cli.outcome import Outcome

        readers = powers_of_player(table, self.letter.sender)
        outcome = Outcome(table, table, [], readers)
        outcome.add(run_through(table, found, is_whole=False), tuple(found.powers))
        return outcome

    def plans(self, rules: GameRules) -> StandingOrders | None:
        """The standing plans that the report says are in force and readable, as far as the notes have them."""
        from pbem.campaign.letters.letterbox import orders_of
        from pbem.campaign.letters.trying_out import StandingOrders
        from pbem.paper.letters import read_letter
        from pbem.paper.orders.files import read_orders

        said = self.seen.plans if self.seen else None
        if said is None or said.hidden == "yes":
            return None
        written = self.notes.plans.get(said.letter) if self.notes else None
        if written is None:
            self.warn(wrong("W-CHECK-PLANS", seq=said.seq))
            return None
        letter = read_letter(written.encode(), "plans")
        try:
            return StandingOrders(read_orders(orders_of(letter, self.opened(letter)), "plans", rules), said.stage)
        except Refused:
            return None

    def rules(self) -> GameRules | None:
        """The rules of the campaign's game, if they are known here."""
        from pbem.campaign.players.guidance import rules_of

        terms = self.seen.terms if self.seen else self.notes.terms if self.notes else None
        if terms is None:
            self.warn(wrong("W-CHECK-RULES"))
            return None
        try:
            return rules_of(terms)
        except Refused as refused:
            self.warn(wrong("W-CHECK-RULES.why", why=refused.faults[0].message))
            return None

    def opened(self, letter: Letter) -> dict[str, OpenedPart]:
        """The sealed parts of a letter that the notes tell of."""
        from pbem.campaign.letters.letterbox import OpenedPart, committed, parts_of

        found: dict[str, OpenedPart] = {}
        for slot, part in parts_of(letter).items():
            noted = self.notes.sealed.get(committed(part)) if self.notes else None
            if noted:
                found[slot] = OpenedPart(noted.salt, noted.body)
            else:
                self.warn(wrong("W-CHECK-SEALED", slot=slot))
        return found
