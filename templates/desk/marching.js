// Pieces on the board: who is chosen, where they may go, and what a click on a city means.
const isMarch = (asked) => Boolean(asked.data.marches);

/** Cities in which a click answers the question that is being filled in. */
function markPlaces() {
  // Beside what is told of a battle or an old step the board shows the place of that.
  if (chosen || !active || ended.length || isPast()) return;
  board.mark(null, active.sight || [...active.cities.keys()].map((city) => ({ city })), "", active.picked?.());
  active.trail?.();
  const places = (active.sight || []).map((each) => each.city).filter((city) => board.spots.has(city));
  if (places.length && places.length < MANY && String(places) !== inSight) { if (board.isTooSmall) board.show(places); else board.bring(places); }
  inSight = String(places);
}

let inSight = "";

/** Columns that may march out of a city: single pieces and stacks, the largest first. */
function columnsIn(city) {
  return state.asked.filter(isMarch).flatMap((asked) => asked.data.marches.filter((march) => march.from === city).map((march) => column(march, asked))).sort((a, b) => b.pieces.length - a.pieces.length);
}

/** Column with the ends of its march and the pieces in its way. The program computes both when they are first needed. */
function column(march, { power, form: { section, rule }, more }) {
  let found = null;
  const seen = () => found ??= ask("reach", march.pieces, more)[0].marches[0];
  return { ...march, power, section, rule, get to() { return seen().to; }, get blocked() { return seen().blocked; } };
}

function choose(columns, at, strange = false, join = null) {
  chosen = { columns, at, strange, join, start: columns[at].from, stops: [], ...columns[at] };
  active = counsel = null;
  tellCounsel();
  chosen.ends = new Map(chosen.to.map((end) => [end.city, end]));
  chosen.kind = strange ? "strange" : chosen.stops.length ? "onward" : "";
  // On the whole of a large board rings lie closer to each other than fingers are wide.
  if (board.isTooSmall) board.show([chosen.from, ...chosen.ends.keys()]);
  board.mark(chosen.from, chosen.to, chosen.kind);
  tellChosen();
}

/** Choose pieces that have marched: where they may go on to, unless an order before theirs is refused. */
function chooseGone(gone, join = null) {
  const going = ask("going", gone.power, gone.pieces);
  choose([going ? { ...going, from: going.stops.at(-1), foes: gone.foes } : { ...gone, start: gone.from, from: gone.path.at(-1), stops: gone.path, to: [], stays: true }], 0, false, join);
}

/** Bring a piece without orders into sight, and choose it, so that the bar is about it. */
function pickPiece(name) {
  showPiece(name);
  const columns = columnsIn(state.pieces.find((piece) => piece.name === name)?.city), at = columns.findIndex((column) => String(column.pieces) === name);
  if (at >= 0) choose(columns, at);
}

/** Marches into a city by the orders as they are, that of the pieces `first` before the others, else the last one. */
const allGoneTo = (city, first = []) => isMotion() ? [] : state.went.filter((each) => state.pieces.some((piece) => piece.city === city && each.pieces.includes(piece.name))).reverse().sort((one, other) => same(other.pieces, first) - same(one.pieces, first));
/** Pieces that have marched into a city by the orders as they are. */
const goneTo = (city, first = []) => allGoneTo(city, first)[0];

/** Words on face-down generals: out of supply, and if they are in supply now; empty if none is face-down. */
function downWords(pieces) {
  const down = pieces.filter((piece) => piece.down);
  return !down.length ? "" : ` · ${say("down")}${down.every((piece) => state.recovering.includes(piece.name)) ? `, ${say("down-fed")}` : ""}`;
}

function tellChosen() {
  const place = document.getElementById("chosen"), sheet = document.getElementById("goals");
  sheet.replaceChildren();
  place.inert = false;
  if (!chosen) { place.replaceChildren(); return; }
  const chips = chosen.columns.length > 1 ? h("div", { class: "chips", role: "group", "aria-label": say("who") }, h("span", { class: "note" }, `${say("who")}:`), ...chosen.columns.map((column, at) => h("button", { type: "button", "aria-pressed": String(at === chosen.at), onclick: () => choose(chosen.columns, at, chosen.strange, chosen.join), "aria-label": column.pieces.map((name) => `${signOf(name)} ${called(name)}`).join(" + ") }, column.pieces.map((name) => signOf(name) || called(name)).join(" + ")))) : null;
  const goals = chosen.strange || !chosen.to.length ? null : h("select", { "aria-label": say("ends"), onchange: (event) => { if (event.target.value) { lower(); march(event.target.value); } } }, h("option", { value: "" }, `${say("ends")} (${chosen.to.length})`), ...chosen.to.map((end) => h("option", { value: end.city }, endText(end))));
  const known = state.pieces.filter((piece) => chosen.pieces.includes(piece.name)), troops = known.length && known.every((piece) => typeof piece.troops === "number") ? known.reduce((sum, piece) => sum + piece.troops, 0) : 0;
  const declared = (chosen.declared || []).map((each) => `${each.generals.map(called).join(" + ")}: ${say("declared")} ${each.troops}${each.sure ? "" : "?"}`);
  const joins = chosen.join && h("button", { type: "button", class: "small", id: "join", onclick: () => { const { join, from } = chosen; chosen = join; march(from); } }, `${chosen.join.pieces.map(called).join(" + ")} → ${calledCity(chosen.from)}`);
  const byWay = (way) => h("button", { type: "button", class: "small other-way", onclick: () => walk(way.path, way.path) }, fill("way-other", { by: way.by.map(calledCity).join(", "), does: wayDoes(way) }));
  // With several marches that end in one city, the button says whose march it takes back.
  const others = !chosen.stops.length ? [] : allGoneTo(chosen.from).filter((each) => !same(each.pieces, chosen.pieces)), named = (pieces) => pieces.map(called).join(" + ");
  const away = !chosen.stops.length ? null : h("button", { type: "button", class: "small", id: "march-away", onclick: takeBack }, others.length ? fill("march-away-of", { pieces: named(chosen.pieces) }) : say("march-away"));
  const beside = others.map((each) => h("button", { type: "button", class: "small beside", onclick: () => chooseGone(each) }, `${named(each.pieces)} ›`));
  const feeds = isTrainChosen() ? h("button", { type: "button", class: "small", id: "feeds", "aria-pressed": String(Boolean(chosen.feeds)), onclick: markFed }, say("fed")) : null;
  const trains = chosen.does?.[2] ?? [], taken = trains.length ? [h("p", { class: "note taken" }, capital(`${say("way-train")} ${trains.map(calledCity).join(", ")}.`))] : [];
  const ways = chosen.others?.length ? [h("p", { class: "note" }, fill("way-is", { way: chosen.path.map(calledCity).join(", ") })), ...chosen.others.map(byWay)] : [];
  // Of a stack each general is told of who is out of supply, also where another has marched to him.
  const standing = state.pieces.filter((piece) => piece.city === chosen.from);
  // Losses stand before all that can be pressed: further down they would be out of sight.
  const warnings = chosen.strange ? known.slice(0, 1).filter((piece) => state.marches_follow.includes(piece.power)).map(() => h("strong", { class: "sentence" }, say("marches-follow"))) : [...chosen.foes?.length ? [h("strong", { class: "comes fight-told" }, suited(fightLine(chosen.from, chosen.foes, chosen.pieces)))] : [], ...isHungerTold() ? [] : hungry(standing.map((piece) => piece.name)), ...endangered(chosen.pieces), ...chosen.stops.length ? notFallen(chosen.pieces) : [], ...isTrainGone() && state.supply[chosen.power] ? [h("strong", { class: "comes supply" }, state.supply[chosen.power])] : []];
  place.replaceChildren(h("span", {}, chosen.strange ? `${say("look")}: ` : "", h("strong", {}, chosen.pieces.map(called).join(" + ")), suited([troops ? ` · ${counted(troops, "troop", "troops")}` : "", ` · ${calledCity(chosen.from)} ${suitOf(chosen.from)}`, downWords(known), chosen.stays ? ` · ${say("stays")}` : "", ...declared.map((each) => ` · ${each}`)].join(""))), ...[joins, ...warnings, chips, away, ...beside, feeds, ...taken, ...ways, isNarrow() ? null : goals, ...factsOf(chosen).map((each) => h("p", { class: "note" }, suited(each))), chosen.rule && chosen.to.some((end) => end.forced) ? h("p", { class: "note" }, say("forced-is"), " ", section(chosen.rule)) : null, chosen.strange ? null : h("div", { id: "why" })].filter(Boolean));
  if (isNarrow() && goals) sheet.append(goals);
  coach();
  tellHands();
}

const isTrainChosen = () => state.pieces.some((piece) => piece.kind === "train" && chosen.pieces.includes(piece.name));

/** Tell if the chosen pieces are a train that has marched: then the bar tells whom its power's trains feed. */
const isTrainGone = () => Boolean(chosen && !chosen.strange && chosen.stops.length) && isTrainChosen();

/** Mark the cities that the chosen train supplies where it stands, in place of where it can go; or its ends again. */
function markFed() {
  chosen.feeds = !chosen.feeds;
  if (chosen.feeds) board.mark(chosen.from, ask("fed", chosen.pieces[0]).map((city) => ({ city, fed: true })), "strange");
  else board.mark(chosen.from, chosen.to, chosen.kind);
  tellChosen();
}

/** Cities of the reader's generals who are out of supply as things stand, and of whom the bar tells. */
function hungryCities() {
  if (!state || !sitting || isPast() || ended.length) return [];
  const names = state.hungry.flatMap((each) => each.pieces), of_train = isTrainGone();
  return [...new Set(state.pieces.filter((piece) => names.includes(piece.name) && (isWarned || of_train && piece.power === chosen.power || chosen && !chosen.strange && piece.city === chosen.from)).map((piece) => piece.city))];
}

/** Lines on a fortress: its holder, its protectors (at most `most` are named), and the powers that could take it. If the reader could take it, only the reader's powers are named, and the lines say how. */
function fortLines(city, most = Infinity) {
  const fort = state.fortresses[city], own = fort?.takers.filter((power) => sitting.powers.includes(power));
  if (!fort) return [];
  const word = own.length ? "fort-guard" : "fort-guard-there", number = (stacks) => stacks.reduce((sum, guard) => sum + guard.pieces.length, 0), some = number(fort.guards) > most ? 1 : fort.guards.length;
  const named = fort.guards.slice(0, some).map((guard) => fill(word, { guards: guard.pieces.map(called).join(" + "), city: calledCity(guard.city), by: guard.by }));
  const more = number(fort.guards.slice(some)), takers = (own.length ? own : fort.takers).map(called).join(", ");
  const guards = `${named.join(", ")}${more ? ` ${more === 1 ? say("fort-one-more") : fill("fort-more", { more })}` : ""}`;
  return [fill("fort-held", { city: calledCity(city), power: called(fort.holder) }), ...takers ? [fill(!guards ? "fort-open" : !own.length ? "fort-kept" : fort.guards.some((guard) => guard.city === city) ? "fort-occupied" : "fort-safe", { guards, takers }), ...guards && most === Infinity ? [fill("fort-far", { far: fort.far })] : []] : []];
}

/** Warning at a fortress that the chosen pieces do not take it: they are out of supply, or would be there. */
function hungryLines(city) {
  if (!chosen || chosen.strange || sitting.down_conquer || !state.fortresses[city]?.takers.includes(chosen.power)) return [];
  const generals = state.pieces.filter((piece) => piece.kind === "general" && chosen.pieces.includes(piece.name));
  return generals.length && (chosen.ends.get(city)?.starves || generals.every((piece) => piece.down)) ? [say("fort-hungry")] : [];
}

/** Greatest number of protectors of a fortress that a tip names: of more it names the nearest stack and counts the others. */
const GUARDS = 2;

/** A battle that will be fought where pieces stand: the troops and cards of all who stand there together, and that all may be lost. */
function fightLine(city, foes, pieces) {
  // The first of a stack is its supreme commander, whose power plays the cards.
  const stack = state.pieces.filter((piece) => piece.kind === "general" && (pieces.includes(piece.name) || piece.city === city && sitting.powers.includes(piece.power)));
  const own = suitOf(city), power = stack[0]?.power, cards = (state.hands.hands[power] || []).filter((each) => each.startsWith(own) || each.startsWith("R"));
  const enemy = (at) => {
    const foe = `${state.pieces.filter((piece) => piece.city === at && piece.kind === "general").map((piece) => called(piece.name)).join(" + ")} ${suitOf(at)}`, [least, most] = state.foes[at] ?? [];
    return most === undefined ? foe : least === most ? `${foe} (${counted(most, "troop", "troops")})` : fill("foe-troops", { foe, least, most });
  };
  const troops = stack.reduce((sum, piece) => sum + (piece.troops || 0), 0), who = stack.some((piece) => piece.power !== power) ? `${fill("fight-leads", { pieces: stack.map((piece) => called(piece.name)).join(" + "), power: called(power) })} ` : "";
  return who + fill("fight-in", { own, troops: counted(troops, "troop", "troops"), foes: foes.map(enemy).join(", "), cards: cards.map((each) => each.split("/")[0]).join(" ") || "–" });
}

/** All that counts where whoever is chosen stands. */
function factsOf({ from, foes, power, strange, blocked = {}, to, pieces }) {
  // A phone has no room for who is in the way of a general that can march: a tap on such a city tells it.
  const is_told = !isNarrow() || !to?.length || state.pieces.some((piece) => piece.kind !== "general" && pieces.includes(piece.name));
  const shut = Object.entries(blocked).map(([city, there]) => `${there.map(called).join(" + ")} (${calledCity(city)})`);
  return [...foes?.length && strange ? [fightLine(from, foes, pieces)] : [], ...inQuestion(from), ...strange || state.fortresses[from]?.takers.includes(power) ? [fortLines(from).join(" ")] : [], ...hungryLines(from), ...is_told && shut.length ? [`${say("in-way")} ${shut.join(", ")}`] : []];
}

const suitOf = (city) => board.spots.get(city)?.suit || "";

/** A city that falls if nobody protects it after the battles, with the first of those who protect it now. */
function guarded(city) {
  const guards = (state.fortresses[city]?.guards ?? []).flatMap((guard) => guard.pieces), named = guards.slice(0, GUARDS).map(called).join(", ");
  return guards.length ? `${calledCity(city)} (${named}${guards.length > GUARDS ? " …" : ""})` : calledCity(city);
}

const endText = (end) => [calledCity(end.city), end.suit, end.starves ? say("starves") : "", end.forced ? say("forced") : "", end.meets ? say("meets") : "", end.aim ? say("aim") : "", end.conquers.length ? `${say("conquers")} ${end.conquers.map(calledCity).join(", ")}` : "", end.questions.length ? `${say("in-question")} ${end.questions.map(guarded).join(", ")}` : ""].filter(Boolean).join(" · ");

/** Effects of another way in words. */
const wayDoes = ({ does }) => ["conquers", "in-question", "way-train", "way-hussar"].flatMap((word, at) => does[at].length ? [`${say(word)} ${does[at].map(word === "in-question" ? guarded : calledCity).join(", ")}`] : []).join(", ") || say("way-nothing");

const march = (city) => walk([...chosen.stops, city], chosen.ends.get(city).path);

function walk(stops, path) {
  const { power, pieces } = chosen, city = stops.at(-1);
  if (!change("march", power, pieces, stops, path)) return;
  const gone = goneTo(city, pieces);
  if (!gone || isWrong()) return;
  chooseGone(gone);
  // Of ways of the same length to a city that was clicked, the one that takes more is meant.
  const richer = stops.length === 1 && !same(stops, path) && chosen.others?.find(takesMore);
  if (!richer) return;
  change("undo");
  if (change("march", power, pieces, richer.path, richer.path)) chooseGone(goneTo(city, pieces));
}

/** Tell if a way is as long as that of the chosen march, and takes all that it takes, and a fortress or train more. */
function takesMore({ path, does }) {
  const taken = (all) => all.slice(0, 3);
  return path.length === chosen.path.length && taken(chosen.does).every((some, at) => some.every((city) => does[at].includes(city))) && taken(does).flat().length > taken(chosen.does).flat().length;
}

/** Take away what the last order did, and that a march was taken back: that is told until the next click. */
function forgetTold() {
  document.getElementById("ordered")?.remove();
  if (!chosen) document.getElementById("chosen").replaceChildren();
}

function clickCity(city) {
  forgetTold();
  if (isPast()) {
    if (halt()) return;
    if (!columnsIn(city).length) { board.tell(city ? [calledCity(city), ...inQuestion(city), say("past")] : [], city); return; }
    backToNow(true);
  }
  // A click on a piece beside a letter that is signed goes on with the orders.
  if (state.signed && state.orders_below && state.pieces.some((piece) => piece.city === city)) change("take_up", state.orders_below);
  if (!city) { chosen = null; board.mark(null, []); tellChosen(); markPlaces(); return; }
  const columns = columnsIn(city), onward = Boolean(chosen?.stops.length), gone = goneTo(city);
  // Beside the cities that a train supplies, its ends are not in sight: nothing marches by a click.
  if (chosen?.feeds && !columns.length) { markFed(); return; }
  // A second click lets go of pieces that have marched: a button in the bar takes their march back.
  if (onward && chosen.from === city) { clickCity(null); return; }
  // A click on pieces that can march themselves chooses those; the chosen piece may join them by a button in the bar.
  if (chosen && !chosen.strange && chosen.ends.has(city) && !columns.length && !(onward && gone)) { march(city); return; }
  if (chosen && !chosen.strange && !onward && chosen.ends.has(city)) { choose(columns, 0, false, { ...chosen, join: null }); return; }
  if (!columns.length && gone && !active?.cities.has(city)) { chooseGone(gone, onward && chosen.ends.has(city) ? { ...chosen, join: null } : null); return; }
  if (onward && !columns.length) { chosen = null; board.mark(null, []); tellChosen(); }
  if (chosen && !chosen.strange && !columns.length) { tellWhy(city); return; }
  if (!(active && active.cities.has(city)) || columns.length) {
    // A second click lets go: a part of a stack is chosen by its button in the bar.
    if (columns.length && chosen && !chosen.strange && chosen.from === city) { clickCity(null); return; }
    if (columns.length) { choose(columns, 0); return; }
    const there = state.pieces.filter((piece) => piece.city === city);
    if (there.length) { attempt(() => lookUp(there)); return; }
  }
  if (!active?.cities.has(city)) { hoverCity(city); return; }
  active.cities.get(city)();
  // An answer may end the question.
  if (active) board.mark(active.picked ? null : city, [...active.cities.keys()].map((each) => ({ city: each })), "", active.picked?.());
  active?.trail?.();
}

/** Take the march of the chosen pieces back, and say so: a finger may have meant another button. */
function takeBack() {
  const { power, pieces } = chosen;
  change("take_back", power, pieces);
  if (!chosen) document.getElementById("chosen").textContent = fill("march-back", { pieces: pieces.map(called).join(" + ") });
}

/** Reason why a city is closed to the chosen piece: the program's own refusal of that march. */
function tellWhy(city) {
  const place = document.getElementById("why"), line = { [chosen.pieces.join(" + ")]: city };
  const refused = told(() => { ask("would", chosen.power, { [chosen.section]: [line] }); return []; }, false);
  place?.replaceChildren(h("strong", {}, calledCity(city)), ...refused, ...[...inQuestion(city), ...fortLines(city)].map((each) => h("p", { class: "note" }, each)));
  place?.scrollIntoView({ block: "nearest" });
}

function lookUp(there) {
  const [found] = ask("reach", there.filter((piece) => piece.power === there[0].power && piece.kind === there[0].kind).map((piece) => piece.name));
  if (found?.marches?.length) choose(found.marches.map((each) => ({ ...each, declared: found.declared })), 0, true);
}

/** Meaning of a question mark that lies on a city, and what is still needed for its fall. */
const inQuestion = (city) => board.standing().filter((token) => token.dataset.city === city && token.matches(".question")).map((token) => fill("question-there", { sign: `${board.letters[token.dataset.power] ?? ""}?`, power: called(token.dataset.power) })).flatMap((told) => [told, ...isPast() ? [] : state.unfallen.filter((each) => each.city === city).map((each) => each.says)]);

function hoverCity(city) {
  if (!city || !state) { board.tell([]); board.trail("", []); return; }
  if (isPast()) { board.tell([`${calledCity(city)} · ${suitOf(city)}`, ...inQuestion(city), say("past")], city); return; }
  const end = chosen?.ends.get(city), lines = [end ? endText(end) : `${calledCity(city)} · ${suitOf(city)}`];
  // Losses stand first.
  lines.push(...end?.meets && !chosen.strange ? [fightLine(city, end.foes, chosen.pieces)] : [], ...hungryLines(city));
  if (end && !end.conquers.includes(city) && chosen.to.some((each) => each.conquers.includes(city))) lines.push(say("goes-through"));
  for (const piece of state.pieces.filter((each) => each.city === city)) lines.push(`${called(piece.name)} (${called(piece.power)})${piece.troops === null ? "" : ` · ${counted(piece.troops, "troop", "troops")}`}${downWords([piece])}`);
  lines.push(...end?.forced ? [say("forced-is")] : [], ...state.hussars.includes(city) ? [say("hussar-is")] : [], ...inQuestion(city), ...fortLines(city, GUARDS), ...noteLines(city));
  board.tell(lines, city);
  const way = chosen ? null : active?.ways?.get(city);
  if (end) board.trail(chosen.start, end.path); else if (way) board.trail(active.start, way); else board.trail("", []);
}

/** A city's name as the board has it. */
const calledCity = (city) => board.spots.get(city)?.lines.join(" ") || city;
