// What the checks in a browser share: Chromium, counted checks, a pause.
import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";

const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!chromium) {
  console.error("no Chromium found: install Debian's package chromium");
  process.exit(2);
}

export const tally = { passed: 0, failures: [] };
export function check(what, ok, detail = "") {
  if (ok) tally.passed += 1;
  else tally.failures.push(`${what}${detail ? `: ${detail}` : ""}`);
}
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export const launch = () => puppeteer.launch({
  executablePath: chromium,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});
