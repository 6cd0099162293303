// A page of questions: gathers the answers, each with how long ago it was given, into the one hidden
// field that is handed in; what must be answered and is not, is marked.

import {questions} from "./questions.js";

const at = (id) => document.getElementById(id);
const {items, given, refused, texts} = JSON.parse(at("questions").dataset.asking);
const changed = {};
const asking = questions({
  items, texts, place: at("questions"),
  onAnswer: (name) => { changed[name] = performance.now(); },
});
asking.put(given);
asking.show(Object.fromEntries(items.map(({name}) => [name, null])), true);
tell(refused);

// Marks what is wrong, and goes there.
function tell(why) {
  asking.mark(why);
  at("problem").hidden = Object.keys(why).length === 0;
  at("problem").textContent = at("problem").hidden ? "" : texts.look_again;
  const first = items.find(({name}) => why[name]);
  if (first) document.querySelector(`[data-question="${first.name}"]`).querySelector("input, textarea").focus();
}

at("form").addEventListener("submit", (event) => {
  asking.flush();
  const wrong = asking.wrong();
  if (wrong.length > 0) {
    event.preventDefault();
    tell(Object.fromEntries(wrong.map(({name, why}) => [name, why])));
    return;
  }
  const now = performance.now();
  const handed = Object.entries(asking.values()).map(([name, value]) => [name, [value, Math.round(now - (changed[name] ?? 0))]]);
  at("handed_answers").value = JSON.stringify(Object.fromEntries(handed));
});
