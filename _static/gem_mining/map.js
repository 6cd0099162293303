// The map: mines above, villages below, a road from each village to the mines it reaches.

import {badge, element, svg} from "../mixed/dom.js";
import {gem, letters, range} from "./gems.js";

const NARROWEST = 44;
const WIDEST = 92;
const TOP = 26;  // gems found
const HILL = 50;
const CREW = 100;  // workers in a mine
const ROAD = [112, 196];
const HOUSE = 196;
const HEIGHT = 278;
const FIGURES = 5;  // more than that are a number

export function map({setting: {mines, farthest}, seat, texts, onPick}) {
  const picture = svg("svg", {class: "gems-map", role: "img"});
  const frame = element("div", {class: "mc-scroll gems-scroll", tabindex: 0, role: "group", "aria-label": texts.map}, picture);
  const legend = element("p", {class: "mc-quiet gems-legend"}, key("gems-road-own"), ` ${texts.road_own}   `,
    key("gems-way"), ` ${texts.road_used}`);
  let drawn = null;
  let chosen = null;

  function draw() {
    const step = Math.min(Math.max((frame.clientWidth || 600) / mines, NARROWEST), WIDEST);
    const mineAt = (mine) => (mine + 0.5) * step;
    const villageAt = (village) => (village + farthest / 2) * step;
    const {last, went, people} = drawn;
    const reached = (mine) => mine >= people[seat].first && mine <= people[seat].last;
    const roads = people.flatMap(({first, last: end}, village) => (first === null ? []
      : range(first, end).map((mine) => road(villageAt(village), mineAt(mine),
        village === seat ? `gems-road-own${mine === chosen ? " gems-road-chosen" : ""}` : "gems-road"))));
    const used = went.map((mine, village) => (mine === null ? null : way(villageAt(village), mineAt(mine), village)));
    const width = mines * step;
    for (const [name, value] of Object.entries({viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT})) picture.setAttribute(name, value);
    picture.replaceChildren(...roads, ...used.filter(Boolean),
      ...last.map((outcome, mine) => place(mineAt(mine), mine, outcome, reached(mine), step)),
      ...people.map(({workers}, village) => house(villageAt(village), village, workers)));
    return villageAt(seat);
  }

  // A mine: letter, what was found there, who works there; a click chooses it, as the card does.
  function place(x, mine, {workers, gems}, open, step) {
    const kinds = (gems ?? []).map((count, kind) => (count ? kind : null)).filter((kind) => kind !== null);
    const size = Math.min(20, (step - 4) / Math.max(kinds.length, 1));
    const node = svg("g", {class: "gems-mine", "data-open": open, "data-chosen": mine === chosen, "data-mine": mine},
      svg("rect", {x: x - step / 2 + 2, y: 2, width: step - 4, height: CREW + 8, rx: 8, class: "gems-field"}),
      ...kinds.map((kind, index) => gem(kind, texts, {x: x + (index - kinds.length / 2) * size, y: TOP - 20, size})),
      svg("path", {d: `M${x - 21} ${HILL + 32}q4 -30 14 -38q7 -5 14 0q10 8 14 38z`, class: "gems-hill"}),
      svg("path", {d: `M${x - 8} ${HILL + 32}v-10q8 -9 16 0v10z`, class: "gems-mouth"}),
      svg("text", {x, y: HILL + 12, "text-anchor": "middle", class: "gems-letter"}, letters(mine)),
      ...(workers ? crew(x, CREW, workers, Math.min(step - 6, 60)) : []));
    if (open) node.addEventListener("click", () => onPick(mine));
    return node;
  }

  function house(x, village, workers) {
    const picture = badge(village, true);
    for (const [name, value] of Object.entries({x: x - 11, y: HOUSE + 18, width: 22, height: 22})) picture.setAttribute(name, value);
    return svg("g", {class: "gems-village", "data-you": village === seat},
      svg("path", {d: `M${x - 20} ${HOUSE + 16}l20 -14l20 14v28h-40z`, class: "gems-house"}), picture,
      ...(workers ? crew(x, HOUSE + 62, workers, 44) : []),
      village === seat ? svg("text", {x, y: HEIGHT - 4, "text-anchor": "middle", class: "gems-you"}, texts.you) : null);
  }

  return {
    node: element("figure", {class: "gems-frame"}, frame, legend),
    // `next`: {last, went} as `reading.js` gives them, {people} as sent; `words` says the same as a text.
    show(next, words) {
      const first = drawn === null;
      drawn = next;
      const own = draw();
      picture.setAttribute("aria-label", words);
      if (first) frame.scrollLeft = own - frame.clientWidth / 2;
    },
    choose(mine) {
      if (mine === chosen || drawn === null) return;
      chosen = mine;
      draw();
    },
  };
}

// Workers as figures, or one and their number.
function crew(x, y, workers, room) {
  const size = Math.min(11, room / Math.min(workers, FIGURES));
  if (workers > FIGURES || size < 6) {
    return [figure(x - 9, y, 10), svg("text", {x: x - 1, y: y + 3, class: "gems-count"}, `\u00d7${workers}`)];
  }
  return Array.from({length: workers}, (_, index) => figure(x + (index - (workers - 1) / 2) * size, y, size));
}

const figure = (x, y, size) => svg("path", {class: "gems-figure", transform: `translate(${x} ${y}) scale(${size / 11})`,
  d: "M0 -9a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 1 1 0 -5.2zM-3.600 5v-4q0 -4.200 3.600 -4.200t3.600 4.200v4z"});

const road = (from, to, kind) => svg("path", {d: `M${from} ${ROAD[1]}L${to} ${ROAD[0]}`, class: kind});

// The way a village took, with a head at the mine; each village's is its own colour and a little aside.
function way(from, to, village) {
  const aside = 5 * ((village % 3) - 1);
  const [x1, y1, x2, y2] = [from, ROAD[1], to + aside, ROAD[0] + 8];
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const colour = `--colour: var(--seat-dark-${village % 6})`;
  return svg("g", {style: colour, class: "gems-taken"},
    svg("path", {d: `M${x1} ${y1}L${x2} ${y2}`, class: "gems-way"}),
    svg("path", {d: "M8 0l-10 -6v12z", transform: `translate(${x2} ${y2}) rotate(${turn})`, class: "gems-way-head"}));
}

const key = (kind) => svg("svg", {viewBox: "0 0 30 12", width: 30, height: 12, "aria-hidden": "true"}, svg("path", {d: "M2 6h26", class: kind}));
