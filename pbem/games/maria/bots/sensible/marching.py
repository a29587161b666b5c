"""Movement phase: marches, and lost trains that come back."""

from __future__ import annotations

from random import Random

from pbem.bots.sensible.marching import in_need, next_move
from pbem.bots.sensible.paying import cheapest
from pbem.bots.sensible.valuing import PlaceValues, train_worth
from pbem.engine.cards import points
from pbem.engine.decisions import Answer, Done, March, Reenter
from pbem.engine.field import OFF
from pbem.games.maria.bots.sensible.aims import aims_of
from pbem.games.maria.bots.sensible.sight import MariaSight


def make_march(outlook: MariaSight, decision: March, chance: Random) -> Answer:
    """Make the next march, or bring a lost train back if it is needed."""
    judge = PlaceValues(outlook.sight, aims_of(outlook))
    return next_move(judge, decision, chance) or return_of_train(outlook, judge, decision) or Done()


def return_of_train(outlook: MariaSight, judge: PlaceValues, decision: March) -> Reenter | None:
    """Return of a lost train, if generals abroad have no other train and the hand can pay."""
    sight, power = outlook.sight, decision.power
    price = sight.common.limits.train_price
    attacks = sight.field.alliances.principal[power] in outlook.rules.scenario.goals
    if points(sight.common.decks, sight.hands[power]) < price or not in_need(sight, power, attacks):
        return None
    for train, cities in decision.trains.items():
        if sight.place(train) == OFF:
            city = max(cities, key=lambda place: train_worth(judge, train, place))
            return Reenter(train, city, cheapest(sight, power, price))
    return None
