"""The Cards of Fate as data: complete, and about powers, generals and cities that exist."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from pbem.engine.board import SUITS
from pbem.games.friedrich.paper.library import load_friedrich
from pbem.games.friedrich.rules.data import FriedrichRules, Terms
from pbem.games.friedrich.rules.fate_data import Effects, Instant, Lasting

BLANK = {"spades": {1, 2, 3}, "hearts": {6, 8, 9}, "diamonds": {10, 11, 12}, "clubs": {4, 5, 7}}
"""The versions that only tell a story."""


@pytest.fixture(scope="module")
def rules() -> FriedrichRules:
    return load_friedrich(Terms())


def effects(rules: FriedrichRules) -> Iterator[Effects]:
    """All effects of all versions."""
    for card in rules.fate.cards:
        for suit in SUITS:
            effect = rules.fate.version(card.number, suit).effect
            if effect is not None:
                yield effect


def test_eighteen_cards_of_which_six_are_strokes(rules: FriedrichRules) -> None:
    assert rules.fate.numbers() == list(range(1, 19))
    assert [stroke.number for stroke in rules.fate.strokes] == [13, 14, 15, 16, 17, 18]


@pytest.mark.parametrize("suit", SUITS)
def test_three_versions_of_every_suit_do_nothing(rules: FriedrichRules, suit: str) -> None:
    blank = {card.number for card in rules.fate.cards if rules.fate.version(card.number, suit).effect is None}
    assert blank == BLANK[suit]


def test_every_version_is_carried_out_at_once_or_holds_in_the_next_turn(rules: FriedrichRules) -> None:
    found = list(effects(rules))
    assert len(found) == 36
    assert all(isinstance(effect, Instant) != isinstance(effect, Lasting) for effect in found)


def test_names_are_those_of_the_game(rules: FriedrichRules) -> None:
    generals = {piece.name for piece in rules.common.pieces if piece.kind == "general"}
    for effect in effects(rules):
        fields = msgspec.to_builtins(effect)
        named = [fields.get(key) for key in ("general", "attacker", "first", "second") if key in fields]
        assert {*named, *fields.get("generals", ())} <= generals, effect
        powers = [fields.get(key) for key in ("power", "victim") if key in fields]
        assert {*powers, *fields.get("powers", ())} <= set(rules.game.powers), effect
        assert fields.get("city", "Halle") in rules.common.board.index, effect
        assert set(fields.get("lands", ())) <= set(rules.common.board.land), effect


def test_the_generals_of_an_effect_are_those_of_its_power(rules: FriedrichRules) -> None:
    owner = {piece.name: piece.power for piece in rules.common.pieces}
    for effect in effects(rules):
        fields = msgspec.to_builtins(effect)
        if fields["do"] not in ("rout", "sidestep"):  # who pushes or steps aside is the enemy
            names = [*fields.get("generals", ()), *([fields["general"]] if "general" in fields else [])]
            assert all(owner[name] == fields.get("power", owner[name]) for name in names), effect


def test_titles_tell_the_versions_apart(rules: FriedrichRules) -> None:
    titles = [rules.fate.version(card.number, suit).title for card in rules.fate.cards for suit in SUITS]
    assert len(set(titles)) == 48
    assert all(0 < len(title) <= 40 for title in titles)
