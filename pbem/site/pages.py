"""The pages of the site, each a file that needs no other: templates with everything escaped, and a strict policy."""

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
"""The pages that have a map."""

FOLDER = "site"
"""Where the templates, the style and the script stand, beside the folders of the languages."""


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The templates of pages; they escape whatever is not marked as markup."""
    found = environment([FOLDER], None, autoescape=True)
    found.filters |= {"suited": suited, "drawn": Markup}
    return found


def page(name: str, data: Mapping[str, object]) -> bytes:
    """A page from its template and its data; with the font of its map, if it has one."""
    atlas = data.get("atlas")
    fonts = atlas.fonts if isinstance(atlas, Atlas) and name in MAPPED and data["stages"] else ""
    css = asset("site.css") + str(data.get("colours", "")) + fonts
    script = asset("site.js") if data["scripted"] else ""
    frame = {"name": name, "css": Markup(css), "script": Markup(script), "policy": policy(css, script)}  # noqa: S704 - ours
    parts = templates().get_template(f"{name}.html.j2").generate({**data, **frame})
    return b"".join(part.encode() for part in parts)


def policy(css: str, script: str) -> str:
    """What a browser may do with the page: use its one style and its one script, and load nothing at all."""
    scripts = f"'{fingerprint(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; style-src '{fingerprint(css)}'; script-src {scripts}; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def fingerprint(text: str) -> str:
    """A text as a policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@lru_cache(maxsize=4)
def asset(name: str) -> str:
    """The style or the script."""
    return (resource("templates") / FOLDER / name).read_text("utf-8")


def suited(text: str) -> Markup:
    """A text of the account, escaped, with its red cards in red."""
    return reddened(line_text(line_of(theirs(text))))


def embedded(value: object) -> Markup:
    """A value as JSON that may stand in a page: nothing in it can end its element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704 - no markup is left in it
