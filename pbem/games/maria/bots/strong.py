"""Strong bot of MARIA: the sensible bot with weights fitted by games between bots, and the reasons for its answers."""

from __future__ import annotations

from random import Random

from pbem.bots.sensible.reasons import aims_by_level, why_card, why_march, why_troops
from pbem.bots.sensible.valuing import PlaceValues
from pbem.bots.weights import fitted_weights
from pbem.engine.decisions import Answer, Decision, March, PlayCard, Recruit, Recruitment
from pbem.engine.nouns import Power
from pbem.faults.wrong import Words, words
from pbem.games.maria.bots import sensible
from pbem.games.maria.bots.political_reasons import why_influence, why_politics
from pbem.games.maria.bots.sensible.marching import aims_of
from pbem.games.maria.bots.sensible.politics import markers_abroad, troop_total
from pbem.games.maria.bots.sensible.sight import MariaSight, MariaWeights, see
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.state import Table


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """Return the answer of the sensible bot with weights that were fitted by games between bots."""
    return sensible.choose(table, decision, chance, fitted_weights(table, decision.power, MariaWeights))


def sight_of(table: Table, power: Power) -> MariaSight:
    """Return the position as the player of this power knows it, with the strong bot's weights."""
    return see(table, power, fitted_weights(table, power, MariaWeights))


def why(table: Table, decision: Decision, answer: Answer) -> tuple[Words, ...]:
    """Return the reasons for the strong bot's answer. Only some kinds of decisions have reasons."""
    outlook = sight_of(table, decision.power)
    match decision, answer:
        case March(), _:
            return why_march(judge_of(outlook), decision, answer)
        case PlayCard(), _:
            first = choose(table, decision, Random(0))  # noqa: S311 - a card is chosen without chance
            return why_card(outlook.sight, decision, answer, first)
        case Recruit(), Recruitment():
            return why_troops(outlook.sight, decision.hand, answer)
        case d.PlaceInfluence(), d.Influence():
            return why_influence(outlook, decision, answer)
        case d.SelectPolitics(), d.Politics(number):
            return why_politics(outlook, decision, number)
        case d.OfferPeace() | d.AcceptPeace(), _:
            annexation = outlook.rules.game.advanced.annexation
            ours, theirs = troop_total(outlook, annexation.by), troop_total(outlook, annexation.victim)
            return (words("why-peace", markers=markers_abroad(outlook), annexer=ours, victim=theirs),)
    return ()


def judge_of(outlook: MariaSight) -> PlaceValues:
    return PlaceValues(outlook.sight, aims_of(outlook))


AIMS = aims_by_level(
    strong=lambda table, power: judge_of(sight_of(table, power)),
    sensible=lambda table, power: judge_of(see(table, power)),
)
"""Functions that return the aim of a power's march, by the level of the bot that has chosen it."""
