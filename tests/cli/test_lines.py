"""Lines that receipts and reports name are those of the file that a player has signed and sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.test_ahead import FRANCE
from tests.cli.correspondence import NAME, Correspondence

POSITION = f"game: maria\nscenario: introductory\n{FRANCE}"
BLOCK = """\
body:
  orders:
    prussia:
      # Far away, and no road leads there.
      ahead:
        stage: 2/prussia
        move:
          # Schwerin goes on.
          - Schwerin: Lüben
          - Friedrich: Wien
    saxony: {ahead: {stage: 2/prussia, move: []}}
"""


@pytest.fixture
def table(tmp_path: Path) -> Correspondence:
    """A campaign that waits for Louis; Frederick is asked next."""
    found = Correspondence(tmp_path)
    (tmp_path / "position.yaml").write_text(POSITION)
    found.begin("--position", str(tmp_path / "position.yaml"))
    found.join()
    return found


@pytest.mark.parametrize("begin", ["", "# My own words.\n\n", "Dear moderator,\n\n"])
def test_a_report_names_no_line_of_an_earlier_letter(table: Correspondence, begin: str) -> None:
    letter = table.root / "frederick" / "plan.yaml"
    sheet = Path(table.sent("frederick.plan.yaml")).read_text()
    letter.write_text(sheet[: sheet.index("body:")] + BLOCK)
    table.run("sign", "frederick/plan.yaml", as_="frederick")
    letter.write_text(begin + letter.read_text())
    (answer,) = table.accept("frederick/plan.yaml")
    assert answer["entry"]
    table.round()
    assert "- Prussia: nothing of the orders ahead" in Path(table.sent("frederick.txt")).read_text()
    table.moderate("close", "--why", "far enough")
    table.run("verify", NAME)


def test_signing_keeps_the_lines_of_orders_ahead(table: Correspondence) -> None:
    letter = table.root / "frederick" / "plan.yaml"
    sheet = Path(table.sent("frederick.plan.yaml")).read_text()
    written = sheet[: sheet.index("body:")] + BLOCK
    letter.write_text(written)
    table.run("sign", "frederick/plan.yaml", as_="frederick")
    assert letter.read_text().startswith(written)
