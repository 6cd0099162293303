// Observations that layers and turns add, which are the same for all games: the age of a value, sums over the
// participant's group, reputations, and earlier decisions in the same period.

import {element, number, seatName, text} from "./dom.js";

const shown = (value) => value !== null && value !== undefined;

// `fields`: {name, meaning, seats, single} of each such observation; `decided`: the names of the
// action fields that a person sets.
export function besides({fields, decided, texts, seat}) {
  const current = fields.filter(({name}) => !name.startsWith("earlier_"));
  const earlier = fields.filter(({name}) => decided.some((field) => name === `earlier_${field}`));

  // One row of the table, or one per seat.
  function lines(field, observation, seats) {
    const value = observation[field.name];
    const write = (amount) => (shown(amount) ? number(amount, 2) : texts.not_shown);
    if (field.name.startsWith("age_")) return [[field.meaning, text(texts.age, {n: value})]];
    if (field.name === "group") return [[field.meaning, String(value + 1)]];
    if (field.single) return [[field.meaning, write(value)]];
    if (!field.seats) return [];
    return [[field.meaning, ""], ...seats.map((member) => [seatName(member.seat, seat, texts), write(value[member.seat])])];
  }

  return {
    // A table for the ledger; null if there is nothing to add.
    node(view) {
      const rows = current.flatMap((field) => lines(field, view.observation, view.seats));
      if (rows.length === 0) return null;
      return element("table", {class: "mc-seats mc-besides"}, element("caption", {}, texts.besides),
        element("tbody", {}, ...rows.map(([label, value]) => element("tr", {}, element("th", {scope: "row"}, label), element("td", {}, value)))));
    },
    // "Player 1: 4; Player 3: 2" for the players who have already decided; empty if there are none.
    earlier(view) {
      const before = view.seats.filter(({seat: other}) => earlier.some(({name}) => shown(view.observation[name][other])));
      return before.map(({seat: other}) => {
        const values = earlier.map(({name}) => view.observation[name][other]).filter(shown).map((value) => number(value, 2));
        return text(texts.labelled, {label: seatName(other, seat, texts), value: values.join(", ")});
      }).join("; ");
    },
  };
}
