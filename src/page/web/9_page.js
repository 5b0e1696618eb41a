// Data, and all sections put together.

function spark(column) {
  if (!column.shape) return "";
  const bars = Array.from(column.shape, (digit, i) => `M${6 * i},18v-${2 * digit}h5v${2 * digit}z`); // one path: a table has hundreds of bars
  return s("svg", { viewBox: "0 0 96 18", width: 96, height: 18, "aria-hidden": "true" }, s("path", { class: "spark", d: bars.join("") }));
}

function rangeOf(column) {
  if (column.aside) return ["set aside"];
  if (column.frequent) {
    return column.frequent.slice(0, 3).flatMap(([level, rows], i) => [i ? ", " : "", h("bdi", {}, shortened(level, 24)), ` ${percent(rows / data.rows, 0)}`]).concat(column.levels > 3 ? ` and ${column.levels - 3} more` : "");
  }
  return column.min === column.max ? [`always ${number(column.min)}`] : [`${number(column.min)} to ${number(column.max)}, mean ${number(column.mean)}`];
}

const missingOf = new Map(data.missing.cells); // by the column's place
const missingIn = (column) => missingOf.get(column.index) ?? 0;

function missingText(how) {
  const cells = [...missingOf.values()].reduce((sum, some) => sum + some, 0);
  if (!cells) return "there are none";
  const became = {
    drop: `${count(data.missing.rows - data.rows)} of ${plural(data.missing.rows, "row")} were dropped`,
    mean: "filled with the mean, or the most frequent category",
    error: "all of them in columns that were set aside",
  };
  return `${plural(cells, "cell")} in ${plural(missingOf.size, "column")}: ${became[how] || how}`;
}

function columnsTable() {
  const aside = ignored.map((entry) => ({ name: entry.name, index: entry.index, type: entry.reason === "missing" ? "mostly empty" : entry.reason, aside: true }));
  const rows = [...data.columns, ...aside].sort((a, b) => a.index - b.index);
  const columns = [
    { title: "#", width: "w-num", number: true, value: (c) => c.index, cell: (c) => String(c.index + 1) },
    { title: "Column", width: "w-name", value: (c) => c.name, cell: (c) => named(c.name) },
    { title: "Type", width: "w-state", value: (c) => (c.label ? "label, " : "") + c.type, cell: (c) => (c.label ? "label, " : "") + c.type },
  ];
  if (missingOf.size) columns.push({ title: "Missing", width: "w-missing", number: true, value: missingIn, cell: (c) => (missingIn(c) ? `${count(missingIn(c))} (${percent(missingIn(c) / data.missing.rows)})` : "none") });
  columns.push({ title: "Shape", width: "w-shape", cell: spark },
    { title: "Values", width: "w-wide", value: (c) => (c.frequent ? c.frequent.map(([level]) => level).join(" ") : c.min ?? ""), cell: rangeOf });
  return longTable({ caption: "Columns of the table", rows, columns }).element;
}

const commandText = (command) => h("code", { class: "command" }, h("bdi", {},
  shortened(command, 1000).split(" ").map((word, i) => [i ? " " : "", h("span", { class: "word" }, word)])));

function dataSection() {
  const made = data.making;
  const warnings = allWarnings();
  const missing = (reduce.parameters || {}).missing;
  const facts = [
    ["Table", h("bdi", {}, shortened(reduce.data.source, 300))],
    ["Rows, columns", `${count(data.rows)}, ${count(features.length)}${label ? " and the label" : ""}`],
    missing ? ["Missing values", missingText(missing)] : null,
    ["Made by", commandText(made.command)],
    ...Object.entries(made.commands).map(([what, command]) => [`The ${what} part`, commandText(command)]),
    ["Version, seed", `fsieve ${made.fsieve}, ${made.seed}`],
    made.time ? ["Time", `${made.time.replace("T", " ").replace("Z", " UTC")}${made.seconds !== undefined ? `, took ${number(made.seconds, 2)} s` : ""}`] : null,
    ["As JSON", [h("code", {}, "fsieve show report.html --json"), ", or the element ", h("code", {}, "fsieve-report"), " of this file"]],
  ].filter(Boolean);
  return [
    h("dl", {}, facts.flatMap(([what, value]) => [h("dt", {}, what), h("dd", {}, value)])),
    warnings.length ? [h("h3", {}, "Warnings"), h("ul", { class: "plain" }, warnings.slice(0, 30).map((warning) => h("li", {}, h("bdi", {}, shortened(warning, 500)))))] : null,
    h("h3", {}, "Columns"), columnsTable(),
  ];
}

function fillPage() {
  const source = reduce.data.source;
  const title = source === "-" ? "standard input" : source.split("/").pop();
  document.title = `${shortened(title, 80)}: fsieve report`;
  document.getElementById("title").replaceChildren(h("bdi", {}, shortened(title, 120)));
  const about = [`${plural(data.rows, "row")}, ${plural(features.length, "column")}`];
  if (label) about.push(", label ", named(label.name), isNumber ? " (a number)" : classes.length ? ` (${classes.length} classes)` : "");
  document.getElementById("subtitle").append(...about);
  const sections = [
    ["short", "In short", shortSection],
    ["redundancy", "Redundancy", redundancySection],
    ["relevance", "Relevance", relevanceSection],
    ["rule", "The rule", ruleSection],
    ["data", "Data", dataSection],
  ];
  const main = document.getElementById("main"), nav = document.getElementById("nav");
  for (const [id, title_, fill] of sections) {
    nav.append(h("a", { href: `#${id}` }, title_));
    main.append(h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title_), fill().flat(Infinity).filter(Boolean)));
  }
  document.getElementById("made").textContent = `Made by fsieve ${data.making.fsieve}. The page needs no network and sends nothing.`;
}

fillPage();
