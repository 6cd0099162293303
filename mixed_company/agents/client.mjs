/**
 * Client for outside agents, in one file: copy it, and write `decide`.
 *
 * Needs a built-in WebSocket: Node 22 or a browser. In Node 20 use --experimental-websocket, or
 * pass the WebSocket of the package `ws` to `play`. docs/agents.md documents the messages on the
 * socket. Lost connections and failed decisions are written to the console.
 *
 *     import { play } from "./client.mjs";
 *     play("ws://127.0.0.1:8000/agents", "mine", key, async (game, view) => ({ harvest: 2 }));
 *
 * Run as a command, it chooses the middle of each range in the schema, to test the connection:
 *
 *     AGENT_KEY=... node --experimental-websocket client.mjs ws://127.0.0.1:8000/agents mine
 */

const MOST_TRIES = 3;
const MOST_WAIT_MS = 10_000;

/**
 * Plays all seats that are offered, and reconnects when the connection is lost. Rejects if the
 * server refuses the agent. `decide(game, view)` returns an action valid under `view.schema`; if it
 * throws, the default counts.
 */
export function play(url, agent, key, decide, Socket = globalThis.WebSocket) {
  return new Promise((_, reject) => {
    let wait = 500;
    const connect = () => {
      const socket = new Socket(url);
      const seats = new Map();
      const answers = new Map();
      let count = 0;

      const ask = (message) =>
        new Promise((resolve) => {
          const id = `m${(count += 1)}`;
          answers.set(id, resolve);
          socket.send(JSON.stringify({ ...message, id }));
        });

      const decided = async (game, view) => {
        const about = { place: view.place, period: view.period };
        let refused;
        try {
          for (let tries = 0; tries < MOST_TRIES; tries += 1) {
            const action = await decide(game, refused ? { ...view, refused } : view);
            const answer = await ask({ kind: "act", ...about, action });
            if (answer.kind === "ack") return;
            refused = answer.reason;
          }
        } catch (error) {
          refused = String(error);
          console.error(error);
        }
        console.error(`${view.place}, period ${view.period}: the default counts: ${refused}`);
        await ask({ kind: "give_up", ...about, reason: refused });
      };

      const show = (view) => {
        const seat = seats.get(view.place);
        const stage = view.observation?.stage ?? 0; // a period can have a second stage
        const isNew = view.period > seat.period || (view.period === seat.period && stage > seat.stage);
        if (view.phase === "talk" && seat.talked !== view.period) {
          seat.talked = view.period;
          ask({ kind: "done", place: view.place, period: view.period });
        } else if (view.phase === "decide" && isNew) {
          Object.assign(seat, { period: view.period, stage });
          decided(seat.game, view);
        }
      };

      socket.onopen = () => socket.send(JSON.stringify({ kind: "hello", agent, key }));
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
  const [url, agent] = process.argv.slice(2);
  if (!process.env.AGENT_KEY) {
    console.error("AGENT_KEY: is not set; it is the key that the server has for this name");
    process.exit(1);
  }
  play(url, agent, process.env.AGENT_KEY, middle).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
