"""Campaigns of bots in a folder. Either bot players send letters, or the moderator's program plays the seats of bots
itself."""

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
    """Name of the player. If it is empty, the player has the name of the seat."""
    language: str = "en"
    entropy: bytes = b""
    """Random bytes that the player contributes to the dealing of cards. If the field is empty, random bytes are
    drawn."""
    seq: int = 0
    committed: SealedPart | None = None
    """Orders to which the player has committed, and which must still be revealed."""

    def next_seq(self) -> int:
        """Increase the number of the latest letter by one, and return it."""
        self.seq += 1
        return self.seq

    def join(self, state: SecretState) -> str:
        """Return a signed letter by which the player joins the campaign."""
        offer = Invitation(state.name, self.player, state.public.secret, token_of(state, self.player))
        return join_letter(
            offer, self.key, self.next_seq(), Newcomer(self.name or self.player, self.language), self.entropy
        )

    def occasion(self, state: SecretState) -> LetterContext:
        """Return the facts that a letter written now must name: campaign, seat, stage and basis."""
        waiting = state.public.next
        assert waiting is not None
        return LetterContext(state.name, self.player, waiting.stage, state.public.basis[:BASIS])

    def orders(self, state: SecretState, seal_to: PublicKey | None = None, commit_only: bool = False) -> str:
        """Return a signed letter with orders. If `seal_to` is given, the orders are sealed to this key. If
        `commit_only` is true, the letter commits to the orders without containing them. Otherwise anybody can read the
        orders."""
        occasion, orders = self.occasion(state), self.decide(state)
        if seal_to is None and not commit_only:
            return sign_letter(orders_letter(occasion, self.next_seq(), orders), self.key)
        self.committed = sealed_part(occasion, ORDERS_SLOT, orders)
        box = boxed_part(self.committed, None if commit_only else seal_to)
        return sign_letter(orders_letter(occasion, self.next_seq(), {}, {ORDERS_SLOT: box}), self.key)

    def reveal(self, state: SecretState) -> str:
        """Return a signed letter that reveals the orders to which the player has committed."""
        assert self.committed is not None
        letter = reveal_letter(self.occasion(state), self.next_seq(), {ORDERS_SLOT: self.committed})
        return sign_letter(letter, self.key)

    def decide(self, state: SecretState) -> dict[str, Tree]:
        """Return the bot's orders for all decisions that the player owes, up to a decision that cannot be foreseen."""
        assert state.table is not None
        return orders_decided(table_to_look_ahead(state.table), self.player, self.policy, self.chance)


# These texts must never change. They are hashed, so the same seed would lead to another game.
SECRET, ENTROPY = "pbem/pageant/secret/1", "pbem/pageant/entropy/1"
"""Texts that are put before a seed when it is hashed. The hashes are used in place of random bytes."""


class QuickDisk(Disk):
    """Disk that does not wait until written data are safe. It is for campaigns that can be played again if data are
    lost."""

    def sync(self, path: Path) -> None:
        """Do nothing."""


def secret_of(seed: str) -> bytes:
    """Return the moderator's secret for a seed. Anybody who has the seed can play the same game again."""
    return digest(SECRET, seed)


def bot_players_of(seats: Iterable[str], policy: Policy, seed: str) -> dict[str, BotPlayer]:
    """Return a bot player for every seat. The players' answers and random bytes depend only on the seed; their keys do
    not."""
    return {
        seat: BotPlayer(seat, policy, Random(f"{seed}/{seat}"), entropy=digest(ENTROPY, seed, seat))  # noqa: S311
        for seat in seats
    }


def take_seats(campaign: Campaign, bot_players: Mapping[str, BotPlayer]) -> None:
    """Let each bot player join the campaign by a letter."""
    for bot_player in bot_players.values():
        deliver(campaign, bot_player.join(campaign.state))


def deliver(campaign: Campaign, text: str) -> adjudicating.Receipt:
    """Hand in a bot player's letter, and return the receipt. Raises `Refused` for any fault of the letter, even a
    warning."""
    receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))
    if receipt.verdict.faults:
        raise Refused(f"letter of {receipt.player}", receipt.verdict.faults)
    return receipt


def letter_of(campaign: Campaign, bot_player: BotPlayer) -> str:
    """Return a letter with a bot player's orders. In a campaign in which orders are revealed later, the letter only
    commits to the orders. In other campaigns the orders are sealed to the moderator."""
    if campaign.settings.conduct.sealing == "reveal":
        return bot_player.orders(campaign.state, commit_only=True)
    return bot_player.orders(campaign.state, campaign.key.public)


def play_round(campaign: Campaign, bot_players: Mapping[str, BotPlayer], pause: timedelta) -> adjudicating.Adjudication:
    """Let every player who owes orders send them. After the `pause` let the moderator adjudicate, and return the
    adjudication. If the orders must be revealed first, let the players reveal them."""
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
"""Time at which every campaign of a corpus begins. It is fixed, so that all runs of the program make the same
campaigns."""

ROUND = timedelta(hours=1)

FAR_ENOUGH = "no more turns were wanted"

KEY = "pbem/corpus/key/1"
"""Text that is put before a seed when it is hashed to make the moderator's key. The key need not be secret, because
nobody moderates these campaigns."""


class CampaignWish(Struct, frozen=True):
    """Settings that all campaigns of a corpus share."""

    terms: dict[str, str]
    bots: dict[str, str]
    """Level of the bot on every seat."""
    turns: int | None = None
    """Number of turns after which a campaign is closed. If it is None, the game is played to its end."""


def play_archive(root: Path, wanted: CampaignWish, name: str, seed: str) -> None:
    """Let bots play the campaign `name` in the new folder `root`, and close it. The seed decides all chance. At the
    end, the files that are not public are deleted."""
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
    """True if the game is not over, and fewer turns than wanted have been played."""
    if public.phase not in ("joining", "running"):
        return False
    return turns is None or public.next is None or turn_of(public.next.stage) <= turns


def plan_of(wanted: CampaignWish, name: str) -> NewCampaign:
    """Return the plan of a new campaign of bots. The bots first commit to their orders, and then reveal them."""
    options: dict[str, object] = {
        **wanted.terms,
        "campaign": name,
        "seats": {seat: {"bot": level} for seat, level in wanted.bots.items()},
        # Sealing would need random bytes, so that the campaigns would not be the same in every run.
        "conduct": {"sealing": "reveal"},
        "clock": {"delay": "0m"},
    }
    return complete_plan(read_plan(b"", OPTIONS, Path(), options), OPTIONS, __version__)
