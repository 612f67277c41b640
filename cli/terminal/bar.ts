/** A bar of `width` columns that is full at `total`. */
export function bar(done: number, total: number, width: number): string {
  const full = total === 0 ? width : Math.min(width, Math.floor((done / total) * width));
  return '█'.repeat(full) + '░'.repeat(width - full);
}
