// Everybody's contribution, memory and trust. There is one bar per player if all players have the same view,
// otherwise a table of who trusts whom.

import {badge, element, number, percent, seatName, tag} from "../mixed/dom.js";
import {periodsShown, stageOf} from "../mixed/peers.js";
import {done} from "./done.js";

export function players(view, {setting, seat, names, texts}) {
  const {memory_averages: averages, baseline, trust, earned = null} = view.observation;
  const contribution = done(view.observation, setting);
  const first = periodsShown(view) === 0;
  const alike = view.shown.trust;
  const seen = (values) => values.some((value) => value !== null);
  const cell = (value) => element("td", {}, first ? "\u2013" : value === null ? texts.not_shown : number(value));
  const columns = [
    seen(contribution) && {head: texts.contributed, draw: (member) => contributionCell(contribution[member.seat], baseline[member.seat])},
    earned && seen(earned) && {head: texts.earned_column, draw: (member) => cell(earned[member.seat])},
    setting.remembers && seen(averages) && {head: texts.average, draw: (member) => cell(averages[member.seat])},
    setting.trusts && seen(alike) && {head: texts.trusted, draw: (member) => trusted(alike[member.seat])},
  ].filter(Boolean);
  if (columns.length === 0) return element("p", {class: "mc-quiet"}, texts.players_hidden);

  function contributionCell(value, expected) {
    if (first || value === null) return cell(value);
    return element("td", {class: "net-given"}, element("span", {class: "net-bar", "aria-hidden": "true"},
      element("i", {style: `--share: ${(100 * value) / setting.most}%`}),
      expected === null || !setting.remembers ? null : element("b", {style: `--share: ${(100 * expected) / setting.most}%`})), element("span", {}, number(value)));
  }

  function trusted(value) {
    if (value === null) return element("td", {}, texts.not_shown);
    return element("td", {class: "net-trusted"}, element("span", {class: "net-bar", "aria-hidden": "true"},
      element("i", {style: `--share: ${100 * value}%`})), element("span", {}, percent(value, texts, 0)));
  }

  const [plain, expected] = stageOf(view) ? [texts.players_now, texts.players_now_expected] : [texts.players_last, texts.players_expected];
  const table = element("table", {class: "mc-seats net-players"}, element("caption", {}, setting.remembers && seen(contribution) && !first ? expected : plain),
    element("thead", {}, element("tr", {}, ...[texts.players, ...columns.map(({head}) => head)].map((head) => element("th", {scope: "col"}, head)))),
    element("tbody", {}, ...view.seats.map((member) => element("tr", {"data-you": member.you},
      element("th", {scope: "row"}, element("span", {class: "mc-seat"}, badge(member.seat), names(member.seat), tag(member, texts))),
      ...columns.map(({draw}) => draw(member))))));
  const differs = setting.trusts && !seen(alike) && seen(trust.flat());
  return element("div", {class: "mc-scroll", role: "group", "aria-label": plain}, table,
    differs ? matrix(trust, view.seats, seat, texts) : null);
}

// Each player's trust in every other player. A darker cell means more trust.
function matrix(trust, seats, ownSeat, texts) {
  const mark = (seat) => element("span", {class: "mc-seat"}, badge(seat), element("span", {class: "mc-hidden"}, seatName(seat, ownSeat, texts)));
  const cell = (value, same) => (same ? element("td", {}, "\u2013") : value === null ? element("td", {}, texts.not_shown)
    : element("td", {class: "net-cell", style: `--share: ${Math.round(60 * value)}%`}, number(100 * value, 0)));
  return element("table", {class: "mc-seats net-trust"}, element("caption", {}, texts.trust),
    element("thead", {}, element("tr", {}, element("th", {scope: "col"}, texts.trusts),
      ...seats.map((member) => element("th", {scope: "col", "data-you": member.you}, mark(member.seat))))),
    element("tbody", {}, ...seats.map((member) => element("tr", {"data-you": member.you}, element("th", {scope: "row"}, mark(member.seat)),
      ...seats.map((other) => cell(trust[member.seat][other.seat], member.seat === other.seat))))));
}
