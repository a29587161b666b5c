"""The words of the site in one language; what people wrote is made harmless before it stands among them."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.report.blocks import line_of, line_text, theirs
from pbem.report.formats.escaping import one_line
from pbem.report.language.templates import macros_of, squeezed
from pbem.report.letters.entries import Facts, Teller

TEMPLATE = "site_words.txt.j2"
MOST = 2000
"""What people wrote is cut behind so many characters; the ledger has all of it."""


class SiteWords:
    """What the site says in a language. Everything it gives is bare text, which a page has yet to escape."""

    def __init__(self, language: str, game: str) -> None:
        """Read the words."""
        self.language = language
        self.words = macros_of(language, game, TEMPLATE)
        self.entries = Teller(language, game)
        self.names = macros_of(language, game, "words.txt.j2")
        self.of = macros_of(language, game, "campaign_words.txt.j2")

    @property
    def fixed(self) -> dict[str, str]:
        """Titles, labels and paragraphs, by their names."""
        found: dict[str, str] = self.words.WORDS
        return found

    @property
    def kinds(self) -> dict[str, str]:
        """What every kind of entry is called."""
        found: dict[str, str] = self.words.KINDS
        return found

    def entry(self, facts: Facts, people: Mapping[str, str]) -> str:
        """What an entry of the ledger says; `people` are those who sat in the seats then."""
        return bare(self.entries.sentence(facts, people, guarded))

    def say(self, name: str, *facts: object) -> str:
        """One of the site's own sentences."""
        return bare(str(getattr(self.words, name)(*facts)))

    def power(self, key: str) -> str:
        """The name of a power, as it stands in a sentence."""
        return bare(str(self.names.power(key)))

    def player(self, seat: str) -> str:
        """The name of a seat."""
        return bare(str(self.names.player(seat)))

    def piece(self, name: str) -> str:
        """A general or a train."""
        return bare(str(self.names.piece(name)))

    def day(self, when: dict[str, object]) -> str:
        """The day of a moment."""
        return bare(str(self.of.date(when)))

    def moment(self, when: dict[str, object]) -> str:
        """A moment, with the day of the week."""
        return bare(str(self.of.moment(when)))

    def conduct(
        self, conduct: Mapping[str, object], moderator: Mapping[str, object], players: dict[str, str]
    ) -> list[str]:
        """How the campaign is run, and what is therefore not protected: a sentence in each item."""
        told = str(self.of.conduct(conduct, moderator, players, guarded))
        return [bare(line.removeprefix("- ")) for line in told.split("\n") if line.strip()]


def guarded(text: str, most: int = MOST) -> str:
    """Words of people as part of a line."""
    return one_line(text, most)


def bare(text: str) -> str:
    """A line as plain text, on one line."""
    return line_text(line_of(theirs(squeezed(text))))


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
