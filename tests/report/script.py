"""A scripted piece of a game in which everything happens that can be told, and every kind of question."""

from __future__ import annotations

from typing import TypeVar

from pbem.engine import events as e
from pbem.engine.cards import RESERVE, card_of
from pbem.engine.decisions import (
    Allot,
    Arrange,
    ChooseBattle,
    ChooseRetreat,
    Claim,
    Decision,
    March,
    Pairing,
    PlayCard,
    Recruit,
)
from pbem.engine.field import OFF
from pbem.games.maria.rules import events as m
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import PlaceHussars, Subsidy, Toll
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import load_rules

T = TypeVar("T")

RULES = load_rules(Terms())
COMMON = RULES.common
LEXICON = Lexicon(RULES)

FRIEDRICH, SCHWERIN, LEOPOLD = (LEXICON.piece(name) for name in ("Friedrich der Große", "Schwerin", "Erbprinz Leopold"))
KARL, TRAUN, NEIPPERG = (LEXICON.piece(name) for name in ("Karl von Lothringen", "Traun", "Neipperg"))
BROGLIE, TOERRING = LEXICON.piece("Broglie"), LEXICON.piece("Törring")
AUSTRIAN_TRAIN, PRUSSIAN_TRAIN = LEXICON.piece("austria train 3"), LEXICON.piece("prussia train 1")


def of_the_game(kind: type[T]) -> list[type[T]]:
    """The types of events or decisions of MARIA, those of every game included."""
    return [
        each
        for each in kind.__subclasses__()
        if each.__module__.startswith(("pbem.engine.", "pbem.games.maria.rules."))
    ]


def city(name: str) -> int:
    """A city by its name."""
    return LEXICON.city(name)


def way(*names: str) -> tuple[int, ...]:
    """A path by its names."""
    return tuple(city(name) for name in names)


def cards(*written: str) -> tuple[int, ...]:
    """Cards of the first deck; a Reserve is `R`."""
    return tuple(LEXICON.copies(LEXICON.card(each))[0] for each in written)


RESERVE_CARD = card_of(RESERVE, 1, 2)


def setting_out() -> list[e.Event]:
    """The first cards and troops, before any heading."""
    return [
        e.DeckShuffled(1, (0,), 38),
        e.CardsDrawn("prussia", 4, cards("♠9", "♣2", "R", "♥10")),
        e.CardsDrawn("austria", 2, cards("♦7", "♦3")),
        e.TroopsAllotted("prussia", {FRIEDRICH: 8, SCHWERIN: 4, LEOPOLD: 4}),
        e.TroopsAllotted("austria", {KARL: 6, TRAUN: 3, NEIPPERG: 1}),
    ]


def hussars_and_supply() -> list[e.Event]:
    """A turn begins: hussars, subsidy, cards, supply."""
    return [
        e.TurnBegan(4),
        e.StageBegan(4, "hussars"),
        e.HussarPlaced(0, city("Jauer")),
        e.HussarRemoved(1, city("Teschen")),
        e.StageBegan(4, "france"),
        m.SubsidyDecided("france", "bavaria", given=True),
        e.CardsDrawn("france", 1, cards("♥4")),
        e.DeckShuffled(2, (0, 2), 41),
        e.CardsDrawn("bavaria", 0, ()),
        e.IncomeLost("bavaria"),
        m.SubsidyDecided("france", "bavaria", given=False),
        e.SupplyTraced(BROGLIE, (), 0),
        e.SupplyTraced(TOERRING, way("Freising"), 0),
        e.StageBegan(4, "prussia"),
        e.CardsDrawn("prussia", 2, cards("♦10", "R")),
        e.SupplyTraced(FRIEDRICH, way("Liegnitz", "Glogau", "Grünberg"), 0),
        e.SupplyRestored(FRIEDRICH),
        m.HandShown("prussia", cards("♣2", "♠3")),
        m.HandShown("saxony", ()),
        m.TollPaid("prussia", cards("♣2", "R"), 4),
        e.SupplyTraced(SCHWERIN, way("Jauer", "Liegnitz"), 2),
        e.SupplyLost(LEOPOLD, 1),
        e.GeneralRemoved(LEOPOLD, city("Neisse")),
    ]


def movement() -> list[e.Event]:
    """Marches with everything that can befall a march."""
    return [
        e.Marched((FRIEDRICH, SCHWERIN), city("Lüben"), way("Liegnitz", "Jauer", "Schweidnitz"), forced=False),
        e.HussarRemoved(0, city("Jauer")),
        e.Conquered(city("Liegnitz"), "prussia", "austria", "prussia"),
        e.Questioned(city("Schweidnitz"), "prussia"),
        e.Stacked(city("Schweidnitz"), FRIEDRICH),
        e.TroopsMoved("prussia", {FRIEDRICH: 5, SCHWERIN: 7}),
        e.Marched((BROGLIE,), city("München"), way("Freising", "Landshut", "Freising"), forced=True),
        e.Marched((PRUSSIAN_TRAIN,), city("Grünberg"), way("Neusalz", "Grünberg"), forced=False),
        e.Marched((FRIEDRICH,), city("Prag"), way("Kolin"), forced=False),
        e.TrainTaken(AUSTRIAN_TRAIN, city("Kolin"), FRIEDRICH),
        e.TrainReentered(AUSTRIAN_TRAIN, city("Wien"), OFF, cards("♣9")),
        e.TrainReentered(PRUSSIAN_TRAIN, city("Berlin"), city("Grünberg"), cards("♠2", "♣3")),
        e.HussarRemoved(1, city("Berlin")),
        e.Conquered(city("Eger"), "bavaria", "austria", "france"),
        e.Conquered(city("Glatz"), "austria", "prussia", None),
    ]


def combat() -> list[e.Event]:
    """A battle lost, one won without a way back, a tie, and the end of the questions."""
    return [
        e.BattleJoined((FRIEDRICH, SCHWERIN), (KARL, TRAUN), city("Schweidnitz"), city("Glatz"), 7, 9, -2),
        e.CardPlayed("prussia", cards("♠2")[0], 2, 0),
        e.CardPlayed("austria", cards("♠3")[0], 3, 3),
        e.CardPlayed("prussia", RESERVE_CARD, 1, -2),
        e.CardPlayed("prussia", cards("♠5")[0], 5, 3),
        e.CardPlayed("austria", RESERVE_CARD, 4, 1),
        e.BattleWon((KARL, TRAUN), (FRIEDRICH, SCHWERIN), "austria", "prussia", 1, 1),
        e.Retreated((FRIEDRICH, SCHWERIN), city("Schweidnitz"), way("Jauer", "Liegnitz")),
        e.HussarRemoved(0, city("Jauer")),
        e.BattleJoined((KARL,), (LEOPOLD,), city("Prag"), city("Kolin"), 5, 3, 2),
        e.BattleWon((KARL,), (LEOPOLD,), "austria", "prussia", 2, 2),
        e.RetreatImpossible((LEOPOLD,), city("Kolin"), 1),
        e.GeneralRemoved(LEOPOLD, city("Kolin")),
        e.BattleJoined((KARL,), (FRIEDRICH,), city("Prag"), city("Kolin"), 5, 5, 0),
        e.BattleTied((KARL,), (FRIEDRICH,)),
        e.Conquered(city("Schweidnitz"), "prussia", "austria", "prussia", retroactive=True),
        e.QuestionLifted(city("Glatz"), "prussia"),
        e.StageBegan(4, "austria"),
        e.SupplyLost(KARL, 2),
        e.SupplyLost(TRAUN, 1),
        e.GeneralRemoved(KARL, city("Bautzen")),
        e.GeneralRemoved(TRAUN, city("Bautzen")),
    ]


def winter() -> list[e.Event]:
    """Recruits, a return, and the end of the game."""
    return [
        e.StageBegan(6, "winter-prussia"),
        e.Recruited("prussia", 3, cards("♠10", "R"), {FRIEDRICH: 1, LEOPOLD: 2}),
        e.GeneralEntered(LEOPOLD, city("Berlin")),
        e.Stacked(city("Berlin"), LEOPOLD),
        e.StageBegan(6, "winter-austria"),
        e.Recruited("austria", 1, cards("♣5"), {NEIPPERG: 1}),
        e.GameEnded("maria-theresa", "survival", {"france": 3, "prussia": 7}),
        e.GameEnded(None, "divided", {"france": 3, "prussia": 12}),
    ]


EVENTS: list[e.Event] = [*setting_out(), *hussars_and_supply(), *movement(), *combat(), *winter()]

PLACES = {FRIEDRICH: city("Schweidnitz"), SCHWERIN: city("Schweidnitz"), LEOPOLD: city("Neisse"), KARL: city("Vienna")}

DECISIONS: list[Decision] = [
    Allot("prussia", 22, {FRIEDRICH: 1, LEOPOLD: 4}, 8),
    Arrange("prussia", ((FRIEDRICH, SCHWERIN),)),
    PlaceHussars("austria", (city("Jauer"), OFF), way("Teschen", "Pilsen")),
    PlaceHussars("austria", (OFF, OFF), ()),
    Subsidy("france", "bavaria"),
    Toll("prussia", (Claim(LEOPOLD, way("Glatz", "Schweidnitz")), Claim(SCHWERIN, way("Jauer"))), cards("♠4")),
    March("prussia", (FRIEDRICH, SCHWERIN, PRUSSIAN_TRAIN), {PRUSSIAN_TRAIN: way("Berlin")}),
    March("prussia", (), {}),
    ChooseBattle("prussia", (Pairing(city("Glatz"), city("Nachod")), Pairing(city("Prag"), city("Kolin")))),
    PlayCard("austria", -2, 1, cards("♦3", "♦10", "R"), must=False),
    PlayCard("austria", 0, 1, cards("♦3", "R", "R"), must=True),
    PlayCard("austria", -2, 1, (), must=False),
    ChooseRetreat("austria", (FRIEDRICH, SCHWERIN), city("Schweidnitz"), 2, way("Liegnitz", "Neumarkt")),
    Recruit("prussia", cards("♠4"), {FRIEDRICH: 3, SCHWERIN: 0, LEOPOLD: 8}, {LEOPOLD: way("Berlin")}),
]
