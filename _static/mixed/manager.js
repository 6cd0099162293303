// Messages and questions from the manager of the session, above everything else on the page.
//
//   const manager = managed({texts, place, back, ready});
//   manager(view);
//
// A message stays until the participant has read it, even after a reload. `back` is called when
// people with a stand-in in their seat confirm that they are back, `ready` when they confirm that they
// are ready to begin.

import {element, text} from "./dom.js";

const READ = "mc-read";

export function managed({texts, place, back = null, ready = null}) {
  const node = element("div", {class: "mc-manager"});
  place.before(node);
  let shown = "";

  return (view) => {
    const unread = view.note && sessionStorage.getItem(READ) !== view.note.id ? view.note : null;
    const json = JSON.stringify([unread, view.called, view.paused, view.to_confirm, view.started]);
    if (json === shown) return;
    shown = json;
    node.replaceChildren(
      ...(view.paused ? [element("p", {class: "mc-note", role: "status"}, texts.paused)] : []),
      ...(view.called ? [question(texts.asked, texts.back, back, true)] : []),
      ...(view.to_confirm ? [question(view.started ? texts.missed : texts.are_you_ready, texts.i_am_ready, ready, view.started)] : []),
      ...(unread ? [message(unread)] : []));
  };

  function question(words, label, answer, urgent) {
    return card(element("p", {}, words), label, answer, urgent);
  }

  function message(note) {
    const words = element("p", {}, element("strong", {}, text(texts.labelled, {label: texts.note, value: ""})), note.text);
    const box = card(words, texts.note_read, () => {
      sessionStorage.setItem(READ, note.id);
      box.remove();
    });
    return box;
  }
}

function card(text, label, onClick, urgent = true) {
  const button = element("button", {type: "button", class: "mc-button"}, label);
  button.addEventListener("click", onClick);
  return element("div", {class: `mc-note mc-told ${urgent ? "mc-note-wrong" : "mc-note-now"}`, role: "alert"}, text, button);
}
