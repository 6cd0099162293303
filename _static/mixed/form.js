// The decision card of a game in which one enters numbers or chooses: a control per action field,
// one button.

import {choice} from "./choice.js";
import {control} from "./controls.js";
import {element} from "./dom.js";

// Returns {fresh(view, history), show(view, open)}. `decide(action)` is called with a complete action.
// `accepts` is what the server takes, by action field.
export function form({game, accepts, texts, at, decide, complain}) {
  let view = null;
  let open = false;
  const controls = game.controls.map((field) => (field.option ? choice : control)({...field, accepts: accepts[field.name], words: texts, onChange: refresh}));
  const effect = element("p", {class: "mc-quiet", id: "effect"});
  let held = null;
  at("controls").append(...controls.map(({node}) => node));
  at("notes").prepend(effect);

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
    foretell();
    game.picked?.(entered);
    if (!open) return;
    const wrong = controls.find((field) => !field.empty() && field.problem() !== null);
    if (wrong) complain(wrong.problem());
    else if (entered !== null) complain(null);
  }

  // What each choice by itself would bring, beside its slider.
  function foretell() {
    for (const field of game.preview ? controls.filter((own) => own.tell) : []) {
      const value = field.value();
      const none = field.empty() && !fixed(view.limits[field.name]) ? texts.not_chosen : "";
      field.tell(value === null ? none : game.preview(view.shown, field.name, value));
    }
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

  // The control that has the keyboard, {field, node}, before it is closed or made anew.
  function holder() {
    const node = document.activeElement;
    const field = controls.find((own) => own.node.contains(node));
    return field ? {field, node} : null;
  }

  // The keyboard stays on the card while it is closed, and goes back to where it was.
  function keepFocus(inside) {
    if (!open && inside) at("decision").focus({preventScroll: true});
    if (!open || held === null || ![document.body, at("decision")].includes(document.activeElement)) return;
    (held.node.isConnected ? held.node : held.field).focus({preventScroll: true});
    held = null;
  }

  return {
    fresh(next, history) {
      held = holder() ?? held;
      for (const field of controls) {
        field.limit(...next.limits[field.name], next, history);
        field.reset();
      }
    },
    show(next, isOpen) {
      const inside = at("decision").contains(document.activeElement);
      if (inside && document.activeElement !== at("decision")) held = holder();
      view = next;
      open = isOpen;
      for (const field of controls) {
        if (!open && view.decision) field.put(view.decision[field.name]);  // perhaps made on another page
        field.disable(!open || fixed(view.limits[field.name]));
      }
      at("confirm").hidden = view.phase === "over";
      refresh();
      keepFocus(inside);
    },
  };
}
