// The lobby: who is here, how long one waits at most. The page moves on by itself, and calls whoever
// looks at another tab: by its title, and by a sound if that was asked for.
//
// A browser lets a page sound once somebody has clicked on it: ask for the bell then, and ring it whenever.

import {clock, element, text} from "./dom.js";
import {managed} from "./manager.js";
import {connect} from "./table.js";

const TONES = [660, 880];
const TONE_S = 0.25;

function bell() {
  const context = new AudioContext();
  return () => {
    TONES.forEach((frequency, index) => {
      const start = context.currentTime + index * TONE_S;
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.2, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_S);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + TONE_S);
    });
  };
}

const HEARD_MS = 700;

const {texts, outcome, promise_ms: longest, bots} = window.js_vars;
const at = (id) => document.getElementById(id);
const manager = managed({texts, place: at("main")});
const title = document.title;
let ring = null;
let gone = false;

at("bots").textContent = text(texts.bots, {n: bots});
at("bots").hidden = bots === 0;
at("sound").hidden = false;
at("sound").addEventListener("click", () => {
  ring = bell();
  ring();
  at("sound").hidden = true;
  at("heard").textContent = texts.sound_on;
});

const table = connect({
  onView(view) {
    if (view.phase !== "waiting") return leave(view.phase);
    manager(view);
    const counted = view.needed !== undefined;
    at("here").textContent = counted ? text(texts.here, view) : texts.waiting;
    document.title = counted ? `${view.here}/${view.needed} ${title}` : title;
    at("dots").replaceChildren(...Array.from({length: view.needed ?? 0}, (_, index) =>
      element("li", {"data-here": index < view.here}, index === 0 ? texts.you : null)));
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

// A sound takes a moment; who looks at this page needs none.
function leave(phase) {
  if (gone) return;
  gone = true;
  if (phase === "seated") at("here").textContent = document.title = texts.go;
  const rings = document.hidden && ring !== null;
  if (rings) ring();
  setTimeout(() => document.getElementById("form").submit(), rings ? HEARD_MS : 0);
}

setInterval(() => {
  const left = table.remaining();
  at("clock").textContent = left === null ? "" : clock(left);
}, 200);
