"""Words of people stand in a page as text: no name, ruling or reason becomes markup, script or style."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.campaign.ledger.records import AbsenceRecord
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.play import rulings
from pbem.campaign.proof import judging_again
from pbem.campaign.settings import Moderator
from pbem.paper.library import find_board
from pbem.report.picture.position import words_in
from pbem.site.atlas import atlas_of
from pbem.site.export import Site, site_of
from pbem.site.pages import json_for_page, suited_text
from pbem.site.story import rules_for, story_of
from tests.report.campaign_table import OpenTable, send
from tests.site.reading import HTML, NOW, elements, parsed, text_of

NAMES = {
    "maria-theresa": "</script><script>alert(1)</script>",
    "frederick": "<img src=x onerror=alert(2)>",
    "louis": "{{ 7*7 }}\" onmouseover='alert(3)' x=\"",
}
RULING = "</style><style>*{display:none}</style><!-- ]]> &lt;b&gt; ♥7 `code`"
REASON = "</title></main><iframe src=javascript:alert(4)>"


def hostile_table(root: Path) -> OpenTable:
    """A campaign in which everybody writes what they should not."""
    table = OpenTable(root, moderator=Moderator(name="<svg onload=alert(5)>"))
    table.join(NAMES)
    table.play(2)
    with table.open() as campaign:
        campaign.now += timedelta(hours=2)
        rulings.rule(campaign, RULING, "<u>§1</u>")
        campaign.add(AbsenceRecord("louis", "2026-12-01", "2026-12-03", REASON))
        body = {"with": "louis", "words": "<marquee>peace</marquee>"}
        send(table, campaign, "frederick", "agreement", body)
        campaign.save()
        table.now = campaign.now
    return table


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Site:
    table = hostile_table(tmp_path_factory.mktemp("hostile"))
    with table.open() as campaign:
        judging_again.close(campaign, "</details><script>alert(6)</script>")
        campaign.save()
    return site_of(table.root, NOW)


def test_no_word_of_anybody_becomes_markup(hostile: Site) -> None:
    for name, page in hostile.files.items():
        if not name.endswith(".html"):
            continue
        tree = parsed(page)
        tags = {str(each.tag).removeprefix(HTML) for each in tree.iter()}
        assert not tags & {"img", "iframe", "marquee", "u"}, name
        assert len(list(elements(tree, "style"))) == len(list(elements(tree, "title"))) == 1
        assert len(list(elements(tree, "script"))) == {"stages.html": 2, "log.html": 1}.get(name, 0)
        for each in tree.iter():
            assert not [key for key in each.attrib if str(key).startswith("on")], name


def test_what_they_wrote_can_be_read_as_they_wrote_it(hostile: Site) -> None:
    index, log = (text_of(parsed(hostile.files[name])) for name in ("index.html", "log.html"))
    for name in (*NAMES.values(), "<svg onload=alert(5)>"):
        assert name in index
    assert RULING in log
    assert REASON in log
    assert "<u>§1</u>" in log
    assert "</details><script>alert(6)</script>" in log


def test_a_board_of_somebodys_own_draws_only_what_boards_draw(running: Path, tmp_path: Path) -> None:
    reading = read_folder(running, NOW)
    rules = rules_for(reading)
    story = story_of(reading, rules, "en")
    shipped = find_board("theatrum-belli").read_text("utf-8")
    title = "</title></svg><script>alert(1)</script>"
    own = tmp_path / "own.yaml"
    own.write_text(re.sub("(?m)^title: .*$", f"title: {title!r}", shipped), "utf-8")
    atlas = atlas_of(own, rules.common, story.stages, (), ("light",), words_in("en"))
    drawn = atlas.sheets[0].drawn + atlas.drawing_over(0)
    tree = ElementTree.fromstring(f'<svg xmlns:xlink="x">{drawn}</svg>')
    assert not [each for each in tree.iter() if each.tag in ("script", "title", "foreignObject", "style", "a")]
    assert any("ALERT" in "".join(each.itertext()).upper() for each in tree.iter("text"))


def test_letters_are_text_files(hostile: Site) -> None:
    letters = {name for name in hostile.files if not name.endswith(".html")}
    assert letters
    assert all(name.startswith("letters/") and name.endswith(".txt") for name in letters)


def test_data_in_a_page_ends_no_element() -> None:
    assert "<" not in json_for_page({"a": "</script><!--<script>"})
    assert suited_text("<b>♥10</b> & ♠7") == '&lt;b&gt;<span class="suit">♥10</span>&lt;/b&gt; &amp; ♠7'
