"""Start of a game of MARIA: pieces on their cities, markers, first hands, troops in secret (§4)."""

from __future__ import annotations

from pbem.engine.board import ArmyStart, GeneralStart, TrainStart
from pbem.engine.cards import fresh_cards
from pbem.engine.decisions import Allot, Allotment
from pbem.engine.events import Event, TroopsAllotted
from pbem.engine.field import ASIDE, OFF, Alliances, Field, PieceState, alter
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.troops import check_allotment
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.politics_data import Political
from pbem.games.maria.rules.state import Affairs, Contract, Gambit, State
from pbem.games.maria.rules.table import Table, draw_cards


def new_state(rules: MariaRules) -> State:
    """The position before anything is drawn or allotted."""
    return State(
        terms=rules.terms,
        turn=1,
        stage="setup",
        phase="allotment",
        field=new_field(rules),
        cards=fresh_cards(rules.common.decks, rules.powers),
        affairs=new_affairs(rules) if rules.scenario.politics else None,
        gambit=Gambit() if rules.scenario.gambit else None,
    )


def new_affairs(rules: MariaRules) -> Affairs:
    """Empty victory boxes, every political marker on its star, and the subsidy that stands at the start (§4, §8)."""
    tracks = rules.politics.tracks
    subsidy = rules.game.subsidy
    corps = {power: [piece] for power, piece in boxed_generals(rules).items()}
    return Affairs(
        battle=dict.fromkeys(rules.game.advanced.markers, 0),
        tracks={name: next(i for i, box in enumerate(track.boxes) if box.star) for name, track in tracks.items()},
        contracts=[Contract(subsidy.giver, subsidy.receiver, subsidy.fixed_turns, fixed=True)],
        corps=corps,
    )


def boxed_generals(rules: MariaRules) -> dict[Power, Piece]:
    """The generals who begin in an off-map box, by power (§4, §17.5)."""
    found: dict[Power, Piece] = {}
    for power, army in rules.common.board.data.setup.items():
        for general, start in zip(rules.common.generals(power), army.generals, strict=True):
            if start.box is not None:
                found[power] = general
    return found


def new_field(rules: MariaRules) -> Field:
    """All pieces where the board's set-up has them; those on a map that is not used take no part (§14)."""
    powers = rules.game.powers
    pieces: list[PieceState] = []
    for power in powers:
        army = rules.common.board.data.setup[power]
        pieces += [PieceState(start_city(rules, power, start)) for start in starts(army)]
    alliances = Alliances(
        side={power: facts.side for power, facts in powers.items()},
        group={power: facts.group for power, facts in powers.items()},
        principal={power: facts.principal for power, facts in powers.items()},
        home={land: power for power, lands in rules.common.board.data.powers.items() for land in lands},
        player={power: player for player, mine in rules.seats.items() for power in mine},
        stage={power: stage for stage, mine in rules.game.action_stages.items() for power in mine},
    )
    index = rules.common.board.index
    markers = {index[name]: power for power, names in rules.game.markers.items() for name in names if name in index}
    quiet = rules.scenario.gambit.half_active if rules.scenario.gambit else ""
    hussars = [OFF] * rules.game.hussars.count
    return Field(pieces, alliances, markers, questions={}, hussars=hussars, half_active=quiet)


def starts(army: ArmyStart) -> list[GeneralStart | TrainStart]:
    """The starting places in the order of the pieces."""
    return [*army.generals, *army.trains]


def start_city(rules: MariaRules, power: Power, start: GeneralStart | TrainStart) -> City:
    """The city of a piece at the start; aside if it stands in a box, on an unused map, or its power is absent."""
    if start.city is None or power in rules.scenario.absent:
        return ASIDE
    city = rules.common.board.index[start.city]
    return city if rules.common.board.in_play(city) else ASIDE


def begin(table: Table) -> list[Event]:
    """Deal the first hands and stack the political deck; every power then owes its allotment of troops."""
    rules, state = table.rules, table.state
    events: list[Event] = []
    if state.affairs is not None:
        shuffle_deck(table)
    for power in rules.game.initial_draw:
        if power in rules.powers:
            events += draw_cards(table, power, rules.game.powers[power].hand)
    state.owing = list(rules.powers)
    return events


def shuffle_deck(table: Table) -> None:
    """Stack the shuffled cards of the years, the first year on top (§4)."""
    politics = table.rules.politics
    stacked: list[Political] = []
    for year in sorted(politics.years):
        cards = [card.number for card in politics.cards if card.year == year]
        stacked += table.dealer.shuffle(year, cards)
    affairs = table.state.affairs
    assert affairs is not None
    affairs.deck = stacked[::-1]


def decision(table: Table, power: Power) -> Allot:
    """The allotment a power owes. Generals who take no part get their share too (§14)."""
    rules = table.rules
    least = {general: rules.common.pieces[general].least for general in rules.common.generals(power)}
    return Allot(power, rules.game.powers[power].troops, least, rules.common.limits.troops)


def allot(table: Table, decision: Allot, answer: Allotment) -> list[Event]:
    """Write the troops on the army sheet."""
    check_allotment(table.rules.common, decision, answer, "§4")
    for general, count in answer.troops.items():
        alter(table.state.field, general, troops=count)
    table.state.owing.remove(decision.power)
    return [TroopsAllotted(decision.power, dict(answer.troops))]
