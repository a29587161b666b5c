"""An office lets a late player draw on the bank of time before defaults answer, and says for whom it waits."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from tests.office.post import PLAIN, PostalTable


def test_an_office_waits_as_long_as_the_bank_lasts(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    (table.root / "plan.yaml").write_text(
        "campaign: vienna-1741\ngame: maria\nscenario: introductory\n"
        "clock: {at_deadline: hold, zone: Europe/Madrid, bank: {start: 3d, add: 1d, most: 4d}}\n"
    )
    table.open_office(f"{PLAIN}adjudicate: deadline\n", "--from", "plan.yaml")
    table.join_all()
    for seat in ("frederick", "maria-theresa"):
        table.order_by_mail(seat)
    assert "letters taken: 2" in table.evening()
    # The deadline is on the 24th at 19:00 UTC; then three days in the bank, and a day of grace.
    table.now += timedelta(days=6, hours=23)
    told = table.evening()
    assert "on to" not in told
    table.now += timedelta(hours=12)
    assert "on to turn 1 (hussars)" in table.evening()
