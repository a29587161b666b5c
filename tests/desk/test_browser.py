"""The page in a real browser: a stage of each game is clicked, signed, and taken by the moderator."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.paper.letters import read_letter, signed_bytes
from pbem.seal.keys import load_private, new_key, save_private
from tests.cli.correspondence import SEATS, Correspondence
from tests.desk.fields import battlefield
from tests.desk.sitting import Sitter
from tests.desk.test_archive import files_of, zipped
from tests.desk.test_moderators import STRANGER, signed_by
from tests.desk.test_sealing import begun_with_sealed_reports
from tests.desk.test_web_space import another_tab
from tests.site.browsing import CONTRASTS, ESCAPE, reader

GAMES = {
    "maria": ((), SEATS),
    "friedrich": (
        ("--game", "friedrich", "--scenario", "four"),
        ("frederick", "elisabeth", "maria-theresa", "pompadour"),
    ),
}


ONE = pytest.mark.parametrize("table", ["maria"], indirect=True)
"""Mark of tests whose subject is the same in every game."""


@pytest.fixture(scope="module", params=GAMES)
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign in which it is Prussia's turn."""
    options, seats = GAMES[request.param]
    table = Correspondence(tmp_path_factory.mktemp(request.param), seats)
    table.begin(*options)
    table.join()
    while "frederick" not in table.owing() or not table.json("status", "vienna-1741")["stage"].endswith("prussia"):
        table.round()
    return table


def test_a_stage_is_clicked_signed_and_taken(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(table.sent("frederick.report.yaml"))
    asking = "sitting.address = 'max@example.org'; return h('p', {}, ...whose()).querySelector('#ask-time').href"
    assert unquote(sitter.reader.run(asking)) == (
        "mailto:max@example.org?subject=[vienna-1741] frederick"
        "&body=Please give me more time for: Turn 1, stage of Prussia."
    )
    first, second = sitter.march(), sitter.march()
    sitter.end()
    assert sitter.reader.run("return state.faults.filter((each) => each.code.startsWith('E-'))") == []
    unsigned = sitter.text()
    orders = yaml.safe_load(unsigned)["body"]["orders"]
    ordered = [line for sections in orders.values() for line in sections["move"]]
    assert ordered == [{each["pieces"]: each["to"]} for each in (first, second)]
    assert sitter.find("#prompt").text == "Your orders are written: now sign the letter, then send it."
    letter = sitter.sign(str(table.root / "frederick/key"))
    bottom, height = sitter.reader.run(
        "return [document.querySelector('#copy').getBoundingClientRect().bottom, innerHeight]"
    )
    assert bottom <= height, "the ways to send are in sight once it is signed"
    assert sitter.find("#prompt").text == "Your letter is signed: now send it."
    (table.root / "unsigned.yaml").write_text(unsigned, "utf-8")
    by_command = table.run("sign", "unsigned.yaml", "-o", "by-command.yaml", as_="frederick")
    assert by_command.exit_code == 0
    assert (table.root / "by-command.yaml").read_text("utf-8") == letter
    (table.root / "clicked.yaml").write_text(letter, "utf-8")
    assert ssh_keygen_verifies(table.root, letter)
    (answer,) = table.accept("clicked.yaml")
    assert answer["status"] == "final", answer


def ssh_keygen_verifies(folder: Path, letter: str) -> bool:
    """True if OpenSSH takes the signature for the seat's, or is not installed."""
    keygen = shutil.which("ssh-keygen")
    if keygen is None:
        return True
    found = read_letter(letter.encode(), "letter")
    (folder / "signature").write_text(found.signature)
    (folder / "signers").write_text(f"frederick {(folder / 'frederick/key.pub').read_text()}")
    command = [keygen, "-Y", "verify", "-f", "signers", "-I", "frederick", "-n", "pbem", "-s", "signature"]
    return not subprocess.run(command, cwd=folder, input=signed_bytes(found), capture_output=True).returncode


def test_nothing_was_asked_of_anybody_and_the_browser_has_no_complaint(sitter: Sitter, page_file: Path) -> None:
    assert sitter.reader.complaints() == []
    asked = {url for url in sitter.reader.requested() if not url.startswith(("data:", "blob:", "chrome:"))}
    # Other tests open pages of their own in the same browser.
    pages = {url for url in asked if url.startswith("file:") and url.endswith(".html")}
    assert page_file.as_uri() in pages
    assert asked - pages <= {"about:blank"}


def test_the_card_of_a_game_leads_to_its_other_scenarios(sitter: Sitter) -> None:
    sitter.home()
    for place, wanted in enumerate(("maria/advanced", "friedrich/three")):
        sitter.reader.run("document.querySelectorAll('.others')[arguments[0]].click()", place)
        assert sitter.reader.run("return document.querySelector('.practice').open")
        assert sitter.reader.run("return document.activeElement.value") == wanted
        assert sitter.reader.run("return document.querySelector('#seat').options.length")


def test_a_page_that_was_cut_off_says_so(sitter: Sitter, page_file: Path, tmp_path: Path) -> None:
    whole = page_file.read_bytes()
    (tmp_path / "desk.html").write_bytes(whole[: len(whole) // 2])
    with another_tab(sitter):
        sitter.reader.driver.get((tmp_path / "desk.html").as_uri())
        assert "its file was cut off or changed on its way: get it again" in sitter.find("#desk").text


@ONE
def test_what_is_written_is_never_markup(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(table.sent("frederick.report.yaml"))
    payload = "<img src=x onerror=document.title=1>"
    orders = sitter.text().replace("orders: {}", f"orders:\n    prussia:\n      move:\n        - '{payload}': Berlin")
    sitter.type(orders)
    assert payload in sitter.find("#faults").text
    assert sitter.reader.run("return document.querySelectorAll('#desk img, #desk iframe, #desk script').length") == 0
    assert sitter.reader.run("return document.title").startswith("pbem")


@ONE
def test_typing_and_clicking_write_one_letter(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(table.sent("frederick.report.yaml"))
    line = sitter.march()
    text = sitter.text()
    sitter.find("#undo").click()
    assert "move" not in sitter.text()
    sitter.type(text)
    chosen = f"return columnsIn(arguments[0]).some((each) => each.pieces.join(' + ') === {line['pieces']!r})"
    assert not sitter.reader.run(chosen, line["from"])


@ONE
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_word_can_be_read_and_nothing_is_cut_off(
    sitter: Sitter, table: Correspondence, width: int, scheme: str
) -> None:
    sitter.open(table.sent("frederick.report.yaml"))
    sitter.reader.look(width, 844, scheme)
    try:
        sitter.march()
        sitter.raise_sheet()
        found = sitter.reader.run(CONTRASTS)
        assert found["poor"] == []
        assert found["seen"] > 30
        assert sitter.reader.run("return document.documentElement.scrollWidth") <= width
        # Beside the board only the column scrolls.
        assert width == 390 or sitter.reader.run("return document.documentElement.scrollHeight") <= 844
    finally:
        sitter.reader.look()


def test_a_seat_is_taken_with_a_key_that_a_passphrase_locks(sitter: Sitter, tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    key = load_private((tmp_path / "louis/key").read_bytes(), None)
    (tmp_path / "locked").write_bytes(save_private(key, "Rossbach 1757"))
    sitter.open(table.sent("louis-invitation.invitation.yaml"), "return Boolean(document.querySelector('#name'))")
    sitter.find("#key-file").send_keys(str(tmp_path / "locked"))
    sitter.until("return Boolean(document.querySelector('#passphrase'))")
    sitter.find("#passphrase").send_keys("Rossbach 1757\n")
    sitter.until("return !document.getElementById('sign').disabled")
    assert key.public.fingerprint in sitter.find("#key").text
    sitter.find("#name").send_keys("Lou <b>le Bien-Aimé</b>")
    sitter.find("#sign").click()
    (tmp_path / "join.yaml").write_text(sitter.text(), "utf-8")
    (answer,) = table.accept("join.yaml")
    assert answer["status"] in ("final", "taken"), answer


ACTS = """
window.acts = [];
window.before = { save, longAct };
save = (text) => files.push(text);
longAct = (act, ...given) => { acts.push(act); return before.longAct(act, ...given); };
"""
"""Notes what is saved, and what the worker is asked for."""


def test_a_key_is_made_and_kept_with_a_passphrase_that_the_worker_stretches(sitter: Sitter, tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    sitter.open(table.sent("louis-invitation.invitation.yaml"), "return Boolean(document.querySelector('#name'))")
    sitter.reader.run(f"window.files = []; {ACTS}")
    sitter.find("#new-key").click()
    sitter.find("#passphrase").send_keys("Rossbach 1757\n")
    sitter.until("return files.length === 2")
    sitter.find("#keeping-passphrase").send_keys("Leuthen 1757\n")
    sitter.until("return storedBelow(KEYS).length === 1")
    # What the worker has made is used, and forgotten.
    assert sitter.reader.run("return [acts, stretched]") == [["stretch", "stretch"], None]
    made, public = sitter.reader.run("return files")
    kept = sitter.reader.run("return stored(storedBelow(KEYS)[0])")
    for file, words in ((made, "Rossbach 1757"), (kept, "Leuthen 1757")):
        assert load_private(file.encode(), words).public.text.split()[:2] == public.split()[:2]
    sitter.reader.run("({ save, longAct } = before); takenWorker().terminate();")


PAUSES = """
window.pauses = [];
let last = performance.now();
window.ticking = setInterval(() => { pauses.push(performance.now() - last); last = performance.now(); }, 20);
"""
"""Notes for how long the page stands still."""


def test_a_key_of_many_rounds_is_opened_while_the_page_goes_on(sitter: Sitter, tmp_path: Path) -> None:
    key = new_key("")
    locked = serialization.PrivateFormat.OpenSSH.encryption_builder().kdf_rounds(100).build(b"Rossbach")
    pair = Ed25519PrivateKey.from_private_bytes(key.seed)
    form = serialization.PrivateFormat.OpenSSH
    (tmp_path / "locked").write_bytes(pair.private_bytes(serialization.Encoding.PEM, form, locked))
    table = Correspondence(tmp_path)
    table.begin()
    sitter.open(table.sent("louis-invitation.invitation.yaml"), "return Boolean(document.querySelector('#name'))")
    sitter.find("#key-file").send_keys(str(tmp_path / "locked"))
    sitter.until("return Boolean(document.querySelector('#passphrase'))")
    sitter.reader.run(PAUSES)
    sitter.find("#passphrase").send_keys("Rossbach\n")
    sitter.until("return !document.getElementById('sign').disabled")
    assert key.public.fingerprint in sitter.find("#key").text
    assert sitter.reader.run("clearInterval(ticking); return Math.max(...pauses)") < 1000
    assert sitter.reader.run("return pauses.length") > 10
    assert sitter.reader.complaints() == []


def test_a_sealed_report_is_opened(sitter: Sitter, tmp_path: Path) -> None:
    table = begun_with_sealed_reports(tmp_path)
    sitter.open(table.sent("louis.eml"), "return Boolean(document.querySelector('#key-file'))")
    assert not sitter.find("#sign").is_enabled()
    sitter.find("#key-file").send_keys(str(tmp_path / "louis/key"))
    sitter.until("return !document.getElementById('sign').disabled")
    sitter.find("#sign").click()
    sitter.find("#accept").click()
    assert sitter.reader.run("return sitting.seat") == "louis"
    box = Path(table.sent("louis.report.yaml.age")).read_text().splitlines()
    box[9] = box[9][::-1]
    (tmp_path / "damaged.age").write_text("\n".join(box))
    sitter.open(str(tmp_path / "damaged.age"), "return Boolean(document.querySelector('#notice li'))")
    assert "changed or cut" in sitter.find("#notice").text
    assert "Ask the moderator to send the file again" in sitter.find(".open").text
    assert sitter.find(".open h2").text == "This file is damaged"
    assert not sitter.reader.driver.find_elements("css selector", "#sign, #key")
    sitter.reader.run("key = ''; ask('forget_key');")
    sitter.open(table.sent("louis.report.yaml.age"), "return Boolean(document.querySelector('#key-file'))")
    sitter.find("#key-file").send_keys(str(tmp_path / "frederick/key"))
    sitter.until("return !document.getElementById('sign').disabled")
    sitter.find("#sign").click()
    sitter.until("return document.querySelector('.open h2').textContent === 'This file is not sealed to this key'")
    assert "if the file is not for you, ask the moderator for yours" in sitter.find(".open").text
    assert not sitter.find("#sign").is_enabled(), "the key is the wrong one"
    sitter.find("#key-other").click()
    sitter.find("#key-file").send_keys(str(tmp_path / "louis/key"))
    sitter.until("return !document.getElementById('sign').disabled")
    sitter.find("#sign").click()
    sitter.until("return Boolean(document.getElementById('accept'))")
    assert sitter.reader.complaints() == []


@ONE
def test_whose_key_it_is_is_asked_at_the_first_report_and_another_is_refused_later(
    sitter: Sitter, table: Correspondence, tmp_path: Path
) -> None:
    report, invitation = table.sent("frederick.report.yaml"), table.sent("frederick-invitation.invitation.yaml")
    (tmp_path / "foreign.yaml").write_bytes(signed_by(report, STRANGER))
    key = load_private((table.root / "moderator/key").read_bytes(), None).public.fingerprint
    sitter.home()
    sitter.find("#file").send_keys(report)
    sitter.until("return Boolean(document.getElementById('signer'))")
    assert sitter.find("#signer").text == key
    assert sitter.reader.run("return sitting === null && document.querySelector('.board, .place') === null")
    sitter.find("#compare-file").send_keys(invitation)
    sitter.until("return Boolean(document.querySelector('#compared .well'))")
    sitter.find("#accept").click()
    assert key in sitter.find("header").text
    # The browser knows it from then on, also when the page is opened anew.
    sitter.reader.driver.get(sitter.page.as_uri())
    sitter.until("return Boolean(window.desk && window.desk.ready && sitting)")
    sitter.find("#another").click()
    sitter.find("#file").send_keys(str(tmp_path / "foreign.yaml"))
    sitter.until("return Boolean(document.getElementById('signer'))")
    assert "E-GUIDE-MODERATOR" in sitter.find(".faults").text
    assert key in sitter.find(".faults").text
    assert sitter.reader.run("return document.getElementById('accept')") is None
    # Nor does the sound archive of the campaign say that this key is the moderator's.
    (tmp_path / "own.zip").write_bytes(zipped(files_of(table.root / "vienna-1741", "vienna-1741/")))
    sitter.find("#archive-file").send_keys(str(tmp_path / "own.zip"))
    sitter.until("return Boolean(document.querySelector('#compared .refusal'))")
    assert sitter.reader.run("return document.getElementById('accept')") is None
    sitter.reader.run("welcome()")
    sitter.find("#file").send_keys(report)
    sitter.until("return Boolean(sitting)")
    sitter.reader.run("window.confirm = () => true; safe = true; sitting = null; welcome()")
    sitter.find("#known summary").click()
    sitter.find("#known button").click()
    assert sitter.reader.run("return document.getElementById('known')") is None
    assert sitter.reader.complaints() == []


@ONE
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_what_is_asked_about_a_moderator_can_be_read(
    sitter: Sitter, table: Correspondence, tmp_path: Path, width: int, scheme: str
) -> None:
    report = table.sent("frederick.report.yaml")
    (tmp_path / "foreign.yaml").write_bytes(signed_by(report, STRANGER))
    sitter.open(report)
    sitter.reader.look(width, 844, scheme)
    for kept in (True, False):
        sitter.reader.run(
            "safe = true; sitting = null; welcome();" if kept else "noted = ''; localStorage.clear(); welcome();"
        )
        sitter.find("#file").send_keys(str(tmp_path / "foreign.yaml"))
        sitter.until("return Boolean(document.getElementById('signer'))")
        found = sitter.reader.run(CONTRASTS)
        assert (found["poor"], found["seen"] > 8) == ([], True)
        assert sitter.reader.run("return document.documentElement.scrollWidth") <= width
    sitter.reader.look()


@ONE
def test_a_letter_that_became_another_is_named_and_signed_only_when_asked(
    sitter: Sitter, table: Correspondence
) -> None:
    sitter.open(table.sent("frederick.report.yaml"))
    assert sitter.find("#kind").text == "What you sign: orders."
    sitter.find("#key-file").send_keys(str(table.root / "frederick/key"))
    sitter.until("return !document.getElementById('sign').disabled")
    sitter.type(sitter.text().replace("kind: orders", "kind: key-change"))
    assert "another key" in sitter.find("#kind.unproved").text
    sitter.reader.run(
        "window.asked = []; window.confirm = (words) => { asked.push(words); return !words.includes('seat'); }"
    )
    sitter.find("#sign").click()
    assert "another key" in sitter.reader.run("return asked.at(-1)")
    assert not sitter.reader.run("return state.signed")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Zips of a closed campaign: as it is, and with one byte of an entry changed."""
    folder = tmp_path_factory.mktemp("archives")
    files = files_of(Path(__file__).parents[2] / "examples/vienna-1741", "vienna-1741/")
    (folder / "closed.zip").write_bytes(zipped(files))
    name = next(name for name in files if "adjudication" in name)
    (folder / "tampered.zip").write_bytes(zipped({**files, name: files[name].replace(b"00Z", b"01Z", 1)}))
    return folder


def test_an_archive_is_verified_and_told_as_each_seat_saw_it(sitter: Sitter, archives: Path) -> None:
    sitter.open(str(archives / "closed.zip"), "return page.className === 'laid archive'")
    assert sitter.find(".proved").text
    sitter.find("#later").click()
    sitter.find("#later").click()
    title = sitter.find("#title").text
    assert sitter.find("#told p").text
    assert sitter.reader.run("return document.querySelectorAll('#seen .card').length") == 0
    sitter.find("#seen-by option[value=frederick]").click()
    assert sitter.reader.run("return document.querySelectorAll('#seen .card').length") > 0
    sitter.find("#whole").click()
    assert sitter.find("#title").text in title
    sitter.reader.run("speakArchive('de')")
    sitter.until("return document.querySelector('#earlier').getAttribute('aria-label') === 'Zurück'")
    sitter.reader.run("speakArchive('en')")
    assert sitter.reader.complaints() == []


def test_the_memory_of_an_archive(page_file: Path, archives: Path, tmp_path: Path) -> None:
    with reader(tmp_path / "profile") as found:  # a page whose memory no other test has filled
        sitter = Sitter(found, page_file)
        # What Python was made of is given back: what is left are the files in its memory.
        assert found.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["backingStorageSize"] < 30 << 20
        # Python keeps what it once needed: it unpacks the program bit by bit.
        assert sitter.memory() < 172
        sitter.open(str(archives / "closed.zip"), "return page.className === 'laid archive'")
        assert sitter.find(".proved").text
        assert 100 < sitter.memory() <= 400


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_an_archive_can_be_read(sitter: Sitter, archives: Path, width: int, scheme: str) -> None:
    if not sitter.reader.run("return page.className === 'laid archive'"):
        sitter.open(str(archives / "closed.zip"), "return page.className === 'laid archive'")
    sitter.reader.look(width, 844, scheme)
    found = sitter.reader.run(CONTRASTS)
    assert found["poor"] == []
    assert found["seen"] > 30
    assert sitter.reader.run("return document.documentElement.scrollWidth") <= width
    sitter.reader.look()


def test_an_archive_that_was_tampered_with_is_not_told(sitter: Sitter, archives: Path) -> None:
    sitter.open(str(archives / "tampered.zip"), "return Boolean(document.querySelector('.unproved'))")
    assert "-adjudication.yaml" in sitter.find(".faults").text
    assert sitter.reader.run("return document.querySelectorAll('.board, .place, #told').length") == 0


@ONE
def test_a_report_is_held_against_archives(sitter: Sitter, table: Correspondence, archives: Path) -> None:
    own = archives / "own.zip"
    own.write_bytes(zipped(files_of(table.root / "vienna-1741", "vienna-1741/")))
    for archive, good in ((own, True), (archives / "closed.zip", False)):
        sitter.open(table.sent("frederick.report.yaml"))
        text = sitter.text()
        sitter.find("#verifying summary").click()
        sitter.find("#archive-file").send_keys(str(archive))
        sitter.until("return Boolean(document.querySelector('#held p'))")
        assert sitter.reader.run("return Boolean(document.querySelector('#held .proved'))") == good
    sitter.reader.run("speak('en')")
    assert sitter.text() == text


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_at_once_and_the_first_click_is_a_march(sitter: Sitter, game: str) -> None:
    sitter.home()
    # Its board is seen before anything is clicked.
    assert sitter.reader.run(
        "return [...document.querySelectorAll('.game img')].every((each) => each.naturalWidth > 300)"
    )
    sitter.find(f".play-now[data-game={game}]").click()
    sitter.until("return Boolean(sitting)")
    sitter.march()
    assert "move" in sitter.text()
    assert sitter.reader.run("return state.faults.length") == 0
    assert sitter.reader.complaints() == []


def test_troops_can_be_dealt_by_whoever_plays(sitter: Sitter) -> None:
    sitter.home()
    sitter.find(".plainly[data-game=maria]:not([data-seat])").click()
    sitter.until("return Boolean(sitting)")
    assert sitter.reader.run("return state.asked.map((each) => each.form.section)") == ["allot"]


def test_a_game_against_bots_is_begun_and_goes_on(sitter: Sitter) -> None:
    sitter.home()
    sitter.find(".practice summary").click()
    sitter.find("#practise").click()
    sitter.until("return Boolean(sitting)")
    seat = sitter.reader.run("return sitting.seat")
    for _ in range(3):
        sitter.carry_out()
    assert sitter.reader.run("return sitting.seat") == seat
    assert sitter.find("#news").text


@ONE
def test_a_plan_is_made_by_its_form_tried_and_signed(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(table.sent("frederick.report.yaml"))
    sitter.find("#draft-plans").click()
    sitter.find("[data-preset=bold]").click()
    assert sitter.reader.run("return state.faults.length") == 0
    sitter.choose("#plan-prussia-0-tactic", "hold")
    assert yaml.safe_load(sitter.text())["body"]["orders"]["prussia"]["plans"][0]["tactic"] == "hold"
    sitter.find("#plan-prussia-try summary").click()
    hand = sitter.find("#plan-prussia-try [name=hand]")
    hand.clear()  # what was dealt may have no clubs, and then there is no fight
    hand.send_keys("♣5")
    sitter.find("#plan-prussia-try [name=enemy_hand]").send_keys("♣4\n")
    assert "♣4" in sitter.find("#plan-prussia-try .outcome").text
    assert "kind: plan" in sitter.sign(str(table.root / "frederick/key"))
    sitter.find("#draft-orders").click()
    assert "plans" not in sitter.text()


def test_two_drafts_are_compared_and_the_one_that_is_kept_is_sealed_signed_and_taken(
    sitter: Sitter, tmp_path: Path
) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    table.join()
    sitter.open(table.sent("louis.report.yaml"))
    sitter.find("#draft-second").click()
    sitter.answer_like_a_bot()
    sitter.find("#compare").click()
    assert sitter.find(".compared").text
    sitter.reader.run("window.confirm = () => true")
    sitter.find("#keep").click()
    assert sitter.reader.run("return state.drafts.join()") == "orders"
    assert "allot" in sitter.text()
    sitter.find("#seal").click()
    assert "allot" not in sitter.text()
    assert sitter.reader.run("return state.faults.length") == 0
    (tmp_path / "sealed.yaml").write_text(sitter.sign(str(tmp_path / "louis/key")), "utf-8")
    (answer,) = table.accept("sealed.yaml")
    assert answer["status"] == "final", answer


@pytest.mark.parametrize("game", GAMES)
def test_a_battle_is_fought_card_by_card_and_the_beaten_sent_back_by_a_click(
    sitter: Sitter, tmp_path: Path, game: str
) -> None:
    (tmp_path / "battle.yaml").write_bytes(battlefield(game))
    sitter.open(str(tmp_path / "battle.yaml"))
    assert sitter.find(".fight output").text == "−3"
    sitter.find("#choices .pick.card").click()
    assert sitter.find(".fight output").text in ("−1", "−2")
    behind, stop = sitter.find(".fight output").text, sitter.find("#choices .at-once .chips .pick")
    assert " ".join(stop.text.split()).startswith(f"play no more → {behind} troop")
    stop.click()
    sitter.until("return state.asked[0].form.section === 'retreat'")
    end = sitter.reader.run("return [...active.cities.keys()][0]")
    sitter.click_city(end)
    sitter.find("#choices .take").click()
    orders = yaml.safe_load(sitter.text())["orders"]
    found = {section: lines for sections in orders.values() for section, lines in sections.items()}
    assert end in str(found["retreat"])
    assert sitter.reader.run("return state.faults.length") == 0


@pytest.mark.parametrize(
    ("game", "start", "nearer"), [("maria", "Crossen", "Neusalz"), ("friedrich", "Tetschen", "Zittau")]
)
def test_a_march_is_learnt_step_by_step(sitter: Sitter, game: str, start: str, nearer: str) -> None:
    sitter.home()
    sitter.find(f".learn[data-game={game}]").click()
    sitter.until("return Boolean(document.getElementById('coach'))")
    names = sitter.reader.run("return learning.names")
    heading = "return document.querySelector('#coach h2').textContent"
    assert sitter.reader.run(heading).endswith("1 / 4")
    assert names["general"] in sitter.find("#coach p").text
    sitter.find("#coach .section").click()
    assert "§" in sitter.find("#coach .rule").text
    sitter.click_city(
        sitter.reader.run("return state.pieces.find((each) => each.name === learning.names.general).city")
    )
    assert sitter.reader.run(heading).endswith("2 / 4")
    sitter.click_city(names["goal"])
    assert sitter.reader.run(heading).endswith("3 / 4")
    assert names["train"] not in sitter.find("#coach p").text
    sitter.click_city(start)
    sitter.click_city(nearer)
    assert sitter.reader.run(heading).endswith("4 / 4")
    sitter.end()
    assert sitter.find("#coach .take").text == "2. Take a fortress"
    sitter.find("#coach .take").click()
    sitter.until("return learning.name === 'fortress'")
    assert sitter.reader.run(heading).endswith("1 / 3")


def test_the_goal_is_told_at_the_beginning_and_again_at_will(sitter: Sitter) -> None:
    sitter.home()
    sitter.find(".play-now[data-game=maria]").click()
    sitter.until("return Boolean(document.getElementById('aim'))")
    assert "France 9 fortresses in Austria (now 0)" in sitter.find("#aim").text
    # It counts what the orders take, as the button over the board does.
    sitter.click_city("Nürnberg")
    sitter.click_city("Karlsbad")
    assert "1/9" in sitter.find("#aim-show").text
    assert "France 9 fortresses in Austria (now 1)" in sitter.find("#aim").text
    sitter.find("#undo").click()
    assert "(now 0)" in sitter.find("#aim").text
    city = sitter.reader.run("return state.asked.find(isMarch).data.marches[0].from")
    sitter.click_city(city)
    assert sitter.reader.run("return chosen.from") == city
    sitter.find("#aim .close").click()
    assert not sitter.reader.run("return document.getElementById('aim')")
    sitter.find("#aim-show").click()
    sitter.find("#aim-pieces").click()
    assert not sitter.reader.run("return document.getElementById('aim')")
    sitter.find("#aim-show").click()
    sitter.reader.press(ESCAPE)
    assert not sitter.reader.run("return document.getElementById('aim')")
    # However far the column is scrolled, the goal is read from its beginning; neither it nor advice hides the other.
    sitter.reader.run("document.querySelector('.side').scrollTop = 10000")
    sitter.find("#advise").click()
    sitter.until("return Boolean(document.querySelector('#counsel p'))")
    sitter.find("#aim-show").click()
    assert not sitter.reader.run("return document.querySelector('#counsel p')")
    bar = sitter.find("#bar").rect
    assert 0 <= sitter.find("#aim").rect["y"] - bar["y"] - bar["height"] < 20
    sitter.find("#advise").click()
    sitter.until("return Boolean(document.querySelector('#counsel p'))")
    assert not sitter.reader.run("return document.getElementById('aim')")
    # No code of a fault and no name of a file stands at a table with bots.
    sitter.reader.run("tellWhy([...board.spots.keys()].find((city) => !chosen.ends.has(city) && city !== chosen.from))")
    assert sitter.find("#why").text
    assert "E-" not in sitter.find("#why").text
    assert not sitter.find("#text").is_displayed()


def test_a_puzzle_is_posed_and_answered(sitter: Sitter) -> None:
    sitter.home()
    sitter.find(".puzzles summary").click()
    sitter.until("return Boolean(document.querySelector('[data-puzzle=rearguard]'))")
    sitter.find("[data-puzzle=rearguard]").click()
    assert sitter.find("#puzzle h2").text
    sitter.find("[data-answer=solution]").click()
    assert "lose-least" in sitter.text()
    assert "lose-least" in sitter.reader.run("return document.querySelector('.plan select')?.value || ''")
    assert sitter.find("#outcome").text


def test_a_whole_game_is_played_to_its_end(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run("opened(ask('practise', 'maria', 'introductory', 'louis', 'random'))")
    assert sitter.play_to_the_end() > 9
    assert "Turn" in sitter.find("h1").text
    assert sitter.reader.run("return document.querySelectorAll('#done').length") == 0
    assert sitter.find("#news h2").text == "The game is over."


@ONE
def test_another_language_is_spoken_at_once(sitter: Sitter, table: Correspondence) -> None:
    sitter.open(table.sent("frederick.report.yaml"))
    sitter.march()
    text = sitter.text()
    sitter.reader.run("speak('de')")
    assert sitter.find("#undo").text == "↶\nZurück"
    assert sitter.text() == text
    sitter.reader.run("speak('en')")
