"""Founding and opening of campaigns by their moderator."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.campaign import Campaign, NewCampaign, begin, opened_by_moderator
from pbem.campaign.ledger.chain import Head
from pbem.campaign.ledger.replaying import moderator_of
from pbem.campaign.play.seated_bots import play_bots
from pbem.campaign.settings import Settings
from pbem.campaign.succession import terms_of
from pbem.faults.wrong import Wrong, wrong
from pbem.seal.faults import KeyFault
from pbem.seal.keys import PrivateKey, PublicKey


def found_campaign(folder: Path, plan: NewCampaign, key: PrivateKey, now: datetime) -> None:
    """Found a campaign in a new folder. Bots with seats join it at once."""
    begin(folder, plan, secrets.token_bytes(32), key, now)
    if any(who.bot for who in plan.settings.seats.values()):
        with opened_by_moderator(folder, key, "pbem new", now) as campaign:
            play_bots(campaign)
            campaign.save()


def protection(settings: Settings) -> list[str]:
    """Return sentences that say which secrets and letters this campaign protects, and which it does not."""
    conduct, moderator = settings.conduct, settings.moderator
    found = ["the deal: committed to before anybody joins, mixed with every player's own bytes, proved at the close"]
    if conduct.seats == "drawn":
        found.append("seats: drawn by lot from the same chance once everybody has joined, proved at the close")
    if conduct.signing == "on":
        found.append("letters: only the key of a seat can order for it")
    else:
        found.append("letters are NOT signed: whoever can write to you can order for anybody")
    if conduct.sealing == "reveal":
        found.append(
            "sealed orders: nobody can look before all have sealed, the moderator neither; it takes two letters"
        )
    elif moderator.seat:
        found.append("sealed orders are NOT secret from the moderator, who plays; `sealing: reveal` would keep them so")
    else:
        found.append("sealed orders: secret from the players, not from the moderator")
    if conduct.proofs == "at once":
        found.append("cards that show: proved at once; the proof also tells everybody when a card was dealt")
    else:
        found.append("cards that show: proved when the campaign closes, not before")
    if bots := [seat for seat, who in settings.seats.items() if who.bot]:
        found.append(
            f"bots play {', '.join(bots)}: what they do follows from the position and the moderator's secret, "
            "so that only the moderator could foresee it; it is checked once the campaign is closed"
        )
    if conduct.stand_in:
        level = conduct.stand_in.partition("/")[0]
        found.append(
            f"a bot ({level}) may stand in for who is away, and play a seat that is empty: never unseen, and checked "
            "as bots with seats are"
        )
    if settings.is_masked:
        found.append("players: masked until the close; keys, times and styles of writing can still give them away")
    if agreed := terms_of(settings):
        found.append(
            f"{agreed.seats} seats together can give the campaign to an heir after {agreed.days} days of silence; "
            "so many could also read all hands, and nobody would know"
        )
    if moderator.seat:
        seat = "as the lot will have it" if conduct.seats == "drawn" else moderator.seat
        found.append(f"hands and the deck are NOT secret from the moderator, who plays {seat} and can look")
        found.append(sentence_on_reports(settings))
    else:
        found.append("hands and the deck: secret from the players, not from the moderator")
    if settings.position:
        found.append("the position file is copied as it is: hands that stand in it are NOT secret")
    return found


def sentence_on_reports(settings: Settings) -> str:
    """Return a sentence on the other players' reports in the outbox of a moderator who plays: sealed or not."""
    rivals = {seat: who for seat, who in settings.seats.items() if settings.is_rival(seat)}
    if plain := [seat for seat, who in rivals.items() if who.reports == "plain"]:
        return f"reports to {', '.join(plain)} are NOT sealed: the moderator, who plays, has them in the outbox"
    return "reports: sealed to their readers' keys, so that they lie in no outbox for the moderator, who plays, to read"


class Task(Struct, frozen=True):
    """Command that a moderator runs in a campaign's folder, with the key and the clock."""

    command: str
    folder: Path
    key: Callable[[], PrivateKey]
    """Function that returns the moderator's key. It is called only if the folder has a campaign, so that no passphrase
    is asked for in vain."""
    now: Callable[[], datetime]
    clock_is_right: bool | None = None
    """True if the moderator vouches for the time of the computer; None for a command that makes no entry."""


@contextmanager
def campaign_to_read(task: Task) -> Iterator[Campaign]:
    """Open a campaign that the command does not change, after a check of the key."""
    moderator, key = moderator_of(task.folder), task.key()
    check_key(moderator, key)
    with opened_by_moderator(task.folder, key, f"pbem {task.command}", task.now()) as campaign:
        yield campaign


@contextmanager
def campaign_to_change(task: Task, said: str) -> Iterator[Campaign]:
    """Open a campaign that the command changes, and save it at the end.

    `said` describes the command. If a command with the same description was interrupted before, it is continued.
    """
    with campaign_to_read(task) as campaign:
        campaign.clock_is_right = bool(task.clock_is_right)
        if task.clock_is_right is not None:
            # Before all else: `remind` writes its letters before the entry, which would then be refused.
            campaign.check_clock()
        campaign.intend(said)
        campaign.warnings += [("", fault) for fault in changed_entries(campaign)]
        yield campaign
        campaign.save()
        if campaign.found:
            before = wrong("W-DONE-BEFORE", command=task.command, entry=campaign.found[0].number)
            campaign.warnings.append(("", before))


def changed_entries(campaign: Campaign) -> list[Wrong]:
    """Return a warning if an older entry of the ledger was changed or damaged: what is entered does not depend on it,
    but nobody can verify the campaign any more."""
    name = campaign.ledger.changed_entry(Head(campaign.vault.entry, campaign.vault.hash))
    return [wrong("W-LEDGER-CHANGED", file=f"ledger/{name}")] if name else []


def check_key(moderator: PublicKey, key: PrivateKey) -> None:
    """Raise `KeyFault` if the key is not the moderator's."""
    if key.public != moderator:
        raise KeyFault(wrong("E-KEY-OTHER.given", moderator=moderator.fingerprint, given=key.public.fingerprint))
