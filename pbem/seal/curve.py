"""Check of public keys of Ed25519: 32 bytes that are a point of the curve, not of small order, in the only spelling.

With a point of small order as key, one signature fits many messages, and everybody can open a sealed text. Such a key
proves nothing, and libraries do not refuse it.
"""

from __future__ import annotations

from functools import lru_cache

_PRIME = 2**255 - 19
_D = -121665 * pow(121666, -1, _PRIME) % _PRIME
_ORDER_EIGHT = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL = {0, 1, _PRIME - 1, _ORDER_EIGHT, _PRIME - _ORDER_EIGHT}
"""y coordinates of the eight points whose order divides 8."""


@lru_cache(maxsize=256)
def is_sound(key: bytes) -> bool:
    """True if these 32 bytes can be the public key of an honest pair."""
    y = int.from_bytes(key, "little") & (2**255 - 1)
    if y >= _PRIME or y in _SMALL:
        return False
    numerator, denominator = y * y - 1, _D * y * y + 1
    # The curve has a point with this y if numerator / denominator is a square. Then their product is one, too (Euler).
    return pow(numerator * denominator, (_PRIME - 1) // 2, _PRIME) == 1
