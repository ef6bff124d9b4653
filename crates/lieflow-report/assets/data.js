// The data of the page, and what its parts share: numbers, colours, the time that all of them show.
"use strict";
window.lieflow = (function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const decoded = new Map();

  // "s" or "d" (single, double precision) and bytes in base 64.
  function unpacked(text) {
    const bytes = Uint8Array.from(atob(text.slice(1)), (c) => c.charCodeAt(0));
    return text[0] === "d" ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
  }
  // A list is an array; or {pool: k}, by its number among the packed lists; or one of these by itself, marked.
  function numbers(list) {
    if (!list) return [];
    if (typeof list === "string") return unpacked(list.slice(1));
    if (list.pool === undefined) return list;
    if (!decoded.has(list.pool)) decoded.set(list.pool, unpacked(data.pool[list.pool]));
    return decoded.get(list.pool);
  }

  function element(tag, text, className) {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  }
  const SVG = "http://www.w3.org/2000/svg";
  function drawn(tag, attributes, text) {
    const e = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    if (text !== undefined) e.textContent = text;
    return e;
  }

  const root = document.documentElement;
  const LIGHT = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7A5195", "#8c6d31"];
  const DARK = ["#56B4E9", "#F28E4B", "#2BC79B", "#E29AC4", "#8FD0F5", "#F2C14E", "#B58CD9", "#c7a75b"];
  const palette = () => (root.dataset.theme === "dark" ? DARK : LIGHT);
  // Asked for thousands of times in a picture; it changes with the theme only.
  const colours = new Map();
  function colour(name) {
    const key = root.dataset.theme + name;
    if (!colours.has(key)) colours.set(key, getComputedStyle(root).getPropertyValue(name).trim());
    return colours.get(key);
  }

  // A number for a reader, with no more digits than are known.
  function short(v, digits = 6) {
    if (v === null || v === undefined || Number.isNaN(v)) return "–";
    if (!Number.isFinite(v)) return v > 0 ? "∞" : "−∞";
    const a = Math.abs(v);
    return (v === 0 ? "0" : a < 1e-3 || a >= 1e6 ? v.toExponential(digits - 3) : String(+v.toPrecision(digits))).replace("-", "−");
  }

  // Saves a text or a blob under a name.
  function save(name, content, type) {
    const link = element("a");
    link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 5000);
  }
  const fileName = (title) => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "figure";

  // The time that the film shows and all curves mark. Whoever sets it is not told again.
  const listeners = [];
  const clock = {
    t: null,
    set(t, by) {
      clock.t = t;
      for (const l of listeners) if (l !== by) l(t);
    },
    hear(l) { listeners.push(l); },
  };

  // Redrawn when the theme or the width changes.
  const redraw = [], redrawAll = () => { for (const f of redraw) f(); };

  // Theme: what the reader's system says, until the button says otherwise.
  function openTheme(button) {
    const hash = new URLSearchParams(location.hash.slice(1)).get("theme");
    root.dataset.theme = hash || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    button.addEventListener("click", () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; redrawAll(); });
    // Paper is light.
    let onScreen = null;
    addEventListener("beforeprint", () => { onScreen = root.dataset.theme; root.dataset.theme = "light"; redrawAll(); });
    addEventListener("afterprint", () => { if (onScreen) { root.dataset.theme = onScreen; onScreen = null; redrawAll(); } });
    let width = innerWidth, waiting = 0;
    addEventListener("resize", () => { if (innerWidth === width) return; width = innerWidth; clearTimeout(waiting); waiting = setTimeout(redrawAll, 60); });
  }
  // Copies a text; where that is not allowed it is selected.
  function copies(button, source) {
    button.addEventListener("click", async () => {
      let done = false;
      if (navigator.clipboard) done = await navigator.clipboard.writeText(source.textContent).then(() => true, () => false);
      if (!done) {
        const range = document.createRange(), selection = getSelection();
        range.selectNodeContents(source);
        selection.removeAllRanges();
        selection.addRange(range);
      }
      button.textContent = done ? "copied" : "selected";
    });
  }
  return { data, numbers, element, drawn, palette, colour, short, save, fileName, clock, redraw, openTheme, copies, charts: [], film: null };
})();
