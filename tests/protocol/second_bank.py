"""The bank of time as `docs/absent.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.protocol.second_clock import deadline, moment, span
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
    is_vote = entry.kind == "extension" and "proposal" in entry.body and campaign.protocol >= 6
    if entry.kind not in ("adjudication", "lock") and not is_vote:
        return []
    if "bank" not in campaign.settings["clock"] or campaign.locked or not campaign.deadline:
        return []
    found = []
    for seat in campaign.next.get("owing", {}):
        stands = is_held(campaign, seat)
        if stands and campaign.protocol < 6:
            continue
        late = late_by(campaign, seat, entry.tree["time"], entry.body["until"] if is_vote else "")
        gained = 0 if late or is_vote else saved(campaign, seat)
        if late or not (is_vote or stands):
            found.append(Row(entry.number, seat, campaign.next["stage"], gained - late))
    return found


def late_by(campaign: Campaign, seat: str, now: str, until: str) -> int:
    """Seconds by which a seat is late up to now; what is late by the deadline `until` too does not count yet."""
    end, whole = moment(campaign.deadline), campaign.whole.get(seat)
    come = moment(whole or now)
    if until:
        come = min(come, moment(until))
    if seat in campaign.stands:
        come = min(come, moment(campaign.stands[seat]))
    late = int((come - end).total_seconds())
    if not whole:
        late = min(late, left(campaign, seat) + seconds(campaign.settings["clock"]["grace"]))
    return max(0, late)


def saved(campaign: Campaign, seat: str) -> int:
    """Seconds that a seat saves which was not late."""
    final = campaign.final.get(seat)
    end = campaign.clock_end if campaign.protocol >= 6 else campaign.deadline
    spare = int((moment(end) - moment(final)).total_seconds()) if final else 0
    return min(max(0, spare), seconds(campaign.settings["clock"]["bank"]["add"]))


def note(campaign: Campaign, entry: Entry) -> None:
    """Since when everybody who is asked has answered, and finally, and since when a seat is held."""
    now = entry.tree["time"]
    for seat in campaign.players:
        if not is_held(campaign, seat):
            campaign.stands.pop(seat, None)
        elif seat not in campaign.stands or moment(now) < moment(campaign.stands[seat]):
            campaign.stands[seat] = now
    if entry.kind == "lock" or "next" in entry.body:
        campaign.whole, campaign.final = {}, {}
    if "next" in entry.body and "bank" in campaign.settings["clock"]:
        campaign.clock_end = deadline(campaign.settings["clock"], now, "", [])
    if campaign.locked:
        return
    anew = campaign.protocol >= 6
    if anew and entry.kind == "letter" and entry.body["kind"] in ("orders", "plan", "reveal"):
        campaign.final.pop(entry.body["player"], None)
    for seat in campaign.next.get("owing", {}):
        pending = campaign.pending.get(seat)
        status = pending["status"] if pending else "partial"
        if pending is None and seat in campaign.next.get("answered", []):
            status = "final"
        if anew and pending and pending["wait"] == "true" and status == "final":
            status = "draft"
        for marks, enough in ((campaign.whole, ("final", "draft")), (campaign.final, ("final",))):
            if status not in enough:
                marks.pop(seat, None)
            elif seat not in marks:
                marks[seat] = now
