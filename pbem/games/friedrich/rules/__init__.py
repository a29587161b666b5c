"""Rules of FRIEDRICH: turns of seven stages, recruiting, the Clock of Fate, the expert game, and games for two."""

from __future__ import annotations

from pbem.games.friedrich.rules import events, game, invariants, movement, opening, recruiting, sequence, state
from pbem.kit import CitedSections, Game

PART = Game(
    name="friedrich",
    title="FRIEDRICH",
    new_state=opening.new_state,
    start=game.start,
    advance=sequence.advance,
    decisions=game.decisions,
    decision_of=game.decision_of,
    anytime=game.anytime,
    apply=game.apply,
    set_out=sequence.set_out,
    check_movers=movement.check_movers,
    column_of=movement.column_of,
    shortage=sequence.shortage,
    recruits_before_combat=recruiting.troops_left,
    on_map=events.apply_event,
    view=game.view,
    problems=invariants.problems,
    stages=sequence.stages,
    phases_of=sequence.phases_of,
    table=state.Table,
    state=state.State,
    later=recruiting.later_parts,
    cited=CitedSections(powers="§1", stages="§2", cards="§3", payments="§10", battles="§7", marches="§4"),
)
