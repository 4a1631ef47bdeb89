//===- page.js - Puts the page together -----------------------------------===//

const kSections = {
  summary: makeSummary, table: makeTable, histogram: makeHistogram,
  heatmap: makeHeatMaps, bars: makeBarChart, roofline: makeRoofline,
};
const kCharts = new Set(["histogram", "heatmap", "bars", "roofline"]);

/// Charts are as wide as their place, which they have when the page is whole.
const drawings = [];
function drawLater(plot, makeSpec, whenDrawn = () => {}) {
  drawings.push({plot, makeSpec, whenDrawn});
}
async function drawOne(drawing) {
  const view = await drawChart(drawing.plot, drawing.makeSpec);
  drawing.whenDrawn(view);
  return view;
}
function redraw(plot) {
  return drawOne(drawings.find((drawing) => drawing.plot === plot));
}
async function drawAll() {
  document.body.dataset.charts = "drawing";
  await Promise.all(drawings.map(drawOne));
  document.body.dataset.charts = "drawn";
}

function makeHeader(data) {
  document.title = `${data.tool} report`;
  const version = element("p", {class: "muted"}, data.version);
  return [element("h1", {}, document.title), version, makeCommand(data.command)];
}

/// Charts that follow each other stand side by side where there is room.
function makeSections(data) {
  const nodes = [];
  let charts = null;
  for (const section of data.sections) {
    const part = lookup(data.document, section.path);
    if (part === undefined || Object.keys(part).length === 0)
      continue;
    const content = kSections[section.kind](section, part);
    if (content.length === 0)
      continue;
    const isChart = kCharts.has(section.kind);
    const node = element("section", {class: isChart ? "chart" : false, "data-kind": section.kind},
      element("h2", {}, section.title), ...content);
    if (!isChart) {
      charts = null;
      nodes.push(node);
      continue;
    }
    if (!charts)
      nodes.push(charts = element("div", {class: "charts"}));
    charts.append(node);
  }
  return nodes;
}

{
  const data = JSON.parse(document.getElementById("report-data").textContent);
  document.getElementById("header").append(...makeHeader(data));
  document.getElementById("sections").append(...makeSections(data));
  drawAll();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
}
