// Relevance: how many features are enough, which, and how they work together.

// Score against the number of features; bars are standard errors.
function pathChart(steps, chosen, what) {
  const width = 640, height = 260, left = 52, bottom = 40, top = 14;
  const low = Math.min(...steps.map((step) => step.score - (step.error || 0)));
  const high = Math.max(...steps.map((step) => step.score + (step.error || 0)));
  const pad = (high - low || 0.1) * 0.08;
  const least = Math.min(...steps.map((step) => step.k)), most = Math.max(...steps.map((step) => step.k));
  const x = (k) => left + 12 + ((k - least) / (most - least || 1)) * (width - left - 30);
  const y = (v) => top + ((high + pad - v) / (high - low + 2 * pad)) * (height - top - bottom);
  const digits = high - low < 0.05 ? 1 : 0;
  const svg = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${what} against the number of features; ${chosen} chosen` },
    s("path", { class: "axis", d: `M${left},${top}V${height - bottom}H${width - 6}` }));
  for (let i = 0; i <= 4; ++i) {
    const v = low + (i / 4) * (high - low);
    svg.append(s("line", { class: "grid", x1: left, x2: width - 6, y1: y(v), y2: y(v) }),
      s("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end", class: "quiet" }, percent(v, digits)));
  }
  const every = Math.ceil((most - least + 1) / 12);
  for (let k = least; k <= most; k += every) {
    svg.append(s("text", { x: x(k), y: height - bottom + 16, "text-anchor": "middle", class: "quiet" }, String(k)));
  }
  svg.append(s("text", { x: (left + width) / 2, y: height - 5, "text-anchor": "middle" }, "number of features"));
  svg.append(s("path", { class: "line", d: "M" + steps.map((step) => `${x(step.k)},${y(step.score)}`).join("L") }));
  for (const step of steps) {
    const error = step.error || 0;
    const group = s("g", {}, s("title", {}, `${plural(step.k, "feature")}: ${percent(step.score)}${step.error ? " ± " + percent(step.error) : ""}`));
    if (error > 0) group.append(s("line", { class: "error", x1: x(step.k), x2: x(step.k), y1: y(step.score - error), y2: y(step.score + error) }));
    group.append(s("circle", { class: step.k === chosen ? "mark" : "dot", cx: x(step.k), cy: y(step.score), r: step.k === chosen ? 6 : 4 }));
    svg.append(group);
    if (step.k === chosen) svg.append(s("text", { x: x(step.k), y: y(step.score + error) - 9, "text-anchor": x(step.k) > width - 60 ? "end" : "middle", class: "halo" }, `${step.k} chosen`));
  }
  return svg;
}

function pathPart() {
  const chosen = select.selected.length;
  if (path.length > 1) {
    const what = isNumber ? "Share of variance explained" : "Share of right classes";
    return [h("h3", {}, "How many are enough"), pathChart(path, chosen, what),
      h("p", { class: "note" }, `${what} in cross-validation; bars are one standard error. The smallest number that is not clearly worse than the best is chosen.`)];
  }
  const steps = [];
  select.selected.forEach((feature, i) => { if (feature.score !== null) steps.push({ k: i + 1, score: feature.score, error: null }); });
  if (steps.length < 2) return null;
  return [h("h3", {}, "Step by step"), pathChart(steps, chosen, "Score"),
    h("p", { class: "note" }, "The score of the search after each feature; it is not cross-validated.")];
}

// Every feature where the result ranks all of them, else the selected ones.
function rankingRows() {
  const chosen = new Map(select.selected.map((feature) => [feature.name, feature]));
  if (select.ranking) {
    return select.ranking.map((entry) => ({ ...entry, chosen: chosen.has(entry.name), p_value: entry.p_value ?? chosen.get(entry.name)?.p_value ?? null }));
  }
  return select.selected.map((feature, i) => {
    const before = i === 0 ? 0 : select.selected[i - 1].score;
    const gain = feature.score === null || before === null ? null : feature.score - before;
    return { name: feature.name, rank: feature.rank, gain, p_value: feature.p_value, chosen: true };
  });
}

function rankingPart() {
  const rows = rankingRows();
  const whole = Math.max(...rows.map((row) => row.gain || 0), 0);
  const has = (key) => rows.some((row) => row[key] !== null && row[key] !== undefined);
  const columns = [
    { title: "Rank", width: "w-num", number: true, value: (r) => r.rank, cell: (r) => (r.rank === null || r.rank === undefined ? "–" : String(r.rank)) },
    { title: "Column", width: "w-name", value: (r) => r.name, cell: (r) => named(r.name, r.chosen ? "kept" : "aside") },
    { title: "Adds", width: "w-wide", value: (r) => r.gain, cell: (r) => (r.gain === null || r.gain === undefined ? "–" : [meter(r.gain, whole), percent(r.gain)]) },
  ];
  if (has("p_value")) columns.push({ title: select.ranking ? "p alone" : "p-value", width: "w-num", number: true, value: (r) => r.p_value, cell: (r) => plainly(r.p_value) });
  if (has("q_value")) columns.push({ title: "q-value", width: "w-num", number: true, value: (r) => r.q_value, cell: (r) => plainly(r.q_value) });
  if (has("stability")) columns.push({ title: "Stability", width: "w-meter", number: true, value: (r) => r.stability, cell: (r) => [meter(r.stability || 0, 1), percent(r.stability, 0)] });
  const table = longTable({ caption: "Ranking", rows, columns, sortBy: 0, rowClass: (r) => (r.chosen && select.ranking ? "chosen" : null) });
  const words = select.ranking ? "Adds: the share of the label's variance that a feature explained when it was taken; for those not taken, what they would add to the final set."
    : "Adds: by how much the score of the search rose with the feature. Features that came in together share it.";
  const tests = has("q_value") ? " p and q: of the feature alone against the label, and with all features taken into account." : null;
  return [h("h3", {}, "Ranking"), h("p", { class: "note" }, words, tests, has("stability") ? " Stability: the share of half-samples that chose it." : null), table.element, stabilityNote()];
}

// How many of the stable features may be false.
function stabilityNote() {
  const stability = select.stability;
  if (!stability || !stability.bounds) return null;
  const bound = stability.bounds.filter((entry) => entry.features > 0).pop(); // the strictest
  return h("p", { class: "note" }, `${plural(stability.samples, "half-sample")} chose ${number(stability.mean_selected, 2)} features on average`,
    bound ? `; at least ${percent(bound.threshold, 0)} of them agree on ${count(bound.features)}, of which at most ${number(bound.expected_false, 2)} may be expected to be false.` : ".");
}

function picturesPart() {
  const joint = data.pictures.filter((picture) => picture.features.length > 1);
  const single = data.pictures.filter((picture) => picture.features.length === 1);
  const note = `${isNumber ? "Variance explained" : "Right"}: predicted by the other rows of the same cell.`;
  return [
    joint.length ? [h("h3", {}, "Together"), colourLegend(), h("div", { class: "cards" }, joint.map(pictureCard))] : null,
    single.length ? [h("h3", {}, "One by one"), h("p", { class: "note" }, isNumber ? "The mean of the label at each step of a feature."
      : classes.length === 2 ? ["The share of ", h("bdi", {}, shortened(classes[1], 30)), " at each step of a feature."] : "The most frequent class at each step of a feature, and its share.",
    " Large dots stand for many rows."), classes.length > 2 && !joint.length ? colourLegend() : null, h("div", { class: "cards" }, single.map(pictureCard))] : null,
    joint.length || single.length ? h("p", { class: "note" }, note) : null,
  ];
}

function substitutesPart() {
  const list = select.substitutes || [];
  if (list.length === 0) return null;
  const rows = list.slice(0, 40).map((entry) => h("tr", {}, h("td", {}, named(entry.for, "kept")), h("td", {}, named(entry.name)), h("td", { class: "number" }, percent(entry.loss))));
  return [h("h3", {}, "Substitutes"), h("p", { class: "note" }, "Columns that could stand in for a selected one, and what that would cost: a share of the label's variance, below 0 where they would do better."),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Instead of"), h("th", { scope: "col" }, "Column"), h("th", { scope: "col", class: "number" }, "Loss"))), h("tbody", {}, rows))];
}

function relevanceSection() {
  if (select === null) return [h("p", {}, "No label was given. With ", h("code", {}, "--label COL"), " this part says which columns predict it.")];
  if (select.selected.length === 0 && !select.ranking) {
    return [h("p", {}, "No feature convinces as a predictor of ", named(label.name), "."), pathPart()];
  }
  return [
    h("p", {}, select.selected.length ? ["Chosen, best first: ", listed(select.selected.map((feature) => feature.name), "kept", 10), "."] : "No feature convinces; the ranking shows what came closest."),
    pathPart(), rankingPart(), picturesPart(), substitutesPart(),
  ];
}
