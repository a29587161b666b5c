"""The same files make the same page."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from types import CodeType

import pytest
from jinja2 import Environment

import pbem
from pbem.desk import bundle, pressing, runtime
from pbem.desk.page import dense_text
from pbem.desk.pressing import imports_of, needed_files, pack, packed_files
from pbem.report.language import templates
from pbem.resources import games
from tests.desk.again import a_part, alike

SOURCES = {
    "a/__init__.py": b"",
    "a/one.py": b"import a.two\ndef later():\n    from a import three\nif __name__ == '__main__':\n    import a.four\n",
    "a/two.py": b"from . import five\n",
    "a/three.py": b"",
    "a/four.py": b"",
    "a/five.py": b"",
}


def test_only_what_is_imported_is_carried() -> None:
    assert needed_files(SOURCES, ("a.one",), ()) == {"a/__init__.py", "a/one.py", "a/two.py", "a/five.py"}
    assert needed_files(SOURCES, ("a.one",), ("a",)) == {*SOURCES} - {"a/four.py"}
    assert set(imports_of(b"from .. import x\n", "a.b", within=False)) == {"a", "a.x"}


def test_the_page_begins_without_what_commands_need() -> None:
    code = "import sys, pbem.desk.bridge; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert "pbem.desk.bridge" in loaded
    assert not loaded & {"click", "rich", "pbem.cli", "pbem.console"}


def test_nothing_that_the_page_carries_asks_for_them_later() -> None:
    sources = {f"pbem/{name}": data for name, data in bundle.modules_below(Path(pbem.__file__).parent).items()}
    begin = (*pressing.BEGIN, *(f"{game}.{part}" for game in games().values() for part in pressing.PARTS_OF_GAMES))
    carried = needed_files(sources, begin, ("pbem",))
    assert "pbem/player/checking.py" in carried
    assert not [name for name in carried if name.startswith(("pbem/cli/", "pbem/console/"))]
    named = {other for name in carried for other in imports_of(sources[name], "pbem", within=True)}
    assert not named & {"click", "rich"}


def test_a_module_loses_what_only_its_readers_need() -> None:
    told = b'"""About it."""\nX = 1\n"""About X."""\ndef f():\n    """About f."""\n    return 2\n'
    bare = b"\nX = 1\n\ndef f():\n\n    return 2\n"
    assert pressing.compiled_file("m.py", told) == pressing.compiled_file("m.py", bare)
    assert pressing.compiled_file("data.yaml", told) == told


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Folder of a cache without compiled templates; those of this process are forgotten before and behind."""
    monkeypatch.delenv("PBEM_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget_templates()
    yield tmp_path / "pbem"
    forget_templates()


def forget_templates() -> None:
    templates.language_environment.cache_clear()
    templates._compiled.cache_clear()


def test_every_template_is_compiled_once_and_all_are_carried(forgotten: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[tuple[str, str]] = []

    def short(_: Environment, source: str, name: str, file: str) -> CodeType:
        compiled.append((name, file))
        return compile("", file, "exec")

    monkeypatch.setattr(Environment, "compile", short)
    for language, game in product(templates.languages(), games()):
        pressing.warm_templates(language, game)
    assert len(compiled) == len({*compiled})
    assert len([*forgotten.glob("template-*")]) == len(compiled) > 300


def test_a_pack_is_unpacked_as_it_was() -> None:
    files = {"b": b"12", "a/c": b"", "a": bytes(range(256))}
    assert dict(packed_files(pack(files))) == files


def test_the_text_of_the_page_gives_its_bytes_back_and_can_begin_no_element() -> None:
    for length in (0, 1, 6, 7, 8, 256 * 9):
        data = bytes((9 * each + each // 256) % 256 for each in range(length))
        text = dense_text(data)
        assert not set("\0\r<") & {*text}
        seven = [ord(each) & 127 for each in text]
        count = len(text) // 8 * 7
        found = bytes(seven[at] | (seven[count + at // 7] >> at % 7 & 1) << 7 for at in range(count))
        assert found == data + bytes(-length % 7)


def test_the_text_of_the_page_is_a_sixth_longer_than_its_bytes() -> None:
    data = Random(1).randbytes(70_000)
    assert len(dense_text(data).encode()) < len(data) * 1.18


@pytest.mark.skipif(os.environ.get("CI") != "true", reason="presses a part of the page once more")
def test_the_same_files_make_the_same_page(page_file: Path) -> None:
    archives = runtime.archives()
    given = bundle.press_input(archives)
    page = bundle.compiled_modules(given)
    assert gzip.decompress(bundle.payload(archives)) == bundle.page_pack(archives, page)
    assert alike(page, bundle.press_output(a_part(given, 8))) > 40
