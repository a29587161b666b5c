"""Passphrases at the desk: each field says whose passphrase it takes, that of a key's file or that of the kept copy."""

from __future__ import annotations

from pathlib import Path

from pbem.seal.keys import new_key, save_private
from tests.cli.correspondence import Correspondence
from tests.desk.sitting import Sitter
from tests.desk.test_joining import OFFERED, READY, invitation

FIELD, KEEPING = "label[for=passphrase]", "label[for=keeping-passphrase]"


def test_every_field_says_which_passphrase_it_takes(sitter: Sitter, table: Correspondence, tmp_path: Path) -> None:
    sitter.open(invitation(table), OFFERED)
    sitter.find("#name").send_keys("Louis")
    sitter.find("#new-key").click()
    assert sitter.find(FIELD).text.startswith("Passphrase for the file pbem-key, if you want one")
    sitter.reader.run("window.before = save; save = () => {};")
    sitter.find("#passphrase").send_keys("Rossbach 1757\n")
    sitter.until(f"return Boolean(document.querySelector('{KEEPING}'))")
    assert "copy in this browser" in sitter.find(KEEPING).text
    assert "may be the same" in sitter.find(KEEPING).text
    sitter.find("#keeping-passphrase").send_keys("Leuthen 1757\n")
    sitter.until("return storedBelow(KEYS).length === 1")
    sitter.reader.driver.refresh()
    sitter.until(READY)
    sitter.until(OFFERED)
    sitter.find(".kept-key").click()
    sitter.until(f"return Boolean(document.querySelector('{FIELD}'))")
    assert sitter.find(FIELD).text == "Passphrase under which this browser keeps your key"
    (tmp_path / "my-key").write_bytes(save_private(new_key(""), "Kolin 1757"))
    sitter.find("#key-file").send_keys(str(tmp_path / "my-key"))
    sitter.until(f"return document.querySelectorAll('{FIELD}').length === 1")
    sitter.until(f"return document.querySelector('{FIELD}').textContent === 'Passphrase of the key file my-key'")
    sitter.find("#passphrase").send_keys("Kolin 1757\n")
    sitter.until("return !document.getElementById('sign').disabled")
    assert sitter.reader.complaints() == []
