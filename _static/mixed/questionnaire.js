// A page of questions: writes the answers, each with its age in milliseconds, into one hidden field, and
// marks required questions that are unanswered.

import {questions} from "./questions.js";

const byId = (id) => document.getElementById(id);
const {items, given: saved, refused, texts} = JSON.parse(byId("questions").dataset.asking);
const changed = {};
const asking = questions({
  items, texts, place: byId("questions"),
  onAnswer: (name) => { changed[name] = performance.now(); },
});
asking.put(saved);
asking.show(Object.fromEntries(items.map(({name}) => [name, null])), true);
tell(refused);

// Marks the wrong answers and moves to the first.
function tell(why) {
  asking.mark(why);
  byId("problem").hidden = Object.keys(why).length === 0;
  byId("problem").textContent = byId("problem").hidden ? "" : texts.look_again;
  const first = items.find(({name}) => why[name]);
  if (first) document.querySelector(`[data-question="${first.name}"]`).querySelector("input, textarea").focus();
}

byId("form").addEventListener("submit", (event) => {
  asking.flush();
  const wrong = asking.wrong();
  if (wrong.length > 0) {
    event.preventDefault();
    event.stopImmediatePropagation();  // else oTree disables the button for 5 seconds
    tell(Object.fromEntries(wrong.map(({name, why}) => [name, why])));
    return;
  }
  const now = performance.now();
  const handed = Object.entries(asking.values()).map(([name, value]) => [name, [value, Math.round(now - (changed[name] ?? 0))]]);
  byId("handed_answers").value = JSON.stringify(Object.fromEntries(handed));
});
