"""The table of faults has what the code raises and nothing else, in every language with the same gaps."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from pbem.campaign.ledger.proposals import SUBJECTS
from pbem.campaign.settings import conduct_choices
from pbem.faults.wrong import ENGLISH, Line, Row, rows, words, wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.letter_kinds import KINDS
from pbem.report.language.templates import languages
from tests.faults.reference import faults, page
from tests.report.golden import check_file
from tests.sources import source_of

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"[EW]-[A-Z0-9]+(?:-[A-Z0-9]+)*(?:\.[a-z0-9-]+)?")


@cache
def constants(room: str) -> frozenset[str]:
    """The texts in the code of a room."""
    return frozenset().union(*(source_of(path).texts for path in (ROOT / "pbem" / room).rglob("*.py")))


def gaps(sentence: str) -> set[str]:
    """The names of the gaps of a sentence."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_every_code_stands_in_the_table() -> None:
    known = rows(ENGLISH).keys() | {key.partition(".")[0] for key in rows(ENGLISH)}
    assert {text for text in constants(".") if CODE.fullmatch(text)} - known == set()


def test_the_table_has_nothing_else() -> None:
    joints = {"and", "or", "others"}
    letters = {f"letter-{kind}" for kind in KINDS}
    subjects = {f"subject-{each}" for each in SUBJECTS}
    conduct = {
        f"conduct-{name}.{value.replace(' ', '-')}" for name, every in conduct_choices().items() for value in every
    }
    assert {key for key in rows(ENGLISH) if key not in constants(".")} - joints - letters - subjects - conduct == set()


def test_every_code_is_named_by_a_test() -> None:
    """A new fault needs a test that raises it; `pytest -p tests.faults.raised` lists wordings that nothing raises."""
    folder = ROOT / "tests"
    files = [path for kind in ("py", "yaml", "txt") for path in folder.rglob(f"*.{kind}") if "golden" not in path.parts]
    named = {code.partition(".")[0] for path in files for code in CODE.findall(path.read_text("utf-8", "replace"))}
    assert {key.partition(".")[0] for key in faults()} - named == set()


def test_every_wording_of_a_position_is_named_by_a_test() -> None:
    named = {key for path in (ROOT / "tests").rglob("test_*.py") for key in CODE.findall(path.read_text("utf-8"))}
    assert {key for key in faults() if key.startswith("E-POSITION.")} - named == set()


@pytest.mark.parametrize("language", languages())
def test_no_wording_stands_twice(language: str) -> None:
    """The later file would win, and whoever changes the other wonders."""
    folder = ROOT / "templates" / language
    files = [*folder.glob("faults/*.yaml"), *folder.glob("*/faults.yaml")]
    found = Counter(key for file in files for key in re.findall(r"^([\w.-]+):", file.read_text("utf-8"), re.MULTILINE))
    assert [key for key, count in found.items() if count > 1] == []


def test_every_fault_has_a_rule() -> None:
    assert [key for key in faults() if not rows(ENGLISH)[key].rule] == []


@pytest.mark.parametrize("language", sorted(set(languages()) - {ENGLISH}))
def test_every_language_has_every_wording_with_its_gaps(language: str) -> None:
    def shape(row: Row) -> tuple[set[str], set[str], bool, set[str], bool]:
        return gaps(row.says), gaps(row.hint), bool(row.hint), gaps(row.desk), bool(row.desk)

    english = {key: shape(row) for key, row in rows(ENGLISH).items()}
    assert {key: shape(row) for key, row in rows(language).items()} == english


def test_the_page_is_what_the_table_says() -> None:
    check_file(ROOT / "docs/faults.md", page())


def test_a_fault_is_told_in_the_language_of_its_reader() -> None:
    fault = wrong("E-MARCH-ROAD", here="Prag", city="Wien", way=("Tabor", "Linz", "Wien"))
    told = "a.yaml: E-MARCH-ROAD no road joins Prag and Wien (§10.1) — by road: Tabor, Linz, Wien"
    assert fault.message_line("a.yaml") == told
    assert "keine Straße" in fault.message_line("a.yaml", "de")
    assert fault.message_line("a.yaml", "eo") == fault.message_line("a.yaml")
    assert wrong("E-MARCH-ROAD", rule="§4", here="A", city="B", way=()).section == "§4"


def test_a_place_is_told_where_there_is_one() -> None:
    what = wrong("E-YAML-DUPLICATE", key="'a'", first=Line(2), second=Line(4))
    assert what.place == ""
    fault = Fault.at(4, 7, what).with_offset(10, 2)
    assert fault.message_line("a.yaml").startswith(
        "a.yaml:14:9: E-YAML-DUPLICATE the key 'a' is given twice: on line 12 and"
    )
    assert what.data() | {"line": 14, "column": 9} != fault.data()
    assert Fault.at(0, 0, what).with_offset(10, 2).place == ""


def test_names_are_joined_as_the_language_does() -> None:
    names = words("did-you-mean", names=("A", "B", "C"))
    assert names.text() == "did you mean A, B or C?"
    assert "A, B oder C" in names.text("de")
    assert "or one of 2 others" in words("did-you-mean", names=tuple("ABCDEFG")).text()
