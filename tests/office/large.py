"""A large office: ten thousand mails in its mailbox, two hundred campaigns, a process killed again and again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tests.cli.correspondence import SEATS
from tests.office.post import SETTINGS, PostalTable

ROOT = Path(__file__).parents[2]
WITHOUT_PICTURES = SETTINGS + "pictures: no\n"


class Cost(NamedTuple):
    """Cost of a command as a process of its own."""

    seconds: float
    """Of the processor."""
    memory: float
    """The most that it had, in MB."""
    said: str


def cost_of(root: Path, *words: str) -> Cost:
    """A command, run in a folder."""
    said, memory = root / "said", root / "memory"
    command = [sys.executable, "-m", "tests.office.measured", str(memory), *words]
    with said.open("wb") as file:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, cwd=root, stdout=file, stderr=file, env=environment)
        _, code, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    assert process.returncode == 0, said.read_text()
    return Cost(used.ru_utime + used.ru_stime, int(memory.read_text()) / 1024, said.read_text())


def evening(table: PostalTable) -> Cost:
    """A round of the office."""
    return cost_of(table.root, "evening", "--settings", "mail.yaml")


def begun(root: Path) -> PostalTable:
    """A campaign by mail that waits for the first orders, begun by the clock of this computer."""
    root.mkdir(exist_ok=True)
    table = PostalTable(root)
    table.now = now()
    table.open_office(WITHOUT_PICTURES)
    table.join_all()
    return table


def now() -> datetime:
    """The time that processes will have, too."""
    return datetime.now(UTC).replace(microsecond=0)


def fill(table: PostalTable, count: int) -> None:
    """So many mails of all kinds that are no letters."""
    box = table.root / "inbox" / "new"
    bodies = (
        "Lunch on Tuesday?\n",
        "pbem: 1 is what I wrote\n" * 40,
        "<html><p>Buy!</p></html>\n" * 30,
        "x" * 70 + "\n",
    )
    for number in range(count):
        head = f"From: p{number}@example.com\nMessage-ID: <{number}@example.com>\nSubject: mail {number}\n"
        (box / f"5{number:08d}.mail").write_text(f"{head}\n{bodies[number % 4]}")


def full_mailbox(root: Path, count: int) -> dict[str, float]:
    """A mailbox with so many mails, and three letters among them."""
    table = begun(root)
    fill(table, count)
    table.now = now()
    for seat in SEATS:
        table.order_by_mail(seat)
    first, memory, told = evening(table)
    assert "letters: 3" in told, told
    assert "letters taken: 3" in told, told
    again, _, told = evening(table)
    assert "mails read: 0" in told, told
    return {"mails": count, "first s": first, "later s": again, "MB": memory}


def club(root: Path, count: int, active: int) -> dict[str, float]:
    """So many campaigns, of which some get letters."""
    table = begun(root)
    # One campaign is copied with other names by beginning new ones: keys and boards are the same.
    for number in range(count - 1):
        name = f"club-{number}"
        people = [word for seat in SEATS for word in ("--seat", f"{seat}={seat} <{seat}@example.org>")]
        table.run("new", name, "--delay", "0m", "--moderator", "M <m@example.org>", *people, as_="moderator")
    first, _, _ = evening(table)
    idle, _, told = evening(table)
    assert "nothing to do" in told, told
    for number in range(active):
        name = f"club-{number}"
        table.run("invite", "-C", name, as_="moderator")
        for seat in SEATS:
            invitation = max((table.root / name / "outbox").glob(f"*/{seat}-invitation.invitation.yaml"))
            table.run("join", str(invitation), "-o", f"{name}-{seat}.yaml", as_=seat)
            table.post_letter(seat, f"{name}-{seat}.yaml")
    busy, memory, told = evening(table)
    assert f"letters: {3 * active}" in told, told
    return {"campaigns": count, "first s": first, "idle s": idle, f"{active} active s": busy, "MB": memory}


def killed(root: Path, times: int, seed: int = 1741) -> Counter[str]:
    """A process that is killed again and again, at any moment, until there is nothing left to do."""
    chance = random.Random(seed)
    table = begun(root)
    table.now = now()
    for seat in SEATS:
        table.order_by_mail(seat)
    clean = table.copied(root.with_name(f"{root.name}-clean"))
    assert isinstance(clean, PostalTable)
    whole, _, _ = evening(clean)
    words = [sys.executable, "-m", "pbem", "evening", "--settings", "mail.yaml"]
    found: Counter[str] = Counter()
    for _ in range(times):
        process = subprocess.Popen(words, cwd=table.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=chance.uniform(0.15, whole + 0.5))
            found["ended"] += 1
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            found["killed"] += 1
    evening(table)
    kinds = [entries_of(each.folder) for each in (table, clean)]
    assert kinds[0] == kinds[1], kinds
    # The number of the entry stands in each subject. Ids of mails hang on the second in which an entry was made.
    mails = [
        Counter((mail["To"], mail["X-Pbem-Kind"], mail["Subject"].split()[1]) for mail in each.sent_mails())
        for each in (table, clean)
    ]
    assert mails[0] == mails[1]
    return found


def entries_of(folder: Path) -> list[str]:
    """The kinds of the entries of a ledger."""
    lines = [path.read_text() for path in sorted((folder / "ledger").glob("*.yaml"))]
    return [next(line for line in text.splitlines() if line.startswith("kind: "))[6:] for text in lines]


def letters(root: Path, rounds: int) -> dict[str, float]:
    """Cost of a letter in and a mail out, over some stages of a campaign with pictures."""
    table = begun(root)
    (table.root / "mail.yaml").write_text(SETTINGS)
    seconds, count, mails = 0.0, 0, 0
    for _ in range(rounds):
        table.now = now()
        for seat in table.owing():
            table.order_by_mail(seat)
            count += 1
        before = len(table.sent_mails())
        used, _, _ = evening(table)
        seconds += used
        mails += len(table.sent_mails()) - before
    idle, memory, _ = evening(table)
    return {"letters": count, "mails": mails, "evening s": seconds / rounds, "idle s": idle, "MB": memory}
