"""Form for plans: the plans of a letter line by line, and changes of a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.desk.draft import LETTER, Draft, mapping
from pbem.desk.opened import OpenedTable
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.documents.writing import Value, on_one_line, write
from pbem.paper.plans.data import Tactic
from pbem.paper.plans.files import PlanKey, load_plans, plan_keys
from pbem.plans.practice import PracticeWish
from pbem.player.plans import fight, practice_ground
from pbem.report.account import Voice, account_blocks, chapters
from pbem.report.blocks import blocks_data
from pbem.report.letters.plan_words import plan_words, preset_words
from pbem.seal.canonical import AnyTree, Tree

FOR = "for"


class PlanLine(Struct, frozen=True):
    """One plan of a letter."""

    kind: str
    entries: dict[str, str | dict[str, str]]
    """Text of each key of the plan. If a key has parts, the text of each part."""
    says: str
    """Effect of the plan in words; empty unless the plan belongs to a preset."""


class PlanSheet(Struct, frozen=True):
    """Plans of a letter, keys that a plan can have, and presets."""

    plans: dict[Power, tuple[PlanLine, ...]]
    keys: dict[str, tuple[PlanKey, ...]]
    presets: dict[str, str]
    """Effect of each preset, keyed by name."""


def plan_sheet(rules: GameRules, draft: Draft, powers: Sequence[Power], language: str) -> PlanSheet:
    """Return the form for some powers' plans in a letter; raises `Refused` if the letter cannot be read."""
    game = rules.terms.game
    orders = draft.orders()

    def line(plan: Mapping[str, Tree]) -> PlanLine:
        entries = {key: value_text(value) for key, value in plan.items() if key != FOR}
        return PlanLine(str(plan.get(FOR, "")), entries, plan_words(game, language, plan))

    plans = {power: tuple(map(line, plans_in(orders, power))) for power in powers}
    return PlanSheet(plans, plan_keys(game), preset_words(game, language).presets)


def value_text(value: Tree) -> str | dict[str, str]:
    """Return a value as one line of text. If the value has parts, return a line for each part."""
    return {key: on_one_line(part) for key, part in value.items()} if isinstance(value, dict) else on_one_line(value)


def plans_in(orders: Mapping[str, Tree], power: Power) -> list[dict[str, Tree]]:
    """Return a power's plans as a list, with an empty mapping for each plan that is no mapping."""
    found = mapping(orders.get(power)).get("plans")
    return [mapping(plan) for plan in (found if isinstance(found, list) else [found] if found else [])]


def replace_plans(draft: Draft, power: Power, plans: Sequence[Mapping[str, Tree]]) -> None:
    orders = draft.orders()
    orders[power] = {**mapping(orders.get(power)), "plans": [dict(plan) for plan in plans]}
    draft.become(draft.text_with_orders(orders))


def change_plan(draft: Draft, power: Power, number: int, key: str, text: str) -> None:
    """Write a text under a key of the plan with the index `number`, or under a part of a key (`key.part`). An empty
    text deletes the key. Raises `Refused` for a text that is no YAML value."""
    plans = plans_in(draft.orders(), power)
    name, _, part = key.partition(".")
    value: AnyTree = bare(read_yaml(f"value: {text}\n".encode(), LETTER)) if text.strip() else {}
    plan, written = plans[number], mapping(value).get("value")
    if part:
        written = tree_with_key(mapping(plan.get(name)), part, written) or None
    plans[number] = tree_with_key(plan, name, written)
    replace_plans(draft, power, plans)


def tree_with_key(tree: Mapping[str, Tree], key: str, value: Tree | None) -> dict[str, Tree]:
    """Return a mapping with a value under a key, or without the key if the value is None."""
    if value is None:
        return {one: each for one, each in tree.items() if one != key}
    return {**tree, key: value}


def add_plan(draft: Draft, power: Power, kind: str) -> None:
    """Add a standing plan of a kind behind a power's other plans."""
    replace_plans(draft, power, [*plans_in(draft.orders(), power), {FOR: kind, "standing": "yes"}])


def plan_battle(draft: Draft, power: Power, city: str) -> None:
    """Put a plan for a power's battle from `city` before the power's other plans. Change nothing if the first plan is
    for this battle. Raises `Refused` for a draft that cannot be read."""
    plans = plans_in(draft.orders(), power)
    if not plans or (plans[0].get(FOR), plans[0].get("at")) != ("battle", city):
        replace_plans(draft, power, [{FOR: "battle", "at": city, "tactic": "win-cheaply"}, *plans])


def move_plan(draft: Draft, power: Power, number: int, to: int) -> None:
    """Move the plan with the index `number` to the index `to`; an index outside of the list deletes the plan."""
    plans = plans_in(draft.orders(), power)
    plan = plans.pop(number)
    if 0 <= to <= len(plans):
        plans.insert(to, plan)
    replace_plans(draft, power, plans)


def battle_account(opened: OpenedTable, draft: Draft, ground: PracticeWish, against: Tactic) -> list[dict[str, object]]:
    """Return the account of a practice battle (`ground`) with a power's plans against an enemy's tactic. Raises
    `Refused` for faulty plans."""
    rules = opened.table.rules
    terms = {"game": rules.terms.game, "scenario": rules.terms.scenario}
    plans: list[Value] = [*plans_in(draft.orders(), ground.power)]
    document: dict[str, Value] = {"plans": {ground.power: plans}}
    own = load_plans(write(document).encode(), LETTER, rules)
    practice = practice_ground(terms, own, ground, against)
    played = fight(*practice)
    return blocks_data(account_blocks(chapters(Voice(practice.table.rules, opened.language), played.events)))
