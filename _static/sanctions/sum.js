// What a contribution would bring in this period, as a sum: "keep 7 + common about 14 + reward 9 =
// about 30". The server sends a row for every contribution that the slider stops at.

import {outcome} from "../mixed/controls.js";
import {along, element, number, svg, text} from "../mixed/dom.js";

const WIDTH = 100;
const HEIGHT = 6;

// The sum in words and as a bar; where it is not known, what is kept for sure.
export function sum({keeps, outcomes}, given, texts) {
  const row = outcome(outcomes?.rows, given);
  if (row === null) return text(texts.keeps, {n: number(along(keeps, {contribution: given}))});
  return element("span", {}, written(row, outcomes, texts), bar(row.parts, outcomes));
}

// What follows for the next periods, and on what the sum is made.
export function besides({remembered, outcomes}, given, {remembers}, texts) {
  const known = remembered === null || !remembers ? "" : text(texts.would_be, {average: number(along(remembered, {contribution: given}))});
  const on = outcomes === null || outcomes.assumed.length === 0 ? "" : outcomes.is_first ? texts.as_expected : texts.as_last;
  return [known, on].filter(Boolean).join(" ");
}

function written({total, parts}, {names, assumed}, texts) {
  const words = {kept: texts.sum_kept, production: texts.sum_production, synergy: texts.sum_synergy, others: texts.sum_others};
  const about = (amount, open) => (open ? text(texts.about, {x: amount}) : amount);
  let terms = "";
  for (const [index, value] of parts.entries()) {
    const name = names[index];
    const term = text(words[name] ?? (value < 0 ? texts.sum_sanction : texts.sum_reward),
      {x: about(number(Math.abs(value)), assumed.includes(name))});
    terms = terms === "" ? term : text(value < 0 ? texts.sum_less : texts.sum_more, {sum: terms, term});
  }
  return text(assumed.length > 0 ? texts.sum_about : texts.sum_total, {sum: terms, n: number(total)});
}

// What adds to the sum side by side; what takes from it is cut off at the end.
function bar(parts, {names, rows}) {
  const gains = (row) => row.parts.reduce((all, value) => all + Math.max(value, 0), 0);
  const most = Math.max(...rows.map(gains)) || 1;
  const drawn = [];
  let [end, cut] = [0, 0];
  for (const [index, value] of parts.entries()) {
    const wide = (WIDTH * Math.abs(value)) / most;
    if (value >= 0) {
      drawn.push(svg("rect", {x: end, y: 0, width: wide, height: HEIGHT, "data-part": names[index]}));
      end += wide;
    } else cut += wide;
  }
  const off = cut > 0 ? svg("rect", {x: Math.max(end - cut, 0), y: 0, width: Math.min(cut, end), height: HEIGHT, "data-part": "less"}) : null;
  return svg("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "net-sum", "aria-hidden": "true"}, drawn, off);
}
