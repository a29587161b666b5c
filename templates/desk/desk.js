// The desk: what was opened, what is asked, the letter, and what comes of it.
const page = document.getElementById("desk");
/** Deadline that an earlier report on the same position has told, if it is another one now. */
let movedFrom = "";
let sitting = null, state = null, board = null, chosen = null, active = null, showsBefore = false, safe = true, facing = 0;

function opened(found, puzzle = null, is_battle_over = false, kept = null) {
  if (!found) return;
  posed = puzzle;
  if (found.invited) { joining(found.invited); return; }
  const stage = sitting?.stage;
  ({ sitting, state } = found);
  ({ sitting } = countedFromLast() ?? found);
  const before = keptLetters();
  // A letter for which a newer report on the same position still asks has not come in.
  sentTexts = before && before.entry === ask("kept").entry ? { ...before.mailed } : {};
  movedFrom = before?.deadline && before.deadline !== sitting.deadline ? before.deadline : before?.moved ?? "";
  keepReport();
  newer = newerOpened();
  beneath = null;
  chosen = active = null; showsBefore = false; safe = true; facing = 0; asksOnce = isDone = isWarned = false; isEnding = false; leftBehind = ""; dropped = null;
  forms.clear();
  askedBefore.clear();
  if (sitting.kind !== "practice") learning = null;
  const seen = found.board ? null : board.view();
  awaitSteps(kept ?? before, !found.board);
  // Battles come between the marches and the next orders of marches: the arrows stay until then.
  if (atTable() && sinceOrders < sitting.steps.findIndex((step) => step.is_new)) state.over = ask("arrows_from", sinceOrders).over;
  clearTimeout(running);
  running = 0;
  counsel = null;
  answered = "";
  // A lesson tells the end of its battle itself, beside the choice of the way to retreat.
  // In a report a turn of the war stands before all others; battles are told where they come. The last battle of a game stands before its end.
  ended = isEnded() || sitting.over && sitting.kind === "report" || learning && (sitting.over || due().some(isRetreat)) ? [] : resultsIn(sitting).filter((step) => !found.board || is_battle_over || step.turns && unseen.has(sitting.steps.indexOf(step)));
  for (const step of ended) unseen.delete(sitting.steps.indexOf(step));
  hideDisplay();
  const { camps, ...told } = ask("outlook");
  ({ display } = told);
  allies = camps.flatMap((camp) => camp.allies.map((each) => each.power));
  layOut(!found.board);
  aimButton();
  if (found.board) board.lay(found.board);
  refresh(state);
  showSteps();
  const laid = sitting;
  if (found.board) setTimeout(() => { if (sitting === laid) ask("warm"); }, 200);
  inSight = "";
  if (found.board) board.cover(theatre()); else board.look(seen);
  if (!found.board && sitting.stage !== stage) board.turnTo(theatre());
  if (ended.length) leafing.go(sitting.steps.indexOf(ended.at(-1)));
}

/** Cities to be shown: those of the powers that are asked or else have orders, of all pieces near theirs, and, except on a phone, of the enemy general nearest to each of their generals. */
function theatre() {
  const powers = [due().map((each) => each.power), Object.keys(state.orders)].find((each) => each.length) ?? sitting.powers, at = (piece) => board.spots.get(piece.city);
  const there = state.pieces.filter(at), own = there.filter((piece) => powers.includes(piece.power)), near = board.box.split(" ")[2] / 9;
  const far = (one, other) => Math.hypot(at(one).x - at(other).x, at(one).y - at(other).y);
  const hostile = ask("outlook").camps.filter((camp) => camp.own.some((each) => powers.includes(each.power))).flatMap((camp) => camp.enemies.map((each) => each.power));
  const generals = there.filter((piece) => piece.kind === "general"), foes = generals.filter((piece) => hostile.includes(piece.power));
  // A phone shows less of the map, and that near enough to read.
  const facing = isNarrow() ? [] : generals.filter((piece) => own.includes(piece)).flatMap((piece) => [...foes].sort((one, other) => far(piece, one) - far(piece, other)).slice(0, 1));
  return [...there.filter((piece) => own.some((each) => far(each, piece) < near)), ...facing].map((piece) => piece.city);
}

/** The frame of the page: the bar, the board, and beside it everything else. */
function layOut(keep) {
  page.className = sitting.branch ? "laid branch" : "laid";
  if (!keep) tray = { open: false, wanted: false };
  const place = keep ? board.place : h("section", { class: "place", "aria-label": say("board") });
  const button = (id, word, deed) => h("button", { type: "button", id, onclick: deed }, say(word));
  const text = h("textarea", { id: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", rows: 14, readonly: isEnded(), "aria-label": say("letter"), oninput: typed });
  const above = [...sitting.branch ? [branchStrip()] : [], bar()], below =
    h("div", { class: "side", id: "side", tabindex: "-1" }, handle(),
      h("header", {}, h("div", { class: "row" }, h("p", { class: "name" }, sitting.campaign ? `pbem · ${sitting.campaign}` : "pbem"), languages(speak)),
        h("p", { class: "who" }, ...whose()), sitting.moderator && !atOwnTable() ? signedBy(sitting.moderator, sitting.met) : null),
      posed ? question() : null,
      h("div", { id: "goals" }),
      h("section", { id: "asked" }),
      h("section", { id: "outcome" }),
      h("section", { id: "imagined", "aria-label": say("imagine") }),
      h("section", { id: "whatif", "aria-label": say("whatif") }),
      mayCount() ? notebookPlace() : null,
      h("div", { class: "buttons" }, h("button", { type: "button", id: "before", "aria-pressed": "false", onclick: flip }, say("before")), ...displayButton("tracks-show")),
      h("div", { id: "tabs" }),
      motionPlace(),
      h("section", { id: "news" }, sitting.over ? h("h2", {}, say("over")) : null, ...log()),
      h("details", { id: "letter", open: true, hidden: atTable() }, h("summary", {}, say("letter")), atOwnTable() && !isEnded() ? giving() : null, h("p", { class: "note" }, say(isEnded() ? "end-written" : "letter-hint")), h("ul", { class: "faults", id: "faults", hidden: isEnded() }), text,
        !atOwnTable() && !isEnded() && sitting.kind === "report" && sitting.seat ? signing() : null,
        h("div", { class: "buttons", id: "sending" }, button("copy", "copy", copyLetter), button("download", "download", downloadLetter), sitting.campaign ? button("mail", "mail", mailLetter) : null, sitting.campaign && navigator.share ? button("share", "share", shareLetter) : null, sitting.campaign ? sentMark() : null,
        sitting.campaign ? h("p", { class: "note", id: "mail-to", "aria-live": "polite" }) : null)),
      sitting.kind === "report" ? reportPlace() : null,
      footer());
  // A board that lies there already stays in the page: else all of its drawing would be laid out anew.
  if (place.parentNode === page) for (const each of [...page.children]) { if (each !== place) each.remove(); } else page.replaceChildren(place);
  place.before(...above);
  place.after(below);
  holdColumn();
  if (key && document.getElementById("key")) showKey(key);
  // Beside the board the legend lies over no city; a phone has room for it on the board alone, folded.
  if (keep) { if (!isNarrow()) document.getElementById("side").append(board.legend); return; }
  board = new Board(place, (city) => { if (ended.length) hoverCity(city); else clickCity(city); }, hoverCity);
  if (!isNarrow()) document.getElementById("side").append(board.legend);
}

/** Keep what is read in the column under the pointer where it is, while the bar above it grows or shrinks. */
function holdColumn() {
  const made = document.getElementById("bar"), side = document.getElementById("side");
  let height = made.offsetHeight;
  new ResizeObserver(() => {
    keepHeight(made);
    endSight();
    if (!isNarrow() && side.scrollTop) side.scrollTop += made.offsetHeight - height;
    height = made.offsetHeight;
  }).observe(made);
  // The wheel moves the column below the bar if nothing in the bar can be scrolled.
  made.addEventListener("wheel", ({ target, deltaY }) => {
    const long = [target, target.closest("#counsel > div"), target.closest(".telling")].some((each) => each && each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY === "auto");
    if (!isNarrow() && !long) side.scrollTop += deltaY;
  }, { passive: true });
}

/** Question during which the bar keeps its height, with the width of the window then. */
let askedAtHeight = "";

/** Keep the height of the bar on a phone while one question is asked, so that nothing moves under a finger. */
function keepHeight(made) {
  const now = isNarrow() && document.getElementById("steps")?.hidden ? [innerWidth, sitting.stage, facing, asksOnce, ended.length].join() : "";
  if (now !== askedAtHeight) made.style.minHeight = "";
  askedAtHeight = now;
  if (now) made.style.minHeight = `${made.offsetHeight}px`;
}

/** Phase of a campaign that has ended, by the report that lies here or the table that is kept here: no letter is wanted then. Else nothing. */
const endPhase = () => sitting?.kind === "report" && [sitting.phase, atOwnTable() ? table.phase : ""].find((phase) => ["over", "closed"].includes(phase)) || "";
const isEnded = () => Boolean(endPhase());
/** True if anything was written on the report that lies here. */
const hasWritten = () => state.undo || state.drafts.length > 1;

/** True for a game against bots, in which nobody writes letters. */
const atTable = () => sitting?.kind === "practice";

function whose() {
  if (sitting.kind === "practice") return [h("strong", {}, sitting.name), ` · ${say(sitting.branch ? "whatif" : "practice")}`];
  if (!sitting.seat) return [sitting.kind === "position" ? say("position") : ""];
  const names = h("strong", {}, sitting.name);
  if (newer) return [names, " · ", olderReport(ask("kept"))];
  const told = isEnded() ? [names] : [names, " · ", say(sitting.mine ? "mine" : "not-mine")];
  if (!sitting.mine && sitting.owing.length) told.push(" ", say("waits"), " ", sitting.owing.join(", "), ".");
  if (sitting.deadline && !(atOwnTable() && table.is_hot_seat)) told.push(h("br"), say("deadline"), " ", h("time", { datetime: sitting.deadline }, new Date(sitting.deadline).toLocaleString(language, { dateStyle: "full", timeStyle: "short" })));
  const was = new Date(movedFrom);
  const moved = [sitting.moved, was > 0 ? fill("deadline-before", { before: was.toLocaleString(language, { dateStyle: "full", timeStyle: "short" }) }) : ""].filter(Boolean);
  if (sitting.deadline && moved.length) told.push(" ", h("span", { id: "moved" }, moved.join(" ")));
  if (sitting.deadline && sitting.mine && sitting.address && !atOwnTable()) {
    const link = mailLink(sitting.address, `[${sitting.campaign}] ${sitting.seat}`, fill("ask-time-text", { stage: sitting.stage }));
    link.id = "ask-time";
    link.append(say("ask-time"));
    link.addEventListener("click", () => notify(h("p", {}, fill("ask-time-begun", { address: sitting.address }))));
    told.push(" ", link);
  }
  if (sitting.bank) told.push(h("br"), h("span", { id: "bank" }, `${say("bank")} ${sitting.bank}`));
  return told;
}

/** Ask for a change of the letter, and show what it has become; tells whether it was taken. */
function change(name, ...given) {
  const found = attempt(() => ask(name, ...given));
  if (found) show(found);
  return Boolean(found);
}

/** Show what a change has made of the letter. */
function show(found) {
  chosen = active = counsel = null;
  asksOnce = isDone = isEnding = false;
  dropped = null;
  answered = "";
  ended = [];
  safe = false;
  refresh(found);
  renewDisplay();
}

let waiting = 0;
function typed(event) {
  clearTimeout(waiting);
  const text = event.target.value;
  waiting = setTimeout(() => change("write", text), 250);
}

function flip() {
  showsBefore = !showsBefore;
  const button = document.getElementById("before");
  button.setAttribute("aria-pressed", showsBefore);
  button.textContent = say(showsBefore ? "after" : "before");
  if (isPast()) showStep(leafing.at); else if (showsBefore) board.stand(ask("before")); else board.stand(state.over, state.is_news);
  tellMoment();
}

function refresh(found) {
  state = found;
  // Beside plans a form that was begun waits; else the board shows no numbers of a form whose question has been answered.
  if (!state.plans) dropAnswered();
  tellPlaces();
  tellStage(ended.at(-1));
  compared = null;
  if (showsBefore) flip(); else board.stand(state.over, state.is_news);
  backToNow();
  tellMoment();
  board.mark(null, []);
  const text = document.getElementById("text");
  if (text.value !== state.text) text.value = state.text;
  const signed = document.getElementById("signed");
  if (signed) signed.textContent = state.signed ? `${say("signed")} ${state.signed}` : "";
  document.getElementById("letter").hidden = atTable() || isEnded() && !hasWritten();
  document.getElementById("sending").hidden = !isEnded() && (atOwnTable() || !hasLetter());
  tellUnsigned();
  tellKind();
  const faults = document.getElementById("faults");
  faults.replaceChildren(...(state.faults.length ? state.faults.map(faultLine) : [h("li", { class: "well" }, say("no-faults"))]));
  if (state.missing.length) faults.append(h("li", { class: "warning" }, `${say("missing")} ${state.missing.map((power) => sitting.power_names[power] || power).join(", ")}`));
  tellOutcome();
  renewImagined();
  tellWhatIf();
  document.getElementById("tabs").replaceChildren(...drafts());
  if (document.getElementById("seal")) document.getElementById("seal").disabled = state.sealed || state.draft === "reveal" || isMotion();
  inPlace(document.getElementById("asked"), state.plans ? planSheet(state.plans) : questions());
  tellBar();
  tellChosen();
  coach();
  keep();
}

/** Put other elements into a place: what was open stays so, and who was in a field stays in it. */
function inPlace(place, elements) {
  const open = [...place.querySelectorAll("details[open][id]")].map((each) => each.id), at = place.contains(document.activeElement) ? document.activeElement : null;
  place.replaceChildren(...elements);
  for (const id of open) { const found = document.getElementById(id); if (found) found.open = true; }
  if (at) (at.isConnected ? at : at.id && document.getElementById(at.id))?.focus?.();
}

/** Troops that the forms on the desk deal out: for each piece its city, and its number. */
const troopsGiven = () => isPast() ? [] : [...forms.values()].flatMap((form) => form.made.given?.() ?? []);

/** Forms that are begun, by what they ask: another's answer does not empty them. */
const forms = new Map();

/** Drop the forms of questions that are asked no more. */
function dropAnswered() {
  const asked = new Set((isEnded() ? [] : state.asked).map((each) => JSON.stringify(each)));
  for (const kept of forms.keys()) if (!asked.has(kept)) forms.delete(kept);
}

function formFor(asked) {
  const kept = JSON.stringify(asked);
  if (!forms.has(kept)) {
    const write = (tree) => answer(asked, tree), focused = (form) => { active = form; chosen = null; markPlaces(); };
    forms.set(kept, formOf(asked, write, focused));
  }
  return forms.get(kept);
}

/** Questions with their forms. The question in the bar is left out if one click answers it: its form then stands in the bar. */
function questions() {
  // Beside the end of a battle nothing else is asked yet.
  const asked = isEnded() || ended.length ? [] : state.asked, made = asked.map(formFor), faced = ended.length ? null : due()[facing];
  const shown = (each, at) => {
    const article = h("article", { class: "asked", "data-section": each.form.section, "data-power": each.power }, h("p", {}, suited(inShort(each.question)), each.form.rule ? h("small", {}, " ", section(each.form.rule)) : null), inShort(each.question) === each.question ? "" : h("details", { id: `whole-${each.power}-${each.form.section}` }, h("summary", {}, say("whole-question")), h("p", {}, suited(each.question))));
    if (isMarch(each)) article.append(h("details", { id: `more-${each.power}` }, h("summary", {}, called(each.form.section)), made[at].element)); else article.append(made[at].element);
    return article;
  };
  const some = (free) => asked.map((each, at) => each.free !== free || each === faced && made[at].short ? null : shown(each, at)).filter(Boolean);
  if (!chosen && faced && !isMarch(faced)) active = formFor(faced).made;
  setTimeout(markPlaces);
  const must = some(false), may = some(true);
  return [must.length ? h("h2", {}, say("questions")) : null, ...must, may.length ? h("details", { class: "anytime", id: "anytime" }, h("summary", {}, say("anytime")), ...may) : null].filter(Boolean);
}

addEventListener("beforeunload", (event) => { if (!safe && !keeps || tableLies === "nowhere") event.preventDefault(); });
addEventListener("keydown", (event) => {
  const { tagName, type } = document.activeElement ?? {};
  if (!sitting || tagName === "TEXTAREA" || (tagName === "INPUT" && !["checkbox", "radio"].includes(type))) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") { event.preventDefault(); goThrough(event.shiftKey ? "redo" : "undo"); }
  if (event.key === "Escape" && !closeRules() && !lower()) { if (isPast()) backToNow(); else if (counsel && !chosen) closeCounsel(); else clickCity(null); }
});
