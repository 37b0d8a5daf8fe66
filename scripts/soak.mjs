// Does an open page leak? node scripts/soak.mjs [--minutes N] [--from N]
// Plays a busy run in Chromium and compares what the page holds after `from` minutes with what it holds at the end:
// 10 and 60 unless told. Fails when either grew by more than a tenth. It needs a built dist/ and Linux's /proc.
import { readFileSync } from "node:fs";
import { launch, site } from "../tests/browser/harness.mjs";

const FRAGMENT = "#machine=2x24x2&workload=sleepers&sleepers.threads=3&load=0.9";
const GROWTH = 1.1;

function option(name, standard) {
  const at = process.argv.indexOf(name);
  const value = at < 0 ? standard : Number(process.argv[at + 1]);
  if (!(value > 0)) throw new Error(`${name} wants a number of minutes above zero.`);
  return value;
}

const minutes = option("--minutes", 60);
const from = option("--from", minutes / 6);
if (from >= minutes) throw new Error("--from must be before the end.");

/** Megabytes that the browser's page processes hold, their workers and wasm memories included. */
async function resident(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === "renderer");
  const kilobytes = pages.map(({ id }) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]));
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1000;
}

/** Megabytes of the page's own JavaScript heap, after its garbage was collected. */
async function heap(session) {
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
}

const { url, close } = await site();
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const trouble = [];
  page.on("pageerror", (error) => trouble.push(error.message));
  page.on("crash", () => trouble.push("the page crashed"));
  await page.addInitScript(() => {
    window.framesDrawn = 0;
    new PerformanceObserver((list) => {
      window.framesDrawn += list.getEntries().filter(({ name }) => name === "bs:frame").length;
    }).observe({ entryTypes: ["measure"] });
  });
  await page.goto(url + FRAGMENT);
  const session = await page.context().newCDPSession(page);
  const look = async (minute) => {
    const seen = {
      heap: await heap(session),
      resident: await resident(browser),
      frames: await page.evaluate(() => window.framesDrawn),
    };
    console.log(`minute ${minute}: heap ${seen.heap.toFixed(1)} MB, processes ${seen.resident.toFixed(0)} MB, ${seen.frames} frames`);
    return seen;
  };
  await page.waitForTimeout(from * 60_000);
  const early = await look(from);
  await page.waitForTimeout((minutes - from) * 60_000);
  const late = await look(minutes);
  if (late.frames <= early.frames) trouble.push("the page drew nothing between the two looks");
  for (const what of ["heap", "resident"])
    if (late[what] > early[what] * GROWTH) trouble.push(`${what} grew ${(late[what] / early[what]).toFixed(2)} times`);
  for (const sentence of trouble) console.log(`MISSED: ${sentence}`);
  process.exitCode = trouble.length ? 1 : 0;
} finally {
  await browser.close();
  await close();
}
