// The settings of a session config on the form: search, folds, and marks on changed settings.

import {keepEnter} from "./dom.js";

// Makes the search of freshly loaded settings work. A search shows the settings that contain all of its
// words, in unfolded themes; an empty search folds them as before.
export function searchable(root) {
  const box = root.querySelector("[type=search]");
  const status = root.querySelector("[role=status]");
  const rows = [...root.querySelectorAll(".mc-key")];
  const folds = [...root.querySelectorAll("details")];
  let before = null;  // the folds that were open before the search

  function search() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    for (const theme of root.querySelectorAll(".mc-theme")) theme.hidden = !theme.querySelector(".mc-key:not([hidden])");
    before ??= folds.filter((fold) => fold.open);
    for (const fold of folds) fold.open = words.length > 0 || before.includes(fold);
    if (words.length === 0) before = null;
    const matching = rows.filter((row) => !row.hidden).length;
    status.textContent = words.length === 0 ? "" : `${matching} of ${rows.length} settings`;
  }

  box.addEventListener("input", search);
  root.addEventListener("input", () => mark(root));
  keepEnter(box);
}

// Shows a control that a search hides or a theme folds.
export function reveal(control) {
  const root = control.closest("#session-fields");
  const box = root?.querySelector("[type=search]");
  if (control.closest("[hidden]") && box) {
    box.value = "";
    box.dispatchEvent(new Event("input"));
  }
  const fold = control.closest("details");
  if (fold) fold.open = true;
}

// Marks the settings that differ from the session config, and counts them in the title of a fold.
function mark(root) {
  for (const row of root.querySelectorAll(".mc-key")) row.toggleAttribute("data-changed", differs(row.querySelector("input, select")));
  for (const fold of root.querySelectorAll("details")) {
    const changed = fold.querySelectorAll("[data-changed]").length;
    fold.querySelector(".mc-changed").textContent = changed ? `${changed} changed` : "";
  }
}

function differs(control) {
  if (control.type === "checkbox") return control.checked !== control.defaultChecked;
  if (control.options) return [...control.options].some((option) => option.selected !== option.defaultSelected);
  return control.value !== control.defaultValue;
}

// Returns a sentence about the groups that this many participants form, and whether all groups are full.
export function groupsFilled(people, size, outcome) {
  if (!(size > 1)) return {sentence: "", fills: true};
  if (!(people > 0)) return {sentence: `Groups of ${size}: choose ${size}, ${2 * size}, ${3 * size} \u2026`, fills: true};
  const whole = Math.floor(people / size);
  const left = people % size;
  const groups = `${whole} ${whole === 1 ? "group" : "groups"} of ${size}`;
  if (left === 0) return {sentence: `${groups}.`, fills: true};
  const problem = whole ? `${groups}, and ${left} ${left === 1 ? "person" : "people"} left over.` : `Too few people for a group of ${size}.`;
  const choice = whole ? `${people - left} or ${people - left + size}` : size;
  return {sentence: `${problem} ${OVER[outcome] ?? ""} Choose ${choice} to fill all groups.`, fills: false};
}

// The text about what happens to people who do not fill a whole group, by `lobby_outcome`.
const OVER = {
  bots: "After the wait in the lobby, bots take the empty seats.",
  extend: "After twice the wait in the lobby, bots take the empty seats.",
  release: "After the wait in the lobby, these people are paid and leave.",
};
