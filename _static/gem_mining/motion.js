// What happened, in less than a second: workers walk to the mines, gems come up and go to the chest.

const WALK_MS = 400;
const RISE_MS = 250;
const GO_MS = 300;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// `picture`: the map; `from(village)`: where its workers set out; `chest`: the node that gems go to.
export function play(picture, from, chest) {
  if (still.matches) return;
  const steps = [];
  for (const worker of picture.querySelectorAll(".gems-mine [data-village]")) {
    const [x, y] = from(Number(worker.dataset.village));
    const box = worker.getBBox();
    steps.push(worker.animate([{transform: `translate(${x - box.x - box.width / 2}px, ${y - box.y - box.height}px)`}, {transform: "none"}],
      {duration: WALK_MS, easing: "ease-in-out", fill: "backwards"}));
  }
  const walk = steps.length ? WALK_MS : 0;
  for (const gem of picture.querySelectorAll(".gems-found")) {
    gem.animate([{transform: "translateY(40px)", opacity: 0}, {transform: "none", opacity: 1}],
      {delay: walk, duration: RISE_MS, easing: "ease-out", fill: "backwards"});
    go(gem, chest, walk + RISE_MS);
  }
  if (picture.querySelector(".gems-found")) {
    chest.animate([{transform: "none"}, {transform: "scale(1.25)"}, {transform: "none"}], {delay: walk + RISE_MS + GO_MS / 2, duration: GO_MS / 2});
  }
}

// A second one of a gem that goes to the chest while the first stays at its mine.
function go(gem, chest, delay) {
  const [here, there] = [gem, chest].map((node) => node.getBoundingClientRect());
  const twin = gem.cloneNode(true);
  twin.classList.remove("gems-found");
  gem.after(twin);
  const away = `translate(${there.x + there.width / 2 - here.x - here.width / 2}px, ${there.bottom - here.bottom}px)`;
  const flight = twin.animate([{transform: "none", opacity: 1}, {transform: away, opacity: 0}],
    {delay, duration: GO_MS, easing: "ease-in", fill: "both"});
  flight.onfinish = () => twin.remove();
}
