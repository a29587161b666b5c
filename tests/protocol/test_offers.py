"""Offers of agreements: the program and the second verifier take the true one, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.campaign.players.offers import offer_of
from pbem.campaign.settings import Conduct
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import write
from pbem.paper.letters import read_letter, sign_letter
from pbem.post.parcels import offer_parcels
from pbem.seal.keys import PrivateKey, new_key
from tests.campaign.simulated import SimulatedTable
from tests.protocol import second_offers
from tests.protocol.archives import AUSTRIA, FRANCE, PRUSSIA
from tests.protocol.second_entries import Wrong

WORDS = "Nobody enters Saxony before turn 3."


class Offered(NamedTuple):
    """A campaign in which Prussia has offered an agreement to Austria, and the signed offer."""

    root: Path
    text: str
    moderator: PrivateKey


def offered(root: Path, conduct: Conduct | None = None) -> Offered:
    table = SimulatedTable(root, conduct=conduct or Conduct(), scenario="introductory").begun()
    table.play(1)
    table.send(table.other_letter(PRUSSIA, "agreement", {"with": AUSTRIA, "words": WORDS, "until": "3"}))
    with table.open() as campaign:
        (parcel,) = offer_parcels(campaign, {})
        key = campaign.key
        campaign.save()
    (text,) = (each.data.decode() for each in parcel.files if each.name == "offer.yaml")
    table.close("the players have moved away")
    return Offered(root, text, key)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Offered:
    return offered(tmp_path_factory.mktemp("offers") / "campaign")


def test_both_programs_read_the_same_words_in_an_offer(told: Offered) -> None:
    ours = offer_of(read_letter(told.text.encode(), "offer"), "offer")
    theirs = second_offers.offered(told.root, told.text)
    assert (ours.letter.sender, ours.letter.seq, ours.letter.signature) == (theirs.sender, theirs.seq, theirs.signature)
    assert theirs.body["words"] == WORDS
    assert ours.seat == AUSTRIA


def test_words_that_nobody_signs_are_passed_on_where_nobody_signs(tmp_path: Path) -> None:
    told = offered(tmp_path / "campaign", Conduct(signing="off"))
    assert second_offers.offered(told.root, told.text).body["words"] == WORDS
    assert offer_of(read_letter(told.text.encode(), "offer"), "offer").letter.sender == PRUSSIA


LIES: dict[str, Callable[[str], str]] = {
    "other words": lambda text: text.replace("Saxony", "Prague"),
    "another player's words": lambda text: text.replace(f"from: {PRUSSIA}", f"from: {FRANCE}"),
    "somebody who is not asked": lambda text: text.replace(f"to: {AUSTRIA}", f"to: {FRANCE}"),
    "whoever offers it": lambda text: text.replace(f"to: {AUSTRIA}", f"to: {PRUSSIA}"),
    "another stage": lambda text: text.replace("\nstage: ", "\nstage: 9-"),
    "another campaign": lambda text: text.replace("\ncampaign: ", "\ncampaign: x"),
    "another kind": lambda text: text.replace("kind: agreement", "kind: plan"),
    "without the letter": lambda text: text.replace("  offered:", "  offer:"),
}


@pytest.mark.parametrize("lie", LIES)
def test_both_programs_refuse_what_the_player_has_not_signed(told: Offered, lie: str) -> None:
    """The moderator signs each of these."""
    bare = told.text.partition("\nsignature:")[0] + "\n"
    changed = LIES[lie](bare)
    assert changed != bare
    text = sign_letter(changed, told.moderator)
    with pytest.raises(Refused):
        offer_of(read_letter(text.encode(), "offer"), "offer")
    with pytest.raises(Wrong):
        second_offers.offered(told.root, text)


@pytest.mark.parametrize("is_named", [True, False])
def test_both_programs_refuse_what_another_than_the_moderator_has_signed(told: Offered, *, is_named: bool) -> None:
    key, tree = new_key("rival"), read_letter(told.text.encode(), "offer").tree
    body = tree["body"]
    assert isinstance(body, dict)
    named = {**body, "moderator": key.public.text} if is_named else body
    text = sign_letter(write({**tree, "body": named}), key)
    with pytest.raises(Wrong):
        second_offers.offered(told.root, text)
    if is_named:
        assert offer_of(read_letter(text.encode(), "offer"), "offer").moderator == key.public, "the caller compares it"
        return
    with pytest.raises(Refused):
        offer_of(read_letter(text.encode(), "offer"), "offer")


def test_the_second_verifier_holds_an_offer_against_the_ledger(told: Offered) -> None:
    bare = told.text.partition("\nsignature:")[0] + "\n"
    for old, new in (
        ("  next-seq", "  more: x\n  next-seq"),
        ("    hash: ", "    hash: 0"),
        ("signing: on", "signing: off"),
    ):
        assert old in bare
        with pytest.raises(Wrong):
            second_offers.offered(told.root, sign_letter(bare.replace(old, new), told.moderator))
