// The punishment vote: the field with the pieces, the points and the level beside it, and the pad.

import {historyChart} from "../mixed/chart.js";
import {badge, element, exact, percent, seatName, signed, text} from "../mixed/dom.js";
import {board, codes} from "./board.js";
import {everybody} from "./ending.js";
import {choices} from "./moves.js";
import {scenes as drawn} from "./scenes.js";
import {players, standing, worth} from "./side.js";
import {ahead, around, happened, pending} from "./words.js";

export function create({setting, seat, periods, byClock, texts, stage, past: pastNode}) {
  const {means, moves} = setting;
  const ownBoard = board({field: setting, means, seat, label: texts.board});
  const others = setting.sees_views ? watched(setting, seat, means, texts) : null;
  const state = standing(moves, seat, texts);
  const legend = worth(means, setting, texts);
  const line = element("p", {class: "vote-told"});
  const nearby = element("p", {class: "mc-hidden", id: "around"});
  const hint = element("p", {class: "mc-hidden"}, texts.hear_hint);
  const spoken = element("p", {class: "mc-hidden", id: "spoken", role: "status"});
  const people = players(seat, texts);
  const isPartial = setting.placed && 2 * setting.vision + 1 < Math.max(setting.height, setting.width);
  const sight = element("p", {class: "mc-quiet vote-sight", hidden: isPartial ? null : ""});
  stage.append(element("div", {class: "vote-stage"},
    element("div", {class: "vote-side"}, state.node, legend.node),
    element("div", {class: "vote-main"}, ownBoard.node, line, hint, nearby, spoken),
    element("div", {class: "vote-below"}, people.node, sight, others?.node)));
  let view = null;
  let window = null;
  let chosen = null;
  let news = "";
  let spokenLevel = null;
  document.addEventListener("keydown", (event) => {
    if (event.target.closest?.("input, select")) return;  // the participant is typing
    if (event.key.toLowerCase() === "l" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      spoken.textContent = "";
      spoken.textContent = nearby.textContent;
    }
  });

  return {
    numbered: true,
    choices: choices(moves, byClock, ballot(setting, texts), texts, choose),
    draw(next, history) {
      const fresh = next.period !== view?.period;  // a turn is drawn again when others decide
      if (fresh) chosen = null;
      view = next;
      const seen = view.observation;
      const windows = setting.sees_views ? seen.window : [seen.window];
      window = codes(windows[0]);
      stage.style.setProperty("--level", seen.level ?? 0);
      ownBoard.show(window, seen, fresh ? lately(view, history) : null);
      others?.show(windows.slice(1).map(codes));
      state.show(view, history);
      legend.show(view.shown.net);
      news = happened(view, history, setting, texts);
      choose(chosen);
      nearby.textContent = around(window, means, setting.vision, texts);
      people.show(view.seats);
      sight.textContent = seen.remembered ? texts.sight_and_memory : texts.sight;
      speak(seen.level);
      past(pastNode, {setting, periods, texts}, history);
    },
    ledger: (shown, history) => sums(shown, history, texts),
    over() {},
  };

  // The outcome of the last turn, if this page also saw the turn before.
  function lately({last, observation, period}, history) {
    if (last === null || history.at(-1)?.period !== period - 1) return null;
    const kind = setting.collected[observation.collected];
    return {components: last.components, harms: means.find(({name}) => kind && name === kind)?.harm};
  }

  // Previews the chosen step, [down, right] or null, before it is taken.
  function choose(step) {
    chosen = step;
    if (view === null) return;
    const [down, right] = step ?? [0, 0];
    const meaning = means[window[setting.vision + down]?.[setting.vision + right]];
    const resource = step !== null && meaning?.type === "resource" ? meaning : null;
    ownBoard.lean(meaning?.free ?? true ? [down, right] : [0, 0]);
    legend.point(resource?.kind ?? null);
    line.textContent = resource === null || view.shown.net === null ? news
      : ahead(resource, view.shown.net[resource.kind], setting, texts);
  }

  // Announces the turn to screen readers: briefly if turns follow the clock, and silently if nothing
  // changed. The key L reads out the surroundings.
  function speak(now) {
    const level = now === spokenLevel || now === null ? "" : text(texts.level_said, {level: percent(now, texts)});
    spokenLevel = now;
    const words = [news, level, byClock ? "" : nearby.textContent].filter(Boolean).join(" ");
    if (spoken.textContent !== words) spoken.textContent = words;
  }
}

// The text about what the players vote on, and about the effect and cost of a vote.
function ballot({size, lottery, vote}, texts) {
  if (size === null) return texts.nobody_punished;
  const question = text(lottery ? texts.vote_on_chance : texts.vote_on, {size: exact(size)});
  return element("span", {}, question, " ", element("span", {class: "vote-effect"}, vote));
}

export const ending = everybody;
export const scenes = drawn;

// With composite views: small windows with the view of each other seat.
function watched({seats: count, vision}, seat, means, texts) {
  const field = {height: 0, width: 0, vision, placed: false};
  const seats = Array.from({length: count}, (_, other) => other).filter((other) => other !== seat);
  const boards = seats.map((other) => board({field, means, seat: other,
    label: text(texts.sees, {player: text(texts.player, {n: other + 1})})}));
  const node = element("div", {class: "vote-others"}, ...boards.map(({node: picture}, index) => element("figure", {},
    element("figcaption", {class: "mc-seat"}, badge(seats[index], true),
      text(texts.sees, {player: seatName(seats[index], seat, texts)})), picture)));
  return {node, show: (windows) => windows.forEach((window, index) => boards[index].show(window, {}))};
}

// The sum of each part of the reward so far, if the page has the whole play.
function sums(view, history, texts) {
  const played = history.filter((entry) => entry.period >= 0);
  const owed = pending(view.observation.pending_harm, texts);
  if (played.length === 0 || played.length < view.period) return element("p", {class: "mc-quiet"}, owed);
  const parts = Object.keys(played[0].components).map((name) => element("li", {},
    element("span", {}, texts[name] ?? name),
    element("span", {}, signed(played.reduce((sum, entry) => sum + entry.components[name], 0)))));
  return element("div", {}, owed ? element("p", {class: "mc-quiet"}, owed) : null,
    element("h2", {}, texts.so_far), element("ul", {class: "mc-parts"}, ...parts));
}

// The history of a play: the punishment level over the turns.
export function past(node, {periods, texts}, history) {
  const played = history.filter((entry) => entry.period >= 0);
  if (played.length === 0) return;
  const level = (entry) => (entry.observation.level === null ? null : 100 * entry.observation.level);
  historyChart(node, texts.level, texts, played, {
    periods,
    top: 100,
    start: history[0].period < 0 ? level(history[0]) : null,
    line: {name: texts.level_series, colour: "var(--vermilion)", values: played.map(level)},
    column: {name: texts.earned_series, values: played.map((entry) => entry.reward)},
  });
}
