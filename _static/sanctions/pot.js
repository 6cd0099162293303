// The players around the common pot, with the participant at the bottom. Each player has a stack of coins,
// the points given last period, and a line at the expected contribution. The thickness of a tie shows the
// trust in the player at its end. The thickness of an arrow from the pot to a player shows the points that
// the player loses.
// Coins, numbers and names are on the far side of a badge, so that no arrow crosses them.
//
// A period is animated in little more than a second: the coins go into the pot, then the arrows appear.

import {badge, element, number, seatName, signed, svg, text} from "../mixed/dom.js";
import {periodsShown, stageOf} from "../mixed/peers.js";
import {arrow} from "./arrow.js";
import {done} from "./done.js";

const NARROW = 520;
const WIDEST = 720;
const MOST_APART = 6;  // players whose names and coins fit on a narrow screen
const MOST_PAIRED = 4;  // with more players, a wide screen shows only the ties to the participant
const MOST_SEATS = 12;  // with more players, only the pot is drawn
const COINS = 10;  // for the largest contribution
const COIN = 4;
const TIE = 10;  // width of a tie at full trust

const LINE = 17;  // height of the line below the participant's name
const NAME = 44;  // half the width of the pot's name

const UNSEEN = "?";

export function pot({setting, seat, texts}) {
  const picture = svg("svg", {class: "pot", role: "img"});
  const key = element("ul", {class: "mc-legend", "aria-hidden": "true"});
  const node = element("figure", {class: "pot-frame"}, picture, key);
  let [drawn, before] = [null, null];

  function draw() {
    const {changed, trust, seats} = drawn;
    const width = Math.min(Math.max(node.clientWidth || 600, 280), WIDEST);
    const tight = width < NARROW;
    const small = tight && seats.length > MOST_APART;
    const many = seats.length > MOST_SEATS;
    const height = many ? 150 : heightFor(seats.length, tight);
    const spots = places(seats.length, seat, width, height, {tight, small});
    const badges = spots.map((spot) => spot.badge);
    const all = !tight && seats.length <= MOST_PAIRED;
    const pairs = seats.flatMap((_, first) => seats.map((_, second) => [first, second]))
      .filter(([first, second]) => first !== second && (all || first === seat || second === seat));
    const ties = setting.trusts ? pairs.map(([truster, trusted]) => tie(badges[truster], badges[trusted], trust[truster][trusted])) : [];
    const size = tight ? 30 : 42;
    const middle = [width / 2, height / 2 - 14];
    const shape = {largest: setting.is_factor ? 50 : setting.most / 2, gap: small ? 14 : 22, bend: 0, apart: 0};
    const losses = badges.flatMap((end, loser) => (changed[loser] < 0 ? arrow(start(middle, end, size, shape.gap), end, changed[loser], shape) : []));
    picture.setAttribute("viewBox", `0 0 ${width} ${height + (many || !setting.is_pool ? 0 : LINE)}`);
    picture.replaceChildren(vessel(middle, size, drawn, setting, texts));
    key.replaceChildren(...(many ? [] : legend(drawn, setting, texts)));
    if (many) return;
    picture.prepend(...ties, svg("g", {class: "pot-losses"}, ...losses));
    picture.append(...seats.map((member, index) => player(member, spots[index], changed[index], small)));
  }

  // A player: badge, coins, number, the points lost or gained, and the name below.
  function player({seat: other, you, occupant}, spot, changed, small) {
    const {place: [x, y], badge: [badgeX, badgeY]} = spot;
    const size = small ? 22 : 28;
    const shape = badge(other);
    for (const [name, value] of Object.entries({x: badgeX - size / 2, y: badgeY - size / 2, width: size, height: size})) shape.setAttribute(name, value);
    const ring = you ? svg("circle", {cx: badgeX, cy: badgeY, r: size / 2 + 5, class: "net-own"}) : null;
    const back = (below) => (you && drawn.back ? svg("text", {x: badgeX, y: y + below, class: "pot-name pot-more"}, text(texts.pot_back, {x: number(drawn.back)})) : null);
    const spots = small ? under(spot, you) : spot.stacked ? below(spot) : beside(spot);
    const sign = changed < 0 ? "pot-change pot-less" : "pot-change pot-more";
    const words = [
      svg("text", {...spots.amount, class: "pot-amount"}, drawn.played ? number(drawn.amounts[other]) ?? UNSEEN : ""),
      svg("text", {...spots.change, class: sign}, isChange(changed) ? written(changed) : ""),
    ];
    if (small) return svg("g", {class: "pot-player"}, ring, shape, ...words, back(43 + LINE));
    const amount = drawn.played ? drawn.amounts[other] : 0;
    const expected = setting.remembers && setting.with_baseline && amount !== null ? drawn.baseline[other] : null;
    const tag = you ? null : {policy: texts.bot, person: texts.person, nobody: texts.left}[occupant];
    return svg("g", {class: "pot-player"}, ring, shape, ...stack(spots.stack, y + 12, amount, expected), ...words,
      svg("text", {...spots.name, class: "pot-name", "data-you": you}, seatName(other, seat, texts)),
      tag ? svg("text", {...spots.name, y: spots.name.y + 14, class: "pot-tag"}, tag) : null, back(31 + LINE));
  }

  const height = (points) => (COINS * COIN * Math.max(Math.min(points / setting.most, 1), 0));

  // A player's coins, in the space that a full stack would take, with the line at the expected
  // contribution.
  function stack(x, foot, amount, expected) {
    const coins = amount > 0 ? Math.max(Math.round(height(amount) / COIN), 1) : 0;
    return [
      svg("rect", {x: x - 9, y: foot - COINS * COIN - 2, width: 18, height: COINS * COIN + 4, rx: 4, class: "pot-place"}),
      ...Array.from({length: coins}, (_, index) => svg("ellipse", {cx: x, cy: foot - COIN * (index + 0.5), rx: 8, ry: 3, class: "pot-coin"})),
      expected === null ? null : svg("path", {d: `M${x - 11} ${foot - height(expected)}h22`, class: "pot-expected"}),
    ].filter(Boolean);
  }

  const isChange = (value) => value !== null && signed(value) !== "0";

  // In per cent if effects multiply earnings.
  const written = (value) => (setting.is_factor ? text(texts.percent, {p: signed(value)}) : signed(value));

  // A text version of the picture.
  function described({amounts, changed, seats, total, played}) {
    if (!played) return texts.pot_empty;
    const visible = seats.filter(({seat: other}) => amounts[other] !== null);
    if (visible.length === 0) return texts.players_hidden;
    const players = visible.map(({seat: other}) => {
      const change = changed[other];
      const words = !isChange(change) ? texts.pot_gave : change < 0 ? texts.pot_lost : texts.pot_gained;
      return text(words, {player: seatName(other, seat, texts), given: number(amounts[other]), points: written(Math.abs(change)).replace("+", "")});
    });
    return text(texts.pot_text, {total: number(total) ?? texts.not_shown, players: players.join("; ")});
  }

  addEventListener("resize", () => drawn && draw());
  return {
    node,
    show(view) {
      const {last, seats, shown, observation: {baseline, trust}} = view;
      const periods = periodsShown(view);
      const next = {
        played: periods > 0, amounts: done(view.observation, setting), changed: shown.changed, trust, baseline, total: shown.together,
        seats: seats.map(({seat: other, you, occupant}) => ({seat: other, you, occupant})),
        back: setting.is_pool && !stageOf(view) ? last?.components.production ?? 0 : 0,
      };
      const fresh = periods - 1 === before;
      before = periods;
      if (JSON.stringify(next) === JSON.stringify(drawn)) return;
      drawn = next;
      draw();
      picture.setAttribute("aria-label", described(next));
      if (fresh) play(picture, setting.takes);
    },
  };
}

// Height in pixels with room for a name below each player.
function heightFor(count, tight) {
  if (!tight) return count > MOST_APART ? 390 : 310;
  return count > MOST_APART ? 300 : count > MOST_PAIRED ? 346 : 262;
}

// The positions of players and badges: players around the middle, with the participant at the
// bottom, and badges on the side towards the middle. On a narrow screen, players at the side are at
// its edge, with their numbers below the coins.
function places(count, seat, width, height, {tight, small}) {
  const [across, up] = small ? [width / 2 - 26, height / 2 - 55] : [Math.min(width / 2 - (tight ? 36 : 76), 250), height / 2 - 46];
  return Array.from({length: count}, (_, other) => {
    const angle = Math.PI * (0.5 + (2 * ((other - seat + count) % count)) / count);
    const place = [width / 2 + across * Math.cos(angle), height / 2 - 6 + up * Math.sin(angle)];
    const [side, upright] = [Math.cos(angle) < -0.1 ? -1 : 1, Math.abs(Math.cos(angle)) < 0.1];
    const stacked = tight && !upright;
    if (small) return {place, side, badge: place, upper: Math.sin(angle) < -0.1};
    if (upright) place[0] += 18;
    if (stacked) place[0] = width / 2 + side * across;
    if (stacked && Math.sin(angle) > 0) place[1] -= 0.4 * up * Math.sin(angle);
    return {place, side, stacked, badge: [place[0] - side * (stacked ? 12 : 18), place[1] - 6]};
  });
}

// The positions of a player's coins and words: coins away from the middle, words below the coins,
// or below the badge.
function beside({place: [x, y], side}) {
  const [stack, anchor] = [x + side * 12, {"text-anchor": side > 0 ? "start" : "end"}];
  const amount = {x: stack + side * 16, y: y + 12, ...anchor};
  return {stack, amount, change: {...amount, y: y - 12}, name: {x: stack - side * 9, y: y + 31, ...anchor}};
}

function below({place: [x, y], side}) {
  return {stack: x + side * 14, amount: {x, y: y + 31}, change: {x, y: y + 46}, name: {x: x + side * 34, y: y + 61, "text-anchor": side > 0 ? "end" : "start"}};
}

function under({place: [x, y], upper}, you) {
  const first = upper ? y - 30 : y + (you ? 29 : 25);
  return {amount: {x, y: first}, change: {x, y: first + 14}};
}

// The half of a tie that is next to the trusted player, or nothing if the trust is hidden.
function tie([x, y], [endX, endY], trust) {
  return trust === null ? "" : svg("path", {d: `M${(x + endX) / 2} ${(y + endY) / 2}L${endX} ${endY}`, class: "pot-tie", "stroke-width": 0.5 + TIE * trust});
}

// The start of an arrow from the pot: `gap` short of the edge of the pot, or of the name below it.
function start([x, y], [endX, endY], size, gap) {
  const [dx, dy] = [endX - x, endY - y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const leaves = (half, vertical) => Math.min(half / Math.abs(ux || 1e-9), vertical / Math.abs(uy || 1e-9));
  const through = size * 0.6 * Math.abs(ux) < NAME * uy;
  const edge = through ? leaves(NAME, size * 0.62 + 22) : leaves(size + 4, size * 0.9);
  return [x + ux * (edge - gap), y + uy * (edge - gap)];
}

// The pot with the sum of all contributions.
function vessel([x, y], size, {total: left, played, seats}, setting, texts) {
  const full = setting.takes && !played;
  const total = full ? setting.endowments.reduce((before, points) => before + points, 0) : left;
  const sum = played || full ? number(total) ?? UNSEEN : "";
  const share = total > 0 ? Math.min(total / (setting.most * seats.length), 1) : 0;
  const heap = Array.from({length: Math.ceil(share * 9)}, (_, index) => svg("ellipse", {
    cx: (index % 3 - 1) * size * 0.45, cy: -size * 0.42 - COIN * Math.floor(index / 3), rx: size * 0.24, ry: size * 0.1, class: "pot-coin"}));
  return svg("g", {class: "pot-vessel", transform: `translate(${x} ${y})`},
    svg("ellipse", {cy: -size * 0.4, rx: size, ry: size * 0.28, class: "pot-rim"}), ...heap,
    svg("path", {d: "M-1 -0.4A1 0.28 0 0 0 1 -0.4C0.95 0.9 -0.95 0.9 -1 -0.4z", transform: `scale(${size})`, class: "pot-body"}),
    svg("text", {y: size * 0.28, class: "pot-sum"}, sum),
    svg("text", {y: size * 0.62 + 14, class: "pot-name"}, sum === "" ? "" : full ? texts.pot_full : texts.pot));
}

// The legend of the picture.
function legend({amounts, trust, changed}, setting, texts) {
  const isSeen = (values) => values.flat().some((value) => value !== null);
  const item = (picture, words) => element("li", {}, svg("svg", {viewBox: "0 0 24 12", width: 24, height: 12}, ...[picture].flat()), words);
  const line = (attributes) => svg("path", {d: "M1 6h22", ...attributes});
  return [
    isSeen(amounts) && item(svg("ellipse", {cx: 12, cy: 6, rx: 8, ry: 3, class: "pot-coin"}), text(texts.key_coin, {n: number(setting.most / COINS)})),
    isSeen(amounts) && setting.remembers && setting.with_baseline && item(line({class: "pot-expected"}), texts.expected_line),
    setting.trusts && isSeen(trust) && item(line({class: "pot-tie", "stroke-width": 5}), texts.trusted),
    setting.remembers && isSeen(changed) && item([svg("path", {d: "M1 6h13", class: "net-arrow net-takes", "stroke-width": 2.5}),
      svg("path", {d: "M23 6l-10 -5v10z", class: "net-head net-takes"})], texts.key_loses),
  ].filter(Boolean);
}

const COINS_MS = 500;
const NEXT_MS = 25;
const SHOWN_MS = 300;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// `out`: the coins come out of the pot.
function play(picture, out) {
  if (still.matches) return;
  const end = picture.querySelector(".pot-rim").getBoundingClientRect();
  for (const stack of picture.querySelectorAll(".pot-player")) {
    [...stack.querySelectorAll(".pot-coin")].reverse().forEach((coin, index) => go(coin, end, index * NEXT_MS, out));
  }
  const late = {delay: COINS_MS + COINS * NEXT_MS, duration: SHOWN_MS, fill: "backwards"};
  for (const node of picture.querySelectorAll(".pot-losses, .pot-change, .pot-more")) node.animate([{opacity: 0}, {opacity: 1}], late);
}

// A copy of a coin that moves into the pot, or `out` of it, while the original stays with its player.
function go(coin, end, delay, out) {
  const start = coin.getBoundingClientRect();
  const scale = coin.ownerSVGElement.getScreenCTM().a;
  const twin = coin.cloneNode();
  coin.ownerSVGElement.append(twin);
  const away = `translate(${(end.x + end.width / 2 - start.x - start.width / 2) / scale}px, ${(end.y - start.y) / scale}px)`;
  const flight = twin.animate([{transform: "none", opacity: 1}, {transform: away, opacity: 1, offset: 0.9}, {transform: away, opacity: 0}],
    {delay, duration: COINS_MS, easing: "ease-in", fill: "both", direction: out ? "reverse" : "normal"});
  flight.onfinish = () => twin.remove();
}
