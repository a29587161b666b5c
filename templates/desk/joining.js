// Joining: an invitation, and the letter that takes its seat. The browser keeps the letter with what was typed beside it.
/** Page of an invitation: the name of whoever takes the seat, and the letter that takes it. */
function joining(invited) {
  const name = h("input", { id: "name", autocomplete: "name", maxlength: 80, oninput: () => keepJoining() }), reports = languages(() => keepJoining()), file = `${invited.campaign}-${invited.seat}-join.yaml`;
  reports.removeAttribute("class");
  const text = h("textarea", { id: "text", rows: 14, readonly: true, spellcheck: "false", "aria-label": say("letter"), hidden: true });
  const give = table?.campaign === invited.campaign ? h("button", { type: "button", id: "give", class: "take", onclick: () => { safe = true; takeText(text.value); } }, say("give")) : null;
  // A letter that is given to the table at once needs no copy here.
  const kept = give ? null : keptAt(KEPT + invited.label);
  if (give) name.value = table.seats[table.mine]?.name ?? "";
  const sent = h("input", { type: "checkbox", id: "join-sent", onchange: () => keepJoining() }), asked = h("p", { id: "join-state", "aria-live": "polite" });
  const sending = h("div", { class: "buttons", hidden: true }, ...give ? [give] : [h("button", { type: "button", id: "copy", onclick: copyLetter }, say("copy")), h("button", { type: "button", id: "download", onclick: () => { save(text.value, file); safe = true; } }, say("download")), h("button", { type: "button", id: "mail", onclick: () => mailTo(invited.address, invited.campaign, invited.name, file) }, say("mail")), h("label", {}, sent, say("table-is-sent")), h("p", { class: "note" }, say("join-send"), " ", invited.address), h("p", { class: "note", id: "mail-to", "aria-live": "polite" })]);
  const warned = h("ul", { id: "join-warnings", class: "faults", "aria-live": "polite" });
  const shown = () => {
    text.hidden = sending.hidden = !text.value;
    asked.hidden = Boolean(give) || !text.value;
    asked.replaceChildren(sent.checked ? say("join-is-sent") : h("strong", {}, say("join-send-it")));
  };
  const keepJoining = () => {
    if (!give) keepInvitation({ id: invited.label, title: `${invited.campaign}: ${invited.name}`, drafts: { join: text.value }, seat: `${invited.campaign}.${invited.seat}`, moderator: invited.moderator, is_lot: invited.lot, called: name.value, reports: reports.value, is_sent: sent.checked });
    shown();
  };
  const write = (event) => {
    event.preventDefault();
    const found = attempt(() => { remember(); return ask("join", name.value, reports.value); });
    if (!found) return;
    text.value = found.letter;
    sent.checked = safe = false;
    note(found.moderators);
    warned.replaceChildren(...found.warnings.map(faultLine));
    keepJoining();
    sending.scrollIntoView({ block: "nearest" });
  };
  if (kept) { name.value = kept.called; reports.value = kept.reports; sent.checked = kept.is_sent; text.value = kept.drafts.join; }
  shown();
  front(() => joining(invited), invited.campaign, `${say("invited")} ${invited.name}`,
    h("p", {}, `${say("moderator")} ${invited.host} `, h("code", {}, invited.moderator)), invited.open ? h("p", { id: "open-seat" }, say(invited.choice ? "open-seat-choice" : "open-seat")) : null, h("p", { class: "note" }, invited.met ? waysOf(invited.met) : give ? "" : say("moderator-hint")), keyPlace(),
    h("form", { class: "join", onsubmit: write }, h("label", { for: "name" }, say("name")), name, h("label", {}, say("reports"), " ", reports), h("button", { id: "sign", class: "take" }, say("join"))), warned, asked, text, sending);
  if (!kept) return;
  enter(invited.label);
  if (text.value) sending.scrollIntoView({ block: "nearest" });
}

/** Keep what was typed beside an invitation, and the letter, with the invitation itself. */
function keepInvitation(note) {
  keeps = store(KEPT + note.id, JSON.stringify({ ...note, kind: "join", stage: "", chosen: "join", file: lettersOf(openedFile.bytes), name: openedFile.name, time: Date.now() }));
  if (!keeps) alarmed(say("keeps-nothing"));
  enter(note.id);
}

/** Say how far a letter that takes a seat has come. */
const joinStage = (kept) => say(!kept.drafts.join ? "join-begun" : kept.is_sent ? "join-sent" : "join-unsent");

/** Throw away the letters that have taken the seat of a report. A seat that was given out by lot has another name since. */
function discardJoined({ seat, moderator }) {
  const campaign = seat.slice(0, seat.indexOf(".") + 1);
  for (const each of keptGames().filter((kept) => kept.kind === "join" && kept.moderator === moderator && (kept.is_lot ? kept.seat.startsWith(campaign) : kept.seat === seat))) discard(KEPT + each.id);
}
