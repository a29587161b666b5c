"""A simulated table: a moderator and players who know each other only by letters, for whole campaigns."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager
from copy import copy
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.bots.plain import choose
from pbem.campaign.campaign import Campaign, opened_by_moderator
from pbem.campaign.clock.clock import Clock
from pbem.campaign.disk.atomic import DISK, Disk
from pbem.campaign.disk.folder import Folder
from pbem.campaign.founding import NewCampaign, begin, rules_of
from pbem.campaign.play import adjudicating
from pbem.campaign.players.letters import (
    LetterContext,
    SealedPart,
    boxed_part,
    head_of,
    key_change_letter,
    orders_letter,
    sealed_part,
)
from pbem.campaign.proof import judging_again
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Conduct, Moderator, Seat, Settings
from pbem.lab import bot_campaign
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import Value
from pbem.paper.letter_kinds import STAGED
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.seal.canonical import Tree
from pbem.seal.keys import PrivateKey, new_key

BEGIN = datetime(2026, 11, 21, 12, tzinfo=UTC)
NAME = "vienna-1741"
POSITION = "position.yaml"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class SimulatedTable:
    """A campaign in a folder, a moderator and players."""

    def __init__(
        self,
        root: Path,
        seed: int = 1,
        conduct: Conduct | None = None,
        disk: Disk = DISK,
        clock: Clock | None = None,
        position: str = "",
        at: datetime = BEGIN,
        bots: Mapping[str, str] = {},
        **terms: str | dict[str, str],
    ) -> None:
        """Begin a campaign, from a position file if one is given."""
        self.root = root
        self.now = at
        self.disk = disk
        self.moderator = new_key("moderator")
        self.conduct = conduct or Conduct()
        self.terms: dict[str, str | dict[str, str]] = {"game": "maria", **terms}
        clock = clock or Clock(delay="0m")
        probe = Settings(NAME, self.terms, {}, Moderator(), self.conduct, clock)
        seats = rules_of(Folder(root), probe).seats
        files = {POSITION: position.encode()} if position else {}
        sitting = {seat: Seat(bot=bots.get(seat, "")) for seat in seats}
        self.settings = Settings(NAME, self.terms, sitting, Moderator(), self.conduct, clock, "".join(files))
        people = [seat for seat in seats if seat not in bots]
        self.players = bot_campaign.bot_players_of(people, choose, f"{seed}")
        begin(root, NewCampaign(self.settings, files, {}, "test"), b"\x07" * 32, self.moderator, self.now)

    def copied(self, root: Path) -> SimulatedTable:
        """The same campaign once more, in another folder."""
        other = copy(self)
        other.root = Path(shutil.copytree(self.root, root))
        other.players = {player: copy(bot_player) for player, bot_player in self.players.items()}
        return other

    def join(self) -> None:
        """Everybody takes their seat."""
        with self.open() as campaign:
            bot_campaign.take_seats(campaign, self.players)
            campaign.save()

    def open(self) -> AbstractContextManager[Campaign]:
        """The campaign, for one command of the moderator."""
        return opened_by_moderator(self.root, self.moderator, "test", self.now, self.disk)

    def deliver(self, campaign: Campaign, text: str) -> adjudicating.Receipt:
        """A letter arrives, and must be taken."""
        return bot_campaign.deliver(campaign, text)

    def write(self, campaign: Campaign, player: str) -> str:
        """The letter of a player with orders, as this campaign wants it."""
        return bot_campaign.letter_of(campaign, self.players[player])

    def round(self, campaign: Campaign) -> None:
        """Everybody who owes orders sends them, and the moderator adjudicates an hour later."""
        bot_campaign.play_round(campaign, self.players, HOUR)

    def play(self, most: int = 10_000) -> int:
        """Play to the end, or for some rounds; gives how many there were."""
        rounds = 0
        with self.open() as campaign:
            if campaign.public.phase == "joining":
                adjudicating.adjudicate(campaign)
                self.sit_down(campaign.public.drawn)
            while campaign.public.phase == "running" and rounds < most:
                self.round(campaign)
                rounds += 1
            self.now = campaign.now
            campaign.save()
        return rounds

    def sit_down(self, lot: Mapping[str, str]) -> None:
        """Everybody plays the seat that a lot has given, if seats were drawn."""
        for joined, played in lot.items():
            self.players[joined].player = played
        self.players = {bot_player.player: bot_player for bot_player in self.players.values()}

    def close(self, why: str = "") -> None:
        """Publish everything."""
        with self.open() as campaign:
            judging_again.close(campaign, why)
            campaign.save()

    def agree_on_end(self, body: Mapping[str, Tree], proposer: str = "frederick") -> None:
        """All seats vote for the end that one of them proposes."""
        self.send(self.other_letter(proposer, "proposal", body))
        with self.open() as campaign:
            name = campaign.public.proposals[0].name
        for seat in self.players.keys() - {proposer}:
            self.send(self.other_letter(seat, "vote", {"proposal": name, "says": "yes"}))

    def begun(self) -> SimulatedTable:
        """Everybody joins and the first position is reached."""
        self.join()
        self.play(0)
        return self

    def occasion(self, player: str) -> LetterContext:
        """Head of a letter of this player for the present stage."""
        with self.open() as campaign:
            return self.players[player].occasion(campaign.state)

    def letter(
        self,
        player: str,
        orders: Mapping[str, Tree] | None = None,
        sealed: Mapping[str, Tree] | None = None,
        occasion: LetterContext | None = None,
        seq: int = 0,
        key: PrivateKey | None = None,
        final: bool = True,
        wait: bool = False,
    ) -> str:
        """A signed letter with orders, in the open and sealed; what is not said is as it should be."""
        occasion = occasion or self.occasion(player)
        parts = {slot: sealed_part(occasion, slot, body) for slot, body in (sealed or {}).items()}
        boxes = {slot: self.boxed(part) for slot, part in parts.items()}
        text = orders_letter(occasion, seq or self.players[player].next_seq(), orders or {}, boxes, final, wait)
        return sign_letter(text, key or self.players[player].key)

    def boxed(self, part: SealedPart) -> Value:
        """A sealed part as it stands in a letter of this campaign."""
        return boxed_part(part, self.moderator.public if self.conduct.sealing == "moderator" else None)

    def other_letter(self, player: str, kind: str, body: Value, seq: int = 0, key: PrivateKey | None = None) -> str:
        """A signed letter of another kind."""
        head: dict[str, str | int] = {"kind": kind, "campaign": NAME, "from": player}
        if kind in STAGED:
            head = head_of(self.occasion(player), kind, 0)
        head["seq"] = seq or self.players[player].next_seq()
        return sign_letter(write_letter(head, body), key or self.players[player].key)

    def key_change(self, player: str, new: PrivateKey) -> str:
        """A letter that names a new key."""
        bot_player = self.players[player]
        return key_change_letter(NAME, player, bot_player.next_seq(), new, bot_player.key)

    def send(self, text: str, acted: str = "") -> adjudicating.Receipt:
        """A letter arrives, is taken or refused, and everything is written."""
        with self.open() as campaign:
            receipt = take(campaign, text, acted)
            campaign.save()
        return receipt

    def ordered(self, *players: str) -> list[adjudicating.Receipt]:
        """Players send orders as this campaign wants them, each to a command of its own; all, if none are named."""
        receipts = []
        for player in players or tuple(self.players):
            with self.open() as campaign:
                text = self.write(campaign, player)
            receipts.append(self.send(text))
        return receipts

    def adjudicate(self, force: bool = False, after: timedelta = HOUR) -> adjudicating.Adjudication | adjudicating.Lock:
        """The moderator adjudicates, some time later."""
        self.now += after
        with self.open() as campaign:
            done = adjudicating.adjudicate(campaign, force)
            campaign.save()
        return done

    def carried_out(self, force: bool = False, after: timedelta = HOUR) -> adjudicating.Adjudication:
        """One adjudication, which must not be a lock."""
        done = self.adjudicate(force, after)
        assert isinstance(done, adjudicating.Adjudication)
        return done

    def assert_verified(self) -> None:
        """Nothing is wrong with the folder."""
        found = verify(self.root)
        assert found.is_good, found.findings


def take(campaign: Campaign, text: str, acted: str = "") -> adjudicating.Receipt:
    """A letter arrives during a command; one that cannot be read is answered too."""
    try:
        letter = read_letter(text.encode(), "letter")
    except Refused as refused:
        return adjudicating.refuse_raw(campaign, text, list(refused.faults))
    return adjudicating.take_letter(campaign, letter, acted=acted)


def codes(receipt: adjudicating.Receipt) -> list[str]:
    """The faults that a receipt tells of."""
    return [fault.code for fault in receipt.verdict.faults]
