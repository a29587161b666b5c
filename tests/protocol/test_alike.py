"""Kinds of letters, options of conduct and terms are the same in the program, on its pages, and in the second verifier.

For a new one these tests name all other places that need it (CONTRIBUTING, How to add).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import fields

from pbem.campaign.clock.clock import Bank, Clock
from pbem.campaign.ledger.entries import as_texts, kinds_in
from pbem.campaign.letters.judging import JUDGES
from pbem.campaign.settings import Conduct, conduct_choices
from pbem.faults.wrong import ENGLISH, rows
from pbem.paper.letter_kinds import APART, KINDS, LETTERS, MODERATORS, PRIVATE_KINDS, STAGED, Kind
from pbem.paper.library import FILES, term_keys
from pbem.report.language.templates import languages
from pbem.report.letters.invitations import invitation_data
from pbem.resources import OURS
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable
from tests.protocol import second, second_beside, second_offers
from tests.protocol.second_entries import CLOCK, CONDUCT, EVENT_TYPES
from tests.report.plain import letter_text

DOCS = Path(__file__).parents[2] / "docs"
PROTOCOL, CAMPAIGNS, POSITIONS = (
    (DOCS / f"{name}.md").read_text("utf-8") for name in ("protocol", "campaigns", "positions")
)
PLAYERS = set(KINDS) - MODERATORS
"""Kinds of letters that players write."""


def table(page: str, head: str) -> list[list[str]]:
    """Rows of the table with this head line, without code marks."""
    body = page.split(f"{head}\n")[1].split("\n\n")[0].splitlines()[1:]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split(" | ")] for line in body]


def test_every_kind_of_letter_has_a_row() -> None:
    assert set(get_args(Kind)) == set(LETTERS)


def test_the_protocol_names_every_kind_of_letter() -> None:
    told = table(PROTOCOL, "| kind | staged | body |")
    assert {row[0] for row in told} == PLAYERS
    assert {row[0] for row in told if row[1] == "yes"} == STAGED - MODERATORS
    (entry,) = re.findall(r"^\| `letter` \| `player`, `kind`: (.*?);", PROTOCOL, re.MULTILINE)
    assert set(re.findall(r"`([\w-]+)`", entry)) == kinds_by_entry("letter")


def test_the_protocol_and_the_second_verifier_know_every_kind_of_the_moderators_letters() -> None:
    (told,) = re.findall(r"^The moderator's letters \((.*?)\)", PROTOCOL, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", told)) == MODERATORS
    rows = table(PROTOCOL, "| key | what it says |")
    keys = {key for row in rows[1:] for key in row[0].split(", ")}
    assert keys == second_offers.KEYS | second_offers.OPTIONAL


def kinds_by_entry(entry: str) -> set[str]:
    """Kinds of letters that make such an entry of the ledger."""
    return {kind for kind, facts in LETTERS.items() if facts.entry == entry}


def test_the_program_judges_every_kind_of_letter() -> None:
    assert set(JUDGES) == PLAYERS - kinds_by_entry("join")


def test_the_second_verifier_knows_every_kind_of_letter() -> None:
    assert set(second.TAKERS_OF_LETTERS) == kinds_by_entry("letter")
    assert set(second.Campaign.STAGED) == STAGED - MODERATORS
    assert set(second.Campaign.APART) == APART
    assert set(second.Campaign.PRIVATE) == PRIVATE_KINDS


def test_every_kind_of_letter_has_a_name_in_words() -> None:
    """`tests/faults/test_table.py` holds the other languages to the English rows."""
    assert {f"letter-{kind}" for kind in PLAYERS} <= rows(ENGLISH).keys()


def test_the_page_names_every_option_of_conduct() -> None:
    told = {
        row[0]: tuple(row[1].split(", "))
        for row in table(CAMPAIGNS, "| `conduct` | values, the usual one first | what for |")
    }
    assert set(told) == {field.name for field in fields(Conduct)}
    assert {name: told[name] for name in conduct_choices()} == conduct_choices()


AS_USUAL = {name: values[0] for name, values in conduct_choices().items()}


def test_the_second_verifier_knows_every_option_of_conduct() -> None:
    assert CONDUCT(AS_USUAL | {"stand_in": "sensible/1"})
    assert not CONDUCT(AS_USUAL | {"unheard-of": "yes"})
    for name, values in conduct_choices().items():
        assert all(CONDUCT(AS_USUAL | {name: value}) for value in values), name
        assert not CONDUCT(AS_USUAL | {name: "unheard-of"}), name
    given = {field.name for field in fields(Conduct) if isinstance(field.default, str)}
    for name in AS_USUAL:
        assert CONDUCT({key: value for key, value in AS_USUAL.items() if key != name}) == (name not in given), name


def test_the_page_and_the_second_verifier_know_every_setting_of_the_clock() -> None:
    absent = (DOCS / "absent.md").read_text("utf-8")
    (block,) = re.findall(r"```yaml\nclock:\n(.*?)```", absent, re.DOTALL)
    assert set(re.findall(r"^  (\w+):", block, re.MULTILINE)) == {field.name for field in fields(Clock)}
    usual = as_texts(Clock())
    terms: dict[str, Tree] = {"start": "10d", "add": "1d", "most": "15d"}
    assert CLOCK(usual)
    assert CLOCK(usual | {"bank": terms})
    assert CLOCK(as_texts(Clock(bank=Bank("10d", "1d", "15d"))))
    assert not CLOCK(usual | {"bank": terms | {"most": "much"}})
    assert not CLOCK(usual | {"bank": {"start": "10d"}})
    assert not CLOCK(usual | {"unheard-of": "yes"})


@pytest.fixture(scope="module")
def invitation(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    table = SimulatedTable(tmp_path_factory.mktemp("alike") / "campaign")
    with table.open() as campaign:
        return invitation_data(campaign.public, "louis", campaign.rules.seats, "token")


@pytest.mark.parametrize("language", languages())
def test_invitations_tell_every_option_of_conduct(invitation: dict[str, object], language: str) -> None:
    for name, values in conduct_choices().items():
        agreed = [invitation | {"language": language, "conduct": AS_USUAL | {name: value}} for value in values]
        assert len({letter_text(each) for each in agreed}) == len(values), name


@pytest.mark.parametrize("game", OURS)
def test_the_page_on_positions_names_every_term(game: str) -> None:
    told = set(re.findall(r"^\| `([a-z ]+)` \|", POSITIONS, re.MULTILINE))
    assert set(term_keys(game)) <= told


def test_the_terms_that_name_files_are_known_to_all() -> None:
    assert second_beside.FILES == FILES
    (told,) = re.findall(r"name under (.*?) is among `files`", PROTOCOL)
    assert set(re.findall(r"`([a-z ]+)`", told)) == set(FILES)


def test_the_second_verifier_knows_every_event() -> None:
    kinds = {name: kind for game in OURS for name, kind in kinds_in(game).items()}
    ours = {name: kind for name, kind in kinds.items() if kind.__module__.startswith("pbem.") and not kind.private}
    assert set(ours) == set(EVENT_TYPES)
    for name, kind in ours.items():
        public = {each.name: type(None) not in get_args(each.type) for each in fields(kind)}
        public = {field: must for field, must in public.items() if field not in kind.secrets}
        assert EVENT_TYPES[name] == {"type": True, **public}, name
