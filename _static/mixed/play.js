// The play page: what is the same for every game. The game's own part is
// `/static/<game>/stage.js`, which exports
//
//   create({core, seat, periods, texts, stage, past}) -> {
//     controls: [{name, label, step}],       one per action field that a person sets
//     rest: {field: value},                  the action fields that have no control
//     draw(view, history),                   the world as a picture, the past as a chart
//     effect(view, action) -> string,        what a request would do
//     ledger(view) -> node,                  last period, who took what
//     over(view),                            the moment it ends
//   }

import {control} from "./controls.js";
import {clock, element, number, signed, text} from "./dom.js";
import {connect} from "./table.js";

const setting = window.js_vars;
const texts = setting.texts;
const at = (id) => document.getElementById(id);
const game = (await import(`/static/${setting.game}/stage.js`)).create({
  core: setting.core, seat: setting.seat, periods: setting.periods, texts,
  stage: at("stage"), past: at("past"),
});

let view = null;
let history = [];
let shownPeriod = null;
let sent = false;
let acked = false;

const controls = game.controls.map((each) =>
  control({...each, words: texts, onChange: refresh}));
const effect = element("p", {class: "mc-quiet", id: "effect"});
at("controls").append(...controls.map((each) => each.node), effect);

const table = connect({
  onView(next) {
    if (next.history) history = next.history;
    else if (!remember(next)) table.sync();
    view = next;
    render();
  },
  onAck() {
    acked = true;
    at("problem").hidden = true;
    render();
  },
  onRefused(message) {
    sent = false;
    complain(text(texts.refused, {reason: message.reason}));
    render();
  },
  onState(name) {
    const state = at("state");
    state.dataset.state = name;
    state.textContent = texts[name];
    at("banner").hidden = name !== "lost";
    at("banner").textContent = name === "lost" ? texts.lost : "";
  },
});

// A view that arrives when a period has ended carries that period; the page keeps its own history.
// False if the page missed a period (it slept) and must ask for all of it.
function remember(next) {
  const period = next.period - 1;
  const known = history.at(-1)?.period ?? period;
  if (next.last === null || known >= period) return true;
  if (known < period - 1) return false;
  history.push({period, observation: next.observation, ...next.last});
  return true;
}

function render() {
  const over = view.phase === "over";
  const period = over ? view.period - 1 : view.period;
  at("period").textContent = text(texts.period, {period: period + 1, periods: setting.periods});
  at("progress").style.width = `${(100 * view.period) / setting.periods}%`;
  at("clock-label").textContent = over ? "" : view.remaining_ms === null ? texts.no_limit : texts.time_left;
  if (view.period !== shownPeriod) newPeriod();
  game.draw(view, history);
  at("ledger").replaceChildren(ledger());
  decisionCard(over);
  refresh();
}

function newPeriod() {
  at("news").textContent = view.last === null ? ""
    : text(texts.news, {reward: signed(view.last.reward), points: number(view.points)});
  shownPeriod = view.period;
  sent = acked = false;
  at("problem").hidden = true;
  for (const each of controls) {
    each.limit(...view.limits[each.name]);
    each.reset();
  }
}

function decisionCard(over) {
  const deciding = view.phase === "decide" && !sent;
  at("controls").hidden = over;
  at("confirm").hidden = over;
  at("decision").dataset.waiting = !over && !deciding;
  at("leave").hidden = !over;
  for (const each of controls) {
    each.disable(!deciding || view.limits[each.name][1] <= view.limits[each.name][0]);
  }
  const note = waitingNote(over);
  at("waiting").hidden = note === null;
  at("waiting").textContent = note ?? "";
  if (over) {
    at("decision-title").textContent = texts.over;
    game.over(view);
  }
}

function waitingNote(over) {
  if (over || (view.phase === "decide" && !sent)) return null;
  if (!view.started) return texts.get_ready;
  if (view.standin) return texts.standin;
  if (sent && !acked && view.phase === "decide") return texts.sending;
  const n = view.seats.filter((each) => !each.you && !each.decided).length;
  const others = n === 0 ? texts.waiting_for_all
    : n === 1 ? texts.waiting_for_one : text(texts.waiting_for_some, {n});
  return text(texts.confirmed, {others});
}

function ledger() {
  const total = element("p", {class: "mc-total"}, element("span", {}, texts.your_points),
    element("strong", {}, number(view.points)));
  if (view.last === null) {
    return element("div", {}, total, element("p", {class: "mc-quiet"}, texts.nothing_yet), game.ledger(view));
  }
  const parts = Object.entries(view.last.components)
    .filter(([name, value]) => value !== 0 || name === Object.keys(view.last.components)[0])
    .map(([name, value]) =>
      element("li", {}, element("span", {}, texts[name] ?? name), element("span", {}, signed(value))));
  return element("div", {}, total, element("h2", {}, texts.last_period),
    element("ul", {class: "mc-parts"}, ...parts,
      element("li", {class: "mc-sum"}, element("span", {}, texts.total),
        element("span", {}, signed(view.last.reward)))),
    view.last.by === "default" ? element("p", {class: "mc-note mc-note-wrong"}, texts.timed_out) : null,
    game.ledger(view));
}

// What the person has entered: complete action, or null.
function action() {
  const values = controls.map((each) => [each.name, each.value()]);
  if (values.some(([name, value]) => value === null && view.limits[name][1] > view.limits[name][0])) return null;
  return {...game.rest, ...Object.fromEntries(values.map(([name, value]) => [name, value ?? 0]))};
}

function refresh() {
  if (view === null) return;
  const entered = action();
  at("confirm").disabled = view.phase !== "decide" || sent || entered === null;
  effect.textContent = entered === null ? "" : game.effect(view, entered);
  if (view.phase !== "decide" || sent) return;
  const wrong = controls.find((each) => !each.empty() && each.problem() !== null);
  if (wrong) complain(wrong.problem());
  else if (entered !== null) at("problem").hidden = true;
}

function complain(reason) {
  at("problem").textContent = reason;
  at("problem").hidden = false;
}

at("confirm").addEventListener("click", () => {
  const entered = action();
  if (entered === null) return;
  sent = true;
  at("problem").hidden = true;
  table.act(view.period, entered);
  render();
});

// Enter in a number box confirms, as one would expect.
at("controls").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !at("confirm").disabled) at("confirm").click();
});

setInterval(() => {
  const left = view === null || view.phase === "over" ? null : table.remaining();
  at("clock").textContent = left === null ? "" : clock(left);
  at("clock").dataset.late = left !== null && left < 10000;
}, 200);
