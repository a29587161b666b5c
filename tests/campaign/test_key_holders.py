"""Keys: who names a new one has it, and everybody is told when two seats sign with the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings
from pbem.campaign.ledger.public_state import Player
from pbem.campaign.ledger.seats import shared_keys
from pbem.campaign.letters.joining import entry_text, proof_of_key, sharing_warnings
from pbem.campaign.play import rulings
from pbem.campaign.players.letters import key_change_letter
from pbem.campaign.proof.verifying import verify
from pbem.moderator import acts
from pbem.paper.letters import read_letter
from pbem.report.formats.pages import letter_blocks, text
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.seal.canonical import canonical
from pbem.seal.keys import PrivateKey, PublicKey, new_key, save_private
from pbem.seal.signature import sign
from tests.campaign.simulated import NAME, SimulatedTable, codes, take
from tests.seal.tools import program, run, write_private


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    """A campaign whose players have joined."""
    return SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()


def named(table: SimulatedTable, key: PublicKey, proof: str | None) -> list[str]:
    """Faults of a letter in which Louis names a key."""
    body = {"key": key.text} | ({"proof": proof} if proof is not None else {})
    return codes(table.send(table.other_letter("louis", "key-change", body)))


def test_who_names_a_key_proves_to_have_it(table: SimulatedTable) -> None:
    louis, frederick, fresh = table.players["louis"], table.players["frederick"].key, new_key("new")

    def proof(by: PrivateKey, seat: str = "louis", ahead: int = 1, old: PublicKey = louis.key.public) -> str:
        return sign(by, proof_of_key(NAME, seat, louis.seq + ahead, old))

    assert named(table, frederick.public, None) == ["E-KEY-PROOF"]
    assert named(table, frederick.public, "") == ["E-KEY-PROOF"]
    assert named(table, frederick.public, proof(louis.key)) == ["E-KEY-PROOF"]
    assert named(table, fresh.public, proof(fresh, "frederick")) == ["E-KEY-PROOF"]
    assert named(table, fresh.public, proof(fresh, ahead=2)) == ["E-KEY-PROOF"]
    assert named(table, fresh.public, proof(fresh, old=frederick.public)) == ["E-KEY-PROOF"]
    assert named(table, fresh.public, proof(fresh)) == []


@pytest.mark.parametrize("body", [{}, {"proof": ""}])
def test_a_proof_that_is_left_out_is_told_as_missing(table: SimulatedTable, body: dict[str, str]) -> None:
    letter = table.other_letter("louis", "key-change", {"key": new_key("new").public.text} | body)
    (fault,) = table.send(letter).verdict.faults
    assert (fault.code, "`proof` is missing" in str(fault.message)) == ("E-KEY-PROOF", True)


def test_an_older_campaign_does_not_ask_for_the_proof(table: SimulatedTable) -> None:
    with table.open() as campaign:
        campaign.public.protocol = 1
        campaign.save()
    assert named(table, new_key("new").public, None) == []
    assert named(table, new_key("newer").public, "nonsense") == ["E-SIGNATURE-KEY"]


def test_what_is_signed_as_it_is_written_is_taken_and_verified_but_not_in_an_older_campaign(
    table: SimulatedTable,
) -> None:
    def by_hand(text: str) -> str:
        bare = table.other_letter("louis", "message", {"to": "all", "text": text}).partition("signature:")[0]
        return bare + sign(table.players["louis"].key, bare.encode())

    assert codes(table.send(by_hand("hello"))) == []
    table.assert_verified()
    with table.open() as campaign:
        campaign.public.protocol = 2
        assert codes(take(campaign, by_hand("again"))) == ["E-LETTER-WRITTEN"]


def test_a_running_campaign_is_verified_with_its_proofs(table: SimulatedTable) -> None:
    table.send(table.key_change("louis", new_key("new")))
    table.assert_verified()


def test_a_proof_by_hand(table: SimulatedTable, tmp_path: Path) -> None:
    tool, fresh, louis = program("ssh-keygen"), new_key("new"), table.players["louis"]
    seq = louis.next_seq()
    words = {"pbem": "1", "kind": "key-proof", "campaign": NAME, "from": "louis", "seq": str(seq)}
    words["old"] = " ".join(louis.key.public.text.split()[:2])
    (tmp_path / "proof.json").write_bytes(canonical(words))
    private = write_private(tmp_path / "new", save_private(fresh, None))
    assert run(tool, "-Y", "sign", "-n", "pbem", "-f", private, tmp_path / "proof.json").returncode == 0
    proof = (tmp_path / "proof.json.sig").read_text()
    body = {"key": fresh.public.text, "proof": proof}
    assert codes(table.send(table.other_letter("louis", "key-change", body, seq))) == []


def test_the_letter_stands_in_its_entry_as_it_was_written() -> None:
    letter = key_change_letter(NAME, "louis", 3, new_key("new"), new_key("old"))
    assert max(map(len, letter.splitlines())) <= 66
    assert "  proof: |\n    -----BEGIN SSH SIGNATURE-----\n" in letter
    assert "  proof: |\n    -----BEGIN SSH SIGNATURE-----\n" in entry_text(read_letter(letter.encode(), "letter"))


def test_seats_that_sign_with_one_key_are_known(table: SimulatedTable) -> None:
    one, other = new_key("one").public, new_key("other").public
    players = {
        "louis": Player(f"{one.text} of Lou", "", ""),
        "frederick": Player(PublicKey(one.raw).text, "", ""),
        "maria-theresa": Player(other.text, "", ""),
        "nobody": Player("", "", ""),
        "ghost": Player("", "", ""),
    }
    with table.open() as campaign:
        (shared,) = shared_keys(campaign.public, players)
    assert shared.players == ("frederick", "louis")
    assert not shared.is_moderators


def test_everybody_is_told_while_two_seats_sign_with_one_key(table: SimulatedTable) -> None:
    own = new_key("own")
    with table.open() as campaign:
        rulings.rekey(campaign, "frederick", table.players["louis"].key.public.text, "he says so")
        campaign.save()
        for told in briefings(campaign).values():
            data = report_data(told)
            (shared,) = data["shared_keys"]
            assert shared == {"players": ["frederick", "louis"], "key": table.players["louis"].key.public.fingerprint}
            for language in languages():
                lines = text(letter_blocks({**data, "language": language, "notes": []})).splitlines()
                assert shared["key"] in "".join(lines)
        rulings.rekey(campaign, "frederick", own.public.text, "he has his own again")
        campaign.save()
        assert [report_data(told)["shared_keys"] for told in briefings(campaign).values()] == [[]] * 5
    assert verify(table.root).is_good


def test_everybody_is_told_of_a_moderator_who_plays_without_having_said_so(table: SimulatedTable) -> None:
    with table.open() as campaign:
        acts.rekey(campaign, "frederick", f"{campaign.public.moderator} another comment", "he says so")
        campaign.save()
        assert [fault.code for _, fault in campaign.warnings] == ["W-KEY-SHARED"]
        for told in briefings(campaign).values():
            data = report_data(told)
            (shared,) = data["shared_keys"]
            assert (shared["players"], shared["moderator"]) == (["frederick"], True)
            for language in languages():
                lines = text(letter_blocks({**data, "language": language, "notes": []})).splitlines()
                assert shared["key"] in "".join(lines)


def test_a_moderator_who_said_so_at_the_founding_plays_without_a_word_on_the_key(table: SimulatedTable) -> None:
    with table.open() as campaign:
        public = campaign.public
        public.settings = replace(public.settings, moderator=replace(public.settings.moderator, seat="louis"))
        assert sharing_warnings(public, "louis", public.moderator) == []
        assert [each.code for each in sharing_warnings(public, "frederick", public.moderator)] == ["W-KEY-SHARED"]


def test_who_names_a_key_of_another_seat_and_has_it_is_warned(table: SimulatedTable) -> None:
    shared = table.players["frederick"].key
    receipt = table.send(table.key_change("louis", shared))
    assert receipt.status == "final"
    assert codes(receipt) == ["W-KEY-SHARED"]
    assert "frederick" in str(receipt.verdict.faults[0].message)
