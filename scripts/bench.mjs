// How fast it is, against what we promise: node scripts/bench.mjs [--only engine|page] [--json]
// `./dev bench` calls it. It measures and judges nothing away: run it on a quiet machine.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { launch, root, site } from "../tests/browser/harness.mjs";

const ENGINE = { fragment: "machine=2x24x2&load=0.9&seed=1", seconds: 2 };
const PAGE = "#machine=2x56x2&workload=sleepers&sleepers.threads=5&load=1";
const REPEATS = 3;

const options = process.argv.slice(2);
const only = options.includes("--only") ? options[options.indexOf("--only") + 1] : null;

const median = (values) => values.slice().sort((a, b) => a - b)[Math.floor(values.length / 2)];
const percentile = (values, share) =>
  values.slice().sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** [what, value, unit, promise, kept?] */
const rows = [];
const row = (what, value, unit, promise, kept) => rows.push({ what, value, unit, promise, kept });

function nativeRates() {
  const cli = join(root, "target", "release", "balancescope");
  return Array.from({ length: REPEATS }, () => {
    const text = execFileSync(cli, ["run", ENGINE.fragment, "--for", `${ENGINE.seconds}s`, "--json"], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    const { events, wall_ns, state_hash } = JSON.parse(text);
    return { rate: (events / wall_ns) * 1e9, state_hash };
  });
}

async function wasmRates() {
  const { Simulation } = await import(pathToFileURL(join(root, "pkg", "index.mjs")));
  // The first run also compiles the program's hot paths.
  return Array.from({ length: REPEATS + 1 }, () => {
    const simulation = new Simulation(ENGINE.fragment);
    const start = performance.now();
    simulation.run(ENGINE.seconds * 1e9);
    const rate = (simulation.stats().events / (performance.now() - start)) * 1e3;
    const state_hash = simulation.hash();
    simulation.free();
    return { rate, state_hash };
  }).slice(1);
}

async function benchEngine() {
  const native = nativeRates();
  const wasm = await wasmRates();
  if (native[0].state_hash !== wasm[0].state_hash) throw new Error("Native and wasm runs end in different states.");
  const rates = [native, wasm].map((runs) => median(runs.map((run) => run.rate)) / 1e6);
  row("engine, native", rates[0], "million events/s", "over 2", rates[0] > 2);
  row("engine, wasm (V8)", rates[1], "million events/s", "", null);
  row("native ÷ wasm", rates[0] / rates[1], "", "at most 1.7", rates[0] / rates[1] <= 1.7);
}

/** Kilobytes of dist/, gzipped: what a visit loads, and the reader, which comes when a file is brought. */
function transferSizes() {
  const sizes = [0, 0];
  for (const name of readdirSync(join(root, "dist"), { recursive: true })) {
    const path = join(root, "dist", name);
    if (!statSync(path).isFile()) continue;
    sizes[name.startsWith("reader") ? 1 : 0] += gzipSync(readFileSync(path), { level: 9 }).length / 1000;
  }
  return sizes;
}

/** Milliseconds from the start of the navigation to the end of the first frame that the page drew. */
async function firstFrame(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(url);
  const end = await page.waitForFunction(() => {
    const [first] = performance.getEntriesByName("bs:frame", "measure");
    return first && first.startTime + first.duration;
  });
  const value = await end.jsonValue();
  await context.close();
  return value;
}

/** What the page's own code took for each frame of ten seconds, in ms. */
async function frameTimes(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.frameTimes = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === "bs:frame") window.frameTimes.push(entry.duration);
    }).observe({ entryTypes: ["measure"] });
  });
  await page.goto(url + PAGE);
  await page.waitForFunction(() => window.frameTimes.length > 60);
  await page.evaluate(() => window.frameTimes.splice(0));
  await page.waitForTimeout(10_000);
  const times = await page.evaluate(() => window.frameTimes);
  await context.close();
  if (times.length < 10) throw new Error(`The page drew only ${times.length} frames in ten seconds.`);
  return times;
}

async function benchPage() {
  const [size, reader] = transferSizes();
  row("page, all that a visit loads, gzip", size, "kB", "under 400", size < 400);
  row("reader of files, loaded when needed, gzip", reader, "kB", "", null);
  const { url, close } = await site();
  const browser = await launch();
  try {
    const first = [];
    for (let i = 0; i < REPEATS; i++) first.push(await firstFrame(browser, url));
    row("first frame, localhost", median(first), "ms", "under 1500", median(first) < 1500);
    const times = await frameTimes(browser, url);
    const p95 = percentile(times, 0.95);
    row("own code a frame, median", median(times), "ms", "", null);
    row("own code a frame, p95", p95, "ms", "under 8", p95 < 8);
    row("frames drawn a second", times.length / 10, "", "", null);
  } finally {
    await browser.close();
    await close();
  }
}

if (only !== "page") await benchEngine();
if (only !== "engine") await benchPage();

if (options.includes("--json")) {
  console.log(JSON.stringify(rows));
} else {
  console.log(`engine: ${ENGINE.fragment}, ${ENGINE.seconds} s; page: ${PAGE}\n`);
  for (const { what, value, unit, promise, kept } of rows) {
    const verdict = kept === null ? "" : kept ? "kept" : "MISSED";
    console.log(`${what.padEnd(32)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(17)} ${promise.padEnd(12)} ${verdict}`);
  }
}
