"""Look-up of names as people write them: without accents, without capitals, or only the beginning of the name.

`koniggratz`, `Koeniggraetz` and `KÖNIGGRÄTZ` all mean Königgrätz, and `sankt polten` means St. Pölten. A text is
compared with the names in several ways, from the exact spelling down to the beginning of a word. The first way in which
a name matches decides. If several names match in this way, the text is refused: `munster` could be Munster or Münster.

The module also checks names that must not be confused with each other, such as those of players. Only scripts in daily
use are allowed, and only one in each word. Letters of other scripts that look like Latin letters count as the Latin
ones."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Container, Iterable
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
and small letters are mapped apart, because they look different."""
_SCRIPTS = re.compile(
    "ARABIC|ARMENIAN|BENGALI|BOPOMOFO|CJK|CYRILLIC|DEVANAGARI|ETHIOPIC|GEORGIAN|GREEK|GUJARATI|GURMUKHI|"
    "HANGUL|HEBREW|HIRAGANA|IDEOGRAPHIC|KANNADA|KATAKANA|KHMER|LAO|LATIN|MALAYALAM|MYANMAR|ORIYA|SINHALA|"
    "TAMIL|TELUGU|THAANA|THAI|TIBETAN"
)
"""Pattern of the scripts in which names may be written. These are the scripts that UAX 31 (table 5) recommends for
identifiers. The name of a script is the first word of the Unicode names of its characters."""
_WITHIN_A_WORD = (
    {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "IDEOGRAPHIC", "BOPOMOFO"},
    {"LATIN", "CJK", "IDEOGRAPHIC", "HANGUL"},
)
"""Sets of scripts that may be mixed in one word, as in the profile "highly restrictive" of UTS 39."""
_EVERYDAY = {
    "LATIN": re.compile("[A-Za-z\u00c0-\u017fẞƏəƐɛƆɔƁɓƊɗƘƙƳƴ]"),
    "CYRILLIC": re.compile("[\u0400-\u052f]"),
    "GREEK": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
}
"""Dict from some scripts to the pattern of the characters that living languages use. These scripts also have many
characters that only scholars use."""
_ANY = re.compile(".")
_FRAMED = re.compile("(?:LATIN|SYMBOL) .*LETTER ")
"""Pattern of the Unicode names of decorated letters, such as a letter in a frame or a letter above another letter."""


def outline(name: str) -> str:
    """Return a name as a hasty reader sees it: without accents, blanks, punctuation and capitals. Characters that look
    alike become the same character."""
    latin = unicodedata.normalize("NFKD", name).translate(_LIKE_LATIN).casefold()
    plain = unicodedata.normalize("NFKD", latin).translate(_LIKE_LATIN)
    seen = "".join(filter(str.isalnum, plain)).replace("rn", "m").replace("vv", "w").replace("i", "l")
    return seen or plain


def script_of(character: str) -> str:
    """Return the script of a character, which is the first word of its Unicode name. Return an empty text for digits,
    accents and other signs."""
    is_written = character.isalpha() and character not in "ʹʻʼ"
    return re.split("[ -]", unicodedata.name(character, ""))[0] if is_written else ""


def rare_character(name: str) -> str:
    """Return the first character of a name that is unusual in everyday writing. Return an empty text if the name has
    none."""
    for character in unicodedata.normalize("NFKD", name):
        script = script_of(character)
        is_rare = not _SCRIPTS.fullmatch(script) or not _EVERYDAY.get(script, _ANY).fullmatch(character)
        if is_rare if script else _FRAMED.search(unicodedata.name(character, "")):
            return character
    return ""


def mixed_word(name: str) -> str:
    """Return the first word of a name that mixes scripts which must not be mixed. Return an empty text if there is
    none."""
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
"""Likeness, from 0 to 1, that a name must have with a misspelt one to be suggested. The first number is for names with
the same first letter, the second for all others."""
_LONGEST_SHOWN = 60
_BARE_NAME = re.compile(r"\w(?:[\w .,()'-]{0,98}[\w)])?")
_DEVICES = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")


class NameFault(WrongError):
    """Raised for a text that means no name, or that may mean several."""

    def __init__(self, wrong: Wrong, guess: str = "") -> None:
        """Store the fault. `guess` is the known name that is most like the text, if there is only one such name, else
        empty."""
        super().__init__(wrong)
        self.guess = guess


def is_bare(name: str) -> bool:
    """True if a text is the bare name of a file on every operating system: not a path, a device or a drive."""
    return bool(_BARE_NAME.fullmatch(name)) and not _DEVICES.fullmatch(name)


def fold(text: str) -> str:
    """Return the letters and digits of a name without capitals and accents, such as `koniggratz` for `Königgrätz`."""
    return _joined_words("".join(_LETTERS.get(letter, letter) for letter in _bare(text.casefold())))


def expand(text: str) -> str:
    """Return the letters and digits of a name with its umlauts written out, such as `koeniggraetz` for `Königgrätz`."""
    composed = unicodedata.normalize("NFC", text.casefold())
    return fold("".join(_EXPANDED.get(letter, letter) for letter in composed))


def _bare(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


def _joined_words(text: str) -> str:
    return "".join(_SAINTS.get(word, word) for word in re.findall(r"[^\W_]+", text))


def _case(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text.casefold()).split())


def _loose_spelling(text: str) -> str:
    """Return a name without capitals and accents, and without each `e` that follows an a, o or u. So `oe` and `ö`
    become equal."""
    return re.sub("([aou])e", r"\1", fold(text))


NAME = words("name")
"""Word by which a fault names the kind of a named thing if the kind is unknown."""


class Names:
    """List of names in which a name is found even if it is not spelt exactly."""

    def __init__(
        self,
        names: Iterable[str],
        noun: Words | str = NAME,
        most_suggested: int = _MOST_SUGGESTED,
        called: Iterable[str] = (),
    ) -> None:
        """Store the names. `noun` is the word by which faults name the kind of the named things, such as `city`. If
        there are at most `most_suggested` names, the hint for an unknown name lists them all. `called` has, for each
        name, the text that hints show instead of it."""
        self.names = tuple(names)
        self.called = tuple(called) or self.names
        self.what = noun
        self.most_suggested = most_suggested
        self._remembered: dict[tuple[str, str], tuple[int, ...]] = {}
        self._near: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _exact(self) -> dict[str, tuple[int, ...]]:
        """Dict from each name, in its exact spelling, to its indices."""
        found: dict[str, tuple[int, ...]] = {}
        for index, name in enumerate(self.names):
            found[name] = (*found.get(name, ()), index)
        return found

    @cached_property
    def _cases(self) -> set[str]:
        """Names in small letters, with their accents."""
        return {_case(name) for name in self.names}

    @cached_property
    def _folded_names(self) -> list[set[str]]:
        """Two spellings of each name without capitals and accents: for `ö`, one has `o` and the other `oe`."""
        return [{fold(name), expand(name)} for name in self.names]

    @cached_property
    def _loose_names(self) -> list[str]:
        return [_loose_spelling(name) for name in self.names]

    @cached_property
    def _words(self) -> list[list[str]]:
        """All words of each name but the first, without capitals and accents."""
        return [[fold(word) for word in name.split()[1:]] for name in self.names]

    def __contains__(self, name: str) -> bool:
        """True if a name with exactly this spelling is in the list."""
        return name in self._exact

    def find(self, written: str, likely: Container[str] = ()) -> int:
        """Return the index of the name that the text means. Raises `NameFault` if it means no name, or may mean
        several. The fault offers only those of several names that are in `likely`, unless none of them is."""
        found = self.matches(written)
        if len(found) == 1:
            return found[0]
        if found:
            names = among(likely, dict.fromkeys(self.called[index] for index in found))
            raise NameFault(wrong("E-NAME-AMBIGUOUS", written=as_quoted(written), what=self.what, names=names))
        folded = fold(written)
        if not folded:
            raise NameFault(wrong("E-NAME-EMPTY", written=as_quoted(written), what=self.what))
        if folded not in self._near:
            self._near[folded] = self._names_near(folded)
        near = self._near[folded]
        fault = wrong(
            "E-NAME-UNKNOWN", hint=self._hint(among(likely, near)), what=self.what, written=as_quoted(written)
        )
        raise NameFault(fault, near[0] if len(near) == 1 else "")

    def matches(self, written: str) -> tuple[int, ...]:
        """Return the indices of the names that a text may mean. The strictest way of comparing in which a name matches
        decides."""
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
        """Return a hint with the name that the text means, or with the names that are most like it. Return an empty
        hint if no name is similar."""
        try:
            return did_you_mean([self.names[self.find(written)]])
        except NameFault as fault:
            return fault.hint

    def _readings(self, written: str, folded: str, blurred: str) -> Iterable[Callable[[int], bool]]:
        """Return tests by which a text is compared with names, the strictest first. `written` is the text, `folded` and
        `blurred` are two simpler forms of it. Each test takes the index of a name, and returns True if the text matches
        this name. The test for exact equality is not among them."""
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
        """Dict from the spellings among which hints are looked for to the indices of the names. The spellings are first
        words, and whole names without accents."""
        first = {fold(name.split()[0]): index for index, name in enumerate(self.names) if name.split()}
        return first | {form: index for index, forms in enumerate(self._folded_names) for form in forms}

    def _names_near(self, folded: str) -> tuple[str, ...]:
        close = difflib.get_close_matches(folded, self._spellings, n=3, cutoff=_LEAST_ALIKE)
        # A slip of the pen seldom changes the first letter. So names with another first letter must be more similar.
        other = difflib.get_close_matches(folded, close, n=3, cutoff=_LEAST_ALIKE_BUT_FIRST)
        close = [form for form in close if form[:1] == folded[:1] or form in other]
        return tuple(dict.fromkeys(self.called[self._spellings[form]] for form in close))

    def _hint(self, near: tuple[str, ...]) -> Hint:
        if near:
            return did_you_mean(near)
        return words("write-one", names=self.names) if 0 < len(self.names) <= self.most_suggested else ""


def among(likely: Container[str], names: Iterable[str]) -> tuple[str, ...]:
    """Return those names that are in `likely`, or all names if none of them is."""
    every = tuple(names)
    return tuple(name for name in every if name in likely) or every


def did_you_mean(names: Iterable[str]) -> Words:
    return words("did-you-mean", names=tuple(names))


def as_quoted(written: str) -> str:
    """Return a text that somebody has written as a fault quotes it: in quotation marks, on one line, and cut if it is
    long."""
    return repr(written if len(written) <= _LONGEST_SHOWN else f"{written[:_LONGEST_SHOWN]}…")
