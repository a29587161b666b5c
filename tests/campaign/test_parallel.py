"""Players who are asked at the same time: nothing of anybody's orders is carried out, or shows, before all are in."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from pbem.campaign.briefing import briefings
from pbem.campaign.play import adjudicating
from pbem.engine.events import Marched
from pbem.faults.wrong import rows
from pbem.games.maria.rules.events import InfluencePlaced
from pbem.paper.documents.faults import Refused
from pbem.report.language.templates import languages
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable
from tests.campaign.test_misorders import FLANDERS


def begun(root: Path, scenario: str, placing: str = "in order") -> SimulatedTable:
    return SimulatedTable(root / "campaign", scenario=scenario, placing=placing).begun()


def letters(table: SimulatedTable) -> dict[str, str]:
    """A letter of everybody who owes one."""
    with table.open() as campaign:
        assert campaign.public.next
        return {player: table.write(campaign, player) for player in campaign.public.next.owing}


def assert_waits_unchanged(table: SimulatedTable) -> None:
    """Nothing can be adjudicated, and nobody is told anything of the position."""
    with table.open() as campaign:
        told, state = briefings(campaign), campaign.state.snapshot().state
        with pytest.raises(Refused, match="E-CAMPAIGN-WAITING"):
            adjudicating.adjudicate(campaign)
        assert bytes(campaign.state.snapshot().state) == bytes(state)
        after = briefings(campaign)
    for reader, before in told.items():
        assert (before.view, before.news.events) == (after[reader].view, after[reader].news.events)


@pytest.mark.parametrize("scenario", ["introductory", "advanced"])
def test_the_set_up_waits_for_everybody(tmp_path: Path, scenario: str) -> None:
    table = begun(tmp_path, scenario=scenario)
    with table.open() as campaign:
        before = briefings(campaign)
    written = letters(table)
    assert len(written) == 3
    for player, text in list(written.items())[:-1]:
        assert table.send(text).status == "final", player
        assert_waits_unchanged(table)
    with table.open() as campaign:
        for reader, told in briefings(campaign).items():
            assert (told.view, told.news.events) == (before[reader].view, before[reader].news.events)
    table.send(list(written.values())[-1])
    assert table.carried_out().record.used == (6, 7, 8)


def test_the_order_in_which_letters_come_in_makes_no_difference(tmp_path: Path) -> None:
    table = begun(tmp_path, scenario="introductory")
    written = letters(table)
    digests = set()
    for number, players in enumerate(permutations(written)):
        other = table.copied(tmp_path / str(number))
        for player in players:
            other.send(written[player])
        done = other.carried_out()
        digests.add((done.record.next.digest, tuple(map(repr, done.outcome.events))))
    assert len(digests) == 1


def test_influence_is_placed_by_all_at_once(tmp_path: Path) -> None:
    table = begun(tmp_path, scenario="advanced", placing="simultaneous")
    table.play(1)
    written = letters(table)
    with table.open() as campaign:
        assert campaign.public.next
        assert campaign.public.next.phase == "placing"
    assert len(written) == 3
    for text in list(written.values())[:-1]:
        assert table.send(text).status == "final"
        assert_waits_unchanged(table)
    table.send(list(written.values())[-1])
    placed = [event for event in table.carried_out().outcome.events if isinstance(event, InfluencePlaced)]
    assert {event.power for event in placed} == {"france", "prussia", "pragmatic", "austria"}


def flanders(root: Path) -> SimulatedTable:
    """Austria and the Pragmatic Army, of two players, are to march."""
    return SimulatedTable(root / "campaign", position=FLANDERS, scenario="advanced").begun()


def austria(*moves: Tree) -> dict[str, Tree]:
    return {"austria": {"move": list(moves)}}


def pragmatic(*moves: Tree) -> dict[str, Tree]:
    return {"pragmatic": {"move": list(moves)}}


def test_austria_and_the_pragmatic_army_wait_for_each_other(tmp_path: Path) -> None:
    table = flanders(tmp_path)
    assert table.send(table.letter("frederick", pragmatic({"George": ["Brüssel"]}))).status == "final"
    assert_waits_unchanged(table)
    assert table.send(table.letter("maria-theresa", austria())).status == "final"
    assert len([event for event in table.carried_out().outcome.events if isinstance(event, Marched)]) == 1


def test_without_a_conflict_they_march_one_after_the_other(tmp_path: Path) -> None:
    table = flanders(tmp_path)
    table.send(table.letter("frederick", pragmatic({"George": ["Brüssel"]})))
    table.send(table.letter("maria-theresa", austria({"Arenberg": ["Tienen"]})))
    done = table.carried_out()
    assert [answer.power for answer in done.outcome.answers] == ["austria", "austria", "pragmatic", "pragmatic"]


def test_a_conflict_on_the_flanders_map_makes_them_alternate(tmp_path: Path) -> None:
    table = flanders(tmp_path)
    table.send(table.letter("frederick", pragmatic({"George": ["Brüssel", "Mons"]})))
    table.send(table.letter("maria-theresa", austria({"Arenberg": ["Brüssel"]})))
    done = table.carried_out()
    assert done.outcome.slips == []
    assert [answer.power for answer in done.outcome.answers][:2] == ["pragmatic", "austria"]
    table.close("far enough")
    table.assert_verified()


def test_a_letter_changed_before_the_last_one_is_in_counts_as_changed(tmp_path: Path) -> None:
    table = flanders(tmp_path)
    table.send(table.letter("frederick", pragmatic({"George": ["Brüssel"]})))
    table.send(table.letter("frederick", pragmatic()))
    table.send(table.letter("maria-theresa", austria()))
    assert not any(isinstance(event, Marched) for event in table.carried_out().outcome.events)


CROWDED = """\
scenario: advanced
turn: 4
stage: austria
phase: movement
pieces: {Traun: "Brünn, 4", Neipperg: "Wischau, 4", Batthyány: "Olmütz, 3", George: "Mons, 3"}
"""


@pytest.mark.parametrize("language", languages())
def test_a_march_that_an_own_earlier_order_prevents_is_told_so(tmp_path: Path, language: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=CROWDED, scenario="advanced").begun()
    told = {key: rows(language)[key].says.partition("{")[0] for key in ("tried-again", "tried-again.own")}
    crowd = [{"Traun": ["Olmütz"]}, {"Neipperg": ["Olmütz"]}]
    for moves, key in ((crowd, "tried-again.own"), ([{"Traun": ["Wischau"]}], "tried-again")):
        (fault,) = table.send(table.letter("maria-theresa", austria(*moves))).verdict.faults
        assert (fault.code, told[key] in str(fault.data(language)["hint"])) == ("W-STACK-FULL", True)
        assert fault.hint.key == key


@pytest.mark.parametrize("language", languages())
def test_a_march_that_no_march_of_another_power_makes_legal_is_told_to_fail(tmp_path: Path, language: str) -> None:
    position = CROWDED.replace("pieces: {", 'pieces: {Schwerin: "Boskowitz, 3", Karl: "Linz, 2", ')
    table = SimulatedTable(tmp_path / "campaign", position=position, scenario="advanced").begun()
    lengths, never = (
        rows(language)[key].says.rpartition("}")[2] for key in ("march-lengths-forced", "tried-again.never")
    )
    for goal, code, hinted in (("Linz", "W-MARCH-LENGTH", lengths), ("Boskowitz", "W-MARCH-BLOCKED", "")):
        (fault,) = table.send(table.letter("maria-theresa", austria({"Traun": [goal]}))).verdict.faults
        hint = str(fault.data(language)["hint"])
        assert (fault.code, hinted in hint, hint.endswith(never)) == (code, True, True)


@pytest.mark.parametrize("language", languages())
def test_an_own_piece_in_the_way_is_told_to_leave_first(tmp_path: Path, language: str) -> None:
    position = CROWDED.replace('Neipperg: "Wischau, 4"', 'Karl: "Linz, 4", austria train 2: Wischau')
    table = SimulatedTable(tmp_path / "campaign", position=position, scenario="advanced").begun()
    moves = austria({"Traun": ["Wischau"]}, {"train 2": ["Olmütz"]})
    (fault, *_) = table.send(table.letter("maria-theresa", moves)).verdict.faults
    hint = str(fault.data(language)["hint"])
    first = rows(language)["march-away-first"].says.partition("{")
    again = rows(language)["tried-again"].says.partition("{")[0]
    assert (fault.code, hint.startswith(first[0]), again in hint) == ("W-MARCH-BLOCKED", True, True)
