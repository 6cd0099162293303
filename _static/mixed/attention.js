// How often and how long this page was hidden, and how long nobody touched it while it was shown.
//
// Kept over a reload, and handed in with the form of the page.

import {watched} from "./watched.js";

const field = document.getElementById("attention");
if (field !== null) {
  const key = `mc-attention ${location.pathname}`;
  const watch = watched(JSON.parse(sessionStorage.getItem(key) ?? "{}"), performance.now(), document.hidden);

  const write = () => {
    const counts = JSON.stringify(watch.counts(performance.now()));
    field.value = counts;
    sessionStorage.setItem(key, counts);
  };
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "scroll"]) {
    addEventListener(kind, () => watch.touch(performance.now()), {passive: true});
  }
  document.addEventListener("visibilitychange", () => {
    watch.hide(document.hidden, performance.now());
    write();
  });
  setInterval(write, 1000);
  addEventListener("pagehide", write);
}
