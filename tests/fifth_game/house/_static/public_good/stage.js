// Picture of the public good: the pot, contributions as bars, and players who can be punished.

import {chart, room} from "../mixed/chart.js";
import {along, badge, element, number, seatName, tag, text} from "../mixed/dom.js";

export function create({setting, seat, periods, texts, stage, past: pastNode}) {
  const pot = makePot(texts);
  const bars = element("ul", {class: "pot-bars"});
  stage.append(pot.node, element("div", {class: "mc-scroll", role: "group", "aria-label": texts.contributed}, bars));
  const controls = [{name: "contribution", label: texts.contribution_request, step: 1}];
  if (setting.punishes) controls.push({name: "punishment", label: texts.punishment_request, step: 1});
  return {
    controls,
    rest: setting.punishes ? {} : {punishment: 0},
    draw(view, history) {
      pot.show(view.shown.pot);
      bars.replaceChildren(...view.seats.map((member) => bar(view, member, {setting, seat, texts})));
      past(pastNode, {setting, periods, seat, texts}, history);
    },
    effect: (view, action) => [text(texts.keeps, {kept: number(along(view.shown.keeps, action))}),
      punished(view, action, seat, texts)].join(" ").trim(),
    ledger: (view) => players(view, seat, texts),
    over() {},
  };
}

// The players who would be punished, and their loss; empty if no points are spent.
function punished({shown: {targets, takes}}, action, ownSeat, texts) {
  if (takes === null || !action.punishment) return "";
  const names = targets.map((target) => seatName(target, ownSeat, texts)).join(", ");
  return text(targets.length === 1 ? texts.loses : texts.lose_each,
    {players: names, lost: number(along(takes, action))});
}

function makePot(texts) {
  const amount = element("strong", {});
  const spoken = element("p", {class: "mc-hidden", "aria-live": "polite"});
  const node = element("div", {}, element("p", {class: "mc-huge", "aria-hidden": "true"}, amount, " ",
    element("span", {class: "mc-unit"}, texts.pot)), spoken);
  return {
    node,
    show(points) {
      amount.textContent = points === null ? "\u2013" : number(points);
      spoken.textContent = points === null ? "" : text(texts.pot_text, {points: number(points)});
    },
  };
}

// One seat: its contribution as a bar, its name, and a mark if it contributed least.
function bar(view, member, {setting, seat, texts}) {
  const amount = view.last === null ? 0 : view.observation.contribution[member.seat];
  const share = amount === null ? 0 : Math.max(Math.min(amount / setting.endowment, 1), 0);
  const least = view.shown.lowest.includes(member.seat);
  return element("li", {"data-you": member.you, "data-least": least},
    element("span", {class: "pot-amount"}, amountOf(view, "contribution", member, texts)),
    element("span", {class: "pot-bar", "aria-hidden": "true"}, element("span", {style: `--share: ${Math.round(100 * share)}%`})),
    badge(member.seat), element("span", {class: "pot-name"}, seatName(member.seat, seat, texts)),
    least ? element("strong", {class: "pot-least"}, texts.least) : null);
}

function amountOf(view, name, member, texts) {
  if (view.last === null) return "\u2013";
  return number(view.observation[name][member.seat]) ?? texts.not_shown;
}

// Everybody's contribution and loss to punishment.
function players(view, ownSeat, texts) {
  const heads = [texts.players, texts.contributed, texts.lost_points];
  return element("table", {class: "mc-seats"},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {scope: "col"}, head)))),
    element("tbody", {}, ...view.seats.map((member) => element("tr", {"data-you": member.you},
      element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(member.seat), seatName(member.seat, ownSeat, texts), tag(member, texts))),
      element("td", {}, amountOf(view, "contribution", member, texts)),
      element("td", {}, amountOf(view, "suffered", member, texts))))));
}

// History of a play: the average of all players as a line, and your own contributions as bars.
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
    top: setting.endowment,
    start: null,
    line: {name: texts.mean_series, colour: "var(--blue)", values: played.map(average)},
    bars: {name: texts.own_series, colour: "var(--vermilion)", values: played.map((entry) => entry.observation.contribution[seat])},
    width: room(node),
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
  }));
  node.querySelector("details").open = open;
}
