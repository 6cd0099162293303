// The results page: a chart of the points so far, then a picture of the whole play, and the game's own
// comparison at the end.

import {chart, room, roundTop} from "./chart.js";

const setting = window.js_vars;
const place = document.getElementById("course");
if (place) place.append(...course(setting));
if (setting.history.length > 1) {
  const game = await import(`/static/${setting.game}/stage.js`);
  game.past(document.getElementById("past"), setting, setting.history);
  game.ending?.(document.getElementById("picture"), setting);
}

// The points after each period: the participant's, the others', and the best possible for comparison.
function course({course: {person, others, best}, periods, texts}) {
  const all = [...person, ...(others ?? []), ...(best?.points ?? [])];
  const step = roundTop(all.map(Math.abs)) / 4;
  return chart({
    periods,
    step,
    top: step * Math.max(Math.ceil(Math.max(...all) / step), 1),
    low: step * Math.min(Math.floor(Math.min(...all) / step), 0),
    line: {name: texts.your_points, colour: "var(--accent)", values: person},
    ghost: others && {name: texts.others_mean, colour: "var(--vermilion)", values: others},
    thin: best && {name: best.name, colour: "var(--ink)", values: best.points},
    words: {period: texts.period_word, table: texts.as_table, hidden: texts.not_shown},
    width: room(place),
  });
}
