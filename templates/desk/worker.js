// The worker: a second Python beside the page's, for what takes long, so that the page never stands still.
const engine = { text: document.getElementById("engine").textContent };
let program = null;

const moduleOf = (source) => URL.createObjectURL(new Blob([source], { type: "text/javascript" }));

/** The program, compressed, as the page holds it or the server has it. */
async function packed() {
  const script = document.getElementById("payload");
  if (beside.desk) return (await fetched(beside.desk)).blob();
  const text = script.textContent;
  script.remove();
  return new Blob([denseBytes(text).subarray(0, Number(beside.length))]);
}

/**
 * Beginning of the worker. Its modules have to be made within, for a page that is opened as a file lends it none; and
 * Python begins in no worker that seems to be of the old kind, by `importScripts`.
 */
const BEGINNING = `
globalThis.importScripts = undefined;
let engine = null;
onmessage = async ({ data }) => {
  try {
    engine ??= await import(URL.createObjectURL(new Blob([data.text], { type: "text/javascript" })));
    await engine.work(data, (told, moved) => postMessage(told, moved));
  } catch (error) { postMessage({ failed: String(error) }); }
};`;

/** Milliseconds for which a worker waits for its next act, before its memory is given back. */
const LINGERS = 60000;
/** The worker that waits. */
let waitingWorker = null;

/** A worker: the one that waits, or another. */
function takenWorker() {
  const found = waitingWorker?.worker ?? new Worker(moduleOf(BEGINNING));
  clearTimeout(waitingWorker?.timer);
  waitingWorker = null;
  return found;
}

/** Let a worker wait for its next act, if none waits already. */
function letWait(worker) {
  if (waitingWorker) worker.terminate(); else waitingWorker = { worker, timer: setTimeout(() => takenWorker().terminate(), LINGERS) };
}

/** Have the worker do something that takes long; `stop` ends it at once, and its memory is given back. */
function longAct(act, given, goes = () => {}) {
  const worker = takenWorker();
  let isOver = false;
  const done = new Promise((good, bad) => {
    const fail = (given) => bad(Object.assign(new Error(act), given));
    worker.onerror = (event) => { worker.terminate(); fail({ message: event.message }); };
    worker.onmessage = ({ data: told }) => {
      if (told.far) { goes(told.far); return; }
      isOver = true;
      if (told.failed) worker.terminate(); else letWait(worker);
      if ("done" in told) good(told.done); else fail(told.failed ? { message: told.failed } : { refused: told.refused });
    };
  });
  worker.postMessage({ ...engine, act, given });
  return { done, stop: () => { if (!isOver) worker.terminate(); } };
}

/** The buffers of all bytes in values, however deep. */
const buffersIn = (given) => given instanceof Uint8Array ? [given.buffer] : given instanceof Object ? Object.values(given).flatMap(buffersIn) : [];

/** The worker in which a folder lies: a table that is kept, or an archive. Nobody else changes it, and the page goes on while something is done to it. */
let folderWorker = null, folderQueue = Promise.resolve(), leftFolder = () => {}, folderNumber = 0;

/** Ask the program in that worker for something, behind all that was asked before. Bytes go and come as they are, and are gone from where they were. A refusal comes as an error with the faults in words, and null if the worker has ended. */
function askFolder(name, ...given) {
  const said = language, number = folderNumber;
  const answer = folderQueue.then(() => number !== folderNumber ? null : new Promise((good, bad) => {
    const fail = () => { leaveTable(); welcome(); notify(h("p", { role: "alert" }, say("folder-failed"))); };
    folderWorker ??= takenWorker();
    leftFolder = () => good(null);
    folderWorker.onerror = fail;
    folderWorker.onmessage = ({ data: told }) => {
      if (told.failed) { console.error(told.failed); fail(); return; }
      if (told.refused) bad(Object.assign(new Error(name), { refused: told.refused })); else good(told.done);
    };
    folderWorker.postMessage({ ...engine, act: "ask", given: [said, name, given] }, buffersIn(given));
  }));
  folderQueue = answer.catch(() => {});
  return answer;
}

/** End the worker; what lay in it is gone, with the key that it was lent. */
function leaveFolder() {
  folderWorker?.terminate();
  folderWorker = null;
  folderNumber += 1;
  leftFolder();
}

/** Key that bcrypt has made of a passphrase in the worker, for the file that is opened or locked next. */
let stretched = null;

/** The library of cryptography, with keys' passphrases that have been stretched already. */
const withStretched = (cryptography) => ({
  ...cryptography,
  salt_ahead: (passphrase) => stretched?.passphrase === passphrase ? stretched.salt : "",
  bcrypt_key: (...given) => {
    const { by, made } = stretched ?? {};
    stretched = null;
    return by === given.join() ? made : cryptography.bcrypt_key(...given);
  },
});

/** Stretch a passphrase as bcrypt's key derivation does, in the worker. */
async function stretch(words, { salt, rounds, size }) {
  const passphrase = program.hexOf(new TextEncoder().encode(words)), given = [passphrase, salt, rounds, size];
  try { stretched = { passphrase, salt, by: given.join(), made: await longAct("stretch", given).done }; } catch { /* the page does it itself, and stands still meanwhile */ }
}
