"""Account in the bar of a game against bots: all that happened since the last orders, whatever battles came between."""

from __future__ import annotations

from pathlib import Path

from tests.desk.fields import assault
from tests.desk.sitting import Sitter

INTO_BATTLE = """
for (const asked of due().filter(isMarch)) for (const march of asked.data.marches) {
  const end = column(march, asked).to.find((each) => each.meets);
  if (end) return [asked.power, march.pieces, [end.city], end.path];
}
"""

FIGHT_ON = """
if (ended.length) { beyondResults(); return true; }
if (asksOnce) { document.getElementById('done').click(); return true; }
const asked = due()[facing], { element, made } = formFor(asked);
window.met ??= [];
met.push(asked.data.type);
if (!isOfCombat(asked)) return false;
if (asked.fight) element.querySelector('.pick:not(:disabled)').click(); else [...made.cities.values()][0]();
return true;
"""
"""Goes on in a combat by the first answer; tells if there was one."""

ENDS = """
const told = (step) => step.told.flatMap((block) => block.type === 'battle' ? [block.end] : block.lines);
const text = (line) => line.map((span) => span.text).join('');
return sitting.steps.slice(arguments[0]).filter((step) => isShown(step) && !isOwnMarch(step) && !step.traces)
  .map((step) => [step.title, text(told(step).find((line) => line.length)), step.fought.length > 0]);
"""
"""Title, first sentence, and true for a battle, of each step from a number on."""


OWN = """
const told = (step) => step.told.flatMap((block) => block.type === 'battle' ? [block.end] : block.lines);
const text = (line) => line.map((span) => span.text).join('');
const since = sitting.steps.slice(sinceOrders), battle = told(since.find(isOfSide)).find((line) => line.length);
return [since.filter(isOwnMarch).map((step) => text(told(step)[0])), text(battle)];
"""
"""First sentences of the reader's own marches, and of the first battle of the reader's side."""


def fought_out(sitter: Sitter, tmp_path: Path) -> int:
    """Order a march that leads to a battle, and play until marches are asked again; tells how many steps there were."""
    (tmp_path / "assault.json").write_bytes(assault("ae"))
    sitter.open(str(tmp_path / "assault.json"))
    sitter.reader.run("ownOnly = true")
    order = sitter.reader.run(INTO_BATTLE)
    before: int = sitter.reader.run("return sitting.steps.length")
    sitter.reader.run("change('march', ...arguments[0])", order)
    sitter.end()
    while sitter.reader.run("return ended.length || !due().some(isMarch)"):
        if not sitter.reader.run(FIGHT_ON):
            sitter.answer_like_a_bot()
            sitter.end()
    # A combat and a question of another kind came between.
    met = sitter.reader.run("return met")
    assert "PlayCard" in met
    assert "Subsidy" in met
    return before


def test_all_since_the_last_orders_is_told_after_a_battle_and_after_a_reload(sitter: Sitter, tmp_path: Path) -> None:
    before = fought_out(sitter, tmp_path)
    steps = sitter.reader.run(ENDS, before)
    assert any(is_battle for *_, is_battle in steps)
    assert not steps[-1][2]
    for _ in range(2):
        told = sitter.reader.run("return document.getElementById('came').textContent")
        for title, sentence, _ in steps:
            assert title in told
            assert sentence in told
        # Own marches stand at the end, battles of the reader's side before all else.
        own, first = sitter.reader.run(OWN)
        assert own
        assert all(each in told.partition(sitter.reader.run("return say('own-marches')"))[2] for each in own)
        below = told.partition("▶")[2]
        others = [below.index(each) for _, each, is_battle in steps if not is_battle and each in below]
        assert below.index(first) < min(others, default=len(below))
        # In the log the same steps are marked.
        marked = sitter.reader.run(
            "const lines = [...document.querySelectorAll('#log .line')];"
            "return lines.findIndex((each) => each.classList.contains('new'))"
        )
        assert marked == before
        # Kept, and opened again.
        sitter.reader.run("const kept = keptAt(KEPT + entered); sitting = null; entered = ''; goOnWith(kept)")


def test_the_account_gives_way_to_the_orders_and_comes_back_with_undo(sitter: Sitter, tmp_path: Path) -> None:
    fought_out(sitter, tmp_path)
    told = "return document.getElementById('came').textContent"
    account = sitter.reader.run(told)
    sitter.find("#undo")
    sitter.reader.run(
        "const asked = due().find(isMarch), march = column(asked.data.marches.find((each) => each.can_march), asked);"
        "change('march', asked.power, march.pieces, [march.to[0].city], march.to[0].path)"
    )
    assert len(sitter.reader.run(told)) < len(account)
    sitter.find("#undo").click()
    assert sitter.reader.run(told) == account
