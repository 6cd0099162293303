// The decision card of games in which a participant presses keys: a pad of buttons, each of which acts immediately.
// Until the period is over, the choice can be changed if the session allows it.

import {element, text} from "./dom.js";

// `game.choices` is
//   {options: [{name, label, key, keys, icon}],   in the order of the pad; `keys` are the browser's
//                                                  names, `key` is the label on the button
//    next(chosen, name) -> chosen,                 the choice after one more press
//    marked(chosen) -> [name],                     the buttons to highlight
//    action(chosen) -> action or null,             the action, or null if the choice is incomplete
//    meant(action) -> chosen,                      the inverse of `action`
//    offered(name, limits) -> bool,                whether the button can have an effect
//    about: {words, names},                        a sentence above the buttons with these names
//    chose(chosen),                                draws the choice immediately
//    hint, incomplete}                             sentences
//
// Returns {fresh(view), show(view, open), late(view)}.
export function pad({game, texts, at: byId, decide}) {
  const {choices} = game;
  let chosen = null;
  let before = null;
  let view = null;
  let open = false;
  const buttons = new Map(choices.options.map((option) => [option.name, button(option)]));
  const status = element("p", {class: "mc-pad-said", id: "chosen", role: "status"});
  const about = element("p", {class: "mc-pad-about"}, choices.about.words);
  byId("controls").append(
    element("div", {class: "mc-pad"}, ...buttons.values(), about), status,
    element("p", {class: "mc-quiet mc-pad-hint"}, choices.hint));
  byId("confirm").hidden = true;

  function button({name, label, key, icon}) {
    const node = element("button", {type: "button", class: "mc-pad-button", "data-choice": name,
      "aria-pressed": "false", "aria-disabled": "true"},
    icon, element("span", {class: "mc-pad-label"}, label), " ", element("kbd", {}, key));
    node.addEventListener("click", () => press(name));
    return node;
  }

  function press(name) {
    if (!open) return;
    const next = choices.next(chosen, name);
    if (JSON.stringify(next) === JSON.stringify(chosen)) return;
    choose(next);
  }

  function choose(next) {
    chosen = next;
    mark();
    choices.chose(chosen);
    const action = choices.action(chosen);
    if (action !== null) decide(action);
  }

  // Only complete choices count; an incomplete one is marked as such.
  function mark() {
    const lit = chosen === null ? [] : choices.marked(chosen);
    const part = lit.length > 0 && choices.action(chosen) === null;
    for (const [name, node] of buttons) node.setAttribute("aria-pressed", lit.includes(name));
    byId("controls").dataset.part = part;
    const labels = choices.options.filter((option) => lit.includes(option.name)).map((option) => option.label);
    status.textContent = part ? choices.incomplete
      : labels.length === 0 ? "" : text(texts.chosen, {what: labels.join(", ")});
  }

  // Adopts a choice made on another page of the participant, unless an incomplete one is in progress.
  function adopt(decision) {
    const action = chosen && choices.action(chosen);
    if (!decision || (chosen && !action) || decision.action === action?.action) return;
    chosen = choices.meant(decision);
    mark();
    choices.chose(chosen);
  }

  // Elements in which keys have other uses: inputs, and boxes that scroll.
  const taken = (node) => Boolean(node.closest?.("input, textarea, select, .mc-scroll, .mc-talk-log"));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || taken(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const option = choices.options.find(({keys}) => keys.includes(key));
    if (!option || view?.phase === "over" || buttons.get(option.name).hidden) return;
    event.preventDefault();
    press(option.name);
  });

  return {
    fresh() {
      before = chosen;
      chosen = null;
      mark();
    },
    show(next, isOpen) {
      view = next;
      open = isOpen;
      adopt(view.decision);
      for (const [name, node] of buttons) {
        node.hidden = !choices.offered(name, view.limits);
        node.setAttribute("aria-disabled", !open);  // unlike `disabled`, this keeps the focus
      }
      about.hidden = choices.about.names.every((name) => buttons.get(name).hidden);
    },
    // Repeats a press that came just after the turn had ended, unless another key was pressed since.
    late() {
      if (open && chosen === null && before !== null) choose(before);
    },
  };
}
