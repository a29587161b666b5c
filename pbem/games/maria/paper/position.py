"""What only positions of MARIA have: hussars, tolls, politics, and how a game ends (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pbem.engine.decisions import Claim
from pbem.engine.field import OFF
from pbem.engine.table import GameRules, Table
from pbem.games.maria.paper.affairs import AffairsReader
from pbem.games.maria.paper.affairs_writing import affairs_of
from pbem.games.maria.paper.affairs_writing import hands as card_hands
from pbem.games.maria.rules import table as maria
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.state import Result
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.positions.cards import CardReader
from pbem.paper.positions.knowledge import Share, as_it_is
from pbem.paper.positions.reader import PositionReader, record, take_ending, take_held, take_winner
from pbem.paper.positions.writing import city_names, place_text, without_empty

MOMENT = ("turn", "stage", "phase", "begun", "owing", "moved")
FIELD = ("pieces", "markers", "questions", "hussars")
CARDS = ("hands", "draw", "unused", "set aside", "shuffles")
COMBAT = ("tolls", "battles", "duel", "retreat", "result")
ADVANCED = ("affairs", "gambit", "alliances", "tasks")
POSITIONS = (*MOMENT, *FIELD, *CARDS, *COMBAT, *ADVANCED)

OPEN_AFFAIRS = (
    "battle", "boxes", "markers set aside", "tracks", "election", "victor", "trump", "display", "order", "shifts",
    "executed", "income", "lasting", "drawn", "annexed", "offered", "reduced", "votes", "offers", "agreements",
    "open", "corps", "contracts",
)  # fmt: skip
"""What everybody may know of the affairs."""

KEYS_OF_RULES = {
    "§2": ("alliances",),
    "§5": ("owing", "begun", "phase", "stage", "turn"),
    "§7": ("hussars",),
    "§8": CARDS,
    "§9": ("tolls", "owing", "hussars"),
    "§10.1": ("moved",),
    "§10.3": ("questions", "markers"),
    "§11.1": ("duel", "battles"),
    "§11.2": ("retreat",),
    "§14": ("result",),
    "§19.1": ("alliances", "affairs"),
    "§19.3": ("alliances", "affairs"),
}


def last_turn(rules: GameRules) -> int:
    assert isinstance(rules, MariaRules)
    return rules.scenario.turns


def hands(table: Table) -> dict[str, int]:
    """The first hand of every power, in the order in which they are dealt (§4); none of a power that has left."""
    rules = table.rules
    assert isinstance(rules, MariaRules)
    acts_in = table.state.field.alliances.stage
    powers = [power for power in rules.game.initial_draw if power in rules.powers]
    return {power: rules.game.powers[power].hand if acts_in[power] else 0 for power in powers}


def read_position(reader: PositionReader, cards: CardReader) -> None:
    """Read hussars, politics and tolls."""
    if "hussars" in reader.entries:
        read_hussars(reader, reader.entries["hussars"])
    AffairsReader(reader.table, cards).read()
    reader.each("tolls", "tolls", lambda name, place, node: read_tolls(reader, place, node))


def read_hussars(reader: PositionReader, node: Node) -> None:
    """Where the hussars are."""
    count = reader.rules.game.hussars.count
    places = reader.reader.names(node, "the place of a hussar", reader.place_named)
    if len(places) > count:
        reader.reader.note(node, "E-POSITION", f"there are only {count} hussars", rule="§7")
    reader.state.field.hussars = [*places, *[OFF] * count][:count]


def read_tolls(reader: PositionReader, place: Node, node: Node) -> None:
    """The supply paths that a power has still to pay for."""
    faults, lexicon = reader.reader, reader.lexicon
    power = faults.name(place, "a power", lexicon.power)
    pairs = faults.pairs(node, "tolls")
    if power is None:
        return
    if not faults.is_first(place, power, reader.state.tolls, f"the tolls of {power} stand here twice"):
        return
    claims = []
    for general, path in pairs:
        piece = faults.name(general, "a general", lexicon.piece)
        cities = faults.names(path, "a city", lexicon.city)
        if piece is not None:
            claims.append(Claim(piece, tuple(cities)))
    reader.state.tolls[power] = claims


def position_document(table: maria.Table) -> dict[str, Value]:
    """Hussars, tolls and politics."""
    hussars: list[Value] = [place_text(table, city) for city in table.state.field.hussars]
    tolls: dict[str, Value] = {power: claims_document(table, claims) for power, claims in table.state.tolls.items()}
    return {"hussars": hussars, "tolls": tolls, **affairs_of(table)}


def known_affairs(table: maria.Table, powers: Collection[str], value: Value) -> Value:
    """The affairs: of winters only how many there were, of the political deck which cards, but not their order.

    Of others how many cards lie face-down, and nothing of what they want to cancel.
    """
    affairs = table.state.affairs
    assert isinstance(value, dict)
    assert affairs is not None
    deck: list[Value] = [*sorted(affairs.deck)]
    known = {"deck": deck} | {key: value[key] for key in OPEN_AFFAIRS if key in value}
    covered: dict[str, Value] = {power: len(cards) for power, cards in affairs.covered.items()}
    covered |= card_hands({power: cards for power, cards in affairs.covered.items() if power in powers})
    wishes = [wish for wish in affairs.cancelling if not set(powers).isdisjoint(wish.split("/"))]
    over = table.state.phase == "over"
    return known | without_empty(
        {
            "covered": covered,
            "cancelling": list(wishes),
            "scores": [dict(score) if over else {} for score in affairs.scores],
        }
    )


def known_gambit(table: maria.Table, powers: Collection[str], value: Value) -> Value:
    """The gambit, with the number of the cards laid aside, which nobody has seen."""
    gambit = table.state.gambit
    assert isinstance(value, dict)
    assert gambit is not None
    known = {key: value[key] for key in ("ceded", "lacking", "held") if key in value}
    laid_aside: dict[str, Value] = {power: len(cards) for power, cards in gambit.laid_aside.items()}
    return known | without_empty({"laid aside": laid_aside})


KNOWN: dict[str, Share] = {
    "hussars": as_it_is,
    "tolls": as_it_is,
    "affairs": known_affairs,
    "gambit": known_gambit,
    "alliances": as_it_is,
    "tasks": as_it_is,
}
"""What players may know of each key that only MARIA has."""


def claims_document(table: maria.Table, claims: Iterable[Claim]) -> dict[str, Value]:
    """The supply paths of some generals."""
    pieces = table.rules.common.pieces
    return {pieces[claim.piece].name: city_names(table, claim.path) for claim in claims}


def read_result(reader: PositionReader, node: Node) -> Result | None:
    """How a game ended."""
    return record(reader, node, "result", {"winner": take_winner, "how": take_ending, "held": take_held}, Result)


def result_document(result: Result) -> dict[str, Value]:
    """How a game ended, as it is written."""
    return {"winner": result.winner or "nobody", "how": result.how, "held": dict(result.held)}
