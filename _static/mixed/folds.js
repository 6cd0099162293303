// What is made anew keeps the keyboard on the fold where it was: of each place the one in the same row.

export function keepFocus(places, remake) {
  const folds = (place) => [...place.querySelectorAll("summary")];
  const held = places.find((place) => folds(place).includes(document.activeElement));
  const index = held ? folds(held).indexOf(document.activeElement) : -1;
  remake();
  if (held) folds(held)[index]?.focus({preventScroll: true});
}
