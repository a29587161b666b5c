"""A march conquers no city in which it ends: sheets say so before, reports afterwards; short sheets keep it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.engine.conquest import is_held_by_enemy, protectors, settle_questions
from pbem.engine.decisions import March
from pbem.engine.events import Conquered
from pbem.engine.field import OFF, alter
from pbem.engine.nouns import Power
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.kit import copy_of, game_of
from pbem.paper.orders.trial import run
from pbem.report.language.templates import languages
from pbem.report.letters import sheet as letter_sheet
from pbem.report.letters.in_reach import MarchResults, in_reach
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import chief_marches, sheet_texts
from pbem.report.letters.unsettled import entered_cities, pieces_in_reach
from tests import play
from tests.campaign.simulated import SimulatedTable
from tests.paper.test_forms import tables
from tests.raider import raid
from tests.report.plain import body_text
from tests.trying import IS_LONG

from .test_sheet_examples import ADVANCED, about, orders_of

SWEDEN = """\
game: friedrich
turn: 2
stage: sweden
phase: movement
pieces: {{Ehrensvärd: "{city}, 4", Dohna: "{dohna}, 3"}}
"""


def of_sweden(tmp_path: Path, city: str, dohna: str = "Arnswalde") -> Briefing:
    """The briefing of Sweden's player, whose general stands in a city; Dohna is Prussia's nearest general."""
    position = SWEDEN.format(city=city, dohna=dohna)
    tmp_path.mkdir(exist_ok=True)
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun().open() as campaign:
        return briefings(campaign)["elisabeth"]


def just_marched(briefing: Briefing) -> Briefing:
    """The briefing as if its player's pieces had come from elsewhere since the last report."""
    before = briefing.news.before
    assert before is not None
    return replace(briefing, news=replace(briefing.news, before=replace(before, places=[OFF] * len(before.places))))


def flat(text: str) -> str:
    """A text on one line, without the signs of comments."""
    return " ".join(text.replace("#", " ").split())


ENTERS = {
    "en": "Malchin is conquered not by entering it, but by leaving it or passing through it",
    "de": "Malchin wird nicht beim Betreten erobert, sondern beim Verlassen oder Durchziehen",
    "es": "Malchin no se conquista al entrar, sino al salir de ella o pasar por ella",
    "it": "Malchin non si conquista entrando, ma uscendone o attraversandola",
}


@pytest.mark.parametrize("language", languages())
def test_both_sheets_say_that_a_city_in_which_a_march_ends_does_not_fall(tmp_path: Path, language: str) -> None:
    for sheet in sheet_texts(of_sweden(tmp_path, "Stralsund"), language)[:2]:
        assert re.search(r"Ehrensvärd: Malchin\b", sheet)
        assert ENTERS[language] in flat(sheet)


def test_no_example_conquers_the_city_that_it_is_said_to_enter() -> None:
    entered = 0
    for table in tables(play, ADVANCED, raid, 400):
        for march in game_of(table).decisions(table):
            for each in in_reach(table, march, copy_of(table)) if isinstance(march, March) else ():
                if each.enters:
                    after = run(table, orders_of(table, march.power, {"move": [{each.written: each.goal}]})).table
                    common = after.rules.common
                    city = common.board.index[each.enters]
                    assert is_held_by_enemy(common, after.state.field, city, march.power)
                    entered += 1
    assert entered > 20


PROTECTED = {
    "en": "if no enemy protects it after the battles",
    "de": "falls nach den Schlachten ungeschützt",
    "es": "si tras las batallas no la protege ningún enemigo",
    "it": "se dopo le battaglie nessun nemico la protegge",
}


@pytest.mark.parametrize("language", languages())
def test_a_protected_city_may_fall_only_if_its_protector_can_be_attacked(tmp_path: Path, language: str) -> None:
    beaten = in_language(of_sweden(tmp_path / "beaten", "Demmin", "Neubrandenburg"), language)
    safe = in_language(of_sweden(tmp_path / "safe", "Demmin", "Jarmen"), language)
    for briefing, may_fall in ((beaten, True), (safe, False)):
        for sheet in sheet_texts(briefing, language)[:2]:
            assert (PROTECTED[language] in flat(sheet).replace(PROTECTED_NOW[language], "")) is may_fall, sheet


def test_the_protector_of_a_city_that_may_fall_is_fought_after_the_example() -> None:
    """The march ends beside him, or another general of the stage can attack him."""
    looked_at = 0
    for table in tables(play, ADVANCED, raid, 400):
        common, field = table.rules.common, table.state.field
        for march in game_of(table).decisions(table):
            reached = pieces_in_reach(table, march.power) if isinstance(march, March) else {}
            for each in in_reach(table, march, copy_of(table)) if isinstance(march, March) else ():
                for city in map(common.board.index.__getitem__, each.questions):
                    movers = [piece for piece, facts in enumerate(common.pieces) if facts.name in each.pieces]
                    end = common.board.index[each.goal.rpartition(", ")[2]]
                    for piece in protectors(common, field, city):
                        others = [general for general, some in reached.items() if piece in some]
                        beside = field.pieces[piece].city in common.board.near[end]
                        assert beside or set(others).difference(movers), (each, piece)
                        looked_at += 1
    assert looked_at > 10


NOT_TAKEN = {
    "en": (
        "Ehrensvärd has not conquered Malchin yet. You conquer an unprotected objective as soon as one of your "
        "generals moves out of it or through it. It is protected while a general of the power that holds it is at "
        "most 3 cities away.",
        "Ehrensvärd has not conquered Malchin yet: Dohna protects it.",
    ),
    "de": (
        "Ehrensvärd hat Malchin noch nicht erobert. Du eroberst eine ungeschützte Zielstadt, sobald einer deiner "
        "Generäle sie verlässt oder durchquert. Sie ist geschützt, solange ein General der Macht, die sie hält, "
        "höchstens 3 Städte entfernt ist.",
        "Ehrensvärd hat Malchin noch nicht erobert: Dohna schützt die Stadt.",
    ),
    "es": (
        "Ehrensvärd aún no ha conquistado Malchin. Conquistas un objetivo sin protección en cuanto un general "
        "tuyo sale de él o pasa por él. Está protegido mientras un general de la potencia que lo controla esté a 3 "
        "ciudades o menos.",
        "Ehrensvärd aún no ha conquistado Malchin: la protege Dohna.",
    ),
    "it": (
        "Ehrensvärd non ha ancora conquistato Malchin. Conquisti un obiettivo non protetto appena un tuo generale ne "
        "esce o lo attraversa. È protetto finché un generale della potenza che lo controlla è a 3 città o meno.",
        "Ehrensvärd non ha ancora conquistato Malchin: la protegge Dohna.",
    ),
}


UNTAKEN = {
    "en": "city not conquered yet",
    "de": "Stadt noch nicht erobert",
    "es": "ciudad aún sin conquistar",
    "it": "città non ancora conquistata",
}


@pytest.mark.parametrize("language", languages())
def test_a_report_says_why_a_city_in_which_a_march_ended_has_not_fallen(tmp_path: Path, language: str) -> None:
    alone = in_language(of_sweden(tmp_path / "alone", "Malchin"), language)
    watched = in_language(of_sweden(tmp_path / "watched", "Malchin", "Anklam"), language)
    for briefing, words in zip((alone, watched), NOT_TAKEN[language], strict=True):
        assert words in flat(body_text(report_data(just_marched(briefing))))
        before = flat(body_text(report_data(briefing)))
        assert words not in before, "he has stood there before"
        assert f"Ehrensvärd 4 Malchin ♣ ({UNTAKEN[language]})" in before
    own = in_language(of_sweden(tmp_path / "own", "Stralsund"), language)
    assert f"({UNTAKEN[language]})" not in flat(body_text(report_data(own)))


SO_FAR = {
    "en": "Sweden holds {} of the 10 objectives it needs",
    "de": "Schweden kontrolliert {} der 10 nötigen Zielstädte",
    "es": "Suecia controla {} de los 10 objetivos",
    "it": "La Svezia controlla {} dei 10 obiettivi",
}


@pytest.mark.parametrize("language", languages())
def test_who_has_half_of_the_goal_reads_so_before_marches(tmp_path: Path, language: str) -> None:
    told = in_language(of_sweden(tmp_path, "Stralsund"), language)
    data = report_data(told)
    goal = data["position"]["data"]["goals"]["sweden"]
    for held, is_told in ((4, False), (5, True)):
        goal["held"] = held
        assert (SO_FAR[language].format(held) in flat(body_text(data))) is is_told
    assert SO_FAR[language].format(5) not in flat(body_text(data | {"asked": []}))


def test_it_is_told_of_cities_that_could_fall_alone(tmp_path: Path) -> None:
    there = of_sweden(tmp_path / "there", "Malchin")
    (entered,) = entered_cities(just_marched(there), "en")
    assert (entered.city, entered.pieces, entered.protectors) == ("Malchin", ["Ehrensvärd"], [])
    assert entered_cities(just_marched(of_sweden(tmp_path / "own", "Stralsund")), "en") == []
    assert entered_cities(just_marched(of_sweden(tmp_path / "friendly", "Demmin")), "en") == []


IN_QUESTION = {
    "en": (
        "Malchin, where Ehrensvärd stands, is in question: Dohna protects it. You conquer an objective in question "
        "after the battles of this stage if it is no longer protected then. It is protected while a general "
        "of the power that holds it is at most 3 cities away."
    ),
    "de": (
        "Malchin, wo Ehrensvärd steht, ist strittig: Dohna schützt die Stadt. Du eroberst eine strittige Zielstadt "
        "nach den Schlachten dieses Zuges, wenn sie dann nicht mehr geschützt ist. Sie ist geschützt, solange "
        "ein General der Macht, die sie hält, höchstens 3 Städte entfernt ist."
    ),
    "es": (
        "Malchin, donde está Ehrensvärd, tiene un signo de interrogación: la protege Dohna. Conquistas un objetivo con "
        "ese signo tras las batallas de esta etapa si entonces ya no está protegido. Está protegido "
        "mientras un general de la potencia que lo controla esté a 3 ciudades o menos."
    ),
    "it": (
        "Malchin, dove si trova Ehrensvärd, ha un punto interrogativo: la protegge Dohna. Conquisti un obiettivo con "
        "questo segno dopo le battaglie di questa fase se allora non è più protetto. È protetto finché "
        "un generale della potenza che lo controlla è a 3 città o meno."
    ),
}


@pytest.mark.parametrize("language", languages())
def test_of_a_city_in_question_it_is_told_that_the_battles_of_the_stage_decide(tmp_path: Path, language: str) -> None:
    briefing = just_marched(in_language(of_sweden(tmp_path / "watched", "Malchin", "Anklam"), language))
    table = copy_of(briefing.table_in_play)
    common, field = table.rules.common, table.state.field
    field.questions[common.board.index["Malchin"]] = Power("sweden")
    told = flat(body_text(report_data(replace(briefing, table=table))))
    assert IN_QUESTION[language] in told
    assert NOT_TAKEN[language][0].partition(". ")[0] not in told
    for general in common.generals(Power("prussia")):
        alter(field, general, city=OFF)
    after = settle_questions(common, field)
    assert [type(event) for event in after] == [Conquered], "nobody protects it any more, and nobody left it again"


FRENCH = """\
turn: 2
stage: france
phase: movement
pieces: {{Broglie: "Eger, 5, face-down", Belle-Isle: "{other}"}}
"""

FACE_DOWN = {
    "en": ("Broglie (face-down) has not conquered Eger yet", "Face-down generals conquer nothing."),
    "de": ("Broglie (verdeckt) hat Eger noch nicht erobert", "Verdeckte Generäle erobern nichts."),
    "es": ("Broglie (bocabajo) aún no ha conquistado Eger", "Los generales bocabajo no conquistan nada."),
    "it": (
        "Broglie (a faccia in giù) non ha ancora conquistato Eger",
        "I generali a faccia in giù non conquistano nulla.",
    ),
}

RULE_OF_MARIA = {
    "en": ("your face-up generals moves out", "or of one co-operating with that power, is at most 3 cities away."),
    "de": (
        "sobald einer deiner aufgedeckten Generäle sie verlässt",
        "oder ein General einer kooperierenden Macht höchstens 3 Städte entfernt ist.",
    ),
    "es": ("un general tuyo bocarriba sale", "o de otra que coopere con esa potencia, esté a 3 ciudades o menos."),
    "it": ("un tuo generale a faccia in su ne esce", "o di una che coopera con essa, è a 3 città o meno."),
}


def of_france(tmp_path: Path, other: str) -> Briefing:
    """The briefing of France's player, who has a face-down general in an Austrian fortress and another elsewhere."""
    tmp_path.mkdir(exist_ok=True)
    with SimulatedTable(tmp_path / "campaign", position=FRENCH.format(other=other)).begun().open() as campaign:
        return just_marched(briefings(campaign)["louis"])


@pytest.mark.parametrize("language", languages())
def test_of_a_face_down_general_it_is_told_that_he_conquers_nothing(tmp_path: Path, language: str) -> None:
    told = flat(body_text(report_data(in_language(of_france(tmp_path / "down", "Weiden, 6"), language))))
    assert all(words in told for words in FACE_DOWN[language]), told
    beside = in_language(of_france(tmp_path / "beside", "Eger, 6"), language)
    (entered,) = entered_cities(beside, "en")
    assert (entered.pieces, entered.is_down) == (["Belle-Isle", "Broglie"], False)
    told = flat(body_text(report_data(beside)))
    assert all(words in told for words in RULE_OF_MARIA[language]), told
    assert not any(words in told for words in FACE_DOWN[language]), "he who is face-up conquers"


def weight_of(march: MarchResults) -> str:
    """The beginning of what the Italian sheet must say of a march that can conquer, take or attack something."""
    many, goal = "no" if march.pieces[1:] else "", march.goal.split(", ")[-1]
    if march.takes:
        return f"conquista{many} {march.takes[0]}"
    if march.takes_train:
        return f"elimina{many} il treno"
    if march.questions:
        return f"conquista{many} {march.questions[0]}"
    if march.open:
        return f"invece di {goal}: conquistare {march.open[0]}"
    if march.trains:
        return f"invece di {goal}: eliminare il treno a {march.trains[0]}"
    if march.guarded:
        return f"{march.guarded[0]}"
    return f"{march.meets[0].name}" if march.meets and not march.fights else "battagli"


def test_a_sheet_without_room_keeps_what_a_march_can_conquer_take_or_attack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 1)
    with SimulatedTable(tmp_path / "campaign").begun().open() as campaign:
        briefing = next(each for each in briefings(campaign).values() if each.orders.asked)
    looked_at = 0
    for table in tables(play, ADVANCED, raid, 250 if IS_LONG else 100):
        for march in game_of(table).decisions(table):
            if isinstance(march, March):
                looked_at += weights_told(briefing, table, march)
    assert looked_at > 40


def weights_told(briefing: Briefing, table: Table, march: March) -> int:
    """Count the marches with some weight that the short sheet tells, each with its weight."""
    powers: Sequence[Power] = powers_of_player(table, player_of(table, march.power))
    told = replace(about(briefing, table, powers), orders=replace(briefing.orders, asked=(march,)))
    short = flat(sheet_texts(told, "it")[1])
    found = [each for each in letter_sheet.powers_data(told, "it")[march.power] if each.get("marches")]
    marches = [each for section in found for each in chief_marches(section["marches"]) if each.is_weighty]
    for each in marches:
        assert weight_of(each) in short, (each, short)
    return len(marches)


IDLE = {
    "en": "if face-down, does not conquer {city}",
    "de": "Verdeckte erobern {city} nicht",
    "es": "bocabajo no conquista {city}",
    "it": "se a faccia in giù, non conquista {city}",
}

STILL_IDLE = {
    "en": "now face-down; if still face-down, does not conquer {city}",
    "de": "jetzt verdeckt; dann noch Verdeckte erobern {city} nicht",
    "es": "ahora bocabajo; si sigue bocabajo, no conquista {city}",
    "it": "ora a faccia in giù; se ancora a faccia in giù, non conquista {city}",
}

MARCHING = """\
turn: 2
stage: france
phase: movement
pieces: {{Broglie: "{there}", Belle-Isle: "Straubing, 6", france train 2: {train}}}
"""


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("there", "train", "is_idle"),
    [("Karlsbad, 5, face-down", "Amberg", True), ("Amberg, 5", "off", True), ("Karlsbad, 5", "Amberg", False)],
    ids=["face-down", "out of supply there", "supplied"],
)
def test_a_sheet_says_that_a_face_down_general_does_not_conquer_the_city_he_enters(
    tmp_path: Path, language: str, there: str, train: str, is_idle: bool
) -> None:
    position = MARCHING.format(there=there, train=train)
    with SimulatedTable(tmp_path / "campaign", position=position).begun().open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    for sheet in sheet_texts(told, language)[:2]:
        idle = (STILL_IDLE if "face-down" in there else IDLE)[language].format(city="Eger")
        assert (idle in flat(sheet)) is is_idle, sheet
        assert (ENTERS[language].replace("Malchin", "Eger") in flat(sheet)) is False, sheet


PROTECTED_NOW = {
    "en": "is conquered not by entering it, but by leaving it or passing through it, "
    "if no enemy protects it after the battles (one does now)",
    "de": "wird nicht beim Betreten erobert, sondern beim Verlassen oder Durchziehen, und nur, "
    "falls nach den Schlachten ungeschützt (jetzt noch geschützt)",
    "es": "no se conquista al entrar, sino al salir de ella o pasar por ella, "
    "si tras las batallas no la protege ningún enemigo (ahora está protegida)",
    "it": "non si conquista entrando, ma uscendone o attraversandola, "
    "se dopo le battaglie nessun nemico la protegge (ora è protetta)",
}


@pytest.mark.parametrize("language", languages())
def test_the_shortest_sheet_says_that_a_city_is_protected_now(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 1)
    watched = in_language(of_sweden(tmp_path / "watched", "Stralsund", "Anklam"), language)
    for sheet in sheet_texts(watched, language)[:2]:
        assert PROTECTED_NOW[language] in flat(sheet), sheet


HUNGRY = """\
turn: 2
stage: france
phase: movement
pieces: {Broglie: "Eger, 5", Belle-Isle: "Straubing, 6", france train 2: off}
"""


@pytest.mark.parametrize("language", languages())
def test_of_a_general_out_of_supply_it_is_told_that_he_will_conquer_nothing(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", position=HUNGRY).begun().open() as campaign:
        told = just_marched(in_language(briefings(campaign)["louis"], language))
    (entered,) = entered_cities(told, language)
    assert (entered.is_down, entered.is_hungry) == (False, True)
    assert FACE_DOWN[language][1] in flat(body_text(report_data(told)))
