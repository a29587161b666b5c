"""Commands that are killed, or whose disk is full, at any instant: run again, they have worked exactly once."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from pbem.campaign.campaign import Campaign, opened_by_moderator
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.disk.atomic import DISK, Disk, StorageFault
from pbem.campaign.ledger.records import RulingRecord
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.proof import judging_again
from pbem.campaign.settings import Conduct
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter
from pbem.seal.keys import PrivateKey, load_private, save_private
from tests.campaign.faulty import Faulty, Killed, full
from tests.campaign.simulated import DAY, SimulatedTable
from tests.protocol.second import verify as second

Work = Callable[[Campaign], object]
Case = tuple[SimulatedTable, Work]


def taking(text: str) -> Work:
    """Accept a letter and the bytes in which it came."""

    def work(campaign: Campaign) -> None:
        campaign.keep_raw(text.encode())
        adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))

    return work


def accept(root: Path) -> Case:
    table = SimulatedTable(root, scenario="introductory").begun()
    with table.open() as campaign:
        text = table.write(campaign, "louis")
    return table, taking(text)


def refuse(root: Path) -> Case:
    table = SimulatedTable(root, scenario="introductory").begun()
    return table, taking(table.letter("louis", {}, key=table.moderator))


def join(root: Path) -> Case:
    table = SimulatedTable(root, scenario="introductory")
    with table.open() as campaign:
        text = table.players["louis"].join(campaign.state)
    return table, taking(text)


def agree(root: Path) -> Case:
    table = SimulatedTable(root, scenario="introductory").begun()
    table.send(table.other_letter("louis", "agreement", {"with": "frederick", "words": "Peace."}))
    return table, taking(table.other_letter("frederick", "agreement", {"with": "louis", "words": "Peace."}))


def deal(root: Path) -> Case:
    """The first adjudication, which sets the game up."""
    table = SimulatedTable(root, scenario="introductory")
    with table.open() as campaign:
        for bot_player in table.players.values():
            adjudicating.take_letter(campaign, read_letter(bot_player.join(campaign.state).encode(), "letter"))
        campaign.save()
    return table, once(adjudicating.adjudicate)


def adjudicate(root: Path) -> Case:
    table = SimulatedTable(root, scenario="introductory").begun()
    table.ordered()
    return table, once(adjudicating.adjudicate)


def lock(root: Path) -> Case:
    table = SimulatedTable(root, conduct=Conduct(sealing="reveal"), scenario="introductory").begun()
    table.ordered()
    return table, once(adjudicating.adjudicate)


def reveal(root: Path) -> Case:
    table, work = lock(root)
    with table.open() as campaign:
        work(campaign)
        text = table.players["louis"].reveal(campaign.state)
        campaign.save()
    return table, taking(text)


def away(root: Path) -> Case:
    table = SimulatedTable(root, scenario="introductory").begun()
    days = Absence("louis", table.now.date(), (table.now + 5 * DAY).date(), "a wedding")
    return table, lambda campaign: rulings.enter_absence(campaign, days)


def rollback(root: Path) -> Case:
    table = SimulatedTable(root, scenario="introductory").begun()
    table.play(2)
    return table, lambda campaign: rulings.rollback(campaign, 5, "a slip")


def close(root: Path) -> Case:
    table = SimulatedTable(root, scenario="introductory").begun()
    table.play(2)
    return table, lambda campaign: judging_again.close(campaign, "far enough")


def once(work: Work) -> Work:
    """Do nothing if the moderator's act is done already."""

    def carefully(campaign: Campaign) -> None:
        try:
            work(campaign)
        except Refused as refused:
            if refused.faults[0].code not in ("E-CAMPAIGN-WAITING", "E-CAMPAIGN-PHASE"):
                raise

    return carefully


CASES = {
    each.__name__: each for each in (accept, refuse, join, agree, deal, adjudicate, lock, reveal, away, rollback, close)
}  # fmt: skip
ENDS: tuple[tuple[str, Any], ...] = (("half", Killed), ("behind", Killed), ("half", full))
"""Killed within an operation and behind it, and a full disk: at every instant one of them in turn.

In the long run all."""

IS_LONG = os.environ.get("PBEM_TESTS") == "long"

REPEATED = ("rollback",)
"""Commands that may be repeated: the moderator looks first whether they were carried out."""


def run(table: SimulatedTable, work: Work, disk: Disk = DISK) -> None:
    """One command."""
    with opened_by_moderator(table.root, table.moderator, "test", table.now, disk) as campaign:
        campaign.intend("test")
        work(campaign)
        campaign.save()


def entries(table: SimulatedTable) -> list[bytes]:
    """Entries of the ledger, whether or not anybody has carried them out."""
    return [path.read_bytes() for path in sorted((table.root / "ledger").glob("*.yaml"))]


def left(table: SimulatedTable) -> dict[str, bytes]:
    """Everything in the folder; of sealed files, which are new bytes each time, that they are there."""
    paths = [path for path in table.root.rglob("*") if path.is_file()]
    return {str(path.relative_to(table.root)): b"" if path.suffix == ".age" else path.read_bytes() for path in paths}


def instants(table: SimulatedTable, work: Work, spare: Path) -> int:
    """Number of operations on the disk for a command."""
    counting = Faulty()
    run(table.copied(spare), work, counting)
    return counting.count


@pytest.mark.parametrize("name", CASES)
def test_a_command_killed_at_any_instant_and_run_again_has_worked_exactly_once(tmp_path: Path, name: str) -> None:
    table, work = CASES[name](tmp_path / "start")
    before = entries(table)
    clean = table.copied(tmp_path / "clean")
    run(clean, work)
    after, done = entries(clean), left(clean)
    assert len(after) > len(before)
    clean.assert_verified()
    for at in range(instants(table, work, tmp_path / "counted")):
        for when, error in ENDS if IS_LONG else ENDS[at % 3 :][:1]:
            struck = table.copied(tmp_path / f"{at}-{when}-{error.__name__}")
            with pytest.raises((Killed, StorageFault)):
                run(struck, work, Faulty(at, when, error))
            found = entries(struck)
            assert found == after[: len(found)], (at, when)
            assert len(found) >= len(before), (at, when)
            if found == after and name in REPEATED:
                run(struck, lambda campaign: None)
            else:
                run(struck, once(work))
            assert left(struck) == done, (at, when, error)


def test_behind_an_addition_that_failed_the_next_one_looks_what_is_there(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign")
    with table.open() as campaign:
        before = campaign.public.entry
        told = entries(table)
        # The name is there, and the folder could not be forced to the disk behind it.
        campaign.disk = Faulty(4, "behind", full)
        with pytest.raises(StorageFault):
            campaign.add(RulingRecord("Be kind.", ""))
        assert len(entries(table)) == len(told) + 1
        campaign.disk = DISK
        assert campaign.add(RulingRecord("Be brief.", "")).number == before + 2
    with table.open() as campaign:
        assert campaign.public.entry == before + 2
    table.assert_verified()


def in_process(root: Path, key: bytes, now: object, text: str, results: multiprocessing.Queue[str]) -> None:
    """One of two commands at once, in a process of its own."""
    private: PrivateKey = load_private(key, None)
    try:
        with opened_by_moderator(root, private, "test", now) as campaign:  # type: ignore[arg-type]
            adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))
            campaign.save()
        results.put("done")
    except StorageFault as fault:
        results.put(fault.code)


def test_two_processes_at_once_do_their_work_once_or_are_told_to_wait(tmp_path: Path) -> None:
    table, _ = accept(tmp_path / "campaign")
    with table.open() as campaign:
        text = table.write(campaign, "louis")
        entries = campaign.ledger.head.number
    context = multiprocessing.get_context("fork")
    results: multiprocessing.Queue[str] = context.Queue()
    key = save_private(table.moderator, None)
    processes = [context.Process(target=in_process, args=(table.root, key, table.now, text, results)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
    outcomes = [results.get(timeout=5) for _ in processes]
    assert set(outcomes) <= {"done", "E-LOCK-HELD"}
    assert "done" in outcomes
    with table.open() as campaign:
        assert campaign.ledger.head.number == entries + 1
    table.assert_verified()


def kinds(table: SimulatedTable) -> list[str]:
    """The kinds of all entries."""
    return [path.stem[5:] for path in sorted((table.root / "ledger").iterdir())]


def test_an_agreement_that_was_cut_off_is_entered_by_the_next_command_whatever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, work = agree(tmp_path / "campaign")
    with opened_by_moderator(table.root, table.moderator, "test", table.now) as campaign:
        monkeypatch.setattr(campaign, "finish_agreement", Mock(side_effect=Killed))
        with pytest.raises(Killed):
            work(campaign)
    assert kinds(table)[-1] == "letter"
    run(table, lambda campaign: rulings.rule(campaign, "A late letter counts."))
    assert kinds(table)[-3:] == ["letter", "agreement", "ruling"]
    table.close("far enough")
    table.assert_verified()
    assert second(table.root) == []
