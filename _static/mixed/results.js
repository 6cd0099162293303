// The results page: the play once more as a picture.

const setting = window.js_vars;
if (setting.history.length > 1) {
  const game = await import(`/static/${setting.game}/stage.js`);
  game.past(document.getElementById("past"), setting, setting.history);
}
