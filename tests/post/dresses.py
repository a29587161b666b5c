"""Texts that may surround a letter on its way without changing it; `extract` must find it again in any of them."""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable

from hypothesis import strategies as st

from pbem.paper.documents.characters import SMILEY_STYLE, UNWANTED
from pbem.paper.documents.writing import Value
from pbem.paper.letters import write_letter
from pbem.post.calendar import bbcode_block, markdown_block

Dress = Callable[[str], bytes]

_HEADER = "From: Louis <louis@example.org>\nSubject: orders\nMIME-Version: 1.0\n"


def _words(text: str) -> bool:
    return not UNWANTED.search(text) and not SMILEY_STYLE.search(text) and "[" not in text


words = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=90).filter(_words)
lines = st.lists(words, min_size=1, max_size=4).map("\n".join)
bodies = st.dictionaries(
    st.from_regex(r"[a-z][a-z-]{0,12}", fullmatch=True),
    st.one_of(lines, st.lists(words, max_size=3)),
    min_size=1,
    max_size=5,
)


def _letter(seq: int, body: dict[str, Value], is_signed: bool) -> str:
    head: dict[str, str | int] = {"kind": "message", "campaign": "vienna-1741", "from": "louis", "seq": seq}
    return write_letter(head, body) + (_SIGNATURE if is_signed else "")


_SIGNATURE = """\
signature: |
  -----BEGIN SSH SIGNATURE-----
  U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgPthDPkZk6vVX1OK1GCWT
  hWMgBntgq+RZeNRYY+BwQgoAAAAEcGJlbQ==
  -----END SSH SIGNATURE-----
"""

letters = st.builds(_letter, st.integers(1, 99), bodies, st.booleans())


def quoted(text: str, mark: str) -> str:
    """The text as a mail program quotes it."""
    return "".join((mark + line).rstrip(" ") + "\n" for line in text.removesuffix("\n").split("\n"))


def _indented(text: str) -> str:
    return "".join((f"    {line}" if line else "") + "\n" for line in text.removesuffix("\n").split("\n"))


SHAPES: list[Callable[[str], str]] = [
    lambda text: text,
    lambda text: f"Hello,\n\n{text}",
    bbcode_block,
    markdown_block,
    lambda text: f"Hello\n\n{markdown_block(text)}\nGood bye\n",
    lambda text: f"{text}...\nGood bye\n",
    lambda text: f"---\n{text}---\nGood bye\n",
    _indented,
    lambda text: quoted(text, "> "),
    lambda text: quoted(text, ">"),
    lambda text: quoted(text, "| "),
    lambda text: f"On Monday Louis wrote:\n{quoted(text, '> > ')}",
    lambda text: quoted(bbcode_block(text), "> "),
]
"""Changes to the text by people and forums."""


def _flowed(text: str, breaks: bool) -> str:
    """RFC 3676 from the side of the sender."""
    done = []
    is_spaced = not re.search(r"(?m)^>+[^> ]", text)
    for line in text.removesuffix("\n").split("\n"):
        content = line.lstrip(">")
        marks = line[: len(line) - len(content)]
        content = content.removeprefix(" ") if marks and is_spaced else content
        at = content.find(" ", 40) if breaks else -1
        pieces = [content] if at < 0 else [content[: at + 1], content[at + 1 :]]
        for piece in pieces:
            is_stuffed = marks or piece.startswith((" ", ">", "From "))
            done.append(f"{marks} {piece}" if is_stuffed else piece)
    return "\n".join(done) + "\n"


def _mail(body: bytes, encoding: str, parameters: str = "") -> bytes:
    kind = f"text/plain; charset=utf-8{parameters}"
    return f"{_HEADER}Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + body


WAYS: list[Dress] = [
    lambda text: text.encode(),
    lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    lambda text: text.replace("\n", "\r").encode(),
    lambda text: text.encode("utf-16"),
    lambda text: _mail(text.encode(), "8bit"),
    lambda text: _mail(text.encode(), "8bit").replace(b"\n", b"\r\n"),
    lambda text: _mail(base64.encodebytes(text.replace("\n", "\r\n").encode()), "base64"),
    lambda text: _mail(quopri.encodestring(text.encode()), "quoted-printable"),
    lambda text: _mail(_flowed(text, breaks=False).encode(), "8bit", "; format=flowed"),
    lambda text: _mail(_flowed(text, breaks=True).encode(), "8bit", "; format=flowed"),
    lambda text: (
        f'{_HEADER}Content-Type: multipart/mixed; boundary="=x="\n\n--=x=\nContent-Type: text/plain\n\nSee there.\n'
        f"--=x=\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=a.yaml\n"
        f"Content-Transfer-Encoding: base64\n\n{base64.encodebytes(text.encode()).decode()}\n--=x=--\n"
    ).encode(),
]
"""Mails that carry the text."""
