"""A table's tab that is killed, a second tab, storage that is refused or full, and a worker that fails."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from pbem.desk.archive import fill_folder
from pbem.desk.bridge import Bridge
from pbem.desk.page import words
from tests.desk.keeper import Keeper
from tests.desk.killed import OFFERED, STORED, Files, KilledTable
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask
from tests.desk.test_hosting import joined, pbem
from tests.desk.test_keeping import LEAVING
from tests.desk.test_web_space import KEPT, READY, another_tab, served
from tests.site.browsing import reader

ORIGIN = "return location.origin"
STOPS_STORING = """
window.opens = IDBFactory.prototype.open;
IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError'); };
"""
FAILS_IN_THE_MIDDLE = """
let left = 3;
window.puts = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...given) {
  if (!left) throw new DOMException('none');
  left -= 1;
  puts.apply(this, given);
};
"""
ROOM = 150_000
"""Bytes that hold a table with its invitations, and not what comes of the letters that answer them."""

WARNED = "return document.querySelector('.open [role=alert]')?.textContent ?? ''"


def stored(sitter: Sitter) -> Files:
    """The files that the browser keeps of the only table."""
    found = sitter.reader.driver.execute_async_script(STORED)
    return {name: base64.b64decode(data) for name, data in found.items()}


def joins_of(keeper: Keeper, folder: Path) -> list[Path]:
    """Letters of both people who take their seats."""
    found = []
    for name, data in keeper.letters():
        page = Bridge("en")
        ask(page, "new_key", "")
        found.append(joined(page, data, name.rpartition("/")[2].partition("-invitation")[0], folder))
    return found


def saved_zip(keeper: Keeper) -> dict[str, bytes]:
    """Files of the campaign in the zip that the page saves; `pbem verify` finds nothing wrong with them."""
    keeper.click("#table-save")
    with zipfile.ZipFile(io.BytesIO(keeper.saved("silesia.zip").read_bytes())) as packed:
        found = {name.removeprefix("silesia/"): packed.read(name) for name in packed.namelist()}
    fill_folder(keeper.downloads / "unpacked", found.items())
    pbem("verify", str(keeper.downloads / "unpacked"))
    return found


def test_a_tab_that_is_killed_leaves_the_table_before_or_after(page_file: Path, tmp_path: Path) -> None:
    """A short run of `python -m tests.desk.killed`."""
    with reader(tmp_path / "profile") as found:
        table = KilledTable(Keeper(Sitter(found, page_file), tmp_path), Random(1))
        table.kill_in("letters", "kill")
        table.kill_in("sent", "close")
        table.judge(table.save())


def test_a_folder_left_in_the_middle_of_an_act_would_be_noticed(tmp_path: Path) -> None:
    """The judge of killed tabs finds an entry whose reports were not posted, and a letter that was marked."""
    from tests.desk.test_hosting import PLAN, Friends

    friends = Friends(PLAN)
    friends.join()
    table = KilledTable.__new__(KilledTable)
    table.key, table.sent = friends.host.host.key, set()
    table.sitter = SimpleNamespace(reader=SimpleNamespace(run=lambda script: []))  # type: ignore[assignment]
    files = {name: file.read_bytes() for name, file in friends.host.host.changes().items() if file}
    table.judge(files)
    reports = max(name for name in files if name.startswith("outbox/0"))[: len("outbox/0000/")]
    with pytest.raises(AssertionError, match="reports were not posted"):
        table.judge({name: data for name, data in files.items() if not name.startswith(reports)})
    with pytest.raises(AssertionError):
        table.judge(files | {"outbox/.desk": json.dumps({"sent": ["0002/louis"]}).encode()})


def test_what_is_done_while_the_browser_stores_is_stored_afterwards() -> None:
    from tests.desk.test_hosting import PLAN, Friends

    host = Friends(PLAN).host
    ask(host, "host_changes")
    ask(host, "host_sent", ask(host, "host_view")["letters"][0]["name"], True)
    ask(host, "host_stored")
    assert list(ask(host, "host_changes")) == ["outbox/.desk"]


def test_of_two_tabs_the_second_says_so_and_takes_over_when_the_first_is_closed(sitter: Sitter, tmp_path: Path) -> None:
    sitter.home()
    keeper = Keeper(sitter, tmp_path)
    keeper.found()
    keeper.click(f"#table-out [data-letter='{sitter.reader.run(OFFERED)[0]}'] .sent")
    sitter.until("return tableLies === 'stored' && !document.getElementById('busy')")
    sitter.home()
    driver = sitter.reader.driver
    first = driver.current_window_handle
    with another_tab(sitter):
        driver.get(sitter.page.as_uri())
        sitter.until(READY)
        keeper.allow_downloads()
        keeper.open_kept()
        second = driver.current_window_handle
        driver.switch_to.window(first)
        sitter.reader.run("speak('de')")
        keeper.begin_open()
        sitter.until("return Boolean(document.querySelector('#notice [role=alert]'))")
        assert sitter.find("#notice").text == words()["de"]["table-elsewhere"]
        assert not sitter.reader.run("return Boolean(table)")
        driver.switch_to.window(second)
        last = sitter.reader.run(OFFERED)
        keeper.click(f"#table-out [data-letter='{last[0]}'] .sent")
        sitter.until("return !document.getElementById('busy')")
    keeper.wait("#table-out")
    assert sitter.reader.run(OFFERED) == last[1:], "what the first tab did last is there"
    assert not sitter.find("#notice").text
    sitter.reader.run("speak('en')")
    sitter.home()


@pytest.fixture
def on_the_web(sitter: Sitter, web_space: Path) -> Iterator[Sitter]:
    """The desk on a web space, in a tab of its own."""
    with another_tab(sitter), served(web_space) as server:
        sitter.reader.driver.get(f"http://127.0.0.1:{server.server_port}/")
        sitter.until(READY)
        yield sitter
        sitter.reader.complaints()  # on a web space a browser would like forms of passwords otherwise


def test_where_the_browser_has_no_room_left_the_zip_is_saved_and_nothing_is_half_stored(
    on_the_web: Sitter, tmp_path: Path
) -> None:
    sitter, driver = on_the_web, on_the_web.reader.driver
    keeper, origin = Keeper(sitter, tmp_path), sitter.reader.run(ORIGIN)
    # A browser remembers for some time how much room there was, so this is said before the first word is stored.
    sitter.until(KEPT)
    used = driver.execute_cdp_cmd("Storage.getUsageAndQuota", {"origin": origin})["usage"]
    driver.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": used + ROOM})
    keeper.found()
    joins, before = joins_of(keeper, tmp_path), stored(sitter)
    assert not sitter.reader.run(WARNED)
    assert "letters taken: 2" in keeper.give(*joins)
    assert sitter.reader.run(WARNED) == words()["en"]["table-not-stored"]
    assert stored(sitter) == before, "nothing is half written"
    # Whoever leaves now is asked before, until the zip is saved.
    assert sitter.reader.run(LEAVING)
    sitter.reader.run("window.asked = []; window.confirm = (question) => { asked.push(question); return false; };")
    keeper.click(".open + .buttons button")
    assert sitter.reader.run("return asked") == [words()["en"]["table-lost"]]
    files = saved_zip(keeper)
    assert len(files) > len(before)
    # The file is there a moment before the page has noted that it was saved.
    sitter.until("return tableLies === 'saved'")
    assert not sitter.reader.run(LEAVING)
    # Once there is room again, the next act stores all of it.
    driver.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {"origin": origin})
    name = sitter.reader.run(OFFERED)[0]
    keeper.click(f"#table-out [data-letter='{name}'] .sent")
    sitter.until("return tableLies === 'stored' && !document.getElementById('busy')")
    assert not sitter.reader.run(WARNED)
    assert stored(sitter).keys() == files.keys() | {"outbox/.desk"}


def test_a_table_in_a_browser_that_refuses_to_store_says_so_in_each_language(sitter: Sitter, tmp_path: Path) -> None:
    sitter.home()
    sitter.reader.run(STOPS_STORING)
    try:
        keeper = Keeper(sitter, tmp_path)
        keeper.found()
        for language, said in words().items():
            sitter.choose(".languages", language)
            sitter.until(f"return document.documentElement.lang === '{language}' && Boolean(table)")
            keeper.wait("#table-save")
            assert sitter.reader.run(WARNED) == said["table-not-stored"]
        sitter.choose(".languages", "en")
        keeper.wait("#table-out")
        assert saved_zip(keeper)
    finally:
        sitter.reader.run("IDBFactory.prototype.open = opens; speak('en');")
        sitter.home()


def test_a_worker_that_fails_is_told_and_the_table_opens_again_as_it_was_stored(sitter: Sitter, tmp_path: Path) -> None:
    sitter.home()
    keeper = Keeper(sitter, tmp_path)
    keeper.found()
    joins, before = joins_of(keeper, tmp_path), stored(sitter)
    sitter.reader.run(FAILS_IN_THE_MIDDLE)
    assert "letters taken: 2" in keeper.give(*joins)
    assert sitter.reader.run(WARNED) == words()["en"]["table-not-stored"]
    assert stored(sitter) == before, "nothing is half written"
    sitter.reader.run("IDBObjectStore.prototype.put = puts;")
    keeper.click("#table-save")
    sitter.reader.run("folderWorker.postMessage({ act: 'ask' });")  # no question: the worker fails in the midst
    sitter.until("return Boolean(document.querySelector('#notice [role=alert]'))")
    assert sitter.find("#notice").text == words()["en"]["folder-failed"]
    sitter.until("return !table && !document.getElementById('busy')")
    assert stored(sitter) == before
    keeper.open_kept()
    assert "letters taken: 2" in keeper.give(*joins)
    assert len([each for each in sitter.reader.complaints() if "TypeError" not in each]) == 0
    sitter.home()
