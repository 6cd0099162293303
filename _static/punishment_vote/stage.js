// The punishment vote: the window around one's seat, the level everybody watches, the pad.

import {chart, room} from "../mixed/chart.js";
import {badge, element, number, seatName, signed, text} from "../mixed/dom.js";
import {board, codes} from "./board.js";
import {choices} from "./moves.js";
import {meanings} from "./pictures.js";
import {gauge, legend, memory, players} from "./side.js";
import {around, happened, pending} from "./words.js";

export function create({setting, seat, periods, byClock, texts, stage, past: pastNode}) {
  const means = meanings(setting.means);
  const own = board({means, seat, vision: setting.vision, label: texts.board});
  const others = setting.sees_views ? watched(setting, seat, means, texts) : null;
  const map = setting.has_map ? memory(setting, means, seat, texts) : null;
  const level = gauge(texts);
  const news = element("p", {class: "vote-told"});
  const nearby = element("p", {class: "mc-hidden", id: "around"});
  const spoken = element("p", {class: "mc-hidden", id: "spoken", role: "status"});
  const people = players(seat, texts);
  stage.append(element("div", {class: "vote-stage"},
    element("div", {class: "vote-main"}, own.node, news, nearby, spoken),
    level.node, people.node, legend(means, texts), map?.node, others?.node));
  let window = null;
  let known = null;
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "l" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      spoken.textContent = "";
      spoken.textContent = nearby.textContent;
    }
  });

  return {
    choices: choices(setting.moves, byClock, texts, (step) => own.lean(step !== null && open(step) ? step : [0, 0])),
    draw(view, history) {
      const seen = view.observation;
      const windows = setting.sees_views ? seen.window : [seen.window];
      window = codes(windows[0]);
      own.show(window, [seen.row ?? 0, seen.column ?? 0], recall(setting, means, seen));
      others?.show(windows.slice(1).map(codes));
      map?.show(seen);
      level.show(seen);
      news.textContent = happened(view, history, setting, texts);
      nearby.textContent = around(window, means, setting.vision, texts);
      people.show(view.seats);
      speak(seen.level);
      past(pastNode, {setting, periods, texts}, history);
    },
    ledger: (view, history) => sums(view, history, texts),
    over() {},
  };

  // What a screen reader says by itself: short where turns follow the clock, and nothing new is
  // nothing said. The key L says what lies around.
  function speak(now) {
    const level = now === known || now === null ? "" : `${texts.level}: ${number(100 * now)} %.`;
    known = now;
    const words = [news.textContent, level, byClock ? "" : nearby.textContent].filter(Boolean).join(" ");
    if (spoken.textContent !== words) spoken.textContent = words;
  }

  // May one step there, as far as one can see?
  function open([down, right]) {
    return means[window?.[setting.vision + down]?.[setting.vision + right]]?.free ?? true;
  }
}


// What is known of a cell beyond the window, by its place relative to it: what is remembered, and
// that the world ends in walls. null if nothing.
function recall({vision, height, width}, means, {remembered, last_seen: seen, row, column}) {
  if (row === null) return () => null;
  const wall = means.find(({type}) => type === "wall");
  return (down, right) => {
    const [r, c] = [row - vision + down, column - vision + right];
    if (r < 0 || c < 0 || r >= height || c >= width) return wall;
    return (seen?.[r][c] ?? -1) < 0 ? null : means[remembered[r][c]];
  };
}

// With composite views: small windows of what each other seat sees.
function watched({seats: count, vision}, seat, means, texts) {
  const seats = Array.from({length: count}, (_, other) => other).filter((other) => other !== seat);
  const boards = seats.map((other) => board({means, seat: other, vision,
    label: text(texts.sees, {player: text(texts.player, {n: other + 1})})}));
  const node = element("div", {class: "vote-others"}, ...boards.map(({node: picture}, index) => element("figure", {},
    element("figcaption", {class: "mc-seat"}, badge(seats[index], true),
      text(texts.sees, {player: seatName(seats[index], seat, texts)})), picture)));
  return {node, show: (windows) => windows.forEach((window, index) => boards[index].show(window, [0, 0], () => null))};
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
    column: {name: texts.earned_series, values: played.map((entry) => entry.reward)},
    width: room(node),
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
  }));
  node.querySelector("details").open = open;
}
