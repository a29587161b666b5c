"""A failure for one reader stops nobody else's post: it is reported, and the exit code says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.post import outbox, parcels, reports
from tests.cli.correspondence import SEATS, Correspondence
from tests.office.post import PLAIN, PostalTable

SECRET = "for Louis alone"


def stumbling_over(reader: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, which fails for one reader."""

    def stumbling(*given: Any) -> Any:
        if any(reader in (getattr(each, key, "") for key in ("reader", "stem", "player")) for each in given):
            raise ValueError(SECRET)
        return function(*given)

    return stumbling


def newest(table: Correspondence) -> set[str]:
    """Return the names of the files that were written last."""
    return {path.name for path in max((table.folder / "outbox").iterdir()).iterdir()}


@pytest.mark.parametrize(
    ("room", "step", "lost"),
    [
        (reports, "report_parcel", {"louis.txt", "louis.report.yaml", "louis.orders.yaml", "louis.html"}),
        (reports, "theatre_picture", set()),
        (outbox, "files_of", {"louis.txt", "louis.report.yaml", "louis.orders.yaml", "louis.html"}),
    ],
)
def test_the_others_get_their_reports(
    begun: Correspondence, monkeypatch: pytest.MonkeyPatch, room: Any, step: str, lost: set[str]
) -> None:
    begun.moderate("rule", "Two letters that say the same count once.")
    begun.moderate("post", "--no-pictures")
    whole = newest(begun)
    begun.moderate("rule", "The same once more.")
    monkeypatch.setattr(room, step, stumbling_over("louis", getattr(room, step)))
    done = begun.moderate("post", *(() if step == "theatre_picture" else ("--no-pictures",)), code=1)
    assert "E-POST-LEFT louis" in done.output
    assert "ValueError" in done.output
    assert SECRET not in done.output
    assert whole - newest(begun) == lost
    assert "E-POST-NOTHING" in begun.moderate("post", code=1).output


def test_a_letter_whose_receipt_could_not_be_written_is_answered_by_the_next_accept(
    begun: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters = [begun.sheet(seat, f"{seat}.yaml") for seat in ("louis", "frederick")]
    for seat, letter in zip(("louis", "frederick"), letters, strict=True):
        begun.run("sign", letter, as_=seat)
    with monkeypatch.context() as broken:
        broken.setattr(parcels, "receipt_data", stumbling_over("louis", parcels.receipt_data))
        assert "E-POST-LEFT louis" in begun.moderate("accept", *letters, code=1).output
    assert {"louis", "frederick"}.isdisjoint(begun.owing())
    assert [name for name in newest(begun) if name.startswith("frederick-receipt")]
    (answer,) = begun.accept(*letters)
    assert (answer["player"], answer["status"]) == ("louis", "known")
    assert any(path.endswith("receipt.yaml") for path in answer["files"])


def test_an_office_tells_what_it_could_not_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN)
    table.moderate("invite")
    table.evening()
    table.join_by_mail()
    monkeypatch.setattr(reports, "report_parcel", stumbling_over("louis", reports.report_parcel))
    assert "E-POST-LEFT louis" in table.evening()
    reached = [str(mail["To"]) for mail in table.sent_mails() if "report.yaml" in mail.as_string()]
    assert {seat for seat in SEATS if any(seat in address for address in reached)} == {"maria-theresa", "frederick"}
