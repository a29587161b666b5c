"""Library for other programs. It plays games, draws positions, verifies and describes archives, and runs bots that play
by letter (docs/library.md).

The names in `__all__` are stable: within a version 1.x no name is removed, changes its meaning, or wants more
arguments. Everything else in `pbem` is private, and may change with every version (ADR 37).

Functions with a parameter `powers` show what the players of these powers may know: `()` shows what everybody may know,
None shows everything. Functions with a parameter `language` (`en`, `de`, `es`, `it`) raise `PbemError` for a language
that the program lacks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from pbem.bots.plain import Policy
from pbem.bots.table import BOTS, bot_named, is_bot, policy_by_player, winners_of
from pbem.bots.table import play as played
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.players.letters import LetterBot
from pbem.campaign.proof.sharing import verify_together
from pbem.campaign.proof.verification import Verification
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import GameRules, Table, player_of, stage_of
from pbem.faults.wrong import PbemError, Wrong, words, wrong
from pbem.kit import copy_of, game_named, game_of
from pbem.moderator.public_view import account_of, entry_lines
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.names import Names
from pbem.paper.documents.reader import node_of
from pbem.paper.documents.writing import Value, write
from pbem.paper.library import find_board, game_of_terms
from pbem.paper.orders.files import OrderSource, form_of, load_orders
from pbem.paper.orders.trial import begin
from pbem.paper.positions.files import load_position as position_in
from pbem.paper.positions.files import read_position, write_position
from pbem.report.account import account as told_events
from pbem.report.formats.pages import text
from pbem.report.language.templates import languages
from pbem.report.maps import Request, overlay_of, picture_file
from pbem.report.telling import position_blocks, told_data, view_data
from pbem.resources import games as packages
from pbem.seal.canonical import Tree
from pbem.seal.keys import PrivateKey, PublicKey, load_private, new_key, save_private
from pbem.site.export import site_of
from pbem.site.export import write_site as write_files

__all__ = [
    "Answer",
    "Decision",
    "Event",
    "Fault",
    "GameRules",
    "IllegalOrder",
    "LedgerEntry",
    "LetterBot",
    "PbemError",
    "Policy",
    "Power",
    "PrivateKey",
    "PublicKey",
    "Refused",
    "Table",
    "Verification",
    "Wrong",
    "account",
    "answer",
    "apply",
    "bot",
    "copy_of",
    "decisions",
    "draw_position",
    "games",
    "ledger",
    "load_position",
    "load_private",
    "load_rules",
    "new_key",
    "play",
    "player_of",
    "position_data",
    "question",
    "save_private",
    "stage_of",
    "start",
    "tell_position",
    "verify",
    "winners",
    "write_position",
    "write_site",
]


ANSWER = "answer"
"""Name that faults show in place of a file name if the text of an answer is faulty."""


def games() -> tuple[str, ...]:
    """Return the names of the installed games. Games of this program come first."""
    return tuple(packages())


def load_rules(game: str, folder: Path | None = None, **terms: str | int) -> GameRules:
    """Return the rules of a game. The terms are named as in a position file (`scenario="advanced"`, `players=2`), but
    with `_` in place of a blank. `folder` is where the files that the terms name are found. Raises `Refused` for
    unknown terms, and for terms that cannot be combined."""
    written: dict[str, Tree] = {"game": game, **{name.replace("_", " "): f"{value}" for name, value in terms.items()}}
    return read_position(node_of(written), "terms", folder).rules


def start(rules: GameRules, seed: str) -> tuple[Table, list[Event]]:
    """Start a game: return a new table at its first decision, and the events until then. The same seed deals the same
    cards."""
    table: Table
    table, events = game_named(rules.terms.game).start(rules, SeededDealer(seed))
    return table, events


def decisions(table: Table) -> tuple[Decision, ...]:
    """Return the decisions that the game waits for, of one or several powers; empty if the game is over."""
    return game_of(table).decisions(table)


def question(table: Table, decision: Decision) -> dict[str, object]:
    """Return a decision as data (docs/events.md), with its legal answers under `form` (docs/orders.md). The data may
    hold secrets of the power that decides."""
    return told_data(table.rules, decision) | {"form": msgspec.to_builtins(form_of(table, decision))}


def answer(table: Table, decision: Decision, written: Mapping[str, Value]) -> Answer:
    """Return the answer that a section of an order file gives to a decision: `{"move": [{"Schwerin": "Breslau"}]}`. If
    it gives several answers, the first is returned. The rules are checked only by `apply`.

    Raises `Refused` for a section that cannot be read. Raises `IllegalOrder` for cards that are not in hand, and for
    the section of another decision.
    """
    try:
        document = write({"orders": {decision.power: dict(written)}})
    except (ValueError, TypeError) as error:
        raise Refused(ANSWER, [wrong("E-TEXT-CHARACTER", why=str(error))]) from None
    given = OrderSource(table, load_orders(document.encode(), ANSWER, table.rules)).answer(decision)
    if given is None:
        raise IllegalOrder(wrong("E-ANSWER-KIND", answer=", ".join(written), decision=type(decision).__name__))
    return given.answer


def apply(table: Table, power: str, answer: Answer) -> list[Event]:
    """Carry out an answer of a power on the table, up to the next decision, and return all events. Raises
    `IllegalOrder`, and changes nothing, for an answer that the rules forbid or that the power does not owe."""
    return game_of(table).apply(table, Power(power), answer)


def account(rules: GameRules, events: Iterable[Event], language: str = "en") -> str:
    """Return an account of events in words, with all secrets in them."""
    return told_events(rules, events, language_named(language))


def winners(table: Table) -> tuple[str, ...] | None:
    """Return the seats that have won; empty if nobody has won. Return None while the game goes on."""
    if table.state.phase != "over":
        return None
    return tuple(seat for seat in winners_of(table) if seat in table.rules.seats)


def bot(level: str, game: str) -> Policy:
    """Return the policy of a bot by its level (docs/bots.md): `sensible`, or `strong:16`, which thinks longer. The
    policy uses only what its player knows. Raises `PbemError` for an unknown level or game."""
    return bot_named(level if is_bot(level) else one_of(level, BOTS, "bot"), game_of_terms({"game": game}))


def play(rules: GameRules, seed: str, policies: Mapping[str, Policy]) -> Iterator[tuple[Table, list[Event]]]:
    """Play a game to its end. After every answer yield the table and the new events. The table is always the same
    object.

    `policies` maps a seat (one of `rules.seats`) to its policy; the sensible bot plays all other seats. A policy is
    called with the table (with all secrets), the decision, and a source of chance. It must not change the table. Raises
    `IllegalOrder` if a policy returns an illegal answer.
    """
    by_seat = {one_of(seat, rules.seats, "player"): policy for seat, policy in policies.items()}
    return played(rules, seed, policy_by_player(by_seat, bot_named("sensible", rules.terms.game)))


def load_position(data: bytes, source: str = "position", folder: Path | None = None) -> Table:
    """Return the table of a position file (docs/positions.md), continued to the first decision. `source` is the file's
    name in faults. `folder` is where the files that the position names are found. Raises `Refused` with all faults of
    an unreadable or impossible position."""
    table = position_in(data, source, folder)
    begin(table)
    return table


def position_data(table: Table, powers: Collection[str] | None = None) -> dict[str, object]:
    """Return a position as the players of these powers know it, in the form of reports (docs/reports.md). If `powers`
    is None, all powers together are meant. Raises `PbemError` for a power that is not in the game."""
    seen = game_of(table).view(table, known_to(table, powers))
    return view_data(table.rules, seen)


def tell_position(table: Table, powers: Collection[str] | None = None, language: str = "en") -> str:
    """Return a position in words, as the players of these powers know it. If `powers` is None, all powers together are
    meant."""
    seen = game_of(table).view(table, known_to(table, powers))
    return text(position_blocks(table.rules, seen, language_named(language)))


def draw_position(
    table: Table,
    powers: Collection[str] | None = None,
    form: Literal["svg", "png"] = "svg",
    language: str = "en",
    folder: Path | None = None,
) -> bytes:
    """Draw a position: return the content of a picture file. A board that does not come with the program is looked for
    in `folder`. Raises `Refused` for a board that is not found."""
    board = find_board(table.rules.terms.board, folder)
    seen = game_of(table).view(table, known_to(table, powers))
    overlay = overlay_of(table, None, (), language_named(language))
    return picture_file(Path(f"map.{form}"), Request(board, seen, language=language, folder=folder, overlay=overlay))


def verify(folder: Path, jobs: int = 1) -> Verification:
    """Verify a campaign's folder without any key (docs/protocol.md#verifying), in `jobs` processes. Raises `PbemError`
    only if there is no such folder, or if a process is killed.

    The result has `is_good`, `campaign`, `phase`, `figures` (counts of the checked things), and `findings`: pairs of a
    file and a fault. Faults with a code W-… are warnings.
    """
    return verify_together(folder, jobs)


class LedgerEntry(Struct, frozen=True):
    """Entry of a ledger, with its content in words."""

    number: int
    time: datetime
    kind: str
    """Kind of the entry, as in docs/protocol.md."""
    hash: str
    words: str
    """The entry in a few words. Texts of people are quoted unchanged."""
    account: str
    """Account of the game for everybody; empty unless the entry is an adjudication."""


def ledger(folder: Path, language: str = "en") -> list[LedgerEntry]:
    """Return all entries of a campaign's ledger with their words. Raises `PbemError` for a ledger that cannot be read,
    or whose last entry the moderator has not signed. Nothing else is checked: see `verify`."""
    reading = read_folder(folder, datetime.now(UTC))
    lines = entry_lines(reading, [record for _, record in reading.entries], language_named(language))
    return [
        LedgerEntry(
            entry.number,
            entry.time,
            entry.kind,
            entry.hash,
            words,
            text(account_of(reading, entry, record, language)),
        )
        for (entry, record), words in zip(reading.entries, lines, strict=True)
    ]


def write_site(folder: Path, target: Path, language: str = "en") -> None:
    """Verify a campaign's folder, and write it as a static site (docs/archive.md), in place of an earlier site in
    `target`. Raises `PbemError` if the folder has a fault, or if `target` has files that no export has written."""
    write_files(target, site_of(folder, datetime.now(UTC), language_named(language)).files)


def known_to(table: Table, powers: Collection[str] | None) -> tuple[Power, ...]:
    """Return `powers`, or all powers if `powers` is None. Raises `PbemError` for a power that is not in the game."""
    every = table.rules.powers
    return every if powers is None else tuple(Power(one_of(power, every, "power")) for power in powers)


def language_named(language: str) -> str:
    """Return the code of the language that the text `language` means. The text may also be the first letters of the
    code. Raises `PbemError` for a language that the program lacks."""
    return one_of(language, languages(), "language")


def one_of(written: str, names: Collection[str], what: str) -> str:
    """Return the name in `names` that `written` means, in full or by its first letters. Raises `NameFault`, a
    `PbemError`, if no name or several names fit. `what` is the key of the words for this kind of name."""
    known = tuple(names)
    return known[Names(known, words(what)).find(written)]
