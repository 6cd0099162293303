// The lobby: the number of people present, and the longest wait. The page moves on automatically. It alerts
// participants in another tab by its title, and by a sound if they have turned it on.
//
// A browser allows sound only after a click, so the bell is created on that click and can ring later.

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
const MINUTE_S = 60;
const IN_SECONDS_S = 120;  // shorter waits are announced in seconds

const {texts, outcome, promise_ms: longest, bots} = window.js_vars;
const byId = (id) => document.getElementById(id);
const manager = managed({texts, place: byId("main")});
const title = document.title;
let ring = null;
let gone = false;

byId("bots").textContent = text(texts.bots, {n: bots});
byId("bots").hidden = bots === 0;
byId("sound").hidden = false;
byId("sound").addEventListener("click", () => {
  ring = bell();
  ring();
  byId("sound").hidden = true;
  byId("heard").textContent = texts.sound_on;
});

function promised() {
  const seconds = Math.ceil(longest / 1000);
  if (seconds < IN_SECONDS_S) return text(texts.promise_seconds, {n: seconds});
  return text(texts.promise_minutes, {n: Math.ceil(seconds / MINUTE_S)});
}

// The ways in which the wait can end. After a first wait there can be a second one.
function ending(extended) {
  if (outcome === "release") return texts.outcome_release;
  return outcome === "extend" && !extended ? texts.outcome_extend : texts.outcome_bots;
}

const table = connect({
  onView(view) {
    if (view.phase !== "waiting") return leave(view.phase);
    manager(view);
    const counted = view.needed !== undefined;
    byId("here").textContent = counted ? text(texts.here, view) : texts.waiting;
    document.title = counted ? `${view.here}/${view.needed} ${title}` : title;
    byId("dots").replaceChildren(...Array.from({length: view.needed ?? 0}, (_, index) =>
      element("li", {"data-here": index < view.here}, index === 0 ? texts.you : null)));
    const promise = [promised(), view.extended ? texts.extended : null, ending(view.extended)];
    byId("promise").textContent = promise.filter(Boolean).join(" ");
    return undefined;
  },
  onState(name) {
    byId("state").textContent = name === "lost" ? texts.lost ?? "" : "";
  },
});

// Leaves the page once the sound has rung, or immediately without a sound.
function leave(phase) {
  if (gone) return;
  gone = true;
  if (phase === "seated") byId("here").textContent = document.title = texts.go;
  const rings = document.hidden && ring !== null;
  if (rings) ring();
  setTimeout(() => document.getElementById("form").submit(), rings ? HEARD_MS : 0);
}

setInterval(() => {
  const left = table.remaining();
  byId("clock").textContent = left === null ? "" : clock(left);
}, 200);
