"""Table whose tab is killed in the middle of what its moderator does: `python -m tests.desk.killed` (`--help`)."""

from __future__ import annotations

import argparse
import base64
import io
import json
import os
import signal
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from pbem.campaign.proof.verifying import verify
from pbem.desk.archive import fill_folder
from pbem.desk.bridge import Bridge
from pbem.desk.host_bridge import by_path
from pbem.desk.hosting import HostedCampaign
from pbem.desk.letters_out import NOTE
from pbem.seal.keys import load_private
from tests.desk.keeper import PEOPLE, Keeper
from tests.desk.plays import page_in
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask, files_with
from tests.site.browsing import reader

Files = Mapping[str, bytes]
"""Files of a campaign's folder, by name."""

STORED = """
const done = arguments[0];
Promise.all(["getAllKeys", "getAll"].map((all) => inStore("readonly", (files) => files[all]()))).then(([keys, all]) => {
  const named = keys.map(([, name], at) => [name, all[at]]).filter(([name]) => name);
  done(Object.fromEntries(named.map(([name, data]) => [name, lettersOf(data)])));
});
"""
"""Gives all files that the browser keeps of the only table."""

DESK_NOTE = f"outbox/{NOTE}"
REWRITTEN = (DESK_NOTE, "secret.age")
"""Files that an evening writes anew, also where nothing has come."""

OFFERED = "return [...document.querySelectorAll('#table-out .letter:not(.is-sent)')].map((each) => each.dataset.letter)"
"""Names of the letters that the page offers to be sent."""


def largest_renderer(driver: int) -> int:
    """The process in which a browser's largest page runs, by the process that drives the browser."""
    above, sizes = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (path / "stat").read_text().rpartition(") ")[2].split()
            above[int(path.name)] = int(fields[1])
            if b"--type=renderer" in (path / "cmdline").read_bytes():
                sizes[int(path.name)] = int(fields[21])
    return max((pid for pid in sizes if driver in lineage(pid, above)), key=sizes.__getitem__)


def lineage(process: int, above: dict[int, int]) -> list[int]:
    """A process and those above it."""
    found = [process]
    while found[-1] in above:
        found.append(above[found[-1]])
    return found


STAGES = "-adjudication.yaml"
"""Ending of entries of which reports tell."""


def number_of(name: str) -> int:
    """Number of the entry in the name of a file of the ledger or the outbox."""
    return int(name.split("/")[1][:4])


ACTS = "return Object.keys(table.acts)"


class KilledTable:
    """Table that two people play at, whose moderator's tab is killed. In the midst of any act the browser keeps the
    folder as it was before or after it."""

    def __init__(self, keeper: Keeper, chance: Random) -> None:
        """Found the table."""
        self.keeper, self.sitter, self.chance = keeper, keeper.sitter, chance
        self.driver = keeper.sitter.reader.driver
        keeper.found()
        self.key = load_private((keeper.downloads / "pbem-key").read_bytes(), "")
        self.pages = {seat: Bridge("en") for seat in PEOPLE}
        for page in self.pages.values():
            ask(page, "new_key", "")
        self.sent = set[str]()
        self.lasted = {"letters": 3.0, "force": 3.0, "sent": 0.1, "extend": 2.0, "save": 0.5, "close": 2.0}
        """Seconds that each act took when it was last done to its end."""
        self.count = Counter[str]()
        self.acts: dict[str, Callable[[], None]] = {
            "letters": lambda: keeper.hand_in(*self.letters),
            "sent": lambda: keeper.click(f"#table-out [data-letter='{self.ticked}'] .sent"),
            "force": lambda: keeper.begin_act("force"),
            "extend": lambda: keeper.begin_act("extend", until="1h", why="a feast"),
            "save": lambda: keeper.click("#table-save"),
            "close": self.begin_close,
        }

    def stored(self) -> Files:
        """The files that the browser keeps."""
        found = self.driver.execute_async_script(STORED)
        return {name: base64.b64decode(data) for name, data in found.items()}

    def write_letters(self) -> None:
        """Let whoever is asked write a letter: by invitation, or orders."""
        outbox = self.stored()
        self.letters = []
        for seat, page in self.pages.items():
            state = self.sitter.reader.run("return table.seats[arguments[0]].state", seat)
            if state not in ("free", "none yet"):
                continue
            ending = ".invitation.yaml" if state == "free" else ".report.yaml"
            name = max(name for name in outbox if name.startswith("outbox/") and f"/{seat}" in name and ending in name)
            ask(page, "open", base64.b64encode(outbox[name]).decode(), name.rpartition("/")[2])
            if state == "free":
                text = ask(page, "join", seat, "en")["letter"]
            else:
                if page.desk.laid is None:
                    ask(page, "accept")
                if any(each["form"]["section"] == "allot" for each in ask(page, "close")["asked"]):
                    ask(page, "deal")
                text = ask(page, "sign")["text"]
            self.letters.append(self.keeper.downloads / f"{seat}.yaml")
            self.letters[-1].write_text(text)

    def begin_close(self) -> None:
        """Press what ends the campaign, with a reason where the game goes on."""
        if (why := self.sitter.find("#table-why")).is_displayed():
            why.clear()
            why.send_keys("it is late")
        for _ in range(2):
            self.keeper.click("#table-close")

    def do(self, act: str) -> None:
        """Do something to its end, and note how long that takes."""
        begun = monotonic()
        self.acts[act]()
        if act == "letters":
            self.keeper.wait("#evening")  # files are read before the page says that it works
        self.sitter.until("return !document.getElementById('busy')")
        self.lasted[act] = monotonic() - begun

    def kill(self, way: str) -> None:
        """Kill the tab, and look at the page in another one."""
        doomed, refuge = self.driver.current_window_handle, self.refuge
        if way == "crash":
            with suppress(Exception):  # the driver says that the tab has crashed
                self.driver.execute_cdp_cmd("Page.crash", {})
        self.driver.switch_to.window(refuge)
        if way == "kill":
            os.kill(largest_renderer(self.driver.service.process.pid), signal.SIGKILL)
        self.driver.execute_cdp_cmd("Target.closeTarget", {"targetId": doomed})
        self.sitter.reader.look()
        self.driver.get(self.sitter.page.as_uri())
        self.sitter.until("return Boolean(window.desk && window.desk.ready)")
        self.keeper.allow_downloads()
        self.keeper.open_kept()

    def open_refuge(self) -> None:
        """Open the tab to which the moderator goes when this one is killed."""
        here = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.refuge = self.driver.current_window_handle
        self.driver.switch_to.window(here)

    def kill_in(self, act: str, way: str) -> bool:
        """Kill the tab at some moment of an act, and judge what the browser keeps; returns True if the act was done."""
        self.write_letters()
        offered = self.sitter.reader.run(OFFERED)
        acts = self.sitter.reader.run(ACTS)
        possible = {"letters": self.letters, "force": "force" in acts, "sent": offered, "extend": "extend" in acts}
        if not possible.get(act, True):
            act = next((name for name, is_so in possible.items() if is_so), "save")
        self.ticked = offered[0] if offered else ""
        before = self.stored()
        self.open_refuge()
        self.acts[act]()
        sleep(self.chance.uniform(0, self.lasted[act]))
        is_told = act == "sent" and self.chance.random() < 0.5 and self.ticked not in self.sitter.reader.run(OFFERED)
        self.kill(way)
        after = self.stored()
        is_done = after != before
        assert is_done or not is_told, "what was shown as sent is offered again"
        changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
        assert act != "save" or changed <= {DESK_NOTE}
        if is_done and act == "sent":
            self.sent.add(self.ticked)
        self.judge(after)
        self.count[f"{act}, {way}: {'after' if is_done else 'before'}"] += 1
        # The moderator, who cannot know, does the same again.
        if act == "letters":
            lasted = self.lasted[act]
            self.do(act)
            if is_done:  # nothing new takes no time
                self.lasted[act] = lasted
            told = self.sitter.find("#evening").text
            assert ("letters taken: " in told) == (not is_done), told
        elif not is_done and act in (*self.sitter.reader.run(ACTS), "sent", "save", "close"):
            self.do(act)
            if act == "sent":
                self.sent.add(self.ticked)
        self.judge(self.stored())
        return is_done

    def judge(self, files: Files) -> None:
        """See that a folder is sound, that nothing in it waits to be finished, and that it and the page say of each
        letter whether it was sent as its moderator did."""
        marks = set(json.loads(files[DESK_NOTE])["sent"]) if DESK_NOTE in files else set()
        assert marks == self.sent
        assert not marks & set(self.sitter.reader.run(OFFERED))
        with TemporaryDirectory() as place:
            folder = Path(place, "silesia")
            fill_folder(folder, files.items())
            found = verify(folder)
            assert found.is_good, found.findings
        hosted = HostedCampaign.opened(by_path(files_with(files)), self.key)
        if hosted.view().phase != "closed":
            hosted.evening([])
        unfinished = [
            name
            for name, file in hosted.changes().items()
            if (file and file.read_bytes()) != files.get(name) and name not in REWRITTEN
        ]
        assert not unfinished, f"an act was left in its middle: {unfinished}"
        told = max((number_of(name) for name in files if name.endswith(STAGES)), default=0)
        posted = {
            seat: max((number_of(name) for name in files if f"/{seat}.report" in name), default=0) for seat in PEOPLE
        }
        assert min(posted.values()) >= told, f"reports were not posted: {posted}"

    def save(self) -> Files:
        """The files in the zip that the page saves, which are those that the browser keeps."""
        for old in self.keeper.downloads.glob("silesia*.zip"):
            old.unlink()
        self.keeper.click("#table-save")
        with zipfile.ZipFile(io.BytesIO(self.keeper.saved("silesia.zip").read_bytes())) as packed:
            found = {name.removeprefix("silesia/"): packed.read(name) for name in packed.namelist()}
        self.sitter.until("return !document.getElementById('busy')")  # that all entries lie in a zip is stored
        assert found == self.stored()
        return found


WAYS = ("kill", "crash", "close")
"""Ways in which a tab ends: its process is killed, the page crashes, the tab is closed."""

DRAWN = {"letters": 10, "sent": 4, "extend": 2, "force": 1, "save": 1}
"""Acts in which tabs are killed, with how often each is drawn."""


def killed(page: Path, folder: Path, times: int, seed: int) -> Counter[str]:
    """Kill so many tabs, and then those in which the campaign is closed until it is; returns what came of them."""
    downloads = folder / "downloads"
    downloads.mkdir()
    with reader(folder / "profile") as found:
        table, chance = KilledTable(Keeper(Sitter(found, page), downloads), Random(seed)), Random(f"acts {seed}")
        for number in range(times):
            (act,) = chance.choices([*DRAWN], [*DRAWN.values()])
            table.kill_in(act, WAYS[number % len(WAYS)])
            print(f"{number + 1} of {times}", end="\r", flush=True)
        table.kill_in("close", WAYS[times % len(WAYS)])
        table.judge(table.save())
        assert "opened.json" in table.stored()
        return table.count


def main() -> int:
    """Kill tabs, and say what was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.desk.killed", description=__doc__)
    parser.add_argument("--times", type=int, default=60, help="how many tabs (60)")
    parser.add_argument("--seed", type=int, default=1, help="what is done, and when the tab is killed")
    parser.add_argument("--page", type=Path, help="a page that is there already")
    given = parser.parse_args()
    with TemporaryDirectory() as place:
        page = given.page.resolve() if given.page else page_in(Path(place))
        begun = monotonic()
        count = killed(page, Path(place), given.times, given.seed)
    for told, number in sorted(count.items()):
        print(f"{number:3} {told}")
    print(f"{count.total()} tabs in {monotonic() - begun:.0f} s: nothing lost, nothing done twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
