// Peer points: the second stage of a period, in which the participant assigns points to the others.
//
// `peers` is what `server/pages/peers.py` sends, or null in a play without this stage. The page adds up
// costs from its table; the server decides what is accepted.

import {badge, element, keepEnter, number, seatName, signed, tag, text} from "./dom.js";

const ROUNDING = 1e-9;

// The current stage of the period: 0 for the first or only one, 1 for peer points.
export const stageOf = ({observation}) => observation.stage ?? 0;

// The number of periods whose decisions the view shows. At a later stage, this includes the current period.
export const periodsShown = (view) => view.period + stageOf(view);

// The kind of an amount of points: punishment or reward.
const kindOf = ({kind}, amount) => (kind === "both" ? (amount < 0 ? "punishment" : "reward") : kind);
const written = ({kind}, amount) => (kind === "both" ? signed(amount, whole) : whole(amount));
const whole = (amount) => number(amount, 0);
const sum = (values) => values.reduce((before, value) => before + value, 0);
const total = (amounts) => sum(amounts.map(Math.abs));

// The control of the field `assign`: the same as `control` (controls.js), with a list of numbers as its
// value. `actions(view)` returns what the players did in this period, [{label, values}], a value per seat.
export function assigning({peers, actions, seat, texts, onChange}) {
  const {words, costs, rewards, kind} = peers;
  const list = element("ul", {class: "peer-list"});
  const sums = element("p", {class: "peer-sums", role: "status"});
  const node = element("div", {class: "mc-peers", role: "group", "aria-labelledby": "decision-title", "aria-describedby": "peer-does"},
    element("p", {class: "peer-does", id: "peer-does"}, peers.does.join(" ")), peers.prices ? prices(costs, words) : null, list, sums);
  let rows = [];
  let points = [];
  let seats = 0;
  let range = [0, 0];
  let held = null;
  let shut = true;

  const price = (amount) => (kind === "both" && amount > 0 ? rewards : costs)[Math.abs(amount)];
  const costOf = (amounts) => sum(amounts.map(price));
  const chosen = (amounts) => amounts.filter((amount) => amount !== 0).length;
  const purse = () => (held === null ? Infinity : Math.max(held, 0) + ROUNDING);

  function fits(amounts) {
    return amounts.every((amount) => amount >= range[0] && amount <= range[1])
      && total(amounts) <= (peers.budget ?? Infinity) && chosen(amounts) <= (peers.targets ?? Infinity)
      && costOf(amounts) <= purse();
  }

  const changed = (other, by) => points.map((amount, index) => (index === other ? amount + by : amount));
  const can = (other, by) => !shut && fits(changed(other, by));

  function step(other, by) {
    if (!can(other, by)) return false;
    points = changed(other, by);
    return true;
  }

  // Changes the amount by one step or, if `far` is set, as far as possible.
  function move(other, by, far) {
    let moved = step(other, by);
    while (far && step(other, by)) moved = true;
    if (!moved) return;
    mark();
    onChange();
  }

  const KEYS = {ArrowUp: [1, false], ArrowRight: [1, false], ArrowDown: [-1, false], ArrowLeft: [-1, false], End: [1, true], Home: [-1, true]};

  function row(member, facts) {
    const player = seatName(member.seat, seat, texts);
    const button = (by, sign, words_of) => {
      const node = element("button", {type: "button", class: "peer-step", tabindex: -1, "aria-label": text(words_of, {player})}, sign);
      node.addEventListener("click", () => move(member.seat, by, false));
      return node;
    };
    const amount = element("span", {class: "peer-amount", role: "spinbutton", tabindex: 0, "aria-label": text(words.for, {player}),
      "aria-describedby": `peer-${member.seat}`, "aria-valuemin": range[0], "aria-valuemax": range[1]});
    amount.addEventListener("keydown", (event) => {
      const [by, far] = KEYS[event.key] ?? [];
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move(member.seat, by, far);
    });
    const less = button(-1, "\u2212", words.less);
    const more = button(1, "+", words.more);
    return {
      seat: member.seat, amount, less, more,
      node: element("li", {class: "peer-row"}, element("div", {},
        element("span", {class: "mc-seat"}, badge(member.seat), player, tag(member, texts)),
        element("span", {class: "peer-did", id: `peer-${member.seat}`}, ...facts(member.seat))),
      element("div", {class: "peer-steps"}, less, amount, more)),
    };
  }

  // A player's action and earnings, as far as these are shown.
  function factsOf(view) {
    const all = [...actions(view), {label: words.earned, values: view.observation.income}];
    return (other) => all.filter(({values}) => values[other] !== null)
      .map(({label, values}) => element("span", {}, text(texts.labelled, {label, value: number(values[other])}), " "));
  }

  function mark() {
    for (const {seat: other, amount, less, more, node: line} of rows) {
      const value = points[other];
      line.dataset.assigned = value !== 0;
      amount.textContent = written(peers, value);
      amount.setAttribute("aria-valuenow", value);
      amount.setAttribute("aria-valuetext", text(words[kindOf(peers, value)], {n: whole(Math.abs(value))}));
      amount.setAttribute("aria-disabled", shut);
      less.setAttribute("aria-disabled", !can(other, -1));  // unlike `disabled`, this keeps the focus
      more.setAttribute("aria-disabled", !can(other, 1));
    }
    const sentence = summary();
    if (sums.textContent !== sentence) sums.textContent = sentence;
  }

  // The cost of the points and, until they are confirmed, the number left to assign.
  function summary() {
    const [cost, amount] = [costOf(points), total(points)];
    const poor = held !== null && amount === 0 && Math.min(costs[1], price(1)) > purse();
    const paid = amount > 0 ? text(words.cost, {n: number(cost, 2)}) : words.none;
    const rest = held === null ? "" : text(words.held, {n: number(held - cost, 2)});
    if (shut) return amount > 0 ? `${paid} ${rest}`.trim() : "";
    if (poor) return `${paid} ${words.too_poor}`;
    const budget = peers.budget === null ? "" : text(words.budget, {n: whole(peers.budget - amount)});
    const targets = peers.targets === null || peers.targets >= rows.length ? "" : text(words.targets, {n: whole(peers.targets - chosen(points))});
    return [paid, rest, budget, targets].filter(Boolean).join(" ");
  }

  keepEnter(node);

  return {
    node,
    name: "assign",
    value: () => [...points],
    empty: () => false,
    problem: () => null,
    limit([low, high, open], view) {
      range = [low, high];
      seats = view.seats.length;
      held = peers.holding === null ? null : view.observation[peers.holding][seat];
      const facts = factsOf(view);
      rows = view.seats.filter((member) => open.includes(member.seat)).map((member) => row(member, facts));
      list.replaceChildren(...rows.map((line) => line.node));
    },
    put(values) {
      points = values;
      mark();
    },
    reset() {
      points = Array(seats).fill(0);
      mark();
    },
    disable(flag) {
      shut = flag;
      mark();
    },
    focus: () => rows[0]?.amount.focus({preventScroll: true}),
  };
}

// A folded table of the costs of 1, 2, ... points.
function prices(costs, words) {
  const line = (head, values) => element("tr", {}, element("th", {scope: "row"}, head), ...values.map((value) => element("td", {}, value)));
  const amounts = costs.map((_, amount) => amount).slice(1);
  return element("details", {class: "mc-details peer-prices"}, element("summary", {}, words.prices),
    element("div", {class: "mc-scroll", role: "group", "aria-label": words.prices, tabindex: 0}, element("table", {class: "mc-seats"}, element("tbody", {},
      line(words.number, amounts), line(words.price, amounts.map((amount) => number(costs[amount], 2)))))));
}

// Sentences about what the participant assigned and got in the last period; none without peer points.
// `lapsed`: whether the time ran out before the participant assigned anything.
export function sentences({last, observation: {received, received_from: from}}, lapsed, {peers, seat, texts}) {
  if (peers === null) return [];
  const {words} = peers;
  const of = (amount, kinds) => text(kinds[kindOf(peers, amount)], {n: whole(Math.abs(amount))});
  const assigned = total(last.used.assign);
  const givers = (from ?? []).map((amount, other) => [amount, other]).filter(([amount]) => amount);
  return [
    lapsed && assigned === 0 ? words.lapsed : text(words.assigned, {n: whole(assigned)}),
    of(received, {punishment: words.got_punishment, reward: words.got_reward}),
    ...givers.map(([amount, other]) => text(words.from, {player: seatName(other, seat, texts), points: of(amount, words)})),
  ];
}
