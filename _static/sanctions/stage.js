// Graduated sanctions: what the others remember of oneself, who took and gave what, and trust.

import {chart, room} from "../mixed/chart.js";
import {badge, element, exact, number, seatName, text} from "../mixed/dom.js";
import {network, points} from "./network.js";

const each = (value, seat) => (Array.isArray(value) ? value[seat] : value);

export function create({core, seat, periods, texts, stage, past: pastNode}) {
  const endowment = each(core.endowment, seat);
  const memory = makeMemory(core, seat, texts);
  const names = (other) => seatName(other, seat, texts);
  const net = network({seat, texts, names});
  const trust = element("div", {class: "mc-scroll", tabindex: 0, role: "group", "aria-label": texts.trust});
  stage.append(memory.node, element("div", {class: "net-stage"}, net.node, trust));
  return {
    controls: [{name: "contribution", label: texts.contribution_request, step: endowment >= 10 ? 1 : 0.1}],
    rest: {},
    draw(view, history) {
      const first = history.every((entry) => entry.period < 0);
      memory.show(first ? null : view.observation.memory_averages[seat]);
      const effects = between(core, seat, view.observation.reciprocity_effects);
      net.show(effects.received, effects.given);
      trust.replaceChildren(pairs(view, seat, effects, names, texts), matrix(view.observation.trust, view.seats, seat, texts));
      past(pastNode, {core, periods, seat, texts}, history);
    },
    effect: (view, action) => text(texts.keeps, {kept: number(Math.max(endowment - action.contribution, 0))}),
    ledger: (view, history) => players(view, history, names, texts),
    over() {},
  };
}

// The average that the others remember, beside what is expected.
function makeMemory(core, seat, texts) {
  const most = each(core.endowment, seat);
  const expected = each(core.baseline, seat);
  const amount = element("strong", {});
  const bar = element("span", {});
  const share = (value) => Math.max(Math.min(value / most, 1), 0);
  const node = element("div", {class: "net-memory"},
    element("p", {class: "mc-huge"}, amount, " ", element("span", {class: "mc-unit"}, texts.remembered_of_you)),
    element("div", {class: "net-bar", "aria-hidden": "true"}, bar,
      element("i", {style: `left: ${100 * share(expected)}%`})),
    element("p", {class: "mc-quiet net-expected"}, text(texts.expected, {b: exact(expected)})));
  return {
    node,
    show(value) {
      amount.textContent = value === null ? texts.nothing_remembered : number(value);
      bar.style.transform = `scaleX(${value === null ? 0 : share(value)})`;
      node.dataset.below = value !== null && value < expected;
    },
  };
}

// Points to oneself through each other seat, and to each through oneself: `effects` has the observer
// in the row, and falls on the one observed or on the observer.
function between(core, seat, effects) {
  const column = effects.map((row) => row[seat]);
  return core.falls_on === "deviator" ? {received: column, given: effects[seat]} : {received: effects[seat], given: column};
}

// Everybody's trust in everybody: darker is more.
function matrix(trust, seats, own, texts) {
  const mark = (seat) => element("span", {class: "mc-seat"}, badge(seat), element("span", {class: "mc-hidden"}, seatName(seat, own, texts)));
  const cell = (value, same) => (same ? element("td", {}, "\u2013") : value === null ? element("td", {}, texts.not_shown)
    : element("td", {class: "net-cell", style: `--share: ${Math.round(60 * value)}%`}, number(100 * value, 0)));
  return element("table", {class: "mc-seats net-trust"}, element("caption", {}, texts.trust),
    element("thead", {}, element("tr", {}, element("th", {scope: "col"}, texts.trusts),
      ...seats.map((one) => element("th", {scope: "col", "data-you": one.you}, mark(one.seat))))),
    element("tbody", {}, ...seats.map((one) => element("tr", {"data-you": one.you}, element("th", {scope: "row"}, mark(one.seat)),
      ...seats.map((other) => cell(trust[one.seat][other.seat], one.seat === other.seat))))));
}

// The network as a table: points both ways between oneself and each other.
function pairs(view, seat, {received, given}, names, texts) {
  const first = view.last === null;
  const effect = (value) => element("td", {}, first ? "\u2013" : value === null ? texts.not_shown : points(value));
  const rows = view.seats.filter((one) => !one.you).map((one) => element("tr", {},
    element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(one.seat), names(one.seat))),
    effect(received[one.seat]), effect(given[one.seat])));
  const heads = [texts.players, texts.received, texts.given]
    .map((head) => element("th", {scope: "col"}, head));
  return element("table", {class: "mc-seats"}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
}

// What everybody contributed, and what is remembered.
function players(view, history, names, texts) {
  const {contribution, memory_averages: averages} = view.observation;
  const first = view.last === null;
  const cell = (value) => element("td", {}, first ? "\u2013" : value === null ? texts.not_shown : number(value));
  const rows = view.seats.map((one) => element("tr", {"data-you": one.you},
    element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(one.seat), names(one.seat),
      one.occupant && !one.you
        ? element("span", {class: "mc-tag"}, one.occupant === "policy" ? texts.bot : texts.person) : null)),
    cell(contribution[one.seat]), cell(averages[one.seat])));
  const heads = [texts.players, texts.contributed, texts.average].map((head) => element("th", {scope: "col"}, head));
  return element("table", {class: "mc-seats"}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
}

// The history of one play: the average of all as a line, one's own contributions as bars.
export function past(node, {core, periods, seat, texts}, history) {
  const played = history.filter((entry) => entry.period >= 0);
  if (played.length === 0) return;
  const mean = ({observation: {contribution}}) => {
    const shown = contribution.filter((value) => value !== null);
    return shown.length ? shown.reduce((sum, value) => sum + value, 0) / shown.length : null;
  };
  const open = node.querySelector("details")?.open ?? false;
  node.replaceChildren(element("h2", {}, texts.history), ...chart({
    periods,
    first: played[0].period,
    top: Array.isArray(core.endowment) ? Math.max(...core.endowment) : core.endowment,
    start: null,
    line: {name: texts.mean_series, colour: "var(--blue)", values: played.map(mean)},
    bars: {name: texts.own_series, colour: "var(--vermilion)", values: played.map((entry) => entry.observation.contribution[seat])},
    mark: {value: each(core.baseline, seat), name: texts.expected_line},
    width: room(node),
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
  }));
  node.querySelector("details").open = open;
}
