"""Whole campaigns of seated bots, closed, ready to be verified; a seed gives the same bytes whenever they are made."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct

from pbem import __version__
from pbem.campaign.campaign import NewCampaign, begin, opened_by_moderator
from pbem.campaign.disk.lock import LOCK
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.planning import planned, read_plan
from pbem.campaign.play import adjudicating
from pbem.campaign.play.seated_bots import play_bots
from pbem.campaign.proof import closing
from pbem.cli.common import OPTIONS
from pbem.engine.stages import turn_of
from pbem.seal.fields import digest
from pbem.seal.keys import key_of
from pbem.showing.bot_campaign import QuickDisk, secret_of

BEGAN = datetime(2000, 1, 1, tzinfo=UTC)
"""When such campaigns begin, whenever that is."""

ROUND = timedelta(hours=1)

FAR_ENOUGH = "no more turns were wanted"

KEY = "pbem/corpus/key/1"
"""What a seed is hashed under for the key of its moderator, who is nobody."""


class Wanted(Struct, frozen=True):
    """What all such campaigns have in common."""

    terms: dict[str, str]
    bots: dict[str, str]
    """The bot of every seat."""
    turns: int | None = None
    """After how many turns to stop; nothing means at the end of the game."""


def play_archive(root: Path, wanted: Wanted, name: str, seed: str) -> None:
    """Let bots play a campaign in a new folder, and close it; only what is published stays there."""
    disk, key = QuickDisk(), key_of(digest(KEY, seed), "moderator of a corpus")
    begin(root, plan_of(wanted, name), secret_of(seed), key, BEGAN, disk)
    with opened_by_moderator(root, key, "pbem corpus", BEGAN, disk) as campaign:
        play_bots(campaign)
        while goes_on(campaign.public, wanted.turns):
            campaign.now += ROUND
            adjudicating.adjudicate(campaign)
            campaign.state.news.clear()
            play_bots(campaign)
        closing.close(campaign, "" if campaign.public.phase == "over" else FAR_ENOUGH)
        campaign.save()
    for private in (campaign.folder.letters, campaign.folder.raw, campaign.folder.outbox):
        shutil.rmtree(private)
    for file in (campaign.folder.secret, root / LOCK):
        file.unlink()


def goes_on(public: PublicState, turns: int | None) -> bool:
    """Whether there is more to play."""
    if public.phase not in ("joining", "running"):
        return False
    return turns is None or public.next is None or turn_of(public.next.stage) <= turns


def plan_of(wanted: Wanted, name: str) -> NewCampaign:
    """A campaign of bots; as nobody opens boxes in it, there is no chance in any letter."""
    options: dict[str, object] = {
        **wanted.terms,
        "campaign": name,
        "seats": {seat: {"bot": level} for seat, level in wanted.bots.items()},
        "conduct": {"sealing": "reveal"},
        "clock": {"delay": "0m"},
    }
    return planned(read_plan(b"", OPTIONS, Path(), options), OPTIONS, __version__)
