"""An archive on the desk, without a browser: what is taken in, what is found, and who may know what."""

from __future__ import annotations

import io
import json
import re
import struct
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.desk import archive
from pbem.desk.bridge import Bridge
from tests.desk.test_desk import ask, file_with

EXAMPLES = Path(__file__).parents[2] / "examples"
CLOSED, RUNNING = EXAMPLES / "vienna-1741", EXAMPLES / "potsdam-1756"
SECRET = ("secret.age", "letters/0004.age", "raw/0.age", "outbox/0004/louis.report.yaml", ".git/config")


def files_of(folder: Path, before: str = "") -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {f"{before}{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found}


def zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return out.getvalue()


def give(bridge: Bridge, files: Mapping[str, bytes]) -> Bridge:
    """Give an archive's files to the desk."""
    for name in ask(bridge, "archive", [*files]):
        ask(bridge, "give", name, file_with(files[name]))
    return bridge


def verified(files: Mapping[str, bytes], language: str = "en") -> tuple[Bridge, Any]:
    """The desk with an archive on it, and what it tells of it."""
    bridge = give(Bridge(language), files)
    while not ask(bridge, "verify")["over"]:
        pass
    return bridge, ask(bridge, "told")


def refused(files: Mapping[str, bytes]) -> list[str]:
    """The codes of what is wrong with files, which cannot be verified at all."""
    bridge = Bridge("en")
    answer = json.loads(bridge.call("archive", json.dumps([[*files]])))
    if "done" in answer:
        for name in answer["done"]:
            ask(bridge, "give", name, file_with(files[name]))
        answer = json.loads(bridge.call("verify", "[]"))
    return [fault["code"] for fault in answer["refused"]]


@pytest.fixture(scope="module")
def closed() -> tuple[Bridge, Any]:
    return verified({"vienna.zip": zipped(files_of(CLOSED, "some/folder/"))})


def numbers(told: Any) -> list[int]:
    return [int(number) for turn in told["turns"] for number in turn["stages"]]


def test_an_archive_is_verified(closed: tuple[Bridge, Any]) -> None:
    _, told = closed
    assert told["good"]
    assert told["findings"] == []
    entries = [path.name for path in (CLOSED / "ledger").iterdir()]
    adjudications = [name for name in entries if "adjudication" in name]
    assert [told["figures"][at][0] for at in (0, -1)] == [len(entries), len(adjudications)]


def test_a_closed_one_is_told_as_each_seat_knew_it(closed: tuple[Bridge, Any]) -> None:
    bridge, told = closed
    stage = ask(bridge, "stages", [numbers(told)[5]])
    seen = {each["seat"]: each for each in stage["seen"]}
    assert set(seen) == set(told["views"]) == {"maria-theresa", "frederick", "louis"}
    assert seen["frederick"]["holdings"][0]["cards"]
    read = {each["seat"] for number in numbers(told)[:9] for each in ask(bridge, "stages", [number])["told"][0]["read"]}
    assert read == {"", *seen}
    generals = {piece["name"] for piece in stage["pieces"]}
    assert all(set(each["troops"]) <= generals and each["troops"] for each in seen.values())


@pytest.mark.parametrize("files", [files_of(CLOSED, "a/"), files_of(RUNNING, "a/")], ids=["closed", "running"])
def test_it_opens_at_a_stage_in_which_something_happened(files: dict[str, bytes]) -> None:
    bridge, told = verified(files)
    (stage,) = ask(bridge, "stages", [told["begins"]])["told"]
    assert stage["read"]
    others = numbers(told)
    skipped = (
        others[: others.index(told["begins"])]
        if told["phase"] == "closed"
        else others[others.index(told["begins"]) + 1 :]
    )
    assert all(not each["read"] for number in skipped for each in ask(bridge, "stages", [number])["told"])


def test_a_whole_turn_has_the_marches_of_its_stages(closed: tuple[Bridge, Any]) -> None:
    bridge, told = closed
    turn = [int(number) for number in told["turns"][1]["stages"]]
    whole = ask(bridge, "stages", turn)
    assert [stage["number"] for stage in whole["told"]] == turn
    assert whole["over"] != ask(bridge, "stages", turn[-1:])["over"]


def test_no_arrow_of_a_stage_is_part_of_the_ground(closed: tuple[Bridge, Any]) -> None:
    bridge, told = closed
    for ground in told["board"]["grounds"]:
        arrows = re.findall(r'class="(march|retreat)"', ground["drawn"])
        assert sorted(arrows) == ["march", "retreat"], "the legend explains each kind once"
    first = ask(bridge, "stages", [0])["over"]
    assert 'class="march"' not in first, "the first picture is the set-up"
    assert 'class="march"' in ask(bridge, "stages", [2])["over"]


def test_a_running_one_shows_nothing_that_is_secret() -> None:
    bridge, told = verified(files_of(RUNNING, "potsdam-1756/"))
    assert told["good"]
    assert told["views"] == {}
    for number in numbers(told):
        assert ask(bridge, "stages", [number])["seen"] == []


def test_of_a_folder_only_what_is_public_is_taken_in() -> None:
    names = [*files_of(RUNNING, "x/"), *(f"x/{name}" for name in SECRET), "x/ledger/../../passwd", "y/ledger/0001.yaml"]
    taken = ask(Bridge("en"), "archive", names)
    assert set(taken) == {name for name in files_of(RUNNING, "x/") if not name.endswith("README.md")}


def test_one_that_was_tampered_with_is_not_told() -> None:
    files = files_of(RUNNING)
    name = next(name for name in files if "adjudication" in name)
    files[name] = files[name].replace(b"00Z", b"01Z", 1)
    _, told = verified(files, "de")
    assert not told["good"]
    assert Path(name).name in {finding["file"] for finding in told["findings"]}
    assert set(told) == {"campaign", "good", "findings"}


def test_an_entry_in_a_folder_of_its_own_is_found() -> None:
    _, told = verified({**files_of(RUNNING), "ledger/more/0001-new.yaml": b""})
    assert [finding["code"] for finding in told["findings"]] == ["E-LEDGER-EXTRA"]


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"a.zip": b"PK\x03\x04 and no more"}, "E-DESK-ARCHIVE"),
        ({"a.zip": zipped({"notes.txt": b""})}, "E-DESK-ARCHIVE"),
        ({"x/notes.txt": b"", "x/more.txt": b""}, "E-DESK-ARCHIVE"),
        ({"x/campaign.yaml": b"", "y/campaign.yaml": b""}, "E-DESK-ARCHIVE"),
        ({"a.zip": zipped({**files_of(CLOSED), "ledger": b""})}, "E-DESK-ARCHIVE"),
        ({"a.zip": zipped({**files_of(CLOSED), "ledger/0001-new.yaml/x": b""})}, "E-DESK-ARCHIVE"),
        ({**files_of(CLOSED), f"ledger/{'x' * 300}": b""}, "E-DESK-ARCHIVE"),
        ({**files_of(CLOSED), f"ledger/{'x/' * 3000}x": b""}, "E-DESK-ARCHIVE"),
        ({**files_of(CLOSED), "ledger/a\0b": b""}, "E-DESK-ARCHIVE"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_archive_is_refused(files: dict[str, bytes], code: str) -> None:
    assert refused(files) == [code]


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    assert refused({"a.zip": zipped({"campaign.yaml": bytes(2000)})}) == ["E-DESK-ARCHIVE"]
    monkeypatch.setattr(archive, "MOST_FILES", 2)
    assert refused({f"ledger/{number}": b"" for number in range(3)} | {"campaign.yaml": b""}) == ["E-DESK-ARCHIVE"]


def test_a_zip_that_lies_is_not_unpacked_to_its_end() -> None:
    lie = zipped({"campaign.yaml": bytes(50_000_000)}).replace(struct.pack("<I", 50_000_000), struct.pack("<I", 100))
    tracemalloc.start()
    assert refused({"a.zip": lie}) == ["E-DESK-ARCHIVE"]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10_000_000


def test_another_language_tells_it_anew(closed: tuple[Bridge, Any]) -> None:
    bridge, told = closed
    ask(bridge, "speak", "it")
    again = ask(bridge, "told")
    ask(bridge, "speak", "en")
    assert again["words"]["good"] != told["words"]["good"]
    assert numbers(again) == numbers(told)
