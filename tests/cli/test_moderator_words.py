"""Lines of the moderator's commands in the language that is wanted."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.report.language.templates import languages
from tests.cli.correspondence import NAME, Correspondence

TOLD = {
    "en": ("entry 6: the deadline is Wednesday", "entry 7: louis is away from 2026-11-26", "Thu 2026", "deadline Sun"),
    "de": (
        "Eintrag 6: die Frist endet am Mittwoch",
        "Eintrag 7: louis ist von 2026-11-26 bis",
        "Do 2026",
        "Frist: So 2026",
    ),
    "es": (
        "entrada 6: el plazo acaba el miércoles",
        "entrada 7: louis está ausente del 2026",
        "jue 2026",
        "plazo: dom 2026",
    ),
    "it": (
        "voce 6: la scadenza è mercoledì",
        "voce 7: louis è assente dal",
        "gio 2026",
        "scadenza: dom 2026",
    ),
}
ENGLISH = ("of", "entry", "until", "deadline", "seen", "before", "final", "mails", "reminded", "Mon", "is", "all")
"""Words that no other language has in these lines."""


@pytest.mark.parametrize("language", languages())
def test_the_moderator_is_answered_in_one_language(
    begun: Correspondence, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", language)
    told = [begun.moderate("extend", "24h", "--why", "x").stdout]
    told.append(begun.moderate("absent", "louis", "2026-11-26", "2026-11-28").stdout)
    told.append(begun.moderate("extend", "2026-11-26", "--why", "x").stdout + begun.run("status", NAME).output)
    told.append(begun.moderate("absent", "frederick", "2026-11-26", "2026-11-28").stdout)
    for said, wanted in zip(told, TOLD[language], strict=True):
        assert wanted in said
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    told += [begun.moderate("accept", sheet).stdout for _ in range(2)]
    begun.now += timedelta(days=9)
    told += [begun.moderate("remind").stdout, begun.moderate("adjudicate", "--force").stdout]
    told += [begun.moderate("post", "--no-pictures").stdout, begun.moderate("rule", "x").stdout]
    told.append(begun.moderate("rollback", "--to", "6", "--why", "x").stdout)
    everything = " ".join(told)
    assert language == "en" or not set(re.findall(r"\w+", everything.replace(str(begun.root), ""))) & set(ENGLISH)


@pytest.mark.parametrize("language", sorted(set(languages()) - {"en"}))
def test_what_a_campaign_protects_is_told_in_the_language(
    begun: Correspondence, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", language)
    options = ("--stand-in", "strong"), ("--moderator-seat", "frederick", "--sealing", "reveal")
    told = [begun.run("new", f"new-{at}", *each, as_="moderator").stdout for at, each in enumerate(options)]
    assert all(len(each.splitlines()) > 7 for each in told)
    english = {"the", "nobody", "sealed", "proved", "who", "plays", "seats", "Next", "and"}
    assert not set(re.findall(r"\w+", " ".join(told))) & english


INVITED = {
    "maria-theresa": "lädt dich zu einer Kampagne ein",
    "frederick": "lädt dich zu einer Kampagne ein",
    "louis": "una invitación",
    "everybody": "vienna-1741: an invitation",
}


def invitations(table: Correspondence) -> dict[str, str]:
    """The invitations in the outbox, by seat."""
    found = (table.folder / "outbox").glob("*/*-invitation.txt")
    return {path.name.removesuffix("-invitation.txt"): path.read_text() for path in found}


def test_an_invitation_is_in_the_language_of_who_is_invited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", "de")
    table = Correspondence(tmp_path)
    refused = table.run("new", NAME, "--seat", "louis=Luis <luis@example.org> xx", as_="moderator", code=2).output
    assert "Vorlagen" in refused
    table.run("new", NAME, "--seat", "louis=Luis <luis@example.org> es", as_="moderator")
    table.moderate("invite")
    told = invitations(table)
    for seat, words in INVITED.items():
        assert words in told[seat], seat


def test_who_all_speak_one_language_are_all_told_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", "it")
    table = Correspondence(tmp_path)
    table.run("new", NAME, "--delay", "0m", as_="moderator")
    table.moderate("invite")
    assert "un invito" in invitations(table)["everybody"]
    monkeypatch.delenv("PBEM_LANGUAGE")
    for seat in table.seats:
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in table.seats))
    table.moderate("adjudicate")
    monkeypatch.setenv("PBEM_LANGUAGE", "de")
    table.moderate("post", "--no-pictures")
    read = {reader: Path(table.sent(f"{reader}.txt")).read_text() for reader in ("louis", "observer", "moderator")}
    assert "Turno 1" in read["louis"]
    assert "turno 1" in read["observer"].casefold()
    assert "Runde 1" in read["moderator"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "de",
            ("läuft, Runde 1 (", ": Befehle, Nummer 2: angenommen", "dann wird die Kampagne trotzdem abgeschlossen"),
        ),
        ("es", ("en curso, turno 1 (", ": órdenes, número 2: se ha aceptado", "se cierra de todos modos")),
        ("it", ("in corso, turno 1 (", ": lettera 2 (ordini): accettata", "si chiude lo stesso")),
    ],
)
def test_lines_of_a_campaign_read_as_a_native_writes_them(
    begun: Correspondence, monkeypatch: pytest.MonkeyPatch, language: str, told: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", language)
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    said = begun.run("status", NAME).output + begun.moderate("accept", sheet).output
    said += begun.moderate("close", code=1).output
    for each in told:
        assert each in said
