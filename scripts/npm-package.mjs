// Completes the npm package that wasm-pack has built: node scripts/npm-package.mjs FOLDER
// It puts the entry, the types and the README of npm/ beside the wasm program and tells package.json of them.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("Which folder? node scripts/npm-package.mjs pkg");
  process.exit(2);
}

const ours = ["index.mjs", "index.d.mts", "README.md"];
for (const name of ours) copyFileSync(join("npm", name), join(folder, name));
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(name, join(folder, name));
// wasm-pack ignores the whole folder, which would keep `npm pack` from packing it.
rmSync(join(folder, ".gitignore"), { force: true });

const manifest = join(folder, "package.json");
const { name, description, version, license } = JSON.parse(readFileSync(manifest, "utf8"));
const complete = {
  name,
  description,
  version,
  license,
  type: "module",
  engines: { node: ">=18" },
  exports: { ".": { types: "./index.d.mts", default: "./index.mjs" } },
  types: "./index.d.mts",
  files: [...ours, "balancescope.js", "balancescope_bg.wasm", "LICENSE-MIT", "LICENSE-APACHE"],
  sideEffects: ["./index.mjs"],
};
writeFileSync(manifest, `${JSON.stringify(complete, null, 2)}\n`);
