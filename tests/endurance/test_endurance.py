"""Campaigns in which everything goes wrong that can: nothing is lost, and both verifiers agree.

The long run is `python -m tests.long endurance --seed N`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.endurance.accounts import check_all, check_cost, history
from tests.endurance.year import Sealing, Year

LETTERS = 12


@pytest.mark.parametrize("sealing", ["moderator", "reveal"])
@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_part_of_a_year_in_which_commands_are_killed(tmp_path: Path, game: str, sealing: Sealing) -> None:
    year = Year(tmp_path / "campaign", 5, game, sealing, often=0.35)
    year.run(LETTERS)
    assert year.runner.struck.total() >= 5
    check_all(year)
    check_cost(year)


def test_a_year_with_killed_commands_comes_to_the_same_as_one_without(tmp_path: Path) -> None:
    histories = []
    for name, often in (("smooth", 0.0), ("struck", 0.4)):
        (tmp_path / name).mkdir()
        year = Year(tmp_path / name / "campaign", 8, "maria", "moderator", often)
        year.run(8)
        histories.append(history(year))
    assert histories[0] == histories[1]


def test_every_letter_has_an_answer_of_its_own(tmp_path: Path) -> None:
    """A copy that comes in with its letter, and two wrong letters in one mail."""
    year = Year(tmp_path / "campaign", 8, "maria", "moderator", often=0)
    year.join()
    seat = "louis"
    with year.table.open() as campaign:
        good = year.writers.orders(campaign, seat)
        wrong = [year.writers.orders(campaign, seat, stage="99/nowhere") for _ in range(2)]
    for text in (good, good, "\n".join(f"```\n{each}```\n" for each in wrong)):
        year.postman.send(seat, text, year.table.now, "by hand", "either")
    year.accept()
    with year.table.open() as campaign:
        entries = [year.postman.sent[-3].entry_in(campaign), max(campaign.public.turned.values())]
    for entry in entries:
        names = {path.name for path in (year.table.root / "outbox" / f"{entry:04d}").glob("*.eml")}
        assert names == {f"{seat}-receipt-{entry:04d}.eml", f"{seat}-receipt-{entry:04d}-2.eml"}


def test_a_loss_would_be_noticed(tmp_path: Path) -> None:
    """The accounts do not balance when a receipt, a report or the bytes of a mail are missing."""
    year = Year(tmp_path / "campaign", 8, "maria", "moderator", often=0)
    year.run(8)
    check_all(year)
    root = year.table.root
    for lost in (next(root.glob("outbox/*/*-receipt-*.eml")), next(root.glob("raw/*")), root / "opened.json"):
        data = lost.read_bytes()
        lost.unlink()
        with pytest.raises((AssertionError, FileNotFoundError)):
            check_all(year)
        lost.write_bytes(data)
    [mail for mail in year.postman.delivered if mail.manner != "no_letter"][-1].text += "\n"
    with pytest.raises(AssertionError):
        check_all(year)
