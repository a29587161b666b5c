// Unpacks the page, starts Python in it, and gives the rest of the page one function: ask(name, ...given).
const WORDS = JSON.parse(document.getElementById("words").textContent);
let language = document.documentElement.lang;
const say = (key) => WORDS[language][key];
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
const hexOf = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
const fromHex = (digits) => Uint8Array.from(digits.match(/../g) || [], (pair) => parseInt(pair, 16));
const rest = () => new Promise((done) => setTimeout(done));

/** Files that the page holds. */
async function unpacked() {
  const script = document.getElementById("payload");
  const packed = beside.desk ? (await fetched(beside.desk)).body : new Blob([denseBytes(script.textContent).subarray(0, Number(script.dataset.length))]).stream();
  script.remove();
  const stream = packed.pipeThrough(new DecompressionStream("gzip"));
  return listed(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** The files of a parcel: a list with their lengths, and behind it all their bytes. */
function listed(whole) {
  const start = 4 + new DataView(whole.buffer, whole.byteOffset).getUint32(0);
  const files = new Map();
  let at = start;
  for (const [name, length] of JSON.parse(new TextDecoder().decode(whole.subarray(4, start)))) {
    files.set(name, whole.subarray(at, at + length));
    at += length;
  }
  return files;
}

const moduleOf = (source) => URL.createObjectURL(new Blob([source], { type: "text/javascript" }));

/** The modules of the library of cryptography, each loaded behind those that it imports. */
async function cryptographyIn(files) {
  const text = (name) => new TextDecoder().decode(files.get(`crypto/${name}`));
  const places = new Map(), loaded = {};
  for (const [name, called] of JSON.parse(text("order.json"))) {
    let source = text(name);
    for (const [written, other] of Object.entries(called)) source = source.replaceAll(`"${written}"`, `"${places.get(other)}"`).replaceAll(`'${written}'`, `"${places.get(other)}"`);
    places.set(name, moduleOf(source));
    loaded[name] = await import(places.get(name));
  }
  const curve = loaded["curves/ed25519.js"].ed25519, { sha256, sha512 } = loaded["hashes/sha2.js"], { hkdf } = loaded["hashes/hkdf.js"], { ctr } = loaded["ciphers/aes.js"], { chacha20 } = loaded["ciphers/chacha.js"];
  const { x25519 } = loaded["curves/ed25519.js"], { chacha20poly1305 } = loaded["ciphers/chacha.js"];
  const hash = (out, data, length) => out.set(sha512(data.subarray(0, length)));
  window.desk_hash = hash;
  const { default: bcrypt } = await import(moduleOf(`const module = {}, require = () => ({ lowlevel: { crypto_hash: window.desk_hash } });\n${text("bcrypt.js")}\nexport default module.exports;`));
  stretching = { sha512, bcrypt };
  return {
    public: (seed) => hexOf(curve.getPublicKey(fromHex(seed))),
    bcrypt_key: (passphrase, salt, rounds, size) => {
      const before = stretchings.get([passphrase, salt, rounds, size].join()), made = new Uint8Array(size);
      stretchings.clear();
      if (before) return before;
      const [words, grain] = [fromHex(passphrase), fromHex(salt)];
      bcrypt.pbkdf(words, words.length, grain, grain.length, made, size, rounds);
      return hexOf(made);
    },
    aes_ctr: (key, nonce, data) => hexOf(ctr(fromHex(key), fromHex(nonce)).encrypt(fromHex(data))),
    chacha20: (key, nonce, data, counter) => hexOf(chacha20(fromHex(key), fromHex(nonce), fromHex(data), undefined, counter)),
    hkdf: (secret, salt, info, size) => hexOf(hkdf(sha256, fromHex(secret), fromHex(salt), fromHex(info), size)),
    sign: (seed, data) => hexOf(curve.sign(fromHex(data), fromHex(seed))),
    x25519: (secret, point) => { try { return hexOf(x25519.getSharedSecret(fromHex(secret), fromHex(point))); } catch { return undefined; } },
    montgomery_point: (key) => hexOf(curve.utils.toMontgomery(fromHex(key))),
    chacha_lock: (key, nonce, data) => hexOf(chacha20poly1305(fromHex(key), fromHex(nonce)).encrypt(fromHex(data))),
    chacha_open: (key, nonce, data) => { try { return hexOf(chacha20poly1305(fromHex(key), fromHex(nonce)).decrypt(fromHex(data))); } catch { return undefined; } },
    verify: (key, signature, data) => {
      try { return curve.verify(fromHex(signature), fromHex(data), fromHex(key), { zip215: false }); } catch { return false; }
    },
  };
}

let stretching = null;
const stretchings = new Map();

/**
 * Stretch a passphrase as bcrypt's key derivation does, while the page goes on; whoever opens the key next finds it made.
 * No worker does it: in a page that is opened as a file none could load the library.
 */
async function stretch(words, { salt, rounds, size }) {
  const { sha512, bcrypt } = stretching, passphrase = new TextEncoder().encode(words), hashed = sha512(passphrase);
  const parts = Math.ceil(size / bcrypt.HASHSIZE), made = new Uint8Array(size);
  let begun = performance.now();
  for (let part = 0; part < parts; part += 1) {
    const mixed = new Uint8Array(bcrypt.HASHSIZE), block = new Uint8Array(bcrypt.HASHSIZE);
    let seed = sha512(Uint8Array.of(...fromHex(salt), 0, 0, 0, part + 1));
    for (let round = 0; round < rounds; round += 1) {
      bcrypt.hash(hashed, seed, block);
      seed = sha512(block);
      for (let at = 0; at < block.length; at += 1) mixed[at] ^= block[at];
      if (performance.now() - begun > 40) { await rest(); begun = performance.now(); }
    }
    for (let at = 0; at * parts + part < size; at += 1) made[at * parts + part] = mixed[at];
  }
  stretchings.set([hexOf(passphrase), salt, rounds, size].join(), hexOf(made));
}

/** Files that were pressed harder than a browser can unpack them. */
function unpressed(python, packed) {
  python.FS.writeFile("/site.xz", packed);
  python.runPython("import lzma\nwith open('/site.xz', 'rb') as packed, open('/site', 'wb') as out: out.write(lzma.decompress(packed.read()))");
  const found = python.FS.readFile("/site");
  for (const name of ["/site", "/site.xz"]) python.FS.unlink(name);
  return found;
}

async function pythonIn(files) {
  const named = (url) => files.get(`python/${String(url).split("/").pop()}`);
  window.fetch = async (url) => beside.python && String(url).endsWith(".wasm") ? fetched(beside.python) : new Response(named(url), { headers: { "Content-Type": String(url).endsWith(".wasm") ? "application/wasm" : "text/plain" } });
  const { loadPyodide } = await import(moduleOf(files.get("python/pyodide.mjs")));
  const { default: createPyodideModule } = await import(moduleOf(files.get("python/pyodide.asm.mjs")));
  const python = await loadPyodide({
    indexURL: "page:/", packageBaseUrl: "page:/", createPyodideModule,
    lockFileContents: new TextDecoder().decode(files.get("python/pyodide-lock.json")),
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0", TZ: "UTC" },
  });
  const site = listed(files.get("site") ?? unpressed(python, files.get("site.xz")));
  const made = new Set();
  const below = (place, from) => {
    for (const [name, data] of site) {
      if (!name.startsWith(from)) continue;
      const path = place + name.slice(from.length), folder = path.slice(0, path.lastIndexOf("/"));
      if (!made.has(folder)) { python.FS.mkdirTree(folder, 0o700); made.add(folder); }
      python.FS.writeFile(path, data, { canOwn: false });
    }
  };
  below("/lib/python3.14/site-packages/", "site/");
  below("/home/pyodide/.cache/", "cache/");
  below("/usr/share/zoneinfo/", "zones/");
  files.clear();
  python.FS.chmod("/home/pyodide/.cache/pbem", 0o700);
  return python;
}

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
  const files = await unpacked();
  const curve = await cryptographyIn(files);
  const python = await pythonIn(files);
  python.registerJsModule("page_curve", curve);
  python.runPython("import page_curve\nfrom pbem.desk.stand_in import stand_in\nstand_in(page_curve)\nfrom pbem.desk.bridge import Bridge");
  bridge = python.globals.get("Bridge")(language);
  if (beside.desk) { await keepForLater(); seclude(beside.policy); }
}
