"""Texts that somebody wrote, made visible in what the program writes."""

from __future__ import annotations

from pbem.paper.documents.characters import visible_text


def test_spaces_of_names_stay_spaces_and_other_invisible_signs_are_told_by_number() -> None:
    assert visible_text("train\u00a02,\u202f3\tof Austria\r\n") == "train 2, 3 of Austria\n"
    assert visible_text("a\u200bb\u202ec") == "a\\u{200b}b\\u{202e}c"
