// Unpacks the page, starts Python in it, and gives the rest of the page one function: ask(name, ...given).
const WORDS = JSON.parse(document.getElementById("words").textContent);
let language = document.documentElement.lang;
/** A wording; where it has two words, {for a mouse|for a finger}, the one for what the reader points with. */
const say = (key) => WORDS[language][key]?.replace(/\{([^{}|]*)\|([^{}|]*)\}/g, (_, mouse, finger) => matchMedia("(pointer: coarse)").matches ? finger : mouse);
const fill = (key, gaps) => say(key).replace(/\{(\w+)\}/g, (_, gap) => gaps[gap]);

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

/** The bytes of a text in which five letters stand for four of them. */
function denseBytes(text) {
  const value = new Uint8Array(128);
  [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~"].forEach((letter, at) => { value[letter.charCodeAt(0)] = at; });
  const found = new Uint8Array(text.length / 5 * 4), view = new DataView(found.buffer);
  for (let from = 0, at = 0; from < text.length; at += 4) {
    let number = 0;
    for (let k = 0; k < 5; k += 1) number = number * 85 + value[text.charCodeAt(from++)];
    view.setUint32(at, number);
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
