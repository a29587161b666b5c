"""Commanders of stacks in which several generals have the highest rank."""

from __future__ import annotations

import pytest

from pbem.engine.field import by_command
from pbem.engine.rules import IllegalOrder
from pbem.engine.troops import check_commander, highest_of
from pbem.games.maria.rules.data import Terms
from tests.play import start

THREE = ("Schwerin", "Rutowski", "Friedrich der Große")


def test_of_three_generals_only_one_of_the_highest_rank_may_be_chosen() -> None:
    table, _ = start(Terms(), 1)
    rules, field = table.rules.common, table.state.field
    by_name = {facts.name: index for index, facts in enumerate(rules.pieces)}
    lower, *highest = stack = [by_name[name] for name in THREE]
    for general in highest:
        check_commander(rules, field, stack, general)
    for chosen, why in ((lower, ".rank"), (None, ""), (by_name["Törring"], "")):
        with pytest.raises(IllegalOrder) as refused:
            check_commander(rules, field, stack, chosen)
        message, hint = refused.value.message, refused.value.hint
        assert (message.key, refused.value.rule) == (f"E-COMMANDER{why}", "§6")
        assert refused.value.where == ("commander",)
        assert str(hint) == "Friedrich der Große or Rutowski"
    assert sorted(highest_of(rules, by_command(rules, field, stack))) == sorted(highest)
