// The comparison at the end. A bar compares the best possible result, the result that could be expected from
// the choices, and the actual result. A chart shows the expected amounts of two kinds of gems:
// the Pareto front of all joint choices, and the team.

import {element, number, svg, text} from "../mixed/dom.js";
import {amount, gem} from "./gems.js";

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

const HEIGHT = 320;
const LEFT = 44;
const RIGHT = 16;
const TOP = 34;
const BOTTOM = 44;
const WIDEST = 560;

export function front({kinds, front: best, best: chosen, team, periods, found: actual}, texts, room) {
  const width = Math.min(Math.max(room, 260), WIDEST);
  const all = [...best, chosen, team, actual, ...periods];
  const top = [0, 1].map((axis) => nice(1.05 * Math.max(...all.map((point) => point[axis]))));
  const x = (value) => LEFT + (value / top[0]) * (width - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / top[1]) * (HEIGHT - TOP - BOTTOM);
  const sorted = [...best].sort((a, b) => a[0] - b[0]);
  const steps = [[0, sorted[0][1]], ...sorted.flatMap((point, index) => [point, [point[0], sorted[index + 1]?.[1] ?? 0]])];
  const mixed = hull([[0, sorted[0][1]], ...sorted, [sorted.at(-1)[0], 0]]).map((point) => `${x(point[0])},${y(point[1])}`).join(" ");
  const line = steps.map((point) => `${x(point[0])},${y(point[1])}`).join(" ");
  const names = kinds.map((kind) => texts[`kinds_${kind}`]);
  const picture = svg("svg", {viewBox: `0 0 ${width} ${HEIGHT}`, class: "mc-chart gems-front", role: "img",
    "aria-label": text(texts.front_said, {team: pair(team, kinds, texts), best: pair(chosen, kinds, texts)}), style: `max-width: ${width}px`});
  picture.append(...axes(top, x, y, width, kinds, texts),
    svg("polygon", {points: `${x(0)},${y(0)} ${mixed}`, class: "gems-below"}),
    svg("polyline", {points: mixed, class: "gems-mixed"}),
    svg("polyline", {points: line, class: "gems-best-line"}),
    ...sorted.map((point) => svg("circle", {cx: x(point[0]), cy: y(point[1]), r: 4, class: "gems-best"})),
    ...periods.map((point) => svg("circle", {cx: x(point[0]), cy: y(point[1]), r: 3, class: "gems-turn"})),
    mark(x(actual[0]), y(actual[1]), "found"), mark(x(chosen[0]), y(chosen[1]), "chosen"), mark(x(team[0]), y(team[1]), "team"));
  return element("figure", {class: "gems-end"}, element("figcaption", {}, element("h2", {}, texts.front)), picture, legend(texts),
    table([[texts.front_team, team], [texts.front_best, chosen], [texts.front_found, actual],
      ...sorted.map((point) => [texts.front_line, point])], names, texts));
}

// The amounts to expect from alternating between joint choices: the upper hull of the points, which are
// sorted from left to right.
function hull(points) {
  const kept = [];
  for (const [x, y] of points) {
    while (kept.length > 1) {
      const [[x1, y1], [x2, y2]] = kept.slice(-2);
      if ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) < 0) break;
      kept.pop();
    }
    kept.push([x, y]);
  }
  return kept;
}

const pair = (values, kinds, texts) => values.map((value, index) => amount(number(value, 2), kinds[index], texts)).join(", ");

// The end of an axis: a number with few digits when it is divided by four.
function nice(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-3)));
  return power * [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].find((factor) => factor * power >= value);
}

const MARKS = {
  team: "M0 -9l9 9l-9 9l-9 -9z",
  chosen: "M0 -10l3 6.500l7 .8l-5.200 4.700l1.500 7l-6.300 -3.600l-6.300 3.600l1.500 -7l-5.200 -4.700l7 -.8z",
  found: "M-6 -6l12 12M6 -6l-12 12",
};
const mark = (x, y, name) => svg("path", {d: MARKS[name], transform: `translate(${x} ${y})`, class: `gems-mark gems-mark-${name}`});

function* axes(top, x, y, width, kinds, texts) {
  for (let share = 0; share <= 4; share += 1) {
    const [across, up] = top.map((end) => (end * share) / 4);
    yield svg("line", {x1: LEFT, x2: width - RIGHT, y1: y(up), y2: y(up), stroke: "var(--line)"});
    yield svg("line", {x1: x(across), x2: x(across), y1: TOP, y2: HEIGHT - BOTTOM, stroke: "var(--line)"});
    yield svg("text", {x: LEFT - 6, y: y(up) + 4, "text-anchor": "end"}, number(up, 2));
    yield svg("text", {x: x(across), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle"}, number(across, 2));
  }
  yield gem(kinds[0], texts, {x: width - RIGHT - 20, y: HEIGHT - 22});
  yield svg("text", {x: width - RIGHT - 26, y: HEIGHT - 7, "text-anchor": "end"}, texts[`kinds_${kinds[0]}`]);
  yield gem(kinds[1], texts, {x: LEFT - 10, y: 4});
  yield svg("text", {x: LEFT + 16, y: 18}, texts[`kinds_${kinds[1]}`]);
}

function legend(texts) {
  const line = (shown, words) => element("li", {}, svg("svg", {viewBox: "-12 -12 24 24", width: 20, height: 20}, shown), words);
  return element("ul", {class: "mc-legend", "aria-hidden": "true"},
    line(mark(0, 0, "team"), texts.front_team),
    line(svg("circle", {r: 4, class: "gems-turn"}), texts.front_period),
    line(mark(0, 0, "chosen"), texts.front_best),
    line(svg("circle", {r: 5, class: "gems-best"}), texts.front_line),
    line(svg("path", {d: "M-10 0h20", class: "gems-mixed"}), texts.front_mixed),
    line(mark(0, 0, "found"), texts.front_found));
}

function table(rows, names, texts) {
  return element("details", {class: "mc-details"}, element("summary", {}, texts.as_table),
    element("div", {class: "mc-scroll", role: "group", "aria-label": texts.front}, element("table", {},
      element("thead", {}, element("tr", {}, element("td", {}), ...names.map((name) => element("th", {scope: "col"}, name)))),
      element("tbody", {}, ...rows.map(([name, values]) => element("tr", {}, element("th", {scope: "row"}, name),
        ...values.map((value) => element("td", {}, number(value, 2)))))))));
}
