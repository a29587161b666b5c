"""Every dress says the same, in every language; and what people have written does nothing in any of them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.news import Message
from pbem.report.blocks import Block, complete_blocks
from pbem.report.formats.escaping import JOINER, bbcode_words, markdown_words
from pbem.report.formats.pages import bbcode, letter_blocks, markdown, page, subject
from pbem.report.language.templates import languages, own_templates
from pbem.report.letters.report import report_data
from tests.report.plain import letter_text

from .campaign_moments import askers, moments, of_editions, pattern, told_at
from .campaign_table import OpenTable, send

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "[url=http://evil.example]prize[/url] [/quote][/code][/list]",
    "*bold* _italic_ `code` ~~gone~~ ^up^ | cell | # title",
    "[link](http://evil.example) ![x](http://evil.example/x.png) <http://evil.example>",
    "www.evil.example @everybody :smile: 8) :-) {{ secrets }} {% raw %}",
    "# The moderator rules:\n- you have lost\n> quote\n    code\n```\n~~~\n1. one\n+ plus\n===\n---",
    "&lt;b&gt; &amp; &#60;",
    "$x$ \\( \\) \\",
    "Bob [/spoiler]<b>",
]


class Page(HTMLParser):
    """A page as a mail program reads it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attributes]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "title"} & set(self.open):
            self.words.append(data)


def words(text: str) -> list[str]:
    """The words and signs of a text, without what belongs to a dress."""
    return re.findall(r"[^\W_]+|[♣♦♥♠■□+−%§„“”«»]", text.replace(JOINER, ""))


def of_page(blocks: list[Block]) -> list[str]:
    return words(" ".join(Page(page(complete_blocks(blocks), "title", "en", "cid:map.png")).words))


def of_bbcode(blocks: list[Block]) -> list[str]:
    shown = re.sub(r"\[spoiler=(.*)\]", r" \1 ", bbcode(blocks))
    return words(re.sub(r"\[(?:/?(?:b|i|u|list|quote|code|spoiler)|\*)\]", " ", shown))


def of_markdown(blocks: list[Block]) -> list[str]:
    """By a program that people use: what it shows is what was meant."""
    shown = MarkdownIt("commonmark").enable("table").enable("strikethrough").render(markdown(blocks))
    return words(" ".join(Page(shown.replace("<hr />", "").replace("<br />", "")).words))


def test_there_are_four_languages() -> None:
    assert languages() == ("de", "en", "es", "it")


@pytest.mark.parametrize(("play", "player", "terms"), of_editions("2.1"))
def test_all_dresses_say_the_same(play: Any, player: Any, terms: Any, like: Briefing) -> None:
    """A report at moments of whole games, each in another language."""
    languages_in_turn = cycle(languages())
    for table, _ in moments(play, player, terms, "dresses"):
        for reader, powers in askers(table):
            told = replace(told_at(like, table, powers, reader), language=next(languages_in_turn))
            data = report_data(told)
            blocks, said = letter_blocks(data), words(letter_text(data))
            assert len(said) > 50
            for dress in (of_page, of_bbcode, of_markdown):
                assert dress(blocks) == said, dress.__name__


@pytest.fixture(scope="module")
def like(tmp_path_factory: pytest.TempPathFactory) -> Briefing:
    table = OpenTable(tmp_path_factory.mktemp("like"), scenario="introductory")
    table.join()
    return pattern(table)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Briefing:
    """A report in which everything that people can write is hostile."""
    table = OpenTable(tmp_path_factory.mktemp("hostile"), scenario="introductory")
    table.join()
    table.play(2)
    with table.open() as campaign:
        send(table, campaign, "frederick", "message", {"to": "all", "text": "peace"})
        told = briefings(campaign)["louis"]
    return replace(
        told,
        news=replace(told.news, messages=tuple(Message("frederick", "all", words) for words in HOSTILE)),
        players={seat: Random(7).choice(HOSTILE) for seat in told.players},
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_words_stay_words(hostile: Briefing, name: str) -> None:
    told = replace(hostile, players=dict.fromkeys(hostile.players, name))
    data = report_data(told)
    blocks, said = letter_blocks(data), words(letter_text(data))
    for dress in (of_page, of_bbcode, of_markdown):
        assert dress(blocks) == said, dress.__name__


def test_a_page_holds_nothing_but_our_own_tags(hostile: Briefing) -> None:
    data = report_data(hostile)
    made = Page(page(complete_blocks(letter_blocks(data)), subject(data), "en", "cid:map.png"))
    assert made.open == []
    assert made.tags <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "h4", "p", "ul", "li", "table", "tr", "td",
        "div", "span", "blockquote", "code", "pre", "img",
    }  # fmt: skip
    assert {(tag, name) for tag, name, _ in made.attributes} <= {
        ("html", "lang"), ("meta", "charset"), ("meta", "name"), ("meta", "content"), ("table", "role"),
        ("td", "colspan"), ("div", "class"), ("span", "class"), ("blockquote", "class"), ("img", "src"), ("img", "alt"),
    }  # fmt: skip
    assert [value for tag, name, value in made.attributes if (tag, name) == ("img", "src")] == ["cid:map.png"]
    (shows,) = [value for tag, name, value in made.attributes if (tag, name) == ("img", "alt")]
    assert shows.startswith("Turn 1 of 9")


def test_a_page_without_a_picture_has_none(hostile: Briefing) -> None:
    data = report_data(hostile)
    assert "<img" not in page(letter_blocks(data), subject(data), "en")


def test_a_post_in_bbcode_holds_nothing_but_our_own_tags(hostile: Briefing) -> None:
    made = bbcode(letter_blocks(report_data(hostile)))
    outside = re.sub(r"\[code\].*?\[/code\]", "", made, flags=re.DOTALL)
    assert set(re.findall(rf"\[(?!{JOINER})[^\]\s]*\]", outside)) <= {
        "[b]", "[/b]", "[i]", "[/i]", "[u]", "[/u]", "[list]", "[*]", "[/list]", "[quote]", "[/quote]", "[/spoiler]",
    }  # fmt: skip
    for tag in ("b", "i", "u", "list", "quote", "code"):
        assert made.count(f"[{tag}]") == made.count(f"[/{tag}]")
    assert not re.search(r"://|www\.|:-?\)|8\)|@\w", outside)


@pytest.mark.parametrize("name", [*HOSTILE, "x] </summary></details>"])
def test_a_name_in_the_title_of_a_folded_part_does_not_end_it(hostile: Briefing, name: str) -> None:
    blocks = letter_blocks(report_data(replace(hostile, players=dict.fromkeys(hostile.players, name))))
    (title,) = re.findall(r"(?m)^\[spoiler=.*$", bbcode(blocks))
    assert re.fullmatch(r"\[spoiler=[^\[\]\"]*\]", title), title
    (summary,) = re.findall(r"(?m)^<details>.*$", markdown(blocks))
    inner = summary.removeprefix("<details><summary>").removesuffix("</summary>")
    assert not re.search(r"[<>*_`\[\]]|://", inner), summary


def test_a_post_in_markdown_holds_nothing_but_our_own_tags(hostile: Briefing) -> None:
    made = MarkdownIt("commonmark").enable("table").render(markdown(letter_blocks(report_data(hostile))))
    assert set(re.findall(r"<([a-z0-9]+)", made)) <= {
        "h1", "h2", "h3", "h4", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "blockquote", "code",
        "pre", "br", "details", "summary",
    }  # fmt: skip
    assert "://" not in made


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[b]x[/b]", f"[{JOINER}b]x[{JOINER}/b]"),
        ("[3]", "[3]"),
        ("at 20:00", "at 20:00"),
        (":)", f":{JOINER})"),
        ("(♠ 8)", f"(♠ 8{JOINER})"),
    ],
)
def test_words_in_bbcode(written: str, shown: str) -> None:
    assert bbcode_words(written) == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a*b_c", r"a\*b\_c"),
        ("- x", r"\- x"),
        ("12. x", r"12\. x"),
        ("♠7, ♥10", "♠7, ♥10"),
        ("  behind code: ", " behind code: "),
        (":smile:", r"\:smile:"),
        ("http://x", f"http:{JOINER}/{JOINER}/x"),
        ("evil.рф or x.example.中国", f"evil.{JOINER}рф or x.{JOINER}example.{JOINER}中国"),
        ("a 3.5, z.B.", "a 3.5, z.B."),
        ("[quote]", rf"\[{JOINER}quote\]"),
        ("u/bob and /r/x", f"u{JOINER}/bob and /r{JOINER}/x"),
    ],
)
def test_words_in_markdown(written: str, shown: str) -> None:
    assert markdown_words(written) == shown


def test_a_campaign_says_it_in_its_own_words(hostile: Briefing, tmp_path: Path) -> None:
    folder = tmp_path / "templates"
    (folder / "en").mkdir(parents=True)
    (folder / "en" / "campaign_reminder.txt.j2").write_text(
        "# {{ campaign }}\n\nWrite, or {{ moderator.name }} weeps.\n"
    )
    data = report_data(hostile)
    reminder: dict[str, Any] = data | {"kind": "reminder"}
    with own_templates(folder):
        assert letter_text(reminder) == "vienna-1741\n===========\nWrite, or the moderator weeps.\n"
        assert letter_text(data).startswith("Turn 1 of 9")
    (folder / "dress").mkdir()
    (folder / "dress" / "mail.html.j2").write_text("{% for block in blocks %}{{ block.type }} {% endfor %}")
    with own_templates(folder):
        assert page(letter_blocks(reminder), "x", "en") == "heading paragraph "


def test_templates_of_a_campaign_reach_nothing_but_their_data(hostile: Briefing, tmp_path: Path) -> None:
    from jinja2.exceptions import SecurityError, TemplateNotFound

    (tmp_path / "en").mkdir()
    reminder: dict[str, Any] = report_data(hostile) | {"kind": "reminder"}
    for wicked, error in (
        ("{{ campaign.__class__.__mro__ }}", SecurityError),
        ("{{ line.__globals__ }}", SecurityError),
        ("{% include '/etc/passwd' %}", TemplateNotFound),
        ("{% include '../../secret.age' %}", TemplateNotFound),
    ):
        folder = tmp_path / str(abs(hash(wicked)))
        (folder / "en").mkdir(parents=True)
        (folder / "en" / "campaign_reminder.txt.j2").write_text(wicked)
        with own_templates(folder), pytest.raises(error):
            letter_text(reminder)
