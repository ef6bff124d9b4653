// What moves, on a canvas: frames at their times, turned on the group between them.
// Orthographic projection, painter's order by depth; drag turns, the wheel zooms.
"use strict";
(function (page) {
  const { numbers, element, colour } = page;
  const LISTS = ["quaternions", "positions", "anchors", "directions", "places", "tips", "points"];
  const PALETTE = ["#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5195", "#8c6d31"];

  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const norm = (a) => Math.hypot(a[0], a[1], a[2]);
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const scaled = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
  const unit = (a) => scaled(a, 1 / (norm(a) || 1));
  const across = (a) => unit(cross(Math.abs(a[0]) < 0.9 * norm(a) ? [1, 0, 0] : [0, 1, 0], a));
  // Turned, and scaled by |q|²: that is one for rotations.
  function turn(q, v) {
    const u = [q[1], q[2], q[3]], t = scaled(cross(u, v), 2), c = cross(u, t), n = q[0] * q[0] + dot(u, u);
    return [n * v[0] + q[0] * t[0] + c[0], n * v[1] + q[0] * t[1] + c[1], n * v[2] + q[0] * t[2] + c[2]];
  }
  // On the shortest arc between two vectors of any dimension and nearly the same length.
  function arc(a, b, f) {
    let c = 0, na = 0, nb = 0;
    for (let i = 0; i < a.length; i++) { c += a[i] * b[i]; na += a[i] * a[i]; nb += b[i] * b[i]; }
    const angle = Math.acos(Math.min(1, Math.max(-1, c / (Math.sqrt(na * nb) || 1)))), s = Math.sin(angle);
    if (s < 1e-6) return a.map((x, i) => x + f * (b[i] - x));
    const p = Math.sin((1 - f) * angle) / s, q = Math.sin(f * angle) / s;
    return a.map((x, i) => p * x + q * b[i]);
  }
  function slerp(a, b, f) {
    const c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    return arc(a, c < 0 ? b.map((x) => -x) : b, f);
  }
  const shade = (hex, k) => `rgb(${[1, 3, 5].map((i) => Math.round(Math.min(255, parseInt(hex.slice(i, i + 2), 16) * k))).join(",")})`;
  const nice = page.nice = (x) => { const p = 10 ** Math.floor(Math.log10(x)); return p * [5, 2, 1].find((m) => m * p <= x * 1.0001); };

  // A camera may be shared by several stages: whoever turns it draws all of them.
  page.camera = (view) => ({ yaw: view[0], pitch: view[1], zoom: 1, home: view, listeners: [] });

  // Draws a scene at any time. Frames may be added while it is drawn (`append`).
  page.openStage = function (canvas, scene, camera = page.camera(scene.view)) {
    const times = scene.times ? numbers(scene.times) : [], context = canvas.getContext("2d");
    let objects, bodies, up, side, front, light, paths = true;
    // Grows in place or stays; `direction` of a film that runs back is below zero.
    const last = () => times.length - 1;
    const direction = Math.sign(times[last()] - times[0]) || 1;

    // The frame before a time, and how far it is to the next one.
    function place(time) {
      let lo = 0, hi = last();
      while (hi - lo > 1) { const m = (lo + hi) >> 1; if ((times[m] - time) * direction <= 0) lo = m; else hi = m; }
      if (times.length < 2) return [0, 0];
      return [lo, Math.min(1, Math.max(0, (time - times[lo]) / (times[hi] - times[lo])))];
    }
    const pick = (list, i, n, k = 0, width = n) => Array.from(list.subarray ? list.subarray(i * width + k, i * width + k + n) : list.slice(i * width + k, i * width + k + n));
    // Between frames that have just been computed, which may be far apart: a curve through four of them, of the length of
    // those beside it. What is not there yet, or any more, follows from the other three.
    function curved(list, i, f, n, signed) {
      const b = pick(list, i, n), inner = (q) => q.reduce((sum, x, k) => sum + x * b[k], 0), size = (q) => Math.hypot(...q);
      const at = (j) => { if (j < 0 || j > last()) return null; const q = pick(list, j, n); return signed && inner(q) < 0 ? q.map((x) => -x) : q; };
      const c = at(i + 1), beyond = (x, y, z) => x.map((v, k) => v - 3 * y[k] + 3 * z[k]);
      let a = at(i - 1), d = at(i + 2);
      if ((!a && !d) || inner(c) < 0.6 * size(b) * size(c)) return arc(b, c, f);
      a ??= beyond(d, c, b);
      d ??= beyond(a, b, c);
      const q = b.map((x, k) => x + 0.5 * f * (c[k] - a[k] + f * (2 * a[k] - 5 * x + 4 * c[k] - d[k] + f * (3 * (x - c[k]) + d[k] - a[k]))));
      const scale = (size(b) + f * (size(c) - size(b))) / (size(q) || 1);
      return q.map((x) => x * scale);
    }
    function quaternion(o, [i, f]) {
      if (f === 0 || f === 1) return pick(o.quaternions, i + f, 4);
      return scene.live ? curved(o.quaternions, i, f, 4, true) : slerp(pick(o.quaternions, i, 4), pick(o.quaternions, i + 1, 4), f);
    }
    const directed = (list, [i, f], k, width) => (f === 0 ? pick(list, i, 3, k, width) : arc(pick(list, i, 3, k, width), pick(list, Math.min(last(), i + 1), 3, k, width), f));
    // A curve through four points, so that paths are smooth at the frames.
    function smooth(list, [i, f]) {
      if (!list.length) return [0, 0, 0];
      const at = (j) => pick(list, Math.min(last(), Math.max(0, j)), 3), [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
      return b.map((x, k) => x + 0.5 * f * (c[k] - a[k] + f * (2 * a[k] - 5 * x + 4 * c[k] - d[k] + f * (3 * (x - c[k]) + d[k] - a[k]))));
    }
    const trailAt = (o, at) => (o.kind === "tip" ? tipAt(o, at) : o.on_sphere ? onSphere(o, at) : smooth(o.positions, at));
    const onSphere = (o, at) => (scene.live && at[1] > 0 && at[1] < 1 ? curved(o.positions, at[0], at[1], 3, false) : directed(o.positions, at, 0, 3));
    function tipAt(o, at) {
      const b = bodies[o.body];
      return add(smooth(b.positions, at), turn(quaternion(b, at), o.point));
    }
    const drawsPath = (o) => o.kind === "trail" || o.kind === "tip";
    // The path over one interval, with so many points that it looks like a curve. While frames come in, that depends
    // on how far apart they are.
    function extend(o, i) {
      let n = o.between;
      if (scene.live) {
        const a = trailAt(o, [i, 0]), b = trailAt(o, [i, 1]);
        n = Math.max(1, Math.min(12, Math.ceil((25 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])) / extent)));
      }
      o.starts.push(o.path.length);
      for (let j = 0; j < n; j++) o.path.push(trailAt(o, [i, j / n]));
    }
    // Where in its path an object is.
    function along(o, [i, f]) {
      const from = o.starts[i] ?? 0, to = o.starts[i + 1] ?? o.path.length - 1;
      return Math.floor(from + f * (to - from));
    }

    // What is seen. Lists that move and that the new scene leaves empty go on.
    function setScene(next) {
      const before = objects;
      scene = next;
      objects = scene.objects.map((o, k) => {
        const copy = { ...o }, old = before && before[k] && before[k].kind === o.kind ? before[k] : null;
        for (const name of LISTS) if (o[name] !== undefined) copy[name] = numbers(o[name]);
        for (const [index, name] of scene.moving || []) if (index === k) copy[name] = old ? old[name] : [];
        if (old && old.path) Object.assign(copy, { path: old.path, starts: old.starts, between: old.between });
        return copy;
      });
      bodies = objects.filter((o) => o.kind === "body");
      up = unit(scene.up);
      const first = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
      side = unit(add(first, scaled(up, -dot(first, up))));
      front = cross(up, side);
      light = unit(add(up, scaled(side, 0.5)));
      setBounds(scene.bounds);
      const n = times.length;
      for (const o of objects) if (drawsPath(o) && !o.path) {
        o.between = Math.max(1, Math.min(8, Math.ceil((scene.turn || 1) / 3), Math.floor(40000 / Math.max(1, n))));
        o.path = [];
        o.starts = [];
        for (let i = 0; i < n - 1; i++) extend(o, i);
        if (n) o.path.push(trailAt(o, [Math.max(0, n - 2), n > 1 ? 1 : 0]));
      }
    }

    // The camera: the whole motion is in view, from wherever it is looked at.
    let centre, extent, corners, size = { w: 1, h: 1, unit: 1 }, key = "", middle, following = false;
    function setBounds([low, high], radius = scene.radius) {
      scene.radius = radius;
      centre = scaled(add(low, high), 0.5);
      extent = Math.max(...high.map((x, i) => x - low[i])) || 1;
      corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]]);
      middle = centre;
      key = "";
    }
    function seen(p) {
      const v = [p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]], x = dot(v, side), y = dot(v, front), z = dot(v, up);
      const cy = Math.cos(camera.yaw), sy = Math.sin(camera.yaw), cp = Math.cos(camera.pitch), sp = Math.sin(camera.pitch), a = cy * x + sy * y, b = -sy * x + cy * y;
      return [a, cp * z + sp * b, cp * b - sp * z];
    }
    const project = (p) => { const s = seen(p); return [size.w / 2 + size.unit * s[0], size.h / 2 - 4 - size.unit * s[1], s[2]]; };

    const pieces = [];
    const piece = (depth, draw) => pieces.push({ depth, draw });
    const mean = (q) => q.reduce((s, p) => s + p[2], 0) / q.length;
    const trace = (q) => { context.beginPath(); q.forEach((p, i) => (i ? context.lineTo(p[0], p[1]) : context.moveTo(p[0], p[1]))); };
    function line(points, stroke, width, alpha = 1, dash = []) {
      const q = points.map(project);
      piece(mean(q), () => { context.globalAlpha = alpha; context.strokeStyle = stroke; context.lineWidth = width; context.setLineDash(dash); trace(q); context.stroke(); });
    }
    function ball(point, radius, fill) {
      const p = project(point), edge = colour("--card");
      piece(p[2] - 1e-3 * extent, () => { context.globalAlpha = 1; context.fillStyle = fill; context.strokeStyle = edge; context.lineWidth = 1; context.setLineDash([]); context.beginPath(); context.arc(p[0], p[1], radius, 0, 2 * Math.PI); context.fill(); context.stroke(); });
    }
    function polygon(points, fill, edge, alpha = 0.94) {
      const q = points.map(project);
      piece(mean(q), () => { context.globalAlpha = alpha; context.fillStyle = fill; context.setLineDash([]); trace(q); context.closePath(); context.fill(); if (edge) { context.strokeStyle = edge; context.lineWidth = 1; context.stroke(); } });
    }
    function arrow(from, to, stroke, width) {
      line([from, to], stroke, width);
      const p = project(from), q = project(to), a = Math.atan2(q[1] - p[1], q[0] - p[0]), n = Math.min(4 + 1.6 * width, 0.6 * Math.hypot(q[0] - p[0], q[1] - p[1]) + 1);
      piece(q[2] - 2e-3 * extent, () => {
        context.globalAlpha = 1; context.fillStyle = stroke; context.beginPath();
        context.moveTo(q[0] + n * Math.cos(a) * 0.6, q[1] + n * Math.sin(a) * 0.6);
        context.lineTo(q[0] - n * Math.cos(a - 0.5), q[1] - n * Math.sin(a - 0.5));
        context.lineTo(q[0] - n * Math.cos(a + 0.5), q[1] - n * Math.sin(a + 0.5));
        context.closePath(); context.fill();
      });
    }
    const lit = (base, normal) => shade(base, 0.72 + 0.34 * Math.max(0, dot(normal, light)));

    const painters = {
      sphere(o) {
        const grid = colour("--soft"), n = 48, ring = (point) => {
          const all = [];
          for (let i = 0; i <= n; i++) all.push(point((2 * Math.PI * i) / n));
          for (let i = 0; i < n; i += 4) line(all.slice(i, i + 5), grid, 0.8, seen(all[i + 2])[2] > seen([0, 0, 0])[2] ? 0.16 : 0.5);
        };
        const on = (a, b) => add(scaled(add(scaled(side, Math.cos(a)), scaled(front, Math.sin(a))), o.radius * Math.sin(b)), scaled(up, o.radius * Math.cos(b)));
        for (let k = 0; k < 8; k++) ring((x) => on((k * Math.PI) / 8, x));
        for (let k = 1; k < 6; k++) ring((x) => on(x, (k * Math.PI) / 6));
      },
      body(o, at) {
        const q = quaternion(o, at), where = smooth(o.positions, at), base = PALETTE[(bodies.indexOf(o) + 1) % PALETTE.length];
        ({ box: paintBox, top: paintTop, craft: paintCraft })[o.shape](o, q, where, base);
      },
      chain(o, at) {
        const width = 3 * o.lengths.length, thin = o.lengths.length > 60;
        let p = o.anchors.length ? smooth(o.anchors, at) : [0, 0, 0];
        if (!o.anchors.length) ball(p, 4, colour("--soft"));
        o.lengths.forEach((l, k) => {
          const next = add(p, scaled(directed(o.directions, at, 3 * k, width), l));
          line([p, next], colour("--ink"), thin ? 1.2 : 2.2);
          p = next;
          if (o.masses && !thin) ball(p, o.lengths.length > 12 ? 3.5 : 7, PALETTE[(k + 1) % PALETTE.length]);
        });
        if (o.masses && thin) ball(p, 5, PALETTE[1]);
      },
      arrows(o, at) {
        const n = o.places.length / 3;
        for (let k = 0; k < n; k++) {
          const p = pick(o.places, k, 3), d = directed(o.directions, at, 3 * k, 3 * n);
          // Colour by direction about the vertical, so that order is seen.
          const hue = n > 8 ? `hsl(${Math.round((Math.atan2(dot(d, front), dot(d, side)) * 180) / Math.PI)} 62% ${Math.round(48 + 16 * dot(d, up))}%)` : PALETTE[k % PALETTE.length];
          arrow(add(p, scaled(d, -o.length / 2)), add(p, scaled(d, o.length / 2)), hue, n > 100 ? 1.2 : 2.4);
        }
      },
      vector(o, at, index) {
        arrow([0, 0, 0], smooth(o.tips, at), PALETTE[index % PALETTE.length], 2);
      },
      trail(o, at, index) {
        const c = o.target ? colour("--soft") : PALETTE[index % PALETTE.length], now = trailAt(o, at);
        const end = along(o, at), tail = scene.live && !paths ? end : Math.max(0, end - (scene.tail || 260));
        for (let i = tail; i < end; i += 3) line(o.path.slice(i, Math.min(i + 4, end + 1)), c, o.target ? 1.2 : 1.9, 0.15 + 0.8 * ((i - tail) / Math.max(1, end - tail)), o.target ? [4, 4] : []);
        if (end < o.path.length) line([o.path[end], now], c, 1.9, 0.95);
        if (o.stem) arrow([0, 0, 0], now, c, 2);
        if (o.target) { const p = project(now); piece(p[2], () => { context.globalAlpha = 1; context.strokeStyle = c; context.lineWidth = 1.5; context.setLineDash([]); context.beginPath(); context.arc(p[0], p[1], 7, 0, 7); context.moveTo(p[0] - 10, p[1]); context.lineTo(p[0] + 10, p[1]); context.moveTo(p[0], p[1] - 10); context.lineTo(p[0], p[1] + 10); context.stroke(); }); }
        else ball(now, 5.5, c);
      },
      curve(o) {
        const round = objects[0].kind === "sphere";
        let part = [];
        const n = o.points.length / 3, flush = () => { for (let i = 0; i + 1 < part.length; i += 3) line(part.slice(i, i + 4), colour("--soft"), 1, round && seen(part[i])[2] > seen([0, 0, 0])[2] ? 0.14 : 0.6); part = []; };
        for (let k = 0; k < n; k++) { const p = pick(o.points, k, 3); if (Number.isFinite(p[0])) part.push(p); else flush(); }
        flush();
      },
      marker(o) {
        ball(o.place, 7, PALETTE[4]);
        const p = project(o.place);
        piece(-Infinity, () => { context.globalAlpha = 1; context.fillStyle = colour("--soft"); context.font = "12px system-ui"; context.fillText(o.name, p[0] + 10, p[1] - 8); });
      },
    };
    painters.tip = painters.trail;

    function paintBox(o, q, where, base) {
      const h = o.half, body = (v) => turn(q, turn(o.principal, v)), corner = (c) => add(where, body([c[0] * h[0], c[1] * h[1], c[2] * h[2]]));
      for (const axis of [0, 1, 2]) for (const sign of [-1, 1]) {
        const [b, c] = [(axis + 1) % 3, (axis + 2) % 3], face = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => { const p = [0, 0, 0]; p[axis] = sign; p[b] = x; p[c] = y; return corner(p); });
        const normal = [0, 0, 0]; normal[axis] = sign;
        // One end is lighter, so that it is seen which way a body has turned.
        polygon(face, lit(axis === 2 && sign > 0 ? "#e6b96a" : base, body(normal)), colour("--card"));
      }
      ["#D55E00", "#009E73", "#0072B2"].forEach((c, i) => { const v = [0, 0, 0]; v[i] = 1.3 * h[i] + 0.1 * extent; arrow(where, add(where, body(v)), c, 2); });
    }
    function paintTop(o, q, where, base) {
      const a = unit(o.axis), b = across(a), c = cross(a, b), r = o.half[0], height = o.half[2], n = 24;
      const rim = (k, z, radius) => add(where, turn(q, add(scaled(a, z), scaled(add(scaled(b, Math.cos((2 * Math.PI * k) / n)), scaled(c, Math.sin((2 * Math.PI * k) / n))), radius))));
      const axis = turn(q, a);
      for (let k = 0; k < n; k++) {
        // Sectors, so that the spin is seen.
        const tone = Math.floor(k / 4) % 2 ? "#e6b96a" : base, out = unit(add(rim(k + 0.5, 0, 1), scaled(where, -1)));
        polygon([add(where, scaled(axis, 0.05)), rim(k, height, r), rim(k + 1, height, r)], lit(tone, add(out, scaled(axis, -0.6))), null, 0.97);
        polygon([add(where, scaled(axis, height * 1.12)), rim(k, height, r), rim(k + 1, height, r)], lit(tone, axis), null, 0.97);
      }
      line([add(where, scaled(axis, height)), add(where, scaled(axis, 1))], colour("--ink"), 2.5);
      ball(where, 4, colour("--soft"));
    }
    function paintCraft(o, q, where, base) {
      const r = o.half[0], n = 20, arm = (k) => [r * Math.cos((k * Math.PI) / 2 + Math.PI / 4), r * Math.sin((k * Math.PI) / 2 + Math.PI / 4), 0];
      for (let k = 0; k < 4; k++) {
        const tip = arm(k), disc = [];
        line([where, add(where, turn(q, tip))], colour("--ink"), 2.2);
        for (let i = 0; i < n; i++) disc.push(add(where, turn(q, add(tip, [0.5 * r * Math.cos((2 * Math.PI * i) / n), 0.5 * r * Math.sin((2 * Math.PI * i) / n), 0]))));
        polygon(disc, k < 2 ? "#e6b96a" : base, colour("--card"), 0.8);
      }
      arrow(where, add(where, turn(q, [0, 0, -1.1 * r])), base, 1.6);
    }

    function ground() {
      if (!scene.ground) return;
      // A net under the lowest point, with a round distance between its lines.
      const floor = Math.min(...corners.map((p) => dot(p, up))), cell = nice(extent / 4), reach = cell * Math.ceil((0.75 * extent) / cell);
      const origin = [dot(centre, side), dot(centre, front)].map((x) => cell * Math.round(x / cell));
      const at = (x, y) => add(add(scaled(side, origin[0] + x), scaled(front, origin[1] + y)), scaled(up, floor));
      context.setLineDash([]); context.strokeStyle = colour("--soft"); context.lineWidth = 0.7; context.globalAlpha = 0.3;
      for (let x = -reach; x <= reach + 1e-9 * cell; x += cell) for (const pair of [[at(x, -reach), at(x, reach)], [at(-reach, x), at(reach, x)]]) { trace(pair.map(project)); context.stroke(); }
      context.globalAlpha = 1;
    }
    // The axes of space, and a length to compare with, in the corner.
    function frame() {
      const o = [44, size.h - 42], names = ["x", "y", "z"];
      context.setLineDash([]); context.globalAlpha = 1; context.font = "12px system-ui";
      names.forEach((name, i) => {
        const e = [0, 0, 0]; e[i] = 1;
        const a = seen(add(middle, e)), x = o[0] + 26 * a[0], y = o[1] - 26 * a[1];
        context.strokeStyle = context.fillStyle = ["#D55E00", "#009E73", "#0072B2"][i];
        context.lineWidth = 1.8;
        trace([o, [x, y]]); context.stroke();
        context.fillText(name, o[0] + 36 * a[0] - 3, o[1] - 36 * a[1] + 4);
      });
      const cell = nice(Math.min(size.w, size.h) / size.unit / 4), w = cell * size.unit, y = size.h - 14;
      context.strokeStyle = context.fillStyle = colour("--soft"); context.lineWidth = 1.4;
      trace([[size.w - 16 - w, y - 4], [size.w - 16 - w, y], [size.w - 16, y], [size.w - 16, y - 4]]); context.stroke();
      context.textAlign = "right"; context.fillText(String(+cell.toPrecision(2)), size.w - 16, y - 8); context.textAlign = "left";
    }
    // Whole paths, faintly, behind everything; computed anew only when the camera moves.
    let faint = [];
    function wholePaths() {
      const now = [size.w, size.h, size.unit, camera.yaw, camera.pitch, ...middle].join();
      if (now !== key) {
        key = now;
        faint = objects.map((o) => {
          if (!o.path) return null;
          const path = new Path2D(), stride = Math.max(1, Math.floor(o.path.length / 12000));
          for (let i = 0; i < o.path.length; i += stride) { const p = project(o.path[i]); if (i) path.lineTo(p[0], p[1]); else path.moveTo(p[0], p[1]); }
          return path;
        });
      }
      context.lineWidth = 1;
      faint.forEach((path, i) => {
        if (!path) return;
        context.setLineDash(objects[i].target ? [4, 4] : []);
        context.globalAlpha = objects[i].target ? 0.7 : 0.22;
        context.strokeStyle = objects[i].target ? colour("--soft") : PALETTE[i % PALETTE.length];
        context.stroke(path);
      });
    }

    // At the time `t`.
    function draw(t) {
      const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
      if (!w || !objects || !times.length) return;
      if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
      size = { w, h, unit: 1 };
      const at = place(t), led = following && objects.find((o) => o.path);
      middle = led ? trailAt(led, at) : centre;
      const all = corners.map(seen), half = (k) => Math.max(1e-12, ...all.map((p) => Math.abs(p[k])));
      const ball = 1.04 * (scene.radius || Infinity), near = following && scene.near;
      size.unit = camera.zoom * Math.min((w / 2 - 22) / (near || Math.min(half(0), ball)), (h / 2 - 26) / (near || Math.min(half(1), ball)));
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.globalAlpha = 1;
      context.clearRect(0, 0, w, h);
      ground();
      if (paths && !scene.live) wholePaths();
      pieces.length = 0;
      objects.forEach((o, i) => painters[o.kind](o, at, i));
      pieces.sort((a, b) => b.depth - a.depth);
      for (const p of pieces) p.draw();
      frame();
    }

    // Turning, zooming, and back to where one began.
    const moved = () => { for (const l of camera.listeners) l(); };
    let held = null;
    canvas.addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointermove", (e) => {
      if (!held) return;
      camera.yaw += (e.clientX - held[0]) * 0.008;
      camera.pitch = Math.min(1.57, Math.max(-1.57, camera.pitch + (e.clientY - held[1]) * 0.008));
      held = [e.clientX, e.clientY];
      moved();
    });
    canvas.addEventListener("pointerup", () => { held = null; });
    canvas.addEventListener("pointercancel", () => { held = null; });
    canvas.addEventListener("wheel", (e) => { e.preventDefault(); camera.zoom = Math.min(12, Math.max(0.3, camera.zoom * Math.exp(-e.deltaY * 0.0012))); moved(); }, { passive: false });
    canvas.addEventListener("dblclick", () => { camera.zoom = 1; [camera.yaw, camera.pitch] = camera.home; moved(); });

    // What is what, in the colours of the picture.
    function nameInto(parent) {
      parent.textContent = "";
      objects.forEach((o, i) => {
        if (!o.name || !["trail", "tip", "vector"].includes(o.kind) || parent.children.length > 7) return;
        const item = element("span", o.name), mark = element("i");
        mark.style.background = o.target ? "transparent" : PALETTE[i % PALETTE.length];
        if (o.target) mark.classList.add("target");
        item.prepend(mark);
        parent.append(item);
      });
    }

    // One more frame: its time and the numbers of what moves, in the order of `scene.moving`.
    function append(t, row, from = 0) {
      let k = from;
      for (const [index, name, width] of scene.moving) for (let j = 0; j < width; j++) objects[index][name].push(row[k++]);
      times.push(t);
      const n = times.length;
      for (const o of objects) if (drawsPath(o)) {
        // The interval before the last one is drawn again, now that it is known where it leads.
        o.path.length = o.starts[Math.max(0, n - 3)] ?? 0;
        o.starts.length = Math.min(o.starts.length, Math.max(0, n - 3));
        for (let i = Math.max(0, n - 3); i < n - 1; i++) extend(o, i);
        o.path.push(trailAt(o, [Math.max(0, n - 2), n > 1 ? 1 : 0]));
      }
    }
    // Forgets the first frames.
    function forget(count) {
      times.splice(0, count);
      for (const [index, name, width] of scene.moving) objects[index][name].splice(0, count * width);
      for (const o of objects) if (o.path) {
        const gone = o.starts[count] ?? 0;
        o.path.splice(0, gone);
        o.starts = o.starts.slice(count).map((k) => k - gone);
      }
    }
    function clear() {
      times.length = 0;
      for (const [index, name] of scene.moving) objects[index][name] = [];
      for (const o of objects) if (o.path) Object.assign(o, { path: [], starts: [] });
    }

    setScene(scene);
    return {
      draw, times, place, setScene, setBounds, append, forget, clear, nameInto, camera,
      redraw() { key = ""; },
      get scene() { return scene; },
      get paths() { return paths; }, set paths(on) { paths = on; },
      get following() { return following; }, set following(on) { following = on; },
      // The attitude of a body at a time, as a quaternion.
      attitude: (k, t) => quaternion(bodies[k], place(t)),
      // The end of each rod of a chain, likewise.
      joints(k, t) {
        const o = objects.filter((x) => x.kind === "chain")[k], at = place(t), out = [];
        let p = o.anchors.length ? smooth(o.anchors, at) : [0, 0, 0];
        o.lengths.forEach((l, j) => out.push((p = add(p, scaled(directed(o.directions, at, 3 * j, 3 * o.lengths.length), l)))));
        return out;
      },
    };
  };
})(window.lieflow);
