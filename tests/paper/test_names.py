"""Finding names as people write them."""

from __future__ import annotations

import pytest

from pbem.faults.wrong import in_a_row
from pbem.paper.documents.names import NameFault, Names, expand, fold

CITIES = Names(
    [
        "Königgrätz", "St. Pölten", "Frankfurt (Oder)", "Frankfurt am Main", "Neumarkt", "Neumarkt (Oberpfalz)",
        "'s-Hertogenbosch", "Groß Strehlitz", "Bar-le-Duc", "Ste-Menehould", "St-Dizier", "Munster", "Münster", "Łódź",
        "Châlons", "Breslau", "Brieg", "Brünn", "Saarlouis", "Oels", "Mainz",
    ],
    "city",
)  # fmt: skip

FOUND = [
    ("koniggratz", "Königgrätz"),
    ("Koeniggraetz", "Königgrätz"),
    ("Königgraetz", "Königgrätz"),
    ("KÖNIGGRÄTZ", "Königgrätz"),
    ("Ko\u0308niggra\u0308tz", "Königgrätz"),
    ("koenigg", "Königgrätz"),
    ("St Polten", "St. Pölten"),
    ("sankt pölten", "St. Pölten"),
    ("Saint Dizier", "St-Dizier"),
    ("sainte menehould", "Ste-Menehould"),
    ("frankfurt oder", "Frankfurt (Oder)"),
    ("Frankfurt-Oder", "Frankfurt (Oder)"),
    ("frankfurt a", "Frankfurt am Main"),
    ("Neumarkt", "Neumarkt"),
    ("NEUMARKT", "Neumarkt"),
    ("neumarkt o", "Neumarkt (Oberpfalz)"),
    ("oberpfalz", "Neumarkt (Oberpfalz)"),
    ("Main", "Mainz"),
    ("s-hertogenbosch", "'s-Hertogenbosch"),
    ("’s-Hertogenbosch", "'s-Hertogenbosch"),
    ("gross strehlitz", "Groß Strehlitz"),
    ("Groß", "Groß Strehlitz"),
    ("bar le duc", "Bar-le-Duc"),
    ("lodz", "Łódź"),
    ("chalons", "Châlons"),
    ("Munster", "Munster"),
    ("Münster", "Münster"),
    ("münster", "Münster"),
    ("MÜNSTER", "Münster"),
    ("muenster", "Münster"),
    ("oels", "Oels"),
    ("saarl", "Saarlouis"),
]


@pytest.mark.parametrize(("written", "name"), FOUND)
def test_found(written: str, name: str) -> None:
    assert CITIES.names[CITIES.find(written)] == name


NOT_FOUND = [
    ("frankfurt", "E-NAME-AMBIGUOUS", "write Frankfurt (Oder) or Frankfurt am Main"),
    ("munster", "E-NAME-AMBIGUOUS", "write Munster or Münster"),
    ("br", "E-NAME-AMBIGUOUS", "write Breslau, Brieg or Brünn"),
    ("Bresslau", "E-NAME-UNKNOWN", "did you mean Breslau?"),
    ("Königratz", "E-NAME-UNKNOWN", "did you mean Königgrätz?"),
    ("Xanten", "E-NAME-UNKNOWN", ""),
    ("  ", "E-NAME-EMPTY", ""),
    ("-", "E-NAME-EMPTY", ""),
]


@pytest.mark.parametrize(("written", "code", "hint"), NOT_FOUND)
def test_not_found(written: str, code: str, hint: str) -> None:
    with pytest.raises(NameFault) as fault:
        CITIES.find(written)
    assert (fault.value.code, str(fault.value.hint)) == (code, hint)
    assert repr(written) in str(fault.value.message)
    assert "city" in str(fault.value.message)


def test_every_name_finds_itself() -> None:
    assert [CITIES.find(name) for name in CITIES.names] == list(range(len(CITIES.names)))
    assert "Munster" in CITIES
    assert "munster" not in CITIES


def test_few_names_are_listed_when_nothing_is_near() -> None:
    with pytest.raises(NameFault) as fault:
        Names(["prussia", "austria"], "power").find("zzz")
    assert str(fault.value.hint) == "write prussia or austria"
    with pytest.raises(NameFault) as fault:
        Names([]).find("zzz")
    assert str(fault.value.hint) == ""
    assert Names(["prussia", "austria"]).find("aus") == 1
    assert str(Names(["prussia"]).suggestion("prusia")) == "did you mean prussia?"


def test_folding() -> None:
    assert (fold("Groß Ölß"), expand("Groß Ölß")) == ("grossolss", "grossoelss")


def test_listed() -> None:
    assert in_a_row([], "listed") == ""
    assert in_a_row("a", "listed") == "a"
    assert in_a_row("ab", "listed") == "a or b"
    assert in_a_row("abc", "listed") == "a, b or c"
    assert in_a_row("abcdefgh", "listed") == "a, b, c, d, e or one of 3 others"
    assert in_a_row("abcdef", "listed") == "a, b, c, d, e or f"
