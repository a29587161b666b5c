"""End of the war in an archive: its result, and the last step of the last stage."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.report.language.templates import languages
from pbem.seal.canonical import Tree
from pbem.site.archive import verify_for_site
from pbem.site.content import index_data, stage_data
from pbem.site.export import archive_of
from tests.campaign.simulated import SimulatedTable
from tests.site.reading import NOW

SAID = {"en": "nobody has won", "de": "niemand hat gewonnen", "es": "nadie ha ganado", "it": "nessuno ha vinto"}


def ended(root: Path, body: dict[str, Tree]) -> SimulatedTable:
    """A campaign after its first two adjudications, whose seats have agreed on an end."""
    table = SimulatedTable(root, scenario="introductory").begun()
    table.play(1)
    table.agree_on_end(body)
    return table


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("is_closed", [False, True], ids=["over", "closed"])
def test_an_agreed_end_is_the_result_and_the_last_that_is_told(tmp_path: Path, is_closed: bool, language: str) -> None:
    table = ended(tmp_path / "campaign", {"subject": "standing"})
    if is_closed:
        table.close()
    archive = archive_of(table.root, NOW, language, "auto", verify_for_site(table.root))
    result, last = index_data(archive)["result"], stage_data(archive, archive.story.stages[-1])
    assert SAID[language] in str(result)
    assert isinstance(last["read"], list)
    end = last["read"][-1]
    assert (end.told.passage.text, end.seat, end.without) == (result, "", ())
    assert archive.reading.entries[last["entries"][-1] - 1][0].kind == "end"  # type: ignore[index]


def test_who_was_conceded_the_game_has_won(tmp_path: Path) -> None:
    table = ended(tmp_path / "campaign", {"subject": "concede", "about": "louis"})
    archive = archive_of(table.root, NOW, "en", "auto", verify_for_site(table.root))
    assert archive.story.result.endswith("it is conceded. Won by Louis.")


def test_of_a_game_closed_before_its_end_the_close_is_told_with_its_reason(closed: Path) -> None:
    archive = archive_of(closed, NOW, "en", "auto", verify_for_site(closed))
    assert archive.story.result == "The campaign is closed: far enough. Its secrets are published."
    assert archive.story.stages[-1].told[-1].passage.text == archive.story.result


def test_a_running_campaign_has_no_result(running: Path) -> None:
    archive = archive_of(running, NOW, "en", "auto", verify_for_site(running))
    assert archive.story.result == ""
