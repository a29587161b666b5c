"""Shares of the mails' bodies: lines of news, of what is asked, and lines that stood in the reader's mail before.

`python -m tests.report.share` plays three turns of each game, with plans for battles as invitations advise, and prints
a table for every language, or for those given by `--language`; `--bodies DIR` also writes the bodies into files.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from pbem.bots.table import sensible_policy
from pbem.campaign.briefing import Briefing, briefings
from pbem.engine.table import turn_of
from pbem.paper.letters import sign_letter
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import body_text

GAMES: Mapping[str, dict[str, Any]] = {
    "maria": {"game": "maria", "scenario": "introductory"},
    "friedrich": {"game": "friedrich"},
}
ADVANCED = {"advanced": {"game": "maria", "scenario": "advanced"}}
NAMES = ("Anna", "Fritz", "Lou", "Katharina")
TURNS = 3

NEWS: dict[str, object] = (
    {"news": {"mine": [], "others": [], "left": 0}, "events": []}
    | {
        key: []
        for key in (
            "notes",
            "messages",
            "slips",
            "plan_notes",
            "answered",
            "defaulted",
            "entered",
            "proposals",
            "agreements",
            "shared_keys",
        )
    }
    | {"own_agreements": {"in_force": [], "ended": [], "lapsed": [], "left": 0}}
)
"""Data of a report without what is new in it."""
ASKED: dict[str, object] = {"sheet": "", "short_sheet": ""} | {
    key: [] for key in ("asked", "dangers", "unsupplied", "tolled", "enemy_hussars")
}
"""Data of a report without what is asked, and without what decides about it: who can reach the reader, and which of the
reader's generals are out of supply."""
HEAD_OF_LETTER = ("pbem:", "kind:", "campaign:", "from:", "stage:", "basis:", "seq:", "body:", "  orders:")


class Share(Struct):
    """Numbers of lines that are not empty; `known` are those that stood in the reader's mail before."""

    mails: int = 0
    head: int = 0
    """Lines that say whose move it is, until when, and for whom the game waits."""
    news: int = 0
    asked: int = 0
    rest: int = 0
    known: int = 0
    longest: int = 0

    @property
    def lines(self) -> int:
        return self.head + self.news + self.asked + self.rest

    def share(self, part: int) -> float:
        return part / self.lines

    def with_another(self, other: Share) -> Share:
        """Return the share of the mails of both."""
        longest = max(self.longest, other.longest)
        return Share(*(mine + its for mine, its in zip(astuple(self)[:-1], astuple(other)[:-1], strict=True)), longest)

    def row(self) -> str:
        """Return the figures as a line of the table."""
        both = self.news + self.asked
        parts = (self.head, self.news, self.asked, self.rest, both, both + self.head, self.known)
        figures = "".join(f"{self.share(part):9.0%}" for part in parts)
        return f"{self.mails:6}{self.lines / self.mails:7.1f}{self.longest:6}{figures}"


COLUMNS = f"{'mails':>6}{'lines':>7}{'most':>6}" + "".join(
    f"{name:>9}" for name in ("head", "news", "asked", "rest", "n+a", "h+n+a", "known")
)


def played(folder: Path, game: str, turns: int = TURNS, seed: int = 1, *, plans: bool = True) -> Iterator[Briefing]:
    """Yield the briefings of all seats after each adjudication, as they are posted. With `plans`, all have sent those
    that come with the first report."""
    terms = {**GAMES, **ADVANCED}[game]
    table = SimulatedTable(folder, seed, **terms)
    for player, name in zip(table.players.values(), NAMES, strict=False):
        player.policy, player.name = sensible_policy(terms["game"]), name
    table.begun()
    with table.open() as campaign:
        for seat, told in briefings(campaign).items():
            if seat in table.players and plans:
                preset = str(report_data(told)["preset"])
                table.deliver(campaign, sign_letter(preset, table.players[seat].key))
                table.players[seat].next_seq()
        while campaign.public.phase == "running" and turn_of(campaign.public.next.stage) <= turns:
            posted = briefings(campaign)
            yield from (posted[seat] for seat in table.players)
            campaign.vault.posted = campaign.state.snapshot()
            table.round(campaign)


def lines_of(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def lines_lost(text: str, without: dict[str, Any]) -> int:
    """Return the number of lines of a body that are not in the body of the data `without` some of their parts. Lines
    under headings and the head of a letter do not count."""
    whole, rest = (Counter(lines_of(each)) for each in (text, body_text(without)))
    return sum(
        not line.startswith(HEAD_OF_LETTER) and bool(set(line) - {"=", "-"}) for line in (whole - rest).elements()
    )


def share_of(data: dict[str, Any], before: set[str]) -> tuple[Share, set[str]]:
    """Return the share of one body, and its lines."""
    text = body_text(data)
    lines = lines_of(text)
    head = len(lines_of(text.split("\n\n")[0])) - ("\n==" in text)
    news, asked = (lines_lost(text, data | without) for without in (NEWS, ASKED))
    known = sum(line in before for line in lines)
    rest = len(lines) - head - news - asked
    return Share(1, head, news, asked, rest, known, len(text.splitlines())), set(lines)


def shares(told: list[Briefing], language: str, bodies: Path | None = None) -> tuple[Share, Share]:
    """Return the shares of all mails of a game, and of those that ask something."""
    every, asking = Share(), Share()
    before: dict[str, set[str]] = {}
    for number, each in enumerate(told):
        data = report_data(replace(each, language=language))
        share, before[each.reader] = share_of(data, before.get(each.reader, set()))
        every = every.with_another(share)
        if data["is_asked"]:
            asking = asking.with_another(share)
        if bodies:
            (bodies / f"{each.reader}-{language}-{number:03}.txt").write_text(body_text(data), "utf-8")
    return every, asking


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", type=Path)
    parser.add_argument("--language", action="append")
    given = parser.parse_args()
    print(f"{'':30}{COLUMNS}")
    for game in GAMES:
        with TemporaryDirectory() as folder:
            told = list(played(Path(folder), game))
        for language in given.language or languages():
            where = given.bodies and given.bodies / game
            if where:
                where.mkdir(parents=True, exist_ok=True)
            for what, share in zip(("all", "asking"), shares(told, language, where), strict=True):
                print(f"{game:12}{language:8}{what:10}{share.row()}", flush=True)


if __name__ == "__main__":
    main()
