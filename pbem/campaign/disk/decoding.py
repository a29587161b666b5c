"""JSON of the program's own files, in which somebody else may have written: a typed value, or a refusal in words."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from pbem.paper.documents.faults import Fault, Refused

T = TypeVar("T")


def decoded(data: bytes, kind: type[T], source: str, code: str) -> T:
    """The value that the file called `source` holds; raises `Refused`, also for nesting without end."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        message = " ".join(str(error).split())[:200]
        raise Refused(source, [Fault(code, f"the file is damaged: {message}", 1, 1)]) from None
