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

class Board {
  constructor(place, clicked, hovered) {
    this.place = place; this.clicked = clicked; this.hovered = hovered; this.size = 1;
    this.sheet = h("div", { class: "sheet" });
    this.map = h("div", { class: "map", tabindex: "0", role: "application", "aria-label": say("board") }, this.sheet);
    this.tip = h("div", { class: "tip", hidden: true, role: "status" });
    const zoom = (by) => h("button", { type: "button", "aria-label": say(by > 1 ? "larger" : "smaller"), onclick: () => this.enlarge(by) }, by > 1 ? "+" : "−");
    place.replaceChildren(this.map, h("div", { class: "zoom" }, zoom(1.4), zoom(1 / 1.4)), this.tip);
    this.drag();
  }

  lay(board) {
    this.spots = new Map(board.spots.map((spot) => [spot.city, spot]));
    this.reachable = board.reach;
    [this.box, this.font] = [board.grounds[0].box, board.grounds[0].font];
    this.over = s("g"); this.marks = s("g", { class: "marks" });
    const above = drawn("", this.box, this.font);
    above.classList.add("over");
    above.append(this.over, this.marks);
    this.above = above;
    this.sheet.replaceChildren(...board.grounds.map((ground) => { const made = drawn(ground.drawn, ground.box, ground.font); made.classList.add("ground", ground.theme); made.append(s("g", { class: "frame" })); made.setAttribute("aria-hidden", "true"); return made; }), above);
    const [, , width, height] = this.box.split(" ").map(Number);
    this.unit = this.reachable / 12;
    this.ratio = height / width;
    this.enlarge(1);
  }

  /** Show a position, and the title, legend and strips that belong to it. */
  stand({ over, box, frames }) {
    this.over.replaceChildren(...drawn(over, this.box, this.font).childNodes);
    if (frames) this.frame(box || this.box, frames);
  }

  frame(box, frames) {
    this.box = box;
    for (const layer of this.sheet.children) layer.setAttribute("viewBox", box);
    for (const [theme, text] of Object.entries(frames)) {
      const place = this.sheet.querySelector(`.${theme} .frame`);
      if (place.told !== text) place.replaceChildren(...drawn(text, box, this.font).childNodes);
      place.told = text;
    }
  }

  enlarge(by) {
    const map = this.map, x = (map.scrollLeft + map.clientWidth / 2) / this.sheet.clientWidth, y = (map.scrollTop + map.clientHeight / 2) / this.sheet.clientHeight;
    this.size = Math.min(5, Math.max(1, this.size * by));
    this.sheet.style.width = `${this.size * 100}%`;
    if (by !== 1) { map.scrollLeft = x * this.sheet.clientWidth - map.clientWidth / 2; map.scrollTop = y * this.sheet.clientHeight - map.clientHeight / 2; }
  }

  /** Which part of the board is in sight, and that part again. */
  view() { return [this.map.scrollLeft, this.map.scrollTop]; }
  look([left, top]) { this.map.scrollLeft = left; this.map.scrollTop = top; }

  show(cities) {
    const found = cities.map((city) => this.spots.get(city)).filter(Boolean);
    if (!found.length || !this.sheet.clientWidth) return;
    const [left, top, width, height] = this.box.split(" ").map(Number), map = this.map;
    const xs = found.map((spot) => spot.x), ys = found.map((spot) => spot.y);
    const span = Math.max(Math.max(...xs) - Math.min(...xs), (Math.max(...ys) - Math.min(...ys)) * map.clientWidth / map.clientHeight, width / 5) * 1.25;
    this.size = Math.min(3.5, Math.max(1, width / span));
    this.sheet.style.width = `${this.size * 100}%`;
    map.scrollLeft = ((Math.min(...xs) + Math.max(...xs)) / 2 - left) / width * this.sheet.clientWidth - map.clientWidth / 2;
    map.scrollTop = ((Math.min(...ys) + Math.max(...ys)) / 2 - top) / height * this.sheet.clientHeight - map.clientHeight / 2;
  }

  /** Mark who is chosen and where they may go, in a kind of rings; flags stand at cities that would fall, and at ends by which one does. */
  mark(chosen, ends, kind = "") {
    this.marks.replaceChildren();
    const r = this.unit * 6;
    const flag = (spot, named) => s("path", { class: named, d: `M${spot.x - r * 1.1},${spot.y - r * 0.5}v${-r * 1.1}l${r * 0.9},${r * 0.35}l${-r * 0.9},${r * 0.35}`, "stroke-width": r / 6 });
    for (const end of ends) {
      const spot = this.spots.get(end.city);
      if (!spot) continue;
      const takes = Boolean(end.conquers?.length);
      const group = s("g", { class: ["end", end.forced && "forced", end.meets && "meets", end.aim && "aim", takes && "takes", kind].filter(Boolean).join(" "), "data-city": end.city });
      group.append(s("circle", { cx: spot.x, cy: spot.y, r, "stroke-width": r / 3.5 }));
      if (end.aim) group.append(s("circle", { cx: spot.x, cy: spot.y, r: r * 1.35, "stroke-width": r / 6 }));
      if (end.meets) group.append(s("path", { d: `M${spot.x + r * 0.5},${spot.y - r * 1.1}l${r * 0.6},${r * 0.6}m0,${-r * 0.6}l${-r * 0.6},${r * 0.6}`, "stroke-width": r / 6 }));
      if (takes) group.append(flag(spot, "flag"));
      this.marks.append(group);
    }
    for (const city of new Set(ends.flatMap((end) => end.conquers || []))) this.marks.append(s("g", { class: "falls", "data-city": city }, flag(this.spots.get(city), "flag")));
    const at = this.spots.get(chosen);
    if (at) this.marks.append(s("circle", { class: "chosen", cx: at.x, cy: at.y, r: r * 1.5, "stroke-width": r / 2.5 }));
  }

  trail(from, path) {
    this.marks.querySelector(".trail")?.remove();
    const points = [from, ...path].map((city) => this.spots.get(city)).filter(Boolean);
    if (points.length > 1) this.marks.prepend(s("polyline", { class: "trail", points: points.map((spot) => `${spot.x},${spot.y}`).join(" "), "stroke-width": this.unit * 3.5 }));
  }

  cityAt(event) {
    const matrix = this.above.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const token = event.target.closest?.("[data-city]")?.getAttribute("data-city");
    let best = null, least = this.reachable;
    for (const spot of this.spots.values()) {
      const far = Math.hypot(spot.x - point.x, spot.y - point.y);
      if (far < least) { best = spot.city; least = far; }
    }
    return this.spots.has(token) && least > this.reachable * 0.4 ? token : best ?? (this.spots.has(token) ? token : null);
  }

  drag() {
    let from = null, moved = false;
    const map = this.map;
    map.addEventListener("pointerdown", (event) => { from = event.pointerType === "mouse" && event.button === 0 ? [event.clientX, event.clientY, map.scrollLeft, map.scrollTop] : null; moved = false; });
    map.addEventListener("pointermove", (event) => {
      if (from && event.buttons) {
        const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
        if (Math.hypot(dx, dy) > 5) moved = true;
        if (moved) { map.scrollLeft = from[2] - dx; map.scrollTop = from[3] - dy; }
      }
      if (this.spots && !event.buttons) this.hovered(this.cityAt(event), event);
    });
    map.addEventListener("pointerleave", () => this.hovered(null));
    map.addEventListener("click", (event) => { if (!moved && this.spots) this.clicked(this.cityAt(event)); });
    map.addEventListener("wheel", (event) => { if (event.ctrlKey) { event.preventDefault(); this.enlarge(event.deltaY < 0 ? 1.15 : 1 / 1.15); } }, { passive: false });
  }

  tell(lines, event) {
    this.tip.hidden = !lines.length;
    if (!lines.length) return;
    this.tip.replaceChildren(...lines.map((line) => h("div", {}, line)));
    const box = this.place.getBoundingClientRect();
    if (event) {
      this.tip.style.left = `${Math.min(event.clientX - box.left + 14, box.width - this.tip.offsetWidth - 6)}px`;
      this.tip.style.top = `${Math.min(event.clientY - box.top + 14, box.height - this.tip.offsetHeight - 6)}px`;
    }
  }
}
