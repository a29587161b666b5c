"""`pbem corpus`: many campaigns of bots. They are written as archives that anybody can verify, or only as records."""

from __future__ import annotations

import shutil
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

import click
import msgspec
from msgspec import Struct

from pbem import __version__
from pbem.bots.table import bot_named
from pbem.campaign.disk.folder import LOCK, hold_lock
from pbem.console.options import (
    Hands,
    Telling,
    gather_options,
    new_game_options,
    telling_options,
    terms_given,
    with_progress,
    work_options,
)
from pbem.console.printing import print_json
from pbem.console.refusals import refusals
from pbem.console.surroundings import read_bytes, time_now
from pbem.engine.decisions import Answer
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table
from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import words, wrong
from pbem.kit import game_of
from pbem.lab.arena import with_own_chance
from pbem.lab.bot_campaign import CampaignWish, play_archive
from pbem.lab.tables import bots_option, line_up, show_figures
from pbem.paper.documents.faults import Refused
from pbem.player.files import write_file
from pbem.player.names import new_table
from pbem.record.recorder import Ends, first_line, record_campaign, record_game

HEAD, LIST = "corpus.json", "games.jsonl"
"""Names of two files: one has the settings of a corpus, the other has one line for each game."""


class Corpus(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings that all games of a corpus share."""

    version: str
    games: CampaignWish
    seed: int
    of: str
    """Form in which the games are written: `archives` or `records`."""


class CorpusTask(Struct, frozen=True):
    """Data that a worker process needs to make the games of a corpus."""

    corpus: Corpus
    rules: GameRules
    folder: str


class MadeGame(Struct, frozen=True, forbid_unknown_fields=True):
    """Figures of one game in a corpus."""

    name: str
    turn: int
    decisions: int
    winners: list[str]
    points: dict[str, float]
    letters: int
    size: int
    """Size of the game's files in bytes."""


@dataclass(frozen=True)
class CorpusWish:
    """Options for making a corpus."""

    games: int
    seed: int
    bots: str | None
    turns: int | None
    records: bool


@click.command("corpus")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@new_game_options
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same corpus.")
@bots_option
@click.option("--turns", type=click.IntRange(1, 99), help="Stop every game after so many turns.")
@click.option("--records", is_flag=True, help="Write records alone, of games at one table: quicker, and smaller.")
@work_options
@telling_options
@gather_options("wish", CorpusWish)
def corpus_command(folder: Path, wish: CorpusWish, hands: Hands, telling: Telling, **terms: str | None) -> None:
    """Let bots play whole campaigns, and write them into FOLDER as 000001, 000002 and so on.

    Each campaign is played by letters, closed, and kept as an archive. The bots are sensible, unless --bots says
    otherwise. Called again, the command goes on where it stopped, also with a larger number of --games. The workers of
    a cluster must see FOLDER under the same path.
    """
    with refusals(telling.json_wanted):
        given = terms_given(terms)
        rules = new_table(given).rules
        bots = line_up(tuple(rules.seats), wish.bots, "sensible")
        corpus = Corpus(
            __version__, CampaignWish(given, bots, wish.turns), wish.seed, "records" if wish.records else "archives"
        )
        check_folder(folder, corpus)
        work = hands.executor(wish.games)
        with folder_lock(folder):
            check_folder(folder, corpus)  # Another command may have begun a corpus in the folder since then.
            made = games_in(folder, corpus)
            left = [name for name in map(name_of, range(1, wish.games + 1)) if name not in made]
            known = CorpusTask(corpus, rules, str(folder.absolute()))
            played = work.results(maker_of_games, known, left) if left else ()
            if not (folder / HEAD).exists():
                write_file(folder / HEAD, msgspec.json.encode(corpus) + b"\n")
            with (folder / LIST).open("ab") as file:
                for game in with_progress(played, len(left), telling):
                    file.write(msgspec.json.encode(game) + b"\n")
                    file.flush()
                    made[game.name] = game
    data = figures([made[name] for name in map(name_of, range(1, wish.games + 1))], tuple(rules.seats))
    if telling.json_wanted:
        print_json({"folder": str(folder), "terms": given, "bots": bots, **data})
    else:
        title = words("count-games", games=wish.games)
        show_figures(title, {name: value for name, value in data.items() if name != "games"}, telling.language)


def name_of(number: int) -> str:
    """Return the name of the game with this number. Its folder and its letters have this name."""
    return f"{number:06}"


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Return a context manager that makes the folder of a corpus, if it is missing, and locks it. Raises `Refused` if
    the folder cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(str(folder), [wrong("E-FILE.write", why=reason_of(error))]) from None
    with hold_lock(folder, "pbem corpus", time_now()):
        yield


def check_folder(folder: Path, corpus: Corpus) -> None:
    """Raise `Refused` if a folder contains anything but this corpus."""
    head = folder / HEAD
    if not head.exists():
        if folder.exists() and any(path.name != LOCK for path in folder.iterdir()):
            raise Refused(str(folder), [wrong("E-CORPUS-TAKEN")])
        return
    try:
        if msgspec.json.decode(read_bytes(str(head)), type=Corpus) != corpus:
            raise Refused(str(folder), [wrong("E-CORPUS-TAKEN.other")])
    except msgspec.MsgspecError:
        raise Refused(str(folder), [wrong("E-CORPUS-TAKEN")]) from None


def games_in(folder: Path, corpus: Corpus) -> dict[str, MadeGame]:
    """Return a dict from the name of each finished game to its figures. A game is finished if it is listed in the
    folder and its files exist. An incomplete last line of the list is deleted. Raises `Refused` if the list is
    damaged."""
    games = folder / LIST
    if not games.exists():
        return {}
    data = games.read_bytes()
    # A game whose line is incomplete is made again.
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        write_file(games, whole)
    try:
        found = [msgspec.json.decode(line, type=MadeGame) for line in whole.splitlines()]
    except msgspec.MsgspecError:
        raise Refused(str(folder), [wrong("E-CORPUS-TAKEN")]) from None
    return {game.name: game for game in found if (folder / place_of(game.name, corpus)).exists()}


def place_of(name: str, corpus: Corpus) -> str:
    """Return the name of the file or folder to which a game is written."""
    return f"{name}.jsonl" if corpus.of == "records" else name


def maker_of_games(known: CorpusTask) -> Callable[[str], MadeGame]:
    """Return a function that takes the name of a game, makes the game, and returns its figures. If a game of this name
    exists, it is replaced."""
    folder, corpus = Path(known.folder), known.corpus

    def make_archive(name: str) -> MadeGame:
        draft, place = folder / f".{name}", folder / name
        for there in (draft, place):
            shutil.rmtree(there, ignore_errors=True)
        play_archive(draft, corpus.games, name, f"{corpus.seed}/{name}")
        last = deque[bytes](maxlen=1)
        letters = record_campaign(draft, last.append).figures.letters
        draft.rename(place)
        size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
        return game_figures(name, last[0], size, letters)

    def make_record(name: str) -> MadeGame:
        seed, lines = f"{corpus.seed}/{name}", list[bytes]()
        policies = {seat: bot_named(bot, known.rules.terms.game) for seat, bot in corpus.games.bots.items()}
        policy, chance = with_own_chance(policies, seed), Random(seed)  # noqa: S311 - bots need no secrets

        def following(table: Table) -> tuple[Power, Answer] | None:
            if table.state.phase == "over" or table.state.turn > (corpus.games.turns or table.state.turn):
                return None
            decision = game_of(table).decisions(table)[0]
            return decision.power, policy(table, decision, chance)

        begins = first_line(known.rules, name, corpus.games.bots, is_open=True)
        record_game(known.rules, begins, seed, following, lines.append)
        write_file(folder / place_of(name, corpus), b"".join(lines))
        return game_figures(name, lines[-1], sum(map(len, lines)))

    return make_record if corpus.of == "records" else make_archive


def game_figures(name: str, last: bytes, size: int, letters: int = 0) -> MadeGame:
    """Return the figures of the game `name`. `last` is the last line of the game's record. `size` is the number of
    bytes of its record or archive, `letters` the number of letters."""
    ends = msgspec.json.decode(last, type=Ends)
    assert ends.winners is not None
    assert ends.points is not None
    turns = ends.turn if ends.over else ends.turn - 1  # When a game was stopped, its next turn had already begun.
    return MadeGame(name, turns, ends.decisions, ends.winners, ends.points, letters, size)


def figures(games: Sequence[MadeGame], seats: Sequence[str]) -> dict[str, object]:
    """Return the totals and means of all games."""
    wins = Counter(winner for game in games for winner in game.winners)
    return {
        "games": len(games),
        "decisions": sum(game.decisions for game in games),
        "letters": sum(game.letters for game in games),
        "bytes": sum(game.size for game in games),
        "turns a game": round(fmean(game.turn for game in games), 1),
        "won of 100": {seat: round(100 * wins[seat] / len(games), 1) for seat in seats},
        "points a game": {seat: round(fmean(game.points[seat] for game in games), 1) for seat in seats},
    }
