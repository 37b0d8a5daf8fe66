// The page is downloaded over whatever line a lecture hall has. The goal is 400 kB, gzipped, for everything in
// dist/. It is not reached: the goal stays here as a known failure, and a bound keeps the page from growing.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { root } from "./harness.mjs";

function transfer(context) {
  const dist = join(root, "dist");
  const sizes = readdirSync(dist, { recursive: true })
    .filter((name) => statSync(join(dist, name)).isFile())
    .map((name) => [name, gzipSync(readFileSync(join(dist, name))).length]);
  for (const [name, size] of sizes) context.diagnostic(`${(size / 1000).toFixed(1)} kB ${name}`);
  return sizes.reduce((sum, [, size]) => sum + size, 0);
}

const why = "811 kB: the importers and Yew's components make up most of the page's program";
test("everything in dist/ stays under 400 kB, gzipped", { todo: why }, (context) => {
  const total = transfer(context);
  assert.ok(total < 400_000, `${total} bytes`);
});

test("the page does not grow beyond 830 kB, gzipped", (context) => {
  const total = transfer(context);
  assert.ok(total < 830_000, `${total} bytes`);
});
