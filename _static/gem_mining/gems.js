// Gems, mines and villages as pictures and names, which differ by shape and letter and not only by colour.

import {number, svg, text} from "../mixed/dom.js";

// Drawn in a square of 20 x 20; more kinds reuse these shapes in other colours.
const SHAPES = [
  "M5 2h10l4 6l-9 10l-9-10z",
  "M6 1h8l4 4v10l-4 4h-8l-4-4v-10z",
  "M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18z",
  "M10 0l9 10l-9 10l-9-10z",
  "M10 1l9 16h-18z",
];
const COLOURS = ["red", "green", "blue", "yellow", "violet", "sky", "vermilion", "fog", "purple", "ink-quiet"];
const DARK = ["red", "vermilion", "green", "blue", "violet", "ink-quiet"];

export function gem(kind, texts, {x = 0, y = 0, size = 20} = {}) {
  const colour = COLOURS[kind % COLOURS.length];
  return svg("svg", {viewBox: "0 0 20 20", x, y, width: size, height: size, "aria-hidden": "true", class: "gem"},
    svg("path", {d: SHAPES[kind % SHAPES.length], fill: `var(--${colour})`}),
    svg("text", {x: 10, y: 14, "text-anchor": "middle", "data-dark": DARK.includes(colour)},
      text(texts[`kind_${kind}`], {n: 1})[0].toUpperCase()));
}

export function mineName(mine, texts) {
  return text(texts.mine, {letters: letters(mine)});
}

// A for mine 0, AA after Z.
export function letters(mine) {
  let [word, left] = ["", mine + 1];
  while (left > 0) {
    word = String.fromCharCode(65 + ((left - 1) % 26)) + word;
    left = Math.floor((left - 1) / 26);
  }
  return word;
}

// The integers from the first to the last, both included.
export const range = (first, last) => Array.from({length: last - first + 1}, (_, index) => first + index);

// "2 rubies, 1 emerald", or "nothing".
export function counted(gems, texts) {
  const parts = gems.map((count, kind) => (count ? amount(number(count), kind, texts) : null));
  return parts.filter(Boolean).join(", ") || texts.nothing;
}

// "2 rubies"; `n` is the formatted number.
export const amount = (n, kind, texts) => text(texts.gems, {n, kind: text(texts[`kind_${kind}`], {n})});

// "12.5% ruby, 30% emerald".
export function chances(values, texts) {
  return values.map((value, kind) => text(texts.chance, {p: number(100 * value), kind: text(texts[`kind_${kind}`], {n: 1})})).join(", ");
}
