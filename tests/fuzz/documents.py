"""Targets: what players and moderators write as YAML, and boards of other programs, each read and then used."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from pbem.bots.plain import choose
from pbem.campaign.planning import complete_plan, read_plan
from pbem.engine.table import Table, digest
from pbem.games.friedrich.rules import game as friedrich
from pbem.games.maria.rules.data import Terms
from pbem.kit import game_of
from pbem.paper.boards.files import inspect_board, load_board, write_board
from pbem.paper.boards.imports import import_rtt, import_vassal
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import write
from pbem.paper.library import load_rules
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.trial import begin, run, run_known
from pbem.paper.plans.files import load_plans
from pbem.paper.positions.files import known_document, load_known, load_position, write_position
from pbem.report.language.options import open_options
from pbem.report.telling import view_data
from pbem.resources import resource
from pbem.seal.canonical import canonical
from tests import play
from tests.friedrich import random_play
from tests.report.plain import options_text, position_text

from .watching import Target, check_faults

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
MARIA = (play.EVERY[0], Terms("advanced"), Terms("silesia-gambit"), Terms("advanced", edition="2.0", bluffing=True))
FRIEDRICH = (random_play.EVERY[0], random_play.EVERY[2], random_play.EVERY[5])


def in_yaml(name: str, texts: list[str], read: Any, weight: int = 1) -> Target:
    """A target of YAML documents, which are changed as text and as trees."""
    trees = [
        strict.bare(strict.read_yaml(text.encode(), name, strict.DocumentLimits(4 << 20, nodes=400_000)))
        for text in texts
    ]
    return Target(name, tuple(text.encode() for text in texts), read, rewritten, tuple(trees), weight)


def rewritten(tree: Any) -> bytes:
    """A tree as the program writes it; nothing for one that it does not write."""
    try:
        return write(tree).encode()
    except (ValueError, TypeError):
        return b""


def read_strict(data: bytes) -> None:
    """Every document that can be read has a canonical form, and what is written of it says the same."""
    tree = strict.bare(strict.read_yaml(data, "example"))
    assert json.loads(canonical(tree)) == tree
    try:
        text = write(tree)
    except ValueError:
        return
    assert strict.bare(strict.read_yaml(text.encode(), "written", strict.DocumentLimits(1 << 24))) == tree


@cache
def maria_tables() -> tuple[Table, ...]:
    """Positions of MARIA: set-up, marches, combats, politics, winters."""
    return tuple(play.position(terms, "fuzz", steps) for terms in MARIA for steps in (0, 17, 60, 141))


@cache
def friedrich_tables() -> tuple[Table, ...]:
    """Positions of FRIEDRICH."""
    found: list[Table] = []
    for terms in FRIEDRICH:
        table, _ = random_play.start(terms, "fuzz")
        answers = random_play.answers(table, Random("fuzz"), choose)
        for step, (power, answer) in enumerate(answers):
            if step in (0, 40, 150, 400):
                found.append(random_play.twin(table))
            if step == 400:
                break
            friedrich.apply(table, power, answer)
    return tuple(found)


def tables() -> tuple[Table, ...]:
    """Positions of both games."""
    return maria_tables() + friedrich_tables()


def read_position(data: bytes) -> None:
    """Check that a readable position file can be shown, listed and saved, and is the same when it is loaded again."""
    table = load_position(data, "position.yaml", ROOT / "examples")
    look_at(table)
    text = write_position(table)
    again = load_position(text.encode(), "saved.yaml", ROOT / "examples")
    assert digest(again.state) == digest(table.state)
    begin(table)
    look_at(table)


def look_at(table: Any) -> None:
    """Everything that commands tell of a position."""
    seen = game_of(table).view(table, table.rules.powers)
    json.dumps(view_data(table.rules, seen))
    position_text(table.rules, seen)
    json.dumps(open_options(table, table.rules.powers))
    options_text(table, table.rules.powers)


def read_known(data: bytes) -> None:
    """Check that a readable position of a player can be shown; its invented values may be impossible."""
    table = load_known(data, "known.yaml", ROOT / "examples")
    powers = table.rules.powers[:1]
    seen = game_of(table).view(table, powers)
    position_text(table.rules, seen)
    options_text(table, powers)
    write(known_document(table, powers))


def read_orders(data: bytes) -> None:
    """Orders for any position are carried out or refused, and the position that they are tried on stays as it is."""
    failures = []
    for table in orders_tables():
        before = digest(table.state)
        try:
            orders = load_orders(data, "orders.yaml", table.rules)
            trial = run(table, orders)
            check_faults(tuple(trial.faults)) if trial.faults else None
            run_known(table, load_orders(data, "orders.yaml", table.rules))
        except Refused as refused:
            failures.append(refused)
            check_faults(refused.faults)
        assert digest(table.state) == before
    if failures:
        raise failures[0]


@cache
def orders_tables() -> tuple[Any, ...]:
    """The positions on which orders are tried."""
    found = [load_position(path.read_bytes(), str(path)) for path in EXAMPLES if b"orders:" not in path.read_bytes()]
    for table in found:
        begin(table)
    return (*found[:2], maria_tables()[6], friedrich_tables()[2])


def read_plans(data: bytes) -> None:
    """Plans are read by the rules of either game."""
    load_plans(data, "plan.yaml", load_rules(Terms("advanced")))
    load_plans(data, "plan.yaml", load_rules(random_play.EVERY[0]))


def read_board(data: bytes) -> None:
    """A board without faults is written as a file that says the same."""
    faults = inspect_board(data, "board.yaml")
    if faults:
        check_faults(faults)
    board = load_board(data, "board.yaml")
    assert load_board(write_board(board).encode(), "again.yaml") == board


def read_settings(data: bytes) -> None:
    """Check that a readable plan of a moderator can be begun."""
    complete_plan(read_plan(data, "plan.yaml", ROOT / "examples", {}), "plan.yaml", "fuzz")


def read_rtt(data: bytes) -> None:
    """Another program's board becomes one of ours, faults and all."""
    inspect_board(write_board(import_rtt(data.decode("utf-8", "replace"))).encode(), "imported.yaml")


def read_vassal(data: bytes) -> None:
    """The same of a module."""
    inspect_board(write_board(import_vassal(data)).encode(), "imported.yaml")


_MAP = "VASSAL.build.module.map"
_REGION = f"{_MAP}.boardPicker.board.mapgrid.Region"
VASSAL = (
    f'<Game><{_MAP}.boardPicker.Board name="Board"><{_REGION} name="Alpha" originx="10" originy="20"/>'
    f'<{_REGION} name="Beta" originx="99" originy="20"/></{_MAP}.boardPicker.Board><{_MAP}.SetupStack name="a" '
    f'owningBoard="Board" x="11" y="22"><Some.PieceSlot entryName="Train"/></{_MAP}.SetupStack></Game>'
)
RTT = (
    'const data = { cities: { name: ["A","B","C"], x: [10,90,200], y: [10,90,40], adjacent: [[1],[0,2],[1]],'
    " main_roads: [[1],[0],[]], roads: [[],[2],[1]], suit: [0,1,2], country: ['Austria',\"Austria\",`Prussia`],"
    " type: [['major'],[],[]] } } // 0x1F, 1e3"
)
SETTINGS = """\
campaign: vienna-1741
game: maria
scenario: advanced
players: 3
edition: "2.1"
rulings: {unpaid: keep}
seats:
  frederick: {name: Anna, address: anna@example.org, language: de, reports: sealed}
  louis: {name: Louis}
moderator: {name: Sophie, address: gm@example.org, seat: maria-theresa}
conduct: {signing: "on", sealing: reveal, misorders: hold, proofs: at the close}
clock: {next: 72h, at: "20:00", zone: Europe/Madrid, grace: 12h, delay: 30m, at-deadline: default, remind: [48h, 12h]}
"""
PLANS = """\
pbem: 1
kind: plan
plans:
  austria:
    - for: battle
      of: [Neipperg]
      against: [Schwerin]
      at: [Prag]
      role: attacker
      play: [♦10, ♦9, R as 10]
      tactic: win-cheaply
      keep: [R]
      when: {turn: 2 to 5, hand: 3 or more, score: -4 or less}
      standing: yes
      until: 5/prussia
      else: stop
    - {for: retreat, cut-off-from: trains}
    - {for: allot, give: even, standing: "yes"}
"""
TANGLED = """\
a: {b: [c, "d \\u00e9", 'it''s'], ? : x}
"quoted key": |
  block
    of text

- item: >-
"""


def documents() -> Iterator[Target]:
    """The targets of this module."""
    texts = [path.read_text("utf-8") for path in EXAMPLES]
    positions = [text for text in texts if "orders:" not in text]
    orders = [text for text in texts if "orders:" in text]
    saved = [write_position(table) for table in tables()]
    known = [write(known_document(table, table.rules.powers[:1])) for table in tables()]
    read_all = in_yaml("strict", [*texts, SETTINGS, PLANS], read_strict, 40)
    yield Target("strict", (*read_all.seeds, TANGLED.encode()), read_strict, rewritten, read_all.trees, 40)
    yield in_yaml("position", positions + saved, read_position)
    yield in_yaml("known", known, read_known)
    yield in_yaml("orders", orders, read_orders, 2)
    yield in_yaml("plans", [PLANS], read_plans, 10)
    yield in_yaml("settings", [SETTINGS], read_settings, 4)
    board = (resource("rules") / "maria" / "boards" / "theatrum-belli.yaml").read_text("utf-8")
    yield in_yaml("board", [board], read_board)
    yield Target("rtt", (RTT.encode(),), read_rtt, weight=20)
    yield Target("vassal", (VASSAL.encode(), zipped(VASSAL)), read_vassal, weight=20)


def zipped(text: str) -> bytes:
    """A module with this build file."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("buildFile.xml", text)
    return made.getvalue()
