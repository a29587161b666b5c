"""One key on two seats of a campaign whose seats are drawn: whichever seats the lot gives, both are asked, told and
answered alike."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.campaign.ledger import seats as ledger_seats
from pbem.campaign.players.guidance import guidance_of
from pbem.paper.letters import read_letter
from tests.cli.correspondence import NAME
from tests.office.post import ADDRESSES, PLAIN, PostalTable, copied
from tests.office.test_players import enclosed, mail_with
from tests.office.test_standing import bring_all, send, status

ANNA = "elisabeth"
"""Seat by which Anna and her key are called, who joins pompadour with it as well."""

POWERS = {
    "elisabeth": ["russia"],
    "frederick": ["prussia", "hanover"],
    "maria-theresa": ["austria"],
    "pompadour": ["france"],
}
ALL = tuple(POWERS)
JOINED = ("elisabeth", "pompadour")


@pytest.fixture(scope="module")
def inviting(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """A campaign that everybody has joined, before the lot; Anna has an office. Only copies are played on."""
    table = PostalTable(tmp_path_factory.mktemp("drawn"), ALL)
    anna = [word for seat in JOINED for word in ("--seat", f"{seat}=Anna {seat[:4]} <{ADDRESSES[ANNA]}>")]
    table.open_office(PLAIN, "--game", "friedrich", "--seats", "drawn", *anna)
    table.moderate("invite")
    table.evening()
    for seat in ALL:
        who = ANNA if seat in JOINED else seat
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=who)
        table.post_letter(who, f"join-{NAME}-{seat}.yaml")
    table.open_desk(ANNA)
    return table


def drawn(inviting: PostalTable, root: Path, monkeypatch: pytest.MonkeyPatch, seats: Sequence[str]) -> PostalTable:
    """A copy in which the lot has given these seats to Anna: the first to who joined elisabeth, the second to who
    joined pompadour."""
    others = [seat for seat in ALL if seat not in seats]
    monkeypatch.setattr(ledger_seats, "draw_lot", lambda *_: [seats[0], *others, seats[1]])
    table = copied(inviting, root / "table")
    assert "on to turn 1 (set-up)" in table.evening()
    return table


def reports(table: PostalTable) -> dict[str, EmailMessage]:
    """Mails with reports to Anna, by seat."""
    mails = [mail for mail in table.mails_to(ANNA) if enclosed(mail, "report.yaml")]
    return {guidance_of(read_letter(enclosed(mail, "report.yaml"), "report"), "report").seat: mail for mail in mails}


def sheet_of(table: PostalTable, seat: str, name: str = "orders.yaml") -> str:
    (found,) = (table.root / ANNA / "files" / NAME).glob(f"[0-9]*-{seat}/{name}")
    return str(found.relative_to(table.root))


def assert_alike(table: PostalTable, owed: Sequence[str], signed: Sequence[str]) -> None:
    """All that tells Anna of her seats says that orders of the ones are owed, and that those of the others are
    signed."""
    told = status(table, ANNA)
    assert table.desk(ANNA).count("orders are owed") == 0, "it is told in the round in which a report comes"
    assert len([line for line in told.splitlines() if line.startswith(NAME)]) == 2
    for seat in owed:
        assert f"{NAME}, {seat}: orders are owed for turn 1 (set-up): {sheet_of(table, seat)}" in told
    for seat in signed:
        assert f"{NAME}, {seat}: waits for the next report; the orders for turn 1 (set-up) are signed" in told
    found = {each["seat"]: (each["standing"], each["came"]["powers"]) for each in table.json("status", as_=ANNA)}
    assert found == {seat: ("in" if seat in signed else "orders", POWERS[seat]) for seat in (*owed, *signed)}


ROWS = [
    ("frederick", "maria-theresa"),
    ("maria-theresa", "frederick"),
    ("elisabeth", "frederick"),
    ("frederick", "pompadour"),
    ("pompadour", "frederick"),
    ("frederick", "elisabeth"),
    ("pompadour", "elisabeth"),
    ("elisabeth", "pompadour"),
]


@pytest.mark.parametrize(
    ("seats", "is_reversed"), [*((row, False) for row in ROWS), *((ROWS[at], True) for at in (0, 2, 3, 6))]
)
def test_both_seats_of_one_key_are_asked_and_answered(
    inviting: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: Sequence[str], *, is_reversed: bool
) -> None:
    table = drawn(inviting, tmp_path, monkeypatch, seats)
    bring_all(table, ANNA)
    assert_alike(table, seats, ())
    order = list(reversed(seats)) if is_reversed else list(seats)
    for at, seat in enumerate(order, 1):
        table.run("sign", sheet_of(table, seat), as_=ANNA)
        assert_alike(table, order[at:], order[:at])
        assert "letters taken: 1" in send(table, ANNA)
        bring_all(table, ANNA)
        assert_alike(table, order[at:], order[:at])
    table.run("sign", sheet_of(table, seats[0]), as_=ANNA)
    rows = {row["player"]: row["orders"] for row in table.json("status", NAME)["table"]}
    assert {seat for seat, orders in rows.items() if orders != "none yet"} == {*seats}
    notes = (table.root / ANNA / "key.campaigns").glob("*.json")
    assert sorted(path.name for path in notes) == sorted(f"{NAME}.{seat}.json" for seat in seats)


@pytest.mark.parametrize("command", ["read", "join", "seal"])
@pytest.mark.parametrize("seats", [ROWS[0], ROWS[4]], ids=" ".join)
def test_no_command_puts_one_seat_in_place_of_the_other(
    inviting: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: Sequence[str], command: str
) -> None:
    """The first seat is met in one of these ways; the second is signed by its sheet."""
    table = drawn(inviting, tmp_path, monkeypatch, seats)
    bring_all(table, ANNA)
    first, second = seats
    report = sheet_of(table, first, "report.yaml")
    match command:
        case "read":
            assert "pbem join" not in table.run(report, as_=ANNA).output
        case "join":
            table.run("join", report, as_=ANNA)
        case _:
            table.run("seal", sheet_of(table, first), as_=ANNA)
    assert_alike(table, seats, ())
    table.run("sign", sheet_of(table, second), as_=ANNA)
    assert_alike(table, [first], [second])
    table.run("join", report, as_=ANNA)
    assert_alike(table, [first], [second])
    third = next(seat for seat in ALL if seat not in seats)
    table.run("sign", table.sent(f"{third}.orders.yaml"), "-o", "third.yaml", as_=ANNA, code=1)
    table.run("sign", sheet_of(table, first), as_=ANNA)
    assert_alike(table, (), seats)


@pytest.mark.parametrize("is_signed", [False, True], ids=["read", "signed"])
@pytest.mark.parametrize("seats", [ROWS[1], ROWS[2], ROWS[4]], ids=" ".join)
def test_reports_of_both_seats_come_one_after_the_other(
    inviting: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: Sequence[str], *, is_signed: bool
) -> None:
    table = drawn(inviting, tmp_path, monkeypatch, seats)
    first, second = seats
    mails = reports(table)
    table.bring(ANNA, mails[second])
    assert table.desk(ANNA).count("orders are owed") == 1
    told = status(table, ANNA)
    assert f"{NAME}, {second}: orders are owed" in told
    assert told.count("waits for the first report") == 1
    if is_signed:
        table.run("sign", sheet_of(table, second), as_=ANNA)
    table.bring(ANNA, mails[first])
    assert f"{NAME}, {first}: orders are owed" in table.desk(ANNA)
    owed, signed = ([first], [second]) if is_signed else (seats, [])
    assert_alike(table, owed, signed)
    third = next(seat for seat in ALL if seat not in seats)
    theirs = Path(table.root / table.sent(f"{third}.report.yaml")).read_bytes()
    table.bring(ANNA, mail_with("Eve <eve@example.org>", "<5@eve.example>", report=theirs))
    assert "left alone: 1" in table.desk(ANNA)
    assert_alike(table, owed, signed)
