// The notebook: what the reports of a seat tell for sure, counted in the worker, and beside it own notes, which stay here.
const REPORTS = "pbem-report ", OWN_NOTES = "pbem-notes ";
/** The notebook up to the report that lies here, or how far it is counted. */
let notebook = null;

const mayCount = () => sitting?.kind === "report" && Boolean(sitting.seat) && Boolean(openedFile);

/** Keep the report that was opened, for the notebooks of later ones. */
function keepReport() {
  if (!mayCount() || atOwnTable()) return;
  const { seat, name } = ask("report_name"), packed = ask("pack", lettersOf(openedFile.bytes));
  const before = keptReport(name);
  if (before?.packed !== packed || before.moderator !== sitting.moderator) store(REPORTS + name, JSON.stringify({ name, seat, packed, moderator: sitting.moderator, time: Date.now() }));
}

/** Numbers of the reports of a seat that are kept for notebooks. */
const numbersOf = (seat) => storedBelow(`${REPORTS}${seat}.`).map((each) => Number(each.slice(REPORTS.length + seat.length + 1)));

/** Open the table anew so that steps are no news if the report before this one told them, too. That is the last earlier report to the seat that was opened here. Null if there is none. */
function countedFromLast() {
  if (!mayCount() || atOwnTable()) return null;
  const { seat, name } = ask("report_name"), last = Math.max(...numbersOf(seat).filter((number) => number < Number(name.slice(seat.length + 1))));
  const kept = keptReport(`${seat}.${last}`);
  return kept ? ask("count_from", last, { name: kept.name, packed: kept.packed }) : null;
}

/** A report that was kept; a note that somebody has damaged is none. */
function keptReport(name) {
  try { const found = JSON.parse(stored(REPORTS + name)); return areTexts(found.name, found.seat, found.packed) && found.name === name && Number.isFinite(found.time) ? found : null; } catch { return null; }
}

const keptReports = () => storedBelow(REPORTS).map((each) => keptReport(each.slice(REPORTS.length))).filter(Boolean);

/** Make room: throw away the report that was kept longest for notebooks, but not the named note; tells whether there was one. */
function dropOldestReport(but) {
  const [oldest] = keptReports().filter((each) => REPORTS + each.name !== but).sort((one, other) => one.time - other.time);
  if (oldest) discard(REPORTS + oldest.name);
  return Boolean(oldest);
}

/** Tell if other reports of the seat that lies here are kept. */
const hasEarlier = () => { const { seat, name } = ask("report_name"); return storedBelow(`${REPORTS}${seat}.`).some((each) => each !== REPORTS + name); };

/** Count the reports up to the one that lies here, if nobody has; the worlds that are imagined know then what it tells. */
function countReports() {
  if (notebook?.sitting === sitting && !notebook.why) return notebook;
  notebook?.stop();
  const { seat, name } = ask("report_name"), kept = atOwnTable() ? [] : keptReports().filter((each) => each.seat === seat && each.name !== name);
  const { question, closed } = ask("reports", { name, packed: ask("pack", lettersOf(openedFile.bytes)) }, kept.map((each) => ({ name: each.name, packed: each.packed })));
  const mine = notebook = { sitting, seat, closed, far: { played: 0, of: 1 + kept.length }, told: null, why: null, stop: () => {} };
  if (!question) { mine.why = [h("li", {}, say("closed"))]; mine.done = Promise.resolve(); return mine; }
  const act = longAct("notebook", [question], (far) => { mine.far = far; if (notebook === mine) tellCounted(); });
  mine.stop = act.stop;
  mine.done = act.done.then((found) => {
    mine.told = found;
    if (sitting === mine.sitting) ask("take_facts", found.facts);
  }, (error) => {
    if (!error.refused) console.error(error.message);
    mine.why = error.refused ? error.refused.map(faultLine) : [h("li", {}, say("imagine-failed"), " ", h("code", {}, String(error.message).trim().split("\n").pop()))];
  }).then(() => { if (notebook === mine) tellCounted(); });
  return mine;
}

/** The part of the column with the notebook: it is counted when it is opened. */
function notebookPlace() {
  const place = h("details", { id: "notebook", ontoggle: () => { if (place.open) { countReports(); tellNotebook(); } } }, h("summary", {}, say("notebook")), h("div", { id: "notebook-told", "aria-live": "polite" }), h("div", { id: "own-notes" }));
  return place;
}

function tellNotebook() {
  tellCounted();
  tellOwnNotes();
}

function tellCounted() {
  const place = document.getElementById("notebook-told");
  if (!place || notebook?.sitting !== sitting) return;
  const { far, told, why, closed } = notebook, left = [...closed, ...(told?.unread ?? []).map((each) => each.name)];
  place.replaceChildren(...why ? [alarm(why)] : told ? [...blocks(told.told), ...left.length ? [h("p", { class: "note" }, `${say("notebook-unread")} ${left.join(", ")}`)] : []]
    : [h("p", { class: "row" }, h("progress", { max: far.of, value: far.played, "aria-label": say("notebook") }), h("span", {}, `${far.played} / ${far.of}`))]);
}

/** Own notes on a seat, by what they are about. */
function ownNotes(seat) {
  try { return Object.fromEntries(Object.entries(JSON.parse(stored(OWN_NOTES + seat)) ?? {}).filter(([, text]) => areTexts(text) && text)); } catch { return {}; }
}

function keepOwnNotes(seat, notes) {
  if (!store(OWN_NOTES + seat, JSON.stringify(notes))) notify(h("p", { role: "alert" }, say("keeps-nothing")));
  tellOwnNotes();
}

/** Own notes, the form for another, and the file with all of them: none of it goes into a letter. */
function tellOwnNotes() {
  const place = document.getElementById("own-notes");
  if (!place) return;
  const { seat } = ask("report_name"), notes = ownNotes(seat);
  const about = h("input", { id: "note-about", list: "note-subjects", maxlength: 80, required: true, autocomplete: "off" }), text = h("textarea", { id: "note-text", rows: 2, maxlength: 1000 });
  const write = (event) => {
    event.preventDefault();
    const subject = attempt(() => ask("note_subject", about.value));
    if (!subject) return;
    const { [subject]: before, ...others } = ownNotes(seat);
    keepOwnNotes(seat, text.value.trim() ? { ...others, [subject]: text.value.trim() } : others);
    document.getElementById("note-about").focus();
  };
  const edit = (subject) => { about.value = subject; text.value = notes[subject]; text.focus(); };
  const line = ([subject, said]) => h("li", {}, h("button", { type: "button", class: "plainly note-on", onclick: () => edit(subject) }, calledSubject(subject)), ` ${said} `,
    h("button", { type: "button", class: "plainly discard", "aria-label": `${say("discard")}: ${calledSubject(subject)}`, onclick: () => { const { [subject]: gone, ...others } = ownNotes(seat); keepOwnNotes(seat, others); } }, "×"));
  const file = h("input", { type: "file", id: "own-notes-file", class: "file", onchange: async () => {
    const [given] = file.files, letters = given && lettersOf(new Uint8Array(await given.arrayBuffer())), found = given && attempt(() => ask("notes_in", letters, given.name));
    if (found) keepOwnNotes(seat, { ...ownNotes(seat), ...found });
  } });
  const saveAll = () => { const found = attempt(() => ask("notes_file", ownNotes(seat))); if (found) save(found, `${seat}.notes.yaml`); };
  place.replaceChildren(h("h3", {}, say("own-notes")), h("p", { class: "note" }, say("own-notes-hint")), h("ul", { class: "plain", id: "notes-written" }, ...Object.entries(notes).map(line)),
    h("datalist", { id: "note-subjects" }, ...[...sitting.powers.length ? Object.values(sitting.power_names) : [], ...board.spots.keys()].map((each) => h("option", { value: each }))),
    h("form", { class: "own-note", onsubmit: write }, h("label", { for: "note-about" }, say("note-about")), about, h("label", { for: "note-text" }, say("note-text")), text, h("button", { id: "note-write" }, say("note-write"))),
    h("div", { class: "buttons" }, h("button", { type: "button", id: "own-notes-save", onclick: saveAll }, say("own-notes-save")), file, h("label", { for: "own-notes-file", class: "button" }, say("own-notes-take"))));
}

/** Own note on a city, for whoever points at it: beside the report, and in its branches. */
function noteLines(city) {
  const seat = sitting.branch ? sitting.branch.report.split(".", 2).join(".") : mayCount() ? `${sitting.campaign}.${sitting.seat}` : "", said = seat && ownNotes(seat)[city];
  return said ? [`✎ ${said}`] : [];
}

/** The subject of a note, as the reader calls it. */
const calledSubject = (subject) => sitting.power_names[subject] ?? (/^turn \d+$/.test(subject) ? `${say("note-turn")} ${subject.slice(5)}` : calledCity(subject));

/** Reports and notes that this browser keeps for notebooks, seat by seat, each to be thrown away. */
function notebooksKept() {
  const seats = new Map();
  for (const { seat } of keptReports()) seats.set(seat, (seats.get(seat) ?? 0) + 1);
  for (const name of storedBelow(OWN_NOTES)) seats.set(name.slice(OWN_NOTES.length), seats.get(name.slice(OWN_NOTES.length)) ?? 0);
  const forget = (seat) => { for (const each of keptReports()) if (each.seat === seat) discard(REPORTS + each.name); discard(OWN_NOTES + seat); welcome(); };
  const line = ([seat, count]) => h("li", {}, `${seat}: ${count} `, h("button", { type: "button", class: "plainly", onclick: (event) => askOnce(event.target, say("discard-sure"), () => forget(seat)) }, say("discard")));
  return seats.size ? [h("h3", {}, say("notebook-kept")), h("ul", { class: "plain" }, ...[...seats].map(line))] : [];
}

/** Everything for notebooks, for the file that takes all to another browser. */
const allNotebooks = () => ({ reports: keptReports(), notes: Object.fromEntries(storedBelow(OWN_NOTES).map((name) => [name.slice(OWN_NOTES.length), ownNotes(name.slice(OWN_NOTES.length))])) });

/** Reports and own notes in such a file, as functions that store each; what is here already stays. */
function notebooksIn(all) {
  const reports = [all.reports].flat().filter((each) => { try { return areTexts(each.name, each.seat, each.packed) && each.name.startsWith(`${each.seat}.`) && Number.isFinite(each.time); } catch { return false; } });
  const notes = Object.entries(all.notes ?? {}).filter(([, found]) => found && typeof found === "object" && areTexts(...Object.values(found)));
  return [...reports.map((each) => () => keptReport(each.name) !== null || store(REPORTS + each.name, JSON.stringify(each))), ...notes.map(([seat, found]) => () => store(OWN_NOTES + seat, JSON.stringify({ ...found, ...ownNotes(seat) })))];
}
