// The plots of docs/published.md as SVG.

const STYLE = `<style>
text { font: 12px system-ui, sans-serif; fill: #333 }
.grid { stroke: #ddd; fill: none }
.even { stroke: #888; stroke-dasharray: 4 4; fill: none }
.holds { fill: #0b63a5 }
.missed { fill: #fff; stroke: #b3261e; stroke-width: 1.5 }
.line { fill: none; stroke-width: 1.5 }
</style>`;

const svg = (width, height, title, body) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>${title}</title>
${STYLE}
<rect width="${width}" height="${height}" fill="#fff"/>
${body.join("\n")}
</svg>
`;

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Ours over the published value, a line a row, on a scale of decades; values of other signs have no place there. */
export function ratioPlot(rows) {
  const [left, right, top, step] = [190, 24, 64, 22];
  const width = 720;
  const height = top + rows.length * step + 40;
  const span = 3;
  const x = (ratio) => left + ((Math.log10(ratio) + span) / (2 * span)) * (width - left - right);
  const at = (value) => value.toFixed(1);
  const held = (ratio) => Math.min(10 ** span, Math.max(10 ** -span, ratio));
  const columns = [-3, -2, -1, 0, 1, 2, 3].map((power) => {
    const here = at(x(10 ** power));
    const name = power < 0 ? `1/${10 ** -power}` : String(10 ** power);
    return `<path class="${power === 0 ? "even" : "grid"}" d="M${here} ${top - 12}V${height - 36}"/>
<text x="${here}" y="${height - 20}" text-anchor="middle">${name}</text>`;
  });
  const lines = rows.map((values, i) => {
    const y = top + i * step;
    const drawn = values.filter((v) => v.ours !== null && v.ours / v.published > 0);
    const marks = drawn.map(
      (v) => `<circle class="${v.holds ? "holds" : "missed"}" cx="${at(x(held(v.ours / v.published)))}" cy="${y}" r="4"/>`,
    );
    const rest = values.length - drawn.length;
    const note = rest > 0 ? `<text x="${width - right}" y="${y + 4}" text-anchor="end">+ ${rest}</text>` : "";
    return `<text x="${left - 10}" y="${y + 4}" text-anchor="end">${values[0].id}</text>\n${marks.join("\n")}${note}`;
  });
  const head = `<text x="${left}" y="20">Ours over the published value. Full: holds. Hollow: missed.</text>
<text x="${left}" y="38">At the right: values with no such ratio (0, another sign, not measured).</text>`;
  return svg(width, height, "Our values over the published ones", [head, ...columns, ...lines]);
}

const COLOURS = ["#0b63a5", "#b3261e", "#2e7d32", "#8e24aa", "#ef6c00", "#00838f", "#6d4c41", "#455a64"];
const MARKS = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="4"/>`,
  (x, y) => `<rect x="${x - 4}" y="${y - 4}" width="8" height="8"/>`,
  (x, y) => `<path d="M${x} ${y - 5}L${x + 5} ${y + 4}H${x - 5}Z"/>`,
  (x, y) => `<path d="M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z"/>`,
];

/** Node CPU against p99 of the response time and against what is served, at the two highest loads. */
export function frontierPlot(points) {
  const loads = [...new Set(points.map((p) => p.load))].sort((a, b) => Number(a) - Number(b)).slice(-2);
  const gates = [...new Set(points.map((p) => p.gate))];
  const [panel, gap, top, tall] = [300, 70, 60, 220];
  const width = 2 * panel + 2 * gap + 20;
  const height = loads.length * (tall + 70) + 40 + Math.ceil(gates.length / 2) * 18;
  const at = (value) => Number(value.toFixed(1));
  const body = loads.flatMap((load, row) => {
    const here = points.filter((p) => p.load === load);
    const base = top + row * (tall + 70);
    return [
      ["response", "response p99, us"],
      ["served", "served a second"],
    ].flatMap(([key, name], column) => {
      const left = gap + column * (panel + gap);
      const range = (values) => {
        const [low, high] = [Math.min(...values), Math.max(...values)];
        const margin = (high - low) * 0.12 || Math.abs(high) * 0.01 || 1;
        return [low - margin, high + margin];
      };
      const [x0, x1] = range(here.map((p) => p.node));
      const [y0, y1] = range(here.map((p) => p[key]));
      const x = (v) => at(left + ((v - x0) / (x1 - x0)) * panel);
      const y = (v) => at(base + tall - ((v - y0) / (y1 - y0)) * tall);
      const ticks = [0.15, 0.5, 0.85].flatMap((part) => {
        const [vx, vy] = [x0 + part * (x1 - x0), y0 + part * (y1 - y0)];
        return [
          `<path class="grid" d="M${x(vx)} ${base}V${base + tall}M${left} ${y(vy)}H${left + panel}"/>`,
          `<text x="${x(vx)}" y="${base + tall + 16}" text-anchor="middle">${vx.toFixed(2)}</text>`,
          `<text x="${left - 6}" y="${y(vy) + 4}" text-anchor="end">${vy.toFixed(0)}</text>`,
        ];
      });
      const marks = here.map((p) => {
        const i = gates.indexOf(p.gate);
        return `<g fill="${COLOURS[i % COLOURS.length]}">${MARKS[i % MARKS.length](x(p.node), y(p[key]))}</g>`;
      });
      const head = `<text x="${left}" y="${base - 8}">load ${load}: ${name}, by node CPU in %</text>`;
      return [head, ...ticks, ...marks];
    });
  });
  const legend = gates.map((gate, i) => {
    const [x, y] = [gap + (i % 2) * (panel + gap), height - 14 - (Math.ceil(gates.length / 2) - 1 - Math.floor(i / 2)) * 18];
    const short = gate.length > 46 ? `${gate.slice(0, 45)}…` : gate;
    return `<g fill="${COLOURS[i % COLOURS.length]}">${MARKS[i % MARKS.length](x, y - 4)}</g>
<text x="${x + 12}" y="${y}">${escaped(short)}</text>`;
  });
  const head = `<text x="${gap}" y="24">The newidle gates side by side: left and low is better at the left, left and high at the right.</text>`;
  return svg(width, height, "Node CPU against response time and throughput, a point a gate", [head, ...body, ...legend]);
}
