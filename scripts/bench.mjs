// How fast it is, against what we promise: node scripts/bench.mjs [--only engine|page] [--json] [--plot]
// `./dev bench` calls it; with --plot it also draws docs/scale.svg. It measures and judges nothing away: run it on a quiet machine.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { launch, root, site } from "../tests/browser/harness.mjs";
import { scalePlot } from "./scale-plot.mjs";

const ENGINE = { fragment: "machine=2x24x2&load=0.9&seed=1", seconds: 2 };
const PAGE = "#machine=2x56x2&workload=sleepers&sleepers.threads=5&load=1";
const REPEATS = 5;

const options = process.argv.slice(2);
const only = options.includes("--only") ? options[options.indexOf("--only") + 1] : null;

const median = (values) => values.slice().sort((a, b) => a - b)[Math.floor(values.length / 2)];
const percentile = (values, share) =>
  values.slice().sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** [what, value, unit, promise, kept?] */
const rows = [];
const row = (what, value, unit, promise, kept) => rows.push({ what, value, unit, promise, kept });

function nativeRate() {
  const cli = join(root, "target", "release", "balancescope");
  const text = execFileSync(cli, ["run", ENGINE.fragment, "--for", `${ENGINE.seconds}s`, "--json"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const { events, wall_ns, state_hash } = JSON.parse(text);
  return { rate: (events / wall_ns) * 1e9, state_hash };
}

function wasmRate(Simulation) {
  const simulation = new Simulation(ENGINE.fragment);
  const start = performance.now();
  simulation.run(ENGINE.seconds * 1e9);
  const rate = (simulation.stats().events / (performance.now() - start)) * 1e3;
  const state_hash = simulation.hash();
  simulation.free();
  return { rate, state_hash };
}

/** Native and wasm in turns, so that what else the machine does slows both. */
async function benchTargets() {
  const { Simulation } = await import(pathToFileURL(join(root, "pkg", "index.mjs")));
  // The first run also compiles the program's hot paths.
  wasmRate(Simulation);
  const turns = Array.from({ length: REPEATS }, () => [nativeRate(), wasmRate(Simulation)]);
  if (turns.some(([native, wasm]) => native.state_hash !== wasm.state_hash))
    throw new Error("Native and wasm runs end in different states.");
  const native = median(turns.map(([one]) => one.rate)) / 1e6;
  const ratio = median(turns.map(([one, other]) => one.rate / other.rate));
  row("engine, native", native, "million events/s", "over 2", native > 2);
  row("engine, wasm (V8)", median(turns.map(([, other]) => other.rate)) / 1e6, "million events/s", "", null);
  row("native ÷ wasm", ratio, "", "at most 1.6", ratio <= 1.6);
}

/** What benches/engine.rs measures: the engine beside a bare heap, and machines of 8 to 1024 CPUs. */
function benchNative() {
  const args = ["bench", "--locked", "--offline", "--bench", "engine"];
  const text = execFileSync("cargo", args, { encoding: "utf8", cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const lines = text.split("\n").filter((line) => line.startsWith("{"));
  const measured = lines.map((line) => JSON.parse(line));
  for (const { fragment, ratio } of measured.filter((one) => one.fragment)) {
    const machine = new URLSearchParams(fragment).get("machine");
    const promised = machine === "2x56x2";
    row(`engine ÷ bare heap, ${machine}`, ratio, "", promised ? "over 0.25" : "", promised ? ratio >= 0.25 : null);
  }
  const sizes = measured.filter((one) => one.cpus);
  const cost = ({ seconds, events }) => (seconds / events) * 1e9;
  for (const size of sizes) row(`${size.cpus} CPUs`, cost(size), "ns an event", "", null);
  if (options.includes("--plot")) writeFileSync(join(root, "docs", "scale.svg"), scalePlot(sizes));
}

async function benchEngine() {
  await benchTargets();
  benchNative();
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
