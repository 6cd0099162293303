// The shared chest: the points it is worth to every village, and the number of gems of each kind.

import {element, exact, number, signed, svg, text} from "../mixed/dom.js";
import {gem} from "./gems.js";

const CHEST = "M3 17v-5q0 -8 8 -8h18q8 0 8 8v5zM3 19h34v13h-34z";

export function makeChest(kinds, worths, texts) {
  const picture = svg("svg", {viewBox: "0 0 40 34", width: 44, height: 38, class: "gems-chest", "aria-hidden": "true"},
    svg("path", {d: CHEST}), svg("rect", {x: 17, y: 14, width: 6, height: 9, rx: 1}));
  const worth = element("strong", {class: "gems-worth"});
  const unit = element("span", {class: "mc-unit"});
  const more = element("span", {class: "gems-more"});
  const counts = kinds.map(() => element("strong", {}));
  const names = kinds.map((kind) => element("span", {class: "mc-unit gems-kind"}, texts[`kinds_${kind}`]));
  const notes = kinds.map((kind) => (worths.every((points) => points === 1) ? null
    : element("span", {class: "mc-unit gems-each"}, text(texts.each, {n: exact(worths[kind])}))));
  const node = element("div", {class: "gems-purse"}, picture,
    element("p", {}, worth, " ", unit, " ", more),
    element("ul", {"aria-label": texts.purse}, ...kinds.map((kind) => element("li", {}, gem(kind, texts), counts[kind], names[kind], notes[kind]))));
  return {
    node,
    picture,
    show({purse, period}, {worth: points, gained}) {
      const isShown = purse !== undefined && !purse.includes(null);
      for (const kind of kinds) {
        counts[kind].textContent = isShown ? number(purse[kind]) : texts.not_shown;
        names[kind].textContent = isShown ? text(texts[`kind_${kind}`], {n: number(purse[kind])}) : texts[`kinds_${kind}`];
      }
      worth.textContent = points === null ? "" : number(points, 2);
      unit.textContent = points === null ? texts.purse : text(texts.worth, {n: number(points, 2)});
      more.textContent = gained === null || period === 0 ? "" : text(texts.gained, {points: signed(gained, (value) => number(value, 2))});
    },
  };
}
