"""The answer to a letter as data: what became of it, what was understood, what is missing, and every fault."""

from __future__ import annotations

from msgspec.structs import asdict

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.timestamps import parse_moment
from pbem.campaign.clock.timing import orders_now
from pbem.campaign.letters.letterbox import HeldLetter, ahead_told, entry_of
from pbem.campaign.letters.order_states import state_of
from pbem.campaign.play.adjudicating import Receipt
from pbem.paper.documents.faults import MOST_FAULTS
from pbem.paper.documents.strict import bare
from pbem.paper.letters import Letter
from pbem.paper.terms import game_of_terms
from pbem.report.letters.heads import FORMAT, moderator_data, spoken
from pbem.report.letters.times import when
from pbem.seal.canonical import Tree

UNREPEATED = {"join": ("deal", "token", "key", "entropy"), "key-change": ("proof",)}
"""What of a letter says nothing to who has written it."""

SECRET_KINDS = ("reveal",)
"""Letters whose content is not repeated: it was sealed, and a receipt may travel in the open."""


def receipt_data(campaign: Campaign, receipt: Receipt) -> dict[str, object]:
    """What the moderator answers to a letter."""
    public, verdict = campaign.public, receipt.verdict
    who = public.players.get(receipt.player)
    language = spoken(who.language or "en" if who else "en")
    held, letter = verdict.held, verdict.letter
    sealed = sealed_in(letter, held) if held and letter else []
    return {
        "format": FORMAT,
        "kind": "receipt",
        "language": language,
        "campaign": public.settings.campaign,
        "game": game_of_terms(public.settings.terms),
        "player": receipt.player,
        "name": who.name if who else "",
        "moderator": moderator_data(public.settings, public.moderator),
        "letter": receipt.letter,
        "raw": receipt.raw,
        "letter_kind": letter.kind if held and letter else "",
        "seq": letter.seq if held and letter else 0,
        "stage": public.next.stage if public.next else "",
        "status": receipt.status,
        "acted": verdict.acted,
        "entry": receipt.entry,
        "head": {"entry": campaign.vault.entry, "hash": campaign.vault.hash},
        "deadline": when(parse_moment(public.deadline), public.settings.clock) if public.deadline else None,
        "missing": list(verdict.missing),
        "is_hidden": public.settings.conduct.sealing == "reveal" and bool(sealed),
        "owed": owed_now(campaign, receipt.player),
        "echo": echo_of(letter) if held and letter else {},
        "ahead": ahead_in_open(letter) if held and letter else [],
        "sealed": sealed,
        "faults": [fault.data(language) | {"warns": fault.is_warning} for fault in verdict.faults[:MOST_FAULTS]],
    }


def owed_now(campaign: Campaign, player: str) -> list[dict[str, str]]:
    """How the orders of each of the player's powers stand now."""
    return [
        {"power": orders.power, "state": state_of(orders)} for orders in orders_now(campaign) if orders.player == player
    ]


def echo_of(letter: Letter) -> dict[str, Tree]:
    """The body of a letter as it was understood, without what is sealed."""
    body = bare(letter.body)
    if letter.kind in SECRET_KINDS or not isinstance(body, dict):
        return {}
    left_out = ("sealed", *UNREPEATED.get(letter.kind, ()))
    return {key: value for key, value in body.items() if key not in left_out}


def ahead_in_open(letter: Letter) -> list[dict[str, object]]:
    """What stands in the open of a letter for later stages."""
    blocks = ahead_told(entry_of(letter.body, "orders")) if letter.kind in ("orders", "plan") else []
    return [asdict(block) | {"sections": list(block.sections)} for block in blocks]


def sealed_in(letter: Letter, held: HeldLetter) -> list[dict[str, object]]:
    """The sealed parts of a letter: that they are there, and whether they could be opened."""
    body = bare(letter.body)
    parts = body.get("sealed", {}) if isinstance(body, dict) else {}
    return [
        {"slot": slot, "commitment": part.get("commitment", ""), "opened": slot in held.opened}
        for slot, part in (parts.items() if isinstance(parts, dict) else ())
        if isinstance(part, dict)
    ]
