// The ledger: the participant's points, how the points of the last period add up, and what each player did.

import {element, signed, text} from "./dom.js";
import {sentences, stageOf} from "./peers.js";

// Returns a function of a view, the history, and whether the time ran out in the previous stage.
export function makeLedger({game, more, setting, byClock, points}) {
  const {peers, seat, texts} = setting;

  const list = (parts, total) => element("ul", {class: "mc-parts"}, ...[...parts, total].map((part) =>
    element("li", {class: part === total && "mc-sum"}, element("span", {}, part.name), element("span", {}, signed(part.value, points)))));

  const timedOut = () => element("p", {class: "mc-note mc-note-wrong"}, texts.timed_out);

  // The results of the first stage of this period.
  function soFar({observation: {income}}, lapsed) {
    const earned = income[seat] === null ? null : element("p", {}, text(peers.words.so_far, {n: points(income[seat])}));
    return [element("h2", {}, peers.words.now), earned, lapsed ? timedOut() : null];
  }

  function lastPeriod(view, lapsed) {
    if (view.last === null) return [element("p", {class: "mc-quiet"}, texts.nothing_yet)];
    const parts = Object.entries(view.last.components)
      .filter(([name, value]) => byClock || value !== 0 || name === Object.keys(view.last.components)[0])
      .map(([name, value]) => ({name: texts[name] ?? name, value}));
    const whole = {name: texts.total, value: view.last.reward};
    const missed = !byClock && view.last.by === "default";
    return [element("h2", {}, texts.last_period), (game.apart ?? list)(parts, whole), missed ? timedOut() : null,
      ...sentences(view, lapsed, setting).map((sentence) => element("p", {class: "mc-said"}, sentence))];
  }

  return (view, history, lapsed) => element("div", {},
    element("p", {class: "mc-total"}, element("span", {}, texts.your_points), element("strong", {}, points(view.points))),
    setting.role ? element("p", {class: "mc-note"}, text(texts.role, {role: setting.role})) : null,
    ...(stageOf(view) ? soFar : lastPeriod)(view, lapsed),
    game.ledger(view, history), more.node(view));
}
