// Curves, bars and coloured cells on axes, drawn as SVG: what is on the page is what is saved.
"use strict";
(function (page) {
  const { numbers, element, drawn, palette, colour, short } = page;
  const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
  const DASHED = 600; // longer curves are not dashed: they would look torn
  const HEAT = [[68, 20, 84], [59, 82, 139], [33, 145, 140], [122, 200, 80], [250, 230, 60]];
  let count = 0;

  function heat(share) {
    const place = Math.min(1, Math.max(0, share)) * (HEAT.length - 1), k = Math.min(HEAT.length - 2, Math.floor(place));
    return `rgb(${HEAT[k].map((a, i) => Math.round(a + (place - k) * (HEAT[k + 1][i] - a))).join(",")})`;
  }
  // Borders between rising numbers: halfway, and as far again outside.
  function edges(list) {
    const n = list.length, half = (a, b) => (n > 1 ? (list[b] - list[a]) / 2 : 0.5), out = [list[0] - half(0, 1)];
    for (let i = 1; i < n; i++) out.push((list[i - 1] + list[i]) / 2);
    out.push(list[n - 1] + half(n - 2, n - 1));
    return out;
  }

  // Where numbers differ in their last digits only, ticks count from a round number near them.
  function origin([lo, hi]) {
    if (hi - lo > 1e-4 * Math.max(Math.abs(lo), Math.abs(hi))) return { at: 0, text: "" };
    const power = Math.floor(Math.log10(hi - lo)) + 1, at = Math.round((lo + hi) / 2 / 10 ** power) * 10 ** power;
    const size = Math.abs(at), digits = Math.min(17, Math.max(1, Math.floor(Math.log10(size)) - power + 1));
    const text = size >= 1e-3 && size < 1e6 ? size.toFixed(Math.min(20, Math.max(0, -power))) : size.toExponential(digits - 1).replace("-", "−");
    return { at, text: `${at < 0 ? "−" : "+"} ${text}` };
  }
  const shifted = (ticks, by) => ticks.map((t) => ({ ...t, at: t.at + by }));

  function linearTicks(lo, hi, room) {
    const raw = (hi - lo) / Math.max(2, room), power = 10 ** Math.floor(Math.log10(raw));
    const step = power * ([1, 2, 2.5, 5, 10].find((m) => m * power >= raw * 0.999) || 10), ticks = [];
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) ticks.push({ at: k * step, label: tickLabel(k * step, step) });
    return ticks;
  }
  function tickLabel(v, step) {
    if (v === 0) return "0";
    const a = Math.max(Math.abs(v), step), place = Math.floor(Math.log10(step) + 1e-12);
    if (a >= 1e5 || a < 1e-3) {
      // A step of 2.5 needs one digit more.
      const more = Math.abs(step / 10 ** place - Math.round(step / 10 ** place)) > 1e-6 ? 1 : 0;
      const p = Math.floor(Math.log10(a) + 1e-12), digits = Math.max(0, Math.min(4, p - place + more));
      return `${(v / 10 ** p).toFixed(digits)}·10^${p}`.replace("-", "−");
    }
    let digits = Math.max(0, -place);
    if (Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6) digits += 1;
    return v.toFixed(digits).replace("-", "−");
  }
  function logTicks(lo, hi, room) {
    const a = Math.log10(lo), b = Math.log10(hi), every = Math.max(1, Math.ceil((b - a) / Math.max(2, room))), ticks = [];
    for (let k = Math.floor(a); k <= Math.ceil(b); k++) {
      const major = k % every === 0;
      if (k >= a - 1e-9 && k <= b + 1e-9 && (major || every < 4)) ticks.push({ at: 10 ** k, label: major ? (k === 0 ? "1" : k === 1 ? "10" : `10^${k}`) : "" });
      if (every === 1 && b - a < 4) for (let m = 2; m < 10; m++) {
        const at = m * 10 ** k;
        if (at >= lo && at <= hi) ticks.push({ at, label: b - a < 1.8 && (m === 2 || m === 5) ? tickLabel(at, at) : "", minor: true });
      }
    }
    return ticks;
  }
  // Text with 10^-3 set as a power.
  function label(x, y, text, attributes) {
    const e = drawn("text", { x, y, ...attributes });
    text.split(/10\^([-−]?\d+)/).forEach((part, i, all) => {
      if (i % 2 === 0) e.append(drawn("tspan", i ? { dy: 4 } : {}, part + (i < all.length - 1 ? "10" : i ? "\u200b" : "")));
      else e.append(drawn("tspan", { dy: -4, "font-size": "80%" }, part.replace("-", "−")));
    });
    return e;
  }

  const SHAPES = [
    (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    (x, y, r) => `M${x} ${y - 1.3 * r}l${1.2 * r} ${2.1 * r}h${-2.4 * r}z`,
    (x, y, r) => `M${x} ${y - 1.3 * r}l${1.3 * r} ${1.3 * r}l${-1.3 * r} ${1.3 * r}l${-1.3 * r} ${-1.3 * r}z`,
  ];

  // `figure` as in the data of the page. The chart fills `host`; `draw` draws it anew.
  page.chart = function (host, figure) {
    const id = `clip${++count}`, time = figure.x_label === "time", passed = numbers(figure.times);
    const series = figure.series.map((s) => ({ ...s, x: numbers(s.x), y: numbers(s.y), hidden: false }));
    const cells = figure.cells && { ...figure.cells, values: numbers(figure.cells.values) };
    let next = 0;
    for (const s of series) s.index = s.style === "guide" || s.style === "faint" ? 0 : next++;
    const chart = { figure, series, log: figure.y_scale === "log", zoom: null, host, visible: true };
    const legend = element("div", undefined, "legend");
    let svg, view;

    const stroke = (s) => (s.style === "guide" || s.style === "faint" ? colour("--soft") : palette()[s.index % palette().length]);
    const dash = (s) => (s.style === "guide" ? "4 4" : s.style === "faint" || s.x.length > DASHED ? "" : DASHES[(Math.floor(s.index / 8) + s.index) % 4]);
    const magnitude = (v) => (chart.log && figure.y_scale !== "log" ? Math.abs(v) : v);
    const shown = () => series.filter((s) => !s.hidden);

    function ranges() {
      const xs = figure.x_scale === "log", b = { x: [Infinity, -Infinity], y: [Infinity, -Infinity] };
      const grow = (r, v, log) => { if (Number.isFinite(v) && (!log || v > 0)) { if (v < r[0]) r[0] = v; if (v > r[1]) r[1] = v; } };
      for (const s of shown()) for (let i = 0; i < s.x.length; i++) {
        if (!Number.isFinite(s.y[i])) continue;
        grow(b.x, s.x[i], xs);
        grow(b.y, magnitude(s.y[i]), chart.log);
      }
      for (const s of shown()) if (s.style === "bars") { grow(b.y, 0, chart.log); for (const e of edges(s.x)) grow(b.x, e, xs); }
      // What an axis of magnitudes shows in any case.
      if (chart.log) for (const v of figure.shown || []) grow(b.y, v, true);
      if (cells) { for (const e of edges(cells.x)) grow(b.x, e); for (const e of edges(cells.y)) grow(b.y, e); }
      const room = (r, log, tight) => {
        let [lo, hi] = r;
        if (!(lo <= hi)) return log ? [0.1, 1] : [0, 1];
        if (log) {
          if (hi / lo < 1.001) { lo /= 2; hi *= 2; }
          const pad = tight ? 1 : (hi / lo) ** 0.04;
          return [lo / pad, hi * pad];
        }
        // A curve that is constant to rounding is shown as such, not as noise.
        const least = 1e-12 * Math.max(Math.abs(lo), Math.abs(hi));
        if (hi - lo <= least) { const pad = Math.abs(lo) > 0 ? 0.1 * Math.abs(lo) : 1; return [lo - pad, hi + pad]; }
        const pad = tight ? 0 : 0.05 * (hi - lo);
        return [lo - pad, hi + pad];
      };
      const bars = shown().some((s) => s.style === "bars");
      const y = room(b.y, chart.log, Boolean(cells));
      if (bars && !chart.log && b.y[0] >= 0) y[0] = 0;
      return { x: room(b.x, xs, time || Boolean(cells)), y };
    }

    function path(s, px, py) {
      let d = "", pen = false, column = null;
      const points = s.x.length, thin = points > 3000;
      const put = (x, y) => { d += `${pen ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`; pen = true; };
      const flush = () => { if (column) { put(column.x, column.first); if (column.lo !== column.hi) { put(column.x, column.lo); put(column.x, column.hi); } put(column.x, column.last); column = null; } };
      for (let i = 0; i < points; i++) {
        const x = px(s.x[i]), y = py(magnitude(s.y[i]));
        if (!Number.isFinite(x) || !Number.isFinite(y)) { flush(); pen = false; continue; }
        if (!thin) { put(x, y); continue; }
        if (!column || Math.abs(x - column.x) >= 1) { flush(); column = { x, first: y, lo: y, hi: y, last: y }; }
        else { column.lo = Math.min(column.lo, y); column.hi = Math.max(column.hi, y); column.last = y; }
      }
      flush();
      return d;
    }

    function draw() {
      const w = Math.max(240, host.clientWidth || 480);
      const margin = { left: 66, right: cells ? 74 : 14, top: 10, bottom: 46 };
      const h = figure.equal_axes ? 330 : 300;
      const whole = ranges(), range = chart.zoom || whole;
      // What is added to all numbers of the ordinate stands above it.
      if (!chart.log && origin(range.y).text) margin.top += 10;
      const ih = h - margin.top - margin.bottom;
      const ordinate = () => {
        if (chart.log) return logTicks(range.y[0], range.y[1], ih / 32);
        const from = origin(range.y).at;
        return shifted(linearTicks(range.y[0] - from, range.y[1] - from, ih / 40), from);
      };
      // The labels of the ordinate need their room.
      margin.left = Math.round(32 + 6.9 * Math.max(3, ...ordinate().map((t) => t.label.replace("^", "").length * (t.label.includes("^") ? 0.9 : 1))));
      const iw = w - margin.left - margin.right;
      if (figure.equal_axes) {
        // A unit has the same length on both axes: the shorter one shows more.
        const unit = Math.min(iw / (range.x[1] - range.x[0]), ih / (range.y[1] - range.y[0]));
        const widen = (r, n) => { const c = (r[0] + r[1]) / 2; return [c - n / unit / 2, c + n / unit / 2]; };
        range.x = widen(range.x, iw); range.y = widen(range.y, ih);
      }
      const xlog = figure.x_scale === "log";
      const scale = (r, log, v) => (log ? (v > 0 ? Math.log(v / r[0]) / Math.log(r[1] / r[0]) : NaN) : (v - r[0]) / (r[1] - r[0]));
      const px = (v) => margin.left + iw * scale(range.x, xlog, v), py = (v) => margin.top + ih * (1 - scale(range.y, chart.log, v));
      const back = (r, log, f) => (log ? r[0] * (r[1] / r[0]) ** f : r[0] + f * (r[1] - r[0]));
      view = { px, py, margin, iw, ih, w, h, tx: (x) => back(range.x, xlog, (x - margin.left) / iw), ty: (y) => back(range.y, chart.log, 1 - (y - margin.top) / ih) };
      const old = svg;
      svg = drawn("svg", { viewBox: `0 0 ${w} ${h}`, width: w, height: h, "font-family": "system-ui, Helvetica, Arial, sans-serif", "font-size": 12, role: "img", "aria-label": figure.title });
      const soft = colour("--soft"), grid = colour("--grid"), clip = drawn("clipPath", { id });
      clip.append(drawn("rect", { x: margin.left, y: margin.top, width: iw, height: ih }));
      svg.append(clip);
      const xt = xlog ? logTicks(range.x[0], range.x[1], iw / 55) : linearTicks(range.x[0], range.x[1], iw / 75);
      const yt = ordinate();
      for (const t of xt) {
        const x = px(t.at);
        svg.append(drawn("path", { d: `M${x.toFixed(1)} ${margin.top}v${ih}`, stroke: grid, "stroke-opacity": t.minor ? 0.45 : 1 }));
        if (t.label) svg.append(label(x, margin.top + ih + 16, t.label, { "text-anchor": "middle", fill: soft }));
      }
      for (const t of yt) {
        const y = py(t.at);
        svg.append(drawn("path", { d: `M${margin.left} ${y.toFixed(1)}h${iw}`, stroke: grid, "stroke-opacity": t.minor ? 0.45 : 1 }));
        if (t.label) svg.append(label(margin.left - 6, y + 4, t.label, { "text-anchor": "end", fill: soft }));
      }
      const inner = drawn("g", { "clip-path": `url(#${id})` });
      svg.append(inner);
      if (cells) paintCells(inner, px, py);
      for (const s of shown()) {
        if (s.style === "bars") {
          const e = edges(s.x);
          s.y.forEach((v, i) => {
            const x0 = px(e[i]), x1 = px(e[i + 1]), top = py(magnitude(v)), foot = chart.log ? margin.top + ih : py(0);
            if (Number.isFinite(top)) inner.append(drawn("rect", { x: x0.toFixed(1), width: Math.max(0.5, x1 - x0 - 0.8).toFixed(1), y: Math.min(top, foot).toFixed(1), height: Math.abs(foot - top).toFixed(1), fill: stroke(s) }));
          });
          continue;
        }
        if (s.style !== "points") inner.append(drawn("path", { d: path(s, px, py), fill: "none", stroke: stroke(s), "stroke-width": s.style === "guide" ? 1 : s.style === "faint" ? 0.9 : 1.7, "stroke-opacity": s.style === "faint" ? 0.35 : 1, "stroke-dasharray": dash(s), "stroke-linejoin": "round" }));
        // A few points alone are no line.
        let alone = s.style === "line" && s.x.length <= 2000;
        if (alone) { let n = 0; for (let i = 0; i < s.x.length && n <= 8; i++) if (Number.isFinite(py(magnitude(s.y[i])))) n++; alone = n <= 8; }
        if (s.style === "marked" || s.style === "points" || alone) {
          const many = s.x.length > 300, r = many ? 1.4 : 3, shape = many ? SHAPES[1] : SHAPES[s.index % SHAPES.length];
          let d = "";
          for (let i = 0; i < s.x.length; i++) { const x = px(s.x[i]), y = py(magnitude(s.y[i])); if (Number.isFinite(x) && Number.isFinite(y)) d += shape(+x.toFixed(1), +y.toFixed(1), r); }
          inner.append(drawn("path", { d, fill: stroke(s), "fill-opacity": many ? 0.55 : 1 }));
        }
      }
      if (time) for (const e of page.data.events || []) {
        const x = px(e.t);
        if (!(x >= margin.left && x <= margin.left + iw)) continue;
        inner.append(drawn("path", { class: "event", d: `M${x.toFixed(1)} ${margin.top}v${ih}`, stroke: colour("--warn"), "stroke-opacity": page.data.events.length > 8 ? 0.35 : 1, "stroke-dasharray": "5 3" }));
        // Names only where they do not hide each other.
        if (page.data.events.length <= 8) inner.append(drawn("text", { x: x + 4, y: margin.top + 12, fill: colour("--warn"), "font-size": 11 }, e.name));
      }
      svg.append(drawn("rect", { x: margin.left, y: margin.top, width: iw, height: ih, fill: "none", stroke: colour("--line") }));
      svg.append(label(margin.left + iw / 2, h - 8, figure.x_label, { "text-anchor": "middle", fill: soft, "font-size": 13 }));
      const ylabel = chart.log && figure.y_scale !== "log" ? `|${figure.y_label}|` : figure.y_label;
      const from = chart.log ? "" : origin(range.y).text;
      if (from) svg.append(label(margin.left, margin.top - 5, from, { fill: soft, "font-size": 11, class: "from" }));
      svg.append(label(14, margin.top + ih / 2, ylabel, { "text-anchor": "middle", fill: soft, "font-size": 13, transform: `rotate(-90 14 ${margin.top + ih / 2})` }));
      view.cursor = drawn("g", { class: "cursor" });
      svg.append(view.cursor);
      if (old) old.replaceWith(svg); else host.append(svg);
      listen();
      drawLegend();
      mark(page.clock.t);
    }

    function paintCells(inner, px, py) {
      const ex = edges(cells.x), ey = edges(cells.y), known = Array.from(cells.values).filter(Number.isFinite);
      const lo = Math.min(...known), hi = Math.max(...known), n = cells.x.length, share = (v) => (hi > lo ? (v - lo) / (hi - lo) : 0.5);
      cells.values.forEach((v, k) => {
        if (!Number.isFinite(v)) return;
        const i = k % n, j = Math.floor(k / n), x = px(ex[i]), y = py(ey[j + 1]);
        inner.append(drawn("rect", { x: x.toFixed(1), y: y.toFixed(1), width: (px(ex[i + 1]) - x + 0.4).toFixed(1), height: (py(ey[j]) - y + 0.4).toFixed(1), fill: heat(share(v)) }));
      });
      const x = view.margin.left + view.iw + 10, steps = 40;
      for (let k = 0; k < steps; k++) svg.append(drawn("rect", { x, y: view.margin.top + (view.ih * (steps - 1 - k)) / steps, width: 12, height: view.ih / steps + 0.5, fill: heat(k / (steps - 1)) }));
      svg.append(label(x + 16, view.margin.top + 10, short(hi, 3), { fill: colour("--soft"), "font-size": 11 }));
      svg.append(label(x + 16, view.margin.top + view.ih, short(lo, 3), { fill: colour("--soft"), "font-size": 11 }));
      svg.append(label(x + 26, view.margin.top + view.ih / 2, cells.label, { "text-anchor": "middle", fill: colour("--soft"), transform: `rotate(-90 ${x + 26} ${view.margin.top + view.ih / 2})` }));
    }

    function swatch(s) {
      const e = drawn("svg", { width: 30, height: 12, viewBox: "0 0 30 12" });
      if (s.style === "bars") e.append(drawn("rect", { x: 8, y: 1, width: 12, height: 10, fill: stroke(s) }));
      else if (s.style !== "points") e.append(drawn("path", { d: "M1 6h28", stroke: stroke(s), "stroke-opacity": s.style === "faint" ? 0.5 : 1, "stroke-width": s.style === "guide" || s.style === "faint" ? 1 : 1.8, "stroke-dasharray": dash(s) }));
      if (s.style === "marked" || s.style === "points") e.append(drawn("path", { d: SHAPES[s.x.length > 300 ? 1 : s.index % SHAPES.length](15, 6, 3), fill: stroke(s) }));
      return e;
    }
    function drawLegend() {
      legend.textContent = "";
      chart.values = new Map();
      for (const s of series) {
        if (!s.name) continue;
        const item = element("button", undefined, s.hidden ? "off" : ""), value = element("span", "", "value");
        item.title = "show or hide";
        item.append(swatch(s), element("span", s.name), value);
        item.addEventListener("click", () => { s.hidden = !s.hidden; chart.zoom = null; draw(); });
        legend.append(item);
        chart.values.set(s, value);
      }
      if (!legend.isConnected) host.after(legend);
    }

    // The index of the entry of a rising list that is nearest to `v`.
    function nearest(list, v) {
      let lo = 0, hi = list.length - 1;
      const down = list[0] > list[hi];
      while (hi - lo > 1) { const m = (lo + hi) >> 1; if (list[m] <= v !== down) lo = m; else hi = m; }
      return Math.abs(list[lo] - v) <= Math.abs(list[hi] - v) ? lo : hi;
    }
    // Marks the time `t` on curves over time and on paths.
    function mark(t) {
      if (!view || t === null || (!time && !passed.length)) return;
      view.cursor.textContent = "";
      if (time) {
        const x = view.px(t);
        if (x >= view.margin.left - 1 && x <= view.margin.left + view.iw + 1) view.cursor.append(drawn("path", { d: `M${x.toFixed(1)} ${view.margin.top}v${view.ih}`, stroke: colour("--accent"), "stroke-opacity": 0.7 }));
      }
      for (const s of shown()) {
        if (!s.x.length || s.style === "guide" || s.style === "faint") continue;
        const i = nearest(time ? s.x : passed, t), x = view.px(s.x[i]), y = view.py(magnitude(s.y[i]));
        if (Number.isFinite(x) && Number.isFinite(y) && y >= 0 && y <= view.h) view.cursor.append(drawn("circle", { cx: x, cy: y, r: 3.6, fill: stroke(s), stroke: colour("--card") }));
        const value = chart.values.get(s);
        if (value) value.textContent = time ? short(s.y[i]) : `${short(s.x[i], 4)}, ${short(s.y[i], 4)}`;
      }
    }
    // Other plots: the values of the point nearest to the pointer.
    function read(x, y) {
      let best = null;
      view.cursor.textContent = "";
      if (cells) {
        const i = nearest(cells.x, view.tx(x)), j = nearest(cells.y, view.ty(y)), v = cells.values[j * cells.x.length + i];
        chart.reading.textContent = `${figure.x_label} ${short(cells.x[i])}, ${figure.y_label} ${short(cells.y[j])}: ${short(v)}`;
        return;
      }
      for (const s of shown()) for (let i = 0; i < s.x.length; i++) {
        const d = (view.px(s.x[i]) - x) ** 2 + (view.py(magnitude(s.y[i])) - y) ** 2;
        if (d < (best ? best.d : 2500)) best = { d, s, i };
      }
      chart.reading.textContent = best ? `${best.s.name ? best.s.name + ": " : ""}${short(best.s.x[best.i])}, ${short(best.s.y[best.i])}` : "";
      if (best) view.cursor.append(drawn("circle", { cx: view.px(best.s.x[best.i]), cy: view.py(magnitude(best.s.y[best.i])), r: 5, fill: "none", stroke: colour("--accent"), "stroke-width": 2 }));
    }

    function listen() {
      let from = null, box = null;
      const at = (e) => { const r = svg.getBoundingClientRect(); return [((e.clientX - r.left) * view.w) / r.width, ((e.clientY - r.top) * view.h) / r.height]; };
      svg.addEventListener("pointerdown", (e) => { if (e.button === 0 && e.pointerType !== "touch") { from = at(e); e.preventDefault(); } });
      svg.addEventListener("pointermove", (e) => {
        const [x, y] = at(e);
        if (from) {
          if (!box && Math.hypot(x - from[0], y - from[1]) > 6) svg.append((box = drawn("rect", { fill: colour("--accent"), "fill-opacity": 0.15, stroke: colour("--accent") })));
          if (box) for (const [k, v] of Object.entries({ x: Math.min(x, from[0]), y: Math.min(y, from[1]), width: Math.abs(x - from[0]), height: Math.abs(y - from[1]) })) box.setAttribute(k, v);
          return;
        }
        if (time) { const t = view.tx(x), r = ranges().x; page.clock.set(Math.min(r[1], Math.max(r[0], t))); }
        else read(x, y);
      });
      const end = (e) => {
        if (box) {
          const to = at(e), pair = (a, b) => (a < b ? [a, b] : [b, a]);
          const x = pair(view.tx(from[0]), view.tx(to[0])), y = pair(view.ty(from[1]), view.ty(to[1]));
          if (x[0] < x[1] && y[0] < y[1]) { chart.zoom = { x, y }; draw(); }
        }
        from = box = null;
      };
      svg.addEventListener("pointerup", end);
      svg.addEventListener("pointerleave", () => { if (!box) from = null; });
      svg.addEventListener("dblclick", () => { chart.zoom = null; draw(); });
    }

    chart.reading = element("p", "", "reading");
    chart.draw = draw;
    chart.mark = mark;
    chart.toCsv = () => {
      if (cells) {
        const rows = [`${figure.x_label},${figure.y_label},${cells.label}`];
        cells.values.forEach((v, k) => rows.push([cells.x[k % cells.x.length], cells.y[Math.floor(k / cells.x.length)], v].join(",")));
        return rows.join("\n") + "\n";
      }
      const quote = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
      const alike = series.every((s) => s.x === series[0].x && s.x.length === series[0].x.length);
      const rows = [];
      if (alike && series.length) {
        rows.push([figure.x_label, ...series.map((s) => s.name || figure.y_label)].map(quote).join(","));
        for (let i = 0; i < series[0].x.length; i++) rows.push([series[0].x[i], ...series.map((s) => s.y[i])].join(","));
      } else {
        rows.push(["curve", figure.x_label, figure.y_label].map(quote).join(","));
        for (const s of series) for (let i = 0; i < s.x.length; i++) rows.push(`${quote(s.name)},${s.x[i]},${s.y[i]}`);
      }
      return rows.join("\n") + "\n";
    };
    // The drawing with its title and legend, as it stands on the page.
    chart.toSvg = () => {
      const copy = svg.cloneNode(true), named = shown().filter((s) => s.name), per = Math.max(1, Math.floor(view.w / 170));
      copy.querySelector(".cursor")?.remove();
      const rows = Math.ceil(named.length / per), top = 26, height = view.h + top + 20 * rows + 6;
      const inner = drawn("g", { transform: `translate(0 ${top})` });
      inner.append(...copy.childNodes);
      copy.append(drawn("rect", { width: view.w, height, fill: colour("--card") }), drawn("text", { x: view.margin.left, y: 18, fill: colour("--ink"), "font-size": 15, "font-weight": 600 }, figure.title), inner);
      named.forEach((s, k) => {
        const mark = swatch(s);
        mark.setAttribute("x", view.margin.left + (k % per) * 160);
        mark.setAttribute("y", view.h + top + 20 * Math.floor(k / per));
        copy.append(mark, drawn("text", { x: view.margin.left + (k % per) * 160 + 36, y: view.h + top + 10 + 20 * Math.floor(k / per), fill: colour("--ink") }, s.name));
      });
      copy.setAttribute("viewBox", `0 0 ${view.w} ${height}`);
      copy.setAttribute("height", height);
      return new XMLSerializer().serializeToString(copy);
    };
    chart.toPng = () => new Promise((done, fail) => {
      const image = new Image(), text = chart.toSvg();
      image.onload = () => {
        const canvas = element("canvas");
        canvas.width = 2 * image.width; canvas.height = 2 * image.height;
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob(done, "image/png");
      };
      image.onerror = fail;
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    });
    if (time || passed.length) page.clock.hear((t) => chart.visible && mark(t));
    page.redraw.push(() => host.clientWidth && draw());
    page.charts.push(chart);
    return chart;
  };

  // A card with a heading, tools and a chart.
  page.plotCard = function (figure, parent, extra) {
    const card = element("div", undefined, "card plot"), head = element("div", undefined, "plot-head"), tools = element("div", undefined, "tools");
    const holder = element("div", undefined, "holder");
    head.append(element("h2", figure.title), tools);
    card.append(head);
    if (extra) card.append(extra);
    card.append(holder);
    parent.append(card);
    const chart = page.chart(holder, figure);
    const tool = (text, title, act) => { const b = element("button", text); b.title = title; b.addEventListener("click", act); tools.append(b); return b; };
    const lines = figure.series.some((s) => s.style === "line" || s.style === "bars") && !figure.equal_axes;
    if (lines && figure.y_scale === "linear" && !figure.cells) {
      const b = tool("log", "logarithm of the magnitude", () => { chart.log = !chart.log; chart.zoom = null; b.classList.toggle("on", chart.log); chart.draw(); });
    }
    tool("⤢", "whole range (or double-click)", () => { chart.zoom = null; chart.draw(); });
    const name = page.fileName(figure.title);
    tool("PNG", "save as PNG", () => chart.toPng().then((blob) => page.save(`${name}.png`, blob)));
    tool("SVG", "save as SVG", () => page.save(`${name}.svg`, chart.toSvg(), "image/svg+xml"));
    tool("CSV", "save the numbers", () => page.save(`${name}.csv`, chart.toCsv(), "text/csv"));
    card.append(chart.reading);
    if (figure.note) card.append(element("p", figure.note, "note"));
    new IntersectionObserver((all) => { chart.visible = all[all.length - 1].isIntersecting; if (chart.visible) chart.mark(page.clock.t); }).observe(card);
    return { card, chart };
  };
})(window.lieflow);
