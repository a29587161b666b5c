"""The bank of time as `docs/absent.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.protocol.second_clock import moment, span
from tests.protocol.second_seats import is_held

if TYPE_CHECKING:
    from tests.protocol.second import Campaign
    from tests.protocol.second_entries import Entry


class Row(NamedTuple):
    """A seat that was asked up to an entry, with the seconds that it saved (or, below zero, was late)."""

    entry: int
    seat: str
    stage: str
    seconds: int


def seconds(text: str) -> int:
    return int(span(text).total_seconds())


def left(campaign: Campaign, seat: str) -> int:
    """Seconds in the bank of a seat; without a bank none."""
    terms = campaign.settings["clock"].get("bank")
    if not terms:
        return 0
    found, given = seconds(terms["start"]), dict[str, int]()
    for row in campaign.rows:
        if row.seat == seat and row.seconds < 0:
            found = max(0, found + row.seconds)
        elif row.seat == seat:
            gain = min(row.seconds, seconds(terms["add"]) - given.get(row.stage, 0))
            given[row.stage] = given.get(row.stage, 0) + gain
            found = min(found + gain, seconds(terms["most"]))
    return found


def rows_of(campaign: Campaign, entry: Entry) -> list[Row]:
    """Rows that an entry settles; the campaign stands as before it."""
    clock = campaign.settings["clock"]
    if entry.kind not in ("adjudication", "lock") or "bank" not in clock or campaign.locked or not campaign.deadline:
        return []
    end, now = moment(campaign.deadline), moment(entry.tree["time"])
    found = []
    for seat in campaign.next.get("owing", {}):
        if is_held(campaign, seat):
            continue
        whole, final = (marks.get(seat) for marks in (campaign.whole, campaign.final))
        over = (moment(whole) if whole else now) - end
        late = int(over.total_seconds())
        if not whole:
            late = min(late, left(campaign, seat) + seconds(clock["grace"]))
        saved = int((end - moment(final)).total_seconds()) if final else 0
        saved = min(max(saved, 0), seconds(clock["bank"]["add"]))
        found.append(Row(entry.number, seat, campaign.next["stage"], -late if late > 0 else saved))
    return found


def note(campaign: Campaign, entry: Entry) -> None:
    """Since when everybody who is asked has answered, and finally."""
    if entry.kind in ("adjudication", "lock", "rollback") or (entry.kind == "clock" and "next" in entry.body):
        campaign.whole, campaign.final = {}, {}
    if campaign.locked:
        return
    for seat in campaign.next.get("owing", {}):
        pending = campaign.pending.get(seat)
        status = pending["status"] if pending else "partial"
        if pending is None and seat in campaign.next.get("answered", []):
            status = "final"
        for marks, enough in ((campaign.whole, ("final", "draft")), (campaign.final, ("final",))):
            if status not in enough:
                marks.pop(seat, None)
            elif seat not in marks:
                marks[seat] = entry.tree["time"]
