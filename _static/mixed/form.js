// The decision card of a game in which one enters numbers or chooses: a control per action field,
// one button.

import {choice} from "./choice.js";
import {control} from "./controls.js";
import {element} from "./dom.js";

// Returns {fresh(view, history), show(view, open)}. `decide(action)` is called with a complete action.
export function form({game, texts, at, decide, complain}) {
  let view = null;
  let open = false;
  const controls = game.controls.map((field) => (field.option ? choice : control)({...field, words: texts, onChange: refresh}));
  const effect = element("p", {class: "mc-quiet", id: "effect"});
  at("controls").append(...controls.map(({node}) => node), effect);

  const fixed = ([low, high]) => low !== null && high !== null && high <= low;  // null: no end

  // What the person has entered: a complete action, or null.
  function action() {
    const values = controls.map((field) => [field.name, field.value()]);
    if (values.some(([name, value]) => value === null && !fixed(view.limits[name]))) return null;
    return {...game.rest, ...Object.fromEntries(values.map(([name, value]) => [name, value ?? 0]))};
  }

  function refresh() {
    if (view === null) return;
    const entered = action();
    at("confirm").disabled = !open || entered === null;
    effect.textContent = entered === null ? "" : game.effect(view, entered);
    game.picked?.(entered);
    if (!open) return;
    const wrong = controls.find((field) => !field.empty() && field.problem() !== null);
    if (wrong) complain(wrong.problem());
    else if (entered !== null) complain(null);
  }

  game.onPick?.((name, value) => {
    if (open) controls.find((field) => field.name === name).pick(value);
  });

  at("confirm").addEventListener("click", () => {
    const entered = action();
    if (entered !== null) decide(entered);
  });

  // Enter in a number box confirms, as one would expect.
  at("controls").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !at("confirm").disabled) at("confirm").click();
  });

  return {
    fresh(next, history) {
      for (const field of controls) {
        field.limit(...next.limits[field.name], next, history);
        field.reset();
      }
    },
    show(next, isOpen) {
      view = next;
      open = isOpen;
      for (const field of controls) field.disable(!open || fixed(view.limits[field.name]));
      at("confirm").hidden = view.phase === "over";
      refresh();
    },
  };
}
