"""`pbem record`: every line as its schema says, nothing that is secret before the close, and the game once more."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from pbem.campaign.disk.folder import open_folder
from pbem.campaign.founding import opener_of, rules_of
from pbem.campaign.play import adjudicating, rulings
from pbem.cli import main
from pbem.engine.table import digest
from pbem.kit import game_of
from pbem.record.schema import schema, schema_text
from pbem.report.telling import told_data
from tests.campaign import test_standing_in as standing_in
from tests.campaign.simulated import HOUR, SimulatedTable
from tests.campaign.test_standing_in import BOT, SEAT
from tests.record.reading import check, recorded
from tests.report.golden import check_file

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """A game that is played a while, turned back, and played on."""
    table = SimulatedTable(tmp_path_factory.mktemp("recorded") / "campaign", scenario="introductory").begun()
    table.play(9)
    with table.open() as campaign:
        entry = campaign.public.since
        campaign.save()
    table.play(4)
    with table.open() as campaign:
        campaign.now += timedelta(hours=1)
        rulings.rollback(campaign, entry, "a misunderstanding")
        table.now = campaign.now
        campaign.save()
    table.play(6)
    return table


@pytest.fixture(scope="module")
def closed(table: SimulatedTable, tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """The same, closed."""
    other = table.copied(tmp_path_factory.mktemp("closed") / "campaign")
    other.close("far enough")
    return other


def test_the_schema_beside_the_page_is_that_of_the_program() -> None:
    check_file(DOCS / "record.schema.json", schema_text())
    done = CliRunner().invoke(main, ["record", "--schema"])
    assert done.stdout == schema_text()


def test_every_line_of_a_closed_campaign_is_as_the_schema_says(closed: SimulatedTable) -> None:
    lines = recorded(str(closed.root))
    for line in lines:
        check(line)
    whole = jsonschema.Draft202012Validator(schema())
    for line in lines[:: len(lines) // 9]:
        whole.validate(line)
    assert [line["type"] for line in lines[:2]] == ["Begins", "Happened"]
    assert lines[0]["tells"] == "everything"
    assert lines[-1]["type"] == "Ends"
    assert not lines[-1]["over"]


def test_what_is_wrong_in_a_line_the_schema_finds(closed: SimulatedTable) -> None:
    line = next(line for line in recorded(str(closed.root)) if line["type"] == "Decided" and line["events"])
    for broken in (
        line | {"type": "Decides"},
        line | {"number": "3"},
        line | {"by": "somebody"},
        line | {"events": [{"type": "Nothing"}]},
        line | {"decision": line["decision"] | {"power": 3}},
        {key: value for key, value in line.items() if key != "digest"},
    ):
        assert not jsonschema.Draft202012Validator(schema()).is_valid(broken)


def test_a_record_is_the_game(closed: SimulatedTable) -> None:
    """Digests and numbers go on behind a rollback from the position that counts again."""
    lines = recorded(str(closed.root))
    decided = [line for line in lines if line["type"] == "Decided"]
    (back,) = (line for line in lines if line["type"] == "TurnedBack")
    before = [line for line in decided if line["entry"] <= back["to"]]
    behind = [line for line in decided if line["entry"] > back["entry"]]
    assert before[-1]["number"] == back["number"]
    assert behind[0]["number"] == back["number"] + 1
    assert lines[-1]["decisions"] == decided[-1]["number"]
    with closed.open() as campaign:
        assert campaign.state.table is not None
        assert decided[-1]["digest"] == digest(campaign.state.table.state)
        assert lines[-1]["turn"] == campaign.state.table.state.turn
    assert {line["by"] for line in decided} == {"player"}
    for line in decided:
        assert {*line["answer"]} == {line["form"]["section"]} if line["form"] else line["decision"] is None


def test_which_bot_has_answered_is_told(tmp_path: Path) -> None:
    """One stands in, its player comes back, and it gets the seat: what persons answer has no bot."""
    table, bounds = standing_in.begun(tmp_path / "campaign"), []
    with table.open() as campaign:
        standing_in.away(campaign, 21)
        standing_in.go_on(table, campaign, 2)
        bounds.append(campaign.public.entry)
        standing_in.until_asked(table, campaign)
        table.deliver(campaign, table.write(campaign, SEAT))
        standing_in.people_order(table, campaign)
        campaign.now += HOUR
        adjudicating.adjudicate(campaign)
        bounds.append(campaign.public.entry)
        rulings.substitute_bot(campaign, SEAT, BOT, "gone for good")
        standing_in.until_asked(table, campaign)
        standing_in.go_on(table, campaign)
        standing_in.closed(table, campaign)
    table.close("far enough")
    lines = recorded(str(table.root))
    for line in lines:
        check(line)
    decided = [line for line in lines if line["type"] == "Decided"]
    of_seat = [line for line in decided if line["player"] == SEAT]
    assert {(sum(line["entry"] > bound for bound in bounds), line.get("bot")) for line in of_seat} == {
        (0, BOT),
        (1, None),
        (2, BOT),
    }
    assert not any("bot" in line for line in decided if line["player"] != SEAT)


def test_before_the_close_there_is_nothing_but_what_everybody_may_know(table: SimulatedTable) -> None:
    lines = recorded(str(table.root))
    for line in lines:
        check(line)
    assert lines[0]["tells"] == "what everybody may know"
    assert {line["type"] for line in lines} == {"Begins", "Happened", "TurnedBack", "Ends"}
    told = [event for line in lines if line["type"] == "Happened" for event in line["events"]]
    hidden = [event for event in told if event["type"] in ("CardsDrawn", "TroopsAllotted")]
    assert hidden
    assert not [event for event in hidden if event.get("cards") or event.get("troops")]


def test_what_is_public_stands_in_both(table: SimulatedTable, closed: SimulatedTable) -> None:
    def marches(root: Path) -> list[dict[str, Any]]:
        told = (event for line in recorded(str(root)) for event in line.get("events", ()))
        return [event for event in told if event["type"] == "Marched"]

    assert marches(table.root) == marches(closed.root) != []


def test_the_same_bytes_in_a_file_or_printed(closed: SimulatedTable, tmp_path: Path) -> None:
    out = tmp_path / "new" / "game.jsonl"
    assert recorded(str(closed.root), "-o", str(out)) == []
    assert out.read_bytes() == CliRunner().invoke(main, ["record", str(closed.root)]).stdout_bytes
    assert [path.name for path in out.parent.iterdir()] == ["game.jsonl"]


def test_of_a_campaign_that_is_not_sound_no_file_is_left(closed: SimulatedTable, tmp_path: Path) -> None:
    other = closed.copied(tmp_path / "campaign")
    (other.root / "state.yaml").write_text("nothing")
    done = CliRunner().invoke(main, ["record", str(other.root), "-o", str(tmp_path / "game.jsonl")])
    assert done.exit_code == 1
    assert "E-EXPORT-UNSOUND" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["campaign"]


def test_events_are_told_as_everywhere(closed: SimulatedTable) -> None:
    folder = open_folder(closed.root)
    rules = rules_of(folder, closed.settings)
    with closed.open() as campaign:
        set_up = opener_of(folder, closed.settings)(rules, campaign.state.table.dealer)  # type: ignore[union-attr]
    events = game_of(set_up).advance(set_up)
    assert recorded(str(closed.root))[1]["events"] == [told_data(rules, event) for event in events]
