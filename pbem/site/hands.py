"""Secrets of a closed campaign: hands and troops at the end of every stage, and the contents of sealed letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.reading import Reading
from pbem.campaign.ledger.records import AdjudicationRecord, CloseRecord, JoinRecord, KeyChangeRecord, LetterRecord
from pbem.campaign.ledger.replaying import ReplayedEntry
from pbem.campaign.letters.letterbox import HeldLetter
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.proof.findings import Verification
from pbem.campaign.proof.opened_letters import letters_opened
from pbem.campaign.proof.verifying import Verifier, walked
from pbem.engine.nouns import Power
from pbem.kit import AnyTable, game_of
from pbem.paper.documents.writing import write
from pbem.report import naming
from pbem.report.course import Figures, figures_of
from pbem.site.accounts import FullNews, full_news


class PowerHoldings(Struct, frozen=True):
    """Cards and troops of one power."""

    power: Power
    cards: tuple[str, ...]
    troops: dict[str, int]
    """Troops of every general on the map."""


class StageSecrets(Struct, frozen=True):
    """Holdings at the end of a stage of those powers whose holdings have changed since the stage before."""

    stage: int
    holdings: tuple[PowerHoldings, ...]


class SealedContents(Struct, frozen=True):
    """Contents of a letter that was opened at the close."""

    entry: int
    player: str
    kind: str
    stage: str
    file: str
    parts: dict[str, str]
    """Sealed parts of the letter, by slot."""


def letters_at_close(reading: Reading) -> Mapping[int, HeldLetter]:
    """Every letter that was opened when the campaign was closed; empty while it runs."""
    if not isinstance(reading.entries[-1][1], CloseRecord):
        return {}
    return letters_opened(reading.folder)


def public_letters(reading: Reading, opened: Mapping[int, HeldLetter]) -> dict[int, str]:
    """Letters that everybody may read, by entry: those in the ledger, and after the close all that it opened."""
    found = {entry: held.text for entry, held in opened.items()}
    for entry, record in reading.entries:
        if isinstance(record, JoinRecord | KeyChangeRecord) and record.letter:
            found[entry.number] = record.letter
    return {entry: found[entry] for entry in sorted(found)}


def opened_letters(reading: Reading, opened: Mapping[int, HeldLetter], files: dict[int, str]) -> list[SealedContents]:
    """Contents of sealed letters, in the order of the ledger."""
    found = []
    for entry, record in reading.entries:
        held = opened.get(entry.number)
        if held is not None and held.opened and isinstance(record, LetterRecord):
            parts = {slot: write(part.body) for slot, part in sorted(held.opened.items())}
            file = files[entry.number]
            found.append(SealedContents(entry.number, record.player, record.kind, record.stage, file, parts))
    return found


class Verified(Struct, frozen=True):
    """Result of a verification, with data for the site that were collected on the way."""

    verification: Verification
    entries: list[Entry]
    holdings: dict[int, dict[str, PowerHoldings]]
    """Holdings of every power after each adjudication of a closed campaign, by its entry."""
    figures: dict[int, Figures]
    """Public figures after each of these."""
    news: dict[int, FullNews]
    """Events of each of these, with all secrets."""


class SiteVerification:
    """Verification of a folder that collects data for its site."""

    def __init__(self, root: Path) -> None:
        """Start the verification; raises `StorageFault` if there is no campaign."""
        self.walk = Verifier(open_folder(root), Verification(), self.look)
        self.held: dict[int, dict[str, PowerHoldings]] = {}
        self.counted: dict[int, Figures] = {}
        self.news: dict[int, FullNews] = {}

    def look(self, played: ReplayedEntry) -> None:
        """Collect holdings, figures and news after an entry."""
        if isinstance(played.record, AdjudicationRecord):
            self.held[played.entry.number] = holdings(played.state)
            self.counted[played.entry.number] = figures_of(table_played(played.state))
            self.news[played.entry.number] = full_news(played.state.news[-1])

    @property
    def result(self) -> Verified:
        """Result so far."""
        return Verified(self.walk.found, self.walk.entries, self.held, self.counted, self.news)


def verify_for_site(root: Path) -> Verified:
    """Verify a folder, and return the result with data for its site."""
    looking = SiteVerification(root)
    walked(looking.walk)
    return looking.result


def secrets_by_stage(held: Mapping[int, dict[str, PowerHoldings]], stage_of: dict[int, int]) -> Iterator[StageSecrets]:
    """Hands and troops at the end of the stages, as the last adjudication of each left them."""
    ends = {stage_of[entry]: now for entry, now in held.items() if entry in stage_of}
    known: dict[str, PowerHoldings] = {}
    for stage, now in sorted(ends.items()):
        changed = tuple(holding for power, holding in now.items() if known.get(power) != holding)
        known = now
        if changed:
            yield StageSecrets(stage, changed)


def table_played(state: SecretState) -> AnyTable:
    """Table of a game that has begun."""
    assert state.table is not None
    return state.table


def holdings(state: SecretState) -> dict[str, PowerHoldings]:
    """Holdings of every power."""
    table = table_played(state)
    seen = game_of(table).view(table, table.rules.powers)
    troops: dict[str, dict[str, int]] = {power: {} for power in table.rules.powers}
    for piece in seen.pieces:
        if piece.troops and piece.city >= 0 and piece.power in troops:
            troops[piece.power][piece.name] = piece.troops
    return {
        power: PowerHoldings(power, tuple(naming.notations(seen.hands.get(power, ()))), troops[power])
        for power in table.rules.powers
    }
