// The decision card of games in which a participant enters numbers or chooses: a control per action field, and
// one button.

import {choice} from "./choice.js";
import {control} from "./controls.js";
import {element} from "./dom.js";
import {stageOf} from "./peers.js";

// Returns {fresh(view, history), show(view, open)}. Calls `decide(action)` with a complete action.
// `accepts` is the format that the server accepts, by action field. `later(onChange)` makes the control of
// the second stage of a period, if there is one (`peers.js`); it is shown instead of the others.
export function form({game, accepts, texts, at: byId, decide, complain, later = null}) {
  let view = null;
  let open = false;
  const first = game.controls.map((field) => (field.option ? choice : control)({...field, accepts: accepts[field.name], words: texts, onChange: refresh}));
  const stages = later ? [first, [later(refresh)]] : [first];
  let controls = first;
  const effect = element("p", {class: "mc-quiet", id: "effect"});
  let held = null;
  byId("controls").append(...stages.flat().map(({node}) => node));
  byId("notes").prepend(effect);

  const fixed = ([low, high]) => low !== null && high !== null && high <= low;  // null: unbounded

  // The complete action that the person has entered, or null.
  function action() {
    const values = controls.map((field) => [field.name, field.value()]);
    if (values.some(([name, value]) => value === null && !fixed(view.limits[name]))) return null;
    return {...(controls === first ? game.rest : {}), ...Object.fromEntries(values.map(([name, value]) => [name, value ?? 0]))};
  }

  function refresh() {
    if (view === null) return;
    const entered = action();
    byId("confirm").disabled = !open || entered === null;
    const isFirst = controls === first;
    effect.textContent = !isFirst ? "" : entered !== null ? game.effect(view, entered) : view.phase === "over" ? "" : game.before ?? "";
    foretell();
    game.picked?.(isFirst ? entered : null);
    if (!open) return;
    const wrong = controls.find((field) => !field.empty() && field.problem() !== null);
    if (wrong) complain(wrong.problem());
    else if (entered !== null) complain(null);
  }

  // Shows beside each slider the effect of its value.
  function foretell() {
    for (const field of game.preview ? controls.filter((candidate) => candidate.tell) : []) {
      const value = field.value();
      const none = field.empty() && !fixed(view.limits[field.name]) ? game.unchosen?.(view.shown, field.name) || texts.not_chosen : "";
      field.tell(value === null ? none : game.preview(view.shown, field.name, value));
    }
  }

  game.onPick?.((name, value) => {
    if (open) controls.find((field) => field.name === name)?.pick(value);
  });

  // Ignores the second click of a double click, so that it does not confirm the next stage.
  byId("confirm").addEventListener("click", ({detail}) => {
    const entered = action();
    if (entered !== null && (controls === first || detail < 2)) decide(entered);
  });

  // The Enter key in a number box confirms.
  byId("controls").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input") && !byId("confirm").disabled) byId("confirm").click();
  });

  // The control that had the focus before it was disabled or redrawn: {field, node, byKeys}.
  function holder() {
    const node = document.activeElement;
    const field = controls.find((candidate) => candidate.node.contains(node));
    return field ? {field, node, byKeys: node.matches(":focus-visible")} : null;
  }

  // Keeps the focus on the card while it is disabled, and then returns the focus to its control.
  function keepFocus(inside) {
    if (!open && inside) byId("decision").focus({preventScroll: true});
    if (!open || held === null || ![document.body, byId("decision")].includes(document.activeElement)) return;
    (held.node?.isConnected ? held.node : held.field).focus({preventScroll: true});
    held = null;
  }

  // Shows the controls of a stage. If the keyboard is used, the first of them gets the focus.
  function turnTo(stage) {
    if (controls !== stages[stage]) held = held?.byKeys ? {field: stages[stage][0]} : null;
    controls = stages[stage];
    for (const field of stages.flat()) field.node.hidden = !controls.includes(field);
  }

  return {
    fresh(next, history) {
      held = holder() ?? held;
      turnTo(later ? stageOf(next) : 0);
      for (const field of controls) {
        field.limit(next.limits[field.name], next, history);
        field.reset();
      }
    },
    show(next, isOpen) {
      const inside = byId("decision").contains(document.activeElement);
      if (inside && document.activeElement !== byId("decision")) held = holder();
      view = next;
      open = isOpen;
      for (const field of controls) {
        if (!open && view.decision) field.put(view.decision[field.name]);  // possibly made on another page
        field.disable(!open || fixed(view.limits[field.name]));
      }
      byId("confirm").hidden = view.phase === "over";
      refresh();
      keepFocus(inside);
    },
  };
}
