"""Preparation of the page in the page's own Python: modules are compiled, and data are cached.

The page then begins at once. The result depends on the given files alone: it contains no times, and no folder of this
computer.
"""

from __future__ import annotations

import ast
import gc
import json
import marshal
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import MAGIC_NUMBER
from io import BytesIO
from itertools import product
from pathlib import Path
from types import CodeType

UNCHECKED = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
"""Beginning of a compiled module that Python never compares with its source, because the page has no sources."""


BEGIN = ("pbem.desk.bridge", "pbem.desk.long_acts", "pbem.desk.stand_in", "jinja2", "markupsafe", "msgspec", "yaml")
"""Modules with which the page begins."""

PARTS_OF_GAMES = ("rules", "paper", "plans", "bots", "report", "site")
"""Parts of a game that the program imports by name, so that no import statement shows them."""

ASKED_BY_NAME = ("asyncio", "importlib", "codeop", "lzma", "zoneinfo")
FOLDERS = ("encodings/", "_pyodide/", "pyodide/", "_sysconfigdata")
"""Beginnings of the file names of modules that Python imports by name when it begins."""

UNREAD = (
    "big5",
    "cp0",
    "cp424",
    "cp7",
    "cp8",
    "cp9",
    "cp10",
    "cp11",
    "euc_",
    "gb",
    "hz",
    "iso2022",
    "johab",
    "mac_",
    "shift_",
)
"""Beginnings of the names of encodings that no mail of today has, or for which the page's Python has no tables."""


BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a statement that contain other statements."""


def press(work: Path, site: Path) -> None:
    """Write `pressed.zip`, the compiled standard library, and `pressed.bin`, the compiled modules and filled caches,
    into the folder `work`. Modules that the page does not need are left out. `site` is the folder from which the page
    imports the compiled modules."""
    gc.disable()  # to look for garbage among the syntax trees of all modules would take a tenth of the time
    given, library = files_below(work / "site"), zipped_files((work / "library.zip").read_bytes())
    games = [name.removeprefix("games.") for name in (work / "games").read_text("utf-8").split()]
    begin = (*BEGIN, *(f"{game}.{part}" for game in games for part in PARTS_OF_GAMES))
    needed = needed_files(given, begin, ("pbem",))
    given = {name: data for name, data in given.items() if name in needed or not name.endswith(".py")}
    asked = {
        name for file, data in given.items() if file.endswith(".py") for name in imports_of(data, "pbem", within=True)
    }
    asked |= {module_of(name) for name in library if is_imported_by_name(name)}
    library = {
        name: library[name]
        for name in needed_files(library, (*ASKED_BY_NAME, *asked), ("email", "importlib", "zoneinfo"))
    }
    modules = compiled_files(given)
    for name, data in {**modules, **files_below(work / "native")}.items():
        write_file(site / name, data)
    (work / "pressed.zip").write_bytes(stored_zip(compiled_files(library)))
    warm(work)
    kept = Path.home() / ".cache"
    warmed = {f"cache/{name}": data for name, data in files_below(kept).items()}
    pressed = {f"site/{name}": data for name, data in files_below(site).items() if name in modules}
    (work / "pressed.bin").write_bytes(pack({**pressed, **warmed}))


def is_imported_by_name(file: str) -> bool:
    """Return whether the page needs a library file that Python loads by name, such as an encoding."""
    return file.startswith(FOLDERS) and not file.removeprefix("encodings/").startswith(UNREAD)


def module_of(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def needed_files(files: Mapping[str, bytes], begin: Iterable[str], whole: Iterable[str]) -> set[str]:
    """Return the names of the files that the modules `begin` need, directly or through other modules. Imports within
    functions count only in modules whose names begin with one of the texts in `whole`."""
    known = {module_of(file): file for file in files if file.endswith(".py")}
    deep, found, wanted = tuple(whole), set[str](), list(begin)
    while wanted:
        name = wanted.pop()
        file = known.get(name)
        if file is None or file in found:
            continue
        found.add(file)
        package = name if file.endswith("/__init__.py") else name.rpartition(".")[0]
        for other in imports_of(files[file], package, within=name.startswith(deep)):
            parts = other.split(".")
            wanted += [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return found


def imports_of(source: bytes, package: str, *, within: bool) -> Iterator[str]:
    """Yield the names of the modules that a module imports. For `from a import b` yield both `a` and `a.b`, since `b`
    may be a module. With `within`, imports in functions count as well."""
    for node in statements(tree_of(source), within=within):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            module = ".".join((*above, *filter(None, (node.module,))))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def statements(tree: ast.Module, *, within: bool) -> Iterator[ast.AST]:
    """Yield the statements of a module; with `within` also the statements of its functions. Statements below `if
    __name__ == "__main__"` are left out."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        for block in BLOCKS:
            for child in getattr(node, block, ()):
                yield child
                is_later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and not within
                if not is_main(child) and not is_later:
                    left.append(child)


def is_main(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), comparators=[ast.Constant(value="__main__")])):
            return True
    return False


@cache
def tree_of(source: bytes) -> ast.Module:
    """Return the syntax tree of a module, parsed only once."""
    return ast.parse(source)


def files_below(folder: Path) -> dict[str, bytes]:
    """Return the content of all files below a folder, keyed by path."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def write_file(path: Path, data: bytes) -> None:
    """Write a file, and make its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def compiled_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files with each module compiled, and all others unchanged."""
    return {f"{name}c" if name.endswith(".py") else name: compiled_file(name, data) for name, data in files.items()}


def compiled_file(name: str, data: bytes) -> bytes:
    """Return a module compiled without docstrings and line numbers, or another file unchanged."""
    if not name.endswith(".py"):
        return data
    tree = tree_of(data)
    for node in (tree, *statements(tree, within=True)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            # Leave out docstrings, and the strings below fields.
            told = [one for one in node.body if is_text(one)]
            if told:
                node.body = [one for one in node.body if one not in told] or [ast.copy_location(ast.Pass(), told[0])]
    return UNCHECKED + marshal.dumps(lineless_code(compile(tree, name, "exec", dont_inherit=True)))


def lineless_code(code: CodeType) -> CodeType:
    """Return code without line numbers, which are a third of its size."""
    within = tuple(lineless_code(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=within)


def is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def zipped_files(archive: bytes) -> dict[str, bytes]:
    """Return the files of a zip, keyed by name, in the order of the names."""
    with zipfile.ZipFile(BytesIO(archive)) as file:
        return {name: file.read(name) for name in sorted(file.namelist()) if not name.endswith("/")}


def stored_zip(files: Mapping[str, bytes]) -> bytes:
    """Return an uncompressed zip of the files. It is not compressed, because the whole page is compressed later."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        for name, data in sorted(files.items()):
            file.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def warm(work: Path) -> None:
    """Fill the caches: carry out a player's first acts, and compile the letters' templates."""
    from pbem.desk.desk import Desk
    from pbem.report.language.templates import languages
    from pbem.resources import games

    for language, game in product(languages(), games()):
        warm_templates(language, game)
    for path in sorted((work / "warming").iterdir()):
        desk = Desk("en")
        desk.open_position(path.read_bytes())
        desk.warm()


def warm_templates(language: str, game: str) -> None:
    """Store a language's compiled templates for a game, without line numbers."""
    from pbem.report.language.templates import language_environment

    found = language_environment(language, game, None)
    cache, loader = found.bytecode_cache, found.loader
    assert cache
    assert loader
    for name in found.list_templates(extensions=["j2"]):
        source, file, _ = loader.get_source(found, name)
        bucket = cache.get_bucket(found, name, file, source)
        # Games and languages share templates. So a template may have been compiled already for another game or
        # language.
        if bucket.code is None:
            bucket.code = lineless_code(found.compile(source, name, file))
            cache.set_bucket(bucket)


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return files as the page unpacks them: four bytes with the length of the index, the index (name and length of
    every file), and the contents."""
    ordered = sorted(files.items())
    index = json.dumps([[name, len(data)] for name, data in ordered]).encode()
    return len(index).to_bytes(4, "big") + index + b"".join(data for _, data in ordered)


def packed_files(data: bytes) -> Iterator[tuple[str, bytes]]:
    start = 4 + int.from_bytes(data[:4], "big")
    for name, length in json.loads(data[4:start]):
        yield name, data[start : start + length]
        start += length
