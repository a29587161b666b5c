"""A site of a running campaign shows what everybody may know: twins that differ in a secret have the same one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from pbem.site.export import Site, site_of
from tests.campaign.simulated import SimulatedTable
from tests.campaign.test_intake import ALLOT
from tests.campaign.test_leaks import OTHER_ALLOT, twins
from tests.campaign.test_moderating_carried import COMBAT, HOLD, austria
from tests.site.reading import NOW, parsed, text_of

HASH = re.compile(rb"[0-9a-f]{64}")
"""Hashes are salted, and differ with everything before them."""


def shown(table: SimulatedTable) -> dict[str, bytes]:
    """All files of the site of a campaign, with a sign in place of every hash."""
    return {name: HASH.sub(b"#", data) for name, data in site_of(table.root, NOW).files.items()}


def test_a_site_does_not_tell_how_troops_are_allotted(tmp_path: Path) -> None:
    begun = SimulatedTable(tmp_path / "begun", scenario="introductory").begun()
    begun.ordered("frederick", "maria-theresa")
    one, other = twins(begun, tmp_path)
    for table, orders in ((one, ALLOT), (other, OTHER_ALLOT)):
        table.send(table.letter("louis", sealed={"orders": orders}))
    assert shown(one) == shown(other)
    one.adjudicate()
    other.adjudicate()
    assert shown(one) == shown(other)
    one.close("enough")
    other.close("enough")
    assert shown(one) != shown(other)


def test_a_site_does_not_tell_the_cards_of_a_plan_that_are_not_played(tmp_path: Path) -> None:
    begun = SimulatedTable(tmp_path / "begun", position=COMBAT, scenario="introductory").begun()
    one, other = twins(begun, tmp_path)
    for table, cards in ((one, ("♦7", "♦9")), (other, ("♦10", "stop"))):
        table.send(table.letter("maria-theresa", sealed={"orders": austria(*cards)}))
        table.send(table.letter("frederick", HOLD))
        table.adjudicate()
    assert shown(one) == shown(other)


def test_a_site_does_not_tell_what_a_message_says(tmp_path: Path) -> None:
    begun = SimulatedTable(tmp_path / "begun", scenario="introductory").begun()
    one, other = twins(begun, tmp_path)
    for table, words in ((one, "Attack Austria at once."), (other, "Make peace with her.")):
        table.send(table.other_letter("louis", "message", {"to": "frederick", "text": words}))
    assert shown(one) == shown(other)
    one.close("enough")
    assert not any(b"Attack Austria" in data for data in site_of(one.root, NOW).files.values())


def test_a_reader_with_nothing_but_the_public_files_makes_the_same_site(
    running: Path, running_site: Site, tmp_path: Path
) -> None:
    public = Path(shutil.copytree(running, tmp_path / "public"))
    (public / "secret.age").unlink()
    for folder in ("letters", "raw", "outbox"):
        shutil.rmtree(public / folder)
    assert site_of(public, NOW).files == running_site.files


def test_only_a_closed_campaign_shows_hands(closed_site: Site, running_site: Site) -> None:
    assert "Hand" in text_of(parsed(closed_site.files["hands.html"]))
    assert "hands.html" not in running_site.files
    assert not any(b"hands.html" in data for data in running_site.files.values())
