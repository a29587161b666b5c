"""Public facts on a position: its stage, the players who owe answers, and its fingerprint."""

from __future__ import annotations

import hashlib

from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.record_texts import as_texts
from pbem.campaign.play.resolving import StageOutcome
from pbem.engine.table import Table, player_of, stage_of
from pbem.kit import game_named, game_of
from pbem.seal.canonical import canonical


def next_of(outcome: StageOutcome) -> r.Next:
    """Return the public facts on the position after an outcome: its stage, and the players who owe answers."""
    table = outcome.table
    game = game_of(table)
    owing: dict[str, tuple[str, ...]] = {}
    open_now = game.decisions(table)
    for decision in open_now:
        player = player_of(table, decision.power)
        if decision.power not in owing.get(player, ()):
            owing[player] = (*owing.get(player, ()), decision.power)
    answered = tuple(player for player in owing if player in outcome.answering)
    return r.Next(
        stage=stage_of(table),
        phase=table.state.phase,
        digest=public_digest(table),
        owing=owing,
        answered=answered,
        over=table.state.phase == "over",
    )


def public_digest(table: Table) -> str:
    """Return the fingerprint of the public part of a position."""
    seen = game_named(table.rules.terms.game).view(table, ())
    return hashlib.sha256(canonical(as_texts(seen))).hexdigest()
