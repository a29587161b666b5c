"""Players whose letters bots write, with real keys, signatures and sealed parts: for demonstrations and tests.

A bot player looks at the moderator's table to decide, but what it sends is a letter like anybody's.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec import Struct, field

from pbem.campaign.ledger.public_state import BASIS
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.players.letters import (
    ORDERS_SLOT,
    Invitation,
    LetterContext,
    SealedPart,
    boxed,
    join_letter,
    orders_letter,
    reveal_letter,
    sealed_part,
)
from pbem.campaign.settings import Newcomer
from pbem.engine.decisions import Answer, Decision
from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table, player_of
from pbem.kit import copy_of, game_of
from pbem.paper.letters import sign_letter
from pbem.paper.orders.answer_writing import merged_orders, orders_tree
from pbem.plans.source import PlanSource
from pbem.seal.canonical import Tree
from pbem.seal.keys import PrivateKey, PublicKey, new_key

Policy = Callable[[Table, Decision, Random], Answer]


class BotPlayer(Struct):
    """One player, with a key and a bot."""

    player: str
    policy: Policy
    chance: Random
    key: PrivateKey = field(default_factory=lambda: new_key("puppet"))
    name: str = ""
    """What the player is called; nothing if as the seat."""
    language: str = "en"
    entropy: bytes = b""
    """The player's part in the deal; nothing if it is left to chance."""
    seq: int = 0
    committed: SealedPart | None = None
    """What was sealed and is still to be revealed."""

    def next_seq(self) -> int:
        """The number of the next letter."""
        self.seq += 1
        return self.seq

    def join(self, state: SecretState) -> str:
        """Take the seat."""
        offer = Invitation(state.name, self.player, state.public.secret, state.token(self.player))
        return join_letter(
            offer, self.key, self.next_seq(), Newcomer(self.name or self.player, self.language), self.entropy
        )

    def occasion(self, state: SecretState) -> LetterContext:
        """What a letter now is for."""
        waiting = state.public.next
        assert waiting is not None
        return LetterContext(state.name, self.player, waiting.stage, state.public.basis[:BASIS])

    def orders(self, state: SecretState, seal_to: PublicKey | None = None, commit_only: bool = False) -> str:
        """A signed letter with orders, in the open or sealed."""
        occasion, orders = self.occasion(state), self.decide(state)
        if seal_to is None and not commit_only:
            return sign_letter(orders_letter(occasion, self.next_seq(), orders), self.key)
        self.committed = sealed_part(occasion, ORDERS_SLOT, orders)
        box = boxed(self.committed, None if commit_only else seal_to)
        return sign_letter(orders_letter(occasion, self.next_seq(), {}, {ORDERS_SLOT: box}), self.key)

    def reveal(self, state: SecretState) -> str:
        """A signed letter that shows what was committed to."""
        assert self.committed is not None
        letter = reveal_letter(self.occasion(state), self.next_seq(), {ORDERS_SLOT: self.committed})
        return sign_letter(letter, self.key)

    def decide(self, state: SecretState) -> dict[str, Tree]:
        """Orders for everything that the player is asked, as far as it can be seen from here."""
        assert state.table is not None
        return decided(unshuffled(state.table), self.player, self.policy, self.chance)


def unshuffled(table: Table) -> Table:
    """A copy of a table to look ahead at; what it deals has nothing to do with what will be dealt."""
    copied: Table = copy_of(table, SeededDealer("nothing is dealt here"))
    return copied


def decided(
    table: Table, player: str, policy: Policy, chance: Random, plans: PlanSource | None = None
) -> dict[str, Tree]:
    """Orders for all that a player is asked and has no plan for, until something shows that nobody can foresee.

    The table is played on, so it must be a copy.
    """
    game, first = game_of(table), asked_of(table, player)
    before = copy_of(table) if len(first) > 1 else table
    parts: list[dict[str, Tree]] = []
    while mine := asked_of(table, player):
        decision = mine[0]
        given = plans.answer(decision) if plans else None
        answer = given.answer if given else policy(table, decision, chance)
        if given is None:
            part = orders_tree(table, decision.power, decision, answer)
            if not fits(table, [*parts, part]):
                break
            parts.append(part)
        events = game.apply(table, decision.power, answer)
        if any(event.reveals for event in events):
            break
    if not game.decisions(table):
        # What would have been asked is answered too: nobody who writes a letter ends it because the game will be over.
        answered = {power for part in parts for power in part}
        for decision in first:
            if decision.power not in answered and (plans is None or plans.answer(decision) is None):
                parts.append(orders_tree(before, decision.power, decision, policy(before, decision, chance)))
    return merged_orders(table, parts)


def asked_of(table: Table, player: str) -> list[Decision]:
    """What a player is asked now."""
    return [decision for decision in game_of(table).decisions(table) if player_of(table, decision.power) == player]


def fits(table: Table, parts: list[dict[str, Tree]]) -> bool:
    """Whether one letter can say all this; a section that answers once cannot be asked twice."""
    try:
        merged_orders(table, parts)
    except ValueError:
        return False
    return True
