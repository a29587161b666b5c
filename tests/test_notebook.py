"""Notebook of a seat: all that it says for sure is true, and nothing in it depends on what others hide."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.bots.imagining import imagine_world
from pbem.engine.cards import deck_cards, deck_of
from pbem.engine.table import Table, deep_copy
from pbem.kit import copy_of
from pbem.player.notebook import Counted, ReadReport, SeatNotebook, counted, facts_of, notebook_of, read_report
from pbem.report.letters.report import MOST_EVENTS
from tests.notebooks import Reporter, is_asked, played, reporter
from tests.twins import with_other_secrets

GAMES = [
    ({"game": "maria", "scenario": "introductory"}, "louis"),
    ({"game": "maria", "scenario": "advanced"}, "maria-theresa"),
    ({"game": "maria", "scenario": "advanced", "bluffing": "yes"}, "frederick"),
    ({"game": "maria", "scenario": "silesia-gambit"}, "frederick"),
    ({"game": "friedrich", "scenario": "four", "expert": "yes"}, "frederick"),
    ({"game": "friedrich", "scenario": "three"}, "elisabeth"),
]
NAMES = ["introductory", "advanced", "bluffing", "gambit", "friedrich", "three"]


def hold_against(found: Counted, told: SeatNotebook, table: Any) -> None:
    """Compare what is said for sure with the truth."""
    cards, rules = table.state.cards, table.rules.common
    piles = {card for pile in cards.discards for card in pile}
    assert found.aside <= piles
    for deck in told.decks:
        assert deck.in_use == (deck.deck not in cards.unused)
        assert {each.card for each in deck.seen} <= piles
        assert deck.aside == len(cards.discards[deck.deck])
        assert {card for card in cards.draw if deck_of(card) == deck.deck} <= {*deck.hidden}
        assert {*deck.hidden} | {each.card for each in deck.seen} <= {*deck_cards(rules.decks, deck.deck)}
    for power in told.powers:
        assert power.hand == len(cards.hands[power.power])
        affairs = getattr(table.state, "affairs", None)
        covered = affairs.covered.get(power.power, []) if affairs else []
        assert {*power.known} <= {*cards.hands[power.power], *covered}, power
        assert {*power.spent} <= piles
        if power.is_own:
            assert list(power.known) == sorted(cards.hands[power.power])
    assert told.draw.cards == len(cards.draw)
    assert {deck_of(card) for card in cards.draw} <= {*told.draw.decks} or not told.draw.shuffle
    if told.draw.shuffle:
        assert told.draw.shuffled == told.draw.cards + sum(told.draw.taken.values()) + told.draw.turned
    assert told.draw.least <= len({*told.draw.fresh} & {*cards.draw})
    pieces = table.state.field.pieces
    for each in told.strengths:
        troops = [pieces[general].troops for general in each.generals]
        if each.sure:
            assert sum(troops) == each.troops, each
            assert each.least <= min(troops) <= max(troops) <= each.most


def befores(told: SeatNotebook) -> set[int]:
    """The entries of the reports before which something is missing."""
    return {gap.before for gap in told.gaps}


def notebook_after(reports: list[ReadReport]) -> tuple[Counted, SeatNotebook]:
    """The notebook that these reports make."""
    found = counted(reports)
    return found, notebook_of(found)


@pytest.mark.parametrize(("terms", "seat"), GAMES, ids=NAMES)
@pytest.mark.parametrize("level", ["sensible", "random"])
def test_all_that_is_said_for_sure_is_true(terms: dict[str, str], seat: str, level: str) -> None:
    who = reporter(terms, seat, f"truth {level}")
    chance, reports, at_most, known = Random(5), [who.post()], 0, 0
    for table in played(who, level, "truth", 700):
        if len(who.events) < 40 and (not is_asked(who) or chance.random() < 0.5):
            continue
        reports.append(who.post())
        if chance.random() < 0.2:
            found, told = notebook_after(reports)
            hold_against(found, told, table)
            assert all(len(report.events) == MOST_EVENTS for report in reports if report.entry in befores(told))
            at_most = max(at_most, sum(len(deck.seen) for deck in told.decks))
            known += sum(each.sure for each in told.strengths)
    assert at_most > 10
    assert known


@pytest.mark.parametrize(("terms", "seat"), GAMES, ids=NAMES)
def test_it_is_true_with_reports_missing_and_with_long_ones(terms: dict[str, str], seat: str) -> None:
    who = reporter(terms, seat, "gaps")
    chance, reports, gaps, seen = Random(9), [], 0, 0
    for number, table in enumerate(played(who, "random", "gaps", 900)):
        if number % 40 and not (is_asked(who) and chance.random() < 0.3):
            continue
        report = who.post()
        if chance.random() < 0.7:
            reports.append(report)
            if chance.random() < 0.3:
                found, told = notebook_after(reports)
                hold_against(found, told, table)
                gaps, seen = len(told.gaps), max(seen, len(found.aside))
    assert gaps
    assert seen


def test_reports_of_earlier_versions_are_counted_as_far_as_they_reach() -> None:
    who = reporter({"game": "maria", "scenario": "advanced"}, "louis", "old")
    reports, seen = [], 0
    for number, table in enumerate(played(who, "sensible", "old", 500)):
        if not number % 12:
            guide = replace(who.guide(), since=None, remembered={})
            who.post()
            reports.append(read_report(guide, "old.yaml"))
            found, told = notebook_after(reports)
            hold_against(found, told, table)
            seen = max(seen, len(found.aside))
    assert seen > 10
    assert told.gaps


def test_what_was_turned_back_has_never_happened() -> None:
    who = reporter({"game": "maria"}, "louis", "back")
    reports: list[ReadReport] = []
    for number, _ in enumerate(played(who, "sensible", "back", 150)):
        if number == 80:
            earlier = deep_copy(who.memory), copy_of(who.table)
        if not number % 10:
            reports.append(who.post())
    before, _ = notebook_after(reports)
    memory, table = earlier
    other = Reporter(table, memory, "louis", deep_copy(memory.on_map), [], who.entry + 1, who.since, who.entry + 1)
    for _ in played(other, "random", "other", 30):
        pass
    reports.append(other.post())
    found, told = notebook_after(reports)
    hold_against(found, told, table)
    assert told.gaps[-1].after == before.newest.entry
    assert not before.aside <= {card for pile in table.state.cards.discards for card in pile}


@pytest.mark.parametrize(("terms", "seat"), GAMES, ids=NAMES)
def test_what_others_hide_makes_no_difference(terms: dict[str, str], seat: str) -> None:
    who = reporter(terms, seat, "twins")
    chance, reports = Random(3), [who.post()]
    for number, table in enumerate(played(who, "sensible", "twins", 300)):
        if number % 15:
            continue
        twin = deep_copy_with(who, with_other_secrets(table, reports[-1].guide.powers, chance))
        if twin.guide().powers == reports[-1].guide.powers:
            assert notebook_of(counted([*reports, twin.post()])) == notebook_of(counted([*reports, deep(who).post()]))
        reports.append(who.post())


def deep(who: Reporter) -> Reporter:
    """The same moderator once more."""
    return replace(who, events=[*who.events], on_map=deep_copy(who.on_map))


def deep_copy_with(who: Reporter, table: Table) -> Reporter:
    """The same moderator at another table."""
    return replace(deep(who), table=table)


def test_a_report_that_was_written_anew_counts_once() -> None:
    who = reporter({"game": "maria"}, "louis", "anew")
    reports = [who.post()]
    for number, _ in enumerate(played(who, "sensible", "anew", 160)):
        if not number % 4:
            reports.append(read_report(who.guide(), "again.yaml"))
        if not number % 8:
            reports.append(who.post())
    reports.append(who.post())
    told, again = (
        notebook_of(counted(reports)),
        notebook_of(counted([each for each in reports if each.source != "again.yaml"])),
    )
    for name in told.__struct_fields__:
        assert getattr(told, name) == getattr(again, name), name
    assert told.battles


@pytest.mark.parametrize(("terms", "seat"), GAMES, ids=NAMES)
def test_what_is_sure_is_so_in_every_imagined_world_and_all_else_differs(terms: dict[str, str], seat: str) -> None:
    who = reporter(terms, seat, "worlds")
    reports, sure, piles = [who.post()], 0, set()
    for number, _ in enumerate(played(who, "sensible", "worlds", 500)):
        if number % 12:
            continue
        reports.append(who.post())
        if number % 60:
            continue
        found = counted(reports)
        facts, before = facts_of(found), found.newest.table.state.cards
        for seed in ("one", "two"):
            cards = imagine_world(found.newest.table, found.newest.guide.powers, seed, facts).state.cards
            lying = {card for pile in cards.discards for card in pile}
            assert facts.aside <= lying
            assert all(deck_of(card) == deck for deck, pile in enumerate(cards.discards) for card in pile)
            assert [*map(len, cards.discards)] == [*map(len, before.discards)]
            assert {power: len(hand) for power, hand in cards.hands.items()} == {
                p: len(h) for p, h in before.hands.items()
            }
            assert len(cards.draw) == len(before.draw)
            assert all(cards.hands[power] == before.hands[power] for power in found.newest.guide.powers)
            assert {deck_of(card) for card in cards.draw} <= {*facts.shuffled} or not facts.shuffled
            dealt = [*cards.draw, *lying, *chain(*cards.hands.values())]
            assert len({*dealt}) == len(dealt)
            assert all(card in cards.hands[power] for card, power in facts.held.items() if card not in lying)
            sure += len(facts.aside) + len(facts.held)
            alone = facts_of(counted(reports[-1:]))
            unseen = imagine_world(found.newest.table, found.newest.guide.powers, seed, alone).state.cards.discards
            piles.add(tuple(chain(*unseen)))
    assert sure
    assert len(piles) > 1
