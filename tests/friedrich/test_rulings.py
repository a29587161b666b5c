"""Points on which a table reads FRIEDRICH's rules otherwise, by name; and how older campaigns are judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import asdict

from pbem.campaign.clock.clock import Clock
from pbem.campaign.disk.folder import Folder
from pbem.campaign.founding import opener_of, rules_of
from pbem.campaign.play.snapshot import public_digest
from pbem.campaign.settings import Conduct, Moderator, Settings
from pbem.engine.cards import SeededDealer
from pbem.games.friedrich.paper.library import load_friedrich
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.data import Points, Terms
from pbem.paper.documents.faults import Refused
from pbem.paper.positions.files import load_position, write_position
from pbem.seal.deal import ProvableDealer
from tests.friedrich.random_play import AS_BEFORE

EXAMPLE = Path(__file__).parents[2] / "examples" / "potsdam-1756"
"""A campaign that the first version of the program has begun."""


def test_a_ruling_stands_in_the_terms_and_is_written_again() -> None:
    text = b"game: friedrich\nrulings: {push: west, stade: north of Munster}\n"
    table = load_position(text, "mine")
    assert table.rules.points == Points(push="west", stade="north of Munster")
    again = load_position(write_position(table).encode(), "again")
    assert again.rules.terms == table.rules.terms


@pytest.mark.parametrize(
    ("written", "code"), [("{pushes: west}", "E-FORM-KEY"), ("{push: east}", "E-VALUE-CHOICE"), ("west", "E-VALUE-")]
)
def test_a_ruling_that_does_not_exist_is_refused_at_its_place(written: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        load_position(f"game: friedrich\nrulings: {written}\n".encode(), "mine")
    assert [fault.line for fault in refused.value.faults] == [2]
    assert refused.value.faults[0].code.startswith(code)


def agreed(terms: dict[str, str | dict[str, str]], position: str = "") -> Settings:
    """The settings of a campaign of FRIEDRICH."""
    return Settings("old", {"game": "friedrich", **terms}, {}, Moderator(), Conduct(), Clock(), position)


def test_terms_as_usual_have_the_text_they_always_had() -> None:
    table, _ = game.start(load_friedrich(Terms()), SeededDealer("any"))
    text = (EXAMPLE / "ledger" / "0006-adjudication.yaml").read_text("utf-8")
    assert f"digest: {public_digest(table)}\n" in text


def test_older_campaigns_are_judged_by_the_rulings_of_their_time_and_keep_their_terms(tmp_path: Path) -> None:
    """Protocol 2 was written by 0.1.0, as which the example says it was begun, and by 0.2.0, with other rulings."""
    settings = agreed({"expert": "yes"})
    old, first, new = (rules_of(Folder(EXAMPLE), settings, protocol) for protocol in (1, 2, 3))
    later = rules_of(Folder(tmp_path), settings, 2)
    assert first.points == old.points
    assert old.terms == new.terms == Terms(expert=True)
    assert new.points == Points()
    assert later.points == Points(ways="written")
    assert {name: value for name, value in asdict(old.points).items() if value != getattr(Points(), name)} == dict(
        AS_BEFORE
    )


def test_what_such_a_campaign_has_ruled_itself_goes_before() -> None:
    rules = rules_of(Folder(EXAMPLE), agreed({"rulings": {"no_new_troops": "general"}}), 1)
    assert rules.points.no_new_troops == "general"
    assert rules.points.first_cards == "each pair"


def test_so_are_campaigns_that_began_from_a_position(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.rules.mkdir()
    (folder.rules / "position.yaml").write_text("game: friedrich\nturn: 3\n")
    settings = agreed({}, "position.yaml")
    rules = rules_of(folder, settings, 1)
    table = opener_of(folder, settings)(rules, ProvableDealer(bytes(32)))
    assert table.rules.points.recruiting == "after the moves"
    assert table.rules.terms == Terms()
