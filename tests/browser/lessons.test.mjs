// Lessons: a question before the run, the run, and what it came to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { factWhen, launch, root, site, watchedPage } from "./harness.mjs";

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

test("the lessons are listed, and one opens with its scenario standing", async () => {
  const page = await visit("");
  await page.getByRole("button", { name: "Lessons" }).click();
  await page.locator(".lesson-list li").first().waitFor();
  assert.equal(await page.locator(".lesson-list li").count(), 7);
  await page.locator(".lesson-list button").nth(2).click();
  await page.getByRole("heading", { name: "The newidle gate in 4.19 and 6.6" }).waitFor();
  await page.waitForURL(/lesson=newidle-gate/);
  await factWhen(page, "phase", (phase) => phase === "paused");
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("a lesson is answered by keyboard alone, and its numbers are those of the runs", async () => {
  const page = await visit("#load=0.9&lesson=newidle-gate");
  await page.locator(".lesson h1").waitFor();
  assert.equal(await page.locator(".verdict").count(), 0);
  await page.locator(".answer input").first().focus();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Skip to the end" }).press("Enter");
  await page.getByText("Running 2 of 2").waitFor();
  await page.getByRole("button", { name: "Skip to the end" }).press("Enter");
  await page.locator(".verdict").waitFor();
  assert.match(await page.locator(".verdict").innerText(), /^As you said: rise to several/);
  await factWhen(page, "nowNs", (now) => Number(now) === 200_000_000);
  const cells = await page.locator(".lesson-table tbody tr").first().locator("td").allInnerTexts();
  assert.equal(cells.length, 2);
  assert.ok(cells.every((cell) => /\d.*\/s/.test(cell)), cells.join(" "));
  assert.doesNotMatch(await page.locator(".outcome").innerText(), /[{}]/);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target)}`), []);
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("a lesson points at parts of the page, and leads to the Lab", async () => {
  const page = await visit("#load=0.9&lesson=domain-tree");
  const pointer = page.locator(".pointer").first();
  await pointer.focus();
  assert.equal(await page.locator(".pointed").count(), 1);
  await page.getByRole("button", { name: "Open in the Lab" }).click();
  await page.locator(".side .knobs").waitFor();
  assert.equal(await page.locator(".pointed").count(), 0);
  await page.waitForURL((url) => !url.hash.includes("lesson="));
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("a lesson that is not there says so and lists those that are", async () => {
  const page = await visit("#lesson=nothing-here");
  await page.getByText("There is no lesson nothing-here").waitFor();
  assert.equal(await page.locator(".lesson-list li").count(), 7);
  await page.context().close();
});

for (const [width, colorScheme] of [[1280, "light"], [390, "dark"]]) {
  test(`axe finds nothing on a lesson, ${colorScheme}, ${width} pixels`, async () => {
    const page = await visit("#load=0.9&lesson=newidle-gate", { colorScheme, viewport: { width, height: 844 } });
    await page.locator(".lesson h1").waitFor();
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target)}`), []);
    const wider = await page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);
    assert.ok(wider <= 0, `${wider} pixels too wide`);
    await page.context().close();
  });
}
