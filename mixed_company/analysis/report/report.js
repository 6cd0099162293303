"use strict";
/* Tables and replays of groups, unpacked on demand. */

const OLD = "This browser is too old to show this (it lacks DecompressionStream).";

async function unpacked(id) {
  const packed = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

async function open(button, place) {
  if (typeof DecompressionStream === "undefined") {
    place.textContent = OLD;
    return;
  }
  const { game, replay } = button.dataset;
  const [player, ...parts] = await Promise.all(["replay-player", game, replay].map(unpacked));
  const data = JSON.stringify(Object.assign({}, ...parts.map((part) => JSON.parse(part))))
    .replaceAll("<", "\\u003c"); // which must not end the player's script
  const frame = document.createElement("iframe");
  frame.title = button.dataset.title;
  frame.sandbox = "allow-scripts";
  frame.srcdoc = player.replace("__DATA__", () => data);
  place.replaceChildren(frame);
}

for (const button of document.querySelectorAll("button[data-replay]")) {
  const place = document.getElementById(button.getAttribute("aria-controls"));
  button.hidden = false;
  button.addEventListener("click", async () => {
    const shown = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!shown));
    button.textContent = shown ? "Play this group" : "Close the replay";
    if (shown) place.replaceChildren(); else await open(button, place);
  });
}

for (const details of document.querySelectorAll("details[data-packed]")) {
  details.addEventListener("toggle", async () => {
    const content = typeof DecompressionStream === "undefined" ? OLD : await unpacked(details.dataset.packed);
    details.insertAdjacentHTML("beforeend", content);
  }, { once: true });
}
