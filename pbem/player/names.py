"""Names that people type in full or shortened (seats, powers, bots, presets), and tables of new games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pbem.engine.nouns import Power
from pbem.faults.wrong import Words, WrongUse, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import NameFault, Names, as_quoted

if TYPE_CHECKING:
    from pbem.engine.table import GameRules, Table


T = TypeVar("T")

OPTIONS = "options"
"""Name for the options on the command line, where a fault would name a file."""


def new_table(terms: Mapping[str, str], folder: Path | None = None) -> Table:
    """Return the table of a new game with these terms. If `folder` is given, all files that the terms name must be in
    it. Raises `WrongUse` for wrong terms, and `Refused` for faulty files."""
    from pbem.paper.documents.writing import write
    from pbem.paper.positions.files import load_position

    try:
        document = write(terms).encode()
    except ValueError as error:
        raise WrongUse(wrong("use-option-text", why=str(error))) from None
    try:
        return load_position(document, OPTIONS, folder or Path(), names_paths=folder is None)
    except Refused as refused:
        if refused.source != OPTIONS:
            raise
        raise WrongUse(*refused.faults) from None


def name_meant(written: str, names: Iterable[str], noun: Words, option: str) -> str:
    """Return the name in `names` that a person has typed in full or by its first letters. Raises `WrongUse` if no name
    or several names fit. The fault names the `option`, and says by `noun` what kind of name it needs."""
    known = tuple(names)
    try:
        return known[Names(known, noun).find(written)]
    except NameFault as fault:
        raise WrongUse(fault.wrong, option=option) from None


def each_once(said: Iterable[tuple[str, T]], option: str) -> dict[str, T]:
    """Return the pairs of seat and value in an option as a mapping. Raises `WrongUse` if a seat has two values."""
    found: dict[str, T] = {}
    for seat, what in said:
        if seat in found:
            raise WrongUse(wrong("use-twice", seat=seat), option=option)
        found[seat] = what
    return found


def bot_meant(written: str, option: str, more: Iterable[str] = ()) -> str:
    """Return the bot that an option names: `strong`, `strong:16` (with a number of worlds), or a name in `more`. Raises
    `WrongUse` if the bot is unknown or the number is not allowed."""
    from pbem.bots.table import BOTS, MOST_WORLDS, is_bot

    level, mark, worlds = (part.strip() for part in written.partition(":"))
    bot = f"{name_meant(level, (*BOTS, *more), words('bot'), option)}{mark}{worlds}"
    if bot not in more and not is_bot(bot):
        raise WrongUse(wrong("use-worlds", bot=as_quoted(written), most=MOST_WORLDS), option=option)
    return bot


def bots_meant(said: Iterable[str], seats: Iterable[str], option: str, more: Iterable[str] = ()) -> dict[str, str]:
    """Return each seat's bot, from the values of an option, such as `louis=strong:16`. `more` has names that are
    allowed besides those of bots. Raises `WrongUse` for an unknown name, and if a seat has two bots."""
    parted = ((part.strip() for part in each.partition("=")) for each in said)
    named = ((name_meant(seat, seats, words("player"), option), bot) for seat, _, bot in parted)
    return each_once(((seat, bot_meant(bot, option, more)) for seat, bot in named), option)


def powers_of(rules: GameRules, reader: str | None) -> tuple[Power, ...]:
    """Return the powers whose secrets a reader may know. The reader is named as a player, a power or `observer`. An
    observer knows no secrets. If `reader` is None, return all powers. Raises `WrongUse` for an unknown reader."""
    if reader is None:
        return rules.powers
    found = name_meant(reader, ["observer", *rules.seats, *rules.powers], words("player-or-power"), "--as")
    if found == "observer":
        return ()
    return tuple(power for power in rules.seats.get(found, (Power(found),)) if power in rules.powers)


def preset_meant(written: str, game: str, option: str) -> str:
    """Return the preset that an option names. Raises `WrongUse` for an unknown name."""
    from pbem.paper.library import preset_names

    return name_meant(written, preset_names(game), words("preset"), option)
