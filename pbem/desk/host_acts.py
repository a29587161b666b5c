"""Acts of the moderator in the page, apart from taking letters: for each act its fields, and the function that carries
it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.ledger.entry_checks import bot_agreed
from pbem.campaign.ledger.records import AdjudicationRecord, goes_back
from pbem.campaign.ledger.replaying import record_in
from pbem.campaign.play import rulings
from pbem.campaign.settings import Newcomer
from pbem.moderator import acts
from pbem.moderator.letters import act
from pbem.moderator.mails import invite
from pbem.moderator.open_seats import choose, withdraw_offers, write_offers
from pbem.post.mailbox import RawMessage

Given = Mapping[str, str]
"""Values of an act's fields by name; a field that was left out has an empty text."""


def always(campaign: Campaign) -> bool:
    return True


def has_bot(campaign: Campaign) -> bool:
    """True if all have agreed on a bot that may stand in for a player."""
    return bool(bot_agreed(campaign.settings))


def has_offers(campaign: Campaign) -> bool:
    """True if a seat is offered to anybody."""
    return bool(campaign.vault.offers)


def has_askers(campaign: Campaign) -> bool:
    """True if somebody asks for a seat for which the moderator chooses."""
    return any(offer.askers for offer in campaign.vault.offers.values())


class HostAct(Struct, frozen=True):
    """Act of the moderator that the page offers."""

    run: Callable[[Campaign, Given], object]
    fields: tuple[str, ...]
    """Names of the fields; the page has an input for each."""
    phases: tuple[str, ...] = ("running",)
    is_possible: Callable[[Campaign], bool] = always
    """Function that tells if the act makes sense in a campaign of these phases."""


def change_address(campaign: Campaign, given: Given) -> object:
    return invite(campaign, [(given["seat"], given["address"])])


def extend(campaign: Campaign, given: Given) -> object:
    return acts.extend(campaign, given["until"], given["why"])


def note_absence(campaign: Campaign, given: Given) -> object:
    days = given["first"], given["last"] or given["first"]
    return acts.note_absence(campaign, given["seat"], days, given["why"], None)


def let_bot_stand_in(campaign: Campaign, given: Given) -> object:
    days = given["first"], given["last"] or given["first"]
    return acts.note_absence(campaign, given["seat"], days, given["why"], level_agreed(campaign))


def substitute(campaign: Campaign, given: Given) -> object:
    successor = acts.Successor(given["key"].strip(), Newcomer(given["name"], "", given["address"]))
    return acts.substitute(campaign, given["seat"], successor, given["why"])


def substitute_bot(campaign: Campaign, given: Given) -> object:
    return acts.substitute_bot(campaign, given["seat"], level_agreed(campaign), given["why"])


def offer_seat(campaign: Campaign, given: Given) -> object:
    return write_offers(campaign, [given["seat"]], given["why"], is_choice=True)


def withdraw_seat(campaign: Campaign, given: Given) -> object:
    return withdraw_offers(campaign, [given["seat"]])


def choose_asker(campaign: Campaign, given: Given) -> object:
    """Give a seat to one of those who ask for it. The field has the seat and the number of the person."""
    seat, _, number = given["asker"].partition(" ")
    return choose(campaign, seat, number)


def level_agreed(campaign: Campaign) -> str:
    """Return the level of the bot on which all have agreed."""
    return bot_agreed(campaign.settings).partition("/")[0]


def rekey(campaign: Campaign, given: Given) -> object:
    return acts.rekey(campaign, given["seat"], given["key"].strip(), given["why"])


def order_in_place(campaign: Campaign, given: Given) -> object:
    return act(campaign, given["seat"], RawMessage(given["orders"].encode(), "orders"), given["why"])


def go_on_without(campaign: Campaign, given: Given) -> object:
    return acts.adjudicate(campaign, force=True)


def rule(campaign: Campaign, given: Given) -> object:
    return rulings.rule(campaign, given["ruling"])


def go_back(campaign: Campaign, given: Given) -> object:
    return rulings.rollback(campaign, int(given["entry"]), given["why"])


def repair_clock(campaign: Campaign, given: Given) -> object:
    campaign.clock_is_right = True
    return rulings.repair_clock(campaign, given["why"])


OPEN = ("joining", "running", "over")
AWAY = ("seat", "first", "last", "why")

HOST_ACTS: dict[str, HostAct] = {
    "address": HostAct(change_address, ("seat", "address"), OPEN),
    "extend": HostAct(extend, ("until", "why")),
    "absent": HostAct(note_absence, AWAY, ("joining", "running")),
    "absent-bot": HostAct(let_bot_stand_in, AWAY, is_possible=has_bot),
    "choose": HostAct(choose_asker, ("asker",), OPEN, has_askers),
    "offer": HostAct(offer_seat, ("seat", "why"), OPEN),
    "withdraw": HostAct(withdraw_seat, ("seat",), OPEN, has_offers),
    "substitute": HostAct(substitute, ("seat", "name", "key", "address", "why"), ("running", "over")),
    "substitute-bot": HostAct(substitute_bot, ("seat", "why"), is_possible=has_bot),
    "rekey": HostAct(rekey, ("seat", "key", "why"), OPEN),
    "act": HostAct(order_in_place, ("seat", "orders", "why")),
    "force": HostAct(go_on_without, ()),
    "rollback": HostAct(go_back, ("entry", "why"), ("running", "over")),
    "rule": HostAct(rule, ("ruling",), OPEN),
    "repair-clock": HostAct(repair_clock, ("why",), OPEN),
}
"""Acts by name, those needed most often first."""

AT_ONE_SCREEN = ("force", "rollback")
"""Acts that make sense where all players sit at one screen."""


def acts_open(campaign: Campaign) -> dict[str, tuple[str, ...]]:
    """Return the acts that are possible in the campaign now, each with its fields."""
    return {
        name: each.fields
        for name, each in HOST_ACTS.items()
        if campaign.public.phase in each.phases and each.is_possible(campaign)
    }


def turning_points(campaign: Campaign) -> Iterator[tuple[int, str, str]]:
    """Yield number, stage and time of each entry after which the game can be turned back to, the latest first."""
    for entry in reversed(list(campaign.ledger.entries())):
        record = record_in(entry)
        if isinstance(record, AdjudicationRecord) or goes_back(record):
            yield entry.number, record.next.stage, stamp(entry.time)
