"""Figures of a table and an archive in the page, against their aims: `python -m tests.desk.figures` (`--help`). They
hold for a quiet computer."""

from __future__ import annotations

import argparse
import base64
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from click.testing import CliRunner

from pbem.campaign.campaign import opened_by_moderator
from pbem.cli import main as pbem
from pbem.desk.archive import now
from pbem.desk.bridge import Bridge
from pbem.desk.host_acts import HOST_ACTS
from pbem.desk.host_bridge import by_path
from pbem.desk.hosting import HostedCampaign
from pbem.seal.keys import load_private
from tests.desk.keeper import Keeper
from tests.desk.playing import FULL, WIDE, Player
from tests.desk.plays import page_in
from tests.desk.sitting import Sitter
from tests.desk.test_archive import files_of, zipped
from tests.desk.test_chances import IN_THE_WAY
from tests.desk.test_desk import ask, files_with
from tests.site.browsing import reader

ENTRIES = 500
LIGHTLY = 12 / 11
"""Size of a page that is pressed lightly, as here, for each byte of one that is sent away."""
STILL = "return Math.round(Math.max(0, ...stops.splice(0)))"
"""Milliseconds of the longest stop of the page since the last time; of stops under 50 a browser does not tell."""

Figure = tuple[str, float, str, float]
"""Name, value, unit, and the value that it may have at most."""


def table_in(folder: Path) -> tuple[Path, list[Path]]:
    """Zip of a campaign with many entries that goes on, and the letters that end its stage; the key lies beside it."""
    words = ["demo", "--game", "friedrich", "--turns", "10", "--out", str(folder / "demo")]
    done = CliRunner().invoke(pbem, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    (folder / "pbem-key").write_bytes((folder / "demo/keys/moderator").read_bytes())
    key = load_private((folder / "pbem-key").read_bytes(), "")
    hosted = HostedCampaign.opened(by_path(files_with(files_of(folder / "demo/campaign"))), key)
    with opened_by_moderator(hosted.root, hosted.key, "", now()) as campaign:
        for _ in range(len([*(hosted.root / "ledger").iterdir()]), ENTRIES):
            HOST_ACTS["extend"].run(campaign, {"until": "1h", "why": "a feast"})
        campaign.save()
    hosted.evening([])
    hosted.zip_folder().rename(folder / "many.zip")
    return folder / "many.zip", [*letters_of(hosted, folder)]


def letters_of(hosted: HostedCampaign, folder: Path) -> Iterator[Path]:
    """Letters of all seats that owe orders, which order no more than they must."""
    for seat, who in hosted.view().seats.items():
        if who.state != "none yet":
            continue
        page = Bridge("en")
        key = (folder / f"demo/keys/{seat}").read_bytes()
        ask(page, "key", base64.b64encode(key).decode(), "")
        report = hosted.report_to(seat)
        ask(page, "open", base64.b64encode(report).decode(), "report")
        if page.desk.laid is None:
            ask(page, "accept")
        ask(page, "close")
        (folder / f"{seat}.yaml").write_text(ask(page, "sign")["text"])
        yield folder / f"{seat}.yaml"


def of_a_table(sitter: Sitter, folder: Path) -> Iterator[Figure]:
    """Figures of a table with many entries: opened again, and a stage whose reports go to everybody."""
    file, letters = table_in(folder)
    keeper, run = Keeper(sitter, folder), sitter.reader.run
    keeper.campaign = "demo"
    sitter.find("#table-zip").send_keys(str(file))
    keeper.give_key()
    keeper.wait("#table-out")
    keeper.click(".open + .buttons button")
    run(IN_THE_WAY)
    keeper.choose()
    # Whoever gives a key takes longer than the worker to begin.
    sitter.reader.driver.execute_async_script("askFolder('folder_ready').then(arguments[0]);")
    keeper.give_key()
    begun = monotonic()
    keeper.wait("#table-out")
    yield f"a table of {ENTRIES} entries opens, once the key is given", monotonic() - begun, "s", 2
    yield "longest stop meanwhile", run(STILL), "ms", 100
    begun = monotonic()
    told = keeper.give(*letters)
    assert "stages carried out" in told, told
    yield "a stage there, with reports for everybody", monotonic() - begun, "s", 3
    yield "longest stop meanwhile", run(STILL), "ms", 100
    yield "memory with that table", sitter.memory(), "MB", FULL
    sitter.home()
    sitter.find("#table-zip").send_keys(str(file))
    keeper.give_key()
    keeper.wait("#zip-take")
    keeper.click("#zip-take")
    keeper.wait("#table-out")
    yield "memory once a zip has replaced that table", sitter.memory(), "MB", FULL


def of_an_archive(sitter: Sitter, stages: int, folder: Path) -> Iterator[Figure]:
    """Figures of an archive that is opened by somebody who has played for long."""
    sitter.home()
    player, run = Player(sitter, WIDE, 1), sitter.reader.run
    player.begin("maria")
    player.play(stages)
    yield f"memory after {stages} stages of a game against bots", sitter.memory(), "MB", FULL
    sitter.home()
    (folder / "archive.zip").write_bytes(zipped(files_of(folder / "demo/campaign")))
    run(IN_THE_WAY)
    sitter.find("#file").send_keys(str(folder / "archive.zip"))
    sitter.until("return page.className === 'laid archive'")
    yield "memory with an archive then", sitter.memory(), "MB", FULL
    yield "longest stop while it opens", run(STILL), "ms", 100


def main() -> int:
    """Measure, and print each figure with its aim."""
    parser = argparse.ArgumentParser(prog="python -m tests.desk.figures", description=__doc__)
    parser.add_argument("--page", type=Path, help="a page that is there already")
    parser.add_argument("--stages", type=int, default=60, help="played before the archive is opened (60: an hour)")
    given = parser.parse_args()
    with TemporaryDirectory() as place, reader(Path(place, "profile")) as found:
        page = given.page.resolve() if given.page else page_in(Path(place))
        found.driver.set_script_timeout(600)
        sitter, missed = Sitter(found, page), 0
        size = ("size of the page", page.stat().st_size / 1e6 / (1 if given.page else LIGHTLY), "MB", 10.0)
        figures = chain([size], of_a_table(sitter, Path(place)), of_an_archive(sitter, given.stages, Path(place)))
        for name, value, unit, most in figures:
            missed += value > most
            print(f"{value:8.1f} {unit:2} ≤ {most:3.0f}  {name}{'' if value <= most else ': missed'}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
