// The countdown "three, two, one" before the play, once everybody has arrived. Meanwhile the stage is
// already visible.

import {element, text} from "./dom.js";

// Returns a function of the milliseconds left; null hides the countdown.
export function countdown({stage, words}) {
  const count = element("strong", {});
  const status = element("p", {class: "mc-hidden", role: "status"});
  const node = element("div", {class: "mc-countdown", "aria-hidden": "true", hidden: ""}, count, element("span", {}, words.ready));
  stage.append(node, status);
  return (left) => {
    const seconds = left === null ? 0 : Math.ceil(left / 1000);
    node.hidden = seconds === 0;
    if (seconds === 0 || count.textContent === String(seconds)) return;
    if (status.textContent === "") status.textContent = text(words.starting, {n: seconds});  // announced only once
    count.textContent = seconds;
  };
}
