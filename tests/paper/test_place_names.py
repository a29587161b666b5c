"""Names of cities in other languages are understood everywhere, and never taken for another city."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.board import Board
from pbem.faults.wrong import Words
from pbem.paper.boards.files import EVERY, OLDER, aliases, city_names, city_names_in, other_names
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


def own_names(board: Board) -> tuple[str, ...]:
    """The board's own names of its cities."""
    return tuple(city.name for city in board.cities)


def test_every_name_is_understood_and_means_its_own_city(lexicon: Lexicon) -> None:
    board: Board = lexicon.rules.common.board
    assert set(other_names(board.name)) == {EVERY, OLDER, *languages()}
    assert aliases(board.name)
    for names in other_names(board.name).values():
        for own, other in names.items():
            for written in (other, other.upper(), fold(other)):
                assert board.cities[lexicon.city(written)].name == own, other
                assert lexicon.is_city(written)


def test_what_a_reader_sees_is_one_name_for_each_city_and_understood_as_that(lexicon: Lexicon) -> None:
    board: Board = lexicon.rules.common.board
    own = own_names(board)
    for language in languages():
        shown = city_names_in(board.name, own, language)
        assert shown != own
        assert len({fold(name) for name in shown}) == len({fold(name) for name in own}), language
        assert len({name.casefold() for name in shown}) == len(shown), language
        assert [lexicon.city(name) for name in shown] == list(range(len(shown)))


def test_both_boards_follow_one_custom() -> None:
    boards: list[Board] = [rules_of(game).common.board for game in BOARDS]
    for language in languages():
        own = [own_names(board) for board in boards]
        maria, friedrich = (
            dict(zip(names, city_names_in(board.name, names, language), strict=True))
            for board, names in zip(boards, own, strict=True)
        )
        both = maria.keys() & friedrich.keys()
        assert len(both) > 50
        assert {city: maria[city] for city in both} == {city: friedrich[city] for city in both}


@pytest.mark.parametrize(
    ("game", "language", "shown"),
    [
        ("maria", "de", "Prag, Wien, Lüttich, Dünkirchen, Den Haag"),
        ("maria", "en", "Prague, Vienna, Liège, Dunkirk, The Hague"),
        ("maria", "es", "Praga, Viena, Lieja, Dunquerque, La Haya"),
        ("maria", "it", "Praga, Vienna, Liegi, Dunkerque, L'Aia"),
        ("friedrich", "de", "Danzig, Thorn, Posen, Prag, Mewe, Breslau"),
        ("friedrich", "en", "Danzig, Thorn, Posen, Prague, Gniew, Breslau"),
        ("friedrich", "es", "Dánzig, Toruń, Poznań, Praga, Gniew, Breslavia"),
        ("friedrich", "it", "Danzica, Toruń, Poznań, Praga, Gniew, Breslavia"),
    ],
)
def test_names_that_people_expect(game: str, language: str, shown: str) -> None:
    lexicon = Lexicon(rules_of(game))
    board: Board = lexicon.rules.common.board
    names = city_names_in(board.name, own_names(board), language)
    assert [names[lexicon.city(name)] for name in shown.split(", ")] == shown.split(", ")


def test_a_city_of_an_own_board_is_never_called_like_another_of_it() -> None:
    assert city_names_in("friedrich", ("Prag", "Gdańsk"), "en") == ("Prague", "Danzig")
    assert city_names_in("friedrich", ("Prag", "Gdańsk", "danzig"), "en") == ("Prague", "Gdańsk", "danzig")
    assert city_names_in("mine", ("Prag",), "en") == ("Prag",)


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
        ("maria", "Ratisbon", "Regensburg"),
        ("maria", "Bois-le-Duc", "'s-Hertogenbosch"),
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


@pytest.mark.parametrize(
    ("written", "hints"),
    [
        ("Vjenna", {"en": "did you mean Vienna", "es": "¿querías decir Viena", "de": "gemeint war vielleicht Wien"}),
        ("Ratisbnoa", {"en": "did you mean Regensburg or Ratibor?", "es": "¿querías decir Ratisbona o Ratibor?"}),
    ],
)
def test_what_is_suggested_sounds_alike_and_is_said_once_in_the_readers_language(
    written: str, hints: dict[str, str]
) -> None:
    lexicon = Lexicon(rules_of("maria"))
    board: Board = lexicon.rules.common.board
    with pytest.raises(NameFault) as raised:
        lexicon.city(written)
    hint = raised.value.wrong.with_names(city_names(board.name, own_names(board))).hint
    assert isinstance(hint, Words)
    for language, said in hints.items():
        assert hint.text(language).startswith(said)


def test_the_beginning_of_several_names_of_one_city_is_understood() -> None:
    lexicon = Lexicon(rules_of("maria"))
    assert lexicon.rules.common.board.cities[lexicon.city("Ratisb")].name == "Regensburg"


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", "Friedland (Bohemia), Friedland (Mecklenburg) or Friedland (East Prussia)"),
        ("de", "Friedland (Böhmen), Friedland (Mecklenburg) oder Friedland (Ostpreußen)"),
        ("es", "Friedland (Bohemia), Friedland (Mecklemburgo) o Friedland (Prusia Oriental)"),
        ("it", "Friedland (Boemia), Friedland (Meclemburgo) o Friedland (Prussia Orientale)"),
    ],
)
def test_a_refused_name_is_answered_with_names_in_the_language_of_the_reader(language: str, names: str) -> None:
    with pytest.raises(NameFault) as fault:
        Lexicon(rules_of("friedrich")).city("Friedland")
    assert names in fault.value.wrong.sentence(language)


@pytest.mark.parametrize("written", ["9 Karo", "Karo 9", "quadri 9", "9 diamantes"])
def test_a_suit_in_another_language_is_answered_with_the_ways_to_write_that_card(
    lexicon: Lexicon, written: str
) -> None:
    with pytest.raises(NameFault) as fault:
        lexicon.card(written)
    assert fault.value.code == "E-CARD-UNKNOWN"
    assert all(way in str(fault.value.hint) for way in ("♦9", "D9", "9d"))
