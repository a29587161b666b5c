"""What everybody has seen of the combat in progress: how many cards each side has played, and for how many points."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from pbem.engine.events import BattleJoined, CardPlayed, Event


class Tally(Struct):
    """The cards of the latest combat; whoever carries answers out tells it every event."""

    battle: int = 0
    """How many combats there have been."""
    cards: dict[str, int] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)

    def see(self, events: Iterable[Event]) -> None:
        """Count the cards played; a new combat begins at nothing."""
        for event in events:
            match event:
                case BattleJoined():
                    self.battle += 1
                    self.cards, self.points = {}, {}
                case CardPlayed(power, _, worth):
                    self.cards[power] = self.cards.get(power, 0) + 1
                    self.points[power] = self.points.get(power, 0) + worth
