// Compiles what the page holds, in the page's own Python, run here without a browser: `node press.mjs RUNTIME WORK`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, work] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const site = "/lib/python3.14/site-packages";
const python = await loadPyodide({ indexURL: `${runtime}/`, env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0", TZ: "UTC", PYTHONNODEBUGRANGES: "1" } });
python.FS.mkdirTree("/work");
python.FS.mount(python.FS.filesystems.NODEFS, { root: work }, "/work");
python.runPython(readFileSync(`${work}/pressing.py`, "utf8"));
const press = python.globals.get("press"), path = python.pyimport("pathlib").Path;
try {
  press(path("/work"), path(site));
} catch (error) {
  console.error(String(error.message ?? error).trim());
  process.exit(1);
}
process.exit(0);
