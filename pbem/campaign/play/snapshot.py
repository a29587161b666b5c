"""Snapshots of a campaign's secret state, public facts on a position, and proofs of single cards."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import as_texts
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import CardProof
from pbem.campaign.play.ahead import AheadInUse
from pbem.campaign.proof.drawing import Draws
from pbem.engine.cards import OTHER_DECKS, PICKS, cards_of
from pbem.engine.events import DeckShuffled, Event
from pbem.engine.memory import Memory
from pbem.engine.nouns import Power
from pbem.engine.table import Table, player_of, stage_of
from pbem.faults.wrong import PbemError, Words, wrong
from pbem.kit import game_named, game_of
from pbem.plans.sight import Tally
from pbem.seal.canonical import AnyTree, canonical
from pbem.seal.deal import opening

LATER = ((7, ("affairs", "markers", "*", "questions")),)
"""Keys of a public position that came with a protocol. Digests of earlier protocols are made without them."""


def next_of(table: Table, answering: Collection[str], protocol: int) -> r.Next:
    """Return the stage of a position and the players who owe answers, in the form of the field `next` of entries.
    `answering` are the players whose letters answer all their decisions."""
    owing: dict[str, tuple[str, ...]] = {}
    for decision in game_of(table).decisions(table):
        player = player_of(table, decision.power)
        if decision.power not in owing.get(player, ()):
            owing[player] = (*owing.get(player, ()), decision.power)
    return r.Next(
        stage=stage_of(table),
        phase=table.state.phase,
        digest=public_digest(table, protocol),
        owing=owing,
        answered=tuple(player for player in owing if player in answering),
        over=table.state.phase == "over",
    )


def public_digest(table: Table, protocol: int = r.PROTOCOL) -> str:
    """Return the SHA-256, in hexadecimal digits, of the public part of a position."""
    seen = as_texts(game_named(table.rules.terms.game).view(table, ()))
    for since, path in LATER:
        if protocol < since:
            leave_out(seen, path)
    return hashlib.sha256(canonical(seen)).hexdigest()


def leave_out(tree: AnyTree, path: Sequence[str]) -> None:
    """Remove the part of a tree at the end of `path`, a path of keys, if there is such a part. `*` stands for every
    key."""
    if isinstance(tree, dict):
        first, *rest = path
        for key in list(tree) if first == "*" else tree.keys() & {first}:
            if rest:
                leave_out(tree[key], rest)
            else:
                del tree[key]


class Disagreement(PbemError):
    """Exception for an entry of the ledger that does not follow from the letters and the secret."""

    def __init__(self, entry: int, what: Words | str) -> None:
        self.entry = entry
        self.what = what
        self.faults = (wrong("E-LEDGER-DISAGREES", entry=entry, what=what),)


def difference(expected: object, found: object, path: str = "it") -> str:
    """Return the path of keys to the first difference between two trees. It begins with `path`, the path to the trees
    themselves."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted({*expected, *found}):
            if expected.get(key) != found.get(key):
                return difference(expected.get(key), found.get(key), f"{path}.{key}" if path != "it" else key)
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            if one != other:
                return difference(one, other, f"{path}.{place}")
    return f"`{path}`"


class LetterInForce(Struct):
    """A letter with valid orders or plans, and its unused orders."""

    entry: int
    remains: dict[str, dict[str, int]] | None = None
    """Unused orders of the letter (`PlayerSource.remains`); None if no order was used yet. For standing plans, this has
    the used lines of scripts (`PlayerSource.used_lines`)."""
    reveals: tuple[int, ...] = ()
    """Entries of the letters that reveal sealed parts of this letter."""

    @property
    def has_cards_left(self) -> bool:
        """True if orders of the letter were used, but cards in its orders are still unplayed."""
        return any(left.get("play") for left in (self.remains or {}).values())


class AheadInForce(Struct):
    """Orders that a player has given in advance and that are still valid."""

    letters: list[LetterInForce] = field(default_factory=list)
    """Letters with orders for later stages. The stage of each letter itself is over. The newest letter comes first."""
    in_use: dict[Power, AheadInUse] = field(default_factory=dict)
    """Dict from each power to the state of its orders for the present stage."""


NO_TABLE = b"null"
"""Position of a game that has not been set up."""


class Snapshot(Struct):
    """The secret state of a campaign at one moment, as it is stored."""

    # Earlier versions have written this name into `secret.age`. The same is true of `force` below.
    public: PublicState = field(name="register")
    secret: str
    """The moderator's random bytes, in hexadecimal digits."""
    root: str = ""
    """The secret of the deal, made of `secret` and the players' random bytes; empty before the game has begun."""
    state: msgspec.Raw = msgspec.Raw(NO_TABLE)
    """State of the game's table as JSON."""
    made: dict[int, list[int]] = field(default_factory=dict)
    """Dict from the number of each shuffle to the order of its cards."""
    orders_in_force: dict[str, LetterInForce] = field(default_factory=dict, name="force")
    """Dict from each player to the player's letter with valid orders."""
    plans: dict[str, LetterInForce] = field(default_factory=dict)
    """Dict from each player to the player's letter with valid standing plans."""
    ahead: dict[str, AheadInForce] = field(default_factory=dict)
    """Dict from each player to the orders that the player has given in advance and that are still valid."""
    tally: Tally = field(default_factory=Tally)
    """Public cards of the latest combat."""
    draws: Draws | None = None
    """Drawn cards of every power; None before the game has begun, and in states that an older version has stored."""
    memory: Memory | None = None
    """Public memory of past moves; None before the game has begun, and in states that an older version has stored."""


def with_reveal(force: LetterInForce, number: int) -> LetterInForce:
    """Return a copy of a valid letter with one more entry, `number`, that reveals sealed parts of it."""
    return replace(force, reveals=(*force.reveals, number))


def openings(root: bytes, made: dict[int, list[int]], events: Sequence[Event]) -> tuple[CardProof, ...]:
    """Return proofs of all cards that events show to everybody. `root` is the secret of the deal; `made` has the order
    of cards in every shuffle."""
    others = dict.fromkeys(card for event in events for card in others_of(event))
    later = {number: order for number, order in made.items() if OTHER_DECKS <= number < PICKS}
    return (*proofs(root, made, events, cards_of), *(proof for card in others for proof in proof_of(root, later, card)))


def proofs(
    root: bytes, made: dict[int, list[int]], events: Sequence[Event], cards: Callable[[Event], Iterable[int]]
) -> tuple[CardProof, ...]:
    """Return proofs of tactical cards. The function `cards` finds the cards in each event. Each proof is for the latest
    shuffle before the event. `root` and `made` are as in `openings`."""
    # There is no proof for a later shuffle, because the place of the card in it must stay secret.
    announced = {event.number - 1 for event in events if isinstance(event, DeckShuffled)}
    before = {number: order for number, order in made.items() if number < OTHER_DECKS and number not in announced}
    found: dict[CardProof, None] = {}
    for event in events:
        if isinstance(event, DeckShuffled):
            before[event.number - 1] = made[event.number - 1]
        for card in cards(event):
            found |= dict.fromkeys(proof_of(root, before, card))
    return tuple(found)


def proof_of(root: bytes, made: dict[int, list[int]], card: int) -> Iterable[CardProof]:
    """Yield the proof of a card in the latest shuffle that has it. Yield nothing if no shuffle has it."""
    numbers = [number for number, order in made.items() if card in order]
    if numbers:
        number = max(numbers)
        position = made[number].index(card)
        yield CardProof(number, position, card, opening(root, number, position, card).hex())


def others_of(event: Event) -> tuple[int, ...]:
    """Return the political cards or Cards of Fate that an event shows."""
    fate: object = getattr(event, "fate", None)
    return (fate,) if isinstance(fate, int) else tuple(getattr(event, "politics", None) or ())
