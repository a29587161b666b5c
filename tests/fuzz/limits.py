"""Hostile input under a limit of memory and time: `python -m tests.fuzz.limits` lets one process read all of it.

With `--some`, as the suite has it, every other file is read, each document by one of the commands only.
Input too large for a process of 200 MB ends as a `MemoryError`, which nothing in the program answers.
"""

from __future__ import annotations

import base64
import io
import resource
import subprocess
import sys
import time
import traceback
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from pbem.cli import main as pbem
from tests.cli.correspondence import working_in

MOST_MEMORY = 200 * 1024 * 1024
MOST_SECONDS = 20.0
HEAD = b"From: a@example.org\nTo: b@example.org\nMIME-Version: 1.0\nContent-Type: "
MAIL = b"Content-Transfer-Encoding: base64\n\n"
BOMB = b"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b]\n"


def yaml_files() -> dict[str, bytes]:
    """Documents that are large, deep, or made to explode."""
    return {
        "bomb": BOMB,
        "brackets": b"[" * 250_000,
        "braces": b"{a: " * 60_000,
        "deep": b"".join(b" " * depth + b"a:\n" for depth in range(600)),
        "number": b"turn: " + b"9" * 250_000,
        "seq": b"pbem: 1\nseq: " + b"9" * 250_000,
        "line": b"a: " + b"x" * 3_900_000,
        "huge": b"x" * 20_000_000,
        "keys": b"".join(b"k%d: v\n" % number for number in range(28_000)),
        "commas": b"a: [" + b"x," * 40_000 + b"]",
        "quotes": b'a: "' + b'\\"' * 120_000 + b'"',
        "remarks": b"a: b #c\n" * 30_000,
        "dashes": b"- " * 120_000,
        "zeros": b"\0" * 250_000,
        "accents": ("a" + "\u0301" * 120_000).encode(),
        "anchor": b"a: &" + b"x" * 250_000,
        "card": b"turn: 2\nhands: {austria: [S" + b"7" * 200_000 + b"]}",
        "names": b"turn: 2\npieces: {" + b", ".join(b"Konigratz%d: off" % number for number in range(9000)) + b"}",
    }


def mails() -> dict[str, bytes]:
    """Mails that are large once they are decoded, or that have more parts than anybody needs."""
    parts = b"--b\nContent-Type: text/plain\n\npbem: 1\nkind: [[[\n" * 90
    inner = HEAD + b"text/plain\n\n" + b"pbem: 1\n" * 3000
    for _ in range(6):
        file = b"application/octet-stream; name=a.eml\n"
        inner = HEAD + file + MAIL + base64.encodebytes(inner)
    return {
        "base64": HEAD + b"text/plain\n" + MAIL + base64.encodebytes(b"A" * 2_800_000),
        "page": HEAD + b"text/html\n" + MAIL + base64.encodebytes(b"<a b>" * 560_000),
        "utf-7": HEAD + b"text/plain; charset=utf-7\n\n" + b"+AAA-" * 700_000,
        "boundaries": HEAD + b"multipart/mixed; boundary=b\n\n" + b"--b\n" * 900_000,
        "parts": HEAD + b"multipart/mixed; boundary=b\n\n" + parts,
        "mails in mails": HEAD + b"message/rfc822\n\n" + b"Content-Type: message/rfc822\n\n" * 70_000,
        "files in files": inner,
        "tags": b"<html>" + b"<a " * 300_000,
        "code": b"[code]pbem: 1\n" + b"[code][/code]" * 300_000,
        "flowed": HEAD + b"text/plain; format=flowed\n\n" + b"> x \n" * 140_000,
        "prefixes": (b"> " * 500 + b"pbem: 1\n" + b"> " * 500 + b"x\n") * 1500,
        "mailbox": (b"From a\nSubject: x\nTo: b\n\n" + b"hello\n" * 10 + b"\n") * 3000,
    }


def modules() -> dict[str, bytes]:
    """Boards of other programs that are none."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("buildFile.xml", "w") as file:
        for _ in range(400):
            file.write(b" " * 1_000_000)
    return {
        "bomb.vmod": zipped.getvalue(),
        "deep.xml": b"<a>" * 8_000_000,
        "signs.js": b"x = {cities: " + b"[1," * 2_600_000,
        "few.js": b"[" * 1_000_000,
        "strings.js": b"x = {name: [" + b'"A",' * 250_000 + b"]}",
    }


def write_all(folder: Path, some: bool) -> None:
    """Write the files, each kind in a folder of its own; every other one if some are enough."""
    for kind, files in (("yaml", yaml_files()), ("mail", mails()), ("module", modules())):
        (folder / kind).mkdir()
        for name, data in list(files.items())[:: 2 if some else 1]:
            (folder / kind / name).write_bytes(data)


READERS = (("position", "load"), ("check",), ("board", "check"), ("open",), ("new", "x", "--from"))
"""Commands that read documents."""


def commands(folder: Path, some: bool) -> Iterator[tuple[str, ...]]:
    """Command lines that read the files in a folder, and one that never ends."""
    for number, path in enumerate(sorted((folder / "yaml").iterdir())):
        for words in READERS[number % len(READERS) :][:1] if some else READERS:
            yield (*words, str(path))
    for path in sorted((folder / "module").iterdir()):
        yield ("board", "import", str(path), "-o", "out.yaml")
    for words in (("show",), ("check",), ("open",), ("key", "show", "--key"), ("map", "-o", "a.svg"), ("verify",)):
        yield (*words, "/dev/zero")


def run(words: tuple[str, ...]) -> str:
    """Reason why a command line was not answered as it should be; None if it was."""
    begun = time.process_time()
    result = CliRunner().invoke(pbem, [*words])
    seconds = time.process_time() - begun
    if result.exit_code in (1, 2) and isinstance(result.exception, SystemExit) and seconds < MOST_SECONDS:
        return ""
    return f"{words}: {result.exit_code}, {result.exception!r}, {seconds:.1f} s, {result.output[:300]}"


def take(path: Path) -> str:
    """The same of a mail."""
    from pbem.post.extract import extract
    from pbem.post.mailbox import split_mailbox

    begun = time.process_time()
    try:
        for message in split_mailbox(path):
            assert (got := extract(message.data)).faults or got.letters or got.unread
    except Exception:
        return f"{path.name}: {traceback.format_exc(limit=-3)}"
    seconds = time.process_time() - begun
    return "" if seconds < MOST_SECONDS else f"{path.name}: {seconds:.1f} s"


def read_all(folder: Path, some: bool) -> int:
    """Read everything under the limits; gives whether something was not answered."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    with working_in(folder):
        failed = [*map(run, commands(folder, some)), *map(take, sorted((folder / "mail").iterdir()))]
    for told in filter(None, failed):
        print(told)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    return 1 if any(failed) else 0


def main() -> int:
    """Write the files, and let a new process read them."""
    some = sys.argv[1:2] == ["--some"]
    if folders := sys.argv[1 + some :]:
        return read_all(Path(folders[0]), some)
    with TemporaryDirectory() as folder:
        write_all(Path(folder), some)
        return subprocess.run([sys.executable, "-m", "tests.fuzz.limits", *sys.argv[1:], folder]).returncode


if __name__ == "__main__":
    sys.exit(main())
