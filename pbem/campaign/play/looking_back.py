"""A campaign as it stood behind an earlier entry, for whoever writes again what was written then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import islice

import msgspec
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.timestamps import stamp
from pbem.campaign.ledger.adding_up import add_entry, public_state_at_start
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.reading import first_of
from pbem.campaign.ledger.replaying import replay
from pbem.campaign.play.snapshot import Snapshot


class LedgerUntil(Ledger):
    """A ledger of which no more is read than was there then."""

    last = 0

    def _row(self) -> dict[int, str]:
        """The names of the entries up to that one."""
        return {number: name for number, name in super()._row().items() if number <= self.last}


def states_behind(campaign: Campaign, numbers: set[int]) -> dict[int, Snapshot]:
    """The secret state behind some entries, played again from the beginning."""
    entries = islice(campaign.ledger.entries(), max(numbers))
    found = {1: at_the_start(campaign)}
    for played in replay(entries, campaign.state_from, campaign.state.secret):
        if played.entry.number in numbers:
            found[played.entry.number] = msgspec.json.decode(msgspec.json.encode(played.state.kept()), type=Snapshot)
    for state in found.values():
        # The ledger has its keys in another order than the plan of the campaign, which reports keep to.
        state.public.settings = campaign.settings
    return found


def at_the_start(campaign: Campaign) -> Snapshot:
    """The state behind the entry with which a campaign begins."""
    entry, record = first_of(campaign.folder)
    public = public_state_at_start(record)
    add_entry(public, entry.number, stamp(entry.time), record)
    return Snapshot(public, campaign.vault.kept.secret)


@contextmanager
def as_it_stood(campaign: Campaign, entry: int, posted: int, now: datetime) -> Iterator[Campaign]:
    """The campaign behind an entry, when reports had last been written behind another; nothing of it is kept."""
    then = states_behind(campaign, {entry, posted})
    before = campaign.ledger, campaign.state, campaign.vault, campaign.now
    ledger = LedgerUntil(campaign.folder.ledger, campaign.ledger.campaign)
    ledger.last = entry
    campaign.ledger, campaign.now = ledger, now
    head = ledger.read(entry).hash
    campaign.vault = replace(campaign.vault, entry=entry, hash=head, kept=then[entry], posted=then[posted])
    campaign.state = campaign.state_from(then[entry])
    try:
        yield campaign
    finally:
        campaign.ledger, campaign.state, campaign.vault, campaign.now = before
