// Tables: verdicts as chips, sorted by a click on a head, filtered by a word.
"use strict";
(function (page) {
  const { element } = page;
  const LONG = 12; // rows from which a filter helps

  // "−1.2e-5" and "12 %" are numbers; "–" is none.
  function number(text) {
    const n = parseFloat(text.replace("−", "-"));
    return /^[+\-−]?[\d.∞]/.test(text) && !Number.isNaN(n) ? n : null;
  }
  function cell(text) {
    const chip = /^([✓✗○]) (.*)$/.exec(text);
    const td = element("td", chip ? undefined : text, text.length > 40 ? "wrap" : number(text) !== null || text === "–" ? "number" : text.length > 18 && text.includes(" ") && !chip ? "words" : "");
    if (chip) td.append(element("span", `${chip[1]} ${chip[2]}`, "chip " + { "✓": "good", "✗": "bad", "○": "plain" }[chip[1]]));
    return td;
  }
  page.tableCard = function (table, parent) {
    const card = element("div", undefined, "card"), head = element("div", undefined, "plot-head"), tools = element("div", undefined, "tools");
    head.append(element("h2", table.title), tools);
    card.append(head);
    const scroll = element("div", undefined, "scroll"), t = element("table"), heads = element("tr"), body = element("tbody"), thead = element("thead");
    const rows = table.rows.map(([cells, verdict]) => {
      const tr = element("tr", undefined, verdict);
      tr.append(...cells.map(cell));
      return { cells, tr };
    });
    let sorted = null;
    table.columns.forEach((name, k) => {
      const th = element("th", name, rows.some((r) => number(r.cells[k] || "") !== null) ? "number" : "");
      th.title = "sort";
      th.addEventListener("click", () => {
        const down = sorted === k ? -1 : 1;
        sorted = down === 1 ? k : null;
        rows.sort((a, b) => {
          const [x, y] = [a.cells[k] || "", b.cells[k] || ""], [n, m] = [number(x), number(y)];
          return down * (n !== null && m !== null ? n - m : n !== null ? -1 : m !== null ? 1 : x.localeCompare(y));
        });
        heads.querySelectorAll("th").forEach((h, j) => (h.dataset.sorted = j === k ? (down === 1 ? "↑" : "↓") : ""));
        body.append(...rows.map((r) => r.tr));
      });
      heads.append(th);
    });
    thead.append(heads);
    body.append(...rows.map((r) => r.tr));
    t.append(thead, body);
    scroll.append(t);
    if (rows.length > LONG) {
      const filter = element("input");
      filter.type = "search";
      filter.placeholder = `filter ${rows.length} rows`;
      filter.setAttribute("aria-label", "filter the rows");
      filter.addEventListener("input", () => {
        const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
        for (const r of rows) { const text = r.cells.join(" ").toLowerCase(); r.tr.hidden = !words.every((w) => text.includes(w)); }
      });
      tools.append(filter);
    }
    const save = element("button", "CSV");
    save.title = "save the table";
    save.addEventListener("click", () => {
      const quote = (c) => (/[",\n]/.test(c) ? `"${c.replace(/"/g, '""')}"` : c);
      page.save(`${page.fileName(table.title)}.csv`, [table.columns, ...rows.map((r) => r.cells)].map((r) => r.map(quote).join(",")).join("\n") + "\n", "text/csv");
    });
    tools.append(save);
    card.append(scroll);
    if (table.note) card.append(element("p", table.note, "note"));
    parent.append(card);
    return card;
  };
})(window.lieflow);
