// The play page: what is the same for every game. The game's own part is
// `/static/<game>/stage.js`, which exports
//
//   create({setting, seat, periods, byClock, texts, stage, past}) -> {
//     draw(view, history),                   the world as a picture, the past as a chart;
//                                            `view.shown`: what follows from what the seat saw
//     ledger(view, history) -> node,         who did what, under the last period taken apart
//     apart(parts, total) -> node,           optional: the last period taken apart, each {name, value}
//     over(view),                            the moment it ends
//     numbered,                              optional: its seats are told apart by numbers, not letters
//     and either (`form.js`)
//     controls: [{name, label}],             one per action field that a person sets: a number,
//       or {name, label, option(value, view, history) -> node}: a choice among a few
//     rest: {field: value},                  the action fields that have no control
//     effect(view, action) -> string,        what a request would do
//     preview(shown, field, value),          optional: words (a text or a node) beside the slider of
//                                            a field, of what a value would bring: from a table by
//                                            value in `view.shown` (`outcome` of controls.js)
//     onPick(take),                          optional: `take(name, value)` chooses on the stage
//     picked(action),                        optional: what is chosen now, null if nothing is
//     or (`pad.js`)
//     choices: {...},                        buttons and keys that act at once
//   }
//   past(node, {setting, seat, periods, texts}, history),   the play once more at the end
//   ending(node, {picture, texts}),          optional: what the game has to show besides
//   scenes: {screen: (numbers, texts) -> node},  optional: a picture for each screen of the
//                                            instructions (`screens.js`), numbers as `scenes.py` sends them
//
// `setting` is what the game's `stage.py` sends once, `view.shown` what it sends with every view. A
// stage draws them; it knows no rule and none of the game's parameters.

import {besides} from "./besides.js";
import {choosing} from "./choosing.js";
import {countdown} from "./countdown.js";
import {clock, element, keepFocus, number, seatName, signed, text} from "./dom.js";
import {form} from "./form.js";
import {managed} from "./manager.js";
import {pad} from "./pad.js";
import {questions} from "./questions.js";
import {connect} from "./table.js";
import {talker} from "./talk.js";

const setting = window.js_vars;
const texts = setting.texts;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const byClock = setting.turn_ms !== null;
const points = (value) => number(value, setting.digits);
const at = (id) => document.getElementById(id);
const game = (await import(`/static/${setting.game}/stage.js`)).create({
  setting: setting.setting, seat: setting.seat, periods: setting.periods, byClock, texts,
  stage: at("stage"), past: at("past"),
});

const more = besides({fields: setting.besides, decided: game.controls?.map((control) => control.name) ?? [], texts, seat: setting.seat});
let view = null;
let history = [];
let shownPeriod = null;
let running = null;
let sent = false;
let acked = false;
let ended = false;

const card = (game.choices ? pad : form)({game, accepts: setting.accepts, texts, at, decide, complain});
const asking = at("questions") && questions({
  items: JSON.parse(at("questions").dataset.items), texts, place: at("questions"), onAnswer: (name, value) => table.answer(view.period, name, value),
});
if (byClock) {  // a turn a second would never be silent
  at("period").removeAttribute("aria-live");
  at("state").removeAttribute("role");
}

const table = connect({
  onView(next) {
    if (next.history) history = next.history;
    else if (!remember(next)) table.sync();
    view = next;
    if (vote.show(view)) location.reload();
    else render();
  },
  onAck() {
    acked = true;
    complain(null);
    render();
  },
  onRefused(message, late) {
    sent = false;
    if (!(late && byClock)) complain(text(texts.refused, {reason: message.reason}));
    render();
  },
  onTalk: (answer, message) => talk.answered(answer, message),
  onAnswerRefused(message) {
    if (message.period === view.period) complain(text(texts.refused, {reason: message.reason}));
  },
  onLate() {
    if (byClock) card.late?.();
  },
  onState(name) {
    const state = at("state");
    state.dataset.state = name;
    state.textContent = texts[name];
    const late = name === "lost" || name === "unsaved";
    at("banner").hidden = !late;
    at("banner").textContent = late ? texts[name] : "";
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
  if (history.length > setting.history_periods + 1) history.shift();
  return true;
}

const vote = choosing({rules: setting.rules, rule: setting.rule, texts, place: at("main"), choose: table.choose});
const manager = managed({texts, place: at("main"), back: table.back, ready: table.ready});

const talk = setting.talk ? talker({
  setting: setting.talk, seat: setting.seat, numbered: game.numbered ?? false, periods: setting.periods, words: texts, at, talk: table.talk,
}) : null;
const talking = () => view.phase === "talk";

function decide(action) {
  const [wrong] = asking?.wrong() ?? [];
  if (wrong) {
    complain(wrong.why);
    wrong.focus();
    return;
  }
  asking?.flush();
  sent = true;
  acked = false;
  complain(null);
  table.act(view.period, action);
  render();
}

function render() {
  manager(view);
  const over = view.phase === "over";
  const period = over ? view.period - 1 : view.period;
  at("period").textContent = view.phase === "choose" ? "" : text(texts.period, {period: period + 1, periods: setting.periods});
  at("progress").style.width = `${(100 * view.period) / setting.periods}%`;
  at("clock-label").textContent = over || view.paused || view.ready ? "" : view.remaining_ms === null ? texts.no_limit : texts.time_left;
  at("earlier").textContent = earlierDecisions();
  at("earlier").hidden = at("earlier").textContent === "";
  const fresh = view.period !== shownPeriod;
  if (fresh) newPeriod();
  if (fresh || !byClock) {
    keepFocus([at("ledger"), at("past")], () => {
      game.draw(view, history);
      at("ledger").replaceChildren(ledger());
    });
    if (!fresh) at("ledger").getAnimations({subtree: true}).forEach((shown) => shown.finish());
  }
  talk?.draw(view);
  if (byClock && !view.ready && !talking() && running !== view.period) {
    running = view.period;
    runDown();
  }
  decisionCard(over);
  tick();
}

function newPeriod() {
  at("news").textContent = view.last === null || byClock ? ""
    : text(texts.news, {reward: signed(view.last.reward, points), points: points(view.points)});
  shownPeriod = view.period;
  sent = acked = false;
  complain(null);
  asking?.put(view.questions ?? {});
  card.fresh(view, history);
}

// The bar that empties while the turn lasts.
function runDown() {
  const left = table.remaining();
  at("turn").hidden = left === null || view.phase === "over" || still.matches;
  if (at("turn").hidden) return;
  const share = Math.min(left / setting.turn_ms, 1);
  at("turn").firstElementChild.animate(
    [{transform: `scaleX(${share})`}, {transform: "scaleX(0)"}], {duration: Math.max(left, 1), fill: "forwards"});
}

function decisionCard(over) {
  const open = view.phase === "decide" && (byClock || !sent);
  at("controls").hidden = over || talking();
  at("decision").dataset.waiting = !over && !open && !view.ready && !talking();  // the pad can be looked at meanwhile
  at("leave").hidden = !over;
  // what another page of this person has decided; not while something of this one is under way
  asking?.show(talking() ? {} : view.questions ?? {}, open);
  card.show(sent && !acked ? {...view, decision: null} : view, open);
  if (talking()) at("confirm").hidden = true;
  const note = waitingNote(over, open);
  at("waiting").hidden = note === null;
  at("waiting").textContent = note ?? "";
  if (over && !ended) end();
}

// What others have decided before oneself, in a play in turns.
function earlierDecisions() {
  const before = view.phase === "decide" ? more.earlier(view) : "";
  return before ? text(texts.earlier, {players: before}) : "";
}

// A seat can be out while the others go on: `out_<reason>` says why.
function end() {
  ended = true;
  const why = texts[`out_${view.ended.reason}`];
  const title = why ? texts.out : texts.over;
  at("decision-title").textContent = title;
  at("news").textContent = [why ? texts.out_said : texts.over_said, why, text(texts.points_said, {points: points(view.points)})].filter(Boolean).join(" ");
  at("why").textContent = why ?? "";
  at("why").hidden = !why;
  game.over(view);
  if ([document.body, at("decision")].includes(document.activeElement)) at("leave").focus();
}

function waitingNote(over, open) {
  if (over || open) return null;
  if (view.paused) return texts.paused;
  if (view.called) return texts.asked;
  if (view.ready) return null;  // the stage says so
  if (talking()) return talk.note();
  if (!view.started) return texts.get_ready;
  if (view.standin) return texts.standin;
  if (view.awaited) return texts.awaited;
  if (sent && !acked && view.phase === "decide") return texts.sending;
  if (![null, undefined, setting.seat].includes(view.turn)) return text(texts.turn_of, {player: seatName(view.turn, setting.seat, texts)});
  const n = view.seats.filter((member) => !member.you && !member.decided).length;
  return n === 0 ? texts.confirmed_by_all : text(texts.confirmed, {n});
}

function ledger() {
  const total = element("p", {class: "mc-total"}, element("span", {}, texts.your_points),
    element("strong", {}, points(view.points)));
  if (view.last === null) {
    return element("div", {}, total, role(), element("p", {class: "mc-quiet"}, texts.nothing_yet), game.ledger(view, history), more.node(view));
  }
  const parts = Object.entries(view.last.components)
    .filter(([name, value]) => byClock || value !== 0 || name === Object.keys(view.last.components)[0])
    .map(([name, value]) => ({name: texts[name] ?? name, value}));
  const whole = {name: texts.total, value: view.last.reward};
  const missed = !byClock && view.last.by === "default";
  return element("div", {}, total, role(), element("h2", {}, texts.last_period),
    (game.apart ?? list)(parts, whole),
    missed ? element("p", {class: "mc-note mc-note-wrong"}, texts.timed_out) : null,
    game.ledger(view, history), more.node(view));
}

const list = (parts, total) => element("ul", {class: "mc-parts"}, ...[...parts, total].map((part) =>
  element("li", {class: part === total && "mc-sum"}, element("span", {}, part.name), element("span", {}, signed(part.value, points)))));

const role = () => (setting.role ? element("p", {class: "mc-note"}, text(texts.role, {role: setting.role})) : null);

function complain(reason) {
  vote.complain(reason);
  at("problem").textContent = reason ?? "";
  at("problem").hidden = reason === null;
}

// By the clock a turn is too short to read: the strip shows what is left of the whole game.
function left() {
  const now = view === null || view.phase === "over" ? null : table.remaining();
  if (now === null || !byClock || !view.started || talking()) return now;
  return now + (setting.periods - view.period - 1) * setting.turn_ms;
}

const count = countdown({stage: at("stage"), words: texts});

function tick() {
  talk?.tick();
  count(view?.ready ? table.remaining() : null);
  const shown = view?.ready ? null : left();
  at("clock").textContent = shown === null ? "" : clock(shown);
  at("clock").dataset.late = shown !== null && shown < 10000;
}

setInterval(tick, 200);
