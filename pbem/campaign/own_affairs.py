"""Standing plans and agreements of one reader, as the reader's report tells them: valid plans and agreements, preset
plans, and agreements that have ended or lapsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.plain import hold
from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.letters.joining import LetterVerdict, text_of
from pbem.campaign.letters.letterbox import entry_of, listed_names
from pbem.campaign.letters.replaced_orders import has_plans_in_force
from pbem.campaign.news import News
from pbem.campaign.play.ahead import AheadSource
from pbem.campaign.play.resolving import is_past
from pbem.campaign.play.secret_state import SecretState
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Decision, March
from pbem.engine.table import Table, player_of, powers_of_player, turn_of
from pbem.faults.wrong import PbemError
from pbem.kit import copy_of, game_of
from pbem.paper.agreements import Deal, is_over
from pbem.paper.documents.strict import bare
from pbem.paper.letters import Letter, letter_id
from pbem.paper.library import USUAL, preset_plans
from pbem.paper.orders.files import PLANS, section_of
from pbem.paper.plans.ahead import AHEAD
from pbem.plans.source import PlanSource, topic_of
from pbem.seal.canonical import AnyTree, Tree


class PlansOfReader(Struct, frozen=True):
    """A reader's standing plans that are valid now, and the letter that brought them. Only the writer of the letter may
    know the content."""

    entry: int
    letter: str
    """Fingerprint of the letter."""
    seq: int
    stage: str
    is_hidden: bool
    """True if a part of the letter must still be revealed."""
    open: dict[str, Tree]
    """Unsealed plans of every power, as they were written."""
    ahead: dict[str, Tree] = {}
    """Unsealed orders of every power for stages that are still to come, given in advance in the same letter, as they
    were written."""
    may_answer: bool = True
    """True if a plan of the letter, or orders that the letter gives in advance, may answer in the present stage or
    later. Plans that are still sealed count as such plans."""


class PlannedAnswer(Struct, frozen=True):
    """Answer to one decision by the player's plan or by a block of orders given in advance. If there is no such answer,
    this has the preset plan that fits the decision."""

    line: int = 0
    """Number, from 1, of the plan or block that answers the decision; 0 if nothing answers it."""
    written: Tree = ""
    """The plan or block that answers the decision, as it was written; empty if it came sealed."""
    plan: Tree = ""
    """Preset plan that would answer the decision; empty if no preset plan fits, or if the decision is answered."""
    ahead: int = 0
    """Entry of the letter whose orders, given in advance, answer the decision; 0 without such a letter."""
    sections: tuple[str, ...] = ()
    """Sections of orders in the block that answers the decision."""
    answer: Answer | None = None
    """Answer that the plan gives now; None if the plan came sealed, or if orders given in advance answer."""
    behind: PlannedAnswer | None = None
    """Standing plan that answers the recruitment behind a march; None if there is no such plan."""


def plans_of(state: SecretState, reader: str) -> PlansOfReader | None:
    """Return the reader's standing plans, together with the orders that the same letter gives in advance for later
    stages of this turn. Sealed parts are left out. Return None if there are no valid standing plans."""
    force = state.plans.get(reader)
    if force is None:
        return None
    letter = state.letters(force.entry).letter
    hidden = reader in state.public.unshown
    plans, ahead = open_sections(letter, PLANS), open_sections(letter, AHEAD)
    found = {power: blocks_to_come(state, blocks) for power, blocks in ahead.items()}
    coming: dict[str, Tree] = {power: blocks for power, blocks in found.items() if blocks}
    may_answer = hidden or state.table is None or has_plans_in_force(state, reader)
    return PlansOfReader(force.entry, letter_id(letter), letter.seq, letter.stage, hidden, plans, coming, may_answer)


def open_sections(letter: Letter, section: str) -> dict[str, Tree]:
    """Return this section of each power's orders in a letter. Sealed parts are left out."""
    orders = entry_of(letter.body, "orders")
    written: AnyTree = bare(orders) if orders else {}
    return {power: sections[section] for power, sections in written.items() if sections and sections.get(section)}


def blocks_to_come(state: SecretState, blocks: Tree) -> list[Tree]:
    """Return those blocks of orders given in advance that are for later stages of the present turn."""
    every = blocks if isinstance(blocks, list) else [blocks]
    stages = [str(block["stage"]) if isinstance(block, dict) else "" for block in every]
    later = [stage not in ("", state.stage) and not is_past(state.rules, stage, state.stage) for stage in stages]
    return [block for block, is_later in zip(every, later, strict=True) if is_later]


def planned_answers(state: SecretState, reader: str, asked: Sequence[Decision]) -> tuple[PlannedAnswer, ...]:
    table = state.table
    if table is None:
        return ()
    standing = state.standing_plans(reader, table, state.tally)
    ahead = state.orders_ahead(reader, table, state.tally)
    return tuple(
        replace(
            with_words(state, reader, planned_answer(table, standing, ahead, each), each),
            behind=plan_of_recruits(state, reader, table, each),
        )
        for each in asked
    )


def plan_of_recruits(state: SecretState, reader: str, table: Table, march: Decision) -> PlannedAnswer | None:
    """Return the standing plan that answers the recruitment behind a march. `sections` has the section of this
    recruitment. Return None if there is no such plan."""
    for behind, levy in recruits_behind(table, march):
        standing = state.standing_plans(reader, behind, state.tally)
        verdict = standing.judge(levy) if standing else None
        if verdict is not None and verdict.given is not None:
            return PlannedAnswer(verdict.plan.number, sections=(section_of(behind, levy),))
    return None


def recruits_behind(table: Table, march: Decision) -> list[tuple[Table, Decision]]:
    """Return the recruitment that a power must decide after its march (FRIEDRICH §10), with the table at that time.

    The table is a copy on which no piece has marched, so that the recruitment reveals nothing of the march.
    """
    if not isinstance(march, March):
        return []
    behind = copy_of(table, SeededDealer("nothing is dealt for a sheet"))
    game = game_of(behind)
    game.apply(behind, march.power, hold(behind, march, Random(0)))  # noqa: S311 - nothing is left to chance
    return [
        (behind, after)
        for after in game.decisions(behind)
        if (after.power == march.power and section_of(behind, after) == "recruit")
    ]


def with_words(state: SecretState, reader: str, found: PlannedAnswer, decision: Decision) -> PlannedAnswer:
    """Return a planned answer together with its plan or block as it was written. If that is sealed, neither its text
    nor its answer is returned."""
    force = state.plans.get(reader)
    entry = found.ahead or (force.entry if force and found.line else 0)
    open_ones = open_sections(state.letters(entry).letter, AHEAD if found.ahead else PLANS) if entry else {}
    written = open_ones.get(decision.power, [])
    every = written if isinstance(written, list) else [written]
    is_open = 0 < found.line <= len(every)
    return replace(found, written=every[found.line - 1]) if is_open else replace(found, answer=None)


def planned_answer(
    table: Table, standing: PlanSource | None, ahead: AheadSource | None, decision: Decision
) -> PlannedAnswer:
    """Return the block of orders given in advance that answers one decision, or else the plan that answers it. If there
    is neither, return a preset plan that would answer it."""
    if ahead and (found := ahead.answering_block(decision)):
        sections = (section_of(table, decision), *found.orders.sections)
        return PlannedAnswer(found.plan.number, ahead=found.entry, sections=sections)
    verdict = standing.judge(decision) if standing else None
    if verdict is not None and verdict.given is not None:
        return PlannedAnswer(verdict.plan.number, answer=verdict.given.answer)
    topic, _, _ = topic_of(table, decision).partition(" ")
    own = powers_of_player(table, player_of(table, decision.power))
    known = preset_plans(table.rules, USUAL, decision.power, own)
    fit = (plan for plan in known if isinstance(plan, dict) and plan["for"] in (topic, topic_of(table, decision)))
    return PlannedAnswer(plan=next(fit, ""))


class LapsedOffer(Struct, frozen=True):
    """Agreement that has lapsed, because a party had not signed it when orders were carried out or the game ended."""

    entry: int
    """Entry of the first letter that signs the agreement."""
    offered_by: str
    """Player who wrote that letter."""
    missing: tuple[str, ...]
    """Players who have not signed."""
    words: str
    is_unsent: bool = False
    """True if orders were carried out in the round in which the offer came in, so that it was sent to nobody."""


class OwnAgreements(Struct, frozen=True):
    """Agreements of one reader; empty for a reader who does not play."""

    in_force: tuple[Deal, ...] = ()
    """Valid agreements that earlier reports have announced. They are listed in the first report of each turn; in other
    reports this is empty."""
    ended: tuple[Deal, ...] = ()
    """Agreements that have ended since the reader's previous report."""
    lapsed: tuple[LapsedOffer, ...] = ()
    """Offers that the reader has made or accepted, and that have lapsed since the reader's previous report. If the game
    has ended since that report, this includes offers of other players that the reader could have signed up to the
    end."""


def own_agreements(campaign: Campaign, reader: str, news: News) -> OwnAgreements:
    """Return the agreements of a reader. `news` is what happened since the reader's previous report."""
    public, table, before = campaign.public, campaign.state.table, campaign.vault.told_to(reader).public
    if reader not in public.players or table is None:
        return OwnAgreements()
    now, then = campaign.state.stage, before.next.stage if before.next else ""
    mine = [deal for deal in public.deals if reader in deal.players]
    ended = [deal for deal in mine if is_over(table.rules, deal.until, now)]
    is_recalled = public.phase == "running" and turn_of(now) != turn_of(then)
    return OwnAgreements(
        tuple(deal for deal in mine if deal not in ended and deal.entry <= news.since) if is_recalled else (),
        tuple(deal for deal in ended if deal.entry > before.entry or not is_over(table.rules, deal.until, then)),
        tuple(sorted(lapsed_offers(campaign, reader, news), key=lambda offer: offer.entry)),
    )


def lapsed_offers(campaign: Campaign, reader: str, news: News) -> Iterator[LapsedOffer]:
    """Yield the offers that the reader has signed and that have lapsed since the previous report. If the game has ended
    since then, also yield the offers that the reader was asked to sign and has not signed."""
    before = campaign.vault.told_to(reader).public
    if before.phase in ("over", "closed"):
        return
    offers = OffersSince(before, reader)
    for entry, record in news.entries:
        offers.see(entry, record)
    for words in offers.lapsed:
        letters = offers.signed[words]
        maker = min(letters, key=letters.__getitem__)
        for offer in lapsed_offer(campaign, maker, letters):
            yield replace(offer, is_unsent=offers.is_unsent(words, offer.entry))
    for words, first in offers.asked.items():
        letters = offers.signed[words]
        maker = next(seat for seat, number in letters.items() if number == first)
        yield from (offer for offer in lapsed_offer(campaign, maker, letters) if reader in offer.missing)


class OffersSince:
    """Offers of agreements since a reader's previous report, sorted by what became of them. Each offer is named by the
    fingerprint of its words."""

    def __init__(self, before: PublicState, reader: str) -> None:
        self.reader = reader
        self.signed = {words: dict(letters) for words, letters in before.promises.items()}
        """Dict from each offer to another dict. That dict maps each player who has signed the offer to the entry of the
        player's letter."""
        # Offers from before the present stage had lapsed already at the previous report, which has told this.
        self.waiting = {words for words, letters in self.signed.items() if letters.get(reader, 0) > before.since}
        """Offers that the reader has signed, and that some other party has not signed."""
        self.lapsed: set[str] = set()
        self.asked: dict[str, int] = {}
        """Offers that the reader was asked to sign, each with the entry of the first letter that signs it."""
        self.began = before.since
        """Entry with which the stage began."""
        self.times: dict[int, datetime] = {}
        self.ends: dict[str, datetime] = {}
        """Dict from each offer to the time at which its stage ended."""

    def see(self, entry: Entry, record: r.Record) -> None:
        """Sort the offers anew after the next entry."""
        match record:
            case r.LetterRecord(kind="agreement"):
                (words,) = record.slots.values()
                self.signed.setdefault(words, {})[record.player] = entry.number
                self.times[entry.number] = entry.time
                if record.player == self.reader:
                    self.waiting.add(words)
                    self.lapsed.discard(words)
            case r.AgreementRecord():
                for words in [each for each, by in self.signed.items() if {*record.letters} & {*by.values()}]:
                    del self.signed[words]
                    self.waiting.discard(words)
                    self.lapsed.discard(words)
            case r.SubstituteRecord(player=player):
                for letters in self.signed.values():
                    letters.pop(player, None)
                if player == self.reader:
                    self.waiting, self.lapsed = set(), set()
            case _ if entry.kind in r.MOVING or ends_game(record):
                if entry.kind in r.MOVING:
                    self.ends |= dict.fromkeys(self.waiting, entry.time)
                self.waiting, self.lapsed = set(), self.lapsed | self.waiting
                if ends_game(record):
                    self.note_unsigned()
                self.began = entry.number

    def note_unsigned(self) -> None:
        """Note the offers of the game's last stage that the reader has not signed, and that nobody can sign any
        more."""
        for words, letters in self.signed.items():
            open_now = [number for number in letters.values() if number > self.began]
            if open_now and self.reader not in letters:
                self.asked[words] = min(open_now)

    def is_unsent(self, words: str, entry: int) -> bool:
        """True if an offer came in and lapsed before the next letters were sent, so that nobody has got it. `entry` is
        the entry of the offer, `words` the fingerprint of its words."""
        # All entries of a round have one time, and offers are sent at its end.
        return entry in self.times and self.times[entry] == self.ends.get(words)


def ends_game(record: r.Record) -> bool:
    """True if an entry ends the game: by the rules, by agreement of the seats, or by the moderator."""
    is_over = isinstance(record, r.AdjudicationRecord) and record.next.over
    return is_over or isinstance(record, r.EndRecord | r.CloseRecord)


def lapsed_offer(campaign: Campaign, maker: str, signed: dict[str, int]) -> Iterator[LapsedOffer]:
    """Yield the offer that the player `maker` has made, or nothing if its letter cannot be read. `signed` has each
    player who has signed the offer, with the entry of this player's letter."""
    try:
        body = campaign.held_letter(signed[maker]).letter.body
    except PbemError:
        # An unreadable letter is reported where it is needed.
        return
    named = listed_names(text_of(LetterVerdict(), body, "with"))
    missing = tuple(sorted({seat for seat in named if seat not in signed and seat != maker}))
    yield LapsedOffer(signed[maker], maker, missing, text_of(LetterVerdict(), body, "words"))
