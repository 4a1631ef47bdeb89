//===- charts.js - Histograms, bars and rooflines -------------------------===//

/// How charts look, in the colours of the page.
function chartConfig() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  const text = {
    labelColor: color("text"), titleColor: color("muted"),
    labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal",
  };
  return {
    background: "transparent",
    font: getComputedStyle(document.body).fontFamily,
    view: {stroke: color("line")},
    axis: {...text, gridColor: color("line"), gridOpacity: .6, domainColor: color("muted"), tickColor: color("muted")},
    legend: text,
    text: {color: color("text")},
    range: {category: [1, 2, 3, 4, 5].map((number) => color(`series-${number}`))},
  };
}

function pageColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/// Draws what `makeSpec` returns into `plot`. Resolves to Vega's view.
async function drawChart(plot, makeSpec) {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const result = await window.vegaEmbed(plot, {width: "container", ...makeSpec()}, {
    actions: false,
    renderer: "svg",
    config: chartConfig(),
    tooltip: {theme: isDark ? "dark" : "light"},
  });
  return result.view;
}

function makeFigure(caption, ...content) {
  return element("figure", {}, element("figcaption", {}, caption), ...content);
}

const kSuperscripts = {"-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹"};

/// "10⁻³"; 0 and 1 as they are.
function powerOfTen(exponent) {
  return exponent === 0 ? "1" : exponent === 1 ? "10" : `10${[...String(exponent)].map((digit) => kSuperscripts[digit]).join("")}`;
}

/// The ticks of a logarithmic axis: `multiples` of each power of ten.
function logarithmicTicks([least, most], multiples = [1]) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); ++power)
    ticks.push(...multiples.map((multiple) => multiple * 10 ** power));
  return ticks.filter((tick) => tick >= least && tick <= most);
}

//===- Histogram ----------------------------------------------------------===//

/// The decades that the histograms of all groups reach over, 1 among them.
function findDecades(groups) {
  const bins = groups.flatMap(([, {errors}]) => errors.bins);
  return {
    first: Math.min(-2, ...bins.map((bin) => Math.floor(Math.log10(bin.from) + 1e-9))),
    last: Math.max(1, ...bins.map((bin) => Math.ceil(Math.log10(bin.to) - 1e-9))),
  };
}

/// Bars along the decimal logarithm. What is 0 or infinite stands beside them.
function makeBars(errors, {first, last}) {
  const bars = errors.bins.map((bin) => ({
    from: Math.log10(bin.from), to: Math.log10(bin.to), count: bin.count,
    range: `${formatNumber(bin.from)} to ${formatNumber(bin.to)}`,
  }));
  if (errors.zero > 0)
    bars.push({from: first - 1, to: first - .5, count: errors.zero, range: "0"});
  if (errors.infinite > 0)
    bars.push({from: last + .5, to: last + 1, count: errors.infinite, range: "∞: of the wrong class, or no error is allowed"});
  return bars;
}

function histogramSpec(errors, decades, title) {
  const {first, last} = decades;
  const labels = {[first - .75]: "0", [last + .75]: "∞"};
  const step = Math.ceil((last - first) / 10);
  for (let decade = first; decade <= last; ++decade)
    if (decade % step === 0)
      labels[decade] = powerOfTen(decade);
  const axis = {
    title: "error/bound (logarithmic)", grid: false, values: Object.keys(labels).map(Number),
    labelExpr: `${JSON.stringify(labels)}[toString(datum.value)]`,
  };
  const bars = makeBars(errors, decades);
  // The axis is linear up to 1, so that few elements show beside many.
  const most = Math.max(1, ...bars.map((one) => one.count));
  const counts = [0, ...logarithmicTicks([1, most * .6]), most];
  const bar = {type: "bar", orient: "vertical", binSpacing: 1, minBandSize: 1};
  return {
    description: `${title}: elements by error/bound`,
    height: 170,
    data: {values: bars},
    layer: [{
      mark: bar,
      encoding: {
        x: {field: "from", type: "quantitative", scale: {domain: [first - 1, last + 1], nice: false}, axis},
        x2: {field: "to"},
        y: {field: "count", type: "quantitative", title: "elements", scale: {type: "symlog", domain: [0, most], nice: false}, axis: {values: counts, labelExpr: "format(datum.value, '.3~s')"}},
        y2: {datum: 0},
        color: {condition: {test: "datum.from > -1e-9", value: pageColor("bad")}, value: pageColor("series-1")},
        tooltip: [{field: "range", title: "error/bound"}, {field: "count", title: "elements", format: ","}],
      },
    }, {
      mark: {type: "rule", strokeDash: [4, 3], color: pageColor("muted")},
      data: {values: [{}]},
      encoding: {x: {datum: 0}},
    }, {
      mark: {type: "text", align: "left", dx: 4, dy: 8, baseline: "top", color: pageColor("muted")},
      data: {values: [{}]},
      encoding: {x: {datum: 0}, y: {value: 0}, text: {value: "bound"}},
    }],
  };
}

function makeHistogram(section, groups) {
  const surveyed = Object.entries(groups).filter(([, group]) => group.errors);
  const decades = findDecades(surveyed);
  return surveyed.map(([name, {errors}]) => {
    const count = errors.bins.reduce((sum, bin) => sum + bin.count, errors.zero + errors.infinite);
    const plot = element("div", {class: "plot"});
    drawLater(plot, () => histogramSpec(errors, decades, name));
    return makeFigure(`${name}: ${formatNumber(count)} elements compared`, plot);
  });
}

//===- Bars ---------------------------------------------------------------===//

function barsSpec(section, rows) {
  const values = rows.flatMap((row) => section.fields.map((field) => ({
    name: String(lookup(row, section.name.path)),
    series: field.title,
    value: toNumber(lookup(row, field.path)),
  }))).filter((bar) => bar.value !== undefined);
  const sizes = values.map((bar) => bar.value).filter((value) => value > 0 && Number.isFinite(value));
  // Bars begin a decade below the smallest; 0 has none, and infinity ends at the edge.
  const least = 10 ** Math.floor(Math.log10(Math.min(1, ...sizes)) - 1);
  const most = 10 ** Math.ceil(Math.log10(Math.max(least * 100, ...sizes)));
  for (const bar of values) {
    bar.text = formatNumber(bar.value);
    bar.end = Math.min(Math.max(bar.value, least), most);
  }
  return {
    description: section.title,
    height: {step: 14},
    data: {values},
    mark: {type: "bar", orient: "horizontal"},
    encoding: {
      y: {field: "name", type: "nominal", sort: null, title: section.name.title, axis: {labelLimit: 260}},
      yOffset: {field: "series", sort: null},
      x: {field: "end", type: "quantitative", title: null, scale: {type: "log", domain: [least, most], nice: false}, axis: {format: "~e", values: logarithmicTicks([least, most])}},
      x2: {datum: least},
      color: {field: "series", sort: null, title: null, legend: {orient: "top"}},
      tooltip: [{field: "name", title: section.name.title}, {field: "series", title: "part"}, {field: "text", title: "value"}],
    },
  };
}

function makeBarChart(section, rows) {
  const plot = element("div", {class: "plot"});
  drawLater(plot, () => barsSpec(section, rows));
  return [makeFigure(`${formatNumber(rows.length)} in order; the axis is logarithmic`, plot)];
}

//===- Roofline -----------------------------------------------------------===//

function countThreads(threads) {
  return `${threads} ${threads === 1 ? "thread" : "threads"}`;
}

/// A point for each contestant of each row. Where rows differ in their threads,
/// so do the names of contestants.
function rooflinePoints(section, rows) {
  const isMixed = new Set(rows.map((row) => row.threads)).size > 1;
  return rows.filter((row) => row.intensity > 0 && row.gflops > 0).flatMap((row) => {
    const point = (contestant, gflops) => ({
      name: lookup(row, section.name.path), threads: row.threads, intensity: row.intensity, gflops,
      contestant: isMixed ? `${contestant}, ${countThreads(row.threads)}` : contestant,
    });
    const peers = Object.entries(row.peer_gflops ?? {}).filter(([, speed]) => speed > 0);
    return [point("convoy", row.gflops), ...peers.map(([peer, speed]) => point(peer, speed))];
  });
}

/// The lines below which points lie: one for each peak that was measured.
function rooflineRoofs(rows, [least, most]) {
  const roofs = new Map();
  for (const row of rows)
    if (row.peak_gflops > 0)
      roofs.set(`${row.peak_gflops} ${row.bandwidth_gbs}`, row);
  return [...roofs.values()].flatMap((row, number) => {
    const {peak_gflops: peak, bandwidth_gbs: bandwidth = Infinity, threads} = row;
    const name = `${formatNumber(Math.round(peak))} GF/s` + (bandwidth < Infinity ? `, ${formatNumber(Math.round(bandwidth))} GB/s` : "");
    const places = [least, Math.min(Math.max(peak / bandwidth, least), most), most];
    return places.map((intensity, place) => ({
      roof: number, intensity, gflops: Math.min(peak, intensity * bandwidth),
      label: place === 2 ? `${name}, ${countThreads(threads)}` : "",
    }));
  });
}

function rooflineSpec(section, rows) {
  const points = rooflinePoints(section, rows);
  const places = points.map((point) => point.intensity);
  const range = [Math.min(...places) / 2, Math.max(...places) * 2];
  const roofs = rooflineRoofs(rows, range);
  const x = {field: "intensity", type: "quantitative", title: "operations per byte", scale: {type: "log", domain: range, nice: false}, axis: {format: "~g", values: logarithmicTicks(range, [1, 2, 5])}};
  const speeds = [...points, ...roofs].map((point) => point.gflops);
  const speedRange = [Math.min(...speeds) / 1.5, Math.max(...speeds) * 1.5];
  const y = {field: "gflops", type: "quantitative", title: "GF/s", scale: {type: "log", domain: speedRange, nice: false}, axis: {format: "~g", values: logarithmicTicks(speedRange, [1, 2, 5])}};
  return {
    description: section.title,
    height: 300,
    layer: [{
      data: {values: roofs},
      mark: {type: "line", color: pageColor("muted"), strokeWidth: 1.5},
      encoding: {x, y, detail: {field: "roof"}},
    }, {
      data: {values: roofs.filter((corner) => corner.label)},
      mark: {type: "text", align: "right", baseline: "bottom", dx: -4, dy: -4, color: pageColor("muted")},
      encoding: {x, y, text: {field: "label"}},
    }, {
      data: {values: points},
      mark: {type: "point", filled: true, size: 60, opacity: .85},
      encoding: {
        x, y,
        color: {field: "contestant", sort: null, title: null, legend: {orient: "top"}},
        shape: {field: "contestant", sort: null, title: null},
        tooltip: [
          {field: "name", title: section.name.title}, {field: "contestant"}, {field: "threads"},
          {field: "gflops", title: "GF/s", format: ".1f"}, {field: "intensity", title: "operations per byte", format: ".1f"},
        ],
      },
    }],
  };
}

function makeRoofline(section, rows) {
  if (rooflinePoints(section, rows).length === 0)
    return [];
  const plot = element("div", {class: "plot"});
  drawLater(plot, () => rooflineSpec(section, rows));
  return [makeFigure("speed over operations per byte of operands and result, each moved once; lines are what this machine was measured to do at most", plot)];
}
