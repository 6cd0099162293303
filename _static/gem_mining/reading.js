// What a village knows of the mines, from what it has observed.

const shown = (value) => value !== undefined && value !== null;
// A field, or the same as a layer shows it to all.
const read = (observation, name) => observation[name] ?? observation[`shown_${name}`];
const whole = (values) => shown(values) && values.flat().every(shown);

// Last period, mine by mine: [{workers, gems}], each null where it is not shown.
export function lastPeriod(observation, mines) {
  const {own_mine: own, own_found: mine} = observation;
  const [gems, workers] = [read(observation, "found"), read(observation, "workers_at")];
  return Array.from({length: mines}, (_, place) => ({
    workers: whole(workers) ? workers[place] : null,
    gems: whole(gems) ? gems[place] : whole(mine) && own === place ? mine : null,
  }));
}

// Where each village went last period: null where it is not shown or nobody went yet.
export function ways(observation, seat, villages) {
  const {mines, own_mine: own} = observation;
  return Array.from({length: villages}, (_, village) => {
    const mine = village === seat && shown(own) ? own : whole(mines) ? mines[village] : -1;
    return mine < 0 ? null : mine;
  });
}

// In how many of the periods one knows of this mine was worked, and what was found there in all.
export function record(mine, history, {mines, kinds}) {
  const totals = Array(kinds).fill(0);
  let periods = 0;
  for (const {period, observation} of history) {
    if (period < 0) continue;
    const {workers, gems} = lastPeriod(observation, mines)[mine];
    if (gems === null || workers === 0) continue;
    periods += 1;
    gems.forEach((count, kind) => { totals[kind] += count; });
  }
  return {periods, gems: totals};
}
