// Starts the simulation worker. The page may post commands as soon as the worker exists, but the wasm
// program listens only once it is compiled: what arrives before is kept and handed over in order.
import init from "./worker.js";

const early = [];
const keep = (event) => early.push(event);
self.addEventListener("message", keep);
await init({ module_or_path: new URL("./worker_bg.wasm", import.meta.url) });
self.removeEventListener("message", keep);
for (const event of early) {
  self.dispatchEvent(new MessageEvent("message", { data: event.data }));
}
