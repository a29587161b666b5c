"""The guide to campaigns is true: its commands are run, by the people who run them there, and none is missing."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.cli import COMMANDS

from .correspondence import NAME
from .guides import Reading

GUIDE = Path(__file__).parents[2] / "docs/campaigns.md"
SEATS = {"anna": "maria-theresa", "fritz": "frederick", "lou": "louis"}
OF_CAMPAIGNS = ("accepting", "checking", "founding", "keys", "letters", "moderate", "read", "sealing")


def test_every_command_of_the_guide_does_what_it_says(tmp_path: Path) -> None:
    text = GUIDE.read_text("utf-8")
    reading = Reading(tmp_path, NAME, SEATS)
    settings = re.search("```yaml\n# settings.yaml\n(.*?)```", text, re.DOTALL)
    assert settings
    (tmp_path / "moderator/settings.yaml").write_text(settings[1])
    assert reading.follow(text) > 15


def test_the_guide_names_every_command_of_campaigns() -> None:
    text = GUIDE.read_text("utf-8").split("## All commands")[1]
    named = {words.split()[0] for words in re.findall("`([a-z -]+)`", text)}
    expected = {name for name, (module, _) in COMMANDS.items() if module.rpartition(".")[2] in OF_CAMPAIGNS}
    assert expected <= named
