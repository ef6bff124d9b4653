// A small 3-D picture on a canvas: boxes that turn, chains that swing, arrows, trails on spheres.
// Orthographic projection, painter's order by depth; drag turns, the wheel zooms.
"use strict";
window.lieflowScene = function (scene, canvas, slider, clock, play, speed, colour) {
  const frames = scene.times.length;
  const context = canvas.getContext("2d");
  let frame = 0, playing = false, zoom = 1, yaw = 0.65, pitch = 0.38, last = 0, elapsed = 0;
  slider.max = String(frames - 1);

  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => { const n = Math.hypot(...a) || 1; return a.map((v) => v / n); };
  const up = unit(scene.up);
  const side = unit(cross(Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], up));
  const front = cross(up, side);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

  function turn(q, v) {
    const u = [q[1], q[2], q[3]], t = cross(u, v).map((x) => 2 * x), c = cross(u, t);
    return [v[0] + q[0] * t[0] + c[0], v[1] + q[0] * t[1] + c[1], v[2] + q[0] * t[2] + c[2]];
  }
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const scaled = (a, k) => [a[0] * k, a[1] * k, a[2] * k];

  let size = { w: 1, h: 1, unit: 1 };
  function project(p) {
    const x = dot(p, side), y = dot(p, front), z = dot(p, up);
    const cy = Math.cos(yaw), sy = Math.sin(yaw), cp = Math.cos(pitch), sp = Math.sin(pitch);
    const a = cy * x + sy * y, b = -sy * x + cy * y;
    return [size.w / 2 + size.unit * a, size.h / 2 - size.unit * (cp * z + sp * b), cp * b - sp * z];
  }

  const PALETTE = ["#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5195", "#8c6d31"];
  const pieces = [];
  const line = (points, stroke, width, alpha, dash) => {
    const q = points.map(project);
    const depth = q.reduce((s, p) => s + p[2], 0) / q.length;
    pieces.push({ depth, draw() {
      context.globalAlpha = alpha === undefined ? 1 : alpha;
      context.strokeStyle = stroke; context.lineWidth = width; context.setLineDash(dash || []);
      context.beginPath();
      q.forEach((p, i) => (i ? context.lineTo(p[0], p[1]) : context.moveTo(p[0], p[1])));
      context.stroke();
    } });
  };
  const ball = (point, radius, fill) => {
    const p = project(point);
    pieces.push({ depth: p[2] - 1e-3, draw() {
      context.globalAlpha = 1; context.fillStyle = fill; context.strokeStyle = colour("--card"); context.lineWidth = 1; context.setLineDash([]);
      context.beginPath(); context.arc(p[0], p[1], radius, 0, 2 * Math.PI); context.fill(); context.stroke();
    } });
  };
  const polygon = (points, fill, edge) => {
    const q = points.map(project);
    const depth = q.reduce((s, p) => s + p[2], 0) / q.length;
    pieces.push({ depth, draw() {
      context.globalAlpha = 0.92; context.fillStyle = fill; context.strokeStyle = edge; context.lineWidth = 1; context.setLineDash([]);
      context.beginPath();
      q.forEach((p, i) => (i ? context.lineTo(p[0], p[1]) : context.moveTo(p[0], p[1])));
      context.closePath(); context.fill(); context.stroke();
    } });
  };
  const shade = (hex, k) => {
    const v = [1, 3, 5].map((i) => Math.round(Math.min(255, Math.max(0, parseInt(hex.slice(i, i + 2), 16) * k))));
    return `rgb(${v[0]},${v[1]},${v[2]})`;
  };
  const arrow = (from, to, stroke, width) => {
    line([from, to], stroke, width);
    const p = project(from), q = project(to), a = Math.atan2(q[1] - p[1], q[0] - p[0]), n = 4 + 1.6 * width;
    pieces.push({ depth: q[2] - 2e-3, draw() {
      context.globalAlpha = 1; context.fillStyle = stroke; context.beginPath();
      context.moveTo(q[0] + n * Math.cos(a) * 0.6, q[1] + n * Math.sin(a) * 0.6);
      context.lineTo(q[0] - n * Math.cos(a - 0.5), q[1] - n * Math.sin(a - 0.5));
      context.lineTo(q[0] - n * Math.cos(a + 0.5), q[1] - n * Math.sin(a + 0.5));
      context.closePath(); context.fill();
    } });
  };

  const painters = {
    sphere(o) {
      const grid = colour("--soft");
      for (let k = 0; k < 12; k++) {
        const a = (k * Math.PI) / 12, meridian = [], n = 48;
        for (let i = 0; i <= n; i++) {
          const b = (2 * Math.PI * i) / n;
          meridian.push(add(scaled(add(scaled(side, Math.cos(a)), scaled(front, Math.sin(a))), o.radius * Math.sin(b)), scaled(up, o.radius * Math.cos(b))));
        }
        for (let i = 0; i < n; i += 4) line(meridian.slice(i, i + 5), grid, 0.6, project(meridian[i + 2])[2] > 0 ? 0.16 : 0.42);
      }
      for (let k = 1; k < 6; k++) {
        const b = (k * Math.PI) / 6, n = 48, circle = [];
        for (let i = 0; i <= n; i++) {
          const a = (2 * Math.PI * i) / n;
          circle.push(add(scaled(add(scaled(side, Math.cos(a)), scaled(front, Math.sin(a))), o.radius * Math.sin(b)), scaled(up, o.radius * Math.cos(b))));
        }
        for (let i = 0; i < n; i += 4) line(circle.slice(i, i + 5), grid, 0.6, project(circle[i + 2])[2] > 0 ? 0.16 : 0.42);
      }
    },
    body(o, index) {
      const q = o.quaternions[frame], at = o.positions.length ? o.positions[frame] : [0, 0, 0], h = o.half;
      const corner = (sx, sy, sz) => add(at, turn(q, [sx * h[0], sy * h[1], sz * h[2]]));
      const faces = [
        [[1, -1, -1], [1, 1, -1], [1, 1, 1], [1, -1, 1], 0], [[-1, -1, -1], [-1, 1, -1], [-1, 1, 1], [-1, -1, 1], 0],
        [[-1, 1, -1], [1, 1, -1], [1, 1, 1], [-1, 1, 1], 1], [[-1, -1, -1], [1, -1, -1], [1, -1, 1], [-1, -1, 1], 1],
        [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1], 2], [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], 2],
      ];
      const base = PALETTE[(index + 1) % PALETTE.length];
      for (const f of faces) {
        const points = f.slice(0, 4).map((c) => corner(c[0], c[1], c[2]));
        const normal = turn(q, [0, 1, 2].map((i) => (i === f[4] ? f[0][f[4]] : 0)));
        const light = 0.78 + 0.3 * Math.max(0, dot(normal, unit(add(up, scaled(side, 0.5)))));
        polygon(points, shade(base, light), colour("--card"));
      }
      ["#D55E00", "#009E73", "#0072B2"].forEach((c, i) => {
        const reach = 1.25 * h[i] + 0.18 * scene.extent, d = turn(q, [0, 1, 2].map((k) => (k === i ? reach : 0)));
        arrow(at, add(at, d), c, 2);
      });
    },
    chain(o) {
      const joints = o.joints[frame], thin = joints.length > 60;
      for (let i = 1; i < joints.length; i++) line([joints[i - 1], joints[i]], colour("--ink"), thin ? 1.2 : 2.4);
      ball(joints[0], 4, colour("--soft"));
      if (!thin) joints.slice(1).forEach((p, i) => ball(p, joints.length > 12 ? 4 : 7, PALETTE[i % PALETTE.length]));
      else ball(joints[joints.length - 1], 5, PALETTE[0]);
    },
    arrows(o) {
      o.places.forEach((p, i) => {
        const d = scaled(o.directions[frame][i], o.length / 2);
        arrow(add(p, scaled(d, -1)), add(p, d), PALETTE[o.places.length > 8 ? 1 : i % PALETTE.length], o.places.length > 100 ? 1 : 2);
      });
    },
    trail(o, index) {
      const c = PALETTE[index % PALETTE.length], tail = Math.max(0, frame - 240);
      for (let i = tail; i < frame; i += 4) {
        const part = o.positions.slice(i, Math.min(i + 5, frame + 1));
        if (part.length > 1) line(part, c, 1.8, 0.25 + 0.65 * ((i - tail) / Math.max(1, frame - tail)));
      }
      ball(o.positions[frame], 5, c);
    },
  };

  function draw() {
    const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    size = { w, h, unit: (zoom * Math.min(w, h) * 0.46) / scene.extent };
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.globalAlpha = 1;
    context.clearRect(0, 0, w, h);
    pieces.length = 0;
    scene.objects.forEach((o, i) => painters[o.kind](o, i));
    pieces.sort((a, b) => b.depth - a.depth);
    for (const p of pieces) p.draw();
    context.globalAlpha = 1;
    slider.value = String(frame);
    clock.textContent = "t = " + (+scene.times[frame].toPrecision(5));
  }
  function run(now) {
    if (!playing) return;
    // A whole run takes ten seconds at speed one.
    elapsed += ((now - last) / 10000) * Number(speed.value) * frames;
    last = now;
    const whole = Math.floor(elapsed);
    if (whole > 0) { frame = (frame + whole) % frames; elapsed -= whole; draw(); }
    requestAnimationFrame(run);
  }
  play.addEventListener("click", () => {
    playing = !playing;
    play.textContent = playing ? "❚❚" : "▶";
    last = performance.now();
    if (playing) requestAnimationFrame(run);
  });
  slider.addEventListener("input", () => { frame = Number(slider.value); draw(); });
  let held = null;
  canvas.addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", (e) => {
    if (!held) return;
    yaw += (e.clientX - held[0]) * 0.008;
    pitch = Math.min(1.57, Math.max(-1.57, pitch + (e.clientY - held[1]) * 0.008));
    held = [e.clientX, e.clientY];
    draw();
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoom = Math.min(8, Math.max(0.3, zoom * Math.exp(-e.deltaY * 0.0012))); draw(); }, { passive: false });
  canvas.addEventListener("dblclick", () => { zoom = 1; yaw = 0.65; pitch = 0.38; draw(); });
  canvas.addEventListener("keydown", (e) => {
    if (e.key === "ArrowRight") frame = Math.min(frames - 1, frame + 1);
    else if (e.key === "ArrowLeft") frame = Math.max(0, frame - 1);
    else if (e.key === " ") play.click();
    else return;
    e.preventDefault();
    draw();
  });
  addEventListener("resize", draw);
  draw();
  return { draw, get frame() { return frame; } };
};
