"""What people call cities in their languages: understood everywhere, and never taken for another city."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.board import Board
from pbem.paper.boards.place_names import EVERY, aliases, called, other_names
from pbem.paper.documents.names import NameFault, fold
from pbem.paper.lexicon import Lexicon
from pbem.report.language.templates import languages

BOARDS = {"maria": "theatrum-belli", "friedrich": "friedrich"}


def rules_of(game: str) -> Any:
    """The rules of a game as it is usually played."""
    from pbem.paper.positions.files import load_position

    return load_position(f"game: {game}\n".encode(), "x", None).rules


@pytest.fixture(params=BOARDS)
def lexicon(request: pytest.FixtureRequest) -> Lexicon:
    """The names of each game."""
    return Lexicon(rules_of(request.param))


def test_every_name_is_understood_and_means_its_own_city(lexicon: Lexicon) -> None:
    board: Board = lexicon.rules.common.board
    assert set(other_names(board.name)) == {EVERY, *languages()}
    assert aliases(board.name)
    for other, own in aliases(board.name).items():
        for written in (other, other.upper(), fold(other)):
            assert board.cities[lexicon.city(written)].name == own, other
            assert lexicon.is_city(written)


def test_no_two_cities_have_one_name_in_a_language(lexicon: Lexicon) -> None:
    board: Board = lexicon.rules.common.board
    for language in languages():
        names = [called(board.name, language).get(city.name, city.name) for city in board.cities]
        assert len({name.casefold() for name in names}) == len(names), language


def test_the_board_s_own_names_mean_what_they_did(lexicon: Lexicon) -> None:
    board: Board = lexicon.rules.common.board
    assert [lexicon.city(city.name) for city in board.cities] == list(range(len(board.cities)))


@pytest.mark.parametrize(
    ("game", "written", "own"),
    [
        ("maria", "Vienna", "Wien"),
        ("maria", "Viena", "Wien"),
        ("maria", "monaco di baviera", "München"),
        ("maria", "The Hague", "Den Haag"),
        ("friedrich", "Wągrowiec", "Wągrwiec"),
        ("friedrich", "gniew", "Griew"),
        ("friedrich", "Chmielnik", "Cmielnik"),
        ("friedrich", "Danzig", "Gdańsk"),
        ("friedrich", "thorn", "Toruń"),
        ("friedrich", "Posen", "Poznań"),
    ],
)
def test_names_that_people_write(game: str, written: str, own: str) -> None:
    names = Lexicon(rules_of(game))
    assert names.rules.common.board.cities[names.city(written)].name == own


def test_what_is_suggested_sounds_alike() -> None:
    with pytest.raises(NameFault) as fault:
        Lexicon(rules_of("maria")).city("Vjenna")
    assert "Vienna" in fault.value.hint.split(" or ")[0]
