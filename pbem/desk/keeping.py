"""Work that the browser stores: games against bots, and drafts of letters that answer reports."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.desk.drafts import Drafts
from pbem.desk.opened import OpenedTable
from pbem.desk.practice import title_in
from pbem.faults.wrong import PbemError
from pbem.player.report_files import entry_of
from pbem.player.tables import identity_of


class KeptWork(Struct, frozen=True):
    """Game or letters, in the form in which the browser stores them."""

    id: str
    """Identity of the game or of the report. In the browser, later work replaces earlier work with the same
    identity."""
    kind: str
    """`game`, `branch` or `report`."""
    title: str
    stage: str
    over: bool
    """True if the game is over, or if the report says that it is."""
    drafts: dict[str, str]
    """Text of each draft, keyed by the draft's name."""
    chosen: str
    """Name of the draft on top."""
    saved: str = ""
    """File of a game against bots or of a branch; empty for letters."""
    of: str = ""
    """Identity of the report from which a branch begins."""
    sent: tuple[int, ...] = ()
    """The number (`seq`) of each letter that was signed on the desk, and may have been sent."""
    last: int = 0
    """Highest number of the signed letters of the seat."""
    last_before: int = 0
    """Highest number of the seat's letters that answered other reports."""
    seat: str = ""
    """Campaign and seat of a report; empty for a game and a branch."""
    entry: int = 0
    """Number of the last entry of the ledger that a report covers: a newer report has a higher number."""
    moderator: str = ""
    """Fingerprint of the key that has signed a report."""


def kept_work(opened: OpenedTable, drafts: Drafts) -> KeptWork | None:
    """Return the game or the letters that the browser should store. Return None for a position, and for a reader
    without a seat."""
    texts = {name: draft.text for name, draft in drafts.lying.items()}
    chosen, stage = drafts.chosen, opened.stage_name(opened.table)
    player = opened.words.player(opened.seat) if opened.seat else ""
    if (practice := opened.practice) and (place := opened.branch_place()):
        title, is_over = f"{place.report.partition('.')[0]}: {player}", practice.game.is_over
        return KeptWork(place.label, "branch", title, stage, is_over, texts, chosen, practice.text(), place.report)
    if practice:
        terms, seed = opened.table.rules.terms, practice.game.setup.seed
        scenario = title_in(opened.language, terms.game, terms.scenario).partition(":")[0]
        title = f"{terms.game.upper()}, {scenario}: {player}"
        return KeptWork(seed, "game", title, stage, practice.game.is_over, texts, chosen, practice.text())
    if (seen := opened.seen) and seen.seat:
        title, sent, seat = f"{seen.campaign}: {player}", tuple(sorted(drafts.sent)), f"{seen.campaign}.{seen.seat}"
        return KeptWork(
            id=identity_of(seen),
            kind="report",
            title=title,
            stage=stage,
            over=seen.is_over,
            drafts=texts,
            chosen=chosen,
            sent=sent,
            last=drafts.last_number,
            last_before=drafts.last_before,
            seat=seat,
            entry=entry_of(seen),
            moderator=seen.moderator.fingerprint,
        )
    return None


def restore(drafts: Drafts, texts: dict[str, str], chosen: str, sent: Sequence[int] = ()) -> None:
    """Restore drafts from their texts, and lay the draft `chosen` on top. Drafts that can no longer be begun are left
    out. `sent` has the numbers of letters that may have been sent."""
    drafts.sent |= set(sent)
    for name, text in texts.items():
        try:
            drafts.lay(name, text)
        except PbemError:
            continue
    drafts.take_up(chosen if chosen in drafts.lying else next(iter(drafts.lying)))
