"""Words of the page that strangers missed, in a real browser: which moment the board shows, what was undone, and what
else is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

from tests.desk.fields import assault, attacks, corps, hussars, politics, set_up, winter
from tests.desk.sitting import Sitter
from tests.desk.test_account import fought_out
from tests.desk.test_bar import IN_SIGHT
from tests.desk.test_stepping import begun

MOMENT = "return document.getElementById('moment')?.textContent ?? ''"
NOTICE = "return document.getElementById('notice').textContent"
NEXT = """
const next = [...document.querySelectorAll('.take:enabled:not(.later)')];
return next.filter((each) => each.checkVisibility()).map((each) => each.id);
"""
"""Buttons that stand out as the next one."""

MARCH = """
const asked = due().find(isMarch), march = column(asked.data.marches.find((each) => each.can_march), asked);
change('march', asked.power, march.pieces, [march.to[0].city], march.to[0].path);
return march.pieces.map(called).join(' + ');
"""


@pytest.fixture
def phone(sitter: Sitter) -> Iterator[Sitter]:
    """Somebody who sits at the desk with a phone."""
    sitter.hold_phone(360, 760)
    yield sitter
    sitter.put_phone_away()


def test_a_corps_is_asked_with_its_reason_and_the_time_of_its_return(phone: Sitter, tmp_path: Path) -> None:
    (tmp_path / "corps.yaml").write_bytes(corps())
    phone.open(str(tmp_path / "corps.yaml"))
    assert "he comes back once it no longer counts" in phone.find("#prompt .about").text
    phone.tap(phone.middle("#advise"))
    phone.until("return document.querySelector('#counsel p')")
    assert "costs no cards" in phone.find("#counsel").text
    assert "Schottwien" in phone.find("#counsel").text
    phone.tap(phone.middle("#advise"))
    phone.until("return !document.querySelector('#counsel p')")
    phone.find("#prompt .section").click()
    assert "expedition corps" in phone.find("#prompt .rule").text


def test_the_board_says_which_moment_it_shows(sitter: Sitter) -> None:
    begun(sitter)
    assert sitter.reader.run(MOMENT) == "Board: now"
    sitter.find("#since").click()
    title = sitter.reader.run("return sitting.steps[leafing.at].title")
    assert sitter.reader.run(MOMENT) == f"Board: then ({title})"
    sitter.find("#now").click()
    assert sitter.reader.run(MOMENT) == "Board: now"
    sitter.reader.run(MARCH)
    assert sitter.reader.run(MOMENT) == "Board: after your orders so far"
    sitter.find("#before").click()
    assert sitter.reader.run(MOMENT) == "Board: now, before your orders"
    sitter.find("#before").click()
    sitter.reader.run("imagine(4)")
    sitter.until("return document.getElementById('imagine-map')")
    assert "The board does not show it" in sitter.find("#imagine-map").text
    sitter.reader.run("forgetImagined(); tellImagined()")


def test_new_steps_wait_for_a_tap_each_and_run_only_when_asked(sitter: Sitter) -> None:
    begun(sitter)
    sitter.find("#since").click()
    first = sitter.reader.run("return leafing.at")
    sleep(4)
    assert sitter.reader.run("return leafing.at") == first
    assert sitter.find("#run").text.endswith("Play")
    assert "next step" in sitter.find("#step").text
    sitter.find("#step").click()
    second = sitter.reader.run("return leafing.at")
    assert second > first
    sitter.find("#run").click()
    assert sitter.find("#run").text.endswith("Halt")
    sitter.find("#step").click()
    assert sitter.reader.run("return leafing.at") == second
    assert sitter.find("#run").text.endswith("Play")
    sitter.find("#now").click()


def test_troops_given_by_hand_stay_when_the_rest_is_dealt_and_the_page_says_so(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "set-up.yaml").write_bytes(set_up())
    sitter.open(str(tmp_path / "set-up.yaml"))
    field = "return document.querySelector('#asked .number input')"
    name = sitter.reader.run("return Object.keys(due()[0].form.input.of)[0]")
    assert sitter.find("#also-asked").text.replace("\n", " ") == "Also asked: Hanover: troops ›"
    sitter.reader.run(f"{field[7:]}.value = 2; {field[7:]}.dispatchEvent(new Event('input', {{ bubbles: true }}))")
    sitter.find("#deal").click()
    dealt = sitter.reader.run("return Object.values(state.orders)[0].allot")
    assert int(dealt[name]) == 2
    assert sum(map(int, dealt.values())) == 32
    assert f"Kept as you gave them: {name}" in sitter.reader.run(NOTICE)


def test_on_a_phone_one_button_stands_out_after_done(phone: Sitter, tmp_path: Path) -> None:
    (tmp_path / "field.yaml").write_bytes(hussars())
    phone.open(str(tmp_path / "field.yaml"))
    phone.tap(phone.middle("#done"))
    sleep(0.6)
    assert phone.reader.run(NEXT) == ["as-it-stands"]


def test_a_file_that_opens_and_a_text_pasted_by_keys_are_said_to_be_opening(sitter: Sitter) -> None:
    run = sitter.reader.run
    sitter.home()
    begins = "new DataTransfer(); given.setData('text/plain', 'pbem: none'); document.activeElement.blur();"
    pasted = "document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: given, bubbles: true }));"
    told = "return document.getElementById('opening')?.textContent ?? ''"
    assert run(f"const given = {begins} {pasted} {told}") == "The desk is being laid …"
    sitter.until("return !document.getElementById('opening') && document.querySelector('#notice').textContent")
    assert run(f"openFile(new File(['pbem: none'], 'report.yaml')); {told}") == "The desk is being laid …"
    sitter.until("return !document.getElementById('opening')")


CUT = """
counsel = { ...counsel, why: Array(30).fill('it comes nearer to an enemy train, and other generals come after it') };
tellCounsel();
const told = document.querySelector('#counsel > div'), range = document.createRange();
const end = told.getBoundingClientRect().bottom, is_cut = (line) => line.top + 3 < end && line.bottom > end + 3;
range.selectNodeContents(told.querySelector('.why').firstChild);
return [told.scrollHeight > told.clientHeight, [...range.getClientRects()].filter(is_cut).length];
"""
"""A long advice: does it go on further down, and how many of its lines are cut in two."""


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_on_a_phone_long_advice_ends_below_a_whole_line(sitter: Sitter, tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "attacks.yaml").write_bytes(attacks())
    sitter.hold_phone(*size)
    try:
        sitter.open(str(tmp_path / "attacks.yaml"))
        sitter.find("#advise").click()
        sitter.until("return document.querySelector('#counsel p')")
        assert sitter.reader.run(CUT) == [True, 0]
    finally:
        sitter.put_phone_away()


def test_on_a_phone_the_second_question_is_named(phone: Sitter, tmp_path: Path) -> None:
    (tmp_path / "winter.yaml").write_bytes(winter())
    phone.open(str(tmp_path / "winter.yaml"))
    assert phone.reader.run("return due().filter(isOpen).length") == 2
    assert phone.find("#turns .which").text.replace("\n", " ") == "Recruits: question 1 of 2"
    price = "return [...document.querySelectorAll('#asked .number label')].map((each) => each.textContent)"
    told = phone.reader.run(price)
    assert told
    assert all("points each" in each for each in told)
    other = phone.reader.run("return capital(sitting.power_names[due()[1].power])")
    assert phone.find("#also-asked").text.replace("\n", " ").startswith(f"Also asked: {other}: ")
    assert phone.reader.run(IN_SIGHT, "#also-asked")
    phone.tap(phone.middle("#also-asked button"))
    assert phone.reader.run("return facing") == 1
    assert phone.reader.run(IN_SIGHT, "#choices .take")


def test_nobody_gives_up_all_recruits_without_a_question(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "winter.yaml").write_bytes(winter())
    sitter.open(str(tmp_path / "winter.yaml"))
    powers = sitter.reader.run("return due().filter(isOpen).map((each) => capital(sitting.power_names[each.power]))")
    forgone = "return [...document.querySelectorAll('#prompt .forgone')].map((each) => each.textContent)"
    for _ in powers:
        assert sitter.reader.run(forgone) == []
        sitter.find("#done").click()
    assert sitter.reader.run(forgone) == [f"{power} recruits nothing." for power in powers]
    assert sitter.find("#done").text == "End anyway"
    sitter.find("#stay").click()
    assert sitter.reader.run(forgone) == []
    sitter.find("#done").click()
    stage = sitter.reader.run("return sitting.stage")
    sitter.find("#done").click()
    sitter.until(f"return sitting.stage !== {stage!r}")


NOTHING = """
const [section, about] = arguments;
const sections = section ? { [counsel.asked.form.section]: [] } : {};
counsel = { ...counsel, why: [], returns: [], dangers: [], first: [], about, sections };
tellCounsel();
return document.querySelector('#counsel strong').textContent;
"""
"""Sentence of an advice to do nothing, or in place of an advice."""


def test_advice_to_do_nothing_names_whom_and_what_it_is_about(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "attacks.yaml").write_bytes(attacks())
    sitter.open(str(tmp_path / "attacks.yaml"))
    sitter.find("#advise").click()
    sitter.until("return document.querySelector('#counsel p')")
    names = sitter.reader.run("return unordered().map(withSign)")
    assert len(names) > 1
    assert sitter.reader.run(NOTHING, True, []) == f"{', '.join(names)}: better stay."
    one = sitter.reader.run("return unordered().slice(0, 1)")
    assert sitter.reader.run(NOTHING, True, one) == f"{names[0]}: better stay."
    assert sitter.reader.run(NOTHING, False, []) == "March: there is no advice on this."


def test_what_may_be_left_is_named(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "politics.yaml").write_bytes(politics())
    sitter.open(str(tmp_path / "politics.yaml"))
    said = sitter.reader.run(
        "const input = { kind: 'choice', options: [{ write: '1', says: 'one' }] };"
        "return leaving(input, () => {}, 'saxony').element.textContent"
    )
    assert said.startswith("Saxony: stays as it is now")


def test_undo_and_redo_say_what_they_change(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "assault.json").write_bytes(assault())
    sitter.open(str(tmp_path / "assault.json"))
    marched = sitter.reader.run(MARCH)
    sitter.find("#undo").click()
    assert sitter.reader.run(NOTICE).startswith(f"Taken back: {marched} → ")
    sitter.find("#redo").click()
    assert sitter.reader.run(NOTICE).startswith(f"Ordered again: {marched} → ")
    # To undo that a march was taken back orders it again.
    sitter.reader.run("chooseGone(state.went[0]); takeBack();")
    sitter.find("#undo").click()
    assert sitter.reader.run(NOTICE).startswith(f"Ordered again: {marched} → ")


def test_arrows_of_marches_stay_through_the_battles_until_the_next_march(sitter: Sitter, tmp_path: Path) -> None:
    fought_out(sitter, tmp_path)
    marched = "return sitting.steps.slice(sinceOrders).filter((step) => step.marched.length).length"
    arrows = "return document.querySelectorAll('.moves .march').length"
    assert sitter.reader.run(marched) > sitter.reader.run(
        "return sitting.steps.filter((step) => step.is_new && step.marched.length).length"
    )
    assert sitter.reader.run(arrows) >= sitter.reader.run(marched)
    sitter.reader.run(MARCH)
    assert sitter.reader.run(arrows) == 1
    sitter.find("#undo").click()
    assert sitter.reader.run(arrows) >= sitter.reader.run(marched)
