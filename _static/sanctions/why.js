// The reasons for a loss or gain in the last period: memory, gap and trust.

import {badge, element, number, percent, signed, text} from "../mixed/dom.js";

export const points = (value) => signed(value, (amount) => number(amount, 2));

// It is empty if the reasons are hidden, or if nobody can lose or gain anything.
export function why(view, {setting, seat, names, texts}, open) {
  const {why: reasons, through, memory} = view.shown;
  const changed = view.last?.components.sanctions;
  const received = through[seat];
  if (!reasons || changed === undefined || (changed === 0 && !received.some(Boolean))) return null;
  const ownReason = reasons.find(({of}) => of === seat);
  const table = ownReason ? ofOneself(ownReason, memory, received, {setting, seat, names, texts}) : ofOthers(reasons, received, names, texts);
  return element("details", {class: "mc-details net-why", open: open && ""}, element("summary", {}, text(texts.why, {points: points(changed)})), table);
}

function ofOneself({gap, trust}, {average, nothing}, received, {setting, seat, names, texts}) {
  const through = received.map((effect, other) => [text(texts.why_through, {player: names(other)}), points(effect)]).filter((_, other) => other !== seat);
  const rows = [
    [texts.why_memory, nothing ? texts.nothing_remembered : number(average)],
    [text(texts.why_gap, {b: number(setting.baseline)}), points(gap)],
    ...(trust === null ? [] : [[texts.why_trust, percent(trust, texts)]]),
    ...through,
  ];
  return element("table", {class: "mc-seats"}, element("tbody", {}, ...rows.map(([name, value]) =>
    element("tr", {}, element("th", {scope: "row"}, name), element("td", {}, value)))));
}

function ofOthers(reasons, received, names, texts) {
  const heads = [texts.players, texts.gap, texts.your_trust, texts.to_you];
  return element("table", {class: "mc-seats"},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {scope: "col"}, head)))),
    element("tbody", {}, ...reasons.map(({of, gap, trust}) => element("tr", {},
      element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(of), names(of))),
      element("td", {}, points(gap)), element("td", {}, trust === null ? texts.not_shown : percent(trust, texts, 0)),
      element("td", {}, points(received[of]))))));
}
