"""The public state file: what everybody may know of the present moment, with the head of the ledger it follows from."""

from __future__ import annotations

from pbem.campaign.ledger.chain import Head
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import as_texts, texts
from pbem.paper.documents.writing import Value, write

FORMAT = 1
"""The format of the state file."""


def state_text(public: PublicState, head: Head) -> str:
    document: dict[str, Value] = {
        "pbem": 1,
        "kind": "state",
        "format": FORMAT,
        "campaign": public.settings.campaign,
        "version": public.version,
        "head": {"entry": head.number, "hash": head.hash},
        "phase": public.phase,
        "players": {player: texts({"name": who.name, "key": who.key}) for player, who in public.players.items()},
    }
    if public.next:
        document["next"] = as_texts(public.next)
        document["deadline"] = public.deadline
        document["letters"] = {player: as_texts(pending) for player, pending in public.pending.items()}
    return write(document)
