// The card of the board that says whether the session can begin: asked for by a button.

import {element} from "./dom.js";

export function findings({button, list, code, words}) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    list.replaceChildren(element("li", {}, words.looking));
    try {
      const answer = await fetch(`/session_preflight/${code}`);
      const seen = await answer.json();
      const lines = seen.findings ?? [{verdict: "look", sentence: seen.reason}];
      list.replaceChildren(...lines.map(({verdict, sentence}) =>
        element("li", {"data-verdict": verdict}, element("strong", {}, verdict), " ", sentence)));
    } catch (error) {
      list.replaceChildren(element("li", {}, error.message));
    }
    button.disabled = false;
  });
}
