// The results page: the whole play as a picture, and the game's own comparison at the end.

const setting = window.js_vars;
if (setting.history.length > 1) {
  const game = await import(`/static/${setting.game}/stage.js`);
  game.past(document.getElementById("past"), setting, setting.history);
  game.ending?.(document.getElementById("picture"), setting);
}
