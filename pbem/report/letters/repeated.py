"""Data by which a receipt repeats a letter as it was read: orders, plans and sealed parts, and the orders that it
replaces."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import asdict

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import MOVING, LetterRecord, Record
from pbem.campaign.letters.letterbox import HeldLetter, ahead_summaries, entry_of, orders_of
from pbem.campaign.play.adjudicating import Receipt
from pbem.paper.agreements import is_over
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode, Node, SequenceNode, Text, bare
from pbem.paper.documents.writing import on_one_line
from pbem.paper.letters import Letter
from pbem.paper.library import game_of_terms
from pbem.paper.orders.files import orders_by
from pbem.report.blocks import common_in_words
from pbem.report.letters.entries import Facts, motion_data, motion_in
from pbem.report.letters.plan_words import own_plan_words
from pbem.seal.canonical import Tree

UNREPEATED = {"join": ("deal", "token", "key", "entropy"), "key-change": ("proof",)}
"""Keys of a letter's body that a receipt does not repeat, because their values say nothing to the letter's writer. They
are given for each kind of letter."""

SECRET_KINDS = ("reveal",)
"""Kinds of letters whose body a receipt does not repeat. These letters reveal something that was sealed, and a receipt
may be sent without a seal."""


def repeated_data(campaign: Campaign, receipt: Receipt, kind: str, language: str) -> Facts:
    """Return what a letter says: its body, its plans and its orders for later stages in words, its sealed parts, and
    the proposal on which it votes. `kind` is the kind of the letter, or empty if the receipt must not repeat it."""
    settings, held, letter = campaign.public.settings, receipt.verdict.held, receipt.verdict.letter
    echo = echo_of(campaign, letter, language) if held and letter else {}
    sealed = sealed_parts_in(letter, held) if held and letter else []
    is_vote = receipt.status == "final" and letter is not None and letter.kind == "vote"
    return {
        "is_hidden": settings.conduct.sealing == "reveal" and bool(sealed),
        "echo": echo,
        "motion": motion_of(campaign, receipt) if is_vote else {},
        "plans": plans_told(echo, kind, game_of_terms(settings.terms), language),
        "ends_with_stage": has_plans_of_stage(echo),
        "ahead": ahead_in_open(campaign, letter) if held and letter else [],
        "sealed": sealed,
    }


def replaced_data(campaign: Campaign, receipt: Receipt | None) -> Facts:
    """Return as `replaces` the number of the earlier orders that a letter replaces, and as `left_out` their sections
    for which the letter has no orders. The number is 0 if the letter replaces none or has no orders. Sealed orders are
    left out."""
    taken, letter = (receipt.verdict.record, receipt.verdict.letter) if receipt else (None, None)
    if receipt is None or letter is None or not isinstance(taken, LetterRecord) or taken.kind != "orders":
        return {"replaces": 0, "left_out": []}
    for number in range(receipt.entry - 1, 0, -1):
        record = record_in(entry := campaign.ledger.read(number))
        if entry.kind in MOVING:
            break
        if isinstance(record, LetterRecord) and (record.player, record.kind) == (taken.player, "orders"):
            before = sections_in(campaign.state.letters(number).letter)
            now = sections_in(letter)
            gone = {
                power: [each for each in found if each not in now.get(power, ())] for power, found in before.items()
            }
            left_out = [{"power": power, "sections": sections} for power, sections in gone.items() if sections]
            return {"replaces": record.seq, "left_out": left_out}
    return {"replaces": 0, "left_out": []}


def sections_in(letter: Letter) -> dict[str, list[str]]:
    """Return the sections of the orders in a letter, by power."""
    node = entry_of(letter.body, "orders")
    orders = bare(node) if node else None
    blocks = orders.items() if isinstance(orders, dict) else ()
    return {power: [*block] for power, block in blocks if isinstance(block, dict)}


def motion_of(campaign: Campaign, receipt: Receipt) -> dict[str, str]:
    """Return `player`, `subject` and `about` of the proposal on which the letter votes. Return an empty dict if the
    letter was refused, or is no vote."""

    def known(entry: int) -> Record:
        return record_in(campaign.ledger.read(entry))

    motion = motion_in(known(receipt.entry), known) if receipt.entry else None
    return motion_data(motion) if motion else {}


def echo_of(campaign: Campaign, letter: Letter, language: str) -> dict[str, Tree]:
    """Return the body of a letter as the moderator's program understood it, with the names of the language. Sealed and
    secret parts are left out. Return an empty dict for the kinds in `SECRET_KINDS`."""
    body = as_understood(letter.body, names_in(campaign, letter, language))
    if letter.kind in SECRET_KINDS or not isinstance(body, dict):
        return {}
    left_out = ("sealed", *UNREPEATED.get(letter.kind, ()))
    return {key: value for key, value in body.items() if key not in left_out}


NamesByPlace = Mapping[tuple[int, int], tuple[str, str]]
"""Names in a letter, from their line and column: each as written and as understood."""


def names_in(campaign: Campaign, letter: Letter, language: str) -> NamesByPlace:
    """Return the names of cities and generals in the open orders of a letter."""
    if (table := campaign.state.table) is None or letter.kind not in ("orders", "plan"):
        return {}
    orders_by(reader := Reader("letter"), orders_of(letter, {}), table.rules)
    common = table.rules.common
    cities = zip(common.board.cities, common_in_words(common, language).board.cities, strict=True)
    called = {city.name: in_words.name for city, in_words in cities}
    return {place: (written, called.get(name, name)) for place, (written, name) in reader.named.items()}


def as_understood(node: Node, names: NamesByPlace) -> Tree:
    """Return a node as plain strings, lists and dicts, with each name as it was understood."""
    match node:
        case Text():
            return with_names(node.value, node.line, node.column + node.quoted, names)
        case SequenceNode():
            return [as_understood(item, names) for item in node.items]
        case MappingNode():
            told = [with_names(key, *node.places[key], names) for key in node.items]
            # Two spellings of one name stay as they were written: otherwise one of them would be missing.
            keys = told if len({*told}) == len(told) else node.items
            return {key: as_understood(value, names) for key, value in zip(keys, node.items.values(), strict=True)}


def with_names(text: str, line: int, column: int, names: NamesByPlace) -> str:
    """Return a text, which begins at a line and a column, with each name in it as it was understood."""
    inside = ((at - column, *name) for (of_line, at), name in names.items() if of_line == line and at >= column)
    for at, written, name in sorted(inside, reverse=True):
        if text.startswith(written, at):
            text = text[:at] + name + text[at + len(written) :]
    return text


def plans_told(echo: Mapping[str, Tree], kind: str, game: str, language: str) -> list[dict[str, object]]:
    """Return the plans of each power, with a line for each plan. `echo` is the part of the letter that the receipt
    repeats, `kind` the letter's kind. Presets, and tactics for all battles, are described in words. Other plans are
    told as written."""
    orders = echo.get("orders")
    found: list[dict[str, object]] = []
    for power, block in orders.items() if isinstance(orders, dict) else ():
        plans = block.get("plans") if isinstance(block, dict) else None
        each = [plan for plan in plans if isinstance(plan, dict)] if isinstance(plans, list) else []
        if each:
            lines = [own_plan_words(game, language, plan, kind != "orders") or on_one_line(plan) for plan in each]
            found.append({"power": power, "lines": lines})
    return found


def has_plans_of_stage(echo: Mapping[str, Tree]) -> bool:
    """True if the orders of a letter contain a plan that counts only in one stage."""
    orders = echo.get("orders")
    blocks = orders.values() if isinstance(orders, dict) else ()
    listed = [block.get("plans") for block in blocks if isinstance(block, dict)]
    plans = [plan for each in listed if isinstance(each, list) for plan in each if isinstance(plan, dict)]
    return any(str(plan.get("standing", "no")).casefold() != "yes" for plan in plans)


def ahead_in_open(campaign: Campaign, letter: Letter) -> list[dict[str, object]]:
    """Return a summary of the orders given in advance in a letter of orders or plans. Sealed orders and stages that are
    over are left out. Return an empty list for any other letter."""
    table, public = campaign.state.table, campaign.public
    if table is None or public.next is None or public.phase != "running" or letter.kind not in ("orders", "plan"):
        return []
    blocks = ahead_summaries(entry_of(letter.body, "orders"))
    still = [block for block in blocks if not is_over(table.rules, block.stage, public.next.stage)]
    return [asdict(block) | {"sections": list(block.sections)} for block in still]


def sealed_parts_in(letter: Letter, held: HeldLetter) -> list[dict[str, object]]:
    """Return the name and commitment of each sealed part of a letter. `opened` is true if the moderator could open the
    part."""
    body = bare(letter.body)
    parts = body.get("sealed", {}) if isinstance(body, dict) else {}
    return [
        {"slot": slot, "commitment": part.get("commitment", ""), "opened": slot in held.opened}
        for slot, part in (parts.items() if isinstance(parts, dict) else ())
        if isinstance(part, dict)
    ]
