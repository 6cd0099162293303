// A choice among a few values, with a radio button for each available value.

import {element, keepEnter} from "./dom.js";

// Returns the same as `control` (controls.js), and pick(value) for a choice made elsewhere on the
// page.
export function choice({name, label, worth = "", option, accepts = {}, onChange}) {
  const group = element("fieldset", {class: "mc-choice", "aria-describedby": "effect"});
  const radios = () => [...group.querySelectorAll("input")];
  const chosen = () => radios().find((radio) => radio.checked);
  group.addEventListener("change", onChange);
  keepEnter(group);
  return {
    node: group,
    name,
    value: () => (chosen() ? Number(chosen().value) : null),
    empty: () => !chosen(),
    problem: () => null,
    limit([low, high, open], view, history) {
      const values = open ?? (accepts.ends ? [...new Set([low, high])] : null) ?? Array.from({length: high - low + 1}, (_, index) => low + index);
      group.replaceChildren(element("legend", {}, label, " ", element("span", {class: "mc-worth"}, worth)), ...values.map((value) =>
        element("label", {class: "mc-option"}, element("input", {type: "radio", name, value}),
          element("span", {}, option(value, view, history)))));
    },
    put(value) {
      for (const radio of radios()) radio.checked = Number(radio.value) === value;
    },
    reset() {
      for (const radio of radios()) radio.checked = false;
    },
    disable(flag) {
      group.disabled = flag;
    },
    focus: () => radios()[0]?.focus({preventScroll: true}),
    pick(value) {
      const radio = radios().find((input) => Number(input.value) === value);
      if (!radio || group.disabled) return;
      radio.checked = true;
      onChange();
    },
  };
}
