"""`pbem plan try`: what comes of a battle plan against another, before it is sealed; `preset` stands beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from pbem.cli.preset import preset_command
from pbem.cli.tables import kind_of
from pbem.console.options import as_json, language_option
from pbem.console.printing import print_json, tell
from pbem.console.refusals import fault_data, misuse, refusals
from pbem.console.surroundings import read_bytes
from pbem.engine.nouns import NO_POWER, Power, Suit
from pbem.engine.table import Table
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.plans.data import Plan
from pbem.paper.terms import STANDARD_GAME
from pbem.plans.practice import Played
from pbem.player.files import folder_of
from pbem.player.names import OPTIONS, new_table
from pbem.resources import games
from pbem.seal.canonical import AnyTree

if TYPE_CHECKING:
    from pbem.plans.practice import PracticeWish

Plans = Mapping[Power, Sequence[Plan]]

SUIT_HELP = "The suit of the sector where your generals stand."


@click.group("plan")
def plan_command() -> None:
    """Try battle plans, and take plans that are ready."""


plan_command.add_command(preset_command)


@plan_command.command("try")
@click.argument("plan")
@click.option(
    "--against", default="win", show_default=True, metavar="PLAN", help="The enemy's plan: a file, or a tactic."
)
@click.option("--position", metavar="FILE", help="Fight the combat that is due in this position, or in a report.yaml.")
@click.option("--score", type=int, help="Begin at this score, as your side counts it.")
@click.option("--suit", help=SUIT_HELP)
@click.option("--enemy-suit", help="The suit of the enemy's sector; if left out the same.")
@click.option("--hand", default="", help='Your cards, such as "♠10 ♠7 R".')
@click.option("--enemy-hand", default="", help="The enemy's cards.")
@click.option("--troops", type=click.IntRange(1), help="How many troops you have.")
@click.option("--defend", is_flag=True, help="You are attacked; otherwise you attack.")
@click.option(
    "--game", type=click.Choice(list(games())), default=STANDARD_GAME, show_default=True, help="The game of --score."
)
@language_option
@as_json
def try_command(plan: str, position: str | None, language: str, json_wanted: bool, **wishes: Any) -> None:
    """Play the battle plans in the file PLAN and tell what comes of it, card by card.

    Either a --position where a combat is due, with the hands that it has; or --score, --suit, --hand and --enemy-hand,
    and then a plan's own generals and cities do not matter. A report tells no cards but one's own, so --enemy-hand
    says which the enemy is to have.
    """
    if (position is None) == (wishes["score"] is None):
        raise click.UsageError(misuse("use-either", option="--position", other="--score, --suit"))
    if position is None and wishes["suit"] is None:
        raise click.UsageError(misuse("use-needs", option="--score", other="--suit"))
    if position and (wishes["hand"] or wishes["suit"]):
        raise click.UsageError(misuse("use-own-hands", option="--position"))
    with refusals(json_wanted):
        if position is None:
            table, own, enemy = on_practice_ground(plan, wishes)
        else:
            table, own, enemy = at_position(plan, position, wishes)
        played = fought(table, own, enemy)
        if json_wanted:
            print_json(played_data(table, played, plan))
        else:
            tell_played(table, played, plan, language)


def at_position(plan: str, position: str, wishes: dict[str, Any]) -> tuple[Table, Plans, Plans]:
    """The table of a position or report, and the plans of both sides."""
    from pbem.paper.plans.files import load_plans
    from pbem.paper.positions.files import load_position

    data = read_bytes(position)
    if is_report := kind_of(data) == "report":
        table = in_report(position, cards_of(wishes["enemy_hand"]))
    else:
        table = load_position(data, position, folder_of(position))
    if is_report != bool(wishes["enemy_hand"]):
        raise click.UsageError(misuse("use-enemy-hand" if is_report else "use-own-hands", option="--position"))
    own = load_plans(read_bytes(plan), plan, table.rules)
    return table, own, plans_against(table, wishes["against"], own)


def in_report(path: str, enemy_hand: Sequence[str]) -> Table:
    """The table of a report in the midst of a combat, where the enemy holds these cards."""
    from pbem.campaign.players.guidance import known_table, with_hand
    from pbem.cli.letters import guide

    found = guide(path)
    duel: AnyTree = found.position.get("duel") or {}
    foes = [duel[side] for side in ("attacker", "defender") if duel and duel[side] not in found.powers]
    if len(foes) != 1:
        raise Refused(path, [wrong("E-PLAN-GROUND.report")])
    return known_table(with_hand(found, foes[0], enemy_hand), path, folder_of(path))


def plans_against(table: Table, against: str, own: Plans) -> Plans:
    """The plans of a file, or a tactic for every power that has no plans."""
    from pbem.paper.plans.data import Tactic
    from pbem.paper.plans.files import load_plans
    from pbem.plans.practice import by_tactic

    if against in get_args(Tactic):
        return by_tactic([power for power in table.rules.powers if power not in own], against)  # type: ignore[arg-type]
    return load_plans(read_bytes(against), against, table.rules)


def on_practice_ground(plan: str, wishes: dict[str, Any]) -> tuple[Table, Plans, Plans]:
    """A table made for this combat, and the plans of both sides for the powers that fight there."""
    from pbem.paper.plans.files import load_plans
    from pbem.plans.practice import PracticeWish

    terms = {"game": wishes["game"]}
    own = load_plans(read_bytes(plan), plan, new_table(terms).rules)
    suits = [suit_named(wishes[key] or wishes["suit"]) for key in ("suit", "enemy_suit")]
    ground = PracticeWish(
        wishes["score"], suits[0], suits[1], cards_of(wishes["hand"]), cards_of(wishes["enemy_hand"]),
        next(iter(own), NO_POWER), not wishes["defend"], wishes["troops"],
    )  # fmt: skip
    return practice_ground(terms, own, ground, wishes["against"])


def practice_ground(
    terms: Mapping[str, str], own: Plans, ground: PracticeWish, against: str
) -> tuple[Table, Plans, Plans]:
    """The table of such a ground, and the plans of both sides."""
    from pbem.paper.documents.writing import write
    from pbem.paper.positions.files import load_position
    from pbem.plans.practice import loose, practice_position

    sides, document = practice_position(new_table(dict(terms)), ground)
    table = load_position(write({**terms, **document}).encode(), OPTIONS, Path())
    return table, loose(own, sides.own), loose(plans_against(table, against, {}), sides.enemy)


def suit_named(written: str) -> Suit:
    """A suit by its sign or name."""
    from pbem.paper.lexicon import SIGNS

    if written.casefold() not in SIGNS:
        raise click.UsageError(misuse("use-suit", written=as_quoted(written)))
    return SIGNS[written.casefold()]


def cards_of(written: str) -> tuple[str, ...]:
    """Cards between commas, or between spaces."""
    return tuple(card.strip() for card in re.split("," if "," in written else r"\s+", written) if card.strip())


def fought(table: Table, own: Plans, enemy: Plans) -> Played:
    """Play both sides' plans out."""
    from pbem.plans.practice import play_out
    from pbem.plans.sight import Tally
    from pbem.plans.source import PlanSource

    tally = Tally()
    return play_out(table, [PlanSource(table, own, tally), PlanSource(table, enemy, tally)], tally)


def played_data(table: Table, played: Played, plan: str) -> dict[str, object]:
    """What came of plans, for programs."""
    from pbem.report.telling import told_data

    return {
        "events": [told_data(table.rules, event) for event in played.events],
        "notes": [{"power": power, **fault_data(plan, fault)} for power, fault in played.notes],
        "waiting": [told_data(table.rules, decision) for decision in played.waiting],
    }


def tell_played(table: Table, played: Played, plan: str, language: str) -> None:
    """Print the account of the combat, and what plans could not do."""
    from pbem.report.account import account_blocks, chapters

    tell(account_blocks(chapters(table.rules, played.events, language)), gap=False)
    for power, fault in played.notes:
        click.echo(fault.told(f"{plan} ({power})"), err=True)
