"""Order sheets sent back as they came: nobody is asked a second time for what they could have answered at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.settings import Conduct
from pbem.engine.decisions import Done, Move, Recruitment
from pbem.engine.field import OFF
from pbem.engine.nouns import Power
from pbem.engine.supply import assess
from pbem.games.maria.report.account import worth_knowing
from pbem.kit import copy_of
from pbem.paper.documents.strict import bare
from pbem.paper.letters import read_letter, sign_letter
from pbem.post.extract import extract
from pbem.report import blocks
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_text, sheet_texts
from pbem.seal.canonical import Tree
from tests.campaign.fights import PLAYER, begin
from tests.campaign.simulated import SimulatedTable, codes
from tests.report.plain import letter_text

MOVING = """\
game: friedrich
turn: 2
stage: prussia
phase: movement
begun: yes
owing: [prussia]
pieces: {Friedrich: "Oschatz, 2"}
hands: {prussia: [%s]}
"""


@pytest.mark.parametrize(("hand", "kinds"), [("♠5, ♥9", [Done, Recruitment]), ("", [Done])])
def test_an_untouched_sheet_of_friedrich_answers_for_moves_and_recruits(
    tmp_path: Path, hand: str, kinds: list[type]
) -> None:
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=MOVING % hand).begun()
    with table.open() as campaign:
        sheet = sheet_text(briefings(campaign)["frederick"])
    assert ("      recruit: {}" in sheet) == (Recruitment in kinds)
    receipt = table.send(sign_letter(sheet, table.players["frederick"].key))
    assert (receipt.status, codes(receipt)) == ("final", [])
    done = table.carried_out()
    assert [type(answer.answer) for answer in done.outcome.answers] == kinds
    assert done.record.next.stage == "2/hanover"
    assert "(nobody can read it on the way)" in words_of(sheet)
    with table.open() as campaign:
        assert "; with pbem seal before pbem sign nobody can read it" in words_of(
            sheet_text(briefings(campaign)["frederick"])
        )


def words_of(sheet: str) -> str:
    """The words of a sheet, however its comments are broken into lines."""
    return " ".join(sheet.replace("\n# ", " ").replace("\n      # ", " ").split())


def test_who_has_sealed_is_told_to_seal_and_no_more_how_a_sheet_is_used(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    table.play(2)
    with table.open() as campaign:
        assert "delete its first `# `" in words_of(sheet_text(briefings(campaign)["louis"]))
    sheet = ""
    while not sheet:
        table.play(1)
        with table.open() as campaign:
            told = briefings(campaign)["louis"]
        sheet = words_of(sheet_text(told)) if told.stage == "2/france" else ""
    assert "Then, as last time, run pbem check, pbem seal, pbem sign, and send the file." in sheet
    assert "delete its first `# `" not in sheet


RAIDING = """\
turn: 2
stage: hussars
pieces: {Friedrich: "Brieg, 4", Schwerin: "Jauer, 4", prussia train 1: Sagan,
  Karl: "Königgrätz, 4", Belle-Isle: "Nürnberg, 4"}
"""


def test_hussars_are_shown_where_enemy_supply_runs(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=RAIDING, scenario="introductory").begun()
    with table.open() as campaign:
        told = briefings(campaign)["maria-theresa"]
    sheet = sheet_text(told)
    (decision,) = told.orders.asked
    common, field = told.table_in_play.rules.common, copy_of(told.table_in_play).state.field
    named = worth_knowing(told.table_in_play, decision).data["raids"]
    assert isinstance(named, dict)
    assert named
    for city, names in named.items():
        field.hussars = [common.board.index[city], OFF]
        tolled = [claim.piece for claim in assess(common, field, Power("prussia")).tolled]
        assert names == blocks.pieces(common, tolled), "whoever can go round the city pays nothing"
    assert all(city in sheet for city in named)
    assert "cities are open to them (pbem legal names them)" in words_of(sheet)


LEAVING = """\
scenario: advanced
edition: "1.0"
turn: 4
stage: austria
phase: movement
affairs: {tracks: {saxony: 3}}
pieces: {Karl: "Dresden, 4", Traun: "Freiberg, 3", Rutowski: "Leipzig, 5"}
"""


def test_an_untouched_sheet_marches_out_who_has_to_leave_neutral_land(tmp_path: Path) -> None:
    terms = {"scenario": "advanced", "edition": "1.0"}
    table = SimulatedTable(tmp_path / "campaign", position=LEAVING, **terms).begun()
    with table.open() as campaign:
        sheet = sheet_text(briefings(campaign)["maria-theresa"])
    assert "Karl von Lothringen (Dresden) and Traun (Freiberg)" in " ".join(sheet.split()).replace(" # ", " ")
    receipt = table.send(sign_letter(sheet, table.players["maria-theresa"].key))
    assert (receipt.status, codes(receipt)) == ("final", [])


@pytest.mark.parametrize(("ruling", "status"), [("during the moves", "final"), ("after the moves", "partial")])
def test_a_sheet_tells_of_recruits_between_moves_where_they_may_be_and_a_letter_has_them(
    tmp_path: Path, ruling: str, status: str
) -> None:
    position = MOVING % "♠6, ♥9" + f"rulings: {{recruiting: {ruling}}}\n"
    table = SimulatedTable(
        tmp_path / "campaign", game="friedrich", position=position, rulings={"recruiting": ruling}
    ).begun()
    with table.open() as campaign:
        sheet = sheet_text(briefings(campaign)["frederick"])
    assert ("# - {recruit: {" in sheet) == (status == "final")
    lines = "\n        - recruit: {pay: [♠6], troops: {Friedrich: 1}}\n        - Friedrich: Torgau\n"
    written = sheet.replace("\n      move:\n", f"\n      move:{lines}", 1)
    receipt = table.send(sign_letter(written, table.players["frederick"].key))
    assert (status == "final") == (codes(receipt) == [])
    if status == "final":
        answers = [type(answer.answer) for answer in table.carried_out().outcome.answers]
        assert answers == [Recruitment, Move, Done, Recruitment]
    else:
        assert codes(receipt) == ["E-RECRUIT-NOW"]


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_sheet_repeats_standing_plans_that_came_in_the_open(tmp_path: Path, game: str, sealed: bool) -> None:
    fight = begin(tmp_path / "campaign", game)
    receipt = fight.plan(PLAYER, {"for": "recruit", "give": "even", "standing": "yes"}, sealed=sealed)
    fight.card(fight.foe, "♠5")
    told = fight.news()[PLAYER]
    sheet, report = sheet_text(told), letter_text(report_data(told))
    repeated = "# plans:"
    assert (repeated in " ".join(sheet.split())) == (not sealed)
    assert (f"standing plans of entry {receipt.entry} " in sheet.replace("\n      # ", " ")) == (not sealed)
    assert f"Your standing plans are entry {receipt.entry} of the ledger." in " ".join(report.split())
    assert fight.table.send(sign_letter(sheet, fight.table.players[PLAYER].key)).status in ("final", "partial")


def test_a_sheet_without_a_signature_ends_where_chatter_begins(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", conduct=Conduct(signing="off"), scenario="introductory")
    table.join()
    table.play(1)
    with table.open() as campaign:
        campaign.public.players["maria-theresa"].key = ""  # who has a key signs, and the signature ends the letter
        sheet = sheet_text(briefings(campaign)["maria-theresa"])
    (found,) = extract(f"Anna wrote:\n\n{sheet}\nBest wishes\nAnna\n".encode()).letters
    assert bare(read_letter(found.text.encode(), "x").body) == bare(read_letter(sheet.encode(), "x").body)


LEAST = {
    "en": "the least for each: Moritz von Sachsen 7, Belle-Isle 6, Broglie 5, all others 1.",
    "de": "Mindestzahlen: Moritz von Sachsen 7, Belle-Isle 6, Broglie 5, jeder andere 1.",
    "es": "mínimos: Moritz von Sachsen 7, Belle-Isle 6, Broglie 5, los demás 1.",
    "it": "minimo: Moritz von Sachsen 7, Belle-Isle 6, Broglie 5, gli altri 1.",
}


def test_both_sheets_say_the_least_troops_at_set_up(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    with table.open() as campaign:
        told = briefings(campaign)["louis"]
    for language, least in LEAST.items():
        for sheet in sheet_texts(told, language)[:2]:
            flat = " ".join(sheet.replace("#", " ").split())
            assert least in flat, sheet
            assert language != "de" or "; Mindestzahl: Törring 5." in flat, sheet


RECRUITS: Tree = {"for": "recruit", "give": "even", "troops": "2", "standing": "yes"}
FIRST = {
    "en": "what you write there decides",
    "de": "gilt, was du dort schreibst",
    "es": "vale lo que escribas ahí",
    "it": "vale ciò che scrivi lì",
}


def test_a_sheet_of_marches_leaves_recruits_to_a_standing_plan_and_orders_against_it_are_warned_of(
    tmp_path: Path,
) -> None:
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=MOVING % "♠5, ♥9").begun()
    table.send(table.other_letter("frederick", "plan", {"orders": {"prussia": {"plans": [RECRUITS]}}}))
    with table.open() as campaign:
        briefing = briefings(campaign)["frederick"]
    for language, words in FIRST.items():
        for sheet in sheet_texts(in_language(briefing, language), language)[:2]:
            above, sign, _ = sheet.partition("# recruit: {}")
            assert sign, sheet
            assert words in " ".join(above.replace("#", "").split()[-30:]), sheet
    other = table.copied(tmp_path / "other")
    against = other.send(other.letter("frederick", {"prussia": {"move": [], "recruit": {}}}))
    assert (codes(against), against.status) == (["W-PLAN-PASSED"], "final")
    sheet, _ = sheet_texts(briefing)[:2]
    assert codes(table.send(sign_letter(sheet, table.players["frederick"].key))) == []
    recruited = [answer.answer for answer in table.carried_out().outcome.answers if answer.by == "orders"][-1]
    assert isinstance(recruited, Recruitment)
    assert recruited.troops


def test_marches_of_a_power_that_does_not_act_in_this_stage_are_warned_of(tmp_path: Path) -> None:
    position = (MOVING % "").replace("stage: prussia", "stage: russia").replace("[prussia]", "[russia]")
    position = position.replace("{prussia: []}", "{russia: [♠5, ♠9]}")
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun()
    sweden: Tree = {"move": [{"Ehrensvärd": "Anklam"}]}
    orders: dict[str, Tree] = {"russia": {"move": [], "recruit": "none"}, "sweden": sweden}
    receipt = table.send(table.letter("elisabeth", orders))
    assert (codes(receipt), receipt.status) == (["W-ORDER-UNUSED"], "final")


INVADING = """\
game: friedrich
turn: 2
stage: russia
phase: movement
begun: yes
owing: [russia]
pieces: {Saltikov: "Landsberg, 8", Fermor: "Landsberg, 6", Lehwaldt: "Neudamm, 6"}
hands: {russia: [♣8, ♣9, ♥5], prussia: [♠4, ♦4]}
"""


def test_recruits_that_nobody_is_asked_for_any_more_are_warned_of_and_no_sheet_repeats_them(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=INVADING).begun()
    recruits: Tree = {"troops": {"Saltikov": 1}, "pay": ["♣8"]}
    plan: Tree = {"for": "battle", "when": {"theirs": "12 or more"}, "tactic": "decline"}
    march: Tree = [{"Saltikov + Fermor": "Küstrin"}]
    receipt = table.send(table.letter("elisabeth", {"russia": {"move": march, "recruit": recruits, "plans": [plan]}}))
    assert (codes(receipt), receipt.status) == (["W-ORDER-UNUSED"], "final")
    table.carried_out()
    with table.open() as campaign:
        told = briefings(campaign)
        unused = told["elisabeth"].orders.unused
        assert unused
        assert unused.sections == {"russia": ["plans"]}
        asked = next(seat for seat, each in told.items() if each.orders.asked)
    (decision,) = told[asked].orders.asked
    late: dict[str, Tree] = {decision.power: {"play": "♠4", "recruit": {"troops": {}}}}
    assert codes(table.send(table.letter(asked, late))) == ["W-ORDER-UNUSED"]
