// The key, the signature, and the ways in which a letter leaves the page.
/** Buttons that take a key or make one. */
function keyPlace(isNew = true) {
  const file = h("input", { type: "file", id: "key-file", class: "file", onchange: (event) => { if (event.target.files[0]) takeKey(event.target.files[0]); } });
  return h("div", { id: "key" }, h("div", { class: "buttons" }, file, h("label", { for: "key-file", class: "button" }, say("key-file")), isNew ? h("button", { type: "button", id: "new-key", onclick: makeKey }, say("key-new")) : null, ...keptKeys()), h("p", { class: "note" }, say("key-note")));
}

/** Page for a sealed file: it asks for the key, tells that the present key does not open the file, or that no key does. */
function unlocking(bytes, name, why) {
  safe = true;
  const isOther = why.some((fault) => fault.code === "E-SEAL-KEY"), end = isOther ? "other" : why.length ? "damaged" : "";
  const way = end === "damaged" ? [] : [keyPlace(false), h("button", { type: "button", id: "sign", class: "take", onclick: () => openBytes(bytes, name) }, say("open-sealed"))];
  front(() => unlocking(bytes, name, why), say("title"), end ? say(`closed-${end}`) : say("closed"), end ? h("p", { class: "note" }, say(`closed-${end}-hint`)) : null, ...way);
  if (isOther) document.getElementById("sign").disabled = true; // another key is needed first
  if (why.length) document.getElementById("notice").append(alarm(why.map(faultLine)));
}

/** The page where something is wanted before anything lies on the desk: a key, or a word about the moderator. */
function front(again, title, heading, ...inside) {
  sitting = beneath = null;
  if (!history.state) history.pushState({ page: "front" }, ""); // a step back leads to the start page
  page.className = "welcome";
  page.replaceChildren(
    h("header", {}, h("p", { class: "name" }, "pbem"), h("h1", {}, title), languages((wanted) => { speak(wanted); again(); })), h("div", { id: "notice" }),
    h("section", { class: "open" }, h("h2", {}, heading), ...inside.filter(Boolean)),
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: home }, say("another"))), footer());
  scrollTo(0, 0);
  if (!document.getElementById("key")) return;
  document.getElementById("sign").disabled = !key;
  if (key) showKey(key);
}

/** Part of the page in which the letter is signed. */
function signing() {
  return h("fieldset", { id: "signing" }, h("legend", {}, say("sign")), votePlace(), sealing(), keyPlace(),
    h("div", { class: "buttons" }, h("button", { type: "button", id: "sign", class: "take", disabled: !key, onclick: signLetter }, say("sign-now"))),
    h("p", { id: "kind" }),
    h("p", { id: "signed", "aria-live": "polite" }));
}

let key = "";

/** Warning beside the key: it is another than the seat's, or an older report does not tell which is the seat's. Nothing where it is the right one. */
function keyWarning() {
  if (!sitting || sitting.seat_key === key) return [];
  return [sitting.seat_key ? h("p", { class: "unproved", role: "alert" }, `${say("key-strange")} `, h("code", {}, sitting.seat_key)) : h("p", { class: "note" }, say("key-warning"))];
}

function showKey(found) {
  key = found;
  document.getElementById("key").replaceChildren(h("p", {}, `${say("key-have")} `, h("code", {}, key)), ...keyWarning());
  document.getElementById("key").append(h("button", { type: "button", id: "key-other", onclick: forgetKey }, say("key-other")));
  document.getElementById("key").append(...keyKeeping(key));
  document.getElementById("sign").disabled = false;
}

function forgetKey() {
  key = "";
  ask("forget_key");
  document.getElementById("key").replaceWith(keyPlace());
  document.getElementById("sign").disabled = true;
}

/** Ask for a passphrase, in place of one that was asked for before. */
function askPassphrase(form) {
  const place = document.getElementById("key");
  place.querySelector("form")?.remove();
  place.append(form);
}

async function takeKey(file) {
  const data = lettersOf(new Uint8Array(await file.arrayBuffer()));
  const answer = attempt(() => ask("key", data, ""));
  if (answer?.key) showKey(answer.key);
  if (!answer?.lock) return;
  // A copy that the browser keeps has no name; its passphrase is another than that of the key's file.
  const word = file.name ? fill("passphrase-file", { name: file.name }) : say("passphrase-kept"), field = h("input", { type: "password", id: "passphrase", autocomplete: "off" });
  const open = async (event) => {
    event.preventDefault();
    const passphrase = field.value;
    field.disabled = button.disabled = true;
    status.textContent = say("key-opening");
    await rest();
    await stretch(passphrase, answer.lock);
    const opened = attempt(() => ask("key", data, passphrase));
    field.disabled = button.disabled = false;
    field.value = status.textContent = "";
    if (opened?.key) showKey(opened.key); else field.focus();
  };
  const button = h("button", {}, say("key-unlock")), status = h("span", { role: "status" });
  askPassphrase(h("form", { class: "row", onsubmit: open }, h("label", { for: "passphrase" }, word), field, button, status));
  field.focus();
}

function makeKey() {
  const field = h("input", { type: "password", id: "passphrase", autocomplete: "new-password" });
  const button = h("button", {}, say("key-make")), status = h("span", { role: "status" });
  const make = async (event) => {
    event.preventDefault();
    const passphrase = field.value;
    field.disabled = button.disabled = true;
    if (passphrase) { status.textContent = say("key-making"); await stretch(passphrase, ask("new_lock")); }
    const made = attempt(() => ask("new_key", passphrase));
    field.disabled = button.disabled = false;
    field.value = status.textContent = "";
    if (!made) return;
    save(made.file, "pbem-key");
    save(`${made.public}\n`, "pbem-key.pub");
    showKey(made.key);
    document.getElementById("key").prepend(h("p", { id: "key-made", role: "status" }, say("key-made")));
    document.getElementById("key-keeping")?.toggleAttribute("open", true);
  };
  askPassphrase(h("form", { class: "row", onsubmit: make }, h("label", { for: "passphrase" }, say("passphrase-new")), field, button, status));
  field.focus();
}

/** Tell whether the letter is right, or its writer wants it as it is. */
const mayBeSigned = () => (!isWrong() || confirm(say("sign-wrong"))) && (!isOfAnotherKind() || confirm(`${kindOf()} ${say("kind-sure")}`));

function signLetter() {
  if (!mayBeSigned()) return;
  const damaged = remember();
  change("sign");
  if (!damaged.length) note(ask("noted"));
  // The text of the letter has grown by its signature.
  setTimeout(() => document.getElementById("sending").scrollIntoView({ block: "nearest" }));
}

/** The kind that each of the letters on the desk should be of. */
const MEANT = { orders: "orders", second: "orders", plans: "plan", reveal: "reveal", proposal: "proposal", vote: "vote", agreement: "agreement" };

const isOfAnotherKind = () => Boolean(state.kind) && state.kind !== MEANT[state.draft];
const kindOf = () => `${say("kind")} ${state.kind_name}${state.kind === "key-change" ? `; ${say("kind-key-change")}` : ""}.`;

/** Tell the kind of the letter that would be signed. */
function tellKind() {
  const place = document.getElementById("kind"), legend = document.getElementById("given-draft");
  if (legend) legend.textContent = draftName();
  if (!place) return;
  tellVote();
  place.className = isOfAnotherKind() ? "unproved" : "note";
  place.textContent = state.kind ? kindOf() : "";
}

async function copyLetter(event) {
  const text = document.getElementById("text");
  try { await navigator.clipboard.writeText(text.value); } catch { text.select(); document.execCommand("copy"); }
  safe = true;
  event.target.textContent = say("copied");
  setTimeout(() => { event.target.textContent = say("copy"); }, 2000);
}

function save(text, name) { h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/octet-stream" })), download: name }).click(); }

/** A letter that is not signed can be saved, to be signed elsewhere, and goes out in no other way. */
function tellUnsigned() {
  const isUnsigned = sitting.kind === "report" && Boolean(sitting.seat) && sitting.signing === "on" && !state.signed, note = document.getElementById("mail-to");
  for (const id of ["copy", "mail", "share"]) document.getElementById(id)?.toggleAttribute("hidden", isEnded() ? id !== "copy" : isUnsigned);
  document.getElementById("download").textContent = say(isUnsigned && !isEnded() ? "download-unsigned" : "download");
  const mark = document.getElementById("sent-mark");
  if (mark) { mark.hidden = isEnded() || isUnsigned || !hasLetter() || !state.signed && due().some(isOpen); document.getElementById("letter-sent").checked = isSent(); }
  if (note) note.textContent = isEnded() ? "" : isUnsigned ? say("unsigned") : sitting.address ? `${say("mail-goes")} ${sitting.address}` : say("mail-to");
}

/** Texts of the letters that are marked as sent, by their drafts. A text that is changed afterwards is another letter. */
let sentTexts = {};

const isSent = () => Boolean(state.text) && sentTexts[state.draft] === state.text;

/** Tick with which the player notes that the letter has gone. */
function sentMark() {
  const mark = (event) => { if (event.target.checked) sentTexts[state.draft] = state.text; else delete sentTexts[state.draft]; tellBar(); keep(); };
  return h("label", { id: "sent-mark" }, h("input", { type: "checkbox", id: "letter-sent", onchange: mark }), say("table-is-sent"));
}

const letterName = () => state.file || `${state.draft}-${sitting.campaign || "position"}-${sitting.seat || "all"}.yaml`;

/** Tell beside the buttons that send in which way the letter goes. */
function tellWay(told) {
  const place = document.getElementById("mail-to");
  if (place) { place.textContent = told; place.scrollIntoView({ block: "nearest" }); } else notify(h("p", {}, told));
}

function downloadLetter() {
  save(document.getElementById("text").value, letterName());
  safe = true;
  const way = isEnded() ? "" : ["", say("not-sent"), sitting.address ? `${say("mail-goes")} ${sitting.address}` : say("mail-to")].join(" ");
  if (sitting.campaign) tellWay(fill("file-saved", { name: letterName() }) + way);
}

/** Letters of the longest address that every browser hands to a mail program: on Windows a longer one is dropped without a word. */
const LONGEST_MAIL = 2048;

const mailLink = (address, subject, body) => h("a", { href: `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}` });
const isTooLong = (link) => link.href.length > LONGEST_MAIL;

/** Begin a mail to an address with a text in it, as far as there is room, and a sentence about the file that is to be attached. */
function mailWithFile(address, subject, text, attached) {
  const linkWith = (body) => mailLink(address, subject, `${body}\n\n${attached}`.trim());
  let body = text.trim();
  while (body && isTooLong(linkWith(body))) body = body.slice(0, Math.max(0, body.lastIndexOf("\n"))).trimEnd();
  linkWith(body).click();
}

/** Begin a mail with the letter, or with the saved letter to attach where it is too long for that. The address is the one that the moderator has signed. */
function mailTo(address, campaign, seat, name) {
  const letter = document.getElementById("text").value, subject = `[${campaign}] ${seat}`, link = mailLink(address, subject, letter);
  if (isTooLong(link)) { save(letter, name); mailWithFile(address, subject, "", fill("letter-attached", { name })); tellWay(fill("letter-saved", { name })); } else { link.click(); tellWay(fill("letter-begun", { address })); }
  safe = true;
}

const mailLetter = () => mailTo(sitting.address, sitting.campaign, sitting.seat, letterName());

async function shareLetter() {
  try { await navigator.share({ title: letterName(), text: document.getElementById("text").value }); safe = true; } catch { /* whoever changes their mind has shared nothing */ }
}
