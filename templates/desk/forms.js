// A form for every kind of input that a decision may have. It knows no game: what may be chosen comes with the decision.

/** A choice in words: names in a list one behind the other. */
const wordsOf = (tree, word = String) => Array.isArray(tree) ? (isOneWord(tree) ? tree.slice(0, 1) : tree).map((each) => wordsOf(each, word)).join(", ")
  : tree && typeof tree === "object" ? Object.entries(tree).map(([key, value]) => `${word(key)}: ${wordsOf(value, word)}`).join("; ") : word(tree);
/** True for a word that is written for each of several pieces, such as a place beside the map: it is said once. */
const isOneWord = (tree) => tree.every((each) => typeof each === "string" && each === tree[0] && !cardOf(each));
const calledWords = (tree) => wordsOf(tree, called);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const MANY = 12;
let numbered = 0;

/** The label of an option: what is written, with what it costs or pays. */
function labelled(option) {
  const more = option.price ? priceOf(option) : option.worth ? ` (${option.worth})` : "";
  return h("span", {}, ...option.says ? [suited(option.says)] : [suited(calledWords(option.write)), placeNow(option.write)], suited(more));
}

/** Price of an option in points of cards; nothing if it is free. */
const priceOf = ({ price }) => price ? ` · ${fill("price-of", { price })}` : "";

/** The card that a record is about. */
const cardIn = (input) => Object.values(input.parts).map((part) => part.input).find((part) => part.kind === "choice" && part.options.length === 1)?.options[0].write;

/** Give the options of an input the words that the page has for them, by the path of keys that leads to each. Those that name a general know it: some generals are called as towns are. */
function sayOptions(input, asked, path = []) {
  const begin = input.kind !== "record" || path.length || !cardIn(input) ? path : [cardIn(input)];
  for (const [key, part] of Object.entries(input.parts ?? {})) sayOptions(part.input, asked, [...begin, key]);
  for (const way of input.kind === "either" ? input.ways : input.kind === "lines" ? [input.of] : []) sayOptions(way, asked, path);
  for (const option of input.options ?? []) {
    option.says = asked.words[[...path, option.write].join("/")];
    Object.defineProperty(option, "is_general", { value: Boolean(asked.data.generals?.includes(option.write)), configurable: true });
  }
}

/** City on the board that an option is about: the city where its general stands, or the city that it names. */
const cityOf = (option, about) => option.is_general ? state.pieces.find((piece) => piece.name === option.write)?.city : wordsOf(about);

/** The answer that recruits nothing, which alone is written as an empty record. */
const recruitsNone = ({ power }) => fill("recruits-none", { power: capital(sitting.power_names[power] ?? power) });

/** An answer in the words that the page has for its options; without the card that it is about, if that is in sight. */
function inWords(asked, tree, { is_card_seen = false } = {}) {
  const { input } = asked.form;
  if (input.kind === "each" && tree.length === input.inputs.length) return tree.map((each, at) => `${rowOf(asked.data.type, at)} → ${calledCard(each)}`).join(", ");
  const is_record = tree && typeof tree === "object" && !Array.isArray(tree);
  if (is_record && !Object.keys(tree).length) return recruitsNone(asked);
  if (!is_record || !Object.keys(asked.words).length) return wordsOf(tree, calledCard);
  const [[key, card], ...rest] = Object.entries(tree), known = (path) => asked.words[path.join("/")];
  // A part that is declined does nothing, so it has no words; one that only says yes is told by what it does.
  const walk = (part, value, path) => typeof value === "object" ? Object.entries(value).flatMap(([inner, each]) => walk(inner, each, [...path, part]))
    : value === "no" ? [] : value === "yes" && known([...path, part, value]) ? [known([...path, part, value])] : [`${called(part)}: ${known([...path, part, value]) ?? calledCard(value)}`];
  const does = rest.flatMap(([part, value]) => walk(part, value, [card])).join("; ") || say("card-alone");
  return is_card_seen ? does : `${known([card, key, card]) ?? calledCard(card)} – ${does}`;
}

/** Number of what is chosen or given out, with the numbers that are allowed. */
const countOf = (count, { least = 0, most }) => fill(least === most ? "sum-of" : least ? "sum-between" : "sum-most", { count, least, most });

/** Name of one of the things that a question asks about one after the other, for a kind of question. */
const rowOf = (type, at) => (WORDS[language][`each-${type}`] ?? "{number}").replace("{number}", at + 1);

const goalOf = (tree) => Array.isArray(tree) ? tree[tree.length - 1] : tree;
const nothing = () => 0;

const KINDS = {
  choice(input, changed, first = 0) {
    if (input.options.length === 1) return { element: h("p", { class: "only" }, labelled(input.options[0])), read: () => input.options[0].write, cities: new Map(), cost: () => input.options[0].price || 0 };
    return picker(input.options, changed, (option) => option.write, first);
  },
  path(input, changed) { return picker(input.ways, changed, (option) => goalOf(option.write)); },
  several(input, changed) { return boxes(input.options, input, changed); },
  payment(input, changed) { return boxes(input.options, { omit: true, sum: true }, changed); },
  number(input, changed) {
    const field = h("input", { type: "number", min: input.least || 0, max: input.most, value: input.now ?? (input.least || 0), oninput: changed });
    return { element: field, read: () => String(Number(field.value)), cities: new Map(), number: () => Number(field.value), cost: () => Number(field.value) * (input.price || 0),
      step: (by) => { field.value = Math.max(input.least || 0, Math.min(input.most, Number(field.value) + by)); field.dispatchEvent(new Event("input", { bubbles: true })); } };
  },
  /** Numbers with a limited sum; `held` are the points of the cards that pay for it. */
  numbers(input, changed, held = 0) {
    const price = Object.values(input.of)[0]?.price, is_of_cards = price > 0 && held > 0 && Math.floor(held / price) === input.most;
    // Troops that are dealt out already begin as they are.
    const troops = (name) => state.pieces.find((piece) => piece.name === name)?.troops || 0, dealt = Object.keys(input.of).reduce((before, name) => before + troops(name), 0);
    const first = (name, number) => input.all && dealt === input.most ? { ...number, now: troops(name) } : input.all ? number : { ...number, least: 0 };
    const rows = Object.entries(input.of).map(([name, number]) => [name, KINDS.number(first(name, number), () => { touched.add(name); total(); changed(); }), number.price]), touched = new Set();
    const sum = h("output", { class: "sum" });
    const byHand = () => Object.fromEntries(rows.filter(([name]) => touched.has(name)).map(([name, row]) => [name, row.number()]));
    const count = () => rows.reduce((before, [, row]) => before + row.number(), 0), is_whole = () => count() >= (input.least || 0) && count() <= input.most && rows.every(([, row]) => row.element.checkValidity());
    // A sentence on what is missing holds no longer.
    const total = () => { document.querySelector("#notice .missing")?.remove(); sum.textContent = input.all ? fill("troops-given", { count: count(), most: input.most }) : is_of_cards ? fill("sum-cards", { count: count(), most: input.most }) : countOf(count(), input); sum.classList.toggle("amiss", count() > input.most); if (input.all && board?.spots) board.drawMarks(); const go = sum.nextElementSibling; if (go?.matches(".take")) { go.classList.toggle("unready", !is_whole()); nextAlone(); } };
    // A form that was begun stays while generals march: they are where they stand now.
    const standing = () => rows.map(([name, row]) => ({ row, there: state.pieces.find((piece) => piece.name === name) })).filter(({ there }) => there);
    const given = () => input.all ? standing().map(({ row, there }) => ({ city: there.city, number: row.number(), is_new: row.number() !== there.troops, is_shown: Boolean(there.troops) })) : [];
    /** Reasons for which the numbers are not taken yet: generals with too few or too many, and the sum so far. */
    const lacks = () => [...rows.filter(([, row]) => !row.element.checkValidity()).map(([name, row]) => fill("troops-amiss", { general: called(name), least: row.element.min, most: row.element.max })), ...input.all ? [count() > input.most ? fill("troops-given", { count: count(), most: input.most }) : fill("troops-left", { left: input.most - count() })] : []].join(" ");
    total();
    const step = (row, name, by) => h("button", { type: "button", class: "small", "aria-label": `${called(name)} ${by < 0 ? "−1" : "+1"}`, onclick: () => { if (by < 0 || count() < input.most) row.step(by); } }, by < 0 ? "−" : "+");
    const line = ([name, row, price]) => h("div", { class: "number" }, h("label", {}, h("span", {}, ...signedName(name), h("small", {}, price ? ` · ${fill("price-each", { price })}` : "", placeNow(name, !input.all))), row.element), step(row, name, -1), step(row, name, 1));
    const read = () => Object.fromEntries(rows.filter(([, row]) => input.all || row.number()).map(([name, row]) => [name, row.read()]));
    return { element: h("div", { class: "numbers" }, ...rows.map(line), sum), read, get cities() { return new Map(standing().map(({ row, there }) => [there.city, () => { if (count() < input.most) row.step(1); }])); }, counter: input.all ? sum : null, given, byHand, lacks, is_whole, is_paid: () => !input.all || is_whole(), is_set: () => count() > 0,
      part: (name) => { const row = rows.find(([each]) => each === name)?.[1]; return row && { is_used: () => row.number() > 0, use: (on) => row.step(on ? 1 : -row.number()) }; }, cost: () => rows.reduce((before, [, row]) => before + row.cost(), 0) };
  },
  record(input, changed) {
    const balance = h("output", { class: "balance", "aria-live": "polite" });
    const held = Object.values(input.parts).filter((part) => part.input.kind === "payment").flatMap((part) => part.input.options).reduce((before, card) => before + (card.worth || 0), 0);
    const rows = Object.entries(input.parts).filter(([, part]) => part.input.kind !== "record" || Object.keys(part.input.parts).length).map(([key, part]) => {
      const weighed = () => { weigh(); changed(); }, made = isToLeave(part) ? leaving(part.input, weighed, key) : isToChoose(part) ? KINDS.choice(part.input, weighed, NOBODY) : part.input.kind === "numbers" ? KINDS.numbers(part.input, weighed, held) : made_of(part.input, weighed);
      const used = part.optional && !made.is_set ? h("input", { type: "checkbox", onchange: () => { weigh(); changed(); } }) : null;
      made.element.addEventListener("input", () => { if (used) used.checked = true; weigh(); });
      return { key, made, price: part.price || 0, used, needed: !part.optional, is_used: () => used ? used.checked : !part.optional || made.is_set() };
    });
    const cost = () => rows.filter((row) => row.is_used()).reduce((before, row) => before + row.price + row.made.cost(), 0);
    const paying = rows.find((row) => row.made.paid);
    // Of two parts that go together one brings the other along, or takes it away.
    const pairs = (input.together || []).map((paths) => ({ parts: paths.map(([key, name]) => rows.find((row) => row.key === key)?.made.part?.(name)), used: false })).filter(({ parts }) => parts.every(Boolean));
    const weigh = () => {
      for (const pair of pairs.filter(({ parts, used }) => parts.some((part) => part.is_used() !== used))) {
        pair.used = !pair.used;
        for (const part of pair.parts) if (part.is_used() !== pair.used) part.use(pair.used);
      }
      if (!paying) return;
      const over = paying.made.paid() - cost(), is_needless = over > 0 && cost() > 0 && over >= paying.made.least();
      balance.textContent = `${say("cost")}: ${cost()} · ${say("paid")}: ${paying.made.paid()}${is_needless ? `. ${say("card-needless")}` : over < 0 ? `. ${fill("cards-to-pay", { part: called(paying.key) })}` : ""}`;
      balance.classList.toggle("amiss", over < 0 || is_needless);
    };
    weigh();
    const element = h("div", { class: "record" }, ...rows.map((row) => h("fieldset", {}, h("legend", {}, row.used ? h("label", {}, row.used, called(row.key)) : called(row.key), row.price ? ` (−${row.price})` : ""), row.made.element)), paying ? balance : null);
    const is_empty = (tree) => tree === undefined || (typeof tree === "object" && !Array.isArray(tree) && !Object.keys(tree).length);
    const read = () => Object.fromEntries(rows.filter((row) => row.is_used()).map((row) => [row.key, row.made.read(), row.used]).filter(([, tree, may_lack]) => may_lack ? !is_empty(tree) : tree !== undefined));
    // Cards that buy nothing, or too little, are not paid; to buy nothing is an answer.
    const is_chosen = () => rows.every((row) => row.made.is_chosen?.() ?? true), lacks = () => is_chosen() ? "" : say("one-of-these");
    const is_paid = () => is_chosen() && (!paying || (paying.made.paid() >= cost() && (cost() > 0 || !paying.made.paid() || rows.some((row) => row !== paying && row.needed))));
    const part = (name) => { const used = rows.find((row) => row.key === name)?.used; return used && { is_used: () => used.checked, use: (on) => { used.checked = on; used.dispatchEvent(new Event("input", { bubbles: true })); } }; };
    return { element, read, part, is_paid, lacks, balance: paying ? balance : null, cost: paying ? nothing : cost, get cities() { return together(rows.map((row) => row.made)); } };
  },
  each(input, changed) {
    const rows = input.inputs.map((one) => made_of(one, changed));
    const read = () => rows.map((row) => row.read()), picked = () => read().map((city, at) => ({ city, word: String(at + 1) }));
    return { element: h("ol", { class: "each" }, ...rows.map((row, at) => h("li", {}, h("label", {}, rowOf(input.type, at), " ", row.element)))), read, picked, cities: inTurn(rows), cost: nothing };
  },
  either(input, changed) {
    const place = h("div");
    let made = null;
    const select = h("select", { "aria-label": say("or"), onchange: () => { show(); changed(); }, hidden: input.ways.length < 2 }, ...input.ways.map((way, at) => h("option", { value: at }, named(way))));
    const show = () => { made = made_of(input.ways[Number(select.value)], changed); place.replaceChildren(made.element); };
    show();
    return { element: h("div", { class: "either" }, select, place), read: () => made.read(), is_paid: () => made.is_paid?.() ?? true, get cities() { return made.cities; }, cost: () => made.cost() };
  },
  lines(input, changed) {
    const made = made_of(input.of, changed);
    return { element: made.element, balance: made.balance, is_paid: () => made.is_paid?.() ?? true, read: () => { const tree = made.read(); return tree === undefined ? undefined : [tree]; }, get cities() { return made.cities; }, cost: nothing };
  },
};

/** Tell if one of the ways is about the card of a picture. */
const isOf = (way, picture) => way.kind === "record" && Object.values(way.parts).some((part) => part.input.kind === "choice" && part.input.options.length === 1 && same(part.input.options[0].write, picture.write));

/** Name of one way of an `either`, for the list of ways. */
function named(way) {
  if (way.kind === "record") return Object.entries(way.parts).map(([key, part]) => part.input.kind === "choice" && part.input.options.length === 1 ? `${called(key)} ${calledWords(part.input.options[0].write)}` : called(key)).slice(0, 2).join(", ");
  if (way.kind === "choice") return way.options.map((option) => calledWords(option.write)).slice(0, 4).join(" / ");
  return Object.keys(way.of || {}).map(called).join(", ");
}

/** Tell if a part may be left out, and has words for each of several ways to fill it in. */
const isToLeave = ({ optional, input }) => optional && input.kind === "choice" && input.options.length > 1 && input.options.every((option) => option.says);

/** Tell if a part must be filled in with one of several options: none of them is chosen before the reader has. */
const isToChoose = ({ optional, input }) => !optional && input.kind === "choice" && input.options.length > 1;

/** Place of an option that is chosen at first, where none is. */
const NOBODY = -1;

/** One of several options, or none: that is the first of the buttons. */
function leaving(input, changed, key) {
  const made = picker([{ write: undefined, says: fill("leave-be", { what: capital(called(key)) }) }, ...input.options], changed, (option) => option.write);
  return { ...made, is_set: () => made.read() !== undefined };
}

const made_of = (input, changed) => KINDS[input.kind](input, changed);

/** A piece as it is called, before it the sign that it has on the board. */
const signedName = (name) => signOf(name) ? [h("b", {}, signOf(name)), ` ${called(name)}`] : [called(name)];

/** The sign of a general on the board; nothing for what is none. */
function signOf(name) {
  const piece = state.pieces.find((each) => each.name === name && each.kind === "general");
  return piece ? `${board.letters[piece.power] || ""}${piece.rank}` : "";
}

/** City and troops of a general, behind his name; nothing for what is none, or is off the board. Troops are left out where the reader does not know them, and where they are just dealt out. */
function whereabouts(name, has_troops = true) {
  const piece = state.pieces.find((each) => each.name === name && each.kind === "general");
  return piece ? ` · ${[calledCity(piece.city), ...has_troops && piece.troops !== null ? [counted(piece.troops, "troop", "troops")] : []].join(" · ")}` : "";
}

/** City and troops of a general as an element of a form, which is written anew when the piece marches. */
const placeNow = (name, has_troops = true) => h("span", { class: "place-now", "data-piece": name, "data-troops": has_troops }, whereabouts(name, has_troops));

/** Tell in all forms where the pieces are now. */
function tellPlaces() {
  for (const { element } of forms.values()) for (const place of element.querySelectorAll(".place-now")) place.textContent = whereabouts(place.dataset.piece, "troops" in place.dataset);
}

/** A piece by its name with the sign that it has on the board. */
const withSign = (name) => `${called(name)}${signOf(name) ? ` (${signOf(name)})` : ""}`;

/** Pieces by their names with their signs; a click on one shows where it stands. */
const piecesNamed = (names, between = ", ", show = showPiece, more = () => "") => names.flatMap((name, at) => [at ? between : "", h("button", { type: "button", class: "section piece", onclick: () => show(name) }, withSign(name)), ...[more(name)].filter(Boolean)]);

/** Bring a piece on the board into sight. */
function showPiece(name) {
  const city = state.pieces.find((piece) => piece.name === name)?.city;
  if (!city) return;
  lower();
  board.bring([city], true);
  board.mark(city, []);
}

const together = (rows) => { const cities = new Map(); for (const row of rows) for (const [city, pick] of row.cities) if (!cities.has(city)) cities.set(city, pick); return cities; };

/** Clicks on the board fill one row after the other. */
function inTurn(rows) {
  const cities = new Map(), next = { at: 0 };
  for (const city of new Set(rows.flatMap((row) => [...row.cities.keys()]))) cities.set(city, () => {
    const able = rows.map((row, at) => at).filter((at) => rows[at].cities.has(city));
    const at = able.find((each) => each >= next.at) ?? able[0];
    rows[at].cities.get(city)();
    next.at = at + 1 < rows.length ? at + 1 : 0;
  });
  return cities;
}

/** One of several, by buttons where they are few and by a list where they are many. */
function picker(options, changed, about, first = 0) {
  const cities = new Map(), told = (field) => { field.dispatchEvent(new Event("input", { bubbles: true })); changed(); };
  if (options.length > 8) {
    const select = h("select", { "aria-label": say("choose"), onchange: changed }, ...first < 0 ? [h("option", { value: first }, say("choose"))] : [], ...options.map((option, at) => h("option", { value: at }, calledWords(about(option)) + (option.price ? ` (−${option.price})` : ""))));
    const taken = () => options[Number(select.value)];
    options.forEach((option, at) => cities.set(cityOf(option, about(option)), () => { select.value = at; told(select); }));
    return { element: select, is_chosen: () => Boolean(taken()), read: () => taken()?.write, cities, cost: () => taken()?.price || 0 };
  }
  const name = `choice-${numbered += 1}`, chosen = () => options[fields.findIndex((field) => field.checked)];
  const fields = options.map((option, at) => h("input", { type: "radio", name, value: at, checked: at === first, onchange: changed }));
  options.forEach((option, at) => cities.set(cityOf(option, about(option)), () => { fields[at].checked = true; told(fields[at]); }));
  const element = h("div", { class: "chips" }, ...options.map((option, at) => h("label", {}, fields[at], labelled({ ...option, write: about(option) }))));
  return { element, is_chosen: () => Boolean(chosen()), read: () => chosen()?.write, cities, cost: () => chosen()?.price || 0 };
}

/** Some of several; cards of one kind may be there twice. */
function boxes(options, limits, changed) {
  const fields = options.map(() => h("input", { type: "checkbox", onchange: () => { total(); changed(); } }));
  const sum = h("output"), cities = new Map();
  const chosen = () => options.filter((option, at) => fields[at].checked);
  const paid = () => chosen().reduce((before, option) => before + (option.worth || 0), 0);
  /** Worth of the smallest card that was chosen. */
  const least = () => Math.min(...chosen().map((option) => option.worth || 0));
  const total = () => { sum.textContent = limits.sum ? "" : countOf(chosen().length, limits); };
  const shown = (option, at) => {
    const found = cardOf(option.write);
    return found ? h("label", { class: `pick ${faceClass(found)}` }, fields[at], ...face(found, found.suit || !option.worth ? "" : option.worth)) : h("label", {}, fields[at], labelled(option));
  };
  total();
  options.forEach((option, at) => cities.set(wordsOf(option.write), () => { fields[at].checked = !fields[at].checked; fields[at].dispatchEvent(new Event("input", { bubbles: true })); total(); changed(); }));
  const element = h("div", { class: options.some((option) => cardOf(option.write)) ? "cards" : "chips" }, ...options.map(shown), sum);
  return { element, picked: () => chosen().map((option) => ({ city: wordsOf(option.write) })), read: () => chosen().length || !limits.omit ? chosen().map((option) => option.write) : undefined, cities, cost: () => chosen().reduce((before, option) => before + (option.price || 0), 0), is_set: () => chosen().length > 0, ...(limits.sum ? { paid, least } : {}) };
}

/** Expected outcome of an answer, told below it: soon, for what a pointer rests on; or at once, so that nothing moves later. */
function foretelling(asked) {
  const place = h("div", { class: "would", "aria-live": "polite" }), lead = !asked.fight ? say("if-taken") : asked.fight.score < 0 ? fill("if-stopped", { score: -asked.fight.score }) : say("if-tied");
  let waiting = 0;
  const outcome = (tree) => told(() => { const found = blocks(ask("would", asked.power, { [asked.form.section]: tree })); return found.length ? [h("p", { class: "only-if" }, lead), ...found] : []; }, false), tellNow = (tree) => place.replaceChildren(...outcome(tree));
  const tell = (read) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const tree = place.isConnected ? read() : undefined;
      if (tree !== undefined) tellNow(tree);
    }, 150);
  };
  return { place, tell, tellNow, outcome };
}

/** The program's own reasons why something is no answer. */
function reasonsAgainst(asked, tree) {
  try { ask("would", asked.power, { [asked.form.section]: answerIn(asked, tree) }); return []; } catch (error) {
    if (!error.refused) throw error;
    return error.refused.map(({ message, rule }) => h("p", { class: "note" }, `${capital(message)}. `, rule ? section(rule) : ""));
  }
}

/** Milliseconds within which a second tap belongs to the first. */
const DOUBLE = 500;

/** Word on a card after which no card is left for the suit of its battle: it is the last one of the suit, or a Reserve that alone is left; empty for other cards. */
function lastWord({ fight, power }, option) {
  const held = (state.hands.hands[power] ?? []).map(cardOf), ofSuit = held.filter((each) => each?.suit === fight?.own.suit).length, reserves = held.filter((each) => each && !each.suit).length;
  return !fight ? "" : cardOf(option.write).suit ? ofSuit === 1 ? "last-card" : "" : !ofSuit && reserves === 1 ? "last-card-reserve" : "";
}

/** Form in which a click on one thing is the answer: a card, a city, a word. */
function atOnce(input, asked, answer, would, choose) {
  const below = h("div", { class: "below-cards", "aria-live": "polite" }), buttons = new Map(), is_shown_first = Object.keys(asked.ends).length > 0;
  let armed = null;
  /** Show where a retreat ends and what that means; the button below it gives the answer, and so does a second click on the same end. */
  const arm = (tree) => {
    if (armed === tree) { answer(tree); return; }
    armed = tree;
    for (const [way, button] of buttons) if (way === tree) button.setAttribute("aria-pressed", "true"); else button.removeAttribute("aria-pressed");
    below.replaceChildren(h("p", { class: "does" }, h("strong", {}, suited(`${calledCity(goalOf(tree))}. `)), suited(asked.ends[goalOf(tree)].join(" "))), h("button", { type: "button", class: "take", onclick: () => answer(tree) }, say(atTable() ? "take-here" : "take")), ...atTable() && due().length === 1 ? [h("span", { class: "note" }, " ", say("goes-at-once"))] : []);
    choose(() => answer(tree));
    markPlaces();
    below.scrollIntoView({ block: "nearest" });
  };
  // In a battle the next card stands where the one just played has been: the second click of a double click plays none.
  // To stop costs troops and the place, and at a table it cannot be taken back. A lesson says itself what is pressed.
  const is_costly = (tree) => asked.fight?.score < 0 && !(tree in after) && atTable() && !learning;
  const stop = (tree) => askFirst({ tells: [h("span", { class: "comes" }, ...would.outcome(answerIn(asked, tree)))], word: capital(calledWords(tree)), give: () => answer(tree) });
  const write = (tree) => { if (is_shown_first) arm(tree); else if (is_costly(tree)) stop(tree); else if (!asked.fight || !(window.event?.detail > 1)) answer(tree); };
  const options = input.options || input.ways, cities = new Map(), ways = new Map(), after = asked.fight?.after || {};
  const preview = (option) => { if (input.start) board.trail(input.start, option.write); if (!(option.write in after)) would.tell(() => answerIn(asked, option.write)); };
  const button = (option, made) => { buttons.set(option.write, made); for (const kind of ["mouseenter", "focus"]) made.addEventListener(kind, () => preview(option)); return made; };
  const foot = (option) => option.write in after ? `→ ${signed(after[option.write])}` : "";
  const dealt = options.filter((option) => cardOf(option.write)), rest = options.filter((option) => !cardOf(option.write));
  const last = (option) => lastWord(asked, option) ? [h("p", { class: "note last-card" }, suited(fill(lastWord(asked, option), { suit: asked.fight.own.suit })))] : [];
  const shown = dealt.filter((option) => !cardOf(option.write).declared).flatMap((option) => [button(option, cardButton(cardOf(option.write), foot(option), () => write(option.write))), ...last(option)]);
  for (const deck of new Set(dealt.map((option) => cardOf(option.write)).filter((each) => each.declared).map((each) => each.deck))) {
    const values = dealt.filter((option) => cardOf(option.write).declared && cardOf(option.write).deck === deck);
    const row = h("div", { class: "values", hidden: true }, ...values.map((option) => button(option, h("button", { type: "button", class: "pick", onclick: (event) => { if (event.timeStamp - since > DOUBLE) write(option.write); } }, h("b", {}, `R${cardOf(option.write).declared}`), ` ${foot(option)}`))));
    // On a phone the values come into sight where the second tap of a double one may fall.
    let since = -DOUBLE;
    const open = cardButton({ suit: "", value: "R", declared: "" }, "", (event) => { row.hidden = !row.hidden; since = event.timeStamp; row.scrollIntoView({ block: "nearest", inline: "nearest" }); open.setAttribute("aria-expanded", String(!row.hidden)); }, { "aria-expanded": "false" });
    shown.push(open, ...last(values[0]), row);
  }
  const place = (option) => cityOf(option, goalOf(option.write)), isAlone = (option) => rest.filter((each) => place(each) === place(option)).length === 1;
  // Of generals who stand together a click on their city means none.
  for (const option of rest) { if (isAlone(option)) cities.set(place(option), () => write(option.write)); if (input.start) ways.set(goalOf(option.write), option.write); }
  const { costs, lost, own } = asked.fight ?? {}, costsOfStop = () => ` → −${counted(costs, "troop", "troops")}${costs === own.troops ? ` (${say("stop-all")})` : ""}${lost.length ? `, ${fill("stop-lost", { pieces: lost.map(called).join(" + ") })}` : ""}`;
  const words = (option) => suited(calledWords(goalOf(option.write)) + whereabouts(option.write) + priceOf(option));
  const select = rest.length > MANY ? h("select", { "aria-label": say("choose"), onchange: (event) => { if (event.target.value) write(rest[Number(event.target.value)].write); } }, h("option", { value: "" }, `${say("choose")} (${rest.length})`), ...rest.map((option, at) => h("option", { value: at }, words(option).textContent))) : null;
  const imagining = () => h("span", { id: "imagine-fight" });
  // In a battle other buttons stand before the cards, so that none slides to the place of a card that was clicked. Where a card must
  // be played, the button to stop keeps its place, and below the cards stands why it cannot be pressed.
  const noStop = asked.fight && !rest.length ? h("div", { class: "chips" }, h("button", { type: "button", class: "pick", disabled: true }, say("order-stop")), imagining()) : null;
  const others = select || noStop || (rest.length ? h("div", { class: "chips" }, ...rest.map((option) => button(option, h("button", { type: "button", class: "pick", onclick: () => write(option.write) }, words(option), costs ? h("small", {}, suited(costsOfStop())) : null))), asked.fight ? imagining() : null) : null);
  const cards = shown.length ? h("div", { class: "cards" }, ...shown) : null;
  const element = h("div", { class: "at-once" }, ...asked.fight ? [fightOf(asked.fight), h("div", { class: "plays" }, others, atTable() && shown.length ? toldOnce("card-at-once") : null, cards), playedIn(asked.fight)] : [cards, others, below]);
  // To stop ends a battle: it is told before how. On a phone a line that came later would lift the cards from under the finger.
  if (asked.fight && rest.length) would.tellNow(answerIn(asked, rest[0].write)); else if (noStop) would.place.replaceChildren(...reasonsAgainst(asked, "stop"));
  const sight = asked.fight ? [{ city: asked.fight.own.city }, { city: asked.fight.foe.city, meets: true }] : [...(input.start ? [{ city: input.start, forced: true }] : []), ...[...new Set(rest.map(place))].map((city) => ({ city }))];
  return { element, cities, ways, asksFirst: (tree) => is_costly(optionIn(asked, tree)) && (stop(optionIn(asked, tree)), true), start: input.start, sight, ...is_shown_first ? { picked: () => armed ? [{ city: goalOf(armed) }] : [], trail: () => { if (armed) board.trail(input.start ?? goalOf(armed), armed); } } : {} };
}

/** Line of advice that is shown in this browser until its reader has once followed it. */
const toldOnce = (word) => stored(TOLD + word) ? null : h("p", { class: "note at-first" }, say(word));
const TOLD = "pbem-told ";

const answerIn = (asked, tree) => asked.form.input.kind === "lines" ? [tree] : tree;
/** First option of an answer as orders write it. */
const optionIn = (asked, tree) => asked.form.input.kind === "lines" ? tree[0] : tree;

/** All that could be written for an input with each of its parts, where that is a handful; nothing where it is not. */
function valuesOf(input) {
  if (input.kind === "choice") return input.options.map((option) => option.write);
  if (input.kind !== "record") return null;
  let found = [{}];
  for (const [key, part] of Object.entries(input.parts)) {
    const values = valuesOf(part.input);
    found = values ? found.flatMap((tree) => values.map((value) => ({ ...tree, [key]: value }))) : [];
  }
  return found.length && found.length <= 4 ? found : null;
}

/** The number of parts that may be left out. */
const optionalIn = (input) => input.kind === "record" ? Object.values(input.parts).reduce((sum, part) => sum + (part.optional ? 1 : 0) + optionalIn(part.input), 0) : 0;

/** Form of printed cards: a click on a card carries it out, and other uses of the card stand below it. `choose` is called with the chosen answer, which could be written. */
function cardsAtOnce(one, asked, write, would, choose) {
  const below = h("div", { class: "below-cards" });
  let armed = null, made = null;
  const preview = (tree) => would.tell(() => answerIn(asked, tree));
  const writing = (read, may = () => true) => h("button", { type: "button", class: "take", onclick: () => { if (may()) write(read()); } }, say(atTable() ? "take-here" : "take"));
  // A finger cannot hover: it shows first what a card does, and chooses it; the button below does it, and so does a second tap.
  const taking = (tree, given, picture, ...within) => {
    const does = h("p", { class: "does" }, suited(inWords(asked, tree, { is_card_seen: true }))), whole = h("p", { class: "note in-words" }, picture?.told ?? ""), button = h("button", { type: "button", ...given, onmouseenter: () => preview(tree), onfocus: () => preview(tree), onclick: (event) => {
      if (event.pointerType !== "touch" || armed === button) { write(tree); return; }
      armed?.removeAttribute("aria-pressed");
      armed = button;
      made = null;
      button.setAttribute("aria-pressed", "true");
      preview(tree);
      below.replaceChildren(...typeof tree === "object" ? [does] : [], writing(() => tree), whole);
      below.querySelector(".take").scrollIntoView({ block: "nearest" });
      choose(() => write(tree));
    } }, ...within);
    return button;
  };
  const fill = (way) => {
    const filled = made = made_of(way, () => would.tell(() => answerIn(asked, filled.read()))), read = () => filled.read();
    armed?.removeAttribute("aria-pressed");
    armed = null;
    below.replaceChildren(filled.element, writing(read, () => { const may = filled.is_paid?.() ?? true; if (!may) tellMissing({ is_whole: () => false, made: filled }); return may; }));
    below.scrollIntoView({ block: "nearest" });
    choose(() => write(read()));
  };
  const lesser = (way) => (valuesOf(way) || [null]).map((tree) => tree === null ? h("button", { type: "button", class: "small", onclick: () => fill(way) }, named(way)) : taking(tree, { class: "small" }, null, inWords(asked, tree, { is_card_seen: true })));
  const group = (picture) => {
    const ways = one.ways.filter((way) => isOf(way, picture)).sort((a, b) => Object.keys(b.parts).length - Object.keys(a.parts).length), values = valuesOf(ways[0]) || [];
    const whole = values.length === 1 ? taking(values[0], { class: "printed" }, picture, ...printed(picture)) : h("button", { type: "button", class: "printed", onclick: () => fill(ways[0]) }, ...printed(picture));
    const inParts = values.length === 1 && optionalIn(ways[0]) > 1 ? [h("button", { type: "button", class: "small", onclick: () => fill(ways[0]) }, say("in-parts"))] : [];
    return h("div", { class: "choice" }, whole, ...inParts, ...ways.slice(1).flatMap(lesser));
  };
  const found = asked.printed.filter((picture) => one.ways.some((way) => isOf(way, picture))), other = one.ways.filter((way) => !found.some((picture) => isOf(way, picture)));
  return { element: h("div", {}, atTable() && found.length ? toldOnce("card-waits") : null, h("div", { class: "prints" }, ...found.map(group), ...other.flatMap(lesser)), below), is_paid: () => made?.is_paid?.() ?? true, get cities() { return made?.cities || new Map(); } };
}

/** Tell if a form has room in the bar: cards and words to choose from, and nothing to deal out. */
function isSmall({ kind, parts, ways, all }) {
  const inner = kind === "record" ? Object.values(parts).map((part) => part.input) : kind === "either" ? ways : null;
  return inner ? inner.every(isSmall) : ["payment", "several", "choice"].includes(kind) || (kind === "numbers" && !all);
}

/** Printed cards that are no answer: a click on one tells it in words below. */
function printsInWords(pictures) {
  const told = h("p", { class: "note in-words", "aria-live": "polite" });
  return h("div", { class: "told-only" }, h("div", { class: "prints" }, ...pictures.map((each) => h("button", { type: "button", class: "printed", onclick: () => { told.textContent = each.told; told.scrollIntoView({ block: "nearest" }); } }, ...printed(each)))), told);
}

/** The form of a decision: its input, and the button that writes it; `short` where it stands in the bar. */
function formOf(asked, write, focused) {
  sayOptions(asked.form.input, asked);
  // Not counted among the parts of the input, by which a form is known again.
  Object.defineProperty(asked.form.input, "type", { value: asked.data.type, configurable: true });
  const input = asked.form.input, one = input.kind === "lines" ? input.of : input, pictures = asked.printed, would = foretelling(asked), begin = (confirm) => { Object.assign(form, { confirm, begun: true }); nextAlone(); }, atOnceWrite = (tree) => write(answerIn(asked, tree)), form = { begun: false, confirm: null, is_begun: () => form.begun && (!made.read || JSON.stringify(made.read()) !== first) };
  const isEither = one.kind === "either" && one.ways.some((way) => pictures.some((picture) => isOf(way, picture)));
  const prints = pictures.length && !isEither ? printsInWords(pictures) : null;
  const made = one.kind === "choice" || one.kind === "path" ? atOnce(one, asked, atOnceWrite, would, begin) : isEither ? cardsAtOnce(one, asked, atOnceWrite, would, begin) : made_of(input, () => { form.begun = true; soFar.textContent = inWords(asked, made.read() ?? []); would.tell(() => made.read()); nextAlone(); if (made.picked) markPlaces(); }), soFar = h("output", { class: "so-far" }, say("on-board"));
  const first = made.read && JSON.stringify(made.read());
  const take = made.read ? () => { const tree = made.read(); if (tree !== undefined) write(tree); } : null;
  const is_whole = () => made.is_paid?.() ?? true, button = take && h("button", { type: "button", class: "take", onclick: take, disabled: !is_whole() }, say(atTable() ? "take-here" : "take")), weigh = () => { if (button) button.disabled = !is_whole(); nextAlone(); };
  const element = h("form", { class: "form", "data-power": asked.power, "data-section": asked.form.section, onsubmit: (event) => event.preventDefault(), oninput: weigh, onchange: weigh, onfocusin: () => focused(made) }, prints, made.element, button && h("div", { class: "buttons" }, button, made.balance), would.place);
  return Object.assign(form, { element, made, soFar: made.cities?.size ? soFar : null, take, confirm: take, is_whole, short: !take || isSmall(one) });
}
