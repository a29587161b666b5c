"""`verify --report`: a true report is never called false, and a false one always, however well it is signed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.campaign.clock.clock import Clock
from pbem.campaign.play import rulings
from pbem.campaign.players.letters import with_ahead
from pbem.campaign.settings import Conduct
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable
from tests.campaign.test_ahead import FRANCE as FRENCH
from tests.protocol import archives
from tests.protocol.archives import AUSTRIA, FRANCE, PRUSSIA
from tests.protocol.reports import LATER, LIES, Lie, changed, found_in, posted, read_letter, reports
from tests.report.test_machine_report import documented
from tests.trying import IS_LONG


class Told(NamedTuple):
    """A campaign, and the reports of many moments of it."""

    table: SimulatedTable
    reports: list[dict[str, str]]

    @property
    def texts(self) -> list[str]:
        """Every report."""
        return [text for each in self.reports for text in each.values()]


def eventful(root: Path) -> Told:
    """One of everything, reports being posted in between."""
    table = SimulatedTable(root, scenario="introductory").begun()
    kept = [posted(table)]
    table.play(3)
    archives.chat(table)
    archives.new_keys(table)
    kept.append(posted(table))
    archives.desk_work(table)
    archives.acting(table)
    table.play(4)
    table.send(archives.plan(table, FRANCE, {"for": "battle", "tactic": "hold", "standing": "yes"}))
    kept.append(posted(table))
    with table.open() as campaign:
        rulings.rollback(campaign, campaign.public.since - 3, "a general marched by mistake")
        campaign.save()
    kept.append(posted(table))
    table.play(6)
    return Told(table, [*kept, posted(table)])


def revealing(root: Path) -> Told:
    """Everything is committed to; reports behind a lock, and of sealed plans. Cards are proved at the close."""
    conduct = Conduct(sealing="reveal", proofs="at the close")
    table = SimulatedTable(root, conduct=conduct, scenario="introductory").begun()
    table.play(2)
    archives.sealed_plan(table, FRANCE, {"for": "battle", "tactic": "hold", "standing": "yes"})
    kept = [posted(table)]
    archives.lock(table)
    kept.append(posted(table))
    table.adjudicate(after=timedelta(days=9))
    kept.append(posted(table))
    table.play(4)
    return Told(table, [*kept, posted(table)])


def advanced(root: Path) -> Told:
    """The advanced game: several powers each, politics, cards that come back to hands."""
    table = SimulatedTable(root, scenario="advanced").begun()
    kept = []
    for _ in range(4):
        table.play(7)
        kept.append(posted(table))
    return Told(table, kept)


def fated(root: Path) -> Told:
    """FRIEDRICH into the turns of the Clock of Fate, where cards change hands and powers leave."""
    clock = Clock(delay="0m", at_deadline="hold")
    table = SimulatedTable(root, clock=clock, game="friedrich", scenario="four").begun()
    kept = [posted(table)]
    while archives.fate_cards(table, 4) is False:
        table.play(24)
        kept.append(posted(table))
    return Told(table, kept)


def in_the_middle(root: Path) -> Told:
    """A campaign that begins from a position file, which lays some cards out and leaves others to chance."""
    position = (
        "turn: 3\nstage: prussia\nphase: movement\nbegun: yes\nscenario: introductory\n"
        "hands: {prussia: [♠7, ♠8, ♥2], austria: [♦10, ♦9]}\n"
    )
    table = SimulatedTable(root, position=position, scenario="introductory").begun()
    kept = [posted(table)]
    for _ in range(4):
        table.play(4)
        kept.append(posted(table))
    return Told(table, kept)


CAMPAIGNS = (eventful, revealing, advanced, fated, in_the_middle)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Callable[[Path], Told]], Told]:
    """Makes every campaign once."""
    made: dict[str, Told] = {}

    def make(campaign: Callable[[Path], Told]) -> Told:
        if campaign.__name__ not in made:
            made[campaign.__name__] = campaign(tmp_path_factory.mktemp(campaign.__name__) / "campaign")
        return made[campaign.__name__]

    return make


Teller = Callable[[Callable[[Path], Told]], Told]


@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=lambda each: each.__name__)
def test_every_true_report_is_found_true_while_the_game_runs_and_later(
    told: Teller, tmp_path: Path, campaign: Callable[[Path], Told]
) -> None:
    table, reports = told(campaign)
    assert len(reports) > 3
    assert found_in(table.root, table, *told(campaign).texts) == []
    closed = table.copied(tmp_path / "closed")
    closed.close("enough")
    some = [text for each in reports for text in list(each.values())[:2]]
    assert found_in(closed.root, closed, *some[::2]) == []


def victims(made: Told) -> tuple[str, str]:
    """The report of a player of several powers, and that of another player, of the latest moment."""
    return made.reports[-1][FRANCE], made.reports[-1][AUSTRIA]


def lied(made: Told, lie: Lie) -> str:
    """A report with a lie in it."""
    text, other = victims(made)
    theirs = read_letter(other.encode(), "report").tree["body"]
    return changed(text, made.table.moderator, lambda body: lie(body, theirs))  # type: ignore[arg-type]


BOTH = (eventful, revealing)
TOLD = [(lie, each) for number, lie in enumerate(LIES) for each in (BOTH if IS_LONG else BOTH[number % 2 :][:1])]
"""Lies and the campaigns in which they are told: in the suite one of them by turns."""


@pytest.mark.parametrize(("lie", "campaign"), TOLD, ids=[f"{each.__name__}-{lie}" for lie, each in TOLD])
def test_a_lie_is_found_while_the_game_runs(told: Teller, lie: str, campaign: Callable[[Path], Told]) -> None:
    made, (tell, code) = told(campaign), LIES[lie]
    found = found_in(made.table.root, made.table, lied(made, tell))
    assert any(code in each for each in found), found


@pytest.fixture(scope="module")
def closed(told: Teller, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """The eventful campaign after its close."""
    made = told(eventful)
    table = made.table.copied(tmp_path_factory.mktemp("closed") / "campaign")
    table.close("enough")
    return Told(table, made.reports)


@pytest.mark.parametrize("lie", [*list(LIES)[::4], *LATER])
def test_a_lie_is_found_when_the_campaign_is_closed(closed: Told, lie: str) -> None:
    tell, code = {**LIES, **LATER}[lie]
    found = found_in(closed.table.root, closed.table, lied(closed, tell))
    assert any(code in each for each in found), found


@pytest.mark.parametrize("lie", LATER)
def test_what_only_the_close_shows_is_not_found_before(told: Teller, lie: str) -> None:
    made = told(eventful)
    assert found_in(made.table.root, made.table, lied(made, LATER[lie][0])) == []


@pytest.mark.parametrize(
    ("body", "wrong_end"),
    [({"subject": "standing"}, {"how": "draw"}), ({"subject": "concede", "about": FRANCE}, {"winners": [AUSTRIA]})],
)
def test_an_agreed_end_is_told_truly(tmp_path: Path, body: dict[str, Tree], wrong_end: dict[str, Tree]) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    table.agree_on_end(body)
    over = posted(table)
    table.close()
    texts = [*over.values(), *posted(table).values()]
    assert all("\n  ended:" in text for text in texts)
    assert found_in(table.root, table, *texts) == []
    for text in texts[:2]:
        lie = changed(text, table.moderator, lambda told: told["ended"].update(wrong_end))
        (found,) = found_in(table.root, table, lie)
        assert "E-VERIFY-REPORT it says `ended:" in found


def test_signing_a_report_again_changes_nothing(told: Teller) -> None:
    made = told(eventful)
    assert found_in(made.table.root, made.table, lied(made, lambda body, other: None)) == []


def test_the_plans_that_a_report_names_are_the_ones_that_the_close_opens(closed: Told) -> None:
    text = closed.reports[2][FRANCE]
    assert "\n  plans:\n" in text
    assert found_in(closed.table.root, closed.table, text) == []

    def other_letter(body: dict[str, dict[str, str]]) -> None:
        body["plans"]["letter"] = "0" * 64

    found = found_in(closed.table.root, closed.table, changed(text, closed.table.moderator, other_letter))
    assert any("letter of plans" in each for each in found), found


def test_the_orders_ahead_that_a_report_names_are_those_that_the_close_opens(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=FRENCH).begun()
    table.send(table.letter(PRUSSIA, with_ahead({}, "2/prussia", {"prussia": {"move": []}, "saxony": {"move": []}})))
    text = reports(table)[PRUSSIA]
    assert "\n  ahead:\n" in text
    table.send(table.letter(FRANCE, {"france": {"move": []}, "bavaria": {"move": []}}))
    table.carried_out()
    table.close("enough")
    assert found_in(table.root, table, text) == []
    lie = changed(text, table.moderator, lambda body: body.pop("ahead"))
    (found,) = found_in(table.root, table, lie)
    assert "E-VERIFY-REPORT it says `ahead: nothing`, by the ledger it was `[{stage: 2/prussia" in found


def test_each_key_of_a_report_is_held_against_the_ledger_or_named_as_one_that_is_not() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
    named = page.split("### What a report vouches for")[1].split("\n## ")[0]
    assert documented("The signed report", "Its body:", "what its") <= set(re.findall(r"`([a-z-]+)`", named))


def test_of_two_histories_nothing_but_the_head_is_told(told: Teller, tmp_path: Path) -> None:
    made = told(eventful)
    root = shutil.copytree(made.table.root, tmp_path / "short")
    last = sorted((root / "ledger").iterdir())[-1]
    last.unlink()
    (found,) = found_in(root, made.table, made.reports[-1][PRUSSIA])
    assert "E-VERIFY-SHORT" in found


def test_a_report_of_another_history(told: Teller, tmp_path: Path) -> None:
    made = told(eventful)

    def other_head(body: dict[str, dict[str, str]]) -> None:
        body["head"]["hash"] = "0" * 64

    forged = changed(made.reports[-1][PRUSSIA], made.table.moderator, other_head)
    (found,) = found_in(made.table.root, made.table, forged)
    assert "E-VERIFY-OTHER" in found
