// Errors that draw themselves: bounded in points, whatever the length of the run.
"use strict";
(function (page) {
  const MOST = 1600; // points of a curve; then every second one is left out
  const EVERY = 90, UNSEEN = 2500; // milliseconds between two drawings of a figure, and of one that is not in view
  const NOTHING = 1e-17; // where an error of nothing at all is drawn, on an axis that reaches to rounding

  // One figure for each invariant, with one curve for each lane.
  page.openCurves = function (parent) {
    const lanes = new Map();
    let plots = [], signature = "";
    // What has changed is drawn soon, one figure in each picture of the motion: none of them waits long.
    const touch = () => { for (const p of plots) p.stale = true; };

    function lane(k) {
      if (!lanes.has(k)) lanes.set(k, { name: "", errors: [], base: -1, t: [], y: [], stride: 1, skipped: 0, worst: [] });
      return lanes.get(k);
    }
    function clear(l) { l.t = []; l.y = l.errors.map(() => []); l.stride = 1; l.skipped = 0; l.worst = l.errors.map(() => 0); }

    return {
      // A lane has begun: which errors there are, and by whom.
      begin(k, name, errors, base) {
        const l = lane(k), others = JSON.stringify(errors) !== JSON.stringify(l.errors);
        l.name = name;
        l.errors = errors;
        if (others || base !== l.base) clear(l);
        l.base = base;
        touch();
      },
      drop(k) { lanes.delete(k); touch(); },
      // The errors of one state. Of those that are left out, the largest counts.
      add(k, base, t, errors) {
        const l = lane(k);
        if (base !== l.base || !l.y.length) return;
        errors.forEach((e, i) => { if (!(Math.abs(e) <= Math.abs(l.worst[i]))) l.worst[i] = e; });
        if (++l.skipped < l.stride) return;
        l.skipped = 0;
        touch();
        l.t.push(t);
        l.worst.forEach((e, i) => l.y[i].push(e));
        l.worst = l.worst.map(() => 0);
        if (l.t.length < MOST) return;
        const pairs = (list, choose) => { const out = []; for (let i = 0; i + 1 < list.length; i += 2) out.push(choose(list[i], list[i + 1])); return out; };
        l.t = pairs(l.t, (a, b) => b);
        l.y = l.y.map((y) => pairs(y, (a, b) => (Math.abs(a) > Math.abs(b) ? a : b)));
        l.stride *= 2;
      },
      draw(now, force) {
        const all = [...lanes.entries()].sort((a, b) => a[0] - b[0]).map(([, l]) => l), first = all[0];
        if (!first) return;
        const sign = JSON.stringify(all.map((l) => l.errors));
        if (sign !== signature) {
          signature = sign;
          for (const p of plots) page.charts.splice(page.charts.indexOf(p.chart), 1);
          parent.textContent = "";
          plots = first.errors.map((e, i) => {
            const plot = page.plotCard({
              title: e.title, x_label: "time", y_label: e.relative ? "relative error" : "error", x_scale: "linear", y_scale: "linear", shown: [NOTHING, 1e-14],
              series: all.map((l) => ({ name: l.name, x: [], y: [], style: "line" })), note: "",
            }, parent);
            plot.chart.log = true;
            plot.card.querySelector(".tools button").classList.add("on");
            return Object.assign(plot, { stale: true, due: 0, of: (l) => l.errors.findIndex((x) => x.name === e.name) });
          });
          parent.hidden = !plots.length;
        }
        const ready = plots.filter((p) => force || (p.stale && (p.due <= now || (p.chart.visible && p.unseen)))).sort((a, b) => a.due - b.due);
        for (const plot of force ? ready : ready.slice(0, 1)) {
          Object.assign(plot, { stale: false, unseen: !plot.chart.visible, due: now + (plot.chart.visible ? EVERY : UNSEEN) });
          plot.chart.series.forEach((s, k) => {
            const l = all[k], i = plot.of(l);
            s.name = l.name;
            s.x = i < 0 ? [] : l.t;
            s.y = i < 0 ? [] : plot.chart.log ? l.y[i].map((v) => Math.max(Math.abs(v), NOTHING)) : l.y[i];
          });
          plot.chart.draw();
        }
      },
      get data() { return [...lanes.keys()].sort((a, b) => a - b).map((k) => lanes.get(k)); },
    };
  };
})(window.lieflow);
