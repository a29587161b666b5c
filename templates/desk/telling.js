// Texts of the program as elements: its blocks, its refusals, cards and their suits.
/** Elements for blocks of text. */
function blocks(told) {
  const line = (spans) => spans.map((span) => span.code ? h("code", {}, span.text) : suited(span.text));
  return told.map((block) => {
    switch (block.type) {
      case "heading": return h("h3", {}, ...(block.line || []).flatMap((span) => suited(span.text)));
      case "paragraph": return h("p", {}, ...(block.lines || []).flatMap((each) => [...line(each), " "]));
      case "items": return h("ul", {}, ...(block.items || block.lines || []).map((each) => h("li", {}, ...line(each))));
      case "battle": return h("div", { class: "battle" }, h("p", {}, ...line(block.opening || [])), h("ol", {}, ...(block.exchanges || []).map((each) => h("li", {}, ...line(each)))), h("p", {}, ...line(block.end || [])));
      case "table": return h("table", {}, ...(block.rows || []).map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, ...line(cell))))));
      default: return h("p", {}, ...(block.lines || []).map((each) => typeof each === "string" ? each : ""));
    }
  });
}

/** A text with its red suits in red. */
function suited(text) {
  const parts = String(text).split(/([♥♦][0-9R]*)/);
  return h("span", {}, ...parts.map((part, at) => at % 2 ? h("span", { class: "red" }, part) : part));
}

/** A text with a full stop at its end. */
const withStop = (text) => /[.!?…]$/.test(text) ? text : `${text}.`;

/** A number of things, with the word for one or for several. */
const counted = (number, one, several) => `${number} ${say(number === 1 ? one : several)}`;

/** A word of orders as the reader calls it: a piece, a city, a power, or what else can be chosen. */
const called = (word) => String(word).split(/( > | \+ )/).map((part) => part === " > " ? " → " : sitting.called[part] ?? sitting.power_names[part] ?? WORDS[language][`order-${part}`] ?? calledCity(part)).join("");

/** Line of a fault: code, words, and place in the letter. Lines to a moderator (`isTold`) have the code last. */
function faultLine(fault, { isTold = false } = {}) {
  const place = fault.line ? h("button", { type: "button", class: "line", onclick: () => goTo(fault.line) }, `${say("line")} ${fault.line}`) : null;
  const given = { class: fault.code.startsWith("W-") ? "warning" : "refusal" }, is_rule = /§/.test(fault.rule);
  // At a table with bots nobody looks a code up, or writes: what lacks in an order has not been chosen.
  if (atTable()) return h("li", { ...given, title: fault.code }, fault.rule === "form" ? say("not-whole") : fault.message, is_rule ? h("span", {}, " ", section(fault.rule)) : "", is_rule && fault.hint && !fault.hint.includes("`") ? h("em", {}, ` — ${fault.hint}`) : null);
  const code = h("code", {}, fault.code);
  if (isTold) return h("li", given, fault.message, is_rule ? h("span", {}, " ", section(fault.rule)) : null, fault.hint ? h("em", {}, ` — ${fault.hint}`) : null, " ", h("small", {}, code));
  return h("li", given, code, " ", fault.message, fault.rule ? h("span", {}, " ", is_rule ? section(fault.rule) : `(${fault.rule})`) : "", fault.hint ? h("em", {}, ` — ${fault.hint}`) : null, " ", place);
}

function ruleOf(rule) {
  const said = blocks(ask("rule", rule));
  return said.length ? said : [say("rule-none")];
}

/** A § that can be clicked: below it stands what the short rules say of it. */
function section(rule) {
  const close = () => { button.nextElementSibling.remove(); button.setAttribute("aria-expanded", "false"); button.focus({ preventScroll: true }); };
  const button = h("button", { type: "button", class: "section", "aria-expanded": "false", onclick: () => {
    if (button.nextElementSibling?.classList.contains("rule")) { close(); return; }
    button.after(h("span", { class: "rule" }, h("button", { type: "button", class: "small close", "aria-label": say("close"), onclick: close }, "✕"), ...told(() => ruleOf(rule))));
    button.setAttribute("aria-expanded", "true");
  } }, rule);
  return button;
}

/** Close all rules that are open; tells whether there were any. */
function closeRules() {
  const open = document.querySelectorAll(".rule > .close");
  open.forEach((each) => each.click());
  return open.length > 0;
}

function goTo(line) {
  raise();
  const field = document.getElementById("text"), lines = field.value.split("\n");
  const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  document.getElementById("letter").open = true;
  field.focus();
  field.setSelectionRange(from, from + (lines[line - 1] || "").length);
}

/** Faults, marked so that a screen reader reads them out at once. */
const alarm = (lines) => h("div", { role: "alert" }, h("ul", { class: "faults" }, ...lines));

/** Result of a call, or the reason of its refusal. Answers that are only tried have no line in the letter, so none is told. */
function told(deed, is_placed = true) {
  try { return deed(); } catch (error) {
    if (!error.refused) throw error;
    return [alarm(error.refused.map((fault) => faultLine(is_placed ? fault : { ...fault, line: 0 })))];
  }
}

/** Do something that may be refused. */
function attempt(deed) {
  notify();
  try { return deed(); } catch (error) {
    notify(...told(() => { throw error; }));
    return null;
  }
}

/** Ask for something in the worker that may be refused. */
async function attemptInFolder(name, ...given) {
  notify();
  try { return await askFolder(name, ...given); } catch (error) {
    notify(...told(() => { throw error; }));
    return null;
  }
}

/** Say something above what lies here, and bring it into sight. */
function notify(...elements) {
  const notice = document.getElementById("notice");
  notice?.replaceChildren(...elements);
  if (elements.length) notice?.scrollIntoView({ block: "nearest" });
}
