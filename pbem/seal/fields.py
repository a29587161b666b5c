"""Fields under one hash: each behind its length, so that no two lists of fields give the same bytes."""

from __future__ import annotations

import hashlib


def length_prefixed(*fields: str | bytes) -> bytes:
    """Every field behind its length in bytes (8 bytes, big-endian); texts in UTF-8."""
    found = []
    for field in fields:
        data = field.encode() if isinstance(field, str) else field
        found.append(len(data).to_bytes(8, "big") + data)
    return b"".join(found)


def digest(*fields: str | bytes) -> bytes:
    """SHA-256 over the joined fields; the first of them names what is hashed, and the version."""
    return hashlib.sha256(length_prefixed(*fields)).digest()
