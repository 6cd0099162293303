// What each player earned, as bars, and what all could have had.

import {badge, element, number} from "../mixed/dom.js";

export function comparison(players, others, {seat, texts}) {
  const all = [...players, ...others];
  const [low, high] = [Math.min(0, ...all.map(({value}) => value)), Math.max(1e-9, ...all.map(({value}) => value))];
  const share = (value) => (100 * value) / (high - low);
  const bar = (value) => element("span", {class: "net-bar", "aria-hidden": "true"},
    element("i", {style: `--from: ${share(Math.min(value, 0) - low)}%; --share: ${share(Math.abs(value))}%`, "data-less": value < 0}));
  const row = ({name, value, note, seat: whose}) => element("tr", {"data-you": whose === seat, "data-could": whose === undefined},
    element("th", {scope: "row"}, element("span", {class: "mc-seat"}, whose === undefined ? null : badge(whose), name),
      note ? element("span", {class: "mc-quiet net-note"}, note) : null),
    element("td", {class: "net-given"}, bar(value), element("span", {}, number(value))));
  return element("table", {class: "mc-seats net-compare"}, element("caption", {}, texts.compare), element("tbody", {}, ...all.map(row)));
}
