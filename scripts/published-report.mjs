// Writes docs/published.md and its plots from `balancescope published --json` and a sweep of the newidle gates:
//   node scripts/published-report.mjs published.json gates.jsonl
// The same input gives the same files, byte for byte.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { frontierPlot, ratioPlot } from "./published-plots.mjs";

const docs = new URL("../docs/", import.meta.url);
// Where `./dev serve` serves the page.
const PAGE = "http://127.0.0.1:8080/#";

/** Values of one row together, in the order in which they came. */
const byRow = (values) => {
  const rows = new Map();
  for (const value of values) rows.set(value.id, [...(rows.get(value.id) ?? []), value]);
  return [...rows.values()];
};

const number = (value) => {
  if (value === null) return "–";
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return value.toFixed(size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4);
};

const verdict = ({ holds }) => (holds === null ? "not measured" : holds ? "holds" : "**missed**");

const inCell = (text) => text.replaceAll("|", "\\|");

function rowOf(values) {
  const [first] = values;
  const kept = values.filter((value) => value.holds).length;
  const spread = ({ spread }) => (spread === null ? "" : ` ± ${number(spread)}`);
  const link = ({ link }) => (link === null ? "" : `[open](${PAGE}${link.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll(" ", "%20")})`);
  const lines = values.map(
    (value) => `| ${number(value.published)} | ${number(value.ours)}${spread(value)} | ${verdict(value)} | ${link(value)} |`,
  );
  const about = [
    `${inCell(first.quantity)}. Tolerance: ${first.tolerance}. Source: ${first.source}.`,
    first.assumed && `Assumed: ${first.assumed}`,
    first.fitted && `Fitted to this row: ${first.fitted}.`,
    first.missed && `**Why it is missed.** ${first.missed}`,
  ];
  return [
    `## ${first.id}`,
    `Kind: ${first.kind}. ${kept} of ${values.length} values hold.`,
    ...about.filter(Boolean),
    ["| published | ours | | |", "|---|---|---|---|", ...lines].join("\n"),
  ].join("\n\n");
}

function overview(rows) {
  const lines = rows.map((values) => {
    const kept = values.filter((value) => value.holds).length;
    const [{ id, kind }] = values;
    return `| [${id}](#${id}) | ${kind} | ${kept} of ${values.length} | ${kept === values.length ? "holds" : "**missed**"} |`;
  });
  return ["| row | kind | values that hold | |", "|---|---|---|---|", ...lines].join("\n");
}

/** One point for each gate and load. */
const points = (lines) =>
  lines.map(({ vary, cpu, throughput_per_s, response_ns, latency_ns }) => ({
    load: vary.load,
    gate: vary.policy,
    node: 100 * (1 - cpu.idle),
    balance: 100 * cpu.balance,
    served: throughput_per_s,
    response: response_ns.p99 / 1000,
    latency: latency_ns.p99 / 1000,
  }));

function gatesTable(all) {
  const lines = all.map(
    (p) =>
      `| ${p.load} | \`${inCell(p.gate)}\` | ${p.node.toFixed(2)} | ${p.balance.toFixed(2)} | ${p.served.toFixed(0)} | ${p.response.toFixed(0)} | ${p.latency.toFixed(0)} |`,
  );
  return [
    "| load | gate | node CPU, % | balancing, % | served a second | response p99, us | wake-up p99, us |",
    "|---|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

const [publishedFile, gatesFile] = process.argv.slice(2);
if (!gatesFile) {
  console.error("Give the two files: published.json gates.jsonl");
  process.exit(2);
}
const values = JSON.parse(await readFile(publishedFile, "utf8"));
const lines = (await readFile(gatesFile, "utf8")).trim().split("\n").map((line) => JSON.parse(line));
const rows = byRow(values);
const gates = points(lines);
const kept = rows.filter((row) => row.every((value) => value.holds)).length;
const words = await readFile(new URL("published-words.md", import.meta.url), "utf8");
const [opening, aboutGates] = words.split("<!-- rows -->\n");
const text = [
  opening.trim(),
  `${kept} of ${rows.length} rows hold in all their values, ${values.filter((v) => v.holds).length} of ${values.length} values do.`,
  overview(rows),
  "![Our values over the published ones](published.svg)",
  ...rows.map(rowOf),
  aboutGates.trim(),
  "![Node CPU against response time, a point a gate](gates.svg)",
  gatesTable(gates),
];
const write = (name, content) => writeFile(fileURLToPath(new URL(name, docs)), content);
await write("published.md", `${text.join("\n\n")}\n`);
await write("published.svg", ratioPlot(rows));
await write("gates.svg", frontierPlot(gates));
