"""A second book-keeper: it hears only events, and must always agree with the position.

A change without an event, and an event without its change, show as a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pbem.engine import events as e
from pbem.engine.cards import RESERVE, suit_of
from pbem.engine.decisions import Answer
from pbem.engine.field import ASIDE, OFF
from pbem.games.maria.rules import game
from pbem.games.maria.rules.events import (
    CardsRegained,
    CorpsReturned,
    CorpsSent,
    InfluencePlaced,
    InfluenceReturned,
    InfluenceShown,
    MarkersTaken,
    PowerLeft,
    Relocated,
    TollPaid,
    TroopsGranted,
)
from pbem.games.maria.rules.invariants import problems
from pbem.games.maria.rules.state import ArriveTask, Table
from tests.play import twin
from tests.properties import referee


def carry_out(table: Table, power: str, answer: Answer) -> list[e.Event]:
    """Apply an answer, and fail unless the events account for all that changed and the position is sound."""
    chronicle, before = Chronicle(table), twin(table).state
    events = game.apply(table, power, answer)
    referee.check(before, events, table)
    chronicle.tell(events)
    chronicle.compare(table)
    assert problems(table) == []
    return events


class Chronicle:
    """Places of pieces, sizes of hands and troops of powers, by events alone."""

    def __init__(self, table: Table) -> None:
        """Copy the position before anything happens."""
        field, cards = table.state.field, table.state.cards
        self.rules = table.rules.common
        self.city = [piece.city for piece in field.pieces]
        self.down = [piece.down for piece in field.pieces]
        self.troops = [piece.troops for piece in field.pieces]
        self.hussars = list(field.hussars)
        self.markers = dict(field.markers)
        self.questions = dict(field.questions)
        self.hands = {power: Counter(hand) for power, hand in cards.hands.items()}
        self.totals = totals(table)
        self.moved = set(table.state.moved)
        self.selecting = table.state.phase in ("placing", "selecting")
        self.bluffing = table.rules.terms.bluffing
        self.marching: e.Marched | None = None
        self.hungry: list[e.SupplyLost] = []

    def tell(self, events: Sequence[e.Event]) -> None:
        """Hear what happened, in order."""
        for event in events:
            if self.hungry and not (isinstance(event, e.SupplyLost) and self.together(event, self.hungry[0])):
                self.count_hunger()
            if not isinstance(event, e.Conquered | e.Questioned | e.HussarRemoved | e.TrainTaken):
                self.marching = None
            self.hear(event)
        self.count_hunger()

    def hear(self, event: e.Event) -> None:
        """Hear one event."""
        match event:
            case e.StageBegan():
                self.moved = set()
            case e.TroopsAllotted(power, troops) if troops is not None:
                self.totals[power] += sum(troops.values())
            case e.TroopsMoved(power, troops) if troops is not None:
                assert sum(troops.values()) == sum(self.troops[general] for general in troops)
                assert all(self.rules.pieces[general].power == power for general in troops)
            case e.HussarPlaced(hussar, city):
                self.hussars[hussar] = city
            case e.HussarRemoved(hussar, city):
                assert self.hussars[hussar] == city
                self.hussars[hussar] = OFF
            case e.CardsDrawn(power, count, cards) if cards is not None:
                assert count == len(cards)
                self.hands[power] += Counter(cards)
            case TollPaid(power, cards, _):
                self.pay(power, cards)
            case e.CardPlayed(power, card, value, _):
                self.pay(power, [card])
                assert (1 <= value <= 8) if suit_of(card) == RESERVE else value == card >> 2 & 15
            case e.SupplyLost(general, _):
                self.hungry.append(event)
                self.down[general] = True
            case e.SupplyRestored(general):
                assert self.down[general]
                self.down[general] = False
            case e.GeneralRemoved(general, city):
                assert self.city[general] == city
                self.city[general], self.down[general] = OFF, False
            case e.Marched():
                self.march(event)
            case e.TrainTaken(train, city, _):
                assert self.city[train] == city
                self.city[train] = OFF
                self.moved.discard(train)
            case e.TrainReentered(train, city, withdrawn_from, cards):
                assert self.city[train] == withdrawn_from
                assert train not in self.moved
                self.city[train] = city
                self.moved.add(train)
                self.pay(self.rules.pieces[train].power, cards)
            case e.Conquered() | e.Questioned() | e.QuestionLifted():
                self.fortress(event)
            case e.BattleJoined(attackers, defenders, one, other, ours, theirs, score):
                assert {self.city[general] for general in attackers} == {one}
                assert {self.city[general] for general in defenders} == {other}
                assert ours == sum(self.troops[general] for general in attackers)
                assert theirs == sum(self.troops[general] for general in defenders)
                assert score == ours - theirs
            case e.BattleWon(_, losers, _, _, score, lost):
                assert lost == min(score, sum(self.troops[general] for general in losers))
                self.lose_battle(losers, lost)
            case e.Retreated(pieces, start, path):
                assert {self.city[piece] for piece in pieces} == {start}
                for piece in pieces:
                    self.city[piece] = path[-1]
            case e.RetreatImpossible(pieces, city, troops):
                assert {self.city[piece] for piece in pieces} == {city}
                self.lose_all(pieces, troops)
            case e.Recruited(power, troops, cards, allotment) if allotment is not None:
                assert sum(allotment.values()) == troops
                self.pay(power, cards)
                self.totals[power] += troops
            case e.GeneralEntered(general, city):
                assert self.city[general] == OFF
                self.city[general] = city
            case _:
                self.hear_of_politics(event)

    def hear_of_politics(self, event: e.Event) -> None:
        """Hear an event of the longer games."""
        match event:
            case InfluencePlaced(power, placed, card) if card is not None:
                assert placed
                self.pay(power, [card])
            case InfluenceShown(power, card, counts) if not counts and not self.bluffing:
                self.hands[power][card] += 1
            case InfluenceReturned(power, cards):
                self.hands[power] += Counter(cards)
            case CorpsSent(power, piece, cards):
                self.pay(power, cards)
                self.totals[power] += 2 if self.city[piece] == OFF else 0
                self.city[piece], self.down[piece] = ASIDE, False
            case CorpsReturned(_, piece, city):
                assert self.city[piece] == ASIDE
                self.city[piece] = city
            case Relocated(piece, _, city):
                self.city[piece] = city
            case MarkersTaken(power, cities, _):
                assert [self.markers.pop(city) for city in cities] == [power] * len(cities)
            case TroopsGranted(power, troops, allotment) if allotment is not None:
                assert sum(allotment.values()) == troops
                self.totals[power] += troops
            case CardsRegained(power, count, cards) if cards is not None:
                assert count == len(cards)
                self.hands[power] += Counter(cards)
            case PowerLeft(power):
                self.hands[power], self.totals[power] = Counter(), 0
                for piece, facts in enumerate(self.rules.pieces):
                    if facts.power == power:
                        self.city[piece], self.down[piece] = ASIDE, False

    def pay(self, power: str, cards: Sequence[int]) -> None:
        """Cards leave a hand in which they were."""
        assert not Counter(cards) - self.hands[power]
        self.hands[power] -= Counter(cards)

    def march(self, event: e.Marched) -> None:
        """Pieces march once, and nobody marches off with the partner whom he joined."""
        assert {self.city[piece] for piece in event.pieces} == {event.start}
        assert not self.moved & set(event.pieces)
        self.moved |= {*event.pieces, *(p for p, city in enumerate(self.city) if city == event.path[-1])}
        for piece in event.pieces:
            self.city[piece] = event.path[-1]
        self.marching = event

    def fortress(self, event: e.Conquered | e.Questioned | e.QuestionLifted) -> None:
        """Fortresses fall to face-up generals who leave them, or from a question mark (§10.3)."""
        city, power = event.city, event.by
        if isinstance(event, e.QuestionLifted) or (isinstance(event, e.Conquered) and event.retroactive):
            assert self.questions.pop(city) == power
        elif not (isinstance(event, e.Conquered) and self.selecting):
            march = self.marching
            assert march is not None
            assert not march.forced
            assert city in (march.start, *march.path[:-1])
            assert any(self.rules.is_general(p) and not self.down[p] for p in march.pieces)
            assert power in {self.rules.pieces[piece].power for piece in march.pieces}
        if isinstance(event, e.Questioned):
            assert city not in self.questions
            self.questions[city] = power
        elif isinstance(event, e.Conquered):
            self.markers.pop(city, None)
            if event.marker:
                self.markers[city] = event.marker

    def together(self, one: e.SupplyLost, other: e.SupplyLost) -> bool:
        """True if two generals out of supply are of one power and stand in one city."""
        powers = {self.rules.pieces[event.piece].power for event in (one, other)}
        return len(powers) == 1 and self.city[one.piece] == self.city[other.piece]

    def count_hunger(self) -> None:
        """Generals out of supply lose what the events say, but not the last troop of a stacked one in supply (§9)."""
        if not self.hungry:
            return
        hit = [event.piece for event in self.hungry]
        power, city = self.rules.pieces[hit[0]].power, self.city[hit[0]]
        mates = [general for general in self.rules.generals(power) if self.city[general] == city]
        spared = len(mates) - len(hit)
        have = sum(self.troops[general] for general in mates)
        self.totals[power] -= min(sum(event.troops for event in self.hungry), have - spared)
        self.hungry = []

    def lose_battle(self, losers: Sequence[int], lost: int) -> None:
        """In a mixed stack the power not in command bears the losses first (§11.1)."""
        command = self.rules.pieces[losers[0]].power
        for general in sorted(losers, key=lambda general: self.rules.pieces[general].power == command):
            share = min(lost, self.troops[general])
            self.totals[self.rules.pieces[general].power] -= share
            lost -= share
        assert lost == 0

    def lose_all(self, losers: Sequence[int], troops: int) -> None:
        """A stack without retreat loses all that the battle has left it (§11.2)."""
        stood = Counter({self.rules.pieces[general].power: 0 for general in losers})
        for general in losers:
            stood[self.rules.pieces[general].power] += self.troops[general]
        command = self.rules.pieces[losers[0]].power
        for power in sorted(stood, key=lambda power: power != command):
            share = min(troops, stood[power])
            self.totals[power] -= share
            troops -= share
        assert troops == 0

    def compare(self, table: Table) -> None:
        """Fail where the position is not what the events have told."""
        field, cards = table.state.field, table.state.cards
        coming = [task.piece for task in table.state.tasks if isinstance(task, ArriveTask)]
        for piece in coming:
            self.city[piece] = ASIDE
        assert [piece.city for piece in field.pieces] == self.city
        assert [piece.down for piece in field.pieces] == self.down
        assert field.hussars == self.hussars
        assert field.markers == self.markers
        assert field.questions == self.questions
        assert {power: Counter(hand) for power, hand in cards.hands.items()} == self.hands
        assert totals(table) == self.totals
        if table.state.phase == "movement":
            assert set(table.state.moved) == self.moved


def totals(table: Table) -> Counter[str]:
    """The troops of every power, those of generals who take no part included."""
    count = Counter(dict.fromkeys(table.rules.game.powers, 0))
    for facts, piece in zip(table.rules.common.pieces, table.state.field.pieces, strict=True):
        count[facts.power] += piece.troops
    return count
