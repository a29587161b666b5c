"""Campaigns that bots play in a folder. Bot players send letters, or the moderator's program plays the bots' seats."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from msgspec import Struct, field

from pbem import __version__
from pbem.campaign.campaign import Campaign, opened_by_moderator
from pbem.campaign.disk.atomic import Disk
from pbem.campaign.disk.folder import LOCK
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.ledger.public_state import BASIS, ORDERS_SLOT, PublicState
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.play import adjudicating
from pbem.campaign.play.seated_bots import play_bots
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.tokens import token_of
from pbem.campaign.players.letters import (
    Invitation,
    LetterContext,
    SealedPart,
    boxed_part,
    join_letter,
    orders_decided,
    orders_letter,
    reveal_letter,
    sealed_part,
    table_to_look_ahead,
)
from pbem.campaign.proof import judging_again
from pbem.campaign.settings import Newcomer
from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import Table, turn_of
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter, sign_letter
from pbem.player.names import OPTIONS
from pbem.seal.canonical import Tree
from pbem.seal.keys import PrivateKey, PublicKey, digest, key_of, new_key

Policy = Callable[[Table, Decision, Random], Answer]


class BotPlayer(Struct):
    """Bot that sits on a seat: it decides by its policy, and signs letters with its key."""

    player: str
    policy: Policy
    chance: Random
    key: PrivateKey = field(default_factory=lambda: new_key("puppet"))
    name: str = ""
    """Name of the player; empty if the player has the name of the seat."""
    language: str = "en"
    entropy: bytes = b""
    """Random bytes that the player contributes to the deal. If the field is empty, random bytes are drawn."""
    seq: int = 0
    committed: SealedPart | None = None
    """Sealed part that is still to be revealed."""

    def next_seq(self) -> int:
        """Count the next letter, and return its number."""
        self.seq += 1
        return self.seq

    def join(self, state: SecretState) -> str:
        """Return a signed letter by which the player joins the campaign."""
        offer = Invitation(state.name, self.player, state.public.secret, token_of(state, self.player))
        return join_letter(
            offer, self.key, self.next_seq(), Newcomer(self.name or self.player, self.language), self.entropy
        )

    def occasion(self, state: SecretState) -> LetterContext:
        """Return the context of a letter that is written now: campaign, seat, stage and basis."""
        waiting = state.public.next
        assert waiting is not None
        return LetterContext(state.name, self.player, waiting.stage, state.public.basis[:BASIS])

    def orders(self, state: SecretState, seal_to: PublicKey | None = None, commit_only: bool = False) -> str:
        """Return a signed letter with orders. The orders are sealed to the key `seal_to` if it is given. With
        `commit_only` the letter has only a commitment to the orders. Otherwise the orders are open."""
        occasion, orders = self.occasion(state), self.decide(state)
        if seal_to is None and not commit_only:
            return sign_letter(orders_letter(occasion, self.next_seq(), orders), self.key)
        self.committed = sealed_part(occasion, ORDERS_SLOT, orders)
        box = boxed_part(self.committed, None if commit_only else seal_to)
        return sign_letter(orders_letter(occasion, self.next_seq(), {}, {ORDERS_SLOT: box}), self.key)

    def reveal(self, state: SecretState) -> str:
        """Return a signed letter that reveals the committed orders."""
        assert self.committed is not None
        letter = reveal_letter(self.occasion(state), self.next_seq(), {ORDERS_SLOT: self.committed})
        return sign_letter(letter, self.key)

    def decide(self, state: SecretState) -> dict[str, Tree]:
        """Return the bot's orders for all decisions that the player owes, up to a decision that cannot be foreseen."""
        assert state.table is not None
        return orders_decided(table_to_look_ahead(state.table), self.player, self.policy, self.chance)


# Never change these words: they are hashed, so the same seed would deal another game.
SECRET, ENTROPY = "pbem/pageant/secret/1", "pbem/pageant/entropy/1"
"""Prefixes of a seed before it is hashed. The hashes stand in for random bytes."""


class QuickDisk(Disk):
    """Disk that does not wait until its writes are safe, for campaigns that can be played again."""

    def sync(self, path: Path) -> None:
        """Do nothing."""


def secret_of(seed: str) -> bytes:
    """Return the moderator's secret that follows from a seed, so that anybody may play the same game again."""
    return digest(SECRET, seed)


def bot_players_of(seats: Iterable[str], policy: Policy, seed: str) -> dict[str, BotPlayer]:
    """Return a bot player for every seat. Answers and random bytes for the deal follow from the seed; keys do not."""
    return {
        seat: BotPlayer(seat, policy, Random(f"{seed}/{seat}"), entropy=digest(ENTROPY, seed, seat))  # noqa: S311
        for seat in seats
    }


def take_seats(campaign: Campaign, bot_players: Mapping[str, BotPlayer]) -> None:
    """Let every bot player take his seat by a letter."""
    for bot_player in bot_players.values():
        deliver(campaign, bot_player.join(campaign.state))


def deliver(campaign: Campaign, text: str) -> adjudicating.Receipt:
    """Hand in a letter of a bot player, and return the receipt. Raises `Refused` even if the letter has only a
    warning."""
    receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))
    if receipt.verdict.faults:
        raise Refused(f"letter of {receipt.player}", receipt.verdict.faults)
    return receipt


def letter_of(campaign: Campaign, bot_player: BotPlayer) -> str:
    """Return a letter of a bot player with his orders. If the campaign reveals orders later, the letter has only a
    commitment to them. Otherwise the orders are sealed to the moderator."""
    if campaign.settings.conduct.sealing == "reveal":
        return bot_player.orders(campaign.state, commit_only=True)
    return bot_player.orders(campaign.state, campaign.key.public)


def play_round(campaign: Campaign, bot_players: Mapping[str, BotPlayer], pause: timedelta) -> adjudicating.Adjudication:
    """Let every player who owes orders send them. After a pause let the moderator adjudicate, and return the
    adjudication. If orders are locked, the players reveal them first."""
    public = campaign.public
    assert public.next is not None
    for player in public.next.owing:
        if player not in public.next.answered:
            deliver(campaign, letter_of(campaign, bot_players[player]))
    campaign.now += pause
    done = adjudicating.adjudicate(campaign)
    if isinstance(done, adjudicating.Lock):
        for player, pending in list(public.pending.items()):
            if pending.slots:
                deliver(campaign, bot_players[player].reveal(campaign.state))
        done = adjudicating.adjudicate(campaign)
    assert isinstance(done, adjudicating.Adjudication)
    return done


BEGAN = datetime(2000, 1, 1, tzinfo=UTC)
"""Time at which every campaign of a corpus begins, so that all runs give the same campaign."""

ROUND = timedelta(hours=1)

FAR_ENOUGH = "no more turns were wanted"

KEY = "pbem/corpus/key/1"
"""Prefix of a seed before it is hashed to make the moderator's key. No person moderates these campaigns."""


class CampaignWish(Struct, frozen=True):
    """Settings that all campaigns of a corpus share."""

    terms: dict[str, str]
    bots: dict[str, str]
    """Level of the bot on every seat."""
    turns: int | None = None
    """Number of turns after which a campaign is closed; None plays to the end of the game."""


def play_archive(root: Path, wanted: CampaignWish, name: str, seed: str) -> None:
    """Let bots play a campaign in a new folder, and close it. Only the public files are left in the folder."""
    disk, key = QuickDisk(), key_of(digest(KEY, seed), "moderator of a corpus")
    begin(root, plan_of(wanted, name), secret_of(seed), key, BEGAN, disk)
    with opened_by_moderator(root, key, "pbem corpus", BEGAN, disk) as campaign:
        play_bots(campaign)
        while goes_on(campaign.public, wanted.turns):
            campaign.now += ROUND
            adjudicating.adjudicate(campaign)
            campaign.state.news.clear()
            play_bots(campaign)
        judging_again.close(campaign, "" if campaign.public.phase == "over" else FAR_ENOUGH)
        campaign.save()
    for private in (campaign.folder.letters, campaign.folder.raw, campaign.folder.outbox):
        shutil.rmtree(private)
    for file in (campaign.folder.secret, root / LOCK):
        file.unlink()


def goes_on(public: PublicState, turns: int | None) -> bool:
    """True if the campaign is not over, and the wanted number of turns is not played yet."""
    if public.phase not in ("joining", "running"):
        return False
    return turns is None or public.next is None or turn_of(public.next.stage) <= turns


def plan_of(wanted: CampaignWish, name: str) -> NewCampaign:
    """Return the plan of a campaign of bots, who commit to their orders and then reveal them."""
    options: dict[str, object] = {
        **wanted.terms,
        "campaign": name,
        "seats": {seat: {"bot": level} for seat, level in wanted.bots.items()},
        # Sealing would need random bytes.
        "conduct": {"sealing": "reveal"},
        "clock": {"delay": "0m"},
    }
    return complete_plan(read_plan(b"", OPTIONS, Path(), options), OPTIONS, __version__)
