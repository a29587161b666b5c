"""Secret account of an adjudication: all answers and events, and the orders that failed, each with the code of its
fault. The ledger has a commitment to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

import msgspec

from pbem.campaign.play.resolving import StageOutcome
from pbem.faults.wrong import rows

MOST_FOR_PAIRS = 4
"""Greatest number of failed orders with which other codes are tried for two of them at once. With more of them this
would take long."""


def account_of(outcome: StageOutcome) -> bytes:
    """Return the account of an adjudication with this outcome."""
    return written(outcome, [slip.fault.code for slip in outcome.slips])


def other_accounts(outcome: StageOutcome) -> Iterator[bytes]:
    """Yield accounts of the outcome in which one or two of the failed orders have another code. Such an account is
    right, too: another version of the program may find another fault of an order, and nothing in the game depends on
    it."""
    codes = [slip.fault.code for slip in outcome.slips]
    for count in (1, 2) if len(codes) <= MOST_FOR_PAIRS else (1,):
        for places in combinations(range(len(codes)), count):
            for others in product(codes_of_orders(), repeat=count):
                named = dict(zip(places, others, strict=True))
                yield written(outcome, [named.get(at, code) for at, code in enumerate(codes)])


@cache
def codes_of_orders() -> tuple[str, ...]:
    """Return the codes of all faults that orders may have. If a code was changed, the former code is among them,
    too."""
    told = {key.partition(".")[0]: row for key, row in rows("en").items() if key.startswith("E-")}
    found = {
        code for key, row in told.items() if row.rule.startswith("§") or row.rule == "form" for code in (key, row.was)
    }
    return tuple(sorted(found - {""}))


def written(outcome: StageOutcome, codes: Sequence[str]) -> bytes:
    slips = [(slip.player, slip.power, code) for slip, code in zip(outcome.slips, codes, strict=True)]
    return msgspec.json.encode({"answers": outcome.answers, "events": outcome.events, "slips": slips})
