"""Opens the sealed parts of a letter, and holds them to what was committed to."""

from __future__ import annotations

import re

from pbem.campaign.letters.letterbox import OpenedPart, entry_of, opens, parts_of
from pbem.campaign.letters.verdicts import LetterVerdict, Opener
from pbem.campaign.play.secret_state import SecretState
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import Node
from pbem.paper.letters import Letter
from pbem.seal.commitment import Slot
from pbem.seal.faults import SealFault

_HEX = re.compile("[0-9a-f]{64}")
_SLOT = re.compile("[a-z0-9][a-z0-9-]{0,39}")


def sealed_parts(
    state: SecretState, letter: Letter, verdict: LetterVerdict, opener: Opener
) -> tuple[dict[str, str], dict[str, OpenedPart]]:
    """The commitments of the sealed parts, and what those say that the moderator may open now."""
    slots: dict[str, str] = {}
    opened: dict[str, OpenedPart] = {}
    node = entry_of(letter.body, "sealed")
    if node is not None and not isinstance(node, strict.Mapping):
        verdict.refuse("E-SEAL-FORM", "what is sealed must be written as `slot:` with its parts below it", node)
    for slot, part in parts_of(letter).items():
        box = part.get("box", "") if isinstance(part, dict) else ""
        commitment = part.get("commitment", "") if isinstance(part, dict) else ""
        if not _SLOT.fullmatch(slot) or not isinstance(commitment, str) or not _HEX.fullmatch(commitment):
            verdict.refuse(
                "E-SEAL-FORM", f"the sealed part {as_quoted(slot)} is damaged", node, "`pbem seal` writes it"
            )
            continue
        slots[slot] = commitment
        if state.public.settings.conduct.sealing == "reveal":
            if box:
                verdict.refuse("E-SEAL-BOX", "in this campaign nobody opens sealed parts before all have sealed", node)
            continue
        try:
            opened[slot] = unsealed(opener(str(box)))
        except SealFault as fault:
            verdict.refuse(
                fault.code, f"the sealed part {slot} cannot be opened", node, "seal it to the moderator's key"
            )
            continue
        except (Refused, ValueError):
            verdict.refuse("E-SEAL-FORM", f"nobody can read what the sealed part {slot} says", node, "seal it again")
            continue
        if not opens(opened[slot], commitment, Slot(state.name, letter.stage, letter.sender, slot)):
            refuse_opening(verdict, slot, node, "a part cannot be taken over from another letter")
    return slots, opened


def unsealed(plain: bytes) -> OpenedPart:
    """The salt and the content of a box; raises `Refused` or `ValueError` for anything else."""
    tree: object = strict.plain(strict.read(plain, "sealed part"))
    if not isinstance(tree, dict) or set(tree) != {"salt", "body"} or not isinstance(tree["salt"], str):
        raise ValueError("a sealed part has a salt and a body")
    return OpenedPart(tree["salt"], tree["body"])


def refuse_opening(verdict: LetterVerdict, slot: str, node: Node | None, hint: str) -> None:
    """Refuse a part that is not the one that was committed to."""
    message = f"the sealed part {slot} is not the one that its commitment stands for"
    verdict.refuse("E-SEAL-COMMITMENT", message, node, hint)
