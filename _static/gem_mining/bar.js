// One bar at the end: the best there was, how far the choices made one expect to come, what was found.

import {element, number, svg, text} from "../mixed/dom.js";

const WIDTH = 320;

export function bar({earned, expected, best}, texts) {
  const top = Math.max(earned, expected, best ?? 0) || 1;
  const x = (value) => 2 + (value / top) * (WIDTH - 4);
  const row = (key, value, words) => (value === null ? null
    : element("li", {}, swatch(key), element("strong", {}, number(value, 2)), " ", text(words, {n: number(value, 2)})));
  return element("figure", {class: "gems-bar"},
    svg("svg", {viewBox: `0 0 ${WIDTH} 44`, "aria-hidden": "true"},
      best === null ? null : svg("rect", {x: 2, y: 10, width: x(best) - 2, height: 24, rx: 4, class: "gems-bar-best"}),
      svg("rect", {x: 2, y: 10, width: x(expected) - 2, height: 24, rx: 4, class: "gems-bar-expected"}),
      svg("path", {d: `M${x(earned)} 2v40`, class: "gems-bar-found"})),
    element("ul", {}, row("found", earned, texts.bar_found), row("expected", expected, texts.bar_expected), row("best", best, texts.bar_best)));
}

const swatch = (key) => svg("svg", {viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true"},
  key === "found" ? svg("path", {d: "M8 0v16", class: "gems-bar-found"}) : svg("rect", {x: 1, y: 3, width: 14, height: 10, rx: 2, class: `gems-bar-${key}`}));
