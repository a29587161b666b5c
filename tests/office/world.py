"""Four people who play by nothing but mail, through real servers: a moderator's office, and three of players."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from random import Random

from pbem.bots.table import sensible_policy
from pbem.campaign.campaign import opened_by_moderator
from pbem.lab.bot_campaign import BotPlayer
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME, SEATS, Correspondence
from tests.office.large import Cost, cost_of, now
from tests.office.servers import Servers

PEOPLE = ("moderator", *SEATS)


class World(Correspondence):
    """Everybody with a mailbox at the servers, and settings for their office."""

    def __init__(self, root: Path, servers: Servers, *options: str) -> None:
        """Half of them use STARTTLS, half show tokens; `options` are those of the campaign."""
        super().__init__(root)
        # Servers write on mails when they came.
        self.now = now()
        self.servers = servers
        self.options = options
        keys = {seat: load_private((root / seat / "key").read_bytes(), None) for seat in SEATS}
        self.bots = {
            seat: BotPlayer(seat, sensible_policy("maria"), Random(seat), key=key) for seat, key in keys.items()
        }
        for number, who in enumerate(PEOPLE):
            ways = servers.settings(who, ("tls", "starttls")[number % 2], ("password", "token")[number // 2])
            campaigns = "." if who == "moderator" else f"{who}/files"
            self.settings_of(who).write_text(
                f"campaigns: {campaigns}\n{ways}state: {who}/state\nkey: {who}/key\n"
                f"address: {who}@example.org\npictures: no\n"
            )

    seconds = 0.0
    """Of the processor, for the last evening."""

    def settings_of(self, who: str) -> Path:
        """Somebody's settings."""
        return self.root / f"{who}.yaml"

    def office(self, who: str, *words: str) -> str:
        """A round of somebody's office, behind which everything is delivered."""
        words = words or ("mail", "run", "--once")
        seat = ("--as", who) if who != "moderator" else ()
        told = self.run(*words, "--settings", f"{who}.yaml", *seat).output
        self.servers.delivered()
        return told

    def measured(self, *words: str) -> Cost:
        """A command of the moderator's office as a process of its own."""
        return cost_of(self.root, *words, "--settings", "moderator.yaml")

    def begin_by_mail(self) -> None:
        """Invitations go out, joins come in, the cards are dealt."""
        self.office("moderator")
        sitting = [word for seat in SEATS for word in ("--seat", f"{seat}={seat} <{seat}@example.org>")]
        host = ("--moderator", "Max <moderator@example.org>")
        self.run("new", NAME, "--delay", "0m", *self.options, *host, *sitting, as_="moderator")
        self.moderate("invite")
        self.office("moderator")
        for seat in SEATS:
            self.office(seat)
            files = self.root / seat / "files" / NAME
            self.run("join", str(files / "0001/invitation.yaml"), "-o", str(files / "join.yaml"), as_=seat)
            assert "mails sent: 1" in self.office(seat)

    def newest(self, seat: str) -> Path:
        """The order sheet that came last."""
        return max((self.root / seat / "files" / NAME).glob("*/orders.yaml"))

    def stage(self) -> str:
        """Everybody who owes orders mails those of a bot, in turn sealed and in the open; then the office's evening."""
        self.now += timedelta(hours=3)
        for number, seat in enumerate(self.owing()):
            self.office(seat)
            path = self.newest(seat).with_name("letter.yaml")
            path.write_text(self.orders_of(seat, is_sealed=number % 2 == 0))
            assert "mails sent: 1" in self.office(seat)
        begun = time.process_time()
        told = self.run("evening", "--settings", "moderator.yaml").output
        self.seconds = time.process_time() - begun
        self.servers.delivered()
        return told

    def orders_of(self, seat: str, is_sealed: bool) -> str:
        """Orders of a bot that sees more of the table than a player does."""
        key = load_private((self.root / "moderator" / "key").read_bytes(), None)
        with opened_by_moderator(self.folder, key, "a bot", self.now) as campaign:
            bot = self.bots[seat]
            bot.seq = campaign.public.seqs[seat]
            return bot.orders(campaign.state, key.public if is_sealed else None)
