"""Rules of MARIA, built on the shared engine."""

from __future__ import annotations

from pbem.games.maria.rules import data, events, game, hussars, invariants, movement, sequence, state
from pbem.kit import CitedSections, Game

PART = Game(
    name="maria",
    title="MARIA",
    new_state=state.new_state,
    start=game.start,
    advance=sequence.advance,
    decisions=game.decisions,
    decision_of=game.decision_of,
    anytime=game.anytime,
    apply=game.apply,
    set_out=sequence.set_out,
    check_movers=movement.check_movers,
    column_of=movement.column_of,
    shortage=hussars.shortage,
    on_map=events.apply_event,
    view=game.view,
    problems=invariants.problems,
    stages=sequence.stages,
    phases_of=sequence.phases_of,
    acting_in=data.acting_in,
    table=state.Table,
    state=state.State,
    cited=CitedSections(powers="§14", stages="§5", cards="§8", payments="§8", battles="§11.1", marches="§10.1"),
)
