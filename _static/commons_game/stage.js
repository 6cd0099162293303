// The commons: a lake that fills and empties, its history, the decision, the ledger.

import {chart, room} from "../mixed/chart.js";
import {along, badge, element, number, seatName, svg, tag, text} from "../mixed/dom.js";

const WIDTH = 600;
const HEIGHT = 260;

export function create({setting, seat, periods, texts, stage, past: pastNode}) {
  const lake = makeLake(setting, texts);
  stage.append(lake.node);
  const {governed} = setting;
  let warned = false;
  const controls = [{name: "harvest", label: texts.harvest_request, step: 0.5}];
  if (governed) controls.push({name: "contribution", label: texts.contribution_request, step: 0.5});
  return {
    controls,
    rest: governed ? {} : {contribution: 0},
    draw(view, history) {
      lake.show(view.observation.stock);
      lake.tell(change(view.shown.change, texts));
      warned ||= view.shown.collapsed;  // a stock that grows back does not undo it
      lake.warn(warned);
      past(pastNode, {setting, periods, texts}, history);
    },
    effect(view, action) {
      const {after} = view.shown;
      return after === null ? "" : text(texts.balance, {held: number(after.now), after: number(along(after, action))});
    },
    ledger: (view) => players(view, seat, texts, governed),
    over(view) {
      if (view.ended.reason === "collapse") lake.collapse();
    },
  };
}

// What happened to the stock last period, where it can be known.
const change = (known, texts) =>
  (known === null ? "" : text(texts.change, {taken: number(known.taken), born: number(known.born)}));

// The history of one play as a chart: the stock as a line, what was taken as bars.
export function past(node, {setting, periods, texts}, history) {
  if (history.length === 0) return;
  const taken = (entry) => entry.observation.harvest.filter((amount) => amount !== null)
    .reduce((sum, amount) => sum + amount, 0);
  const played = history.filter((entry) => entry.period >= 0);
  const mark = setting.collapse_stock > 0
    ? {value: setting.collapse_stock, name: text(texts.collapse_line, {critical: number(setting.collapse_stock)})}
    : null;
  const open = node.querySelector("details")?.open ?? false;
  node.replaceChildren(element("h2", {}, texts.history), ...chart({
    periods,
    top: setting.capacity,
    start: history[0].period < 0 ? history[0].observation.stock : null,
    line: {name: texts.stock_series, colour: "var(--blue)", values: played.map((e) => e.observation.stock)},
    bars: {name: setting.sees_all ? texts.total_harvest : texts.total_seen, colour: "var(--vermilion)", values: played.map(taken)},
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
  const rows = view.seats.map((member) => element("tr", {"data-you": member.you},
    element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(member.seat),
      seatName(member.seat, own, texts),
      tag(member, texts),
      decided(member, view, texts))),
    first ? element("td", {}, "\u2013") : cell(harvest[member.seat]),
    governed ? (first ? element("td", {}, "\u2013") : cell(contribution[member.seat])) : null,
    governed ? (first ? element("td", {}, "\u2013") : cell(view.shown.earned[member.seat])) : null,
    cell(wealth[member.seat])));
  const heads = [texts.players, texts.took, governed ? texts.paid : null, governed ? texts.earned : null, texts.holds]
    .filter((head) => head !== null).map((head) => element("th", {scope: "col"}, head));
  const pool = governed && view.observation.pool !== null
    ? element("p", {class: "mc-total"}, element("span", {}, texts.pool),
      element("span", {}, number(view.observation.pool))) : null;
  const granted = first ? null : harvest[own];
  const short = granted !== null && view.last.used.harvest > granted + 1e-9
    ? element("p", {class: "mc-note"},
      text(texts.granted, {asked: number(view.last.used.harvest), got: number(granted)})) : null;
  return element("div", {}, short, element("table", {class: "mc-seats"},
    element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)), pool);
}

function decided(member, view, texts) {
  if (view.phase === "over" || !view.started) return null;
  const name = member.decided ? texts.decided : texts.thinking;
  return element("span", {title: name}, element("span", {class: "mc-hidden"}, name),
    svg("svg", {viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true"},
      member.decided
        ? svg("path", {d: "M3 8l4 4l6-8", fill: "none", stroke: "var(--good)", "stroke-width": 2.5})
        : svg("path", {d: "M3 8h.1M8 8h.1M13 8h.1", fill: "none", stroke: "var(--line-strong)",
          "stroke-width": 3, "stroke-linecap": "round"})));
}

// A cross-section of the lake. Each fish in the picture stands for a fiftieth of the capacity.
function makeLake({capacity, collapse_stock: critical, estimate}, texts) {
  const amount = element("strong", {});
  const line = element("p", {class: "mc-huge", "aria-hidden": "true"}, amount, " ",
    element("span", {class: "mc-unit"},
      `${estimate ? texts.stock_estimate : texts.stock} ${text(texts.stock_of, {capacity: number(capacity)})}`));
  const spoken = element("p", {class: "mc-hidden", "aria-live": "polite"});
  const water = svg("path", {class: "lake-water", d: wavy()});
  const fish = places().map(([x, depth, flip]) => ({depth, node: fishAt(x, flip)}));
  const school = svg("g", {}, ...fish.map((swimmer) => swimmer.node));
  const picture = svg("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "lake", "aria-hidden": "true"},
    water, school);
  if (critical > 0) picture.append(...collapseMark(critical, capacity, texts));
  const message = element("div", {class: "lake-message", hidden: ""});
  const news = element("p", {class: "mc-quiet lake-told"});
  const warning = element("p", {class: "mc-note mc-note-wrong", role: "alert", hidden: ""});
  const node = element("div", {}, line, spoken, news, warning, element("div", {class: "lake-frame"}, picture, message));
  const level = (stock) => HEIGHT * (1 - 0.92 * Math.max(Math.min(stock / capacity, 1), 0));

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
      spoken.textContent = text(texts.stage_text, {stock: shown, capacity: number(capacity)});
      const surface = level(stock);
      water.style.transform = `translateY(${surface}px)`;
      const alive = Math.round(Math.max(stock, 0) / capacity * fish.length);
      fish.forEach((swimmer, index) => {
        swimmer.node.style.opacity = index < alive ? 1 : 0;
        swimmer.node.style.transform = `translateY(${surface + 22 + swimmer.depth * Math.max(HEIGHT - surface - 36, 0)}px)`;
      });
    },
    tell(sentence) {
      news.textContent = sentence;
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

function* collapseMark(critical, capacity, texts) {
  const y = HEIGHT * (1 - 0.92 * (critical / capacity));
  yield svg("line", {x1: 0, x2: WIDTH, y1: y, y2: y, class: "lake-mark"});
  yield svg("text", {x: WIDTH - 10, y: y - 7, class: "lake-mark-text", "text-anchor": "end"},
    text(texts.collapse_line, {critical: number(critical)}));
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
