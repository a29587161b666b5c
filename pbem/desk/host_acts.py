"""Acts of the moderator in the page, apart from taking letters: for each act its fields, and the function that carries
it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.ledger.entry_checks import bot_agreed
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import AdjudicationRecord, goes_back
from pbem.campaign.ledger.replaying import record_in
from pbem.campaign.play import rulings
from pbem.campaign.settings import Newcomer
from pbem.moderator import acts
from pbem.moderator.letters import act
from pbem.moderator.mails import invite
from pbem.post.mailbox import RawMessage

Given = Mapping[str, str]
"""Values of an act's fields by name; a field that was left out has an empty text."""


class HostAct(Struct, frozen=True):
    """Act of the moderator that the page offers."""

    run: Callable[[Campaign, Given], object]
    fields: tuple[str, ...]
    """Names of the fields; the page has an input for each."""
    phases: tuple[str, ...] = ("running",)
    wants_bot: bool = False
    """True for an act that puts a bot in a player's place. It is possible only if all have agreed on a bot
    (`stand_in`)."""


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
    "absent-bot": HostAct(let_bot_stand_in, AWAY, wants_bot=True),
    "substitute": HostAct(substitute, ("seat", "name", "key", "address", "why"), ("running", "over")),
    "substitute-bot": HostAct(substitute_bot, ("seat", "why"), wants_bot=True),
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


def acts_open(public: PublicState) -> dict[str, tuple[str, ...]]:
    """Return the acts that are possible in the campaign's phase, each with its fields."""
    has_bot = bool(bot_agreed(public.settings))
    return {
        name: each.fields
        for name, each in HOST_ACTS.items()
        if public.phase in each.phases and (has_bot or not each.wants_bot)
    }


def turning_points(campaign: Campaign) -> Iterator[tuple[int, str, str]]:
    """Yield number, stage and time of each entry after which the game can be turned back to, the latest first."""
    for entry in reversed(list(campaign.ledger.entries())):
        record = record_in(entry)
        if isinstance(record, AdjudicationRecord) or goes_back(record):
            yield entry.number, record.next.stage, stamp(entry.time)
