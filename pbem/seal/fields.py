"""Hashes over several fields: each field has its length before it, so different lists give different bytes."""

from __future__ import annotations

import hashlib


def length_prefixed(*fields: str | bytes) -> bytes:
    """Every field after its length in bytes (8 bytes, big-endian); texts in UTF-8."""
    found = []
    for each in fields:
        data = each.encode() if isinstance(each, str) else each
        found.append(len(data).to_bytes(8, "big") + data)
    return b"".join(found)


def digest(*fields: str | bytes) -> bytes:
    """SHA-256 over the fields. The first one names the subject and its version."""
    return hashlib.sha256(length_prefixed(*fields)).digest()
