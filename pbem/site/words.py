"""Words of the site in one language. Text that people wrote is made harmless before it is placed among them."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.report.blocks import line_of, line_text, theirs
from pbem.report.formats.escaping import one_line
from pbem.report.language.templates import macros_of, squeeze
from pbem.report.letters.entries import Facts, Teller

TEMPLATE = "site_words.txt.j2"
MOST = 2000
"""Most characters of a text that people wrote; the rest is cut off. The ledger has all of it."""


class SiteWords:
    """Words and sentences of the site in one language. All results are bare text that a page must still escape."""

    def __init__(self, language: str, game: str) -> None:
        self.language = language
        self.words = macros_of(language, game, TEMPLATE)
        self.entries = Teller(language, game)
        self.names = macros_of(language, game, "words.txt.j2")
        self.of = macros_of(language, game, "campaign_words.txt.j2")

    @property
    def fixed(self) -> dict[str, str]:
        """Titles, labels and paragraphs, by name."""
        found: dict[str, str] = self.words.WORDS
        return found

    @property
    def kinds(self) -> dict[str, str]:
        """Name of every kind of entry."""
        found: dict[str, str] = self.words.KINDS
        return found

    def entry(self, facts: Facts, people: Mapping[str, str]) -> str:
        """Text of an entry of the ledger; `people` are those who sat in the seats then."""
        return bare(self.entries.sentence(facts, people, make_harmless))

    def say(self, name: str, *facts: object) -> str:
        """One of the site's own sentences, by the name of its macro."""
        return bare(str(getattr(self.words, name)(*facts)))

    def power(self, key: str) -> str:
        """Name of a power within a sentence."""
        return bare(str(self.names.power(key)))

    def player(self, seat: str) -> str:
        """Name of a seat."""
        return bare(str(self.names.player(seat)))

    def piece(self, name: str) -> str:
        """Name of a general or a train."""
        return bare(str(self.names.piece(name)))

    def day(self, when: dict[str, object]) -> str:
        return bare(str(self.of.date(when)))

    def moment(self, when: dict[str, object]) -> str:
        """Date and time, with the day of the week."""
        return bare(str(self.of.moment(when)))

    def conduct(
        self, conduct: Mapping[str, object], moderator: Mapping[str, object], players: dict[str, str]
    ) -> list[str]:
        """Sentences about the conduct of the campaign, and about what it therefore does not protect."""
        told = str(self.of.conduct(conduct, moderator, players, make_harmless))
        return [bare(line.removeprefix("- ")) for line in told.split("\n") if line.strip()]


def make_harmless(text: str, most: int = MOST) -> str:
    """Words of people, harmless as part of a line."""
    return one_line(text, most)


def bare(text: str) -> str:
    """Plain text on one line."""
    return line_text(line_of(theirs(squeeze(text))))


def capital(text: str) -> str:
    """Text with a capital first letter."""
    return text[:1].upper() + text[1:]
