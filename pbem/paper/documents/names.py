"""Look-up of names as people write them: without accents or case, or only by a unique beginning.

`koniggratz`, `Koeniggraetz` and `KÖNIGGRÄTZ` are all Königgrätz, `sankt polten` is St. Pölten. A text is compared in
several ways, from the exact spelling down to the beginning of a word. The first way in which any name fits decides; if
several names fit, the text is refused: `munster` could be Munster or Münster.

The module also checks names that nobody may confuse, such as those of players: only scripts in daily use are allowed,
one in each word. Letters of other scripts that look like Latin letters count as equal to them.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cached_property

from pbem.faults.wrong import Hint, Words, Wrong, WrongError, words, wrong

_LIKE_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҺԀԚԜѴҮҪавеѕіјкмнорстухһԁԛԝьгпӏѵүҫқҝҡҟңґѡ"
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿαβεηικμνορτυχγωϳՍՏՕօսոհցҽագզռքյłøđħıĸŧŋɛɓɗƙƴ01|",
    "ABESIJKMHOPCTYXhdQWVYCabesijkmhopctyxhdqwbrnlvyckkkknrw"
    "ABEZHIKMNOPTYXJabenikuvoptuxywjUSOounhgewqqnfjlodhiktnebdkyoll",
    "ʹʻʼ",
)
"""Mapping from characters to the Latin characters that they look like. Signs that nobody notices are removed. Capitals
and small letters are mapped separately, because they look different."""
_SCRIPTS = re.compile(
    "ARABIC|ARMENIAN|BENGALI|BOPOMOFO|CJK|CYRILLIC|DEVANAGARI|ETHIOPIC|GEORGIAN|GREEK|GUJARATI|GURMUKHI|"
    "HANGUL|HEBREW|HIRAGANA|IDEOGRAPHIC|KANNADA|KATAKANA|KHMER|LAO|LATIN|MALAYALAM|MYANMAR|ORIYA|SINHALA|"
    "TAMIL|TELUGU|THAANA|THAI|TIBETAN"
)
"""Pattern of the scripts in which names may be written, which UAX 31 (table 5) recommends for identifiers. A script is
the first word of a character's Unicode name."""
_WITHIN_A_WORD = (
    {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "IDEOGRAPHIC", "BOPOMOFO"},
    {"LATIN", "CJK", "IDEOGRAPHIC", "HANGUL"},
)
"""Sets of scripts that may be mixed in one word (UTS 39, highly restrictive)."""
_EVERYDAY = {
    "LATIN": re.compile("[A-Za-z\u00c0-\u017fẞƏəƐɛƆɔƁɓƊɗƘƙƳƴ]"),
    "CYRILLIC": re.compile("[\u0400-\u052f]"),
    "GREEK": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
}
"""Pattern of the characters that living languages use, for scripts that also have many characters that only scholars
use."""
_ANY = re.compile(".")
_FRAMED = re.compile("(?:LATIN|SYMBOL) .*LETTER ")
"""Pattern of the Unicode names of signs that are letters with a decoration, such as a letter in a frame, or a letter
above another letter."""


def outline(name: str) -> str:
    """Return a name as a hasty reader sees it: without accents, blanks, punctuation and capitals. Characters that look
    alike are replaced by one of them."""
    latin = unicodedata.normalize("NFKD", name).translate(_LIKE_LATIN).casefold()
    plain = unicodedata.normalize("NFKD", latin).translate(_LIKE_LATIN)
    seen = "".join(filter(str.isalnum, plain)).replace("rn", "m").replace("vv", "w").replace("i", "l")
    return seen or plain


def script_of(character: str) -> str:
    """Return the script of a character: the first word of its Unicode name; empty for digits, accents and other
    signs."""
    is_written = character.isalpha() and character not in "ʹʻʼ"
    return re.split("[ -]", unicodedata.name(character, ""))[0] if is_written else ""


def rare_character(name: str) -> str:
    """Return the first character of a name that everyday writing does not use; empty if there is none."""
    for character in unicodedata.normalize("NFKD", name):
        script = script_of(character)
        is_rare = not _SCRIPTS.fullmatch(script) or not _EVERYDAY.get(script, _ANY).fullmatch(character)
        if is_rare if script else _FRAMED.search(unicodedata.name(character, "")):
            return character
    return ""


def mixed_word(name: str) -> str:
    """Return the first word of a name with scripts that must not be mixed in one word; empty if there is none."""
    for word in name.split():
        scripts = {script_of(character) for character in unicodedata.normalize("NFKD", word)} - {""}
        if len(scripts) > 1 and not any(scripts <= together for together in _WITHIN_A_WORD):
            return word
    return ""


_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
_EXPANDED = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
_SAINTS = {"sankt": "st", "saint": "st", "sainte": "ste"}
_SHORTEST_WORD = 4
_MOST_SUGGESTED = 5
_LEAST_ALIKE, _LEAST_ALIKE_BUT_FIRST = 0.65, 0.75
"""Likeness, from 0 to 1, from which a name is suggested for a misspelt one: with the same first letter, and with
another one."""
_LONGEST_SHOWN = 60
_BARE_NAME = re.compile(r"\w(?:[\w .,()'-]{0,98}[\w)])?")
_DEVICES = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")


class NameFault(WrongError):
    """Exception for a text that fits no name, or several names."""

    def __init__(self, wrong: Wrong, guess: str = "") -> None:
        """Store the fault. `guess` is the only known name near the text, or empty."""
        super().__init__(wrong)
        self.guess = guess


def is_bare(name: str) -> bool:
    """True if a file name stays in its folder on every system, being no path, device or drive."""
    return bool(_BARE_NAME.fullmatch(name)) and not _DEVICES.fullmatch(name)


def fold(text: str) -> str:
    """Return the letters and digits of a name without case and accents: `koniggratz` for `Königgrätz`."""
    return _joined_words("".join(_LETTERS.get(letter, letter) for letter in _bare(text.casefold())))


def expand(text: str) -> str:
    """Return the letters and digits of a name with umlauts written out: `koeniggraetz` for `Königgrätz`."""
    composed = unicodedata.normalize("NFC", text.casefold())
    return fold("".join(_EXPANDED.get(letter, letter) for letter in composed))


def _bare(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


def _joined_words(text: str) -> str:
    return "".join(_SAINTS.get(word, word) for word in re.findall(r"[^\W_]+", text))


def _case(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text.casefold()).split())


def _loose_spelling(text: str) -> str:
    """Return a name folded (`fold`), and without each `e` that follows an a, o or u. So `oe` and `ö` become equal."""
    return re.sub("([aou])e", r"\1", fold(text))


NAME = words("name")
"""Word that a fault uses for a named thing of an unknown kind."""


class Names:
    """List of names, in which loosely written names are found."""

    def __init__(
        self,
        names: Iterable[str],
        noun: Words | str = NAME,
        most_suggested: int = _MOST_SUGGESTED,
        called: Iterable[str] = (),
    ) -> None:
        """Store the names. In faults, `noun` is the word for a named thing, such as `city`. The hint for an unknown
        name lists all names if there are at most `most_suggested`. `called` maps each name to the text that hints show
        in its place."""
        self.names = tuple(names)
        self.called = tuple(called) or self.names
        self.what = noun
        self.most_suggested = most_suggested
        self._remembered: dict[tuple[str, str], tuple[int, ...]] = {}
        self._near: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _exact(self) -> dict[str, tuple[int, ...]]:
        """Indices of the names, keyed by their exact spelling."""
        found: dict[str, tuple[int, ...]] = {}
        for index, name in enumerate(self.names):
            found[name] = (*found.get(name, ()), index)
        return found

    @cached_property
    def _cases(self) -> set[str]:
        """Names in small letters, with accents."""
        return {_case(name) for name in self.names}

    @cached_property
    def _folded_names(self) -> list[set[str]]:
        """Both spellings of each name without accents and case: with `o` and with `oe` for `ö`."""
        return [{fold(name), expand(name)} for name in self.names]

    @cached_property
    def _loose_names(self) -> list[str]:
        return [_loose_spelling(name) for name in self.names]

    @cached_property
    def _words(self) -> list[list[str]]:
        """Second and further words of each name, without case and accents."""
        return [[fold(word) for word in name.split()[1:]] for name in self.names]

    def __contains__(self, name: str) -> bool:
        """True if exactly this spelling is in the list."""
        return name in self._exact

    def find(self, written: str) -> int:
        """Return the index of the only name that fits. Raises `NameFault` if no name or several fit."""
        found = self.matches(written)
        if len(found) == 1:
            return found[0]
        if found:
            names = tuple(dict.fromkeys(self.called[index] for index in found))
            raise NameFault(wrong("E-NAME-AMBIGUOUS", written=as_quoted(written), what=self.what, names=names))
        folded = fold(written)
        if not folded:
            raise NameFault(wrong("E-NAME-EMPTY", written=as_quoted(written), what=self.what))
        if folded not in self._near:
            self._near[folded] = self._names_near(folded)
        near = self._near[folded]
        fault = wrong("E-NAME-UNKNOWN", hint=self._hint(near), what=self.what, written=as_quoted(written))
        raise NameFault(fault, near[0] if len(near) == 1 else "")

    def matches(self, written: str) -> tuple[int, ...]:
        """Return the indices of the names that a text may mean. Names that fit loosely count only if no name fits
        exactly."""
        if written in self._exact:
            return self._exact[written]
        folded = fold(written)
        if not folded:
            return ()
        case = "" if written.isascii() else _case(written)
        key = (folded, case if case in self._cases else "")
        if key not in self._remembered:
            self._remembered[key] = self._closest_matches(written, folded)
        return self._remembered[key]

    def _closest_matches(self, written: str, folded: str) -> tuple[int, ...]:
        for fits in self._readings(written, folded, _loose_spelling(written)):
            if found := tuple(index for index in range(len(self.names)) if fits(index)):
                return found
        return ()

    def suggestion(self, written: str) -> Hint:
        """Return a hint with the name that a text fits or comes nearest to; empty if no name is near."""
        try:
            return did_you_mean([self.names[self.find(written)]])
        except NameFault as fault:
            return fault.hint

    def _readings(self, written: str, folded: str, blurred: str) -> Iterable[Callable[[int], bool]]:
        """Return tests for a text, the strictest first. Each test takes the index of a name, and returns True if the
        text fits this name. Exact equality is not among the tests."""
        case, accented = _case(written), not written.isascii()
        return (
            lambda i: accented and _case(self.names[i]) == case,
            lambda i: folded in self._folded_names[i],
            lambda i: self._loose_names[i] == blurred,
            lambda i: any(form.startswith(folded) for form in self._folded_names[i]),
            lambda i: self._loose_names[i].startswith(blurred),
            lambda i: len(folded) >= _SHORTEST_WORD and any(word.startswith(folded) for word in self._words[i]),
        )

    @cached_property
    def _spellings(self) -> dict[str, int]:
        """Indices of names, keyed by the spellings among which hints are sought: first words, and whole names without
        accents."""
        first = {fold(name.split()[0]): index for index, name in enumerate(self.names) if name.split()}
        return first | {form: index for index, forms in enumerate(self._folded_names) for form in forms}

    def _names_near(self, folded: str) -> tuple[str, ...]:
        close = difflib.get_close_matches(folded, self._spellings, n=3, cutoff=_LEAST_ALIKE)
        # A slip seldom changes the first letter: another one needs more that is alike.
        other = difflib.get_close_matches(folded, close, n=3, cutoff=_LEAST_ALIKE_BUT_FIRST)
        close = [form for form in close if form[:1] == folded[:1] or form in other]
        return tuple(dict.fromkeys(self.called[self._spellings[form]] for form in close))

    def _hint(self, near: tuple[str, ...]) -> Hint:
        if near:
            return did_you_mean(near)
        return words("write-one", names=self.names) if 0 < len(self.names) <= self.most_suggested else ""


def did_you_mean(names: Iterable[str]) -> Words:
    return words("did-you-mean", names=tuple(names))


def as_quoted(written: str) -> str:
    """Return somebody's text as a fault quotes it: in quotation marks, on one line, and cut if long."""
    return repr(written if len(written) <= _LONGEST_SHOWN else f"{written[:_LONGEST_SHOWN]}…")
