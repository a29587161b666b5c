"""Names of players: those of their letters, else of the settings, and never those of anybody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.entry_effects import add_entry, public_state_at_start
from pbem.campaign.ledger.records import JoinRecord, NewRecord
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.letters.joining import wrong_with_name
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.play.tokens import token_of
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Moderator, Newcomer, Seat
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import mixed_word, outline, rare_character
from pbem.paper.letters import read_letter
from pbem.seal.keys import new_key
from tests.campaign.simulated import NAME, SimulatedTable
from tests.protocol import second
from tests.report.campaign_table import OpenTable, joining


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    """A campaign whose settings name everybody, and whose players do not name themselves."""
    seats = {"louis": Seat(name="Lou"), "frederick": Seat(name="Fritz"), "maria-theresa": Seat(name="Anna")}
    table = OpenTable(tmp_path, seats=seats, scenario="introductory")
    for player, bot_player in table.players.items():
        with table.open() as campaign:
            state = campaign.state
            body = {
                "deal": state.public.secret,
                "token": token_of(state, player),
                "key": bot_player.key.public.text,
                "entropy": "a long line",
            }
        assert table.send(table.other_letter(player, "join", body)).status == "final"
    return table


def people(table: SimulatedTable) -> list[str]:
    """Present names of the players."""
    return [who.name for who in read_folder(table.root, table.now).public.players.values()]


def joined_as(table: SimulatedTable, seat: str, name: str) -> tuple[str, list[str]]:
    """Somebody asks for a seat under a name: what became of it, and what is wrong."""
    with table.open() as campaign:
        text = joining(campaign, seat, table.players[seat].key, name)
        receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))
        campaign.save()
    return receipt.status, [fault.message.key for fault in receipt.verdict.faults]


@pytest.fixture
def first(tmp_path: Path) -> OpenTable:
    """A campaign of a moderator called Max, in which Anna alone has joined so far."""
    seats = {"frederick": Seat(name="Fritz der Große")}
    table = OpenTable(tmp_path, seats=seats, moderator=Moderator("Max Power"), scenario="introductory")
    assert joined_as(table, "maria-theresa", "Anna")[0] == "final"
    return table


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("Max Power", "alike"),
        ("max  P0WER.", "alike"),
        ("Мах Роwеr", "mixed"),
        ("Мах", ""),
        ("Аnna", "mixed"),
        ("Áññà", "alike"),
        ("𝐀nna", "alike"),
        ("ANNA!", "alike"),
        ("Fritz der Grosse", "alike"),
        ("Frederick", "alike"),
        ("moderator", "alike"),
        ("Moderator Max", "alike"),
        ("Lou (the moderator)", "alike"),
        ("Anna, Game Master", "alike"),
        ("Модератор", "alike"),
        ("Modérateur", "alike"),
        ("Moderna Arbuthnot", ""),
        ("Rnoderator", "alike"),
        ("Lou\nX-Evil: 1", "lines"),
        ("ꓮꓠꓠꓮ", "rare"),
        ("ᗅᑎᑎᗅ", "rare"),
        ("ᎪΝΝᎪ", "rare"),
        ("ɑnnɑ", "rare"),
        ("ᴀɴɴᴀ", "rare"),
        ("🅰nna", "rare"),
        ("🇦nna", "rare"),
        ("ⲀΝΝⲀ", "rare"),
        ("ꙇ", "rare"),
        ("Annaʼ", "alike"),
        ("Annaж", "mixed"),
        ("山Ж", "mixed"),
        ("ŁOUIS", ""),
        ("Spielleiterin", "alike"),
        ("die Spielleitung", "alike"),
        ("Spielleiterinnen", "alike"),
        ("La moderadora", "alike"),
        ("moderadores", "alike"),
        ("moderatrice", "alike"),
        ("Árbitra", "alike"),
        ("L'arbitra", "alike"),
        ("the Referee", "alike"),
        ("арбітро", ""),
        ("Anna II", ""),
        ("Луи", ""),
        ("★", ""),
        ("Louis", ""),
    ],
)
def test_nobody_joins_under_a_name_that_people_would_take_for_another(first: OpenTable, name: str, wrong: str) -> None:
    status, told = joined_as(first, "louis", name)
    assert told == ([f"E-JOIN-NAME.{wrong}"] if wrong else [])
    assert status == ("refused" if wrong else "final")
    if wrong:
        assert joined_as(first, "louis", name)[1] == told


@pytest.mark.parametrize(
    "name",
    [
        "Łukasz",
        "Đặng",
        "Þórður",
        "Ægir",
        "Ñuño",
        "Straßer",
        "ŞAHİN",
        "Əliyev",
        "Ɓala",
        "ʻIolani",
        "Ильич",
        "Ђорђе",
        "Нұрсұлтан",
        "Ελένη",
        "Ἑλένη",
        "Հայկ",
        "გიორგი",
        "אברהם",
        "محمد",
        "राम",
        "সত্যজিৎ",
        "தமிழ்",
        "สมชาย",
        "山田さん",
        "サクラー",
        "佐々木",
        "김철수",
        "ណារី",
        "አበበ",
        "བཀྲ་ཤིས",
        "Jean-Luc",
        "D’Artagnan",
        "山田Taro",
        "★Anna★",
        "Anna2",
        "♥",
    ],
)
def test_ordinary_names_of_many_scripts_are_taken(name: str) -> None:
    assert wrong_with_name(name, ("Anna", "Fritz")) is None or outline(name) == "anna"
    assert (rare_character(name), mixed_word(name)) == ("", "")


@pytest.mark.parametrize("name", ["1", "#1", "1.", "42", "4 2", "٣", "_7_"])
def test_names_of_digits_alone_are_refused(name: str) -> None:
    fault = wrong_with_name(name, ())
    assert fault is not None
    assert str(fault.message) == "the name has digits and no letter"


def test_a_player_may_be_called_what_the_settings_call_their_seat(tmp_path: Path) -> None:
    seats = {"louis": Seat(name="Max"), "frederick": Seat(name="Мах")}
    table = OpenTable(tmp_path, seats=seats, moderator=Moderator("Max", seat="louis"), scenario="introductory")
    assert joined_as(table, "louis", "Max")[0] == "final"
    assert joined_as(table, "frederick", "Мах")[0] == "final"
    assert joined_as(table, "maria-theresa", "Мax")[0] == "refused"


def test_nobody_is_put_into_a_seat_under_the_name_of_another(table: SimulatedTable) -> None:
    with table.open() as campaign, pytest.raises(Refused) as refused:
        rulings.substitute(campaign, "louis", new_key("x").public.text, "ill", Newcomer("ANNA"))
    assert [fault.code for fault in refused.value.faults] == ["E-JOIN-NAME"]


def test_names_that_earlier_programs_took_still_verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("pbem.campaign.letters.joining.wrong_with_name", lambda name, others: None)
        table = OpenTable(tmp_path, scenario="introductory")
        table.join({"louis": "the moderator", "frederick": "Lou\nis", "maria-theresa": "Lou is"})
    table.play(1)
    table.close("enough")
    assert verify(table.root).findings == []
    assert second.verify(table.root) == []


def test_names_of_the_settings_stay_when_a_letter_names_none(table: SimulatedTable) -> None:
    assert sorted(people(table)) == ["Anna", "Fritz", "Lou"]
    assert "Fritz" in (table.root / "state.yaml").read_text()
    with table.open() as campaign:
        assert [
            record.name for entry in campaign.ledger.entries() if isinstance(record := record_in(entry), JoinRecord)
        ] == [""] * 3
    table.assert_verified()
    assert second.verify(table.root) == []


def test_a_substitute_does_not_go_by_the_name_of_who_went(table: SimulatedTable) -> None:
    with table.open() as campaign:
        rulings.substitute(campaign, "louis", new_key("somebody").public.text, "ill")
        campaign.save()
    assert sorted(people(table)) == ["", "Anna", "Fritz"]
    assert read_folder(table.root, table.now).people[3]["louis"] == "Lou"
    table.assert_verified()
    assert second.verify(table.root) == []


def test_in_older_campaigns_everybody_is_called_as_before(table: SimulatedTable) -> None:
    with table.open() as campaign:
        records = [record_in(entry) for entry in campaign.ledger.entries()]
    first = records[0]
    assert isinstance(first, NewRecord)
    assert first.settings.campaign == NAME
    public = public_state_at_start(replace(first, protocol=1))
    for number, record in enumerate(records[1:], 2):
        add_entry(public, number, "2026-11-21T12:00:00Z", record)
    assert {who.name for who in public.players.values()} == {""}
