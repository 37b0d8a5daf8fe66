// What axe-core finds wrong for people who use a screen reader, a keyboard or little contrast.
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

async function violations(page) {
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((n) => n.target).join(" | ")}`);
}

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    test(`axe finds nothing, ${colorScheme}, ${width} pixels`, async () => {
      const page = await watchedPage(browser, { colorScheme, viewport: { width, height: 844 } });
      await page.goto(`${home.url}#machine=1x4x2`);
      await factWhen(page, "nowNs", (now) => Number(now) > 0);
      await page.evaluate(axe);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press("b");
      await page.locator("button.decision").first().click();
      await page.locator(".why table").first().waitFor();
      assert.deepEqual(await violations(page), [], "with the reasons open");
      await page.context().close();
    });
  }
}
