"""Cities are called as their reader calls them in all that people read; programs find the board's own names."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.ledger.replaying import read_folder
from pbem.engine.board import Board
from pbem.engine.decisions import Move
from pbem.paper.boards.files import city_names_in
from pbem.paper.letters import sign_letter
from pbem.paper.lexicon import cities_of
from pbem.paper.library import find_board, load_board_file
from pbem.report.language.options import open_options
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.report.letters.signed import report_body
from pbem.report.maps import crop_of, scenery_of
from pbem.report.picture.draw import board_labels, draw_board
from pbem.report.picture.position import Position, words_in
from pbem.site.story import rules_for, story_of
from tests.campaign.simulated import SimulatedTable, codes
from tests.report.plain import letter_text, options_text, position_text

PRAGUE = {"en": "Prague", "de": "Prag", "es": "Praga", "it": "Praga"}
MOVING = "turn: 2\nstage: austria\nphase: movement\n"
GAMES = {
    "maria": MOVING + 'pieces: {Neipperg: "Beraun, 5"}\nmarkers: {france: Prag}\n',
    "friedrich": "game: friedrich\n" + MOVING + 'pieces: {Daun: "Beneschau, 5", Browne: "Prag, 5"}\n',
}
TWICE = "[Prag, Prag]"
"""A way that names a city twice, which no march may."""
MOVER = {"maria": "Neipperg", "friedrich": "Daun"}


def begun(folder: Path, game: str) -> SimulatedTable:
    """A campaign in which Austria moves, with a general beside Prague."""
    terms = {"game": game, "scenario": "four" if game == "friedrich" else "introductory"}
    return SimulatedTable(folder / "campaign", position=GAMES[game], **terms).begun()


@cache
def data_of(board: str) -> Any:
    """A board that ships with the program."""
    return load_board_file(find_board(board))


def told(table: SimulatedTable, language: str) -> Briefing:
    """Report of the player of Austria in a language."""
    with table.open() as campaign:
        return msgspec.structs.replace(briefings(campaign)["maria-theresa"], language=language)


@pytest.mark.parametrize("game", GAMES)
def test_an_untouched_sheet_is_taken_in_every_language_and_so_is_a_march_to_what_it_names(
    tmp_path: Path, game: str
) -> None:
    table = begun(tmp_path, game)
    for language in languages():
        sheet = str(report_data(told(table, language))["sheet"])
        named = re.split(r"[,;\s]+", sheet)
        assert PRAGUE[language] in named
        assert language == "de" or "Prag" not in named
        receipt = table.send(sign_letter(sheet, table.players["maria-theresa"].key))
        assert (receipt.status, codes(receipt)) == ("final", []), language
        sheet = str(report_data(told(table, language))["sheet"])
        line = f"\n      move:\n        - {MOVER[game]}: {PRAGUE[language]}\n"
        written = sheet.replace("\n      move:\n", line, 1)
        receipt = table.send(sign_letter(written, table.players["maria-theresa"].key))
        assert (receipt.status, codes(receipt)) == ("final", []), language
        sheet = str(report_data(told(table, language))["sheet"])
        wrong = sheet.replace("\n      move:\n", line.replace(PRAGUE[language], TWICE), 1)
        refused = table.send(sign_letter(wrong, table.players["maria-theresa"].key)).verdict.faults[0]
        assert PRAGUE[language] in refused.sentence(language), language
        assert language == "de" or "Prag:" not in refused.sentence(language)
    moves = [each.answer for each in table.carried_out().outcome.answers if isinstance(each.answer, Move)]
    with table.open() as campaign:
        board: Board = campaign.rules.common.board
    assert [board.cities[move.path[-1]].name for move in moves] == ["Prag"]


@pytest.mark.parametrize("game", GAMES)
def test_a_report_has_words_for_people_and_the_board_s_names_for_programs(tmp_path: Path, game: str) -> None:
    table = begun(tmp_path, game)
    plain = report_data(told(table, "de"))
    for language in languages():
        news = told(table, language)
        data = report_data(news)
        for name in ("events", "known", "secrets"):
            assert data[name] == plain[name]
        assert data["position"]["data"] == plain["position"]["data"]
        assert [each["decision"] for each in data["asked"]] == [each["decision"] for each in plain["asked"]]
        of_people = {"sheets": 0, "language": ""}
        assert report_body(data) | of_people == report_body(plain) | of_people, "sheets are read by people"
        seen, rules = news.view, news.table.rules
        for text in (letter_text(data), position_text(rules, seen, language)):
            words = text.replace(",", " ").replace(".", " ").split()
            assert PRAGUE[language] in words
            assert language == "de" or "Prag" not in words


@pytest.mark.parametrize("game", GAMES)
def test_what_is_legal_is_listed_in_words_and_for_programs(tmp_path: Path, game: str) -> None:
    news = told(begun(tmp_path, game), "en")
    (option,) = open_options(news.table, ("austria",), (MOVER[game],))
    assert "Prag" in [way["city"] for way in option["marches"][0]["to"]]
    for language in languages():
        text = options_text(news.table, ("austria",), (MOVER[game],), language)
        assert PRAGUE[language] in text.replace(",", " ").replace(".", " ").replace(":", " ").split()


@pytest.mark.parametrize("board", ["theatrum-belli", "friedrich"])
@pytest.mark.parametrize("language", languages())
def test_a_picture_has_the_names_of_its_language(board: str, language: str) -> None:
    data, scenery = data_of(board), scenery_of(find_board(board))
    own = tuple(city.name for city in data.cities)
    names = city_names_in(board, own, language)
    labels = board_labels(data, scenery, Position(), words_in(language))
    assert {label.city: " ".join(label.lines) for label in labels} == dict(enumerate(names))


def test_a_picture_tells_programs_the_board_s_names() -> None:
    position = Position(control={"Prag": "france"})
    crop = crop_of(data_of("theatrum-belli"), ["Prague"])
    drawn = draw_board(data_of("theatrum-belli"), None, position, crop=crop, words=words_in("en"))
    assert 'data-city="Prag"' in drawn
    assert ">Prague<" in drawn
    assert ">Prag<" not in drawn


@pytest.mark.parametrize("board", ["theatrum-belli", "friedrich"])
def test_a_part_of_a_board_is_found_by_any_name(board: str) -> None:
    data = data_of(board)
    assert crop_of(data, ["Prague"]) == crop_of(data, ["Praga"]) == crop_of(data, ["Prag"])
    own = tuple(city.name for city in data.cities)
    assert cities_of(own, board).find("Hanover") == own.index("Hannover")


def test_the_site_tells_in_its_language() -> None:
    reading = read_folder(Path(__file__).parents[2] / "examples" / "vienna-1741", datetime(2030, 1, 1, tzinfo=UTC))
    rules = rules_for(reading)
    board = rules.common.board
    for language in languages():
        story = story_of(reading, rules, language)
        names = city_names_in(board.name, tuple(city.name for city in board.cities), language)
        fought = {battle.data[side] for battle in story.battles for side in ("attacking_city", "defending_city")}
        assert fought <= set(names)
        text = " ".join(each.passage.text for stage in story.stages for each in stage.told)
        words = set(re.findall(r"\w+", text))
        assert PRAGUE[language] in words
        assert language == "de" or "Prag" not in words
