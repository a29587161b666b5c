"""Which orders ahead are in force: those of letters that were carried out, until their stages are over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from pbem.campaign.play.ahead import LetterAhead, ahead_in
from pbem.campaign.play.resolving import StageOutcome
from pbem.campaign.play.snapshot import AheadInForce, LetterInForce
from pbem.engine.stages import StageName, stage_of
from pbem.engine.table import GameRules
from pbem.kit import game_named
from pbem.paper.orders.files import Orders
from pbem.paper.plans.ahead import stage_in

ReadForce = Callable[[LetterInForce], Orders | None]
"""What a letter in force says, as far as it can be read."""


def newest_first(letters: Iterable[LetterInForce | None]) -> list[LetterInForce]:
    """Letters in force, each once."""
    found = {force.entry: force for force in letters if force is not None}
    return [found[entry] for entry in sorted(found, reverse=True)]


def letters_ahead(letters: Iterable[LetterInForce | None], read: ReadForce, *others: LetterAhead) -> list[LetterAhead]:
    """What letters order ahead, the newest first; those that order nothing ahead are left out."""
    found = [(force.entry, read(force)) for force in newest_first(letters)]
    ahead = [*others, *(LetterAhead(entry, ahead_in(orders)) for entry, orders in found if orders)]
    return sorted((letter for letter in ahead if letter.blocks), key=lambda letter: -letter.entry)


def ahead_after(
    before: Mapping[str, AheadInForce], carried_out: Mapping[str, LetterInForce], read: ReadForce, outcome: StageOutcome
) -> dict[str, AheadInForce]:
    """The orders ahead that are in force after an adjudication, and what has become of those for its last stage."""
    found: dict[str, AheadInForce] = {}
    for player in sorted({*before, *carried_out, *outcome.ahead}):
        known = before.get(player, AheadInForce()).letters
        letters = newest_first([*known, carried_out.get(player)])
        staying = [force for force in letters if is_ahead(force, read, outcome)]
        in_use = outcome.ahead.get(player, {})
        if staying or in_use:
            found[player] = AheadInForce([replace(force, remains=None) for force in staying], dict(in_use))
    return found


def is_ahead(force: LetterInForce, read: ReadForce, outcome: StageOutcome) -> bool:
    """Whether a letter orders something for the stage that has been reached, or a later one of this turn."""
    table = outcome.table
    blocks = [block for letter in letters_ahead([force], read) for each in letter.blocks.values() for block in each]
    return any(not is_past(table.rules, stage_in(block), stage_of(table)) for block in blocks)


def is_past(rules: GameRules, stage: str, now: str) -> bool:
    """Whether a stage is of another turn than the present, or earlier in this one."""
    one, other = StageName.read(stage), StageName.read(now)
    assert one is not None
    if other is None or one.turn != other.turn:
        return True
    stages = game_named(rules.terms.game).stages(rules, one.turn)
    return other.stage in stages and stages.index(one.stage) < stages.index(other.stage)


def ahead_at(known: AheadInForce, since: int) -> AheadInForce:
    """The orders ahead in force at a position gone back to, of whom has had the seat since an entry."""
    return replace(known, letters=[force for force in known.letters if force.entry > since])
