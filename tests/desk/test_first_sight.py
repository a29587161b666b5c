"""Questions, battles and advice at the desk as somebody meets them for the first time, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.desk.fields import attacks, corps, duel, influence, politics, stand_off, toll, winter
from tests.desk.sitting import Sitter


def test_a_question_for_a_corps_begins_with_its_cause_and_has_nobody_chosen(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "corps.yaml").write_bytes(corps())
    sitter.open(str(tmp_path / "corps.yaml"))
    asked = sitter.find("#prompt").text
    assert 0 <= asked.index("demands an expedition corps") < asked.index("must send a general")
    take = "return document.querySelector('#choices .take, #asked .take').disabled"
    fields = "return [...document.querySelectorAll('#choices input[type=radio], #asked input[type=radio]')]"
    assert sitter.reader.run(f"{fields}.map((each) => each.checked)").count(True) == 0
    assert sitter.reader.run(take)
    sitter.find("#done").click()
    assert "one of the answers" in sitter.find("#notice").text
    sitter.reader.run(f"{fields}[1].click()".replace("return ", ""))
    assert not sitter.reader.run(take)
    sitter.reader.run("document.querySelector('#choices .take, #asked .take').click()")
    sitter.until("return Object.keys(state.orders).length")
    assert sitter.reader.run("return state.faults") == []


ORDER = """
const tops = ['.score output', '#prompt', '#choices .pick.card', '#choices .fought'].map((each) => {
  const found = document.querySelector(each);
  return found ? found.getBoundingClientRect().top : Infinity;
});
return tops.every((top, at) => !at || tops[at - 1] < top) ? '' : String(tops);
"""


@pytest.mark.parametrize("is_phone", [False, True], ids=["screen", "phone"])
def test_a_battle_keeps_one_order_whatever_was_played(sitter: Sitter, *, is_phone: bool, tmp_path: Path) -> None:
    sitter.home()
    if is_phone:
        sitter.hold_phone()
    try:
        (tmp_path / "duel.yaml").write_bytes(duel())
        sitter.open(str(tmp_path / "duel.yaml"))
        assert sitter.reader.run(ORDER) == ""
        sitter.reader.run("document.querySelector('#choices .pick.card').click()")
        sitter.until("return due()[0]?.fight?.told && !document.getElementById('busy')")
        assert sitter.reader.run("return Boolean(document.querySelector('#choices .fought'))")
        assert sitter.reader.run(ORDER) == ""
    finally:
        sitter.put_phone_away()


SHOWN = """
return [...document.querySelectorAll('#bar .take, #asked .take')].filter((each) =>
  each.checkVisibility({visibilityProperty: true})).map((each) => each.id || each.textContent);
"""


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_beside_advice_one_s_own_answer_gives_way_and_is_called_otherwise(
    sitter: Sitter, tmp_path: Path, language: str
) -> None:
    (tmp_path / "corps.yaml").write_bytes(corps())
    sitter.open(str(tmp_path / "corps.yaml"))
    words = sitter.reader.run(
        "return ['advise-take', 'take-here', 'take'].map((each) => WORDS[arguments[0]][each])", language
    )
    assert len({*words}) == len(words)
    sitter.reader.run("advise({ currentTarget: document.getElementById('advise') })")
    sitter.until("return document.getElementById('follow')")
    assert [each for each in sitter.reader.run(SHOWN) if each != "done"] == ["follow"]


def test_several_questions_are_counted_behind_what_they_are_about(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run("opened(ask('practise', 'friedrich', '', 'frederick', 'sensible'))")
    assert sitter.find("#turns .which").text == "Troops: question 1 of 2"


def test_the_pragmatic_army_is_told_of_where_one_leads_it(sitter: Sitter) -> None:
    sitter.home()
    told = "showAim(); return document.getElementById('aim').textContent"
    start = "opened(ask('practise', 'maria', 'advanced', arguments[0], 'sensible'))"
    sitter.reader.run(start, "frederick")
    assert " The Pragmatic Army is the army of Britain" in sitter.reader.run(told)
    sitter.reader.run(start, "louis")
    assert "is the army of Britain" not in sitter.reader.run(told)


def test_a_click_on_a_question_mark_tells_its_meaning(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.open(str(tmp_path / "duel.yaml"))
    told = sitter.reader.run(
        "const sign = s('g', { class: 'question', 'data-power': 'austria', 'data-city': 'Linz' });"
        "sign.append(s('text', { 'font-size': 9 })); board.over.append(sign); board.boxes = null; hoverCity('Linz');"
        "return board.tip.textContent"
    )
    assert "“A?” on the fortress: generals have marched through it, and Austria gets it" in told


def test_on_a_phone_the_title_of_a_scenario_stands_whole_below_its_list(sitter: Sitter) -> None:
    sitter.home()
    sitter.hold_phone()
    try:
        sitter.find(".practice summary").click()
        sitter.until("return document.getElementById('seat').childElementCount > 0")
        title = sitter.reader.run("return document.getElementById('scenario').selectedOptions[0].text")
        assert sitter.find("#scenario-whole").is_displayed()
        assert sitter.find("#scenario-whole").text == title
        assert "play to win" in sitter.find("#bot").text
    finally:
        sitter.put_phone_away()


SMALL = """
const buttons = document.querySelectorAll(':is(#bar, .zoom, #counsel) button:not(.section, .line)');
const shown = [...buttons].filter((each) => each.checkVisibility({visibilityProperty: true}));
return shown.map((each) => [each.id || each.textContent, each.offsetWidth, each.offsetHeight])
  .filter(([, wide, high]) => Math.min(wide, high) < 40);
"""

ASKED = """
const asked = document.getElementById('prompt').getBoundingClientRect();
const hit = document.elementFromPoint(asked.left + 4, asked.top + 4);
return Boolean(hit?.closest('#prompt')) && asked.top < document.querySelector('#bar .head').getBoundingClientRect().top;
"""


@pytest.mark.parametrize(
    "field", [attacks, corps, duel, influence, politics, stand_off, toll, winter], ids=lambda each: each.__name__
)
def test_on_a_phone_what_is_asked_is_in_sight_and_no_button_is_smaller_than_a_finger(
    sitter: Sitter, tmp_path: Path, field: Callable[..., bytes]
) -> None:
    (tmp_path / "field.yaml").write_bytes(field())
    sitter.home()
    sitter.hold_phone(360, 740)
    try:
        sitter.open(str(tmp_path / "field.yaml"))
        assert sitter.reader.run(ASKED)
        assert sitter.reader.run(SMALL) == []
        sitter.reader.run("advise({ currentTarget: document.getElementById('advise') })")
        sitter.until("return Boolean(counsel)")
        assert sitter.reader.run(SMALL) == []
    finally:
        sitter.put_phone_away()


def test_on_a_wide_screen_a_button_on_the_board_leads_to_the_signs(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "attacks.yaml").write_bytes(attacks())
    sitter.open(str(tmp_path / "attacks.yaml"))
    sitter.reader.run("board.legend.open = false; pickPiece('Törring')")
    sitter.find("#signs-show").click()
    assert sitter.reader.run("return 0 <= board.legend.getBoundingClientRect().top")
    assert sitter.reader.run("return board.meanings.firstChild.getBoundingClientRect().bottom < innerHeight")
    assert sitter.reader.run("return say('meets')") in sitter.find(".rings").text


def test_on_a_phone_the_goal_begins_with_the_task_over_which_it_lies(sitter: Sitter) -> None:
    sitter.home()
    sitter.hold_phone(390, 844)
    try:
        sitter.reader.run("document.querySelector('.play-now[data-game=maria]').click()")
        sitter.until("return Boolean(document.querySelector('#aim'))")
        task = sitter.find("#aim .task")
        assert task.text.startswith("You lead France, Bavaria: tap a piece")
        assert task.rect["y"] + task.rect["height"] < sitter.find("#aim").rect["y"] + sitter.find("#aim").rect["height"]
        assert not sitter.reader.run("return document.querySelector('#aim').scrollTop")
        answer = "h('strong', { class: 'sentence' }, 'keep the cards')"
        sitter.reader.run(f"document.getElementById('prompt').replaceChildren({answer}, 'Press Done.'); showAim()")
        assert sitter.find("#aim .task").text == "keep the cards\nPress Done.", "an answer has a line of its own"
    finally:
        sitter.put_phone_away()


@pytest.mark.parametrize(
    ("game", "scenario", "seat", "name"),
    [("maria", "introductory", "maria-theresa", "Maria Theresa"), ("friedrich", "", "elisabeth", "Elisabeth")],
)
def test_where_others_march_first_the_first_marches_begin_with_who_one_is_and_the_goal(
    sitter: Sitter, game: str, scenario: str, seat: str, name: str
) -> None:
    sitter.home()
    sitter.reader.run("begun('play_now', ...arguments)", game, seat, scenario)
    assert f"You are {name}." in sitter.find("#aim").text
    answer = "const [each] = ask('advise', []); hideAim(); change('put', each.power, each.sections); carryOut();"
    for _ in range(3):
        if not sitter.reader.run("return due().some(isMarch)"):
            sitter.reader.run(answer)
    told = sitter.find("#aim").text
    assert f"You are {name}. The others have moved before you; now it is your turn." in told
    assert "You win" in told
    sitter.find("#aim-steps").click()
    assert sitter.find("#step").is_displayed()


def test_an_order_and_undo_are_told_in_letters_that_are_read_at_a_glance(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "attacks.yaml").write_bytes(attacks())
    sitter.open(str(tmp_path / "attacks.yaml"))
    sitter.reader.run("pickPiece('Törring'); march([...chosen.ends.keys()][0])")
    sitter.find("#undo").click()
    told = "const told = getComputedStyle(document.getElementById('undone')); return [told.fontSize, told.color]"
    ink = "return getComputedStyle(document.body).color"
    assert sitter.reader.run(told) == ["16px", sitter.reader.run(ink)]
