// Marks over the board: rings, squares around fortresses, and what stands beside a ring where there is room.

/** A circle with a rim that is seen on every ground. */
const circles = (spot, r, width, named) => [["edge", 1.9], [named, 1]].map(([kind, by]) => s("circle", { class: kind, cx: spot.x, cy: spot.y, r, "stroke-width": width * by }));

/** A label with a few letters. */
function labelAt(words, x, y, one) {
  const high = 15 * one, wide = (6 + 8 * words.length) * one;
  return s("g", { class: "given" }, s("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 4 * one, "stroke-width": 1.4 * one }), s("text", { x, y: y + 4.6 * one, "font-size": 13 * one, "text-anchor": "middle" }, words));
}

/** Area that two boxes share. */
const shared = (one, other) => Math.max(0, Math.min(one[2], other[2]) - Math.max(one[0], other[0])) * Math.max(0, Math.min(one[3], other[3]) - Math.max(one[1], other[1]));

/** Points beside a ring, beginning with one corner: the four corners, what lies straight beside it, and all again farther and farther off. */
function pointsBeside(spot, r, [east, south]) {
  const near = [[east, south], [east, -south], [-east, south], [-east, -south], [1.35 * east, 0], [-1.35 * east, 0], [0, 1.35 * south], [0, -1.35 * south]];
  return [1, 1.8, 2.7, 3.6].flatMap((by) => near.map(([x, y]) => [spot.x + 0.8 * r * by * x, spot.y + 0.8 * r * by * y]));
}

/** Middle of a disc beside a ring, at a corner if there is room. */
function discAt(spot, r, half, corner, free) {
  const [west, north] = free(pointsBeside(spot, r, corner).map(([x, y]) => [x - half, y - half, x + half, y + half]));
  return [west + half, north + half];
}

/** A pennon on its staff. */
function flag(spot, r, one, free) {
  const [west, , , foot] = free(pointsBeside(spot, r, [-1, -1]).map(([x, y]) => [x, y - 13 * one, x + 10 * one, y]));
  const shape = `M${west},${foot}v${-13 * one}l${10 * one},${4 * one}l${-10 * one},${4 * one}`;
  return [s("path", { class: "flag edge", d: shape, "stroke-width": 5 * one }), s("path", { class: "flag", d: shape, "stroke-width": 1.6 * one })];
}

/** A square around a fortress that would fall: no ring, for nobody takes it by stopping there. */
function fort(spot, r, one) {
  const given = { x: spot.x - r, y: spot.y - r, width: 2 * r, height: 2 * r };
  return [s("rect", { class: "edge", ...given, "stroke-width": 4.4 * one }), s("rect", { class: "fort", ...given, "stroke-width": 2 * one, "stroke-dasharray": `${4 * one} ${3 * one}` })];
}

/** The suit in which one fights there. */
function suitDisc(spot, r, one, free) {
  const [x, y] = discAt(spot, r, 8.2 * one, [1, 1], free);
  return [s("circle", { class: "disc", cx: x, cy: y, r: 7.5 * one, "stroke-width": 1.4 * one }), s("text", { class: /[♥♦]/.test(spot.suit) ? "red" : "", x, y: y + 4 * one, "font-size": 12 * one, "text-anchor": "middle" }, spot.suit)];
}

/** A small disc with lines on it, at one corner of a ring if there is room. */
function signDisc(spot, r, one, free, corner, named, lines) {
  const [x, y] = discAt(spot, r, 6.9 * one, corner, free);
  return [s("circle", { class: "disc", cx: x, cy: y, r: 6.2 * one, "stroke-width": 1.4 * one }), s("path", { class: named, d: `M${x},${y}${lines(3.4 * one)}`, "stroke-width": 2.2 * one })];
}

/** The sign of who is out of supply. */
const hatched = (spot, r, one, free) => signDisc(spot, r, one, free, [-1, 1], "hatched", (arm) => `m${-1.5 * arm},${0.5 * arm}l${2 * arm},${-2 * arm}m${-arm},${3 * arm}l${2 * arm},${-2 * arm}`);

/** The ring of an end, dashed for a forced march, double where the enemy holds it; and over it swords beside an enemy and the suit of the battle, a flag where something falls by it, a hatched disc where supply ends. */
function ring(spot, r, one, end, kind, free) {
  const named = [end.forced && "forced", end.meets && "meets", end.aim && "aim", end.conquers?.length && "takes", end.starves && "starves", kind].filter(Boolean).join(" ");
  const under = s("g", { class: `end ${named}`, "data-city": end.city }), over = s("g", { class: `beside ${named}` });
  const dashes = end.forced ? `${5 * one} ${3.5 * one}` : kind === "strange" ? `${0.1 * one} ${5 * one}` : "none";
  const line = (radius, width) => { const made = circles(spot, radius, width, "ring"); made[1].setAttribute("stroke-dasharray", dashes); under.append(...made); };
  if (end.aim) line(r + 4.6 * one, 1.6 * one);
  line(r, (kind === "onward" ? 2 : 2.6) * one);
  if (end.meets) over.append(...signDisc(spot, r, one, free, [1, -1], "swords", (arm) => `m${-arm},${-arm}l${2 * arm},${2 * arm}m0,${-2 * arm}l${-2 * arm},${2 * arm}`));
  if (end.meets && spot.suit && kind !== "strange") over.append(...suitDisc(spot, r, one, free));
  if (end.starves) over.append(...hatched(spot, r, one, free));
  if (end.conquers?.length) over.append(...flag(spot, r, one, free));
  return { under, over: over.childElementCount ? [over] : [] };
}
