"""The bar in a real browser: what is asked, what one click answers, and the way on, with clicks counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from pathlib import Path
from time import sleep
from typing import Any

import pytest
import yaml

from pbem.paper.documents.writing import write
from tests.desk.fields import (
    attacks,
    battlefield,
    duel,
    duel_at_zero,
    exile,
    forced_retreat,
    hussars,
    influence,
    long_duel,
    over,
    parted,
    politics,
    retreat,
    set_up,
    stand_off,
    starving,
    subsidy,
    toll,
    winter,
)
from tests.desk.sitting import FILL, Sitter

CLICKS = """
window.clicks = 0;
addEventListener('pointerdown', (event) => { if (event.isTrusted) window.clicks += 1; }, true);
"""


@pytest.fixture
def counting(sitter: Sitter) -> Iterator[Sitter]:
    """A game of MARIA against bots; real clicks are counted."""
    sitter.home()
    sitter.reader.run("opened(ask('practise', 'maria', 'introductory', 'louis', 'sensible'))")
    sitter.reader.run("if (window.clicks === undefined) {" + CLICKS + "}")
    yield sitter
    sitter.reader.look()


def clicks(sitter: Sitter) -> int:
    """Clicks since the last time."""
    found: int = sitter.reader.run("const found = clicks; clicks = 0; return found")
    return found


def test_two_clicks_a_piece_and_one_for_the_end_of_a_stage(counting: Sitter) -> None:
    # Bavaria has one general: its troops are not asked about, but told.
    assert "Törring: 5" in counting.find("#given").text
    # Each answer that is given stands on a line of its own.
    given = counting.reader.run("return [...document.querySelectorAll('#given > *')].map((each) => each.offsetTop)")
    assert len(given) == len({*given}) > 1
    assert "bavaria" in counting.text()
    # A click on the board deals one troop out; the counter is in the bar, and a general has the sign of the board.
    assert "20 of 26 are given" in counting.find("#choices .sum").text
    counting.click_city(counting.reader.run("return state.pieces.find((each) => each.name === 'Belle-Isle').city"))
    assert "21 of 26 are given" in counting.find("#choices .sum").text
    assert counting.find(".number:nth-child(2) label").text.startswith("F2 ")
    counting.find(".number:nth-child(2) [aria-label$='−1']").click()
    assert "20 of 26 are given" in counting.find("#choices .sum").text
    counting.find("#deal").click()
    assert counting.reader.run("return due().length") == 0
    counting.find("#done").click()
    counting.until("return state.asked.some(isMarch)")
    clicks(counting)
    while counting.reader.run("return unordered().length"):
        line = counting.march()
        assert clicks(counting) == 2
        assert line["pieces"] not in counting.reader.run("return unordered()")
    assert counting.find("#left").text == ""
    before = counting.reader.run("return sitting.stage")
    counting.find("#done").click()
    assert clicks(counting) == 1
    assert counting.reader.run("return sitting.stage") != before
    assert counting.reader.complaints() == []


def test_troops_that_were_dealt_stand_on_the_board_as_they_are_ordered(counting: Sitter) -> None:
    given = "return document.querySelectorAll('.marks .given').length"
    city = counting.reader.run("return state.pieces.find((each) => each.name === 'Belle-Isle').city")
    counting.reader.run("board.bring([arguments[0]], true)", city)
    counting.click_city(city)
    counting.until(f"{given} > 0")
    counting.find("#deal").click()
    assert counting.reader.run("return due().length") == 0
    counting.until(f"{given} === 0")
    counting.find("#undo").click()
    counting.until(f"{given} > 0")


def test_what_is_left_is_named_once_and_nothing_is_refused_silently(counting: Sitter) -> None:
    counting.find("#done").click()
    assert counting.reader.run("return sitting.stage").endswith("set-up")
    assert counting.reader.run("return document.querySelector('.asked').contains(document.activeElement)")
    counting.answer_like_a_bot()
    counting.find("#done").click()
    counting.until("return state.asked.some(isMarch)")
    stage = counting.reader.run("return sitting.stage")
    piece = counting.march()["pieces"]
    counting.find("#done").click()
    assert counting.reader.run("return sitting.stage") == stage
    asked = counting.find("#prompt").text
    # A browser's driver tells a space that breaks no line as a plain one.
    names = [name.replace("\xa0", " ") for name in counting.reader.run("return unordered().map(called)")]
    assert names
    assert all(name in asked for name in names)
    assert piece not in asked
    # Whoever orders one of them is asked again about the others.
    counting.march()
    assert counting.find("#done").text == "Done"
    counting.find("#undo").click()
    counting.find("#done").click()
    counting.find("#stay").click()
    assert not counting.find("#stay").is_displayed()
    counting.type(counting.text().replace("move:", "moves:"))
    # A table with bots hears of it without a code.
    assert counting.find("#wrong").text
    assert "E-" not in counting.find("#wrong").text
    counting.find("#undo").click()
    counting.find("#done").click()
    counting.find("#done").click()
    assert counting.reader.run("return sitting.stage") != stage


def test_a_card_is_one_click_and_the_score_that_it_leads_to_stands_on_it(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "battle.yaml").write_bytes(battlefield("maria"))
    sitter.open(str(tmp_path / "battle.yaml"))
    card = sitter.find("#choices .pick.card")
    assert card.text.split()[-1] in ("−1", "+2")
    card.click()
    assert len(yaml.safe_load(sitter.text())["orders"]["france"]["play"]) == 1


def test_a_political_card_is_one_click_that_does_what_it_says(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "politics.yaml").write_bytes(politics())
    sitter.open(str(tmp_path / "politics.yaml"))
    sitter.find("#choices .printed").click()
    # The bar names the stage that the board shows.
    shown = sitter.reader.run("return document.querySelector('.ground.light .frame').textContent.toLowerCase()")
    assert all(part in shown for part in sitter.find("#bar h1").text.lower().split(", "))
    (answer,) = (sections["politics"] for sections in yaml.safe_load(sitter.text())["orders"].values())
    assert set(answer) - {"card"}
    assert sitter.reader.run("return state.faults") == []


def test_where_cards_are_asked_their_button_shows_the_other_hands_and_hides_none(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "politics.yaml").write_bytes(politics())
    sitter.open(str(tmp_path / "politics.yaml"))
    asked = sitter.find("#hands").text
    assert asked
    sitter.find("#cards").click()
    assert sitter.find("#hands").text.startswith(f"{asked}\n")
    sitter.find("#cards").click()
    assert sitter.find("#hands").text == asked


def test_on_a_phone_the_cards_to_place_are_in_sight_below_the_political_cards(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "influence.yaml").write_bytes(influence())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "influence.yaml"))
        lowest, edge = sitter.reader.run(
            "const cards = [...document.querySelectorAll('#choices .pick.card')];"
            "return [Math.max(...cards.map((each) => each.getBoundingClientRect().bottom)),"
            " document.querySelector('#bar .telling').getBoundingClientRect().bottom]"
        )
        assert 0 < lowest <= edge
        sitter.reader.run("bringUp(due()[facing])")
        assert sitter.reader.run("return document.activeElement.matches('#choices .pick.card')")
    finally:
        sitter.put_phone_away()


def test_on_a_phone_no_part_of_the_place_is_empty_below_the_board(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "influence.yaml").write_bytes(influence())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "influence.yaml"))
        edges = sitter.reader.run(
            "board.map.scrollTop = 1e6;"
            "const drawn = [...board.sheet.querySelectorAll('.ground > rect:first-of-type')];"
            "return [Math.max(...drawn.map((each) => each.getBoundingClientRect().bottom)),"
            " board.map.getBoundingClientRect().bottom]"
        )
        assert edges[0] >= edges[1] - 2
    finally:
        sitter.put_phone_away()


def test_of_two_battles_first_both_ends_are_told(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "influence.yaml").write_bytes(influence())
    sitter.open(str(tmp_path / "influence.yaml"))
    told = sitter.reader.run(
        "const line = (text) => [{ text }];"
        "const battle = (name) => ({ type: 'battle', opening: line(`${name} begins`), exchanges: [],"
        " end: line(`${name} ends`) });"
        "const step = (name) => ({ fought: ['france'], told: [battle(name)], battle: `City ${name}` });"
        "return resultsFirst([step('one'), step('two')]).map((each) => each.textContent)"
    )
    assert told == ["Battle of City one. one ends", "Battle of City two. two ends", "one begins", "two begins"]


def test_on_a_phone_nothing_that_comes_later_lifts_the_cards_of_a_battle(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "duel.yaml"))
        top = "document.querySelector('#choices .pick.card').getBoundingClientRect().top"
        drawn = "forms.clear(); refresh(state); return [document.querySelector('#choices .would').textContent, "
        told, before = sitter.reader.run(f"{drawn}{top}]")
        assert "If you stop now" in told
        sleep(0.7)
        assert sitter.reader.run(f"return {top}") == before
    finally:
        sitter.put_phone_away()


CROWDED = """
const would = document.querySelector('#choices .would'), telling = document.querySelector('.telling');
for (let more = 0; more < 3; more += 1) would.append(...[...would.children].map((each) => each.cloneNode(true)));
const after = document.createElement('button');
after.textContent = 'what happened';
document.getElementById('came').replaceChildren(after);
telling.scrollTop = telling.scrollHeight;
const end = would.lastElementChild.getBoundingClientRect().bottom;
return [end - after.getBoundingClientRect().top, telling.scrollHeight - telling.clientHeight];
"""
"""Pixels by which what follows covers the end of what a stop brings, and pixels by which the bar scrolls."""


def test_on_a_phone_nothing_covers_what_a_stop_in_a_battle_brings(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "duel.yaml"))
        covered, scrolls = sitter.reader.run(CROWDED)
        assert scrolls > 0
        assert covered <= 0
    finally:
        sitter.put_phone_away()


def test_where_a_card_must_be_played_the_button_to_stop_keeps_its_place(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel_at_zero())
    sitter.open(str(tmp_path / "duel.yaml"))
    stop = sitter.find("#choices .at-once .chips .pick")
    assert stop.text == "play no more"
    assert not stop.is_enabled()
    assert stop.value_of_css_property("border-top-style") == "dashed"
    reason = "At zero a card must be played while one of the suit is in hand. §11.1"
    assert sitter.find("#choices .would").text.split() == reason.split()


def test_the_button_to_stop_says_who_is_lost_by_it(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "battle.yaml").write_bytes(battlefield("maria", -8))
    sitter.open(str(tmp_path / "battle.yaml"))
    stop = sitter.find("#choices .at-once .chips .pick")
    assert " ".join(stop.text.split()) == "play no more → −8 troops (all), lost: Belle-Isle"


def test_a_double_click_plays_one_card(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(long_duel())
    sitter.open(str(tmp_path / "duel.yaml"))
    held = "return Number(document.querySelector('.fighter.own span:last-child').textContent.match(/(\\d+) cards/)[1])"
    low = (
        "const card = [...document.querySelectorAll('#choices .pick.card')]"
        ".find((each) => each.textContent.includes('→ −')), box = card.getBoundingClientRect();"
        "return [box.left + box.width / 2, box.top + box.height / 2]"
    )
    before, (x, y) = sitter.reader.run(held), sitter.reader.run(low)
    for clicks in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            mouse = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": clicks}
            sitter.reader.tell("Input.dispatchMouseEvent", **mouse)
    sitter.until(f"{held} < {before}")
    sleep(1)
    assert sitter.reader.run(held) == before - 1


def test_on_a_phone_a_finger_is_shown_first_and_details_are_a_sheet(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "politics.yaml").write_bytes(politics())
    sitter.open(str(tmp_path / "politics.yaml"))
    sitter.hold_phone()
    try:
        assert sitter.reader.run("return document.documentElement.scrollWidth") <= 360
        empty = sitter.text()
        sitter.tap(sitter.middle("#choices .printed"))
        sitter.until("return document.querySelector('.would').textContent")
        assert sitter.text() == empty
        sitter.tap(sitter.middle("#choices .printed[aria-pressed=true]"))
        assert sitter.text() != empty
        assert not sitter.find("#side").is_displayed()
        sitter.tap(sitter.middle("#details"))
        assert sitter.find("#text").is_displayed()
        assert sitter.reader.run("return document.activeElement.id") == "side"
        sitter.until("return document.getElementById('side').getAnimations().length === 0")
        sitter.tap(sitter.middle("#details"))
        sitter.until("return getComputedStyle(document.getElementById('side')).visibility === 'hidden'")
        sitter.tap(sitter.middle("#details"))
        sitter.until("return document.getElementById('side').getAnimations().length === 0")
        x, y = sitter.middle(".handle")
        sitter.fingers(((x, y), (x, y + 120)))
        sitter.until("return getComputedStyle(document.getElementById('side')).visibility === 'hidden'")
        assert sitter.reader.run("return document.activeElement.id") == "details"
    finally:
        sitter.put_phone_away()


def test_on_a_phone_a_card_that_was_tapped_is_written_by_the_button_below_or_by_done(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "politics.yaml").write_bytes(politics())
    for button in (".below-cards .take", "#done"):
        sitter.open(str(tmp_path / "politics.yaml"))
        sitter.hold_phone()
        try:
            sitter.tap(sitter.middle("#done"))
            assert sitter.find("#notice").text == sitter.reader.run("return say('one-of-these')")
            sitter.tap(sitter.middle("#choices .printed"))
            assert not yaml.safe_load(sitter.text()).get("orders")
            # The outcome is told in words above the button, and so is that of an advice.
            assert sitter.find(".below-cards .does").text == "Italy: to box 2 (Austria's expedition; bad for Austria)"
            told = "return inWords(due()[facing], { card: '11', instruction: 'yes' })"
            assert (
                sitter.reader.run(told)
                == "Soldiers of Hesse – The power that carries out the card gets 3\N{NO-BREAK SPACE}new troops at once."
            )
            declined = "return inWords(due()[facing], { card: '9', instruction: 'no' })"
            assert sitter.reader.run(declined) == "Spain – Without its effect"
            sitter.tap(sitter.middle(button))
            (answer,) = (sections["politics"] for sections in yaml.safe_load(sitter.text())["orders"].values())
            assert answer["card"]
        finally:
            sitter.put_phone_away()


def test_done_offers_to_take_a_form_as_it_stands(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "hussars.yaml").write_bytes(hussars())
    sitter.open(str(tmp_path / "hussars.yaml"))
    sitter.find("#done").click()
    assert sitter.find("#notice").text.startswith(sitter.reader.run("return say('as-it-stands')"))
    # One click is one button: those of the form go while the notice has it.
    takes = sitter.reader.driver.find_elements("css selector", "#bar .take, #asked .take")
    word = sitter.find("#as-it-stands").text
    assert [each.get_attribute("id") for each in takes if each.is_displayed() and each.text == word] == ["as-it-stands"]
    sitter.find("#as-it-stands").click()
    assert "hussars" in yaml.safe_load(sitter.text())["orders"]["austria"]


def test_what_is_left_has_the_signs_of_the_board_and_tells_who_will_fight(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "stand-off.yaml").write_bytes(stand_off())
    sitter.open(str(tmp_path / "stand-off.yaml"))
    sitter.find("#done").click()
    told = sitter.find("#prompt").text
    assert "Schwerin (P2)" in told
    (fight,) = [each.text for each in sitter.reader.driver.find_elements("css selector", "#prompt .comes")]
    assert fight == "Schwerin (P2) next to Neipperg (A5): they will fight."


def test_a_battle_is_told_before_all_else_and_lack_of_supply_once(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "battle.yaml").write_bytes(starving("Passau, 8", "Freistadt, 5"))
    sitter.open(str(tmp_path / "battle.yaml"))
    hunger = sitter.reader.run("return `Broglie (F3): ${say('starves-now')}`")
    sitter.click_city("Passau")
    sitter.click_city("Linz")
    first, *rest = [each.text for each in sitter.reader.driver.find_elements("css selector", "#chosen .comes")]
    assert first.startswith("Battle against Traun ♣ (5 troops). You have 8 troops")
    told = "state.foes.Freistadt = [1, 8]; return fightLine('Linz', ['Freistadt'], ['Broglie'])"
    assert "Traun ♣ (1 to 8 troops, as far as you can know)" in sitter.reader.run(told)
    # Another general of one's own in the city fights with him, and the supreme commander's power plays the cards.
    together = "state.pieces.find((piece) => piece.name === 'Törring').city = 'Linz'"
    told = f"{together}; return fightLine('Linz', ['Freistadt'], ['Broglie'])"
    assert "Törring + Broglie fight together. Their cards are played by: Bavaria. Battle" in sitter.reader.run(told)
    assert [hunger in each for each in rest] == [True]
    sitter.find("#done").click()
    told = [each.text for each in sitter.reader.driver.find_elements("css selector", "#prompt .comes, #chosen .comes")]
    assert sum(hunger in each for each in told) == 1
    sitter.find("#stay").click()
    assert hunger in sitter.find("#chosen").text


def test_a_piece_out_of_supply_says_that_it_takes_no_fortress(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "starving.yaml").write_bytes(starving())
    sitter.open(str(tmp_path / "starving.yaml"))
    hungry = sitter.reader.run("return say('fort-hungry')")
    sitter.click_city("Linz")
    assert hungry in sitter.find("#chosen").text
    sitter.click_city("Linz")
    sitter.click_city("Bayreuth")
    assert hungry not in sitter.find("#chosen").text
    # The end of a march says so before anybody marches there, and advice that leads there.
    assert sitter.reader.run("return [hungryLines('Eger'), hungryLines('Mies')]") == [[hungry], []]
    sitter.find("#advise").click()
    sitter.until("return document.querySelector('#counsel p')")
    advised = " ".join(sitter.find("#counsel").text.split())
    assert advised.startswith("Belle-Isle (F2) →")
    assert hungry in advised


def test_a_page_that_opens_begins_at_its_top(sitter: Sitter) -> None:
    sitter.home()
    sitter.hold_phone()
    try:
        for selector in ("#table-new", ".buttons > [type=button]:last-child"):
            sitter.reader.run("scrollTo(0, 1e6)")
            assert sitter.reader.run("return scrollY") > 0
            sitter.reader.run("document.querySelector(arguments[0]).click()", selector)
            assert sitter.reader.run("return scrollY") == 0
        assert sitter.reader.run("return document.querySelector('h1').textContent === say('start')")
    finally:
        sitter.put_phone_away()


def test_what_is_begun_in_one_form_stays_when_another_is_written(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run("opened(ask('practise', 'maria', 'advanced', 'frederick', 'sensible'))")
    _, second = sitter.reader.driver.find_elements("css selector", ".asked")
    second.find_element("css selector", "[aria-label$='+1']").click()
    begun = second.find_element("css selector", "input").get_property("value")
    power = second.get_dom_attribute("data-power")
    sitter.reader.run(FILL)
    (left,) = sitter.reader.driver.find_elements("css selector", ".asked")
    assert left.get_dom_attribute("data-power") == power
    assert left.find_element("css selector", "input").get_property("value") == begun
    sitter.reader.run(FILL)
    answer, asked = sitter.find("#prompt").text.splitlines()
    assert "George II" in answer, "the answer just given is told"
    assert asked == "Nothing more is asked: press Done, and the others move."


def scrolled_to(sitter: Sitter, element: Any) -> Any:
    """An element of the bar, scrolled out from under the button that always lies in sight."""
    sitter.reader.run("arguments[0].scrollIntoView({ block: 'nearest' })", element)
    return element


def test_a_general_who_gets_troops_comes_back_with_them(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "exile.yaml").write_bytes(exile())
    sitter.open(str(tmp_path / "exile.yaml"))
    form = sitter.find("#choices .form[data-section=recruit]")
    # Nothing is written that pays for nothing, or too little; to buy nothing is an answer.
    take = form.find_element("css selector", ".take")
    one, other, more, *_ = form.find_elements("css selector", ".pick:has(input[type=checkbox])")
    assert take.is_enabled()
    scrolled_to(sitter, one).click()
    assert not take.is_enabled()
    scrolled_to(sitter, form.find_element("css selector", "[aria-label='Lehwaldt +1']")).click()
    assert not take.is_enabled()
    # Beside the button stands, wherever one has scrolled to, for what it waits.
    assert sitter.reader.run(IN_SIGHT, "#choices .balance")
    assert sitter.find("#choices .buttons .balance").text.startswith("Cost: 6 · paid:")
    # It says where the cards are.
    assert sitter.find("#choices .buttons .balance").text.endswith("Choose cards to pay with, at “pay”.")
    scrolled_to(sitter, other).click()
    assert "Choose cards" not in sitter.find("#choices .balance").text
    # A card too many is told before it is paid.
    needless, balance = "One of these cards is not needed, and no change is given.", sitter.find("#choices .balance")
    assert needless not in balance.text
    sitter.reader.run("arguments[0].querySelector('input').click()", more)
    assert needless in balance.text
    assert "amiss" in balance.get_dom_attribute("class")
    sitter.reader.run("arguments[0].querySelector('input').click()", more)
    assert needless not in balance.text
    take.click()
    (answer,) = (sections["recruit"] for sections in yaml.safe_load(sitter.text())["orders"].values())
    assert answer["troops"] == {"Lehwaldt": 1}
    assert answer["enter"] == {"Lehwaldt": "Berlin"}
    sitter.find("#undo").click()
    form = sitter.find("#choices .form[data-section=recruit]")
    scrolled_to(sitter, form.find_element("css selector", "[aria-label='Lehwaldt −1']")).click()
    for card in form.find_elements("css selector", ".pick:has(input[type=checkbox]:not(:checked))")[:2]:
        scrolled_to(sitter, card).click()
    scrolled_to(sitter, form.find_element("css selector", "[aria-label='Keith +1']")).click()
    form.find_element("css selector", ".take").click()
    (answer,) = (sections["recruit"] for sections in yaml.safe_load(sitter.text())["orders"].values())
    assert set(answer) <= {"troops", "pay"}


LIMIT = """
const input = { kind: "numbers", of: { Keith: { kind: "number", most: 8, price: 6 } }, most: 5 };
return KINDS.numbers(input, () => {}, arguments[0]).element.querySelector(".sum").textContent;
"""


def test_the_most_troops_are_told_to_be_those_that_the_cards_pay_for(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "exile.yaml").write_bytes(exile())
    sitter.open(str(tmp_path / "exile.yaml"))
    assert sitter.reader.run(LIMIT, 31) == "So far 0; your cards pay for at most 5"
    assert sitter.reader.run(LIMIT, 36) == "So far 0; the most is 5"


PRIMARY = "return [...document.querySelectorAll('#bar .take:not(.later)')].map((each) => each.id)"
"""The buttons of the bar that stand out, by their names."""


def test_done_stops_at_what_was_begun_and_undo_brings_back_what_was_dropped(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "exile.yaml").write_bytes(exile())
    sitter.open(str(tmp_path / "exile.yaml"))
    form = sitter.find("#choices .form[data-section=recruit]")
    number = form.find_element("css selector", ".number:has([aria-label='Lehwaldt +1']) input")
    scrolled_to(sitter, form.find_element("css selector", "[aria-label='Lehwaldt +1']")).click()
    assert "done" not in sitter.reader.run(PRIMARY)
    sitter.find("#done").click()
    assert "Cost: 6 · paid: 0" in sitter.find("#notice").text
    for card in form.find_elements("css selector", ".pick:has(input[type=checkbox])")[:2]:
        scrolled_to(sitter, card).click()
    # What is paid for is open as well until it is given.
    sitter.find("#done").click()
    assert sitter.find("#as-it-stands").is_displayed()
    assert "recruit" not in sitter.text()
    sitter.find("#drop").click()
    assert "↶" in sitter.find("#dropped").text
    fresh = sitter.find("#choices .form[data-section=recruit] .number:has([aria-label='Lehwaldt +1']) input")
    assert fresh.get_property("value") == "0"
    sitter.find("#undo").click()
    assert number.is_displayed()
    assert number.get_property("value") == "1"
    # What was set back by hand is no longer begun.
    scrolled_to(sitter, form.find_element("css selector", "[aria-label='Lehwaldt −1']")).click()
    for card in form.find_elements("css selector", ".pick:has(input:checked)"):
        scrolled_to(sitter, card).click()
    sitter.find("#done").click()
    assert sitter.find("#prompt .forgone").text == "Prussia recruits nothing."
    assert "recruit" not in sitter.text()
    sitter.find("#done").click()
    assert "recruit" in sitter.text()


def weak_with_recruits(sitter: Sitter, folder: Path) -> None:
    """Open a position in which troops can be recruited, and march with one of several pieces."""
    hands = {"prussia": ["♣9", "♦5", "♠7", "♥10"]}
    weak = {"stage": "prussia", "phase": "movement", "pieces": {"Lehwaldt": "Küstrin, 1"}, "hands": hands}
    (folder / "weak.yaml").write_bytes(write({"game": "friedrich", "turn": 3, **weak}).encode())
    sitter.open(str(folder / "weak.yaml"))
    sitter.march()


def test_recruits_tell_where_generals_stand_now(sitter: Sitter, tmp_path: Path) -> None:
    weak_with_recruits(sitter, tmp_path)
    rows = "return [...document.querySelectorAll('.form[data-section=recruit] label')].map((each) => each.textContent)"
    before, went = sitter.reader.run(rows), sitter.march()
    (row,) = [each for each in sitter.reader.run(rows) if f" {went['pieces']} ·" in each]
    assert row not in before
    assert f" · {went['to']} · " in row
    # A click on the general there gives him troops, none where he stood.
    cities = sitter.reader.run(
        "return [...formFor(state.asked.find((each) => each.form.section === 'recruit')).made.cities.keys()]"
    )
    assert went["to"] in cities
    assert went["from"] not in cities


CUT_OFF = """
const [language, at] = arguments;
speak(language);
turnTo(at);
const head = document.querySelector('#bar .head');
const edges = [...head.querySelectorAll('#left, .which')].map((each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  const text = range.getBoundingClientRect(), { top, bottom } = head.getBoundingClientRect();
  return text.width <= each.offsetWidth + 1 && text.top >= top - 1 && text.bottom <= bottom + 1;
});
return [edges.length, edges.every(Boolean), document.getElementById('left').textContent];
"""
"""Texts of the bar's head in a language, and that each of them is in sight to its end."""


@pytest.mark.parametrize("size", [(360, 740), (390, 844)])
def test_on_a_phone_the_status_is_whole_beside_several_questions(
    sitter: Sitter, tmp_path: Path, size: tuple[int, int]
) -> None:
    sitter.hold_phone(*size)
    try:
        weak_with_recruits(sitter, tmp_path)
        for language, at in product(("de", "es", "it", "en"), (0, 1)):
            number, is_whole, left = sitter.reader.run(CUT_OFF, language, at)
            assert left
            assert (number, is_whole) == (2, True), (language, left)
    finally:
        sitter.reader.run("speak('en')")
        sitter.put_phone_away()


def test_marches_go_on_after_recruits_until_done_and_then_the_answer_ends_the_orders(
    sitter: Sitter, tmp_path: Path
) -> None:
    weak_with_recruits(sitter, tmp_path)
    assert sitter.reader.run("return unordered().length") > 0
    sitter.find("#choices .further").click()
    assert "Your marches are not over" in sitter.find("#march-on").text
    assert not sitter.reader.driver.find_elements("css selector", "#ends-after")
    sitter.find("#choices .form[data-section=recruit] .take").click()
    assert sitter.reader.run("return isMarch(due()[facing]) && !isDone")
    # Who has ended the marches and then recruits is not asked about them again.
    weak_with_recruits(sitter, tmp_path)
    sitter.find("#done").click()
    sitter.find("#done").click()
    assert sitter.find("#ends-after").is_displayed()
    sitter.find("#choices .form[data-section=recruit] .take").click()
    # What else is left is that of the next power, and is told as Done tells it.
    assert sitter.find("#stay").is_displayed()
    assert "Ferdinand" in sitter.find("#prompt").text


def test_troops_that_may_be_paid_for_are_asked_about_before_the_stage_ends(sitter: Sitter, tmp_path: Path) -> None:
    weak_with_recruits(sitter, tmp_path)
    sitter.find("#done").click()
    assert "Prussia recruits nothing." in sitter.find("#prompt").text
    assert sitter.find("#stay").is_displayed()
    sitter.find("#done").click()
    assert sitter.find("#choices .form[data-section=recruit]").is_displayed()
    assert "recruit" not in sitter.text()
    sitter.find("#done").click()
    assert "recruit" in sitter.text()


LEFT = "return Number(document.getElementById('left').textContent.match(/[0-9]+/) || 0)"


def play_now(sitter: Sitter) -> None:
    """Begin MARIA as France, which goes first."""
    sitter.home()
    sitter.find(".play-now[data-game=maria]").click()
    sitter.until("return Boolean(sitting) && state.asked.some(isMarch)")
    sitter.find("#aim .close").click()


def place_of(sitter: Sitter, piece: str) -> str:
    """City where a piece stands."""
    city: str = sitter.reader.run("return state.pieces.find((each) => each.name === arguments[0]).city", piece)
    return city


def test_the_number_that_is_left_falls_by_each_order_although_it_lets_others_out(sitter: Sitter) -> None:
    play_now(sitter)
    shut_in = "france train 2"
    assert shut_in not in sitter.reader.run("return unordered()")
    before = sitter.reader.run(LEFT)
    sitter.click_city(place_of(sitter, "Belle-Isle"))
    sitter.click_city("Amberg")
    assert shut_in in sitter.reader.run("return unordered()")
    assert sitter.reader.run(LEFT) == before - 1
    while left := sitter.reader.run(LEFT):
        sitter.march()
        assert sitter.reader.run(LEFT) < left
    assert sitter.reader.run("return unordered()") == []


def test_the_bar_of_a_phone_leaves_three_quarters_to_the_board(sitter: Sitter) -> None:
    play_now(sitter)
    sitter.hold_phone()
    try:
        sitter.reader.run("board.show([arguments[0]])", city := place_of(sitter, "Belle-Isle"))
        sitter.tap(sitter.at(city))
        sitter.until("return document.getElementById('chosen').textContent.includes('Belle-Isle')")
        assert sitter.reader.run("return document.getElementById('bar').offsetHeight / innerHeight") <= 0.26
        for one, other in (("#undo", "#done"), ("#details", "#turns")):
            assert abs(sitter.middle(one)[1] - sitter.middle(other)[1]) < 20
        sitter.tap(sitter.middle("#details"))
        sitter.choose("#goals select", "Amberg")
        assert "Belle-Isle: Amberg" in sitter.text()
        assert sitter.reader.run("return document.getElementById('details').ariaExpanded") == "false"
    finally:
        sitter.put_phone_away()


IN_SIGHT = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
const hit = document.elementFromPoint(box.left + box.width / 2, box.bottom - 2);
return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && Boolean(hit?.closest(arguments[0]));
"""

AWAY = """
const there = ask('step', leafing.at).cities.map((city) => board.spots.get(city)).find(Boolean);
const far = [...board.spots.values()].reduce((best, spot) =>
  Math.hypot(spot.x - there.x, spot.y - there.y) > Math.hypot(best.x - there.x, best.y - there.y) ? spot : best);
active = { sight: [{ city: far.city }], cities: new Map() };
inSight = '';
setTimeout(markPlaces);
return board.view();
"""
"""Asks about the city that lies farthest from the battle; gives the part of the board that is in sight before."""

FRAME = "const box = document.querySelector('.map').getBoundingClientRect(); return [box.top, box.height]"


def test_the_end_of_a_battle_stays_until_its_player_goes_on(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "duel.yaml"))
        for part in ("#hands p", "#choices .card .below", "#choices .score", "#choices .fighter.foe", "#prompt"):
            assert sitter.reader.run(IN_SIGHT, part), part
        sitter.tap(sitter.middle("#choices .chips .pick"))
        sitter.until("return asksOnce")
        sitter.tap(sitter.middle("#done"))
        sitter.until("return ended.length && document.querySelector('#prompt').textContent.includes('France stops')")
        told = sitter.find("#prompt .result").text
        assert "wins" in told
        assert "lose" in told
        assert sitter.reader.run(IN_SIGHT, "#prompt .result")
        # Below stands how it came, although that was told before the last card.
        assert "Battle of" in sitter.find("#prompt").text
        assert sitter.reader.run("return isPast()")
        assert not sitter.find("#advise").is_enabled()
        # A question about another place does not turn the board away, and a tap on the board puts nothing away.
        seen = sitter.reader.run(AWAY)
        sleep(0.2)
        assert sitter.reader.run("return board.view()") == seen
        assert sitter.reader.run("return ask('step', leafing.at).cities.some((city) => board.isInSight(city))")
        sitter.tap(sitter.middle(".sight"))
        sleep(0.5)
        assert "France stops" in sitter.find("#prompt").text
        sitter.tap(sitter.middle("#done"))
        sitter.until("return !document.querySelector('#prompt').textContent.includes('France stops')")
        assert not sitter.reader.run("return isPast()")
        assert sitter.find("#done").text == "Done"
    finally:
        sitter.put_phone_away()


def test_the_result_of_a_battle_stands_before_the_way_of_a_retreat_is_asked(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "retreat.yaml").write_bytes(retreat())
    sitter.open(str(tmp_path / "retreat.yaml"))
    sitter.reader.run("opened({ sitting, state })")
    assert sitter.find("#done").text == "Go on"
    assert "wins" in sitter.find("#prompt .result").text
    assert not sitter.reader.run("return active")
    sitter.find("#done").click()
    assert "retreat" in sitter.find("#prompt").text
    assert sitter.reader.run("return active.cities.size") > 1


def test_a_loss_beside_battles_stands_before_what_is_asked(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "retreat.yaml").write_bytes(retreat())
    sitter.open(str(tmp_path / "retreat.yaml"))
    sitter.reader.run("for (const step of sitting.steps) step.fought = []; opened({ sitting, state })")
    assert sitter.find("#done").text != "Go on"
    sitter.reader.run("sitting.steps.at(-1).weakened = sitting.powers; opened({ sitting, state })")
    assert sitter.find("#done").text == "Go on"
    assert sitter.find("#prompt").text
    assert not sitter.reader.run("return active")


def test_a_click_from_before_the_others_have_moved_does_nothing(sitter: Sitter) -> None:
    play_now(sitter)
    # The finger was quicker than the page: its click comes when the page shows something else.
    early = (
        "const early = performance.now() - 5, click = new MouseEvent('click', { bubbles: true, cancelable: true });"
        "Object.defineProperty(click, 'timeStamp', { value: early }); laidAt = performance.now();"
        "document.getElementById('cards').dispatchEvent(click); return document.getElementById('hands').hidden"
    )
    assert sitter.reader.run(early)
    assert not sitter.reader.run(early.replace("laidAt = performance.now()", "laidAt = 0"))


def test_a_power_that_leaves_the_war_is_told_before_anything_is_asked(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "parted.yaml").write_bytes(parted())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "parted.yaml"))
        assert "Sweden leaves the game" in sitter.find("#prompt .result").text
        assert sitter.reader.run(IN_SIGHT, "#prompt .result")
        assert sitter.reader.run("return isPast()")
        assert sitter.find("#done").text == "Go on"
        # How far everybody is belongs to now, not to the step that the board shows.
        assert sitter.find("#aim-show").text == "The goal"
        sitter.tap(sitter.middle("#done"))
        sitter.until("return !document.querySelector('#prompt .result')")
        assert "0/10" in sitter.find("#aim-show").text
        # It counts the orders, so it is not told beside the board before them.
        chip = "return document.getElementById('aim-show').textContent"
        assert "3/10" in sitter.reader.run(f"state.counts = ['A 3/10']; flip(); flip(); {chip}")
        assert "/10" not in sitter.reader.run(f"flip(); {chip}")
        sitter.reader.run("flip()")
        assert not sitter.reader.run("return isPast()")
        assert "Sweden" not in sitter.find("#prompt").text
        # It is not told again when the page is loaded anew.
        assert sitter.reader.run("return newSteps().some((at) => sitting.steps[at].turns)") is False

        # A size that was chosen while a result lies there stays when one goes on.
        sitter.open(str(tmp_path / "parted.yaml"))
        sitter.until("return isPast()")
        before = sitter.reader.run("board.show(theatre()); return board.size")
        sitter.tap(sitter.middle(".zoom button"))
        assert sitter.reader.run("return board.size") > before
        assert sitter.reader.run("return theatre().some((city) => board.isInSight(city))")
        size = sitter.reader.run("return board.size")
        sitter.tap(sitter.middle("#done"))
        sitter.until("return !isPast()")
        assert sitter.reader.run("return board.size") == pytest.approx(size)
    finally:
        sitter.put_phone_away()


def test_on_a_phone_troops_are_dealt_on_the_board_and_what_lacks_is_said(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "set-up.yaml").write_bytes(set_up())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "set-up.yaml"))
        city = place_of(sitter, "Keith")
        given = "return [...document.querySelectorAll('.marks .given text')].map((each) => each.textContent)"
        sitter.until(f"return Boolean(({given[7:]}).length)")
        before = sitter.reader.run(given)
        sitter.reader.run("board.show([arguments[0]])", city)
        sitter.tap(sitter.at(city))
        assert sitter.reader.run(given) != before
        assert "9 of 32 are given" in sitter.find("#choices .sum").text
        # The button does not stand out before all are given.
        assert sitter.reader.run("return document.querySelector('#choices .take').classList.contains('later')")
        # The button beside the sum and *Done* both say what to do, and no sheet hides the board.
        for button in ("#choices .take", "#done"):
            sitter.tap(sitter.middle(button))
            told = sitter.find("#notice").text
            assert told.strip() == "Still to give: 23."
            assert not sitter.find("#side").is_displayed()
            sitter.reader.run("notify()")
        row = "const field = document.querySelector('#asked .number input'); field.value = 0;"
        sitter.reader.run(row + "field.dispatchEvent(new Event('input', { bubbles: true }))")
        sleep(0.6)  # a double click is one wish
        sitter.tap(sitter.middle("#done"))
        assert "needs 1 to 8." in sitter.find("#notice").text
    finally:
        sitter.put_phone_away()


def test_on_a_phone_hussars_are_placed_on_the_board_below_which_the_bar_keeps_its_height(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "hussars.yaml").write_bytes(hussars())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "hussars.yaml"))
        assert sitter.find("#choices .so-far").text == "Tap a marked city on the board."
        height = sitter.reader.run("return document.getElementById('bar').offsetHeight")
        ends = "return board.marked[1].map((end) => end.city).find((city) => board.isInSight(city))"
        sitter.tap(sitter.at(city := sitter.reader.run(ends)))
        called = sitter.reader.run("return calledCity(arguments[0])", city)
        assert sitter.find("#choices .so-far").text == f"Hussar 1 → {called}, Hussar 2 → off the map"
        sitter.reader.run("notify('something that makes the bar higher', document.createElement('br'), 'and more')")
        # The height is kept only once the page has drawn the bar anew.
        sitter.until(
            "const bar = document.getElementById('bar'); return bar.style.minHeight === `${bar.offsetHeight}px`"
        )
        higher = sitter.reader.run("return document.getElementById('bar').offsetHeight")
        sitter.reader.run("notify()")
        assert sitter.reader.run("return document.getElementById('bar').offsetHeight") == higher >= height
        sitter.tap(sitter.middle("#choices .take"))
        assert city in sitter.text()
    finally:
        sitter.put_phone_away()


BUTTONS = """
return ['another', 'undo', 'done', 'cards'].map((id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  return [box.left, box.top, box.width, box.height, Boolean(document.getElementById('bar').contains(
    document.elementFromPoint(box.left + 3, box.top + 3)))];
});
"""


def test_no_button_of_the_bar_moves_whatever_is_told(sitter: Sitter) -> None:
    play_now(sitter)
    frame = sitter.reader.run(FRAME)
    for press in (lambda selector: sitter.find(selector).click(), lambda selector: sitter.tap(sitter.middle(selector))):
        before = sitter.reader.run(BUTTONS)
        assert all(is_seen for *_, is_seen in before)
        for selector in ("#cards", "#advise", "#done", "#stay"):
            press(selector)
            assert sitter.reader.run(BUTTONS) == before, selector
        if frame:
            assert sitter.reader.run(FRAME) == frame
            frame = []
            sitter.hold_phone()
    sitter.put_phone_away()


def test_the_board_stays_in_the_page_when_orders_are_carried_out(counting: Sitter) -> None:
    counting.reader.run(
        "window.gone = 0; new MutationObserver((records) => {"
        "  gone += records.filter((each) => [...each.removedNodes].includes(board.place)).length;"
        "}).observe(page, {childList: true});"
    )
    heading = "return document.querySelector('#bar h1').textContent"
    stage = counting.reader.run(heading)
    counting.carry_out()
    assert counting.reader.run(heading) != stage
    assert counting.reader.run("return [gone, page.children.length, page.children[1] === board.place]") == [0, 3, True]


EARLIER = "return sitting.steps.findIndex((step) => step.title && step.title !== state.stage)"


def test_a_step_is_headed_by_its_own_stage(counting: Sitter) -> None:
    while (at := counting.reader.run(EARLIER)) < 0:
        counting.carry_out()
    counting.reader.run("if (ended.length) beyondResults()")
    now = counting.find("#bar h1").text
    counting.reader.run("leafing.go(arguments[0])", at)
    title = counting.reader.run("return sitting.steps[arguments[0]].title", at)
    assert counting.find("#bar h1").text == title != now
    counting.reader.run("backToNow()")
    assert counting.find("#bar h1").text == now


def test_the_buttons_of_a_phone_stay_from_question_to_question(sitter: Sitter) -> None:
    sitter.home()
    sitter.hold_phone()
    try:
        sitter.reader.run("opened(ask('practise', 'friedrich', '', 'frederick', 'sensible'))")
        places = sitter.reader.run("return placesIn(due()).length")
        assert places > 1
        before = sitter.find("#turns button:last-child").rect
        for _ in range(places):
            sitter.tap(sitter.middle("#turns button:last-child"))
            assert sitter.find("#turns button:last-child").rect == before
    finally:
        sitter.put_phone_away()


def test_in_a_battle_on_a_phone_the_last_card_and_the_score_are_in_sight_in_a_lesson_too(sitter: Sitter) -> None:
    sitter.home()
    sitter.hold_phone()
    try:
        sitter.reader.run("learn('maria', 'battle')")
        for _ in range(2):
            before = sitter.find("#choices .fought").text if sitter.reader.run("return due()[0].fight.told") else ""
            sitter.tap(sitter.middle("#choices .pick.card"))
            sitter.until(f"return document.querySelector('#choices .fought')?.textContent !== {before!r}")
            for part in ("#choices .score output", "#choices .fought", "#choices .card .below"):
                assert sitter.reader.run(IN_SIGHT, part), part
            assert "answers with" in sitter.find("#choices .fought").text
    finally:
        sitter.put_phone_away()


def test_the_number_of_cards_is_that_of_all_hands_whoever_is_chosen(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run("begun('play_now', 'maria', 'louis')")
    held = sitter.reader.run("return Object.values(state.hands.hands).flat().length")
    cities = sitter.reader.run(
        "return Object.values(Object.fromEntries(state.asked.filter(isMarch).map((asked) =>"
        "  [asked.power, asked.data.marches.find((march) => march.can_march).from])))"
    )
    assert len(cities) > 1
    for city in cities:
        sitter.click_city(city)
        assert sitter.find("#cards").text.split() == ["Cards", str(held)]


def test_undo_without_anything_to_undo_does_nothing_and_looks_so(sitter: Sitter) -> None:
    play_now(sitter)
    style = "return getComputedStyle(document.getElementById('undo')).borderTopStyle"
    undo = sitter.find("#undo")
    assert not undo.is_enabled()
    assert sitter.reader.run(style) == "dashed"
    sitter.reader.run("dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true }))")
    assert not sitter.reader.driver.find_elements("css selector", "#undone")
    sitter.march()
    assert undo.is_enabled()
    assert sitter.reader.run(style) == "solid"
    undo.click()
    assert sitter.find("#undone").is_displayed()
    assert not undo.is_enabled()


def test_the_hand_is_one_click_away_and_the_board_stays_where_it_is(sitter: Sitter) -> None:
    play_now(sitter)
    before = sitter.reader.run(FRAME)
    assert not sitter.find("#hands").is_displayed()
    sitter.find("#cards").click()
    held = sitter.reader.run("return Object.values(state.hands.hands).flat().length")
    assert len(re.findall(r"[♣♦♥♠]\d+|\bR\b", sitter.find("#hands").text)) == held > 0
    assert sitter.reader.run(IN_SIGHT, "#hands")
    assert sitter.reader.run(FRAME) == before
    sitter.find("#cards").click()
    assert not sitter.find("#hands").is_displayed()


def test_advice_is_given_with_its_reason_shown_on_the_board_and_taken_by_one_click(sitter: Sitter) -> None:
    play_now(sitter)
    for marched in (1, 2):
        if marched == 2:
            # Whoever is chosen is advised.
            sitter.click_city(place_of(sitter, "Broglie"))
        sitter.find("#advise").click()
        sitter.until("return document.querySelector('#counsel p')")
        advised = sitter.find("#counsel p").text
        assert sitter.find("#counsel .why").text.endswith(".")
        assert marched == 1 or advised.startswith("Broglie")
        if "→" not in advised:
            break
        goal = sitter.reader.run("return document.querySelector('.marks .end').dataset.city")
        assert sitter.reader.run("return board.spots.get(arguments[0]).lines.join(' ')", goal) in advised
        sitter.find("#follow").click()
        assert sitter.reader.run("return state.went.length") == marched
        # Advice on no piece in particular goes on with the next one; else it is put away.
        sitter.until(f"return Boolean(document.querySelector('#counsel p')) === {str(marched == 1).lower()}")
    assert sitter.reader.complaints() == []


def test_the_outcome_of_orders_is_told_in_the_bar(sitter: Sitter) -> None:
    play_now(sitter)
    sitter.march()
    sitter.end()
    sitter.until("return stepsSinceOrders().length")
    assert sitter.find("#came, #prompt").text
    first = sitter.reader.run("return stepsSinceOrders()[0].told[0].lines[0][0].text")
    assert first[:40] in sitter.find("#came").text


OTHERS = """
const all = sitting.steps.slice(sinceOrders).filter((step) => !isOwnMarch(step) && !step.traces);
return all.filter((step) => !step.concerns.some((power) => sitting.powers.includes(power))).length;
"""


def test_steps_that_concern_only_others_are_counted_and_one_click_tells_them(sitter: Sitter) -> None:
    play_now(sitter)
    while not (count := sitter.reader.run(OTHERS)):
        sitter.march()
        sitter.end()
        sitter.until("return stepsSinceOrders().length")
    assert f"Steps that concern only others: {count}" in sitter.find("#came").text
    before = sitter.find("#came").text
    sitter.find("#others").click()
    assert not sitter.reader.run("return ownOnly")
    assert len(sitter.find("#came").text) > len(before)
    assert sitter.reader.run("return document.getElementById('others')") is None
    assert sitter.reader.complaints() == []


SCROLLED = "return document.querySelector('#bar .telling').scrollTop"

STILL = """
const now = document.querySelector('#bar .telling').scrollTop, before = window.lastTop;
window.lastTop = now;
return now > 0 && now === before;
"""


def test_on_a_phone_a_toll_is_paid_in_the_bar_and_advice_leaves_its_text_where_it_was(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "toll.yaml").write_bytes(toll())
    sitter.open(str(tmp_path / "toll.yaml"))
    sitter.hold_phone()
    try:
        for part in ("#prompt", "#choices .pick.card", "#choices .take"):
            assert sitter.reader.run(IN_SIGHT, part), part
        sitter.tap(sitter.middle("#advise"))
        sitter.until("return document.querySelector('#follow')")
        assert "pay: ♥3, ♥3" in sitter.find("#counsel").text
        assert sitter.reader.run(IN_SIGHT, "#follow")
        # Advice may lie over the text that comes first.
        x, y = sitter.middle("#choices .pick.card")
        sitter.fingers(((x, y), (x, y - 60)))
        # A tap would only stop what still glides.
        sitter.until(STILL)
        scrolled = sitter.reader.run(SCROLLED)
        sitter.tap(sitter.middle("#advise"))
        sitter.until("return !document.querySelector('#follow')")
        sitter.tap(sitter.middle("#advise"))
        sitter.until("return document.querySelector('#follow')")
        assert sitter.reader.run(SCROLLED) == scrolled
        # The advice lies over cards, and is put away for them.
        sitter.tap(sitter.middle("#advise"))
        sitter.until("return !document.querySelector('#follow')")
        sitter.tap(sitter.middle("#choices .pick.card:nth-of-type(4)"))
        sitter.until("return !document.querySelector('#choices .take').disabled")
        sitter.tap(sitter.middle("#choices .take"))
        sitter.until("return Object.keys(state.orders).length")
        assert len(yaml.safe_load(sitter.text())["orders"]["france"]["toll"]["pay"]) == 1
        # Less would do, of which the page warns.
        assert [each["code"] for each in sitter.reader.run("return state.faults")] == ["W-CARD-NEEDLESS"]
    finally:
        sitter.put_phone_away()


DEAL = """
const fields = [...document.querySelectorAll('#asked .form:first-of-type input[type=number]')];
let left = due()[facing].form.input.most - fields.reduce((sum, field) => sum + Number(field.min), 0);
for (const field of fields) {
  const more = Math.min(left, Number(field.max) - Number(field.min));
  field.value = Number(field.min) + more;
  left -= more;
  field.dispatchEvent(new Event('input', {bubbles: true}));
}
"""


def test_the_sheet_of_a_phone_closes_when_its_answer_is_written(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run("opened(ask('practise', 'maria', 'introductory', 'louis', 'sensible'))")
    sitter.hold_phone()
    try:
        sitter.tap(sitter.middle("#choices .fill-in"))
        sitter.until("return document.getElementById('side').getAnimations().length === 0")
        sitter.reader.run(DEAL)
        take = ".asked .take"
        sitter.reader.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", take)
        sitter.tap(sitter.middle(take))
        sitter.until("return Object.keys(state.orders).includes('france')")
        sitter.until("return getComputedStyle(document.getElementById('side')).visibility === 'hidden'")
    finally:
        sitter.put_phone_away()


def test_a_phone_asks_which_attack_comes_first_and_shows_cards_beside_the_piece(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "attacks.yaml").write_bytes(attacks())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "attacks.yaml"))
        sitter.tap(sitter.middle("#cards"))
        for start, end in (("Wels", "Linz"), ("Pisek", "Budweis")):
            sitter.reader.run("board.show([...arguments])", start, end)
            sitter.tap(sitter.at(start))
            sitter.until("return Boolean(chosen)")
            assert sitter.reader.run(IN_SIGHT, "#chosen strong")
            assert sitter.reader.run(IN_SIGHT, "#hands p")
            sitter.tap(sitter.at(end))
            sitter.until(f"return chosen.from === '{end}'")
        assert "by 3)" in sitter.find("#chosen").text
        assert sitter.reader.run(IN_SIGHT, ".further")
        sitter.tap(sitter.middle(".further"))
        sitter.until("return document.querySelectorAll('#choices .pick').length === 2")
        assert "which attack" in sitter.find("#prompt").text
        assert sitter.reader.run(IN_SIGHT, "#choices .pick:last-child")
    finally:
        sitter.put_phone_away()


def test_pieces_that_may_stay_are_asked_about_once_in_a_stage(sitter: Sitter) -> None:
    play_now(sitter)
    # The stage does not end here, as where a question about battles is still open.
    sitter.reader.run("window.went = 0; window.truly = goOn; goOn = () => { went += 1; }")
    try:
        for asks, went in ((True, 0), (False, 1), (False, 2)):
            sitter.find("#done").click()
            assert sitter.reader.run("return [asksOnce, went]") == [asks, went]
        # Where other pieces are left, they are asked about.
        sitter.find("#undo").click()
        sitter.march()
        sitter.find("#done").click()
        assert sitter.reader.run("return [asksOnce, went]") == [True, 2]
    finally:
        sitter.reader.run("goOn = truly")


STAYS = """
const truly = ask;
ask = (what, ...rest) => what === 'advise'
  ? due().filter(isMarch).map(({ power, form }) => ({ power, sections: { [form.section]: [] }, why: [], starves: [] }))
  : truly(what, ...rest);
"""
"""Has the bot advise that all pieces stay."""


def test_pieces_that_the_advice_lets_stay_are_not_asked_about(sitter: Sitter) -> None:
    play_now(sitter)
    sitter.reader.run("window.went = 0; window.kept = [goOn, ask]; goOn = () => { went += 1; };" + STAYS)
    try:
        sitter.find("#advise").click()
        sitter.until("return document.querySelector('#counsel p')")
        assert "better stay" in sitter.find("#counsel").text
        sitter.find("#done").click()
        assert sitter.reader.run("return [asksOnce, went]") == [False, 1]
        # Of a piece alone it does not speak for the others.
        sitter.reader.run("leftBehind = ''")
        sitter.click_city(sitter.reader.run("return columnsIn(due()[0].data.marches[0].from)[0].from"))
        sitter.find("#advise").click()
        sitter.until("return document.querySelector('#counsel p')")
        sitter.find("#done").click()
        assert sitter.reader.run("return [asksOnce, went]") == [True, 1]
    finally:
        sitter.reader.run("[goOn, ask] = kept")


def test_marches_of_two_powers_are_one_question_and_advice_stays_with_its_own(sitter: Sitter, tmp_path: Path) -> None:
    play_now(sitter)
    assert sitter.find("#prompt").text.startswith("You lead France, Bavaria: click a piece")
    assert sitter.find("#turns").text == ""
    (tmp_path / "attacks.yaml").write_bytes(attacks())
    sitter.open(str(tmp_path / "attacks.yaml"))
    for start, end in (("Wels", "Linz"), ("Pisek", "Budweis")):
        sitter.click_city(start)
        sitter.click_city(end)
    sitter.find("#advise").click()
    sitter.until("return document.querySelector('#counsel p')")
    sitter.find("#turns button:last-child").click()
    assert sitter.find("#turns").text.replace("\n", " ") == "Next attack: question 2 of 2 ›"
    assert "which attack" in sitter.find("#prompt").text
    assert sitter.find("#counsel").text == ""
    sitter.find("#turns button:last-child").click()
    assert sitter.find("#turns").text.replace("\n", " ") == "March: question 1 of 2 ›"


def test_the_end_of_a_game_tells_who_has_won_and_why_and_leads_on(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "over.yaml").write_bytes(over())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "over.yaml"))
        told = sitter.find("#prompt").text
        assert told.startswith("You have lost.")
        assert "The winner is Maria Theresa: the last turn is over" in told
        assert sitter.reader.run(IN_SIGHT, "#prompt")
        assert sitter.reader.run(IN_SIGHT, "#again")
        sitter.tap(sitter.middle("#again"))
        sitter.until("return !sitting.over && state.asked.some(isMarch)")
        assert sitter.reader.run("return sitting.powers") == ["france", "bavaria"]
    finally:
        sitter.put_phone_away()


LAST = """
window.whole = ask;
ask = (...given) => {
  const found = whole(...given);
  if (found?.sitting) found.sitting.over = found.sitting.won = true;
  return found;
};
"""
"""Script after which all that is carried out ends the game."""


def test_the_battle_that_ends_a_game_is_shown_before_the_end(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.open(str(tmp_path / "duel.yaml"))
    sitter.reader.run(LAST)
    sitter.find("#choices .at-once .chips .pick").click()
    sitter.until("return asksOnce")
    sitter.find("#done").click()
    sitter.until("return sitting.over")
    assert "France stops" in sitter.find("#prompt").text
    assert not sitter.reader.driver.find_elements("css selector", "#next")
    sitter.find("#done").click()
    assert sitter.find("#prompt").text.startswith("You have won.")
    assert sitter.find("#again").is_displayed()
    assert not sitter.reader.driver.find_elements("css selector", "#done")
    sitter.reader.run("ask = whole")


RED = """
const red = getComputedStyle(document.documentElement).getPropertyValue('--red'), probe = document.createElement('i');
document.body.append(probe); probe.style.color = red;
const colour = getComputedStyle(probe).color; probe.remove();
return [...document.querySelectorAll('button:enabled')].filter((each) =>
  each.checkVisibility() && getComputedStyle(each).backgroundColor === colour).length;
"""
"""Number of buttons in the colour of the next step."""


@pytest.mark.parametrize("is_phone", [False, True])
def test_troops_of_the_winter_and_subsidies_are_decided_in_the_bar(
    sitter: Sitter, tmp_path: Path, is_phone: bool
) -> None:
    if is_phone:
        sitter.hold_phone()
    try:
        (tmp_path / "subsidy.yaml").write_bytes(subsidy())
        sitter.open(str(tmp_path / "subsidy.yaml"))
        assert sitter.find("#prompt .about").text.startswith("A subsidy is one card")
        assert "with “yes”" in sitter.find("#prompt").text
        sitter.reader.run("speak('de')")
        assert "Mit „ja“" in sitter.find("#prompt").text
        sitter.reader.run("speak('en')")
        assert sitter.reader.run(IN_SIGHT, "#choices .pick:last-child")
        (tmp_path / "winter.yaml").write_bytes(winter())
        sitter.open(str(tmp_path / "winter.yaml"))
        assert sitter.reader.run(IN_SIGHT, "#choices .take")
        assert sitter.reader.run(RED) == 1
        number = "return Number(document.querySelector('#choices input[type=number]').value)"
        scrolled_to(sitter, sitter.find("#choices [aria-label$='+1']")).click()
        assert sitter.reader.run(number) == 1
        assert not sitter.find("#choices .take").is_enabled()
        scrolled_to(sitter, sitter.find("#choices .card")).click()
        sitter.find("#choices .take").click()
        sitter.until("return 'france' in state.orders || state.text.includes('troops')")
    finally:
        if is_phone:
            sitter.put_phone_away()


def test_before_the_marches_of_a_stage_a_piece_tells_that_they_follow(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "subsidy.yaml").write_bytes(subsidy())
    sitter.open(str(tmp_path / "subsidy.yaml"))
    city = "return state.pieces.find((piece) => piece.power === arguments[0] && piece.city).city"
    own, other = (sitter.reader.run(city, power) for power in ("bavaria", "austria"))
    for answered in (False, True):
        if answered:
            sitter.find("#choices .pick").click()
            sitter.until("return !due().length")
            assert "Your marches follow in this stage: press “Done” first." in sitter.find("#prompt").text
        sitter.click_city(own)
        assert "Your marches follow in this stage" in sitter.find("#chosen").text
        sitter.click_city(other)
        assert "Reach" in sitter.find("#chosen").text
        assert "Your marches" not in sitter.find("#chosen").text
    sitter.find("#done").click()
    sitter.until("return due().some(isMarch)")
    sitter.click_city(other)
    assert "Your marches" not in sitter.find("#chosen").text


STACK = """game: friedrich
turn: 4
stage: prussia
phase: movement
pieces:
  Schwerin: Waldenburg, 4
  Keith: Waldenburg, 4
"""

REFUSED = "pbem: 1\nkind: orders\norders:\n  prussia:\n    transfer:\n      - {Schwerin: 1, Keith: 1}\n"


def test_troops_are_dealt_anew_from_as_they_are_and_a_refused_order_is_taken_away(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "stack.yaml").write_text(STACK)
    sitter.open(str(tmp_path / "stack.yaml"))
    form = "#asked .asked[data-section=transfer][data-power=prussia]"
    sitter.find("#anytime summary").click()
    assert [each.get_property("value") for each in sitter.reader.driver.find_elements("css selector", f"{form} input")][
        :2
    ] == ["4", "4"]
    sitter.reader.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", form)
    fewer = sitter.find(f"{form} [aria-label$='−1']")
    fewer.click()
    assert not sitter.find(f"{form} .take").is_enabled()
    sitter.find(f"{form} .number:nth-child(2) [aria-label$='+1']").click()
    sitter.find(f"{form} .take").click()
    assert yaml.safe_load(sitter.text())["orders"] == {"prussia": {"transfer": [{"Schwerin": 3, "Keith": 5}]}}
    sitter.find("#undo").click()
    sitter.hold_phone()
    try:
        sitter.type(REFUSED)
        sitter.until("return Boolean(document.getElementById('mend'))")
        stage = sitter.reader.run("return sitting.stage")
        sitter.tap(sitter.middle("#done"))
        sitter.until("return document.getElementById('notice').textContent.includes('cannot be carried out')")
        assert "8 troops" in sitter.find("#wrong").text
        assert sitter.reader.run(IN_SIGHT, "#mend")
        sitter.tap(sitter.middle("#mend"))
        sitter.until("return !state.faults.length")
        assert "transfer" not in sitter.text()
        assert sitter.find("#notice").text == ""
        assert sitter.reader.run("return sitting.stage") == stage
    finally:
        sitter.put_phone_away()


def test_a_card_that_is_played_by_itself_is_told_where_the_question_stood(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_bytes(battlefield("maria", 0, (), ()))
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "one.yaml"))
        # The battle ends the stage of whoever has no march before him.
        assert sitter.reader.run("state.asked = []; tellBar(); return state.given.length")
        # Who holds no card for a battle is told how it ends by that.
        told = sitter.find("#prompt").text
        lacking = "You hold no card of the suit (♦) and no Reserve: the battle ends at 0, and nobody loses troops."
        assert told.startswith(f"Battle of Cracow. {lacking}")
        assert "must stop" not in told
        lost = "return stopTold({ suit: '♦', score: 3, troops: 2 }).textContent"
        assert sitter.reader.run(lost).endswith("the battle is lost by 3. Troops lost: 2.")
        # Once the battle is over, its account tells the losses, and cards have been drawn since.
        over = "return sentencesOf({ told: [], stopped: { suit: '♦', score: 3, troops: 2 } })[0].textContent"
        assert sitter.reader.run(over) == "At the end of the battle you held no card of the suit (♦) and no Reserve."
        sitter.reader.run("state.given[0].stopped = null; tellBar()")
        told = sitter.find("#prompt").text
        assert "must stop" in told
        assert sitter.reader.run("return wordsOf(['♠12/2'], calledCard)") == "♠12"
        assert told.startswith("Only one answer was possible")
        assert sitter.find("#given").text == ""
        # A card that had to be played ends no battle.
        assert "The battle goes on" not in told
        sitter.reader.run("state.given[0].plays_on = true; tellBar()")
        assert "The battle goes on: press Done." in sitter.find("#prompt").text
    finally:
        sitter.put_phone_away()


def test_done_says_what_an_unpaid_toll_lacks(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "toll.yaml").write_bytes(toll())
    sitter.open(str(tmp_path / "toll.yaml"))
    sitter.find("#done").click()
    told = sitter.find("#notice").text
    assert "missing" in told
    assert "paid: 0" in told
    assert sitter.reader.run(IN_SIGHT, "#notice .warning")


LIES_OVER = """
const tip = board.tip.getBoundingClientRect(), mine = board.tokensIn(arguments[0]).length;
const tokens = [...board.over.querySelectorAll(':scope > [data-city]')];
const own = tokens.filter((each) => each.dataset.city === arguments[0]);
return [mine === own.length && mine > 0, own.some((each) => { const box = each.getBoundingClientRect();
  return box.left < tip.right && box.right > tip.left && box.top < tip.bottom && box.bottom > tip.top; })];
"""


def test_ones_own_fortress_tells_who_protects_it_and_to_whom_it_could_fall(sitter: Sitter) -> None:
    play_now(sitter)
    chosen = place_of(sitter, "Broglie")
    sitter.click_city(chosen)
    for city in sitter.reader.run(
        "return Object.entries(state.fortresses).filter(([, fort]) => sitting.powers.includes(fort.holder)"
        " && fort.guards.length && fort.takers.length).map(([city]) => city)"
    ):
        sitter.reader.run("hoverCity(arguments[0])", city)
        told, high = sitter.reader.run(
            "const last = board.tip.lastElementChild; return [last.textContent,"
            " last.offsetHeight / parseFloat(getComputedStyle(last).lineHeight)]"
        )
        assert told.startswith("Protected by ")
        assert "takes it: Austria" in told
        assert "First march" not in told
        assert high < 4.2, told
        is_there, is_covered = sitter.reader.run(LIES_OVER, chosen)
        assert is_there
        assert not is_covered, city


def test_on_a_phone_the_button_of_an_advice_is_in_sight_at_its_own_place(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "starving.yaml").write_bytes(starving())
    sitter.open(str(tmp_path / "starving.yaml"))
    sitter.hold_phone()
    try:
        sitter.tap(sitter.middle("#advise"))
        sitter.until("return document.querySelector('#counsel p')")
        # However long the reasons are, and whatever being out of supply costs.
        assert "loses 1\N{NO-BREAK SPACE}troop" in sitter.reader.run("return counsel.costs")
        place = sitter.middle("#follow")
        assert sitter.reader.run("return document.elementFromPoint(...arguments).id", *place) == "follow"
        sitter.reader.run("counsel.costs = counsel.why[0] = ''; tellCounsel()")
        assert sitter.middle("#follow") == place
        sitter.tap(place)
        assert "Belle-Isle" in sitter.text()
        # The next piece is advised on, at the same place.
        sitter.until("return document.querySelector('#counsel p')")
        assert sitter.middle("#follow") == place
        assert "Belle-Isle" not in sitter.find("#counsel").text
        # Who asks for it then keeps it, and puts it away by the next tap.
        for is_there in (True, False):
            sitter.tap(sitter.middle("#advise"))
            sitter.until("return !document.getElementById('advise').disabled")
            assert sitter.find("#counsel").is_displayed() is is_there
        # What it costs stands with the piece, and where nothing more is asked.
        city = place_of(sitter, "Belle-Isle")
        sitter.reader.run("clickCity(null); clickCity(arguments[0])", city)
        assert "If it lasts, a turn later" in sitter.find("#chosen").text
    finally:
        sitter.put_phone_away()


NEWS = """
const own = sitting.powers, none = { is_new: true, marched: [], fought: [], told: [] };
sitting.steps = [[], own, []].map((lost) => ({ ...none, concerns: own, lost }));
isOffered = false;
awaitSteps(null);
"""
"""Three new steps, of which the second tells a loss."""

FOUGHT = """
const told = [{ type: 'paragraph', lines: [[{ type: 'text', text: 'Austria wins.' }]] }];
sitting.steps = sitting.steps.map((step) => ({ ...step, is_new: true }));
sitting.steps[0] = { ...sitting.steps[0], told, fought: sitting.powers };
const came = whatCame(due());
return [came[0].classList.contains('loss'), came.some((each) => each.textContent.includes('Austria wins'))];
"""
"""The first step tells a battle of the player's, too."""

LATER = """
sitting.steps = sitting.steps.map((step, at) => ({ ...step, is_new: at === 2 }));
awaitSteps(null, true);
return newSteps();
"""
"""The game goes on, and the third step alone is new then."""


def test_steps_that_a_battle_came_between_still_wait_and_a_loss_is_told_first(sitter: Sitter) -> None:
    play_now(sitter)
    sitter.reader.run(NEWS)
    # The player was asked in a battle only: nothing was passed over.
    assert sitter.reader.run(LATER) == [0, 1, 2]
    assert sitter.reader.run("return whatCame(due())[0].classList.contains('loss')")
    # A battle that was fought besides is told as well.
    assert sitter.reader.run(FOUGHT) == [True, True]
    # A question outside of a battle stood beside them.
    assert sitter.reader.run(LATER) == [2]
    sitter.reader.run("safe = true; home()")


MARCHES = """
const others = state.pieces.find((piece) => !sitting.powers.includes(piece.power)).power;
const told = (text) => [{ type: 'paragraph', lines: [[{ type: 'text', text }]] }];
const step = (text, marched) => (
  { title: '', lost: [], told: told(text), is_new: true, fought: [], turns: false, concerns: sitting.powers, marched });
sitting.steps = [...[1, 2, 3].map((number) => step(`March ${number}.`, [others])), step('A fortress falls.', [])];
awaitSteps(null);
tellBar();
return document.getElementById('came').textContent;
"""
"""Three marches of others, and then something else."""


def test_on_a_phone_marches_of_others_are_told_by_one_tap(sitter: Sitter) -> None:
    sitter.hold_phone(390, 844)
    try:
        play_now(sitter)
        told = sitter.reader.run(MARCHES)
        assert "A fortress falls." in told
        assert "March 1." not in told
        assert sitter.find("#marches").text == "Marches of others: 3. Show them"
        sitter.find("#marches").click()
        assert "March 1." in sitter.find("#came").text
        sitter.put_phone_away()
        assert "March 1." in sitter.reader.run(MARCHES)
    finally:
        sitter.put_phone_away()
        sitter.reader.run("safe = true; home()")


SCROLLS = """
const wide = (each) => each.offsetWidth - each.clientWidth - 2 * each.clientLeft;
return ['.telling', '.map', '#side', '#choices .prints'].map((way) => document.querySelector(way)).filter(Boolean)
  .map((each) => getComputedStyle(each).scrollbarWidth + wide(each));
"""
"""Bars to scroll by, and the room that they take."""


def test_on_a_phone_no_bar_to_scroll_by_covers_anything_and_a_hand_is_seen_whole(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "toll.yaml").write_bytes(toll())
    sitter.open(str(tmp_path / "toll.yaml"))
    sitter.hold_phone()
    try:
        assert {*sitter.reader.run(SCROLLS)} == {"none0"}
        sitter.until("return document.getElementById('bar').getAnimations().length === 0")
        sitter.tap(sitter.middle("#cards"))
        if not sitter.find("#hands").is_displayed():
            sitter.tap(sitter.middle("#cards"))
        sitter.until("return !document.getElementById('hands').hidden")
        row = "const row = document.querySelector('#hands p'); return row.scrollWidth - row.clientWidth"
        assert sitter.reader.run(row) <= 0
    finally:
        sitter.put_phone_away()


def test_a_piece_that_is_named_is_brought_into_the_middle(sitter: Sitter) -> None:
    play_now(sitter)
    sitter.hold_phone()
    try:
        for piece in ("Broglie", "Belle-Isle"):
            sitter.reader.run("board.show([...board.spots.keys()].slice(0, 2)); showPiece(arguments[0])", piece)
            x, y = sitter.at(place_of(sitter, piece))
            assert abs(x - 180) < 3
            assert 100 < y < 400
    finally:
        sitter.put_phone_away()
        sitter.reader.run("safe = true; home()")


def test_a_lesson_that_is_over_asks_nothing_but_what_comes_next(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run("learn('maria', 'fortress')")
    assert sitter.reader.run("return [0, 1, 2].map((at) => numberOf(['play', 'win', 'retreat'], at))") == [1, 1, 2]
    sitter.hold_phone()
    try:
        sitter.find("#advise").click()
        sitter.until("return Boolean(counsel)")
        sitter.reader.run("answer(counsel.asked, treeOf(counsel)); goOn()")
        sitter.until("return document.getElementById('coach').dataset.told.endsWith('end')")
        assert not any(sitter.find(way).is_displayed() for way in ("#prompt", "#choices", "#came", "#done", "#advise"))
        assert sitter.find("#coach .take").is_displayed()
    finally:
        sitter.put_phone_away()
        sitter.home()


def test_the_tracks_are_one_tap_from_a_question_of_politics_and_in_the_sheet(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "influence.yaml").write_bytes(influence())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "influence.yaml"))
        sitter.find("#tracks-here").click()
        shown = sitter.find("#display")
        tracks = sitter.reader.run(
            "const tracks = [...document.querySelectorAll('#display .track')];"
            "return tracks.map((track) => ['li', 'li.here'].map((way) => track.querySelectorAll(way).length))"
        )
        assert tracks == [[5, 1], [5, 1], [5, 1]]
        # Every shift of an open card is told with its card, and marked in the box to which it leads.
        told = sitter.reader.run(
            "return display.tracks.flatMap((track) => track.moves.map((move) => [move.title, move.says]))"
        )
        assert told
        assert all(title in shown.text and says.replace("\xa0", " ") in shown.text for title, says in told)
        assert sitter.reader.run("return document.querySelectorAll('#display .brings').length") == len(told)
        # It hides no button, and no word is cut off at its side.
        wide, room, bottom, bar = sitter.reader.run(
            "const made = document.getElementById('display'), box = made.getBoundingClientRect();"
            "const bar = document.getElementById('bar').getBoundingClientRect();"
            "return [made.scrollWidth, made.clientWidth, box.bottom, bar.top]"
        )
        assert wide <= room
        assert bottom <= bar + 1
        sitter.find("#display .close").click()
        assert not sitter.reader.run("return document.getElementById('display')")
        sitter.raise_sheet()
        sitter.find("#tracks-show").click()
        assert sitter.find("#display").is_displayed()
        # A lesson, in whose place the question stands, has them as well.
        sitter.reader.run("learn('maria', 'politics')")
        sitter.find("#tracks-taught").click()
        assert sitter.find("#display").is_displayed()
    finally:
        sitter.put_phone_away()


def test_the_tracks_stand_as_after_ones_own_political_card(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "politics.yaml").write_bytes(politics())
    sitter.open(str(tmp_path / "politics.yaml"))
    here = "return [...document.querySelectorAll('#display .here b')].map((each) => each.textContent)"
    sitter.find("#tracks-show").click()
    before = sitter.reader.run(here)
    assert before
    card = "[...document.querySelectorAll('#choices .printed')].find((each) => each.textContent.includes('Italy'))"
    sitter.reader.run(f"{card}.click()")
    # The tracks that are shown follow, and so do those that are shown later.
    after = sitter.reader.run(here)
    assert len(after) == len(before)
    assert after != before
    sitter.find("#display .close").click()
    sitter.find("#tracks-show").click()
    assert sitter.reader.run(here) == after
    sitter.find("#undo").click()
    assert sitter.reader.run(here) == before


def test_on_a_phone_a_forced_march_is_explained_beside_the_piece(sitter: Sitter) -> None:
    play_now(sitter)
    sitter.hold_phone()
    try:
        sitter.find("#done").click()
        sitter.reader.run(
            "[...document.querySelectorAll('#prompt .piece')]"
            ".find((each) => each.textContent.startsWith('Broglie')).click()"
        )
        # The name of a piece without orders chooses it.
        assert sitter.reader.run("return chosen.pieces") == ["Broglie"]
        assert sitter.reader.run("return chosen.to.some((end) => end.forced)")
        assert sitter.reader.run("return say('forced-is')") in sitter.find("#chosen").text
    finally:
        sitter.put_phone_away()
        sitter.reader.run("safe = true; home()")


def test_beside_an_old_step_nothing_is_left_to_order_and_done_does_not_stand_out(sitter: Sitter) -> None:
    play_now(sitter)
    sitter.reader.run("leafing.go(0)")
    assert not sitter.find("#left").is_displayed()
    assert sitter.find("#cards").text == "Cards", "their number is that of now"
    paper = sitter.reader.run("return getComputedStyle(document.getElementById('cards')).backgroundColor")
    assert sitter.reader.run("return getComputedStyle(document.getElementById('done')).backgroundColor") == paper
    sitter.reader.run("backToNow()")
    assert sitter.find("#left").is_displayed()


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (("♦5", "♦2", "♠7", "R"), ""),
        (("♦5", "♠7", "R"), "Your last card of ♦."),
        (("♠7", "R"), "Your last card for ♦."),
        (("♠7", "R", "R"), ""),
    ],
)
def test_beside_the_last_card_for_the_suit_of_a_battle_stands_that_it_is_the_last(
    sitter: Sitter, tmp_path: Path, cards: tuple[str, ...], told: str
) -> None:
    (tmp_path / "battle.yaml").write_bytes(battlefield("maria", cards=cards))
    for hold in (sitter.put_phone_away, sitter.hold_phone):
        hold()
        try:
            sitter.open(str(tmp_path / "battle.yaml"))
            said = [each.text for each in sitter.reader.driver.find_elements("css selector", "#choices .last-card")]
            assert said == [told] * bool(told)
            if told:
                beside = "return document.querySelector('.last-card').previousSibling.textContent"
                assert ("♦5" in sitter.reader.run(beside)) is ("♦5" in cards)
        finally:
            sitter.put_phone_away()


def test_done_before_a_card_is_chosen_says_so_and_moves_no_card(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    top = "return document.querySelector('#choices .pick.card').getBoundingClientRect().top"
    for hold in (sitter.put_phone_away, sitter.hold_phone):
        hold()
        try:
            sitter.open(str(tmp_path / "duel.yaml"))
            before = sitter.reader.run(top)
            sitter.find("#done").click()
            sitter.until("return Boolean(document.querySelector('#bar .missing'))")
            sleep(0.3)
            assert sitter.reader.run(top) == before
            assert "one of the answers" in sitter.find("#bar .missing").text
        finally:
            sitter.put_phone_away()


def test_an_end_of_a_retreat_tells_what_it_means_before_it_counts(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "retreat.yaml").write_bytes(retreat())
    for hold in (sitter.put_phone_away, sitter.hold_phone):
        hold()
        try:
            sitter.open(str(tmp_path / "retreat.yaml"))
            before, ends = sitter.text(), sitter.reader.run("return due()[0].ends")
            first, second = sitter.reader.run("return [...active.cities.keys()].slice(0, 2)")
            for end in (first, second):
                sitter.click_city(end)
                assert sitter.find("#choices .does").text.endswith(" ".join(ends[end]).replace("\xa0", " "))
                assert sitter.text() == before
                assert sitter.reader.run("return board.run.at(-1)") == end
            stage = sitter.reader.run("return sitting")["steps"]
            sitter.find("#choices .take").click()
            sitter.until(f"return sitting.steps.length > {len(stage)}")
        finally:
            sitter.put_phone_away()


def test_to_stop_a_battle_at_a_loss_is_asked_about_once(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.open(str(tmp_path / "duel.yaml"))
    sitter.reader.run("window.before = sitting")
    sitter.press("play no more\n→ −3 troops (all), lost: Broglie")
    told = sitter.find("#prompt").text
    assert told.startswith("If you stop now, you lose by 5:")
    assert "Broglie loses 3 troops" in told
    assert sitter.find("#done").text == "Play no more"
    # No card of the hand, and none that was played, stands below the question.
    assert not any(sitter.find(way).text for way in ("#given", "#hands"))
    assert not sitter.reader.driver.find_elements("css selector", "#choices .pick")
    sitter.find("#stay").click()
    assert len(sitter.reader.driver.find_elements("css selector", "#choices .card")) == 6
    sitter.press("play no more\n→ −3 troops (all), lost: Broglie")
    assert sitter.reader.run("return sitting === before")
    sitter.find("#stay").click()
    # Who follows the advice to stop is asked in the same way.
    sitter.reader.run(
        "window.truly = ask; const { power, form } = due()[0];"
        "ask = (what, ...rest) => what === 'advise'"
        "  ? [{ power, sections: { [form.section]: ['stop'] }, why: [], starves: [] }] : truly(what, ...rest);"
    )
    try:
        sitter.find("#advise").click()
        sitter.until("return Boolean(document.getElementById('follow'))")
    finally:
        sitter.reader.run("ask = truly")
    sitter.find("#follow").click()
    assert sitter.find("#prompt").text.startswith("If you stop now, you lose by 5:")
    assert sitter.reader.run("return sitting === before")
    sitter.find("#done").click()
    sitter.until("return sitting !== before")


def test_on_a_phone_advice_in_a_battle_tells_the_score_that_it_hides(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.hold_phone(390, 844)
    try:
        sitter.open(str(tmp_path / "duel.yaml"))
        score = sitter.find("#choices .score output").text
        sitter.tap(sitter.middle("#advise"))
        sitter.until("return document.querySelector('#counsel p')")
        assert sitter.find("#counsel .score-told").text == f"Score: {score}"
    finally:
        sitter.put_phone_away()


OVERPAID = """
document.querySelectorAll('#choices .number button')[1].click();
for (const field of [...document.querySelectorAll('#choices .form .card input')].slice(0, 2)) field.click();
"""
"""One troop, and a card too many for it."""

SHADE = """
const shade = getComputedStyle(document.querySelector('#bar > .head'), '::before');
const box = (way) => document.querySelector(way).getBoundingClientRect();
const cost = box('#choices .balance'), bar = box('#bar .telling');
return [shade.content, shade.backgroundImage, cost.bottom <= bar.bottom, cost.right <= bar.right - 20];
"""
"""The shade that tells of more, and if the cost ends above it and beside its sign."""


def test_on_a_phone_no_shade_lies_over_a_cost(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "winter.yaml").write_bytes(winter())
    sitter.hold_phone(390, 844)
    try:
        sitter.open(str(tmp_path / "winter.yaml"))
        sitter.reader.run(OVERPAID)
        assert "no change is given" in sitter.find("#choices .balance").text
        sitter.until("return document.querySelector('#bar.goes-down')")
        assert sitter.reader.run(SHADE) == ['"…"', "none", True, True]
    finally:
        sitter.put_phone_away()


CUT = """
const title = document.querySelector('#bar h1'), [stop] = document.querySelectorAll('#choices .chips .pick');
const text = document.createRange();
const boxes = (element) => { text.selectNodeContents(element); return [...text.getClientRects()]; };
const lines = (element) => new Set(boxes(element).map(({ top }) => top)).size;
const is_cut = title.scrollWidth > title.clientWidth || title.scrollHeight > title.clientHeight + 1;
return [is_cut, stop ? lines(stop.querySelector('span')) : 0];
"""
"""Tells if the title of the stage is cut, and the number of lines of the word that stops a battle."""


@pytest.mark.parametrize("position", [winter, duel])
def test_on_a_phone_the_stage_is_told_whole_and_to_stop_a_battle_takes_two_lines(
    sitter: Sitter, tmp_path: Path, position: Callable[[], bytes]
) -> None:
    (tmp_path / "game.yaml").write_bytes(position())
    sitter.hold_phone(390, 844)
    try:
        sitter.open(str(tmp_path / "game.yaml"))
        for language in ("en", "de", "es", "it"):
            sitter.reader.run("speak(arguments[0])", language)
            is_cut, lines = sitter.reader.run(CUT)
            assert not is_cut, language
            assert lines <= 2, language
    finally:
        sitter.reader.run("speak('en')")
        sitter.put_phone_away()


TEXTS = """
const texts = [...document.querySelectorAll('#choices :is(.plays, .fought, .would), #came, #hands')];
return texts.map((each) => each.getBoundingClientRect()).filter(({ height }) => height)
  .map(({ top, bottom }) => [top, bottom]).sort(([one], [other]) => one - other);
"""


def test_beside_advice_and_an_open_reserve_no_text_of_a_battle_lies_over_another(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.reader.look(1366, 768)
    sitter.open(str(tmp_path / "duel.yaml"))
    sitter.find("#advise").click()
    sitter.until("return document.querySelector('#counsel p')")
    sitter.reader.driver.find_elements("css selector", "#choices .card.reserve")[-1].click()
    assert sitter.find("#choices .values:not([hidden]) .pick").is_displayed()
    texts = sitter.reader.run(TEXTS)
    sitter.reader.look()
    assert len(texts) == 5
    assert all(bottom <= top for (_, bottom), (top, _) in pairwise(texts)), texts


def test_the_way_to_the_start_page_stands_apart_from_the_ways_back(counting: Sitter) -> None:
    row = counting.reader.run("return [...document.querySelector('#undo').parentNode.children].map((each) => each.id)")
    assert row[:2] == ["undo", "redo"]
    assert "another" not in row
    assert counting.find("#another").is_displayed()


def test_beyond_the_result_of_a_battle_the_others_move_where_nothing_is_asked(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "retreat.yaml").write_bytes(forced_retreat())
    sitter.open(str(tmp_path / "retreat.yaml"))
    sitter.reader.run("window.went = 0; window.truly = goOn; goOn = () => { went += 1; }")
    try:
        for asked, went in (("state.asked", 0), ("[]", 1)):
            sitter.reader.run(f"state.asked = {asked}; ended = [sitting.steps.at(-1)]; tellBar()")
            # The answer that alone was possible is told beside the result.
            assert "It ends in Utrecht" in sitter.find("#given").text
            assert sitter.find("#done").text == "Go on"
            sitter.find("#done").click()
            assert sitter.reader.run("return went") == went
    finally:
        sitter.reader.run("goOn = truly")


def test_a_card_that_alone_can_be_played_needs_no_press(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "retreat.yaml").write_bytes(forced_retreat())
    sitter.open(str(tmp_path / "retreat.yaml"))
    for plays_on, times in ((False, 1), (True, 2)):
        found = sitter.reader.run(
            "const truly = ask, steps = sitting.steps.map((each) => ({ ...each, is_new: false }));"
            "const given = [{ ...state.given[0], plays_on: arguments[0] }];"
            "const once = { sitting: { ...sitting, steps }, state: { ...state, asked: [], given } };"
            "let times = 0;"
            "ask = (name, ...more) => name !== 'go_on' ? truly(name, ...more) : ++times < 2 ? once"
            " : { ...once, state: { ...once.state, given: [] } };"
            "try { carryOut(); } finally { ask = truly; } return times;",
            plays_on,
        )
        assert found == times
