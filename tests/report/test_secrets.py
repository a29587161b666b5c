"""No secret leaves the house: whoever may not know it reads the very same text if it is something else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from pbem.engine import events as e
from pbem.engine.cards import card_of, is_reserve
from pbem.engine.field import alter
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.events import CardsRegained, InfluencePlaced, TroopsGranted
from pbem.games.maria.rules.game import view
from pbem.games.maria.rules.state import Table
from pbem.report.account import account
from pbem.report.telling import told_data, view_data
from tests.play import play, position, twin
from tests.raider import raid
from tests.report.plain import position_text

from .script import EVENTS as ORDINARY_EVENTS
from .script import RULES
from .script_of_affairs import AFFAIRS

EVENTS = [*ORDINARY_EVENTS, *AFFAIRS]
POWERS = ("france", "bavaria", "prussia", "saxony", "austria", "pragmatic")
GAMES = [Terms(), Terms(scenario="advanced", bluffing=True), Terms(scenario="silesia-gambit")]


def other_cards(cards: Sequence[int]) -> tuple[int, ...]:
    """As many cards, all of them others."""
    return tuple(card_of(0, 5, 0) if is_reserve(card) else card ^ 1 << 6 for card in cards)


def otherwise(event: e.Event, reader: str) -> e.Event:
    """The event with everything different that the reader must not know: hands and troops of other powers."""
    match event:
        case e.CardsDrawn() | CardsRegained() if event.power != reader and event.cards:
            return replace(event, cards=other_cards(event.cards))
        case InfluencePlaced() if event.power != reader and event.card is not None:
            return replace(event, card=other_cards([event.card])[0])
        case e.TroopsAllotted() | e.TroopsMoved() if event.power != reader and event.troops:
            return replace(event, troops={general: count + 3 for general, count in event.troops.items()})
        case e.Recruited() | TroopsGranted() if event.power != reader and event.allotment:
            return replace(event, allotment={general: count + 3 for general, count in event.allotment.items()})
    return event


def others_otherwise(table: Table, reader: str) -> Table:
    """The position with everything else that the reader must not know, where totals and numbers are the same."""
    other = twin(table)
    rules, state = other.rules.common, other.state
    for power in other.rules.powers:
        if power == reader:
            continue
        generals = [general for general in rules.generals(power) if state.field.pieces[general].city >= 0]
        troops = [state.field.pieces[general].troops for general in generals]
        for general, count in zip(generals, [*troops[1:], *troops[:1]], strict=True):
            alter(state.field, general, troops=count)
    pools = hidden_cards(other, reader)
    cards = [card for pool in pools for card in pool]
    for pool in pools:
        pool[:] = [cards.pop() for _ in pool]
    affairs_otherwise(other)
    return other


def hidden_cards(table: Table, reader: str) -> list[list[int]]:
    """Hands and covered cards of others, what was laid aside unseen, and the draw deck."""
    state = table.state
    held = [state.cards.hands, state.affairs.covered if state.affairs else {}]
    pools = [cards for owned in held for power, cards in owned.items() if power != reader]
    laid_aside = list(state.gambit.laid_aside.values()) if state.gambit else []
    return [*pools, *laid_aside, state.cards.draw]


def affairs_otherwise(table: Table) -> None:
    """Other winter scores, and political cards of each year in another order."""
    affairs = table.state.affairs
    if affairs is None:
        return
    if table.state.phase != "over":
        affairs.scores = [{power: count + 1 for power, count in scores.items()} for scores in affairs.scores]
    years = {card.number: card.year for card in table.rules.politics.cards}
    affairs.deck = sorted(affairs.deck, key=lambda number: (-years[number], number))


@pytest.mark.parametrize("reader", POWERS)
@pytest.mark.parametrize("terms", GAMES, ids=lambda terms: terms.scenario)
def test_accounts_and_data_keep_the_secrets_of_others(terms: Terms, reader: str) -> None:
    _, events = play(terms, 4, raid)
    events = [*events, *EVENTS]
    twins = [otherwise(event, reader) for event in events]
    assert twins != events
    one, other = (e.all_seen_by(each, (reader,)) for each in (events, twins))
    assert account(RULES, one) == account(RULES, other)
    assert [told_data(RULES, event) for event in one] == [told_data(RULES, event) for event in other]


def test_the_twin_would_betray_what_is_not_kept() -> None:
    twins = [otherwise(event, "austria") for event in EVENTS]
    assert account(RULES, twins) != account(RULES, EVENTS)


@pytest.mark.parametrize("reader", POWERS)
@pytest.mark.parametrize("terms", GAMES, ids=lambda terms: terms.scenario)
@pytest.mark.parametrize("steps", [12, 60, 130, 260])
def test_positions_keep_the_secrets_of_others(terms: Terms, reader: str, steps: int) -> None:
    table = position(terms, 4, steps)
    other = others_otherwise(table, reader)
    assert other.state.cards.hands != table.state.cards.hands
    seen, seen_other = view(table, (reader,)), view(other, (reader,))
    assert position_text(table.rules, seen) == position_text(other.rules, seen_other)
    assert view_data(table.rules, seen) == view_data(other.rules, seen_other)


def test_one_knows_ones_own() -> None:
    told = account(RULES, e.all_seen_by(EVENTS, ("prussia",)))
    for secret in ("♥10", "Schwerin 7", "Erbprinz Leopold 2"):
        assert secret in told
        assert secret not in account(RULES, e.all_seen_by(EVENTS, ("austria",)))
