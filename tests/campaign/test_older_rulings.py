"""Campaigns of an older protocol are read by the rulings of that time, under the terms agreed."""

from __future__ import annotations

import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pbem import __version__
from pbem.campaign.disk.folder import Folder
from pbem.campaign.founding import opener_of, rules_of, terms_of_protocol
from pbem.campaign.ledger.records import PROTOCOL
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.players.guidance import guidance_of
from pbem.campaign.proof.kept_report import check_report
from pbem.campaign.proof.verification import Verification
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Clock, Conduct, Moderator, Settings
from pbem.kit import dump_position, restore_table
from pbem.paper.letters import read_letter
from pbem.paper.library import rulings_before
from pbem.seal.deal import ProvableDealer

THEN = {
    "saxons_return": "on map",
    "march_out": "may",
    "peace_homes": "own",
    "free_troops": "after paid",
    "neutral_contracts": "fall",
    "italy_marker": "over star",
    "ways": "written",
    "sequence": "of play",
}
"""Rulings of MARIA's campaigns in the first protocol."""

LATER = [{"ways": "written", "sequence": "of play"}, {"sequence": "of play"}]
"""Rulings of the second protocol and the third that are not those of today."""

ARCHIVES = Path(__file__).parent / "archives"
"""Campaigns that versions of the program have played by `pbem demo` and closed, of one to five turns. Those
of 0.2.0 and later have some of the reports that their players were sent."""


SENT = sorted(path.name.removesuffix(".tar.xz") for path in ARCHIVES.iterdir() if "0.1.0" not in path.name)


def unpack(folder: Path, name: str) -> None:
    """Extract one of the archives."""
    with tarfile.open(ARCHIVES / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")


def settings(position: str = "", **terms: Any) -> Settings:
    """Settings of an advanced game of MARIA."""
    given = {"game": "maria", "scenario": "advanced", **terms}
    return Settings("old", given, {}, Moderator(), Conduct(), Clock(), position)


def edition(rules: Any) -> dict[str, str]:
    """The points that have changed."""
    return {point: getattr(rules.edition, point) for point in THEN}


@pytest.mark.parametrize("protocol", range(1, max(rulings_before("maria")) + 1))
@pytest.mark.parametrize("name", ["1.0", "2.0", "2.1"])
def test_an_older_campaign_keeps_the_rulings_of_its_time(tmp_path: Path, name: str, protocol: int) -> None:
    agreed = settings(edition=name)
    now, then = rules_of(Folder(tmp_path), agreed), rules_of(Folder(tmp_path), agreed, protocol)
    assert edition(then) == (THEN if protocol == 1 else edition(now) | LATER[protocol - 2])
    assert edition(now) == edition(rules_of(Folder(tmp_path), agreed, PROTOCOL)) != edition(then)


def test_its_terms_stay_those_that_were_agreed(tmp_path: Path) -> None:
    """They are part of every position: with others, no fingerprint in its ledger would hold."""
    agreed = settings()
    now, then = rules_of(Folder(tmp_path), agreed), rules_of(Folder(tmp_path), agreed, 1)
    assert then.terms == now.terms
    assert then.terms.rulings == ()


def test_what_its_table_has_ruled_itself_comes_first(tmp_path: Path) -> None:
    agreed = settings(rulings={"italy_marker": "on star", "unpaid": "keep"})
    then: Any = rules_of(Folder(tmp_path), agreed, 1)
    assert edition(then) == THEN | {"italy_marker": "on star"}
    assert then.edition.unpaid == "keep"


def test_a_campaign_of_today_is_read_as_its_terms_say() -> None:
    assert terms_of_protocol({"game": "maria"}, PROTOCOL) == {"game": "maria"}


def test_a_game_from_a_position_is_read_the_same_way(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.rules.mkdir(parents=True)
    (folder.rules / "position.yaml").write_text("scenario: advanced\nturn: 2\n", encoding="utf-8")
    agreed = settings("position.yaml")
    rules = rules_of(folder, agreed, 1)
    table: Any = opener_of(folder, agreed)(rules, ProvableDealer(bytes(32)))
    assert edition(table.rules) == THEN
    assert table.state.terms == rules.terms


@pytest.mark.parametrize("game", ["friedrich", "maria"])
def test_an_archive_of_the_first_version_verifies(tmp_path: Path, game: str) -> None:
    unpack(tmp_path, f"{game}-0.1.0")
    found = verify(tmp_path / game)
    assert found.findings == []
    assert found.figures.adjudications > 15


@pytest.mark.parametrize("name", SENT)
def test_archives_and_reports_of_each_version_are_still_found_true(tmp_path: Path, name: str) -> None:
    unpack(tmp_path, name)
    verified = verify(tmp_path / "campaign")
    assert verified.findings == []
    assert verified.figures.adjudications > 20
    reading, found = read_folder(tmp_path / "campaign", datetime.now(UTC)), Verification()
    reports = sorted((tmp_path / "reports").iterdir())
    for path in reports:
        check_report(reading, guidance_of(read_letter(path.read_bytes(), "report"), "report"), path.name, found)
    assert [finding.message_line() for finding in found.findings] == []
    assert len(reports) > 5


def test_each_version_has_an_archive() -> None:
    """So that no change of the program makes campaigns unreadable that a version has begun."""
    assert {name.partition("-")[2] for name in SENT} >= {"0.2.0", "0.3.0", "0.4.0", __version__}


def test_where_a_table_has_ruled_itself_positions_are_of_today(tmp_path: Path) -> None:
    """Only campaigns of before were played without what has been noted since."""
    ruled = {"game": "friedrich", "scenario": "four", "rulings": {"recruiting": "after the moves"}}
    folder = Folder(tmp_path)
    for given, protocol, kept in [(ruled, PROTOCOL, True), ({**ruled, "rulings": {}}, 1, False)]:
        agreed = Settings("old", given, {}, Moderator(), Conduct(), Clock(), "")
        rules = rules_of(folder, agreed, protocol)
        table: Any = opener_of(folder, agreed)(rules, ProvableDealer(bytes(32)))
        assert (b"reinforced" in dump_position(table)) is kept
        assert restore_table(rules, dump_position(table), table.dealer).state == table.state
