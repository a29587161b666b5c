// Events step by step: by buttons or arrow keys, each on the board as it stood then, and a log that stays.
/** Leafing through numbered things, in the page or in the bar; the arrow keys belong to the one made last. */
class Leafing {
  constructor(words, show, next = (at, by) => at + by) {
    this.count = this.at = 0; this.show = show; this.next = next;
    const button = (id, by) => h("button", { type: "button", id, "aria-label": words[id], title: words[id], onclick: () => this.step(by) }, by < 0 ? "←" : "→");
    this.slide = h("input", { type: "range", id: "slide", min: "0", step: "1", "aria-label": words.slide, oninput: (event) => this.go(Number(event.target.value)) });
    this.element = h("div", { class: "leaf" }, this.earlier = button("earlier", -1), this.slide, this.later = button("later", 1));
    leafing = this;
  }

  /** Leaf through another number of things, from one of them on. */
  among(count, at) { this.slide.max = (this.count = count) - 1; this.go(at); }

  step(by) { const to = this.next(this.at, by); if (to >= 0) this.go(to); }

  go(wanted) {
    this.note(Math.max(0, Math.min(this.count - 1, wanted)));
    this.slide.setAttribute("aria-valuetext", this.show(this.at));
  }

  /** Say where the reader is, without showing it again. */
  note(at) {
    this.slide.value = String(this.at = at);
    this.earlier.disabled = this.next(at, -1) < 0;
    this.later.disabled = at === this.count - 1;
  }
}

let leafing = null, viewOfNow = null, sizeOfStep = 0, logOpen = innerWidth > 760, ownOnly = true, running = 0;
/** Numbers of new steps that were not looked at yet. */
const unseen = new Set();
/** True once a question outside of a battle stood beside the new steps: orders that are given then pass them over. */
let isOffered = false;
/** Number of the first step since the reader's last orders of marches. */
let sinceOrders = 0;
/** True once marches were asked for: orders that are given then begin another account. */
let areMarchesAsked = false;

addEventListener("keydown", (event) => {
  if (!leafing?.element.isConnected || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || /^(TEXTAREA|INPUT|SELECT|SUMMARY)$/.test(document.activeElement?.tagName)) return;
  const keys = { ArrowLeft: () => leafing.step(-1), ArrowRight: () => leafing.step(1), Home: () => leafing.go(0), End: () => leafing.go(leafing.count - 1), ...sitting?.steps.length && document.activeElement?.tagName !== "BUTTON" ? { " ": run } : {} };
  if (event.key in keys) { event.preventDefault(); keys[event.key](); }
});

/** Sentences of a step, the outcome of a battle before its course; last, what bots whose stage ends were after. */
function sentencesOf(step) {
  const sentence = (named) => (line) => h("span", { class: named }, ...line.map((span) => suited(span.text)));
  const ends = step.told.flatMap((block) => block.type === "battle" ? [block.end] : block.lines), course = step.told.filter((block) => block.type === "battle").flatMap((block) => [block.opening, ...block.exchanges]);
  const some = (lines) => lines.filter((line) => line?.length);
  return [...step.stopped ? [stopTold(step.stopped, true)] : [], ...some(ends).map(sentence(step.fought?.length || step.turns ? "sentence result" : "sentence")), ...some(course).map(sentence("sentence")), ...(step.musts ?? []).map((told) => h("span", { class: "sentence" }, suited(told))), ...(step.aims ?? []).map((aim) => h("span", { class: "sentence aim" }, aim))];
}

/** The log, in which a click shows the board of then; the oldest stands first, and it opens at what is new. */
function log() {
  if (!sitting.steps.length) return [];
  const list = h("div", { class: "log", tabindex: "0", role: "group", "aria-label": say("log") });
  sitting.steps.forEach((step, at) => {
    if (step.title !== sitting.steps[at - 1]?.title) list.append(...step.title ? [h("h2", {}, step.title)] : [], h("ol", {}));
    list.lastChild.append(h("li", {}, h("button", { type: "button", class: step.is_new || atTable() && at >= sinceOrders ? "line new" : "line", onclick: () => leafing.go(at) }, ...sentencesOf(step))));
  });
  const shown = () => { const first = list.querySelector(".new"); list.scrollTop = first ? first.offsetTop - list.offsetTop - 40 : list.scrollHeight; };
  return [h("details", { id: "log", open: logOpen, ontoggle: (event) => { logOpen = event.target.open; if (logOpen) shown(); } }, h("summary", {}, say("log")), list)];
}

/** Tell if a step has nothing but marches of the reader's in a game against bots: these are no news. */
const isOwnMarch = (step) => atTable() && step.marched.length > 0 && step.marched.every((power) => sitting.powers.includes(power));
const isNews = (step) => step.is_new && !isOwnMarch(step) && !step.traces;
/** Tell if a step tells a loss of the reader's outside of the reader's battles. */
const isLoss = (step) => isOwn(step.lost) && !isOwn(step.fought);
const isOwn = (powers) => powers.some((power) => sitting.powers.includes(power));

/** Begin to show new steps. With `goesOn`, steps that wait because of a battle still wait. `kept` is the note of a game or report with which the reader goes on: it has the steps that were not shown yet. */
function awaitSteps(kept, goesOn = false) {
  if (!goesOn || isOffered) unseen.clear();
  areMarchesFolded = true;
  if (!goesOn || areMarchesAsked) {
    const first = sitting.steps.findIndex((step) => step.is_new);
    sinceOrders = kept?.since ?? (first < 0 ? sitting.steps.length : first);
  }
  isOffered = areMarchesAsked = false;
  sitting.steps.forEach((step, at) => {
    if (isNews(step) && (kept?.unseen?.includes(at) ?? true)) unseen.add(at);
  });
}

const isShown = (step) => !ownOnly || !sitting.powers.length || step.concerns.some((power) => sitting.powers.includes(power));
/** Steps since the reader's last orders of marches, in a game against bots; the log alone tells whence supply came. */
const allSinceOrders = () => atTable() ? sitting.steps.slice(sinceOrders).filter((step) => !isOwnMarch(step) && !step.traces) : [];
const stepsSinceOrders = () => allSinceOrders().filter(isShown);

/** The reader's own marches since then, below all that others did. */
function ownMarches() {
  const own = atTable() ? sitting.steps.slice(sinceOrders).filter(isOwnMarch) : [];
  return own.length ? [h("strong", { class: "sentence" }, say("own-marches")), ...byStages(own)] : [];
}

/** The way to steps that concern only others, with their number: nobody shall think that nothing else happened. */
function othersToo() {
  const count = allSinceOrders().filter((step) => !isShown(step)).length;
  return count ? [h("button", { type: "button", id: "others", class: "small", onclick: () => { document.getElementById("own").checked = ownOnly = false; tellBar(); } }, fill("others-too", { count }))] : [];
}

/** True until the marches that a phone folds are asked for. */
let areMarchesFolded = true;
/** Greatest number of others' marches that a phone tells beside the question. */
const FEW = 2;

/** Steps with nothing but marches of others: a phone folds them if there are more than a few, for the board shows them. */
function marchesFolded(steps) {
  const found = steps.filter((step) => step.marched.length && !isOwnMarch(step));
  return isNarrow() && areMarchesFolded && found.length > FEW ? found : [];
}

/** The way to the marches that are folded, with their number. */
const marchesToo = (count) => count ? [h("button", { type: "button", id: "marches", class: "small", onclick: () => { areMarchesFolded = false; tellBar(); } }, fill("marches-too", { count }))] : [];

/** Powers beside the reader's, as the position that lies here has them. */
let allies = [];
const isOfSide = (step) => isOwn(step.fought) || step.fought.some((power) => allies.includes(power));

/** Account of steps in sentences: first battles of the reader's side, then the new steps, then those before the reader's last answer. */
function accountOf(all) {
  const battles = all.filter(isOfSide), steps = all.filter((step) => !isOfSide(step));
  if (battles.length) return [...byStages(battles), ...steps.length ? accountOf(steps) : []];
  const fresh = steps.filter((step) => step.is_new), before = steps.filter((step) => !step.is_new);
  return [...byStages(fresh), ...fresh.length && before.length ? [h("strong", { class: "sentence" }, say("came-before"))] : [], ...byStages(before)];
}

/** Sentences of steps below the titles of their stages. Of a battle only the end is told. */
function byStages(steps) {
  let title = "";
  return steps.flatMap((step) => {
    const head = step.title === title ? [] : [h("em", { class: "sentence" }, title = step.title)], told = sentencesOf(step).filter((each) => !each.classList.contains("aim")), ends = told.filter((each) => each.classList.contains("result"));
    return [...head, ...ends.length ? ends.map((each) => h("strong", { class: "sentence" }, ...each.childNodes)) : told];
  });
}

/** New steps that wait to be looked at: the one place that counts them. */
const newSteps = () => [...unseen].filter((at) => isShown(sitting.steps[at]));

/** The way to what happened, with the number of new steps. */
function since() {
  const wait = newSteps();
  return sitting.steps.length ? h("button", { type: "button", id: "since", class: "small", onclick: lookAtSteps }, wait.length ? `▶ ${say("since")} ${wait.length}` : `▶ ${say("log")}`) : "";
}

/** Show the first new step, and stay there: the reader goes on from step to step, or has them run. */
function lookAtSteps() {
  running = 0;
  leafing.go(newSteps()[0] ?? leafing.next(leafing.at, -1));
}

/** Run through the steps from the first new one on, or stop. */
function run() {
  clearTimeout(running);
  running = running ? 0 : -1;
  leafing.go(isPast() ? leafing.at : newSteps()[0] ?? leafing.next(leafing.at, -1));
}

/** Stop the steps if they run; tells whether they did. */
function halt() {
  if (!running) return false;
  run();
  return true;
}

/** Milliseconds for which a step stays while the steps run, and the milliseconds that it takes to read a letter. */
const STEP_STAYS = 2500, LETTER_TAKES = 60;

/** The steps in the bar, in the room of the question. Behind the last step the board is that of now, with all arrows. */
function showSteps() {
  const { steps } = sitting, place = document.getElementById("steps");
  if (!steps.length) { leafing = null; return; }
  const told = h("div", { id: "step", tabindex: "0", "aria-live": "polite", onclick: () => { if (!halt()) made.step(1); } }), runs = h("button", { type: "button", id: "run", onclick: run });
  const own = h("input", { type: "checkbox", id: "own", checked: ownOnly, onchange: () => { ownOnly = own.checked; leafing.note(leafing.at); } });
  viewOfNow = null;
  const next = (at, by) => { do at += by; while (steps[at] && !isShown(steps[at])); return at; };
  const made = new Leafing({ earlier: say("earlier"), later: say("later"), slide: say("log") }, (at) => {
    const step = steps[at];
    clearTimeout(running);
    unseen.delete(at);
    place.classList.toggle("past", Boolean(step));
    place.hidden = !step || step === ended.at(-1);
    document.querySelectorAll("#log .line").forEach((line, number) => { if (number === at) { line.setAttribute("aria-current", "step"); line.scrollIntoView({ block: "nearest" }); } else line.removeAttribute("aria-current"); });
    told.replaceChildren(...(step ? [h("small", { class: "on" }, say("step-on")), h("strong", {}, step.title), ...sentencesOf(step)] : []));
    told.scrollTop = 0;
    tellStage(step ?? ended.at(-1));
    if (step) { viewOfNow ??= board.view(); showStep(at); sizeOfStep = board.size; } else { showNow(); if (viewOfNow) { board.look(viewOfNow); keep(); } viewOfNow = null; document.getElementById("since")?.replaceWith(since()); }
    // As long as it takes to read.
    running = running && step && !place.hidden ? setTimeout(() => made.step(1), STEP_STAYS + LETTER_TAKES * told.textContent.length) : 0;
    runs.replaceChildren(running ? "‖" : "▶", " ", say(running ? "halt" : "run-short"));
    runs.setAttribute("aria-pressed", String(Boolean(running)));
    runs.title = say(running ? "halt" : "run");
    return `${step?.title || say("now")} ${told.textContent}`;
  }, next);
  made.slide.after(runs);
  place.replaceChildren(told, h("div", { class: "row" }, made.element, h("label", {}, own, " ", say("own-only")), h("button", { type: "button", id: "now", onclick: () => leafing.go(steps.length) }, say(due().length ? "my-turn" : "now"))));
  made.among(steps.length + 1, steps.length);
}

const isPast = () => Boolean(leafing?.element.isConnected && sitting && leafing.at < sitting.steps.length);

/** Write on the board which moment it shows, and how far everybody is at that moment. The texts beside the board may be about another moment. */
function tellMoment() {
  tellCount();
  tellNumberOfCards();
  const step = isPast() ? sitting.steps[leafing.at] : null;
  board.moment.textContent = step ? step.title ? fill(showsBefore ? "board-before-then" : "board-then", { step: step.title }) : say("board-past") : say(!Object.keys(state.orders).length ? "board-now" : showsBefore ? "board-before" : "board-ordered");
}

function showStep(at) {
  const found = ask("step", at, showsBefore);
  tellMoment();
  board.stand(found.picture);
  board.mark(null, found.cities.map((city) => ({ city })), "strange");
  board.bring(found.cities);
}

function showNow() {
  if (showsBefore) board.stand(ask("before")); else board.stand(state.over, state.is_news);
  tellMoment();
  if (chosen) board.mark(chosen.from, chosen.to, chosen.kind); else { board.mark(null, []); markPlaces(); }
}

/** Show the board of now, as it was looked at before, or where one looks. */
function backToNow(stays = false) {
  if (!isPast()) return;
  if (stays) viewOfNow = null;
  leafing.go(sitting.steps.length);
}
