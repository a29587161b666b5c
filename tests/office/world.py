"""Four people who play by nothing but mail, through real servers: a moderator's office, and three of players."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from tests.cli.correspondence import NAME, SEATS, Correspondence
from tests.office.large import Cost, cost_of, now
from tests.office.servers import Servers

PEOPLE = ("moderator", *SEATS)


class World(Correspondence):
    """Everybody with a mailbox at the servers, and settings for their office."""

    def __init__(self, root: Path, servers: Servers) -> None:
        """Half of them use STARTTLS, half show tokens."""
        super().__init__(root)
        # Servers write on mails when they came.
        self.now = now()
        self.servers = servers
        for number, who in enumerate(PEOPLE):
            ways = servers.settings(who, ("tls", "starttls")[number % 2], ("password", "token")[number // 2])
            campaigns = "." if who == "moderator" else f"{who}/files"
            self.settings_of(who).write_text(
                f"campaigns: {campaigns}\n{ways}state: {who}/state\nkey: {who}/key\n"
                f"address: {who}@example.org\npictures: no\n"
            )

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
        self.run("new", NAME, "--delay", "0m", *host, *sitting, as_="moderator")
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
        """Everybody who owes orders mails them; then the office's evening."""
        self.now += timedelta(hours=1)
        for seat in self.owing():
            self.office(seat)
            self.run("sign", str(self.newest(seat)), as_=seat)
            assert "mails sent: 1" in self.office(seat)
        return self.office("moderator", "evening")
