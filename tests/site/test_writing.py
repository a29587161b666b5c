"""A site is written whole or not at all, in place of an earlier one, and of nothing else."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.campaign.disk.atomic import StorageFault
from pbem.cli import main
from pbem.site import export
from pbem.site.export import MARKER, write_site

FILES = {"index.html": b"one", "letters/0002.txt": b"two"}


def there(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_site_is_written_and_replaced_by_the_next_one(tmp_path: Path) -> None:
    target = tmp_path / "new" / "site"
    write_site(target, FILES)
    assert set(there(target)) == {*FILES, MARKER}
    write_site(target, {"index.html": b"later"})
    assert set(there(target)) == {"index.html", MARKER}
    assert there(target)["index.html"] == b"later"
    assert os.listdir(target.parent) == ["site"]


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    write_site(tmp_path / "site", FILES)
    assert (tmp_path / "site" / "index.html").read_bytes() == b"one"


@pytest.mark.parametrize("name", ["notes.txt", ".git", "letters/mine.txt"])
def test_a_folder_with_anything_else_in_it_is_left_alone(tmp_path: Path, name: str) -> None:
    target = tmp_path / "site"
    write_site(target, FILES)
    (target / name).write_text("mine")
    before = there(target)
    with pytest.raises(StorageFault) as caught:
        write_site(target, {"index.html": b"later"})
    assert caught.value.code == "E-EXPORT-TAKEN"
    assert name in str(caught.value.message)
    assert there(target) == before


def test_somebody_elses_folder_is_not_taken_for_an_export(tmp_path: Path) -> None:
    (tmp_path / MARKER).write_text("my exports to France\nindex.html\n")
    with pytest.raises(StorageFault, match="E-EXPORT-TAKEN"):
        write_site(tmp_path, FILES)


def test_a_link_is_not_followed_and_a_file_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_text("mine")
    for name, code in (("link", "E-DISK-LINK"), ("file", "E-DISK-KIND")):
        with pytest.raises(StorageFault, match=code):
            write_site(tmp_path / name, FILES)
    assert os.listdir(tmp_path / "real") == []


@pytest.mark.parametrize("fails", ["fill", "put_in_place"])
def test_what_cannot_be_written_leaves_the_old_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    target = tmp_path / "site"
    write_site(target, FILES)
    before = there(target)

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export, fails, broken)
    with pytest.raises(StorageFault, match="E-DISK-FULL"):
        write_site(target, {"index.html": b"later"})
    assert there(target) == before
    assert os.listdir(tmp_path) == ["site"]


def test_the_old_site_comes_back_if_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "site"
    write_site(target, FILES)
    before, rename = there(target), Path.rename

    def only_aside(self: Path, other: Path) -> Path:
        if self.suffix == ".new":
            raise OSError(13, "Permission denied")
        return rename(self, other)

    monkeypatch.setattr(Path, "rename", only_aside)
    with pytest.raises(StorageFault, match="E-DISK-DENIED"):
        write_site(target, {"index.html": b"later"})
    assert there(target) == before


def test_the_command_writes_a_site_and_says_what_is_in_it(running: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    result = CliRunner().invoke(main, ["export", str(target), "-C", str(running), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert set(told["written"]) | {MARKER} == set(there(target))
    assert (told["phase"], told["entries"]) == ("running", len(list((running / "ledger").iterdir())))
    again = CliRunner().invoke(main, ["export", str(target), "-C", str(running)])
    assert again.exit_code == 0
    assert str(target / "index.html") in again.output
    assert f", battles: {told['battles']}, " in again.output


def test_the_command_refuses_a_campaign_that_is_not_sound(running: Path, tmp_path: Path) -> None:
    false = Path(shutil.copytree(running, tmp_path / "false"))
    entry = sorted((false / "ledger").iterdir())[-1]
    entry.write_bytes(entry.read_bytes().replace(b"'", b'"', 1) + b"\n")
    result = CliRunner().invoke(main, ["export", str(tmp_path / "site"), "-C", str(false), "--json"])
    assert result.exit_code == 1
    assert json.loads(result.output)["refused"][0]["code"] == "E-EXPORT-UNSOUND"
    assert not (tmp_path / "site").exists()


def test_the_command_refuses_what_it_does_not_know(running: Path, tmp_path: Path) -> None:
    for options in (("--language", "xx"), ("--theme", "pink")):
        result = CliRunner().invoke(main, ["export", str(tmp_path / "site"), "-C", str(running), *options])
        assert result.exit_code == 2
    result = CliRunner().invoke(main, ["export", str(running), "-C", str(running)])
    assert result.exit_code == 1
    assert "E-EXPORT-TAKEN" in result.output
