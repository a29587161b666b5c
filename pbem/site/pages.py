"""Pages of the site. Each consists of a single file."""

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
"""Names of the pages that have a map."""

FOLDER = "site"
"""Name of the folder with the templates, the style sheet and the script of the pages."""


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the environment with the templates of the pages. It escapes all text that is not marked as HTML."""
    found = environment([FOLDER], None, autoescape=True)
    found.filters |= {"suited": suited_text, "drawn": Markup}
    return found


def page(name: str, data: Mapping[str, object]) -> bytes:
    """Return a page as HTML. It is made by the template `name` from the data."""
    atlas = data.get("atlas")
    fonts = atlas.fonts if isinstance(atlas, Atlas) and name in MAPPED and data["stages"] else ""
    css = asset("site.css") + str(data.get("colours", "")) + fonts
    script = asset("site.js") if data["scripted"] else ""
    frame = {"name": name, "css": Markup(css), "script": Markup(script), "policy": policy(css, script)}  # noqa: S704 - ours
    parts = templates().get_template(f"{name}.html.j2").generate({**data, **frame})
    return b"".join(part.encode() for part in parts)


def policy(css: str, script: str) -> str:
    """Return the security policy of a page. It allows only the page's own style sheet and script."""
    scripts = f"'{fingerprint(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; style-src '{fingerprint(css)}'; script-src {scripts}; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def fingerprint(text: str) -> str:
    """Return the hash of a style sheet or script for use in a content security policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@lru_cache(maxsize=4)
def asset(name: str) -> str:
    return (resource("templates") / FOLDER / name).read_text("utf-8")


def suited_text(text: str) -> Markup:
    """Return a passage of the account as HTML. The text is escaped, and red cards are shown in red."""
    return with_red_suits(line_text(line_of(plain_words(text))))


def json_for_page(value: object) -> Markup:
    """Return a value as JSON for a `<script>` element. No text in the value can end the element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704 - no markup is left in it
