"""Bodies of mails are news and what is asked, in every language, and hardly repeat the mail before."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_texts

from .plain import body_text
from .share import GAMES, played, shares

TURNS, ELECTION = 2, 4
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


@pytest.mark.parametrize("seed", [3, 15])
def test_bodies_of_an_advanced_game_have_room(seed: int, tmp_path: Path) -> None:
    """In these games, there are elections while an enemy could take all fortresses of a voter. Where plans answer, news
    of several stages can come in one mail, which then can be longer."""
    every = zip(
        played(tmp_path / "campaign", "advanced", ELECTION, seed, plans=False), cycle(languages()), strict=False
    )
    bodies = [body_text(report_data(replace(told, language=language))) for told, language in every]
    heights = [len(body.splitlines()) for body in bodies]
    assert max(heights) <= MOST_LINES + 2, bodies[heights.index(max(heights))]
    assert sum(height > MOST_LINES for height in heights) <= len(heights) / 100


@pytest.mark.parametrize("language", languages())
def test_a_body_that_is_too_long_shows_fewer_marches(language: str, tmp_path: Path) -> None:
    *_, told = (each for each in played(tmp_path / "campaign", "maria", TURNS) if sheet_texts(each).shorter)
    data = report_data(replace(told, language=language)) | {"dangers": []}
    sheets = [data["short_sheet"], *data["shorter_sheets"]]
    heights = [sheet.count("\n") for sheet in sheets]
    assert len(sheets) > 1
    assert heights == sorted(set(heights), reverse=True)
    usual = body_text(with_message(data | {"shorter_sheets": []}, 1)).count("\n")
    for more, shown in ((0, 0), (1, 1), (MOST_LINES, -1)):
        text = body_text(with_message(data, 1 + MOST_LINES - usual + more))
        assert [sheet.rstrip() in text for sheet in sheets].index(True) == range(len(sheets))[shown], (more, text)


def with_message(data: dict[str, Any], lines: int) -> dict[str, Any]:
    """Return the data of a report with a message of so many lines."""
    return data | {"messages": [{"from": "louis", "to": data["reader"], "text": "\n".join(["Halt!"] * lines)}]}
