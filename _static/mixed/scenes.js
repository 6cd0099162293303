// Pictures of the instructions that are the same for all games: what points are worth, how long a play
// lasts. A game's own are the `scenes` of its `stage.js`.

import {element, svg, text} from "./dom.js";

const MOST_BOXES = 40;
const BOX = 16;

export const scenes = {
  pays: ({rate}) => element("p", {class: "mc-scene-rate"}, coins(), element("strong", {}, rate)),
  // One box for each period; of many, so many as fit.
  ends({periods}, texts) {
    const boxes = Math.min(periods, MOST_BOXES);
    const [wide, flag] = [boxes * BOX, 18];
    return element("div", {class: "mc-scene-time"},
      svg("svg", {viewBox: `0 0 ${wide + flag} 26`, style: `max-width: ${2 * (wide + flag)}px`},
        ...Array.from({length: boxes}, (_, index) => svg("rect", {x: index * BOX + 1, y: 8, width: BOX - 2, height: 16, rx: 2, class: "mc-scene-box"})),
        svg("path", {d: `M${wide + 4} 24v-22h11l-4 5l4 5h-11`, class: "mc-scene-flag"})),
      element("p", {}, element("span", {}, text(texts.period, {period: 1, periods})), element("span", {}, text(texts.period, {period: periods, periods}))));
  },
};

const coins = () => svg("svg", {viewBox: "0 0 48 40", width: 48, height: 40},
  ...[[14, 32], [14, 26], [14, 20], [34, 32], [34, 26]].map(([cx, cy]) => svg("ellipse", {cx, cy, rx: 12, ry: 5, class: "mc-scene-coin"})));
