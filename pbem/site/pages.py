"""Pages of the site: each file is complete in itself, everything is escaped, and a strict policy applies."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import lru_cache

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from pbem.report.blocks import line_of, line_text, theirs
from pbem.report.formats.pages import reddened
from pbem.report.language.templates import environment
from pbem.resources import resource
from pbem.site.pictures import Atlas

MAPPED = ("index", "stages", "story")
"""Pages that have a map."""

FOLDER = "site"
"""Folder of templates, style and script, beside the folders of the languages."""


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Templates of pages. They escape everything that is not marked as markup."""
    found = environment([FOLDER], None, autoescape=True)
    found.filters |= {"suited": suited_text, "drawn": Markup}
    return found


def page(name: str, data: Mapping[str, object]) -> bytes:
    """Page from its template and its data, with the font of its map if it has one."""
    atlas = data.get("atlas")
    fonts = atlas.fonts if isinstance(atlas, Atlas) and name in MAPPED and data["stages"] else ""
    css = asset("site.css") + str(data.get("colours", "")) + fonts
    script = asset("site.js") if data["scripted"] else ""
    frame = {"name": name, "css": Markup(css), "script": Markup(script), "policy": policy(css, script)}  # noqa: S704 - ours
    parts = templates().get_template(f"{name}.html.j2").generate({**data, **frame})
    return b"".join(part.encode() for part in parts)


def policy(css: str, script: str) -> str:
    """Content security policy: only the page's own style and script, and nothing loaded."""
    scripts = f"'{fingerprint(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; style-src '{fingerprint(css)}'; script-src {scripts}; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def fingerprint(text: str) -> str:
    """Hash of a text as a policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@lru_cache(maxsize=4)
def asset(name: str) -> str:
    """Style or script of the site."""
    return (resource("templates") / FOLDER / name).read_text("utf-8")


def suited_text(text: str) -> Markup:
    """Passage of the account, escaped, with its red cards in red."""
    return reddened(line_text(line_of(theirs(text))))


def json_for_page(value: object) -> Markup:
    """Value as JSON inside a page; nothing in it can end its element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704 - no markup is left in it
