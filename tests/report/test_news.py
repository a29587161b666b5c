"""News leave out nothing of the reader's: each event that touches what a reader has is told, whatever else happened,
and each change of control is told to everybody.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice
from random import Random
from textwrap import wrap
from typing import Any

import pytest
from msgspec import structs

from pbem.bots import plain
from pbem.bots.table import sensible_policy
from pbem.engine import events as e
from pbem.engine.events import Event
from pbem.engine.nouns import Hussar
from pbem.engine.table import GameRules, powers_of_player
from pbem.faults.nouns import turn_noun
from pbem.games.friedrich.rules import events as f
from pbem.games.maria.rules import events as m
from pbem.kit import game_of
from pbem.report import blocks
from pbem.report.digest import Digest, DigestReader, cities_in_question, digest
from pbem.report.language.templates import languages, macros_of
from tests import play as maria
from tests.friedrich import random_play as friedrich

MOMENT = {"weekday": 1, "day": 1, "month": 12, "year": 2026, "time": "20:00", "zone": "UTC"}
ONLY_IN_FULL = (e.SupplyTraced, e.Stacked, e.Questioned, e.QuestionLifted, e.DeckShuffled)
"""Events by which nobody has anything more or less; of fortresses in question their holders are told."""
OF_CONTROL = (
    *(e.Conquered, e.TrainTaken, e.GeneralRemoved, e.GameEnded, e.RetreatImpossible),
    *(m.StatusChanged, m.PeaceAnswered, m.SilesiaCeded, m.PowerLeft, m.MarkersTaken, m.EmperorElected),
    *(f.PowerQuit, f.PlayerChanged, f.VictoryEased, f.OffensiveFailed, f.OffensiveDeclined, f.GarrisonMissing),
    *(f.GeneralRetired, f.Starved),
)
"""Events that everybody is told."""
UNPLACED = (e.GeneralRemoved, e.HussarRemoved, e.RetreatImpossible, f.GeneralRetired, f.Starved)
"""Events whose city matters no more."""
AS_THEY_STAND = (e.CardsDrawn, e.Marched)
"""Events told by the last line of the news, or by the reader's pieces and where they stand."""
UNNAMED = (e.BattleTied,)
"""Events whose sides stand in the news of the report before."""
MOST_STAGES = 4
"""Stages of one report."""
MOST_LINES, WIDTH = 30, 72
"""Room of the news in a body of sixty lines."""
LONG = os.environ.get("PBEM_TESTS") == "long"
SPANS = None if LONG else 20
"""Reports of one game; with the long profile all of them."""


def spans(game: Any, terms: Any, seed: int) -> Iterator[tuple[Any, list[Event]]]:
    """The table, and what happened between two reports, which may come in the middle of a battle."""
    chance = Random(seed)
    usual = sensible_policy(game.start(terms, seed)[0].rules.terms.game)

    def player(table: Any, decision: Any, by: Random) -> Any:
        return (plain.choose if seed % 2 or by.random() < 0.1 else usual)(table, decision, by)

    table, found = game.start(terms, seed)
    stages, due = 0, 1
    for power, answer in game.answers(table, game.chance_of(terms, seed), player):
        found += (events := game_of(table).apply(table, power, answer))
        stages += sum(isinstance(event, e.StageBegan) for event in events)
        if stages >= due or chance.random() < 0.1:
            yield table, found
            found, stages, due = [], 0, chance.randint(1, MOST_STAGES)
    yield table, found


@cache
def fields_of(kind: type[Event]) -> tuple[structs.FieldInfo, ...]:
    """The fields of a kind of event, found once."""
    return structs.fields(kind)


def touches(rules: GameRules, event: Event, powers: Collection[str]) -> bool:
    """True if an event is about these powers, their pieces or their hussars."""
    for field in fields_of(type(event)):
        value, kind = getattr(event, field.name), str(field.type)
        several = value if isinstance(value, tuple | dict) else () if value is None else (value,)
        if "Piece" in kind and any(rules.common.pieces[piece].power in powers for piece in several):
            return True
        if "Power" in kind and any(power in powers for power in several):
            return True
        if field.type == Hussar and rules.common.raiders in powers:
            return True
    return False


def named(rules: GameRules, event: Event, language: str) -> Iterator[str]:
    """Names without which an event has not been told: its generals, where it led, and its card."""
    common = blocks.common_in_words(rules.common, language)
    for field in fields_of(type(event)):
        value = getattr(event, field.name)
        several = value if isinstance(value, tuple) else () if value is None else (value,)
        if field.name == "path":
            yield blocks.city(common, value[-1])
        elif field.name in ("city", "cities", "defending_city") and not isinstance(event, UNPLACED):
            yield from blocks.cities(common, several)
        elif field.name in ("piece", "pieces", "attackers", "defenders", "losers", "general") and not isinstance(
            event, UNNAMED
        ):
            yield from (name for name in blocks.pieces(common, several) if " train " not in name)
        elif field.name == "card" and value is not None:
            yield blocks.card(value, reserve="R")


def lines(told: Digest) -> int:
    """Number of lines in a letter."""
    return sum(len(wrap("- " + line, WIDTH)) for line in (*told.mine, *told.others))


GAMES = [
    *((maria, terms) for terms in maria.EVERY),
    *((friedrich, terms) for terms in friedrich.EVERY),
]


@pytest.mark.parametrize("place", range(len(GAMES)))
def test_nothing_of_mine_is_left_out(place: int) -> None:
    game, terms = GAMES[place]
    tongues = languages()
    read = 0
    for seed in range(20) if LONG else (place % 2,):
        for number, (table, events) in enumerate(islice(spans(game, terms, place * 100 + seed), SPANS)):
            rules, language = table.rules, tongues[number % len(tongues)]
            for seat in (*rules.seats, ""):
                powers = powers_of_player(table, seat) if seat else ()
                seen = e.all_seen_by(events, powers)
                questioned = cities_in_question(rules.common, table.state.field, seen, powers)
                told = digest(rules, seen, DigestReader(powers, questioned), language)
                mine, whole = (re.sub(r"\s+", " ", " ".join(part)) for part in (told.mine, (*told.mine, *told.others)))
                # German declines him who is attacked.
                mine, whole = (
                    part.replace("Friedrich den Großen", "Friedrich der Große").replace("den Alten", "Der Alte")
                    for part in (mine, whole)
                )
                for event in seen:
                    if isinstance(event, ONLY_IN_FULL):
                        continue
                    mine_too = touches(rules, event, powers) and not isinstance(event, AS_THEY_STAND)
                    if mine_too or isinstance(event, OF_CONTROL):
                        missing = [name for name in named(rules, event, language) if name not in whole]
                        assert not missing, (event, missing, told)
                    if mine_too and isinstance(event, e.BattleJoined | e.SupplyLost | e.TrainTaken):
                        assert all(name in mine for name in named(rules, event, language)), (event, told)
                assert lines(told) <= MOST_LINES, (lines(told), told)
                common = blocks.common_in_words(rules.common, language)
                assert all(city in mine for city in blocks.cities(common, questioned)), (questioned, told)
                read += 1
    assert read >= 60


@pytest.mark.parametrize("language", languages())
def test_notes_begin_with_what_happened_and_name_the_turn_after_it(language: str) -> None:
    entries: Any = macros_of(language, "maria", "campaign_entries.txt.j2")
    when = {"stage": "3/france", "until": MOMENT, "is_on": False, "why": "", "forced": False}
    turn = turn_noun("3/france", language)
    for said in (
        entries.extension(when, {}, str),
        entries.absent_you(when, "", str),
        entries.absent(when, "louis", "", {}, str),
        entries.returned(when, "louis", {}, str),
        entries.returned_you(when),
        entries.forfeited(when, "louis", ["slot"], {}, str),
        entries.forfeited(when | {"forced": True}, "louis", ["slot"], {}, str),
    ):
        assert len("Durante il ") < " ".join(str(said).split()).index(" ".join(turn.split())), said
