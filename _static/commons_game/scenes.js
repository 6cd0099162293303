// The lake of the instructions, with the numbers of the session: as it begins, with what all may take at
// most, after the period that is the example, and where it ends.

import {makeLake} from "./lake.js";

const NOBODY = -1;  // no boat is one's own before there is a group
const WIDEST = 700;

function lake({lake: setting, seats, stock, change = null, harvest = null}, texts) {
  const picture = makeLake({setting, seat: NOBODY, seats, texts, widest: WIDEST});
  picture.show({stock, change, harvest}, false);
  return picture.node;
}

export const scenes = {about: lake, decides: lake, happens: lake, ends: lake};
