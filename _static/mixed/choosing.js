// A group's vote on the rule of its play: the options and the participant's vote, then the result.
//
//   const vote = choosing({rules, rule, texts, place, choose});
//   vote.show(view)        draws the view; returns true if another rule won and the page must reload
//   vote.complain(reason)  shows why a vote was rejected; null clears the message
//
// `rules` are [{name, meaning}], `rule` is the rule of this page, `place` is the main part of the page,
// whose other cards are hidden during the vote.

import {element, text} from "./dom.js";

const ABSTAINED = "";

export function choosing({rules, rule, texts, place, choose}) {
  if (rules.length === 0) return {show: () => false, complain: () => {}};
  const problem = element("p", {class: "mc-note mc-note-wrong", role: "alert", hidden: ""});
  const status = element("p", {class: "mc-note", role: "status"});
  const button = element("button", {type: "button", class: "mc-button", disabled: ""}, texts.choose_send);
  const card = element("section", {class: "mc-card mc-choosing", "aria-labelledby": "choose-title", hidden: ""},
    element("h1", {id: "choose-title", tabindex: "-1"}, texts.choose_title),
    element("p", {}, texts.choose_lead, " ", texts.choose_tie),
    options(), button, problem, status);
  const chosen = element("section", {class: "mc-card mc-chosen", role: "status", hidden: ""});
  place.prepend(card);
  place.before(chosen);
  let saved = null;
  let open = false;

  const picked = () => card.querySelector("input:checked")?.value ?? null;
  card.addEventListener("change", write);
  // otherwise Enter would submit oTree's form
  card.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target === button) return;
    event.preventDefault();
    if (!button.disabled) button.click();
  });
  button.addEventListener("click", () => {
    complain(null);
    choose(picked());
  });

  function options() {
    const rows = [...rules, {name: ABSTAINED, meaning: texts.choose_abstain}];
    return element("fieldset", {class: "mc-choice", "aria-labelledby": "choose-title"},
      ...rows.map(({name, meaning}) => element("label", {class: "mc-option"},
        element("input", {type: "radio", name: "rule", value: name}), element("span", {}, meaning))));
  }

  function write() {
    button.disabled = picked() === null || picked() === saved;
    button.textContent = saved === null ? texts.choose_send : texts.choose_again;
    const words = saved === null ? texts.choose_none : texts.choose_saved;
    if (status.textContent !== words) status.textContent = words;
  }

  function show(view) {
    if ((view.vote?.rule ?? "") !== rule) return view.phase !== "over";
    const now = view.phase === "choose";
    place.dataset.choosing = now;
    card.hidden = !now;
    if (now) put(view.vote.choice);
    if (now && !open) card.querySelector("h1").focus({preventScroll: true});
    open = now;
    result(view.vote?.counts);
    return false;
  }

  // Shows the saved vote, even if the participant sent it from another page. A choice that was not sent
  // stays.
  function put(choice) {
    if (choice !== saved) {
      saved = choice;
      for (const radio of card.querySelectorAll("input")) radio.checked = radio.value === choice;
    }
    write();
  }

  function result(counts) {
    chosen.hidden = !counts;
    if (!counts || chosen.hasChildNodes()) return;
    const meaning = rules.find((option) => option.name === rule).meaning;
    chosen.append(element("p", {class: "mc-chosen-rule"}, text(texts.labelled, {label: texts.chosen_title, value: meaning})),
      element("ul", {class: "mc-parts"}, ...rules.map((option) => element("li", {class: option.name === rule && "mc-won"},
        element("span", {}, option.meaning), element("span", {}, text(texts.chosen_votes, {n: counts[option.name]}))))));
  }

  function complain(reason) {
    problem.textContent = reason ?? "";
    problem.hidden = reason === null;
  }

  return {show, complain};
}
