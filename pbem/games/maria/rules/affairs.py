"""Imperial election (§18), and views of the state that only an advanced game has (`Affairs`): one for all readers, and
one for each player."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.conquest import Control, control_of, controller
from pbem.engine.events import Event
from pbem.engine.field import pieces_by_city
from pbem.engine.nouns import Card, City, Piece, Power, Suit
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import deep_copy
from pbem.faults.wrong import wrong
from pbem.games.maria.rules.contracts import cut_off_from_income, income_of
from pbem.games.maria.rules.decisions import Vote, Votes
from pbem.games.maria.rules.defection import status
from pbem.games.maria.rules.events import EmperorElected, VotesCast
from pbem.games.maria.rules.points import markers_on_fortresses, pool, put_marker, question_marks
from pbem.games.maria.rules.politics import influence
from pbem.games.maria.rules.politics_data import Political
from pbem.games.maria.rules.state import (
    Affairs,
    Agreement,
    ArriveTask,
    Cancellation,
    Contract,
    Table,
    Tasks,
    affairs_of,
)


def votes_of(table: Table) -> dict[Power, int]:
    """Return the number of electoral votes that each power casts (§18). Each controlled fortress with an electoral vote
    gives one vote; `voter_of` tells which power casts it. Powers without a vote are left out."""
    rules, field = table.rules, table.state.field
    votes: dict[Power, int] = {}
    for city in rules.common.board.fortresses:
        if rules.common.board.cities[city].elector:
            holder = controller(rules.common, field, city)
            if holder is not None:
                voter = voter_of(table, holder)
                votes[voter] = votes.get(voter, 0) + 1
    return votes


def voter_of(table: Table, holder: Power) -> Power:
    """Return the power that casts the vote of a fortress controlled by `holder`. In edition 1.0 Prussia casts the vote
    of Saxony while Saxony is its ally (§4)."""
    rules = table.rules
    defection = rules.game.advanced.defection
    belongs_to_patron = rules.edition.dresden_at_start == defection.patron and status(table) == "prussian ally"
    return defection.patron if holder == defection.power and belongs_to_patron else holder


def is_free(table: Table, power: Power) -> bool:
    """True if a power may choose the candidate who gets its votes (§18)."""
    rules = table.rules
    if power in rules.game.advanced.loyal:
        return False
    defection = rules.game.advanced.defection
    bound = rules.edition.defector_votes == "francis" and status(table) == "neutral"
    return not (power == defection.power and bound)


def begin(table: Table) -> list[Event]:
    """Begin the election. The powers that may choose their candidate are asked one after the other."""
    affairs_of(table).votes = {}
    return ask_next(table)


def ask_next(table: Table) -> list[Event]:
    """Ask the next power that may choose its candidate. Powers that have no choice, and would come before it, vote for
    Francis Stephen. If no power is left to ask, count the votes."""
    state, affairs = table.state, affairs_of(table)
    votes = votes_of(table)
    events: list[Event] = []
    for power in table.rules.game.advanced.voting_order:
        if power in affairs.votes or not votes.get(power):
            continue
        if is_free(table, power):
            state.owing = [power]
            return events
        affairs.votes[power] = 0
        events.append(VotesCast(power, votes[power], 0))
    return [*events, *elect(table)]


def decision(table: Table, power: Power) -> Vote:
    # Where a conquest is only imagined, the power may have lost all its votes.
    return Vote(power, votes_of(table).get(power, 0))


def vote(table: Table, decision: Vote, answer: Votes) -> list[Event]:
    """Cast a power's votes. No power may abstain (§18). Raises `IllegalOrder` for more votes than the power has."""
    if not 0 <= answer.charles <= decision.votes:
        raise IllegalOrder(wrong("E-VOTE", power=decision.power, votes=decision.votes), where=("charles",))
    affairs_of(table).votes[decision.power] = answer.charles
    table.state.owing = []
    event = VotesCast(decision.power, decision.votes - answer.charles, answer.charles)
    return [event, *ask_next(table)]


def elect(table: Table) -> list[Event]:
    """Count the votes, and put a marker of the power that profits from the emperor into his box (§16, §18)."""
    affairs, advanced = affairs_of(table), table.rules.game.advanced
    charles = sum(affairs.votes.values())
    francis = sum(votes_of(table).values()) - charles
    affairs.election, affairs.votes = False, {}
    if charles >= advanced.votes_to_win:
        return [EmperorElected("charles", charles), *put_marker(table, "emperor", advanced.prizes.emperor["charles"])]
    return [EmperorElected("francis", francis), *put_marker(table, "emperor", advanced.prizes.emperor["francis"])]


class ContractView(Struct, frozen=True):
    """Subsidy contract, or offer of a subsidy contract."""

    giver: Power
    receiver: Power
    turns: int
    fixed: bool
    """True if the contract cannot be cancelled."""


class DisplayView(Struct, frozen=True):
    """Cards of one power on the political display."""

    cards: tuple[Card, ...]
    """Face-up cards."""
    influence: int
    """Points of influence of the face-up cards."""
    covered: int
    """Number of face-down cards on the display."""
    own_covered: tuple[Card, ...] | None
    """Face-down cards, in the view of the player who placed them; else None."""


class MarkersView(Struct, frozen=True):
    """Victory markers of one power: their number, and how many of them lie in each place."""

    total: int
    pool: int
    fortresses: int
    """Number on fortresses, question marks included."""
    questions: int
    """Number of question marks. They are settled before any player can win."""
    battle: int
    """Number of markers in battle boxes."""
    boxes: tuple[str, ...]
    """Other victory boxes in which a marker of the power lies."""
    set_aside: int


class AffairsView(Struct, frozen=True):
    """State that only an advanced game has, as one player or any reader may know it."""

    markers: dict[Power, MarkersView]
    electors: dict[City, Power | None]
    """Power that controls each fortress with an electoral vote, or None, keyed by fortress."""
    votes: dict[Power, int]
    """Number of electoral votes of each power at present."""
    votes_cast: dict[Power, tuple[int, int]]
    """Votes that each power has cast so far in the election in progress: the number for Francis Stephen, and the number
    for Charles Albert."""
    election: bool
    """True if the emperor is elected at the end of the present turn."""
    tracks: dict[str, int]
    """Box of each track's marker, counted from 1."""
    open: tuple[Political, ...]
    """Political cards that lie face-up."""
    deck: dict[int, int]
    """Number of political cards of each year that are still in the deck."""
    victor: str | None
    """Player who won the latest combat."""
    trump: Suit | None
    display: dict[Power, DisplayView]
    order: tuple[Power, ...]
    """Powers that may still select a political card, the most influential first."""
    shifts: dict[str, int]
    """Sum of the announced shifts of each track, in steps."""
    income: dict[Power, int]
    """Number of cards that each power would draw if it drew its income now, without subsidies."""
    drawn: tuple[Power, ...]
    """Powers that have drawn cards in the present turn."""
    contracts: tuple[ContractView, ...]
    offers: tuple[ContractView, ...]
    cancelling: tuple[tuple[str, str], ...]
    """Wishes to cancel a contract that concern the powers of the viewing player, each as (power, partner)."""
    agreements: tuple[Agreement, ...]
    corps: dict[Power, tuple[Piece, ...]]
    """Generals of each power in its off-map box."""
    annexed: int
    """Turn in which Silesia was annexed; 0 if it was not."""
    offered: bool
    """True if an offer of peace waits for its answer."""
    reduced: bool
    """True if objectives have been reduced (§19.2)."""
    winters: int
    """Number of winters that have been scored."""
    scores: tuple[dict[Power, int], ...]
    """Scores of each winter, once the game is over; empty before."""


def numbers_in_order(table: Table, numbers: dict[Power, int]) -> dict[Power, int]:
    """Return `numbers` as a dict in the sequence in which the powers act. Powers that are not in the game are left
    out."""
    return {power: numbers[power] for power in table.rules.powers if power in numbers}


LIVELY = ("covered", "deck", "display", "drawn", "open", "order", "trump")
"""Fields of `Affairs` that most answers in the political stage change. Most of these answers change no other field."""


class AffairsCache(Struct, frozen=True):
    """Cache of the latest `AffairsView`, with everything on which the view depends."""

    view: AffairsView
    control: Control
    affairs: Affairs
    questions: dict[City, Power]
    aside: list[Piece]
    tasks: list[Tasks]
    over: bool
    by_player: dict[tuple[Power, ...], AffairsView]
    """Views that have been made so far, keyed by the powers of the player for whom the view was made."""

    def is_of(self, table: Table, control: Control) -> bool:
        """True if everything on which the view depends is unchanged, except the `Affairs`."""
        state = table.state
        return (
            self.control is control
            and self.questions == state.field.questions
            and self.aside is pieces_by_city(table.rules.common, state.field).aside
            and self.tasks == state.tasks
            and self.over == (state.phase == "over")
        )


def affairs_shown(table: Table, own: tuple[Power, ...]) -> AffairsView:
    """Return the view of the state of an advanced game for the player of these powers. The view is cached until
    something in it changes."""
    kept = table.rules.common.cache
    latest, control = kept.get("affairs"), control_of(table.rules.common, table.state.field)
    before = latest if isinstance(latest, AffairsCache) and latest.is_of(table, control) else None
    now = before if before and before.affairs == table.state.affairs else updated_view(table, control, before)
    kept["affairs"] = now
    found = now.by_player.get(own)
    if found is None:
        found = now.by_player[own] = affairs_of_player(table, own, now.view)
    return found


def updated_view(table: Table, control: Control, before: AffairsCache | None) -> AffairsCache:
    """Return a new cache after a change of the `Affairs`. The view in `before` is reused if only fields in `LIVELY`
    have changed."""
    state, affairs = table.state, affairs_of(table)
    if before and replace(before.affairs, **{part: getattr(affairs, part) for part in LIVELY}) == affairs:
        view = update_lively_parts(table, before.view)
        return replace(before, view=view, affairs=deep_copy(affairs), by_player={(): view})
    view, aside = affairs_view(table), pieces_by_city(table.rules.common, state.field).aside
    questions, tasks, over = dict(state.field.questions), list(state.tasks), state.phase == "over"
    return AffairsCache(view, control, deep_copy(affairs), questions, aside, tasks, over, {(): view})


def update_lively_parts(table: Table, view: AffairsView) -> AffairsView:
    affairs, control = affairs_of(table), control_of(table.rules.common, table.state.field)
    deck = control.once(("deck", *affairs.deck), cards_to_come, table)
    cards, order, drawn = tuple(affairs.open), tuple(affairs.order), tuple(affairs.drawn)
    display = displays(table)
    return replace(view, open=cards, deck=deck, trump=affairs.trump, display=display, order=order, drawn=drawn)


def affairs_of_player(table: Table, own: tuple[Power, ...], public: AffairsView) -> AffairsView:
    """Return the public view with the secrets added that the player of the powers in `own` may know."""
    covered, display = affairs_of(table).covered, dict(public.display)
    for power in display.keys() & own:
        display[power] = replace(display[power], own_covered=tuple(covered.get(power, ())))
    wishes = map(Cancellation.read, affairs_of(table).cancelling)
    cancelling = tuple([wish for wish in wishes if wish.power in own or wish.partner in own])
    return replace(public, display=display, cancelling=cancelling)


def affairs_view(table: Table) -> AffairsView:
    """Return the state that only an advanced game has, as any reader may know it."""
    rules, state, affairs = table.rules, table.state, affairs_of(table)
    common = rules.common
    control = control_of(common, state.field)
    votes = control.once(("votes", status(table)), votes_of, table)
    tracks, changes = tuple(affairs.tracks.items()), (*affairs.income.items(), None, *affairs.lasting.items())
    boxes = tuple(tuple(box.items()) for box in (affairs.battle, affairs.special, affairs.set_aside))
    laid = ("laid", *boxes, *state.field.questions.items())
    return AffairsView(
        markers=control.once(laid, lambda: {p: markers_view(table, p) for p in rules.game.advanced.markers}),
        electors=control.once("electors", electors, table),
        votes={power: votes[power] for power in rules.powers if power in votes},
        # Where a conquest is only imagined, a power may have lost the fortresses for which it has voted.
        votes_cast={
            power: (max(0, votes.get(power, 0) - affairs.votes[power]), affairs.votes[power])
            for power in rules.game.advanced.voting_order
            if power in affairs.votes
        },
        election=affairs.election,
        tracks={track: affairs.tracks[track] + 1 for track in rules.politics.tracks},
        open=tuple(affairs.open),
        deck=cards_to_come(table),
        victor=affairs.victor,
        trump=affairs.trump,
        display=displays(table),
        order=tuple(affairs.order),
        shifts={track: affairs.shifts[track] for track in rules.politics.tracks if track in affairs.shifts},
        income=control.once(("income", tracks, changes), incomes, table),
        drawn=tuple(affairs.drawn),
        contracts=contract_views(affairs.contracts),
        offers=contract_views(affairs.offers),
        cancelling=(),
        agreements=tuple(affairs.agreements),
        corps=corps_view(table),
        annexed=affairs.annexed,
        offered=affairs.offered,
        reduced=affairs.reduced,
        winters=len(affairs.scores),
        scores=tuple(numbers_in_order(table, scores) for scores in affairs.scores) if state.phase == "over" else (),
    )


def contract_views(contracts: Sequence[Contract]) -> tuple[ContractView, ...]:
    return tuple([ContractView(c.giver, c.receiver, c.turns, c.fixed) for c in contracts])


def electors(table: Table) -> dict[City, Power | None]:
    """Return the power that controls each fortress with an electoral vote, or None, keyed by fortress."""
    rules, field = table.rules.common, table.state.field
    cities = [city for city in rules.board.fortresses if rules.board.cities[city].elector]
    return {city: controller(rules, field, city) for city in cities}


def incomes(table: Table) -> dict[Power, int]:
    """Return the number of cards that each power would draw now, without subsidies. The number is 0 for a power that is
    cut off from its income."""
    powers = table.rules.powers
    return {power: 0 if cut_off_from_income(table, power) else income_of(table, power) for power in powers}


def markers_view(table: Table, power: Power) -> MarkersView:
    affairs = affairs_of(table)
    total, laid = table.rules.game.advanced.markers[power], markers_on_fortresses(table, power)
    battle, aside = affairs.battle.get(power, 0), affairs.set_aside.get(power, 0)
    boxes = tuple(sorted(box for box, holder in affairs.special.items() if holder == power))
    return MarkersView(total, pool(table, power), laid, question_marks(table, power), battle, boxes, aside)


def displays(table: Table) -> dict[Power, DisplayView]:
    """Return the cards of each power on the political display, as any reader may know them."""
    up, down = affairs_of(table).display, affairs_of(table).covered
    return {
        power: DisplayView(tuple(up.get(power, ())), influence(table, power), len(down.get(power, ())), None)
        for power in table.rules.game.advanced.markers
    }


def cards_to_come(table: Table) -> dict[int, int]:
    """Return the number of political cards in the deck, keyed by the year of the cards. These numbers are public."""
    counts, cards = dict.fromkeys(table.rules.politics.years, 0), table.rules.politics.card_by_number
    for number in affairs_of(table).deck:
        counts[cards[number].year] += 1
    return counts


def corps_view(table: Table) -> dict[Power, tuple[Piece, ...]]:
    """Return the generals of each power in its off-map box, including those who stay there for good. Generals who are
    about to come back to the map are left out."""
    state, rules = table.state, table.rules.common
    coming = [task.piece for task in state.tasks if isinstance(task, ArriveTask)]
    aside = rules.all_generals.intersection(pieces_by_city(rules, state.field).aside).difference(coming)
    away = {rules.pieces[general].power for general in aside}
    return {p: tuple([g for g in rules.generals(p) if g in aside]) for p in table.rules.powers if p in away}
