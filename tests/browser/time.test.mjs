// Time: back by steps and by the bar, forth again, and another future.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fact, factWhen, launch, site, watchedPage } from "./harness.mjs";

let browser;
let home;

before(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});

after(async () => {
  await browser?.close();
  await home?.close();
});

/** A world that stands at a moment. */
async function standing(link) {
  const page = await watchedPage(browser, { reducedMotion: "reduce" });
  await page.goto(`${home.url}${link}`);
  await factWhen(page, "stateHash", (hash) => hash.length === 16);
  return page;
}

const hash = (page) => fact(page, "stateHash");
const now = async (page) => Number(await fact(page, "nowNs"));
const newHash = (page, old) => factWhen(page, "stateHash", (value) => value.length === 16 && value !== old, "the state stayed");

test("a step back and a step forth lead to the same state", async () => {
  const page = await standing("#machine=1x4x2&load=0.9&at=20ms");
  for (const key of ["e", "t", "b"]) {
    const before = await hash(page);
    await page.keyboard.press(key);
    const there = await newHash(page, before);
    await page.keyboard.press(`Shift+${key.toUpperCase()}`);
    await newHash(page, there);
    await page.keyboard.press(key);
    await factWhen(page, "stateHash", (value) => value === there, `${key} did not lead back to the same state`);
  }
  const end = await hash(page);
  await page.keyboard.press("ArrowLeft");
  await newHash(page, end);
  const back = await now(page);
  await page.keyboard.press("ArrowRight");
  await factWhen(page, "nowNs", (value) => Number(value) > back);
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("the bar leads back, and back to now, while the world counts as standing", async () => {
  const page = await standing("#machine=1x4x2&load=0.9&at=40ms");
  const there = await hash(page);
  const phases = await page.evaluateHandle(() => {
    const seen = new Set();
    new MutationObserver(() => seen.add(document.documentElement.dataset.phase)).observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["data-phase"],
    });
    return seen;
  });
  await page.locator("#time").fill("250");
  await factWhen(page, "nowNs", (value) => Number(value) === 10_000_000, "the bar did not lead to a quarter");
  await page.getByText("30 ms back").waitFor();
  await page.getByRole("button", { name: "Back to now" }).click();
  await factWhen(page, "stateHash", (value) => value === there, "now is another state");
  assert.deepEqual(await phases.evaluate((seen) => [...seen].filter((phase) => phase === "opening")), []);
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("a knob turned in the past begins another future, which the link reproduces", async () => {
  const page = await standing("#machine=1x4x2&load=0.9&at=40ms");
  await page.locator("#time").fill("500");
  await factWhen(page, "nowNs", (value) => Number(value) === 20_000_000);
  await factWhen(page, "stateHash", (value) => value.length === 16);
  await page.locator("#knob-load").fill("20");
  await page.getByText("Forked at").waitFor();
  await page.waitForURL(/set=20ms:load=0\.2/);
  const before = await hash(page);
  await page.locator("body").press("t");
  const there = await newHash(page, before);
  const at = await now(page);
  const link = (await page.evaluate(() => location.hash)).replace(/&at=.*/, "");
  const other = await standing(`${link}&at=${at}ns`);
  assert.equal(await hash(other), there);
  await other.context().close();
  await page.context().close();
});

test("a drag while time stands still leaves its last stop in the link, and U undoes it as one", async () => {
  const page = await standing("#machine=1x2x2&load=0.5&at=5ms");
  await page.locator("#knob-load").evaluate((slider) => {
    for (const value of ["55", "60", "65", "70"]) {
      slider.value = value;
      slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await page.waitForURL(/set=5ms:load=0\.7(&|$)/);
  await page.locator("body").press("u");
  await page.waitForFunction(() => document.querySelector("#knob-load").value === "50");
  await page.waitForURL(/set=5ms:load=0\.5(&|$)/);
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("seeking far back takes little time", async (context) => {
  const page = await standing("#machine=2x4x2&load=0.9&at=3s");
  const took = [];
  for (const place of ["900", "100", "500", "990"]) {
    const begun = Date.now();
    await page.locator("#time").fill(place);
    await factWhen(page, "nowNs", (value) => Math.abs(Number(value) - Number(place) * 3e6) < 1e6);
    took.push(Date.now() - begun);
  }
  context.diagnostic(`${took.join(", ")} ms, of which up to 50 pass between two looks`);
  await page.context().close();
});
