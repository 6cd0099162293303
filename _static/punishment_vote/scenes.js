// Pictures for the instructions, made from the pieces of the board: the field, the four steps and the
// vote, a taboo kind before and after a vote, the player who gains and those who lose.

import {exact, signed, svg} from "../mixed/dom.js";
import {CELL, cell, player, resource} from "./pictures.js";

const WALL = {type: "wall"};
const ROWS = 5;
const COLUMNS = 9;
const MOST_PLAYERS = 6;
const ARROW = "M-7 6l7 -12l7 12z";

const picture = (rows, columns, ...parts) => svg("svg", {viewBox: `0 0 ${columns * CELL} ${rows * CELL}`, class: "vote-scene",
  style: `max-width: ${1.25 * columns * CELL}px`}, ...parts);
const placeAt = (node, row, column) => svg("g", {transform: `translate(${column * CELL} ${row * CELL})`}, node);
const words = (text, x, y, kind) => svg("text", {x, y, "text-anchor": "middle", class: kind}, text);

// Kinds and players, spread over a small field by the golden ratio.
function field({kinds, seats}) {
  const cells = [];
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      const edge = row === 0 || column === 0 || row === ROWS - 1 || column === COLUMNS - 1;
      cells.push(cell(row, column, edge ? WALL : {type: "empty"}, "seen"));
    }
  }
  const inside = (ROWS - 2) * (COLUMNS - 2);
  const pieces = [...kinds.map(resource), ...Array.from({length: Math.min(seats, MOST_PLAYERS)}, (_, seat) => player(seat, false))];
  const taken = pieces.slice(0, inside).map((piece, index) => {
    const spot = (index * 8 + 1) % inside;
    return placeAt(piece, 1 + Math.floor(spot / (COLUMNS - 2)), 1 + (spot % (COLUMNS - 2)));
  });
  return picture(ROWS, COLUMNS, ...cells, ...taken);
}

// One cell up, down, left or right; or a vote.
function ways({kinds}) {
  const steps = [[0, 1, 0], [2, 1, 180], [1, 0, -90], [1, 2, 90]];
  const floor = [[1, 1], ...steps].map(([row, column]) => cell(row, column, {type: "empty"}, "seen"));
  const arrows = steps.map(([row, column, turn]) => svg("path", {d: ARROW, class: "vote-scene-way",
    transform: `translate(${(column + 0.5) * CELL} ${(row + 0.5) * CELL}) rotate(${turn})`}));
  const votes = [[0.5, 0], [1.5, 180]].map(([row, turn]) => svg("path", {d: ARROW, class: "vote-scene-vote",
    transform: `translate(${4.5 * CELL} ${(row + 0.5) * CELL}) rotate(${turn})`}));
  return picture(3, 8, ...floor, placeAt(player(0, false), 1, 1), ...arrows, ...votes,
    ...kinds.slice(0, 2).map((kind, index) => placeAt(resource(kind), index + 0.5, 6)));
}

// A taboo kind in its ring at each level.
function rings({kind, levels}) {
  return picture(1.75, 5, ...levels.map(({level, words: percent}, index) => svg("g", {style: `--level: ${level}`},
    placeAt(resource(kind), 0.1, 0.5 + 3 * index), words(percent, (1 + 3 * index) * CELL, 1.6 * CELL, "vote-scene-level"))),
  svg("path", {d: ARROW, class: "vote-scene-vote", transform: `translate(${2.5 * CELL} ${0.6 * CELL})`}));
}

// The points of the collector, and the losses of all other players.
function shares({kind, others}) {
  const shown = Math.min(others, MOST_PLAYERS - 1);
  const wide = 1.4;  // room for -1.5 below a player
  const column = (index) => 3.5 + wide * index;
  const gain = words(signed(kind.value, exact), 2.5 * CELL, 1.6 * CELL, kind.value < 0 ? "vote-float vote-float-loss" : "vote-float");
  return picture(2, column(shown) + 0.5, placeAt(resource(kind), 0, 0), svg("path", {d: ARROW, class: "vote-scene-way", transform: `translate(${1.5 * CELL} ${0.5 * CELL}) rotate(90)`}),
    placeAt(player(0, false), 0, 2), gain,
    ...Array.from({length: shown}, (_, index) => placeAt(player(index + 1, false), 0, column(index))),
    ...Array.from({length: shown}, (_, index) => words(signed(-kind.harm, exact), (column(index) + 0.5) * CELL, 1.6 * CELL, "vote-float vote-float-loss")));
}

export const scenes = {about: field, decides: ways, happens: rings, pays: shares};
