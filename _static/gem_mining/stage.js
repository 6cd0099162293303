// Gem mining: the team's chest, the map, the information about the mines in reach, the last choices.

import {historyChart, room} from "../mixed/chart.js";
import {badge, element, exact, number, seatName, tag, text} from "../mixed/dom.js";
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
  let latest = null;  // the server's latest information about the mines
  let before = null;  // the previous period on the map
  const world = map({setting, seat, texts, onPick: (mine) => take("mine", mine), rates, chest: chest.picture});
  const key = element("ul", {class: "mc-legend gems-legend", "aria-hidden": "true"});
  stage.append(chest.node, element("figure", {class: "gems-frame"}, world.node, key));
  return {
    controls: [{name: "mine", label: texts.mine_request, worth: [setting.worth, text(texts.crowded, {b: exact(setting.bonus)})].filter(Boolean).join(" "), option}],
    rest: {},
    onPick(chosen) {
      take = chosen;
    },
    picked: (action) => world.choose(action?.mine ?? null),
    draw(view, history) {
      const {observation: seen, shown} = view;
      latest = shown;
      chest.show(seen, shown);
      world.show(shown, described(shown), view.period - 1 === before);
      before = view.period;
      key.replaceChildren(...legend({chances: shown.chances !== null, again: shown.again?.[0].chances != null,
        tally: setting.mines_are_shown && shown.chances === null, went: shown.went.some((mine) => mine !== null)}, texts));
      past(pastNode, {setting, periods, texts}, history);
    },
    effect,
    before: texts.limit,
    ledger: (view) => element("div", {class: "gems-ledger"}, mines(view), people(view)),
    over() {},
  };

  // A mine's chances with only the participant's own workers; null if hidden.
  function alone(mine) {
    return latest.chances?.[mine].at(-1) ?? null;
  }

  // The map's bar for each kind at a mine; null if nothing about the mine is shown.
  function rates(mine) {
    if (latest.chances !== null) {
      const expected = latest.again?.[mine].chances ?? alone(mine);
      return kinds.map((kind) => ({from: 0, to: alone(mine)[kind], dark: expected[kind], words: share(expected[kind], texts)}));
    }
    if (!setting.mines_are_shown) return null;
    const {periods: times, gems, between} = latest.tally[mine];
    return kinds.map((kind) => ({from: between[kind][0], to: between[kind][1], dark: times ? gems[kind] / times : null,
      words: times ? `${number(gems[kind])}/${number(times)}` : "?"}));
  }

  // A mine on the decision card: its name, its expected gems, and the workers there last period.
  function option(mine, view) {
    ({shown: latest} = view);
    const {again} = latest;
    const crowd = again === null ? null : others(mine);
    const expected = again?.[mine].chances ?? alone(mine);
    const words = expected === null ? tallied(mine) : chances(expected, texts);
    return element("span", {class: "gems-option", "data-mapped": setting.kinds <= MOST_KINDS}, element("strong", {}, name(mine)),
      words === null ? null : element("span", {class: "mc-quiet"}, words),
      crowd === null ? null : element("span", {class: "gems-crowd"}, crowd));
  }

  // A sentence with the number of other villages' workers at a mine last period.
  function others(mine) {
    const n = latest.again[mine].workers - (latest.people[seat].workers ?? 0);
    return n === 0 ? texts.no_others : text(texts.some_others, {n: number(n)});
  }

  // The results of the periods in which a mine was mined, or null if none of them is shown.
  function tallied(mine) {
    if (!setting.mines_are_shown) return null;
    const {periods: times, gems} = latest.tally[mine];
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

  // A text version of the map: the mines in reach, then the last period mine by mine.
  function described({last, went, people}) {
    const reach = range(people[seat].first, people[seat].last).map(name).join(", ");
    const sentences = last.map(({workers, gems}, mine) => (!workers || gems === null ? null
      : text(texts.map_mine, {mine: name(mine), workers: number(workers), gems: counted(gems, texts)}))).filter(Boolean);
    const ownMine = went[seat];
    if (sentences.length === 0 && ownMine !== null && last[ownMine].gems !== null) {
      sentences.push(text(texts.map_own, {mine: name(ownMine), gems: counted(last[ownMine].gems, texts)}));
    }
    const happened = sentences.length ? text(texts.map_last, {mines: sentences.join("; ")}) : "";
    return `${text(texts.map_reach, {mines: reach})} ${happened}`.trim();
  }

  // The record of the mines in reach: the number of periods in which each was mined, its gems, and the
  // chances that fit them, if the chances are hidden.
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

  // The mine of each village last period, with the number of workers if all of them are shown.
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

// The history of a play: the points of each period as a line, the gems from the participant's mine as bars.
export function past(node, {setting, periods, texts}, history) {
  const played = history.filter((entry) => entry.period >= 0);
  if (played.length === 0) return;
  const ownGems = ({observation: {own_found: counts}}) => (counts === undefined || counts.includes(null) ? null
    : counts.reduce((sum, count) => sum + count, 0));
  const points = played.map((entry) => entry.reward);
  const gems = played.map(ownGems);
  const bars = {name: texts.own_series, colour: "var(--orange)", values: gems};
  historyChart(node, texts.history, texts, played, {
    periods,
    top: 4 * Math.max(Math.ceil(Math.max(...points, ...gems) / 4), 1),  // in four whole steps
    start: null,
    line: {name: texts.team_series, colour: "var(--accent)", values: points},
    bars: setting.mines_are_shown ? bars : null,
    column: bars,
  });
}

// The end: actual and expected gems side by side, and a collapsed chart with the front of all possible
// results.
export function ending(node, {picture, texts}) {
  if (picture.bar) node.append(bar(picture.bar, texts));
  if (picture.fronts.length === 0) return;
  const fold = element("details", {class: "mc-details gems-fold"}, element("summary", {}, texts.front));
  node.append(fold);
  fold.addEventListener("toggle", () => fold.append(...picture.fronts.map((frontier) => front(frontier, texts, room(node)))), {once: true});
}
