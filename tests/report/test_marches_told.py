"""Notes on marches in sheets: cities in the way, cities that lose their protection, and forced marches."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.briefing import briefings
from pbem.engine.decisions import March
from pbem.kit import copy_of, game_of
from pbem.paper.lexicon import Lexicon
from pbem.report.language.templates import first_few, languages, macros_of
from pbem.report.letters import sheet as letter_sheet
from pbem.report.letters.in_reach import MarchResults, in_reach
from pbem.report.letters.routes import is_prize, nearest_aim
from pbem.report.letters.sheet import sheet_texts
from tests.campaign.simulated import SimulatedTable

MARCH = "game: maria\nscenario: introductory\nturn: 4\nstage: STAGE\nphase: movement\npieces: {PIECES}\n"


def begun(folder: Path, stage: str, pieces: str, more: str = "") -> SimulatedTable:
    """A campaign that begins with a march of the powers of a stage."""
    folder.mkdir(exist_ok=True)
    position = MARCH.replace("STAGE", stage).replace("PIECES", pieces) + more
    return SimulatedTable(folder / "campaign", position=position).begun()


def marches_of(table: SimulatedTable, seat: str, power: str) -> dict[str, MarchResults]:
    """The marches that the sheet of a seat shows for a power, by their pieces."""
    with table.open() as campaign:
        told = briefings(campaign)[seat]
    asked = next(each for each in told.orders.asked if isinstance(each, March) and each.power == power)
    return {each.written: each for each in in_reach(told.table_in_play, asked, copy_of(told.table_in_play))}


def sheets_of(table: SimulatedTable, seat: str, language: str) -> list[str]:
    """Both sheets of a seat, each on one line."""
    with table.open() as campaign:
        sheets = sheet_texts(briefings(campaign)[seat], language)[:2]
    return [" ".join(each.replace("#", " ").split()) for each in sheets]


TAKEN = """\
markers:
  france: [Pilsen, Eger, Tabor, Passau]
  prussia: [Prag, Leitmeritz, Königgrätz]
"""


@pytest.mark.parametrize("friend", ["Passau", "Budweis"])
def test_no_march_approaches_a_city_where_a_friend_stands(tmp_path: Path, friend: str) -> None:
    pieces = f'Rutowski: "Beraun, 5", Broglie: "{friend}, 8", Traun: "Brünn, 4"'
    with begun(tmp_path, "prussia", pieces, TAKEN).open() as campaign:
        table = briefings(campaign)["frederick"].table_in_play
    rutowski, budweis = Lexicon(table.rules).piece("Rutowski"), Lexicon(table.rules).city("Budweis")
    aim = nearest_aim(game_of(table).column_of(table, [rutowski]))
    assert (aim == budweis) == (friend == "Passau"), aim


def test_no_march_approaches_the_city_that_it_leaves(tmp_path: Path) -> None:
    with begun(tmp_path, "france", 'Belle-Isle: "Pilsen, 5", Traun: "Prag, 4"').open() as campaign:
        table = briefings(campaign)["louis"].table_in_play
    leader, start = Lexicon(table.rules).piece("Belle-Isle"), Lexicon(table.rules).city("Pilsen")
    column = game_of(table).column_of(table, [leader])
    assert is_prize(column, start)
    assert nearest_aim(column) not in (start, None)


IN_TURN = {
    "en": ("Neipperg can then attack", "Richelieu + Chevert can then attack"),
    "de": ("danach droht Neipperg", "danach drohen Richelieu + Chevert"),
    "es": ("después podrá atacarlo Neipperg", "después podrán atacarlo Richelieu + Chevert"),
    "it": ("poi attaccabile da Neipperg", "poi attaccabile da Richelieu + Chevert"),
}
TO_A_LOST_CITY = """\
game: friedrich
turn: 6
stage: hanover
phase: movement
pieces: {Ferdinand: "Stade, 5", Cumberland: off, Richelieu: "Minden, 8", Chevert: "Minden, 5"}
markers: {france: [Hannover]}
"""


@pytest.mark.parametrize("language", languages())
def test_an_enemy_who_can_come_next_is_not_only_told_as_far_away(tmp_path: Path, language: str) -> None:
    for start, can_come in (("Crossen", True), ("Küstrin", False)):
        pieces = f'Friedrich der Große: "{start}, 6", Neipperg: "Schweidnitz, 6"'
        table = begun(tmp_path / start, "prussia", pieces)
        assert marches_of(table, "frederick", "prussia")["Friedrich der Große"].comers == ["Neipperg"] * can_come
        assert not can_come or all(IN_TURN[language][0] in sheet for sheet in sheets_of(table, "frederick", language))


REST_IN_FILE = {
    "en": "orders.yaml tells who else can attack.",
    "de": "Nur in orders.yaml: wer sonst noch droht.",
    "es": "orders.yaml dice quién más podrá atacar.",
    "it": "Solo in orders.yaml: chi altro potrà",
}


@pytest.mark.parametrize("language", languages())
def test_an_enemy_who_can_come_next_is_told_of_a_march_to_a_city(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 1)
    # The body of a mail tells above the short sheet who can attack already.
    for place, is_new in (("Minden", True), ("Verden", False)):
        position = TO_A_LOST_CITY.replace("Minden", place)
        table = SimulatedTable(tmp_path / place, game="friedrich", position=position).begun()
        march = marches_of(table, "frederick", "hanover")["Ferdinand"]
        assert march.comers == ["Richelieu + Chevert"]
        assert not is_new or march.towards == "Hannover"
        whole, short = sheets_of(table, "frederick", language)
        assert IN_TURN[language][1] in whole
        assert (IN_TURN[language][1] in short, REST_IN_FILE[language] in short) == (is_new, not is_new), short


def test_an_enemy_whom_the_march_itself_attacks_is_not_told_as_coming_next(tmp_path: Path) -> None:
    pieces = 'Traun: "Brünn, 4", Schwerin: "Olmütz, 4", Friedrich der Große: "Iglau, 8"'
    march = marches_of(begun(tmp_path, "austria", pieces), "maria-theresa", "austria")["Traun"]
    assert [each.enemies for each in march.fights] == [["Friedrich der Große"]]
    assert march.comers == ["Schwerin"]


def test_italian_tells_of_a_stack_that_it_can_be_attacked_in_the_plural(tmp_path: Path) -> None:
    pieces = 'Friedrich der Große: "Crossen, 6", Schwerin: "Crossen, 6", Neipperg: "Schweidnitz, 6"'
    told = " ".join(sheets_of(begun(tmp_path, "prussia", pieces), "frederick", "it"))
    assert "saranno a 4 città da Neipperg (Schweidnitz); poi attaccabili da Neipperg" in told


def test_english_says_how_far_the_end_of_a_march_will_be_from_its_aim(tmp_path: Path) -> None:
    pieces = 'Friedrich der Große: "Crossen, 6", Schwerin: "Crossen, 6", Neipperg: "Schweidnitz, 6"'
    told = " ".join(sheets_of(begun(tmp_path, "prussia", pieces), "frederick", "en"))
    assert "will be 4 cities from Neipperg (Schweidnitz); Neipperg can then attack" in told


def test_a_march_away_from_a_city_is_not_told_as_a_march_towards_it(tmp_path: Path) -> None:
    """Face-down generals go back to where a train supplies them."""
    position = """\
game: friedrich
turn: 2
stage: france
phase: movement
pieces: {Richelieu: "Gütersloh, 8, face-down", Chevert: "Gütersloh, 6, face-down", france train 2: Koblenz}
"""
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun()
    march = marches_of(table, "pompadour", "france")["Richelieu + Chevert"]
    assert (march.goal, march.towards, march.left) == ("Hamm", "", 0)


BEFORE_HUNGER = """\
game: friedrich
turn: 2
stage: russia
phase: movement
pieces: {Saltikov: "CITY, 6, face-down", russia train 1: Danzig}
"""


@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ("Grodzisk", "Konin"),
        # He could take Küstrin, and would be lost beyond it.
        ("Friedeberg", "Falkenburg"),
    ],
)
def test_who_would_be_lost_without_supply_marches_back_into_it(tmp_path: Path, start: str, goal: str) -> None:
    position = BEFORE_HUNGER.replace("CITY", start)
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun()
    march = marches_of(table, "elisabeth", "russia")["Saltikov"]
    assert (march.goal, march.is_hungry) == (goal, False)
    assert march.open == (["Küstrin"] if start == "Friedeberg" else [])


UNFED = {
    "en": ("no supply in Altentreptow", "no supply in Friedeberg unless a train comes near"),
    "de": ("in Altentreptow unversorgt", "in Friedeberg unversorgt, falls kein Tross nah genug kommt"),
    "es": ("sin suministro en Altentreptow", "sin suministro en Friedeberg si no se acerca un tren"),
    "it": (
        "senza rifornimento ad Altentreptow",
        "senza rifornimento a Friedeberg se non si avvicina un treno",
    ),
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("start", ["Doberan", "Küstrin"])
def test_a_train_is_named_as_help_only_where_one_could_come(tmp_path: Path, language: str, start: str) -> None:
    position = BEFORE_HUNGER.replace("CITY", start)
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun()
    alone, on_condition = UNFED[language]
    condition = on_condition.partition("Friedeberg")[2].removeprefix(" unversorgt")
    for sheet in sheets_of(table, "elisabeth", language):
        assert (alone if start == "Doberan" else on_condition) in sheet
        assert (condition in sheet) == (start == "Küstrin")


TO_A_TRAIN = """\
game: friedrich
turn: 4
stage: prussia
phase: movement
pieces: {Heinrich: "Neubrandenburg, 3, face-down", prussia train 1: TRAIN, sweden train 1: Rostock, Ehrensvärd: off}
"""
UNFED_ELSEWHERE = {
    "en": ("take the train in Rostock, but no supply in Rostock", " by leaving or passing through, but no supply in "),
    "de": ("den Tross in Rostock vernichten, in Rostock unversorgt", " beim Verlassen oder Durchziehen erobern, in "),
    "es": ("eliminar el tren en Rostock, sin suministro en Rostock", " al salir o al pasar, sin suministro en "),
    "it": (
        "eliminare il treno a Rostock, senza rifornimento a Rostock",
        " uscendone o passandovi, senza rifornimento a ",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_of_a_train_or_city_that_another_march_takes_it_is_told_if_there_is_no_supply(
    tmp_path: Path, language: str
) -> None:
    for place, is_fed in (("Glogau", False), ("Malchin", True)):
        position = TO_A_TRAIN.replace("TRAIN", place)
        table = SimulatedTable(tmp_path / place, game="friedrich", position=position).begun()
        for sheet in sheets_of(table, "frederick", language):
            assert "Rostock" in sheet
            assert (UNFED_ELSEWHERE[language][0] in sheet) is not is_fed, sheet
    position = BEFORE_HUNGER.replace("CITY", "Friedeberg")
    table = SimulatedTable(tmp_path / "city", game="friedrich", position=position).begun()
    assert all(UNFED_ELSEWHERE[language][1] in sheet for sheet in sheets_of(table, "elisabeth", language))


TAKES_TRAIN = {
    "en": "Neipperg can then take it - train 1: Lüben",
    "de": "danach droht Neipperg - Tross 1: Lüben",
    "es": "después podrá eliminarlo Neipperg - tren 1: Lüben",
    "it": "poi eliminabile da Neipperg - treno 1: Lüben",
}


@pytest.mark.parametrize("language", languages())
def test_the_march_of_a_train_names_enemies_who_can_take_it_there(tmp_path: Path, language: str) -> None:
    for place, is_near in (("Bunzlau", True), ("Neisse", False)):
        pieces = f'Schwerin: "Liegnitz, 5", prussia train 1: Steinau, Neipperg: "{place}, 4"'
        pieces += ", Friedrich der Große: off, Erbprinz Leopold: off"
        whole, _ = sheets_of(begun(tmp_path / place, "prussia", pieces), "frederick", language)
        assert (TAKES_TRAIN[language] in whole) is is_near


def test_a_march_approaches_no_city_to_which_another_is_said_to_lead(tmp_path: Path) -> None:
    """Neipperg could attack from the city that he approaches."""
    pieces = 'Neipperg: "Freudenthal, 4", Friedrich der Große: "Breslau, 6", Schwerin: "Breslau, 5"'
    table = begun(tmp_path, "austria", pieces, "markers: {prussia: [Schweidnitz]}\n")
    march = marches_of(table, "maria-theresa", "austria")["Neipperg"]
    assert [each.end for each in march.meets] == ["Schweidnitz"]
    assert march.goal != "Schweidnitz"
    assert march.towards == ""


@pytest.mark.parametrize(
    ("language", "foes"),
    [
        ("en", "to Glatz ♠ against Friedrich der Große + Schwerin (Frankenstein ♠), Erbprinz Leopold (Nachod ♠)"),
        ("de", "nach Glatz ♠ gegen Friedrich den Großen + Schwerin in Frankenstein ♠, Erbprinz Leopold in Nachod ♠"),
        ("es", "a Glatz ♠ contra Friedrich der Große + Schwerin en Frankenstein ♠, Erbprinz Leopold en Nachod ♠"),
        ("it", "a Glatz ♠ contro Friedrich der Große + Schwerin (Frankenstein ♠), Erbprinz Leopold (Nachod ♠)"),
    ],
)
def test_a_march_to_attack_names_every_enemy_beside_its_end(tmp_path: Path, language: str, foes: str) -> None:
    """Karl's example leads against Leopold, who stands beside Glatz as well."""
    pieces = (
        'Karl von Lothringen: "Grulich, 4", Friedrich der Große: "Frankenstein, 4", Schwerin: "Frankenstein, 3", '
        'Erbprinz Leopold: "Nachod, 3"'
    )
    table = begun(tmp_path, "austria", pieces)
    march = marches_of(table, "maria-theresa", "austria")["Karl von Lothringen"]
    assert [each.city for each in march.fights] == ["Nachod"]
    assert {(each.city, each.end) for each in march.meets} == {("Frankenstein", "Glatz"), ("Nachod", "Glatz")}
    assert all(foes in sheet for sheet in sheets_of(table, "maria-theresa", language))


TWO_UNCOVERED = "Schweidnitz and Breslau"
IN_SILESIA = (
    'Traun: "Schweidnitz, 4", Neipperg: "Linz, 4", Friedrich der Große: "Oels, 8", Schwerin: "Namslau, 8", '
    'Erbprinz Leopold: "Jauer, 8"'
)
HELD_IN_SILESIA = "markers: {austria: [Glogau, Liegnitz], prussia: [Pardubitz]}\n"


@pytest.mark.parametrize(
    ("pieces", "more", "count", "told"),
    [
        ('Traun: "Trautenau, 4", Khevenhüller: "Mariazell, 1", Schwerin: "Nachod, 8"', "", 2, TWO_UNCOVERED),
        (IN_SILESIA, HELD_IN_SILESIA, 5, "Glogau, Liegnitz, Breslau, Brieg and Neisse"),
        # The train lets the march end farther away.
        (
            f"{IN_SILESIA}, austria train 2: Königgrätz", HELD_IN_SILESIA, 7,
            "Glogau, Liegnitz, Schweidnitz, Breslau and 3 more",
        ),
    ],
)  # fmt: skip
def test_up_to_four_cities_that_a_march_uncovers_are_named_however_short_the_sheet_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pieces: str, more: str, count: int, told: str
) -> None:
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 1)
    table = begun(tmp_path, "austria", pieces, more)
    assert len(marches_of(table, "maria-theresa", "austria")["Traun"].uncovers) == count
    assert all(f"leaves {told} unprotected" in sheet for sheet in sheets_of(table, "maria-theresa", "en"))


@pytest.mark.parametrize(
    ("language", "words", "other"),
    [
        (
            "en",
            "Törring (Budweis) can march with Broglie (above), or alone; then give him a line of his own here.",
            "Bavaria may move",
        ),
        (
            "de",
            "Törring (Budweis) kann mit Broglie ziehen (siehe oben); soll er allein ziehen, "
            "gib ihm hier eine eigene Zeile.",
            "Bayern darf",
        ),
        (
            "es",
            "Törring (Budweis) puede marchar con Broglie (véase arriba) o, con una línea propia aquí, por separado.",
            "Baviera puede mover",
        ),
        (
            "it",
            "Törring (Budweis) può marciare con Broglie (vedi sopra) oppure da solo, con una riga scritta qui.",
            "La Baviera può muovere",
        ),
    ],
)
def test_a_general_who_marches_in_another_powers_line_is_said_to(
    tmp_path: Path, language: str, words: str, other: str
) -> None:
    table = begun(tmp_path, "france", 'Broglie: "Budweis, 4", Törring: "Budweis, 4", Traun: "Brünn, 4"')
    for sheet in sheets_of(table, "louis", language):
        assert words in sheet
        assert other not in sheet


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "leaves Prague unprotected"),
        ("de", "lässt Prag ungeschützt"),
        ("es", "desprotege Praga"),
        ("it", "lascia scoperta Praga"),
    ],
)
def test_a_march_that_leaves_a_city_to_the_enemy_says_so_however_short_the_sheet_is(
    tmp_path: Path, language: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = begun(tmp_path / "alone", "austria", 'Traun: "Tabor, 4", Belle-Isle: "Pilsen, 8"')
    march = marches_of(alone, "maria-theresa", "austria")["Traun"]
    assert "Prag" in march.uncovers
    assert all(words in sheet for sheet in sheets_of(alone, "maria-theresa", language))
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 1)
    assert words in sheets_of(alone, "maria-theresa", language)[1]
    helped = begun(tmp_path / "helped", "austria", 'Traun: "Tabor, 4", Neipperg: "Tabor, 4", Belle-Isle: "Eger, 8"')
    assert all("Prag" not in each.uncovers for each in marches_of(helped, "maria-theresa", "austria").values())


@pytest.mark.parametrize("language", languages())
def test_forced_marches_are_named(tmp_path: Path, language: str) -> None:
    table = begun(tmp_path, "austria", 'Traun: "Brünn, 4", Belle-Isle: "Eger, 8"')
    march = marches_of(table, "maria-theresa", "austria")["Traun"]
    assert march.is_forced or march.forced_goal
    forced = {"en": "orced march", "de": "Gewaltmarsch", "es": "archa forzada", "it": "arcia forzata"}
    assert all(forced[language] in sheet for sheet in sheets_of(table, "maria-theresa", language))


AS_NOW = {
    "en": "from Karl von Lothringen (now in Straubing)",
    "de": " bis Karl von Lothringen (jetzt in Straubing)",
    "es": " de Karl von Lothringen (ahora en Straubing)",
    "it": " da Karl von Lothringen (ora a Straubing)",
}


@pytest.mark.parametrize("language", languages())
def test_a_train_that_follows_a_general_is_told_where_he_stands_now(tmp_path: Path, language: str) -> None:
    """The sheet proposes a march to the general, too."""
    table = begun(tmp_path, "austria", 'Karl: "Straubing, 4", "austria train 2": Krems, Belle-Isle: "Eger, 8"')
    whole, _ = sheets_of(table, "maria-theresa", language)
    assert AS_NOW[language] in whole


HALF_FED = """\
game: maria
scenario: introductory
turn: 4
stage: france
phase: movement
pieces:
  Törring: "Budweis, 4, face-down"
  Broglie: "Budweis, 4"
  "france train 2": Straubing
  Karl: "Beneschau, 5"
  Traun: "Eggenfelden, 3"
"""
WHOM_IT_CONCERNS = {
    "en": ("Broglie takes Linz", "Törring is now face-down", "Broglie takes Budweis if no enemy protects it after"),
    "de": (
        "Broglie erobert Linz",
        "Törring liegt jetzt verdeckt",
        "Broglie erobert Budweis, falls nach den Schlachten ungeschützt",
    ),
    "es": (
        "Broglie conquista Linz",
        "Törring está ahora bocabajo",
        "Broglie conquista Budweis si tras las batallas no la protege ningún enemigo",
    ),
    "it": (
        "Broglie conquista Linz",
        "Törring è ora a faccia in giù",
        "Broglie conquista Budweis se dopo le battaglie nessun nemico la protegge",
    ),
}
HUNGRY_THERE = {
    "en": "Törring has no supply in Tabor unless a train comes near",
    "de": "Törring in Tabor unversorgt, falls kein Tross nah genug kommt",
    "es": "Törring sin suministro en Tabor si no se acerca un tren",
    "it": "Törring senza rifornimento a Tabor se non si avvicina un treno",
}
FIGHTS_THERE = '  "austria train 2": Znaim\nmarkers: {france: [Linz]}\n'


@pytest.mark.parametrize("language", languages())
def test_a_stack_of_which_one_general_is_out_of_supply_names_him_beside_the_city(tmp_path: Path, language: str) -> None:
    told = [HUNGRY_THERE[language]]
    for end, more, words in (("Peuerbach", "", [*WHOM_IT_CONCERNS[language], *told]), ("Tabor", FIGHTS_THERE, told)):
        table = SimulatedTable(tmp_path / end, position=HALF_FED + more).begun()
        assert marches_of(table, "louis", "france")["Törring + Broglie"].goal.endswith(end)
        for sheet in sheets_of(table, "louis", language):
            missing = [each for each in words if each not in sheet]
            assert not missing, (missing, sheet)


CAN_MARCH_ON = {
    "en": ("Traun can make a forced march (", "Karl + Traun can make a forced march ("),
    "de": ("Traun kann einen Gewaltmarsch machen (", "Karl + Traun können einen Gewaltmarsch machen ("),
    "es": ("Traun puede hacer una marcha forzada (", "Karl + Traun pueden hacer una marcha forzada ("),
    "it": ("Traun può fare una marcia forzata (", "Karl + Traun possono fare una marcia forzata ("),
}


@pytest.mark.parametrize("language", languages())
def test_who_can_make_a_forced_march_without_a_goal_is_told_in_a_sentence(language: str) -> None:
    words = macros_of(language, "maria", "campaign_sheet_words.txt.j2")
    for pieces, sentence in zip(("Traun", "Karl + Traun"), CAN_MARCH_ON[language], strict=True):
        assert str(words.may_force(8, pieces, True)).startswith(sentence)


@pytest.mark.parametrize(
    ("language", "two", "more"),
    [
        ("en", "Oels and Brieg", "Oels and 2 more"),
        ("de", "Oels und Brieg", "Oels und 2 weitere"),
        ("es", "Oels y Brieg", "Oels y 2 más"),
        ("it", "Oels e Brieg", "Oels e altre 2"),
    ],
)
def test_cities_that_a_note_leaves_out_are_counted_and_a_single_one_is_named(
    language: str, two: str, more: str
) -> None:
    words = macros_of(language, "maria", "campaign_sheet_words.txt.j2")
    assert [str(words.some(["Oels", "Brieg", "Cosel"][:count], 1)) for count in (1, 2, 3)] == ["Oels", two, more]


def test_a_list_is_not_cut_for_a_single_name() -> None:
    told = [first_few(["Oels", "Brieg", "Cosel"][:count], 1) for count in (1, 2, 3)]
    assert told == ["Oels", "Oels, Brieg", "Oels, …"]


TRAIN_LOST = """\
game: friedrich
turn: 4
stage: russia
phase: movement
pieces:
  Saltikov: "Warszawa, 3"
  Fermor: off
  Apraxin: off
  Tottleben: off
  russia train 1: TRAIN
  russia train 2: Neidenburg
markers: {russia: [Ortelsburg]}
"""


@pytest.mark.parametrize(("train", "goal"), [("off", "Ciechanów"), ("Chorzele", "Sierpc")])
def test_no_march_is_offered_to_the_city_where_a_lost_train_can_come_back(
    tmp_path: Path, train: str, goal: str
) -> None:
    position = TRAIN_LOST.replace("TRAIN", train)
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun()
    assert marches_of(table, "elisabeth", "russia")["Saltikov"].goal == goal


@pytest.mark.parametrize(("start", "aim"), [("Kraków", ""), ("Pułtusk", "Riesenburg")])
def test_no_city_is_told_as_approached_that_is_more_than_two_marches_away(tmp_path: Path, start: str, aim: str) -> None:
    position = TRAIN_LOST.replace("TRAIN", "off").replace("Warszawa, 3", f"{start}, 3")
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun()
    assert marches_of(table, "elisabeth", "russia")["Saltikov"].towards == aim
