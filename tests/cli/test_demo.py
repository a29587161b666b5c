"""`pbem demo`: a campaign by letters from one command, and everything that it leaves."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.bots.plain import choose
from pbem.campaign.proof.verifying import verify
from pbem.cli import main
from pbem.engine.events import BattleJoined, CardPlayed, StageBegan
from pbem.games.maria.rules.data import Terms
from pbem.lab.bot_campaign import bot_players_of, secret_of
from pbem.lab.chronicle import battles_in, size
from pbem.lab.demo import read_me, tell_summary
from pbem.lab.demonstration import DemoPlaces, DemoResult, end, post
from pbem.paper.library import load_rules
from pbem.report.blocks import Paragraph, line_of
from pbem.report.language.templates import languages
from pbem.seal.keys import load_private
from tests.campaign.simulated import SimulatedTable
from tests.cli.correspondence import working_in

SEATS = ("frederick", "louis", "maria-theresa")


def pbem(*arguments: str, home: Path, cwd: Path | None = None, hashes: str = "0") -> subprocess.CompletedProcess[str]:
    """The program as its user starts it, with a home of its own."""
    environment = os.environ | {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "TMPDIR": str(home)}
    return subprocess.run(
        [sys.executable, "-m", "pbem", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment | {"PYTHONHASHSEED": hashes, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )


def here(*arguments: str, home: Path, cwd: Path | None = None) -> Result:
    """The program within this process, where what is looked at is what the demonstration has left."""
    environment = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "TMPDIR": str(home)}
    with working_in(cwd or Path.cwd()):
        return CliRunner().invoke(main, arguments, env=environment, catch_exceptions=False)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder in which a key, a notebook or a temporary file would lie that the demonstration forgot."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, home: Path) -> dict[str, Any]:
    """A turn of MARIA's introductory game, as data."""
    folder = tmp_path_factory.mktemp("maria")
    done = pbem("demo", "--turns", "1", "--out", str(folder), "--json", home=home, hashes="1")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def check_length(campaign: Path) -> None:
    """Nobody gets a letter of more than sixty lines; what stands in them is measured by `tests.report.share`."""
    seats = {path.name.partition("-invitation")[0] for path in campaign.glob("outbox/*/*-invitation.txt")}
    texts = [path for path in campaign.glob("outbox/*/*.txt") if path.stem in {*seats, "observer", "moderator"}]
    lengths = [len(path.read_text("utf-8").splitlines()) for path in texts]
    assert len(lengths) > 20
    assert median(lengths) <= 20
    assert max(lengths) <= 60


def test_letters_are_short(shown: dict[str, Any]) -> None:
    check_length(Path(shown["campaign"]))


@pytest.mark.skipif(os.environ.get("PBEM_TESTS") != "long", reason="whole games: `python -m tests.long examples`")
@pytest.mark.parametrize("terms", [(), ("--scenario", "advanced"), ("--game", "friedrich")])
def test_no_letter_of_a_whole_game_is_long(terms: tuple[str, ...], tmp_path: Path, home: Path) -> None:
    done = here("demo", *terms, "--out", str(tmp_path / "demo"), "--json", home=home)
    check_length(Path(json.loads(done.stdout)["campaign"]))


def test_the_data_says_where_everything_lies(shown: dict[str, Any]) -> None:
    assert set(shown) == {
        "game", "seed", "turns", "phase", "stage", "winner", "players", "letters", "battles", "battle", "folder",
        "campaign", "reports", "keys", "account", "pictures", "position", "site", "verification",
    }  # fmt: skip
    for key in ("folder", "campaign", "reports", "keys"):
        assert Path(shown[key]).is_dir()
    for path in (shown["account"], shown["position"], shown["site"], *shown["pictures"]):
        assert Path(path).stat().st_size > 0
    assert [Path(path).name for path in shown["pictures"]] == ["board.png", "turn-01.svg"]
    assert Path(shown["pictures"][0]).read_bytes().startswith(b"\x89PNG")
    assert (shown["turns"], shown["phase"], shown["winner"]) == (1, "running", "")
    assert sorted(shown["players"]) == list(SEATS)
    assert shown["letters"] >= len(SEATS)


def test_every_key_of_the_data_is_documented(shown: dict[str, Any]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "demo.md").read_text("utf-8")
    documented = text[text.index("## The data") :]
    assert [key for key in shown if f"`{key}`" not in documented] == []


def test_it_is_verified_and_verifies_again(shown: dict[str, Any], home: Path) -> None:
    assert shown["verification"]["good"]
    again = here("verify", shown["campaign"], "--json", home=home)
    assert again.exit_code == 0
    figures = json.loads(again.stdout)["figures"]
    told = shown["verification"]["figures"]
    assert {**figures, "seconds": 0} == {**told, "seconds": 0}
    assert figures["entries"] > len(SEATS)


def test_everybody_has_a_report_with_a_map_and_mails(shown: dict[str, Any]) -> None:
    last = {path.name for path in Path(shown["reports"]).iterdir()}
    for reader in (*SEATS, "observer", "moderator"):
        assert f"{reader}.txt" in last
    assert {f"{seat}.eml" for seat in SEATS} < last
    assert {f"{seat}.html" for seat in SEATS} < last
    assert {"forum.md", "forum.map.png"} < last
    assert len(list(Path(shown["campaign"], "outbox").iterdir())) > 2, "each stage of the first turn has reports"


def test_the_account_fits_into_a_mail(shown: dict[str, Any]) -> None:
    account = Path(shown["account"]).read_text("utf-8")
    assert "Turn 1" in account
    assert max(map(len, account.splitlines())) <= 72


def test_letters_are_sealed(shown: dict[str, Any]) -> None:
    letters = [path.read_text() for path in Path(shown["campaign"], "letters").iterdir()]
    assert letters
    assert all(text.startswith("-----BEGIN AGE ENCRYPTED FILE-----") for text in letters)


def test_keys_are_for_their_owner_and_lie_nowhere_else(shown: dict[str, Any], home: Path) -> None:
    keys = Path(shown["keys"])
    assert stat.S_IMODE(keys.stat().st_mode) == 0o700
    assert {path.name for path in keys.iterdir()} == {
        name for who in (*SEATS, "moderator") for name in (who, f"{who}.pub")
    }
    for who in (*SEATS, "moderator"):
        assert stat.S_IMODE((keys / who).stat().st_mode) == 0o600
        load_private((keys / who).read_bytes(), None)
        assert "for demonstration only" in (keys / f"{who}.pub").read_text()
    assert list(home.rglob("*")) == []
    private = [path for path in Path(shown["folder"]).rglob("*") if path.is_file() and is_private(path)]
    assert {path.parent for path in private} == {keys}


def is_private(path: Path) -> bool:
    """True if a file contains a private key."""
    return b"OPENSSH PRIVATE KEY" in path.read_bytes()


def test_the_position_and_a_report_can_be_read(shown: dict[str, Any], home: Path) -> None:
    assert here("position", "load", shown["position"], home=home).exit_code == 0
    report = Path(shown["reports"], "louis.report.yaml")
    told = here("show", str(report), home=home)
    assert told.exit_code == 0
    assert "France" in told.stdout


def test_somebody_plays_on_as_the_read_me_says(shown: dict[str, Any], home: Path) -> None:
    folder = Path(shown["folder"])
    lines = (folder / "READ-ME.txt").read_text("utf-8").partition("The game goes on.")[2].splitlines()
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("pbem ")]
    assert [words[0] for words in commands][-2:] == ["adjudicate", "post"]
    for words in commands:
        done = here(*words, home=home, cwd=folder)
        assert done.exit_code == 0, done.stderr
    assert here("verify", "campaign", home=home, cwd=folder).exit_code == 0


def test_the_same_seed_plays_the_same_game(shown: dict[str, Any], home: Path, tmp_path: Path) -> None:
    once = Path(shown["account"]).read_bytes()
    seed = shown["seed"]
    again = pbem("demo", "--turns", "1", "--seed", seed, "--out", str(tmp_path / "same"), home=home, hashes="2")
    assert again.returncode == 0
    assert (tmp_path / "same" / "account.txt").read_bytes() == once
    position = (tmp_path / "same" / "position.yaml").read_bytes()
    assert position == Path(shown["position"]).read_bytes(), "the deal is the same, too"
    assert "goes on" in again.stdout
    assert shlex.join(["pbem", "verify", str(tmp_path / "same" / "campaign")]) in again.stdout


def test_another_seed_is_another_deal() -> None:
    one, other = (bot_players_of(SEATS, choose, seed) for seed in ("1", "2"))
    chances = [bot_player.entropy for bot_players in (one, other) for bot_player in bot_players.values()]
    assert len({secret_of("1"), secret_of("2"), *chances}) == 2 + 2 * len(SEATS)
    assert one["louis"].chance.random() != other["louis"].chance.random()


def test_a_game_that_is_over_is_closed(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position="turn: 9\nstage: austria\nphase: combat\n")
    table.join()
    table.play()
    with table.open() as campaign:
        assert campaign.public.phase == "over"
        end(campaign)
        post(campaign, with_pictures=True)
        campaign.save()
    found = verify(tmp_path / "campaign")
    assert (found.phase, found.is_good) == ("closed", True)
    last = max(table.root.glob("outbox/*/observer.txt"))
    assert "campaign is closed" in last.read_text("utf-8")
    assert "`course.svg`" in last.read_text("utf-8")
    assert ">Objectives held" in last.with_name("observer.course.svg").read_text("utf-8")


def test_the_battle_that_is_told_is_the_one_with_most_cards() -> None:
    began, other = StageBegan(1, "france"), StageBegan(1, "prussia")
    joined = BattleJoined((1,), (2,), 3, 4, 8, 8, 0)
    cards = [CardPlayed("france", 0, 5, 5), CardPlayed("austria", 1, 5, 0)]
    found = list(battles_in([began, joined, cards[0], other, joined, *cards], "maria"))
    assert found == [[began, joined, cards[0]], [other, joined, *cards]]
    assert max(found, key=size) == found[1]


def test_friedrich_in_another_language(home: Path, tmp_path: Path) -> None:
    options = ("--game", "friedrich", "--scenario", "west", "--turns", "2", "--language", "es")
    done = here("demo", *options, "--out", str(tmp_path), "--json", home=home)
    assert done.exit_code == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["turns"], data["verification"]["good"]) == (2, True)
    assert "Francia" in (tmp_path / "account.txt").read_text("utf-8")
    assert '<html lang="es"' in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert (tmp_path / "pictures" / "turn-02.svg").is_file()
    told = (tmp_path / "READ-ME.txt").read_text("utf-8")
    assert told.startswith("FRIEDRICH: La guerra en el oeste, 2 jugadores")
    assert not set(re.findall(r"\w+", told)) & {"the", "and", "of", "with", "every", "game", "letters"}
    check_length(tmp_path / "campaign")


GOES_ON = {
    "en": "The game goes on (",
    "de": "Das Spiel geht weiter (",
    "es": "La partida sigue (",
    "it": "La partita continua (",
}


@pytest.mark.parametrize("language", languages())
def test_the_summary_is_in_the_language_that_is_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    board: Any = None
    result = DemoResult(
        places=DemoPlaces(tmp_path),
        rules=load_rules(Terms()),
        phase="running",
        stage="2/prussia",
        turns=1,
        winner="",
        ending=[],
        letters=10,
        battles=2,
        battle=[Paragraph(line_of(""))],
        outbox=tmp_path / "campaign/outbox/0017",
        owing=("louis",),
        now=datetime(2026, 11, 27, tzinfo=UTC),
        board=board,
    )
    tell_summary(result, language)
    for told in (capsys.readouterr().out, read_me(result, language)):
        assert (GOES_ON[language] in told) or (GOES_ON[language].removesuffix(" (") in told)
        words = re.sub(r"\S*/\S*|^ *pbem .*|^\S+\.\w+|`.*`", "", told, flags=re.MULTILINE)
        english = {
            "the",
            "and",
            "of",
            "with",
            "every",
            "game",
            "letters",
            "reports",
            "account",
            "pictures",
            "Now",
            "try",
        }
        assert language == "en" or not set(re.findall(r"\w+", words)) & english, words


def test_the_letter_in_the_readme_is_one_of_the_demonstration(home: Path, tmp_path: Path) -> None:
    assert here("demo", "--turns", "3", "--out", str(tmp_path / "demo"), home=home).exit_code == 0
    sent = (tmp_path / "demo/campaign/outbox/0049/maria-theresa.txt").read_text("utf-8")
    letter, _, sheet = sent.partition("\n\nOrders (`orders.yaml`)")
    assert sheet
    shown = re.search(r"^```text\n(Turn .*?)\n```$", Path("README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert shown
    # A demonstration ends about now.
    dated = [re.sub(r"^Reply by .*$", "", text, count=1, flags=re.MULTILINE) for text in (shown[1], letter.rstrip())]
    assert dated[0] == dated[1]


def test_a_folder_with_anything_in_it_is_refused(home: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    done = here("demo", "--turns", "1", "--out", str(tmp_path), home=home)
    assert done.exit_code == 1
    assert done.stderr.startswith("E-FOLDER-TAKEN ")
    assert "letter.txt" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
