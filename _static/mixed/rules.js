// Turns a table of the instructions whose rows are all numeric into an interactive example: a slider
// over its columns, and the other rows as bars. All numbers come from the table.

import {element, keepEnter} from "./dom.js";
import {meant} from "./numeral.js";

const LEAST_COLUMNS = 3;
const amount = (cell) => meant(cell).value;

for (const table of document.querySelectorAll(".mc-rule-table")) {
  const rows = [...table.rows].map((row) => ({head: row.cells[0].textContent, cells: [...row.cells].slice(1).map((cell) => cell.textContent)}));
  const numeric = rows.every(({cells}) => cells.every((cell) => cell.trim() !== "" && Number.isFinite(amount(cell))));
  if (numeric && rows.length > 1 && rows[0].cells.length >= LEAST_COLUMNS) move(table, rows);
}

function move(table, [axis, ...rows]) {
  const outputs = rows.map(() => element("strong", {}));
  const bars = rows.map(() => element("span", {}));
  const slider = element("input", {type: "range", min: 0, max: axis.cells.length - 1, step: 1, value: 0, "aria-label": axis.head});
  const value = element("strong", {});
  const largest = rows.map(({cells}) => Math.max(...cells.map((cell) => Math.abs(amount(cell)))) || 1);
  function show() {
    const column = slider.valueAsNumber;
    value.textContent = axis.cells[column];
    rows.forEach(({cells}, row) => {
      outputs[row].textContent = cells[column];
      bars[row].style.width = `${(100 * Math.abs(amount(cells[column]))) / largest[row]}%`;
    });
    slider.setAttribute("aria-valuetext", [axis, ...rows].map(({head, cells}) => `${head}: ${cells[column]}`).join("; "));
  }
  slider.addEventListener("input", show);
  keepEnter(slider);
  table.parentNode.hidden = true;
  table.parentNode.before(element("div", {class: "mc-move"},
    element("p", {"aria-hidden": "true"}, `${axis.head}: `, value), slider,
    ...rows.map(({head}, row) => element("p", {"aria-hidden": "true"}, `${head}: `, outputs[row], element("span", {class: "mc-move-bar"}, bars[row])))));
  show();
}
