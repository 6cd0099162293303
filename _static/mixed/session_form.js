// The form in which a session is created. A refusal stands beside the field that it is about.

import {element} from "./dom.js";

const form = document.getElementById("form");
const chosen = form.elements.session_config;
const button = document.getElementById("btn-create-session");
const progress = document.getElementById("create-session-progress");
const problem = document.getElementById("create-session-error");
const socket = window.makeReconnectingWebSocket("/create_session");
const own = () => form.querySelector(`[data-config="${chosen.value}"]`);

function choose() {
  for (const config of form.querySelectorAll("[data-config]")) config.hidden = config.dataset.config !== chosen.value;
  refuse({}, []);
}

// Of the fields of all session configs, those of the one that is chosen.
function filled() {
  const others = [...form.querySelectorAll("[data-config]")].map((config) => `${config.dataset.config}.`);
  const entries = [...new FormData(form)].filter(([name]) =>
    name.startsWith(`${chosen.value}.`) || !others.some((other) => name.startsWith(other)));
  return Object.fromEntries(entries);
}

function refuse(fields, others) {
  for (const node of form.querySelectorAll(".mc-refused")) node.textContent = "";
  const rest = [...others];
  let first = null;
  for (const [name, why] of Object.entries(fields)) {
    const row = own()?.querySelector(`[data-key="${name}"]`);
    const place = row?.querySelector(".mc-refused") ?? document.getElementById(`refused-${name}`);
    if (place) {
      place.textContent = why;
      first ??= row?.querySelector("input, select") ?? form.elements[name];
    } else {
      rest.push(`${name} = ${why}`);
    }
  }
  problem.hidden = rest.length === 0;
  problem.replaceChildren(...rest.map((line) => element("p", {}, line)));
  const details = first?.closest("details");
  if (details) details.open = true;
  first?.focus();
}

function over(sentence = "") {
  button.disabled = false;
  progress.textContent = sentence;
}

socket.onmessage = ({data}) => {
  const answer = JSON.parse(data);
  if (answer.progress) {
    progress.textContent = answer.progress;
  } else if (answer.session_url) {
    over();
    window.location.href = answer.session_url;
  } else if (answer.validation_errors) {
    over();
    const errors = answer.validation_errors;
    refuse(typeof errors === "string" ? {} : errors, typeof errors === "string" ? [errors] : []);
  } else {
    over();
    refuse(answer.fields ?? {}, answer.others ?? [answer.error ?? data]);
  }
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  refuse({}, []);
  button.disabled = true;
  progress.textContent = "\u2026";
  socket.send(JSON.stringify(filled()));
});
chosen.addEventListener("change", choose);
choose();
