"""Opens the sealed parts of a letter, and holds them to what was committed to."""

from __future__ import annotations

import re

from msgspec.structs import replace

from pbem.campaign.letters.letterbox import OpenedPart, entry_of, opens, parts_of
from pbem.campaign.letters.verdicts import BoxOpener, LetterVerdict
from pbem.campaign.play.secret_state import SecretState
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.letters import Letter
from pbem.seal.commitment import Slot
from pbem.seal.faults import SealFault

_HEX = re.compile("[0-9a-f]{64}")
_SLOT = re.compile("[a-z0-9][a-z0-9-]{0,39}")


def sealed_parts(
    state: SecretState, letter: Letter, verdict: LetterVerdict, opener: BoxOpener
) -> tuple[dict[str, str], dict[str, OpenedPart]]:
    """The commitments of the sealed parts, and what those say that the moderator may open now."""
    slots: dict[str, str] = {}
    opened: dict[str, OpenedPart] = {}
    node = entry_of(letter.body, "sealed")
    if node is not None and not isinstance(node, strict.MappingNode):
        verdict.refuse(wrong("E-SEAL-FORM.mapping"), node=node)
    for slot, part in parts_of(letter).items():
        box = part.get("box", "") if isinstance(part, dict) else ""
        commitment = part.get("commitment", "") if isinstance(part, dict) else ""
        if not _SLOT.fullmatch(slot) or not isinstance(commitment, str) or not _HEX.fullmatch(commitment):
            verdict.refuse(wrong("E-SEAL-FORM.damaged", slot=as_quoted(slot)), node=node)
            continue
        slots[slot] = commitment
        if state.public.settings.conduct.sealing == "reveal":
            if box:
                verdict.refuse(wrong("E-SEAL-BOX"), node=node)
            continue
        try:
            opened[slot] = unsealed(opener(str(box)))
        except SealFault as fault:
            shut = words("sealed-and-shut", slot=slot)
            verdict.refuse(replace(fault.wrong, message=shut, hint=words("seal-to-moderator")), node=node)
            continue
        except (Refused, ValueError):
            verdict.refuse(wrong("E-SEAL-FORM.unread", slot=slot), node=node)
            continue
        if not opens(opened[slot], commitment, Slot(state.name, letter.stage, letter.sender, slot)):
            verdict.refuse(wrong("E-SEAL-COMMITMENT", slot=slot), node=node)
    return slots, opened


def unsealed(plain: bytes) -> OpenedPart:
    """The salt and the content of a box; raises `Refused` or `ValueError` for anything else."""
    tree: object = strict.bare(strict.read_yaml(plain, "sealed part"))
    if not isinstance(tree, dict) or set(tree) != {"salt", "body"} or not isinstance(tree["salt"], str):
        raise ValueError("a sealed part has a salt and a body")
    return OpenedPart(tree["salt"], tree["body"])
