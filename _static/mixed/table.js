// The browser's connection to the table: one live channel, the protocol messages, and no game logic.
//
//   const table = connect({onView, onAck, onRefused, onLate, onState});
//   table.show(view);                     takes the view that came with the page
//   table.act(period, {harvest: 4});      sends an action
//   table.answer(period, name, value);    sends an answer to a question
//   table.choose("pool");                 sends a vote on the rule of the play
//   table.back();                         reports that the person is back, so the stand-in can leave
//   table.talk({kind: "say", ...});       sends a chat message; onTalk gets the server's answer
//
// Actions, answers, votes and chat messages are resent, with the same id, until the server responds.
//
// onAnswerRefused is called if an answer to a question is rejected. onState gets connecting, connected,
// saving, saved, unsaved or lost; unsaved means that saving takes longer than it should. onLate is
// called when a new period is shown if the last period's action arrived too late and did not count.
//
// The server counts the page as present once its first view is drawn. Until then, the page sends
// only `{kind: "sync", drawn: false}`, so that the clock does not run before there is something to see.
//
// A view with `sent_ms` is answered immediately, so that the server can measure the latency. Tables and
// lobbies push their changes; if nothing arrives within half a second after a deadline, the page asks
// (`tick`).

import {newId} from "./dom.js";

const ALIVE_MS = 3000;
const POLL_MS = 1000;
const RESEND_MS = 3000;

export function connect(handlers) {
  const socket = window.liveSocket;
  const line = oneWay();
  let pending = null;
  const answers = new Map();
  let view = null;
  let deadline = null;
  let heard = 0;
  let requested = null;
  let missed = null;
  const talk = new Map();

  // A hidden tab's timers are throttled but its messages are not, so every message also triggers `alive`.
  function send(message) {
    heard = performance.now();
    window.liveSend(message);
  }

  function alive() {
    if (view !== null && socket.readyState === 1 && performance.now() - heard >= ALIVE_MS - 500) send({kind: "alive"});
  }
  const state = (name) => handlers.onState?.(name);

  // `since` is the time at which the server sent the message, by the page's clock.
  function receive(message, since = performance.now() - line.ms()) {
    if (message.sent_ms) send({kind: "shown", sent_ms: message.sent_ms});
    alive();
    if (message.kind === "view") {
      if (message.history && requested !== null) line.took(performance.now() - requested);
      if (message.history) requested = null;
      if (view === null) requestAnimationFrame(() => socket.readyState === 1 && send({kind: "alive"}));
      const moved = view && (message.period !== view.period || message.phase === "over");
      if (moved && !pending) state("connected");
      view = message;
      deadline = message.remaining_ms == null ? null : since + message.remaining_ms;
      handlers.onView(message);
      tellLate();
    } else if (answers.delete(message.id)) {
      if (message.kind === "refused") handlers.onAnswerRefused?.(message);
    } else if (pending && message.id === pending.id) {
      if (pending.sent === pending.first) line.took(performance.now() - pending.first);
      const late = message.kind === "refused" && message.period === pending.message.period + 1;
      pending = null;
      if (message.kind === "ack") {
        state("saved");
        handlers.onAck?.(message);
      } else {
        state("connected");
        handlers.onRefused?.(message, late);
        if (late) missed = message.period;
        tellLate();
      }
    } else if (talk.has(message.id)) {
      const {content} = talk.get(message.id);
      talk.delete(message.id);
      handlers.onTalk?.(message, content);
    }
  }

  // Sends a chat message, and resends it with the same id until it is answered.
  function sayToTable(content) {
    const id = newId();
    talk.set(id, {content, sent: performance.now()});
    if (socket.readyState === 1) send({...content, id});
  }

  function sendTalk(before) {
    for (const [id, waiting] of talk) {
      if (waiting.sent > before) continue;
      waiting.sent = performance.now();
      send({...waiting.content, id});
    }
  }

  function tellLate() {
    if (missed !== null && view.period === missed) handlers.onLate?.();
    if (missed !== null && view.period >= missed) missed = null;
  }

  function tick() {
    if (socket.readyState === 1) send({kind: "tick", period: view.period ?? 0});
  }

  function open() {
    state(pending ? "saving" : "connected");
    for (const message of answers.values()) send(message);
    if (pending) deliver();
    sendTalk(Infinity);
    requested = performance.now();
    send(view === null ? {kind: "sync", drawn: false} : {kind: "sync"});
  }

  function deliver() {
    send({...pending.message, id: pending.id});
  }

  function put(message) {
    const now = performance.now();
    pending = {id: newId(), message, sent: now, first: now};
    state("saving");
    deliver();
  }

  function answer(period, question, value) {
    const message = {kind: "answer", id: newId(), period, question, value};
    answers.set(message.id, message);
    if (socket.readyState === 1) send(message);
  }

  const act = (period, action) => put({kind: "act", period, action});
  const choose = (rule) => put({kind: "choose", rule});

  function beat() {
    if (socket.readyState !== 1) return;
    const now = performance.now();
    sendTalk(now - RESEND_MS);
    if (pending && now - pending.sent > RESEND_MS) {
      pending.sent = now;
      state("unsaved");
      deliver();
    } else if (view && view.phase !== "over" && overdue(now)) {
      tick();
    }
  }

  const overdue = (now) => deadline !== null && now >= deadline + POLL_MS / 2;

  window.liveRecv = (message) => receive(message);
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

  const back = () => send({kind: "back", id: newId()});
  const ready = () => send({kind: "ready", id: newId()});

  const show = (message) => receive(message, performance.getEntriesByType("navigation")[0].responseStart);

  return {show, act, answer, choose, back, ready, talk: sayToTable, sync: () => send({kind: "sync"}), remaining: () => (deadline === null ? null : Math.max(deadline - performance.now(), 0))};
}

// Estimates the one-way latency: half of the shortest of the last few round trips.
function oneWay() {
  const samples = [];
  return {
    took(milliseconds) {
      samples.push(milliseconds);
      if (samples.length > 8) samples.shift();
    },
    ms: () => (samples.length ? Math.min(Math.min(...samples) / 2, 1000) : 0),
  };
}
