"""`pbem plan preset`: standing plans ready to be taken, as a file to be edited or as the letter that sends them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from pbem.cli.letters import guide, known_preset, out_option, plan_head
from pbem.console.options import as_json, gathered, language_option, new_game, terms_given
from pbem.console.printing import print_json
from pbem.console.refusals import refusals
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.player.files import folder_of, write_file
from pbem.player.names import new_table, powers_of


@dataclass(frozen=True)
class PresetWanted:
    """Which preset, for whom, as a file or as a letter."""

    preset: str
    who: str | None
    report: str | None
    out: Path | None


@dataclass(frozen=True)
class ForWhom:
    """The rules, the powers, and the head of the letter if it is to be one."""

    rules: GameRules
    powers: Sequence[Power]
    head: dict[str, str | int] | None = None


@click.command("preset")
@click.argument("preset")
@click.option("--power", "who", metavar="WHO", help="A power or a seat; left out: all powers, or the report's.")
@click.option("--report", metavar="FILE", help="Your report.yaml, for the letter; or the invitation.yaml, for a file.")
@new_game
@language_option
@out_option
@as_json
@gathered("wanted", PresetWanted)
def preset_command(wanted: PresetWanted, language: str, json_wanted: bool, **terms: str | None) -> None:
    """Write standing plans that are ready to be taken: `careful`, `bold` or `away`.

    They answer battles, retreats, payments and politics, one line for each kind of question, with words above it that
    say what it does; change what you like. With a report.yaml they come as the letter that sends them: sign it.
    """
    from pbem.report.letters.sheet import preset_text

    with refusals(json_wanted):
        found = for_whom(wanted, terms)
        preset = known_preset(wanted.preset, found.rules.terms.game, "PRESET")
        text = preset_text(found.rules, preset, found.powers, language, found.head)
        if wanted.out:
            write_file(wanted.out, text.encode())
    if json_wanted:
        print_json({"preset": preset, "powers": list(found.powers), "file": str(wanted.out or ""), "text": text})
    elif wanted.out:
        click.echo(f"{wanted.out}: {preset}, for {', '.join(found.powers)}")
    else:
        click.echo(text, nl=False)


def for_whom(wanted: PresetWanted, terms: dict[str, str | None]) -> ForWhom:
    """Whose plans they are to be: by a report, by an invitation, or by the options."""
    from pbem.campaign.players.guidance import known_table, rules_of

    if wanted.report is None:
        rules = new_table(terms_given(terms)).rules
        return ForWhom(rules, powers_of(rules, wanted.who))
    seen = guide(wanted.report)
    if seen.kind == "invitation":
        rules = rules_of(seen.terms)
        return ForWhom(rules, powers_of(rules, wanted.who or seen.seat or None))
    rules = known_table(seen, wanted.report, folder_of(wanted.report)).rules
    powers = [power for power in seen.powers if wanted.who is None or power in powers_of(rules, wanted.who)]
    return ForWhom(rules, powers, plan_head(seen.campaign, seen.seat, seen.stage, seen.basis, seen.next_seq))
