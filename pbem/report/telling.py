"""Events and decisions for programs: the same facts with names in place of numbers (documented in docs/events.md).

What a field holds is said by its name: `city` is a city and `pieces` are pieces, in every event and every decision.
The few fields that break this stand in `EXCEPTIONS`. A secret field that the reader may not know is null.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from pbem.engine.cards import points
from pbem.engine.decisions import Claim, Decision, Pairing, SelectPolitics
from pbem.engine.events import (
    BattleJoined,
    BattleTied,
    Event,
    GeneralEntered,
    GeneralRemoved,
    HandShown,
    Marched,
    Recruited,
    Retreated,
    RetreatImpossible,
    SupplyLost,
    SupplyRestored,
    SupplyTraced,
    TollPaid,
    TrainReentered,
    TrainTaken,
)
from pbem.engine.rules import Rules
from pbem.maria.data import MariaRules
from pbem.maria.events import (
    CorpsSent,
    PoliticsDiscarded,
    PoliticsRevealed,
    PoliticsSelected,
    Relocated,
)
from pbem.maria.politics_data import PoliticsData

from . import naming

Namer = Callable[[Rules, Any], Any]
"""Puts names in the place of the numbers of one field."""


def plain(rules: Rules, value: Any) -> Any:
    """A number, a truth value or a key that says it all itself."""
    return value


def listed(rules: Rules, value: Sequence[Any]) -> list[Any]:
    """Several numbers or keys that say it all themselves."""
    return list(value)


def hussar(rules: Rules, value: int) -> int:
    """A hussar as people count."""
    return value + 1


def decks(rules: Rules, value: Sequence[int]) -> list[int]:
    """Decks as people count."""
    return [naming.deck(deck) for deck in value]


def card(rules: Rules, value: int) -> str:
    """A card with its deck."""
    return naming.notation(value, with_deck=True)


def cards(rules: Rules, value: Sequence[int]) -> list[str]:
    """Cards with their decks, in the order in which one holds them."""
    return naming.notations(sorted(value), with_deck=True)


def suit(rules: Rules, value: int) -> str:
    """The sign of a suit."""
    return naming.suit(value)


def by_piece(rules: Rules, value: Mapping[int, int]) -> dict[str, int]:
    """A number for each of several pieces."""
    return {naming.piece(rules, piece): number for piece, number in value.items()}


def cities_by_piece(rules: Rules, value: Mapping[int, Sequence[int]]) -> dict[str, list[str]]:
    """Cities for each of several pieces."""
    return {naming.piece(rules, piece): naming.cities(rules, cities) for piece, cities in value.items()}


def stacks(rules: Rules, value: Sequence[Sequence[int]]) -> list[list[str]]:
    """Stacks, each a list of generals."""
    return [naming.pieces(rules, stack) for stack in value]


def claims(rules: Rules, value: Sequence[Claim]) -> list[dict[str, Any]]:
    """Supply paths through hussars."""
    return [
        {
            "piece": naming.piece(rules, claim.piece),
            "path": naming.cities(rules, claim.path),
            "toll": len(claim.path),
        }
        for claim in value
    ]


def battles(rules: Rules, value: Sequence[Pairing]) -> list[dict[str, str]]:
    """Attacks, each named by its two cities."""
    return [
        {"attacker": naming.city(rules, pairing.attacker), "defender": naming.city(rules, pairing.defender)}
        for pairing in value
    ]


NAMERS: dict[str, Namer] = {
    "city": naming.city,
    "start": naming.city,
    "attacking_city": naming.city,
    "defending_city": naming.city,
    "withdrawn_from": naming.place,
    "path": naming.cities,
    "ends": naming.cities,
    "cities": naming.cities,
    "standing": naming.places,
    "piece": naming.piece,
    "train": naming.piece,
    "commander": naming.piece,
    "pieces": naming.pieces,
    "attackers": naming.pieces,
    "defenders": naming.pieces,
    "winners": naming.pieces,
    "losers": naming.pieces,
    "generals": naming.pieces,
    "recruits": naming.pieces,
    "hussar": hussar,
    "card": card,
    "cards": cards,
    "hand": cards,
    "suit": suit,
    "decks": decks,
    "allotment": by_piece,
    "least": by_piece,
    "room": by_piece,
    "trains": cities_by_piece,
    "entries": cities_by_piece,
    "stacks": stacks,
    "claims": claims,
    "battles": battles,
    "power": plain,
    "giver": plain,
    "receiver": plain,
    "by": plain,
    "loser": plain,
    "winner": plain,
    "marker": plain,
    "stage": plain,
    "how": plain,
    "held": plain,
    "turn": plain,
    "number": plain,
    "count": plain,
    "troops": plain,
    "attacking_troops": plain,
    "defending_troops": plain,
    "score": plain,
    "value": plain,
    "toll": plain,
    "owed": plain,
    "most": plain,
    "length": plain,
    "given": plain,
    "forced": plain,
    "retroactive": plain,
    "must": plain,
    "player": plain,
    "placed": plain,
    "counts": plain,
    "order": listed,
    "points": plain,
    "politics": listed,
    "political": plain,
    "instruction": plain,
    "shifts": plain,
    "may_execute": plain,
    "track": plain,
    "end": plain,
    "steps": plain,
    "change": plain,
    "lasting": plain,
    "box": plain,
    "set_aside": plain,
    "status": plain,
    "offered_by": plain,
    "accepted": plain,
    "fortresses": plain,
    "votes": plain,
    "francis": plain,
    "charles": plain,
    "candidate": plain,
    "scores": listed,
    "turns": plain,
    "cancelled": plain,
    "allowed": plain,
    "powers": listed,
    "words": plain,
    "ceded": plain,
}
"""What the fields of events and decisions hold."""

EXCEPTIONS: dict[tuple[str, str], Namer] = {
    ("TrainTaken", "by"): naming.piece,
    ("DeckShuffled", "cards"): plain,
    ("TroopsAllotted", "troops"): by_piece,
    ("TroopsMoved", "troops"): by_piece,
    ("TrackShifted", "start"): plain,
    ("Relocated", "start"): naming.place,
    ("SelectPolitics", "cards"): listed,
}
"""The fields that hold something else than their name says elsewhere."""


def event_data(rules: MariaRules, event: Event) -> dict[str, Any]:
    """An event as plain data, with what a reader would otherwise have to look up: whose pieces, which suit, titles."""
    return fields_data(rules.common, event) | looked_up(rules.common, event) | titles(rules.politics, event)


def decision_data(rules: MariaRules, decision: Decision) -> dict[str, Any]:
    """A decision as plain data, with the titles of the political cards it offers."""
    return fields_data(rules.common, decision) | titles(rules.politics, decision)


def fields_data(rules: Rules, told: Event | Decision) -> dict[str, Any]:
    """The type and the fields, with names."""
    kind = type(told).__name__
    data: dict[str, Any] = {"type": kind}
    for field in msgspec.structs.fields(told):
        value = getattr(told, field.name)
        namer = EXCEPTIONS.get((kind, field.name)) or NAMERS[field.name]
        data[field.name] = None if value is None else namer(rules, value)
    return data


def titles(politics: PoliticsData, told: Event | Decision) -> dict[str, Any]:
    """What political cards are called."""
    match told:
        case PoliticsRevealed(numbers) | PoliticsDiscarded(numbers):
            return {"titles": [naming.political(politics, number) for number in numbers]}
        case PoliticsSelected(_, number):
            return {"title": naming.political(politics, number)}
        case SelectPolitics(_, numbers):
            return {"titles": [naming.political(politics, number) for number in numbers]}
    return {}


def looked_up(rules: Rules, event: Event) -> dict[str, Any]:
    """What follows from an event and the rules, so that no reader has to know the board and the pieces."""
    match event:
        case BattleJoined():
            return {
                "attacker": owner(rules, event.attackers[0]),
                "defender": owner(rules, event.defenders[0]),
                "attacking_suit": naming.city_suit(rules, event.attacking_city),
                "defending_suit": naming.city_suit(rules, event.defending_city),
            }
        case BattleTied():
            return {"attacker": owner(rules, event.attackers[0]), "defender": owner(rules, event.defenders[0])}
        case Marched(pieces) | Retreated(pieces) | RetreatImpossible(pieces):
            return {"power": owner(rules, pieces[0])}
        case SupplyTraced(piece) | SupplyRestored(piece) | SupplyLost(piece):
            return {"power": owner(rules, piece)}
        case GeneralRemoved(piece) | GeneralEntered(piece):
            return {"power": owner(rules, piece)}
        case TrainReentered(train):
            return {"power": owner(rules, train), "worth": points(rules.decks, event.cards)}
        case TrainTaken(train):
            return {"power": owner(rules, train)}
        case Relocated(piece):
            return {"power": owner(rules, piece)}
        case TollPaid() | Recruited() | HandShown() | CorpsSent():
            return {"worth": points(rules.decks, event.cards)}
    return {}


def owner(rules: Rules, piece: int) -> str:
    """The power whose piece it is."""
    return rules.pieces[piece].power
