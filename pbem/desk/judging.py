"""Judgement of a draft: the faults that a receipt would name, and a trial of the orders."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.campaign.letters.letterbox import orders_of
from pbem.campaign.letters.reminding import run_through
from pbem.campaign.players.campaign_notes import CampaignNotes
from pbem.campaign.players.guidance import Guidance
from pbem.desk.draft import LETTER, Draft, bare_of, is_plan
from pbem.desk.going import Going, going_in, orders_with_last, place_of_march
from pbem.engine.decisions import Done
from pbem.engine.nouns import Power
from pbem.faults.wrong import Wrong
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Fault, Refused, by_place
from pbem.paper.orders.files import Orders, read_orders
from pbem.paper.orders.names import WrittenOrder
from pbem.paper.orders.trial import Trial, run_known
from pbem.paper.plans.data import Tactic
from pbem.paper.plans.files import load_plans
from pbem.player.checking import Check
from pbem.player.plans import fight, plans_against
from pbem.player.tables import FoundTable, Outcome
from pbem.player.trying import account_of, consequences_of
from pbem.report.blocks import Block
from pbem.seal.canonical import Tree

MOST_JUDGED = 6
"""Number of judgements that are kept. A click, or undoing it, asks for one judgement several times."""

ENEMY: Tactic = "win"
"""Tactic of an enemy without plans."""


class Judgement(Struct, frozen=True):
    """Judgement of a draft: its trial and faults."""

    trial: Trial
    faults: Sequence[Wrong]
    missing: tuple[Power, ...]
    """Powers with decisions that their orders do not answer."""
    ordering: tuple[Power, ...] | None
    """Powers with orders in the draft; None if nothing can be told of these orders: they are refused, or cannot be
    read."""
    orders: dict[str, Tree]
    """The orders in the text, keyed by power."""
    marching: Trial | None
    """Trial of the orders without `Done` at the end of their sections, so that more marches can be added; None if no
    section ends with `Done`."""


class Judge(Struct, frozen=True):
    """Judge of the drafts at one table, for one reader."""

    found: FoundTable
    powers: tuple[Power, ...]
    seen: Guidance | None
    notes: CampaignNotes | None
    """The player's notes, which have each sealed part and the values that prove its content. None for a reader without
    a seat."""
    is_practice: bool
    """True for a game against bots on the desk, in which other seats hold cards that the reader does not know."""
    language: str
    judged: dict[str, Judgement] = {}
    """The last judgements, keyed by the text of the draft."""

    def judges_as(self, other: Judge) -> bool:
        """True if the other judge sits at the same table with the same notes, and speaks the same language."""
        is_there = self.found is other.found and self.notes is other.notes
        return is_there and self.language == other.language

    def judge(self, draft: Draft) -> Judgement:
        """Judge a draft, as far as the player can know the outcome. The judgement of an unreadable text has faults, and
        a trial without orders."""
        found = self.judged.pop(draft.text, None) or self.judge_anew(draft)
        self.judged[draft.text] = found
        if len(self.judged) > MOST_JUDGED:
            del self.judged[next(iter(self.judged))]
        return found

    def judge_anew(self, draft: Draft) -> Judgement:
        """Judge a draft whose judgement is not kept."""
        try:
            return self.judge_letter(draft, self.seen) if self.seen else self.judge_orders(draft)
        except Refused as refused:
            return Judgement(self.idle_trial(), refused.faults, (), None, {}, None)

    def judge_orders(self, draft: Draft) -> Judgement:
        """Judge a file of orders or plans. Raises `Refused` for a text that cannot be read."""
        if is_plan(bare_of(draft.document())):
            return self.judge_plans(draft)
        found = read_orders(draft.document(), LETTER, self.found.table.rules)
        powers, again = tuple(found.powers), found.copy()
        trial = run_through(self.found.table, found, is_whole=not self.is_practice)
        ordering = powers if not trial.is_refused else None
        return Judgement(trial, by_place(trial.faults), (), ordering, draft.orders(), self.trial_of_marches(again))

    def judge_plans(self, draft: Draft) -> Judgement:
        """Judge plans: fight the present battle with them against an enemy who plays to win."""
        table = copy_of(self.found.table)
        own = load_plans(draft.text.encode(), LETTER, table.rules)
        played = fight(table, own, plans_against(table, ENEMY, own))
        trial = Trial(table, played.events, [], played.waiting)
        notes = by_place([fault for _, fault in played.notes])
        return Judgement(trial, notes, (), tuple(own), draft.orders(), None)

    def judge_letter(self, draft: Draft, seen: Guidance) -> Judgement:
        """Judge a letter that answers a report, as `pbem check --report` does. After the end of the game the letter is
        not judged."""
        if seen.is_over:
            return Judgement(self.idle_trial(), (), (), None, {}, None)
        letter, orders = draft.letter(), draft.orders()
        check = Check(letter, self.notes, seen, self.language)
        check.check_head()
        check.check_motion()
        check.check_orders(self.found.table)
        faults = by_place(check.verdict.faults)
        if not seen.seat:
            return Judgement(self.idle_trial(), faults, (), None, orders, None)
        try:
            rules = self.found.table.rules
            found = read_orders(orders_of(letter, check.opened_parts(letter)), LETTER, rules).in_order_of_play(rules)
        except Refused:
            return Judgement(self.idle_trial(), faults, (), None, orders, None)
        powers, again = tuple(found.powers), found.copy()
        trial = run_through(self.found.table, found, is_whole=False)
        ordering = powers if not check.verdict.is_refused else None
        return Judgement(trial, faults, tuple(check.verdict.missing), ordering, orders, self.trial_of_marches(again))

    def resequenced(self, draft: Draft) -> Draft:
        """Return a copy of a draft in which a refused move stands last of its power's moves, if fewer are refused then:
        moves are carried out in their sequence, and a later one may empty the city that a refused one needs."""
        refused, at = refusals(self.judge(draft)), 0
        while at < len(refused):
            trial, fault = draft.copy(), refused[at]
            trial.text = trial.text_with_orders(orders_with_last(trial, fault.line if isinstance(fault, Fault) else 0))
            left = refusals(self.judge(trial))
            draft, refused, at = (trial, left, 0) if len(left) < len(refused) else (draft, refused, at + 1)
        return draft

    def march_in(self, draft: Draft, power: Power, who: Sequence[str]) -> Going | None:
        """Return the march of the pieces `who`, or without `who` the power's last march. Return None if the draft
        cannot be read, or if `going_in` returns None."""
        found = self.orders_in(draft)
        return going_in(self.found.table, found, power, who) if found else None

    def place_of_march(self, draft: Draft, power: Power, who: Sequence[str]) -> int | None:
        """Return the index of the march of the pieces `who` among a power's moves; None if there is none, or if the
        draft cannot be read."""
        found = self.orders_in(draft)
        return place_of_march(self.found.table.rules.common, found, power, who) if found else None

    def orders_in(self, draft: Draft) -> Orders | None:
        """Return a draft's orders in the order of play; None if they cannot be read."""
        try:
            node = orders_of(draft.letter(), {}) if self.seen else draft.document()
            return read_orders(node, LETTER, self.found.table.rules).in_order_of_play(self.found.table.rules)
        except Refused:
            return None

    def trial_of_marches(self, orders: Orders) -> Trial | None:
        """Remove `Done` from the end of all sections, and return the trial of these orders. Return None if no section
        ends with `Done`."""
        ended = [written for each in orders.powers.values() for written in each.sections.values() if is_ended(written)]
        for written in ended:
            written.pop()
        return run_known(self.found.table, orders) if ended else None

    def idle_trial(self) -> Trial:
        """Return the trial of a draft without orders."""
        return Trial(self.found.table, [], [], game_of(self.found.table).decisions(self.found.table))

    def account(self, draft: Draft) -> list[Block]:
        """Return the account of a draft, with the consequences of its orders. It is empty if nothing happens, and if
        nothing can be told of the draft."""
        tried = self.judge(draft)
        if tried.ordering is None or not tried.trial.events:
            return []
        outcome = Outcome(self.found.table, self.found.table, [], self.powers, memory=self.found.memory)
        outcome.add(tried.trial, tried.ordering)
        return [*account_of(outcome, self.language), *consequences_of(outcome, self.language, asks=False)]


def refusals(tried: Judgement) -> list[Wrong]:
    """Return the faults of a judged letter, without warnings."""
    return [fault for fault in tried.faults if not fault.is_warning]


def is_ended(written: Sequence[object]) -> bool:
    """Return whether a section ends with `Done`."""
    return bool(written) and isinstance(written[-1], WrittenOrder) and isinstance(written[-1].said, Done)
