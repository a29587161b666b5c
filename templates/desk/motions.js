// Proposals and votes: what is open, and the letters that propose something or vote.
const MOTIONS = ["proposal", "vote", "agreement"];
const isMotion = () => MOTIONS.includes(state.draft);
/** Proposals on which a vote is asked, and no vote was signed here. */
const awaitedVotes = () => newer ? [] : (sitting.motions?.open ?? []).filter((each) => each.votes && !each.vote && !state.votes[each.name]?.signed);

/** Part of the page in which a seat proposes and votes; nothing where nobody does. */
function motionPlace() {
  if (!sitting.motions) return null;
  const { open, settled, subjects, about, seats, days, most_days, most_time } = sitting.motions;
  const write = (name, ...given) => { change(name, ...given); if (isMotion()) toLetter(); };
  const moment = (utc) => h("time", { datetime: utc }, new Date(utc).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }));
  const says = (each, word, said) => h("button", { type: "button", class: "says", "data-says": said, onclick: () => write("vote", each.name, said) }, say(word));
  const line = (each) => h("li", { "data-proposal": each.name }, h("p", {}, each.told, " ", say("motion-until"), " ", moment(each.until), "."),
    h("p", { class: "voted" }), h("p", { class: "note" }, [["motion-for", each.yes], ["motion-awaited", each.awaited]].filter(([, names]) => names.length).map(([word, names]) => `${say(word)} ${names.join(", ")}.`).join(" ")),
    h("div", { class: "buttons" }, ...!each.votes ? [] : each.mine ? [says(each, "motion-withdraw", "no")] : [says(each, "motion-yes", "yes"), says(each, "motion-no", "no")]));
  const field = (id, most, value) => h("input", { type: "number", id, min: 1, max: most, value, required: true }), row = (word, input) => h("p", {}, h("label", { for: input.id }, say(word)), " ", input);
  const subject = h("select", { id: "motion-subject" }, ...Object.entries(subjects).map(([key, word]) => h("option", { value: key }, word))), vote_days = field("motion-days", most_days, days);
  const given = { seat: h("select", { id: "motion-seat" }, ...Object.entries(seats).map(([seat, name]) => h("option", { value: seat }, name))), days: field("motion-time", most_time, 3) };
  given.span = h("input", { id: "motion-span", value: "5d", required: true, maxlength: 8, autocomplete: "off" });
  const rows = { seat: row("motion-seat", given.seat), days: row("motion-time", given.days), span: row("motion-span", given.span) }, kind = () => about[subject.value].split(" ").at(-1), voting = row("motion-days", vote_days);
  const turn = () => {
    for (const [each, place] of Object.entries(rows)) { place.hidden = kind() !== each; given[each].disabled = place.hidden; }
    voting.hidden = vote_days.disabled = subject.value === "resign";
  };
  subject.addEventListener("change", turn);
  turn();
  const propose = (event) => {
    event.preventDefault();
    if (subject.value === "resign" && !confirm(`${sitting.motions.resigning} ${say("motion-resign")}`)) return;
    write("propose", subject.value, given[kind()]?.value ?? "", vote_days.disabled ? 0 : Number(vote_days.value));
  };
  return h("section", { id: "motions", "aria-label": say("motions") }, open.length || settled.length ? h("h2", {}, say("motions")) : null, settled.length ? h("ul", { class: "plain", id: "settled" }, ...settled.map((told) => h("li", {}, told))) : null, open.length ? h("ul", { class: "plain" }, ...open.map(line)) : null,
    h("details", { id: "propose" }, h("summary", {}, say("motion-propose")), h("form", { class: "propose", onsubmit: propose }, row("motion-subject", subject), ...Object.values(rows), voting, h("p", { class: "note" }, say("motion-hint")), h("button", { class: "take" }, say("take")))));
}

/** Say in the bar that votes are waited for, and lead there. */
function tellMotions() {
  const waiting = isMotion() ? [] : awaitedVotes(), bring = () => { raise(); const place = document.getElementById("motions"); place.scrollIntoView({ block: "nearest" }); place.querySelector(".says[aria-pressed=false]").focus(); };
  tellOwnVotes();
  document.getElementById("voting").replaceChildren(...waiting.length ? [h("button", { type: "button", class: isVoteAlone(due()) ? "take" : "plainly", onclick: bring }, `${say("motion-wait")} ${waiting.length}`)] : []);
}

/** Sentences on proposals that have ended without effect since the report before, until something is written. */
const proposalsEnded = () => newer || isEnded() || state.undo || isMotion() ? [] : (sitting.motions?.settled ?? []).map((told) => h("strong", { class: "sentence" }, told));

/** Place above the signature where a vote is told. */
const votePlace = () => h("p", { id: "vote-told", "aria-live": "polite" });

/** Say above the signature how the letter on top votes, and on what. */
function tellVote() {
  const place = document.getElementById("vote-told"), voted = state.draft === "vote" ? (sitting.motions?.open ?? []).find((each) => state.votes[each.name]) : null, says = voted && state.votes[voted.name].says;
  place.replaceChildren(...voted ? [h("strong", {}, fill(`signing-${voted.mine && says === "no" ? "withdraw" : says}`, { topic: voted.topic }))] : []);
}

/** Say below each proposal how one has voted, or votes by a letter that lies here. */
function tellOwnVotes() {
  for (const each of sitting.motions?.open ?? []) {
    const line = document.querySelector(`[data-proposal="${each.name}"]`), written = state.votes[each.name], says = written?.says || each.vote;
    for (const button of line.querySelectorAll(".says")) button.setAttribute("aria-pressed", String(button.dataset.says === says));
    line.querySelector(".voted").textContent = !says || each.mine && says === "yes" ? "" : fill(!written ? "motion-voted" : atOwnTable() ? "motion-not-given" : written.signed ? "motion-signed" : "motion-unsigned", { says: say(`motion-${says}`) });
  }
}
