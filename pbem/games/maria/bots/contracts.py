"""Answers that a bot gives without being asked: it accepts subsidies that others offer to its powers (§20)."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.decisions import Answer
from pbem.engine.nouns import Power
from pbem.games.maria.rules.answers import OfferSubsidy
from pbem.games.maria.rules.contracts import may_contract, offered_by
from pbem.games.maria.rules.table import Table


def accept_offers(table: Table, powers: Collection[Power]) -> list[tuple[Power, Answer]]:
    """Acceptances of all offers of a card a turn for nothing; a bot pays nobody."""
    offers = table.state.affairs.offers if table.state.affairs else []
    return [
        (each.receiver, OfferSubsidy(each.giver, each.receiver, each.turns, accept=True))
        for each in offers
        if each.receiver in powers
        and offered_by(each) != each.receiver
        and may_contract(table, each.giver, each.receiver)
    ]
