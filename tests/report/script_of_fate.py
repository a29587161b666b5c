"""A scripted piece of a game of FRIEDRICH in which everything happens that only this game tells or asks."""

from __future__ import annotations

from pbem.engine import events as e
from pbem.engine.board import SUITS
from pbem.engine.decisions import Decision
from pbem.engine.field import OFF
from pbem.games.friedrich.rules import events as f
from pbem.games.friedrich.rules import events as fate
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.decisions import ChooseCities, ChooseGeneral, GiveCard, Levy, ReturnCards, ShiftPieces
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import load_rules

RULES = load_rules(Terms(expert=True))
COMMON = RULES.common
LEXICON = Lexicon(RULES)

FRIEDRICH, KEITH, SEYDLITZ = (LEXICON.piece(name) for name in ("Friedrich", "Keith", "Seydlitz"))
DAUN, LAUDON, LEHWALDT = (LEXICON.piece(name) for name in ("Daun", "Laudon", "Lehwaldt"))
SALTIKOV, FERMOR = LEXICON.piece("Saltikov"), LEXICON.piece("Fermor")
TRAIN = LEXICON.piece("prussia train 2")
CLUBS, DIAMONDS, HEARTS, SPADES = range(len(SUITS))


def city(name: str) -> int:
    """A city by its name."""
    return LEXICON.city(name)


def way(*names: str) -> tuple[int, ...]:
    """Cities by their names."""
    return tuple(city(name) for name in names)


def cards(*written: str) -> tuple[int, ...]:
    """Cards of the first deck; a Reserve is `R`."""
    return tuple(LEXICON.copies(LEXICON.card(each))[0] for each in written)


def setting_out() -> list[e.Event]:
    """The Cards of Fate are stacked in either way, and the first cards drawn."""
    return [
        fate.FateShuffled(1, 18),
        fate.FateShuffled(1, 15),
        fate.FateShuffled(2, 14),
        e.TroopsAllotted("sweden", {LEXICON.piece("Ehrensvärd"): 4}),
        e.TurnBegan(3),
        e.StageBegan(3, "prussia"),
        e.CardsDrawn("prussia", 2, cards("♠12", "♥3")),
        fate.OffensiveDeclared("prussia", *cards("♠12")),
        fate.OffensiveDeclined("prussia", way("Prag", "Eger")),
        fate.OffensiveDeclined("prussia", ()),
        e.StageBegan(3, "france"),
        e.CardsDrawn("france", 3, cards("♥4", "♣2", "♦7")),
        f.CardsReturned("france", 1, cards("♣2")),
    ]


def a_stage() -> list[e.Event]:
    """Recruits, a defeat that costs the option, and hunger."""
    return [
        e.StageBegan(4, "prussia"),
        e.Recruited("prussia", 2, cards("♠10", "R"), {KEITH: 1, SEYDLITZ: 1}),
        e.TrainReentered(TRAIN, city("Berlin"), OFF, ()),
        e.GeneralEntered(SEYDLITZ, city("Potsdam")),
        e.Recruited("prussia", 0, cards("♠6"), {}),
        e.TrainReentered(TRAIN, city("Berlin"), OFF, ()),
        e.BattleJoined((FRIEDRICH,), (DAUN,), city("Prag"), city("Kolin"), 3, 7, -4),
        e.BattleWon((DAUN,), (FRIEDRICH,), "austria", "prussia", 4, 3),
        fate.OffensiveCardTaken("austria", *cards("♠12")),
        fate.OffensiveFailed("prussia", way("Prag")),
        fate.OffensiveFailed("prussia", ()),
        e.SupplyLost(KEITH, 0),
        e.SupplyLost(SEYDLITZ, 0),
        f.Starved((FRIEDRICH,), city("Tabor"), 1),
        e.GeneralRemoved(FRIEDRICH, city("Tabor")),
        f.Starved((KEITH, SEYDLITZ), city("Prag"), 5),
        e.GeneralRemoved(KEITH, city("Prag")),
        e.GeneralRemoved(SEYDLITZ, city("Prag")),
        fate.GarrisonMissing("russia", "prussia", way("Ortelsburg", "Riesenburg")),
    ]


def versions() -> list[e.Event]:
    """Cards of Fate that do something at once."""
    return [
        e.StageBegan(6, "fate"),
        f.CardsThrown(5),
        fate.FateDrawn(1, HEARTS),
        fate.CardOffered("austria", "russia", True, *cards("♥10")),
        fate.CardOffered("russia", "austria", True, *cards("♣2")),
        fate.CardGiven("austria", "russia", *cards("♥10")),
        fate.CardReceived("russia", "austria", *cards("♥10")),
        fate.FateDrawn(1, HEARTS),
        fate.CardOffered("austria", "russia", False, None),
        fate.NothingCame(1, HEARTS),
        fate.FateDrawn(4, HEARTS),
        fate.CardReplaced("france", *cards("♦3")),
        e.CardsDrawn("france", 1, cards("♦13")),
        fate.FateDrawn(8, SPADES),
        fate.TroopGained("prussia", KEITH),
        fate.FateDrawn(8, DIAMONDS),
        fate.TroopLost("austria", DAUN),
        fate.FateDrawn(6, DIAMONDS),
        fate.StackCutOff((KEITH, SEYDLITZ), city("Kolin")),
        fate.FateDrawn(6, SPADES),
        fate.Shifted((LAUDON,), city("Prag"), city("Kolin")),
        fate.FateDrawn(6, HEARTS),
        fate.FateDrawn(9, SPADES),
        fate.StackCutOff((SALTIKOV,), city("Warszawa")),
    ]


def strokes() -> list[e.Event]:
    """Strokes of fate, and the end."""
    return [
        e.StageBegan(9, "fate"),
        fate.FateDrawn(15, None),
        fate.PowerQuit("russia", took_part=True),
        fate.GeneralRetired(LEHWALDT, city("Königsberg (Ostpreußen)"), 0),
        fate.PlayerChanged("imperial", "elisabeth"),
        fate.VictoryEased("sweden"),
        fate.FateDrawn(16, None),
        fate.PowerQuit("sweden", took_part=False),
        fate.GeneralRetired(KEITH, OFF, 2),
        e.GameEnded("frederick", "survival", {}),
        f.WonTogether(("elisabeth", "maria-theresa")),
        e.GameEnded("elisabeth", "goals", {"russia": 10, "austria": 16}),
    ]


EVENTS: list[e.Event] = [*setting_out(), *a_stage(), *versions(), *strokes()]

PLACES = {FRIEDRICH: city("Berlin"), KEITH: city("Potsdam"), SEYDLITZ: city("Potsdam"), DAUN: city("Prag")}

DECISIONS: list[Decision] = [
    ReturnCards("france", cards("♣2", "♦7", "R"), 1),
    Levy("prussia", cards("♠4"), 6, 5, {KEITH: 3, SEYDLITZ: 0, FRIEDRICH: 8}, {FRIEDRICH: way("Berlin")}, False),
    Levy("prussia", cards("♠4"), 8, 0, {KEITH: 3}, {TRAIN: way("Berlin", "Potsdam")}, True),
    ChooseGeneral("prussia", "gain", (KEITH, SEYDLITZ)),
    ChooseGeneral("prussia", "loss", (KEITH, SEYDLITZ)),
    ChooseGeneral("prussia", "removal", (KEITH, LEHWALDT)),
    GiveCard("austria", "swap", "russia", cards("♠4"), True),
    GiveCard("prussia", "plunder", "austria", cards("♠4"), True),
    GiveCard("france", "redraw", "", cards("♠4"), False),
    GiveCard("prussia", "offensive", "austria", cards("♠12", "R"), True),
    GiveCard("prussia", "offensive", "austria", (), True),
    ShiftPieces("austria", "advance", (LAUDON,), city("Prag"), way("Kolin")),
    ShiftPieces("prussia", "sidestep", (KEITH, SEYDLITZ), city("Dresden"), way("Meißen")),
    ShiftPieces("prussia", "rout", (LEXICON.piece("Hildburghausen"),), city("Leipzig"), way("Halle")),
    ChooseCities("austria", "blockade", way("Dresden", "Pirna"), 1),
    ChooseCities("prussia", "garrison", way("Ortelsburg", "Riesenburg", "Rastenburg"), 2),
]
