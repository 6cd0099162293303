// One control per action field: a slider and a number box that say the same; where the range has no
// end (null), the box alone.

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

  // What may be entered, by the ends that there are.
  function allowed(both, from, to, any) {
    const [low, high] = range;
    const words_of = low !== null && high !== null ? both : low !== null ? from : high !== null ? to : any;
    return words_of && text(words[words_of], {low: number(low), high: number(high)});
  }

  return {
    node,
    name,
    value: () => (valid() ? box.valueAsNumber : null),
    empty: () => box.value === "" && !box.validity.badInput,
    problem: () => (valid() ? null : allowed("out_of_range", "too_low", "too_high", "no_number")),
    limit(low, high) {
      range = [low, high];
      caption.textContent = `${label} ${allowed("range", "range_from", "range_to", "")}`.trim();
      for (const input of [slider, box]) {
        input.min = low ?? "";
        input.max = high === null ? "" : Math.floor(high * 1000) / 1000;
      }
      slider.hidden = low === null || high === null;
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
