"""E-mail addresses as people and mails give them."""

from __future__ import annotations

import re

_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_DOMAIN = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
_ADDRESS = re.compile(rf"{_LOCAL}@{_DOMAIN}")
_LONGEST = 254
_LONGEST_LOCAL = 64


def is_address(text: str) -> bool:
    """True if a mail can be sent there: one address, plain ASCII, without a name or anything else."""
    if len(text) > _LONGEST or text.find("@") > _LONGEST_LOCAL:
        return False
    # Words that are encoded for headers are decoded in addresses as well by the library for mail, which then fails.
    return "=?" not in text and bool(_ADDRESS.fullmatch(text))
