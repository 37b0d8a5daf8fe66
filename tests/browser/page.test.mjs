// The built page in a real browser, as a person uses it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fact, factWhen, launch, root, site, watchedPage } from "./harness.mjs";

const cli = join(root, "target", "release", "balancescope");
const fixtures = join(root, "tests", "browser", "fixtures");
const realFiles = join(root, "..", "shared", "inputs");

let browser;
let home;
const open = [];

before(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});

after(async () => {
  await browser?.close();
  await home?.close();
});

afterEach(async () => {
  for (const page of open.splice(0)) await page.context().close();
});

/** Opens a link of the site and waits until its world runs or stands. */
async function visit(fragment = "", options = {}) {
  const { base = home.url, ...context } = options;
  const page = await watchedPage(browser, context);
  open.push(page);
  await page.goto(base + fragment);
  await factWhen(page, "cpus", (count) => Number(count) > 0, "no world was drawn");
  return page;
}

const cpus = (page, count) => factWhen(page, "cpus", (value) => Number(value) === count, `expected ${count} CPUs`);
const fastest = (page) => page.locator("#speed").evaluate((slider) => {
  slider.value = slider.max;
  slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
});

async function pause(page) {
  const button = page.getByRole("button", { name: "Pause", exact: true });
  if (await button.isVisible()) await button.click();
  const hash = await factWhen(page, "stateHash", (value) => value.length === 16, "no hash of the standing world");
  return { hash, now: Number(await fact(page, "nowNs")) };
}

/** Pastes text onto the page, outside every field. */
const paste = (page, text) =>
  page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", data);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);

const nativeHash = (link, ns) => {
  const output = execFileSync(cli, ["run", link, "--for", `${ns}ns`, "--json"], { encoding: "utf8" });
  return JSON.parse(output).state_hash;
};

test("loads with an empty console and asks nobody but its own origin", async () => {
  const page = await watchedPage(browser);
  open.push(page);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(home.url);
  await factWhen(page, "nowNs", (now) => Number(now) > 0, "time does not go on");
  assert.deepEqual(page.trouble, []);
  assert.ok(asked.length > 3);
  assert.deepEqual(asked.filter((url) => !url.startsWith(home.url) && !url.startsWith("data:")), []);
});

test("works on a sub-path", async () => {
  const deep = await site("/some/where/");
  try {
    const page = await visit("#machine=1x2x2", { base: deep.url });
    await cpus(page, 4);
    assert.deepEqual(page.trouble, []);
  } finally {
    await deep.close();
  }
});

test("the load slider changes the rate that is drawn, in the running world", async () => {
  const page = await visit("#machine=1x4x2&load=0.9");
  await fastest(page);
  const busy = Number(await factWhen(page, "rate", (rate) => Number(rate) > 100, "no balance calls are drawn"));
  const before = Number(await fact(page, "nowNs"));
  await page.locator("#knob-load").fill("0");
  await factWhen(page, "rate", (rate) => Number(rate) < busy / 5, `the rate stayed near ${busy} without load`);
  await page.locator("#knob-load").fill("90");
  await factWhen(page, "rate", (rate) => Number(rate) > busy / 3, `the rate did not come back towards ${busy}`);
  assert.ok(Number(await fact(page, "nowNs")) > before, "the world was started anew");
});

test("a pasted lscpu -p rebuilds the machine, and Back returns to the one before", async () => {
  const page = await visit("#machine=1x2x2");
  await cpus(page, 4);
  await paste(page, readFileSync(join(fixtures, "lscpu-p-12cpu.txt"), "utf8"));
  await cpus(page, 12);
  await page.waitForURL(/machine=/);
  await page.goBack();
  await cpus(page, 4);
  assert.deepEqual(page.trouble, []);
});

test("the reader of files is loaded when a file is brought, and not before", async () => {
  const page = await visit("#machine=1x2x2");
  const loaded = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.reload();
  await cpus(page, 4);
  assert.ok(loaded.some((url) => /app_bg/.test(url)) && !loaded.some((url) => /reader/.test(url)), loaded.join(" "));
  await paste(page, readFileSync(join(fixtures, "lscpu-p-12cpu.txt"), "utf8"));
  await cpus(page, 12);
  assert.ok(loaded.some((url) => /reader_bg/.test(url)), loaded.join(" "));
  assert.deepEqual(page.trouble, []);
});

test("a file of a real machine rebuilds the tree", async (context) => {
  const file = join(realFiles, "lscpu", "x7550-strided-lists-node-gap.txt");
  if (!existsSync(file)) return context.skip(`${file} is not here`);
  const page = await visit("#machine=1x2x2");
  await paste(page, readFileSync(file, "utf8"));
  await cpus(page, 64);
  assert.deepEqual(page.trouble, []);
});

test("a refused file is told in a sentence, and the running world stays", async () => {
  const page = await visit("#machine=1x2x2");
  await paste(page, "Dear diary, today I bought a computer.");
  const alert = page.getByRole("alert").first();
  await alert.waitFor();
  assert.match(await alert.innerText(), /\.\s/);
  await cpus(page, 4);
});

test("a copied link opens the very same state, in another browser context and natively", async (context) => {
  const page = await visit("#machine=2x4x2&load=0.8&seed=7", { permissions: ["clipboard-read", "clipboard-write"] });
  await fastest(page);
  await factWhen(page, "nowNs", (now) => Number(now) > 20_000_000);
  // Knobs turned on the way belong to the run.
  await page.locator("#knob-load").fill("40");
  const turned = Number(await fact(page, "nowNs"));
  await factWhen(page, "nowNs", (now) => Number(now) > turned + 20_000_000);
  const { hash, now } = await pause(page);
  await page.getByRole("button", { name: "Share…" }).click();
  await page.getByRole("button", { name: "Copy moment" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, new RegExp(`^${home.url}#.*set=`));

  const other = await visit(link.slice(home.url.length));
  const there = await pause(other);
  assert.deepEqual(there, { hash, now });
  assert.deepEqual(other.trouble, []);
  if (!existsSync(cli)) return context.diagnostic("not compared with the command line, which is not built");
  assert.equal(nativeHash(link, now), hash);
});

test("a changed address opens, and Back and Forward walk between the two", async () => {
  const page = await visit("#machine=1x2x2");
  await cpus(page, 4);
  await page.evaluate(() => (location.hash = "#machine=1x3x2"));
  await cpus(page, 6);
  await page.goBack();
  await cpus(page, 4);
  await page.goForward();
  await cpus(page, 6);
  assert.deepEqual(page.trouble, []);
});

test("the keyboard plays, pauses and steps", async () => {
  const page = await visit("#machine=1x2x2");
  await page.keyboard.press("Escape");
  await pause(page);
  const before = Number(await fact(page, "events"));
  await page.locator("body").press("e");
  await factWhen(page, "events", (events) => Number(events) > before, "a step did nothing");
  const stood = Number(await fact(page, "nowNs"));
  await page.locator("body").press("Space");
  await factWhen(page, "nowNs", (now) => Number(now) > stood, "Space did not let time go on");
});

for (const width of [390, 700, 1000, 1280]) {
  test(`at ${width} pixels nothing is wider than the window`, async () => {
    const page = await visit("#machine=2x24x2", { viewport: { width, height: 844 } });
    await cpus(page, 96);
    const wider = await page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);
    assert.ok(wider <= 0, `${wider} pixels too wide`);
  });
}

test("a broken link says what could not be used, and opens the rest", async () => {
  const page = await visit("#machine=1x3x2&relase=6.6&load=7&hz=99");
  await cpus(page, 6);
  const words = await page.getByRole("alert").first().innerText();
  for (const key of ["relase", "load", "hz"]) assert.match(words, new RegExp(key));
  assert.deepEqual(page.trouble, []);
});

for (const machine of ["0x0x0", "100000x1x1", "2x4x2x9", "z:garbage"]) {
  test(`machine=${machine} leaves a working page and a sentence`, async () => {
    const page = await visit(`#machine=${machine}`);
    await page.getByRole("alert").first().waitFor();
    await page.evaluate(() => (location.hash = "#machine=1x2x2"));
    await cpus(page, 4);
    assert.deepEqual(page.trouble, []);
  });
}

test("a link of 5 MB is survived", async () => {
  const page = await visit("#machine=1x2x2");
  // Browsers open no address as long as this, so it comes as a person would bring it: pasted.
  await paste(page, `${home.url}#machine=1x3x2&note=${"x".repeat(5_000_000)}`);
  await page.getByRole("alert").first().waitFor();
  await page.evaluate(() => (location.hash = "#machine=1x4x2"));
  await cpus(page, 8);
  assert.deepEqual(page.trouble, []);
});

test("after Back, the select names the machine that is shown", async () => {
  const page = await visit("#machine=1x4x2");
  await page.selectOption("#machine", "4x12x2");
  await cpus(page, 96);
  await page.selectOption("#machine", { index: 6 });
  await factWhen(page, "cpus", (value) => Number(value) !== 96);
  await page.goBack();
  await cpus(page, 96);
  await page.waitForFunction(() => document.querySelector("#machine").value === "4x12x2");
});

test("Space plays, also after a button was clicked", async () => {
  const page = await visit("", { reducedMotion: "reduce" });
  await page.getByRole("button", { name: "Step", exact: false }).first().click();
  await factWhen(page, "phase", (phase) => phase === "paused");
  await page.keyboard.press("Space");
  await factWhen(page, "phase", (phase) => phase === "playing");
});

test("a moment that is far away says so, and can be given up", async () => {
  const page = await watchedPage(browser);
  open.push(page);
  await page.goto(`${home.url}#load=0.9&at=3600s`);
  await page.getByRole("button", { name: "Begin at 0 instead" }).click();
  await factWhen(page, "phase", (phase) => phase === "playing" || phase === "paused");
  await page.waitForFunction(() => !location.hash.includes("at="));
});
