"""Events and decisions of MARIA in reports: facts for sentences, paragraphs, and hints on an order sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from pbem.bots.plain import level_troops
from pbem.engine import events as e
from pbem.engine.cards import is_reserve, points, suit_of, value_of
from pbem.engine.decisions import Allot, Allotment, Decision
from pbem.engine.events import Event
from pbem.engine.field import ASIDE, OFF, Field, are_enemies, at_home
from pbem.engine.nouns import NO_POWER, Card, City, Piece, Power
from pbem.engine.rules import Rules
from pbem.engine.supply import SupplyObstacles, obstacles_of, trace
from pbem.engine.table import deep_copy, player_of, powers_of_player
from pbem.games.maria.report.politics import (
    announced_box,
    changed_by,
    gain_words,
    is_open,
    offer_in_words,
    printed_card,
    way_words,
    ways_of,
)
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules import events as maria
from pbem.games.maria.rules.contracts import base_income
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.decisions import Politics, SelectPolitics
from pbem.games.maria.rules.defection import leader_of
from pbem.games.maria.rules.politics import card_facts
from pbem.games.maria.rules.politics_data import CardShift, Grant, Political, PoliticalCard, PoliticsData
from pbem.games.maria.rules.state import Table, affairs_of, start_city
from pbem.report import blocks
from pbem.report.printed import PrintedCard
from pbem.report.telling import Types, Worth, owner


def looked_up_facts(rules: MariaRules, occurrence: Event | Decision) -> dict[str, object]:
    """Return the facts that a report adds to an event or a decision: the power of a piece, the worth of cards, titles
    of political cards, the new `leader` of Saxony and the leader's `player`, or the changed `income` of powers."""
    match occurrence:
        case maria.PoliticsRevealed(numbers) | maria.PoliticsDiscarded(numbers) | d.SelectPolitics(_, numbers):
            return {"titles": [title(rules.politics, number) for number in numbers]}
        case maria.PoliticsSelected(_, number):
            return {"title": title(rules.politics, number)}
        case maria.Relocated(piece):
            return {"power": owner(rules.common, piece)}
        case maria.TrackShifted(track, start, end):
            return {"income": income_changed(rules, track, start, end)}
        case maria.CorpsSent() | maria.TollPaid() | maria.HandShown():
            return {"worth": points(rules.common.decks, occurrence.cards)}
        case maria.StatusChanged(power, status) if power == rules.game.advanced.defection.power:
            leader = leader_of(rules, status)
            return {"leader": leader, "player": rules.player_of(leader)} if leader else {}
    return {}


def income_changed(rules: MariaRules, track: str, start: int, end: int) -> dict[str, int]:
    """Return the number of cards by which the income of each power changes, if a track's marker goes from one box to
    another. Saxony is left out, because its income depends on its status."""
    boxes, change = rules.politics.tracks[track].boxes, Counter[str]()
    for box, sign in ((boxes[start - 1], -1), (boxes[end - 1], 1)):
        for icon in box.icons:
            if icon.kind == "income" and icon.power != rules.game.advanced.defection.power:
                change[icon.power] += sign * icon.cards
    return {power: cards for power, cards in change.items() if cards}


def turns_war(event: Event) -> bool:
    """True if in this event a power changes sides, leaves the war, or comes back to it (`GameReport.turns_war`)."""
    return isinstance(event, maria.StatusChanged | maria.PowerLeft)


def title(politics: PoliticsData, number: int) -> str:
    return politics.card_by_number[number].title


def asked_facts(rules: MariaRules, decision: Decision, language: str) -> dict[str, object]:
    """Return facts on a decision, by the kind of the decision:

    `SelectPolitics`: the `offers` in words; `has_instruction` and `has_shifts` are true if a card has one. `Allot`:
    `idle`, the generals who take no part, and `lost`, the fewest troops that must be given to them. `ChooseTrump`:
    `reserve`, the points for which a Reserve counts.

    `Subsidy`: `income` and `receives`, the cards that giver and receiver draw without it; `cards`, their number in the
    subsidy; `given_until`, the last turn in which it must be given.

    `SendCorps`: `price` and `troops` of a general off the map, and the `city` where a corps comes back."""
    match decision:
        case d.SelectPolitics():
            cards = [rules.politics.card_by_number[number] for number in decision.cards]
            offers = [offer_in_words(rules.politics, card.number, language) for card in cards]
            return {
                "offers": offers,
                "has_instruction": any(card.effects for card in cards),
                "has_shifts": any(card.shifts for card in cards),
            }
        case d.ChooseTrump():
            return {"reserve": rules.politics.reserve}
        case d.Subsidy(giver, receiver):
            # Without politics, nothing but the scenario changes an income (§8).
            subsidy = rules.game.subsidy
            given, got = (base_income(rules, power) for power in (giver, receiver))
            return {"income": given, "receives": got, "cards": subsidy.cards, "given_until": subsidy.fixed_turns}
        case d.SendCorps(power):
            board, advanced = rules.common.board, rules.game.advanced
            city = blocks.city(rules.common, board.index[board.data.off_map[power].city])
            return {"price": advanced.corps_price, "troops": advanced.corps_troops, "city": city}
        case Allot(_, troops, least, most):
            idle = idle_generals(rules, decision)
            room = most * (len(least) - len(idle))
            lost = max(troops - room, sum(least[general] for general in idle))
            return {"idle": blocks.pieces(rules.common, idle), "lost": lost}
    return {}


def idle_generals(rules: MariaRules, decision: Allot) -> list[Piece]:
    """Return the generals who take no part in the game, but get troops (§14). In games with politics there are none."""
    if rules.scenario.politics:  # A general in a box can come into play.
        return []
    starts = rules.common.board.data.setup[decision.power].generals
    start_of = dict(zip(rules.common.generals(decision.power), starts, strict=True))
    return [general for general in decision.least if start_city(rules, decision.power, start_of[general]) == ASIDE]


def better_beginning(table: Table, decision: Decision) -> Allotment | None:
    """Return an allotment that is better than the usual one: it gives the fewest troops to generals who take no part in
    the game, and spreads the other troops evenly. Return None if all generals take part, or if `decision` is not about
    an allotment."""
    idle = idle_generals(table.rules, decision) if isinstance(decision, Allot) else []
    if not isinstance(decision, Allot) or not idle:
        return None
    serving = {general: least for general, least in decision.least.items() if general not in idle}
    resting = {general: decision.least[general] for general in idle}
    spared = min(decision.troops - sum(resting.values()), decision.most * len(serving))
    troops = level_troops(serving, spared, decision.most)
    troops |= level_troops(resting, decision.troops - spared, decision.most)
    return Allotment({general: troops[general] for general in decision.least})


MOST = 6
"""Greatest number of cities in a hint for hussars."""


MOST_RAIDS = 3
"""Greatest number of placements of hussars that serve as examples."""


def raids_worth(table: Table, decision: d.PlaceHussars) -> Worth:
    """Return hints for placing hussars: examples of answers, and the cities through which most enemy generals are
    supplied. Each of these cities comes with the generals who are supplied through it."""
    rules, field = table.rules.common, deep_copy(table.state.field)
    field.hussars = [OFF] * len(field.hussars)
    open_to = {*decision.cities, *decision.standing} - {OFF}
    fed = {city: who for city, who in dependents(rules, field).items() if city in open_to}
    raided = sorted(fed, key=lambda city: (-len(fed[city]), city))[:MOST]
    cities, count = [*raided, *nearest_to_enemies(rules, field, open_to - {*raided})], len(decision.standing)
    answers = [d.HussarPlacement(tuple(cities[at : at + count])) for at in range(0, count * MOST_RAIDS, count)]
    raids = {blocks.city(rules, city): blocks.pieces(rules, fed[city]) for city in raided}
    return Worth(tuple(each for each in answers if len(each.cities) == count), {"raids": raids})


def nearest_to_enemies(rules: Rules, field: Field, cities: Iterable[City]) -> list[City]:
    """Return the cities sorted by their distance to the nearest enemy general."""
    foes = [
        piece.city
        for general in rules.all_generals
        if (piece := field.pieces[general]).city >= 0 and are_enemies(field, rules.pieces[general].power, rules.raiders)
    ]
    far = {city: min((rules.board.distance(foe)[city] for foe in foes), default=0) for city in cities}
    return sorted(far, key=lambda city: (far[city], city))


def dependents(rules: Rules, field: Field) -> Mapping[City, list[Piece]]:
    """Return the enemy generals who would pay a toll for hussars in a city, keyed by city. A general who
    can go round the city without toll is left out."""
    found: dict[City, list[Piece]] = {}
    for general in sorted(rules.all_generals):
        piece = field.pieces[general]
        if piece.city < 0 or not are_enemies(field, rules.pieces[general].power, rules.raiders):
            continue
        if not at_home(rules, field, general):
            barred = obstacles_of(rules, field, rules.pieces[general].power).barred
            for city in trace(rules, field, general) or ():
                if city in (trace(rules, field, general, SupplyObstacles(barred, {city})) or ()):
                    found.setdefault(city, []).append(general)
    return found


def worth_knowing(table: Table, decision: Decision) -> Worth:
    match decision:
        case d.PlaceHussars():
            return raids_worth(table, decision)
        case d.PlaceInfluence():
            return influence_worth(table, decision)
        case d.SelectPolitics():
            answers = sorted(serving_answers(table, decision), key=lambda each: not (each.instruction or each.shifts))
            return Worth(tuple(answers))
    return Worth()


def open_cards(table: Table, decision: Decision, language: str) -> tuple[PrintedCard, ...]:
    """Return the political cards of a decision as they are printed: those that may be selected, or all that lie
    face-up."""
    match decision:
        case d.SelectPolitics(_, numbers):
            return tuple(open_card(table, number, language) for number in numbers)
        case d.PlaceInfluence() | d.ChooseTrump():
            return tuple(open_card(table, number, language) for number in affairs_of(table).open)
    return ()


def open_card(table: Table, number: Political, language: str) -> PrintedCard:
    """Return a political card that lies face-up, with the boxes to which its arrows would lead now."""
    shifts = table.rules.politics.card_by_number[number].shifts
    arrows = [(each, gain_words(table, each, language), way_words(table, each, language)) for each in shifts]
    return printed_card(table.rules.politics, number, language, arrows)


def influence_worth(table: Table, decision: d.PlaceInfluence) -> Worth:
    """Return the hint for placing influence: the trump suit, and an answer for each card in hand. Trumps come first,
    then Reserves, then all other cards from the highest value to the lowest."""
    affairs = affairs_of(table)

    def last(card: Card) -> tuple[bool, bool, int]:
        return suit_of(card) != affairs.trump, not is_reserve(card), -value_of(card)

    trump = "" if affairs.trump is None else blocks.suit(affairs.trump)
    answers = tuple(d.Influence(card) for card in sorted(decision.hand, key=last))
    return Worth(answers, {"trump": trump})


POINTS: Types = (maria.MarkersWon, maria.MarkersLost, maria.MarkersReleased)
CARDS: Types = (e.DeckShuffled, e.CardsDrawn, e.IncomeLost)
DEALINGS: Types = (maria.SubsidyPaid, maria.SubsidyEnded, maria.CardsLaidAside)
TRUMP: Types = (e.DeckShuffled, maria.TrumpDrawn, maria.TrumpNamed)
SHOWING: Types = (maria.InfluenceShown, maria.InfluenceRanked)
GAINS: Types = (e.DeckShuffled, e.CardsDrawn, maria.IncomeChanged, e.Conquered, *POINTS)
CHANGING_SIDES: Types = (maria.StatusChanged, maria.MarkersTaken, *POINTS)
LEAVING: Types = (maria.PowerLeft, maria.MarkersTaken, maria.CardsRegained)

FOLLOWERS: dict[type[e.Event], Types] = {
    **dict.fromkeys((e.Marched, e.Conquered, e.SupplyLost, e.BattleJoined, e.CardPlayed, e.BattleWon, *POINTS), POINTS),
    **dict.fromkeys(CARDS, DEALINGS),
    maria.SubsidyDecided: (*CARDS, *DEALINGS),
    maria.TollPaid: (e.SupplyTraced, e.SupplyRestored),
    **dict.fromkeys(DEALINGS, (*CARDS, *DEALINGS)),
    maria.TroopsGranted: (e.GeneralEntered, e.TrainTaken, e.HussarRemoved, e.Stacked),
    maria.ElectionCalled: (maria.ElectionCalled, maria.PoliticsRevealed, *TRUMP),
    maria.PoliticsRevealed: TRUMP,
    maria.InfluencePlaced: (maria.InfluencePlaced, *SHOWING),
    maria.InfluenceShown: SHOWING,
    maria.PoliticsSelected: (maria.InfluenceSpent, *GAINS),
    maria.PoliticsConserved: (maria.PoliticsConserved, maria.PoliticsDiscarded),
    maria.InfluenceReturned: (maria.InfluenceReturned,),
    maria.InfluenceCovered: (maria.InfluenceCovered,),
    **dict.fromkeys((maria.TrackShifted, maria.StatusChanged, maria.MarkersTaken), CHANGING_SIDES),
    maria.Relocated: (maria.Relocated, e.HussarRemoved, e.Stacked),
    maria.CorpsReturned: (e.HussarRemoved, e.Stacked),
    maria.PeaceOffered: (maria.PeaceAnswered,),
    maria.VotesCast: (maria.VotesCast, maria.EmperorElected, *POINTS),
    maria.EmperorElected: POINTS,
    maria.SilesiaCeded: LEAVING,
    maria.PowerLeft: LEAVING,
}
"""Types of events that continue a paragraph, keyed by the type of the event that begins it. Types that continue it in
every game are left out."""

IN_ONE_SENTENCE: Types = (
    maria.InfluencePlaced,
    maria.InfluenceShown,
    maria.InfluenceReturned,
    maria.InfluenceCovered,
    maria.PoliticsConserved,
    maria.VotesCast,
    maria.Relocated,
)
"""Types of events that are told in one sentence if several of them follow each other."""


def serving_answers(table: Table, decision: SelectPolitics) -> Iterator[Politics]:
    """Yield an answer for each card that may be selected. The answer executes the instruction and the arrows that serve
    the player, or only discards the card where the rules forbid that."""
    for number in decision.cards:
        facts = card_facts(table, number)
        shifts = serving_shifts(table, decision.power, facts)
        is_whole = not table.rules.edition.partial_execution and len(facts.shifts) == 1
        if not decision.may_execute or (is_whole and not shifts):
            yield Politics(number)
        else:
            instruction = bool(facts.effects)
            yield Politics(number, instruction, shifts, grantee_of(table, decision.power, facts))


def serving_shifts(table: Table, power: Power, facts: PoliticalCard) -> dict[str, int]:
    """Return the steps of each arrow that serves the player of this power, keyed by the arrow's track."""
    best = {
        arrow.track: max((gain_by(table, power, arrow, steps), steps) for steps in ways_of(arrow))
        for arrow in facts.shifts
        if is_open(table, arrow)
    }
    return {track: steps for track, (gain, steps) in best.items() if gain > 0}


def gain_by(table: Table, power: Power, arrow: CardShift, steps: int) -> int:
    """Return the balance of an arrow for the player of `power`: 1 for each of his powers that gains and each enemy that
    loses, -1 for each of his powers that loses and each enemy that gains."""
    good, bad = changed_by(table, arrow.track, announced_box(table, arrow.track, steps))
    return sum(side_of(table, power, each) for each in good) - sum(side_of(table, power, each) for each in bad)


def side_of(table: Table, power: Power, other: Power) -> int:
    """Return 1 if the other power has the same player, -1 if it is an enemy, and 0 for all others."""
    if other in powers_of_player(table, player_of(table, power)):
        return 1
    return -1 if are_enemies(table.state.field, power, other) else 0


def grantee_of(table: Table, power: Power, facts: PoliticalCard) -> Power:
    """Return the receiver of a card's grant: the selecting `power` if it may receive the grant. Otherwise a power of
    the same player is preferred, then a power that is no enemy, then an enemy. Return `NO_POWER` if there is no
    choice."""
    grants = [set(effect.to) for effect in facts.effects if isinstance(effect, Grant) and len(effect.to) > 1]
    able = sorted(set.intersection(*grants), key=lambda each: (-side_of(table, power, each), each)) if grants else []
    return power if power in able else able[0] if able else NO_POWER
