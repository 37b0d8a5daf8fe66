// Last step of the page's build (see Trunk.toml): shortens scripts and styles, names files by their content and writes
// the new names into whatever refers to them. Trunk calls it with the folder it has just filled.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";

const dist = process.env.TRUNK_STAGING_DIR;
if (!dist) {
  console.error("TRUNK_STAGING_DIR is not set: trunk calls this script at the end of a build.");
  process.exit(2);
}

// The lessons' list, in their order: a text in www/lessons with its settings at the top is all that a lesson needs.
const lessons = join(dist, "lessons");
if (existsSync(lessons)) {
  const list = readdirSync(lessons)
    .filter((file) => file.endsWith(".md"))
    .map((file) => {
      const head = readFileSync(join(lessons, file), "utf8").split("---")[1] ?? "";
      const of = (key) => new RegExp(`^${key}: ?(.*)$`, "m").exec(head)?.[1].trim() ?? "";
      const [title, about, scenario] = ["title", "about", "scenario"].map(of);
      return { name: file.replace(/\.md$/, ""), order: Number(of("order")), title, about, scenario };
    })
    .sort((a, b) => a.order - b.order);
  writeFileSync(join(lessons, "index.json"), JSON.stringify(list));
}

const isText = (name) => /\.(js|css|svg|html|json|webmanifest)$/.test(name);

// A file comes after everything it refers to.
const rank = (name) => {
  if (/\.(wasm|svg|png|ico|woff2)$/.test(name)) return 0;
  if (/\.css$/.test(name)) return 1;
  if (/(^|-)start\.js$/.test(name)) return 3;
  return 2;
};

// The service worker must be found under one name for ever.
const stays = (name) => name === "index.html" || name === "service-worker.js";

const names = readdirSync(dist, { withFileTypes: true })
  .filter((entry) => entry.isFile() && !stays(entry.name))
  .map((entry) => entry.name)
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));

const renamed = new Map();

function withNewNames(text) {
  for (const [from, to] of renamed) {
    const whole = new RegExp(`(?<![\\w-])${from.replaceAll(".", "\\.")}(?![\\w-])`, "g");
    text = text.replace(whole, to);
  }
  return text;
}

/** Without comments and with short local names; what comes shortened stays as it is. */
function shortened(name, text) {
  const kind = name.match(/(?<!\.min)\.(js|css)$/)?.[1];
  return kind ? transformSync(text, { loader: kind, minify: true }).code : text;
}

for (const name of names) {
  const path = join(dist, name);
  if (isText(name)) writeFileSync(path, withNewNames(shortened(name, readFileSync(path, "utf8"))));
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 12);
  const to = name.replace(/(\.\w+)$/, `-${hash}$1`);
  renameSync(path, join(dist, to));
  renamed.set(name, to);
}

// wasm-bindgen's snippets keep their names, which the glue spells out with their folders.
const snippets = join(dist, "snippets");
if (existsSync(snippets)) {
  for (const entry of readdirSync(snippets, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && isText(entry.name)) writeFileSync(path, withNewNames(readFileSync(path, "utf8")));
  }
}

// With scripts of our own, Trunk leaves its instruction for the main program in the page; a browser has no
// use for it.
const page = join(dist, "index.html");
const html = readFileSync(page, "utf8")
  .replace(/[ \t]*<link[^>]*\sdata-trunk[\s>][^>]*>\n?/g, "")
  .replace(/[ \t]*<!--[\s\S]*?-->\n?/g, "");
writeFileSync(page, withNewNames(html));

// What the page needs without a network: everything but the reader of files, which is kept once it was loaded.
const worker = join(dist, "service-worker.js");
if (existsSync(worker)) {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(service-worker|reader)/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(dist.length + 1).replaceAll("\\", "/"))
    .sort();
  const digest = createHash("sha256");
  for (const file of files) digest.update(file).update(readFileSync(join(dist, file)));
  const version = digest.digest("hex").slice(0, 12);
  const text = readFileSync(worker, "utf8");
  writeFileSync(worker, text.replace("__VERSION__", version).replace('["__FILES__"]', JSON.stringify(files)));
}
