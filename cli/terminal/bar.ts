/** A bar of `width` columns that is full at `total`, and empty if there is nothing to reach. */
export function bar(done: number, total: number, width: number): string {
  const full = total === 0 ? 0 : Math.min(width, Math.floor((done / total) * width));
  return '█'.repeat(full) + '░'.repeat(width - full);
}
