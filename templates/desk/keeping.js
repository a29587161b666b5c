// Keeping: what the browser keeps of games, drafts, moderators and keys, and one file with all of it.
const KEPT = "pbem-kept ", KEYS = "pbem-key ", DESK_FILE = "everything of a desk";
const LATEST = 2;
let openedFile = null, keeps = true, entered = "";
/** Newest report of this game that was opened in this browser: its number, and its note as long as the note is kept. Null if this report is the one that lies on the desk. */
let newer = null;

/** A note in the browser's storage; a browser that keeps nothing has none. */
function stored(name) { try { return localStorage.getItem(name); } catch { return null; } }

/** Write a note; where there is no room, reports that are kept for notebooks give way. Tells whether it is stored. */
function store(name, text) {
  do { try { localStorage.setItem(name, text); return true; } catch { /* no room, or nothing is kept here */ } } while (dropOldestReport(name));
  return false;
}

function discard(name) { fleeting.delete(name); try { localStorage.removeItem(name); } catch { /* nothing was kept */ } }

/** Tell if the browser stores notes now. */
function canStore() {
  const can = store("pbem-try", "");
  discard("pbem-try");
  return can;
}

function storedBelow(begin) { try { return Object.keys(localStorage).filter((name) => name.startsWith(begin)); } catch { return []; } }

/** Tell if a value is a list of numbers of letters. */
const areNumbers = (given) => Array.isArray(given) && given.every((each) => Number.isInteger(each) && each > 0 && each < 1e6);

const areTexts = (...given) => given.every((each) => typeof each === "string");

/** Tell if a note of an invitation has all that its page shows. */
const isJoining = (found) => areTexts(found.file, found.name, found.drafts.join, found.seat, found.moderator, found.called, found.reports) && typeof found.is_sent === "boolean";

/** Tell if a note is of a game or a report with which one can go on. Other pages of the same origin can write notes, too. */
const isKept = (found) => areTexts(found?.id, found.title, found.stage, found.chosen, ...Object.values(found.drafts), ...Object.values(found.mailed ?? {}), found.deadline ?? "", found.moved ?? "") && Number.isFinite(found.time) && new Date(found.time).getTime() > 0
  && (found.unseen === undefined || Array.isArray(found.unseen)) && (found.since === undefined || Number.isInteger(found.since) && found.since >= 0) && (found.kind === "game" ? areTexts(found.saved) : found.kind === "join" ? isJoining(found) : found.kind === "branch" ? areTexts(found.saved, found.of, found.name) : found.kind === "report" && areTexts(found.file, found.name, found.seat ?? "", found.moderator ?? "") && areNumbers(found.sent ?? []) && [found.last ?? 0, found.last_before ?? 0].every((each) => each === 0 || areNumbers([each])) && Number.isInteger(found.entry ?? 0));

/** Tell if two notes are of reports to one seat. Notes of earlier versions name the seat in their title alone. */
const areOfOneSeat = (one, other) => one.kind === "report" && other.kind === "report" && (one.seat && other.seat ? one.seat === other.seat && one.moderator === other.moderator : one.title === other.title);

/** Order of notes in which the newest report stands first. */
const byEntry = (one, other) => (other.entry ?? 0) - (one.entry ?? 0) || other.time - one.time;

/** Branches of reports that came sealed, by the names of their notes: they are never written down, for they tell what was sealed. */
const fleeting = new Map();

/** A note of something with which one can go on; one that somebody has damaged is none. */
function keptAt(name) { if (fleeting.has(name)) return fleeting.get(name); try { const found = JSON.parse(stored(name)); return isKept(found) && name === KEPT + found.id ? found : null; } catch { return null; } }

/** Games and reports that were kept, the latest first. */
function keptGames() {
  return [...storedBelow(KEPT), ...fleeting.keys()].map(keptAt).filter(Boolean).sort((one, other) => other.time - one.time);
}

/** Say on the button that leads home where it leads, and whether what lies here stays. */
function tellHome(found) {
  const button = document.getElementById("another"), word = say(table ? "another-table" : found && keeps ? "another-kept" : "another");
  button.title = word;
  button.querySelector(".spoken").textContent = word;
}

/** A number that tells one enclosed report from another, for a reload. */
const enclosedMark = () => [...document.getElementById("enclosed").textContent].reduce((mark, letter) => (mark * 31 + letter.charCodeAt(0)) | 0, 0);

/** Keep what lies on the desk, after every change. */
function keep() {
  const found = sitting && !posed ? ask("kept") : null;
  tellHome(found);
  if (!found || (found.kind === "report" && !openedFile)) return;
  // A newer report on the same position stays, whatever is written on this one.
  const file = newer?.kept?.id === found.id ? { file: newer.kept.file, name: newer.kept.name, entry: newer.kept.entry, over: newer.kept.over } : found.kind === "report" ? { file: lettersOf(openedFile.bytes), name: openedFile.name } : found.kind === "branch" ? { name: branchName } : {}, time = Date.now();
  if (entered === found.id && isNewerElsewhere()) { tellElsewhere(); return; }
  lastKept = time;
  const note = { ...found, ...file, time, unseen: [...unseen], since: sinceOrders, mailed: sentTexts, deadline: sitting.deadline ?? "", moved: movedFrom, ...ended.length ? { battle: true } : {} };
  if (found.kind === "branch" && isFleeting) fleeting.set(KEPT + found.id, { ...note, fleeting: true }); else keeps = store(KEPT + found.id, JSON.stringify(note));
  if (!keeps && !document.getElementById("kept-not")) page.querySelector(".side header").append(h("p", { id: "kept-not", role: "alert" }, say("keeps-nothing")));
  if (entered === found.id) return;
  entered = found.id;
  enter(found.id, history.state?.id ? "replaceState" : "pushState");
  navigator.storage?.persist?.().catch(() => false);
  if (found.kind === "report") discardJoined(found);
  if (found.kind === "report") for (const older of keptGames().filter((each) => each.id !== found.id && areOfOneSeat(each, found)).sort(byEntry).slice(LATEST - 1)) discardKept(older);
}

/** Note in the history of the tab what lies open: a reload goes on with it. */
function enter(id, way = "replaceState") {
  if (history.state?.id !== id) history[way]({ id, enclosed: enclosedMark() }, "");
}

/** Look among the reports that were opened in this browser for the newest one of this game. */
function newerOpened() {
  const here = sitting.kind === "report" && sitting.seat ? ask("kept") : null;
  if (!here) return null;
  const [kept] = keptGames().filter((each) => areOfOneSeat(each, here) && each.entry > here.entry).sort(byEntry);
  if (kept) return { number: kept.entry, kept };
  const counted = numbersOf(here.seat).filter((number) => number > here.entry && keptReport(`${here.seat}.${number}`)?.moderator === here.moderator);
  return counted.length ? { number: Math.max(...counted), kept: null } : null;
}

/** Say above everything else in the bar that this report is an older one, and lead to the newer one. */
function newerNotice() {
  if (!newer) return null;
  const { number, kept } = newer;
  return h("div", { id: "newer-report", role: "status" }, h("p", {}, fill("newer-report", { number })), kept ? h("button", { type: "button", id: "newer-open", class: "take", onclick: (event) => laying(event.target, () => goOnWith(kept)) }, say("newer-open")) : null);
}

/** Tell if orders or plans on top of a kept report are marked as sent. */
const isMarkedSent = (kept) => !MOTIONS.includes(kept.chosen) && Boolean(kept.drafts[kept.chosen]) && kept.mailed?.[kept.chosen] === kept.drafts[kept.chosen];

/** Name of a report that is older than another one of its game. */
const olderReport = ({ entry }) => entry ? fill("older-number", { number: entry }) : say("older-report");

/** Throw away something that was kept, and the branches that begin there. */
function discardKept(kept) {
  for (const each of [kept, ...branchesOf(kept.id)]) discard(KEPT + each.id);
}

/** Time of the note that this page has written last about what lies on it. */
let lastKept = 0;

const isNewerElsewhere = () => (keptAt(KEPT + entered)?.time ?? 0) > lastKept;

/** Say that what lies here goes on in another tab, where it is newer, and offer to go on from there. */
function tellElsewhere() {
  if (document.getElementById("elsewhere")) return;
  const goOnHere = () => { const found = keptAt(KEPT + entered); entered = ""; if (found) goOnWith(found); else home(); };
  page.append(h("section", { id: "elsewhere", role: "alertdialog", "aria-label": say("elsewhere") }, h("p", {}, say("elsewhere")), h("button", { type: "button", class: "take", onclick: goOnHere }, say("elsewhere-here"))));
  document.querySelector("#elsewhere button").focus();
}

// Another tab has opened or changed the same, and keeps it from now on.
addEventListener("storage", (event) => { if (bridge && sitting && entered && event.key === KEPT + entered && isNewerElsewhere()) tellElsewhere(); });

/** The highest number of a seat's letters that have gone, as far as the note of a report knows: signed ones, and those that are marked as sent. */
const lastNumberOf = (kept) => Math.max(0, kept.last ?? 0, ...kept.sent ?? [], ...Object.values(kept.mailed ?? {}).map((text) => Number(/^seq: ([0-9]{1,6})$/m.exec(text)?.[1] ?? 0)));

/** Take the letters that were kept for the report that was opened; gives its note. */
function keptLetters() {
  const found = sitting.kind === "report" && sitting.seat ? ask("kept") : null, games = found ? keptGames() : [], before = games.find((each) => each.id === found.id);
  // A proposal or a vote that answered another report has a number, too, of which this report knows nothing.
  const last = Math.max(before?.last_before ?? 0, ...games.filter((each) => each !== before && areOfOneSeat(each, found)).map(lastNumberOf)), gone = Object.keys(before?.drafts ?? {}).filter((draft) => before.mailed?.[draft] === before.drafts[draft]);
  if (before) state = attempt(() => ask("restore", before.drafts, before.chosen, before.sent ?? [])) ?? state;
  if (last) state = ask("number_from", last, gone);
  // Orders may be asked since: a proposal or a vote waits behind its tab.
  if (before && isMotion() && state.drafts.includes("orders")) state = attempt(() => ask("take_up", "orders")) ?? state;
  return before;
}

/** Go on with what was kept. */
function goOnWith(kept) {
  learning = null;
  if (kept.file) { openBytes(bytesOf(kept.file), kept.name); return; }
  branchName = kept.name ?? "";
  isFleeting = Boolean(kept.fleeting);
  attempt(() => opened(ask("resume", kept.saved, kept.drafts, kept.chosen), null, Boolean(kept.battle), kept));
}

/** Tell if the desk may be cleared: its content is kept, its letter was copied or saved, or the player says so. */
const mayLeave = () => safe || keeps || confirm(say("draft-lost"));

/** Tell if the table may be left: its newest state is stored or saved, or the moderator says so. */
const mayLeaveTable = () => tableLies !== "nowhere" || confirm(say("table-lost"));

/** Back to the first page. */
function home() {
  if (!mayLeave()) return;
  safe = true;
  if (table && sitting) { standUp(); return; }
  if (!mayLeaveTable()) return;
  leaveTable();
  sitting = beneath = null;
  entered = "";
  if (history.state) history.replaceState(null, "");
  welcome();
  scrollTo(0, 0);
}

addEventListener("popstate", (event) => {
  // A link that is followed is no step back.
  if (!bridge || location.hash) return;
  const kept = keptGames().find((each) => each.id === event.state?.id);
  if (kept) goOnWith(kept); else if (sitting || !document.getElementById("file")) home();
});

/** Tell if a report is of a seat at one of these tables, which has the seat's newest report. */
const isOfTable = (kept, tables) => kept.kind === "report" && tables.some((each) => kept.title.startsWith(`${each.campaign}: `));

/** On the first page: the tables and games that are kept here. A seat at a kept table is opened from there. */
function keptPlace() {
  const games = keptGames();
  const date = (time) => new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  const line = (kept, older, name, mark) => h("li", {}, h("button", { type: "button", class: `${mark} go-on-with`.trim(), "data-id": kept.id, onclick: (event) => laying(event.target, () => goOnWith(kept)) }, name),
    h("span", { class: "note" }, ` ${kept.kind === "join" ? joinStage(kept) : kept.over ? say("over") : isMarkedSent(kept) ? `${kept.stage} · ${say("table-is-sent")}` : kept.stage} · `, h("time", { datetime: new Date(kept.time).toISOString() }, date(kept.time)), " "),
    h("button", { type: "button", class: "plainly discard", "aria-label": `${say("discard")}: ${[kept.title, name].filter((each, at) => !at || each !== kept.title).join(", ")}`, onclick: (event) => askOnce(event.target, say("discard-sure"), () => { for (const each of [kept, ...older]) discardKept(each); welcome(); }) }, say("discard")),
    older.length ? h("ul", { class: "plain older-reports" }, ...older.map((each) => line(each, [], olderReport(each), ""))) : null);
  // A game stands there once, by its newest report; its older ones stand below that.
  const [newest, olderOf] = [[], new Map()];
  for (const kept of games) {
    const group = newest.find((each) => areOfOneSeat(each, kept)), [first, older] = group ? [group, kept].sort(byEntry) : [kept, null];
    if (group) newest[newest.indexOf(group)] = first; else newest.push(first);
    olderOf.set(first, [...olderOf.get(group) ?? [], older].filter(Boolean).sort(byEntry));
  }
  const lines = new Map(newest.map((kept) => [kept, line(kept, olderOf.get(kept), kept.kind === "branch" ? `${branchTitle(kept.name)} · ${kept.title}` : kept.title, kept.over ? "" : "take")])), lasting = h("p", { class: "note" }), listOf = (ended) => h("ul", { class: "plain" }, ...newest.filter((kept) => Boolean(kept.over) === ended).map((kept) => lines.get(kept)));
  const list = listOf(false), ended = listOf(true), heading = h("h2", {}, say("kept")), below = h("h3", {}, say("kept-ended")), place = h("section", { class: "kept" }, heading, list, below, ended, lasting);
  const tellEmpty = () => { heading.hidden = !list.childElementCount; below.hidden = !ended.childElementCount; place.hidden = heading.hidden && below.hidden; };
  tellEmpty();
  navigator.storage?.persisted?.().then((lasts) => { if (!lasts) lasting.textContent = say("kept-fleeting"); }, () => {});
  keptTables().then((tables) => {
    // Lines that stand there stay: somebody may be about to click one.
    for (const [kept, shown] of lines) if (isOfTable(kept, tables)) shown.remove();
    list.prepend(...tables.filter((each) => !isClosed(each)).map(tableLine));
    ended.prepend(...tables.filter(isClosed).map(tableLine));
    tellEmpty();
  }, () => {});
  return place;
}

/** Ask once more on the button itself; a second click does it. */
function askOnce(button, question, deed) {
  if (button.dataset.asked) { deed(); return; }
  button.dataset.asked = "yes";
  button.textContent = question;
  button.removeAttribute("aria-label");
}

/** One file with all that this browser keeps, and what can be done with it. */
function keepingPlace() {
  const file = h("input", { type: "file", id: "everything", class: "file", accept: ".json,application/json", onchange: (event) => { if (event.target.files[0]) openFile(event.target.files[0]); } });
  const keys = storedBelow(KEYS).map((name) => h("li", {}, h("code", {}, name.slice(KEYS.length)), " ", h("button", { type: "button", class: "plainly", onclick: (event) => askOnce(event.target, say("discard-key"), () => { discard(name); welcome(); }) }, say("discard"))));
  return h("details", { id: "keeping" }, h("summary", {}, say("keeping")), h("p", {}, say("keeping-hint")), canStore() ? null : h("p", { role: "alert" }, say("keeps-nothing")),
    h("div", { class: "buttons" }, h("button", { type: "button", id: "export", onclick: exportAll }, say("export")), file, h("label", { for: "everything", class: "button" }, say("import"))),
    keys.length ? h("h3", {}, say("keys-kept")) : null, keys.length ? h("ul", { class: "plain" }, ...keys) : null, ...notebooksKept());
}

function exportAll() {
  const keys = Object.fromEntries(storedBelow(KEYS).map((name) => [name.slice(KEYS.length), stored(name)]));
  save(JSON.stringify({ pbem: DESK_FILE, moderators: stored(NOTED) ?? noted, games: keptGames().filter((each) => !each.fleeting), keys, ...allNotebooks() }, null, 1), `pbem-desk-${new Date().toISOString().slice(0, 10)}.json`);
}

/** Everything of a desk in a file, or nothing if it is another one. */
function everythingIn(bytes) {
  if (bytes[0] !== 0x7b) return null;
  try { const found = JSON.parse(new TextDecoder().decode(bytes)); return found.pbem === DESK_FILE ? found : null; } catch { return null; }
}

/** Show what a file of a desk contains, and take it in if the reader agrees. Newer notes in this browser stay, and so do known moderators. */
function importing(all) {
  const games = [all.games].flat().filter((each) => { try { return isKept(each); } catch { return false; } });
  const keys = Object.entries(all.keys ?? {}).filter(([name, text]) => /^SHA256:[A-Za-z0-9+/]{43}$/.test(name) && typeof text === "string");
  const notebooks = notebooksIn(all);
  remember();
  const met = attempt(() => ask("moderators_in", String(all.moderators ?? "")));
  if (!met) return;
  const take = () => {
    const here = new Map(keptGames().map((each) => [each.id, each.time]));
    const newer = games.filter((each) => !(here.get(each.id) >= each.time));
    const done = [...newer.map((each) => store(KEPT + each.id, JSON.stringify(each))), ...keys.map(([name, text]) => stored(KEYS + name) !== null || store(KEYS + name, text)), ...notebooks.map((each) => each())];
    note(ask("take_moderators", String(all.moderators ?? "")));
    welcome();
    if (done.includes(false)) notify(h("p", { role: "alert" }, say("keeps-nothing")));
  };
  front(() => importing(all), say("import"), say("import-own"), h("ul", { class: "plain" }, ...games.map((each) => h("li", {}, String(each.title)))), notebooks.length ? h("p", {}, `${say("notebook-kept")} ${notebooks.length}`) : null,
    met.length ? h("p", {}, `${say("import-moderators")} ${met.join(", ")}`) : null, keys.length ? h("p", {}, `${say("keys-kept")}: ${keys.map(([name]) => name).join(", ")}`) : null,
    h("button", { type: "button", class: "take", id: "import-take", onclick: take }, say("import-take")));
}

/** Buttons that take a key out of this browser. */
const keptKeys = () => storedBelow(KEYS).map((name) => h("button", { type: "button", class: "kept-key", onclick: () => takeKey(new Blob([stored(name)])) }, `${say("key-kept")} ${name.slice(KEYS.length, KEYS.length + 15)}…`));

/** Form that keeps a key in this browser if its player wants that: never without a passphrase. */
function keyKeeping(fingerprint) {
  if (stored(KEYS + fingerprint)) return [h("p", { class: "note" }, say("key-is-kept"))];
  const field = h("input", { type: "password", id: "keeping-passphrase", autocomplete: "new-password", minlength: 8, required: true });
  const button = h("button", {}, say("key-keep"));
  const lock = async (event) => {
    event.preventDefault();
    const passphrase = field.value;
    field.disabled = button.disabled = true;
    await stretch(passphrase, ask("new_lock"));
    const file = attempt(() => ask("lock_key", passphrase));
    field.disabled = button.disabled = false;
    field.value = "";
    if (file) place.replaceWith(h("p", { class: "note" }, say(store(KEYS + fingerprint, file) ? "key-is-kept" : "keeps-nothing")));
  };
  const place = h("details", { id: "key-keeping" }, h("summary", {}, say("key-keep")), h("p", { class: "note" }, say("key-keep-hint")),
    h("form", { class: "row", onsubmit: lock }, h("label", { for: "keeping-passphrase" }, say("passphrase-keep")), field, button));
  return [place];
}
