// What happened: step by step by buttons or arrow keys, each on the board as it stood then, and a log that stays.
/** Leafing through numbered things, in the page or over the board; the arrow keys belong to the one made last. */
class Leafing {
  constructor(words, show) {
    this.count = this.at = 0; this.show = show;
    const button = (id, by) => h("button", { type: "button", id, "aria-label": words[id], title: words[id], onclick: () => this.go(this.at + by) }, by < 0 ? "←" : "→");
    this.slide = h("input", { type: "range", id: "slide", min: "0", step: "1", "aria-label": words.slide, oninput: (event) => this.go(Number(event.target.value)) });
    this.element = h("div", { class: "leaf" }, this.earlier = button("earlier", -1), this.slide, this.later = button("later", 1));
    leafing = this;
  }

  /** Leaf through another number of things, from one of them on. */
  among(count, at) { this.slide.max = (this.count = count) - 1; this.go(at); }

  go(wanted) {
    this.note(Math.max(0, Math.min(this.count - 1, wanted)));
    this.slide.setAttribute("aria-valuetext", this.show(this.at));
  }

  /** Say where the reader is, without showing it again. */
  note(at) {
    this.slide.value = String(this.at = at);
    this.earlier.disabled = at === 0;
    this.later.disabled = at === this.count - 1;
  }
}

let leafing = null, viewOfNow = null, logOpen = innerWidth > 760;

addEventListener("keydown", (event) => {
  if (!leafing?.element.isConnected || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || /^(TEXTAREA|INPUT|SELECT|SUMMARY)$/.test(document.activeElement?.tagName)) return;
  const steps = { ArrowLeft: leafing.at - 1, ArrowRight: leafing.at + 1, Home: 0, End: leafing.count - 1 };
  if (event.key in steps) { event.preventDefault(); leafing.go(steps[event.key]); }
});

/** A step's sentences on one line each. */
const sentencesOf = (step) => step.told.flatMap((block) => block.type === "battle" ? [block.opening, ...block.exchanges, block.end] : block.lines).filter((line) => line?.length).map((line) => h("span", { class: "sentence" }, ...line.map((span) => suited(span.text))));

/** The log, in which a click shows the board of then; the oldest stands first, and it opens at what is new. */
function log() {
  if (!sitting.steps.length) return [];
  const list = h("div", { class: "log", tabindex: "0", role: "group", "aria-label": say("log") });
  sitting.steps.forEach((step, at) => {
    if (step.title !== sitting.steps[at - 1]?.title) list.append(...step.title ? [h("h3", {}, step.title)] : [], h("ol", {}));
    list.lastChild.append(h("li", {}, h("button", { type: "button", class: step.is_new ? "line new" : "line", onclick: () => leafing.go(at) }, ...sentencesOf(step))));
  });
  const shown = () => { const first = list.querySelector(".new"); list.scrollTop = first ? first.offsetTop - list.offsetTop - 40 : list.scrollHeight; };
  return [h("details", { id: "log", open: logOpen, ontoggle: (event) => { logOpen = event.target.open; if (logOpen) shown(); } }, h("summary", {}, say("log")), list)];
}

/** The strip over the board: which step it shows. Behind the last step the board is that of now, with all arrows. */
function showSteps() {
  document.getElementById("steps")?.remove();
  const { steps } = sitting, unseen = new Set(steps.flatMap((step, at) => step.is_new ? [at] : []));
  if (!steps.length) { leafing = null; return; }
  const since = h("button", { type: "button", id: "since", onclick: () => leafing.go(Math.min(...unseen)) });
  const told = h("div", { id: "step", tabindex: "0", "aria-live": "polite" }), now = h("button", { type: "button", id: "now", onclick: () => leafing.go(steps.length) }, say("now"));
  viewOfNow = null;
  const made = new Leafing({ earlier: say("earlier"), later: say("later"), slide: say("log") }, (at) => {
    const step = steps[at];
    now.hidden = told.hidden = !step;
    unseen.delete(at);
    since.textContent = `${say("since")} ${unseen.size}`;
    since.hidden = step || !unseen.size;
    document.getElementById("steps").classList.toggle("past", Boolean(step));
    document.querySelectorAll("#log .line").forEach((line, number) => { if (number === at) { line.setAttribute("aria-current", "step"); line.scrollIntoView({ block: "nearest" }); } else line.removeAttribute("aria-current"); });
    told.replaceChildren(...(step ? [h("strong", {}, step.title), ...sentencesOf(step)] : []));
    told.scrollTop = 0;
    if (step) { viewOfNow ??= board.view(); showStep(at); } else { showNow(); if (viewOfNow) board.look(viewOfNow); viewOfNow = null; }
    return `${step?.title || say("now")} ${told.textContent}`;
  });
  board.place.append(h("div", { id: "steps", role: "group", "aria-label": say("log") }, made.element, now, since, told));
  made.among(steps.length + 1, steps.length);
}

const isPast = () => Boolean(leafing?.element.isConnected && sitting && leafing.at < sitting.steps.length);

function showStep(at) {
  const found = ask("step", at);
  board.stand(found.picture);
  board.mark(null, found.cities.map((city) => ({ city })), "strange");
  board.bring(found.cities);
}

function showNow() {
  board.stand(showsBefore ? ask("before") : state.over);
  if (chosen) board.mark(chosen.from, chosen.to, chosen.kind); else { board.mark(null, []); markPlaces(); }
}

/** Show the board of now, as it was looked at before, or where one looks. */
function backToNow(stays = false) {
  if (!isPast()) return;
  if (stays) viewOfNow = null;
  leafing.go(sitting.steps.length);
}
