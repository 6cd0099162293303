// The play page: the part that is the same for every game. The game's part is
// `/static/<game>/stage.js`, which exports
//
//   create({setting, seat, periods, byClock, rate, texts, stage, past}) -> {
//     draw(view, history),                   draws the world as a picture and the past as a chart;
//                                            `view.shown` is derived from the seat's observation
//     ledger(view, history) -> node,         each player's actions, below the points of the last period
//     actions(view) -> [{label, values}],    each player's actions, for the stage of peer points (`peers.js`)
//     apart(parts, total) -> node,           optional: the points of the last period, each {name, value}
//     over(view),                            called at the end
//     numbered,                              optional: true if badges show numbers, not letters
//     and either (`form.js`)
//     controls: [{name, label, turned}],     one per action field that a person sets: a number (`turned`:
//                                            shown as the upper end minus the number),
//       or {name, label, option(value, view, history) -> node}: a choice among a few
//     rest: {field: value},                  the action fields without a control
//     effect(view, action) -> string,        the effect that an action would have
//     before,                                optional: the sentence shown instead until a choice is made
//     preview(shown, field, value),          optional: a string or node beside a field's slider with
//                                            the effect of a value, from a table by value in
//                                            `view.shown` (`outcome` of controls.js)
//     unchosen(shown, field),                optional: a string or node shown instead until a value is chosen
//     onPick(take),                          optional: `take(name, value)` reports a choice made on the stage
//     picked(action),                        optional: receives the current choice, or null
//     or (`pad.js`)
//     choices: {...},                        buttons and keys that act immediately
//   }
//   past(node, {setting, seat, periods, texts}, history),   the whole play, shown again at the end
//   ending(node, {picture, texts}),          optional: the game's own comparison at the end
//   scenes: {screen: (numbers, texts) -> node},  optional: a picture for each screen of the
//                                            instructions (`screens.js`), with numbers from `scenes.py`
//
// The game's `stage.py` sends `setting` once and `view.shown` with every view. A stage draws them; it
// contains no rules and no parameters of the game.

import {besides} from "./besides.js";
import {choosing} from "./choosing.js";
import {countdown} from "./countdown.js";
import {clock, keepFocus, number, seatName, signed, text} from "./dom.js";
import {form} from "./form.js";
import {makeLedger} from "./ledger.js";
import {managed} from "./manager.js";
import {pad} from "./pad.js";
import {assigning, sentences, stageOf} from "./peers.js";
import {questions} from "./questions.js";
import {connect} from "./table.js";
import {talker} from "./talk.js";

const setting = window.js_vars;
const texts = setting.texts;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const byClock = setting.turn_ms !== null;
const points = (value) => number(value, setting.digits);
const byId = (id) => document.getElementById(id);
const game = (await import(`/static/${setting.game}/stage.js`)).create({
  setting: setting.setting, seat: setting.seat, periods: setting.periods, byClock, rate: setting.rate, texts,
  stage: byId("stage"), past: byId("past"),
});

const more = besides({fields: setting.besides, decided: game.controls?.map((control) => control.name) ?? [], texts, seat: setting.seat});
let view = null;
let history = [];
let shownAt = null;
let lapsed = false;
let running = null;
let sent = false;
let acked = false;
let ended = false;

const ledger = makeLedger({game, more, setting, byClock, points});
const {peers} = setting;
const later = peers && ((onChange) => assigning({peers, actions: game.actions, seat: setting.seat, texts, onChange}));
const card = (game.choices ? pad : form)({game, accepts: setting.accepts, texts, at: byId, decide, complain, later});
const asking = byId("questions") && questions({
  items: JSON.parse(byId("questions").dataset.items), texts, place: byId("questions"), onAnswer: (name, value) => table.answer(view.period, name, value),
});
byId("progress").parentElement.hidden = setting.periods === null;  // the number of periods is hidden
if (byClock) {  // with a turn every second, a screen reader would never stop talking
  byId("period").removeAttribute("aria-live");
  byId("state").removeAttribute("role");
}

const table = connect({
  onView(next) {
    if (next.history) history = next.history;
    else if (!remember(next)) table.sync();
    lapsed = place(next) === shownAt ? lapsed : isOpen() && view.decision === null && !acked;
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
    const state = byId("state");
    state.dataset.state = name;
    state.textContent = texts[name];
    const late = name === "lost" || name === "unsaved";
    byId("banner").hidden = !late;
    byId("banner").textContent = late ? texts[name] : "";
  },
});

// Adds the period that has just ended to the page's own history. Returns false if the page missed a
// period, for example because the computer slept, and must request the whole history.
function remember(next) {
  const period = next.period - 1;
  const lastPeriod = history.at(-1)?.period ?? period;
  if (next.last === null || lastPeriod >= period) return true;
  if (lastPeriod < period - 1 || stageOf(next) > 0) return false;
  history.push({period, observation: next.observation, ...next.last});
  if (history.length > setting.history_periods + 1) history.shift();
  return true;
}

const vote = choosing({rules: setting.rules, rule: setting.rule, texts, place: byId("main"), choose: table.choose});
const manager = managed({texts, place: byId("main"), back: table.back, ready: table.ready});

const talk = setting.talk ? talker({
  setting: setting.talk, seat: setting.seat, numbered: game.numbered ?? false, periods: setting.periods, words: texts, at: byId, talk: table.talk,
}) : null;
const talking = () => view.phase === "talk";
const isOpen = () => view?.phase === "decide";

// A period and its stage.
const place = (next) => `${next.period} ${stageOf(next)}`;

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
  byId("period").textContent = view.phase === "choose" ? "" : text(texts.period, {period: period + 1, periods: setting.periods});
  if (setting.periods !== null) byId("progress").style.width = `${(100 * view.period) / setting.periods}%`;
  byId("clock-label").textContent = over || view.paused || view.ready ? "" : view.remaining_ms === null ? texts.no_limit : texts.time_left;
  byId("earlier").textContent = earlierDecisions();
  byId("earlier").hidden = byId("earlier").textContent === "";
  const fresh = place(view) !== shownAt;
  if (fresh) newStage();
  if (fresh || !byClock) {
    keepFocus([byId("ledger"), byId("past")], () => {
      game.draw(view, history);
      byId("ledger").replaceChildren(ledger(view, history, lapsed));
    });
    if (!fresh) byId("ledger").getAnimations({subtree: true}).forEach((shown) => shown.finish());
  }
  talk?.draw(view);
  if (byClock && view.started && !talking() && running !== place(view)) {
    running = place(view);
    runDown();
  }
  decisionCard(over);
  tick();
}

function newStage() {
  byId("news").textContent = news();
  byId("decision-title").textContent = stageOf(view) ? peers.words.title : texts.decide;
  byId("decision").dataset.stage = stageOf(view);
  shownAt = place(view);
  sent = acked = false;
  complain(null);
  asking?.put(view.questions ?? {});
  card.fresh(view, history);
}

// The text that a screen reader says when a period or a later stage begins.
function news() {
  if (stageOf(view)) return peers.words.title;
  if (view.last === null || byClock) return "";
  return [text(texts.news, {reward: signed(view.last.reward, points), points: points(view.points)}), ...sentences(view, lapsed, setting)].join(" ");
}

// Animates the bar that empties during the turn.
function runDown() {
  const left = table.remaining();
  byId("turn").hidden = left === null || view.phase === "over" || still.matches;
  if (byId("turn").hidden) return;
  const share = Math.min(left / setting.turn_ms, 1);
  byId("turn").firstElementChild.animate(
    [{transform: `scaleX(${share})`}, {transform: "scaleX(0)"}], {duration: Math.max(left, 1), fill: "forwards"});
}

function decisionCard(over) {
  const open = view.phase === "decide" && (byClock || !sent);
  byId("controls").hidden = over || talking();
  byId("decision").dataset.waiting = !over && !open && !view.ready && !talking();  // the pad stays visible meanwhile
  byId("leave").hidden = !over;
  // show a decision from another page of the participant, unless one from this page is being sent
  asking?.show(talking() ? {} : view.questions ?? {}, open);
  card.show(sent && !acked ? {...view, decision: null} : view, open);
  if (talking()) byId("confirm").hidden = true;
  const note = waitingNote(over, open);
  byId("waiting").hidden = note === null;
  byId("waiting").textContent = note ?? "";
  if (over && !ended) end();
}

// The decisions of earlier players, in a play in which players decide in turn.
function earlierDecisions() {
  const before = view.phase === "decide" ? more.earlier(view) : "";
  return before ? text(texts.earlier, {players: before}) : "";
}

// One player can be out while the others keep playing; the text `out_<reason>` explains why.
function end() {
  ended = true;
  const why = texts[`out_${view.ended.reason}`];
  const title = why ? texts.out : texts.over;
  byId("decision-title").textContent = title;
  byId("news").textContent = [why ? texts.out_said : texts.over_said, why, text(texts.points_said, {points: points(view.points)})].filter(Boolean).join(" ");
  byId("why").textContent = why ?? "";
  byId("why").hidden = !why;
  game.over(view);
  if ([document.body, byId("decision")].includes(document.activeElement)) byId("leave").focus();
}

function waitingNote(over, open) {
  if (over || open) return null;
  if (view.paused) return texts.paused;
  if (view.called) return texts.asked;
  if (view.ready) return null;  // the stage shows a countdown
  if (talking()) return talk.note();
  if (!view.started) return texts.get_ready;
  if (view.standin) return texts.standin;
  if (view.awaited) return texts.awaited;
  if (sent && !acked && view.phase === "decide") return texts.sending;
  if (![null, undefined, setting.seat].includes(view.turn)) return text(texts.turn_of, {player: seatName(view.turn, setting.seat, texts)});
  const n = view.seats.filter((member) => !member.you && !member.decided).length;
  return n === 0 ? texts.confirmed_by_all : text(texts.confirmed, {n});
}

function complain(reason) {
  vote.complain(reason);
  byId("problem").textContent = reason ?? "";
  byId("problem").hidden = reason === null;
}

// With a clock, turns are too short for anyone to read the time left, so the strip shows the time left in
// the whole game, unless the length of the game is hidden.
function left() {
  const now = view === null || view.phase === "over" ? null : table.remaining();
  if (now === null || !byClock || setting.periods === null || !view.started || talking()) return now;
  return now + (setting.periods - view.period - 1) * setting.turn_ms;
}

const count = countdown({stage: byId("stage"), words: texts});

function tick() {
  talk?.tick();
  count(view?.ready ? table.remaining() : null);
  const shown = view?.ready ? null : left();
  byId("clock").textContent = shown === null ? "" : clock(shown);
  byId("clock").dataset.late = shown !== null && shown < 10000;
}

setInterval(tick, 200);

// draws as for a view from the socket, so that nothing moves when the socket responds
table.show(JSON.parse(byId("first-view").textContent));
document.querySelector(".mc-play").dataset.drawn = true;
