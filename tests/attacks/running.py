"""Checks of tests/attacks, read from their files and carried out by commands, letters and mails."""

from __future__ import annotations

import base64
import email
import hashlib
import os
import pickle
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from email.message import EmailMessage
from fcntl import LOCK_EX, flock
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from pbem.seal.canonical import canonical
from pbem.seal.keys import load_private
from pbem.seal.signature import sign
from tests.cli.correspondence import NAME, SEATS
from tests.office.post import PLAIN, READING, PostalTable, copied
from tests.protocol.forging import write_state
from tests.protocol.second import verify as second
from tests.protocol.second_text import ordered, read, write
from tests.setups import with_more

FOLDER = Path(__file__).parent
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
UNITS = {"m": "minutes", "h": "hours", "d": "days"}
FRIEDRICH = ("frederick", "elisabeth", "maria-theresa", "pompadour")
KEYS = {"check", "by", "start", "with", "for", "do"}
STEPS = {
    "run": {"as", "exit", "prints", "never", "given"},
    "moderator": {"exit", "prints", "never", "given"},
    "round": set(),
    "evening": {"exit", "prints", "never"},
    "verify": {"exit", "prints", "never", "second"},
    "write": {"text", "bytes", "times", "encoding"},
    "copy": {"to"},
    "link": {"to"},
    "delete": set(),
    "mode": {"to"},
    "change": {"from", "to", "times"},
    "troops": {"more"},
    "forge": {"set", "from", "to", "by"},
    "sheet": {"as"},
    "mail": {"says", "text", "attach", "raw"},
    "wait": set(),
    "sent": {"times", "prints", "never"},
    "file": {"prints", "never", "exists"},
    "files": {"prints", "never", "times"},
    "same": {"to"},
    "unchanged": set(),
}


def all_checks() -> list[tuple[str, dict[str, Any]]]:
    """Return every check with its name, a check `for` several things once for each; all keys must be known."""
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        for check in yaml.load(path.read_text("utf-8"), LOADER):
            assert {"check", "by", "start", "do"} <= set(check) <= KEYS, (path.name, check)
            for row in check.get("for", [{}]):
                each = filled(check, row)
                for step in each["do"]:
                    kind = next(iter(step))
                    assert set(step) - {kind} <= STEPS[kind], (path.name, check["check"], step)
                called = f" ({next(iter(row.values()))})" if row else ""
                found.append((f"{path.stem}: {check['check']}{called}", each))
    return found


def filled(value: Any, row: dict[str, Any]) -> Any:
    """Return steps with the values of a row in the place of their names: `$file`."""
    if isinstance(value, dict):
        return {filled(key, row): filled(each, row) for key, each in value.items() if key != "for"}
    if isinstance(value, list):
        return [filled(each, row) for each in value]
    if not isinstance(value, str):
        return value
    if value.startswith("$") and value[1:] in row:
        return row[value[1:]]
    for key, each in row.items():
        value = value.replace(f"${key}", str(each))
    return value


BEFORE = {
    "office": "nothing", "invited": "nothing", "joined": "invited", "played": "joined", "closed": "played",
    "sealed": "joined", "locked": "sealed",
}  # fmt: skip
"""By start: the one that it goes on from."""


def table_of(options: str, root: Path) -> PostalTable:
    """Return a table at which nothing has happened, with the seats that the options leave to people."""
    chosen = shlex.split(options)
    seats = FRIEDRICH if "friedrich" in chosen else SEATS
    bots = [word.split("=")[0] for before, word in pairwise(chosen) if before == "--bot"]
    return PostalTable(root, [seat for seat in seats if seat not in bots])


def go_on(table: PostalTable, name: str, options: str) -> None:
    """Lead a table from the start before to the start of this name, as the README has it."""
    match name:
        case "office":
            table.open_office(PLAIN, *shlex.split(options))
            table.join_all()
        case "invited":
            table.begin(*shlex.split(options))
        case "joined":
            table.join()
        case "played":
            for _ in range(3):
                table.round()
        case "closed":
            table.moderate("close", "--why", "enough")
            table.post()
        case "sealed":
            for seat in table.owing():
                table.run("seal", table.sheet(seat), as_=seat)
                table.run("sign", f"{seat}/orders.sealed.yaml", as_=seat)
                table.accept(f"{seat}/orders.sealed.yaml")
        case "locked":
            table.moderate("adjudicate")
            table.post()


def kept_start(folder: Path, name: str, options: str) -> PostalTable:
    """Return a start that is kept in a folder, made by the process that asks for it first."""
    place = folder / hashlib.sha256(f"{name} {options}".encode()).hexdigest()[:12]
    place.mkdir(parents=True, exist_ok=True)
    kept, root = place / "table", place / "files"
    with (place / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not kept.exists():
            shutil.rmtree(root, ignore_errors=True)
            if name == "nothing":
                root.mkdir()
                table = table_of(options, root)
            else:
                table = copied(kept_start(folder, BEFORE[name], options), root)
                go_on(table, name, options)
            kept.write_bytes(pickle.dumps(table))
    table = pickle.loads(kept.read_bytes())
    assert isinstance(table, PostalTable)
    return table


def folded(text: str) -> str:
    """Return the text with every white space as one blank."""
    return " ".join(text.split())


def expect(step: dict[str, Any], text: str) -> None:
    """Compare what was printed with what the step expects."""
    for words in listed(step.get("prints")):
        assert folded(words) in folded(text), f"not found: {words!r} in:\n{text}"
    for words in listed(step.get("never")):
        assert folded(words) not in folded(text), f"found: {words!r} in:\n{text}"


def code_of(step: dict[str, Any]) -> int | None:
    """Return the exit code that a step expects, or nothing for any."""
    code = step.get("exit", 0)
    return None if code in (None, "any") else int(code)


def listed(value: Any) -> list[str]:
    """Return one text or several as a list."""
    return [] if value is None else [str(each) for each in value] if isinstance(value, list) else [str(value)]


def readable(path: Path) -> str:
    """Return what somebody reads who opens a file; of a mail every part that is text."""
    data = path.read_bytes()
    if path.suffix != ".eml":
        return data.decode("utf-8", "replace")
    mail = email.message_from_bytes(data, policy=READING)
    parts = [part.get_content() for part in mail.walk() if not part.is_multipart()]
    texts = [part.decode("utf-8", "replace") if isinstance(part, bytes) else part for part in parts]
    return "\n".join([str(mail), *texts])


def contents(path: Path) -> dict[str, bytes]:
    """Return the bytes of a file, or of every file in a folder."""
    if path.is_file():
        return {"": path.read_bytes()}
    return {str(each.relative_to(path)): each.read_bytes() for each in path.rglob("*") if each.is_file()}


def texts(value: Any) -> Any:
    """Return a tree of a check with texts in it alone."""
    if isinstance(value, dict):
        return {key: texts(each) for key, each in value.items()}
    return [texts(each) for each in value] if isinstance(value, list) else str(value)


def put(tree: Any, way: str, value: Any) -> None:
    """Set what stands in a tree under keys with dots between them; nothing takes it away."""
    *keys, last = way.split(".")
    for key in keys:
        tree = tree[int(key)] if isinstance(tree, list) else tree[key]
    if isinstance(tree, list):
        tree[int(last)] = texts(value)
    elif value is None:
        del tree[last]
    else:
        tree[last] = texts(value)


class Scene:
    """One check under way: a table, and its campaign's ledger before the last step that could change it."""

    def __init__(self, table: PostalTable) -> None:
        self.table = table
        self.before: dict[str, bytes] = {}
        self.mails = 0

    def carry_out(self, steps: list[dict[str, Any]]) -> None:
        """Carry out all steps; raises AssertionError with the step that did not hold."""
        for number, step in enumerate(steps, 1):
            kind = next(iter(step))
            act: Callable[[Any, dict[str, Any]], None] = getattr(self, kind)
            if kind in ("run", "moderator", "round", "evening"):
                self.before = self.ledger()
            try:
                act(step[kind], step)
            except AssertionError as failed:
                raise AssertionError(f"step {number}, {kind} {step[kind]}: {failed}") from failed

    def ledger(self) -> dict[str, bytes]:
        """Return the entries of the campaign."""
        return {name: data for name, data in self.table.files().items() if name.startswith("ledger/")}

    def path(self, name: str) -> Path:
        """Return the file of this name, or the newest one that fits its `*`."""
        if "*" not in name:
            return self.table.root / name
        found = sorted(self.table.root.glob(name))
        assert found, f"no file is called {name}"
        return found[-1]

    def text(self, written: str) -> str:
        """Return a text with files in the place of `$(NAME)`, each of their lines with what stands before that."""

        def lines_of(found: re.Match[str]) -> str:
            lines = self.path(found[2]).read_text("utf-8").removesuffix("\n").split("\n")
            return "\n".join(found[1] + line for line in lines)

        return re.sub(r"(?m)^(.*)\$\((.+?)\)$", lines_of, written)

    def run(self, words: str | list[str], step: dict[str, Any]) -> None:
        apart = shlex.split(words) if isinstance(words, str) else words
        spelled = [str(self.path(word)) if "*" in word else word for word in apart]
        given = self.text(step.get("given", ""))
        done = self.table.run(*spelled, as_=step.get("as", ""), code=code_of(step), given=given)
        expect(step, done.output)

    def moderator(self, words: str, step: dict[str, Any]) -> None:
        self.run(f"{words} -C {NAME}", step | {"as": "moderator"})

    def round(self, _: None, __: dict[str, Any]) -> None:
        self.table.round()

    def evening(self, _: None, step: dict[str, Any]) -> None:
        expect(step, self.table.evening(code=code_of(step)))

    def verify(self, words: str | None, step: dict[str, Any]) -> None:
        code = step.get("exit", 0)
        expect(step, self.table.run("verify", *shlex.split(words or NAME), code=code).output)
        found = second(self.table.folder)
        assert bool(found) == step.get("second", bool(code)), found

    def write(self, name: str, step: dict[str, Any]) -> None:
        path = self.table.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if "bytes" in step:
            path.write_bytes(base64.b64decode(step["bytes"]))
        else:
            text = self.text(step["text"]) * step.get("times", 1)
            path.write_bytes(text.encode(step.get("encoding", "utf-8"), "surrogateescape"))

    def copy(self, name: str, step: dict[str, Any]) -> None:
        source, target = self.path(name), self.table.root / step["to"]
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copy(source, target)

    def link(self, name: str, step: dict[str, Any]) -> None:
        path = self.table.root / name
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        os.symlink(step["to"], path)

    def mode(self, name: str, step: dict[str, Any]) -> None:
        self.path(name).chmod(int(str(step["to"]), 8))

    def delete(self, name: str, _: dict[str, Any]) -> None:
        path = self.path(name)
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def change(self, name: str, step: dict[str, Any]) -> None:
        path = self.path(name)
        data = path.read_bytes()
        assert step["from"].encode() in data, f"{step['from']!r} does not stand in {name}"
        path.write_bytes(data.replace(step["from"].encode(), (step["to"] * step.get("times", 1)).encode()))

    def troops(self, name: str, step: dict[str, Any]) -> None:
        path = self.path(name)
        path.write_text(with_more(path.read_text("utf-8"), **step["more"]), "utf-8")

    def forge(self, name: str, step: dict[str, Any]) -> None:
        path = self.path(name)
        if "from" in step:
            self.change(str(path.relative_to(self.table.root)), step)
        key = load_private(self.path(f"{step.get('by', 'moderator')}/key").read_bytes(), None)
        if path.is_file() and path.suffix == ".yaml":
            tree = read(path.read_bytes())
            for way, value in step.get("set", {}).items():
                put(tree, way, self.text(value) if isinstance(value, str) else value)
            path.write_bytes(write(tree, 66))
        ledger, opened = self.table.folder / "ledger", self.table.folder / "opened.json"
        if path not in (ledger, opened) and path.parent != ledger:
            tree.pop("signature", None)
            path.write_bytes(write(tree | {"signature": sign(key, canonical(tree))}, 66))
            return
        before = "0" * 64
        for number, entry in enumerate(sorted(ledger.iterdir()), 1):
            tree = read(entry.read_bytes()) | {"entry": str(number), "before": before}
            tree.pop("signature", None)
            if path == opened and tree["kind"] == "close":
                tree["body"]["opened"] = hashlib.sha256(opened.read_bytes()).hexdigest()
            tree = {**tree, "body": ordered(tree["body"]), "signature": sign(key, canonical(tree))}
            entry.unlink()
            data = write(tree, 100)
            (ledger / f"{number:04}-{tree['kind']}.yaml").write_bytes(data)
            before = hashlib.sha256(data).hexdigest()
            if number == 1:
                settings = write(ordered(tree["body"]["settings"]), 66)
                head = b"# What was agreed; the ledger's first entry says the same, signed.\n"
                (self.table.folder / "campaign.yaml").write_bytes(head + settings)
        with suppress(Exception):  # what makes no sense leads to no state
            write_state(self.table.folder)

    def sheet(self, seat: str, step: dict[str, Any]) -> None:
        self.table.sheet(seat, step.get("as", "orders.yaml"))

    def mail(self, name: str, step: dict[str, Any]) -> None:
        self.mails += 1
        data = self.text(step["raw"]).encode("utf-8", "surrogateescape") if "raw" in step else self._mail(step)
        self.table.drop(data, f"{self.mails:04}.{name}")

    def _mail(self, step: dict[str, Any]) -> bytes:
        mail = EmailMessage()
        mail["Message-ID"] = f"<{self.mails}@attack.example>"
        mail["Date"] = self.table.now.strftime("%a, %d %b %Y %H:%M:%S +0000")
        for key, value in step.get("says", {}).items():
            mail[key] = value
        mail.set_content(self.text(step.get("text", "")))
        for name in listed(step.get("attach")):
            path = self.path(name)
            mail.add_attachment(path.read_bytes(), maintype="application", subtype="yaml", filename=path.name)
        return mail.as_bytes()

    def wait(self, time: str, _: dict[str, Any]) -> None:
        number, unit = re.fullmatch(r"(-?\d+)([mhd])", time).groups()  # type: ignore[union-attr]
        self.table.now += timedelta(**{UNITS[unit]: int(number)})

    def sent(self, head: dict[str, str], step: dict[str, Any]) -> None:
        mails = [mail for mail in self.table.sent_mails() if all(has in str(mail[key]) for key, has in head.items())]
        if "times" in step:
            assert len(mails) == step["times"], [f"{mail['To']}: {mail['Subject']}" for mail in mails]
        else:
            assert mails, [f"{mail['To']}: {mail['Subject']}" for mail in self.table.sent_mails()]
        expect(step, "\n".join(str(mail) for mail in mails))

    def file(self, name: str, step: dict[str, Any]) -> None:
        if not step.get("exists", True):
            assert not list(self.table.root.glob(name)), f"{name} is there"
            return
        expect(step, readable(self.path(name)))

    def files(self, name: str, step: dict[str, Any]) -> None:
        found = list(self._files(name))
        assert len(found) == step["times"] if "times" in step else found, found or f"no file is called {name}"
        for path in found:
            for words in listed(step.get("never")):
                assert words not in readable(path), f"{words!r} stands in {path}"
        expect({"prints": step.get("prints")}, "\n".join(map(readable, found)))

    def _files(self, names: str) -> Iterator[Path]:
        for name in names.split():
            yield from (path for path in sorted(self.table.root.glob(name)) if path.is_file())

    def same(self, name: str, step: dict[str, Any]) -> None:
        one, two = contents(self.path(name)), contents(self.path(step["to"]))
        assert one == two, sorted(path for path in {*one, *two} if one.get(path) != two.get(path))

    def unchanged(self, _: None, __: dict[str, Any]) -> None:
        now = self.ledger()
        changed = sorted(name for name in {*now, *self.before} if now.get(name) != self.before.get(name))
        assert not changed, changed


assert NAME == "vienna-1741", "the README names it"
