// The end. Bars show the earnings of each player and what everyone could have earned. A network shows the
// participant in the middle and the others around. Every other player has one arrow in and one arrow out,
// with a sign. The thickness shows the size of the effect, and losses are dashed.

import {badge, element, number, svg, text} from "../mixed/dom.js";
import {arrow} from "./arrow.js";
import {points} from "./why.js";

export function comparison(players, others, {seat, texts}) {
  const all = [...players, ...others];
  const [low, high] = [Math.min(0, ...all.map(({value}) => value)), Math.max(1e-9, ...all.map(({value}) => value))];
  const share = (value) => (100 * value) / (high - low);
  const bar = (value) => element("span", {class: "net-bar", "aria-hidden": "true"},
    element("i", {style: `--from: ${share(Math.min(value, 0) - low)}%; --share: ${share(Math.abs(value))}%`, "data-less": value < 0}));
  const row = ({name, value, note, seat: whose}) => element("tr", {"data-you": whose === seat, "data-could": whose === undefined},
    element("th", {scope: "row"}, element("span", {class: "mc-seat"}, whose === undefined ? null : badge(whose), name),
      note ? element("span", {class: "mc-quiet net-note"}, note) : null),
    element("td", {class: "net-given"}, bar(value), element("span", {}, number(value))));
  return element("table", {class: "mc-seats net-compare"}, element("caption", {}, texts.compare), element("tbody", {}, ...all.map(row)));
}

const SIZE = 360;
const RING = 138;
const NODE = 20;
const BEND = 34;

export function network({seat, texts, names}) {
  const picture = svg("svg", {viewBox: `0 0 ${SIZE} ${SIZE}`, class: "net", role: "img"});
  const legend = element("p", {class: "mc-quiet net-legend"}, key("takes"), ` ${texts.takes}   `, key("gives"), ` ${texts.gives}`);
  const node = element("figure", {class: "net-frame"}, element("figcaption", {}, texts.network), picture, legend);
  return {
    node,
    show(received, effectsGiven) {
      const others = received.map((_, other) => other).filter((other) => other !== seat);
      const largest = Math.max(1e-9, ...received.map((effect) => Math.abs(effect)), ...effectsGiven.map((effect) => Math.abs(effect)));
      const arrows = [];
      const places = others.map((other, index) => {
        const angle = (2 * Math.PI * index) / others.length - Math.PI / 2;
        const place = [SIZE / 2 + RING * Math.cos(angle), SIZE / 2 + RING * Math.sin(angle)];
        const middle = [SIZE / 2, SIZE / 2];
        const shape = {largest, gap: NODE + 6, bend: BEND, marked: true};
        arrows.push(...arrow(place, middle, received[other], shape), ...arrow(middle, place, effectsGiven[other], shape));
        return placedBadge(place, other);
      });
      const lowest = Math.max(SIZE / 2, ...others.map((_, index) =>
        SIZE / 2 + RING * Math.sin((2 * Math.PI * index) / others.length - Math.PI / 2)));
      picture.setAttribute("viewBox", `0 0 ${SIZE} ${lowest + NODE + 14}`);
      picture.replaceChildren(...arrows, ...places, placedBadge([SIZE / 2, SIZE / 2], seat, true));
      picture.setAttribute("aria-label", text(texts.network_text, {pairs: others.map((other) => text(texts.pair_text, {
        player: names(other), received: points(received[other]), given: points(effectsGiven[other])})).join("; ")}));
    },
  };
}

function placedBadge([x, y], seat, isOwn = false) {
  const picture = badge(seat);
  for (const [name, value] of Object.entries({x: x - NODE, y: y - NODE, width: 2 * NODE, height: 2 * NODE})) {
    picture.setAttribute(name, value);
  }
  return svg("g", {}, isOwn ? svg("circle", {cx: x, cy: y, r: NODE + 5, class: "net-own"}) : null, picture);
}

const key = (kind) => svg("svg", {viewBox: "0 0 30 12", width: 30, height: 12, "aria-hidden": "true"},
  svg("path", {d: "M2 6h26", class: `net-arrow net-${kind}`, "stroke-width": 3}));
