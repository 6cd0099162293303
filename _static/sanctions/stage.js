// Graduated sanctions: the players around the pot, the others' memory, the preview of a choice, and the
// reasons for a loss or gain; at the end the network of these effects.

import {historyChart} from "../mixed/chart.js";
import {element, number, seatName, text} from "../mixed/dom.js";
import {done} from "./done.js";
import {stageOf} from "../mixed/peers.js";
import {waterfall} from "../mixed/waterfall.js";
import {memory} from "./memory.js";
import {comparison, network} from "./network.js";
import {players} from "./players.js";
import {pot} from "./pot.js";
import {scenes as drawn} from "./scenes.js";
import {besides, ends, sum, words} from "./sum.js";
import {points, why} from "./why.js";

const FADING = 2;  // number of contributions that have dropped out but are still drawn

export const scenes = drawn;

// The earnings of each player beside what everyone could have earned, and the network of effects.
export function ending(node, {picture, texts, seat}) {
  if (picture.points === undefined) return;
  const names = (other) => seatName(other, seat, texts);
  const isKnown = ({value}) => value !== null;
  const shown = picture.points.map((value, other) => ({value, seat: other})).filter(isKnown);
  const bars = shown.map((player) => ({...player, name: names(player.seat), note: text(texts.given_mean, {x: number(picture.given[player.seat])})}));
  const others = [[texts.all_expected, picture.expected], [texts.all_nothing, picture.nothing]].map(([name, value]) => ({name, value})).filter(isKnown);
  node.append(comparison(bars, others, {seat, texts}));
  if (picture.effects === null) return;
  const net = network({seat, texts, names});
  net.show(picture.effects.received, picture.effects.given);
  node.append(net.node);
}

export function create({setting, seat, periods, texts, stage, past: pastNode}) {
  const names = (other) => (other === seat ? text(texts.you_player, {n: seat + 1}) : seatName(other, seat, texts));
  const ownMemory = setting.remembers ? memory(setting, texts) : null;
  const around = pot({setting, seat, texts});
  const others = element("div", {});
  const fold = element("details", {class: "mc-details"}, element("summary", {}, texts.as_table), others);
  const parts = {setting, seat, names, texts};
  let reasons = null;
  stage.append(...(setting.lead ? [element("p", {class: "net-lead"}, setting.lead)] : []), around.node, ...(ownMemory ? [ownMemory.node] : []), fold);
  fold.open = setting.earns;
  return {
    controls: [{name: "contribution", label: texts.contribution_request, worth: setting.brings, turned: setting.takes,
      ...(setting.ends ? {option} : {})}],
    rest: {},
    before: setting.ends ? setting.brings : "",
    draw(view, history) {
      around.show(view);
      ownMemory?.show(view.shown, forgotten(view, history));
      others.replaceChildren(players(view, parts));
      past(pastNode, {setting, periods, seat, texts}, history);
    },
    unchosen: (shown) => brought(shown),
    effect: (view, {contribution}) => [setting.ends ? words(view.shown, contribution, texts) : "", besides(view.shown, contribution, setting, texts)]
      .filter(Boolean).join(". "),
    preview: (shown, _field, amount) => sum(shown, amount, texts),
    actions: ({observation}) => [{label: texts.contributed, values: done(observation, setting)}],
    picked: (action) => ownMemory?.choose(action === null ? null : action.contribution),
    apart: (sums, total) => waterfall({parts: sums, total, caption: texts.last_period, write: points}),
    ledger(view) {
      reasons = stageOf(view) ? null : why(view, parts, reasons?.open ?? true);
      return reasons ?? "";
    },
    over() {},
  };

  // The text of an option, if players can only contribute everything or nothing.
  function option(contribution) {
    return text(contribution > 0 ? texts.choose_all : texts.choose_nothing, {n: number(setting.endowment)});
  }

  // The participant's contributions that have just dropped out of the average, oldest first.
  function forgotten({period, shown: {past: remembered}}, history) {
    if (remembered === null || remembered.more) return [];
    const first = period - remembered.slots.length;
    return history.filter((entry) => entry.period >= 0 && entry.period < first).slice(-FADING)
      .map(({observation}) => observation.contribution[seat]).filter((amount) => amount !== null);
  }

  // How long a contribution is remembered, and the range of possible sanctions and rewards.
  function brought({remembered, outcomes}) {
    const stays = setting.remembers && remembered !== null ? text(texts.stays, {n: setting.look_back}) : "";
    const words = [stays, ends(outcomes, texts)].filter(Boolean).join(" ");
    return words && element("span", {class: "net-brings"}, words);
  }
}

// The history of a play: the average of all players as a line, the participant's contributions as bars.
export function past(node, {setting, periods, seat, texts}, history) {
  const played = history.filter((entry) => entry.period >= 0);
  if (played.every(({observation: {contribution}}) => contribution.every((value) => value === null))) return;
  const average = ({observation}) => {
    const shown = done(observation, setting).filter((value) => value !== null);
    return shown.length ? shown.reduce((sum, value) => sum + value, 0) / shown.length : null;
  };
  historyChart(node, texts.history, texts, played, {
    periods,
    top: setting.most,
    start: null,
    line: {name: texts.mean_series, colour: "var(--green)", values: played.map(average)},
    bars: {name: texts.own_series, colour: "var(--accent)", values: played.map(({observation}) => done(observation, setting)[seat])},
    mark: setting.remembers ? {value: setting.baseline, name: texts.expected_line} : null,
  });
}
