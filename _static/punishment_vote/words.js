// A text version of the picture: the contents of the cells, and the events.

import {exact, number, signed, text} from "../mixed/dom.js";

const MOST = 6;

// The contents of a window of codes, the nearest first: "B 1 up 2 left, wall 1 right".
export function around(window, means, vision, texts) {
  if (vision === 0) return "";
  const sights = [];
  window.forEach((line, row) => line.forEach((code, column) => {
    const [down, right] = [row - vision, column - vision];
    const distance = Math.abs(down) + Math.abs(right);
    const {type, name, seat} = means[code] ?? {type: "empty"};
    if (distance === 0 || type === "empty" || (type === "wall" && distance > 1)) return;
    const label = type === "wall" ? texts.wall : type === "seat" ? text(texts.player, {n: seat + 1}) : name;
    sights.push({distance, words: where(label, down, right, texts)});
  }));
  sights.sort((a, b) => a.distance - b.distance);
  if (sights.length === 0) return texts.around_nothing;
  return text(texts.around, {things: sights.slice(0, MOST).map(({words}) => words).join(", ")});
}

function where(label, down, right, texts) {
  const along = [down < 0 ? "up" : down > 0 ? "down" : "", right < 0 ? "left" : right > 0 ? "right" : ""].filter(Boolean);
  return text(texts[`lies_${along.join("_")}`], {what: label, rows: Math.abs(down), columns: Math.abs(right)});
}

// The points for entering the cell of a chosen step, from `net` as the server sent it.
export function ahead({harm}, net, {seats, lottery}, texts) {
  const gaps = {net: signed(net), harm: signed(-harm, exact)};
  const all = harm && seats > 1;
  if (lottery) return text(all ? texts.ahead_average_all : texts.ahead_average, gaps);
  return text(all ? texts.ahead_all : texts.ahead, gaps);
}

// The last turn of this seat: collected, voted, moved, blocked. `history` ends with the current
// observation.
export function happened({last, observation}, history, {moves, collected}, texts) {
  if (last === null) return "";
  const {step, vote} = moves[last.used.action];
  const sentences = [];
  const kind = collected[observation.collected];
  if (kind) sentences.push(text(texts.you_collected, {kind, value: signed(last.components.value)}));
  else if (step) sentences.push(went(observation, history.at(-2)?.observation, texts));
  if (vote) sentences.push(vote > 0 ? texts.you_voted_up : texts.you_voted_down);
  if (sentences.length === 0) sentences.push(texts.you_stayed);
  if (last.components.harm < 0) sentences.push(text(texts.labelled, {label: texts.harm, value: signed(last.components.harm)}));
  return sentences.filter(Boolean).join(" ");
}

function went({row, column}, before, texts) {
  if (row === null || !before) return "";
  return row === before.row && column === before.column ? texts.you_were_blocked : texts.you_moved;
}

export const pending = (points, texts) =>
  (points ? text(texts.pending, {points: number(points)}) : "");
