"""The formats that have templates of their own: a page for mail programs, and posts for forums of two kinds.

Each gets the same blocks as plain text does. What people have written can neither leave its place there nor mean
anything to the program that shows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec
from jinja2 import Environment
from markupsafe import Markup, escape

from pbem.report.blocks import Block, Code
from pbem.report.formats import forum
from pbem.report.formats.suits import by_colour
from pbem.report.formats.text import text
from pbem.report.language.templates import NO_BREAK, OwnTemplates, environment, own

FOLDER = "dress"


def page(blocks: Sequence[Block], title: str, language: str, picture: str = "") -> str:
    """A page for mail programs; `picture` is where the picture is found."""
    data = {"title": title, "language": language, "picture": picture, "blocks": as_data(blocks)}
    return pages(own()).get_template("mail.html.j2").render(data)


def bbcode(blocks: Sequence[Block]) -> str:
    """A post for phpBB and XenForo."""
    return post("forum.bbcode.j2", blocks)


def markdown(blocks: Sequence[Block]) -> str:
    """A post for Discourse, NodeBB and Reddit."""
    return post("forum.md.j2", blocks)


def post(name: str, blocks: Sequence[Block]) -> str:
    """A post by one of the templates, with never more than one empty line."""
    written = posts(own()).get_template(name).render(blocks=as_data(blocks)).replace(NO_BREAK, " ")
    return re.sub(r"\n{3,}", "\n\n", written).strip("\n") + "\n"


@lru_cache(maxsize=4)
def pages(own: OwnTemplates | None) -> Environment:
    """The template of pages, in which every sign of people's words is harmless."""
    found = environment([FOLDER], own, autoescape=True)
    found.filters["reddened"] = reddened
    return found


@lru_cache(maxsize=4)
def posts(own: OwnTemplates | None) -> Environment:
    """The templates of posts, with what makes words harmless there."""
    found = environment([FOLDER], own)
    found.filters |= {
        "bbcode": forum.bbcode_words,
        "markdown": forum.markdown_words,
        "in_code_tags": lambda block: forum.bbcode(as_plain_lines(block)),
        "in_fence": lambda block: forum.markdown(as_plain_lines(block)),
    }
    return found


def reddened(text: str) -> Markup:
    """A text, escaped, with its red cards and suits marked as such."""
    red = Markup('<span class="suit">{}</span>')
    return Markup("").join(red.format(part) if is_red else escape(part) for part, is_red in by_colour(text))


def as_data(blocks: Sequence[Block]) -> object:
    """Blocks as templates read them."""
    return msgspec.to_builtins(blocks)


def as_plain_lines(data: dict[str, object]) -> str:
    """A block as lines of letters of one width."""
    block = msgspec.convert(data, Block)
    return "\n".join(block.lines) + "\n" if isinstance(block, Code) else text([block])
