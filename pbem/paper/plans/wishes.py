"""Functions that read the wishes of plans, for the choices that every game has: combat, retreats, attacks, new troops,
cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args

from msgspec import Struct

from pbem.engine.nouns import City, Piece
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.paper.documents.names import Names
from pbem.paper.documents.strict import MappingNode, Node, Text
from pbem.paper.lexicon import SIGNS, SUIT_NAMES, WrittenCard
from pbem.paper.orders.names import SectionReader
from pbem.paper.orders.sections import read_order
from pbem.paper.plans import data as p

T = TypeVar("T")

Entries = Mapping[str, Node]

WishReader = Callable[[SectionReader, Entries, Node], p.Wish | None]

MOST = 999
"""Largest number that a plan may give for cards, points or troops. No game has so many."""

_NUMBER = r"([+-]?[0-9]{1,3})"
_SPANS: tuple[tuple[re.Pattern[str], Callable[[int], p.Span]], ...] = (
    (re.compile(_NUMBER), lambda n: p.Span(n, n)),
    (re.compile(_NUMBER + r" or more"), lambda n: p.Span(n, None)),
    (re.compile(_NUMBER + r" or less"), lambda n: p.Span(None, n)),
)
_BETWEEN = re.compile(_NUMBER + r" to " + _NUMBER)
_GOAL = re.compile(r"(r|reserve|suit|any) +(?:(least|most)|to ([+-]?[0-9]{1,3}))")

_ATTACKS, _SUIT = words("plan-attacks"), words("plan-suit")
_PICK = re.compile(r"(highest|lowest) (\S+)(?: at (most|least) ([0-9]{1,2}))?")
_GOALS: dict[str | None, p.Aim] = {None: "to", "least": "least", "most": "most"}
_PICKS: dict[str, p.Pick] = {"highest": "highest", "lowest": "lowest"}
_WHATS: dict[str, p.What] = {"r": "reserve", "reserve": "reserve", "suit": "suit", "any": "any"}


class WishForm(Struct, frozen=True):
    """Form of the plans for one kind of choice: the keys of the wish, and the function that reads the wish."""

    keys: tuple[str, ...]
    """Keys of the wish. Keys that all plans have are not included."""
    read: WishReader
    """Function that reads the wish. It returns None after a fault."""
    is_bound: bool = False
    """True if a plan may be meant for certain battles only."""
    may_stop: bool = False
    """True if a plan may have `else: stop`, because nothing must be chosen."""
    words: Mapping[str, tuple[str, ...]] = {}
    """Dict from a key to the words that its value may be."""
    free: tuple[str, ...] = ()
    """Keys whose value may also be something else than the words in `words`, such as names or numbers."""
    parts: Mapping[str, tuple[str, ...]] = {}
    """Dict from a key whose value is a mapping to the keys of this mapping. Each of these has a number."""


def chosen_word(self: SectionReader, node: Node, label: Words | str, words: Mapping[str, T]) -> T | None:
    """Return the value that the mapping `words` has for the word of a node. The word need not be spelt exactly (see
    `Names`). For any other text, add a fault and return None."""
    names = tuple(words)
    listed = Names(names, label, most_suggested=len(names))
    return self.reader.name(node, label, lambda written: words[names[listed.find(written)]])


def note_missing(self: SectionReader, entries: Entries, node: Node, wrong: Wrong) -> None:
    """Add the fault `wrong` to a plan in which a necessary key is missing. If the plan also has an unknown key, add
    nothing, because this key may be the necessary one, misspelt."""
    if not isinstance(node, MappingNode) or len(node.items) == len(entries):
        self.reader.note(node, wrong)


def span(self: SectionReader, node: Node, label: str) -> p.Span | None:
    """Return a range of numbers that is written `3`, `3 or more`, `3 or less`, or `2 to 5`. Return None after a
    fault."""
    written = " ".join(node.value.split()) if isinstance(node, Text) else ""
    for pattern, made in _SPANS:
        if found := pattern.fullmatch(written):
            return made(int(found[1]))
    found = _BETWEEN.fullmatch(written)
    if found and int(found[1]) <= int(found[2]):
        return p.Span(int(found[1]), int(found[2]))
    self.reader.note(node, wrong("E-PLAN-SPAN", what=label))
    return None


def count(self: SectionReader, entries: Entries, key: str) -> int | None:
    """Return the number under a key, which must not be negative. Return None if there is no such key, and after a
    fault."""
    return self.reader.number(entries[key], key, 0, MOST) if key in entries else None


def read_cards_kept_back(self: SectionReader, entries: Entries) -> tuple[WrittenCard, ...]:
    """Return the cards under the key `keep`. Return an empty tuple if there is no such key."""
    if "keep" not in entries:
        return ()
    return tuple(card.card for card in self.cards(entries["keep"]))


def read_battle(self: SectionReader, entries: Entries, node: Node) -> p.Wish | None:
    """Return the wish about a combat, from the keys `play`, `tactic`, `stop` and the limits. It is a fault if both
    `play` and `tactic` are missing."""
    lines = self.reader.items(entries["play"], "play") if "play" in entries else []
    play = tuple(line for item in lines if (line := script(self, item)) is not None)
    tactics: dict[str, p.Tactic] = {word: word for word in get_args(p.Tactic)}
    tactic = chosen_word(self, entries["tactic"], "tactic", tactics) if "tactic" in entries else None
    mapping = self.reader.mapping(entries["stop"], "stop") if "stop" in entries else None
    known = self.reader.known_entries(mapping, STOP, "stop") if mapping else {}
    behind, ahead = count(self, known, "behind"), count(self, known, "ahead")
    if not lines and "tactic" not in entries:
        note_missing(self, entries, node, wrong("E-PLAN-EMPTY.battle"))
    limits = {key: count(self, entries, key) for key in ("spend", "points", "accept")}
    return p.BattleWish(play, tactic, read_cards_kept_back(self, entries), **limits, behind=behind, ahead=ahead)


STOP = ("behind", "ahead")
"""Keys below `stop`. The value of each is a number of points: the power stops as soon as it is behind or ahead by this
number."""


def script(self: SectionReader, node: Node) -> p.Script | None:
    """Return one line of a script: a card (`R5`), a kind of card with a goal (`R to +1`, `suit least`, `any to 0`), or
    `stop`. Return None after a fault."""
    written = node.value.strip().casefold() if isinstance(node, Text) else ""
    if written == "stop":
        return p.Script("stop", None, "", 0, node)
    if found := _GOAL.fullmatch(written):
        return p.Script(_WHATS[found[1]], None, _GOALS[found[2]], int(found[3] or 0), node)
    order = self.card(node)
    if order is None:
        return None
    most = self.lexicon.rules.common.decks.reserve_most
    if order.card.is_reserve and not 1 <= order.card.value <= most:
        self.reader.note(node, wrong("E-PLAN-RESERVE", most=most))
        return None
    return p.Script("card", order.card, "", 0, node)


def read_retreat(self: SectionReader, entries: Entries, node: Node) -> p.Wish | None:
    return p.RetreatWish(preferences(self, entries, node, RETREAT))


def preferences(self: SectionReader, entries: Entries, node: Node, kinds: tuple[str, ...]) -> tuple[p.Preference, ...]:
    """Return the preferences under the keys `kinds`, in the written sequence. Each key has a list of goals. It is a
    fault if a plan has none of these keys."""
    found = [(kind, entries[kind]) for kind in entries if kind in kinds]
    if not found:
        note_missing(self, entries, node, wrong("E-PLAN-EMPTY.where", kinds=kinds))
    wishes: list[p.Preference] = []
    for kind, value in found:
        goals = tuple(one for item in self.reader.items(value, kind) if (one := goal(self, item)) is not None)
        wishes.append(p.Preference(kind, goals))  # type: ignore[arg-type]
    return tuple(wishes)


def goal(self: SectionReader, node: Node) -> p.RetreatGoal | None:
    """Return the goal of a retreat: a city, a piece, or the word `trains` or `home`. Return None after a fault."""
    written = node.value.strip().casefold() if isinstance(node, Text) else ""
    if written in ("trains", "home"):
        return p.RetreatGoal(word="trains" if written == "trains" else "home")
    if self.lexicon.is_city(written):
        city = self.city(node)
        return p.RetreatGoal(city=city.number) if city else None
    piece = self.piece(node)
    return p.RetreatGoal(piece=piece.number) if piece else None


STRENGTHS: Mapping[str, p.Strength] = {"strongest": "strongest", "weakest": "weakest"}
"""Words that tell in which sequence the attacks come: by the strength of the attacking stacks."""


def read_attacks(self: SectionReader, entries: Entries, node: Node) -> p.Wish | None:
    """Return the wish about the sequence of attacks: a list as in the section `battles`, a word of `STRENGTHS`, or
    both. It is a fault if both are missing."""
    items = self.reader.items(entries["order"], "order") if "order" in entries else []
    order = tuple(battle for item in items if (battle := read_order(self, item)) is not None)
    by = chosen_word(self, entries["by"], _ATTACKS, STRENGTHS) if "by" in entries else None
    if not items and "by" not in entries:
        note_missing(self, entries, node, wrong("E-PLAN-EMPTY.attacks"))
    return p.AttackWish(order, by or "")


def read_muster(self: SectionReader, entries: Entries, node: Node) -> p.Wish | None:
    """Return the wish about new troops: the generals who get them, their number, and the cards that may be paid. If the
    key `give` is missing, add a fault and return None."""
    if "give" not in entries:
        note_missing(self, entries, node, wrong("E-PLAN-EMPTY.troops"))
        return None
    give = word_of(entries, "give")
    generals = () if give in EVENLY else self.each(entries["give"], "give", self.piece)
    keep_half, enter_all = word_of(entries, "keep-points") == "half", word_of(entries, "enter") == "all"
    return p.MusterWish(
        give=tuple(general.number for general in generals),
        troops=count(self, entries, "troops"),
        keep=read_cards_kept_back(self, entries),
        to_front=give == "front",
        keep_points=0 if keep_half else count(self, entries, "keep-points") or 0,
        keep_half=keep_half,
        pay=(chosen_word(self, entries["pay"], words("plan-pay"), PURSES) if "pay" in entries else None) or "cheapest",
        enter_all=enter_all,
        enter=read_entries(self, entries["enter"]) if "enter" in entries and not enter_all else (),
    )


PURSES: Mapping[str, p.Pay] = {"cheapest": "cheapest", "spare": "spare"}
"""Words that tell how the cards that pay for new troops are chosen."""


def word_of(entries: Entries, key: str) -> str:
    """Return the text under a key, in small letters. Return an empty text if there is none."""
    node = entries.get(key)
    return node.value.strip().casefold() if isinstance(node, Text) else ""


def read_entries(self: SectionReader, node: Node) -> tuple[tuple[Piece, tuple[City, ...]], ...]:
    """Return the pairs in lines `piece: city, city`. They tell where a piece returns, beginning with the most wanted
    city. Lines without a known piece or city are left out."""
    found = []
    for name, value in self.reader.pairs(node, "enter"):
        piece = self.piece(name)
        cities = self.each(value, "cities", self.city)
        if piece and cities:
            found.append((piece.number, tuple(city.number for city in cities)))
    return tuple(found)


def card_reader(words: tuple[str, ...] = ()) -> WishReader:
    """Return a function that reads wishes for a card. `words` has the words for suits that change in the course of a
    game, such as `trump`."""

    def read(self: SectionReader, entries: Entries, node: Node) -> p.Wish | None:
        if "card" not in entries:
            note_missing(self, entries, node, wrong("E-PLAN-EMPTY.card"))
            return None
        items = self.reader.items(entries["card"], "card")
        choices = tuple(wish for item in items if (wish := card_wish(self, item, words)) is not None)
        return p.CardsWish(choices, read_cards_kept_back(self, entries))

    return read


def card_wish(self: SectionReader, node: Node, words: tuple[str, ...]) -> p.CardWish | None:
    """Return a wish for a card. It is written `none`, as a card, or as a text such as `highest ♠ at most 6`. Return
    None after a fault."""
    written = " ".join(node.value.casefold().split()) if isinstance(node, Text) else ""
    if written == "none":
        return p.CardWish()
    found = _PICK.fullmatch(written)
    if found is None:
        order = self.card(node)
        return p.CardWish(card=order.card) if order else None
    suits: dict[str, Any] = {word: word for word in ("card", *words)}
    suit = SIGNS.get(found[2])
    if suit is None:
        suit = chosen_word(self, Text(found[2], node.line, node.column), _SUIT, suits | SUIT_NAMES)
    limit = int(found[4]) if found[4] else None
    values = p.Span(limit, None) if found[3] == "least" else p.Span(None, limit)
    return None if suit is None else p.CardWish(None, _PICKS[found[1]], suit, values)


RETREAT = ("towards", "away-from", "cut-off-from", "never-next-to")
"""Keys of preferences about a retreat."""

EVENLY = ("even", "front")
"""Words that may be written instead of a list of generals. They tell how troops are distributed."""

WISHES: dict[str, WishForm] = {
    "battle": WishForm(
        ("play", "tactic", "keep", "spend", "points", "accept", "stop"), read_battle, is_bound=True, may_stop=True,
        words={"tactic": get_args(p.Tactic)}, parts={"stop": STOP},
    ),
    "retreat": WishForm(RETREAT, read_retreat, is_bound=True),
    "attack-order": WishForm(("order", "by"), read_attacks, words={"by": tuple(STRENGTHS)}),
    "allot": WishForm(("give",), read_muster, words={"give": EVENLY}, free=("give",)),
    "recruit": WishForm(
        ("give", "troops", "pay", "keep", "keep-points", "enter"), read_muster, may_stop=True,
        words={"give": EVENLY, "pay": tuple(PURSES), "keep-points": ("half",), "enter": ("all",)},
        free=("give", "keep-points", "enter"),
    ),
}  # fmt: skip
"""Forms of the plans for those kinds of choices that every game has."""
