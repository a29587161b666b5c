// A desk on a web space: what the page is made of lies beside it, and is kept for the next visit, also without a network.
const fetched = window.fetch.bind(window);
const beside = { ...document.getElementById("payload").dataset };
/** The page as it was loaded, if it is a single file: a page that is opened as a file cannot read itself again. */
const PAGE = beside.desk ? null : document.documentElement.cloneNode(true);

/** Leave the page no way to connect to anybody, not even to where it came from: as in the one file. */
function seclude(policy) {
  document.head.append(h("meta", { "http-equiv": "Content-Security-Policy", content: policy }));
}

async function keepForLater() {
  try { await navigator.serviceWorker?.register("sw.js"); } catch { /* a browser that keeps nothing asks again next time */ }
}
