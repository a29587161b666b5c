"""Somebody who keeps a table at a real page."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

from selenium.webdriver.support.select import Select

from tests.desk.sitting import PATIENCE, Sitter

PEOPLE = ("frederick", "louis")
"""Seats that are played by people."""


class Keeper:
    """Moderator at a real page."""

    campaign = "silesia"

    def __init__(self, sitter: Sitter, downloads: Path) -> None:
        self.sitter, self.downloads = sitter, downloads
        self.allow_downloads()

    def allow_downloads(self) -> None:
        """Let the tab save files."""
        self.sitter.reader.tell("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def click(self, selector: str) -> None:
        """Click something, wherever on the page it is, with the mouse. If the page is drawn anew in between, click what
        stands in its place then."""
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.common.action_chains import ActionChains

        for is_last in (False, False, True):
            element = self.sitter.find(selector)
            try:
                ActionChains(self.sitter.reader.driver).scroll_to_element(element).click(element).perform()
                return
            except StaleElementReferenceException:
                if is_last:
                    raise

    def wait(self, selector: str) -> None:
        self.sitter.until(f"return Boolean(document.querySelector({selector!r}))")

    def make_key(self) -> None:
        self.click("#new-key")
        self.click("#key form button")
        self.saved("pbem-key")
        self.click("#sign")

    def found(self, way: str = "mail", mine: str = "") -> None:
        """Fill in the form of a new table, in which the moderator may have a seat, and begin; no other one is kept."""
        self.sitter.reader.run("leaveTable(); indexedDB.deleteDatabase('pbem-tables');")
        self.click("#table-new")
        # Who plays what is asked first, and a key only then.
        assert not self.sitter.reader.driver.find_elements("css selector", "#key")
        self.sitter.choose("#way", way)
        self.sitter.choose("#table-mine", mine)
        people = {"called-louis": "Lou", "called-frederick": "Fred"}
        if mine:
            del people[f"called-{mine}"]
        for field, text in {"table-name": self.campaign, "table-me": "Max", **people}.items():
            self.click(f"#{field}")
            self.sitter.find(f"#{field}").send_keys(text)
        if mine:
            # The name is asked for once.
            assert self.sitter.find(f"#called-{mine}").get_attribute("value") == "Max"
        self.sitter.choose("[data-seat=maria-theresa] .bot", "sensible")
        self.click("#table-found")
        self.wait("#new-key")
        # Whoever steps back from the key finds the form as it was.
        self.click(".open + .buttons button")
        self.click("#table-new")
        assert self.sitter.find("#called-louis").get_attribute("value")
        self.click("#table-found")
        self.wait("#new-key")
        self.make_key()
        self.wait("#table-acts")

    def letters(self) -> list[tuple[str, bytes]]:
        """The letters to send, each saved by its button."""
        found = []
        for item in self.sitter.reader.driver.find_elements("css selector", "#table-out .letter"):
            name = item.get_attribute("data-letter")
            self.click(f"#table-out [data-letter='{name}'] .save")
            file = self.saved(f"*-{name.rpartition('/')[2]}-*")
            found.append((name, file.read_bytes()))
            file.unlink()
        return found

    def saved(self, name: str) -> Path:
        """A file that the browser has saved."""
        end = monotonic() + PATIENCE
        while not (found := [path for path in self.downloads.glob(name) if path.suffix != ".crdownload"]):
            assert monotonic() < end, name
            sleep(0.05)
        return found[0]

    def give(self, *files: Path) -> str:
        """Choose letters that came; tells what is said of them."""
        self.hand_in(*files)
        self.wait("#evening")
        return str(self.sitter.find("#evening").text)

    def hand_in(self, *files: Path) -> None:
        """Choose letters that came."""
        self.sitter.reader.run("document.getElementById('evening')?.remove();")
        self.sitter.find("#table-letters").send_keys("\n".join(map(str, files)))

    def act(self, name: str, **fields: str) -> None:
        """Carry out an act of the moderator by its form."""
        self.begin_act(name, **fields)
        self.wait("#evening")

    def begin_act(self, name: str, **fields: str) -> None:
        """Fill in the form of an act, and press its button until it is begun."""
        self.sitter.reader.run("document.getElementById('table-acts').open = true;")
        self.click(f"details[data-act='{name}'] summary")
        self.wait(f"form[data-act='{name}'] button")
        for field, value in fields.items():
            place = self.sitter.find(f"#{name}-{field}")
            if place.tag_name == "select":
                Select(place).select_by_value(value)
            else:
                place.send_keys(value)
        for _ in range(2):
            self.click(f"form[data-act='{name}'] button")

    def come_back(self) -> None:
        """Reload the page, take the key from its file, and open the table that is kept."""
        self.sitter.reader.driver.refresh()
        self.sitter.until("return Boolean(window.desk && window.desk.ready)")
        self.open_kept()

    def open_kept(self) -> None:
        """Open the table on the first page, with the key from its file."""
        self.begin_open()
        self.wait("#table-out")

    def begin_open(self) -> None:
        """Choose the table on the first page, and give its key from the file, if the page has none."""
        self.choose()
        self.give_key()

    def choose(self) -> None:
        """Choose the table on the first page."""
        self.wait(f"[data-table={self.campaign}]")
        self.click(f"[data-table={self.campaign}]")

    def give_key(self) -> None:
        """Give the key from its file, if the page has none, and go on."""
        self.wait("#sign")
        if not self.sitter.reader.run("return key"):
            self.sitter.find("#key-file").send_keys(str(self.downloads / "pbem-key"))
        self.sitter.until("return !document.getElementById('sign').disabled")
        self.click("#sign")
