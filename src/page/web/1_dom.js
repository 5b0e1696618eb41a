// Elements, names and numbers. Text from the table enters the page as text nodes and attributes only.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined) continue;
    element.append(child);
  }
  return element;
}

const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

// What would steer the text around it is spelled out.
const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const shown = (text) =>
  String(text).replace(STEERING, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

const LONGEST = 60;
function shortened(text, longest = LONGEST) {
  const letters = Array.from(shown(text).slice(0, 2 * longest + 2));
  return letters.length > longest ? letters.slice(0, longest - 1).join("") + "…" : letters.join("");
}

const named = (name, kind) =>
  h("bdi", { class: "name" + (kind ? " " + kind : ""), title: shortened(name, 300) }, shortened(name));

// "a, b and c", of many the first ones and how many more.
function listed(names, kind, most = 5) {
  const parts = [];
  const first = names.slice(0, names.length > most + 1 ? most : most + 1);
  const left = names.length - first.length;
  first.forEach((name, i) => {
    if (i > 0) parts.push(i === first.length - 1 && left === 0 ? " and " : ", ");
    parts.push(named(name, kind));
  });
  if (left > 0) parts.push(` and ${count(left)} more`);
  return parts;
}

// By hand: the first toLocaleString of a page takes longer than a section.
const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;

function number(value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) return value.toExponential(1).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}
const percent = (share, digits = 1) =>
  share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`;
// 0.9998 is not to read 1.
function share(value) {
  if (value === null || value === undefined) return "–";
  const text = value.toFixed(4);
  return text === "1.0000" && value < 1 ? "> 0.9999" : text;
}
const plainly = (value) => (value === null || value === undefined ? "–" : value < 1e-4 ? "< 0.0001" : value.toFixed(4));

const tip = document.getElementById("tip");
function showTip(near, ...content) {
  tip.replaceChildren(...content);
  tip.hidden = false;
  const box = near.getBoundingClientRect();
  const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
  const above = box.top - tip.offsetHeight - 8;
  tip.style.left = `${Math.max(8, left) + window.scrollX}px`;
  tip.style.top = `${(above > 0 ? above : box.bottom + 8) + window.scrollY}px`;
}
const hideTip = () => { tip.hidden = true; };
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
// The same for the mouse and for the keyboard.
function tipped(element, content) {
  const show = () => showTip(element, ...content());
  element.addEventListener("mouseenter", show);
  element.addEventListener("focus", show);
  element.addEventListener("mouseleave", hideTip);
  element.addEventListener("blur", hideTip);
  return element;
}

// Space and Enter do what a click does.
function pressable(element, act) {
  element.addEventListener("click", act);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
  return element;
}
