"""Grouping of FRIEDRICH's events into paragraphs and sentences."""

from __future__ import annotations

from pbem.engine import events as e
from pbem.games.friedrich.rules.events import CardsReturned, CardsThrown, Starved, WonTogether
from pbem.games.friedrich.rules.fate_events import (
    CardGiven,
    CardOffered,
    CardReceived,
    CardReplaced,
    FateDrawn,
    FateShuffled,
    GeneralRetired,
    NothingCame,
    OffensiveCardTaken,
    OffensiveFailed,
    PlayerChanged,
    PowerQuit,
    Shifted,
    StackCutOff,
    TroopGained,
    TroopLost,
    VictoryEased,
)
from pbem.report.game_report import Types

OPTION: Types = (OffensiveCardTaken, OffensiveFailed)
ENTRIES: Types = (e.GeneralEntered, e.TrainReentered, e.Stacked)
DRAWING: Types = (e.DeckShuffled, e.CardsDrawn, CardsReturned)
CHANGING_HANDS: Types = (CardOffered, CardGiven, CardReceived, NothingCame)
STROKE: Types = (PowerQuit, GeneralRetired, PlayerChanged, VictoryEased, OffensiveFailed)
VERSION: Types = (
    TroopGained, TroopLost, NothingCame, CardReplaced, e.DeckShuffled, e.CardsDrawn, StackCutOff,
    Shifted, e.TrainTaken, e.Stacked, *CHANGING_HANDS,
)  # fmt: skip

FOLLOWERS: dict[type[e.Event], Types] = {
    **dict.fromkeys((e.BattleJoined, e.CardPlayed, e.BattleWon, e.RetreatImpossible), OPTION),
    **dict.fromkeys((e.Recruited, e.GeneralEntered, e.TrainReentered), ENTRIES),
    **dict.fromkeys(DRAWING, (CardsReturned,)),
    **dict.fromkeys((CardsThrown, FateShuffled), (e.DeckShuffled, CardsThrown, FateShuffled)),
    e.SupplyLost: (e.SupplyLost,),
    Starved: (e.GeneralRemoved, *OPTION),
    FateDrawn: (*STROKE, *VERSION),
    **dict.fromkeys(CHANGING_HANDS, CHANGING_HANDS),
    CardReplaced: DRAWING,
    Shifted: (e.TrainTaken, e.Stacked),
    GeneralRetired: STROKE,
    OffensiveCardTaken: OPTION,
    WonTogether: (e.GameEnded,),
}
"""Types of events that join a paragraph begun by an event of the first type, besides those of every game."""

IN_ONE_SENTENCE: Types = (e.SupplyLost, FateShuffled)
"""Types whose neighbouring events make one sentence."""
