// An archive: a campaign's folder or a zip of it, verified here, then told stage by stage.
let archive = null, shown = null, beneath = null;

const isZip = (bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] < 9;

/** Buttons that choose an archive; `over` is called when it has been verified. */
function archiveChoice(over = tellArchive) {
  const chosen = (event) => { const files = [...event.target.files]; if (files.length) openArchive(files.map((file) => [file.webkitRelativePath || file.name, file]), over); };
  const input = (id, given) => h("input", { type: "file", id, class: "file", onchange: chosen, ...given });
  const folders = "webkitdirectory" in HTMLInputElement.prototype;
  return h("div", { class: "buttons" }, input("archive-file", { accept: ".zip,application/zip" }), h("label", { for: "archive-file", class: "button" }, say("archive-zip")),
    ...(folders ? [input("archive-folder", { webkitdirectory: "" }), h("label", { for: "archive-folder", class: "button" }, say("archive-folder"))] : []));
}

function archivePlace() {
  return h("details", { class: "archives" }, h("summary", {}, say("archive")), h("p", {}, say("archive-hint")), archiveChoice());
}

/** Below an opened report: whether the ledger is still the one that it was made of. */
function reportPlace() {
  return h("details", { id: "verifying" }, h("summary", {}, say("hold")), h("p", { class: "note" }, say("hold-hint")), archiveChoice((told) => { if (tellArchive(told)) hold("", "report"); }));
}

/** The files in what was dropped, with their paths. */
async function filesIn(entry) {
  if (entry.isFile) return [[entry.fullPath.slice(1), await new Promise((done, failed) => entry.file(done, failed))]];
  const reader = entry.createReader(), found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return found;
    for (const each of some) if (each.name !== ".git") found.push(...await filesIn(each));
  }
}

addEventListener("drop", async (event) => {
  const item = event.dataTransfer.items[0], entry = item?.webkitGetAsEntry?.();
  if (!bridge || !entry?.isDirectory) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  openArchive(await filesIn(entry));
}, true);

/** Take an archive in and verify it, while the page tells how far that is. */
async function openArchive(files, over = tellArchive) {
  const before = [page.className, [...page.childNodes]], bar = h("progress", { "aria-label": say("archive-verifying") }), told = h("p", { role: "status" }, say("archive-verifying"));
  const note = h("p", { class: "note" });
  page.className = "loading";
  page.replaceChildren(told, bar, note);
  try {
    const named = new Map(files.map(([name, file]) => [name.toWellFormed?.() ?? name, file]));
    for (const name of await askFolder("archive", [...named.keys()])) {
      await askFolder("give", name, new Uint8Array(await named.get(name).arrayBuffer()));
    }
    for (let far = { over: false }; !far.over;) {
      far = await askFolder("verify");
      [bar.max, bar.value] = [far.of || 1, far.done];
      note.textContent = `${far.done} / ${far.of}`;
    }
    told.textContent = say("archive-telling");
    over(await toldOf());
  } catch (error) {
    if (!folderWorker) return; // it has failed, and the first page says so
    if (!error.refused) throw error;
    [page.className] = before;
    page.replaceChildren(...before[1]);
    notify(alarm(error.refused.map(faultLine)));
  }
}

/** Ask the worker for all that is told of the archive. The board is read one drawing after the other, so that the page never stands still for long. */
async function toldOf() {
  const told = await askFolder("told");
  for (const ground of told?.board?.grounds ?? []) {
    await rest();
    ground.made = drawn(ground.drawn, ground.box, ground.font);
  }
  await rest();
  return told;
}

const openZip = (bytes, name) => openArchive([[name, new Blob([bytes])]]);

const findingLine = (fault) => h("li", { class: fault.code.startsWith("W-") ? "warning" : "refusal" }, h("code", {}, fault.file), " ", h("code", {}, fault.code), " ", fault.message, fault.rule ? ` (${fault.rule})` : "", fault.hint ? h("em", {}, ` — ${fault.hint}`) : null);
const findingList = (found) => found.length ? h("ul", { class: "faults" }, ...found.map(findingLine)) : null;

/** The ways out of an archive. */
function waysOut() {
  const out = (word, deed) => h("button", { type: "button", onclick: deed }, say(word));
  return h("div", { class: "buttons" }, beneath ? out("archive-back", () => { if (!table) leaveFolder(); speak(language); }) : null, out("another", home));
}

/** Show what was found. Return true if more is still to be shown. */
function tellArchive(told) {
  archive = told;
  [beneath, sitting] = [sitting || beneath, null];
  if (!told.good || !told.turns.length) {
    page.className = "welcome";
    page.replaceChildren(h("header", {}, h("p", { class: "name" }, "pbem"), h("h1", {}, told.campaign || say("archive")), languages(speakArchive)), h("div", { id: "notice" }),
      h("section", { class: "open" }, told.good ? h("p", { class: "proved" }, told.words[told.phase]) : h("p", { role: "alert", class: "unproved" }, say("archive-bad")), findingList(told.findings), ...(told.good ? about() : [])),
      waysOut(), footer());
    return told.good;
  }
  const words = told.words, place = h("section", { class: "place", "aria-label": words.map });
  const made = new Leafing({ earlier: words.earlier, later: words.later_stage, slide: words.slide }, leaf);
  shown = { at: -1, whole: false, steps: [], seat: "", told: [], seen: [], pieces: [] };
  page.className = "laid archive";
  page.replaceChildren(place, h("div", { class: "side" },
    h("header", {}, h("div", { class: "row" }, h("p", { class: "name" }, `pbem · ${told.campaign}`), languages(speakArchive)), h("h1", { id: "title", tabindex: "-1" }), h("p", { class: "who" }, `${told.game} · ${told.scenario}`)),
    h("p", { class: "proved" }, words.good), told.result ? h("p", { id: "result" }, suited(told.result)) : null,
    made.element,
    h("div", { class: "leaf" }, h("select", { id: "choose", "aria-label": words.choose, onchange: (event) => leafing.go(Number(event.target.value)) }),
      h("label", {}, h("input", { type: "checkbox", id: "whole", onchange: (event) => inSteps(event.target.checked) }), " ", say("archive-turns"))),
    Object.keys(told.views).length ? h("p", { class: "leaf" }, h("label", { for: "seen-by" }, words.seat_switch), " ", h("select", { id: "seen-by", onchange: (event) => { shown.seat = event.target.value; showSeen(); } }, h("option", { value: "" }, words.everybody), ...Object.entries(told.views).map(([seat, name]) => h("option", { value: seat }, name)))) : null,
    h("div", { id: "notice" }), h("section", { id: "told", "aria-live": "polite" }), h("section", { id: "seen" }), h("section", { id: "forces" }), h("p", { class: "note" }, words.legend), ...about(), waysOut(), footer()));
  board = new Board(place, (city) => tellPieces(city), tellPieces);
  board.lay(told.board);
  inSteps(false, told.begins);
  return true;
}

/** Players of an archive, the proofs, and the comparison of a report. */
function about() {
  const { words } = archive, people = archive.seats.map((seat) => h("li", {}, h("strong", {}, seat.seat), ` · ${seat.powers}: ${seat.taken ? seat.name : words.free} `, h("code", {}, seat.key)));
  const part = (title, ...within) => h("details", {}, h("summary", {}, title), ...within);
  const file = h("input", { type: "file", id: "hold-file", class: "file", onchange: async (event) => { const given = event.target.files[0]; if (given) hold(lettersOf(new Uint8Array(await given.arrayBuffer())), given.name); } });
  return [part(words.players, h("ul", {}, ...people, h("li", {}, h("strong", {}, words.moderator), `: ${archive.moderator.name} `, h("code", {}, archive.moderator.key))), ...[archive.waiting, archive.owing].filter(Boolean).map((each) => h("p", {}, suited(each)))),
    part(words.proved, h("p", {}, words.good), h("ul", {}, ...archive.figures.map(([number, meaning]) => h("li", {}, h("b", {}, String(number)), ` ${meaning}`))), findingList(archive.findings), archive.phase === "closed" ? null : h("p", { class: "note" }, words.later), h("p", {}, `${words.head}: ${archive.head.number} `, h("code", {}, archive.head.hash)), h("p", { class: "note" }, words.compare)),
    h("details", { id: "holding" }, h("summary", {}, say("hold")), h("p", { class: "note" }, say("hold-against")), h("div", { class: "buttons" }, file, h("label", { for: "hold-file", class: "button" }, say("open-button")), beneath?.kind === "report" ? h("button", { type: "button", id: "hold-this", onclick: () => hold("", "report") }, say("hold-this")) : null), h("div", { id: "held", "aria-live": "polite" }))];
}

async function hold(letters, name) {
  const found = await attemptInFolder("hold", letters || ask("report"), name), place = document.getElementById("held");
  if (!found || !place) return;
  document.getElementById("holding").open = true;
  const cards = found.cards ? h("p", { class: "note" }, `${found.cards} ${archive.words.cards}`) : null;
  place.replaceChildren(...[h("p", { class: found.good ? "proved" : "unproved" }, say(found.good ? "hold-good" : "hold-bad")), h("p", { class: "note" }, `${say("signed")} `, h("code", {}, found.moderator)), cards, findingList(found.findings)].filter(Boolean));
  place.scrollIntoView({ block: "nearest" });
}

/** Leaf through stages, or through whole turns, beginning where the reader is. */
function inSteps(whole, from = shown.steps[shown.at]?.at(-1) ?? 0) {
  const { turns, words } = archive, choose = document.getElementById("choose");
  const numbers = turns.map((turn) => Object.keys(turn.stages).map(Number).sort((a, b) => a - b));
  shown.whole = whole;
  shown.steps = whole ? numbers : numbers.flat().map((number) => [number]);
  choose.replaceChildren(...(whole ? turns.map((turn, at) => h("option", { value: at }, turn.title))
    : turns.map((turn, at) => h("optgroup", { label: turn.title }, ...numbers[at].map((number) => h("option", { value: shown.steps.findIndex(([first]) => first === number) }, turn.stages[number] || words.opening))))));
  leafing.among(shown.steps.length, shown.steps.findIndex((numbers) => numbers.includes(from)));
}

/** Leaf to a stage or turn, and return its title; its story follows, unless the reader has gone on by then. */
function leaf(at) {
  const [first] = shown.steps[at], turn = archive.turns.find((each) => first in each.stages);
  const title = shown.whole ? turn.title : turn.stages[first] || archive.words.opening;
  shown.at = at;
  document.getElementById("title").textContent = title;
  document.getElementById("choose").value = String(at);
  const mine = shown, step = shown.steps[at];
  askFolder("stages", step).then((found) => { if (found && mine === shown && step === shown.steps[shown.at]) tellStages(found); });
  return title;
}

function tellStages(found) {
  const { words } = archive, last = found.told.at(-1);
  Object.assign(shown, { told: found.told, seen: found.seen, pieces: found.pieces });
  board.stand({ over: found.over });
  const row = (tag, ...cells) => h("tr", {}, ...cells.map((cell, k) => h(k ? tag : "th", k ? {} : { scope: tag === "th" ? "col" : "row" }, String(cell))));
  document.getElementById("forces").replaceChildren(h("table", { class: "forces" }, h("caption", {}, words.on_map), h("thead", {}, row("th", words.powers, words.generals, words.trains, words.held)), h("tbody", {}, ...last.forces.map((force) => row("td", force.power, force.generals, force.trains, force.held)))),
    last.absent.length ? h("p", { class: "note" }, `${words.off_map}: ${last.absent.join(", ")}.`) : "", h("p", { class: "note" }, `${words.told_in}: ${found.told.flatMap((stage) => stage.entries).join(", ")} · ${last.time}`));
  showSeen();
}

/** The account of a stage, for everybody or as the chosen seat's reports told it. */
function passages(stage) {
  const read = stage.read.filter((each) => each.seat ? each.seat === shown.seat : !each.without.includes(shown.seat));
  const told = read.map(({ told: { passage, battle } }) => battle
    ? h("div", { class: "battle" }, h("p", {}, suited(passage.text)), passage.exchanges.length ? h("ol", {}, ...passage.exchanges.map((each) => h("li", {}, suited(each)))) : null, passage.end ? h("p", {}, suited(passage.end)) : null)
    : h("p", {}, suited([passage.text, ...passage.exchanges, passage.end].filter(Boolean).join(" "))));
  return told.length ? told : [h("p", { class: "note" }, archive.words.nothing)];
}

/** The account, and what the chosen seat alone knew then: cards and troops. */
function showSeen() {
  document.getElementById("told").replaceChildren(...shown.told.flatMap((stage) => [shown.whole ? h("h2", {}, stage.title || archive.words.opening) : null, ...passages(stage)].filter(Boolean)));
  const found = shown.seen.find((each) => each.seat === shown.seat), { words } = archive, place = document.getElementById("seen");
  place.replaceChildren(...(found ? [h("h2", {}, words.seen_as), ...found.holdings.flatMap((holding) => [h("h3", {}, holding.power), holding.cards.length ? h("div", { class: "cards" }, ...holding.cards.map(card)) : h("p", { class: "note" }, words.no_cards), h("p", {}, h("em", {}, `${words.troops}: `), holding.troops.join(", ") || words.no_troops)])] : []));
}

function tellPieces(city, event) {
  if (!city) { board.tell([]); return; }
  const troops = shown.seen.find((each) => each.seat === shown.seat)?.troops || {};
  const there = shown.pieces.filter((piece) => piece.city === city).map((piece) => `${piece.name} (${piece.power})${troops[piece.name] ? ` · ${counted(troops[piece.name], "troop", "troops")}` : ""}${piece.down ? ` · ${say("down")}` : ""}`);
  board.tell([board.spots.get(city).lines.join(" "), ...there], city);
}

/** Go on in another language: the archive is told anew, and not verified again. */
async function speakArchive(wanted) {
  const { at, whole, seat } = shown || {};
  language = document.documentElement.lang = wanted;
  document.title = `pbem · ${say("title")}`;
  ask("speak", wanted);
  const told = await toldOf();
  if (!told || !tellArchive(told) || !archive.turns.length) return;
  document.getElementById("whole").checked = whole;
  inSteps(whole);
  leafing.go(at);
  const seenBy = document.getElementById("seen-by");
  if (seenBy) { seenBy.value = seat; shown.seat = seat; showSeen(); }
}
