"""Commands `pbem plan try` and `pbem plan preset`: trying battle plans against others, and writing a preset's standing
plans."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from pbem.cli.letters import out_option
from pbem.console.options import Telling, gather_options, new_game_options, telling_options, terms_given
from pbem.console.printing import print_json, say_words, tell
from pbem.console.refusals import misuse, refusals
from pbem.console.surroundings import given_file
from pbem.paper.library import STANDARD_GAME
from pbem.player.files import write_file
from pbem.player.plans import CombatWish, FoughtCombat, combat_data, fight_at, fight_on_ground, tactic_named
from pbem.report.language.templates import GameNames
from pbem.resources import games


@dataclass(frozen=True)
class PresetWanted:
    """Options of `pbem plan preset`: the preset, the power or seat (`who`), the report or invitation, and the file to
    write."""

    preset: str
    who: str | None
    report: str | None
    out: Path | None


@click.command("preset")
@click.argument("preset")
@click.option("--power", "who", metavar="WHO", help="A power or a seat; left out: all powers, or the report's.")
@click.option("--report", metavar="FILE", help="Your report.yaml, for the letter; or the invitation.yaml, for a file.")
@new_game_options
@telling_options
@out_option
@gather_options("wanted", PresetWanted)
def preset_command(wanted: PresetWanted, telling: Telling, **terms: str | None) -> None:
    """Write standing plans that are ready to be taken: `careful`, `bold` or `away`.

    The plans have one line for each kind of decision and a comment above it; change what you like. With a report.yaml
    the plans are written as a letter, which you then sign.
    """
    from pbem.player.plans import preset_plans

    with refusals(telling.json_wanted):
        report = given_file(wanted.report) if wanted.report else None
        found = preset_plans(wanted.preset, report, wanted.who, terms_given(terms), telling.language)
        if wanted.out:
            write_file(wanted.out, found.text.encode())
    if telling.json_wanted:
        said = {"preset": found.preset, "powers": list(found.powers)}
        print_json({**said, "file": str(wanted.out or ""), "text": found.text})
    elif wanted.out:
        names = GameNames(telling.language, found.game)
        say_words("plan-done", file=str(wanted.out), preset=found.preset, powers=names.powers(found.powers))
    else:
        click.echo(found.text, nl=False)


SUIT_HELP = "The suit of the sector where your generals stand."


@click.group("plan")
def plan_command() -> None:
    """Try battle plans, and take plans that are ready."""


@dataclass(frozen=True)
class GroundOptions:
    """Options for the enemy's plans, and for the position or game of the trial."""

    position: str | None
    against: str
    game: str


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
@telling_options
@gather_options("wish", CombatWish)
@gather_options("ground", GroundOptions)
def try_command(plan: str, ground: GroundOptions, wish: CombatWish, telling: Telling) -> None:
    """Play the battle plans in the file PLAN and tell the combat, card by card.

    The combat is the one that is due in a --position; for a report also give --enemy-hand. Or give --score, --suit,
    --hand and --enemy-hand: then the generals and cities that a plan names do not matter.
    """
    if (ground.position is None) == (wish.score is None):
        raise click.UsageError(misuse("use-either", option="--position", other="--score, --suit"))
    if ground.position is None and wish.suit is None:
        raise click.UsageError(misuse("use-needs", option="--score", other="--suit"))
    if ground.position and (wish.hand or wish.suit):
        raise click.UsageError(misuse("use-own-hands", option="--position"))
    with refusals(telling.json_wanted):
        enemy = tactic_named(ground.against) or given_file(ground.against)
        if ground.position is None:
            found = fight_on_ground(ground.game, given_file(plan), wish, enemy)
        else:
            found = fight_at(given_file(ground.position), given_file(plan), wish.enemy_hand, enemy)
        if telling.json_wanted:
            print_json(combat_data(found, plan, telling.language))
        else:
            tell_fought(found, plan, telling.language)


def tell_fought(found: FoughtCombat, plan: str, language: str) -> None:
    """Print the account of a combat, and the faults of its plans."""
    from pbem.report.account import Voice, account_blocks, chapters

    tell(account_blocks(chapters(Voice(found.table.rules, language), found.played.events)), gap=False)
    for power, fault in found.played.notes:
        click.echo(fault.message_line(f"{plan} ({power})", language), err=True)


plan_command.add_command(preset_command)
