"""Masked players: entries that tell or hide too much, and names at the close, by both verifiers; heirs, substitutes and
drawn seats, whose names the moderator keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.campaign import opened_by_moderator
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.play import rulings
from pbem.campaign.settings import Conduct, Newcomer
from pbem.moderator.succeeding import Heir, hand_over, succeed
from pbem.player.files import GivenFile
from pbem.post.reports import report_parcels
from pbem.seal.keys import PublicKey, new_key
from pbem.seal.keys import key_of as key_from
from tests.campaign.simulated import NAME, SimulatedTable, codes
from tests.protocol.forging import Draft, rewritten
from tests.protocol.second import verify as second
from tests.protocol.together import verified

MASKS = Conduct(masks="until the close")
PEOPLE = {"maria-theresa": "Zofia", "frederick": "Fritz", "louis": "Ludovic"}


def named(root: Path, conduct: Conduct = MASKS) -> SimulatedTable:
    """A campaign that runs, of people with names and languages."""
    table = SimulatedTable(root, conduct=conduct, scenario="introductory")
    for seat, name in PEOPLE.items():
        table.players[seat].name, table.players[seat].language = name, "de"
    return table.begun()


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """The same behind another key of a player, and a substitute."""
    table = named(tmp_path_factory.mktemp("masks") / "campaign")
    assert not codes(table.send(table.key_change("louis", new_key("louis@palace"))))
    with table.open() as campaign:
        rulings.substitute(campaign, "frederick", new_key("ada@home").public.text, "gone", Newcomer("Ada", "it"))
        campaign.save()
    return table


@pytest.fixture(scope="module")
def closed(begun: SimulatedTable, tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    table = begun.copied(tmp_path_factory.mktemp("closed") / "campaign")
    table.close("enough")
    return table


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    return begun.copied(tmp_path / "campaign")


def names_known(table: SimulatedTable) -> dict[str, Newcomer]:
    """Names and languages, as the moderator's commands know them."""
    with table.open() as campaign:
        return {seat: campaign.person(seat) for seat in campaign.settings.seats}


KNOWN = {
    "maria-theresa": Newcomer("Zofia", "de"),
    "frederick": Newcomer("Ada", "it"),
    "louis": Newcomer("Ludovic", "de"),
}


def test_the_moderator_knows_what_the_ledger_does_not_tell(begun: SimulatedTable) -> None:
    assert names_known(begun) == KNOWN
    with begun.open() as campaign:
        assert not any(who.name or who.language for who in campaign.public.players.values())
        assert not any(PublicKey.parse(who.key).comment for who in campaign.public.players.values())
        assert rulings.known_player(campaign, "Ludov") == "louis"
    ledger = b"".join(path.read_bytes() for path in (begun.root / "ledger").iterdir())
    assert not [word for word in (*PEOPLE.values(), "louis@palace", "ada@home") if word.encode() in ledger]


def test_a_substitute_does_not_get_the_language_of_the_player_before(table: SimulatedTable) -> None:
    with table.open() as campaign:
        rulings.substitute(campaign, "louis", new_key("x").public.text, "gone", Newcomer("Bo"))
        campaign.save()
    assert names_known(table)["louis"] == Newcomer("Bo", "en")


def test_a_name_that_somebody_else_has_is_not_refused(tmp_path: Path) -> None:
    """A refusal would tell who plays."""
    table = SimulatedTable(tmp_path / "campaign", conduct=MASKS, scenario="introductory")
    for bot_player in table.players.values():
        bot_player.name = "Zofia"
    assert names_known(table.begun())["louis"].name == "Zofia"


def test_the_close_shows_the_names(closed: SimulatedTable) -> None:
    assert verified(closed.root).is_good
    assert second(closed.root) == []
    ledger = Ledger(closed.root / "ledger", NAME)
    body: Any = ledger.read(ledger.head.number).body
    assert body["people"] == {seat: who.name for seat, who in KNOWN.items()}


def test_both_verifiers_call_a_running_campaign_sound(begun: SimulatedTable) -> None:
    assert verified(begun.root).is_good
    assert second(begun.root) == []


def with_comment(draft: Draft) -> None:
    draft.body("join")["key"] += " zofia@home"


def with_name(draft: Draft) -> None:
    draft.body("join")["name"] = "Zofia"


def with_language(draft: Draft) -> None:
    draft.body("substitute")["language"] = "it"


def with_substitute(draft: Draft) -> None:
    draft.body("substitute")["name"] = "Ada"


def with_letter(draft: Draft) -> None:
    number = next(at for at, (kind, *_) in enumerate(draft.entries, 1) if kind == "join")
    draft.body("join")["letter"] = draft.opened["letters"][str(number)]["text"]


def with_invited(draft: Draft) -> None:
    draft.body("new")["settings"]["seats"]["louis"] = {"name": "Ludovic"}


def with_languages(draft: Draft) -> None:
    draft.body("new")["settings"]["seats"]["louis"] = {"language": "es"}


def with_changed_key(draft: Draft) -> None:
    draft.body("key-change")["key"] += " palace"


def with_other_name(draft: Draft) -> None:
    draft.body("close")["people"]["louis"] = "Fritz"


def without_name(draft: Draft) -> None:
    del draft.body("close")["people"]["louis"]


def with_nobody(draft: Draft) -> None:
    draft.body("close")["people"]["russia"] = "Elisabeth"


def without_masks(draft: Draft) -> None:
    del draft.body("new")["settings"]["conduct"]["masks"]


def with_other_key(draft: Draft) -> None:
    draft.body("key-change")["key"] = key_from(b"\x33" * 32, "").public.text


def with_other_chance(draft: Draft) -> None:
    draft.body("join")["entropy"] = "ab" * 32


CHEATS: tuple[tuple[Callable[[Draft], None], str], ...] = (
    (with_comment, "E-VERIFY-MASK"),
    (with_name, "E-VERIFY-MASK"),
    (with_language, "E-VERIFY-MASK"),
    (with_substitute, "E-VERIFY-MASK"),
    (with_letter, "E-VERIFY-MASK"),
    (with_invited, "E-VERIFY-MASK"),
    (with_languages, "E-VERIFY-MASK"),
    (with_changed_key, "E-VERIFY-MASK"),
    (with_other_name, "E-VERIFY-MASK.other"),
    (without_name, "E-VERIFY-MASK.other"),
    (with_nobody, "E-VERIFY-MASK.people"),
    (without_masks, "E-VERIFY-MASK.hidden"),
    (with_other_key, "E-VERIFY-LETTER"),
    (with_other_chance, "E-VERIFY-LETTER"),
)


@pytest.mark.parametrize(("cheat", "told"), CHEATS, ids=lambda each: getattr(each, "__name__", None))
def test_both_verifiers_find_what_tells_or_hides_too_much(
    closed: SimulatedTable, tmp_path: Path, cheat: Callable[[Draft], None], told: str
) -> None:
    copy = closed.copied(tmp_path / "campaign")
    rewritten(copy.root, copy.moderator, cheat)
    assert told in [each.fault.message.key for each in verified(copy.root).findings]
    assert second(copy.root)


def test_drawn_seats_take_the_names_along(tmp_path: Path) -> None:
    table = named(tmp_path / "campaign", Conduct(masks="until the close", seats="drawn"))
    with table.open() as campaign:
        lot = campaign.public.drawn
    assert {seat: who.name for seat, who in names_known(table).items()} == {
        lot[seat]: name for seat, name in PEOPLE.items()
    }
    table.close("enough")
    assert verified(table.root).is_good
    assert second(table.root) == []


def test_the_moderators_report_has_the_names_and_no_other_has(begun: SimulatedTable) -> None:
    with begun.open() as campaign:
        told = {each.stem: (each.text, each.files) for each in report_parcels(campaign, {}, with_pictures=False)}
    assert "Ludovic" in told["moderator"][0]
    assert all("Ludovic" not in text for reader, (text, _) in told.items() if reader != "moderator")
    assert not [file.name for _, files in told.values() for file in files if b"Ludovic" in file.data]


def test_an_heir_gets_the_names(table: SimulatedTable, tmp_path: Path) -> None:
    heir, out = new_key("wilhelmine@home"), tmp_path / "files"
    with table.open() as campaign:
        files = hand_over(campaign, heir.public, out).files
    assert files
    given = [GivenFile(path.name, path.read_bytes()) for path in files]
    root = tmp_path / "heir" / "campaign"
    succeed(root, given, Heir(heir, Newcomer("Wilhelmine")), table.now)
    with opened_by_moderator(root, heir, "test", table.now) as campaign:
        assert {seat: campaign.person(seat) for seat in campaign.settings.seats} == KNOWN
        assert campaign.held_letter(2).letter.kind == "join"
        campaign.save()
    assert not [path for path in (root / "ledger").iterdir() if b"wilhelmine@" in path.read_bytes()]
    assert verified(root).is_good
    assert second(root) == []
