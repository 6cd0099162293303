// Gem mining: the team's chest, the map, what is known of the mines in reach, who went where.

import {historyChart, room} from "../mixed/chart.js";
import {badge, element, number, seatName, tag, text} from "../mixed/dom.js";
import {makeChest} from "./chest.js";
import {legend, share} from "./figures.js";
import {bar, front} from "./front.js";
import {chances, counted, gem, mineName, range} from "./gems.js";
import {map, MOST_KINDS} from "./map.js";
import {scenes as drawn} from "./scenes.js";

export const scenes = drawn;

export function create({setting, seat, periods, texts, stage, past: pastNode}) {
  const kinds = range(0, setting.kinds - 1);
  const chest = makeChest(kinds, setting.worths, texts);
  const name = (mine) => mineName(mine, texts);
  let take = () => {};
  let known = null;  // what the server says of the mines now
  let before = null;  // the period that was shown before
  const world = map({setting, seat, texts, onPick: (mine) => take("mine", mine), rates, chest: chest.picture});
  const key = element("ul", {class: "mc-legend gems-legend", "aria-hidden": "true"});
  stage.append(chest.node, element("figure", {class: "gems-frame"}, world.node, key));
  return {
    controls: [{name: "mine", label: texts.mine_request, option}],
    rest: {},
    onPick(chosen) {
      take = chosen;
    },
    picked: (action) => world.choose(action?.mine ?? null),
    draw(view, history) {
      const {observation: seen, shown} = view;
      known = shown;
      chest.show(seen, shown);
      world.show(shown, described(shown), view.period - 1 === before);
      before = view.period;
      key.replaceChildren(...legend({chances: shown.chances !== null, again: shown.again?.[0].chances != null,
        tally: setting.mines_are_shown && shown.chances === null, went: shown.went.some((mine) => mine !== null)}, texts));
      past(pastNode, {setting, periods, texts}, history);
    },
    effect,
    ledger: (view) => element("div", {}, mines(view), people(view)),
    over() {},
  };

  // The chances of a mine with one's own workers alone; null if they are not shown.
  function alone(mine) {
    return known.chances?.[mine].at(-1) ?? null;
  }

  // Per kind what the map says of a mine, null where nothing is known of any.
  function rates(mine) {
    if (known.chances !== null) {
      const expected = known.again?.[mine].chances ?? alone(mine);
      return kinds.map((kind) => ({from: 0, to: alone(mine)[kind], dark: expected[kind], words: share(expected[kind], texts)}));
    }
    if (!setting.mines_are_shown) return null;
    const {periods: times, gems, between} = known.tally[mine];
    return kinds.map((kind) => ({from: between[kind][0], to: between[kind][1], dark: times ? gems[kind] / times : null,
      words: times ? `${number(gems[kind])}/${number(times)}` : "?"}));
  }

  // A mine on the decision card: its name, what can be expected there, who was there.
  function option(mine, view) {
    ({shown: known} = view);
    const {again} = known;
    const crowd = again === null ? null : others(mine);
    const expected = again?.[mine].chances ?? alone(mine);
    const words = expected === null ? tallied(mine) : chances(expected, texts);
    return element("span", {class: "gems-option", "data-mapped": setting.kinds <= MOST_KINDS}, element("strong", {}, name(mine)),
      words === null ? null : element("span", {class: "mc-quiet"}, words),
      crowd === null ? null : element("span", {class: "gems-crowd"}, crowd));
  }

  // How many workers of other villages were at a mine last period, in words.
  function others(mine) {
    const n = known.again[mine].workers - (known.people[seat].workers ?? 0);
    return n === 0 ? texts.no_others : text(texts.some_others, {n: number(n)});
  }

  // What is known by trying; null where nothing of it is shown.
  function tallied(mine) {
    if (!setting.mines_are_shown) return null;
    const {periods: times, gems} = known.tally[mine];
    if (times === 0) return texts.never;
    return text(texts.found_here, {n: times, gems: counted(gems, texts)});
  }

  function effect(view, {mine}) {
    const {people, again} = view.shown;
    const {workers} = people[seat];
    const sends = workers === null ? texts.sends_some : texts.sends;
    const sentences = [text(sends, {n: number(workers), mine: name(mine)})];
    const expected = again?.[mine].chances ?? null;
    if (expected !== null) sentences.push(text(texts.again, {chances: chances(expected, texts)}));
    if (workers !== null && alone(mine) !== null && again?.[mine].workers !== workers) sentences.push(text(texts.alone, {chances: chances(alone(mine), texts)}));
    return sentences.join(" ");
  }

  // The map in words: the mines in reach, and last period mine by mine.
  function described({last, went, people}) {
    const reach = range(people[seat].first, people[seat].last).map(name).join(", ");
    const sentences = last.map(({workers, gems}, mine) => (!workers || gems === null ? null
      : text(texts.map_mine, {mine: name(mine), workers: number(workers), gems: counted(gems, texts)}))).filter(Boolean);
    const own = went[seat];
    if (sentences.length === 0 && own !== null && last[own].gems !== null) {
      sentences.push(text(texts.map_own, {mine: name(own), gems: counted(last[own].gems, texts)}));
    }
    const happened = sentences.length ? text(texts.map_last, {mines: sentences.join("; ")}) : "";
    return `${text(texts.map_reach, {mines: reach})} ${happened}`.trim();
  }

  // What is known of the mines in reach: in how many periods they were mined, what was found, and
  // which chances fit that, where they are not shown.
  function mines(view) {
    if (!setting.mines_are_shown) return null;
    const {people: villages, tally, chances: chancesShown} = view.shown;
    const {first, last} = villages[seat];
    const fitting = ([low, high]) => element("span", {class: "gems-between"}, text(texts.between, {low: number(100 * low, 0), high: number(100 * high, 0)}));
    return element("table", {class: "mc-seats gems-known"}, head([texts.in_reach, texts.mined, ...kinds.map((kind) => gem(kind, texts))],
      kinds.map((kind) => texts[`kinds_${kind}`])),
      element("tbody", {}, ...range(first, last).map((mine) => {
        const {periods: times, gems, between} = tally[mine];
        return element("tr", {}, element("th", {scope: "row"}, name(mine)), element("td", {}, String(times)),
          ...gems.map((count, kind) => element("td", {}, number(count), chancesShown === null && times ? fitting(between[kind]) : null)));
      })));
  }

  // Where each village went last period, with how many workers where all of them are shown.
  function people(view) {
    const {people: villages, went} = view.shown;
    const first = view.last === null;
    const cells = ({seat: village}) => [
      setting.known ? villages[village].workers === null ? texts.not_shown : number(villages[village].workers) : null,
      first ? "\u2013" : went[village] === null ? texts.not_shown : name(went[village])];
    return element("div", {class: "mc-scroll gems-people", role: "group", "aria-label": texts.players},
      element("table", {class: "mc-seats"},
        head([texts.players, setting.known ? texts.workers : null, texts.went_to].filter(Boolean)),
        element("tbody", {}, ...view.seats.map((member) => element("tr", {"data-you": member.you},
          element("th", {scope: "row"}, who(member)),
          ...cells(member).filter((cell) => cell !== null).map((cell) => element("td", {}, cell)))))));
  }

  function who(member) {
    return element("span", {class: "mc-seat"}, badge(member.seat, true),
      member.you ? text(texts.you_player, {n: seat + 1}) : seatName(member.seat, seat, texts),
      tag(member, texts));
  }

  function head(cells, hidden = []) {
    const pictures = cells.length - hidden.length;
    return element("thead", {}, element("tr", {}, ...cells.map((cell, index) => element("th", {scope: "col"}, cell,
      index >= pictures ? element("span", {class: "mc-hidden"}, hidden[index - pictures]) : null))));
  }
}

// The history of one play: the points of each period as a line, the gems of one's own mine as bars.
export function past(node, {setting, periods, texts}, history) {
  const played = history.filter((entry) => entry.period >= 0);
  if (played.length === 0) return;
  const own = ({observation: {own_found: counts}}) => (counts === undefined || counts.includes(null) ? null
    : counts.reduce((sum, count) => sum + count, 0));
  const points = played.map((entry) => entry.reward);
  const gems = played.map(own);
  const bars = {name: texts.own_series, colour: "var(--orange)", values: gems};
  historyChart(node, texts.history, texts, played, {
    periods,
    top: Math.max(4, ...points, ...gems.map((count) => count ?? 0)),
    start: null,
    line: {name: texts.team_series, colour: "var(--blue)", values: points},
    bars: setting.mines_are_shown ? bars : null,
    column: bars,
  });
}

// The end: what was found beside what could be expected; folded away, the front of all that could be.
export function ending(node, {picture, texts}) {
  if (picture.bar) node.append(bar(picture.bar, texts));
  if (picture.fronts.length === 0) return;
  const fold = element("details", {class: "mc-details gems-fold"}, element("summary", {}, texts.front));
  node.append(fold);
  fold.addEventListener("toggle", () => fold.append(...picture.fronts.map((frontier) => front(frontier, texts, room(node)))), {once: true});
}
