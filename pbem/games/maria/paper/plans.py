"""What plans of MARIA may speak of in a way of their own: hussars and toll, influence, political cards, giving way."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.games.maria.paper.selecting import political_card, read_politics
from pbem.paper.documents.strict import Node
from pbem.paper.orders.names import SectionReader, parts_of
from pbem.paper.plans.data import CardsWish, CorpsWish, GoWish, Pay, PoliticsWish, Raid, RaidWish, TollWish, Wish
from pbem.paper.plans.wishes import (
    Entries,
    WishForm,
    card_reader,
    chosen,
    lacks,
    preferences,
    read_cards_kept_back,
    word_of,
)

WAYS_TO_PAY: Mapping[str, Pay] = {"cheapest": "cheapest", "highest": "highest", "never": "never"}
"""How supply through hussars may be paid for."""


def read_toll(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """How supply through hussars is paid for (§9)."""
    if "pay" not in entries:
        lacks(self, entries, node, wrong("E-PLAN-EMPTY.toll"))
        return None
    pay = chosen(self, entries["pay"], words("plan-pay"), WAYS_TO_PAY)
    unsupplied = self.each(entries["unsupplied"], "generals", self.piece) if "unsupplied" in entries else ()
    return None if pay is None else TollWish(pay, read_cards_kept_back(self, entries), unsupplied)


RAIDS: Mapping[str, Raid] = {"costliest": "costliest", "stay": "stay", "off": "off"}
"""Where hussars go."""


def read_raid(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Where hussars go (§7)."""
    if "raid" not in entries:
        lacks(self, entries, node, wrong("E-PLAN-EMPTY.raid"))
        return None
    raid = chosen(self, entries["raid"], words("plan-raid"), RAIDS)
    return None if raid is None else RaidWish(raid)


def read_corps(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Who goes to the off-map box (§17.5)."""
    if "send" not in entries:
        lacks(self, entries, node, wrong("E-PLAN-EMPTY.corps"))
        return None
    is_weakest = word_of(entries, "send") == "weakest"
    generals = () if is_weakest else self.each(entries["send"], "generals", self.piece)
    return CorpsWish(tuple(general.number for general in generals))


def read_selection(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Political cards in the order in which they are wanted, each written as in an order file (§17.5)."""
    if "select" not in entries:
        lacks(self, entries, node, wrong("E-PLAN-EMPTY.politics"))
        return None
    choices = [read_politics(self, item) for item in parts_of(entries["select"])]
    return PoliticsWish(tuple(choice.said for choice in choices if choice is not None))


read_placing = card_reader(("trump", "leading", "other"))


def read_influence(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Which card is placed, and for which political cards only (§17.3)."""
    wish = read_placing(self, entries, node)
    items = self.reader.items(entries["among"], "among") if "among" in entries else ()
    among = [political_card(self, item) for item in items]
    return replace(wish, among=frozenset(card for card in among if card)) if isinstance(wish, CardsWish) else wish


RELOCATION = ("towards", "away-from")
"""The wishes about a piece that has to give way."""


def read_relocation(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Where one's own pieces go that have to leave their cities (§17.5, §19)."""
    return GoWish(preferences(self, entries, node, RELOCATION))


PLANS: Mapping[str, WishForm] = {
    "hussars": WishForm(("raid",), read_raid, words={"raid": tuple(RAIDS)}),
    "toll": WishForm(("pay", "keep", "unsupplied"), read_toll, words={"pay": tuple(WAYS_TO_PAY)}),
    "influence": WishForm(("card", "keep", "among"), read_influence, may_stop=True),
    "politics": WishForm(("select",), read_selection, may_stop=True),
    "corps": WishForm(("send",), read_corps, words={"send": ("weakest",)}, free=("send",)),
    "relocate": WishForm(("of", *RELOCATION), read_relocation),
}
"""The plans of MARIA."""
