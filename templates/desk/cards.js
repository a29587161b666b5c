// Cards as pictures: tactical ones by suit and value, and whatever else is printed and can be chosen.

const CARD = /^(?:([♣♦♥♠])([0-9]+)|R([0-9]*))(?:\/(.*))?$/;

/** Suit, value and deck of a card as it is written; nothing for what is no card. */
function cardOf(written) {
  const found = typeof written === "string" ? CARD.exec(written) : null;
  return found && { suit: found[1] || "", value: found[2] || "R", declared: found[3] || "", deck: found[4] || "" };
}

const isRed = (suit) => suit === "♥" || suit === "♦";

/** The face of a card; `below` stands at its foot. */
function face(card, below = "") {
  return [
    h("span", { class: "corner", "aria-hidden": "true" }, card.value, card.suit ? h("i", {}, card.suit) : null),
    h("span", { class: "middle", "aria-hidden": "true" }, card.suit || "R"),
    h("span", { class: "spoken" }, `${card.suit}${card.value}${card.declared}`),
    below ? h("span", { class: "below" }, below) : null,
  ];
}

const faceClass = (card) => `card${isRed(card.suit) ? " red" : ""}${card.suit ? "" : " reserve"}`;

/** A card to be looked at, as it is written. */
function card(written) {
  const found = cardOf(written);
  return found ? h("span", { class: faceClass(found), title: written }, ...face(found)) : h("span", { class: "card" }, written);
}

/** A card to be clicked. */
function cardButton(found, below, deed, more = {}) { return h("button", { type: "button", class: `pick ${faceClass(found)}`, onclick: deed, ...more }, ...face(found, below)); }

/** The picture of what is printed on a card that can be chosen. */
function printed(found) {
  return [h("span", { class: "number" }, found.write), h("strong", {}, found.title), ...found.lines.map((line) => h("span", { class: "line" }, line)), found.says ? h("em", {}, found.says) : null];
}

const signed = (number) => number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";

/** Both sides of a battle, and the score as the reader counts it. */
function fightOf(fight) {
  const side = (each, name) => h("div", { class: `fighter ${name}` }, h("strong", {}, sitting.power_names[each.power] || each.power), suited(`${each.called} ${each.suit}`),
    h("span", {}, [each.troops === null ? "" : counted(each.troops, "troop", "troops"), counted(each.cards, "card-held", "cards-held")].filter(Boolean).join(" · ")));
  return h("div", { class: "fight" }, side(fight.own, "own"), h("div", { class: "score" }, h("span", {}, say("score")), h("output", {}, signed(fight.score))), side(fight.foe, "foe"));
}

/** Cards that were played last, or how the battle began. */
const playedIn = (fight) => fight.told ? h("p", { class: "fought" }, suited(fight.told)) : null;
