"""Agreements of one reader, as the reader's report tells them: those in force, those that have ended, and offers that
lapsed because somebody did not sign."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger import records as r
from pbem.campaign.letters.joining import LetterVerdict, text_of
from pbem.campaign.letters.letterbox import listed_names
from pbem.campaign.news import News
from pbem.engine.table import turn_of
from pbem.faults.wrong import PbemError
from pbem.paper.agreements import Deal, is_over


class LapsedOffer(Struct, frozen=True):
    """Agreement that some parties had signed and others had not when orders were carried out or the game ended."""

    entry: int
    """Entry of the first letter that signs it."""
    offered_by: str
    """Player whose letter this is."""
    missing: tuple[str, ...]
    """Players who have not signed."""
    words: str
    is_unsent: bool = False
    """True if orders were carried out in the round in which the offer came in, so that it was sent to nobody."""


class OwnAgreements(Struct, frozen=True):
    """Agreements of a reader who plays; empty for others."""

    in_force: tuple[Deal, ...] = ()
    """Agreements in force that earlier reports have announced. They are listed in the first report of each turn; in
    other reports this is empty."""
    ended: tuple[Deal, ...] = ()
    """Agreements that have ended since the reader's previous report."""
    lapsed: tuple[LapsedOffer, ...] = ()
    """Offers that the reader has made or accepted, and that have lapsed since the reader's previous report. If the game
    has ended since, offers of other players are included that the reader could have signed up to the end."""


def own_agreements(campaign: Campaign, reader: str, news: News) -> OwnAgreements:
    """Return the agreements of a reader. `news` is what happened since the reader's previous report."""
    public, table, before = campaign.public, campaign.state.table, campaign.vault.told_to(reader).public
    if reader not in public.players or table is None:
        return OwnAgreements()
    now, then = campaign.state.stage, before.next.stage if before.next else ""
    mine = [deal for deal in public.deals if reader in deal.players]
    ended = [deal for deal in mine if is_over(table.rules, deal.until, now)]
    is_recalled = public.phase == "running" and turn_of(now) != turn_of(then)
    return OwnAgreements(
        tuple(deal for deal in mine if deal not in ended and deal.entry <= news.since) if is_recalled else (),
        tuple(deal for deal in ended if deal.entry > before.entry or not is_over(table.rules, deal.until, then)),
        tuple(sorted(lapsed_offers(campaign, reader, news), key=lambda offer: offer.entry)),
    )


def lapsed_offers(campaign: Campaign, reader: str, news: News) -> Iterator[LapsedOffer]:
    """Yield the offers that lapsed since the reader's previous report, and that the reader has signed, or was asked
    to sign when the game ended."""
    before = campaign.vault.told_to(reader).public
    if before.phase in ("over", "closed"):
        return
    signed = {words: dict(letters) for words, letters in before.promises.items()}
    # Earlier offers have lapsed before the previous report, which told it.
    waiting = {words for words, letters in signed.items() if letters.get(reader, 0) > before.since}
    lapsed: set[str] = set()
    asked: dict[str, int] = {}
    times: dict[int, datetime] = {}
    ends: dict[str, datetime] = {}
    began = before.since
    for entry, record in news.entries:
        match record:
            case r.LetterRecord(kind="agreement"):
                (words,) = record.slots.values()
                signed.setdefault(words, {})[record.player] = entry.number
                times[entry.number] = entry.time
                if record.player == reader:
                    waiting.add(words)
                    lapsed.discard(words)
            case r.AgreementRecord():
                done = {words for words, letters in signed.items() if set(record.letters) & set(letters.values())}
                signed = {words: letters for words, letters in signed.items() if words not in done}
                waiting, lapsed = waiting - done, lapsed - done
            case r.SubstituteRecord(player=player):
                for letters in signed.values():
                    letters.pop(player, None)
                waiting, lapsed = (set(), set()) if player == reader else (waiting, lapsed)
            case _ if entry.kind in r.MOVING or ends_game(record):
                ends |= dict.fromkeys(waiting, entry.time) if entry.kind in r.MOVING else {}
                waiting, lapsed = set(), lapsed | waiting
                if ends_game(record):
                    open_now = {
                        words: [number for number in by.values() if number > began] for words, by in signed.items()
                    }
                    asked |= {words: min(of) for words, of in open_now.items() if of and reader not in signed[words]}
                began = entry.number
    for words in lapsed:
        letters = signed[words]
        maker = min(letters, key=letters.__getitem__)
        for offer in lapsed_offer(campaign, maker, letters):
            # All entries of one round have one time, and offers are sent at its end.
            yield replace(offer, is_unsent=offer.entry in times and times[offer.entry] == ends.get(words))
    for words, first in asked.items():
        maker = next(seat for seat, number in signed[words].items() if number == first)
        yield from (offer for offer in lapsed_offer(campaign, maker, signed[words]) if reader in offer.missing)


def ends_game(record: r.Record) -> bool:
    """Return whether an entry ends the game: by the rules, by agreement of the seats, or by the moderator."""
    is_over = isinstance(record, r.AdjudicationRecord) and record.next.over
    return is_over or isinstance(record, r.EndRecord | r.CloseRecord)


def lapsed_offer(campaign: Campaign, maker: str, signed: dict[str, int]) -> Iterator[LapsedOffer]:
    """Yield the offer of the player `maker`. Yield nothing if its letter cannot be read. `signed` has the entries of
    the letters that sign the offer, by player."""
    try:
        body = campaign.held_letter(signed[maker]).letter.body
    except PbemError:
        # A letter that cannot be read is told where it is needed.
        return
    named = listed_names(text_of(LetterVerdict(), body, "with"))
    missing = tuple(sorted({seat for seat in named if seat not in signed and seat != maker}))
    yield LapsedOffer(signed[maker], maker, missing, text_of(LetterVerdict(), body, "words"))
