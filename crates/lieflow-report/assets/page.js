// Puts the page together from its data. No framework, no network; what is empty does not appear.
"use strict";
(function (page) {
  const { data, element } = page, byId = (id) => document.getElementById(id), root = document.documentElement;

  page.openTheme(byId("theme"));

  byId("title").textContent = data.title;
  byId("subtitle").textContent = data.subtitle;
  for (const chip of data.chips || []) byId("chips").append(element("span", chip.text, `chip ${chip.verdict}`));
  for (const fact of data.facts) byId("facts").append(element("dt", fact.name), element("dd", fact.value));
  byId("summary").hidden = !data.facts.length;

  if (data.scene && data.scene.objects.length) {
    byId("picture").hidden = false;
    page.film = page.openFilm(data.scene, {
      canvas: byId("scene"), slider: byId("slider"), clock: byId("clock"), play: byId("play"), speed: byId("speed"), pace: byId("pace"),
      back: byId("back"), forth: byId("forth"), paths: byId("paths"), follow: byId("follow"), png: byId("picture-png"), names: byId("names"), note: byId("picture-note"),
    });
  }
  byId("top").hidden = byId("picture").hidden && byId("summary").hidden;
  const events = data.events || [], shown = events.slice(0, 12);
  for (const e of shown) {
    const b = element("button", `${e.name}, t = ${page.short(e.t)}`);
    b.addEventListener("click", () => page.clock.set(e.t));
    byId("events").append(b);
  }
  if (events.length > shown.length) byId("events").append(element("span", `and ${events.length - shown.length} more`, "hint"));
  byId("events").hidden = !events.length;

  for (const table of data.tables) page.tableCard(table, byId("tables"));
  const plots = byId("plots");
  // All cards first: the grid has its columns, and so every chart its width, only then.
  const made = (data.plots || []).map((figure) => page.plotCard(figure, plots));
  for (const attitude of data.attitudes || []) made.push(page.attitudePlot(attitude, plots));
  for (const { chart } of made) chart.draw();
  if ((data.columns || []).length) page.explorer.opened = page.explorer(data.columns, byId("explore"));
  for (const id of ["tables", "plots", "explore"]) byId(id).hidden = !byId(id).children.length;

  for (const section of data.sections || []) {
    const fold = element("details", undefined, "card fold"), inside = element("div", undefined, "inside");
    const count = section.plots.length + section.tables.length;
    if (!count) continue;
    fold.append(element("summary", `${section.title} (${count})`), inside);
    byId("sections").append(fold);
    let opened = false;
    const open = () => {
      if (opened) return;
      opened = true;
      for (const table of section.tables) page.tableCard(table, inside);
      const grid = element("div", undefined, "plots");
      inside.append(grid);
      const all = section.plots.map((figure) => page.plotCard(figure, grid));
      for (const { chart } of all) chart.draw();
    };
    fold.addEventListener("toggle", () => { if (fold.open) open(); });
    addEventListener("beforeprint", () => { if (fold.open) open(); });
  }
  byId("sections").hidden = !byId("sections").children.length;

  byId("command").textContent = data.command;
  byId("problem").textContent = data.problem;
  byId("command").hidden = !data.command;
  byId("problem").parentElement.hidden = !data.problem;
  byId("repeat").hidden = !data.command && !data.problem;
  page.copies(byId("copy"), byId("problem"));
  // For tests: everything is drawn.
  root.dataset.ready = "true";
})(window.lieflow);
