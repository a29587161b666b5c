"""A simulated table: a moderator and players who know each other only by letters, for whole campaigns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from pbem.bots.uniform import choose
from pbem.campaign import closing, desk
from pbem.campaign.atomic import DISK, Disk
from pbem.campaign.campaign import Campaign, Plan, begin, opened_by_moderator, rules_of
from pbem.campaign.clock import Clock
from pbem.campaign.folder import Folder
from pbem.campaign.puppets import Puppet
from pbem.campaign.settings import Conduct, Moderator, Seat, Settings
from pbem.paper.letters import read_letter
from pbem.seal.keys import new_key

BEGIN = datetime(2026, 11, 21, 12, tzinfo=UTC)
NAME = "vienna-1741"


class SimulatedTable:
    """A campaign in a folder, a moderator and players."""

    def __init__(self, root: Path, seed: int = 1, conduct: Conduct | None = None, disk: Disk = DISK, **terms: str) -> None:
        """Begin a campaign and let everybody join."""
        self.root = root
        self.now = BEGIN
        self.disk = disk
        self.moderator = new_key("moderator")
        self.conduct = conduct or Conduct()
        self.terms: dict[str, str | dict[str, str]] = {"game": "maria", **terms}
        clock = Clock(delay="0m")
        probe = Settings(NAME, self.terms, {}, Moderator(), self.conduct, clock)
        seats = rules_of(Folder(root), probe).seats
        self.settings = Settings(NAME, self.terms, {seat: Seat() for seat in seats}, Moderator(), self.conduct, clock)
        self.players = {seat: Puppet(seat, choose, Random(f"{seed}/{seat}")) for seat in seats}
        begin(root, Plan(self.settings, {}, {}, "test"), b"\x07" * 32, self.moderator, self.now)

    def join(self) -> None:
        """Everybody takes their seat."""
        with self.open() as campaign:
            for puppet in self.players.values():
                self.deliver(campaign, puppet.join(NAME))
            campaign.save()

    def open(self):  # type: ignore[no-untyped-def]
        """The campaign, for one command of the moderator."""
        return opened_by_moderator(self.root, self.moderator, "test", self.now, self.disk)

    def deliver(self, campaign: Campaign, text: str) -> desk.Receipt:
        """A letter arrives, and must be taken."""
        receipt = desk.take_letter(campaign, read_letter(text.encode(), "letter"))
        assert not receipt.verdict.faults, (text, receipt.verdict.faults)
        return receipt

    def write(self, campaign: Campaign, player: str) -> str:
        """The letter of a player with orders, as this campaign wants it."""
        puppet = self.players[player]
        if self.conduct.sealing == "reveal":
            return puppet.orders(campaign.course, commit_only=True)
        return puppet.orders(campaign.course, self.moderator.public)

    def round(self, campaign: Campaign) -> None:
        """Everybody who owes orders sends them, and the moderator adjudicates."""
        register = campaign.register
        assert register.next is not None
        for player in register.next.owing:
            if player not in register.next.answered:
                self.deliver(campaign, self.write(campaign, player))
        campaign.now += timedelta(hours=1)
        if isinstance(desk.adjudicate(campaign)[0], int):
            for player, pending in list(register.pending.items()):
                if pending.slots:
                    self.deliver(campaign, self.players[player].reveal(campaign.course))
            desk.adjudicate(campaign)

    def play(self, most: int = 10_000) -> int:
        """Play to the end, or for some rounds; gives how many there were."""
        rounds = 0
        with self.open() as campaign:
            if campaign.register.phase == "joining":
                desk.adjudicate(campaign)
            while campaign.register.phase == "running" and rounds < most:
                self.round(campaign)
                rounds += 1
            self.now = campaign.now
            campaign.save()
        return rounds

    def close(self, why: str = "") -> None:
        """Publish everything."""
        with self.open() as campaign:
            closing.close(campaign, why)
            campaign.save()
