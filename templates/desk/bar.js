// The bar: what is asked in one sentence, who is chosen, what one click answers, and the ways back and on.
/** True while *Done* asks about what is left. While a costly answer is asked about, an object: the sentence `tells`, the `word` on its button, and the function `give`. */
let asksOnce = false;
/** True after *Done* while a question is asked that has not been in the bar before. Its answer ends the orders. */
let isEnding = false;
/** A form that was begun and has been dropped, with its question, until the letter changes: *Undo* brings it back. */
let dropped = null;
/** Pieces that may stay without orders in this stage, and recruits that may be given up, as their player has confirmed. */
let leftBehind = "";
/** True once *Done* has asked in this stage about what is left. From then on generals out of supply are named and marked. */
let isWarned = false;
/** True from *Done* until the letter is changed. */
let isDone = false;
/** Steps with the end of a battle that was fought just now, or a turn of the war: they stay until their player goes on. */
let ended = [];
/** The answer that was given just now, in words. */
let answered = "";
let counsel = null, tray = { open: false, wanted: false };

/** Questions that must be answered, or whose answer could be added to. */
const due = () => isEnded() ? [] : state.asked.filter((asked) => !asked.free);
const isRefusal = (fault) => fault.code.startsWith("E-");
const isWrong = () => state.faults.some(isRefusal);
const isOpen = (asked) => !asked.free && !asked.more;

/** The pieces that could still march. */
const unordered = () => marchers((march) => march.can_march);
const marchers = (is_meant) => [...new Set(due().filter(isMarch).flatMap((asked) => asked.data.marches.filter(is_meant).flatMap((march) => march.pieces)))];

/** Number of pieces without orders. One that is shut in counts as long as others can go, for that may let it out: an order never makes the number larger. */
const numberLeft = () => (unordered().length && marchers(() => true).length) + trainsBack().length;

/** Lost trains that an order beside the marches can bring back now. */
const trainsBack = () => isEnded() ? [] : state.trains_back;

/** Pieces that may still be ordered: those that could march, and lost trains that could come back. */
const stillLeft = () => [...unordered(), ...trainsBack().map((each) => each.train)];

/** Buttons that bring lost trains back: one for each city in which a train can come back. */
function bringingBack() {
  const write = ({ power }, sections) => { const asked = due().find((each) => isMarch(each) && each.power === power); answer(asked, sections[asked.form.section]); };
  return trainsBack().map((each) => {
    const cards = each.cards.map(calledCard).join(" "), ways = Object.entries(each.ways), train = called(each.train), alone = ways.length === 1;
    const button = ([city, sections]) => h("button", { type: "button", class: "small", onclick: () => write(each, sections) }, suited(alone ? fill("train-back-in", { train, cards, city: calledCity(city) }) : calledCity(city)));
    return h("p", { class: "further back" }, ...alone ? [] : [suited(fill("train-back-where", { train, cards })), " "], ...ways.map(button));
  });
}

function bar() {
  const button = (id, word, deed, more = {}) => h("button", { type: "button", id, onclick: deed, ...more }, say(word));
  const signButton = (id, sign, deed, more = {}) => h("button", { type: "button", id, title: say(id), onclick: deed, ...more }, h("span", { "aria-hidden": "true" }, sign), h("span", { class: "spoken" }, say(id)));
  const details = signButton("details", "≡", () => lower() || raise(), { "aria-controls": "side", "aria-expanded": "false" });
  pull(details, (far) => { if (far < -30) raise(); });
  // Buttons stand in cells of one size: none moves by what is told, or by what another one says.
  const made = h("section", { id: "bar", "aria-label": say("bar") },
    h("div", { class: "head" }, h("div", {}, h("h1", {}, sitting.stage), h("span", { id: "left" })), h("span", { id: "voting" }), h("span", { id: "turns" }), signButton("another", "⌂", home), details),
    h("div", { class: "telling", tabindex: "0", role: "group", "aria-label": say("bar") }, learning ? h("section", { id: "coach", "aria-live": "polite" }) : null, newerNotice(), h("p", { id: "prompt", "aria-live": "polite" }),
      h("div", { id: "notice", "aria-live": "polite" }), h("ul", { id: "wrong", class: "faults", "aria-live": "polite" }), h("div", { id: "chosen", "aria-live": "polite" }), h("div", { id: "choices" }),
      h("p", { id: "imagine-way" }), h("p", { id: "came", class: "note", "aria-live": "polite" }), h("p", { id: "given", class: "note", "aria-live": "polite" }), h("section", { id: "hands", "aria-label": say("hand") })),
    h("section", { id: "steps", hidden: true, "aria-label": say("log") }),
    h("div", { class: "buttons", role: "toolbar", "aria-label": say("steps") },
      signButton("undo", "↶", () => goThrough("undo")), signButton("redo", "↷", () => goThrough("redo")), h("button", { type: "button", id: "cards", "aria-controls": "hands", onclick: turnHands }), button("advise", "advise", advise),
      ...sitting.over && !ended.length || isEnded() || (sitting.kind === "report" && !sitting.seat) ? [] : [button("stay", "stay", () => { asksOnce = false; tellBar(); tellChosen(); }, { hidden: true }), button("done", "done", done, { class: "take" })]),
    h("div", { id: "counsel", "aria-live": "polite" }));
  // A new text begins at its top, wherever the one before was left.
  const telling = made.querySelector(".telling"), places = [...telling.querySelectorAll("#coach, #prompt, #chosen")], texts = () => places.map((place) => place.textContent).join("\n");
  let before = "";
  const upward = new MutationObserver(() => { if (before !== texts()) telling.scrollTop = 0; before = texts(); });
  for (const place of places) upward.observe(place, { childList: true });
  showsMore(telling, made);
  return made;
}

/** Mark the bar as long as text or choices lie further down in it. */
function showsMore(telling, made) {
  const look = () => { made.classList.toggle("goes-down", telling.scrollHeight - telling.clientHeight - telling.scrollTop > LEAST_MORE); tellDone(); }, soon = () => requestAnimationFrame(look);
  telling.addEventListener("scroll", soon);
  new ResizeObserver(soon).observe(telling);
  new MutationObserver(soon).observe(telling, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "open"] });
}

/** Pixels that lie further down before the bar is marked: less than half a line is no more text. */
const LEAST_MORE = 10;

/** The first warning beside *End it all the same* that lies further down in the bar and has not been in sight; none once the bar is at its end. */
function unread() {
  const telling = document.querySelector("#bar .telling");
  if (!asksOnce || !telling || telling.scrollTop + telling.clientHeight >= telling.scrollHeight - 1) return null;
  return [...document.querySelectorAll("#prompt .comes")].find((each) => each.getBoundingClientRect().bottom > telling.getBoundingClientRect().bottom + LEAST_MORE);
}

/** Bring the next part of the warnings into sight: one that is longer than the bar goes on by the height of the bar, but for two lines. */
function readOn() {
  const telling = document.querySelector("#bar .telling"), far = unread().getBoundingClientRect().top - telling.getBoundingClientRect().top;
  telling.scrollTop += far > LEAST_MORE ? far : Math.max(telling.clientHeight - 40, LEAST_MORE);
}

/** Write on the button *Done* what it does. Nobody can end the stage before the warnings about it have been in sight. */
function tellDone() {
  const button = document.getElementById("done"), word = !unread() && asksOnce.word || say(ended.length ? "battle-on" : unread() ? "read-on" : asksOnce ? "end-it" : "done");
  if (button && button.textContent !== word) button.textContent = word;
}

/** Name of a section of orders. */
const sectionCalled = (section) => sitting.sections[section] ?? called(section);

/** Orders of a letter as lines that a reader knows: marches by their pieces and cities, trains that come back by what they cost, others by their section. */
const orderLines = (orders) => Object.entries(orders).flatMap(([power, sections]) => Object.entries(sections ?? {}).flatMap(([section, tree]) => (Array.isArray(tree) && tree.every((each) => each && typeof each === "object" && !Array.isArray(each)) ? tree : [tree]).map((line) => {
  const [[pieces, way] = [], ...rest] = Object.entries(Object(line)), is_march = section === "move" && pieces && !rest.length;
  if (section === "move" && line?.["re-enter"]) return fill("train-back-done", { train: capital(called(line["re-enter"])), city: calledCity(line.at), cards: [line.pay ?? []].flat().map(calledCard).join(" ") });
  return is_march ? `${pieces.split(" + ").map(called).join(" + ")} → ${[way].flat().map(calledCity).join(", ")}` : `${capital(sitting.power_names[power] || power)}, ${sectionCalled(section)}: ${wordsOf(line, calledCard) || "–"}`;
})));

/** Take the last change of the letter back, or make it again, and say which orders are gone by that, and which stand again. */
function goThrough(act) {
  if (act === "undo" && dropped) { bringBack(); return; }
  const before = orderLines(state.orders);
  if (!state[act] || !change(act)) return;
  const now = orderLines(state.orders), gone = before.filter((line) => !now.includes(line)), come = now.filter((line) => !before.includes(line));
  const said = [["undone", gone], ["redone", come]].flatMap(([word, lines]) => lines.length ? [fill(word, { what: lines.join("; ") })] : []);
  notify(h("p", { class: "note", id: "undone" }, suited(said.join(" ") || say(act === "undo" ? "undone-text" : "redone-text"))));
}

/** Answer a question; in a battle against bots cards and the retreat are played at once. */
function answer(asked, tree) {
  const before = orderLines(state.orders), found = attempt(() => ask("put", asked.power, { [asked.form.section]: tree }));
  // A form that is refused stays as it was filled in.
  if (!found) return;
  const goes_on = isEnding && !isMarch(asked);
  if (!isMarch(asked)) facing = faceAfter(found.asked.filter((each) => !each.free));
  if (atTable() && (asked.fight || asked.printed.length)) store(TOLD + (asked.fight ? "card-at-once" : "card-waits"), "yes");
  lower();
  show(found);
  if (isMarch(asked)) tellOrdered(before, tree); else { answered = ["yes", "no"].includes(tree) ? orderLines({ [asked.power]: { [asked.form.section]: tree } }).join() : inWords(asked, tree); tellBar(); }
  if (sitting.kind === "practice" && (asked.fight || isRetreat(asked)) && !due().length && !isWrong()) goOn(true);
  else if (goes_on) done();
}

/** Place of the question that follows an answer: marches, as long as a piece can march; else the first that is open. */
const faceAfter = (questions) => Math.max(0, questions.findIndex((each) => isMarch(each) ? each.data.marches.some((march) => march.can_march) : isOpen(each)));

/** Say in one line what an order among the marches has added to the orders before, and bring the place into sight. */
function tellOrdered(before, tree) {
  const added = orderLines(state.orders).filter((line) => !before.includes(line)), goals = [tree].flat().map((line) => line?.at ?? line?.to ?? goalOf(Object.values(Object(line))[0])).flat();
  if (!added.length) return;
  notify(h("p", { class: "note", id: "ordered" }, suited(withStop(added.join("; ")))));
  board.bring(goals.filter((city) => board.spots.has(city)));
}

const isRetreat = (asked) => asked.data.type === "ChooseRetreat";

/** Tell if a question that may be passed over offers something that the cards in hand can buy: *Done* would give it up. */
const isForgone = (asked) => isOpen(asked) && asked.may_end && asked.payable;

/** Tell if a question is about battles that the last orders have led to. */
const isOfCombat = (asked) => Boolean(asked.fight) || isRetreat(asked) || asked.data.type === "ChooseBattle";

/** Steps just now that end battles in which the reader has fought, tell of other troops that the reader loses, or that a power changes sides or leaves the war. */
const resultsIn = ({ steps }) => steps.filter((step) => step.is_new && (step.turns || isOwn(step.fought) || !learning && isOwn(step.weakened)));

/** A sentence with a capital at its head: in some languages the name of a power begins with an article. */
const capital = (sentence) => sentence.charAt(0).toLocaleUpperCase(language) + sentence.slice(1);

/** Question in one sentence, or else what stands in its place. */
function promptFor(questions, asked) {
  if (asksOnce) return asksOnce.tells ?? leftOut(questions);
  if (ended.length) return [...resultsFirst(ended), ...ended.some((step) => isOwn(step.lost)) ? state.generals_lost.map((each) => h("span", { class: "sentence" }, each)) : []];
  if (isEnded()) return tellEnd();
  if (sitting.over) return [h("strong", {}, say(sitting.won ? "won" : sitting.won === false ? "lost" : "over")), ...sitting.steps.slice(-1).flatMap(sentencesOf)];
  if (isSent()) return [say("is-sent"), " ", isMotion() ? "" : say("is-sent-wait"), ...ordersBelow()];
  if (state.signed) return [say("is-signed"), ...ordersBelow()];
  if (isDone) return [fill(atOwnTable() ? "give-next" : "sign-next", { written: say(`written-${state.draft === "second" ? "orders" : state.draft}`) }), ...ordersBelow()];
  if (!asked) return [...tellGiven(), ...tellAnswered(), ...state.reached.map((each) => h("strong", { class: "sentence" }, each)), say(unaskedWord()), ...ordersBelow(), ...notFallen(), ...hungry(), ...endangered()];
  const marching = questions.filter(isMarch).map((each) => sitting.power_names[each.power] || each.power), powers = marching.length > 1 ? fill("lead-powers", { powers: marching.join(", ") }) : marching.join();
  return [newer ? h("small", { class: "about" }, say("older-asked"), " ") : "", causeOf(asked), suited(isMarch(asked) ? capital(`${powers}: ${say("click-march")}`) : inShort(asked.question)), asked.form.rule ? h("small", {}, " ", section(asked.form.rule)) : "",
    ...asked.printed.length ? displayButton("tracks-here") : [], h("small", { class: "about" }, WORDS[language][`about-${asked.data.type}`] ?? "")];
}

/** Reason for which a question is asked, where it is not to be seen on the board. */
const causeOf = (asked) => { const told = WORDS[language][`cause-${asked.data.type}`]; return told ? h("span", { class: "cause" }, told, " ") : ""; };

/** The way from a proposal, a vote or an agreement back to the orders that are not signed yet. */
const ordersBelow = () => state.orders_below ? [" ", h("button", { type: "button", id: "to-orders", class: "small", onclick: () => change("take_up", state.orders_below) }, say("to-orders"))] : [];

/** Wording for a letter in which nothing is open. */
function unaskedWord() {
  if (state.hidden) return unordered().length ? "hidden" : state.marches_follow.length ? "marches-follow" : "hidden-all";
  if (isMotion()) return atOwnTable() ? "motion-give" : "motion-written";
  if (state.sealed) return "is-sealed";
  if (state.plans) return "plans-lie";
  if (state.given.at(-1)?.plays_on) return "fight-on";
  // Once a goal is reached, perhaps nobody moves any more.
  if (atTable()) return state.reached.length ? "done-next" : "others-move";
  return awaitedVotes().length ? "vote-asked" : "nothing-asked";
}

/** Questions beside marches that have stood in the bar. */
const askedBefore = new Set(), topicOf = (asked) => [sitting.stage, asked.power, asked.form.section].join();

/** Thing that a question is about. */
const subjectOf = (asked) => capital(sectionCalled(asked.form.section));

/** The question in one sentence, and beside it the way to the others. */
function tellBar() {
  const questions = ended.length ? [] : due(), element = (id) => document.getElementById(id);
  facing = Math.max(0, Math.min(facing, questions.length - 1));
  const places = placesIn(questions), at = places.indexOf(placeOf(questions, facing)), asked = questions[facing = places[at] ?? 0], form = asked && formFor(asked);
  const turn = (sign, word, step) => h("button", { type: "button", class: "small", "aria-label": say(word), onclick: () => turnTo(places.at((at + step) % places.length)) }, sign);
  if (asked && !asksOnce && !isMarch(asked)) askedBefore.add(topicOf(asked));
  tellStage(isPast() ? sitting.steps[leafing.at] : ended.at(-1));
  element("prompt").replaceChildren(...promptFor(questions, asked));
  element("turns").replaceChildren(...places.length > 1 ? [...places.length > 2 ? [turn("‹", "question-before", -1)] : [], h("span", { class: "which" }, fill("question-of", { what: subjectOf(asked), at: at + 1, of: places.length })), turn("›", "question-next", 1)] : asked?.may_end && !isMarch(asked) ? [h("strong", { class: "which" }, subjectOf(asked))] : []);
  inPlace(element("choices"), sitting.over && !ended.length ? sitting.kind === "report" ? [] : [next()] : !asked ? [] : asksOnce ? asksOnce.tells ? [] : bringingBack() : isMarch(asked) ? [...furtherOf(questions), ...bringingBack()] : [...alsoAsked(questions, asked), ...form.short ? [...aheadOf(asked), form.element] : filling(asked, form)]);
  // If nothing is left to ask, the answers that were given stand in the place of the question. No card stands beside a stop that is asked about.
  element("given").replaceChildren(...!asksOnce.tells && (asked || ended.length || sitting.over || asksOnce) ? [...tellAnswered(), ...tellGiven()] : []);
  element("came").replaceChildren(...proposalsEnded(), ...whatCame(questions));
  // In a battle the chances stand beside the button to stop, in sight on a phone too.
  const thoughts = toImagined(), inFight = element("imagine-fight");
  inFight?.replaceChildren(...thoughts.splice(0, 1));
  element("imagine-way").replaceChildren(...thoughts);
  tellMotions();
  tellCounsel();
  tellHands(asked);
  element("left").textContent = ended.length || learning ? "" : leftToDo(questions);
  element("undo").disabled = !state.undo && !dropped;
  element("redo").disabled = !state.redo;
  // A click has chosen the way that it shows: what another way would do is for those who write.
  element("wrong").replaceChildren(...(isWrong() ? state.faults.filter(isRefusal) : state.faults.filter((fault) => !atTable() || !fault.code.startsWith("W-MARCH-WAY"))).slice(0, 1).map(faultLine));
  if (state.mends) element("wrong").lastElementChild.append(" ", h("button", { type: "button", id: "mend", class: "small", onclick: () => change("mend") }, say("take-away")));
  if (!element("done")) return;
  element("stay").hidden = !asksOnce;
  tellDone();
  element("done").classList.toggle("take", !questions.some((each) => isOpen(each) && !each.may_end) && Boolean(questions.length || ended.length || atTable() || hasLetter()));
  nextAlone();
}

/** End of the war, and that no letter is wanted any more. */
const tellEnd = () => [h("strong", {}, sitting.result || (atOwnTable() ? table.result : "") || say(endPhase() === "over" ? "over" : "end-early")), " ", say(`end-${endPhase()}`)];

/** Turn and stage of what is shown: of a step, of the letter that is written, or of the question in the bar. Marches may go on in a stage that orders have ended. */
const tellStage = (step) => { document.querySelector("#bar h1").textContent = step?.title || (sitting.kind === "report" ? sitting.stage : due()[facing]?.more ? state.marching : state.stage); };

/** Number of pieces without orders; where the orders of a letter are whole, the next thing to do with it, unless the sentence in the place of the question says it. */
function leftToDo(questions) {
  const number = numberLeft(), isWritten = sitting.kind === "report" && ["orders", "second"].includes(state.draft) && hasLetter() && !isWrong() && (isDone || !questions.some(isOpen));
  const next = isWritten && !isDone && !state.signed && !state.sealed ? say(atOwnTable() ? "left-give" : "left-sign") : "";
  return next || number && `${say(isWritten ? "left-out" : "left")} ${number}` || "";
}

/** True where nothing is asked but a vote: then the way to it stands out. */
const isVoteAlone = (questions) => !questions.length && !hasLetter() && awaitedVotes().length > 0;

/** True if the letter says something that can be sent. */
const hasLetter = () => Boolean(Object.keys(state.orders).length || state.sealed || state.signed || state.plans || isMotion());

/** Of all buttons that go on, the next one alone stands out: advice, the answer to the question in the bar, or *Done*. An answer that was begun stands before advice. */
function nextAlone() {
  const faced = due()[facing], is_begun = faced && forms.get(JSON.stringify(faced))?.begun, goes_on = !begunQuestion();
  const next = ["#newer-open", "#as-it-stands", ...is_begun ? [] : ["#follow"], "#choices .take:enabled:not(.unready)", ...goes_on ? ["#done.take"] : [], "#voting .take", "#asked .take"].map((way) => document.querySelector(way)).find(Boolean);
  for (const each of document.querySelectorAll("#bar .take, #asked .take")) each.classList.toggle("later", each !== next);
}

/** Losses that come if nothing more is ordered, and battles that will be fought where pieces stand; then pieces and questions without orders. */
function leftOut(questions) {
  const pieces = stillLeft(), forgone = questions.filter(isForgone), others = questions.filter((each) => isOpen(each) && !isMarch(each) && !forgone.includes(each)).map((each) => inShort(each.question)), listed = (names) => names.map(withSign).join(" + ");
  const fights = state.coming.map((each) => fill("will-fight", { pieces: listed(each.pieces), foes: listed(each.foes) }));
  const none = forgone.map((each) => h("strong", { class: "comes forgone" }, withStop(recruitsNone(each))));
  return [...hungry(), ...fights.map((each) => h("strong", { class: "comes" }, each)), ...endangered(), ...none, ...pieces.length || others.length ? [say("left-out"), " "] : [], ...piecesNamed(pieces, ", ", pickPiece, whereabouts), pieces.length && others.length ? ", " : "", others.join(", ")];
}

/** Own generals who are out of supply as things stand, and what that costs; only some of them if pieces are named. Beside the board of another moment it is told of now. */
const hungry = (names = null) => state.hungry.filter((each) => !names || each.pieces.some((name) => names.includes(name))).map((each) => h("strong", { class: "comes hunger" }, h("span", { class: "of-now" }, `${say("now")}: `), suited(`${each.pieces.map(withSign).join(" + ")}: ${say("starves-now")}. ${each.costs}`)));

/** Own trains that enemies could take as things stand; only some of them if pieces are named. */
const endangered = (names = null) => state.dangers.filter((each) => !names || each.pieces.some((name) => names.includes(name))).map((each) => h("strong", { class: "comes danger" }, each.says));

/** True if the sentence in the place of the question tells of all who are out of supply. */
const isHungerTold = () => Boolean(document.querySelector("#prompt .hunger"));

/** Fortresses that the reader's marches have not taken, each with the reason; only those of some pieces if pieces are named. */
const notFallen = (names = null) => state.unfallen.filter((each) => !names || each.pieces.some((name) => names.includes(name))).map((each) => h("span", { class: "sentence" }, suited(each.says)));

/** Place of a question in the bar: marches of several powers stand at one place, that of the first. */
const placeOf = (questions, at) => questions[at] && isMarch(questions[at]) ? questions.findIndex(isMarch) : at;
const placesIn = (questions) => [...new Set(questions.map((_, at) => placeOf(questions, at)))];

/** Questions that marches have brought up: nobody has to leaf for them. */
const furtherOf = (questions) => questions.filter((each) => isOpen(each) && !isMarch(each)).map((each) => h("button", { type: "button", class: "small further", onclick: () => turnTo(questions.indexOf(each)) }, suited(inShort(each.question))));

/** Buttons for the open questions beside the one in the bar, each with its power and its subject, because a mere number is overlooked. There are none while a battle is fought. */
function alsoAsked(questions, asked) {
  const others = asked.fight ? [] : questions.filter((each) => each !== asked && isOpen(each)), label = (each) => `${capital(sitting.power_names[each.power] || each.power)}: ${sectionCalled(each.form.section)} ›`;
  const left = unordered().length, ends = isEnding ? [h("p", { class: "note", id: "ends-after" }, say("ends-after"))] : [];
  const marching = left && !asked.fight ? [h("button", { type: "button", class: "small further", id: "march-on", onclick: () => turnTo(questions.findIndex(isMarch)) }, fill("march-on", { number: left }))] : [];
  return [...ends, ...marching, ...others.length ? [h("p", { class: "note", id: "also-asked" }, say("also-asked"), " ", ...others.map((each) => h("button", { type: "button", class: "small", onclick: () => turnTo(questions.indexOf(each)) }, label(each))))] : []];
}

/** The ways on from a game that is over. */
const next = () => h("div", { class: "buttons", id: "next" }, ...sitting.branch ? [h("button", { type: "button", class: "take", onclick: toReport }, say("to-report"))] : [h("button", { type: "button", class: "take", id: "again", onclick: (event) => laying(event.target, () => begun("play_again")) }, say("play-again")), h("button", { type: "button", onclick: home }, say("play-other"))]);

/** Parts of a form in the column that the bar repeats: its counter, or what was chosen on the board so far; and the button that writes it. */
function filling(asked, form) {
  const told = form.made.counter ?? form.soFar;
  return [told, told ? h("button", { type: "button", class: form.made.counter && !form.made.is_whole() ? "take unready" : "take", onclick: () => { if (form.is_whole()) form.take(); else tellMissing(form); } }, say(atTable() ? "take-here" : "take")) : null, asked.data.type === "Allot" ? h("button", { type: "button", id: "deal", onclick: dealRest }, say("deal")) : null,
    h("button", { type: "button", class: "fill-in", onclick: () => bringUp(asked) }, say(told ? "fill-list" : "fill-in"))].filter(Boolean);
}

/** Have the troops dealt out, but for those that were given by hand: these stay, and the bar says so. */
function dealRest() {
  const dealing = due().filter((asked) => asked.data.type === "Allot"), kept = dealing.map((asked) => [asked.power, formFor(asked).made.byHand()]).filter(([, given]) => Object.keys(given).length);
  const said = kept.flatMap(([, given]) => Object.entries(given).map(([name, number]) => `${withSign(name)} ${number}`)).join(", ");
  if (change("deal", Object.fromEntries(kept)) && said) notify(h("p", { class: "note", id: "deal-kept" }, fill("deal-kept", { given: said })));
}

/** The answer that the reader has given just now. */
const tellAnswered = () => answered ? [h("strong", { class: "sentence" }, suited(answered))] : [];

/** Answers that alone were possible, and were given. */
const tellGiven = () => {
  const stops = state.given.filter((each) => each.stopped).map((each) => stopTold(each.stopped)), others = state.given.filter((each) => !each.stopped);
  return [...stops, ...others.length ? [h("span", { class: "sentence" }, say("given")), ...others.map((each) => h("span", { class: "sentence" }, suited(inShort(each.question)), " → ", suited(wordsOf(each.write, calledCard) || "–")))] : []];
};

/** Sentence that no card is left for a battle, and what that costs. If the battle is over, the sentence says only that none was left: its end is told beside it, and cards were drawn since. */
const stopTold = ({ city, suit, score, troops, then }, is_over = false) => h("strong", { class: "sentence result stopped" }, suited((city ? `${fill("battle-of", { city })} ` : "") + fill(is_over ? "no-card-then" : score ? "no-card-lost" : "no-card-tied", { suit, score, troops }) + (!is_over && then ? ` ${then}` : "")));

/** Sentences of battles and of turns of the war: first all results. */
function resultsFirst(battles) {
  // Of several battles each end is headed by the place; that of a battle without a card names it already.
  const headed = (step) => { const [first, ...rest] = sentencesOf(step); if (first && battles.length > 1 && step.battle && !step.stopped) first.prepend(`${fill("battle-of", { city: step.battle })} `); return [first, ...rest].filter(Boolean); };
  const told = battles.flatMap(headed), is_result = (sentence) => sentence.classList.contains("result");
  return [...told.filter(is_result), ...told.filter((sentence) => !is_result(sentence))];
}

/** Sentence on recruits that are asked for only after a march, or at the end of the marches. */
const recruitsLater = () => state.asked.some((each) => each.free && each.data.type === "Levy") ? [say("recruits-later")] : [];

/** Account of all that happened since the last orders of marches, until others are given; and the expected outcome of complete orders. Losses of the reader stand first. */
function whatCame(questions) {
  if (ended.length || asksOnce) return [];
  const faced = questions[facing];
  if (faced?.fight) return newSteps().length ? [since()] : [];
  if (!faced || !isOfCombat(faced)) isOffered = true;
  if (questions.some(isMarch)) areMarchesAsked = true;
  const steps = state.undo ? [] : stepsSinceOrders(), others = state.undo ? [] : othersToo(), losing = steps.filter(isLoss).map((step) => h("strong", { class: "comes loss" }, ...sentencesOf(step)));
  // Beside the losses stands how trains come back; before the first order also which ones could be lost next. A lesson is about something else.
  if (losing.length || faced && isMarch(faced) && !state.undo) losing.push(...losing.length ? [] : endangered(), ...(learning ? [] : [...state.generals_lost, ...state.trains_lost, ...recruitsLater()]).map((each) => h("span", { class: "sentence" }, each)), ...losing.length ? endangered() : []);
  // An enemy who is about to win is named for the whole stage, beside the orders in one line.
  if (faced && isMarch(faced) && !learning) losing.unshift(...state.alarms.map((each) => h("strong", { class: "comes alarm" }, suited(state.undo ? each.split(/(?<=\.) (?=\p{Lu})/u)[0] : each))), ...state.undo ? [] : notFallen());
  // So is a goal that the orders reach.
  if (faced && !learning) losing.unshift(...state.reached.map((each) => h("strong", { class: "comes" }, each)));
  // The warning of *Done* stays beside the orders, with a piece that is chosen too.
  if (faced && isMarch(faced) && isWarned) losing.unshift(...hungry().map((each) => { each.classList.add("alarm"); return each; }));
  if (faced && isRetreat(faced)) return [...losing, since(), ...resultsFirst(resultsIn(sitting).filter((step) => !isLoss(step)))];
  const rest = steps.filter((step) => !isLoss(step) && !(sitting.over && step === sitting.steps.at(-1))), folded = marchesFolded(rest);
  if (steps.length || others.length || losing.length || sitting.over) return [...losing, since(), ...accountOf(rest.filter((step) => !folded.includes(step))), ...marchesToo(folded.length), ...others, ...state.undo ? [] : ownMarches()];
  const whole = questions.length ? "" : sentencesOf({ told: outcomeTold() }).map((each) => each.textContent).join(" "), short = inShort(whole);
  return [since(), " ", whole ? h("strong", {}, say("if-ordered"), " ") : "", suited(short), " ", short === whole ? "" : h("button", { type: "button", class: "small", onclick: () => { raise(); document.getElementById("outcome").scrollIntoView(); } }, "…")];
}

/** Say on the button of the cards their number; beside a board of then no number, for it is that of now. */
function tellNumberOfCards() {
  const number = Object.values(state.hands.hands).reduce((sum, cards) => sum + cards.length, 0);
  document.getElementById("cards")?.replaceChildren(isPast() ? say("cards") : `${say("cards")} ${number}`);
}

/** The cards that the reader holds: one click away. Where a question is about cards, those of its power are in sight, and the click shows the others. */
function tellHands(asked = due()[facing]) {
  const form = asked && formFor(asked), input = asked ? JSON.stringify(asked.form.input) : "", are_answers = asked && (state.hands.hands[asked.power] ?? []).every((card) => input.includes(`"write":"${card}"`));
  const wanted = Boolean(asked && !ended.length && !asksOnce.tells && !are_answers && !(form.short && form.take) && (asked.printed.length || /"kind":"payment"|"write":"(?:[♣♦♥♠]|R\d*[/"])/.test(JSON.stringify(asked.form.input)) && !isMarch(asked))), held = Object.entries(state.hands.hands).filter(([, cards]) => cards.length);
  if (wanted !== tray.wanted) tray = { open: false, wanted };
  const button = document.getElementById("cards"), others = Object.entries(state.hands.sizes).filter(([power, size]) => size && !state.hands.hands[power]).map(([power, size]) => `${sitting.power_names[power] || power} ${size}`);
  const isPart = wanted && !tray.open, shown = held.filter(([power]) => !isPart || power === asked.power || !state.hands.hands[asked.power]?.length);
  button.hidden = !held.length;
  button.setAttribute("aria-expanded", String(tray.open));
  tellNumberOfCards();
  const place = document.getElementById("hands");
  place.hidden = !tray.open && !wanted;
  place.replaceChildren(...shown.map(([power, cards]) => h("p", {}, h("em", {}, `${sitting.power_names[power] || power}: `), suited(cards.map((each) => each.split("/")[0]).join(" ")))), ...others.length && !isPart ? [h("p", { class: "note" }, `${say("cards-others")}: ${others.join(" · ")}`)] : []);
}

/** Show or hide the cards beyond those of the question: they come into sight, and what a phone lays over them goes. */
function turnHands() {
  backToNow();
  if (isNarrow()) { hideAim(); closeCounsel(); }
  tellHands();
  tray.open = !tray.open;
  tellHands();
  document.getElementById("hands").scrollIntoView({ block: "nearest" });
}

/** Ask for advice, or put it away. */
function advise() {
  backToNow();
  board.tell([]);
  forgetTold();
  lower();
  hideAim(); // the goal lies where the advice comes
  // Advice that came because the advice before it was followed stays for who asks for it now.
  if (counsel && !counsel.is_next) closeCounsel(); else askCounsel();
}

/** Ask the best bot about the chosen piece, or else about the open questions. The page says that the bot thinks. */
function askCounsel(is_next = false) {
  const { power, pieces: about } = chosen && !chosen.strange && !chosen.stops.length ? chosen : { pieces: [] }, before = facing;
  if (about.length) facing = Math.max(0, due().findIndex(isMarch));
  laying(document.getElementById("advise"), () => {
    const faced = due()[facing], meant = isMarch(faced) ? due().filter((asked) => isMarch(asked) && (!about.length || asked.power === power)) : [faced];
    const given = attempt(() => ask("advise", about)) ?? [], found = meant.flatMap((asked) => given.filter((each) => each.power === asked.power && asked.form.section in each.sections).map((each) => ({ ...each, asked })));
    // Of several powers that march the first one that should go is advised on.
    counsel = { sections: {}, why: [], starves: [], asked: meant[0], ...found.find((each) => treeOf(each).length !== 0) ?? found[0], about, is_next };
    // Nothing is written anew that stays the same: rows of cards would slide back to their first card.
    if (facing === before) tellCounsel(); else tellBar();
    markCounsel();
  }, "thinking");
}

/** Put the advice away, on the board too. */
function closeCounsel() {
  if (!counsel) return;
  counsel = null;
  tellCounsel();
  if (!chosen) tellChosen();
  showNow();
}

/** Orders that an advice gives; nothing where it gives none. */
const treeOf = ({ sections, asked }) => sections[asked.form.section];

/** Advice of the bot with its reason, and the button that follows it: on a sheet of their own beside the bar, so that nothing moves which can be clicked. */
function tellCounsel() {
  const button = document.getElementById("advise"), place = document.getElementById("counsel"), tree = counsel && treeOf(counsel), is_act = tree && tree.length !== 0;
  button.disabled = !due()[facing] || Boolean(ended.length || asksOnce);
  button.setAttribute("aria-pressed", String(Boolean(counsel)));
  // The second click of a double click may meet the board, which lies below the sheet of a phone.
  const follow = (event) => {
    if (event.detail > 1) return; // a double click is one wish
    const { asked, about } = counsel;
    board.rest();
    if (formFor(asked).made.asksFirst?.(tree)) return;
    answer(asked, tree);
    // Advice on no piece in particular goes on with the next one.
    if (isMarch(asked) && !about.length && unordered().length && !isWrong()) askCounsel(true);
  };
  const starved = is_act && counsel.starves.length ? h("p", { class: "warning" }, ...piecesNamed(counsel.starves), `: ${say("starves")}. ${counsel.costs} ${sitting.down_conquer ? "" : say("fort-hungry")}`) : "";
  // The sheet of a phone lies over the score of a battle, so it tells that too.
  const { fight } = counsel?.asked ?? {}, score = fight && isNarrow() ? h("p", { class: "score-told" }, `${say("score")}: `, h("strong", {}, signed(fight.score))) : "";
  const paragraph = (told, kind) => told?.length ? h("p", { class: kind }, suited(told.map((each) => withStop(capital(each))).join(" "))) : "";
  // The chance to win stands first, and warnings before reasons: on a phone the last lines are out of sight at first.
  place.replaceChildren(...counsel ? [h("div", { tabindex: "0", role: "group", "aria-label": say("advise") }, score, h("p", {}, h("strong", {}, ...is_act ? [...advised(counsel.asked, tree), "."] : nothingAdvised(counsel.asked, tree))), paragraph(counsel.fight, "chance-told"), ...(counsel.first ?? []).map((each) => h("p", { class: "warning first" }, each)), starved,
    ...(counsel.returns ?? []).map((each) => h("p", { class: "warning back" }, suited(each))), ...(counsel.dangers ?? []).map((each) => h("p", { class: "warning" }, each)), paragraph(counsel.why, "why")), is_act && counsel.risk ? h("p", { class: "warning", id: "risk" }, counsel.risk) : "", is_act ? h("button", { type: "button", class: "take", id: "follow", "aria-describedby": counsel.risk ? "risk" : undefined, onclick: follow }, say("advise-take")) : ""] : []);
  endBelowLine(place.firstElementChild);
  endSight();
  nextAlone();
}

/** Pieces that the advice lets stay. */
const letStay = () => counsel && isMarch(counsel.asked) && treeOf(counsel)?.length === 0 ? counsel.about.length ? counsel.about : unordered() : [];

/** Advice to do nothing, with the pieces that stay or the question that it is about. */
function nothingAdvised(asked, tree) {
  if (!tree || !isMarch(asked)) return [withStop(fill(tree ? "advise-nothing" : "advise-none", { what: subjectOf(asked) }))];
  const staying = letStay();
  return staying.length ? [...piecesNamed(staying, counsel.about.length ? " + " : ", "), `: ${withStop(say("advise-stay"))}`] : [withStop(say("advise-all"))];
}

/** End a text that is too long for its place below a whole line: what lies further down is scrolled to. */
function endBelowLine(told) {
  if (!told || told.scrollHeight <= told.clientHeight) return;
  const range = document.createRange(), { top, bottom } = told.getBoundingClientRect();
  range.selectNodeContents(told);
  told.style.maxHeight = `${Math.max(...[...range.getClientRects()].map((line) => line.bottom).filter((end) => end <= bottom)) - top + 1}px`;
}

/** End the part of the board that is in sight above the advice of a phone. */
function endSight() {
  const place = document.getElementById("counsel"), made = document.getElementById("bar");
  if (!place) return;
  board.sight.style.bottom = isNarrow() && place.childElementCount ? `${Math.max(0, made.getBoundingClientRect().top - place.getBoundingClientRect().top)}px` : "";
}

/** Cities of a march in words: on a phone its end alone, unless that is where the pieces stand. */
function wayInWords(pieces, way) {
  const end = way.at(-1), is_back = state.pieces.some((piece) => pieces.includes(piece.name) && piece.city === end);
  return (isNarrow() && !is_back ? [end] : way).map(calledCity).join(", ");
}

/** Advice in the words of the board and of the forms. */
const advised = (asked, tree) => isMarch(asked) && tree.every((line) => Object.keys(line).length === 1) ? tree.flatMap(Object.entries).flatMap(([pieces, way], at) => [at ? "; " : "", ...piecesNamed(pieces.split(" + "), " + "), ` → ${wayInWords(pieces.split(" + "), [way].flat())}`]) : [suited(asked.printed.length && wordsOf(tree) === "none" ? say("no-card") : inWords(asked, tree))];

/** A word of orders as the reader calls it, a card without its deck. */
const calledCard = (word) => called(cardOf(word) ? word.split("/")[0] : word);

/** Cities of an answer: the cities that it names, and those of the generals whom it chooses or to whom it gives troops. A general may have the name of a city. */
function citiesOf(asked, tree) {
  const standing = (name) => state.pieces.filter((piece) => piece.name === name).map((piece) => piece.city);
  if (Array.isArray(tree)) return tree.flatMap((each) => citiesOf(asked, each));
  if (tree && typeof tree === "object") return Object.entries(tree).flatMap(([name, each]) => typeof each === "number" ? standing(name) : citiesOf(asked, each));
  return asked.data.generals?.includes(tree) ? standing(tree) : board.spots.has(tree) ? [tree] : [];
}

/** Show on the board where the advice leads. */
function markCounsel() {
  const { asked } = counsel, tree = treeOf(counsel), lines = (isMarch(asked) && tree || []).map((line) => Object.entries(line)[0]), last = lines.at(-1);
  const march = last && asked.data.marches.find((each) => each.pieces.join(" + ") === last[0]), path = last && [last[1]].flat();
  const cities = path ? path.slice(-1) : citiesOf(asked, tree);
  if (!cities.length) return;
  // A piece that is advised on stays chosen; what is told of another one stays where it is, but nothing can be done with it.
  if (chosen && (String(chosen.pieces) !== String(march?.pieces) || chosen.stops.length)) { chosen = null; document.getElementById("chosen").inert = true; }
  board.bring([...march ? [march.from] : [], ...path ?? cities]);
  const ends = march ? columnsIn(march.from).find((each) => same(each.pieces, march.pieces)).to : [];
  board.mark(march?.from ?? null, cities.map((city) => ends.find((end) => end.city === city) ?? { city }));
  if (march) board.trail(march.from, path);
}

/** Text of a question in which answers are called as on their buttons. Of a long question only the first sentences are left. */
function inShort(asked) {
  const question = asked.replace(/`(yes|no)`/g, (_, word) => fill("quoted", { word: say(`order-${word}`) }));
  if (question.length <= LONG) return question;
  let short = "";
  for (const sentence of question.split(/(?<=[\p{L}\d)]{3}\.) (?=\p{Lu})/u)) {
    if (short && short.length + sentence.length > LONG) break;
    short += `${short && " "}${sentence}`;
  }
  return short;
}

const LONG = 170;

/** Turn to another of the open questions. */
function turnTo(at, ends = false) {
  notify();
  facing = at;
  isEnding = ends;
  asksOnce = false;
  chosen = active = counsel = null;
  refresh(state);
}

/** Go on: what must be answered is brought up, what is left is asked about once, and what may end empty is closed. */
function done(event) {
  if (event?.detail > 1) return; // a double click is one wish
  const advised = letStay();
  closeCounsel(); // it would lie over what is told now
  if (ended.length) { beyondResults(); return; }
  if (isPast()) { backToNow(); return; }
  if (unread()) { readOn(); return; }
  if (asksOnce.give) { const { give } = asksOnce; asksOnce = false; give(); return; }
  if (isWrong() && (atTable() || state.mends)) { tellWrong(); return; }
  const open = due().filter(isOpen), must = open.find((asked) => !asked.may_end), form = must && formFor(must);
  if (form?.made.counter ? form.made.is_whole() : form?.begun && form.is_whole()) { form.confirm(); return; } // what was filled in is meant
  if (must) { turnTo(due().indexOf(must)); if (!isOnBoard(must)) bringUp(must); tellMissing(formFor(must)); return; }
  const begun = begunQuestion();
  if (begun) { tellBegun(begun); return; }
  const left = stillLeft(), pieces = String(left), forgone = open.filter(isForgone), rest = String([pieces, ...forgone.map(topicOf)]);
  // Advice to let all of them stay has told already what would be asked now.
  if (left.length && !forgone.length && left.every((piece) => advised.includes(piece))) leftBehind = rest;
  const unasked = open.find((asked) => !isMarch(asked) && !askedBefore.has(topicOf(asked))), is_confirmed = rest === leftBehind && open.every((asked) => isMarch(asked) || askedBefore.has(topicOf(asked)));
  // A question that nobody has had in the bar is asked before it is passed over.
  if (unasked && !learning && (asksOnce || !pieces || rest === leftBehind)) { if (rest !== leftBehind) leftBehind = asksOnce ? rest : pieces; turnTo(due().indexOf(unasked), true); return; }
  if ((open.length || rest) && !is_confirmed && !asksOnce && !learning) { asksOnce = isWarned = true; tellBar(); tellChosen(); board.mark(...board.marked, board.picked); return; }
  asksOnce = false;
  leftBehind = rest;
  if (open.length) change("close"); else tellBar();
  const still = due().findIndex(isOpen);
  if (still >= 0) { turnTo(still); return; }
  if (sitting.kind === "practice") goOn(); else if (hasLetter()) { isDone = true; tellBar(); toLetter(); }
}

/** Question with an answer that was begun, and not given. */
const begunQuestion = () => isEnded() || ended.length || state.plans ? undefined : state.asked.find((asked) => forms.get(JSON.stringify(asked))?.is_begun());

/** Say that an answer was begun and not given, with what it lacks, and a button that drops it. */
function tellBegun(asked) {
  if (!asked.free) turnTo(due().indexOf(asked));
  const form = formFor(asked), drop = h("button", { type: "button", class: "small", id: "drop", onclick: () => dropBegun(asked) }, say("drop"));
  if (!form.element.closest("#bar") && !isOnBoard(asked)) bringUp(asked);
  tellMissing(form, asked.free || asked.more || asked.may_end ? [" ", drop] : []);
}

/** Drop what was begun as the answer to a question. */
function dropBegun(asked) {
  const kept = JSON.stringify(asked);
  dropped = { asked, form: forms.get(kept) };
  forms.delete(kept);
  refresh(state);
  notify(h("p", { class: "note", id: "dropped" }, say("dropped")));
}

/** Bring back the form that was dropped. */
function bringBack() {
  const { asked, form } = dropped;
  dropped = null;
  forms.set(JSON.stringify(asked), form);
  if (asked.free) refresh(state); else turnTo(due().indexOf(asked));
}

/** Ask once about an answer that costs something, before it is given. */
function askFirst(costly) {
  counsel = null;
  asksOnce = costly;
  tellBar();
}

/** Say that orders are refused, above the refusal and the button that takes the refused order away. */
function tellWrong() {
  asksOnce = false;
  tellBar();
  notify(h("strong", {}, say("wrong-first")));
  // The text of the bar begins at its top when it has changed, and only then is brought down.
  setTimeout(() => { document.getElementById("wrong").scrollIntoView({ block: "nearest" }); document.getElementById("mend")?.focus({ preventScroll: true }); });
}

/** Say what an answer lacks: a click on one of the answers, a click on the button that takes the form as it stands, or some of its numbers. */
function tellMissing({ confirm, is_whole, element, made: { balance, lacks } }, ways = []) {
  // Beside a battle it is said in the row of the stage: no card moves by it.
  if (element?.querySelector(".fight")) { document.getElementById("left").replaceChildren(h("span", { class: "missing", role: "alert" }, say("one-of-these"))); return; }
  const is_ready = confirm && is_whole();
  notify(h("p", { class: "warning missing" }, is_ready ? say("as-it-stands") : lacks?.() || say(confirm ? "not-whole" : "one-of-these"), " ", is_ready ? h("button", { type: "button", class: "take", id: "as-it-stands", onclick: confirm }, say(atTable() ? "take-here" : "take")) : h("strong", {}, balance?.textContent ?? ""), ...ways));
  nextAlone();
  setTimeout(() => { document.getElementById("notice").scrollIntoView({ block: "nearest" }); document.activeElement.closest("#choices *")?.scrollIntoView({ block: "nearest" }); });
}

/** True in a game against bots where nothing is left to answer, to order or to pay for before the others move. */
const isNothingAsked = () => atTable() && !learning && !sitting.over && !due().length && !recruitsLater().length && !numberLeft() && !isWrong();

/** Leave the results, for what is asked next; where nothing is, the others move. */
function beyondResults() {
  ended = [];
  if (isNothingAsked()) { goOn(); return; }
  if (sitting.over) document.querySelectorAll("#stay, #done").forEach((each) => each.remove());
  // A size of the board that was chosen beside the results is kept.
  const is_own_size = isPast() && board.size !== sizeOfStep;
  backToNow(is_own_size);
  // The view from before the results may be far from the battle that is asked about now.
  inSight = "";
  refresh(state);
  if (is_own_size) board.turnTo(theatre());
}

/** Tell if a question is answered on the board of a phone, over which no sheet may come then. */
const isOnBoard = (asked) => isNarrow() && formFor(asked).made.cities?.size > 0;

/** Bring a question to where it can be answered. */
function bringUp(asked) {
  const form = formFor(asked).element;
  if (!form.closest("#bar")) { raise(); form.closest("details")?.toggleAttribute("open", true); }
  const answer = [...form.querySelectorAll("input, select, button")].find((each) => !each.closest(".told-only"));
  (answer ?? form).scrollIntoView({ block: "nearest" });
  answer?.focus();
}

/** Show the letter, to be signed and sent. */
function toLetter() {
  raise();
  document.getElementById("letter").open = true;
  const next = document.getElementById("sign") || document.getElementById("copy");
  document.getElementById(atOwnTable() ? "signing" : "sending").scrollIntoView({ block: "nearest" });
  (next.disabled ? document.getElementById("key-file") : next).focus({ preventScroll: true });
}

// On a phone the column is a sheet that lies below the bar, and comes up over the board.
const isNarrow = () => matchMedia("(max-width: 760px)").matches;

function handle() {
  const made = h("button", { type: "button", class: "handle", "aria-label": say("details-close"), onclick: () => lower() });
  pull(made, (far) => { if (far > 30) lower(); }, (far) => { document.getElementById("side").style.transform = far > 0 ? `translateY(${far}px)` : ""; });
  return made;
}

/** Tell how far something is pulled down, while that lasts and when it ends. */
function pull(element, ended, goes = () => {}) {
  let from = null;
  const far = (event) => event.clientY - from;
  element.addEventListener("pointerdown", (event) => { from = event.clientY; element.setPointerCapture(event.pointerId); });
  element.addEventListener("pointermove", (event) => { if (from !== null) goes(far(event)); });
  for (const kind of ["pointerup", "pointercancel"]) element.addEventListener(kind, (event) => { if (from === null) return; goes(0); ended(far(event)); from = null; });
}

function raise() {
  if (!isNarrow() || page.classList.contains("up")) return;
  page.classList.add("up");
  tellOutcome();
  document.getElementById("details").setAttribute("aria-expanded", "true");
  document.getElementById("side").focus({ preventScroll: true });
}

/** Let the sheet down; tells whether it was up. */
function lower() {
  if (!page.classList.contains("up")) return false;
  const within = document.getElementById("side").contains(document.activeElement);
  page.classList.remove("up");
  document.getElementById("details").setAttribute("aria-expanded", "false");
  if (within) document.getElementById("details").focus();
  return true;
}
