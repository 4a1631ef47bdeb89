//===- elements.js - What all parts of the page use -----------------------===//

/// An element. An attribute "onclick" is a listener; one that is false is left
/// out.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/// What the path "worst.place" leads to, or undefined.
function lookup(object, path) {
  return path.split(".").reduce((value, name) => value?.[name], object);
}

/// JSON has no infinities; the tools write null.
function toNumber(value) {
  return value === null || value === "inf" ? Infinity : value;
}

function formatNumber(value) {
  if (!Number.isFinite(value))
    return Number.isNaN(value) ? "nan" : value > 0 ? "∞" : "−∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e15)
    return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6)
    return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

function formatValue(value, format) {
  if (value === undefined)
    return "–";
  if (format === "percent")
    return value === null ? "∞" : `${(100 * value).toFixed(1)} %`;
  if (format === "number" && (value === null || typeof value === "number"))
    return formatNumber(toNumber(value));
  return value === null ? "–" : String(value);
}

const kStatusClasses = {
  passed: "good", certified: "good", exact: "good",
  failed: "bad", wrong: "bad", different: "bad", error: "bad",
  fault: "bad", "not compiled": "bad", crash: "bad", hang: "bad",
  suspicious: "warning", undecided: "warning",
};

/// The cell of a table for `field` of `object`.
function makeCell(object, field) {
  const value = lookup(object, field.path);
  const text = formatValue(value, field.format);
  const isNumber = field.format === "number" || field.format === "percent";
  const classes = [];
  if (isNumber)
    classes.push("number");
  else if (field.format === "status")
    classes.push(kStatusClasses[text] ?? "");
  else if (text.length > 40)
    classes.push("long");
  return element("td", {class: classes.join(" ") || false}, text);
}

/// A command that can be copied.
function makeCommand(command) {
  const code = element("code", {}, command);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      button.textContent = "Copied";
    } catch {
      // Browsers may refuse it for files: what is selected can be copied.
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  };
  const button = element("button", {type: "button", onclick: copy}, "Copy");
  return element("div", {class: "command"}, code, button);
}
