// Opens pages that lieflow wrote in a real browser and checks what a person would see.
//
//   node check.mjs PAGES_DIR [--shots DIR]
//
// Every folder of PAGES_DIR with a report.html (and its summary.json) is checked, and gallery
// pages (index.html). Exit status 1 if anything is wrong; the last line counts.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [pages, ...rest] = process.argv.slice(2);
const shots = rest[0] === "--shots" ? rest[1] : null;
if (!pages) {
  console.error("usage: node check.mjs PAGES_DIR [--shots DIR]");
  process.exit(2);
}
if (shots) mkdirSync(shots, { recursive: true });
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!chromium) {
  console.error("no Chromium found: install Debian's package chromium");
  process.exit(2);
}

let passed = 0;
const failures = [];
function check(what, ok, detail = "") {
  if (ok) passed += 1;
  else failures.push(`${what}${detail ? `: ${detail}` : ""}`);
}

const browser = await puppeteer.launch({
  executablePath: chromium,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});

async function open(file) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const errors = [], requests = [];
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("request", (r) => !r.url().startsWith("file:") && !r.url().startsWith("data:") && requests.push(r.url()));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", { timeout: 20000 });
  return { page, errors, requests };
}

// A canvas that shows more than one colour has been drawn on.
const drawn = (canvas) => {
  const d = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < d.length; i += 4 * 37) seen.add((d[i] << 24) | (d[i + 1] << 16) | (d[i + 2] << 8) | d[i + 3]);
  return seen.size > 2;
};

async function report(folder, name) {
  const file = join(folder, "report.html");
  check(`${name}: under 2 MB`, statSync(file).size < 2e6, `${statSync(file).size} bytes`);
  const { page, errors, requests } = await open(file);
  check(`${name}: no errors`, errors.length === 0, errors.join("; "));
  check(`${name}: no network`, requests.length === 0, requests.join("; "));
  const plots = await page.$$eval(".plot canvas", (all, f) => all.map(new Function(`return (${f})`)()), drawn.toString());
  check(`${name}: plots draw`, plots.length > 0 && plots.every(Boolean), JSON.stringify(plots));

  // Numbers on the page are those of the record.
  const summary = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
  const rows = await page.$$eval("#tables tr", (all) => all.map((r) => [...r.children].map((c) => c.textContent)));
  for (const [invariant, q] of Object.entries(summary.invariants ?? {})) {
    const row = rows.find((r) => r[0] === invariant);
    check(`${name}: ${invariant} on the page`, row !== undefined && Number(row[1]) === q.initial && Number(row[2]) === q.final, `${row} against ${q.initial}, ${q.final}`);
  }

  for (const [observable, q] of Object.entries(summary.statistics?.at(-1).observables ?? {})) {
    const row = rows.find((r) => r[0] === observable);
    const near = row !== undefined && Math.abs(Number(row[1]) - q.mean) <= 1e-4 * Math.abs(q.mean) + 1e-6;
    check(`${name}: ${observable} on the page`, near, `${row} against ${q.mean}`);
  }

  // The cursor reads values.
  const chart = await page.$(".plot .u-over");
  await chart.scrollIntoView();
  await new Promise((r) => setTimeout(r, 200));
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 3);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  await new Promise((r) => setTimeout(r, 200));
  const read = await page.$eval(".plot .u-legend", (l) => l.textContent);
  check(`${name}: the cursor reads values`, /\d/.test(read), read);
  // A click in the legend hides a curve.
  const before = await page.$$eval(".plot .u-legend .u-off", (l) => l.length);
  await page.$$eval(".plot .u-legend .u-series th", (all) => all[all.length - 1].click());
  const after = await page.$$eval(".plot .u-legend .u-off", (l) => l.length);
  check(`${name}: the legend toggles curves`, after === before + 1, `${before} then ${after}`);

  if (await page.$eval("#picture", (p) => !p.hidden)) {
    const picture = () => page.$eval("#scene", (c) => c.toDataURL());
    check(`${name}: the picture draws`, await page.$eval("#scene", (c, f) => new Function(`return (${f})`)()(c), drawn.toString()));
    const start = await picture();
    await page.$eval("#slider", (s) => { s.value = String(Math.floor(Number(s.max) / 2)); s.dispatchEvent(new Event("input")); });
    const middle = await picture();
    check(`${name}: the slider moves the picture`, start !== middle);
    const clock = await page.$eval("#clock", (c) => c.textContent);
    check(`${name}: the clock tells the time`, /^t = -?[\d.e+-]+$/.test(clock), clock);
    await page.click("#play");
    await new Promise((r) => setTimeout(r, 500));
    await page.click("#play");
    check(`${name}: play moves on`, (await picture()) !== middle);
    const scene = await page.$("#scene");
    await scene.scrollIntoView();
    await new Promise((r) => setTimeout(r, 200));
    const canvas = await scene.boundingBox();
    const held = await picture();
    await page.mouse.move(canvas.x + 100, canvas.y + 100);
    await page.mouse.down();
    await page.mouse.move(canvas.x + 220, canvas.y + 160);
    await page.mouse.up();
    check(`${name}: dragging turns the picture`, (await picture()) !== held);
  }
  const theme = () => page.$eval("html", (h) => h.dataset.theme);
  const first = await theme();
  if (shots) await page.screenshot({ path: join(shots, `${name}-${first}.png`), fullPage: true });
  await page.$eval("#theme", (b) => b.click());
  check(`${name}: the theme switches`, (await theme()) !== first);
  if (shots) await page.screenshot({ path: join(shots, `${name}-${await theme()}.png`), fullPage: true });
  check(`${name}: still no errors`, errors.length === 0, errors.join("; "));
  await page.close();
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
  if (!statSync(folder).isDirectory()) continue;
  if (existsSync(join(folder, "report.html"))) await report(folder, entry);
  if (existsSync(join(folder, "index.html"))) await gallery(join(folder, "index.html"), entry);
}
await browser.close();
for (const f of failures) console.error(`✗ ${f}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length > 0 || passed === 0 ? 1 : 0);
