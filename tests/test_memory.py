"""Public memory of a table, event by event; `site/test_map_state.py` checks it through whole games."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from pbem.engine import events as e
from pbem.engine.memory import Memory, map_state_of, remember
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.strengths import strength_limits
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.events import CorpsSent
from pbem.kit import game_named
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import load_rules
from pbem.paper.positions.files import remembered_document
from pbem.report.maps import strengths

RULES = load_rules(Terms("advanced"))
GAME, LEXICON = game_named("maria"), Lexicon(RULES)
ONE, TWO, THREE, FOE = (LEXICON.piece(name) for name in ("P1", "P2", "P3", "A5"))
HERE, THERE, BEYOND = (LEXICON.city(name) for name in ("Sagan", "Steinau", "Neumarkt"))


def battle(ours: Sequence[Piece], troops: int, foes: int = 3) -> e.Event:
    return e.BattleJoined(tuple(ours), (FOE,), HERE, THERE, troops, foes, troops - foes)


def lost(losers: Sequence[Piece], troops: int) -> e.Event:
    return e.BattleWon((FOE,), tuple(losers), Power("austria"), Power("prussia"), troops, troops)


def marched(piece: Piece, start: City, *path: City) -> e.Event:
    return e.Marched((piece,), start, path, False)


def recruited(power: str) -> e.Event:
    return e.Recruited(Power(power), 1, (Card(0),), None)


TOGETHER = (marched(ONE, BEYOND, HERE), marched(TWO, BEYOND, HERE))
TOLD: list[tuple[str, Sequence[e.Event], dict[tuple[Piece, ...], str]]] = [
    ("what it said", [battle([ONE], 7)], {(ONE,): "7"}),
    ("less what it lost", [battle([ONE], 7), lost([ONE], 2)], {(ONE,): "5"}),
    ("less what it starved", [battle([ONE], 7), e.SupplyLost(ONE, 1)], {(ONE,): "6"}),
    ("not sure behind recruits", [battle([ONE], 7), recruited("prussia"), lost([ONE], 2)], {(ONE,): "5?"}),
    ("sure behind recruits for whom it has no room", [battle([ONE], 8), recruited("prussia")], {(ONE,): "8"}),
    ("sure behind those of others", [battle([ONE], 7), recruited("france")], {(ONE,): "7"}),
    ("sure again", [battle([ONE], 7), recruited("prussia"), battle([ONE], 8)], {(ONE,): "8"}),
    ("gone", [battle([ONE], 2), lost([ONE], 2), e.GeneralRemoved(ONE, HERE)], {}),
    (
        "who is left of a stack has what is left",
        [*TOGETHER, battle([ONE, TWO], 4), lost([ONE, TWO], 3), e.GeneralRemoved(TWO, HERE)],
        {(ONE,): "1"},
    ),
    ("parted, together", [*TOGETHER, battle([ONE, TWO], 9), marched(TWO, HERE, THERE)], {(ONE, TWO): "9"}),
    (
        "and the rest by what one says",
        [*TOGETHER, battle([ONE, TWO], 9), marched(TWO, HERE, THERE), battle([TWO], 4)],
        {(ONE,): "5", (TWO,): "4"},
    ),
    ("apart, then together", [battle([ONE], 3), battle([TWO], 4), *TOGETHER], {(ONE, TWO): "7"}),
    ("with somebody who said nothing", [battle([ONE], 3), *TOGETHER], {(ONE,): "3?"}),
    ("sent to Italy", [*TOGETHER, battle([ONE, TWO], 9), CorpsSent(Power("prussia"), TWO, ())], {(ONE,): "9?"}),
    ("beside one sent to Italy", [battle([ONE], 7), CorpsSent(Power("prussia"), TWO, ())], {(ONE,): "7"}),
    ("off with troops", [*TOGETHER, battle([ONE, TWO], 9), e.GeneralRemoved(TWO, HERE)], {(ONE,): "9?"}),
]


def after(events: Sequence[e.Event]) -> Memory:
    memory = Memory(map_state_of(GAME.new_state(RULES).field))
    remember(memory, GAME.on_map, RULES.common, events)
    return memory


def elsewhere(event: e.Event, place: City) -> e.Event:
    """The same event in another city."""
    fields = msgspec.structs.asdict(event)
    fields |= {key: place for key in ("city", "start", "attacking_city") if fields.get(key) == HERE}
    path = tuple(place if city == HERE else city for city in fields.get("path", ()))
    return type(event)(**fields | ({"path": path} if path else {}))


@pytest.mark.parametrize("place", [HERE, City(0)])
@pytest.mark.parametrize(("events", "told"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_what_a_stack_is_known_to_have(
    events: Sequence[e.Event], told: dict[tuple[Piece, ...], str], place: City
) -> None:
    events = [elsewhere(event, place) for event in events]
    found = {each.generals: f"{each.strength}{'' if each.is_exact else '?'}" for each in after(events).declared}
    assert {who: strength for who, strength in found.items() if FOE not in who} == told


def test_a_report_doubts_what_recruits_could_not_change_as_those_of_earlier_versions_do() -> None:
    """The memory in a report is checked against the ledger, also in reports that an earlier version has written."""
    memory = after([battle([ONE], 8), recruited("prussia")])
    (told,) = (each for each in memory.declared if each.generals == (ONE,))
    assert (told.is_exact, told.sure) == (True, False)
    names = RULES.common.pieces[ONE].name, RULES.common.pieces[FOE].name
    sure = {one["generals"][0]: one["sure"] for one in remembered_document(RULES.common, memory)["declared"]}  # type: ignore[index, union-attr, call-overload]
    assert sure == dict(zip(names, ("no", "yes"), strict=True))


def test_on_the_map_it_stands_where_the_stack_does() -> None:
    apart = strengths(RULES.common, after([*TOGETHER, battle([ONE, TWO], 9), marched(TWO, HERE, THERE)]))
    assert list(apart.values()) == ["3"]  # the foe alone
    joined = after([marched(ONE, BEYOND, HERE), battle([ONE], 3), marched(TWO, BEYOND, HERE)])
    assert strengths(RULES.common, joined)[HERE] == "3?+"


def test_from_where_pieces_came_is_remembered_until_others_move() -> None:
    first = [marched(ONE, BEYOND, THERE), marched(ONE, THERE, HERE)]
    assert after(first).ways[ONE][1:] == (THERE, HERE)
    assert after([*first, e.StageBegan(2, "austria")]).ways == after(first).ways
    assert set(after([*first, e.StageBegan(2, "austria"), marched(FOE, THERE, BEYOND)]).ways) == {FOE}


GROWN: list[tuple[str, Sequence[e.Event], tuple[int, int]]] = [
    ("what it said", [battle([ONE], 6)], (6, 6)),
    ("and all recruits", [battle([ONE], 6), recruited("prussia")], (6, 7)),
    ("of several winters", [battle([ONE], 5), recruited("prussia"), recruited("prussia")], (5, 7)),
    ("less what it lost since", [battle([ONE], 6), recruited("prussia"), lost([ONE], 2)], (4, 5)),
    ("and no more than a general can have", [battle([ONE], 8), recruited("prussia")], (8, 8)),
    ("with somebody who said nothing", [battle([ONE], 6), recruited("prussia"), *TOGETHER], (1, 8)),
    ("with somebody who said so much", [battle([ONE], 6), battle([TWO], 2), recruited("prussia"), *TOGETHER], (1, 8)),
]


@pytest.mark.parametrize(("events", "limits"), [row[1:] for row in GROWN], ids=[row[0] for row in GROWN])
def test_recruits_can_only_raise_what_a_stack_is_known_to_have(
    events: Sequence[e.Event], limits: tuple[int, int]
) -> None:
    field = GAME.new_state(RULES).field
    for piece in RULES.common.generals(Power("prussia")):
        field.pieces[piece] = replace(field.pieces[piece], city=HERE, troops=4)
    memory = Memory(map_state_of(field))

    for piece in RULES.common.generals(Power("prussia")):
        memory.on_map.places[piece] = BEYOND if piece == ONE else City(piece)
    remember(memory, GAME.on_map, RULES.common, events)
    assert strength_limits(RULES.common, field, (ONE,), memory.declared) == limits
