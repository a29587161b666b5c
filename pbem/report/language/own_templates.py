"""Check of the templates that a campaign brings itself. Its faults are for the moderator.

A template in the campaign's folder `templates/` replaces the program's template of the same name. If other templates
use the program's template, the new one must have all its macros and tables. A template for a whole letter may contain
anything.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from traceback import walk_tb

from jinja2 import Environment, TemplateError, TemplateSyntaxError, nodes
from jinja2.environment import TemplateModule
from jinja2.meta import find_referenced_templates
from msgspec import Struct

from pbem.faults.wrong import Hint, Words, Wrong, words, wrong
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.names import NameFault, Names
from pbem.report.language.own_limits import resource_limits
from pbem.report.language.templates import SHARED, current_templates, languages, own_templates
from pbem.resources import games, resource, templates_of

FOLDER = "templates"
"""Name of the folder with a campaign's own templates. It is in the campaign's folder."""

SUFFIX = ".j2"
CODE = "E-TEMPLATE"

LARGEST = 256 * 1024
"""Largest size of a template, in bytes."""
MOST = 500
"""Largest number of templates in a campaign's folder."""

WHOLE = (
    "campaign_report", "campaign_receipt", "campaign_offer", "campaign_invitation", "campaign_reminder",
    "campaign_sealed", "campaign_subjects", "campaign_join", "campaign_sheet", "options", "position",
)  # fmt: skip
"""Names of templates for a whole letter or text. Other templates use no parts of them."""


class Outline(Struct, frozen=True):
    """Parts of a template that other templates may use."""

    macros: dict[str, tuple[str, ...]]
    """Names of the parameters of each macro. The key is the macro's name."""
    tables: dict[str, frozenset[str]]
    """Keys of each table. The key is the table's name in capitals. A table that is no mapping has no keys."""


def own_folder_of(root: Path) -> Path | None:
    """Return the folder with a campaign's own templates. Return None if there is none. Raises `Refused` if it is a
    link."""
    folder = root.resolve() / FOLDER
    if folder.is_symlink():
        raise refusal("", wrong("E-TEMPLATE.folder"))
    return folder if folder.is_dir() else None


@contextmanager
def with_own_templates(root: Path) -> Iterator[None]:
    """Return a context in which all letters use the campaign's own templates if there are any. Raises `Refused` if
    these templates are faulty."""
    folder = own_folder_of(root)
    if folder is None:
        yield
        return
    check_files(folder)
    try:
        with resource_limits(), own_templates(folder):
            known, own = program_templates(), names_in(folder)
            used: set[str | None] = set()
            for name in own:
                used |= set(find_referenced_templates(parse_template(folder / name, name)))
            for name in own:
                if name in known:
                    check_outline(outline(known[name], name), outline(folder / name, name), name)
                elif name.split("/")[-1] not in used:
                    raise refusal(name, wrong("E-TEMPLATE.unknown", hint=hint_at(name, list(known))))
            yield
    except Exception as error:
        refused = refusal_of(error, folder)
        if refused is None:
            raise
        raise refused from None


def check_files(folder: Path) -> None:
    """Raise `Refused` if there is anything but ordinary files, if a file is too large, or if there are too many."""
    paths = (path for path in sorted(folder.rglob("*")) if not stat.S_ISDIR(path.lstat().st_mode))
    for number, path in enumerate(paths):
        name, facts = path.relative_to(folder).as_posix(), path.lstat()
        # A link could lead to a file with somebody's key.
        if not stat.S_ISREG(facts.st_mode):
            raise refusal(name, wrong("E-TEMPLATE.link" if path.is_symlink() else "E-TEMPLATE.kind"))
        if facts.st_size > LARGEST:
            raise refusal(name, wrong("E-TEMPLATE.size", most=LARGEST))
        if number >= MOST:
            raise refusal(name, wrong("E-TEMPLATE.count", most=MOST))


def program_templates() -> dict[str, Path]:
    """Return the templates of the program and of its games. The keys are the names under which a campaign can replace
    them.

    A template that all languages share has a key for each language, too.
    """
    programs, places = resource("templates"), (SHARED, *languages())
    found = {name: programs / name for name in names_in(programs) if name.split("/")[0] in ("dress", *places)}
    for game, place in product(games(), places):
        folder = templates_of(game, place)
        found |= {f"{place}/{game}/{name}": folder / name for name in names_in(folder)}
    alike = {name.partition("/")[2]: path for name, path in found.items() if name.startswith(f"{SHARED}/")}
    return {f"{language}/{name}": path for language in languages() for name, path in alike.items()} | found


def names_in(folder: Path) -> list[str]:
    """Return the paths of all templates in a folder, relative to the folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob(f"*{SUFFIX}"))


def hint_at(name: str, known: list[str]) -> Hint:
    """Return a hint that names the template that the moderator may have meant. Return an empty hint if no name is
    similar."""
    try:
        Names(known).find(name)
    except NameFault as fault:
        return fault.hint
    return ""


def parse_template(path: Path, name: str) -> nodes.Template:
    """Return the syntax tree of a template. Raises `Refused` if the template cannot be parsed."""
    try:
        return Environment(autoescape=True).parse(path.read_text("utf-8"), name)
    except TemplateSyntaxError as error:
        what = wrong("E-TEMPLATE.syntax", why=error.message) if error.message else wrong("E-TEMPLATE.text")
        raise refusal(name, what, error.lineno) from None
    except UnicodeDecodeError:
        raise refusal(name, wrong("E-TEMPLATE.utf8")) from None


def outline(path: Path, name: str) -> Outline:
    macros: dict[str, tuple[str, ...]] = {}
    tables: dict[str, frozenset[str]] = {}
    for node in parse_template(path, name).body:
        match node:
            case nodes.Macro(name=macro, args=parameters):
                macros[macro] = tuple(each.name for each in parameters)
            case nodes.Assign(target=nodes.Name(name=table), node=value) if table.isupper():
                pairs = value.items if isinstance(value, nodes.Dict) else []
                tables[table] = frozenset(str(pair.key.value) for pair in pairs if isinstance(pair.key, nodes.Const))
    return Outline(macros, tables)


def check_outline(wanted: Outline, found: Outline, name: str) -> None:
    """Raise `Refused` if a template does not have all macros, parameters, tables and keys of the program's template.
    Templates of whole letters (`WHOLE`) need not have them."""
    if name.split("/")[-1].partition(".")[0] in WHOLE:
        return
    for macro, parameters in wanted.macros.items():
        if macro not in found.macros:
            raise refusal(name, wrong("E-TEMPLATE.macro", macro=macro))
        if len(found.macros[macro]) < len(parameters):
            raise refusal(name, wrong("E-TEMPLATE.parameters", macro=macro, parameters=parameters))
    for table, keys in wanted.tables.items():
        if table not in found.tables:
            raise refusal(name, wrong("E-TEMPLATE.table", table=table))
        if missing := sorted(keys - found.tables[table]):
            raise refusal(name, wrong("E-TEMPLATE.keys", table=table, keys=tuple(missing)))


def refusal(name: str, fault: Wrong, line: int = 0) -> Refused:
    """Return the refusal of a template because of a fault on a line. Line 0 means the whole template."""
    return Refused(f"{FOLDER}/{name}", [Fault.at(line, 1, fault) if line else fault])


def refusal_of(error: Exception, folder: Path) -> Refused | None:
    """Return an error in a template as a refusal that names file and line. Return None if the error is a refusal
    already, or if it does not come from a template."""
    if isinstance(error, Refused):
        return None
    places = template_places(error, {folder: FOLDER, resource("templates"): "(the program's)"})
    is_of_templates = isinstance(error, TemplateError) or isinstance(getattr(error, "obj", None), TemplateModule)
    own = [place for place in places if place[0].startswith(FOLDER)]
    if not own and not is_of_templates:
        return None
    source, line = (own or places or [(FOLDER, 1)])[-1]
    return Refused(source, [Fault.at(line, 1, wrong(CODE, why=error_text(error)))])


def is_of_templates(error: Exception) -> bool:
    used = current_templates()
    return used is not None and refusal_of(error, used.folder) is not None


def error_text(error: Exception) -> Words | str:
    """Return the reason for an error, in words that the moderator understands."""
    match error:
        case TemplateError():
            return str(error)
        case MemoryError():
            return words("template-memory")
        case RecursionError():
            return words("template-endless")
    return f"{type(error).__name__}: {error}"


def template_places(error: Exception, folders: Mapping[Path, str]) -> list[tuple[str, int]]:
    """Return the file and line of each template through which an error has passed, the innermost last. `folders` maps
    folders to the names that they have in the result."""
    found = []
    for frame, line in walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        for folder, called in folders.items():
            if path.is_relative_to(folder):
                found.append((f"{called}/{path.relative_to(folder).as_posix()}", line))
    return found
