// The reasons of a decision, beside the tree.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { factWhen, launch, site, watchedPage } from "./harness.mjs";

let browser;
let home;

before(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});

after(async () => {
  await browser?.close();
  await home?.close();
});

/** A world that stands right after a balance attempt. */
async function afterAnAttempt(link) {
  const page = await watchedPage(browser, { reducedMotion: "reduce" });
  await page.goto(`${home.url}${link}`);
  await factWhen(page, "phase", (phase) => phase === "paused");
  await page.keyboard.press("b");
  await page.locator("button.decision").first().waitFor();
  return page;
}

test("an attempt opens its conditions in order, in the words of its release, and Esc closes them", async () => {
  for (const [release, name] of [["4.19", "idle_balance"], ["6.19", "sched_balance_newidle"]]) {
    const page = await afterAnAttempt(`#machine=1x4x2&release=${release}&load=0.9&at=20ms`);
    await page.locator("button.decision", { hasText: "newidle" }).first().click();
    const why = page.locator(".why");
    await why.getByText("Conditions, in order").waitFor();
    const functions = await why.locator(".why-function").allTextContents();
    assert.ok(functions.includes(name), `${release}: ${functions}`);
    const numbers = await why.locator(".why-numbers").allTextContents();
    assert.ok(numbers.some((text) => /^−?\d.* [<>≤≥=≠] .*\d$/.test(text)), `${numbers}`);
    const others = await why.locator(".why-elsewhere th").allTextContents();
    assert.ok(others.length === 0 || (others.includes("4.19") && others.includes("7.1")), `${others}`);
    await page.keyboard.press("Escape");
    await why.waitFor({ state: "detached" });
    assert.deepEqual(page.trouble, []);
    await page.context().close();
  }
});

test("a CPU that is picked in the table opens what it decided last", async () => {
  const page = await afterAnAttempt("#machine=1x2x2&load=0.9&at=50ms");
  await page.keyboard.press("v");
  await page.locator("table button").first().click();
  await page.getByRole("heading", { name: "Why, cpu 0" }).waitFor();
  await page.locator(".why summary").first().waitFor();
  assert.ok((await page.locator(".why details").count()) > 0);
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test("reasons that are gone are told to be gone", async () => {
  const page = await afterAnAttempt("#machine=1x4x2&load=0.9");
  const decision = page.locator("button.decision").first();
  await decision.click();
  await page.locator(".why table").first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#speed").evaluate((slider) => {
    slider.value = slider.max;
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await decision.click();
  await page.getByText("The reasons of this attempt are gone").waitFor();
  await page.context().close();
});
