// The page's end of the table: one live channel, the messages of the protocol, nothing of a game.
//
//   const table = connect({onView, onAck, onRefused, onState});
//   table.act(period, {harvest: 4});      sent until it is acknowledged, always with the same id
//
// onState is told: connecting, connected, saving, saved, lost.

const ALIVE_MS = 3000;
const POLL_MS = 1000;
const RESEND_MS = 3000;

export function connect(handlers) {
  const socket = window.liveSocket;
  let pending = null;
  let view = null;
  let deadline = null;

  let heard = 0;

  // A hidden tab's timers are slowed down, its messages are not: whatever arrives also says alive.
  function send(message) {
    heard = performance.now();
    window.liveSend(message);
  }

  function alive() {
    if (socket.readyState === 1 && performance.now() - heard >= ALIVE_MS - 500) send({kind: "alive"});
  }
  const state = (name) => handlers.onState?.(name);

  function receive(message) {
    alive();
    if (message.kind === "view") {
      if (pending && message.period > pending.period) pending = null;
      const moved = view && (message.period !== view.period || message.phase === "over");
      if (moved && !pending) state("connected");
      view = message;
      deadline = message.remaining_ms == null ? null : performance.now() + message.remaining_ms;
      handlers.onView(message);
    } else if (pending && message.id === pending.id) {
      pending = null;
      if (message.kind === "ack") {
        state("saved");
        handlers.onAck?.(message);
      } else {
        state("connected");
        handlers.onRefused?.(message);
      }
    }
  }

  function open() {
    state(pending ? "saving" : "connected");
    send({kind: "sync"});
    if (pending) send(pending);
  }

  function act(period, action) {
    pending = {kind: "act", id: newId(), period, action, sent: performance.now()};
    state("saving");
    send(pending);
  }

  function beat() {
    if (socket.readyState !== 1) return;
    const now = performance.now();
    if (pending && now - pending.sent > RESEND_MS) {
      pending.sent = now;
      send(pending);
    } else if (view && view.phase !== "over" && (view.phase !== "decide" || due(now))) {
      send({kind: "tick", period: view.period ?? 0});
    }
  }

  const due = (now) => deadline !== null && now >= deadline;

  window.liveRecv = receive;
  socket.addEventListener("open", open);
  socket.addEventListener("close", () => state("lost"));
  window.addEventListener("offline", () => state("lost"));
  window.addEventListener("online", () => socket.readyState === 1 && open());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && socket.readyState === 1) send({kind: "sync"});
  });
  if (socket.readyState === 1) open();
  setInterval(beat, POLL_MS);
  setInterval(alive, ALIVE_MS);

  return {act, sync: () => send({kind: "sync"}), remaining: () => (deadline === null ? null : Math.max(deadline - performance.now(), 0))};
}

function newId() {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return Array.from(words, (word) => word.toString(36)).join("");
}
