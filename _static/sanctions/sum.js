// The preview of a contribution in this period, as a sum: "keep 7 + common about 14 + reward 9 = about
// 30". The server sends a row for every step of the slider.

import {outcome} from "../mixed/controls.js";
import {along, element, number, signed, svg, text} from "../mixed/dom.js";

const WIDTH = 100;
const HEIGHT = 6;

// The sum as text and as a bar, or only the amount kept if the sum is unknown.
export function sum({keeps, outcomes}, amount, texts) {
  const row = outcome(outcomes?.rows, amount);
  const sentence = words({keeps, outcomes}, amount, texts);
  return row === null ? sentence : element("span", {}, sentence, bar(row.parts, outcomes));
}

// The sum as text only.
export function words({keeps, outcomes}, amount, texts) {
  const row = outcome(outcomes?.rows, amount);
  return row === null ? text(texts.keeps, {n: number(along(keeps, {contribution: amount}))}) : written(row, outcomes, texts);
}

// The consequences for later periods, and the assumption behind the sum.
export function besides({remembered, outcomes}, amount, {remembers, look_back}, texts) {
  const consequence = remembered === null || !remembers ? "" : text(texts.would_be, {n: look_back, average: number(along(remembered, {contribution: amount}))});
  const on = outcomes === null || outcomes.assumed.length === 0 ? "" : outcomes.is_first ? texts.as_expected : texts.as_last;
  return [consequence, on].filter(Boolean).join(" ");
}

// The text about the smallest and largest possible sanction or reward, empty if they are unknown or equal.
export function ends(outcomes, texts) {
  const index = outcomes?.names.indexOf("sanctions") ?? -1;
  if (index < 0) return "";
  const [low, high] = range(outcomes.rows, index);
  return low === high ? "" : text(texts.ends, {low: signed(low), high: signed(high)});
}

function written({total, parts}, {names, assumed, rows}, texts) {
  const words = {kept: texts.sum_kept, production: texts.sum_production, synergy: texts.sum_synergy, others: texts.sum_others};
  const about = (amount, open) => (open ? text(texts.about, {x: amount}) : amount);
  let terms = "";
  for (const [index, value] of parts.entries()) {
    const name = names[index];
    const amount = about(number(Math.abs(value)), assumed.includes(name));
    const term = name in words ? text(words[name], {x: amount}) : limited(amount, value, range(rows, index), texts);
    terms = terms === "" ? term : text(value < 0 ? texts.sum_less : texts.sum_more, {sum: terms, term});
  }
  return text(assumed.length > 0 ? texts.sum_about : texts.sum_total, {sum: terms, n: number(total)});
}

// A sanction or a reward, with the largest one that any choice leads to.
function limited(amount, value, [low, high], texts) {
  const term = text(value < 0 ? texts.sum_sanction : texts.sum_reward, {x: amount});
  const largest = value < 0 ? -low : high;
  return low < high && largest > 0 ? text(texts.sum_most, {term, most: number(largest)}) : term;
}

// The smallest and the largest amount of a part over all choices.
function range(rows, index) {
  const amounts = rows.map(({parts}) => parts[index]);
  return [Math.min(...amounts), Math.max(...amounts)];
}

// Draws additions side by side; deductions are cut off at the end.
function bar(parts, {names, rows}) {
  const gains = (row) => row.parts.reduce((all, value) => all + Math.max(value, 0), 0);
  const largest = Math.max(...rows.map(gains)) || 1;
  const drawn = [];
  let [end, cut] = [0, 0];
  for (const [index, value] of parts.entries()) {
    const wide = (WIDTH * Math.abs(value)) / largest;
    if (value >= 0) {
      drawn.push(svg("rect", {x: end, y: 0, width: wide, height: HEIGHT, "data-part": names[index]}));
      end += wide;
    } else cut += wide;
  }
  const off = cut > 0 ? svg("rect", {x: Math.max(end - cut, 0), y: 0, width: Math.min(cut, end), height: HEIGHT, "data-part": "less"}) : null;
  return svg("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "net-sum", "aria-hidden": "true"}, drawn, off);
}
