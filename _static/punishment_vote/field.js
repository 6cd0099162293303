// Which cells a board shows, and what is known of each.
//
// The whole field, if it is small enough, so that it stays where it is while one walks; of a large
// one a part that follows. Where a seat is not told where it stands, its window alone.

const MOST = 16;  // rows or columns of which a phone still shows the worth

// The code of each cell; undefined where it is not shown.
export function codes(window) {
  return window.map((row) => row.map((cell) => (cell.includes(1) ? cell.indexOf(1) : undefined)));
}

// The part of the field on the picture: {rows, columns}, in cells, and where it begins for a seat
// that stands at [row, column].
export function camera({height, width, vision}, placed) {
  const side = 2 * vision + 1;
  const size = (whole) => (placed ? Math.min(whole, Math.max(MOST, side)) : side);
  const [rows, columns] = [size(height), size(width)];
  const from = (at, shown, whole) => Math.max(0, Math.min(at - Math.floor(shown / 2), whole - shown));
  return {rows, columns, begin: ([row, column]) => (placed ? [from(row, rows, height), from(column, columns, width)] : [0, 0])};
}

// What a seat sees of the field around the cell where it stands, and what it remembers: a function
// of a cell, [row, column], to {code, how}; `how` is seen, remembered or fog.
export function sight({height, width, vision}, means, window, place, placed, {remembered, last_seen: times}) {
  const wall = means.findIndex(({type}) => type === "wall");
  const edge = (row, column) => placed && (row === 0 || column === 0 || row === height - 1 || column === width - 1);
  return (row, column) => {
    const code = window[row - place[0] + vision]?.[column - place[1] + vision];
    if (code !== undefined) return {code, how: "seen"};
    if (edge(row, column)) return {code: wall, how: "seen"};  // a wall stays where it is
    if (!placed || (times?.[row]?.[column] ?? -1) < 0) return {code: undefined, how: "fog"};
    return {code: remembered[row][column], how: "remembered"};
  };
}
