"""Standing of a seat behind all kinds of letters: the moderator, the player's office and the player's commands tell it
alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.correspondence import NAME, SEATS
from tests.office.post import PLAIN, PostalTable, copied
from tests.office.test_standing import bring_all, newest, own_status, send, status

GAMES: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "maria": ("frederick", SEATS, ()),
    "friedrich": ("pompadour", ("elisabeth", "frederick", "maria-theresa", "pompadour"), ("--game", "friedrich")),
}
"""For each game the seat that is looked at, all seats, and options of the campaign."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], PostalTable]:
    """Tables that wait for the first orders, by game and by who opens sealed orders; only copies are played on."""
    found: dict[tuple[str, str], PostalTable] = {}
    for game, sealing in {(row[0], row[1]) for row in ROWS}:
        seat, seats, options = GAMES[game]
        table = PostalTable(tmp_path_factory.mktemp(game), seats)
        table.open_office(PLAIN, "--sealing", sealing, *options)
        table.join_all()
        table.open_desk(seat)
        bring_all(table, seat)
        found[game, sealing] = table
    return found


class Player:
    """A player with an office, who sends letters of all kinds."""

    def __init__(self, table: PostalTable, seat: str) -> None:
        self.table = table
        self.seat = seat
        self.letters = 0

    def take(self, step: str) -> None:
        """Send a letter of this kind, or have the moderator do something; then all mails come."""
        match step.split():
            case ["extend"]:
                self.table.moderate("extend", "1d", "--why", "a feast")
                self.table.evening()
            case ["rollback"]:
                begun = min((self.table.folder / "ledger").glob("*adjudication*"))
                self.table.moderate("rollback", "--to", str(int(begun.name[:4])), "--why", "a mistake")
                self.table.evening()
            case ["others", "order"]:
                for seat in {*self.table.seats} - {self.seat}:
                    self.table.order_by_mail(seat)
            case ["others", "seal"]:
                for seat in {*self.table.seats} - {self.seat}:
                    sheet = self.table.sheet(seat)
                    report = self.table.sent(f"{seat}.report.yaml")
                    self.table.run("seal", sheet, "-o", f"{seat}/sealed.yaml", "--report", report, as_=seat)
                    self.table.run("sign", f"{seat}/sealed.yaml", as_=seat)
                    self.table.post_letter(seat, f"{seat}/sealed.yaml")
                self.table.evening()
            case _:
                self.write(step)
                send(self.table, self.seat)
        bring_all(self.table, self.seat)

    def write(self, step: str) -> None:
        """Sign a letter under the next number."""
        self.letters += 1
        name = "plan.yaml" if "plan" in step else "orders.yaml"
        text = self.sheet(name)
        if "half plan" in step:
            text = re.sub(r"(?ms)^ +- \{for: allot.*?\}\n", "", text)
        if "no plans" in step:
            text = re.sub(r"(?ms)^  orders:.*", "  orders: {}\n", text)
        if "half orders" in step:
            text = re.sub(r"(?ms)^    \w+:\n(?!.*^    \w+:\n).*", "", text)
        if "bad" in step:
            text = re.sub(r"(?m)^( +[A-Z][^:]*: )\d+$", r"\g<1>99", text, count=1).replace("for: battle", "for: fun")
        if "draft" in step:
            text = text.rstrip() + "\n  final: no\n"
        path = newest(self.table, seat=self.seat).with_name(f"letter-{self.letters}.yaml")
        path.write_text(text)
        if "sealed" in step:
            report, bare = str(newest(self.table, seat=self.seat)), path.with_suffix(".open")
            path.rename(bare)
            self.table.run("seal", str(bare), "-o", str(path), "--report", report, as_=self.seat)
        self.table.run("sign", "--renumber", str(path), as_=self.seat)

    def sheet(self, name: str) -> str:
        """Return the newest sheet of this name, for the stage of the newest report."""
        report = newest(self.table, seat=self.seat).read_text()
        text = newest(self.table, name, self.seat).read_text()
        for key in ("stage", "basis"):
            (value,) = re.findall(rf"(?m)^{key}: .*$", report)
            text = re.sub(rf"(?m)^{key}: .*$", value, text)
        return text

    def standing_there(self) -> str:
        """Return the standing of the seat by the moderator's program."""
        rows = self.table.json("status", NAME)["table"]
        (state,) = {row["orders"] for row in rows if row["player"] == self.seat} or {"nothing required"}
        waits = re.findall(
            rf"W-OFFICE-CORRECTION all orders are in, but a letter of {self.seat} ", self.table.mail("status")
        )
        return "refused change" if waits else state

    def standings_here(self) -> set[str]:
        """Return the standings that the player's office, `pbem status` and the newest report tell."""
        report = str(newest(self.table, seat=self.seat))
        said = (
            status(self.table, self.seat),
            own_status(self.table, self.seat),
            self.table.run(report, as_=self.seat).output,
        )
        return {standing_in(each) for each in said}


TOLD = {
    "none yet": r"orders are owed|they are still owed|orders are awaited",
    "partly": r"does not answer everything",
    "draft": r"as a draft",
    "refused change": r"if no other comes, what was taken before counts",
    "not revealed": r"to be revealed",
    "final": r"are signed|is signed|nothing is asked",
}


def standing_in(said: str) -> str:
    """Return the standing that a text tells, by the first row of TOLD that it has."""
    said = "\n".join(line for line in said.splitlines() if "W-OFFICE" not in line)
    return next(standing for standing, words in TOLD.items() if re.search(words, said))


ROWS: list[tuple[str, str, str, str]] = [
    ("maria", "moderator", "plan", "final"),
    ("friedrich", "moderator", "plan", "final"),
    ("maria", "reveal", "plan", "final"),
    ("maria", "reveal", "sealed plan", "none yet"),
    ("maria", "moderator", "sealed plan", "final"),
    ("maria", "moderator", "plan, extend", "final"),
    ("maria", "moderator", "plan, no plans", "none yet"),
    ("friedrich", "moderator", "plan, extend, no plans", "none yet"),
    ("maria", "moderator", "half plan", "none yet"),
    ("maria", "moderator", "half plan, orders", "final"),
    ("maria", "moderator", "draft", "draft"),
    ("maria", "moderator", "half orders, extend", "partly"),
    ("maria", "moderator", "half orders, plan", "final"),
    ("friedrich", "moderator", "draft, plan, extend", "draft"),
    ("maria", "moderator", "bad orders", "none yet"),
    ("maria", "moderator", "plan, bad orders", "refused change"),
    ("maria", "moderator", "plan, others order, bad orders", "refused change"),
    ("friedrich", "moderator", "orders, others order, bad plan", "refused change"),
    ("maria", "moderator", "plan, rollback", "none yet"),
    ("friedrich", "moderator", "orders, rollback", "none yet"),
    ("maria", "reveal", "sealed orders", "final"),
    ("maria", "reveal", "plan, others seal", "final"),
    ("maria", "reveal", "sealed orders, others seal", "not revealed"),
    ("maria", "reveal", "sealed plan, orders, others seal", "not revealed"),
]
"""Game, who opens what is sealed, letters and acts, and the standing of the seat behind them."""


@pytest.mark.parametrize(("game", "sealing", "steps", "standing"), ROWS, ids=[", ".join(row[:3]) for row in ROWS])
def test_a_standing_is_told_alike(
    tables: dict[tuple[str, str], PostalTable], tmp_path: Path, game: str, sealing: str, steps: str, standing: str
) -> None:
    player = Player(copied(tables[game, sealing], tmp_path / "table"), GAMES[game][0])
    for step in steps.split(", "):
        player.take(step)
    there, here = player.standing_there(), player.standings_here()
    assert here == {standing}
    # Nobody waits for a correction while orders of others are owed.
    is_held = "others order" in steps
    assert there == {"partly": "draft", "refused change": standing if is_held else "final"}.get(standing, standing)
