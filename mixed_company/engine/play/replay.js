"use strict";
const play = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const last = play.periods.length;
let position = 0;
let timer = null;

function make(tag, attributes = {}, ...children) {
  const space = ["svg", "polyline", "line", "text"].includes(tag) && "http://www.w3.org/2000/svg";
  const element = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/* -- values ------------------------------------------------------------------------------ */

const short = (value) =>
  typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
const color = (index) => `hsl(${(index * 137.5 + 210) % 360} 60% 42%)`;

function codeColor(field, code) {
  const name = field.names[code - field.low];
  if (name === "empty" || name === "none") return "#fff";
  return name === "wall" ? "#6b7686" : color(code);
}

const kindOf = (name) => (name && name.startsWith("seat") ? "seat" : "");

function sign(name) {
  const number = name.match(/\d+$/);
  return name === "empty" || name === "wall" ? "" : number ? number[0] : name.slice(0, 2);
}

function scalar(field, value) {
  if (value === null) return make("span", { class: "unseen" }, "not shown");
  if (typeof value === "boolean") return value ? "yes" : "no";
  const name = field.names && field.names[value - field.low];
  return name === undefined ? make("span", { title: value }, String(short(value))) : `${name} (${value})`;
}

/* Return the minimum and the maximum of rows of numbers. */
function ends(rows) {
  const all = rows.flat().map(Number);
  return [all.reduce((left, right) => Math.min(left, right)), all.reduce((left, right) => Math.max(left, right))];
}

/* Return a colour from white to blue; negative values range from white to red. */
function shade(field, value, rows) {
  if (value === null) return "";
  const [minimum, maximum] = ends(rows);
  const low = field.low ?? minimum, high = field.high ?? maximum;
  const share = low < 0 ? Math.abs(value) / Math.max(-low, high) : (value - low) / (high - low);
  return high > low ? `hsl(${value < 0 ? 12 : 214} 75% ${100 - 35 * share}%)` : "";
}

function matrix(field, rows) {
  const head = make("tr", {}, make("th"), ...rows[0].map((_, place) => make("th", {}, String(place))));
  const body = rows.map((row, number) => make("tr", {}, make("th", {}, String(number)),
    ...row.map((value) => make("td", { style: `background:${shade(field, value, rows)}` }, scalar(field, value)))));
  return make("div", { class: "scroll" }, make("table", { class: "matrix" }, head, ...body));
}

function map(field, rows) {
  const grid = make("div", { class: "map", style: `grid-template-columns:repeat(${rows[0].length},auto)` });
  for (const value of rows.flat()) {
    const name = field.names && field.names[value - field.low];
    const plain = { ...field, low: 0, high: ends(rows)[1] };
    const paint = name === undefined ? (value < 0 ? "#fff" : shade(plain, value, rows)) : codeColor(field, value);
    const ink = name === undefined ? "#1c2430" : "#fff";
    const mark = make("b", { style: `background:${paint};color:${ink}`, class: kindOf(name) },
      name === undefined ? String(value) : sign(name));
    grid.append(make("span", { title: name ?? String(value) }, mark));
  }
  return make("div", { class: "scroll" }, grid);
}

function depth(value) { return Array.isArray(value) ? 1 + depth(value[0]) : 0; }

function codes(value) {
  return typeof value[0] === "number" ? value.indexOf(1) : value.map(codes);
}

/* Return an array as a number, a list, a table, a map, or a row of those. */
function shown(field, value) {
  if (field.one_hot) return shown({ ...field, one_hot: false, bulk: true }, codes(value));
  const deep = depth(value);
  if (deep === 0) return scalar(field, value);
  if (deep === 1) {
    return make("ul", { class: "vector" }, ...value.map((item, place) =>
      make("li", {}, make("small", {}, `${place}: `), scalar(field, item))));
  }
  if (deep === 2) return field.bulk && field.kind !== "real" ? map(field, value) : matrix(field, value);
  return make("div", {}, ...value.map((item, place) => make("figure", {}, shown(field, item),
    value.length > 1 ? make("figcaption", {}, `${field.of_seats ? "seat " : ""}${place}`) : "")));
}

function head(field) {
  const unit = field.unit ? ` (${field.unit})` : "";
  return make("th", { scope: "row" }, field.name + unit, make("small", {}, field.meaning));
}

/* -- one period --------------------------------------------------------------------------- */

function total(seat) {
  return play.periods.slice(0, position).reduce((sum, period) => sum + period.rewards[seat], 0);
}

function deeds(period) {
  if (!period) return "Nothing yet: this is the start.";
  const unit = (field) => field.name + (field.unit ? ` (${field.unit})` : "");
  const groups = [["", ["seat"]], ["did", play.fields.actions.map(unit)],
    ["earned", [...play.fields.components.map((field) => field.name), "all", "so far"]]];
  const above = groups.map(([text, names]) => make("th", { colspan: names.length, class: text && "group" }, text));
  const titles = groups.flatMap(([_, names]) => names.map((text, place) =>
    make("th", { scope: "col", class: place || text === "seat" ? "" : "start" }, text)));
  const rows = play.roles.map((role, seat) => make("tr", {},
    make("th", { scope: "row" }, `${seat}`, make("small", {}, role)),
    ...play.fields.actions.map((field) => {
      const [sent, used] = [period.sent[field.name][seat], period.used[field.name][seat]];
      const same = Number(sent) === Number(used);
      return make("td", { class: same ? "" : "changed" },
        ...(same ? [] : [String(short(sent) ?? "–"), " → "]), shown(field, used));
    }),
    ...play.fields.components.map((field) => make("td", {}, scalar({}, period.components[field.name][seat]))),
    make("td", {}, scalar({}, period.rewards[seat])), make("td", {}, scalar({}, total(seat)))));
  return make("table", {}, make("thead", {}, make("tr", {}, ...above), make("tr", {}, ...titles)),
    make("tbody", {}, ...rows));
}

const details = (event) => Object.entries(event)
  .filter(([key]) => key !== "event")
  .map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(", ") : short(value)}`)
  .join(", ");

function line(event) {
  return [make("strong", {}, event.event), details(event) ? `: ${details(event)}` : ""];
}

function happened(period) {
  if (!period || !period.events.length) return "None.";
  return make("ul", { class: "events" }, ...period.events.map((event) => make("li", {}, ...line(event))));
}

/* Show the messages or answers of this period; after the last one, also later ones. */
function present(id, entries, item) {
  byId(id).parentElement.hidden = !entries;
  const visible = (entries ?? []).filter(({ period }) => period === position - 1 || (position === last && period >= position));
  byId(id).replaceChildren(visible.length
    ? make("ul", { class: "events" }, ...visible.map((entry) => make("li", {}, ...item(entry))))
    : make("p", {}, "Nothing."));
}

function message(entry) {
  return [make("strong", {}, `seat ${entry.seat}${entry.to === null ? "" : ` to seat ${entry.to}`}`),
    `, ${entry.seconds} s: ${entry.text}`,
    entry.blocked ? " (blocked, not delivered)" : "",
    entry.reported_by ? ` (reported by seat ${entry.reported_by})` : ""];
}

function answer(entry) {
  return [make("strong", {}, `seat ${entry.seat}, ${entry.question}`), `: ${entry.text}`];
}

/* Show the true value of a field; of maps per seat, that of the chosen seat. */
function truth(field, value, seat) {
  if (!field.of_seats || depth(value) < 3) return shown(field, value);
  return make("figure", {}, shown(field, value[seat]), make("figcaption", {}, `of seat ${seat}`));
}

/* Return whether two values of the same shape differ. */
function differ(truth, seen) {
  if (Array.isArray(truth) !== Array.isArray(seen)) return false;
  if (Array.isArray(truth)) return truth.some((item, place) => differ(item, seen[place]));
  return seen === null || Number(truth) !== Number(seen);
}

function world(moment) {
  const seat = Number(byId("seat").value);
  const seen = Object.fromEntries(play.fields.observations.map((field) => {
    const value = moment.observations[field.name];
    return [field.name, { ...field, value: field.visibility === "private" ? value[seat] : value }];
  }));
  const all = [...play.fields.state.map((field) => field.name), ...Object.keys(seen)];
  const names = [...new Set(all)].filter((name) => !["period", "reason", "seat"].includes(name));
  const rows = names.map((name) => {
    const field = play.fields.state.find((candidate) => candidate.name === name);
    const sight = seen[name];
    const real = field ? truth(field, moment.state[name], seat) : make("span", { class: "unseen" }, "–");
    const view = sight ? shown(sight, sight.value) : make("span", { class: "unseen" }, "not shown");
    const differs = field && sight && differ(moment.state[name], sight.value);
    return make("tr", {}, head(sight || field), make("td", { "data-label": "true" }, real),
      make("td", { "data-label": `seen by seat ${seat}`, class: differs ? "changed" : "" }, view));
  });
  const titles = ["", "true", `seen by seat ${seat}`];
  return make("table", { class: "world" }, make("thead", {}, make("tr", {},
    ...titles.map((text) => make("th", { scope: "col" }, text)))), make("tbody", {}, ...rows));
}

function legend() {
  const field = play.fields.state.find((candidate) => candidate.bulk && candidate.names.length);
  if (!field) return "";
  return make("p", {}, ...field.names.map((name, index) => make("span", { class: "key" },
    make("i", { style: `background:${codeColor(field, index + field.low)}`, class: kindOf(name) }), name)));
}

function go(where) {
  position = Math.max(0, Math.min(last, where));
  const period = play.periods[position - 1];
  const text = period ? `Period ${position - 1} (0 … ${last - 1})` : "Start";
  byId("slider").value = position;
  byId("slider").setAttribute("aria-valuetext", text);
  byId("now").textContent = text;
  for (const id of ["first", "back"]) byId(id).disabled = position === 0;
  for (const id of ["on", "last"]) byId(id).disabled = position === last;
  byId("deeds").replaceChildren(deeds(period));
  byId("events").replaceChildren(happened(period));
  present("messages", play.messages, message);
  present("answers", play.answers, answer);
  byId("when").textContent = `${period ? "After this period" : "Before the first period"}` +
    `${position < last ? `; seats decide period ${position} with this view` : ""}. Marked: the view differs from the true value.`;
  byId("world").replaceChildren(legend(), world(period || play.start));
  for (const marker of document.querySelectorAll("svg line")) {
    for (const end of ["x1", "x2"]) marker.setAttribute(end, last ? (300 * position) / last : 0);
  }
  if (position === last) pause();
}

/* -- over time ---------------------------------------------------------------------------- */

function chart(name, meaning, series, labels) {
  const [low, high] = ends(series);
  const y = (value) => 95 - (90 * (value - low)) / (high - low || 1);
  const lines = series.map((values, index) => make("polyline", { stroke: color(index),
    points: values.map((value, place) => `${(300 * place) / last},${y(value)}`).join(" ") }));
  const svg = make("svg", { viewBox: "0 0 300 100", preserveAspectRatio: "none", role: "img",
    "aria-label": `${name}: between ${short(low)} and ${short(high)}` }, ...lines,
    make("line", { y1: 0, y2: 100, stroke: "#1c2430", "stroke-dasharray": "3 3", "vector-effect": "non-scaling-stroke" }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(Math.round((last * (event.clientX - box.left)) / box.width));
  });
  const keys = labels.map((label, index) => make("span", { class: "key" },
    make("i", { style: `background:${color(index)}` }), label));
  return make("figure", {}, make("figcaption", {}, make("strong", {}, name),
    ` ${short(low)} … ${short(high)}`, make("small", {}, ` ${meaning}`)), svg, make("div", { class: "quiet" }, ...keys));
}

function charts() {
  const moments = [play.start, ...play.periods];
  const sums = play.roles.map((_, seat) => {
    let sum = 0;
    return moments.map((moment) => (sum += moment.rewards ? moment.rewards[seat] : 0));
  });
  const still = [];
  byId("charts").append(chart("points so far", "by seat", sums, play.roles.map((_, seat) => `seat ${seat}`)));
  for (const field of play.fields.state) {
    const size = field.shape.length === 0 ? 1 : field.shape[0];
    if (field.bulk || field.names.length || field.shape.length > 1 || ["period", "reason"].includes(field.name)) continue;
    const series = Array.from({ length: size }, (_, place) =>
      moments.map((moment) => Number(field.shape.length ? moment.state[field.name][place] : moment.state[field.name])));
    if (series.every((values) => values.every((value) => value === values[0]))) { still.push(field.name); continue; }
    const labels = field.shape.length ? series.map((_, place) => `${field.of_seats ? "seat " : ""}${place}`) : [];
    byId("charts").append(chart(field.name + (field.unit ? ` (${field.unit})` : ""), field.meaning, series, labels));
  }
  byId("still").textContent = still.length ? `Constant: ${still.join(", ")}.` : "";
}

/* -- the page ----------------------------------------------------------------------------- */

function pause() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "Play";
}

function toggle() {
  if (timer !== null) { pause(); return; }
  if (position === last) go(0);
  timer = setInterval(() => go(position + 1), 700);
  byId("play").textContent = "Pause";
}

function listEvents() {
  for (const [number, period] of play.periods.entries()) {
    for (const event of period.events) {
      const jump = make("button", {}, `Period ${number}`);
      jump.addEventListener("click", () => go(number + 1));
      byId("log").append(make("li", {}, jump, " ", ...line(event)));
    }
  }
}

function start() {
  byId("title").textContent = play.title;
  byId("summary").textContent = play.summary;
  byId("slider").max = last;
  byId("wrong").hidden = !play.wrong.length;
  byId("wrong").querySelector("ul").append(...play.wrong.map((text) => make("li", {}, text)));
  byId("seat").append(...play.roles.map((_, seat) => make("option", { value: seat }, String(seat))));
  byId("log").parentElement.addEventListener("toggle", listEvents, { once: true });
  const columns = ["", "value", "unit", "symbol", "range", "meaning"].map((text) => make("th", { scope: "col" }, text));
  byId("config").append(make("table", { class: "config" }, make("thead", {}, make("tr", {}, ...columns)), ...play.config.map((row) =>
    make("tr", {}, make("th", { scope: "row" }, row[0]), ...row.slice(1).map((text) => make("td", {}, text))))));
  if (last) charts();
  const moves = { first: () => go(0), back: () => go(position - 1), on: () => go(position + 1), last: () => go(last), play: toggle };
  for (const [id, move] of Object.entries(moves)) byId(id).addEventListener("click", move);
  byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("seat").addEventListener("change", () => go(position));
  document.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: moves.back, ArrowRight: moves.on, Home: moves.first, End: moves.last };
    const busy = event.target.closest("input, select, .scroll") || event.ctrlKey || event.altKey || event.metaKey;
    const space = event.key === " " && !event.target.closest("button, summary");
    const move = busy ? null : space ? toggle : keys[event.key];
    if (move) { event.preventDefault(); move(); }
  });
  go(0);
}

start();
