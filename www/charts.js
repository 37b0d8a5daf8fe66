// Live line charts: uPlot dressed in the page's tokens. The page calls `bsCharts.create` (see
// src/bin/app/charts.rs); a chart returned by it takes new data, a new theme, and goes.
//
// A spec is { unit: "rate" | "share" | "time", log, stacked, axis, series: [{ label, token, dash, width }] }.

(() => {
  const WINDOW = 10;
  const AXIS = 44;
  const DECADES = 4;

  const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  const short = (value) => {
    if (value >= 1e6) return `${+(value / 1e6).toPrecision(3)}M`;
    if (value >= 1e3) return `${+(value / 1e3).toPrecision(3)}k`;
    return `${+value.toPrecision(3)}`;
  };

  const units = {
    rate: short,
    share: (value) => `${+(value * 100).toPrecision(3)} %`,
    time: (ns) => {
      if (ns >= 1e9) return `${+(ns / 1e9).toPrecision(3)} s`;
      if (ns >= 1e6) return `${+(ns / 1e6).toPrecision(3)} ms`;
      if (ns >= 1e3) return `${+(ns / 1e3).toPrecision(3)} µs`;
      return `${+ns.toPrecision(3)} ns`;
    },
  };

  // The least of 1, 2, 4, 6, 8 times a power of ten that holds the value: its half is a plain number too.
  const roundUp = (value) => {
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 4, 6, 8, 10].find((step) => step * power >= value * 0.999) * power;
  };

  const linear = (_, __, max) => [0, max > 0 ? roundUp(max) : 1];

  const decades = (_, min, max) => {
    if (!(max > 0)) return [1, 100];
    const top = Math.ceil(Math.log10(max * 1.02));
    const bottom = Math.max(Math.floor(Math.log10(min > 0 ? min : max)), top - DECADES);
    return [10 ** Math.min(bottom, top - 1), 10 ** top];
  };

  const linearTicks = (_, __, min, max) => [min, (min + max) / 2, max];

  const decadeTicks = (_, __, min, max) => {
    const from = Math.round(Math.log10(min));
    const to = Math.round(Math.log10(max));
    const step = to - from > 3 ? 2 : 1;
    const ticks = [];
    for (let power = to; power >= from; power -= step) ticks.unshift(10 ** power);
    return ticks;
  };

  // Mean of the first second from an index on: where a line begins, without its first jitter.
  const early = (times, values, at) => {
    let sum = 0;
    let count = 0;
    for (let i = at; i < values.length && times[i] <= times[at] + 1; i += 1) {
      if (values[i] != null) {
        sum += values[i];
        count += 1;
      }
    }
    return count > 0 ? sum / count : 0;
  };

  // Words beside the lines they name, pushed apart where they would touch.
  const drawLabels = (plot, spec, colours) => {
    const { ctx } = plot;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.font = `${11 * ratio}px ${colours.font}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    const placed = [];
    const peak = plot.scales.y.max;
    spec.series.forEach((series, i) => {
      if (!series.label) return;
      const values = plot.data[i + 1];
      if (spec.stacked && i > 0) {
        const thick = values.some((value, at) => value - plot.data[i][at] > peak * 0.06);
        if (!thick) return;
      }
      const from = plot.valToIdx(plot.scales.x.min + 0.6);
      let at = from;
      while (at < values.length && values[at] == null) at += 1;
      if (at >= values.length) return;
      const x = plot.valToPos(Math.max(plot.data[0][at], plot.scales.x.min), "x", true);
      const y = plot.valToPos(early(plot.data[0], values, at), "y", true);
      const wide = ctx.measureText(series.label).width;
      // Before the lines reach the left edge, the empty room in front of them is the place for their names.
      const inFront = x - wide - 5 * ratio;
      if (inFront > plot.bbox.left) placed.push({ text: series.label, x: inFront, y });
      else {
        const most = plot.bbox.left + plot.bbox.width - wide;
        placed.push({ text: series.label, x: Math.min(x + 2 * ratio, most), y: y - 8 * ratio });
      }
    });
    placed.sort((a, b) => a.y - b.y);
    const { top, height } = plot.bbox;
    placed.forEach((label, i) => {
      const least = i > 0 ? placed[i - 1].y + 12 * ratio : top + 6 * ratio;
      label.y = Math.max(label.y, least);
    });
    for (let i = placed.length - 1, most = top + height - 5 * ratio; i >= 0; i -= 1, most -= 12 * ratio) {
      placed[i].y = Math.min(placed[i].y, most);
    }
    ctx.lineWidth = 3 * ratio;
    ctx.lineJoin = "round";
    ctx.strokeStyle = colours.surface;
    ctx.fillStyle = colours.ink;
    for (const { text, x, y } of placed) {
      ctx.strokeText(text, x, y);
      ctx.fillText(text, x, y);
    }
    ctx.restore();
  };

  // A dashed line where a knob was turned, and what to.
  const drawMarks = (plot, marks, colours, words) => {
    const { ctx, bbox } = plot;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.font = `${10.5 * ratio}px ${colours.font}`;
    ctx.textBaseline = "top";
    ctx.setLineDash([2 * ratio, 2 * ratio]);
    ctx.lineWidth = ratio;
    for (const [at, text] of marks) {
      if (at < plot.scales.x.min || at > plot.scales.x.max) continue;
      const x = plot.valToPos(at, "x", true);
      ctx.strokeStyle = colours.ink;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      if (!words) continue;
      const left = x + ctx.measureText(text).width + 6 * ratio > bbox.left + bbox.width;
      ctx.textAlign = left ? "right" : "left";
      ctx.save();
      ctx.setLineDash([]);
      ctx.lineWidth = 3 * ratio;
      ctx.strokeStyle = colours.surface;
      ctx.strokeText(text, x + (left ? -4 : 4) * ratio, bbox.top);
      ctx.restore();
      ctx.fillStyle = colours.ink;
      ctx.fillText(text, x + (left ? -4 : 4) * ratio, bbox.top);
    }
    ctx.restore();
  };

  const optionsOf = (chart) => {
    const { spec, host, readout } = chart;
    const colours = {
      ink: token("ink-2"),
      line: token("line"),
      surface: token("surface"),
      font: getComputedStyle(document.body).fontFamily,
    };
    const say = units[spec.unit];
    // uPlot scales whole numbers of pixels only.
    const font = `11px ${colours.font}`;
    const axis = { stroke: token("ink-3"), font, ticks: { show: false }, gap: 4 };
    const now = () => chart.now;
    return {
      width: Math.max(host.clientWidth, 120),
      height: Math.max(host.clientHeight, 40),
      legend: { show: false },
      padding: [6, 14, spec.axis ? 0 : 6, 0],
      cursor: { sync: { key: "bs" }, drag: { x: false, y: false }, points: { show: false }, y: false },
      select: { show: false },
      scales: {
        x: { time: false, range: () => [now() - WINDOW, now()] },
        y: spec.log ? { distr: 3, log: 10, range: decades } : { range: linear },
      },
      axes: [
        {
          ...axis,
          show: spec.axis,
          size: 20,
          gap: 5,
          grid: { show: false },
          splits: () => [now() - WINDOW, now() - WINDOW / 2, now()],
          values: () => [`−${WINDOW} s`, `−${WINDOW / 2} s`, "now"],
        },
        {
          ...axis,
          size: AXIS,
          grid: { stroke: colours.line, width: 1 },
          splits: spec.log ? decadeTicks : linearTicks,
          values: (_, ticks) => ticks.map((tick) => (tick === 0 ? "0" : say(tick))),
          filter: (_, ticks) => ticks,
        },
      ],
      series: [
        {},
        ...spec.series.map(({ token: name, dash, width }) => ({
          stroke: token(name),
          width: width ?? 1.5,
          dash,
          points: { show: false },
          spanGaps: false,
          fill: spec.stacked ? `${token(name)}55` : undefined,
        })),
      ],
      bands: spec.stacked ? spec.series.slice(1).map((_, i) => ({ series: [i + 2, i + 1] })) : undefined,
      hooks: {
        draw: [
          (plot) => {
            drawMarks(plot, chart.marks, colours, spec.words);
            drawLabels(plot, spec, colours);
          },
        ],
        setCursor: [
          (plot) => {
            const { idx } = plot.cursor;
            if (idx == null || plot.data[0][idx] === undefined) {
              readout.textContent = "";
              return;
            }
            const told = spec.series.map(({ label }, i) => {
              let value = plot.data[i + 1][idx];
              if (value != null && spec.stacked && i > 0) value -= plot.data[i][idx] ?? 0;
              return value == null ? "" : `${label ?? ""} ${say(value)}`.trim();
            });
            readout.textContent = told.filter(Boolean).join("  ");
          },
        ],
      },
    };
  };

  const live = new Set();

  class Chart {
    constructor(host, readout, spec) {
      this.host = host;
      this.readout = readout;
      this.spec = spec;
      this.marks = [];
      this.now = 0;
      this.data = [[], ...spec.series.map(() => [])];
      this.times = [];
      live.add(this);
      this.dress();
      this.watch = new ResizeObserver(() => this.fit());
      this.watch.observe(host);
    }

    // Builds the plot again, in the colours of the theme that holds now.
    dress() {
      this.plot?.destroy();
      this.plot = new uPlot(optionsOf(this), this.data, this.host);
    }

    fit() {
      const { clientWidth: width, clientHeight: height } = this.host;
      if (width > 0 && height > 0 && (width !== this.plot.width || height !== this.plot.height)) {
        this.plot.setSize({ width, height });
      }
    }

    // `columns`: a Float64Array for the axis and one for each series, NaN where there is nothing.
    // `times`: the simulated ns of each.
    update(now, columns, marks, times) {
      this.now = now;
      this.times = times;
      this.marks = marks;
      const { log } = this.spec;
      this.data = columns.map((column, i) =>
        i === 0 ? Array.from(column) : Array.from(column, (v) => (Number.isNaN(v) || (log && v <= 0) ? null : v)),
      );
      this.plot.setData(this.data);
    }

    get title() {
      return this.host.closest("figure")?.querySelector(".chart-title")?.textContent ?? "";
    }

    destroy() {
      live.delete(this);
      this.watch.disconnect();
      this.plot.destroy();
    }
  }

  globalThis.bsCharts = {
    create: (host, readout, spec) => new Chart(host, readout, JSON.parse(spec)),
    all: () => [...live],
  };
})();
