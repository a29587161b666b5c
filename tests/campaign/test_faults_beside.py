"""Refused letters of which one part cannot be understood: the faults of the other parts are told with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.faults.wrong import Words
from pbem.paper.documents.faults import Fault
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable, codes
from tests.campaign.test_plans_choices import RETREAT

PRUSSIA = "game: friedrich\nturn: 2\nstage: prussia\nphase: movement\nbegun: yes\nowing: [prussia]\n"
TOO_FAR: Tree = {"train 2": "Torgau, Leipzig, Halle, Naumburg"}


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    return SimulatedTable(tmp_path_factory.mktemp("setup") / "campaign", game="friedrich", scenario="four").begun()


@pytest.fixture(scope="module")
def marching(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    root = tmp_path_factory.mktemp("marching") / "campaign"
    return SimulatedTable(root, position=PRUSSIA, game="friedrich").begun()


def moves(table: SimulatedTable, *lines: Tree) -> list[str]:
    return codes(table.send(table.letter("frederick", {"prussia": {"move": list(lines)}})))


TROOPS = {"Winterfeldt": "2", "Heinrich": "3", "Schwerin": "5", "Keith": "5", "Seydlitz": "3", "Dohna": "3"}


@pytest.mark.parametrize(("name", "troops", "told"), [
    ("Fridrich", "8", ["E-NAME-UNKNOWN", "E-TROOPS-SUM"]),
    ("Fridrich", "7", ["E-NAME-UNKNOWN"]),
    ("Xyz", "8", ["E-NAME-UNKNOWN"]),
    ("Keihth", "8", ["E-NAME-UNKNOWN"]),
])  # fmt: skip
def test_a_wrong_sum_is_told_beside_a_misspelt_general(
    setup: SimulatedTable, name: str, troops: str, told: list[str]
) -> None:
    allot = {name: troops, **TROOPS, "Lehwaldt": "4"}
    assert codes(setup.send(setup.letter("frederick", {"prussia": {"allot": allot}}))) == told


def test_a_march_that_is_too_long_is_told_beside_a_city_that_may_be_two(marching: SimulatedTable) -> None:
    assert moves(marching, TOO_FAR, {"Lehwaldt": "Osterode"}) == ["E-NAME-AMBIGUOUS", "E-MARCH-LENGTH"]
    assert moves(marching, {"Lehwaldt": "Osterode"}, TOO_FAR) == ["E-NAME-AMBIGUOUS", "E-MARCH-LENGTH"]


@pytest.mark.parametrize(("piece", "written", "offered"), [
    ("Heinrich", "Frankfurt", "Frankfurt (Oder)"),
    ("train 1", "Furstenberch", "Fürstenberg (Oder)?"),
    ("Keith", "Frankfurt", "Frankfurt (Main) or Frankfurt (Oder)"),
])  # fmt: skip
def test_of_several_cities_those_are_offered_that_the_piece_can_reach(
    marching: SimulatedTable, piece: str, written: str, offered: str
) -> None:
    lines: Tree = [{piece: written}]
    (fault,) = marching.send(marching.letter("frederick", {"prussia": {"move": lines}})).verdict.faults
    assert fault.sentence().partition(" — ")[2].endswith(f" {offered}")
    later: Tree = {"prussia": {"move": [], "ahead": [{"stage": "2/austria", "move": lines}]}}
    told = [each.sentence() for each in marching.send(marching.letter("frederick", later)).verdict.faults]
    assert not any(line.endswith("write Frankfurt (Oder)") for line in told)


def test_of_several_cities_those_are_offered_that_the_retreat_can_reach(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=RETREAT, scenario="introductory").begun()
    for written, offered in (("Bre", "write Breslau"), ("Neu", "write Neumarkt")):
        receipt = table.send(table.letter("maria-theresa", {"austria": {"retreat": [written]}}))
        assert [fault.sentence().partition(" — ")[2] for fault in receipt.verdict.faults] == [offered]


def test_a_card_that_is_not_in_hand_is_told_beside_a_city_that_does_not_exist(marching: SimulatedTable) -> None:
    payment: Tree = {"re-enter": "train 1", "at": "Berlin", "pay": ["♥13"]}
    assert moves(marching, {"Lehwaldt": "Xyz"}, payment) == ["E-NAME-UNKNOWN", "E-CARD-HAND"]


def test_what_is_wrong_in_orders_of_a_misspelt_power_is_told_with_its_name(marching: SimulatedTable) -> None:
    orders: Tree = {"hanovre": {"mvoe": [], "move": [{"Ferdinand": "Xyz"}]}}
    receipt = marching.send(marching.letter("frederick", orders))
    assert sorted(codes(receipt)) == ["E-FORM-KEY", "E-NAME-UNKNOWN", "E-NAME-UNKNOWN"]
    lines = receipt.verdict.letter.text.split("\n") if receipt.verdict.letter else []
    first = min(fault.line for fault in receipt.verdict.faults)
    assert "hanovre" in lines[first - 1]


def test_no_march_is_judged_to_a_city_that_was_only_guessed(tmp_path: Path) -> None:
    position = PRUSSIA.replace("prussia", "sweden")
    table = SimulatedTable(tmp_path / "campaign", position=position, game="friedrich").begun()
    march: Tree = {"sweden": {"move": [{"Ehrensvärd": "Malchin, Teterow"}]}}
    assert codes(table.send(table.letter("elisabeth", march))) == ["E-NAME-UNKNOWN"]


def test_a_power_of_another_seat_is_told_beside_a_city_that_does_not_exist(marching: SimulatedTable) -> None:
    orders: Tree = {"prussia": {"move": [{"Lehwaldt": "Xyz"}]}, "austria": {"move": []}}
    assert codes(marching.send(marching.letter("frederick", orders))) == ["E-NAME-UNKNOWN", "E-ORDER-FOREIGN"]


def test_orders_beside_transfers_that_are_not_understood_are_judged_later(marching: SimulatedTable) -> None:
    orders: Tree = {"prussia": {"transfer": [{"Xyz": "3"}], "move": [TOO_FAR]}}
    told = codes(marching.send(marching.letter("frederick", orders)))
    assert told[-1] == "W-ORDER-UNCHECKED"
    assert "E-MARCH-LENGTH" not in told


def test_nothing_is_told_that_may_follow_from_the_line_that_is_not_understood(tmp_path: Path) -> None:
    """Soubise stands in the way only because nobody knows where he is to go."""
    position = PRUSSIA.replace("prussia", "france")
    table = SimulatedTable(tmp_path / "campaign", position=position, game="friedrich").begun()
    told = [
        codes(table.send(table.letter("pompadour", {"france": {"move": [{"Soubise": goal}, {"train 1": "Fulda"}]}})))
        for goal in ("Kassel, Halle", "Xyz")
    ]
    assert told == [["E-MARCH-LENGTH", "E-MARCH-BLOCKED"], ["E-NAME-UNKNOWN", "W-ORDER-UNCHECKED"]]


@pytest.mark.parametrize(("train", "advised"), [("Steinau", "march-exchanged"), ("Lüben", "E-MARCH-BLOCKED.moved")])
def test_a_march_is_not_to_be_ordered_first_where_the_other_begins(tmp_path: Path, train: str, advised: str) -> None:
    position = f"{PRUSSIA}pieces: {{Keith: 'Neusalz, 2', prussia train 1: {train}}}\n"
    table = SimulatedTable(tmp_path / "campaign", position=position, game="friedrich").begun()
    moves: Tree = {"prussia": {"move": [{"train 1": "Glogau"}, {"Keith": "Steinau"}]}}
    (fault,) = table.send(table.letter("frederick", moves)).verdict.faults
    assert fault.message.key == "E-MARCH-BLOCKED.moved"
    assert isinstance(fault.hint, Words)
    assert fault.hint.key == advised


RECRUITS = (
    "game: friedrich\nturn: 2\nstage: prussia\nphase: recruiting\nbegun: yes\nowing: [prussia]\n"
    "hands: {prussia: [♠6, ♠9, ♠5]}\npieces: {Keith: 'Glogau, 2'}\n"
)


@pytest.mark.parametrize(("paid", "told"), [
    (["♠6"], []),
    (["♠9"], ["Prussia: these cards are worth 9, the price is 6, and no change is given (§10) — enough would be: ♠6"]),
    (["♠6", "♠5"], ["Prussia: one of these cards is not needed for the price, and no change is given (§10)"]),
])  # fmt: skip
def test_a_receipt_tells_that_less_would_have_paid(tmp_path: Path, paid: list[Tree], told: list[str]) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=RECRUITS, game="friedrich").begun()
    recruit: Tree = {"prussia": {"recruit": {"pay": paid, "troops": {"Keith": "1"}}}}
    receipt = table.send(table.letter("frederick", recruit))
    assert receipt.status == "final"
    assert [fault.sentence("en") for fault in receipt.verdict.faults] == [f"W-CARD-NEEDLESS {each}" for each in told]


@pytest.mark.parametrize(("paid", "told"), [
    (["♠13", "♥2"], ["E-CARD-HAND", "E-CARD-HAND", "E-TROOPS-RANGE", "E-RECRUIT-PIECE"]),
    (["♠6"], ["E-RECRUIT-PRICE", "E-TROOPS-RANGE", "E-RECRUIT-PIECE"]),
])  # fmt: skip
def test_a_receipt_tells_all_that_is_wrong_with_recruits(tmp_path: Path, paid: list[Tree], told: list[str]) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=RECRUITS, game="friedrich").begun()
    recruit: Tree = {"prussia": {"recruit": {"pay": paid, "troops": {"Keith": "9"}, "enter": {"Friedrich": "Berlin"}}}}
    receipt = table.send(table.letter("frederick", recruit))
    assert (receipt.status, codes(receipt)) == ("refused", told)


def test_a_warning_about_standing_plans_names_no_line_of_another_letter(tmp_path: Path) -> None:
    position = f"{PRUSSIA}hands: {{prussia: [♠6, ♠9]}}\npieces: {{Winterfeldt: off, Keith: 'Glogau, 2'}}\n"
    table = SimulatedTable(tmp_path / "campaign", position=position, game="friedrich").begun()
    plan: Tree = {"for": "recruit", "give": "even", "enter": "all", "keep-points": "99", "standing": "yes"}
    table.send(table.other_letter("frederick", "plan", {"orders": {"prussia": {"plans": [plan]}}}))
    receipt = table.send(table.letter("frederick", {"prussia": {"move": []}}))
    (away,) = (fault for fault in receipt.verdict.faults if fault.code == "W-PLAN-AWAY")
    assert isinstance(away, Fault)
    assert away.place == ""
