"""The founding of a campaign, stopped at any instant, and run again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.disk.folder import LOCK
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.proof.verifying import verify
from pbem.paper.documents.faults import Refused
from pbem.seal.keys import new_key
from tests.campaign.faulty import Faulty, Killed, full
from tests.campaign.simulated import BEGIN, POSITION, SimulatedTable
from tests.campaign.test_ahead import FRANCE

SECRET = b"\x07" * 32
LATER = BEGIN + timedelta(days=1)


def plan_like(root: Path) -> NewCampaign:
    """The plan of a campaign with a position of its own, which is founded in this folder."""
    settings = SimulatedTable(root, position=FRANCE).settings
    return NewCampaign(settings, {POSITION: FRANCE.encode()}, {}, "test")


def bytes_below(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file() and path.name != LOCK)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def names_below(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*")}


@pytest.mark.parametrize(("error", "when"), [(Killed, "half"), (Killed, "behind"), (full, "half")])
def test_a_founding_that_was_stopped_can_be_run_again(
    tmp_path: Path, error: Callable[[], BaseException], when: str
) -> None:
    plan, key = plan_like(tmp_path / "like"), new_key("moderator")
    counted = Faulty()
    begin(tmp_path / "whole", plan, SECRET, key, BEGIN, counted)
    whole = names_below(tmp_path / "whole")
    for at in range(counted.count):
        root = tmp_path / f"{at}"
        with pytest.raises((Killed, StorageFault)):
            begin(root, plan, SECRET, key, BEGIN, Faulty(at, when, error))
        begin(root, plan, SECRET, key, LATER)
        assert names_below(root) == whole
        assert verify(root).is_good


def test_a_founding_removes_nothing_that_it_has_not_written(tmp_path: Path) -> None:
    plan, key = plan_like(tmp_path / "like"), new_key("moderator")
    for name, data in ((f"rules/{POSITION}", b"other"), ("ledger/0002-join.yaml", b""), ("rules/notes.txt", b"mine")):
        root = tmp_path / name.replace("/", "-")
        (root / name).parent.mkdir(parents=True)
        (root / name).write_bytes(data)
        (root / "secret.age").write_bytes(b"sealed")
        with pytest.raises(StorageFault):
            begin(root, plan, SECRET, key, BEGIN)
        assert names_below(root) >= {name, "secret.age"}
        assert (root / name).read_bytes() == data


def test_after_a_position_that_is_refused_the_folder_is_free(tmp_path: Path) -> None:
    plan, key = plan_like(tmp_path / "like"), new_key("moderator")
    wrong = replace(plan, files={POSITION: FRANCE.replace("turn: 2", "turn: 99").encode()})
    assert wrong.files != plan.files
    with pytest.raises(Refused):
        begin(tmp_path / "here", wrong, SECRET, key, BEGIN)
    begin(tmp_path / "here", plan, SECRET, key, BEGIN)
    assert verify(tmp_path / "here").is_good


def test_only_the_same_call_goes_on_with_what_was_begun(tmp_path: Path) -> None:
    plan, key = plan_like(tmp_path / "like"), new_key("moderator")
    counted = Faulty()
    begin(tmp_path / "whole", plan, SECRET, key, BEGIN, counted)
    before = bytes_below(tmp_path / "whole")
    begin(tmp_path / "whole", plan, SECRET, key, LATER)
    assert bytes_below(tmp_path / "whole") == before
    for root, at in ((tmp_path / "whole", 0), (tmp_path / "half", counted.count - 6)):
        if at:
            with pytest.raises(Killed):
                begin(root, plan, SECRET, key, BEGIN, Faulty(at, "half"))
        left = bytes_below(root)
        with pytest.raises(StorageFault) as told:
            begin(root, plan, SECRET, new_key("moderator"), LATER)
        assert told.value.code == "E-FOLDER-TAKEN"
        assert bytes_below(root) == left
    with pytest.raises(StorageFault):
        begin(tmp_path / "whole", replace(plan, addresses={"louis": "l@example.org"}), SECRET, key, LATER)


def test_settings_for_git_that_are_not_those_of_a_campaign_are_refused(tmp_path: Path) -> None:
    plan, key = plan_like(tmp_path / "like"), new_key("moderator")
    here = tmp_path / "here"
    here.mkdir()
    (here / ".gitignore").write_text("*.pyc\n")
    with pytest.raises(StorageFault, match=r"\.gitignore is in it"):
        begin(here, plan, SECRET, key, BEGIN)
    assert bytes_below(here) == {".gitignore": b"*.pyc\n"}
