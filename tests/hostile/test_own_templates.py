"""Templates that a moderator has from somebody else: they fill a letter, and do nothing besides."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.report.formats.pages import page
from pbem.report.language import own_limits
from pbem.report.language.own_templates import LARGEST, MOST
from pbem.report.language.templates import begin_letter, own_templates
from tests.cli.correspondence import NAME, Correspondence
from tests.cli.test_report import join, own

SECRET = "the key of the moderator"


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign whose cards are dealt."""
    table = Correspondence(tmp_path_factory.mktemp("dealt"))
    table.begin()
    join(table)
    table.moderate("rule", "Arenberg may stay")
    return table


@pytest.fixture
def begun(dealt: Correspondence) -> Correspondence:
    """The same without any templates of its own."""
    shutil.rmtree(dealt.folder / "templates", ignore_errors=True)
    (dealt.folder / "templates").unlink(missing_ok=True)
    return dealt


def report(table: Correspondence, *words: str, code: int = 0) -> str:
    """Output of `pbem report`, without time spent on a map."""
    return table.moderate("report", *words, "--no-picture", code=code).output


def refused(table: Correspondence) -> str:
    """Reason why a report cannot be made; the folder stays as it is."""
    before = set(table.folder.rglob("*"))
    told = report(table, "louis", code=1)
    assert set(table.folder.rglob("*")) == before
    assert "E-TEMPLATE" in told
    return told


def link_to_a_file(table: Correspondence, folder: Path) -> None:
    (table.root / "key.txt").write_text(SECRET)
    (folder / "en" / "key.txt").symlink_to(table.root / "key.txt")


def link_to_a_folder(table: Correspondence, folder: Path) -> None:
    elsewhere = table.root / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    (elsewhere / "key.txt").write_text(SECRET)
    (folder / "en" / "more").symlink_to(elsewhere)


def pipe(table: Correspondence, folder: Path) -> None:
    os.mkfifo(folder / "en" / "words.txt.j2")


def giant(table: Correspondence, folder: Path) -> None:
    (folder / "en" / "words.txt.j2").write_bytes(b"")
    os.truncate(folder / "en" / "words.txt.j2", LARGEST + 1)


def crowd(table: Correspondence, folder: Path) -> None:
    for number in range(MOST):
        (folder / f"{number}.txt").touch()


@pytest.mark.parametrize("lay", [link_to_a_file, link_to_a_folder, pipe, giant, crowd])
def test_a_folder_with_anything_but_templates_is_refused(
    begun: Correspondence, lay: Callable[[Correspondence, Path], None]
) -> None:
    inside = "{% include ['key.txt', 'more/key.txt'] ignore missing %}"
    own(begun, "en/campaign_report.txt.j2", inside)
    lay(begun, begun.folder / "templates")
    assert SECRET not in refused(begun)


def test_the_folder_itself_is_no_link(begun: Correspondence) -> None:
    elsewhere = begun.root / "others"
    (elsewhere / "en").mkdir(parents=True)
    (elsewhere / "en" / "campaign_report.txt.j2").write_text("x")
    (begun.folder / "templates").symlink_to(elsewhere)
    assert "symbolic link" in refused(begun)


KEEPS = """\
{% macro keep(words) %}{{ KEPT.append(words) or "" }}{{ KEPT|join(" ") }}{% endmacro %}
{% set KEPT = [] %}
"""
CARRIES = """\
{% import "keeps.txt.j2" as it %}
Kept: {{ it.keep(reader ~ "!") }} {{ conduct.update({reader: "was here"}) or conduct|length }}
{% for key in conduct %}
{{ key }}
{% endfor %}
"""


def test_nothing_of_one_reader_gets_into_the_letter_of_another(begun: Correspondence) -> None:
    own(begun, "en/keeps.txt.j2", KEEPS)
    own(begun, "en/campaign_report.txt.j2", CARRIES)
    begun.moderate("post", "--no-pictures")
    readers = ("louis", "frederick", "maria-theresa", "observer", "moderator")
    for reader in readers:
        seen = Path(begun.sent(f"{reader}.txt")).read_text()
        assert f"{reader}!" in seen
        assert not [other for other in readers if other != reader and other in seen], seen


def test_what_a_page_keeps_of_one_letter_is_not_in_the_next(tmp_path: Path) -> None:
    (tmp_path / "dress").mkdir()
    (tmp_path / "dress" / "keeps.html.j2").write_text(KEEPS)
    mail = "{% import 'keeps.html.j2' as it %}{{ it.keep(title) }}"
    (tmp_path / "dress" / "mail.html.j2").write_text(mail)
    with own_templates(tmp_path):
        assert page((), "louis", "en") == "louis"
        begin_letter()
        assert page((), "frederick", "en") == "frederick"


BOMBS = {
    "a loop": "{% for i in range(10**9) %}{% endfor %}",
    "loops in loops": "{% for i in range(90000) %}{% for k in range(90000) %}{% endfor %}{% endfor %}",
    "a power": "{{ 10 ** (10 ** 9) }}",
    "a product": "{% set n = namespace(x=3) %}{% for i in range(90000) %}{% set n.x = n.x * n.x %}{% endfor %}",
    "a long text": "{{ ('x' * 10 ** 10)|length }}",
    "a wide text": "{{ '%9999999999d'|format(1) }}",
    "a text that doubles": "{% set n = namespace(x='x') %}{% for i in ' ' * 99 %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    "a list that doubles": "{% set n = namespace(x=[1]) %}{% for i in ' ' * 99 %}{% set n.x = n.x + n.x %}{% endfor %}",
    "a macro of itself": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "two macros of itself": "{% macro f(n) %}{{ f(n - 1) ~ f(n - 1) if n }}{% endmacro %}{{ f(99) }}",
    "itself": "{% include 'campaign_report.txt.j2' %}",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_in_time(begun: Correspondence, bomb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_limits, "SECONDS", 1)
    own(begun, "en/campaign_report.txt.j2", BOMBS[bomb])
    refused(begun)


@pytest.mark.parametrize(
    "wicked",
    [
        "{{ line.__globals__ }}",
        "{{ insert.__self__ }}",
        "{{ insert|attr('__self__') }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ cycler.__init__.__globals__ }}",
        "{{ lipsum.__globals__ }}",
        "{{ self._TemplateReference__context }}",
        "{{ '{0.__class__.__mro__}'.format(line) }}",
        "{{ ['{0.__class__}']|map('format', line)|join }}",
        "{% import 'campaign_words.txt.j2' as of %}{{ of._body_stream }}",
        "{{ quote.__code__ }}",
        "{% include '/etc/passwd' %}",
        "{% include '../../secret.age' %}",
        "{% include '../campaign.yaml' %}",
    ],
)
def test_nothing_but_its_data_is_within_reach(begun: Correspondence, wicked: str) -> None:
    own(begun, "en/campaign_report.txt.j2", wicked)
    refused(begun)


def test_the_limits_end_with_the_letters(begun: Correspondence) -> None:
    import resource
    import signal

    before = resource.getrlimit(resource.RLIMIT_DATA), signal.getsignal(signal.SIGPROF)
    own(begun, "en/campaign_report.txt.j2", "# {{ campaign }}\n")
    assert NAME in report(begun, "louis")
    assert (resource.getrlimit(resource.RLIMIT_DATA), signal.getsignal(signal.SIGPROF)) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
