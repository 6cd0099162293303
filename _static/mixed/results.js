// The results page: the play once more as a picture, and what the game itself has to show at the end.

const setting = window.js_vars;
if (setting.history.length > 1) {
  const game = await import(`/static/${setting.game}/stage.js`);
  game.past(document.getElementById("past"), setting, setting.history);
  game.ending?.(document.getElementById("picture"), setting);
}
