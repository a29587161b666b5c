"""Files of the desk for a club's web space. Any server can deliver them, and a second visit needs no network."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

from pbem.desk.bundle import compiled_modules, files_beside_page, press_input
from pbem.desk.page import PAPER, asset, page_html, words
from pbem.desk.runtime import archives
from pbem.report.language.templates import environment
from pbem.report.picture.png import to_png

ICONS = (192, 512)
"""Widths of the icons that a phone shows for the desk."""


def desk_files(language: str, runtime: Path | None = None) -> dict[str, bytes]:
    """Return the files of the web space, keyed by name. Large files bear the hash of their content, so that browsers
    may keep them for ever."""
    parts = archives(runtime)
    core, rest = files_beside_page(parts, compiled_modules(press_input(parts)))
    python, desk = file_by_hash("python", ".wasm", core), file_by_hash("desk", ".bin", gzip.compress(rest, 9, mtime=0))
    icons = {f"icon-{width}.png": to_png(asset("icon.svg"), width) for width in ICONS}
    page = page_html(language, parts, {"desk": name_in(desk), "python": name_in(python)})
    files = {"index.html": page, "manifest.webmanifest": manifest(language), **desk, **python, **icons}
    return {**files, "sw.js": service_worker(files)}


def file_by_hash(begin: str, ending: str, data: bytes) -> dict[str, bytes]:
    return {f"{begin}-{sha256(data).hexdigest()[:16]}{ending}": data}


def name_in(file: Mapping[str, bytes]) -> str:
    (name,) = file
    return name


def manifest(language: str) -> bytes:
    """Return the manifest with which a phone can install the desk."""
    icons = [
        {"src": f"icon-{width}.png", "sizes": f"{width}x{width}", "type": "image/png", "purpose": "any maskable"}
        for width in ICONS
    ]
    told = {
        "name": f"pbem · {words()[language]['title']}",
        "short_name": "pbem",
        "lang": language,
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
    }
    return msgspec.json.encode(told)


def service_worker(files: Mapping[str, bytes]) -> bytes:
    """Return the script that keeps the files in the browser. If any file changes, the script changes too, so that
    browsers fetch all files anew."""
    digest = sha256(msgspec.json.encode({name: sha256(data).hexdigest() for name, data in sorted(files.items())}))
    names = ["./", *sorted(name for name in files if name != "index.html")]
    data = {"digest": digest.hexdigest()[:16], "files": msgspec.json.encode(names).decode()}
    return environment(["desk"], None).get_template("sw.js.j2").render(data).encode()
