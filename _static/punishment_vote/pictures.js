// Pictures of what lies on a cell, drawn in a square of 40 x 40: shapes and letters, not colour alone.

import {badge, svg} from "../mixed/dom.js";

export const CELL = 40;

// A gem, a coin, a drop, a burr, a bone; further kinds begin again.
const SHAPES = [
  {d: "M12 8h16l7 10l-15 16l-15-16z", fill: "var(--green)"},
  {d: "M20 4a16 16 0 1 1 0 32a16 16 0 1 1 0-32z", fill: "var(--yellow)"},
  {d: "M20 3q14 15 14 22a14 12 0 0 1-28 0q0-7 14-22z", fill: "var(--sky)"},
  {d: "M20 2l4 8l8-4l0 9l8 2l-6 7l4 8l-9-1l-3 8l-6-6l-6 6l-3-8l-9 1l4-8l-6-7l8-2l0-9l8 4z", fill: "var(--orange)"},
  {d: "M9 9a5 5 0 0 1 8 4h6a5 5 0 1 1 8 6a5 5 0 1 1-8 6h-6a5 5 0 1 1-8-6a5 5 0 1 1 0-10z", fill: "var(--paper)"},
];

// What each code stands for, as sent, a resource with a letter besides: the kind's first, or its
// number where two kinds begin alike.
export function meanings(means) {
  const kinds = means.filter(({type}) => type === "resource");
  const alike = new Set(kinds.map(({name}) => name[0])).size < kinds.length;
  return means.map((meaning) => (meaning.type === "resource"
    ? {...meaning, letter: alike ? String(meaning.kind + 1) : meaning.name[0]} : meaning));
}

export function resource({kind, letter, taboo}) {
  const {d, fill} = SHAPES[kind % SHAPES.length];
  return svg("g", {class: "vote-resource"},
    svg("path", {d, fill, stroke: "var(--ink)", "stroke-width": 1.5, "stroke-linejoin": "round"}),
    svg("text", {x: 20, y: 25.5, "text-anchor": "middle"}, letter),
    taboo ? svg("circle", {cx: 20, cy: 20, r: 18.5, class: "vote-taboo"}) : null);
}

export function player(seat, own) {
  const picture = badge(seat, true);
  for (const [name, value] of Object.entries({x: 4, y: 4, width: 32, height: 32})) {
    picture.setAttribute(name, value);
  }
  return svg("g", {class: own ? "vote-own" : "vote-other"},
    own ? svg("circle", {cx: 20, cy: 20, r: 19, class: "vote-ring"}) : null, picture);
}

// A cell at a place on the picture. `how` is seen, remembered or fog.
export function cell(row, column, meaning, how) {
  const group = svg("g", {transform: `translate(${column * CELL} ${row * CELL})`, class: `vote-cell vote-${how}`});
  const wall = meaning?.type === "wall";
  group.append(svg("rect", {width: CELL, height: CELL, class: wall ? "vote-wall" : "vote-floor"}));
  if (wall) group.append(svg("path", {d: "M0 13h40M0 27h40M13 0v13M30 13v14M10 27v13", class: "vote-brick"}));
  if (how !== "seen") group.append(svg("path", {d: "M0 10L10 0M0 30L30 0M10 40L40 10M30 40L40 30", class: "vote-hatch"}));
  if (meaning?.type === "resource") group.append(resource(meaning));
  if (meaning?.type === "seat") group.append(player(meaning.seat, false));
  return group;
}

// A small picture of one kind, for a legend.
export const icon = (meaning) => svg("svg", {viewBox: "0 0 40 40", width: 28, height: 28, "aria-hidden": "true"},
  resource(meaning));
