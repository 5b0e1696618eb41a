// Redundancy: which columns follow from which, the equations, and how well they hold row by row.

const MOST_DRAWN = 40; // targets in the graph
const MOST_LINKS = 120;
const NODE = 24; // pixels between two nodes

const stateWord = { kept: "kept", undecided: "kept, undecided", redundant: "removed", constant: "constant", saturated: "removed" };
const stateKind = (column) => (column.kept ? "kept" : column.state === "constant" ? "aside" : "gone");

function equationLines(column) {
  if (column.equations.length === 0) return [h("span", {}, "no equation")];
  const lines = column.equations.slice(0, 4).map((equation) =>
    h("span", { class: "equation" }, h("bdi", {}, shortened(equation.text, 400)), ` (R² ${share(equation.r2)}${equation.r2_fit === undefined ? "" : `, of the fit ${share(equation.r2_fit)}`})`));
  if (column.equations.length > 4) lines.push(h("span", {}, `and ${column.equations.length - 4} more`));
  return lines;
}

// The simplest relations, as many as the eye can follow.
function drawable(targets) {
  let links = 0;
  return targets.slice().sort((a, b) => a.sources.length - b.sources.length || a.index - b.index)
    .filter((column, i) => i < MOST_DRAWN && (i < 3 || (links += column.sources.length) <= MOST_LINKS))
    .sort((a, b) => a.index - b.index);
}

// Left the columns that explain, right those that follow from them.
function relationGraph(drawn, choose) {
  const places = new Map();
  drawn.forEach((column, i) => column.sources.forEach((name) => {
    if (!places.has(name)) places.set(name, []);
    places.get(name).push(i);
  }));
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const sources = [...places.keys()].sort((a, b) => mean(places.get(a)) - mean(places.get(b)));
  const rows = Math.max(drawn.length, sources.length, 1);
  const width = 520, height = rows * NODE + 16, left = 180, right = 340;
  const y = (i, n) => 8 + NODE / 2 + ((i + 0.5) * rows * NODE) / n - NODE / 2;
  const lit = [];
  const links = s("g", {});
  const nodes = s("g", {});
  drawn.forEach((column, i) => {
    for (const name of column.sources) {
      const from = y(sources.indexOf(name), sources.length), to = y(i, drawn.length);
      const path = s("path", { class: "link", d: `M${left},${from}C${left + 80},${from} ${right - 80},${to} ${right},${to}` });
      links.append(path);
      lit.push({ element: path, names: [`${name}\n${column.name}`], link: true });
    }
  });
  const node = (x, at, name, kind, tells, related) => {
    const text = s("text", { x: x + (x === left ? -9 : 9), y: at + 4, "text-anchor": x === left ? "end" : "start" }, shortened(name, 24));
    const group = s("g", { class: `node is-${kind}`, tabindex: "0", role: "button", "aria-label": `${shortened(name)}: ${tells.map((line) => line.textContent).join("; ")}` },
      s("rect", { x: x === left ? 0 : x - 8, y: at - NODE / 2, width: left + 8, height: NODE, fill: "transparent" }),
      s("circle", { cx: x, cy: at, r: 5 }), text);
    pressable(group, () => choose(name, kind));
    tipped(group, () => tells.map((line) => line.cloneNode(true)));
    const on = () => lightUp(related), off = () => lightUp(null);
    group.addEventListener("mouseenter", on);
    group.addEventListener("focus", on);
    group.addEventListener("mouseleave", off);
    group.addEventListener("blur", off);
    nodes.append(group);
    lit.push({ element: group, names: [name], link: false });
  };
  function lightUp(related) {
    lit.forEach(({ element, names, link }) => {
      const belongs = related !== null && (link ? related.links.has(names[0]) : related.names.has(names[0]));
      element.classList.toggle("lit", belongs);
      element.classList.toggle("dim", related !== null && !belongs);
    });
  }
  sources.forEach((name, i) => {
    const followers = places.get(name).map((k) => drawn[k]);
    node(left, y(i, sources.length), name, "kept",
      [h("span", {}, `in the ${followers.length === 1 ? "equation" : "equations"} of ${plural(followers.length, "column")}`)],
      { names: new Set([name, ...followers.map((column) => column.name)]), links: new Set(followers.map((column) => `${name}\n${column.name}`)) });
  });
  drawn.forEach((column, i) => {
    node(right, y(i, drawn.length), column.name, column.kept ? "kept" : "gone", equationLines(column),
      { names: new Set([column.name, ...column.sources]), links: new Set(column.sources.map((name) => `${name}\n${column.name}`)) });
  });
  return s("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Graph: columns on the left explain columns on the right" }, links, nodes);
}

// Rows of a column beside what its equation gives there.
function pointsPicture(points, name) {
  const size = 320, edge = 34;
  const at = (place) => edge + place * (size - edge - 10);
  const observed = decoded(points.observed), given = points.given ? decoded(points.given) : observed;
  const piles = new Map(); // rows at the same place make a larger dot
  observed.forEach((x, i) => {
    const place = `${at(x).toFixed(1)},${(size - at(given[i])).toFixed(1)}`;
    piles.set(place, (piles.get(place) || 0) + 1);
  });
  const dots = [...piles].map(([place, rows]) => {
    const [cx, cy] = place.split(",");
    return s("circle", { class: "dot", cx, cy, r: Math.min(9, 2 + 0.6 * Math.sqrt(rows)), "fill-opacity": 0.55 });
  });
  const least = 1e-9 * (points.high - points.low); // rounding of a zero
  const end = (value) => number(Math.abs(value) < least ? 0 : value, 3);
  return s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `${observed.length} rows of ${shortened(name)}: observed values against the equation` },
    s("line", { class: "grid", x1: at(0), y1: size - at(0), x2: at(1), y2: size - at(1) }),
    s("path", { class: "axis", d: `M${edge},6V${size - edge}H${size - 4}` }), dots,
    s("text", { x: at(0), y: size - 18 }, end(points.low)),
    s("text", { x: at(1), y: size - 18, "text-anchor": "end" }, end(points.high)),
    s("text", { x: (size + edge) / 2, y: size - 4, "text-anchor": "middle", class: "quiet" }, "observed"),
    s("text", { x: 12, y: (size - edge) / 2, "text-anchor": "middle", class: "quiet", transform: `rotate(-90 12 ${(size - edge) / 2})` }, "given by the equation"));
}

function pointsPanel(column) {
  const list = pointsOf.get(column.name) || [];
  return h("div", {},
    h("h3", {}, named(column.name, stateKind(column)), column.r2 === null ? null : ` R² ${share(column.r2)}`),
    column.equations.slice(0, 6).map((equation) => h("p", { class: "equation" }, h("bdi", {}, shortened(equation.text, 600)))),
    list.length ? [pointsPicture(list[0], list[0].target),
      h("p", { class: "note" }, `${plural(list[0].observed.length / 2, "sampled row")}`, list.length > 1 ? [" of ", h("bdi", {}, shortened(list[0].target))] : null, ". On the line the equation is exact.")]
      : h("p", { class: "note" }, "There are no sampled rows for this column."));
}

function redundancySection() {
  const related = allColumns.filter((column) => column.sources.length > 0);
  const targets = [...redundant.filter((column) => column.sources.length > 0),
    ...keptColumns.filter((column) => column.sources.length > 0)];
  const graphBox = h("div", { class: "drawing" });
  const graphNote = h("p", { class: "note" });
  const points = h("div", { "aria-live": "polite" });
  const filter = h("div", { class: "bar" });
  const first = redundant.find((column) => pointsOf.has(column.name)) || related.find((column) => pointsOf.has(column.name));
  let chosen = first || null;
  if (chosen) points.append(pointsPanel(chosen));

  // Draws the graph, too.
  const table = longTable({
    caption: "All columns and their equations",
    rows: allColumns,
    columns: [
      { title: "Column", width: "w-name", value: (c) => c.name, cell: (c) => (c.sources.length
        ? h("button", { type: "button", onclick: () => show(c) }, named(c.name, stateKind(c))) : named(c.name, stateKind(c))) },
      { title: "State", width: "w-state", value: (c) => stateWord[c.state] || c.state, cell: (c) => h("span", { class: stateKind(c) }, stateWord[c.state] || c.state) },
      { title: "R²", width: "w-num", number: true, value: (c) => c.r2, cell: (c) => share(c.r2) },
      { title: "New in it", width: "w-num", number: true, value: (c) => (c.state === "constant" ? null : c.left), cell: (c) => (c.state === "constant" ? "–" : number(c.left, 3)) },
      { title: "Equation", width: "w-wide", value: (c) => c.equations.map((equation) => equation.text).join("; "),
        cell: (c) => (c.equations.length ? tipped(h("bdi", { class: "equation" + (c.kept ? " quiet" : "") }, shortened(c.equations[0].text, 300)), () => equationLines(c)) : "") },
    ],
    rowClass: (c) => (chosen && c.name === chosen.name ? "chosen" : null),
    onRows: (rows) => drawGraph(new Set(rows)),
  });

  function drawGraph(rows) {
    const wanted = targets.filter((column) => rows.has(column));
    const drawn = drawable(wanted);
    graphBox.replaceChildren(drawn.length ? relationGraph(drawn, choose) : h("p", { class: "note" }, "No relation among these columns."));
    graphNote.textContent = drawn.length < wanted.length
      ? `The ${count(drawn.length)} simplest of ${plural(wanted.length, "relation")} are drawn; the search below narrows the graph, too.` : "";
  }

  function show(column) {
    chosen = column;
    points.replaceChildren(pointsPanel(column));
    table.redraw();
  }

  // A column that explains: all that follow from it. One that follows: the columns it follows from.
  function choose(name, kind) {
    const column = allColumns.find((c) => c.name === name);
    if (column && (kind === "gone" || column.sources.length > 0)) show(column);
    const family = new Set([name, ...(kind === "gone" ? column.sources : [])]);
    table.keep(kind === "gone" ? (c) => family.has(c.name) : (c) => c.name === name || c.sources.includes(name));
    filter.replaceChildren(h("button", { type: "button", class: "chip", onclick: clear }, "only ", named(name, kind === "gone" ? "gone" : "kept"), " and its relations  ✕"));
    hideTip();
  }
  function clear() {
    filter.replaceChildren();
    table.keep(null);
  }

  const intro = h("p", {}, redundant.length
    ? "On the left the columns that explain, on the right those that follow from them. Hover for the equation, click to see only what belongs together."
    : related.length ? "Nothing was removed; some columns are related all the same." : "No column follows from others.");
  const top = targets.length ? h("div", { class: "two" }, h("div", {}, graphBox, graphNote), points) : null;
  return [intro, top, clusterList(), h("h3", {}, "All columns"), h("p", { class: "note" }, "New in it: how much of the column, as a share of its standard deviation, the others leave unexplained (corrected for chance, so it may come out a little above 1)."), filter, table.element];
}

// Groups of interchangeable columns, where they were asked for.
function clusterList() {
  const clusters = (reduce.clusters || []).filter((cluster) => cluster.members.length > 1);
  if (clusters.length === 0) return null;
  return [h("h3", {}, "Interchangeable columns"), h("ul", { class: "plain" }, clusters.slice(0, 50).map((cluster) =>
    h("li", {}, listed(cluster.members, "kept", 12), ` (R² ${share(cluster.r2)})`)))];
}
