"""A moderator who signs what is not so: what both verifiers find, and what only one of them does."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from tests.campaign.simulated import SimulatedTable
from tests.protocol import cheats, cheats_by_moderators, cheats_with_bots
from tests.protocol.forging import Change, Draft, rewritten
from tests.protocol.second import verify as second
from tests.protocol.together import verified


def program(root: Path) -> list[tuple[str, str]]:
    """The files that the program finds wrong, and the wordings in which it says so."""
    found = [finding for finding in verified(root).findings if not finding.fault.is_warning]
    return [(finding.file, finding.fault.message.key) for finding in found]


class Forgery(NamedTuple):
    """A change of a finished archive, signed again, and who must find it."""

    change: Change
    program: str
    """The kind of the entry that the program finds at fault; empty for what it does not find."""
    second: str | None = None
    """The same for the second verifier, where it differs: only the rules can tell, but later letters disagree."""
    told: str = ""
    """In which wording the program tells it, where that is its own."""


def first_letter(draft: Draft) -> dict[str, dict[str, dict[str, str]]]:
    """The first letter in opened.json."""
    found: dict[str, dict[str, dict[str, str]]] = draft.opened["letters"][min(draft.opened["letters"], key=int)]
    return found


def word_of_letter(draft: Draft) -> None:
    letter = draft.opened["letters"][min(draft.opened["letters"], key=int)]
    letter["text"] = letter["text"].replace("basis: ", "basis: 0")


def word_sealed(draft: Draft) -> None:
    part = first_letter(draft)["opened"]["orders"]
    part["body"] = "nothing"


def salt_sealed(draft: Draft) -> None:
    first_letter(draft)["opened"]["orders"]["salt"] = "00" * 32


def mark(draft: Draft) -> None:
    draft.letter("orders")[1]["mark"] = "0" * 64


def commitment(draft: Draft) -> None:
    draft.letter("orders")[1]["slots"]["orders"] = "0" * 64


def stage(draft: Draft) -> None:
    draft.letter("orders")[1]["stage"] = "9/austria"


def somebody_else(draft: Draft) -> None:
    _, body = draft.letter("orders")
    body["player"] = next(player for player in ("frederick", "louis") if player != body["player"])


def secret(draft: Draft) -> None:
    draft.body("close")["secret"] = "0" * 64


def committed_secret(draft: Draft) -> None:
    draft.body("new")["secret"] = "0" * 64


def opening(draft: Draft) -> None:
    next(body for kind, _, body in draft.entries if body.get("openings"))["openings"][0]["card"] = "9"


def no_opening(draft: Draft) -> None:
    next(body for kind, _, body in draft.entries if body.get("openings")).pop("openings")


def position_hash(draft: Draft) -> None:
    draft.body("adjudication")["dealt"][0]["hashes"][37] = "0" * 64


def two_hashes(draft: Draft) -> None:
    hashes = draft.body("adjudication")["dealt"][0]["hashes"]
    hashes[0], hashes[1] = hashes[1], hashes[0]


def version(draft: Draft) -> None:
    draft.body("adjudication", 1)["version"] = "7"


def used(draft: Draft) -> None:
    draft.body("adjudication", 1)["used"].pop()


def event(draft: Draft) -> None:
    ended = {"type": "GameEnded", "how": "goals", "winner": "frederick", "held": {}}
    draft.body("adjudication", 1)["events"].append(ended)


def digest(draft: Draft) -> None:
    draft.body("adjudication", -1)["next"]["digest"] = "0" * 64


def record(draft: Draft) -> None:
    draft.body("adjudication", 1)["record"] = "0" * 64


def position(draft: Draft) -> None:
    draft.body("adjudication", 1)["state"] = "0" * 64


def rolled_back_elsewhere(draft: Draft) -> None:
    body = draft.body("rollback")
    body["to"] = "9"


def chance(draft: Draft) -> None:
    draft.body("join", 1)["entropy"] = "0" * 64


def acted(draft: Draft) -> None:
    next(body for _, _, body in draft.entries if body.get("acted")).pop("acted")


def not_acted(draft: Draft) -> None:
    draft.letter("orders")[1]["acted"] = "by telephone"


def join_mark(draft: Draft) -> None:
    draft.body("join")["mark"] = "0" * 64


def forfeited(draft: Draft) -> None:
    draft.body("adjudication", 1)["forfeited"] = {"louis": ["orders"]}


def ghost(draft: Draft) -> None:
    draft.body("adjudication", 1)["absent"] = {"nobody": "no orders"}


def too_early(draft: Draft) -> None:
    draft.body("adjudication", 1)["absent"] = {"louis": "no orders by the deadline"}


def agreed_words(draft: Draft) -> None:
    draft.body("agreement")["words"] = "Prussia gives Silesia back."


def agreement_replaced(draft: Draft) -> None:
    place = next(place for place, (kind, _, _) in enumerate(draft.entries) if kind == "agreement")
    draft.entries[place] = ("ruling", draft.entries[place][1], {"words": "The weather was fine."})


def agreement_behind_a_ruling(draft: Draft) -> None:
    place = next(place for place, (kind, _, _) in enumerate(draft.entries) if kind == "agreement")
    draft.entries[place + 1 : place + 2] = draft.entries[place : place + 1]
    draft.entries[place] = ("ruling", draft.entries[place][1], {"words": "The weather was fine."})


def agreed_by(draft: Draft) -> None:
    draft.body("agreement")["powers"] = ["frederick", "louis"]


def agreed_by_nobody(draft: Draft) -> None:
    draft.body("agreement")["letters"] = []


def agreed_by_orders(draft: Draft) -> None:
    (first, _), (second, _) = (draft.letter("orders", number) for number in (0, 1))
    draft.body("agreement")["letters"] = [str(first), str(second)]


def sooner(draft: Draft) -> None:
    draft.body("extension")["until"] = draft.entries[0][1].strftime("%Y-%m-%dT%H:%M:%SZ")


def forced(draft: Draft) -> None:
    draft.body("adjudication", -1)["forced"] = "true"


def later_deadline(draft: Draft) -> None:
    following = draft.body("adjudication", -1)["next"]
    following["deadline"] = following["deadline"].replace("20:00", "21:00")


def refused_twice(draft: Draft) -> None:
    _, time, _ = draft.entries[-2]
    draft.entries[-1:-1] = [("refused", time, dict(draft.body("refused")))]


def before_the_close(kind: str, /, **body: Any) -> Change:
    """Another entry before the last one."""

    def change(draft: Draft) -> None:
        draft.entries[-1:-1] = [(kind, draft.entries[-2][1], body)]

    return change


def unforced(draft: Draft) -> None:
    draft.body("adjudication", -1)["forced"] = "false"


def digits_written_otherwise(draft: Draft) -> None:
    draft.body("adjudication", -1)["version"] = "0" + draft.body("adjudication", -1)["version"]


def more_in_next(draft: Draft) -> None:
    draft.body("adjudication", -1)["next"]["weather"] = "fine"


def rolled_back_ahead(draft: Draft) -> None:
    place = next(place for place, (kind, _, _) in enumerate(draft.entries, 1) if kind == "rollback")
    draft.body("rollback")["to"] = str(place + 1)


def message_staged(draft: Draft) -> None:
    draft.letter("message")[1]["stage"] = "1/france"


def message_opened(draft: Draft) -> None:
    draft.opened["letters"][str(draft.letter("message")[0])] = first_letter(draft)


def settings_of_another(draft: Draft) -> None:
    draft.body("new")["settings"]["campaign"] = "another-one"


FORGERIES: dict[str, Forgery] = {
    "a letter in opened.json": Forgery(word_of_letter, "letter"),
    "a sealed part": Forgery(word_sealed, "letter"),
    "the salt of a sealed part": Forgery(salt_sealed, "letter"),
    "a mark": Forgery(mark, "letter", told="E-VERIFY-LETTER"),
    "a commitment": Forgery(commitment, "letter"),
    "the stage of a letter": Forgery(stage, "letter"),
    "whose letter it is": Forgery(somebody_else, "letter"),
    "the campaign in the settings": Forgery(settings_of_another, "new", told="E-LEDGER-CAMPAIGN"),
    "the secret": Forgery(secret, "close", told="E-VERIFY-SECRET"),
    "the commitment to the secret": Forgery(committed_secret, "close", second="join"),
    "the chance of a player": Forgery(chance, "join"),
    "a proof of a card": Forgery(opening, "adjudication", told="E-VERIFY-CARD"),
    "no proof of a card": Forgery(no_opening, "adjudication", second="letter"),
    "the hash of a position": Forgery(position_hash, "adjudication", second="letter"),
    "two hashes swapped": Forgery(two_hashes, "adjudication", second="adjudication|letter"),
    "the version": Forgery(version, "adjudication"),
    "a letter passed over": Forgery(used, "adjudication"),
    "an event": Forgery(event, "adjudication", second="letter"),
    "the digest of the last position": Forgery(digest, "adjudication", second=""),
    "the sealed record": Forgery(record, "adjudication", second="letter"),
    "the sealed position": Forgery(position, "adjudication", second="letter"),
    "the target of a rollback": Forgery(rolled_back_elsewhere, "rollback"),
    "a letter of the moderator's not called so": Forgery(acted, "letter"),
    "a letter of a player's called the moderator's": Forgery(not_acted, "letter"),
    "the mark of a letter that joined": Forgery(join_mark, "join"),
    "something forfeited": Forgery(forfeited, "adjudication", told="E-VERIFY-ABSENT"),
    "somebody absent who does not exist": Forgery(ghost, "adjudication"),
    "somebody absent before the deadline": Forgery(too_early, "adjudication"),
    "the words of an agreement": Forgery(agreed_words, "agreement"),
    "no agreement of letters that agree": Forgery(agreement_replaced, "ruling", told="E-VERIFY-AGREED.missing"),
    "an agreement entered later": Forgery(agreement_behind_a_ruling, "ruling", told="E-VERIFY-AGREED.missing"),
    "the parties of an agreement": Forgery(agreed_by, "agreement", told="E-VERIFY-AGREED"),
    "an agreement of no letters": Forgery(agreed_by_nobody, "agreement", told="E-VERIFY-AGREED"),
    "an agreement of orders": Forgery(agreed_by_orders, "agreement", told="E-VERIFY-AGREED"),
    "a deadline made earlier": Forgery(sooner, "extension", told="E-VERIFY-DEADLINE.earlier"),
    "an adjudication called forced": Forgery(forced, "adjudication", told="E-VERIFY-EARLY.force"),
    "another deadline": Forgery(later_deadline, "adjudication", told="E-VERIFY-DEADLINE"),
    "nobody away": Forgery(
        before_the_close("absence", player="fritz", first="2026-12-24", last="2026-12-25"),
        "absence",
        told="E-VERIFY-NOBODY",
    ),
    "nobody reminded": Forgery(
        before_the_close("reminder", players=["fritz"], kind="before"), "reminder", told="E-VERIFY-NOBODY"
    ),
    "no name on a reminder": Forgery(
        before_the_close("reminder", players=[], kind="before"), "reminder", told="E-VERIFY-REMINDER"
    ),
    "a late reminder before the deadline": Forgery(
        before_the_close("reminder", players=["louis"], kind="late"), "reminder", told="E-VERIFY-REMINDER"
    ),
    "somebody reminded before the deadline": Forgery(
        before_the_close("reminder", players=["louis"], kind="before"), ""
    ),
    "a letter of nobody refused": Forgery(
        before_the_close("refused", mark="0" * 64, player="fritz"), "refused", told="E-VERIFY-NOBODY"
    ),
    "something refused without a mark": Forgery(before_the_close("refused", mark="0" * 63), "refused"),
    "an empty ruling": Forgery(before_the_close("ruling", words=""), "ruling", told="E-VERIFY-ENTRY.empty"),
    "a ruling of blanks": Forgery(before_the_close("ruling", words=" \n"), "ruling", told="E-VERIFY-ENTRY.empty"),
    "what is as usual written out": Forgery(unforced, "adjudication", told="E-VERIFY-ENTRY.written"),
    "a number written otherwise": Forgery(digits_written_otherwise, "adjudication"),
    "a key more in what is waited for": Forgery(more_in_next, "adjudication", told="E-VERIFY-ENTRY.written"),
    "an empty reason": Forgery(
        before_the_close("absence", player="louis", first="2026-12-24", last="2026-12-25", why=""),
        "absence",
        told="E-VERIFY-ENTRY.written",
    ),
    "something refused twice": Forgery(refused_twice, "refused", told="E-VERIFY-ORDER.refused"),
    "a rollback to what is still to come": Forgery(rolled_back_ahead, "rollback"),
    "a stage of a message": Forgery(message_staged, "letter", told="E-VERIFY-LETTER.message"),
    "a message opened": Forgery(message_opened, "opened.json", told="E-VERIFY-OPENED.letters"),
}


def opened_without_a_box(draft: Draft, kind: str) -> None:
    number, body = draft.letter(kind)
    slot = next(iter(body["slots"]))
    part = {"salt": "00" * 32, "body": {"france": {"move": ["Arenberg: Köln"]}}}
    draft.opened["letters"][str(number)]["opened"] = {slot: part}


def opened_beside_what_is_shown(draft: Draft) -> None:
    number, _ = draft.letter("reveal")
    draft.opened["letters"][str(number)]["opened"] = {"more": {"salt": "00" * 32, "body": {}}}


@pytest.mark.parametrize(
    "change",
    [
        partial(opened_without_a_box, kind="orders"),
        partial(opened_without_a_box, kind="plan"),
        opened_beside_what_is_shown,
    ],
)
def test_without_boxes_nothing_is_opened(
    revealing: SimulatedTable, copied: Callable[[SimulatedTable], Path], change: Change
) -> None:
    root = copied(revealing)
    rewritten(root, revealing.moderator, change)
    ((told, wording),) = program(root)
    assert told.endswith("-letter.yaml")
    assert wording == "E-VERIFY-LETTER.refused"
    assert [finding.file for finding in second(root)] == [f"ledger/{told}"]


def test_an_agreement_that_a_killed_program_left_out_is_told_of_older_campaigns(tmp_path: Path) -> None:
    with patch("pbem.campaign.ledger.records.PROTOCOL", 3):
        table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    with patch("pbem.campaign.campaign.Campaign.finish_agreement", return_value=False):
        for player, other in (("louis", "frederick"), ("frederick", "louis")):
            table.send(table.other_letter(player, "agreement", {"with": other, "words": "Peace."}))
        table.close("far enough")
    found = [(finding.file, finding.fault.code) for finding in verified(table.root).findings]
    assert (found, second(table.root)) == ([("0008-close.yaml", "W-VERIFY-AGREED")], [])


def names(told: list[str], kind: str) -> bool:
    """True if a file at fault is one of this kind; nothing must be at fault where no kind is expected."""
    wanted = re.compile(f"-({kind})[.]yaml$|^{kind}$")
    return any(map(wanted.search, told)) if kind else not told


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_archive(eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path], forgery: Forgery) -> None:
    root = copied(eventful)
    rewritten(root, eventful.moderator, forgery.change)
    told, by_second = program(root), [finding.file for finding in second(root)]
    assert names([file for file, _ in told], forgery.program), told
    assert forgery.told in ("", *(wording for _, wording in told)), told
    assert names(by_second, forgery.program if forgery.second is None else forgery.second), by_second


def an_event(draft: Draft, kind: str) -> dict[str, Any]:
    """The first event of this type."""
    every = (each for entry, _, body in draft.entries if entry == "adjudication" for each in body["events"])
    found: dict[str, Any] = next(each for each in every if each["type"] == kind)
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda draft: an_event(draft, "SupplyTraced").pop("toll"),
        lambda draft: an_event(draft, "CardsDrawn").pop("count"),
        lambda draft: an_event(draft, "StageBegan").pop("stage"),
        lambda draft: an_event(draft, "SupplyTraced").update(power="france"),
        lambda draft: an_event(draft, "CardsDrawn").update(cards=["1"]),
    ],
    ids=["a cost less", "a number less", "a text less", "one that is looked up", "a secret one"],
)
def test_the_fields_of_events_are_checked_while_the_game_runs(
    eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path], change: Change
) -> None:
    root = copied(eventful)

    def changed(draft: Draft) -> None:
        change(draft)
        assert draft.entries.pop()[0] == "close"

    rewritten(root, eventful.moderator, changed)
    (told,) = [file for file, wording in program(root) if wording == "E-VERIFY-ENTRY.events"]
    assert f"ledger/{told}" in [finding.file for finding in second(root)]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (".gitignore", "outbox/\n.lock\nopened.json\n"),
        (".gitattributes", "* text=auto eol=crlf\n"),
        ("letters/.gitignore", "*.age\n"),
        ("rules/.gitattributes", "* text\n"),
    ],
)
def test_git_is_told_to_leave_nothing_out_and_to_change_nothing(
    eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path], name: str, lines: str
) -> None:
    root = copied(eventful)
    (root / name).write_text(lines)
    assert program(root) == [(name, "E-VERIFY-DERIVED.git")]
    assert [finding.file for finding in second(root)] == [name]


def a_file(path: Path) -> None:
    path.write_text("hello")


@pytest.mark.parametrize("make", [a_file, Path.mkdir, os.mkfifo], ids=["file", "folder", "pipe"])
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("rules/more.yaml", "E-VERIFY-FILE.none"),
        ("rules/.gitignore", "E-"),
        (".gitmodules", "E-VERIFY-DERIVED.git"),
        (".gitattributes", "E-"),
        ("state.yaml", "E-"),
        ("opened.json", "E-"),
    ],
)
def test_what_does_not_belong_there_is_told_and_halts_nobody(
    eventful: SimulatedTable,
    copied: Callable[[SimulatedTable], Path],
    name: str,
    told: str,
    make: Callable[[Path], object],
) -> None:
    root = copied(eventful)
    path = root / name
    path.unlink(missing_ok=True)
    make(path)
    if (name, make) == ("rules/more.yaml", a_file):
        notes = [(note.file, note.fault.code) for note in verified(root).findings]
        assert (notes, second(root)) == ([("rules/more.yaml", "W-VERIFY-FILE")], [])
        return
    wordings = [wording for _, wording in program(root)]
    assert wordings
    assert all(wording.startswith(told) for wording in wordings)
    assert second(root)


def test_an_agreed_file_that_is_a_pipe_halts_nobody(tmp_path: Path) -> None:
    position = "game: maria\nscenario: introductory\nturn: 2\n"
    table = SimulatedTable(tmp_path / "campaign", position=position, scenario="introductory")
    path = table.root / "rules/position.yaml"
    path.unlink()
    os.mkfifo(path)
    assert program(table.root)
    assert second(table.root)


OPENED = {
    "another campaign": (
        lambda text: text.replace('"campaign": "vienna-1741"', '"campaign": "breslau-1741"'),
        "campaign",
    ),
    "a key more": (lambda text: text[:-1] + ', "more": 1}', "keys"),
    "the campaign twice": (lambda text: '{"campaign": "breslau-1741", ' + text[1:], "keys"),
    "the letters twice": (lambda text: text.replace('"letters": {', '"letters": {}, "letters": {', 1), "keys"),
    "a letter twice": (lambda text: text.replace('"6": {', '"6": {"text": "other"}, "6": {', 1), "keys"),
    "a text twice": (lambda text: text.replace('"text": ', '"text": "other", "text": ', 1), "keys"),
    "a key more of a letter": (lambda text: text.replace('"text": ', '"note": "1", "text": ', 1), "keys"),
    "a number written otherwise": (lambda text: text.replace('"6": {', '"06": {', 1), ""),
    "a key more of a part": (lambda text: text.replace('"salt": ', '"note": "1", "salt": ', 1), "damaged"),
    "a salt twice": (lambda text: text.replace('"salt": ', '"salt": "0", "salt": ', 1), "keys"),
    "an order twice": (lambda text: text.replace('"body": {"', '"body": {"prussia": {}, "', 1), ""),
    "a section twice": (
        lambda text: re.sub(r'("body": {"[a-z]+": {)("[a-z]+": )', r"\1\2[], \2", text, count=1),
        "keys",
    ),
}


@pytest.mark.parametrize(("change", "wording"), OPENED.values(), ids=OPENED)
def test_what_was_opened_can_be_read_in_one_way(
    eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path], change: Callable[[str], str], wording: str
) -> None:
    root = copied(eventful)
    text = json.dumps(json.loads((root / "opened.json").read_text("utf-8")))
    changed = change(text)
    assert changed != text
    (root / "opened.json").write_text(changed)

    def close(draft: Draft) -> None:
        draft.body("close")["opened"] = hashlib.sha256(changed.encode()).hexdigest()

    rewritten(root, eventful.moderator, close)
    assert [file for file, _ in program(root)] == ["opened.json"]
    assert program(root)[0][1].startswith(f"E-VERIFY-OPENED.{wording}")
    assert second(root)


def test_an_archive_that_is_in_no_git_needs_no_files_for_it(
    eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path]
) -> None:
    root = copied(eventful)
    for name in (".gitignore", ".gitattributes"):
        (root / name).unlink()
    assert (program(root), second(root)) == ([], [])


@pytest.mark.parametrize("kind", ["new", "close"])
def test_a_secret_that_is_written_otherwise_is_found(
    eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path], kind: str
) -> None:
    root = copied(eventful)

    def change(draft: Draft) -> None:
        body = draft.body(kind)
        body["secret"] = f"{body['secret'][:32]} {body['secret'][32:]}"

    rewritten(root, eventful.moderator, change)
    assert "E-LEDGER-BODY" in {wording.partition(".")[0] for _, wording in program(root)}
    assert second(root)


def test_signing_an_archive_again_changes_nothing(
    eventful: SimulatedTable, copied: Callable[[SimulatedTable], Path]
) -> None:
    root = copied(eventful)
    rewritten(root, eventful.moderator, lambda draft: None)
    assert (program(root), second(root)) == ([], [])


TOLD = {
    cheats.second_beginning: "E-VERIFY-ORDER.begun",
    cheats.taken_over: "E-VERIFY-SEAT",
    cheats.no_lot: "E-VERIFY-LOT",
    cheats_by_moderators.kept_what_a_wrong_clock_did: "E-VERIFY-CLOCK",
    cheats_by_moderators.locked_early: "E-VERIFY-EARLY",
    cheats_by_moderators.chosen_again: "E-VERIFY-SHOWN",
    cheats_by_moderators.away_for_ever: "E-ABSENCE-FAR",
    cheats_by_moderators.away_next_year: "E-ABSENCE-FAR",
    cheats_by_moderators.away_for_too_long: "E-ABSENCE-ALLOWANCE",
    cheats_by_moderators.away_yesterday: "E-ABSENCE-PAST",
    cheats_with_bots.thrown_again: "E-VERIFY-BOT.owed",
    cheats_with_bots.new_key_by_a_ruling: "E-VERIFY-BOT.key",
    cheats_with_bots.second_bot: "E-BOT-AGREED.bot",
    cheats_by_moderators.outrun: "E-VERIFY-LETTER.message",
    cheats_by_moderators.renumbered: "E-VERIFY-LETTER.ruling",
    cheats_by_moderators.silenced: "E-VERIFY-MASK.hidden",
    cheats_by_moderators.ended_without_a_word: "E-VERIFY-ORDER.close",
}
"""In which wording the program tells a cheat, where that is its own."""

EVERY = (*cheats.CHEATS, *cheats_by_moderators.CHEATS, *cheats_with_bots.CHEATS)


@pytest.mark.parametrize("cheat", EVERY, ids=lambda cheat: cheat.__name__)
def test_a_cheat_from_within_is_found(tmp_path: Path, cheat: Callable[[Path], None]) -> None:
    cheat(tmp_path / "campaign")
    assert second(tmp_path / "campaign")
    told = [wording for _, wording in program(tmp_path / "campaign")]
    assert told
    assert TOLD.get(cheat, told[0]) in told, told
