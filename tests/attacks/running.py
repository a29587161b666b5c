"""Checks of tests/attacks, read from their files and carried out by commands, letters and mails."""

from __future__ import annotations

import base64
import re
import shlex
import shutil
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import yaml

from tests.cli.correspondence import NAME
from tests.office.post import PLAIN, PostalTable

FOLDER = Path(__file__).parent
UNITS = {"m": "minutes", "h": "hours", "d": "days"}
STEPS = {
    "run": {"as", "exit", "prints", "never", "given"},
    "evening": {"exit", "prints", "never"},
    "write": {"text", "bytes"},
    "copy": {"to"},
    "change": {"from", "to"},
    "sheet": set(),
    "mail": {"says", "text", "attach", "raw"},
    "wait": set(),
    "sent": {"times", "prints", "never"},
    "file": {"prints", "never", "exists"},
    "unchanged": set(),
}


def all_checks() -> list[tuple[str, dict[str, Any]]]:
    """Return every check with the name of its file, which must know all its keys."""
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        for check in yaml.safe_load(path.read_text()):
            assert set(check) == {"check", "by", "start", "do"}, (path.name, check)
            for step in check["do"]:
                kind = next(iter(step))
                assert set(step) - {kind} <= STEPS[kind], (path.name, check["check"], step)
            found.append((path.stem, check))
    return found


def start_of(name: str, root: Path) -> PostalTable:
    """Return a table as the README names it."""
    table = PostalTable(root)
    if name == "office":
        table.open_office(PLAIN)
        table.moderate("invite")
        table.evening()
        table.join_by_mail()
        table.evening()
    elif name != "nothing":
        table.begin()
        if name != "invited":
            table.join()
        if name == "played":
            for _ in range(3):
                table.round()
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


def listed(value: Any) -> list[str]:
    """Return one text or several as a list."""
    return [] if value is None else [str(each) for each in value] if isinstance(value, list) else [str(value)]


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
            if kind in ("run", "evening"):
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

    def run(self, words: str, step: dict[str, Any]) -> None:
        spelled = [str(self.path(word)) if "*" in word else word for word in shlex.split(words)]
        done = self.table.run(*spelled, as_=step.get("as", ""), code=step.get("exit", 0), given=step.get("given", ""))
        expect(step, done.output)

    def evening(self, _: None, step: dict[str, Any]) -> None:
        expect(step, self.table.evening(code=step.get("exit", 0)))

    def write(self, name: str, step: dict[str, Any]) -> None:
        path = self.table.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(step["bytes"]) if "bytes" in step else step["text"].encode())

    def copy(self, name: str, step: dict[str, Any]) -> None:
        target = self.table.root / step["to"]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.path(name), target)

    def change(self, name: str, step: dict[str, Any]) -> None:
        path = self.path(name)
        data = path.read_bytes()
        assert step["from"].encode() in data, f"{step['from']!r} does not stand in {name}"
        path.write_bytes(data.replace(step["from"].encode(), step["to"].encode()))

    def sheet(self, seat: str, _: dict[str, Any]) -> None:
        self.table.sheet(seat)

    def mail(self, name: str, step: dict[str, Any]) -> None:
        self.mails += 1
        self.table.drop(step["raw"].encode() if "raw" in step else self._mail(step), f"{self.mails:04}.{name}")

    def _mail(self, step: dict[str, Any]) -> bytes:
        mail = EmailMessage()
        mail["Message-ID"] = f"<{self.mails}@attack.example>"
        mail["Date"] = self.table.now.strftime("%a, %d %b %Y %H:%M:%S +0000")
        for key, value in step.get("says", {}).items():
            mail[key] = value
        mail.set_content(step.get("text", ""))
        for name in listed(step.get("attach")):
            path = self.path(name)
            mail.add_attachment(path.read_bytes(), maintype="application", subtype="yaml", filename=path.name)
        return mail.as_bytes()

    def wait(self, time: str, _: dict[str, Any]) -> None:
        number, unit = re.fullmatch(r"(\d+)([mhd])", time).groups()  # type: ignore[union-attr]
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
        expect(step, self.path(name).read_text("utf-8", "replace"))

    def unchanged(self, _: None, __: dict[str, Any]) -> None:
        now = self.ledger()
        changed = sorted(name for name in {*now, *self.before} if now.get(name) != self.before.get(name))
        assert not changed, changed


assert NAME == "vienna-1741", "the README names it"
