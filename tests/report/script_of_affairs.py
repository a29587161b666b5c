"""Scripted pieces of an advanced game and of a Silesia Gambit: every event and every question that only they have."""

from __future__ import annotations

from pbem.engine import events as e
from pbem.engine.decisions import Decision
from pbem.engine.field import ASIDE
from pbem.games.maria.rules import events as m
from pbem.games.maria.rules.decisions import (
    AcceptPeace,
    CedeSilesia,
    ChooseTrump,
    OfferPeace,
    PlaceInfluence,
    ReduceObjectives,
    Reinforce,
    Relocate,
    SelectPolitics,
    SendCorps,
    ShiftSaxony,
    Vote,
)

from .script import (
    BROGLIE,
    FRIEDRICH,
    KARL,
    LEOPOLD,
    LEXICON,
    NEIPPERG,
    PRUSSIAN_TRAIN,
    RESERVE_CARD,
    SCHWERIN,
    TRAUN,
    cards,
    city,
    way,
)

RUTOWSKI, SAXON_TRAIN = LEXICON.piece("Rutowski"), LEXICON.piece("saxony train 1")
MAILLEBOIS = LEXICON.piece("Maillebois")
SPADES = 3


def political_stage() -> list[e.Event]:
    """Cards revealed, trump, influence, and what three powers make of it."""
    (nine,), (five,), (two,), (eight,) = (cards(written) for written in ("♠9", "♠5", "♦2", "♠8"))
    return [
        e.TurnBegan(5),
        e.StageBegan(5, "politics"),
        m.ElectionCalled(5),
        m.PoliticsRevealed((12, 8)),
        m.TrumpNamed("maria-theresa", SPADES),
        m.InfluencePlaced("prussia", True, nine),
        m.InfluencePlaced("france", True, RESERVE_CARD),
        m.InfluencePlaced("pragmatic", False, None),
        m.InfluencePlaced("austria", True, two),
        m.InfluenceShown("prussia", nine, True),
        m.InfluenceShown("france", RESERVE_CARD, True),
        m.InfluenceShown("austria", two, False),
        m.InfluenceRanked(("france", "pragmatic", "prussia"), {"france": 16, "pragmatic": 13, "prussia": 9}),
        m.PoliticsSelected("france", 12, True, {}),
        m.InfluenceSpent("france", (RESERVE_CARD,)),
        e.Conquered(city("Mannheim"), "france", "pragmatic", "france"),
        e.CardsDrawn("france", 1, cards("♥4")),
        m.TroopsGranted("france", 3, {BROGLIE: 3}),
        m.PoliticsSelected("pragmatic", 8, False, {"russia": 2}),
        m.InfluenceSpent("pragmatic", (eight, five)),
        m.InfluenceReturned("prussia", (nine,)),
        m.TrackShifted("russia", 2, 4),
        m.CorpsSent("prussia", SCHWERIN, ()),
        e.StageBegan(6, "politics"),
        m.InfluenceReturned("prussia", (nine,)),
        m.InfluenceReturned("austria", (two,)),
        m.PoliticsRevealed((24, 25)),
        m.TrumpDrawn((RESERVE_CARD, five), SPADES),
        m.InfluencePlaced("prussia", False, None),
        m.InfluencePlaced("france", True, two),
        m.InfluenceShown("france", two, False),
        m.InfluenceRanked((), {}),
        m.PoliticsDiscarded((24, 25)),
        m.TrackShifted("italy", 4, 2),
        m.MarkersWon("france", "italy", 1),
        m.MarkersLost("austria", "italy", 1),
        m.CorpsReturned("prussia", LEOPOLD, city("Landsberg an der Warthe")),
        m.CorpsSent("france", MAILLEBOIS, cards("♠8", "♦2")),
        e.StageBegan(7, "politics"),
        m.PoliticsRevealed((17,)),
        m.TrumpDrawn((), None),
        m.PoliticsSelected("austria", 17, False, {}),
        m.InfluenceSpent("austria", ()),
        m.IncomeChanged("pragmatic", -1, lasting=True),
        m.PoliticsConserved("france"),
        m.PoliticsConserved("prussia"),
        m.PoliticsDiscarded((14,)),
        m.InfluenceCovered("austria", (two, five)),
    ]


def election() -> list[e.Event]:
    """Votes, and a new emperor."""
    return [
        e.StageBegan(5, "election"),
        m.VotesCast("austria", 3, 0),
        m.VotesCast("prussia", 0, 2),
        m.VotesCast("france", 1, 2),
        m.VotesCast("pragmatic", 1, 0),
        m.EmperorElected("francis", 5),
        m.MarkersWon("austria", "emperor", 1),
        m.MarkersLost("france", "emperor", 1),
    ]


def annexation() -> list[e.Event]:
    """Points lost, peace for Silesia, Saxony neutral, objectives reduced, and the end of all that."""
    return [
        e.StageBegan(8, "prussia"),
        e.BattleJoined((KARL,), (FRIEDRICH,), city("Prag"), city("Kolin"), 5, 5, 4),
        e.BattleWon((KARL,), (FRIEDRICH,), "austria", "prussia", 4, 4),
        m.MarkersWon("austria", "battle", 1),
        m.MarkersLost("prussia", "battle", 1),
        e.Retreated((FRIEDRICH,), city("Kolin"), way("Pardubitz")),
        m.ShiftDeclined("austria", 1),
        m.PeaceOffered("prussia"),
        m.PeaceAnswered("austria", accepted=False),
        m.PeaceOffered("prussia"),
        m.PeaceAnswered("austria", accepted=True),
        m.TrackShifted("saxony", 2, 3),
        m.StatusChanged("saxony", "neutral"),
        m.MarkersTaken("austria", way("Dresden"), 0),
        m.MarkersTaken("prussia", way("Eger", "Prag", "Glatz"), 2),
        m.StatusChanged("prussia", "neutral"),
        m.MarkersWon("prussia", "silesia", 1),
        m.Relocated(FRIEDRICH, city("Pardubitz"), city("Jauer")),
        e.HussarRemoved(0, city("Jauer")),
        m.Relocated(SCHWERIN, city("Kolin"), city("Liegnitz")),
        m.Relocated(RUTOWSKI, ASIDE, city("Dresden")),
        m.Relocated(SAXON_TRAIN, ASIDE, city("Chemnitz")),
        e.StageBegan(8, "france"),
        m.MarkersTaken("france", way("Linz"), 1),
        e.Conquered(city("Linz"), "bavaria", "austria", "france"),
        m.MarkersReleased("france", 1),
        e.StageBegan(10, "prussia"),
        m.StatusChanged("prussia", "at war again"),
        m.TrackShifted("saxony", 4, 5),
        m.StatusChanged("saxony", "austrian ally"),
    ]


def contracts() -> list[e.Event]:
    """A subsidy from its offer to its end, leave to stack, and a promise."""
    return [
        m.SubsidyOffered("france", "prussia", 2),
        m.SubsidyAgreed("france", "prussia", 2),
        e.StageBegan(4, "france"),
        m.SubsidyPaid("france", "prussia"),
        e.CardsDrawn("prussia", 1, cards("♥10")),
        m.SubsidyEnded("france", "prussia", cancelled=False),
        e.CardsDrawn("france", 4, cards("♥4", "♣2", "♣3", "♦7")),
        m.SubsidyEnded("france", "bavaria", cancelled=True),
        m.StackingAllowed("austria", allowed=True),
        m.StackingAllowed("pragmatic", allowed=False),
        m.AgreementMade(("prussia", "france"), "We leave each other's trains alone until winter."),
    ]


def gambit() -> list[e.Event]:
    """Cards laid aside, peace refused, peace made."""
    return [
        e.StageBegan(3, "france"),
        e.CardsDrawn("france", 3, cards("♥4", "♣2", "♦3")),
        m.CardsLaidAside("france", 2),
        e.StageBegan(6, "cession"),
        m.SilesiaCeded("austria", ceded=False),
        m.SilesiaCeded("austria", ceded=True),
        m.PowerLeft("prussia"),
        m.MarkersTaken("prussia", way("Liegnitz", "Glogau"), 0),
        m.PowerLeft("saxony"),
        m.CardsRegained("france", 3, cards("♠9", "♥10", "♦7")),
    ]


def scores() -> list[e.Event]:
    """Winter scores, and the two ends of an advanced game."""
    return [
        e.StageBegan(12, "winter-france"),
        m.WinterScored(12),
        m.ScoresRevealed((
            {"prussia": 9, "france": 8, "pragmatic": 5, "austria": 4},
            {"prussia": 7, "france": 8, "pragmatic": 4, "austria": 2},
        )),
        e.GameEnded("maria-theresa", "scores", {"prussia": 16, "france": 16, "pragmatic": 9, "austria": 6}),
        e.GameEnded("frederick", "pools", {"prussia": -1, "france": 3, "pragmatic": 4, "austria": 0}),
    ]  # fmt: skip


AFFAIRS: list[e.Event] = [
    *political_stage(), *election(), *annexation(), *contracts(), *gambit(), *scores(),
]  # fmt: skip

POLITICAL_DECISIONS: list[Decision] = [
    ChooseTrump("austria"),
    PlaceInfluence("austria", cards("♠9")),
    SelectPolitics("france", (4, 25), may_execute=True),
    SelectPolitics("france", (24,), may_execute=False),
    SendCorps("prussia", (FRIEDRICH, SCHWERIN, LEOPOLD), (LEOPOLD,), cards("♠9")),
    SendCorps("prussia", (LEOPOLD,), (LEOPOLD,), cards("♠9")),
    Reinforce("austria", 3, {KARL: 2, TRAUN: 0, NEIPPERG: 8}, {NEIPPERG: way("Wien", "Prag")}),
    Reinforce("austria", 1, {KARL: 2}, {}),
    Relocate("prussia", SCHWERIN, way("Liegnitz", "Jauer")),
    Relocate("prussia", PRUSSIAN_TRAIN, way("Berlin")),
    ShiftSaxony("austria", 2),
    OfferPeace("prussia"),
    AcceptPeace("austria", "prussia"),
    ReduceObjectives("france", way("Prag", "Eger", "Tabor")),
    Vote("prussia", 2),
    CedeSilesia("austria"),
]
