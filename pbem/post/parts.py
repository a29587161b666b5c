"""Mails of which the large parts lie beside them as files, once for all readers, until they are sent as a whole."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.post.outgoing import Enclosure, Outgoing, eml

PART = "X-Pbem-Part"
"""The header that says where in the mail which file belongs."""

_PER_LINE = 57
"""So many bytes make one line of base64 in a mail."""

_LINE = re.compile(rb"X-Pbem-Part: (\d{1,9}) ([A-Za-z0-9_-][A-Za-z0-9._-]*)\r\n")


def mail_apart(letter: Outgoing, beside: Mapping[str, str]) -> bytes:
    """The mail without the enclosures that lie beside it: `beside` says under which names."""
    # Nobody who writes a part of the mail can guess what stands in place of another.
    marks = {each.name: os.urandom(_PER_LINE) for each in (*letter.pictures, *letter.attachments)}

    def marked(some: tuple[Enclosure, ...]) -> tuple[Enclosure, ...]:
        return tuple(replace(each, data=marks[each.name]) if each.name in beside else each for each in some)

    data = eml(replace(letter, pictures=marked(letter.pictures), attachments=marked(letter.attachments)))
    heads = []
    for name, mark in marks.items():
        if name in beside:
            before, _, behind = data.partition(lines_of(mark))
            heads.append(f"{PART}: {len(before)} {beside[name]}\r\n".encode())
            data = before + behind
    return b"".join(heads) + data


def lines_of(data: bytes) -> bytes:
    """Bytes as a mail has them."""
    pieces = (data[at : at + _PER_LINE] for at in range(0, len(data), _PER_LINE))
    return b"".join(base64.b64encode(piece) + b"\r\n" for piece in pieces)


def put_together(data: bytes, folder: Path) -> bytes:
    """The whole mail, with the files that lie beside it; one that is whole stays as it is."""
    places = []
    while found := _LINE.match(data):
        places.append((int(found[1]), found[2].decode()))
        data = data[found.end() :]
    for at, name in reversed(places):
        path = folder / name
        if not path.is_file() or path.is_symlink():
            raise Refused(name, [wrong("E-MAIL-PART", name=name)])
        data = data[:at] + lines_of(path.read_bytes()) + data[at:]
    return data
