"""A mail with several letters, some of them quoted: the letter that its writer means."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.cli.correspondence import Correspondence


def answer(above: str, quoted: str) -> bytes:
    """A mail as mail programs write an answer: own words, then who wrote the mail that is quoted below."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "louis@example.org", "moderator@example.org", "Re: Turn 1"
    lines = "".join(f"> {line}".rstrip() + "\n" for line in quoted.splitlines())
    mail.set_content(f"Hello,\n\n{above}\nOn Sat, 21 Nov 2026 at 12:00, Max <moderator@example.org> wrote:\n\n{lines}")
    return mail.as_bytes()


@pytest.mark.parametrize(
    ("above", "quoted", "meant"),
    [
        (["plan"], ["orders"], "plan"),
        (["orders"], ["plan"], "orders"),
        (["orders"], ["orders", "plan"], "orders"),
        (["orders", "plan"], ["orders"], "orders"),
        (["plan", "orders"], ["plan"], "orders"),
        ([], ["orders", "plan"], "orders"),
    ],
)
def test_an_unquoted_letter_of_any_kind_is_meant_before_quoted_ones(
    begun: Correspondence, above: list[str], quoted: list[str], meant: str
) -> None:
    sent = {kind: Path(begun.sent(f"louis.{kind}.yaml")) for kind in ("orders", "plan")}
    (begun.root / "answer.eml").write_bytes(
        answer(*("\n---\n".join(sent[kind].read_text() for kind in kinds) for kinds in (above, quoted)))
    )
    begun.run("sign", "answer.eml", "-o", "mine.yaml", as_="louis")
    assert f"kind: {meant}\n" in (begun.root / "mine.yaml").read_text()
