// What the browser tests share: the built page on a port of its own, a Chromium, and a watch on the console.
import { chromium } from "playwright-core";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../../scripts/serve.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const executable = () =>
  process.env.CHROMIUM ??
  ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

/** Starts a Chromium that asks nothing of the network. */
export function launch() {
  return chromium.launch({
    executablePath: executable(),
    args: [
      // Chromium's sandbox refuses to run as root, and containers often lack what it needs.
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

/** Serves dist/ under a path; `url` is where, `close` ends it. */
export async function site(under = "/") {
  const dist = process.env.BALANCESCOPE_DIST ?? join(root, "dist");
  if (!existsSync(join(dist, "index.html"))) throw new Error("dist/ is not built: run ./dev build first");
  const server = await serve(dist, { under });
  return {
    url: `http://127.0.0.1:${server.address().port}${under}`,
    close: () => new Promise((done) => server.close(done).closeAllConnections()),
  };
}

/** A page that remembers everything that went wrong on it, in `page.trouble`. */
export async function watchedPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.trouble = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.trouble.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => page.trouble.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => page.trouble.push(`failed: ${request.url()}`));
  page.on("response", (response) => {
    if (response.status() >= 400) page.trouble.push(`${response.status()}: ${response.url()}`);
  });
  return page;
}

/** A fact that the page tells about itself as a data attribute of its root element. */
export const fact = (page, name) => page.evaluate((key) => document.documentElement.dataset[key], name);

/** Waits until a fact satisfies `test`, and returns it. */
export async function factWhen(page, name, test, words = "") {
  const until = Date.now() + 30_000;
  for (;;) {
    const value = await fact(page, name);
    if (value !== undefined && test(value)) return value;
    if (Date.now() > until) throw new Error(`data-${name} is ${value}: ${words || "it never became what was awaited"}`);
    await page.waitForTimeout(50);
  }
}
