"""The checks of `large` through real servers: a full mailbox over IMAP, and an office killed while it talks."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from email import message_from_bytes
from pathlib import Path

from pbem.campaign.proof.verifying import verify
from tests.cli.correspondence import NAME, SEATS
from tests.office.large import entries_of, now
from tests.office.servers import HOLDER, Servers
from tests.office.world import PEOPLE, World


def world_at(root: Path, servers: Servers) -> World:
    """A campaign that waits for the first orders, begun by the clock of this computer, all of which are in the mail."""
    root.mkdir()
    world = World(root, servers)
    world.now = now()
    world.begin_by_mail()
    world.office("moderator", "evening")
    world.now = now()
    for seat in world.owing():
        world.office(seat)
        world.run("sign", str(world.newest(seat)), as_=seat)
        world.office(seat)
    return world


def full_mailbox(root: Path, count: int) -> dict[str, float]:
    """So many mails that are no letters, on the server, and three letters among them."""
    servers = Servers(PEOPLE)
    try:
        world = world_at(root, servers)
        box = servers.boxes / "moderator" / "new"
        for number in range(count):
            head = f"From: p{number}@example.com\nMessage-ID: <{number}@example.com>\nSubject: mail {number}\n"
            path = box / f"5{number:08d}.mail"
            path.write_text(f"{head}\n{'Lunch on Tuesday? ' * (number % 60)}\n")
            shutil.chown(path, HOLDER)
        first = world.measured("evening")
        assert f"letters: {len(SEATS)}" in first.said, first.said
        later = world.measured("evening")
        return {"mails": count, "first s": first.seconds, "later s": later.seconds, "MB": first.memory}
    finally:
        servers.stop()


def turns(root: Path, count: int) -> dict[str, float]:
    """So many whole turns of the advanced game, by nothing but mail; every evening is one command."""
    servers = Servers(PEOPLE)
    try:
        root.mkdir()
        world = World(root, servers, "--scenario", "advanced")
        path = world.settings_of("moderator")
        path.write_text(path.read_text().replace("pictures: no\n", ""))
        world.begin_by_mail()
        world.office("moderator", "evening")
        stages, seconds = 0, 0.0
        while int(world.json("status", NAME)["stage"].partition("/")[0]) <= count:
            told = world.stage()
            assert "on to" in told, told
            assert "W-" not in told, told
            assert "E-" not in told, told
            stages, seconds = stages + 1, seconds + world.seconds
        for who in PEOPLE:
            world.office(who)
        assert verify(world.folder).is_good
        for seat in SEATS:
            report = max((root / seat / "files" / NAME).glob("*/report.yaml"))
            world.run("verify", NAME, "--report", str(report))
        found = {who: delivered(servers, who) for who in PEOPLE}
        assert all(len(mails) == len({name for name, _ in mails}) for mails in found.values()), "each came once"
        letters = entries_of(world.folder).count("letter")
        mails = sum(len(each) for who, each in found.items())
        sizes = [path.stat().st_size for path in (world.folder / "outbox").rglob("*") if path.is_file()]
        return {
            "turns": count,
            "stages": stages,
            "letters": letters,
            "mails": mails,
            "evening s": seconds / stages,
            "outbox MB": sum(sizes) / 1e6,
        }
    finally:
        servers.stop()


def killed(root: Path, times: int, seed: int = 1741) -> dict[str, int]:
    """The office is killed at any moment of its talks, until nothing is left to do."""
    chance, servers = random.Random(seed), Servers(PEOPLE)
    try:
        world = world_at(root, servers)
        before = len(entries_of(world.folder))
        words = [sys.executable, "-m", "pbem", "evening", "--settings", "moderator.yaml"]
        ended = 0
        for _ in range(times):
            office = subprocess.Popen(words, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                office.wait(timeout=chance.uniform(0.3, 2.5))
                ended += 1
            except subprocess.TimeoutExpired:
                office.send_signal(signal.SIGKILL)
                office.wait()
        world.measured("evening")
        servers.delivered()
        assert entries_of(world.folder)[before:] == ["letter"] * len(SEATS) + ["adjudication"]
        found = {who: Counter(delivered(servers, who)) for who in SEATS}
        names = {name for each in found.values() for name, _ in each}
        # What comes twice because the server's word was not heard is the same mail.
        assert sum(map(len, found.values())) == len(names)
        return {
            "killed": times - ended,
            "ended": ended,
            "twice": sum(sum(each.values()) - len(each) for each in found.values()),
        }
    finally:
        servers.stop()


def delivered(servers: Servers, who: str) -> list[tuple[str, bytes]]:
    """Every mail in somebody's mailbox: its name, and what it says."""
    paths = [path for box in ("new", "cur") for path in (servers.boxes / who / box).iterdir()]
    mails = [message_from_bytes(path.read_bytes()) for path in paths]
    return [(str(mail["Message-ID"]), mail.as_bytes().partition(b"\n\n")[2]) for mail in mails]
