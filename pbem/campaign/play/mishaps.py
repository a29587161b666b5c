"""Orders that could not be carried out, and plans that gave no answer."""

from __future__ import annotations

from msgspec import Struct

from pbem.engine.decisions import Answer, Move
from pbem.engine.nouns import Power
from pbem.paper.documents.faults import Fault


class FailedOrder(Struct, frozen=True):
    """Order of a player that the rules refuse, or that cannot be understood."""

    player: str
    power: Power
    fault: Fault
    march: Move | None = None
    """The order as a march. None for any other order, and for one that cannot be understood."""
    brings_back_others: bool = False
    """True if other orders of the letter, which were still to be carried out, are sent back together with this
    order."""


class PlanNote(Struct, frozen=True):
    """Note for a player about a plan that failed or gave no answer."""

    player: str
    power: Power
    about: str
    """Topic of the choice, as plans name it: `battle`, `retreat`, a section of orders."""
    fault: Fault
    march: Move | None = None
    """March that a plan or an order ahead gave. None if it gave no march."""


def march_in(answer: Answer) -> Move | None:
    return answer if isinstance(answer, Move) else None
