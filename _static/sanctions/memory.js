// The others' memory of the participant: the average, and the contributions in it, period by period.
// Contributions that have dropped out fade.

import {element, exact, number, text} from "../mixed/dom.js";

export function memory({endowment, baseline, with_baseline: expects}, texts) {
  const amount = element("strong", {});
  const unit = element("span", {class: "mc-unit"});
  const beside = element("p", {class: "mc-quiet net-expected"});
  const strip = element("ol", {class: "net-strip", "aria-label": texts.strip});
  const leaving = element("span", {}, `\u2191 ${texts.strip_leaves}`);
  const coming = element("span", {}, `${texts.strip_now} \u2191`);
  const frame = element("div", {class: "net-past"}, strip, element("p", {class: "net-under", "aria-hidden": "true"}, leaving, coming));
  const node = element("div", {class: "net-memory"}, element("div", {},
    element("p", {class: "mc-huge"}, amount, " ", unit), beside), frame);
  let open = null;

  const share = (value) => `--share: ${100 * Math.max(Math.min(value / endowment, 1), 0)}%`;

  function slot({given: amount, played, leaves}) {
    const words = text(!played ? texts.strip_assumed : leaves ? texts.strip_left : texts.strip_given, {n: number(amount)});
    return element("li", {class: "net-slot", "data-leaves": leaves, "data-played": played},
      element("i", {style: share(amount), "aria-hidden": "true"}), element("span", {"aria-hidden": "true"}, number(amount)),
      element("span", {class: "mc-hidden"}, words));
  }

  const faded = (amount, index, {length}) => element("li", {class: "net-slot net-faded", "data-age": length - index, "aria-hidden": "true"},
    element("i", {style: share(amount)}));

  function showStrip(past, forgotten) {
    frame.hidden = past === null;
    open = null;
    if (past === null) return;
    open = past.now ? element("li", {class: "net-slot net-now"}, element("i", {"aria-hidden": "true"}), element("span", {}, "?")) : null;
    strip.replaceChildren(...(past.more ? [element("li", {class: "net-more"}, "\u2026",
      element("span", {class: "mc-hidden"}, texts.strip_more))] : []), ...forgotten.map(faded), ...past.slots.map(slot), ...(open ? [open] : []));
    leaving.hidden = !past.slots.some(({leaves}) => leaves);
    coming.hidden = open === null;
  }

  return {
    node,
    show({memory: {average, nothing, compared_with: other, below, is_verdict: judged}, past}, forgotten) {
      amount.dataset.empty = average === null;
      amount.textContent = average === null ? texts.not_shown : nothing ? "" : number(average);
      unit.textContent = nothing && average !== null ? texts.none_remembered : texts.remembered_of_you;
      node.dataset.below = below === true;
      const compared = !judged ? texts.compared : below ? texts.compared_below : texts.compared_above;
      beside.textContent = other === null ? "" : text(compared, {b: exact(other)});
      strip.dataset.expected = expects;
      strip.style.setProperty("--expected", `${(100 * baseline) / endowment}%`);
      showStrip(past, forgotten);
    },
    // Shows the current choice in the open slot, or nothing if it is null.
    choose(amount) {
      if (!open) return;
      open.firstElementChild.style = amount === null ? "" : share(amount);
      open.lastElementChild.textContent = amount === null ? "?" : number(amount);
    },
  };
}
