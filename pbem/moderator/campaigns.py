"""Functions that found a moderator's campaigns, and open them for a command."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.campaign import Campaign, opened_by_moderator
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.ledger.chain import Head
from pbem.campaign.ledger.proposals import SUBJECTS
from pbem.campaign.ledger.records import MOVING
from pbem.campaign.ledger.replaying import moderator_of
from pbem.campaign.play.seated_bots import play_bots
from pbem.campaign.settings import Settings
from pbem.campaign.succession import terms_of
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.seal.faults import KeyFault
from pbem.seal.keys import PrivateKey


def found_campaign(folder: Path, plan: NewCampaign, key: PrivateKey, now: datetime) -> None:
    """Found a campaign in a new folder, and let the bots that have seats join it."""
    begin(folder, plan, secrets.token_bytes(32), key, now)
    if any(who.bot for who in plan.settings.seats.values()):
        with opened_by_moderator(folder, key, "pbem new", now) as campaign:
            play_bots(campaign)
            campaign.save()


def protection(settings: Settings) -> list[Words]:
    """Return sentences that tell how well a campaign protects secrets and letters."""
    conduct, moderator = settings.conduct, settings.moderator
    found = [words("protects-deal")]
    if conduct.seats == "drawn":
        found.append(words("protects-seats"))
    found.append(words("protects-letters" if conduct.signing == "on" else "protects-letters.off"))
    if conduct.sealing == "reveal":
        found.append(words("protects-sealed.reveal"))
    else:
        found.append(words("protects-sealed.seat" if moderator.seat else "protects-sealed"))
    found.append(words("protects-cards" if conduct.proofs == "at once" else "protects-cards.later"))
    if bots := tuple(seat for seat, who in settings.seats.items() if who.bot):
        found.append(words("protects-bots", seats=bots))
    if conduct.stand_in:
        found.append(words("protects-stand-in", level=conduct.stand_in.partition("/")[0]))
    if settings.is_masked:
        found.append(words("protects-masks"))
    if agreed := terms_of(settings):
        found.append(words("protects-heir", seats=agreed.seats, days=agreed.days))
    if moderator.seat:
        drawn = conduct.seats == "drawn"
        hands = words("protects-hands.drawn") if drawn else words("protects-hands.seat", seat=moderator.seat)
        found += [hands, sentence_on_reports(settings)]
    else:
        found.append(words("protects-hands"))
    if settings.position:
        found.append(words("protects-position"))
    return found


def sentence_on_reports(settings: Settings) -> Words:
    """Return a sentence that says whether the reports of other players are sealed, so that a moderator who plays cannot
    read them."""
    rivals = {seat: who for seat, who in settings.seats.items() if settings.is_rival(seat)}
    if plain := tuple(seat for seat, who in rivals.items() if who.reports == "plain"):
        return words("protects-reports.plain", seats=plain)
    return words("protects-reports")


class Task(Struct, frozen=True):
    """Data of a moderator's command in the folder of a campaign, such as the key and the clock."""

    command: str
    folder: Path
    key: Callable[[], PrivateKey]
    """Function that returns the moderator's key. It is called only if the folder has a campaign. Otherwise the user
    would type the passphrase in vain."""
    now: Callable[[], datetime]
    clock_is_right: bool | None = None
    """True if the moderator says that the computer's time is right; None for a command that makes no entry."""


@contextmanager
def campaign_to_read(task: Task) -> Iterator[Campaign]:
    """Open a campaign for a `with` block that does not change it. Raises `KeyFault` if the key is not the
    moderator's."""
    moderator, key = moderator_of(task.folder), task.key()
    if key.public != moderator:
        raise KeyFault(wrong("E-KEY-OTHER.given", moderator=moderator.fingerprint, given=key.public.fingerprint))
    with opened_by_moderator(task.folder, key, f"pbem {task.command}", task.now()) as campaign:
        yield campaign


@contextmanager
def campaign_to_change(task: Task, said: str) -> Iterator[Campaign]:
    """Open a campaign for a `with` block, and save it at the end. `said` describes the command. If a command with the
    same description was interrupted, it is continued."""
    with campaign_to_read(task) as campaign:
        campaign.clock_is_right = bool(task.clock_is_right)
        if task.clock_is_right is not None:
            # This is checked before anything else, because `remind` writes letters before its entry, and a wrong clock
            # would refuse the entry.
            campaign.check_clock()
        campaign.warnings += [("", fault) for fault in changed_entries(campaign)]
        campaign.intend(said)
        before = campaign.public.entry
        yield campaign
        campaign.save()
        since = min(before, campaign.found[0].number - 1) if campaign.found else before
        campaign.warnings += [("", fault) for fault in outcomes_since(campaign, since)]
        if campaign.found:
            finished = wrong("W-DONE-BEFORE", command=task.command, entry=campaign.found[0].number)
            campaign.warnings.append(("", finished))


def changed_entries(campaign: Campaign) -> list[Wrong]:
    """Return a warning if entries were changed after they were made. It names the newest of these entries. Raises
    `Refused` if reports need a changed entry that cannot be read."""
    found = list(campaign.ledger.changed_entries(Head(campaign.vault.entry, campaign.vault.hash)))
    for name in found:
        number, _, kind = name.removesuffix(".yaml").partition("-")
        if is_needed(campaign, int(number), kind):
            campaign.ledger.read(int(number))
    return [wrong("W-LEDGER-CHANGED", file=f"ledger/{found[0]}")] if found else []


def outcomes_since(campaign: Campaign, entry: int) -> list[Wrong]:
    """Return a notice for each proposal that was settled after this entry. There is no notice for a proposal that its
    player has replaced by a new one."""
    found = []
    for each in campaign.public.settled:
        if each.entry <= entry:
            continue
        player = each.player
        match each.how:
            case "carried":
                proposal = each.name.partition("-")[0]
                key = "W-PROPOSAL-CARRIED.end" if SUBJECTS[each.subject].needs == "all" else "W-PROPOSAL-CARRIED"
                found.append(wrong(key, entry=each.entry, proposal=proposal))
            case "failed":
                found.append(wrong("W-PROPOSAL-FAILED", player=player, seat=each.by))
            case "lapsed":
                found.append(wrong("W-PROPOSAL-FAILED.lapsed", player=player))
            case "dropped" if not any(other.player == player for other in campaign.public.proposals):
                found.append(wrong("W-PROPOSAL-FAILED.dropped", player=player))
    return found


def is_needed(campaign: Campaign, number: int, kind: str) -> bool:
    """True if reports may need the entry with this number and kind. They may need letters, entries that move the game,
    and entries that some reader has not yet been told of."""
    vault = campaign.vault
    told = min(each.public.entry for each in (vault.posted, *vault.told.values()))
    return number > told or kind in (*MOVING, "letter")
