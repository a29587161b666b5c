"""An heir carries a campaign on, after the moderator's folder and key are gone: all of it by commands."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest

from pbem.campaign import briefing
from pbem.campaign.campaign import Campaign
from pbem.campaign.players.guidance import guidance_of
from pbem.campaign.succession import SealedShare
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.letters import read_letter
from pbem.seal.box import pad, seal, unpad, unseal
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PublicKey, load_private
from pbem.seal.shares import SplitKey, is_part, new_split_key
from tests.cli.correspondence import NAME, SEATS, Correspondence
from tests.cli.test_killed import Disk, Stricken
from tests.protocol import second

HEIR = "heir"
FOUR = ("frederick", "elisabeth", "maria-theresa", "pompadour")


def begun(root: Path, seats: Sequence[str], *options: str, agreed: str = "2 after 14d") -> Correspondence:
    """Some stages of a campaign whose seats may give it to an heir, with a message, and an outsider with a key."""
    root.mkdir(exist_ok=True)
    table = Correspondence(root, seats)
    table.run("key", "new", "--no-passphrase", as_=HEIR)
    table.begin("--succession", agreed, *options)
    addresses = ("moderator=max@example.org", f"{seats[0]}=one@example.org", f"{seats[1]}=two@example.org")
    table.moderate("invite", *(word for each in addresses for word in ("--address", each)))
    table.join()
    table.run("message", "all", "Vivat!", "--report", table.sent(f"{seats[0]}.report.yaml"), as_=seats[0])
    table.accept(f"message-{NAME}-{seats[0]}-2.yaml")
    while int(table.json("status", NAME)["stage"].partition("/")[0]) < 3:
        table.moderate("adjudicate", "--force")
        if table.json("status", NAME)["stage"].endswith(("prussia", "france")):
            table.post()
            table.moderate("invite", "--address", f"{seats[1]}=two@elsewhere.example")
    table.run("post", "--no-pictures", "-C", NAME, as_="moderator", code=None)
    return table


@pytest.fixture(scope="module")
def maria(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    return begun(tmp_path_factory.mktemp("maria"), SEATS, "--stand-in", "sensible", "--at-deadline", "standing")


@pytest.fixture
def table(maria: Correspondence, tmp_path: Path) -> Correspondence:
    """MARIA, when the moderator has been silent for fifteen days."""
    return gone(maria.copied(tmp_path / "table"))


def gone(table: Correspondence) -> Correspondence:
    """Fifteen days later nothing has come from the moderator, whose key and folder are lost; what was sent is there."""
    shutil.move(table.root / "moderator", table.root / "lost")
    table.folder = table.folder.rename(table.root / "gone")
    table.now += timedelta(days=15)
    return table


def bundles(table: Correspondence) -> list[str]:
    """Everything that an heir goes on from, as it lies in everybody's mails."""
    found = {path.name.partition(".")[2]: path for path in (table.root / "gone/outbox").glob("*/*.zip")}
    return [str(found[name]) for name in sorted(found, key=lambda name: name[-8:])]


def entrust(table: Correspondence, *seats: str, heir: str = HEIR, bundle: int = -1) -> list[str]:
    """Letters by which these seats give the campaign to an heir."""
    files = []
    for seat in seats:
        report = max((table.root / "gone/outbox").glob(f"*/{seat}.report.yaml"))
        words = ("--report", str(report), "--to", f"{heir}/key.pub", "-o", f"{seat}.succession.yaml")
        table.run("entrust", bundles(table)[bundle], *words, as_=seat)
        files.append(str(table.root / f"{seat}.succession.yaml"))
    return files


def succeed(table: Correspondence, given: list[str], *words: str, heir: str = HEIR) -> None:
    """The heir carries on, and is the moderator from now on."""
    table.run("succeed", NAME, *given, *words, as_=heir)
    shutil.copytree(table.root / heir, table.root / "moderator")
    table.folder = table.root / NAME


def refused(table: Correspondence, *words: str, as_: str = HEIR) -> list[str]:
    """Codes of a command that does nothing."""
    return [fault["code"] for fault in table.json(*words, as_=as_, code=1)["refused"]]


def both_verify(table: Correspondence) -> None:
    """Both verifiers find nothing wrong."""
    assert table.json("verify", NAME)["findings"] == []
    assert second.verify(table.folder) == []


def played_on(table: Correspondence) -> None:
    """The heir goes on for two stages, tells everybody, and closes."""
    for _ in range(2):
        table.moderate("adjudicate", "--force")
        table.post()
    both_verify(table)
    table.moderate("close", "--why", "enough")
    both_verify(table)


def test_an_outsider_carries_a_campaign_on_to_its_close(table: Correspondence) -> None:
    letters = entrust(table, "frederick", "louis")
    assert "send it to the heir" in table.run(letters[0], as_="louis").stdout
    done = table.json("succeed", "look", *bundles(table), *letters, as_=HEIR)
    assert done["addresses"] == {"frederick": "two@elsewhere.example", "maria-theresa": "one@example.org"}
    assert done["warnings"] == ["W-HEIR-ADDRESS"]
    assert done["deadline"] > f"{table.now:%Y-%m-%d}"
    succeed(table, [*bundles(table), *letters], "--name", "Wilhelmine")
    both_verify(table)
    table.post()
    told = Path(table.sent("louis.txt")).read_text("utf-8")
    assert "Wilhelmine carries the campaign on as its moderator" in told
    assert "pbem key moderator" in " ".join(told.split())
    assert "Keep `succession-0001-" in " ".join(told.split())
    # Players learn the new key from the ledger that comes with the report, and play on.
    report, bundle = table.sent("louis.report.yaml"), table.sent("louis.succession-*.zip")
    words = ("message", "moderator", "Welcome!", "--report", report)
    assert refused(table, *words, as_="louis") == ["E-GUIDE-MODERATOR"]
    assert refused(table, "key", "moderator", bundles(table)[-1], as_="louis") == ["E-HEIR-BUNDLE"]
    meant = table.json(bundle, as_="louis")
    assert (meant["kind"], meant["next"][0]) == ("bundle", f"key moderator {bundle}")
    assert table.json("key", "moderator", bundle, as_="louis")["warnings"] == []
    table.run(*words, as_="louis")
    assert table.json("verify", NAME, "--report", report)["findings"] == []
    played_on(table)


HEIRS_OFFICE = """\
campaigns: office
in: {maildir: inbox}
out: {files: sent}
key: heir/key
state: state
address: w@example.org
pictures: no
adjudicate: deadline
"""


def test_an_heirs_evening_tells_everybody_before_any_default_is_played(table: Correspondence) -> None:
    given = [*bundles(table), *entrust(table, "frederick", "louis")]
    (table.root / "inbox/new").mkdir(parents=True)
    (table.root / "mail.yaml").write_text(HEIRS_OFFICE)
    (table.root / "office").mkdir()
    table.run("mail", "status", "--settings", "mail.yaml")
    words = ("--name", "Wilhelmine", "--address", "w@example.org")
    deadline = table.json("succeed", f"office/{NAME}", *given, *words, as_=HEIR)["deadline"]
    before = len([*(table.root / "office" / NAME / "ledger").glob("*.yaml")])
    told = table.run("evening", "--settings", "mail.yaml").output
    assert "on to" not in told
    sent = [path.read_bytes() for path in sorted((table.root / "sent").glob("*.eml"))]
    mails = [mail for mail in sent if b"To: one@" in mail or b"To: two@" in mail]
    assert len(mails) == 2
    assert all(b"succession-0001-" in mail and b"carries the campaign on" in mail for mail in mails)
    entries = sorted((table.root / "office" / NAME / "ledger").glob("*.yaml"))[before:]
    assert [path.name[5:-5] for path in entries] == ["heirloom"]
    # Behind the new deadline all goes on as was agreed.
    table.now = datetime.fromisoformat(deadline)
    assert "on to" not in table.run("evening", "--settings", "mail.yaml").output
    table.now += timedelta(days=2)
    assert "on to" in table.run("evening", "--settings", "mail.yaml").output


def test_too_few_people_with_keys_are_told(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    for seat in ("frederick", "louis"):
        table.moderate("substitute", seat, "--bot", "sensible", "--why", "no time")
    assert "W-HEIR-FEW" in table.run("post", "--no-pictures", "-C", NAME, as_="moderator").stderr
    told = " ".join(Path(table.sent("maria-theresa.txt")).read_text("utf-8").split())
    assert "Nobody can give the campaign to an heir now" in told
    assert "heirloom" not in Path(table.sent("maria-theresa.report.yaml")).read_text("utf-8")
    assert [each["code"] for each in table.json("verify", NAME)["findings"]] == ["W-HEIR-FEW"]


def test_a_seat_of_friedrich_carries_on_and_plays_beside_a_bot(tmp_path: Path) -> None:
    options = ("--game", "friedrich", "--scenario", "four", "--sealing", "reveal", "--bot", "elisabeth=random")
    people = [seat for seat in FOUR if seat != "elisabeth"]
    table = gone(begun(tmp_path / "table", people, *options))
    given = [*bundles(table), *entrust(table, "frederick", "pompadour", heir="pompadour")]
    for plays in ((), ("--plays", "frederick"), ("--plays", "nobody")):
        assert refused(table, "succeed", NAME, *given, *plays, as_="pompadour") == ["E-VERIFY-HEIR"]
    succeed(table, given, "--name", "Jeanne", "--plays", "pompadour", heir="pompadour")
    shutil.rmtree(table.root / "lost")
    table.post()
    assert not [*(table.folder / "outbox").glob("*/pompadour.succession-*.zip")]
    # Nothing of rivals lies there readable, the seat of the moderator before not excepted.
    names = [path.name for path in (table.folder / "outbox").glob("*/*")]
    rivals = [name for name in names if name.startswith(("frederick.", "maria-theresa."))]
    assert rivals
    assert not [name for name in rivals if name.endswith((".report.yaml", ".orders.yaml", ".html"))]
    assert table.json("report", "frederick", "-C", NAME, as_="moderator", code=1)["refused"][0]["code"] == (
        "E-REPORT-PLAYS"
    )
    played_on(table)


def test_a_moderator_hands_a_campaign_over(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    told = table.json("hand-over", "--to", "heir/key.pub", "-o", "for-her", "-C", NAME, as_="moderator")
    files = [str(table.root / each) for each in told["files"]]
    assert "send it to the heir" in table.run(files[1]).stdout
    # Nothing is entered any more, and for nobody else.
    for words in (("rule", "Still here."), ("adjudicate", "--force"), ("hand-over", "--to", "louis/key.pub")):
        assert refused(table, *words, "-C", NAME, as_="moderator") == ["E-HAND-OVER"]
    assert table.json("verify", NAME)["findings"] == []
    # Nobody else takes it, and no seat is asked.
    assert refused(table, "succeed", "hers", *files, as_="louis") != []
    table.folder = table.folder.rename(table.root / "gone")
    shutil.move(table.root / "moderator", table.root / "lost")
    succeed(table, files, "--name", "Wilhelmine", "--address", "w@example.org")
    both_verify(table)
    table.post()
    said = " ".join(Path(table.sent("louis.txt")).read_text("utf-8").split())
    assert "the moderator before has handed it over" in said
    table.run("key", "moderator", table.sent("louis.succession-*.zip"), as_="louis")
    table.run("message", "moderator", "Welcome!", "--report", table.sent("louis.report.yaml"), as_="louis")
    played_on(table)


def test_a_campaign_that_was_handed_over_is_taken_back(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    table.run("hand-over", "--to", "heir/key.pub", "-C", NAME, as_="moderator")
    table.run("hand-over", "--to", "moderator/key.pub", "-C", NAME, as_="moderator")
    table.moderate("rule", "Still here.")
    assert table.json("verify", NAME)["findings"] == []


def test_who_hands_over_to_the_own_key_is_told_what_is_true(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    own, back = ("hand-over", "--to", "moderator/key.pub"), "yours again"
    assert back not in (told := table.moderate(*own).output)
    assert "was handed over to nobody" in " ".join(told.split())
    table.moderate("hand-over", "--to", "heir/key.pub")
    assert back in table.moderate(*own).output
    assert back not in table.moderate(*own).output
    table.moderate("hand-over", "--to", "heir/key.pub")
    for is_back in (True, False):
        said = table.json(*own, "-C", NAME, as_="moderator")
        assert (said["files"], said["taken_back"]) == ([], is_back)


def test_a_hand_over_that_is_killed_leaves_no_letter_behind_which_something_is_entered(
    maria: Correspondence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stricken, counted = Stricken(monkeypatch), Disk()
    words = ("hand-over", "--to", "heir/key.pub", "-o", "for-her")
    stricken.run(maria.copied(tmp_path / "counted"), words, counted)
    for at in range(counted.count):
        struck = maria.copied(tmp_path / f"{at}")
        stricken.killed(struck, words, at)
        if [*(struck.root / "for-her").glob("*.yaml")]:
            assert refused(struck, "rule", "Still here.", "-C", NAME, as_="moderator") == ["E-HAND-OVER"]
        struck.moderate(*words)
        struck.run("succeed", "hers", *map(str, (struck.root / "for-her").glob("succession-*")), as_=HEIR)


def test_fewer_than_were_agreed_get_nothing(table: Correspondence) -> None:
    one = entrust(table, "louis")
    for given in (one, [*one, *one]):
        assert refused(table, "succeed", NAME, *bundles(table), *given) == ["E-VERIFY-HEIR"]
    assert not (table.root / NAME).exists()
    assert not [*table.root.glob(".pbem-*")]


def test_nobody_gives_a_part_away_before_the_time(maria: Correspondence, tmp_path: Path) -> None:
    table = gone(maria.copied(tmp_path / "table"))
    table.now -= timedelta(days=2)
    report = str(max((table.root / "gone/outbox").glob("*/louis.report.yaml")))
    words = ("entrust", bundles(table)[-1], "--report", report, "--to", "heir/key.pub")
    assert refused(table, *words, as_="louis") == ["E-HEIR-EARLY"]


def test_an_old_report_does_not_make_the_moderator_silent_for_longer(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    old = table.sent("louis.report.yaml").replace(NAME, "gone")
    table.now += timedelta(days=10)
    table.moderate("rule", "Be kind.")
    table.post()
    gone(table)
    table.now -= timedelta(days=5)
    newest = str(max((table.root / "gone/outbox").glob("*/louis.report.yaml")))
    assert newest != old
    for report in (newest, old):
        words = ("entrust", bundles(table)[-1], "--report", report, "--to", "heir/key.pub")
        assert refused(table, *words, as_="louis") == ["E-HEIR-EARLY"]
        table.run("message", "moderator", "Are you there?", "--report", report, as_="louis")


def entrusted(table: Correspondence, seat: str, report: str) -> str:
    """Letter of a seat that knows no newer report than this one."""
    path = str(table.root / f"{seat}.succession.yaml")
    table.run("entrust", bundles(table)[-1], "--report", report, "--to", "heir/key.pub", "-o", path, as_=seat)
    return path


def test_a_history_without_the_newest_report_is_followed_by_a_word_alone(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    old = {seat: table.sent(f"{seat}.report.yaml").replace(NAME, "gone") for seat in SEATS}
    table.now += timedelta(days=10)
    table.moderate("rule", "Be kind.")
    table.post()
    newest = table.sent("louis.report.yaml").replace(NAME, "gone")
    gone(table)
    table.now -= timedelta(days=5)
    letters = [entrusted(table, seat, old[seat]) for seat in ("frederick", "maria-theresa")]
    table.run("message", "moderator", "Thanks!", "--report", newest, as_="louis")
    succeed(table, [*bundles(table), *letters])
    table.post()
    bundle = table.sent("louis.succession-*.zip")
    # The moderator was heard five days before: louis decides.
    assert refused(table, "key", "moderator", bundle, as_="louis") == ["E-HEIR-OTHER"]
    assert table.json("key", "moderator", bundle, "--anyway", as_="louis")["warnings"] == ["W-HEIR-OTHER"]
    table.run("message", "moderator", "Hm.", "--report", table.sent("louis.report.yaml"), as_="louis")
    # Back to the true moderator's, and again to the heir's.
    assert refused(table, "key", "moderator", "gone", as_="louis") == ["E-HEIR-OTHER"]
    table.run("key", "moderator", "gone", "--anyway", as_="louis")
    table.run("message", "moderator", "Here I am.", "--report", newest, as_="louis")
    assert refused(table, "key", "moderator", NAME, as_="louis") == ["E-HEIR-OTHER"]


def test_an_heir_after_the_agreed_silence_is_followed_with_a_plain_word(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    table.moderate("rule", "Be kind.")
    table.post()
    newest = table.sent("louis.report.yaml").replace(NAME, "gone")
    gone(table)
    table.run("message", "moderator", "Thanks!", "--report", newest, as_="louis")
    succeed(table, [*bundles(table), *entrust(table, "frederick", "louis")])
    table.post()
    done = table.json("key", "moderator", table.sent("louis.succession-*.zip"), as_="louis")
    assert done["warnings"] == ["W-HEIR-OTHER"]
    assert "newest report" not in table.run("status", as_="louis").stdout


def test_letters_for_different_heirs_or_bundles_give_nothing(table: Correspondence) -> None:
    others = [*entrust(table, "frederick"), *entrust(table, "louis", heir="maria-theresa")]
    assert refused(table, "succeed", NAME, *bundles(table), *others) == ["E-SEAL-KEY"]
    assert len(bundles(table)) > 1
    others = [*entrust(table, "frederick"), *entrust(table, "louis", bundle=0)]
    assert refused(table, "succeed", NAME, *bundles(table), *others) == ["E-HEIR-HEAD"]


def test_without_an_earlier_bundle_an_heir_is_told_what_is_missing(table: Correspondence) -> None:
    letters = entrust(table, "frederick", "louis")
    assert refused(table, "succeed", NAME, *bundles(table)[1:], *letters) == ["E-HEIR-MISSING"]
    assert (
        refused(table, "succeed", NAME, *letters)
        == refused(table, "succeed", NAME, *bundles(table))
        == ["E-HEIR-FILES"]
    )
    broken = table.root / "broken.zip"
    broken.write_bytes(Path(bundles(table)[0]).read_bytes()[:-40])
    assert refused(table, "succeed", NAME, str(broken), *bundles(table)[1:], *letters) == ["E-HEIR-BUNDLE"]


def test_a_bundle_that_does_not_open_is_told(table: Correspondence) -> None:
    *earlier, newest = bundles(table)
    spoilt = table.root / "succession-spoilt.zip"
    with ZipFile(newest) as before, ZipFile(spoilt, "w") as after:
        for name in before.namelist():
            after.writestr(name, b"nothing" if name == "kept.age" else before.read(name))
    given = [*earlier, str(spoilt), *entrust(table, "frederick", "louis")]
    assert "W-HEIR-BUNDLE" in table.json("succeed", NAME, *given, as_=HEIR)["warnings"]


def test_a_sealed_bundle_is_not_printed(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    bundle = Path(table.sent("louis.succession-*.zip")).read_bytes()
    key = load_private((table.root / "louis/key").read_bytes(), None)
    (table.root / "bundle.zip.age").write_text(seal([key.public], pad(bundle)))
    assert "E-OPEN-BINARY" in table.run("open", "bundle.zip.age", as_="louis", code=1).output
    table.run("open", "bundle.zip.age", "-o", "bundle.zip", as_="louis")
    assert (table.root / "bundle.zip").read_bytes() == bundle


def test_a_folder_that_is_there_is_not_touched(table: Correspondence) -> None:
    letters = entrust(table, "frederick", "louis")
    (table.root / NAME).mkdir()
    (table.root / NAME / "mine").write_text("mine")
    assert refused(table, "succeed", NAME, *bundles(table), *letters) == ["E-HEIR-FOLDER"]
    assert [path.name for path in (table.root / NAME).iterdir()] == ["mine"]


def test_a_killed_succession_leaves_nothing_and_is_made_by_the_next(
    table: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [*bundles(table), *entrust(table, "frederick", "louis")]
    with monkeypatch.context() as killed:
        killed.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        killed.setattr(shutil, "rmtree", lambda *_, **__: None)
        table.run("succeed", NAME, *given, as_=HEIR, code=None)
    assert not (table.root / NAME).exists()
    succeed(table, given)
    both_verify(table)
    assert not [*table.root.glob(".pbem-*")]


def test_a_false_part_is_found_when_it_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = SplitKey.part
    with monkeypatch.context() as lying:
        lying.setattr(SplitKey, "part", lambda split, number: right(split, number + 1))
        table = begun(tmp_path / "table", SEATS)
    (seat,) = table.owing()
    report = table.sent(f"{seat}.report.yaml")
    table.run("check", table.sheet(seat), "--report", report, as_=seat)
    assert "W-HEIR-PART" in json.dumps(table.json("sign", table.sheet(seat), as_=seat))
    gone(table)
    words = (
        "entrust",
        bundles(table)[-1],
        "--report",
        str(max((table.root / "gone/outbox").glob(f"*/{seat}.report.yaml"))),
    )
    assert refused(table, *words, "--to", "heir/key.pub", as_=seat) == ["E-SHARE-PART"]


def test_a_part_sealed_to_the_key_before_is_told_apart_from_a_false_one(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    second_key = ("--key", str(table.root / "louis/second"))
    table.run("key", "new", "--no-passphrase", *second_key)
    table.run("key", "change", "louis/second", "--out", "change.yaml", as_="louis")
    # The heir goes on from a bundle that lacks the change.
    gone(table)
    succeed(table, [*bundles(table), *entrust(table, "frederick", "maria-theresa")])
    table.post()
    report, bundle = table.sent("louis.report.yaml"), table.sent("louis.succession-*.zip")
    assert table.json("key", "moderator", bundle, *second_key)["warnings"] == []
    words = ("message", "moderator", "Welcome!", "--report", report, *second_key)

    def told() -> list[str]:
        """Warnings about a letter that the newest key signs."""
        table.run(*words)
        plan = table.root / "plan.yaml"
        shutil.copy(max((table.root / "gone/outbox").glob("*/louis.plan.yaml")), plan)
        return [str(each) for each in table.json("sign", str(plan), "--renumber", *second_key)["warnings"]]

    assert [each.partition(" ")[0] for each in told()] == ["W-HEIR-KEY"]
    (answer,) = table.accept("change.yaml")
    assert answer["status"] == "final"
    table.post()
    report = table.sent("louis.report.yaml")
    words = ("message", "moderator", "And now?", "--report", report, *second_key)
    assert told() == []


def test_who_gives_a_part_with_an_earlier_key_is_told_which_key_opens_it(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    second = ("--key", str(table.root / "louis/second"))
    table.run("key", "new", "--no-passphrase", *second)
    table.run("key", "change", "louis/second", "--out", "change.yaml", as_="louis")
    table.accept("change.yaml")
    table.post()
    gone(table)
    report = max((table.root / "gone/outbox").glob("*/louis.report.yaml"))
    words = ("entrust", bundles(table)[-1], "--report", str(report), "--to", f"{HEIR}/key.pub", "-o", "louis.yaml")
    told = table.run(*words, as_="louis", code=1).output
    newer = table.json("key", "show", *second)["fingerprint"]
    assert "E-HEIR-KEY your part of the key for an heir" in told
    assert f"is sealed to {newer}, another key of yours" in told
    # Where no notes tell of the newer key, only that it is another one is known.
    (table.root / "alone").mkdir()
    for name in ("key", "key.pub"):
        shutil.copy(table.root / "louis" / name, table.root / "alone" / name)
    told = table.run(*words, as_="alone", code=1).output
    assert "E-HEIR-KEY your part of the key for an heir" in told
    assert "is sealed to another key than" in told
    table.run(*words, *second)


def test_a_part_for_an_unknown_key_is_not_called_false(maria: Correspondence, tmp_path: Path) -> None:
    table = maria.copied(tmp_path / "table")
    table.run("key", "new", "--no-passphrase", "--key", str(table.root / "fresh"))
    report = table.sent("louis.report.yaml")
    table.run("message", "moderator", "I have a new key.", "--report", report, "--key", "fresh")
    plan = table.root / "plan.yaml"
    shutil.copy(max((table.folder / "outbox").glob("*/louis.plan.yaml")), plan)
    warnings = [str(each) for each in table.json("sign", str(plan), "--renumber", "--key", "fresh")["warnings"]]
    assert [each.partition(" ")[0] for each in warnings] == ["W-HEIR-KEY"]
    assert "nothing here tells whether that was yours" in warnings[0]


def test_a_false_part_with_points_of_its_own_is_found_beside_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    false, true = new_split_key(2), briefing.sealed_part_of

    def lie(campaign: Campaign, seat: str) -> SealedShare | None:
        told = true(campaign, seat)
        if told is None or seat != "louis":
            return told
        key = PublicKey.parse(campaign.public.players[seat].key)
        part = seal([key], pad(false.part(int(str(told["number"]))).encode()))
        return {**told, "points": list(false.points), "part": part}

    with monkeypatch.context() as lying:
        lying.setattr(briefing, "sealed_part_of", lie)
        table = begun(tmp_path / "table", SEATS)
    gone(table)
    report = str(max((table.root / "gone/outbox").glob("*/louis.report.yaml")))
    words = ("entrust", bundles(table)[0], "--report", report, "--to", "heir/key.pub")
    assert refused(table, *words, as_="louis") == ["E-SHARE-PART"]


def test_a_substitute_gets_a_part_of_a_new_key_and_the_old_parts_open_nothing_new(
    maria: Correspondence, tmp_path: Path
) -> None:
    table = maria.copied(tmp_path / "table")
    former = table.sent("frederick.report.yaml")
    oldest = str(min((table.folder / "outbox").glob("*/frederick.succession-*.zip")))
    table.run("key", "new", "--no-passphrase", as_="emilie")
    table.moderate("substitute", "louis", "--new-key", "emilie/key.pub", "--name", "Emilie", "--why", "no time")
    table.post()
    newest = table.sent("frederick.succession-*.zip")
    # A part of the key before does not open it, and one of this key none before.
    for bundle, report in ((newest, former), (oldest, table.sent("frederick.report.yaml"))):
        words = ("entrust", bundle, "--report", report, "--to", "heir/key.pub")
        table.now += timedelta(days=15)
        assert refused(table, *words, as_="frederick") == ["E-HEIR-OTHER"]
        table.now -= timedelta(days=15)
    with ZipFile(newest) as bundle:
        assert {"campaign.yaml", "ledger/0001-new.yaml"} <= set(bundle.namelist())
    shutil.rmtree(table.root / "louis")
    shutil.move(table.root / "emilie", table.root / "louis")
    gone(table)
    succeed(table, [newest.replace(NAME, "gone"), *entrust(table, "louis", "frederick")])
    both_verify(table)


def test_a_moderator_who_comes_back_goes_on_in_another_history(table: Correspondence) -> None:
    succeed(table, [*bundles(table), *entrust(table, "frederick", "louis")])
    table.post()
    report = table.sent("louis.report.yaml")
    for words in ("I am back.", "Who are you?", "The game goes on here."):
        table.run("rule", words, "-C", "gone", as_="lost")
    found = table.json("verify", "gone", "--report", report, code=1)["findings"]
    assert [each["code"] for each in found] == ["E-VERIFY-OTHER"]


def test_a_bundle_costs_little_after_the_first(maria: Correspondence) -> None:
    sizes = [path.stat().st_size for path in sorted((maria.folder / "outbox").glob("*/louis.*.zip"))]
    assert len(sizes) > 1
    assert max(sizes[1:]) < 10_000


def test_more_seats_than_there_are_cannot_be_agreed_on(tmp_path: Path) -> None:
    table = Correspondence(tmp_path, ())
    assert refused(table, "new", NAME, "--succession", "4 after 14d", as_="moderator") == ["E-NEW-SUCCESSION"]
    assert refused(table, "new", NAME, "--succession", "all", as_="moderator") != []
    table.run("new", NAME, "--succession", "3 after 14d", as_="moderator")


def test_a_moderator_has_no_use_for_such_a_letter(table: Correspondence) -> None:
    (letter,) = entrust(table, "louis")
    answer = table.json("accept", letter, "--show", "-C", "gone", as_="lost", code=1)["letters"][0]
    assert [fault["code"] for fault in answer["faults"]] == ["E-LETTER-HEIR"]


def test_nothing_is_given_where_nobody_has_agreed(maria: Correspondence, tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    table.join()
    assert not [*(table.folder / "outbox").glob("*/*.zip")]
    report = table.sent("louis.report.yaml")
    assert "heirloom" not in Path(report).read_text("utf-8")
    bundle = maria.sent("louis.succession-*.zip")
    words = ("entrust", bundle, "--report", report, "--to", "louis/key.pub")
    assert refused(table, *words, as_="louis") == ["E-HEIR-NO-PART"]
    # The moderator may hand it over all the same, and players note the key by what comes with their reports.
    table.run("key", "new", "--no-passphrase", as_=HEIR)
    table.run("hand-over", "--to", "heir/key.pub", "-C", NAME, as_="moderator")
    table.folder = table.folder.rename(table.root / "gone")
    shutil.move(table.root / "moderator", table.root / "lost")
    succeed(table, [*map(str, table.root.glob("succession-*"))], "--name", "Wilhelmine")
    table.post()
    table.run("key", "moderator", table.sent("louis.succession-0001-*.zip"), as_="louis")
    table.run("message", "moderator", "Welcome!", "--report", table.sent("louis.report.yaml"), as_="louis")
    table.moderate("rule", "Be kind.")
    table.post()
    assert len([*(table.folder / "outbox").glob("*/louis.succession-*.zip")]) == 1
    both_verify(table)


def test_a_reader_gets_the_own_part_alone_and_nothing_else_that_is_secret(maria: Correspondence) -> None:
    reports = {seat: Path(maria.sent(f"{seat}.report.yaml")).read_text("utf-8") for seat in SEATS}
    for seat in SEATS:
        (own,) = {part_in(reports[seat])} - {part_in(reports[other]) for other in SEATS if other != seat}
        for other in SEATS:
            held = load_private((maria.root / other / "key").read_bytes(), None)
            if other == seat:
                assert len(unpad(unseal(held, own))) == 64
            else:
                with pytest.raises(BoxFault):
                    unseal(held, own)
    for path in (maria.folder / "outbox").glob("*/*.zip"):
        with ZipFile(path) as bundle:
            names = set(bundle.namelist())
            public = {name: bundle.read(name) for name in names - {"kept.age"}}
        assert names == {*public, "kept.age"}
        ledger = {name: data for name, data in public.items() if name.startswith("ledger/")}
        assert all((maria.folder / name).read_bytes() == data for name, data in ledger.items())
        assert set(public) - set(ledger) <= {"campaign.yaml", "state.yaml"}
        assert not path.name.startswith(("observer", "moderator", "everybody"))


def part_in(report: str) -> str:
    """The part of a key in a report."""
    return str(bare(read_yaml(report.encode(), "report"))["body"]["heirloom"]["part"])  # type: ignore[call-overload,index]


def test_reports_that_are_killed_give_parts_of_one_key(
    maria: Correspondence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stricken = Stricken(monkeypatch)
    table = maria.copied(tmp_path / "start")
    table.run("key", "new", "--no-passphrase", as_="emilie")
    table.moderate("substitute", "louis", "--new-key", "emilie/key.pub", "--why", "no time")
    words = ("post", "--no-pictures")
    counted = Disk()
    stricken.run(table.copied(tmp_path / "counted"), words, counted)
    for at in (*range(8), counted.count // 2, counted.count - 3):
        struck = table.copied(tmp_path / f"{at}")
        stricken.killed(struck, words, at)
        struck.moderate(*words)
        assert len([*(struck.folder / "ledger").glob("*-heirloom.yaml")]) == 2, at
        report = struck.sent("louis.report.yaml")
        seen = guidance_of(read_letter(Path(report).read_bytes(), report), report).heirloom
        assert seen
        held = load_private((struck.root / "emilie/key").read_bytes(), None)
        assert is_part(seen.points, seen.number, unpad(unseal(held, seen.part)).decode())
        assert struck.sent("louis.succession-0001-*.zip")
        assert struck.json("verify", NAME)["findings"] == []
