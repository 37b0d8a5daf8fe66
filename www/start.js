// Starts the page. A file of its own, because the Content-Security-Policy allows no inline script.
import init from "./app.js";

// Scripts that few visits need are loaded when they do (src/bin/app/scripts.rs). What cannot be loaded is said in its
// place.
globalThis.bsScripts = {
  async lesson(host, name, hand) {
    try {
      const { show } = await import("./lessons.js");
      await show(host, name, hand);
    } catch (error) {
      host.textContent = `The lessons cannot be loaded: ${error.message}`;
    }
  },
  leave: (host) => host.dispatchEvent(new Event("leave")),
  picture: async (...words) => (await import("./share.js")).picture(...words),
  series: async (...words) => (await import("./share.js")).series(...words),
};

try {
  await init({ module_or_path: new URL("./app_bg.wasm", import.meta.url) });
} catch (error) {
  const words = document.getElementById("starting");
  if (words) {
    words.setAttribute("role", "alert");
    words.textContent = "The page could not start. A current browser with WebAssembly is needed; reloading may help.";
  }
  throw error;
}

// After the first visit the page needs no network. A browser that refuses this works as before.
try {
  await navigator.serviceWorker?.register("./service-worker.js");
} catch {
  // A frame of another page, or a browser that keeps nothing.
}
