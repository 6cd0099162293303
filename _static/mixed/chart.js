// A line and bars over the periods of a play, drawn as SVG, with the same numbers as a table.

import {element, number, svg} from "./dom.js";

const HEIGHT = 220;
const LEFT = 36;
const RIGHT = 8;
const TOP = 12;
const BOTTOM = 28;

// line, bars: {name, colour, values}: one value per period, null where there is none.
// `start` is the line's value before the first period; `mark` an optional horizontal line;
// `width` the room there is, in pixels, so that the writing keeps its size on a phone.
export function chart({periods, top, line, bars, start, mark, words, width}) {
  const right = Math.max(width, 240) - RIGHT;
  const slot = (right - LEFT) / (periods + 0.5);
  const x = (period) => LEFT + (period + 1) * slot;
  const y = (value) => TOP + (1 - Math.max(Math.min(value / top, 1), 0)) * (HEIGHT - TOP - BOTTOM);
  const picture = svg("svg", {viewBox: `0 0 ${right + RIGHT} ${HEIGHT}`, class: "mc-chart", "aria-hidden": "true"});
  picture.append(...grid(top, y, right), ...ticks(periods, x, slot));
  if (mark) picture.append(...marked(mark, y, right));
  const thick = Math.min(0.5 * slot, 24);
  bars.values.forEach((value, period) => {
    if (value === null) return;
    picture.append(svg("rect", {x: x(period) - thick / 2, y: y(value), width: thick,
      height: HEIGHT - BOTTOM - y(value), fill: bars.colour, rx: 2}));
  });
  const points = [[-1, start], ...line.values.map((value, period) => [period, value])]
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([period, value]) => [x(period), y(value)]);
  picture.append(svg("polyline", {points: points.map((point) => point.join(",")).join(" "),
    fill: "none", stroke: line.colour, "stroke-width": 3, "stroke-linejoin": "round"}));
  for (const [cx, cy] of points) picture.append(svg("circle", {cx, cy, r: 3.5, fill: line.colour}));
  return [legend([line, bars]), picture, table(line, bars, words)];
}

function* grid(top, y, right) {
  for (let share = 0; share <= 4; share += 1) {
    const value = (top * share) / 4;
    yield svg("line", {x1: LEFT, x2: right, y1: y(value), y2: y(value), stroke: "var(--line)"});
    yield svg("text", {x: LEFT - 6, y: y(value) + 4, "text-anchor": "end"}, number(value));
  }
}

function* ticks(periods, x, slot) {
  const every = Math.ceil(22 / slot);
  for (let period = 0; period < periods; period += every) {
    yield svg("text", {x: x(period), y: HEIGHT - 8, "text-anchor": "middle"}, String(period + 1));
  }
}

function* marked({value, name}, y, right) {
  yield svg("line", {x1: LEFT, x2: right, y1: y(value), y2: y(value),
    stroke: "var(--warn)", "stroke-dasharray": "6 4"});
  yield svg("text", {x: right - 4, y: y(value) - 5, "text-anchor": "end", style: "fill: var(--warn)"}, name);
}

function legend(series) {
  return element("ul", {class: "mc-legend", "aria-hidden": "true"}, series.map((each, index) =>
    element("li", {}, svg("svg", {viewBox: "0 0 20 12", width: 20, height: 12},
      index === 0
        ? svg("line", {x1: 0, x2: 20, y1: 6, y2: 6, stroke: each.colour, "stroke-width": 3})
        : svg("rect", {x: 5, y: 0, width: 10, height: 12, fill: each.colour, rx: 2})), each.name)));
}

function table(line, bars, words) {
  const head = element("tr", {}, ...[words.period, bars.name, line.name].map((name) =>
    element("th", {scope: "col"}, name)));
  const rows = line.values.map((value, period) => element("tr", {},
    element("th", {scope: "row"}, String(period + 1)),
    element("td", {}, number(bars.values[period]) ?? words.hidden),
    element("td", {}, number(value) ?? words.hidden)));
  return element("details", {class: "mc-details"}, element("summary", {}, words.table),
    element("div", {class: "mc-scroll"}, element("table", {}, element("thead", {}, head),
      element("tbody", {}, ...rows))));
}
