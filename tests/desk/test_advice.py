"""Advice at the desk: one plan of marches for a stage, which is told alike however it is asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.bots.table import advised_answer, bot_named
from pbem.desk import stage_plan
from pbem.desk.advising import Adviser
from pbem.desk.bot_games import advice, play_now
from pbem.desk.bridge import Bridge
from pbem.desk.desk import Desk
from pbem.desk.practice import rules_of, terms_of
from pbem.desk.reach import Warned, stronger_at, warnings_of
from pbem.desk.stage_plan import Planned, marches_of, plan_with, still_cut_off
from pbem.desk.trains import train_dangers
from pbem.engine.cards import RESERVE, SeededDealer, card_of
from pbem.engine.conquest import opponents_of
from pbem.engine.decisions import ChooseRetreat, Done, March, Move, Play, PlayCard, RetreatAlong, Stop
from pbem.engine.events import Conquered, Questioned
from pbem.engine.field import OFF, alter
from pbem.engine.march import destinations
from pbem.engine.nouns import City, Piece, Power, each_piece
from pbem.engine.supply import assess
from pbem.engine.table import Table
from pbem.faults.nouns import nouns
from pbem.faults.wrong import words
from pbem.kit import copy_of, game_named, game_of
from pbem.paper.documents.writing import Value, write
from pbem.paper.lexicon import Lexicon
from pbem.paper.orders.moves import MOVE
from pbem.paper.positions.files import load_position
from pbem.player.files import GivenFile
from pbem.player.tables import table_in
from pbem.report import blocks
from pbem.report.blocks import table_in_words
from pbem.report.maps import foes_beside
from pbem.report.retreats import retreat_ends, retreat_facts
from pbem.report.telling import question
from tests.desk.test_desk import ask, marches, opened

SEATS = [("maria", "louis"), ("maria", "frederick"), ("friedrich", "frederick")]


@pytest.fixture
def bridge() -> Bridge:
    """A page in English, on which nothing lies."""
    return Bridge("en")


def advised(bridge: Bridge, power: str = "", pieces: Collection[str] = ()) -> dict[str, Any] | None:
    """Advice on the march of a power, or of any that should march; nothing if none should."""
    found: list[dict[str, Any]] = ask(bridge, "advise", [*pieces])
    return next((each for each in found if each["power"] == power or (not power and march_in(each))), None)


def march_in(counsel: dict[str, Any] | None) -> tuple[str, str] | None:
    """Pieces that are advised to march, and where to: the way may be written otherwise once others have marched."""
    if not counsel or not counsel["sections"].get(MOVE.name):
        return None
    ((pieces, way),) = counsel["sections"][MOVE.name][0].items()
    return pieces, way[-1] if isinstance(way, list) else way


@pytest.mark.parametrize(("game", "seat"), SEATS)
def test_what_is_advised_for_one_piece_is_what_the_whole_plan_has(bridge: Bridge, game: str, seat: str) -> None:
    state = ask(bridge, "play_now", game, seat)["state"]
    columns = [
        (asked["power"], tuple(march["pieces"]))
        for asked in state["asked"]
        for march in asked["data"].get("marches", [])
    ]
    told = {column: advised(bridge, *column) for column in columns}
    assert told == {column: advised(bridge, *column) for column in reversed(columns)}
    plan = []
    while counsel := advised(bridge):
        plan.append(march_in(counsel))
        assert ask(bridge, "put", counsel["power"], counsel["sections"])["faults"] == []
    assert len(plan) > 2
    marching = {column: march for column, counsel in told.items() if (march := march_in(counsel))}
    assert {*marching.values()} <= {*plan}
    for pieces, _ in {*plan} - {*marching.values()}:
        (counsel,) = [told[power, names] for power, names in columns if " + ".join(names) == pieces]
        (why,) = counsel["why"]
        assert why.startswith("its march comes after that of ")


def test_another_march_than_the_advised_one_makes_another_plan(bridge: Bridge) -> None:
    state = ask(bridge, "play_now", "friedrich", "frederick")["state"]
    first = march_in(advised(bridge))
    assert first
    pieces, goal = first
    march = next(each for each in marches(state) if " + ".join(each["pieces"]) == pieces)
    other = next(end for end in march["to"] if end["city"] != goal)
    ask(bridge, "march", "prussia", march["pieces"], [other["city"]], other["path"])
    after = march_in(advised(bridge))
    assert after
    assert after[0] != pieces
    ask(bridge, "undo")
    assert march_in(advised(bridge)) == first


def test_a_march_that_takes_the_last_one_back_says_so_first() -> None:
    """The adviser is told that the general came from where he advises him to go."""
    desk = Desk("en")
    play_now(desk, "friedrich", "frederick")
    first = next(each for each in advice(desk) if each.sections.get(MOVE.name))
    adviser, table = desk.opened.adviser(), copy_of(desk.table)
    (power, move), *_ = adviser.plan
    assert isinstance(move, Move)
    (piece, *_), start = move.pieces, table.state.field.pieces[move.pieces[0]].city
    assert "goes back" not in " ".join(first.why)
    adviser.came = {piece: (move.path[-1], start)}
    again = next(each for each in advice(desk) if each.sections.get(MOVE.name))
    assert power == again.power
    assert again.why == ("it goes back to where its last march began", *first.why)


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_the_same_march_is_advised_whatever_chance_says(game: str) -> None:
    desk = Desk("en")
    play_now(desk, game, "frederick")
    table = desk.table
    (decision, *_) = game_of(table).decisions(table)
    answers = Counter(str(advised_answer(copy_of(table), decision, Random(seed))) for seed in range(12))
    assert len(answers) == 1


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_the_march_that_brings_supply_is_named_first_and_comes_next(language: str) -> None:
    bridge = Bridge(language)
    place: Value = {"game": "friedrich", "turn": 2, "stage": "france", "phase": "movement", "pieces": {}}
    opened(bridge, write(place).encode())
    counsel = advised(bridge, "france", ["Richelieu"])
    assert counsel
    (told, *_) = counsel["first"]
    assert told not in counsel["why"]
    if language == "en":
        assert told == (
            "Its supply comes only with the march of France's train\N{NO-BREAK SPACE}2, which is to follow at once."
        )
    ask(bridge, "put", counsel["power"], counsel["sections"])
    after = march_in(advised(bridge))
    assert after
    assert after[0] == "france train 2"


def between(language: str) -> tuple[Table, City]:
    """Austria's marches, with nobody on the map but a strong general of Prussia in Glogau, and a city near it."""
    place: Value = {"game": "maria", "turn": 2, "stage": "austria", "phase": "movement", "pieces": {}}
    table = table_in_words(load_position(write(place).encode(), "glogau.yaml"), language)
    rules, field = table.rules.common, table.state.field
    for power in table.rules.powers:
        for each in rules.generals(power):
            alter(field, each, city=OFF, troops=0)
    strong, camp = rules.generals("prussia")[0], Lexicon(table.rules).city("Glogau")
    alter(field, strong, city=camp, troops=8)
    # Beside a train no lack of supply takes troops from him first.
    alter(field, rules.trains("prussia")[0], city=camp)
    return table, next(other for city in rules.board.near[camp] for other in rules.board.near[city] if other != camp)


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_a_stronger_enemy_in_reach_of_the_end_of_a_march_is_named_before_the_reasons(language: str) -> None:
    table, near = between(language)
    rules, field = table.rules.common, table.state.field
    weak, strong = rules.generals("austria")[0], rules.generals("prussia")[0]
    suit, hand = rules.board.suit[near], table.state.cards.hands["austria"]
    hand[:] = [card_of(suit, 2, 0)]
    alter(field, weak, city=near, troops=1)
    (told,) = stronger_at(table, near, Warned(["austria"], (), language))
    assert re.findall("[0-9]+", told) == ["8", "1"]
    assert blocks.piece(rules, strong) in told
    alter(field, strong, troops=1)
    alter(field, weak, city=near, troops=8)
    assert not [*stronger_at(table, near, Warned(["austria"], (), language))]
    # A weaker enemy is named, too, if the hand has no card for a battle there.
    hand.clear()
    (told,) = stronger_at(table, near, Warned(["austria"], (), language))
    assert nouns(language)["suits"]["♣♦♥♠"[suit]] in told
    hand.append(card_of(suit, 2, 0))
    assert not [*stronger_at(table, near, Warned(["austria"], (), language))]


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_advice_names_who_stays_behind_and_the_enemy_in_reach_of_him(language: str) -> None:
    table, near = between(language)
    rules, field = table.rules.common, table.state.field
    first, second = rules.generals("austria")[:2]
    table.state.cards.hands["austria"][:] = [card_of(suit, 2, 0) for suit in range(4)]
    away = next(other for other in rules.board.near[near] if not foes_beside(table, first, other))
    for general in (first, second):
        alter(field, general, city=near, troops=2)
    game_of(table).advance(table)
    reader, move = Warned(["austria"], (), language), Move((first,), (away,))
    *_, told = warnings_of(table, move, (), reader)
    assert re.findall("[0-9]+", told) == ["8", "2"]
    assert blocks.piece(rules, second) in told
    assert blocks.city(rules, near) in told
    # Nobody stays behind who is to march later.
    assert told not in [*warnings_of(table, move, {second}, reader)]
    # Who attacks without him is told how many they would be together.
    beside = next(other for other in rules.board.near[near] if foes_beside(table, first, other))
    told_first, *_ = warnings_of(table, Move((first,), (beside,)), (), reader)
    assert re.findall("[0-9]+", told_first) == ["4"]
    assert blocks.piece(rules, second) in told_first


def test_nobody_marches_out_of_supply_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bot that marches anywhere, too, generals go out of supply only to fight or to take something."""
    table, _ = game_named("maria").start(rules_of(terms_of("maria", "introductory")), SeededDealer("hungry"))
    chance, bot, held = Random(1), bot_named("random", "maria"), 0
    monkeypatch.setattr(stage_plan, "answer_of", lambda table, asked: bot(copy_of(table), asked, Random(1)))

    def starving_for_nothing(plan: Iterable[tuple[Power, Planned]]) -> set[Piece]:
        tried, hungry = copy_of(table), set[Piece]()
        for power, answer in plan:
            there = is_fortress(tried, power, answer)
            events = game_of(tried).apply(tried, power, answer)
            if (
                isinstance(answer, Move)
                and not there
                and not any(isinstance(e, Conquered | Questioned) for e in events)
            ):
                hungry.update(piece for piece in answer.pieces if table.rules.common.is_general(piece))
        return {
            piece
            for piece in hungry
            if still_cut_off(tried, [piece])
            and not still_cut_off(table, [piece])
            and not foes_beside(tried, piece, tried.state.field.pieces[piece].city)
        }

    while table.state.turn < 3:
        decision = game_of(table).decisions(table)[0]
        if isinstance(decision, March) and not table.state.moved:
            plan, _ = plan_with(table, [decision.power], ())
            held += bool(starving_for_nothing((each.power, each.answer) for each in plan))
            assert not starving_for_nothing(marches_of(table, [decision.power])[0])
        game_of(table).apply(table, decision.power, bot(copy_of(table), decision, chance))
    assert held


def schwerin(**pieces: str) -> tuple[Table, Piece]:
    """Return a table at which Schwerin marches for Prussia from Waldenburg, and Schwerin."""
    off = dict.fromkeys(("Friedrich", "Winterfeldt", "Browne", "Daun", "Lacy", "Laudon"), "off")
    standing: Value = {**off, "Schwerin": "Waldenburg, 1", "prussia train 1": "Schweidnitz", **pieces}
    place: Value = {"game": "friedrich", "turn": 3, "stage": "prussia", "phase": "movement", "pieces": standing}
    table = table_in(GivenFile("waldenburg.yaml", write(place).encode())).table
    return table, Lexicon(table.rules).piece("Schwerin")


@pytest.mark.parametrize(
    ("enemies", "why"),
    [
        ({"Karl": "Melnik, 8"}, {"why-stay-safe"}),
        ({"Karl": "Melnik, 2"}, set[str]()),
        # From the former place he can be attacked, too.
        ({"Karl": "Melnik, 8", "Lacy": "Nachod, 8"}, set[str]()),
        ({"Karl": "Melnik, 7", "Schwerin": "Waldenburg, 4"}, {"why-stay-safe"}),
        ({"Karl": "Melnik, 6", "Schwerin": "Waldenburg, 4"}, set[str]()),
        # In Turnau he protects Zittau, but would be beaten there.
        ({"Karl": "Tetschen, 8"}, {"why-stay-safe"}),
        ({"Karl": "Melnik, 8", "austria train 2": "Turnau"}, set[str]()),
        ({"Karl": "Melnik, 8", "prussia train 1": "off"}, {"why-stay-fed"}),
        ({"Karl": "Melnik, 8", "Schwerin": "Trautenau, 1", "prussia train 1": "Dresden"}, set[str]()),
    ],
    ids=["strong", "weak", "everywhere", "by-three", "by-two", "guard", "train", "hungry", "fed-there"],
)
def test_nobody_marches_into_the_reach_of_clearly_stronger_enemies_for_nothing(
    monkeypatch: pytest.MonkeyPatch, enemies: dict[str, str], why: set[str]
) -> None:
    table, general = schwerin(**enemies)
    end = Lexicon(table.rules).city("Turnau")
    move = Move((general,), destinations(game_of(table).column_of(table, [general]))[end])
    monkeypatch.setattr(stage_plan, "answer_of", lambda _, asked: move if general in asked.pieces else Done())
    plan, staying = marches_of(table, ["prussia"])
    assert {*staying.values()} == why
    assert bool(plan) is not bool(why)


@pytest.mark.parametrize(("train", "is_told"), [("Schweidnitz", False), ("off", True)])
def test_who_stays_tells_the_train_that_he_could_take_out_of_supply(train: str, *, is_told: bool) -> None:
    table, general = schwerin(**{"prussia train 1": train, "prussia train 2": "off", "austria train 2": "Turnau"})
    told = Adviser(["prussia"], ()).counsel(table, replace(decision_on(table, general), trains={}), Done(), "en").why
    sentence = "Schwerin could take this, but would then be out of supply: Austria's train\N{NO-BREAK SPACE}2"
    assert (sentence in told) is is_told


@pytest.mark.parametrize(("city", "told"), [("Nachod", ["Lacy"]), ("Melnik", [])])
def test_who_stays_is_told_of_the_stronger_enemies_in_reach(city: str, told: list[str]) -> None:
    table, _ = schwerin(Lacy=f"{city}, 8")
    (counsel,) = Adviser(["prussia"], ()).counsels(table, "en", ["Schwerin"])
    assert re.findall(r"In reach there, with troops: (\w+)", " ".join(counsel.first)) == told


def decision_on(table: Table, general: Piece) -> March:
    """Return the decision on the marches of one general."""
    (asked,) = (each for each in game_of(table).decisions(table) if isinstance(each, March))
    return replace(asked, pieces=(general,))


def is_fortress(table: Table, power: Power, answer: Planned) -> bool:
    forts = opponents_of(table.rules.common, table.state.field, power).fortresses
    return isinstance(answer, Move) and answer.path[-1] in forts


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_advice_on_a_train_names_the_generals_whom_it_feeds_and_whom_not(language: str) -> None:
    bridge = Bridge(language)
    place: Value = {"game": "friedrich", "turn": 2, "stage": "france", "phase": "movement", "pieces": {}}
    opened(bridge, write(place).encode())
    first = advised(bridge, "france", ["Richelieu"])
    assert first
    ask(bridge, "put", first["power"], first["sections"])
    train = advised(bridge, "france", ["france train 2"])
    assert train
    assert march_in(train)
    assert "Richelieu" in train["why"][0]
    assert "Richelieu" not in train["why"][-1]
    if language == "en":
        assert train["why"][0].startswith("in supply then: ")


RISKS = {
    "en": ("Schwerin may starve there: ", "The battle there is as good as lost."),
    "de": ("Schwerin: Dort droht Verlust durch Hunger.", "Die Schlacht dort ist so gut wie verloren."),
    "es": ("Schwerin: allí amenaza la pérdida por hambre.", "La batalla allí está casi perdida."),
    "it": ("Schwerin: lì c'è il rischio di perdita per fame.", "La battaglia lì è quasi persa."),
}


@pytest.mark.parametrize("language", RISKS)
@pytest.mark.parametrize(
    ("pieces", "risks"),
    [
        ({"Schwerin": "Kolin, 8"}, ()),
        ({"Schwerin": "Kolin, 8, face-down"}, (0,)),
        ({"Schwerin": "Kolin, 1", "Daun": "Brod", "Browne": "Brod"}, (1,)),
        ({"Schwerin": "Kolin, 1, face-down", "Daun": "Brod", "Browne": "Brod"}, (0, 1)),
    ],
    ids=["none", "second hunger", "hopeless battle", "both"],
)
def test_what_following_the_advice_costs_for_sure_is_told_beside_its_button(
    pieces: dict[str, str], risks: tuple[int, ...], language: str
) -> None:
    off = dict.fromkeys(("prussia train 1", "prussia train 2"), "off")
    place: dict[str, Value] = {"game": "friedrich", "turn": 3, "stage": "prussia", "phase": "movement"}
    place |= {"troops": {"austria": 30}, "hands": {"austria": ["♥13", "♥12", "♥11"]}, "pieces": {**pieces, **off}}
    table = load_position(write(place).encode(), "starving.yaml")
    game_of(table).advance(table)
    (decision, *_), lexicon = game_of(table).decisions(table), Lexicon(table.rules)
    move = Move((lexicon.piece("Schwerin"),), (lexicon.city("Kuttenberg"), lexicon.city("Tschaslau")))
    counsel = Adviser(["prussia"], ()).counsel(table, decision, move, language)
    assert [at for at, told in enumerate(RISKS[language]) if told in counsel.risk] == [*risks]
    assert bool(counsel.risk) is bool(risks)
    # The battle stands apart, as the page tells it before all warnings.
    assert len(counsel.fight) == (1 in risks)


@pytest.mark.parametrize(("hand", "is_told"), [(["♥4", "♥9", "♥11"], True), (["♣4", "♣9", "♥11"], False)])
def test_advice_on_recruits_names_whose_battle_needs_the_cards(hand: list[str], *, is_told: bool) -> None:
    pieces: Value = {"Schwerin": "Kuttenberg, 3", "Daun": "Tschaslau", "prussia train 1": "Nimburg"}
    place: dict[str, Value] = {"game": "friedrich", "turn": 3, "stage": "prussia", "phase": "recruiting"}
    place |= {"pieces": pieces, "hands": {"prussia": hand}}
    table = load_position(write(place).encode(), "paying.yaml")
    game_of(table).advance(table)
    (counsel,) = Adviser(["prussia"], ()).counsels(table, "en", [])
    assert counsel.sections["recruit"]
    told = "cards that it pays with would serve Schwerin, whose battle is ordered already"
    assert (told in counsel.why) is is_told


def test_advice_on_recruits_pays_the_cheapest_way() -> None:
    bridge = Bridge("en")
    place: Value = {
        "game": "maria",
        "turn": 3,
        "stage": "winter-prussia",
        "pieces": {"Friedrich": "Berlin, 3"},
        "hands": {"prussia": ["♠6", "♠4", "♠9", "♥8", "♣8", "♥7"]},
    }
    opened(bridge, write(place).encode())
    counsels = [each for each in ask(bridge, "advise", []) if each["sections"].get("recruit")]
    assert counsels
    assert [ask(bridge, "put", each["power"], each["sections"])["faults"] for each in counsels] == [[]] * len(counsels)


def test_a_draft_is_judged_once_as_long_as_nothing_changes() -> None:
    desk = Desk("en")
    play_now(desk, "maria", "louis")
    begun = desk.judgement()
    assert desk.judgement() is begun
    desk.draft.become("orders: {}\n")
    changed = desk.judgement()
    assert changed is not begun
    desk.draft.undo()
    assert desk.judgement() is begun
    desk.speak("de")
    assert desk.judgement() is not begun, "its faults and its account have words"


def test_the_beaten_are_sent_where_they_cut_off_nobody_from_supply() -> None:
    table, _ = game_named("friedrich").start(rules_of(terms_of("friedrich", "")), SeededDealer("cut 7"))
    chance, bot = Random(7), bot_named("sensible", "friedrich")

    def cut_by(decision: ChooseRetreat, end: City) -> set[Piece]:
        """Own generals who are out of supply if the beaten are put there, and only then."""
        tried, power = copy_of(table), decision.power
        for piece in decision.pieces:
            alter(tried.state.field, piece, city=end)
        now, then = (set(assess(each.rules.common, each.state.field, power)[2]) for each in (table, tried))
        return then - now

    while True:
        decision = game_of(table).decisions(table)[0]
        if isinstance(decision, ChooseRetreat):
            cuts = {end: cut_by(decision, end) for end in decision.ends}
            if any(cuts.values()) and not all(cuts.values()):
                break
        game_of(table).apply(table, decision.power, bot(copy_of(table), decision, chance))
    answer = stage_plan.answer_of(table, decision)
    assert isinstance(answer, RetreatAlong)
    assert not cuts[answer.path[-1]]
    named, told = table_in_words(table, "en"), retreat_ends(table, decision, "en")
    cut_off = {name for pieces in cuts.values() for name in blocks.pieces(named.rules.common, sorted(pieces))}
    counsel = Adviser([decision.power], ()).counsel(table, decision, answer, "en")
    assert all(name in counsel.why[0] for name in cut_off)
    for end, pieces in cuts.items():
        names = blocks.pieces(named.rules.common, sorted(pieces))
        first = told[blocks.city(table.rules.common, end)][0]
        assert all(name in first for name in names)
        assert first.startswith("The beaten cut off") == bool(names)
        advised = Adviser([decision.power], ()).counsel(table, decision, RetreatAlong((end,)), "en").why
        assert all(name in advised[0] for name in names)
    grouped: Any = retreat_facts(table, decision, "en")["cuts"]
    assert {city: each["pieces"] for each in grouped for city in each["ends"]} == {
        blocks.city(named.rules.common, end): blocks.pieces(named.rules.common, sorted(pieces))
        for end, pieces in cuts.items()
        if pieces
    }
    places = {index: piece.city for index, piece in each_piece(table.state.field.pieces)}
    for language, word in (
        ("en", "supply"),
        ("de", "Versorgung"),
        ("es", "sin suministro"),
        ("it", "rifornimenti"),
    ):
        facts: Any = retreat_facts(table, decision, language)
        told_all = question(table.rules, decision, places, language, facts)
        sentence, *beaten = (each for each in reversed(told_all.split(".")) if word in each)
        assert all(each["pieces"][0] in sentence for each in facts["cuts"])
        # Where the beaten are without supply is told to whoever chooses, too.
        assert bool(beaten) == bool(facts["unfed"])
        assert all(city in each for city in facts["unfed"] for each in beaten)


def test_advice_on_a_retreat_names_the_trains_that_the_beaten_could_take() -> None:
    table, _ = game_named("friedrich").start(rules_of(terms_of("friedrich", "")), SeededDealer("t0"))
    chance, bot = Random(0), bot_named("sensible", "friedrich")

    def near_at(end: City) -> list[tuple[str, ...]]:
        """Trains in danger from the beaten, if these are put there."""
        tried = copy_of(table)
        for piece in decision.pieces:
            alter(tried.state.field, piece, city=end)
        names = blocks.pieces(table.rules.common, decision.pieces)
        dangers = train_dangers(tried, [decision.power], "en")
        return [danger.pieces for danger in dangers if any(name in danger.says for name in names)]

    while True:
        decision = game_of(table).decisions(table)[0]
        if isinstance(decision, ChooseRetreat):
            near = {end: near_at(end) for end in decision.ends}
            if any(near.values()) and not all(near.values()):
                break
        game_of(table).apply(table, decision.power, bot(copy_of(table), decision, chance))
    for end, trains in near.items():
        why = " ".join(Adviser([decision.power], ()).counsel(table, decision, RetreatAlong((end,)), "en").why)
        assert ("in danger: from there they could take" in why) == bool(trains)
        told = retreat_ends(table, decision, "en")[blocks.city(table.rules.common, end)]
        assert any("could take by their next march" in each and "train" in each for each in told) == bool(trains)


def test_a_battle_that_needs_the_cards_of_one_ordered_before_names_who_fights_that() -> None:
    table, near = between("en")
    rules, field, hand = table.rules.common, table.state.field, table.state.cards.hands["austria"]
    first, second = rules.generals("austria")[:2]
    camp = Lexicon(table.rules).city("Glogau")
    there, other, *_ = rules.board.near[camp]
    alter(field, first, city=there, troops=8)
    alter(field, second, city=near, troops=8)
    game_of(table).advance(table)
    move = Move((second,), (other,))
    is_one_suit = rules.board.suit[there] == rules.board.suit[other]
    for cards, keys in (
        ([card_of(RESERVE, 1, 0)], ["why-same-reserve"]),
        ([card_of(rules.board.suit[other], 5, 0)], ["why-same-cards"] if is_one_suit else []),
    ):
        hand[:] = cards
        told = Adviser(["austria"], ()).with_shared_cards(table, move, [words("why-fight")])
        assert [each.key for each in told] == ["why-fight", *keys]


def test_a_battle_names_the_generals_who_fight_later_with_cards_of_the_same_suit() -> None:
    """Told exactly for those own generals of later battles who stand on the suit that is asked for now."""
    chance, bot, seen = Random(0), bot_named("sensible", "friedrich"), set[bool]()
    table, _ = game_named("friedrich").start(rules_of(terms_of("friedrich", "")), SeededDealer("t0"))
    while seen != {True, False}:
        decision, rules = game_of(table).decisions(table)[0], table.rules.common
        if isinstance(decision, PlayCard) and table.state.battles:
            here = {city for each in table.state.battles for city in (each.attacker, each.defender)}
            later = [
                each
                for each in rules.generals(decision.power)
                if (city := table.state.field.pieces[each].city) in here and rules.board.suit[city] == decision.suit
            ]
            names = blocks.pieces(rules, later)
            why = " ".join(Adviser([decision.power], ()).counsel(table, decision, Stop(), "en").why)
            told = f"the same suit is needed later in the battle of {' and '.join(names)}"
            assert told in why if later else "needed later" not in why
            assert "last card" not in why
            seen.add(bool(later))
        game_of(table).apply(table, decision.power, bot(copy_of(table), decision, chance))


def test_of_the_last_card_that_fits_advice_says_what_an_answer_to_it_means() -> None:
    table, decision = battle_asked()
    for cards, is_last in ((decision.cards[:1], True), (decision.cards[:2], False)):
        asked = replace(decision, cards=cards)
        why = " ".join(Adviser([decision.power], ()).counsel(table, asked, Play(cards[0]), "en").why)
        assert ("if the enemy gets ahead again, the battle is lost" in why) is is_last


def battle_asked() -> tuple[Table, PlayCard]:
    """A game of FRIEDRICH at the first question for a card of several."""
    chance, bot = Random(0), bot_named("sensible", "friedrich")
    table, _ = game_named("friedrich").start(rules_of(terms_of("friedrich", "")), SeededDealer("t0"))
    while True:
        decision = game_of(table).decisions(table)[0]
        if isinstance(decision, PlayCard) and len(decision.cards) > 1:
            return table, decision
        game_of(table).apply(table, decision.power, bot(copy_of(table), decision, chance))


def test_who_stays_for_his_supply_is_told_so() -> None:
    desk = Desk("en")
    play_now(desk, "maria", "louis")
    adviser, table = desk.opened.adviser(), desk.judgement().trial.table
    adviser.plan_marches(desk.judgement().trial, {})
    general = Lexicon(table.rules).piece("Broglie")
    adviser.plan, adviser.staying = [], {general: "why-stay-fed"}
    told = {each.power: each.why for each in adviser.counsels(table, "en", ["Broglie"])}
    assert told["france"] == ("the better places lie beyond the reach of its supply",)
    adviser.staying = {}
    told = {each.power: each.why for each in adviser.counsels(table, "en", ["Broglie"])}
    assert told["france"] == ("no city in reach is better than the present one",)
