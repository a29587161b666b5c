"""The guide to campaigns is true: its commands are run, by the people who run them there, and none is missing."""

from __future__ import annotations

import re
import shlex
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import COMMANDS, main
from pbem.cli.surroundings import Surroundings

from .correspondence import BEGIN, NAME, working_in

GUIDE = Path(__file__).parents[2] / "docs/campaigns.md"
SEATS = {"anna": "maria-theresa", "fritz": "frederick", "lou": "louis"}
PASSPHRASE = "a long passphrase"
OF_CAMPAIGNS = ("accepting", "checking", "founding", "keys", "letters", "moderate", "read", "sealing")


def deliver(root: Path, who: str) -> None:
    """Bring the mail: to the moderator what players have signed, to a player what lies in the outbox for them."""
    if who == "moderator":
        (root / who / "mail").mkdir(exist_ok=True)
        for player in SEATS:
            for path in (root / player).glob("*.yaml"):
                if "BEGIN SSH SIGNATURE" in path.read_text() and "from: moderator" not in path.read_text():
                    shutil.copy(path, root / who / "mail" / f"{player}-{path.name}")
        return
    for path in sorted((root / f"moderator/{NAME}/outbox").glob(f"*/{SEATS[who]}*")):
        name = re.sub(r"^.*?\.", "", path.name)
        came = root / who / f".{path.parent.name}-{path.name}"
        if name.endswith((".yaml", ".age")) and not came.exists():
            came.touch()
            shutil.copy(path, root / who / name)


def test_every_command_of_the_guide_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, now = GUIDE.read_text("utf-8"), BEGIN
    for who in ("moderator", *SEATS):
        (tmp_path / who).mkdir()
    settings = re.search("```yaml\n# settings.yaml\n(.*?)```", text, re.DOTALL)
    assert settings
    (tmp_path / "moderator/settings.yaml").write_text(settings[1])
    blocks = re.findall("```console ([a-z]+)\n(.*?)```", text, re.DOTALL)
    assert len(blocks) > 15
    for who, block in blocks:
        deliver(tmp_path, who)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / who / "config"))
        output = ""
        for line in block.splitlines():
            if not line.startswith("$ pbem "):
                assert line in output.splitlines(), (line, output)
                continue
            now += timedelta(hours=1)
            with working_in(tmp_path / who):
                result = CliRunner().invoke(
                    main,
                    shlex.split(line.removeprefix("$ pbem ")),
                    input=f"{PASSPHRASE}\n{PASSPHRASE}\n",
                    obj=Surroundings(lambda now=now: now),
                    catch_exceptions=False,
                )
            output = result.output
            assert result.exit_code == 0, (line, output)
            if " accept " in line:
                assert "refused" not in output, output


def test_the_guide_names_every_command_of_campaigns() -> None:
    text = GUIDE.read_text("utf-8").split("## All commands")[1]
    named = {words.split()[0] for words in re.findall("`([a-z ]+)`", text)}
    expected = {name for name, (module, _) in COMMANDS.items() if module.rpartition(".")[2] in OF_CAMPAIGNS}
    assert expected <= named
