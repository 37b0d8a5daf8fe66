// The package's entry: starts the wasm program, so that `Simulation` can be used at once.
import init, { Simulation } from "./balancescope.js";

const wasm = new URL("./balancescope_bg.wasm", import.meta.url);
if (wasm.protocol === "file:" && globalThis.process?.versions?.node) {
  // Node's fetch reads no files.
  const { readFile } = await import("node:fs/promises");
  await init({ module_or_path: await readFile(wasm) });
} else {
  await init({ module_or_path: wasm });
}

export { Simulation };
