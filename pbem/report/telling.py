"""Events and decisions for programs: the same facts with names in place of numbers (documented in docs/events.md).

What a field holds is said by its name: `city` is a city and `pieces` are pieces, in every event and every decision.
The few fields that break this stand in `EXCEPTIONS`. A secret field that the reader may not know is null.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine import events as e
from pbem.engine.cards import points
from pbem.engine.decisions import Claim, Decision, Pairing
from pbem.engine.rules import Rules
from pbem.engine.table import GameRules
from pbem.report import naming
from pbem.report.game_report import AnyGameReport, Namer, game_report


def plain_data(rules: Rules, value: object) -> object:
    """A number, a truth value or a key that says it all itself."""
    return value


def listed(rules: Rules, value: Sequence[object]) -> list[object]:
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
    """Cards with their decks."""
    return naming.notations(value, with_deck=True)


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


def claims(rules: Rules, value: Sequence[Claim]) -> list[dict[str, object]]:
    """Supply paths through hussars."""
    return [
        {
            "piece": naming.piece(rules, claim.piece),
            "path": naming.cities(rules, claim.path),
            "toll": claim.toll,
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
    "leaving": naming.pieces,
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
    "power": plain_data,
    "giver": plain_data,
    "receiver": plain_data,
    "by": plain_data,
    "loser": plain_data,
    "winner": plain_data,
    "marker": plain_data,
    "stage": plain_data,
    "how": plain_data,
    "held": plain_data,
    "turn": plain_data,
    "number": plain_data,
    "count": plain_data,
    "troops": plain_data,
    "attacking_troops": plain_data,
    "defending_troops": plain_data,
    "score": plain_data,
    "value": plain_data,
    "toll": plain_data,
    "owed": plain_data,
    "most": plain_data,
    "length": plain_data,
    "given": plain_data,
    "forced": plain_data,
    "retroactive": plain_data,
    "must": plain_data,
}
"""What the fields of events and decisions of every game hold."""

EXCEPTIONS: dict[tuple[str, str], Namer] = {
    ("TrainTaken", "by"): naming.piece,
    ("DeckShuffled", "cards"): plain_data,
    ("TroopsAllotted", "troops"): by_piece,
    ("TroopsMoved", "troops"): by_piece,
}
"""The fields that hold something else than their name says elsewhere."""


def event_data(rules: GameRules, event: e.Event) -> dict[str, object]:
    """An event as plain data, with what a reader would otherwise have to look up: whose pieces, which suit, titles."""
    own_report = game_report(rules.terms.game)
    return (
        fields_data(rules.common, own_report, event)
        | looked_up(rules.common, event)
        | own_report.looked_up(rules, event)
    )


def decision_data(rules: GameRules, decision: Decision) -> dict[str, object]:
    """A decision as plain data, with what a reader would otherwise have to look up."""
    own_report = game_report(rules.terms.game)
    return fields_data(rules.common, own_report, decision) | own_report.looked_up(rules, decision)


def fields_data(rules: Rules, own_report: AnyGameReport, told: e.Event | Decision) -> dict[str, object]:
    """The type and the fields, with names."""
    kind = type(told).__name__
    data: dict[str, object] = {"type": kind}
    for field in told.__struct_fields__:
        value = getattr(told, field)
        data[field] = None if value is None else namer(own_report, kind, field)(rules, value)
    return data


def namer(own_report: AnyGameReport, kind: str, field: str) -> Namer:
    """What puts names into a field of a type of events or decisions."""
    key = (kind, field)
    special = EXCEPTIONS.get(key) or own_report.exceptions.get(key)
    return special or NAMERS.get(field) or own_report.namers[field]


def looked_up(rules: Rules, event: e.Event) -> dict[str, object]:
    """What follows from an event and the rules, so that no reader has to know the board and the pieces."""
    match event:
        case e.BattleJoined():
            return {
                "attacker": owner(rules, event.attackers[0]),
                "defender": owner(rules, event.defenders[0]),
                "attacking_suit": naming.city_suit(rules, event.attacking_city),
                "defending_suit": naming.city_suit(rules, event.defending_city),
            }
        case e.BattleTied():
            return {"attacker": owner(rules, event.attackers[0]), "defender": owner(rules, event.defenders[0])}
        case e.Marched(pieces) | e.Retreated(pieces) | e.RetreatImpossible(pieces):
            return {"power": owner(rules, pieces[0])}
        case e.SupplyTraced(piece) | e.SupplyRestored(piece) | e.SupplyLost(piece):
            return {"power": owner(rules, piece)}
        case e.GeneralRemoved(piece) | e.GeneralEntered(piece):
            return {"power": owner(rules, piece)}
        case e.TrainReentered(train):
            return {"power": owner(rules, train), "worth": points(rules.decks, event.cards)}
        case e.TrainTaken(train):
            return {"power": owner(rules, train)}
        case e.Recruited():
            return {"worth": points(rules.decks, event.cards)}
    return {}


def owner(rules: Rules, piece: int) -> str:
    """The power whose piece it is."""
    return rules.pieces[piece].power
