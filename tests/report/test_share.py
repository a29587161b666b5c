"""Bodies of mails are news and what is asked, in every language, and hardly repeat the mail before."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.report.language.templates import languages

from .share import GAMES, played, shares

TURNS = 2
MOST_LINES = 60
LEAST_ASKING, LEAST_OF_ALL, MOST_KNOWN = 0.7, 0.8, 0.15
"""Least share of news and of what is asked in mails that ask; least share of these with the lines that say whose move
it is and until when, in all mails; greatest share of lines that stood in the mail before."""


@pytest.mark.parametrize("game", GAMES)
def test_bodies_are_news_and_what_is_asked(game: str, tmp_path: Path) -> None:
    told = list(played(tmp_path / "campaign", game, TURNS))
    lengths = []
    for language in languages():
        every, asking = shares(told, language)
        assert asking.mails
        assert asking.share(asking.news + asking.asked) >= LEAST_ASKING, (language, asking)
        assert every.share(every.head + every.news + every.asked) >= LEAST_OF_ALL, (language, every)
        assert every.share(every.known) < MOST_KNOWN, (language, every)
        assert every.longest <= MOST_LINES, language
        lengths.append(every.lines / every.mails)
    assert max(lengths) < min(lengths) * 1.15, "no language takes much more room than another"
