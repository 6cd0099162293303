// A curved arrow from one place to another. Its thickness shows the size of an effect, and a dashed arrow is
// a loss.

import {svg} from "../mixed/dom.js";

const THINNEST = 1.5;
const THICKEST = 7;

// Draws nothing if there is no effect. `largest` is the effect of the thickest arrow, `gap` the
// distance from both places, `bend` the distance of the curve from the straight line, `apart` the
// sideways shift of both ends; a `marked` arrow has its sign in the middle.
export function arrow(from, to, effect, {largest, gap, bend, apart = 9, marked = false}) {
  if (Math.abs(effect) < 1e-3 * largest || Math.abs(effect) < 5e-4) return [];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const thick = THINNEST + (THICKEST - THINNEST) * Math.min(Math.abs(effect) / largest, 1);
  const head = 7 + 1.6 * thick;
  const aside = (place, along) => [place[0] + ux * along - uy * apart, place[1] + uy * along + ux * apart];
  const [sx, sy] = aside(from, gap);
  const [ex, ey] = aside(to, -(gap + head));
  const [mx, my] = [(sx + ex) / 2 - uy * bend, (sy + ey) / 2 + ux * bend];
  const kind = effect < 0 ? "takes" : "gives";
  const turn = (Math.atan2(ey - my, ex - mx) * 180) / Math.PI;
  const [cx, cy] = [(sx + 2 * mx + ex) / 4, (sy + 2 * my + ey) / 4];
  return [
    svg("path", {d: `M${sx} ${sy}Q${mx} ${my} ${ex} ${ey}`, class: `net-arrow net-${kind}`, "stroke-width": thick}),
    svg("path", {d: `M${head} 0l${-head} ${-head * 0.6}v${head * 1.2}z`, transform: `translate(${ex} ${ey}) rotate(${turn})`,
      class: `net-head net-${kind}`}),
    ...(marked ? [svg("circle", {cx, cy, r: 9, class: `net-sign net-${kind}`}),
      svg("path", {d: effect < 0 ? "M-5 0h10" : "M-5 0h10M0 -5v10", transform: `translate(${cx} ${cy})`, class: "net-glyph"})] : []),
  ];
}
