// The keys and buttons for each action number.

import {svg} from "../mixed/dom.js";

const STEPS = {up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1]};
const KEYS = {
  up: ["ArrowUp", "w"], down: ["ArrowDown", "s"], left: ["ArrowLeft", "a"], right: ["ArrowRight", "d"],
  vote_increase: ["v", "+", "="], vote_decrease: ["b", "-", "_"], noop: ["x"],
};
const WRITTEN = {up: "\u2191", down: "\u2193", left: "\u2190", right: "\u2192",
  vote_increase: "+", vote_decrease: "\u2212", noop: "X"};
const ARROW = {up: 0, right: 90, down: 180, left: 270};

// The pad, with the text about the vote (`ballot`). A choice is {step: name or null, vote: 1, -1
// or 0}, as in `moves` for each action number.
export function choices(moves, byClock, ballot, texts, chose) {
  const both = moves.some(({step, vote}) => step !== null && vote !== 0);
  const votes = {vote_increase: 1, vote_decrease: -1};
  return {
    options: ["up", "left", "noop", "right", "down", "vote_increase", "vote_decrease"].map((name) => ({
      name, label: texts[name], keys: KEYS[name], key: WRITTEN[name], icon: icon(name)})),
    next(chosen, name) {
      const now = chosen ?? {step: null, vote: 0};
      if (name === "noop") return {step: null, vote: 0};
      if (name in votes) return {step: both ? now.step : null, vote: votes[name]};
      return {step: name, vote: both ? now.vote : 0};
    },
    marked({step, vote}) {
      const lit = [step, vote > 0 ? "vote_increase" : vote < 0 ? "vote_decrease" : null].filter(Boolean);
      return lit.length ? lit : ["noop"];
    },
    action({step, vote}) {
      const number = moves.findIndex((move) => move.vote === vote && move.step === step);
      return number < 0 ? null : {action: number};
    },
    meant: ({action}) => moves[action],
    offered(name, {action: [low, high, open]}) {
      return moves.some(({step, vote}, number) => number >= low && number <= high && (open?.includes(number) ?? true)
        && (name === "noop" ? step === null && vote === 0 : step === name || (name in votes && vote === votes[name])));
    },
    about: {words: ballot, names: Object.keys(votes)},
    chose: ({step}) => chose(step === null ? null : STEPS[step]),
    hint: both && !byClock ? `${texts.move_hint} ${texts.vote_first}` : texts.move_hint,
    incomplete: texts.with_a_move,
  };
}

function icon(name) {
  const picture = svg("svg", {viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true", class: "vote-icon"});
  if (name in ARROW) {
    picture.append(svg("path", {d: "M10 2l7 8h-4v8h-6v-8h-4z", transform: `rotate(${ARROW[name]} 10 10)`}));
  } else if (name === "noop") {
    picture.append(svg("path", {d: "M4 8.500h12v3h-12z"}));
  } else {
    picture.append(svg("path", {d: "M10 1l8 9h-16zM2 13h16v3h-16z",
      transform: name === "vote_decrease" ? "rotate(180 10 10)" : ""}));
  }
  return picture;
}
