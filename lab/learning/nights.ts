const DAY = 86_400_000;
const NIGHTS = 5;

/**
 * What at least three of the last five nights say: the median of their numbers. Each night is judged again from the
 * history up to then, so that a nightly run needs no memory of its own. Stops once three agree; `undefined` if a night
 * before that knows too little.
 */
export function ofFiveNights(tonight: number, judge: (night: number) => number | undefined): number | undefined {
  const said: number[] = [];
  for (let night = 0; night < NIGHTS; night += 1) {
    const one = judge(tonight - night * DAY);
    if (one === undefined) return undefined;
    said.push(one);
    if (said.filter((other) => other === one).length > NIGHTS / 2) return one;
  }
  return said.sort((a, b) => a - b)[Math.floor(NIGHTS / 2)];
}
