"""Words of sheets and plans that hold where they stand: for one general, for a first line, for a plan with marches."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.engine.decisions import March
from pbem.engine.events import CardPlayed
from pbem.engine.field import OFF, alter
from pbem.kit import copy_of, game_of
from pbem.paper.agreements import Deal
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.trial import run
from pbem.report.blocks import notation
from pbem.report.language.templates import languages, macros_of
from pbem.report.letters.ahead_example import ahead_example
from pbem.report.letters.plan_words import plan_words
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import question_for, sheet_text, sheet_texts
from pbem.report.letters.sheet_lines import THOUGHTS, line_beside_note
from tests.campaign.fights import begin
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import body_text

DESTROYED = {
    "en": ("which destroys its general (2 troops)", "which destroys its whole stack (4 troops)"),
    "de": ("was den General vernichtet (2 Truppen)", "was den ganzen Turm vernichtet (4 Truppen)"),
    "es": ("lo que destruye a su general (2 tropas)", "lo que destruye todo el apilamiento (4 tropas)"),
    "it": ("il che distrugge il suo generale (2 truppe)", "il che distrugge l'intera pila (4 truppe)"),
}
IN_THIS_STAGE = {
    "en": "in this stage alone",
    "de": "aber nur in diesem Zug",
    "es": "solo en esta etapa",
    "it": "solo in questa fase",
}
OTHER = {"en": "other", "de": "andere", "es": "otra", "it": "altra"}


@pytest.mark.parametrize("generals", [1, 2])
@pytest.mark.parametrize("language", languages())
def test_a_single_general_is_no_stack(tmp_path: Path, language: str, generals: int) -> None:
    with begin(tmp_path / "campaign", "maria", score=-2).table.open() as campaign:
        told = briefings(campaign)["maria-theresa"]
    table = copy_of(told.table_in_play)
    duel, field, common = table.state.duel, table.state.field, table.rules.common
    assert duel
    here = sorted(common.generals("austria"), key=lambda each: field.pieces[each].city != duel.defending_city)
    for number, general in enumerate(here):
        alter(field, general, city=duel.defending_city if number < generals else OFF, troops=2)
    duel.score, duel.turn = 2 * generals, "defender"
    (play,) = game_of(table).decisions(table)
    question = question_for(table, play, language, {"short": True}).replace("\u00a0", " ")
    assert [each in question for each in DESTROYED[language]] == [generals == 1, generals == 2], question


def asked_to_march(folder: Path) -> list[Briefing]:
    """The readers of a new campaign who are the first to be asked for marches."""
    table = SimulatedTable(folder / "campaign", scenario="introductory").begun()
    while True:
        with table.open() as campaign:
            told = briefings(campaign).values()
        if asking := [each for each in told if any(isinstance(asked, March) for asked in each.orders.asked)]:
            return asking
        table.ordered(*table.players)
        table.carried_out()


@pytest.mark.parametrize("language", languages())
def test_a_sheet_and_its_heading_say_what_makes_orders_of_its_lines(tmp_path: Path, language: str) -> None:
    """A reader who does just what they say with any of the lines has legal orders."""
    told = in_language(asked_to_march(tmp_path)[0], language)
    sheet, table = sheet_text(told, language), told.table_in_play
    heading = re.search(r"(?m)^.*\(`orders\.yaml`\): .*$", body_text(report_data(told)))
    assert heading
    beginning = sheet.replace("\n# ", " ").replace("\u00a0", " ").partition("pbem: 1\n")[0]
    for said in (heading.group().partition("`orders.yaml`")[2], beginning):
        sign, becomes = [*re.findall("`([^`]+)`", said), ""][:2]
        places = [found.span(1) for found in re.finditer(rf"(?m)^ *({re.escape(sign)})", sheet)]
        assert len(places) > 3, said
        for start, end in places:
            text = sheet[:start] + becomes + sheet[end:]
            assert not run(table, load_orders(text.encode(), "orders.yaml", table.rules)).faults, text


@pytest.mark.parametrize("language", languages())
def test_a_plan_in_a_sheet_of_marches_says_how_long_it_holds(tmp_path: Path, language: str) -> None:
    asking = asked_to_march(tmp_path)
    words = " ".join(sheet_text(asking[0], language).replace("#", " ").split())
    assert IN_THIS_STAGE[language] in words
    assert "`kind: plan`" in words.partition(IN_THIS_STAGE[language])[2][:120]


def test_orders_without_room_are_not_counted_below_marches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of further orders below `move:` would say nothing of marches, which have lines of their own."""
    monkeypatch.setattr("pbem.report.letters.sheet.ROOM", 5)
    asking = asked_to_march(tmp_path)
    below = [sheet_text(each, "en").partition("move:\n")[2].splitlines()[0] for each in asking]
    assert not [line for line in below if line.endswith(" more")]


@pytest.mark.parametrize("language", languages())
def test_no_line_of_a_preset_speaks_of_other_battles(language: str) -> None:
    """A letter may have such a line as its first."""
    said = plan_words("maria", language, {"for": "battle", "tactic": "decline", "standing": "yes"})
    assert said
    assert OTHER[language] not in said.lower().split()


AGREED = {
    "en": "Agreement with Maria Theresa (entry 7) on: Prague.",
    "de": "Vereinbarung mit Maria Theresia (Eintrag 7) über: Prag.",
    "es": "Acuerdo con María Teresa (entrada 7) sobre: Praga.",
    "it": "Accordo con Maria Teresa (voce 7 del registro) su: Praga.",
}

BEFORE_PRAGUE = """\
turn: 2
stage: france
phase: movement
pieces: {Broglie: "Karlsbad, 5", Belle-Isle: "Straubing, 6"}
"""


@pytest.mark.parametrize("language", languages())
def test_an_example_to_a_city_of_an_agreement_recalls_the_agreement(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", position=BEFORE_PRAGUE).begun().open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    deal = Deal(7, ("louis", "maria-theresa"), "Hands off.", {"cities": ("Prag", "Wien")})
    cases = (
        (deal, True),
        (replace(deal, binds={"cities": ("Wien",)}), False),
        (replace(deal, binds={"stages": ("3/france",), "cities": ("Prag",)}), False),
        (replace(deal, players=("frederick", "maria-theresa")), False),
    )
    for each, is_recalled in cases:
        for sheet in sheet_texts(replace(told, deals=(each,)), language)[:2]:
            words = " ".join(sheet.replace("#", " ").split())
            assert (AGREED[language] in words) is is_recalled, sheet


SWEEPS = {
    "en": "removes your own hussar in Frankenstein",
    "de": "eigener Husar vertrieben in Frankenstein",
    "es": "expulsa al húsar propio de Frankenstein",
    "it": "rimosso il proprio ussaro a Frankenstein",
}

SWEEPS_BOTH = {
    "en": "removes your own hussars in Frankenstein",
    "de": "eigene Husaren vertrieben in Frankenstein",
    "es": "expulsa a los húsares propios de Frankenstein",
    "it": "rimossi i propri ussari a Frankenstein",
}

HUSSARS = """\
turn: 2
stage: austria
phase: movement
pieces: {{Neipperg: "Glatz, 5", Khevenhüller: "Linz, 6"}}
hussars: [{}, {}]
hands: {{austria: [R]}}
"""


@pytest.mark.parametrize("language", languages())
def test_a_march_over_an_own_hussar_is_told_in_both_sheets(tmp_path: Path, language: str) -> None:
    cases = {"one": ("Frankenstein", "Prag"), "both": ("Frankenstein", "Frankenstein"), "none": ("Eger", "Eger")}
    for case, cities in cases.items():
        with SimulatedTable(tmp_path / case, position=HUSSARS.format(*cities)).begun().open() as campaign:
            told = in_language(briefings(campaign)["maria-theresa"], language)
        for sheet in sheet_texts(told, language)[:2]:
            words = " ".join(sheet.replace("#", " ").split())
            assert (SWEEPS[language] in words) is (case == "one"), sheet
            assert (SWEEPS_BOTH[language] in words) is (case == "both"), sheet


BEFORE_FRANCE = """\
turn: 2
stage: hussars
pieces: {{Broglie: "{}, 5", Belle-Isle: "{}, 6", france train 2: Passau}}
"""


@pytest.mark.parametrize("language", languages())
def test_no_example_of_orders_ahead_leads_to_a_city_of_an_agreement(tmp_path: Path, language: str) -> None:
    position = BEFORE_FRANCE.format("Karlsbad", "Straubing")
    with SimulatedTable(tmp_path / "campaign", position=position).begun().open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    example = ahead_example(told, language)
    city = example.written.rpartition(": ")[2].strip("]}")
    assert example.stage == "2/france"
    deal = Deal(7, ("louis", "maria-theresa"), "Hands off.", {"cities": (city,)})
    other = ahead_example(replace(told, deals=(deal,)), language)
    assert other != example
    assert city not in other.written
    later = replace(deal, binds={"cities": (city,), "stages": ("3/france",)})
    assert ahead_example(replace(told, deals=(later,)), language) == example


def test_an_example_of_orders_ahead_is_not_for_a_general_who_starves_if_another_can_serve(tmp_path: Path) -> None:
    for broglie, belle_isle, fed in (("Teschen", "Straubing", "Belle-Isle"), ("Straubing", "Teschen", "Broglie")):
        position = BEFORE_FRANCE.format(broglie, belle_isle)
        with SimulatedTable(tmp_path / fed, position=position).begun().open() as campaign:
            assert f"move: [{{{fed}: " in ahead_example(briefings(campaign)["louis"], "en").written


APART = {
    "en": (
        "Neipperg – from Glatz; battle: ♠ against Friedrich der Große (1–4 troops, ♠)",
        "Liegnitz is conquered not by entering it, but by leaving it or passing through it, "
        "if no enemy protects it after the battles (one does now)",
        "removes your own hussar in Frankenstein",
    ),
    "de": (
        "Neipperg – von Glatz; Schlacht: ♠ gegen Friedrich den Großen (1–4 Truppen, ♠)",
        "Liegnitz wird nicht beim Betreten erobert, sondern beim Verlassen oder Durchziehen, und nur, "
        "falls nach den Schlachten ungeschützt (jetzt noch geschützt)",
        "eigener Husar vertrieben in Frankenstein",
    ),
    "es": (
        "Neipperg – desde Glatz; batalla: ♠ contra Friedrich der Große (1–4 tropas, ♠)",
        "Liegnitz no se conquista al entrar, sino al salir de ella o pasar por ella, "
        "si tras las batallas no la protege ningún enemigo (ahora está protegida)",
        "expulsa al húsar propio de Frankenstein",
    ),
    "it": (
        "Neipperg – da Glatz; battaglia: ♠ contro Friedrich der Große (1–4 truppe, ♠)",
        "Liegnitz non si conquista entrando, ma uscendone o attraversandola, "
        "se dopo le battaglie nessun nemico la protegge (ora è protetta)",
        "rimosso il proprio ussaro a Frankenstein",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_each_thought_of_a_note_has_a_line_of_its_own(tmp_path: Path, language: str) -> None:
    position = HUSSARS.format("Frankenstein", "Prag")
    with SimulatedTable(tmp_path / "campaign", position=position).begun().open() as campaign:
        whole, short = sheet_texts(in_language(briefings(campaign)["maria-theresa"], language), language)[:2]
    first, second, third = APART[language]
    longest = re.sub(r"\n +#     ", " ", whole)
    assert f"\n        # {first};\n        #   {second};\n        #   {third};\n" in longest, whole
    words = " ".join(short.replace("#", " ").split())
    assert f"Neipperg – {second}" in words, short
    assert third in words, short


def test_thoughts_stand_apart_beside_a_line_only_if_that_takes_no_more_lines() -> None:
    long = "takes: Pilsen and Prague and Eger and Budweis and Tabor"
    apart = line_beside_note("    # - Traun: Eger", THOUGHTS.join((long, "no supply", "battle")), "", 72)
    assert apart == "    # - Traun: Eger", "there is nothing that must be said"
    for must, lines in ((("no supply in Eger", long), 2), (("no supply", "forced march", long), 2)):
        told = line_beside_note("    # - Traun: Eger", THOUGHTS.join(must), THOUGHTS.join(must), 72)
        assert told.count("\n") == lines, told


DECIDED = {
    "en": (
        "decides this while `recruit` below has its `#`. Delete the `# `, and what you write there decides; `{}`",
        "`{}` means no new troops",
        "Orders here",
    ),
    "de": (
        "entscheidet das, solange vor `recruit` ein `#` steht. Löschst du das `# `",
        "`{}` heißt: keine neuen Truppen",
        "Befehle hier",
    ),
    "es": (
        "decide esto mientras `recruit` tenga un `#` delante. Si borras el `# `",
        "`{}` significa ninguna tropa",
        "Lo que ordenes aquí",
    ),
    "it": (
        "piani per l'Austria, finché davanti a `recruit` c'è un `#`. Se togli il `# `, vale",
        "`{}` significa nessuna",
        "Ciò che ordini qui",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_a_plan_for_recruits_is_told_with_what_an_order_beside_it_needs(language: str) -> None:
    """A line without a sign is told otherwise."""
    words = macros_of(language, "maria", "campaign_sheet_words.txt.j2")
    section = {"plan_line": 7, "power": "austria", "section": "recruit"}
    told, plain = (
        " ".join(str(words.planned({**section, "written": text})).split()) for text in ("# recruit: {}", "recruit: {}")
    )
    assert all(part in told for part in DECIDED[language][:2]), told
    assert DECIDED[language][2] in plain, plain


TWINS = {
    "en": "In hand more than once: ♦4; each mention plays one.",
    "de": "Mehrmals auf der Hand: ♦4; jede Nennung spielt eine.",
    "es": "Más de una vez en la mano: ♦4; cada mención juega una.",
    "it": "In mano più di una volta: ♦4; ogni menzione ne gioca una.",
}


@pytest.mark.parametrize("name", ["maria", "friedrich"])
def test_of_two_cards_with_one_name_the_sheet_says_that_each_mention_plays_one(tmp_path: Path, name: str) -> None:
    for hand, has_twins in (("d4 d4 d9 R R", True), ("d4 d9 R R", False)):
        fight = begin(tmp_path / hand, name, score=-9, hand=hand)
        told = fight.news()["maria-theresa"]
        for language in languages():
            for sheet in sheet_texts(in_language(told, language), language)[:2]:
                assert (TWINS[language] in " ".join(sheet.replace("#", " ").split())) is has_twins, sheet
    fight = begin(tmp_path / "played", name, score=-9, hand="d4 d4 d9")
    fight.orders("maria-theresa", {"play": ["♦4", "♦4", "stop"]})
    played = [event.card for event in fight.table.carried_out().outcome.events if isinstance(event, CardPlayed)]
    assert [notation(card) for card in played] == ["♦4", "♦4"]
