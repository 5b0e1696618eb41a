// In short: what a reader takes home.

const SIGNS = {
  columns: "M3 5h18v3H3zM3 10.5h18v3H3zM3 16h11v3H3z",
  target: "M12 3a9 9 0 1 0 .01 0zM12 6.4a5.6 5.6 0 1 1-.01 0zM12 9.5a2.5 2.5 0 1 0 .01 0z",
  gauge: "M3 19V9h4v10zM10 19V4h4v15zM17 19v-7h4v7z",
  aside: "M4 4h16v6H4zM6 12h12v8H6zM9.5 14v2h5v-2z",
  care: "M12 3 22 20H2zM11 9v6h2V9zM11 16.5v2h2v-2z",
};
const sign = (name, kind) => {
  const path = s("path", { d: SIGNS[name], "fill-rule": "evenodd" });
  path.style.fill = `var(--${kind})`;
  return s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
};
const sentence = (name, kind, ...words) => h("li", {}, sign(name, kind), h("span", {}, words));

function redundancySentence() {
  const all = allColumns.length;
  const fresh = keptColumns.length;
  if (redundant.length === 0) {
    return sentence("columns", "kept", `None of the ${plural(all, "column")} can be computed from the others: `,
      fresh === all ? "each says something new." : `${count(fresh)} say something new.`);
  }
  const example = redundant.filter((column) => column.equations.length && column.equations[0].text.length <= 60)
    .sort((a, b) => a.equations[0].text.length - b.equations[0].text.length)[0];
  const words = [`Of ${plural(all, "column")}, `, h("b", { class: "kept" }, count(fresh)),
    fresh === 1 ? " says something new; " : " say something new; ", h("b", { class: "gone" }, count(redundant.length)),
    " can be computed from the others"];
  if (example) words.push(", as in ", h("bdi", { class: "equation" }, shortened(example.equations[0].text, 90)));
  return sentence("columns", "kept", words, ".");
}

function relationsSentence() {
  const used = new Map();
  for (const column of redundant) {
    for (const name of column.sources) used.set(name, (used.get(name) || 0) + 1);
  }
  const most = [...used].sort((a, b) => b[1] - a[1])[0];
  if (!most) return sentence("target", "aside", "No label was given, so nothing is said about prediction.");
  return sentence("target", "kept", named(most[0], "kept"),
    ` is in the equations of ${plural(most[1], "removed column")}, more than any other. No label was given, so nothing is said about prediction.`);
}

function relevanceSentence() {
  const names = select.selected.map((feature) => feature.name);
  if (names.length === 0) {
    return sentence("target", "aside", "Nothing in the table convinces as a predictor of ", named(label.name), ".");
  }
  return sentence("target", "kept", "To predict ", named(label.name), `, ${names.length === 1 ? "one column is" : `${count(names.length)} of ${plural(features.length, "column")} are`} enough: `,
    listed(names, "kept"), ".");
}

function qualitySentence() {
  if (select.selected.length === 0 || estimate === null) {
    const words = guessing === null ? "How well it can be predicted is not known." :
      `Always naming the most frequent class is right in ${percent(guessing)} of the rows.`;
    return sentence("gauge", "aside", words);
  }
  const crossed = Boolean(path.length || select.estimate_model);
  const error = chosenPath && chosenPath.error !== null && chosenPath.error !== undefined ? ` ± ${percent(chosenPath.error)}` : "";
  const how = crossed ? " in cross-validation" : isNumber ? " when each row is predicted by the others" : " by the estimate of the selection";
  if (isNumber) {
    return sentence("gauge", "kept", "They explain ", h("b", {}, percent(estimate) + error), ` of its variance${how}.`);
  }
  return sentence("gauge", "kept", "They give the right class in ", h("b", {}, percent(estimate) + error), ` of the rows${how}`,
    guessing === null ? "." : `; always naming the most frequent class gives ${percent(guessing)}.`);
}

function asideSentence() {
  const groups = [];
  const put = (names, what) => {
    if (names.length) groups.push([`${count(names.length)} ${names.length === 1 ? what[0] : what[1]} (`, listed(names, "aside", 3), ")"]);
  };
  put(ignored.filter((c) => c.reason === "identifier").map((c) => c.name), ["identifier", "identifiers"]);
  put(ignored.filter((c) => c.reason === "missing").map((c) => c.name), ["column that is mostly empty", "columns that are mostly empty"]);
  put(ignored.filter((c) => !["identifier", "missing"].includes(c.reason)).map((c) => c.name), ["other column", "other columns"]);
  put(constants.map((c) => c.name), ["constant", "constants"]);
  if (groups.length === 0) return sentence("aside", "aside", "No column had to be set aside: there are no constants and no identifiers.");
  return sentence("aside", "aside", "Set aside: ", groups.flatMap((group, i) => (i ? [", ", ...group] : group)), ".");
}

function careSentence() {
  const cares = [];
  const undecided = keptColumns.filter((column) => column.state === "undecided").length;
  if (data.rows < 10 * features.length) {
    cares.push(`${plural(data.rows, "row")} ${data.rows === 1 ? "is" : "are"} few for ${plural(features.length, "column")}: relations and predictors may look better than they are`);
  }
  if (undecided) cares.push(`${plural(undecided, "column")} could not be tested with so few rows`);
  if (select && select.bound && select.bound.vacuous && !cares.length) cares.push("the guarantee for these features says nothing at this number of rows");
  const warnings = allWarnings().length;
  if (warnings) cares.push(h("span", {}, "the commands gave ", h("a", { href: "#data" }, plural(warnings, "warning"))));
  if (cares.length === 0) return sentence("care", "aside", "Nothing calls for special care; that a column predicts the label does not mean that it causes it.");
  return sentence("care", "gone", "Be careful: ", cares.flatMap((care, i) => (i ? ["; ", care] : [care])), ".");
}

const allWarnings = () => [...new Set([reduce, select, learn].filter(Boolean).flatMap((result) => result.warnings || []))];

function tiles() {
  const tile = (value, what) => h("div", { class: "tile" }, h("b", {}, value), h("span", {}, what));
  const list = [
    tile(count(data.rows), data.rows === 1 ? "row" : "rows"),
    tile(count(keptColumns.length), `of ${plural(allColumns.length, "column")} say something new`),
    tile(count(redundant.length), redundant.length === 1 ? "can be computed" : "can be computed from others"),
  ];
  if (select) list.push(tile(count(select.selected.length), select.selected.length === 1 ? "predictor chosen" : "predictors chosen"));
  if (select && estimate !== null && select.selected.length) {
    list.push(tile(percent(estimate), isNumber ? "of the variance explained" : "right"));
  }
  return h("div", { class: "tiles" }, list);
}

function shortSection() {
  const sentences = select
    ? [redundancySentence(), relevanceSentence(), qualitySentence(), asideSentence(), careSentence()]
    : [redundancySentence(), relationsSentence(), asideSentence(), careSentence()];
  return [tiles(), h("ul", { class: "short" }, sentences)];
}
