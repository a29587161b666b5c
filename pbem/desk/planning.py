"""Plans by form: what stands in a letter of them, line by line, and how a line is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.desk.draft import LETTER, Draft, mapping
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.documents.writing import Value, on_one_line, write
from pbem.paper.plans.data import Tactic
from pbem.paper.plans.files import PlanKey, load_plans, plan_keys
from pbem.plans.practice import CombatResult, PracticeWish
from pbem.player.plans import fight, practice_ground
from pbem.report.letters.plan_words import plan_words, preset_words
from pbem.seal.canonical import AnyTree, Tree

FOR = "for"


class PlanLine(Struct, frozen=True):
    """One plan of a letter."""

    kind: str
    entries: dict[str, str | dict[str, str]]
    """Texts of its keys as they are written, or of the keys below them."""
    says: str
    """Effect of the plan, if it is one of a preset's."""


class PlanSheet(Struct, frozen=True):
    """The plans of a letter, and what may stand in them."""

    plans: dict[Power, tuple[PlanLine, ...]]
    keys: dict[str, tuple[PlanKey, ...]]
    presets: dict[str, str]
    """Effects of presets, by name."""


def plan_sheet(rules: GameRules, draft: Draft, powers: Sequence[Power], language: str) -> PlanSheet:
    """The plans of a letter; raises `Refused` where it cannot be read."""
    game = rules.terms.game
    orders = draft.orders()

    def line(plan: Mapping[str, Tree]) -> PlanLine:
        entries = {key: in_words(value) for key, value in plan.items() if key != FOR}
        return PlanLine(str(plan.get(FOR, "")), entries, plan_words(game, language, plan))

    plans = {power: tuple(map(line, plans_in(orders, power))) for power in powers}
    return PlanSheet(plans, plan_keys(game), preset_words(game, language).presets)


def in_words(value: Tree) -> str | dict[str, str]:
    """Value of a key on one line, or in parts."""
    return {key: on_one_line(part) for key, part in value.items()} if isinstance(value, dict) else on_one_line(value)


def plans_in(orders: Mapping[str, Tree], power: Power) -> list[dict[str, Tree]]:
    """The plans of a power; what is none stays as an empty one."""
    found = mapping(orders.get(power)).get("plans")
    return [mapping(plan) for plan in (found if isinstance(found, list) else [found] if found else [])]


def with_plans(draft: Draft, power: Power, plans: Sequence[Mapping[str, Tree]]) -> None:
    """Replace the plans of a power in the draft."""
    orders = draft.orders()
    orders[power] = {**mapping(orders.get(power)), "plans": [dict(plan) for plan in plans]}
    draft.become(draft.with_orders(orders))


def change_plan(draft: Draft, power: Power, number: int, key: str, text: str) -> None:
    """Write something under a key of a plan, `key.part` for a part of it; nothing takes it out. Raises `Refused`."""
    plans = plans_in(draft.orders(), power)
    name, _, part = key.partition(".")
    value: AnyTree = bare(read_yaml(f"value: {text}\n".encode(), LETTER)) if text.strip() else {}
    plan, written = plans[number], mapping(value).get("value")
    if part:
        written = with_key(mapping(plan.get(name)), part, written) or None
    plans[number] = with_key(plan, name, written)
    with_plans(draft, power, plans)


def with_key(tree: Mapping[str, Tree], key: str, value: Tree | None) -> dict[str, Tree]:
    """A mapping with something under a key, or without the key."""
    if value is None:
        return {one: each for one, each in tree.items() if one != key}
    return {**tree, key: value}


def add_plan(draft: Draft, power: Power, kind: str) -> None:
    """Write a new plan behind all others."""
    with_plans(draft, power, [*plans_in(draft.orders(), power), {FOR: kind, "standing": "yes"}])


def move_plan(draft: Draft, power: Power, number: int, to: int) -> None:
    """Put a plan into another place of the list, or out of it where there is no such place."""
    plans = plans_in(draft.orders(), power)
    plan = plans.pop(number)
    if 0 <= to <= len(plans):
        plans.insert(to, plan)
    with_plans(draft, power, plans)


def battle_on_ground(
    rules: GameRules, draft: Draft, power: Power, ground: PracticeWish, against: Tactic
) -> tuple[GameRules, CombatResult]:
    """Fight a battle on a ground that is made for it, by the plans of a power; raises `Refused`."""
    terms = {"game": rules.terms.game, "scenario": rules.terms.scenario}
    plans: list[Value] = [*plans_in(draft.orders(), power)]
    document: dict[str, Value] = {"plans": {power: plans}}
    own = load_plans(write(document).encode(), LETTER, rules)
    table, *both = practice_ground(terms, own, ground, against)
    return table.rules, fight(table, *both)
