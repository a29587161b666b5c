"""Everything that reaches a reader is the same, byte by byte, in campaigns that differ in a secret of somebody else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from pbem.campaign.settings import Conduct
from pbem.seal.keys import PrivateKey, new_key
from tests.campaign.simulated import SimulatedTable
from tests.leaks.artefacts import private, public
from tests.leaks.pairs import Twin, campaign_of, exchanging, joined, pair_of
from tests.leaks.roles import EXCEPTIONS, roles_of, settled

OBSERVER = "observer"
GAMES = ({"game": "maria", "scenario": "introductory"}, {"game": "friedrich"})
REVEAL = Conduct(sealing="reveal")


def assert_alike(one: Twin, other: Twin, owners: Iterable[str], with_site: bool = True) -> None:
    """Everybody but the owners of the secret gets the same."""
    for reader in (OBSERVER, *(seat for seat in one.table.players if seat not in owners)):
        found, wanted = everything(one, reader, with_site), everything(other, reader, with_site)
        assert found.keys() == wanted.keys()
        for name, artefact in found.items():
            assert artefact == wanted[name], (reader, name)


def everything(twin: Twin, reader: str, with_site: bool = True) -> dict[str, tuple[str, int]]:
    """Everything public, or sent to a player; with the name of every exception in its place."""
    if reader == OBSERVER:
        return settled(public(twin.table, with_site), roles_of(twin.table, {}))
    own = {name: data for name, data in twin.letters.items() if name.endswith(f"-{reader}")}
    return settled(private(twin.table, reader, twin.table.players[reader].key), roles_of(twin.table, own))


@pytest.fixture(scope="module", params=GAMES, ids=lambda terms: terms["game"])
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Twin:
    """A campaign that has just begun; its first reports are written."""
    return begin(tmp_path_factory.mktemp("begun") / "campaign", request.param)


def begin(
    root: Path,
    terms: Mapping[str, str],
    conduct: Conduct | None = None,
    keys: Mapping[str, PrivateKey] | None = None,
    moderator: PrivateKey | None = None,
) -> Twin:
    """A campaign whose troops are still to be allotted."""
    twin = Twin(campaign_of(root, terms, conduct, keys, moderator))
    twin.invite()
    joined(twin)
    twin.adjudicate()
    twin.post()
    return twin


def seats_of(twin: Twin) -> list[str]:
    return list(twin.table.players)


def test_how_troops_are_allotted(begun: Twin, tmp_path: Path) -> None:
    one, other = pair_of(begun, tmp_path)
    owner = seats_of(begun)[0]
    for twin, seed in ((one, "one"), (other, "other")):
        twin.allotted(owner, seed)
    assert_alike(one, other, [owner], with_site=False)
    for twin in (one, other):
        twin.remind()
        twin.adjudicate(force=True)
        twin.post(pictures=True)
    assert_alike(one, other, [owner])
    assert differs(one, other, owner)
    # The owner's picture shows the troops, which makes the twins' pictures of everybody else a proof.
    assert picture_sent(one, owner) != picture_sent(other, owner)


def picture_sent(twin: Twin, reader: str) -> str:
    """The picture in the last page that a player was sent."""
    page = max((twin.table.root / "outbox").rglob(f"{reader}.html")).read_text("utf-8")
    return page.partition("data:image/png;base64,")[2].partition('"')[0]


def differs(one: Twin, other: Twin, reader: str) -> bool:
    """True if a reader gets something else, as the owner of a secret must."""
    return everything(one, reader) != everything(other, reader)


def test_a_message_to_somebody_else(begun: Twin, tmp_path: Path) -> None:
    one, other = pair_of(begun, tmp_path)
    sender, to, *_ = seats_of(begun)
    for twin, words in ((one, "Attack her at once."), (other, "Make peace with her.")):
        text = twin.table.other_letter(sender, "message", {"to": to, "text": words})
        twin.take("message", sender, text)
        twin.post()
    assert_alike(one, other, [sender, to])
    assert differs(one, other, to)


def test_a_sealed_plan(begun: Twin, tmp_path: Path) -> None:
    one, other = pair_of(begun, tmp_path)
    owner, power = some_power(begun)
    for twin, tactic in ((one, "hold"), (other, "win")):
        plans = [{"for": "battle", "tactic": tactic, "standing": "yes"}]
        twin.plan(owner, {power: {"plans": plans}})  # type: ignore[dict-item]
        twin.post()
    assert_alike(one, other, [owner])


def some_power(twin: Twin) -> tuple[str, str]:
    """A player who is asked something, and the power that is."""
    with twin.table.open() as campaign:
        assert campaign.public.next is not None
        owner, (power, *_) = next(iter(campaign.public.next.owing.items()))
    return owner, power


@pytest.mark.parametrize("terms", GAMES, ids=lambda terms: terms["game"])
def test_what_is_committed_to_and_not_revealed_yet(tmp_path: Path, terms: dict[str, str]) -> None:
    begun = begin(tmp_path / "campaign", terms, REVEAL)
    one, other = pair_of(begun, tmp_path)
    owner = some_power(begun)[0]
    for twin, seed in ((one, "one"), (other, "other")):
        twin.allotted(owner, seed)
        twin.post()
    assert_alike(one, other, [owner])


@pytest.mark.parametrize("terms", GAMES, ids=lambda terms: terms["game"])
def test_hands_of_others(tmp_path: Path, terms: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards of two other players change places in the deal."""
    one = dealt(Twin(campaign_of(tmp_path / "one", terms)))
    *readers, first, second = seats_of(one)
    cards = [hand_of(one.table, player)[0] for player in (first, second)]
    exchanging(monkeypatch, *cards)
    keys = {seat: bot_player.key for seat, bot_player in one.table.players.items()}
    other = dealt(Twin(campaign_of(tmp_path / "other", terms, keys=keys, moderator=one.table.moderator)))
    assert [hand_of(other.table, player) for player in readers] == [hand_of(one.table, player) for player in readers]
    assert cards[0] in hand_of(other.table, second)
    assert cards[1] in hand_of(other.table, first)
    assert_alike(one, other, [first, second])
    assert differs(one, other, first)


def dealt(twin: Twin) -> Twin:
    """Nobody orders anything, until everybody has cards."""
    joined(twin)
    twin.adjudicate()
    while not all(hand_of(twin.table, player) for player in seats_of(twin)):
        twin.adjudicate(force=True)
    twin.post(pictures=True)
    return twin


def hand_of(table: SimulatedTable, player: str) -> list[int]:
    """The cards of all powers of a player."""
    with table.open() as campaign:
        game = campaign.state.table
        assert game is not None
        hands = game.state.cards.hands
        return sorted(card for power in campaign.rules.seats[player] for card in hands.get(power, []))


@pytest.mark.parametrize("terms", GAMES, ids=lambda terms: terms["game"])
def test_the_key_of_somebody_else(tmp_path: Path, terms: dict[str, str]) -> None:
    one = begin(tmp_path / "one", terms)
    owner, *others = seats_of(one)
    keys = {seat: one.table.players[seat].key for seat in others} | {owner: new_key("other")}
    other = begin(tmp_path / "other", terms, keys=keys, moderator=one.table.moderator)
    assert_alike(one, other, [owner])


def test_a_card_placed_as_influence(tmp_path: Path) -> None:
    from pbem.paper.lexicon import card_text

    twin = begin(tmp_path / "campaign", {"game": "maria", "scenario": "advanced", "placing": "simultaneous"})
    twin.adjudicate(force=True)
    owner = "maria-theresa"
    cards = [card_text(card) for card in hand_of(twin.table, owner)]
    one, other = pair_of(twin, tmp_path)
    for each, card in ((one, cards[0]), (other, cards[-1])):
        each.orders(owner, {"austria": {"influence": card}})
        each.post(pictures=True)
    assert_alike(one, other, [owner])


def test_every_exception_is_named(begun: Twin) -> None:
    roles = {role.split(" of ")[0] for role in roles_of(begun.table, begun.letters).values()}
    assert roles <= set(EXCEPTIONS)
    assert {"hash", "basis", "mark", "key", "fingerprint", "letter", "raw"} <= roles


def test_what_is_said_to_be_no_secret_would_be_found_if_it_were(begun: Twin, tmp_path: Path) -> None:
    """A word in a file of the outbox, a length, or the rights of a file are noticed."""
    changes: tuple[Callable[[Path], object], ...] = (
        lambda path: path.write_text(path.read_text() + " "),
        lambda path: path.chmod(0o644),
        lambda path: path.rename(path.with_name(f"{path.name}.txt")),
    )
    reader = seats_of(begun)[0]
    for number, change in enumerate(changes):
        one, other = pair_of(begun, tmp_path / str(number))
        change(next((other.table.root / "outbox").rglob(f"{reader}.txt")))
        with pytest.raises(AssertionError):
            assert_alike(one, other, [], with_site=False)
