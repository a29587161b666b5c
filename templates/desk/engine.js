// The engine: Python with the program in it, and the library of cryptography. The page imports this module, and so does its worker.
/** The files of a pack that was compressed. */
export async function filesIn(pack) {
  return listed(new Uint8Array(await new Response(pack.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()));
}

export const hexOf = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
const fromHex = (digits) => Uint8Array.from(digits.match(/../g) || [], (pair) => parseInt(pair, 16));

/** The files of a pack: a list with their lengths, and behind it all their bytes. */
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

/** Functions of the library of cryptography, whose modules are each loaded behind those that they import. */
export async function cryptographyIn(files) {
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
  globalThis.desk_hash = hash;
  const { default: bcrypt } = await import(moduleOf(`const module = {}, require = () => ({ lowlevel: { crypto_hash: globalThis.desk_hash } });\n${text("bcrypt.js")}\nexport default module.exports;`));
  return {
    public: (seed) => hexOf(curve.getPublicKey(fromHex(seed))),
    bcrypt_key: (passphrase, salt, rounds, size) => {
      const [words, grain, made] = [fromHex(passphrase), fromHex(salt), new Uint8Array(size)];
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

/** Give the memory of bytes back at once: a worker that has done its work collects no garbage. */
const giveBack = (bytes) => { if (bytes && !bytes.buffer.detached) bytes.buffer.transfer?.(0); };

/** Files that were pressed harder than a browser can unpack them. Python never gives memory back, so it unpacks them piece by piece. */
function unpressed(python, packed) {
  python.FS.writeFile("/site.xz", packed);
  const read = python.runPython("import lzma\nlzma.open('/site.xz').read"), pieces = [];
  do { const some = read(1 << 20); pieces.push(some.toJs()); some.destroy(); } while (pieces.at(-1).length);
  read.destroy();
  giveBack(python.FS.lookupPath("/site.xz").node.contents);
  python.FS.unlink("/site.xz");
  const found = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) { found.set(piece, at); at += piece.length; giveBack(piece); }
  return found;
}

/** Python's core, compiled: from the files, or from an answer of the server. */
export const coreIn = (files, answer = new Response(files.get(CORE), { headers: { "Content-Type": "application/wasm" } })) => WebAssembly.compileStreaming(answer);

const CORE = "python/pyodide.asm.wasm";

/** Python with the program in it, made of its compiled core and the files, which are used up. */
export async function pythonIn(files, core, cryptography) {
  const named = (url) => files.get(`python/${String(url).split("/").pop()}`);
  files.set(CORE, new Uint8Array());
  globalThis.fetch = async (url) => new Response(named(url), { headers: { "Content-Type": "text/plain" } });
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module: core, instance: await WebAssembly.instantiate(core, imports) });
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
  for (const some of [site, files]) giveBack([...some.values()].find((bytes) => bytes.length));
  files.clear();
  python.FS.chmod("/home/pyodide/.cache/pbem", 0o700);
  python.registerJsModule("page_curve", cryptography);
  python.runPython("import page_curve\nfrom pbem.desk.stand_in import stand_in\nstand_in(page_curve)");
  return python;
}

/** Throw a file of Python's away. */
function discardFile(place) {
  const { contents } = python.FS.lookupPath(place).node;
  python.FS.unlink(place);
  giveBack(contents);
}

const GIVEN = "/given/";

/** Values in JSON. Bytes among them become files, and are told by their places. */
function withFiles(values) {
  let count = 0;
  const placed = (bytes) => { const place = `${GIVEN}${count += 1}`; python.FS.writeFile(place, bytes, { canOwn: true }); return place; };
  python.FS.mkdirTree(GIVEN);
  return JSON.stringify(values, (_, value) => value instanceof Uint8Array ? placed(value) : value);
}

/** Throw away the files that were given and that Python has not moved elsewhere. */
const discardGiven = () => { for (const name of python.FS.readdir(GIVEN)) if (!name.startsWith(".")) discardFile(GIVEN + name); };

const readFile = (place) => python.FS.readFile(place);
const takeFile = (place) => { const bytes = readFile(place); discardFile(place); return bytes; };

/** Answers that are files, by their places, and in which way each is read. */
const READ = { host_file: readFile, host_zip: takeFile, host_kept_zip: takeFile, host_changes: (files) => Object.fromEntries(Object.entries(files).map(([name, place]) => [name, place && readFile(place)])) };

/** The buffers of all bytes in such an answer: they move to the page, and leave no copy here. */
const buffersIn = (read) => read instanceof Uint8Array ? [read.buffer] : Object.values(read ?? {}).flatMap(buffersIn);

let cryptography = null, python = null, files = null, bridge = null;

/** Carry out one long act in a worker, and call `tell` with its progress and its result; or answer a question about what lies in the worker. Python and the program, once begun, stay for the next act. */
export async function work({ pack, core, act, given }, tell) {
  files ??= await filesIn(pack);
  cryptography ??= await cryptographyIn(files);
  if (act === "stretch") { tell({ done: cryptography.bcrypt_key(...given) }); return; }
  python ??= await pythonIn(files, core, cryptography);
  if (act === "ask") {
    if (!bridge) python.runPython("from pbem.desk.bridge import Bridge");
    bridge ??= python.globals.get("Bridge")("en");
    const [language, name, values] = given, { done, refused } = JSON.parse(bridge.call_in(language, name, withFiles(values)));
    discardGiven();
    const read = refused ? null : READ[name]?.(done);
    tell(refused ? { refused } : { done: read ?? done }, buffersIn(read));
    return;
  }
  python.runPython("from pbem.desk.long_acts import LongAct");
  const going = python.globals.get("LongAct")(act, JSON.stringify(given));
  let told;
  do tell(told = JSON.parse(going.go_on())); while (told.far);
  going.destroy();
}
