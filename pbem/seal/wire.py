"""SSH's binary fields: every text after its length in 4 bytes, big-endian (RFC 4251)."""

from __future__ import annotations


class Malformed(Exception):
    """Bytes that are not the expected fields. The caller turns it into a fault with words."""


def pack(*fields: bytes) -> bytes:
    """Fields one after the other, each after its length."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def first(data: bytes) -> tuple[bytes, bytes]:
    """First field, and the bytes after it."""
    size = int.from_bytes(data[:4], "big")
    if len(data) < 4 + size:
        raise Malformed
    return data[4 : 4 + size], data[4 + size :]


def unpack(data: bytes, count: int) -> list[bytes]:
    """Exactly so many fields, with nothing after them; raises `Malformed`."""
    fields = []
    for _ in range(count):
        field, data = first(data)
        fields.append(field)
    if data:
        raise Malformed
    return fields
