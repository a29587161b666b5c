// A form for every kind of input that a decision may have. It knows no game: what may be chosen comes with the decision.

/** What is chosen in words: names in a list one behind the other. */
const wordsOf = (tree) => Array.isArray(tree) ? tree.map(wordsOf).join(", ")
  : tree && typeof tree === "object" ? Object.entries(tree).map(([key, value]) => `${key}: ${wordsOf(value)}`).join("; ") : String(tree);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
let numbered = 0;

/** The label of an option: what is written, with what it costs or pays. */
function labelled(option) {
  const more = option.price ? ` (−${option.price})` : option.worth ? ` (${option.worth})` : "";
  const text = wordsOf(option.write) + more;
  return h("span", { class: /[♥♦]/.test(text) ? "red" : undefined }, text);
}

const goalOf = (tree) => Array.isArray(tree) ? tree[tree.length - 1] : tree;

const KINDS = {
  choice(input, changed) {
    if (input.options.length === 1) return { element: h("p", { class: "only" }, labelled(input.options[0])), read: () => input.options[0].write, cities: new Map() };
    return picker(input.options, changed, (option) => option.write);
  },
  path(input, changed) { return picker(input.ways, changed, (option) => goalOf(option.write)); },
  several(input, changed) { return boxes(input.options, input, changed); },
  payment(input, changed) { return boxes(input.options, { least: 0, most: input.options.length, omit: true, sum: true }, changed); },
  number(input, changed) {
    const field = h("input", { type: "number", min: input.least || 0, max: input.most, value: input.least || 0, oninput: changed });
    return { element: field, read: () => String(Number(field.value)), cities: new Map(), number: () => Number(field.value) };
  },
  numbers(input, changed) {
    const rows = Object.entries(input.of).map(([name, number]) => [name, KINDS.number(input.all ? number : { ...number, least: 0 }, () => { total(); changed(); })]);
    const sum = h("output");
    const total = () => { sum.textContent = `${say("sum")}: ${rows.reduce((before, [, row]) => before + row.number(), 0)} (${input.least || 0}–${input.most})`; };
    total();
    const element = h("div", { class: "numbers" }, ...rows.map(([name, row]) => h("label", {}, h("span", {}, name), row.element)), sum);
    const read = () => Object.fromEntries(rows.filter(([, row]) => input.all || row.number()).map(([name, row]) => [name, row.read()]));
    return { element, read, cities: new Map() };
  },
  record(input, changed) {
    const rows = Object.entries(input.parts).map(([key, part]) => {
      const made = made_of(part.input, changed), used = part.optional && part.input.kind !== "payment" ? h("input", { type: "checkbox", onchange: changed }) : null;
      made.element.addEventListener("input", () => { if (used) used.checked = true; });
      for (const [city, pick] of made.cities) made.cities.set(city, () => { if (used) used.checked = true; pick(); });
      return { key, made, used, price: part.price };
    });
    const element = h("div", { class: "record" }, ...rows.map((row) => h("fieldset", {}, h("legend", {}, row.used ? h("label", {}, row.used, row.key) : row.key, row.price ? ` (−${row.price})` : ""), row.made.element)));
    const read = () => {
      const found = rows.filter((row) => !row.used || row.used.checked).map((row) => [row.key, row.made.read()]).filter(([, tree]) => tree !== undefined);
      return Object.fromEntries(found);
    };
    return { element, read, cities: together(rows.map((row) => row.made)) };
  },
  each(input, changed) {
    const rows = input.inputs.map((one) => made_of(one, changed));
    return { element: h("ol", { class: "each" }, ...rows.map((row) => h("li", {}, row.element))), read: () => rows.map((row) => row.read()), cities: inTurn(rows) };
  },
  either(input, changed) {
    const place = h("div"), label = (way) => named(way);
    const select = h("select", { "aria-label": say("or"), onchange: () => { show(); changed(); } }, ...input.ways.map((way, at) => h("option", { value: at }, label(way))));
    let made = null;
    const show = () => { made = made_of(input.ways[Number(select.value)], changed); place.replaceChildren(made.element); };
    show();
    return { element: h("div", { class: "either" }, input.ways.length > 1 ? select : null, place), read: () => made.read(), get cities() { return made.cities; } };
  },
  lines(input, changed) {
    const made = made_of(input.of, changed);
    return { element: made.element, read: () => { const tree = made.read(); return tree === undefined ? undefined : [tree]; }, get cities() { return made.cities; }, least: input.least };
  },
};

/** What a way of an `either` is about, for the list of ways. */
function named(way) {
  if (way.kind === "record") return Object.entries(way.parts).map(([key, part]) => part.input.kind === "choice" && part.input.options.length === 1 ? `${key} ${wordsOf(part.input.options[0].write)}` : key).slice(0, 2).join(", ");
  if (way.kind === "choice") return way.options.map((option) => wordsOf(option.write)).slice(0, 4).join(" / ");
  return Object.keys(way.of || {}).join(", ") || way.kind;
}

const made_of = (input, changed) => KINDS[input.kind](input, changed);

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
function picker(options, changed, about) {
  const cities = new Map();
  if (options.length > 8) {
    const select = h("select", { onchange: changed }, ...options.map((option, at) => h("option", { value: at }, wordsOf(about(option)) + (option.price ? ` (−${option.price})` : ""))));
    options.forEach((option, at) => cities.set(wordsOf(about(option)), () => { select.value = at; select.dispatchEvent(new Event("input", { bubbles: true })); changed(); }));
    return { element: select, read: () => options[Number(select.value)].write, cities };
  }
  const name = `choice-${numbered += 1}`;
  const fields = options.map((option, at) => h("input", { type: "radio", name, value: at, checked: at === 0, onchange: changed }));
  options.forEach((option, at) => cities.set(wordsOf(about(option)), () => { fields[at].checked = true; fields[at].dispatchEvent(new Event("input", { bubbles: true })); changed(); }));
  const element = h("div", { class: "chips" }, ...options.map((option, at) => h("label", {}, fields[at], labelled({ ...option, write: about(option) }))));
  return { element, read: () => options[fields.findIndex((field) => field.checked)].write, cities };
}

/** Some of several; cards of one kind may be there twice. */
function boxes(options, limits, changed) {
  const fields = options.map(() => h("input", { type: "checkbox", onchange: () => { total(); changed(); } }));
  const sum = h("output"), cities = new Map();
  const chosen = () => options.filter((option, at) => fields[at].checked);
  const total = () => {
    const worth = chosen().reduce((before, option) => before + (option.worth || 0), 0);
    sum.textContent = limits.sum ? `${say("sum")}: ${worth}` : `${chosen().length} (${limits.least || 0}–${limits.most})`;
  };
  total();
  options.forEach((option, at) => cities.set(wordsOf(option.write), () => { fields[at].checked = !fields[at].checked; fields[at].dispatchEvent(new Event("input", { bubbles: true })); total(); changed(); }));
  const element = h("div", { class: "chips" }, ...options.map((option, at) => h("label", {}, fields[at], labelled(option))), sum);
  return { element, read: () => chosen().length || !limits.omit ? chosen().map((option) => option.write) : undefined, cities };
}

/** The form of a decision: its input, and the buttons that write it. */
function formOf(asked, write, focused) {
  const made = made_of(asked.form.input, () => {});
  const take = h("button", { type: "button", class: "take", onclick: () => { const tree = made.read(); if (tree !== undefined) write(tree); } }, say("take"));
  const none = made.least === 0 ? h("button", { type: "button", onclick: () => write([]) }, say("nothing-more")) : null;
  const element = h("form", { class: "form", onsubmit: (event) => event.preventDefault(), onfocusin: () => focused(made) }, made.element, h("div", { class: "buttons" }, take, none));
  return { element, made };
}
