//===- table.js - Tables that are sorted, searched and turned over --------===//

const kRowsPerPage = 50;

/// Orders values; those that are missing come last either way.
function compareValues(a, b, isDescending) {
  if (a === undefined || b === undefined)
    return (a === undefined) - (b === undefined);
  const sign = isDescending ? -1 : 1;
  if (typeof a === "number" && typeof b === "number")
    return a === b ? 0 : sign * (a < b ? -1 : 1);
  return sign * String(a).localeCompare(String(b), "en", {numeric: true});
}

/// A table of objects. The document may hold tens of thousands: the page holds
/// those of one page of the table.
class CaseTable {
  constructor(section, rows) {
    this.fields = section.fields;
    this.rows = rows.map((object) => ({
      object,
      text: this.fields.map((field) => formatValue(lookup(object, field.path), field.format)).join(" ").toLowerCase(),
    }));
    this.shown = this.rows;
    this.page = 0;
    this.body = element("tbody");
    this.count = element("output", {"aria-live": "polite"});
    this.search = element("input", {type: "search", oninput: () => this.update()});
    this.status = this.makeStatusChoice();
    this.headers = this.fields.map((field, number) => this.makeHeader(field, number));
    this.buttons = [
      ["First", () => 0], ["Previous", () => this.page - 1],
      ["Next", () => this.page + 1], ["Last", () => this.pages() - 1],
    ].map(([text, target]) => element("button", {type: "button", onclick: () => this.turn(target())}, text));
    this.update();
  }

  pages() { return Math.max(1, Math.ceil(this.shown.length / kRowsPerPage)); }

  makeHeader(field, number) {
    const isNumber = field.format === "number" || field.format === "percent";
    const button = element("button", {type: "button", onclick: () => this.sort(number)}, field.title);
    return element("th", {scope: "col", class: isNumber ? "number" : false}, button);
  }

  /// What narrows the table to one status; null where it has none.
  makeStatusChoice() {
    this.statusField = this.fields.find((field) => field.format === "status");
    if (!this.statusField)
      return null;
    const words = new Set(this.rows.map(({object}) => lookup(object, this.statusField.path)));
    words.delete(undefined);
    return element("select", {onchange: () => this.update()},
      element("option", {value: ""}, "all"),
      ...[...words].sort().map((word) => element("option", {value: word}, word)));
  }

  /// Sorts by a column, the other way round where it was sorted by it.
  sort(number) {
    const isNumber = this.fields[number].format === "number" || this.fields[number].format === "percent";
    const isAgain = this.sorted === number;
    // The largest numbers are what is looked for.
    this.isDescending = isAgain ? !this.isDescending : isNumber;
    this.sorted = number;
    this.headers.forEach((header, other) => {
      if (other === number)
        header.setAttribute("aria-sort", this.isDescending ? "descending" : "ascending");
      else
        header.removeAttribute("aria-sort");
    });
    this.update();
  }

  /// Finds out which rows are shown, and shows the first page of them.
  update() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const status = this.status?.value;
    this.shown = this.rows.filter(({object, text}) =>
      words.every((word) => text.includes(word)) && (!status || lookup(object, this.statusField.path) === status));
    if (this.sorted !== undefined) {
      const {path, format} = this.fields[this.sorted];
      const isNumber = format === "number" || format === "percent";
      const value = ({object}) => isNumber ? toNumber(lookup(object, path)) : lookup(object, path) ?? undefined;
      this.shown.sort((a, b) => compareValues(value(a), value(b), this.isDescending));
    }
    this.turn(0);
  }

  turn(page) {
    this.page = Math.min(Math.max(page, 0), this.pages() - 1);
    const start = this.page * kRowsPerPage;
    const rows = this.shown.slice(start, start + kRowsPerPage);
    this.body.replaceChildren(...rows.map(({object}) => this.makeRow(object)));
    const range = rows.length === 0 ? "none" : `${formatNumber(start + 1)}–${formatNumber(start + rows.length)}`;
    this.count.textContent = `${range} of ${formatNumber(this.shown.length)}`;
    const isFirst = this.page === 0, isLast = this.page + 1 === this.pages();
    this.buttons.forEach((button, number) => { button.disabled = number < 2 ? isFirst : isLast; });
  }

  makeRow(object) {
    const button = element("button", {
      type: "button", "aria-expanded": "false",
      "aria-label": `Details of ${lookup(object, this.fields[0].path) ?? "this row"}`,
    }, "+");
    const row = element("tr", {}, element("td", {class: "open"}, button), ...this.fields.map((field) => makeCell(object, field)));
    let details;
    button.addEventListener("click", () => {
      const isOpen = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!isOpen));
      button.textContent = isOpen ? "+" : "−";
      if (isOpen) {
        details.remove();
        return;
      }
      details ??= this.makeDetails(object);
      row.after(details);
    });
    return row;
  }

  makeDetails(object) {
    const {reproduce, ...rest} = object;
    const cell = element("td", {colspan: this.fields.length + 1});
    if (reproduce)
      cell.append(makeCommand(reproduce));
    cell.append(element("pre", {}, JSON.stringify(rest, null, 2)));
    return element("tr", {class: "details"}, cell);
  }

  elements() {
    const tools = element("div", {class: "tools"}, element("label", {}, "Search", this.search));
    if (this.status)
      tools.append(element("label", {}, this.statusField.title, this.status));
    tools.append(this.count);
    const nav = element("nav", {class: "tools", "aria-label": "Pages of the table"}, ...this.buttons);
    nav.hidden = this.rows.length <= kRowsPerPage;
    const head = element("thead", {}, element("tr", {}, element("td", {}), ...this.headers));
    return [tools, element("div", {class: "scroll", role: "region", tabindex: 0, "aria-label": "Table"}, element("table", {}, head, this.body)), nav];
  }
}

function makeTable(section, rows) {
  return new CaseTable(section, rows).elements();
}

/// A small table of an object's entries.
function makeSummary(section, groups) {
  const head = element("tr", {}, element("th", {scope: "col"}, section.key));
  for (const field of section.fields) {
    const isNumber = field.format === "number" || field.format === "percent";
    head.append(element("th", {scope: "col", class: isNumber ? "number" : false}, field.title));
  }
  const rows = Object.entries(groups).map(([name, group]) =>
    element("tr", {}, element("th", {scope: "row"}, name), ...section.fields.map((field) => makeCell(group, field))));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  return [element("div", {class: "scroll"}, table)];
}
