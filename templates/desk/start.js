// The page before anything is opened, and all ways in which something is.
function openBytes(bytes, name) {
  if (isZip(bytes)) { openZip(bytes, name); return; }
  const everything = everythingIn(bytes);
  if (everything) { importing(everything); return; }
  if ((sitting || beneath)?.kind === "report" && !mayLeave()) return;
  const damaged = remember(), found = attempt(() => ask("open", lettersOf(bytes), name));
  if (found?.written) { chosen = active = null; safe = false; refresh(found.written); return; }
  if (found) openedFile = { bytes, name };
  if (found?.closed) unlocking(bytes, name, found.closed); else if (found?.stranger) meeting(found, damaged); else { nameBranch(found); opened(found); }
}

const openText = (text) => saidOnPage(() => openBytes(new TextEncoder().encode(text), "report.yaml"));
const openFile = (file) => saidOnPage(async () => openBytes(new Uint8Array(await file.arrayBuffer()), file.name));

/** Open something that takes a moment, and say so over the page. */
async function saidOnPage(deed) {
  const told = h("p", { id: "opening", role: "status" }, say("loading"));
  document.body.append(told);
  await painted();
  try { await deed(); } finally { told.remove(); }
}

/** The page before anything is opened. */
function welcome() {
  const field = h("textarea", { rows: 5, spellcheck: "false", "aria-label": say("paste") });
  const file = h("input", { type: "file", id: "file", class: "file", onchange: (event) => { const [given] = event.target.files; event.target.value = ""; if (given) openFile(given); } });
  page.className = "welcome";
  page.replaceChildren(...[
    h("header", {}, h("p", { class: "name" }, "pbem"), h("h1", {}, say("start")), h("p", {}, say("start-hint")), languages(speak), waysIn()),
    h("div", { id: "notice", "aria-live": "polite" }),
    keptPlace(), gamePlaces(), lessons(), tablePlace(),
    h("section", { class: "open" }, h("h2", {}, say("open")), h("p", {}, say("open-hint")), file, h("label", { for: "file", class: "button" }, say("open-button")),
      h("details", {}, h("summary", {}, say("paste")), field, h("button", { type: "button", onclick: () => openText(field.value) }, say("paste-done")))),
    practice(), puzzles(), archivePlace(), known(), keepingPlace(), footer()].filter(Boolean));
}

/** Links to what lies further down: a newcomer sees at once that there is more than a game against bots. */
function waysIn() {
  const to = (place) => () => { const heading = page.querySelector(`.${place} h2`); heading.tabIndex = -1; heading.focus({ preventScroll: true }); heading.scrollIntoView({ block: "start" }); };
  return h("nav", { class: "ways" }, ...Object.entries({ lessons: "learn", tables: "table", open: "open" }).map(([place, word]) => h("button", { type: "button", class: "plainly", "data-way": place, onclick: to(place) }, say(word))));
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
  const kept = safe, lies = sitting || beneath, found = attempt(() => ask("speak", wanted));
  if (lies && found) { opened(found, posed, false, { unseen: [...unseen], since: sinceOrders }); safe = kept; } else welcome();
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  const { files } = event.dataTransfer, [given] = files;
  if (!bridge || !given) return;
  if (document.getElementById("key-file") && (await given.slice(0, 60).text()).includes("PRIVATE KEY")) takeKey(given);
  else if (document.getElementById("table-letters")) takeLetters(files); else openFile(given);
});
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain") || "";
  if (bridge && !/^(TEXTAREA|INPUT)$/.test(document.activeElement?.tagName) && text.includes("pbem:")) { event.preventDefault(); if (document.getElementById("table-letters")) takeText(text); else openText(text); }
});

// A link that is followed while the page is open.
addEventListener("hashchange", async () => { const linked = bridge && await linkedLetter(); if (linked?.length && mayLeaveTable()) { leaveTable(); openBytes(linked, "letter.yaml"); } tellCutLink(linked); });

/** Tell that a link, which was followed, was cut or changed. */
const tellCutLink = (linked) => { if (linked && !linked.length) alarmed(say("link-cut")); };

(async () => {
  document.title = `pbem · ${say("title")}`;
  page.className = "loading";
  page.replaceChildren(h("p", { role: "status" }, say("loading")), beside.desk ? "" : h("p", { class: "note" }, say("loading-more")));
  await rest();
  try { await begin(); } catch (error) { page.replaceChildren(h("p", { role: "alert" }, say("failed")), h("pre", {}, String(error).slice(-2000))); throw error; }
  welcome();
  const enclosed = document.getElementById("enclosed"), linked = await linkedLetter(), noted = keptGames().find((each) => each.id === history.state?.id), before = noted && !isOfTable(noted, await keptTables().catch(() => [])) ? noted : null;
  // After a reload the same game or report goes on, unless another report has been put into the page.
  if (linked?.length) openBytes(linked, "letter.yaml"); else if (before && history.state.enclosed === enclosedMark()) goOnWith(before); else if (enclosed.textContent) openBytes(bytesOf(enclosed.textContent), enclosed.dataset.name);
  tellCutLink(linked);
  window.desk = { ...window.desk, ready: performance.now() };
})();
