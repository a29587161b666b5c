"""Holds the rooms to their order: imports point downwards and make no circle, and only a game's folder knows it."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.sources import nodes_of, source_of

PACKAGE = Path(__file__).parents[1] / "pbem"
GAMES = ("maria", "friedrich")
FACE = {
    "engine",
    "faults",
    "kit",
    "paper",
    "plans",
    "seal",
    "bots",
    "campaign",
    "report",
    "post",
    "resources",
    "player",
    "moderator",
    "console",
}
"""Rooms in which people do something, whether in a terminal, on a page or by mail. None imports `cli`."""
MAY_IMPORT: dict[str, set[str]] = {
    "faults": {"cache", "resources"},
    "engine": {"faults"},
    "work": {"faults"},
    "kit": {"engine", "faults", "resources"},
    "seal": {"engine", "faults"},
    "paper": {"cache", "engine", "faults", "kit", "seal", "resources"},
    "bots": {"engine", "faults", "kit", "resources"},
    "plans": {"engine", "faults", "kit", "paper", "seal"},
    "campaign": {"cache", "engine", "faults", "kit", "paper", "plans", "seal", "bots", "work", "resources"},
    "report": {"cache", "engine", "faults", "kit", "paper", "seal", "bots", "campaign", "resources"},
    "post": {"engine", "faults", "kit", "paper", "seal", "campaign", "report", "resources"},
    "site": {"engine", "faults", "kit", "paper", "seal", "campaign", "report", "resources"},
    "record": {"engine", "faults", "kit", "paper", "seal", "bots", "campaign", "report", "resources"},
    "env": {"engine", "faults", "kit", "paper", "seal", "bots", "report", "record"},
    "player": {"engine", "faults", "kit", "paper", "plans", "seal", "bots", "campaign", "report", "post"},
    "moderator": {"engine", "faults", "kit", "paper", "seal", "campaign", "report", "post", "player"},
    "console": {"faults", "kit", "paper", "seal", "work", "campaign", "report", "player", "resources"},
    "api": {"engine", "faults", "kit", "paper", "seal", "bots", "campaign", "report", "moderator", "site", "resources"},
    "games": {
        "engine",
        "faults",
        "kit",
        "paper",
        "plans",
        "seal",
        "bots",
        "report",
        "site",
        "console",
        "player",
        "resources",
    },
    "cli": FACE | {"site"},
    "playing": FACE - {"post", "plans", "campaign", "moderator"},
    "office": FACE - {"engine", "kit", "report", "bots", "plans"},
    "desk": FACE | {"site", "playing"},
    "lab": FACE | {"site", "playing", "record", "work"},
}
RULES_MAY_IMPORT = {"engine", "faults", "kit", "games"}
"""Rooms that the rules of a game may import; of `games` their own folder only."""
LIBRARIES = {
    "faults": {"msgspec", "yaml"},
    "work": {"distributed"},
    "engine": {"msgspec"},
    "kit": {"msgspec"},
    "bots": {"msgspec"},
    "plans": {"msgspec"},
    "post": {"msgspec"},
    "paper": {"msgspec", "yaml"},
    "report": {"msgspec", "jinja2", "markupsafe", "resvg_py", "PIL", "deflate", "fontTools"},
    "site": {"msgspec", "jinja2", "markupsafe"},
    "record": {"msgspec"},
    "env": {"msgspec", "numpy", "gymnasium", "pettingzoo", "pyspiel"},
    "seal": {"msgspec", "cryptography", "pyrage"},
    "campaign": {"msgspec", "yaml"},
    "moderator": {"msgspec"},
    "api": {"msgspec"},
    "lab": {"msgspec", "click", "rich"},
    "playing": {"msgspec", "click"},
    "office": {"msgspec", "click", "platformdirs", "imap_tools", "flufl"},
    "desk": {"msgspec", "click", "platformdirs", "markupsafe", "yaml"},
    "player": {"msgspec"},
    "console": {"click", "rich"},
    "cli": {"click", "msgspec"},
    "games": {"msgspec", "click", "rich"},
}
NAMES_OF_GAMES = re.compile(r"(?<![A-Za-z])(?:maria|friedrich)(?![A-Za-z])")
KNOWS_THE_GAMES = {"pbem.resources"}
"""The one module outside of their folders that says which games there are."""


def name_of(path: Path) -> str:
    """The full name of a module."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    """Every module of the program."""
    return {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def imports(path: Path) -> frozenset[str]:
    """The modules that a file imports, by their full names: at its head, inside of functions, and for types alone."""
    package = path.parent.relative_to(PACKAGE.parent).parts
    found = set()
    for node in source_of(path).imports:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            base = ".".join(package[: len(package) + 1 - node.level]) if node.level else ""
            module = ".".join(filter(None, [base, node.module]))
            parts = {f"{module}.{alias.name}" for alias in node.names}
            inner = parts & modules().keys() if module.startswith("pbem") else set()
            found |= inner | ({module} if len(inner) < len(parts) else set())
    return frozenset(found)


def room_of(name: str) -> str:
    """The room of a module of the program; empty for those on the ground that belong to none."""
    return name.split(".")[1] if "." in name else ""


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_point_downwards(room: str) -> None:
    files = [path for name, path in modules().items() if room_of(name) == room]
    assert files
    for path in files:
        for name in imports(path):
            top = name.split(".")[0]
            if top == "pbem":
                assert room_of(name) in {"", room, *MAY_IMPORT[room]}, f"{path}: {name}"
            else:
                assert top in sys.stdlib_module_names or top in LIBRARIES[room], f"{path}: {name}"


def test_no_imports_make_a_circle() -> None:
    graph = {name: {other for other in imports(path) if other in modules()} for name, path in modules().items()}
    for name in graph:
        seen: set[str] = set()
        ahead = [*graph[name]]
        while ahead:
            other = ahead.pop()
            assert other != name, f"{name} is imported again by what it imports"
            if other not in seen:
                seen.add(other)
                ahead += graph[other]


@pytest.mark.parametrize("room", ["player", "moderator"])
def test_what_people_do_prints_nothing(room: str) -> None:
    """The caller of these rooms reports the result: a terminal, a page, a mail."""
    for name, path in modules().items():
        if room_of(name) == room:
            for node in nodes_of(path):
                called = node.func if isinstance(node, ast.Call) else None
                assert not (isinstance(called, ast.Name) and called.id in ("print", "input")), f"{name}:{node}"
                assert not (isinstance(node, ast.Attribute) and ast.unparse(node).startswith("sys.")), f"{name}: {node}"


def test_commands_parse_call_and_print() -> None:
    """Few lines of the functions of `cli` belong to one that has nothing to do with the console."""
    lines, others = 0, list[str]()
    for name, path in modules().items():
        if room_of(name) != "cli":
            continue
        tree = ast.parse(path.read_text("utf-8"))
        told = {"click"} | {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("pbem.console", "pbem.cli"))
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                lines += length
                if not told & {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}:
                    others += [f"{name}.{node.name}"] * length
    assert len(others) < lines / 10, f"{len(others)} of {lines} lines: {', '.join(sorted(set(others)))}"


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_a_game_stand_on_the_engine_alone(game: str) -> None:
    own = f"pbem.games.{game}.rules"
    for path in (PACKAGE / "games" / game / "rules").rglob("*.py"):
        for name in imports(path):
            if name.startswith("pbem."):
                assert room_of(name) in RULES_MAY_IMPORT, f"{path}: {name}"
                assert room_of(name) != "games" or name.startswith(own), f"{path}: {name}"


@pytest.mark.parametrize("game", GAMES)
def test_no_game_knows_another(game: str) -> None:
    others = tuple(f"pbem.games.{other}" for other in GAMES if other != game)
    for path in (PACKAGE / "games" / game).rglob("*.py"):
        assert not [name for name in imports(path) if name.startswith(others)], path


def test_nothing_outside_of_its_folder_mentions_a_game() -> None:
    """Neither in an import nor in a text of the code; words in docstrings that cite a rule book may."""
    for name, path in modules().items():
        if room_of(name) == "games" or name in KNOWS_THE_GAMES:
            continue
        mentions = [text for text in (*source_of(path).texts, *imports(path)) if NAMES_OF_GAMES.search(text)]
        assert not mentions, f"{name} is for all games, and mentions {mentions}"


def test_every_room_is_known() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert rooms | {"kit", "api"} == set(MAY_IMPORT)


@pytest.mark.parametrize("game", GAMES)
def test_code_names_no_city_and_no_general(game: str) -> None:
    (board,) = [path for path in (PACKAGE.parent / "rules" / game / "boards").glob("*.yaml") if "." not in path.stem]
    names = {
        line.split("name: ")[1].split(",")[0] for line in board.read_text("utf-8").splitlines() if "- {name: " in line
    }
    assert names
    for room in ("engine", "games", "bots"):
        for path in (PACKAGE / room).rglob("*.py"):
            assert not source_of(path).texts & names, path


def test_any_stands_at_a_few_borders_alone() -> None:
    lines = [
        f"{name}:{number}"
        for name, path in modules().items()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(r"\bAny\b", line)
    ]
    assert len(lines) < 80, f"`Any` stands {len(lines)} times: {', '.join(lines)}"


def test_no_module_is_longer_than_400_lines() -> None:
    long = {
        name: length for name, path in modules().items() if (length := len(path.read_text("utf-8").splitlines())) > 400
    }
    assert not long


def test_few_functions_have_many_parameters() -> None:
    """Values that always travel together have a name of their own; `self` does not count."""
    found = [
        f"{name}.{function}"
        for name, path in modules().items()
        for function, parameters in source_of(path).functions
        if len(parameters - {"self", "cls"}) >= 6
    ]
    assert len(found) < 12, f"{len(found)} functions have six parameters or more: {', '.join(found)}"


CLAUSE = re.compile(
    r"\A\s*(What|Who|Whom|Whose|How|Where|Which|Why|When)(ever)?\b|\A\s*Whether\b|[.!?]\s+(What|Who)(ever|m|se)?\b"
)
"""Beginning of a docstring, or of a sentence in it, that names a thing by a clause (CONTRIBUTING, Words)."""


@pytest.mark.parametrize("folder", [PACKAGE, PACKAGE.parent / "tests"], ids=lambda folder: folder.name)
def test_docstrings_begin_with_nouns_and_verbs(folder: Path) -> None:
    """Docstrings of modules, classes and functions, and those under fields and constants."""
    clauses = [
        f"{path.relative_to(folder.parent)}:{line}: {text.strip().splitlines()[0]}"
        for path in sorted(folder.rglob("*.py"))
        for line, text in source_of(path).docstrings
        if CLAUSE.search(text)
    ]
    assert not clauses, "\n".join(clauses)


def test_comments_of_the_desks_scripts_begin_with_nouns_and_verbs() -> None:
    clauses = [
        f"{path.name}: {comment}"
        for path in sorted((PACKAGE.parent / "templates/desk").glob("*.js"))
        for comment in re.findall(r"^ *(?://|/\*\*) *(.*)$", path.read_text("utf-8"), re.MULTILINE)
        if CLAUSE.search(comment)
    ]
    assert not clauses, "\n".join(clauses)
