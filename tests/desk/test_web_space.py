"""The desk on a web space: given out by any server, kept by the browser, and there again when the server is gone."""

from __future__ import annotations

import base64
import json
import os
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.desk.command import desk_command
from pbem.desk.web_space import desk_files
from tests.desk.fields import assault
from tests.desk.sitting import Sitter
from tests.desk.test_desk import POSITION


def link_of(data: bytes, wbits: int = 31) -> str:
    """The end of a link that brings a letter, with gzip's checksum; with -15 as pages of 0.3.0 made it."""
    packed = zlib.compress(data, wbits=wbits)
    return f"#i={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def changed(link: str) -> str:
    """The link with another letter in its middle."""
    middle = len(link) // 2
    return f"{link[:middle]}{'a' if link[middle] != 'a' else 'b'}{link[middle + 1 :]}"


KEPT = "return navigator.serviceWorker.getRegistration().then((found) => Boolean(found && found.active))"
READY = "return Boolean(window.desk && window.desk.ready)"
GOES_OUT = "return fetched(location.href).then(() => true, () => false)"

WORKER_GOES_OUT = """
return new Promise((done) => {
  const sends = `fetch("${new URL("?secret", location.href)}").then(() => postMessage(true), () => postMessage(false))`;
  new Worker(moduleOf(sends)).onmessage = ({ data }) => done(data);
});
"""

SHOWS = """
return new Promise((done) => {
  const picture = new Image();
  picture.onload = () => done(true);
  picture.onerror = () => done(false);
  picture.src = arguments[0];
});
"""


class Server(ThreadingHTTPServer):
    """A server that notes what it is asked for."""

    asked: list[str]


class Handler(SimpleHTTPRequestHandler):
    """Gives files out, and says nothing."""

    def log_message(self, *_: object) -> None:
        assert isinstance(self.server, Server)
        self.server.asked.append(self.path)


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    """A server of this computer, on any port."""
    server = Server(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def another_tab(sitter: Sitter) -> Iterator[None]:
    """A tab beside the one in which the desk lies."""
    driver = sitter.reader.driver
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    try:
        yield
    finally:
        driver.close()
        driver.switch_to.window(first)


def test_the_second_visit_needs_no_network(sitter: Sitter, web_space: Path, tmp_path: Path) -> None:
    driver = sitter.reader.driver
    (tmp_path / "game.json").write_bytes(assault())
    with another_tab(sitter):
        with served(web_space) as server:
            url = f"http://127.0.0.1:{server.server_port}/"
            driver.get(url)
            sitter.until(READY)
            sitter.until(KEPT)
            assert driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"] == []
            asked = set(server.asked)
            # From then on it goes to nobody any more, not even to where it came from.
            assert not sitter.reader.run(GOES_OUT)
            assert not sitter.reader.run(SHOWS, "icon-512.png?secret")
            assert not sitter.reader.run(WORKER_GOES_OUT)
            assert not [path for path in server.asked if "secret" in path]
        assert asked >= {
            f"/{path.name}" for path in web_space.iterdir() if path.name not in ("index.html", "export.txt")
        }
        driver.get("about:blank")
        driver.get(url)
        sitter.until(READY)
        sitter.find("#file").send_keys(str(POSITION))
        sitter.until("return Boolean(sitting)")
        assert not sitter.reader.run(GOES_OUT)
        sitter.home()
        sitter.find("#file").send_keys(str(tmp_path / "game.json"))
        sitter.until("return sitting?.kind === 'practice'")
        sitter.reader.run("safe = true; imagine(10)")
        sitter.until("return Boolean(imagined?.ended)")
        assert "Played out 10 times" in sitter.find("#imagined").text
        assert [each for each in sitter.reader.complaints() if "Content Security Policy" not in each] == []


def test_what_is_kept_is_all_of_it(web_space: Path) -> None:
    files = {path.name for path in web_space.iterdir()} - {"export.txt", "sw.js"}
    worker = (web_space / "sw.js").read_text("utf-8")
    (line,) = (line for line in worker.splitlines() if line.startswith("const FILES"))
    assert set(json.loads(line.partition("= ")[2].rstrip(";"))) == files - {"index.html"} | {"./"}
    icons = {icon["src"] for icon in json.loads((web_space / "manifest.webmanifest").read_bytes())["icons"]}
    assert icons < files


@pytest.mark.skipif(os.environ.get("CI") != "true", reason="makes the files once more")
def test_the_same_files_make_the_same_site(web_space: Path) -> None:
    made = desk_files("en")
    assert {name: (web_space / name).read_bytes() for name in made} == made


@pytest.mark.parametrize("more", [["report.yaml"], ["-o", "desk.html"]])
def test_a_web_space_takes_no_report(more: list[str], tmp_path: Path) -> None:
    found = CliRunner().invoke(desk_command, ["--site", str(tmp_path / "site"), *more])
    assert found.exit_code == 2
    assert not (tmp_path / "site").exists()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    found = CliRunner().invoke(desk_command, ["--site", str(tmp_path)])
    assert found.exit_code == 1
    assert "E-EXPORT-TAKEN" in found.output
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("link", "opens"),
    [
        (link_of(POSITION.read_bytes()), True),
        (link_of(POSITION.read_bytes()) + ">.", True),
        (link_of(POSITION.read_bytes())[:76] + "=%0D%0A " + link_of(POSITION.read_bytes())[76:], True),
        (link_of(POSITION.read_bytes(), -15), True),
        (link_of(POSITION.read_bytes()).replace("#i=", "#I%3d"), True),
        (link_of(POSITION.read_bytes())[:-9], False),
        (changed(link_of(POSITION.read_bytes())), False),
        ("#i", False),
        ("#i=%00<script>", False),
        (link_of(bytes(5 << 20)), False),
    ],
    ids=[
        "whole",
        "in brackets",
        "wrapped",
        "older",
        "escaped",
        "cut off",
        "changed",
        "cut at the sign",
        "nonsense",
        "large",
    ],
)
def test_a_link_brings_a_letter_that_no_server_sees(sitter: Sitter, web_space: Path, link: str, opens: bool) -> None:
    with served(web_space) as server, another_tab(sitter):
        driver = sitter.reader.driver
        driver.get(f"http://127.0.0.1:{server.server_port}/{link}")
        sitter.until(READY)
        assert sitter.reader.run("return [Boolean(sitting), location.hash]") == [opens, ""]
        told = sitter.reader.run("return document.querySelector('#notice [role=alert]')?.textContent ?? ''")
        assert told.startswith("The link was cut") is not opens
        assert not any("#" in path or (link[3:20] or "#") in path for path in server.asked)


def test_a_cut_link_that_is_followed_at_a_game_leaves_the_game(sitter: Sitter, web_space: Path) -> None:
    with served(web_space) as server, another_tab(sitter):
        driver = sitter.reader.driver
        driver.get(f"http://127.0.0.1:{server.server_port}/{link_of(POSITION.read_bytes())}")
        sitter.until(READY)
        before = sitter.reader.run("return sitting.stage")
        sitter.reader.run("location.hash = arguments[0]", link_of(POSITION.read_bytes())[:-9])
        sitter.until(
            "return document.querySelector('#notice [role=alert]')?.textContent.startsWith('The link was cut')"
        )
        assert sitter.reader.run("return [sitting.stage, location.hash]") == [before, ""]
