// Chances of the orders, which are played out many times in the worker: no letter, and nothing that could be sent.
const WORLDS = 100, MOST_WORLDS = 1600;
/** Worlds that are being played out, or were, for the drafts as they stand. */
let imagined = null;

const mayImagine = () => !sitting.over && !isEnded() && !learning && (atTable() || Boolean(sitting.seat)) && !state.sealed && state.draft !== "reveal" && !isWrong();

/** Drop the imagined worlds if the drafts have changed since they were played out. */
function renewImagined() {
  if (imagined && (imagined.text !== state.text || imagined.sitting !== sitting)) forgetImagined();
  tellImagined();
}

/** Put away what was played out, and end what is being played out. */
function forgetImagined() {
  imagined?.stop();
  imagined = null;
}

/** Points up to which each world can be played. */
const FAR = ["stage", "round", "turn"];
let farChosen = null;
/** Point up to which worlds are played. Until the reader chooses one, it is the next own march, for enemies may answer an order; in a battle it is the end of the stage. */
const farMeant = () => farChosen ?? (due().some((asked) => asked.fight || isRetreat(asked)) ? "stage" : "round");

/** Play the drafts out; the first figures come early, and more follow. Reports are counted before, for what they tell for sure. */
async function imagine(worlds, answer = []) {
  forgetImagined();
  const mine = imagined = { text: state.text, sitting, answer, stop: () => {}, far: { played: 0, of: worlds }, to: farMeant(), told: null, ended: "" };
  tellImagined();
  if (mayCount()) await countReports().done;
  if (imagined !== mine || mine.ended) return;
  const question = attempt(() => ask("question", ...answer));
  if (!question) { forgetImagined(); tellImagined(); return; }
  const act = longAct("chances", [question, worlds, mine.to], (far) => { if (imagined === mine) tellFar(far); });
  mine.stop = act.stop;
  try { await act.done; } catch (error) {
    // A person needs the last line of Python's story; whoever mends it finds the whole in the console.
    if (!error.refused) console.error(error.message);
    mine.why = error.refused ? error.refused.map(faultLine) : [h("li", {}, say("imagine-failed"), " ", h("code", {}, String(error.message).trim().split("\n").pop()))];
  }
  mine.ended = mine.why ? "failed" : "done";
  if (imagined === mine) tellImagined();
}

/** Stop, and keep the figures so far. */
function stopImagining() {
  imagined.stop();
  imagined.ended = "stopped";
  tellImagined();
}

function tellFar(far) {
  if (!document.getElementById("imagined")) { forgetImagined(); return; } // what lay here has been put away
  imagined.far = far;
  if (far.told) imagined.told = far;
  // The button that stops it stays the same: a click on it that begins while figures come is meant.
  const bar = document.querySelector("#imagined progress");
  [bar.max, bar.value, bar.nextElementSibling.textContent] = [far.of, far.played, farSaid()];
  document.getElementById("imagine-begins").hidden = true;
  if (far.told) document.getElementById("figures").replaceChildren(...figures(far));
}

const farSaid = () => `${imagined.far.played} / ${imagined.far.of}`;

/** Answer that ends the battle in the bar at once, for `imagine`; empty where there is none. */
function stopNow() {
  const asked = due()[facing], input = asked?.fight && (asked.form.input.of ?? asked.form.input), stop = input && input.options.find((option) => !cardOf(option.write));
  return stop ? [asked.power, { [asked.form.section]: answerIn(asked, stop.write) }] : [];
}

/** Heading of the figures of a stop. */
function ifStopped() {
  const { fight } = due()[facing] ?? {};
  return !imagined.answer.length || !fight ? [] : [h("p", { class: "only-if" }, fight.score < 0 ? fill("if-stopped", { score: -fight.score }) : say("if-tied"))];
}

/** Part of the page about imagined worlds: the button, the progress, and the figures so far. */
function tellImagined() {
  const place = document.getElementById("imagined"), runs = imagined && !imagined.ended, stop = stopNow();
  if (!place) return;
  place.hidden = !imagined && !mayImagine();
  const far = h("select", { id: "imagine-far", "aria-label": say("imagine-far"), onchange: () => { farChosen = far.value; forgetImagined(); tellImagined(); } }, ...FAR.map((each) => h("option", { value: each, selected: each === farMeant() }, say(`imagine-${each}`))));
  const begin = (id, word, answer) => {
    const is_this = same(imagined?.answer ?? null, answer), worlds = is_this && imagined.ended === "done" ? 4 * imagined.far.of : WORLDS;
    return worlds > MOST_WORLDS ? "" : h("button", { type: "button", id, onclick: () => imagine(worlds, answer) }, is_this && imagined.ended !== "done" ? say("imagine-again") : fill(word, { worlds }));
  };
  const progress = runs ? [h("p", { class: "row" }, h("progress", { max: imagined.far.of, value: imagined.far.played, "aria-label": say("imagine") }), h("span", {}, farSaid()), h("button", { type: "button", id: "imagine-stop", onclick: stopImagining }, say("imagine-stop"))), h("p", { class: "note", id: "imagine-begins", role: "status" }, say("imagine-begins"))] : [];
  inPlace(place, [h("h2", {}, say("imagine")), ...runs ? progress : [h("p", { class: "row" }, h("label", { for: "imagine-far" }, say("imagine-far")), far, begin("imagine", "imagine-more", []), stop.length ? begin("imagine-stopping", "imagine-stopping", stop) : "")], h("div", { id: "figures", "aria-live": "polite" }, ...imagined?.told ? figures(imagined.told) : []), ...hungry(), ...imagined?.why ? [alarm(imagined.why)] : [], imagined?.ended === "stopped" ? h("p", { class: "note" }, say("imagine-stopped")) : "", h("p", { class: "note" }, say("imagine-hint")), imagined ? h("p", { class: "note", id: "imagine-map" }, say("imagine-map")) : ""]);
}

/** The figures in words, and over each fight a bar: how often it was won, tied and lost. */
function figures({ told, fights, played }) {
  const made = [...ifStopped(), ...blocks(told)], items = made.flatMap((each) => [...each.querySelectorAll("li")]);
  fights.forEach((fight, at) => items[at].append(odds(fight, played)));
  return fights.length ? [...made, h("p", { class: "note odds-signs" }, ...ODDS.flatMap((kind) => [h("span", { class: kind, "aria-hidden": "true" }), ` ${say(`odds-${kind}`)} `]))] : made;
}

const ODDS = ["won", "tied", "lost"];
/** Share of a bar that is too narrow for its number. */
const NARROW = .08;

function odds(fight, worlds) {
  const told = ODDS.filter((kind) => fight[kind]), made = h("div", { class: "odds", role: "img", "aria-label": told.map((kind) => `${say(`odds-${kind}`)} ${fight[kind]}`).join(", ") });
  for (const kind of told) {
    const share = fight[kind] / worlds, part = h("span", { class: kind }, share < NARROW ? "" : String(fight[kind]));
    part.style.width = `${100 * share}%`;
    made.append(part);
  }
  return made;
}

/** The ways there, and on in thought, from the bar, once there are orders or a battle is fought. */
const toImagined = () => (Object.keys(state.orders).length || due().some(isOfCombat)) && mayImagine() && !ended.length && !asksOnce ? [h("button", { type: "button", class: "small", id: "imagine-now", onclick: () => {
  closeCounsel();
  raise();
  if (!imagined) imagine(WORLDS);
  document.getElementById("imagined").scrollIntoView();
} }, say("imagine")), ...mayPlayOn() ? [" ", h("button", { type: "button", class: "small", id: "whatif-now", onclick: () => { closeCounsel(); raise(); document.getElementById("whatif").scrollIntoView(); } }, say("whatif"))] : []] : [];
