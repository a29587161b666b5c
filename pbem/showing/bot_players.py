"""Players whose letters bots write, with real keys, signatures and sealed parts: for demonstrations and tests.

A bot player looks at the moderator's table to decide, but what it sends is a letter like anybody's.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec import Struct, field

from pbem.campaign.ledger.public_state import BASIS, ORDERS_SLOT
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.players.deciding import decided, unshuffled
from pbem.campaign.players.letters import (
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
from pbem.engine.table import Table
from pbem.paper.letters import sign_letter
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
