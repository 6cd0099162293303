// What the players did, a number per seat: the points given or, if players take points out of a full pool,
// the points taken; null for a hidden one.

export function done({contribution}, {takes, endowments}) {
  if (!takes) return contribution;
  return contribution.map((value, seat) => (value === null ? null : endowments[seat] - value));
}
