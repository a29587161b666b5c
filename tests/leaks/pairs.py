"""Twins: two campaigns that differ in one secret of somebody, and in nothing that others may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock import timing
from pbem.campaign.clock.clock import Clock
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.play import adjudicating, rulings, secret_state
from pbem.campaign.players.letters import sealed_part
from pbem.campaign.settings import Conduct, Seat
from pbem.moderator.letters import tray_of
from pbem.moderator.mails import write_invitations, write_reminders, write_reports
from pbem.paper.documents.writing import Value
from pbem.post.mailbox import RawMessage
from pbem.seal.canonical import Tree
from pbem.seal.deal import ProvableDealer
from pbem.seal.keys import PrivateKey
from tests.campaign.simulated import DAY, HOUR, SimulatedTable
from tests.report.campaign_table import joining


class Twin(Struct):
    """One of two campaigns, and what came in."""

    table: SimulatedTable
    letters: dict[str, bytes] = field(default_factory=dict)

    def take(self, name: str, player: str, text: str) -> None:
        """A mail comes in, and must be taken."""
        head = f"From: {player}@example.org\nMessage-ID: <{name}@example.org>\nMIME-Version: 1.0\n"
        kind = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit"
        self.letters[name] = f"{head}{kind}\n\n{text}".encode()

        def work(campaign: Campaign) -> None:
            tray = tray_of(campaign, iter([RawMessage(self.letters[name], name)]))
            assert [answer.receipt.status for answer in tray.answers] != ["refused"], tray.answers

        self.work(work)

    def work(self, do: Callable[[Campaign], object]) -> None:
        """One command."""
        with self.table.open() as campaign:
            do(campaign)
            campaign.save()

    def adjudicate(self, force: bool = False) -> None:
        """The moderator goes on, some time later."""
        self.table.now += HOUR
        self.work(lambda campaign: adjudicating.adjudicate(campaign, force))

    def post(self, pictures: bool = False) -> None:
        """Reports, and the reminders of the day before the deadline."""

        def work(campaign: Campaign) -> None:
            write_reports(campaign, pictures)
            campaign.vault.posted = campaign.state.snapshot()

        self.work(work)

    def remind(self) -> None:
        """Reminders, when they are due."""
        self.table.now += 2 * DAY

        def work(campaign: Campaign) -> None:
            write_reminders(campaign, timing.due_reminders(campaign))
            rulings.remind(campaign)

        self.work(work)

    def invite(self) -> None:
        """Invitations, before everybody has joined."""
        self.work(write_invitations)

    def orders(self, player: str, orders: Mapping[str, Tree]) -> None:
        """Sealed orders of a player come in."""
        text = self.table.letter(player, sealed={"orders": dict(orders)})
        self.take(f"orders-{len(self.letters)}", player, text)

    def plan(self, player: str, orders: Mapping[str, Tree]) -> None:
        """Sealed standing plans of a player come in."""
        part = sealed_part(self.table.occasion(player), "plans", dict(orders))
        body: Value = {"sealed": {"plans": self.table.boxed(part)}}
        self.take(f"plan-{len(self.letters)}", player, self.table.other_letter(player, "plan", body))

    def allotted(self, player: str, seed: str) -> None:
        """A player allots troops, as a bot does with this chance, in a sealed letter."""
        bot_player = self.table.players[player]
        bot_player.chance = Random(seed)
        with self.table.open() as campaign:
            orders = bot_player.decide(campaign.state)
        self.orders(player, {power: allotment_of(sections) for power, sections in orders.items()})


def allotment_of(sections: Tree) -> Tree:
    """Only how troops are allotted."""
    assert isinstance(sections, dict)
    return {"allot": sections["allot"]}


def campaign_of(
    root: Path,
    terms: Mapping[str, str],
    conduct: Conduct | None = None,
    keys: Mapping[str, PrivateKey] | None = None,
    moderator: PrivateKey | None = None,
) -> SimulatedTable:
    """A campaign in which nobody has joined: everybody has an address, and one seat wants sealed reports."""
    clock = Clock(delay="0m", next="72h", remind=("24h",), at_deadline="hold")
    chosen: Any = terms
    pattern = root.with_name(f"{root.name}-pattern")
    table = SimulatedTable(pattern, 1, conduct, clock=clock, **chosen)
    seats = {seat: Seat(reports="sealed" if seat == "louis" else "plain") for seat in table.players}
    addresses = {seat: f"{seat}@example.org" for seat in (*seats, "moderator")}
    table.root, table.settings = root, replace(table.settings, seats=seats)
    table.moderator = moderator or table.moderator
    for seat, key in (keys or {}).items():
        table.players[seat].key = key
    return begun_with(table, addresses)


def begun_with(table: SimulatedTable, addresses: dict[str, str]) -> SimulatedTable:
    """Its first entry."""
    begin(table.root, NewCampaign(table.settings, {}, addresses, "test"), b"\x07" * 32, table.moderator, table.now)
    return table


def joined(twin: Twin) -> Twin:
    """Everybody takes their seat."""
    for seat, bot_player in twin.table.players.items():
        with twin.table.open() as campaign:
            text = joining(campaign, seat, bot_player.key, f"Player of {seat}")
        bot_player.seq = 1
        twin.take(f"join-{seat}", seat, text)
    return twin


def pair_of(twin: Twin, root: Path) -> tuple[Twin, Twin]:
    """The same campaign twice."""
    return tuple(Twin(twin.table.copied(root / name), dict(twin.letters)) for name in ("one", "other"))  # type: ignore[return-value]


def exchanging(patch: pytest.MonkeyPatch, first: int, second: int) -> None:
    """From now on the deal is another: two cards change places in every shuffle."""

    class Exchanging(ProvableDealer):
        """A dealer who puts one card in the place of the other."""

        def shuffle(self, number: int, cards: Sequence[int]) -> list[int]:
            order = super().shuffle(number, cards)
            other = {first: second, second: first}
            order = [other.get(card, card) for card in order] if {first, second} <= set(order) else order
            self.made[-1] = (number, order)
            return list(order)

    patch.setattr(secret_state, "ProvableDealer", Exchanging)
