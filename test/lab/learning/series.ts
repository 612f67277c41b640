/** Normally distributed numbers that are the same in every run. */
export function seededNoise(seed: number): () => number {
  let state = seed * 2_654_435_761;
  const uniform = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
