// Opens pages that lieflow wrote in a real browser and checks what a person would see.
//
//   node check.mjs PAGES_DIR [--shots DIR]
//
// Every folder of PAGES_DIR with a report.html is checked, with its summary.json if there is one, and
// gallery pages (index.html). A folder NAME-at-frames has the trajectory of NAME at some times of its
// film, computed by the tool: the film must show the same. Exit status 1 if anything is wrong; the last
// line counts.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { check, launch, pause, tally } from "./chromium.mjs";

const [pages, ...rest] = process.argv.slice(2);
const shots = rest[0] === "--shots" ? rest[1] : null;
if (!pages) {
  console.error("usage: node check.mjs PAGES_DIR [--shots DIR]");
  process.exit(2);
}
if (shots) mkdirSync(shots, { recursive: true });

const browser = await launch();

async function open(file, width = 1280) {
  const page = await browser.newPage();
  await page.setViewport({ width, height: 900 });
  const errors = [], requests = [];
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("request", (r) => !/^(file|data|blob):/.test(r.url()) && requests.push(r.url()));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", { timeout: 20000 });
  return { page, errors, requests };
}

// A canvas that shows more than two colours has been drawn on.
const drawn = (canvas) => {
  const d = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < d.length; i += 4 * 37) seen.add((d[i] << 24) | (d[i + 1] << 16) | (d[i + 2] << 8) | d[i + 3]);
  return seen.size > 2;
};
const seek = (page, value) => page.$eval("#slider", (s, v) => { s.value = String(v); s.dispatchEvent(new Event("input")); }, value);

// What people of a trade expect to see: names in the film, titles of curves.
const EXPECTED = {
  toda: { film: ["particle 1", "particle 5"], curves: ["Positions of the particles", "Eigenvalues of the matrix", "momenta"] },
  bloch: { film: ["state", "field"], curves: ["Population of the upper level", "In the frame that turns with the drive", "m"] },
  "landau-zener": { film: ["state", "field"], curves: ["Populations of the levels", "Levels"] },
  "so4-body": { film: ["first half", "second half"], curves: ["First half of the momentum", "Second half of the momentum"] },
  coning: { film: ["third axis of rotation"], curves: ["Standard deviation of the attitude", "Euler angles"] },
};
async function expected(page, name) {
  const { film, curves } = EXPECTED[name];
  const names = await page.$$eval("#names span", (all) => all.map((s) => s.textContent));
  check(`${name}: the film shows what moves`, film.every((n) => names.includes(n)), names.join("; "));
  const titles = await page.$$eval(".plot h2", (all) => all.filter((h) => h.offsetParent).map((h) => h.textContent));
  check(`${name}: the curves of the trade come first`, curves.every((t) => titles.includes(t)), titles.join("; "));
}

// Charts: each has axes and something drawn, no label is cut off, and numbers are readable.
async function charts(page, name) {
  await page.$$eval("details", (all) => all.forEach((d) => (d.open = true)));
  await pause(150);
  const empty = await page.$$eval(".plot", (all) => all.filter((c) => !c.querySelector("svg g path[d], svg g rect")).map((c) => c.querySelector("h2").textContent));
  check(`${name}: every plot draws`, empty.length === 0, empty.join("; "));
  const nan = await page.$$eval(".plot svg", (all) => all.filter((s) => /NaN|undefined|Infinity/.test(s.outerHTML)).length);
  check(`${name}: no plot has a number that is none`, nan === 0, `${nan} plots`);
  const over = await page.$$eval(".plot svg", (all) => all.flatMap((s) => {
    if (!s.getBoundingClientRect().width) return [];
    const box = (t) => t.getBoundingClientRect(), texts = [...s.querySelectorAll("text")];
    // Heat maps have a second turned text, on the right.
    const turned = texts.filter((t) => /rotate/.test(t.getAttribute("transform") ?? "")).sort((a, b) => box(a).left - box(b).left);
    const title = turned[0], ticks = texts.filter((t) => t.getAttribute("text-anchor") === "end");
    return title && ticks.some((t) => box(t).left < box(title).right - 1) ? [s.getAttribute("aria-label")] : [];
  }));
  check(`${name}: no label of an axis lies over its numbers`, over.length === 0, over.join("; "));
  const cards = await page.$$eval(".card", (all) => all.filter((c) => c.offsetParent && c.innerText.replace(/\s/g, "").length < 12 && !c.querySelector("canvas, svg")).length);
  check(`${name}: no empty card`, cards === 0, `${cards} cards`);
  const legends = await page.evaluate(() => lieflow.charts.flatMap((chart) => chart.series.filter((s) => s.name && !s.hidden && s.style === "line").map((s) => {
    const lines = [...chart.host.querySelectorAll("svg g[clip-path] path")].map((p) => `${p.getAttribute("stroke")}/${p.getAttribute("stroke-dasharray")}`);
    const swatches = [...(chart.host.nextElementSibling?.querySelectorAll("button svg path[stroke]") ?? [])].map((p) => `${p.getAttribute("stroke")}/${p.getAttribute("stroke-dasharray")}`);
    return swatches.every((s2) => lines.includes(s2));
  })));
  check(`${name}: legends match the curves`, legends.every(Boolean));
}

// Saved files are what is on the page.
async function saving(page, name) {
  const saved = await page.evaluate(async () => {
    const chart = lieflow.charts[0], png = await chart.toPng();
    return { svg: chart.toSvg(), csv: chart.toCsv(), png: png.size, title: chart.figure.title, rows: Math.max(...chart.series.map((s) => s.x.length), 0) };
  });
  check(`${name}: a plot is saved as SVG`, saved.svg.startsWith("<svg") && saved.svg.includes("http://www.w3.org/2000/svg") && !saved.svg.includes("NaN"));
  check(`${name}: a plot is saved as PNG`, saved.png > 1000, `${saved.png} bytes`);
  check(`${name}: a plot is saved as CSV`, saved.csv.split("\n").length > Math.min(3, saved.rows), saved.csv.slice(0, 80));
}

async function film(page, name, folder) {
  const picture = () => page.$eval("#scene", (c) => c.toDataURL());
  check(`${name}: the picture draws`, await page.$eval("#scene", (c, f) => new Function(`return (${f})`)()(c), drawn.toString()));
  const start = await picture();
  const last = Number(await page.$eval("#slider", (s) => s.max));
  await seek(page, Math.floor(last / 2));
  const middle = await picture();
  check(`${name}: the slider moves the picture`, start !== middle);
  const clock = await page.$eval("#clock", (c) => c.textContent);
  check(`${name}: the clock tells the time`, /^t = -?[\d.e+-]+$/.test(clock), clock);
  // Time is even along the slider.
  const even = await page.evaluate(() => { const t = lieflow.film.times, n = t.length; return Math.abs((t[n >> 1] - t[0]) / (t[n - 1] - t[0]) - (n >> 1) / (n - 1)); });
  check(`${name}: the middle of the slider is the middle of the run`, even < 0.01, String(even));
  // Cursors are linked: the curves mark the time of the film, and the film follows the curves.
  const timed = await page.evaluate(() => lieflow.charts.filter((c) => c.figure.x_label === "time").length);
  if (timed) {
    await page.evaluate(() => { const c = lieflow.charts.find((x) => x.figure.x_label === "time"); c.host.scrollIntoView(); });
    await pause(120);
    await seek(page, Math.floor(last / 3));
    const marked = await page.evaluate(() => lieflow.charts.find((x) => x.figure.x_label === "time").host.querySelector(".cursor path") !== null);
    check(`${name}: curves mark the time of the film`, marked);
    const box = await (await page.evaluateHandle(() => lieflow.charts.find((x) => x.figure.x_label === "time").host.querySelector("svg"))).boundingBox();
    const before = await page.evaluate(() => lieflow.film.time);
    await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2);
    await pause(60);
    const after = await page.evaluate(() => lieflow.film.time);
    check(`${name}: the film follows the cursor`, after !== before, `${before} then ${after}`);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await seek(page, 0);
  const now = () => page.evaluate(() => [lieflow.film.time, performance.now()]);
  const [from, began] = await now();
  await page.click("#play");
  await pause(600);
  await page.click("#play");
  const elapsed = ((await now())[1] - began) / 1000;
  const speed = Number(await page.$eval("#speed", (s) => s.value));
  const went = Math.abs((await page.evaluate(() => lieflow.film.time)) - from);
  check(`${name}: play moves on`, went > 0);
  const whole = await page.evaluate(() => Math.abs(lieflow.film.times.at(-1) - lieflow.film.times[0]));
  if (speed * elapsed < 0.4 * whole) check(`${name}: at the speed that is said`, went > 0.3 * speed && went <= speed * elapsed, `${went} at ${speed} in ${elapsed} s`);
  await page.click("#forth");
  const on = await page.evaluate(() => lieflow.film.time);
  await page.click("#back");
  check(`${name}: frame by frame`, (await page.evaluate(() => lieflow.film.time)) !== on);
  const scene = await page.$("#scene");
  const canvas = await scene.boundingBox();
  const held = await picture();
  await page.mouse.move(canvas.x + 100, canvas.y + 100);
  await page.mouse.down();
  await page.mouse.move(canvas.x + 220, canvas.y + 160);
  await page.mouse.up();
  check(`${name}: dragging turns the picture`, (await picture()) !== held);

  // The film shows what the tool computes at the same times.
  const beside = `${folder}-at-frames`;
  if (existsSync(beside)) await truth(page, name, join(beside, "trajectory.csv"));
}

async function truth(page, name, file) {
  const [head, ...lines] = readFileSync(file, "utf8").trim().split("\n").map((l) => l.split(","));
  const column = (n) => head.indexOf(n);
  let worst = 0, count = 0;
  for (const line of lines) {
    const t = Number(line[0]);
    const frame = await page.evaluate((time) => { const all = Array.from(lieflow.film.times); return all.reduce((b, x, i) => (Math.abs(x - time) < Math.abs(all[b] - time) ? i : b), 0); }, t);
    await seek(page, frame);
    const shown = await page.evaluate(() => ({ t: lieflow.film.time, clock: Number(document.getElementById("clock").textContent.slice(4)), q: lieflow.film.attitude(0) }));
    if (Math.abs(shown.t - t) > 1e-9) continue;
    const q = ["qw", "qx", "qy", "qz"].map((n) => Number(line[column(n)]));
    const sign = Math.sign(q.reduce((s, x, i) => s + x * shown.q[i], 0));
    worst = Math.max(worst, Math.abs(shown.clock - t), ...q.map((x, i) => Math.abs(x - sign * shown.q[i])));
    count += 1;
  }
  check(`${name}: the film is true at ten times`, count >= 10 && worst < 1e-6, `${count} times, error ${worst}`);
}

async function report(folder, name) {
  const file = join(folder, "report.html");
  check(`${name}: under 2 MB`, statSync(file).size < 2e6, `${statSync(file).size} bytes`);
  const { page, errors, requests } = await open(file);
  check(`${name}: no errors`, errors.length === 0, errors.join("; "));
  check(`${name}: no network`, requests.length === 0, requests.join("; "));
  const has = await page.evaluate(() => ({ film: Boolean(lieflow.film), charts: lieflow.charts.length }));
  if (EXPECTED[name]) await expected(page, name);
  if (has.film) await film(page, name, folder);
  if (has.charts) {
    await saving(page, name);
    await charts(page, name);
    // A click in the legend hides a curve.
    const item = await page.$(".legend button");
    if (item) {
      await item.evaluate((b) => b.click());
      check(`${name}: the legend toggles curves`, (await page.$$(".legend button.off")).length === 1);
    }
  }

  // Numbers on the page are those of the record.
  const summaryFile = join(folder, "summary.json");
  const summary = existsSync(summaryFile) ? JSON.parse(readFileSync(summaryFile, "utf8")) : {};
  const rows = await page.$$eval("tr", (all) => all.map((r) => [...r.children].map((c) => c.textContent)));
  const near = (text, x) => Math.abs(Number(text) - x) <= 1e-6 * Math.abs(x) + 1e-15;
  for (const [invariant, q] of Object.entries(summary.invariants ?? {})) {
    const row = rows.find((r) => r[0] === invariant);
    check(`${name}: ${invariant} on the page`, row !== undefined && near(row[1], q.initial) && near(row[2], q.final), `${row} against ${q.initial}, ${q.final}`);
    check(`${name}: ${invariant} has a relative error if it has a size`, row !== undefined && (row[4] === "–") === (q.size === null), `${row?.[4]}, size ${q.size}`);
  }
  for (const [observable, q] of Object.entries(summary.statistics?.at(-1).observables ?? {})) {
    const row = rows.find((r) => r[0] === observable);
    check(`${name}: ${observable} on the page`, row !== undefined && Math.abs(Number(row[1]) - q.mean) <= 1e-4 * Math.abs(q.mean) + 1e-6, `${row} against ${q.mean}`);
  }
  // Events are marked on curves over time.
  if ((summary.events ?? []).length) {
    const marks = await page.evaluate(() => lieflow.charts.filter((c) => c.figure.x_label === "time" && c.host.clientWidth && c.series.some((s) => !s.hidden)).map((c) => c.host.querySelectorAll(".event").length));
    check(`${name}: events are marked`, marks.length > 0 && marks.every((n) => n > 0), JSON.stringify(marks));
  }
  // Tables are sorted by a click, and filtered by a word.
  const filter = await page.$("input[type=search]");
  if (filter) {
    await filter.evaluate((f) => { f.value = "no such row"; f.dispatchEvent(new Event("input")); });
    check(`${name}: the filter filters`, await filter.evaluate((f) => [...f.closest(".card").querySelectorAll("tbody tr")].every((r) => r.hidden)));
    await filter.evaluate((f) => { f.value = ""; f.dispatchEvent(new Event("input")); });
  }

  const theme = () => page.$eval("html", (h) => h.dataset.theme);
  const first = await theme();
  await page.$$eval("details", (all) => all.forEach((d) => (d.open = false)));
  if (shots) await page.screenshot({ path: join(shots, `${name}-${first}.png`), fullPage: true });
  await page.$eval("#theme", (b) => b.click());
  check(`${name}: the theme switches`, (await theme()) !== first);
  if (shots) await page.screenshot({ path: join(shots, `${name}-${await theme()}.png`), fullPage: true });
  check(`${name}: still no errors`, errors.length === 0, errors.join("; "));
  await page.close();

  // On a phone nothing is wider than the screen.
  const phone = await open(file, 400);
  await phone.page.$$eval("details", (all) => all.forEach((d) => (d.open = true)));
  await pause(100);
  const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth);
  check(`${name}: fits 400 pixels`, wide <= 400, `${wide} pixels`);
  check(`${name}: no errors on a phone`, phone.errors.length === 0, phone.errors.join("; "));
  if (shots) await phone.page.screenshot({ path: join(shots, `${name}-phone.png`), fullPage: true });
  await phone.page.close();
}

async function gallery(file, name) {
  check(`${name}: under 2 MB`, statSync(file).size < 2e6, `${statSync(file).size} bytes`);
  const { page, errors, requests } = await open(file);
  check(`${name}: no errors`, errors.length === 0, errors.join("; "));
  check(`${name}: no network`, requests.length === 0, requests.join("; "));
  const articles = await page.$$eval("article", (all) => all.map((a) => [a.id, a.querySelectorAll("svg path, table td, td").length]));
  check(`${name}: every experiment is shown`, articles.length > 0 && articles.every(([, n]) => n > 0), JSON.stringify(articles.filter(([, n]) => n === 0)));
  const targets = await page.$$eval("nav a", (all) => all.every((a) => document.getElementById(a.hash.slice(1))));
  check(`${name}: the contents lead somewhere`, targets);
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
  await page.close();
}

const root = resolve(pages);
for (const entry of readdirSync(root).sort()) {
  const folder = join(root, entry);
  if (!statSync(folder).isDirectory() || entry.endsWith("-at-frames")) continue;
  if (existsSync(join(folder, "report.html"))) await report(folder, entry);
  if (existsSync(join(folder, "index.html"))) await gallery(join(folder, "index.html"), entry);
}
await browser.close();
for (const f of tally.failures) console.error(`✗ ${f}`);
console.log(`${tally.passed} passed, ${tally.failures.length} failed`);
process.exit(tally.failures.length > 0 || tally.passed === 0 ? 1 : 0);
