// The punishment vote: the window around one's seat, the level everybody watches, the pad.

import {chart, room} from "../mixed/chart.js";
import {badge, element, seatName, signed, text} from "../mixed/dom.js";
import {board, codes} from "./board.js";
import {choices, moves} from "./moves.js";
import {meanings} from "./pictures.js";
import {gauge, legend, memory} from "./side.js";
import {around, happened, pending} from "./words.js";

export function create({core, seat, periods, texts, stage, past: pastNode}) {
  const means = meanings(core);
  const kinds = Object.keys(core.resources);
  const actions = moves(core);
  const own = board({means, seat, vision: core.vision, label: texts.you});
  const others = core.views === "composite" ? watched(core, seat, means, texts) : null;
  const map = core.map_memory ? memory(core, means, seat, texts) : null;
  const level = gauge(texts);
  const told = element("p", {class: "vote-told"});
  const spoken = element("p", {class: "mc-hidden", id: "around", role: "status"});
  stage.append(element("div", {class: "vote-stage"},
    element("div", {class: "vote-main"}, own.node, spoken,
      element("div", {class: "vote-line"}, told, identity(seat, texts))),
    level.node, legend(core, means, texts), map?.node, others?.node));
  let window = null;
  let before = null;

  return {
    choices: choices(core, texts, (step) => own.lean(step !== null && open(step) ? step : [0, 0])),
    draw(view, history) {
      const seen = view.observation;
      const windows = core.views === "composite" ? seen.window : [seen.window];
      window = codes(windows[0]);
      own.show(window, [seen.row ?? 0, seen.column ?? 0], recall(core, means, seen));
      others?.show(windows.slice(1).map(codes));
      map?.show(seen);
      level.show(seen);
      told.textContent = happened(view, before, actions, kinds, texts);
      say(spoken, `${told.textContent} ${around(window, means, core.vision, texts)}`);
      before = {row: seen.row, column: seen.column};
      past(pastNode, {core, periods, texts}, history);
    },
    ledger: (view, history) => sums(view, history, texts),
    over() {},
  };

  // May one step there, as far as one can see?
  function open([down, right]) {
    const type = means[window?.[core.vision + down]?.[core.vision + right]]?.type;
    return type !== "wall" && type !== "seat";
  }
}

// A status is read out when it changes, so it changes only when there is something new.
function say(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

function identity(seat, texts) {
  return element("p", {class: "mc-seat vote-identity"}, badge(seat, true),
    text(texts.you_are, {player: text(texts.player, {n: seat + 1})}));
}

// What is known of a cell beyond the window, by its place relative to it: what is remembered, and
// that the world ends in walls. null if nothing.
function recall(core, means, {remembered, last_seen: seen, row, column}) {
  if (row === null) return () => null;
  return (down, right) => {
    const [r, c] = [row - core.vision + down, column - core.vision + right];
    if (r < 0 || c < 0 || r >= core.height || c >= core.width) return means[1];
    return (seen?.[r][c] ?? -1) < 0 ? null : means[remembered[r][c]];
  };
}

// With composite views: small windows of what each other seat sees.
function watched(core, seat, means, texts) {
  const seats = Array.from({length: core.seats}, (_, other) => other).filter((other) => other !== seat);
  const boards = seats.map((other) => board({means, seat: other, vision: core.vision,
    label: text(texts.sees, {player: text(texts.player, {n: other + 1})})}));
  const node = element("div", {class: "vote-others"}, ...boards.map((each, index) => element("figure", {},
    element("figcaption", {class: "mc-seat"}, badge(seats[index], true),
      text(texts.sees, {player: seatName(seats[index], seat, texts)})), each.node)));
  return {node, show: (windows) => windows.forEach((each, index) => boards[index].show(each, [0, 0], () => null))};
}

// What every part of the reward came to so far, where the page knows the whole play.
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

// The history of one play: the punishment level over the turns.
export function past(node, {periods, texts}, history) {
  const played = history.filter((entry) => entry.period >= 0);
  if (played.length === 0) return;
  const open = node.querySelector("details")?.open ?? false;
  const percent = (entry) => (entry.observation.level === null ? null : 100 * entry.observation.level);
  node.replaceChildren(element("h2", {}, texts.level), ...chart({
    periods,
    first: played[0].period,
    top: 100,
    start: history[0].period < 0 ? percent(history[0]) : null,
    line: {name: texts.level_series, colour: "var(--vermilion)", values: played.map(percent)},
    told: {name: texts.earned_series, values: played.map((entry) => entry.reward)},
    width: room(node),
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
  }));
  node.querySelector("details").open = open;
}
