// Political tracks as pictures: each box with what it does, the marker, and where the open cards would bring it.
let display = { tracks: [], legend: "" };

/** The button that shows the tracks; nothing in a game without any. */
const displayButton = (id) => display.tracks.length ? [h("button", { type: "button", id, class: "small shows-tracks", "aria-expanded": String(Boolean(document.getElementById("display"))), onclick: () => { if (!hideDisplay()) showDisplay(); } }, say("tracks"))] : [];

/** Draw a box: its number, the marker, what it does, and the cards that would bring the marker there. */
function boxDrawn(box, at, track) {
  const here = at === track.at, brings = track.moves.filter((move) => move.box === at && move.box !== track.at).map((move) => h("span", { class: "brings" }, `(${move.card})`));
  const does = box.effects.map((each) => h("span", { class: "does", title: each.says }, h("span", { "aria-hidden": "true" }, each.good === null ? "" : each.good ? "▲ " : "▼ ", each.short), h("span", { class: "spoken" }, each.says)));
  return h("li", { class: here ? "here" : brings.length ? "there" : "", "aria-current": here ? "true" : null }, h("b", {}, `${at}${box.sign && ` ${box.sign}`}${here ? " ●" : ""}`), ...does, ...brings);
}

const trackDrawn = (track) => h("div", { class: "track" }, h("h3", {}, track.title), h("ol", {}, ...track.boxes.map((box, at) => boxDrawn(box, at + 1, track))),
  ...track.moves.map((move) => h("p", { class: "move" }, h("strong", {}, `${move.title} (${move.card})`), ` → ${move.says}`)));

/** The tracks as they stand after the reader's own answers. */
function tracksDrawn() {
  ({ display } = ask("outlook_now"));
  return [h("button", { type: "button", class: "small close", "aria-label": say("close"), onclick: hideDisplay }, "×"), h("h2", {}, say("tracks-title")),
    ...display.tracks.map(trackDrawn), h("p", { class: "note" }, `${say("tracks-signs")} ${display.legend}`)];
}

/** Draw the tracks anew if they are shown. */
const renewDisplay = () => document.getElementById("display")?.replaceChildren(...tracksDrawn());

/** Show the tracks: in the column, or on a phone over the board until that is touched. */
function showDisplay() {
  hideAim();
  lower();
  const made = h("section", { id: "display", tabindex: "-1", "aria-label": say("tracks-title") }, ...tracksDrawn());
  if (isNarrow()) { board.place.append(made); board.map.addEventListener("pointerdown", hideDisplay, { once: true }); } else page.querySelector(".side header").after(made);
  made.scrollIntoView({ block: "nearest" });
  made.focus({ preventScroll: true });
  for (const each of document.querySelectorAll(".shows-tracks")) each.setAttribute("aria-expanded", "true");
}

/** Put the tracks away; tells whether they were there. */
function hideDisplay() {
  const made = document.getElementById("display");
  made?.remove();
  for (const each of document.querySelectorAll(".shows-tracks")) each.setAttribute("aria-expanded", "false");
  return Boolean(made);
}

addEventListener("keydown", (event) => { if (event.key === "Escape" && hideDisplay()) event.stopImmediatePropagation(); });
