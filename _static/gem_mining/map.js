// The map: mines at the top, villages at the bottom, and a road from each village to the mines in its
// reach. A click on a mine or on its card chooses the mine. The animation takes less than a second:
// workers walk to the mines, gems appear and move to the chest.

import {element, svg} from "../mixed/dom.js";
import {colour, crew, hill, house, rate} from "./figures.js";
import {gem, range} from "./gems.js";

const NARROWEST = 44;
const WIDEST = 92;
const HILL = 40;
const CREW = 88;  // width of the workers in a mine
const RATES = 96;
const RATE = 21;
const WAY = 78;  // from the mines to the villages
export const MOST_KINDS = 3;  // more kinds of gems appear only on the card

// One figure per worker. The number may be shown with an error.
const figures = (workers, village) => Array(Math.max(0, Math.round(workers))).fill(village);

// `rates(mine)` returns each kind's bar in the form that `figures.js` draws, or null for none.
export function map({setting: {mines, farthest, kinds}, seat, texts, onPick, rates, chest}) {
  const picture = svg("svg", {class: "gems-map", role: "img"});
  const frame = element("div", {class: "mc-scroll gems-scroll", role: "group", "aria-label": texts.map}, picture);
  const rows = kinds <= MOST_KINDS ? kinds : 0;
  let [drawn, chosen, step, low] = [null, null, NARROWEST, RATES];
  const mineAt = (mine) => (mine + 0.5) * step;
  const villageAt = (village) => (village + farthest / 2) * step;

  function draw() {
    const {last, went, people} = drawn;
    step = Math.min(Math.max((frame.clientWidth || 600) / mines, NARROWEST), WIDEST);
    low = RATES + 6 + (rates(0) === null ? 0 : rows * RATE);
    const reached = (mine) => mine >= people[seat].first && mine <= people[seat].last;
    const roads = people.flatMap(({first, last: end}, village) => (first === null ? []
      : range(first, end).map((mine) => road(villageAt(village), mineAt(mine),
        village === seat ? {class: "gems-road-own", "data-road": mine} : {class: "gems-road"}))));
    const used = went.map((mine, village) => (mine === null ? null : way(villageAt(village), mineAt(mine), village)));
    const [width, height] = [mines * step, low + WAY + 80];
    for (const [name, value] of Object.entries({viewBox: `0 0 ${width} ${height}`, width, height})) picture.setAttribute(name, value);
    picture.replaceChildren(...roads, ...used.filter(Boolean),
      ...last.map((outcome, mine) => place(mineAt(mine), mine, outcome, reached(mine))),
      ...people.map(({workers}, village) => home(villageAt(village), village, workers)));
    mark();
    return villageAt(seat);
  }

  // Marks the chosen mine and the road to it. Running animations continue.
  function mark() {
    for (const node of picture.querySelectorAll("[data-mine]")) node.dataset.chosen = Number(node.dataset.mine) === chosen;
    for (const node of picture.querySelectorAll("[data-road]")) {
      node.classList.toggle("gems-road-chosen", Number(node.dataset.road) === chosen);
    }
  }

  // A mine with its gems, its workers and its chances.
  function place(x, mine, {workers, gems}, open) {
    const taken = (gems ?? []).map((count, kind) => (count ? kind : null)).filter((kind) => kind !== null);
    const size = Math.min(20, (step - 4) / Math.max(taken.length, 1));
    const bars = rows ? rates(mine) : null;
    const wide = Math.min(step - 5, 64);
    const node = svg("g", {class: "gems-mine", "data-open": open, "data-mine": mine},
      svg("rect", {x: x - step / 2 + 2, y: 2, width: step - 4, height: low - 4, rx: 8, class: "gems-field"}),
      ...taken.map((kind, index) => svg("g", {class: "gems-found"}, gem(kind, texts, {x: x + (index - taken.length / 2) * size, y: 5, size}))),
      ...hill(x, HILL, mine), ...(workers ? crew(x, CREW, whose(mine, workers), Math.min(step - 6, 60)) : []),
      ...(bars ?? []).map((bar, kind) => rate(x - wide / 2, RATES + kind * RATE, wide, kind, bar, texts)));
    if (open) node.addEventListener("click", () => onPick(mine));
    return node;
  }

  // The village of each worker at a mine, or null if hidden.
  function whose(mine, workers) {
    const {went, people} = drawn;
    const workerFigures = people.flatMap(({workers: count}, village) => (went[village] === mine ? figures(count ?? 1, village) : []));
    return workerFigures.length === Math.round(workers) ? workerFigures : figures(workers, null);
  }

  function home(x, village, workers) {
    const node = house(x, low + WAY, village, village === seat);
    node.append(...(workers ? crew(x, low + WAY + 62, figures(workers, village), 44) : []));
    if (village === seat) node.append(svg("text", {x, y: low + WAY + 78, "text-anchor": "middle", class: "gems-you"}, texts.you));
    return node;
  }

  const road = (from, to, attributes) => svg("path", {d: `M${from} ${low + WAY}L${to} ${low + 2}`, ...attributes});

  // A village's route to its mine in the village's colour, slightly offset, with an arrowhead.
  function way(from, to, village) {
    const [x1, y1, x2, y2] = [from, low + WAY, to + 5 * ((village % 3) - 1), low + 9];
    const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    return svg("g", {style: colour(village), class: "gems-taken", "data-you": village === seat},
      svg("path", {d: `M${x1} ${y1}L${x2} ${y2}`, class: "gems-way"}),
      svg("path", {d: "M8 0l-10 -6v12z", transform: `translate(${x2} ${y2}) rotate(${turn})`, class: "gems-way-head"}));
  }

  addEventListener("resize", () => drawn && draw());
  return {
    node: frame,
    // `next`: the observation as sent; `words`: the same as text; `fresh`: whether it has just happened.
    show(next, words, fresh) {
      const first = drawn === null;
      if (JSON.stringify(next) === JSON.stringify(drawn)) return;
      drawn = next;
      const center = draw();
      picture.setAttribute("aria-label", words);
      if (first) frame.scrollLeft = center - frame.clientWidth / 2;
      if (fresh) play(picture, (village) => [villageAt(village), low + WAY + 66], chest);
    },
    choose(mine) {
      if (mine === chosen || drawn === null) return;
      chosen = mine;
      mark();
    },
  };
}

const WALK_MS = 400;
const RISE_MS = 250;
const GO_MS = 300;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// `picture`: the map; `from(village)`: where its workers start; `chest`: the node where gems end up.
function play(picture, from, chest) {
  if (still.matches) return;
  const steps = [];
  for (const worker of picture.querySelectorAll(".gems-mine [data-village]")) {
    const [x, y] = from(Number(worker.dataset.village));
    const box = worker.getBBox();
    steps.push(worker.animate([{transform: `translate(${x - box.x - box.width / 2}px, ${y - box.y - box.height}px)`}, {transform: "none"}],
      {duration: WALK_MS, easing: "ease-in-out", fill: "backwards"}));
  }
  const walk = steps.length ? WALK_MS : 0;
  for (const gem of picture.querySelectorAll(".gems-found")) {
    gem.animate([{transform: "translateY(40px)", opacity: 0}, {transform: "none", opacity: 1}],
      {delay: walk, duration: RISE_MS, easing: "ease-out", fill: "backwards"});
    go(gem, chest, walk + RISE_MS);
  }
  if (picture.querySelector(".gems-found")) {
    chest.animate([{transform: "none"}, {transform: "scale(1.25)"}, {transform: "none"}], {delay: walk + RISE_MS + GO_MS / 2, duration: GO_MS / 2});
  }
}

// A copy of a gem that moves to the chest while the original stays at its mine.
function go(gem, chest, delay) {
  const [start, end] = [gem, chest].map((node) => node.getBoundingClientRect());
  const twin = gem.cloneNode(true);
  twin.classList.remove("gems-found");
  gem.after(twin);
  const away = `translate(${end.x + end.width / 2 - start.x - start.width / 2}px, ${end.bottom - start.bottom}px)`;
  const flight = twin.animate([{transform: "none", opacity: 1}, {transform: away, opacity: 0}],
    {delay, duration: GO_MS, easing: "ease-in", fill: "both"});
  flight.onfinish = () => twin.remove();
}
