"""Letters and reports in any layout, and in the mails that bring them: every command of a player's knows them."""

from __future__ import annotations

import json
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.paper.documents import strict
from pbem.paper.documents.writing import write

from .correspondence import NAME, SEATS, Correspondence


def tree_of(path: str) -> dict[str, Any]:
    """Content of a letter, with its signature."""
    tree: dict[str, Any] = strict.bare(strict.read_yaml(Path(path).read_bytes(), path))
    return tree


def as_json(tree: dict[str, Any]) -> str:
    return json.dumps(tree, ensure_ascii=False)


def as_pretty_json(tree: dict[str, Any]) -> str:
    return json.dumps(tree, indent=2, sort_keys=True)


def turned_around(tree: dict[str, Any]) -> str:
    """The head from its end, and its numbers in quotes."""
    head = {key: tree[key] for key in reversed(tree) if key not in ("body", "signature")}
    rest = {key: tree[key] for key in ("body", "signature")}
    return "".join(f'"{key}": "{value}"\n' for key, value in head.items()) + write(rest)


def body_first(tree: dict[str, Any]) -> str:
    """The keys by the alphabet, as most programs write them, but for the signature."""
    return write({key: tree[key] for key in sorted(tree) if key != "signature"} | {"signature": tree["signature"]})


def with_line_ends(tree: dict[str, Any]) -> str:
    return turned_around(tree).replace("\n", "\r\n")


LAYOUTS = (as_json, as_pretty_json, turned_around, body_first, with_line_ends)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("around", ["", "Dear Max,\n\n", "> "])
def test_a_letter_in_any_layout_is_found(begun: Correspondence, layout: Any, around: str) -> None:
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    text = layout(tree_of(sheet))
    if around == "> ":
        text = "".join(f"> {line}\n" for line in text.splitlines())
    (begun.root / "letter.txt").write_bytes(f"{'' if around == '> ' else around}{text}\n\nYours, Lou\n".encode())
    (answer,) = begun.accept("letter.txt")
    assert (answer["player"], answer["status"]) == ("louis", "final")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_report_in_any_layout_is_known(begun: Correspondence, layout: Any) -> None:
    for seat in SEATS:
        begun.order(seat)
    begun.moderate("adjudicate", "--force")
    begun.post()
    report = begun.root / "report.yaml"
    report.write_bytes(layout(tree_of(begun.sent("louis.report.yaml"))).encode())
    for command in ("show", "legal"):
        assert begun.run(command, str(report)).output == begun.run(command, begun.sent("louis.report.yaml")).output
    begun.run("check", begun.sheet("maria-theresa"), "--report", str(report), as_="louis", code=1)


def mail_with(text: str, *files: tuple[str, bytes]) -> bytes:
    """A mail to the moderator."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = "lou@x.org", "max@x.org", "orders", "<1@x.org>"
    mail.set_content(text)
    for name, data in files:
        mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return mail.as_bytes()


def test_what_an_agreement_binds_is_known_before_it_is_signed_and_when_it_is_checked(begun: Correspondence) -> None:
    report = begun.sent("louis.report.yaml")
    words = ("agree", "frederick", "Peace.", "--report", report, "-o", "agreed.yaml")
    assert "E-NAME-UNKNOWN" in begun.run(*words, "--cities", "Prag, Foobar", as_="louis", code=1).output
    assert "E-AGREEMENT-UNTIL" in begun.run(*words, "--until", "soon", as_="louis", code=1).output
    begun.run(*words, "--cities", "Prag, Wien", "--stages", "france", "--until", "2/france", as_="louis")
    (alone,) = begun.json("agree", "louis", "Peace.", "--report", report, as_="louis", code=1)["refused"]
    assert alone["code"] == "E-AGREEMENT-EMPTY"
    begun.run("check", "agreed.yaml", "--report", report, as_="louis")
    path = begun.root / "agreed.yaml"
    path.write_text(path.read_text().replace("[Prag, Wien]", "[Prag, Foobar]"))
    (place,) = [f for f in begun.json("check", "agreed.yaml", "--report", report, as_="louis", code=1)["refused"]
                if f["code"] == "E-NAME-UNKNOWN"]  # fmt: skip
    assert (place["line"], place["column"]) == (14, 20)


def test_check_takes_the_mail_that_accept_takes(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    report = begun.sent("louis.report.yaml")
    (begun.root / "mail.eml").write_bytes(mail_with("Here.", ("orders.yaml", Path(sheet).read_bytes())))
    told = begun.run("check", "mail.eml", "--report", report, as_="louis").output
    assert "orders of louis, seq 2: nothing is wrong with it." in told
    assert "In supply away from home: Belle-Isle and Broglie." in told
    wrong = b"\n# mine\n" + Path(sheet).read_bytes().replace(b"allot:", b"alot:", 1)
    (begun.root / "wrong.eml").write_bytes(mail_with("Here.", ("orders.yaml", wrong)))
    refused = begun.json("check", "wrong.eml", "--report", report, as_="louis", code=1)["refused"]
    (answer,) = begun.accept("wrong.eml")
    assert answer["faults"][0]["code"] == "E-SIGNATURE-WRONG"
    assert "E-FORM-KEY" in [fault["code"] for fault in refused]
    places = [fault["line"] for fault in refused if fault["code"] == "E-FORM-KEY"]
    assert all(b"alot:" in wrong.splitlines()[line - 1] for line in places)
    (begun.root / "none.eml").write_bytes(mail_with("lunch?"))
    assert "E-TEXT-NONE" in begun.run("check", "none.eml", as_="louis", code=1).output


def test_the_programs_own_mails_are_opened(tmp_path: Path) -> None:
    """A sealed report comes as boxes in a mail's attachments, in base64."""
    table = Correspondence(tmp_path)
    (tmp_path / "plan.yaml").write_text(f"campaign: {NAME}\nseats: {{louis: {{reports: sealed}}}}\n")
    table.begin("--from", "plan.yaml")
    addresses = [f"{seat}={seat}@example.org" for seat in (*SEATS, "moderator")]
    table.moderate("invite", *(word for each in addresses for word in ("--address", each)))
    table.join()
    mail = table.sent("louis.eml")
    assert any(
        part["Content-Transfer-Encoding"] == "base64" for part in message_from_bytes(Path(mail).read_bytes()).walk()
    )
    printed = table.run("open", mail, as_="louis").output
    assert "allot" in printed
    assert "<html" not in printed
    table.run("open", mail, "--into", "louis/opened", as_="louis")
    assert {path.name for path in (tmp_path / "louis/opened").iterdir()} >= {"report.txt", "report.yaml", "orders.yaml"}
    table.run("sign", "louis/opened/orders.yaml", as_="louis")
    (answer,) = table.accept("louis/opened/orders.yaml")
    assert answer["status"] == "final"
    assert "E-SEAL-KEY" in table.run("open", mail, as_="frederick", code=1).output
