// One control per action field: a slider and a number box that say the same.

import {element, number, text} from "./dom.js";

// Returns {node, name, value(): number | null, empty(), problem(), limit(low, high), reset(), disable(flag)}.
export function control({name, label, step, onChange, words}) {
  const slider = element("input", {type: "range", id: `${name}-slider`, step, "aria-label": label, disabled: ""});
  const box = element("input", {type: "number", id: name, name, step: "any", inputmode: "decimal", "aria-describedby": "effect",
    disabled: ""});
  const caption = element("label", {for: name}, label);
  const node = element("div", {class: "mc-control"}, caption,
    element("div", {class: "mc-control-row"}, slider, box));
  let range = [0, 0];

  const valid = () => box.value !== "" && box.validity.valid && Number.isFinite(box.valueAsNumber);
  slider.addEventListener("input", () => { box.value = slider.value; onChange(); });
  box.addEventListener("input", () => { if (valid()) slider.value = box.value; onChange(); });
  box.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });

  return {
    node,
    name,
    value: () => (valid() ? box.valueAsNumber : null),
    empty: () => box.value === "" && !box.validity.badInput,
    problem: () => (valid() ? null
      : text(words.out_of_range, {low: number(range[0]), high: number(range[1])})),
    limit(low, high) {
      range = [low, high];
      caption.textContent = `${label} (${number(low)}\u2013${number(high)})`;
      for (const input of [slider, box]) {
        input.min = low;
        input.max = Math.floor(high * 1000) / 1000;
      }
    },
    reset() {
      box.value = "";
      slider.value = slider.min;
    },
    disable(flag) {
      slider.disabled = flag;
      box.disabled = flag;
    },
  };
}
