// Curves that the reader composes: angles in a convention, any column against any other.
"use strict";
(function (page) {
  const { numbers, element } = page;

  function choice(title, options, value, act) {
    const label = element("label", `${title} `), select = element("select");
    for (const [key, text] of options) { const o = element("option", text); o.value = key; o.selected = key === value; select.append(o); }
    select.addEventListener("change", () => act(select.value));
    label.append(select);
    return { label, select };
  }

  // Angles a, b, c of R = R_i(a) R_j(b) R_k(c) for the axes of a convention such as "zxz", in degrees.
  function angles(q, convention) {
    const [w, x, y, z] = q;
    const r = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
    const [i, j, third] = [...convention].map((c) => "xyz".indexOf(c)), k = third === i ? 3 - i - j : third;
    const sign = (j - i + 3) % 3 === 1 ? 1 : -1, clamp = (v) => Math.min(1, Math.max(-1, v));
    const a = third === i
      ? [Math.atan2(r[j][i], -sign * r[k][i]), Math.acos(clamp(r[i][i])), Math.atan2(r[i][j], sign * r[i][k])]
      : [Math.atan2(-sign * r[j][k], r[k][k]), Math.asin(clamp(sign * r[i][k])), Math.atan2(-sign * r[i][j], r[i][i])];
    return a.map((v) => (v * 180) / Math.PI);
  }
  page.angles = angles;

  const CONVENTIONS = [
    ["zxz", "z–x–z (precession, nutation, spin)"], ["zyz", "z–y–z"], ["zyx", "z–y–x (yaw, pitch, roll)"],
    ["xyz", "x–y–z"], ["xzy", "x–z–y"], ["yxz", "y–x–z"], ["yzx", "y–z–x"], ["zxy", "z–x–y"], ["xyx", "x–y–x"], ["xzx", "x–z–x"], ["yxy", "y–x–y"], ["yzy", "y–z–y"],
  ];
  page.attitudePlot = function (attitude, parent) {
    const times = numbers(attitude.times), q = numbers(attitude.quaternions);
    const figure = { title: `Euler angles${attitude.name ? " of " + attitude.name : ""}`, x_label: "time", y_label: "degrees", x_scale: "linear", y_scale: "linear", series: [], note: "Angles of R = R₁(a) R₂(b) R₃(c) about the axes of the convention; the first and third are continued over full turns." };
    function compute(convention) {
      const list = [new Float64Array(times.length), new Float64Array(times.length), new Float64Array(times.length)];
      for (let n = 0; n < times.length; n++) {
        angles(q.subarray(4 * n, 4 * n + 4), convention).forEach((v, k) => {
          if (n > 0 && k !== 1) v += 360 * Math.round((list[k][n - 1] - v) / 360);
          list[k][n] = v;
        });
      }
      return list.map((y, k) => ({ name: ["first", "second", "third"][k] + ` (${convention[k]})`, x: times, y, style: "line" }));
    }
    figure.series = compute(attitude.convention);
    const bar = element("div", undefined, "choices"), pick = choice("convention", CONVENTIONS, attitude.convention, (c) => {
      compute(c).forEach((s, k) => Object.assign(plot.chart.series[k], { name: s.name, y: s.y }));
      plot.chart.zoom = null;
      plot.chart.draw();
    });
    bar.append(pick.label);
    const plot = page.plotCard(figure, parent, bar);
    return plot;
  };

  // Any column against any other one of the same rows.
  page.explorer = function (groups, parent) {
    const all = groups.flatMap((g, i) => g.columns.map((c, j) => [`${i}.${j}`, groups.length > 1 ? `${c.name} — ${g.title}` : c.name]));
    if (!all.length) return null;
    const find = (key) => { const [i, j] = key.split(".").map(Number); return { group: groups[i], column: groups[i].columns[j] }; };
    const bar = element("div", undefined, "choices");
    // Rows without a time are single things, drawn as points.
    const timed = (key) => find(key).group.times && numbers(find(key).group.times).length > 0;
    let plot = null, y = all[Math.min(all.length - 1, timed(all[0][0]) ? 0 : groups[0].columns.length - 1)][0], x = timed(y) ? "time" : all[0][0];
    const holder = element("div");
    const same = () => [...(timed(y) ? [["time", "time"]] : []), ...all.filter(([key]) => key.split(".")[0] === y.split(".")[0])];
    const ys = choice("draw", all, y, (v) => {
      y = v;
      if (x !== "time" && x.split(".")[0] !== y.split(".")[0]) x = timed(y) ? "time" : y;
      xs.select.textContent = "";
      for (const [key, text] of same()) { const o = element("option", text); o.value = key; o.selected = key === x; xs.select.append(o); }
      draw();
    });
    const xs = choice("against", same(), x, (v) => { x = v; draw(); });
    bar.append(ys.label, xs.label);
    const card = element("div", undefined, "explorer");
    card.append(holder);
    parent.append(card);
    function draw() {
      const a = find(y), times = numbers(a.group.times), values = numbers(a.column.values);
      const over = x === "time", b = over ? null : find(x);
      if (plot) { page.charts.splice(page.charts.indexOf(plot.chart), 1); plot.card.remove(); }
      plot = page.plotCard({
        title: "Any column against any other", x_label: over ? "time" : b.column.name, y_label: a.column.name, x_scale: "linear", y_scale: "linear",
        times: over || !timed(y) ? [] : times, series: [{ name: a.column.name, x: over ? times : numbers(b.column.values), y: values, style: timed(y) ? "line" : "points" }],
      }, holder, bar);
      plot.chart.draw();
    }
    draw();
    return { pick: (vy, vx) => { ys.select.value = vy; ys.select.dispatchEvent(new Event("change")); xs.select.value = vx; xs.select.dispatchEvent(new Event("change")); } };
  };
})(window.lieflow);
