"""Pages of the site, each a file that needs no other file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import lru_cache

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from pbem.report.blocks import line_of, line_text, plain_words
from pbem.report.formats.pages import with_red_suits
from pbem.report.language.templates import environment
from pbem.resources import resource
from pbem.site.atlas import Atlas

MAPPED = ("index", "stages", "story")
"""Names of the pages with a map."""

FOLDER = "site"
"""Folder of the pages' templates, style sheet and script."""


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the environment with the templates of the pages. It escapes everything that is not marked as HTML."""
    found = environment([FOLDER], None, autoescape=True)
    found.filters |= {"suited": suited_text, "drawn": Markup}
    return found


def page(name: str, data: Mapping[str, object]) -> bytes:
    """Return a page as HTML, made from the template `name` and its data."""
    atlas = data.get("atlas")
    fonts = atlas.fonts if isinstance(atlas, Atlas) and name in MAPPED and data["stages"] else ""
    css = asset("site.css") + str(data.get("colours", "")) + fonts
    script = asset("site.js") if data["scripted"] else ""
    frame = {"name": name, "css": Markup(css), "script": Markup(script), "policy": policy(css, script)}  # noqa: S704 - ours
    parts = templates().get_template(f"{name}.html.j2").generate({**data, **frame})
    return b"".join(part.encode() for part in parts)


def policy(css: str, script: str) -> str:
    """Return the content security policy of a page: its own style sheet and script are allowed, and nothing is
    loaded."""
    scripts = f"'{fingerprint(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; style-src '{fingerprint(css)}'; script-src {scripts}; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def fingerprint(text: str) -> str:
    """Return the hash of a style sheet or script as a content security policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@lru_cache(maxsize=4)
def asset(name: str) -> str:
    """Return the text of the site's style sheet or script with this file name."""
    return (resource("templates") / FOLDER / name).read_text("utf-8")


def suited_text(text: str) -> Markup:
    """Return a passage of the account as HTML, escaped, with its red cards in red."""
    return with_red_suits(line_text(line_of(plain_words(text))))


def json_for_page(value: object) -> Markup:
    """Write a value as JSON for a `<script>` element, which no text in the value can close."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704 - no markup is left in it
