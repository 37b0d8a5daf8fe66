// The page is downloaded over whatever line a lecture hall has: everything in dist/ stays under 400 kB, gzipped.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { root } from "./harness.mjs";

test("everything in dist/ stays under 400 kB, gzipped", (context) => {
  const dist = join(root, "dist");
  const sizes = readdirSync(dist, { recursive: true })
    .filter((name) => statSync(join(dist, name)).isFile())
    .map((name) => [name, gzipSync(readFileSync(join(dist, name))).length]);
  for (const [name, size] of sizes) context.diagnostic(`${(size / 1000).toFixed(1)} kB ${name}`);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(total < 400_000, `${total} bytes`);
});
