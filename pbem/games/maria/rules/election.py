"""Imperial election at the end of a turn (§18)."""

from __future__ import annotations

from pbem.engine.conquest import controller
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event
from pbem.engine.nouns import Power
from pbem.faults.wrong import wrong
from pbem.games.maria.rules.decisions import Vote, Votes
from pbem.games.maria.rules.defection import status
from pbem.games.maria.rules.events import EmperorElected, VotesCast
from pbem.games.maria.rules.points import put
from pbem.games.maria.rules.table import Table, affairs_of


def votes_of(table: Table) -> dict[Power, int]:
    """Electoral votes of each power: one for each fortress with a vote that it controls (§18)."""
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
    """Power that casts a fortress's vote: in edition 1.0 Prussia for Dresden while Saxony is its ally (§4)."""
    rules = table.rules
    defection = rules.game.advanced.defection
    belongs_to_patron = rules.edition.dresden_at_start == defection.patron and status(table) == "prussian ally"
    return defection.patron if holder == defection.power and belongs_to_patron else holder


def is_free(table: Table, power: Power) -> bool:
    """True if a power may choose its candidate (§18)."""
    rules = table.rules
    if power in rules.game.advanced.loyal:
        return False
    defection = rules.game.advanced.defection
    bound = rules.edition.defector_votes == "francis" and status(table) == "neutral"
    return not (power == defection.power and bound)


def begin(table: Table) -> list[Event]:
    """Start the election: bound votes are cast, free ones are asked for one after the other, clockwise from Austria."""
    affairs_of(table).votes = {}
    return ask_next(table)


def ask_next(table: Table) -> list[Event]:
    """Go on to the next power with free votes, or count."""
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
    return Vote(power, votes_of(table)[power])


def vote(table: Table, decision: Vote, answer: Votes) -> list[Event]:
    """Cast the votes; nobody may abstain (§18)."""
    if not 0 <= answer.charles <= decision.votes:
        raise IllegalOrder(wrong("E-VOTE", power=decision.power, votes=decision.votes), where=("charles",))
    affairs_of(table).votes[decision.power] = answer.charles
    table.state.owing = []
    event = VotesCast(decision.power, decision.votes - answer.charles, answer.charles)
    return [event, *ask_next(table)]


def elect(table: Table) -> list[Event]:
    """Count the votes; the new emperor's friend puts a marker into the box (§16, §18)."""
    affairs, advanced = affairs_of(table), table.rules.game.advanced
    charles = sum(affairs.votes.values())
    francis = sum(votes_of(table).values()) - charles
    affairs.election, affairs.votes = False, {}
    if charles >= advanced.votes_to_win:
        return [EmperorElected("charles", charles), *put(table, "emperor", advanced.prizes.emperor["charles"])]
    return [EmperorElected("francis", francis), *put(table, "emperor", advanced.prizes.emperor["francis"])]
