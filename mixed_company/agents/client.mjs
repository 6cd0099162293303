/**
 * Client for outside agents, in one file: copy it, and write `decide`.
 *
 * Needs a built-in WebSocket: Node 22 or a browser. In Node 20 use --experimental-websocket, or
 * pass the WebSocket of the package `ws` to `play`. docs/agents.md documents the messages on the
 * socket. Lost connections and failed decisions are written to the console.
 *
 *     import { play } from "./client.mjs";
 *     await play("ws://127.0.0.1:8000/agents", "mine", key, async (game, view) => ({ harvest: 2 }));
 *
 * Run as a command, it chooses the middle of each range in the schema, to test the connection:
 *
 *     AGENT_KEY=... node --experimental-websocket client.mjs ws://127.0.0.1:8000/agents mine [SEATS]
 */

const MOST_TRIES = 3;
const MOST_SAYINGS = 4; // the maximum number of messages in one time for talk
const MOST_WAIT_MS = 10_000;

/**
 * Plays all seats that are offered, and reconnects when the connection is lost. Rejects if the
 * server refuses the agent. `decide(game, view)` returns an action valid under `view.schema`; if it
 * throws, the default is used. Options:
 *
 *     talk(game, view)   for the group's talk: returns a text, the index of one of the sentences, or
 *                        null if it has nothing more to say
 *     seats              maximum number of seats at the same time
 *     plays              number of plays, over all seats, after which the promise resolves
 *     Socket             class of the connection
 */
export function play(url, agent, key, decide, options = {}) {
  const { talk, seats: mostSeats, plays = Infinity, Socket = globalThis.WebSocket } = options;
  const over = new Set();
  return new Promise((resolve, reject) => {
    let wait = 500;
    const connect = () => {
      const socket = new Socket(url);
      const seats = new Map();
      const answers = new Map();
      let count = 0;

      const ask = (message) =>
        new Promise((answered) => {
          const id = `m${(count += 1)}`;
          answers.set(id, answered);
          socket.send(JSON.stringify({ ...message, id }));
        });

      const decided = async (game, view, shownAt) => {
        const about = { place: view.place, period: view.period };
        let refused;
        try {
          for (let tries = 0; tries < MOST_TRIES; tries += 1) {
            const shown = leftNow(view, shownAt);
            const action = await decide(game, refused ? { ...shown, refused } : shown);
            const answer = await ask({ kind: "act", ...about, action });
            if (answer.kind === "ack") return;
            refused = answer.reason;
          }
        } catch (error) {
          refused = String(error);
          console.error(error);
        }
        console.error(`${view.place}, period ${view.period}: the default is used: ${refused}`);
        await ask({ kind: "give_up", ...about, reason: refused });
      };

      const speak = async (seat, place, period) => {
        await seat.busy;
        for (let said = 0; talk && said < MOST_SAYINGS && seat.view.talk?.open; said += 1) {
          const text = await talk(seat.game, leftNow(seat.view, seat.shownAt));
          if (text === null || text === undefined) break;
          const content = typeof text === "number" ? { sentence: text } : { text };
          if (seat.game.talk.one) content.to = seat.game.talk.partners[0];
          await ask({ kind: "say", place, ...content });
        }
        await ask({ kind: "done", place, period });
      };

      const show = (view) => {
        const { place, period, phase } = view;
        const seat = Object.assign(seats.get(place), { view, shownAt: Date.now() });
        const stage = view.observation?.stage ?? 0; // a period can have a second stage
        const isNew = period > seat.period || (period === seat.period && stage > seat.stage);
        if (phase === "over") {
          over.add(place);
        } else if (phase === "talk" && seat.talked !== period) {
          seat.talked = period;
          seat.busy = speak(seat, place, period).catch(console.error);
        } else if (phase === "decide" && isNew) {
          Object.assign(seat, { period, stage });
          seat.busy = decided(seat.game, view, seat.shownAt);
        }
      };

      socket.onopen = () => {
        socket.send(JSON.stringify({ kind: "hello", agent, key, seats: mostSeats }));
      };
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.kind === "refused" && message.id === null && seats.size === 0) {
          socket.onerror = socket.onclose = null;
          reject(new Error(message.reason));
        } else if (message.kind === "welcome") {
          wait = 500;
        } else if (message.kind === "game") {
          seats.set(message.place, { game: message, period: -1, stage: 0, talked: -1 });
        } else if (message.kind === "left") {
          seats.delete(message.place);
        } else if (answers.has(message.id)) {
          answers.get(message.id)(message);
          answers.delete(message.id);
        } else if (message.kind === "view" && seats.has(message.place)) {
          show(message);
        }
        if (over.size >= plays) {
          socket.onerror = socket.onclose = null;
          socket.close();
          resolve();
        }
      };
      const reconnect = () => {
        socket.onerror = socket.onclose = null; // Node 20 has no `close` after an `error`
        wait = Math.min(2 * wait, MOST_WAIT_MS);
        console.error(`${url}: no connection; retrying in ${wait / 1000} s`);
        setTimeout(connect, wait);
      };
      socket.onerror = socket.onclose = reconnect;
    };
    connect();
  });
}

/** Returns a view with the time that is left now. */
function leftNow(view, shownAt) {
  const left = view.remaining_ms;
  if (left === null || left === undefined) return view;
  return { ...view, remaining_ms: Math.max(0, left - (Date.now() - shownAt)) };
}

/** Returns the middle of the range that the schema allows, or the default if it is unbounded. */
export function middle(_game, view) {
  return Object.fromEntries(
    Object.entries(view.schema.properties).map(([name, schema]) => [name, middleOf(schema)]),
  );
}

function middleOf(schema) {
  if (schema.enum) return schema.enum[Math.floor(schema.enum.length / 2)];
  if (schema.minimum === undefined || schema.maximum === undefined) return schema.default;
  const amount = (schema.minimum + schema.maximum) / 2;
  return schema.type === "integer" ? Math.floor(amount) : amount;
}

if (globalThis.process?.argv[1]?.endsWith("client.mjs")) {
  const [url, agent, seats] = process.argv.slice(2);
  if (!process.env.AGENT_KEY) {
    console.error("AGENT_KEY: not set; it should be the server's key for this name");
    process.exit(1);
  }
  const options = seats ? { seats: Number(seats) } : {};
  play(url, agent, process.env.AGENT_KEY, middle, options).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
