// Keeping a table: a campaign is founded, letters come in, the game goes on, letters go out; the browser stores the folder.
const TABLES = "pbem-tables";
let table = null, freeTable = null;

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
      const change = store.transaction("files", mode, { durability: "strict" }), asked = deed(change.objectStore("files"));
      change.oncomplete = () => done(asked?.result);
      change.onerror = change.onabort = () => fail(change.error);
    });
  } finally { store.close(); }
}

const filesOf = (campaign) => IDBKeyRange.bound([campaign, ""], [campaign, "\uffff"]);

/** Campaigns that this browser keeps, the latest first. */
async function keptTables() {
  const keys = await inStore("readonly", (files) => files.getAllKeys());
  const named = await Promise.all(keys.filter(([, name]) => !name).map((key) => inStore("readonly", (files) => files.get(key))));
  return named.sort((one, other) => other.time - one.time);
}

/** Store what has changed before it is shown, in place of all that was kept if so wished; where that fails the page says so, and keeps what is in it. */
async function storeTable(isWhole = false) {
  const changed = ask("host_changes"), { campaign, phase, stage } = table;
  try {
    await inStore("readwrite", (files) => {
      if (isWhole) files.delete(filesOf(campaign));
      for (const [name, data] of Object.entries(changed)) if (data === null) files.delete([campaign, name]); else files.put(bytesOf(data), [campaign, name]);
      files.put({ campaign, phase, stage, time: Date.now() }, [campaign, ""]);
    });
    ask("host_stored");
    safe = true;
  } catch {
    safe = false;
  }
}

/** Hold a campaign for this tab alone; tells whether that could be. */
function holdTable(campaign) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((done) => navigator.locks.request(`${TABLES} ${campaign}`, { ifAvailable: true }, (lock) => {
    done(Boolean(lock));
    return lock && new Promise((free) => { freeTable = free; });
  }).catch(() => done(true)));
}

function leaveTable() {
  freeTable?.();
  table = freeTable = null;
}

/** On the first page: the tables that are kept here, and a new one. */
function tablePlace() {
  const list = h("ul", { class: "plain" }), zip = h("input", { type: "file", id: "table-zip", class: "file", accept: ".zip", onchange: (event) => { if (event.target.files[0]) unzipTable(event.target.files[0]); } });
  const line = (kept) => h("li", {}, h("button", { type: "button", class: "take", "data-table": kept.campaign, onclick: () => openTable(kept.campaign) }, kept.campaign), h("span", { class: "note" }, ` ${say(`phase-${kept.phase}`)} ${kept.stage} `),
    h("button", { type: "button", class: "plainly", onclick: (event) => askOnce(event.target, say("table-discard"), async () => { await inStore("readwrite", (files) => files.delete(filesOf(kept.campaign))); welcome(); }) }, say("discard")));
  keptTables().then((found) => list.append(...found.map(line)), () => {});
  return h("section", { class: "tables" }, h("h2", {}, say("table")), h("p", {}, say("table-hint")), list,
    h("div", { class: "buttons" }, h("button", { type: "button", id: "table-new", onclick: () => withKey(foundTable, true) }, say("table-new")), zip, h("label", { for: "table-zip", class: "button" }, say("table-zip"))));
}

/** Go on once there is a key: the moderator's, by which the campaign is signed and its secrets are sealed. A campaign that is there already wants its own, so that is asked for, whatever key was taken for something else. */
function withKey(next, isNew = false) {
  if (key && isNew) { next(); return; }
  front(() => withKey(next, isNew), say("table"), say(isNew ? "table-key" : "table-key-old"), keyPlace(isNew), h("button", { type: "button", id: "sign", class: "take", onclick: next }, say("table-on")));
}

/** The form of a new campaign: who plays what, how fast, how trusted. */
function foundTable() {
  const games = ask("scenarios"), field = (id, given = {}) => h("input", { id, maxlength: 80, autocomplete: "off", ...given });
  const scenario = h("select", { id: "scenario" }, ...Object.entries(games).map(([game, titles]) => h("optgroup", { label: game.toUpperCase() }, ...Object.entries(titles).map(([name, title]) => h("option", { value: `${game}/${name}` }, title)))));
  const choice = (id, values) => h("select", { id }, ...values.map((value) => h("option", { value }, say(`${id}-${value}`))));
  const name = field("table-name", { required: true, pattern: "[a-z0-9][a-z0-9\\-]{0,39}", placeholder: "silesia-1741" }), me = field("table-me", { required: true }), address = field("table-address", { type: "email" });
  const pace = choice("pace", ["24h", "72h", "1w"]), delay = choice("delay", ["0m", "30m", "6h"]), trust = choice("trust", ["moderator", "reveal"]), seats = h("div", { id: "table-seats" }), mine = h("select", { id: "table-mine" });
  pace.value = "72h";
  const seatForm = ([seat, label]) => {
    const bot = h("select", { class: "bot", "aria-label": `${label}: ${say("table-plays")}` }, ...["person", "sensible", "strong"].map((value) => h("option", { value }, say(`plays-${value}`)))), tongue = languages();
    bot.addEventListener("change", () => { for (const each of bot.parentElement.querySelectorAll("input, .languages")) each.hidden = bot.value !== "person"; bot.parentElement.querySelector(".called").required = bot.value === "person"; });
    tongue.setAttribute("aria-label", `${label}: ${say("reports")}`);
    return h("fieldset", { "data-seat": seat }, h("legend", {}, label), bot, field(`called-${seat}`, { class: "called", required: true, "aria-label": `${label}: ${say("table-called")}`, placeholder: say("table-called") }), field(`address-${seat}`, { class: "address", type: "email", "aria-label": `${label}: ${say("table-address")}`, placeholder: say("table-address") }), tongue);
  };
  const fill = () => {
    const found = Object.entries(ask("seats", ...scenario.value.split("/")));
    seats.replaceChildren(...found.map(seatForm));
    mine.replaceChildren(h("option", { value: "" }, say("table-mine-none")), ...found.map(([seat, label]) => h("option", { value: seat }, label)));
  };
  scenario.addEventListener("change", fill);
  fill();
  const given = (named) => Object.fromEntries(Object.entries(named).filter(([, value]) => value));
  const seatGiven = (form) => { const bot = form.querySelector(".bot").value; return bot === "person" ? given({ name: form.querySelector(".called").value, address: form.querySelector(".address").value, language: form.querySelector(".languages").value }) : { bot }; };
  const found = async (event) => {
    event.preventDefault();
    const [game, title] = scenario.value.split("/");
    if ((await keptTables().catch(() => [])).some((kept) => kept.campaign === name.value) || !await holdTable(name.value)) { alarmed(say("table-twice")); return; }
    const plan = {
      campaign: name.value, game, scenario: title, seats: Object.fromEntries([...seats.children].map((form) => [form.dataset.seat, seatGiven(form)])),
      moderator: given({ name: me.value, address: address.value, seat: mine.value }), conduct: { sealing: trust.value }, clock: { next: pace.value, delay: delay.value, zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    };
    laying(event.submitter, () => { table = ask("host_found", plan); storeTable().then(() => { showTable(); scrollTo(0, 0); }); });
  };
  const row = (word, input) => h("p", {}, h("label", { for: input.id }, say(word)), " ", input);
  front(foundTable, say("table"), say("table-new"), h("form", { class: "found", onsubmit: found }, row("scenario", scenario), row("table-name", name), row("table-me", me), row("table-address", address), row("table-mine", mine), seats,
    row("pace", pace), row("delay", delay), row("trust", trust), h("button", { class: "take", id: "table-found" }, say("table-found"))));
}

const alarmed = (text) => notify(h("p", { role: "alert" }, text));

/** Open a campaign that the browser keeps. It is read once no other tab holds it. */
function openTable(campaign) {
  withKey(async () => {
    if (!await holdTable(campaign)) { alarmed(say("table-elsewhere")); return; }
    const keys = await inStore("readonly", (files) => files.getAllKeys(filesOf(campaign))), all = await inStore("readonly", (files) => files.getAll(filesOf(campaign)));
    table = attempt(() => ask("host_open", Object.fromEntries(keys.map(([, name], at) => [name, all[at]]).filter(([name]) => name).map(([name, data]) => [name, lettersOf(data)]))));
    if (!table) { leaveTable(); return; }
    ask("host_stored");
    showTable();
  });
}

/** Take a campaign's folder from a zip; one of the same name that is kept here is replaced only when told so. */
async function unzipTable(file) {
  const data = new Uint8Array(await file.arrayBuffer());
  withKey(async () => {
    const found = attempt(() => ask("host_open", ask("host_unzip", lettersOf(data))));
    if (!found) return;
    if (!await holdTable(found.campaign)) { alarmed(say("table-elsewhere")); return; }
    const isKept = (await keptTables().catch(() => [])).some((kept) => kept.campaign === found.campaign);
    if (isKept && !confirm(`${found.campaign}: ${say("table-replace")}`)) { leaveTable(); return; }
    table = found;
    await storeTable(true);
    showTable();
  });
}

/** Everything of the campaign: who owes what, the letters that came, the letters to send. */
function showTable(done = null) {
  const { campaign, phase, stage, seats, letters, mine, labels } = table;
  const [sent, left] = [true, false].map((is_sent) => letters.filter((letter) => letter.is_sent === is_sent)), isReceipt = (letter) => letter.name.includes("-receipt-");
  const open = left.filter((letter) => !isReceipt(letter)), receipts = left.filter(isReceipt), lines = (some) => h("ul", { class: "plain" }, ...some.map((letter) => letterLine(letter, labels[letter.seat], mine)));
  const folded = (word, some) => some.length ? h("details", {}, h("summary", {}, `${say(word)} (${some.length})`), lines(some)) : null;
  front(() => { table = ask("host_view"); showTable(); }, campaign, `${say(`phase-${phase}`)} ${stage}`,
    safe ? null : h("p", { role: "alert" }, say("table-not-stored")),
    h("table", { class: "seats" }, ...Object.entries(seats).map(([seat, who]) => h("tr", {}, h("th", { scope: "row" }, labels[seat]), h("td", {}, who.name), h("td", {}, who.state ? say(`state-${who.state.replaceAll(" ", "-")}`) : "")))),
    table.deadline ? h("p", { class: "note" }, `${say("deadline")} `, timeOf(table.deadline)) : null,
    table.earliest ? h("p", { class: "note" }, `${say("table-from")} `, timeOf(table.earliest)) : null,
    done ? h("ul", { id: "evening", class: "faults", "aria-live": "polite" }, h("li", {}, ["taken", "refused", "known", "stages"].filter((each) => done[each]).map((each) => `${say(`evening-${each}`)}: ${done[each]}`).join(" · ") || say("evening-nothing")), ...done.faults.map(faultLine)) : null,
    h("h3", {}, say("table-in")), h("p", { class: "note" }, say("table-in-hint")), lettersIn(),
    h("h3", {}, `${say("table-out")} (${open.length})`), phase === "joining" ? h("p", { class: "note" }, say("table-page")) : null, h("div", { id: "table-out" }, lines(open)), folded("table-receipts", receipts), folded("table-sent", sent),
    h("div", { class: "buttons" }, h("button", { type: "button", id: "table-save", onclick: () => save(bytesOf(ask("host_zip")), `${campaign}.zip`) }, say("table-save")),
      phase === "closed" ? null : closing(phase)));
}

/** Button that ends the campaign; before the game is over it wants a reason, which everybody reads. */
function closing(phase) {
  const why = h("input", { id: "table-why", maxlength: 200, hidden: phase === "over", placeholder: say("table-why"), "aria-label": say("table-why") });
  return h("span", {}, why, h("button", { type: "button", id: "table-close", onclick: (event) => { if (phase === "over" || why.value.trim()) askOnce(event.target, say("table-close-sure"), () => atTheTable(() => ask("host_close", why.value))); else why.focus(); } }, say("table-close")));
}

const timeOf = (moment) => h("time", { datetime: moment }, new Date(moment).toLocaleString(language, { dateStyle: "full", timeStyle: "short" }));

/** Do something to the campaign: it is stored before it is shown. */
async function atTheTable(deed) {
  const done = attempt(deed);
  if (!done) return;
  table = ask("host_view");
  await storeTable();
  showTable(done.faults ? done : null);
}

/** Place for letters that came: files, mails, or a text. Each taking lets the game go on as far as it may. */
function lettersIn() {
  const text = h("textarea", { id: "table-text", rows: 4, spellcheck: "false", "aria-label": say("paste") });
  const file = h("input", { type: "file", id: "table-letters", class: "file", multiple: "", onchange: (event) => takeLetters(event.target.files) });
  return h("div", {}, text, h("div", { class: "buttons" }, file, h("label", { for: "table-letters", class: "button" }, say("table-files")),
    h("button", { type: "button", id: "table-go-on", class: "take", onclick: () => takeLetters(text.value.trim() ? [new File([text.value], "text.txt")] : []) }, say("table-go-on"))));
}

/** Take letters in files, and let the game go on as far as it may. */
async function takeLetters(files) {
  const found = await Promise.all([...files].map(async (each) => [each.name, lettersOf(new Uint8Array(await each.arrayBuffer()))]));
  await atTheTable(() => ask("host_evening", found));
}

/** A letter to send, and the ways in which it goes. */
function letterLine(letter, label, mine) {
  const bytes = () => bytesOf(ask("host_file", letter.file)), name = letter.file.split("/").pop();
  const file = () => new File([bytes()], name, { type: "application/octet-stream" });
  const sentNow = (is_sent) => atTheTable(() => ask("host_sent", letter.name, is_sent));
  const button = (id, word, deed) => h("button", { type: "button", class: id, onclick: deed }, say(word));
  const mail = () => h("a", { href: `mailto:${encodeURIComponent(letter.address)}?subject=${encodeURIComponent(`[${table.campaign}] ${letter.title}`)}&body=${encodeURIComponent(`${letter.text.trim().slice(0, 1500)}\n\n${say("table-attach")} ${name}`)}` }).click();
  const own = letter.seat === mine;
  return h("li", { class: "letter", "data-letter": letter.name }, h("strong", {}, label), ` ${letter.address} · ${letter.title} `,
    h("span", { class: "buttons" }, own || !location.protocol.startsWith("http") ? null : button("link", "table-link", async (event) => { const link = await linkOf(bytesOf(ask("host_file", letter.letter))); await navigator.clipboard.writeText(link).catch(() => prompt(say("table-link"), link)); event.target.textContent = say("copied"); }), own ? button("here", "table-here", () => { const data = bytes(); leaveTable(); openBytes(data, name); }) : null, button("save", "download", () => save(bytes(), name)), own ? null : button("mail", "mail", () => { save(bytes(), name); mail(); }),
      own || !navigator.canShare?.({ files: [file()] }) ? null : button("share", "share", () => navigator.share({ files: [file()], title: letter.title }).catch(() => {})),
      h("label", {}, h("input", { type: "checkbox", class: "sent", checked: letter.is_sent, onchange: (event) => sentNow(event.target.checked) }), say("table-is-sent"))));
}

/** A link to this page with a letter behind the #, which no browser sends to a server. */
async function linkOf(bytes) {
  const packed = await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  return `${location.href.split("#")[0]}${LINKED}${lettersOf(new Uint8Array(packed)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

const LINKED = "#i=", LARGEST_LINKED = 4 << 20; // of a letter in a link, when it is unpacked

/** The letter in the link by which the page was opened, which then leaves the address; null without one, or for a damaged one. */
async function linkedLetter() {
  if (!location.hash.startsWith(LINKED)) return null;
  const letters = location.hash.slice(LINKED.length).replaceAll("-", "+").replaceAll("_", "/"), parts = [];
  history.replaceState(history.state, "", location.href.split("#")[0]);
  try {
    const reader = new Blob([bytesOf(letters)]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (let size = 0; size <= LARGEST_LINKED;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
      parts.push(value);
      size += value.length;
    }
  } catch { /* a damaged link opens nothing */ }
  return null;
}
