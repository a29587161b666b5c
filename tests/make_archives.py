"""Archives of the present version for `tests/campaign/test_older_rulings.py`: two turns of each game, closed, with some
of the reports that players were sent.

    python -m tests.make_archives
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem import __version__

ARCHIVES = Path(__file__).parent / "campaign" / "archives"
GAMES = {"maria": ["--scenario", "advanced"], "friedrich": []}
CLOSED = ("campaign.yaml", "ledger", "letters", "opened.json", "rules", "state.yaml")
EVERY = 3
"""Of so many posts one has its reports kept, the last among them."""


def pbem(*given: str) -> None:
    subprocess.run([sys.executable, "-m", "pbem", *given], check=True, stdout=subprocess.DEVNULL)


def make(game: str) -> Path:
    """Play a campaign, close it, and pack it."""
    made = ARCHIVES / f"{game}-{__version__}.tar.xz"
    with TemporaryDirectory() as folder:
        root = Path(folder) / "demo"
        pbem("demo", "--game", game, *GAMES[game], "--turns", "2", "--seed", "a", "--out", str(root))
        key = str(root / "keys" / "moderator")
        pbem("close", "-C", str(root / "campaign"), "--key", key, "--why", "enough", "--clock-is-right")
        with tarfile.open(made, "w:xz") as archive:
            for name in CLOSED:
                archive.add(root / "campaign" / name, f"campaign/{name}")
            for post in sorted((root / "campaign" / "outbox").iterdir())[::-EVERY]:
                for path in sorted(post.glob("*.report.yaml")):
                    if path.name.partition(".")[0] not in ("moderator", "observer"):
                        archive.add(path, f"reports/{post.name}.{path.name}")
    return made


if __name__ == "__main__":
    for each in GAMES:
        print(make(each))
