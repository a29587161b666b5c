"""Table after a trial, with the effects of the last answer."""

from __future__ import annotations

from pbem.engine.cards import cards_of
from pbem.engine.events import GeneralEntered, HussarPlaced, HussarRemoved, Recruited, TrainReentered
from pbem.engine.field import OFF, alter
from pbem.engine.table import Table
from pbem.engine.troops import stack_up
from pbem.kit import copy_of
from pbem.paper.orders.trial import Trial

LEAVES_HAND = ("nowhere", "spent", "unseen")
"""Movements of cards that an answer takes out of a hand. A card that lies on a display has moved `nowhere`."""


def table_after(trial: Trial) -> Table:
    """Return the table after a trial. The table of a trial that ended early (`hidden`) lacks the last answer. The
    hussars, the recruits and the payments of that answer are added from the trial's events."""
    if not trial.lacking:
        return trial.table
    table = copy_of(trial.table)
    rules, field, hands = table.rules.common, table.state.field, table.state.cards.hands
    for event in trial.lacking:
        gone = cards_of(event) if event.goes in LEAVES_HAND else ()
        hands |= {power: [card for card in hand if card not in gone] for power, hand in hands.items()}
        match event:
            case HussarPlaced(hussar, city):
                field.hussars[hussar] = city
            case HussarRemoved(hussar):
                field.hussars[hussar] = OFF
            case GeneralEntered(general, city):
                alter(field, general, city=city)
                stack_up(rules, field, city, None)
            case TrainReentered(train, city):
                alter(field, train, city=city)
            case Recruited(allotment=dict(troops)):
                for general, count in troops.items():
                    alter(field, general, troops=field.pieces[general].troops + count)
    return table
