// Opens the live viewer in a real browser and does what a person would do.
//
//   node play.mjs TOOL [--shots DIR] [--strict]
//
// Prints what it measured: the first picture after the command, pictures a second, how soon a slider acts.
// `--strict` holds these against what is promised; otherwise a busy machine may take three times as long.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, launch, pause, tally } from "./chromium.mjs";

const [tool, ...rest] = process.argv.slice(2);
const shots = rest.includes("--shots") ? rest[rest.indexOf("--shots") + 1] : null;
const slack = rest.includes("--strict") ? 1 : 3;
if (!tool) {
  console.error("usage: node play.mjs TOOL [--shots DIR] [--strict]");
  process.exit(2);
}
if (shots) mkdirSync(shots, { recursive: true });

const folder = mkdtempSync(join(tmpdir(), "lieflow-play-"));

const browser = await launch();

// Starts the tool; its address is the first line that it prints.
function serve(...words) {
  const begun = performance.now(), child = spawn(tool, ["play", ...words, "--quiet"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((done) => child.on("exit", (code) => done(code)));
  const address = new Promise((done) => child.stdout.once("data", (text) => done(String(text).trim())));
  return { begun, child, ended, address };
}
async function open(address, width = 1280, theme = "light") {
  const page = await browser.newPage();
  await page.setViewport({ width, height: 900 });
  const errors = [], requests = [];
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("request", (r) => !r.url().startsWith(address) && !/^(data|blob):/.test(r.url()) && requests.push(r.url()));
  await page.goto(`${address}#theme=${theme}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", { timeout: 20000 });
  return { page, errors, requests };
}
const state = (page) => page.evaluate(() => {
  const p = lieflow.play;
  return {
    t: p.clock.now, playing: p.clock.playing, run: p.lanes.list.map((l) => l.run), lanes: p.lanes.list.length,
    methods: lieflow.config.methods, worst: p.curves.data.map((l) => Math.max(0, ...(l.y[0] ?? []).map(Math.abs))),
    points: p.curves.data.map((l) => l.t.length),
  };
});
// Pictures a second, over some time.
async function pictures(page, ms) {
  await page.evaluate(() => { window.seen = 0; const draw = lieflow.play.lanes.draw; lieflow.play.lanes.draw = (t) => { window.seen += 1; draw(t); }; });
  const [n, from] = await page.evaluate(() => [window.seen, performance.now()]);
  await pause(ms);
  const [m, to] = await page.evaluate(() => [window.seen, performance.now()]);
  return (1000 * (m - n)) / (to - from);
}
const drawn = (page, k) => page.evaluate((i) => {
  const c = document.querySelectorAll(".lane canvas")[i], d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, seen = new Set();
  for (let j = 0; j < d.length; j += 4 * 37) seen.add((d[j] << 24) | (d[j + 1] << 16) | (d[j + 2] << 8) | d[j + 3]);
  return seen.size;
}, k);
const shot = async (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });

// The hello world.
const racket = serve("racket"), address = await racket.address;
const first = await open(address);
const opened = await first.page.evaluate(() => performance.timeOrigin + lieflow.first) - (performance.timeOrigin + racket.begun);
check("racket: the first picture is there within 2 s of the command", opened < 2000 * slack, `${Math.round(opened)} ms`);
{
  const { page, errors, requests } = first;
  await pause(2500);
  const a = await state(page);
  check("racket: two methods side by side", a.lanes === 2 && a.methods.join() === "exs,rk4", a.methods.join());
  check("racket: it moves", a.t > 0.5 && a.playing, JSON.stringify(a));
  check("racket: in real time", Math.abs((await page.evaluate(() => lieflow.play.clock.factor)) - 1) < 0.3);
  check("racket: both draw", (await drawn(page, 0)) > 20 && (await drawn(page, 1)) > 20);
  check("racket: errors draw themselves", a.points.every((n) => n > 5) && (await page.$$("#curves svg g path[d]")).length >= 4);
  await page.evaluate(() => lieflow.play.ask({ do: "speed", factor: 20 }));
  await pause(2500);
  const b = await state(page);
  check("racket: the energy of rk4 drifts beside ours", b.worst[1] > 1e-4 && b.worst[0] < 1e-11, b.worst.join());
  await page.evaluate(() => lieflow.play.ask({ do: "speed", factor: 1 }));

  // Keys and buttons.
  await page.click("#run");
  await pause(200);
  const held = await state(page);
  await pause(300);
  check("racket: pause holds it", (await state(page)).t === held.t && !held.playing);
  await page.click("#one");
  await pause(300);
  const stepped = (await state(page)).t;
  check("racket: one step is one step of the method", Math.abs(stepped - held.t) <= 0.2 + 1e-9 && stepped > held.t, `${held.t} then ${stepped}`);
  await page.click("#one");
  await pause(300);
  check("racket: and another one", Math.abs((await state(page)).t - stepped - 0.2) < 1e-9);
  await page.click("#run");

  // A slider acts: from its event to the first frame of the new motion.
  const late = [];
  for (const value of [3, 5, 2]) {
    late.push(await page.evaluate((v) => new Promise((done) => {
      const run = lieflow.play.lanes.list[0].run, range = document.querySelector('input[type=range][aria-label="initial.omega y"]'), begun = performance.now();
      range.value = String(v);
      range.dispatchEvent(new Event("input"));
      const look = () => (lieflow.play.lanes.list[0].run !== run ? done(performance.now() - begun) : requestAnimationFrame(look));
      look();
    }), value));
    await pause(150);
  }
  check("racket: a slider acts within 100 ms", Math.max(...late) < 100 * slack, late.map(Math.round).join(", ") + " ms");
  console.log(`a slider acts within ${late.map(Math.round).join(", ")} ms`);
  // It acts on the running motion where that is chosen.
  const before = await state(page);
  await page.$$eval("#panel .switch button", (all) => all[1].click());
  await page.$eval('input[type=range][aria-label="initial.omega x"]', (r) => { r.value = "1"; r.dispatchEvent(new Event("input")); });
  await pause(400);
  const nudged = await state(page);
  check("racket: a nudge goes on", nudged.run[0] === before.run[0] && nudged.t > before.t);
  // A bad number has a message, and nothing stops.
  await page.$eval('input[type=text][aria-label="parameters.inertia y"]', (i) => { i.value = "-2"; i.dispatchEvent(new Event("change")); });
  await pause(400);
  const message = await page.$eval("#message", (m) => (m.hidden ? "" : m.textContent));
  check("racket: a bad number is refused in the words of the tool", /parameters\.inertia/.test(message) && /expected/.test(message), message);
  check("racket: and goes back", (await page.$eval('input[type=text][aria-label="parameters.inertia y"]', (i) => i.value)) === "2");
  await shot(page, "racket-message");
  await page.click("#message");
  // Another method, while it runs.
  const t = (await state(page)).t;
  await page.select(".lane select", "rkmk4");
  await pause(400);
  const other = await state(page);
  check("racket: the method is switched and the state stays", other.methods[0] === "rkmk4" && other.run[0] === nudged.run[0] && other.t > t);
  // The camera.
  const picture = () => page.$eval(".lane canvas", (c) => c.toDataURL());
  await page.click("#run");
  await pause(200);
  const still = await picture(), box = await (await page.$(".lane canvas")).boundingBox();
  await page.mouse.move(box.x + 90, box.y + 90);
  await page.mouse.down();
  await page.mouse.move(box.x + 190, box.y + 140);
  await page.mouse.up();
  await pause(100);
  check("racket: dragging turns the picture", (await picture()) !== still);
  // Another viewer has a motion of its own.
  const second = await open(address);
  await pause(500);
  check("racket: two viewers", (await state(second.page)).methods[0] === "exs" && (await state(second.page)).t < (await state(page)).t);
  check("racket: no errors", errors.length === 0 && second.errors.length === 0, [...errors, ...second.errors].join("; "));
  check("racket: no network", requests.length === 0, requests.join("; "));
  await second.page.close();
  for (const [name, width, theme] of [["racket", 1280, "light"], ["racket-dark", 1280, "dark"], ["racket-phone", 400, "light"]]) {
    const { page: other, errors: wrong } = await open(address, width, theme);
    await other.evaluate(() => lieflow.play.ask({ do: "speed", factor: 3 }));
    await pause(shots ? 6000 : 400);
    await shot(other, name);
    const wide = await other.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    check(`${name}: nothing is wider than the page`, !wide);
    check(`${name}: no errors`, wrong.length === 0, wrong.join("; "));
    await other.close();
  }
  // It closes with the terminal.
  racket.child.kill("SIGINT");
  check("racket: Ctrl-C ends it", (await racket.ended) === 0);
  await page.waitForFunction(() => document.documentElement.dataset.closed === "true", { timeout: 5000 }).catch(() => {});
  check("racket: and the page says so", await page.$eval("#message", (m) => !m.hidden && /closed/.test(m.textContent)));
  await page.close();
}
console.log(`first picture ${Math.round(opened)} ms after the command`);

// Pictures a second.
writeFileSync(join(folder, "chain.toml"), `title = "chain of 200 links"
system = "pendulum-chain"
[parameters]
count = 200
masses = 0.01
lengths = 0.02
[initial]
q = [1.0, 0.0, 0.0]
omega = [0.0, 0.0, 0.0]
[solve]
method = "rkmk4"
step = 0.001
until = 20.0
`);
for (const [problem, least] of [["fast-top", 55], [join(folder, "chain.toml"), 30]]) {
  const served = serve(problem), name = problem === "fast-top" ? problem : "chain of 200";
  const { page, errors } = await open(await served.address);
  await pause(1000);
  const rate = await pictures(page, 3000), factor = await page.evaluate(() => lieflow.play.clock.factor);
  console.log(`${name}: ${rate.toFixed(1)} pictures a second, at ${factor.toFixed(3)} times real time`);
  check(`${name}: ${least} pictures a second`, rate >= least / slack, rate.toFixed(1));
  check(`${name}: no errors`, errors.length === 0, errors.join("; "));
  await shot(page, name.replaceAll(" ", "-"));
  await page.close();
  served.child.kill();
  await served.ended;
}
// Others, for the eye.
for (const problem of ["coupled-bodies", "quad-full", "vortices", "kepler", "dipoles-4x4", "spin-ring", "reduced-body"]) {
  const served = serve(problem);
  const { page, errors } = await open(await served.address);
  await pause(shots ? 3000 : 600);
  check(`${problem}: it draws and moves`, (await drawn(page, 0)) > 5 && (await state(page)).t > 0);
  check(`${problem}: no errors`, errors.length === 0, errors.join("; "));
  await shot(page, problem);
  await page.close();
  served.child.kill();
  await served.ended;
}
await browser.close();
rmSync(folder, { recursive: true });
for (const failure of tally.failures) console.error(`FAILED ${failure}`);
console.log(`play: ${tally.passed} of ${tally.passed + tally.failures.length} checks hold`);
process.exit(tally.failures.length ? 1 : 0);
