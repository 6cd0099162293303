// A number per seat for what the player did: the points given or, if players take points out of a full pool,
// the points taken. It is null if it is hidden.

export function done({contribution}, {takes, endowments}) {
  if (!takes) return contribution;
  return contribution.map((value, seat) => (value === null ? null : endowments[seat] - value));
}
