// Draws what a simulated second costs on machines of different sizes against the events in it: a picture for docs/.

const WIDTH = 640;
const HEIGHT = 420;
const EDGE = { left: 72, right: 24, top: 52, bottom: 56 };

/** Powers of ten around some values. */
const decades = (values) => {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
};

const count = (power) => (power >= 6 ? `${10 ** (power - 6)} M` : `${10 ** (power - 3)} k`);
const time = (power) => (power < 0 ? `${10 ** (power + 3)} ms` : `${10 ** power} s`);

/** `sizes`: cpus, events in a simulated second, seconds that one takes. Returns SVG. */
export function scalePlot(sizes) {
  const xs = decades(sizes.map((size) => size.events));
  const ys = decades(sizes.map((size) => size.seconds));
  const scale = (powers, from, to) => (value) =>
    from + ((Math.log10(value) - powers[0]) / (powers.at(-1) - powers[0])) * (to - from);
  const x = scale(xs, EDGE.left, WIDTH - EDGE.right);
  const y = scale(ys, HEIGHT - EDGE.bottom, EDGE.top);
  const at = (value) => value.toFixed(1);
  const [first] = sizes;
  const ends = [first, sizes.at(-1)].map(({ events }) => [events, (first.seconds / first.events) * events]);
  const columns = xs.map((power) => {
    const left = at(x(10 ** power));
    return `<path class="grid" d="M${left} ${EDGE.top}V${HEIGHT - EDGE.bottom}"/>
<text x="${left}" y="${HEIGHT - EDGE.bottom + 18}" text-anchor="middle">${count(power)}</text>`;
  });
  const lines = ys.map((power) => {
    const top = y(10 ** power);
    return `<path class="grid" d="M${EDGE.left} ${at(top)}H${WIDTH - EDGE.right}"/>
<text x="${EDGE.left - 8}" y="${at(top + 4)}" text-anchor="end">${time(power)}</text>`;
  });
  const even = ends.map(([events, seconds], i) => `${i ? "L" : "M"}${at(x(events))} ${at(y(seconds))}`).join("");
  const points = sizes.map(
    ({ cpus, events, seconds }) => `<circle cx="${at(x(events))}" cy="${at(y(seconds))}" r="4"/>
<text x="${at(x(events) - 8)}" y="${at(y(seconds) - 6)}" text-anchor="end">${cpus}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">
<title>What a simulated second costs, by the events in it</title>
<style>
text { font: 12px system-ui, sans-serif; fill: #333 }
.grid { stroke: #ddd; fill: none }
.even { stroke: #888; stroke-dasharray: 4 4; fill: none }
circle { fill: #0b63a5 }
</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${EDGE.left}" y="20">What a simulated second costs natively, on machines of 8 to 1024 CPUs</text>
<text x="${EDGE.left}" y="38">Load 0.9, 6.6. Dashed: every event costs what it does on 8 CPUs.</text>
${[...columns, ...lines].join("\n")}
<path class="even" d="${even}"/>
${points.join("\n")}
<text x="${(WIDTH + EDGE.left) / 2}" y="${HEIGHT - 14}" text-anchor="middle">events in a simulated second</text>
</svg>
`;
}
