// Points that float over the field when a turn is over: up from the collector, and to the players that
// are harmed. Nothing floats for users who prefer reduced motion. This file computes no numbers.

import {signed, svg} from "../mixed/dom.js";
import {CELL} from "./pictures.js";

const LASTS = 900;  // in milliseconds

export function floats() {
  const node = svg("g", {class: "vote-floats", "aria-hidden": "true"});
  const moving = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const middle = ([row, column]) => [(column + 0.5) * CELL, (row + 0.6) * CELL];

  function float(words, from, to, kind) {
    const text = svg("text", {"text-anchor": "middle", class: `vote-float vote-float-${kind}`}, words);
    const shift = ([x, y]) => `translate(${x}px, ${y}px)`;
    node.append(text);
    text.animate([{transform: shift(from), opacity: 1}, {transform: shift(to), opacity: 1, offset: 0.75}, {transform: shift(to), opacity: 0}],
      {duration: LASTS, easing: "ease-out", fill: "forwards"}).finished.then(() => text.remove(), () => text.remove());
  }

  const up = ([x, y], cells) => [x, y - cells * CELL];
  // The position one cell away from a place, towards another, so that the numbers of several players do not
  // overlap.
  const beside = ([x, y], [toX, toY]) => {
    const far = Math.hypot(toX - x, toY - y) / CELL;
    return [x + (toX - x) / far, y + (toY - y) / far];
  };
  const aside = ([x, y]) => [x + (x < 2 * CELL ? 1 : -1) * CELL, y];

  return {
    node,
    // `last`: {components, harms: the amount that the collected kind takes from each other player};
    // `seats`: the position of each visible piece now; `was(place)`: the content of a cell before.
    rise({components, harms}, ownSeat, seats, was) {
      if (!moving()) return;
      const home = middle(seats.get(ownSeat));
      const others = [...seats].filter(([seat]) => seat !== ownSeat).map(([, place]) => place);
      if (components.value) float(signed(components.value), home, up(home, 1), components.value > 0 ? "gain" : "loss");
      if (components.punishment) float(signed(components.punishment), aside(home), up(aside(home), 1), "loss");
      if (harms) others.forEach((place) => float(signed(-harms), beside(home, middle(place)), middle(place), "loss"));
      if (!components.harm) return;
      const takers = others.map((place) => [place, was(place)]).filter(([, meaning]) => meaning?.type === "resource" && meaning.harm);
      takers.forEach(([place, {harm}]) => float(signed(-harm), middle(place), beside(home, middle(place)), "loss"));
      if (takers.length === 0) float(signed(components.harm), up(home, -1.5), up(home, -0.3), "loss");
    },
  };
}
