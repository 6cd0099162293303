// A number as people write it: 1.5 or 1,5; and which form of a text goes with it.

const SHAPE = /^([+\-\u2212]?)(\d*)(?:([.,])(\d*))?(e[+-]?\d+)?$/i;

const spoken = () => document.documentElement.lang || "en";
const points = new Map();
const rules = new Map();
const known = (kept, make) => kept.get(spoken()) ?? kept.set(spoken(), make(spoken())).get(spoken());

// What separates decimals in the language of the page.
export const point = () => known(points, (language) => (1.5).toLocaleString(language)[1]);

// The form of a text for a number of things, or for one as it is written; `forms` has one for each of some
// counts, of all kinds of whole numbers that a language tells apart.
export function formFor(forms, number) {
  const kinds = known(rules, (language) => new Intl.PluralRules(language));
  const kind = (count) => kinds.select(Math.abs(count));
  const own = kind(typeof number === "string" ? meant(number).value : number);
  const counts = Object.keys(forms);
  return forms[counts.find((count) => kind(Number(count)) === own) ?? counts.at(-1)];
}

// A number as it is written into a box, with all its digits.
export const written = (value) => String(value).replace(".", point());

// What was meant by a text: {value}, or {unclear: [one, other]} where the page's own language does
// not say which of two numbers it is ("1,500" on an English page); {} if it is no number.
export function meant(entered) {
  const [, sign, whole, separator, part = "", power = ""] = entered.trim().match(SHAPE) ?? [];
  if (!whole && !part) return {};
  const read = (digits) => Number(`${sign === "\u2212" ? "-" : sign}${digits}`);
  const value = read(`${whole || 0}.${part || 0}${power}`);
  const thousands = /^[1-9]\d{0,2}$/.test(whole) && part.length === 3;
  if (separator && separator !== point() && thousands) return {unclear: [read(whole + part), value]};
  return {value};
}
