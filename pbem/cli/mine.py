"""What a player's notes tell of all campaigns in which they hold a seat: what is owed, what came, what was signed."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from pbem.console.options import Telling
from pbem.console.printing import print_json, say
from pbem.paper.terms import game_of_terms
from pbem.player.notes import mine_data, own_notes, standing_of
from pbem.report.language.templates import GameNames


def tell_mine(key: Path, now: datetime, telling: Telling) -> None:
    """Tell all campaigns of the notes beside a key, those with the nearest deadline first."""
    found = own_notes(key)
    if telling.json_wanted:
        print_json([mine_data(notes) for notes in found])
        return
    for notes in found:
        names = GameNames(telling.language, game_of_terms(notes.terms))
        click.echo(f"{notes.campaign}, {names.player(notes.seat)}:")
        for line in standing_of(notes, now, names):
            say(f"  {line.told(telling.language)}")
