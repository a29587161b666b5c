"""Reports keep secrets: whoever may not know a thing reads the very same report if it is otherwise.

And what people write keeps to its place: no name and no message can pass for something of the moderator's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.chain import Head
from pbem.campaign.ledger.records import AgreementRecord, RulingRecord, SubstituteRecord
from pbem.campaign.news import EntryNote
from pbem.campaign.play import adjudicating
from pbem.campaign.settings import OBSERVER
from pbem.engine.field import alter
from pbem.kit import game_of
from pbem.paper.letters import read_letter, sign_letter
from pbem.post.extract import extract
from pbem.report.blocks import parsed_blocks
from pbem.report.formats.escaping import as_quotation, one_line
from pbem.report.formats.pages import text
from pbem.report.language.templates import WIDTH
from pbem.report.letters.report import report_data
from pbem.report.letters.signed import report_letter
from pbem.seal.keys import new_key
from tests.report.plain import letter_text

from .campaign_table import SEATS, OpenTable, before_every_stage, send
from .test_secrets import others_otherwise

KEY = new_key("moderator")
HEAD = Head(1, "0" * 64)


def everything(briefing: Briefing) -> tuple[dict[str, Any], str, str]:
    """All that a reader gets, but for the hash of the ledger, which stands for everything that is sealed."""
    data = report_data(replace(briefing, head=HEAD, moderator=KEY.public.text))
    return data, letter_text(data), report_letter(data, KEY)


@pytest.mark.parametrize("scenario", ["introductory", "advanced", "silesia-gambit"])
def test_reports_of_positions_that_differ_in_secrets_of_others(tmp_path: Path, scenario: str) -> None:
    """The whole position is another as far as the reader cannot know it: hands, troops, decks, covered cards."""
    table = OpenTable(tmp_path, scenario=scenario)
    table.join()
    compared = 0

    def look(campaign: Campaign) -> None:
        nonlocal compared
        for told in briefings(campaign).values():
            if len(told.powers) in (1, 2) and told.orders.asked and told.table.state.duel is None:
                power = told.powers[0]
                other = others_otherwise(told.table, power) if len(told.powers) == 1 else twin_of(told)
                view = game_of(other).view(other, told.powers)
                assert everything(told) == everything(replace(told, table=other, view=view))
                compared += 1
        campaign.vault.posted = campaign.state.snapshot()

    before_every_stage(table, look, most=16)
    assert compared >= 8


def twin_of(briefing: Briefing) -> Any:
    """The position with everything else that a player of two powers must not know."""
    first, second = briefing.powers
    other = others_otherwise(briefing.table, first)
    other.state.cards.hands[second] = list(briefing.table.state.cards.hands[second])
    for index in briefing.table.rules.common.generals(second):
        alter(other.state.field, index, troops=briefing.table.state.field.pieces[index].troops)
    if other.state.affairs is not None and second in briefing.table.state.affairs.covered:
        other.state.affairs.covered[second] = list(briefing.table.state.affairs.covered[second])
    return other


def allotted_otherwise(sheet: str) -> str:
    """The sheet with a troop of one general given to another."""
    lines = sheet.splitlines()
    for general, troops in (("Karl von Lothringen", 6), ("Traun", 4)):
        place = next(index for index, line in enumerate(lines) if line.strip().startswith(f"{general}: "))
        lines[place] = f"        {general}: {troops}"
    return "\n".join(lines) + "\n"


def test_campaigns_that_differ_in_somebody_elses_orders(tmp_path: Path) -> None:
    """Two campaigns, the same in everything, but that Austria allocates its troops in another way."""
    both = []
    keys = {seat: new_key(seat) for seat in SEATS}  # a report names its reader's key
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        table = OpenTable(tmp_path / name, scenario="introductory")
        for seat, key in keys.items():
            table.players[seat].key = key
        table.join()
        with table.open() as campaign:
            adjudicating.adjudicate(campaign)
            sheets = {reader: report_data(told)["sheet"] for reader, told in briefings(campaign).items()}
            if name == "other":
                sheets["maria-theresa"] = allotted_otherwise(sheets["maria-theresa"])
            for player in table.players:
                table.deliver(campaign, sign_letter(sheets[player], table.players[player].key))
            adjudicating.adjudicate(campaign)
            both.append(briefings(campaign))
    one, other = both
    noted = {note.entry: note for note in one["louis"].news.notes}
    for reader in ("louis", "frederick", OBSERVER):
        alike = replace(
            other[reader],
            news=replace(other[reader].news, notes=tuple(noted[note.entry] for note in other[reader].news.notes)),
            basis=one[reader].basis,  # the hash of an entry with commitments
        )
        assert everything(one[reader]) == everything(alike)
    assert everything(one["maria-theresa"])[1] != everything(other["maria-theresa"])[1]


HOSTILE = "Eve\n\npbem: 1\nkind: ruling\x1b[2J \u202eyou have lost\u2028SHA256:x"
LETTER = "pbem: 1\nkind: orders\ncampaign: vienna-1741\nfrom: louis\nstage: 1/hussars\nbasis: {}\nseq: 99\nbody:\n"


def test_names_and_reasons_keep_to_their_line(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        for told in briefings(campaign).values():
            hostile = (
                RulingRecord(HOSTILE, HOSTILE),
                SubstituteRecord("louis", "", HOSTILE, HOSTILE),
                AgreementRecord(("louis",), HOSTILE, ()),
            )
            notes = tuple(EntryNote(9, campaign.now, record) for record in hostile)
            owner = replace(told.settings.moderator, name=HOSTILE, seat="louis")
            settings = replace(told.settings, moderator=owner)
            players = dict.fromkeys(told.players, HOSTILE)
            text = letter_text(
                report_data(replace(told, news=replace(told.news, notes=notes), players=players, settings=settings))
            )
            assert not {"\x1b", "\u202e", "\u2028"} & set(text)
            assert [line for line in text.splitlines() if line.startswith(("kind: ruling", "Eve"))] == []
            assert "> kind: ruling" in text
            assert all(len(line) <= WIDTH for line in text.splitlines())


def test_a_letter_in_a_message_is_told_apart(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        inner = sign_letter(
            LETTER.format(campaign.public.basis[:24]) + "  orders: {}\n", table.players["frederick"].key
        )
        send(table, campaign, "frederick", "message", {"to": "all", "text": inner + "\n-- \nThe moderator"})
        told = briefings(campaign)
        for reader in ("louis", "maria-theresa"):
            text = letter_text(report_data(told[reader]))
            assert ">   -----BEGIN SSH SIGNATURE-----" in text
            assert "\n  -----BEGIN SSH" not in text
            plain = [found for found in extract(text.encode()).letters if not found.is_quoted]
            assert [read_letter(found.text.encode(), "x").sender for found in plain] == [reader]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Anna", "Anna"),
        ("Anna\r\n  Maria\t!", "Anna Maria !"),
        ("a\u200bb\x00", "a\\u{200b}b\\u{0}"),
        ("x" * 400, "x" * 299 + "…"),
        ("", ""),
    ],
)
def test_words_of_people_on_one_line(written: str, shown: str) -> None:
    assert one_line(written) == shown


def test_words_of_people_as_a_quotation() -> None:
    assert as_quotation("One.\r\n\r\n  Two.\n> three\n") == "> One.\n>\n>   Two.\n> > three"
    long = text(parsed_blocks(as_quotation("word " * 100 + "\n" + "y" * 300)))
    assert all(line.startswith("> ") and len(line) <= WIDTH for line in long.splitlines())
    assert as_quotation("").strip() == ">"
    endless = as_quotation("a\n" * 1000).splitlines()
    assert (len(endless), endless[-1]) == (401, "> …")
