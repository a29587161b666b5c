"""Hussars at the desk: the page names which one goes where, and rings all cities that are chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desk.fields import hussars
from tests.desk.sitting import Sitter

RINGS = """
const spots = [...document.querySelectorAll('.sheet .marks circle.chosen')];
const at = (each) => [Number(each.getAttribute('cx')), Number(each.getAttribute('cy'))].join();
const found = [...board.spots.values()].filter((spot) => spots.some((each) => at(each) === [spot.x, spot.y].join()));
return found.map((spot) => spot.city).sort();
"""


@pytest.mark.parametrize("narrow", [True, False], ids=["phone", "wide"])
def test_each_hussar_is_named_with_its_city_and_both_cities_are_ringed(
    sitter: Sitter, tmp_path: Path, *, narrow: bool
) -> None:
    (tmp_path / "hussars.yaml").write_bytes(hussars())
    if narrow:
        sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "hussars.yaml"))
        sitter.click_city("Brünn")
        assert sitter.find("#choices .so-far").text == "Hussar 1 → Brünn, Hussar 2 → off the map"
        assert sitter.reader.run(RINGS) == ["Brünn"]
        sitter.click_city("Glatz")
        assert sitter.find("#choices .so-far").text == "Hussar 1 → Brünn, Hussar 2 → Glatz"
        assert sitter.reader.run(RINGS) == ["Brünn", "Glatz"]
        numbers = sitter.reader.run(
            "return [...document.querySelectorAll('.marks .given')].map((each) => each.textContent)"
        )
        assert numbers == ["1", "2"]
        # A look at something else takes no ring away.
        sitter.reader.run("showNow()")
        assert sitter.reader.run(RINGS) == ["Brünn", "Glatz"]
        sitter.find("#choices .so-far + .take").click()
        assert "Hussar 1 → Brünn, Hussar 2 → Glatz" in sitter.find("#bar").text
        sitter.find("#undo").click()
        told = sitter.find("#bar").text.replace("Taken back: Austria, hussars: Brünn, Glatz.", "", 1)
        assert "Glatz" not in told
        assert told != sitter.find("#bar").text
    finally:
        sitter.put_phone_away()
