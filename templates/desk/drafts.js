// The letters on the desk: two drafts of orders, plans, and what shows what was sealed.
let compared = null;

const TABS = [["orders", "draft-orders"], ["second", "draft-second"], ["plans", "draft-plans"], ["reveal", "draft-reveal"], ["proposal", "draft-proposal"], ["vote", "draft-vote"], ["agreement", "draft-agreement"]];

/** Name of a draft, as its tab has it: of the one on top, or of another. */
const draftName = (draft = state.draft) => say(TABS.find(([name]) => name === draft)[1]);

/** Buttons that choose the draft on top, and those for two drafts of orders. */
function drafts() {
  const plans = !isEnded() && (sitting.kind === "position" || (sitting.kind === "report" && sitting.seat)), has = (name) => state.drafts.includes(name);
  const shown = TABS.filter(([name]) => has(name) || (name === "plans" && plans));
  const tab = ([name, word]) => h("button", { type: "button", id: `draft-${name}`, "aria-pressed": String(state.draft === name), onclick: () => { if (state.draft !== name) change("take_up", name); } }, say(word));
  const orders = ["orders", "second"].includes(state.draft);
  const more = isEnded() ? [] : isMotion() ? [h("button", { type: "button", id: "drop", class: "plainly", onclick: () => { delete sentTexts[state.draft]; change("drop"); } }, say("discard"))] : !orders ? [] : has("second")
    ? [h("button", { type: "button", id: "compare", "aria-pressed": String(Boolean(compared)), onclick: compare }, say("compare")), h("button", { type: "button", id: "keep", onclick: () => { if (confirm(say("keep-sure"))) change("keep"); } }, say("keep"))]
    : [h("button", { type: "button", id: "draft-second", onclick: () => change("take_up", "second") }, say("second-begin"))];
  return shown.length > 1 || more.length ? [h("div", { class: "bar drafts", role: "group", "aria-label": say("drafts") }, ...(shown.length > 1 ? shown.map(tab) : []), ...more)] : [];
}

/** The other draft's outcome beside this one's, and its board. */
function compare() {
  compared = compared ? null : attempt(() => ask("other"));
  board.stand(compared ? compared.over : state.over, !compared && state.is_news);
  document.getElementById("tabs").replaceChildren(...drafts());
  tellOutcome();
}

/** Expected outcome of the letter: computed when it is to be read. */
const outcomeTold = () => state.told ??= attempt(() => ask("outcome")) ?? [];

/** Outcome of the letter, and beside it the outcome of the other draft; on a phone as soon as the sheet is up. */
function tellOutcome() {
  if (isNarrow() && !page.classList.contains("up")) return;
  const own = outcomeTold().length ? [h("h2", {}, say("outcome")), ...blocks(state.told)] : [], hidden = state.hidden ? [h("p", { class: "note" }, say(unaskedWord()))] : [];
  const other = compared ? [h("h2", {}, `${say("compared")} ${draftName(compared.draft)}`), ...(compared.told.length ? blocks(compared.told) : [h("p", { class: "note" }, say("compared-nothing"))])] : [];
  document.getElementById("outcome").replaceChildren(...(other.length ? [h("div", { class: "compared" }, ...other)] : []), ...own, ...hidden);
}

/** Seal the letter; what only its player can open again is kept as a file. */
function sealLetter() {
  if (isWrong() && !confirm(say("sign-wrong"))) return;
  const found = attempt(() => ask("seal"));
  if (!found) return;
  if (sitting.sealing === "reveal") save(found.notes, `${sitting.campaign}.${sitting.seat}.json`);
  chosen = active = null;
  safe = false;
  refresh(found.state);
}

/** Buttons that seal a letter, and that write the letter which shows the sealed parts. */
function sealing() {
  const file = h("input", { type: "file", id: "notes-file", class: "file", onchange: async (event) => {
    const [notes] = event.target.files;
    if (notes) change("notes", lettersOf(new Uint8Array(await notes.arrayBuffer())), notes.name);
  } });
  const show = sitting.locked ? [h("p", {}, say("reveal-now")), h("div", { class: "buttons" }, file, h("label", { for: "notes-file", class: "button" }, say("notes-file")))] : [];
  return h("div", { id: "sealing" }, ...show, h("div", { class: "buttons" }, h("button", { type: "button", id: "seal", onclick: sealLetter }, say("seal-now"))), h("p", { class: "note" }, say(sitting.sealing === "reveal" ? "seal-reveal" : "seal-moderator")));
}
