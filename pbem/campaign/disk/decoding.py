"""JSON of the program's own files, in which somebody else may have written: a typed value, or a refusal in words."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused

T = TypeVar("T")


def json_value(data: bytes, kind: type[T], source: str, wording: str) -> T:
    """The value that the file called `source` holds; raises `Refused`, also for nesting without end."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(source, [wrong(wording, why=" ".join(str(error).split())[:200])]) from None
