"""FRIEDRICH told: the golden story, questions and positions, a voice for everything, and no secret let out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pbem.desk.practice import rules_of, terms_of
from pbem.engine import events as e
from pbem.engine.cards import card_of, is_reserve
from pbem.engine.decisions import Decision
from pbem.engine.field import alliances_with, alter
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.decisions import ChooseGeneral
from pbem.games.friedrich.rules.events import (
    CardGiven,
    CardOffered,
    CardReceived,
    CardReplaced,
    CardsReturned,
    FateDrawn,
    TroopGained,
    TroopLost,
    WonTogether,
)
from pbem.games.friedrich.rules.fate_data import Effects
from pbem.games.friedrich.rules.game import view
from pbem.games.friedrich.rules.state import InForce, Offensive, Table, VersionTask
from pbem.report import account as all_accounts
from pbem.report import telling
from pbem.report.account import Voice, account, chapters, passage
from pbem.report.language.templates import WIDTH, languages, macros_of, squeeze, template
from pbem.report.maps import scene
from pbem.report.telling import question, told_data, view_data
from tests.friedrich.random_play import EVERY, answers, chance_of, name_of, start, twin
from tests.friedrich.striving import strive
from tests.report.plain import has_macro, position_text

from .golden import check_golden
from .script_of_fate import DECISIONS, EVENTS, KEITH, PLACES, RULES, SEYDLITZ, cards, city

DOCUMENT = (Path(__file__).parents[2] / "docs" / "events.md").read_text(encoding="utf-8")
GAMES = [Terms("four", expert=True), Terms("three"), Terms("west"), Terms("austria")]
READERS = [("prussia", "hanover"), ("austria",), ()]


def own(kind: type[Any]) -> list[type[Any]]:
    """The types of events or decisions that only FRIEDRICH has."""
    return [each for each in kind.__subclasses__() if each.__module__.startswith("pbem.games.friedrich.rules.")]


KINDS = [*own(e.Event), *own(Decision)]


@pytest.mark.parametrize("language", languages())
def test_two_who_win_together_are_told_as_two_only(language: str) -> None:
    together = EVENTS[-2:]
    assert isinstance(together[0], WonTogether)
    (chapter,) = chapters(Voice(RULES, language), together)
    (alone,) = chapters(Voice(RULES, language), together[1:])
    words: Any = template(language, "friedrich", "words.txt.j2").module
    name = words.player("elisabeth").strip()
    assert "".join(passage.text for passage in chapter.passages).count(name) == 1
    assert name in alone.passages[0].text


@pytest.mark.parametrize("reader", READERS, ids=lambda powers: "-".join(powers))
def test_the_scripted_story(reader: tuple[str, ...]) -> None:
    told = account(RULES, e.all_seen_by(EVENTS, reader))
    check_golden(f"fate-{'-'.join(reader) or 'observer'}.txt", told)


def test_the_scripted_questions() -> None:
    asked = [question(RULES, decision, PLACES).replace("\u00a0", " ") for decision in DECISIONS]
    check_golden("questions-friedrich.txt", "\n".join(asked) + "\n")


def test_one_of_several_generals_is_chosen_in_italian() -> None:
    asked = [question(RULES, decision, PLACES, "it") for decision in DECISIONS if isinstance(decision, ChooseGeneral)]
    assert asked
    assert all(" o " in told and " e " not in told for told in asked), asked


def test_the_script_has_every_type() -> None:
    assert {type(event) for event in EVENTS} >= set(own(e.Event))
    assert {type(decision) for decision in DECISIONS} == set(own(Decision))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_type_has_its_macro(language: str, kind: type) -> None:
    templates = all_accounts.TEMPLATES if issubclass(kind, e.Event) else telling.TEMPLATES
    assert has_macro(language, "friedrich", templates, kind.__name__)


TURN_FROM_NOW = {
    "en": "Next turn",
    "de": "In der nächsten Runde",
    "es": "El próximo turno",
    "it": "Nel prossimo turno",
}
TURN_AFTER = {
    "en": "In the turn after this card",
    "de": "In der Runde nach dieser Karte",
    "es": "En el turno siguiente a esta carta",
    "it": "Nel turno dopo questa carta",
}


@pytest.mark.parametrize("language", languages())
def test_every_effect_of_a_card_of_fate_is_told(language: str) -> None:
    effects = [version.effect for card in RULES.fate.cards for version in msgspec.structs.astuple(card.versions)]
    told = [
        str(template(language, "friedrich", "fate.txt.j2").module.told(msgspec.to_builtins(effect))).strip()  # type: ignore[attr-defined]
        for effect in effects
    ]
    assert all(told)
    assert {type(effect) for effect in effects if effect} == set(Effects.__args__)
    # The position shows the card in the next turn, too.
    assert not any(TURN_FROM_NOW[language] in each for each in told)
    assert any(TURN_AFTER[language] in each for each in told)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_says_something_by_itself(event: e.Event) -> None:
    (chapter,) = chapters(Voice(RULES), [event], with_turns=True)
    assert chapter.title or chapter.passages


@pytest.mark.parametrize("told", [*EVENTS, *DECISIONS], ids=lambda told: type(told).__name__)
def test_the_document_lists_every_type_with_every_field(told: e.Event | Decision) -> None:
    data = told_data(RULES, told)
    assert json.loads(json.dumps(data)) == data
    kind = data.pop("type")
    row = next((line for line in DOCUMENT.splitlines() if line.startswith(f"| `{kind}` ")), "")
    assert [name for name in data if f"`{name}`" not in row] == []


def much_has_happened() -> Table:
    """A table of the expert game in the middle of the war, with everything that the clock can bring."""
    table, _ = start(Terms("four", expert=True), "golden")
    state = table.state
    for power in table.rules.powers:
        for general in table.rules.common.generals(power):
            alter(state.field, general, troops=2)
    state.turn, state.stage, state.phase, state.begun, state.owing = 12, "fate", "clock", True, []
    state.tasks = [VersionTask("austria", 1, 2)]
    state.cards.hands["austria"] = list(cards("♥5", "♠2"))
    state.field.markers = {city("Breslau"): "austria", city("Oels"): "austria", city("Prag"): "prussia"}
    state.field.questions = {city("Brieg"): "austria"}
    state.field.alliances = alliances_with(state.field.alliances, player={"imperial": "elisabeth"})
    alter(state.field, SEYDLITZ, city=-1, troops=0)
    fate = state.fate
    fate.out, fate.quit, fate.eased = [15, 16, 13], ["russia", "sweden"], ["austria", "imperial"]
    fate.deck = [number for number in fate.deck if number not in fate.out]
    fate.in_force = [InForce(11, 3, 12, used=True)]
    fate.winner, fate.drawn, fate.version = KEITH, 1, 2
    fate.offensive = Offensive(declared=True, card=cards("♠12")[0])
    for piece in (*table.rules.common.generals("russia"), *table.rules.common.generals("sweden")):
        alter(state.field, piece, city=-2, troops=0)
    return table


@pytest.mark.parametrize("reader", READERS, ids=lambda powers: "-".join(powers))
def test_a_position_in_words(reader: tuple[str, ...]) -> None:
    table = much_has_happened()
    check_golden(f"position-fate-{'-'.join(reader) or 'observer'}.txt", position_text(table.rules, view(table, reader)))


def test_the_picture_shows_what_is_conquered() -> None:
    shown = scene(view(much_has_happened(), ()))
    assert shown.control == {city("Breslau"): "austria", city("Oels"): "austria", city("Prag"): "prussia"}
    assert shown.questions == {city("Brieg"): "austria"}
    assert [(piece.power, piece.label) for piece in shown.absent] == [("prussia", "6")]
    assert (shown.hussars, shown.maps, shown.caption) == ((), (), "Turn 12 · Clock of Fate")


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_texts_of_whole_games_fit_and_data_is_json(terms: Terms) -> None:
    table, events = start(terms, 5)
    for count, (power, answer) in enumerate(answers(table, chance_of(terms, 5), strive)):
        if count % 61 == 0:
            for knowing in (table.rules.powers, (power,)):
                seen = view(table, knowing)
                data = view_data(table.rules, seen)
                assert json.loads(json.dumps(data)) == data
                assert too_long(position_text(table.rules, seen)) == []
        events += game.apply(table, power, answer)
    readers: list[tuple[str, ...]] = [(), *((power,) for power in table.rules.powers)]
    for reader in readers:
        assert too_long(account(table.rules, e.all_seen_by(events, reader))) == []
    assert "won" in position_text(table.rules, view(table, ()))


def too_long(text: str) -> list[str]:
    """Lines that mail programs would break, or that end in blanks."""
    return [line for line in text.splitlines() if len(line) > WIDTH or line != line.rstrip()]


def other_cards(held: Sequence[int]) -> tuple[int, ...]:
    """As many cards, all of them others."""
    return tuple(card_of(0, 5, 0) if is_reserve(card) else card ^ 1 << 6 for card in held)


def otherwise(event: e.Event, reader: str) -> e.Event:
    """The event with everything different that the reader must not know."""
    if getattr(event, "power", None) == reader:
        return event
    match event:
        case e.CardsDrawn() | CardsReturned() if event.cards:
            return replace(event, cards=other_cards(event.cards))
        case CardOffered() | CardGiven() | CardReceived() | CardReplaced() if event.card is not None:
            return replace(event, card=other_cards([event.card])[0])
        case TroopGained() | TroopLost() if event.general is not None:
            return replace(event, general=event.general + 1)
        case e.TroopsAllotted() | e.TroopsMoved() if event.troops:
            return replace(event, troops={general: count + 3 for general, count in event.troops.items()})
        case e.Recruited() if event.allotment:
            return replace(event, allotment={general: count + 3 for general, count in event.allotment.items()})
    return event


@pytest.mark.parametrize("reader", ["prussia", "russia", "austria", "france", "nobody"])
def test_accounts_keep_the_secrets_of_others(reader: str) -> None:
    twins = [otherwise(event, reader) for event in EVENTS]
    assert twins != EVENTS
    assert account(RULES, twins) != account(RULES, EVENTS)
    one, other = (e.all_seen_by(each, (reader,)) for each in (EVENTS, twins))
    assert account(RULES, one) == account(RULES, other)
    assert [told_data(RULES, event) for event in one] == [told_data(RULES, event) for event in other]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_what_is_emptied_stays_so_in_data(event: e.Event) -> None:
    hidden = e.seen_by(event, ())
    if hidden is not None and event.secrets:
        assert all(told_data(RULES, hidden)[name] is None for name in event.secrets)


def others_otherwise(table: Table, reader: str) -> Table:
    """The position with everything else that the reader must not know, where totals and numbers are the same."""
    other = twin(table)
    rules, state = other.rules.common, other.state
    for power in other.rules.powers:
        generals = [general for general in rules.generals(power) if state.field.pieces[general].city >= 0]
        if power != reader and generals:
            troops = [state.field.pieces[general].troops for general in generals]
            for general, count in zip(generals, [*troops[1:], *troops[:1]], strict=True):
                alter(state.field, general, troops=count)
    pools = [*(hand for power, hand in state.cards.hands.items() if power != reader), state.cards.draw]
    cards_of_others = [card for pool in pools for card in pool]
    for pool in pools:
        pool[:] = [cards_of_others.pop() for _ in pool]
    state.fate.deck = state.fate.deck[::-1]
    return other


@pytest.mark.parametrize("terms", GAMES, ids=name_of)
@pytest.mark.parametrize("steps", [12, 90, 260])
def test_positions_keep_the_secrets_of_others(terms: Terms, steps: int) -> None:
    table, _ = start(terms, 4)
    for count, (power, answer) in enumerate(answers(table, chance_of(terms, 4), strive)):
        if count == steps:
            break
        game.apply(table, power, answer)
    for reader in table.rules.powers:
        other = others_otherwise(table, reader)
        assert other.state.cards.hands != table.state.cards.hands or steps < 20
        seen, seen_other = view(table, (reader,)), view(other, (reader,))
        assert position_text(table.rules, seen) == position_text(other.rules, seen_other)
        assert view_data(table.rules, seen) == view_data(other.rules, seen_other)


TROOPS_AND_TRAINS = {
    "en": ("troops", "trains", "at least the total cost"),
    "de": ("Truppen", "Trosse", "zusammen mindestens den Preis"),
    "es": ("tropas", "trenes", "al menos el coste total"),
    "it": ("truppe", "treni", "almeno il costo totale"),
}


@pytest.mark.parametrize("language", languages())
def test_recruits_name_trains_only_if_one_is_off_the_map_and_the_least_price(language: str) -> None:
    troops, trains, price = TROOPS_AND_TRAINS[language]
    words = macros_of(language, "friedrich", "decisions.txt.j2")
    asked = {"power": "russia", "price": 6, "room": {}, "one_city": False, "early": False, "short": False}
    for entry, most, kinds in (
        ("Apraxin", 4, {troops}),
        ("russia train 1", 4, {troops, trains}),
        ("russia train 1", 0, {trains}),
    ):
        told = squeeze(str(words.Levy(asked | {"most": most, "entries": {entry: ("Sierpc",)}})))
        first = told.partition(". ")[0]
        assert {kind for kind in (troops, trains) if kind in first} == kinds, told
        assert price in first


INCOMES = {
    "en": "Cards a turn after one such stroke and after two: Prussia 5 and 4.",
    "de": "Karten je Runde nach einem solchen Schlag und nach zweien: Preußen 5 und 4.",
    "es": "Cartas por turno tras un golpe así y tras dos: Prusia 5 y 4.",
    "it": "Carte per turno dopo un colpo simile e dopo due: Prussia 5 e 4.",
}


@pytest.mark.parametrize("language", INCOMES)
def test_a_stroke_that_changes_incomes_says_how_many_cards_a_turn_then_brings(language: str) -> None:
    voice = Voice(rules_of(terms_of("friedrich", "")), language)
    assert passage(voice, [FateDrawn(14, None)]).text.endswith(INCOMES[language])
    assert INCOMES[language][:20] not in passage(voice, [FateDrawn(15, None)]).text


SECOND = {
    "en": "Cards a turn after one such stroke and after two: Hanover 2 and 1; Austria 4 and 4; France 3. "
    "After two, France and Cumberland leave the game for good.",
    "de": "Karten je Runde nach einem solchen Schlag und nach zweien: Hannover 2 und 1; Österreich 4 und 4; "
    "Frankreich 3. Nach zweien scheiden Frankreich und Cumberland für immer aus dem Spiel aus.",
    "es": "Cartas por turno tras un golpe así y tras dos: Hannover 2 y 1; Austria 4 y 4; Francia 3. "
    "Tras dos, Francia y Cumberland abandonan la partida para siempre.",
    "it": "Carte per turno dopo un colpo simile e dopo due: Hannover 2 e 1; Austria 4 e 4; Francia 3. "
    "Dopo due, la Francia e Cumberland lasciano la partita per sempre.",
}


@pytest.mark.parametrize("language", SECOND)
def test_a_stroke_after_whose_second_a_power_leaves_says_so(language: str) -> None:
    voice = Voice(rules_of(terms_of("friedrich", "")), language)
    assert passage(voice, [FateDrawn(17, None)]).text.endswith(SECOND[language])
