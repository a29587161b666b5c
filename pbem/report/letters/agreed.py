"""Data about an agreement. They are used in the receipt for a player who signs, and in the offer to each player who has
not signed yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.public_state import BASIS
from pbem.campaign.ledger.records import AgreementRecord, LetterRecord
from pbem.campaign.letters.heads import highest_number
from pbem.campaign.letters.joining import LetterVerdict, text_of
from pbem.campaign.letters.judging import terms_in
from pbem.campaign.letters.letterbox import listed_names
from pbem.campaign.play.adjudicating import Receipt
from pbem.campaign.play.seated_bots import is_bots
from pbem.campaign.players.offers import agreeing_letter
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import PbemError
from pbem.paper.agreements import Binds
from pbem.paper.letters import Letter, whole_tree
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import game_of_terms
from pbem.report.blocks import table_in_words
from pbem.report.language.templates import TemplateData
from pbem.report.letters.entries import FORMAT, local_time, moderator_data, report_language


class SignedTerms(Struct, frozen=True):
    """Terms of an agreement, as they stand in the letter that one player has signed."""

    players: tuple[str, ...]
    words: str
    binds: Binds
    """Names of the things that the agreement binds, as the letter writes them."""
    until: str
    cities: tuple[str, ...] = ()
    """Names of the cities that the agreement binds, all in one language, even if the letter names them in another."""

    @property
    def told_binds(self) -> dict[str, list[str]]:
        """Return the names of the things that the agreement binds, keyed by kind. Cities have the names in `cities`."""
        return names_told(self.binds, self.cities)

    def differences(self, terms: SignedTerms) -> list[str]:
        """Return the keys of those parts that are different in the two terms."""
        return [key for key in ("words", "binds", "until") if getattr(self, key) != getattr(terms, key)]

    def is_spelt_otherwise(self, terms: SignedTerms) -> bool:
        """True if both terms bind the same things, but write names of cities in different ways."""
        is_alike = {**self.binds, "cities": ()} == {**terms.binds, "cities": ()}
        return is_alike and self.binds != terms.binds and set(self.cities) == set(terms.cities)


def agreement_data(campaign: Campaign, receipt: Receipt, language: str, has_gone_on: bool) -> dict[str, object]:
    """Return the data of an accepted agreement. Return an empty dict for any other letter. If the game `has_gone_on`
    before all players had signed, the agreement has lapsed."""
    record, held = receipt.verdict.record, receipt.verdict.held
    if receipt.status != "final" or held is None or not isinstance(record, LetterRecord) or record.kind != "agreement":
        return {}
    mine, public = signed_terms(campaign, held.letter, language), campaign.public
    signed = public.promises.get(record.slots["words"], {})
    # When an agreement is complete, it is removed from the promises.
    missing = [seat for seat in mine.players if seat not in signed] if signed else []
    others = {seat: entry for each in public.promises.values() for seat, entry in each.items() if seat in missing}
    return {
        "players": [seat for seat in mine.players if seat != receipt.player],
        "missing": missing,
        "has_lapsed": has_gone_on and not is_completed(campaign, receipt.entry),
        "cities": list(mine.cities),
        "binds": mine.told_binds,
        "until": mine.until,
        "near": [near for seat, entry in others.items() if (near := near_data(campaign, mine, seat, entry, language))],
    }


def is_completed(campaign: Campaign, entry: int) -> bool:
    """True if all parties have signed the agreement. `entry` is the number of an entry with a letter that signs it."""
    later = (record_in(each) for each in campaign.ledger.entries(entry + 1))
    return any(isinstance(record, AgreementRecord) and entry in record.letters for record in later)


class OpenOffer(Struct, frozen=True):
    """Agreement in the present position that some parties have signed and others have not."""

    entry: int
    letter: Letter
    """The first letter in the present position that signs the agreement."""
    missing: tuple[str, ...]
    """Players who have not signed."""


def open_offers(campaign: Campaign) -> Iterator[OpenOffer]:
    """Yield the agreements that some, but not all, parties have signed in the present position of a running game.
    Agreements that cannot be read are left out."""
    public = campaign.public
    for signed in public.promises.values() if public.phase == "running" else ():
        entry = min((number for number in signed.values() if number > public.since), default=0)
        if not entry:
            continue
        try:
            letter = campaign.held_letter(entry).letter
        except PbemError:
            # It is reported elsewhere that this letter cannot be read.
            continue
        players = signed_terms(campaign, letter, "en").players
        yield OpenOffer(entry, letter, tuple(seat for seat in players if seat not in signed))


def offers_data(campaign: Campaign) -> Iterator[TemplateData]:
    """Yield the data of an offer for each player who has not yet signed an agreement. They have the text of a letter
    with which the player can sign it."""
    public, settings = campaign.public, campaign.settings
    for offer in open_offers(campaign):
        entry, letter, missing = offer.entry, offer.letter, offer.missing
        for seat in missing:
            if is_bots(campaign.state, seat):
                continue
            person = campaign.person(seat)
            language = report_language(person.language or "en")
            terms, seq = signed_terms(campaign, letter, language), highest_number(public, seat) + 1
            basis = public.basis[:BASIS]
            yield {
                "format": FORMAT,
                "kind": "offer",
                "language": language,
                "campaign": settings.campaign,
                "game": game_of_terms(settings.terms),
                "player": seat,
                "name": person.name,
                "moderator": moderator_data(settings, public.moderator),
                "stage": letter.stage,
                "offered_by": letter.sender,
                "entry": entry,
                "head": {"entry": entry, "hash": campaign.ledger.hash_of(entry)},
                "basis": basis,
                "seq": seq,
                "words": text_of(LetterVerdict(), letter.body, "words"),
                "binds": terms.told_binds,
                "until": terms.until,
                "deadline": local_time(parse_moment(public.deadline), settings.clock) if public.deadline else None,
                "others": [each for each in missing if each != seat],
                "signing": settings.conduct.signing,
                "letter": agreeing_letter(letter, seat, seq, basis),
                "offered": whole_tree(letter),
            }


def near_data(campaign: Campaign, mine: SignedTerms, seat: str, entry: int, language: str) -> dict[str, object]:
    """Compare the terms `mine` with the terms in another player's letter, which may be meant for the same agreement.
    The letter is that of the player `seat` in the entry `entry`.

    In the result, `differs` has the keys of the parts that differ, but not their content. `is_spelling` is true if only
    names of cities are written differently. The result is empty if the letter cannot be read, if it names other
    players, or if more than `MOST_DIFFERENCES` parts differ.
    """
    try:
        theirs = signed_terms(campaign, campaign.held_letter(entry).letter, language)
    except PbemError:
        # It is reported elsewhere that this letter cannot be read.
        return {}
    differs = mine.differences(theirs)
    if theirs.players != mine.players or len(differs) > MOST_DIFFERENCES:
        return {}
    return {"player": seat, "entry": entry, "differs": differs, "is_spelling": mine.is_spelt_otherwise(theirs)}


MOST_DIFFERENCES = 2
"""Largest number of differing parts. If two letters differ in more parts, they are not compared as letters about the
same agreement."""


def signed_terms(campaign: Campaign, letter: Letter, language: str) -> SignedTerms:
    table, verdict = campaign.state.table, LetterVerdict()
    assert table is not None
    bound = terms_in(table, letter, verdict)
    partners, words = text_of(verdict, letter.body, "with"), text_of(verdict, letter.body, "words")
    players = tuple(sorted({letter.sender, *listed_names(partners)}))
    cities = cities_called(table.rules, table_in_words(table, language).rules, bound.binds.get("cities", ()))
    return SignedTerms(players, " ".join(words.split()), bound.binds, bound.until, cities)


def names_told(binds: Binds, cities: Sequence[str]) -> dict[str, list[str]]:
    """Return the names of the things that an agreement binds, keyed by kind. Names of cities are replaced by those in
    `cities`."""
    return {kind: [*(cities if kind == "cities" else names)] for kind, names in binds.items()}


def binds_in_words(table: Table, language: str, binds: Binds) -> dict[str, list[str]]:
    """Return the names of the things that an agreement binds, keyed by kind. Cities have their names in the given
    language."""
    told = table_in_words(table, language).rules
    return names_told(binds, cities_called(table.rules, told, binds.get("cities", ())))


def cities_called(rules: GameRules, translated: GameRules, written: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that the cities in `written` have in another language, each once. `translated` has the game's
    rules with names in this other language."""
    lexicon = Lexicon(rules)
    cities = translated.common.board.cities
    return tuple(dict.fromkeys(cities[lexicon.city(each)].name for each in written))
