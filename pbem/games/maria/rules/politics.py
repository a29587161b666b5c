"""Political stage (§17, and the optional rule of §25): political cards are revealed, the trump is named or drawn,
influence is placed, and cards are selected."""

from __future__ import annotations

from pbem.engine.cards import is_reserve, lift_cards, put_on_pile, suit_of, value_of
from pbem.engine.events import Event
from pbem.engine.nouns import Card, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import player_of
from pbem.faults.wrong import wrong
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules import events as e
from pbem.games.maria.rules.defection import status
from pbem.games.maria.rules.politics_data import Grant, Political, PoliticalCard
from pbem.games.maria.rules.state import Affairs, Table, affairs_of
from pbem.games.maria.rules.winter import apply_shifts, carry_out

OPEN_CARDS = 2


def card_facts(table: Table, number: int) -> PoliticalCard:
    return table.rules.politics.card_by_number[number]


def squares(table: Table) -> list[Power]:
    """Return the powers with a square on the political display, from left to right (§17.3)."""
    return [power for power in table.rules.politics.squares if power in table.rules.powers]


def begin(table: Table) -> list[Event]:
    """Begin the political stage: delete what counted only for the last turn, give back cards that were used to bluff,
    and reveal political cards until two are open. Then ask the winner of the latest combat to name the trump. If there
    was no combat yet, draw the trump."""
    affairs = affairs_of(table)
    affairs.income, affairs.executed, affairs.drawn, affairs.shifts = {}, [], [], {}
    events = take_back_covered(table) if table.rules.terms.bluffing else []
    events += reveal(table)
    if affairs.victor is not None:
        powers = [power for power in squares(table) if player_of(table, power) == affairs.victor]
        # If the winner plays several major powers, the one whose square is furthest left names the trump
        # (docs/rulings.md, §17.2).
        table.state.owing = powers[:1]
        return events
    return [*events, *draw_trump(table)]


def reveal(table: Table) -> list[Event]:
    """Turn political cards face-up until two lie open. The card of the Imperial Election is not one of the two (§17.1,
    §18)."""
    affairs = affairs_of(table)
    events: list[Event] = []
    affairs.open = []
    while len(affairs.open) < OPEN_CARDS and affairs.deck:
        number = affairs.deck.pop()
        if card_facts(table, number).election:
            affairs.election = True
            events.append(e.ElectionCalled(table.state.turn))
        else:
            affairs.open.append(number)
    return [*events, e.PoliticsRevealed(tuple(affairs.open))]


def draw_trump(table: Table) -> list[Event]:
    """Draw tactical cards until one has a suit: this suit is trump. If no card has a suit, there is no trump. The drawn
    cards are set aside (§17.2)."""
    cards = table.state.cards
    events: list[Event] = []
    shown: list[Card] = []
    for card in lift_cards(cards, table.rules.common.decks, table.dealer, events):
        shown.append(card)
        if not is_reserve(card):
            break
    for card in shown:
        put_on_pile(cards, card)
    # If only Reserves are left, there is no trump, and only Reserves count (docs/rulings.md, §17.2).
    suit = suit_of(shown[-1]) if shown and not is_reserve(shown[-1]) else None
    affairs_of(table).trump = suit
    return [*events, e.TrumpDrawn(tuple(shown), suit)]


def name_trump(table: Table, decision: d.ChooseTrump, answer: d.NameTrump) -> list[Event]:
    """Set the trump suit that was named by the player who won the latest combat. Raises `IllegalOrder` if
    `answer.suit` is not the number of a suit."""
    if not 0 <= answer.suit < 4:
        raise IllegalOrder(wrong("E-TRUMP-SUIT"), where=("suit",))
    affairs_of(table).trump = answer.suit
    table.state.owing = []
    return [e.TrumpNamed(player_of(table, decision.power), answer.suit)]


def begin_placing(table: Table) -> list[Event]:
    """Ask the powers to place influence (§17.3). They are asked one by one in the sequence of their squares, or all at
    once if the terms say so."""
    order = squares(table)
    table.state.owing = order if table.rules.terms.placing == "simultaneous" else order[:1]
    return []


def placing_decision(table: Table, power: Power) -> d.PlaceInfluence:
    return d.PlaceInfluence(power, tuple(table.state.cards.hands[power]))


def place(table: Table, decision: d.PlaceInfluence, answer: d.Influence) -> list[Event]:
    """Put the card that the power places face-down on the display; a power may also place no card. Then ask the next
    power. After the last power, turn all placed cards face-up. Raises `IllegalOrder` for a card that is not in the
    hand."""
    if answer.card is not None and answer.card not in decision.hand:
        raise IllegalOrder(wrong("E-CARD-HAND"), where=("card",))
    state, affairs = table.state, affairs_of(table)
    order = squares(table)
    state.owing.remove(decision.power)
    if answer.card is not None:
        state.cards.hands[decision.power].remove(answer.card)
        affairs.covered.setdefault(decision.power, []).append(answer.card)
    events: list[Event] = [e.InfluencePlaced(decision.power, answer.card is not None, answer.card)]
    later = order[order.index(decision.power) + 1 :]
    if table.rules.terms.placing == "in order" and later:
        state.owing = later[:1]
    return events if state.owing else [*events, *turn_up(table)]


def turn_up(table: Table) -> list[Event]:
    """Turn the placed cards face-up, and rank the powers by influence. A card that gives no influence goes back to the
    hand, or stays face-down if bluffing is allowed (§17.4, §25.5)."""
    affairs, bluffing = affairs_of(table), table.rules.terms.bluffing
    events: list[Event] = []
    for power in squares(table):
        for card in affairs.covered.pop(power, []):
            counts = is_reserve(card) or suit_of(card) == affairs.trump
            events.append(e.InfluenceShown(power, card, counts))
            if counts:
                affairs.display.setdefault(power, []).append(card)
            elif bluffing:
                affairs.covered.setdefault(power, []).append(card)
            else:
                return_to_hand(table, power, [card])
    return [*events, *rank(table)]


def return_to_hand(table: Table, power: Power, cards: list[Card]) -> None:
    hands = table.state.cards.hands
    hands[power] = sorted([*hands[power], *cards])


def influence(table: Table, power: Power) -> int:
    """Return the points of influence that a power has by its face-up cards on the display. The points of a Reserve are
    given in the politics file (§17.4)."""
    worth = table.rules.politics.reserve
    shown = affairs_of(table).display.get(power, ())
    return sum([worth if is_reserve(card) else value_of(card) for card in shown])


def rank(table: Table) -> list[Event]:
    """Rank the powers with cards on the display by influence. Of two powers with equal influence, the one whose square
    is further right comes first (§17.4). In some editions powers that have only face-down cards are ranked as well."""
    affairs = affairs_of(table)
    places = squares(table)
    covered = {} if table.rules.edition.optional_needs_face_up else affairs.covered
    taking_part = [power for power in places if affairs.display.get(power) or covered.get(power)]
    points = {power: influence(table, power) for power in taking_part}
    affairs.order = sorted(taking_part, key=lambda power: (-points[power], -places.index(power)))
    return [e.InfluenceRanked(tuple(affairs.order), points)]


def go_on(table: Table) -> list[Event]:
    """Ask the next power to select a political card. A power that may select none of the open cards is skipped, and
    keeps its influence (§17.5). If there is no card or no power left, end the selection."""
    affairs = affairs_of(table)
    events: list[Event] = []
    while affairs.order and affairs.open:
        power = affairs.order[0]
        if selectable(table, power):
            table.state.owing = [power]
            return events
        affairs.order.pop(0)
        events.append(e.PoliticsConserved(power))
    table.state.owing = []
    return [*events, *finish(table, affairs)]


def selectable(table: Table, power: Power) -> list[Political]:
    """Return the open political cards that show the power's coat of arms (§17.5)."""
    return [number for number in affairs_of(table).open if power in card_facts(table, number).arms]


def may_execute(table: Table, power: Power) -> bool:
    """True if the power's player may execute a political card now. With some numbers of players, each player may
    execute only one in a turn (§24)."""
    rules = table.rules
    one_only = rules.scenario.players[rules.terms.players].one_execution
    return not one_only or player_of(table, power) not in affairs_of(table).executed


def selecting_decision(table: Table, power: Power) -> d.SelectPolitics:
    return d.SelectPolitics(power, tuple(selectable(table, power)), may_execute(table, power))


def select(table: Table, decision: d.SelectPolitics, answer: d.Politics) -> list[Event]:
    """Carry out the selection of a political card: set aside the power's influence, and execute the chosen parts of the
    card (§17.5). If the power selects no card, it keeps its influence. Raises `IllegalOrder` for a card or part that
    may not be chosen."""
    affairs = affairs_of(table)
    if answer.card is None:
        affairs.order.pop(0)
        return [e.PoliticsConserved(decision.power), *go_on(table)]
    if answer.card not in decision.cards:
        titles = tuple(card_facts(table, number).title for number in decision.cards)
        raise IllegalOrder(wrong("E-POLITICS-CARD", cards=titles), where=("card",))
    facts = card_facts(table, answer.card)
    check_execution(table, decision, answer, facts)
    affairs.order.pop(0)
    affairs.open.remove(answer.card)
    spent = affairs.display.pop(decision.power, [])
    for card in spent:
        put_on_pile(table.state.cards, card)
    events: list[Event] = [
        e.PoliticsSelected(decision.power, answer.card, answer.instruction, dict(answer.shifts)),
        e.InfluenceSpent(decision.power, tuple(spent)),
    ]
    if answer.instruction or answer.shifts:
        affairs.executed.append(player_of(table, decision.power))
    for track, steps in answer.shifts.items():
        affairs.shifts[track] = affairs.shifts.get(track, 0) + steps
    for effect in facts.effects if answer.instruction else ():
        events += carry_out(table, decision.power, effect, answer.grantee)
    return [*events, *go_on(table)]


def check_execution(table: Table, decision: d.SelectPolitics, answer: d.Politics, facts: PoliticalCard) -> None:
    """Raise `IllegalOrder` if the player may not execute a card any more, if he executes a part that the card does not
    have, or if the receiver of a grant is wrong (§17.5, §24). In some editions he must execute the whole card or
    nothing."""
    if (answer.instruction or answer.shifts) and not decision.may_execute:
        raise IllegalOrder(wrong("E-POLITICS-ONCE"), where=("card",))
    if answer.instruction and not facts.effects:
        raise IllegalOrder(wrong("E-POLITICS-INSTRUCTION"), where=("instruction",))
    check_shifts(table, answer, facts)
    check_grantee(answer, facts)
    if not table.rules.edition.partial_execution and (answer.instruction or answer.shifts):
        whole = len(facts.shifts) > 1 or len(answer.shifts) == len(facts.shifts)
        if answer.instruction != bool(facts.effects) or not whole:
            raise IllegalOrder(wrong("E-POLITICS-WHOLE"), where=("card",))


def check_shifts(table: Table, answer: d.Politics, facts: PoliticalCard) -> None:
    """Raise `IllegalOrder` for a shift of a marker that is not on the card, that has a wrong number of steps, or that
    is not allowed while Saxony has its present status."""
    for track, steps in answer.shifts.items():
        where = ("shifts", track)
        arrow = next((shift for shift in facts.shifts if shift.track == track), None)
        if arrow is None:
            raise IllegalOrder(wrong("E-POLITICS-SHIFT", track=track), where=where)
        legal = {arrow.steps, -arrow.steps} if arrow.either else {arrow.steps}
        if steps not in legal:
            options = tuple(str(step) for step in sorted(legal))
            raise IllegalOrder(wrong("E-POLITICS-SHIFT.steps", track=track, steps=steps, legal=options), where=where)
        if arrow.while_status and status(table) != arrow.while_status:
            raise IllegalOrder(wrong("E-POLITICS-SHIFT.while", track=track, status=arrow.while_status), where=where)


def check_grantee(answer: d.Politics, facts: PoliticalCard) -> None:
    """Raise `IllegalOrder` if the card lets the power choose the receiver of a grant, and the named receiver is missing
    or wrong. Raise it also if a receiver is named although the card offers no choice."""
    choices = [effect.to for effect in facts.effects if isinstance(effect, Grant) and len(effect.to) > 1]
    if answer.instruction and any(answer.grantee not in to for to in choices):
        raise IllegalOrder(wrong("E-POLITICS-GRANTEE", powers=tuple(choices[0])), where=("grantee",))
    if answer.grantee and not (answer.instruction and choices):
        raise IllegalOrder(wrong("E-POLITICS-GRANTEE.nobody"), where=("grantee",))


def finish(table: Table, affairs: Affairs) -> list[Event]:
    """End the selection, discard the open political cards, and move the markers of the tracks (§17.5). If there is no
    open card left, clear the displays of the powers that had no chance to select one (`clear_display`)."""
    events: list[Event] = []
    if not affairs.open:
        for power in affairs.order:
            events += clear_display(table, power)
    else:
        events.append(e.PoliticsDiscarded(tuple(affairs.open)))
    affairs.open, affairs.order, affairs.trump = [], [], None
    return [*events, *apply_shifts(table)]


def clear_display(table: Table, power: Power) -> list[Event]:
    """Take a power's cards off the display, because no political card was left for it. The cards go back to its hand,
    or stay face-down on the display if bluffing is allowed (§17.5, §25.6)."""
    affairs = affairs_of(table)
    cards = affairs.display.pop(power, [])
    if not cards:
        return []
    if table.rules.terms.bluffing:
        affairs.covered.setdefault(power, []).extend(cards)
        return [e.InfluenceCovered(power, tuple(cards))]
    return_to_hand(table, power, cards)
    return [e.InfluenceReturned(power, tuple(cards))]


def take_back_covered(table: Table) -> list[Event]:
    """Put the cards that have lain face-down on the display since the last turn back into the hands of their powers
    (§25.1)."""
    affairs = affairs_of(table)
    events: list[Event] = []
    for power in squares(table):
        cards = affairs.covered.pop(power, [])
        if cards:
            return_to_hand(table, power, cards)
            events.append(e.InfluenceReturned(power, tuple(cards)))
    return events
