// Graduated sanctions: what the others remember of oneself, who took and gave what, and trust.

import {chart, room} from "../mixed/chart.js";
import {badge, element, exact, number, seatName, tag, text} from "../mixed/dom.js";
import {network, points} from "./network.js";

const mean = (value) => (Array.isArray(value) ? value.reduce((sum, one) => sum + one, 0) / value.length : value);
const each = (value, seat) => (Array.isArray(value) ? value[seat] : value);

export function create({core, seat, periods, texts, stage, past: pastNode}) {
  const endowment = each(core.endowment, seat);
  const memory = makeMemory(core, seat, texts);
  const names = (other) => (other === seat ? `${texts.you} (${text(texts.player, {n: seat + 1})})` : seatName(other, seat, texts));
  const net = network({texts, names, seat});
  const scroll = (label) => element("div", {class: "mc-scroll", tabindex: 0, role: "group", "aria-label": label});
  const [effectsTable, trustTable] = [scroll(texts.network), scroll(texts.trust)];
  stage.append(memory.node, element("div", {class: "net-stage"}, net.node, element("div", {}, effectsTable, trustTable)));
  let played = [];
  return {
    controls: [{name: "contribution", label: texts.contribution_request, step: endowment >= 10 ? 1 : 0.1}],
    rest: {},
    draw(view, history) {
      played = history.filter((entry) => entry.period >= 0);
      memory.show(view);
      const effects = between(core, seat, view.observation.reciprocity_effects);
      net.show(effects.received, effects.given, view.last === null);
      effectsTable.replaceChildren(pairs(view, effects, names, texts));
      trustTable.replaceChildren(hidden(view.observation.trust) ? element("p", {class: "mc-quiet"}, `${texts.trust}: ${texts.not_shown}`)
        : matrix(view.observation.trust, view.seats, seat, texts));
      past(pastNode, {core, periods, seat, texts}, history);
    },
    effect(view, {contribution}) {
      const kept = text(texts.keeps, {kept: number(Math.max(endowment - contribution, 0))});
      const average = remembered(core, seat, played, contribution);
      return average === null ? kept : `${kept} ${text(texts.would_be, {average: number(average)})}`;
    },
    ledger: (view) => players(view, names, texts),
    over() {},
  };
}

// What would be remembered after this contribution; null where the page cannot tell.
function remembered(core, seat, played, contribution) {
  const known = played.map((entry) => entry.observation.contribution[seat]);
  const count = Math.min(core.memory, (played.at(-1)?.period ?? -1) + 2);
  if (core.window !== "inclusive" || known.includes(null) || known.length + 1 < count) return null;
  const past = known.slice(known.length - count + 1);
  return (past.reduce((sum, value) => sum + value, 0) + contribution) / count;
}

// The average that is remembered, beside what it is compared with: what is expected, or what one
// gave last.
function makeMemory(core, seat, texts) {
  const most = each(core.endowment, seat);
  const expected = each(core.baseline, seat);
  const amount = element("strong", {});
  const bar = element("span", {});
  const mark = element("i", {});
  const said = element("p", {class: "mc-quiet net-expected"});
  const share = (value) => Math.max(Math.min(value / most, 1), 0);
  const node = element("div", {class: "net-memory"},
    element("p", {class: "mc-huge"}, amount, " ", element("span", {class: "mc-unit"}, texts.remembered_of_you)),
    element("div", {class: "net-bar", "aria-hidden": "true"}, bar, mark), said);
  const early = {inclusive: 0, prior: 1, peer: 1}[core.window];  // periods of which nothing is remembered
  return {
    node,
    show({period, observation: {memory_averages: averages, contribution}}) {
      const value = averages[seat];
      const own = contribution[seat];
      const none = period <= early;
      amount.textContent = value === null ? texts.not_shown : none ? texts.nothing_remembered : number(value);
      bar.style.transform = `scaleX(${value === null || none ? 0 : share(value)})`;
      const [what, other] = core.signal === "baseline" ? [texts.expected, expected] : [texts.last_given, own];
      mark.hidden = other === null || (core.signal !== "baseline" && period === 0);
      if (other !== null) mark.style.left = `${100 * share(other)}%`;
      const known = value !== null && other !== null && !none;
      const below = known && (core.signal === "baseline" ? value < expected : own < value);
      node.dataset.below = below;
      const verdict = core.signal !== "baseline" || !known ? "" : ` (${below ? texts.below : texts.above})`;
      said.textContent = mark.hidden ? "" : text(what, {b: exact(other)}) + verdict;
    },
  };
}

// Points to oneself through each other seat, and to each through oneself: `effects` has the observer
// in the row, and falls on the one observed or on the observer.
function between(core, seat, effects) {
  const scale = core.form === "multiplier" ? 100 / mean(core.endowment) : 1;  // then in per cent
  const scaled = (values) => values.map((value) => (value === null ? null : scale * value));
  const column = scaled(effects.map((row) => row[seat]));
  const row = scaled(effects[seat]);
  return core.falls_on === "deviator" ? {received: column, given: row} : {received: row, given: column};
}

const hidden = (pairs) => pairs.flat().every((value) => value === null);

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
function pairs(view, {received, given}, names, texts) {
  const first = view.last === null;
  const effect = (value) => (first ? "\u2013" : value === null ? texts.not_shown : points(value));
  return seatTable([texts.players, texts.received, texts.given], view.seats.filter((one) => !one.you).map((one) =>
    ({one, cells: [effect(received[one.seat]), effect(given[one.seat])]})), names, texts);
}

// What everybody contributed, and what is remembered.
function players(view, names, texts) {
  const {contribution, memory_averages: averages} = view.observation;
  const first = view.last === null;
  const cell = (value) => (first ? "\u2013" : value === null ? texts.not_shown : number(value));
  return seatTable([texts.players, texts.contributed, texts.average], view.seats.map((one) =>
    ({one, cells: [cell(contribution[one.seat]), cell(averages[one.seat])]})), names, texts);
}

function seatTable(heads, rows, names, texts) {
  return element("table", {class: "mc-seats"},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {scope: "col"}, head)))),
    element("tbody", {}, ...rows.map(({one, cells}) => element("tr", {"data-you": one.you},
      element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(one.seat), names(one.seat),
        tag(one, texts))),
      ...cells.map((value) => element("td", {}, value))))));
}

// The history of one play: the average of all as a line, one's own contributions as bars.
export function past(node, {core, periods, seat, texts}, history) {
  const played = history.filter((entry) => entry.period >= 0);
  if (played.length === 0) return;
  const average = ({observation: {contribution}}) => {
    const shown = contribution.filter((value) => value !== null);
    return shown.length ? shown.reduce((sum, value) => sum + value, 0) / shown.length : null;
  };
  const open = node.querySelector("details")?.open ?? false;
  node.replaceChildren(element("h2", {}, texts.history), ...chart({
    periods,
    first: played[0].period,
    top: Array.isArray(core.endowment) ? Math.max(...core.endowment) : core.endowment,
    start: null,
    line: {name: texts.mean_series, colour: "var(--blue)", values: played.map(average)},
    bars: {name: texts.own_series, colour: "var(--vermilion)", values: played.map((entry) => entry.observation.contribution[seat])},
    mark: {value: each(core.baseline, seat), name: texts.expected_line},
    width: room(node),
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
  }));
  node.querySelector("details").open = open;
}
