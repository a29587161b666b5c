"""Reports of simulated campaigns, and moderators who lie in them: each lie is one change, signed like the truth."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from pbem.campaign.briefing import briefings
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.players.guidance import guidance_of
from pbem.campaign.proof.kept_report import check_report
from pbem.campaign.proof.verification import Verification
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.report.letters.report import report_data
from pbem.report.letters.signed import report_letter
from pbem.seal.keys import PrivateKey
from tests.campaign.simulated import SimulatedTable

Body = dict[str, Any]
Lie = Callable[[Body, Body], None]
"""Changes the body of a report; the other is that of another player's of the same moment."""


def reports(table: SimulatedTable) -> dict[str, str]:
    """Reports that everybody would be sent now."""
    with table.open() as campaign:
        told = {reader: report_letter(report_data(each), campaign.key) for reader, each in briefings(campaign).items()}
    return {reader: text for reader, text in told.items() if text}


def posted(table: SimulatedTable) -> dict[str, str]:
    """Reports that everybody is sent now; the next ones tell only later events."""
    found = reports(table)
    with table.open() as campaign:
        campaign.vault.posted = campaign.state.snapshot()
        campaign.save()
    return found


def found_in(root: Path, table: SimulatedTable, *texts: str) -> list[str]:
    """Faults of reports by the ledger of a folder."""
    reading = read_folder(root, table.now)
    found = Verification()
    for text in texts:
        letter = read_letter(text.encode(), "report")
        check_report(reading, guidance_of(letter, "report"), f"{letter.seq}", found)
    return [finding.message_line() for finding in found.findings]


def changed(text: str, key: PrivateKey, change: Callable[[Body], None]) -> str:
    """A report with something changed in its body, or in its head, which it finds under `letter`, signed again."""
    tree: Any = deepcopy(read_letter(text.encode(), "report").tree)
    head = {name: value for name, value in tree.items() if name not in ("pbem", "body", "signature")}
    body = tree["body"] | {"letter": head}
    change(body)
    del body["letter"]
    return sign_letter(write_letter(head, body), key)


def hands(body: Body) -> list[dict[str, list[str]]]:
    """The places where a report names the hands."""
    return [body["hand"], body["position"]["hands"]]


def first_hand(body: Body) -> str:
    """The first power with cards."""
    return next(power for power, cards in sorted(body["hand"].items()) if len(cards) > 1)


def put(body: Body, card: str, place: int = 0) -> str:
    """Put a card in the place of another; gives that one."""
    power = first_hand(body)
    gone = ""
    for hand in hands(body):
        gone, hand[power][place] = hand[power][place], card
    return str(gone)


def a_card_of_nobody(body: Body, other: Body) -> None:
    """One card of the hand is another that nobody has, the proofs are those of the true one."""
    every = {f"{suit}{value}/1" for suit in "♠♥♦♣" for value in range(2, 11)}
    seen = {each["name"] for report in (body, other) for each in report["proofs"]}
    put(body, min(every - seen))


def a_card_without_its_proof(body: Body, other: Body) -> None:
    """The same, and the proof of the true card is left out."""
    every = {f"{suit}{value}/1" for suit in "♠♥♦♣" for value in range(2, 11)}
    seen = {each["name"] for report in (body, other) for each in report["proofs"]}
    gone = put(body, min(every - seen))
    body["proofs"] = [each for each in body["proofs"] if each["name"] != gone]


def a_proof_renamed(body: Body, other: Body) -> None:
    """A proof of one card is called one of another."""
    gone = put(body, "♠10/1" if "♠10/1" not in hands(body)[0][first_hand(body)] else "♠9/1")
    for each in body["proofs"]:
        if each["name"] == gone:
            each["name"] = hands(body)[0][first_hand(body)][0]


def no_proofs(body: Body, other: Body) -> None:
    """Nothing is proved."""
    body["proofs"] = []


def an_empty_hand(body: Body, other: Body) -> None:
    """The hand is said to be empty."""
    power = first_hand(body)
    for hand in hands(body):
        hand[power] = []


def no_hands(body: Body, other: Body) -> None:
    """The hands are left out of the position; programs then make some up."""
    del body["position"]["hands"]


def two_hands(body: Body, other: Body) -> None:
    """The hand that people see is not the one that programs judge by."""
    body["hand"][first_hand(body)][0] = "♠10/1" if body["hand"][first_hand(body)][0] != "♠10/1" else "♠9/1"


def a_hand_of_another(body: Body, other: Body) -> None:
    """A hand with another player's card, with that one's true proof."""
    theirs = next(each for each in other["proofs"] if each["name"] in other["hand"][first_hand(other)])
    put(body, theirs["name"])
    body["proofs"].append(theirs)


def hands_exchanged(body: Body, other: Body) -> None:
    """Two powers of one player have each other's card, each well proved."""
    powers = [power for power, cards in body["hand"].items() if cards]
    for hand in hands(body):
        one, two = hand[powers[0]], hand[powers[1]]
        one[0], two[0] = two[0], one[0]


def a_card_twice(body: Body, other: Body) -> None:
    """A card stands in the hand twice, with its proof doubled."""
    power = first_hand(body)
    card = hands(body)[0][power][1]
    put(body, card)
    body["proofs"] += [each for each in body["proofs"] if each["name"] == card]


def a_proof_twice(body: Body, other: Body) -> None:
    """A proof is doubled."""
    body["proofs"].append(body["proofs"][0])


def a_card_more(body: Body, other: Body) -> None:
    """One card more than was drawn."""
    theirs = next(each for each in other["proofs"] if each["name"] in other["hand"][first_hand(other)])
    for hand in hands(body):
        hand[first_hand(body)].append(theirs["name"])
    body["proofs"].append(theirs)


def a_card_less(body: Body, other: Body) -> None:
    """One card less, its proof left out."""
    for hand in hands(body):
        gone = hand[first_hand(body)].pop()
    body["proofs"] = [each for each in body["proofs"] if each["name"] != gone]


def a_piece_elsewhere(body: Body, other: Body) -> None:
    """A piece stands in another city."""
    pieces = body["position"]["pieces"]
    name = next(name for name, place in pieces.items() if "," not in place and place not in ("off", "aside"))
    pieces[name] = "Wien" if pieces[name] != "Wien" else "Linz"


def a_marker_more(body: Body, other: Body) -> None:
    """A fortress is said to be conquered."""
    markers = body["position"].setdefault("markers", {})
    markers["prussia"] = [*markers.get("prussia", []), "Wien"]


def more_troops(body: Body, other: Body) -> None:
    """Somebody else has more troops than everybody knows."""
    troops = body["position"]["troops"]
    power = next(iter(troops))
    troops[power] = str(int(troops[power]) + 1)


def foreign(body: Body) -> str:
    """A general of somebody else who stands on the map, in the open."""
    pieces, own = body["position"]["pieces"], {name for each in body["troops"].values() for name in each}
    return next(n for n, at in pieces.items() if n not in own and "train" not in n and "," not in at and at != "aside")


def troops_of_a_rival(body: Body, other: Body) -> None:
    """A general of somebody else has troops, true or invented."""
    body["position"]["pieces"][foreign(body)] += ", 8"


def no_markers(body: Body, other: Body) -> None:
    """Leave out conquests."""
    body["position"].pop("markers")


def a_marker_less(body: Body, other: Body) -> None:
    """One conquest is left out."""
    next(cities for cities in body["position"]["markers"].values() if len(cities) > 1).pop()


def a_marker_twice(body: Body, other: Body) -> None:
    """One conquest is told twice."""
    cities = next(iter(body["position"]["markers"].values()))
    cities.append(cities[0])


def no_hand_sizes(body: Body, other: Body) -> None:
    """Leave out the sizes of others' hands."""
    body["position"].pop("hand sizes")


def no_pile_sizes(body: Body, other: Body) -> None:
    """Leave out the numbers of spent cards."""
    body["position"].pop("pile sizes")


def other_shuffles(body: Body, other: Body) -> None:
    """There were more shuffles than there have been."""
    body["position"]["shuffles"] = str(int(body["position"]["shuffles"]) + 1)


def a_hand_of_a_rival_in_the_position(body: Body, other: Body) -> None:
    """The position tells the hand of somebody else."""
    power = first_hand(other)
    body["position"]["hands"][power] = other["hand"][power]


def a_key_more(body: Body, other: Body) -> None:
    """The position says something that no position says."""
    body["position"]["secret"] = "x"


def not_begun(body: Body, other: Body) -> None:
    """The stage waits for its beginning, and asks all the same."""
    body["position"]["begun"] = "no"


def owing_twice(body: Body, other: Body) -> None:
    """A power owes its answer twice."""
    body["position"]["owing"] *= 2


def the_draw_deck(body: Body, other: Body) -> None:
    """The position says what lies in the draw deck."""
    body["position"]["draw"] = [other["hand"][first_hand(other)][0]]


def a_proof_of_a_rivals_card(body: Body, other: Body) -> None:
    """The hand is true, and a proof shows what a rival holds."""
    body["proofs"].append(next(each for each in other["proofs"] if each["name"] in other["hand"][first_hand(other)]))


def other_powers(body: Body, other: Body) -> None:
    """The secrets are said to be those of fewer powers."""
    body["position"]["powers"] = body["position"]["powers"][:-1]


def other_terms(body: Body, other: Body) -> None:
    """The position is of another edition of the rules."""
    body["position"]["edition"] = "1.0"


def of_somebody(body: Body, other: Body) -> None:
    """The report is said to be for somebody who does not play."""
    body["to"] = "nobody"


def of_another(body: Body, other: Body) -> None:
    """The report is another's."""
    body["to"] = other["to"]


def no_time(body: Body, other: Body) -> None:
    """The deadline is another."""
    body["deadline"] = "2026-11-20T00:00:00Z"


def no_deadline(body: Body, other: Body) -> None:
    """The deadline is left out."""
    body.pop("deadline", None)


def other_votes(body: Body, other: Body) -> None:
    """Votes are said to have been agreed on."""
    body["voting"] = {**body["voting"], "votes": "all"}


def other_end(body: Body, other: Body) -> None:
    """The seats are said to have agreed on an end."""
    body["ended"] = {"how": "draw", "winners": [], "motion": {"player": "louis", "subject": "draw", "about": ""}}


def nothing_owed(body: Body, other: Body) -> None:
    """Nobody is said to be waited for."""
    body["owing"] = {}


def asked_otherwise(body: Body, other: Body) -> None:
    """The reader is asked for something else."""
    body["asked"] = {body["position"]["powers"][0]: ["peace"]}


def other_stage(body: Body, other: Body) -> None:
    """The letter is to be for another stage."""
    body["letter"]["stage"] = "9/austria"


def other_basis(body: Body, other: Body) -> None:
    """The letter is to vouch for something else."""
    body["letter"]["basis"] = "0" * 24


def other_seq(body: Body, other: Body) -> None:
    """The next letter is to have a number that would make the next ones worthless."""
    body["next-seq"] = "900000000"


def other_digest(body: Body, other: Body) -> None:
    """The digest is another."""
    body["digest"] = "0" * 64


def other_version(body: Body, other: Body) -> None:
    """More was carried out than was."""
    body["version"] = "77"


def turned_back(body: Body, other: Body) -> None:
    """There was a rollback, it says."""
    body["turned-back"] = "2"


def over(body: Body, other: Body) -> None:
    """The game is over, it says."""
    body["phase"] = "over"


def lock_said(body: Body, other: Body) -> None:
    """Everything is to be revealed, it says."""
    body["locked"] = "true"


def unsealed(body: Body, other: Body) -> None:
    """Letters need no signature, it says."""
    body["signing"] = "off"


def other_sealing(body: Body, other: Body) -> None:
    """Nothing goes to the moderator, it says."""
    body["sealing"] = "reveal" if body["sealing"] == "moderator" else "moderator"


def plans_in_force(body: Body, other: Body) -> None:
    """A letter of plans is said to be in force that never came."""
    body["plans"] = {"letter": "0" * 64, "seq": "1", "stage": body["letter"]["stage"], "hidden": "no"}


def somebody_came(body: Body, other: Body) -> None:
    """A piece is said to have come from elsewhere."""
    piece, place = next(each for each in body["position"]["pieces"].items() if "off" not in each[1])
    body["remembered"]["came"] = {piece: [place.split(",")[0], "Wien"]}


def somebody_declared(body: Body, other: Body) -> None:
    """A general is said to have told his strength."""
    body["remembered"]["declared"] = [
        {"generals": [next(iter(body["position"]["pieces"]))], "troops": "1", "sure": "no"}
    ]


def other_players(body: Body, other: Body) -> None:
    """Somebody else is said to sit in a seat, to whom a letter would be addressed by name."""
    body["players"]["frederick"] = "Mallory"


def no_players(body: Body, other: Body) -> None:
    """Leave out the players of seats."""
    body.pop("players")


def nothing_remembered(body: Body, other: Body) -> None:
    """Leave out the public memory."""
    body.pop("remembered")


def event_otherwise(body: Body, other: Body) -> None:
    """A stage is said to have been of another turn."""
    began = next(each for each in body["course"]["events"] if "turn" in each)
    began["turn"] = str(int(began["turn"]) + 1)


def event_left_out(body: Body, other: Body) -> None:
    """An event in the middle is not told."""
    events = body["course"]["events"]
    public = [at for at, each in enumerate(events) if each["type"] in ("Marched", "StageBegan")]
    del events[public[-1]]


def event_too_many(body: Body, other: Body) -> None:
    """The last event is told twice."""
    body["course"]["events"].append(body["course"]["events"][-1])


def piece_came_from_elsewhere(body: Body, other: Body) -> None:
    """The map before the events has a piece in another city."""
    first, *others = body["course"]["map"]["places"].split()
    body["course"]["map"]["places"] = " ".join([str(int(first) + 1), *others])


LIES: dict[str, tuple[Lie, str]] = {
    lie.__name__: (lie, code)
    for code, lies in {
        "E-VERIFY-HAND": (
            a_card_of_nobody, a_card_without_its_proof, no_proofs, no_hands, two_hands, a_hand_of_another,
            hands_exchanged,
        ),
        "E-VERIFY-CARD": (a_proof_renamed, a_proof_twice, a_proof_of_a_rivals_card),
        "E-VERIFY-POSITION": (
            an_empty_hand, a_card_twice, a_card_more, a_card_less, a_piece_elsewhere, a_marker_more, more_troops,
            other_terms, troops_of_a_rival, no_markers, a_marker_less, a_marker_twice, no_hand_sizes, no_pile_sizes,
            other_shuffles, a_hand_of_a_rival_in_the_position, a_key_more, the_draw_deck, not_begun,
            owing_twice,
        ),
        "E-VERIFY-REPORT": (
            other_powers, of_somebody, of_another, no_time, no_deadline, other_votes, other_end, nothing_owed,
            asked_otherwise, other_stage, other_basis, other_seq, other_digest, other_version, turned_back, over,
            lock_said, unsealed, other_sealing,
            plans_in_force, somebody_came, somebody_declared, other_players, no_players, nothing_remembered,
            event_otherwise, event_left_out, event_too_many, piece_came_from_elsewhere,
        ),
    }.items()
    for lie in lies
}  # fmt: skip
"""Every lie, and what finds it while the campaign runs."""


def troops_within_a_stack(body: Body, other: Body) -> None:
    """The reader's own generals have other troops, with the same sum: nobody can tell before the close."""
    power, troops = next((power, each) for power, each in body["troops"].items() if len(each) > 1)
    one, two = min(troops, key=lambda name: int(troops[name])), max(troops, key=lambda name: int(troops[name]))
    for name, more in ((one, 1), (two, -1)):
        before = int(troops[name])
        troops[name] = str(before + more)
        place = body["position"]["pieces"][name]
        assert f", {before}" in place, power
        body["position"]["pieces"][name] = place.replace(f", {before}", f", {before + more}")


def ahead_of_nobody(body: Body, other: Body) -> None:
    """Orders ahead are said to be in force that never came: a player would not give them again."""
    power = body["position"]["powers"][0]
    body["ahead"] = [{"stage": f"9/{power}", "power": power, "entry": "2", "sections": ["move"], "kind": "orders"}]


LATER: dict[str, tuple[Lie, str]] = {
    "troops_within_a_stack": (troops_within_a_stack, "E-VERIFY-POSITION"),
    "ahead_of_nobody": (ahead_of_nobody, "E-VERIFY-REPORT"),
}
"""Lies that the close shows."""
