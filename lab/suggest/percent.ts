/** `99.4 %`, rounded down so that 100 means all. */
export function percent(share: number): string {
  return `${Math.floor(share * 1_000 + 1e-6) / 10} %`;
}
