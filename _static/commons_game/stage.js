// The commons: a lake that fills and empties, its history, the decision card, the ledger.

import {chart, room, roundTop} from "../mixed/chart.js";
import {outcome} from "../mixed/controls.js";
import {along, badge, element, number, seatName, svg, tag, text} from "../mixed/dom.js";
import {periodsShown, stageOf} from "../mixed/peers.js";
import {apart, ending as makeEnding, makeLake, screens} from "./lake.js";
import {scenes as drawn} from "./scenes.js";

const MOST_COLOURS = 6;

export const scenes = drawn;

export function create({setting, seat, periods, rate, texts, stage, past: pastNode}) {
  const view = makeView({setting, seat, texts});
  stage.append(view.node);
  const {governed} = setting;
  let warned = false;
  const controls = [{name: "harvest", label: texts.harvest_request, worth: [texts.fish_worth, texts.fish_breed].filter(Boolean).join(" ")}];
  if (governed) controls.push({name: "contribution", label: texts.contribution_request});
  return {
    controls,
    rest: governed ? {} : {contribution: 0},
    draw(now, history) {
      view.show(now);
      warned ||= now.shown.collapsed;  // stays true even if the stock recovers
      view.warn(warned);
      past(pastNode, {setting, seat, periods, texts}, history);
    },
    effect(now, action) {
      const {after} = now.shown;
      return after === null ? "" : text(texts.balance, {n: number(after.now), after: number(along(after, action) - after.cost)});
    },
    before: rate,
    unchosen: (shown, field) => (field === "harvest" ? ifAll(shown, 0, setting, texts) : ""),
    preview: (shown, field, value) => (field === "harvest" ? ifAll(shown, value, setting, texts)
      : text(texts.fed, {n: number(along(setting.fed, {[field]: value}))})),
    ledger: (now) => players(now, seat, texts, governed),
    actions: ({observation}) => [{label: texts.took, values: observation.harvest},
      ...(governed ? [{label: texts.paid, values: observation.contribution}] : [])],
    over(now) {
      if (now.ended.reason === "collapse") view.collapse(now.shown.left);
      if (now.ended.reason === "recovery") view.recover();
    },
  };
}

// The effect on the lake if every player requests the same amount.
function ifAll({if_all: rows, left}, value, {collapse_stock: critical}, texts) {
  const row = outcome(rows, value);
  if (row === null) return "";
  const words = {ends: texts.if_all_ends, collapses: texts.if_all_collapses, won: texts.if_all_won}[row.end] ?? texts.if_all;
  return element("span", {"data-end": row.end}, text(words, {value: number(value), now: number(left), then: apart(row.then, critical), critical: number(critical)}));
}

// The change in the stock in the last period that is shown, or an empty string if it is hidden.
const changeText = (change, words) => (change === null ? "" : text(words, {n: number(change.taken), born: number(change.born)}));

// The stage: the stock as a number, its change, and the lake.
function makeView({setting, seat, texts}) {
  const {capacity, collapse_stock: critical, estimate} = setting;
  const amount = element("strong", {});
  const line = element("p", {class: "mc-huge", "aria-hidden": "true"}, amount, " ", element("span", {class: "mc-unit"},
    text(estimate ? texts.stock_estimate : texts.stock, {capacity: number(capacity)})));
  const spoken = element("p", {class: "mc-hidden", "aria-live": "polite"});
  const news = element("p", {class: "mc-quiet lake-told"});
  const warning = element("p", {class: "mc-note mc-note-wrong", role: "alert", hidden: ""});
  const message = makeEnding();
  const frame = element("div", {class: "lake-frame"});
  const node = element("div", {}, element("div", {class: "lake-head"}, line, news), spoken, warning, frame);
  let lake = null;
  let scene = null;
  let played = null;  // the number of periods shown in the lake
  let seats = 0;

  function build() {
    lake = makeLake({setting, seat, seats, texts});
    frame.replaceChildren(lake.node, message.node);
    if (scene) lake.show(scene, false);
  }
  for (const screen of screens) screen.addEventListener("change", build);

  return {
    node,
    show(now) {
      const {observation: {stock, harvest}, shown, seats: members} = now;
      const periods = periodsShown(now);
      if (lake === null) seats = members.length;
      scene = {stock, change: shown.change, harvest: periods === 0 ? null : harvest};
      if (lake === null) build();
      else if (periods !== played) lake.show(scene, true);
      played = periods;
      news.textContent = changeText(shown.change, stageOf(now) ? texts.change_now : texts.change);
      amount.textContent = number(stock) ?? texts.not_shown;
      if (stock !== null) spoken.textContent = text(texts.stage_text, {stock: number(stock), capacity: number(capacity)});
    },
    warn(flag) {
      if (flag && warning.hidden) warning.textContent = texts.collapsed;
      warning.hidden = !flag;
    },
    collapse(left) {
      node.dataset.collapsed = "true";
      const title = left === null ? texts.collapsed : left === 0 ? texts.none_left
        : text(texts.fell_below, {left: apart(left, critical), critical: number(critical)});
      message.say(title, texts.collapsed_more);
    },
    recover() {
      message.say(texts.recovered, texts.recovered_more);
    },
  };
}

// The history of a play: the stock with the collapse level, and each seat's harvest below it.
// At the end, `picture.best` is the best plan, or null if none was computed.
export function past(node, {setting, seat, periods, texts, picture}, history) {
  if (history.length === 0) return;
  const played = history.filter((entry) => entry.period >= 0);
  const best = picture?.best ?? null;
  const first = played[0]?.period ?? 0;
  const ghost = (values) => (best ? {name: texts.best_plan, colour: "var(--ink-quiet)", values: values.slice(first)} : null);
  const common = {periods, first, height: 190, width: room(node), words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown}};
  const mark = setting.collapse_stock > 0
    ? {value: setting.collapse_stock, name: text(texts.collapse_line, {critical: number(setting.collapse_stock)})}
    : null;
  const bars = catches(played, seat, setting, texts);
  const sums = played.map((_, index) => bars.reduce((sum, {values}) => sum + (values[index] ?? 0), 0));
  const open = [...node.querySelectorAll("details")].map((details) => details.open);
  node.replaceChildren(
    element("section", {}, element("h2", {}, texts.stock_history), ...chart({
      ...common, top: setting.capacity, start: history[0].period < 0 ? history[0].observation.stock : null, mark, ghost: ghost(best?.stock),
      line: {name: texts.stock_series, colour: "var(--blue)", values: played.map((entry) => entry.observation.stock)}})),
    element("section", {}, element("h2", {}, setting.sees_all ? texts.harvest_history : texts.seen_history), ...chart({
      ...common, top: roundTop([...sums, ...(best?.harvest ?? [])]), bars, ghost: ghost(best?.harvest)})));
  node.querySelectorAll("details").forEach((details, index) => { details.open = open[index] ?? false; });
}

// One series per visible seat, in the seat's colour. It is a single total if there are more seats than
// colours, or if the others get new names in every period.
function catches(played, ownSeat, {sees_all: all, named}, texts) {
  const seats = played[0]?.observation.harvest.length ?? 0;
  const taken = (index) => played.map((entry) => entry.observation.harvest[index]);
  if (seats > MOST_COLOURS || !named) {
    const sum = (values) => values.reduce((whole, value) => whole + (value ?? 0), 0);
    return [{name: all ? texts.total_harvest : texts.total_seen, colour: "var(--vermilion)", values: played.map((entry) => sum(entry.observation.harvest))}];
  }
  return Array.from({length: seats}, (_, index) => ({name: seatName(index, ownSeat, texts), colour: `var(--seat-dark-${index})`, values: taken(index)}))
    .filter(({values}) => values.some((value) => value !== null));
}

function players(view, ownSeat, texts, governed) {
  const {harvest, contribution, wealth, income} = view.observation;
  const first = periodsShown(view) === 0;
  const cell = (value) => element("td", {}, value === null ? texts.not_shown : number(value));
  const rows = view.seats.map((member) => element("tr", {"data-you": member.you},
    element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(member.seat),
      seatName(member.seat, ownSeat, texts),
      tag(member, texts),
      decided(member, view, texts))),
    first ? element("td", {}, "\u2013") : cell(harvest[member.seat]),
    governed ? (first ? element("td", {}, "\u2013") : cell(contribution[member.seat])) : null,
    governed || income ? (first ? element("td", {}, "\u2013") : cell((income ?? view.shown.earned)[member.seat])) : null,
    income ? null : cell(wealth[member.seat])));
  // with peer points, the others' points are hidden, and `income` is what they earned before
  const heads = [texts.players, texts.took, governed ? texts.paid : null, governed || income ? texts.earned : null, income ? null : texts.holds]
    .filter((head) => head !== null).map((head) => element("th", {scope: "col"}, head));
  const pool = governed && view.observation.pool !== null
    ? element("p", {class: "mc-total"}, element("span", {}, texts.pool),
      element("span", {}, number(view.observation.pool))) : null;
  const granted = first || stageOf(view) ? null : harvest[ownSeat];
  const short = granted !== null && view.last.used.harvest > granted + 1e-9
    ? element("p", {class: "mc-note"},
      text(texts.granted, {asked: number(view.last.used.harvest), got: number(granted)})) : null;
  return element("div", {}, short, element("div", {class: "mc-scroll", role: "group", "aria-label": texts.players},
    element("table", {class: "mc-seats"}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows))), pool);
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
