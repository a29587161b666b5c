"""Prussia's Offensive Option in the expert game: declaration, the card at stake, failure, and the rival's claim (§13).

Until it is declared or declined the power may conquer; once the option is declined there is none any more, and the
state keeps nothing of it.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection

from pbem.engine.battle import Outcome
from pbem.engine.cards import is_reserve, value_of
from pbem.engine.events import Event
from pbem.engine.field import unmark
from pbem.engine.nouns import City, Power
from pbem.games.friedrich.rules.exchanges import check_card
from pbem.games.friedrich.rules.fate_data import OffensiveFacts
from pbem.games.friedrich.rules.fate_decisions import GiveCard, GivenCard
from pbem.games.friedrich.rules.fate_events import (
    OffensiveCardTaken,
    OffensiveDeclared,
    OffensiveDeclined,
    OffensiveFailed,
)
from pbem.games.friedrich.rules.state import DeclareTask
from pbem.games.friedrich.rules.table import Table, active


def facts(table: Table) -> OffensiveFacts:
    """Whose option it is, and its numbers."""
    return table.rules.fate.offensive


def at_draw(table: Table) -> None:
    """In its turn, when the cards are drawn and before anything moves, the power is asked to declare.

    It is asked even without a card that is high enough, for being passed over would tell its hand.
    """
    option, state = table.state.fate.offensive, table.state
    if option is not None and active(table) == facts(table).power and state.turn == facts(table).turn:
        state.tasks.append(DeclareTask(active(table)))


def decision(table: Table, power: Power) -> GiveCard:
    """The cards that are high enough; a Reserve counts as the highest that it can be."""
    most, least = table.rules.common.decks.reserve_most, facts(table).least
    hand = table.state.cards.hands[power]
    high = tuple(card for card in hand if (most if is_reserve(card) else value_of(card)) >= least)
    return GiveCard(power, "offensive", facts(table).against, high, may_decline=True)


def declare(table: Table, decision: GiveCard, answer: GivenCard) -> list[Event]:
    """Set the card aside face-up; without one the option is gone, and what was conquered for it with it."""
    check_card(decision, answer)
    fate = table.state.fate
    assert fate.offensive is not None
    if answer.card is None:
        fate.offensive = None
        return [OffensiveDeclined(decision.power, give_back(table))]
    table.state.cards.hands[decision.power].remove(answer.card)
    fate.offensive.declared, fate.offensive.card = True, answer.card
    return [OffensiveDeclared(decision.power, answer.card)]


def give_back(table: Table) -> tuple[City, ...]:
    """Take the power's markers off its objectives, and its question marks; none of them counts any more."""
    field, power = table.state.field, facts(table).power
    cities = tuple(city for city in table.rules.objectives[power] if field.markers.get(city) == power)
    unmark(field, cities)
    for city in table.rules.objectives[power]:
        if field.questions.get(city) == power:
            del field.questions[city]
    return cities


def may_conquer(table: Table) -> bool:
    """Whether the power may conquer its objectives now: the option is still open, or declared and not failed."""
    option = table.state.fate.offensive
    return option is not None and not option.failed


def after_combat(table: Table, outcome: Outcome) -> list[Event]:
    """A clear defeat by the rival costs the card that was set aside."""
    lost = (outcome.loser, outcome.winner) == (facts(table).power, facts(table).against)
    return take_card(table) if lost and outcome.score >= facts(table).defeat else []


def after_supply(table: Table, starved: Collection[City]) -> list[Event]:
    """A general of the power lost by hunger south of the line costs it too; these are the cities where some were."""
    if not starved or active(table) != facts(table).power:
        return []
    south = table.rules.common.board.south_of(facts(table).starved_south_of)
    return take_card(table) if any(city in south for city in starved) else []


def take_card(table: Table) -> list[Event]:
    """The rival takes the card that was set aside, once."""
    option, rival = table.state.fate.offensive, facts(table).against
    if option is None or option.card is None:
        return []
    card = option.card
    insort(table.state.cards.hands[rival], card)
    option.card, option.taken = None, True
    return [OffensiveCardTaken(rival, card), *check_ruin(table)]


def check_ruin(table: Table) -> list[Event]:
    """The option fails when the card is taken and the subsidy has been cut for the first time, whichever comes last."""
    fate = table.state.fate
    option = fate.offensive
    cut = any(stroke in fate.out for stroke in facts(table).ruined_by)
    if option is None or option.failed or not (option.taken and cut):
        return []
    option.failed = True
    return [OffensiveFailed(facts(table).power, give_back(table))]


def claimed(table: Table, power: Power) -> int:
    """How many objectives a power may count without holding them: the rival some, once the option was declared.

    He must really hold at least one of his objectives in the land that the rule names.
    """
    rules, field = table.rules, table.state.field
    option = table.state.fate.offensive
    if option is None or not option.declared or power != facts(table).against:
        return 0
    land = rules.common.board.land
    there = [city for city in rules.objectives[power] if land[city] == facts(table).claim_land]
    return facts(table).claim if any(field.markers.get(city) == power for city in there) else 0


def won(table: Table) -> bool:
    """Whether the power holds all objectives of its declared option, which has not failed."""
    option = table.state.fate.offensive
    if option is None or not option.declared or option.failed:
        return False
    markers, power = table.state.field.markers, facts(table).power
    return all(markers.get(city) == power for city in table.rules.objectives[power])
