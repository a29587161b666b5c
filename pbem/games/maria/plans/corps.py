"""Choice of a plan for the off-map box (§17.5)."""

from __future__ import annotations

from pbem.engine.cards import cheapest
from pbem.engine.nouns import Piece
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.decisions import Corps, SendCorps
from pbem.paper.plans.data import CorpsWish
from pbem.plans.sight import PlanSight


def send(sight: PlanSight, decision: SendCorps, wish: CorpsWish) -> tuple[Corps, ...]:
    """Generals of the wish, or all by their troops, the fewest first; those off the map last, with their price."""
    rules, pieces = sight.rules, sight.field.pieces
    assert isinstance(rules, MariaRules)

    def rank(general: Piece) -> tuple[bool, int, int, Piece]:
        return general in decision.recruits, pieces[general].troops, -rules.common.pieces[general].rank, general

    found: list[Corps] = []
    for general in wish.send or sorted({*decision.generals, *decision.recruits}, key=rank):
        price = rules.game.advanced.corps_price if general in decision.recruits else 0
        cards = cheapest(rules.common.decks, decision.hand, price)
        if cards is not None and general in (*decision.generals, *decision.recruits):
            found.append(Corps(general, cards))
    return tuple(found)
