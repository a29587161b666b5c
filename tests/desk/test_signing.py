"""Letters that are signed at the desk: their numbers are those that a moderator takes."""

from __future__ import annotations

import json

import pytest

from pbem.desk.bridge import Bridge
from tests.cli.correspondence import Correspondence
from tests.desk.test_desk import ask
from tests.desk.test_sealing import begun, ordered


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    return begun(tmp_path_factory.mktemp("signing"))


def refused(bridge: Bridge) -> list[str]:
    """Sign what lies on the desk; gives the codes of what is wrong with it."""
    answer = json.loads(bridge.call("sign", "[]"))
    return [fault["code"] for fault in answer["refused"]]


def test_a_number_that_no_moderator_takes_is_told_and_not_signed(table: Correspondence) -> None:
    bridge, state = ordered(table, "louis")
    far = ask(bridge, "write", state["text"].replace("\nseq: 2\n", "\nseq: 1000000000\n"))
    assert [fault["code"] for fault in far["faults"]] == ["E-LETTER-SEQ"]
    assert refused(bridge) == ["E-LETTER-SEQ"]
    ask(bridge, "undo")
    assert ask(bridge, "sign")["signed"]
