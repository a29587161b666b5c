"""`pbem plan try`: what comes of a battle plan against another, before it is sealed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import click

from pbem.cli.common import OPTIONS, as_json, fault_data, folder_of, new_table, print_json, read_bytes, refusals

Plans = Mapping[str, Sequence[Any]]

SUIT_HELP = "The suit of the sector where your generals stand."


@click.group("plan")
def plan_command() -> None:
    """Try battle plans."""


@plan_command.command("try")
@click.argument("plan")
@click.option(
    "--against", default="win", show_default=True, metavar="PLAN", help="The enemy's plan: a file, or a tactic."
)
@click.option("--position", metavar="FILE", help="Fight the combat that is due in this position.")
@click.option("--score", type=int, help="Begin at this score, as your side counts it.")
@click.option("--suit", help=SUIT_HELP)
@click.option("--enemy-suit", help="The suit of the enemy's sector; if left out the same.")
@click.option("--hand", default="", help='Your cards, such as "♠10 ♠7 R".')
@click.option("--enemy-hand", default="", help="The enemy's cards.")
@click.option("--troops", type=click.IntRange(1), help="How many troops you have.")
@click.option("--defend", is_flag=True, help="You are attacked; otherwise you attack.")
@click.option("--game", type=click.Choice(["maria", "friedrich"]), default="maria", show_default=True)
@as_json
def try_command(plan: str, position: str | None, json_wanted: bool, **wishes: Any) -> None:
    """Play the battle plans in the file PLAN and tell what comes of it, card by card.

    Either a --position where a combat is due, with the hands that it has; or --score, --suit, --hand and --enemy-hand,
    and then a plan's own generals and cities do not matter.
    """
    if (position is None) == (wishes["score"] is None):
        raise click.UsageError("say either --position, or --score with --suit")
    if position is None and wishes["suit"] is None:
        raise click.UsageError("--score needs a --suit")
    if position and (wishes["hand"] or wishes["enemy_hand"] or wishes["suit"]):
        raise click.UsageError("a --position has its own suits and hands")
    with refusals(json_wanted):
        if position is None:
            table, own, enemy = on_practice_ground(plan, wishes)
        else:
            table, own, enemy = at_position(plan, position, wishes["against"])
        tell(table, fought(table, own, enemy), plan, json_wanted)


def at_position(plan: str, position: str, against: str) -> tuple[Any, Plans, Plans]:
    """The table of a position, and the plans of both sides."""
    from pbem.paper.plans import load_plans
    from pbem.paper.positions import load_position

    table = load_position(read_bytes(position), position, folder_of(position))
    own = load_plans(read_bytes(plan), plan, table.rules)
    return table, own, plans_against(table, against, own)


def plans_against(table: Any, against: str, own: Plans) -> Plans:
    """The plans of a file, or a tactic for every power that has no plans."""
    from pbem.paper.plans import load_plans
    from pbem.paper.plans_data import Tactic
    from pbem.plans.playing import by_tactic

    if against in get_args(Tactic):
        return by_tactic([power for power in table.rules.powers if power not in own], against)  # type: ignore[arg-type]
    return load_plans(read_bytes(against), against, table.rules)


def on_practice_ground(plan: str, wishes: dict[str, Any]) -> tuple[Any, Plans, Plans]:
    """A table made for this combat, and the plans of both sides for the powers that fight there."""
    from pbem.paper.plans import load_plans
    from pbem.paper.positions import load_position
    from pbem.paper.writing import write
    from pbem.plans.playing import loose
    from pbem.plans.practice import Ground, set_out

    terms = {"game": wishes["game"]}
    table = new_table(terms)
    own = load_plans(read_bytes(plan), plan, table.rules)
    suits = [suit_named(wishes[key] or wishes["suit"]) for key in ("suit", "enemy_suit")]
    ground = Ground(
        wishes["score"], suits[0], suits[1], cards_of(wishes["hand"]), cards_of(wishes["enemy_hand"]),
        next(iter(own), ""), not wishes["defend"], wishes["troops"],
    )  # fmt: skip
    sides, document = set_out(table, ground)
    table = load_position(write({**terms, **document}).encode(), OPTIONS, Path())
    return table, loose(own, sides.own), loose(plans_against(table, wishes["against"], {}), sides.enemy)


def suit_named(written: str) -> int:
    """A suit by its sign or name."""
    from pbem.paper.lexicon import SIGNS

    if written.casefold() not in SIGNS:
        raise click.UsageError(f"{written!r} is no suit: ♣, ♦, ♥, ♠, or clubs, diamonds, hearts, spades")
    return SIGNS[written.casefold()]


def cards_of(written: str) -> tuple[str, ...]:
    """Cards between commas, or between spaces."""
    return tuple(card.strip() for card in re.split("," if "," in written else r"\s+", written) if card.strip())


def fought(table: Any, own: Plans, enemy: Plans) -> Any:
    """Play both sides' plans out."""
    from pbem.plans.playing import play_out
    from pbem.plans.source import PlanSource
    from pbem.plans.tally import Tally

    tally = Tally()
    return play_out(table, [PlanSource(table, own, tally), PlanSource(table, enemy, tally)], tally)


def tell(table: Any, played: Any, plan: str, json_wanted: bool) -> None:
    """Print the account of the combat, what plans could not do, and who is asked now."""
    from pbem.report.account import account
    from pbem.report.telling import decision_data, event_data

    if json_wanted:
        print_json(
            {
                "events": [event_data(table.rules, event) for event in played.events],
                "notes": [{"power": power, **fault_data(plan, fault)} for power, fault in played.notes],
                "waiting": [decision_data(table.rules, decision) for decision in played.waiting],
            }
        )
        return
    click.echo(account(table.rules, played.events), nl=False)
    for power, fault in played.notes:
        click.echo(fault.told(f"{plan} ({power})"), err=True)
