"""What a player's notes tell of all campaigns in which they hold a seat: what is owed, what came, what was signed."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct, to_builtins

from pbem.console.options import Telling
from pbem.console.printing import print_json, say
from pbem.faults.wrong import Words, words
from pbem.paper.terms import game_of_terms
from pbem.report.language.templates import macros_of, squeeze

if TYPE_CHECKING:
    from pbem.campaign.players.notebook import LastReport, Notebook


class Names(Struct, frozen=True):
    """How a game's stages, powers and players are called in a language."""

    language: str
    game: str

    def stage(self, written: str) -> str:
        """A stage, which is `6/hussars` in letters."""
        return squeeze(macros_of(self.language, self.game, "stages.txt.j2").named(written))

    def powers(self, keys: tuple[str, ...]) -> str:
        """Powers in a row."""
        return squeeze(macros_of(self.language, self.game, "words.txt.j2").powers(keys))

    def player(self, seat: str) -> str:
        """Who sits somewhere."""
        return squeeze(macros_of(self.language, self.game, "words.txt.j2").player(seat))


def tell_mine(key: Path, now: datetime, telling: Telling) -> None:
    """Tell all campaigns of the notes beside a key, those with the nearest deadline first."""
    from pbem.campaign.players import notebook

    found = [notebook.find(key, *each) for each in notebook.all_of(key)]
    found.sort(key=lambda notes: (not owes(notes), notes.came.deadline if notes.came else "", notes.campaign))
    if telling.json_wanted:
        print_json([mine_data(notes) for notes in found])
        return
    for notes in found:
        names = Names(telling.language, game_of_terms(notes.terms))
        click.echo(f"{notes.campaign}, {names.player(notes.seat)}:")
        for line in standing_of(notes, now, names):
            say(f"  {line.told(telling.language)}")


def mine_data(notes: Notebook) -> dict[str, object]:
    """How somebody stands in a campaign, for programs."""
    seen = {"campaign": notes.campaign, "seat": notes.seat, "owes": list(owes(notes))}
    return {**seen, "came": to_builtins(notes.came), "signed": to_builtins(notes.signed)}


def owes(notes: Notebook) -> tuple[str, ...]:
    """The powers that orders are owed for, as far as the notes know; none if a letter was signed for that stage."""
    if notes.came is None or answered(notes, notes.came):
        return ()
    return notes.came.powers


def answered(notes: Notebook, came: LastReport) -> bool:
    """Whether what the newest report asks for has been signed."""
    wanted = ("reveal" if came.locked else "orders", came.stage)
    return notes.signed is not None and (notes.signed.kind, notes.signed.stage) == wanted


def standing_of(notes: Notebook, now: datetime, names: Names) -> list[Words]:
    """How somebody stands in a campaign, line by line."""
    came, signed = notes.came, notes.signed
    if came is None:
        return [words("mine-nothing-came")]
    lines = [asked_of(came, now, names)]
    if signed:
        key = "mine-signed" if answered(notes, came) or not came.powers else "mine-signed-before"
        lines.append(words(key, kind=signed.kind, seq=signed.seq, stage=names.stage(signed.stage)))
    return [*lines, words("mine-came", entry=came.entry)]


def asked_of(came: LastReport, now: datetime, names: Names) -> Words:
    """What a report asks of its reader, and until when."""
    if not came.stage:
        return words("mine-idle")
    stage = names.stage(came.stage)
    if not came.powers:
        return words("mine-nothing-asked", stage=stage)
    until = words("mine-until", deadline=moment(came.deadline), left=left(came.deadline, now)) if came.deadline else ""
    key = "mine-reveal" if came.locked else "mine-owes"
    return words(key, stage=stage, powers=names.powers(came.powers), until=until)


def moment(deadline: str) -> str:
    """A deadline by the clock of this computer."""
    from pbem.campaign.clock.clock import parse_moment

    return f"{parse_moment(deadline).astimezone():%Y-%m-%d %H:%M %Z}"


def left(deadline: str, now: datetime) -> Words:
    """How long it is to a deadline."""
    from pbem.campaign.clock.clock import parse_moment

    hours = int((parse_moment(deadline) - now).total_seconds() // 3600)
    if hours < 0:
        return words("mine-over")
    return words("mine-left", days=hours // 24, hours=hours % 24)
