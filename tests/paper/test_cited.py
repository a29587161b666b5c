"""Faults that the files of every game may have name the section of the rule book of the game that is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.players.known_position import rules_of
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.trial import begin, run
from pbem.paper.positions.files import load_position

EXAMPLES = Path(__file__).parents[2] / "examples"
MARIA = {
    "E-ORDER-STAGE": ("turn: 2", "stage: 3/prussia\norders: {}", "§5"),
    "E-CARD-HAND": (
        "turn: 3\nstage: winter-prussia\nhands: {prussia: [♠6]}",
        "orders: {prussia: {recruit: {pay: [♠9], troops: {Friedrich: 1}}}}",
        "§8",
    ),
}
FRIEDRICH = {
    "E-ORDER-STAGE": ("turn: 2", "stage: 3/prussia\norders: {}", "§2"),
    "E-CARD-HAND": (
        "turn: 2\nstage: prussia\nphase: recruiting\npieces: {Keith: 'Glogau, 2'}\nhands: {prussia: [♠6]}",
        "orders: {prussia: {recruit: {pay: [♠13], troops: {Keith: 1}}}}",
        "§3",
    ),
    "W-CARD-NEEDLESS": (
        "turn: 2\nstage: prussia\nphase: recruiting\npieces: {Keith: 'Glogau, 2'}\nhands: {prussia: [♠6, ♠5]}",
        "orders: {prussia: {recruit: {pay: [♠6, ♠5], troops: {Keith: 1}}}}",
        "§10",
    ),
    "E-BATTLE": (
        "turn: 2\nstage: prussia\nphase: combat\n"
        "pieces: {Heinrich: 'Kassel, 2', Richelieu: 'Münden, 6', Keith: 'Dresden, 2', Daun: 'Pirna, 3', Lacy: off}",
        "orders: {prussia: {battles: [Heinrich > Lacy]}}",
        "§7",
    ),
}
CASES = [
    pytest.param(game, code, *case, id=f"{game} {code}")
    for game, cases in (("maria", MARIA), ("friedrich", FRIEDRICH))
    for code, case in cases.items()
]


def faults_of(game: str, position: str, orders: str) -> list[Fault]:
    """Faults of orders on a position."""
    table = load_position(f"game: {game}\n{position}\n".encode(), "position")
    begin(table)
    return run(table, load_orders(f"{orders}\n".encode(), "orders", table.rules)).faults


@pytest.mark.parametrize(("game", "code", "position", "orders", "section"), CASES)
def test_orders_name_the_section_of_their_game(game: str, code: str, position: str, orders: str, section: str) -> None:
    found = {fault.code: fault.section for fault in faults_of(game, position, orders)}
    assert found.get(code) == section, found


@pytest.mark.parametrize(("pay", "hand", "hint"), [("♠9", "♥2, R, ♠6", "♥2, ♠6, R"), ("♠9", "", "")])
def test_who_names_a_card_that_is_not_in_hand_is_told_what_is(pay: str, hand: str, hint: str) -> None:
    position = f"turn: 3\nstage: winter-prussia\nhands: {{prussia: [{hand}], austria: [♣3]}}"
    (fault,) = faults_of(
        "maria", position, f"orders: {{prussia: {{recruit: {{pay: [{pay}], troops: {{Friedrich: 1}}}}}}}}"
    )
    assert (fault.code, str(fault.hint)) == ("E-CARD-HAND", hint)


@pytest.mark.parametrize(("game", "section", "most"), [("maria", "§8", 8), ("friedrich", "§3", 10)])
@pytest.mark.parametrize("value", [0, 11, 99])
def test_a_reserve_that_pays_counts_no_more_and_no_less_than_it_can(
    game: str, section: str, most: int, value: int
) -> None:
    stage = {"maria": "stage: winter-prussia", "friedrich": "stage: prussia\nphase: recruiting"}[game]
    position = f"turn: 3\n{stage}\nhands: {{prussia: [R, R]}}"
    written = "orders: {{prussia: {{recruit: {{pay: [R{}], troops: {{Friedrich: 1}}}}}}}}"
    (fault,) = faults_of(game, position, written.format(value))
    assert (fault.code, fault.section, str(fault.hint)) == ("E-RESERVE-VALUE", section, f"1 to {most}")
    assert (fault.line, fault.column) == (1, 36)
    assert "E-RESERVE-VALUE" not in [each.code for each in faults_of(game, position, written.format(most))]


def test_in_a_combat_only_cards_that_can_be_played_are_named() -> None:
    table = load_position((EXAMPLES / "mid-war/position.yaml").read_bytes(), "position", EXAMPLES / "mid-war")
    begin(table)
    orders = "orders: {prussia: {move: [Friedrich: Kolin], play: [♥9]}, saxony: {move: []}}"
    fault = run(table, load_orders(orders.encode(), "orders", table.rules)).faults[-1]
    assert (fault.code, str(fault.hint)) == ("E-CARD-HAND", "♥3, ♥4, ♥6, ♥8")


@pytest.mark.parametrize(("game", "section"), [("maria", "§8"), ("friedrich", "§3")])
def test_positions_name_the_section_of_their_game(game: str, section: str) -> None:
    written = f"game: {game}\nturn: 2\nhands: {{prussia: [{', '.join(['♠7'] * 9)}]}}\n"
    with pytest.raises(Refused) as refused:
        load_position(written.encode(), "position")
    assert {(fault.code, fault.section) for fault in refused.value.faults} == {("E-POSITION", section)}


def test_orders_for_another_stage_are_told_where_they_name_it() -> None:
    (fault,) = faults_of("maria", "turn: 2", "orders: {}\nstage: 3/prussia")
    assert (fault.code, fault.place) == ("E-ORDER-STAGE", ":2:8")


def test_terms_of_no_file_are_refused_at_no_place() -> None:
    with pytest.raises(Refused) as refused:
        rules_of({"game": "maria", "scenario": "short"})
    assert str(refused.value).startswith("terms: E-")


DUE = "Nowe Miasto > Brodnica, Schlochau > Neu Stettin"


@pytest.mark.parametrize(
    ("orders", "code", "named"),
    [
        ("battles: [Dohna > Saltikov, Dohna > Fermor]", "W-BATTLE", DUE),
        ("battles: [Dohna > Saltikov]", "E-BATTLE", f"attack Schlochau > Brodnica is not due (§7) — {DUE}"),
        ("battles: [Dohna > Lacy]", "E-BATTLE", DUE),
        ("ahead: {stage: 2/prussia, conquered: Człuchów, move: []}", "E-PLAN-CONQUERED", "Schlochau"),
    ],
)
def test_faults_name_cities_in_the_language_of_their_reader(orders: str, code: str, named: str) -> None:
    position = (
        "turn: 2\nstage: prussia\nphase: combat\npieces: {Dohna: 'Człuchów, 2', Fermor: 'Neu Stettin, 6', "
        "Keith: 'Nowy Miasto, 2', Saltikov: 'Brodnica, 3', Lacy: off}"
    )
    try:
        found = faults_of("friedrich", position, f"orders: {{prussia: {{{orders}}}}}")
    except Refused as refused:
        found = [fault for fault in refused.faults if isinstance(fault, Fault)]
    (told,) = [fault.sentence("en") for fault in found if fault.code == code]
    assert named in told


@pytest.mark.parametrize("block", ["move: [{}]", "ahead: {{stage: 2/sweden, move: [{}]}}"])
@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "{Ehrensvärd: Malchin, Czluchow, Friedland (B}",
            "inside braces a comma ends the way — several cities stand in brackets: "
            "`{Ehrensvärd: [Malchin, Schlochau, Friedland (Bohemia)]}`",
        ),
        ("{Ehrensvärd: Malchin, Hamilton}", "one move a line — begin each with `- `"),
        ("{Ehrensvärd: Malchin, Anklam: Demmin}", "one move a line — begin each with `- `"),
        ("{}", "one move a line — begin each with `- `"),
    ],
)
def test_a_way_that_a_comma_ends_inside_braces_is_told_as_it_should_be(block: str, line: str, told: str) -> None:
    with pytest.raises(Refused) as refused:
        faults_of("friedrich", "turn: 1", f"orders: {{sweden: {{{block.format(line)}}}}}")
    assert [fault.sentence() for fault in refused.value.faults] == [f"E-FORM-MOVE {told}"]


@pytest.mark.parametrize(
    ("recruit", "told"),
    [
        (
            "{pay: [♠13, ♥2, ♠6], troops: {Keith: 9, Daun: 1}, enter: {Heinrich: Prag}}",
            ["E-CARD-HAND", "E-CARD-HAND", "E-TROOPS-RANGE", "E-RECRUIT-GENERAL", "E-RECRUIT-CITY", "E-RECRUIT-FIRST"],
        ),
        (
            "{pay: [♠6], troops: {Keith: 7, Heinrich: 2}, enter: {train 1: Berlin}}",
            ["E-RECRUIT-PRICE", "E-TROOPS-RANGE", "E-RECRUIT-PLACE", "E-RECRUIT-PIECE"],
        ),
        ("{pay: [♠13], troops: {Keith: 1}}", ["E-CARD-HAND"]),
        ("{pay: [♠6], troops: {Keith: 1}}", []),
    ],
)
@pytest.mark.parametrize(("phase", "section"), [("recruiting", "recruit: {}"), ("movement", "move: [recruit: {}]")])
def test_all_that_is_wrong_with_recruits_is_told_at_once_and_at_its_place(
    phase: str, section: str, recruit: str, told: list[str]
) -> None:
    position = (
        f"turn: 2\nstage: prussia\nphase: {phase}\npieces: {{Keith: 'Glogau, 2', Heinrich: off}}\n"
        "hands: {prussia: [♠6, ♣5]}"
    )
    found = faults_of("friedrich", position, f"orders: {{prussia: {{{section.format(recruit)}}}}}")
    assert [fault.code for fault in found if not fault.is_warning] == told
    assert len({(fault.line, fault.column) for fault in found}) >= len(found) - 1


@pytest.mark.parametrize(
    ("recruit", "told"),
    [
        (
            "{pay: [♠4], troops: {Friedrich: 9, Karl: 1, Schwerin: 1}, enter: {Leopold: Prag}}",
            [
                "E-RECRUIT-PRICE",
                "E-TROOPS-RANGE",
                "E-RECRUIT-GENERAL",
                "E-RECRUIT-PLACE",
                "E-RECRUIT-CITY",
                "E-RECRUIT-FIRST",
            ],
        ),
        ("{pay: [♠4], enter: {Leopold: Berlin, Friedrich: Berlin}}", ["E-RECRUIT-FIRST", "E-RECRUIT-GENERAL"]),
        ("{pay: [♠4], troops: {Karl: 1}, enter: {Karl: Berlin}}", ["E-RECRUIT-GENERAL"]),
        (
            "{troops: {Schwerin: 1, Leopold: 1}, enter: {Schwerin: Berlin, Leopold: Prag}, commander: Friedrich}",
            ["E-RECRUIT-PRICE", "E-RECRUIT-CITY"],
        ),
        ("{pay: [♠4], troops: {Schwerin: 1}, enter: {Schwerin: Berlin}}", []),
    ],
)
def test_all_that_is_wrong_with_recruits_in_winter_is_told_at_once(recruit: str, told: list[str]) -> None:
    position = (
        "scenario: introductory\nturn: 3\nstage: winter-prussia\nhands: {prussia: [♠4], austria: [♣3]}\n"
        "pieces: {Friedrich: 'Potsdam, 3', Schwerin: off, Leopold: off, Karl: off}"
    )
    found = faults_of("maria", position, f"orders: {{prussia: {{recruit: {recruit}}}}}")
    assert [fault.code for fault in found if not fault.is_warning] == told


def test_all_that_is_wrong_with_granted_troops_is_told_at_once() -> None:
    position = (
        "scenario: advanced\nturn: 7\nstage: politics\nphase: selecting\npieces: {Rutowski: off}\n"
        "hands: {saxony: [♠4]}\naffairs: {open: [19, 14], display: {austria: [♥8]}, order: [austria]}"
    )
    recruit = "{recruit: {pay: [♠4], troops: {Rutowski: 9}, enter: {Rutowski: Wien}}}"
    orders = f"orders: {{austria: {{politics: {{card: 19, instruction: yes}}}}, saxony: {recruit}}}"
    told = ["E-GRANT-SUM", "E-GRANT-PRICE", "E-TROOPS-RANGE", "E-RECRUIT-CITY"]
    assert [fault.code for fault in faults_of("maria", position, orders) if not fault.is_warning] == told
