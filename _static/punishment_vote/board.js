// The field as a picture, which stays fixed while the pieces move. Cells out of sight are in fog and show the
// last content that the seat saw.
//
// A small field is shown whole, so it stays fixed while the participant walks; a larger one scrolls
// along. If a seat does not know its position, only its window is shown. A chosen step makes the
// participant's piece lean that way immediately (`lean`). When the turn is over, pieces slide to
// the positions from the server, and points float from the collector to the players that are
// harmed.

import {svg} from "../mixed/dom.js";
import {floats} from "./floats.js";
import {cell, CELL, player} from "./pictures.js";

const MOST = 16;  // number of rows or columns that fit on a phone with legible values

// The code of each cell; undefined if it is hidden.
export function codes(window) {
  return window.map((row) => row.map((cell) => (cell.includes(1) ? cell.indexOf(1) : undefined)));
}

// The part of the field in the picture: {rows, columns} in cells, and its first cell for a seat at
// [row, column].
function camera({height, width, vision}, placed) {
  const side = 2 * vision + 1;
  const size = (whole) => (placed ? Math.min(whole, Math.max(MOST, side)) : side);
  const [rows, columns] = [size(height), size(width)];
  const from = (position, shown, whole) => Math.max(0, Math.min(position - Math.floor(shown / 2), whole - shown));
  return {rows, columns, begin: ([row, column]) => (placed ? [from(row, rows, height), from(column, columns, width)] : [0, 0])};
}

// The cells around a seat, both visible and remembered: a function of a cell, [row, column], that
// returns {code, how}; `how` is seen, remembered or fog.
function sight({height, width, vision}, means, window, place, placed, {remembered, last_seen: times}) {
  const wall = means.findIndex(({type}) => type === "wall");
  const edge = (row, column) => placed && (row === 0 || column === 0 || row === height - 1 || column === width - 1);
  return (row, column) => {
    const code = window[row - place[0] + vision]?.[column - place[1] + vision];
    if (code !== undefined) return {code, how: "seen"};
    if (edge(row, column)) return {code: wall, how: "seen"};  // walls never move
    if (!placed || (times?.[row]?.[column] ?? -1) < 0) return {code: undefined, how: "fog"};
    return {code: remembered[row][column], how: "remembered"};
  };
}

const INSET = 0.55;  // part of the wall around the field that is cut off
const LEAN = 0.3;    // in cells

// `field` is {height, width, vision, placed}.
export function board({field, means, seat, label}) {
  const eye = camera(field, field.placed);
  const inset = field.placed ? INSET * CELL : 0;
  const box = [inset, inset, eye.columns * CELL - 2 * inset, eye.rows * CELL - 2 * inset];
  const ground = svg("g", {class: "vote-ground"});
  const frame = svg("rect", {class: "vote-frame"});
  const people = svg("g", {});
  const sky = floats();
  const world = svg("g", {class: "vote-world"}, ground, frame, people, sky.node);
  const node = svg("svg", {viewBox: box.join(" "), class: "vote-board", role: "img", "aria-label": label,
    style: `--ratio: ${box[2] / box[3]}`}, world);
  const pieces = new Map();
  let place = [field.vision, field.vision];
  let before = null;

  const put = (piece, [row, column]) => { piece.style.transform = `translate(${column * CELL}px, ${row * CELL}px)`; };

  // Draws the visible pieces. A piece that comes into sight appears immediately, and the others slide.
  function walk(seen) {
    for (const [other, piece] of pieces) {
      if (seen.has(other)) continue;
      piece.remove();
      pieces.delete(other);
    }
    for (const [other, spot] of seen) {
      const existing = pieces.get(other);
      const piece = existing ?? player(other, other === seat);
      put(piece, spot);
      if (!existing) people.append(piece);
      pieces.set(other, piece);
    }
    if (pieces.has(seat)) people.append(pieces.get(seat));  // draws it on top
  }

  function look([row, column]) {
    const reach = field.vision;
    const clip = (from, to, whole) => [Math.max(from, 0), Math.min(to, whole)];
    const [top, bottom] = clip(row - reach, row + reach + 1, field.placed ? field.height : Infinity);
    const [left, right] = clip(column - reach, column + reach + 1, field.placed ? field.width : Infinity);
    for (const [name, value] of Object.entries({x: left * CELL, y: top * CELL, width: (right - left) * CELL, height: (bottom - top) * CELL})) {
      frame.setAttribute(name, value);
    }
    frame.toggleAttribute("hidden", !field.placed);
  }

  return {
    node,
    // `window` in codes; `seen` is the rest of the observation; `last` is the outcome of the last turn.
    show(window, seen, last = null) {
      place = field.placed ? [seen.row, seen.column] : [field.vision, field.vision];
      const cellAt = sight(field, means, window, place, field.placed, seen);
      const [top, left] = eye.begin(place);
      const seats = new Map([[seat, place]]);
      const now = new Map();
      const cells = [];
      for (let row = top; row < top + eye.rows; row += 1) {
        for (let column = left; column < left + eye.columns; column += 1) {
          const {code, how} = cellAt(row, column);
          const meaning = means[code];
          if (meaning?.type === "seat" && how === "seen") seats.set(meaning.seat, [row, column]);
          if (how === "seen") now.set(`${row} ${column}`, meaning);
          cells.push(cell(row, column, meaning, how));
        }
      }
      if (top > 0 || left > 0 || world.style.transform) world.style.transform = `translate(${-left * CELL}px, ${-top * CELL}px)`;
      ground.replaceChildren(...cells);
      look(place);
      walk(seats);
      if (before && last) sky.rise(last, seat, seats, (spot) => before.get(`${spot[0]} ${spot[1]}`));
      before = now;
    },
    // Makes the participant's piece lean towards a step immediately; `step` is [down, right].
    lean: ([down, right]) => put(pieces.get(seat), [place[0] + LEAN * down, place[1] + LEAN * right]),
  };
}
