"""Trial of plans in a combat, and plans of presets. The combat is one that is due in a position, or one that options
describe (a practice ground)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

from msgspec import Struct

from pbem.campaign.players.guidance import with_hand
from pbem.campaign.players.known_position import known_table, rules_of
from pbem.engine.nouns import NO_POWER, Power, Suit
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import WrongUse, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.writing import write
from pbem.paper.lexicon import SIGNS
from pbem.paper.plans.data import Plan, Tactic
from pbem.paper.plans.files import load_plans
from pbem.paper.positions.files import load_position
from pbem.plans.practice import CombatResult, PracticeWish, by_tactic, play_out, practice_position, unbound_plans
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource
from pbem.player.files import GivenFile
from pbem.player.letters import guide, plan_head
from pbem.player.names import OPTIONS, new_table, powers_of, preset_meant
from pbem.player.tables import kind_of
from pbem.report.letters.sheet import preset_text
from pbem.report.telling import told_data
from pbem.seal.canonical import AnyTree

Plans = Mapping[Power, Sequence[Plan]]


Against = Tactic | GivenFile
"""Tactic or file with plans that the enemy follows."""


class CombatWish(Struct, frozen=True):
    """Combat that options describe: the score before the first card, the suits and cards of both sides, and the troops
    on the player's side."""

    score: int | None
    suit: str | None
    enemy_suit: str | None
    hand: str
    enemy_hand: str
    troops: int | None
    defend: bool


class FoughtCombat(Struct, frozen=True):
    """Result of a combat that plans have fought, and the table on which it was fought."""

    table: Table
    played: CombatResult


def fight_at(position: GivenFile, plan: GivenFile, enemy_hand: str, against: Against) -> FoughtCombat:
    """Fight the combat that is due in a position or report, with the plans of both sides. `enemy_hand` has the enemy's
    cards: it must be given for a report, which does not tell them, and must be empty for a position. Otherwise
    `WrongUse` is raised. Raises `Refused` for faulty files."""
    if is_report := kind_of(position.data) == "report":
        table = table_in_combat(position, cards_of(enemy_hand))
    else:
        table = load_position(position.data, position.source, position.folder)
    if is_report != bool(enemy_hand):
        raise WrongUse(wrong("use-enemy-hand" if is_report else "use-own-hands", option="--position"))
    own = load_plans(plan.data, plan.source, table.rules)
    return FoughtCombat(table, fight(table, own, plans_against(table, against, own)))


def tactic_named(written: str) -> Tactic | None:
    return next((tactic for tactic in get_args(Tactic) if tactic == written), None)


def table_in_combat(report: GivenFile, enemy_hand: Sequence[str]) -> Table:
    """Return the table of a report. The given cards are in the hand of the reader's enemy in the present combat. Raises
    `Refused` if the reader is in no combat with another player."""
    found = guide(report)
    duel: AnyTree = found.position.get("duel") or {}
    foes = [duel[side] for side in ("attacker", "defender") if duel and duel[side] not in found.powers]
    if len(foes) != 1:
        raise Refused(report.source, [wrong("E-PLAN-GROUND.report")])
    return known_table(with_hand(found, foes[0], enemy_hand), report.source, report.folder)


def plans_against(table: Table, against: Against, own: Plans) -> Plans:
    """Return the enemy's plans. If `against` is a file, they are read from the file. If it is a tactic, it becomes the
    plan of every power that has no plans in `own`."""
    if isinstance(against, GivenFile):
        return load_plans(against.data, against.source, table.rules)
    return by_tactic([power for power in table.rules.powers if power not in own], against)


def fight_on_ground(game: str, plan: GivenFile, wish: CombatWish, against: Against) -> FoughtCombat:
    """Fight a combat on a practice ground, with the plans of both sides. Raises `Refused` for faulty plans, `WrongUse`
    for an unknown suit."""
    terms = {"game": game}
    own = load_plans(plan.data, plan.source, new_table(terms).rules)
    assert wish.score is not None
    assert wish.suit is not None
    suits = [suit_named(written or wish.suit) for written in (wish.suit, wish.enemy_suit)]
    ground = PracticeWish(
        wish.score, suits[0], suits[1], cards_of(wish.hand), cards_of(wish.enemy_hand),
        next(iter(own), NO_POWER), not wish.defend, wish.troops,
    )  # fmt: skip
    practice = practice_ground(terms, own, ground, against)
    return FoughtCombat(practice.table, fight(*practice))


class PracticeGround(NamedTuple):
    """Table of a practice combat, and the plans of both sides."""

    table: Table
    own: Plans
    enemy: Plans


def practice_ground(terms: Mapping[str, str], own: Plans, ground: PracticeWish, against: Against) -> PracticeGround:
    """Return a practice ground. Each side gets the plans that its file has for the file's first power."""
    sides, document = practice_position(new_table(dict(terms)), ground)
    table = load_position(write({**terms, **document}).encode(), OPTIONS, Path())
    enemy = unbound_plans(plans_against(table, against, {}), sides.enemy)
    return PracticeGround(table, unbound_plans(own, sides.own), enemy)


def suit_named(written: str) -> Suit:
    """Return the suit that has this sign or name. Raises `WrongUse` if there is none."""
    if written.casefold() not in SIGNS:
        raise WrongUse(wrong("use-suit", written=as_quoted(written)))
    return SIGNS[written.casefold()]


def cards_of(written: str) -> tuple[str, ...]:
    """Return the cards in a text. They may be separated by commas or spaces."""
    return tuple(card.strip() for card in re.split("," if "," in written else r"\s+", written) if card.strip())


def fight(table: Table, own: Plans, enemy: Plans) -> CombatResult:
    """Play a combat to its end with the plans of both sides, and return the result."""
    tally = Tally()
    return play_out(table, [PlanSource(table, own, tally), PlanSource(table, enemy, tally)], tally)


def combat_data(found: FoughtCombat, plan: str, language: str) -> dict[str, object]:
    """Return the result of a combat, for JSON."""
    rules, played = found.table.rules, found.played
    return {
        "events": [told_data(rules, event) for event in played.events],
        "notes": [{"power": power, "file": plan, **fault.data(language)} for power, fault in played.notes],
        "waiting": [told_data(rules, decision) for decision in played.waiting],
    }


class PresetPlans(Struct, frozen=True):
    """Plans of a preset, as the text of a plan file or of a letter."""

    preset: str
    powers: tuple[Power, ...]
    text: str
    game: str


def preset_plans(
    preset: str, report: GivenFile | None, who: str | None, terms: Mapping[str, str], language: str
) -> PresetPlans:
    """Return the plans of a preset for `who`, the name of a power or a seat. If `who` is None, they are for the powers
    that the report or invitation names, or else for all powers. If there is no report, `terms` say which game it is."""
    whom = preset_target(report, who, terms)
    name = preset_meant(preset, whom.rules.terms.game, "PRESET")
    text = preset_text(whom.rules, name, whom.powers, language, whom.head)
    return PresetPlans(name, tuple(whom.powers), text, whom.rules.terms.game)


class PresetTarget(Struct, frozen=True):
    """Powers that get the plans, and the rules of the game. If the plans are written as a letter, `head` is the head of
    the letter."""

    rules: GameRules
    powers: Sequence[Power]
    head: dict[str, str | int] | None = None


def preset_target(report: GivenFile | None, who: str | None, terms: Mapping[str, str]) -> PresetTarget:
    """Return the powers that get the plans, and the rules of the game. If there is a report, also return the head for a
    letter with the plans. `who` is the name of a power or a seat; None for the powers that the report or invitation
    names, or else for all powers. `terms` say which game it is if there is no report. Raises `Refused` for a faulty
    report."""
    if report is None:
        rules = new_table(terms).rules
        return PresetTarget(rules, powers_of(rules, who))
    seen = guide(report)
    if seen.kind == "invitation":
        rules = rules_of(seen.terms)
        return PresetTarget(rules, powers_of(rules, who or seen.seat or None))
    rules = known_table(seen, report.source, report.folder).rules
    powers = [power for power in seen.powers if who is None or power in powers_of(rules, who)]
    return PresetTarget(rules, powers, plan_head(seen.campaign, seen.seat, seen.stage, seen.basis, seen.next_seq))
