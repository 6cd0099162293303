// The lake, with a boat for each seat and fish below. A period is animated in
// three steps: the harvest goes into the boats, the new fish appear in green, and the water settles.

import {badge, element, number, seatName, signed, svg, text} from "../mixed/dom.js";

// The first size that matches the screen is used. Each size is scaled so that the text size stays the same.
const SIZES = [
  {screen: matchMedia("(min-width: 1101px)"), width: 700, height: 260, sky: 0.3, fish: 0.85, boat: 1.1},
  {screen: matchMedia("(min-width: 801px)"), width: 460, height: 220, sky: 0.3, fish: 0.65, boat: 1},
  {screen: matchMedia("(max-height: 480px)"), width: 420, height: 200, sky: 0.36, fish: 0.65, boat: 1},
  {screen: matchMedia("(min-width: 560px)"), width: 700, height: 260, sky: 0.3, fish: 0.85, boat: 1.1},
  {screen: matchMedia("all"), width: 360, height: 250, sky: 0.32, fish: 0.65, boat: 1},
];
const MOST_FISH = 120;
const MOST_IN_A_BOAT = 12;
const SHALLOW = 70;  // too little water for a label below the boats
const BED = 22;  // room below the lake for the label of a line near the bottom
const STEP_MS = 1000;

export const screens = SIZES.map(({screen}) => screen);
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Returns {node, show(scene, lively)}. A scene is {stock, change, harvest}, with null for hidden
// values. With `lively`, the scene is animated, otherwise it is drawn immediately. If the stock is
// hidden, the boats float high and there is no water.
export function makeLake({setting, seat, seats, texts, widest = Infinity}) {
  const size = SIZES.find(({screen, width}) => screen.matches && width <= widest);
  const surface = (stock) => size.height * (1 - (1 - size.sky) * Math.max(Math.min(stock / setting.capacity, 1), 0));
  const water = svg("path", {class: "lake-water", d: wavy(size)});
  const school = makeSchool(setting.capacity, size);
  const fleet = Array.from({length: seats}, (_, index) => makeBoat(index, seats, seat, size, texts));
  const boats = svg("g", {class: "lake-boats"}, ...fleet.map((boat) => boat.node));
  const born = svg("text", {class: "lake-born", x: 12});
  const marks = [[setting.collapse_stock, texts.collapse_line, "critical"], [setting.recovery_stock, texts.recovery_line, "goal"]]
    .filter(([stock]) => stock !== null && stock > 0)
    .map(([stock, words, gap]) => mark(surface(stock), text(words, {[gap]: number(stock)}), gap, size));
  const node = svg("svg", {viewBox: `0 0 ${size.width} ${size.height + BED}`, class: "lake", "aria-hidden": "true"},
    water, school.node, boats, svg("rect", {y: size.height, width: size.width, height: BED, class: "lake-bed"}),
    ...marks.flatMap(({line, label}) => [line, label]), born);
  let timers = [];

  function float(height) {
    water.style.transform = boats.style.transform = `translateY(${height}px)`;
  }

  function settle({stock, change, harvest}) {
    fleet.forEach((boat, index) => boat.load(harvest?.[index] ?? null));
    const level = surface(stock ?? setting.capacity);
    school.fill(stock ?? 0, change?.left ?? stock ?? 0, level);
    born.textContent = change ? text(texts.born, {born: signed(change.born)}) : "";
    born.setAttribute("y", level < size.height - SHALLOW ? size.height - 12 : 28);
    float(level);
  }

  return {
    node,
    show(scene, lively) {
      timers.forEach(clearTimeout);
      node.dataset.hidden = scene.stock === null;
      if (!lively || still.matches || scene.change === null) {
        settle(scene);
        return;
      }
      const {before, left} = scene.change;
      born.textContent = "";
      school.fill(before, before, surface(before));
      float(surface(before));
      timers = [
        setTimeout(() => {
          school.catch(left, scene.harvest, fleet.map((boat) => boat.x), surface(before));
          fleet.forEach((boat, index) => boat.load(scene.harvest[index]));
        }, 50),
        setTimeout(() => float(surface(left)), STEP_MS),
        setTimeout(() => settle(scene), 2 * STEP_MS),
      ];
    },
  };
}

// The fish: as many as the lake can hold, or a hundred if there are more. The golden ratio spreads them
// evenly, and every fish keeps its place.
function makeSchool(capacity, {width, height, fish: scale}) {
  const many = capacity <= MOST_FISH ? Math.max(Math.round(capacity), 10) : 100;
  const all = Array.from({length: many}, (_, index) => {
    const x = 20 + ((index * 0.6180339887498949) % 1) * (width - 40);
    const shape = svg("path", {d: "M0 0q9 -9 20 0q-11 9 -20 0zM-1 0l-8 -5v10z",
      transform: `scale(${index % 2 ? -scale : scale} ${scale})`});
    return {x, depth: (index * 0.7320508075688772) % 1, node: svg("g", {class: "lake-fish"}, shape)};
  });
  const drawn = (stock) => Math.round((Math.max(stock, 0) / capacity) * many);
  const put = ({node}, x, y, alive) => {
    node.style.transform = `translate(${x}px, ${y}px)`;
    node.style.opacity = alive ? 1 : 0;
  };
  return {
    node: svg("g", {}, ...all.map(({node}) => node)),
    // Draws `stock` fish; those beyond `old` are newborn.
    fill(stock, old, top) {
      all.forEach((swimmer, index) => {
        swimmer.node.classList.toggle("lake-fry", index >= drawn(old));
        put(swimmer, swimmer.x, top + 26 + swimmer.depth * Math.max(height - top - 36, 4), index < drawn(stock));
      });
    },
    // Moves the fish beyond `left` to the boats. Each boat gets as many as its seat caught.
    catch(left, harvest, places, top) {
      const share = harvest.flatMap((taken, index) => Array(drawn(taken)).fill(places[index]));
      all.slice(drawn(left)).forEach((swimmer, index) => {
        if (share.length) put(swimmer, share[index % share.length], top, false);
      });
    },
  };
}

// A boat in its seat's colour, with the badge on the mast and the last catch on board.
function makeBoat(index, seats, ownSeat, {width, boat: scale}, texts) {
  const room = width / seats;
  const x = room * (index + 0.5);
  const flag = badge(index);
  flag.setAttribute("x", -34);
  flag.setAttribute("y", -40);
  const amount = svg("text", {class: "lake-catch", x: -9, y: -23});
  const pile = svg("g", {class: "lake-pile"});
  const name = room < 70 ? "" : seatName(index, ownSeat, texts);
  const colour = `var(--seat-dark-${index % 6})`;
  const node = svg("g", {class: "lake-boat", style: `fill: ${colour}`, transform: `translate(${x} 0) scale(${scale * Math.min(room / 90, 1)})`},
    svg("path", {class: "lake-hull", d: "M-36 -6h72l-12 20h-48z"}),
    flag, amount, pile, svg("text", {class: "lake-name", y: -46, "text-anchor": "middle", "data-you": index === ownSeat}, name));
  return {
    node,
    x,
    load(taken) {
      amount.textContent = taken === null ? "" : signed(taken);
      const fish = Math.min(Math.ceil(taken ?? 0), MOST_IN_A_BOAT);
      pile.replaceChildren(...Array.from({length: fish}, (_, k) => svg("path", {
        d: "M0 0q4 -4 9 0q-5 4 -9 0z", transform: `translate(${-29 + 10 * (k % 6)} ${-10 - 6 * Math.floor(k / 6)})`})));
    },
  };
}

// A line at a stock level, with its label below the line if there is room.
function mark(y, words, kind, {width, height}) {
  const below = kind === "critical";
  return {
    line: svg("line", {x1: 0, x2: width, y1: y, y2: y, class: "lake-mark", "data-kind": kind}),
    label: svg("text", {x: width - 8, y: below ? y + 16 : y - 6, class: "lake-mark-text", "data-kind": kind, "text-anchor": "end"}, words),
  };
}

// The water below a wavy surface at height 0.
function wavy({width, height}) {
  const eighth = width / 8;
  return `M0 0q${eighth / 2} -6 ${eighth} 0${`t${eighth} 0`.repeat(7)}v${height}h-${width}z`;
}

// A number with enough digits to differ visibly from another one.
export function apart(value, other) {
  const digits = [1, 2, 3].find((count) => number(value, count) !== number(other, count));
  return number(value, digits ?? 1);
}

// The message that appears over the lake at the end. It fades in slowly after the last catch.
export function ending() {
  const node = element("div", {class: "lake-message", hidden: ""});
  return {
    node,
    say(title, more) {
      node.hidden = false;
      node.setAttribute("role", "alert");
      node.replaceChildren(element("strong", {}, title), element("p", {}, more));
    },
  };
}
