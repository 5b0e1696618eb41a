// Tables of any length: only the rows in sight are in the page.

const ROW = 34; // pixels
const SPARE = 12; // rows above and below

// columns: {title, width, number, value(row) to sort and search by, cell(row) to show}
function longTable({ caption, rows, columns, sortBy, descending, rowClass, onRows }) {
  const state = { rows: rows.slice(), sort: sortBy ?? -1, down: Boolean(descending), query: "", keep: null };
  const body = h("tbody");
  const heads = columns.map((column, j) =>
    h("th", { scope: "col", class: (column.number ? "number " : "") + column.width },
      column.value ? h("button", { type: "button", onclick: () => sort(j) }, column.title) : column.title));
  const table = h("table", { class: "long" },
    h("caption", { class: "hidden-text" }, caption), h("thead", {}, h("tr", {}, heads)), body);
  const box = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
  const said = h("span", { class: "note", role: "status" });
  const search = h("input", {
    type: "search", placeholder: "search", "aria-label": `Search: ${caption}`,
    oninput: () => { state.query = search.value.toLowerCase(); refresh(); },
  });
  let everything = false; // for the printer

  function refresh() {
    const words = state.query.split(/\s+/).filter(Boolean);
    const texts = (row) => columns.map((column) => (column.value ? String(column.value(row) ?? "") : "")).join("\n").toLowerCase();
    state.rows = rows.filter((row) => (!state.keep || state.keep(row)) &&
      (words.length === 0 || (() => { const text = texts(row); return words.every((word) => text.includes(word)); })()));
    if (state.sort >= 0) {
      const value = columns[state.sort].value;
      const way = state.down ? -1 : 1;
      const empty = (x) => x === null || x === undefined || x === "";
      state.rows = state.rows.map((row, i) => [value(row), i, row]).sort((a, b) => {
        if (empty(a[0]) || empty(b[0])) return empty(a[0]) - empty(b[0]) || a[1] - b[1];
        const order = typeof a[0] === "number" ? a[0] - b[0] : String(a[0]).localeCompare(String(b[0]), "en", { numeric: true });
        return way * order || a[1] - b[1];
      }).map((entry) => entry[2]);
    }
    heads.forEach((head, j) => {
      if (j === state.sort) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    said.textContent = state.rows.length === rows.length ? plural(rows.length, "row") : `${count(state.rows.length)} of ${plural(rows.length, "row")}`;
    table.setAttribute("aria-rowcount", state.rows.length + 1);
    box.scrollTop = 0;
    draw();
    if (onRows) onRows(state.rows);
  }

  function sort(j) {
    state.down = state.sort === j ? !state.down : Boolean(columns[j].number);
    state.sort = j;
    refresh();
  }

  function draw() {
    const total = state.rows.length;
    const height = box.clientHeight || 420;
    const first = everything ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW) - SPARE);
    const last = everything ? Math.min(total, 400) : Math.min(total, Math.ceil((box.scrollTop + height) / ROW) + SPARE);
    const drawn = state.rows.slice(first, last).map((row, i) =>
      h("tr", { "aria-rowindex": first + i + 2, class: rowClass ? rowClass(row) : null },
        columns.map((column) => h("td", { class: column.number ? "number" : null }, column.cell(row)))));
    body.replaceChildren(gap(first), ...drawn, gap(everything ? 0 : total - last));
  }

  function gap(missing) {
    const cell = h("td", { colspan: columns.length });
    cell.style.height = `${missing * ROW}px`;
    const row = h("tr", { class: "gap", "aria-hidden": "true" }, cell);
    row.hidden = missing === 0;
    return row;
  }

  let waiting = false;
  box.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  });
  window.addEventListener("beforeprint", () => { everything = true; draw(); });
  window.addEventListener("afterprint", () => { everything = false; draw(); });
  refresh();
  return {
    element: h("div", {}, h("div", { class: "bar" }, search, said), box),
    redraw: draw,
    keep: (test) => { state.keep = test; refresh(); },
    find: (text) => { search.value = text; state.query = text.toLowerCase(); refresh(); },
  };
}

// A bar beside a number; `whole` is a full one.
function meter(value, whole, kind) {
  const fill = h("i");
  fill.style.width = `${whole > 0 ? Math.max(0, Math.min(100, (100 * value) / whole)) : 0}%`;
  return h("span", { class: "meter" + (kind ? " " + kind : ""), "aria-hidden": "true" }, fill);
}
