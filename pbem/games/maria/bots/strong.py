"""Strong bot of MARIA: the sensible bot with the weights that games between bots have shown to be best, and the reasons
for its answers."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from random import Random

from pbem.bots.sensible.reasons import aims_by_level, why_card, why_march, why_retreat, why_troops
from pbem.bots.sensible.valuing import PlaceValues
from pbem.bots.weights import fitted_weights
from pbem.engine.decisions import Answer, ChooseRetreat, Decision, March, PlayCard, Recruit, Recruitment
from pbem.engine.nouns import Power
from pbem.faults.wrong import Words, words
from pbem.games.maria.bots import sensible
from pbem.games.maria.bots.sensible.effects import best_execution
from pbem.games.maria.bots.sensible.marching import aims_of, raid_worth
from pbem.games.maria.bots.sensible.politics import (
    Bid,
    affairs_of,
    best_bid,
    bids,
    card_facts,
    cards_of_influence,
    denial_worth,
    markers_abroad,
    troop_total,
)
from pbem.games.maria.bots.sensible.sight import MariaSight, MariaWeights, see
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.politics_data import Political
from pbem.games.maria.rules.state import CorpsTask, Table


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """Return the strong bot's answer. It is the answer of the sensible bot with the weights that games between bots
    have shown to be best."""
    return sensible.choose(table, decision, chance, fitted_weights(table, decision.power, MariaWeights))


def sight_of(table: Table, power: Power) -> MariaSight:
    """Return the position as the player of this power knows it, with the strong bot's weights."""
    return see(table, power, fitted_weights(table, power, MariaWeights))


def why(table: Table, decision: Decision, answer: Answer) -> tuple[Words, ...]:
    """Return the reasons for the strong bot's answer. Return an empty tuple for kinds of decisions without reasons."""
    outlook = sight_of(table, decision.power)
    match decision, answer:
        case March(), _:
            return why_march(judge_of(outlook), decision, answer)
        case PlayCard(), _:
            first = choose(table, decision, Random(0))  # noqa: S311 - a card is chosen without chance
            return why_card(outlook.sight, decision, answer, first)
        case ChooseRetreat(), _:
            return why_retreat(outlook.sight, decision, answer)
        case d.PlaceHussars(), d.HussarPlacement():
            sight = outlook.sight
            worth = raid_worth(sight.common, sight.field, decision, answer)
            return (words("why-hussars", worth=f"{worth:.1f}") if worth else words("why-hussars.none"),)
        case Recruit(), Recruitment():
            return why_troops(outlook.sight, decision.hand, answer)
        case d.PlaceInfluence(), d.Influence():
            return why_influence(outlook, decision, answer)
        case d.SelectPolitics(), d.Politics(number):
            return why_politics(outlook, decision, number)
        case d.SendCorps(), d.Corps():
            return tuple(why_corps(table, decision, answer))
        case d.OfferPeace() | d.AcceptPeace(), _:
            annexation = outlook.rules.game.advanced.annexation
            ours, theirs = troop_total(outlook, annexation.by), troop_total(outlook, annexation.victim)
            return (words("why-peace", markers=markers_abroad(outlook), annexer=ours, victim=theirs),)
    return ()


def why_corps(table: Table, decision: d.SendCorps, answer: d.Corps) -> Iterator[Words]:
    """Yield the reasons for the general of a corps. The first is his troops or their price, the second the city where
    he comes back. If he never comes back, the second says so."""
    rules, state = table.rules, table.state
    if answer.general in decision.recruits:
        yield words("why-corps.recruit", cost=rules.game.advanced.corps_price)
    else:
        yield words("why-corps", troops=state.field.pieces[answer.general].troops)
    if any(isinstance(task, CorpsTask) and task.power == decision.power and task.lasting for task in state.tasks[:1]):
        yield words("why-corps-lasting")
    else:
        board = rules.common.board
        city = board.cities[board.index[board.data.off_map[decision.power].city]].name
        yield words("why-corps-back", city=city)


def why_influence(outlook: MariaSight, decision: d.PlaceInfluence, answer: d.Influence) -> tuple[Words, ...]:
    """Return the reason for placing a card: the political card wanted, and its worth. If no card is placed, return a
    reason for each political card that the power may select."""
    best = best_bid(outlook, decision)
    if answer.card is not None:
        if best is None or best.card != answer.card:
            return (words("why-influence-bluff"),)
        return (
            words(
                "why-influence", number=best.number, title=title_of(outlook, best.number), worth=worth_words(best.stake)
            ),
        )
    able = [bid for bid in bids(outlook, decision) if decision.power in card_facts(outlook, bid.number).arms]
    if not able:
        return (words("why-influence-barred", power=decision.power),)
    return tuple(dict.fromkeys(why_no_bid(outlook, decision, bid) for bid in able))


def title_of(outlook: MariaSight, number: Political) -> str:
    return card_facts(outlook, number).title


def why_no_bid(outlook: MariaSight, decision: d.PlaceInfluence, bid: Bid) -> Words:
    """Return the reason why the power places no card for a political card that it may select."""
    if bid.stake < outlook.weights.worth_a_card:
        return words(
            "why-influence-little", number=bid.number, title=title_of(outlook, bid.number), worth=worth_words(bid.stake)
        )
    if not bid.is_needed:
        return words("why-influence-enough", number=bid.number, title=title_of(outlook, bid.number))
    if not cards_of_influence(outlook, decision):
        return words("why-influence-none")
    if bid.card is None:
        return words("why-influence-outbid", number=bid.number, title=title_of(outlook, bid.number))
    return words(
        "why-influence-dear",
        number=bid.number,
        title=title_of(outlook, bid.number),
        worth=worth_words(bid.stake),
        cost=cost_words(bid.cost),
    )


def why_politics(outlook: MariaSight, decision: d.SelectPolitics, number: Political | None) -> tuple[Words, ...]:
    """Return the reasons for selecting a political card, or for selecting none."""
    if number is None:
        return tuple(why_unselected(outlook, decision))
    gain, denied = gain_by(outlook, decision, number), denied_by(outlook, decision, number)
    brings = (
        (words("why-politics", number=number, title=title_of(outlook, number), worth=worth_words(gain)),)
        if gain > 0
        else ()
    )
    return (*brings, *([words("why-deny")] if denied > gain else []))


def why_unselected(outlook: MariaSight, decision: d.SelectPolitics) -> Iterator[Words]:
    """Yield the reason not to select a political card, for each card: its worth, compared with the cost of the power's
    influence."""
    cost = outlook.weights.price * affairs_of(outlook).display[decision.power].influence
    for number in decision.cards:
        worth = gain_by(outlook, decision, number) + denied_by(outlook, decision, number)
        yield words(
            "why-no-politics",
            number=number,
            title=title_of(outlook, number),
            worth=worth_words(worth),
            cost=cost_words(cost),
        )


def gain_by(outlook: MariaSight, decision: d.SelectPolitics, number: Political) -> float:
    """Return the gain of a power by the best execution of a political card; 0 if the power may execute no card."""
    return best_execution(outlook, decision.power, card_facts(outlook, number)).gain if decision.may_execute else 0.0


def denied_by(outlook: MariaSight, decision: d.SelectPolitics, number: Political) -> float:
    """Return the worth of keeping a political card from the powers that select after this power."""
    return denial_worth(outlook, decision.power, card_facts(outlook, number), affairs_of(outlook).order[1:])


def worth_words(worth: float) -> Words:
    """Return words for a worth, in tactical cards drawn, rounded down to half a card."""
    return counted_cards(floor(2 * worth))


def cost_words(cost: float) -> Words:
    """Return words for a cost, rounded up to half a card."""
    return counted_cards(ceil(2 * cost))


def counted_cards(halves: int) -> Words:
    """Return words for a number of drawn cards, given in halves."""
    if halves < 3:
        return words(("worth-little", "worth-half", "worth-one")[max(0, halves)])
    return words("worth-cards", number=f"{halves // 2}{'½' if halves % 2 else ''}")


def judge_of(outlook: MariaSight) -> PlaceValues:
    return PlaceValues(outlook.sight, aims_of(outlook))


AIMS = aims_by_level(
    strong=lambda table, power: judge_of(sight_of(table, power)),
    sensible=lambda table, power: judge_of(see(table, power)),
)
"""Functions that return the aim of a march, keyed by the level of the bot that has chosen the march."""
