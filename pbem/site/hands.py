"""What was secret, once a campaign is closed: hands and troops at the end of every stage, and the letters opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pbem.campaign.campaign import opener_of
from pbem.campaign.ledger.reading import Reading
from pbem.campaign.ledger.records import AdjudicationRecord, CloseRecord, JoinRecord, KeyChangeRecord, LetterRecord
from pbem.campaign.ledger.replaying import replay
from pbem.campaign.letters.letterbox import HeldLetter
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.proof.opened_letters import letters_opened
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.kit import game_of
from pbem.paper.documents.writing import write
from pbem.report import naming


class PowerHoldings(Struct, frozen=True):
    """What one power held."""

    power: Power
    cards: tuple[str, ...]
    troops: dict[str, int]
    """The troops of every general on the map."""


class StageSecrets(Struct, frozen=True):
    """What the powers held at the end of a stage, as far as it was not the same at the end of the stage before."""

    stage: int
    holdings: tuple[PowerHoldings, ...]


class SealedContents(Struct, frozen=True):
    """A letter that was opened at the close."""

    entry: int
    player: str
    kind: str
    stage: str
    file: str
    parts: dict[str, str]
    """What was sealed in it, by slot."""


def letters_at_close(reading: Reading) -> Mapping[int, HeldLetter]:
    """Every letter that was opened when the campaign was closed; none while it runs."""
    if not isinstance(reading.entries[-1][1], CloseRecord):
        return {}
    return letters_opened(reading.folder)


def public_letters(reading: Reading, opened: Mapping[int, HeldLetter]) -> dict[int, str]:
    """The letters that everybody may read, by entry: those the ledger holds, and after the close all that it opened."""
    found = {entry: held.text for entry, held in opened.items()}
    for entry, record in reading.entries:
        if isinstance(record, JoinRecord | KeyChangeRecord) and record.letter:
            found[entry.number] = record.letter
    return {entry: found[entry] for entry in sorted(found)}


def opened_letters(reading: Reading, opened: Mapping[int, HeldLetter], files: dict[int, str]) -> list[SealedContents]:
    """What was sealed in letters, in the order of the ledger."""
    found = []
    for entry, record in reading.entries:
        held = opened.get(entry.number)
        if held is not None and held.opened and isinstance(record, LetterRecord):
            parts = {slot: write(part.body) for slot, part in sorted(held.opened.items())}
            file = files[entry.number]
            found.append(SealedContents(entry.number, record.player, record.kind, record.stage, file, parts))
    return found


def secrets_by_stage(
    reading: Reading, rules: GameRules, letters: Mapping[int, HeldLetter], stage_of: dict[int, int]
) -> Iterator[StageSecrets]:
    """The hands and troops at the end of the stages, as playing the whole campaign again shows them."""
    known: dict[str, PowerHoldings] = {}
    for stage, now in ends_of_stages(reading, rules, letters, stage_of).items():
        changed = tuple(holding for power, holding in now.items() if known.get(power) != holding)
        known = now
        if changed:
            yield StageSecrets(stage, changed)


def ends_of_stages(
    reading: Reading, rules: GameRules, letters: Mapping[int, HeldLetter], stage_of: dict[int, int]
) -> dict[int, dict[str, PowerHoldings]]:
    """What every power held when the last adjudication of a stage was done, by stage."""
    closed = reading.entries[-1][1]
    assert isinstance(closed, CloseRecord)
    found: dict[int, dict[str, PowerHoldings]] = {}
    set_up = opener_of(reading.folder, reading.settings)
    entries = [entry for entry, _ in reading.entries]
    for played in replay(entries, lambda kept: SecretState(kept, rules, letters.__getitem__, set_up), closed.secret):
        if isinstance(played.record, AdjudicationRecord) and played.entry.number in stage_of:
            found[stage_of[played.entry.number]] = holdings(played.state)
    return dict(sorted(found.items()))


def holdings(state: SecretState) -> dict[str, PowerHoldings]:
    """What every power holds."""
    table = state.table
    assert table is not None
    seen = game_of(table).view(table, table.rules.powers)
    troops: dict[str, dict[str, int]] = {power: {} for power in table.rules.powers}
    for piece in seen.pieces:
        if piece.troops and piece.city >= 0 and piece.power in troops:
            troops[piece.power][piece.name] = piece.troops
    return {
        power: PowerHoldings(power, tuple(naming.notations(seen.hands.get(power, ()))), troops[power])
        for power in table.rules.powers
    }
