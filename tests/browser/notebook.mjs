// A notebook that was run: the report of a cell is drawn inside its frame, and plays.
//   node notebook.mjs PAGE.html [--shots DIR]
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { check, launch, pause, tally } from "./chromium.mjs";

const [file, ...rest] = process.argv.slice(2);
const shots = rest[0] === "--shots" ? rest[1] : null;
const browser = await launch();
const page = await browser.newPage();
await page.setViewport({ width: 1100, height: 900 });
const errors = [], requests = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
page.on("request", (request) => { if (/^(https?|wss?):/.test(request.url())) requests.push(request.url()); });
await page.goto(pathToFileURL(file).href);
const holder = await page.waitForSelector("iframe[srcdoc]");
check("notebook: the frame can reach neither notebook nor network", (await holder.evaluate((f) => f.getAttribute("sandbox"))) === "allow-scripts");
await holder.scrollIntoView();
const frame = await holder.contentFrame();
await frame.waitForFunction(() => globalThis.lieflow?.film, { timeout: 20000 });

const picture = () => frame.evaluate(() => document.getElementById("scene").toDataURL());
const drawn = await frame.evaluate(() => {
  const canvas = document.getElementById("scene");
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let i = 0; i < pixels.length; i += 4 * 97) colours.add(`${pixels[i]},${pixels[i + 1]},${pixels[i + 2]},${pixels[i + 3]}`);
  return { colours: colours.size, width: canvas.width };
});
check("notebook: the scene is drawn", drawn.width > 100 && drawn.colours > 3, JSON.stringify(drawn));
const rows = await frame.$$eval("tr", (all) => all.map((row) => row.textContent));
check("notebook: the invariants are on the page", rows.some((row) => row.startsWith("energy")), rows.join("; "));

const time = () => frame.evaluate(() => lieflow.film.time);
const [before, still] = [await time(), await picture()];
await (await frame.$("#play")).evaluate((button) => button.click());
await pause(700);
await (await frame.$("#play")).evaluate((button) => button.click());
check("notebook: play moves on", (await time()) > before, `${before} then ${await time()}`);
check("notebook: and the picture with it", (await picture()) !== still);
check("notebook: no errors", errors.length === 0, errors.join("; "));
check("notebook: no network", requests.length === 0, requests.join("; "));
if (shots) await page.screenshot({ path: join(shots, "notebook.png") });
await browser.close();
for (const failure of tally.failures) console.error(`failed: ${failure}`);
console.log(`notebook: ${tally.passed} checks passed, ${tally.failures.length} failed`);
process.exit(tally.failures.length ? 1 : 0);
