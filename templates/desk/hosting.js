// Keeping a table: a campaign is founded, letters come in, the game goes on, letters go out; the browser stores the folder.
const TABLES = "pbem-tables";
let table = null, freeTable = null;
/** Place of the newest state of the table, beside the worker: `stored` in this browser, `saved` in a zip alone, or `nowhere`. */
let tableLies = "stored";

/** The browser's store of campaigns' folders: each file by campaign and name, and under no name what the first page tells of it. */
const tableStore = () => new Promise((done, fail) => {
  const asked = indexedDB.open(TABLES, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("files");
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => fail(asked.error);
});

/** Do something in one transaction: all of it is stored, or nothing. */
async function inStore(mode, deed) {
  const store = await tableStore();
  try {
    return await new Promise((done, fail) => {
      const change = store.transaction("files", mode, { durability: "strict" });
      let asked;
      change.oncomplete = () => done(asked?.result);
      change.onerror = change.onabort = () => fail(change.error);
      try { asked = deed(change.objectStore("files")); } catch (error) { change.abort(); throw error; } // else what it has written would stay
    });
  } finally { store.close(); }
}

/** Range of a campaign's files, or of those whose names have one beginning. */
const filesOf = (campaign, begin = "") => IDBKeyRange.bound([campaign, begin], [campaign, `${begin}\uffff`]);

/** Campaigns that this browser keeps, the latest first. */
async function keptTables() {
  const keys = await inStore("readonly", (files) => files.getAllKeys());
  const named = await Promise.all(keys.filter(([, name]) => !name).map((key) => inStore("readonly", (files) => files.get(key))));
  return named.filter(Boolean).sort((one, other) => other.time - one.time); // one may have been thrown away between the two questions
}

/** Store what has changed in the campaign before it is shown. With `isWhole`, everything is stored anew. If storing fails, the page says so, and goes on with what it has. */
async function storeTable(isWhole = false) {
  if (!table) return;
  const { campaign, phase, stage, unsaved } = table;
  try {
    const changed = await askFolder("host_changes");
    await inStore("readwrite", (files) => {
      if (isWhole) files.delete(filesOf(campaign));
      for (const [name, data] of Object.entries(changed)) if (data === null) files.delete([campaign, name]); else files.put(data, [campaign, name]);
      files.put({ campaign, phase, stage, unsaved, time: Date.now() }, [campaign, ""]);
    });
    await askFolder("host_stored");
    tableLies = "stored";
  } catch {
    tableLies = "nowhere";
  }
}

/** Hold a campaign for this tab alone; tells whether that could be. With a signal, wait until it can be, or until the signal says to wait no longer. */
function holdTable(campaign, signal) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((done) => navigator.locks.request(`${TABLES} ${campaign}`, signal ? { signal } : { ifAvailable: true }, (lock) => {
    done(Boolean(lock));
    return lock && new Promise((free) => { freeTable = free; });
  }).catch(() => done(!signal)));
}

/** Controller that ends the waiting for a campaign which another tab holds. */
let waitingForTable = null;

/** Hold a campaign; while another tab holds it, say so and wait. Tells whether it is held, or the reader has gone elsewhere. */
async function holdInTurn(campaign) {
  waitingForTable?.abort();
  if (await holdTable(campaign)) return true;
  alarmed(say("table-elsewhere"));
  waitingForTable = new AbortController();
  const isHeld = await holdTable(campaign, waitingForTable.signal);
  if (isHeld) notify();
  return isHeld;
}

function leaveTable() {
  waitingForTable?.abort();
  freeTable?.();
  table = freeTable = null;
  pasted = "";
  tableLies = "stored";
  leaveFolder();
}

/** Lend the key to the worker in which the table lies. */
const lendKey = () => askFolder("key", ask("host_key"), "");

/** On the first page: a new table, or one from a zip. */
function tablePlace() {
  const zip = h("input", { type: "file", id: "table-zip", class: "file", accept: ".zip", onchange: (event) => { if (event.target.files[0]) unzipTable(event.target.files[0]); } });
  return h("section", { class: "tables" }, h("h2", {}, say("table")), h("p", {}, say("table-hint")),
    h("div", { class: "buttons" }, h("button", { type: "button", id: "table-new", onclick: () => foundTable() }, say("table-new")), zip, h("label", { for: "table-zip", class: "button" }, say("table-zip"))));
}

/** True for a kept table at which nothing is left to do. */
const isClosed = (kept) => kept.phase === "closed";

/** The line of a table that is kept here. */
function tableLine(kept) {
  return h("li", {}, h("button", { type: "button", class: isClosed(kept) ? "" : "take", "data-table": kept.campaign, onclick: () => openTable(kept.campaign) }, kept.campaign), h("span", { class: "note" }, ` ${say(`phase-${kept.phase}`)} ${kept.stage} `, kept.unsaved ? h("span", { class: "unsaved" }, unsavedSince(kept.unsaved)) : null),
    h("button", { type: "button", class: "plainly", onclick: (event) => askOnce(event.target, say("table-discard"), async () => { await inStore("readwrite", (files) => files.delete(filesOf(kept.campaign))); welcome(); }) }, say("discard")));
}

/** Call `next` once there is the moderator's key, which signs the campaign and opens its secrets. A campaign that exists already needs its own key: the page asks for it, even if another key was taken before. */
function withKey(next, isNew = false) {
  askFolder("folder_ready"); // the worker begins while the key is chosen
  if (key && isNew) { next(); return; }
  front(() => withKey(next, isNew), say("table"), say(isNew ? "table-key" : "table-key-old"), keyPlace(isNew), h("button", { type: "button", id: "sign", class: "take", onclick: () => next() }, say("table-on")));
}

/** Function that shows the form of a new table again, from when it was filled in until the table is founded: somebody may step back from the key. */
let unfinished = null;

/** The form of a new campaign, or of one that nobody has joined yet: who plays what, how fast, how trusted. */
function foundTable(before = null) {
  if (!before && unfinished) { unfinished(); return; }
  const games = ask("scenarios"), field = (id, given = {}) => h("input", { id, maxlength: 80, autocomplete: "off", ...given });
  const scenario = h("select", { id: "scenario" }, ...Object.entries(games).map(([game, titles]) => h("optgroup", { label: game.toUpperCase() }, ...Object.entries(titles).map(([name, title]) => h("option", { value: `${game}/${name}` }, title)))));
  const choice = (id, values) => h("select", { id }, ...values.map((value) => h("option", { value }, say(`${id}-${value}`))));
  const name = field("table-name", { required: true, pattern: "[a-z0-9][a-z0-9\\-]{0,39}", placeholder: "silesia-1741", disabled: Boolean(before) }), me = field("table-me", { required: true }), address = field("table-address", { type: "email" });
  const way = choice("way", ["mail", "screen"]), pace = choice("pace", ["24h", "72h", "1w"]), delay = choice("delay", ["0m", "30m", "6h"]), trust = choice("trust", ["moderator", "reveal"]), stand = choice("stand", ["sensible", "none"]), seats = h("div", { id: "table-seats" }), mine = h("select", { id: "table-mine" });
  const given = (named) => Object.fromEntries(Object.entries(named).filter(([, value]) => value)), isHere = () => way.value === "screen";
  const seatForm = ([seat, label]) => {
    const bot = h("select", { class: "bot", "aria-label": `${label}: ${say("table-plays")}` }, ...["person", "sensible", "strong"].map((value) => h("option", { value }, say(`plays-${value}`)))), tongue = languages(), was = before?.seats[seat] ?? {};
    const called = field(`called-${seat}`, { class: "called", required: true, "aria-label": `${label}: ${say("table-called")}`, placeholder: say("table-called") }), mail = field(`address-${seat}`, { class: "address by-mail", type: "email", "aria-label": `${label}: ${say("table-address")}`, placeholder: say("table-address") });
    tongue.setAttribute("aria-label", `${label}: ${say("reports")}`);
    if (was.language) tongue.value = was.language;
    bot.value = was.bot || "person";
    if (!was.bot) { called.value = was.name ?? ""; mail.value = was.address ?? ""; }
    const turn = () => { for (const each of [called, mail, tongue]) each.hidden = bot.value !== "person"; called.required = bot.value === "person"; };
    bot.addEventListener("change", turn);
    turn();
    return h("fieldset", { "data-seat": seat }, h("legend", {}, label), bot, called, mail, tongue);
  };
  const fill = () => {
    const found = Object.entries(ask("seats", ...scenario.value.split("/")));
    seats.replaceChildren(...found.map(seatForm));
    mine.replaceChildren(h("option", { value: "" }, say("table-mine-none")), ...found.map(([seat, label]) => h("option", { value: seat }, label)));
  };
  const seatGiven = (form) => { const bot = form.querySelector(".bot").value, at = isHere() ? "" : form.querySelector(".address").value; return bot === "person" ? given({ name: form.querySelector(".called").value, address: at, language: form.querySelector(".languages").value }) : { bot }; };
  const found = async (event) => {
    event.preventDefault();
    const [game, title] = scenario.value.split("/"), web = location.href.split(/[?#]/)[0];
    if (!before && ((await keptTables().catch(() => [])).some((kept) => kept.campaign === name.value) || !await holdTable(name.value))) { alarmed(say("table-twice")); return; }
    const clock = { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...isHere() ? { next: "364d", delay: "0m" } : { next: pace.value, delay: delay.value } };
    const plan = {
      campaign: name.value, game, scenario: title, seats: Object.fromEntries([...seats.children].map((form) => [form.dataset.seat, seatGiven(form)])), clock,
      moderator: given({ name: me.value, ...isHere() ? {} : { address: address.value, seat: mine.value, desk: /^https:\/\/[!-;=?-~]{1,112}$/.test(web) ? web : "" } }),
      conduct: isHere() ? {} : given({ sealing: trust.value, stand_in: mine.value || stand.value === "none" ? "" : stand.value }),
    };
    unfinished = before ? null : show;
    const begin = async () => {
      show();
      await busy(async () => {
        await lendKey();
        const made = await attemptInFolder("host_found", plan, isHere());
        if (!made) { if (!before) leaveTable(); return; }
        table = made;
        unfinished = null;
        await storeTable(Boolean(before));
        showTable();
        scrollTo(0, 0);
      });
    };
    withKey(begin, true);
  };
  const begins = h("button", { class: "take", id: "table-found" });
  const row = (word, input, kind = "by-mail") => h("p", { class: kind }, h("label", { for: input.id }, say(word)), " ", input);
  const form = h("form", { class: "found", onsubmit: found }, row("way", way, "way"), row("scenario", scenario, ""), row("table-name", name, ""), row("table-me", me, ""), row("table-address", address), row("table-mine", mine), seats,
    row("pace", pace), row("delay", delay), row("trust", trust), row("stand", stand), h("p", { class: "note at-screen" }, say("screen-keys")), begins);
  const seated = () => { form.classList.toggle("here", isHere()); begins.textContent = say(before ? "table-anew" : isHere() ? "begin" : "table-found"); };
  // Name and address of a moderator who plays stand above: the row of the seat takes both from there.
  let taken = mine.value;
  const fields = (seat) => [["called", me], ["address", address]].map(([kind, from]) => [form.querySelector(`#${kind}-${seat}`), from]).filter(([field]) => field);
  const takeSeat = () => {
    if (taken !== mine.value) for (const [field] of fields(taken)) field.value = "";
    for (const [field, from] of fields(taken = mine.value)) field.value = from.value;
  };
  for (const each of [me, address]) each.addEventListener("input", takeSeat);
  mine.addEventListener("change", takeSeat);
  way.addEventListener("change", seated);
  scenario.addEventListener("change", fill);
  pace.value = "72h";
  if (before) {
    for (const [input, value] of [[scenario, before.scenario], [name, before.campaign], [me, before.moderator.name], [address, before.moderator.address], [pace, before.pace], [delay, before.delay], [trust, before.trust], [stand, before.stand]]) input.value = value;
    form.querySelector(".way").hidden = true;
  }
  fill();
  if (before) taken = mine.value = before.moderator.seat;
  seated();
  const show = () => front(() => { unfinished = null; foundTable(before); }, say("table"), say(before ? "table-change" : "table-new"), form);
  show();
}

const alarmed = (text) => notify(h("p", { role: "alert" }, text));

/** Files of a campaign that the browser keeps, or those whose names have one beginning: the bytes of each, by name. */
async function keptFiles(campaign, begin) {
  const range = filesOf(campaign, begin), keys = await inStore("readonly", (files) => files.getAllKeys(range)), all = await inStore("readonly", (files) => files.getAll(range));
  return Object.fromEntries(keys.map(([, name], at) => [name, all[at]]).filter(([name]) => name));
}

/** Open a campaign that the browser keeps. It is read once no other tab holds it. */
function openTable(campaign) {
  withKey(async () => {
    if (!await holdInTurn(campaign)) return;
    await busy(async () => {
      await lendKey();
      table = await attemptInFolder("host_open", await keptFiles(campaign));
      if (!table) { leaveTable(); return; }
      showTable();
      scrollTo(0, 0);
    });
  });
}

/** Take a campaign's folder from a zip. If a campaign of its name is kept here, or an entry of the zip was changed, the page first says what would be lost. */
async function unzipTable(file) {
  const data = new Uint8Array(await file.arrayBuffer());
  if (data[0] !== 0x50 || data[1] !== 0x4b) { openBytes(data, file.name); return; } // a letter, given at the wrong place
  withKey(async () => {
    const found = await busy(async () => { await lendKey(); return attemptInFolder("host_unzip", data.slice()); }); // another key may be given for it
    if (!found) { leaveTable(); return; }
    if (!await holdInTurn(found.campaign)) return;
    weighZip(found);
  });
}

/** Files of a kept campaign by which it is compared with one out of a zip; none if it is not kept. */
async function comparedFiles(campaign) {
  try { return { ...await keptFiles(campaign, "campaign.yaml"), ...await keptFiles(campaign, "ledger/") }; } catch { return {}; }
}

/** Take the campaign out of the zip at once where nothing speaks against it; else say what does, and ask. */
async function weighZip(found) {
  const { campaign } = found, take = () => busy(async () => { table = found; await storeTable(true); showTable(); });
  const told = await busy(async () => attemptInFolder("host_beside", await comparedFiles(campaign)));
  if (!told) { leaveTable(); return; }
  const { beside, faults } = told;
  if (!beside && !faults.length) { await take(); return; }
  const saveKept = () => busy(async () => { const zip = await attemptInFolder("host_kept_zip", campaign, await keptFiles(campaign)); if (zip) save(zip, `${campaign}-kept.zip`); });
  front(() => weighZip(found), campaign, say(beside ? "table-replace" : "table-zip"),
    beside ? h("p", { id: "beside" }, fill(`beside-${beside.kind}`, beside)) : null, faults.length ? h("ul", { class: "faults" }, ...faults.map(faultLine)) : null,
    h("div", { class: "buttons" }, beside ? h("button", { type: "button", id: "kept-save", onclick: saveKept }, say("table-keep-first")) : null, h("button", { type: "button", id: "zip-take", onclick: take }, say(beside ? "table-take" : "table-take-changed"))));
}

const OWING = ["none yet", "not revealed", "draft"]; // states of orders that are still awaited

/** People who ask for a seat for which the moderator chooses, as the page tells them. */
const askers = () => Object.entries(table.askers).flatMap(([seat, found]) => found.map((each) => ({ value: `${seat} ${each.number}`,
  told: `${table.labels[seat]}: ${[each.name || say("asker-nameless"), new Date(each.since).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }), each.language, each.key].filter(Boolean).join(" · ")}` })));

/** Seats from which something is awaited. */
const owing = () => Object.keys(table.seats).filter((seat) => OWING.includes(table.seats[seat].state));

/** Standings of letters by which their reader has to act: they are sent first. */
const TO_ACT = ["refused", "unfinished", "wordless"];

/** Letters in groups: the moderator's own, those to send first, further ones to send, receipts, letters in whose place others stand, and those that were sent. */
function letterGroups(letters) {
  const groups = { own: [], first: [], open: [], spare: [], overtaken: [], sent: [] };
  // Older letters to the moderator's own seat need no sending: they are read here.
  for (const letter of letters.filter((each) => each.standing !== "overtaken" || each.seat !== table.mine)) groups[letter.is_sent && letter.standing !== "own" ? "sent" : TO_ACT.includes(letter.standing) ? "first" : letter.standing].push(letter);
  return groups;
}

/** Name of a letter's reader: who it is, and the seat. */
const readerOf = ({ seat }) => table.labels[seat] ? [table.seats[seat].name, `(${table.labels[seat]})`].filter(Boolean).join(" ") : say("letter-stranger");

/** Line of the table about an evening, with its code at the end. */
const toldLine = (fault) => faultLine(fault, { isTold: true });

const linesOf = (some) => h("ul", { class: "plain" }, ...some.map(letterLine));

/** Letters under the names of their readers, in the order of the first letter of each. */
function byReader(some) {
  const readers = new Map();
  for (const letter of some) { const to = `${readerOf(letter)} ${letter.address}`; readers.set(to, [...readers.get(to) ?? [], letter]); }
  return [...readers].map(([to, theirs]) => h("section", { class: "reader", "data-seat": theirs[0].seat }, h("h4", {}, to), linesOf(theirs)));
}

/** Further letters, folded under one line until they are wanted. */
function folded(word, some) {
  const place = h("details", { class: "few", id: word, ontoggle: () => { if (place.childElementCount === 1) place.append(...byReader(some)); } }, h("summary", {}, `${say(word)} (${some.length})`));
  return some.length ? place : null;
}

/** Everything of the campaign: who owes what, the letters that came, the letters to send. */
function showTable(done = null, saved = "") {
  if (!table) return; // its worker has failed meanwhile, and the first page says so
  const { campaign, phase, stage, seats, letters, mine, labels, is_hot_seat: isHere } = table, isOver = phase === "closed";
  const { own, first, open, spare, overtaken, sent } = letterGroups(letters), due = [...first, ...open];
  front(async () => { table = await askFolder("host_view"); if (table) showTable(); }, campaign, `${say(`phase-${phase}`)} ${stage}`,
    table.result ? h("p", { id: "table-result" }, h("strong", {}, table.result)) : null,
    tableLies === "stored" ? null : h("p", { id: "not-stored", role: "alert" }, say("table-not-stored")),
    h("table", { class: "seats" }, ...Object.entries(seats).map(([seat, who]) => h("tr", {}, h("th", { scope: "row" }, labels[seat]), h("td", {}, who.name), h("td", {}, isOver ? "" : [who.state && say(`state-${who.state.replaceAll(" ", "-")}`), who.owes_votes.length ? fill("state-vote", { topics: who.owes_votes.join(", ") }) : ""].filter(Boolean).join("; "))))),
    askers().length ? h("section", { id: "askers" }, h("h3", {}, say("askers")), h("ul", { class: "plain" }, ...askers().map((each) => h("li", {}, each.told)))) : null,
    table.may_change && !isHere ? h("button", { type: "button", id: "table-change", class: "plainly", onclick: async () => { const plan = await askFolder("host_plan"); if (plan) foundTable(plan); } }, say("table-change")) : null,
    table.deadline && !isHere ? h("p", { class: "note" }, `${say("deadline")} `, timeOf(table.deadline)) : null,
    table.earliest ? h("p", { class: "note" }, `${say("table-from")} `, timeOf(table.earliest)) : null,
    table.unsaved ? h("p", { id: "table-unsaved", class: "note" }, unsavedSince(table.unsaved), " ", saving()) : saved ? h("p", { id: "table-saved", class: "note", role: "status" }, fill("file-saved", { name: saved })) : null,
    done ? h("ul", { id: "evening", class: "faults", "aria-live": "polite" }, done.act ? h("li", {}, `${say("act-done")} ${say(`act-${done.act}`)}.`, ...table.deadline ? [` ${say("deadline")} `, timeOf(table.deadline), "."] : []) : h("li", {}, ["taken", "refused", "known", "stages"].filter((each) => done[each]).map((each) => `${say(`evening-${each}`)}: ${done[each]}${each === "taken" ? tookOf(done) : ""}`).join(" · ") || say("evening-nothing")), ...done.faults.map(toldLine)) : null,
    ...isHere ? [h("p", { class: "note" }, say("screen-keys")), h("div", { class: "buttons", id: "table-turns" }, ...owing().map((seat) => h("button", { type: "button", class: "take turn", "data-seat": seat, onclick: () => turnAway(seat) }, `${say("screen-turn")} ${labels[seat]}`)))] : [
      ...isOver ? [] : [h("h3", {}, say("table-in")), h("p", { class: "note" }, say("table-in-hint")), lettersIn()],
      own.length ? h("h3", {}, `${say("table-own")}: ${labels[mine]}`) : null, own.length ? h("div", { id: "table-own" }, linesOf(own)) : null,
      h("h3", { id: "table-out-title" }, lettersToSend()), ...phase === "joining" ? [h("p", { class: "note" }, say("table-page")), pageGiving()] : [], h("div", { id: "table-out" }, ...byReader(due)), folded("table-receipts", spare), folded("table-overtaken", overtaken), folded("table-sent", sent)],
    isOver ? null : actsPlace(), ["over", "closed"].includes(phase) ? h("p", { class: "note", id: "table-ending" }, say(isOver ? "table-ended" : "table-ending")) : null,
    h("div", { class: "buttons" }, table.unsaved ? null : saving(), isOver ? null : closing(phase)));
}

/** Heading of the letters to send, with their number. */
function lettersToSend() {
  const { first, open } = letterGroups(table.letters);
  return `${say("table-out")} (${first.length + open.length})`;
}

/** Copy a text, or show it to be copied by hand where the browser refuses that; the button says so. */
async function copyOut(button, word, text) {
  await navigator.clipboard.writeText(text).catch(() => prompt(say(word), text));
  button.textContent = say("copied");
}

/** Buttons that give the page itself to friends: its address, or its file without the report with which it may have been loaded. */
function pageGiving() {
  if (location.protocol.startsWith("http")) return h("div", { class: "buttons" }, h("button", { type: "button", id: "page-address", onclick: (event) => copyOut(event.target, "page-address", location.href.split("#")[0]) }, say("page-address")));
  const enclosed = PAGE.querySelector("#enclosed"), name = decodeURIComponent(location.pathname.split("/").at(-1));
  enclosed.textContent = enclosed.dataset.name = "";
  const file = () => new File([`<!doctype html>\n${PAGE.outerHTML}\n`], name, { type: "text/html" });
  return h("div", { class: "buttons" }, h("button", { type: "button", id: "page-save", onclick: () => save(file(), name) }, say("page-save")),
    navigator.canShare?.({ files: [new File([""], name, { type: "text/html" })] }) ? h("button", { type: "button", id: "page-share", onclick: () => navigator.share({ files: [file()] }).catch(() => {}) }, say("share")) : null);
}

/** The letters that were taken: whose each is, and its kind. */
const tookOf = ({ took }) => took.length ? ` (${took.map(([seat, kind]) => `${readerOf({ seat })}: ${kind}`).join("; ")})` : "";

const unsavedSince = (since) => fill("table-unsaved", { since: new Date(since).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }) });

/** Button that saves the campaign as a zip. */
const saving = () => h("button", { type: "button", id: "table-save", onclick: () => busy(async () => {
  const zip = table && await askFolder("host_zip");  // the worker may have ended since the click
  if (!zip) return;
  const name = `${table.campaign}${table.phase === "closed" ? "-archive" : ""}.zip`;
  save(zip, name);
  table = await askFolder("host_view");
  await storeTable();
  if (tableLies === "nowhere") tableLies = "saved";
  showTableInPlace(name);
}) }, say(table.phase === "closed" ? "table-save-archive" : "table-save"));

/** Show the table again, at the same place of the page and with the same parts unfolded. */
function showTableInPlace(saved = "") {
  const at = scrollY, open = [...page.querySelectorAll("details[open][id]")].map((each) => each.id);
  showTable(null, saved);
  for (const id of open) document.getElementById(id)?.toggleAttribute("open", true);
  scrollTo(0, at);
}

/** Between two who sit at one screen: nothing is seen until whoever is named says so. */
function turnAway(seat) {
  const who = `${table.labels[seat]} (${table.seats[seat].name})`;
  front(() => turnAway(seat), table.campaign, fill("turn-away", { who }), h("p", {}, say("turn-away-hint")), h("button", { type: "button", id: "table-sit", class: "take", onclick: () => sit(seat) }, fill("turn-show", { who })));
}

/** Open the newest report to a seat at this screen; of several who sit here the browser keeps nothing. */
const sit = (seat, file = null) => busy(async () => {
  openedFile = file;
  const lent = await askFolder("host_report", seat), found = lent && attempt(() => ask("host_sit", seat, lent.report, lent.key, lent.last));
  if (!found) return;
  opened(found);
  keeps = Boolean(file);
});

/** True where the letter on the desk goes to the table that is kept here. */
const atOwnTable = () => Boolean(table) && sitting?.kind === "report" && sitting.campaign === table.campaign && (table.is_hot_seat || sitting.seat === table.mine);

/** In place of signing and sending: the letter is signed and given to the table by one button. */
function giving() {
  const seals = table.is_hot_seat ? null : sealing(), give = h("div", { class: "buttons" }, h("button", { type: "button", id: "sign", class: "take", onclick: giveLetter }, say("give")));
  return h("fieldset", { id: "signing" }, h("legend", { id: "given-draft" }), votePlace(), sitting.locked ? seals : null, give, h("p", { class: "note" }, say("give-hint")), sitting.locked ? null : seals, h("p", { id: "kind" }));
}

function giveLetter() {
  if (!mayBeSigned()) return;
  busy(async () => {
    const letter = attempt(() => ask("host_letter")), done = letter && await attemptInFolder("host_evening", [[letter[0], bytesOf(letter[1])]]);
    if (!done) return;
    table = await askFolder("host_view");
    await storeTable();
    if (done.taken) standUp(done); else notify(alarm(done.faults.map(toldLine)));
  });
}

/** Leave the desk for the table; who sits here next is called. */
function standUp(done = null) {
  sitting = beneath = null;
  entered = "";
  openedFile = null;
  safe = keeps = true;
  if (history.state?.id) history.replaceState(null, "");
  ask("host_rise");
  const [next] = owing();
  if (table.is_hot_seat && done && next) turnAway(next); else showTable(done);
}

/** Kinds of the fields of acts; all others are one line of text, and of those named here some may stay empty. */
const FIELD_KINDS = { seat: "select", entry: "select", first: "date", last: "date", asker: "select", orders: "textarea", ruling: "textarea", address: "email" }, MAY_BE_EMPTY = ["last", "why", "address"];

/** Further acts of whoever keeps the table: one form for each that is possible now. */
function actsPlace() {
  const input = (act, name) => {
    const kind = FIELD_KINDS[name] ?? "text", given = { name, id: `${act}-${name}`, required: !MAY_BE_EMPTY.includes(name) || act === "address" };
    if (kind === "textarea") return h("textarea", { ...given, rows: 4 });
    if (kind !== "select") return h("input", { ...given, type: kind, maxlength: 500, autocomplete: "off" });
    const made = h("select", given), offer = (choices) => made.append(...choices.map(([value, label]) => h("option", { value: String(value) }, label)));
    if (name === "asker") offer(askers().map((each) => [each.value, each.told]));
    else if (name === "seat") offer(Object.entries(table.labels));
    else askFolder("host_turns").then((turns) => offer((turns ?? []).map(([number, stage, time]) => [number, `${stage} · ${new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })}`])));
    return made;
  };
  const form = (act, fields) => h("form", { class: "found", "data-act": act, onsubmit: (event) => { event.preventDefault(); const given = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, String(value)])); askOnce(event.submitter, say("act-sure"), () => atTheTable("host_act", act, given)); } },
    h("p", {}, say(`act-${act}-hint`)), ...fields.map((name) => h("p", {}, h("label", { for: `${act}-${name}` }, say(`field-${name}`)), " ", input(act, name))), h("button", {}, say(`act-${act}`)));
  const one = ([act, fields]) => { const place = h("details", { "data-act": act, ontoggle: () => { if (place.childElementCount === 1) place.append(form(act, fields)); } }, h("summary", {}, say(`act-${act}`))); return place; };
  return h("details", { id: "table-acts" }, h("summary", {}, say("table-acts")), ...Object.entries(table.acts).map(one));
}

/** Button that ends the campaign; before the game is over it wants a reason, which everybody reads. */
function closing(phase) {
  const why = h("input", { id: "table-why", maxlength: 200, hidden: phase === "over", placeholder: say("table-why"), "aria-label": say("table-why") });
  return h("span", {}, why, h("button", { type: "button", id: "table-close", onclick: (event) => { if (phase === "over" || why.value.trim()) askOnce(event.target, say("table-close-sure"), () => atTheTable("host_close", why.value)); else why.focus(); } }, say("table-close")));
}

const timeOf = (moment) => h("time", { datetime: moment }, new Date(moment).toLocaleString(language, { dateStyle: "full", timeStyle: "short" }));

/** Do something that takes its time: the page says so before, and takes no click meanwhile. */
async function busy(deed) {
  const sign = h("p", { id: "busy", role: "status" }, say("working"));
  document.body.append(sign);
  page.inert = true;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  try { return await deed(); } finally { sign.remove(); page.inert = false; }
}

/** Do something to the campaign: it is stored before it is shown. */
const atTheTable = (name, ...given) => busy(async () => {
  const done = await attemptInFolder(name, ...given);
  if (!done) return null;
  table = await askFolder("host_view");
  await storeTable();
  showTable(done.faults ? { ...done, act: name === "host_act" ? given[0] : "" } : null);
  return done;
});

/** Text that was pasted among the letters that came, and not taken yet: the table may be drawn anew meanwhile. */
let pasted = "";

/** Place for letters that came: files, mails, or a text. Each taking lets the game go on as far as it may. */
function lettersIn() {
  const text = h("textarea", { id: "table-text", rows: 4, spellcheck: "false", "aria-label": say("paste"), oninput: () => { pasted = text.value; } });
  text.value = pasted;
  const file = h("input", { type: "file", id: "table-letters", class: "file", multiple: "", onchange: (event) => takeLetters(event.target.files) });
  return h("div", {}, text, h("div", { class: "buttons" }, file, h("label", { for: "table-letters", class: "button" }, say("table-files")),
    h("button", { type: "button", id: "table-go-on", class: "take", onclick: () => takePasted(text.value) }, say("table-on"))));
}

const takeText = (text) => takeLetters(text.trim() ? [new File([text], "text.txt")] : []);

/** Take the text that was pasted; it stays if it could not be taken. */
async function takePasted(text) {
  pasted = "";
  if (!await takeText(text)) pasted = text;
}

/** Take letters in files, and let the game go on as far as it may. */
async function takeLetters(files) {
  const found = await Promise.all([...files].map(async (each) => [each.name, new Uint8Array(await each.arrayBuffer())]));
  return atTheTable("host_evening", found);
}

/** Title of a letter; one in a box without a mail is told by its kind and its entry. */
const titleOf = (letter) => letter.title || `${say(letter.letter.includes(".receipt.") ? "letter-receipt" : "letter-report")} ${parseInt(letter.name, 10)}`;

/** Say where the file of a mail was saved, and the next step. */
function tellSaved(line, name, word) {
  const told = line.querySelector(".attached") ?? line.appendChild(h("p", { class: "note attached", role: "status" }));
  told.textContent = fill(word, { name });
}

/** A letter to send, and the ways in which it goes. */
function letterLine(letter) {
  // A telephone takes no mail apart: what is attached to another mail, or shared, is the signed letter alone.
  const bytes = (file = letter.file) => askFolder("host_file", file), name = letter.save_as.replace(/\.eml$/, letter.letter.endsWith(".age") ? ".yaml.age" : ".yaml");
  const file = (content) => new File([content], name, { type: "application/octet-stream" });
  // The line stays where it is, under the finger, until the table is drawn anew.
  const sentNow = async (box) => {
    const is_sent = box.checked, is_done = await busy(async () => { const done = await attemptInFolder("host_sent", letter.name, is_sent); if (done) await storeTable(); return done; });
    if (!table) return; // its worker has failed meanwhile
    if (is_done) letter.is_sent = is_sent; else box.checked = !is_sent;
    box.closest("li").classList.toggle("is-sent", letter.is_sent);
    document.getElementById("table-out-title").textContent = lettersToSend();
    box.focus({ preventScroll: true });
    if (tableLies === "nowhere") alarmed(say("table-not-stored"));
    if (tableLies === "stored") document.getElementById("not-stored")?.remove();
  };
  const button = (id, word, deed) => h("button", { type: "button", class: id, onclick: deed }, say(word));
  const page = location.protocol.startsWith("http") ? location.href.split("#")[0] : decodeURIComponent(location.pathname.split("/").at(-1));
  const attached = withGaps(WORDS[table.seats[letter.seat]?.language ?? language]["mail-attached"], { name, page });
  const mail = () => mailWithFile(letter.address, `[${table.campaign}] ${titleOf(letter)}`, letter.text, attached);
  const own = letter.seat === table.mine, told = TO_ACT.includes(letter.standing) ? h("strong", { class: "warning to-act" }, fill(`first-${letter.standing}`, { who: readerOf(letter) }), letter.why ? ` ${letter.why}.` : "") : null;
  return h("li", { class: letter.is_sent ? "letter is-sent" : "letter", "data-letter": letter.name }, told, told ? h("br") : null, `${titleOf(letter)} `,
    h("span", { class: "buttons" }, own || !location.protocol.startsWith("http") ? null : button("link", "table-link", async (event) => copyOut(event.target, "table-link", await linkOf(await bytes(letter.letter)))), own ? button("here", "table-here", async () => { const found = await bytes(); await attemptInFolder("host_sent", letter.name, true); await storeTable(); if (letter.letter.includes(".report.yaml")) sit(table.mine, { bytes: found, name: letter.save_as }); else openBytes(found, letter.save_as); }) : null, button("save", "download", async (event) => { save(await bytes(), letter.save_as); tellSaved(event.target.closest("li"), letter.save_as, "file-saved"); }), own ? null : button("mail", "mail", async (event) => { save(await bytes(letter.letter), name); mail(); tellSaved(event.target.closest("li"), name, "mail-saved"); }),
      own || !navigator.canShare?.({ files: [file("")] }) ? null : button("share", "share", async () => navigator.share({ files: [file(await bytes(letter.letter))], title: titleOf(letter) }).catch(() => {})),
      own ? null : h("label", {}, h("input", { type: "checkbox", class: "sent", checked: letter.is_sent, onchange: (event) => sentNow(event.target) }), say("table-is-sent"))));
}

/** A link to this page with a letter behind the #, which no browser sends to a server. */
async function linkOf(bytes) {
  const packed = await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  return `${location.href.split("#")[0]}${LINKED}${lettersOf(new Uint8Array(packed)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

const LINKED = "#i=", LARGEST_LINKED = 4 << 20; // of a letter in a link, when it is unpacked

/** The letter in the link by which the page was opened, which then leaves the address: null without one, empty for a link that was cut or changed. Signs that a mail program adds do no harm. */
async function linkedLetter() {
  const hash = location.hash.replace(/^#i(?:=|%3d)/i, LINKED);
  if (!hash || !hash.startsWith(LINKED) && !LINKED.startsWith(hash)) return null;
  const letters = hash.slice(LINKED.length).replace(/%[0-9a-f]{2}|[^\w-]/gi, "").replaceAll("-", "+").replaceAll("_", "/"), parts = [];
  history.replaceState(history.state, "", location.href.split("#")[0]);
  try {
    // Gzip tells by its checksum that something was changed; links of 0.3.0 have none.
    const packed = bytesOf(letters), kind = packed[0] === 0x1f && packed[1] === 0x8b ? "gzip" : "deflate-raw";
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(kind)).getReader();
    for (let size = 0; size <= LARGEST_LINKED;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
      parts.push(value);
      size += value.length;
    }
  } catch { /* the link was cut or changed */ }
  return new Uint8Array();
}
