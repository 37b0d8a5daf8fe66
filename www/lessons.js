// Lessons: texts in lessons/*.md, shown beside the laboratory. A lesson opens a scenario, asks a question, runs the
// scenario (and another, if it names one) to a moment, and holds the answer against the numbers of these runs.
// CONTRIBUTING.md says how such a text is written; docs of the figures' names are in src/observe/figures.rs.

/** Parts of the page that a text may point at: `[words](point:tree)`. */
const PARTS = {
  tree: ".stage .tree",
  knobs: ".measured .knobs",
  cost: "#knob-cost",
  load: "#knob-load",
  overload: "#knob-overload",
  charts: ".charts",
  calls: ".charts .chart:nth-of-type(1)",
  moved: ".charts .chart:nth-of-type(2)",
  balancing: ".charts .chart:nth-of-type(3)",
  latency: ".charts .chart:nth-of-type(5)",
  levels: ".levels",
  flag: ".stage-head .chip",
  time: ".strip",
  transport: ".transport",
};

// --- reading -----------------------------------------------------------------------------------------------------

/** Splits a lesson into its settings, its text, and the text for afterwards. */
export function parse(source) {
  const [, head = "", body = source] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source.replaceAll("\r\n", "\n")) ?? [];
  const settings = { choices: [] };
  for (const line of head.split("\n")) {
    const choice = /^- (.*?): (.*)$/.exec(line);
    const setting = /^(\w+): ?(.*)$/.exec(line);
    if (choice) settings.choices.push({ range: rangeOf(choice[1]), words: choice[2] });
    else if (setting && setting[1] !== "choices") settings[setting[1]] = setting[2].trim();
  }
  const [text, ...after] = body.split(/^## What happened$/m);
  return { ...settings, text, after: after.join("") };
}

/** `below 0.8`, `0.8 to 1.25`, `above 3`: from one number up to, but not with, another. */
function rangeOf(words) {
  const between = /^([\d.]+) to ([\d.]+)$/.exec(words);
  if (between) return [Number(between[1]), Number(between[2])];
  const [, side, number] = /^(below|above) ([\d.]+)$/.exec(words) ?? [];
  return side === "below" ? [-Infinity, Number(number)] : [Number(number), Infinity];
}

/** A simulated time such as 200ms, in ns. */
const time = (text) => {
  const [, number, unit] = /^([\d.]+)(us|ms|s)$/.exec(text ?? "") ?? [];
  return Math.round(Number(number) * { us: 1e3, ms: 1e6, s: 1e9 }[unit]);
};

// --- figures -----------------------------------------------------------------------------------------------------

/** A figure of a run; see `figure` in src/observe/figures.rs, which tests hold lessons against. */
export function figure(figures, name) {
  const [a, b] = name.split("/");
  if (b !== undefined) return figures[b] > 0 ? figures[a] / figures[b] : undefined;
  if (name.endsWith("_per_s")) return figures.now_ns > 0 ? (figures[name.slice(0, -6)] * 1e9) / figures.now_ns : undefined;
  return figures[name];
}

const short = (value) => {
  if (value === undefined || Number.isNaN(value)) return "–";
  const abs = Math.abs(value);
  if (abs >= 1e6) return `${+(value / 1e6).toPrecision(3)} M`;
  if (abs >= 1e4) return `${+(value / 1e3).toPrecision(3)} k`;
  return abs >= 100 ? `${Math.round(value)}` : `${+value.toPrecision(3)}`;
};

const written = (name, value) => {
  if (value === undefined) return "–";
  if (name.includes("/")) return `${+(value * 100).toPrecision(3)} %`;
  return name.endsWith("_per_s") ? `${short(value)}/s` : short(value);
};

// --- writing -----------------------------------------------------------------------------------------------------

/** An element with attributes and children; text is never read as markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** What stands within a line: `code`, **strong**, *emphasis*, [words](where). */
function inline(text, lesson) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/);
  return parts.filter(Boolean).map((part) => {
    if (/^`.+`$/.test(part)) return make("code", {}, part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return make("strong", {}, ...inline(part.slice(2, -2), lesson));
    if (/^\*.+\*$/.test(part)) return make("em", {}, part.slice(1, -1));
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    return link ? pointer(link[1], link[2], lesson) : part;
  });
}

/** Words that point at a part of the page, open another scenario beside the lesson, or lead elsewhere. */
function pointer(words, where, lesson) {
  if (where.startsWith("point:")) {
    const part = () => document.querySelector(PARTS[where.slice(6)] ?? "#none");
    const mark = (on) => () => part()?.classList.toggle("pointed", on);
    const look = () => {
      part()?.scrollIntoView({ block: "nearest" });
      mark(true)();
    };
    return make(
      "button",
      { type: "button", class: "pointer", mouseenter: mark(true), mouseleave: mark(false), focus: mark(true), blur: mark(false), click: look },
      words,
    );
  }
  if (where.startsWith("#")) {
    const open = () => lesson.hand("open", withLesson(where.slice(1), lesson.name));
    return make("button", { type: "button", class: "pointer", click: open }, words);
  }
  return make("a", /^https:\/\//.test(where) ? { href: where, rel: "noopener", target: "_blank" } : {}, words);
}

/** The subset of Markdown that lessons are written in: headings, paragraphs, lists, tables, code. */
export function markdown(text, lesson) {
  const within = (line) => inline(line, lesson);
  return text.trim().split(/\n{2,}/).filter(Boolean).map((block) => {
    const lines = block.split("\n");
    if (block.startsWith("```")) return make("pre", { tabindex: "0" }, make("code", {}, lines.slice(1, -1).join("\n")));
    if (/^#{2,3} /.test(block)) return make("h2", {}, ...within(block.replace(/^#+ /, "")));
    if (lines.every((line) => /^[-*] /.test(line))) return make("ul", {}, ...lines.map((l) => make("li", {}, ...within(l.slice(2)))));
    if (lines.every((line) => /^\d+\. /.test(line))) {
      return make("ol", {}, ...lines.map((l) => make("li", {}, ...within(l.replace(/^\d+\. /, "")))));
    }
    if (lines.every((line) => line.startsWith("|"))) return table(lines, within);
    return make("p", {}, ...within(lines.join(" ")));
  });
}

function table(lines, within) {
  const cells = (line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const [head, , ...rows] = lines;
  const row = (line, tag) => make("tr", {}, ...cells(line).map((cell) => make(tag, {}, ...within(cell))));
  return make("table", {}, make("thead", {}, row(head, "th")), make("tbody", {}, ...rows.map((line) => row(line, "td"))));
}

// --- a lesson ----------------------------------------------------------------------------------------------------

const fetched = async (path) => {
  const response = await fetch(new URL(path, document.baseURI));
  if (!response.ok) throw new Error(`${path} is not there`);
  return response;
};

const withLesson = (fragment, name) => [fragment, `lesson=${name}`].filter(Boolean).join("&");

/** Resolves once `test` holds, looked at once a frame of the screen; rejects when the lesson was left. */
const once = (lesson, test) =>
  new Promise((resolve, reject) => {
    const look = () => {
      if (lesson.left) reject(new Error("left"));
      else if (test()) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });

/** Runs a scenario to the lesson's moment, so that it can be watched, and returns the figures there. */
async function run(lesson, fragment, say, skip) {
  const until = time(lesson.for);
  const standing = () => document.documentElement.dataset.phase === "paused";
  const figures = () => lesson.hand("figures", "");
  lesson.hand("open", withLesson(fragment ? `${fragment}&at=0s` : "at=0s", lesson.name));
  await once(lesson, () => figures()?.now_ns === 0 && standing());
  lesson.hand("play", String(time(lesson.speed ?? "20ms")));
  const began = performance.now();
  await once(lesson, () => {
    const now = figures()?.now_ns ?? 0;
    say(Math.min(now / until, 1));
    // A machine that cannot keep up, or a person who has seen enough, goes to the end at once.
    return now >= until || skip.asked || performance.now() - began > 20_000;
  });
  lesson.hand("seek", String(until));
  await once(lesson, () => figures()?.now_ns === until && standing());
  return figures();
}

/** Both runs, the comparison, and what it means for the answer. */
async function answer(lesson, chosen, place) {
  const names = (lesson.names ?? "").split("|").map((name) => name.trim());
  const scenarios = [lesson.scenario ?? "", lesson.against].filter((fragment) => fragment !== undefined);
  const skip = { asked: false };
  const bar = make("progress", { max: "1", value: "0", "aria-label": "How far the run is" });
  const words = make("p", { role: "status" });
  const skipper = make("button", { type: "button", click: () => (skip.asked = true) }, "Skip to the end");
  place.replaceChildren(words, bar, skipper);
  const runs = [];
  for (const [i, fragment] of scenarios.entries()) {
    skip.asked = false;
    words.textContent = scenarios.length > 1 ? `Running ${i + 1} of ${scenarios.length}: ${names[i] ?? ""}` : "Running";
    runs.push(await run(lesson, fragment, (share) => (bar.value = share), skip));
  }
  const measured = runs.map((figures) => figure(figures, lesson.measure));
  const ratio = runs.length > 1 ? measured[1] / measured[0] : measured[0];
  const right = lesson.choices.findIndex(({ range: [from, to] }) => ratio >= from && ratio < to);
  place.replaceChildren(...verdict(lesson, chosen, right), ...results(lesson, names, runs));
  place.append(...markdown(filled(lesson.after, runs, ratio), lesson));
  place.querySelector(".verdict").focus();
}

function verdict(lesson, chosen, right) {
  const seen = lesson.choices[right]?.words ?? "none of these";
  const words = chosen === right ? `As you said: ${seen}.` : `You said: ${lesson.choices[chosen].words}. It is: ${seen}.`;
  return [make("p", { class: "verdict", role: "status", tabindex: "-1" }, make("b", {}, words))];
}

/** A table of what the runs came to, with bars. */
function results(lesson, names, runs) {
  const shows = (lesson.shows ?? lesson.measure).split(",").map((show) => show.trim().split(/ as /));
  const row = ([name, words]) => {
    const values = runs.map((figures) => figure(figures, name));
    const most = Math.max(...values.map((value) => value ?? 0));
    const cells = values.map((value) => {
      const bar = make("i", { class: "lesson-bar" });
      bar.style.setProperty("--share", String(most > 0 ? (value ?? 0) / most : 0));
      return make("td", {}, written(name, value), bar);
    });
    return make("tr", {}, make("th", { scope: "row" }, words ?? name), ...cells);
  };
  const head = make("tr", {}, make("td", {}), ...runs.map((_, i) => make("th", { scope: "col" }, names[i] ?? "")));
  const caption = make("caption", {}, `Measured just now, over ${lesson.for} of simulated time`);
  return [make("div", { class: "lesson-table" }, make("table", {}, caption, make("thead", {}, head), make("tbody", {}, ...shows.map(row))))];
}

/** Puts numbers of the runs into the text: `{a.all_calls}`, `{b.done_per_s}`, `{ratio}`. */
const filled = (text, runs, ratio) =>
  text.replace(/\{(?:(a|b)\.([\w/]+)|ratio)\}/g, (_, side, name) => {
    if (!side) return short(ratio);
    const figures = runs[side === "a" ? 0 : 1];
    return figures ? written(name, figure(figures, name)) : "–";
  });

/** The question, its choices, and the button that lets time go on. */
function question(lesson, place) {
  const radios = lesson.choices.map(({ words }, i) => {
    const input = make("input", { type: "radio", name: "answer", value: String(i), change: () => (go.disabled = false) });
    return make("label", { class: "answer" }, input, make("span", {}, words));
  });
  const go = make("button", { type: "submit", class: "primary", disabled: true }, "Answer and see");
  const submit = (event) => {
    event.preventDefault();
    const chosen = Number(new FormData(event.target).get("answer"));
    form.querySelectorAll("input, button").forEach((control) => (control.disabled = true));
    answer(lesson, chosen, place).catch((error) => {
      if (error.message !== "left") place.textContent = `The run could not be made: ${error.message}`;
    });
  };
  const form = make("form", { submit }, make("fieldset", { class: "question" }, make("legend", {}, lesson.question), ...radios), go);
  return form;
}

function page(lesson, list, at) {
  const place = make("div", { class: "outcome" });
  const near = (i, words) =>
    list[i]
      ? make("button", { type: "button", class: "plain", click: () => lesson.hand("open", withLesson(`${list[i].scenario}&at=0s`, list[i].name)) }, words(list[i].title))
      : make("span");
  return [
    make("p", { class: "hint" }, `Lesson ${at + 1} of ${list.length} `, make("button", { type: "button", class: "plain", click: () => lesson.hand("list", "") }, "All lessons")),
    make("h1", { tabindex: "-1" }, lesson.title),
    ...markdown(lesson.text, lesson),
    question(lesson, place),
    place,
    make("div", { class: "lesson-foot" },
      near(at - 1, (title) => `‹ ${title}`),
      make("button", { type: "button", click: () => lesson.hand("lab", "") }, "Open in the Lab"),
      near(at + 1, (title) => `${title} ›`)),
  ];
}

function overview(lesson, list) {
  const open = (entry) => () => lesson.hand("open", withLesson(`${entry.scenario}&at=0s`, entry.name));
  return [
    make("h1", {}, "Lessons"),
    make("p", {}, "Each asks you to say what will happen before you press play, and then lets you see."),
    make("ol", { class: "lesson-list" }, ...list.map((entry, i) =>
      make("li", {}, make("button", { type: "button", click: open(entry) }, make("b", {}, `${i + 1}. ${entry.title}`), make("span", { class: "hint" }, entry.about ?? ""))))),
  ];
}

/** Shows the lesson of that name, or all of them, in `host`. */
export async function show(host, name, hand) {
  const lesson = { name, hand, left: false };
  host.addEventListener("leave", () => {
    lesson.left = true;
    document.querySelectorAll(".pointed").forEach((part) => part.classList.remove("pointed"));
  }, { once: true });
  const list = await (await fetched("lessons/index.json")).json();
  const at = list.findIndex((entry) => entry.name === name);
  if (lesson.left) return;
  if (at < 0) {
    const missing = name ? [make("p", { class: "caution", role: "alert" }, `There is no lesson ${name}; these are there.`)] : [];
    host.replaceChildren(...missing, ...overview(lesson, list));
    return;
  }
  Object.assign(lesson, parse(await (await fetched(`lessons/${name}.md`)).text()));
  if (!lesson.left) host.replaceChildren(...page(lesson, list, at));
}
