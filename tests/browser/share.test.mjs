// What leaves the page: a frame for another page, files, a name; two worlds side by side; and a visit without network.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fact, factWhen, launch, root, site, watchedPage } from "./harness.mjs";

const axe = readFileSync(join(root, "node_modules", "axe-core", "axe.min.js"), "utf8");
let browser;
let home;

before(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});

after(async () => {
  await browser?.close();
  await home?.close();
});

async function visit(link, options) {
  const page = await watchedPage(browser, options);
  await page.goto(`${home.url}${link}`);
  await factWhen(page, "cpus", (cpus) => Number(cpus) > 0);
  return page;
}

async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target)}`);
}

test("a frame holds a title, a tree, a knob, a figure and a link, stands still, and steps with a clicker", async () => {
  const page = await visit("#machine=1x4x2&load=0.9&at=10ms&name=Before%20the%20storm&embed=1", { viewport: { width: 960, height: 540 } });
  await factWhen(page, "phase", (phase) => phase === "paused");
  assert.equal(await page.locator("h1").innerText(), "Before the storm");
  assert.equal(await page.locator("input[type=range]").count(), 1);
  assert.equal(await page.locator("nav, .side, .measured, .strip").count(), 0);
  const whole = await page.getByRole("link", { name: "Open in balancescope" }).getAttribute("href");
  assert.match(whole, /load=0\.9.*at=/);
  assert.doesNotMatch(whole, /embed/);
  const before = await fact(page, "events");
  await page.keyboard.press("PageDown");
  await factWhen(page, "events", (events) => Number(events) > Number(before), "the clicker did nothing");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("the sheet hands out a frame, a picture, the series and a name", async () => {
  const page = await visit("#machine=1x4x2&load=0.9", { acceptDownloads: true });
  await page.waitForTimeout(1_500);
  await page.getByRole("button", { name: "Share…" }).click();
  assert.match(await page.locator("#link-embed").inputValue(), /^<iframe src="http.*embed=1" /);
  for (const [button, file, begins] of [
    ["Save picture (PNG)", "balancescope.png", Buffer.from([0x89, 0x50, 0x4e, 0x47])],
    ["Save series (CSV)", "balancescope.csv", Buffer.from("# http")],
  ]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
    assert.equal(download.suggestedFilename(), file);
    const bytes = readFileSync(await download.path());
    assert.deepEqual(bytes.subarray(0, begins.length), begins);
    if (file.endsWith(".csv")) {
      const [, head, ...rows] = bytes.toString().trim().split("\n");
      assert.match(head, /^seconds of your time,simulated ns,Balance calls a second: newidle/);
      assert.ok(rows.length > 3 && rows.every((row) => row.split(",").length === head.split(",").length));
    }
  }
  await page.locator("#scenario-name").fill("Busy server");
  await page.locator("#scenario-name").blur();
  await page.waitForURL(/name=Busy%20server/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("two worlds run side by side, differ, and say where first", async () => {
  const page = await visit("#machine=1x4x2&load=0.9&release=6.6&ab=release:4.19", { viewport: { width: 1280, height: 900 } });
  await page.locator(".ab-side canvas").first().waitFor();
  await page.getByText("First difference at").waitFor();
  const ns = Number(await fact(page, "nowNs"));
  await factWhen(page, "nowNs", (now) => Number(now) > ns + 10_000_000, "time stands still");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  const row = page.locator(".ab-table tbody tr").first().locator("td");
  await page.waitForFunction(() => document.querySelectorAll(".ab-table tbody tr:first-child td")[1]?.textContent !== "–");
  const [a, b] = await row.allInnerTexts();
  assert.notEqual(a, b);
  await page.getByRole("button", { name: "Run to here on 5 seeds" }).click();
  await page.getByText("B − A, 5 seeds").waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("equal scenarios stay equal side by side, also after a knob was turned and after going back", async () => {
  const page = await visit("#machine=1x4x2&load=0.9&ab=load:0.9");
  await factWhen(page, "nowNs", (now) => Number(now) > 5_000_000);
  await page.locator("body").press("b");
  await factWhen(page, "phase", (phase) => phase === "paused");
  await page.locator("body").press("Shift+B");
  await page.locator("body").press("t");
  await page.locator("body").press("t");
  const same = () => {
    const cells = [...document.querySelectorAll(".ab-table tbody tr")].map((row) => [...row.querySelectorAll("td")].map((td) => td.textContent));
    return cells.length > 5 && cells.every(([a, b]) => a === b) && cells.some(([a]) => a !== "–");
  };
  await page.waitForFunction(same);
  await page.getByText("No attempt has differed yet").waitFor();
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("after the first visit the page opens without a network", async () => {
  const page = await visit("#machine=1x2x2");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await factWhen(page, "cpus", (cpus) => Number(cpus) === 4);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await page.reload();
  await factWhen(page, "cpus", (cpus) => Number(cpus) === 4, "the page did not open");
  await factWhen(page, "nowNs", (now) => Number(now) > 0);
  await page.getByRole("button", { name: "Lessons" }).click();
  await page.locator(".lesson-list button").first().waitFor();
  await page.context().close();
});

test("the page can be installed", async () => {
  const page = await visit("#machine=1x2x2");
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
  assert.equal(manifest.display, "standalone");
  const icon = await page.evaluate(async (src) => (await fetch(src)).ok, manifest.icons[0].src);
  assert.ok(icon);
  await page.context().close();
});
