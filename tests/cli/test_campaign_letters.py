"""Letters as players make them with commands: sealed, revealed, checked, and refused where they must be."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from pbem.campaign.campaign import opened_by_moderator
from pbem.campaign.ledger.records import KeyChangeRecord
from pbem.paper.letters import sign_letter
from pbem.seal.keys import PrivateKey, PublicKey, load_private, new_key
from tests.desk.test_moderators import signed_by
from tests.seal.tools import program, run

from .correspondence import NAME, SEATS, Correspondence

ROOT = Path(__file__).parents[2]


def refused(table: Correspondence, file: str) -> str:
    """The code for which a letter is refused; the ledger says so, and nothing else has come of it."""
    owing, stage = table.owing(), table.json("status", NAME)["stage"]
    (answer,) = table.accept(file)
    assert answer["status"] == "refused"
    assert answer["files"]
    assert (table.owing(), table.json("status", NAME)["stage"]) == (owing, stage)
    code: str = answer["faults"][0]["code"]
    return code


def key_of(table: Correspondence, who: str) -> PrivateKey:
    """Somebody's private key."""
    return load_private((table.root / who / "key").read_bytes(), None)


def test_only_letters_of_ones_own_are_signed(begun: Correspondence) -> None:
    for name in ("louis.report.yaml", "louis-invitation.invitation.yaml"):
        path = begun.root / "mine.yaml"
        before = Path(begun.sent(name)).read_bytes()
        path.write_bytes(before)
        for words in ((), ("-o", "other.yaml"), ("--renumber",)):
            assert "E-SIGN-MODERATOR" in begun.run("sign", str(path), *words, as_="louis", code=1).output
        assert path.read_bytes() == before
        assert not (begun.root / "other.yaml").exists()
    assert begun.json("verify", NAME, "--report", begun.sent("louis.report.yaml"))["good"]
    path.write_text(Path(begun.sheet("louis")).read_text().replace("from: louis", "from: moderator"))
    told = begun.run("sign", str(path), as_="moderator", code=1).output
    assert "this letter is the moderator's (`kind: orders`)" in told
    assert "your own" not in told
    sheet = Path(begun.sheet("louis"))
    before = sheet.read_bytes()
    told = begun.run("sign", str(sheet), as_="frederick", code=1).output
    assert "E-SIGN-SEAT this is a letter of louis; with this key you play frederick" in told
    assert sheet.read_bytes() == before
    begun.run("sign", str(sheet), as_="louis")


def test_sealed_orders_travel_unread_and_are_carried_out(begun: Correspondence) -> None:
    for seat in SEATS:
        sheet = begun.sheet(seat)
        begun.run("seal", sheet, as_=seat)
        sealed = sheet.replace(".yaml", ".sealed.yaml")
        assert "allot" in Path(sheet).read_text()
        assert "allot" not in Path(sealed).read_text()
        begun.run("sign", sealed, as_=seat)
        checked = begun.run("check", sealed, "--report", begun.sent(f"{seat}.report.yaml"), as_=seat)
        assert "nothing is wrong with it" in checked.output
        (answer,) = begun.accept(sealed)
        assert answer["status"] == "final"
    begun.now += timedelta(hours=1)
    assert begun.json("adjudicate", "-C", NAME, as_="moderator")["stage"] == "1/hussars"
    begun.moderate("close", "--why", "enough")
    assert begun.json("verify", NAME)["good"]


def test_orders_ahead_are_told_with_their_stage_and_refused_at_their_place(begun: Correspondence) -> None:
    sheet, report = Path(begun.sheet("louis")), begun.sent("louis.report.yaml")
    text = sheet.read_text()
    head, mark, rest = text.partition("    france:\n")
    assert mark
    for stage, wrong in (
        ("2/france", "is in another turn"),
        ("1/prussia", "France does not act in turn 1 \\(stage of Prussia\\)"),
    ):
        sheet.write_text(f"{head}{mark}      ahead: {{stage: {stage}, move: []}}\n{rest}")
        told = begun.run("check", str(sheet), "--report", report, as_="louis", code=1).output
        assert re.search(rf"{re.escape(sheet.name)}:{head.count(chr(10)) + 2}:14: E-AHEAD-STAGE .*{wrong}", told)
    sheet.write_text(f"{head}{mark}      ahead: {{stage: 1/france, move: []}}\n{rest}")
    told = begun.run("check", str(sheet), "--report", report, as_="louis").output
    assert "Ahead: Turn 1, stage of France: France (march)" in told
    begun.run("sign", str(sheet), as_="louis")
    (answer,) = begun.accept(str(sheet))
    assert answer["status"] == "final"
    receipt = next(begun.root / file for file in answer["files"] if file.endswith(".txt"))
    assert "- Turn 1, stage of France: France (march)" in receipt.read_text()


def box_by_hand(begun: Correspondence) -> bytes:
    """The box of a sealed and signed letter, its lines taken out of the text as they stand, without indentation."""
    sheet = begun.sheet("louis")
    begun.run("seal", sheet, as_="louis")
    begun.run("sign", sheet.replace(".yaml", ".sealed.yaml"), as_="louis")
    lines = [line.strip() for line in Path(sheet.replace(".yaml", ".sealed.yaml")).read_text().splitlines()]
    label = "AGE ENCRYPTED FILE-----"
    taken = lines[lines.index(f"-----BEGIN {label}") : lines.index(f"-----END {label}") + 1]
    return ("\n".join(taken) + "\n").encode()


def test_a_box_stands_in_its_letter_as_age_writes_it(begun: Correspondence) -> None:
    _, *lines, last, _ = box_by_hand(begun).decode().splitlines()
    assert {len(line) for line in lines} == {64}
    assert 0 < len(last) <= 64


def test_age_opens_the_box_that_is_taken_out_of_a_letter(begun: Correspondence) -> None:
    tool = program("age")
    done = run(tool, "-d", "-i", begun.root / "moderator/key", given=box_by_hand(begun))
    assert done.returncode == 0, done.stderr.decode()
    assert "allot" in done.stdout.decode()


def test_only_the_named_sections_are_sealed(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    told = begun.run("seal", sheet, "--only", "alot", as_="louis", code=1).output
    assert "E-SEAL-SECTION" in told
    assert "allot" in told
    text = Path(sheet).read_text()
    Path(sheet).write_text(re.sub(r"(?m)^    bavaria:\n(      .*\n)*", "    bavaria: {}\n", text))
    begun.run("seal", sheet, "--only", "allot", "-o", "half.yaml", as_="louis")
    assert "allot" not in (begun.root / "half.yaml").read_text()


def test_commit_first_and_reveal_when_all_have(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--sealing", "reveal")
    table.join()
    for seat in SEATS:
        sheet = table.sheet(seat)
        table.run("seal", sheet, as_=seat)
        sealed = sheet.replace(".yaml", ".sealed.yaml")
        assert "AGE ENCRYPTED" not in Path(sealed).read_text()
        notes = tmp_path / f"{seat}/key.campaigns/{NAME}.{seat}.json"
        assert notes.stat().st_mode & 0o777 == 0o600
        table.run("sign", sealed, as_=seat)
        (answer,) = table.accept(sealed)
        assert answer["status"] == "final"
    hasty = table.run("reveal", "louis/orders.sealed.yaml", "-o", "early.yaml", as_="louis").output
    assert "W-REVEAL-EARLY" in hasty
    before = ("--report", table.sent("louis.report.yaml"))
    hasty = table.run("reveal", "louis/orders.sealed.yaml", *before, "-o", "early.yaml", as_="louis").output
    assert "before the lock" in hasty
    assert refused(table, "early.yaml") == "E-REVEAL-NOW"
    table.now += timedelta(hours=1)
    assert table.json("adjudicate", "-C", NAME, as_="moderator")["kind"] == "lock"
    assert table.json("status", NAME)["locked"]
    table.post()
    for seat in SEATS:
        behind = ("--report", table.sent(f"{seat}.report.yaml"))
        told = table.run("reveal", f"{seat}/orders.sealed.yaml", *behind, "-o", f"{seat}/reveal.yaml", as_=seat).output
        assert "W-REVEAL-EARLY" not in told
        (answer,) = table.accept(f"{seat}/reveal.yaml")
        assert answer["status"] == "final"
    table.now += timedelta(hours=1)
    assert table.json("adjudicate", "-C", NAME, as_="moderator")["stage"] == "1/hussars"
    table.moderate("close", "--why", "enough")
    assert table.json("verify", NAME)["good"]


def test_what_the_notes_do_not_have_cannot_be_revealed(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--sealing", "reveal")
    table.join()
    table.run("seal", table.sheet("louis"), as_="louis")
    for path in (tmp_path / "louis/key.campaigns").iterdir():
        path.write_text(re.sub(r'"sealed": \{.*\}', '"sealed": {}', path.read_text(), flags=re.DOTALL) + "}")
    told = table.run("reveal", "louis/orders.sealed.yaml", as_="louis", code=1).output
    assert "E-REVEAL-LOST" in told or "E-NOTES-FORM" in told


def test_letters_that_are_not_what_they_seem_are_refused_with_the_reason(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    original = Path(sheet).read_text()

    def letter(change: tuple[str, str], signer: str, name: str) -> str:
        target = begun.root / f"{name}.yaml"
        text = original.replace(*change)
        target.write_text(sign_letter(text, key_of(begun, signer)) if signer else text)
        return str(target)

    unchanged = ("x: ", "x: ")
    assert refused(begun, letter(unchanged, "frederick", "forged")) == "E-SIGNATURE-KEY"
    assert refused(begun, letter(unchanged, "", "unsigned")) == "E-LETTER-UNSIGNED"
    assert refused(begun, letter((f"campaign: {NAME}", "campaign: berlin"), "louis", "foreign")) == "E-LETTER-CAMPAIGN"
    assert refused(begun, letter(("stage: 1/setup", "stage: 1/prussia"), "louis", "early")) == "E-LETTER-STAGE"
    stale = re.search("basis: (.*)", original)
    assert stale
    assert refused(begun, letter((stale[1], "0123456789ab"), "louis", "stale")) == "E-LETTER-BASIS"
    assert refused(begun, letter(("seq: 2", "seq: 1"), "louis", "old")) == "E-LETTER-SEQ"
    assert refused(begun, letter(("from: louis", "from: napoleon"), "louis", "nobody")) == "E-LETTER-FROM"
    altered = letter(unchanged, "louis", "altered")
    Path(altered).write_text(
        Path(altered).read_text().replace("basis:", "basis:  ").replace("body:", "body:\n  wait: yes", 1)
    )
    assert refused(begun, altered) == "E-SIGNATURE-WRONG"
    assert "louis" in begun.owing()
    begun.order("louis")


def test_check_tells_every_fault_at_once_and_writes_nothing(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    text = Path(sheet).read_text().replace("stage: 1/setup", "stage: 1/prussia")
    Path(sheet).write_text(text.replace("allot:", "alot:"))
    report = begun.sent("louis.report.yaml")
    result = json.loads(begun.run("check", sheet, "--report", report, "--json", as_="louis", code=1).stdout)
    codes = [fault["code"] for fault in result["refused"]]
    assert "E-LETTER-STAGE" in codes
    assert codes.count("E-FORM-KEY") == 2
    lines = [fault["line"] for fault in result["refused"] if fault["code"] == "E-FORM-KEY"]
    assert all("alot" in Path(sheet).read_text().splitlines()[number - 1] for number in lines)
    assert Path(sheet).read_text() == text.replace("allot:", "alot:")


def test_check_with_a_position_judges_legality(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    example = ROOT / "examples/first-march.yaml"
    data = table.json("position", "load", str(example))
    (tmp_path / "letter.yaml").write_text(
        f"pbem: 1\nkind: orders\ncampaign: x\nfrom: frederick\nstage: {data['turn']}/{data['stage']}\n"
        "basis: 0123456789ab\nseq: 1\nbody:\n  orders:\n    prussia:\n      move:\n        - Schwerin: Wien\n"
    )
    words = ("check", "letter.yaml", "--position", str(example))
    told = json.loads(table.run(*words, "--json", as_="frederick", code=1).stdout)
    assert [fault["code"] for fault in told["refused"] if fault["code"].startswith("E")] == ["E-MARCH-LENGTH"]
    every = (tmp_path / "letter.yaml").read_text() + "        - Friedrich: Wien\n        - Erbprinz Leopold: Sagan\n"
    (tmp_path / "letter.yaml").write_text(every)
    told = json.loads(table.run(*words, "--json", as_="frederick", code=1).stdout)
    lines = [(fault["code"], fault["line"]) for fault in told["refused"] if fault["code"].startswith("E")]
    assert lines == [("E-MARCH-LENGTH", 12), ("E-MARCH-LENGTH", 13)], "the third march is legal"
    foreign = (tmp_path / "letter.yaml").read_text().replace("from: frederick", "from: louis")
    (tmp_path / "letter.yaml").write_text(foreign)
    assert "E-ORDER-FOREIGN" in table.run(*words, as_="louis", code=1).output


def test_check_judges_the_orders_although_the_head_is_wrong(begun: Correspondence) -> None:
    sheet = Path(begun.sheet("louis"))
    old = re.sub(r"(?m)^basis: \w+", "basis: " + "0" * 64, sheet.read_text("utf-8"))
    sheet.write_text(re.sub(r"(allot: {[^}]*?: )\d+", r"\g<1>1", old), "utf-8")
    report = begun.sent("louis.report.yaml")
    result = json.loads(begun.run("check", str(sheet), "--report", report, "--json", as_="louis", code=1).stdout)
    codes = [fault["code"] for fault in result["refused"]]
    assert codes[:2] == ["W-LETTER-UNSIGNED", "E-LETTER-BASIS"], "the warning stands at the first line"
    assert codes[-1] == "E-TROOPS-RANGE", "a rule of the game, not the grammar"


def test_sign_refuses_what_cannot_be_read_and_keeps_the_file(begun: Correspondence) -> None:
    sheet = Path(begun.sheet("louis"))
    sheet.write_text(sheet.read_text().replace("seq: 2", "seq: two").replace("kind: orders", "kind: ordres"))
    before = sheet.read_bytes()
    told = begun.run("sign", str(sheet), as_="louis", code=1).output
    assert "E-LETTER-SEQ" in told
    assert "E-LETTER-KIND" in told
    assert sheet.read_bytes() == before


def test_sign_warns_of_a_number_that_was_used_and_renumbers(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    begun.run("message", "all", "Good day", "-o", "m.yaml", as_="louis")
    assert "W-LETTER-SEQ" not in begun.run("sign", sheet, as_="louis").output, "messages are counted apart"
    Path(sheet).write_text(Path(sheet).read_text().replace("\n  orders:", "\n  wait: yes\n  orders:"))
    told = begun.run("sign", sheet, as_="louis").output
    assert "W-LETTER-SEQ" in told
    begun.run("sign", sheet, "--renumber", as_="louis")
    assert "seq: 3\n" in Path(sheet).read_text()
    assert "W-LETTER-SEQ" not in begun.run("sign", sheet, as_="louis").output
    assert "W-LETTER-SEQ" not in begun.run("sign", sheet, as_="louis").output


def test_a_sheet_whose_number_plans_have_taken_gets_the_next_one(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    (begun.root / "plan.yaml").write_bytes(Path(begun.sent("louis.plan.yaml")).read_bytes())
    begun.run("sign", "--renumber", "plan.yaml", as_="louis")
    told = begun.run("sign", sheet, as_="louis").output
    assert "W-LETTER-SEQ you have signed a letter with number 2 already, so this one gets number 3 (`seq`)" in told
    assert "of orders, and of plans, the newest letter counts" in told, "the orders do not replace the plans"
    assert "W-LETTER-SEQ" not in begun.run("sign", sheet, as_="louis").output
    assert [each["status"] for each in begun.accept("plan.yaml", sheet)] == ["final", "final"]


def test_reports_can_be_sealed_to_their_reader(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    (tmp_path / "plan.yaml").write_text(f"campaign: {NAME}\nseats: {{louis: {{reports: sealed}}}}\n")
    table.begin("--from", "plan.yaml")
    for seat in SEATS:
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in SEATS))
    table.moderate("adjudicate")
    table.post()
    box = table.sent("louis.report.txt.age")
    opened = table.run("open", box, as_="louis").output
    assert "allot" in opened
    assert "E-SEAL-KEY" in table.run("open", box, as_="frederick", code=1).output
    table.run("open", table.sent("louis.orders.yaml.age"), "-o", "louis/orders.yaml", as_="louis")
    table.run("sign", "louis/orders.yaml", as_="louis")
    (answer,) = table.accept("louis/orders.yaml")
    assert answer["status"] == "final"


def test_an_invitation_that_was_tampered_with_is_not_answered(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    good = table.sent("louis-invitation.invitation.yaml")
    bad = tmp_path / "bad.yaml"
    bad.write_text(Path(good).read_text().replace("misorders: return", "misorders: hold"))
    told = table.run("join", str(bad), "--seat", "louis", as_="louis", code=1).output
    assert "E-SIGNATURE-WRONG" in told
    assert "E-JOIN-SEAT" in table.run("join", good, "--seat", "napoleon", as_="louis", code=1).output
    bad.write_text(sign_letter(bad.read_text(), key_of(table, "frederick")))
    assert "E-SIGNATURE-KEY" in table.run("join", str(bad), "--seat", "louis", as_="louis", code=1).output
    for name in ("frederick", "everybody"):
        other = table.sent(f"{name}-invitation.invitation.yaml")
        assert "E-JOIN-TOKEN" in table.run("join", other, "--seat", "louis", as_="louis", code=1).output
    assert not list(tmp_path.glob("join-*"))


def test_another_moderator_cannot_take_the_place_of_the_first(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    table.run("join", table.sent("louis-invitation.invitation.yaml"), as_="louis")
    (tmp_path / "elsewhere").mkdir()
    other = Correspondence(tmp_path / "elsewhere")
    other.begin()
    told = table.run("join", other.sent("louis-invitation.invitation.yaml"), as_="louis", code=1)
    assert "E-GUIDE-MODERATOR" in told.output


def with_key_changed(table: Correspondence, root: Path, new: PrivateKey) -> Correspondence:
    """A campaign whose moderator signs with another key from now on."""
    changed = table.copied(root)
    with opened_by_moderator(changed.folder, key_of(changed, "moderator"), "test", changed.now) as campaign:
        campaign.add(KeyChangeRecord("", new.public.text, why="a new computer"))
        campaign.save()
    return changed


def test_a_change_of_the_moderators_key_is_followed_where_the_ledger_has_it(
    begun: Correspondence, tmp_path: Path
) -> None:
    new, stranger = new_key("the moderator's next"), new_key("somebody")
    changed = with_key_changed(begun, tmp_path / "changed", new)
    later = changed.root / "louis/later.yaml"
    later.write_bytes(signed_by(begun.sent("louis.report.yaml"), new))
    told = changed.run(str(later), as_="louis", code=1).output
    assert "E-GUIDE-MODERATOR" in told
    assert "pbem key moderator" in told
    # The archive as it was before the change does not lead there, and says what it has.
    assert (
        changed.json("key", "moderator", str(begun.folder), as_="louis")["key"]
        == key_of(begun, "moderator").public.text
    )
    assert "E-GUIDE-MODERATOR" in changed.run(str(later), as_="louis", code=1).output
    said = changed.json("key", "moderator", NAME, as_="louis")
    key = {"key": PublicKey(new.public.raw).text, "fingerprint": new.public.fingerprint}
    assert said == {"campaign": NAME, **key, "warnings": []}
    assert "E-GUIDE-MODERATOR" not in changed.run(str(later), as_="louis").output
    # From then on the key before is another one, and no ledger that ends with it leads back.
    assert "E-GUIDE-MODERATOR" in changed.run("key", "moderator", str(begun.folder), as_="louis", code=1).output
    assert "E-GUIDE-MODERATOR" in changed.run(begun.sent("louis.report.yaml"), as_="louis", code=1).output
    other = with_key_changed(begun, tmp_path / "other", stranger)
    assert "E-GUIDE-MODERATOR" in changed.run("key", "moderator", str(other.folder), as_="louis", code=1).output


def test_an_archive_that_is_not_sound_leads_to_no_key(begun: Correspondence, tmp_path: Path) -> None:
    notes = begun.root / f"louis/key.campaigns/{NAME}.louis.json"
    before = notes.read_bytes()
    changed = with_key_changed(begun, tmp_path / "changed", new_key("the moderator's next"))
    (entry,) = (changed.folder / "ledger").glob("*-key-change.yaml")
    entry.write_bytes(entry.read_bytes().replace(b"a new computer", b"an old computer"))
    assert "E-EXPORT-UNSOUND" in begun.run("key", "moderator", str(changed.folder), as_="louis", code=1).output
    assert "E-NOTES-WHICH" in begun.run("key", "moderator", NAME, as_="moderator", code=1).output
    assert notes.read_bytes() == before


def test_texts_with_characters_nobody_sees_are_wrong_use(begun: Correspondence) -> None:
    assert "U+200B" in begun.run("message", "all", "a\u200bb", as_="louis", code=2).output
    begun.moderate("rule", "a\u2028b", code=2)
    begun.moderate("extend", "48h", "--why", "", code=2)


def test_in_processes_of_their_own_with_passphrases_and_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("a long passphrase\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}

    def pbem(*words: str, given: bytes = b"", code: int = 0, home: str = "moderator") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "pbem", *words], cwd=tmp_path, input=given, capture_output=True,
            env={**environment, "XDG_CONFIG_HOME": str(tmp_path / home)}, timeout=60,
        )  # fmt: skip
        assert done.returncode == code, done.stderr.decode()
        assert b"Traceback" not in done.stderr
        return done.stdout.decode()

    pbem("key", "new", "--passphrase-file", "secret")
    pbem("key", "new", "--no-passphrase", home="louis")
    pbem("new", NAME, "--passphrase-file", "secret")
    pbem("invite", "-C", NAME, "--passphrase-file", "secret")
    invitation = str(next((tmp_path / NAME).glob("outbox/*/louis-invitation.invitation.yaml")))
    pbem("join", invitation, "--seat", "louis", "-o", "join.yaml", home="louis")
    letter = (tmp_path / "join.yaml").read_bytes()
    told = pbem("accept", "-", "-C", NAME, "--passphrase-file", "secret", given=b"Dear moderator,\r\n\r\n" + letter)
    assert "a join letter of louis, seq 1: final" in told
    assert "louis          taken" in pbem("status", NAME)
    (tmp_path / "secret").write_text("another\n")
    pbem("rule", "x", "-C", NAME, "--passphrase-file", "secret", code=1)


def test_check_warns_of_what_nothing_asks_for(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    example = ROOT / "examples/first-march.yaml"
    data = table.json("position", "load", str(example))
    letter = (
        f"pbem: 1\nkind: orders\ncampaign: x\nfrom: frederick\nstage: {data['turn']}/{data['stage']}\n"
        "basis: 0123456789ab\nseq: 1\nbody:\n  orders:\n    prussia:\n      move: []\n      toll: {pay: [♠7]}\n"
    )
    (tmp_path / "letter.yaml").write_text(letter)
    words = ("check", "letter.yaml", "--position", str(example))
    assert "W-ORDER-UNUSED Prussia was not asked for `toll`" in table.run(*words, as_="frederick").output
    # Without its marches a power is not asked yet for what comes behind them.
    for unneeded in ("      toll: {pay: [♠7]}\n", "      move: []\n"):
        (tmp_path / "letter.yaml").write_text(letter.replace(unneeded, ""))
        assert "W-ORDER-UNUSED" not in table.run(*words, as_="frederick").output


def test_people_are_meant_by_their_names_as_by_their_seats(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    for seat, name in (("maria-theresa", "Anna Arends"), ("frederick", "Bernd Müller"), ("louis", "Anna Zorn")):
        invitation = table.sent(f"{seat}-invitation.invitation.yaml")
        table.run("join", invitation, "--name", name, as_=seat)
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in table.seats))
    table.moderate("adjudicate")
    table.post()
    words = ("Good day", "--report", table.sent("louis.report.yaml"), "-o", "m.yaml")
    told = table.run("message", "bernd, moderator, Bernd", *words, as_="louis").stdout
    assert told == "m.yaml: to frederick (Bernd Müller), moderator. Send it to the moderator.\n"
    assert "to: frederick, moderator" in (tmp_path / "m.yaml").read_text("utf-8")
    (taken,) = table.accept("m.yaml")
    assert taken["status"] == "final"
    (tmp_path / "m.yaml").unlink()
    for called, hint in (
        ("napoleon", "frederick, louis, maria-theresa"),
        ("frederik", "frederick"),
        ("Anna", "louis or maria-theresa"),
    ):
        told = table.run("message", called, *words, as_="louis", code=1).output
        assert "E-PLAYER-UNKNOWN" in told
        assert hint in told
        assert not (tmp_path / "m.yaml").exists()
    table.run("message", "louis", *words[:1], "-o", "n.yaml", as_="frederick")  # the invitation has told the seats
    assert "away" in table.moderate("absent", "bernd mueller", "2026-12-01", "2026-12-04").output
    told = table.moderate("absent", "Anna", "2026-12-01", "2026-12-04", code=1).output
    assert "E-PLAYER-UNKNOWN nobody plays Anna" in told


def test_a_file_alone_is_told_for_what_it_is_and_status_remembers_the_report(begun: Correspondence) -> None:
    def told(*words: str, code: int = 0) -> str:
        return begun.run(*words, as_="frederick", code=code).output

    assert "no report of it has been read" in told("status")
    report, sheet = begun.sent("frederick.report.yaml"), begun.sent("frederick.orders.yaml")
    assert "$ pbem check orders.yaml --report" in told(report)
    for language, awaited in {
        "en": "Prussia and Saxony",
        "de": "Preußen und Sachsen",
        "es": "Prusia",
        "it": "Prussia",
    }.items():
        assert awaited in told("status", "--language", language)
        assert awaited in told(report, "--language", language)
    (mine,) = begun.json("status", as_="frederick")
    assert (mine["owes"], mine["came"]["stage"], mine["signed"]) == (["prussia", "saxony"], "1/setup", None)
    orders = begun.root / "frederick.yaml"
    orders.write_text(Path(sheet).read_text())
    assert "pbem sign frederick.yaml" in told("frederick.yaml")
    told("sign", "frederick.yaml")
    assert "send it to the moderator" in told("frederick.yaml")
    (mine,) = begun.json("status", as_="frederick")
    assert (mine["owes"], mine["signed"]["stage"]) == ([], "1/setup")
    assert "running" in told("status", NAME)
    assert "pbem show" in told(begun.sent("louis.report.yaml"))
    assert "E-FILE-UNKNOWN" in told(f"{NAME}/state.yaml", code=1)


def test_what_comes_from_the_moderator_is_told_for_what_it_is(begun: Correspondence) -> None:
    for kind in ("invitation", "receipt", "report"):
        (came, *_) = sorted((begun.folder / "outbox").glob(f"*/louis*.{kind}.yaml"))
        assert begun.json(str(came), as_="anybody")["kind"] == kind
