"""The public state file: what everybody may know of the present moment, with the head of the ledger it follows from."""

from __future__ import annotations

from pbem.campaign.ledger.chain import Head
from pbem.campaign.ledger.records import texts, told
from pbem.campaign.ledger.register import Register
from pbem.paper.documents.writing import Value, write

FORMAT = 1
"""The format of the state file."""


def state_text(register: Register, head: Head) -> str:
    """The file."""
    document: dict[str, Value] = {
        "pbem": 1,
        "kind": "state",
        "format": FORMAT,
        "campaign": register.settings.campaign,
        "version": register.version,
        "head": {"entry": head.number, "hash": head.hash},
        "phase": register.phase,
        "players": {player: texts({"name": who.name, "key": who.key}) for player, who in register.players.items()},
    }
    if register.next:
        document["next"] = told(register.next)
        document["deadline"] = register.deadline
        document["letters"] = {player: told(pending) for player, pending in register.pending.items()}
    return write(document)
