"""One word for one thing, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.resources import resource

OTHERS = {
    "de": {
        "Spielleiter": r"(der|den|dem|des) Moderators?",
        "Platz": r"\bSitz(e|es)?\b",
        "Ersatzbefehle": r"\bdie Vorgabe\b|Standardbefehl",
        "Frist": r"bis zum Termin",
        "Quittung": "Empfangsbestätigung",
        "offenlegen": r"\bAufdeckung|[Ee]nthüll",
        "Zug": "Phase der Kampagne|Ende der Phase|Alle Phasen|Phase für Phase",
        "Postamt": r"\b(die|der) Post\b",
    },
    "es": {
        "órdenes por defecto": "lo predeterminado|predeterminadas",
        "tren": "[Cc]onvoy",
        "etapa": "final de la fase|empezar una fase|fase no indicada",
        "acuse": r"(?<!cuse de )(?<!cuses de )\brecibos?\b",
        "moderador": r"árbitro",
    },
    "it": {
        "ordini predefiniti": "d'ufficio|ordini sostitutivi|regole predefinite|ordini di default",
        "treno": "[Cc]onvoglio",
        "rapporto": "[Rr]esoconto",
        "svelare": "rivelazione",
        "moderatore": "arbitro",
    },
}
"""Words that stood beside the one word for a thing, by language and this one word."""


def texts(language: str) -> dict[str, str]:
    """All texts of a language, by file, with the tutorial."""
    root = resource("templates") / language
    found = {str(path): Path(str(path)).read_text() for path in sorted(Path(str(root)).rglob("*")) if path.is_file()}
    guide = Path(__file__).parents[2] / "docs" / f"tutorial-player.{language}.md"
    return found | {guide.name: guide.read_text()}


@pytest.mark.parametrize(("language", "word"), [(each, word) for each, words in OTHERS.items() for word in words])
def test_a_thing_has_one_word(language: str, word: str) -> None:
    other = re.compile(OTHERS[language][word])
    found = [f"{name}: {each[0]}" for name, text in texts(language).items() for each in other.finditer(text)]
    assert not found
