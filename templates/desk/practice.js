// Games against bots, puzzles, and a first turn in which one is shown how things are done.
let posed = null, learning = null;
/** The two games, each begun by one click: a bot deals the troops, or the player does. */
function gamePlaces() {
  const begin = (...given) => (event) => laying(event.target, () => { learning = null; opened(ask(...given)); });
  return h("section", { class: "games", "aria-label": say("games") }, ...Object.entries(ask("starts")).map(([game, { name, scenario, seat, label }]) => h("article", { class: "game" },
    document.getElementById("boards").content.querySelector(`[data-game="${game}"]`)?.cloneNode(true),
    h("h2", {}, name), h("p", {}, WORDS[language][`game-${game}`] ?? ""),
    h("button", { type: "button", class: "take play-now", "data-game": game, onclick: begin("play_now", game) }, say("play-now")),
    h("p", { class: "note" }, `${say("play-as")} ${label}`),
    h("button", { type: "button", class: "plainly", "data-game": game, onclick: begin("practise", game, scenario, seat, "sensible") }, say("deal-yourself")))));
}

/** Where another game against bots is begun: any scenario, seat and bots. */
function practice() {
  const games = ask("scenarios"), list = (id, word, changed) => h("select", { id, "aria-label": say(word), onchange: changed });
  const seats = list("seat", "seat");
  const scenario = list("scenario", "scenario", () => fill());
  const bot = h("select", { id: "bot", "aria-label": say("bot") }, ...["sensible", "random"].map((each) => h("option", { value: each }, say(`bot-${each}`))));
  const fill = () => seats.replaceChildren(...Object.entries(ask("seats", ...scenario.value.split("/"))).map(([seat, name]) => h("option", { value: seat }, name)));
  scenario.append(...Object.entries(games).map(([game, titles]) => h("optgroup", { label: game.toUpperCase() }, ...Object.entries(titles).map(([name, title]) => h("option", { value: `${game}/${name}` }, title)))));
  const begin = (event) => {
    event.preventDefault();
    laying(event.submitter, () => { learning = null; opened(ask("practise", ...scenario.value.split("/"), seats.value, bot.value)); });
  };
  return h("details", { class: "practice", ontoggle: () => { if (!seats.childElementCount) fill(); } }, h("summary", {}, say("practice-other")), h("p", {}, say("practice-hint")),
    h("form", { class: "row", onsubmit: begin }, scenario, seats, bot, h("button", { class: "take", id: "practise" }, say("begin"))));
}

/** Where a first turn is learnt. */
function lessons() {
  return h("section", { class: "lessons" }, h("h2", {}, say("learn")), h("p", {}, say("learn-hint")), h("div", { class: "buttons" }, ...Object.keys(ask("scenarios")).map((game) => h("button", { type: "button", class: "learn", "data-game": game, onclick: (event) => learn(game, event.target) }, game.toUpperCase()))));
}

/** Where a puzzle is chosen. */
function puzzles() {
  const list = h("div");
  const fill = () => { if (!list.childElementCount) list.append(...Object.entries(ask("puzzles")).map(([game, found]) => h("div", {}, h("h3", {}, game.toUpperCase()), h("ul", { class: "plain" }, ...Object.entries(found).map(([name, puzzle]) => h("li", {}, h("button", { type: "button", "data-puzzle": name, onclick: () => attempt(() => opened(ask("pose", name), { game, name })) }, puzzle.title))))))); };
  return h("details", { class: "puzzles", ontoggle: fill }, h("summary", {}, say("puzzles")), h("p", {}, say("puzzles-hint")), list);
}

/** The question of the puzzle that lies on the desk, and its answers. */
function question() {
  const puzzle = ask("puzzles")[posed.game][posed.name], told = h("p", { class: "note", "aria-live": "polite" });
  const button = (part, word, says) => h("button", { type: "button", "data-answer": part, onclick: () => { change("answer", posed.name, part); told.textContent = says; } }, say(word));
  return h("section", { id: "puzzle" }, h("h2", {}, puzzle.title), h("p", {}, puzzle.asks), h("div", { class: "buttons" }, button("tempting", "tempting", puzzle.tempts), button("solution", "solution", puzzle.solves)), told);
}

/** A first turn: what to do next, and when it is done. */
const LESSONS = [
  ["learn-answer", () => state.asked.some(isMarch)],
  ["learn-rule", () => learning.has("rule")],
  ["learn-choose", () => chosen && !chosen.strange],
  ["learn-closed", () => learning.has("why")],
  ["learn-march", () => marched()],
  ["learn-on", () => learning.has("on")],
];

const marched = () => state.asked.some((asked) => isMarch(asked) && (state.orders[asked.power]?.[asked.form.section] || []).length);

const learn = (game, button) => laying(button, () => { learning = new Set(); opened(ask("learn", game)); });

/** Do something that takes a moment, and say so on the button that began it. */
async function laying(button, deed) {
  const word = button.textContent;
  button.textContent = say("loading");
  button.disabled = true;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  attempt(deed);
  button.textContent = word;
  button.disabled = false;
}

/** Somebody who learns has done something. */
function learnt(what) {
  if (!learning) return;
  learning.add(what);
  coach();
}

/** What is to be done next; lessons that were done once stay so. */
function coach() {
  const place = document.getElementById("coach");
  if (!place || !learning) return;
  const next = LESSONS.findIndex(([name, is_done]) => !learning.has(name) && !is_done());
  for (const [name] of LESSONS.slice(0, next < 0 ? LESSONS.length : next)) learning.add(name);
  place.replaceChildren(h("h2", {}, say("learn")), h("ol", {}, ...LESSONS.map(([name], at) => h("li", { class: at === next ? "now" : next < 0 || at < next ? "done" : "later", "aria-current": at === next ? "step" : undefined }, say(name)))), ...(next < 0 ? [h("p", {}, say("learn-done"))] : []));
}

function goOn() {
  const found = attempt(() => ask("go_on"));
  if (found) {
    if (learning?.has("learn-march")) learning.add("on"); opened(found); document.querySelector(".side").scrollTop = 0; }
}
