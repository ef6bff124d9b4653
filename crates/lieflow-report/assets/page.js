// Fills the page from the data element: facts, tables, plots, theme. No framework, no network.
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7A5195", "#8c6d31"];
  const DARK = ["#56B4E9", "#F28E4B", "#2BC79B", "#E29AC4", "#8FD0F5", "#F2C14E", "#B58CD9", "#c7a75b"];
  const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]];

  function element(tag, text, className) {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  }

  byId("title").textContent = data.title;
  byId("subtitle").textContent = data.subtitle;
  for (const fact of data.facts) {
    byId("facts").append(element("dt", fact.name), element("dd", fact.value));
  }
  for (const table of data.tables) {
    const card = element("div", undefined, "card");
    card.append(element("h2", table.title));
    const scroll = element("div", undefined, "scroll"), t = element("table"), head = element("tr");
    for (const c of table.columns) head.append(element("th", c));
    t.append(head);
    for (const [cells, verdict] of table.rows) {
      const row = element("tr", undefined, verdict);
      for (const c of cells) row.append(element("td", c, c.length > 40 ? "wrap" : ""));
      t.append(row);
    }
    scroll.append(t);
    card.append(scroll);
    if (table.note) card.append(element("p", table.note, "note"));
    byId("tables").append(card);
  }
  byId("command").textContent = data.command;
  byId("problem").textContent = data.problem;
  byId("command").hidden = !data.command;
  byId("problem").parentElement.hidden = !data.problem;
  byId("repeat").hidden = !data.command && !data.problem;
  byId("copy").addEventListener("click", async () => {
    const text = data.problem;
    let done = false;
    if (navigator.clipboard) done = await navigator.clipboard.writeText(text).then(() => true, () => false);
    if (!done) {
      const range = document.createRange();
      range.selectNodeContents(byId("problem"));
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
    }
    byId("copy").textContent = done ? "copied" : "selected";
  });

  // Theme: what the reader's system says, until the button says otherwise.
  const root = document.documentElement;
  const hash = new URLSearchParams(location.hash.slice(1)).get("theme");
  root.dataset.theme = hash || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const redraw = [];
  byId("theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    for (const f of redraw) f();
  });
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  // Series of one plot may have different abscissas: uPlot.join aligns them.
  function aligned(plot) {
    const good = (v, scale) => v !== null && Number.isFinite(v) && (scale === "linear" || v > 0);
    const tables = plot.series.map((s) => {
      const order = s.x.map((_, i) => i).filter((i) => good(s.x[i], plot.x_scale));
      order.sort((a, b) => s.x[a] - s.x[b]);
      const x = [], y = [];
      for (const i of order) {
        if (x.length && s.x[i] === x[x.length - 1]) continue;
        x.push(s.x[i]);
        y.push(good(s.y[i], plot.y_scale) ? s.y[i] : null);
      }
      return [x, y];
    });
    return tables.length > 1 ? uPlot.join(tables) : tables[0] || [[], []];
  }
  const short = (v) => {
    if (v === null || v === undefined) return "–";
    const a = Math.abs(v);
    return v === 0 ? "0" : a < 1e-3 || a >= 1e5 ? v.toExponential(4) : String(+v.toPrecision(7));
  };
  const tick = (v) => {
    if (v === null) return "";
    const a = Math.abs(v);
    return v === 0 ? "0" : a < 1e-3 || a >= 1e5 ? v.toExponential(a === Math.pow(10, Math.round(Math.log10(a))) ? 0 : 1) : String(+v.toPrecision(5));
  };

  function drawPlot(plot, holder) {
    holder.textContent = "";
    const dark = root.dataset.theme === "dark", palette = dark ? DARK : COLOURS;
    let next = 0;
    const series = [{ label: plot.x_label, value: (u, v) => short(v) }];
    for (const s of plot.series) {
      const guide = s.style === "guide", k = guide ? 0 : next++;
      const stroke = guide ? colour("--soft") : palette[k % palette.length];
      series.push({
        label: s.name || plot.y_label, stroke, width: guide ? 1 : 1.6,
        dash: guide ? [4, 4] : DASHES[(Math.floor(k / palette.length) + k) % DASHES.length],
        points: { show: s.style === "marked" || s.style === "points", size: 6 },
        paths: s.style === "points" ? () => null : undefined,
        spanGaps: true, value: (u, v) => short(v),
      });
    }
    const axis = (label, log) => ({
      label, stroke: colour("--soft"), grid: { stroke: colour("--grid"), width: 1 }, ticks: { stroke: colour("--grid"), width: 1 },
      values: (u, splits) => splits.map((v) => (log && v !== null && Math.abs(Math.log10(v) - Math.round(Math.log10(v))) > 1e-9 ? "" : tick(v))),
      size: label === plot.y_label ? 70 : 44, labelSize: 18, font: "12px system-ui", labelFont: "13px system-ui",
    });
    const chart = new uPlot({
      width: Math.max(280, holder.clientWidth), height: 330, series,
      scales: { x: { time: false, distr: plot.x_scale === "log" ? 3 : 1 }, y: { distr: plot.y_scale === "log" ? 3 : 1 } },
      axes: [axis(plot.x_label, plot.x_scale === "log"), axis(plot.y_label, plot.y_scale === "log")],
      cursor: { drag: { x: true, y: true, uni: 30 }, focus: { prox: 24 } }, focus: { alpha: 0.35 },
      legend: { live: true },
    }, aligned(plot), holder);
    return chart;
  }
  const charts = [];
  // All cards first: the grid has its columns, and so every chart its width, only then.
  const cards = data.plots.map((plot) => {
    const card = element("div", undefined, "card plot"), head = element("div", undefined, "plot-head");
    const reset = element("button", "reset zoom"), holder = element("div", undefined, "holder");
    head.append(element("h2", plot.title), reset);
    card.append(head, holder);
    byId("plots").append(card);
    return { plot, reset, holder };
  });
  cards.forEach(({ plot, reset, holder }, index) => {
    const draw = () => { if (charts[index]) charts[index].destroy(); charts[index] = drawPlot(plot, holder); };
    draw();
    reset.addEventListener("click", draw);
    redraw.push(draw);
    addEventListener("resize", () => charts[index].setSize({ width: Math.max(280, holder.clientWidth), height: 330 }));
  });

  if (data.scene && data.scene.times.length > 0) {
    byId("picture").hidden = false;
    const picture = window.lieflowScene(data.scene, byId("scene"), byId("slider"), byId("clock"), byId("play"), byId("speed"), colour);
    redraw.push(picture.draw);
  }
  // For tests: everything is drawn.
  root.dataset.ready = "true";
  window.lieflowCharts = charts;
})();
