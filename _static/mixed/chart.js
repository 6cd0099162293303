// An SVG chart over the periods of a play: a line, up to two lines for comparison, and stacked bars. A table
// shows the same numbers.

import {element, number, svg} from "./dom.js";

const LEFT = 36;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 28;
const MOST_SLOTS = 200;  // more would be too thin to see
const MARKED = "var(--ink)";

// line, ghost, thin, bars: {name, colour, values}: one value per period from `first` on, null for a missing
// one. Several `bars` are stacked; `ghost` is the line for comparison, dashed, `thin` another. `low` is the
// lower end of the axis, a multiple of its `step`; `start` is the line's value before period 0; `mark` is an
// optional horizontal line {value, name}; `column` {name, values} replaces the bars in the table; `width` is the available
// width in pixels, so that text keeps its size on a phone.
export function chart({periods, first = 0, low = 0, top, step = top / 4, line = null, ghost = null, thin = null, bars = [], column = bars, start = null, mark, words, width, height = 220}) {
  const [stacked, columns] = [bars, column].map((some) => [some ?? []].flat());
  const count = Math.max(...[line, ghost, thin, ...stacked, ...columns].map((series) => series?.values.length ?? 0));
  const right = Math.max(width, 240) - RIGHT;
  const shown = first > 0 ? count : Math.max(Math.min(periods, MOST_SLOTS), count);
  const slot = (right - LEFT) / (shown + 0.5);
  const scale = {
    right, slot, bottom: height - BOTTOM,
    x: (period) => LEFT + (period + 1) * slot,
    y: (value) => TOP + (1 - Math.max(Math.min((value - low) / (top - low), 1), 0)) * (height - TOP - BOTTOM),
  };
  const picture = svg("svg", {viewBox: `0 0 ${right + RIGHT} ${height}`, class: "mc-chart", "aria-hidden": "true"});
  picture.append(...grid(low, top, step, scale), ...ticks(first, shown, scale, height));
  picture.append(...piles(stacked, scale));
  if (mark) picture.append(level(mark, scale));
  if (thin) picture.append(path(thin, null, scale, {"stroke-width": 1.25}));
  if (ghost) picture.append(path(ghost, null, scale, {"stroke-width": 2, "stroke-dasharray": "3 5"}));
  if (line) picture.append(path(line, start, scale, {"stroke-width": 3}), ...dots(line, start, scale));
  const named = [line && {...line, kind: "line"}, ghost && {...ghost, kind: "ghost"}, thin && {...thin, kind: "thin"}, ...stacked.map((series) => ({...series, kind: "bar"})), mark && {...mark, colour: MARKED, kind: "mark"}];
  return [legend(named.filter(Boolean)), picture, table(first, count, [...columns, line, ghost, thin].filter(Boolean), words)];
}

function* grid(low, top, step, {right, y}) {
  for (let value = low; value <= top + step / 2; value += step) {
    const zero = low < 0 && Math.abs(value) < step / 2;
    yield svg("line", {x1: LEFT, x2: right, y1: y(value), y2: y(value), stroke: zero ? "var(--line-strong)" : "var(--line)"});
    yield svg("text", {x: LEFT - 6, y: y(value) + 4, "text-anchor": "end"}, number(value));
  }
}

function* ticks(first, shown, {slot, x}, height) {
  const every = Math.ceil(28 / slot);
  for (let index = 0; index < shown; index += every) {
    yield svg("text", {x: x(index), y: height - 8, "text-anchor": "middle"}, String(first + index + 1));
  }
}

const level = ({value}, {right, y}) => svg("line", {x1: LEFT, x2: right, y1: y(value), y2: y(value),
  stroke: MARKED, "stroke-width": 1.5, "stroke-dasharray": "6 4"});

function* piles(stacked, {x, y, slot, bottom}) {
  const thick = Math.min(0.5 * slot, 24);
  const heights = [];
  for (const {colour, values} of stacked) {
    for (const [period, value] of values.entries()) {
      if (value === null) continue;
      const below = heights[period] ?? 0;
      heights[period] = below + value;
      const foot = below ? y(below) : bottom;
      yield svg("rect", {x: x(period) - thick / 2, y: y(heights[period]), width: thick,
        height: foot - y(heights[period]), fill: colour, rx: stacked.length > 1 ? 0 : 2});
    }
  }
}

const points = ({values}, start, {x, y}) => [[-1, start], ...values.map((value, period) => [period, value])]
  .filter(([, value]) => value !== null && value !== undefined)
  .map(([period, value]) => [x(period), y(value)]);

const path = (series, start, scale, style) => svg("polyline", {fill: "none", stroke: series.colour, "stroke-linejoin": "round",
  points: points(series, start, scale).map((point) => point.join(",")).join(" "), ...style});

function dots(line, start, scale) {
  const all = points(line, start, scale);
  return (scale.slot < 12 ? all.slice(-1) : all).map(([cx, cy]) => svg("circle", {cx, cy, r: 3.5, fill: line.colour}));
}

const SIGNS = {
  line: (colour) => svg("line", {x1: 0, x2: 20, y1: 6, y2: 6, stroke: colour, "stroke-width": 3}),
  ghost: (colour) => svg("line", {x1: 0, x2: 20, y1: 6, y2: 6, stroke: colour, "stroke-width": 2, "stroke-dasharray": "3 5"}),
  thin: (colour) => svg("line", {x1: 0, x2: 20, y1: 6, y2: 6, stroke: colour, "stroke-width": 1.25}),
  mark: (colour) => svg("line", {x1: 0, x2: 20, y1: 6, y2: 6, stroke: colour, "stroke-width": 1.5, "stroke-dasharray": "6 4"}),
  bar: (colour) => svg("rect", {x: 5, y: 0, width: 10, height: 12, fill: colour, rx: 2}),
};

const legend = (named) => element("ul", {class: "mc-legend", "aria-hidden": "true"}, named.map(({name, colour, kind}) =>
  element("li", {}, svg("svg", {viewBox: "0 0 20 12", width: 20, height: 12}, SIGNS[kind](colour)), name)));

function table(first, count, columns, words) {
  const head = element("tr", {}, ...[words.period, ...columns.map((column) => column.name)].map((name) =>
    element("th", {scope: "col"}, name)));
  const rows = Array.from({length: count}, (_, index) => element("tr", {},
    element("th", {scope: "row"}, String(first + index + 1)),
    ...columns.map((column) => element("td", {}, cell(column.values[index], words)))));
  return element("details", {class: "mc-details"}, element("summary", {}, words.table),
    element("div", {class: "mc-scroll"}, element("table", {}, element("thead", {}, head),
      element("tbody", {}, ...rows))));
}

// A value is undefined if the period was not played, and null if it is hidden.
const cell = (value, words) => (value === undefined ? "\u2013" : number(value) ?? words.hidden);

// Draws a play's chart below its title, as wide as the node; the table stays open if it was open.
export function historyChart(node, title, texts, played, settings) {
  const open = node.querySelector("details")?.open ?? false;
  node.replaceChildren(element("h2", {}, title), ...chart({
    first: played[0].period,
    width: room(node),
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
    ...settings,
  }));
  node.querySelector("details").open = open;
}

// The width available for a chart inside a node.
export function room(node) {
  const style = getComputedStyle(node);
  return node.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
}

// A round number for the end of an axis, at or above the largest value (4 without values), such
// that its four steps are whole numbers.
export function roundTop(values) {
  const largest = Math.max(...values, 0) || 4;
  const unit = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 4, 6, 8, 10].find((step) => step * unit >= largest - 1e-9) * unit;
}
