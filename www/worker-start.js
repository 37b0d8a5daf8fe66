// Starts the simulation worker: the page's own program, which the page posts first, as it is compiled already.
// Commands may follow before the program listens; they are kept and handed over in order.
import init from "./app.js";

const early = [];
const module = await new Promise((resolve) => {
  self.onmessage = ({ data }) => (data instanceof WebAssembly.Module ? resolve(data) : early.push(data));
});
await init({ module_or_path: module });
for (const data of early) {
  self.dispatchEvent(new MessageEvent("message", { data }));
}
