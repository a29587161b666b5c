// The desk: what was opened, what is asked, the letter, and what comes of it.
const page = document.getElementById("desk");
let sitting = null, state = null, board = null, chosen = null, active = null, showsBefore = false, safe = true;

/** What the program says in blocks, as elements. */
function blocks(told) {
  const line = (spans) => spans.map((span) => span.code ? h("code", {}, span.text) : suited(span.text));
  return told.map((block) => {
    switch (block.type) {
      case "heading": return h("h4", {}, ...(block.line || []).flatMap((span) => suited(span.text)));
      case "paragraph": return h("p", {}, ...(block.lines || []).flatMap((each) => [...line(each), " "]));
      case "items": return h("ul", {}, ...(block.items || block.lines || []).map((each) => h("li", {}, ...line(each))));
      case "battle": return h("div", { class: "battle" }, h("p", {}, ...line(block.opening || [])), h("ol", {}, ...(block.exchanges || []).map((each) => h("li", {}, ...line(each)))), h("p", {}, ...line(block.end || [])));
      case "table": return h("table", {}, ...(block.rows || []).map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, ...line(cell))))));
      default: return h("p", {}, ...(block.lines || []).map((each) => typeof each === "string" ? each : ""));
    }
  });
}

/** A text with its red suits in red. */
function suited(text) {
  const parts = String(text).split(/([♥♦][0-9R]*)/);
  return h("span", {}, ...parts.map((part, at) => at % 2 ? h("span", { class: "red" }, part) : part));
}

/** One of the program's refusals in words, with its place in the letter. */
function faultLine(fault) {
  const place = fault.line ? h("button", { type: "button", class: "place", onclick: () => goTo(fault.line) }, `${say("line")} ${fault.line}`) : null;
  return h("li", { class: fault.code.startsWith("W-") ? "warning" : "refusal" }, h("code", {}, fault.code), " ", fault.message, fault.rule ? ` (${fault.rule})` : "", fault.hint ? h("em", {}, ` — ${fault.hint}`) : null, " ", place);
}

function goTo(line) {
  const field = document.getElementById("text"), lines = field.value.split("\n");
  const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  document.getElementById("letter").open = true;
  field.focus();
  field.setSelectionRange(from, from + (lines[line - 1] || "").length);
}

/** Do something that may be refused. */
function attempt(deed) {
  const notice = document.getElementById("notice");
  notice?.replaceChildren();
  try { return deed(); } catch (error) {
    if (!error.refused) throw error;
    notice?.replaceChildren(h("ul", { class: "faults", role: "alert" }, ...error.refused.map(faultLine)));
    return null;
  }
}

function opened(found) {
  if (!found) return;
  if (found.invited) { joining(found.invited); return; }
  ({ sitting, state } = found);
  chosen = active = null; showsBefore = false; safe = true;
  layOut(!found.board);
  if (found.board) board.lay(found.board);
  refresh(state);
  if (found.board) setTimeout(() => ask("warm"), 200);
  if (found.board) board.show(state.pieces.filter((piece) => sitting.powers.includes(piece.power)).map((piece) => piece.city));
}

function openBytes(bytes, name) {
  if (!safe && sitting?.kind === "report" && !confirm(say("draft-lost"))) return;
  attempt(() => opened(ask("open", lettersOf(bytes), name)));
}

const openText = (text) => openBytes(new TextEncoder().encode(text), "report.yaml");
const openFile = async (file) => openBytes(new Uint8Array(await file.arrayBuffer()), file.name);

/** The page before anything is opened. */
function welcome() {
  const field = h("textarea", { rows: 5, spellcheck: "false", "aria-label": say("paste") });
  const file = h("input", { type: "file", id: "file", class: "file", onchange: (event) => { if (event.target.files[0]) openFile(event.target.files[0]); } });
  page.className = "welcome";
  page.replaceChildren(
    h("header", {}, h("p", { class: "name" }, "pbem"), h("h1", {}, say("title")), languages(speak)),
    h("div", { id: "notice" }),
    h("section", { class: "open" }, h("h2", {}, say("open")), h("p", {}, say("open-hint")), file, h("label", { for: "file", class: "button" }, say("open-button")),
      h("details", {}, h("summary", {}, say("paste")), field, h("button", { type: "button", onclick: () => openText(field.value) }, say("paste-done")))),
    practice(), footer());
}

/** Where a game against bots is begun. */
function practice() {
  const games = ask("scenarios"), list = (id, word, changed) => h("select", { id, "aria-label": say(word), onchange: changed });
  const seats = list("seat", "seat");
  const scenario = list("scenario", "scenario", () => fill());
  const bot = h("select", { id: "bot", "aria-label": say("bot") }, ...["sensible", "random"].map((each) => h("option", { value: each }, say(`bot-${each}`))));
  const fill = () => seats.replaceChildren(...Object.entries(ask("seats", ...scenario.value.split("/"))).map(([seat, name]) => h("option", { value: seat }, name)));
  scenario.append(...Object.entries(games).map(([game, titles]) => h("optgroup", { label: game.toUpperCase() }, ...Object.entries(titles).map(([name, title]) => h("option", { value: `${game}/${name}` }, title)))));
  const begin = async (event) => {
    event.preventDefault();
    await rest();
    attempt(() => opened(ask("practise", ...scenario.value.split("/"), seats.value, bot.value)));
  };
  const made = h("details", { class: "practice", ontoggle: () => { if (!seats.childElementCount) fill(); } }, h("summary", {}, say("practice")), h("p", {}, say("practice-hint")),
    h("form", { class: "row", onsubmit: begin }, scenario, seats, bot, h("button", { class: "take", id: "practise" }, say("begin"))));
  return made;
}

function goOn() {
  const found = attempt(() => ask("go_on"));
  if (found) { opened(found); document.querySelector(".side").scrollTop = 0; }
}

function footer() {
  return h("footer", {}, h("details", {}, h("summary", {}, say("licences")), h("ul", {}, document.getElementById("licences").content.cloneNode(true))));
}

function languages(spoken = () => {}) {
  const names = { en: "English", de: "Deutsch", es: "Español", it: "Italiano" };
  return h("select", { class: "languages", "aria-label": say("language"), onchange: (event) => spoken(event.target.value) }, ...Object.entries(names).map(([key, name]) => h("option", { value: key, selected: key === language }, name)));
}

function speak(wanted) {
  language = document.documentElement.lang = wanted;
  document.title = `pbem · ${say("title")}`;
  const kept = safe, found = attempt(() => ask("speak", wanted));
  if (found) { opened(found); safe = kept; } else welcome();
}

/** The frame of the page: the board, and beside it everything else. */
function layOut(keep) {
  page.className = "laid";
  const place = keep ? board.place : h("section", { class: "place", "aria-label": say("board") });
  const button = (id, word, deed) => h("button", { type: "button", id, onclick: deed }, say(word));
  const text = h("textarea", { id: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", rows: 14, "aria-label": say("letter"), oninput: typed });
  page.replaceChildren(
    place,
    h("div", { class: "side" },
      h("header", {}, h("div", { class: "row" }, h("p", { class: "name" }, sitting.campaign ? `pbem · ${sitting.campaign}` : "pbem"), languages(speak)),
        h("h1", {}, sitting.stage), h("p", { class: "who" }, ...whose())),
      h("div", { class: "bar", role: "toolbar" }, button("undo", "undo", () => change("undo")), button("redo", "redo", () => change("redo")), h("button", { type: "button", id: "before", "aria-pressed": "false", onclick: flip }, say("before")), sitting.kind === "practice" && !sitting.over ? h("button", { type: "button", id: "go-on", class: "take", onclick: goOn }, say("go-on")) : null),
      h("div", { id: "notice", "aria-live": "polite" }),
      sitting.kind === "practice" ? h("section", { id: "news" }, sitting.over ? h("h2", {}, say("over")) : null, sitting.news.length ? h("h2", {}, say("news")) : null, ...blocks(sitting.news)) : null,
      h("section", { id: "chosen", "aria-live": "polite" }),
      h("section", { id: "asked" }, h("h2", {}, say("questions"))),
      h("section", { id: "hands" }),
      h("section", { id: "outcome" }),
      h("details", { id: "letter", open: true }, h("summary", {}, say("letter")), h("p", { class: "note" }, say("letter-hint")), h("ul", { class: "faults", id: "faults" }), text,
        sitting.kind === "report" && sitting.seat ? signing() : null,
        h("div", { class: "buttons", id: "sending" }, button("copy", "copy", copyLetter), button("download", "download", downloadLetter), sitting.campaign ? button("mail", "mail", mailLetter) : null, sitting.campaign && navigator.share ? button("share", "share", shareLetter) : null)),
      h("div", { class: "buttons" }, button("another", "another", () => { if (safe || confirm(say("draft-lost"))) { safe = true; sitting = null; welcome(); } })),
      footer()));
  if (key && document.getElementById("key")) showKey(key);
  if (!keep) board = new Board(place, clickCity, hoverCity);
}

/** Where a key is taken or made. */
function keyPlace() {
  const file = h("input", { type: "file", id: "key-file", class: "file", onchange: (event) => { if (event.target.files[0]) takeKey(event.target.files[0]); } });
  return h("div", { id: "key" }, h("div", { class: "buttons" }, file, h("label", { for: "key-file", class: "button" }, say("key-file")), h("button", { type: "button", id: "new-key", onclick: makeKey }, say("key-new"))), h("p", { class: "note" }, say("key-note")));
}

/** An invitation: who one is, and the letter that takes the seat. */
function joining(invited) {
  sitting = null;
  const name = h("input", { id: "name", autocomplete: "name", maxlength: 80 }), reports = languages();
  reports.removeAttribute("class");
  const text = h("textarea", { id: "text", rows: 14, readonly: true, spellcheck: "false", "aria-label": say("letter"), hidden: true });
  const sending = h("div", { class: "buttons", hidden: true }, h("button", { type: "button", onclick: copyLetter }, say("copy")), h("button", { type: "button", onclick: () => { save(text.value, `join-${invited.campaign}.yaml`); safe = true; } }, say("download")));
  const write = (event) => {
    event.preventDefault();
    const letter = attempt(() => ask("join", name.value, reports.value));
    if (letter) { text.value = letter; text.hidden = sending.hidden = false; safe = false; }
  };
  page.className = "welcome";
  page.replaceChildren(
    h("header", {}, h("p", { class: "name" }, "pbem"), h("h1", {}, invited.campaign)), h("div", { id: "notice" }),
    h("section", { class: "open" }, h("h2", {}, `${say("invited")} ${invited.name}`),
      h("p", {}, `${say("moderator")} ${invited.host} `, h("code", {}, invited.moderator)), h("p", { class: "note" }, say("moderator-hint")), keyPlace(),
      h("form", { class: "join", onsubmit: write }, h("label", { for: "name" }, say("name")), name, h("label", {}, say("reports"), " ", reports), h("button", { id: "sign", class: "take", disabled: !key }, say("join"))), text, sending),
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => { if (safe || confirm(say("draft-lost"))) { safe = true; welcome(); } } }, say("another"))), footer());
  if (key) showKey(key);
}

/** Where the letter is signed. */
function signing() {
  return h("fieldset", { id: "signing" }, h("legend", {}, say("sign")), keyPlace(),
    h("div", { class: "buttons" }, h("button", { type: "button", id: "sign", class: "take", disabled: !key, onclick: signLetter }, say("sign-now"))),
    h("p", { id: "signed", "aria-live": "polite" }));
}

let key = "";

function showKey(found) {
  key = found;
  document.getElementById("key").replaceChildren(h("p", {}, `${say("key-have")} `, h("code", {}, key)), ...(sitting ? [h("p", { class: "note" }, say("key-warning"))] : []));
  document.getElementById("key").append(h("button", { type: "button", id: "key-other", onclick: forgetKey }, say("key-other")));
  document.getElementById("sign").disabled = false;
}

function forgetKey() {
  key = "";
  ask("forget_key");
  document.getElementById("key").replaceWith(keyPlace());
  document.getElementById("sign").disabled = true;
}

async function takeKey(file) {
  const data = lettersOf(new Uint8Array(await file.arrayBuffer()));
  const answer = attempt(() => ask("key", data, ""));
  if (answer?.key) showKey(answer.key);
  if (!answer?.locked) return;
  const field = h("input", { type: "password", id: "passphrase", autocomplete: "off", "aria-label": say("passphrase") });
  const open = async (event) => {
    event.preventDefault();
    const passphrase = field.value;
    field.disabled = true;
    await rest();
    const opened = attempt(() => ask("key", data, passphrase));
    field.disabled = false;
    field.value = "";
    if (opened?.key) showKey(opened.key); else field.focus();
  };
  document.getElementById("key").append(h("form", { class: "row", onsubmit: open }, h("label", { for: "passphrase" }, say("passphrase")), field, h("button", {}, say("key-unlock"))));
  field.focus();
}

function makeKey() {
  const field = h("input", { type: "password", id: "passphrase", autocomplete: "new-password" });
  const make = (event) => {
    event.preventDefault();
    const made = attempt(() => ask("new_key", field.value));
    field.value = "";
    if (!made) return;
    save(made.file, "pbem-key");
    save(`${made.public}\n`, "pbem-key.pub");
    showKey(made.key);
  };
  document.getElementById("key").append(h("form", { class: "row", onsubmit: make }, h("label", { for: "passphrase" }, say("passphrase-new")), field, h("button", {}, say("key-make"))));
  field.focus();
}

function signLetter() {
  if (state.faults.some((fault) => fault.code.startsWith("E-")) && !confirm(say("sign-wrong"))) return;
  change("sign");
}

function whose() {
  if (sitting.kind === "practice") return [h("strong", {}, sitting.name), ` · ${say("practice")}`];
  if (!sitting.seat) return [sitting.kind === "position" ? say("position") : ""];
  const names = h("strong", {}, sitting.name), told = [names, " · ", say(sitting.mine ? "mine" : "not-mine")];
  if (!sitting.mine && sitting.owing.length) told.push(" ", say("waits"), " ", sitting.owing.join(", "), ".");
  if (sitting.deadline) told.push(h("br"), say("deadline"), " ", h("time", { datetime: sitting.deadline }, new Date(sitting.deadline).toLocaleString(language, { dateStyle: "full", timeStyle: "short" })));
  return told;
}

/** Ask for a change of the letter, and show what it has become. */
function change(name, ...given) {
  const found = attempt(() => ask(name, ...given));
  if (found) { chosen = active = null; safe = false; refresh(found); }
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
  board.stand(showsBefore ? ask("before") : state.over);
}

function refresh(found) {
  state = found;
  if (showsBefore) flip(); else board.stand(state.over);
  board.mark(null, []);
  const text = document.getElementById("text");
  if (text.value !== state.text) text.value = state.text;
  document.getElementById("undo").disabled = !state.undo;
  document.getElementById("redo").disabled = !state.redo;
  const signed = document.getElementById("signed");
  if (signed) signed.textContent = state.signed ? `${say("signed")} ${state.signed}` : "";
  const faults = document.getElementById("faults");
  faults.replaceChildren(...(state.faults.length ? state.faults.map(faultLine) : [h("li", { class: "well" }, say("no-faults"))]));
  if (state.missing.length) faults.append(h("li", { class: "warning" }, `${say("missing")} ${state.missing.map((power) => sitting.power_names[power] || power).join(", ")}`));
  const outcome = document.getElementById("outcome");
  outcome.replaceChildren(...(state.told.length ? [h("h2", {}, say("outcome")), ...blocks(state.told)] : []));
  if (state.hidden) outcome.append(h("p", { class: "note" }, say("hidden")));
  document.getElementById("hands").replaceChildren(...hands());
  document.getElementById("asked").replaceChildren(h("h2", {}, say("questions")), ...questions());
  tellChosen();
}

function hands() {
  const found = Object.entries(state.hands.hands).filter(([, cards]) => cards.length);
  const own = found.map(([power, cards]) => h("div", { class: "hand" }, h("h3", {}, sitting.power_names[power] || power), h("div", { class: "cards" }, ...cards.map(card))));
  const others = Object.entries(state.hands.sizes).filter(([power, size]) => size && !state.hands.hands[power]).map(([power, size]) => `${sitting.power_names[power] || power}: ${size}`);
  return [found.length ? h("h2", {}, say("hand")) : null, ...own, others.length ? h("p", { class: "note" }, `${say("cards-others")} — ${others.join(" · ")}`) : null].filter(Boolean);
}

function card(written) {
  const [, suit, value] = /^([♣♦♥♠]?)(.*?)(?:\/.*)?$/.exec(written);
  return h("span", { class: `card${"♥♦".includes(suit) && suit ? " red" : ""}`, title: written }, h("b", {}, value), suit);
}

const isMarch = (asked) => Boolean(asked.data.marches);

function questions() {
  if (state.hidden) return [];
  if (!state.asked.length) return [h("p", { class: "note" }, say("nothing-asked"))];
  const shown = (asked, at) => {
    const made = h("article", { class: "asked", "data-section": asked.form.section, "data-power": asked.power }, h("p", {}, suited(asked.question), asked.form.rule ? h("small", {}, ` ${asked.form.rule}`) : null));
    const write = (tree) => change("put", asked.power, { [asked.form.section]: tree });
    const focused = (form) => { active = form; chosen = null; markPlaces(); };
    const { element, made: form } = formOf(asked, write, focused);
    if (isMarch(asked)) made.append(h("p", { class: "note" }, say("click-march")), h("details", {}, h("summary", {}, asked.form.section), element));
    else { made.append(element); if (at === 0) active = form; }
    return made;
  };
  const must = state.asked.filter((asked) => !asked.free).map(shown), may = state.asked.filter((asked) => asked.free).map((asked) => shown(asked, 1));
  const found = [...must, may.length ? h("details", { class: "anytime" }, h("summary", {}, say("anytime")), ...may) : null].filter(Boolean);
  setTimeout(markPlaces);
  return found;
}

/** Where a click answers the question that is being filled in. */
function markPlaces() {
  if (!chosen && active) board.mark(null, [...active.cities.keys()].map((city) => ({ city })));
}

/** What may march out of a city: single pieces and stacks, the largest first. */
function columnsIn(city) {
  return state.asked.filter(isMarch).flatMap((asked) => asked.data.marches.filter((march) => march.from === city).map((march) => ({ ...march, power: asked.power, section: asked.form.section }))).sort((a, b) => b.pieces.length - a.pieces.length);
}

function choose(columns, at, strange = false) {
  chosen = { columns, at, strange, ...columns[at] };
  active = null;
  chosen.ends = new Map(chosen.to.map((end) => [end.city, end]));
  board.mark(chosen.from, chosen.to, strange);
  tellChosen();
}

function tellChosen() {
  const place = document.getElementById("chosen");
  if (!chosen) { place.replaceChildren(); return; }
  const chips = chosen.columns.length > 1 ? h("div", { class: "chips", role: "group", "aria-label": say("who") }, ...chosen.columns.map((column, at) => h("button", { type: "button", "aria-pressed": String(at === chosen.at), onclick: () => choose(chosen.columns, at, chosen.strange) }, column.pieces.join(" + ")))) : null;
  const goals = h("select", { "aria-label": say("ends"), onchange: (event) => { if (event.target.value) march(event.target.value); } }, h("option", { value: "" }, `${say("ends")} (${chosen.to.length})`), ...chosen.to.map((end) => h("option", { value: end.city }, endText(end))));
  const declared = (chosen.declared || []).map((each) => h("p", { class: "note" }, `${each.generals.join(" + ")}: ${say("declared")} ${each.troops}${each.sure ? "" : "?"}`));
  place.replaceChildren(h("h2", {}, chosen.strange ? say("look") : say("who")), h("p", {}, h("strong", {}, chosen.pieces.join(" + ")), ` · ${chosen.from}`), ...[chips, chosen.strange ? null : goals, ...declared].filter(Boolean));
}

const endText = (end) => [end.city, end.suit, end.forced ? say("forced") : "", end.meets ? say("meets") : "", end.aim ? say("aim") : ""].filter(Boolean).join(" · ");

function march(city) {
  const end = chosen.ends.get(city);
  change("put", chosen.power, { [chosen.section]: [{ [chosen.pieces.join(" + ")]: end.city }] });
}

function clickCity(city) {
  if (!city) { chosen = null; board.mark(null, []); tellChosen(); markPlaces(); return; }
  if (chosen && !chosen.strange && chosen.ends.has(city)) { march(city); return; }
  const columns = columnsIn(city);
  if (!(active && active.cities.has(city)) || columns.length) {
    if (columns.length) { choose(columns, chosen && !chosen.strange && chosen.from === city ? (chosen.at + 1) % columns.length : 0); return; }
    const there = state.pieces.filter((piece) => piece.city === city);
    if (there.length) { attempt(() => lookUp(there)); return; }
  }
  if (active && active.cities.has(city)) { active.cities.get(city)(); board.mark(city, [...active.cities.keys()].map((each) => ({ city: each }))); }
}

function lookUp(there) {
  const [found] = ask("reach", there.filter((piece) => piece.power === there[0].power && piece.kind === there[0].kind).map((piece) => piece.name));
  if (found?.marches?.length) choose(found.marches.map((each) => ({ ...each, declared: found.declared })), 0, true);
}

function hoverCity(city, event) {
  if (!city || !state) { board.tell([]); board.trail("", []); return; }
  const end = chosen?.ends.get(city), lines = [end ? endText(end) : city];
  for (const piece of state.pieces.filter((each) => each.city === city)) lines.push(`${piece.name} (${sitting.power_names[piece.power] || piece.power})${piece.troops === null ? "" : ` · ${piece.troops} ${say("troops")}`}${piece.down ? ` · ${say("down")}` : ""}`);
  const cards = end && !chosen.strange ? (state.hands.hands[chosen.power] || []).filter((each) => each.startsWith(end.suit) || each.startsWith("R")) : [];
  if (cards.length && end.meets) lines.push(`${say("cards-here")}: ${cards.map((each) => each.split("/")[0]).join(" ")}`);
  board.tell(lines, event);
  if (end) board.trail(chosen.from, end.path); else board.trail("", []);
}

async function copyLetter(event) {
  const text = document.getElementById("text");
  try { await navigator.clipboard.writeText(text.value); } catch { text.select(); document.execCommand("copy"); }
  safe = true;
  event.target.textContent = say("copied");
  setTimeout(() => { event.target.textContent = say("copy"); }, 2000);
}

function save(text, name) { h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/octet-stream" })), download: name }).click(); }

const letterName = () => `orders-${sitting.campaign || "position"}-${sitting.seat || "all"}.yaml`;

function downloadLetter() {
  save(document.getElementById("text").value, letterName());
  safe = true;
}

function mailLetter() {
  h("a", { href: `mailto:?subject=${encodeURIComponent(`[${sitting.campaign}] ${sitting.seat}`)}&body=${encodeURIComponent(document.getElementById("text").value)}` }).click();
  safe = true;
}

async function shareLetter() {
  try { await navigator.share({ title: letterName(), text: document.getElementById("text").value }); safe = true; } catch { /* whoever changes their mind has shared nothing */ }
}

addEventListener("beforeunload", (event) => { if (!safe) event.preventDefault(); });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => { event.preventDefault(); if (bridge && event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]); });
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain") || "";
  if (bridge && !/^(TEXTAREA|INPUT)$/.test(document.activeElement?.tagName) && text.includes("pbem:")) { event.preventDefault(); openText(text); }
});
addEventListener("keydown", (event) => {
  if (!sitting || /^(TEXTAREA|INPUT|SELECT)$/.test(document.activeElement?.tagName)) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") { event.preventDefault(); change(event.shiftKey ? "redo" : "undo"); }
  if (event.key === "Escape") clickCity(null);
});

(async () => {
  document.title = `pbem · ${say("title")}`;
  page.className = "loading";
  page.replaceChildren(h("p", { role: "status" }, say("loading")), h("p", { class: "note" }, say("loading-more")));
  await rest();
  try { await begin(); } catch (error) { page.replaceChildren(h("p", { role: "alert" }, say("failed")), h("pre", {}, String(error).slice(-2000))); throw error; }
  welcome();
  const enclosed = document.getElementById("enclosed");
  if (enclosed.textContent) openBytes(bytesOf(enclosed.textContent), enclosed.dataset.name);
  window.desk = { ...window.desk, ready: performance.now() };
})();
