// What a village knows of the mines, from what it has observed.

const shown = (value) => value !== undefined && value !== null;
// A field, or the same as a layer shows it to all.
const read = (observation, name) => observation[name] ?? observation[`shown_${name}`];
const whole = (values) => shown(values) && values.flat().every(shown);

// {first, last}: the mines in reach.
export const inReach = ({seat, reach}) => ({first: seat, last: seat + reach - 1});

// Last period, mine by mine: [{workers, found}], each null where it is not shown.
export function lastPeriod(observation, core) {
  const {own_mine: own, own_found: mine} = observation;
  const [found, workers] = [read(observation, "found"), read(observation, "workers_at")];
  return Array.from({length: core.seats + core.max_connectivity - 1}, (_, place) => ({
    workers: whole(workers) ? workers[place] : null,
    found: whole(found) ? found[place] : whole(mine) && own === place ? mine : null,
  }));
}

// Where each village went last period: null where it is not shown or nobody went yet.
export function ways(observation, seat, core) {
  const {mines, own_mine: own} = observation;
  return Array.from({length: core.seats}, (_, village) => {
    const mine = village === seat && shown(own) ? own : whole(mines) ? mines[village] : -1;
    return mine < 0 ? null : mine;
  });
}

// Who reaches what, and with how many workers: null where it is not shown.
export function villages(observation, seat, core) {
  const {reaches, workforces, reach, workers} = observation;
  return Array.from({length: core.seats}, (_, village) => ({
    reach: village === seat ? reach : whole(reaches) ? reaches[village] : null,
    workers: village === seat && shown(workers) ? workers : whole(workforces) ? workforces[village] : null,
  }));
}

// In how many of the periods one knows of this mine was worked, and what was found there in all.
export function record(mine, history, core) {
  const gems = Array(core.gem_types).fill(0);
  let periods = 0;
  for (const {period, observation} of history) {
    if (period < 0) continue;
    const {workers, found} = lastPeriod(observation, core)[mine];
    if (found === null || workers === 0) continue;
    periods += 1;
    found.forEach((count, kind) => { gems[kind] += count; });
  }
  return {periods, gems};
}

// The chance of each kind at a mine with so many workers; null where it is not shown.
export function chancesAt(mine, workers, observation, core) {
  const chances = read(observation, "base_probabilities");
  if (!whole(chances)) return null;
  return chances[mine].map((base) => Math.min(core.truncation, base * core.worker_bonus ** (workers - 1)));
}
