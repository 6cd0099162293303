// The parts of the map: workers, houses, hills, bars of chances, and the legend of lines and bars.

import {badge, element, number, svg, text} from "../mixed/dom.js";
import {gem, letters} from "./gems.js";

const FIGURES = 5;  // larger crews are shown as a number
const SIZE = 12;

export const colour = (village) => `--colour: var(--seat-dark-${village % 6})`;

const figure = (x, y, size) => svg("path", {class: "gems-figure", transform: `translate(${x} ${y}) scale(${size / 11})`,
  d: "M0 -9a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 1 1 0 -5.2zM-3.600 5v-4q0 -4.200 3.600 -4.200t3.600 4.200v4z"});

// Workers as figures, or as one figure and their number; `villages` has the village of each worker,
// or null if hidden.
export function crew(x, y, villages, room) {
  const size = Math.min(SIZE, room / Math.min(villages.length, FIGURES));
  if (villages.length > FIGURES || size < 6) {
    return [svg("g", {}, figure(x - 9, y, 10)), svg("text", {x: x - 1, y: y + 3, class: "gems-count"}, `\u00d7${villages.length}`)];
  }
  return villages.map((village, index) => svg("g", {"data-village": village, style: village === null ? null : colour(village)},
    figure(x + (index - (villages.length - 1) / 2) * size, y, size)));
}

export function house(x, y, village, isOwn) {
  const mark = badge(village, true);
  for (const [name, value] of Object.entries({x: x - 11, y: y + 18, width: 22, height: 22})) mark.setAttribute(name, value);
  return svg("g", {class: "gems-village", "data-you": isOwn},
    svg("path", {d: `M${x - 20} ${y + 16}l20 -14l20 14v28h-40z`, class: "gems-house"}), mark);
}

export const hill = (x, y, mine) => [
  svg("path", {d: `M${x - 21} ${y + 32}q4 -30 14 -38q7 -5 14 0q10 8 14 38z`, class: "gems-hill"}),
  svg("path", {d: `M${x - 8} ${y + 32}v-10q8 -9 16 0v10z`, class: "gems-mouth"}),
  svg("text", {x, y: y + 12, "text-anchor": "middle", class: "gems-letter"}, letters(mine)),
];

const clamped = (share) => Math.max(0, Math.min(share, 1));

// A kind of gem at a mine: `words` beside a bar from 0% to 100%. The pale part is the possible range {from,
// to}, and the dark part is the expected chance.
export function rate(x, y, width, kind, {from, to, dark, words}, texts) {
  const part = (start, end, name) => svg("rect", {x: x + clamped(start) * width, y: y + 15, width: Math.max(clamped(end) - clamped(start), 0) * width,
    height: 4, class: name});
  return svg("g", {}, gem(kind, texts, {x, y: y + 2, size: 10}),
    svg("text", {x: x + width, y: y + 11, "text-anchor": "end", class: "gems-told"}, words),
    part(0, 1, "gems-track"), part(from, to, "gems-pale"),
    dark === null ? null : dark > from ? part(from, dark, "gems-dark") : part(dark - 0.03, dark + 0.03, "gems-dark"));
}

export const share = (chance, texts) => text(texts.percent, {p: number(100 * chance, 0)});

// `shownParts`: {chances, again, tally, went}.
export function legend(shownParts, texts) {
  const rows = [[true, road("gems-road-own"), texts.road_own], [shownParts.went, picture(svg("path", {d: "M2 6h18", class: "gems-way"}), svg("path", {d: "M28 6l-10 -6v12z", fill: "var(--ink)"})), texts.road_used],
    [shownParts.chances && shownParts.again, bar(null), texts.bar_again], [shownParts.chances, bar("gems-pale"), texts.bar_alone],
    [shownParts.tally, bar("gems-pale"), texts.bar_between]];
  return rows.filter(([shown]) => shown).map(([, picture, words]) => element("li", {}, picture, words));
}

const picture = (...parts) => svg("svg", {viewBox: "0 0 30 12", width: 30, height: 12}, ...parts);
const road = (kind) => picture(svg("path", {d: "M2 6h26", class: kind}));
const bar = (kind) => picture(svg("rect", {x: 2, y: 4, width: 26, height: 5, class: kind ?? "gems-dark"}));
