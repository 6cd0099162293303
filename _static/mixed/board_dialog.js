// The dialog for the manager's actions on a person or group. It explains the chosen action and asks for one
// confirmation.
//
//   const act = dialog({node, words, send, tell});
//   act({name: "P3", kinds: ["message", "release"], whom: {participant: "x7"}});
//
// `send(directive)` returns the server's answer; `tell(sentence, wrong)` shows the outcome.

import {element, newId, text} from "./dom.js";

const FINAL = ["end", "release", "exclude"];
const SECONDS = 30;

export function dialog({node, words, send, tell}) {
  function open({name, kinds, whom}) {
    if (kinds.length === 1) question(kinds[0], name, whom);
    else draw(text(words.act_on, {name}), element("div", {class: "mc-choices"}, ...kinds.flatMap((kind) => choice(kind, name, whom))));
    node.showModal();
  }

  // A button, and a sentence that says what it will do.
  function choice(kind, name, whom) {
    const button = pressed(words[kind], () => question(kind, name, whom), FINAL.includes(kind) ? "mc-ends" : "");
    button.setAttribute("aria-describedby", `does-${kind}`);
    return [button, element("p", {class: "mc-quiet", id: `does-${kind}`}, effect(kind, name))];
  }

  const effect = (kind, name) => text(words[`say_${kind}`], {name});

  function draw(title, ...content) {
    node.replaceChildren(element("h2", {id: "dialog-title"}, title), ...content.filter(Boolean),
      element("div", {class: "mc-actions"}, pressed(words.cancel, () => node.close(), "mc-plain")));
    node.querySelector("input, textarea, button")?.focus();
  }

  function question(kind, name, whom) {
    const field = fields(kind);
    draw(words[kind], element("p", {}, effect(kind, name)), field);
    const confirm = pressed(words[kind], () => done(kind, name, whom, confirm), FINAL.includes(kind) ? "mc-final" : "");
    confirm.id = "confirm";
    node.querySelector(".mc-actions").prepend(confirm);
    (node.querySelector("input, textarea") ?? confirm).focus();
  }

  function fields(kind) {
    if (kind === "extend") return labelled(words.seconds, element("input", {name: "seconds", type: "number", min: 1, max: 3600, value: SECONDS}));
    if (kind === "message") return labelled(words.text, element("textarea", {name: "text", maxlength: 500, rows: 3}));
    return null;
  }

  async function done(kind, name, whom, confirm) {
    confirm.disabled = true;
    const directive = {kind, id: newId(), ...whom};
    const seconds = node.querySelector("[name=seconds]")?.value;
    const written = node.querySelector("[name=text]")?.value;
    if (seconds !== undefined) directive.seconds = Number(seconds);
    if (written !== undefined) directive.text = written;
    try {
      const answer = await send(directive);
      node.close();
      if (answer.kind === "ack") tell(text(words.done, {what: words[kind], name}), false);
      else tell(text(words.refused, answer), true);
    } catch (error) {
      confirm.disabled = false;
      tell(text(words.refused, {reason: error.message}), true);
    }
  }
  return open;
}

function labelled(name, control) {
  return element("label", {class: "mc-field"}, element("span", {}, name), control);
}

function pressed(name, onClick, style = "") {
  const node = element("button", {type: "button", class: `mc-button ${style}`}, name);
  node.addEventListener("click", onClick);
  return node;
}
