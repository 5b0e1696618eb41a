// The rule of the junta learner.

function ruleSection() {
  if (learn === null) {
    return [h("p", {}, select === null ? "A rule needs a label of two classes." : isNumber ? "The label is a number; a rule needs two classes."
      : classes.length !== 2 ? `The label has ${classes.length} classes; a rule needs two.` : "No rule was asked for.")];
  }
  const [first, second] = learn.label.classes;
  const names = learn.subset;
  const right = 1 - learn.training_error;
  const words = learn.formula
    ? [h("bdi", {}, shortened(second)), " when ", h("bdi", { class: "equation" }, shortened(learn.formula, 2000)), ", else ", h("bdi", {}, shortened(first)), "."]
    : ["A table of ", listed(names, "kept"), " decides between ", h("bdi", {}, shortened(first)), " and ", h("bdi", {}, shortened(second)), "."];
  const held = data.rule;
  return [
    h("p", { class: "rule" }, words),
    h("p", {}, `It is right in ${percent(right)} of the rows it was learned from`,
      held ? [", and in ", h("b", {}, `${percent(held.accuracy)} ± ${percent(held.error)}`), ` of rows it had not seen (${held.folds} folds, the rule learned anew in each)`] : null,
      guessing === null ? "." : `; always naming the most frequent class gives ${percent(guessing)}.`),
    learn.table ? ruleTable(names, first, second) : null,
    cuts(),
  ];
}

function ruleTable(names, first, second) {
  const rows = learn.table.slice().sort((a, b) => b.count - a.count);
  const head = h("tr", {}, names.map((name) => h("th", { scope: "col" }, named(name))), h("th", { scope: "col", class: "number" }, "Rows"),
    h("th", { scope: "col" }, "of them ", h("bdi", {}, shortened(second, 30))), h("th", { scope: "col" }, "Says"));
  const body = rows.map((row) => h("tr", {}, names.map((name) => h("td", {}, h("bdi", {}, shortened(row.cell[name], 40)))),
    h("td", { class: "number" }, count(row.count)), h("td", {}, row.count ? [meter(row.positive, row.count, "second"), percent(row.positive / row.count, 0)] : "–"),
    h("td", {}, h("b", {}, h("bdi", {}, shortened(row.prediction, 40))))));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The rule, case by case" },
    h("table", {}, h("caption", { class: "hidden-text" }, "Every case of the rule"), h("thead", {}, head), h("tbody", {}, body)));
}

// Numbers have only two sides in a rule.
function cuts() {
  const cut = learn.features.filter((feature) => feature.threshold !== undefined);
  if (cut.length === 0) return null;
  return h("p", { class: "note" }, "Numbers are cut at their medians: ", cut.flatMap((feature, i) => [i ? ", " : "", named(feature.name), ` at ${number(feature.threshold)}`]), ".");
}
