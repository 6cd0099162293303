// Beside the board: the punishment level as a gauge, what each kind is worth, the map of what was seen.

import {badge, element, exact, number, seatName, signed, svg, tag, text} from "../mixed/dom.js";
import {CELL, cell, icon, player} from "./pictures.js";

export function gauge(texts) {
  const amount = element("strong", {});
  const votes = element("p", {class: "mc-quiet vote-votes"});
  const bar = element("span", {});
  const meter = element("div", {class: "vote-meter", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100,
    "aria-label": texts.level}, bar);
  const node = element("div", {class: "vote-gauge"},
    element("p", {class: "vote-level"}, element("span", {}, texts.level), amount), meter, votes);
  return {
    node,
    show({level, increases, decreases}) {
      const known = level !== null;
      const shown = known ? `${number(100 * level)} %` : texts.not_shown;
      amount.textContent = shown;
      meter.setAttribute("aria-valuetext", shown);
      meter.setAttribute("aria-valuenow", known ? number(100 * level) : 0);
      bar.style.transform = `scaleX(${known ? level : 0})`;
      votes.textContent = increases === null ? "" : text(texts.votes, {up: number(increases), down: number(decreases)});
    },
  };
}

export function legend(means, texts) {
  const kinds = means.filter(({type}) => type === "resource");
  const row = (head, cell) => element("tr", {}, element("th", {scope: "row"}, head),
    ...kinds.map((kind) => element("td", {}, cell(kind))));
  return element("div", {class: "mc-scroll vote-worth", tabindex: 0, role: "group", "aria-label": texts.worth}, element("table", {class: "mc-seats vote-legend"},
    element("thead", {}, element("tr", {}, element("td", {}), ...kinds.map((kind) =>
      element("th", {scope: "col"}, icon(kind), element("span", {class: kind.name === kind.letter ? "mc-hidden" : "vote-name"}, kind.name))))),
    element("tbody", {},
      row(texts.for_you, ({value}) => signed(value, exact)),
      row(texts.for_others, ({harm}) => signed(-harm, exact)),
      kinds.some(({taboo}) => taboo)
        ? row(texts.taboo, ({taboo}) => (taboo ? element("strong", {class: "vote-no"}, texts.yes) : "\u2013")) : null)));
}

// The whole field as far as it has been seen, with what was there then.
export function memory({width, height, vision}, means, seat, texts) {
  const picture = svg("svg", {viewBox: `0 0 ${width * CELL} ${height * CELL}`, class: "vote-map", role: "img"});
  const node = element("div", {class: "vote-memory"}, element("p", {class: "mc-quiet"}, texts.map), picture);
  return {
    node,
    show({remembered, last_seen: seen, row, column}) {
      const cells = [];
      const counts = {};
      let known = 0;
      remembered.forEach((line, down) => line.forEach((code, right) => {
        const fog = seen[down][right] < 0;
        if (!fog) known += 1;
        const {type, name} = means[code];
        if (!fog && type === "resource") counts[name] = (counts[name] ?? 0) + 1;
        cells.push(cell(down, right, fog ? null : means[code], fog ? "fog" : "seen"));
      }));
      if (row !== null) {
        const own = svg("g", {transform: `translate(${column * CELL} ${row * CELL})`}, player(seat, true));
        const reach = (2 * vision + 1) * CELL;
        cells.push(own, svg("rect", {x: (column - vision) * CELL, y: (row - vision) * CELL,
          width: reach, height: reach, class: "vote-frame"}));
      }
      picture.replaceChildren(...cells);
      const resources = Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(", ");
      picture.setAttribute("aria-label", text(texts.map_text,
        {seen: known, all: width * height, things: resources || texts.nothing}));
    },
  };
}

// Who plays, and, where the session tells it, who is a person and who a bot.
export function players(seat, texts) {
  const node = element("ul", {class: "vote-players", "aria-label": texts.players});
  let shown = null;
  return {
    node,
    show(seats) {
      const now = JSON.stringify(seats);
      if (now === shown) return;
      shown = now;
      node.replaceChildren(...seats.map((member) => element("li", {class: "mc-seat"}, badge(member.seat, true),
        member.you ? text(texts.you_are, {player: text(texts.player, {n: seat + 1})}) : seatName(member.seat, seat, texts),
        tag(member, texts))));
    },
  };
}
