"""Data for the pages of a campaign's site, and sentences of the site in one language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

from msgspec import Struct

from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.records import (
    AdjudicationRecord,
    CloseRecord,
    JoinRecord,
    KeyChangeRecord,
    LetterRecord,
    ProposalRecord,
    VoteRecord,
)
from pbem.campaign.ledger.replaying import Reading, ReplayedEntry
from pbem.campaign.letters.letterbox import HeldLetter
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.proof.opened_letters import letters_opened
from pbem.campaign.proof.verification import Verification
from pbem.campaign.proof.verifying import Verifier, walk_through
from pbem.engine.events import Event, seen_by
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.kit import AnyTable, game_of
from pbem.paper.documents.writing import write
from pbem.report import blocks
from pbem.report.account import Passage
from pbem.report.blocks import line_of, line_text, plain_words
from pbem.report.course import Figures, figures_of
from pbem.report.formats.escaping import one_line
from pbem.report.language.templates import macros_of, squeeze
from pbem.report.letters.entries import Facts, Teller, local_time
from pbem.report.picture.theme import ThemeName
from pbem.site.story import Stage, Story, ToldPassage, tell_stage, time_of

TEMPLATE = "site_words.txt.j2"
MOST = 2000
"""Largest number of characters of a text that somebody wrote. The site cuts off longer texts; the ledger has them in
full."""


class SiteWords:
    """Words and sentences of the site in one language. They are plain text; the pages must escape them."""

    def __init__(self, language: str, game: str) -> None:
        self.language = language
        self.words = macros_of(language, game, TEMPLATE)
        self.entries = Teller(language, game)
        self.names = macros_of(language, game, "words.txt.j2")
        self.of = macros_of(language, game, "campaign_words.txt.j2")

    @property
    def fixed(self) -> dict[str, str]:
        """Return the titles, labels and paragraphs of the site. The keys are those that the templates use."""
        found: dict[str, str] = self.words.WORDS
        return found

    @property
    def kinds(self) -> dict[str, str]:
        """Return the names of the kinds of entries, keyed by kind."""
        found: dict[str, str] = self.words.KINDS
        return found

    def entry(self, facts: Facts, people: Mapping[str, str]) -> str:
        """Return a description of an entry of the ledger in sentences. `people` has the names of the players at the
        time of the entry, keyed by seat."""
        return bare_text(self.entries.sentence(facts, people, make_harmless))

    def say(self, name: str, *facts: object) -> str:
        """Return a sentence of the site. The macro `name` makes it from `facts`."""
        return bare_text(str(getattr(self.words, name)(*facts)))

    def power(self, key: str) -> str:
        """Return the name of a power in the form for use within a sentence."""
        return bare_text(str(self.names.power(key)))

    def player(self, seat: str) -> str:
        """Return the name under which a seat's player acts in the game, such as `Maria Theresa`."""
        return bare_text(str(self.names.player(seat)))

    def piece(self, name: str) -> str:
        return bare_text(str(self.names.piece(name)))

    def day(self, when: dict[str, object]) -> str:
        return bare_text(str(self.of.date(when)))

    def moment(self, when: dict[str, object]) -> str:
        return bare_text(str(self.of.moment(when)))

    def conduct(
        self, conduct: Mapping[str, object], moderator: Mapping[str, object], players: dict[str, str]
    ) -> list[str]:
        """Describe in sentences the conduct that was agreed for a campaign, also what it does not protect against."""
        told = str(self.of.conduct(conduct, moderator, players, make_harmless))
        return [bare_text(line.removeprefix("- ")) for line in told.split("\n") if line.strip()]


def make_harmless(text: str, most: int = MOST) -> str:
    """Return a text as one line, cut off after `most` characters. Nothing in the line can be taken for the head of a
    letter."""
    return one_line(text, most)


def bare_text(text: str) -> str:
    """Return the words of a template as one line of plain text."""
    return line_text(line_of(plain_words(squeeze(text))))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class PowerHoldings(Struct, frozen=True):
    """Cards in a power's hand, and the troops of the power's generals."""

    power: Power
    cards: tuple[str, ...]
    troops: dict[str, int]
    """Number of troops of each general on the map. The key is the general's name."""


class StageSecrets(Struct, frozen=True):
    """Cards and troops at the end of a stage. Only powers whose cards or troops have changed are included."""

    stage: int
    holdings: tuple[PowerHoldings, ...]


class SealedContents(Struct, frozen=True):
    """Contents of a sealed letter. It was opened when the campaign was closed."""

    entry: int
    player: str
    kind: str
    stage: str
    file: str
    parts: dict[str, str]
    """Sealed parts of the letter, as text. The key is the part's slot."""


def letters_at_close(reading: Reading) -> Mapping[int, HeldLetter]:
    """Return the letters that were opened when the campaign was closed, keyed by entry. Return none if it is not
    closed."""
    return letters_opened(reading.folder) if is_closed(reading) else {}


def public_letters(reading: Reading, opened: Mapping[int, HeldLetter]) -> dict[int, str]:
    """Return the texts of the public letters, keyed by entry. `opened` has the letters that became public when the
    campaign was closed."""
    found = {entry: held.text for entry, held in opened.items()}
    for entry, record in reading.entries:
        if isinstance(record, JoinRecord | KeyChangeRecord | ProposalRecord | VoteRecord) and record.letter:
            found[entry.number] = record.letter
    return {entry: found[entry] for entry in sorted(found)}


def opened_letters(reading: Reading, opened: Mapping[int, HeldLetter], files: dict[int, str]) -> list[SealedContents]:
    """Return the contents of the sealed letters, in the order of the ledger. `files` has the file of each letter, keyed
    by entry."""
    found = []
    for entry, record in reading.entries:
        held = opened.get(entry.number)
        if held is not None and held.opened and isinstance(record, LetterRecord):
            parts = {slot: write(part.body) for slot, part in sorted(held.opened.items())}
            file = files[entry.number]
            found.append(SealedContents(entry.number, record.player, record.kind, record.stage, file, parts))
    return found


class VerifiedFolder(Struct, frozen=True):
    """Result of a verification, and data for the site that were collected with it."""

    verification: Verification
    entries: list[Entry]
    holdings: dict[int, dict[str, PowerHoldings]]
    """Cards and troops of every power after each adjudication, if the campaign is closed. The key is the number of the
    adjudication's entry."""
    figures: dict[int, Figures]
    """Figures of the war that everybody could see after each adjudication, if the campaign is closed. The key is the
    number of the adjudication's entry."""
    news: dict[int, FullNews]
    """Events of each adjudication, with all secrets, if the campaign is closed. The key is the number of the
    adjudication's entry."""


class SiteVerification:
    """Verifier of a campaign's folder. It also collects data for the campaign's site."""

    def __init__(self, root: Path) -> None:
        """Prepare the verification. Raises `StorageFault` if there is no campaign in the folder."""
        self.walk = Verifier(open_folder(root), Verification(), self.look)
        self.held: dict[int, dict[str, PowerHoldings]] = {}
        self.counted: dict[int, Figures] = {}
        self.news: dict[int, FullNews] = {}

    def look(self, played: ReplayedEntry) -> None:
        """Collect cards, troops, figures and events after an adjudication."""
        if isinstance(played.record, AdjudicationRecord):
            self.held[played.entry.number] = holdings(played.state)
            self.counted[played.entry.number] = figures_of(table_played(played.state))
            news = played.state.news[-1]
            self.news[played.entry.number] = FullNews(tuple(news.events), news.players)

    @property
    def result(self) -> VerifiedFolder:
        return VerifiedFolder(self.walk.found, self.walk.entries, self.held, self.counted, self.news)


def verify_for_site(root: Path) -> VerifiedFolder:
    """Verify the campaign in a folder. Return the result, and the data for the campaign's site."""
    looking = SiteVerification(root)
    walk_through(looking.walk)
    return looking.result


def secrets_by_stage(held: Mapping[int, dict[str, PowerHoldings]], stage_of: dict[int, int]) -> Iterator[StageSecrets]:
    """Yield the cards and troops at the end of each stage, if they have changed in the stage. `held` has the cards and
    troops after each adjudication, keyed by entry."""
    ends = {stage_of[entry]: now for entry, now in held.items() if entry in stage_of}
    known: dict[str, PowerHoldings] = {}
    for stage, now in sorted(ends.items()):
        changed = tuple(holding for power, holding in now.items() if known.get(power) != holding)
        known = now
        if changed:
            yield StageSecrets(stage, changed)


def table_played(state: SecretState) -> AnyTable:
    assert state.table is not None
    return state.table


def holdings(state: SecretState) -> dict[str, PowerHoldings]:
    table = table_played(state)
    seen = game_of(table).view(table, table.rules.powers)
    troops: dict[str, dict[str, int]] = {power: {} for power in table.rules.powers}
    for piece in seen.pieces:
        if piece.troops and piece.city >= 0 and piece.power in troops:
            troops[piece.power][piece.name] = piece.troops
    return {
        power: PowerHoldings(power, tuple(blocks.notations(seen.hands.get(power, ()))), troops[power])
        for power in table.rules.powers
    }


class FullNews(Struct, frozen=True):
    """Events of one adjudication with all secrets, and the player of each power at that time."""

    events: tuple[Event, ...]
    players: dict[Power, str]


class ReadPassage(Struct, frozen=True):
    """Passage of the account of a stage. If `seat` is not empty, only the player of this seat reads it. If `seat` is
    empty, all seats read it except those in `without`."""

    told: ToldPassage
    seat: str = ""
    without: tuple[str, ...] = ()


Accounts = Mapping[int, Mapping[str, tuple[Passage, ...]]]
"""Accounts of all stages, as passages. The first key is the number of the stage, and the second the seat that reads the
account."""


def accounts_of(rules: GameRules, story: Story, news: Mapping[int, FullNews], language: str) -> Accounts:
    """Return the account of every stage for each seat. Return an empty dict if the campaign is not closed."""
    if not news:
        return {}
    left = {entry: list(each.events) for entry, each in news.items()}
    found: dict[int, dict[str, tuple[Passage, ...]]] = {}
    for stage in story.stages:
        happened = list(full_events(stage, left))
        found[stage.number] = {
            seat: passages_for(rules, seat, [(news[entry], event) for entry, event in happened], language)
            for seat in rules.seats
        }
    return found


def full_events(stage: Stage, left: dict[int, list[Event]]) -> Iterator[tuple[int, Event]]:
    """Yield the events of a stage, including secret ones, each with the number of its entry. They are removed from
    `left`. Secret events belong to the stage of the last public event before them."""
    for entry in stage.happened:
        events = left[entry]
        public = next(at for at, event in enumerate(events) if seen_by(event, ()) is not None)
        following = (at for at, event in enumerate(events) if at > public and seen_by(event, ()) is not None)
        end = next(following, len(events))
        yield from ((entry, event) for event in events[:end])
        del events[:end]


def passages_for(
    rules: GameRules, seat: str, happened: list[tuple[FullNews, Event]], language: str
) -> tuple[Passage, ...]:
    """Return the account of some events. It tells the secrets that this seat knows."""
    seen = [seen_by(event, [p for p, player in news.players.items() if player == seat]) for news, event in happened]
    told = tell_stage(rules, [event for event in seen if event is not None], language)
    return tuple(each.passage for each in told.passages)


def passages_read(account: Sequence[ToldPassage], accounts: Mapping[str, Sequence[Passage]]) -> list[ReadPassage]:
    """Return the passages of the public account and of all seats' accounts in order. Each has the seats that read
    it."""
    public = [each.passage for each in account]
    others: dict[str, set[int]] = {seat: set() for seat in accounts}
    own: dict[int, list[ReadPassage]] = {}
    for seat, passages in accounts.items():
        for kind, first, end, start, stop in SequenceMatcher(None, public, passages, autojunk=False).get_opcodes():
            if kind == "equal":
                continue
            others[seat] |= set(range(first, end))
            battle = max((each.battle for each in account[first:end]), default=0)
            own.setdefault(first, []).extend(
                ReadPassage(ToldPassage(passage, battle if passage.of_battle else 0), seat)
                for passage in passages[start:stop]
            )
    found: list[ReadPassage] = []
    for place, each in enumerate(account):
        without = tuple(seat for seat, places in others.items() if place in places)
        found += [*own.get(place, ()), ReadPassage(each, without=without)]
    return [*found, *own.get(len(account), ())]


Theme = Literal["auto", "light", "dark"]

THEMES: dict[Theme, tuple[ThemeName, ...]] = {"auto": ("light", "dark"), "light": ("light",), "dark": ("dark",)}
"""Themes in which the map is drawn. The key is the value of the option `theme`."""


class Archive(Struct, frozen=True):
    """Campaign with all data for its site."""

    reading: Reading
    rules: GameRules
    story: Story
    say: SiteWords
    letters: dict[int, str]
    """Names of the files of public letters, keyed by entry."""
    texts: dict[int, str]
    """Texts of public letters, keyed by entry."""
    opened: tuple[SealedContents, ...]
    secrets: tuple[StageSecrets, ...]
    figures: Mapping[int, Figures]
    """Figures of the war after each adjudication, if the campaign is closed. The key is the number of the
    adjudication's entry."""
    accounts: Accounts
    """Accounts that the seats read. Empty if the campaign is not closed."""
    verification: Verification
    theme: Theme


def is_closed(reading: Reading) -> bool:
    """True if the campaign is closed, and its secrets are published."""
    return isinstance(reading.entries[-1][1], CloseRecord)


def moment_data(archive: Archive, entry: int) -> dict[str, object]:
    """Return the time of an entry in words and as data."""
    time = local_time(time_of(archive.reading, entry), archive.reading.settings.clock)
    return {"utc": time["utc"], "words": archive.say.moment(time), "day": archive.say.day(time)}
