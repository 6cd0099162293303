// The parts of a sum as a waterfall: each bar begins where the previous one ended, and the last is the
// sum. It is a table, so that screen readers can read it.

import {element, svg} from "./dom.js";

const WIDTH = 100;
const HEIGHT = 20;
const LEAST = 0.8;  // keeps parts close to zero visible

// parts: [{name, value}] that add up to total: {name, value}; `write` formats a value with its sign.
export function waterfall({caption, parts, total, write}) {
  const ends = parts.reduce((sums, {value}) => [...sums, sums.at(-1) + value], [0]);
  const [low, high] = [Math.min(...ends, total.value), Math.max(...ends, total.value)];
  const x = (value) => (WIDTH * (value - low)) / (high - low || 1);
  const rows = parts.map(({name, value}, index) =>
    row({name, from: ends[index], value, kind: value < 0 ? "less" : index === 0 ? "first" : "more", order: index}));
  return element("table", {class: "mc-waterfall"},
    caption ? element("caption", {class: "mc-hidden"}, caption) : null,
    element("tbody", {}, ...rows),
    element("tfoot", {}, row({...total, from: 0, kind: "total", order: parts.length})));

  function row({name, from, value, kind, order}) {
    const [left, right] = [x(Math.min(from, from + value)), x(Math.max(from, from + value))];
    const start = Math.min(left, WIDTH - LEAST);
    const picture = svg("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true"},
      svg("line", {x1: x(0), x2: x(0), y1: 0, y2: HEIGHT, class: "mc-waterfall-zero"}),
      svg("rect", {x: start, y: 3, width: Math.max(right - left, LEAST), height: HEIGHT - 6, "data-kind": kind,
        style: `transform-origin: ${value < 0 ? right : left}px 0; --order: ${order}`}));
    return element("tr", {}, element("th", {scope: "row"}, name), element("td", {class: "mc-waterfall-bar"}, picture),
      element("td", {}, write(value)));
  }
}
