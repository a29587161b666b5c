"""Words of the desk at a table with bots: none of orders as files have them, all in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from pbem.bots.table import bot_named
from pbem.desk.bridge import Bridge
from pbem.desk.page import words
from pbem.desk.practice import rules_of, terms_of
from pbem.engine.cards import SeededDealer
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.decisions import ChooseTrump, PlaceHussars, SelectPolitics
from pbem.games.maria.rules.state import affairs_of
from pbem.kit import game_named
from pbem.paper.orders.files import form_of
from pbem.paper.orders.forms import Form
from pbem.report import blocks
from pbem.report.telling import game_report, question
from tests.desk.test_desk import ask

CARD = re.compile(r"(?:[♣♦♥♠]|R)[0-9]*(?:/[0-9]+b?)?|-?[0-9]+")


def words_of(tree: Any) -> Iterator[str]:
    """Names of parts, and all that can be chosen, in the form of a question."""
    match tree:
        case {"write": written}:
            yield from leaves(written)
        case {"kind": "record", "parts": named} | {"kind": "numbers", "of": named}:
            yield from named
            yield from words_of([*named.values()])
        case dict():
            yield from words_of([*tree.values()])
        case list() | tuple():
            for each in tree:
                yield from words_of(each)


def leaves(written: Any) -> Iterator[str]:
    match written:
        case dict():
            for key, value in written.items():
                yield key
                yield from leaves(value)
        case list() | tuple():
            for each in written:
                yield from leaves(each)
        case _:
            yield from re.split(r" > | \+ ", str(written))


def forms_met(game: str, scenario: str, most: int) -> Iterator[Form]:
    """Forms of the first questions of a game played at random."""
    rules = rules_of(terms_of(game, scenario))
    played, chance, bot = game_named(game), Random(1), bot_named("random", game)
    table, _ = played.start(rules, SeededDealer("r1"))
    for _ in range(most):
        decision = played.decisions(table)[0]
        yield form_of(table, decision)
        played.apply(table, decision.power, bot(table, decision, chance))


@pytest.mark.parametrize(("game", "scenario"), [("maria", "advanced"), ("friedrich", "four")])
def test_whatever_can_be_chosen_has_a_word_in_every_language(game: str, scenario: str) -> None:
    rules = rules_of(terms_of(game, scenario))
    common = rules.common
    named = {*rules.powers, *(each.name for each in common.pieces)}
    named |= {blocks.city(common, city.index) for city in common.board.cities}
    met = {word for form in forms_met(game, scenario, 160) for word in words_of(msgspec.to_builtins(form))}
    found = {word for word in met - named if not CARD.fullmatch(word)}
    assert len(found) > 3
    for language, known in words().items():
        assert [word for word in sorted(found) if f"order-{word}" not in known] == [], language


def test_no_question_names_a_word_of_order_files() -> None:
    """Questions of games played at random, in every language."""
    rules = rules_of(terms_of("maria", "advanced"))
    played, chance, bot = game_named("maria"), Random(1), bot_named("random", "maria")
    table, _ = played.start(rules, SeededDealer("r1"))
    kinds = set()
    for _ in range(160):
        decision = played.decisions(table)[0]
        if type(decision) not in kinds:
            kinds.add(type(decision))
            for language in words():
                told = question(rules, decision, {}, language)
                assert "`" not in str(told), told
        played.apply(table, decision.power, bot(table, decision, chance))
    assert PlaceHussars in kinds


BOTH = re.compile(r"{([^{}|]*)[|]([^{}|]*)}")


def test_where_fingers_tap_no_word_speaks_of_clicks() -> None:
    """Wordings with one word for a mouse and another one for a finger."""
    spoken = words()
    keys = {language: {key for key, text in known.items() if BOTH.search(text)} for language, known in spoken.items()}
    assert len(keys["en"]) > 7
    assert all(keys[language] == keys["en"] for language in spoken)
    for language, known in spoken.items():
        for key, text in known.items():
            assert not re.search("[Cc]lick|Klick|[Cc]lic", BOTH.sub(r"\2", text)), (language, key)


@pytest.mark.parametrize(
    ("language", "train", "scenario"), [("en", "Prussia's train\xa01", "The "), ("de", "Tross\xa01 Preußens", "Das ")]
)
def test_trains_and_scenarios_are_called_as_the_reader_calls_them(language: str, train: str, scenario: str) -> None:
    bridge = Bridge(language)
    assert ask(bridge, "play_now", "maria")["sitting"]["called"]["prussia train 1"] == train
    assert all(
        title.startswith((scenario, "“", "„"))
        for titles in ask(bridge, "scenarios").values()
        for title in titles.values()
    )
    assert ask(bridge, "kept")["title"].startswith(f"MARIA, {scenario}")


def paths_of(given: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Paths of all options in an input, as `GameReport.option_words` names them; a record begins with its card."""
    match given:
        case {"kind": "record", "parts": parts}:
            begin = path or tuple(option["write"] for option in parts["card"]["input"]["options"])
            for key, part in parts.items():
                yield from paths_of(part["input"], (*begin, key))
        case {"kind": "either", "ways": ways}:
            for way in ways:
                yield from paths_of(way, path)
        case {"options": options}:
            yield from ("/".join((*path, option["write"])) for option in options)


@pytest.mark.parametrize("language", sorted(words()))
def test_every_part_of_a_political_card_has_words(language: str) -> None:
    rules = rules_of(terms_of("maria", "advanced"))
    assert isinstance(rules, MariaRules)
    table, _ = game_named("maria").start(rules, SeededDealer("r1"))
    for card in rules.politics.cards:
        decision = SelectPolitics("france", (card.number,), True)
        said = game_report("maria").option_words(table, decision, language)
        paths = {*paths_of(msgspec.to_builtins(form_of(table, decision).input))}
        assert paths - {"conserve", f"{card.number}/instruction/yes"} <= said.keys()
        assert all(said.values())


def test_the_words_of_a_shift_tell_the_box_to_which_all_announced_shifts_lead() -> None:
    rules = rules_of(terms_of("maria", "advanced"))
    assert isinstance(rules, MariaRules)
    table, _ = game_named("maria").start(rules, SeededDealer("r1"))
    naples = next(card for card in rules.politics.cards if any(each.track == "italy" for each in card.shifts))
    (steps,) = (each.steps for each in naples.shifts if each.track == "italy")
    key, decision = f"{naples.number}/shifts/italy/{steps}", SelectPolitics("france", (naples.number,), True)
    start = affairs_of(table).tracks["italy"] + 1

    def told() -> str:
        return " ".join(game_report("maria").option_words(table, decision, "en")[key].split())

    assert f"box {start + steps} " in f"{told()} "
    affairs_of(table).shifts = {"italy": -steps}
    assert f"box {start} " in f"{told()} "
    affairs_of(table).shifts = {"italy": 9 * steps}
    last = len(rules.politics.tracks["italy"].boxes) if steps > 0 else 1
    assert f"box {last} " in f"{told()} "


GOOD = {
    "en": ("good for Prussia", "to box 2 (no longer: Prussia's expedition; good"),
    "de": ("gut für Preußen", "auf Feld 2 (nicht mehr: ein General Preußens im Außenfeld; gut"),
    "es": ("ventaja para Prusia", "casilla 2 (ya no: cuerpo expedicionario de Prusia; ventaja"),
    "it": ("vantaggio per la Prussia", "casella 2 (non più: corpo di spedizione della Prussia; vantaggio"),
}


@pytest.mark.parametrize(("language", "good", "ending"), [(each, *GOOD[each]) for each in GOOD])
def test_the_tracks_tell_what_each_box_does_and_where_the_open_cards_lead(
    language: str, good: str, ending: str
) -> None:
    rules = rules_of(terms_of("maria", "advanced"))
    assert isinstance(rules, MariaRules)
    table, _ = game_named("maria").start(rules, SeededDealer("r1"))
    card = next(each for each in rules.politics.cards if [s.track for s in each.shifts if s.steps == -1] == ["russia"])
    affairs_of(table).open = [card.number]
    named, report = blocks.table_in_words(table, language), game_report("maria")
    display = report.display(named, language, {"prussia": "P"})
    assert [len(track.boxes) for track in display.tracks] == [5, 5, 5]
    # Prussia's general comes back if the marker leaves the box of its expedition.
    russia = next(track for track in display.tracks if track.moves)
    assert [(move.card, move.box) for move in russia.moves] == [(card.number, russia.at - 1)]
    assert good in russia.moves[0].says
    assert ending in russia.moves[0].says.replace("\xa0", " "), "an expedition that ends is an effect"
    (here,) = russia.boxes[russia.at - 1].effects
    assert here.good is False
    assert here.short.startswith("P ")
    assert russia.boxes[0].effects[0].good is True
    # So tell the card itself, and the sentence on it; no side of the picture stands in for that.
    (printed,) = report.printed(named, ChooseTrump("prussia"), language)
    assert printed.lines[-1].endswith(good)
    assert good in printed.told
    assert "←" not in printed.told
    assert display.legend
    without, _ = game_named("maria").start(rules_of(terms_of("maria", "introductory")), SeededDealer("r1"))
    assert not report.display(without, language, {}).tracks
