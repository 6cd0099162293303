// The commons: a lake that fills and empties, its history, the decision, the ledger.

import {chart, room} from "../mixed/chart.js";
import {badge, element, number, seatName, svg, tag, text} from "../mixed/dom.js";

const WIDTH = 600;
const HEIGHT = 260;

export function create({core, layers, seat, periods, texts, stage, past: pastNode}) {
  const lake = makeLake(core, texts, blurred(core, layers));
  stage.append(lake.node);
  const governed = core.governance !== "none";
  const controls = [{name: "harvest", label: texts.harvest_request, step: 0.5}];
  if (governed) controls.push({name: "contribution", label: texts.contribution_request, step: 0.5});
  return {
    controls,
    rest: governed ? {} : {contribution: 0},
    draw(view, history) {
      lake.show(view.observation.stock);
      lake.tell(exactly(core, layers) ? change(history, texts) : "");
      lake.warn(!core.terminate_on_collapse && sharp(core, layers) && history.some((entry) => collapsed(core, entry)));
      past(pastNode, {core, periods, texts}, history);
    },
    effect(view, action) {
      const held = view.observation.wealth[seat];
      if (held === null) return "";
      const after = number(held + action.harvest - action.contribution);
      return text(texts.balance, {held: number(held), after});
    },
    ledger: (view) => players(view, seat, texts, governed),
    over(view) {
      if (view.ended.reason === "collapse") lake.collapse();
    },
  };
}

// Is the stock seen as it is?
const sharp = (core, {information}) => core.stock_noise === 0 && information.intensity === 0;

// Can everybody know what happened to the stock? Else the page does not tell either.
const exactly = (core, layers) => sharp(core, layers) && core.observation === "full" && layers.uncertainty.intensity === 0
  && (layers.interaction.intensity === 0 || layers.interaction.externality === 1);

// What happened to the stock last period.
function change(history, texts) {
  if (history.length < 2) return "";
  const [before, after] = history.slice(-2).map((entry) => entry.observation);
  const taken = after.harvest.reduce((sum, each) => sum + each, 0);
  return text(texts.change, {taken: number(taken), born: number(Math.max(after.stock - before.stock + taken, 0))});
}

// Is the stock seen with noise?
const blurred = (core, {information}) => core.stock_noise > 0 || (information.intensity > 0 && "stock" in information.noise);

// Was the stock seen to have collapsed?
const collapsed = (core, {observation}) => observation.stock !== null
  && (observation.stock < core.collapse_stock || observation.stock === 0);

// The history of one play as a chart: the stock as a line, what was taken as bars.
export function past(node, {core, periods, texts}, history) {
  if (history.length === 0) return;
  const taken = (entry) => entry.observation.harvest.filter((each) => each !== null)
    .reduce((sum, each) => sum + each, 0);
  const played = history.filter((entry) => entry.period >= 0);
  const mark = core.collapse_stock > 0
    ? {value: core.collapse_stock, name: text(texts.collapse_line, {critical: number(core.collapse_stock)})}
    : null;
  const hidden = core.observation === "local";
  const open = node.querySelector("details")?.open ?? false;
  node.replaceChildren(element("h2", {}, texts.history), ...chart({
    periods,
    top: core.capacity,
    start: history[0].period < 0 ? history[0].observation.stock : null,
    line: {name: texts.stock_series, colour: "var(--blue)", values: played.map((e) => e.observation.stock)},
    bars: {name: hidden ? texts.total_seen : texts.total_harvest, colour: "var(--vermilion)", values: played.map(taken)},
    mark,
    width: room(node),
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
  }));
  node.querySelector("details").open = open;
}

function players(view, own, texts, governed) {
  const {harvest, contribution, wealth} = view.observation;
  const first = view.last === null;
  const cell = (value) => element("td", {}, value === null ? texts.not_shown : number(value));
  const rows = view.seats.map((each) => element("tr", {"data-you": each.you},
    element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(each.seat),
      seatName(each.seat, own, texts),
      tag(each, texts),
      decided(each, view, texts))),
    first ? element("td", {}, "\u2013") : cell(harvest[each.seat]),
    governed ? (first ? element("td", {}, "\u2013") : cell(contribution[each.seat])) : null,
    governed ? (first ? element("td", {}, "\u2013") : cell(earned(view.observation, each.seat))) : null,
    cell(wealth[each.seat])));
  const heads = [texts.players, texts.took, governed ? texts.paid : null, governed ? texts.earned : null, texts.holds]
    .filter((each) => each !== null).map((each) => element("th", {scope: "col"}, each));
  const pool = governed && view.observation.pool !== null
    ? element("p", {class: "mc-total"}, element("span", {}, texts.pool),
      element("span", {}, number(view.observation.pool))) : null;
  const got = first ? null : harvest[own];
  const short = got !== null && view.last.used.harvest > got + 1e-9
    ? element("p", {class: "mc-note"},
      text(texts.granted, {asked: number(view.last.used.harvest), got: number(got)})) : null;
  return element("div", {}, short, element("table", {class: "mc-seats"},
    element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)), pool);
}

const earned = ({harvest, contribution}, seat) =>
  (harvest[seat] === null || contribution[seat] === null ? null : harvest[seat] - contribution[seat]);

function decided(each, view, texts) {
  if (view.phase === "over" || !view.started) return null;
  const name = each.decided ? texts.decided : texts.thinking;
  return element("span", {title: name}, element("span", {class: "mc-hidden"}, name),
    svg("svg", {viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true"},
      each.decided
        ? svg("path", {d: "M3 8l4 4l6-8", fill: "none", stroke: "var(--good)", "stroke-width": 2.5})
        : svg("path", {d: "M3 8h.1M8 8h.1M13 8h.1", fill: "none", stroke: "var(--line-strong)",
          "stroke-width": 3, "stroke-linecap": "round"})));
}

// A cross-section of the lake. Each fish in the picture stands for a fiftieth of the capacity.
function makeLake(core, texts, noisy) {
  const amount = element("strong", {});
  const line = element("p", {class: "mc-huge", "aria-hidden": "true"}, amount, " ",
    element("span", {class: "mc-unit"},
      `${noisy ? texts.stock_estimate : texts.stock} ${text(texts.stock_of, {capacity: number(core.capacity)})}`));
  const spoken = element("p", {class: "mc-hidden", "aria-live": "polite"});
  const water = svg("path", {class: "lake-water", d: wavy()});
  const fish = places().map(([x, depth, flip]) => ({depth, node: fishAt(x, flip)}));
  const school = svg("g", {}, ...fish.map((each) => each.node));
  const picture = svg("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "lake", "aria-hidden": "true"},
    water, school);
  if (core.collapse_stock > 0) picture.append(...collapseMark(core, texts));
  const message = element("div", {class: "lake-message", hidden: ""});
  const told = element("p", {class: "mc-quiet lake-told"});
  const warning = element("p", {class: "mc-note mc-note-wrong", role: "alert", hidden: ""});
  const node = element("div", {}, line, spoken, told, warning, element("div", {class: "lake-frame"}, picture, message));
  const level = (stock) => HEIGHT * (1 - 0.92 * Math.max(Math.min(stock / core.capacity, 1), 0));

  return {
    node,
    show(stock) {
      if (stock === null) {
        amount.textContent = texts.not_shown;
        return;
      }
      const shown = number(stock);
      if (amount.textContent === shown) return;
      amount.textContent = shown;
      spoken.textContent = text(texts.stage_text, {stock: shown, capacity: number(core.capacity)});
      const surface = level(stock);
      water.style.transform = `translateY(${surface}px)`;
      const alive = Math.round(Math.max(stock, 0) / core.capacity * fish.length);
      fish.forEach((each, index) => {
        each.node.style.opacity = index < alive ? 1 : 0;
        each.node.style.transform = `translateY(${surface + 22 + each.depth * Math.max(HEIGHT - surface - 36, 0)}px)`;
      });
    },
    tell(sentence) {
      told.textContent = sentence;
    },
    warn(flag) {
      if (flag && warning.hidden) warning.textContent = texts.collapsed;
      warning.hidden = !flag;
    },
    collapse() {
      node.dataset.collapsed = "true";
      message.hidden = false;
      message.setAttribute("role", "alert");
      message.replaceChildren(element("strong", {}, texts.collapsed), element("p", {}, texts.collapsed_more));
    },
  };
}

function* collapseMark(core, texts) {
  const y = HEIGHT * (1 - 0.92 * (core.collapse_stock / core.capacity));
  yield svg("line", {x1: 0, x2: WIDTH, y1: y, y2: y, class: "lake-mark"});
  yield svg("text", {x: WIDTH - 10, y: y - 7, class: "lake-mark-text", "text-anchor": "end"},
    text(texts.collapse_line, {critical: number(core.collapse_stock)}));
}

// The water below a wavy surface at height 0.
function wavy() {
  const quarter = WIDTH / 4;
  return `M0 0q${quarter / 2} -8 ${quarter} 0t${quarter} 0t${quarter} 0t${quarter} 0v${HEIGHT}h-${WIDTH}z`;
}

// Fifty places spread evenly by the golden ratio, so that the school looks calm and never changes.
function places() {
  const golden = 0.618033988749895;
  return Array.from({length: 50}, (_, index) => [
    24 + ((index * golden) % 1) * (WIDTH - 64),
    (index * golden * golden * 7.3) % 1,
    index % 2 === 0,
  ]);
}

function fishAt(x, flip) {
  const shape = svg("path", {d: "M0 0q9 -9 20 0q-11 9 -20 0zM-1 0l-8 -5v10z",
    transform: flip ? `translate(${x + 20} 0) scale(-1 1)` : `translate(${x} 0)`});
  return svg("g", {class: "lake-fish"}, shape);
}
