// A small static server for one folder: node scripts/serve.mjs FOLDER [--port N] [--under /path/]
// Only for looking at the page on one's own machine, so it listens on 127.0.0.1 alone.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { pathToFileURL } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

/** The file a request means, or null. Never one outside the folder. */
function fileFor(folder, under, url) {
  let path;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return null;
  }
  if (!path.startsWith(under) || path.includes("\0")) return null;
  const inside = normalize(`/${path.slice(under.length)}`);
  const file = join(folder, inside.endsWith(sep) ? join(inside, "index.html") : inside);
  try {
    return statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}

/** Serves `folder` under the path `under`; resolves with the server once it listens. Port 0 takes a free one. */
export function serve(folder, { port = 0, under = "/" } = {}) {
  const server = createServer((request, response) => {
    const file = fileFor(folder, under, request.url ?? "/");
    if (!file || !["GET", "HEAD"].includes(request.method ?? "")) {
      response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("Not found\n");
      return;
    }
    // Names carry a hash of the content, so everything but the page itself can be kept.
    const keep = /-[0-9a-f]{12}\.\w+$/.test(file) ? "max-age=31536000, immutable" : "no-cache";
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-length": statSync(file).size,
      "cache-control": keep,
    });
    if (request.method === "HEAD") response.end();
    else createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}

async function main([folder, ...options]) {
  let port = 8080;
  let under = "/";
  while (options.length > 0) {
    const [name, inline] = options.shift().split("=", 2);
    const value = inline ?? options.shift();
    if (name === "--port" && /^\d{1,5}$/.test(value ?? "") && Number(value) < 65536) port = Number(value);
    else if (name === "--under" && /^\/(.*\/)?$/.test(value ?? "")) under = value;
    else fail(`'${name} ${value ?? ""}' cannot be used: --port takes a number up to 65535, --under a path such as /sub/.`);
  }
  try {
    const server = await serve(folder, { port, under });
    console.log(`balancescope is at http://127.0.0.1:${server.address().port}${under} (Ctrl-C ends it)`);
  } catch (error) {
    if (error.code === "EADDRINUSE") fail(`Port ${port} is taken: choose another with --port.`);
    fail(`The page cannot be served on port ${port}: ${error.message}.`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2));
