// The panel beside the board: the participant's points, the punishment level, the votes of the last
// turns, the current value of each kind, and the players.

import {badge, element, exact, number, percent, seatName, signed, tag, text} from "../mixed/dom.js";
import {icon} from "./pictures.js";

const TURNS = 5;  // number of turns whose votes stay visible

export function standing(moves, seat, texts) {
  const points = element("strong", {});
  const amount = element("strong", {});
  const bar = element("span", {});
  const meter = element("div", {class: "vote-meter", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100,
    "aria-label": texts.level}, bar);
  const sentence = element("p", {class: "mc-hidden vote-votes"});
  const turns = element("ol", {class: "vote-turns", "aria-hidden": "true"});
  const votes = element("div", {class: "vote-cast"}, element("span", {class: "vote-head"}, texts.votes_lately), turns, sentence);
  const node = element("div", {class: "vote-standing"},
    element("p", {class: "vote-points"}, element("span", {class: "vote-head"}, texts.your_points), points, " ", badge(seat, true)),
    element("div", {class: "vote-gauge"},
      element("p", {class: "vote-level"}, element("span", {class: "vote-head"}, texts.level), amount), meter),
    votes);
  return {
    node,
    show({points: held, observation: {level, increases, decreases}}, history) {
      const isShown = level !== null;
      points.textContent = number(held);
      amount.textContent = isShown ? percent(level, texts) : texts.not_shown;
      meter.setAttribute("aria-valuetext", amount.textContent);
      meter.setAttribute("aria-valuenow", isShown ? 100 * level : 0);
      bar.style.transform = `scaleX(${isShown ? level : 0})`;
      sentence.textContent = increases === null ? "" : text(texts.votes, {up: number(increases), down: number(decreases)});
      turns.replaceChildren(...history.filter(({period}) => period >= 0).slice(-TURNS).map((entry) => cast(entry, moves)));
    },
  };
}

// The votes of one turn, with the participant's own marked; 0 if nobody voted.
function cast({observation: {increases, decreases}, used}, moves) {
  const ownVote = moves[used.action].vote;
  const count = (sign, votes, mine) => (votes ? element("span", {class: mine ? "vote-mine" : null}, `${sign}${number(votes)}`) : null);
  return element("li", {}, count("\u25b2", increases, ownVote > 0), count("\u25bc", decreases, ownVote < 0),
    increases || decreases ? null : element("span", {class: "mc-quiet"}, increases === null ? "?" : "0"));
}

// The points that each kind now gives its collector and takes from each other player.
export function worth(means, {lottery, seats}, texts) {
  const kinds = means.filter(({type}) => type === "resource");
  const harms = (kind) => seats > 1 && kind.harm > 0;
  const cells = kinds.map(() => element("td", {}));
  const head = element("th", {scope: "row"});
  const columns = kinds.map((kind) => element("th", {scope: "col"},
    element("span", {class: "vote-name"}, kind.name, kind.taboo ? element("span", {class: "vote-no"}, ` ${texts.taboo}`) : null), icon(kind),
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
    // `net` has a value for each kind, or null if it is hidden
    show(net) {
      head.textContent = net === null ? texts.for_you : lottery ? texts.net_on_average : texts.net;
      kinds.forEach(({kind, value}, index) => {
        const brings = net === null ? value : net[kind];
        const words = signed(brings, net === null ? exact : number);
        cells[index].textContent = words;
        cells[index].classList.toggle("vote-loss", brings < 0 && words !== "0");
      });
    },
    // The kind on the cell of the chosen step, or null.
    point(ahead) {
      kinds.forEach(({kind}, index) => {
        for (const part of [columns[index], cells[index]]) part.toggleAttribute("data-ahead", kind === ahead);
      });
    },
  };
}

// The players, labelled as person or bot if the session shows it.
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
