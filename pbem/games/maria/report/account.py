"""Grouping of MARIA's events into paragraphs and sentences."""

from __future__ import annotations

from pbem.engine import events as e
from pbem.games.maria.rules.events import (
    CardsLaidAside,
    CardsRegained,
    CorpsReturned,
    ElectionCalled,
    EmperorElected,
    IncomeChanged,
    InfluenceCovered,
    InfluencePlaced,
    InfluenceRanked,
    InfluenceReturned,
    InfluenceShown,
    InfluenceSpent,
    MarkersLost,
    MarkersReleased,
    MarkersTaken,
    MarkersWon,
    PeaceAnswered,
    PeaceOffered,
    PoliticsConserved,
    PoliticsDiscarded,
    PoliticsRevealed,
    PoliticsSelected,
    PowerLeft,
    Relocated,
    SilesiaCeded,
    StatusChanged,
    SubsidyDecided,
    SubsidyEnded,
    SubsidyPaid,
    TollPaid,
    TrackShifted,
    TroopsGranted,
    TrumpDrawn,
    TrumpNamed,
    VotesCast,
)
from pbem.report.game_report import Types

POINTS: Types = (MarkersWon, MarkersLost, MarkersReleased)
CARDS: Types = (e.DeckShuffled, e.CardsDrawn, e.IncomeLost)
DEALINGS: Types = (SubsidyPaid, SubsidyEnded, CardsLaidAside)
TRUMP: Types = (e.DeckShuffled, TrumpDrawn, TrumpNamed)
SHOWING: Types = (InfluenceShown, InfluenceRanked)
GAINS: Types = (e.DeckShuffled, e.CardsDrawn, IncomeChanged, e.Conquered, *POINTS)
CHANGING_SIDES: Types = (StatusChanged, MarkersTaken, *POINTS)
LEAVING: Types = (PowerLeft, MarkersTaken, CardsRegained)

FOLLOWERS: dict[type[e.Event], Types] = {
    **dict.fromkeys((e.Marched, e.Conquered, e.SupplyLost, e.BattleJoined, e.CardPlayed, e.BattleWon, *POINTS), POINTS),
    **dict.fromkeys(CARDS, DEALINGS),
    SubsidyDecided: (*CARDS, *DEALINGS),
    TollPaid: (e.SupplyTraced, e.SupplyRestored),
    **dict.fromkeys(DEALINGS, (*CARDS, *DEALINGS)),
    TroopsGranted: (e.GeneralEntered, e.TrainTaken, e.HussarRemoved, e.Stacked),
    ElectionCalled: (ElectionCalled, PoliticsRevealed, *TRUMP),
    PoliticsRevealed: TRUMP,
    InfluencePlaced: (InfluencePlaced, *SHOWING),
    InfluenceShown: SHOWING,
    PoliticsSelected: (InfluenceSpent, *GAINS),
    PoliticsConserved: (PoliticsConserved, PoliticsDiscarded),
    InfluenceReturned: (InfluenceReturned,),
    InfluenceCovered: (InfluenceCovered,),
    **dict.fromkeys((TrackShifted, StatusChanged, MarkersTaken), CHANGING_SIDES),
    Relocated: (Relocated, e.HussarRemoved, e.Stacked),
    CorpsReturned: (e.HussarRemoved, e.Stacked),
    PeaceOffered: (PeaceAnswered,),
    VotesCast: (VotesCast, EmperorElected, *POINTS),
    EmperorElected: POINTS,
    SilesiaCeded: LEAVING,
    PowerLeft: LEAVING,
}
"""Types of events that join a paragraph begun by an event of the first type, besides those of every game."""

IN_ONE_SENTENCE: Types = (
    InfluencePlaced,
    InfluenceShown,
    InfluenceReturned,
    InfluenceCovered,
    PoliticsConserved,
    VotesCast,
    Relocated,
)
"""Types whose neighbouring events make one sentence."""
