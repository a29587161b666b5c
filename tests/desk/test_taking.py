"""A table that is taken from a zip: it is compared with what the browser keeps, before it takes that place."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from pathlib import Path
from random import Random
from shutil import copy
from typing import Any

import pytest

from pbem.desk.bridge import Bridge
from tests.desk.keeper import Keeper
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask, file_with, files_with
from tests.desk.test_hosting import PLAN, Friends


class Zips:
    """A zip of a campaign, and the files that the browser keeps, as they go to the page."""

    def __init__(self, host: Bridge) -> None:
        self.host = host

    def files(self) -> dict[str, bytes]:
        with zipfile.ZipFile(ask(self.host, "host_zip")) as packed:
            return {name.partition("/")[2]: packed.read(name) for name in packed.namelist()}

    def said(self, zipped: dict[str, bytes], kept: dict[str, bytes]) -> Any:
        """Open a zip, and return the answer of `host_beside`: what is said before the zip replaces what is kept."""
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as packed:
            for name, content in zipped.items():
                packed.writestr(f"silesia/{name}", content)
        ask(self.host, "host_unzip", file_with(data.getvalue()))
        names = [name for name in kept if name == "campaign.yaml" or name.startswith("ledger/")]
        return ask(self.host, "host_beside", files_with({name: kept[name] for name in names}))


@pytest.fixture
def histories(friends: Friends) -> tuple[Zips, list[dict[str, bytes]]]:
    """A campaign as it was, with a ruling, and with another ruling in that place."""
    host, zips = friends.host, Zips(friends.host)
    before = zips.files()
    found = [before]
    for why in ("ill", "away"):
        zips.said(before, {})
        ask(host, "host_act", "rule", {"ruling": why})
        found.append(zips.files())
    return zips, found


def test_a_zip_is_compared_with_the_campaign_that_it_would_replace(
    histories: tuple[Zips, list[dict[str, bytes]]],
) -> None:
    zips, (before, later, otherwise) = histories
    last = sum(name.startswith("ledger/") for name in before)

    def told(zipped: dict[str, bytes], kept: dict[str, bytes]) -> tuple[str, int, int, int]:
        found = zips.said(zipped, kept)
        assert found["faults"] == []
        return tuple(found["beside"][name] for name in ("kind", "entry", "here", "first"))

    assert told(before, before) == ("same", last, last, 0)
    assert told(before, later) == ("older", last, last + 1, 0)
    assert told(later, before) == ("newer", last + 1, last, 0)
    assert told(later, otherwise) == ("split", last + 1, last + 1, last + 1)
    assert told(later, {"ledger/0001-new.yaml": b"torn"}) == ("unreadable", last + 1, 1, 0)
    assert zips.said(later, {}) == {"beside": None, "faults": []}


def test_another_campaign_of_the_same_name_is_told_by_its_key(friends: Friends) -> None:
    other = Bridge("en")
    ask(other, "new_key", "")
    ask(other, "host_found", PLAN)
    beside = Zips(friends.host).said(Zips(friends.host).files(), Zips(other).files())["beside"]
    assert friends.host.desk.key
    assert other.desk.key
    keys = [friends.host.desk.key.public.fingerprint, other.desk.key.public.fingerprint]
    assert [beside["kind"], beside["theirs"], beside["ours"]] == ["other", *keys]


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize(("kind", "code"), [("join", "W-LEDGER-CHANGED"), ("adjudication", "E-LEDGER-DAMAGED")])
def test_a_changed_entry_of_a_zip_is_told_before_it_is_taken(
    friends: Friends, is_kept: bool, kind: str, code: str
) -> None:
    """An entry that reports need is told as one by which no report can be written."""
    ask(friends.host, "host_act", "rule", {"ruling": "no more"})
    zips = Zips(friends.host)
    files = zips.files()
    name = next(name for name in files if name.startswith("ledger/") and kind in name)
    changed = {**files, name: files[name].replace(b"campaign: silesia", b"campaign:silesia")}
    found = zips.said(changed, files if is_kept else {})
    (fault,) = found["faults"]
    assert fault["code"] == code
    assert name in fault["message"]
    assert "pbem verify" not in fault["hint"]
    assert not is_kept or found["beside"]["kind"] == "same"


def test_of_a_large_folder_python_holds_no_more_than_one_file(friends: Friends, tmp_path: Path) -> None:
    """Its memory in the page never shrinks, whatever is read and written there."""
    host, large = friends.host, 1_000_000

    def through_all_ways() -> list[Any]:
        ask(host, "host_view")
        zipped = copy(ask(host, "host_zip"), tmp_path)
        ask(host, "host_unzip", str(zipped))
        kept: list[Any] = ask(host, "host_changes")
        ask(host, "host_kept_zip", "silesia", kept)
        ask(host, "host_open", kept)
        return kept

    # Templates are compiled, and caches filled, before memory is measured.
    through_all_ways()
    for number in range(20):
        (host.host.root / f"outbox/{number}.age").write_bytes(Random(number).randbytes(large))
    tracemalloc.start()
    kept = through_all_ways()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(kept) > 20
    assert most < 6 * large


def test_what_is_kept_goes_into_a_zip_without_its_key(friends: Friends) -> None:
    files = Zips(friends.host).files()
    page = Bridge("en")
    with zipfile.ZipFile(ask(page, "host_kept_zip", "silesia", files_with(files))) as packed:
        assert {name: packed.read(name) for name in packed.namelist()} == {
            f"silesia/{name}": content for name, content in files.items()
        }


HAS_RULING = "return keptFiles('silesia').then((all) => Object.keys(all).some((name) => name.includes('0003-ruling')));"


def test_an_older_zip_says_what_would_be_lost_and_what_is_kept_can_be_saved_first(
    sitter: Sitter, tmp_path: Path
) -> None:
    sitter.home()
    keeper = Keeper(sitter, tmp_path)
    keeper.found()
    keeper.click("#table-save")
    older = keeper.saved("silesia.zip").rename(tmp_path / "older.zip")
    keeper.act("rule", ruling="as in the book")
    keeper.click(".open + .buttons button")
    sitter.find("#table-zip").send_keys(str(older))
    keeper.give_key()
    keeper.wait("#beside")
    assert sitter.find("#beside").text == "The zip is older: entry 2, here entry 3. What came later would be lost."
    keeper.click("#kept-save")
    with zipfile.ZipFile(keeper.saved("silesia-kept.zip")) as packed:
        assert "silesia/ledger/0003-ruling.yaml" in packed.namelist()
    sitter.until("return !document.getElementById('busy')")
    assert sitter.reader.run(HAS_RULING)
    keeper.click("#zip-take")
    keeper.wait("#table-acts")
    assert not sitter.reader.run(HAS_RULING)
    assert not sitter.reader.complaints()
