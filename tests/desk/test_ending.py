"""End of the war at the desk: its result, and that no letter is wanted any more; and votes that one has given."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.bridge import Bridge
from pbem.desk.opening import accept, open_file
from tests.cli.correspondence import SEATS, Correspondence
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask
from tests.desk.test_hosting import PLAN, Friends

PROPOSER, *VOTERS = SEATS


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign at its set-up, in which one seat has proposed to end the game as it stands."""
    table = Correspondence(tmp_path_factory.mktemp("ending"))
    table.begin()
    table.join()
    report = table.sent(f"{PROPOSER}.report.yaml")
    table.run("propose", "standing", "--report", report, "-o", "end.yaml", as_=PROPOSER)
    table.accept("end.yaml")
    table.post()
    return table


@pytest.fixture
def table(begun: Correspondence, tmp_path: Path) -> Correspondence:
    return begun.copied(tmp_path / "table")


def open_proposal(table: Correspondence) -> str:
    """Name of the proposal."""
    report = Path(table.sent(f"{VOTERS[0]}.report.yaml")).read_text("utf-8")
    found = re.search(r"name: (\d+-[0-9a-f]+)", report)
    assert found
    return found[1]


def carry(table: Correspondence) -> None:
    """Have everybody vote for the end, and post the reports of it."""
    name = open_proposal(table)
    for seat in VOTERS:
        report = table.sent(f"{seat}.report.yaml")
        table.run("vote", name, "yes", "--report", report, "-o", f"{seat}.yaml", as_=seat)
    table.accept(*(f"{seat}.yaml" for seat in VOTERS))
    table.post()


def desk_of(report: str, language: str = "en") -> tuple[Bridge, Any]:
    """A desk with a report on it, whose moderator is accepted, and what the page draws."""
    bridge = Bridge(language)
    open_file(bridge.desk, Path(report).read_bytes(), report)
    accept(bridge.desk)
    return bridge, bridge.desk.sitting()


RESULTS = {"en": "nobody has won", "de": "niemand hat gewonnen", "es": "nadie ha ganado", "it": "nessuno ha vinto"}


@pytest.mark.parametrize(("language", "said"), RESULTS.items())
def test_after_an_agreed_end_the_desk_asks_nothing_and_says_who_has_won(
    table: Correspondence, language: str, said: str
) -> None:
    before, _ = desk_of(table.sent("louis.report.yaml"))
    assert ask(before, "close")["asked"], "the set-up is asked"
    carry(table)
    report = table.sent("louis.report.yaml")
    assert "phase: over" in Path(report).read_text("utf-8")
    bridge, sitting = desk_of(report, language)
    assert said in sitting.result
    assert sitting.phase == "over"
    state = ask(bridge, "close")
    assert (state["asked"], state["faults"], state["missing"]) == ([], [], [])


def test_after_the_close_no_letter_is_judged_and_what_was_written_stays(table: Correspondence) -> None:
    before, _ = desk_of(table.sent("louis.report.yaml"))
    vote = ask(before, "vote", open_proposal(table), "yes")["text"]
    table.moderate("close", "--why", "enough")
    table.post()
    bridge, sitting = desk_of(table.sent("louis.report.yaml"))
    assert (sitting.phase, sitting.result) == ("closed", "")
    state = ask(bridge, "restore", {"orders": ask(bridge, "kept")["drafts"]["orders"], "vote": vote}, "vote")
    assert state["text"] == vote
    assert state["faults"] == []


def test_a_vote_is_told_as_soon_as_it_is_written(table: Correspondence) -> None:
    bridge, _ = desk_of(table.sent("louis.report.yaml"))
    name = open_proposal(table)
    assert ask(bridge, "close")["votes"] == {}
    assert ask(bridge, "vote", name, "yes")["votes"] == {name: {"says": "yes", "signed": False}}
    ask(bridge, "new_key", "")
    assert ask(bridge, "sign")["votes"] == {name: {"says": "yes", "signed": True}}
    assert ask(bridge, "take_up", "orders")["votes"] == {name: {"says": "yes", "signed": True}}
    assert ask(bridge, "vote", name, "no")["votes"] == {name: {"says": "no", "signed": False}}


def test_the_moderator_is_told_the_end_in_the_language_of_the_page() -> None:
    friends = Friends(PLAN)
    friends.join()
    friends.stage()
    assert ask(friends.host, "host_view")["result"] == ""
    proposer, voter = friends.pages
    for seat in friends.pages:
        ask(friends.pages[seat], "open", *friends.letter_to(seat))
    ask(friends.pages[proposer], "propose", "concede", voter, 3)
    friends.evening({"end.yaml": ask(friends.pages[proposer], "sign")["text"]})
    ask(friends.pages[voter], "open", *friends.letter_to(voter))
    motions = friends.pages[voter].desk.sitting().motions
    assert motions
    ask(friends.pages[voter], "vote", motions.open[0].name, "yes")
    friends.evening({"vote.yaml": ask(friends.pages[voter], "sign")["text"]})
    view = ask(friends.host, "host_view")
    assert view["phase"] == "over"
    assert view["result"].endswith("it is conceded. Won by Louis.")
    ask(friends.host, "speak", "de")
    assert "Das Spiel ist nach Übereinkunft zu Ende" in ask(friends.host, "host_view")["result"]


def test_on_the_page_a_vote_is_told_and_after_the_end_nothing_is_to_be_signed(
    sitter: Sitter, table: Correspondence
) -> None:
    sitter.open(table.sent("louis.report.yaml"))
    run = sitter.reader.run
    sitter.answer_like_a_bot()
    assert sitter.find("#prompt").text.endswith("Nothing more is asked but your vote.")
    assert sitter.find("#voting").text == "To vote on: 1"
    run("document.querySelector('[data-says=yes]').click()")
    voted = "return document.querySelector('#motions .voted').textContent"
    assert run(voted) == "Your letter votes: Yes. It is not signed yet: sign it and send it."
    assert run("return document.querySelector('[data-says=yes]').getAttribute('aria-pressed')") == "true"
    sitter.sign(str(table.root / "louis" / "key"))
    assert run(voted) == "Your letter votes: Yes. It counts once the moderator has it."
    assert sitter.find("#voting").text == ""
    carry(table)
    sitter.open(table.sent("louis.report.yaml"))
    assert sitter.find("#prompt").text.endswith("and nobody has won. No letter is wanted any more.")
    assert run("return document.getElementById('letter').hidden")
    assert run("return [...document.querySelectorAll('#done, #signing, #sign')].length") == 0
    # What lay there from before the end can be copied, and goes out in no way.
    run("show(ask('write', 'something'))")
    assert not run("return document.getElementById('letter').hidden")
    shown = run(
        "return [...document.querySelectorAll('#sending button')].filter((each) => !each.hidden).map((each) => each.id)"
    )
    assert shown == ["copy", "download"]
    assert run("return state.faults") == [], "no letter is wanted, so its number does not matter"
    assert sitter.find("#prompt").text.endswith("No letter is wanted any more.")
    assert sitter.reader.complaints() == []
