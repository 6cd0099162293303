// Graduated sanctions: what the others remember of oneself, who took and gave what, and trust.

import {chart, room} from "../mixed/chart.js";
import {along, badge, element, exact, number, seatName, tag, text} from "../mixed/dom.js";
import {network, points} from "./network.js";

export function create({setting, seat, periods, texts, stage, past: pastNode}) {
  const memory = makeMemory(setting, texts);
  const names = (other) => (other === seat ? `${texts.you} (${text(texts.player, {n: seat + 1})})` : seatName(other, seat, texts));
  const net = network({texts, names, seat});
  const scroll = (label) => element("div", {class: "mc-scroll", tabindex: 0, role: "group", "aria-label": label});
  const [effectsTable, trustTable] = [scroll(texts.network), scroll(texts.trust)];
  stage.append(memory.node, element("div", {class: "net-stage"}, net.node, element("div", {}, effectsTable, trustTable)));
  return {
    controls: [{name: "contribution", label: texts.contribution_request, step: setting.endowment >= 10 ? 1 : 0.1}],
    rest: {},
    draw(view, history) {
      memory.show(view.shown.memory);
      net.show(view.shown.received, view.shown.given, view.last === null);
      effectsTable.replaceChildren(pairs(view, names, texts));
      trustTable.replaceChildren(hidden(view.observation.trust) ? element("p", {class: "mc-quiet"}, `${texts.trust}: ${texts.not_shown}`)
        : matrix(view.observation.trust, view.seats, seat, texts));
      past(pastNode, {setting, periods, seat, texts}, history);
    },
    effect(view, action) {
      const {keeps, remembered} = view.shown;
      const kept = text(texts.keeps, {kept: number(along(keeps, action))});
      return remembered === null ? kept : `${kept} ${text(texts.would_be, {average: number(along(remembered, action))})}`;
    },
    ledger: (view) => players(view, names, texts),
    over() {},
  };
}

// The average that is remembered, beside what it is compared with: what is expected, or what one
// gave last.
function makeMemory({endowment}, texts) {
  const amount = element("strong", {});
  const bar = element("span", {});
  const mark = element("i", {});
  const beside = element("p", {class: "mc-quiet net-expected"});
  const share = (value) => Math.max(Math.min(value / endowment, 1), 0);
  const node = element("div", {class: "net-memory"},
    element("p", {class: "mc-huge"}, amount, " ", element("span", {class: "mc-unit"}, texts.remembered_of_you)),
    element("div", {class: "net-bar", "aria-hidden": "true"}, bar, mark), beside);
  return {
    node,
    show({average, nothing, compared_with: other, below, is_verdict: judged}) {
      amount.textContent = average === null ? texts.not_shown : nothing ? texts.nothing_remembered : number(average);
      bar.style.transform = `scaleX(${average === null || nothing ? 0 : share(average)})`;
      mark.hidden = other === null;
      if (other !== null) mark.style.left = `${100 * share(other)}%`;
      node.dataset.below = below === true;
      const verdict = judged ? ` (${below ? texts.below : texts.above})` : "";
      beside.textContent = other === null ? "" : text(texts.compared, {b: exact(other)}) + verdict;
    },
  };
}

const hidden = (pairs) => pairs.flat().every((value) => value === null);

// Everybody's trust in everybody: darker is more.
function matrix(trust, seats, own, texts) {
  const mark = (seat) => element("span", {class: "mc-seat"}, badge(seat), element("span", {class: "mc-hidden"}, seatName(seat, own, texts)));
  const cell = (value, same) => (same ? element("td", {}, "\u2013") : value === null ? element("td", {}, texts.not_shown)
    : element("td", {class: "net-cell", style: `--share: ${Math.round(60 * value)}%`}, number(100 * value, 0)));
  return element("table", {class: "mc-seats net-trust"}, element("caption", {}, texts.trust),
    element("thead", {}, element("tr", {}, element("th", {scope: "col"}, texts.trusts),
      ...seats.map((member) => element("th", {scope: "col", "data-you": member.you}, mark(member.seat))))),
    element("tbody", {}, ...seats.map((member) => element("tr", {"data-you": member.you}, element("th", {scope: "row"}, mark(member.seat)),
      ...seats.map((other) => cell(trust[member.seat][other.seat], member.seat === other.seat))))));
}

// The network as a table: points both ways between oneself and each other.
function pairs(view, names, texts) {
  const {received, given} = view.shown;
  const first = view.last === null;
  const effect = (value) => (first ? "\u2013" : value === null ? texts.not_shown : points(value));
  return seatTable([texts.players, texts.received, texts.given], view.seats.filter((member) => !member.you).map((member) =>
    ({member, cells: [effect(received[member.seat]), effect(given[member.seat])]})), names, texts);
}

// What everybody contributed, and what is remembered.
function players(view, names, texts) {
  const {contribution, memory_averages: averages} = view.observation;
  const first = view.last === null;
  const cell = (value) => (first ? "\u2013" : value === null ? texts.not_shown : number(value));
  return seatTable([texts.players, texts.contributed, texts.average], view.seats.map((member) =>
    ({member, cells: [cell(contribution[member.seat]), cell(averages[member.seat])]})), names, texts);
}

function seatTable(heads, rows, names, texts) {
  return element("table", {class: "mc-seats"},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {scope: "col"}, head)))),
    element("tbody", {}, ...rows.map(({member, cells}) => element("tr", {"data-you": member.you},
      element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(member.seat), names(member.seat),
        tag(member, texts))),
      ...cells.map((value) => element("td", {}, value))))));
}

// The history of one play: the average of all as a line, one's own contributions as bars.
export function past(node, {setting, periods, seat, texts}, history) {
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
    top: setting.most,
    start: null,
    line: {name: texts.mean_series, colour: "var(--blue)", values: played.map(average)},
    bars: {name: texts.own_series, colour: "var(--vermilion)", values: played.map((entry) => entry.observation.contribution[seat])},
    mark: {value: setting.baseline, name: texts.expected_line},
    width: room(node),
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
  }));
  node.querySelector("details").open = open;
}
