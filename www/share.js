// What a person takes out of the page as a file: a picture of the tree, and the series behind the charts.

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to save by the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The tree as it is shown, with what it is and where it is found below. */
export function picture(words, link) {
  const layers = [...document.querySelectorAll(".tree canvas")];
  if (layers.length === 0) return;
  const ratio = devicePixelRatio;
  const foot = 40 * ratio;
  const whole = document.createElement("canvas");
  whole.width = layers[0].width;
  whole.height = layers[0].height + foot;
  const ctx = whole.getContext("2d");
  ctx.fillStyle = token("page");
  ctx.fillRect(0, 0, whole.width, whole.height);
  for (const layer of layers) ctx.drawImage(layer, 0, 0);
  const font = getComputedStyle(document.body).fontFamily;
  ctx.textBaseline = "middle";
  ctx.fillStyle = token("ink-1");
  ctx.font = `600 ${12 * ratio}px ${font}`;
  ctx.fillText(words, 8 * ratio, layers[0].height + foot * 0.3);
  ctx.fillStyle = token("ink-3");
  ctx.font = `${11 * ratio}px ${font}`;
  ctx.fillText(link, 8 * ratio, layers[0].height + foot * 0.72, whole.width - 16 * ratio);
  whole.toBlob((blob) => blob && save("balancescope.png", blob));
}

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What the charts hold: a line a sample, a column a line of a chart; empty where there is nothing. */
export function series(link) {
  const charts = bsCharts.all();
  if (charts.length === 0) return;
  const [first] = charts;
  const columns = charts.flatMap(({ title, spec, data }) =>
    spec.series.map(({ label }, i) => {
      const values = spec.stacked && i > 0 ? data[i + 1].map((v, at) => (v ?? 0) - (data[i][at] ?? 0)) : data[i + 1];
      return { name: label ? `${title}: ${label}` : title, values };
    }),
  );
  const head = ["seconds of your time", "simulated ns", ...columns.map(({ name }) => name)];
  const rows = first.data[0].map((x, at) => [x.toFixed(3), first.times[at] ?? "", ...columns.map(({ values }) => values[at] ?? "")]);
  const lines = [`# ${link}`, ...[head, ...rows].map((row) => row.map((cell) => quoted(String(cell))).join(","))];
  save("balancescope.csv", new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }));
}
