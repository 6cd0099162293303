// The board of a session: requests the whole state every second and updates the parts that changed.
//
// Unchanged parts are not redrawn, so a button does not disappear while it is pressed. One button
// checks whether the session can begin, and a card lists the findings.

import {dialog} from "./board_dialog.js";
import {card, MANY_GROUPS, tile, times, wantsAttention} from "./board_group.js";
import {before, finished, lobby} from "./board_lists.js";
import {element, text} from "./dom.js";

function findings({button, list, code, words}) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    list.replaceChildren(element("li", {}, words.looking));
    try {
      const answer = await fetch(`/session_preflight/${code}`);
      const seen = await answer.json();
      const lines = seen.findings ?? [{verdict: "look", sentence: seen.reason}];
      list.replaceChildren(...lines.map(({verdict, sentence}) =>
        element("li", {"data-verdict": verdict}, element("strong", {}, verdict), " ", sentence)));
    } catch (error) {
      list.replaceChildren(element("li", {}, error.message));
    }
    button.disabled = false;
  });
}

const ASK_MS = 1000;
const root = document.getElementById("board");
const words = JSON.parse(root.dataset.words);
const code = root.dataset.code;
const byId = (id) => document.getElementById(id);
const shown = new Map();
const opened = new Set();  // with many groups, the groups that are expanded
let groupsSeen = [];
let answered = Date.now();

const sign = root.dataset.sign ?? "";
const address = sign ? `/board_view/${code}/${sign}` : `/session_board/${code}`;
const act = sign ? null : dialog({node: byId("dialog"), words, send, tell});

async function send(directive) {
  const token = root.querySelector("input[type=hidden]");
  const form = new URLSearchParams({[token.name]: token.value, directive: JSON.stringify(directive)});
  const answer = await fetch(`/SessionBoard/${code}`, {method: "POST", body: form});
  if (![200, 409].includes(answer.status)) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

function tell(sentence, wrong) {
  byId("news").hidden = false;
  byId("news").classList.toggle("mc-note-wrong", wrong);
  byId("news").textContent = sentence;
  ask();
}

// Redraws a part of the page if its content changed; the focus is kept.
function part(node, key, value, draw) {
  const json = JSON.stringify(value);
  if (shown.get(key) === json) return;
  shown.set(key, json);
  const held = node.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  node.replaceChildren(...[draw(value)].flat());
  if (held) node.querySelector(`[data-key="${held}"]`)?.focus();
}

function show(seen) {
  const playing = seen.groups.flatMap((group) => group.seats).filter((seat) => seat.participant).length;
  const missing = seen.before.filter((person) => !person.page).length;
  const counts = {groups: playing, lobby: seen.lobby.length, before: seen.before.length - missing, missing, finished: seen.finished.length};
  for (const [key, number] of Object.entries(counts)) byId(`count-${key}`).textContent = text(words[`count_${key}`], {number});
  byId("alarms-count").textContent = seen.alarms.length > 1 ? `(${seen.alarms.length})` : "";
  part(byId("alarms"), "alarms", seen.alarms, (alarms) => alarms.length
    ? alarms.map((alarm) => element("li", {}, alarm)) : [element("li", {class: "mc-quiet"}, words.no_alarms)]);
  groups(seen.groups);
  if (act) part(byId("act-door"), "door", seen.door, (door) => words[`door_${door}`]);
  part(byId("lobby"), "lobby", seen.lobby, (people) => lobby(people, words, act));
  part(byId("before"), "before", seen.before, (people) => before(people, words, act));
  part(byId("finished"), "finished", seen.finished, (people) => finished(people, words));
}

function groups(seen) {
  groupsSeen = seen;
  const many = seen.length > MANY_GROUPS;
  byId("groups").classList.toggle("mc-groups-many", many);
  const keys = seen.map((group) => `${group.app}-${group.group}`);
  part(byId("groups"), "keys", keys, () => {
    for (const key of [...shown.keys()]) if (key.startsWith("group ")) shown.delete(key);
    return keys.length ? keys.map((key) => element("article", {class: "mc-card mc-group", id: key}))
      : [element("p", {class: "mc-quiet"}, words.no_groups)];
  });
  for (const group of seen) {
    const key = `${group.app}-${group.group}`;
    const {left_ms: left, in_period_ms: spent, ...rest} = group;
    const seats = rest.seats.map(({silent_ms: silent, ...seat}) => ({...seat, silent: silent > 15000}));
    const whole = !many || opened.has(key);
    byId(key).classList.toggle("mc-folded", !whole);
    byId(key).toggleAttribute("data-wants", wantsAttention(group));
    part(byId(key), `group ${key}`, {...rest, limited: left !== null, seats, whole, many}, () => whole
      ? card(group, words, act, many ? () => toggle(key) : null) : [tile(group, words, () => toggle(key))]);
    times(byId(key), group, words);
  }
}

function toggle(key) {
  if (!opened.delete(key)) opened.add(key);
  groups(groupsSeen);
}

async function ask() {
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.status);
    show(await answer.json());
    answered = Date.now();
    byId("state").textContent = words.live;
    byId("state").className = "";
  } catch {
    const time = new Date(answered).toLocaleTimeString();
    byId("state").textContent = text(words.lost, {time});
    byId("state").className = "mc-board-lost";
  }
}

async function go() {
  if (!document.hidden) await ask();
  setTimeout(go, ASK_MS);
}

if (act) begin();
function begin() {
  findings({button: byId("look"), list: byId("findings"), code, words});
  byId("act-door").addEventListener("click", () => act({name: words.door, kinds: [byId("act-door").textContent === words.door_shut ? "open" : "shut"], whom: {}}));
  byId("act-all").addEventListener("click", () => act({name: words.all, kinds: ["pause", "go_on", "message"], whom: {}}));
}
document.addEventListener("visibilitychange", () => document.hidden || ask());
go();
