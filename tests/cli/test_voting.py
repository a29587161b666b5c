"""Votes on a silent seat and on another clock, by the commands, told in every language."""

from __future__ import annotations

import base64
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.campaign.proof.verifying import verify
from pbem.desk.bridge import Bridge
from pbem.faults.wrong import words
from tests.cli.correspondence import NAME, Correspondence
from tests.desk.test_desk import ask
from tests.protocol.second import verify as second


@pytest.fixture(scope="module")
def voted(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign whose seats have given the seat of Maria Theresa away, and agreed on another clock."""
    table = Correspondence(tmp_path_factory.mktemp("voted"))
    table.begin("--votes", "majority", "--resigned", "hold")
    table.join()
    table.now += timedelta(days=4)
    for subject in (("replace", "maria-theresa"), ("clock", "5d")):
        report = table.sent("frederick.report.yaml")
        table.run("propose", *subject, "--report", report, "-o", "p.yaml", as_="frederick")
        (letter,) = table.accept("p.yaml")
        table.post()
        report = table.sent("louis.report.yaml")
        table.run("vote", str(letter["entry"]), "yes", "--report", report, "-o", "v.yaml", as_="louis")
        table.accept("v.yaml")
    table.post()
    return table


TOLD = {
    "en": (
        "The seat Maria Theresa is taken from its player, and is vacant",
        "Each stage that is asked from now on has 5 days",
    ),
    "de": ("Der Platz Maria Theresia ist frei", "Für jeden Zug, der ab jetzt gefragt wird, beträgt die Frist 5 Tage"),
    "es": ("El puesto María Teresa queda libre", "Desde ahora cada etapa nueva tiene un plazo de 5 días"),
    "it": ("Il posto di Maria Teresa è libero", "Ogni fase chiesta da ora in poi ha 5 giorni"),
}


@pytest.mark.parametrize("language", TOLD)
def test_what_was_voted_is_told_in_every_language(voted: Correspondence, tmp_path: Path, language: str) -> None:
    log = voted.run("log", NAME, "--language", language).output
    assert "resolution" in log
    assert "\\u{" not in log, "blanks at which no line breaks are plain ones"
    table = voted.copied(tmp_path / "table")
    table.run("export", "site", "-C", NAME, "--language", language)
    said = " ".join((table.root / "site" / "log.html").read_text("utf-8").split())
    for sentence in TOLD[language]:
        assert sentence in said


def test_reports_tell_it_and_the_game_goes_on_without_the_seat(voted: Correspondence, tmp_path: Path) -> None:
    said = " ".join(Path(voted.sent("frederick.txt")).read_text("utf-8").split())
    assert TOLD["en"][1] in said
    assert "waiting for Louis" in said
    assert "with Austria" not in said
    assert "nothing is required" in next(
        line for line in voted.run("status", NAME).output.splitlines() if "maria-theresa" in line
    )
    table = voted.copied(tmp_path / "table")
    assert table.owing() == ["louis", "frederick"], "nobody waits for Maria Theresa"
    for seat in table.owing():
        table.order(seat)
    done = table.json("adjudicate", "-C", NAME, as_="moderator")
    assert done["absent"] == {"maria-theresa": "nobody plays the seat any more"}
    assert done["deadline"] >= f"{table.now + timedelta(days=5):%Y-%m-%d}"
    table.post()
    assert "Defaults answered for" in " ".join(Path(table.sent("louis.txt")).read_text("utf-8").split())
    table.moderate("close", "--why", "enough")
    assert verify(table.folder).is_good
    assert second(table.folder) == []


@pytest.fixture(scope="module")
def proposed(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign in which Frederick proposes a draw, and everybody has a report of it. Louis is for it."""
    table = Correspondence(tmp_path_factory.mktemp("proposed"))
    table.begin()
    table.join()
    table.run("propose", "draw", "--report", table.sent("frederick.report.yaml"), "-o", "p.yaml", as_="frederick")
    table.accept("p.yaml")
    table.post()
    table.accept(vote_of(table, "louis", "yes", "louis-yes.yaml"))
    return table


def vote_of(table: Correspondence, seat: str, says: str, file: str) -> str:
    """The file with somebody's vote on the draw."""
    report = table.sent(f"{seat}.report.yaml")
    entry = next(each["entry"] for each in table.json("log", NAME) if each["kind"] == "proposal")
    table.run("vote", str(entry), says, "--report", report, "-o", file, as_=seat)
    return file


def kinds(table: Correspondence) -> list[str]:
    return [each["kind"] for each in table.json("log", NAME)]


def is_sound(table: Correspondence) -> bool:
    return verify(table.folder).is_good and second(table.folder) == []


def mail_of(table: Correspondence, *letters: str, name: str) -> str:
    """A mail with these letters."""
    head = f"From: mt@example.org\nTo: max@example.org\nMessage-ID: <{name}@example.org>\nSubject: {NAME}\n\n"
    (table.root / name).write_text(head + "\n\n".join((table.root / each).read_text("utf-8") for each in letters))
    return name


def test_a_report_tells_an_open_proposal_once_with_how_to_vote(proposed: Correspondence) -> None:
    body = (proposed.root / proposed.sent("maria-theresa.txt")).read_text("utf-8")
    assert body.count("proposes to end the game as a draw") == 1
    assert body.index("Proposals to vote on") < body.index("proposes to end the game as a draw")


@pytest.mark.parametrize("form", ["two files", "newer first", "two mails", "one mail"])
def test_of_a_seat_s_votes_that_are_read_together_the_newest_counts(
    proposed: Correspondence, tmp_path: Path, form: str
) -> None:
    table = proposed.copied(tmp_path / "table")
    votes = [vote_of(table, "maria-theresa", says, f"{says}.yaml") for says in ("yes", "no")]
    match form:
        case "newer first":
            votes.reverse()
        case "two mails":
            votes = [mail_of(table, each, name=f"{each}.eml") for each in votes]
        case "one mail":
            votes = [mail_of(table, *votes, name="both.eml")]
    taken = table.taken(*votes)
    assert [letter["status"] for letter in taken["letters"]] == ["final"]
    assert "a newer vote" in taken["passed over"][0]["why"]
    assert kinds(table)[-1] == "vote"
    assert "no (frederick: to end the game as a draw)" in table.json("log", NAME)[-1]["words"]
    assert table.json("status", NAME)["phase"] == "running"
    again = table.taken(*votes)
    assert again["letters"] == [], "read again they do nothing"
    assert kinds(table)[-1] == "vote"
    assert is_sound(table)


FAILED = "With that the proposal has failed."


def test_a_vote_that_comes_after_the_no_is_told_whose_it_was(proposed: Correspondence, tmp_path: Path) -> None:
    table = proposed.copied(tmp_path / "table")
    late = vote_of(table, "louis", "yes", "late.yaml")
    no = vote_of(table, "maria-theresa", "no", "no.yaml")
    told = table.moderate("accept", no)
    assert "the proposal of frederick has failed: maria-theresa voted no" in told.stderr
    (refused,) = table.accept(late)
    assert [fault["code"] for fault in refused["faults"]] == ["E-VOTE-PROPOSAL"]
    answer = (table.root / table.sent("louis-receipt-0009.txt")).read_text("utf-8")
    assert "Correct it" not in answer
    assert "Maria Theresa voted no" in " ".join(answer.split())
    table.post()
    report = table.sent("louis.report.yaml")
    body = (table.root / table.sent("louis.txt")).read_text("utf-8")
    assert FAILED in body
    assert "Proposals to vote on" not in body
    assert "Maria Theresa voted no" in table.run("check", late, "--report", report, as_="louis", code=1).output
    again = table.run("vote", "6", "yes", "--report", report, "-o", "again.yaml", as_="louis", code=1)
    assert "Maria Theresa voted no" in again.output
    assert not (table.root / "again.yaml").exists()
    table.moderate("rule", "on with it")
    table.post()
    assert FAILED not in (table.root / table.sent("louis.txt")).read_text("utf-8"), "told once"


def test_a_proposal_that_lapsed_is_told_in_the_next_report(proposed: Correspondence, tmp_path: Path) -> None:
    table = proposed.copied(tmp_path / "table")
    table.now += timedelta(days=8)
    assert "has lapsed" in table.moderate("rule", "on with it").stderr
    table.post()
    body = (table.root / table.sent("louis.txt")).read_text("utf-8")
    assert "to end the game as a draw has lapsed: its time was over." in " ".join(body.split())


def test_a_newer_vote_that_is_refused_replaces_none(proposed: Correspondence, tmp_path: Path) -> None:
    table = proposed.copied(tmp_path / "table")
    votes = [vote_of(table, "maria-theresa", says, f"{says}.yaml") for says in ("yes", "no")]
    spoilt = (table.root / votes[1]).read_text("utf-8").partition("signature:")[0].replace("says: no", "says: perhaps")
    (table.root / votes[1]).write_text(spoilt)
    table.run("sign", votes[1], as_="maria-theresa")
    assert [letter["status"] for letter in table.accept(*votes)] == ["final", "refused"]
    assert table.json("status", NAME)["phase"] == "over"


def test_a_withdrawal_that_is_read_with_the_last_vote_comes_first(proposed: Correspondence, tmp_path: Path) -> None:
    table = proposed.copied(tmp_path / "table")
    votes = [vote_of(table, "maria-theresa", "yes", "last.yaml")]
    for _ in range(3):  # It has the higher number.
        votes.append(vote_of(table, "frederick", "no", "withdrawn.yaml"))
    letters = table.taken(votes[0], votes[-1])["letters"]
    assert [(letter["player"], letter["status"]) for letter in letters] == [
        ("frederick", "final"),
        ("maria-theresa", "refused"),
    ]
    assert table.json("status", NAME)["phase"] == "running"
    assert is_sound(table)


FOLLOWS = {
    "substitute": "the moderator invites somebody for your seat",
    "bot": "the agreed bot has your seat then",
    "hold": "the default orders answer for your seat",
}


@pytest.mark.parametrize("resigned", FOLLOWS)
def test_who_resigns_is_told_what_follows_and_of_no_vote(tmp_path: Path, resigned: str) -> None:
    table = Correspondence(tmp_path)
    table.begin("--resigned", resigned, "--stand-in", "sensible")
    table.join()
    report = ("--report", table.sent("louis.report.yaml"))
    told = table.run("propose", "resign", *report, "-o", "r.yaml", as_="louis").output
    assert FOLLOWS[resigned] in told
    assert "All seats are told" not in told
    assert FOLLOWS[resigned] in table.run("check", "r.yaml", *report, as_="louis").output
    german = table.run("check", "r.yaml", *report, "--language", "de", as_="louis").output
    assert words(f"resigning-{resigned}").text("de") in german
    told = table.run("propose", "draw", *report, "-o", "d.yaml", as_="louis").output
    assert "All seats are told, and vote." in told
    assert table.accept("r.yaml")[0]["status"] == "final"
    assert kinds(table)[-1] == ("substitute" if resigned == "bot" else "proposal")


def test_who_resigned_may_have_the_seat_back_by_a_substitution(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--resigned", "hold")
    table.join()
    table.run("propose", "resign", "--report", table.sent("louis.report.yaml"), "-o", "r.yaml", as_="louis")
    table.accept("r.yaml")
    again = ("substitute", "louis", "--new-key", "louis/key.pub", "--why", "back")
    assert "W-DONE-BEFORE" not in table.moderate(*again).output
    assert kinds(table)[-1] == "substitute"
    assert "W-DONE-BEFORE" in table.moderate(*again).output
    assert kinds(table)[-2:] == ["proposal", "substitute"]
    assert second(table.folder) == []


UNFIT = {
    ("concede", "louis"): "E-PROPOSAL-ABOUT",
    ("draw", "louis"): "E-PROPOSAL-ABOUT",
    ("time", "3"): "E-PROPOSAL-AGREED",
    ("clock", "5d"): "E-PROPOSAL-AGREED",
    ("replace", "frederick"): "E-PROPOSAL-AGREED",
}


@pytest.mark.parametrize("said", UNFIT)
def test_what_the_moderator_must_refuse_is_refused_before_it_is_sent(
    proposed: Correspondence, tmp_path: Path, said: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = proposed.copied(tmp_path / "table")
    report = ("--report", table.sent("louis.report.yaml"))
    wanted = ("propose", *said, *report, "-o", "unfit.yaml")
    assert UNFIT[said] in table.run(*wanted, as_="louis", code=1).output
    assert not (table.root / "unfit.yaml").exists()
    with monkeypatch.context() as earlier:
        earlier.setattr("pbem.player.writing.motion_faults", lambda seen, letter: [])
        table.run(*wanted, as_="louis")
    assert UNFIT[said] in table.run("check", "unfit.yaml", *report, as_="louis", code=1).output
    (letter,) = table.accept("unfit.yaml")
    assert UNFIT[said] in [fault["code"] for fault in letter["faults"]], "as the moderator says"


def test_what_was_agreed_and_who_has_resigned_is_in_the_report(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--votes", "majority", "--resigned", "hold")
    table.join()
    report = ("--report", table.sent("louis.report.yaml"))
    table.run("propose", "time", "3", *report, "-o", "t.yaml", as_="louis")
    assert "E-PROPOSAL-ABOUT" in table.run("propose", "time", "31", *report, as_="louis", code=1).output
    assert "E-PROPOSAL-ABOUT" in table.run("propose", "clock", "72h", *report, as_="louis", code=1).output
    table.run("propose", "resign", "--report", table.sent("frederick.report.yaml"), "-o", "r.yaml", as_="frederick")
    table.accept("r.yaml")
    table.post()
    report = ("--report", table.sent("frederick.report.yaml"))
    assert "E-PROPOSAL-RESIGNED" in table.run("propose", "draw", *report, as_="frederick", code=1).output
    assert (
        "E-PROPOSAL-AGREED"
        in table.run(
            "propose", "replace", "maria-theresa", "--report", table.sent("louis.report.yaml"), as_="louis", code=1
        ).output
    )  # .few
    assert table.run("verify", NAME, "--report", table.sent("louis.report.yaml")).output


def test_a_bot_that_completes_a_vote_is_told_to_the_moderator(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--stand-in", "sensible", "--votes", "all")
    table.join()
    quiet = table.copied(tmp_path / "quiet")
    for subject in ("draw", "time 3"):
        report = table.sent("frederick.report.yaml")
        table.run("propose", *subject.split(), "--report", report, "-o", "p.yaml", as_="frederick")
        (letter,) = table.accept("p.yaml")
        table.post()
        table.run(
            "vote",
            str(letter["entry"]),
            "yes",
            "--report",
            table.sent("louis.report.yaml"),
            "-o",
            "v.yaml",
            as_="louis",
        )
        table.accept("v.yaml")
        if subject == "draw":
            ended = table.copied(tmp_path / "ended")
    told = ended.moderate("substitute", "maria-theresa", "--bot", "sensible", "--why", "gone")
    assert "W-PROPOSAL-CARRIED" in told.stderr
    assert "the game is over" in told.stderr
    assert kinds(ended)[-1] == "end"
    told = table.moderate("substitute", "maria-theresa", "--bot", "sensible", "--why", "gone")
    assert "carries it out" in told.stderr
    assert "extension" in kinds(table)
    assert is_sound(table)
    assert "W-PROPOSAL" not in quiet.moderate("substitute", "louis", "--bot", "sensible", "--why", "gone").stderr


END_TOLD = {
    "en": "Result, by agreement: a draw.",
    "de": "Ergebnis, nach Übereinkunft: unentschieden.",
    "es": "Resultado, por acuerdo: empate.",
    "it": "Risultato, per accordo: parità.",
}


@pytest.mark.parametrize("language", END_TOLD)
def test_an_end_by_agreement_asks_nothing_and_its_result_stands_first(
    proposed: Correspondence, tmp_path: Path, language: str
) -> None:
    table = proposed.copied(tmp_path / "table")

    def beginning() -> str:
        told = table.run("report", "louis", "-C", NAME, "--language", language, as_="moderator").stdout
        return " ".join(told.split())[:200]

    table.accept(vote_of(table, "maria-theresa", "yes", "last.yaml"))
    table.post()
    report = Path(table.sent("maria-theresa.report.yaml"))
    assert "asked: {}" in report.read_text("utf-8")
    assert END_TOLD[language] in beginning()
    bridge = Bridge(language)
    ask(bridge, "open", base64.b64encode(report.read_bytes()).decode(), "report.yaml")
    found = ask(bridge, "accept")["opened"]
    assert found["sitting"]["over"]
    assert found["state"]["asked"] == []
    table.moderate("close", "--why", "enough")
    table.post()
    assert END_TOLD[language] in beginning()
