"""Commands print the same words on a terminal as elsewhere, in its width, with the red suits in red."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.console.printing import say, tell
from pbem.console.terminal import show_entry, show_owed
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Fault
from pbem.report.blocks import CELL, BattleBlock, Block, Code, Quote, line_of, parsed_blocks
from pbem.report.formats.pages import text
from pbem.report.language.templates import NO_BREAK

EXAMPLES = Path(__file__).parents[2] / "examples"
RED = "\x1b[31m"

BLOCKS: list[Block] = [
    *parsed_blocks("# Title\n\nFirst line\nSecond line with `pbem try`\n\n## Part\n\n- one item\n- another item"),
    *parsed_blocks(
        f"{CELL}1{CELL}Browne{CELL}Prag ♥{CELL}6{NO_BREAK}troops\n{CELL}across\n{CELL}2{CELL}Traun{CELL}Brünn"
    ),
    BattleBlock(line_of("Battle of Trautenau."), (line_of("Austria plays ♦10 (8 ahead)."),), line_of("Prussia stops.")),
    Quote(("words of", "somebody")),
    Code(("pbem: 1",), letter=True),
]  # fmt: skip


def seen(*words: str, columns: int = 80, **environment: str) -> str:
    """Output of a command on a real terminal of so many columns."""
    leader, follower = pty.openpty()
    around = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    around |= {"COLUMNS": str(columns), "TERM": "xterm-256color", "PYTHONPATH": str(EXAMPLES.parent)}
    process = subprocess.Popen(
        [sys.executable, "-m", "pbem", *words], stdout=follower, stdin=follower, env={**around, **environment}
    )
    os.close(follower)
    found = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        found += part
    assert process.wait() == 0
    os.close(leader)
    return found.decode().replace("\r\n", "\n")


def bare(shown: str) -> str:
    """The output without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


def words_of(shown: str) -> list[str]:
    """The words that are shown, without the signs that only dress them."""
    return re.findall(r"[^\s│•=─-]+", bare(shown))


def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int = 80) -> None:
    """Let everything that follows be dressed as for a terminal."""
    monkeypatch.setattr("pbem.console.printing.on_terminal", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    for key, value in {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(columns)}.items():
        monkeypatch.setenv(key, value)
    capsys.readouterr()


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_terminal_shows_the_same_words_in_its_width(columns: int) -> None:
    orders = [str(EXAMPLES / name) for name in ("neipperg.yaml", "neipperg-orders.yaml")]
    shown = seen("try", *orders, columns=columns)
    piped = subprocess.run(
        [sys.executable, "-m", "pbem", "try", *orders], capture_output=True, check=True, cwd=EXAMPLES.parent
    )
    assert max(map(len, bare(shown).splitlines())) <= columns
    assert sorted(words_of(shown)) == sorted(words_of(piped.stdout.decode()))
    assert f"{RED}♦10" in shown
    assert "\x1b" not in piped.stdout.decode()


def test_no_color_and_a_language_are_respected() -> None:
    shown = seen("show", str(EXAMPLES / "neipperg.yaml"), NO_COLOR="1", PBEM_LANGUAGE="de")
    assert "[31m" not in shown
    assert "Streitkräfte" in shown


def test_what_is_piped_is_the_plain_text_byte_for_byte(capsys: pytest.CaptureFixture[str]) -> None:
    tell(BLOCKS)
    assert capsys.readouterr().out == text(BLOCKS) + "\n"
    tell(BLOCKS, gap=False)
    assert capsys.readouterr().out == text(BLOCKS)


@pytest.mark.parametrize("columns", [30, 80])
def test_every_block_has_a_dress(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    printed(capsys, monkeypatch, columns)
    tell(BLOCKS)
    shown = capsys.readouterr().out
    assert words_of(shown) == words_of(text(BLOCKS).replace("`", "").replace(">", ""))
    assert "\ue010" not in shown
    assert NO_BREAK not in shown
    assert bare(shown).count("│ ") >= 5
    assert all(line == line.rstrip() for line in bare(shown).splitlines())
    assert "\npbem: 1\n" in bare(shown)


def test_a_number_stays_with_what_it_counts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    printed(capsys, monkeypatch, 20)
    tell(parsed_blocks(f"Bavaria has about{NO_BREAK}five troops"))
    assert bare(capsys.readouterr().out).splitlines()[0] == "Bavaria has"


def test_who_is_late_stands_out(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    printed(capsys, monkeypatch)
    rows = [["louis", "noch keine Befehle"], ["frederick", "ein Entwurf"], ["maria-theresa", "Befehle liegen vor"]]
    states = ["none yet", "draft", "final"]
    show_owed(rows, states, is_late=False)
    in_time = capsys.readouterr().out
    show_owed(rows, states, is_late=True)
    late = capsys.readouterr().out
    assert bare(in_time) == bare(late)
    assert "\x1b[33mlouis" in in_time
    assert "\x1b[1;31mlouis" in late
    assert "\x1b[32mmaria-theresa" in late


def test_an_entry_with_what_happened(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    printed(capsys, monkeypatch)
    show_entry(7, "2026-11-21 12:00", "ruling", "[b]Arenberg[/b] :smile: " * 5, parsed_blocks("Austria draws 3 cards."))
    lines = bare(capsys.readouterr().out).splitlines()
    assert lines[0].startswith("   7  2026-11-21 12:00  ruling        [b]Arenberg[/b] :smile:")
    assert lines[-2].strip() == "Austria draws 3 cards."


@pytest.mark.parametrize("columns", [40, 80])
def test_what_a_campaign_protects_is_broken_between_words(tmp_path: Path, columns: int) -> None:
    key = str(tmp_path / "key")
    seen("key", "new", "--no-passphrase", "--key", key)
    shown = seen("new", str(tmp_path / "x"), "--key", key, columns=columns).replace(str(tmp_path), "")
    lines = [line for line in shown.splitlines() if line.startswith(("- ", "  "))]
    assert len(lines) > 5
    assert all(len(line) <= columns for line in lines)
    assert "- the deal: committed to before anybody joins, mixed with every" in " ".join(" ".join(lines).split())


def test_a_fault_is_broken_between_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    what = wrong("E-NAME-UNKNOWN.train", power="there are words, " * 5, written="more", names=("what-is-joined",))
    fault = Fault.at(1, 1, what)
    say(fault.message_line("letter.yaml"), err=True)
    whole = capsys.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    say(fault.message_line("letter.yaml"), err=True)
    broken = capsys.readouterr().err
    assert whole.count("\n") == 1
    assert broken.split() == whole.split()
    assert max(map(len, broken.splitlines())) <= 40
