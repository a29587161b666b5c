"""Commands speak the language in which somebody has joined, unless an option or the environment says otherwise."""

from __future__ import annotations

import os
import shutil
from email.message import EmailMessage
from pathlib import Path

import pytest

from .correspondence import NAME, SEATS, Correspondence

ENGLISH = (" the ", " is ", " of ", "nothing", "send", "signed", "Turn", " there", "your")
"""Words that stand in no German sentence."""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign that Louis has joined in German and Frederick in Italian; nobody changes it."""
    table = Correspondence(tmp_path_factory.mktemp("german"))
    table.begin()
    for seat, options in zip(SEATS, ((), ("--language", "it"), ("--language", "de")), strict=True):
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), *options, as_=seat)
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in SEATS))
    table.moderate("adjudicate")
    table.post()
    for seat in SEATS:
        table.run(table.sent(f"{seat}.report.yaml"), as_=seat)
        for name in ("report", "orders", "invitation"):
            (found,) = list((table.folder / "outbox").glob(f"*/{seat}*{name}.yaml"))[-1:]
            shutil.copy(found, table.root / seat / f"{name}.yaml")
        sheet = (table.root / seat / "orders.yaml").read_text()
        (table.root / seat / "wrong.yaml").write_text(sheet.replace("allot:", "allott:", 1))
        (table.root / seat / "box" / "new").mkdir(parents=True)
        (table.root / seat / "files").mkdir()
    return table


@pytest.fixture
def table(german: Correspondence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Correspondence:
    """The same in a folder of its own, at Louis' computer, where his key lies at its usual place."""
    found = german.copied(tmp_path / "table")
    (found.root / "config").mkdir()
    (found.root / "config" / "pbem").symlink_to(found.root / "louis")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(found.root / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(found.root / "state"))
    monkeypatch.delenv("PBEM_LANGUAGE", raising=False)
    return found


SETUP = ("--maildir", "louis/box", "--into", "louis/sent", "--campaigns", "louis/files", "--settings", "mail.yaml")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("check louis/orders.yaml --report louis/report.yaml", "keine Fehler"),
        ("check louis/wrong.yaml --report louis/report.yaml", "gemeint war vielleicht allot"),
        ("check louis/wrong.yaml", "der Brief ist noch nicht signiert"),
        ("check louis/missing.yaml", "diese Datei ist nicht zu lesen"),
        ("sign louis/orders.yaml", "signiert mit"),
        ("sign louis/report.yaml", "E-SIGN-MODERATOR"),
        ("seal louis/orders.yaml", "versiegelt für"),
        ("message all Ahoi", "Schick diesen Brief dem Spielleiter"),
        ("agree frederick Friede --report louis/report.yaml", "Schick diesen Brief dem Spielleiter"),
        ("status", "auf deine Befehle wird gewartet"),
        ("louis/report.yaml", "der Bericht der Kampagne"),
        ("louis/orders.yaml", "noch nicht signiert"),
        ("louis/invitation.yaml", "eine Einladung zur Kampagne"),
        ("show louis/report.yaml", "Frankreich"),
        ("legal louis/report.yaml", "Frankreich"),
        ("try louis/report.yaml louis/orders.yaml", "Frankreich"),
        ("plan preset careful --report louis/report.yaml", "# "),
        ("plan preset careful --report louis/report.yaml -o plan.yaml", ", für Frankreich"),
        ("mail setup --as louis " + " ".join(SETUP), "Postfach: Nachrichten: 0"),
        ("verify vienna-1741 --report louis/report.yaml", "vienna-1741 (läuft): alles in Ordnung"),
        ("verify --all . --jobs 1", "vienna-1741 (läuft): alles in Ordnung"),
        ("verify louis", "E-FOLDER-NONE"),
        ("status vienna-1741", "louis          Frankreich, Bayern"),
        ("status vienna-1741", "als Nächstes: warten auf Frankreich, Bayern, Preußen"),
        ("board list", "theatrum-belli: "),
        ("board list", " Städte"),
        ("board check friedrich", "672 Städte"),
        ("position load louis/report.yaml", "Runde 1 (Aufstellung), Verteilen der Truppen; zu entscheiden: Frankreich"),
        ("position save known.yaml --from louis/report.yaml", "known.yaml: was der Bericht sagt"),
        ("position save new.yaml", "new.yaml: Hash "),
        ("export site -C vienna-1741", "vienna-1741 (läuft): Züge: 1, Kämpfe: 0, Einträge: "),
        ("key show", "Fingerabdruck: SHA256:"),
        ("rules maria --bad", "Eine Option '--bad' gibt es nicht"),
        ("--bad", "Eine Option '--bad' gibt es nicht"),
    ],
)
def test_the_language_of_who_has_joined_is_that_of_commands(table: Correspondence, words: str, told: str) -> None:
    found = table.run(*words.split(), code=None).output
    assert told in found
    assert not [word for word in ENGLISH if word in found]


@pytest.mark.parametrize(
    ("words", "environment", "told"),
    [
        (("--language", "es"), "it", "se esperan tus órdenes"),
        ((), "it", "si aspettano i tuoi ordini"),
        ((), "", "auf deine Befehle wird gewartet"),
    ],
)
def test_an_option_and_the_environment_go_before_it(
    table: Correspondence, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], environment: str, told: str
) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", environment)
    assert told in table.run("status", *words).output


def test_a_campaign_is_told_of_in_its_own_language(table: Correspondence) -> None:
    """Somebody who plays one campaign in German and another in Italian."""
    mine, theirs = (table.root / seat / "key.campaigns" / f"{NAME}.{seat}.json" for seat in ("louis", "frederick"))
    (mine.parent / "milan.frederick.json").write_text(theirs.read_text().replace(NAME, "milan"))
    told = table.run("status").output
    assert "auf deine Befehle wird gewartet" in told
    assert "si aspettano i tuoi ordini" in told
    (table.root / "other.yaml").write_text((table.root / "louis" / "wrong.yaml").read_text().replace(NAME, "milan"))
    assert "è tutto in ordine" in table.run("check", "other.yaml").output
    assert "gemeint war" in table.run("check", "louis/wrong.yaml", code=1).output
    assert "No such option" in table.run("rules", "--bad", code=2).output


def test_a_folder_is_told_of_in_the_language_of_its_notes(table: Correspondence) -> None:
    """Somebody who has notes on another campaign, in Italian, too."""
    mine, theirs = (table.root / seat / "key.campaigns" / f"{NAME}.{seat}.json" for seat in ("louis", "frederick"))
    (mine.parent / "milan.frederick.json").write_text(theirs.read_text().replace(NAME, "milan"))
    assert (
        "nicht am Zug" in table.run("status", NAME).output or "noch keine Befehle" in table.run("status", NAME).output
    )
    assert table.json("status", NAME)["table"][0]["orders"] == "none yet"


def test_who_has_no_notes_reads_of_a_campaign_in_the_language_of_its_seats(
    table: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(table.root / "nowhere"))
    settings = table.folder / "campaign.yaml"
    for count, told in ((0, "next: wait for France"), (1, "next: wait for France"), (3, "a continuación: ")):
        settings.write_text(settings.read_text().replace(": {}", ":\n    language: es", count))
        assert told in table.run("status", NAME, code=None).output
    assert (
        "campañas: 1; NO son lo que deberían ser: 1"
        in table.run("verify", "--all", ".", "--jobs", "1", code=None).output
    )


def test_who_has_no_notes_is_told_in_the_language_of_the_report(
    table: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(table.root / "nowhere"))
    for report, told in (("louis/report.yaml", "Frankreich"), ("frederick/report.yaml", "Francia")):
        assert told in table.run("show", report).output
    assert "keine Fehler" in table.run("check", "louis/orders.yaml", "--report", "louis/report.yaml").output
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "max@example.org", "news"
    mail.add_attachment((table.root / "louis" / "report.yaml").read_bytes(), maintype="application", subtype="yaml")
    (table.root / "mail.eml").write_bytes(mail.as_bytes())
    assert "Frankreich" in table.run("show", "mail.eml").output


@pytest.mark.parametrize("key", [".", "x" * 300, "louis/report.yaml/key"], ids=["none", "long", "in-a-file"])
def test_a_key_beside_which_no_notes_can_lie_is_refused_in_words(table: Correspondence, key: str) -> None:
    assert table.run("sign", "louis/orders.yaml", "--key", key, code=None).exit_code in (1, 2)


def test_notes_that_cannot_be_read_are_passed_over(table: Correspondence) -> None:
    (table.root / "louis" / "key.campaigns" / "a.json").mkdir()
    assert "No such option" in table.run("rules", "--bad", code=2).output


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_what_lies_in_place_of_somebody_elses_settings_stops_no_command(table: Correspondence) -> None:
    other = table.root / "other"
    shutil.copytree(table.folder, other)
    (other / "campaign.yaml").unlink()
    os.mkfifo(other / "campaign.yaml")
    assert "E-DISK-KIND" in table.run("verify", "other", code=1).output
    found = table.run("verify", "--all", ".", "--jobs", "1", code=1).output
    assert "vienna-1741 (läuft): alles in Ordnung" in found
    assert "E-DISK-KIND" in found
    (other / "campaign.yaml").unlink()
    (other / "campaign.yaml").symlink_to("/dev/zero")
    for command in ("verify", "status"):
        assert "E-DISK-LINK" in table.run(command, "other", code=1).output
    (other / "campaign.yaml").unlink()
    with (other / "campaign.yaml").open("wb") as file:
        file.truncate(10**10)
    assert "E-DISK-SIZE" in table.run("verify", "other", code=1).output
