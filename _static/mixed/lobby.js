// The lobby: who is here, how long one waits at most. The page moves on by itself.

import {clock, element, text} from "./dom.js";
import {connect} from "./table.js";

const {texts, outcome, promise_ms: longest} = window.js_vars;
const at = (id) => document.getElementById(id);
let gone = false;

const table = connect({
  onView(view) {
    if (view.phase !== "waiting") return leave(view.phase);
    at("here").textContent = text(texts.here, view);
    at("dots").replaceChildren(...Array.from({length: view.needed}, (_, index) =>
      element("li", {"data-here": index < view.here})));
    const promise = [text(texts.promise, {time: clock(longest)})];
    if (view.extended) promise.push(texts.extended);
    promise.push(outcome === "release" ? texts.outcome_release : texts.outcome_bots);
    at("promise").textContent = promise.join(" ");
    return undefined;
  },
  onState(name) {
    at("state").textContent = name === "lost" ? texts.lost ?? "" : "";
  },
});

function leave(phase) {
  if (gone) return;
  gone = true;
  if (phase === "seated") at("here").textContent = texts.go;
  document.getElementById("form").submit();
}

setInterval(() => {
  const left = table.remaining();
  at("clock").textContent = left === null ? "" : clock(left);
}, 200);
