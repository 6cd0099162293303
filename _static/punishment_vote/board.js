// The window around one's own seat, drawn large; fog, or what is remembered, around it.
//
// The seat stays in the middle and the world moves. A chosen step moves it at once (`lean`); what
// the server then shows is drawn where it belongs, and slides only if it is not what was expected.

import {svg} from "../mixed/dom.js";
import {CELL, cell, player} from "./pictures.js";

const EDGE = 2;  // cells drawn beyond the window; one of them is in view

export function codes(window) {
  return window.map((row) => row.map((cell) => cell.indexOf(1)));
}

export function board({means, seat, vision, label}) {
  const side = 2 * vision + 1;
  const world = svg("g", {});
  const size = (side + 2) * CELL;
  const node = svg("svg", {viewBox: `${-CELL} ${-CELL} ${size} ${size}`, class: "vote-board", role: "img",
    "aria-label": label}, world, svg("g", {transform: `translate(${vision * CELL} ${vision * CELL})`}, player(seat, true)));
  let shift = [0, 0];
  let place = null;

  const quick = () => parseFloat(getComputedStyle(node).getPropertyValue("--quick")) || 0;
  const at = ([down, right]) => `translate(${-right * CELL}px, ${-down * CELL}px)`;

  function slide(from, to) {
    if (from[0] === to[0] && from[1] === to[1]) return;
    world.animate([{transform: at(from)}, {transform: at(to)}], {duration: quick(), easing: "ease-out"});
  }

  return {
    node,
    // `window` in codes, `around(row, column)` what is remembered of a cell relative to the window.
    show(window, position, around) {
      const cells = [];
      for (let row = -EDGE; row < side + EDGE; row += 1) {
        for (let column = -EDGE; column < side + EDGE; column += 1) {
          const code = window[row]?.[column];
          const own = row === vision && column === vision;
          if (code !== undefined) cells.push(cell(row, column, own ? means[0] : means[code], "seen"));
          else {
            const known = around(row, column);
            cells.push(cell(row, column, known, known ? "remembered" : "fog"));
          }
        }
      }
      world.replaceChildren(...cells);
      world.style.transform = "";
      const moved = place === null ? [0, 0] : [position[0] - place[0], position[1] - place[1]];
      slide([shift[0] - moved[0], shift[1] - moved[1]], [0, 0]);
      shift = [0, 0];
      place = position;
    },
    // Draw a step at once; `step` is [down, right].
    lean(step) {
      const to = `${step}`;
      if (`${shift}` === to) return;
      slide(shift, step);
      shift = step;
      world.style.transform = at(step);
    },
  };
}
