"""Moderators who do anything at all with the seat of a bot: both verifiers find what is foul, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from pbem import __version__
from pbem.bots.plain import choose
from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.entry_checks import Writer, owes
from pbem.campaign.ledger.records import KeyChangeRecord
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.play.seated_bots import is_bots, letter_due, play_bots
from pbem.campaign.proof.verifying import verify
from pbem.lab.bot_campaign import bot_players_of
from pbem.paper.letters import read_letter, sign_letter, write_letter
from tests.campaign.simulated import NAME, SimulatedTable
from tests.protocol.cheats_with_bots import (
    BOT,
    BOTS,
    SEAT,
    begun,
    deliver,
    finished,
    go_on,
    key_of,
    ordered,
    people_order,
)
from tests.protocol.second import verify as second

AGREED = f"random/{__version__}"

Doing = Callable[[SimulatedTable, Campaign, Random], bool]
"""Something that a moderator does; tells whether it was foul."""


def may_write(campaign: Campaign) -> bool:
    """True if the bot has the seat and owes orders."""
    has_seat = is_bots(campaign.state, SEAT) and campaign.public.players[SEAT].bot == BOT
    return has_seat and owes(campaign.public, Writer(SEAT, BOT))


def plays_on(table: SimulatedTable, campaign: Campaign, chance: Random) -> bool:
    """The campaign goes on."""
    go_on(table, campaign)
    return False


def lets_it_write(table: SimulatedTable, campaign: Campaign, chance: Random) -> bool:
    """Bots write what they owe."""
    return bool(play_bots(campaign))


def goes_back(table: SimulatedTable, campaign: Campaign, chance: Random) -> bool:
    """All stands as it did at some position before."""
    first = next(entry.number for entry in campaign.ledger.entries() if entry.kind == "adjudication")
    rulings.rollback(campaign, chance.randint(first, campaign.public.entry), "a mistake")
    return False


def gives_it_away_and_back(table: SimulatedTable, campaign: Campaign, chance: Random) -> bool:
    """A person takes the seat, perhaps orders, and leaves it to a bot."""
    if not is_bots(campaign.state, SEAT):
        return False
    (person,) = bot_players_of([SEAT], choose, "person").values()
    person.seq = campaign.public.seqs.get(SEAT, 0)
    rulings.substitute(campaign, SEAT, person.key.public.text, "a person has come")
    if SEAT in campaign.public.next.owing and chance.random() < 0.5:  # type: ignore[union-attr]
        table.deliver(campaign, person.orders(campaign.state))
    rulings.substitute_bot(campaign, SEAT, AGREED, "and has gone")
    return False


def orders_in_its_place(table: SimulatedTable, campaign: Campaign, chance: Random) -> bool:
    """The moderator acts."""
    if not may_write(campaign):
        return False
    (person,) = bot_players_of([SEAT], choose, "person").values()
    person.key, person.seq = table.moderator, campaign.public.seqs.get(SEAT, 0)
    letter = read_letter(person.orders(campaign.state).encode(), "letter")
    assert not adjudicating.take_letter(campaign, letter, acted="a whim").verdict.faults
    return False


def writes_again(table: SimulatedTable, campaign: Campaign, chance: Random) -> bool:
    """A second letter for the same stage."""
    play_bots(campaign)
    if campaign.public.players[SEAT].bot != BOT or SEAT not in campaign.public.pending:
        return False
    deliver(campaign, letter_due(campaign.state, Writer(SEAT, BOT)))
    return True


def hesitates(table: SimulatedTable, campaign: Campaign, chance: Random) -> bool:
    """A draft, a wish to wait, or a number left out."""
    if not may_write(campaign):
        return False
    ordered(campaign, **chance.choice(({"final": False}, {"wait": True}, {"more": 3})))
    return True


def speaks(table: SimulatedTable, campaign: Campaign, chance: Random) -> bool:
    """A message under the key of the bot."""
    if not is_bots(campaign.state, SEAT):
        return False
    seq = campaign.public.seqs.get(f"{SEAT}/message", 0) + 1
    head: dict[str, str | int] = {"kind": "message", "campaign": NAME, "from": SEAT, "seq": seq}
    deliver(campaign, sign_letter(write_letter(head, {"to": "all", "text": "Hello."}), key_of(campaign)))
    return True


def exchanges_its_key(table: SimulatedTable, campaign: Campaign, chance: Random) -> bool:
    """A ruling gives it the key that it has already."""
    if not is_bots(campaign.state, SEAT):
        return False
    campaign.add(KeyChangeRecord(SEAT, campaign.public.players[SEAT].key, why="a whim"))
    return True


FAIR: tuple[Doing, ...] = (plays_on, lets_it_write, goes_back, gives_it_away_and_back, orders_in_its_place)
FOUL: tuple[Doing, ...] = (writes_again, hesitates, speaks, exchanges_its_key)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_foul_is_found_and_nothing_else(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    table = begun(tmp_path / "campaign", BOTS, stand_in=AGREED)
    is_foul = False
    with table.open() as campaign:
        for _ in range(8):
            may_cheat = seed % 2 == 1
            is_foul |= chance.choice(FAIR + FOUL * may_cheat)(table, campaign, chance)
            people_order(table, campaign)
        table.now = campaign.now
        campaign.save()
    finished(table, 1)
    found = verify(table.root)
    assert (not found.is_good) == is_foul, found.findings
    assert bool(second(table.root)) == is_foul, second(table.root)
