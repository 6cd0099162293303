// Gem mining: the team's purse, the map, what is known of the mines in reach, who went where.

import {chart, room} from "../mixed/chart.js";
import {badge, element, number, seatName, tag, text} from "../mixed/dom.js";
import {front} from "./front.js";
import {chances, counted, gem, mineName, range} from "./gems.js";
import {map} from "./map.js";
import {lastPeriod, record, ways} from "./reading.js";

export function create({setting, seat, periods, texts, stage, past: pastNode}) {
  const kinds = range(0, setting.kinds - 1);
  const purse = makePurse(kinds, texts);
  const name = (mine) => mineName(mine, texts);
  let take = () => {};
  const world = map({setting, seat, texts, onPick: (mine) => take("mine", mine)});
  stage.append(purse.node, world.node);
  return {
    controls: [{name: "mine", label: texts.mine_request, option}],
    rest: {},
    onPick(chosen) {
      take = chosen;
    },
    picked: (action) => world.choose(action?.mine ?? null),
    draw(view, history) {
      const {observation: seen, shown: {people, worth}} = view;
      purse.show(seen.purse, worth);
      const drawn = {last: lastPeriod(seen, setting.mines), went: ways(seen, seat, people.length), people};
      world.show(drawn, described(drawn));
      past(pastNode, {setting, periods, texts}, history);
    },
    effect(view, {mine}) {
      const {people, chances: known} = view.shown;
      const {workers} = people[seat];
      const sends = workers === null ? texts.sends_some : workers === 1 ? texts.sends_one : texts.sends;
      const sent = text(sends, {n: number(workers), mine: name(mine)});
      if (workers === null || known === null) return sent;
      return `${sent} ${text(texts.alone, {chances: chances(known[mine][workers], texts)})}`;
    },
    ledger: (view, history) => element("div", {}, mines(view, history), people(view)),
    over() {},
  };

  // A mine on the decision card: its name, its chances if they are shown, and what is known of it.
  function option(mine, view, history) {
    const {periods: times, gems} = record(mine, history, setting);
    const known = view.shown.chances?.[mine][1] ?? null;  // of one worker
    const experience = times === 0 ? texts.never : text(times === 1 ? texts.found_once : texts.found_here, {n: times, gems: counted(gems, texts)});
    const words = known === null ? experience : chances(known, texts);
    return element("span", {class: "gems-option"}, element("strong", {}, name(mine)),
      !setting.mines_are_shown && known === null ? null : element("span", {class: "mc-quiet"}, words));
  }

  // The map in words: the mines in reach, and last period mine by mine.
  function described({last, went, people}) {
    const reach = range(people[seat].first, people[seat].last).map(name).join(", ");
    const sentences = last.map(({workers, gems}, mine) => (!workers || gems === null ? null
      : text(texts.map_mine, {mine: name(mine), workers, gems: counted(gems, texts)}))).filter(Boolean);
    const own = went[seat];
    if (sentences.length === 0 && own !== null && last[own].gems !== null) {
      sentences.push(text(texts.map_own, {mine: name(own), gems: counted(last[own].gems, texts)}));
    }
    const happened = sentences.length ? text(texts.map_last, {mines: sentences.join("; ")}) : "";
    return `${text(texts.map_reach, {mines: reach})} ${happened}`.trim();
  }

  // What is known of the mines in reach: in how many periods they were mined, what was found.
  function mines(view, history) {
    if (!setting.mines_are_shown) return null;
    const {first, last} = view.shown.people[seat];
    const rows = range(first, last);
    return element("table", {class: "mc-seats"}, head([texts.in_reach, texts.mined, ...kinds.map((kind) => gem(kind, texts))],
      kinds.map((kind) => texts[`kinds_${kind}`])),
      element("tbody", {}, ...rows.map((mine) => {
        const {periods: times, gems} = record(mine, history, setting);
        return element("tr", {}, element("th", {scope: "row"}, name(mine)), element("td", {}, String(times)),
          ...gems.map((count) => element("td", {}, number(count))));
      })));
  }

  // Where each village went last period, with how many workers where all of them are shown.
  function people(view) {
    const known = view.shown.people;
    const went = ways(view.observation, seat, known.length);
    const first = view.last === null;
    const cells = ({seat: village}) => [
      setting.known ? known[village].workers === null ? texts.not_shown : number(known[village].workers) : null,
      first ? "\u2013" : went[village] === null ? texts.not_shown : name(went[village])];
    return element("div", {class: "mc-scroll gems-people", tabindex: 0, role: "group", "aria-label": texts.players},
      element("table", {class: "mc-seats"},
        head([texts.players, setting.known ? texts.workers : null, texts.went_to].filter(Boolean)),
        element("tbody", {}, ...view.seats.map((member) => element("tr", {"data-you": member.you},
          element("th", {scope: "row"}, who(member)),
          ...cells(member).filter((cell) => cell !== null).map((cell) => element("td", {}, cell)))))));
  }

  function who(member) {
    return element("span", {class: "mc-seat"}, badge(member.seat, true),
      member.you ? `${texts.you} (${text(texts.player, {n: seat + 1})})` : seatName(member.seat, seat, texts),
      tag(member, texts));
  }

  function head(cells, hidden = []) {
    const pictures = cells.length - hidden.length;
    return element("thead", {}, element("tr", {}, ...cells.map((cell, index) => element("th", {scope: "col"}, cell,
      index >= pictures ? element("span", {class: "mc-hidden"}, hidden[index - pictures]) : null))));
  }
}

// The team's purse: each kind with its count, and what all of it is worth.
function makePurse(kinds, texts) {
  const counts = kinds.map(() => element("strong", {}));
  const names = kinds.map((kind) => element("span", {class: "mc-unit"}, texts[`kinds_${kind}`]));
  const worth = element("p", {class: "mc-quiet"});
  const node = element("div", {class: "gems-purse"}, element("p", {class: "mc-quiet"}, texts.purse),
    element("ul", {}, ...kinds.map((kind) => element("li", {}, gem(kind, texts, {size: 28}), counts[kind], names[kind]))), worth);
  return {
    node,
    show(purse, points) {
      const known = purse !== undefined && !purse.includes(null);
      for (const kind of kinds) {
        counts[kind].textContent = known ? number(purse[kind]) : texts.not_shown;
        names[kind].textContent = texts[known && purse[kind] === 1 ? `kind_${kind}` : `kinds_${kind}`];
      }
      worth.textContent = points === null ? "" : text(texts.worth, {points: number(points, 2)});
    },
  };
}

// The history of one play: the points of each period as a line, the gems of one's own mine as bars.
export function past(node, {setting, periods, texts}, history) {
  const played = history.filter((entry) => entry.period >= 0);
  if (played.length === 0) return;
  const own = ({observation: {own_found: counts}}) => (counts === undefined || counts.includes(null) ? null
    : counts.reduce((sum, count) => sum + count, 0));
  const points = played.map((entry) => entry.reward);
  const gems = played.map(own);
  const open = node.querySelector("details")?.open ?? false;
  const bars = {name: texts.own_series, colour: "var(--orange)", values: gems};
  node.replaceChildren(element("h2", {}, texts.history), ...chart({
    periods,
    first: played[0].period,
    top: Math.max(4, ...points, ...gems.map((count) => count ?? 0)),
    start: null,
    line: {name: texts.team_series, colour: "var(--blue)", values: points},
    bars: setting.mines_are_shown ? bars : null,
    column: bars,
    width: room(node),
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
  }));
  node.querySelector("details").open = open;
}

// The end: the front of what could be expected, with the team on it.
export function ending(node, {picture, texts}) {
  node.append(...picture.fronts.map((frontier) => front(frontier, texts, room(node))));
}
