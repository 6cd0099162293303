// Picture of the public good: the pot, and contributions as bars.

import {historyChart} from "../mixed/chart.js";
import {along, badge, element, number, seatName, tag, text} from "../mixed/dom.js";
import {periodsShown, stageOf} from "../mixed/peers.js";

export function create({setting, seat, periods, texts, stage, past: pastNode}) {
  const amount = element("strong", {});
  const unit = element("span", {class: "mc-unit"});
  const spoken = element("p", {class: "mc-hidden", "aria-live": "polite"});
  const bars = element("ul", {class: "pot-bars"});
  stage.append(
    element("p", {class: "mc-huge", "aria-hidden": "true"}, amount, " ", unit), spoken,
    element("div", {class: "mc-scroll", role: "group", "aria-label": texts.contributed}, bars));
  return {
    controls: [{name: "contribution", label: texts.contribution_request, step: 1}],
    rest: {},
    draw(view, history) {
      const {pot} = view.shown;
      amount.textContent = number(pot) ?? "\u2013";
      unit.textContent = stageOf(view) ? texts.pot_now : texts.pot;
      spoken.textContent = pot === null ? "" : `${number(pot)} ${unit.textContent}`;
      bars.replaceChildren(...view.seats.map((member) => bar(view, member, {setting, seat, texts})));
      past(pastNode, {setting, periods, seat, texts}, history);
    },
    effect: (view, action) => text(texts.keeps, {kept: number(along(setting.keeps, action))}),
    actions: ({observation}) => [{label: texts.contributed, values: observation.contribution}],
    ledger: () => "",  // the bars show what each player gave
    over() {},
  };
}

// A player: the contribution as a bar, and the name.
function bar(view, member, {setting, seat, texts}) {
  const given = periodsShown(view) > 0 ? view.observation.contribution[member.seat] : 0;
  const share = Math.round(100 * Math.max(Math.min((given ?? 0) / setting.endowment, 1), 0));
  return element("li", {"data-you": member.you},
    element("span", {class: "pot-amount"}, periodsShown(view) > 0 ? number(given) ?? texts.not_shown : "\u2013"),
    element("span", {class: "pot-bar", "aria-hidden": "true"}, element("span", {style: `--share: ${share}%`})),
    badge(member.seat), element("span", {class: "pot-name"}, seatName(member.seat, seat, texts)), tag(member, texts));
}

// History of a play: the average of all players as a line, and your own contributions as bars.
export function past(node, {setting, periods, seat, texts}, history) {
  const played = history.filter((entry) => entry.period >= 0);
  if (played.length === 0) return;
  const average = ({observation: {contribution}}) => {
    const shown = contribution.filter((value) => value !== null);
    return shown.length ? shown.reduce((sum, value) => sum + value, 0) / shown.length : null;
  };
  historyChart(node, texts.history, texts, played, {
    periods,
    top: setting.endowment,
    start: null,
    line: {name: texts.mean_series, colour: "var(--blue)", values: played.map(average)},
    bars: {name: texts.own_series, colour: "var(--vermilion)", values: played.map((entry) => entry.observation.contribution[seat])},
  });
}
