// The panel: steps, a method beside, and a slider for every number of the problem.
"use strict";
(function (page) {
  const { element, short } = page;
  const GROUPS = { parameters: "parameters", initial: "initial data", definitions: "definitions" };
  const AXES = ["x", "y", "z"];

  page.openPanel = function (parent, looks, ask, lanes) {
    let goOn = false, file = null, config = null, methods = [], held = null, built = "";
    const rows = new Map();
    const number = (text) => { const v = Number(String(text).replace("−", "-")); return text.trim() === "" ? NaN : v; };
    const button = (text, title, act) => { const b = element("button", text); b.title = title; b.addEventListener("click", act); return b; };
    const line = (...items) => { const e = element("div", undefined, "line"); e.append(...items); return e; };
    // A text is set by Enter or by leaving it.
    function field(act, label) {
      const input = element("input");
      input.type = "text";
      input.inputMode = "decimal";
      input.setAttribute("aria-label", label);
      input.addEventListener("change", () => act(input.value));
      return input;
    }

    // Steps.
    const steps = element("div", undefined, "group"), pace = element("select"), step = field((v) => setPace(number(v)), "step or tolerance");
    for (const [key, text] of [["step", "step"], ["tol", "tolerance"]]) { const o = element("option", text); o.value = key; pace.append(o); }
    pace.setAttribute("aria-label", "fixed steps or a tolerance");
    const setPace = (v) => ask(pace.value === "tol" ? { do: "pace", tol: v } : { do: "pace", step: v });
    const by = (factor) => setPace(+(number(step.value) * factor).toPrecision(6));
    pace.addEventListener("change", () => { step.value = pace.value === "tol" ? "1e-8" : short(config.step); setPace(number(step.value)); });
    steps.append(element("h2", "steps"), line(pace, step, button("÷2", "half", () => by(0.5)), button("×2", "twice", () => by(2))));

    // Beside.
    const besides = element("div", undefined, "group"), beside = element("select");
    beside.setAttribute("aria-label", "method beside");
    beside.addEventListener("change", () => ask({ do: "beside", id: beside.value || null }));
    besides.append(element("h2", "beside it"), line(beside));

    // How it looks.
    const trails = button("trails", "paths of points", () => { const on = !trails.classList.contains("on"); trails.classList.toggle("on", on); lanes.setPaths(on); });
    const follow = button("follow", "the camera follows", () => { const on = !follow.classList.contains("on"); follow.classList.toggle("on", on); lanes.setFollowing(on); });
    const png = button("PNG", "save the pictures", () => lanes.list.forEach((l, k) => l.canvas.toBlob((blob) => page.save(`motion-${k + 1}.png`, blob))));
    trails.classList.add("on");
    looks.append(trails, follow, png);

    // Sliders.
    const numbers = element("div", undefined, "group"), mode = element("div", undefined, "switch");
    const modes = [["restart", "a slider begins the motion anew", false], ["nudge", "a slider acts on the motion as it runs", true]].map(([text, title, on]) =>
      button(text, title, () => { goOn = on; modes.forEach((b, i) => b.classList.toggle("on", on === (i === 1))); }));
    modes[0].classList.add("on");
    mode.append(...modes);
    const reset = button("reset", "numbers as in the file", () => ask({ do: "reset" }));
    numbers.append(element("h2", "sliders"), line(mode, reset));
    const list = element("div", undefined, "group");
    list.style.gap = "10px";

    parent.append(steps, besides, numbers, list);

    // At once, then one message for each picture, however fast the hand is.
    let pending = null;
    const set = (key) => ask({ do: "set", key, numbers: rows.get(key).map((r) => r.value), go_on: goOn });
    function send(key) {
      if (pending) { pending.add(key); return; }
      set(key);
      pending = new Set();
      requestAnimationFrame(() => {
        const late = pending;
        pending = null;
        late.forEach(send);
      });
    }
    function row(slider, i) {
      const many = slider.numbers.length > 1, short3 = slider.numbers.length === 3;
      const last = slider.key.split(".").slice(1).join("."), e = element("label", undefined, "slider");
      const index = slider.row < slider.numbers.length ? `${Math.floor(i / slider.row) + 1}${(i % slider.row) + 1}` : short3 ? AXES[i] : String(i + 1);
      const name = element("span", many ? index : last), range = element("input");
      name.title = slider.key + (many ? ` ${index}` : "");
      range.type = "range";
      const r = { value: slider.numbers[i], file: slider.numbers[i], e, range };
      const span = slider.ranges[i];
      Object.assign(range, { min: String(span[0]), max: String(span[1]), step: slider.whole ? "1" : "any", value: String(r.value) });
      range.setAttribute("aria-label", name.title);
      const text = field((v) => { const x = number(v); if (Number.isFinite(x)) { r.value = x; r.show(); send(slider.key); } else ask({ do: "set", key: slider.key, numbers: [], go_on: goOn }); }, name.title);
      r.show = () => {
        if (document.activeElement !== text || !text.matches(":focus")) text.value = short(r.value, 5).replace("−", "-");
        // A number that was typed may be beyond.
        if (r.value < Number(range.min)) range.min = String(r.value);
        if (r.value > Number(range.max)) range.max = String(r.value);
        if (held !== range) range.value = String(r.value);
        e.classList.toggle("moved", r.value !== r.file);
      };
      range.addEventListener("pointerdown", () => { held = range; });
      range.addEventListener("pointerup", () => { held = null; });
      range.addEventListener("input", () => { r.value = slider.whole ? Math.round(Number(range.value)) : +Number(range.value).toPrecision(5); text.value = short(r.value, 5).replace("−", "-"); e.classList.toggle("moved", r.value !== r.file); send(slider.key); });
      range.addEventListener("dblclick", () => { r.value = r.file; r.show(); send(slider.key); });
      e.append(name, range, text);
      r.show();
      return r;
    }
    function build(sliders) {
      list.textContent = "";
      rows.clear();
      let table = "";
      for (const s of sliders) {
        const [first, ...rest] = s.key.split(".");
        if (first !== table) { table = first; list.append(element("h2", GROUPS[first] || first)); }
        const group = element("div", undefined, "group");
        if (s.numbers.length > 1) { const h = element("span", rest.join("."), "hint"); h.style.margin = "0"; group.append(h); }
        const made = s.numbers.map((_, i) => row(s, i));
        group.append(...made.map((r) => r.e));
        rows.set(s.key, made);
        list.append(group);
      }
      if (!sliders.length) list.append(element("p", "The file has no single numbers to be moved.", "hint"));
    }

    return {
      setMethods(all) { methods = all; },
      set(next) {
        config = next;
        const shape = JSON.stringify(next.sliders.map((s) => [s.key, s.numbers.length]));
        if (shape !== built) { built = shape; file = next; build(next.sliders); }
        for (const s of next.sliders) s.numbers.forEach((x, i) => { const r = rows.get(s.key)[i]; if (held !== r.range && !(pending && pending.has(s.key))) { r.value = x; r.show(); } });
        const own = methods.find((m) => m.id === next.methods[0]);
        pace.options[1].disabled = Boolean(own) && !own.adaptive;
        pace.value = next.tol === null ? "step" : "tol";
        if (document.activeElement !== step) step.value = short(next.tol === null ? next.step : next.tol).replace("−", "-");
        beside.textContent = "";
        const none = element("option", "nothing");
        none.value = "";
        beside.append(none);
        const classical = methods.filter((m) => m.family === "classical"), others = methods.filter((m) => m.family !== "classical");
        for (const m of [...classical, ...others.filter((x) => x.first), ...others.filter((x) => !x.first)]) {
          const o = element("option", m.family === "classical" ? `${m.id} (classical, no geometry)` : m.id);
          o.value = m.id;
          o.selected = m.id === next.methods[1];
          beside.append(o);
        }
        follow.hidden = !lanes.canFollow;
      },
      refresh() { follow.hidden = !lanes.canFollow; },
      get file() { return file; },
    };
  };
})(window.lieflow);
