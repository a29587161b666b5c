"""SSH's binary fields: every text behind its length in 4 bytes, big-endian (RFC 4251)."""

from __future__ import annotations


class Malformed(Exception):
    """Bytes that are not the fields they should be; the reader of the whole says it in words."""


def packed(*fields: bytes) -> bytes:
    """The fields one after the other, each behind its length."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def first(data: bytes) -> tuple[bytes, bytes]:
    """The first field and what follows it."""
    size = int.from_bytes(data[:4], "big")
    if len(data) < 4 + size:
        raise Malformed
    return data[4 : 4 + size], data[4 + size :]


def unpacked(data: bytes, count: int) -> list[bytes]:
    """Exactly so many fields, with nothing behind them."""
    fields = []
    for _ in range(count):
        field, data = first(data)
        fields.append(field)
    if data:
        raise Malformed
    return fields
