/** The known word that a mistyped one is probably meant to be. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const furthest = Math.max(2, Math.floor(word.length / 3));
  const close = known
    .filter((key) => Math.abs(key.length - word.length) <= furthest)
    .map((key) => ({ key, distance: distance(word.toLowerCase(), key.toLowerCase()) }));
  const [best] = close.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= furthest ? best.key : undefined;
}

/** Levenshtein's edit distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
