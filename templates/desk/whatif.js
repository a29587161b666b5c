// Branches from a report (*What if?*): each a world of its own in which one plays on. Nothing of them is a letter.
const LEVELS = ["sensible", "beginner", "strong", "still", "mine"];
/** Name of the branch that lies here. */
let branchName = "";
/** True if the branch that lies here is of a report that came sealed. */
let isFleeting = false;
/** The report from which this branch was begun, as it lay here, for a browser that keeps nothing. */
let beneathBranch = null;

const branchesOf = (report) => keptGames().filter((each) => each.kind === "branch" && each.of === report);
const branchTitle = (name) => `${say("whatif")} · ${name}`;

/** The number behind those that branches of a report have for names. */
const nextName = (report) => String(1 + Math.max(0, ...branchesOf(report).map((each) => Number(each.name) || 0)));

// A branch has another title, as long as it lies here.
new MutationObserver(() => { document.title = page.classList.contains("branch") ? `${branchTitle(branchName)} · pbem` : `pbem · ${say("title")}`; }).observe(page, { attributes: true, attributeFilter: ["class"] });

const mayPlayOn = () => sitting.kind === "report" && Boolean(sitting.seat) && !atOwnTable() && mayImagine();

/** Begin a branch from the report and its drafts. */
function playOn(level) {
  const kept = ask("kept"), { sealed } = ask("report_name"), found = attempt(() => ask("play_on", level));
  if (!found) return;
  isFleeting = sealed;
  beneathBranch = { ...openedFile, id: kept.id, drafts: kept.drafts, chosen: kept.chosen, sent: kept.sent };
  layBranch(found, nextName(kept.id));
}

function layBranch(found, name) {
  branchName = name;
  opened(found);
}

/** Name a branch that comes from a file as it was called here, or by the next number. */
function nameBranch(found) {
  if (!found?.sitting?.branch) return;
  const { label, report } = found.sitting.branch, kept = keptAt(KEPT + label);
  branchName = kept?.name ?? nextName(report);
  isFleeting = Boolean(kept?.fleeting);
}

/** Back to the report, with its letters as they were left. */
function toReport() {
  const { report } = sitting.branch, kept = keptGames().find((each) => each.id === report);
  if (kept) { goOnWith(kept); return; }
  if (beneathBranch?.id !== report) { home(); return; }
  openBytes(beneathBranch.bytes, beneathBranch.name);
  const before = attempt(() => ask("restore", beneathBranch.drafts, beneathBranch.chosen, beneathBranch.sent));
  if (before) refresh(before);
}

/** Go a step back or forth in the branch. */
function stepBranch(act) {
  const found = attempt(() => ask(act));
  if (found) opened(found);
}

/** The strip above everything else, which only a branch has: where one is, and the ways back, forth and home. */
function branchStrip() {
  const button = (id, sign, act, can) => h("button", { type: "button", id, title: say(id), "aria-label": say(id), disabled: !can, onclick: () => stepBranch(act) }, sign);
  return h("section", { id: "branch-strip", "aria-label": say("whatif") }, h("strong", {}, branchTitle(branchName)),
    button("branch-back", "←", "branch_back", sitting.branch.has_earlier), button("branch-forth", "→", "branch_forth", sitting.branch.has_later),
    h("button", { type: "button", id: "to-report", onclick: toReport }, say("to-report")));
}

/** Part of the column about branches: beside a report the button that begins one; in a branch, its name and further buttons. */
function tellWhatIf() {
  const place = document.getElementById("whatif");
  if (!place) return;
  place.hidden = !sitting.branch && !mayPlayOn();
  inPlace(place, place.hidden ? [] : [h("h2", {}, say("whatif")), ...sitting.branch ? inBranch() : besideReport()]);
}

function besideReport() {
  const level = h("select", { id: "branch-level", onchange: () => { branchLevel = level.value; } }, ...LEVELS.map((each) => h("option", { value: each, selected: each === branchLevel }, say(`whatif-${each}`))));
  return [h("p", { class: "note" }, say("whatif-hint")), h("p", { class: "row" }, h("label", { for: "branch-level" }, say("whatif-others")), level),
    h("button", { type: "button", id: "play-on", onclick: async (event) => {
      const button = event.target, here = sitting;
      button.disabled = true;
      if (hasEarlier()) await countReports().done;
      if (sitting === here && button.isConnected) laying(button, () => playOn(level.value), "thinking");
    } }, say("play-on")), ...branchList(ask("kept").id, "whatif-kept")];
}

/** Level that was chosen last. */
let branchLevel = LEVELS[0];

function inBranch() {
  const name = h("input", { id: "branch-name", maxlength: 40, autocomplete: "off", onchange: () => {
    branchName = name.value.trim() || branchName;
    keep();
    document.querySelector("#branch-strip strong").textContent = branchTitle(branchName);
    document.title = `${branchTitle(branchName)} · pbem`;
    tellWhatIf();
  } });
  name.value = branchName;
  return [h("p", { class: "note" }, say("whatif-here"), isFleeting ? ` ${say("whatif-sealed")}` : ""), h("p", { class: "row" }, h("label", { for: "branch-name" }, say("whatif-name")), name),
    h("div", { class: "buttons" }, h("button", { type: "button", id: "branch-copy", onclick: (event) => laying(event.target, () => { const next = nextName(sitting.branch.report); layBranch(ask("branch_copy"), next); }) }, say("branch-copy")),
      h("button", { type: "button", id: "branch-discard", class: "plainly", onclick: (event) => askOnce(event.target, say("discard-sure"), () => { const { label } = sitting.branch; toReport(); discard(KEPT + label); if (sitting && !sitting.branch) tellWhatIf(); }) }, say("discard"))),
    ...branchList(sitting.branch.report, "whatif-more")];
}

/** The other branches of a report, each to be gone on with or thrown away. */
function branchList(report, word) {
  const others = branchesOf(report).filter((each) => each.id !== sitting.branch?.label);
  const line = (kept) => h("li", {}, h("button", { type: "button", class: "go-branch", "data-id": kept.id, onclick: (event) => laying(event.target, () => goOnWith(kept)) }, kept.name), h("span", { class: "note" }, ` ${kept.over ? say("over") : kept.stage} `),
    h("button", { type: "button", class: "plainly discard", "aria-label": `${say("discard")}: ${kept.name}`, onclick: (event) => askOnce(event.target, say("discard-sure"), () => { discard(KEPT + kept.id); tellWhatIf(); }) }, say("discard")));
  return others.length ? [h("p", {}, say(word)), h("ul", { class: "plain", id: "branches" }, ...others.map(line))] : [];
}
