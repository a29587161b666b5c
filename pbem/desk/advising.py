"""Advice of the best bot, with reasons. The bot knows only what the player knows, and plans the marches of a stage once
(ADR 53)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.plain import game_bots
from pbem.desk.draft import LETTER
from pbem.desk.hauling import haul_words, is_haul, toll_words
from pbem.desk.hunger import costs
from pbem.desk.reach import Warned, stronger_near, warnings_of
from pbem.desk.shared_cards import last_card, needed_later, paid_away, same_cards
from pbem.desk.stage_plan import (
    Planned,
    answer_of,
    cut_off_by,
    decisions_of,
    hungry_prey,
    is_legal,
    marches_of,
    moved_by,
    still_cut_off,
)
from pbem.desk.trains import train_dangers, train_returns
from pbem.engine.decisions import (
    Allot,
    Allotment,
    Answer,
    ChooseRetreat,
    Decision,
    Done,
    March,
    Move,
    PlayCard,
    Recruitment,
    Reenter,
    RetreatAlong,
)
from pbem.engine.events import Event, Marched
from pbem.engine.memory import Memory
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.table import Table
from pbem.faults.wrong import Words, words, wrong
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.orders.files import sections_of
from pbem.paper.orders.moves import MOVE
from pbem.paper.orders.trial import Trial
from pbem.report import blocks
from pbem.report.blocks import table_in_words
from pbem.report.letters.supply_ahead import lost_at_next_test
from pbem.report.retreats import cutting_off, open_to_beaten
from pbem.report.telling import game_report
from pbem.report.victory import goals_reached
from pbem.seal.canonical import Tree


class Counsel(Struct, frozen=True):
    """Advice on one question: an answer, with reasons and warnings."""

    power: Power
    sections: dict[str, Tree]
    """The answer as sections of orders."""
    why: tuple[str, ...]
    """Reasons in words, as the game's bot gives them (`GameBots.why`), without those in `fight`; empty if there was
    nothing to weigh."""
    starves: tuple[str, ...]
    """Generals who would be out of supply after the march, with trains and enemies as they stand now."""
    costs: str = ""
    """Sentence on what the generals of `starves` lose if they stay out of supply, and when; empty if there are none."""
    dangers: tuple[str, ...] = ()
    """Sentences on trains of the power that enemies could take. They could do so after the advised march, or now if no
    march is advised. Trains that march later in the plan are left out."""
    returns: tuple[str, ...] = ()
    """Sentences on lost trains of the power that an order could bring back now; empty if the advice itself brings a
    train back, or is not about marches."""
    first: tuple[str, ...] = ()
    """Sentences that stand before the reasons: the later march on which the supply depends, and a stronger enemy who
    could come to where the march ends."""
    fight: tuple[str, ...] = ()
    """Reasons on the battle of an advised march: the chance to win, and battles that need the same cards."""
    risk: str = ""
    """Sentence on what following the advice costs for sure, or nearly so: generals who are lost to supply at its next
    test, or a battle that is as good as lost. Empty if it costs nothing like that."""


GivenMarch: TypeAlias = tuple[tuple[Piece, ...], tuple[City, ...]]
"""Pieces that have marched, and their path."""


class Adviser:
    """Adviser of some powers in one stage, who plans all their marches once and advises one march at a time."""

    def __init__(self, powers: Collection[Power], before: Iterable[Event], memory: Memory | None = None) -> None:
        """Store the advised powers. `before` has the known events before the stage."""
        self.powers, self.declared = powers, memory.strengths if memory else ()
        self.came = {
            piece: (event.start, event.path[-1])
            for event in before
            if isinstance(event, Marched)
            for piece in event.pieces
        }
        """First and last city of each piece's last march."""
        self.plan: list[tuple[Power, Planned]] = []
        """Planned marches, each with its power, in the order in which they are to be ordered."""
        self.staying: Mapping[Piece, str] = {}
        """Generals who do not march in the plan because they would be out of supply, or in reach of a clearly stronger
        enemy, for nothing. Each comes with the key of the reason."""
        self.begun: frozenset[GivenMarch] | None = None
        """Marches that had been ordered when the plan was made; None if there is no plan."""
        self.gone: frozenset[Piece] = frozenset()
        """Pieces that have marched according to the orders."""
        self.others: Mapping[str, Tree] = {}
        """Orders other than marches when the plan was made, keyed by power."""

    def plan_marches(self, trial: Trial, orders: Mapping[str, Tree]) -> None:
        """Plan the marches that are to follow the orders. Keep the old plan if the orders have since gained only
        marches of that plan."""
        given = frozenset((event.pieces, event.path) for event in trial.events if isinstance(event, Marched))
        self.gone = frozenset(piece for pieces, _ in given for piece in pieces)
        others = {power: rest for power, each in orders.items() if (rest := without_moves(each))}
        known = {(each.pieces, each.path) for _, each in self.plan if isinstance(each, Move)}
        if self.begun is None or others != self.others or not self.begun <= given <= self.begun | known:
            self.plan, self.staying = marches_of(trial.table, self.powers, self.declared)
            self.begun, self.others = given, others

    def counsels(self, table: Table, language: str, names: Collection[str]) -> Iterator[Counsel]:
        """Yield advice on every open decision at a table; on marches for the pieces with these names, if any are given.
        Where other pieces must march first, the advice is to make no march, and its reason names those pieces."""
        spoken = table_in_words(table, language)
        for decision in decisions_of(table, self.powers):
            if not isinstance(decision, March):
                yield self.counsel(table, decision, answer_of(table, decision), language)
                continue
            named = march_of(table, decision, names)
            march = self.next_march(table, named)
            if march and moved_by(march).isdisjoint((*named.pieces, *named.trains)):
                pieces = tuple(blocks.pieces(spoken.rules.common, sorted(moved_by(march))))
                why = (words("why-after", pieces=pieces).text(language),)
                stays = sections_of(table, decision.power, decision, Done())
                yield Counsel(decision.power, stays, why, (), returns=self.returns(spoken, decision, language))
            elif march:
                yield self.counsel(table, named, march, language)
            else:
                none = self.counsel(table, named, Done(), language)
                if self.staying.keys() >= {*named.pieces}:
                    keys = dict.fromkeys(self.staying[each] for each in named.pieces)
                    reasons = (*map(words, keys), *missed_trains(spoken, named))
                    none = replace(none, why=tuple(each.text(language) for each in reasons))
                if names:
                    reader = Warned(self.powers, self.declared, language)
                    none = replace(none, first=tuple(stronger_near(spoken, named.pieces, reader)))
                yield none

    def next_march(self, table: Table, named: March) -> Planned | None:
        """Return the next legal march of the plan for the pieces of `named`. If there is none, return the next legal
        march of other pieces, since these may have to march first. Return None if no march of the plan is legal, or if
        the plan has no march at all for the pieces of `named`.

        Marches that bring supply to generals who have marched come first.
        """
        able = {
            piece
            for each in decisions_of(table, self.powers)
            if isinstance(each, March)
            for piece in (*each.pieces, *each.trains)
        }
        hungry = [piece for piece in self.gone if still_cut_off(table, [piece])]
        bringing = self.bringing_supply(table, hungry) if hungry else frozenset()
        left = [(power, each) for power, each in self.plan if moved_by(each) <= able]
        left.sort(key=lambda each: bringing.isdisjoint(moved_by(each[1])))
        meant = [each for _, each in left if not moved_by(each).isdisjoint((*named.pieces, *named.trains))]
        legal = (each for each in meant if is_legal(table, named.power, each))
        first = (each for power, each in left if meant and is_legal(table, power, each))
        return next(legal, None) or next(first, None)

    def counsel(self, table: Table, decision: Decision, answer: Answer, language: str) -> Counsel:
        """Return an answer as advice, with reasons in words."""
        named = table_in_words(table, language)
        reasons = game_bots(table.rules.terms.game).why(named, decision, answer)
        if isinstance(answer, Move) and self.leads_back(table, answer):
            reasons = (words("why-back"), *reasons)
        if isinstance(answer, Move) and is_haul(table, answer):
            reasons = tuple(haul_words(named, decision, answer, reasons))
        elif isinstance(answer, Move):
            reasons = (*toll_words(named, decision.power, answer), *self.with_shared_cards(named, answer, reasons))
        elif isinstance(decision, March) and isinstance(answer, Done):
            reasons = (*reasons, *missed_trains(named, decision))
        elif isinstance(decision, PlayCard):
            reasons = (*reasons, *last_card(decision, answer), *needed_later(named, decision))
        elif isinstance(answer, Recruitment):
            reasons = (*reasons, *paid_away(named, decision.power, answer, self.powers))
        elif isinstance(decision, ChooseRetreat) and isinstance(answer, RetreatAlong):
            reasons = (*retreat_words(named, decision, answer.path[-1]), *reasons)
        starved, lost, first, starve = starving(table, answer), "", tuple[str, ...](), list[Piece]()
        if isinstance(answer, Move) and (hungry := cut_off_by(table, answer)):
            supply = self.supply_later(named, decision.power, answer, hungry)
            reasons = tuple(each for each in reasons if each.key != "why-hungry")
            # Nothing is lost if a later march of the plan brings supply to these generals.
            if supply.key == "why-hungry":
                lost, reasons = costs(table, hungry, answer.path[-1], language), (*reasons, supply)
                starve = lost_at_next_test(table, hungry, answer.path[-1])
            else:
                starved, first = (), (supply.text(language),)
        if isinstance(answer, Move):
            later = {piece for _, each in self.plan for piece in moved_by(each)}
            first += tuple(warnings_of(named, answer, later, Warned(self.powers, self.declared, language)))
        return Counsel(
            decision.power,
            sections_of(table, decision.power, decision, answer),
            (*self.goals_reached_by(table, answer, language), *texts_of(reasons, language, fights=False)),
            starved,
            lost,
            self.train_dangers_after(table, decision, answer, language) if isinstance(decision, March) else (),
            self.returns(named, decision, language)
            if isinstance(decision, March) and not isinstance(answer, Reenter)
            else (),
            first,
            tuple(texts_of(reasons, language, fights=True)),
            " ".join(each.text(language) for each in risks(named, starve, reasons)),
        )

    def with_shared_cards(self, named: Table, move: Move, reasons: Iterable[Words]) -> Iterator[Words]:
        """Yield the reasons for a march. Behind its battle stand the battles ordered before that could
        use the same cards."""
        for each in reasons:
            yield each
            if each.key in OF_FIGHTS:
                yield from same_cards(named, move, self.powers)

    def goals_reached_by(self, table: Table, answer: Answer, language: str) -> Iterator[str]:
        """Yield a sentence on each goal that a march reaches; nothing for other answers."""
        if not isinstance(answer, Move):
            return
        before, tried = [*goals_reached(table, self.powers, language)], copy_of(table)
        game_of(tried).apply(tried, table.rules.common.pieces[answer.pieces[0]].power, answer)
        yield from (each for each in goals_reached(tried, self.powers, language) if each not in before)

    def returns(self, named: Table, decision: March, language: str) -> tuple[str, ...]:
        """Return a sentence on each lost train that could come back now. `named` is a table that names pieces in the
        language."""
        rules = named.rules.common
        planned = {rules.pieces[each.train].name for _, each in self.plan if isinstance(each, Reenter)}
        return tuple(
            words(
                "train-may-return.planned" if each.train in planned else "train-may-return",
                piece=each.train,
                cities=tuple(each.ways),
            ).text(language)
            for each in train_returns(named, [decision.power])
        )

    def train_dangers_after(self, table: Table, decision: March, answer: Answer, language: str) -> tuple[str, ...]:
        """Return a sentence on each train that enemies could take after an answer, except trains that march later in
        the plan."""
        tried, rules = copy_of(table), table.rules.common
        moved = moved_by(answer) if isinstance(answer, Planned) else frozenset[Piece]()
        if isinstance(answer, Planned):
            game_of(tried).apply(tried, decision.power, answer)
        later = {piece for _, each in self.plan for piece in moved_by(each)} - moved
        staying = {rules.pieces[train].name for train in rules.trains(decision.power) if train not in later}
        return tuple(
            danger.says
            for danger in train_dangers(tried, [decision.power], language)
            if staying.issuperset(danger.pieces)
        )

    def supply_later(self, named: Table, power: Power, move: Move, hungry: Collection[Piece]) -> Words:
        """Return words on the supply of the generals `hungry`, whom a march leaves out of supply. The words name the
        pieces that bring supply later in the plan, if any do."""
        tried = copy_of(named)
        game_of(tried).apply(tried, power, move)
        bringing = self.bringing_supply(tried, hungry)
        if not bringing:
            return words("why-hungry")
        return words("why-fed-later", pieces=tuple(blocks.pieces(tried.rules.common, sorted(bringing))))

    def bringing_supply(self, table: Table, hungry: Collection[Piece]) -> frozenset[Piece]:
        """Return the pieces whose planned marches bring these generals into supply, where they then stay until the plan
        ends; empty if there are none."""
        tried, bringing = copy_of(table), frozenset[Piece]()
        for each, planned in self.plan:
            if is_legal(tried, each, planned):
                game_of(tried).apply(tried, each, planned)
                is_fed = not still_cut_off(tried, hungry)
                bringing = (bringing or moved_by(planned)) if is_fed else frozenset()
        return bringing

    def leads_back(self, table: Table, move: Move) -> bool:
        """Return whether a march brings a piece to where its last march began."""
        places = table.state.field.pieces
        return any(self.came.get(piece) == (move.path[-1], places[piece].city) for piece in move.pieces)


OF_FIGHTS = ("why-fight", "why-fight.lost")
"""Wordings of the battle of a march."""


def texts_of(reasons: Iterable[Words], language: str, fights: bool) -> list[str]:
    """Return the texts of those reasons that are about the battle of a march (`fights`), or of the others."""
    return [
        each.text(language)
        for each in reasons
        if (each.key in (*OF_FIGHTS, "why-same-cards", "why-same-reserve")) == fights
    ]


def without_moves(sections: Tree) -> Tree:
    return (
        {name: each for name, each in sections.items() if name != MOVE.name} if isinstance(sections, dict) else sections
    )


def march_of(table: Table, decision: March, names: Collection[str]) -> March:
    """Return a decision on marches, limited to the named pieces. If none of these may move, return the decision
    unchanged."""
    pieces = tuple(each for each in decision.pieces if table.rules.common.pieces[each].name in names)
    return replace(decision, pieces=pieces, trains={}, leaving=()) if pieces else decision


def starving(table: Table, answer: Answer) -> tuple[str, ...]:
    """Return the names of the generals whom a march leaves out of supply; empty if the answer is no march."""
    return tuple(blocks.pieces(table.rules.common, cut_off_by(table, answer))) if isinstance(answer, Move) else ()


def missed_trains(named: Table, march: March) -> Iterator[Words]:
    """Yield words on each general who could take enemy trains, but only by a march out of supply."""
    rules = named.rules.common
    for general in filter(rules.is_general, march.pieces):
        if trains := hungry_prey(named, general):
            pieces = tuple(blocks.pieces(rules, trains))
            yield words("why-misses-train", piece=blocks.piece(rules, general), pieces=pieces)


def retreat_words(named: Table, decision: ChooseRetreat, end: City) -> Iterator[Words]:
    """Yield words on the supply of the player's generals: whom the beaten cut off at an end of their retreat, or whom
    they would cut off elsewhere, and the trains that they could take from there."""
    cuts, rules = cutting_off(named, decision), named.rules.common
    here, elsewhere = cuts[end], sorted({piece for pieces in cuts.values() for piece in pieces})
    if elsewhere:
        key = "why-retreat-cuts" if here else "why-retreat-spares"
        yield words(key, pieces=tuple(blocks.pieces(rules, here or elsewhere)))
    if trains := open_to_beaten(named, decision)[end][1]:
        yield words("why-retreat-trains", pieces=tuple(blocks.pieces(rules, trains)))


def risks(named: Table, starve: Sequence[Piece], reasons: Collection[Words]) -> Iterator[Words]:
    """Yield words on generals whom a march loses to supply, and on a battle of the march that is as good as lost."""
    if starve:
        yield words("risk-starves", pieces=tuple(blocks.pieces(named.rules.common, starve)))
    if any(each.key == "why-fight.lost" for each in reasons):
        yield words("risk-battle")


def dealings(
    table: Table, powers: Collection[Power], kept: Mapping[Power, Mapping[str, int]] | None = None
) -> dict[str, Tree]:
    """Return the order sections that deal out troops, for each power that must do so now. `kept` fixes the troops of
    some generals, keyed by power and general. Raises `Refused` if the other generals cannot take the remaining
    troops."""
    beginning, found = game_report(table.rules.terms.game).beginning, dict[str, Tree]()
    for decision in decisions_of(table, powers):
        if isinstance(decision, Allot):
            answer = beginning(table, decision) or answer_of(table, decision)
            assert isinstance(answer, Allotment)
            named = (kept or {}).get(decision.power, {})
            fixed = {
                general: named[name]
                for general in decision.least
                if (name := blocks.piece(table.rules.common, general)) in named
            }
            given = Allotment(shared_out(decision, answer, fixed) if fixed else answer.troops)
            found[decision.power] = sections_of(table, decision.power, decision, given)
    return found


def shared_out(decision: Allot, answer: Allotment, fixed: Mapping[Piece, int]) -> dict[Piece, int]:
    """Return the troops of each general. Generals in `fixed` get the troops given there. The others share the remaining
    troops as in the answer, as far as possible. Raises `Refused` if the others cannot take these troops."""
    troops = {**answer.troops, **fixed}
    others = [general for general in troops if general not in fixed]
    left = decision.troops - sum(fixed.values())
    if not sum(decision.least[each] for each in others) <= left <= decision.most * len(others):
        raise Refused(LETTER, [wrong("E-DESK-DEAL", left=left, generals=len(others), most=decision.most)])
    while gap := left - sum(troops[each] for each in others):
        # In this case the others have too few troops together, or too many.
        poorest = min(others, key=lambda each: troops[each])
        richest = max(others, key=lambda each: troops[each] - decision.least[each])
        troops[poorest if gap > 0 else richest] += 1 if gap > 0 else -1
    return troops
