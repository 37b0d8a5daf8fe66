// Keeps the page for the next visit, so that it opens without a network. scripts/finish-dist.mjs writes the version
// and the names of the files. Files are named by their content and never change; the page itself and the lessons are
// asked for anew where there is a network.
const VERSION = "__VERSION__";
const FILES = ["__FILES__"];

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(VERSION);
    await cache.addAll(FILES.map((file) => `./${file}`));
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => name !== VERSION);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

const named = (url) => /-[0-9a-f]{12}\.\w+$/.test(url);

async function answer(request) {
  const cache = await caches.open(VERSION);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept && named(request.url)) return kept;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    if (kept) return kept;
    // A folder's address means its page.
    const page = request.mode === "navigate" ? await cache.match("./index.html") : undefined;
    if (page) return page;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const ours = event.request.method === "GET" && new URL(event.request.url).origin === self.location.origin;
  if (ours) event.respondWith(answer(event.request));
});
