"""Labels of the map's pieces name them, in every language in which a map is drawn."""

from __future__ import annotations

import pytest

from pbem.engine.nouns import Power, each_piece
from pbem.engine.table import GameRules
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms
from pbem.paper.documents.names import NameFault
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import load_rules
from pbem.report.language.templates import languages
from pbem.report.picture.position import words_in

RULES: dict[str, GameRules] = {"maria": load_rules(Terms("advanced")), "friedrich": load_rules(FriedrichTerms())}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", RULES)
def test_a_general_is_named_by_what_the_map_calls_him(game: str, language: str) -> None:
    rules, words = RULES[game].common, words_in(language)
    lexicon = Lexicon(RULES[game])
    for piece, facts in each_piece(rules.pieces):
        label = f"{words.marks[facts.power]}{facts.rank or words.train_mark}"
        if facts.kind == "general" or len(rules.trains(facts.power)) == 1:
            assert lexicon.piece(label) == lexicon.piece(label.lower(), Power("prussia")) == piece
        else:
            assert piece in lexicon.pieces_labelled(label)


@pytest.mark.parametrize("game", RULES)
def test_a_train_is_named_by_its_letters_and_its_number(game: str) -> None:
    lexicon, common = Lexicon(RULES[game]), RULES[game].common
    for mark, power in (("P", "prussia"), ("F", "france")):
        for number, train in enumerate(common.trains(Power(power)), 1):
            assert lexicon.piece(f"{mark}T{number}") == train == lexicon.piece(f"{mark}t{number}".lower())
    with pytest.raises(NameFault) as fault:
        lexicon.piece("PT9")
    assert "did you mean prussia train 1" in str(fault.value.hint)


@pytest.mark.parametrize(("written", "hint"), [("Dorf", ""), ("Potsdorf", "did you mean Potsdam?")])
def test_no_city_is_suggested_that_is_hardly_alike(written: str, hint: str) -> None:
    with pytest.raises(NameFault) as fault:
        Lexicon(RULES["friedrich"]).city(written)
    assert str(fault.value.hint) == hint


@pytest.mark.parametrize(
    ("kind", "written", "code", "hint"),
    [
        ("piece", "PT", "E-NAME-AMBIGUOUS", "write prussia train 1 or prussia train 2"),
        ("piece", "S9", "E-NAME-UNKNOWN", "did you mean Rutowski?"),
        ("city", "A5", "E-NAME-UNKNOWN", "on the map that is Neipperg; write the name of a city"),
    ],
)
def test_other_labels_are_refused_with_what_may_be_meant(kind: str, written: str, code: str, hint: str) -> None:
    with pytest.raises(NameFault) as fault:
        getattr(Lexicon(RULES["maria"]), kind)(written)
    assert (fault.value.code, str(fault.value.hint)) == (code, hint)
