// Beside the board: one's points, the punishment level and the votes of the last turns, what each kind
// brings now, and who plays.

import {badge, element, exact, number, percent, seatName, signed, tag, text} from "../mixed/dom.js";
import {icon} from "./pictures.js";

const TURNS = 5;  // of which the votes stay in view

export function standing(moves, texts) {
  const points = element("strong", {});
  const amount = element("strong", {});
  const bar = element("span", {});
  const meter = element("div", {class: "vote-meter", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100,
    "aria-label": texts.level}, bar);
  const sentence = element("p", {class: "mc-hidden vote-votes"});
  const turns = element("ol", {class: "vote-turns", "aria-hidden": "true"});
  const votes = element("div", {class: "vote-cast"}, element("span", {class: "vote-head"}, texts.votes_lately), turns, sentence);
  const node = element("div", {class: "vote-standing"},
    element("p", {class: "vote-points"}, element("span", {class: "vote-head"}, texts.your_points), points),
    element("div", {class: "vote-gauge"},
      element("p", {class: "vote-level"}, element("span", {class: "vote-head"}, texts.level), amount), meter),
    votes);
  return {
    node,
    show({points: held, observation: {level, increases, decreases}}, history) {
      const known = level !== null;
      points.textContent = number(held);
      amount.textContent = known ? percent(level, texts) : texts.not_shown;
      meter.setAttribute("aria-valuetext", amount.textContent);
      meter.setAttribute("aria-valuenow", known ? 100 * level : 0);
      bar.style.transform = `scaleX(${known ? level : 0})`;
      sentence.textContent = increases === null ? "" : text(texts.votes, {up: number(increases), down: number(decreases)});
      turns.replaceChildren(...history.filter(({period}) => period >= 0).slice(-TURNS).map((entry) => cast(entry, moves)));
    },
  };
}

// The votes of one turn, one's own marked; a dot if there were none.
function cast({observation: {increases, decreases}, used}, moves) {
  const own = moves[used.action].vote;
  const count = (sign, votes, mine) => (votes ? element("span", {class: mine ? "vote-mine" : null}, `${sign}${number(votes)}`) : null);
  return element("li", {}, count("\u25b2", increases, own > 0), count("\u25bc", decreases, own < 0),
    increases || decreases ? null : element("span", {class: "mc-quiet"}, increases === null ? "?" : "\u00b7"));
}

// What each kind brings who takes it now, and takes from each other seat.
export function worth(means, {lottery, seats}, texts) {
  const kinds = means.filter(({type}) => type === "resource");
  const harms = (kind) => seats > 1 && kind.harm > 0;
  const cells = kinds.map(() => element("td", {}));
  const head = element("th", {scope: "row"});
  const columns = kinds.map((kind) => element("th", {scope: "col"}, icon(kind),
    element("span", {class: "vote-name"}, kind.name, kind.taboo ? element("span", {class: "vote-no"}, ` ${texts.taboo}`) : null),
    element("span", {class: "mc-hidden"}, spelled(kind))));
  const key = element("td", {"aria-hidden": "true"}, element("span", {class: "vote-gain"}, `+ ${texts.for_you}`),
    kinds.some(harms) ? element("span", {class: "vote-no"}, `\u2212 ${texts.for_others}`) : null);
  const node = element("div", {class: "mc-scroll vote-worth", role: "group", "aria-label": texts.worth, "data-many": kinds.length > 3},
    element("table", {class: "mc-seats"},
    element("thead", {}, element("tr", {}, key, ...columns)),
    element("tbody", {}, element("tr", {class: "vote-net"}, head, ...cells))));

  function spelled(kind) {
    const gaps = {value: signed(kind.value, exact), harm: signed(-kind.harm, exact)};
    return text(harms(kind) ? texts.brings_and_takes : texts.brings, gaps);
  }

  return {
    node,
    // `net` by number of the kind; null where it cannot be known
    show(net) {
      head.textContent = net === null ? texts.for_you : lottery ? texts.net_on_average : texts.net;
      kinds.forEach(({kind, value}, index) => {
        const brings = net === null ? value : net[kind];
        cells[index].textContent = signed(brings, net === null ? exact : number);
        cells[index].classList.toggle("vote-loss", brings < 0);
      });
    },
    // The kind that the chosen step leads to; null: none.
    point(ahead) {
      kinds.forEach(({kind}, index) => {
        for (const part of [columns[index], cells[index]]) part.toggleAttribute("data-ahead", kind === ahead);
      });
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
