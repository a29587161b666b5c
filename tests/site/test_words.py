"""The words of the site: every language has them all, and the site uses what it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.campaign.ledger.records import NAMES
from pbem.report.language.templates import languages
from pbem.site.archive import SiteWords
from pbem.site.export import Site, site_of
from tests.site.reading import NOW, parsed, text_of

ROOT = Path(__file__).parents[2]
PHASES = {"joining", "running", "over", "closed"}


def macros(say: SiteWords) -> set[str]:
    return {name for name in dir(say.words) if callable(getattr(say.words, name)) and not name.startswith("_")}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_language_has_all_the_words(language: str, game: str) -> None:
    say, english = SiteWords(language, game), SiteWords("en", game)
    assert list(say.fixed) == list(english.fixed)
    assert list(say.kinds) == list(english.kinds)
    assert set(say.kinds) == set(NAMES.values())
    assert macros(say) == macros(english)
    assert all(say.fixed.values())


def test_every_word_is_said_somewhere() -> None:
    sources = [*(ROOT / "templates" / "site").glob("*.j2"), *(ROOT / "pbem" / "site").glob("*.py")]
    text = "".join(path.read_text("utf-8") for path in sources)
    used = set(re.findall(r"""\bw\.(\w+)|(?:fixed|words)\["(\w+)"\]""", text))
    said = {name for pair in used for name in pair if name} | PHASES
    assert said == set(SiteWords("en", "maria").fixed)


@pytest.mark.parametrize("language", [each for each in languages() if each != "en"])
def test_a_site_in_another_language_has_none_of_the_english_words(
    fateful: Path, fateful_site: Site, language: str
) -> None:
    found = site_of(fateful, NOW, language)
    english = set(SiteWords("en", "friedrich").fixed.values())
    assert set(found.files) == set(fateful_site.files)
    for name, page in found.files.items():
        if not name.endswith(".html"):
            continue
        assert parsed(page).get("lang") == language
        words = text_of(parsed(page))
        kept = {each for each in english - set(SiteWords(language, "friedrich").fixed.values()) if len(each) > 12}
        assert not [each for each in kept if each in words], name
