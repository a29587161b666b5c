"""What plans of MARIA may speak of in a way of their own: the hussars' toll, influence, political cards, giving way."""

from __future__ import annotations

from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.games.maria.paper.sections import SETTLED, read_politics
from pbem.paper.documents.strict import Node
from pbem.paper.documents.strict import Sequence as SequenceNode
from pbem.paper.game_paper import PlanForms
from pbem.paper.orders.sections import PowerOrders, SectionReader
from pbem.paper.plans.data import GoWish, Pay, PoliticsWish, TollWish, Wish
from pbem.paper.plans.wishes import Entries, WishForm, card_reader, chosen, kept, lacks, preferences

PAYING = words("plan-pay")


def read_toll(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """How supply through hussars is paid for (§9)."""
    if "pay" not in entries:
        lacks(self, entries, node, wrong("E-PLAN-EMPTY.toll"))
        return None
    words: dict[str, Pay] = {"cheapest": "cheapest", "highest": "highest", "never": "never"}
    pay = chosen(self, entries["pay"], PAYING, words)
    unsupplied = self.each(entries["unsupplied"], "generals", self.piece) if "unsupplied" in entries else ()
    return None if pay is None else TollWish(pay, kept(self, entries), unsupplied)


def read_selection(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Political cards in the order in which they are wanted, each written as in an order file (§17.5)."""
    if "select" not in entries:
        lacks(self, entries, node, wrong("E-PLAN-EMPTY.politics"))
        return None
    written = entries["select"]
    scratch = PowerOrders(self.power, node)
    choices: list[object] = []
    for item in written.items if isinstance(written, SequenceNode) else (written,):
        scratch.sections.clear()
        read_politics(self, scratch, item)
        choices += scratch.take_all("politics")
    return PoliticsWish(tuple(choices))


RELOCATION = ("towards", "away-from")
"""The wishes about a piece that has to give way."""


def read_relocation(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Where one's own pieces go that have to leave their cities (§17.5, §19)."""
    return GoWish(preferences(self, entries, node, RELOCATION))


PLANS = PlanForms(
    wishes={
        "toll": WishForm(("pay", "keep", "unsupplied"), read_toll),
        "influence": WishForm(("card", "keep"), card_reader(("trump", "other")), may_stop=True),
        "politics": WishForm(("select",), read_selection, may_stop=True),
        "relocate": WishForm(("of", *RELOCATION), read_relocation),
    },
    settled=frozenset(SETTLED),
)
"""The plans of MARIA."""
