// Pictures of how the label depends on features.

const mix = (share) => share < 0.5
  ? `color-mix(in oklab, var(--middle) ${Math.round(200 * share)}%, var(--low))`
  : `color-mix(in oklab, var(--high) ${Math.round(200 * share - 100)}%, var(--middle))`;

// Where a cell lies between the lowest and the highest of the picture; two classes: its share of the second.
function shader(picture) {
  if (classes.length > 2) return (cell) => [`var(--c${cell[1] % 8})`, 0.25 + 0.75 * cell[2]];
  if (!isNumber) return (cell) => [mix(cell[1]), 1];
  const values = picture.cells.filter((cell) => cell[0] > 0).map((cell) => cell[1]);
  const low = Math.min(...values), high = Math.max(...values);
  return (cell) => [mix(high > low ? (cell[1] - low) / (high - low) : 0.5), 1];
}

function cellText(cell) {
  if (cell[0] === 0) return "no rows";
  const rows = plural(cell[0], "row");
  if (isNumber) return `mean ${number(cell[1])}, ${rows}`;
  if (classes.length === 2) return `${percent(cell[1])} ${shortened(classes[1], 30)}, ${rows}`;
  return `mostly ${shortened(classes[cell[1]], 30)} (${percent(cell[2])}), ${rows}`;
}
const cellLabel = (cell) => cell[0] === 0 ? "" : isNumber ? number(cell[1], 2)
  : classes.length === 2 ? `${Math.round(100 * cell[1])}%` : shortened(classes[cell[1]], 6);

// One slice: the first feature upwards, the second to the right.
function heatmap(picture, slice, place) {
  const [first, second] = picture.axes;
  const rows = first.labels.length, columns = second.labels.length;
  const width = 320, left = 84, top = 8, cellHeight = Math.max(22, Math.min(44, 190 / rows));
  const cellWidth = (width - left - 4) / columns, bottom = 34;
  const shade = shader(picture);
  const svg = s("svg", { viewBox: `0 0 ${width} ${top + rows * cellHeight + bottom}`, role: "img", "aria-label": place });
  for (let i = 0; i < rows; ++i) {
    const y = top + (rows - 1 - i) * cellHeight;
    svg.append(s("text", { x: left - 5, y: y + cellHeight / 2 + 4, "text-anchor": "end", class: "quiet" }, shortened(first.labels[i], 10)));
    for (let j = 0; j < columns; ++j) {
      const cell = picture.cells[slice(i, j)];
      const box = s("rect", { x: left + j * cellWidth + 0.5, y: y + 0.5, width: cellWidth - 1, height: cellHeight - 1, rx: 2 });
      if (cell[0] > 0) {
        const [colour, opacity] = shade(cell);
        box.style.fill = colour;
        box.style.fillOpacity = opacity;
      } else {
        box.style.fill = "none";
      }
      const where = `${shortened(picture.features[0], 30)} ${shortened(first.labels[i], 20)}, ${shortened(picture.features[1], 30)} ${shortened(second.labels[j], 20)}: `;
      svg.append(s("g", {}, s("title", {}, where + cellText(cell)), box,
        cellWidth > 30 ? s("text", { x: left + (j + 0.5) * cellWidth, y: y + cellHeight / 2 + 4, "text-anchor": "middle", class: "halo" }, cellLabel(cell)) : null));
    }
  }
  const step = Math.ceil(columns / Math.max(2, Math.floor((width - left) / 52)));
  for (let j = 0; j < columns; j += step) {
    svg.append(s("text", { x: left + (j + 0.5) * cellWidth, y: top + rows * cellHeight + 14, "text-anchor": "middle", class: "quiet" }, shortened(second.labels[j], 9)));
  }
  svg.append(s("text", { x: left + (width - left) / 2, y: top + rows * cellHeight + 30, "text-anchor": "middle" }, shortened(picture.features[1], 36)),
    s("text", { x: 11, y: top + (rows * cellHeight) / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${top + (rows * cellHeight) / 2})` }, shortened(picture.features[0], 24)));
  return svg;
}

// One feature: what to expect at each of its steps; thick where there are many rows.
function profile(picture, place) {
  const axis = picture.axes[0];
  const steps = axis.labels.length, width = 320, left = 46, top = 12, height = 150, bottom = 40;
  const many = classes.length > 2;
  const value = (cell) => (many ? cell[2] : cell[1]);
  const filledCells = picture.cells.filter((cell) => cell[0] > 0);
  const low = isNumber ? Math.min(...filledCells.map(value)) : 0;
  const high = isNumber ? Math.max(...filledCells.map(value)) : 1;
  const pad = isNumber ? (high - low || 1) * 0.08 : 0;
  const y = (v) => top + height - ((v - low + pad) / (high - low + 2 * pad || 1)) * height;
  const x = (i) => left + ((i + 0.5) * (width - left - 6)) / steps;
  const most = Math.max(...picture.cells.map((cell) => cell[0]));
  const svg = s("svg", { viewBox: `0 0 ${width} ${top + height + bottom}`, role: "img", "aria-label": place },
    s("path", { class: "axis", d: `M${left},${top}V${top + height}H${width - 4}` }));
  for (const v of isNumber ? [low, high] : [0, 0.5, 1]) {
    svg.append(s("line", { class: "grid", x1: left, x2: width - 4, y1: y(v), y2: y(v) }),
      s("text", { x: left - 5, y: y(v) + 4, "text-anchor": "end", class: "quiet" }, isNumber ? number(v, 3) : percent(v, 0)));
  }
  if (!axis.category && !many) {
    const line = picture.cells.map((cell, i) => (cell[0] > 0 ? [x(i), y(value(cell))] : null)).filter(Boolean);
    svg.append(s("path", { class: "line", d: "M" + line.map((point) => point.join(",")).join("L") }));
  }
  picture.cells.forEach((cell, i) => {
    if (cell[0] === 0) return;
    const dot = s("circle", { cx: x(i), cy: y(value(cell)), r: 3 + 5 * Math.sqrt(cell[0] / most) });
    dot.style.fill = many ? `var(--c${cell[1] % 8})` : "var(--kept)";
    svg.append(s("g", {}, s("title", {}, `${shortened(axis.labels[i], 30)}: ${cellText(cell)}`), dot));
  });
  const every = Math.ceil(steps / 6);
  for (let i = 0; i < steps; i += every) {
    svg.append(s("text", { x: x(i), y: top + height + 16, "text-anchor": "middle", class: "quiet" }, shortened(axis.labels[i], 8)));
  }
  svg.append(s("text", { x: (left + width) / 2, y: top + height + 34, "text-anchor": "middle" }, shortened(picture.features[0], 36)));
  return svg;
}

function pictureCard(picture) {
  const names = picture.features;
  const score = (value) => percent(Math.max(0, value));
  const what = isNumber ? "of the variance" : "right";
  const place = `How ${shortened(label.name)} depends on ${names.map((name) => shortened(name)).join(", ")}`;
  const title = h("h4", {}, names.flatMap((name, i) => (i ? [" × ", named(name, "kept")] : [named(name, "kept")])));
  if (names.length === 1) {
    return h("div", { class: "card" }, title, h("p", { class: "note" }, `alone ${score(picture.together)} ${what}`), profile(picture, place));
  }
  const alone = picture.alone.map(score).join(", ");
  const note = h("p", { class: "note" }, `alone ${alone}; together `, h("b", {}, score(picture.together)), ` ${what}`);
  if (names.length === 2) {
    const columns = picture.axes[1].labels.length;
    return h("div", { class: "card" }, title, note, heatmap(picture, (i, j) => i * columns + j, place));
  }
  const [, second, third] = picture.axes.map((axis) => axis.labels.length);
  return h("div", { class: "card" }, title, note, picture.axes[2].labels.map((step, k) => [
    h("p", { class: "note" }, named(names[2]), " ", h("bdi", {}, shortened(step, 30))),
    heatmap(picture, (i, j) => (i * second + j) * third + k, `${place}; ${shortened(names[2])} ${shortened(step, 30)}`)]));
}

function colourLegend() {
  if (isNumber) return h("p", { class: "legend" }, swatch("var(--low)"), "low ", swatch("var(--high)"), "high ", named(label.name), " (mean of the rows in a cell)");
  if (classes.length === 2) {
    return h("p", { class: "legend" }, h("span", {}, swatch("var(--low)"), h("bdi", {}, shortened(classes[0], 30))), h("span", {}, swatch("var(--high)"), h("bdi", {}, shortened(classes[1], 30))), "the number is the share of the latter");
  }
  const drawn = classes.slice(0, 16).map((name, i) => h("span", {}, swatch(`var(--c${i % 8})`), h("bdi", {}, shortened(name, 20))));
  return h("p", { class: "legend" }, drawn, classes.length > 16 ? `and ${classes.length - 16} more` : null, " the most frequent class of a cell, pale where it is rare");
}
function swatch(colour) {
  const box = h("i");
  box.style.background = colour;
  return box;
}
