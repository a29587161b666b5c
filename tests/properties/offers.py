"""Everything that a decision offers is accepted, and everything that it leaves out refused."""

from __future__ import annotations

from itertools import combinations, islice
from random import Random

from pbem.bots import plain
from pbem.engine import march, ways
from pbem.engine.cards import is_reserve
from pbem.engine.combat import retreat_ground
from pbem.engine.decisions import (
    ChooseBattle,
    ChooseRetreat,
    Decision,
    Fight,
    March,
    Move,
    Pairing,
    Play,
    PlayCard,
    Reenter,
    Stop,
)
from pbem.engine.field import pieces_at
from pbem.engine.troops import check as check_retreat
from pbem.engine.troops import needs_commander
from pbem.games.maria.rules import game, movement
from pbem.games.maria.rules.decisions import HussarPlacement, PlaceHussars
from pbem.games.maria.rules.state import Table
from tests.properties.refusals import refusal
from tests.walks import walks


def check_offers(table: Table, chance: Random) -> None:
    """Everything that the open decisions offer is legal, the bot's choice too, and what they do not offer is not."""
    for decision in game.decisions(table):
        for _ in range(3):
            assert refusal(table, decision.power, plain.choose(table, decision, chance)) is None
        check_offer(table, decision, chance)
        check_not_offered(table, decision, chance)


def check_offer(table: Table, decision: Decision, chance: Random) -> None:
    """Everything that one decision offers is legal."""
    match decision:
        case March():
            for piece in chance.sample(decision.pieces, min(3, len(decision.pieces))):
                check_marches(table, decision, (piece,))
                check_marches(table, decision, stack_of(table, piece))
        case PlaceHussars(power, standing, cities):
            for city in cities:
                assert refusal(table, power, HussarPlacement((city, *standing[1:]))) is None
        case ChooseBattle(power, battles):
            for battle in battles:
                assert refusal(table, power, Fight(battle)) is None
        case PlayCard(power, _, _, cards, must):
            for card in cards:
                assert refusal(table, power, Play(card, 1 if is_reserve(card) else 0)) is None
            assert (refusal(table, power, Stop()) is not None) == must
        case ChooseRetreat(_, _, _, _, ends):
            assert table.state.retreat is not None
            way = retreat_ground(table.rules.common, table.state.field, table.state.retreat)
            paths = way.ends
            assert set(paths) == set(ends)
            for path in paths.values():
                check_retreat(way, ends, path)


def check_not_offered(table: Table, decision: Decision, chance: Random) -> None:
    """Check that answers which a decision does not offer are refused."""
    rules, field = table.rules.common, table.state.field
    match decision:
        case March(power, _, trains):
            for piece, now in enumerate(field.pieces):
                if now.city >= 0 and (piece in table.state.moved or rules.pieces[piece].power not in table.state.owing):
                    city = chance.choice(rules.board.near[now.city])
                    assert refusal(table, power, Move((piece,), (city,))) is not None
            hand = tuple(table.state.cards.hands[power])
            for _ in range(15):
                train, city = chance.randrange(len(field.pieces)), chance.choice(rules.board.fortresses)
                if city not in trains.get(train, ()):
                    assert refusal(table, power, Reenter(train, city, hand)) is not None
        case PlaceHussars(power, standing, cities):
            for city in chance.sample(range(len(rules.board.cities)), 10):
                if city not in (*cities, standing[0]):
                    assert refusal(table, power, HussarPlacement((city, *standing[1:]))) is not None
        case ChooseBattle(power, battles):
            for one, other in combinations(sorted({c for b in battles for c in (b.attacker, b.defender)}), 2):
                for pairing in (Pairing(one, other), Pairing(other, one)):
                    assert (refusal(table, power, Fight(pairing)) is None) == (pairing in battles)
        case PlayCard(power, _, _, cards, _):
            for card in chance.sample(range(320), 40):
                if card not in cards:
                    assert refusal(table, power, Play(card, 1)) is not None


def stack_of(table: Table, piece: int) -> tuple[int, ...]:
    """The piece, and its stack as far as it may march with it."""
    rules, state = table.rules, table.state
    player = rules.player_of(rules.common.pieces[piece].power)
    return tuple(
        mate
        for mate in pieces_at(state.field, state.field.pieces[piece].city)
        if mate not in state.moved
        and rules.common.pieces[mate].power in state.owing
        and rules.player_of(rules.common.pieces[mate].power) == player
    )


def check_marches(table: Table, decision: March, movers: tuple[int, ...]) -> None:
    """Every city in reach can be marched to, and every walk is accepted."""
    rules, field = table.rules.common, table.state.field
    column = march.Column(rules, field, movers)
    for city, path in march.destinations(column).items():
        commander = None
        if column.entry(city) is march.CityEntry.JOIN:
            stack = [*movers, *column.taken[city]]
            commander = stack[0] if needs_commander(rules, stack) else None
        movement.check_move(table, decision, Move(movers, path, commander))
    for path in islice(walks(column), 200):
        ways.check(column, path)
