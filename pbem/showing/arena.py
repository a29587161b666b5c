"""`pbem arena`: which of two bots is stronger, in which seat, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import msgspec
from msgspec import Struct, structs

from pbem import __version__
from pbem.cli.common import (
    FileToWrite,
    Telling,
    bot_meant,
    gathered,
    meant,
    misuse,
    new_game,
    new_table,
    print_json,
    read_bytes,
    telling_options,
    terms_given,
    write_file,
)
from pbem.cli.surroundings import refusing_in_words
from pbem.cli.work import Hands, followed, work_options
from pbem.engine.table import GameRules
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.showing.deals import Deal, Pair, player_of_deals
from pbem.showing.standing import Standing
from pbem.work.executor import Executor

USUAL = 100
"""How many deals are played at most if nothing else is said."""


class Kept(Struct, forbid_unknown_fields=True):
    """What the state file has: what was played, and how all of it ended."""

    version: str
    game: str
    terms: dict[str, object]
    bots: tuple[str, str]
    seed: int
    deals: list[Deal]
    seat: str | None = None


@dataclass(frozen=True)
class Contest:
    """How much is played, and where it is kept."""

    seat: str | None
    games: int
    seed: int
    state: Path | None


@click.command("arena")
@click.argument("first")
@click.argument("second")
@new_game
@click.option("--seat", help="The one seat that is contested; in the others is either bot, by chance.")
@click.option(
    "--games", type=click.IntRange(1, 10_000), default=USUAL, show_default=True, help="The most deals to play."
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--state", type=FileToWrite(), help="A file that keeps what was played; with it, the contest goes on.")
@work_options
@telling_options
@gathered("contest", Contest)
def arena_command(
    first: str, second: str, contest: Contest, hands: Hands, telling: Telling, **terms: str | None
) -> None:
    """Which of two bots is stronger: FIRST and SECOND play the same deals in every seat.

    Every deal is played with each way to seat the two, all of one bot and all of the other among them: three seats
    make eight games. Who wins has 100 points, everybody else up to 50 for how near victory ever was. What counts is
    the difference that it makes in a seat which of the two sits there. It ends as soon as it is known who is stronger.
    """
    bots = (bot_meant(first, "FIRST"), bot_meant(second, "SECOND"))
    if bots[0] == bots[1]:
        raise click.BadParameter(misuse("use-two-bots", bot=bots[0]), param_hint="SECOND")
    with refusing_in_words(telling.json_wanted):
        rules = new_table(terms_given(terms)).rules
        seat = meant(contest.seat, rules.seats, words("player"), "--seat") if contest.seat else None
        kept = begun(rules, bots, seat, contest.seed)
        if contest.state and contest.state.exists():
            kept = gone_on_with(contest.state, kept)
        standing = Standing(tuple(rules.seats), bots, seat)
        for deal in kept.deals[: contest.games]:
            standing.add(deal)
        played = fought(rules, contest, kept, standing, hands.executor(contest.games))
        for _ in followed(played, contest.games - len(kept.deals), telling):
            if standing.verdict != "open":
                break
    if telling.json_wanted:
        print_json({"game": kept.game, "terms": kept.terms, **standing.data()})
    else:
        standing.show(telling.language)


def begun(rules: GameRules, bots: tuple[str, str], seat: str | None, seed: int) -> Kept:
    """A contest of which nothing was played yet."""
    terms = msgspec.json.decode(msgspec.json.encode(rules.terms), type=dict[str, object])
    return Kept(__version__, rules.terms.game, terms, bots, seed, [], seat)


def fought(rules: GameRules, contest: Contest, kept: Kept, standing: Standing, work: Executor) -> Iterator[None]:
    """Play deals that are not kept yet, as long as it is open who is stronger; each is kept as soon as it is over."""
    seeds = [f"{contest.seed}/{number}" for number in range(len(kept.deals), contest.games)]
    if standing.verdict != "open":
        return
    for deal in work.results(player_of_deals, Pair(rules, kept.bots, kept.seat), seeds):
        kept.deals.append(deal)
        standing.add(deal)
        if contest.state:
            write_file(contest.state, msgspec.json.encode(kept))
        yield


def gone_on_with(path: Path, new: Kept) -> Kept:
    """What a state file keeps of the contest that is wanted; raises `Refused` for one of another."""
    try:
        kept = msgspec.json.decode(read_bytes(str(path)), type=Kept)
    except msgspec.DecodeError:
        raise Refused(str(path), [wrong("E-ARENA-STATE")]) from None
    if structs.replace(kept, deals=[]) != new:
        raise Refused(str(path), [wrong("E-ARENA-STATE.other")])
    return kept
