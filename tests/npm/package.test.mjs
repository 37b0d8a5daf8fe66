// The npm package as someone else would use it: packed, installed into an empty project, and run under Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const cli = join(root, "target", "release", "balancescope");
let project;
let Simulation;

before(async () => {
  project = mkdtempSync(join(tmpdir(), "balancescope-npm-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", project], {
    cwd: join(root, "pkg"),
    encoding: "utf8",
  }).trim();
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  execFileSync("npm", ["install", "--silent", "--offline", "--no-audit", "--no-fund", `./${packed}`], { cwd: project });
  const entry = join(project, "node_modules", "balancescope", "index.mjs");
  ({ Simulation } = await import(pathToFileURL(entry)));
});

after(() => rmSync(project, { recursive: true, force: true }));

const run = (script) => execFileSync(process.execPath, [script], { cwd: project, encoding: "utf8" });

test("the README's example runs as it is printed", () => {
  const readme = readFileSync(join(root, "pkg", "README.md"), "utf8");
  const [, example] = readme.match(/```js\n([^]*?)```/);
  writeFileSync(join(project, "example.js"), example);
  const lines = run("example.js").trim().split("\n");
  assert.match(lines[0], /^16 CPUs, levels \w+(, \w+)+$/);
  assert.match(lines[1], /^newidle calls: [1-9]\d*$/);
  assert.match(lines[2], /^state: [0-9a-f]{16}$/);
});

test("one scenario gives one state, in however many pieces it is run", () => {
  const whole = new Simulation("machine=1x4x2&seed=5");
  const pieces = new Simulation("machine=1x4x2&seed=5");
  const other = new Simulation("machine=1x4x2&seed=6");
  whole.run(20_000_000);
  other.run(20_000_000);
  for (let i = 0; i < 4; i++) pieces.run(5_000_000);
  assert.equal(pieces.hash(), whole.hash());
  assert.notEqual(other.hash(), whole.hash());
});

test("the state is the command line's", (context) => {
  if (!existsSync(cli)) return context.skip("the command line is not built: cargo build --release");
  const fragment = "release=6.6&machine=2x4x2&load=0.9&seed=3";
  const simulation = new Simulation(fragment);
  simulation.run(100_000_000);
  const native = JSON.parse(execFileSync(cli, ["run", fragment, "--for", "100ms", "--json"], { encoding: "utf8" }));
  // What only the command line watches: its clock, and idle CPUs beside waiting tasks.
  delete native.wall_ns;
  delete native.work_conservation;
  assert.equal(simulation.hash(), native.state_hash);
  assert.deepEqual(simulation.stats(), native);
});

test("stats are plain and add up", () => {
  const simulation = new Simulation("machine=1x4x2");
  assert.equal(simulation.stats().simulated_ns, 0);
  simulation.run(30_000_000);
  const { simulated_ns, cpus, cpu, balance, levels, invariants_broken } = simulation.stats();
  assert.equal(invariants_broken, 0);
  assert.equal(simulated_ns, 30_000_000);
  assert.equal(cpus, 8);
  assert.ok(Math.abs(Object.values(cpu).reduce((a, b) => a + b) - 1) < 1e-9);
  assert.equal(balance.length, levels.length * 4);
});

test("what cannot be used is said in sentences", () => {
  assert.deepEqual(new Simulation("").warnings(), []);
  const simulation = new Simulation("machine=1x2x2&relase=6.6");
  assert.equal(simulation.warnings().length, 1);
  assert.match(simulation.warnings()[0].text, /relase.*\.$/);
  for (const ns of [-1, 0.5, NaN, Infinity, 2 ** 60]) {
    assert.throws(() => simulation.run(ns), /^Error: run takes a whole number of nanoseconds.*\.$/);
  }
});
