"""Tables that are kept in the page: the folder is that of `pbem`, and goes to and fro between the two."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zipfile
from copy import deepcopy
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest
import yaml
from click.testing import CliRunner

from pbem.campaign.letters.arrived import Arrival
from pbem.cli import main
from pbem.desk.bridge import Bridge
from pbem.desk.faults_on_page import fault_on_page
from pbem.desk.hosting import HostedCampaign
from pbem.faults.wrong import wrong
from pbem.moderator import evening
from pbem.post.extract import Extraction
from pbem.post.mailbox import RawMessage
from pbem.post.sheets import SentSheets
from pbem.seal.box import BoxFault, unpad, unseal
from pbem.seal.keys import PrivateKey, new_key
from tests.desk.keeper import PEOPLE, Keeper
from tests.desk.sitting import Sitter
from tests.desk.test_archive import files_of
from tests.desk.test_chances import runs
from tests.desk.test_desk import POSITION, ask, file_with, files_with

PLAN: dict[str, Any] = {
    "campaign": "silesia",
    "game": "maria",
    "scenario": "introductory",
    "moderator": {"name": "Max", "address": "max@example.org"},
    "seats": {
        "maria-theresa": {"bot": "sensible"},
        "frederick": {"name": "Fred", "language": "de"},
        "louis": {"name": "Lou", "address": "lou@example.org"},
    },
    "clock": {"delay": "0m"},
}


class Friends:
    """One who keeps the table, and two who play, each at a page of their own."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.host = Bridge("en")
        self.key = ask(self.host, "new_key", "")["file"]
        self.view = ask(self.host, "host_found", plan)
        self.pages = {seat: Bridge("en") for seat in PEOPLE}
        for page in self.pages.values():
            ask(page, "new_key", "")

    def copied(self) -> Self:
        """The same people at pages of their own, with a folder of its own."""
        kept: HostedCampaign = self.host.host
        hosted = HostedCampaign(kept.key)
        shutil.copytree(kept.root, hosted.root)
        return deepcopy(self, {id(kept): hosted})

    def letter_to(self, seat: str) -> tuple[str, str]:
        """The newest letter to a seat, in base 64, and the name of its file."""
        letter = next(each for each in ask(self.host, "host_view")["letters"] if each["seat"] == seat)
        return self.outgoing(letter["file"]), letter["file"].rpartition("/")[2]

    def outgoing(self, file: str) -> str:
        """A file of the outbox, in base 64."""
        return base64.b64encode(Path(ask(self.host, "host_file", file)).read_bytes()).decode()

    def evening(self, letters: dict[str, str]) -> Any:
        files = [(name, file_with(text.encode())) for name, text in letters.items()]
        return ask(self.host, "host_evening", files)

    def join(self) -> None:
        """Both take their seats by the invitations, and the cards are dealt."""
        joins = {}
        for seat, page in self.pages.items():
            ask(page, "open", *self.letter_to(seat))
            joins[f"{seat}.yaml"] = ask(page, "join", seat, "en")["letter"]
        assert self.evening(joins)["taken"] == len(PEOPLE)

    def stage(self) -> Any:
        """Each seat that owes orders sends some."""
        letters = {}
        for seat, who in ask(self.host, "host_view")["seats"].items():
            if who["state"] != "none yet":
                continue
            page = self.pages[seat]
            ask(page, "open", *self.letter_to(seat))
            if page.desk.laid is None:
                ask(page, "accept")
            letters[f"{seat}.yaml"] = self.signed(page)
        return self.evening(letters)

    def signed(self, page: Bridge) -> str:
        """Orders: troops as a bot deals them out, else none."""
        state = ask(page, "close")
        if any(each["form"]["section"] == "allot" for each in state["asked"]):
            ask(page, "deal")
        return str(ask(page, "sign")["text"])

    def signed_as(self, page: Bridge, seq: int) -> str:
        """Orders as above, with this number."""
        self.signed(page)
        ask(page, "undo")
        ask(page, "write", re.sub(r"(?m)^seq: \d+", f"seq: {seq}", ask(page, "undo")["text"]))
        return self.signed(page)

    def folder(self, root: Path) -> Path:
        """The folder, out of the zip."""
        with zipfile.ZipFile(ask(self.host, "host_zip")) as packed:
            packed.extractall(root)
        return next(path.parent for path in root.rglob("campaign.yaml"))


def pbem(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.output


def asking(friends: Friends, file: str, name: str, address: str) -> str:
    """A mail in which somebody asks for an offered seat."""
    page = Bridge("en")
    ask(page, "new_key", "")
    ask(page, "open", friends.outgoing(file), "offer")
    letter = ask(page, "join", name, "de")["letter"]
    head = f"From: {name} <{address}>\nTo: max@example.org\nSubject: a seat\nMessage-ID: <1@{address}>\n"
    return f"{head}Date: Sat, 21 Nov 2026 12:00:00 +0000\n\n{letter}"


def test_who_asks_for_an_open_seat_is_shown_and_chosen_by_the_acts_of_the_commands(friends: Friends) -> None:
    host = friends.host
    assert not {"choose", "withdraw"} & set(ask(host, "host_view")["acts"])
    ask(host, "host_act", "offer", {"seat": "frederick", "why": "he has gone"})
    view = ask(host, "host_view")
    (offer,) = [each for each in view["letters"] if "everybody-frederick" in each["name"]]
    assert (offer["seat"], "choose" in view["acts"], "withdraw" in view["acts"]) == ("frederick", False, True)
    letters = {f"{name}.eml": asking(friends, offer["letter"], name, f"{name}@example.net") for name in ("ada", "ben")}
    done = friends.evening(letters)
    assert [each["code"] for each in done["faults"]] == ["W-OFFICE-ASKED"]
    view = ask(host, "host_view")
    assert [(each["number"], each["name"], each["language"]) for each in view["askers"]["frederick"]] == [
        (1, "ada", "de"),
        (2, "ben", "de"),
    ]
    assert view["acts"]["choose"] == ["asker"]
    strangers = [each for each in view["letters"] if each["seat"] == "unknown"]
    assert {each["address"] for each in strangers} == {"ada@example.net", "ben@example.net"}
    ask(host, "host_act", "choose", {"asker": "frederick 2"})
    view = ask(host, "host_view")
    assert (view["seats"]["frederick"]["name"], view["askers"], "withdraw" in view["acts"]) == ("ben", {}, False)
    newest = {each["address"] for each in view["letters"] if each["name"] not in {old["name"] for old in strangers}}
    assert {"ada@example.net", "ben@example.net"} <= newest, "one is told no, the other has the seat"
    assert not [each for each in view["letters"] if "everybody-" in each["name"]]


def test_an_offer_is_taken_back_at_the_desk(friends: Friends) -> None:
    ask(friends.host, "host_act", "offer", {"seat": "louis", "why": "perhaps"})
    file = next(each["letter"] for each in ask(friends.host, "host_view")["letters"] if "everybody" in each["name"])
    friends.evening({"ada.eml": asking(friends, file, "ada", "ada@example.net")})
    ask(friends.host, "host_act", "withdraw", {"seat": "louis"})
    view = ask(friends.host, "host_view")
    assert (view["askers"], "choose" in view["acts"]) == ({}, False)
    assert len([each for each in view["letters"] if each["address"] == "ada@example.net"]) == 2
    assert [each["code"] for each in friends.evening({})["faults"]] == []


def opened_again(friends: Friends, files: dict[str, bytes]) -> Any:
    """The campaign in another page of the moderator's."""
    friends.host = Bridge("en")
    ask(friends.host, "key", base64.b64encode(friends.key.encode()).decode(), "")
    return ask(friends.host, "host_open", files_with(files))


def changes_in(host: Bridge) -> dict[str, bytes | None]:
    """All that the browser is to store now."""
    return {name: place and Path(place).read_bytes() for name, place in ask(host, "host_changes").items()}


def test_a_table_goes_on_in_the_terminal_and_back_in_the_page(friends: Friends, tmp_path: Path) -> None:
    assert friends.stage()["stages"]
    folder, key = friends.folder(tmp_path), tmp_path / "key"
    pbem("verify", str(folder))
    key.write_text(friends.key)
    key.chmod(0o600)
    pbem("extend", "1d", "--why", "a feast", "-C", str(folder), "--key", str(key))
    view = opened_again(friends, files_of(folder))
    assert view["labels"]["louis"] == "Louis"
    friends.evening({})
    assert friends.stage()["taken"]
    ask(friends.host, "host_close", "it is late")
    assert ask(friends.host, "host_view")["phase"] == "closed"
    closed = friends.folder(tmp_path / "closed")
    pbem("verify", str(closed))
    assert (closed / "opened.json").exists()


def test_what_was_sent_is_remembered_and_lies_in_the_folder(friends: Friends, tmp_path: Path) -> None:
    letters = ask(friends.host, "host_view")["letters"]
    assert {each["seat"] for each in letters} == set(PEOPLE)
    ask(friends.host, "host_sent", letters[0]["name"], True)
    view = opened_again(friends, files_of(friends.folder(tmp_path)))
    assert [each["name"] for each in view["letters"] if each["is_sent"]] == [letters[0]["name"]]


def test_no_two_letters_are_saved_under_one_name(friends: Friends) -> None:
    assert friends.stage()["stages"]
    letters = ask(friends.host, "host_view")["letters"]
    names = [each["save_as"] for each in letters]
    assert len({each["file"].rpartition("/")[2] for each in letters}) < len(names) == len(set(names))
    campaign = ask(friends.host, "host_view")["campaign"]
    for each in letters:
        assert each["save_as"].startswith(f"{campaign}-")
        assert each["name"].partition("/")[0] in each["save_as"]
        assert each["save_as"].endswith(".eml" if each["file"].endswith(".eml") else ".yaml")


def test_only_what_has_changed_is_stored_and_all_of_it(friends: Friends) -> None:
    stored = changes_in(friends.host)
    assert changes_in(friends.host) == stored, "nothing is taken for stored before the browser says so"
    ask(friends.host, "host_stored")
    assert ask(friends.host, "host_changes") == {}
    friends.stage()
    stored |= changes_in(friends.host)
    there = {name: data for name, data in stored.items() if data is not None}
    view = opened_again(friends, there)
    assert ask(friends.host, "host_changes") == {}
    assert view["phase"] == "running"
    # A folder that is refused leaves the open one as it was.
    strange = files_with({**there, "../x": b""})
    assert json.loads(friends.host.call("host_open", json.dumps([strange])))["refused"]
    assert ask(friends.host, "host_view") == view


def test_entries_that_lie_in_no_zip_are_told_until_they_do(friends: Friends, tmp_path: Path) -> None:
    founded = ask(friends.host, "host_view")["unsaved"]
    assert founded
    file = ask(friends.host, "host_zip")
    assert ask(friends.host, "host_view")["unsaved"] == ""
    friends.stage()
    assert ask(friends.host, "host_view")["unsaved"] >= founded, "entries are timed by the second"
    other = Bridge("en")
    ask(other, "key", base64.b64encode(friends.key.encode()).decode(), "")
    assert ask(other, "host_unzip", file)["unsaved"] == "", "it has come out of a zip"


def test_a_letter_that_came_twice_and_a_strangers_one_are_told(friends: Friends) -> None:
    page = friends.pages["louis"]
    ask(page, "open", *friends.letter_to("louis"))
    letter = friends.signed(page)
    done = friends.evening({"a.yaml": letter})
    assert (done["taken"], done["took"]) == (1, [["louis", "orders"]])
    done = friends.evening({"b.yaml": letter})
    assert (done["taken"], done["took"]) == (0, [])
    done = friends.evening({"c.yaml": letter.replace("from: louis", "from: frederick")})
    assert done["refused"] == 1
    assert done["faults"][0]["code"] == "W-OFFICE-TURNED"


def standings(friends: Friends) -> dict[str, str]:
    """Standing of each letter that was not sent, by the name of its file in the outbox."""
    letters = ask(friends.host, "host_view")["letters"]
    return {each["name"].partition("/")[2]: each["standing"] for each in letters if not each["is_sent"]}


def bad_letter(friends: Friends, seat: str) -> str:
    """A letter of orders whose number was used before."""
    page = friends.pages[seat]
    ask(page, "open", *friends.letter_to(seat))
    return friends.signed_as(page, 1)


def test_a_refusal_is_to_be_sent_first_with_its_reason_until_a_good_letter_came(friends: Friends) -> None:
    letter = bad_letter(friends, "louis")
    assert friends.evening({"louis.yaml": letter})["refused"] == 1
    newest = ask(friends.host, "host_view")["letters"][0]
    assert (newest["standing"], newest["seat"]) == ("refused", "louis")
    assert newest["why"] == "E-LETTER-SEQ: another letter with seq 1 came in before"
    assert standings(friends)["louis-receipt-0004"] == "overtaken", "the receipt of the joining"
    assert friends.evening({"louis.yaml": friends.signed_as(friends.pages["louis"], 2)})["taken"] == 1
    found = standings(friends)
    assert (found["louis-receipt-0007"], found["louis-receipt-0008"]) == ("overtaken", "spare")


def test_a_moderator_who_plays_is_not_told_why_a_rivals_letter_was_refused() -> None:
    friends = Friends({**PLAN, "moderator": {"name": "Max", "seat": "frederick"}})
    friends.join()
    friends.evening({"louis.yaml": bad_letter(friends, "louis")})
    letters = ask(friends.host, "host_view")["letters"]
    assert not [each["title"] for each in letters if "sealed to your key" in each["title"]]
    (refused,) = [each for each in letters if each["standing"] == "refused"]
    assert (refused["seat"], refused["why"], refused["text"]) == ("louis", "", "")
    assert not json.loads((friends.host.host.root / "outbox/.desk").read_bytes())["refusals"][refused["name"]]["why"]


def test_a_moderator_who_plays_is_told_that_a_rivals_letter_was_cut() -> None:
    friends = Friends({**PLAN, "moderator": {"name": "Max", "seat": "frederick"}})
    friends.join()
    page = friends.pages["louis"]
    ask(page, "open", *friends.letter_to("louis"))
    (told,) = friends.evening({"louis.yaml": friends.signed(page)[:-60]})["faults"]
    assert "breaks off before the end of its signature" in told["message"]


def test_a_refusal_of_a_stage_that_is_over_need_not_be_sent(friends: Friends) -> None:
    friends.evening({"louis.yaml": bad_letter(friends, "louis")})
    ask(friends.host, "host_act", "force", {})
    assert ask(friends.host, "host_view")["stage"] != "Turn 1, set-up"
    assert standings(friends)["louis-receipt-0007"] == "overtaken"


def test_a_refused_proposal_need_not_be_sent_after_a_good_one(friends: Friends) -> None:
    page = friends.pages["louis"]
    ask(page, "open", *friends.letter_to("louis"))
    ask(page, "propose", "draw", "", 3)
    good = ask(page, "sign")["text"]
    friends.evening({"bad.yaml": good.replace("subject: draw", "subject: war")})
    assert standings(friends)["louis-receipt-0007"] == "refused"
    assert friends.evening({"good.yaml": good})["taken"] == 1
    assert standings(friends)["louis-receipt-0007"] == "overtaken"


def test_a_proposal_from_a_report_that_others_have_overtaken_is_put_to_the_vote(friends: Friends) -> None:
    before = ask(friends.host, "host_view")["stage"]
    friends.stage()
    assert ask(friends.host, "host_view")["stage"] != before
    page = friends.pages["louis"]
    ask(page, "propose", "draw", "", 3)
    assert friends.evening({"draw.yaml": ask(page, "sign")["text"]})["taken"] == 1
    awaited = ask(friends.host, "host_view")["seats"]["frederick"]["owes_votes"]
    assert awaited == ["a draw (proposed by Louis)"]


@pytest.mark.parametrize("end", ["signature:", "  U1NIU0lH"])
def test_a_joining_letter_that_was_cut_is_to_be_sent_again_whole(end: str) -> None:
    friends = Friends(PLAN)
    page = friends.pages["louis"]
    ask(page, "open", *friends.letter_to("louis"))
    whole = ask(page, "join", "Lou", "en")["letter"]
    assert end in whole
    told = friends.evening({"louis.yaml": whole.partition(end)[0]})
    assert told["refused"] == 1
    (receipt,) = [each for each in ask(friends.host, "host_view")["letters"] if "receipt" in each["name"]]
    said = " ".join(receipt["text"].split())
    assert "Send the same letter again, whole: it was damaged on its way." in said
    for unfit in ("Correct it", "newest report", "pbem sign", "pbem desk"):
        assert unfit not in said
    assert receipt["why"] in told["faults"][0]["message"]
    opened = page.call("open", json.dumps(friends.letter_to("louis")))
    assert "send the same letter again, whole" in opened
    assert "newest report" not in opened
    assert friends.evening({"louis.yaml": whole})["taken"] == 1


def test_who_joins_a_second_time_is_told_that_nothing_more_is_needed() -> None:
    friends = Friends(PLAN)
    invitation = friends.letter_to("louis")
    friends.join()
    page = friends.pages["louis"]
    ask(page, "open", *invitation)
    told = friends.evening({"again.yaml": ask(page, "join", "Lou", "en")["letter"]})
    assert told["refused"] == 1
    assert "this player has the seat louis (Louis) already" in told["faults"][0]["message"]
    (receipt,) = [each for each in ask(friends.host, "host_view")["letters"] if each["why"]]
    assert receipt["standing"] == "overtaken"
    said = " ".join(receipt["text"].split())
    assert "your newest report tells what is asked of you" in said
    assert "Correct it" not in said
    opened = page.call("open", json.dumps([friends.outgoing(receipt["letter"]), "receipt.yaml"]))
    assert "no corrected one is needed" in opened
    assert "send it once more" not in opened


def test_a_letter_that_came_damaged_leaves_no_number_missing(friends: Friends) -> None:
    page = friends.pages["louis"]
    ask(page, "open", *friends.letter_to("louis"))
    damaged = friends.signed(page)
    assert "seq: 2" in damaged
    told = friends.evening({"louis.yaml": damaged[:-60]})
    assert told["refused"] == 1
    assert friends.evening({"louis.yaml": damaged[:-60]})["known"] == 1, "it came before"
    ask(page, "undo")
    again = friends.signed(page)
    assert "seq: 3" in again
    told = friends.evening({"louis.yaml": again})
    assert told["taken"] == 1
    assert told["faults"] == []


def open_motions(page: Bridge) -> list[str]:
    """Names of the proposals on which the page asks for votes."""
    motions = page.desk.sitting().motions
    assert motions
    return [each.name for each in motions.open]


def test_the_vote_by_which_a_proposal_fails_is_told_to_all_at_once(friends: Friends) -> None:
    friends.stage()
    for seat, page in friends.pages.items():
        ask(page, "open", *friends.letter_to(seat))
    louis, frederick = friends.pages["louis"], friends.pages["frederick"]
    ask(louis, "propose", "draw", "", 3)
    friends.evening({"draw.yaml": ask(louis, "sign")["text"]})
    asking = friends.letter_to("frederick")
    ask(frederick, "open", *asking)
    (name,) = open_motions(frederick)
    ask(frederick, "vote", name, "no")
    vote = ask(frederick, "sign")["text"]
    (told,) = friends.evening({"no.yaml": vote})["faults"]
    assert told["code"] == "W-PROPOSAL-FAILED"
    newest = {each["seat"]: each for each in ask(friends.host, "host_view")["letters"] if each["standing"] == "open"}
    for seat in ("louis", "frederick"):
        assert "With that the proposal has failed." in " ".join(newest[seat]["text"].split())
        assert "pbem vote" not in newest[seat]["text"]
    ask(louis, "open", *friends.letter_to("louis"))
    assert not open_motions(louis)
    motions = louis.desk.sitting().motions
    assert motions
    (told,) = motions.settled
    assert told.startswith("Frederick voted no on the proposal of Louis to end the game as a draw.")
    assert told.endswith("With that the proposal has failed.")
    ask(frederick, "open", *asking)
    ask(frederick, "vote", name, "yes")
    ask(frederick, "write", re.sub(r"(?m)^seq: \d+", "seq: 4", frederick.desk.drafts.top.text))
    assert friends.evening({"yes.yaml": ask(frederick, "sign")["text"]})["refused"] == 1
    receipt = next(each for each in ask(friends.host, "host_view")["letters"] if "-receipt-" in each["name"])
    opened = frederick.call("open", json.dumps([friends.outgoing(receipt["letter"]), "receipt.yaml"]))
    assert "no vote is needed any more" in opened
    assert "no corrected one is needed" in opened
    assert "send it once more" not in opened


def test_a_proposal_that_lapses_by_an_act_is_told_with_the_act(friends: Friends) -> None:
    friends.stage()
    friends.stage()
    (number, _, _), *_ = ask(friends.host, "host_turns")
    page = friends.pages["louis"]
    ask(page, "open", *friends.letter_to("louis"))
    ask(page, "propose", "draw", "", 3)
    assert friends.evening({"draw.yaml": ask(page, "sign")["text"]})["taken"] == 1
    done = ask(friends.host, "host_act", "rollback", {"entry": str(number), "why": "a mistake"})
    assert "the proposal of louis (Louis) is no longer open to votes" in [each["message"] for each in done["faults"]]


def test_of_many_letters_the_newest_to_each_reader_are_to_be_sent(friends: Friends) -> None:
    assert {name for name, standing in standings(friends).items() if standing == "open"} == {*PEOPLE}
    friends.stage()
    ask(friends.host, "host_act", "extend", {"until": "2d", "why": "a feast"})
    reports = [each for each in ask(friends.host, "host_view")["letters"] if each["name"].endswith("/louis")]
    assert [each["standing"] for each in reports] == ["open", *["overtaken"] * (len(reports) - 1)]
    assert len(reports) > 2


def since_of(friends: Friends, name: str) -> int:
    """Entry from which on a report in the outbox tells."""
    letters = {each["name"]: each for each in ask(friends.host, "host_view")["letters"]}
    text = Path(ask(friends.host, "host_file", letters[name]["letter"])).read_text()
    found = re.search(r"(?m)^  since: (\d+)$", text)
    assert found
    return int(found[1])


def reports_to(friends: Friends, seat: str) -> list[str]:
    """Names of the reports to a seat, the oldest first."""
    names = [each["name"] for each in ask(friends.host, "host_view")["letters"]]
    return sorted(name for name in names if name.endswith(f"/{seat}"))


def test_who_plays_too_misses_nothing_of_reports_that_were_not_opened() -> None:
    friends = Friends({**PLAN, "moderator": {"name": "Max", "seat": "louis"}})
    friends.join()
    (first,) = reports_to(friends, "louis")
    ask(friends.host, "host_sent", first, True)  # as *Open it here* does
    friends.stage()
    friends.stage()
    assert since_of(friends, reports_to(friends, "louis")[-1]) == int(first[:4])


def test_a_report_tells_all_since_the_last_one_that_was_sent(friends: Friends, tmp_path: Path) -> None:
    """A report in between stays behind; the reader's desk gets its steps from the next one."""
    reports = partial(reports_to, friends)
    (first,) = reports("louis")
    friends.stage()
    ask(friends.host, "host_sent", first, True)
    left_behind = reports("louis")[-1]
    friends.stage()
    *_, last = reports("louis")
    assert last > left_behind > first
    assert since_of(friends, left_behind) == int(first[:4]), "nothing was left out before it"
    assert since_of(friends, last) == int(first[:4])
    assert since_of(friends, reports("frederick")[-1]) > int(first[:4]), "of this reader it is not known"
    steps = len(friends.pages["louis"].desk.sitting().steps)
    ask(friends.pages["louis"], "open", *friends.letter_to("louis"))
    assert len(friends.pages["louis"].desk.sitting().steps) > steps
    ask(friends.host, "host_sent", last, True)
    ask(friends.host, "host_act", "extend", {"until": "9d", "why": "a feast"})
    assert since_of(friends, reports("louis")[-1]) == int(last[:4]), "what was sent is not told again"
    ask(friends.host, "host_act", "extend", {"until": "12d", "why": "a longer one"})
    assert since_of(friends, reports("louis")[-1]) == int(last[:4]), "an act leaves nothing out either"
    ask(friends.host, "host_close", "enough")
    assert since_of(friends, reports("louis")[-1]) == int(last[:4])
    folder = friends.folder(tmp_path)
    report = folder / "outbox" / f"{reports('louis')[-1]}.report.yaml"
    pbem("verify", str(folder), "--report", str(report))


def test_the_page_tells_standing_plans_without_a_command() -> None:
    fault = wrong("W-CHECK-PLANS", seq=4)
    assert "`pbem sign`" in str(fault.data("en")["hint"])
    assert fault_on_page(fault, "en")["hint"] == "they count as you sent them; this page does not try what they answer"


def test_the_table_tells_whose_vote_is_awaited(friends: Friends) -> None:
    def voting() -> set[str]:
        return {seat for seat, who in ask(friends.host, "host_view")["seats"].items() if who["owes_votes"]}

    friends.stage()
    letters = {}
    for seat, page in friends.pages.items():
        ask(page, "open", *friends.letter_to(seat))
    assert voting() == set()
    ask(friends.pages["louis"], "propose", "draw", "", 3)
    letters["draw.yaml"] = ask(friends.pages["louis"], "sign")["text"]
    assert friends.evening(letters)["taken"] == 1
    assert voting() == {"frederick"}


def told_twice(friends: Friends) -> list[tuple[int, bytes]]:
    """Two reports to one seat with the numbers of their entries, of which the second tells all of the first again."""
    (first,) = [each["name"] for each in ask(friends.host, "host_view")["letters"] if each["name"].endswith("/louis")]
    friends.stage()
    ask(friends.host, "host_sent", first, True)
    page, found = friends.pages["louis"], []
    for _ in range(2):
        ask(page, "open", *friends.letter_to("louis"))
        assert page.desk.opened.seen
        assert page.desk.opened.seen.head
        found.append((page.desk.opened.seen.head.entry, page.desk.given))
        friends.stage()
    return found


def test_steps_that_an_earlier_report_on_the_desk_has_told_are_not_new(friends: Friends) -> None:
    (entry, earlier), (_, later) = told_twice(friends)
    page = friends.pages["louis"]
    ask(page, "open", base64.b64encode(earlier).decode(), "report.eml")
    known = [step.told for step in page.desk.sitting().steps]
    ask(page, "open", base64.b64encode(later).decode(), "report.eml")
    steps = page.desk.sitting().steps
    assert all(step.is_new for step in steps)
    assert [step.told for step in steps[: len(known)]] == known
    assert len(steps) > len(known)
    packed = ask(page, "pack", base64.b64encode(earlier).decode())
    found = ask(page, "count_from", entry, {"name": "earlier", "packed": packed})["sitting"]["steps"]
    assert [step["is_new"] for step in found] == [False] * len(known) + [True] * (len(steps) - len(known))
    # In another language, too; and a report that begins where the earlier one ends repeats nothing.
    assert [step["is_new"] for step in ask(page, "speak", "de")["sitting"]["steps"]] == [
        step["is_new"] for step in found
    ]
    assert ask(page, "count_from", 1, {"name": "earlier", "packed": packed}) is None
    assert ask(page, "count_from", entry, {"name": "damaged", "packed": "AAAA"}) is None


def test_new_steps_are_counted_from_the_report_that_was_opened_before(
    sitter: Sitter, friends: Friends, tmp_path: Path
) -> None:
    files = [tmp_path / "earlier.eml", tmp_path / "later.eml"]
    for path, (_, data) in zip(files, told_twice(friends), strict=True):
        path.write_bytes(data)
    sitter.open(str(files[0]))
    known = sitter.reader.run("return sitting.steps.length")
    assert sitter.reader.run("return unseen.size === sitting.steps.filter((each) => !each.traces).length")
    sitter.find("#another").click()
    sitter.find("#file").send_keys(str(files[1]))
    sitter.until(f"return sitting?.steps.length > {known}")
    first = f"sitting.steps.findIndex((each, at) => at >= {known} && !each.traces)"
    assert sitter.reader.run(f"return Math.min(...unseen) === {first}")
    sitter.reader.run("speak('de')")
    assert sitter.reader.run(f"return Math.min(...unseen) === {first}")
    sitter.reader.run("speak('en')")


def test_the_letters_of_a_moderator_who_plays_are_not_among_those_to_send() -> None:
    friends = Friends({**PLAN, "moderator": {"name": "Max", "seat": "frederick"}})
    assert standings(friends) == {"frederick-invitation": "own", "louis-invitation": "open"}
    friends.join()
    found = standings(friends)
    assert (found["frederick"], found["frederick-invitation"], found["louis"]) == ("own", "overtaken", "open")
    assert found["frederick-receipt-0003"] == "overtaken"


@pytest.mark.parametrize("where", ["../evil.yaml", "ledger/../../evil.yaml"])
def test_a_folder_with_names_that_leave_it_is_refused(friends: Friends, where: str, tmp_path: Path) -> None:
    files = {**files_of(friends.folder(tmp_path)), where: b""}
    answer = json.loads(friends.host.call("host_open", json.dumps([files_with(files)])))
    assert [fault["code"] for fault in answer["refused"]] == ["E-DESK-ARCHIVE"]


def test_a_folder_with_a_file_and_a_folder_of_one_name_is_refused(friends: Friends, tmp_path: Path) -> None:
    files = {**files_of(friends.folder(tmp_path)), "state.yaml/evil.yaml": b""}
    answer = json.loads(friends.host.call("host_open", json.dumps([files_with(files)])))
    assert [fault["code"] for fault in answer["refused"]] == ["E-DESK-ARCHIVE"]


def test_letters_in_files_of_one_name_are_all_taken() -> None:
    friends = Friends(PLAN)
    files = []
    for seat, page in friends.pages.items():
        ask(page, "open", *friends.letter_to(seat))
        files.append(("join.yaml", file_with(ask(page, "join", seat, "en")["letter"].encode())))
    assert ask(friends.host, "host_evening", files)["taken"] == len(PEOPLE)


def test_a_letter_that_fails_unforeseen_keeps_no_other_from_being_taken(
    friends: Friends, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = friends.pages["louis"]
    ask(page, "open", *friends.letter_to("louis"))
    take = evening.arrival_of

    def fails(message: RawMessage, campaign: str, sheets: SentSheets, found: Extraction | None = None) -> Arrival:
        if message.where == "odd.yaml":
            raise ZeroDivisionError
        return take(message, campaign, sheets, found)

    monkeypatch.setattr(evening, "arrival_of", fails)
    done = friends.evening({"odd.yaml": "pbem: 1", "louis.yaml": friends.signed(page)})
    assert done["taken"] == 1
    assert "the letter odd.yaml cannot be taken: ZeroDivisionError" in done["faults"][0]["message"]


def test_the_folder_opens_only_for_the_key_of_its_moderator(friends: Friends, tmp_path: Path) -> None:
    other = Bridge("en")
    ask(other, "new_key", "")
    answer = json.loads(other.call("host_open", json.dumps([files_with(files_of(friends.folder(tmp_path)))])))
    assert [fault["code"] for fault in answer["refused"]] == ["E-KEY-OTHER"]


def test_a_moderator_who_plays_is_told_nothing_of_rivals(tmp_path: Path) -> None:
    """Neither names, nor the view, nor what the browser stores in the clear has anything of a rival's report."""
    mine = {**PLAN, "moderator": {"name": "Max", "seat": "frederick"}, "conduct": {"sealing": "reveal"}}
    friends = Friends(mine)
    friends.join()
    stored = ask(friends.host, "host_changes")
    reports = [name for name in stored if "/louis.report" in name or "/maria-theresa.report" in name]
    assert reports
    assert all(name.endswith(".age") for name in reports), "rivals' reports lie there in boxes alone"
    rivals = [each for each in ask(friends.host, "host_view")["letters"] if each["seat"] == "louis"]
    assert [each["text"] for each in rivals] == [""] * len(rivals)
    ask(friends.host, "open", *friends.letter_to("frederick"))
    ask(friends.host, "accept")
    assert friends.host.desk.opened.seen.seat == "frederick", "their own opens with the same key"


def test_a_report_is_listed_by_its_subject_and_a_rivals_by_no_word_more() -> None:
    """Of a rival too, whose address the page has, and of one whose letters are carried by hand."""
    moderator = {"name": "Max", "address": "max@example.org", "seat": "maria-theresa"}
    rivals = {
        "frederick": {"name": "Fred", "reports": "plain"},
        "louis": {**PLAN["seats"]["louis"], "reports": "plain"},
    }
    friends = Friends({**PLAN, "moderator": moderator, "seats": rivals | {"maria-theresa": {"name": "Max"}}})
    own = friends.letter_to("maria-theresa")
    ask(friends.host, "open", *own)
    join = {"max.yaml": ask(friends.host, "join", "maria-theresa", "en")["letter"]}
    friends.evening(join)
    friends.join()
    letters = {each["seat"]: each for each in ask(friends.host, "host_view")["letters"][:3]}
    assert letters["louis"]["title"].startswith("0005 Turn 1, set-up: your move, by ")
    assert letters["frederick"]["title"].startswith("Turn 1, set-up: your move, by ")
    assert letters["frederick"]["title"] == letters["louis"]["title"].removeprefix("0005 ")
    assert [letters[seat]["text"] for seat in PEOPLE] == ["", ""]
    assert "You have" in letters["maria-theresa"]["text"]
    assert letters["maria-theresa"]["text"].startswith("Turn 1 of 9")


def owing(view: Any) -> list[str]:
    return [seat for seat, who in view["seats"].items() if who["state"] == "none yet"]


def test_several_at_one_screen_play_and_the_folder_is_sound_anywhere(tmp_path: Path) -> None:
    """Nobody joins by a letter; each sits down in turn, and nothing of a seat is on the desk of the next."""
    host, page = Bridge("en"), Bridge("en")
    ask(page, "new_key", "")
    ask(host, "key", ask(page, "host_key"), "")
    plan = {**PLAN, "seats": {**PLAN["seats"], "louis": {"name": "Lou"}}, "moderator": {"name": "Max"}}
    view = ask(host, "host_found", plan, True)
    assert (view["phase"], view["is_hot_seat"]) == ("running", True)
    assert set(view["acts"]) == {"force", "rollback"}
    for _ in range(2):
        for seat in owing(ask(host, "host_view")):
            lent = ask(host, "host_report", seat)
            sat = ask(page, "host_sit", seat, lent["report"], lent["key"], lent["last"])
            assert sat["sitting"]["seat"] == seat
            assert yaml.safe_load(sat["state"]["text"])["seq"] == lent["last"] + 1
            if any(each["form"]["section"] == "allot" for each in ask(page, "close")["asked"]):
                ask(page, "deal")
            name, letter = ask(page, "host_letter")
            assert ask(host, "host_evening", [(name, file_with(base64.b64decode(letter)))])["taken"] == 1
            ask(page, "host_rise")
            assert page.desk.laid is None
            assert page.desk.key == host.host.key
    friends = Friends.__new__(Friends)
    friends.host = host
    pbem("verify", str(friends.folder(tmp_path)))


def test_letters_say_where_the_answer_goes_and_those_for_everybody_do_not(friends: Friends, tmp_path: Path) -> None:
    page = friends.pages["louis"]
    assert ask(page, "open", *friends.letter_to("louis"))["sitting"]["address"] == "max@example.org"
    invited = ask(Friends(PLAN).host, "host_view")["letters"]
    assert len(invited) == len(PEOPLE)
    folder = friends.folder(tmp_path)
    public = [path for path in folder.rglob("*") if path.is_file() and "everybody" in path.name]
    assert public
    public += [*(folder / "ledger").iterdir(), *folder.glob("outbox/*/observer.report.yaml")]
    assert [path.name for path in public if b"max@example.org" in path.read_bytes()] == []


def test_an_invitation_speaks_of_the_page_first() -> None:
    """Of its address where it has one, and of Python last."""
    for desk, said in {
        "": "ask the moderator for the page",
        "https://club.example/desk/": "club.example",
    }.items():
        moderator = {"name": "Max", "address": "max@example.org", **({"desk": desk} if desk else {})}
        friends = Friends({**PLAN, "moderator": moderator})
        letter = next(each for each in ask(friends.host, "host_view")["letters"] if each["seat"] == "louis")
        assert " ".join(letter["text"].split()).find(said) in range(300)
        assert letter["title"] == "silesia: an invitation"
        assert letter["text"].index("your browser") < letter["text"].index("Python")


def test_a_seat_is_changed_before_anybody_has_joined_and_an_address_later(friends: Friends) -> None:
    assert not ask(friends.host, "host_view")["may_change"]
    new = Friends(PLAN)
    assert ask(new.host, "host_view")["may_change"]
    assert ask(new.host, "host_plan")["seats"]["louis"]["address"] == "lou@example.org"
    first = next(each for each in ask(new.host, "host_view")["letters"] if each["seat"] == "louis")
    ask(new.host, "host_sent", first["name"], True)
    ask(new.host, "host_act", "address", {"seat": "louis", "address": "lu@example.org"})
    letters = [each for each in ask(new.host, "host_view")["letters"] if each["seat"] == "louis"]
    assert [(each["address"], each["is_sent"]) for each in letters] == [("lu@example.org", False)]


FIRST, LAST = ((date.today() + timedelta(days)).isoformat() for days in (30, 31))

ACTS = {
    "extend": {"until": "2d", "why": "a feast"},
    "absent": {"seat": "louis", "first": FIRST, "last": "", "why": ""},
    "rekey": {"seat": "louis", "key": "KEY", "why": "lost"},
    "substitute": {"seat": "louis", "name": "Lea", "key": "KEY", "address": "lea@example.org", "why": "ill"},
    "act": {"seat": "louis", "orders": "SHEET", "why": "told me"},
    "force": {},
    "rule": {"ruling": "Pirna is a fortress."},
    "absent-bot": {"seat": "louis", "first": FIRST, "last": LAST, "why": ""},
    "substitute-bot": {"seat": "louis", "why": "gone"},
}


def test_every_act_of_the_moderator_is_carried_out_and_told() -> None:
    """All but what needs a game that has gone on, or a wrong clock."""
    friends = Friends({**PLAN, "conduct": {"stand_in": "sensible"}})
    friends.join()
    offered = ask(friends.host, "host_view")["acts"]
    page = friends.pages["louis"]
    ask(page, "open", *friends.letter_to("louis"))
    known = {"KEY": new_key("").public.text, "SHEET": ask(page, "deal")["text"]}
    ledger = friends.host.host.root / "ledger"
    for name, given in ACTS.items():
        assert set(offered[name]) == set(given)
        before = len([*ledger.iterdir()])
        ask(friends.host, "host_act", name, {key: known.get(text, text) for key, text in given.items()})
        assert len([*ledger.iterdir()]) > before, name
    friends = Friends(PLAN)
    friends.join()
    friends.stage()
    number, stage, _ = ask(friends.host, "host_turns")[-1]
    assert stage == "Turn 1, set-up"
    ask(friends.host, "host_act", "rollback", {"entry": str(number), "why": "a mistake"})
    view = ask(friends.host, "host_view")
    assert view["stage"] == stage
    newest = next(each for each in view["letters"] if each["seat"] == "louis")
    assert "set-up" in newest["title"]


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_no_fault_of_the_page_names_an_option_of_a_command(friends: Friends, language: str, tmp_path: Path) -> None:
    other = Bridge(language)
    ask(other, "new_key", "")
    files = files_with(files_of(friends.folder(tmp_path)))
    found = json.loads(other.call("host_open", json.dumps([files])))["refused"][0]
    assert "--key" not in found["message"] + found["hint"]
    assert found["hint"]
    assert other.fault_data(wrong("W-LETTER-UNSIGNED"))["hint"] == ""


def joined(page: Bridge, invitation: bytes, seat: str, folder: Path) -> Path:
    """The letter by which somebody at another page takes a seat."""
    ask(page, "open", base64.b64encode(invitation).decode(), "invitation.yaml")
    file = folder / f"join-{seat}.yaml"
    file.write_text(ask(page, "join", seat, "en")["letter"])
    return file


GOES_ON = 600
"""Milliseconds that the page's own thread may work while a stage is carried out: the program takes several times that.
"""


def test_a_table_is_kept_by_clicks_and_outlives_a_tab_that_is_closed(sitter: Sitter, tmp_path: Path) -> None:
    sitter.home()
    keeper = Keeper(sitter, tmp_path)
    keeper.found()
    pages = {seat: Bridge("en") for seat in PEOPLE}
    for page in pages.values():
        ask(page, "new_key", "")
    invitations = {name.rpartition("/")[2].partition("-invitation")[0]: data for name, data in keeper.letters()}
    joins = [joined(pages[seat], data, seat, tmp_path) for seat, data in invitations.items()]
    assert "letters taken: 1" in keeper.give(joins[0])
    keeper.come_back()
    before = sitter.worked()
    told = keeper.give(joins[1])
    assert re.search(r"letters taken: 1 \(.+ \(\w+\): [^)]+\) · stages carried out: 1", told), told
    assert sitter.worked() - before < GOES_ON, "the page goes on while letters are taken and reports are written"
    runs(sitter, 1)
    names = [name for name, _ in keeper.letters()]
    sitter.find("#table-text").send_keys("kind: half a letter")
    keeper.click(f"[data-letter='{names[0]}'] .sent")
    sitter.until(f"return Boolean(document.querySelector('#table-out .is-sent[data-letter=\"{names[0]}\"]'))")
    assert sitter.find("#table-text").get_attribute("value") == "kind: half a letter", "what was pasted stays"
    keeper.come_back()
    assert names[0] not in [name for name, _ in keeper.letters()], "what was sent is remembered"
    keeper.click("#table-save")
    with zipfile.ZipFile(keeper.saved("silesia.zip")) as packed:
        packed.extractall(tmp_path)
    pbem("verify", str(tmp_path / "silesia"))
    sitter.until("return document.getElementById('table-saved')?.textContent.startsWith('silesia.zip is in')")
    assert not sitter.reader.complaints()
    # Whoever leaves the table takes its key out of the worker, too.
    keeper.click(".open + .buttons button")
    runs(sitter, 0)
    # A letter that is given where a zip is wanted is opened as what it is.
    (tmp_path / "letter.yaml").write_bytes(invitations["louis"])
    sitter.find("#table-zip").send_keys(str(tmp_path / "letter.yaml"))
    keeper.wait("form.join")


def test_friends_are_given_the_page_without_the_letter_that_lay_in_it(
    sitter: Sitter, page_file: Path, tmp_path: Path
) -> None:
    letter = base64.b64encode(POSITION.read_bytes()).decode()
    whole = page_file.read_bytes().replace(b'data-name="">', f'data-name="mine.report.yaml">{letter}'.encode(), 1)
    (given := tmp_path / "given.html").write_bytes(whole)
    (downloads := tmp_path / "saved").mkdir()
    try:
        keeper = Keeper(Sitter(sitter.reader, given), downloads)
        keeper.sitter.home()
        keeper.found()
        keeper.click("#page-save")
        saved = keeper.saved("given.html")
        assert saved.read_bytes() == page_file.read_bytes()
        friend = Sitter(sitter.reader, saved)
        assert not friend.reader.complaints()
        friend.find("#table-new")
    finally:
        Sitter(sitter.reader, page_file)


STORAGE = """
const done = arguments[0], texts = [], walk = async (folder) => {
  for await (const [name, each] of folder.entries()) {
    texts.push(name);
    if (each.kind === "file") texts.push(await (await each.getFile()).text());
    else await walk(each);
  }
};
(async () => {
  for (const notes of [localStorage, sessionStorage]) texts.push(JSON.stringify(notes));
  for (const { name } of await indexedDB.databases()) texts.push(name);
  for (const all of ["getAllKeys", "getAll"])
    for (const each of await inStore("readonly", (files) => files[all]()))
      texts.push(each instanceof Uint8Array ? new TextDecoder().decode(each) : JSON.stringify(each));
  try { await walk(await navigator.storage.getDirectory()); } catch { /* a page that is a file may have none */ }
  return texts;
})().then(done);
"""
"""Gives all texts that the browser keeps for the page."""


def content_of(box: str, key: PrivateKey) -> bytes | None:
    """Content of a box; None for another's box, and for a text that is none."""
    try:
        return unseal(key, box)
    except BoxFault:
        return None


def rival_at(keeper: Keeper) -> tuple[Bridge, Path]:
    """Begin a table at which the moderator plays Frederick: the page of Louis, and the letter by which he takes his
    seat."""
    keeper.found(mine="frederick")
    invitation = next(data for name, data in keeper.letters() if "louis" in name)
    keeper.click("#table-own .here")
    keeper.wait("#name")
    keeper.click("#sign")
    keeper.click("#give")
    keeper.wait("#table-acts")
    rival = Bridge("en")
    ask(rival, "new_key", "")
    return rival, joined(rival, invitation, "louis", keeper.downloads)


def test_of_a_rival_nothing_is_to_be_read_on_the_page_or_in_the_storage_and_no_key(
    sitter: Sitter, tmp_path: Path
) -> None:
    """The moderator plays Frederick; of Louis' hand, troops and orders not a line is there, nor of the moderator's key.

    All boxes for Louis are padded: a size tells no small difference.
    """
    sitter.home()
    keeper, run = Keeper(sitter, tmp_path), sitter.reader.run
    rival, join = rival_at(keeper)
    assert "letters taken: 1" in keeper.give(join)
    report = next(data for name, data in keeper.letters() if "louis" in name)
    ask(rival, "open", base64.b64encode(report).decode(), "report")
    ask(rival, "deal")
    orders = ask(rival, "sign")["text"]
    (tmp_path / "orders.yaml").write_text(orders)
    assert "letters taken: 1" in keeper.give(tmp_path / "orders.yaml")
    assert rival.desk.key
    told = unpad(unseal(rival.desk.key, report.decode())).decode()
    secrets = [line.strip() for line in told.splitlines() if " · " in line or "♠" in line or "♥" in line]
    secrets += [line.strip() for line in orders.splitlines() if line.startswith("        ")]
    assert len(secrets) > 5
    key = (tmp_path / "pbem-key").read_text().splitlines()
    kept = sitter.reader.driver.execute_async_script(STORAGE)
    assert any("louis.report.yaml.age" in text for text in kept)
    for text in [*kept, run("return document.documentElement.outerHTML"), run("return JSON.stringify(table)")]:
        assert not [line for line in secrets if line in text]
        assert not [line for line in key[1:-1] if line in text]
    boxes = [opened for text in kept if (opened := content_of(text, rival.desk.key))]
    assert boxes
    assert all(unpad(opened) for opened in boxes)
    assert not sitter.reader.complaints()


def test_a_seat_is_offered_and_given_to_one_who_asks_by_clicks(sitter: Sitter, tmp_path: Path) -> None:
    sitter.home()
    keeper = Keeper(sitter, tmp_path)
    keeper.found()
    keeper.act("offer", seat="frederick", why="perhaps")
    offer = next(data for name, data in keeper.letters() if "everybody-frederick" in name)
    files = []
    for name in ("Ada", "Ben"):
        page = Bridge("en")
        ask(page, "new_key", "")
        assert ask(page, "open", base64.b64encode(offer).decode(), "offer")["invited"]["choice"]
        (tmp_path / f"{name}.yaml").write_text(ask(page, "join", name, "en")["letter"])
        files.append(tmp_path / f"{name}.yaml")
    keeper.give(*files)
    asking_now = sitter.find("#askers").text
    assert "Ada" in asking_now
    assert "Ben" in asking_now
    keeper.act("choose", asker="frederick 2")
    sitter.until("return !document.getElementById('askers')")
    assert "Ben" in sitter.find("table.seats").text
    assert not sitter.reader.complaints()


def test_two_at_one_screen_play_a_stage_in_turn_and_nothing_is_left_to_see(sitter: Sitter, tmp_path: Path) -> None:
    sitter.home()
    keeper = Keeper(sitter, tmp_path)
    run = sitter.reader.run
    keeper.found("screen")
    keeper.click(".turn")
    sat = []
    while len(sat) < len(PEOPLE):
        assert "All others turn away" in sitter.find("h2").text
        assert not run("return Boolean(document.querySelector('svg, canvas, #text, .card, [data-power]'))")
        assert run("return localStorage.length") == 0, "the browser keeps no report of whoever sat here"
        keeper.click("#table-sit")
        sitter.until("return Boolean(sitting)")
        sat.append(run("return sitting.seat"))
        sitter.answer_like_a_bot()
        sitter.end()
        keeper.click("#sign")
        sitter.until("return !sitting && !document.getElementById('busy')")
    assert sorted(sat) == ["frederick", "louis"]
    assert run("return table.stage") == "Turn 1, stage of France"
    assert not sitter.reader.complaints()


IN_SIGHT = """
const found = document.querySelector(arguments[0]), box = found.getBoundingClientRect();
const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
return box.top >= 0 && box.bottom <= innerHeight && found.contains(at);
"""
"""Tells whether an element lies within the window with nothing over it."""


def test_a_moderator_who_plays_gives_orders_to_the_table_where_done_leads(sitter: Sitter, tmp_path: Path) -> None:
    """Beside that, a refused letter is told above all others that are to be sent."""
    sitter.home()
    keeper, run = Keeper(sitter, tmp_path), sitter.reader.run
    _, join = rival_at(keeper)
    keeper.give(join)
    refused = tmp_path / "refused.yaml"
    refused.write_text(re.sub("(?m)^seq: 1$", "seq: 1\nsurplus: 1", join.read_text()))
    assert "refused: 1" in keeper.give(refused)
    first = sitter.find("#table-out .letter")
    assert "Send this first: a letter of louis (Louis) was refused.\nReceipt, entry 7" in first.text
    keeper.click("#table-own .here")
    sitter.until("return Boolean(sitting)")
    sitter.answer_like_a_bot()
    sitter.end()
    assert run(IN_SIGHT, "#sign"), "one tap gives the letter to the table"
    assert sitter.find("#sign").text == "Give it to the table"
    sitter.find("#sign").click()
    sitter.until("return !sitting && !document.getElementById('busy')")
    assert "letters taken: 1" in sitter.find("#evening").text
    keeper.click("#table-own .here")
    sitter.until("return Boolean(sitting)")
    assert "give the letter to the table" not in sitter.find("#prompt").text, "in this stage nothing is ordered yet"
    sitter.find("#another").click()
    keeper.wait("#table-acts")
    own = "each.seat === table.mine && each.name.endsWith('/frederick')"
    assert run(f"return table.letters.some((each) => {own} && each.is_sent)"), "it was read here"
    assert "Max" in sitter.find("table.seats").text
    assert "Not saved outside this browser since" in sitter.find("#table-unsaved").text
    mine = "each.seat === table.mine && each.standing === 'overtaken'"
    assert run(f"return table.letters.some((each) => {mine})")
    assert not run(f"return letterGroups(table.letters).overtaken.some((each) => {mine})"), "they were read here"
    keeper.click("#table-save")
    keeper.saved("silesia.zip")
    sitter.until("return !document.querySelector('#table-unsaved, #busy')")
    keeper.act("extend", until="2d", why="a feast")
    assert sitter.find("#evening").text.startswith("Done: Give more time. Orders are taken until")
    assert sitter.find("#table-unsaved").is_displayed(), "there is an entry more"
    run(WITHOUT_MAIL_PROGRAM)
    first = run("return document.querySelector('#table-out .letter').dataset.letter")
    keeper.click(f"[data-letter='{first}'] .save")
    sitter.until(
        "return document.querySelector('.attached')?.textContent.endsWith('is in this browser\\'s downloads.')"
    )
    keeper.click(f"[data-letter='{first}'] .mail")
    sitter.until("return document.querySelector('.attached').textContent.includes('Attach it')")
    assert "is in this browser's downloads. Attach it" in sitter.find(f"[data-letter='{first}'] .attached").text
    handed = run("return window.handed")
    assert re.search(r"The letter is attached: \S+\.yaml(\.age)?\. ", handed), "one file, which a telephone can choose"
    assert f"open {run('return location.pathname').rpartition('/')[2]}" in handed, "whoever reads it is told what to do"
    sitter.reader.tell("Emulation.setDeviceMetricsOverride", width=800, height=400, deviceScaleFactor=1, mobile=False)
    run("document.getElementById('table-acts').open = true")
    keeper.click("details[data-act=rule] summary")
    keeper.wait("#rule-ruling")
    sitter.find("#rule-ruling").send_keys("The winter is long")
    number = len(sitter.reader.driver.find_elements("css selector", "#table-out .letter"))
    assert sitter.find("#table-out-title").text == f"Letters to send ({number})"
    keeper.click(f"[data-letter='{first}'] .sent")
    at, tops = run("return scrollY"), run(TOPS)
    assert at > 0
    sitter.until(f"return Boolean(document.querySelector('.is-sent[data-letter=\"{first}\"]') && !{BUSY})")
    assert run("return scrollY") == at, "what is read next stays under the eyes"
    assert run(TOPS) == tops, "nothing moves under the finger"
    assert sitter.find("#rule-ruling").get_attribute("value") == "The winter is long", "what was typed stays"
    assert sitter.find("#table-out-title").text == f"Letters to send ({number - 1})"
    assert run("return document.activeElement.className") == "sent", "whoever ticks by keyboard goes on from there"
    keeper.click(f"[data-letter='{first}'] .sent")
    sitter.until(f"return !document.querySelector('#table-out .is-sent') && !{BUSY}")
    assert sitter.find("#table-out-title").text == f"Letters to send ({number})"
    keeper.click(f"[data-letter='{first}'] .sent")
    sitter.until(f"return Boolean(document.querySelector('#table-out .is-sent') && !{BUSY})")
    sitter.reader.look()
    keeper.click(".open + .buttons button")
    keeper.wait(".kept .unsaved")
    assert run("return keptGames().length"), "the letter of the moderator's own seat is kept, too"
    assert not run("return document.querySelectorAll('.go-on-with').length"), "its seat is opened from the table"
    sitter.reader.driver.refresh()
    sitter.until("return Boolean(window.desk && window.desk.ready)")
    keeper.choose()
    keeper.wait("#sign")
    run(DROPPED, (keeper.downloads / "pbem-key").read_text())
    sitter.until("return !document.getElementById('sign').disabled")
    keeper.click("#sign")
    keeper.wait("#table-out")
    assert not sitter.reader.complaints()


BUSY = "document.getElementById('busy')"
TOPS = "return [...document.querySelectorAll('#table-out .letter')].map((each) => each.getBoundingClientRect().top)"
"""Places of the letters to send on the screen."""

WITHOUT_MAIL_PROGRAM = """
const click = HTMLAnchorElement.prototype.click;
HTMLAnchorElement.prototype.click = function () {
  if (this.href.startsWith('mailto:')) window.handed = decodeURIComponent(this.href); else click.call(this);
};
"""

DROPPED = """
const data = new DataTransfer();
data.items.add(new File([arguments[0]], 'pbem-key'));
dispatchEvent(new DragEvent('drop', {dataTransfer: data}));
"""
