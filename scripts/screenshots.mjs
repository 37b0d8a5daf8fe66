// Pictures of the built page for people to look at: node scripts/screenshots.mjs [--readme] [WORD...]
// They go to tests/browser/out/; with words, only those whose name holds one of them. `--readme` also
// replaces docs/screenshot.png.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { factWhen, launch, root, site, watchedPage } from "../tests/browser/harness.mjs";

const MACHINES = { 8: "1x4x2", 96: "2x24x2", 384: "gnr-2x96x2-snc3" };
const SIZES = { 1280: { width: 1280, height: 800 }, 390: { width: 390, height: 844 } };
const README = "96-1280-light";
/** Simulated time before a picture is taken: the queues have filled and the charts have something to show. */
const SETTLED_NS = 2_000_000;

const words = process.argv.slice(2).filter((word) => word !== "--readme");
const wanted = (name) => words.length === 0 || words.some((word) => name.includes(word));
const out = join(root, "tests", "browser", "out");
mkdirSync(out, { recursive: true });

const { url, close } = await site();
const browser = await launch();
let troubled = false;

async function picture(name, cpus, size, colorScheme) {
  const phone = size.width < 600;
  const page = await watchedPage(browser, {
    viewport: size,
    colorScheme,
    deviceScaleFactor: phone ? 2 : 1,
    isMobile: phone,
    hasTouch: phone,
  });
  await page.goto(`${url}#machine=${MACHINES[cpus]}&load=0.7`);
  await factWhen(page, "cpus", (count) => Number(count) === Number(cpus), `the machine of ${name}`);
  await factWhen(page, "nowNs", (now) => Number(now) >= SETTLED_NS, `${name} did not get under way`);
  // Long enough for the charts, which show seconds of the run, to draw a line.
  await page.waitForTimeout(3_000);
  const path = join(out, `${name}.png`);
  await page.screenshot({ path });
  for (const trouble of page.trouble) console.error(`${name}: ${trouble}`);
  troubled ||= page.trouble.length > 0;
  await page.context().close();
  console.log(path);
}

try {
  for (const cpus of Object.keys(MACHINES)) {
    for (const [width, size] of Object.entries(SIZES)) {
      for (const scheme of ["light", "dark"]) {
        const name = `${cpus}-${width}-${scheme}`;
        if (wanted(name)) await picture(name, cpus, size, scheme);
      }
    }
  }
  if (process.argv.includes("--readme")) {
    mkdirSync(join(root, "docs"), { recursive: true });
    copyFileSync(join(out, `${README}.png`), join(root, "docs", "screenshot.png"));
  }
} finally {
  await browser.close();
  await close();
}
process.exitCode = troubled ? 1 : 0;
