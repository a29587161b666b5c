"""What plans of FRIEDRICH may speak of in a way of their own: cards set aside or given away."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.paper.plans.wishes import WishForm, card_reader

GIVEN = ("swap", "plunder", "redraw", "offensive")
"""The choices of one card that may be declined in some cases (§11, §13)."""

PLANS: Mapping[str, WishForm] = {
    "set aside": WishForm(("card", "keep"), card_reader()),
    **{reason: WishForm(("card", "keep"), card_reader(), may_stop=True) for reason in GIVEN},
}
"""The plans of FRIEDRICH."""
