// The instructions, one screen at a time, with Next and Back; the browser's back button also works. The
// button that leaves the page is only on the last screen. All screens stay in the page, so slider
// positions are kept.
//
// The pictures shared by all games show the value of points and the length of a play. A game's other
// pictures are the `scenes` of its `stage.js`.

import {element, svg, text} from "./dom.js";

const MOST_BOXES = 40;
const BOX = 16;

const shared = {
  pays: ({rate}) => element("p", {class: "mc-scene-rate"}, coins(), element("strong", {}, rate)),
  // One box per period, up to the number that fits.
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

const {game, pictures, texts} = window.js_vars;
const all = [...document.querySelectorAll(".mc-screen")];
const leave = document.getElementById("next");
const back = button("back", texts.previous, "mc-button mc-quiet-button");
const forth = button("forth", texts.next, "mc-button");
let current = 0;

function button(id, words, name) {
  return element("button", {type: "button", id, class: name}, words);
}

// The index of the screen in the address: 1 for "#2".
const numbered = () => Math.min(Math.max((Number(location.hash.slice(1)) || 1) - 1, 0), all.length - 1);

function show(number) {
  current = number;
  all.forEach((screen, index) => { screen.hidden = index !== current; });
  back.hidden = current === 0;
  forth.hidden = current === all.length - 1;
  leave.hidden = !forth.hidden;
}

// Shows a screen and moves the focus of keyboard and screen reader to its heading.
function go(number) {
  show(number);
  const heading = all[current].querySelector("h2");
  heading.tabIndex = -1;
  heading.focus({preventScroll: true});
  scrollTo(0, 0);
}

function turn(by) {
  history.pushState(null, "", `#${current + by + 1}`);
  go(current + by);
}

if (all.length > 1) {
  back.addEventListener("click", () => turn(-1));
  forth.addEventListener("click", () => turn(1));
  addEventListener("popstate", () => go(numbered()));
  leave.before(back, forth);
  show(numbered());
}

// Adds pictures with the session's numbers: the game's own, then the shared one.
const ownScenes = (await import(`/static/${game}/stage.js`)).scenes ?? {};
for (const screen of all) {
  const {name} = screen.dataset;
  const drawn = [[ownScenes, pictures.own], [shared, pictures.shared]]
    .filter(([scenes, numbers]) => scenes[name] && numbers[name])
    .map(([scenes, numbers]) => scenes[name](numbers[name], texts));
  if (drawn.length) screen.querySelector("h2").after(element("div", {class: "mc-scene", "aria-hidden": "true"}, ...drawn));
}
