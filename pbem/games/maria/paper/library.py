"""Loader of MARIA's rules from the game's data files, from boards and politics files that players bring, and from the
terms of a game."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import get_args

from pbem.engine.board import BoardData
from pbem.engine.nouns import Power
from pbem.faults.wrong import words, wrong
from pbem.games.maria.paper.politics import load_politics
from pbem.games.maria.rules.data import Edition, GameData, MariaRules, Placing, Scenario, Terms, maria_rules
from pbem.games.maria.rules.politics_data import PoliticsData, Seize
from pbem.paper import library
from pbem.paper.documents.names import Names, as_quoted
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.resources import resource

STANDARD_POLITICS = "standard"
"""Name of the politics file that ships with the program."""


@lru_cache(maxsize=16)
def load_maria(terms: Terms, folder: Path | None = None) -> MariaRules:
    """Return the rules of a game with these terms. `folder` has the campaign's own files. Raises `Misnamed` if players,
    board or political cards do not fit together."""
    if folder and terms.board in library.boards() and terms.politics == STANDARD_POLITICS:
        return load_maria(terms)  # No file in the folder is needed, so all campaigns share one board.
    game = library.load_data("maria", "game.yaml", GameData)
    scenario = scenarios()[terms.scenario]
    board = library.load_named_board(terms.board, folder)
    check_board(board, terms.board, game, scenario)
    politics = load_named_politics(terms.politics, folder)
    if scenario.politics:
        check_seized(politics, terms, board)
    if terms.players not in scenario.players:
        what = wrong("E-VALUE-RANGE.players", scenario=terms.scenario, players=terms.players)
        raise library.Misnamed("players", str(terms.players), what)
    edition = library.ruled_points(editions()[terms.edition], terms.rulings)
    return maria_rules(terms, game, scenario, edition, board, politics)


@lru_cache(maxsize=1)
def scenarios() -> dict[str, Scenario]:
    return library.load_data("maria", "scenarios.yaml", dict[str, Scenario])


@lru_cache(maxsize=1)
def editions() -> dict[str, Edition]:
    """Return the editions of the rule book, keyed by name, the newest first. All callers get the same dict."""
    return library.load_data("maria", "editions.yaml", dict[str, Edition])


@lru_cache(maxsize=1)
def order_of_play() -> tuple[Power, ...]:
    stages = library.load_data("maria", "game.yaml", GameData).action_stages
    return tuple(power for powers in stages.values() for power in powers)


def check_board(board: BoardData, name: str, game: GameData, scenario: Scenario) -> None:
    """Raise `Misnamed` for a board that lacks something that the game needs, such as a set-up, a map, or a city that
    the rules name."""
    cities = {city.name for city in board.cities}
    needed: dict[str, tuple[Iterable[str], Container[str]]] = {
        "lack-setup": (game.powers, board.setup),
        "lack-home": (game.powers, board.powers),
        "lack-map": (scenario.maps, board.maps),
        "lack-city": ([city for marked in game.markers.values() for city in marked], cities),
    }
    library.check_fitness(name, game.name, game.board, needed)


def check_seized(politics: PoliticsData, terms: Terms, board: BoardData) -> None:
    """Raise `Misnamed` if a political card seizes a city that the board does not have."""
    cities = Names([city.name for city in board.cities], words("politics-city"))
    for effect in (each for card in politics.cards for each in card.effects if isinstance(each, Seize)):
        if effect.city not in cities:
            hint, written = cities.suggestion(effect.city), as_quoted(effect.city)
            what = wrong("E-POLITICS-EFFECT.unknown", hint=hint, written=written, board=as_quoted(terms.board))
            raise library.Misnamed("politics", terms.politics, what)


def find_politics(name: str = STANDARD_POLITICS, folder: Path | None = None) -> Path:
    """Find the file with the political display and cards: the standard file, or a file in `folder` with this name."""
    shipped = {STANDARD_POLITICS: resource("rules") / "maria" / "politics.yaml"}
    return library.find_file(library.FileKind("politics", "E-POLITICS-MISSING"), name, shipped, folder)


def load_named_politics(name: str = STANDARD_POLITICS, folder: Path | None = None) -> PoliticsData:
    return load_politics_file(find_politics(name, folder))


@lru_cache(maxsize=8)
def load_politics_file(path: Path) -> PoliticsData:
    data = library.read_beginning(path)
    return library.load_shipped(path, data, PoliticsData, lambda: load_politics(data, str(path)))


TERMS = ("scenario", "players", "edition", "board", "politics", "bluffing", "placing", "rulings")
PLACING: dict[str, Placing] = {placing: placing for placing in get_args(Placing)}


def read_terms(reader: Reader, entries: Mapping[str, Node]) -> Terms:
    """Read the terms of a game of MARIA. A term that is missing or wrong gets its default; `reader` notes each
    fault."""
    standard = Terms()
    scenario_names = {name: name for name in scenarios()}
    edition_names = {name: name for name in editions()}

    return Terms(
        scenario=library.term_in(
            entries, "scenario", lambda n: reader.word(n, "scenario", scenario_names), standard.scenario
        ),
        players=library.term_in(entries, "players", lambda n: reader.number(n, "players", 2, 3), standard.players),
        edition=library.term_in(
            entries, "edition", lambda n: reader.word(n, "edition", edition_names), standard.edition
        ),
        board=library.term_in(entries, "board", lambda n: reader.file_name(n, "board"), standard.board),
        politics=library.term_in(entries, "politics", lambda n: reader.file_name(n, "politics"), standard.politics),
        bluffing=library.term_in(entries, "bluffing", lambda n: reader.truth(n, "bluffing"), standard.bluffing),
        placing=library.term_in(entries, "placing", lambda n: reader.word(n, "placing", PLACING), standard.placing),
        rulings=library.read_rulings(reader, entries["rulings"], Edition) if "rulings" in entries else (),
    )


def terms_document(terms: Terms) -> dict[str, Value]:
    """Return the terms as files write them. Terms about politics are left out in scenarios without politics."""
    document: dict[str, Value] = {"scenario": terms.scenario, "players": terms.players}
    document |= {"edition": terms.edition, "board": terms.board}
    if scenarios()[terms.scenario].politics:
        bluffing = "yes" if terms.bluffing else "no"
        document |= {"politics": terms.politics, "bluffing": bluffing, "placing": terms.placing}
    if terms.rulings:
        document["rulings"] = dict(terms.rulings)
    return document
