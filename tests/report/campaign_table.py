"""A small campaign whose deal is always the same, for golden reports; letters are in the open."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import Clock
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.play import adjudicating
from pbem.campaign.play.tokens import token_of
from pbem.campaign.settings import Conduct, Moderator, Seat, Settings
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.seal.keys import PrivateKey
from tests.campaign.simulated import BEGIN, NAME, SimulatedTable

SEATS = ("maria-theresa", "frederick", "louis")


class OpenTable(SimulatedTable):
    """Players who seal nothing, and whose random bytes are always the same."""

    def __init__(
        self,
        root: Path,
        conduct: Conduct | None = None,
        seats: dict[str, Seat] | None = None,
        moderator: Moderator | None = None,
        **terms: str,
    ) -> None:
        """Begin the campaign, of the introductory game if nothing else is said; nobody has joined yet."""
        chosen: Any = terms or {"scenario": "introductory"}
        super().__init__(root / "pattern", 1, conduct, **chosen)
        self.root = root / "campaign"
        clock = Clock(delay="0m", zone="Europe/Vienna")
        every = {seat: (seats or {}).get(seat, Seat()) for seat in self.players}
        self.settings = Settings(NAME, self.terms, every, moderator or Moderator(), self.conduct, clock)
        begin(self.root, NewCampaign(self.settings, {}, {}, "test"), b"\x07" * 32, self.moderator, BEGIN)

    def join(self, names: dict[str, str] | None = None) -> None:
        """Everybody takes their seat."""
        with self.open() as campaign:
            for seat in self.players:
                self.deliver(campaign, joining(campaign, seat, self.players[seat].key, (names or {}).get(seat, "")))
                self.players[seat].seq = 1
            campaign.save()

    def write(self, campaign: Campaign, player: str) -> str:
        """Orders in the open."""
        return self.players[player].orders(campaign.state)


def send(table: OpenTable, campaign: Campaign, player: str, kind: str, body: dict[str, str]) -> adjudicating.Receipt:
    """A player writes a letter of another kind."""
    bot_player = table.players[player]
    head: dict[str, str | int] = {"kind": kind, "campaign": NAME, "from": player, "seq": bot_player.next_seq()}
    if kind in ("agreement", "proposal"):
        occasion = bot_player.occasion(campaign.state)
        head |= {"stage": occasion.stage, "basis": occasion.basis}
    letter = sign_letter(write_letter(head, body), bot_player.key)
    return adjudicating.take_letter(campaign, read_letter(letter.encode(), "letter"))


def joining(campaign: Campaign, seat: str, key: PrivateKey, name: str) -> str:
    """A letter that takes a seat, with the random bytes that this seat always brings."""
    body = {"key": key.public.text, "entropy": seat.encode().hex().ljust(64, "0")[:64]}
    body |= {"deal": campaign.public.secret, "token": token_of(campaign.state, seat)}
    if name:
        body["name"] = name
    return sign_letter(write_letter({"kind": "join", "campaign": NAME, "from": seat, "seq": 1}, body), key)


def before_every_stage(table: SimulatedTable, look: Callable[[Campaign], None], most: int = 10_000) -> None:
    """Play, and look at the campaign before every adjudication."""
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        while campaign.public.phase == "running" and most:
            look(campaign)
            table.round(campaign)
            most -= 1
        look(campaign)


def steady(text: str) -> str:
    """The text with a word in place of every hash, key and fingerprint, which are new in every run."""
    text = re.sub(r"SHA256:[A-Za-z0-9+/]{43}", "SHA256:FINGERPRINT", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "HASH", text)
    return re.sub(
        r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{24}\b|\b[0-9a-f]{12}(?:[0-9a-f]{4})?(?=…)", "BASIS", text
    )
