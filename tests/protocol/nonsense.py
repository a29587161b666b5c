"""Signed nonsense: entries of each kind say something wrong, signed with the moderator's key, at the end of an archive.

Behind them no letter was written, whose `basis` would tell of any change. Both verifiers must agree whether something
is wrong, and neither may raise anything. `python -m tests.protocol.nonsense --count 500 --seed 7` tries many.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.ledger.records import ReminderRecord
from pbem.campaign.ledger.replaying import MALFORMED
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.proof.verifying import verify as first
from pbem.campaign.settings import Conduct, Newcomer
from pbem.paper.documents.faults import Refused
from pbem.seal.keys import new_key
from tests.campaign.simulated import DAY, SimulatedTable
from tests.fuzz.changes import changed_tree
from tests.protocol.forging import Draft, rewritten
from tests.protocol.second import verify as second

Work = Callable[[Campaign], object]

VALUES = (
    "", " ", "0", "1", "3", "5", "7", "99", "9999", "-1", "00", "01", "x", "nobody", "louis", "frederick", "true",
    "false", "maria-theresa", "2026-11-23", "2026-11-21T19:00:00Z", "2099-01-01T00:00:00Z", "2026-13-41", "0" * 64,
    "9999-12-31", "before", "late", "deadline", "rollback to 5", "ssh-ed25519 AAAA", [], {}, [[]],
    ["louis"], ["louis", "louis"],
    {"": ""}, {"louis": []}, {"stage": "1/setup"}, "1/setup", "9/austria", "sensible/0.2.0",
)  # fmt: skip
"""Values put in place of others, besides values from elsewhere in the body."""


def away(campaign: Campaign) -> None:
    days = (campaign.now + 20 * DAY).date()
    rulings.enter_absence(campaign, Absence("louis", days, days + DAY, "a wedding"))


def went_back(campaign: Campaign) -> None:
    rulings.rollback(campaign, campaign.public.since - 1, "a general marched by mistake")


def clock_repaired(campaign: Campaign) -> None:
    campaign.now += 9 * DAY
    rulings.rule(campaign, "The clock is wrong.")
    campaign.now -= 8 * DAY
    campaign.clock_is_right = True
    rulings.repair_clock(campaign, "the battery was empty")


def key_changed(campaign: Campaign) -> None:
    rulings.rekey(campaign, "louis", new_key("lost and found").public.text, "a disk has failed")


def seat_given(campaign: Campaign) -> None:
    rulings.substitute(campaign, "louis", new_key("substitute").public.text, "gone to sea", Newcomer("Kaunitz"))


def reminded(campaign: Campaign) -> None:
    campaign.add(ReminderRecord(("louis", "frederick"), "before"))


WORKS: dict[str, Work] = {
    "absence": away,
    "reminder": reminded,
    "rollback": went_back,
    "clock": clock_repaired,
    "key-change": key_changed,
    "substitute": seat_given,
    "extension": lambda campaign: rulings.extend(campaign, campaign.now + timedelta(days=20), "holidays"),
    "ruling": lambda campaign: rulings.rule(campaign, "A late letter counts."),
}
"""Actions that lead to an entry of each kind."""

LETTERS = ("agreement", "key-change by letter")
KINDS = (*WORKS, *LETTERS, "lock", "close")


def archives(root: Path) -> dict[str, SimulatedTable]:
    """A closed campaign for each kind of entry, which is its last but one, or its last."""
    base = SimulatedTable(root / "base", scenario="introductory").begun()
    base.play(1)
    sealed = SimulatedTable(root / "sealed", conduct=Conduct(sealing="reveal"), scenario="introductory").begun()
    sealed.ordered()
    found = {}
    for kind in KINDS:
        table = (sealed if kind == "lock" else base).copied(root / kind.replace(" ", "-"))
        if kind == "agreement":
            for player, other in (("louis", "frederick"), ("frederick", "louis")):
                table.send(table.other_letter(player, "agreement", {"with": other, "words": "Peace.", "until": "3"}))
        elif kind == "key-change by letter":
            table.send(table.key_change("louis", new_key("new")))
        elif kind != "close":
            with table.open() as campaign:
                WORKS.get(kind, adjudicating.adjudicate)(campaign)
                campaign.save()
                table.now = campaign.now
        table.close("enough")
        found[kind] = table
    return found


def nonsense(body: Any, chance: Random) -> Any:
    """The body of an entry in which something is wrong."""
    if chance.random() < 0.4:
        return changed_tree(body, chance)
    body = dict(body)
    key = chance.choice([*body, "why", "bot", "key", "next", "deadline", "player"])
    if key in body and chance.random() < 0.15:
        del body[key]
    elif isinstance(body.get(key), dict) and body[key] and chance.random() < 0.8:
        body[key] = nonsense(body[key], chance)
    else:
        body[key] = chance.choice(VALUES)
    return body


def disagreement(table: SimulatedTable, folder: Path, kind: str, seed: str) -> str:
    """Say something wrong at the end of a copy of an archive; gives how the verifiers failed, or nothing."""
    chance, root = Random(seed), folder / "copy"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(table.root, root)
    place = -1 if kind == "close" else -2
    said: list[Any] = []

    def change(draft: Draft) -> None:
        its, time, body = draft.entries[place]
        said.append(nonsense(body, chance))
        draft.entries[place] = (its, time, said[0])

    try:
        rewritten(root, table.moderator, change)
    except (Refused, *MALFORMED):  # it cannot be written as an entry
        return ""
    told = f"{kind} {seed}: {said[0]}"
    try:
        program = [finding.message_line() for finding in first(root).findings if not finding.fault.is_warning]
        other = second(root)
    except Exception:
        return f"{told}\n{traceback.format_exc(limit=-4)}"
    return "" if bool(program) == bool(other) else f"{told}\n  program: {program}\n  second: {other}"


def failures(tables: dict[str, SimulatedTable], folder: Path, seed: int, count: int) -> Iterator[str]:
    """Try so many of each kind."""
    for kind, table in tables.items():
        for number in range(count):
            if told := disagreement(table, folder, kind, f"{seed}/{number}"):
                yield told


def main() -> int:
    """Try many, and tell all that fails."""
    parser = argparse.ArgumentParser("tests.protocol.nonsense", description="Verify signed nonsense.")
    parser.add_argument("--count", type=int, default=200, help="how many of each kind of entry")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("kinds", nargs="*", help=", ".join(KINDS))
    options = parser.parse_args()
    failed = 0
    with TemporaryDirectory() as folder:
        tables = archives(Path(folder))
        chosen = {kind: table for kind, table in tables.items() if kind in (options.kinds or KINDS)}
        for told in failures(chosen, Path(folder), options.seed, options.count):
            failed += 1
            print(told, flush=True)
    print(f"{options.count} of each of {len(chosen)} kinds, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
