// Pictures for the instructions: villages, mines and the roads between them; workers and chances; the
// points that gems are worth to every village.

import {signed, exact, svg} from "../mixed/dom.js";
import {crew, hill, house, rate, share} from "./figures.js";
import {gem, range} from "./gems.js";

const STEP = 84;
const HILL = 10;
const HOUSE = 118;
const HEIGHT = 176;

const whole = (columns, height, ...parts) => svg("svg", {viewBox: `0 0 ${columns * STEP} ${height}`, class: "gems-map gems-scene",
  style: `max-width: ${columns * STEP}px`}, ...parts);

// Each village is below the first mine that it can reach. A solid road leads to every mine that it certainly
// reaches, and a dashed road to the others.
function land({reach, workers}) {
  const farthest = Math.max(...reach.map(([, end]) => end));
  const mines = reach.length + farthest - 1;
  const mineAt = (mine) => (mine + 0.5) * STEP;
  const villageAt = (village) => (village + farthest / 2) * STEP;
  const roads = reach.flatMap(([least, end], village) => range(village, village + end - 1).map((mine) => svg("path", {
    d: `M${villageAt(village)} ${HOUSE + 4}L${mineAt(mine)} ${HILL + 36}`, class: "gems-road gems-scene-road", "data-sure": mine < village + least})));
  const crews = workers ? [svg("g", {}, ...crew(villageAt(0) + 44, HOUSE + 34, Array(workers).fill(0), 44))] : [];
  return whole(mines, HEIGHT, ...roads, ...range(0, mines - 1).map((mine) => svg("g", {class: "gems-mine", "data-open": reach.length === 1}, ...hill(mineAt(mine), HILL, mine))),
    ...reach.map((_, village) => house(villageAt(village), HOUSE, village, false)), ...crews);
}

// The chance of finding a kind with few and with many workers in a mine.
function workers({crews}, texts) {
  return whole(2 * crews.length, 112, ...crews.flatMap(({workers: many, chance}, index) => {
    const x = (2 * index + 1) * STEP;
    const figures = Array(many).fill(null);
    return [svg("g", {class: "gems-mine", "data-open": true}, ...hill(x, HILL, index)), svg("g", {}, ...crew(x, 62, figures, 60)),
      rate(x - 36, 74, 72, 0, {from: 0, to: chance, dark: chance, words: share(chance, texts)}, texts)];
  }));
}

// One gem of each kind with the points that it is worth to every village.
function worth({worths, villages}, texts) {
  const rows = worths.map((points, kind) => svg("g", {transform: `translate(0 ${kind * 34})`}, gem(kind, texts, {x: 8, y: 4, size: 26}),
    svg("path", {d: "M44 17h18m-6 -6l6 6l-6 6", class: "gems-scene-way"}),
    ...range(0, villages - 1).map((village) => svg("text", {x: (village + 1.5) * STEP, y: 23, "text-anchor": "middle", class: "gems-scene-points"}, signed(points, exact)))));
  const low = worths.length * 34;
  return whole(villages + 1, low + 62, ...rows, ...range(0, villages - 1).map((village) => house((village + 1.5) * STEP, low, village, false)));
}

export const scenes = {about: land, decides: land, happens: workers, pays: worth};
