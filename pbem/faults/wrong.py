"""Faults as data: a code, the key of a wording, values for its gaps, and a rule. A fault becomes text only when it is
shown, in the reader's language."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Literal, Self, TypeAlias, TypeVar

from msgspec import Struct, convert
from msgspec.structs import replace

from pbem.cache import load_or_make
from pbem.faults.nouns import FORMS, SIGN_OF_SUIT, nouns, piece_noun, power_noun, turn_noun
from pbem.resources import games, resource, templates_of

T = TypeVar("T")

ENGLISH = "en"
"""The language that has every wording; other languages may lack some."""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the table of wordings: a sentence with gaps such as `{city}` (see `Words`), a hint, and a rule."""

    says: str
    hint: str = ""
    rule: str = ""
    """The § of the rules, or the subject of the fault, such as `form`, `mail` or `campaign`. Only the English row has
    it, for all languages."""
    desk: str = ""
    """Hint in place of `hint` on the page, which has buttons and no commands."""
    was: str = ""
    """Former code of the fault, as it stands in older archives."""


@cache
def rows(language: str) -> dict[str, Row]:
    """Return all wordings of a language, by their keys; none for an unknown language. Callers must not change the
    dict."""
    folder = resource("templates") / language
    of_games = (templates_of(game, language) / "faults.yaml" for game in games())
    files = [*sorted(folder.glob("faults/*.yaml")), *(file for file in of_games if file.is_file())]
    texts = [file.read_bytes() for file in files] if language.isalpha() else []

    def read() -> dict[str, Row]:
        import yaml  # slow to load, and not needed if the table is in the cache

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        found: dict[str, Row | str] = {}
        for text in texts:
            found |= convert(yaml.load(text, loader), dict[str, Row | str])  # noqa: S506 - as safe as safe_load
        return {key: Row(row) if isinstance(row, str) else row for key, row in found.items()}

    return load_or_make("faults", b"\0".join(texts), dict[str, Row], read)


def row(key: str, language: str) -> Row:
    """Return the wording in a language, or in English if that language lacks it. Raises `KeyError` for an unknown
    key."""
    return rows(language).get(key) or rows(ENGLISH)[key]


_MOST_LISTED = 5
"""Largest number of names in a list. Of a longer list, further names are only counted, but a single further name is
written out."""


class Words(Struct, frozen=True):
    """A sentence of the table of wordings, or a part of a sentence, with values for its gaps.

    A gap is written `{name}`. Several names are joined as the gap says: `{names}` with commas, `{names:and}` and
    `{names:or}` with these words, `{names:listed}` as `Prag, Pirna or Pilsen`, shortened after five names.

    A gap whose name is a key of `NOUNS` holds the key of a power, a player, a piece, a stage or a kind of letter. The
    sentence shows the noun of the language in its place: `{power}`, with a preposition `{power:of}` or `{power:to}`,
    several `{powers:of and}`. Between backticks the key itself is shown, because people must type it.
    """

    key: str
    gaps: tuple[tuple[str, Gap], ...] = ()
    part: Literal["says", "hint", "desk"] = "says"

    def text(self, language: str = ENGLISH) -> str:
        found = row(self.key, language)
        return filled_sentence(
            {"says": found.says, "hint": found.hint, "desk": found.desk}[self.part], dict(self.gaps), language
        )

    def with_offset(self, lines: int) -> Words:
        """Return the sentence with all line numbers raised by `lines`, for a text that has got as many more lines at
        its beginning."""
        return self.with_gaps(lambda gap: Line(gap.number + lines) if isinstance(gap, Line) else gap)

    def with_gaps(self, change: Callable[[Gap], Gap]) -> Words:
        """Return the sentence with `change` applied to each value in its gaps. If a gap holds a list, or a sentence
        with gaps of its own, the values in it are changed, too."""

        def changed(gap: Gap) -> Gap:
            if isinstance(gap, tuple):
                return tuple(map(changed, gap))  # type: ignore[arg-type]
            return gap.with_gaps(change) if isinstance(gap, Words) else change(gap)

        return replace(self, gaps=tuple((name, changed(gap)) for name, gap in self.gaps))

    def __str__(self) -> str:
        return self.text()

    def __bool__(self) -> bool:
        return bool(self.text())


class Line(Struct, frozen=True):
    """Number of a line in the text that the sentence is about."""

    number: int


class CityName(Struct, frozen=True):
    """Name of a city, with the names that it has in other languages."""

    own: str
    others: tuple[tuple[str, str], ...]

    def text(self, language: str) -> str:
        return dict(self.others).get(language, self.own)


Gap: TypeAlias = "str | int | tuple[str | Words | CityName, ...] | Line | Words | CityName"
"""Value that fills a gap: a name, a number, several names, a line, or a part of a sentence."""

Hint: TypeAlias = "Words | Literal['']"
"""Advice on the right way to write something; empty if there is none."""


def words(key: str, /, **gaps: Gap) -> Words:
    """Return the sentence, or part of a sentence, under a key in the table, with values for its gaps."""
    return Words(key, tuple(gaps.items()))


def words_in_language(said: Words | CityName | str, language: str) -> str:
    """Return a sentence or a city's name as text in a language. A text that somebody wrote is returned unchanged."""
    return said if isinstance(said, str) else said.text(language)


def told_power(key: str, form: str, language: str) -> str:
    """Return the name of a power in a form, such as `of`. An unknown power is named by its key."""
    if key in nouns(language)["powers"]:
        return power_noun(key, form or "the", language)
    return nouns(language)["forms"].get(form, "{}").partition("|")[0].format(key)


def told_kind(kind: str, form: str, language: str) -> str:
    """Return the name of a kind of letter, or an unknown kind itself. An empty kind stands for a letter that cannot be
    read."""
    key = f"letter-{kind}" if kind else "letter-unread"
    return row(key, language).says if key in rows(ENGLISH) else kind


NOUNS: Mapping[str, Callable[[str, str, str], str]] = {
    **dict.fromkeys(
        ("power", "powers", "active", "giver", "missing", "owner", "partner", "principal", "receiver"), told_power
    ),
    **dict.fromkeys(
        ("piece", "pieces", "general", "generals", "enemy", "train"),
        lambda name, form, language: piece_noun(name, language),
    ),
    **dict.fromkeys(("stage", "here", "now", "reached"), lambda key, form, language: turn_noun(key, language)),
    "kind": told_kind,
    **dict.fromkeys(("party", "parties"), lambda seat, form, language: nouns(language)["players"].get(seat, seat)),
    "land": lambda key, form, language: nouns(language)["lands"].get(key, key),
    "phase": lambda key, form, language: nouns(language)["phases"].get(key, key),
    **dict.fromkeys(
        ("suit", "card"), lambda key, form, language: nouns(language)["suits"].get(SIGN_OF_SUIT.get(key, ""), key)
    ),
    "weekday": lambda key, form, language: nouns(language)["short_weekdays"][key],
}
"""Functions that return a noun from its key, a form and a language. The dict is keyed by the name of the gap that the
noun fills."""


def filled_sentence(sentence: str, gaps: dict[str, Gap], language: str) -> str:
    told, is_typed = "", False
    for text, name, form, _ in Formatter().parse(sentence):
        is_typed ^= text.count("`") % 2 == 1
        told += text
        if name is not None:
            case, joined = partitioned_form(form or "")
            gap = gaps[name] if is_typed or name not in NOUNS else _noun(gaps[name], NOUNS[name], case, language)
            told += _gap_text(gap, joined, language)
    return told


def partitioned_form(form: str) -> tuple[str, str]:
    """Split the form of a gap, such as `of and`, into the form of the noun (`of`, perhaps empty) and the word that
    joins names (`and`)."""
    first, _, rest = form.partition(" ")
    return (first, rest) if first in FORMS else ("", form)


def _noun(gap: Gap, tell: Callable[[str, str, str], str], case: str, language: str) -> Gap:
    if isinstance(gap, tuple):
        return tuple(tell(each, case, language) if isinstance(each, str) else each for each in gap)
    return tell(gap, case, language) if isinstance(gap, str) else gap


def _gap_text(gap: Gap, form: str, language: str) -> str:
    if isinstance(gap, tuple):
        return in_a_row(gap, form, language)
    if isinstance(gap, Words | CityName):
        return gap.text(language)
    return str(gap.number if isinstance(gap, Line) else gap)


def in_a_row(names: Iterable[str | Words | CityName], form: str, language: str = ENGLISH) -> str:
    """Return names joined in the form that stands after the colon of a gap (see `Words`)."""
    every = [words_in_language(name, language) for name in names]
    if form in ("and", "or"):
        return f" {row(form, language).says} ".join([", ".join(every[:-1]), every[-1]] if every[1:] else every)
    if form != "listed" or len(every) < 2:
        return ", ".join(every)
    if len(cut(every, _MOST_LISTED)) == len(every):
        return f"{', '.join(every[:-1])} {row('or', language).says} {every[-1]}"
    left: dict[str, Gap] = {"names": tuple(every[:_MOST_LISTED]), "number": len(every) - _MOST_LISTED}
    return filled_sentence(row("others", language).says, left, language)


def cut(names: Sequence[T], most: int) -> Sequence[T]:
    """Return the first `most` names, or all names if only one would be left out."""
    return names if len(names) <= most + 1 else names[:most]


class _Named(Struct, frozen=True):
    """Code of a fault, and its sentence."""

    code: str
    message: Words


class Wrong(_Named, frozen=True, kw_only=True):
    """A fault without a place in a file, for example of a campaign, a command or an answer; `Fault` has a place. Codes
    `E-…` refuse, codes `W-…` warn. An empty `rule` means the rule of the wording."""

    rule: str = ""
    hint: Hint = ""

    @property
    def is_warning(self) -> bool:
        """True if the text or answer with the fault is valid all the same."""
        return self.code.startswith("W-")

    @property
    def place(self) -> str:
        """Line and column as a suffix for the name of the file, such as `:12:3`; empty for a fault without place."""
        return ""

    def with_offset(self, lines: int, columns: int = 0) -> Self:
        """Return the fault with all line numbers raised by `lines`, for a text that has got as many more lines at its
        beginning. `columns` matters only for faults with a place (`Fault`)."""
        return replace(self, message=self.message.with_offset(lines))

    def with_names(self, names: Mapping[str, CityName] | Mapping[str, str]) -> Self:
        """Return the fault with names in place of keys, for example of cities or players. `names` has the name for each
        key."""

        def called(gap: Gap) -> Gap:
            return names.get(gap, gap) if isinstance(gap, str) else gap

        hint = self.hint.with_gaps(called) if isinstance(self.hint, Words) else self.hint
        return replace(self, message=self.message.with_gaps(called), hint=hint)

    @property
    def section(self) -> str:
        """The violated §; empty if the fault violates no rule of the game."""
        if self.rule:
            return self.rule
        rule = row(self.message.key, ENGLISH).rule
        return rule if "§" in rule else ""

    def sentence(self, language: str = ENGLISH) -> str:
        """Return the fault as a sentence: `CODE message (§…) — hint`."""
        rule = f" ({self.section})" if self.section else ""
        hint = words_in_language(self.hint, language)
        return printable(f"{self.code} {self.message.text(language)}{rule}{f' — {hint}' if hint else ''}")

    def message_line(self, source: str, language: str = ENGLISH) -> str:
        """Return the fault as one line: `file:line:column: CODE message (§…) — hint`."""
        return f"{printable(source)}{self.place}: {self.sentence(language)}"

    def data(self, language: str = ENGLISH) -> dict[str, str | int]:
        """Return the fault as an object for JSON. Line and column are 0 for a fault without place."""
        return {
            "code": self.code,
            "message": self.message.text(language),
            "line": 0,
            "column": 0,
            "rule": self.section,
            "hint": words_in_language(self.hint, language),
        }


class PbemError(Exception):
    """Base class of all errors by which the program refuses an input."""

    source: str = ""
    """Name of the file that cannot be used; empty if the error concerns no file."""
    faults: tuple[Wrong, ...] = ()
    """All faults of the input, at least one."""

    def __str__(self) -> str:
        return "\n".join(fault.message_line(self.source) if self.source else fault.sentence() for fault in self.faults)


class WrongError(PbemError):
    """An error with one fault, raised as soon as the fault is found."""

    def __init__(self, wrong: Wrong) -> None:
        self.wrong = wrong
        self.faults = (wrong,)
        super().__init__(wrong)

    @property
    def code(self) -> str:
        return self.wrong.code

    @property
    def message(self) -> Words:
        return self.wrong.message

    @property
    def hint(self) -> Hint:
        return self.wrong.hint


def wrong(wording: str, /, rule: str = "", hint: Hint | None = None, **gaps: Gap) -> Wrong:
    """Return the fault with a wording. The key of the wording is a code, perhaps with a variant:
    `E-MARCH-ROAD.already`. `gaps` has the values for the gaps. `rule` and `hint` replace those of the wording; an empty
    `hint` removes it."""
    filling = tuple(gaps.items())
    tip = Words(wording, filling, "hint") if hint is None else hint
    return Wrong(wording.partition(".")[0], Words(wording, filling), rule=rule, hint=tip)


class WrongUse(PbemError):
    """Error for a call of a command or function that cannot be carried out, for example because of an unknown name or a
    wrong value of an option."""

    def __init__(self, *faults: Wrong, option: str = "") -> None:
        """Set the faults, and the option of the command line that caused them."""
        self.faults, self.option = faults, option
        super().__init__(*faults)

    def message_line(self, language: str = ENGLISH) -> str:
        """Return the text of all faults in one line, without codes and rules."""
        said = (words_in_language(part, language) for fault in self.faults for part in (fault.message, fault.hint))
        return "; ".join(filter(None, said))


_PLAIN = re.compile(r"[\w@+=:,./-]+")
_IN_QUOTES = re.compile(r"[\w @+=:,./()\[\]{}&;#~'-]+")


NO_BREAKS = "\u00a0\u202f"


def printable(text: str) -> str:
    """Return a text as one line, with the number of each invisible character in its place."""
    # A file name may contain commands to a terminal. The no-break spaces of names such as `train 1` stay.
    return "".join(each if each.isprintable() or each in NO_BREAKS else f"\\u{{{ord(each):x}}}" for each in text)


def shell_word(name: str) -> str:
    """Return the name of a file as it must be typed on a command line, in quotes if necessary."""
    name = f"./{name}" if name.startswith("-") else name
    if _PLAIN.fullmatch(name):
        return name
    # Double quotes work on every system. A name that needs more gets the quotes of POSIX shells.
    return f'"{name}"' if _IN_QUOTES.fullmatch(name) else shlex.quote(name)
