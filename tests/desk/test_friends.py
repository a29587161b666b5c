"""Campaigns by mail between browsers that share nothing, from *Keep a table* to an archive that verifies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.campaign.proof.verifying import verify
from tests.desk.friends import PEOPLE, WAYS, played
from tests.office.servers import Servers, need_servers, served


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    need_servers()
    with served(PEOPLE) as found:
        yield found


@pytest.mark.parametrize("way", WAYS)
def test_friends_play_by_mail_from_pages_that_share_nothing(
    page_file: Path, servers: Servers, tmp_path: Path, way: str
) -> None:
    wanted = 2 if way == "secret" else 1  # what is secret is shown in the second
    rounds, folder = played(page_file, servers, tmp_path, way, wanted)
    assert rounds == wanted
    assert verify(folder).is_good
    assert (folder / "opened.json").exists()
