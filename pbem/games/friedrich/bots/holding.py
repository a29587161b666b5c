"""Answers of an absent player to questions of FRIEDRICH only: recruits, cards set aside, the Clock of Fate."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine import decisions as d
from pbem.engine.cards import is_reserve, value_of
from pbem.engine.field import OFF
from pbem.engine.nouns import Card, Piece
from pbem.games.friedrich.rules.decisions import CardsBack, Levy, ReturnCards
from pbem.games.friedrich.rules.effects_in_combat import may_play
from pbem.games.friedrich.rules.fate_decisions import (
    ChooseCities,
    ChooseGeneral,
    GiveCard,
    GivenCard,
    NamedCities,
    NamedGeneral,
    Shift,
    ShiftPieces,
)
from pbem.games.friedrich.rules.table import Table


def hold(table: Table, decision: d.Decision) -> d.Answer:
    """Answer of an absent player to a question that only FRIEDRICH asks."""
    match decision:
        case d.March():
            return d.Done()
        case Levy():
            return d.Recruitment()
        case ReturnCards():
            return CardsBack(tuple(by_worth(decision.cards)[: decision.count]))
        case d.PlayCard():
            return least_reserve(table, decision)
        case ChooseGeneral():
            return NamedGeneral(general(table, decision))
        case GiveCard():
            return GivenCard(None if decision.may_decline else by_worth(decision.cards)[0])
        case ShiftPieces():
            return Shift(None)
        case ChooseCities():
            names = table.rules.common.board.cities
            return NamedCities(tuple(sorted(decision.cities, key=lambda city: names[city].name)[: decision.count]))
    raise NotImplementedError(f"an absent player has no answer to {type(decision).__name__}")


def by_worth(cards: Sequence[Card]) -> list[Card]:
    """Cards by their value, Reserves last."""
    return sorted(cards, key=lambda card: (is_reserve(card), value_of(card), card))


def least_reserve(table: Table, decision: d.PlayCard) -> d.Play:
    """Reserve at the least allowed value, where a card has to be played and none has the suit (§11)."""
    card, most = decision.cards[0], table.rules.common.decks.reserve_most
    return d.Play(card, next(value for value in range(1, most + 1) if may_play(table, card, value)))


def general(table: Table, decision: ChooseGeneral) -> Piece:
    """General with the most troops for a loss, with the fewest for a gain.

    Off the map, else the fewest, to leave the game.
    """
    pieces, ranks = table.state.field.pieces, table.rules.common.pieces
    match decision.reason:
        case "loss":
            return max(decision.generals, key=lambda g: (pieces[g].troops, -ranks[g].rank))
        case "gain":
            return min(decision.generals, key=lambda g: (pieces[g].troops, ranks[g].rank))
        case "removal":
            return min(decision.generals, key=lambda g: (pieces[g].city != OFF, pieces[g].troops, -ranks[g].rank))
