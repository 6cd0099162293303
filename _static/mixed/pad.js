// The decision card of a game in which one presses keys: a pad of buttons, each of which acts at
// once. Until the period is over one can choose anew where the session allows it.

import {element, text} from "./dom.js";

// `game.choices` is
//   {options: [{name, label, key, keys, icon}],   in the order of the pad; `keys` as the browser
//                                                  names them, `key` as it is written on the button
//    next(chosen, name) -> chosen,                 what is chosen after one more press
//    marked(chosen) -> [name],                     the buttons that light up
//    action(chosen) -> action or null,             what it means, if it is complete
//    meant(action) -> chosen,                      the other way
//    offered(name, limits) -> bool,                is there anything it can be pressed for
//    chose(chosen),                                draw it at once
//    hint, incomplete}                             sentences
//
// Returns {fresh(view), show(view, open), late(view)}.
export function pad({game, texts, at, decide}) {
  const {choices} = game;
  let chosen = null;
  let before = null;
  let view = null;
  let open = false;
  const buttons = new Map(choices.options.map((option) => [option.name, button(option)]));
  const status = element("p", {class: "mc-pad-said", id: "chosen", role: "status"});
  at("controls").append(
    element("div", {class: "mc-pad"}, ...buttons.values()), status,
    element("p", {class: "mc-quiet mc-pad-hint"}, choices.hint));
  at("confirm").hidden = true;

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

  // Only what is complete counts: a part of it is marked as such.
  function mark() {
    const lit = chosen === null ? [] : choices.marked(chosen);
    const part = lit.length > 0 && choices.action(chosen) === null;
    for (const [name, node] of buttons) node.setAttribute("aria-pressed", lit.includes(name));
    at("controls").dataset.part = part;
    const labels = choices.options.filter((option) => lit.includes(option.name)).map((option) => option.label);
    status.textContent = part ? choices.incomplete
      : labels.length === 0 ? "" : text(texts.chosen, {what: labels.join(", ")});
  }

  // What was chosen on another page of the same person; a choice that is not complete stays.
  function adopt(decision) {
    const own = chosen && choices.action(chosen);
    if (!decision || (chosen && !own) || decision.action === own?.action) return;
    chosen = choices.meant(decision);
    mark();
    choices.chose(chosen);
  }

  // Where keys mean something else: typing, and scrolling what scrolls.
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
        node.setAttribute("aria-disabled", !open);  // keeps the focus
      }
    },
    // The key came just after the turn had ended: it counts in this one, if none was pressed since.
    late() {
      if (open && chosen === null && before !== null) choose(before);
    },
  };
}
