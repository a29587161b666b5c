// Games against bots, puzzles, and first lessons.
let posed = null, learning = null;
/** The two games, each begun by one click: a bot deals the troops, or the player does. */
function gamePlaces() {
  const on = (deed) => (event) => laying(event.target, deed);
  return h("section", { class: "games", "aria-label": say("games") }, ...Object.entries(ask("starts")).map(([game, { name, scenario, title, seat, seats }]) => h("article", { class: "game" },
    document.getElementById("boards").content.querySelector(`[data-game="${game}"]`)?.cloneNode(true),
    h("h2", {}, name), h("p", {}, WORDS[language][`game-${game}`] ?? ""),
    ...playButtons(game, { seat, seats, scenario }), h("p", { class: "note scenario" }, title),
    h("button", { type: "button", class: "plainly", "data-game": game, onclick: on(() => begun("practise", game, scenario, seat, "sensible")) }, say("deal-yourself")),
    h("button", { type: "button", class: "plainly others", onclick: () => showOthers(game) }, say("practice-other")))));
}

/** Bring the form of all scenarios into sight, with another scenario of the game than the one that is played at once. */
function showOthers(game) {
  const form = page.querySelector(".practice"), scenario = form.querySelector("#scenario"), own = [...scenario.options].filter((each) => each.value.startsWith(`${game}/`));
  form.open = true;
  scenario.value = (own.find((each) => each.value !== `${game}/${ask("starts")[game].scenario}`) ?? own[0]).value;
  scenario.dispatchEvent(new Event("change"));
  form.scrollIntoView({ block: "start" });
  scenario.focus({ preventScroll: true });
}

/** Lay a new game, and tell what it is about. */
function begun(...given) {
  learning = null;
  opened(ask(...given));
  showAim();
}

/** The button that begins a game, who is led then and why, and the other seats. */
function playButtons(game, { seat, seats, scenario }) {
  const button = (given, named, word) => h("button", { type: "button", class: named, "data-game": game, "data-seat": given, onclick: (event) => laying(event.target, () => begun("play_now", game, given, scenario)) }, word);
  return [button(seat, "take play-now", say("play-now")), h("p", { class: "note lead" }, fill("play-as", { seat: seats[seat] }), " ", ...Object.entries(seats).filter(([each]) => each !== seat).map(([each, label]) => button(each, "plainly", label)))];
}

/** Form that begins another game against bots: any scenario, seat and bots. */
function practice() {
  const games = ask("scenarios"), list = (id, word, changed) => h("select", { id, "aria-label": say(word), onchange: changed });
  const seats = list("seat", "seat");
  const scenario = list("scenario", "scenario", () => fill());
  const bot = h("select", { id: "bot", "aria-label": say("bot") }, ...["sensible", "random"].map((each) => h("option", { value: each }, say(`bot-${each}`))));
  const whole = h("p", { class: "note", id: "scenario-whole", "aria-live": "polite" });
  const fill = () => { whole.textContent = scenario.selectedOptions[0].text; fillSeats(); }, fillSeats = () => seats.replaceChildren(...Object.entries(ask("seats", ...scenario.value.split("/"))).map(([seat, name]) => h("option", { value: seat }, name)));
  scenario.append(...Object.entries(games).map(([game, titles]) => h("optgroup", { label: game.toUpperCase() }, ...Object.entries(titles).map(([name, title]) => h("option", { value: `${game}/${name}` }, title)))));
  const begin = (event) => {
    event.preventDefault();
    laying(event.submitter, () => begun("practise", ...scenario.value.split("/"), seats.value, bot.value));
  };
  return h("details", { class: "practice", ontoggle: () => { if (!seats.childElementCount) fill(); } }, h("summary", {}, say("practice-other")), h("p", {}, say("practice-hint")),
    h("form", { class: "row", onsubmit: begin }, scenario, whole, seats, bot, h("button", { class: "take", id: "practise" }, say("begin"))));
}

/** The first lessons of each game. */
function lessons() {
  return h("section", { class: "lessons" }, h("h2", {}, say("learn")), h("p", {}, say("learn-hint")), ...Object.entries(ask("lessons")).map(([game, names]) => h("div", {}, h("h3", {}, game.toUpperCase()), h("div", { class: "buttons" }, ...names.map((name) => lessonButton(game, name, "learn"))))));
}

const lessonButton = (game, name, kind, word = `lesson-${name}`) => h("button", { type: "button", class: kind, "data-game": game, "data-lesson": name, onclick: (event) => laying(event.target, () => learn(game, name)) }, say(word));

/** List of the puzzles. */
function puzzles() {
  const list = h("div");
  const fill = () => { if (!list.childElementCount) list.append(...Object.entries(ask("puzzles")).map(([game, found]) => h("div", {}, h("h3", {}, game.toUpperCase()), h("ul", { class: "plain" }, ...Object.entries(found).map(([name, puzzle]) => h("li", {}, h("button", { type: "button", "data-puzzle": name, onclick: () => attempt(() => opened(ask("pose", name), { game, name })) }, puzzle.title))))))); };
  return h("details", { class: "puzzles", ontoggle: fill }, h("summary", {}, say("puzzles")), h("p", {}, say("puzzles-hint")), list);
}

/** The button over the board that has how far everybody is, and tells the goal again. */
function aimButton() {
  document.getElementById("aim-show")?.remove();
  if (learning || (sitting.kind !== "practice" && !sitting.seat)) return;
  board.place.append(h("button", { type: "button", id: "aim-show", "aria-expanded": "false", onclick: tellAimAgain }));
  tellCount();
}

/** Tell on the button how far everybody is, with the orders. That is left out while the board shows what happened before, or itself before the orders. */
function tellCount() {
  const card = document.getElementById("aim");
  if (card && card.dataset.counts !== String(state.counts)) card.replaceWith(aimCard());
  const button = document.getElementById("aim-show"), count = isPast() || showsBefore ? "" : state.counts.join(" · ");
  button?.replaceChildren(h("span", {}, h("span", { class: isNarrow() && count ? "spoken" : "" }, say("goal"), count ? " · " : ""), count));
}

/** Tell if others have marched in a game against bots, and the reader has not yet. */
const haveOthersBegun = () => atTable() && !learning && !sitting.branch && sitting.steps.some((step) => step.marched.length) && !sitting.steps.some(isOwnMarch);

/** Name of the reader; at the first marches also that others have marched before, and the way to what they did. */
const whoOneIs = () => [h("p", { class: "leader" }, ...sitting.name ? [h("strong", {}, fill("goal-you", { name: sitting.name }))] : [], ...haveOthersBegun() && due().some(isMarch) ? [" ", say("goal-others-first"), " ", h("button", { type: "button", class: "small", id: "aim-steps", onclick: () => { hideAim(); lookAtSteps(); } }, `▶ ${say("log")}`)] : [])];

/** Question of the bar, over which the goal of a phone lies. */
function task() {
  const told = document.getElementById("prompt").cloneNode(true);
  told.querySelectorAll("small, button").forEach((each) => each.remove());
  return told.textContent ? [h("strong", { class: "task" }, ...told.childNodes)] : [];
}

/** The goal, and who is with and against the reader: in the column, where it hides no piece; on a phone over the board until that is touched. */
function showAim() {
  closeCounsel();
  hideAim();
  hideDisplay();
  const made = aimCard();
  if (isNarrow()) { board.place.append(made); board.map.addEventListener("pointerdown", hideAim, { once: true }); } else page.querySelector(".side header").after(made);
  document.getElementById("aim-show").setAttribute("aria-expanded", "true");
  return made;
}

/** The goal and the sides of the war, with the orders. */
function aimCard() {
  const { aim, camps, standing } = ask("outlook_now"), mine = camps.flatMap((camp) => camp.own.map((each) => each.power));
  const member = (each, is_own) => {
    const sign = h("b", { class: "sign", "aria-hidden": "true" }, each.sign);
    sign.style.borderColor = each.ink;
    return h("li", {}, sign, each.name, h("span", { class: "note" }, is_own ? "" : each.player ? ` ${each.player}` : ` – ${say("goal-also-own")}`, each.progress ? `: ${each.progress}` : "", each.counts_for ? ` – ${fill("counts-for", { power: each.counts_for })}` : ""));
  };
  const row = (word, members, is_own = false) => members.length ? [h("dt", {}, say(word)), h("dd", {}, h("ul", {}, ...members.map((each) => member(each, is_own))))] : [];
  const show = () => {
    const cities = state.pieces.filter((piece) => mine.includes(piece.power)).map((piece) => piece.city);
    hideAim();
    board.mark(null, cities.map((city) => ({ city })));
    board.show(cities);
  };
  return h("section", { id: "aim", "aria-label": say("goal"), "data-counts": String(state.counts) }, h("button", { type: "button", class: "small close", "aria-label": say("goal-close"), onclick: hideAim }, "×"), ...isNarrow() ? task() : [], ...whoOneIs(), h("h2", {}, say("goal")), aim ? h("p", {}, aim) : null,
    ...camps.map((camp) => h("dl", {}, ...row("goal-own", camp.own, true), ...row("goal-allies", camp.allies), ...row("goal-enemies", camp.enemies))), standing.length ? h("ul", { class: "plain standing" }, ...standing.map((line) => h("li", {}, suited(line)))) : null,
    h("div", { class: "buttons" }, h("button", { type: "button", id: "aim-pieces", onclick: show }, say("goal-pieces"))));
}

/** Show the goal from its beginning, however far the column is scrolled, or put it away. */
function tellAimAgain() {
  if (hideAim()) return;
  const made = showAim();
  made.scrollIntoView({ block: "start" });
  made.querySelector("button").focus({ preventScroll: true });
}

/** Put the goal away; tells whether it was there. */
function hideAim() {
  const made = document.getElementById("aim");
  made?.remove();
  document.getElementById("aim-show")?.setAttribute("aria-expanded", "false");
  return Boolean(made);
}

addEventListener("keydown", (event) => { if (event.key === "Escape" && hideAim()) event.stopImmediatePropagation(); });

/** The question of the puzzle that lies on the desk, and its answers. */
function question() {
  const puzzle = ask("puzzles")[posed.game][posed.name], told = h("p", { class: "note", "aria-live": "polite" });
  const button = (part, word, says) => h("button", { type: "button", "data-answer": part, onclick: () => { change("answer", posed.name, part); told.textContent = says; } }, say(word));
  return h("section", { id: "puzzle" }, h("h2", {}, puzzle.title), h("p", {}, puzzle.asks), h("div", { class: "buttons" }, button("tempting", "tempting", puzzle.tempts), button("solution", "solution", puzzle.solves)), told);
}

/** Begin a lesson: the board shows the pieces and cities that it names. */
function learn(game, name) {
  const { laid, ...lesson } = ask("learn", game, name), { names } = lesson;
  learning = { game, name, ...lesson };
  opened(laid);
  board.show(Object.values(names).map((each) => state.pieces.find((piece) => piece.name === each)?.city ?? each));
}

/** Words of the lesson, with the names that they leave open, and the sign of each general where he is named first. */
const taught = (key) => Object.values(learning.names).reduce((text, name) => signOf(name) ? text.replace(called(name), `$& (${signOf(name)})`) : text, fill(key, Object.fromEntries(Object.entries(learning.names).map(([gap, name]) => [gap, called(name)]))));

/** Wait until the page shows what was written on it. A page out of sight shows nothing, and waits a moment only. */
const painted = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 200); });

/** Moment since which the page shows what took the last moment, and the number of things that take one now. */
let laidAt = 0, busyWith = 0;

// A click of before was meant for what stood there then.
addEventListener("click", (event) => { if (event.timeStamp < laidAt) { event.stopImmediatePropagation(); event.preventDefault(); } }, true);

/** Do something that takes a moment, and say so on the button that began it. */
async function laying(button, deed, says = "loading") {
  const word = button.textContent, is_held = document.activeElement === button;
  button.textContent = say(says);
  button.disabled = true;
  busyWith += 1;
  document.body.ariaBusy = "true";
  await painted();
  // After an error, too, the page takes clicks again.
  try { attempt(deed); } finally {
    busyWith -= 1;
    if (!busyWith) document.body.ariaBusy = null;
    laidAt = performance.now();
    button.disabled = false;
  }
  // The deed may have given the button another word, or somebody else the keyboard.
  if (button.textContent === say(says)) button.textContent = word;
  if (is_held && document.activeElement === document.body) button.focus({ preventScroll: true });
}

/** Number of a step as the page shows it. To play on is not counted as a step, because the first card may win the battle. */
const numberOf = (steps, at) => steps.slice(0, at + 1).filter((step) => step !== "play").length + (steps[at] === "play" ? 1 : 0);

/** Next step of the lesson; at its end the way on. */
function coach() {
  const place = document.getElementById("coach");
  if (!place) return;
  const { game, name, steps, rules, names, start } = learning, done = ask("learnt");
  if (steps[0] === "choose" && chosen?.pieces.includes(names.general)) done[0] = true;
  const next = done.indexOf(false), part = next < 0 ? "end" : done.includes(true, next) ? "missed" : String(next + 1), told = [language, name, part].join();
  if (place.dataset.told === told) return; // what stands there is not read out again
  place.dataset.told = told;
  const ahead = ask("lessons")[game], after = ahead[ahead.indexOf(name) + 1], again = lessonButton(game, name, "small", "lesson-again");
  // After the battle one can play; what follows is for the full game.
  const plays = ahead.indexOf(name) < ahead.indexOf("battle") ? [] : [...playButtons(game, start), h("p", { class: "note scenario" }, start.title)];
  const onward = [...plays, ...after ? [lessonButton(game, after, plays.length ? "small" : "take")] : []];
  place.replaceChildren(h("h2", {}, say(`lesson-${name}`), Number(part) ? ` · ${numberOf(steps, next)} / ${numberOf(steps, steps.length - 1)}` : ""), h("p", {}, taught(`lesson-${name}-${part}`), ...rules.flatMap((rule) => [" ", section(rule)]), ...displayButton("tracks-taught")),
    part === "end" ? h("div", { class: "buttons" }, ...onward, again) : part === "1" ? "" : again);
}

/** Let the others move: they take their time, but for the next card of a battle, unless strong bots of a branch play it. */
function goOn(in_battle = false) {
  if (in_battle && !sitting.branch) carryOut(); else laying(document.getElementById("done"), carryOut, "thinking");
}

function carryOut() {
  const asked = due().some(isMarch), found = attempt(() => ask("go_on"));
  if (!found) return;
  opened(found);
  // A game in which others march first is introduced again before its reader's first marches.
  if (!asked && !ended.length && haveOthersBegun() && due().some(isMarch)) showAim();
  // A card that alone could be played is told beside the next ones: nobody needs to press anything for it.
  if (!ended.length && isNothingAsked() && state.given.at(-1)?.plays_on) { carryOut(); return; }
  document.querySelector(".side").scrollTop = 0;
  laidAt = performance.now();
}
