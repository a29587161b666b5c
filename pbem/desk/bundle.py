"""Contents of the page: the program, its data and words, its libraries, and Python."""

from __future__ import annotations

import gzip
import json
import lzma
import posixpath
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pbem.desk import pressing, runtime
from pbem.desk.practice import titles
from pbem.paper.documents.writing import write
from pbem.resources import Kind, games, resource

LIBRARIES = {"jinja2": "jinja2", "markupsafe": "markupsafe", "pyyaml": "yaml", "tzdata": "tzdata"}
"""Folder of each Python library that the page holds, keyed by the name of its distribution."""

LIBRARY = "library"

UNNEEDED = ("site/", "desk/")
"""Folders of templates that the page does not use: those of sites, and of the page itself."""

HARD = {"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 1 << 24}
"""Filter that compresses the site. The site is the folder from which the page's Python imports the program, its data
and the libraries. Unpacking takes as much memory as the filter's window, which holds the whole site."""

BESIDE = ("pyodide-lock.json", "python_stdlib.zip", "package.json")
LOADER = ("pyodide.mjs", "pyodide.asm.mjs")
CORE = "pyodide.asm.wasm"
ASKED = ("curves/ed25519.js", "hashes/sha2.js", "hashes/hkdf.js", "ciphers/aes.js", "ciphers/chacha.js")
"""Modules that the page loads from the libraries of cryptography."""

IMPORT = re.compile(r"""^(?:import|export)\b[^;'"]*?\bfrom ["']([^"']+)["'];""", re.MULTILINE)


def payload(archives: runtime.Archives) -> bytes:
    """Return everything that the page unpacks, compressed. The result is the same for the same files."""
    given = press_input(archives)
    how = {**given, "filter": repr(HARD).encode()}
    return cached_result("page", how, lambda: gzip.compress(page_pack(archives, compiled_modules(given)), 9, mtime=0))


def compiled_modules(given: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the compiled modules of the program and of the standard library, keyed by name. `given` has their sources,
    as `press_input` returns them."""
    data = cached_result("modules", given, lambda: gzip.compress(pressing.pack(press_output(given)), 1, mtime=0))
    return dict(pressing.packed_files(gzip.decompress(data)))


def cached_result(kind: str, given: Mapping[str, bytes], make: Callable[[], bytes]) -> bytes:
    """Return the stored result for the files `given`. If none is stored, make the result, and store it in place of all
    older results of this `kind`."""
    path = runtime.store() / f"{kind}-{sha256(pressing.pack(given)).hexdigest()}"
    data = runtime.content_or_none(path)
    if data is None:
        data = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent) as aside:
            (Path(aside) / path.name).write_bytes(data)
            for old in path.parent.glob(f"{kind}-*"):
                old.unlink(missing_ok=True)
            (Path(aside) / path.name).replace(path)
    return data


def page_pack(archives: runtime.Archives, made: Mapping[str, bytes]) -> bytes:
    """Return the compressed pack for a page that is a single file. It holds the files with which Python begins, and the
    site. `made` has the compiled modules."""
    site = pressing.pack(site_in(archives, made))
    return pressing.pack({**files_of_beginning(archives, made), "site.xz": lzma.compress(site, filters=[HARD])})


class FilesBesidePage(NamedTuple):
    """The two files beside a page: Python's core, and the pack of everything else."""

    core: bytes
    rest: bytes


def files_beside_page(archives: runtime.Archives, made: Mapping[str, bytes]) -> FilesBesidePage:
    """Return the two files beside a page. `made` has the compiled modules."""
    files = files_of_beginning(archives, made)
    core = files.pop(f"python/{CORE}")
    return FilesBesidePage(core, pressing.pack({**files, "site": pressing.pack(site_in(archives, made))}))


def files_of_beginning(archives: runtime.Archives, made: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with which Python begins, and the libraries of cryptography."""
    python = runtime.npm_files(archives[runtime.PYTHON.file])
    files = {f"python/{name}": python[name] for name in (*LOADER, CORE)}
    files["python/pyodide-lock.json"] = json.dumps({**json.loads(python["pyodide-lock.json"]), "packages": {}}).encode()
    files["python/python_stdlib.zip"] = made[LIBRARY]
    return files | {f"crypto/{name}": data for name, data in cryptography(archives).items()}


def site_in(archives: runtime.Archives, made: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the site: program, libraries, data and time zones."""
    site = {name: data for name, data in made.items() if name != LIBRARY}
    site |= {f"site/{name}": data for name, data in native_modules(archives).items()}
    return site | {f"zones/{name}": data for name, data in zones().items()}


def native_modules(archives: runtime.Archives) -> dict[str, bytes]:
    """Return the parts of msgspec that are compiled for browsers."""
    return runtime.zip_files(
        archives[runtime.MSGSPEC.file], lambda name: name.startswith("msgspec/") and name.endswith(".so")
    )


def zones() -> dict[str, bytes]:
    """Return the files of the time zones. Python in a browser has no other source for them."""
    found = pressing.files_below(Path(str(distribution("tzdata").locate_file("tzdata/zoneinfo"))))
    return {name: data for name, data in found.items() if data.startswith(b"TZif")}


def press_input(archives: runtime.Archives) -> dict[str, bytes]:
    """Return the files from which the page is compiled, keyed by name."""
    python = runtime.npm_files(archives[runtime.PYTHON.file])
    parts = {"runtime": {name: python[name] for name in (*LOADER, CORE, *BESIDE)}, "work/site": site_of(archives)}
    parts["work/native"] = native_modules(archives)
    found = {f"{folder}/{name}": data for folder, files in parts.items() for name, data in files.items()}
    # The boards of different scenarios have different maps.
    for game in games():
        for scenario in titles(game):
            terms = {"game": game, "scenario": scenario} if scenario else {"game": game}
            found[f"work/warming/{game}-{scenario}.yaml"] = write(terms).encode()
    found["work/games"] = "\n".join(games().values()).encode()
    found["work/library.zip"] = python["python_stdlib.zip"]
    found["press.mjs"] = (resource("templates") / "desk" / "press.mjs").read_bytes()
    found["work/pressing.py"] = Path(pressing.__file__).read_bytes()
    return found


def press_output(given: Mapping[str, bytes]) -> dict[str, bytes]:
    """Compile the site and the standard library in the page's own Python. Return them with the program's cached
    data."""
    node = runtime.program_named("node")
    with TemporaryDirectory() as folder:
        for name, data in given.items():
            pressing.write_file(Path(folder, name), data)
        work = Path(folder, "work")
        runtime.run((*node, "press.mjs", str(Path(folder, "runtime")), str(work)), Path(folder), "press.mjs")
        found = dict(pressing.packed_files((work / "pressed.bin").read_bytes()))
        found[LIBRARY] = (work / "pressed.zip").read_bytes()
        return found


def site_of(archives: runtime.Archives) -> dict[str, bytes]:
    """Return the sources of the program and its libraries, with the program's data, keyed by path."""
    here = Path(__file__).parents[1]
    found = {f"pbem/{name}": data for name, data in modules_below(here).items()}
    kinds: tuple[Kind, ...] = ("rules", "templates", "puzzles")
    for kind in kinds:
        needed = {n: data for n, data in pressing.files_below(resource(kind)).items() if not n.startswith(UNNEEDED)}
        found |= {f"pbem/data/{kind}/{name}": data for name, data in needed.items()}
    for library, folder in LIBRARIES.items():
        about = distribution(library)
        place = Path(str(about.locate_file(folder)))
        found |= {f"{folder}/{name}": data for name, data in modules_below(place).items()}
        head = f"Metadata-Version: 2.1\nName: {library}\nVersion: {about.version}\n".encode()
        found[f"{library}-{about.version}.dist-info/METADATA"] = head
    found |= runtime.zip_files(
        archives[runtime.MSGSPEC.file], lambda name: name.startswith("msgspec/") and name.endswith(".py")
    )
    return found


def modules_below(folder: Path) -> dict[str, bytes]:
    """Return the sources of a package, keyed by path below its folder."""
    found = sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def cryptography(archives: runtime.Archives) -> dict[str, bytes]:
    """Return the JavaScript files with which the page encrypts and signs, keyed by name. The added file `order.json`
    lists them in the order in which the page must load them."""
    every = {
        f"{name}/{file}": data.decode()
        for name, part in (("curves", runtime.CURVES), ("hashes", runtime.HASHES), ("ciphers", runtime.CIPHERS))
        for file, data in runtime.npm_files(archives[part.file]).items()
        if file.endswith(".js") and not file.startswith("src/")
    }
    order: dict[str, dict[str, str]] = {}
    for name in ASKED:
        add_in_order(name, every, order)
    listed = json.dumps(list(order.items())).encode()
    bcrypt = runtime.npm_files(archives[runtime.BCRYPT.file])["index.js"]
    return {**{name: every[name].encode() for name in order}, "order.json": listed, "bcrypt.js": bcrypt}


def add_in_order(name: str, every: Mapping[str, str], order: dict[str, dict[str, str]]) -> None:
    """Add a module to `order`, after the modules that it imports. `every` has the source of each module. Circular
    imports are not allowed. `order[name]` maps each import, spelt as in the source, to the imported module."""
    if name in order:
        return
    called = {written: imported_module(written, name) for written in IMPORT.findall(every[name])}
    for other in called.values():
        add_in_order(other, every, order)
    order[name] = called


def imported_module(written: str, name: str) -> str:
    """Return the full name of an import that is written in the module `name`."""
    if written.startswith("@noble/"):
        return written.removeprefix("@noble/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), written))
