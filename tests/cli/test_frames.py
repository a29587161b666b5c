"""Usage, headings and wrong use are told in the language of who types, by the library's words in the catalogues."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import click
import pytest
import yaml
from click.testing import CliRunner, Result

from pbem.cli import GROUPS, main
from pbem.resources import resource

LANGUAGES = ("de", "es", "it")

FOR_PROGRAMMERS = {
    "Argument {name!r} takes {nargs} values.",
    "Arguments take exactly one parameter declaration, got {length}: {decls}.",
    "Boolean option {decl!r} cannot use the same flag for true/false.",
    "Choice({choices})",
    "Confirm the action without prompting.",
    "Could not determine name for option with declarations {decls!r}",
    "DeprecationWarning: The command {name!r} is deprecated.{extra_message}",
    "DeprecationWarning: The {param_type} {name!r} is deprecated.{extra_message}",
    "Do you want to continue?",
    "Invalid start character for option ({option})",
    "Name '{name}' defined twice",
    "Press any key to continue...",
    "Unknown color {colour!r}",
    "Unknown standard stream '{name}'",
    "Value must be an iterable.",
    "directory",
    "file",
    "path",
    "{value!r} is not a valid UUID.",
}
"""Texts of the library about commands that are written wrongly, and names of kinds as `--help` has them."""

OURS = {*GROUPS, "required"}


def catalogue(language: str) -> dict[str, str]:
    found: dict[str, str] = yaml.safe_load((resource("templates") / language / "frames.yaml").read_bytes())
    return found


def texts_of_click() -> set[str]:
    """Every text that the library of this machine asks to have translated, of the modules that a command runs."""
    folder = Path(click.__file__).parent
    names = ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types")
    calls = (
        node
        for name in names
        for node in ast.walk(ast.parse((folder / f"{name}.py").read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext")
    )
    return {
        " ".join(each.value.split())
        for call in calls
        for each in call.args[:2]
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_may_be_shown_has_its_words(language: str) -> None:
    words = catalogue(language)
    shown = {text for text in texts_of_click() if "No options defined" not in text} - FOR_PROGRAMMERS
    assert shown | OURS <= words.keys()
    assert words.keys() == catalogue("de").keys()
    for said, told in words.items():
        assert gaps(told) <= gaps(said), said


def run(*words: str, **environment: str) -> Result:
    return CliRunner().invoke(main, words, env={"PBEM_LANGUAGE": "", **environment})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("rules", "--bad"),
            {"de": "Eine Option '--bad' gibt es nicht.", "es": "No existe la opción", "it": "non esiste"},
        ),
        (("map",), {"de": "Es fehlt das Argument 'POSITION'", "es": "Falta el argumento", "it": "Manca l'argomento"}),
        (("demo", "--turns", "x"), {"de": "'x' ist keine gültige Zahl", "es": "número válido", "it": "numero valido"}),
        (("demo", "--turns"), {"de": "Zur Option '--turns' fehlt", "es": "le falta el valor", "it": "manca il valore"}),
        (("map", "a", "b"), {"de": "zu viel: b", "es": "Sobra", "it": "di troppo"}),
        (("verify", "--all", "--report", "x"), {"de": "nur eines davon", "es": "da solo una", "it": "dai solo una"}),
        (("simulate", "--bots", "x=y"), {"de": "Spieler", "es": "jugador", "it": "giocatore"}),
        (("repot",), {"de": "gemeint war vielleicht report", "es": "querías decir report", "it": "intendevi report"}),
    ],
)
def test_wrong_use_is_told_in_one_language(language: str, words: tuple[str, ...], told: dict[str, str]) -> None:
    found = run(*words, PBEM_LANGUAGE=language)
    assert found.exit_code == 2
    assert told[language] in found.output
    for english in ("Usage:", "Try '", "Invalid", "Missing", "No such", "there is", "unexpected"):
        assert english not in found.output


def test_the_option_counts_even_where_the_command_line_cannot_be_read() -> None:
    for words in (("--language", "it"), ("--language=it",)):
        assert "Errore: L'opzione '--bad' non esiste." in run("rules", "maria", *words, "--bad").output
    assert "Errore" in run("rules", "maria", "--language", "it", "--bad", PBEM_LANGUAGE="de").output
    assert "Error: No such option" in run("rules", "maria", "--bad").output
    assert "Error: No such option" in run("rules", "maria", "--bad", PBEM_LANGUAGE="../../etc").output


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_has_the_headings_of_the_language(language: str) -> None:
    words = catalogue(language)
    told = run("--help", PBEM_LANGUAGE=language).output
    assert told.startswith(words["Usage:"])
    assert all(f"\n{words[heading]}:\n" in told for heading in ("Options", *GROUPS))
    assert f"\n{words['Commands']}:\n" in run("key", "--help", PBEM_LANGUAGE=language).output
