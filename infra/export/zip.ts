import { zipSync } from 'fflate';

export interface ZipEntry {
  readonly name: string;
  readonly contents: Uint8Array;
}

/** The earliest date of the format, so that equal contents make equal archives. */
const EARLIEST = new Date(1980, 0, 1);
const UNIX = 3;
/** Readable by all, since Lambda runs as a different user. */
const MODE = (0o100644 << 16) >>> 0;

/** A zip archive, sorted by name and deterministic. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = sorted.map(({ name, contents }) => [name, contents] as const);
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 9, mtime: EARLIEST, os: UNIX, attrs: MODE }));
}
