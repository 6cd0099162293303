// Pictures for the instructions: the players around the pool, a player's endowment, the effects between
// two players, the points of a period.

import {badge, element, svg} from "../mixed/dom.js";

const WIDTH = 320;
const HEIGHT = 190;
const SIZE = 34;
const WIDE = 200;  // of the bars

// The players around the pool: an arrow from each player to it.
function around({seats}) {
  const [x, y] = [WIDTH / 2, HEIGHT / 2];
  const places = Array.from({length: seats}, (_, seat) => {
    const angle = (2 * Math.PI * seat) / seats - Math.PI / 2;
    return [x + 1.6 * 72 * Math.cos(angle), y + 72 * Math.sin(angle)];
  });
  const arrows = places.map(([fromX, fromY]) => {
    const along = (share) => `${fromX + share * (x - fromX)} ${fromY + share * (y - fromY)}`;
    return svg("path", {d: `M${along(0.28)}L${along(0.62)}`, class: "net-arrow net-gives", "stroke-width": 3});
  });
  const shown = places.map(([left, top], seat) => placed(badge(seat), left, top));
  return svg("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "net-scene"},
    svg("circle", {cx: x, cy: y, r: 26, class: "net-own"}), ...[-9, 0, 9].map((aside) => svg("circle", {cx: x + aside, cy: y + 4 - Math.abs(aside) / 2, r: 7, class: "mc-scene-coin"})),
    ...arrows, ...shown);
}

function placed(picture, x, y) {
  for (const [name, value] of Object.entries({x: x - SIZE / 2, y: y - SIZE / 2, width: SIZE, height: SIZE})) picture.setAttribute(name, value);
  return picture;
}

// The endowment of a player, split into the part contributed and the part kept.
function split({whole, given: amount, kept_words: kept, given_words: words}) {
  const share = whole ? (100 * amount) / whole : 0;
  return element("div", {class: "net-split"},
    element("span", {class: "net-bar"}, element("i", {style: `--share: ${share}%`})),
    element("p", {}, element("span", {}, words), element("span", {}, kept)));
}

// A bar for each value: positive ones to the right, negative ones to the left. `heads` name the two columns.
function bars({bars: all, heads = []}) {
  const largest = Math.max(...all.map(({value}) => Math.abs(value))) || 1;
  const both = all.some(({value}) => value < 0);
  const [zero, unit] = both ? [WIDE / 2, WIDE / 2 / largest] : [0, WIDE / largest];
  return element("table", {class: "net-scene-bars"},
    heads.length ? element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {scope: "col"}, head)))) : null,
      element("tbody", {}, ...all.map(({name, value}) => element("tr", {},
      element("th", {scope: "row"}, name),
      element("td", {}, svg("svg", {viewBox: `0 0 ${WIDE} 14`, preserveAspectRatio: "none"},
        svg("rect", {x: zero + Math.min(value, 0) * unit, y: 1, width: Math.max(Math.abs(value) * unit, 0.5), height: 12, "data-less": value < 0}),
        both ? svg("path", {d: `M${zero} 0v14`, class: "net-scene-zero"}) : null))))));
}

export const scenes = {about: around, decides: split, happens: bars, pays: bars};
