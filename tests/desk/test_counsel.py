"""Advice in a real browser: it lies on a sheet of its own, and moves nothing that can be clicked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.desk.fields import battlefield, hussars, influence, politics, stand_off, toll, winter
from tests.desk.sitting import Sitter
from tests.site.browsing import ESCAPE

PLACES = """
const shown = (each) => each.checkVisibility({ visibilityProperty: !each.matches('.take') })
  && !each.closest('#counsel');
return [...document.querySelectorAll('#bar, .zoom, :is(#bar, #side) :is(button, label, select, a)')]
  .filter(shown).map((each) => { const { x, y } = each.getBoundingClientRect();
    return [each.id || each.textContent || each.tagName, x, y]; });
"""
"""Places of all that can be clicked, but for the advice; one's own answer keeps its place while it is hidden."""


def counselled(sitter: Sitter) -> None:
    """Ask for advice, and wait for it."""
    sitter.find("#advise").click()
    sitter.until("return Boolean(counsel) && !document.getElementById('advise').disabled")


@pytest.mark.parametrize("narrow", [True, False], ids=["phone", "wide"])
@pytest.mark.parametrize(
    "field", [battlefield, hussars, influence, politics, stand_off, toll, winter], ids=lambda each: each.__name__
)
def test_advice_moves_nothing_that_can_be_clicked(
    sitter: Sitter, tmp_path: Path, field: Callable[..., bytes], *, narrow: bool
) -> None:
    (tmp_path / "field.yaml").write_bytes(field("maria") if field is battlefield else field())
    if narrow:
        sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "field.yaml"))
        sitter.reader.run("document.querySelector('#choices :is(.cards, .prints)')?.scrollBy(60, 0)")
        before = sitter.reader.run(PLACES)
        assert len(before) > 6
        counselled(sitter)
        assert sitter.find("#counsel p").is_displayed()
        assert sitter.reader.run(PLACES) == before
        if narrow:
            sitter.find("#advise").click()
        else:
            sitter.reader.press(ESCAPE)
        assert not sitter.find("#counsel").is_displayed()
        assert sitter.reader.run(PLACES) == before
    finally:
        sitter.put_phone_away()


@pytest.mark.parametrize("narrow", [True, False], ids=["phone", "wide"])
def test_advice_on_a_chosen_piece_moves_nothing_and_the_piece_stays_chosen(
    sitter: Sitter, tmp_path: Path, *, narrow: bool
) -> None:
    (tmp_path / "field.yaml").write_bytes(stand_off())
    if narrow:
        sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "field.yaml"))
        sitter.reader.run("clickCity('Berlin')")
        chosen = sitter.reader.run("return chosen.pieces")
        before = sitter.reader.run(PLACES)
        counselled(sitter)
        after = sitter.reader.run(PLACES)
        assert [name for name, *_ in after] == [name for name, *_ in before]
        # A part of a pixel is no movement that anybody sees.
        assert all(place == pytest.approx(was, abs=0.9) for (_, *place), (_, *was) in zip(after, before, strict=True))
        assert sitter.reader.run("return chosen.pieces") == chosen
        # The ring that advice shows is one to click.
        goal: str | None = sitter.reader.run("return document.querySelector('.marks .end')?.dataset.city")
        if goal:
            sitter.click_city(goal)
            assert goal in sitter.text()
    finally:
        sitter.put_phone_away()


BEGIN: dict[str, Any] = {
    "toll": "document.querySelector('#choices .pick.card input').click()",
    "hussars": "[...formFor(due()[facing]).made.cities.values()][0]()",
}


@pytest.mark.parametrize("field", [toll, hussars], ids=lambda each: each.__name__)
def test_advice_stands_out_no_more_once_another_answer_is_begun(
    sitter: Sitter, tmp_path: Path, field: Callable[..., bytes]
) -> None:
    (tmp_path / "field.yaml").write_bytes(field())
    sitter.open(str(tmp_path / "field.yaml"))
    counselled(sitter)
    is_later = "return document.getElementById('follow').classList.contains('later')"
    assert not sitter.reader.run(is_later)
    sitter.reader.run(BEGIN[field.__name__])
    assert sitter.reader.run(is_later)


def test_advice_to_place_nothing_says_no_card(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "influence.yaml").write_bytes(influence())
    sitter.open(str(tmp_path / "influence.yaml"))
    counselled(sitter)
    sitter.reader.run("counsel.sections[counsel.asked.form.section] = 'none'; tellCounsel()")
    assert sitter.find("#counsel strong").text == "no card."


def test_advice_to_recruit_nothing_says_so(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "winter.yaml").write_bytes(winter())
    sitter.open(str(tmp_path / "winter.yaml"))
    counselled(sitter)
    sitter.reader.run("counsel.sections[counsel.asked.form.section] = {}; tellCounsel()")
    assert sitter.find("#counsel strong").text == "France recruits nothing."
    sitter.find("#follow").click()
    assert "France recruits nothing" in sitter.find("#given").text


def test_what_following_the_advice_costs_stands_beside_its_button(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "field.yaml").write_bytes(battlefield("maria"))
    sitter.open(str(tmp_path / "field.yaml"))
    counselled(sitter)
    assert not sitter.reader.run("return document.getElementById('risk')")
    sitter.reader.run("counsel.risk = 'Dohna may starve there.'; tellCounsel()")
    assert sitter.find("#risk").is_displayed()
    assert sitter.find("#risk").text == "Dohna may starve there."
    assert sitter.find("#follow").get_attribute("aria-describedby") == "risk"


def test_advice_puts_away_what_was_told_of_a_city(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "field.yaml").write_bytes(stand_off())
    sitter.open(str(tmp_path / "field.yaml"))
    sitter.reader.run("hoverCity('Berlin')")
    assert not sitter.reader.run("return board.tip.hidden")
    counselled(sitter)
    assert sitter.reader.run("return board.tip.hidden")


def test_done_puts_the_advice_away_before_it_warns(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "field.yaml").write_bytes(stand_off())
    sitter.open(str(tmp_path / "field.yaml"))
    counselled(sitter)
    sitter.find("#done").click()
    assert not sitter.find("#counsel").is_displayed()
    assert sitter.find("#advise").get_attribute("aria-pressed") == "false"
    assert "they will fight" in sitter.find("#prompt .comes").text


def test_trains_lie_below_generals_and_the_readers_own_pieces_above_others(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "field.yaml").write_bytes(stand_off())
    sitter.open(str(tmp_path / "field.yaml"))
    ranks = sitter.reader.run(
        "sitting.powers = [board.standing().find((each) => each.matches('.train')).dataset.power];"
        "board.over.told = ''; board.stand(state.over);"
        "return board.standing().map((each) => [!each.matches('.train'), sitting.powers.includes(each.dataset.power)]);"
    )
    assert {*map(tuple, ranks)} == {(False, False), (False, True), (True, False), (True, True)}
    assert ranks == sorted(ranks)


def test_a_question_mark_tells_its_meaning_and_what_is_still_needed(sitter: Sitter, tmp_path: Path) -> None:
    pieces = "{Friedrich: 'Neumarkt, 4', Rutowski: 'Steinau, 5', Schwerin: 'Brieg, 5', Neipperg: 'Oppeln, 3'}"
    (tmp_path / "asked.yaml").write_text(
        f"game: maria\nturn: 2\nstage: prussia\nphase: movement\npieces: {pieces}\n", encoding="utf-8"
    )
    sitter.open(str(tmp_path / "asked.yaml"))
    sitter.reader.run(
        "const line = { march: 'Rutowski', via: ['Trebnitz', 'Breslau'], to: 'Strehlen' };"
        "refresh(ask('put', 'saxony', { move: [line] }));"
        "hoverCity('Breslau')"
    )
    told = sitter.find(".tip").text
    assert "on the fortress: generals have marched through it" in told
    assert "Breslau has not fallen: it is still protected by Neipperg." in told.replace("\N{NO-BREAK SPACE}", " ")
