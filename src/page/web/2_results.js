// The results of the commands and what belongs to them, as the rest of the page asks for it.

const results = JSON.parse(document.getElementById("fsieve-report").textContent);
const data = JSON.parse(document.getElementById("fsieve-data").textContent);
const { reduce, select, learn } = results;

const label = data.columns.find((column) => column.label) || null;
const features = data.columns.filter((column) => !column.label);
const isNumber = select !== null && !select.data.classes; // the label
const classes = select === null || isNumber ? [] : select.data.classes;
const ignored = reduce.ignored || (select && select.ignored) || [];
const constants = reduce.removed.filter((feature) => feature.reason === "constant");

const equationsOf = (feature) => (feature.equations || [feature.equation]).filter(Boolean);
function worst(equations) {
  const known = equations.map((equation) => equation.r2).filter((r2) => r2 !== null && r2 !== undefined);
  return known.length ? Math.min(...known) : null;
}

// Columns that an equation names, levels, powers and logarithms taken off.
const columnNames = new Set(data.columns.map((column) => column.name));
function columnOf(factor) {
  if (columnNames.has(factor)) return factor;
  for (let at = factor.indexOf("="); at >= 0; at = factor.indexOf("=", at + 1)) {
    if (columnNames.has(factor.slice(0, at))) return factor.slice(0, at);
  }
  for (const opening of ["log(1 + ", "log("]) {
    const column = factor.slice(opening.length, -1);
    if (factor.startsWith(opening) && columnNames.has(column)) return column;
  }
  return factor;
}
const sourcesOf = (equations) => [
  ...new Set(equations.flatMap((equation) => equation.terms.flatMap((term) => term.factors.map(columnOf)))),
];

// One object per column, kept and removed, with all that is known of its relations.
const relationOf = new Map();
for (const relation of reduce.relations || []) {
  const target = columnOf(relation.target);
  if (!relationOf.has(target)) relationOf.set(target, relation);
}
const keptColumns = reduce.selected.map((feature) => {
  const relation = relationOf.get(feature.name);
  const equations = relation ? [relation] : [];
  return {
    name: feature.name, index: feature.index, kept: true,
    state: feature.undecided ? "undecided" : "kept",
    left: feature.adjusted_norm ?? feature.norm ?? null,
    equations, r2: worst(equations), sources: sourcesOf(equations),
  };
});
const removedColumns = reduce.removed.map((feature) => {
  const equations = equationsOf(feature);
  return {
    name: feature.name, index: feature.index, kept: false, state: feature.reason,
    left: feature.adjusted_norm ?? feature.norm ?? null,
    equations, r2: feature.reason === "constant" ? null : worst(equations), sources: sourcesOf(equations),
  };
});
const allColumns = [...keptColumns, ...removedColumns].sort((a, b) => a.index - b.index);
const redundant = removedColumns.filter((column) => column.state !== "constant");

const pointsOf = new Map();
for (const points of data.points) {
  const target = columnOf(points.target);
  if (!pointsOf.has(target)) pointsOf.set(target, []);
  pointsOf.get(target).push(points);
}

// Places between low and high, two digits of base 64 each.
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
function decoded(text) {
  const places = [];
  for (let i = 0; i < text.length; i += 2) {
    places.push((64 * DIGITS.indexOf(text[i]) + DIGITS.indexOf(text[i + 1])) / 4095);
  }
  return places;
}

// The score a reader may trust: cross-validated where that was done.
const path = ((select && select.path) || []).filter((step) => step.score !== null);
const chosenPath = path.find((step) => step.k === select.selected.length) || null;
const estimate = select === null ? null : (isNumber ? select.r2_estimate ?? lastScore() : select.accuracy_estimate) ?? null;
// q2 leaves out every row in its turn.
function lastScore() {
  const last = select.selected[select.selected.length - 1];
  return last && select.measure === "q2" ? last.score : null;
}
// Always naming the most frequent class.
const guessing = classes.length && label.frequent ? label.frequent[0][1] / data.rows : null;
