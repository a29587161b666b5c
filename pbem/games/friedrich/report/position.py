"""Reports of FRIEDRICH: facts for the sentences about events, and the parts of positions, in words and in pictures,
that only FRIEDRICH has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from pbem.engine import events as e
from pbem.engine.board import SUITS
from pbem.engine.decisions import Decision
from pbem.engine.events import Event
from pbem.engine.nouns import Power, Suit
from pbem.faults.nouns import nouns
from pbem.games.friedrich.paper.library import load_fate
from pbem.games.friedrich.rules import events as friedrich
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.decisions import ChooseCities, ChooseGeneral, GiveCard, Levy, ShiftPieces
from pbem.games.friedrich.rules.fate_data import FateData
from pbem.games.friedrich.rules.game import FateView, OffensiveView, View
from pbem.games.friedrich.rules.game import view as table_view
from pbem.games.friedrich.rules.state import Table
from pbem.report import blocks
from pbem.report.language.templates import Macros, capital, macros_of, squeeze
from pbem.report.picture.position import Fact, MapMargin, PictureWords, Tallies
from pbem.report.telling import Types, owner


def turns_war(event: Event) -> bool:
    """True if in this event a power leaves the war, gets another player, or can win more easily."""
    return (isinstance(event, friedrich.PowerQuit) and event.took_part) or isinstance(
        event, friedrich.PlayerChanged | friedrich.VictoryEased
    )


def looked_up_facts(rules: FriedrichRules, occurrence: Event | Decision) -> dict[str, object]:
    """Return the facts that a report adds to an event: the owner of its pieces, or the words of its Card of Fate. For
    recruits, return the room of each general, which is no more than the troops that may still be recruited."""
    match occurrence:
        case Levy(most=most, room=room):
            return {"room": {blocks.piece(rules.common, piece): min(free, most) for piece, free in room.items()}}
        case friedrich.FateDrawn(card, suit):
            return fate_card(rules.fate, card, suit) | strokes_facts(rules, card)
        case friedrich.NothingCame(card, suit):
            return {"title": fate_card(rules.fate, card, suit)["title"]}
        case friedrich.StackCutOff(pieces) | friedrich.Shifted(pieces) | friedrich.Starved(pieces):
            return {"power": owner(rules.common, pieces[0])}
        case friedrich.GeneralRetired(piece):
            return {"power": owner(rules.common, piece)}
    return {}


def strokes_facts(rules: FriedrichRules, stroke: int) -> dict[str, object]:
    """Return facts on one and on two strokes of fate that have the same effects as the given stroke. `incomes` has the
    cards of a turn for each power whose income changes: after one stroke, and after two if the power does not leave
    the game then. `leaves` has each power that leaves after two, with the general who then leaves with it."""
    both = [each for each in rules.fate.departures if stroke in each.strokes and len(each.strokes) == 2]
    leaves = {each.power: each.removal.general for each in both if each.power in rules.powers}
    found = {power: rules.income(power) for power in rules.powers}
    incomes = {
        power: list(facts.income[1 : 2 if power in leaves else None])
        for power, facts in found.items()
        if stroke in facts.cut_by
    }
    return {"incomes": incomes, "leaves": leaves}


def fate_card(fate: FateData, number: int, suit: Suit | None) -> dict[str, object]:
    """Return the title of a Card of Fate, and the effect that it has in this suit. For a stroke, `suit` and the effect
    are None."""
    if suit is None:
        return {"title": next(stroke.title for stroke in fate.strokes if stroke.number == number), "effect": None}
    version = fate.version(number, SUITS[suit])
    return {"title": version.title, "effect": blocks.plain_data(version.effect)}


OPTION: Types = (friedrich.OffensiveCardTaken, friedrich.OffensiveFailed)
ENTRIES: Types = (e.GeneralEntered, e.TrainReentered, e.Stacked)
DRAWING: Types = (e.DeckShuffled, e.CardsDrawn, friedrich.CardsReturned)
CHANGING_HANDS: Types = (friedrich.CardOffered, friedrich.CardGiven, friedrich.CardReceived, friedrich.NothingCame)
STROKE: Types = (
    friedrich.PowerQuit,
    friedrich.GeneralRetired,
    friedrich.PlayerChanged,
    friedrich.VictoryEased,
    friedrich.OffensiveFailed,
)
VERSION: Types = (
    friedrich.TroopGained, friedrich.TroopLost, friedrich.NothingCame, friedrich.CardReplaced, friedrich.StackCutOff,
    friedrich.Shifted, e.DeckShuffled, e.CardsDrawn, e.TrainTaken, e.Stacked, *CHANGING_HANDS,
)  # fmt: skip

FOLLOWERS: dict[type[e.Event], Types] = {
    **dict.fromkeys((e.BattleJoined, e.CardPlayed, e.BattleWon, e.RetreatImpossible), OPTION),
    **dict.fromkeys((e.Recruited, e.GeneralEntered, e.TrainReentered), ENTRIES),
    **dict.fromkeys(DRAWING, (friedrich.CardsReturned,)),
    **dict.fromkeys(
        (friedrich.CardsThrown, friedrich.FateShuffled), (e.DeckShuffled, friedrich.CardsThrown, friedrich.FateShuffled)
    ),
    e.SupplyLost: (e.SupplyLost,),
    friedrich.Starved: (e.GeneralRemoved, *OPTION),
    friedrich.FateDrawn: (*STROKE, *VERSION),
    **dict.fromkeys(CHANGING_HANDS, CHANGING_HANDS),
    friedrich.CardReplaced: DRAWING,
    friedrich.Shifted: (e.TrainTaken, e.Stacked),
    friedrich.GeneralRetired: STROKE,
    friedrich.OffensiveCardTaken: OPTION,
    friedrich.WonTogether: (e.GameEnded,),
}
"""Types of events that continue a paragraph, keyed by the type of the event that begins it. Types that continue it in
every game are left out."""

IN_ONE_SENTENCE: Types = (friedrich.FateShuffled,)
"""Types of events that are told in one sentence if several of them follow each other."""


def view_data(rules: FriedrichRules, view: View) -> dict[str, object]:
    """Return the parts of a position that only FRIEDRICH has, as plain data for reports."""
    terms, result = view.terms, view.result
    return {
        "terms": {
            "game": terms.game,
            "scenario": terms.scenario,
            "title": rules.scenario.title,
            "expert": rules.expert,
            "fate_order": terms.fate_order,
            "board": terms.board,
            "fate_file": terms.fate,
            "decks": terms.decks,
            "east_prussia": terms.east_prussia,
            "rulings": dict(terms.rulings),
        },
        "allegiances": {
            power: {"player": now.player, "side": now.side, "has_quit": now.has_quit}
            for power, now in view.allegiances.items()
        },
        "goals": goals_data(view),
        "most_troops": dict(view.most_troops),
        "income": {power: {"cards": cards, "returned": back} for power, (cards, back) in view.income.items()},
        "cut_off": list(view.cut_off),
        "fate": fate_data(rules, view.fate),
        "result": None if result is None else {
            "winner": result.winner, "others": list(result.others), "how": result.how, "held": result.held,
        },
    }  # fmt: skip


def goals_data(view: View) -> dict[str, dict[str, object]]:
    eased = view.fate.eased
    return {power: {"held": held, "needed": n, "eased": power in eased} for power, (held, n) in view.goals.items()}


def at_stake(table: Table, decision: Decision, language: str) -> tuple[str, ...]:
    """Return lines of text with public facts that help a player to decide, such as the latest Card of Fate. For most
    decisions the result is empty."""
    view = table_view(table, (decision.power,))
    said, fate = macros_of(language, "friedrich", "position_words.txt.j2"), fate_data(table.rules, view.fate)
    told: tuple[object, ...] = ()
    clock = f"{said.clock()} · {said.cards_left(fate)}"
    match decision:
        case Levy(early=False):
            goals = macros_of(language, "friedrich", "aim_words.txt.j2").goals(goals_data(view).items())
            told = (f"{said.objectives()} · {goals}.", clock)
        case GiveCard(reason="offensive") if view.fate.offensive:
            option = offensive_data(table.rules, view.fate.offensive)
            told = (said.holds(decision.power, option | {"eased": False}), clock)
        # Stepping aside follows from an earlier Card of Fate, and a garrison from none. So the latest card is not told
        # there.
        case (
            ChooseGeneral() | GiveCard() | ChooseCities(reason="blockade") | ShiftPieces(reason="advance" | "rout")
        ) if fate["latest"]:
            told = (said.latest(fate),)
    return tuple(squeeze(str(each)) for each in told)


def fate_data(rules: FriedrichRules, seen: FateView) -> dict[str, object]:
    titles = {stroke.number: stroke.title for stroke in rules.fate.strokes}
    latest = None
    if seen.drawn is not None:
        suit = None if seen.version is None else blocks.suit(seen.version)
        latest = {"card": seen.drawn, "suit": suit, **fate_card(rules.fate, seen.drawn, seen.version)}
    return {
        "left": seen.left,
        "strokes": [{"card": number, "title": titles[number]} for number in seen.out],
        "in_force": [
            {"card": entry.card, "suit": blocks.suit(entry.suit), "until": entry.until, "used": entry.used}
            | fate_card(rules.fate, entry.card, entry.suit)
            for entry in seen.in_force
        ],
        "quit": list(seen.quit),
        "eased": list(seen.eased),
        "victor": None if seen.winner is None else blocks.piece(rules.common, seen.winner),
        "latest": latest,
        "offensive": offensive_data(rules, seen.offensive) if seen.offensive else None,
    }


def offensive_data(rules: FriedrichRules, seen: OffensiveView) -> dict[str, object]:
    return {
        "power": rules.fate.offensive.power,
        "against": rules.fate.offensive.against,
        "turn": rules.fate.offensive.turn,
        **msgspec.structs.asdict(seen),
        "card": None if seen.card is None else blocks.notation(seen.card, with_deck=True),
    }


def counts_by_power(view: View) -> dict[str, dict[Power, int]]:
    """Return the number of objectives that each power holds. The only key of the result is `objectives`."""
    return {"objectives": {power: held for power, (held, _) in view.goals.items()}}


TEMPLATE = "picture_game.txt.j2"


def texts_beside_map(seen: View, words: PictureWords, language: str, folder: Path | None) -> MapMargin:
    say = macros_of(language, seen.terms.game, TEMPLATE)
    fate = load_fate(seen.terms.fate, folder)
    return MapMargin(
        caption=caption(seen, words, say),
        tallies=tuple(Tallies(say.HEADINGS[key], numbers) for key, numbers in numbers_of(seen, say).items()),
        facts=tuple(Fact(say.FACTS[key], squeeze(str(told))) for key, told in facts(seen, fate, words, say)),
    )


def caption(seen: View, words: PictureWords, say: Macros) -> str:
    """Return the caption of the picture: turn, stage and phase. The phase `clock` is left out."""
    stage = nouns(words.language)["stages"].get(seen.stage) or words.power(seen.stage)
    phase = [] if seen.phase == "clock" else [nouns(words.language)["phases"][seen.phase]]
    return " · ".join([str(say.turn(seen.turn)), capital(stage), *phase])


def numbers_of(seen: View, say: Macros) -> dict[str, dict[str, str]]:
    """Return the numbers to be printed beside the map, keyed by the key of their heading and by power. Powers that have
    quit have no troops and no hand."""
    powers = [power for power, now in seen.allegiances.items() if not now.has_quit]
    goals: dict[str, str] = {
        power: str((say.eased if power in seen.fate.eased else say.of)(*goal)) for power, goal in seen.goals.items()
    }
    return {
        "goals": goals,
        "troops": {power: str(say.of(seen.troops[power], seen.most_troops[power])) for power in powers},
        "hands": {power: str(seen.hand_sizes[power]) for power in powers},
    }


def facts(seen: View, fate: FateData, words: PictureWords, say: Macros) -> Iterator[tuple[str, object]]:
    """Yield the facts to be printed beside the map, such as the Card of Fate in force. Each comes with the key of its
    heading."""
    if seen.result:
        winners = [seen.result.winner, *seen.result.others]
        yield "winner", say.winner([name for name in winners if name])
    now = seen.fate
    latest = "" if now.drawn is None else card_words(fate, now.drawn, now.version, say)
    yield "clock", say.clock(latest, now.left)
    for entry in now.in_force:
        yield "in_force", say.in_force(card_words(fate, entry.card, entry.suit, say), entry.until, entry.used)
    if now.quit:
        yield "quit", say.quit([words.power(power) for power in now.quit])
    if now.offensive:
        yield "offensive", say.offensive(now.offensive, words.power(fate.offensive.against))


def card_words(fate: FateData, card: int, suit: Suit | None, say: Macros) -> str:
    """Return a Card of Fate in words: its title, its number and the suit of the version. A stroke has only a title."""
    return squeeze(str(say.fate_card(fate_card(fate, card, suit)["title"], card, suit)))
