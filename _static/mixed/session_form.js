// The form that creates a session. An error appears beside its field.

import {element} from "./dom.js";
import {groupsFilled, reveal, searchable} from "./session_settings.js";

const form = document.getElementById("form");
const chosen = form.elements.session_config;
const button = document.getElementById("btn-create-session");
const progress = document.getElementById("create-session-progress");
const problem = document.getElementById("create-session-error");
const socket = window.makeReconnectingWebSocket("/create_session");
const shown = document.getElementById("session-fields");
const whole = document.getElementById("whole-groups");
const edited = new Map();  // session config -> its form fields, as last edited

// Shows the fields of the chosen session config. Until they are loaded no session can be created,
// because the server would treat a missing checkbox as unchecked.
async function choose() {
  const name = chosen.value;
  refuse({}, []);
  shown.replaceChildren();
  over();
  try {
    if (!edited.has(name)) edited.set(name, await fetched(name));
  } catch (error) {
    if (chosen.value === name) refuse({}, [`The settings of ${name} could not be loaded (${error.message}). Reload the page to try again.`]);
    return;
  }
  if (chosen.value !== name) return;
  shown.replaceChildren(edited.get(name));
  over();
  countGroups();
}

// Shows beside the number of participants whether it fills all groups.
function countGroups() {
  const value = (key) => shown.querySelector(`[data-key=${key}] :is(input, select)`)?.value;
  const {sentence, fills} = groupsFilled(Number(form.elements.num_participants.value), Number(value("people_per_group")), value("lobby_outcome"));
  if (whole.textContent !== sentence) whole.textContent = sentence;
  whole.classList.toggle("mc-refused", !fills);
}

async function fetched(name) {
  const response = await fetch(`/session_form/${encodeURIComponent(name)}`);
  if (response.redirected) throw new Error("you are no longer logged in");
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const fields = element("div", {});
  fields.innerHTML = await response.text();
  searchable(fields);
  return fields;
}

function refuse(fields, others) {
  for (const node of form.querySelectorAll("[role=alert].mc-refused")) node.textContent = "";
  const rest = [...others];
  let first = null;
  for (const [name, why] of Object.entries(fields)) {
    const row = shown.querySelector(`[data-key="${name}"]`);
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
  if (first) reveal(first);
  first?.focus();
}

function over(sentence = "") {
  button.disabled = !shown.hasChildNodes();
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
  socket.send(JSON.stringify(Object.fromEntries(new FormData(form))));
});
form.addEventListener("input", countGroups);
form.addEventListener("invalid", ({target}) => reveal(target), true);  // so that the browser can point at it
chosen.addEventListener("change", choose);
choose();
