"""How a game is read whose campaign has an older protocol: by the rulings of that time, under the terms agreed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.campaign import as_read_then, opener_of, rules_of
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.records import PROTOCOL
from pbem.campaign.settings import Clock, Conduct, Moderator, Settings
from pbem.seal.deal import ProvableDealer

THEN = {
    "saxons_return": "on map",
    "march_out": "may",
    "peace_homes": "own",
    "free_troops": "after paid",
    "neutral_contracts": "fall",
    "italy_marker": "over star",
    "ways": "written",
}
"""What the first protocol's campaigns of MARIA were played by."""


def settings(position: str = "", **terms: Any) -> Settings:
    """Settings of an advanced game of MARIA."""
    given = {"game": "maria", "scenario": "advanced", **terms}
    return Settings("old", given, {}, Moderator(), Conduct(), Clock(), position)


def edition(rules: Any) -> dict[str, str]:
    """The points that have changed."""
    return {point: getattr(rules.edition, point) for point in THEN}


@pytest.mark.parametrize("name", ["1.0", "2.0", "2.1"])
def test_an_older_campaign_keeps_the_rulings_of_its_time(tmp_path: Path, name: str) -> None:
    agreed = settings(edition=name)
    now, then = rules_of(Folder(tmp_path), agreed), rules_of(Folder(tmp_path), agreed, 1)
    assert edition(then) == THEN
    assert edition(now) == edition(rules_of(Folder(tmp_path), agreed, PROTOCOL)) != THEN


def test_campaigns_of_the_second_protocol_have_every_city_of_a_march_written(tmp_path: Path) -> None:
    now, then = (edition(rules_of(Folder(tmp_path), settings(), protocol)) for protocol in (PROTOCOL, 2))
    assert then == now | {"ways": "written"} != now


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
    assert as_read_then({"game": "maria"}, PROTOCOL) == {"game": "maria"}


def test_a_game_from_a_position_is_read_the_same_way(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.rules.mkdir(parents=True)
    (folder.rules / "position.yaml").write_text("scenario: advanced\nturn: 2\n", encoding="utf-8")
    agreed = settings("position.yaml")
    rules = rules_of(folder, agreed, 1)
    table: Any = opener_of(folder, agreed)(rules, ProvableDealer(bytes(32)))
    assert edition(table.rules) == THEN
    assert table.state.terms == rules.terms
