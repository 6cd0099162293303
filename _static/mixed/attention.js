// Measures how often and how long this page was hidden, and how long the participant was idle while it
// was visible.
//
// The counts survive a reload and are submitted with the form of the page. `watched` does the counting. Its
// caller passes all times, in milliseconds.
//
//   const watch = watched({}, 0, false);
//   watch.touch(1000); watch.hide(true, 5000); watch.counts(9000)

// A participant who gives no input for this long counts as idle from then on.
export const IDLE_MS = 30_000;

export function watched(before, start, isHidden) {
  let {hidden_ms: hiddenMs = 0, hidden_times: times = 0, idle_ms: idleMs = 0} = before;
  let hiddenSince = isHidden ? start : null;
  let touched = start;

  const idleUntil = (now) => Math.max(now - touched - IDLE_MS, 0);

  return {
    touch(now) {
      if (hiddenSince === null) idleMs += idleUntil(now);
      touched = now;
    },
    hide(hidden, now) {
      if (hidden && hiddenSince === null) {
        idleMs += idleUntil(now);
        hiddenSince = now;
        times += 1;
      } else if (!hidden && hiddenSince !== null) {
        hiddenMs += now - hiddenSince;
        hiddenSince = null;
        touched = now;
      }
    },
    counts(now) {
      const away = hiddenSince === null ? 0 : now - hiddenSince;
      const idle = hiddenSince === null ? idleUntil(now) : 0;
      return {
        hidden_ms: Math.round(hiddenMs + away),
        hidden_times: times,
        idle_ms: Math.round(idleMs + idle),
      };
    },
  };
}

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
