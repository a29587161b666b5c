"""HTML as text: enough to find an order sheet in it and to show what it would mean; never for anything final.

A scanner of our own, since every piece of it takes time in proportion to the text, whatever a mail may hold.
"""

from __future__ import annotations

import html
import re

_TOKEN = re.compile(r"<!--.*?(?:-->|\Z)|<[/!?]?[a-zA-Z][^<>]*>|[^<]+|<", re.DOTALL)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MARKUP = re.compile(r"<(?:br|p|div|pre|html|table|span|body|blockquote)\b[^<>]{0,400}>", re.IGNORECASE)
_UNSEEN = {name: re.compile(rf"</{name}\b[^<>]*>", re.IGNORECASE) for name in ("script", "style", "head", "title")}
_BLOCK = re.compile(
    r"address|article|aside|blockquote|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6r]|header|li|main|nav|ol|p|pre"
    r"|section|table|tbody|t[dhr]|thead|ul",
)
_NO_BREAK = "\u00a0"


def is_marked_up(text: str) -> bool:
    """Whether a text that claims to be plain holds the tags of a page."""
    return bool(_MARKUP.search(text))


def text_of(page: str) -> str:
    """What a reader of the page sees, line by line, with `> ` before what is quoted."""
    page_text = _PageText()
    at = 0
    while at < len(page):
        token = _TOKEN.match(page, at)
        assert token, "every character belongs to a token"
        at = token.end()
        piece = token.group()
        if not piece.startswith("<") or piece == "<":
            page_text.add(_ENTITY.sub(lambda found: html.unescape(found.group()), piece))
        elif tag := _TAG.match(piece):
            name = tag[2].casefold()
            page_text.tag(name, is_end=bool(tag[1]))
            if name in _UNSEEN and not tag[1]:
                end = _UNSEEN[name].search(page, at)
                at = end.end() if end else len(page)
    return page_text.whole()


class _PageText:
    """The text of a page as it grows."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.quotes = 0
        self.as_written = 0

    def add(self, text: str) -> None:
        if self.as_written:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            self.line.append(first)
            for each in rest:
                self.end_line()
                self.line.append(each)
            return
        text = _BLANKS.sub(" ", text)
        text = text if self.line else text.lstrip(" ")
        if text:
            self.line.append(text)

    def tag(self, name: str, *, is_end: bool) -> None:
        step = -1 if is_end else 1
        if name == "br" or (_BLOCK.fullmatch(name) and any(self.line)):
            self.end_line()
        if name == "pre":
            self.as_written = max(0, self.as_written + step)
            self.line = []
        elif name == "blockquote":
            self.quotes = max(0, min(20, self.quotes + step))

    def end_line(self) -> None:
        line = "".join(self.line).replace(_NO_BREAK, " ").rstrip(" ")
        self.lines.append("> " * self.quotes + line)
        self.line = []

    def whole(self) -> str:
        self.end_line()
        return "\n".join(self.lines)
