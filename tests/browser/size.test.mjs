// The page is downloaded over whatever line a lecture hall has. The goal is 400 kB, gzipped, for everything that a
// visit loads: all of dist/ but the reader, which comes only when a file is brought. It is not reached: the goal
// stays here as a known failure, and bounds keep the page and the reader from growing.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { root } from "./harness.mjs";

const ofReader = (name) => name.startsWith("reader");

/** Gzipped bytes of the files that pass. */
function transfer(context, passes) {
  const dist = join(root, "dist");
  const sizes = readdirSync(dist, { recursive: true })
    .filter((name) => statSync(join(dist, name)).isFile() && passes(name))
    .map((name) => [name, gzipSync(readFileSync(join(dist, name)), { level: 9 }).length]);
  for (const [name, size] of sizes) context.diagnostic(`${(size / 1000).toFixed(1)} kB ${name}`);
  return sizes.reduce((sum, [, size]) => sum + size, 0);
}

const why = "560 kB: Yew's components and the whole engine make up most of it";
test("everything that a visit loads stays under 400 kB, gzipped", { todo: why }, (context) => {
  const total = transfer(context, (name) => !ofReader(name));
  assert.ok(total < 400_000, `${total} bytes`);
});

test("what a visit loads does not grow beyond 580 kB, gzipped", (context) => {
  const total = transfer(context, (name) => !ofReader(name));
  assert.ok(total < 580_000, `${total} bytes`);
});

test("the reader, loaded when a file is brought, does not grow beyond 340 kB, gzipped", (context) => {
  const total = transfer(context, ofReader);
  assert.ok(total > 0 && total < 340_000, `${total} bytes`);
});
