// Questions beside a decision, or on a page of their own: a control for each, in order.
//
//   const asking = questions({items, texts, place, onAnswer});
//   asking.show(answers, open)     shows only the questions in `answers`, name -> saved answer
//   asking.wrong()                 the answers with an error: {name, why, focus()}, in order
//   asking.flush()                 reports recent answers immediately
//
// `items` are described in `server.pages.questions`. `onAnswer(name, value)` is called with each
// complete answer, and with null when an answer is removed.

import {choice} from "./choice.js";
import {control} from "./controls.js";
import {element, keepEnter} from "./dom.js";

const PAUSE_MS = 400;  // a change of a slider or a text is reported after this pause

export function questions({items, texts, place, onAnswer}) {
  const entries = new Map(items.map((item) => [item.name, entry(item, texts, onAnswer)]));
  place.append(...[...entries.values()].map(({node}) => node));
  const shown = () => [...entries.values()].filter(({node}) => !node.hidden);
  return {
    show(answers, open) {
      place.hidden = Object.keys(answers).length === 0;
      for (const [name, question] of entries) {
        question.node.hidden = !(name in answers);
        if (!question.node.hidden) question.disable(!open);
      }
    },
    put(answers) {
      for (const [name, question] of entries) question.put(answers[name] ?? null);
    },
    mark(refused) {
      for (const [name, question] of entries) question.mark(refused[name] ?? null);
    },
    flush: () => shown().forEach((question) => question.flush()),
    wrong: () => shown().map((question) => ({name: question.name, why: question.complaint(), focus: question.focus})).filter(({why}) => why !== null),
    values: () => Object.fromEntries(shown().map((question) => [question.name, question.value()]).filter(([, value]) => value !== null)),
  };
}

function entry(item, texts, onAnswer) {
  const id = `question-${item.name}`;
  const why = element("p", {class: "mc-note mc-note-wrong", id: `${id}-why`, role: "alert", hidden: ""});
  const field = {choice: options, text: lines}[item.type]?.(item, id, changed) ?? amount(item, id, texts, changed);
  const note = [item.note, item.required ? "" : texts.optional].filter(Boolean).join(" ");
  const node = element("div", {class: "mc-ask", "data-question": item.name, hidden: ""},
    field.node, note && element("p", {class: "mc-quiet", id: `${id}-note`}, note), why);
  for (const input of node.querySelectorAll("input, textarea, fieldset")) {
    const others = input.getAttribute("aria-describedby");
    input.setAttribute("aria-describedby", [note && `${id}-note`, `${id}-why`, others].filter(Boolean).join(" "));
  }
  let lastValue = null;
  let timer = null;

  function changed() {
    mark(null);
    clearTimeout(timer);
    timer = setTimeout(flush, PAUSE_MS);
  }
  function flush() {
    clearTimeout(timer);
    const value = field.value();
    if (value === lastValue) return;
    lastValue = value;
    onAnswer?.(item.name, value);
  }
  function mark(reason) {
    why.textContent = reason ?? "";
    why.hidden = reason === null;
  }
  return {
    ...field,
    name: item.name,
    node,
    flush,
    mark,
    complaint() {
      if (field.value() !== null) return null;
      if (field.empty && !field.empty()) return field.problem();
      return item.required ? texts.unanswered : null;
    },
    put(value) {
      clearTimeout(timer);
      lastValue = value;
      mark(null);
      if (value === null) field.reset();
      else field.put(value);
    },
  };
}

// A number box, with a slider if the item has one.
function amount(item, id, texts, onChange) {
  const accepts = {kind: Number.isInteger(item.step) && item.step ? "whole" : "real", step: item.step || "any"};
  const field = control({name: id, label: item.text, accepts, words: texts, onChange});
  field.limit([item.least, item.most]);
  if (item.type === "number") field.node.querySelector("[type=range]").hidden = true;
  field.node.classList.toggle("mc-box-alone", item.type === "number" || item.least === null || item.most === null);
  return {...field, put: (value) => field.put(Number(value))};
}

function options(item, id, onChange) {
  const field = choice({name: id, label: item.text, option: (value) => item.options[value - 1], onChange});
  field.limit([1, item.options.length]);
  return field;
}

function lines(item, id, onChange) {
  const long = item.length > 120;
  const box = element(long ? "textarea" : "input", {class: "mc-comments", id, maxlength: item.length,
    ...(long ? {rows: 4} : {type: "text", autocomplete: "off"})});
  box.addEventListener("input", onChange);
  if (!long) keepEnter(box);
  return {
    node: element("div", {class: "mc-lines"}, element("label", {for: id}, item.text), box),
    value: () => (box.value.trim() === "" ? null : box.value),
    put(value) { box.value = value; },
    reset() { box.value = ""; },
    disable(flag) { box.disabled = flag; },
    focus: () => box.focus({preventScroll: true}),
  };
}
