// The people on the board who are not playing: before the lobby, in the lobby, and finished.

import {button} from "./board_group.js";
import {clock, element, number, text} from "./dom.js";

export function lobby(people, words, act) {
  const rows = people.map((person) => [named(person), clock(1000 * Math.floor(person.since_s)),
    person.left_s === null ? "" : clock(1000 * person.left_s), person.here ? words.here : words.away,
    acts(person, ["message", "release", "exclude"], words, act)]);
  return table([words.who, words.since, words.at_most, words.there, ""], rows, words);
}

// People who have arrived, sorted by their time on the page, longest first. The others appear only by name.
export function before(people, words, act) {
  const come = people.filter((person) => person.page).sort((person, other) => other.since_s - person.since_s);
  const missing = people.filter((person) => !person.page);
  const rows = come.map((person) => [named(person), person.page, clock(1000 * Math.floor(person.since_s)),
    String(person.quiz_tries), acts(person, ["release", "exclude"], words, act)]);
  const names = missing.map((person) => person.name).join(", ");
  return [
    rows.length || !missing.length ? table([words.who, words.page, words.since, words.tries, ""], rows, words) : null,
    missing.length ? element("p", {class: "mc-quiet"}, text(words.not_come, {number: missing.length, names})) : null,
  ].filter(Boolean);
}

export function finished(people, words) {
  const rows = people.map((person) => [named(person), words[`status_${person.status}`] ?? person.status,
    person.group_name, number(person.points, 1), person.pay]);
  return table([words.who, words.outcome, words.in_group, words.points, words.pay], rows, words);
}

function named(person) {
  return person.treatment ? `${person.name} (${person.treatment})` : person.name;
}

function acts(person, kinds, words, act) {
  const whom = {participant: person.participant};
  return button(words, person.name, person.participant, act && (() => act({name: person.name, kinds, whom})));
}

function table(heads, rows, words) {
  if (!rows.length) return element("p", {class: "mc-quiet"}, words.nobody);
  return element("div", {class: "mc-scroll"}, element("table", {class: "mc-board-table"},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {scope: "col"}, head)))),
    element("tbody", {}, ...rows.map(([first, ...cells]) =>
      element("tr", {}, element("th", {scope: "row"}, first), ...cells.map((cell) => element("td", {}, cell)))))));
}
