"""The political cards and tracks: what the rule texts demand of them, faults with their places, and the commands."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.engine.board import BoardData
from pbem.games.maria.paper.library import find_politics, load_maria, load_named_politics
from pbem.games.maria.paper.politics import TRACKS, YEARS, check_politics, load_politics
from pbem.games.maria.report.politics import WIDTH, cards_text, tracks_text
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.politics_data import (
    CardShift,
    Grant,
    Icon,
    PoliticalCard,
    PoliticsData,
    TrackBox,
    TrackFacts,
)
from pbem.paper.documents.faults import Refused
from pbem.paper.library import find_board, load_board_file
from tests.cli.test_commands import pbem

SHIPPED = find_politics().read_text("utf-8")


@pytest.fixture(scope="module")
def politics() -> PoliticsData:
    return load_named_politics()


@pytest.fixture(scope="module")
def board() -> BoardData:
    return load_board_file(find_board("theatrum-belli"))


def star(track: TrackFacts) -> int:
    return next(place for place, box in enumerate(track.boxes) if box.star)


def places(track: TrackFacts, kind: str, power: str) -> list[int]:
    """The boxes with an icon, from left to right."""
    wanted = {(kind, power)}
    return [place for place, box in enumerate(track.boxes) if wanted & {(icon.kind, icon.power) for icon in box.icons}]


def card(politics: PoliticsData, number: int) -> PoliticalCard:
    return next(each for each in politics.cards if each.number == number)


# What the rule texts state or force.


def test_three_tracks_with_a_star_each(politics: PoliticsData) -> None:
    assert tuple(politics.tracks) == TRACKS
    for track in politics.tracks.values():
        assert sum(box.star for box in track.boxes) == 1


def test_six_cards_a_year_and_the_election(politics: PoliticsData) -> None:
    assert [card.number for card in politics.cards] == list(range(1, 26))
    assert Counter(card.year for card in politics.cards if not card.election) == dict.fromkeys(YEARS, 6)
    (election,) = (card for card in politics.cards if card.election)
    assert election.year == 1742
    assert 2 * sum(map(len, politics.years.values())) == len(politics.cards) - 1


def test_the_election_falls_from_turn_four_to_seven(politics: PoliticsData) -> None:
    year = [card for card in politics.cards if card.year == 1742]
    first, *_ = politics.years[1742]
    turns = [first + place // 2 for place in range(len(year))]  # the cards before it are taken two a turn
    assert (turns[0], turns[-1]) == (4, 7)


def test_all_kinds_of_icons_are_used(politics: PoliticsData) -> None:
    icons = [icon for track in politics.tracks.values() for box in track.boxes for icon in box.icons]
    assert {icon.kind for icon in icons} == {"income", "expedition", "victory"}
    assert {icon.cards for icon in icons if icon.kind == "income"} == {-1, 1}


def test_italy_has_victory_for_both_sides_two_boxes_from_the_star(politics: PoliticsData) -> None:
    italy = politics.tracks["italy"]
    for power in ("austria", "france"):
        assert all(abs(place - star(italy)) >= 2 for place in places(italy, "victory", power))
        assert places(italy, "victory", power)
        assert places(italy, "expedition", power)
    for other in ("saxony", "russia"):
        assert not any(icon.kind == "victory" for box in politics.tracks[other].boxes for icon in box.icons)


def test_prussia_has_an_expedition_at_the_start_which_can_end(politics: PoliticsData) -> None:
    russia = politics.tracks["russia"]
    away = places(russia, "expedition", "prussia")
    assert star(russia) in away
    assert len(away) < len(russia.boxes)


def test_powers_of_expeditions_have_a_box_beside_the_map(politics: PoliticsData, board: BoardData) -> None:
    icons = [icon for track in politics.tracks.values() for box in track.boxes for icon in box.icons]
    powers = {icon.power for icon in icons if icon.kind == "expedition"} | {"pragmatic"}
    assert powers <= set(board.off_map)


def test_saxony_goes_from_prussia_over_neutral_to_austria(politics: PoliticsData) -> None:
    track = politics.tracks["saxony"]
    statuses = [box.status for box in track.boxes]
    assert statuses == sorted(statuses, key=("prussian ally", "neutral", "austrian ally").index)
    assert [box.status for box in track.boxes if box.mark == "S"] == ["neutral"]
    assert statuses[star(track)] == "prussian ally"
    assert statuses.index("austrian ally") - star(track) == 3


def test_saxony_draws_a_second_card_as_the_ally_of_austria(politics: PoliticsData) -> None:
    for box in politics.tracks["saxony"].boxes:
        more = sum(icon.cards for icon in box.icons if icon.kind == "income" and icon.power == "saxony")
        assert more == (box.status == "austrian ally")


def test_only_one_card_moves_saxony_and_only_while_it_is_prussian(politics: PoliticsData) -> None:
    moving = [(card.number, shift) for card in politics.cards for shift in card.shifts if shift.track == "saxony"]
    assert moving == [(4, CardShift("saxony", 1, either=True, while_status="prussian ally"))]


def test_arrows_of_every_sort_exist(politics: PoliticsData) -> None:
    shifts = [shift for card in politics.cards for shift in card.shifts]
    assert any(shift.either for shift in shifts)
    assert any(abs(shift.steps) > 1 for shift in shifts)
    assert any(len(card.shifts) == 2 for card in politics.cards)
    assert {shift.steps > 0 for shift in shifts if not shift.either} == {True, False}


def test_a_year_has_two_russian_two_italian_cards_and_two_with_an_instruction(politics: PoliticsData) -> None:
    for year in YEARS:
        cards = [card for card in politics.cards if card.year == year and not card.election]
        count = Counter(card.shifts[0].track if card.shifts else "instruction" for card in cards)
        assert count == {"russia": 2, "italy": 2, "instruction": 2}


def test_the_example_of_the_rule_book_can_happen(politics: PoliticsData) -> None:
    found = [
        (bad, other)
        for bad in politics.cards
        for other in politics.cards
        if bad.year == other.year and bad != other
        if "prussia" in bad.arms and any(shift.track == "russia" and shift.steps > 0 for shift in bad.shifts)
        if "france" in other.arms and "austria" not in other.arms
    ]
    assert found


def test_squares(politics: PoliticsData) -> None:
    assert politics.squares[:2] == ("prussia", "france")
    assert politics.squares.index("austria") > politics.squares.index("france")
    assert politics.reserve == 16


def test_every_event_with_an_instruction_does_what_it_says(politics: PoliticsData) -> None:
    instructed = {card.number for card in politics.cards if card.effects}
    assert instructed == {5, 6, 11, 12, 18, 19, 24, 25}
    assert card(politics, 6).effects == (Grant(("pragmatic",), cards=1, troops=3),)
    assert card(politics, 11).effects == (Grant(("executing",), troops=3),)
    assert card(politics, 25).effects == (Grant(("pragmatic", "france"), cards=1, troops=2),)
    assert {card.effects_provenance for card in politics.cards} == {"certain"}


def test_a_seized_fortress_is_on_our_board(board: BoardData) -> None:
    assert "city: Mannheim, power: france" in SHIPPED
    assert any(city.name == "Mannheim" and city.fortress for city in board.cities)


# Faults and their places.


def refused(text: str) -> list[str]:
    with pytest.raises(Refused) as caught:
        load_politics(text.encode(), "p.yaml")
    return str(caught.value).splitlines()


def line_of(text: str) -> int:
    assert SHIPPED.count(text) >= 1, text
    return SHIPPED[: SHIPPED.index(text)].count("\n") + 1


@pytest.mark.parametrize(
    ("written", "instead", "code", "message"),
    [
        ("arms: [prussia, austria]", "arms: [prusia, austria]", "E-POLITICS-POWER", "did you mean prussia?"),
        ("arms: [prussia, austria]", "arms: [saxony, austria]", "E-POLITICS-POWER", "no major power 'saxony'"),
        ("arms: [prussia, austria]", "arms: [austria, austria]", "E-POLITICS-POWER", "twice"),
        ("{track: italy, steps: 2}", "{track: italia, steps: 2}", "E-POLITICS-TRACK", "did you mean italy?"),
        ("{track: italy, steps: 2}", "{track: italy, steps: 0}", "E-POLITICS-SHIFT", "one box at least"),
        ("{track: italy, steps: 2}", "{track: italy, steps: 5}", "E-POLITICS-SHIFT", "a track of 5"),
        ("{track: italy, steps: 2}", "{track: italy, steps: -2, either: true}", "E-POLITICS-SHIFT", "steps: 2"),
        ("while_status: prussian ally", "while_status: ally", "E-POLITICS-STATUS", "no status 'ally'"),
        ("city: Mannheim", "city: ' '", "E-POLITICS-EFFECT", "no fortress"),
        ("{do: grant, to: [executing], troops: 3}", "{do: grant, to: [executing]}", "E-POLITICS-EFFECT", "anything"),
        ("{do: grant, to: [executing], troops: 3}", "{do: grant, to: [sweden], troops: 3}", "E-POLITICS-POWER", ""),
        ("[executing]", "[executing, france]", "E-POLITICS-EFFECT", "one power gets it"),
        ("{do: expedition, power: pragmatic}", "{do: expedition, power: saxony}", "E-POLITICS-POWER", "saxony"),
        ("{do: ally, status", "{do: aly, status", "E-VALUE-CHOICE", "did you mean ally?"),
        ("number: 2\n", "number: 1\n", "E-POLITICS-NUMBER", "War in the Baltic has the number 1"),
        ("title: Naples", "title: ''", "E-POLITICS-TITLE", "empty"),
        ("number: 2\n", "number: 0\n", "E-POLITICS-NUMBER", "begin with 1"),
        ("reserve: 16", "reserve: 0", "E-POLITICS-RESERVE", "§17.4"),
        ("1744: [10, 11, 12]", "1744: [10, 11]", "E-POLITICS-YEARS", "three turns"),
        ("squares: [prussia, ", "squares: [", "E-POLITICS-SQUARES", "Prussia"),
        ("{status: neutral, mark: S}", "{status: neutral, mark: T}", "E-POLITICS-MARK", "'T' means nothing"),
        ("{kind: income, power: saxony, cards: 1}", "{kind: income, power: saxony}", "E-POLITICS-ICON", ""),
        ("{kind: victory, power: france}", "{kind: victory, power: france, cards: 1}", "E-POLITICS-ICON", "victory"),
        ("{kind: victory, power: france}", "{kind: victory, power: bavaria}", "E-POLITICS-POWER", "bavaria"),
        ("note: Sweden", "notes: Sweden", "E-FORM-KEY", "did you mean note?"),
        ("arms_provenance: certain", "arms_provenance: sure", "E-VALUE-CHOICE", "sure"),
    ],
)
def test_a_fault_is_told_with_its_line(written: str, instead: str, code: str, message: str) -> None:
    told = refused(SHIPPED.replace(written, instead, 1))
    fitting = [line for line in told if code in line and message in line]
    assert fitting, told
    assert any(line.startswith(f"p.yaml:{line_of(written)}:") or code.endswith("YEARS") for line in fitting)


def test_what_is_wrong_as_a_whole_is_told_at_its_heading(politics: PoliticsData) -> None:
    faults = refused(SHIPPED.replace("year: 1744\n    title: Madras", "year: 1745\n    title: Madras"))
    assert f"p.yaml:{line_of('cards:' + chr(10))}:1: E-POLITICS-COUNT 1744 has 5 cards" in faults[0]
    assert "E-POLITICS-YEAR there are no cards for 1745" in faults[1]
    assert len(faults) == 2
    tracks = refused(SHIPPED.replace("  italy:\n", "  itally:\n"))
    assert any("the track italy is missing" in fault for fault in tracks)
    assert any("did you mean italy?" in fault for fault in tracks)


def test_all_faults_are_told_at_once_in_the_order_of_lines() -> None:
    told = refused(SHIPPED.replace("star: true", "star: false").replace("reserve: 16", "reserve: 0"))
    codes = [line.split(" ")[1] for line in told]
    assert codes == ["E-POLITICS-RESERVE", "E-POLITICS-STAR", "E-POLITICS-STAR", "E-POLITICS-STAR"]


def codes(politics: PoliticsData) -> set[str]:
    return {fault.code for fault in check_politics(politics)}


def with_saxony(politics: PoliticsData, *boxes: TrackBox) -> PoliticsData:
    return replace(politics, tracks={**politics.tracks, "saxony": replace(politics.tracks["saxony"], boxes=boxes)})


PRUSSIAN, NEUTRAL = TrackBox(status="prussian ally", star=True), TrackBox(status="neutral", mark="S")
AUSTRIAN = TrackBox(status="austrian ally")


@pytest.mark.parametrize(
    ("boxes", "wanted"),
    [
        ((PRUSSIAN, NEUTRAL, AUSTRIAN), set()),
        ((PRUSSIAN, AUSTRIAN, NEUTRAL), {"E-POLITICS-STATUS"}),
        ((PRUSSIAN, NEUTRAL), {"E-POLITICS-STATUS"}),
        ((PRUSSIAN, NEUTRAL, TrackBox(), AUSTRIAN), {"E-POLITICS-STATUS"}),
        ((PRUSSIAN, NEUTRAL, NEUTRAL, AUSTRIAN), {"E-POLITICS-MARK"}),
        ((PRUSSIAN, replace(NEUTRAL, mark=""), AUSTRIAN), {"E-POLITICS-MARK"}),
        ((PRUSSIAN, replace(NEUTRAL, mark=""), replace(AUSTRIAN, mark="S")), {"E-POLITICS-MARK"}),
        ((replace(PRUSSIAN, star=False), replace(NEUTRAL, star=True), AUSTRIAN), {"E-POLITICS-STATUS"}),
        ((PRUSSIAN, replace(NEUTRAL, star=True), AUSTRIAN), {"E-POLITICS-STAR", "E-POLITICS-STATUS"}),
    ],
)
def test_saxony_must_be_able_to_change_sides(
    politics: PoliticsData, boxes: tuple[TrackBox, ...], wanted: set[str]
) -> None:
    assert codes(with_saxony(politics, *boxes)) == wanted


def test_other_tracks_have_no_status_and_no_mark(politics: PoliticsData) -> None:
    russia = politics.tracks["russia"]
    boxes = (TrackBox(status="neutral", mark="S"), *russia.boxes[1:])
    odd = replace(politics, tracks={**politics.tracks, "russia": replace(russia, boxes=boxes)})
    assert codes(odd) == {"E-POLITICS-STATUS", "E-POLITICS-MARK"}


def test_cards_must_be_of_use_and_the_election_is_none(politics: PoliticsData) -> None:
    first, *others = politics.cards
    assert codes(replace(politics, cards=(replace(first, arms=()), *others))) == {"E-POLITICS-ARMS"}
    assert codes(replace(politics, cards=(replace(first, shifts=()), *others))) == {"E-POLITICS-CARD"}
    assert codes(replace(politics, cards=(replace(first, shifts=first.shifts * 2), *others))) == {"E-POLITICS-SHIFT"}
    election = card(politics, 13)
    rest = tuple(each for each in politics.cards if not each.election)
    assert codes(replace(politics, cards=rest)) == {"E-POLITICS-ELECTION"}
    assert codes(replace(politics, cards=(*rest, election, replace(election, number=26)))) == {"E-POLITICS-ELECTION"}
    assert codes(replace(politics, cards=(*rest, replace(election, year=1743)))) == {"E-POLITICS-ELECTION"}
    assert codes(replace(politics, cards=(*rest, replace(election, arms=("france",))))) == {"E-POLITICS-ELECTION"}


# Files by their names.


def test_own_files_are_found_beside_who_names_them(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(SHIPPED.replace("name: standard", "name: mine"), "utf-8")
    assert load_named_politics("mine.yaml", tmp_path).name == "mine"
    assert load_named_politics("standard", tmp_path).name == "standard"
    with pytest.raises(Refused, match="E-POLITICS-MISSING"):
        find_politics("nowhere.yaml", tmp_path)


def test_a_seized_city_must_be_on_the_board_that_the_terms_name(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(SHIPPED.replace("city: Mannheim", "city: Manheim"), "utf-8")
    with pytest.raises(Refused, match=r"has no city 'Manheim'.*did you mean Mannheim"):
        load_maria(Terms(scenario="advanced", politics="mine.yaml"), tmp_path)
    load_maria(Terms(scenario="introductory", politics="mine.yaml"), tmp_path)


# Texts and commands.


def test_long_texts_and_tracks_still_fit(politics: PoliticsData) -> None:
    title = "A title that goes on and on about everything that happened in this year"
    cards = tuple(replace(each, title=title) for each in politics.cards)
    russia = politics.tracks["russia"]
    more = (Icon("income", "pragmatic", -12), Icon("expedition", "pragmatic"))
    track = replace(russia, boxes=(*russia.boxes, *(TrackBox(more) for _ in range(8))))
    odd = replace(politics, cards=cards, tracks={**politics.tracks, "russia": track})
    for text in (cards_text(odd, list(YEARS)), tracks_text(odd)):
        assert max(map(len, text.splitlines())) <= WIDTH == 100


def test_a_file_without_guesses_is_not_called_a_reconstruction(politics: PoliticsData) -> None:
    cards = [replace(each, arms_provenance="certain", shifts_provenance="certain") for each in politics.cards]
    tracks = {name: replace(track, provenance="certain") for name, track in politics.tracks.items()}
    sure = replace(politics, cards=tuple(cards), tracks=tracks)
    assert "Much of this is a reconstruction" in cards_text(politics, [1741])
    assert "Much of this is a reconstruction" not in cards_text(sure, [1741])


def test_cards_are_shown_with_marks() -> None:
    done = pbem("rules", "cards", "--year", "1741")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 100
    assert any(
        line.split() == ["2", "A", "promise", "not", "kept", "Prussia,", "Austria?", "Russia", "←1?"] for line in lines
    )
    assert any(line.endswith("Italy ↔1, Saxony ↔1?") for line in lines)
    assert "   France draws 1 tactical card less this turn." in lines
    assert "reconstruction" in done.stdout
    assert "1742" not in done.stdout


def test_a_terminal_gets_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for columns in (60, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        told = re.sub("\x1b\\[[0-9;]*m", "", pbem("rules", "cards", "--year", "1741").stdout)
        drawn = [line for line in told.splitlines() if line and line[0] in "┏┃┡│└"]
        assert {len(line) for line in drawn} <= set(range(min(columns, 100) + 1))
        words = " ".join(line.split("│")[-2].strip() for line in drawn if line.count("│") == 6)
        assert "France draws 1 tactical card less this turn. Britain is at war with Spain." in words


def test_tracks_are_drawn() -> None:
    done = pbem("rules", "tracks")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 100
    assert sum(line.startswith("┌") for line in lines) == 3
    assert done.stdout.count("★") == 4
    assert "Prussia, France, Pragmatic Army, Austria~" in done.stdout


def test_cards_and_tracks_as_data() -> None:
    cards = json.loads(pbem("rules", "cards", "--year", "1742", "--json").stdout)["cards"]
    assert [card["number"] for card in cards] == list(range(7, 14))
    assert cards[1]["shifts"] == [{"track": "russia", "steps": 2}]
    assert cards[1]["arms_provenance"] == "reconstruction"
    tracks = json.loads(pbem("rules", "tracks", "--json").stdout)["tracks"]
    assert [len(track["boxes"]) for track in tracks.values()] == [5, 5, 5]


def test_a_copy_can_be_corrected_and_is_checked(tmp_path: Path) -> None:
    assert pbem("rules", "copy", "-o", "mine.yaml", cwd=tmp_path).returncode == 0
    mine = tmp_path / "mine.yaml"
    assert mine.read_text("utf-8") == SHIPPED
    assert pbem("rules", "copy", "-o", "mine.yaml", cwd=tmp_path).returncode == 1
    mine.write_text(SHIPPED.replace("title: Naples", "title: Neapel"), "utf-8")
    assert "Neapel" in pbem("rules", "cards", "--file", "mine.yaml", cwd=tmp_path).stdout
    mine.write_text(SHIPPED.replace("star: true", "star: false"), "utf-8")
    done = pbem("rules", "tracks", "--file", "mine.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert [line.split(" ")[1] for line in done.stderr.splitlines()] == ["E-POLITICS-STAR"] * 3


def test_wrong_use(tmp_path: Path) -> None:
    assert pbem("rules", "cards", "--year", "1740").returncode == 2
    done = pbem("rules", "tracks", "--file", "nowhere.yaml", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)["refused"][0]["code"] == "E-POLITICS-MISSING"
