// The film of a run: its stage, the slider through its time, and its pace.
"use strict";
(function (page) {
  const { element, nice } = page;
  const STROBE = 20; // degrees from one picture to the next that an eye can follow

  page.openFilm = function (scene, ui) {
    const { canvas, slider, clock, play, speed } = ui;
    const stage = page.openStage(canvas, scene), { times, place } = stage, frames = times.length, last = frames - 1;
    const total = Math.abs(times[last] - times[0]) || 1, direction = Math.sign(times[last] - times[0]) || 1;
    let t = times[0], playing = false, then = 0;

    // Frames are even but for the last one; else the slider goes through the time itself.
    const step = frames > 2 ? times[1] - times[0] : total;
    let even = true;
    for (let i = 1; i < last; i++) if (Math.abs(times[i] - times[0] - i * step) > 1e-6 * total) even = false;
    slider.max = String(even ? last : 1000);
    const sliderTime = (v) => (even ? times[Math.min(last, v)] : times[0] + (direction * total * v) / 1000);

    function draw() {
      stage.draw(t);
      const at = place(t), i = at[1] > 0.5 ? at[0] + 1 : at[0];
      slider.value = String(even ? i : Math.round((1000 * Math.abs(t - times[0])) / total));
      clock.textContent = "t = " + +t.toPrecision(12);
    }
    stage.camera.listeners.push(draw);

    // Speed in units of time per second: real time where seconds are the unit.
    const bound = scene.rate > 0 ? (STROBE * 60) / ((scene.rate * 180) / Math.PI) : Infinity;
    let preferred = total >= 3 && total <= 40 ? 1 : nice(total / 10);
    if (preferred > bound && total / bound < 90) preferred = nice(bound);
    const factors = new Set([preferred]);
    for (let k = -3; k <= 3; k++) factors.add(+(preferred * 2 ** k).toPrecision(6));
    factors.add(1);
    for (const f of [...factors].sort((a, b) => a - b)) { const o = element("option", `${+f.toPrecision(4)} ×`); o.value = String(f); o.selected = f === preferred; speed.append(o); }
    function sayPace() {
      const f = Number(speed.value), screen = (((scene.rate * 180) / Math.PI) * f) / 60;
      const pace = f === 1 ? "in real time" : f < 1 ? `${page.short(1 / f, 3)} times slower than real time` : `${page.short(f, 3)} times faster than real time`;
      const strobe = scene.turn > STROBE || screen > STROBE ? " Stroboscopic: a body turns too far from one picture to the next to be followed" + (scene.turn > STROBE ? " at any speed; a shorter run shows more." : "; choose a lower speed.") : "";
      ui.pace.textContent = `Plays ${pace} (time in seconds): ${+(total / f).toPrecision(2)} s for the whole run.${strobe}`;
    }
    speed.addEventListener("change", sayPace);
    sayPace();

    function show(time, by) {
      t = time;
      draw();
      page.clock.set(t, by || hear);
    }
    const within = (time) => (direction > 0 ? Math.min(times[last], Math.max(times[0], time)) : Math.max(times[last], Math.min(times[0], time)));
    const hear = (time) => { t = within(time); draw(); };
    page.clock.hear(hear);
    function run(now) {
      if (!playing) return;
      let next = t + direction * ((now - then) / 1000) * Number(speed.value);
      then = now;
      if ((next - times[last]) * direction > 0) next = times[0];
      show(next);
      requestAnimationFrame(run);
    }
    function setPlaying(on) {
      playing = on;
      play.textContent = on ? "❚❚" : "▶";
      then = performance.now();
      if (on) requestAnimationFrame(run);
    }
    play.addEventListener("click", () => setPlaying(!playing));
    const byFrame = (n) => { setPlaying(false); const [i, f] = place(t); show(times[Math.min(last, Math.max(0, n > 0 ? (f >= 1 ? i + 2 : i + 1) : f > 1e-9 ? i : i - 1))]); };
    ui.back.addEventListener("click", () => byFrame(-1));
    ui.forth.addEventListener("click", () => byFrame(1));
    ui.paths.addEventListener("click", () => { stage.paths = !stage.paths; ui.paths.classList.toggle("on", stage.paths); draw(); });
    ui.follow.hidden = !scene.near;
    ui.follow.addEventListener("click", () => { stage.following = !stage.following; ui.follow.classList.toggle("on", stage.following); draw(); });
    ui.png.addEventListener("click", () => canvas.toBlob((blob) => page.save("picture.png", blob)));
    slider.addEventListener("input", () => { setPlaying(false); show(sliderTime(Number(slider.value))); });
    canvas.addEventListener("keydown", (e) => {
      if (e.key === "ArrowRight") byFrame(1);
      else if (e.key === "ArrowLeft") byFrame(-1);
      else if (e.key === " ") setPlaying(!playing);
      else return;
      e.preventDefault();
    });
    page.redraw.push(() => { stage.redraw(); draw(); });
    stage.nameInto(ui.names);
    ui.note.textContent = scene.note;
    draw();
    return {
      draw, times, frames, show, setPlaying,
      get time() { return t; },
      attitude: (k) => stage.attitude(k, t),
      joints: (k) => stage.joints(k, t),
    };
  };
})(window.lieflow);
