"""Letters of players: correct ones, and every way in which one goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from random import Random

from msgspec import Struct, field

from pbem.campaign.campaign import Campaign
from pbem.campaign.letters.judging_orders import commitments_to_open
from pbem.campaign.players.letters import LetterContext, SealedPart, orders_letter, reveal_letter, sealed_part
from pbem.engine.table import player_of
from pbem.paper.documents.writing import Value
from pbem.paper.letters import sign_letter, write_letter
from pbem.seal.canonical import Tree
from pbem.seal.keys import PrivateKey, new_key
from tests.campaign.simulated import DAY, NAME, SimulatedTable
from tests.endurance.mail import Fate

Letters = list[tuple[str, timedelta, Fate]]
"""Letters, when each arrives, and what must become of it."""

TODAY = timedelta()

PLANS: tuple[dict[str, Tree], ...] = (
    {"for": "battle", "tactic": "hold"},
    {"for": "battle", "tactic": "win", "else": "stop"},
    {"for": "battle", "tactic": "decline"},
    {"for": "retreat", "towards": "trains"},
    {"for": "recruit", "give": "even"},
    {"for": "allot", "give": "even"},
)


class Writers(Struct):
    """The players, each with what they remember on their own computers."""

    table: SimulatedTable
    chance: Random
    parts: dict[str, SealedPart] = field(default_factory=dict)
    """Sealed parts by commitment."""

    def occasion(self, campaign: Campaign, seat: str) -> LetterContext:
        """Head of a letter for the present stage; its number follows those that the moderator gave in the player's
        place."""
        bot_player = self.table.players[seat]
        bot_player.seq = max(bot_player.seq, campaign.public.seqs.get(seat, 0))
        return bot_player.occasion(campaign.state)

    def orders(
        self,
        campaign: Campaign,
        seat: str,
        *,
        basis: str = "",
        stage: str = "",
        seq: int = 0,
        final: bool = True,
        orders: Mapping[str, Tree] | None = None,
        key: PrivateKey | None = None,
    ) -> str:
        """A signed letter with orders, open or sealed as it happens."""
        bot_player, occasion = self.table.players[seat], self.occasion(campaign, seat)
        occasion = LetterContext(NAME, seat, stage or occasion.stage, basis or occasion.basis)
        found = dict(orders) if orders is not None else bot_player.decide(campaign.state)
        seq = seq or bot_player.next_seq()
        is_sealed, waits = self.chance.random() < 0.6, self.chance.random() < 0.05
        parts: dict[str, Value] = {}
        if is_sealed and found:
            part = self.kept(sealed_part(occasion, "orders", found))
            parts, found = {"orders": self.table.boxed(part)}, {}
        return sign_letter(orders_letter(occasion, seq, found, parts, final, waits), key or bot_player.key)

    def kept(self, part: SealedPart) -> SealedPart:
        """Remember what was committed to."""
        self.parts[part.commitment] = part
        return part

    def plan(self, campaign: Campaign, seat: str) -> str:
        """Standing plans, open or sealed; or their withdrawal."""
        bot_player, occasion, table = self.table.players[seat], self.occasion(campaign, seat), campaign.state.table
        assert table is not None
        plans: list[Tree] = [{**plan, "standing": "yes"} for plan in self.chance.sample(PLANS, 2)]
        orders: dict[str, Tree] = {
            power: {"plans": plans} for power in table.rules.powers if player_of(table, power) == seat
        }
        seq, how = bot_player.next_seq(), self.chance.random()
        if how < 0.2:
            return sign_letter(orders_letter(occasion, seq, {}, kind="plan"), bot_player.key)
        if how < 0.6:
            return sign_letter(orders_letter(occasion, seq, orders, kind="plan"), bot_player.key)
        box = self.table.boxed(self.kept(sealed_part(occasion, "plans", orders)))
        return sign_letter(orders_letter(occasion, seq, {}, {"plans": box}, kind="plan"), bot_player.key)

    def reveal(self, campaign: Campaign, seat: str) -> str:
        """Everything is shown that a player has committed to."""
        occasion, hidden = self.occasion(campaign, seat), commitments_to_open(campaign.public, seat)
        parts = {slot: self.parts[commitment] for slot, (commitment, _) in hidden.items()}
        letter = reveal_letter(occasion, self.table.players[seat].next_seq(), parts)
        return sign_letter(letter, self.table.players[seat].key)

    def other(self, campaign: Campaign, seat: str, kind: str, body: Value, is_staged: bool = False) -> str:
        """A letter of another kind; messages and agreements have numbers of their own."""
        occasion, bot_player = self.occasion(campaign, seat), self.table.players[seat]
        head: dict[str, str | int] = {"kind": kind, "campaign": NAME, "from": seat, "seq": bot_player.next_seq()}
        if is_staged:
            head |= {"stage": occasion.stage, "basis": occasion.basis}
        return sign_letter(write_letter(head, body), bot_player.key)


Manner = Callable[[Writers, Campaign, str], Letters]


def prompt(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """As it should be."""
    return [(writers.orders(campaign, seat), TODAY, "taken")]


def late(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """A letter that lies somewhere for days."""
    return [(writers.orders(campaign, seat), writers.chance.randint(2, 6) * DAY, "either")]


def double(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """The same letter in two mails, and once more tomorrow."""
    text = writers.orders(campaign, seat)
    return [(text, TODAY, "taken"), (text, TODAY, "taken"), (text, DAY, "taken")]


def corrected(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """A letter, and another one in its place, which comes first out of the mailbox."""
    first = writers.orders(campaign, seat)
    second = writers.orders(campaign, seat)
    return [(second, TODAY, "taken"), (first, TODAY, "taken")]


def overtaken(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """The newer letter comes in a day before the older one, which does no harm."""
    first = writers.orders(campaign, seat)
    return [(writers.orders(campaign, seat), TODAY, "taken"), (first, DAY, "refused")]


def draft(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """A draft, which counts only when time runs out."""
    return [(writers.orders(campaign, seat, final=False), TODAY, "taken")]


def bad_yaml(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """A letter whose indentation was lost on the way."""
    text = writers.orders(campaign, seat).replace("body:\n  ", "body:\n\t ")
    return [(text, TODAY, "refused")]


def wrong_basis(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """Orders written from another history."""
    return [(writers.orders(campaign, seat, basis="0a" * 12), TODAY, "refused")]


def wrong_stage(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """Orders for a stage that is not there."""
    return [(writers.orders(campaign, seat, stage="99/nowhere"), TODAY, "refused")]


def wrong_key(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """Somebody else has signed."""
    return [(writers.orders(campaign, seat, key=new_key("eve")), TODAY, "refused")]


def tampered(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """Changed after it was signed."""
    text = writers.orders(campaign, seat)
    return [(text.replace("body:\n", "body:\n  wait: yes\n", 1), TODAY, "refused")]


def leaping(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """A number that is far too large."""
    return [(writers.orders(campaign, seat, seq=writers.table.players[seat].seq + 5000), TODAY, "refused")]


def stale(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """A number that was used."""
    used = max(1, campaign.public.seqs.get(seat, 1))
    return [(writers.orders(campaign, seat, seq=used), TODAY, "refused")]


def illegal(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """An order that nobody can give; sealed where nobody looks early, it is taken, and good for nothing."""
    assert campaign.public.next is not None
    power = campaign.public.next.owing[seat][0]
    text = writers.orders(campaign, seat, orders={power: {"move": ["Nobody: Nowhere"]}})
    is_seen = campaign.settings.conduct.sealing == "moderator" or "\n  orders:\n" in text
    return [(text, TODAY, "refused" if is_seen else "taken")]


def no_letter(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """Words without a letter."""
    return [(f"Dear moderator, number {writers.chance.randint(1, 10**6)} will be late.", TODAY, "refused")]


def silent(writers: Writers, campaign: Campaign, seat: str) -> Letters:
    """Nothing at all, today."""
    return []


MANNERS: tuple[tuple[Manner, int], ...] = (
    (prompt, 40),
    (late, 6),
    (double, 5),
    (corrected, 5),
    (overtaken, 4),
    (draft, 5),
    (bad_yaml, 3),
    (wrong_basis, 3),
    (wrong_stage, 2),
    (wrong_key, 3),
    (tampered, 2),
    (leaping, 2),
    (stale, 2),
    (illegal, 4),
    (no_letter, 2),
    (silent, 12),
)
"""Every way of writing, and how often it happens."""


def some_manner(chance: Random) -> Manner:
    """Manner in which somebody writes today."""
    manners, weights = zip(*MANNERS, strict=True)
    found: Manner = chance.choices(manners, weights)[0]
    return found
