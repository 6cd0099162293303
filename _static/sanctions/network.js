// The end. Bars with the earnings of each player and with what everyone could have earned. A network with
// the participant in the middle and the others around: for every other player an arrow in and one
// out, as thick as the effect is large, with its sign; losses are dashed.

import {badge, element, number, svg, text} from "../mixed/dom.js";
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
const THICKEST = 7;
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
        arrows.push(...arrow(place, middle, received[other], largest), ...arrow(middle, place, effectsGiven[other], largest));
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

// A curved arrow from one place to another with its sign in the middle; nothing without an effect.
function arrow(from, to, effect, largest) {
  if (Math.abs(effect) < 1e-3 * largest || Math.abs(effect) < 5e-4) return [];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const thick = 1.5 + (THICKEST - 1.5) * (Math.abs(effect) / largest);
  const head = 7 + 1.6 * thick;
  const aside = (place, along) => [place[0] + ux * along - uy * 9, place[1] + uy * along + ux * 9];
  const [sx, sy] = aside(from, NODE + 6);
  const [ex, ey] = aside(to, -(NODE + 6 + head));
  const [mx, my] = [(sx + ex) / 2 - uy * BEND, (sy + ey) / 2 + ux * BEND];
  const kind = effect < 0 ? "takes" : "gives";
  const [hx, hy] = [ex - mx, ey - my];
  const turn = (Math.atan2(hy, hx) * 180) / Math.PI;
  const [cx, cy] = [(sx + 2 * mx + ex) / 4, (sy + 2 * my + ey) / 4];
  return [
    svg("path", {d: `M${sx} ${sy}Q${mx} ${my} ${ex} ${ey}`, class: `net-arrow net-${kind}`, "stroke-width": thick}),
    svg("path", {d: `M${head} 0l${-head} ${-head * 0.6}v${head * 1.2}z`, transform: `translate(${ex} ${ey}) rotate(${turn})`,
      class: `net-head net-${kind}`}),
    svg("circle", {cx, cy, r: 9, class: `net-sign net-${kind}`}),
    svg("path", {d: effect < 0 ? "M-5 0h10" : "M-5 0h10M0 -5v10", transform: `translate(${cx} ${cy})`, class: "net-glyph"}),
  ];
}

const key = (kind) => svg("svg", {viewBox: "0 0 30 12", width: 30, height: 12, "aria-hidden": "true"},
  svg("path", {d: "M2 6h26", class: `net-arrow net-${kind}`, "stroke-width": 3}));
