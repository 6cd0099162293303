// A group on the board: the state of its play and of each of its seats. If a board has many groups, each one
// is a small tile so that all of them fit. A click expands a tile.

import {badge, clock, element, number, text} from "./dom.js";

// `fold` collapses the group again; null if it cannot be collapsed.
export function card(group, words, act, fold) {
  const name = [group.name, group.treatment].filter(Boolean).join(", ");
  const whom = {group: group.group, app: group.app};
  const kinds = [group.paused ? "go_on" : "pause", group.started && group.left_ms !== null ? "extend" : "", "message", "end"].filter(Boolean);
  return [
    element("header", {},
      element("h3", {}, name),
      element("span", {}, group.started ? text(words.period, {period: group.period + 1, periods: group.periods}) : group.choosing ? words.choosing : words.not_started),
      element("span", {class: "mc-group-clock", "data-clock": ""}),
      button(words, name, `${group.app} ${group.group}`, act && (() => act({name, kinds, whom}))),
      fold && small(words.fold, text(words.fold_group, {name}), `fold ${group.app} ${group.group}`, fold)),
    element("p", {class: "mc-glance"}, glance(group.glance), " ", element("span", {class: "mc-waited", "data-waited": ""})),
    element("ul", {class: "mc-seat-list"}, ...group.seats.map((seat) => row(seat, whom, words, act))),
  ];
}

// A read-only viewer (`onClick` is null) gets no button.
export function button(words, name, key, onClick) {
  if (!onClick) return element("span", {});
  return small(words.act, text(words.act_on, {name}), key, onClick);
}

function small(shown, label, key, onClick) {
  const node = element("button", {type: "button", class: "mc-small", "data-key": key, "aria-label": label}, shown);
  node.addEventListener("click", onClick);
  return node;
}

function glance({name, value, unit}) {
  const amount = value === null ? "\u2013" : number(value, 2);
  return [element("span", {class: "mc-quiet"}, `${name} `), element("strong", {}, amount), element("span", {class: "mc-quiet"}, ` ${unit}`)];
}

function row(seat, whom, words, act) {
  const person = Boolean(seat.participant);
  const policy = seat.policy?.replaceAll("_", " ");
  const name = person ? seat.name : policy;
  const kinds = seat.held ? ["give_back", "message", "release", "exclude"] : ["skip", "stand_in", "message", "release", "exclude"];
  return element("li", {"data-state": state(seat)},
    badge(seat.seat, true),
    element("span", {class: "mc-who"}, element("strong", {}, name), " ", element("span", {class: "mc-quiet"}, [text(words.player, {player: seat.seat + 1}), occupant(seat, person, policy, words)].filter(Boolean).join(", ")),
      person ? element("span", {class: "mc-line", "data-seat": seat.seat}) : null,
      ...failures(seat, words).map((line) => element("span", {class: "mc-line mc-failed"}, line))),
    element("span", {class: "mc-mark", title: progress(seat, words)}, element("span", {"data-mark": seat.seat}, mark(seat)), " ", element("span", {class: "mc-hidden"}, progress(seat, words))),
    element("span", {class: "mc-points"}, number(seat.points, 1)),
    person && !seat.parted ? button(words, name, `${whom.app} ${whom.group} ${seat.seat}`, act && (() => act({name, kinds, whom: {...whom, seat: seat.seat}}))) : element("span", {}));
}

// Whether a seat has decided, is deciding, or is waiting for its turn.
const mark = (seat) => seat.decided ? "\u2713" : seat.deciding ? "\u2026" : "";
const progress = (seat, words) => seat.decided ? words.decided : seat.deciding ? words.deciding : "";

// Lines about a seat's policy that failed to decide, so the default was used, or failed to write a
// message.
function failures(seat, words) {
  if (seat.occupant !== "policy") return [];
  const line = (sentence, fault) => fault ? [text(sentence, {period: fault.period + 1})] : [];
  return [...line(words.failed, seat.fault), ...line(words.mute, seat.talk_fault)];
}

const failed = (seat) => seat.occupant === "policy" && Boolean(seat.fault || seat.talk_fault);

function state(seat) {
  if (!seat.participant) return "bot";
  if (seat.parted) return "parted";
  if (seat.occupant === "policy") return "standin";
  return seat.silent_ms === null || seat.silent_ms > 15000 ? "silent" : "here";
}

function occupant(seat, person, policy, words) {
  if (seat.occupant === "nobody" || seat.parted) return words.gone;
  if (seat.occupant === "policy") return person ? (seat.returning ? words.returns : `${words.standin}: ${policy}`) : words.bot;
  return "";
}

// Updates the texts that change every second.
export function times(node, group, words) {
  const shown = node.querySelector("[data-clock]");
  shown.textContent = group.paused ? words.paused : group.left_ms === null ? words.no_limit : clock(group.left_ms);
  shown.dataset.paused = group.paused;
  node.querySelector("[data-waited]").textContent = waited(group, words, node.classList.contains("mc-folded") ? words.waiting : words.waiting_for);
  for (const seat of group.seats) {
    const line = node.querySelector(`[data-seat="${seat.seat}"]`);
    if (line) line.textContent = [connection(seat, words), missed(seat, words)].filter(Boolean).join(" \u00b7 ");
    const place = node.querySelector(`[data-mark="${seat.seat}"]`);
    if (place && isAwaited(seat) && !group.paused) place.textContent = spent(group);
  }
}

// How long the group has been waiting for decisions, and for whom: for people or, failing that, for bots.
function waited(group, words, sentence) {
  const deciding = group.paused ? [] : group.seats.filter((seat) => seat.deciding);
  const people = deciding.filter(isAwaited).map((seat) => seat.name);
  return deciding.length ? text(sentence, {time: spent(group), names: people.join(", ") || words.some_bots}) : "";
}

const missed = (seat, words) => isAwaited(seat) && seat.idle ? text(words.missed, seat) : "";
const isAwaited = (seat) => seat.deciding && seat.occupant === "person";

const spent = (group) => clock(1000 * Math.floor(group.in_period_ms / 1000));

function connection(seat, words) {
  if (seat.silent_ms === null) return words.never;
  if (seat.silent_ms > 15000) return text(words.silent, {time: clock(seat.silent_ms)});
  return seat.connected ? words.connected : words.no_page;
}

export const MANY_GROUPS = 12;

const MARKS = {silent: "?", standin: "\u2194", parted: "\u2013"};

export function tile(group, words, open) {
  const name = [group.name, group.treatment].filter(Boolean).join(", ");
  const node = element("button", {type: "button", class: "mc-tile", "data-key": `${group.app} ${group.group}`, "aria-expanded": "false"},
    element("span", {class: "mc-tile-head"},
      element("strong", {}, name), " ",
      element("span", {}, group.started ? text(words.period_short, {period: group.period + 1, periods: group.periods}) : words.not_started), " ",
      element("span", {class: "mc-group-clock", "data-clock": ""})),
    element("span", {class: "mc-glance"}, glance(group.glance), " ", element("span", {class: "mc-waited", "data-waited": ""})), " ",
    element("span", {class: "mc-tile-seats"}, ...seats(group.seats, words)));
  node.addEventListener("click", open);
  return node;
}

export function wantsAttention(group) {
  return group.paused || group.seats.some((seat) => failed(seat) || ["silent", "standin"].includes(state(seat)));
}

// People by name with their progress, and the number of bots.
function seats(all, words) {
  const people = all.filter((seat) => seat.participant);
  const bots = all.length - people.length;
  return [...people.map((seat) => person(seat, words)), bots ? element("span", {class: "mc-quiet"}, text(words.bots, {bots})) : null,
    ...all.filter(failed).map((seat) => element("span", {class: "mc-failed"}, `${(seat.fault ?? seat.talk_fault).policy.replaceAll("_", " ")} ${failures(seat, words).join(", ")}`))];
}

function person(seat, words) {
  const standing = state(seat);
  const marks = [mark(seat), MARKS[standing]].filter(Boolean).join(" ");
  const spoken = [progress(seat, words), words[`state_${standing}`]].filter(Boolean).join(", ");
  return element("span", {"data-state": standing, title: spoken}, `${seat.name} `,
    element("span", {"aria-hidden": "true"}, marks), element("span", {class: "mc-hidden"}, spoken), " ");
}
