"""The folder of a campaign: laid out anew only where nothing is, and nothing outside it is touched."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.disk.folder import FOLDERS, Folder, create, hold_folder, open_folder, store_raw
from tests.campaign.faulty import START, Faulty, Killed, full

SHA = hashlib.sha256(b"a letter").hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = create(tmp_path / "vienna")
    made.campaign.write_text("pbem: 1\n")
    return made


def test_a_new_folder(folder: Folder) -> None:
    assert sorted(os.listdir(folder.root)) == sorted([".gitattributes", ".gitignore", "campaign.yaml", *FOLDERS])
    assert open_folder(folder.root) == folder


def test_a_folder_that_is_in_use_is_not_taken(tmp_path: Path, folder: Folder) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("x")
    (tmp_path / "third" / "ledger").mkdir(parents=True)
    (tmp_path / "third" / "ledger" / "0001-new.yaml").write_text("x")
    for name, strange in (("vienna", "campaign.yaml"), ("other", "thesis.tex"), ("third", "ledger")):
        with pytest.raises(StorageFault, match=f"{strange} is in it") as told:
            create(tmp_path / name)
        assert told.value.code == "E-FOLDER-TAKEN"


def test_an_empty_folder_or_a_new_repository_will_do(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert create(tmp_path).ledger.is_dir()


@pytest.mark.parametrize("error", [Killed, full])
def test_a_creation_that_was_stopped_can_be_run_again(tmp_path: Path, error: type[BaseException]) -> None:
    disk = Faulty()
    create(tmp_path / "whole", disk)
    for at in range(disk.count):
        root = tmp_path / str(at)
        with pytest.raises((Killed, StorageFault)):
            create(root, Faulty(at, "half", error))
        create(root)
        assert sorted(os.listdir(root)) == sorted([".gitattributes", ".gitignore", *FOLDERS])


def test_what_is_no_campaign(tmp_path: Path) -> None:
    with pytest.raises(StorageFault) as told:
        open_folder(tmp_path)
    assert told.value.code == "E-FOLDER-NONE"


@pytest.mark.parametrize("name", [*FOLDERS, "state.yaml", "secret.age", "opened.json", "campaign.yaml"])
def test_links_that_lead_elsewhere_are_refused(tmp_path: Path, folder: Folder, name: str) -> None:
    path = folder.root / name
    if path.exists():
        path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageFault) as told:
        open_folder(folder.root)
    assert told.value.code == "E-DISK-LINK"


def test_a_file_in_place_of_a_folder_is_refused(folder: Folder) -> None:
    folder.raw.rmdir()
    folder.raw.write_text("x")
    with pytest.raises(StorageFault) as told:
        open_folder(folder.root)
    assert told.value.code == "E-DISK-KIND"


def test_what_was_received_is_kept_once(folder: Folder) -> None:
    path = store_raw(folder, b"sealed", SHA)
    assert path == folder.raw / f"{SHA}.age"
    store_raw(folder, b"sealed again, in other bytes", SHA)
    assert path.read_bytes() == b"sealed"
    assert os.listdir(folder.raw) == [f"{SHA}.age"]


@pytest.mark.parametrize("name", ["", "../x", "A" * 64, "a" * 63, "a" * 64 + "\n", "/etc/passwd"])
def test_only_a_hash_is_a_name(folder: Folder, name: str) -> None:
    with pytest.raises(StorageFault) as told:
        store_raw(folder, b"x", name)
    assert told.value.code == "E-DISK-NAME"


def test_no_more_is_kept_than_can_be_read(folder: Folder) -> None:
    with pytest.raises(StorageFault) as told:
        store_raw(folder, b"x" * (16 * 1024 * 1024 + 1), SHA)
    assert told.value.code == "E-DISK-SIZE"
    assert os.listdir(folder.raw) == []


def test_a_command_clears_away_what_a_killed_one_left(folder: Folder) -> None:
    for path in (folder.root, *(folder.root / name for name in FOLDERS)):
        (path / ".pbem-0123456789abcdef.tmp").write_text("half")
    with hold_folder(folder, "pbem adjudicate", START):
        assert list(folder.root.rglob("*.tmp")) == []


def test_what_must_not_be_published_is_not(folder: Folder) -> None:
    """Git's own word on which files of a campaign would be published."""
    private = [".lock", "outbox/0001/anna.eml", "id_ed25519", "moderator.key", ".pbem-0123456789abcdef.tmp"]
    public = ["campaign.yaml", "ledger/0001-new.yaml", "state.yaml", "secret.age", f"raw/{SHA}.age", "id_ed25519.pub"]
    try:
        subprocess.run(["git", "init", "-q", folder.root], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("git is not installed")
    command = ["git", "-C", str(folder.root), "check-ignore", "--no-index", *private, *public]
    ignored = subprocess.run(command, capture_output=True, text=True).stdout.split()
    assert ignored == private
