// A group on a board of many groups: so small that all are seen at once, and opened by a click.

import {failed, failures, glance, state} from "./board_group.js";
import {element, text} from "./dom.js";

export const MANY_GROUPS = 12;

const MARKS = {silent: "?", standin: "\u2194", parted: "\u2013"};

export function tile(group, words, open) {
  const name = [text(words.group, group), group.treatment].filter(Boolean).join(", ");
  const node = element("button", {type: "button", class: "mc-tile", "data-key": `${group.app} ${group.group}`, "aria-expanded": "false"},
    element("span", {class: "mc-tile-head"},
      element("strong", {}, name), " ",
      element("span", {}, group.started ? text(words.period_short, {period: group.period + 1, periods: group.periods}) : words.not_started), " ",
      element("span", {class: "mc-group-clock", "data-clock": ""})),
    element("span", {class: "mc-glance"}, glance(group.glance)), " ",
    element("span", {class: "mc-tile-seats"}, ...seats(group.seats, words)));
  node.addEventListener("click", open);
  return node;
}

export function wantsAttention(group) {
  return group.paused || group.seats.some((seat) => failed(seat) || ["silent", "standin"].includes(state(seat)));
}

// People by name, with what they have done; bots as a number.
function seats(all, words) {
  const people = all.filter((seat) => seat.participant);
  const bots = all.length - people.length;
  return [...people.map((seat) => person(seat, words)), bots ? element("span", {class: "mc-quiet"}, text(words.bots, {bots})) : null,
    ...all.filter(failed).map((seat) => element("span", {class: "mc-failed"}, `${(seat.fault ?? seat.talk_fault).policy.replaceAll("_", " ")} ${failures(seat, words).join(", ")}`))];
}

function person(seat, words) {
  const standing = state(seat);
  const marks = [seat.decided ? "\u2713" : "\u2026", MARKS[standing]].filter(Boolean).join(" ");
  const spoken = [seat.decided ? words.decided : words.deciding, words[`state_${standing}`]].filter(Boolean).join(", ");
  return element("span", {"data-state": standing, title: spoken}, `${seat.name} `,
    element("span", {"aria-hidden": "true"}, marks), element("span", {class: "mc-hidden"}, spoken), " ");
}
