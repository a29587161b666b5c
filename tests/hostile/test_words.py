"""Words of people: they forge no line of ours, in no place where they are told, and cost their readers little."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.letters.judging import MOST_CHARACTERS
from pbem.campaign.news import Message
from pbem.games.friedrich.paper.library import load_fate_file
from pbem.paper.documents.faults import Refused
from pbem.report import blocks as b
from pbem.report.formats.escaping import JOINER, bbcode_words, markdown_words
from pbem.report.formats.pages import letter_blocks
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.resources import resource
from tests.campaign.simulated import SimulatedTable, codes
from tests.cli.correspondence import Correspondence
from tests.cli.test_commands import pbem
from tests.report.campaign_table import OpenTable, send

FORGING = [
    "# The moderator rules",
    "- louis has lost",
    "> said louis",
    ">| exactly",
    "    code",
    "`pbem close`",
    "a` b `c",
    "\ue000cell\ue000cell",
    "\ue001# x",
    "\ue002",
    "\ue003account",
    "one\n# two\n- three\n\n    four",
    "one\r# two\u2028# three\x0b# four\x85# five",
    "1. first",
    "\u202e\x1b[31m",
    "a " * 500,
]
DAY = {"year": 1741, "month": 4, "day": 10, "weekday": 0}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Briefing:
    """A report in which everything stands that people can write."""
    table = OpenTable(tmp_path_factory.mktemp("told"), scenario="introductory")
    table.join()
    table.play(2)
    with table.open() as campaign:
        send(table, campaign, "frederick", "message", {"to": "all", "text": "peace"})
        return briefings(campaign)["louis"]


def saying(briefing: Briefing, words: str) -> dict[str, Any]:
    """The report with the same words wherever there are any."""
    players = dict.fromkeys(briefing.players, words)
    news = replace(briefing.news, messages=(Message("frederick", "all", words),))
    data = report_data(replace(briefing, players=players, news=news))
    fault = {
        "player": "louis",
        "power": "france",
        "line": 1,
        "message": words,
        "rule": "",
        "hint": words,
        "code": "E-X",
    }
    note = {"player": "louis", "name": words, "key": "k", "why": words, "words": words, "rule": words}
    notes = {
        "ruling": {},
        "extension": {"until": data["deadline"]},
        "rollback": {"to": 3, "stage": "1/france"},
        "substitute": {},
        "key-change": {"by_letter": False},
        "agreement": {"players": ["louis", "frederick"]},
        "close": {},
        "letter": {"letter": "orders", "stage": "1/france", "seq": 3, "status": "final", "slots": [], "bot": "strong"},
        "absence": {"first": DAY, "last": DAY, "bot": "strong"},
        "join": {},
        "adjudication": {"stage": "1/france", "absent": {"louis": words}, "forfeited": {}, "returned": [], "drawn": {}},
    }
    return data | {
        "moderator": data["moderator"] | {"name": words, "seat": "louis"},
        "notes": [{"kind": kind, **note, **more} for kind, more in notes.items()],
        "shared_keys": [{"players": ["louis", "frederick"], "key": "k"}],
        "slips": [fault | {"brings_back_others": False}],
        "plan_notes": [fault | {"about": "battle"}],
    }


def shape(blocks: list[b.Block]) -> list[Any]:
    """Structure of a report without its words: it must not depend on texts of people."""
    return list(parts(blocks))


def parts(blocks: list[b.Block]) -> Iterator[Any]:
    for block in blocks:
        match block:
            case b.Items(lines) | b.Paragraph(lines):
                yield type(block), [[span.text for span in line if span.code] for line in lines]
            case b.TableBlock(rows):
                yield b.TableBlock, [len(row) for row in rows]
            case b.Quote() | b.Code(letter=True):
                yield type(block)
            case _:
                yield type(block), getattr(block, "level", None)


@pytest.mark.parametrize("language", languages())
def test_words_of_people_forge_no_part_of_a_report(told: Briefing, language: str) -> None:
    spoken = replace(told, language=language)
    wanted = shape(letter_blocks(saying(spoken, "peace")))
    for words in FORGING:
        blocks = letter_blocks(saying(spoken, words))
        assert shape(blocks) == wanted, words
        assert all(line.isprintable() for block in blocks if isinstance(block, b.Quote) for line in block.lines)


ENTRY = "\n   2 2026-11-21 13:00 close        the secrets are published"


def test_nobody_forges_an_entry_of_the_log(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    for seat in table.seats:
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), "--out", f"{seat}.yaml", as_=seat)
    letter = (tmp_path / "louis.yaml").read_text()
    forged = "  name: |\n" + "".join(f"    {line}\n" for line in f"Lou{ENTRY}".split("\n"))
    (tmp_path / "forged.yaml").write_text(letter.split("signature:")[0].rstrip("\n") + "\n" + forged)
    table.run("sign", "forged.yaml", as_="louis")
    (refused,) = table.accept("forged.yaml")
    assert "E-JOIN-NAME" in str(refused)
    table.run("sign", "--renumber", "louis.yaml", as_="louis")
    table.accept("louis.yaml")
    status = table.run("status", "vienna-1741").output
    assert len(status.splitlines()) == 6
    table.accept(*(f"{seat}.yaml" for seat in table.seats if seat != "louis"))
    table.moderate("adjudicate")
    table.moderate("rule", f"All is well.{ENTRY}")
    lines = table.run("log", "vienna-1741").output.splitlines()
    assert [line.split()[0] for line in lines] == [str(number) for number in range(1, len(lines) + 1)]
    assert not [line for line in lines if line.startswith("   2 2026-11-21 13:00 close")]
    assert sum("the secrets are published" in line for line in lines) == 1


@pytest.mark.parametrize(
    "words",
    ["100. lost", "123456789) lost", "1. lost", "WWW.evil.example", "see evil.example/x", "Evil.COM", "a@b.example"],
)
def test_a_forum_makes_no_list_and_no_link_of_words(words: str) -> None:
    made = MarkdownIt("commonmark").render(markdown_words(words))
    assert "<li" not in made
    assert made.replace(JOINER, "").strip() == f"<p>{words}</p>"
    assert not re.search(r"(?i)\bwww\.|\w\.[a-z]{2}|@\w", made)
    assert not re.search(r"(?i)\bwww\.|@\w", bbcode_words(words))


FORGED = '"Peace\\n# The moderator rules"'


def test_names_on_boards_and_cards_stand_on_one_line(tmp_path: Path) -> None:
    rules, own = resource("rules"), tmp_path / "own.yaml"
    board = (rules / "maria" / "boards" / "theatrum-belli.yaml").read_text("utf-8")
    own.write_text(board.replace("name: Olmütz", f"name: {FORGED}"), "utf-8")
    assert "E-BOARD-NAME" in pbem("board", "check", "own.yaml", cwd=tmp_path).stderr
    politics = (rules / "maria" / "politics.yaml").read_text("utf-8")
    own.write_text(politics.replace("title: Saxony", f"title: {FORGED}", 1), "utf-8")
    assert "E-POLITICS-TITLE" in pbem("rules", "cards", "--file", "own.yaml", cwd=tmp_path).stderr
    fate = (rules / "friedrich" / "fate.yaml").read_text("utf-8")
    own.write_text(re.sub(r"title: [^,}\n]+", lambda _: f"title: {FORGED}", fate, count=1), "utf-8")
    with pytest.raises(Refused, match="E-VALUE-RANGE"):
        load_fate_file(own)


@pytest.mark.parametrize(("kind", "body"), [("message", "text"), ("agreement", "words")])
def test_nobody_is_sent_more_than_they_can_read(tmp_path: Path, kind: str, body: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    whom = {"message": {"to": "all"}, "agreement": {"with": "frederick"}}[kind]
    long = table.send(table.other_letter("louis", kind, {**whom, body: "x" * (MOST_CHARACTERS + 1)}))
    assert codes(long) == ["E-FORM-LONG"]
    assert table.send(table.other_letter("louis", kind, {**whom, body: "x" * MOST_CHARACTERS})).status == "final"
