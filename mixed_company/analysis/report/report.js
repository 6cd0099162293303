"use strict";
/* Replays of groups, unpacked on demand. */

async function unpacked(id) {
  const packed = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

async function open(button, place) {
  if (typeof DecompressionStream === "undefined") {
    place.textContent = "This browser is too old to show a replay (it lacks DecompressionStream).";
    return;
  }
  const [player, data] = await Promise.all([unpacked("replay-player"), unpacked(button.dataset.replay)]);
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
