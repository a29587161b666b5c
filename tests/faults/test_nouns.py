"""The table of nouns: one spelling of each name in a language, and no key of the data where people read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.faults.nouns import ENGLISH, nouns, piece_noun, power_noun, stage_noun, turn_noun
from pbem.faults.wrong import Wrong, words, wrong
from pbem.report.language.templates import languages

TEMPLATES = Path(__file__).parents[2] / "templates"

OTHERWISE = {"forms", "the", "of", "to", "scenarios", "regions"}
"""Sections in which a language has only what it says otherwise."""

SPELT_ONCE = (
    "powers",
    "the",
    "of",
    "to",
    "lands",
    "in_lands",
    "players",
    "suits",
    "scenarios",
    "candidates",
    "victory_boxes",
)


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_names(language: str) -> None:
    keys = {section: set(names) for section, names in nouns(language).items() if section not in OTHERWISE}
    assert keys == {section: set(names) for section, names in nouns(ENGLISH).items() if section not in OTHERWISE}


@pytest.mark.parametrize("language", languages())
def test_a_noun_is_spelt_in_the_table_alone(language: str) -> None:
    """Titles of cards and the short rules are texts of their own."""
    table = nouns(language)
    names = {name for section in SPELT_ONCE for name in table.get(section, {}).values()}
    names |= {each.replace("\u00a0", " ") for each in names}
    found = {}
    for path in [*TEMPLATES.glob(f"{language}/**/*.j2"), *TEMPLATES.glob(f"{language}/**/*.yaml")]:
        if path.name not in ("nouns.yaml", "titles.txt.j2", "rules.yaml"):
            # Split at quotation marks, so that every second part is a text.
            texts = {text for line in path.read_text("utf-8").splitlines() for text in line.split('"')[1::2]}
            found |= {f"{path.name}: {text}": text for text in texts & names}
    assert found == {}


FAULTS: list[tuple[Wrong, str, str, str]] = [
    (
        wrong("E-ENTER-TRAIN", piece="austria train 2", power="pragmatic"),
        "Tross\xa02 Österreichs ist kein Tross von der Pragmatischen Armee",
        "el tren\xa02 de Austria no es un tren de suministros del Ejército Pragmático",
        "il treno\xa02 dell'Austria non è un treno di rifornimento dell'Armata Pragmatica",
    ),
    (
        wrong("E-SUBSIDY-ALLY", giver="france", receiver="pragmatic"),
        "Frankreich kann der Pragmatischen Armee keine Subsidien zahlen",
        "Francia no puede pagar subsidios al Ejército Pragmático",
        "la Francia non può pagare sovvenzioni all'Armata Pragmatica",
    ),
    (
        wrong("E-MARCH-POWER.active", piece="Daun", power="austria", active="imperial"),
        "Daun gehört Österreich, und am Zug ist die Reichsarmee",
        "Daun es de Austria, y actúa el Ejército Imperial",
        "Daun è dell'Austria, e agisce l'Armata Imperiale",
    ),
    (
        wrong("E-AHEAD-STAGE.past", stage="3/winter-france", now="4/politics"),
        "Runde 3 (Winter Frankreichs) ist vorbei: jetzt ist Runde 4 (Politik)",
        "el turno 3 (invierno de Francia) ya ha pasado: ahora es el turno 4 (política)",
        "il turno 3 (inverno della Francia) è passato: ora è il turno 4 (politica)",
    ),
    (
        wrong("E-SEAL-KIND", kind="message"),
        "versiegelt werden nur Befehle und Pläne, das hier ist eine Nachricht",
        "solo se sellan órdenes y planes, y esto es un mensaje",
        "si sigillano solo ordini e piani, e questo è un messaggio",
    ),
]


@pytest.mark.parametrize(("fault", "de", "es", "it"), FAULTS, ids=[fault.message.key for fault, *_ in FAULTS])
def test_faults_call_things_as_reports_do(fault: Wrong, de: str, es: str, it: str) -> None:
    assert [fault.message.text(language) for language in ("de", "es", "it")] == [de, es, it]


def test_what_is_to_be_typed_stays_a_key() -> None:
    assert wrong("E-MARCH-POWER", power="austria", owner="austria").data("de")["hint"] == (
        "den Befehl unter `austria` schreiben"
    )
    assert wrong("E-DUEL-MUST", suit="hearts").data("es")["hint"].startswith("cualquier carta de corazones")


def test_several_powers_are_joined_in_their_form() -> None:
    fault = words("E-POSITION.contract", powers=("france", "pragmatic"))
    assert fault.text("de") == "ein Vertrag zwischen Frankreich und der Pragmatischen Armee"


def test_what_no_table_knows_is_told_as_it_is_written() -> None:
    told = wrong("E-POSITION.marker-power", power="'Moravia'", city="Brünn").message.text("es")
    assert told == "un marcador de 'Moravia', potencia que no existe"
    assert turn_noun("20:00 (Europe/Vienna)", "de") == "20:00 (Europe/Vienna)"
    assert piece_noun("Daun", "it") == "Daun"
    assert power_noun("north", "of", "it") == "della North"
    assert stage_noun("north", "en") == "stage of North"
