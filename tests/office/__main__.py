"""`python -m tests.office`: the office at its largest, with figures; `python -m tests.office kill 99` kills it.

`python -m tests.office turns 3` plays whole turns of the advanced game by mail, through the real servers.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.office import large, large_servers


def main(words: list[str]) -> None:
    """Run the trials that are named, or all of them."""
    what, count = words[0] if words else "", int(words[1]) if words[1:] else 0
    with TemporaryDirectory() as folder:
        root = Path(folder)
        if what in ("", "letters"):
            print(large.letters(root / "letters", count or 6), flush=True)
        if what in ("", "mails"):
            print(large.full_mailbox(root / "mails", count or 10_000), flush=True)
        if what in ("", "campaigns"):
            print(large.club(root / "club", count or 200, 5), flush=True)
        if what in ("", "kill"):
            print(dict(large.killed(root / "killed", count or 60)), flush=True)
        if what in ("", "imap"):
            print(large_servers.full_mailbox(root / "imap", count or 10_000), flush=True)
        if what in ("", "turns"):
            print(large_servers.turns(root / "turns", count or 3), flush=True)
        if what in ("", "kill-servers"):
            print(large_servers.killed(root / "kill-servers", count or 30), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
