"""Data of a receipt about an agreement: who has not signed the same yet, its terms, and letters that nearly match."""

from __future__ import annotations

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.records import LetterRecord
from pbem.campaign.letters.joining import LetterVerdict, text_of
from pbem.campaign.letters.judging import terms_in
from pbem.campaign.letters.letterbox import listed_names
from pbem.campaign.play.adjudicating import Receipt
from pbem.engine.table import GameRules
from pbem.faults.wrong import PbemError
from pbem.paper.agreements import Binds
from pbem.paper.letters import Letter
from pbem.paper.lexicon import Lexicon
from pbem.report.blocks import table_in_words


class SignedTerms(Struct, frozen=True):
    """Terms of an agreement as one player has signed them."""

    players: tuple[str, ...]
    words: str
    binds: Binds
    """Names as they were written."""
    until: str
    cities: tuple[str, ...] = ()
    """Cities that the agreement binds, each by the one name that it has in a language."""

    def differences(self, other: SignedTerms) -> list[str]:
        """Return the keys of the parts in which another letter differs."""
        return [key for key in ("words", "binds", "until") if getattr(self, key) != getattr(other, key)]

    def is_spelt_otherwise(self, other: SignedTerms) -> bool:
        """Return whether another letter binds the same cities and nothing else, and only writes a name otherwise."""
        is_alike = {**self.binds, "cities": ()} == {**other.binds, "cities": ()}
        return is_alike and self.binds != other.binds and set(self.cities) == set(other.cities)


def agreement_data(campaign: Campaign, receipt: Receipt, language: str) -> dict[str, object]:
    """Return the data of an agreement that was taken; empty for any other letter."""
    record, held = receipt.verdict.record, receipt.verdict.held
    if receipt.status != "final" or held is None or not isinstance(record, LetterRecord) or record.kind != "agreement":
        return {}
    mine, public = signed_terms(campaign, held.letter, language), campaign.public
    signed = public.promises.get(record.slots["words"], {})
    # An agreement that is complete is no promise any more.
    missing = [seat for seat in mine.players if seat not in signed] if signed else []
    others = {seat: entry for each in public.promises.values() for seat, entry in each.items() if seat in missing}
    return {
        "players": [seat for seat in mine.players if seat != receipt.player],
        "missing": missing,
        "cities": list(mine.cities),
        "until": mine.until,
        "near": [near for seat, entry in others.items() if (near := near_data(campaign, mine, seat, entry, language))],
    }


def near_data(campaign: Campaign, mine: SignedTerms, seat: str, entry: int, language: str) -> dict[str, object]:
    """Return in what the letter of another party differs; empty unless it is between the same players and some part of
    it is the same. Its content is not told."""
    try:
        theirs = signed_terms(campaign, campaign.held_letter(entry).letter, language)
    except PbemError:
        # A letter that cannot be read is told where it is needed.
        return {}
    differs = mine.differences(theirs)
    if theirs.players != mine.players or len(differs) > MOST_DIFFERENCES:
        return {}
    return {"player": seat, "entry": entry, "differs": differs, "is_spelling": mine.is_spelt_otherwise(theirs)}


MOST_DIFFERENCES = 2
"""Number of differing parts up to which two letters are taken for the same agreement."""


def signed_terms(campaign: Campaign, letter: Letter, language: str) -> SignedTerms:
    """Return the terms that the letter of an agreement signs."""
    table, verdict = campaign.state.table, LetterVerdict()
    assert table is not None
    bound = terms_in(table, letter, verdict)
    partners, words = text_of(verdict, letter.body, "with"), text_of(verdict, letter.body, "words")
    players = tuple(sorted({letter.sender, *listed_names(partners)}))
    cities = cities_called(table.rules, table_in_words(table, language).rules, bound.binds.get("cities", ()))
    return SignedTerms(players, " ".join(words.split()), bound.binds, bound.until, cities)


def cities_called(rules: GameRules, told: GameRules, written: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in `told` of the cities that were written, each once."""
    lexicon = Lexicon(rules)
    cities = told.common.board.cities
    return tuple(dict.fromkeys(cities[lexicon.city(each)].name for each in written))
