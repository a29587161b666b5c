"""Which events of FRIEDRICH make one paragraph, and which make one sentence."""

from __future__ import annotations

from pbem.engine.events import (
    BattleJoined,
    BattleWon,
    CardPlayed,
    CardsDrawn,
    DeckShuffled,
    Event,
    GameEnded,
    GeneralEntered,
    GeneralRemoved,
    Recruited,
    RetreatImpossible,
    Stacked,
    SupplyLost,
    TrainReentered,
    TrainTaken,
)
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
ENTRIES: Types = (GeneralEntered, TrainReentered, Stacked)
DRAWING: Types = (DeckShuffled, CardsDrawn, CardsReturned)
CHANGING_HANDS: Types = (CardOffered, CardGiven, CardReceived, NothingCame)
STROKE: Types = (PowerQuit, GeneralRetired, PlayerChanged, VictoryEased, OffensiveFailed)
VERSION: Types = (
    TroopGained, TroopLost, NothingCame, CardReplaced, DeckShuffled, CardsDrawn, StackCutOff,
    Shifted, TrainTaken, Stacked, *CHANGING_HANDS,
)  # fmt: skip

FOLLOWERS: dict[type[Event], Types] = {
    **dict.fromkeys((BattleJoined, CardPlayed, BattleWon, RetreatImpossible), OPTION),
    **dict.fromkeys((Recruited, GeneralEntered, TrainReentered), ENTRIES),
    **dict.fromkeys(DRAWING, (CardsReturned,)),
    **dict.fromkeys((CardsThrown, FateShuffled), (DeckShuffled, CardsThrown, FateShuffled)),
    SupplyLost: (SupplyLost,),
    Starved: (GeneralRemoved, *OPTION),
    FateDrawn: (*STROKE, *VERSION),
    **dict.fromkeys(CHANGING_HANDS, CHANGING_HANDS),
    CardReplaced: DRAWING,
    Shifted: (TrainTaken, Stacked),
    GeneralRetired: STROKE,
    OffensiveCardTaken: OPTION,
    WonTogether: (GameEnded,),
}
"""Which events belong into the paragraph that an event of the first type has begun, besides those of every game."""

IN_ONE_SENTENCE: Types = (SupplyLost, FateShuffled)
"""The types whose events make one sentence wherever they are neighbours."""
