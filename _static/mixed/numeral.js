// Numbers as people write them (1.5 or 1,5), and the plural form of a text for a number.

const SHAPE = /^([+\-\u2212]?)(\d*)(?:([.,])(\d*))?(e[+-]?\d+)?$/i;

const spoken = () => document.documentElement.lang || "en";
const points = new Map();
const rules = new Map();
const cached = (kept, make) => kept.get(spoken()) ?? kept.set(spoken(), make(spoken())).get(spoken());

// The decimal separator in the language of the page.
export const point = () => cached(points, (language) => (1.5).toLocaleString(language)[1]);

// The plural form of a text for a number, or for a number as it is written. `forms` has the forms for several
// counts, which cover all plural categories of the language.
export function formFor(forms, number) {
  const kinds = cached(rules, (language) => new Intl.PluralRules(language));
  const kind = (count) => kinds.select(Math.abs(count));
  const wanted = kind(typeof number === "string" ? meant(number).value : number);
  const counts = Object.keys(forms);
  return forms[counts.find((count) => kind(Number(count)) === wanted) ?? counts.at(-1)];
}

// A number as it is written into a box, with all its digits.
export const written = (value) => String(value).replace(".", point());

// The value of a text: {value}, or {unclear: [one, other]} if the text has two readings in the language of
// the page ("1,500" on an English page), or {} if it is not a number.
export function meant(entered) {
  const [, sign, whole, separator, part = "", power = ""] = entered.trim().match(SHAPE) ?? [];
  if (!whole && !part) return {};
  const read = (digits) => Number(`${sign === "\u2212" ? "-" : sign}${digits}`);
  const value = read(`${whole || 0}.${part || 0}${power}`);
  const thousands = /^[1-9]\d{0,2}$/.test(whole) && part.length === 3;
  if (separator && separator !== point() && thousands) return {unclear: [read(whole + part), value]};
  return {value};
}
