// Moderators: whose key a letter is of, as far as this browser knows it, and with what that can be compared.
const NOTED = "pbem-moderators";
let noted = "";

/** Tell the program what this browser has noted; damaged notes are told, and are no notes. */
function remember() {
  try { noted = localStorage.getItem(NOTED) ?? noted; } catch { /* a browser that keeps nothing knows what it was told since the page was opened */ }
  try { ask("remember", noted); return []; } catch (error) {
    if (!error.refused) throw error;
    return error.refused;
  }
}

function note(moderators) {
  noted = moderators;
  try { localStorage.setItem(NOTED, noted); } catch { /* then the next page asks again */ }
}

const WAYS = { told: "way-told", invitation: "way-invitation", notes: "way-notes", archive: "way-archive" };
const waysOf = (met) => `${say("compared-with")} ${met.ways.map((way) => say(WAYS[way])).join(", ")} (${new Date(met.day).toLocaleDateString(language, { dateStyle: "medium", timeZone: "UTC" })})`;

/** Owner of the key of a signature, and what is known of that key. */
const signedBy = (key, met) => h("p", { class: "note" }, `${say("moderator")} `, h("code", {}, key), met ? h("br") : null, met ? waysOf(met) : null);

/** A letter of somebody whom this browser does not know as the moderator of its campaign. */
function meeting({ stranger, why }, damaged = []) {
  safe = true;
  const again = () => meeting(ask("stranger"));
  const compare = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isZip(bytes)) { openArchive([[file.name, new Blob([bytes])]], compareArchive); return; }
    const found = attempt(() => ask("compare", lettersOf(bytes), file.name));
    if (found) meeting(found);
  };
  const accept = () => {
    const found = attempt(() => { remember(); return ask("accept"); });
    if (found) { note(found.moderators); opened(found.opened); }
  };
  const compared = stranger.compared.map((each) => h("li", { class: each.same ? "well" : "refusal" }, `${say(WAYS[each.way])}: ${say(each.same ? "key-same" : "key-differs")}`, each.same ? null : " ", each.same ? null : h("code", {}, each.key)));
  const file = h("input", { type: "file", id: "compare-file", class: "file", onchange: compare });
  const asked = stranger.known
    ? [alarm(why.map(faultLine)), h("p", {}, say("meet-changed"))]
    : [h("p", {}, say("meet-why")), stranger.also.length ? h("p", {}, `${say("meet-also")} ${stranger.also.join(", ")}`) : null];
  front(again, stranger.campaign, say(stranger.known ? "meet-other" : "meet"),
    h("p", {}, `${say("meet-signed")} ${stranger.host} `, h("code", { id: "signer" }, stranger.key)), ...asked,
    compared.length ? h("ul", { class: "faults", id: "compared" }, ...compared) : null,
    stranger.known ? null : h("p", { class: "note" }, say("meet-compare")),
    h("div", { class: "buttons" }, stranger.known ? null : file, stranger.known ? null : h("label", { for: "compare-file", class: "button" }, say("compare-file"))),
    archiveChoice(compareArchive),
    stranger.known && !stranger.acceptable ? h("p", { class: "note" }, say("meet-forget"))
      : h("button", { type: "button", id: "accept", class: "take", disabled: !stranger.acceptable, onclick: accept }, say(stranger.compared.length ? "meet-accept" : "meet-told")));
  if (damaged.length) document.getElementById("notice").append(alarm(damaged.map(faultLine)));
}

/** Compare the key with an archive that was taken in and verified. */
async function compareArchive() {
  const found = await askFolder("archive_keys").catch((error) => error), refused = told(() => { if (found instanceof Error) throw found; meeting(ask("compare_archive", found.campaign, found.keys)); return []; });
  if (refused.length) { meeting(ask("stranger")); notify(...refused); }
}

/** List of the moderators that this browser knows, each with a button that forgets one. */
function known() {
  const damaged = remember(), found = Object.entries(ask("moderators"));
  if (damaged.length) return h("ul", { class: "faults" }, ...damaged.map(faultLine));
  if (!found.length) return null;
  const forget = (campaign) => { if (confirm(`${campaign}: ${say("forget-sure")}`)) { remember(); note(ask("forget", campaign)); welcome(); } };
  return h("details", { id: "known" }, h("summary", {}, say("known")), h("p", {}, say("known-hint")), h("ul", { class: "plain" }, ...found.map(([campaign, { key, met }]) =>
    h("li", {}, h("strong", {}, campaign), " ", h("code", {}, key), h("p", { class: "note" }, waysOf(met)), h("button", { type: "button", "data-campaign": campaign, onclick: () => forget(campaign) }, say("forget"))))));
}
