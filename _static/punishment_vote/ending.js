// The end: the participant's points, collected kinds, votes and harm to others, next to the group's totals.

import {badge, element, number, seatName, signed, text} from "../mixed/dom.js";
import {icon} from "./pictures.js";

export function everybody(node, {picture, setting, seat, texts}) {
  const kinds = setting.means.filter(({type}) => type === "resource");
  const largest = Math.max(Math.abs(picture.own.points), Math.abs(picture.all.points), 1);
  const head = (...parts) => element("th", {scope: "col"}, ...parts);
  const cell = (...parts) => element("td", {}, ...parts);
  const bar = (points) => element("span", {class: "vote-bar", "aria-hidden": "true", "data-below": points < 0},
    element("span", {style: `width: ${(100 * Math.abs(points)) / largest}%`}));
  const votes = ({up, down}) => [up ? `\u25b2${up}` : "", down ? `\u25bc${down}` : ""].filter(Boolean).join(" ") || "\u00b7";
  const spoken = ({up, down}) => element("span", {class: "mc-hidden"}, text(texts.votes_cast, {up, down}));
  const cast = (sums) => (sums.up === null ? [texts.not_shown] : [element("span", {"aria-hidden": "true"}, votes(sums)), spoken(sums)]);
  const row = (sums, isOwn, name) => element("tr", {"data-you": isOwn}, element("th", {scope: "row"}, name),
    cell(element("strong", {}, number(sums.points)), bar(sums.points)),
    cell(...cast(sums)),
    cell(sums.cost ? signed(-sums.cost) : "0"),
    ...sums.collected.map((count) => cell(String(count))));
  node.append(element("h2", {}, texts.everybody), element("div", {class: "mc-scroll vote-everybody", role: "group", "aria-label": texts.everybody},
    element("table", {class: "mc-seats"},
      element("thead", {}, element("tr", {}, head(texts.players), head(texts.points), head(texts.cast), head(texts.cost),
        ...kinds.map((kind) => head(icon(kind), element("span", {class: "mc-hidden"}, kind.name))))),
      element("tbody", {}, row(picture.own, true, element("span", {class: "mc-seat"}, badge(seat, true), seatName(seat, seat, texts))),
        row(picture.all, false, texts.all_together)))));
}
