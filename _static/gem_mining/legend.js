// What the lines and bars of the map mean, as far as they are there.

import {element, svg} from "../mixed/dom.js";

// `there`: {chances, again, tally, went}.
export function legend(there, texts) {
  const rows = [[true, road("gems-road-own"), texts.road_own], [there.went, road("gems-way"), texts.road_used],
    [there.chances && there.again, bar(null), texts.bar_again], [there.chances, bar("gems-pale"), texts.bar_alone],
    [there.tally, bar("gems-pale"), texts.bar_between]];
  return rows.filter(([shown]) => shown).map(([, picture, words]) => element("li", {}, picture, words));
}

const picture = (...parts) => svg("svg", {viewBox: "0 0 30 12", width: 30, height: 12}, ...parts);
const road = (kind) => picture(svg("path", {d: "M2 6h26", class: kind}));
const bar = (kind) => picture(svg("rect", {x: 2, y: 4, width: 26, height: 5, class: kind ?? "gems-dark"}));
