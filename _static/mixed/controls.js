// One control per action field: a slider and a number box with the same value, or only the box if the
// range is unbounded (null). `accepts` is the {kind, step, grain} that the server accepts, with a step
// of 1 for whole numbers; `grain` is the step of the slider for amounts.
//
// The slider has no thumb until a value is chosen. If the stage has a `preview` (`form.js`), a line
// below shows the effect of the chosen value. `worth` is a sentence about the points that a unit earns.
//
// A `turned` control shows the upper end minus the value. For example, it shows the points taken if the field
// holds the points left.
//
// The box is a text input because a browser changes the text of a number input: 1,5 became 15.

import {element, keepEnter, number, text} from "./dom.js";
import {meant, written} from "./numeral.js";

const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", " "];

// The row for a value in a table of outcomes, [{value, ...}], or null.
export const outcome = (rows, value) => rows?.find((row) => Math.abs(row.value - value) < 1e-9) ?? null;

// Returns {node, name, value(): number | null, empty(), problem(), limit(ends), put(value),
// reset(), disable(flag), focus(), tell(foretold)}; `foretold` is a string or a node.
export function control({name, label, worth = "", accepts, turned = false, onChange, words}) {
  const whole = accepts.kind === "whole";
  const slider = element("input", {type: "range", id: `${name}-slider`, step: accepts.grain ?? accepts.step,
    "aria-labelledby": `${name}-caption`, disabled: ""});
  const box = element("input", {type: "text", id: name, name, inputmode: whole ? "numeric" : "decimal", autocomplete: "off",
    "aria-describedby": `${name}-worth ${name}-preview effect problem`, disabled: ""});
  const caption = element("label", {for: name, id: `${name}-caption`}, label);
  const preview = element("p", {class: "mc-preview", id: `${name}-preview`, hidden: ""});
  const node = element("div", {class: "mc-control"}, caption,
    worth ? element("p", {class: "mc-worth", id: `${name}-worth`}, worth) : null,
    element("div", {class: "mc-control-row"}, slider, box), preview);
  let range = [0, 0];
  let span = 0;

  // The number shown for a value of the field, and the reverse.
  const turn = (value) => (turned ? Math.round((span - value) * 1e9) / 1e9 : value);

  const within = (value) => (range[0] === null || value >= range[0]) && (range[1] === null || value <= range[1]);
  const empty = () => box.value.trim() === "";

  function problem() {
    const {value, unclear} = meant(box.value);
    if (unclear) return text(words.unclear_number, {entered: box.value.trim(), one: written(unclear[0]), other: written(unclear[1])});
    if (whole && value !== undefined && !Number.isInteger(value)) return words.no_whole_number;
    if (value === undefined || !within(value)) return allowed("out_of_range", "too_low", "too_high", "no_number");
    return null;
  }

  // The text about the allowed range, which depends on its bounds.
  function allowed(both, from, to, any) {
    const [low, high] = range;
    const words_of = low !== null && high !== null ? both : low !== null ? from : high !== null ? to : any;
    return words_of && text(words[words_of], {low: number(low), high: number(high)});
  }

  // Marks whether the slider's position is a choice; a slider always has a position.
  function mark() {
    const valid = problem() === null;
    box.setAttribute("aria-invalid", !empty() && !valid);
    slider.dataset.chosen = valid;
    slider.style.setProperty("--share", share());
    if (valid) slider.removeAttribute("aria-valuetext");
    else slider.setAttribute("aria-valuetext", words.not_chosen);
  }

  // The position of the slider, from 0 to 1.
  function share() {
    const width = slider.max - slider.min;
    return width > 0 ? (slider.value - slider.min) / width : 0;
  }

  function adopt() {
    if (slider.disabled) return;
    show(slider.valueAsNumber);
    onChange();
  }

  function show(value) {
    box.value = written(value);
    slider.value = value;
    mark();
  }

  slider.addEventListener("input", adopt);
  // an unchanged position is also a choice, but fires no input event, and a touch fires no click
  slider.addEventListener("click", adopt);
  slider.addEventListener("pointerup", adopt);
  slider.addEventListener("keyup", ({key}) => { if (MOVES.includes(key)) adopt(); });
  box.addEventListener("input", () => {
    if (problem() === null) slider.value = meant(box.value).value;
    mark();
    onChange();
  });
  keepEnter(node);

  return {
    node,
    name,
    value: () => (problem() === null ? turn(meant(box.value).value) : null),
    empty,
    problem,
    limit([low, high]) {
      range = [low, high === null ? null : Math.floor(high * 1000) / 1000];
      span = (range[0] ?? 0) + (range[1] ?? 0);
      caption.textContent = `${label} ${allowed("range", "range_from", "range_to", "")}`.trim();
      slider.min = low ?? "";
      slider.max = range[1] ?? "";
      slider.hidden = low === null || high === null;
      mark();
    },
    put: (value) => show(turn(value)),
    reset() {
      box.value = "";
      slider.value = slider.min;
      mark();
    },
    disable(flag) {
      slider.disabled = flag;
      box.disabled = flag;
    },
    focus: () => box.focus({preventScroll: true}),
    tell(foretold) {
      preview.hidden = false;
      preview.replaceChildren(foretold);
      if (problem() === null) slider.setAttribute("aria-valuetext", `${box.value}. ${preview.textContent}`);
    },
  };
}
