// The live viewer: what comes through the socket goes to pictures, curves and the panel.
"use strict";
(function (page) {
  const { element, short } = page, byId = (id) => document.getElementById(id), root = document.documentElement;
  const STROBE = 20; // degrees from one picture to the next that an eye can follow

  page.openTheme(byId("theme"));
  const socket = new WebSocket(`ws://${location.host}${location.pathname}live`);
  socket.binaryType = "arraybuffer";
  const ask = (message) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); };
  const lanes = page.openLanes(byId("lanes"), ask, () => { stale = true; }), curves = page.openCurves(byId("curves")), panel = page.openPanel(byId("panel"), byId("looks"), ask, lanes);

  page.redraw.push(() => curves.draw(performance.now(), true));

  // Messages, above everything until they are clicked away or something better has happened.
  let hide = 0;
  function say(text, note) {
    const m = byId("message");
    m.textContent = text;
    m.hidden = !text;
    m.classList.toggle("note", Boolean(note));
    clearTimeout(hide);
    if (text && note) hide = setTimeout(() => { m.hidden = true; }, 6000);
  }
  byId("message").addEventListener("click", () => say(""));

  // The clock: shown time moves from one tick of the server to the next.
  const clock = { before: 0, now: 0, at: 0, gap: 16, playing: true, factor: 0, speed: 1 };
  let drawn = 0, fps = 0, counted = 0, since = performance.now(), stale = true;
  function shown(now) {
    const share = Math.max(0, Math.min(1, (now - clock.at) / clock.gap));
    return clock.before + (clock.now - clock.before) * share;
  }
  function setClock(t, factor, playing, speed) {
    const now = performance.now(), jump = Math.abs(t - clock.now) > 2 * clock.speed * 0.2 + 1e-9 && !playing;
    clock.before = jump || !playing ? t : shown(now);
    clock.gap = Math.min(60, Math.max(12, now - clock.at));
    clock.now = t;
    clock.at = now;
    clock.factor = factor;
    if (playing !== clock.playing) byId("run").textContent = playing ? "❚❚" : "▶";
    clock.playing = playing;
    clock.speed = speed;
    stale = true;
  }
  const pace = (f) => (Math.abs(f - 1) < 1e-9 ? "real time" : f >= 1 ? `${short(f, 3)} × real time` : `${short(f, 3)} × real time`);

  let rate = 0;
  function frame(now) {
    const t = shown(now);
    if (stale || now - clock.at < 2 * clock.gap) {
      lanes.draw(t);
      stale = now - clock.at < clock.gap;
      counted += 1;
      byId("clock").textContent = `t = ${t.toFixed(clock.speed >= 10 ? 1 : clock.speed >= 0.1 ? 2 : 4)}`;
    }
    curves.draw(now);
    if (now - since > 500) {
      fps = (1000 * counted) / (now - since);
      counted = 0;
      since = now;
      const turned = (((rate * 180) / Math.PI) * clock.speed) / 60;
      const behind = clock.playing && clock.factor < 0.85 * clock.speed ? `the method keeps up with ${short(clock.factor, 2)} × only` : "";
      const strobe = clock.playing && turned > STROBE ? "stroboscopic: lower the speed to follow the turns" : "";
      byId("rates").textContent = clock.playing ? [behind || strobe, `${Math.round(fps)} pictures a second`].filter(Boolean).join(" · ") : "paused";
    }
    drawn += 1;
    requestAnimationFrame(frame);
  }

  const heard = {
    hello(m) {
      byId("title").textContent = m.title || m.name;
      byId("subtitle").textContent = [m.title ? m.name : "", m.system].filter(Boolean).join(" · ");
      document.title = `${m.title || m.name} · lieflow play`;
      lanes.setMethods(m.methods);
      panel.setMethods(m.methods);
    },
    config(m) {
      for (let k = lanes.list.length - 1; k >= m.methods.length; k--) curves.drop(k);
      lanes.setCount(m.methods.length);
      panel.set(m);
      page.config = m;
    },
    lane(m) {
      lanes.begin(m.lane, m);
      curves.begin(m.lane, m.method.id, m.errors, m.base);
      if (m.lane === 0) byId("problem").textContent = m.text;
      if (m.because) say(m.because, true);
    },
    scene(m) {
      lanes.scene(m.lane, m.scene);
      rate = Math.max(rate, m.scene.rate || 0);
      panel.refresh();
      stale = true;
    },
    speed(m) { setSpeed(m.factor, false); },
    error(m) { say(m.text); },
    ended(m) { lanes.fail(m.lane, `stopped: ${m.text}`); },
  };
  function numbers(data) {
    if (data[0] === 1) {
      setClock(data[1], data[2], data[3] === 1, data[4]);
      lanes.list.forEach((l, k) => {
        const at = 5 + 4 * k;
        if (at + 3 < data.length) lanes.tell(k, `${data[at + 1].toLocaleString("en")} steps · h = ${short(data[at + 2], 4)}`);
      });
      return;
    }
    const [, k, run, base, rows, width, errors] = data, from = 14;
    const bounds = [Array.from(data.subarray(7, 10)), Array.from(data.subarray(10, 13))];
    lanes.frames(k, run, data, from, rows, width, errors, bounds, data[13]);
    for (let r = 0, at = from; r < rows; r++, at += 1 + errors + width) curves.add(k, base, data[at], Array.from(data.subarray(at + 1, at + 1 + errors)));
    if (!page.first && rows > 0) {
      page.first = performance.now();
      lanes.draw(data[from]);
      // For tests: the first picture is there.
      root.dataset.ready = "true";
    }
  }
  socket.addEventListener("message", (e) => {
    if (typeof e.data !== "string") { numbers(new Float64Array(e.data)); return; }
    const m = JSON.parse(e.data);
    if (heard[m.type]) heard[m.type](m);
  });
  socket.addEventListener("close", () => { say("The viewer is closed: lieflow play has ended, or there are too many viewers."); root.dataset.closed = "true"; clock.playing = false; byId("run").textContent = "▶"; });

  // The bar.
  const speed = byId("speed");
  function setSpeed(factor, tell = true) {
    clock.speed = factor;
    speed.value = String(Math.log10(factor));
    byId("factor").textContent = pace(factor);
    if (tell) ask({ do: "speed", factor });
  }
  speed.addEventListener("input", () => {
    // Near real time it is real time; round numbers elsewhere.
    const raw = 10 ** Number(speed.value), factor = Math.abs(Number(speed.value)) < 0.06 ? 1 : +raw.toPrecision(2);
    byId("factor").textContent = pace(factor);
    clock.speed = factor;
    ask({ do: "speed", factor });
  });
  const toggle = () => ask({ do: clock.playing ? "pause" : "play" });
  byId("run").addEventListener("click", toggle);
  byId("one").addEventListener("click", () => ask({ do: "step" }));
  byId("restart").addEventListener("click", () => { say(""); ask({ do: "restart" }); });
  addEventListener("keydown", (e) => {
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== "range") return;
    if (e.key === " ") { if (e.target.tagName === "BUTTON") return; toggle(); }
    else if (e.key === "ArrowRight" && e.target.type !== "range") ask({ do: "step" });
    else if (e.key === "r" && !e.ctrlKey && !e.metaKey) ask({ do: "restart" });
    else return;
    e.preventDefault();
  });
  page.copies(byId("copy"), byId("problem"));
  requestAnimationFrame(frame);
  // For tests and the curious.
  page.play = { ask, lanes, curves, panel, clock, shown: () => shown(performance.now()), get fps() { return fps; }, get drawn() { return drawn; } };
})(window.lieflow);
