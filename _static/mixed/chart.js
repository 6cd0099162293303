// A line, and perhaps bars, over the periods of a play, as SVG, with the same numbers as a table.

import {element, number, svg} from "./dom.js";

const HEIGHT = 220;
const LEFT = 36;
const RIGHT = 8;
const TOP = 12;
const BOTTOM = 28;
const MOST_SLOTS = 200;  // more are too thin to be seen

// line, bars: {name, colour, values}: one value per period from `first` on, null where there is
// none. `start` is the line's value before period 0; `mark` an optional horizontal line; `column`
// {name, values} stands in the table instead of bars; `width` is the room there is, in pixels, so
// that the writing keeps its size on a phone.
export function chart({periods, first = 0, top, line, bars = null, column = bars, start, mark, words, width}) {
  const right = Math.max(width, 240) - RIGHT;
  const shown = first > 0 ? line.values.length : Math.max(Math.min(periods, MOST_SLOTS), line.values.length);
  const slot = (right - LEFT) / (shown + 0.5);
  const x = (period) => LEFT + (period + 1) * slot;
  const y = (value) => TOP + (1 - Math.max(Math.min(value / top, 1), 0)) * (HEIGHT - TOP - BOTTOM);
  const picture = svg("svg", {viewBox: `0 0 ${right + RIGHT} ${HEIGHT}`, class: "mc-chart", "aria-hidden": "true"});
  picture.append(...grid(top, y, right), ...ticks(first, shown, x, slot));
  if (mark) picture.append(...marked(mark, y, right));
  const thick = Math.min(0.5 * slot, 24);
  bars?.values.forEach((value, period) => {
    if (value === null) return;
    picture.append(svg("rect", {x: x(period) - thick / 2, y: y(value), width: thick,
      height: HEIGHT - BOTTOM - y(value), fill: bars.colour, rx: 2}));
  });
  const points = [[-1, start], ...line.values.map((value, period) => [period, value])]
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([period, value]) => [x(period), y(value)]);
  picture.append(svg("polyline", {points: points.map((point) => point.join(",")).join(" "),
    fill: "none", stroke: line.colour, "stroke-width": 3, "stroke-linejoin": "round"}));
  const dot = slot < 12 ? points.slice(-1) : points;
  for (const [cx, cy] of dot) picture.append(svg("circle", {cx, cy, r: 3.5, fill: line.colour}));
  return [legend([line, bars].filter(Boolean)), picture, table(first, line, column, words)];
}

function* grid(top, y, right) {
  for (let share = 0; share <= 4; share += 1) {
    const value = (top * share) / 4;
    yield svg("line", {x1: LEFT, x2: right, y1: y(value), y2: y(value), stroke: "var(--line)"});
    yield svg("text", {x: LEFT - 6, y: y(value) + 4, "text-anchor": "end"}, number(value));
  }
}

function* ticks(first, shown, x, slot) {
  const every = Math.ceil(28 / slot);
  for (let index = 0; index < shown; index += every) {
    yield svg("text", {x: x(index), y: HEIGHT - 8, "text-anchor": "middle"}, String(first + index + 1));
  }
}

function* marked({value, name}, y, right) {
  yield svg("line", {x1: LEFT, x2: right, y1: y(value), y2: y(value),
    stroke: "var(--warn)", "stroke-dasharray": "6 4"});
  yield svg("text", {x: right - 4, y: y(value) - 5, "text-anchor": "end", style: "fill: var(--warn)"}, name);
}

function legend(series) {
  return element("ul", {class: "mc-legend", "aria-hidden": "true"}, series.map(({name, colour}, index) =>
    element("li", {}, svg("svg", {viewBox: "0 0 20 12", width: 20, height: 12},
      index === 0
        ? svg("line", {x1: 0, x2: 20, y1: 6, y2: 6, stroke: colour, "stroke-width": 3})
        : svg("rect", {x: 5, y: 0, width: 10, height: 12, fill: colour, rx: 2})), name)));
}

function table(first, line, column, words) {
  const head = element("tr", {}, ...[words.period, column.name, line.name].map((name) =>
    element("th", {scope: "col"}, name)));
  const rows = line.values.map((value, index) => element("tr", {},
    element("th", {scope: "row"}, String(first + index + 1)),
    element("td", {}, number(column.values[index]) ?? words.hidden),
    element("td", {}, number(value) ?? words.hidden)));
  return element("details", {class: "mc-details"}, element("summary", {}, words.table),
    element("div", {class: "mc-scroll", tabindex: 0}, element("table", {}, element("thead", {}, head),
      element("tbody", {}, ...rows))));
}

// How wide a chart inside a node can be.
export function room(node) {
  const style = getComputedStyle(node);
  return node.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
}
