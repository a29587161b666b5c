// Names of cities on the board: which find room at a scale, and where.

/** Least and greatest height of names, height at which one reads with ease, and least height of all other letters, in pixels of the screen. */
const LETTERS = { least: 9.5, read: 13, most: 17, other: 9 };

class Names {
  constructor(place, { spots, reach, sign }, font) {
    Object.assign(this, { place, sign, font, reach, widths: new Map(), spots: [...spots.values()] });
    this.ruler = document.createElement("canvas").getContext("2d");
    [this.signs, this.dots] = [new Crowd(reach * 2), new Crowd(reach * 2)];
    for (const spot of this.spots) {
      const { x, y, half } = spot;
      this.signs.add([x - half, y - half, x + half, y + half]);
      this.dots.add([x, y, x, y]);
      spot.wide = Math.max(...spot.lines.map((line) => this.width(line, spot.bold)));
      spot.texts = spot.lines.map((line) => s("text", { "font-weight": spot.bold ? "bold" : "normal" }, line));
    }
  }

  /** Width of a text whose letters are one high. */
  width(words, bold) {
    this.ruler.font = `${bold ? "bold " : ""}100px ${this.font}`;
    return this.ruler.measureText(words).width / 100;
  }

  /** Write the names that find room at a scale: first those of cities in rings (each with the ring's radius), then where tokens stand, then the more important ones. */
  write(scale, rings, tokens) {
    const full = new Crowd(this.reach * 2), near = new Set(tokens.map(([city]) => city)), one = 1 / scale;
    for (const [, box] of tokens) full.add(box);
    for (const spot of this.spots) spot.turn = rings.has(spot.city) ? -2 : near.has(spot.city) ? -1 : spot.weight;
    this.place.setAttribute("stroke-width", 3.4 * one);
    const left = [], write = (name, place, line) => { if (place) full.add(place.box); name.spot.name = place?.box; this.pen(name, place, line); };
    // Names at the places that the program has for them are in nobody's way.
    for (const spot of [...this.spots].sort((a, b) => a.turn - b.turn)) {
      const name = this.sized(spot, scale, rings.get(spot.city) ?? 0);
      if (name.given && this.isFree(name, name.given, full) && !this.misleads(name.given.box, spot, one)) write(name, name.given, ""); else left.push(name);
    }
    for (const name of left) { const { place, line } = this.beside(name, full, one, tokens.length); write(name, place, line); }
  }

  /** A name in its size at a scale, and where the program has it on a board as wide as it draws it. */
  sized(spot, scale, round) {
    const size = Math.min(LETTERS.most * (spot.bold ? 1.15 : 1), Math.max(LETTERS.least, spot.size * scale)) / scale;
    const wide = spot.wide * size, high = size * 1.04 * spot.lines.length, far = Math.max(spot.half + 4 * this.sign, 5 / scale, round), aside = 4 * this.sign;
    const given = spot.anchor && size <= spot.size * 1.05 ? boxed(spot.left + (spot.anchor === "start" ? aside : spot.anchor === "end" ? -aside : 0), spot.top + Math.max(0, spot.size - size) * 0.52 * spot.lines.length, spot.anchor, wide, high) : null;
    return { spot, round, size, wide, high, far, given };
  }

  isFree({ spot, round }, { box }, full) { return !full.meets(box) && !(round && apart(box, spot) < round); }

  /** A place beside its city where a name misleads nobody; if there is none, one for a name that cannot be left out, to be led to its city by a line. */
  beside(name, full, one, tokens) {
    const { spot, round, given } = name, is_free = (place) => this.isFree(name, place, full) && !this.signs.meets(place.box), free = this.around(name).filter(is_free);
    const place = free.find(({ box }) => !this.misleads(box, spot, one));
    if (place || !(round || given)) return { place, line: "" };
    // A name that the program has found room for is rather written under a token than left out, but never over another name.
    const others = given ? [given, ...free].filter(({ box }) => !full.meets(box, tokens)) : [...free, ...this.around(name, 1.7).filter(is_free)];
    const ways = others.map((other) => ({ place: other, line: this.misleads(other.box, spot, one) ? leader(spot, other.box, one) : "" }));
    return ways.find(({ line }) => line !== null) ?? { place: null, line: "" };
  }

  /** Tell if a name in a box would stand as near to another city as to its own, give or take a little. */
  misleads(box, spot, little) {
    const far = apart(box, spot) + little, [west, north, east, south] = box;
    return this.dots.some([west - far, north - far, east + far, south + far], (at) => this.spots[at] !== spot && apart(box, this.spots[at]) < far);
  }

  /** Places around the city of a name. */
  around({ spot, wide, high, far }, by = 1) {
    const off = far * by, up = spot.crowned ? 12 * this.sign : 0, [across, down] = [off * 0.75, off * 0.6 + high / 3];
    return [[off, 0, "start"], [-off, 0, "end"], [0, -off - high / 2 - up, "middle"], [0, off + high / 2, "middle"], [across, -down - up, "start"], [across, down, "start"], [-across, -down - up, "end"], [-across, down, "end"]]
      .map(([dx, dy, anchor]) => boxed(spot.x + dx, spot.y + dy - high / 2, anchor, wide, high));
  }

  /** Show a name at a place, with a line to its city if one is given, or not at all. */
  pen({ spot, size }, place, line) {
    const key = place ? `${place.x} ${place.top} ${place.anchor} ${size} ${line}` : "";
    if (spot.written === key) return;
    spot.written = key;
    spot.nameBox = place?.box ?? null;
    spot.line?.remove();
    spot.line = line ? s("path", { class: "leader", d: line }) : null;
    if (line) this.place.prepend(spot.line);
    if (!place) { spot.texts.forEach((text) => text.remove()); return; }
    spot.texts.forEach((text, at) => {
      for (const [name, value] of [["x", place.x], ["y", place.top + size * (0.82 + 1.04 * at)], ["text-anchor", place.anchor], ["font-size", size]]) text.setAttribute(name, value);
      if (!text.parentNode) this.place.append(text);
    });
  }
}

/** A place for a text, and the box that the text fills there. */
function boxed(x, top, anchor, wide, high) {
  const west = anchor === "start" ? x : anchor === "end" ? x - wide : x - wide / 2;
  return { x, top, anchor, box: [west, top, west + wide, top + high] };
}

/** Boxes, sorted into squares, so that whatever meets another one is found at once. */
class Crowd {
  constructor(side) { this.side = side; this.squares = new Map(); this.boxes = []; }

  /** Tell if something is true of one of the squares that a box lies in. */
  inSquares([west, north, east, south], is_so) {
    const side = this.side, right = Math.floor(east / side), bottom = Math.floor(south / side);
    for (let x = Math.floor(west / side); x <= right; x += 1) for (let y = Math.floor(north / side); y <= bottom; y += 1) if (is_so(x * 65536 + y)) return true;
    return false;
  }

  add(box) {
    const at = this.boxes.push(box) - 1;
    this.inSquares(box, (key) => { const there = this.squares.get(key); if (there) there.push(at); else this.squares.set(key, [at]); });
  }

  /** Tell if something is true of one of the boxes that meet another one, by their numbers. */
  some(box, is_so) {
    return this.inSquares(box, (key) => { for (const at of this.squares.get(key) ?? []) if (overlap(box, this.boxes[at]) && is_so(at)) return true; return false; });
  }

  /** Tell if a box meets another one; the first ones may be left out. */
  meets(box, from = 0) { return this.some(box, (at) => at >= from); }
}

const overlap = (one, other) => one[0] < other[2] && one[2] > other[0] && one[1] < other[3] && one[3] > other[1];

const within = (at, from, to) => Math.max(from, Math.min(at, to));

/** Distance of a city from a box. */
const apart = ([west, north, east, south], { x, y }) => Math.hypot(within(x, west, east) - x, within(y, north, south) - y);

/** A line from a city's sign to a box; nothing if it would be too short to be seen. */
function leader({ x, y, half }, [west, north, east, south], one) {
  const to = [within(x, west, east), within(y, north, south)], far = Math.hypot(to[0] - x, to[1] - y), part = half / far;
  return far - half < 2 * one ? null : `M${x + (to[0] - x) * part},${y + (to[1] - y) * part}L${to[0]},${to[1]}`;
}
