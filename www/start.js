// Starts the page. A file of its own, because the Content-Security-Policy allows no inline script.
import init from "./app.js";

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
