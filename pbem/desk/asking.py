"""Questions to a player: forms for open decisions, their cards, and battles under way or to come."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from pbem.desk.steps import ForcedStop
from pbem.engine.combat import pairings
from pbem.engine.decisions import Decision, PlayCard, Stop
from pbem.engine.events import BattleWon, Event, GeneralRemoved, RetreatImpossible
from pbem.engine.field import stack_at
from pbem.engine.memory import Memory
from pbem.engine.nouns import City, Power, each_piece
from pbem.engine.table import GameRules, Table
from pbem.kit import AnyView, copy_of, game_of
from pbem.paper.orders.files import form_of
from pbem.paper.orders.forms import Form, ending_value, has_payable
from pbem.paper.orders.names import SectionWriter
from pbem.plans.choices import game_plans
from pbem.report import blocks
from pbem.report.account import Passage, Voice, event_groups, events_by_heading, passage
from pbem.report.language.options import open_decisions
from pbem.report.printed import PrintedCard
from pbem.report.retreats import losses, retreat_ends, told_retreat
from pbem.report.telling import AnyGameReport, game_report, question
from pbem.site.archive import bare_text


class Fighter(Struct, frozen=True):
    """One side of a battle."""

    power: Power
    city: str
    called: str
    """Name of the city in the reader's language."""
    suit: str
    troops: int | None
    """Troops of the side; None if the reader does not know them."""
    cards: int
    """Number of cards in the power's hand."""


class OpenBattle(Struct, frozen=True):
    """Battle in which the reader is to play a card."""

    score: int
    """The score from the reader's side."""
    own: Fighter
    foe: Fighter
    after: dict[str, int]
    """Score after each playable card, keyed by the card as orders write it."""
    told: str
    """Sentences on the cards that were played last, or on the beginning of the battle; empty if the events are
    unknown."""
    at: str
    """City of the defender in the reader's language. The battle has its name from this city."""
    lost: tuple[str, ...] = ()
    """Generals who leave the map if the reader stops now, as orders name them; empty if the troops are unknown."""
    costs: int = 0
    """Troops that the reader loses by stopping now: all of them if the stack has no way to retreat."""


class Asked(Struct, frozen=True):
    """Open decision, with its form and everything shown beside it."""

    power: Power
    question: str
    form: Form
    data: dict[str, object]
    """The decision as `pbem legal --json` has it, without the cities where marches can end (`OpenedTable.reach`)."""
    printed: tuple[PrintedCard, ...]
    """The cards that the decision is about."""
    words: Mapping[str, str]
    """Words for options that orders write in short (`GameReport.option_words`)."""
    fight: OpenBattle | None
    free: bool
    """True if the player may make the decision, but need not."""
    may_end: bool
    """True if the player may answer with nothing, or with nothing more."""
    more: bool = False
    """True if the decision is answered, and more can be added to the answer."""
    ends: Mapping[str, tuple[str, ...]] = {}
    """Sentences on each city where a retreat may end (`retreat_ends`)."""
    payable: bool = False
    """True if the cards in hand can pay for something that the decision offers."""


def questions_at(
    table: Table, powers: Collection[Power], memory: Memory | None, language: str, events: Sequence[Event] = ()
) -> list[Asked]:
    """Return the decisions that some powers must or may make now. `events` are the last events that these powers have
    seen."""
    game, told = game_of(table), game_report(table.rules.terms.game)
    view, open_view = game.view(table, tuple(powers)), game.view(table, ())
    places = {index: piece.city for index, piece in each_piece(open_view.pieces) if piece.city >= 0}
    must = game.decisions(table)
    return [
        Asked(
            decision.power,
            bare_text(question(table.rules, decision, places, language, beside(cards, told, table, decision))),
            form,
            data,
            cards,
            told.option_words(table, decision, language),
            fight_in(table, decision, view, language, events) if isinstance(decision, PlayCard) else None,
            decision not in must,
            ending_value(form.input) is not None,
            ends=retreat_ends(table, decision, language),
            payable=has_payable(form.input),
        )
        for decision, data in open_decisions(table, powers, (), memory, with_ends=False)
        if isinstance(decision, Decision)
        for form in (form_of(table, decision),)
        for cards in (told.printed(table, decision, language),)
    ]


def beside(cards: Sequence[PrintedCard], told: AnyGameReport, table: Table, decision: Decision) -> Mapping[str, object]:
    """Return facts for a question with printed cards, such as the trump; empty for other questions."""
    return {**told.worth_knowing(table, decision).data, "offers": ()} if cards else {}


def fight_in(
    table: Table, decision: PlayCard, view: AnyView, language: str, events: Sequence[Event]
) -> OpenBattle | None:
    """Return the battle in which a card is to be played, as `view` shows it; None if there is none."""
    duel = view.duel
    if duel is None:
        return None
    pen = SectionWriter(table.rules.common, decision.power)
    sides = [(duel.attacker, duel.attacking_city), (duel.defender, duel.defending_city)]
    own, foe = sides if duel.attacker == decision.power else reversed(sides)
    plays = game_plans(table).playable_cards(table, decision)
    after = {pen.card(play.card, play.value): decision.score + play.worth for play in plays}
    mine, theirs = (fighter(table, view, power, city, language) for power, city in (own, foe))
    told = battle_passage(table.rules, events, language)
    last = " ".join(told.exchanges[-2:]) if told else ""
    at = theirs.called if duel.attacker == decision.power else mine.called
    lost, costs = lost_by_stop(table, decision, mine)
    return OpenBattle(decision.score, mine, theirs, after, last or (told.text if told else ""), at, lost, costs)


def lost_by_stop(table: Table, decision: PlayCard, own: Fighter) -> tuple[tuple[str, ...], int]:
    """Return the generals who leave the map if the power stops now, and the number of troops that it loses. If the
    reader does not know the troops of the stack, return no generals, and the score."""
    if decision.score >= 0 or own.troops is None:
        return (), max(-decision.score, 0)
    tried = copy_of(table)
    events = losses(game_of(tried).apply(tried, decision.power, Stop()))
    gone = [event.piece for event in events if isinstance(event, GeneralRemoved)]
    costs = sum(event.troops for event in events if isinstance(event, BattleWon | RetreatImpossible))
    return tuple(blocks.pieces(table.rules.common, gone)), costs


def stop_of(fight: OpenBattle) -> ForcedStop:
    """Return the end of a battle if the reader stops now. A stack loses no more than it has (§11.1)."""
    return ForcedStop(fight.at, fight.own.suit, -fight.score, min(-fight.score, fight.own.troops or 0))


def told_defeat(table: Table, events: Sequence[Event], powers: Collection[Power], language: str) -> str:
    """Return sentences on the result of a battle in `events` for the beaten stack: the generals who are lost, and what
    follows from that or from a retreat (`told_retreat`). Return an empty text if no stack was beaten."""
    lost = losses(events)[1:]
    told = passage(Voice(table.rules, language), lost) if lost else None
    sentences = bare_text(told.text) if told else "", told_retreat(table, events, powers, language)
    return " ".join(filter(None, sentences))


def battle_passage(rules: GameRules, events: Sequence[Event], language: str) -> Passage | None:
    """Return the passage on the battle in which the events end; None if there is none."""
    groups = event_groups(events_by_heading(events)[-1][1], game_report(rules.terms.game))
    told = passage(Voice(rules, language), groups[-1]) if groups else None
    return told if told and told.of_battle else None


def fighter(table: Table, view: AnyView, power: Power, city: City, language: str) -> Fighter:
    """Return one side of a battle, as `view` shows it."""
    rules = table.rules.common
    troops = [each.troops for _, each in each_piece(view.pieces) if each.city == city and each.kind == "general"]
    known = None if None in troops else sum(troops)
    name, called = blocks.city(rules, city), blocks.city(blocks.common_in_words(rules, language), city)
    return Fighter(power, name, called, blocks.city_suit(rules, city), known, view.hand_sizes[power])


class StandOff(Struct, frozen=True):
    """Generals of the reader who have to fight enemy generals in a neighbouring city."""

    pieces: tuple[str, ...]
    foes: tuple[str, ...]


def stand_offs(table: Table, powers: Collection[Power], marching: Collection[Power]) -> tuple[StandOff, ...]:
    """Return the combats that follow if the powers `marching` march no more: those of all among `powers` that act in
    the same stage."""
    rules, field = table.rules.common, table.state.field
    stages = {field.alliances.stage[power] for power in marching}
    acting = [power for power in powers if field.alliances.stage.get(power) in stages]

    def generals(city: City) -> tuple[str, ...]:
        return tuple(blocks.pieces(rules, stack_at(rules, field, city)))

    found = pairings(rules, field, acting)
    return tuple(StandOff(generals(each.attacker), generals(each.defender)) for each in found)
