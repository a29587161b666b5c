"""Terms of an agreement between players: the names that the agreement binds, and the turn or stage at whose end it
ends."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from msgspec import Struct

from pbem.engine.table import GameRules, StageName
from pbem.faults.wrong import wrong
from pbem.kit import game_named
from pbem.paper.documents.names import NameFault, as_quoted
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode, Node, Text
from pbem.paper.lexicon import Lexicon
from pbem.seal.canonical import Tree

Binds = dict[str, tuple[str, ...]]
"""Names that an agreement binds, spelt as a player wrote them. The keys are the kinds of names: `stages`, `powers`,
`cities`, `cards`."""

MOST_BOUND = 100
"""Largest number of names of one kind that an agreement may bind."""

LAST_TURN = 99
"""Number of the last turn that an agreement may name. Every game is over by then."""


class BindingTerms(Struct, frozen=True):
    """Powers, cities, cards and stages that an agreement binds, and its end. `until` is the turn or stage at whose end
    the agreement ends. It is empty if the agreement has no end."""

    binds: Binds = {}
    until: str = ""

    @property
    def tree(self) -> dict[str, Tree]:
        """Terms as the body of a letter has them. Empty terms are left out."""
        said: dict[str, Tree] = {"until": self.until} if self.until else {}
        if self.binds:
            said["binds"] = {kind: list(names) for kind, names in self.binds.items()}
        return said


class Deal(Struct, frozen=True):
    """Agreement in the ledger: its players, its words, the names that it binds, and its end."""

    entry: int
    """Number of the ledger's entry by which the agreement was made."""
    players: tuple[str, ...]
    words: str
    binds: Binds = {}
    until: str = ""


def read_binding_terms(reader: Reader, body: Node, rules: GameRules, now: str) -> BindingTerms:
    """Read the terms in the body of an agreement, and note their faults. `now` is the present stage."""
    entries = body.items if isinstance(body, MappingNode) else {}
    binds = read_binds(reader, entries["binds"], rules) if "binds" in entries else {}
    return BindingTerms(binds, read_until(reader, entries["until"], rules, now) if "until" in entries else "")


def read_binds(reader: Reader, node: Node, rules: GameRules) -> Binds:
    """Read the names that an agreement binds, keyed by kind. An unknown name is a fault, but is not left out. If a kind
    has no names, or more than `MOST_BOUND`, this is a fault, and the kind is left out."""
    lexicon = Lexicon(rules)
    finders: dict[str, Callable[[str], object]] = {
        "stages": lambda written: known_stage(rules, written),
        "powers": lexicon.power,
        "cities": lexicon.city,
        "cards": lexicon.card,
    }
    mapping = reader.mapping(node, "binds")
    found: Binds = {}
    for kind, value in reader.known_entries(mapping, finders, "binds").items() if mapping else ():
        items = reader.items(value, kind)
        if not items or len(items) > MOST_BOUND:
            reader.note(value, wrong("E-AGREEMENT-BINDS", kind=kind, most=MOST_BOUND))
            continue
        for item in items:
            reader.name(item, kind, finders[kind])
        found[kind] = tuple(item.value.strip() for item in items if isinstance(item, Text))
    return found


def read_until(reader: Reader, node: Node, rules: GameRules, now: str) -> str:
    """Read the turn or stage at whose end an agreement ends. If it does not exist, note a fault and return an empty
    text. If it is already over in the present stage, `now`, note a fault but return it."""
    written = node.value.strip() if isinstance(node, Text) else ""
    named = StageName.read(written)
    if named is None or not 1 <= named.turn <= LAST_TURN or written.endswith("/"):
        reader.note(node, wrong("E-AGREEMENT-UNTIL"))
        return ""
    if named.stage and named.stage not in game_named(rules.terms.game).stages(rules, named.turn):
        stages = tuple(game_named(rules.terms.game).stages(rules, named.turn))
        reader.note(node, wrong("E-AGREEMENT-STAGE", stage=as_quoted(written), stages=stages))
        return ""
    if is_over(rules, written, now):
        reader.note(node, wrong("E-AGREEMENT-UNTIL.over", until=written, now=now))
    return written


def known_stage(rules: GameRules, written: str) -> str:
    """Return `written` if it names a stage, either with a turn (`3/prussia`) or without one (`prussia`). Raises
    `NameFault` for any other text."""
    named, stages = StageName.read(written), game_named(rules.terms.game).stages
    turns = [named.turn] if named else range(1, LAST_TURN)
    names = tuple(dict.fromkeys(chain.from_iterable(stages(rules, turn) for turn in turns)))
    if (named.stage if named else written) not in names or (named and not 1 <= named.turn <= LAST_TURN):
        raise NameFault(wrong("E-AGREEMENT-STAGE", stage=as_quoted(written), stages=names))
    return written


def is_over(rules: GameRules, until: str, now: str) -> bool:
    """True if the turn or stage `until` is already over in the stage `now`. False if `until` is empty."""
    end, here = StageName.read(until), StageName.read(now)
    if end is None or here is None or end.turn > here.turn:
        return False
    order = game_named(rules.terms.game).stages(rules, end.turn)
    if end.turn < here.turn or not {end.stage, here.stage} <= set(order):
        return end.turn < here.turn
    return order.index(here.stage) > order.index(end.stage)


def in_force(rules: GameRules, deals: list[Deal], now: str) -> tuple[Deal, ...]:
    return tuple(deal for deal in deals if not is_over(rules, deal.until, now))


def holds_in(deal: Deal, now: str) -> bool:
    """True if an agreement binds its players in the stage `now`. An agreement that names no stages binds in every
    stage."""
    stages, here = deal.binds.get("stages", ()), StageName.read(now)
    return not stages or now in stages or (here is not None and here.stage in stages)
