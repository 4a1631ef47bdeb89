//===- heatmap.js - Where in a result errors are --------------------------===//

/// The positions of bin `bin` along `axis`: neighbours share one where there
/// are more positions than bins.
function binPositions(axis, bin) {
  return [Math.ceil(bin * axis.size / axis.bins), Math.ceil((bin + 1) * axis.size / axis.bins)];
}

/// "h 12", "h 12–13", or nothing for an axis that the result does not have.
function describePosition(axis, bin) {
  const [from, to] = binPositions(axis, bin);
  if (axis.name === "")
    return "";
  const name = /^\d/.test(axis.name) ? `dimension ${axis.name}:` : axis.name;
  return to - from > 1 ? `${name} ${from}–${to - 1}` : `${name} ${from}`;
}

/// One picture of a result: what the user looks at, and where the cursor is.
class HeatMap {
  constructor(name, errors) {
    this.name = name;
    this.errors = errors;
    this.plot = element("div", {
      class: "plot", tabindex: 0, role: "application",
      "aria-label": `Heat map of error/bound on ${name}. Arrow keys move from cell to cell, Home goes to the worst.`,
      onkeydown: (event) => this.move(event),
      onfocus: () => this.moveTo(this.cursor),
    });
    this.reading = element("output", {class: "reading"});
    this.choice = element("select", {onchange: () => this.show(Number(this.choice.value))});
    errors.views.forEach((view, number) => {
      const [rows, columns] = [errors.axes[view.rows], errors.axes[view.columns]];
      const names = [rows.name, columns.name].filter(Boolean).join(" × ");
      this.choice.append(element("option", {value: number}, /^\d/.test(names) ? `dimensions ${names}` : names || "one element"));
    });
    this.choose(0);
    drawLater(this.plot, () => this.spec(), (view) => { this.chart = view; });
  }

  /// Takes view `number`, with the cursor on its worst cell.
  choose(number) {
    this.view = this.errors.views[number];
    this.rows = this.errors.axes[this.view.rows];
    this.columns = this.errors.axes[this.view.columns];
    this.ratios = this.view.ratios.map((ratio) => ratio === null ? undefined : toNumber(ratio));
    let worst = 0;
    this.ratios.forEach((ratio, place) => {
      if (ratio > (this.ratios[worst] ?? -1))
        worst = place;
    });
    this.cursor = this.worst = worst;
    this.reading.textContent = `Worst: ${this.describe(worst)}`;
  }

  async show(number) {
    this.choose(number);
    await redraw(this.plot);
  }

  cell(place) {
    const row = Math.floor(place / this.columns.bins);
    const column = place % this.columns.bins;
    // Cells reach half a position to either side, so that ticks are at their middle.
    const [top, bottom] = binPositions(this.rows, row).map((edge) => edge - .5);
    const [left, right] = binPositions(this.columns, column).map((edge) => edge - .5);
    return {top, bottom, left, right};
  }

  describe(place) {
    const where = [
      describePosition(this.rows, Math.floor(place / this.columns.bins)),
      describePosition(this.columns, place % this.columns.bins),
    ].filter(Boolean).join(", ");
    const ratio = this.ratios[place];
    const what = ratio === undefined ? "nothing compared" : `error/bound ${formatNumber(ratio)}`;
    return where ? `${where}: ${what}` : what;
  }

  move(event) {
    const columns = this.columns.bins, column = this.cursor % columns;
    const steps = {
      ArrowLeft: column > 0 ? -1 : 0, ArrowRight: column + 1 < columns ? 1 : 0,
      ArrowUp: -columns, ArrowDown: columns, Home: this.worst - this.cursor,
    };
    if (!(event.key in steps))
      return;
    event.preventDefault();
    const place = this.cursor + steps[event.key];
    if (place >= 0 && place < this.ratios.length)
      this.moveTo(place);
  }

  moveTo(place) {
    this.cursor = place;
    this.reading.textContent = this.describe(place);
    this.chart?.data("cursor", [this.cell(place)]).run();
  }

  /// The axis that `bin`s stand along, with the cells' edges `from` and `to`.
  static axis(axis, from, extra) {
    return {
      field: from, type: "quantitative",
      scale: {domain: [-.5, axis.size - .5], nice: false, zero: false, ...extra},
      axis: axis.name === "" ? null : {
        title: /^\d/.test(axis.name) ? `dimension ${axis.name}` : axis.name,
        grid: false, tickMinStep: 1, tickCount: 8, format: "d",
      },
    };
  }

  spec() {
    const cells = [];
    this.ratios.forEach((ratio, place) => {
      if (ratio !== undefined)
        cells.push({...this.cell(place), ratio, text: this.describe(place)});
    });
    const within = cells.map((cell) => cell.ratio).filter((ratio) => ratio > 0 && ratio <= 1);
    // What is far below the largest looks the same.
    const most = within.length > 0 ? Math.max(...within) : 1;
    const least = Math.max(Math.min(most, ...within), most * 1e-4) * (within.length > 1 ? 1 : .5);
    const x = HeatMap.axis(this.columns, "left");
    const y = HeatMap.axis(this.rows, "top", {reverse: true});
    const place = {x, x2: {field: "right"}, y, y2: {field: "bottom"}};
    const width = Math.max(200, this.plot.clientWidth - 140);
    const shape = this.rows.bins / this.columns.bins;
    const rect = {type: "rect", aria: false};
    const tooltip = {field: "text", title: this.name};
    return {
      description: `error/bound on ${this.name} by ${this.choice.selectedOptions[0]?.text}`,
      height: Math.round(Math.min(420, Math.max(110, width * shape))),
      datasets: {cells, cursor: []},
      layer: [{
        data: {name: "cells"},
        transform: [{filter: "datum.ratio <= 1"}],
        mark: rect,
        encoding: {
          ...place, tooltip,
          color: {
            field: "ratio", type: "quantitative", title: "error/bound",
            scale: {type: "log", domain: [least, most], clamp: true, scheme: "viridis", nice: false},
            legend: within.length === 0 ? null : {values: [least, Math.sqrt(least * most), most], labelExpr: "format(datum.value, '.2~g')", gradientLength: 110},
          },
        },
      }, {
        data: {name: "cells"},
        transform: [{filter: "!(datum.ratio <= 1)"}],
        mark: {...rect, color: pageColor("bad")},
        encoding: {...place, tooltip},
      }, {
        data: {name: "cursor"},
        mark: {...rect, fill: null, stroke: pageColor("text"), strokeWidth: 2, tooltip: null},
        encoding: place,
      }],
    };
  }

  figure() {
    const caption = element("span", {}, `${this.name}: ${this.errors.case}`);
    const tools = element("div", {class: "tools"}, element("label", {}, "Axes", this.choice));
    if (this.ratios.some((ratio) => ratio > 1))
      tools.append(element("span", {class: "beyond"}, "beyond its bound"));
    return makeFigure(caption, tools, this.plot, this.reading);
  }
}

function makeHeatMaps(section, groups) {
  return Object.entries(groups)
    .filter(([, group]) => group.errors?.views.length > 0)
    .map(([name, {errors}]) => new HeatMap(name, errors).figure());
}
