"""The rules of TOY."""

from __future__ import annotations

from pbem.kit import CitedSections, Game
from toy_game.rules import game, state, view

PART = Game(
    name="toy",
    title="TOY",
    new_state=game.new_state,
    start=game.start,
    advance=game.advance,
    decisions=game.decisions,
    decision_of=game.decision_of,
    apply=game.apply,
    check_movers=game.check_movers,
    column_of=game.column_of,
    view=view.view,
    problems=game.problems,
    stages=game.stages,
    phases_of=game.phases_of,
    table=state.Table,
    state=state.State,
    cited=CitedSections(powers="§2", stages="§2", cards="§2", payments="§2", battles="§2", marches="§3"),
)
