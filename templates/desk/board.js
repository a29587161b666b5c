// The board: the program's own drawing, over it what stands there, and what is open to whoever is chosen.
const SVG = "http://www.w3.org/2000/svg";

function s(tag, given = {}, ...within) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  made.append(...within);
  return made;
}

/** A drawing of the program as elements; it is read as a drawing, and nothing in it runs. */
function drawn(text, box, font) {
  const found = new DOMParser().parseFromString(`<svg xmlns="${SVG}" viewBox="${box}" font-family="${font.replaceAll('"', "&quot;")}">${text}</svg>`, "image/svg+xml").documentElement;
  return document.importNode(found, true);
}

/** Hide the letters of a drawing that nobody could read at a scale. */
function hideSmall(drawing, scale) {
  for (const text of drawing.matches("text") ? [drawing] : drawing.querySelectorAll("text")) {
    const size = Number(text.closest("[font-size]")?.getAttribute("font-size")) * scale, display = size < LETTERS.other - 0.01 ? "none" : "";
    if (text.style.display !== display) text.style.display = display;
  }
}

/** Draw signs in their order. Those that stand there already stay: a browser takes long to lay out what is new to it. */
function redraw(place, signs) {
  const there = new Map([...place.children].map((sign) => [sign.markup, sign]));
  const wanted = signs.map((sign) => { const markup = sign.outerHTML, kept = there.get(markup) ?? sign; there.delete(markup); kept.markup = markup; return kept; });
  for (const sign of [...place.children].filter((each) => !wanted.includes(each))) sign.remove();
  let next = place.firstElementChild;
  for (const sign of wanted) if (sign === next) next = next.nextElementSibling; else place.insertBefore(sign, next);
}

/** A finger or a hand may shake so many pixels, and still taps. */
const SHAKE = { mouse: 8, touch: 14 };
/** Factor by which a wheel enlarges when it is turned by one notch, and milliseconds after which another turn begins. */
const NOTCH = 1.15, PAUSE = 200;
/** Pixels beside a sign at which a finger still means the sign, not a name that lies there. */
const FINGER_BESIDE = 11;
/** Milliseconds: two taps are one gesture; a finger that rests so long looks. */
const TWICE = 350, RESTS = 500;
/** Factor by which the part of the board that is shown is wider than what has to be seen. */
const MARGIN = 1.25;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Widths that a tip may have: another than the first where it would lie over a ring; and the cost of a ring that it covers. */
const TIP_WIDTHS = ["", "13rem", "calc(100% - .8rem)"], RING_COVERED = 4e3;

class Board {
  constructor(place, clicked, hovered) {
    this.place = place; this.clicked = clicked; this.hovered = hovered; this.size = 1; this.marked = [null, [], ""]; this.picked = []; this.hungry = []; this.rests = 0; this.run = []; this.discs = [];
    this.sheet = h("div", { class: "sheet" });
    this.map = h("div", { class: "map", tabindex: "0", role: "application", "aria-label": say("board"), "aria-describedby": "board-keys" }, this.sheet);
    this.tip = h("div", { class: "tip", hidden: true, role: "status" });
    this.moment = h("p", { class: "moment", id: "moment", "aria-live": "polite" });
    this.meanings = h("ul", { class: "plain", tabindex: "0" });
    this.legend = h("details", { class: "rings", hidden: true, open: !isNarrow(), ontoggle: () => { this.meanings.scrollTop = 0; } }, h("summary", {}, say("signs")), this.meanings);
    // A button on the board leads to a legend that lies in the column.
    this.toLegend = h("button", { type: "button", id: "signs-show", hidden: true, onclick: () => { this.legend.open = true; this.legend.scrollIntoView({ block: "start" }); this.legend.querySelector("summary").focus({ preventScroll: true }); } }, say("signs"));
    this.edges = [..."←→↑↓"].map((sign) => h("button", { type: "button", class: "small", hidden: true, "aria-label": `${say("ends")} ${sign}`, onclick: (event) => this.bring(event.currentTarget.cities) }));
    this.sight = h("div", { class: "sight" }, ...this.edges);
    const zoom = (by) => h("button", { type: "button", "aria-label": say(by > 1 ? "larger" : "smaller"), onclick: () => this.enlarge(by) }, by > 1 ? "+" : "−");
    place.replaceChildren(this.map, h("p", { class: "spoken", id: "board-keys" }, say("board-keys")), h("div", { class: "zoom" }, zoom(1.4), zoom(1 / 1.4)), this.sight, this.legend, this.toLegend, this.moment, this.tip);
    this.listen();
    this.map.addEventListener("scroll", () => { this.centre = [(this.map.scrollLeft + this.map.clientWidth / 2) / this.sheet.clientWidth, (this.map.scrollTop + this.map.clientHeight / 2) / this.sheet.clientHeight]; this.pointOut(); this.pointAgain(); });
    new ResizeObserver(() => this.resize()).observe(this.map);
  }

  lay(board) {
    this.spots = new Map(board.spots.map((spot) => [spot.city, spot]));
    this.offMap = board.boxes; this.reachable = board.reach; this.sign = board.sign; this.letters = board.letters;
    [this.box, this.font] = [board.grounds[0].box, board.grounds[0].font];
    // Arrows and rings lie under names and tokens, which they would cover; what is beside a ring lies over them.
    [this.moves, this.rings, this.names, this.over, this.marks] = ["moves", "marks under", "names", "standing", "marks"].map((name) => s("g", { class: name }));
    const above = drawn("", this.box, this.font);
    above.classList.add("over");
    above.append(this.moves, this.rings, this.names, this.over, this.marks);
    this.above = above;
    this.sheet.replaceChildren(...board.grounds.map((ground) => { const made = ground.made ?? drawn(ground.drawn, ground.box, ground.font); made.classList.add("ground", ground.theme); made.append(s("g", { class: "frame" })); made.setAttribute("aria-hidden", "true"); return made; }), above);
    this.written = new Names(this.names, { spots: this.spots, reach: board.reach, sign: board.sign }, this.font);
    this.at = this.fitted = null;
    this.enlarge(1);
  }

  /** Show a position, and the title, legend and strips that belong to it. Arrows that are only news are thin. */
  stand({ over, box, bare, frames, legend = [], boxed = {} }, news = false) {
    this.boxed = boxed;
    this.moves.classList.toggle("news", news);
    if (this.over.told !== over) {
      const signs = [...drawn(over, this.box, this.font).children], is_arrow = (sign) => sign.matches(".march, .retreat");
      redraw(this.moves, signs.filter(is_arrow));
      // Signs that grew may meet: trains lie below all others, and the reader's own pieces above others of their kind.
      const rank = (sign) => 2 * !sign.matches(".train") + Boolean(sitting?.powers.includes(sign.dataset.power));
      redraw(this.over, signs.filter((sign) => !is_arrow(sign)).sort((one, other) => rank(one) - rank(other)));
      // It was told of pieces that stand elsewhere now.
      this.tell([]);
    }
    this.over.told = over;
    if (String(legend) !== this.signsTold) this.signs = legend.map(([kind, words, sign]) => h("li", {}, drawn(sign, "-42 -18 84 36", this.font), WORDS[language][`sign-${kind}`] ?? words));
    this.signsTold = String(legend);
    if (frames) this.frame(box ? { framed: box, bare } : this.around, frames);
    this.settle();
  }

  frame(around, frames) {
    this.around = around;
    for (const [theme, text] of Object.entries(frames)) {
      const place = this.sheet.querySelector(`.${theme} .frame`);
      if (place.told === text) continue;
      place.replaceChildren(...drawn(text, around.framed, this.font).childNodes);
      place.told = text;
      this.fitted = null;
    }
  }

  /** Show the board with its frame or without it; what is in sight stays where it is. */
  crop(box) {
    const [, before] = this.box.split(" "), [, now] = box.split(" ");
    if (box === this.box) return;
    this.box = box;
    this.measured = null;
    for (const layer of this.sheet.children) layer.setAttribute("viewBox", box);
    this.map.scrollTop += (before - now) * this.scale;
  }

  /** Pixels of the screen for each of the board's own. They are measured once and then kept: to measure between changes of the page has the browser lay it out each time. */
  get scale() { return this.measured ??= this.sheet.clientWidth / Number(this.box.split(" ")[2]); }

  /** Sizes between which one can zoom, as parts of the place's width: all of the board, and names at their largest. */
  get limits() {
    const [, , width, height] = this.box.split(" ").map(Number), map = this.map;
    return [Math.min(1, (map.clientHeight / map.clientWidth) * (width / height)), Math.max(2, (2 * LETTERS.most / this.letter) * width / map.clientWidth)];
  }

  /** Height of the smallest names as the program writes them. */
  get letter() { return Math.min(...[...this.spots.values()].map((spot) => spot.size)); }

  /** True on a phone that shows so much of the board that few of its names can be read. */
  get isTooSmall() { return isNarrow() && this.scale * this.letter < LETTERS.other; }

  /** Zoom to a size, so that what lies at one point of the screen comes to another. */
  zoom(size, [x, y], [tx, ty] = [x, y], before = this.sheet.getBoundingClientRect()) {
    const across = (x - before.left) / before.width, down = (y - before.top) / before.height;
    this.resizeTo(size);
    const now = this.sheet.getBoundingClientRect();
    this.map.scrollLeft += now.left + across * now.width - tx;
    this.map.scrollTop += now.top + down * now.height - ty;
    this.settle();
  }

  enlarge(by, at = null) {
    if (!this.spots || !this.map.clientWidth) return;
    const map = this.map.getBoundingClientRect();
    this.zoom(this.size * by, at ?? [map.left + map.width / 2, map.top + map.height / 2]);
  }

  /** Keep everything where it is on the screen when the bar has grown, and in the middle what was there when the window has become another. */
  resize() {
    const [across, down] = this.centre || [], before = this.lain, { clientWidth: width } = this.map, top = this.place.offsetTop;
    this.lain = { width, top };
    this.settle();
    if (before?.width === width) { this.map.scrollTop += top - before.top; return; }
    if (across === undefined) return;
    this.map.scrollLeft = across * this.sheet.clientWidth - this.map.clientWidth / 2;
    this.map.scrollTop = down * this.sheet.clientHeight - this.map.clientHeight / 2;
  }

  /** Enlarge with the next picture of the screen, once for all turns of the wheel until then. */
  enlargeSoon(by, at) {
    if (!this.turned) requestAnimationFrame(() => { const turned = this.turned; this.turned = null; this.enlarge(turned.by, turned.at); });
    this.turned = { by: (this.turned?.by ?? 1) * by, at };
  }

  /** The part of the board that is in sight; `look` shows it again. */
  view() { return [this.size, this.map.scrollLeft, this.map.scrollTop]; }
  look([size, left, top]) {
    this.resizeTo(size);
    this.map.scrollLeft = left;
    this.map.scrollTop = top;
    this.settle();
  }

  resizeTo(size) {
    const [least, most] = this.limits;
    this.size = Math.min(most, Math.max(least, size));
    this.measured = null;
    this.sheet.style.width = `${this.size * 100}%`;
  }

  /** Move the board until these cities are in sight, by as little as possible, or until they are in the middle. If they do not find room at the chosen size, call `fit` instead. */
  bring(cities, toMiddle = false, fit = () => this.show(cities)) {
    const found = cities.map((city) => this.spots.get(city)).filter(Boolean), map = this.sight.getBoundingClientRect(), zoom = this.place.querySelector(".zoom").getBoundingClientRect();
    if (!found.length || !map.width) return;
    const edge = Math.min(60, map.width / 8);
    const sides = [[map.left + edge, map.right - edge], [map.top + edge, Math.min(zoom.top, map.bottom) - edge / 2]];
    const gone = sides.map(([from, to], side) => {
      const places = found.map((spot) => this.onScreen(spot)[side]), least = Math.min(...places), most = Math.max(...places);
      return most - least > to - from ? null : toMiddle ? (least + most - from - to) / 2 : Math.min(0, least - from) + Math.max(0, most - to);
    });
    if (gone.includes(null)) { fit(); return; }
    this.map.scrollLeft += gone[0];
    this.map.scrollTop += gone[1];
  }

  /** Size at which the board leaves no part of its place empty. */
  get covering() {
    const [, , width, height] = this.box.split(" ").map(Number);
    return Math.max(1, this.map.clientHeight / this.map.clientWidth * width / height);
  }

  /** Show the cities of a turn that begins: move the board by as little as possible. Change its size only if a part of a phone's screen is empty, or if the cities do not find room and less than a quarter of them is in sight. */
  turnTo(cities) { if (isNarrow() && this.size < this.covering) this.cover(cities); else this.bring(cities, false, () => { if (cities.filter((city) => this.isInSight(city)).length * 4 < cities.length) this.cover(cities); }); }

  isInSight(city) {
    const map = this.sight.getBoundingClientRect(), [x, y] = this.spots.has(city) ? this.onScreen(this.spots.get(city)) : [-1, -1];
    return x > map.left && x < map.right && y > map.top && y < map.bottom;
  }

  /** Fit cities into the place; on a phone only as many as find room where the board leaves no part of the place empty. */
  cover(cities) {
    const found = cities.map((city) => this.spots.get(city)).filter(Boolean), map = this.map;
    if (!isNarrow() || !found.length || !map.clientWidth) { this.show(cities); return; }
    const wide = Number(this.box.split(" ")[2]) / this.covering / MARGIN, high = wide * map.clientHeight / map.clientWidth;
    const from = (left, top) => found.filter(({ x, y }) => x >= left && x <= left + wide && y >= top && y <= top + high);
    const most = found.flatMap(({ x }) => found.map(({ y }) => from(x, y))).reduce((best, crop) => crop.length > best.length ? crop : best);
    this.show(most.map((spot) => spot.city), this.covering);
  }

  /** Fit cities into the place, at a size that is not below the least. */
  show(cities, least = 0) {
    const found = cities.map((city) => this.spots.get(city)).filter(Boolean);
    if (!found.length || !this.sheet.clientWidth) return;
    const [left, top, width, height] = this.box.split(" ").map(Number), map = this.map;
    const xs = found.map((spot) => spot.x), ys = found.map((spot) => spot.y);
    const span = Math.max(Math.max(...xs) - Math.min(...xs), (Math.max(...ys) - Math.min(...ys)) * map.clientWidth / map.clientHeight, width / 5) * MARGIN;
    this.resizeTo(Math.max(least, Math.min(LETTERS.read / this.letter * width / map.clientWidth, width / span)));
    map.scrollLeft = ((Math.min(...xs) + Math.max(...xs)) / 2 - left) / width * this.sheet.clientWidth - map.clientWidth / 2;
    map.scrollTop = ((Math.min(...ys) + Math.max(...ys)) / 2 - top) / height * this.sheet.clientHeight - map.clientHeight / 2;
    this.settle();
  }

  /** Fit everything that has a size on the screen to the scale: tokens and letters, names, rings. */
  settle() {
    if (!this.spots || !this.map.clientWidth) return;
    this.measured = this.boxes = null;
    const scale = this.scale;
    for (const sign of [...this.over.children].filter((each) => each.fitted !== scale)) {
      sign.fitted = scale;
      sign.letters ??= Math.min(...[...sign.querySelectorAll("text")].map((text) => Number(text.getAttribute("font-size"))));
      const { city } = sign.dataset, spot = this.spots.get(city), by = city && Number.isFinite(sign.letters) ? Math.max(1, LETTERS.other / (sign.letters * scale)) : 1;
      sign.by = by;
      if (spot) sign.setAttribute("transform", `translate(${spot.x * (1 - by)},${spot.y * (1 - by)}) scale(${by})`);
      hideSmall(sign, by * scale);
    }
    if (this.fitted !== scale) this.fitGrounds(scale);
    this.drawMarks();
  }

  fitGrounds(scale) {
    this.fitted = scale;
    for (const ground of this.sheet.querySelectorAll(".ground")) hideSmall(ground, scale);
    // Samples without their words would be a riddle, and their place empty.
    for (const frame of this.sheet.querySelectorAll(".frame")) {
      const texts = [...frame.querySelectorAll("text")], unread = texts.filter((text) => text.style.display);
      frame.style.display = unread.length * 2 > texts.length ? "none" : "";
      if (this.around) this.crop(frame.style.display ? this.around.bare : this.around.framed);
    }
  }

  standing() { return [...this.over.querySelectorAll(":scope > [data-city]")]; }

  /** Boxes around the tokens, which stay until these are drawn anew. */
  tokens() {
    return this.boxes ??= this.standing().map((token) => {
      const box = token.getBBox(), spot = this.spots.get(token.dataset.city), by = token.by || 1;
      const [x, y] = spot ? [spot.x + (box.x - spot.x) * by, spot.y + (box.y - spot.y) * by] : [box.x, box.y];
      return [x, y, x + box.width * by, y + box.height * by];
    });
  }

  tokensIn(city) {
    const boxes = this.tokens();
    return this.standing().flatMap((token, at) => token.dataset.city === city ? [boxes[at]] : []);
  }

  /** Write the names, and point out what lies beyond the edges, when all that a click changes has been changed. */
  finishOnce() {
    if (this.waits) return;
    this.waits = true;
    queueMicrotask(() => { this.waits = false; this.write(); this.pointOut(); });
  }

  write() {
    const scale = this.scale, [chosen, ends] = this.marked, boxes = this.tokens(), signs = this.discs.map((box) => ["", box]);
    const round = (city) => this.spots.has(city) ? [[city, this.round(this.spots.get(city), scale) + (city === chosen ? 7 : 5) / scale]] : [];
    this.written.write(scale, new Map([chosen, ...ends.map((end) => end.city)].flatMap(round)), [...this.standing().map((token, at) => [token.dataset.city, boxes[at]]), ...signs]);
  }

  /** Mark who is chosen and where they may go, in a kind of rings, and the cities that an answer has picked so far, with a word for each. */
  mark(chosen, ends, kind = "", picked = []) {
    const were_none = !this.marked[0] && !this.marked[1].length;
    this.marked = [chosen, ends, kind];
    this.picked = picked.filter(({ city }) => this.spots?.has(city));
    const before = String(this.hungry);
    this.hungry = hungryCities();
    this.run = [];
    this.explain();
    if (!this.spots || (were_none && !chosen && !ends.length && String(this.hungry) === before)) return;
    this.drawMarks();
    // Rings may have come to lie under what is told.
    if (!this.tip.hidden) this.tell(...this.toldOf);
  }

  /** Name what rings mean, and whatever else stands on the board. */
  explain() {
    const [, ends, kind] = this.marked, samples = (like) => { const { under, over } = ring({ x: 0, y: 0 }, 7, 1, { ...like, city: "" }, kind, ([first]) => first); return [under, ...over]; };
    const kinds = [[kind ? say(kind === "strange" ? "look" : "onward") : say("free"), {}], [say("forced"), { forced: true }], [say("meets"), { meets: true }], [say("aim"), { aim: true }], [say("takes"), { conquers: [""] }], [say("starves"), { starves: true }]];
    const shown = kinds.filter(([, like]) => ends.some((end) => "path" in end && Object.entries(like).every(([key, value]) => value === true ? end[key] : end[key]?.length))).map(([words, like]) => [words, ...samples(like)]);
    if (shown.length && ends.some((end) => end.conquers?.length)) shown.push([say("falls"), ...fort({ x: 0, y: 0 }, 9, 1)]);
    if (ends.some((end) => !("path" in end))) shown.push([say(ends[0].fed ? "fed" : "ring-place"), ...samples({})]);
    if (this.hungry.length) shown.push([say("starves-now"), ...hatched({ x: 0, y: 0 }, 7, 1, ([first]) => first)]);
    this.legend.hidden = this.toLegend.hidden = !shown.length && !this.signs?.length;
    this.meanings.replaceChildren(...shown.map(([words, ...drawn]) => h("li", {}, s("svg", { viewBox: "-42 -14 84 28", class: "marks", "aria-hidden": "true" }, ...drawn), words)), ...this.signs || []);
  }

  round(spot, scale = this.scale) { return Math.max(spot.half + 4 * this.sign, 7 / scale); }

  /** Rings in the size of the screen; a square stands around a fortress that would fall, and flags at the ends by which it does. */
  drawMarks() {
    const [chosen, ends, kind] = this.marked, one = 1 / this.scale;
    this.rings.replaceChildren();
    this.marks.replaceChildren();
    this.discs = [];
    const free = (places) => { const box = this.freest(places); this.discs.push(box); return box; };
    for (const end of ends) {
      const spot = this.spots.get(end.city), drawn = spot && ring(spot, this.round(spot), one, end, kind, free);
      if (drawn) { this.rings.append(drawn.under); this.marks.append(...drawn.over); }
    }
    for (const city of new Set(ends.flatMap((end) => end.conquers || []))) {
      const spot = this.spots.get(city);
      this.rings.append(s("g", { class: "falls", "data-city": city }, ...fort(spot, this.round(spot) + 4 * one, one)));
    }
    for (const [city, named] of [[chosen, "chosen"], ...this.picked.map((each) => [each.city, "chosen"]), [this.cursor ? this.at : null, "cursor"]]) {
      const spot = this.spots.get(city);
      if (spot) this.rings.append(...circles(spot, this.round(spot) + 2 * one, 3.5 * one, named));
    }
    for (const city of new Set(kind === "strange" ? [] : ends.flatMap((end) => end.foes || []))) this.marks.append(...suitDisc(this.spots.get(city), this.round(this.spots.get(city)), one, free));
    for (const city of this.hungry.filter((each) => this.spots.has(each))) this.marks.append(s("g", { class: "beside hungry", "data-city": city }, ...hatched(this.spots.get(city), this.round(this.spots.get(city)), one, free)));
    for (const { city, word } of this.picked.filter((each) => each.word)) {
      const spot = this.spots.get(city), r = this.round(spot) + 4 * one;
      this.marks.append(labelAt(word, spot.x - r, spot.y + r, one));
    }
    this.marks.append(...this.drawGiven(one));
    this.drawTrail();
    this.finishOnce();
  }

  /** Numbers of troops that are being dealt out, each at its piece where the board itself shows another number, or none. */
  drawGiven(one) {
    const cities = new Map();
    for (const each of troopsGiven()) cities.set(each.city, [...cities.get(each.city) ?? [], each]);
    return [...cities].filter(([, there]) => there.some((each) => each.is_new)).flatMap(([city, there]) => {
      const [box] = this.tokensIn(city), words = there.map((each) => each.number).join("+"), high = 15 * one, wide = (6 + 8 * words.length) * one;
      if (!box) return [];
      // The number lies over the one that the board shows already, else beside the sign of the piece.
      const [x, y] = [box[2] - (there.some((each) => each.is_shown) ? wide / 2 : 0), box[3] - high / 2];
      return [labelAt(words, x, y, one)];
    });
  }

  /** The first of some boxes beside a ring that covers no token and nothing else beside a ring; where each would, the one that covers least. */
  freest(places) {
    const there = [...this.tokens(), ...this.discs], covered = (box) => there.reduce((sum, other) => sum + shared(box, other), 0);
    let best = places[0], least = covered(best);
    for (const box of places) {
      if (!least) break;
      const sum = covered(box);
      if (sum < least) [best, least] = [box, sum];
    }
    return best;
  }

  /** Tell at each edge how many of the marked cities lie beyond it. */
  pointOut() {
    if (!this.spots) return;
    const { left, top, width, height } = this.sight.getBoundingClientRect();
    const onSight = (cities) => cities.map((city) => this.spots.get(city)).filter(Boolean).map((spot) => { const [x, y] = this.onScreen(spot); return { city: spot.city, x: x - left, y: y - top }; });
    const ends = onSight(this.marked[1].map((end) => end.city)), spots = [...ends, ...onSight([this.marked[0]])];
    const boxes = [...this.place.querySelectorAll(":scope > :is(.zoom, .rings, .moment, #aim-show, #signs-show)")].map((each) => each.getBoundingClientRect());
    const is_clear = ([x, y]) => boxes.every((box) => Math.abs(x + left - box.left - box.width / 2) > box.width / 2 + 34 || Math.abs(y + top - box.top - box.height / 2) > box.height / 2 + 20);
    this.edges.forEach((edge, side) => {
      edge.cities = ends.filter(({ x, y }) => [x < 0, x > width, y < 0, y > height].indexOf(true) === side).map((end) => end.city);
      edge.hidden = !edge.cities.length;
      edge.textContent = `${"←→↑↓"[side]} ${edge.cities.length}`;
      // An arrow lies over no city that it could be clicked for, and over no button and no words.
      const places = [0.5, 0.42, 0.58, 0.35, 0.65, 0.27, 0.73, 0.2, 0.8].map((part) => [[30, height * part], [width - 30, height * part], [width * part, 24], [width * part, height - 24]][side]).filter(is_clear);
      const room = (place) => Math.min(...spots.map((spot) => Math.hypot(spot.x - place[0], spot.y - place[1])));
      const [x, y] = places.find((place) => room(place) > 50) ?? places.sort((one, other) => room(other) - room(one))[0] ?? [width / 2, height / 2];
      Object.assign(edge.style, { left: `${x}px`, top: `${y}px` });
    });
  }

  trail(from, path) { this.run = path.length ? [from, ...path] : []; this.drawTrail(); }

  drawTrail() {
    this.rings.querySelectorAll(".trail").forEach((each) => each.remove());
    const points = this.run.map((city) => this.spots.get(city)).filter(Boolean).map((spot) => `${spot.x},${spot.y}`).join(" "), one = 1 / this.scale;
    if (points.includes(" ")) this.rings.prepend(s("polyline", { class: "trail edge", points, "stroke-width": 8 * one }), s("polyline", { class: "trail", points, "stroke-width": 5 * one }));
  }

  cityAt({ clientX, clientY, target, pointerType }) {
    const matrix = this.above.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()), reach = Math.max(this.reachable, 22 / this.scale);
    const token = target?.closest?.("[data-city]")?.getAttribute("data-city");
    let best = null, least = reach;
    for (const spot of this.spots.values()) {
      const far = Math.hypot(spot.x - point.x, spot.y - point.y);
      if (far < least) { best = spot.city; least = far; }
    }
    // A pointer on a name means its city, unless it is on the sign of another one: a finger is wider than a mouse, and lies beside a sign that it means.
    if (!(best && least <= this.spots.get(best).half + (pointerType === "mouse" ? 2 : FINGER_BESIDE) / this.scale)) best = [...this.spots.values()].find(({ nameBox: box }) => box && point.x >= box[0] && point.x <= box[2] && point.y >= box[1] && point.y <= box[3])?.city ?? best;
    // A piece hides the cities beneath it; only those to which the chosen piece may go are meant through it.
    const is_end = least <= this.reachable * 0.4 && this.marked[1].some((end) => end.city === best);
    return this.spots.has(token) && !is_end ? token : best;
  }

  /** The off-map box at a point of the screen, or so near to it. */
  offMapAt({ clientX, clientY }, near) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.above.getScreenCTM().inverse());
    return this.offMap?.find(({ box }) => x >= box[0] - near && x <= box[2] + near && y >= box[1] - near && y <= box[3] + near);
  }

  /** Tell who is in an off-map box, and why nobody can be ordered there. */
  tellOffMap({ power, title, city }) {
    const there = this.boxed[power] ?? [];
    this.tell([`${title} (${called(power)})`, there.length ? there.join(", ") : say("box-empty"), fill("box-is", { city: calledCity(city) })], city);
  }

  listen() {
    const map = this.map, on = (kind, deed, given) => map.addEventListener(kind, deed, given);
    let from = null, moved = false;
    on("pointerdown", () => { if (isNarrow()) this.legend.open = false; });
    on("pointerdown", (event) => { from = event.pointerType === "mouse" && event.button === 0 ? [event.clientX, event.clientY, map.scrollLeft, map.scrollTop] : null; moved = false; this.cursor = false; });
    on("pointermove", (event) => {
      if (from && event.buttons) {
        const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
        if (Math.hypot(dx, dy) > SHAKE.mouse) moved = true;
        if (moved) { map.classList.add("dragged"); map.scrollLeft = from[2] - dx; map.scrollTop = from[3] - dy; }
      }
      this.pointer = event.pointerType === "mouse" ? [event.clientX, event.clientY] : null;
      // After a tap browsers tell of a mouse that has not moved: it points at nothing.
      if (this.spots && !event.buttons && this.pointer && (event.movementX || event.movementY)) this.hovered(this.cityAt(event));
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) on(end, () => map.classList.remove("dragged"));
    on("pointerleave", (event) => { this.pointer = null; if (event.pointerType === "mouse") this.hovered(null); });
    on("click", (event) => {
      if (moved || !this.spots || performance.now() <= this.rests) return;
      const city = this.cityAt(event), box = this.offMapAt(event, city ? 0 : 12 / this.scale);
      if (box && !this.marked[1].some((end) => end.city === city)) this.tellOffMap(box); else this.clicked(city);
    });
    let wheel = { time: -PAUSE, turns: false };
    on("wheel", (event) => {
      // Two fingers may become as fast as a wheel: what one began with counts.
      wheel = { time: event.timeStamp, turns: event.timeStamp - wheel.time < PAUSE ? wheel.turns : isTurned(event) };
      // With Shift a wheel moves the board to the sides.
      if (event.shiftKey || !(event.ctrlKey || wheel.turns)) return;
      event.preventDefault();
      this.enlargeSoon(wheel.turns ? NOTCH ** -Math.sign(event.deltaY) : Math.exp(-event.deltaY / 100), [event.clientX, event.clientY]);
    }, { passive: false });
    this.touch();
    on("keydown", (event) => this.key(event));
    on("blur", () => { if (this.cursor) { this.cursor = false; this.drawMarks(); this.hovered(null); } });
  }

  /** Take no click for a moment. */
  rest() { this.rests = performance.now() + 400; }

  /** Fingers: one taps, pans or rests, two pinch and pan, two quick taps enlarge. */
  touch() {
    const map = this.map, on = (kind, deed) => map.addEventListener(kind, deed, { passive: false });
    const place = (touch) => [touch.clientX, touch.clientY], far = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
    const apart = ([a, b]) => far(place(a), place(b)), between = ([a, b]) => [(a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2];
    let pinch = null, one = null, resting = 0, rested = false, last = null;
    on("touchstart", (event) => {
      clearTimeout(resting);
      if (!this.spots) return;
      this.speed = null;
      if (event.touches.length === 2) {
        one = null;
        pinch = { apart: apart(event.touches), at: between(event.touches), size: this.size, box: this.sheet.getBoundingClientRect() };
      } else if (event.touches.length === 1) {
        const touch = event.touches[0];
        one = { at: place(touch), now: place(touch), time: event.timeStamp, moved: false };
        rested = false;
        this.hovered(null);
        resting = setTimeout(() => { rested = true; this.hovered(this.cityAt({ clientX: touch.clientX, clientY: touch.clientY, target: touch.target })); }, RESTS);
      }
    });
    on("touchmove", (event) => {
      if (pinch && event.touches.length === 2) {
        event.preventDefault();
        const [least, most] = this.limits, size = Math.min(most, Math.max(least, pinch.size * apart(event.touches) / pinch.apart)), by = size / pinch.size;
        const [x, y] = pinch.at, [tx, ty] = between(event.touches);
        Object.assign(pinch, { to: [tx, ty], by: size });
        // While fingers move, the picture is only stretched; it is drawn anew when they have been lifted.
        this.sheet.style.transformOrigin = "0 0";
        this.sheet.style.transform = `translate(${tx - pinch.box.left - (x - pinch.box.left) * by}px,${ty - pinch.box.top - (y - pinch.box.top) * by}px) scale(${by})`;
      } else if (one && !rested) {
        const to = place(event.touches[0]);
        if (far(one.at, to) > SHAKE.touch) { one.moved = true; clearTimeout(resting); }
        if (!one.moved) return;
        event.preventDefault();
        const [dx, dy] = [to[0] - one.now[0], to[1] - one.now[1]], gone = Math.max(1, event.timeStamp - one.time);
        map.scrollLeft -= dx;
        map.scrollTop -= dy;
        this.speed = [dx / gone, dy / gone];
        Object.assign(one, { now: to, time: event.timeStamp });
      }
    });
    const lifted = (event) => {
      clearTimeout(resting);
      if (pinch && event.touches.length < 2) {
        const { at, to = at, by = this.size, box } = pinch;
        pinch = null;
        this.rest();
        this.sheet.style.transform = "";
        this.zoom(by, at, to, box);
      } else if (rested) { event.preventDefault(); rested = false; } else if (one?.moved) {
        this.rest();
        if (event.timeStamp - one.time < 60) this.glide();
      } else if (one && event.type === "touchend") {
        const twice = last && one.time - last.time < TWICE && far(last.at, one.at) < 30;
        if (twice) { event.preventDefault(); this.enlarge(1.8, one.at); }
        last = twice ? null : one;
      }
      one = null;
    };
    on("touchend", lifted);
    on("touchcancel", lifted);
    on("contextmenu", (event) => { if (rested || event.pointerType === "touch") event.preventDefault(); });
  }

  /** Let the board run on after a finger has let it go, slower and slower. */
  glide() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const speed = this.speed;
    let before = performance.now();
    const step = (now) => {
      if (this.speed !== speed || Math.hypot(...speed) < 0.02) return;
      const gone = now - before;
      this.map.scrollLeft -= speed[0] * gone;
      this.map.scrollTop -= speed[1] * gone;
      speed.forEach((each, side) => { speed[side] = each * 0.996 ** gone; });
      before = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  key(event) {
    if (!this.spots || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { "+": 1.4, "=": 1.4, "-": 1 / 1.4, "−": 1 / 1.4 }[event.key], way = ARROWS[event.key], takes = event.key === "Enter" || event.key === " ";
    // Over the board of then, arrows to the sides lead on through what happened.
    if ((!by && !way && !takes) || ((way?.[0] || event.key === " ") && isPast())) return;
    event.preventDefault();
    event.stopPropagation();
    if (by) { this.enlarge(by, this.cursor && this.at ? this.onScreen(this.spots.get(this.at)) : null); return; }
    if (takes) { if (this.at) { this.clicked(this.at); this.point(this.at); } return; }
    this.point(this.at && this.cursor ? this.beside(this.at, way) ?? this.at : this.at ?? this.marked[0] ?? this.middle());
  }

  /** Put the cursor of the keyboard on a city, and bring it into sight. */
  point(city) {
    Object.assign(this, { at: city, cursor: true });
    this.bring([city]);
    this.drawMarks();
    this.hovered(city);
  }

  onScreen(spot) { const point = new DOMPoint(spot.x, spot.y).matrixTransform(this.above.getScreenCTM()); return [point.x, point.y]; }

  /** The neighbour by road that lies most in a direction; where no road leads there, the nearest city. */
  beside(city, [dx, dy]) {
    const here = this.spots.get(city);
    const along = (spot) => { const far = Math.hypot(spot.x - here.x, spot.y - here.y); return { city: spot.city, far, straight: far ? ((spot.x - here.x) * dx + (spot.y - here.y) * dy) / far : -1 }; };
    const by_road = here.near.map((each) => along(this.spots.get(each))).filter((each) => each.straight > 0.5).sort((a, b) => b.straight - a.straight);
    const others = () => [...this.spots.values()].map(along).filter((each) => each.straight > 0.7).sort((a, b) => a.far / a.straight ** 2 - b.far / b.straight ** 2);
    return (by_road[0] ?? others()[0])?.city;
  }

  /** The city nearest to the middle of what is in sight. */
  middle() {
    const map = this.map.getBoundingClientRect(), far = (spot) => { const [x, y] = this.onScreen(spot); return Math.hypot(x - map.left - map.width / 2, y - map.top - map.height / 2); };
    return [...this.spots.values()].reduce((best, spot) => far(spot) < far(best) ? spot : best).city;
  }

  /** Tell of what lies under the mouse when the board has moved away under it. */
  pointAgain() {
    clearTimeout(this.pointsAgain);
    this.pointsAgain = setTimeout(() => {
      const [clientX, clientY] = this.pointer ?? [], target = this.pointer && document.elementFromPoint(clientX, clientY);
      if (this.map.contains(target)) this.hovered(this.cityAt({ clientX, clientY, target }));
    }, 80);
  }

  /** Tell something of a city beside it. */
  tell(lines, city) {
    const spot = this.spots?.get(city);
    this.tip.hidden = !lines.length || !spot;
    if (this.tip.hidden) return;
    this.toldOf = [lines, city];
    this.tip.replaceChildren(...lines.map((line) => h("div", {}, line)));
    const box = this.sight.getBoundingClientRect(), scale = this.scale, round = this.round(spot) + 8 / scale;
    // Neither the city nor its name nor who stands there is covered by what is told of it.
    const [x, y] = this.onScreen(spot), onPlace = ([west, north, east, south]) => [west, north, east, south].map((at, side) => (at - (side % 2 ? spot.y : spot.x)) * scale + (side % 2 ? y - box.top : x - box.left));
    const token = this.tokensIn(city);
    const avoided = [[spot.x - round, spot.y - round, spot.x + round, spot.y + round], ...token, ...spot.name ? [spot.name] : []].map(onPlace);
    const all = [0, 1, 2, 3].map((side) => (side < 2 ? Math.min : Math.max)(...avoided.map((each) => each[side])));
    // The nearest place beside it that covers no ring and no piece, for these are what one wants to click next: rings first.
    const rings = this.marked[1].map((end) => this.spots.get(end.city)).filter(Boolean).map((each) => { const r = this.round(each) + 8 / scale; return onPlace([each.x - r, each.y - r, each.x + r, each.y + r]); }), tokens = this.tokens().map(onPlace);
    // Least of all it covers the piece that is chosen.
    const mine = this.spots.get(this.marked[0]), own = mine ? [[mine.x - 12 / scale, mine.y - 12 / scale, mine.x + 12 / scale, mine.y + 12 / scale], ...this.tokensIn(mine.city)].map(onPlace) : [];
    const cost = (left, top, wide, high) => {
      const lain = [left, top, left + wide, top + high], covered = (boxes) => boxes.reduce((sum, each) => sum + overlap(lain, each), 0), off = Math.hypot(Math.max(all[0] - lain[2], left - all[2], 0), Math.max(all[1] - lain[3], top - all[3], 0));
      return (overlap(lain, all) ? 1e5 : 0) + (covered(own) ? 5e4 : 0) + RING_COVERED * covered(rings) + 1e2 * covered(tokens) + off / 10 + Math.hypot(left + wide / 2 - x + box.left, top + high / 2 - y + box.top) / 100;
    };
    let best = { least: Infinity };
    for (const maxWidth of TIP_WIDTHS) {
      this.tip.style.maxWidth = maxWidth;
      const { offsetWidth: wide, offsetHeight: high } = this.tip;
      for (let left = 4; left + wide < box.width; left += 12) for (let top = 4; top + high < box.height; top += 12) { const least = cost(left, top, wide, high); if (least < best.least) best = { least, maxWidth, left, top }; }
      if (best.least < RING_COVERED) break;
    }
    const { maxWidth = "", left = 4, top = 4 } = best;
    Object.assign(this.tip.style, { maxWidth, left: `${left}px`, top: `${top}px` });
  }
}

/** Tell if a mouse turns its wheel, and no fingers move on a trackpad: these begin slowly, or to the side. A Mac tells a slow wheel in parts of its own. */
function isTurned({ deltaMode, deltaX, deltaY }) { return !deltaX && (deltaMode !== 0 || Math.abs(deltaY) >= 50 || Math.abs(deltaY) % 4.000244140625 === 0); }
