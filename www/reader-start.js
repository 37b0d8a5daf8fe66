// Starts the reader of files. The page posts a file as soon as this worker exists, but the wasm program
// listens only once it is compiled: what arrives before is kept and handed over in order.
import init from "./reader.js";

const early = [];
const keep = (event) => early.push(event);
self.addEventListener("message", keep);
await init({ module_or_path: new URL("./reader_bg.wasm", import.meta.url) });
self.removeEventListener("message", keep);
for (const event of early) {
  self.dispatchEvent(new MessageEvent("message", { data: event.data }));
}
