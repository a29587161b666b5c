"""Reports: golden ones of a small campaign, sheets that are valid as they are, and letters that programs read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import (
    AdjudicationRecord,
    KeyChangeRecord,
    LetterRecord,
    LockRecord,
    SubstituteRecord,
)
from pbem.campaign.letters.judging import judge
from pbem.campaign.news import EntryNote
from pbem.campaign.own_affairs import ends_game
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.players.guidance import guidance_of
from pbem.campaign.proof import judging_again
from pbem.campaign.settings import MODERATOR, OBSERVER, Conduct, Moderator, Newcomer, Seat
from pbem.engine.table import turn_of
from pbem.paper.documents.strict import bare
from pbem.paper.letters import check_signature, read_letter, sign_letter
from pbem.report.formats.pages import subject
from pbem.report.language.templates import WIDTH, languages
from pbem.report.letters.entries import notes_data
from pbem.report.letters.report import report_data
from pbem.report.letters.signed import report_letter
from pbem.seal.deal import check_opening
from pbem.seal.keys import new_key
from tests.report.plain import body_text, letter_text
from tests.trying import IS_LONG

from .campaign_table import SEATS, OpenTable, before_every_stage, send, steady
from .golden import check_golden


@pytest.fixture(scope="module")
def at_war(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Briefing]:
    """Briefings of everybody in the second movement stage, Prussia's, of the introductory game."""
    table = OpenTable(tmp_path_factory.mktemp("war"), scenario="introductory")
    table.join({"louis": "Jeanne d'Étiolles"})
    table.play(3)
    with table.open() as campaign:
        send(table, campaign, "louis", "message", {"to": "frederick", "text": "Shall we march on Prag?\n\nL."})
        send(table, campaign, "maria-theresa", "message", {"to": "all", "text": "Leave my country."})
        rulings.rule(campaign, "The bridge at Melnik counts as a road.", "§10.1")
        rulings.enter_absence(campaign, Absence("louis", date(2026, 12, 1), date(2026, 12, 4), "hunting"))
        rulings.extend(campaign, campaign.now + timedelta(days=9), "everybody is hunting")
        return briefings(campaign)


@pytest.mark.parametrize("reader", ["frederick", "louis", OBSERVER, MODERATOR])
def test_the_golden_reports(at_war: dict[str, Briefing], reader: str) -> None:
    check_golden(f"campaign-report-{reader}.txt", steady(letter_text(report_data(at_war[reader]))))


def test_a_report_is_plain_data(at_war: dict[str, Briefing]) -> None:
    for told in at_war.values():
        data = report_data(told)
        assert json.loads(json.dumps(data)) == data
        assert data["format"] == 1


def test_what_is_documented_is_what_a_report_has(at_war: dict[str, Briefing]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
    chapter = page.split("## A report")[1].split("\n## ")[0]
    told = {line.split("`")[1] for line in chapter.splitlines() if line.startswith("| `")}
    assert told == set(report_data(at_war["frederick"]))


def test_who_is_asked_is_told_first(at_war: dict[str, Briefing]) -> None:
    asked, other = (letter_text(report_data(at_war[reader])) for reader in ("frederick", "louis"))
    assert asked.index("your move") < asked.index("Reply by") < asked.index("Cards drawn")
    assert (
        asked.index("Cards drawn")
        < asked.index("You have")
        < asked.index("The position")
        < asked.index("Orders (`orders.yaml`)")
    )
    assert "nothing is asked of you" in " ".join(other.split())
    assert "`orders.yaml`" not in other
    assert "your move, by " in subject(report_data(at_war["frederick"]))


def test_a_mail_has_no_line_that_each_has(at_war: dict[str, Briefing]) -> None:
    asking, short = (body_text(report_data(at_war[reader])).splitlines() for reader in ("frederick", "louis"))
    for body in (asking, short):
        assert not {"What happened", "You have", "In full: `report.html`", "kind: orders"} & set(body)
    assert [each for each in short if each.startswith("vienna-1741, Louis, entry ")]
    assert "vienna-1741, Frederick, entry 18; full report: `report.html`" in asking


def test_messages_go_to_whom_they_are_for(at_war: dict[str, Briefing]) -> None:
    texts = {reader: letter_text(report_data(told)) for reader, told in at_war.items()}
    assert {reader for reader, text in texts.items() if "> Shall we march on Prag?\n>\n> L.\n" in text} == {"frederick"}
    assert "> Leave my country." in texts[OBSERVER]
    assert "> Leave my country." not in texts["maria-theresa"]


def lines_fit(text: str) -> bool:
    return all(len(line) <= WIDTH and line == line.rstrip() and "\u00a0" not in line for line in text.splitlines())


SHEETS = [
    ("introductory", 25, {"allot", "hussars", "move", "play"}),
    ("advanced", 14, {"allot", "influence", "politics", "hussars", "move"}),
    ("silesia-gambit", 8, {"allot", "hussars", "move"}),
]
"""Scenarios, how many stages are looked at, and sections that are asked for in these."""


@pytest.mark.parametrize(("scenario", "stages", "asked"), SHEETS)
def test_untouched_sheets_are_valid_orders(tmp_path: Path, scenario: str, stages: int, asked: set[str]) -> None:
    table = OpenTable(tmp_path, scenario=scenario)
    table.join()
    sections: set[str] = set()

    def look(campaign: Campaign) -> None:
        owing = campaign.public.next.owing if campaign.public.next else {}
        for place, (reader, told) in enumerate(briefings(campaign).items()):
            if reader not in owing and (place + campaign.public.entry) % 3 and not IS_LONG:
                continue
            if reader not in (*owing, OBSERVER):
                assert report_data(told)["sheet"] == ""
                continue
            data = report_data(told)
            assert lines_fit(letter_text(data)), letter_text(data)
            assert bool(data["sheet"]) == (reader in owing)
            if data["sheet"]:
                sections.update(each["section"] for each in data["asked"])
                check_sheet(campaign, table, reader, data["sheet"])
        campaign.vault.posted = campaign.state.snapshot()

    before_every_stage(table, look, most=stages)
    assert asked <= sections


def check_sheet(campaign: Campaign, table: OpenTable, player: str, sheet: str) -> None:
    """The sheet, signed and otherwise untouched, answers everything that its player is asked."""
    letter = read_letter(sign_letter(sheet, table.players[player].key).encode(), "sheet")
    verdict = judge(campaign.state, letter, campaign.open_box)
    assert not verdict.faults, (sheet, verdict.faults)
    assert not verdict.missing
    assert isinstance(verdict.record, LetterRecord)
    assert verdict.record.status == "final"


def test_the_letter_says_to_programs_what_the_report_says(at_war: dict[str, Briefing]) -> None:
    key = new_key("moderator")
    for reader, told in at_war.items():
        data = report_data(told) | {"moderator": {"key": key.public.text, "address": ""}}
        letter = read_letter(report_letter(data, key).encode(), "report")
        check_signature(letter, key.public)
        found = guidance_of(letter, "report")
        assert (found.seat, found.stage, found.basis, found.next_seq) == (reader, told.stage, data["basis"], told.seq)
        body: Any = bare(letter.body)
        assert set(body["hand"] or {}) == set(told.powers)


def test_the_proofs_of_a_report_can_be_checked(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudication = adjudicating.adjudicate(campaign)
        assert isinstance(adjudication, adjudicating.Adjudication)
        hashes = {dealt.number: dealt.hashes for dealt in adjudication.record.dealt}
        proofs = report_data(briefings(campaign)["louis"])["proofs"]
    assert len(proofs) == 7
    for proof in proofs:
        published = hashes[proof["shuffle"]][proof["position"]]
        assert check_opening(
            published, proof["shuffle"], proof["position"], bytes.fromhex(proof["salt"]), proof["card"]
        )


def test_before_and_after_the_game(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, scenario="introductory")
    with table.open() as campaign:
        text = " ".join(letter_text(report_data(briefings(campaign)[OBSERVER])).split())
        assert "Not taken yet: Maria Theresa, Frederick and Louis." in text
        assert report_letter(report_data(briefings(campaign)[OBSERVER]), table.moderator) == ""
    table.join()
    table.play(2)
    with table.open() as campaign:
        judging_again.close(campaign, "everybody is tired")
        text = letter_text(report_data(briefings(campaign)["louis"]))
    assert "The campaign is closed: everybody is tired." in text
    assert "pbem verify vienna-1741" in text


def test_every_report_says_what_is_not_protected(tmp_path: Path) -> None:
    conduct = Conduct(signing="off", sealing="reveal")
    table = OpenTable(tmp_path, conduct, moderator=Moderator("Anna", seat="louis"), scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        for told in briefings(campaign).values():
            text = " ".join(letter_text(report_data(told)).split())
            assert "Nobody can look early, not even the moderator." in text
            assert "Signing is off" in text
            assert "The moderator plays too, as Louis: Anna can see every hand" in text


def test_what_is_sealed_is_to_be_revealed(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, Conduct(sealing="reveal"), scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        for player in SEATS:
            table.deliver(campaign, table.players[player].orders(campaign.state, commit_only=True))
        before = report_data(briefings(campaign)["louis"])
        assert before["secrets"]["letter"]["sealed"][0]["slot"] == "orders"
        assert isinstance(adjudicating.adjudicate(campaign), adjudicating.Lock)
        locked = report_data(briefings(campaign)["louis"])
        assert "Reveal what you have sealed by" in letter_text(locked)
        assert locked["sheet"] == ""
        table.deliver(campaign, table.players["louis"].reveal(campaign.state))
        after = letter_text(report_data(briefings(campaign)["louis"]))
    assert "Nothing more is asked of you" in after
    assert "and revealed since" in after


def test_notes_of_every_kind(tmp_path: Path) -> None:
    """A campaign in which everything happens that is noted."""
    table = OpenTable(tmp_path, scenario="introductory")
    table.join()
    table.play(1)
    with table.open() as campaign:
        back = campaign.vault.entry
        for player, partner in (("louis", "frederick"), ("frederick", "louis")):
            send(table, campaign, player, "agreement", {"with": partner, "words": "No march into Sachsen."})
        table.players["maria-theresa"].key = new_key("substitute")
        key = table.players["maria-theresa"].key.public.text
        rulings.substitute(campaign, "maria-theresa", key, "ill", Newcomer("Franz Stephan"))
        rulings.rekey(campaign, "louis", table.players["louis"].key.public.text, "the old one is lost")
        campaign.now += timedelta(days=9)
        adjudicating.adjudicate(campaign, force=True)
        rulings.rollback(campaign, back, "the wrong map")
        judging_again.close(campaign, "tired")
        told = briefings(campaign)["louis"]
    acted = LetterRecord("louis", "orders", "", "1/france", 9, acted="by telephone")
    locked = LockRecord("1/france", (9,), "2026-12-01T19:00:00Z")
    changed = KeyChangeRecord("frederick", table.players["frederick"].key.public.text, 3, "", "the letter")
    extra = tuple(
        EntryNote(99, told.news.notes[0].time, record)
        for record in (acted, locked, changed, SubstituteRecord("louis", "", ""))
    )
    news = replace(told.news, notes=(*told.news.notes, *extra), events=(), proofs=())
    text = letter_text(report_data(replace(told, news=news, view=None, locked=True)))
    check_golden("campaign-notes.txt", steady(text))
    found = notes_data((*told.news.notes, *extra), told.settings.clock, True, told.deadline)
    assert {note["kind"] for note in found} == {
        "join", "agreement", "substitute", "key-change", "adjudication", "rollback", "close", "letter", "lock",
    }  # fmt: skip


def test_seats_have_their_languages_as_far_as_there_are_templates(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, seats={"louis": Seat(language="it")}, scenario="introductory")
    with table.open() as campaign:
        assert report_data(replace(briefings(campaign)["louis"], language="zz"))["language"] == "en"


def test_an_agreement_is_told_to_all_with_its_end_and_its_cities(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, scenario="introductory")
    table.join()
    table.play(1)
    terms: dict[str, Any] = {"until": "2", "binds": {"cities": ["Prag", "Pilsen"], "powers": ["france", "bavaria"]}}
    with table.open() as campaign:
        for player, partner in (("louis", "frederick"), ("frederick", "louis")):
            send(table, campaign, player, "agreement", {"with": partner, "words": "Sit still.", **terms})
        told = report_data(briefings(campaign)["maria-theresa"])
    text = " ".join(letter_text(told).split())
    assert (
        "Frederick and Louis have made an agreement, each by a letter; it holds to the end of turn 2"
        " and binds the cities Prague and Pilsen; the powers France and Bavaria: > Sit still."
    ) in text


Promise = Callable[..., None]


@pytest.fixture
def agreeing(tmp_path: Path) -> Iterator[tuple[Campaign, OpenTable, Promise]]:
    """A campaign in the set-up of which reports are posted, and by which players sign the same words."""
    table = OpenTable(tmp_path, scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        campaign.vault.posted = campaign.state.snapshot()

        def promise(player: str, partner: str, words: str, **terms: Any) -> None:
            body = {"with": partner, "words": words, **terms}
            assert send(table, campaign, player, "agreement", body).status == "final"

        yield campaign, table, promise


def bodies_of(campaign: Campaign) -> dict[str, str]:
    """Bodies of all mails since the reports before, which are then posted."""
    found = {seat: " ".join(body_text(report_data(told)).split()) for seat, told in briefings(campaign).items()}
    campaign.vault.posted = campaign.state.snapshot()
    return found


LAPSED = {
    "en": "Your offer “Prussia gets Prague.” (entry {entry}) has lapsed: no letter from Frederick.",
    "de": "Dein Angebot „Prussia gets Prague.“ (Eintrag {entry}) ist verfallen: ohne Zustimmung von Friedrich.",
    "es": "Tu oferta «Prussia gets Prague.» (entrada {entry}) ha caducado sin el envío de Federico.",
    "it": "La tua offerta «Prussia gets Prague.» (voce {entry}) è decaduta senza la lettera di Federico.",
}


def test_who_offered_an_agreement_is_told_once_and_alone_that_it_lapsed(
    agreeing: tuple[Campaign, OpenTable, Promise],
) -> None:
    campaign, table, promise = agreeing
    promise("louis", "frederick", "Prussia gets Prague.")
    entry = campaign.vault.entry
    assert not any("lapsed" in body for body in bodies_of(campaign).values()), "it can be signed still"
    table.round(campaign)
    told = briefings(campaign)["louis"]
    for language, sentence in LAPSED.items():
        body = body_text(report_data(in_language(told, language)))
        assert sentence.format(entry=entry) in " ".join(body.split())
    bodies = bodies_of(campaign)
    assert [seat for seat, body in bodies.items() if "gets Prague" in body] == ["louis"]
    table.round(campaign)
    assert not any("gets Prague" in body for body in bodies_of(campaign).values())


UNSENT = {
    "en": "has lapsed: orders were carried out before it could be sent to Frederick.",
    "de": "ist verfallen: Befehle wurden ausgeführt, ehe es an Friedrich gehen konnte.",
    "es": "ha caducado: se ejecutaron órdenes antes de que pudiera enviarse a Federico.",
    "it": "è decaduta: degli ordini sono stati eseguiti prima che potesse essere inviata a Federico.",
}


def test_an_offer_that_lapsed_before_it_was_sent_is_laid_to_nobodys_charge(
    agreeing: tuple[Campaign, OpenTable, Promise],
) -> None:
    campaign, table, promise = agreeing
    for player in ("maria-theresa", "frederick", "louis"):
        table.deliver(campaign, table.write(campaign, player))
    campaign.now += timedelta(hours=1)
    promise("louis", "frederick", "Prussia gets Prague.")
    adjudicating.adjudicate(campaign)
    told = briefings(campaign)["louis"]
    for language, sentence in UNSENT.items():
        body = " ".join(body_text(report_data(in_language(told, language))).split())
        assert sentence in body
        assert LAPSED[language].partition(")")[2] not in body


ACCEPTED = {
    "en": "The agreement that Louis offered, “All rest.” (entry {entry}), has lapsed: no letter from Maria Theresa.",
    "de": "Die Vereinbarung, die Ludwig angeboten hat, „All rest.“ (Eintrag {entry}), ist verfallen: ohne Zustimmung",
    "es": "El acuerdo que ofreció Luis XV, «All rest.» (entrada {entry}), ha caducado sin el envío de María Teresa.",
    "it": "L'accordo offerto da Luigi XV, «All rest.» (voce {entry}), è decaduto senza la lettera di Maria Teresa.",
}


def test_who_has_only_accepted_an_agreement_is_told_who_offered_it(
    agreeing: tuple[Campaign, OpenTable, Promise],
) -> None:
    campaign, table, promise = agreeing
    promise("louis", "frederick, maria-theresa", "All rest.")
    entry = campaign.vault.entry
    promise("frederick", "louis, maria-theresa", "All rest.")
    table.round(campaign)
    told = briefings(campaign)
    for language, sentence in ACCEPTED.items():
        body = body_text(report_data(in_language(told["frederick"], language)))
        assert sentence.format(entry=entry) in " ".join(body.split())
    assert "Your offer “All rest.”" in " ".join(body_text(report_data(told["louis"])).split())


def test_an_offer_that_was_signed_or_made_anew_has_not_lapsed(agreeing: tuple[Campaign, OpenTable, Promise]) -> None:
    campaign, table, promise = agreeing
    for words in ("Anew.", "Signed.", "Signed late."):
        promise("louis", "frederick", words)
    promise("frederick", "louis", "Signed.")
    table.round(campaign)
    promise("louis", "frederick", "Anew.")
    promise("frederick", "louis", "Signed late.")
    assert "lapsed" not in bodies_of(campaign)["louis"]
    table.round(campaign)
    body = bodies_of(campaign)["louis"]
    assert "Your offer “Anew.”" in body
    assert "Signed" not in body


UNSIGNED = {
    "en": "The offer of Louis “Prussia gets Prague.” (entry {entry}), to which you have not agreed, has lapsed",
    "de": "Das Angebot von Ludwig, „Prussia gets Prague.“ (Eintrag {entry}), dem du nicht zugestimmt hast, ist",
    "es": "La oferta de Luis XV «Prussia gets Prague.» (entrada {entry}), que no has aceptado, ha caducado con el",
    "it": "L'offerta di Luigi XV «Prussia gets Prague.» (voce {entry}), che non hai accettato, è decaduta con la fine",
}


def end_by_agreement(campaign: Campaign, table: OpenTable) -> None:
    send(table, campaign, "frederick", "proposal", {"subject": "draw"})
    name = campaign.public.proposals[0].name
    for seat in ("louis", "maria-theresa"):
        send(table, campaign, seat, "vote", {"proposal": name, "says": "yes"})
    assert campaign.public.phase == "over"


def end_by_the_moderator(campaign: Campaign, table: OpenTable) -> None:
    judging_again.close(campaign, "the players have moved away")


@pytest.mark.parametrize("end", [end_by_agreement, end_by_the_moderator])
def test_with_the_end_of_the_game_those_who_offered_and_those_who_were_asked_are_told_once(
    agreeing: tuple[Campaign, OpenTable, Promise], end: Callable[[Campaign, OpenTable], None]
) -> None:
    campaign, table, promise = agreeing
    promise("louis", "frederick", "Long ago.")
    table.round(campaign)
    bodies_of(campaign)
    promise("louis", "frederick", "Prussia gets Prague.")
    entry = campaign.vault.entry
    end(campaign, table)
    told = briefings(campaign)
    for language, sentence in UNSIGNED.items():
        body = " ".join(body_text(report_data(in_language(told["frederick"], language))).split())
        assert sentence.format(entry=entry) in body
        assert body.count("gets Prague") == 1
    bodies = bodies_of(campaign)
    assert LAPSED["en"].format(entry=entry) in bodies["louis"]
    assert [seat for seat, body in bodies.items() if "gets Prague" in body] == ["frederick", "louis"]
    assert not any("Long ago" in body for body in bodies.values()), "it lapsed before"
    if campaign.public.phase == "over":
        end_by_the_moderator(campaign, table)
        assert not any("gets Prague" in body for body in bodies_of(campaign).values())


def test_a_victory_ends_the_game_like_an_agreed_end(agreeing: tuple[Campaign, OpenTable, Promise]) -> None:
    campaign, _, _ = agreeing
    record = record_in(campaign.ledger.read(campaign.public.since))
    assert isinstance(record, AdjudicationRecord)
    assert not ends_game(record)
    assert ends_game(replace(record, next=replace(record.next, over=True)))


def test_an_offer_that_was_completed_has_not_lapsed_with_the_end(
    agreeing: tuple[Campaign, OpenTable, Promise],
) -> None:
    campaign, table, promise = agreeing
    promise("louis", "frederick", "Signed.")
    promise("frederick", "louis", "Signed.")
    end_by_agreement(campaign, table)
    assert not any("lapsed" in body for body in bodies_of(campaign).values())


def test_a_successor_is_not_told_what_the_player_before_offered(agreeing: tuple[Campaign, OpenTable, Promise]) -> None:
    campaign, table, promise = agreeing
    promise("louis", "frederick", "Prussia gets Prague.")
    table.players["louis"].key = new_key("substitute")
    rulings.substitute(campaign, "louis", table.players["louis"].key.public.text, "ill", Newcomer("Jeanne"))
    table.round(campaign)
    assert "gets Prague" not in bodies_of(campaign)["louis"]


def test_the_parties_of_an_agreement_read_of_it_once_a_turn_and_when_it_ends(
    agreeing: tuple[Campaign, OpenTable, Promise],
) -> None:
    campaign, table, promise = agreeing
    for player, partner in (("louis", "frederick"), ("frederick", "louis")):
        promise(player, partner, "Sit still.", until="2")
    entry = campaign.vault.entry
    said = f"Agreement with Frederick, in force to the end of turn 2: “Sit still.” (entry {entry})."
    assert said not in bodies_of(campaign)["louis"], "it is announced"
    told = {1: 0, 2: 0}
    while turn_of(campaign.state.stage) == 1:
        table.round(campaign)
        bodies = bodies_of(campaign)
        told[turn_of(campaign.state.stage)] += said in bodies["louis"]
    assert told == {1: 0, 2: 1}
    assert "Agreement with Louis" in bodies["frederick"]
    assert not any("Sit still" in bodies[seat] for seat in ("maria-theresa", "observer", "moderator"))
    table.round(campaign)
    assert "Sit still" not in bodies_of(campaign)["louis"], "it was told in this turn"
    while turn_of(campaign.state.stage) == 2:
        table.round(campaign)
    ended = f"Ended: your agreement with Frederick, “Sit still.” (entry {entry})."
    bodies = bodies_of(campaign)
    assert ended in bodies["louis"]
    assert [seat for seat, body in bodies.items() if "Sit still" in body] == ["frederick", "louis"]
    table.round(campaign)
    assert not any("Sit still" in body for body in bodies_of(campaign).values())


def test_a_report_has_lines_for_three_agreements_and_counts_the_others(
    agreeing: tuple[Campaign, OpenTable, Promise],
) -> None:
    campaign, table, promise = agreeing
    for number in range(5):
        promise("louis", "frederick", f"Offer {number}.")
    table.round(campaign)
    body = bodies_of(campaign)["louis"]
    assert [number for number in range(5) if f"“Offer {number}.”" in body] == [2, 3, 4]
    assert "And 2 more agreements of yours." in body


def test_the_first_hand_is_told_once(at_war: dict[str, Briefing]) -> None:
    asked, moderator = (body_text(report_data(at_war[reader])) for reader in ("frederick", MODERATOR))
    (prussia,) = [line for line in asked.splitlines() if line.startswith("- Prussia: ")]
    first = prussia.split(": ")[1].split(" ")[1]
    assert asked.count(f"♣ {first} ") == 1
    assert f"♣{first}" not in asked
    assert f"♣{first}" in moderator, "the moderator's report shows no hand beside the news"


CONSEQUENCE = {
    "en": ". If nothing comes, all wait for you",
    "de": ". Kommt nichts, warten alle auf dich",
    "es": ". Mientras no llegue nada tuyo, todos seguirán esperándote",
    "it": ". Se non arriva nulla, la partita resta ferma",
}


@pytest.mark.parametrize("language", languages())
def test_that_all_wait_behind_a_deadline_is_told_to_who_has_not_ordered_lately(
    at_war: dict[str, Briefing], language: str
) -> None:
    data = report_data(at_war["frederick"]) | {"language": language}
    assert data["at_deadline"] == "wait"
    assert data["has_ordered"]
    new, used = (" ".join(body_text(data | {"has_ordered": has}).split()) for has in (False, True))
    assert [CONSEQUENCE[language] in text for text in (new, used)] == [True, False]
    assert ["`pbem desk`" in text for text in (new, used)] == [True, False]
    page = data | {"moderator": data["moderator"] | {"desk": "https://example.org/desk"}, "has_ordered": True}
    assert "https://example.org/desk" in body_text(page)


FILES = {
    "en": ("full report: ", "report for pbem: "),
    "de": ("ganzer Bericht: ", "Bericht für pbem: "),
    "es": ("informe completo: ", "informe para pbem: "),
    "it": ("rapporto completo: ", "rapporto per pbem: "),
}


@pytest.mark.parametrize("language", languages())
def test_a_mail_says_what_its_file_is(at_war: dict[str, Briefing], language: str) -> None:
    asked, short = (report_data(at_war[reader]) | {"language": language} for reader in ("frederick", "louis"))
    assert [bool(each["is_short"]) for each in (asked, short)] == [False, True]
    for each, file in zip((asked, short), FILES[language], strict=True):
        (line,) = [line for line in body_text(each).splitlines() if "report.html" in line]
        assert file in line
        assert "18" in line, "the whole note stands on one line"


def test_a_german_mail_names_its_file_where_events_are_left_out(at_war: dict[str, Briefing]) -> None:
    for reader, file in (("frederick", "ganzen Bericht"), ("louis", "Bericht für pbem")):
        data = report_data(at_war[reader]) | {"language": "de"}
        left = data | {"news": data["news"] | {"left": 2}}
        assert f"Nur im {file}: 2 weitere Ereignisse." in " ".join(body_text(left).split())
