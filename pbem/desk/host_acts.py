"""Acts of the moderator in the page, except taking letters: fields and function of each act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.entry_checks import bot_agreed
from pbem.campaign.ledger.records import AdjudicationRecord, goes_back
from pbem.campaign.play import rulings
from pbem.campaign.settings import Newcomer
from pbem.moderator import acts
from pbem.moderator.letters import act
from pbem.moderator.mails import invite
from pbem.moderator.open_seats import choose, withdraw_offers, write_offers
from pbem.post.mailbox import RawMessage

Given = Mapping[str, str]
"""Values of an act's fields, keyed by field; a field that was left out has an empty text."""


def has_bot(campaign: Campaign) -> bool:
    """Return whether the seats have agreed on a bot as a stand-in."""
    return bool(bot_agreed(campaign.settings))


def level_agreed(campaign: Campaign) -> str:
    return bot_agreed(campaign.settings).partition("/")[0]


class HostAct(Struct, frozen=True):
    """Act of the moderator that the page offers."""

    run: Callable[[Campaign, Given], object]
    """Function that carries the act out. It gets the texts of the fields."""
    fields: tuple[str, ...]
    """Names of the fields; the page has an input for each."""
    phases: tuple[str, ...] = ("running",)
    """Phases of a campaign in which the act is offered."""
    is_possible: Callable[[Campaign], bool] = lambda campaign: True
    """Function that tells whether the act makes sense in a campaign that is in one of these phases."""


def note_absence(campaign: Campaign, given: Given, bot: str | None) -> object:
    """Note the days of a player's absence, and the bot that stands in, if any. Without a last day the absence is one
    day."""
    days = given["first"], given["last"] or given["first"]
    return acts.note_absence(campaign, given["seat"], days, given["why"], bot)


def substitute(campaign: Campaign, given: Given) -> object:
    successor = acts.Successor(given["key"].strip(), Newcomer(given["name"], "", given["address"]))
    return acts.substitute(campaign, given["seat"], successor, given["why"])


def choose_asker(campaign: Campaign, given: Given) -> object:
    """Give a seat to one of the persons who ask for it. The field `asker` has the seat, a space, and the person's
    number in the list of askers."""
    seat, _, number = given["asker"].partition(" ")
    return choose(campaign, seat, number)


def repair_clock(campaign: Campaign, given: Given) -> object:
    campaign.clock_is_right = True
    return rulings.repair_clock(campaign, given["why"])


OPEN = ("joining", "running", "over")
AWAY = ("seat", "first", "last", "why")

HOST_ACTS: dict[str, HostAct] = {
    "address": HostAct(lambda on, given: invite(on, [(given["seat"], given["address"])]), ("seat", "address"), OPEN),
    "extend": HostAct(lambda on, given: acts.extend(on, given["until"], given["why"]), ("until", "why")),
    "absent": HostAct(lambda on, given: note_absence(on, given, None), AWAY, ("joining", "running")),
    "absent-bot": HostAct(lambda on, given: note_absence(on, given, level_agreed(on)), AWAY, is_possible=has_bot),
    "choose": HostAct(
        choose_asker, ("asker",), OPEN, lambda on: any(offer.askers for offer in on.vault.offers.values())
    ),
    "offer": HostAct(
        lambda on, given: write_offers(on, [given["seat"]], given["why"], is_choice=True), ("seat", "why"), OPEN
    ),
    "withdraw": HostAct(
        lambda on, given: withdraw_offers(on, [given["seat"]]), ("seat",), OPEN, lambda on: bool(on.vault.offers)
    ),
    "substitute": HostAct(substitute, ("seat", "name", "key", "address", "why"), ("running", "over")),
    "substitute-bot": HostAct(
        lambda on, given: acts.substitute_bot(on, given["seat"], level_agreed(on), given["why"]),
        ("seat", "why"),
        is_possible=has_bot,
    ),
    "rekey": HostAct(
        lambda on, given: acts.rekey(on, given["seat"], given["key"].strip(), given["why"]),
        ("seat", "key", "why"),
        OPEN,
    ),
    "act": HostAct(
        lambda on, given: act(on, given["seat"], RawMessage(given["orders"].encode(), "orders"), given["why"]),
        ("seat", "orders", "why"),
    ),
    "force": HostAct(lambda on, given: acts.adjudicate(on, force=True), ()),
    "rollback": HostAct(
        lambda on, given: rulings.rollback(on, int(given["entry"]), given["why"]), ("entry", "why"), ("running", "over")
    ),
    "rule": HostAct(lambda on, given: rulings.rule(on, given["ruling"]), ("ruling",), OPEN),
    "repair-clock": HostAct(repair_clock, ("why",), OPEN),
}
"""Acts keyed by name. The acts that are needed most often come first."""

AT_ONE_SCREEN = ("force", "rollback")
"""Acts that make sense where all players sit at one screen."""


def acts_open(campaign: Campaign) -> dict[str, tuple[str, ...]]:
    """Return the fields of each act that is possible now, keyed by act."""
    return {
        name: each.fields
        for name, each in HOST_ACTS.items()
        if campaign.public.phase in each.phases and each.is_possible(campaign)
    }


def turning_points(campaign: Campaign) -> Iterator[tuple[int, str, str]]:
    """Yield each entry to which the game can be turned back, the latest first: the entry's number, the stage that
    follows it, and its time."""
    for entry in reversed(list(campaign.ledger.entries())):
        record = record_in(entry)
        if isinstance(record, AdjudicationRecord) or goes_back(record):
            yield entry.number, record.next.stage, stamp(entry.time)
