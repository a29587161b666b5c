// Plans by form: a field for every key that the program describes; what is typed there is written into the letter.

function planSheet(sheet) {
  const presets = Object.entries(sheet.presets).map(([name, says]) => h("div", { class: "preset" }, h("button", { type: "button", class: "preset-take", "data-preset": name, onclick: () => change("preset", name) }, name), h("span", {}, says)));
  return [h("h2", {}, say("draft-plans")), h("p", { class: "note" }, say("plans-hint")), presets.length ? h("div", { class: "presets" }, ...presets) : null,
    ...Object.entries(sheet.plans).flatMap(([power, lines]) => [h("h3", {}, sitting.power_names[power] || power), h("ol", { class: "plans" }, ...lines.map((line, number) => planLine(sheet, power, lines, line, number))), planAdding(sheet, power), planTrial(sheet, power)])].filter(Boolean);
}

/** The way from a card that a report asks for to a plan that plays the battle out: by mail each card takes a round. */
function aheadOf({ power, fight }) {
  if (!fight || sitting.kind !== "report" || (atOwnTable() && table.is_hot_seat)) return [];
  const plan = () => {
    if (!change("plan_battle", power, fight.own.city)) return;
    raise();
    const field = document.getElementById(`plan-${power}-0-tactic`);
    field.scrollIntoView({ block: "center" });
    field.focus({ preventScroll: true });
  };
  return [h("p", { class: "note ahead" }, say("battle-round"), " ", h("button", { type: "button", class: "small", id: "ahead", onclick: plan }, say("battle-ahead")))];
}

/** One plan: its keys that say something, and behind them those that could. */
function planLine(sheet, power, lines, line, number) {
  const keys = sheet.keys[line.kind] || [], place = `plan-${power}-${number}`;
  const field = (key) => planField(power, number, key, line.entries[key.key], `${place}-${key.key}`);
  const has = (key, part) => part in (line.entries[key.key] || {}), only = (key, wanted) => key.parts ? { ...key, parts: key.parts.filter((part) => has(key, part) === wanted) } : key;
  const said = keys.filter((key) => key.key in line.entries).map((key) => only(key, true)), unsaid = keys.filter((key) => !(key.key in line.entries) || only(key, false).parts?.length).map((key) => only(key, false));
  const move = (to, word, sign) => h("button", { type: "button", class: "small", "aria-label": say(word), title: say(word), disabled: to < 0 || to >= lines.length, onclick: () => change("plan_move", power, number, to) }, sign);
  return h("li", { class: "plan", "data-kind": line.kind }, h("div", { class: "row" }, h("strong", {}, line.kind), h("span", { class: "buttons" }, move(number - 1, "up", "↑"), move(number + 1, "plan-down", "↓"),
    h("button", { type: "button", class: "small", "aria-label": say("remove"), title: say("remove"), onclick: () => change("plan_move", power, number, -1) }, "×"))),
  line.says ? h("p", { class: "note" }, line.says) : null, ...said.map(field), unsaid.length ? h("details", { id: `${place}-more` }, h("summary", {}, say("plan-more")), ...unsaid.map(field)) : null);
}

/** Field for the value of one key: one of some words, parts with a number each, or a text. */
function planField(power, number, key, value, id) {
  const write = (name) => (event) => change("plan_change", power, number, name, event.target.value);
  if (key.parts) {
    const parts = key.parts.map((part) => h("label", {}, h("span", {}, part), h("input", { id: `${id}-${part}`, value: value?.[part] || "", autocomplete: "off", onchange: write(`${key.key}.${part}`) })));
    return h("fieldset", { class: "parts" }, h("legend", {}, key.key), ...parts);
  }
  const written = value === undefined ? "" : String(value), words = key.words || [];
  if (key.only) {
    const known = words.includes(written) || !written ? words : [written, ...words];
    return h("label", { class: "planned" }, h("span", {}, key.key), h("select", { id, onchange: write(key.key) }, h("option", { value: "" }, "–"), ...known.map((word) => h("option", { value: word, selected: word === written }, word))));
  }
  const list = `${id}-words`;
  return h("label", { class: "planned" }, h("span", {}, key.key), h("input", { id, value: written, autocomplete: "off", list: words.length ? list : undefined, onchange: write(key.key) }), words.length ? h("datalist", { id: list }, ...words.map((word) => h("option", { value: word }))) : null);
}

function planAdding(sheet, power) {
  const kind = h("select", { "aria-label": say("plan-kind"), id: `plan-${power}-kind` }, ...Object.keys(sheet.keys).map((each) => h("option", { value: each }, each)));
  return h("div", { class: "buttons" }, kind, h("button", { type: "button", class: "plan-add", onclick: () => change("plan_add", power, kind.value) }, say("plan-add")));
}

/** A battle on a ground that is made for it. */
function planTrial(sheet, power) {
  const battle = sheet.keys.battle || [], wordsOfKey = (name) => battle.find((key) => key.key === name)?.words || [];
  const suits = (name, word) => h("label", {}, h("span", {}, say(word)), h("select", { name }, ...[..."♣♦♥♠"].map((suit, at) => h("option", { value: at }, suit))));
  const text = (name, word, value, type = "text") => h("label", {}, h("span", {}, say(word)), h("input", { name, value, type, autocomplete: "off" }));
  const list = (name, word, options) => h("label", {}, h("span", {}, say(word)), h("select", { name }, ...options.map((each) => h("option", { value: each }, each))));
  const hand = (state.hands.hands[power] || []).map((each) => each.split("/")[0]).join(" ");
  const outcome = h("div", { class: "outcome", "aria-live": "polite" });
  const form = h("form", { class: "proving", onsubmit: (event) => {
    event.preventDefault();
    outcome.replaceChildren(...told(() => blocks(ask("plan_try", power, Object.fromEntries(new FormData(form))))));
  } }, text("score", "score", "-2", "number"), suits("suit", "suit"), text("hand", "hand", hand), suits("enemy_suit", "suit-enemy"), text("enemy_hand", "hand-enemy", ""),
  list("role", "role", wordsOfKey("role")), list("against", "against", wordsOfKey("tactic")), h("button", { class: "take" }, say("plan-fight")));
  return h("details", { id: `plan-${power}-try`, class: "trying" }, h("summary", {}, say("plan-try")), form, outcome);
}
