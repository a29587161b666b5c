"""Players who are asked, their deadlines, and their defaults, as `docs/protocol.md` says: nothing of `pbem`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.protocol import second_bank, second_clock
from tests.protocol.second_entries import Entry, need
from tests.protocol.second_seats import is_held

if TYPE_CHECKING:
    from tests.protocol.second import Campaign


def those_in_force(campaign: Campaign, used: set[int]) -> None:
    """Exactly the letters in force were used; of those revealed before, some may have been unreadable."""
    need(set(campaign.plans.values()) <= used, "standing plans were passed over")
    need(used <= {*campaign.newest.values(), *campaign.plans.values()}, "a letter was used that is not in force")
    must = {int(waiting["entry"]) for waiting in campaign.pending.values()}
    must = must & set(campaign.newest.values()) if campaign.reveals else set(campaign.newest.values())
    need(must <= used, "a letter that is in was passed over")


def defaults(campaign: Campaign, entry: Entry) -> None:
    """Nobody is passed over before the time, and for the reason that is given."""
    body = entry.body
    absent, forfeited = body.get("absent", {}), body.get("forfeited", {})
    if not campaign.next:
        need(not absent and not forfeited and "forced" not in body, "nobody was asked yet")
        return
    may, forced = allowed(campaign, entry.tree["time"]), body.get("forced", "false") == "true"
    need(forced == (not may), "the clock allowed it, or did not")
    hidden = {player: slots for player in campaign.players if (slots := hidden_of(campaign, player))}
    need(campaign.locked or not is_sealed(campaign), "what was sealed was not locked first")
    need(forfeited == (hidden if campaign.locked else {}), "what is forfeited is not this")
    need(set(absent) <= set(campaign.next.get("owing", {})), "somebody is absent who is not asked")
    heard = {*campaign.newest, *campaign.plans}
    asked = set(campaign.next.get("owing", {}))
    held = {player for player in asked if is_held(campaign, player)}
    if not campaign.locked and may == "orders":
        need(set(absent) <= held, "all orders were in")
        asked = held
    need(asked - heard <= set(absent), "somebody who said nothing is not absent")
    if campaign.bound:
        need(set(campaign.next.get("owing", {})) & set(forfeited) <= set(absent), "who forfeits has no other answer")
    not_shown = "the moderator went on before it was revealed" if forced and campaign.bound else "not revealed in time"
    for player, why in absent.items():
        is_forced = forced or (campaign.bound and campaign.hurried)
        went_on = "the moderator went on" if is_forced else "no orders by the deadline"
        went_on = "nobody plays the seat any more" if player in held else went_on
        mute = "what was revealed does not answer" if campaign.locked and player in campaign.newest else went_on
        need(why == (not_shown if player in forfeited else mute), "somebody is absent for no reason")


def is_sealed(campaign: Campaign) -> bool:
    """True if orders wait for a lock; those that were revealed behind an earlier one do not."""
    waiting = campaign.pending.values() if campaign.reveals else ()
    if campaign.protocol < 2:
        return any(letter["slots"] for letter in waiting)
    return any(set(letter["slots"]) - set(letter["revealed"]) for letter in waiting)


def hidden_of(campaign: Campaign, player: str) -> list[str]:
    """The slots that somebody has committed to, and not shown."""
    waiting, plans = campaign.pending.get(player), campaign.unshown.get(player)
    orders = set(waiting["slots"]) - set(waiting["revealed"]) if waiting else set()
    return sorted(orders | (set(plans.body["slots"]) if plans else set()))


def allowed(campaign: Campaign, now: str) -> str:
    """Reason why the clock allows an adjudication now, if it does."""
    clock = campaign.settings["clock"]
    if campaign.locked:
        clock = {**clock, "at_deadline": "hold"}
    asked = [player for player in campaign.next.get("owing", {}) if not is_held(campaign, player)]
    all_owed = [owed(campaign, player) for player in asked]
    if campaign.locked:
        all_owed += [None for player in campaign.players if player not in asked and hidden_of(campaign, player)]
    asking = [player for player, pending in campaign.pending.items() if pending["wait"] == "true"]
    waiting = any(not is_held(campaign, player) for player in asking)
    late = [player for player, mine in zip(asked, all_owed, strict=False) if not (mine and mine.is_whole)]
    drawn = 0 if campaign.locked else max((second_bank.left(campaign, player) for player in late), default=0)
    return second_clock.permitted(clock, now, campaign.deadline, all_owed, waiting, campaign.began, drawn)


def owed(campaign: Campaign, player: str) -> second_clock.Owed | None:
    """Orders that are in from somebody who is asked."""
    pending = campaign.pending.get(player)
    if campaign.locked and hidden_of(campaign, player):
        return None
    if pending is None:
        is_answered = player in campaign.next.get("answered", [])
        return (
            second_clock.Owed(second_clock.moment(campaign.last_needed or campaign.began), False, True)
            if is_answered
            else None
        )
    since = second_clock.moment(campaign.last_needed or campaign.time)
    is_whole = pending["status"] != "partial"
    return second_clock.Owed(since, not is_whole or (pending["status"] == "draft" and not campaign.locked), is_whole)


def deadline_is(campaign: Campaign, entry: Entry, said: dict[str, Any], before: str) -> None:
    """The deadline must be the one that the clock sets."""
    if said.get("over") == "true":
        need("deadline" not in said, "a game that is over has no deadline")
        return
    away = [(first, last) for player, first, last in campaign.absences if player in said.get("owing", {})]
    expected = second_clock.deadline(campaign.settings["clock"], entry.tree["time"], before, away)
    need(said.get("deadline", "") == expected, "the clock sets another deadline")
