// The lake in the instructions, with the session's numbers: at the start with the largest possible harvest,
// after the example period, and at the end.

import {makeLake} from "./lake.js";

const NOBODY = -1;  // no boat is the participant's before the group is formed
const WIDEST = 700;

function lake({lake: setting, seats, stock, change = null, harvest = null}, texts) {
  const picture = makeLake({setting, seat: NOBODY, seats, texts, widest: WIDEST});
  picture.show({stock, change, harvest}, false);
  return picture.node;
}

export const scenes = {about: lake, decides: lake, happens: lake, ends: lake};
