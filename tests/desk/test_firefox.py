"""The same page in another browser: it begins, a march is ordered, an archive is verified."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.desk.fields import assault
from tests.desk.firefox import FIREFOX, firefox
from tests.desk.test_archive import CLOSED, files_of, zipped
from tests.desk.test_desk import POSITION

MARCHES = "state.asked.find(isMarch).data.marches.find((each) => each.can_march).from"


def test_the_page_works_in_firefox(page_file: Path, tmp_path: Path) -> None:
    if not FIREFOX:
        assert os.environ.get("CI") != "true", "Firefox is not installed"
        pytest.skip("the page is looked at with Firefox, which this machine has not")
    pytest.importorskip("websocket")
    (tmp_path / "game.json").write_bytes(assault())
    (tmp_path / "closed.zip").write_bytes(zipped(files_of(CLOSED)))
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox(profile) as found:
        found.open(page_file.as_uri())
        found.until("window.desk && window.desk.ready")
        found.choose("#file", POSITION)
        found.until("sitting")
        found.run(f"{{ clickCity({MARCHES}); march(chosen.to[0].city); }}")
        assert "move:" in found.run("document.getElementById('text').value")
        assert found.run("document.querySelectorAll('#faults .refusal').length") == 0
        assert found.run("board.above.getBoundingClientRect().width") > 300
        found.run("safe = true; sitting = null; welcome()")
        found.choose("#file", tmp_path / "game.json")
        found.until("sitting && sitting.kind === 'practice'")
        found.run("imagine(10)")
        found.until("imagined.ended")
        assert found.run("document.querySelector('#imagined h3').innerText").startswith("Played out 10 times")
        found.run("safe = true; sitting = null; welcome()")
        found.choose("#archive-file", tmp_path / "closed.zip")
        found.until("page.className === 'laid archive'")
        found.until("document.getElementById('told').innerText")
        assert found.complaints == []
