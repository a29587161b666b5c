// Unpacks the page, starts Python in it, and gives the rest of the page one function: ask(name, ...given).
const WORDS = JSON.parse(document.getElementById("words").textContent);
let language = document.documentElement.lang;
/** A wording; where it has two words, {for a mouse|for a finger}, the one for what the reader points with. */
const say = (key) => WORDS[language][key]?.replace(/\{([^{}|]*)\|([^{}|]*)\}/g, (_, mouse, finger) => matchMedia("(pointer: coarse)").matches ? finger : mouse);
/** A wording with its gaps filled. */
const withGaps = (wording, gaps) => wording.replace(/\{(\w+)\}/g, (_, gap) => gaps[gap]);
const fill = (key, gaps) => withGaps(say(key), gaps);

/** An element with its attributes and what is in it; words are text, never markup. */
function h(tag, given = {}, ...within) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") made.toggleAttribute(key, value);
    else if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...within.filter((each) => each !== null && each !== undefined));
  return made;
}

const bytesOf = (letters) => Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));

/** The bytes of a text that holds the low seven bits of each byte, and behind them, for every seven bytes, their high bits. */
function denseBytes(text) {
  const found = new Uint8Array(text.length / 8 * 7);
  for (let group = 0, at = 0; at < found.length; group += 1) {
    const high = text.charCodeAt(found.length + group);
    for (let place = 0; place < 7; place += 1, at += 1) found[at] = text.charCodeAt(at) & 127 | (high >> place & 1) << 7;
  }
  return found;
}

const lettersOf = (bytes) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
};
const rest = () => new Promise((done) => setTimeout(done));

let bridge = null;

/** Ask the program for something; what it refuses comes as an error with the faults in words. */
function ask(name, ...given) {
  const begun = performance.now();
  const answer = JSON.parse(bridge.call(name, JSON.stringify(given)));
  window.desk = { ...window.desk, last: performance.now() - begun };
  if (answer.refused) throw Object.assign(new Error(name), { refused: answer.refused });
  return answer.done;
}

async function begin() {
  engine.pack = await packed();
  program = await import(moduleOf(engine.text));
  const files = await program.filesIn(engine.pack), [cryptography, core] = await Promise.all([program.cryptographyIn(files), program.coreIn(files, beside.python ? fetched(beside.python) : undefined)]);
  engine.core = core;
  const python = await program.pythonIn(files, core, withStretched(cryptography));
  python.runPython("from pbem.desk.bridge import Bridge");
  bridge = python.globals.get("Bridge")(language);
  if (beside.desk) { await keepForLater(); seclude(beside.policy); }
}
