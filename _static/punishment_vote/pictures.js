// Pictures of the contents of a cell, drawn in a square of 40 x 40. Shapes and values identify them without
// colour.

import {badge, exact, signed, svg} from "../mixed/dom.js";

export const CELL = 40;

// A gem, a coin, a drop, a burr and a bone. Further kinds reuse these shapes.
const SHAPES = [
  {d: "M11 4h18l8 12l-17 21l-17-21z", fill: "var(--pale-green)"},
  {d: "M20 4a16 16 0 1 1 0 32a16 16 0 1 1 0-32z", fill: "var(--yellow)"},
  {d: "M20 2q16 14 16 22a16 14 0 0 1-32 0q0-8 16-22z", fill: "var(--pale-sky)"},
  {d: "M20 2l4 7l8-4l1 9l6 4l-6 5l4 9l-9 0l-3 6l-5-5l-6 5l-3-7l-8 1l3-9l-5-6l7-3l-1-9l9 4z", fill: "var(--pale-orange)"},
  {d: "M7 7a6 6 0 0 1 10 3h6a6 6 0 1 1 10 8v4a6 6 0 1 1-10 8h-6a6 6 0 1 1-10-8v-4a6 6 0 0 1 0-11z", fill: "var(--paper)"},
];

const WIDE = 4;  // characters that fit at full font size

// A resource: its shape, the points that it gives its collector and takes from each other player. A
// taboo one has a ring around it that fills with the punishment level (`--level` of its picture).
export function resource({kind, value, harm, taboo}) {
  const {d, fill} = SHAPES[kind % SHAPES.length];
  const lines = [signed(value, exact), harm ? signed(-harm, exact) : null];
  const words = lines.map((line, index) => line && svg("text", {x: 20, y: harm ? [18.5, 33][index] : 25.5, "text-anchor": "middle",
    class: index ? "vote-harm" : "vote-value",
    style: line.length > WIDE ? `font-size: ${(13 * WIDE) / line.length}px` : null}, line));
  return svg("g", {class: "vote-resource"},
    svg("path", {d, fill, stroke: "var(--ink)", "stroke-width": 1.5, "stroke-linejoin": "round"}),
    ...(taboo ? [svg("circle", {cx: 20, cy: 20, r: 18, class: "vote-taboo"}),
      svg("circle", {cx: 20, cy: 20, r: 18, class: "vote-taboo-level", pathLength: 100, transform: "rotate(-90 20 20)"})] : []),
    ...words);
}

export function player(seat, isOwn) {
  const picture = badge(seat, true);
  for (const [name, value] of Object.entries({x: 5, y: 5, width: 30, height: 30})) {
    picture.setAttribute(name, value);
  }
  return svg("g", {class: isOwn ? "vote-own" : "vote-other"},
    isOwn ? svg("circle", {cx: 20, cy: 20, r: 18.5, class: "vote-ring"}) : null, picture);
}

// A cell at a position in the picture. `how` is seen, remembered or fog.
export function cell(row, column, meaning, how) {
  const group = svg("g", {transform: `translate(${column * CELL} ${row * CELL})`, class: `vote-cell vote-${how}`});
  const wall = meaning?.type === "wall";
  group.append(svg("rect", {width: CELL, height: CELL, class: wall ? "vote-wall" : "vote-floor"}));
  if (wall) group.append(svg("path", {d: "M0 10h40M0 20h40M0 30h40M10 0v10M30 10v10M10 20v10M30 30v10", class: "vote-brick"}));
  if (how === "fog") group.append(svg("path", {d: "M0 10L10 0M0 30L30 0M10 40L40 10M30 40L40 30", class: "vote-hatch"}));
  if (meaning?.type === "resource") group.append(resource(meaning));
  return group;
}

// A small picture of one kind, for the table of values.
export const icon = (meaning) => svg("svg", {viewBox: "0 0 40 40", width: 36, height: 36, "aria-hidden": "true"},
  resource(meaning));
