// Small helpers for building pages: elements, SVG, texts with placeholders, numbers, seats.

import {formFor, point} from "./numeral.js";

const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// Fills in the placeholders of a text. If the text has plural forms, `gaps.n` selects one.
export function text(template, gaps) {
  const form = typeof template === "string" ? template : formFor(template, gaps.n);
  return form.replace(/\{(\w+)\}/g, (whole, name) => gaps[name] ?? whole);
}

export function number(value, digits = 1) {
  if (value === null || value === undefined) return null;
  const rounded = Number(value).toFixed(digits).replace("-", "\u2212");
  const shown = digits ? rounded.replace(/\.0+$/, "") : rounded;
  return shown === "\u22120" ? "0" : shown.replace(".", point());
}

// A number from the rules, with all its digits.
export function exact(value) {
  return String(Number(Number(value).toPrecision(12))).replace("-", "\u2212").replace(".", point());
}

export function signed(value, write = number) {
  const shown = write(Math.abs(value));
  return shown === "0" ? "0" : (value < 0 ? "\u2212" : "+") + shown;
}

// A value that is linear in the parts of an action: {now, per: {field: slope}}.
export const along = ({now, per}, action) =>
  Object.entries(per).reduce((sum, [name, more]) => sum + more * action[name], now);

export function clock(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// Keeps Enter in a control from submitting oTree's form.
export function keepEnter(node) {
  node.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
}

// A unique id for a message.
export function newId() {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return Array.from(words, (word) => word.toString(36)).join("");
}

// Redraws places on the page. A fold that had the keyboard focus gets it back, found by its index in the
// place.
export function keepFocus(places, remake) {
  const folds = (place) => [...place.querySelectorAll("summary")];
  const held = places.find((place) => folds(place).includes(document.activeElement));
  const index = held ? folds(held).indexOf(document.activeElement) : -1;
  remake();
  if (held) folds(held)[index]?.focus({preventScroll: true});
}

// Seats differ by letter, shape and colour.
const SHAPES = [
  "M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18z",
  "M2 2h16v16h-16z",
  "M10 1l9.5 17h-19z",
  "M10 0l10 10l-10 10l-10-10z",
  "M10 0.500l9.500 6.900l-3.600 11.200h-11.800l-3.600-11.200z",
  "M6 1h8l5 9l-5 9h-8l-5-9z",
];

// `numbered` badges are filled and show the player's number, for games in which letters mean
// something else.
export function badge(seat, numbered = false) {
  const colour = `var(--seat-${numbered ? "dark-" : ""}${seat % SHAPES.length})`;
  const mark = numbered ? String(seat + 1) : String.fromCharCode(65 + (seat % 26));
  return svg("svg", {viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true"},
    svg("path", {d: SHAPES[seat % SHAPES.length], fill: numbered ? colour : "var(--paper)", stroke: colour, "stroke-width": 2}),
    svg("text", {x: 10, y: 14.5, "text-anchor": "middle", class: numbered ? "mc-seat-number" : "mc-seat-letter"}, mark));
}

export const percent = (share, texts, digits = 1) => text(texts.percent, {p: number(100 * share, digits)});

// Whether a person or a bot has another player's seat, if the session shows it.
export function tag(member, texts) {
  if (!member.occupant || member.you) return null;
  const occupant = {policy: texts.bot, person: texts.person, nobody: texts.left}[member.occupant];
  return element("span", {class: "mc-tag"}, occupant);
}

export function seatName(seat, ownSeat, texts) {
  return seat === ownSeat ? texts.you : text(texts.player, {n: seat + 1});
}
