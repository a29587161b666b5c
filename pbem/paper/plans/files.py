"""Plan files. A plan answers a choice before the player is asked, if its conditions are true (docs/plans.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct

from pbem.engine.field import OFF
from pbem.engine.nouns import City, Power
from pbem.engine.table import GameRules, StageName
from pbem.faults.nouns import noun_languages, nouns
from pbem.faults.wrong import words, wrong
from pbem.kit import game_named
from pbem.paper.documents.names import NameFault, Names, as_quoted, fold
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode, Node, Text, read_yaml
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import game_paper_named, readers_of
from pbem.paper.orders.names import PowerOrders, SectionReader, is_word
from pbem.paper.orders.section import in_readers_words
from pbem.paper.plans.data import Conquest, Otherwise, Plan, PlanBounds, PlanEnd, Span, Whereabouts, Wish, WrittenAnswer
from pbem.paper.plans.wishes import WISHES, WishForm, chosen_word, note_missing, span

CONDITIONS = ("when", "where", "conquered")

SECTION_OF_KIND = {"battle": "play", "attack-order": "battles"}
"""Dict for the choices that have another name in plans than in order files. The key is the name in plans, and the value
is the section of order files."""

GENERAL = ("turn", "hand")
"""Names of the numbers that may be used in the conditions of all plans."""

IN_BATTLE = ("score", "start", "mine", "theirs", "shown", "held", "suited", "reserves", "loss", "lead", "chance")
"""Names of further numbers that may be used in the conditions of plans for battles."""

NOT = "not "


def numbers(kind: str) -> tuple[str, ...]:
    """Return the names of the numbers that may be used in the conditions of plans for this kind of choice."""
    return (*GENERAL, *(IN_BATTLE if kind == "battle" else ()))


def read_when(self: SectionReader, kind: str, entries: Mapping[str, Node]) -> tuple[tuple[str, Span], ...]:
    """Return the conditions about numbers in a plan of the kind `kind`. `entries` has the keys of the plan. Faulty
    conditions are left out."""
    mapping = self.reader.mapping(entries["when"], "when") if "when" in entries else None
    if mapping is None:
        return ()
    known = self.reader.known_entries(mapping, numbers(kind), words("plan-when", kind=kind))
    found = [(name, span(self, value, name)) for name, value in known.items()]
    return tuple((name, within) for name, within in found if within is not None)


def read_where(self: SectionReader, entries: Mapping[str, Node]) -> tuple[Whereabouts, ...]:
    """Return the conditions about the places of pieces. They are written `piece: cities`, `piece: not city` or `piece:
    off`."""
    pairs = self.reader.pairs(entries["where"], "where") if "where" in entries else ()
    return tuple(found for name, value in pairs if (found := whereabouts(self, name, value)) is not None)


def whereabouts(self: SectionReader, name: Text, node: Node) -> Whereabouts | None:
    """Return the condition about the place of one piece. Return None after a fault. Either all cities must have a `not`
    before them, or none."""
    piece = self.piece(name)
    items = [without_not(item) for item in self.reader.items(node, "where")]
    cities = [place(self, item) for item, _ in items]
    kinds = {is_there for _, is_there in items}
    if len(kinds) != 1:
        self.reader.note(node, wrong("E-PLAN-WHERE"))
        return None
    known = tuple(city for city in cities if city is not None)
    return Whereabouts(piece.number, known, kinds.pop()) if piece and len(known) == len(cities) else None


def place(self: SectionReader, node: Node) -> City | None:
    """Return a city, or `OFF` for the word `off`, which means off the map. Return None after a fault."""
    if is_word(node, "off"):
        return OFF
    city = self.city(node)
    return city.number if city else None


def read_conquered(self: SectionReader, entries: Mapping[str, Node]) -> tuple[Conquest, ...]:
    """Return the conditions about conquered fortresses. They are written `city` or `not city`."""
    items = self.reader.items(entries["conquered"], "conquered") if "conquered" in entries else ()
    return conquests(self, [without_not(item) for item in items])


def conquests(self: SectionReader, items: Sequence[tuple[Node, bool]]) -> tuple[Conquest, ...]:
    """Return the conditions about conquered fortresses. Each of the `items` is a pair: the node of a city, and True if
    the city must be conquered. It is a fault if a city cannot be conquered."""
    rules, found = self.lexicon.rules.common, []
    for node, is_conquered in items:
        city = self.city(node)
        if city is None:
            continue
        if city.number not in rules.conquerable:
            fault = wrong("E-PLAN-CONQUERED", city=rules.board.cities[city.number].name)
            self.reader.note(node, in_readers_words(fault, rules.board))
        found.append(Conquest(city.number, is_conquered))
    return tuple(found)


def without_not(node: Node) -> tuple[Node, bool]:
    """Split off a leading `not`: return the text behind the `not` and False, or the unchanged node and True."""
    if not isinstance(node, Text) or not node.value.casefold().startswith(NOT):
        return node, True
    return Text(node.value[len(NOT) :].strip(), node.line, node.column + len(NOT)), False


HEAD = ("pbem", "kind", "stage", "plans", "orders")

KEYS = ("for", *CONDITIONS, "standing", "until", "else")
"""Keys that are allowed in every plan."""

BOUNDS = ("of", "against", "at", "role")

ROLES = ("attacker", "defender")

OTHERWISE: Mapping[str, Otherwise] = {"ask": "ask", "stop": "stop"}

NEVER = frozenset({"move", "play", "battles"})
"""Sections of an order file that must not be used in plans."""


def load_plans(content: bytes, source: str, rules: GameRules) -> dict[Power, list[Plan]]:
    """Return the plans in a file, keyed by power. They are under the key `plans`, or in the section `plans` of orders.
    Raises `Refused` with all faults that can be found without the position."""
    reader, lexicon = Reader(source), Lexicon(rules)
    document = reader.mapping(read_yaml(content, source), words("plan-file"))
    entries = reader.known_entries(document, HEAD, words("plan-file")) if document else {}
    if "pbem" in entries:
        reader.number(entries["pbem"], words("the-format"), 1, 1)
    if document and not {"plans", "orders"} & entries.keys():
        reader.note(document, wrong("E-FORM-MISSING.plans"))
    found: dict[Power, list[Plan]] = {}
    for key in ("plans", "orders"):
        if key in entries:
            found |= read_powers(reader, lexicon, entries[key], key)
    reader.refuse()
    return found


def read_powers(reader: Reader, lexicon: Lexicon, node: Node, key: str) -> dict[Power, list[Plan]]:
    found: dict[Power, list[Plan]] = {}
    for place, value in reader.pairs(node, key):
        power = reader.name(place, words("a-power"), lexicon.power)
        if power is not None and power not in lexicon.rules.powers:
            reader.note(place, wrong("E-ORDER-POWER.plans", rule=lexicon.rules.scenario.rule, power=power))
        elif power is not None and reader.check_first(place, power, found, words("plans-twice", power=power)):
            sections = value.items if key == "orders" and isinstance(value, MappingNode) else {"plans": value}
            if "plans" in sections:
                found[power] = plans_of(SectionReader(reader, lexicon, power), sections["plans"])
    return found


def read_plans(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    orders.sections["plans"] = list(plans_of(self.for_later(), node))


def plans_of(self: SectionReader, node: Node) -> list[Plan]:
    """Return the plans of a power. The node is a list of plans, or a single plan."""
    if isinstance(node, Text) and node.is_nothing:
        return []
    nodes = [node] if isinstance(node, MappingNode) else self.reader.items(node, "plans")
    found = [read_plan(self, number, item) for number, item in enumerate(nodes, 1)]
    return [plan for plan in found if plan is not None]


def read_plan(self: SectionReader, number: int, node: Node) -> Plan | None:
    """Return the plan at the position `number` of its list. Return None if its choice or its wish is faulty."""
    mapping = self.reader.mapping(node, words("plan-one"))
    if mapping is None:
        return None
    kind = read_kind(self, mapping)
    if kind is None:
        return None
    game = self.lexicon.rules.terms.game
    form = form_of(game, kind)
    entries = self.reader.known_entries(mapping, keys_of(game, kind), words("plan-for", kind=kind))
    wish = read_said(self, kind, entries, mapping) if "say" in entries else form.read(self, entries, mapping)
    until = read_until(self, entries["until"]) if "until" in entries else None
    standing = bool(self.reader.truth(entries["standing"], "standing")) if "standing" in entries else until is not None
    plan = Plan(
        number, kind, wish or WrittenAnswer({}), node, read_bounds(self, entries), read_when(self, kind, entries),
        standing, until, read_else(self, form, entries), read_where(self, entries), read_conquered(self, entries),
    )  # fmt: skip
    return plan if wish is not None else None


def read_kind(self: SectionReader, mapping: MappingNode) -> str | None:
    """Return the kind of choice for which a plan is meant, from the key `for`. Return None after a fault."""
    known = kinds(self.lexicon.rules.terms.game)
    if "for" not in mapping.items:
        self.reader.note(mapping, wrong("E-PLAN-FOR", kinds=known))
        return None
    return self.reader.name(mapping.items["for"], words("plan-choice"), lambda written: kind_named(written, known))


def kind_named(written: str, known: Sequence[str]) -> str:
    """Return the kind of choice that a text names. Raises `NameFault` if there is none. If the text is the name of a
    choice in one of the languages, such as `batalla`, the hint gives the word that must be written (`battle`)."""
    names = Names(known, words("plan-choice"), most_suggested=len(known))
    try:
        return known[names.find(written)]
    except NameFault as fault:
        meant = [kind for kind in known if fold(written) in names_of_kind(kind)]
        if not meant:
            raise
        hint = words("write-one", names=tuple(f"`{kind}`" for kind in meant))
        unknown = wrong("E-NAME-UNKNOWN", hint=hint, what=words("plan-choice"), written=as_quoted(written))
        raise NameFault(unknown) from fault


@cache
def names_of_kind(kind: str) -> frozenset[str]:
    """Return the names of a kind of choice in all languages, without capitals and accents (`fold`)."""
    section = SECTION_OF_KIND.get(kind, kind)
    return frozenset(fold(nouns(each)["sections"].get(section, kind)) for each in noun_languages())


def kinds(game: str) -> tuple[str, ...]:
    """Return the names of all kinds of choices for which a game allows plans."""
    return tuple(dict.fromkeys([*WISHES, *game_paper_named(game).plans, *sections(game)]))


def sections(game: str) -> tuple[str, ...]:
    """Return the sections of order files that may be used under the key `say` of a plan."""
    rows = game_paper_named(game).sections
    return tuple(dict.fromkeys(row.name for row in rows if not row.is_free and row.name not in NEVER))


def form_of(game: str, kind: str) -> WishForm:
    """Return the form of the plans for this kind of choice. If the game has none, the plans may only have the key
    `say`."""
    return {**WISHES, **game_paper_named(game).plans}.get(kind) or WishForm((), read_unsaid)


def keys_of(game: str, kind: str) -> tuple[str, ...]:
    form = form_of(game, kind)
    return (*KEYS, *(BOUNDS if form.is_bound else ()), *form.keys, *(("say",) if kind in sections(game) else ()))


def read_unsaid(self: SectionReader, entries: Mapping[str, Node], node: Node) -> Wish | None:
    """Add the fault that the key `say` is missing, for kinds of choices whose plans need it."""
    note_missing(self, entries, node, wrong("E-PLAN-EMPTY.say"))
    return None


def read_said(self: SectionReader, kind: str, entries: Mapping[str, Node], node: MappingNode) -> Wish | None:
    """Return the answer under the key `say` of a plan, which is written as in an order file. `entries` has the keys of
    the plan, `node` is its mapping. It is a fault if the plan also has a key that belongs to plans without `say`."""
    others = [key for key in entries if key not in (*KEYS, *BOUNDS, "say")]
    for key in others:
        self.reader.note(entries[key], wrong("E-PLAN-SAID", key=key))
    scratch = PowerOrders(self.power, node)
    readers_of(self.lexicon.rules)[kind](self, scratch, entries["say"])
    return WrittenAnswer({section: tuple(said) for section, said in scratch.sections.items()})


def read_bounds(self: SectionReader, entries: Mapping[str, Node]) -> PlanBounds:
    """Return the battles or retreats for which a plan is meant. A key that is missing or faulty leads to an empty
    field."""
    of, against = (
        tuple(one.number for one in self.each(entries[key], key, self.piece)) if key in entries else ()
        for key in ("of", "against")
    )
    at = tuple(one.number for one in self.each(entries["at"], "at", self.city)) if "at" in entries else ()
    role = chosen_word(self, entries["role"], "role", {role: role for role in ROLES}) if "role" in entries else None
    return PlanBounds(of, against, at, role or "")  # type: ignore[arg-type]


def read_until(self: SectionReader, node: Node) -> PlanEnd | None:
    """Return the end of a plan: a turn (`5`) or a stage (`5/prussia`). For any other text, or an unknown stage, add a
    fault and return None."""
    found, rules = StageName.read(node.value) if isinstance(node, Text) else None, self.lexicon.rules
    if found is None or not 1 <= found.turn <= 99:
        self.reader.note(node, wrong("E-PLAN-UNTIL"))
        return None
    turn, stage = found
    stages = game_named(rules.terms.game).stages(rules, turn)
    if stage and stage not in stages:
        hint = Names(stages).suggestion(stage) or None
        fault = wrong("E-PLAN-UNTIL.stage", hint=hint, turn=turn, stage=as_quoted(stage), stages=tuple(stages))
        self.reader.note(node, fault)
        return None
    return PlanEnd(turn, stage)


def read_else(self: SectionReader, form: WishForm, entries: Mapping[str, Node]) -> Otherwise:
    """Return the value of the key `else`, which tells what is done if the plan has no answer. Return `ask` if the key
    is missing or its word is unknown. The word `stop` is a fault for a choice in which something must be chosen."""
    if "else" not in entries:
        return "ask"
    otherwise = chosen_word(self, entries["else"], "else", OTHERWISE)
    if otherwise == "stop" and not form.may_stop:
        self.reader.note(entries["else"], wrong("E-PLAN-ELSE"))
    return otherwise or "ask"


KEYS_OF_ALL = ("for", *CONDITIONS, *BOUNDS, "standing", "until", "else")
"""Keys that are not part of a wish, and may occur in plans for every kind of choice."""


class PlanKey(Struct, frozen=True, omit_defaults=True):
    """Description of one key of plans, and of its values."""

    key: str
    words: tuple[str, ...] = ()
    only: bool = False
    """True if the words in `words` are the only allowed values."""
    parts: tuple[str, ...] = ()
    """Keys that the value, a mapping, may have. Each has a number or a range of numbers."""
    general: bool = False
    """True if the key is not part of the wish, but of the plan's conditions or limits."""


def plan_keys(game: str) -> dict[str, tuple[PlanKey, ...]]:
    """Return the descriptions of all keys of plans, by kind of choice. The key `for` is left out."""
    return {
        kind: tuple(key_described(game, kind, key) for key in keys_of(game, kind) if key != "for")
        for kind in kinds(game)
    }


def key_described(game: str, kind: str, key: str) -> PlanKey:
    form = form_of(game, kind)
    words = {"role": ROLES, "standing": ("yes", "no"), "else": tuple(OTHERWISE) if form.may_stop else ("ask",)}
    words |= form.words
    parts = {"when": numbers(kind), **form.parts}
    return PlanKey(
        key, words.get(key, ()), key in words and key not in form.free, parts.get(key, ()), key in KEYS_OF_ALL
    )
