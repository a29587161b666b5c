"""A campaign by mail, begun once for all tests of the office."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.office.post import PLAIN, PostalTable, copied


@pytest.fixture(scope="session")
def settled(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """A campaign by mail that waits for the first orders; only copies of it are played on."""
    table = PostalTable(tmp_path_factory.mktemp("office"))
    table.open_office(PLAIN)
    assert "letters taken: 3, on to turn 1 (set-up), reports: 4" in table.join_all()
    return table


@pytest.fixture(scope="session")
def invited(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """Invitations that wait to be sent; only copies of it are sent."""
    found = PostalTable(tmp_path_factory.mktemp("invited"))
    found.open_office()
    found.moderate("invite")
    return found


@pytest.fixture
def table(settled: PostalTable, tmp_path: Path) -> PostalTable:
    """The same in a folder of its own."""
    return copied(settled, tmp_path / "table")


@pytest.fixture(scope="session")
def owing(settled: PostalTable, tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """A table where the office of Louis has filed the report for 1/setup; only copies of it are played on."""
    table = copied(settled, tmp_path_factory.mktemp("owing") / "table")
    table.open_desk("louis")
    table.bring("louis", *table.mails_to("louis"))
    table.desk("louis")
    assert "orders are owed for turn 1 (set-up)" in table.desk("louis", "mail", "status")
    return table
