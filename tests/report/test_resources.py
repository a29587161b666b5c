"""Places of the rules and the templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import resources


def test_a_checkout_has_them_beside_the_package() -> None:
    assert (resources.resource("rules") / "maria" / "game.yaml").is_file()
    assert (resources.resource("templates") / "en" / "account.txt.j2").is_file()


def test_an_installed_program_has_them_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "pbem" / "data" / "rules"
    inside.mkdir(parents=True)
    (tmp_path / "rules").mkdir()
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "pbem" / "resources.py"))
    assert resources.resource("rules") == inside
    with pytest.raises(FileNotFoundError, match="templates"):
        resources.resource("templates")
