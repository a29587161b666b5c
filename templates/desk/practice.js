// Games against bots.
/** Where a game against bots is begun. */
function practice() {
  const games = ask("scenarios"), list = (id, word, changed) => h("select", { id, "aria-label": say(word), onchange: changed });
  const seats = list("seat", "seat");
  const scenario = list("scenario", "scenario", () => fill());
  const bot = h("select", { id: "bot", "aria-label": say("bot") }, ...["sensible", "random"].map((each) => h("option", { value: each }, say(`bot-${each}`))));
  const fill = () => seats.replaceChildren(...Object.entries(ask("seats", ...scenario.value.split("/"))).map(([seat, name]) => h("option", { value: seat }, name)));
  scenario.append(...Object.entries(games).map(([game, titles]) => h("optgroup", { label: game.toUpperCase() }, ...Object.entries(titles).map(([name, title]) => h("option", { value: `${game}/${name}` }, title)))));
  const begin = async (event) => {
    event.preventDefault();
    await rest();
    attempt(() => opened(ask("practise", ...scenario.value.split("/"), seats.value, bot.value)));
  };
  const made = h("details", { class: "practice", ontoggle: () => { if (!seats.childElementCount) fill(); } }, h("summary", {}, say("practice")), h("p", {}, say("practice-hint")),
    h("form", { class: "row", onsubmit: begin }, scenario, seats, bot, h("button", { class: "take", id: "practise" }, say("begin"))));
  return made;
}

function goOn() {
  const found = attempt(() => ask("go_on"));
  if (found) { opened(found); document.querySelector(".side").scrollTop = 0; }
}
