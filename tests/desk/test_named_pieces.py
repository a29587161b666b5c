"""Names of pieces in the bar, run by Node without a browser: their signs, and the click that shows where they stand."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest
import yaml

from pbem.desk.runtime import program_named
from pbem.resources import resource

PAGE = """
const vm = require("node:vm"), acts = [], scripts = JSON.parse(process.argv[1]);
const pieces = [["Heinrich", "general", "prussia", 3, "Breslau"], ["prussia train 1", "train", "prussia", 1, "Glogau"]];
const state = {pieces: pieces.map(([name, kind, power, rank, city]) => ({name, kind, power, rank, city}))};
const noted = (name) => (...given) => { acts.push([name, ...given]); };
const board = {letters: {prussia: "P"}, bring: noted("bring"), mark: noted("mark")};
const page = {state, board, lower: noted("lower"), h: (tag, given, ...within) => ({tag, ...given, within}),
  called: (name) => ({"prussia train 1": "Prussia's train 1"})[name] ?? name};
vm.createContext(page);
vm.runInContext(scripts, page);
const made = vm.runInContext("piecesNamed(['Heinrich', 'prussia train 1', 'Schwerin'])", page);
for (const each of made) each.onclick?.();
console.log(JSON.stringify({told: made.map((each) => each.within ?? each), acts}));
"""
"""The scripts of forms, with stand-ins for the page, and the names of two pieces on the board and of one beside it."""


def named() -> Any:
    """Texts of the pieces, and acts of a click on each of them."""
    scripts = (resource("templates") / "desk/forms.js").read_text("utf-8")
    done = subprocess.run(
        [*program_named("node"), "-e", PAGE, json.dumps(scripts)], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(not shutil.which("node"), reason="this machine has no node")
def test_a_general_has_the_sign_of_the_board_and_a_click_shows_where_a_piece_stands() -> None:
    found = named()
    assert found["told"] == ["", ["Heinrich (P3)"], ", ", ["Prussia's train 1"], ", ", ["Schwerin"]]
    # The sheet of a phone goes down first, the city comes to the middle; a piece off the board is shown nowhere.
    shown = [[["lower"], ["bring", [city], True], ["mark", city, []]] for city in ("Breslau", "Glogau")]
    assert found["acts"] == [*shown[0], *shown[1]]


SHUT = """
const vm = require("node:vm"), scripts = JSON.parse(process.argv[1]);
const page = {state: {fortresses: {}, pieces: []}, sitting: {powers: []}, chosen: null, say: (key) => key,
  called: (name) => name, suited: (text) => text, isNarrow: () => false,
  board: {spots: new Map(), standing: () => []}};
vm.createContext(page);
vm.runInContext(scripts, page);
const march = {from: "Kolin", power: "prussia", pieces: ["Heinrich"], to: [{city: "Prag"}],
  blocked: {Brünn: ["Keith"]}};
const wide = [page.factsOf(march), page.factsOf({...march, blocked: {}})];
page.isNarrow = () => true;
console.log(JSON.stringify([...wide, page.factsOf(march), page.factsOf({...march, to: []})]));
"""
"""The scripts of marches, with stand-ins for the page, and a general who reaches one city, with and without one in his
way; then the same on a phone, where he also reaches none."""


@pytest.mark.skipif(not shutil.which("node"), reason="this machine has no node")
def test_who_stands_in_the_way_of_a_general_is_told_also_if_he_can_march() -> None:
    scripts = (resource("templates") / "desk/marching.js").read_text("utf-8")
    done = subprocess.run(
        [*program_named("node"), "-e", SHUT, json.dumps(scripts)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [["in-way Keith (Brünn)"], [], [], ["in-way Keith (Brünn)"]]


NO = """
const vm = require("node:vm"), scripts = JSON.parse(process.argv[1]), nothing = () => {};
const page = {state: {orders: {}}, called: (name) => name, suited: (text) => text, store: nothing,
  show: nothing, attempt: () => ({asked: []}), atTable: () => false, cardOf: () => false, isMarch: () => false,
  language: "en", sitting: {kind: "report", power_names: {france: "France"}, sections: {subsidy: "subsidy"}}};
vm.createContext(page);
vm.runInContext(scripts, page);
const asked = {power: "france", form: {section: "subsidy", input: {kind: "choice"}}, data: {}, words: {}, printed: []};
page.asked = asked;
console.log(JSON.stringify(vm.runInContext("tellBar = lower = () => {}; answer(asked, 'no'); answered", page)));
"""
"""The scripts of the bar, with stand-ins for the page, and a question that is answered with no."""


@pytest.mark.skipif(not shutil.which("node"), reason="this machine has no node")
def test_a_question_that_is_answered_with_no_is_told_with_its_name() -> None:
    scripts = "".join((resource("templates") / f"desk/{name}.js").read_text("utf-8") for name in ("forms", "bar"))
    done = subprocess.run(
        [*program_named("node"), "-e", NO, json.dumps(scripts)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == "France, subsidy: no"


MEANT = """
const vm = require("node:vm"), scripts = JSON.parse(process.argv[1]);
const page = {state: {pieces: [{name: "Schwerin", city: "Kolin"}]}, board: {spots: new Map()}};
for (const city of ["Schwerin", "Berlin", "Kolin"]) page.board.spots.set(city, {});
vm.createContext(page);
vm.runInContext(scripts, page);
const general = {data: {generals: ["Schwerin", "Keith"]}}, other = {data: {}};
const asked = [[other, {troops: {Schwerin: 2, Keith: 1}, enter: {Keith: "Berlin"}, pay: ["7"]}], [general, "Schwerin"],
  [other, "Schwerin"], [other, ["Berlin", "Schwerin"]], [other, undefined], [other, "none"]];
console.log(JSON.stringify(asked.map(([asked, tree]) => page.citiesOf(asked, tree))));
"""
"""The scripts of the bar, with stand-ins for the page, and answers that name the general Schwerin, or the town."""


@pytest.mark.skipif(not shutil.which("node"), reason="this machine has no node")
def test_advice_rings_the_city_where_a_general_stands_who_is_called_as_a_town() -> None:
    scripts = "".join((resource("templates") / f"desk/{name}.js").read_text("utf-8") for name in ("forms", "bar"))
    done = subprocess.run(
        [*program_named("node"), "-e", MEANT, json.dumps(scripts)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [["Kolin", "Berlin"], ["Kolin"], ["Schwerin"], ["Berlin", "Schwerin"], [], []]


RINGED = """
const vm = require("node:vm"), scripts = JSON.parse(process.argv[1]), given = [];
const element = (tag, given, ...within) => ({tag, ...given, within, addEventListener() {}, replaceChildren() {},
  dispatchEvent() {}});
const standing = {Schwerin: "Kolin", Heinrich: "Kolin", Keith: "Breslau"}, nothing = () => {};
const page = {state: {hands: {hands: {}}, pieces: Object.entries(standing).map(([name, city]) => ({name, city}))},
  h: element, say: (key) => key, fill: (key) => key, called: (name) => name, suited: (text) => text,
  calledCity: (city) => city, atTable: () => false, learning: null, language: "en", WORDS: {en: {}}, ask: nothing,
  nextAlone: nothing, markPlaces: nothing, Event: class {}, board: {letters: {}}};
vm.createContext(page);
vm.runInContext(scripts, page);
const choice = (names) => ({kind: "choice", options: names.map((write) => ({write}))});
const asked = (names, data, input = choice(names)) => ({power: "prussia", form: {section: "gain", input}, data,
  words: {}, printed: [], ends: {}});
const names = ["Schwerin", "Keith"], corps = {kind: "record", parts: {general: {input: choice(names)}}};
const formsOf = [asked(names, {generals: names}), asked([...names, "Heinrich"], {generals: [...names, "Heinrich"]}),
  asked(["Schwerin", "Berlin"], {}), asked(names, {generals: names}, corps)]
  .map((each) => page.formOf(each, (tree) => given.push(tree), nothing).made);
formsOf[0].cities.get("Kolin")();
console.log(JSON.stringify({given, ringed: formsOf.map(({cities, sight}) => [[...cities.keys()],
  sight?.map(({city}) => city)])}));
"""
"""The scripts of forms, with stand-ins for the page, and questions for a general, or for a town, called Schwerin."""


@pytest.mark.skipif(not shutil.which("node"), reason="this machine has no node")
def test_a_field_for_a_general_rings_where_he_stands_and_not_the_town_of_his_name() -> None:
    scripts = "".join((resource("templates") / f"desk/{name}.js").read_text("utf-8") for name in ("cards", "forms"))
    done = subprocess.run(
        [*program_named("node"), "-e", RINGED, json.dumps(scripts)], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    # Of two generals in one city a click means none: their buttons tell them apart.
    assert found["ringed"] == [
        [["Kolin", "Breslau"], ["Kolin", "Breslau"]],
        [["Breslau"], ["Kolin", "Breslau"]],
        [["Schwerin", "Berlin"], ["Schwerin", "Berlin"]],
        [["Kolin", "Breslau"], None],
    ]
    assert found["given"] == ["Schwerin"]


HIDDEN = """
const vm = require("node:vm"), scripts = JSON.parse(process.argv[1]), shown = [];
const page = {state: {told: [], hidden: true}, h: (tag, given, ...within) => within, say: (key) => key,
  unaskedWord: () => "hidden-all", isNarrow: () => false,
  document: {getElementById: () => ({replaceChildren: (...all) => shown.push(...all)})}};
vm.createContext(page);
vm.runInContext(scripts, page);
page.tellOutcome();
console.log(JSON.stringify(shown));
"""
"""The scripts of letters, with stand-ins for the page, when nothing more is asked and what comes is hidden."""


@pytest.mark.skipif(not shutil.which("node"), reason="this machine has no node")
def test_beside_a_letter_no_other_piece_is_offered_orders_if_none_can_get_them() -> None:
    scripts = (resource("templates") / "desk/drafts.js").read_text("utf-8")
    done = subprocess.run(
        [*program_named("node"), "-e", HIDDEN, json.dumps(scripts)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [["hidden-all"]]


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_no_heading_stands_twice_over_what_orders_do(language: str) -> None:
    folder = resource("templates") / language
    heading = yaml.safe_load((folder / "desk.yaml").read_text("utf-8"))["outcome"]
    assert f"heading() %}}{heading}{{%" not in (folder / "consequences_words.txt.j2").read_text("utf-8")
